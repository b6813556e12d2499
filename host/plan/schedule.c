// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/schedule.h"

#include <flitloom/math/latin.h>

bool loom_schedule_recognise(struct loom_schedule *out, const struct loom_plan *plan)
{
	uint32_t n = plan->topo.n_nodes;
	struct loom_schedule s = {.flits = plan->n_messages ? plan->messages[0].flits : 0};
	bool known[LOOM_SCHEDULE_NODES] = {false};
	size_t n_to_self = 0;
	if (!plan->free_running || plan->n_messages == 0 || plan->n_passes > n || n > LOOM_SCHEDULE_NODES)
		return false;
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		uint32_t first = m->destination ^ loom_latin_gray(m->pass);
		if (first >= n || (known[m->source] && first != s.first[m->source]) || m->rule != LOOM_RULE_ASCENDING)
			return false;
		s.first[m->source] = first;
		known[m->source] = true;
		n_to_self += m->source == m->destination;
	}
	// Each node has one message in each pass, or all but those to itself. A node that sends nothing has no first
	// one.
	size_t n_selves = 0;
	for (uint32_t v = 0; v < n; v++) {
		if (!known[v])
			return false;
		for (uint32_t pass = 0; pass < plan->n_passes; pass++)
			n_selves += (s.first[v] ^ loom_latin_gray(pass)) == v;
	}
	s.skips_self = n_to_self == 0 && n_selves != 0;
	size_t n_expected = (size_t)n * plan->n_passes - (s.skips_self ? n_selves : 0);
	if (plan->n_messages != n_expected)
		return false;
	*out = s;
	return true;
}
