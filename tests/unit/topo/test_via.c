// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Ways through drawn nodes: each lane as the reference has it, for all pairs and all nodes between; what is drawn; where the rules are
// defined. All ways of a network make a number, which the RTL's testbench (tb/net/route_via_tb.sv) has from tb/help/route_via_digests.svh.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <flitloom/routes/via.h>

#include "reference/ref_via.h"

enum { NODES_MOST = 64, LANES_MOST = 2 * NODES_MOST + 2 };

static struct loom_topo topo(const char *name)
{
	struct loom_topo t;
	assert_int_equal(loom_topo_parse(&t, name, NULL), 0);
	return t;
}

static void check_way(const struct loom_topo *t, const struct ref_net *net, unsigned rule, uint32_t u, uint32_t w,
                      uint32_t via)
{
	size_t expected[LANES_MOST];
	const struct ref_via by = {via, rule == LOOM_RULE_O1TURN};
	const size_t n = ref_via_walk(expected, net, u, w, &by);
	struct loom_route route;
	uint32_t channel;
	size_t k = 0;
	loom_route_begin(&route, t, u, w, (enum loom_rule)rule);
	loom_route_go_by(&route, via);
	for (; loom_route_next(&route, &channel); k++) {
		const size_t lane = channel * t->n_vcs + (loom_topo_is_local(t, channel) ? 0 : route.vc);
		if (k >= n || lane != expected[k])
			fail_msg("%s, rule %u, from %" PRIu32 " through %" PRIu32 " to %" PRIu32
			         ": lane %zu in place %zu",
			         t->name, rule, u, via, w, lane, k);
	}
	assert_int_equal(k, n);
	assert_true(loom_via_fits(t, LOOM_RULE_VALIANT, u, w, via));
	if (rule != LOOM_RULE_VALIANT)
		return;
	// A node fits romm if the way by it is a shortest one; half-way round a ring, of the two the one by plus.
	const bool fits = loom_via_fits(t, LOOM_RULE_ROMM, u, w, via),
		   is_shortest = n == loom_route_length(t, u, w, LOOM_RULE_ASCENDING);
	assert_true(fits == is_shortest || (t->kind->wraps && is_shortest));
}

static const char *const fabrics[] = {"cube:3v2",    "cube:4v4",    "mesh:3x5v2", "mesh:4x4v4",  "line:7v6",
                                      "torus:4x4v4", "torus:5x3v6", "ring:6v8",   "torus:3x3v2", "mesh:3x2x4v2",
                                      "cube:4v6",    "torus:2x8v4", "mesh:1x6v2"};

static void test_ways(void **state)
{
	(void)state;
	for (size_t f = 0; f < sizeof fabrics / sizeof fabrics[0]; f++) {
		struct loom_topo t = topo(fabrics[f]);
		struct ref_net net;
		assert_int_equal(ref_net_parse(&net, fabrics[f]), 0);
		const bool has_corners = loom_via_check(&t, LOOM_RULE_O1TURN, NULL) == 0;
		for (uint32_t u = 0; u < t.n_nodes; u++)
			for (uint32_t w = 0; w < t.n_nodes; w++)
				for (uint32_t via = 0; u != w && via < t.n_nodes; via++) {
					check_way(&t, &net, LOOM_RULE_VALIANT, u, w, via);
					if (has_corners && loom_via_fits(&t, LOOM_RULE_O1TURN, u, w, via))
						check_way(&t, &net, LOOM_RULE_O1TURN, u, w, via);
				}
		loom_topo_free(&t);
	}
}

// All nodes that fit, and no others, are drawn, each about equally often; the same seed draws the same nodes.
static void test_draws(void **state)
{
	enum { DRAWS = 4000 };
	static const struct {
		const char *fabric;
		uint32_t u, w;
	} cases[] = {{"mesh:4x4v2", 1, 14},
	             {"mesh:4x4v2", 4, 7},
	             {"cube:4v2", 3, 10},
	             {"torus:4x6v4", 0, 15},
	             {"ring:8v4", 6, 2}};
	(void)state;
	for (unsigned rule = LOOM_RULE_O1TURN; rule <= LOOM_RULE_VALIANT; rule++)
		for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
			struct loom_topo t = topo(cases[i].fabric);
			uint32_t drawn[NODES_MOST] = {0}, n_fit = 0;
			const uint32_t u = cases[i].u, w = cases[i].w;
			for (uint32_t k = 0; k < DRAWS && loom_via_check(&t, rule, NULL) == 0; k++) {
				const uint32_t via = loom_via_draw(&t, rule, u, w, 7, k);
				assert_int_equal(via, loom_via_draw(&t, rule, u, w, 7, k));
				assert_true(loom_via_fits(&t, rule, u, w, via));
				drawn[via]++;
			}
			for (uint32_t v = 0; v < t.n_nodes; v++)
				n_fit += loom_via_fits(&t, rule, u, w, v);
			for (uint32_t v = 0; v < t.n_nodes && loom_via_check(&t, rule, NULL) == 0; v++)
				if (loom_via_fits(&t, rule, u, w, v))
					assert_in_range(drawn[v], DRAWS / n_fit * 2 / 3, DRAWS / n_fit * 4 / 3 + 1);
			loom_topo_free(&t);
		}
	struct loom_topo t = topo("mesh:4x4v2");
	unsigned n_same = 0;
	for (uint32_t k = 0; k < 100; k++)
		n_same += loom_via_draw(&t, LOOM_RULE_VALIANT, 0, 5, 1, k) ==
		          loom_via_draw(&t, LOOM_RULE_VALIANT, 0, 5, 2, k);
	assert_in_range(n_same, 1, 20); // another seed draws others
	loom_topo_free(&t);
}

static void test_where(void **state)
{
	static const struct {
		const char *fabric;
		unsigned rule;
		const char *says;
	} cases[] = {
		{"mesh:4x4v2", LOOM_RULE_O1TURN, NULL},
		{"mesh:4x4", LOOM_RULE_O1TURN, "links have 1 lane, and it needs an even number, 2 or more: give v2"},
		{"mesh:4x4v3", LOOM_RULE_O1TURN, "links have 3 lanes"},
		{"mesh:2x2x2v2", LOOM_RULE_O1TURN, "meshes of two dimensions"},
		{"torus:4x4v4", LOOM_RULE_O1TURN, "meshes of two dimensions"},
		{"cube:2v2", LOOM_RULE_O1TURN, "meshes of two dimensions"},
		{"cube:4v2", LOOM_RULE_ROMM, NULL},
		{"torus:3x3v2", LOOM_RULE_VALIANT, NULL},
		{"torus:4x3v2", LOOM_RULE_VALIANT, "4 or more: give v4"},
		{"ring:8v4", LOOM_RULE_ROMM, NULL},
		{"table-mesh:4x4v2", LOOM_RULE_VALIANT, "whose routers go by coordinates"},
		{"mesh:4x4v2", LOOM_RULE_DUATO, "sends no message through a node"},
		{"mesh:4x4v2", LOOM_RULES_NAMED, "sends no message through a node"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct loom_topo t = topo(cases[i].fabric);
		struct loom_err err = {0};
		assert_int_equal(loom_via_check(&t, cases[i].rule, &err), cases[i].says ? LOOM_EINPUT : 0);
		if (cases[i].says && !strstr(err.text, cases[i].says))
			fail_msg("%s, rule %u: \"%s\"", cases[i].fabric, cases[i].rule, err.text);
		loom_topo_free(&t);
	}
}

static void add(uint64_t *digest, uint64_t word)
{
	*digest = (*digest ^ word) * UINT64_C(0x100000001b3);
}

static void add_way(uint64_t *digest, const struct loom_topo *t, unsigned rule, uint32_t u, uint32_t w, uint32_t via)
{
	const uint32_t per_tile = loom_topo_channels_per_tile(t);
	struct loom_route route;
	uint32_t channel;
	loom_route_begin(&route, t, u, w, (enum loom_rule)rule);
	loom_route_go_by(&route, via);
	while (loom_route_next(&route, &channel))
		if (!loom_topo_is_local(t, channel))
			add(digest, channel % per_tile * t->n_vcs + 1 + route.vc);
	add(digest, 0);
}

static uint64_t digest_of(const struct loom_topo *t)
{
	uint64_t digest = UINT64_C(0xcbf29ce484222325);
	const uint32_t n = t->n_nodes, row = t->extent[0];
	for (size_t at = 0; at < (size_t)n * n * n; at++)
		if (at / n / n != at / n % n)
			add_way(&digest, t, LOOM_RULE_VALIANT, (uint32_t)(at / n / n), (uint32_t)(at / n % n),
			        (uint32_t)(at % n));
	for (size_t at = 0; at < (size_t)n * n && loom_via_check(t, LOOM_RULE_O1TURN, NULL) == 0; at++) {
		const uint32_t u = (uint32_t)(at / n), w = (uint32_t)(at % n);
		if (u == w)
			continue;
		add_way(&digest, t, LOOM_RULE_O1TURN, u, w, w / row * row + u % row);
		add_way(&digest, t, LOOM_RULE_O1TURN, u, w, u / row * row + w % row);
	}
	return digest;
}

static void test_digests(void **state)
{
	FILE *f = fopen("tb/help/route_via_digests.svh", "r");
	char line[200], name[32];
	unsigned n = 0, i;
	uint64_t expected;
	(void)state;
	assert_non_null(f);
	while (fgets(line, sizeof line, f)) {
		if (sscanf(line, " %u: route_via_digest = 64'h%" SCNx64 "; // %31s", &i, &expected, name) != 3)
			continue;
		assert_int_equal(i, n++);
		struct loom_topo t = topo(name);
		uint64_t digest = digest_of(&t);
		if (digest != expected)
			fail_msg("%s: %016" PRIx64 ", not %016" PRIx64, name, digest, expected);
		loom_topo_free(&t);
	}
	(void)fclose(f);
	assert_int_equal(n, 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_ways), cmocka_unit_test(test_draws),
	                                   cmocka_unit_test(test_where), cmocka_unit_test(test_digests)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
