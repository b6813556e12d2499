// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef REF_GOAL_H
#define REF_GOAL_H

#include "ref_program.h"

// Carries out GOAL text in the slowest way: finds the messages that the ranks send, and the programs that nodes get
// by docs/goal.md. Written from that page alone, independently of the library.
struct ref_goal {
	unsigned n_ranks;
	struct ref_message *message; // rank by rank, in the order of the programs
	size_t n_messages;
	struct ref_program *program; // n_nodes
	unsigned n_nodes;
};

// The scale that turns bytes and units into flits and cycles: 1 + bytes / flit_bytes, and units * calc_cycles /
// calc_units, both rounded up.
struct ref_goal_scale {
	unsigned flit_bytes, calc_cycles, calc_units;
};

// -EINVAL: no GOAL text, or one that cannot be carried out: a receive without a send, a send without a receive, a
// circle. -ENOMEM. *out is to be freed whatever is returned.
int ref_goal_read(struct ref_goal *out, const char *text, unsigned n_nodes, const struct ref_goal_scale *scale);
void ref_goal_free(struct ref_goal *goal);

#endif
