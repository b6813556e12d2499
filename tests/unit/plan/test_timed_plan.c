// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Follows timing from a file of messages to a plan's file.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include <flitloom/plan.h>
#include <flitloom/planner.h>

#include "base/file.h"
#include "base/rng.h"
#include "pattern/pattern_internal.h"
#include "unit/help/plans_by_hand.h"
#include "unit/help/random_programs.h"
#include "unit/help/scratch_folder.h"

#define WAIT(k, from)                                                                                                  \
	{                                                                                                              \
		LOOM_GATE_WAIT, k, from                                                                                \
	}

static struct loom_pattern pattern_of(const char *text, uint32_t n_nodes)
{
	const char *path = scratch_path("messages.csv");
	struct loom_err err = {0};
	struct loom_pattern p;
	char spec[4200];
	const struct loom_pattern_options options = {.flits = 17};
	scratch_write(path, text);
	(void)snprintf(spec, sizeof spec, "messages:%s", path);
	if (loom_pattern_parse(&p, spec, n_nodes, &options, &err) != 0)
		fail_msg("%s: %s", text, err.text);
	assert_int_equal(unlink(path), 0);
	return p;
}

// Checks the releases of the messages in order; 0: none.
static void check_releases(const char *text, const uint32_t *release, size_t n)
{
	struct loom_pattern p = pattern_of(text, 4);
	assert_int_equal(p.n_messages, n);
	assert_non_null(p.timing);
	for (size_t i = 0; i < n; i++) {
		size_t first = p.timing->first[i];
		assert_int_equal(p.timing->first[i + 1] - first, release[i] != 0);
		if (release[i]) {
			assert_int_equal(p.timing->gate[first].kind, LOOM_GATE_AT);
			assert_int_equal(p.timing->gate[first].value, release[i]);
			assert_int_equal(p.timing->gate[first].source, 0);
		}
	}
	for (size_t v = 0; v < 4; v++)
		assert_int_equal(p.timing->first[n + v + 1], p.timing->first[n]);
	loom_pattern_free(&p);
}

static void test_release_column(void **state)
{
	(void)state;
	check_releases("source,destination,flits,release\n3,1,5,30\n0,1,5,7\n0,2,5,0\n0,3\n",
	               (const uint32_t[]){30, 7, 0, 0}, 4);
	check_releases("source,destination,release\n3,1,5\n", (const uint32_t[]){5}, 1);
	check_releases("Source, Destination, Flits, Count, Release\n3,1,5,2,9\n1,0,4,2,2147483647\n",
	               (const uint32_t[]){9, 9, 2147483647, 2147483647}, 4);

	// A permutation keeps the order of its lines if they have releases.
	struct loom_pattern p = pattern_of("source,destination,flits,release\n1,0,3,1\n0,1,2,4\n", 2);
	assert_int_equal(p.n_lccs, 0);
	assert_int_equal(p.messages[0].source, 1);
	assert_int_equal(p.messages[0].flits, 3);
	loom_pattern_free(&p);

	// Without a heading, as ever: a fourth column is the count.
	p = pattern_of("1,0,3,2\n", 4);
	assert_null(p.timing);
	assert_int_equal(p.n_messages, 2);
	loom_pattern_free(&p);

	static const char *const wrong[][2] = {
		{"source,destination,release,flits\n0,1,2,3\n", "\"flits\" in the heading"},
		{"source,destination,count\n0,1,2\n", "\"count\" in the heading"},
		{"source,destination,release,release\n0,1,2\n", "\"release\" in the heading"},
		{"source,destination,flits,release\n0,1,2,3,4\n",
	         "more than source,destination,flits,release on the line"},
		{"source,destination,release\n0,1,2,3\n", "more than source,destination,release on the line"},
		{"source,destination,release\n0,1,2147483648\n",
	         "release \"2147483648\" is out of range: 0..2147483647"},
		{"source,destination,release\n0,1,-1\n", "release is \"-1\""},
	};
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		struct loom_message_list list;
		struct loom_err err = {0};
		int code = loom_messages_parse(&list, 4, 1, wrong[i][0], strlen(wrong[i][0]), "FILE", &err);
		if (code != LOOM_EINPUT || !strstr(err.text, wrong[i][1]))
			fail_msg("%s: %s", wrong[i][0], err.text);
	}
	struct loom_message_list list;
	const char *text = "source,destination,release\n0,1,2\n";
	assert_int_equal(loom_messages_parse(&list, 4, 1, text, strlen(text), "FILE", NULL), 0);
	assert_int_equal(list.n, 1);
	assert_int_equal(list.release[0], 2);
	loom_message_list_free(&list);
}

static void assert_same_timing(const struct loom_timing *a, const struct loom_timing *b, size_t n_places)
{
	assert_non_null(b);
	assert_memory_equal(a->first, b->first, (n_places + 1) * sizeof *a->first);
	for (size_t g = 0; g < a->first[n_places]; g++) {
		assert_int_equal(a->gate[g].kind, b->gate[g].kind);
		assert_int_equal(a->gate[g].value, b->gate[g].value);
		assert_int_equal(a->gate[g].source, b->gate[g].source);
	}
}

// Into a plan, on any map, into a file, and back.
static void test_plans(void **state)
{
	(void)state;
	static const char *const fabrics[] = {"cube:3", "omega:8", "mesh:4x2", "ring:8v2"}, *const maps[] = {
												    NULL,
												    "7,6,5,4,3,2,1,0"};
	struct loom_rng rng;
	loom_rng_init(&rng, 16);
	for (unsigned round = 0; round < 40; round++) {
		const struct random_programs what = {
			.n_nodes = 8, .n_messages = 30, .most_flits = 9, .most_cycles = 20};
		struct loom_pattern p = random_programs(&what, &rng);
		struct loom_topo topo;
		struct loom_err err = {0};
		assert_int_equal(loom_topo_parse(&topo, fabrics[round % 4], &err), 0);
		struct loom_plan plan = make_plan(&topo, &p, maps[round % 2], NULL, NULL), back;
		assert_string_equal(plan.planner, "direct");
		assert_int_equal(plan.n_passes, 1);
		assert_same_timing(p.timing, plan.timing, 38);
		for (size_t i = 0; i < 30; i++) {
			assert_int_equal(plan.messages[i].source, p.messages[i].source);
			assert_int_equal(plan.messages[i].destination, p.messages[i].destination);
		}
		assert_true(loom_plan_cycles(&plan) == LOOM_CYCLES_UNKNOWN);
		const char *path = scratch_path("plan.json");
		if (loom_plan_write(&plan, path, &err) != 0 || loom_plan_read(&back, path, &err) != 0)
			fail_msg("%s", err.text);
		assert_same_timing(p.timing, back.timing, 38);
		assert_int_equal(unlink(path), 0);
		loom_plan_free(&back);
		loom_plan_free(&plan);
		loom_pattern_free(&p);
	}
}

// A pass without contention has no formula if its programs wait; and takes no more than the limit.
static void test_cycles(void **state)
{
	(void)state;
	struct loom_topo topo = cube_of(2);
	struct loom_pattern p = pattern_of("source,destination,flits,release\n0,1,5,1000\n", 4);
	struct loom_plan plan = make_plan(&topo, &p, NULL, NULL, NULL);
	assert_true(loom_plan_cycles(&plan) == LOOM_CYCLES_UNKNOWN);
	uint64_t limit = loom_plan_cycle_limit(&plan);
	assert_true(limit >= 1000 + 5 && limit < 4000);
	loom_plan_free(&plan);
	p.timing->gate[0].kind = LOOM_GATE_DELAY;
	plan = make_plan(&topo, &p, NULL, NULL, NULL);
	limit = loom_plan_cycle_limit(&plan);
	assert_true(limit >= 1000 + 5 && limit < 4000);
	loom_plan_free(&plan);
	loom_pattern_free(&p);
}

static void refused(const struct loom_pattern *p, const char *planner, const char *text)
{
	struct loom_topo topo = cube_of(2);
	struct loom_plan plan;
	struct loom_err err = {0};
	const struct loom_plan_options options = {.planner = planner};
	if (loom_plan_make(&plan, &topo, p, &options, &err) != LOOM_EINPUT || !strstr(err.text, text))
		fail_msg("planner %s: %s", planner ? planner : "NULL", err.text);
}

// A planner that exchanges the first and the last message, and names each by the other.
static int plan_backwards(struct loom_plan *plan, const struct loom_planner_request *request, struct loom_err *err)
{
	(void)request;
	struct loom_plan_message first = plan->messages[0], last = plan->messages[plan->n_messages - 1];
	last.origin = 0;
	first.origin = (uint32_t)plan->n_messages - 1;
	plan->messages[0] = last;
	plan->messages[plan->n_messages - 1] = first;
	return loom_plan_predict(plan, err);
}

static bool accepts_all(const struct loom_topo *topo, const struct loom_pattern *pattern)
{
	(void)topo;
	(void)pattern;
	return true;
}

static void test_planners(void **state)
{
	(void)state;
	static const char *const others[] = {"greedy", "exact", "ad_hoc", "xy", "reroute", "block", "routes+passes"};
	const char *text = "source,destination,flits,release\n1,0,5,2\n0,1,5,3\n3,2,4,1\n2,3,4,1\n";
	struct loom_pattern p = pattern_of(text, 4);
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
		refused(&p, others[i], "says when they go; planners on cube:2 that do: direct");
	struct loom_topo topo = cube_of(2);
	struct loom_plan plan = make_plan(&topo, &p, NULL, "best", NULL);
	assert_string_equal(plan.planner, "direct");
	assert_int_equal(loom_plan_how_made(&plan)->contest.n_tried, 1);
	loom_plan_free(&plan);

	// A planner that breaks its promise.
	const struct loom_planner backwards = {.name = "backwards",
	                                       .help = "",
	                                       .accepts = accepts_all,
	                                       .plan = plan_backwards,
	                                       .takes = LOOM_TAKES_TIMING};
	const struct loom_planner *const own[] = {&backwards, NULL};
	const struct loom_plan_options options = {.planners = own};
	struct loom_err err = {0};
	assert_int_equal(loom_plan_make(&plan, &topo, &p, &options, &err), LOOM_EINTERNAL);
	assert_non_null(strstr(err.text, "planner backwards says that it heeds timing"));
	loom_pattern_free(&p);
}

// Refused before anything is loaded: of a pattern, and of a plan's file.
static void test_dead_waits(void **state)
{
	(void)state;
	struct loom_pattern p = pattern_of("source,destination,flits,release\n1,0,5,2\n0,1,5,3\n", 4);
	struct loom_topo topo = cube_of(2);
	struct loom_plan plan = make_plan(&topo, &p, NULL, NULL, NULL);
	p.timing->gate[0] = (struct loom_gate)WAIT(1, 0);
	p.timing->gate[1] = (struct loom_gate)WAIT(1, 1);
	refused(&p, NULL,
	        "waits that are never met: processor 0 waits for message 1 from 1, which waits for message 1 from 0");
	p.n_members = 2;
	refused(&p, NULL, "timing in a set of 2");
	memcpy(plan.timing->gate, p.timing->gate, 2 * sizeof *p.timing->gate);
	const char *path = scratch_path("plan.json");
	struct loom_err err = {0};
	struct loom_plan back;
	assert_int_equal(loom_plan_write(&plan, path, &err), 0);
	assert_int_equal(loom_plan_read(&back, path, &err), LOOM_EINPUT);
	assert_non_null(strstr(err.text, "waits that are never met: processor 0 waits for message 1 from 1"));
	assert_int_equal(unlink(path), 0);
	loom_plan_free(&plan);
	loom_pattern_free(&p);
}

// Reads files that no program writes: `from` in a good plan is replaced by `to`.
static void test_files_tampered(void **state)
{
	(void)state;
	static const struct {
		const char *from, *to, *text;
	} cases[] = {
		{"[1, \"at\", 3]", "[1, \"at\", 3]", NULL},
		{"[1, \"at\", 3]", "[1, \"wait\", 1, 1]", NULL},
		{"[1, \"at\", 3]", "[1, \"delay\", 7]", NULL},
		{"[1, \"at\", 3]", "[7, \"delay\", 7]", NULL},
		{"[1, \"at\", 3]", "[8, \"at\", 3]", "place of timing[1] is 8"},
		{"[0, \"at\", 2]", "[2, \"at\", 2]", "place of timing[1] is 1"},
		{"[1, \"at\", 3]", "[1, \"at\"]", "timing[1] is none of"},
		{"[1, \"at\", 3]", "[1, \"at\", 3, 4]", "timing[1] is none of"},
		{"[1, \"at\", 3]", "[1, \"wait\", 3]", "timing[1] is none of"},
		{"[1, \"at\", 3]", "[1, \"stop\", 3]", "timing[1] is none of"},
		{"[1, \"at\", 3]", "7", "timing[1] is none of"},
		{"[1, \"at\", 3]", "[1, \"at\", 0]", "processor 0 is to go on at cycle 0"},
		{"[1, \"at\", 3]", "[1, \"at\", -1]", "value of timing[1]"},
		{"[1, \"at\", 3]", "[-1, \"at\", 1]", "place of timing[1]"},
		{"[1, \"at\", 3]", "[1, \"wait\", 1, 0]", "a message of its own"},
		{"[1, \"at\", 3]", "[1, \"wait\", 1, -2]", "source of timing[1]"},
		{"\"cycles\": [null]", "\"cycles\": [7]", "cycles"},
		{"\"passes\": 1", "\"passes\": 2", ""},
		{"[0, 2, 3, 4, 0, 0, 0, 3]", "[0, 2, 3, 4, 0, 0, 1, 3]", "relayed, in a plan with timing"},
		{"\"free_running\": false", "\"free_running\": true", ""},
		{"[0, 2, 3, 4, 0, 0, 0, 3]", "[0, 2, 3, 4, 1, 0, 0, 3]", "go different ways"},
	};
	struct loom_pattern p = pattern_of("source,destination,flits,release\n1,0,5,2\n0,1,5,3\n2,3,4,0\n2,3,4,0\n", 4);
	struct loom_topo topo = cube_of(2);
	struct loom_plan plan = make_plan(&topo, &p, NULL, NULL, NULL);
	struct loom_err err = {0};
	const char *path = scratch_path("plan.json");
	char *read = NULL, text[4001], changed[4096];
	size_t length = 0;
	assert_int_equal(loom_plan_write(&plan, path, &err), 0);
	assert_int_equal(loom_file_read(&read, &length, path, sizeof text - 1, &err), 0);
	memcpy(text, read, length);
	text[length] = '\0';
	free(read);
	assert_int_equal(unlink(path), 0);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const char *at = strstr(text, cases[i].from);
		struct loom_plan back;
		assert_non_null(at);
		int n = snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, cases[i].to,
		                 at + strlen(cases[i].from));
		int code = loom_plan_parse(&back, changed, (size_t)n, "FILE", &err);
		if (code != (cases[i].text ? LOOM_EINPUT : 0) || (cases[i].text && !strstr(err.text, cases[i].text)))
			fail_msg("case %zu, %s: %d, %s", i, cases[i].to, code, err.text);
		if (code == 0)
			loom_plan_free(&back);
	}
	loom_plan_free(&plan);
	loom_pattern_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_release_column), cmocka_unit_test(test_plans),
		cmocka_unit_test(test_cycles),         cmocka_unit_test(test_planners),
		cmocka_unit_test(test_dead_waits),     cmocka_unit_test(test_files_tampered),
	};
	return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
