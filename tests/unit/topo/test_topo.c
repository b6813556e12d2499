// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Cubes, and texts that name no fabric; what holds for all kinds is in test_topo_all.c. Channels are judged by their names
// ("5->7 (dim 1)"), which the code under test does not route by.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/topo.h>

#include "base/rng.h"
#include "unit/help/routes.h"
#include "topo/topo_kinds.h"

#define CUBE_MAX 12

static struct loom_topo cube(unsigned n)
{
	char text[16];
	struct loom_topo t;
	struct loom_err err = {0};
	(void)snprintf(text, sizeof text, "cube:%u", n);
	if (loom_topo_parse(&t, text, &err) != 0)
		fail_msg("%s: %s", text, err.text);
	return t;
}

static void test_shape(void **state)
{
	(void)state;
	for (unsigned n = 1; n <= CUBE_MAX; n++) {
		struct loom_topo t = cube(n);
		char name[16];
		(void)snprintf(name, sizeof name, "cube:%u", n);
		assert_string_equal(t.name, name);
		assert_string_equal(t.kind->name, "cube");
		assert_int_equal(t.kind->code, 1);
		assert_int_equal(t.n_dims, n);
		assert_int_equal(t.n_nodes, 1u << n);
		assert_int_equal(t.n_tiles, 1u << n);
		assert_int_equal(t.ports, n + 1);
		assert_int_equal(t.label_bits, n);
		assert_int_equal(loom_topo_channels_per_tile(&t), n + 2);
		assert_int_equal(loom_topo_channels(&t), (1u << n) * (n + 2));
	}
}

static void test_kinds(void **state)
{
	(void)state;
	size_t n = 0;
	for (; loom_topo_kind_at(n); n++) {
		const struct loom_topo_kind *kind = loom_topo_kind_at(n);
		// So no code is there twice, but that of graph, which others are for a chip.
		assert_true(loom_topo_kind_by_code(kind->code) == kind ||
		            (kind->make && strcmp(loom_topo_kind_by_code(kind->code)->name, "graph") == 0));
		assert_true(strlen(kind->help) > 0 && strlen(kind->size_is) > 0 && strlen(kind->sizes) > 0);
	}
	// A fabric near a size has that many nodes if there is one, else the next larger number, else the largest.
	for (size_t k = 0; loom_topo_kind_at(k); k++) {
		uint32_t most = 0;
		if (!loom_topo_kind_at(k)->size_near)
			continue; // a graph is as large as its file says
		// Every number up to 280 and near powers of two, every fourth of the others.
		for (uint32_t nodes = 1; nodes <= 1500; nodes += nodes < 280 || nodes % 256 > 250 ? 1 : 4) {
			struct loom_topo t, same;
			struct loom_err err;
			assert_int_equal(loom_topo_near(&t, loom_topo_kind_at(k)->name, nodes, &err), 0);
			assert_int_equal(loom_topo_parse(&same, t.name, &err), 0);
			assert_ptr_equal(t.kind, loom_topo_kind_at(k));
			assert_true(t.n_nodes >= most); // never fewer than for fewer
			most = t.n_nodes;
			if (t.kind->router == LOOM_ROUTER_OTIS) // squares of powers of four
				assert_int_equal(t.n_nodes, nodes <= 16 ? 16 : nodes <= 256 ? 256 : 4096);
			else if ((nodes & (nodes - 1)) == 0 && nodes > 1 && nodes <= 1024)
				assert_int_equal(t.n_nodes, nodes);
			assert_true(t.n_nodes >= nodes || t.n_nodes == 1024 || t.n_nodes == LOOM_NODES_MAX);
		}
	}
	struct loom_topo none;
	struct loom_err why;
	assert_int_equal(loom_topo_near(&none, "cub", 8, &why), LOOM_EINPUT);
	assert_true(n >= 1);
	assert_null(loom_topo_kind_at(n));
	assert_null(loom_topo_kind_at(SIZE_MAX));
	assert_null(loom_topo_kind_by_code(0));
	assert_null(loom_topo_kind_by_code(UINT32_MAX));
}

static void test_parse_errors(void **state)
{
	(void)state;
	static const struct {
		const char *text, *says;
	} cases[] = {
		{"cub:8", "did you mean \"cube\"?"},
		{"Cube:8", "did you mean \"cube\"?"},
		{"", "there is: cube"},
		{":8", "there is: cube"},
		{"klein-bottle:8", "there is: cube"},
		{"cube3", "did you mean \"cube:3\"?"},
		{"Cube-3v2", "did you mean \"cube:3v2\"?"},
		{"tabel_mesh4x4b8", "did you mean \"table-mesh:4x4b8\"?"},
		{"omega7", "did you mean \"omega\"?"},
		{"4x4", "there is: cube"},
		{"/dev/null", "there is: cube"},
		{"cubecubecubecubecubecubecubecubecubecubecubecube:8", "unknown kind"},
		{"cube", "cube:1 to cube:20"},
		{"cube:", "dimensions, cube:1 to cube:20"},
		{"cube:0", "cube:1 to cube:20"},
		{"cube:21", "cube:1 to cube:20"},
		{"cube:3x", "cube:1 to cube:20"},
		{"cube :3", "did you mean \"cube\"?"},
		{"omega:8v2", "links of omega:8 have 1 lane: give omega:8, without v2"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct loom_topo t, before;
		struct loom_err err = {0};
		memset(&t, 0xa5, sizeof t);
		memcpy(&before, &t, sizeof t);
		assert_int_equal(loom_topo_parse(&t, cases[i].text, &err), LOOM_EINPUT);
		assert_int_equal(err.code, LOOM_EINPUT);
		if (!strstr(err.text, cases[i].says))
			fail_msg("\"%s\": \"%s\" does not say \"%s\"", cases[i].text, err.text, cases[i].says);
		assert_memory_equal(&t, &before, sizeof t);
		assert_int_equal(loom_topo_parse(&t, cases[i].text, NULL), LOOM_EINPUT);
	}
}

static void check_route(const struct loom_topo *t, uint32_t source, uint32_t destination, enum loom_rule rule)
{
	uint32_t route[CUBE_MAX + 2];
	unsigned length = route_of(route, CUBE_MAX + 2, t, source, destination, rule), hops = 0;
	uint32_t at = source;
	char name[48], expected[48];
	// A simple walk: finds the lowest (highest) bit that is still wrong, corrects it, and repeats.
	(void)snprintf(expected, sizeof expected, "inject %u", source);
	loom_topo_channel_name(t, route[0], name);
	assert_string_equal(name, expected);
	assert_int_equal(route[0], source * (t->n_dims + 2) + t->n_dims + 1);
	while (at != destination) {
		uint32_t bit = rule == LOOM_RULE_ASCENDING ? 1 : t->n_nodes / 2;
		unsigned d = rule == LOOM_RULE_ASCENDING ? 0 : t->n_dims - 1;
		while ((at & bit) == (destination & bit)) {
			bit = rule == LOOM_RULE_ASCENDING ? bit * 2 : bit / 2;
			d = rule == LOOM_RULE_ASCENDING ? d + 1 : d - 1;
		}
		(void)snprintf(expected, sizeof expected, "%u->%u (dim %u)", at, (at & bit) ? at - bit : at + bit, d);
		hops++;
		assert_true(hops + 1 < length);
		loom_topo_channel_name(t, route[hops], name);
		assert_string_equal(name, expected);
		assert_int_equal(route[hops], at * (t->n_dims + 2) + d);
		assert_false(loom_topo_is_local(t, route[hops]));
		at = (at & bit) ? at - bit : at + bit;
	}
	assert_int_equal(length, hops + 2);
	(void)snprintf(expected, sizeof expected, "eject %u", destination);
	loom_topo_channel_name(t, route[length - 1], name);
	assert_string_equal(name, expected);
	assert_int_equal(route[length - 1], destination * (t->n_dims + 2) + t->n_dims);
}

static void test_routes(void **state)
{
	(void)state;
	uint64_t seed = 20260101;
	struct loom_rng rng;
	print_message("seed %llu\n", (unsigned long long)seed);
	loom_rng_init(&rng, seed);
	for (unsigned n = 1; n <= CUBE_MAX; n++) {
		struct loom_topo t = cube(n);
		uint32_t pairs = n <= 5 ? t.n_nodes * t.n_nodes : 2000;
		for (uint32_t i = 0; i < pairs; i++) {
			uint32_t s = n <= 5 ? i / t.n_nodes : (uint32_t)loom_rng_below(&rng, t.n_nodes);
			uint32_t d = n <= 5 ? i % t.n_nodes : (uint32_t)loom_rng_below(&rng, t.n_nodes);
			check_route(&t, s, d, LOOM_RULE_ASCENDING);
			check_route(&t, s, d, LOOM_RULE_DESCENDING);
		}
		check_route(&t, 0, t.n_nodes - 1, LOOM_RULE_ASCENDING);
		check_route(&t, t.n_nodes - 1, 0, LOOM_RULE_DESCENDING);
	}
}

static uint32_t bound_of(const struct loom_topo *t, const uint32_t *s, const uint32_t *d, size_t n)
{
	uint32_t bound = UINT32_MAX;
	assert_int_equal(loom_topo_bound(&bound, t, s, d, n, NULL), 0);
	return bound;
}

// The definition, one dimension and one node at a time.
static uint32_t slow_bound(const struct loom_topo *t, const uint32_t *s, const uint32_t *d, size_t n)
{
	double most = 0;
	for (uint32_t bit = 1; bit < t->n_nodes; bit *= 2)
		for (int up = 0; up < 2; up++) {
			double crossing = 0;
			for (size_t i = 0; i < n; i++)
				crossing += up ? !(s[i] & bit) && (d[i] & bit) : (s[i] & bit) && !(d[i] & bit);
			most = crossing / (t->n_nodes / 2) > most ? crossing / (t->n_nodes / 2) : most;
		}
	for (uint32_t u = 0; u < t->n_nodes; u++) {
		double leaving = 0, entering = 0;
		for (size_t i = 0; i < n; i++) {
			leaving += s[i] == u && d[i] != u;
			entering += d[i] == u && s[i] != u;
		}
		most = leaving / t->n_dims > most ? leaving / t->n_dims : most;
		most = entering / t->n_dims > most ? entering / t->n_dims : most;
	}
	return (uint32_t)most + (most > (uint32_t)most);
}

// Largest load of a network channel: by rule 0, rule 1, either by chance, or through a node picked by chance.
static uint32_t contention_by(const struct loom_topo *t, const uint32_t *s, const uint32_t *d, size_t n, int way,
                              struct loom_rng *rng)
{
	uint32_t *load = calloc(loom_topo_channels(t), sizeof *load), route[CUBE_MAX + 2], most = 0;
	assert_non_null(load);
	for (size_t i = 0; i < n; i++) {
		uint32_t between = way == 3 ? (uint32_t)loom_rng_below(rng, t->n_nodes) : s[i];
		enum loom_rule rule = (enum loom_rule)(way < 2 ? (uint64_t)way : loom_rng_below(rng, 2));
		if (s[i] == d[i])
			continue;
		for (int leg = 0; leg < 2; leg++) {
			unsigned length =
				route_of(route, CUBE_MAX + 2, t, leg ? between : s[i], leg ? d[i] : between, rule);
			for (unsigned k = 1; k + 1 < length; k++)
				load[route[k]]++;
		}
	}
	for (uint32_t c = 0; c < loom_topo_channels(t); c++)
		most = load[c] > most ? load[c] : most;
	free(load);
	return most;
}

static void test_bound(void **state)
{
	(void)state;
	enum { MESSAGES = 3000 };
	static uint32_t s[MESSAGES], d[MESSAGES];
	for (unsigned n = 1; n <= CUBE_MAX; n++) {
		struct loom_topo t = cube(n);
		for (uint64_t seed = 1; seed <= 24; seed++) {
			struct loom_rng rng;
			loom_rng_init(&rng, seed * 100 + n);
			size_t n_messages = seed == 1 ? 0 : 1 + (size_t)loom_rng_below(&rng, n < 8 ? MESSAGES : 600);
			uint32_t span =
				(uint32_t)1 + (uint32_t)loom_rng_below(&rng, t.n_nodes); // few targets: crowded ones
			for (size_t i = 0; i < n_messages; i++) {
				s[i] = (uint32_t)loom_rng_below(&rng, seed % 3 == 0 ? span : t.n_nodes);
				d[i] = (uint32_t)loom_rng_below(&rng, seed % 3 == 1 ? span : t.n_nodes);
				if (seed % 4 == 0)
					d[i] = s[i] ^ (t.n_nodes - 1);
			}
			uint32_t bound = bound_of(&t, s, d, n_messages);
			if (bound != slow_bound(&t, s, d, n_messages))
				fail_msg("cube:%u, seed %llu: bound %u, slowly %u", n, (unsigned long long)seed, bound,
				         slow_bound(&t, s, d, n_messages));
			for (int way = 0; way < 4; way++) {
				uint32_t real = contention_by(&t, s, d, n_messages, way, &rng);
				if (bound > real)
					fail_msg("cube:%u, seed %llu, way %d: bound %u above %u", n,
					         (unsigned long long)seed, way, bound, real);
			}
		}
	}
}

static void test_bound_of_known(void **state)
{
	(void)state;
	static uint32_t s[1 << CUBE_MAX], d[1 << CUBE_MAX];
	for (unsigned n = 1; n <= CUBE_MAX; n++) {
		struct loom_topo t = cube(n);
		for (uint32_t u = 0; u < t.n_nodes; u++) {
			s[u] = u;
			d[u] = u;
		}
		assert_int_equal(bound_of(&t, s, d, t.n_nodes), 0); // messages to oneself cost nothing
		for (uint32_t u = 0; u < t.n_nodes; u++)
			d[u] = u ^ (t.n_nodes - 1);
		assert_int_equal(bound_of(&t, s, d, t.n_nodes), 1);
		for (uint32_t u = 0; u < t.n_nodes; u++)
			d[u] = t.n_nodes / 2;
		assert_int_equal(bound_of(&t, s, d, t.n_nodes), (t.n_nodes - 1 + n - 1) / n);
		assert_int_equal(bound_of(&t, d, s, t.n_nodes), (t.n_nodes - 1 + n - 1) / n);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shape),  cmocka_unit_test(test_kinds), cmocka_unit_test(test_parse_errors),
		cmocka_unit_test(test_routes), cmocka_unit_test(test_bound), cmocka_unit_test(test_bound_of_known),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
