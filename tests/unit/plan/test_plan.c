// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks the requests when a plan is made: maps, rules, planners, and what is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/plan.h>

#include "base/rng.h"
#include "unit/help/plans_by_hand.h"

static void test_maps(void **state)
{
	(void)state;
	struct loom_rng rng;
	loom_rng_init(&rng, 1);
	for (unsigned n = 1; n <= 10; n++) {
		struct loom_topo t = cube_of(n);
		struct loom_pattern p = pattern_by_hand(&rng, t.n_nodes, 5, 1);
		const char *const same[] = {NULL, "best", "identity"};
		for (size_t i = 0; i < 3; i++) {
			struct loom_plan plan = make_plan(&t, &p, same[i], "direct", NULL);
			assert_int_equal(plan.n_order, n);
			for (unsigned d = 0; d < n; d++)
				assert_int_equal(plan.order[d], d);
			for (uint32_t v = 0; v < t.n_nodes; v++)
				assert_int_equal(plan.map[v], v);
			assert_string_equal(plan.planner, "direct");
			assert_string_equal(plan.pattern, "by hand");
			assert_int_equal(plan.n_passes, 1);
			loom_plan_free(&plan);
		}

		// Bit orders and the same as a list of nodes; then a list which is no bit order.
		char bits[64] = "", *nodes = calloc(t.n_nodes, 8);
		unsigned order[10];
		assert_non_null(nodes);
		for (unsigned d = 0; d < n; d++)
			order[d] = d;
		for (unsigned d = n; d > 1; d--) {
			unsigned other = (unsigned)loom_rng_below(&rng, d), swapped = order[d - 1];
			order[d - 1] = order[other];
			order[other] = swapped;
		}
		for (unsigned d = 0; d < n; d++)
			(void)sprintf(bits + strlen(bits), "%s%u", d ? "," : "", order[d]);
		struct loom_plan by_bits = make_plan(&t, &p, bits, "direct", NULL);
		assert_int_equal(by_bits.n_order, n);
		for (uint32_t v = 0; v < t.n_nodes; v++) {
			uint32_t node = 0;
			for (unsigned d = 0; d < n; d++)
				if (v & 1u << order[d])
					node += 1u << d;
			assert_int_equal(by_bits.map[v], node);
			(void)sprintf(nodes + strlen(nodes), "%s%u", v ? ", " : "", node);
		}
		struct loom_plan by_nodes = make_plan(&t, &p, nodes, "direct", NULL);
		assert_memory_equal(by_bits.map, by_nodes.map, t.n_nodes * sizeof *by_bits.map);
		assert_int_equal(by_nodes.n_order, n);
		assert_memory_equal(by_bits.order, by_nodes.order, n * sizeof *by_bits.order);
		loom_plan_free(&by_bits);
		loom_plan_free(&by_nodes);

		nodes[0] = '\0';
		for (uint32_t v = 0; v < t.n_nodes; v++)
			(void)sprintf(nodes + strlen(nodes), "%s%u", v ? "," : "", t.n_nodes - 1 - v);
		by_nodes = make_plan(&t, &p, nodes, "direct", NULL);
		assert_int_equal(by_nodes.n_order, 0);
		for (uint32_t v = 0; v < t.n_nodes; v++)
			assert_int_equal(by_nodes.map[v], t.n_nodes - 1 - v);
		loom_plan_free(&by_nodes);
		free(nodes);
		loom_pattern_free(&p);
	}
}

static void refused(const struct loom_topo *t, const struct loom_pattern *p, struct loom_plan_options options,
                    const char *says)
{
	struct loom_plan plan, before;
	struct loom_err err = {0};
	memset(&plan, 0xa5, sizeof plan);
	memcpy(&before, &plan, sizeof plan);
	assert_int_equal(loom_plan_make(&plan, t, p, &options, &err), LOOM_EINPUT);
	assert_int_equal(err.code, LOOM_EINPUT);
	if (!strstr(err.text, says))
		fail_msg("\"%s\" does not say \"%s\"", err.text, says);
	assert_memory_equal(&plan, &before, sizeof plan);
	assert_int_equal(loom_plan_make(&plan, t, p, &options, NULL), LOOM_EINPUT);
}

static void test_map_errors(void **state)
{
	(void)state;
	static const struct {
		const char *map, *says;
	} cases[] = {
		{"", "3 numbers (a bit order) or 8 numbers (a node for each processor)"},
		{"bset", "did you mean \"best\"?"},
		{"identty", "did you mean \"identity\"?"},
		{"BEST", "\"best\""},
		{"0,1", "2 numbers, but cube:3 takes 3 (a bit order) or 8"},
		{"0", "1 number, but cube:3 takes 3"},
		{"0,1,2,3", "4 numbers, but"},
		{"0,1,2,3,4,5,6,7,8", "9 numbers, but"},
		{"0,1,1", "1 is repeated, at places 2 and 3: 3 numbers are a bit order, each of 0..2 once"},
		{"0,1,3", "3 at place 3 is out of range: 3 numbers are a bit order, 0..2"},
		{"0,1,2,3,4,5,6,8", "8 at place 8 is out of range: 8 numbers are the node of each processor, 0..7"},
		{"0,1,2,3,4,5,6,0", "0 is repeated, at places 1 and 8"},
		{"0,1,4294967296", "the number at place 3 is out of range"},
		{"0,1,99999999999999999999999", "the number at place 3 is out of range"},
		{"rows", "\"row-major\""},
		{"0,,1", "no number at character 3"},
		{"0,1,2,", "no number at character 7"},
		{",0,1,2", "no number at character 1"},
		{"0,1,-2", "no number at character 5"},
		{"0,1,2x", "no number at character 6"},
		{"0 1 2", "no number at character 3"},
		{"0,1,2\n", "no number at character 6"},
		{"[0,1,2]", "no number at character 1"},
	};
	struct loom_rng rng;
	loom_rng_init(&rng, 2);
	struct loom_topo t = cube_of(3);
	struct loom_pattern p = pattern_by_hand(&rng, 8, 5, 1);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		refused(&t, &p, (struct loom_plan_options){.map = cases[i].map}, cases[i].says);

	char *many = malloc(400001); // far more numbers than nodes
	assert_non_null(many);
	for (size_t i = 0; i < 200000; i++)
		memcpy(many + 2 * i, "7,", 2);
	many[399999] = '\0';
	refused(&t, &p, (struct loom_plan_options){.map = many}, "200000 numbers, but");
	free(many);
	loom_pattern_free(&p);
}

// Every message has the requested rule, and only planners that keep it are chosen.
static void test_rule(void **state)
{
	(void)state;
	static const char *const fabrics[] = {"cube:4", "mesh:4x4", "torus:4x4", "ring:16", "torus:4x4v2", "ring:16v2"};
	static const char *const planners[] = {NULL, "greedy", "direct"};
	for (size_t f = 0; f < sizeof fabrics / sizeof fabrics[0]; f++)
		for (size_t k = 0; k < sizeof planners / sizeof planners[0]; k++) {
			struct loom_topo t;
			struct loom_pattern p;
			assert_int_equal(loom_topo_parse(&t, fabrics[f], NULL), 0);
			assert_int_equal(loom_pattern_parse(&p, "perm:1,0,3,2,5,4,7,6,9,8,11,10,13,12,15,14", 16,
			                                    &(struct loom_pattern_options){.flits = 5}, NULL),
			                 0);
			for (unsigned rule = 0; rule < loom_topo_rules_count(&t); rule++) {
				const struct loom_plan_options options = {.planner = planners[k],
				                                          .rule = loom_rule_name(rule)};
				struct loom_plan plan;
				struct loom_err err = {0};
				int rc = loom_plan_make(&plan, &t, &p, &options, &err);
				if (rule >= LOOM_RULE_ONE_WAY && k != 1 &&
				    t.n_vcs == 1) { // round the whole ring: it can lock
					assert_int_equal(rc, LOOM_EINPUT);
					assert_non_null(strstr(err.text, "can lock"));
					continue;
				}
				if (rc != 0)
					fail_msg("%s, %s: %s", t.name, options.rule, err.text);
				assert_string_equal(plan.planner, k ? planners[k] : "direct");
				for (size_t i = 0; i < plan.n_messages; i++)
					assert_int_equal(plan.messages[i].rule, rule);
				loom_plan_free(&plan);
			}
			loom_pattern_free(&p);
		}
}

static void test_request_errors(void **state)
{
	(void)state;
	struct loom_rng rng;
	loom_rng_init(&rng, 3);
	struct loom_topo t = cube_of(3);
	struct loom_pattern p = pattern_by_hand(&rng, 8, 12, 1), set = pattern_by_hand(&rng, 8, 12, 3);
	refused(&t, &p, (struct loom_plan_options){.planner = "dirct"}, "did you mean \"direct\"?");
	refused(&t, &p, (struct loom_plan_options){.planner = "zzzzzzzzzz"},
	        "there is: lcc, linear_map, lcc_set, latin, exchange, two_pass, otis, min_passes, mesh, torus, line, "
	        "ring, exact, greedy, ad_hoc, direct, xy, yx, block, reroute, routes+passes");
	refused(&t, &p, (struct loom_plan_options){.planner = "lcc"},
	        "planners that can: exact, greedy, ad_hoc, direct, xy, yx, block, reroute, routes+passes");
	refused(&t, &p, (struct loom_plan_options){.objective = "maxmax"}, "no set");
	refused(&t, &p, (struct loom_plan_options){.cost = "otis=4", .planner = "direct"},
	        "planner direct does not choose by the cost of moves");
	refused(&t, &p, (struct loom_plan_options){.cost = "otis=four"}, "\"otis=four\" is not otis= and a number");
	refused(&t, &p, (struct loom_plan_options){.rule = "one-way"}, "cube:3 has no rule one-way");
	refused(&t, &p, (struct loom_plan_options){.rule = "upward"}, "cube:3 has: ascending, descending");
	refused(&t, &p, (struct loom_plan_options){.rule = "descending", .planner = "two_pass"},
	        "planner two_pass settles by which rule messages go; planners that take");
	refused(&t, &p, (struct loom_plan_options){.rule = "ascending", .planner = "two_pass"},
	        "by a given one: exact, greedy, direct");
	refused(&t, &set, (struct loom_plan_options){.objective = "minmax"}, "minmax");
	p.n_nodes = 4;
	refused(&t, &p, (struct loom_plan_options){0}, "4 processors, but cube:3 has 8 nodes");
	p.n_nodes = 8;
	p.n_messages = LOOM_MESSAGES_MAX + 1;
	refused(&t, &p, (struct loom_plan_options){0}, "1048577 messages");
	loom_pattern_free(&p);
	loom_pattern_free(&set);
	loom_plan_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_maps),
		cmocka_unit_test(test_map_errors),
		cmocka_unit_test(test_rule),
		cmocka_unit_test(test_request_errors),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
