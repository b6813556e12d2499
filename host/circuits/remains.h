// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_CIRCUITS_REMAINS_H
#define LOOM_CIRCUITS_REMAINS_H

#include "base/arrays.h"
#include "circuits/circuits_internal.h"

// The rest of a demand while a planner takes slots off it.
struct loom_remains {
	uint32_t n;
	uint32_t *flits;                        // owned; n * n
	uint64_t *row, *column;                 // owned; sums
	uint32_t *row_entries, *column_entries; // owned; how many are not 0
	size_t n_entries;
	struct loom_arrays arrays; // owns the arrays
};

int loom_remains_init(struct loom_remains *out, const struct loom_demand *demand, struct loom_err *err);
void loom_remains_free(struct loom_remains *r); // of one zeroed, too
// Takes a slot off: of each pair of to[] up to so many cycles.
void loom_remains_take(struct loom_remains *r, const uint32_t *to, uint32_t cycles);
// No schedule of one switch takes less for what is left: the longest line, and `dark` for each of the most entries of a line.
uint64_t loom_remains_least(const struct loom_remains *r, uint32_t dark);

// Makes all sums alike: adds to entries that there are first, then to others (the stuffing of [Liu15]).
void loom_remains_stuff(struct loom_remains *r);

// The most that a planner which only tries may cost, counted as cycles and dark of all slots; of those that are asked by name none.
#define LOOM_NO_LIMIT UINT64_MAX

// Planners that give up once they cannot stay below `limit`: the list is then not complete, and *done false.
int loom_circuit_birkhoff(struct loom_circuit_list *out, bool *done, const struct loom_demand *demand, uint32_t dark,
                          uint64_t limit, struct loom_err *err);
int loom_circuit_solstice(struct loom_circuit_list *out, bool *done, const struct loom_demand *demand, uint32_t dark,
                          uint64_t limit, struct loom_err *err);
int loom_circuit_eclipse(struct loom_circuit_list *out, bool *done, const struct loom_demand *demand, uint32_t dark,
                         uint64_t limit, struct loom_err *err);

// Cycles and dark of all slots of a list.
uint64_t loom_circuit_list_cost(const struct loom_circuit_list *list, uint32_t dark);

#endif
