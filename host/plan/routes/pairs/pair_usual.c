// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Takes the default routes of messages as a first set, if each keeps to one lane and they cannot lock. So the search
// never returns a worse set.
#include <inttypes.h>
#include <stdlib.h>

#include "base/arrays.h"
#include "plan/routes/pairs/pair_search.h"

struct usual {
	const struct loom_pair_net *net;
	const struct loom_topo *topo;
	uint32_t n_lanes;
	uint32_t *link_of;         // owned, by channel
	bool *is_taken;            // owned: [lane * n_turns + turn]
	uint32_t *before;          // owned: [lane * n_links + link]: the taken turns into it
	uint32_t *queue;           // owned, n_links
	struct loom_arrays arrays; // owns the arrays
};

// Finds the usual way of a pair, in w->link, which has room. Returns false if it changes lanes, or if it needs more
// lanes.
static bool find_way(struct loom_pair_way *w, const struct usual *u, uint32_t from, uint32_t to)
{
	const uint32_t source = loom_pair_node(u->net, from), destination = loom_pair_node(u->net, to);
	const enum loom_rule rule = (enum loom_rule)loom_topo_rule(u->topo, source, destination, LOOM_RULE_ASCENDING);
	struct loom_route route;
	uint32_t channel;
	w->n = 0;
	loom_route_begin(&route, u->topo, source, destination, rule);
	while (loom_route_next(&route, &channel)) {
		if (loom_topo_is_local(u->topo, channel))
			continue;
		if (route.vc >= u->n_lanes || (w->n && route.vc != w->lane))
			return false;
		w->lane = (uint8_t)route.vc;
		w->link[w->n++] = u->link_of[channel];
	}
	return true;
}

static void take_turns(struct usual *u, const struct loom_pair_way *w)
{
	const struct loom_pair_net *net = u->net;
	for (uint32_t k = 1; k < w->n; k++) {
		uint32_t t = net->turn_first[w->link[k - 1]];
		while (net->turn[t] != w->link[k])
			t++;
		bool *taken = &u->is_taken[(size_t)w->lane * net->n_turns + t];
		u->before[(size_t)w->lane * net->n_links + w->link[k]] += !*taken;
		*taken = true;
	}
}

// Gives each link of a lane a place after those of all links from which a way turns into it. Returns false if there is
// a circle.
static bool place_lane(double *place, struct usual *u, uint32_t lane)
{
	const struct loom_pair_net *net = u->net;
	uint32_t *before = u->before + (size_t)lane * net->n_links, n = 0;
	const bool *taken = u->is_taken + (size_t)lane * net->n_turns;
	for (uint32_t a = 0; a < net->n_links; a++)
		if (before[a] == 0)
			u->queue[n++] = a;
	for (uint32_t k = 0; k < n; k++) {
		const uint32_t a = u->queue[k];
		place[(size_t)lane * net->n_links + a] = k;
		for (uint32_t t = net->turn_first[a]; t < net->turn_first[a + 1]; t++)
			if (taken[t] && --before[net->turn[t]] == 0)
				u->queue[n++] = net->turn[t];
	}
	return n == net->n_links;
}

static int take_ways(struct loom_pair_set *set, struct usual *u, uint32_t *load, bool *good, struct loom_err *err)
{
	const uint32_t n = u->net->n_nodes;
	struct loom_pair_way way = {.link = malloc(((size_t)u->net->n_links + 1) * sizeof *way.link)};
	int rc = way.link ? 0 : loom_fail(err, LOOM_ENOMEM, "out of memory for the routes of %" PRIu32 " nodes", n);
	*good = rc == 0;
	for (size_t i = 0; *good && i < (size_t)n * n; i++) {
		if (!loom_pair_is_wanted(u->net, i))
			continue;
		*good = find_way(&way, u, (uint32_t)(i / n), (uint32_t)(i % n));
		if (!*good)
			break;
		take_turns(u, &way);
		rc = loom_pair_way_take(&set->way[i], &way, err);
		*good = rc == 0;
		for (uint32_t k = 0; k < way.n; k++)
			load[way.link[k]]++;
		set->hops += way.n;
	}
	free(way.link);
	return rc;
}

int loom_pair_of_usual(struct loom_pair_set *set, const struct loom_pair_net *net, const struct loom_topo *topo,
                       uint32_t n_lanes, struct loom_err *err)
{
	struct usual u = {.net = net, .topo = topo, .n_lanes = n_lanes};
	LOOM_ARRAY(&u.arrays, u.link_of, (size_t)loom_topo_channels(topo) + 1);
	LOOM_ARRAY(&u.arrays, u.is_taken, (size_t)net->n_turns * n_lanes + 1);
	LOOM_ARRAY(&u.arrays, u.before, (size_t)net->n_links * n_lanes + 1);
	LOOM_ARRAY(&u.arrays, u.queue, (size_t)net->n_links + 1);
	uint32_t *load = calloc((size_t)net->n_links + 1, sizeof *load);
	int rc = !u.arrays.is_short && load
	                 ? 0
	                 : loom_fail(err, LOOM_ENOMEM, "out of memory for the routes of %" PRIu32 " nodes",
	                             net->n_nodes);
	bool good = rc == 0;
	for (uint32_t a = 0; good && a < net->n_links; a++)
		u.link_of[net->channel[a]] = a;
	if (good)
		rc = take_ways(set, &u, load, &good, err);
	for (uint32_t lane = 0; good && lane < n_lanes; lane++)
		good = place_lane(set->place, &u, lane);
	for (uint32_t a = 0; good && a < net->n_links; a++)
		set->largest_load = load[a] > set->largest_load ? load[a] : set->largest_load;
	set->found = good;
	loom_arrays_free(&u.arrays);
	free(load);
	return rc;
}
