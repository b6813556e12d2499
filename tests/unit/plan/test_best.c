// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Planner best: against each planner asked by name; a search that is ended.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include <flitloom/back_to_back.h>
#include <flitloom/plan.h>
#include <flitloom/machine.h>
#include <flitloom/planner.h>

#define STEPS 20000 // of planners that search

struct request {
	struct loom_topo topo;
	struct loom_pattern pattern;
};

static void ask(struct request *out, const char *fabric, const char *spec, uint64_t seed)
{
	struct loom_err err = {0};
	assert_int_equal(loom_topo_parse(&out->topo, fabric, &err), 0);
	const struct loom_pattern_options options = {
		.flits = 9, .seed = seed, .n_dims = out->topo.n_dims, .extent = out->topo.extent};
	if (loom_pattern_parse(&out->pattern, spec, out->topo.n_nodes, &options, &err) != 0)
		fail_msg("%s: %s", spec, err.text);
}

// From START: 8 cycles for each pass, 3 after each but the last, each pass 9 with them at least. Where messages meet, as the machine has
// it, which other tests hold to the reference.
static uint64_t slow_time(const struct loom_plan *plan)
{
	uint64_t sum = 0;
	for (uint32_t p = 0; p < plan->n_passes; p++) {
		if (plan->cycles[p] == LOOM_CYCLES_UNKNOWN) {
			assert_int_equal(loom_machine_cycles(&sum, plan, LOOM_MACHINE_FAST, NULL), 0);
			return sum;
		}
		bool barrier = !plan->free_running && p + 1 < plan->n_passes;
		uint64_t cycles = plan->cycles[p] + (barrier ? 3 : 0);
		sum += barrier && cycles < 9 ? 9 : cycles;
		sum += p == 0 || !plan->free_running ? 8 : 0;
	}
	return sum;
}

static void test_against_each(void **state)
{
	(void)state;
	static const struct {
		const char *fabric, *spec;
	} rows[] = {{"cube:4", "random-perm"},      {"cube:4", "transpose"},    {"cube:3", "all-to-all"},
	            {"mesh:3x4", "random-perm"},    {"mesh:3x4", "uniform:30"}, {"torus:3x3", "uniform:9"},
	            {"ring:7", "random-perm"},      {"line:8", "random-perm"},  {"omega:8", "random-perm"},
	            {"omega:8", "all-to-all"},      {"benes:8", "random-perm"}, {"mesh:2x2", "identity"},
	            {"table-mesh:4x4", "transpose"}};
	for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
		struct request q;
		struct loom_plan best, plan;
		struct loom_err err = {0};
		uint64_t least = LOOM_CYCLES_UNKNOWN, second = LOOM_CYCLES_UNKNOWN;
		unsigned n_plans = 0;
		ask(&q, rows[r].fabric, rows[r].spec, r);
		const struct loom_plan_options by = {.planner = "best", .most_steps = STEPS};
		assert_int_equal(loom_plan_make(&best, &q.topo, &q.pattern, &by, &err), 0);
		for (size_t i = 0; loom_planner_at(i); i++) {
			const struct loom_plan_options one = {.planner = loom_planner_at(i)->name, .most_steps = STEPS};
			if ((loom_planner_at(i)->only_by_name && q.topo.kind->spare_label_bits == 0) ||
			    loom_plan_make(&plan, &q.topo, &q.pattern, &one, &err) != 0)
				continue;
			uint64_t cycles = slow_time(&plan);
			assert_true(loom_plan_cycles_with_barriers(&plan) == LOOM_CYCLES_UNKNOWN ||
			            cycles == loom_plan_cycles_with_barriers(&plan));
			assert_int_equal(loom_plan_how_made(&plan)->contest.n_tried, 0);
			second = cycles < least ? least : cycles < second ? cycles : second;
			least = cycles < least ? cycles : least;
			n_plans++;
			loom_plan_free(&plan);
		}
		assert_int_equal(loom_plan_how_made(&best)->contest.n_tried, n_plans);
		assert_int_equal(loom_plan_how_made(&best)->contest.n_left, 0);
		assert_true(slow_time(&best) == least);
		assert_true(loom_plan_how_made(&best)->contest.runner_up_cycles == second);
		assert_true(loom_planner_named(best.planner) != NULL);
		assert_true(strcmp(best.planner, loom_plan_how_made(&best)->contest.runner_up) != 0 &&
		            loom_planner_named(loom_plan_how_made(&best)->contest.runner_up) != NULL);
		loom_plan_free(&best);
		loom_pattern_free(&q.pattern);
	}
}

static bool stop_at_once(void *asked)
{
	++*(unsigned *)asked;
	return true;
}

static bool never(void *asked)
{
	++*(unsigned *)asked;
	return false;
}

// The first planner finishes; what it found is the plan.
static void test_ended(void **state)
{
	(void)state;
	struct request q;
	struct loom_plan plan;
	struct loom_err err = {0};
	unsigned asked = 0;
	ask(&q, "mesh:4x4", "random-perm", 1);
	struct loom_plan_options by = {.planner = "best", .stopped = stop_at_once, .user = &asked};
	assert_int_equal(loom_plan_make(&plan, &q.topo, &q.pattern, &by, &err), 0);
	assert_true(asked > 0);
	assert_string_equal(plan.planner, "mesh");
	assert_int_equal(loom_plan_how_made(&plan)->contest.n_tried, 1);
	assert_true(loom_plan_how_made(&plan)->contest.n_left > 0);
	assert_string_equal(loom_plan_how_made(&plan)->contest.runner_up, "");
	loom_plan_free(&plan);

	by = (struct loom_plan_options){.planner = "best", .budget_seconds = 1e-9};
	assert_int_equal(loom_plan_make(&plan, &q.topo, &q.pattern, &by, &err), 0);
	assert_int_equal(loom_plan_how_made(&plan)->contest.n_tried, 1);
	assert_true(loom_plan_how_made(&plan)->contest.n_left > 0);
	loom_plan_free(&plan);

	by = (struct loom_plan_options){.planner = "best", .budget_seconds = 20, .stopped = never, .user = &asked};
	assert_int_equal(loom_plan_make(&plan, &q.topo, &q.pattern, &by, &err), 0);
	assert_int_equal(loom_plan_how_made(&plan)->contest.n_left, 0);
	loom_plan_free(&plan);
	loom_pattern_free(&q.pattern);
}

// Planners that ignore a requested option are not tried, and take no part of the time.
static void test_what_is_taken(void **state)
{
	(void)state;
	static const struct {
		struct loom_plan_options asks;
		unsigned takes;
	} rows[] = {{{.planner = "best", .half_duplex = true}, LOOM_TAKES_HALF_DUPLEX},
	            {{.planner = "best", .rule = "descending"}, LOOM_TAKES_RULES},
	            {{.planner = "best", .half_duplex = true, .rule = "descending"},
	             LOOM_TAKES_HALF_DUPLEX | LOOM_TAKES_RULES}};
	for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
		struct request q;
		struct loom_plan plan;
		struct loom_err err = {0};
		unsigned n_that_take = 0, asked = 0;
		struct loom_plan_options by = rows[r].asks;
		ask(&q, "mesh:4x4", "random-perm", 1);
		for (size_t i = 0; loom_planner_at(i); i++) {
			const struct loom_planner *p = loom_planner_at(i);
			n_that_take +=
				!p->only_by_name && (rows[r].takes & ~p->takes) == 0 && p->accepts(&q.topo, &q.pattern);
		}
		assert_true(n_that_take >= 2);
		assert_int_equal(loom_plan_make(&plan, &q.topo, &q.pattern, &by, &err), 0);
		assert_int_equal(loom_plan_how_made(&plan)->contest.n_tried, n_that_take);
		loom_plan_free(&plan);
		by.stopped = stop_at_once;
		by.user = &asked;
		assert_int_equal(loom_plan_make(&plan, &q.topo, &q.pattern, &by, &err), 0);
		assert_int_equal(loom_plan_how_made(&plan)->contest.n_tried, 1);
		assert_int_equal(loom_plan_how_made(&plan)->contest.n_left, n_that_take - 1);
		loom_plan_free(&plan);
		loom_pattern_free(&q.pattern);
	}
}

// Plans that a user may want to end early.
static void test_searches(void **state)
{
	(void)state;
	static const struct loom_planner mine = {.name = "mine", .searches = true};
	static const struct loom_planner *const own[] = {&mine, NULL};
	const struct loom_plan_options searched[] = {{.planner = "best"},
	                                             {.planner = "otis"},
	                                             {.planner = "reroute"},
	                                             {.planner = "routes+passes"},
	                                             {.map = "search"},
	                                             {.budget_seconds = 1},
	                                             {.planner = "mine", .planners = own}};
	const struct loom_plan_options others[] = {
		{0}, {.planner = "greedy", .map = "greedy"}, {.planner = "mine"}, {.planner = "nobody"}};
	for (size_t i = 0; i < sizeof searched / sizeof searched[0]; i++)
		assert_true(loom_plan_searches(&searched[i]));
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
		assert_false(loom_plan_searches(&others[i]));
}

// A fault in the request gives the same error as with a single planner.
static void test_refused(void **state)
{
	(void)state;
	struct request q;
	struct loom_plan plan;
	struct loom_err err = {0};
	ask(&q, "mesh:4x4", "random-perm", 1);
	struct loom_plan_options by = {.planner = "best", .map = "0,1,2"};
	assert_int_equal(loom_plan_make(&plan, &q.topo, &q.pattern, &by, &err), LOOM_EINPUT);
	assert_null(strchr(err.text, '\n'));
	assert_true(err.text[0] != '\0');
	by = (struct loom_plan_options){.planner = "best", .budget_seconds = -1};
	assert_int_equal(loom_plan_make(&plan, &q.topo, &q.pattern, &by, &err), LOOM_EINPUT);
	assert_non_null(strstr(err.text, "budget"));
	by = (struct loom_plan_options){.planner = "best"};
	q.pattern.n_nodes = 4;
	assert_int_equal(loom_plan_make(&plan, &q.topo, &q.pattern, &by, NULL), LOOM_EINPUT);
	q.pattern.n_nodes = 16;
	loom_pattern_free(&q.pattern);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_against_each),  cmocka_unit_test(test_ended),
		cmocka_unit_test(test_what_is_taken), cmocka_unit_test(test_searches),
		cmocka_unit_test(test_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
