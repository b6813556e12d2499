// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_NODE_MESSAGES_H
#define LOOM_NODE_MESSAGES_H

#include <flitloom/plan.h>

// Returns the messages first .. first + n - 1 of the plan, from node to node instead of from processor to processor.
// The caller frees them. NULL: out of memory.
struct loom_message *loom_plan_node_messages(const struct loom_plan *plan, size_t first, size_t n);

#endif
