// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_CIRCUITS_INTERNAL_H
#define LOOM_CIRCUITS_INTERNAL_H

// Declarations that the files of this folder share; besides these only their tests include them.

#include <flitloom/circuits.h>

// A list of slots (matchings with their cycles of light), before they are distributed over switches. to[s * n + i] is
// to[i] of slot s.
struct loom_circuit_list {
	uint32_t n;
	size_t n_slots, room;
	uint32_t *cycles; // owned
	uint32_t *to;     // owned
};

// Adds a slot (copied; to NULL: no sender has light). LOOM_ENOMEM.
int loom_circuit_list_add(struct loom_circuit_list *list, uint32_t cycles, const uint32_t *to, struct loom_err *err);
void loom_circuit_list_free(struct loom_circuit_list *list); // NULL allowed; leaves *list zeroed

// A planner. It fills in a list or, if `schedule` is set, the whole schedule, in which the caller has set the four
// numbers and zeroed the rest.
struct loom_circuit_planner {
	const char *name;
	int (*list)(struct loom_circuit_list *out, const struct loom_demand *demand,
	            const struct loom_circuit_options *options, struct loom_err *err);
	int (*schedule)(struct loom_circuit_schedule *out, const struct loom_demand *demand,
	                const struct loom_circuit_options *options, struct loom_err *err);
};

int loom_circuit_rotor(struct loom_circuit_schedule *out, const struct loom_demand *demand,
                       const struct loom_circuit_options *options, struct loom_err *err);

// Distributes the slots of a list over the switches so that the last switch ends early. It cuts slots if that helps.
int loom_circuit_share_out(struct loom_circuit_schedule *out, const struct loom_circuit_list *list,
                           struct loom_err *err);

// Adds the parcels to a schedule that has none: each slot carries as much as it can of what its pairs have left.
// LOOM_EINTERNAL: the slots cannot carry all of the demand.
int loom_circuit_fill(struct loom_circuit_schedule *s, const struct loom_demand *demand, struct loom_err *err);

// Appends a slot to a switch (copied; to NULL: no light). LOOM_ENOMEM.
int loom_circuit_append(struct loom_circuit_schedule *s, uint32_t on, uint32_t cycles, const uint32_t *to,
                        struct loom_err *err);

// Sorts the parcels, and renumbers `before` to match. LOOM_ENOMEM.
int loom_circuit_sort(struct loom_circuit_schedule *s, struct loom_err *err);

// Returns the cycles until the last switch is done.
uint64_t loom_circuit_end(const struct loom_circuit_schedule *s);

int loom_circuit_no_memory(struct loom_err *err); // LOOM_ENOMEM

#endif
