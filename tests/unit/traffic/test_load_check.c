// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks what is said against a run at a load before it is run: numbers at both sides of every limit, rules, and waits
// in a circle, which depend on pattern, placement and rule.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/plan.h>
#include <flitloom/traffic.h>

enum { NODES_MOST = 64 };

// Checks a request. Puts the text of the refusal, or "" without one, into *err.
static int check(const char *fabric, const char *pattern, const char *map_text, const struct loom_load_options *options,
                 struct loom_err *err)
{
	struct loom_topo topo;
	struct loom_traffic traffic;
	uint32_t extent[LOOM_DIMS_MAX], map[NODES_MOST];
	*err = (struct loom_err){0};
	assert_int_equal(loom_topo_parse(&topo, fabric, err), 0);
	const struct loom_pattern_options of_pattern = {
		.flits = 1, .seed = 1, .n_dims = loom_topo_shape(extent, &topo), .extent = extent};
	assert_int_equal(loom_traffic_parse(&traffic, pattern, &topo, &of_pattern, err), 0);
	for (uint32_t v = 0; v < topo.n_nodes; v++)
		map[v] = map_text ? (uint32_t)strtoul(map_text, (char **)&map_text, 10) : v;
	int code = loom_load_check(&topo, &traffic, map, options, err);
	loom_traffic_free(&traffic);
	loom_topo_free(&topo);
	return code;
}

static void test_numbers(void **unused)
{
	(void)unused;
	static const struct {
		double load;
		uint32_t flits;
		uint64_t warmup, measure;
		const char *says;
	} cases[] = {
		{1e-9, 1, 0, 1, NULL},
		{1, LOOM_FLITS_MOST, 0, 1, NULL},
		{0.5, 5, LOOM_LOAD_CYCLES_MOST - 1, 1, NULL},
		{0.5, 5, 0, LOOM_LOAD_CYCLES_MOST, NULL},
		{0.5, 5, 7, LOOM_LOAD_CYCLES_MOST - 7, NULL},
		{0, 5, 0, 1,
	         "a load of 0: it is above 0 and at most 1 flit per cycle and node, because a node injects one flit a "
	         "cycle"},
		{-0.25, 5, 0, 1, "a load of -0.25: it is above 0"},
		{1.0625, 5, 0, 1, "a load of 1.0625: it is above 0"},
		{NAN, 5, 0, 1, "it is above 0"},
		{INFINITY, 5, 0, 1, "a load of inf: it is above 0"},
		{0.5, 0, 0, 1, "messages of 0 flits: 1 to "},
		{0.5, LOOM_FLITS_MOST + 1, 0, 1, "flits: 1 to "},
		{0.5, 5, 3, 0, "3 cycles of warm-up and 0 of measurement: at least one is measured"},
		{0.5, 5, 0, LOOM_LOAD_CYCLES_MOST + UINT64_C(1), "0 cycles of warm-up and 1000000001 of measurement"},
		{0.5, 5, 7, LOOM_LOAD_CYCLES_MOST - 6, "together they are 1000000000 at most"},
		{0.5, 5, LOOM_LOAD_CYCLES_MOST, 1, "1000000000 cycles of warm-up and 1 of measurement"},
		{0.5, 5, LOOM_LOAD_CYCLES_MOST + UINT64_C(1), 1, "1000000001 cycles of warm-up and 1 of"},
		{0.5, 5, UINT64_MAX, 2, "cycles of warm-up and 2 of measurement"},
		{0.5, 5, 2, UINT64_MAX, "2 cycles of warm-up and 18446744073709551615"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct loom_err err;
		const struct loom_load_options options = {.load = cases[i].load,
		                                          .flits = cases[i].flits,
		                                          .warmup_cycles = cases[i].warmup,
		                                          .measure_cycles = cases[i].measure};
		const int code = check("cube:2", "uniform", NULL, &options, &err);
		if (code != (cases[i].says ? LOOM_EINPUT : 0) || (cases[i].says && !strstr(err.text, cases[i].says)))
			fail_msg("case %zu: %d, \"%s\"", i, code, err.text);
	}
}

// In bursts nodes make their messages in some of the cycles, one at most in each.
static void test_bursts(void **unused)
{
	(void)unused;
	static const struct {
		double load;
		uint32_t on, off;
		const char *says;
	} cases[] = {
		{0.2, 1, 4, NULL},
		{0.2001, 1, 4,
	         "with arrivals burst a node makes one message in a cycle at most, which is a load of 0.2 here"},
		{0.75, 3, 1, NULL},
		{0.76, 3, 1, "which is a load of 0.75 here"},
		{0.1, 0, 4, "bursts of 0 cycles, 4 apart"},
		{0.1, 1, 0, "bursts of 1 cycles, 0 apart"},
		{0.1, LOOM_BURST_CYCLES_MOST, LOOM_BURST_CYCLES_MOST, NULL},
		{0.1, LOOM_BURST_CYCLES_MOST + UINT32_C(1), LOOM_BURST_CYCLES_MOST, "cycles, "},
		{0.1, LOOM_BURST_CYCLES_MOST, LOOM_BURST_CYCLES_MOST + UINT32_C(1), "apart: 1 to "},
		{6e-7, 1, 1, NULL},
		{4e-7, 1, 1, "processor 0 is on more than 1000000 times for one message"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct loom_err err;
		const struct loom_load_options options = {.load = cases[i].load,
		                                          .flits = 1,
		                                          .measure_cycles = 1,
		                                          .injection = LOOM_INJECTION_BURST,
		                                          .on_cycles = cases[i].on,
		                                          .off_cycles = cases[i].off};
		const int code = check("cube:2", "uniform", NULL, &options, &err);
		if (code != (cases[i].says ? LOOM_EINPUT : 0) || (cases[i].says && !strstr(err.text, cases[i].says)))
			fail_msg("case %zu: %d, \"%s\"", i, code, err.text);
	}
}

static void test_circles(void **unused)
{
	(void)unused;
	static const char everybody[] = "can lock, waiting for one another for ever";
	static const struct {
		const char *fabric, *pattern, *map;
		unsigned rule;
		const char *says;
	} cases[] = {
		{"ring:8", "uniform", NULL, LOOM_RULE_ASCENDING,
	         "everybody can (flitloom check ring:8); on fabric ring:8v2 they cannot"},
		{"ring:8", "hotspot:3:0.5", NULL, LOOM_RULE_ASCENDING, everybody},
		{"ring:8v2", "uniform", NULL, LOOM_RULE_ASCENDING, NULL},
		{"table-torus:4x4b8", "uniform", NULL, LOOM_RULE_ASCENDING,
	         "; on fabric torus:4x4v2b8 they cannot, nor by the ways of planner all-pairs"},
		{"table-torus:4x4v4", "shift:2,1", NULL, LOOM_RULE_DESCENDING,
	         "; on fabric torus:4x4v4 they cannot, nor by the ways of planner all-pairs"},
		{"ring:8", "uniform", NULL, LOOM_RULE_ONE_WAY, everybody},
		{"ring:8v2", "uniform", NULL, LOOM_RULE_ONE_WAY, NULL},
		{"ring:8", "neighbor", NULL, LOOM_RULE_ASCENDING, NULL},
		{"ring:8", "shift:2", NULL, LOOM_RULE_ASCENDING, "lock"},
		{"ring:8", "shift:3", NULL, LOOM_RULE_ASCENDING,
	         "0->1 (+x) held by message 0, 1->2 (+x) held by message 0, 2->3 (+x) held by message 1 and 5 more"},
		// The same messages elsewhere on the ring: to the next node each.
		{"ring:8", "shift:3", "0 3 6 1 4 7 2 5", LOOM_RULE_ASCENDING, NULL},
		// One back, which by the rule of one way is nearly round.
		{"ring:8", "shift:7", NULL, LOOM_RULE_ASCENDING, NULL},
		{"ring:8", "shift:7", NULL, LOOM_RULE_ONE_WAY, "lock"},
		{"cube:3", "uniform", NULL, LOOM_RULE_DESCENDING, NULL},
		{"cube:3", "uniform", NULL, 2, "cube:3 has no rule 2"},
		{"cube:3", "complement", NULL, 2, "cube:3 has no rule 2"},
		{"ring:8v2", "uniform", NULL, 3, NULL},
		{"ring:8v2", "uniform", NULL, 4, "negative-first forbids turns"},
		{"ring:8v2", "uniform", NULL, LOOM_RULES_NAMED, "ring:8v2 has no rule"},
		{"benes:8", "uniform", NULL, LOOM_RULE_ASCENDING, "omega has one direction"},
		{"omega:8", "uniform", NULL, LOOM_RULE_ASCENDING, NULL},
		{"table-torus:3x4", "uniform", NULL, LOOM_RULE_ASCENDING, everybody},
		{"table-mesh:3x4v4", "uniform", NULL, 3, NULL},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct loom_err err;
		const struct loom_load_options options = {
			.load = 0.5, .flits = 5, .measure_cycles = 1, .rule = (enum loom_rule)cases[i].rule};
		const int code = check(cases[i].fabric, cases[i].pattern, cases[i].map, &options, &err);
		if (code != (cases[i].says ? LOOM_EINPUT : 0) || (cases[i].says && !strstr(err.text, cases[i].says)))
			fail_msg("%s %s by rule %u: %d, \"%s\"", cases[i].fabric, cases[i].pattern, cases[i].rule, code,
			         err.text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers), cmocka_unit_test(test_bursts),
	                                   cmocka_unit_test(test_circles)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
