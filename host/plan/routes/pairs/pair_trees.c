// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Routes by destination: for each destination and lane a tree, so that the next link follows from the node, the destination and the lane
// alone. The places of the links are given, and along each way of a tree they rise. The links are visited from the
// last place to the first, and each node takes the first link that goes on. Its place is then as late as possible,
// so every node with an allowed rising way joins the tree. Then nodes spread their pairs over their links, and then
// loads are evened out: a source on a link above the goal moves to another tree, or the node takes another link.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "plan/routes/pairs/pair_hunt.h"
#include "plan/routes/pairs/pair_rank.h"
#include "plan/routes/pairs/pair_trees.h"

#define NONE UINT32_MAX
#define NO_LANE UINT8_MAX
#define HOP_PRICE 0.3 // for a link of a route
#define TOLL 0.3      // for a link, each time that it carries a pair above the goal
#define SPREADS 4u    // times that the pairs to a destination spread, before the goal is below the largest load
#define TIMES 300u
#define TIMES_LARGE 60u // for more than LARGE nodes
#define LARGE 128u

struct trees {
	const struct loom_pair_net *net;
	const double *place; // [lane * n_links + link]
	uint32_t n_lanes;
	uint32_t *next;  // owned: [(lane * n_nodes + destination) * n_nodes + node]: its link, or NONE
	uint8_t *lane;   // owned: [destination * n_nodes + source]
	uint32_t *load;  // owned, of each link
	double *toll;    // owned, of each link
	uint32_t *order; // owned: [lane * n_links + i]: links from the last place to the first
	uint32_t *unit;  // owned: nodes of trees that have to choose
	uint32_t goal;
	struct loom_rng rng;
	struct loom_arrays arrays; // owns the arrays
};

static uint32_t *tree_of(const struct trees *t, uint32_t lane, uint32_t destination)
{
	return t->next + ((size_t)lane * t->net->n_nodes + destination) * t->net->n_nodes;
}

// --- Trees -----------------------------------------------------------------------------------------------------------

// Lets nodes that are in no tree yet take links, in the order of the links. only_shortest: only links that lead one hop
// nearer.
static void grow(struct trees *t, uint32_t lane, uint32_t destination, bool only_shortest)
{
	const struct loom_pair_net *net = t->net;
	const double *place = t->place + (size_t)lane * net->n_links;
	uint32_t *next = tree_of(t, lane, destination);
	for (uint32_t i = 0; i < net->n_links; i++) {
		const uint32_t a = t->order[(size_t)lane * net->n_links + i], u = net->tail[a], v = net->head[a];
		if (u == destination || next[u] != NONE ||
		    (v != destination && (next[v] == NONE || place[next[v]] <= place[a])) ||
		    (only_shortest && loom_pair_hops(net, u, destination) != loom_pair_hops(net, v, destination) + 1))
			continue;
		next[u] = a;
	}
}

static uint32_t hops_along(const struct trees *t, uint32_t lane, uint32_t destination, uint32_t u)
{
	const uint32_t *next = tree_of(t, lane, destination);
	uint32_t n = 0;
	for (; u != destination; u = t->net->head[next[u]])
		n++;
	return n;
}

static void shift(struct trees *t, uint32_t lane, uint32_t destination, uint32_t u, uint32_t by)
{
	const uint32_t *next = tree_of(t, lane, destination);
	for (; u != destination; u = t->net->head[next[u]])
		t->load[next[u]] += by;
}

// Gives each source the lane with its shortest way, a random one of equal lanes. Returns true if all sources have a
// lane.
static bool take_lanes(struct trees *t, uint32_t destination)
{
	const uint32_t n = t->net->n_nodes;
	bool all = true;
	for (uint32_t s = 0; s < t->net->n_hosts; s++) {
		uint32_t least = NONE, n_least = 0;
		uint8_t *lane = &t->lane[(size_t)destination * n + s];
		*lane = NO_LANE;
		for (uint32_t l = 0; s != destination && l < t->n_lanes; l++) {
			if (tree_of(t, l, destination)[s] == NONE)
				continue;
			const uint32_t hops = hops_along(t, l, destination, s);
			n_least = hops < least ? 0 : n_least;
			least = hops < least ? hops : least;
			if (hops == least && loom_rng_below(&t->rng, ++n_least) == 0)
				*lane = (uint8_t)l;
		}
		all = all && (s == destination || *lane != NO_LANE);
	}
	return all;
}

// Makes trees of shortest ways, and adds longer ways for sources that have none. If that fails, makes trees of ways of
// any length.
static bool grow_all(struct trees *t, uint32_t destination)
{
	const size_t bytes = t->net->n_nodes * sizeof *t->next;
	bool all = false;
	for (unsigned attempt = 0; !all && attempt < 3; attempt++) {
		for (uint32_t lane = 0; lane < t->n_lanes; lane++) {
			if (attempt != 1)
				memset(tree_of(t, lane, destination), 0xff, bytes);
			grow(t, lane, destination, attempt == 0);
		}
		all = take_lanes(t, destination);
	}
	for (uint32_t s = 0; all && s < t->net->n_hosts; s++)
		if (s != destination)
			shift(t, t->lane[(size_t)destination * t->net->n_nodes + s], destination, s, 1);
	return all;
}

// --- Loads -----------------------------------------------------------------------------------------------------------

// Returns the price of a link's load.
static double price_of(const struct trees *t, uint32_t link, uint32_t load)
{
	const double over = load > t->goal ? load - t->goal : 0;
	return (HOP_PRICE + t->toll[link]) * load + over * (over + 1) / 2;
}

// Returns the price of n more pairs on the way from u, which begins with link `first`.
static double price_along(const struct trees *t, const uint32_t *next, uint32_t destination, uint32_t first, uint32_t n)
{
	double sum = 0;
	for (uint32_t a = first;; a = next[t->net->head[a]]) {
		sum += price_of(t, a, t->load[a] + n) - price_of(t, a, t->load[a]);
		if (t->net->head[a] == destination)
			return sum;
	}
}

// Counts the sources whose way on the lane passes u. *some: a random one of them.
static uint32_t count_behind(struct trees *t, uint32_t lane, uint32_t destination, uint32_t u, uint32_t *some)
{
	const uint32_t *next = tree_of(t, lane, destination);
	uint32_t n = 0;
	for (uint32_t s = 0; s < t->net->n_hosts; s++) {
		if (t->lane[(size_t)destination * t->net->n_nodes + s] != lane)
			continue;
		uint32_t at = s;
		while (at != destination && at != u)
			at = t->net->head[next[at]];
		if (at == u && loom_rng_below(&t->rng, ++n) == 0)
			*some = s;
	}
	return n;
}

// Adds n pairs to the links from u on, or removes them.
static void put(struct trees *t, uint32_t lane, uint32_t destination, uint32_t u, uint32_t n, bool off)
{
	shift(t, lane, destination, u, off ? 0 - n : n);
}

// Gives a node of a tree the cheapest link with which its way, and the ways through it, still rise.
static void choose_link(struct trees *t, uint32_t lane, uint32_t destination, uint32_t u, uint32_t n)
{
	const struct loom_pair_net *net = t->net;
	const double *place = t->place + (size_t)lane * net->n_links;
	uint32_t *next = tree_of(t, lane, destination);
	double latest = -1, best;
	for (uint32_t i = net->in_first[u]; i < net->in_first[u + 1]; i++)
		if (next[net->tail[net->in[i]]] == net->in[i] && place[net->in[i]] > latest)
			latest = place[net->in[i]];
	put(t, lane, destination, u, n, true);
	best = price_along(t, next, destination, next[u], n);
	for (uint32_t i = net->out_first[u]; i < net->out_first[u + 1]; i++) {
		const uint32_t a = net->out[i], v = net->head[a];
		if (a == next[u] || place[a] <= latest ||
		    (v != destination && (next[v] == NONE || place[next[v]] <= place[a])))
			continue;
		const double there = price_along(t, next, destination, a, n);
		if (there <= best) {
			best = there;
			next[u] = a;
		}
	}
	put(t, lane, destination, u, n, false);
}

// Moves a source to the lane whose tree is cheapest for it.
static void choose_lane(struct trees *t, uint32_t destination, uint32_t s)
{
	uint8_t *lane = &t->lane[(size_t)destination * t->net->n_nodes + s];
	const uint8_t before = *lane;
	put(t, before, destination, s, 1, true);
	double best =
		price_along(t, tree_of(t, before, destination), destination, tree_of(t, before, destination)[s], 1);
	for (uint32_t l = 0; l < t->n_lanes; l++) {
		const uint32_t *next = tree_of(t, l, destination);
		if (l == before || next[s] == NONE)
			continue;
		const double there = price_along(t, next, destination, next[s], 1);
		if (there <= best) {
			best = there;
			*lane = (uint8_t)l;
		}
	}
	put(t, *lane, destination, s, 1, false);
}

// Lets the nodes of the trees to a destination, one after the other in random order, take the links on which their
// pairs raise the loads least: without a goal the price of a load grows with its square. So nodes from which many
// links are equally near, as in a fat tree, use all of them.
static void spread(struct trees *t, uint32_t destination)
{
	const uint32_t n_nodes = t->net->n_nodes;
	uint32_t unused;
	for (uint32_t i = 0; i < n_nodes; i++)
		t->unit[i] = i;
	loom_rng_shuffle(t->unit, n_nodes, &t->rng);
	t->goal = 0;
	for (uint32_t i = 0; i < n_nodes; i++) {
		const uint32_t u = t->unit[i];
		if (u < t->net->n_hosts && u != destination)
			choose_lane(t, destination, u);
		for (uint32_t lane = 0; lane < t->n_lanes; lane++) {
			const uint32_t n = tree_of(t, lane, destination)[u] == NONE
			                           ? 0
			                           : count_behind(t, lane, destination, u, &unused);
			if (n > 0)
				choose_link(t, lane, destination, u, n);
		}
	}
}

static uint32_t largest_load(const struct trees *t)
{
	uint32_t most = 0;
	for (uint32_t a = 0; a < t->net->n_links; a++)
		most = t->load[a] > most ? t->load[a] : most;
	return most;
}

// Visits in random order all trees that use a link above the goal. A source behind that link may change its lane, and a
// node on its way may change its link.
static void choose_above(struct trees *t)
{
	const struct loom_pair_net *net = t->net;
	const uint32_t n_nodes = net->n_nodes;
	size_t n = 0;
	for (uint32_t i = 0; i < t->n_lanes * n_nodes; i++)
		if (i % n_nodes < net->n_hosts)
			t->unit[n++] = i;
	loom_rng_shuffle(t->unit, n, &t->rng);
	for (size_t k = 0; k < n; k++) {
		const uint32_t lane = t->unit[k] / n_nodes, destination = t->unit[k] % n_nodes;
		const uint32_t *next = tree_of(t, lane, destination);
		for (uint32_t u = 0; u < n_nodes; u++) {
			uint32_t some = NONE;
			if (next[u] == NONE || t->load[next[u]] <= t->goal ||
			    count_behind(t, lane, destination, u, &some) == 0)
				continue;
			choose_lane(t, destination, some);
			uint32_t at = u, unused; // the node, or another one before it on the way of that source
			if (t->lane[(size_t)destination * n_nodes + some] == lane && loom_rng_below(&t->rng, 2))
				at = some;
			const uint32_t behind = count_behind(t, lane, destination, at, &unused);
			if (behind)
				choose_link(t, lane, destination, at, behind);
		}
	}
}

// --- The whole -------------------------------------------------------------------------------------------------------

static uint64_t hops_of(const struct trees *t)
{
	uint64_t hops = 0;
	for (uint32_t a = 0; a < t->net->n_links; a++)
		hops += t->load[a];
	return hops;
}

static int keep(struct loom_pair_set *out, const struct trees *t, struct loom_err *err)
{
	const struct loom_pair_net *net = t->net;
	struct loom_pair_way way = {.link = malloc(((size_t)net->n_nodes + 1) * sizeof *way.link)};
	int rc = way.link ? 0 : loom_fail(err, LOOM_ENOMEM, "out of memory for a route");
	for (size_t i = 0; rc == 0 && i < (size_t)net->n_nodes * net->n_nodes; i++) {
		const uint32_t destination = (uint32_t)(i % net->n_nodes);
		if (!loom_pair_is_wanted(net, i))
			continue;
		way.lane = t->lane[(size_t)destination * net->n_nodes + i / net->n_nodes];
		way.n = 0;
		const uint32_t *next = tree_of(t, way.lane, destination);
		for (uint32_t u = (uint32_t)(i / net->n_nodes); u != destination; u = net->head[next[u]])
			way.link[way.n++] = next[u];
		rc = loom_pair_way_take(&out->way[i], &way, err);
	}
	free(way.link);
	memmove(out->place, t->place, (size_t)net->n_links * t->n_lanes * sizeof *out->place);
	out->found = rc == 0;
	out->largest_load = largest_load(t);
	out->hops = hops_of(t);
	return rc;
}

static int make(struct trees *out, const struct loom_pair_net *net, const double *place, uint32_t n_lanes,
                uint64_t seed, struct loom_err *err)
{
	const size_t n = net->n_nodes, n_links = net->n_links;
	struct trees t = {.net = net, .place = place, .n_lanes = n_lanes};
	LOOM_ARRAY(&t.arrays, t.next, n_lanes * n * n + 1);
	LOOM_ARRAY(&t.arrays, t.lane, n * n + 1);
	LOOM_ARRAY(&t.arrays, t.load, n_links + 1);
	LOOM_ARRAY(&t.arrays, t.toll, n_links + 1);
	LOOM_ARRAY(&t.arrays, t.order, n_links * n_lanes + 1);
	LOOM_ARRAY(&t.arrays, t.unit, n_lanes * n + 1);
	struct loom_pair_ranked *ranked = malloc((n_links + 1) * sizeof *ranked);
	*out = t;
	loom_rng_init(&out->rng, seed);
	if (t.arrays.is_short || !ranked) {
		free(ranked);
		return loom_fail(err, LOOM_ENOMEM, "out of memory for trees of %zu nodes", n);
	}
	memset(t.lane, NO_LANE, n * n);
	memset(t.next, 0xff, n_lanes * n * n * sizeof *t.next);
	for (uint32_t lane = 0; lane < n_lanes; lane++) {
		loom_pair_rank(ranked, place + lane * n_links, n_links);
		for (size_t i = 0; i < n_links; i++)
			t.order[lane * n_links + i] = ranked[n_links - 1 - i].at;
	}
	free(ranked);
	return 0;
}

int loom_pair_of_trees(struct loom_pair_set *set, const struct loom_pair_net *net, const double *place,
                       const struct loom_pair_options *options, uint32_t bound, struct loom_err *err)
{
	struct trees t;
	int rc = make(&t, net, place, options->n_lanes, options->seed, err);
	bool all = rc == 0;
	for (uint32_t d = 0; all && d < net->n_hosts; d++)
		if ((all = grow_all(&t, d)))
			spread(&t, d);
	for (unsigned time = 1; all && time < SPREADS; time++)
		for (uint32_t d = 0; d < net->n_hosts; d++)
			spread(&t, d);
	if (all && (!set->found || largest_load(&t) < set->largest_load))
		rc = keep(set, &t, err);
	const uint32_t times = net->n_nodes > LARGE ? TIMES_LARGE : TIMES;
	for (uint32_t time = 0; all && rc == 0 && time < times && set->largest_load > bound; time++) {
		t.goal = set->largest_load - 1;
		if (options->stopped && options->stopped(options->user))
			break;
		choose_above(&t);
		for (uint32_t a = 0; a < net->n_links; a++)
			t.toll[a] += t.load[a] > t.goal ? TOLL * (t.load[a] - t.goal) : 0;
		if (largest_load(&t) < set->largest_load)
			rc = keep(set, &t, err);
	}
	loom_arrays_free(&t.arrays);
	return rc;
}
