// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Messages of different lengths in passes: against every cut of a few messages, and against the bound on many.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include <flitloom/plan.h>

#include "reference/ref_cut.h"
#include "base/rng.h"
#include "unit/help/cut_checks.h"

// A list of n messages of 1 to `longest` flits, planned by greedy; members: how many of them, n / members each.
static void plan_list(struct loom_plan *plan, struct loom_pattern *pattern, const char *fabric, size_t n,
                      uint32_t longest, const char *planner, struct loom_rng *rng)
{
	struct loom_topo topo;
	struct loom_err err = {0};
	const struct loom_plan_options by = {.planner = planner};
	struct loom_message *messages = calloc(n, sizeof *messages);
	assert_non_null(messages);
	assert_int_equal(loom_topo_parse(&topo, fabric, &err), 0);
	for (size_t i = 0; i < n; i++)
		messages[i] = (struct loom_message){.source = (uint32_t)loom_rng_below(rng, topo.n_nodes),
		                                    .destination = (uint32_t)loom_rng_below(rng, topo.n_nodes),
		                                    .flits = 1 + (uint32_t)loom_rng_below(rng, longest)};
	if (loom_pattern_from_messages(pattern, "list", topo.n_nodes, messages, n, &err) != 0 ||
	    loom_plan_make(plan, &topo, pattern, &by, &err) != 0)
		fail_msg("%s: %s", fabric, err.text);
	free(messages);
}

static void best_cut(struct ref_cut *out, const struct loom_plan *plan)
{
	struct ref_net net;
	struct ref_way way[REF_CUT_MAX];
	uint64_t length[REF_CUT_MAX];
	assert_int_equal(ref_net_parse(&net, plan->topo.name), 0);
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		size_t channels[REF_NODES_MAX + 2];
		way[i] = (struct ref_way){plan->map[m->source], plan->map[m->destination], REF_ASCENDING};
		size_t n = ref_net_walk(channels, &net, &way[i]);
		length[i] = n ? m->flits + n - 1 : 0; // F + h + 1 cycles over h = n - 2 links
	}
	assert_int_equal(ref_cut_best(out, &net, way, length, (unsigned)plan->n_messages), 0);
}

static void against_every_cut(const char *planner)
{
	static const char *const fabrics[] = {"line:4", "ring:5", "mesh:2x3", "torus:3x3", "cube:3"};
	unsigned tried = 0, fewest = 0, shortest = 0, tight = 0;
	struct loom_rng rng;
	loom_rng_init(&rng, 12);
	for (size_t f = 0; f < sizeof fabrics / sizeof fabrics[0]; f++)
		for (unsigned i = 0; i < 150; i++) {
			struct loom_plan plan;
			struct loom_pattern pattern;
			struct ref_cut best;
			struct loom_err err = {0};
			uint64_t bound = 0;
			plan_list(&plan, &pattern, fabrics[f], 1 + loom_rng_below(&rng, REF_CUT_MAX - 1),
			          i % 2 ? 300 : 20, planner, &rng);
			best_cut(&best, &plan);
			assert_int_equal(loom_plan_cycles_bound(&bound, &plan, &err), 0);
			(void)cut_check(&plan);
			assert_true(plan.n_passes >= best.passes);
			if (loom_plan_cycles(&plan) < best.length || bound > best.length)
				fail_msg("%s, list %u: %" PRIu64 " cycles, at least %" PRIu64 "; the best is %" PRIu64,
				         fabrics[f], i, loom_plan_cycles(&plan), bound, best.length);
			tried++;
			fewest += plan.n_passes == best.passes;
			shortest += loom_plan_cycles(&plan) == best.length;
			tight += bound == best.length;
			loom_plan_free(&plan);
			loom_pattern_free(&pattern);
		}
	print_message("%s: of %u lists %u in the fewest passes, %u in the fewest cycles; the bound is met in %u\n",
	              planner, tried, fewest, shortest, tight);
	assert_int_equal(fewest, tried);
	assert_true(shortest * 100 >= tried * 95);
	assert_true(tight * 2 >= tried);
}

static void test_against_every_cut(void **state)
{
	(void)state;
	against_every_cut("greedy");
	against_every_cut("exact");
}

// Every network, multistage ones included; nothing lost, one message to a channel, and not much longer than the
// bound. The search is the same on every machine, and so is what it comes to: a change that is meant writes the
// cycles anew.
static void test_many(void **state)
{
	(void)state;
	static const struct {
		const char *fabric, *planner;
		unsigned percent; // cycles in percent of the bound, averaged over the lists
		uint64_t cycles;  // sum over all lists
	} rows[] = {{"mesh:8x8", "greedy", 110, 11652},    {"torus:8x8", "greedy", 115, 10289},
	            {"cube:6", "greedy", 110, 10542},      {"omega:64", "greedy", 120, 8282},
	            {"omega:64", "min_passes", 120, 7846}, {"rbaseline:16", "greedy", 120, 25195}};
	struct loom_rng rng;
	loom_rng_init(&rng, 13);
	for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
		uint64_t cycles = 0, bounds = 0;
		for (unsigned i = 0; i < 6; i++) {
			struct loom_plan plan;
			struct loom_pattern pattern;
			struct loom_err err = {0};
			uint64_t bound = 0;
			plan_list(&plan, &pattern, rows[r].fabric, 1 + loom_rng_below(&rng, 300), 300, rows[r].planner,
			          &rng);
			assert_true(plan.n_passes >= plan.passes_bound && plan.n_passes <= plan.passes_bound + 1);
			assert_true(loom_plan_cycles(&plan) != LOOM_CYCLES_UNKNOWN); // no contention
			cut_check_messages(&plan, &pattern);
			assert_int_equal(loom_plan_cycles_bound(&bound, &plan, &err), 0);
			cycles += loom_plan_cycles(&plan);
			bounds += bound;
			loom_plan_free(&plan);
			loom_pattern_free(&pattern);
		}
		print_message("%s by %s: %" PRIu64 " cycles, the bound is %" PRIu64 "\n", rows[r].fabric,
		              rows[r].planner, cycles, bounds);
		assert_true(cycles >= bounds && cycles * 100 <= bounds * rows[r].percent);
		assert_int_equal(cycles, rows[r].cycles);
	}
}

// Lists so long that the work ends the search before its last round: the cycles depend on how many rounds there were.
// A change of the search that is meant writes the cycles anew.
static void test_long_lists(void **state)
{
	(void)state;
	static const struct {
		const char *fabric;
		uint64_t cycles; // of all lists
	} rows[] = {{"mesh:8x8", 41384}, {"cube:6", 18688}, {"omega:64", 28788}};
	struct loom_rng rng;
	loom_rng_init(&rng, 14);
	for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
		uint64_t cycles = 0;
		for (unsigned i = 0; i < 2; i++) {
			struct loom_plan plan;
			struct loom_pattern pattern;
			plan_list(&plan, &pattern, rows[r].fabric, 2000 + 1000 * i, 300, "greedy", &rng);
			cycles += loom_plan_cycles(&plan);
			loom_plan_free(&plan);
			loom_pattern_free(&pattern);
		}
		print_message("%s: %" PRIu64 " cycles\n", rows[r].fabric, cycles);
	}
}

static void test_no_bound(void **state)
{
	(void)state;
	struct loom_plan plan;
	struct loom_pattern pattern;
	struct loom_err err = {0};
	uint64_t bound = 1;
	cut_by(&plan, &pattern, "direct", "mesh:3x3", "hotspot:1", 1); // messages wait
	assert_int_equal(loom_plan_cycles_bound(&bound, &plan, &err), 0);
	assert_int_equal(bound, 0);
	loom_plan_free(&plan);
	loom_pattern_free(&pattern);
	bound = 1;
	cut_by(&plan, &pattern, "two_pass", "cube:3", "random-perm", 1); // and are relayed
	assert_int_equal(loom_plan_cycles_bound(&bound, &plan, &err), 0);
	assert_int_equal(bound, 0);
	loom_plan_free(&plan);
	loom_pattern_free(&pattern);
	// Members share no pass: twice the identity's longest is twice what one takes.
	cut_by(&plan, &pattern, "greedy", "cube:3", "set:complement+complement", 1);
	assert_int_equal(loom_plan_cycles_bound(&bound, &plan, &err), 0);
	assert_int_equal(bound, 2 * (3 + 3 + 1));
	loom_plan_free(&plan);
	loom_pattern_free(&pattern);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_against_every_cut),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_long_lists),
		cmocka_unit_test(test_no_bound),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
