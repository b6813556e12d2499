// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
// Makes the parcels of a schedule in which all flits go straight to their destinations, and sorts parcels.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "circuits/circuits_internal.h"

static size_t count_pairs(const struct loom_circuit_schedule *s)
{
	size_t n = 0;
	for (uint32_t on = 0; on < s->n_switches; on++)
		for (size_t k = 0; k < s->on[on].n_slots; k++)
			for (uint32_t i = 0; i < s->n_nodes; i++)
				n += s->on[on].slot[k].to[i] != LOOM_CIRCUIT_NO_PORT;
	return n;
}

// Fills slot k of a switch with the flits of its pairs.
static void fill_slot(struct loom_circuit_schedule *s, uint32_t *left, uint32_t on, size_t k)
{
	const struct loom_circuit_slot *slot = &s->on[on].slot[k];
	for (uint32_t i = 0; i < s->n_nodes; i++) {
		const uint32_t j = slot->to[i];
		uint32_t *rest = j == LOOM_CIRCUIT_NO_PORT ? NULL : &left[(size_t)i * s->n_nodes + j];
		if (!rest || *rest == 0)
			continue;
		const uint32_t flits = *rest < slot->cycles ? *rest : slot->cycles;
		*rest -= flits;
		s->parcel[s->n_parcels++] = (struct loom_circuit_parcel){.on = on,
		                                                         .slot = (uint32_t)k,
		                                                         .source = i,
		                                                         .destination = j,
		                                                         .from = i,
		                                                         .to = j,
		                                                         .flits = flits};
	}
}

int loom_circuit_fill(struct loom_circuit_schedule *s, const struct loom_demand *demand, struct loom_err *err)
{
	const size_t n = demand->n, all = n * n;
	uint32_t *left = malloc(all * sizeof *left);
	s->parcel = malloc((count_pairs(s) + 1) * sizeof *s->parcel);
	s->n_parcels = 0;
	if (!left || !s->parcel) {
		free(left);
		return loom_circuit_no_memory(err);
	}
	memcpy(left, demand->flits, all * sizeof *left);
	for (uint32_t on = 0; on < s->n_switches; on++)
		for (size_t k = 0; k < s->on[on].n_slots; k++)
			fill_slot(s, left, on, k);
	size_t p = 0;
	while (p < all && left[p] == 0)
		p++;
	if (p < all) // the fault of a planner
		loom_fail(err, LOOM_EINTERNAL, "%" PRIu32 " flits from node %zu to node %zu are in no slot", left[p],
		          p / n, p % n);
	free(left);
	return p < all ? LOOM_EINTERNAL : 0;
}

// --- Order of parcels ------------------------------------------------------------------------------------------------

// Orders parcels by switch, slot and sender, and then by the cycle in which they begin.
static int parcel_order(const void *a, const void *b, void *parcels)
{
	const struct loom_circuit_parcel *x = (const struct loom_circuit_parcel *)parcels + *(const size_t *)a,
					 *y = (const struct loom_circuit_parcel *)parcels + *(const size_t *)b;
	int by = loom_order(x->on, y->on);
	by = by ? by : loom_order(x->slot, y->slot);
	by = by ? by : loom_order(x->source, y->source);
	return by ? by : loom_order(x->begin, y->begin);
}

int loom_circuit_sort(struct loom_circuit_schedule *s, struct loom_err *err)
{
	const size_t n = s->n_parcels + 1;
	size_t *order = malloc(n * sizeof *order), *now_at = malloc(n * sizeof *now_at);
	struct loom_circuit_parcel *sorted = malloc(n * sizeof *sorted);
	const bool done = order && now_at && sorted;
	for (size_t i = 0; done && i < s->n_parcels; i++)
		order[i] = i;
	if (done) {
		if (s->n_parcels > 0)
			qsort_r(order, s->n_parcels, sizeof *order, parcel_order, s->parcel);
		for (size_t i = 0; i < s->n_parcels; i++)
			now_at[order[i]] = i;
		for (size_t i = 0; i < s->n_parcels; i++) {
			sorted[i] = s->parcel[order[i]];
			if (sorted[i].before)
				sorted[i].before = now_at[sorted[i].before - 1] + 1;
		}
		free(s->parcel);
		s->parcel = sorted;
	} else {
		free(sorted);
	}
	free(order);
	free(now_at);
	return done ? 0 : loom_circuit_no_memory(err);
}
