// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "e2e.h"

bool parse(struct e2e *t, struct run *run, const struct rig *rig, const char *spec, uint32_t flits, uint64_t seed)
{
	struct loom_err err = {0};
	struct loom_pattern_options options = {.flits = flits, .seed = seed};
	return check(t, loom_pattern_parse(&run->pattern, spec, loom_topo_hosts(&rig->topo), &options, &err) == 0,
	             "%s on %s: %s", spec, rig->fabric, err.text);
}

bool plan(struct e2e *t, struct run *run, const struct rig *rig, const char *planner, const char *map)
{
	struct loom_err err = {0};
	struct loom_plan_options options = {.planner = planner, .map = map};
	return check(t, loom_plan_make(&run->plan, &rig->topo, &run->pattern, &options, &err) == 0, "%s on %s: %s",
	             run->pattern.name, rig->fabric, err.text);
}

bool plan_by_hand(struct e2e *t, struct run *run, const struct rig *rig, enum loom_rule rule)
{
	struct loom_plan *plan = &run->plan;
	const struct loom_pattern *pattern = &run->pattern;
	uint32_t nodes = rig->topo.n_nodes;
	struct loom_err err = {0};
	*plan = (struct loom_plan){.n_passes = 1,
	                           .n_members = 1,
	                           .n_messages = pattern->n_messages,
	                           .messages = calloc(pattern->n_messages + 1, sizeof *plan->messages),
	                           .map = calloc(nodes, sizeof *plan->map),
	                           .member_of_pass = calloc(1, sizeof *plan->member_of_pass)};
	if (!plan->messages || !plan->map || !plan->member_of_pass)
		abort();
	loom_topo_copy(&plan->topo, &rig->topo);
	(void)snprintf(plan->pattern, sizeof plan->pattern, "%s", pattern->name);
	(void)snprintf(plan->planner, sizeof plan->planner, "by hand");
	for (uint32_t v = 0; v < nodes; v++)
		plan->map[v] = v;
	while (UINT32_C(1) << plan->n_order < nodes)
		plan->n_order++;
	if (UINT32_C(1) << plan->n_order != nodes)
		plan->n_order = 0; // without address bits the identity is no order of them
	for (unsigned d = 0; d < plan->n_order; d++)
		plan->order[d] = d;
	for (size_t i = 0; i < pattern->n_messages; i++) {
		const struct loom_message *m = &pattern->messages[i];
		plan->messages[i] = (struct loom_plan_message){
			.source = m->source,
			.destination = m->destination,
			.flits = m->flits,
			.rule = (uint8_t)loom_topo_rule(&rig->topo, m->source, m->destination, rule),
			.origin = (uint32_t)i};
	}
	return check(t, loom_plan_predict(plan, &err) == 0, "%s on %s: %s", pattern->name, rig->fabric, err.text);
}

static int by_pass(const void *a, const void *b)
{
	const struct loom_plan_message *x = a, *y = b;
	return x->pass != y->pass ? (x->pass < y->pass ? -1 : 1) : x->source < y->source ? -1 : x->source > y->source;
}

// True if no channel of the message's route is taken; with `take` marks all of them as taken.
static bool is_free(const struct loom_plan *plan, const struct loom_plan_message *m, bool *taken, bool take)
{
	struct loom_route route;
	uint32_t channel;
	bool all = true;
	for (loom_route_begin(&route, &plan->topo, plan->map[m->source], plan->map[m->destination],
	                      (enum loom_rule)m->rule);
	     loom_route_next(&route, &channel);) {
		all = all && !taken[channel];
		taken[channel] |= take;
	}
	return all;
}

bool cut_into_passes(struct e2e *t, struct run *run)
{
	struct loom_plan *plan = &run->plan;
	struct loom_err err = {0};
	uint32_t n_channels = loom_topo_channels(&plan->topo), n_passes = 1;
	bool *taken = calloc((plan->n_messages + 1) * n_channels, sizeof *taken);
	if (!taken)
		abort();
	for (size_t i = 0; i < plan->n_messages; i++) {
		struct loom_plan_message *m = &plan->messages[i];
		if (m->source == m->destination)
			continue;
		while (!is_free(plan, m, taken + m->pass * n_channels, false))
			m->pass++;
		(void)is_free(plan, m, taken + m->pass * n_channels, true);
		n_passes = m->pass + 1 > n_passes ? m->pass + 1 : n_passes;
	}
	free(taken);
	qsort(plan->messages, plan->n_messages, sizeof *plan->messages, by_pass);
	for (size_t i = 0; i < plan->n_messages; i++)
		plan->messages[i].origin = (uint32_t)i;
	free(plan->member_of_pass);
	plan->member_of_pass = calloc(n_passes, sizeof *plan->member_of_pass);
	if (!plan->member_of_pass)
		abort();
	plan->n_passes = n_passes;
	return check(t, loom_plan_predict(plan, &err) == 0, "%s in %u passes: %s", run->pattern.name, n_passes,
	             err.text) &&
	       check(t, loom_plan_contention(plan) <= 1, "%s in %u passes has contention", run->pattern.name, n_passes);
}

enum loom_machine any_machine(struct loom_rng *rng)
{
	return loom_rng_below(rng, 2) ? LOOM_MACHINE_PAPER : LOOM_MACHINE_FAST;
}

enum loom_rule any_rule(const struct rig *rig, struct loom_rng *rng)
{
	return (enum loom_rule)loom_rng_below(rng, is_cube(&rig->topo) ? 1 : loom_topo_rules_count(&rig->topo));
}

void shuffle(struct loom_rng *rng, uint32_t *to, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		to[i] = i;
	for (uint32_t i = n - 1; i > 0; i--) {
		uint32_t j = (uint32_t)loom_rng_below(rng, i + 1), other = to[j];
		to[j] = to[i];
		to[i] = other;
	}
}

bool next_permutation(uint32_t *to, uint32_t n)
{
	uint32_t i = n - 1;
	while (i > 0 && to[i - 1] > to[i])
		i--;
	if (i == 0)
		return false;
	uint32_t j = n - 1, other = to[i - 1];
	while (to[j] < other)
		j--;
	to[i - 1] = to[j];
	to[j] = other;
	for (j = n - 1; i < j; i++, j--) {
		other = to[i];
		to[i] = to[j];
		to[j] = other;
	}
	return true;
}

bool permutation(struct e2e *t, struct run *run, const uint32_t *to, uint32_t n, uint32_t flits)
{
	struct loom_err err = {0};
	struct loom_message *messages = calloc(n, sizeof *messages);
	if (!messages)
		abort();
	for (uint32_t i = 0; i < n; i++)
		messages[i] = (struct loom_message){.source = i, .destination = to[i], .flits = flits};
	int code = loom_pattern_from_messages(&run->pattern, "a permutation", n, messages, n, &err);
	free(messages);
	return check(t, code == 0, "%s", err.text);
}
