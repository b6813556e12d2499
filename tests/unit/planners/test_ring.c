// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Planners ring and exact: against the histograms of [Youssef93], section 5, and against a colouring that tries all. What a half-duplex
// plan promises, and what plans claim of their passes.
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include <flitloom/plan.h>

#include "reference/ref_colours.h"
#include "base/rng.h"
#include "unit/help/orders.h"
#include "plan/planners/arcs.h"
#include "unit/help/golden_file.h"

#define MESSAGES_MOST 40

// --- Arcs, which is the ring clockwise --------------------------------------------------------------------------------

// The least number of passes of a permutation that goes clockwise, and the load of its links.
static struct loom_passes_found clockwise(const unsigned *f, uint32_t n, unsigned *load, uint64_t steps)
{
	struct loom_arc arc[64];
	struct loom_passes_found found = {0};
	struct loom_budget budget;
	uint32_t pass[64];
	size_t n_arcs = 0;
	unsigned hops = 0;
	bool used[64] = {false};
	for (uint32_t x = 0; x < n; x++) {
		if (f[x] != x)
			arc[n_arcs++] = (struct loom_arc){x, (f[x] + n - x) % n};
		hops += (f[x] + n - x) % n;
	}
	*load = hops / n;
	loom_budget_begin(&budget, NULL, steps);
	assert_true(loom_arcs_colour(pass, &found, n, arc, n_arcs, &budget));
	for (size_t i = 0; i < n_arcs; i++) {
		assert_true(pass[i] < found.n_passes);
		used[pass[i]] = true;
		for (size_t k = 0; k < i; k++) {
			uint32_t ahead = (arc[k].first + n - arc[i].first) % n,
				 behind = (arc[i].first + n - arc[k].first) % n;
			if (pass[i] == pass[k] && (ahead < arc[i].n || behind < arc[k].n))
				fail_msg("ring of %" PRIu32 ": %" PRIu32 "+%" PRIu32 " and %" PRIu32 "+%" PRIu32
				         " share a pass",
				         n, arc[i].first, arc[i].n, arc[k].first, arc[k].n);
		}
	}
	for (uint32_t p = 0; p < found.n_passes; p++)
		assert_true(used[p]);
	assert_true(found.n_least <= found.n_passes && found.n_least >= *load);
	return found;
}

// Every load and least number of passes as often as the algorithm of [Youssef93], section 5, run to its end, has it.
static void test_golden_histograms(void **state)
{
	(void)state;
	json_t *root = golden_json("001_ring.json");
	for (unsigned n = 2; n <= 8; n++) {
		unsigned order[8], count[16][16] = {{0}}, load, n_seen = 0, n_all = 0;
		char key[32];
		for (unsigned i = 0; i < n; i++)
			order[i] = i;
		do {
			struct loom_passes_found found = clockwise(order, n, &load, UINT64_MAX / 4);
			assert_int_equal(found.n_least, found.n_passes);
			count[load][found.n_passes]++;
			n_all++;
		} while (next_order(order, n));
		(void)snprintf(key, sizeof key, "%u", n);
		const json_t *histogram = json_object_get(json_object_get(root, "histogram_all_permutations"), key);
		const char *text = n == 8 ? json_string_value(json_object_get(root, "N8_from_C")) : NULL;
		assert_true(histogram || text);
		for (unsigned w = 0; w < 16; w++)
			for (unsigned chi = 0; chi < 16; chi++) {
				(void)snprintf(key, sizeof key, text ? "W%u:chi%u " : "W%u:chi%u", w, chi);
				const char *at = text ? strstr(text, key) : NULL;
				unsigned wanted = text ? (at ? (unsigned)strtoul(at + strlen(key), NULL, 10) : 0)
				                       : (unsigned)json_integer_value(json_object_get(histogram, key));
				check(count[w][chi] == wanted, 100 * w + chi);
				n_seen += wanted;
			}
		assert_int_equal(n_seen, n_all);
	}
	json_decref(root);
}

static void test_golden_cases(void **state)
{
	(void)state;
	json_t *root = golden_json("001_ring.json"), *item;
	size_t index;
	json_array_foreach(json_object_get(root, "cases"), index, item) {
		const json_t *f = json_object_get(item, "f");
		unsigned n = (unsigned)json_array_size(f), to[16], load;
		for (unsigned x = 0; x < n; x++)
			to[x] = (unsigned)json_integer_value(json_array_get(f, x));
		struct loom_passes_found found = clockwise(to, n, &load, UINT64_MAX / 4);
		check(load == json_integer_value(json_object_get(item, "load")), index);
		check(found.n_passes == json_integer_value(json_object_get(item, "min_passes")), index);
		check(found.n_passes == found.n_least, index);
	}
	assert_int_equal(index, 9);
	json_decref(root);
}

// With any small budget there are passes, but the plan claims less about them.
static void test_small_budgets(void **state)
{
	(void)state;
	struct loom_rng rng;
	unsigned n_open = 0, n_better = 0;
	loom_rng_init(&rng, 3);
	for (unsigned round = 0; round < 60; round++) {
		unsigned f[64], load, n = 4 + (unsigned)loom_rng_below(&rng, 61);
		for (unsigned i = 0; i < n; i++) {
			unsigned k = (unsigned)loom_rng_below(&rng, i + 1);
			f[i] = i;
			f[i] = f[k];
			f[k] = i;
		}
		struct loom_passes_found none = clockwise(f, n, &load, 0), some = clockwise(f, n, &load, 3000000);
		check(none.n_least <= some.n_least && none.n_passes >= some.n_least, round);
		n_open += none.n_passes > none.n_least;
		n_better += some.n_passes < none.n_passes;
	}
	print_message("without a step %u of 60 are open; with 3 million steps %u have fewer passes\n", n_open,
	              n_better);
	assert_true(n_open > 20 && n_better > 10);
}

// --- Plans ------------------------------------------------------------------------------------------------------------

struct request {
	struct loom_topo topo;
	struct loom_pattern pattern;
	struct loom_message messages[MESSAGES_MOST];
	struct loom_plan_options options;
};

static void make_plan(struct loom_plan *out, const struct request *r)
{
	struct loom_err err = {0};
	if (loom_plan_make(out, &r->topo, &r->pattern, &r->options, &err) != 0)
		fail_msg("planner %s on %s: %s", r->options.planner, r->topo.name, err.text);
}

// Random messages, or a permutation: n 0.
static void make_pattern(struct request *r, const char *fabric, size_t n, struct loom_rng *rng)
{
	struct loom_err err = {0};
	assert_int_equal(loom_topo_parse(&r->topo, fabric, &err), 0);
	uint32_t n_nodes = r->topo.n_nodes;
	for (uint32_t i = 0; n == 0 && i < n_nodes; i++) {
		uint32_t k = (uint32_t)loom_rng_below(rng, i + 1);
		r->messages[i] =
			(struct loom_message){.source = i, .destination = r->messages[k].destination, .flits = 4};
		r->messages[k].destination = i;
	}
	for (size_t i = 0; i < n; i++)
		r->messages[i] = (struct loom_message){.source = (uint32_t)loom_rng_below(rng, n_nodes),
		                                       .destination = (uint32_t)loom_rng_below(rng, n_nodes),
		                                       .flits = 1 + (uint32_t)loom_rng_below(rng, 5)};
	assert_int_equal(
		loom_pattern_from_messages(&r->pattern, "messages", n_nodes, r->messages, n ? n : n_nodes, &err), 0);
}

// Checks by the reference's routes that no two messages of a pass conflict, and that no colouring has fewer passes.
static void check_least(const struct loom_plan *plan, uint64_t seed)
{
	struct ref_net net;
	struct ref_way way[MESSAGES_MOST];
	bool conflicts[MESSAGES_MOST * MESSAGES_MOST];
	unsigned n = (unsigned)plan->n_messages;
	assert_int_equal(ref_net_parse(&net, plan->topo.name), 0);
	for (unsigned i = 0; i < n; i++)
		way[i] = (struct ref_way){plan->map[plan->messages[i].source], plan->map[plan->messages[i].destination],
		                          (enum ref_order)plan->messages[i].rule};
	assert_int_equal(ref_conflicts(conflicts, &net, plan->half_duplex, way, n), 0);
	for (unsigned i = 0; i < n; i++)
		for (unsigned k = 0; k < i; k++)
			check(!conflicts[i * n + k] || plan->messages[i].pass != plan->messages[k].pass, seed);
	unsigned least = ref_colours(conflicts, n);
	if (plan->n_passes != (least ? least : 1))
		fail_msg("%s on %s, seed %" PRIu64 ": %" PRIu32 " passes, %u are possible", plan->planner,
		         plan->topo.name, seed, plan->n_passes, least);
	check(loom_plan_is_optimal(plan), seed);
	enum loom_proof proof;
	check(loom_plan_passes_least(&proof, plan) <= plan->n_passes, seed);
}

// Permutations and lists with several messages per node, by every rule, half duplex and full.
static void test_against_reference(void **state)
{
	(void)state;
	static const struct {
		const char *fabric, *planners[2], *rules[4];
		unsigned rounds;
	} cases[] = {
		{"ring:2", {"ring", "exact"}, {"ascending", "one-way"}, 30},
		{"ring:3", {"ring", "exact"}, {"ascending", "one-way"}, 30},
		{"ring:6", {"ring", "exact"}, {"ascending", "one-way"}, 80},
		{"ring:7", {"ring", "exact"}, {"ascending", "one-way"}, 80},
		{"ring:8", {"ring", "exact"}, {"ascending", "one-way"}, 80},
		{"line:7", {"line", "exact"}, {"ascending"}, 60},
		{"mesh:3x3", {"exact"}, {"ascending", "descending"}, 40},
		{"torus:3x4", {"exact"}, {"ascending", "descending", "one-way", "one-way-descending"}, 20},
		{"cube:3", {"exact"}, {"ascending", "descending"}, 40},
	};
	for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++)
		for (unsigned p = 0; p < 2 && cases[c].planners[p]; p++)
			for (unsigned rule = 0; rule < 4 && cases[c].rules[rule]; rule++)
				for (unsigned round = 0; round < cases[c].rounds; round++) {
					struct request r = {.options = {.planner = cases[c].planners[p],
					                                .rule = cases[c].rules[rule],
					                                .half_duplex = round % 4 == 3}};
					struct loom_plan plan;
					struct loom_rng rng;
					loom_rng_init(&rng, 1000 * c + round);
					make_pattern(&r, cases[c].fabric, round % 2 ? 1 + loom_rng_below(&rng, 13) : 0,
					             &rng);
					make_plan(&plan, &r);
					// There is no promise for a line whose two directions conflict.
					if (strcmp(plan.planner, "line") != 0 || plan.half_duplex || round % 2 == 0)
						check_least(&plan, 1000 * c + round);
					loom_plan_free(&plan);
					loom_pattern_free(&r.pattern);
				}
}

// The shorter way never needs more passes than one way round.
static void test_shorter_way(void **state)
{
	(void)state;
	struct loom_rng rng;
	loom_rng_init(&rng, 5);
	for (unsigned round = 0; round < 100; round++) {
		char fabric[16];
		(void)snprintf(fabric, sizeof fabric, "ring:%u", 2 + (unsigned)loom_rng_below(&rng, 11));
		struct request r = {.options = {.planner = "ring"}};
		struct loom_plan shorter, one_way;
		make_pattern(&r, fabric, round % 2 ? 20 : 0, &rng);
		make_plan(&shorter, &r);
		r.options.rule = "one-way";
		make_plan(&one_way, &r);
		unsigned n = r.topo.n_nodes;
		check(shorter.n_passes <= one_way.n_passes, round);
		loom_plan_free(&shorter);
		loom_plan_free(&one_way);
		loom_pattern_free(&r.pattern);
	}
}

// Large ones: nothing is tried, but what is claimed fits, and no channel is used twice.
static void test_large(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= 12; seed++) {
		struct loom_topo topo;
		struct loom_pattern pattern;
		struct loom_plan plan;
		struct loom_err err = {0};
		const struct loom_plan_options options = {.planner = seed % 3 ? "ring" : "exact",
		                                          .rule = seed % 2 ? "one-way" : NULL,
		                                          .half_duplex = seed % 4 == 0,
		                                          .budget_seconds = seed % 5 ? 0.05 : 0};
		const struct loom_pattern_options of = {.flits = 3, .seed = seed};
		assert_int_equal(loom_topo_parse(&topo, "ring:48", &err), 0);
		assert_int_equal(loom_pattern_parse(&pattern, seed % 4 ? "random-perm" : "uniform:150", 48, &of, &err),
		                 0);
		assert_int_equal(loom_plan_make(&plan, &topo, &pattern, &options, &err), 0);
		enum loom_proof proof;
		uint32_t least = loom_plan_passes_least(&proof, &plan);
		assert_true(loom_plan_contention(&plan) == 1 && least >= plan.passes_bound && least <= plan.n_passes);
		assert_true(loom_plan_is_optimal(&plan) == (least == plan.n_passes));
		loom_plan_free(&plan);
		loom_pattern_free(&pattern);
	}
}

// --- What plans promise ------------------------------------------------------------------------------------------------

static void refused(const struct loom_plan_options *options, const char *fabric, const char *part)
{
	struct loom_rng rng;
	struct request r = {0};
	struct loom_plan plan;
	struct loom_err err = {0};
	loom_rng_init(&rng, 1);
	make_pattern(&r, fabric, 0, &rng);
	assert_int_equal(loom_plan_make(&plan, &r.topo, &r.pattern, options, &err), LOOM_EINPUT);
	if (!strstr(err.text, part))
		fail_msg("\"%s\" does not say \"%s\"", err.text, part);
	loom_pattern_free(&r.pattern);
}

static void test_refused(void **state)
{
	(void)state;
	refused(&(struct loom_plan_options){.half_duplex = true}, "omega:8",
	        "omega:8 has no links with two directions");
	refused(&(struct loom_plan_options){.half_duplex = true, .planner = "direct"}, "line:7",
	        "planner direct heeds no half duplex; planners of messages on line:7 that do: line, exact, greedy");
	refused(&(struct loom_plan_options){.budget_seconds = -1}, "line:7", "a budget of -1 seconds");
	refused(&(struct loom_plan_options){.budget_seconds = NAN}, "line:7", "seconds");
	refused(&(struct loom_plan_options){.planner = "line"}, "ring:8", "planner line");
	refused(&(struct loom_plan_options){.planner = "ring"}, "line:8", "planner ring");
}

// A half-duplex plan that uses both directions of a link in one pass is refused, whatever its origin.
static void test_half_duplex_is_kept(void **state)
{
	(void)state;
	struct loom_err err = {0};
	struct request r = {.options = {.planner = "line"}};
	struct loom_plan plan, copy;
	const uint32_t f[7] = {1, 5, 3, 6, 4, 2, 0};
	assert_int_equal(loom_topo_parse(&r.topo, "line:7", &err), 0);
	for (uint32_t i = 0; i < 7; i++)
		r.messages[i] = (struct loom_message){.source = i, .destination = f[i], .flits = 3};
	assert_int_equal(loom_pattern_from_messages(&r.pattern, "Youssef93", 7, r.messages, 7, &err), 0);
	make_plan(&plan, &r);
	assert_true(plan.n_passes == 2 && plan.passes_bound == 2 && !plan.half_duplex);
	plan.half_duplex = true;
	assert_int_equal(loom_plan_predict(&plan, &err), LOOM_EINPUT);
	if (!strstr(err.text, "both directions of the link") || !strstr(err.text, "pass 0"))
		fail_msg("%s", err.text);
	loom_plan_free(&plan);
	r.options.half_duplex = true;
	make_plan(&plan, &r);
	assert_true(plan.n_passes == 4 && plan.passes_bound == 4 && plan.half_duplex && loom_plan_is_optimal(&plan));

	// The same holds for its file, in which no value can be changed alone.
	static const char *const changes[][3] = {
		{"\"optimal\": true", "\"optimal\": false", "\"optimal\" is not true"},
		{"\"half_duplex\": true", "\"half_duplex\": false", "passes_bound is predicted as 4"},
		{"\"half_duplex\": true", "\"half_duplex\": 1", "neither true nor false"},
		{"\"passes_proved\": null", "\"passes_proved\": {\"passes\": 5, \"by\": \"search\"}",
	         "at most the passes"},
		{"\"passes_proved\": null", "\"passes_proved\": {\"passes\": 4, \"by\": \"heart\"}",
	         "clique or search"},
	};
	char text[8192];
	assert_int_equal(loom_plan_write(&plan, "build/test_ring.json", &err), 0);
	FILE *file = fopen("build/test_ring.json", "r");
	assert_non_null(file);
	size_t length = fread(text, 1, sizeof text - 1, file);
	text[length] = '\0';
	(void)fclose(file);
	(void)remove("build/test_ring.json");
	assert_int_equal(loom_plan_parse(&copy, text, length, "the file", &err), 0);
	assert_true(copy.half_duplex && loom_plan_is_optimal(&copy));
	loom_plan_free(&copy);
	for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
		char changed[9000];
		const char *at = strstr(text, changes[i][0]);
		assert_non_null(at);
		(void)snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, changes[i][1],
		               at + strlen(changes[i][0]));
		assert_int_equal(loom_plan_parse(&copy, changed, strlen(changed), "the file", &err), LOOM_EINPUT);
		if (!strstr(err.text, changes[i][2]))
			fail_msg("\"%s\" does not say \"%s\"", err.text, changes[i][2]);
	}
	loom_plan_free(&plan);
	loom_pattern_free(&r.pattern);
}

// Counts permutations: 30528 of those of 8 nodes pass a cube in one e-cube pass; their inverses are those that pass under
// e^-1-cube.
static void test_one_pass(void **state)
{
	(void)state;
	unsigned order[8] = {0, 1, 2, 3, 4, 5, 6, 7}, ascending = 0, descending = 0, rules;
	bool is_permutation;
	struct loom_err err = {0};
	struct loom_plan_message messages[9] = {{0}};
	uint32_t map[8] = {0, 1, 2, 3, 4, 5, 6, 7};
	struct loom_plan plan = {.n_messages = 8, .n_members = 1, .messages = messages, .map = map};
	assert_int_equal(loom_topo_parse(&plan.topo, "cube:3", &err), 0);
	do {
		for (uint32_t i = 0; i < 8; i++)
			messages[i] = (struct loom_plan_message){
				.source = i, .destination = order[i], .flits = 1, .origin = i};
		assert_int_equal(loom_plan_one_pass(&rules, &is_permutation, &plan, &err), 0);
		assert_true(is_permutation);
		ascending += rules & 1;
		descending += rules >> 1 & 1;
		assert_true(rules < 4);
	} while (next_order(order, 8));
	assert_int_equal(ascending, 30528);
	assert_int_equal(descending, 30528);
	// A node that sends twice, or is sent to twice, makes it no permutation; one that sends nothing does not.
	plan.n_messages = 9;
	messages[8] = (struct loom_plan_message){.source = 3, .destination = 3, .origin = 8};
	assert_int_equal(loom_plan_one_pass(&rules, &is_permutation, &plan, &err), 0);
	assert_false(is_permutation);
	plan.n_messages = 1;
	assert_int_equal(loom_plan_one_pass(&rules, &is_permutation, &plan, &err), 0);
	assert_true(is_permutation && rules == 3);
	plan.n_members = 2;
	assert_int_equal(loom_plan_one_pass(&rules, &is_permutation, &plan, &err), 0);
	assert_false(is_permutation);
}

// By which rules: those of the fabric, and none twice. On a ring of 8 a shift by 3 has three messages on each link, one
// by 1 never two.
static void test_rules_of_one_pass(void **state)
{
	(void)state;
	static const struct {
		const char *fabric, *spec, *planner;
		unsigned rules;
	} cases[] = {
		{"ring:8", "shift:1", "ring", 1 << LOOM_RULE_ASCENDING | 1 << LOOM_RULE_ONE_WAY},
		{"ring:8", "perm:7,0,1,2,3,4,5,6", "ring", 1 << LOOM_RULE_ASCENDING},
		{"ring:8", "shift:3", "ring", 0},
		{"line:8", "shift:1", "line", 1 << LOOM_RULE_ASCENDING},
		{"mesh:3x3", "shift:0,1", "direct", 3},
		{"omega:8", "shift:3", "direct", 1 << LOOM_RULE_ASCENDING},
		{"cube:4", "bit-reverse", "two_pass", 0},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct loom_topo topo;
		struct loom_pattern pattern;
		struct loom_plan plan;
		struct loom_err err = {0};
		unsigned rules;
		bool is_permutation;
		assert_int_equal(loom_topo_parse(&topo, cases[i].fabric, &err), 0);
		const struct loom_pattern_options of = {
			.flits = 3, .seed = 1, .n_dims = topo.n_dims, .extent = topo.extent};
		const struct loom_plan_options by = {.planner = cases[i].planner};
		assert_int_equal(loom_pattern_parse(&pattern, cases[i].spec, topo.n_nodes, &of, &err), 0);
		assert_int_equal(loom_plan_make(&plan, &topo, &pattern, &by, &err), 0);
		assert_int_equal(loom_plan_one_pass(&rules, &is_permutation, &plan, &err), 0);
		if (!is_permutation || rules != cases[i].rules)
			fail_msg("%s on %s: rules %x", cases[i].spec, cases[i].fabric, rules);
		loom_plan_free(&plan);
		loom_pattern_free(&pattern);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_golden_histograms), cmocka_unit_test(test_golden_cases),
		cmocka_unit_test(test_small_budgets),     cmocka_unit_test(test_against_reference),
		cmocka_unit_test(test_shorter_way),       cmocka_unit_test(test_large),
		cmocka_unit_test(test_refused),           cmocka_unit_test(test_half_duplex_is_kept),
		cmocka_unit_test(test_one_pass),          cmocka_unit_test(test_rules_of_one_pass),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
