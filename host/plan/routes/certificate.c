// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes routes to a file that others can check: tools/check_certificate.py describes the format.
#include <flitloom/routes/certificate.h>

#include <inttypes.h>
#include <string.h>

#include <flitloom/routes/failures.h>

#include "base/arrays.h"
#include "base/file.h"
#include "plan/routes/network_file.h"
#include "topo/channel_graph.h"
#include "topo/choice_states.h"

#define LANE_OF_ROUTE UINT32_MAX // each link is on the lane that the route gives

// Routes from any origin, in the order of their passes.
struct source {
	const struct loom_topo *topo;
	uint32_t n_lanes;
	bool is_complete; // one route for each pair of nodes, in one pass
	size_t n_routes;
	// Begins route i. *lane: the lane of all its links, or LANE_OF_ROUTE. Returns its pass.
	uint32_t (*begin)(struct loom_route *out, uint32_t *lane, const void *user, size_t i);
	const void *user;
};

struct certificate {
	const struct source *from;
	uint32_t *node_of;       // owned: the number in the file of each node that takes part
	uint32_t *link_of;       // owned: the number in the file of each channel that is a link
	uint32_t *load, *number; // owned: [channel * n_lanes + lane], of the present pass
	struct loom_channel_graph waits;
	struct loom_arrays arrays; // owns the arrays
};

// A route on which the writer goes forward.
struct walk {
	struct loom_route route;
	uint32_t pass, lane;
};

static void begin(struct walk *w, const struct source *from, size_t i)
{
	w->pass = from->begin(&w->route, &w->lane, from->user, i);
}

// Gives the next link of the route, as channel * n_lanes + lane. Returns false if there is none.
static bool next(struct walk *w, const struct source *from, uint32_t *place)
{
	uint32_t channel;
	while (!w->route.arrived && loom_route_next(&w->route, &channel)) {
		if (loom_topo_is_local(from->topo, channel))
			continue;
		*place = channel * from->n_lanes + (w->lane == LANE_OF_ROUTE ? w->route.vc : w->lane);
		return true;
	}
	return false;
}

// --- A pass ----------------------------------------------------------------------------------------------------------

// Writes a list for each link, with a number for each lane.
static void put_figures(FILE *stream, const struct certificate *c, const char *name, const uint32_t *figure)
{
	const struct loom_topo *t = c->from->topo;
	const uint32_t n_lanes = c->from->n_lanes;
	uint32_t tail, head, n_links = 0;
	(void)fprintf(stream, "\"%s\":[", name);
	for (uint32_t channel = 0; channel < loom_topo_channels(t); channel++) {
		if (!loom_network_link(t, channel, &tail, &head))
			continue;
		for (uint32_t lane = 0; lane < n_lanes; lane++)
			(void)fprintf(stream, "%s%" PRIu32,
			              lane        ? ","
			              : n_links++ ? ",["
			                          : "[",
			              figure[(size_t)channel * n_lanes + lane]);
		(void)fputc(']', stream);
	}
	(void)fputs("],\n", stream);
}

static void put_route(FILE *stream, const struct certificate *c, size_t i)
{
	struct walk w;
	uint32_t place;
	const char *comma = "";
	begin(&w, c->from, i);
	(void)fprintf(stream, "\n[%" PRIu32 ",%" PRIu32 ",", c->node_of[w.route.source],
	              c->node_of[w.route.destination]);
	if (w.lane != LANE_OF_ROUTE) {
		(void)fprintf(stream, "%" PRIu32, w.lane);
	} else {
		for ((void)fputc('[', stream); next(&w, c->from, &place); comma = ",")
			(void)fprintf(stream, "%s%" PRIu32, comma, place % c->from->n_lanes);
		(void)fputc(']', stream);
		begin(&w, c->from, i);
	}
	(void)fputs(",[", stream);
	for (comma = ""; next(&w, c->from, &place); comma = ",")
		(void)fprintf(stream, "%s%" PRIu32, comma, c->link_of[place / c->from->n_lanes]);
	(void)fputs("]]", stream);
}

static bool is_route(const struct source *from, size_t i)
{
	struct walk w;
	uint32_t place;
	begin(&w, from, i);
	return next(&w, from, &place);
}

// Counts the routes first .. end - 1 on their links, and numbers the links. Returns 1 if they have a circle, -1 if
// memory runs out.
static int number_links(struct certificate *c, size_t first, size_t end)
{
	const struct source *from = c->from;
	memset(c->load, 0, (size_t)c->waits.n_channels * sizeof *c->load);
	loom_channel_graph_clear(&c->waits);
	int rc = 0;
	struct walk w;
	uint32_t place;
	for (size_t i = first; i < end; i++)
		for (begin(&w, from, i); next(&w, from, &place);) {
			c->load[place]++;
			(void)loom_channel_graph_count(&c->waits, place);
		}
	for (size_t i = first; rc == 0 && i < end; i++) {
		uint32_t held = LOOM_CHANNEL_NONE;
		for (begin(&w, from, i); rc == 0 && next(&w, from, &place);)
			rc = loom_channel_graph_follow(&c->waits, &held, place, i);
	}
	return rc == 0 ? loom_channel_graph_chains(c->number, &c->waits) : rc;
}

// Returns the end of the pass that begins with route `first`.
static size_t end_of_pass(const struct source *from, size_t first)
{
	struct walk w, other;
	size_t end = first + 1;
	begin(&w, from, first);
	for (; end < from->n_routes; end++) {
		begin(&other, from, end);
		if (other.pass != w.pass)
			break;
	}
	return end;
}

static int put_pass(FILE *stream, struct certificate *c, size_t first, size_t end)
{
	const char *comma = "";
	if (number_links(c, first, end) != 0)
		return -1;
	(void)fputs(first ? ",\n{" : "{", stream);
	put_figures(stream, c, "numbers", c->number);
	put_figures(stream, c, "loads", c->load);
	(void)fputs("\"routes\":[", stream);
	for (size_t i = first; i < end; i++) {
		if (!is_route(c->from, i)) // a message to its own node
			continue;
		(void)fputs(comma, stream);
		put_route(stream, c, i);
		comma = ",";
	}
	(void)fputs("]}", stream);
	return 0;
}

static int put_certificate(FILE *stream, const void *user)
{
	struct certificate *c = *(struct certificate *const *)user;
	const struct source *from = c->from;
	int rc = 0;
	(void)fprintf(stream, "{\"fabric\":\"%s\",\"lanes\":%" PRIu32 ",\"complete\":%s,\n", from->topo->name,
	              from->n_lanes, from->is_complete ? "true" : "false");
	loom_network_put(stream, from->topo, c->node_of);
	(void)fputs("\"passes\":[\n", stream);
	for (size_t first = 0, end; rc == 0 && first < from->n_routes; first = end) {
		end = end_of_pass(from, first);
		rc = put_pass(stream, c, first, end);
	}
	(void)fputs("]}\n", stream);
	return rc;
}

// Looks for a circle in any pass. If there is one, nothing is written.
static int check_passes(struct certificate *c, struct loom_err *err)
{
	const struct source *from = c->from;
	int rc = 0;
	for (size_t first = 0, end; rc == 0 && first < from->n_routes; first = end) {
		end = end_of_pass(from, first);
		rc = number_links(c, first, end);
	}
	if (rc == 1)
		return loom_fail(err, LOOM_EINPUT,
		                 "no certificate: on the %" PRIu32
		                 " lane%s of %s messages on these routes can wait for "
		                 "one another in a circle",
		                 from->n_lanes, from->n_lanes == 1 ? "" : "s", from->topo->name);
	return rc == 0 ? 0
	               : loom_fail(err, LOOM_ENOMEM, "out of memory for a certificate of %zu routes", from->n_routes);
}

static int certify(const struct source *from, const char *path, struct loom_err *err)
{
	const struct loom_topo *t = from->topo;
	const uint32_t n_channels = loom_topo_channels(t);
	const size_t n = (size_t)n_channels * from->n_lanes + 1;
	uint32_t tail, head, n_links = 0, n_nodes = 0;
	if (loom_topo_links(t) == 0)
		return loom_fail(err, LOOM_EINPUT,
		                 "no certificate: %s is no direct network, and its messages cannot lock", t->name);
	struct certificate c = {.from = from};
	LOOM_ARRAY(&c.arrays, c.node_of, (size_t)t->n_nodes + 1);
	LOOM_ARRAY(&c.arrays, c.link_of, (size_t)n_channels + 1);
	LOOM_ARRAY(&c.arrays, c.load, n);
	LOOM_ARRAY(&c.arrays, c.number, n);
	struct certificate *it = &c;
	int rc = loom_channel_graph_init(&c.waits, (uint32_t)(n - 1));
	if (rc != 0 || c.arrays.is_short)
		rc = loom_fail(err, LOOM_ENOMEM, "out of memory for a certificate of %" PRIu32 " channels", n_channels);
	for (uint32_t v = 0; rc == 0 && v < t->n_nodes; v++)
		if (loom_topo_takes_part(t, v))
			c.node_of[v] = n_nodes++;
	for (uint32_t channel = 0; rc == 0 && channel < n_channels; channel++)
		if (loom_network_link(t, channel, &tail, &head))
			c.link_of[channel] = n_links++;
	if (rc == 0)
		rc = check_passes(&c, err);
	if (rc == 0)
		rc = loom_file_write(path, put_certificate, &it, err);
	loom_channel_graph_free(&c.waits);
	loom_arrays_free(&c.arrays);
	return rc;
}

// --- Origins of routes -----------------------------------------------------------------------------------------------

struct pairs {
	const struct loom_pair_routes *routes;
	const struct loom_topo *topo;
};

static uint32_t begin_pair(struct loom_route *out, uint32_t *lane, const void *user, size_t i)
{
	const struct pairs *p = user;
	const struct loom_routes *routes = &p->routes->routes;
	const uint32_t source = (uint32_t)(i / p->routes->n_nodes), destination = (uint32_t)(i % p->routes->n_nodes);
	*lane = p->routes->lane[i];
	*out = (struct loom_route){.topo = p->topo,
	                           .source = source,
	                           .destination = destination,
	                           .at = source,
	                           .arrived = source == destination || routes->first[i] == routes->first[i + 1],
	                           .chosen = routes->channel + routes->first[i],
	                           .chosen_end = routes->channel + routes->first[i + 1]};
	return 0;
}

int loom_pair_routes_certify(const struct loom_pair_routes *routes, const struct loom_topo *topo, const char *path,
                             struct loom_err *err)
{
	const struct pairs user = {routes, topo};
	const struct source from = {.topo = topo,
	                            .n_lanes = routes->n_lanes,
	                            .is_complete = true,
	                            .n_routes = routes->routes.n,
	                            .begin = begin_pair,
	                            .user = &user};
	return certify(&from, path, err);
}

struct routing {
	const struct loom_topo *topo;
	enum loom_rule rule;
};

static uint32_t begin_by_rule(struct loom_route *out, uint32_t *lane, const void *user, size_t i)
{
	const struct routing *r = user;
	const uint32_t source = (uint32_t)(i / r->topo->n_nodes), destination = (uint32_t)(i % r->topo->n_nodes);
	*lane = LANE_OF_ROUTE;
	if (loom_states_is_end(r->topo, source) && loom_states_is_end(r->topo, destination))
		loom_route_begin(out, r->topo, source, destination,
		                 (enum loom_rule)loom_topo_rule(r->topo, source, destination, r->rule));
	else
		*out = (struct loom_route){.topo = r->topo, .arrived = true};
	return 0;
}

int loom_routing_certify(const struct loom_topo *topo, enum loom_rule rule, const char *path, struct loom_err *err)
{
	const struct routing user = {topo, rule};
	const struct source from = {.topo = topo,
	                            .n_lanes = topo->n_vcs,
	                            .is_complete = true,
	                            .n_routes = (size_t)topo->n_nodes * topo->n_nodes,
	                            .begin = begin_by_rule,
	                            .user = &user};
	if (topo->n_nodes > LOOM_PAIR_NODES_MAX)
		return loom_fail(err, LOOM_EINPUT,
		                 "%s has %" PRIu32 " nodes: routes of all pairs are certified for %d at most",
		                 topo->name, topo->n_nodes, LOOM_PAIR_NODES_MAX);
	return certify(&from, path, err);
}

static uint32_t begin_message(struct loom_route *out, uint32_t *lane, const void *user, size_t i)
{
	const struct loom_plan *plan = user;
	*lane = LANE_OF_ROUTE;
	loom_plan_route_begin(out, plan, i);
	return plan->free_running ? 0 : plan->messages[i].pass;
}

int loom_plan_certify(const struct loom_plan *plan, const char *path, struct loom_err *err)
{
	const struct source from = {.topo = &plan->topo,
	                            .n_lanes = plan->topo.n_vcs,
	                            .n_routes = plan->n_messages,
	                            .begin = begin_message,
	                            .user = plan};
	if (loom_plan_is_adaptive(plan))
		return loom_fail(
			err, LOOM_EINPUT,
			"no certificate: by rule %s routers choose the ways of messages; flitloom check --rule has one "
			"of all that they may choose",
			loom_rule_name(plan->messages[0].rule));
	return certify(&from, path, err);
}
