// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Circles in graphs of channels: random graphs against a plain search on a matrix, and one long path.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "base/rng.h"
#include "deadlock_checks.h"
#include "plan/channel_graph.h"

static void check_graph(const struct loom_channel_graph *g, const struct matrix *m, uint64_t seed, unsigned *n_circles)
{
	uint32_t *circle = NULL;
	size_t n = 0;
	assert_int_equal(loom_channel_graph_circle(&circle, &n, g), 0);
	if ((n > 0) != matrix_has_circle(m))
		fail_msg("seed %llu: %zu edges of a circle", (unsigned long long)seed, n);
	for (size_t i = 0; i < n; i++) {
		const struct loom_channel_edge *e = &g->edge[circle[i]];
		assert_true(m->edge[e->from][e->to]);
		assert_int_equal(e->who, e->from * 1000 + e->to);
		assert_int_equal(e->to, g->edge[circle[(i + 1) % n]].from);
		assert_true(i == 0 || e->from > g->edge[circle[0]].from); // each once, from the lowest on
		for (size_t k = 0; k < i; k++)
			assert_true(e->from != g->edge[circle[k]].from);
	}
	*n_circles += n > 0;
	free(circle);
}

static void test_graphs(void **state)
{
	(void)state;
	static struct matrix m;
	unsigned n_circles = 0, n_graphs = 0;
	struct loom_channel_graph g;
	for (uint64_t seed = 1; seed <= 3000; seed++) {
		struct loom_rng rng;
		loom_rng_init(&rng, seed);
		uint32_t n = 1 + rng_below(&rng, 40), n_edges = rng_below(&rng, n + n / 2 + 1);
		bool no_circles = rng_below(&rng, 2);
		assert_int_equal(loom_channel_graph_init(&g, n), 0);
		// The second time there must be nothing left of the first.
		for (unsigned again = 0; again < 2; again++, n_graphs++) {
			matrix_clear(&m, n);
			loom_channel_graph_clear(&g);
			for (uint32_t i = 0; i < n_edges; i++) {
				uint32_t a = rng_below(&rng, n), b = rng_below(&rng, n);
				if (no_circles && a >= b)
					continue;
				m.edge[a][b] = 1;
				assert_int_equal(loom_channel_graph_add(&g, a, b, a * 1000 + b), 0);
				assert_int_equal(loom_channel_graph_add(&g, a, b, 5), 0);
			}
			check_graph(&g, &m, seed, &n_circles);
		}
		loom_channel_graph_free(&g);
	}
	assert_true(n_circles > n_graphs / 5 && n_circles < n_graphs * 4 / 5);
}

// One long path, and the same closed: neither recursion nor anything quadratic gets through.
static void test_long_graph(void **state)
{
	(void)state;
	enum { N = 1000000 };
	struct loom_channel_graph g;
	uint32_t *circle = NULL;
	size_t n = 1;
	assert_int_equal(loom_channel_graph_init(&g, N), 0);
	for (uint32_t c = 0; c + 1 < N; c++)
		assert_int_equal(loom_channel_graph_add(&g, c, c + 1, c), 0);
	assert_int_equal(loom_channel_graph_circle(&circle, &n, &g), 0);
	assert_int_equal(n, 0);
	assert_null(circle);
	assert_int_equal(loom_channel_graph_add(&g, N - 1, 0, N - 1), 0);
	assert_int_equal(loom_channel_graph_circle(&circle, &n, &g), 0);
	assert_int_equal(n, N);
	for (uint32_t c = 0; c < N; c++)
		assert_int_equal(circle[c], c);
	free(circle);
	loom_channel_graph_free(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_graphs),
		cmocka_unit_test(test_long_graph),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
