// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
// The planners Birkhoff [Birkhoff46] and Solstice [Liu15]. Both first add flits until all rows and columns have the
// same sum. Each slot is then a perfect matching, as long as the least entry in it. The rest has equal sums again, so a
// perfect matching exists for the next slot. The added flits may lie on the diagonal, too: such pairs stay dark.
#include <stdlib.h>

#include "circuits/matching.h"
#include "circuits/remains.h"

struct slicing {
	struct loom_remains stuffed, real;
	struct loom_matching m;
	uint32_t *to; // the matching without pairs that have only added flits
	uint64_t spent;
};

static uint32_t least_of(const struct slicing *w)
{
	uint32_t least = UINT32_MAX;
	for (uint32_t i = 0; i < w->m.n; i++) {
		const uint32_t f = w->stuffed.flits[(size_t)i * w->m.n + w->m.of_row[i]];
		least = f < least ? f : least;
	}
	return least;
}

// Removes the matching from the demand as a slot of `cycles`. Leaves out a slot that would carry nothing.
static int take(struct loom_circuit_list *out, struct slicing *w, uint32_t cycles, uint32_t dark, struct loom_err *err)
{
	const uint32_t n = w->m.n;
	uint32_t most = 0;
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t j = w->m.of_row[i], f = w->real.flits[(size_t)i * n + j];
		w->to[i] = f > 0 ? j : LOOM_CIRCUIT_NO_PORT;
		most = f > most ? f : most;
	}
	loom_remains_take(&w->stuffed, w->m.of_row, cycles);
	if (most == 0)
		return 0;
	loom_remains_take(&w->real, w->to, cycles);
	const uint32_t light = most < cycles ? most : cycles;
	w->spent += (uint64_t)light + dark;
	return loom_circuit_list_add(out, light, w->to, err);
}

static int init(struct slicing *w, const struct loom_demand *demand, struct loom_err *err)
{
	int rc = loom_remains_init(&w->stuffed, demand, err);
	if (rc == 0)
		rc = loom_remains_init(&w->real, demand, err);
	w->to = malloc(demand->n * sizeof *w->to);
	if (rc == 0 && (!w->to || !loom_matching_init(&w->m, demand->n)))
		rc = loom_circuit_no_memory(err);
	if (rc == 0)
		loom_remains_stuff(&w->stuffed);
	return rc;
}

static void release(struct slicing *w)
{
	loom_remains_free(&w->stuffed);
	loom_remains_free(&w->real);
	loom_matching_free(&w->m);
	free(w->to);
}

static bool is_hopeless(const struct slicing *w, uint32_t dark, uint64_t limit)
{
	return limit != LOOM_NO_LIMIT && w->spent + loom_remains_least(&w->real, dark) >= limit;
}

int loom_circuit_birkhoff(struct loom_circuit_list *out, bool *done, const struct loom_demand *demand, uint32_t dark,
                          uint64_t limit, struct loom_err *err)
{
	struct slicing w = {.to = NULL};
	int rc = init(&w, demand, err);
	while (rc == 0 && w.real.n_entries > 0 && !is_hopeless(&w, dark, limit)) {
		loom_matching_drop(&w.m, w.stuffed.flits, 1);
		(void)loom_matching_complete(&w.m, w.stuffed.flits, 1); // it exists: all sums are equal
		rc = take(out, &w, least_of(&w), dark, err);
	}
	*done = w.real.n_entries == 0;
	release(&w);
	return rc;
}

int loom_circuit_solstice(struct loom_circuit_list *out, bool *done, const struct loom_demand *demand, uint32_t dark,
                          uint64_t limit, struct loom_err *err)
{
	struct slicing w = {.to = NULL};
	int rc = init(&w, demand, err);
	uint32_t least = 1;
	for (size_t p = 0; rc == 0 && p < (size_t)demand->n * demand->n; p++)
		while (least <= w.stuffed.flits[p] / 2)
			least *= 2;
	while (rc == 0 && w.real.n_entries > 0 && !is_hopeless(&w, dark, limit)) {
		loom_matching_drop(&w.m, w.stuffed.flits, least);
		if (loom_matching_complete(&w.m, w.stuffed.flits, least))
			rc = take(out, &w, least_of(&w), dark, err);
		else
			least /= 2;
	}
	*done = w.real.n_entries == 0;
	release(&w);
	return rc;
}
