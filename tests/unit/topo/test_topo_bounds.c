// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Bounds of direct networks that no routing can beat: against all routings of a few messages, and by their definition.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/topo.h>

#include "base/rng.h"
#include "unit/help/described_nets.h"

static uint32_t bound_of(const struct loom_topo *t, const uint32_t *s, const uint32_t *d, size_t n)
{
	uint32_t bound = UINT32_MAX;
	assert_int_equal(loom_topo_bound(&bound, t, s, d, n, NULL), 0);
	return bound;
}

struct search {
	const struct described *f;
	const uint32_t *source, *destination;
	size_t n;
	uint32_t load[NODES][LINKS], best;
	bool on_path[NODES];
};

static void search_message(struct search *s, size_t i, uint32_t most);

// Tries all ways from `here` that pass no node twice.
static void search_path(struct search *s, size_t i, uint32_t here, uint32_t most)
{
	if (most >= s->best)
		return;
	if (here == s->destination[i]) {
		search_message(s, i + 1, most);
		return;
	}
	s->on_path[here] = true;
	for (int k = 0; k < 2 * s->f->n_dims; k++) {
		int64_t v = step(s->f, here, k / 2, k % 2 ? -1 : 1);
		if (v == NONE || s->on_path[v])
			continue;
		uint32_t *load = &s->load[here][k];
		++*load;
		search_path(s, i, (uint32_t)v, *load > most ? *load : most);
		--*load;
	}
	s->on_path[here] = false;
}

static void search_message(struct search *s, size_t i, uint32_t most)
{
	bool kept[NODES];
	if (i == s->n) {
		s->best = most < s->best ? most : s->best;
		return;
	}
	memcpy(kept, s->on_path, sizeof kept);
	memset(s->on_path, 0, sizeof s->on_path);
	search_path(s, i, s->source[i], most);
	memcpy(s->on_path, kept, sizeof kept);
}

// No choice of ways has less contention than the bound: all of them, on small networks with few messages.
static void test_bound_by_search(void **state)
{
	(void)state;
	uint32_t n_met = 0, n_asked = 0;
	for (int i = 0; i < N_ALL; i++) {
		const struct described *f = &all[i];
		struct loom_topo t = fabric(f->name);
		if (t.n_nodes > 9)
			continue;
		for (uint64_t seed = 1; seed <= 40; seed++) {
			uint32_t s[5], d[5];
			struct loom_rng rng;
			loom_rng_init(&rng, seed);
			size_t n = 1 + (size_t)loom_rng_below(&rng, 5);
			uint32_t span = seed % 2 ? t.n_nodes : 1 + t.n_nodes / 4;
			for (size_t k = 0; k < n; k++) {
				s[k] = (uint32_t)loom_rng_below(&rng, span);
				d[k] = (uint32_t)loom_rng_below(&rng, t.n_nodes);
			}
			struct search search = {.f = f, .source = s, .destination = d, .n = n, .best = 1000};
			search_message(&search, 0, 0);
			uint32_t bound = bound_of(&t, s, d, n);
			if (bound > search.best)
				fail_msg("%s, seed %llu: bound %u, but %u is possible", t.name,
				         (unsigned long long)seed, bound, search.best);
			n_asked++;
			n_met += bound == search.best;
		}
	}
	assert_true(n_met * 2 > n_asked); // a bound of nothing would pass, too
}

// The cuts of grid.h one by one, and the hops of rings.
static uint32_t slow_bound(const struct described *f, const struct loom_topo *t, const uint32_t *s, const uint32_t *d,
                           size_t n)
{
	uint32_t most = 0;
	for (uint32_t u = 0; u < t->n_nodes; u++) {
		uint32_t leaving = 0, entering = 0, links = 0;
		for (size_t i = 0; i < n; i++) {
			leaving += s[i] == u && d[i] != u;
			entering += d[i] == u && s[i] != u;
		}
		for (int k = 0; k < 2 * f->n_dims; k++)
			links += step(f, u, k / 2, k % 2 ? -1 : 1) != NONE;
		uint32_t larger = leaving > entering ? leaving : entering;
		most = (larger + links - 1) / links > most ? (larger + links - 1) / links : most;
	}
	for (int dim = 0; dim < f->n_dims; dim++) {
		int e = extent(f, dim);
		uint32_t hops = 0, channels = 0;
		for (int first = 0; first < e; first++) {
			// A part of the coordinates: those above the first on a mesh, half of a ring from the first on.
			uint32_t out = 0, in = 0, ways = 0;
			bool inside[NODES];
			for (uint32_t u = 0; u < t->n_nodes; u++) {
				int at[DIMS];
				place(at, f, u);
				inside[u] = f->rings ? (at[dim] - first + e) % e < e / 2 : at[dim] > first;
			}
			for (uint32_t u = 0; u < t->n_nodes; u++)
				for (int by = -1; by <= 1; by += 2) {
					int64_t v = step(f, u, dim, by);
					ways += v != NONE && inside[u] && !inside[v];
				}
			for (size_t i = 0; i < n; i++) {
				out += inside[s[i]] && !inside[d[i]];
				in += !inside[s[i]] && inside[d[i]];
			}
			uint32_t larger = out > in ? out : in;
			if (ways && (larger + ways - 1) / ways > most)
				most = (larger + ways - 1) / ways;
		}
		for (size_t i = 0; f->rings && i < n; i++) {
			int x[DIMS], y[DIMS];
			place(x, f, s[i]);
			place(y, f, d[i]);
			int up = (y[dim] - x[dim] + e) % e;
			hops += (uint32_t)(up < e - up ? up : e - up);
		}
		for (uint32_t u = 0; u < t->n_nodes; u++)
			channels += (uint32_t)((step(f, u, dim, 1) != NONE) + (step(f, u, dim, -1) != NONE));
		if (f->rings && channels && (hops + channels - 1) / channels > most)
			most = (hops + channels - 1) / channels;
	}
	return most;
}

static void test_bound_by_definition(void **state)
{
	(void)state;
	enum { MESSAGES = 400 };
	for (int i = 0; i < N_ALL; i++) {
		const struct described *f = &all[i];
		struct loom_topo t = fabric(f->name);
		for (uint64_t seed = 1; seed <= 12; seed++) {
			uint32_t s[MESSAGES], d[MESSAGES], shift = 1 + (uint32_t)seed % t.n_nodes;
			struct loom_rng rng;
			loom_rng_init(&rng, seed);
			size_t n = (size_t)loom_rng_below(&rng, MESSAGES);
			for (size_t k = 0; k < n; k++) {
				s[k] = (uint32_t)loom_rng_below(&rng, seed % 3 ? t.n_nodes : 1 + t.n_nodes / 2);
				d[k] = seed % 4 ? (uint32_t)loom_rng_below(&rng, t.n_nodes)
				                : (s[k] + shift) % t.n_nodes;
			}
			uint32_t fast = bound_of(&t, s, d, n), slow = slow_bound(f, &t, s, d, n);
			if (fast != slow)
				fail_msg("%s, seed %llu: bound %u, slowly %u", t.name, (unsigned long long)seed, fast,
				         slow);
		}
	}
}

// As many dimensions as there can be.
static void test_largest_cube(void **state)
{
	(void)state;
	struct loom_topo t;
	const uint32_t ends[] = {0, (UINT32_C(1) << LOOM_DIMS_MAX) - 1};
	assert_int_equal(loom_topo_parse(&t, "cube:20", NULL), 0);
	assert_int_equal(t.n_dims, LOOM_DIMS_MAX);
	assert_int_equal(bound_of(&t, &ends[0], &ends[1], 1), 1);
	loom_topo_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bound_by_search),
		cmocka_unit_test(test_bound_by_definition),
		cmocka_unit_test(test_largest_cube),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
