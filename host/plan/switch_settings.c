// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/switch_settings.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "topo/topo_min.h"

#define WORD_BITS 32u

size_t loom_switch_settings_words_per_stage(const struct loom_topo *topo)
{
	return (topo->n_nodes / 2 + WORD_BITS - 1) / WORD_BITS;
}

// Sets the switches on the way of one message. user[switch] is the message that set the switch, counted from 1.
static int set_path(uint32_t *out, uint32_t *user, const struct loom_plan *plan, size_t i, struct loom_err *err)
{
	const struct loom_plan_message *m = &plan->messages[i];
	uint32_t source = plan->map[m->source], destination = plan->map[m->destination], path[LOOM_MIN_M_MAX];
	uint32_t n_switches = plan->topo.n_nodes / 2;
	struct loom_min net;
	if (!loom_topo_min(&net, &plan->topo, (enum loom_rule)m->rule))
		return loom_fail(err, LOOM_EINPUT, "%s has no switches that could be preset; multistage networks have",
		                 plan->topo.name);
	loom_min_path(path, &net, source, destination);
	for (unsigned s = 0; s < net.m; s++) {
		uint32_t q = path[s] / 2, *by = &user[s * n_switches + q], bit = UINT32_C(1) << q % WORD_BITS;
		uint32_t *word = &out[s * loom_switch_settings_words_per_stage(&plan->topo) + q / WORD_BITS];
		uint32_t wanted = loom_min_crosses(&net, path, source, s) ? bit : 0;
		if (*by && (*word & bit) != wanted)
			return loom_fail(err, LOOM_EINPUT,
			                 "no preset for pass %" PRIu32 ": switch %" PRIu32
			                 " of stage %u would have to be %s for message %" PRIu32
			                 " and %s for message %zu; "
			                 "planner min_passes makes passes that can be preset",
			                 m->pass, q, s, wanted ? "straight" : "crossed", *by - 1,
			                 wanted ? "crossed" : "straight", i);
		*word |= wanted;
		*by = (uint32_t)i + 1;
	}
	return 0;
}

// Finds the first message of this pass or a later one. Messages are in ascending order of pass.
static size_t first_of_pass(const struct loom_plan *plan, uint32_t pass)
{
	size_t from = 0, to = plan->n_messages;
	while (from < to) {
		size_t middle = from + (to - from) / 2;
		if (plan->messages[middle].pass < pass)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

int loom_switch_settings_of_pass(uint32_t *out, const struct loom_plan *plan, uint32_t pass, struct loom_err *err)
{
	struct loom_min net;
	if (!loom_topo_min(&net, &plan->topo, LOOM_RULE_ASCENDING))
		return loom_fail(err, LOOM_EINPUT, "%s has no switches that could be preset; multistage networks have",
		                 plan->topo.name);
	uint32_t *user = calloc((size_t)net.m * (plan->topo.n_nodes / 2), sizeof *user);
	int rc = user ? 0 : loom_fail(err, LOOM_ENOMEM, "out of memory for the switches of %s", plan->topo.name);
	memset(out, 0, net.m * loom_switch_settings_words_per_stage(&plan->topo) * sizeof *out);
	for (size_t i = first_of_pass(plan, pass); rc == 0 && i < plan->n_messages && plan->messages[i].pass == pass;
	     i++)
		rc = set_path(out, user, plan, i, err);
	free(user);
	return rc;
}
