// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Circles in all routes of small networks, against a plain search on a matrix.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <flitloom/routes/deadlock.h>
#include <flitloom/plan.h>

#include "topo/topo_direct.h"
#include "unit/help/deadlock_checks.h"

static bool is_step(const struct loom_topo *t, const struct loom_dependency_channel *at, uint32_t next)
{
	uint32_t route[ROUTE_MOST];
	unsigned n = lanes_of(route, t, at->source, at->destination, at->rule);
	for (unsigned k = 1; k < n; k++)
		if (route[k - 1] == lane_of(t, at->channel, at->vc) && route[k] == next)
			return true;
	return false;
}

// True if all routes by these rules together have a circle.
static bool check_routing(const char *fabric, unsigned rules)
{
	static struct matrix m;
	struct loom_topo t;
	struct loom_dependency_cycle circle = {0};
	assert_int_equal(loom_topo_parse(&t, fabric, NULL), 0);
	matrix_clear(&m, loom_topo_channels(&t) * t.n_vcs);
	for (uint32_t s = 0; s < t.n_nodes; s++)
		for (uint32_t d = 0; d < t.n_nodes; d++)
			for (unsigned rule = 0; rule < loom_topo_rules_count(&t); rule++)
				if (rules >> rule & 1)
					(void)matrix_add_route(&m, &t, s, d, rule);
	assert_int_equal(loom_deadlock_find_in_routing(&circle, &t, rules, NULL), 0);
	if ((circle.n_channels > 0) != matrix_has_circle(&m))
		fail_msg("%s, rules %u: circle of %zu channels", fabric, rules, circle.n_channels);
	for (size_t i = 0; i < circle.n_channels; i++) {
		const struct loom_dependency_channel *at = &circle.channel[i];
		assert_true(rules >> at->rule & 1);
		assert_int_equal(at->message, UINT32_MAX);
		const struct loom_dependency_channel *next = &circle.channel[(i + 1) % circle.n_channels];
		if (!is_step(&t, at, lane_of(&t, next->channel, next->vc)))
			fail_msg("%s, rules %u: no message from %u to %u takes that step", fabric, rules, at->source,
			         at->destination);
	}
	bool locks = circle.n_channels > 0;
	loom_dependency_cycle_free(&circle);
	return locks;
}

// One way round three nodes or more, with one virtual channel, each message can wait for one that is ahead of it, and the
// last for the first.
static void check_one_way(const char *fabric)
{
	struct loom_topo t;
	bool round = false;
	assert_int_equal(loom_topo_parse(&t, fabric, NULL), 0);
	for (unsigned d = 0; d < t.n_dims; d++)
		round = round || t.extent[d] > 2;
	round = round && t.kind->wraps && t.n_vcs == 1;
	assert_int_equal(check_routing(fabric, 1 << LOOM_RULE_ONE_WAY), round);
	assert_int_equal(check_routing(fabric, 1 << LOOM_RULE_ONE_WAY_DESCENDING), round);
	for (unsigned rules = 5; rules < 1 << LOOM_RULES_MAX && t.kind->wraps && t.n_nodes < 20; rules += 3)
		(void)check_routing(fabric, rules);
}

static void test_routing(void **state)
{
	(void)state;
	enum { ASCENDING = 1, DESCENDING = 2, MIXED = 3 };
	static const struct {
		const char *fabric;
		unsigned locking; // bit r - 1: by rules r
	} cases[] = {
		{"cube:1", 0},      {"cube:2", 4},        {"cube:3", 4},      {"cube:4", 4},      {"cube:5", 4},
		{"omega:2", 0},     {"omega:16", 0},      {"baseline:8", 0},  {"romega:32", 0},   {"rbaseline:16", 0},
		{"icube:8", 0},     {"ricube:16", 0},     {"line:2", 0},      {"line:9", 0},      {"ring:2", 0},
		{"ring:3", 0},      {"ring:4", 7},        {"ring:5", 7},      {"ring:64", 7},     {"torus:1x4", 7},
		{"torus:2x2", 4},   {"torus:3x3", 4},     {"torus:5x3", 7},   {"torus:4x2", 7},   {"torus:4x4x4", 7},
		{"ring:3v2", 0},    {"ring:4v2", 0},      {"ring:5v2", 0},    {"ring:64v2", 0},   {"torus:1x4v2", 0},
		{"torus:2x2v2", 4}, {"torus:3x3v2", 4},   {"torus:5x3v2", 4}, {"torus:4x2v2", 4}, {"torus:4x4x4v2", 4},
		{"otis-mesh:4", 7}, {"otis-mesh:4v2", 4}, {"mesh:1x7", 0},    {"mesh:4x4", 4},    {"mesh:3x5", 4},
		{"mesh:4x3x2", 4}};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		for (unsigned rules = ASCENDING; rules <= MIXED; rules++)
			if (check_routing(cases[i].fabric, rules) != (cases[i].locking >> (rules - 1) & 1))
				fail_msg("%s, rules %u", cases[i].fabric, rules);
		check_one_way(cases[i].fabric);
	}
	struct loom_topo t;
	struct loom_dependency_cycle circle = {.n_channels = 5};
	assert_int_equal(loom_topo_parse(&t, "cube:3", NULL), 0);
	assert_int_equal(loom_deadlock_find_in_routing(&circle, &t, 0, NULL), 0);
	assert_int_equal(circle.n_channels, 0);
}

// A ring of four nodes, and a second link between nodes 3 and 0. The step from 2->3 to 3->0 (+), which closes the
// circle, is taken by messages to node 0 of the one rule only, and by the other rule messages to node 0 take 2->3 as
// well and then the second link: what is remembered of them must not stand for the former.
enum { PLUS, MINUS, SECOND };

static bool odd_link(const struct loom_topo *t, uint32_t u, unsigned p, uint32_t *v, unsigned *q)
{
	(void)t;
	*v = p == SECOND ? 3 - u : (u + (p == PLUS ? 1 : 3)) % 4;
	*q = p == SECOND ? SECOND : p ^ 1;
	return p != SECOND || u == 0 || u == 3;
}

static unsigned odd_next(const struct loom_topo *t, uint32_t here, uint32_t destination, enum loom_rule rule)
{
	static const unsigned by[2][4][4] = {
		{{9, PLUS, PLUS, SECOND}, {MINUS, 9, PLUS, MINUS}, {PLUS, MINUS, 9, MINUS}, {SECOND, MINUS, MINUS, 9}},
		{{9, PLUS, PLUS, PLUS}, {PLUS, 9, PLUS, PLUS}, {PLUS, MINUS, 9, PLUS}, {PLUS, PLUS, PLUS, 9}},
	};
	(void)t;
	return by[rule][here][destination];
}

static void test_both_rules(void **state)
{
	(void)state;
	static const struct loom_topo_kind kind = {
		.name = "odd", .router = LOOM_ROUTER_TABLE, .link = odd_link, .next = odd_next, LOOM_DIRECT_DEFAULTS};
	static const struct loom_topo t = {.kind = &kind,
	                                   .name = "odd:4",
	                                   .n_nodes = 4,
	                                   .n_tiles = 4,
	                                   .n_dims = 1,
	                                   .extent = {4},
	                                   .ports = 4,
	                                   .label_bits = 2,
	                                   .n_vcs = 1};
	static const size_t length[] = {0, 0, 4, 4}; // by rules: none, ascending, descending, both
	for (unsigned rules = 0; rules < 4; rules++) {
		struct loom_dependency_cycle circle;
		assert_int_equal(loom_deadlock_find_in_routing(&circle, &t, rules, NULL), 0);
		assert_int_equal(circle.n_channels, length[rules]);
		loom_dependency_cycle_free(&circle);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_routing),
		cmocka_unit_test(test_both_rules),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
