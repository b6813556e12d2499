// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef TEST_TIMED_REFERENCE_H
#define TEST_TIMED_REFERENCE_H

#include <flitloom/plan.h>

#include "reference/ref_min.h"
#include "reference/ref_program.h"

// The results of the slow reference machine for a plan with timing on a direct or a multistage network. Its programs
// are made of the plan's gates here, without the library.
struct timed_reference {
	const struct loom_plan *plan;
	struct ref_net net;
	struct ref_min *min;
	struct ref_machine machine;
	struct ref_message *messages; // those that use the network
	struct ref_entry *entries;
	struct ref_program *programs; // by physical node
	uint64_t *begin;              // of each entry
	size_t *number;               // of each message of the plan, among those that use the network
	struct ref_arrival *arrivals;
	struct ref_channel *channels;
	uint64_t *end;
	size_t n;
};

// Makes the programs for a machine that already has a network and its ways.
void timed_reference_on(struct timed_reference *out, const struct loom_plan *plan, const struct ref_machine *machine);
// Makes the programs and the machine of the plan's fabric; all messages go by the first rule.
void timed_reference_make(struct timed_reference *out, const struct loom_plan *plan, enum loom_machine machine);
int timed_reference_run(struct timed_reference *c); // as ref_program_run
// Returns the cycle in which the last message has arrived and the last program has ended.
uint64_t timed_reference_end(const struct timed_reference *c);
void timed_reference_free(struct timed_reference *c);

#endif
