// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "circuits/remains.h"

#include <string.h>

int loom_remains_init(struct loom_remains *out, const struct loom_demand *demand, struct loom_err *err)
{
	const uint32_t n = demand->n;
	const size_t all = (size_t)n * n;
	struct loom_remains r = {.n = n};
	LOOM_ARRAY(&r.arrays, r.flits, all);
	LOOM_ARRAY(&r.arrays, r.row, n);
	LOOM_ARRAY(&r.arrays, r.column, n);
	LOOM_ARRAY(&r.arrays, r.row_entries, n);
	LOOM_ARRAY(&r.arrays, r.column_entries, n);
	if (r.arrays.is_short) {
		loom_remains_free(&r);
		return loom_circuit_no_memory(err);
	}
	memcpy(r.flits, demand->flits, all * sizeof *r.flits);
	for (size_t p = 0; p < all; p++) {
		const uint32_t i = (uint32_t)(p / n), j = (uint32_t)(p % n), f = r.flits[p];
		r.row[i] += f;
		r.column[j] += f;
		r.row_entries[i] += f > 0;
		r.column_entries[j] += f > 0;
		r.n_entries += f > 0;
	}
	*out = r;
	return 0;
}

void loom_remains_free(struct loom_remains *r)
{
	loom_arrays_free(&r->arrays);
	*r = (struct loom_remains){0};
}

void loom_remains_take(struct loom_remains *r, const uint32_t *to, uint32_t cycles)
{
	for (uint32_t i = 0; i < r->n; i++) {
		const uint32_t j = to[i];
		uint32_t *left = j == LOOM_CIRCUIT_NO_PORT ? NULL : &r->flits[(size_t)i * r->n + j];
		if (!left || *left == 0)
			continue;
		const uint32_t taken = *left < cycles ? *left : cycles;
		*left -= taken;
		r->row[i] -= taken;
		r->column[j] -= taken;
		if (*left == 0) {
			r->row_entries[i]--;
			r->column_entries[j]--;
			r->n_entries--;
		}
	}
}

uint64_t loom_remains_least(const struct loom_remains *r, uint32_t dark)
{
	uint64_t flits = 0, entries = 0;
	for (uint32_t i = 0; i < r->n; i++) {
		flits = r->row[i] > flits ? r->row[i] : flits;
		flits = r->column[i] > flits ? r->column[i] : flits;
		entries = r->row_entries[i] > entries ? r->row_entries[i] : entries;
		entries = r->column_entries[i] > entries ? r->column_entries[i] : entries;
	}
	return flits + entries * dark;
}

static void add(struct loom_remains *r, uint64_t most, size_t p)
{
	const uint32_t i = (uint32_t)(p / r->n), j = (uint32_t)(p % r->n);
	const uint64_t row = most - r->row[i], column = most - r->column[j];
	const uint32_t more = (uint32_t)(row < column ? row : column);
	if (more == 0)
		return;
	if (r->flits[p] == 0) {
		r->row_entries[i]++;
		r->column_entries[j]++;
		r->n_entries++;
	}
	r->flits[p] += more;
	r->row[i] += more;
	r->column[j] += more;
}

void loom_remains_stuff(struct loom_remains *r)
{
	const size_t all = (size_t)r->n * r->n;
	uint64_t most = 0;
	for (uint32_t i = 0; i < r->n; i++) {
		most = r->row[i] > most ? r->row[i] : most;
		most = r->column[i] > most ? r->column[i] : most;
	}
	for (size_t p = 0; p < all; p++)
		if (r->flits[p] > 0)
			add(r, most, p);
	for (size_t p = 0; p < all; p++)
		if (r->flits[p] == 0)
			add(r, most, p);
}

uint64_t loom_circuit_list_cost(const struct loom_circuit_list *list, uint32_t dark)
{
	uint64_t cost = 0;
	for (size_t s = 0; s < list->n_slots; s++)
		cost += (uint64_t)list->cycles[s] + dark;
	return cost;
}
