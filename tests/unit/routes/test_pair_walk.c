// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The cheapest ways of a pair on small networks with places, uses, loads and tolls by lot, against all walks one
// after the other: a way is found where there is one, leads to where it shall, passes no node twice and costs no
// more than the cheapest walk does before its rounds are left out.
#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "plan/routes/pairs/pair_state.h"

enum { SEEDS = 1500 };

// All walks of at most `most` links.
struct quest {
	const struct loom_pair_state *s;
	uint32_t source, destination, lane, most;
	double fine, best; // cost of the cheapest
};

static double price_of(const struct loom_pair_state *s, uint32_t link)
{
	return s->price[s->load[link]] + s->toll[link];
}

static bool rises(const struct loom_pair_state *s, uint32_t lane, uint32_t a, uint32_t b)
{
	const double *place = s->place + (size_t)lane * s->net->n_links;
	return place[b] > place[a];
}

static void walk(struct quest *q, uint32_t a, uint32_t n, double cost)
{
	const struct loom_pair_net *net = q->s->net;
	if (cost >= q->best)
		return;
	if (net->head[a] == q->destination) {
		q->best = cost;
		return;
	}
	for (uint32_t t = net->turn_first[a]; t < net->turn_first[a + 1]; t++) {
		const uint32_t b = net->turn[t];
		double more = price_of(q->s, b);
		if (net->head[b] == q->source || n + 1 + loom_pair_hops(net, net->head[b], q->destination) > q->most)
			continue;
		if (!rises(q->s, q->lane, a, b)) {
			if (q->fine < 0)
				continue;
			more += q->fine / (1 + q->s->gather * q->s->use[(size_t)q->lane * net->n_turns + t]);
		}
		walk(q, b, n + 1, cost + more);
	}
}

// Returns the cost of the cheapest walk on any lane; DBL_MAX: there is none.
static double best_of(struct quest *q)
{
	const struct loom_pair_net *net = q->s->net;
	q->best = DBL_MAX;
	for (q->lane = 0; q->lane < q->s->n_lanes; q->lane++)
		for (uint32_t a = 0; a < net->n_links; a++)
			if (net->tail[a] == q->source &&
			    1 + loom_pair_hops(net, net->head[a], q->destination) <= q->most)
				walk(q, a, 1, price_of(q->s, a));
	return q->best;
}

// Returns the price of a way's links. Fails unless the way leads from end to end and passes no node twice.
static double check(const struct loom_pair_way *way, const struct quest *q)
{
	const struct loom_pair_net *net = q->s->net;
	double price = 0;
	uint64_t passed = 0;
	uint32_t at = q->source;
	assert_true(way->lane < q->s->n_lanes);
	for (uint32_t k = 0; k < way->n; k++) {
		assert_int_equal(net->tail[way->link[k]], at);
		assert_false(passed >> at & 1);
		passed |= UINT64_C(1) << at;
		if (k > 0 && q->fine < 0)
			assert_true(rises(q->s, way->lane, way->link[k - 1], way->link[k]));
		price += price_of(q->s, way->link[k]);
		at = net->head[way->link[k]];
	}
	assert_int_equal(at, q->destination);
	return price;
}

static void try_pair(struct loom_pair_state *s, uint32_t source, uint32_t destination, struct loom_rng *rng)
{
	struct loom_pair_way way;
	const uint32_t slack = (uint32_t)loom_rng_below(rng, 5);
	const uint32_t shortest = loom_pair_hops(s->net, source, destination), longest = s->net->longest + 4;
	struct quest q = {.s = s, .source = source, .destination = destination};
	q.most = shortest + slack < longest ? shortest + slack : longest;
	q.fine = loom_rng_below(rng, 3) ? (double)(1 + loom_rng_below(rng, 400)) : LOOM_PAIR_HARD;
	const double best = best_of(&q);
	assert_int_equal(loom_pair_walk(&way, s, source, destination, slack, q.fine), best < DBL_MAX);
	if (best < DBL_MAX)
		assert_true(check(&way, &q) <= best * (1 + 1e-9));
	q.fine = LOOM_PAIR_HARD;
	q.most = shortest + 6; // more is no cheaper here: any further link costs something
	const double far = best_of(&q);
	const bool found = loom_pair_walk_far(&way, s, source, destination);
	assert_true(found || far == DBL_MAX);
	if (found && far < DBL_MAX && way.n <= q.most)
		assert_true(check(&way, &q) <= far * (1 + 1e-9));
}

static void draw(struct loom_pair_state *s, struct loom_rng *rng)
{
	const struct loom_pair_net *net = s->net;
	for (uint32_t a = 0; a < net->n_links; a++) {
		s->load[a] = (uint32_t)loom_rng_below(rng, 4);
		s->toll[a] = 0.001 * (double)loom_rng_below(rng, 100);
	}
	for (size_t t = 0; t < (size_t)s->n_lanes * net->n_turns; t++)
		s->use[t] = loom_rng_below(rng, 2) ? 0 : (double)loom_rng_below(rng, 40);
	s->gather = (double)loom_rng_below(rng, 3);
}

// A triangle 1-3-4 on the way from 0 to 2: where going on from 1 to 2 is dear, a round pays.
static void make_lasso(struct loom_pair_net *out)
{
	static const uint32_t tail[] = {0, 1, 1, 2, 1, 3, 3, 4, 4, 1}, head[] = {1, 0, 2, 1, 3, 1, 4, 3, 1, 4};
	static const uint32_t channel[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
	assert_int_equal(loom_pair_net_of(out, 5, 10, tail, head, channel, NULL), 0);
}

static void make_net(struct loom_pair_net *out, uint64_t seed)
{
	static const char *const fabrics[] = {"mesh:3x2", "ring:5", "torus:3x2", "hyperx:2x3", "hyperx:3x3"};
	struct loom_topo t;
	if (seed % 6 == 5) {
		make_lasso(out);
		return;
	}
	assert_int_equal(loom_topo_parse(&t, fabrics[seed % 6], NULL), 0);
	assert_int_equal(loom_pair_net_make(out, &t, NULL), 0);
	loom_topo_free(&t);
}

static void test_walks(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct loom_pair_net net;
		struct loom_pair_state s;
		struct loom_rng rng;
		loom_rng_init(&rng, seed);
		make_net(&net, seed);
		assert_int_equal(loom_pair_state_make(&s, &net, 1 + (uint32_t)seed % 3, seed, NULL), 0);
		loom_pair_state_set_prices(&s, 1, 40, 0.01); // so that rounds by cheap turns pay
		draw(&s, &rng);
		for (uint32_t v = 1; v < net.n_nodes; v++)
			try_pair(&s, 0, v, &rng);
		loom_pair_state_free(&s);
		loom_pair_net_free(&net);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_walks)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
