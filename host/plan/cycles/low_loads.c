// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds a map with low loads, by a part of the first lap of --place search. A map with few cycles is often near such a
// map.
#include <stdlib.h>
#include <string.h>

#include <flitloom/routes/deadlock.h>

#include "plan/cycles/cycles.h"
#include "plan/placement/placement.h"
#include "plan/plan_internal.h"

#define REFINE_STEPS 2000000u // loads that are changed
#define HEAT 0.02

// Describes a multistage network to that search: no node has neighbours, and two links lead from each node into the
// network.
static int make_stages(struct loom_place_net *out, const struct loom_topo *topo, struct loom_err *err)
{
	const size_t n = topo->n_nodes;
	struct loom_place_net net = {.topo = topo, .n_nodes = topo->n_nodes, .n_links = 2};
	net.neighbour = malloc(2 * n * sizeof *net.neighbour);
	net.hops = calloc(n * n, sizeof *net.hops);
	if (!net.neighbour || !net.hops) {
		loom_place_net_free(&net);
		return loom_fail(err, LOOM_ENOMEM, "out of memory for %zu nodes", n);
	}
	memset(net.neighbour, 0xff, 2 * n * sizeof *net.neighbour);
	*out = net;
	return 0;
}

static int begin(struct loom_place_scene *scene, const struct loom_cycles_search *s, struct loom_err *err)
{
	*scene = (struct loom_place_scene){.routes = {.rule = (enum loom_rule)s->plan->messages[0].rule}};
	const struct loom_topo *topo = &s->plan->topo;
	int code = loom_topo_links(topo) > 0 ? loom_place_net_make(&scene->net, topo, err)
	                                     : make_stages(&scene->net, topo, err);
	return code ? code : loom_task_graph_make(&scene->graph, s->pattern, err);
}

static int refine(uint32_t *map, struct loom_cycles_search *s, struct loom_err *err)
{
	const struct loom_plan_options options = {
		.most_steps = s->options->most_steps, .stopped = s->options->stopped, .user = s->options->user};
	struct loom_place_scene scene;
	struct loom_place_found found;
	struct loom_budget budget;
	loom_budget_begin(&budget, &options, REFINE_STEPS);
	int code = begin(&scene, s, err);
	if (code == 0)
		code = loom_place_refine(map, &found, &scene, HEAT, &budget, &s->descent.rng, err);
	loom_task_graph_free(&scene.graph);
	loom_place_net_free(&scene.net);
	return code;
}

static void exchange(uint32_t *a, uint32_t *b, uint32_t n)
{
	for (uint32_t v = 0; v < n; v++) {
		const uint32_t node = a[v];
		a[v] = b[v];
		b[v] = node;
	}
}

int loom_cycles_low_loads(bool *is_found, struct loom_cycles_search *s, struct loom_err *err)
{
	struct loom_plan *plan = s->plan;
	const uint32_t n = plan->topo.n_nodes;
	struct loom_err why = {0};
	uint32_t *map = calloc(n, sizeof *map);
	*is_found = false;
	if (!map)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for a map of %u nodes", n);
	memcpy(map, plan->map, n * sizeof *map);
	int code = refine(map, s, &why);
	if (code == 0) {
		exchange(plan->map, map, n);
		loom_plan_settle_rules(plan);
		code = loom_deadlock_check(plan, &why);
		*is_found = code == 0;
		if (code)
			exchange(plan->map, map, n);
		loom_plan_settle_rules(plan);
	}
	free(map);
	return code == 0 || code == LOOM_EINPUT ? 0 : loom_fail(err, code, "%s", why.text);
}
