// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_SCHEDULE_H
#define LOOM_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include <flitloom/plan.h>

// A free run that the nodes can generate by themselves, without a program: in pass i processor v sends to first[v] ^
// gray(i) ([Yang00], section 4: the rows of the Latin square).
#define LOOM_SCHEDULE_NODES 1024 // the most nodes of a plan that is examined

struct loom_schedule {
	uint32_t first[LOOM_SCHEDULE_NODES];
	uint32_t flits;
	bool skips_self; // in a pass in which a processor would send to itself it sends nothing
};

// True if the plan is such a free run; then *out is what the generators need.
bool loom_schedule_recognise(struct loom_schedule *out, const struct loom_plan *plan);

#endif
