// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_CIRCUITS_REMAINS_H
#define LOOM_CIRCUITS_REMAINS_H

#include "base/arrays.h"
#include "circuits/circuits_internal.h"

// The part of a demand that a planner has not carried yet.
struct loom_remains {
	uint32_t n;
	uint32_t *flits;                        // owned; n * n
	uint64_t *row, *column;                 // owned; sums
	uint32_t *row_entries, *column_entries; // owned; the number of entries that are not 0
	size_t n_entries;
	struct loom_arrays arrays; // owns the arrays
};

int loom_remains_init(struct loom_remains *out, const struct loom_demand *demand, struct loom_err *err);
void loom_remains_free(struct loom_remains *r); // a zeroed one as well
// Subtracts the flits that a slot carries: up to `cycles` flits of each pair of to[].
void loom_remains_take(struct loom_remains *r, const uint32_t *to, uint32_t cycles);
// A lower bound of the cost of what is left on one switch: the flits of the longest line, and `dark` for each entry
// of the line that has most entries.
uint64_t loom_remains_least(const struct loom_remains *r, uint32_t dark);

// Makes all row and column sums equal: adds flits first to entries that are not 0, then to others (the stuffing of
// [Liu15]).
void loom_remains_stuff(struct loom_remains *r);

// The limit (cycles and dark of all slots) of a planner that was asked for by name: none. Planner light gives a limit
// to those that it tries.
#define LOOM_NO_LIMIT UINT64_MAX

// These planners give up as soon as they cannot stay below `limit`: the list is then incomplete, and *done false.
int loom_circuit_birkhoff(struct loom_circuit_list *out, bool *done, const struct loom_demand *demand, uint32_t dark,
                          uint64_t limit, struct loom_err *err);
int loom_circuit_solstice(struct loom_circuit_list *out, bool *done, const struct loom_demand *demand, uint32_t dark,
                          uint64_t limit, struct loom_err *err);
int loom_circuit_eclipse(struct loom_circuit_list *out, bool *done, const struct loom_demand *demand, uint32_t dark,
                         uint64_t limit, struct loom_err *err);

// Cycles and dark of all slots of a list.
uint64_t loom_circuit_list_cost(const struct loom_circuit_list *list, uint32_t dark);

#endif
