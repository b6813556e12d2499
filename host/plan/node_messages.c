// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/node_messages.h"

#include <stdlib.h>

struct loom_message *loom_plan_node_messages(const struct loom_plan *plan, size_t first, size_t n)
{
	struct loom_message *messages = calloc(n + 1, sizeof *messages);
	for (size_t i = 0; messages && i < n; i++) {
		const struct loom_plan_message *m = &plan->messages[first + i];
		messages[i] = (struct loom_message){
			.source = plan->map[m->source], .destination = plan->map[m->destination], .flits = m->flits};
	}
	return messages;
}
