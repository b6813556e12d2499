// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes the places of each (link, lane) on the line along which routes have to rise.
#include <stdlib.h>

#include "plan/routes/pairs/pair_rank.h"
#include "plan/routes/pairs/pair_state.h"

#define TREE_USE 1e7 // use of the tree's turns: more than all ways together
#define LITTLE 1e-3  // uses below this value do not count
#define OUTSIDE 8.0  // distance of places outside from all neighbours

// --- A tree ----------------------------------------------------------------------------------------------------------

// Finds for each node a random link towards the root, and the link back. Returns false if some link leads one way only.
static bool find_tree(uint32_t *up, uint32_t *down, struct loom_pair_state *s, uint32_t root)
{
	const struct loom_pair_net *net = s->net;
	for (uint32_t v = 0; v < net->n_nodes; v++) {
		uint32_t n = 0;
		for (uint32_t i = net->out_first[v]; v != root && i < net->out_first[v + 1]; i++) {
			const uint32_t a = net->out[i], u = net->head[a];
			if (loom_pair_hops(net, u, root) + 1 != loom_pair_hops(net, v, root) ||
			    loom_rng_below(&s->rng, ++n) != 0)
				continue;
			up[v] = a;
			down[v] = UINT32_MAX;
			for (uint32_t k = net->out_first[u]; k < net->out_first[u + 1]; k++)
				if (net->head[net->out[k]] == v)
					down[v] = net->out[k];
		}
		if (v != root && down[v] == UINT32_MAX)
			return false;
	}
	return true;
}

// Places a tree: up links below the middle of the line, down links above it.
static void place_tree(struct loom_pair_state *s, const uint32_t *up, const uint32_t *down, uint32_t root)
{
	const double middle = 0.5 * s->net->n_links * s->n_lanes, depth = s->net->longest + 1;
	for (uint32_t v = 0; v < s->net->n_nodes; v++) {
		const double part = loom_pair_hops(s->net, v, root) / depth;
		if (v == root)
			continue;
		s->place[up[v]] = middle * (1 - part);
		s->place[down[v]] = middle * (1 + part);
	}
}

// Lists the turns of the tree's routes: up and on up, up and down, down and on down.
static void list_turns(struct loom_pair_state *s, const uint32_t *kind)
{
	const struct loom_pair_net *net = s->net;
	for (uint32_t t = 0; t < net->n_turns; t++) {
		const uint32_t from = kind[net->turn_from[t]], to = kind[net->turn[t]];
		if (from && to && from <= to) // 1: up, 2: down
			s->tree[s->n_tree++] = t;
	}
}

int loom_pair_plant(struct loom_pair_state *s, uint32_t root, struct loom_err *err)
{
	const size_t n = s->net->n_nodes;
	uint32_t *up = malloc(2 * n * sizeof *up), *kind = calloc((size_t)s->net->n_links + 1, sizeof *kind);
	uint32_t *tree = malloc(((size_t)s->net->n_turns + 1) * sizeof *tree);
	free(s->tree);
	s->tree = tree;
	s->n_tree = 0;
	int rc = up && kind && tree ? 0 : loom_fail(err, LOOM_ENOMEM, "out of memory for routes between %zu nodes", n);
	if (rc == 0 && find_tree(up, up + n, s, root)) {
		place_tree(s, up, up + n, root);
		for (uint32_t v = 0; v < n; v++)
			if (v != root) {
				kind[up[v]] = 1;
				kind[up[n + v]] = 2;
			}
		list_turns(s, kind);
	}
	free(up);
	free(kind);
	loom_pair_walk_resort(s);
	return rc;
}

// --- Uses ------------------------------------------------------------------------------------------------------------

static uint32_t turn_between(const struct loom_pair_net *net, uint32_t a, uint32_t b)
{
	uint32_t t = net->turn_first[a];
	while (net->turn[t] != b)
		t++;
	return t;
}

void loom_pair_count_uses(struct loom_pair_state *s, double keep, const float *weight)
{
	const struct loom_pair_net *net = s->net;
	const size_t n_uses = (size_t)net->n_turns * s->n_lanes, n_pairs = (size_t)net->n_nodes * net->n_nodes;
	for (uint32_t i = 0; i < s->n_tree; i++)
		if (s->use[s->tree[i]] >= TREE_USE)
			s->use[s->tree[i]] -= TREE_USE;
	for (size_t i = 0; i < n_uses; i++)
		s->use[i] *= keep;
	for (size_t i = 0; i < n_pairs; i++) {
		const struct loom_pair_way *way = &s->way[i];
		double *use = s->use + (size_t)way->lane * net->n_turns;
		for (uint32_t k = 1; k < way->n; k++)
			use[turn_between(net, way->link[k - 1], way->link[k])] += (double)weight[i];
	}
	for (uint32_t i = 0; i < s->n_tree; i++)
		s->use[s->tree[i]] += TREE_USE;
}

// --- Sifting ---------------------------------------------------------------------------------------------------------

// A neighbour on the line, and the change of the falling uses if the present link moves past it.
struct neighbour {
	double place, change;
};

static int compare(const void *a, const void *b)
{
	const struct neighbour *x = a, *y = b;
	return x->place < y->place ? -1 : x->place > y->place;
}

// Lists the neighbours of link a. *first: the falling uses if it stands before all of them; *here: those at its present
// place.
static uint32_t list_neighbours(struct neighbour *out, double *first, double *here, const struct loom_pair_state *s,
                                const double *place, const double *use, uint32_t a)
{
	const struct loom_pair_net *net = s->net;
	uint32_t n = 0;
	*first = *here = 0;
	for (uint32_t t = net->turn_first[a]; t < net->turn_first[a + 1]; t++) {
		const double there = place[net->turn[t]];
		if (use[t] <= LITTLE)
			continue;
		out[n++] = (struct neighbour){there, use[t]};
		*here += there < place[a] ? use[t] : 0;
	}
	for (uint32_t i = net->back_first[a]; i < net->back_first[a + 1]; i++) {
		const uint32_t t = net->back[i];
		const double there = place[net->turn_from[t]];
		if (use[t] <= LITTLE)
			continue;
		out[n++] = (struct neighbour){there, -use[t]};
		*first += use[t];
		*here += there > place[a] ? use[t] : 0;
	}
	return n;
}

// Moves link a to a best gap between its neighbours.
static void sift_link(struct loom_pair_state *s, struct neighbour *near, double *place, const double *use, uint32_t a,
                      double wander)
{
	double falls, here;
	const uint32_t n = list_neighbours(near, &falls, &here, s, place, use, a);
	if (n == 0) {
		place[a] = loom_rng_part(&s->rng) * s->net->n_links * s->n_lanes;
		return;
	}
	qsort(near, n, sizeof *near, compare);
	double best = falls;
	uint32_t gap = 0; // before neighbour `gap`
	for (uint32_t k = 0; k < n; k++) {
		falls += near[k].change;
		if (falls < best - 1e-9) {
			best = falls;
			gap = k + 1;
		}
	}
	if (best >= here - 1e-9) {
		if (loom_rng_part(&s->rng) >= wander)
			return;
		for (gap = 0; gap < n && near[gap].place < place[a]; gap++)
			;
	}
	const double low = gap ? near[gap - 1].place : near[0].place - OUTSIDE,
		     high = gap < n ? near[gap].place : near[n - 1].place + OUTSIDE;
	place[a] = low + (high - low) * (0.02 + 0.96 * loom_rng_part(&s->rng));
}

// Replaces places by whole numbers in the same order.
static void number_places(struct loom_pair_state *s, struct loom_pair_ranked *ranked)
{
	const size_t n = (size_t)s->net->n_links * s->n_lanes;
	loom_pair_rank(ranked, s->place, n);
	for (size_t i = 0; i < n; i++)
		s->place[ranked[i].at] = (double)i;
	loom_pair_walk_resort(s);
}

static uint32_t most_neighbours(const struct loom_pair_net *net)
{
	uint32_t most = 0;
	for (uint32_t a = 0; a < net->n_links; a++) {
		const uint32_t n =
			net->turn_first[a + 1] - net->turn_first[a] + net->back_first[a + 1] - net->back_first[a];
		most = n > most ? n : most;
	}
	return most;
}

int loom_pair_sift(struct loom_pair_state *s, unsigned passes, double wander, struct loom_err *err)
{
	const uint32_t n_links = s->net->n_links;
	const size_t n = (size_t)n_links * s->n_lanes;
	struct loom_pair_ranked *ranked = malloc((n + 1) * sizeof *ranked);
	struct neighbour *near = malloc(((size_t)most_neighbours(s->net) + 1) * sizeof *near);
	uint32_t *order = malloc((n + 1) * sizeof *order);
	int rc = ranked && near && order ? 0 : loom_fail(err, LOOM_ENOMEM, "out of memory for %zu places", n);
	for (size_t i = 0; rc == 0 && i < n; i++)
		order[i] = (uint32_t)i;
	for (unsigned pass = 0; rc == 0 && pass < passes; pass++) {
		loom_rng_shuffle(order, n, &s->rng);
		for (size_t i = 0; i < n; i++) {
			const size_t lane = order[i] / n_links;
			sift_link(s, near, s->place + lane * n_links, s->use + lane * s->net->n_turns,
			          (uint32_t)(order[i] % n_links), wander);
		}
		number_places(s, ranked);
	}
	free(ranked);
	free(near);
	free(order);
	return rc;
}
