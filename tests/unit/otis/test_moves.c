// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Moves on an OTIS-Mesh in verdict and report: predicted from the plan, measured from the counters.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include <flitloom/report.h>

#include "unit/help/otis_plans.h"

// Returns a trace with the counters as planned, and without arrivals.
static struct loom_trace trace_of(const struct loom_plan *plan)
{
	struct loom_err err = {0};
	uint64_t *flits = NULL;
	struct loom_trace t = {.n_nodes = plan->topo.n_nodes,
	                       .n_channels = loom_topo_channels(&plan->topo),
	                       .n_passes = plan->n_passes};
	size_t n = (size_t)t.n_passes * t.n_channels;
	t.counts = calloc(n, sizeof *t.counts);
	t.sent = calloc(t.n_nodes, sizeof *t.sent);
	t.corrupt = calloc(t.n_nodes, sizeof *t.corrupt);
	assert_int_equal(loom_plan_flits(&flits, plan, &err), 0);
	for (size_t i = 0; i < n; i++)
		t.counts[i] = (struct loom_count){.worms = plan->load[i], .flits = (uint32_t)flits[i]};
	free(flits);
	return t;
}

static void assert_step(const struct loom_step *step, uint32_t links, uint32_t messages)
{
	assert_int_equal(step->links, links);
	assert_int_equal(step->messages, messages);
}

static void test_verdict(void **state)
{
	struct loom_plan plan;
	struct loom_verdict v;
	struct loom_err err = {0};
	(void)state;
	otis_plan_of_hops(&plan, "otis-mesh:4", otis_five, OTIS_FIVE);
	struct loom_trace trace = trace_of(&plan);
	assert_int_equal(loom_verdict_make(&v, &plan, &trace, &err), 0);
	assert_int_equal(v.n_steps, 5);
	const uint32_t links[] = {1, 4, 16, 1, 4}, messages[] = {2, 2, 1, 1, 1}; // +x, +y, light, +x, +y
	for (uint32_t pass = 0; pass < 5; pass++) {
		assert_step(&v.predicted_steps[pass], links[pass], messages[pass]);
		assert_step(&v.measured_steps[pass], links[pass], messages[pass]);
		assert_int_equal(v.predicted_steps[pass].cycles, 5 + 1 + 1);
	}
	assert_int_equal(v.predicted_moves.electronic, 4);
	assert_int_equal(v.predicted_moves.otis, 1);
	assert_memory_equal(&v.predicted_moves, &v.measured_moves, sizeof v.measured_moves);
	loom_verdict_free(&v);

	// In pass 3 a counter of light says 1: that is an OTIS move too many, and the channel says so.
	uint32_t tile = 1 * 4 + 2, c = tile * loom_topo_channels_per_tile(&plan.topo) + 4;
	trace.counts[3 * trace.n_channels + c].worms = 1;
	// A step takes until the last tail of its pass; in pass 4 nothing arrives.
	static const struct {
		uint32_t pass, last_cycle;
	} tails[] = {{0, 9}, {1, 7}, {1, 30}, {1, 8}, {2, 11}, {3, 5}};
	trace.n_arrivals = sizeof tails / sizeof tails[0];
	trace.arrivals = calloc(trace.n_arrivals, sizeof *trace.arrivals);
	assert_non_null(trace.arrivals);
	for (size_t i = 0; i < trace.n_arrivals; i++)
		trace.arrivals[i] =
			(struct loom_arrival){.pass = tails[i].pass, .last_cycle = tails[i].last_cycle, .flits = 5};
	assert_int_equal(loom_verdict_make(&v, &plan, &trace, &err), 0);
	const uint64_t cycles[] = {9, 30, 11, 5, 0};
	for (uint32_t pass = 0; pass < 5; pass++)
		assert_int_equal(v.measured_steps[pass].cycles, cycles[pass]);
	assert_int_equal(v.measured_moves.electronic, 4);
	assert_int_equal(v.measured_moves.otis, 2);
	assert_step(&v.measured_steps[3], 16 + 1, 2);
	assert_step(&v.predicted_steps[3], 1, 1);
	bool told = false;
	for (size_t i = 0; i < v.n_mismatches; i++)
		told = told || strstr(v.mismatches[i], "channel 6->9 (optical) carried 1 messages in pass 3");
	assert_true(told);
	loom_verdict_free(&v);
	loom_trace_free(&trace);
	loom_plan_free(&plan);
}

static json_t *report(const struct loom_plan *plan, const struct loom_verdict *v, char **table)
{
	char *text = NULL;
	size_t length = 0;
	struct loom_err err = {0};
	FILE *f = open_memstream(&text, &length);
	assert_int_equal(loom_report_json(f, plan, v, true, NULL, &err), 0);
	(void)fclose(f);
	json_t *root = json_loads(text, 0, NULL);
	free(text);
	assert_non_null(root);
	f = open_memstream(table, &length);
	assert_int_equal(loom_report_table(f, plan, v, true, false, &err), 0);
	(void)fclose(f);
	return root;
}

static void test_report(void **state)
{
	struct loom_plan plan;
	struct loom_verdict v;
	struct loom_err err = {0};
	char *table = NULL;
	int electronic, otis;
	(void)state;
	otis_plan_of_hops(&plan, "otis-mesh:4", otis_five, OTIS_FIVE);
	struct loom_trace trace = trace_of(&plan);
	assert_int_equal(loom_verdict_make(&v, &plan, &trace, &err), 0);
	plan.making->moves = (struct loom_plan_moves){"a way", 2, 7};
	v.measured_moves.otis = 3; // different values, so that an exchange would show
	v.measured_steps[1].links = 0;
	v.measured_steps[2].links = 16 + 2;
	json_t *root = report(&plan, &v, &table), *predicted = json_object_get(root, "predicted"),
	       *measured = json_object_get(root, "measured");
	assert_int_equal(json_unpack(json_object_get(predicted, "moves"), "{s:i, s:i}", "electronic", &electronic,
	                             "otis", &otis),
	                 0);
	assert_int_equal(electronic, 4);
	assert_int_equal(otis, 1);
	assert_int_equal(
		json_unpack(json_object_get(measured, "moves"), "{s:i, s:i}", "electronic", &electronic, "otis", &otis),
		0);
	assert_int_equal(electronic, 4);
	assert_int_equal(otis, 3);
	assert_string_equal(json_string_value(json_object_get(predicted, "moves_by")), "a way");
	assert_int_equal(json_unpack(json_object_get(predicted, "moves_bound"), "{s:i, s:i}", "electronic", &electronic,
	                             "otis", &otis),
	                 0);
	assert_int_equal(electronic, 2);
	assert_int_equal(otis, 7);
	assert_null(json_object_get(measured, "moves_bound"));
	static const char *const steps[] = {"+x", "+y", "light", "+x", "+y"};
	json_t *list = json_object_get(predicted, "steps"),
	       *step = json_array_get(json_object_get(measured, "steps"), 2);
	assert_int_equal(json_array_size(list), 5);
	for (size_t i = 0; i < 5; i++)
		assert_string_equal(json_string_value(json_object_get(json_array_get(list, i), "step")), steps[i]);
	assert_string_equal(json_string_value(json_object_get(step, "step")), "-x,light");
	assert_int_equal(json_integer_value(json_object_get(step, "pass")), 2);
	assert_int_equal(json_integer_value(json_object_get(step, "messages")), 1);
	step = json_array_get(json_object_get(measured, "steps"), 1);
	assert_true(json_is_null(json_object_get(step, "step")));
	assert_non_null(strstr(table, "OTIS: no moves cost less; taken: a way"));
	assert_non_null(strstr(table, "\nmoves                    4          4   electronic"));
	assert_non_null(strstr(table, "\n                         1          3   differs: OTIS"));
	json_decref(root);
	free(table);
	loom_verdict_free(&v);
	loom_trace_free(&trace);
	loom_plan_free(&plan);
}

// Worms, and other fabrics.
static void test_no_moves(void **state)
{
	static const char *const requests[][2] = {{"otis-mesh:4v2", "shuffle"}, {"mesh:4x4", "shift:0,1,no-wrap"}};
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct loom_err err = {0};
		struct loom_topo topo;
		struct loom_pattern pattern;
		struct loom_plan plan;
		struct loom_verdict v;
		char *table = NULL;
		assert_int_equal(loom_topo_parse(&topo, requests[i][0], &err), 0);
		uint32_t extent[LOOM_DIMS_MAX];
		const struct loom_pattern_options options = {
			.flits = 5, .n_dims = loom_topo_shape(extent, &topo), .extent = extent};
		assert_int_equal(loom_pattern_parse(&pattern, requests[i][1], 16, &options, &err), 0);
		assert_int_equal(
			loom_plan_make(&plan, &topo, &pattern, &(struct loom_plan_options){.planner = "direct"}, &err),
			0);
		assert_int_equal(loom_verdict_predict(&v, &plan, LOOM_MACHINE_FAST, &err), 0);
		assert_int_equal(v.n_steps, 0);
		assert_null(v.predicted_steps);
		json_t *root = report(&plan, &v, &table);
		assert_null(json_object_get(json_object_get(root, "predicted"), "moves"));
		assert_null(strstr(table, "moves"));
		json_decref(root);
		free(table);
		loom_verdict_free(&v);
		loom_plan_free(&plan);
		loom_pattern_free(&pattern);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_verdict),
		cmocka_unit_test(test_report),
		cmocka_unit_test(test_no_moves),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
