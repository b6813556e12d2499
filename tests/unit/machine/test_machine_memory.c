// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Every allocation of a run on the machine fails once, and then with memory that stays used up: it says so, gives nothing and leaks
// nothing, or does without and gives the same trace. Plans with passes, relays, free runs, programs that wait, lanes, light, switches, and
// routers that choose.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <flitloom/machine.h>
#include <flitloom/routes/choice.h>

#include "unit/help/memory/failing_memory.h"
#include "unit/help/random_plans.h"
#include "unit/help/random_programs.h"
#include "unit/help/unchecked_plan.h"

static const char *const fabrics[] = {"cube:3",           "ring:6v2",    "mesh:3x4",
                                      "table-mesh:2x4v2", "otis-mesh:4", "otis-mesh:4l3w2v2",
                                      "omega:8",          "benes:4",     "graph:tests/e2e/graphs/chords.txt:v2"};
enum { N_FABRICS = sizeof fabrics / sizeof fabrics[0] };

static void compare(const struct loom_trace *got, const struct loom_trace *want)
{
	assert_int_equal(got->n_arrivals, want->n_arrivals);
	for (size_t i = 0; i < want->n_arrivals; i++) {
		assert_int_equal(got->arrivals[i].source, want->arrivals[i].source);
		assert_int_equal(got->arrivals[i].number, want->arrivals[i].number);
		assert_int_equal(got->arrivals[i].first_cycle, want->arrivals[i].first_cycle);
		assert_int_equal(got->arrivals[i].last_cycle, want->arrivals[i].last_cycle);
	}
	assert_memory_equal(got->counts, want->counts,
	                    (size_t)want->n_passes * want->n_channels * sizeof *want->counts);
}

// crossings: zeroed, asked for with each run; NULL: not asked for.
static void fail_each(const struct loom_plan *plan, bool from_then_on, struct loom_machine_crossings *crossings)
{
	const struct loom_machine_options options = {.run = {.back_to_back = true}, .crossings = crossings};
	struct loom_trace flawless;
	size_t n = 1;
	assert_int_equal(loom_machine_run(&flawless, plan, &options, NULL), 0);
	loom_machine_crossings_free(crossings);
	for (bool failed = true; failed; n++) {
		struct loom_trace trace, before;
		struct loom_err err = {0};
		memset(&trace, 0x5a, sizeof trace);
		before = trace;
		const size_t live = memory_live();
		memory_arm(n, from_then_on);
		const int code = loom_machine_run(&trace, plan, &options, &err);
		failed = memory_disarm();
		if (code == 0) {
			compare(&trace, &flawless);
			loom_trace_free(&trace);
			loom_machine_crossings_free(crossings);
		} else if (code != LOOM_ENOMEM || !failed || !strstr(err.text, "memory")) {
			fail_msg("%s, allocation %zu: %d, \"%s\"", plan->topo.name, n, code, err.text);
		}
		if (code != 0)
			assert_memory_equal(&trace, &before, sizeof trace);
		assert_true(!crossings || (!crossings->first && !crossings->at));
		if (memory_live() != live)
			fail_msg("%s, allocation %zu: %zu pieces are left", plan->topo.name, n, memory_live() - live);
	}
	loom_trace_free(&flawless);
	assert_true(n > 15);
}

static void test_plans(void **state)
{
	(void)state;
	for (int kind = 0; kind < RANDOM_KINDS; kind++)
		for (size_t f = 0; f < N_FABRICS; f++) {
			struct loom_machine_crossings crossings = {0};
			struct loom_plan plan;
			if (kind == RANDOM_FREE && strstr(fabrics[f], "otis")) // with light there are none
				continue;
			random_plan_on(&plan, (enum random_plan_kind)kind, fabrics[f], 7 + f);
			fail_each(&plan, f % 2, NULL);
			fail_each(&plan, f % 2, &crossings);
			loom_plan_free(&plan);
		}
}

static void test_programs(void **state)
{
	(void)state;
	unsigned n_run = 0;
	for (size_t f = 0; f < N_FABRICS; f++) {
		struct loom_rng rng;
		struct loom_topo topo;
		struct loom_plan plan;
		loom_rng_init(&rng, f);
		assert_int_equal(loom_topo_parse(&topo, fabrics[f], NULL), 0);
		const struct random_programs what = {
			.n_nodes = topo.n_nodes, .n_messages = 30, .most_flits = 9, .most_cycles = f % 3 ? 3000 : 20};
		struct loom_pattern p = random_programs(&what, &rng);
		const int code = loom_plan_make(&plan, &topo, &p, NULL, NULL);
		loom_pattern_free(&p);
		loom_topo_free(&topo);
		if (code) // such messages can lock
			continue;
		fail_each(&plan, f % 2, NULL);
		n_run++;
		loom_plan_free(&plan);
	}
	assert_true(n_run > 4);
}

static void test_choices(void **state)
{
	static const struct {
		const char *fabric, *rule;
	} rows[] = {{"mesh:3x3v2", "odd-even"}, {"cube:3v2b9d2", "duato"}};
	(void)state;
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		const struct loom_plan_options options = {
			.rule = rows[k].rule, .select = LOOM_SELECT_RANDOM, .seed = 5};
		const struct loom_pattern_options drawn = {.flits = 7, .seed = 3};
		struct loom_topo topo;
		struct loom_pattern p;
		struct loom_plan plan;
		assert_int_equal(loom_topo_parse(&topo, rows[k].fabric, NULL), 0);
		assert_int_equal(loom_pattern_parse(&p, "uniform:60", topo.n_nodes, &drawn, NULL), 0);
		assert_int_equal(loom_plan_make(&plan, &topo, &p, &options, NULL), 0);
		loom_pattern_free(&p);
		loom_topo_free(&topo);
		fail_each(&plan, k % 2, NULL);
		loom_plan_free(&plan);
	}
}

// A run that comes to a standstill says so as well as without failures, or that there is no memory.
static void test_standstill(void **state)
{
	(void)state;
	static const char *const rings[] = {"ring:4", "ring:4b3"};
	const struct loom_message m[] = {{0, 2, 20, 0}, {1, 3, 20, 0}, {2, 0, 20, 0}, {3, 1, 20, 0}};
	const struct loom_machine_options options = {.image = {.may_lock = true}};
	for (size_t k = 0; k < 4; k++) {
		struct loom_pattern p;
		struct loom_topo topo;
		struct loom_plan plan;
		struct loom_trace trace;
		struct loom_err flawless = {0};
		size_t n_failed = 0;
		assert_int_equal(loom_topo_parse(&topo, rings[k / 2], NULL), 0);
		assert_int_equal(loom_pattern_from_messages(&p, "by hand", 4, m, 4, NULL), 0);
		unchecked_plan(&plan, &topo, &p);
		loom_pattern_free(&p);
		assert_int_equal(loom_machine_run(&trace, &plan, &options, &flawless), LOOM_ESTUCK);
		for (size_t n = 1;; n++) {
			struct loom_err err = {0};
			const size_t live = memory_live();
			memory_arm(n, k % 2);
			const int code = loom_machine_run(&trace, &plan, &options, &err);
			const bool failed = memory_disarm();
			assert_int_equal(memory_live(), live);
			if (code == LOOM_ESTUCK)
				assert_string_equal(err.text, flawless.text);
			else if (code != LOOM_ENOMEM || !failed || !strstr(err.text, "memory"))
				fail_msg("%s, allocation %zu: %d, \"%s\"", rings[k / 2], n, code, err.text);
			n_failed += code == LOOM_ENOMEM;
			if (!failed)
				break;
		}
		assert_true(n_failed > 40); // both runs, and the search for the circle
		loom_plan_free(&plan);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_plans), cmocka_unit_test(test_programs),
	                                   cmocka_unit_test(test_choices), cmocka_unit_test(test_standstill)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
