// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds places by annealing. The links of each lane stand in an order, and one link at a time moves to another place in
// it. The aim is that as many pairs as possible have a shortest way that rises on some lane. One pass over all links in
// their order finds these pairs: at each link, the sources that have reached its tail also reach its head, if the head
// is a link further from them. A set of sources is a row of bits. On sparse networks a few pairs are left without any
// rising way. If all pairs need one, a second set counts ways of any length.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan/routes/pairs/pair_state.h"

#define HOT 3.0  // of the first move: a loss of HOT pairs is accepted with probability 1/e
#define COLD 0.1 // of the last move
#define MOVES_OF_LINK 8000.0
#define WORTH 4u       // of a pair that has any way, if such ways count
#define WORTH_LAST 64u // the same in the last quarter of the moves
#define WORK 5e8       // of all moves: links times words of a set
#define WORK_ALL 3e9   // the same if all pairs need a way

struct anneal {
	const struct loom_pair_net *net;
	struct loom_rng *rng;
	uint32_t n_lanes, n_words;
	unsigned n_sets;   // 2 if ways that are not shortest count, too
	uint32_t worth;    // of a pair that has any way
	uint32_t *order;   // owned: [lane * n_links + i]
	uint64_t *farther; // owned: [link * n_words]: the sources from which its head is a link farther than its tail
	// Owned: [((lane * n_sets + set) * n_nodes + node) * n_words]: the sources with a rising shortest way; those
	// with any rising way; at the end room to save a lane.
	uint64_t *has_come;
};

// *come: the sources with a way that rises on this lane: a shortest way or, if `is_any`, a way of any length.
static void look_at(uint64_t *come, const struct anneal *a, uint32_t lane, bool is_any)
{
	const struct loom_pair_net *net = a->net;
	const size_t n_words = a->n_words;
	const uint32_t *order = a->order + (size_t)lane * net->n_links;
	memset(come, 0, net->n_nodes * n_words * sizeof *come);
	for (uint32_t v = 0; v < net->n_hosts; v++)
		come[v * n_words + v / 64] = (uint64_t)1 << v % 64;
	for (uint32_t i = 0; i < net->n_links; i++) {
		uint64_t *there = come + net->head[order[i]] * n_words;
		const uint64_t *here = come + net->tail[order[i]] * n_words, *farther = a->farther + order[i] * n_words;
		for (size_t w = 0; w < n_words; w++)
			there[w] |= is_any ? here[w] : here[w] & farther[w];
	}
}

static void look(struct anneal *a, uint32_t lane)
{
	const size_t of_lane = a->n_sets * (size_t)a->net->n_nodes * a->n_words;
	look_at(a->has_come + lane * of_lane, a, lane, false);
	if (a->n_sets > 1)
		look_at(a->has_come + lane * of_lane + of_lane / 2, a, lane, true);
}

// Counts the pairs that have a shortest way on some lane, plus `worth` for each pair that has any way.
static uint32_t count(const struct anneal *a)
{
	const size_t n_all = a->net->n_nodes * (size_t)a->n_words, n_hosts = a->net->n_hosts * (size_t)a->n_words;
	uint32_t n = 0;
	for (unsigned set = 0; set < a->n_sets; set++)
		for (size_t i = 0; i < n_hosts; i++) {
			uint64_t any = 0;
			for (uint32_t lane = 0; lane < a->n_lanes; lane++)
				any |= a->has_come[(lane * a->n_sets + set) * n_all + i];
			n += (uint32_t)__builtin_popcountll(any) * (set ? a->worth : 1);
		}
	return n;
}

static void move(uint32_t *order, uint32_t from, uint32_t to)
{
	const uint32_t link = order[from];
	if (from < to)
		memmove(order + from, order + from + 1, (to - from) * sizeof *order);
	else
		memmove(order + to + 1, order + to, (from - to) * sizeof *order);
	order[to] = link;
}

// Draws a new place for the link at place i: a near one once in three times, else any.
static uint32_t pick(struct anneal *a, uint32_t i)
{
	enum { NEAR = 8 };
	const uint32_t n = a->net->n_links;
	if (n <= 2 * NEAR || loom_rng_below(a->rng, 3))
		return (uint32_t)loom_rng_below(a->rng, n);
	const uint32_t low = i < NEAR ? 0 : i - NEAR, high = i + NEAR < n ? i + NEAR : n - 1;
	return low + (uint32_t)loom_rng_below(a->rng, high - low + 1);
}

static void anneal(struct anneal *a)
{
	const uint32_t n_links = a->net->n_links, n_hosts = a->net->n_hosts;
	const double enough = MOVES_OF_LINK * n_links,
		     most = (a->n_sets > 1 ? WORK_ALL : WORK) / ((double)n_links * a->n_words);
	const uint64_t n_moves = (uint64_t)(enough < most ? enough : most);
	const size_t n_all = a->n_sets * (size_t)a->net->n_nodes * a->n_words;
	const uint32_t n_pairs = n_hosts * n_hosts;
	uint64_t *kept = a->has_come + a->n_lanes * n_all;
	uint32_t now = count(a), all = a->n_sets > 1 ? n_pairs * (1 + a->worth) : n_pairs;
	double heat = HOT;
	for (uint64_t k = 0; k < n_moves && now < all; k++) {
		if (a->n_sets > 1 && k == n_moves / 4 * 3) {
			a->worth = WORTH_LAST;
			all = n_pairs * (1 + a->worth);
			now = count(a);
		}
		if (k % 256 == 0)
			heat = HOT * pow(COLD / HOT, (double)k / (double)n_moves);
		const uint32_t lane = (uint32_t)loom_rng_below(a->rng, a->n_lanes);
		uint32_t *order = a->order + (size_t)lane * n_links;
		const uint32_t from = (uint32_t)loom_rng_below(a->rng, n_links), to = pick(a, from);
		uint64_t *come = a->has_come + lane * n_all;
		if (from == to)
			continue;
		memcpy(kept, come, n_all * sizeof *kept);
		move(order, from, to);
		look(a, lane);
		const uint32_t then = count(a);
		if (then >= now || loom_rng_part(a->rng) < exp(((double)then - now) / heat)) {
			now = then;
			continue;
		}
		move(order, to, from);
		memcpy(come, kept, n_all * sizeof *kept);
	}
}

static void find_farther(struct anneal *a)
{
	const struct loom_pair_net *net = a->net;
	for (uint32_t k = 0; k < net->n_links; k++)
		for (uint32_t s = 0; s < net->n_hosts; s++)
			if (loom_pair_hops(net, s, net->head[k]) == loom_pair_hops(net, s, net->tail[k]) + 1)
				a->farther[(size_t)k * a->n_words + s / 64] |= (uint64_t)1 << s % 64;
}

int loom_pair_anneal(struct loom_pair_state *s, bool reaches_all, struct loom_err *err)
{
	const struct loom_pair_net *net = s->net;
	const size_t n_links = net->n_links, n_words = (net->n_hosts + 63) / 64, n_sets = reaches_all ? 2 : 1;
	struct anneal a = {.net = net,
	                   .rng = &s->rng,
	                   .n_lanes = s->n_lanes,
	                   .n_words = (uint32_t)n_words,
	                   .n_sets = (unsigned)n_sets,
	                   .worth = WORTH,
	                   .order = malloc((n_links * s->n_lanes + 1) * sizeof *a.order),
	                   .farther = calloc(n_links * n_words + 1, sizeof *a.farther),
	                   .has_come = calloc((s->n_lanes + 1) * net->n_nodes * n_words * n_sets, sizeof *a.has_come)};
	int rc = a.order && a.farther && a.has_come
	                 ? 0
	                 : loom_fail(err, LOOM_ENOMEM, "out of memory for the places of %zu links", n_links);
	for (uint32_t lane = 0; rc == 0 && lane < s->n_lanes; lane++)
		for (size_t i = 0; i < n_links; i++) {
			const size_t k = (size_t)loom_rng_below(&s->rng, i + 1);
			a.order[lane * n_links + i] = a.order[lane * n_links + k];
			a.order[lane * n_links + k] = (uint32_t)i;
		}
	if (rc == 0) {
		find_farther(&a);
		for (uint32_t lane = 0; lane < s->n_lanes; lane++)
			look(&a, lane);
		anneal(&a);
		for (size_t i = 0; i < n_links * s->n_lanes; i++)
			s->place[i / n_links * n_links + a.order[i]] = (double)(i % n_links * s->n_lanes);
	}
	free(a.order);
	free(a.farther);
	free(a.has_come);
	loom_pair_walk_resort(s);
	return rc;
}
