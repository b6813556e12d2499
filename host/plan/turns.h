// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TURNS_H
#define LOOM_TURNS_H

#include <stdbool.h>

#include <flitloom/plan.h>

// The number of times that a network of two directions turns round in a plan whose passes go one way each.
enum loom_turns {
	LOOM_TURNS_NEVER,
	LOOM_TURNS_EACH_PASS, // the chip can do it by itself
	LOOM_TURNS_OTHERWISE,
};

// Says how often the network turns round. *backward: the direction of pass 0; without messages, the direction that it
// would have.
enum loom_turns loom_plan_turns(bool *backward, const struct loom_plan *plan);

// Checks that no pass has messages in both directions, and that a free run needs no turn, since nothing can turn the
// network round between its passes. LOOM_EFIT.
int loom_plan_check_turns(const struct loom_plan *plan, struct loom_err *err);

#endif
