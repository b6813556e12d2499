// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "report/report_state.h"

const char *loom_report_state(const struct loom_plan *plan, const struct loom_plan_message *m,
                              const struct loom_fate *f)
{
	if (!loom_plan_uses_network(plan, m))
		return "local";
	return !f->arrival                                     ? "missing"
	       : f->n_arrived > 1                              ? "repeated"
	       : f->arrival->node != plan->map[m->destination] ? "elsewhere"
	       : f->arrival->flits != m->flits                 ? "cut"
	       : !f->arrival->intact                           ? "corrupt"
	                                                       : "delivered";
}
