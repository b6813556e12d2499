// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_MESSAGE_ORDER_H
#define LOOM_MESSAGE_ORDER_H

#include "plan/cycles/descent.h"

// The order in which each processor sends its messages, in a plan of one pass.
struct loom_message_order {
	struct loom_plan *plan;
	size_t *place;   // owned: places of the plan's messages, those of one processor side by side
	size_t *first;   // owned, n_nodes + 1: where the places of each processor begin
	size_t from, to; // the places of the last move
};

int loom_message_order_init(struct loom_message_order *out, struct loom_plan *plan, struct loom_err *err);
void loom_message_order_free(struct loom_message_order *order); // zeroed allowed
// True if some processor sends several messages, so that there is an order.
bool loom_message_order_matters(const struct loom_message_order *order);
// Returns the change of a message's place among those of its processor. `order` must not move in memory.
struct loom_change loom_message_order_change(struct loom_message_order *order);

#endif
