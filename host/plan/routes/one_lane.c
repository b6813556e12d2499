// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Routes for links that have one lane. Where all messages go in dimension order there is no circle; so one after the other
// is taken off the circles that there are and goes so, until there is none.
#include <flitloom/virtual_networks.h>

#include <stdlib.h>
#include <string.h>

struct repair {
	const struct loom_topo *topo;
	const struct loom_message *messages;
	enum loom_load kind;
	struct loom_routes *routes;
	struct loom_routes in_order; // of the same lengths, link for link
	uint64_t *load;              // of each channel
};

static size_t length(const struct repair *r, size_t i)
{
	return r->routes->first[i + 1] - r->routes->first[i];
}

static bool is_in_order(const struct repair *r, size_t i)
{
	size_t first = r->routes->first[i];
	return memcmp(r->routes->channel + first, r->in_order.channel + first,
	              length(r, i) * sizeof *r->routes->channel) == 0;
}

static uint64_t weight(const struct repair *r, size_t i)
{
	return r->kind == LOOM_LOAD_FLITS ? r->messages[i].flits : 1;
}

static void add_load(struct repair *r, const struct loom_routes *routes, size_t i, uint64_t w)
{
	for (size_t k = routes->first[i]; k < routes->first[i + 1]; k++)
		r->load[routes->channel[k]] += w;
}

// The largest load on its way if message i went in order.
static uint64_t most_in_order(struct repair *r, size_t i)
{
	uint64_t most = 0, w = weight(r, i);
	add_load(r, r->routes, i, -w);
	for (size_t k = r->in_order.first[i]; k < r->in_order.first[i + 1]; k++)
		if (r->load[r->in_order.channel[k]] + w > most)
			most = r->load[r->in_order.channel[k]] + w;
	add_load(r, r->routes, i, w);
	return most;
}

static void put_in_order(struct repair *r, size_t i)
{
	size_t first = r->routes->first[i];
	add_load(r, r->routes, i, -weight(r, i));
	memcpy(r->routes->channel + first, r->in_order.channel + first, length(r, i) * sizeof *r->routes->channel);
	add_load(r, r->routes, i, weight(r, i));
}

// Of a circle's messages that do not go in order yet (there is one), the one that then shares its links with fewest.
static void break_circle(struct repair *r, const struct loom_lane_circle *circle)
{
	uint64_t least = UINT64_MAX;
	size_t best = circle->at[0].message;
	for (size_t k = 0; k < circle->n; k++) {
		size_t i = circle->at[k].message;
		uint64_t most = is_in_order(r, i) ? UINT64_MAX : most_in_order(r, i);
		if (most < least) {
			least = most;
			best = i;
		}
	}
	put_in_order(r, best);
}

int loom_routes_fit_one_lane(struct loom_routes *routes, const struct loom_topo *topo,
                             const struct loom_message *messages, enum loom_load load, struct loom_err *err)
{
	struct repair r = {.topo = topo, .messages = messages, .kind = load, .routes = routes};
	struct loom_lane_circle circle = {0};
	if (topo->kind->wraps)
		return loom_fail(err, LOOM_EINPUT,
		                 "routes on one lane of %s: round its rings even dimension order can lock", topo->name);
	int rc = loom_routes_in_order(&r.in_order, topo, messages, routes->n, LOOM_RULE_ASCENDING, err);
	r.load = rc == 0 ? malloc(loom_topo_channels(topo) * sizeof *r.load) : NULL;
	if (rc == 0 && !r.load)
		rc = loom_fail(err, LOOM_ENOMEM, "out of memory for the loads of %s", topo->name);
	if (rc == 0)
		loom_routes_loads(r.load, routes, topo, messages, load);
	while (rc == 0) {
		rc = loom_lane_circle_find(&circle, routes, NULL, 1, topo, err);
		if (rc != 0 || circle.n == 0)
			break;
		break_circle(&r, &circle);
		loom_lane_circle_free(&circle);
	}
	free(r.load);
	loom_routes_free(&r.in_order);
	return rc;
}
