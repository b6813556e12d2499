// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_EXPECTED_H
#define LOOM_EXPECTED_H

#include <flitloom/machine.h>
#include <flitloom/plan.h>
#include <flitloom/link/regmap.h>
#include <flitloom/trace.h>

// The bits of a pass that the log keeps.
#define LOOM_EXPECTED_PASS_MASK ((UINT32_C(1) << LOOM_LOG1_PASS_WIDTH) - 1)

// A message of a plan as its receiver sees it: the owner of its data, its pass, its address; and the node that
// receives it. Nodes are physical. A header with the label of a chosen route is addressed to the node that the label
// stands for.
struct loom_expected {
	uint32_t source, number, pass, destination;
	uint32_t node;
	size_t message;     // its index in the plan
	uint32_t n_arrived; // for the caller; zero at first
};

// Lists every message that uses the network, in an order in which loom_expected_find finds it. *out is malloc'ed, also
// for none.
int loom_expected_make(struct loom_expected **out, size_t *n_out, const struct loom_plan *plan, struct loom_err *err);

// Sorts messages that look alike into the order in which they are due to arrive.
void loom_expected_order(struct loom_expected *list, size_t n, const struct loom_machine_times *times);

// Finds the message that has arrived; NULL: the plan has no such message. If the same data comes by two ways in one
// pass, the messages look alike: then the first one whose n_arrived is 0 is taken, or else the last.
struct loom_expected *loom_expected_find(struct loom_expected *list, size_t n, const struct loom_arrival *arrival);

#endif
