// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds messages that could wait for one another in a circle.
#include <flitloom/routes/deadlock.h>
#include <flitloom/routes/pair_routes.h>

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "plan/plan_internal.h"
#include "plan/table_fabric.h"
#include "topo/channel_graph.h"
#include "topo/topo_span.h"
#include "topo/turn_sets.h"

// --- What both searches share ----------------------------------------------------------------------------------------

// Returns the number of a virtual channel in the graph, which calls a virtual channel a channel.
static uint32_t lane_of(const struct loom_route *route, uint32_t channel)
{
	return channel * route->topo->n_vcs + route->vc;
}

// Finds a circle of the graph, if there is one; `describe` fills in the message with which an edge was added.
static int find(struct loom_dependency_cycle *out, const struct loom_channel_graph *g, unsigned n_vcs,
                void (*describe)(struct loom_dependency_channel *channel, const void *whole, uint64_t who),
                const void *whole)
{
	uint32_t *edges = NULL;
	size_t n = 0;
	if (loom_channel_graph_circle(&edges, &n, g) != 0)
		return -1;
	struct loom_dependency_cycle circle = {.n_channels = n};
	circle.channel = n ? calloc(n, sizeof *circle.channel) : NULL;
	if (n && !circle.channel) {
		free(edges);
		return -1;
	}
	for (size_t i = 0; i < n; i++) {
		const struct loom_channel_edge *edge = &g->edge[edges[i]];
		describe(&circle.channel[i], whole, edge->who);
		circle.channel[i].channel = edge->from / n_vcs;
		circle.channel[i].vc = edge->from % n_vcs;
	}
	free(edges);
	*out = circle;
	return 0;
}

void loom_dependency_cycle_free(struct loom_dependency_cycle *circle)
{
	if (!circle)
		return;
	free(circle->channel);
	*circle = (struct loom_dependency_cycle){0};
}

// --- A plan ----------------------------------------------------------------------------------------------------------

// The messages that are under way at the same time: first .. end - 1.
struct crowd {
	const struct loom_plan *plan;
	size_t first, end;
};

static bool begin_message(struct loom_route *route, const struct loom_plan *plan, size_t i)
{
	loom_plan_route_begin(route, plan, i);
	return !route->arrived;
}

// On a row of nodes a message waits only for links further on in its direction, so there is no circle. On a ring with
// datelines there is none either, under any rule: see loom_grid_vc.
static bool cannot_lock(const struct loom_topo *t)
{
	bool has_datelines = t->kind->router == LOOM_ROUTER_ORDER && t->n_vcs > 1;
	return loom_topo_has_spans(t) && (!t->kind->wraps || has_datelines);
}

// Counts the messages on each lane between routers. Returns true if a lane has two or more.
static bool count_users(struct loom_channel_graph *g, const struct crowd *crowd)
{
	struct loom_route route;
	uint32_t c;
	bool contended = false;
	for (size_t i = crowd->first; i < crowd->end; i++)
		if (begin_message(&route, crowd->plan, i))
			while (loom_route_next(&route, &c))
				if (!loom_topo_is_local(&crowd->plan->topo, c) &&
				    loom_channel_graph_count(g, lane_of(&route, c)))
					contended = true;
	return contended;
}

static int add_dependencies(struct loom_channel_graph *g, const struct crowd *crowd)
{
	struct loom_route route;
	int rc = 0;
	for (size_t i = crowd->first; rc == 0 && i < crowd->end; i++)
		if (begin_message(&route, crowd->plan, i))
			for (uint32_t held = LOOM_CHANNEL_NONE, c; rc == 0 && loom_route_next(&route, &c);)
				rc = loom_channel_graph_follow(g, &held, lane_of(&route, c), i);
	return rc;
}

static void describe_message(struct loom_dependency_channel *channel, const void *whole, uint64_t who)
{
	const struct loom_plan *plan = whole;
	const struct loom_plan_message *m = &plan->messages[who];
	*channel = (struct loom_dependency_channel){.message = (uint32_t)who,
	                                            .source = plan->map[m->source],
	                                            .destination = plan->map[m->destination],
	                                            .rule = m->rule};
}

int loom_deadlock_find_in_plan(struct loom_dependency_cycle *out, const struct loom_plan *plan, struct loom_err *err)
{
	struct loom_channel_graph g = {0};
	struct loom_dependency_cycle circle = {0};
	uint32_t n_lanes = loom_topo_channels(&plan->topo) * plan->topo.n_vcs;
	// The lanes of routes that are only planned keep these routes apart, so they cannot lock either: see
	// flitloom/routes/virtual_networks.h.
	bool only_planned = plan->n_lanes > 1 && plan->topo.kind->router != LOOM_ROUTER_TABLE;
	// If routers choose, loom_rule_check has shown that their rule is free of deadlock.
	if (cannot_lock(&plan->topo) || only_planned || loom_plan_is_adaptive(plan)) {
		*out = circle;
		return 0;
	}
	struct crowd crowd = {.plan = plan};
	int rc = loom_channel_graph_init(&g, n_lanes);
	for (; rc == 0 && circle.n_channels == 0 && crowd.first < plan->n_messages; crowd.first = crowd.end) {
		uint32_t pass = plan->messages[crowd.first].pass;
		for (crowd.end = crowd.first; crowd.end < plan->n_messages; crowd.end++)
			if (!plan->free_running && plan->messages[crowd.end].pass != pass)
				break;
		loom_channel_graph_clear(&g);
		if (!count_users(&g, &crowd))
			continue;
		rc = add_dependencies(&g, &crowd);
		if (rc == 0)
			rc = find(&circle, &g, plan->topo.n_vcs, describe_message, plan);
		circle.pass = plan->free_running ? 0 : pass;
	}
	loom_channel_graph_free(&g);
	if (rc != 0)
		return loom_fail(err, LOOM_ENOMEM, "out of memory to look for a deadlock among %zu messages on %s",
		                 plan->n_messages, plan->topo.name);
	*out = circle;
	return 0;
}

#ifndef LOOM_NO_DEADLOCK_CHECK
// Lists as many channels of the circle as `out` has room for.
static void list_channels(char *out, size_t size, const struct loom_dependency_cycle *circle,
                          const struct loom_topo *topo)
{
	enum { REST = 16 }; // " and 123456 more"
	size_t used = 0;
	out[0] = '\0';
	for (size_t i = 0; i < circle->n_channels; i++) {
		char name[48], vc[24] = "", item[128];
		loom_topo_channel_name(topo, circle->channel[i].channel, name);
		if (topo->n_vcs > 1)
			(void)snprintf(vc, sizeof vc, " virtual channel %u", circle->channel[i].vc);
		size_t length = (size_t)snprintf(item, sizeof item, "%s%s%s held by message %" PRIu32, i ? ", " : "",
		                                 name, vc, circle->channel[i].message);
		if (i > 0 && used + length + (i + 1 < circle->n_channels ? REST : 0) >= size) {
			(void)snprintf(out + used, size - used, " and %zu more", circle->n_channels - i);
			return;
		}
		used += (size_t)snprintf(out + used, size - used, "%s", item);
	}
}

#define ADVICE (LOOM_TOPO_NAME + 96)

static void advise(char out[ADVICE], const struct loom_plan *plan)
{
	char fabric[LOOM_TOPO_NAME];
	const struct loom_topo *t = &plan->topo;
	struct loom_topo_suffix suffix;
	const int length = (int)loom_topo_suffix_split(&suffix, t->name);
	bool has_lanes =
		(t->kind->wraps && t->kind->router == LOOM_ROUTER_ORDER) || t->kind->router == LOOM_ROUTER_OTIS;
	if (plan->routes.n == 0 && has_lanes && t->n_vcs == 1)
		(void)snprintf(out, ADVICE, // with rules by ends, two lanes are enough for any messages
		               "send them in different passes, as planner greedy does, or use fabric %.*sv2%s", length,
		               t->name, t->name + length);
	else if (plan->routes.n == 0)
		(void)snprintf(out, ADVICE, "send them in different passes, as planner greedy does%s",
		               t->kind->router == LOOM_ROUTER_TABLE && t->n_nodes <= LOOM_PAIR_NODES_MAX
		                       ? ", or use planner all-pairs"
		                       : "");
	else if (loom_plan_table_fabric(fabric, plan))
		(void)snprintf(out, ADVICE, "these routes need %" PRIu32 " lanes of each link, and fabric %s has them",
		               plan->n_lanes, fabric);
	else
		(void)snprintf(out, ADVICE,
		               "these routes would need %" PRIu32
		               " lanes of each link; planner routes+passes needs one",
		               plan->n_lanes);
}
#endif

// Refuses a plan that can deadlock. A test of what happens otherwise (tests/e2e/test_deadlock.py) is built without it.
int loom_deadlock_check(const struct loom_plan *plan, struct loom_err *err)
{
#ifdef LOOM_NO_DEADLOCK_CHECK
	(void)plan;
	(void)err;
	return 0;
#else
	struct loom_dependency_cycle circle;
	char channels[130], where[32] = "the free run", advice[ADVICE];
	int rc = loom_plan_check_waits(plan, err);
	if (rc != 0)
		return rc;
	rc = loom_turn_sets_check(&plan->topo, plan->n_messages ? plan->messages[0].rule : 0, err);
	if (rc == 0)
		rc = loom_deadlock_find_in_plan(&circle, plan, err);
	if (rc != 0 || circle.n_channels == 0)
		return rc;
	if (!plan->free_running)
		(void)snprintf(where, sizeof where, "pass %" PRIu32, circle.pass);
	list_channels(channels, sizeof channels, &circle, &plan->topo);
	loom_dependency_cycle_free(&circle);
	advise(advice, plan);
	return loom_fail(err, LOOM_EINPUT, "%s can lock, each message waiting for the next one's channel: %s; %s",
	                 where, channels, advice);
#endif
}

// --- The routing of a network ----------------------------------------------------------------------------------------

#define RULE_BITS 3 // bits of a rule that follows from a message's ends, or of a lane of a link

// Returns the number that stands for one of the network's messages: source, destination (below 2^29), rule.
static uint64_t pack(uint32_t source, uint32_t destination, unsigned rule)
{
	return (uint64_t)source << 32 | (uint64_t)destination << RULE_BITS | rule;
}

static void describe_pair(struct loom_dependency_channel *channel, const void *whole, uint64_t who)
{
	(void)whole;
	*channel = (struct loom_dependency_channel){.message = UINT32_MAX,
	                                            .source = (uint32_t)(who >> 32),
	                                            .destination = (uint32_t)(who & UINT32_MAX) >> RULE_BITS,
	                                            .rule = who & ((1 << RULE_BITS) - 1)};
}

// Adds all messages to one destination. The next lane of a message depends only on its present lane, its destination
// and its rule. So a walk ends at a lane that has been passed on the way to this destination (`passed`).
static int add_destination(struct loom_channel_graph *g, const struct loom_topo *t, uint32_t destination, unsigned rule,
                           uint32_t *passed)
{
	struct loom_route route;
	int rc = 0;
	for (uint32_t source = 0; rc == 0 && source < loom_topo_hosts(t); source++) {
		if (source == destination && !t->kind->self_uses_network)
			continue;
		bool is_new = true;
		unsigned goes_by = loom_topo_rule(t, source, destination, rule);
		loom_route_begin(&route, t, source, destination, (enum loom_rule)goes_by);
		for (uint32_t held = LOOM_CHANNEL_NONE, c; rc == 0 && is_new && loom_route_next(&route, &c);) {
			if (loom_topo_is_local(t, c))
				continue;
			uint32_t lane = lane_of(&route, c);
			if (held != LOOM_CHANNEL_NONE)
				rc = loom_channel_graph_add(g, held, lane, pack(source, destination, goes_by));
			is_new = passed[lane] != destination;
			passed[lane] = destination;
			held = lane;
		}
	}
	return rc;
}

int loom_deadlock_find_in_routing(struct loom_dependency_cycle *out, const struct loom_topo *topo, unsigned rules,
                                  struct loom_err *err)
{
	struct loom_channel_graph g = {0};
	struct loom_dependency_cycle circle = {0};
	uint32_t n_lanes = loom_topo_channels(topo) * topo->n_vcs;
	if (topo->n_nodes > LOOM_DEADLOCK_NODES_MAX)
		return loom_fail(err, LOOM_EINPUT,
		                 "%s has %" PRIu32 " nodes; all routes of a network are searched up to %d nodes",
		                 topo->name, topo->n_nodes, LOOM_DEADLOCK_NODES_MAX);
	uint32_t *passed = malloc(n_lanes * sizeof *passed);
	int rc = passed && loom_channel_graph_init(&g, n_lanes) == 0 ? 0 : -1;
	for (unsigned rule = 0; rule < loom_topo_rules_count(topo); rule++) {
		if (rc == 0)
			memset(passed, 0xff, n_lanes * sizeof *passed); // a value that is no destination
		for (uint32_t d = 0; rc == 0 && rules >> rule & 1 && d < loom_topo_hosts(topo); d++)
			rc = add_destination(&g, topo, d, rule, passed);
	}
	if (rc == 0)
		rc = find(&circle, &g, topo->n_vcs, describe_pair, NULL);
	free(passed);
	loom_channel_graph_free(&g);
	if (rc != 0)
		return loom_fail(err, LOOM_ENOMEM, "out of memory to look for a deadlock on %s", topo->name);
	*out = circle;
	return 0;
}
