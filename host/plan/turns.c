// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/turns.h"

enum loom_turns loom_plan_turns(bool *backward, const struct loom_plan *plan)
{
	bool first = false, first_as_even = false, never = true, each = true;
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		bool way = m->rule == LOOM_RULE_ASCENDING, as_even = way != (m->pass % 2 == 1);
		if (i == 0) {
			first = way;
			first_as_even = as_even;
		}
		never = never && way == first;
		each = each && as_even == first_as_even;
	}
	*backward = never ? first : first_as_even;
	return never ? LOOM_TURNS_NEVER : each ? LOOM_TURNS_EACH_PASS : LOOM_TURNS_OTHERWISE;
}

int loom_plan_check_turns(const struct loom_plan *plan, struct loom_err *err)
{
	for (size_t i = 1; plan->topo.kind->two_directions && i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		if (m->pass == m[-1].pass && m->rule != m[-1].rule)
			return loom_fail(
				err, LOOM_EFIT,
				"pass %u has messages both ways; the switches of %s all point one way at a time",
				m->pass, plan->topo.name);
		if (plan->free_running && m->rule != m[-1].rule)
			return loom_fail(err, LOOM_EFIT,
			                 "passes %u and %u go different ways through %s, and the run goes freely from "
			                 "pass to pass: turning the switches takes a barrier between them",
			                 m[-1].pass, m->pass, plan->topo.name);
	}
	return 0;
}
