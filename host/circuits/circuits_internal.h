// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_CIRCUITS_INTERNAL_H
#define LOOM_CIRCUITS_INTERNAL_H

// Declarations that the files of this folder share; beside them only their tests include it.

#include <flitloom/circuits.h>

// Matchings with their cycles of light, in order, before they are given to switches. to[s * n + i]: as to[i] of a slot s.
struct loom_circuit_list {
	uint32_t n;
	size_t n_slots, room;
	uint32_t *cycles; // owned
	uint32_t *to;     // owned
};

// Adds a slot (copied; to NULL: no sender has light). LOOM_ENOMEM.
int loom_circuit_list_add(struct loom_circuit_list *list, uint32_t cycles, const uint32_t *to, struct loom_err *err);
void loom_circuit_list_free(struct loom_circuit_list *list); // NULL allowed; leaves *list zeroed

// One planner. It fills in a list, or if `schedules` is set the whole schedule, which is zeroed but for its four numbers.
struct loom_circuit_planner {
	const char *name;
	int (*list)(struct loom_circuit_list *out, const struct loom_demand *demand,
	            const struct loom_circuit_options *options, struct loom_err *err);
	int (*schedule)(struct loom_circuit_schedule *out, const struct loom_demand *demand,
	                const struct loom_circuit_options *options, struct loom_err *err);
};

int loom_circuit_rotor(struct loom_circuit_schedule *out, const struct loom_demand *demand,
                       const struct loom_circuit_options *options, struct loom_err *err);

// Gives the slots of a list to switches so that the last of them ends early. Slots are cut where that pays.
int loom_circuit_share_out(struct loom_circuit_schedule *out, const struct loom_circuit_list *list,
                           struct loom_err *err);

// Makes parcels of a schedule without them: each slot takes what it can of the demands of its pairs. LOOM_EINTERNAL: some is left over.
int loom_circuit_fill(struct loom_circuit_schedule *s, const struct loom_demand *demand, struct loom_err *err);

// Appends a slot to a switch (copied; to NULL: no light). LOOM_ENOMEM.
int loom_circuit_append(struct loom_circuit_schedule *s, uint32_t on, uint32_t cycles, const uint32_t *to,
                        struct loom_err *err);

// Sorts parcels, and has `before` follow. LOOM_ENOMEM.
int loom_circuit_sort(struct loom_circuit_schedule *s, struct loom_err *err);

// Cycles until the last switch is done.
uint64_t loom_circuit_end(const struct loom_circuit_schedule *s);

int loom_circuit_no_memory(struct loom_err *err); // LOOM_ENOMEM

#endif
