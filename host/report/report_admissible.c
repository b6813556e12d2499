// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "report/report_admissible.h"

#include <stdlib.h>
#include <string.h>

#include <flitloom/math/admissible.h>

#include "topo/topo_min.h"

// Fills in to[source node]. False: it is no permutation, not even of some of the nodes, in one pass and direction.
static bool read_permutation(uint32_t *to, const struct loom_plan *plan)
{
	bool receives[LOOM_TOPO_MIN_NODES] = {false};
	if (plan->n_passes != 1 || plan->n_messages == 0)
		return false;
	for (uint32_t x = 0; x < plan->topo.n_nodes; x++)
		to[x] = LOOM_ADMISSIBLE_IDLE;
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		uint32_t source = plan->map[m->source], destination = plan->map[m->destination];
		if (to[source] != LOOM_ADMISSIBLE_IDLE || receives[destination] || m->rule != plan->messages[0].rule)
			return false;
		to[source] = destination;
		receives[destination] = true;
	}
	return true;
}

static size_t message_from(const struct loom_plan *plan, uint32_t node)
{
	size_t i = 0;
	while (plan->map[plan->messages[i].source] != node)
		i++;
	return i;
}

int loom_report_admissible_make(struct loom_report_admissible *out, const struct loom_plan *plan, struct loom_err *err)
{
	struct loom_report_admissible a = {.asked = false};
	struct loom_admissible_conflict conflict;
	struct loom_min net;
	uint32_t to[LOOM_TOPO_MIN_NODES];
	if (!loom_topo_min(&net, &plan->topo, LOOM_RULE_ASCENDING) || !read_permutation(to, plan)) {
		*out = a;
		return 0;
	}
	(void)loom_topo_min(&net, &plan->topo, (enum loom_rule)plan->messages[0].rule);
	a.settings = calloc(net.m * loom_admissible_words_per_stage(&net), sizeof *a.settings);
	int rc = a.settings ? loom_admissible_check(&a.passes, a.settings, &conflict, &net, to, err)
	                    : loom_fail(err, LOOM_ENOMEM, "out of memory for the switches of %s", plan->topo.name);
	if (rc != 0) {
		free(a.settings);
		return rc;
	}
	a.asked = true;
	a.n_stages = net.m;
	a.n_switches = plan->topo.n_nodes / 2;
	if (!a.passes) {
		a.stage = conflict.stage;
		a.line = conflict.line;
		a.the_switch = conflict.line / 2;
		for (unsigned i = 0; i < 2; i++)
			a.message[i] = message_from(plan, conflict.source[i]);
	}
	*out = a;
	return 0;
}

void loom_report_admissible_stage(char *out, const struct loom_report_admissible *a, unsigned stage)
{
	// the layout of the words is the same on all networks
	struct loom_min net = {.kind = LOOM_MIN_OMEGA, .m = a->n_stages};
	for (uint32_t q = 0; q < a->n_switches; q++)
		out[q] = loom_admissible_crossed(a->settings, &net, stage, q) ? '1' : '0';
	out[a->n_switches] = '\0';
}

void loom_report_admissible_free(struct loom_report_admissible *a)
{
	if (!a)
		return;
	free(a->settings);
	memset(a, 0, sizeof *a);
}
