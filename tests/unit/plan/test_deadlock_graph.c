// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Circles in graphs of channels: random graphs and random routes against a plain search on a matrix, and one long path.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/rng.h"
#include "topo/channel_graph.h"
#include "unit/help/deadlock_checks.h"

// Checks the longest chains by repeating rounds until nothing changes: without a circle that is after at most n rounds.
static void check_chains(const struct loom_channel_graph *g, const struct matrix *m)
{
	uint32_t longest[CHANNELS_MOST], slow[CHANNELS_MOST] = {0};
	const uint32_t n = g->n_channels;
	bool has_circle = matrix_has_circle(m);
	assert_int_equal(loom_channel_graph_chains(longest, g), has_circle);
	if (has_circle)
		return;
	for (uint32_t round = 0; round < n; round++)
		for (uint32_t a = 0; a < n; a++)
			for (uint32_t b = 0; b < n; b++)
				if (m->edge[a][b] && slow[b] < slow[a] + 1)
					slow[b] = slow[a] + 1;
	assert_memory_equal(longest, slow, n * sizeof *slow);
}

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
	check_chains(g, m);
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
		uint32_t n = 1 + rng_below(&rng, seed % 16 ? 40 : 120), n_edges = rng_below(&rng, n + n / 2 + 1);
		bool no_circles = rng_below(&rng, 2);
		assert_int_equal(loom_channel_graph_init(&g, n), 0);
		// The second round must not depend on the first.
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

enum { ROUTES_MOST = 40, CHANNELS_OF_ROUTE = 8 };
struct random_route {
	uint32_t channel[CHANNELS_OF_ROUTE];
	size_t n;
};

static struct random_route random_route(uint32_t n_channels, struct loom_rng *rng)
{
	struct random_route r = {.n = 0};
	size_t n = rng_below(rng, CHANNELS_OF_ROUTE + 1);
	while (r.n < n && r.n < n_channels) {
		uint32_t channel = rng_below(rng, n_channels);
		size_t k = 0;
		while (k < r.n && r.channel[k] != channel)
			k++;
		if (k == r.n)
			r.channel[r.n++] = channel;
	}
	return r;
}

// Fills the matrix with the edges of all routes.
static void fill_matrix(struct matrix *m, uint32_t n_channels, const struct random_route *r, size_t n_routes)
{
	matrix_clear(m, n_channels);
	for (size_t i = 0; i < n_routes; i++)
		for (size_t k = 0; k + 1 < r[i].n; k++)
			m->edge[r[i].channel[k]][r[i].channel[k + 1]]++;
}

// Routes are put and taken at random: refused are those, and only those, that would close a circle.
static void test_routes(void **state)
{
	(void)state;
	static struct matrix m;
	unsigned n_put = 0, n_refused = 0, n_again = 0;
	for (uint64_t seed = 1; seed <= 400; seed++) {
		struct loom_rng rng;
		struct loom_channel_graph g;
		struct random_route r[ROUTES_MOST], refused = {.n = 0};
		size_t n_routes = 0, n = 1;
		uint32_t n_channels, *circle;
		loom_rng_init(&rng, seed);
		n_channels = 1 + rng_below(&rng, 40);
		assert_int_equal(loom_channel_graph_init(&g, n_channels), 0);
		for (unsigned step = 0; step < 100; step++) {
			if (n_routes > 0 && (n_routes == ROUTES_MOST || rng_below(&rng, 3) == 0)) {
				size_t i = rng_below(&rng, (uint32_t)n_routes);
				loom_channel_graph_take(&g, r[i].channel, r[i].n);
				r[i] = r[--n_routes];
				continue;
			}
			// A route that was refused may fit by now.
			bool again = refused.n && rng_below(&rng, 3) == 0;
			r[n_routes] = again ? refused : random_route(n_channels, &rng);
			fill_matrix(&m, n_channels, r, n_routes + 1);
			int wanted = matrix_has_circle(&m);
			if (loom_channel_graph_put(&g, r[n_routes].channel, r[n_routes].n) != wanted)
				fail_msg("seed %llu, step %u: %d is wanted", (unsigned long long)seed, step, wanted);
			refused = wanted ? r[n_routes] : refused;
			n_routes += !wanted;
			n_put += !wanted;
			n_refused += wanted != 0;
			n_again += again && !wanted;
			fill_matrix(&m, n_channels, r, n_routes);
			for (size_t e = 0; e < g.n_edges; e++)
				assert_int_equal(g.edge[e].n_users, m.edge[g.edge[e].from][g.edge[e].to]);
		}
		assert_int_equal(loom_channel_graph_circle(&circle, &n, &g), 0);
		assert_int_equal(n, 0);
		loom_channel_graph_clear(&g);
		const uint32_t back[] = {n_channels - 1, 0};
		assert_int_equal(loom_channel_graph_put(&g, back, 2), n_channels == 1);
		loom_channel_graph_free(&g);
	}
	assert_true(n_put > 5000 && n_refused > 2000 && n_again > 200);
}

// Returns the first of `most` lanes on which a route closes no circle with the routes there; `most`: there is none.
static uint32_t slow_lane(const struct random_route *on, const size_t *n_on, uint32_t n_channels, uint32_t most,
                          const struct random_route *r)
{
	static struct matrix m;
	for (uint32_t k = 0; k < most; k++) {
		struct random_route all[ROUTES_MOST + 1];
		memcpy(all, &on[(size_t)k * ROUTES_MOST], n_on[k] * sizeof *all);
		all[n_on[k]] = *r;
		fill_matrix(&m, n_channels, all, n_on[k] + 1);
		if (!matrix_has_circle(&m))
			return k;
	}
	return most;
}

// Each route goes on the first lane that takes it; lanes are added as they are needed, and emptied lanes take what they took.
static void test_lanes(void **state)
{
	(void)state;
	enum { MOST = 3 };
	static struct random_route on[MOST * ROUTES_MOST];
	unsigned n_on_lane[MOST + 1] = {0};
	for (uint64_t seed = 1; seed <= 150; seed++) {
		struct loom_rng rng;
		struct loom_lane_graphs g;
		size_t n_on[MOST] = {0};
		loom_rng_init(&rng, seed);
		uint32_t n_channels = 2 + rng_below(&rng, 20), begun = rng_below(&rng, MOST + 1), n_lanes = begun;
		assert_int_equal(loom_lane_graphs_init(&g, n_channels, begun), 0);
		for (unsigned step = 0; step < 2 * ROUTES_MOST; step++) {
			if (step == ROUTES_MOST) {
				loom_lane_graphs_clear(&g);
				memset(n_on, 0, sizeof n_on);
			}
			struct random_route r = random_route(n_channels, &rng);
			uint32_t wanted = slow_lane(on, n_on, n_channels, MOST, &r), lane = MOST;
			int rc = loom_lane_graphs_put(&lane, &g, MOST, r.channel, r.n);
			if (lane != wanted || rc != (wanted == MOST))
				fail_msg("seed %llu, step %u: lane %u, %u is wanted", (unsigned long long)seed, step,
				         lane, wanted);
			n_lanes = wanted == MOST ? MOST : wanted + 1 > n_lanes ? wanted + 1 : n_lanes;
			assert_int_equal(g.n_lanes, n_lanes);
			n_on_lane[wanted]++;
			if (wanted < MOST)
				on[wanted * ROUTES_MOST + n_on[wanted]++] = r;
		}
		loom_lane_graphs_free(&g);
	}
	for (unsigned k = 0; k <= MOST; k++)
		assert_true(n_on_lane[k] > 200);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_graphs),
		cmocka_unit_test(test_long_graph),
		cmocka_unit_test(test_routes),
		cmocka_unit_test(test_lanes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
