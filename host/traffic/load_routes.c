// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Lets a planner choose ways for traffic: gives the planner one message for each pair of nodes with traffic.
#include "traffic/load_routes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/planner.h>
#include <flitloom/routes/choice.h>
#include <flitloom/routes/via.h>

#include "base/numbers.h"
#include "plan/plan_tables.h"
#include "traffic/shares.h"

#define FLITS_MOST 10000 // flits of the message of the pair with the most traffic

// A pair, and the traffic between its nodes at load 1.
struct weighed {
	uint32_t source, destination;
	double rate;
};

static int order(const void *a, const void *b)
{
	const struct weighed *x = a, *y = b;
	const int by = loom_order(x->source, y->source);
	return by ? by : loom_order(x->destination, y->destination);
}

// Merges the shares of each pair. Returns the number of pairs.
static size_t join(struct weighed *list, size_t n)
{
	size_t n_pairs = 0;
	qsort(list, n, sizeof *list, order);
	for (size_t i = 0; i < n; i++)
		if (n_pairs > 0 && order(&list[n_pairs - 1], &list[i]) == 0)
			list[n_pairs - 1].rate += list[i].rate;
		else
			list[n_pairs++] = list[i];
	return n_pairs;
}

// Makes the messages to be planned. If all pairs have the same traffic, each message has one flit.
static int make_messages(struct loom_message **out, size_t *n_out, const struct loom_traffic *t, const uint32_t *map,
                         struct loom_err *err)
{
	const size_t n_shares = loom_shares_count(t);
	struct weighed *list = malloc((n_shares + 1) * sizeof *list);
	struct loom_message *messages = malloc((n_shares + 1) * sizeof *messages);
	struct loom_shares shares;
	struct loom_share share;
	size_t n = 0;
	double least = INFINITY, most = 0;
	if (!list || !messages) {
		free(list);
		free(messages);
		return loom_fail(err, LOOM_ENOMEM, "no memory for the ways of %zu pairs", n_shares);
	}
	for (uint32_t v = 0; v < t->n_nodes; v++)
		for (loom_shares_begin(&shares, t, v); loom_shares_next(&shares, &share);)
			list[n++] = (struct weighed){map[v], map[share.destination], share.rate};
	n = join(list, n);
	for (size_t i = 0; i < n; i++) {
		least = fmin(least, list[i].rate);
		most = fmax(most, list[i].rate);
	}
	const bool are_alike = least >= most * (1 - 1e-9);
	for (size_t i = 0; i < n; i++) {
		const double flits = are_alike ? 1 : ceil(list[i].rate / most * FLITS_MOST);
		messages[i] = (struct loom_message){.source = list[i].source,
		                                    .destination = list[i].destination,
		                                    .flits = flits > 1 ? (uint32_t)flits : 1};
	}
	free(list);
	*out = messages;
	*n_out = n;
	return 0;
}

static const struct loom_planner *named(const struct loom_plan_options *o, const char *name)
{
	for (size_t i = 0; o->planners && o->planners[i]; i++)
		if (strcmp(o->planners[i]->name, name) == 0)
			return o->planners[i];
	return loom_planner_named(name);
}

// Reports why a planner cannot be used, and which planners can.
static int refuse(const char *name, const struct loom_planner *planner, const struct loom_pattern *pattern,
                  const struct loom_topo *topo, struct loom_err *err)
{
	const struct loom_planner *other;
	char others[256] = "";
	size_t used = 0;
	for (size_t i = 0; (other = loom_planner_at(i)) && used < sizeof others; i++)
		if (other->takes & LOOM_TAKES_TRAFFIC && other->accepts(topo, pattern))
			used += (size_t)snprintf(others + used, sizeof others - used, "%s%s", used ? ", " : "",
			                         other->name);
	return loom_fail(err, LOOM_EINPUT, "planner %.40s %s; planners on %s that give each message a way: %s", name,
	                 planner && planner->takes & LOOM_TAKES_TRAFFIC
	                         ? "is not for this fabric"
	                         : "plans passes, places or orders, and traffic at random times has none of these",
	                 topo->name, others);
}

// Removes the advice on passes from a refusal, because traffic at random times has no passes.
static void leave_out_passes(struct loom_err *err)
{
	static const char passes[] = "send them in different passes, as planner greedy does, or ";
	char *at = strstr(err->text, passes);
	if (at)
		memmove(at, at + strlen(passes), strlen(at + strlen(passes)) + 1);
}

// Makes a plan, and checks that the planner did what it promises.
static int plan(struct loom_plan *out, const struct loom_pattern *pattern, const struct loom_topo *topo,
                const struct loom_plan_options *options, struct loom_err *err)
{
	struct loom_plan_options here = *options;
	const char *name = options->tables && !options->planner ? "tables" : options->planner;
	const struct loom_planner *planner = name ? named(options, name) : NULL;
	here.map = "identity";
	if (!name)
		return loom_fail(err, LOOM_EINPUT, "no planner for the ways of %.60s; such as direct", pattern->name);
	if (strcmp(name, "best") == 0 ||
	    (planner && (!(planner->takes & LOOM_TAKES_TRAFFIC) || !planner->accepts(topo, pattern))))
		return refuse(name, planner, pattern, topo, err);
	const unsigned rule = options->rule ? loom_rule_by_name(options->rule) : LOOM_RULES_NAMED;
	if (loom_rule_has_via(rule))
		return loom_fail(err, LOOM_EINPUT,
		                 "planner %.40s chooses ways, and rule %s draws them: without a planner messages go by "
		                 "rule, and a map goes with it",
		                 name, options->rule);
	if (loom_rule_is_adaptive(rule))
		return loom_fail(
			err, LOOM_EINPUT,
			"planner %.40s chooses ways, and rule %s leaves them to the routers: without a planner "
			"messages go by rule, and a map goes with it",
			name, options->rule);
	if (planner && options->rule && !(planner->takes & LOOM_TAKES_RULES))
		return loom_fail(err, LOOM_EINPUT,
		                 "planner %.40s settles by which rule messages go; planner direct takes a given one",
		                 name);
	int rc = loom_plan_make(out, topo, pattern, &here, err);
	if (rc != 0 && err)
		leave_out_passes(err);
	bool is_one = rc == 0 && out->n_passes == 1 && out->n_messages == pattern->n_messages;
	for (uint32_t v = 0; is_one && v < topo->n_nodes; v++)
		is_one = out->map[v] == v;
	if (rc == 0 && !is_one) {
		loom_plan_free(out);
		rc = loom_fail(err, LOOM_EINPUT, "planner %.40s did not give each message one way on the map given",
		               name);
	}
	return rc;
}

static int by_destination(const void *a, const void *b)
{
	const struct loom_load_pair *x = a, *y = b;
	return loom_order(x->destination, y->destination);
}

static int index_pairs(struct loom_load_routes *r, struct loom_err *err)
{
	const uint32_t n_nodes = r->plan.topo.n_nodes;
	const size_t n = r->plan.n_messages;
	r->first = calloc((size_t)n_nodes + 1, sizeof *r->first);
	r->pair = malloc((n + 1) * sizeof *r->pair);
	if (!r->first || !r->pair)
		return loom_fail(err, LOOM_ENOMEM, "no memory for the ways of %zu pairs", n);
	for (size_t i = 0; i < n; i++)
		r->first[r->plan.messages[i].source]++;
	for (size_t u = 0, end = 0; u <= n_nodes; u++) // the end of each; it moves to the beginning as pairs are added
		r->first[u] = end += r->first[u];
	for (size_t i = n; i-- > 0;)
		r->pair[--r->first[r->plan.messages[i].source]] =
			(struct loom_load_pair){r->plan.messages[i].destination, (uint32_t)i};
	for (uint32_t u = 0; u < n_nodes; u++)
		qsort(r->pair + r->first[u], r->first[u + 1] - r->first[u], sizeof *r->pair, by_destination);
	return 0;
}

size_t loom_load_routes_find(const struct loom_load_routes *r, uint32_t source, uint32_t destination)
{
	size_t low = r->first[source], high = r->first[source + 1];
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		if (r->pair[middle].destination < destination)
			low = middle + 1;
		else
			high = middle;
	}
	return low < r->first[source + 1] && r->pair[low].destination == destination ? r->pair[low].message
	                                                                             : LOOM_LOAD_ROUTES_NONE;
}

int loom_load_routes_plan(struct loom_load_routes **out, const struct loom_traffic *traffic,
                          const struct loom_topo *topo, const uint32_t *map, const struct loom_plan_options *options,
                          struct loom_err *err)
{
	struct loom_load_routes *r = NULL;
	struct loom_pattern pattern = {0};
	struct loom_message *messages = NULL;
	size_t n = 0;
	if (!loom_shares_are_few(traffic))
		return loom_fail(
			err, LOOM_EINPUT,
			"%.60s on %s: a planner chooses a way for each pair of nodes, which it can do for all pairs "
			"of up to %d nodes; without a planner messages go by rule",
			traffic->name, topo->name, LOOM_TRAFFIC_PAIRS_NODES);
	int rc = make_messages(&messages, &n, traffic, map, err);
	if (rc == 0)
		rc = loom_pattern_from_messages(&pattern, traffic->name, topo->n_nodes, messages, n, err);
	free(messages);
	if (rc == 0 && !(r = calloc(1, sizeof *r)))
		rc = loom_fail(err, LOOM_ENOMEM, "no memory for the ways of %zu pairs", n);
	if (rc == 0)
		rc = plan(&r->plan, &pattern, topo, options, err);
	if (rc == 0)
		rc = loom_plan_tables_check(&r->plan, err);
	if (rc == 0 && r->plan.routes.n)
		rc = loom_plan_tables_make(&r->tables, &r->plan, &r->plan.routes, err);
	if (rc == 0)
		rc = index_pairs(r, err);
	loom_pattern_free(&pattern);
	if (rc == 0)
		*out = r;
	else
		loom_load_routes_free(r);
	return rc;
}

void loom_load_routes_free(struct loom_load_routes *r)
{
	if (!r)
		return;
	loom_plan_free(&r->plan);
	loom_route_tables_free(&r->tables);
	free(r->first);
	free(r->pair);
	free(r);
}

const struct loom_plan *loom_load_routes_plan_of(const struct loom_load_routes *r)
{
	return &r->plan;
}
