// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Objective cycles: on fabrics of all kinds and by all sorts of planners, the plan takes what the machine says and never more than
// that of the same request without it, and still is the plan that was asked for.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <flitloom/machine.h>
#include <flitloom/planner.h>
#include <flitloom/routes/pair_routes.h>

#include "plan/cycles/cycles_least.h"
#include "plan/plan_tables.h"
#include "unit/help/scratch_folder.h"

#define STEPS 150000u // of a search

// A request, and what must come of it.
struct request {
	const char *fabric, *pattern, *planner, *map;
	bool map_stays, improves; // improves: it must take fewer cycles; what takes as many is the same plan
	bool half_duplex;
	const char *rule;
};

static const struct request requests[] = {
	{"cube:3", "uniform:40", NULL, NULL, false, true, false, NULL},
	{"cube:3", "uniform:40", "order", NULL, false, false, false, NULL},
	{"cube:3", "uniform:40", "best", NULL, false, false, false, NULL},
	{"cube:4", "transpose", NULL, NULL, false, true, false, NULL},       // lcc
	{"cube:4", "transpose", NULL, "identity", true, false, false, NULL}, // theory says how messages go
	{"cube:3", "fft", NULL, NULL, false, false, false, NULL},
	{"cube:3", "set:shuffle+bit-reverse", "direct", NULL, false, true, false, NULL},
	{"cube:3", "all-to-all", NULL, NULL, false, false, false, NULL}, // exchange
	{"cube:3", "random-perm", "two_pass", NULL, false, false, false, NULL},
	{"mesh:3x3", "uniform:40", NULL, NULL, false, true, false, NULL},
	{"mesh:3x3", "uniform:40", NULL, "identity", true, true, false, NULL}, // by other rules
	{"mesh:3x3", "uniform:40", NULL, "identity", true, false, false, "descending"},
	{"mesh:3x3", "uniform:40", "xy", NULL, false, true, false, NULL},
	{"mesh:3x3", "uniform:40", "mesh", NULL, false, true, false, NULL},
	{"mesh:3x3", "uniform:40", "greedy", NULL, false, true, true, NULL},
	{"mesh:3x3", "uniform:40", "exact", NULL, false, true, false, NULL},
	{"mesh:2x3", "uniform:20", NULL, "search", false, true, false, NULL},
	{"mesh:2x3", "uniform:20", NULL, "greedy", true, false, false, NULL},
	{"mesh:2x3", "uniform:20", NULL, "5,4,3,2,1,0", true, true, false, NULL},
	{"line:6", "uniform:20", "line", NULL, false, false, false, NULL},
	{"ring:6v2", "uniform:20", NULL, NULL, false, true, false, NULL},
	{"ring:6", "uniform:20", "ring", NULL, false, true, false, NULL},
	{"torus:3x3v2", "uniform:30", NULL, NULL, false, true, false, NULL},
	{"torus:3x3", "uniform:30", "torus", NULL, false, true, false, NULL},
	{"torus:3x3", "uniform:30", "ad_hoc", NULL, false, true, false, NULL},
	{"table-mesh:3x3v2", "uniform:30", "reroute", NULL, false, true, false, NULL},
	{"table-mesh:3x3v2", "uniform:30", "reroute", "identity", true, true, false, NULL},
	{"table-mesh:4x4", "uniform:60", "reroute", "identity", true, true, false,
         NULL}, // one lane: other routes could lock
	{"table-torus:3x3v2", "uniform:30", "block", NULL, false, true, false, NULL},
	{"table-cube:3", "uniform:30", "block", "identity", true, true, false, NULL},
	{"table-cube:3v2", "uniform:30", NULL, "identity", true, true, false, NULL},
	{"table-mesh:3x3", "uniform:20", "routes+passes", NULL, false, true, false, NULL},
	{"graph:tests/e2e/graphs/chords.txt:v2", "uniform:30", NULL, NULL, false, true, false, NULL},
	{"graph:tests/e2e/graphs/chords.txt:v2", "uniform:30", "reroute", NULL, false, true, false, NULL},
	{"table-mesh:3x3v2", "uniform:30", "all-pairs", NULL, false, true, false, NULL},
	{"table-mesh:3x3v2", "uniform:30", "by-destination", NULL, false, true, false, NULL},
	{"otis-mesh:4", "uniform:30", "ad_hoc", NULL, false, false, false, NULL},
	{"otis-mesh:4l3w2v2", "uniform:30", NULL, NULL, false, true, false, NULL},
	{"otis-mesh:4", "transpose", NULL, NULL, false, false, false, NULL}, // moves
	{"omega:8", "uniform:30", NULL, NULL, false, true, false, NULL},
	{"omega:8", "uniform:30", "direct", NULL, false, true, false, NULL},
	{"omega:16", "uniform:60", "direct", NULL, false, true, false, NULL}, // begins again at places with low loads
	{"omega:8", "uniform:30", "min_passes", NULL, false, true, false, NULL},
	{"omega:8", "all-to-all", NULL, NULL, false, false, false, NULL}, // latin, a free run
	{"baseline:8", "uniform:30", "order", NULL, false, false, false, NULL},
	{"icube:8", "uniform:30", NULL, "identity", true, false, false, NULL},
	{"benes:8", "random-perm", NULL, NULL, false, false, false, NULL},
	{"benes:8", "uniform:30", NULL, NULL, false, false, false, NULL},
	{"cube:3", "allreduce:ring", NULL, NULL, false, true, false, NULL}, // with timing
	{"mesh:2x4", "allreduce:recursive-doubling", NULL, NULL, false, false, false, NULL},
	{"cube:2", "identity", NULL, NULL, false, false, false, NULL},
	{"cube:1", "uniform:3", NULL, NULL, false, false, false, NULL},
};

static void make(struct loom_plan *out, const struct request *r, const char *objective, uint64_t seed, uint64_t steps,
                 bool (*stopped)(void *user))
{
	struct loom_topo topo;
	struct loom_pattern pattern;
	struct loom_err err = {0};
	const struct loom_plan_options options = {.planner = r->planner,
	                                          .map = r->map,
	                                          .objective = objective,
	                                          .half_duplex = r->half_duplex,
	                                          .rule = r->rule,
	                                          .most_steps = steps,
	                                          .seed = seed,
	                                          .stopped = stopped};
	if (loom_topo_parse(&topo, r->fabric, &err) != 0)
		fail_msg("%s", err.text);
	const struct loom_pattern_options of_pattern = {.flits = 9, .seed = 11};
	if (loom_pattern_parse(&pattern, r->pattern, topo.n_nodes, &of_pattern, &err) != 0)
		fail_msg("%s", err.text);
	if (loom_plan_make(out, &topo, &pattern, &options, &err) != 0)
		fail_msg("%s %s by %s: %s", r->fabric, r->pattern, r->planner ? r->planner : "the first", err.text);
	loom_pattern_free(&pattern);
	loom_topo_free(&topo);
}

static uint64_t cycles_of(const struct loom_plan *plan)
{
	uint64_t cycles;
	assert_int_equal(loom_machine_cycles(&cycles, plan, LOOM_MACHINE_FAST, NULL), 0);
	return cycles;
}

static bool same_message(const struct loom_plan_message *a, const struct loom_plan_message *b)
{
	return a->pass == b->pass && a->source == b->source && a->destination == b->destination &&
	       a->flits == b->flits && a->rule == b->rule && a->from_slot == b->from_slot &&
	       a->keep_slot == b->keep_slot && a->origin == b->origin;
}

static bool same_plan(const struct loom_plan *a, const struct loom_plan *b)
{
	bool same = a->n_messages == b->n_messages && a->n_passes == b->n_passes && a->routes.n == b->routes.n &&
	            memcmp(a->map, b->map, a->topo.n_nodes * sizeof *a->map) == 0;
	for (size_t i = 0; same && i < a->n_messages; i++)
		same = same_message(&a->messages[i], &b->messages[i]);
	if (same && a->routes.n)
		same = memcmp(a->routes.first, b->routes.first, (a->routes.n + 1) * sizeof *a->routes.first) == 0 &&
		       memcmp(a->routes.channel, b->routes.channel,
		              a->routes.first[a->routes.n] * sizeof *a->routes.channel) == 0;
	return same;
}

// A plan that goes through a file is the same; loom_plan_read checks everything that it predicts.
static void check_file(const struct loom_plan *plan)
{
	char path[256];
	struct loom_plan again;
	struct loom_err err = {0};
	(void)snprintf(path, sizeof path, "%s", scratch_path("plan.json"));
	assert_int_equal(loom_plan_write(plan, path, &err), 0);
	if (loom_plan_read(&again, path, &err) != 0)
		fail_msg("%s", err.text);
	assert_string_equal(again.objective, "cycles");
	assert_int_equal(again.objective_value, plan->objective_value);
	assert_true(same_plan(plan, &again));
	loom_plan_free(&again);
	assert_int_equal(remove(path), 0);
}

// Checks that the plan keeps everything except its cycles.
static void check_promises(const struct loom_plan *plan, const struct loom_plan *before, const struct request *r)
{
	if (r->map_stays)
		assert_memory_equal(plan->map, before->map, plan->topo.n_nodes * sizeof *plan->map);
	if (loom_plan_cycles(before) != LOOM_CYCLES_UNKNOWN && plan->n_passes > plan->n_members)
		assert_int_not_equal(loom_plan_cycles(plan), LOOM_CYCLES_UNKNOWN); // no message waits
	for (size_t i = 0; r->rule && i < plan->n_messages; i++)
		assert_int_equal(plan->messages[i].rule, before->messages[i].rule);
	assert_true(plan->half_duplex == r->half_duplex && plan->free_running == before->free_running);
	assert_int_equal(plan->routes.n > 0, before->routes.n > 0);
	assert_int_equal(plan->n_members, before->n_members);
	assert_true(plan->lower_bound <= loom_plan_contention(plan));
	assert_int_equal(loom_plan_tables_check(plan, NULL), 0);
	assert_true(plan->making && strcmp(plan->making->placement.how, before->making->placement.how) == 0);
}

static void test_requests(void **state)
{
	(void)state;
	for (size_t k = 0; k < sizeof requests / sizeof requests[0]; k++) {
		const struct request *r = &requests[k];
		struct loom_plan before, plan;
		uint64_t least;
		make(&before, r, NULL, 3, STEPS, NULL);
		make(&plan, r, "cycles", 3, STEPS, NULL);
		const uint64_t cycles = cycles_of(&plan), cycles_before = cycles_of(&before);
		assert_string_equal(plan.objective, "cycles");
		assert_int_equal(plan.objective_value, cycles);
		if (cycles > cycles_before || (cycles == cycles_before && (r->improves || !same_plan(&plan, &before))))
			fail_msg("%s %s by %s on %s: %llu cycles, and %llu without", r->fabric, r->pattern,
			         plan.planner, r->map ? r->map : "best", (unsigned long long)cycles,
			         (unsigned long long)cycles_before);
		assert_int_equal(loom_cycles_least(&least, &plan, NULL), 0);
		assert_true(least <= cycles);
		check_promises(&plan, &before, r);
		check_file(&plan);
		loom_plan_free(&before);
		loom_plan_free(&plan);
	}
}

// The same seed, the same plan; more steps, another one at least once.
static void test_repeated(void **state)
{
	(void)state;
	unsigned n_other = 0;
	for (size_t k = 0; k < sizeof requests / sizeof requests[0]; k += 3) {
		struct loom_plan a, b, c;
		make(&a, &requests[k], "cycles", 5, 8000, NULL);
		make(&b, &requests[k], "cycles", 5, 8000, NULL);
		make(&c, &requests[k], "cycles", 6, 8000, NULL);
		assert_true(same_plan(&a, &b));
		n_other += !same_plan(&a, &c);
		loom_plan_free(&a);
		loom_plan_free(&b);
		loom_plan_free(&c);
	}
	assert_true(n_other > 3);
}

// Members of a set stay in their order, though the first one is so short that it should go last.
static void test_set(void **state)
{
	(void)state;
	struct loom_topo topo;
	struct loom_pattern pattern;
	struct loom_plan plan;
	struct loom_err err = {0};
	const struct loom_plan_options options = {.planner = "direct", .map = "identity", .objective = "cycles"};
	assert_int_equal(loom_topo_parse(&topo, "cube:4", NULL), 0);
	assert_int_equal(loom_pattern_parse(&pattern, "set:neighbor:0+bit-reverse", 16,
	                                    &(struct loom_pattern_options){.flits = 2}, NULL),
	                 0);
	if (loom_plan_make(&plan, &topo, &pattern, &options, &err) != 0)
		fail_msg("%s", err.text);
	assert_int_equal(plan.n_passes, 2);
	for (size_t i = 0; i < plan.n_messages; i++)
		if (plan.messages[i].pass == 0)
			assert_int_equal(plan.messages[i].destination, plan.messages[i].source ^ 1);
	assert_int_equal(plan.cycles[0], 4);
	loom_plan_free(&plan);
	loom_pattern_free(&pattern);
}

static bool stop(void *user)
{
	(void)user;
	return true;
}

// A search that is ended at once gives a plan that is no slower, and soon.
static void test_ended(void **state)
{
	(void)state;
	const struct request r = {.fabric = "cube:6", .pattern = "uniform:2000"};
	struct loom_plan before, plan;
	make(&before, &r, NULL, 1, 0, NULL);
	make(&plan, &r, "cycles", 1, UINT64_MAX, stop);
	assert_true(cycles_of(&plan) <= cycles_of(&before));
	assert_int_equal(plan.objective_value, cycles_of(&plan));
	loom_plan_free(&before);
	loom_plan_free(&plan);
}

static void refuse(const char *fabric, const char *pattern, const char *planner, const char *what)
{
	struct loom_topo topo;
	struct loom_pattern p;
	struct loom_plan plan;
	struct loom_err err = {0};
	const struct loom_plan_options options = {.planner = planner, .objective = "cycles"};
	assert_int_equal(loom_topo_parse(&topo, fabric, NULL), 0);
	assert_int_equal(
		loom_pattern_parse(&p, pattern, topo.n_nodes, &(struct loom_pattern_options){.flits = 9}, NULL), 0);
	assert_int_equal(loom_plan_make(&plan, &topo, &p, &options, &err), LOOM_EINPUT);
	if (!strstr(err.text, what))
		fail_msg("%s", err.text);
	loom_pattern_free(&p);
	loom_topo_free(&topo);
}

static void test_refused(void **state)
{
	(void)state;
	refuse("mesh:4x4", "transpose", "reroute", "table-mesh:4x4");
	refuse("mesh:4x4", "transpose", "nobody", "unknown planner");
}

// Plans that share a search: routes of all pairs are searched once for each planner, and are those of a plan alone.
static void test_pair_routes_kept(void **state)
{
	(void)state;
	static const char *const planners[] = {"all-pairs", "by-destination"};
	struct loom_pair_routes kept[2] = {{0}, {0}};
	struct loom_topo topo;
	struct loom_pattern pattern;
	assert_int_equal(loom_topo_parse(&topo, "graph:tests/e2e/graphs/chords.txt:v2", NULL), 0);
	const struct loom_pattern_options of_pattern = {.flits = 9, .seed = 3};
	assert_int_equal(loom_pattern_parse(&pattern, "uniform:40", topo.n_nodes, &of_pattern, NULL), 0);
	for (int k = 0; k < 2; k++) {
		struct loom_plan plan, first, second;
		struct loom_plan_options options = {.planner = planners[k], .map = "identity"};
		assert_int_equal(loom_plan_make(&plan, &topo, &pattern, &options, NULL), 0);
		options.pair_routes = kept;
		assert_int_equal(kept[k].n_nodes, 0);
		assert_int_equal(loom_plan_make(&first, &topo, &pattern, &options, NULL), 0);
		assert_int_equal(kept[k].n_nodes, topo.n_nodes);
		const size_t *where = kept[k].routes.first;
		assert_int_equal(loom_plan_make(&second, &topo, &pattern, &options, NULL), 0);
		assert_ptr_equal(kept[k].routes.first, where); // not searched for again
		assert_true(same_plan(&plan, &first));
		assert_true(same_plan(&plan, &second));
		loom_plan_free(&plan);
		loom_plan_free(&first);
		loom_plan_free(&second);
	}
	loom_pair_routes_free(&kept[0]);
	loom_pair_routes_free(&kept[1]);
	loom_pattern_free(&pattern);
	loom_topo_free(&topo);
}

// A file with another value, or none.
static void test_tampered(void **state)
{
	(void)state;
	static const struct {
		const char *value, *what;
	} rows[] = {{"18", "predicted as 18, but the messages come to 19"},
	            {"\"x\"", "the objective is not an integer"},
	            {"-1", "the objective is not an integer"}};
	const struct request r = {.fabric = "cube:2", .pattern = "perm:1,0,3,2"};
	struct loom_plan plan, again;
	char path[256], text[4096];
	make(&plan, &r, "cycles", 1, 100, NULL);
	assert_int_equal(plan.objective_value, 8 + 9 + 1 + 1);
	(void)snprintf(path, sizeof path, "%s", scratch_path("plan.json"));
	assert_int_equal(loom_plan_write(&plan, path, NULL), 0);
	FILE *f = fopen(path, "r");
	assert_non_null(f);
	text[fread(text, 1, sizeof text - 1, f)] = '\0';
	(void)fclose(f);
	char *at = strstr(text, "\"cycles\", \"value\": 19");
	assert_non_null(at);
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		char other[4200];
		struct loom_err err = {0};
		(void)snprintf(other, sizeof other, "%.*s\"cycles\", \"value\": %s%s", (int)(at - text), text,
		               rows[k].value, at + strlen("\"cycles\", \"value\": 19"));
		assert_int_equal(loom_plan_parse(&again, other, strlen(other), "it", &err), LOOM_EINPUT);
		if (!strstr(err.text, rows[k].what))
			fail_msg("%s", err.text);
	}
	loom_plan_free(&plan);
	assert_int_equal(remove(path), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_requests),
	                                   cmocka_unit_test(test_repeated),
	                                   cmocka_unit_test(test_set),
	                                   cmocka_unit_test(test_ended),
	                                   cmocka_unit_test(test_refused),
	                                   cmocka_unit_test(test_tampered),
	                                   cmocka_unit_test(test_pair_routes_kept)};
	return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
