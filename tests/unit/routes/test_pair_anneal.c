// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Places by annealing, beside a slow look along all shortest ways.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "plan/routes/pairs/pair_state.h"

// Looks along all shortest ways from u to `to` whose places rise from `place` on.
static bool rises(const struct loom_pair_state *s, uint32_t lane, uint32_t u, uint32_t to, double place)
{
	const struct loom_pair_net *net = s->net;
	bool found = u == to;
	for (uint32_t i = net->out_first[u]; !found && i < net->out_first[u + 1]; i++) {
		const uint32_t a = net->out[i];
		const double there = s->place[(size_t)lane * net->n_links + a];
		found = there > place && loom_pair_hops(net, net->head[a], to) + 1 == loom_pair_hops(net, u, to) &&
		        rises(s, lane, net->head[a], to, there);
	}
	return found;
}

// Annealing leaves no pair of these without a shortest way that rises; places by lot leave many.
static void test_anneal(void **unused)
{
	(void)unused;
	static const char *const names[] = {"table-torus:4x4", "ring:9", "table-torus:5x5", "dragonfly:3,1"};
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		struct loom_topo t;
		struct loom_err err;
		struct loom_pair_net net;
		struct loom_pair_state s;
		uint32_t n_ways[2] = {0};
		assert_int_equal(loom_topo_parse(&t, names[i], &err), 0);
		assert_int_equal(loom_pair_net_make(&net, &t, &err), 0);
		assert_int_equal(loom_pair_state_make(&s, &net, 2, 5, &err), 0);
		for (unsigned k = 0; k < 2; k++) {
			if (k == 1)
				assert_int_equal(loom_pair_anneal(&s, &err), 0);
			for (uint32_t u = 0; u < net.n_nodes; u++)
				for (uint32_t v = 0; v < net.n_nodes; v++)
					n_ways[k] += rises(&s, 0, u, v, -1) || rises(&s, 1, u, v, -1);
		}
		assert_true(n_ways[0] < n_ways[1]);
		assert_int_equal(n_ways[1], net.n_nodes * net.n_nodes);
		loom_pair_state_free(&s);
		loom_pair_net_free(&net);
		loom_topo_free(&t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_anneal)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
