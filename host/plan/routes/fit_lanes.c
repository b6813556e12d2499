// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds routes for links that have too few lanes. A route that fits no lane is put on the last one. Messages in
// dimension order make no circles, except round rings. So one message of a circle after the other is sent in dimension
// order, until no circle is left.
#include <flitloom/routes/virtual_networks.h>

#include <stdlib.h>
#include <string.h>

#include "plan/routes/routes_internal.h"

struct repair {
	const struct loom_topo *topo;
	const struct loom_message *messages;
	enum loom_load_unit kind;
	struct loom_routes *routes;
	struct loom_routes in_order; // the messages' routes in dimension order, of the same lengths
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
	return loom_routes_weight(&r->messages[i], r->kind);
}

static void add_load(struct repair *r, const struct loom_routes *routes, size_t i, uint64_t w)
{
	for (size_t k = routes->first[i]; k < routes->first[i + 1]; k++)
		r->load[routes->channel[k]] += w;
}

// Returns the largest load on the route of message i if it goes in dimension order.
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

// Sends one message of a circle in dimension order. It chooses among those that do not go so yet the one whose new
// links carry least. Returns false if there is none.
static bool break_circle(struct repair *r, const struct loom_lane_circle *circle)
{
	uint64_t least = UINT64_MAX;
	size_t best = SIZE_MAX;
	for (size_t k = 0; k < circle->n; k++) {
		size_t i = circle->at[k].message;
		uint64_t most = is_in_order(r, i) ? UINT64_MAX : most_in_order(r, i);
		if (most < least) {
			least = most;
			best = i;
		}
	}
	if (best == SIZE_MAX)
		return false;
	put_in_order(r, best);
	return true;
}

// Makes a list with the lane of each link of each route; malloc'ed.
static uint32_t *of_links(const struct loom_routes *routes, const uint32_t *lane)
{
	uint32_t *out = malloc((routes->first[routes->n] + 1) * sizeof *out);
	for (size_t i = 0; out && i < routes->n; i++)
		for (size_t k = routes->first[i]; k < routes->first[i + 1]; k++)
			out[k] = lane[i];
	return out;
}

// Breaks circles until there are none (*fits), or until no message can be changed.
static int repair(bool *fits, struct repair *r, const uint32_t *lane, uint32_t n_lanes, struct loom_err *err)
{
	struct loom_lane_circle circle = {0};
	uint32_t *of_link = of_links(r->routes, lane); // a route keeps its length
	int rc = of_link ? 0
	                 : loom_fail(err, LOOM_ENOMEM, "out of memory for lanes of %zu routes on %s", r->routes->n,
	                             r->topo->name);
	*fits = false;
	for (bool goes_on = true; rc == 0 && goes_on;) {
		rc = loom_lane_circle_find(&circle, r->routes, of_link, n_lanes, r->topo, err);
		*fits = rc == 0 && circle.n == 0;
		goes_on = rc == 0 && circle.n != 0 && break_circle(r, &circle);
		loom_lane_circle_free(&circle);
	}
	free(of_link);
	return rc;
}

int loom_routes_fit_lanes(struct loom_routes *routes, uint32_t *lane, uint32_t *n_lanes,
                          const struct loom_lanes_task *task, struct loom_err *err)
{
	const struct loom_topo *topo = task->topo;
	const uint32_t most = task->most;
	struct repair r = {.topo = topo, .messages = task->messages, .kind = task->load, .routes = routes};
	uint32_t needed = 0;
	bool fits = false;
	int rc = loom_routes_give_lanes(lane, &needed, routes, topo, most, err);
	if (rc != 0 || needed <= most) {
		*n_lanes = needed;
		return rc;
	}
	for (size_t i = 0; i < routes->n; i++)
		lane[i] = lane[i] < most ? lane[i] : most - 1;
	rc = loom_routes_in_order(&r.in_order, topo, task->messages, routes->n, LOOM_RULE_ASCENDING, err);
	r.load = rc == 0 ? malloc(loom_topo_channels(topo) * sizeof *r.load) : NULL;
	if (rc == 0 && !r.load)
		rc = loom_fail(err, LOOM_ENOMEM, "out of memory for the loads of %s", topo->name);
	if (rc == 0) {
		loom_routes_loads(r.load, routes, topo, task->messages, task->load);
		rc = repair(&fits, &r, lane, most, err);
	}
	if (rc == 0 && !fits) { // round rings: the last resort is to send all messages in dimension order
		for (size_t i = 0; i < routes->n; i++)
			put_in_order(&r, i);
		rc = loom_routes_give_lanes(lane, &needed, routes, topo, most, err);
	}
	if (rc == 0)
		*n_lanes = fits ? most : needed;
	free(r.load);
	loom_routes_free(&r.in_order);
	return rc;
}
