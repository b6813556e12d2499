// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Searches for a small set of turns whose removal breaks all circles of links. Every node still reaches every other one
// by a tree. The tree's turns, up to the root and down from it, form no circle, and stay allowed.
#include <flitloom/routes/forbidden_turns.h>

#include <stdlib.h>
#include <string.h>

#include <flitloom/routes/failures.h>

#include "base/arrays.h"
#include "base/rng.h"
#include "topo/channel_graph.h"

#define TREES 24         // the number of trees from which a search starts
#define STEPS 20000000u  // the most turns that are tried; a step takes longer on a larger network
#define ROUNDS 20000u    // for each tree: nodes at which turns are chosen again
#define LOOKS 240000000u // examined edges after which no further tree is begun

// A turn from one link to another. `from` and `to` are node * n_links + port at the node where the link begins.
struct turn {
	uint32_t from, to;
	uint32_t node;
	uint8_t in, out; // the port of the incoming link, and the port of the outgoing one
	bool is_fixed;   // a turn of the tree
	bool is_allowed;
};

struct search {
	const struct loom_topo *topo;
	struct loom_rng rng;
	uint32_t n;
	struct turn *turn; // owned, by node
	uint32_t *first;   // owned: the turns at node u are first[u] .. first[u + 1] - 1
	uint32_t *order;   // owned
	bool *was;         // owned: a copy of is_allowed, for one node
	bool *best;        // owned
	uint32_t *parent;  // owned: the port of each node that leads up its tree
	uint32_t *queue;   // owned
	bool *is_reached;  // owned
	struct loom_channel_graph links;
	uint32_t n_forbidden, n_best;
	struct loom_arrays arrays; // owns the arrays
};

static int init(struct search *s, const struct loom_topo *t, const struct loom_turns *turns, struct loom_err *err)
{
	const uint32_t per_tile = loom_topo_channels_per_tile(t), n_links = turns->n_links;
	*s = (struct search){.topo = t};
	LOOM_ARRAY(&s->arrays, s->turn, turns->n_turns + 1);
	LOOM_ARRAY(&s->arrays, s->first, (size_t)t->n_nodes + 1);
	LOOM_ARRAY(&s->arrays, s->order, turns->n_turns + 1);
	LOOM_ARRAY(&s->arrays, s->was, turns->n_turns + 1);
	LOOM_ARRAY(&s->arrays, s->best, turns->n_turns + 1);
	LOOM_ARRAY(&s->arrays, s->parent, t->n_nodes);
	LOOM_ARRAY(&s->arrays, s->queue, t->n_nodes);
	LOOM_ARRAY(&s->arrays, s->is_reached, t->n_nodes);
	if (s->arrays.is_short || loom_channel_graph_init(&s->links, t->n_nodes * n_links) != 0)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for turns of %.120s", t->name);
	for (uint32_t u = 0; u < t->n_nodes; u++) {
		for (unsigned q = 0; q < n_links; q++)
			for (unsigned p = 0; p < n_links; p++) {
				const uint32_t from = turns->from[u * n_links + q];
				uint32_t v;
				unsigned back;
				if (p == q || from == LOOM_TURNS_NONE || !t->kind->link(t, u, p, &v, &back))
					continue;
				s->turn[s->n++] = (struct turn){.from = from / per_tile * n_links + from % per_tile,
				                                .to = u * n_links + p,
				                                .node = u,
				                                .in = (uint8_t)q,
				                                .out = (uint8_t)p};
			}
		s->first[u + 1] = s->n;
	}
	return 0;
}

static void free_search(struct search *s)
{
	loom_arrays_free(&s->arrays);
	loom_channel_graph_free(&s->links);
}

// Puts the turns first .. end - 1 into a random order.
static void shuffle(struct search *s, uint32_t first, uint32_t end)
{
	for (uint32_t i = first; i < end; i++)
		s->order[i] = i;
	loom_rng_shuffle(s->order + first, end - first, &s->rng);
}

// Grows a tree breadth first from a random node, with links in random order. Returns false if it does not reach all
// nodes over links in both directions.
static bool grow_tree(struct search *s)
{
	const struct loom_topo *t = s->topo;
	const unsigned n_links = loom_topo_links(t);
	uint32_t n = 0, n_all = 0, root;
	do
		root = (uint32_t)loom_rng_below(&s->rng, t->n_nodes);
	while (!loom_topo_takes_part(t, root));
	memset(s->is_reached, 0, t->n_nodes * sizeof *s->is_reached);
	s->is_reached[root] = true;
	s->parent[root] = n_links;
	s->queue[n++] = root;
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t u = s->queue[i];
		const unsigned begin = (unsigned)loom_rng_below(&s->rng, n_links);
		for (unsigned k = 0; k < n_links; k++) {
			uint32_t v, back;
			unsigned q, p;
			if (!t->kind->link(t, u, (begin + k) % n_links, &v, &q) || s->is_reached[v] ||
			    !t->kind->link(t, v, q, &back, &p) || back != u)
				continue;
			s->is_reached[v] = true;
			s->parent[v] = q;
			s->queue[n++] = v;
		}
	}
	for (uint32_t u = 0; u < t->n_nodes; u++)
		n_all += loom_topo_takes_part(t, u);
	return n == n_all;
}

// True if the tree needs the turn: up after up, down after up, or down after down.
static bool is_of_tree(const struct search *s, const struct turn *turn)
{
	const unsigned n_links = loom_topo_links(s->topo);
	const uint32_t before = turn->from / n_links;
	uint32_t behind = 0;
	unsigned q;
	(void)s->topo->kind->link(s->topo, turn->node, turn->out, &behind, &q);
	const bool comes_up = s->parent[before] == turn->from % n_links, comes_down = s->parent[turn->node] == turn->in;
	const bool goes_up = s->parent[turn->node] == turn->out, goes_down = s->parent[behind] == q;
	return (comes_up && (goes_up || goes_down)) || (comes_down && goes_down);
}

// Allows a turn and returns 0, unless it closes a circle: then returns 1. Returns -1 if memory runs out.
static int allow(struct search *s, struct turn *turn)
{
	const int rc = loom_channel_graph_put(&s->links, (const uint32_t[]){turn->from, turn->to}, 2);
	turn->is_allowed = rc == 0;
	s->n_forbidden -= rc == 0;
	return rc;
}

static void forbid(struct search *s, struct turn *turn)
{
	loom_channel_graph_take(&s->links, (const uint32_t[]){turn->from, turn->to}, 2);
	turn->is_allowed = false;
	s->n_forbidden++;
}

// Goes through some turns in the given order, and allows those that close no circle. Returns -1 if memory runs out.
static int allow_all(struct search *s, uint32_t first, uint32_t end)
{
	for (uint32_t i = first; i < end; i++) {
		struct turn *turn = &s->turn[s->order[i]];
		if (!turn->is_allowed && allow(s, turn) < 0)
			return -1;
	}
	return 0;
}

// Begins with the turns of a tree, and adds all turns that close no circle with them.
static int begin(struct search *s)
{
	loom_channel_graph_free(&s->links);
	if (loom_channel_graph_init(&s->links, s->topo->n_nodes * loom_topo_links(s->topo)) != 0)
		return -1;
	s->n_forbidden = s->n;
	for (uint32_t i = 0; i < s->n; i++) {
		s->turn[i].is_allowed = false;
		s->turn[i].is_fixed = is_of_tree(s, &s->turn[i]);
		if (s->turn[i].is_fixed && allow(s, &s->turn[i]) < 0)
			return -1;
	}
	shuffle(s, 0, s->n);
	return allow_all(s, 0, s->n);
}

// Chooses the turns at a node again. Restores the old choice if the new one allows fewer turns.
static int choose_again(struct search *s, uint32_t node)
{
	const uint32_t first = s->first[node], end = s->first[node + 1], n_before = s->n_forbidden;
	int rc = 0;
	for (uint32_t i = first; i < end; i++) {
		s->was[i] = s->turn[i].is_allowed;
		if (s->turn[i].is_allowed && !s->turn[i].is_fixed)
			forbid(s, &s->turn[i]);
	}
	shuffle(s, first, end);
	rc = allow_all(s, first, end);
	if (rc != 0 || s->n_forbidden <= n_before)
		return rc;
	for (uint32_t i = first; i < end; i++)
		if (s->turn[i].is_allowed && !s->was[i])
			forbid(s, &s->turn[i]);
	for (uint32_t i = first; rc == 0 && i < end; i++)
		if (s->was[i] && !s->turn[i].is_allowed)
			rc = allow(s, &s->turn[i]);
	return rc;
}

static void keep_best(struct search *s)
{
	if (s->n_forbidden >= s->n_best)
		return;
	s->n_best = s->n_forbidden;
	for (uint32_t i = 0; i < s->n; i++)
		s->best[i] = s->turn[i].is_allowed;
}

// Counts circles of links that have no turn in common, shortest ones first. At least one turn of each must be removed.
static int count_circles(uint64_t *out, struct search *s)
{
	uint32_t *edge = NULL;
	size_t n = 1;
	int rc = 0;
	*out = 0;
	loom_channel_graph_free(&s->links);
	rc = loom_channel_graph_init(&s->links, s->topo->n_nodes * loom_topo_links(s->topo));
	for (uint32_t i = 0; rc == 0 && i < s->n; i++)
		rc = loom_channel_graph_append(&s->links, s->turn[i].from, s->turn[i].to);
	while (rc == 0 && n > 0) {
		rc = loom_channel_graph_circle(&edge, &n, &s->links);
		for (size_t i = 0; rc == 0 && i < n; i++)
			s->links.edge[edge[i]].n_users = 0;
		*out += rc == 0 && n > 0;
		free(edge);
		edge = NULL;
	}
	return rc;
}

int loom_turns_search(struct loom_turns *out, uint64_t *lower_bound, const struct loom_topo *t, uint64_t seed,
                      struct loom_err *err)
{
	struct search s;
	struct loom_turns turns;
	bool has_memory = true, has_tree = true;
	uint64_t n_looks = 0;
	int rc = loom_turns_init(&turns, t, err);
	if (rc != 0)
		return rc;
	rc = init(&s, t, &turns, err);
	s.n_best = s.n + 1;
	loom_rng_init(&s.rng, seed);
	for (uint32_t tree = 0; rc == 0 && has_memory && has_tree && tree < TREES && n_looks <= LOOKS; tree++) {
		has_tree = grow_tree(&s);
		has_memory = !has_tree || begin(&s) == 0;
		for (uint32_t round = 0; has_tree && has_memory && round < ROUNDS && round * (uint64_t)s.n < STEPS;
		     round++)
			has_memory = choose_again(&s, (uint32_t)loom_rng_below(&s.rng, t->n_nodes)) == 0;
		n_looks += s.links.n_looked_at;
		keep_best(&s);
	}
	has_memory = has_memory && (rc != 0 || !has_tree || count_circles(lower_bound, &s) == 0);
	if (rc == 0 && !has_tree)
		rc = loom_fail(err, LOOM_EINPUT,
		               "turns:best on %.120s: the search begins with a tree of links that lead both ways, and "
		               "they do not "
		               "join all nodes",
		               t->name);
	else if (rc == 0 && !has_memory)
		rc = loom_fail(err, LOOM_ENOMEM, "out of memory for turns of %.120s", t->name);
	for (uint32_t i = 0; rc == 0 && i < s.n; i++)
		loom_turns_forbid(&turns, s.turn[i].node, s.turn[i].in, s.turn[i].out, !s.best[i]);
	free_search(&s);
	if (rc == 0)
		*out = turns;
	else
		loom_turns_free(&turns);
	return rc;
}
