// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef TEST_PLAN_REFERENCE_H
#define TEST_PLAN_REFERENCE_H

#include <stddef.h>
#include <stdint.h>

#include <flitloom/plan.h>

#include "reference/ref_program.h"

// The run that the slow reference machine makes of a plan of any kind, on any fabric: pass by pass, or all of a free run at once, or the
// programs of a plan with timing. Of the library it takes only what it is told of a graph, and routes that were chosen.
struct plan_reference {
	const struct loom_plan *plan;
	uint64_t *offer, *header, *tail; // owned, by message; 0: it does not use the network
	uint32_t *number;                // owned, by message: its entry in its sender's program
	struct ref_channel *channel;     // owned: [pass * channels + c]; all of a free run in its pass 0
	uint64_t *last; // owned, by pass: its last tail; of a plan with timing the end of its programs, if later
	uint64_t cycles, blocked; // of all passes
	size_t *first_entry;      // owned, by node, and one more: its entries
	uint64_t *began;          // owned, by entry; not of a free run
	uint64_t stuck_cycle;     // of a standstill: the first cycle in which nothing moves
	uint32_t stuck_pass;
	bool in_circle; // of a standstill: flits are under way
};

// Returns 0 or -EDEADLK. After a deadlock only the fields of a standstill have values. Fails the test if there is no
// such machine.
int plan_reference_make(struct plan_reference *out, const struct loom_plan *plan, enum loom_machine machine);
void plan_reference_free(struct plan_reference *reference);

#endif
