// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Places by annealing, beside a slow look along all ways.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "plan/routes/pairs/pair_state.h"

// True if a shortest way from u to `to`, or any way, has places that rise from `place` on.
static bool rises(const struct loom_pair_state *s, uint32_t lane, uint32_t u, uint32_t to, double place, bool is_any)
{
	const struct loom_pair_net *net = s->net;
	bool found = u == to;
	for (uint32_t i = net->out_first[u]; !found && i < net->out_first[u + 1]; i++) {
		const uint32_t a = net->out[i];
		const double there = s->place[(size_t)lane * net->n_links + a];
		const bool is_nearer = loom_pair_hops(net, net->head[a], to) + 1 == loom_pair_hops(net, u, to);
		found = there > place && (is_any || is_nearer) && rises(s, lane, net->head[a], to, there, is_any);
	}
	return found;
}

struct scene {
	struct loom_topo topo;
	struct loom_pair_net net;
	struct loom_pair_state state;
};

static void open_scene(struct scene *s, const char *name)
{
	struct loom_err err;
	assert_int_equal(loom_topo_parse(&s->topo, name, &err), 0);
	assert_int_equal(loom_pair_net_make(&s->net, &s->topo, &err), 0);
	assert_int_equal(loom_pair_state_make(&s->state, &s->net, 2, 5, &err), 0);
}

static void close_scene(struct scene *s)
{
	loom_pair_state_free(&s->state);
	loom_pair_net_free(&s->net);
	loom_topo_free(&s->topo);
}

static uint32_t count(const struct scene *s, bool is_any)
{
	uint32_t n = 0;
	for (uint32_t u = 0; u < s->net.n_nodes; u++)
		for (uint32_t v = 0; v < s->net.n_nodes; v++)
			n += rises(&s->state, 0, u, v, -1, is_any) || rises(&s->state, 1, u, v, -1, is_any);
	return n;
}

// Annealing leaves no pair of these without a shortest way that rises; places by lot leave many.
static void test_anneal(void **unused)
{
	(void)unused;
	static const char *const names[] = {"table-torus:4x4", "ring:9", "table-torus:5x5", "dragonfly:3,1"};
	for (size_t i = 0; i < 2 * sizeof names / sizeof names[0]; i++) {
		struct loom_err err;
		struct scene s;
		open_scene(&s, names[i / 2]);
		const uint32_t by_lot = count(&s, false), n_pairs = s.net.n_nodes * s.net.n_nodes;
		assert_int_equal(loom_pair_anneal(&s.state, i % 2 == 1, &err), 0);
		assert_true(by_lot < n_pairs);
		assert_int_equal(count(&s, false), n_pairs);
		close_scene(&s);
	}
}

// A sparse network: shortest ways alone leave pairs without any way that rises.
static void test_reaches_all(void **unused)
{
	(void)unused;
	uint32_t n_ways[2];
	struct scene s;
	for (unsigned all = 0; all < 2; all++) {
		struct loom_err err;
		open_scene(&s, "random:64,3,1");
		assert_int_equal(loom_pair_anneal(&s.state, all, &err), 0);
		n_ways[all] = count(&s, true);
		close_scene(&s);
	}
	assert_true(n_ways[0] < n_ways[1]);
	assert_int_equal(n_ways[1], 64 * 64);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_anneal), cmocka_unit_test(test_reaches_all)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
