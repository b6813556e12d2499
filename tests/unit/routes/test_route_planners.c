// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Planners xy, yx, block and reroute: plans whose messages have routes of their own.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include <flitloom/routes/deadlock.h>
#include <flitloom/link/image.h>
#include <flitloom/routes/table_file.h>
#include <flitloom/plan.h>
#include <flitloom/routes/virtual_networks.h>

#include "unit/help/networks.h"
#include "unit/help/random_graphs.h"
#include "unit/help/route_plan_checks.h"
#include "unit/help/some_nets.h"

static const char *const planners[] = {"xy", "yx", "block", "reroute"};
enum { XY, YX, BLOCK, REROUTE, PLANNERS };

static void test_plans(void **state)
{
	static const char *const fabrics[] = {"mesh:4x4", "torus:4x4", "cube:4", "ring:16", "line:16", "mesh:2x4x2"};
	static const char *const specs[] = {"uniform:60", "random-perm", "set:complement+bit-reverse", "hotspot:3"};
	(void)state;
	for (size_t f = 0; f < sizeof fabrics / sizeof fabrics[0]; f++)
		for (size_t s = 0; s < sizeof specs / sizeof specs[0]; s++) {
			uint32_t most[PLANNERS];
			for (size_t p = 0; p < PLANNERS; p++) {
				struct loom_plan plan;
				char map[16 * 8];
				most[p] = UINT32_MAX;
				if (p < BLOCK &&
				    (strncmp(fabrics[f], "torus", 5) == 0 || strncmp(fabrics[f], "ring", 4) == 0))
					continue; // by rule these can lock, and are refused
				random_map(map, 16, f + s);
				plan_on(&plan, fabrics[f], specs[s], planners[p], map, 9, 1);
				assert_int_equal(plan.n_passes, plan.n_members);
				assert_int_equal(plan.routes.n, p >= BLOCK ? plan.n_messages : 0);
				most[p] = loom_plan_contention(&plan);
				assert_true(plan.lower_bound <= most[p]);
				route_plan_check_loads(&plan);
				route_plan_check_file(&plan);
				loom_plan_free(&plan);
			}
			if (most[REROUTE] > most[BLOCK] || most[REROUTE] > most[XY] || most[REROUTE] > most[YX])
				fail_msg("%s %s: xy %" PRIu32 ", yx %" PRIu32 ", block %" PRIu32 ", reroute %" PRIu32,
				         fabrics[f], specs[s], most[XY], most[YX], most[BLOCK], most[REROUTE]);
		}
}

static void test_transpose(void **state)
{
	static const uint32_t wanted[PLANNERS] = {9, 9, 5, 3};
	(void)state;
	for (size_t p = 0; p < PLANNERS; p++) {
		struct loom_plan plan;
		plan_on(&plan, "mesh:10x10", "transpose", planners[p], NULL, 9, 1);
		assert_int_equal(loom_plan_contention(&plan), wanted[p]);
		assert_int_equal(plan.lower_bound, 3);
		loom_plan_free(&plan);
	}
}

// No pass has contention, local channels included, so none can lock; the routes are still the messages' own, after these have
// been put in order by pass.
static void test_routes_and_passes(void **state)
{
	static const char *const fabrics[] = {"mesh:4x4", "torus:4x4", "cube:4", "ring:16", "table-mesh:4x4"};
	static const char *const specs[] = {"uniform:60",
	                                    "random-perm",
	                                    "set:complement+bit-reverse",
	                                    "hotspot:3",
	                                    "identity",
	                                    "set:identity+complement",
	                                    "set:complement+identity"};
	(void)state;
	for (size_t f = 0; f < sizeof fabrics / sizeof fabrics[0]; f++)
		for (size_t s = 0; s < sizeof specs / sizeof specs[0]; s++) {
			struct loom_plan plan;
			plan_on(&plan, fabrics[f], specs[s], "routes+passes", NULL, 9, f);
			assert_int_equal(plan.routes.n, plan.n_messages);
			assert_int_equal(plan.n_lanes, 1);
			for (size_t k = 0; k < (size_t)plan.n_passes * loom_topo_channels(&plan.topo); k++)
				assert_true(plan.load[k] <= 1);
			assert_true(plan.n_passes >= plan.passes_bound);
			if (strcmp(fabrics[f], "table-mesh:4x4") != 0)
				route_plan_check_loads(&plan);
			loom_plan_free(&plan);
		}
	// As few as any minimal routes need; in dimension order it would be as many as a side has nodes, less one.
	static const struct {
		const char *fabric;
		uint32_t passes;
	} transposes[] = {{"mesh:10x10", 3}, {"mesh:11x11", 4}, {"mesh:15x15", 5}};
	for (size_t i = 0; i < sizeof transposes / sizeof transposes[0]; i++) {
		struct loom_plan plan;
		plan_on(&plan, transposes[i].fabric, "transpose", "routes+passes", NULL, 9, 1);
		assert_int_equal(plan.n_passes, transposes[i].passes);
		assert_int_equal(loom_plan_contention(&plan), 1);
		assert_true(loom_plan_is_optimal(&plan));
		route_plan_check_file(&plan);
		loom_plan_free(&plan);
	}
}

// Four messages round a square could lock, and are given lanes; without one of them they could not, and need none.
static void test_lanes(void **state)
{
	enum { PER_TILE = 6, RIGHT = 0, LEFT = 1, DOWN = 2, UP = 3 };
	static const uint32_t round[] = {0 * PER_TILE + RIGHT, 1 * PER_TILE + DOWN, 1 * PER_TILE + DOWN,
	                                 3 * PER_TILE + LEFT,  3 * PER_TILE + LEFT, 2 * PER_TILE + UP,
	                                 2 * PER_TILE + UP,    0 * PER_TILE + RIGHT};
	struct loom_plan plan;
	struct loom_err err = {0};
	(void)state;
	plan_on(&plan, "mesh:2x2", "perm:3,2,1,0", "block", NULL, 9, 1);
	// In the plan's order of messages: from 0, 1, 2, 3.
	const uint32_t routes[] = {round[0], round[1], round[2], round[3], round[6], round[7], round[4], round[5]};
	memcpy(plan.routes.channel, routes, sizeof routes);
	assert_int_equal(loom_plan_predict(&plan, &err), 0);
	assert_int_equal(loom_plan_contention(&plan), 2);
	assert_int_equal(plan.n_lanes, 2);
	assert_int_equal(loom_deadlock_check(&plan, &err), 0);
	route_plan_check_file(&plan);
	assert_int_equal(plan.n_passes, 1);
	plan.routes.channel[0] = 0 * PER_TILE + DOWN;
	plan.routes.channel[1] = 2 * PER_TILE + RIGHT;
	assert_int_equal(loom_plan_predict(&plan, &err), 0);
	assert_int_equal(plan.n_lanes, 1);
	loom_plan_free(&plan);
	// In a second pass the same square counts, in two passes of two messages each it is no circle.
	plan_on(&plan, "mesh:2x2", "set:identity+complement", "block", NULL, 9, 1);
	memcpy(plan.routes.channel, routes, sizeof routes);
	assert_int_equal(loom_plan_predict(&plan, &err), 0);
	assert_int_equal(plan.n_lanes, 2);
	plan.messages[0].pass = plan.messages[1].pass = plan.messages[2].pass = plan.messages[3].pass = 0;
	plan.messages[4].pass = plan.messages[5].pass = 0;
	assert_int_equal(loom_plan_predict(&plan, &err), 0);
	assert_int_equal(plan.n_lanes, 1);
	loom_plan_free(&plan);
}

static void keep_text(void *user, const char *text)
{
	(void)snprintf(user, 80, "%s", text);
}

static void test_progress(void **state)
{
	struct loom_topo topo;
	struct loom_pattern pattern;
	struct loom_plan plan;
	struct loom_err err = {0};
	char text[80] = "";
	struct loom_plan_options options = {.planner = "reroute", .progress = keep_text, .user = text};
	(void)state;
	assert_int_equal(loom_topo_parse(&topo, "mesh:10x10", &err), 0);
	const struct loom_pattern_options of_pattern = {.flits = 9, .seed = 1, .n_dims = 2, .extent = topo.extent};
	assert_int_equal(loom_pattern_parse(&pattern, "transpose", 100, &of_pattern, &err), 0);
	assert_int_equal(loom_plan_make(&plan, &topo, &pattern, &options, &err), 0);
	assert_string_equal(text, "3 messages on the busiest link, at least 3");
	loom_plan_free(&plan);
	options.planner = "routes+passes";
	assert_int_equal(loom_plan_make(&plan, &topo, &pattern, &options, &err), 0);
	assert_string_equal(text, "3 passes, at least 3");
	loom_plan_free(&plan);
	loom_pattern_free(&pattern);
}

// From corner to corner of a square: there are two ways. By flits the long message has one for itself, by messages
// three share each.
static void make_by_load(struct loom_plan *out, const char *planner, const char *load, bool alike)
{
	struct loom_message messages[6];
	struct loom_topo topo;
	struct loom_pattern pattern;
	struct loom_err err = {0};
	const struct loom_plan_options options = {.planner = planner, .load = load};
	for (size_t i = 0; i < 6; i++)
		messages[i] = (struct loom_message){.source = 0, .destination = 3, .flits = i == 0 && !alike ? 99 : 9};
	assert_int_equal(loom_topo_parse(&topo, "mesh:2x2", &err), 0);
	assert_int_equal(loom_pattern_from_messages(&pattern, "six", 4, messages, 6, &err), 0);
	if (loom_plan_make(out, &topo, &pattern, &options, &err) != 0)
		fail_msg("%s", err.text);
	loom_pattern_free(&pattern);
}

static void expect_load(const char *planner, const char *load, bool alike, uint32_t messages, uint64_t flits,
                        uint32_t bound, uint64_t bound_flits)
{
	struct loom_plan plan;
	struct loom_err err = {0};
	uint64_t most = 0;
	make_by_load(&plan, planner, load, alike);
	assert_int_equal(loom_plan_contention(&plan), messages);
	assert_int_equal(loom_plan_contention_flits(&most, &plan, &err), 0);
	assert_int_equal(most, flits);
	assert_int_equal(plan.lower_bound, bound);
	assert_int_equal(plan.lower_bound_flits, bound_flits);
	route_plan_check_file(&plan);
	loom_plan_free(&plan);
}

static void test_load(void **state)
{
	(void)state;
	expect_load("reroute", "flits", false, 5, 99, 1, 99);
	expect_load("reroute", NULL, false, 5, 99, 1, 99);
	expect_load("block", NULL, false, 5, 99, 1, 99);
	expect_load("reroute", "messages", false, 3, 117, 3, 0);
	expect_load("xy", NULL, false, 6, 144, 1, 99);
	expect_load("xy", "messages", false, 6, 144, 3, 0);
	expect_load("reroute", NULL, true, 3, 27, 3, 0);
	expect_load("reroute", "flits", true, 3, 27, 3, 27);
}

// Two messages that want one link, on a row of a mesh: one of them goes round by the row above. Nobody waits, so the cycles are
// known, those of the longer way.
static void test_detours(void **state)
{
	const struct loom_message messages[] = {{.source = 4, .destination = 6, .flits = 9},
	                                        {.source = 5, .destination = 7, .flits = 9}};
	struct loom_topo topo;
	struct loom_pattern pattern;
	struct loom_plan refused;
	struct loom_err err = {0};
	struct loom_plan_options options = {.planner = "reroute"};
	(void)state;
	assert_int_equal(loom_topo_parse(&topo, "mesh:3x4", &err), 0);
	assert_int_equal(loom_pattern_from_messages(&pattern, "two", 12, messages, 2, &err), 0);
	for (options.detours = 0; options.detours < 4; options.detours++) {
		struct loom_plan plan;
		if (loom_plan_make(&plan, &topo, &pattern, &options, &err) != 0)
			fail_msg("%s", err.text);
		bool round = options.detours >= 2;
		assert_int_equal(loom_plan_contention(&plan), round ? 1 : 2);
		assert_int_equal(plan.lower_bound, round ? 1 : 2);
		assert_int_equal(loom_plan_route_length(&plan, 0) + loom_plan_route_length(&plan, 1), round ? 10 : 8);
		if (round)
			assert_int_equal(loom_plan_cycles(&plan), 9 + 4 + 1);
		route_plan_check_file(&plan);
		loom_plan_free(&plan);
	}
	options.detours = 65;
	expect_failure(loom_plan_make(&refused, &topo, &pattern, &options, &err), LOOM_EINPUT, &err, "64 at most");
	options.detours = 1;
	options.planner = "block";
	expect_failure(loom_plan_make(&refused, &topo, &pattern, &options, &err), LOOM_EINPUT, &err,
	               "that do: reroute");
	loom_pattern_free(&pattern);
}

// On table-mesh the routes that were searched for can run: longer ones on one lane, if they have no circle there.
static void test_detours_can_run(void **state)
{
	struct loom_topo topo;
	struct loom_err err = {0};
	unsigned n_longer = 0;
	(void)state;
	assert_int_equal(loom_topo_parse(&topo, "table-mesh:4x4", &err), 0);
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct loom_pattern pattern;
		struct loom_plan plan;
		const struct loom_pattern_options of_pattern = {
			.flits = 9, .seed = seed, .n_dims = 2, .extent = topo.extent};
		const struct loom_plan_options options = {.planner = "reroute", .detours = 2};
		const struct loom_image_options of_image = {0};
		const char *spec = seed % 2 ? "uniform:20" : "uniform:8";
		assert_int_equal(loom_pattern_parse(&pattern, spec, 16, &of_pattern, &err), 0);
		assert_int_equal(loom_plan_make(&plan, &topo, &pattern, &options, &err), 0);
		assert_int_equal(plan.n_lanes, 1);
		if (loom_image_check(&plan, &of_image, &err) != 0)
			fail_msg("%s", err.text);
		for (size_t i = 0; i < plan.n_messages; i++)
			n_longer += loom_plan_uses_network(&plan, &plan.messages[i]) &&
			            loom_plan_route_length(&plan, i) > loom_route_length(&topo, plan.messages[i].source,
			                                                                 plan.messages[i].destination,
			                                                                 LOOM_RULE_ASCENDING);
		route_plan_check_file(&plan);
		loom_plan_free(&plan);
		loom_pattern_free(&pattern);
	}
	assert_true(n_longer > 0);
}

static bool at_once(void *user)
{
	++*(unsigned *)user;
	return true;
}

#define NS_PER_LOOK 10000000
#define LOOKS_PER_S (1000000000 / NS_PER_LOOK)
#define SEARCHES 16 // at most, bounds counted; each looks once more when its time is over

static uint64_t looks_at_clock;

// The clock of this program, in place of libc's: it goes on when somebody looks at it, as a search does after a fixed amount of
// work. How busy the machine is does not matter then.
int clock_gettime(clockid_t clock, struct timespec *now)
{
	uint64_t ns = ++looks_at_clock * NS_PER_LOOK;
	(void)clock;
	*now = (struct timespec){(time_t)(ns / 1000000000), (long)(ns % 1000000000)};
	return 0;
}

// Returns the number of reads of the clock until there is a plan.
static uint64_t looks_of_plan(const struct loom_plan_options *options)
{
	struct loom_plan plan;
	struct loom_topo topo;
	struct loom_pattern pattern;
	struct loom_err err = {0};
	const struct loom_pattern_options of_pattern = {.flits = 9, .seed = 1};
	assert_int_equal(loom_topo_parse(&topo, "table-mesh:16x16", &err), 0);
	assert_int_equal(loom_pattern_parse(&pattern, "uniform:2000", 256, &of_pattern, &err), 0);
	uint64_t begin = looks_at_clock;
	if (loom_plan_make(&plan, &topo, &pattern, options, &err) != 0)
		fail_msg("%s", err.text);
	uint64_t looks = looks_at_clock - begin;
	assert_int_equal(plan.n_lanes, 1);
	loom_plan_free(&plan);
	loom_pattern_free(&pattern);
	loom_topo_free(&topo);
	return looks;
}

// If the longer routes need more lanes than there are, the planner searches shortest ones again, in what is left of the budget,
// and not at all where the caller wants to stop.
static void test_detours_in_time(void **state)
{
	unsigned asked = 0;
	const struct loom_plan_options stopped = {
		.planner = "reroute", .detours = 2, .budget_seconds = 60, .stopped = at_once, .user = &asked};
	const struct loom_plan_options timed = {.planner = "reroute", .detours = 2, .budget_seconds = 2};
	(void)state;
	uint64_t after_stop = looks_of_plan(&stopped), whole = looks_of_plan(&timed);
	if (asked == 0 || asked > SEARCHES || after_stop > SEARCHES)
		fail_msg("after a stop: asked %u times, %" PRIu64 " looks at the clock", asked, after_stop);
	if (whole < LOOKS_PER_S || whole > 2 * LOOKS_PER_S + SEARCHES)
		fail_msg("%" PRIu64 " looks at the clock, of which %d are a second, with a budget of 2 s", whole,
		         LOOKS_PER_S);
}

// On graphs: whatever lanes there are, what reroute makes can run, is what was predicted, and is no worse than what messages do
// unasked; its bound holds for these. With lanes enough all routes are as short as was asked for.
static void test_graphs(void **state)
{
	unsigned n_better = 0, n_longer = 0;
	(void)state;
	for (uint64_t seed = 1; seed <= 60; seed++) {
		static const unsigned lanes[] = {1, 2, 4};
		static const char *const names[] = {"graph:net", "graph:net:v2", "graph:net:v4"};
		const unsigned n_vcs = lanes[seed % 3];
		const uint32_t detours = seed % 5 == 0 ? 1 : 0, n = 4 + (uint32_t)(seed % 17);
		const struct loom_pattern_options of_pattern = {.flits = 5, .seed = seed};
		const struct loom_image_options of_image = {0};
		struct loom_graph_wires wires;
		struct loom_topo topo;
		struct loom_pattern pattern;
		struct loom_plan plan, direct;
		struct loom_err err = {0};
		random_graph(&wires, seed, n, n, seed % 2 ? 40 : 0);
		int rc = loom_topo_of_graph(&topo, names[seed % 3], &wires, n_vcs, &err);
		loom_graph_wires_free(&wires);
		if (rc != 0)
			continue; // no routes that cannot lock, on so few lanes
		assert_int_equal(loom_pattern_parse(&pattern, "uniform:50", n, &of_pattern, &err), 0);
		const struct loom_plan_options by_reroute = {.planner = "reroute", .detours = detours};
		const struct loom_plan_options by_direct = {.planner = "direct", .map = "identity"};
		if (loom_plan_make(&plan, &topo, &pattern, &by_reroute, &err) != 0)
			fail_msg("seed %" PRIu64 ": %s", seed, err.text);
		assert_int_equal(loom_plan_make(&direct, &topo, &pattern, &by_direct, &err), 0);
		assert_int_equal(plan.routes.n, plan.n_messages);
		assert_true(plan.n_lanes <= n_vcs && plan.detours >= detours);
		assert_true(plan.lower_bound <= loom_plan_contention(&plan));
		assert_true(loom_plan_contention(&plan) <= loom_plan_contention(&direct));
		n_better += loom_plan_contention(&plan) < loom_plan_contention(&direct);
		n_longer += plan.detours > detours;
		route_plan_walk(&plan);
		route_plan_check_file(&plan);
		if (loom_image_check(&plan, &of_image, &err) != 0)
			fail_msg("seed %" PRIu64 ": %s", seed, err.text);
		loom_plan_free(&plan);
		loom_plan_free(&direct);
		loom_pattern_free(&pattern);
		loom_topo_free(&topo);
	}
	assert_true(n_better > 20 && n_longer > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plans),           cmocka_unit_test(test_transpose),
		cmocka_unit_test(test_lanes),           cmocka_unit_test(test_load),
		cmocka_unit_test(test_graphs),          cmocka_unit_test(test_detours),
		cmocka_unit_test(test_detours_can_run), cmocka_unit_test(test_detours_in_time),
		cmocka_unit_test(test_progress),        cmocka_unit_test(test_routes_and_passes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
