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
#include <unistd.h>

#include <cmocka.h>

#include <flitloom/deadlock.h>
#include <flitloom/image.h>
#include <flitloom/own_tables.h>
#include <flitloom/plan.h>
#include <flitloom/virtual_networks.h>

#include "chip/chosen_labels.h"
#include "links/rtl.h"
#include "networks.h"
#include "random_graphs.h"
#include "some_nets.h"

static const char *const planners[] = {"xy", "yx", "block", "reroute"};
enum { XY, YX, BLOCK, REROUTE, PLANNERS };

static uint64_t hops(const struct loom_plan *plan)
{
	struct ref_net net = net_of(plan->topo.name);
	uint64_t n = 0;
	for (size_t i = 0; i < plan->n_messages; i++)
		n += distance_by_search(&net, plan->map[plan->messages[i].source],
		                        plan->map[plan->messages[i].destination]);
	return n;
}

// What the plan says of each channel is what its routes, walked, put on it. The links of all routes together.
static uint64_t check_walked(const struct loom_plan *plan)
{
	uint32_t n_channels = loom_topo_channels(&plan->topo), channel;
	uint32_t *load = calloc((size_t)plan->n_passes * n_channels, sizeof *load);
	uint64_t on_links = 0;
	assert_non_null(load);
	for (size_t i = 0; i < plan->n_messages; i++) {
		struct loom_route route;
		for (loom_plan_route_begin(&route, plan, i); loom_route_next(&route, &channel);) {
			load[plan->messages[i].pass * n_channels + channel]++;
			on_links += !loom_topo_is_local(&plan->topo, channel);
		}
	}
	assert_memory_equal(load, plan->load, (size_t)plan->n_passes * n_channels * sizeof *load);
	free(load);
	return on_links;
}

// And no hop more than need be.
static void check_loads(const struct loom_plan *plan)
{
	assert_int_equal(check_walked(plan), hops(plan));
}

// Written and read it is the same plan.
static void check_file(const struct loom_plan *plan)
{
	char path[] = "/tmp/loom-routes-XXXXXX";
	struct loom_plan again;
	struct loom_err err = {0};
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	(void)close(fd);
	assert_int_equal(loom_plan_write(plan, path, &err), 0);
	if (loom_plan_read(&again, path, &err) != 0)
		fail_msg("%s %s: %s", plan->topo.name, plan->planner, err.text);
	assert_int_equal(again.routes.n, plan->routes.n);
	if (plan->routes.n) {
		assert_memory_equal(again.routes.first, plan->routes.first, (plan->routes.n + 1) * sizeof(size_t));
		assert_memory_equal(again.routes.channel, plan->routes.channel,
		                    plan->routes.first[plan->routes.n] * sizeof(uint32_t));
	}
	assert_int_equal(again.n_lanes, plan->n_lanes);
	assert_int_equal(again.detours, plan->detours);
	assert_int_equal(again.label != NULL, plan->label != NULL);
	if (plan->label)
		assert_memory_equal(again.label, plan->label, plan->n_messages * sizeof *plan->label);
	assert_int_equal(again.lower_bound, plan->lower_bound);
	assert_int_equal(again.lower_bound_flits, plan->lower_bound_flits);
	assert_int_equal(again.bound, plan->bound);
	loom_plan_free(&again);
	(void)remove(path);
}

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
				check_loads(&plan);
				check_file(&plan);
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
	static const char *const specs[] = {"uniform:60", "random-perm", "set:complement+bit-reverse", "hotspot:3"};
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
				check_loads(&plan);
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
		check_file(&plan);
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
	check_file(&plan);
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

// --- What is refused ---------------------------------------------------------------------------------------------------

static void expect(int rc, int wanted, const struct loom_err *err, const char *part)
{
	assert_int_equal(rc, wanted);
	if (!strstr(err->text, part))
		fail_msg("\"%s\" does not say \"%s\"", err->text, part);
}

// What is loaded into the chip is what the user's tables say, label by label, wherever messages come.
static void check_labels(const struct loom_plan *plan, const struct loom_route_tables *own)
{
	struct loom_route_tables loaded;
	size_t n = 0;
	assert_int_equal(loom_chosen_labels_make(&loaded, plan, NULL), 0);
	assert_memory_equal(loaded.label, plan->label, plan->n_messages * sizeof *plan->label);
	assert_true(loaded.n_labels <= own->n_labels);
	for (size_t k = 0; k < (size_t)loaded.n_labels * loaded.n_nodes; k++) {
		n += loaded.port[k] != LOOM_PORT_NONE;
		assert_true(loaded.port[k] == LOOM_PORT_NONE || loaded.port[k] == own->port[k]);
	}
	assert_int_equal(n, loaded.n_entries);
	assert_true(n >= plan->n_messages / 8);
	loom_route_tables_free(&loaded);
}

// By the tables of its own plan every message gets where it was to.
static void test_own_tables(void **state)
{
	(void)state;
	for (unsigned round = 0; round < 12; round++) {
		struct loom_plan plan, again;
		struct loom_route_tables tables;
		struct loom_err err = {0};
		struct loom_pattern pattern;
		char map[16 * 8];
		const struct loom_pattern_options options = {.flits = 9, .seed = round};
		random_map(map, 16, round);
		plan_on(&plan, "table-mesh:4x4", "uniform:60", round % 2 ? "reroute" : "xy", map, 9, round);
		assert_int_equal(loom_own_tables_of_plan(&tables, &plan, NULL), 0);
		assert_int_equal(loom_pattern_parse(&pattern, "uniform:60", 16, &options, NULL), 0);
		const struct loom_plan_options by_tables = {.map = map, .tables = &tables};
		if (loom_plan_make(&again, &plan.topo, &pattern, &by_tables, &err) != 0)
			fail_msg("%s", err.text);
		assert_string_equal(again.planner, "tables");
		check_labels(&again, &tables);
		assert_int_equal(again.routes.n, 60);
		check_file(&again);
		loom_plan_free(&again);
		// On other nodes there are messages that the tables do not lead to.
		const struct loom_plan_options elsewhere = {.map = "identity", .tables = &tables};
		expect(loom_plan_make(&again, &plan.topo, &pattern, &elsewhere, &err), LOOM_EINPUT, &err,
		       "in the tables no label leads from node ");
		const struct loom_plan_options by_block = {.planner = "block", .tables = &tables};
		expect(loom_plan_make(&again, &plan.topo, &pattern, &by_block, &err), LOOM_EINPUT, &err,
		       "planner block would not heed the tables");
		const struct loom_plan_options without = {.planner = "tables"};
		expect(loom_plan_make(&again, &plan.topo, &pattern, &without, &err), LOOM_EINPUT, &err,
		       "there are no tables");
		tables.n_nodes--;
		expect(loom_plan_make(&again, &plan.topo, &pattern, &by_tables, &err), LOOM_EINPUT, &err,
		       "the tables are not for table-mesh:4x4");
		tables.n_nodes++;
		loom_pattern_free(&pattern);
		loom_route_tables_free(&tables);
		loom_plan_free(&plan);
	}
}

static void test_not_run(void **state)
{
	struct loom_plan plan;
	struct loom_err err = {0};
	const struct loom_image_options options = {0};
	(void)state;
	plan_on(&plan, "mesh:3x3", "transpose", "reroute", NULL, 9, 1);
	expect(loom_image_check(&plan, &options, &err), LOOM_EINPUT, &err, "fabric table-mesh:3x3");
	loom_plan_free(&plan);
	plan_on(&plan, "mesh:4x4", "uniform:100", "block", NULL, 9, 1);
	assert_int_equal(plan.n_lanes, 2);
	expect(loom_image_check(&plan, &options, &err), LOOM_EINPUT, &err, "fabric table-mesh:4x4v2");
	// The same routes where links have one lane: with the circle it is refused, and not even planned.
	struct loom_topo topo;
	assert_int_equal(loom_topo_parse(&topo, "table-mesh:4x4", &err), 0);
	plan.topo = topo;
	assert_int_equal(loom_plan_predict(&plan, &err), 0);
	expect(loom_deadlock_check(&plan, &err), LOOM_EINPUT, &err, "held by message");
	expect(loom_image_check(&plan, &options, &err), LOOM_EINPUT, &err,
	       "these routes need 2 lanes of each link, and fabric table-mesh:4x4v2 has them");
	plan.messages[3].rule = 1;
	expect(loom_plan_predict(&plan, &err), LOOM_EINPUT, &err, "message 3 goes by rule 1");
	// With two lanes of which only one is used it is the same; with both they can run.
	plan.messages[3].rule = 0;
	assert_int_equal(loom_topo_set_vcs(&plan.topo, 2, &err), 0);
	assert_int_equal(loom_plan_predict(&plan, &err), 0);
	expect(loom_deadlock_check(&plan, &err), LOOM_EINPUT, &err, "virtual channel 0");
	loom_plan_free(&plan);
	plan_on(&plan, "table-mesh:4x4v2", "uniform:100", "block", NULL, 9, 1);
	assert_int_equal(plan.n_lanes, 2);
	assert_int_equal(loom_image_check(&plan, &options, &err), 0);
	loom_plan_free(&plan);
	plan_on(&plan, "mesh:3x3", "transpose", "yx", NULL, 9, 1);
	assert_int_equal(loom_image_check(&plan, &options, &err), 0);
	loom_plan_free(&plan);
}

static const struct loom_block *block_at(const struct loom_image *image, uint32_t address)
{
	for (size_t i = 0; i < image->n_blocks; i++)
		if (image->blocks[i].address == address)
			return &image->blocks[i];
	fail_msg("no block at 0x%x", address);
	return NULL;
}

// From the words of the image, label by label and table by table, each message goes its route to its node.
static void check_image(const char *fabric, const char *planner, unsigned label_bits)
{
	struct loom_plan plan;
	struct loom_rtl rtl;
	struct loom_image image;
	struct loom_err err = {0};
	const struct loom_image_options options = {.machine = LOOM_MACHINE_FAST};
	uint32_t numbers[60], on[4] = {0};
	char map[16 * 8];
	random_map(map, 16, 3);
	plan_on(&plan, fabric, "uniform:60", planner, map, 9, 1);
	assert_int_equal(plan.n_lanes, plan.topo.n_vcs);
	assert_int_equal(plan.topo.label_bits, label_bits);
	assert_int_equal(loom_rtl_of_fabric(&rtl, plan.topo.name, &err), 0);
	if (loom_image_make(&image, &plan, &rtl.chip, &options, &err) != 0 ||
	    loom_image_numbers(numbers, &plan, &err) != 0)
		fail_msg("%s", err.text);
	const struct loom_block *map_table = block_at(&image, 0x1fff4000u);
	for (size_t i = 0; i < plan.n_messages; i++) {
		if (!loom_plan_uses_network(&plan, &plan.messages[i]))
			continue;
		uint32_t at = plan.map[plan.messages[i].source], to = plan.map[plan.messages[i].destination];
		uint32_t word = block_at(&image, 0x10002000u | at << 16)->words[2 * numbers[i] + 1],
			 named = word & 0xffff, network = word >> 16 & 0xf;
		assert_true(network < plan.n_lanes);
		on[network]++;
		assert_true(named < map_table->n_words);
		uint32_t label = map_table->words[named], port;
		uint32_t table = 0x10001000u | network << label_bits;
		for (size_t k = plan.routes.first[i]; (port = block_at(&image, table | at << 16)->words[label]); k++) {
			assert_true(k < plan.routes.first[i + 1]);
			assert_int_equal(plan.routes.channel[k], at * 6 + port - 1);
			at = port == 1 ? at + 1 : port == 2 ? at - 1 : port == 3 ? at + 4 : at - 4;
		}
		assert_int_equal(at, to);
	}
	for (uint32_t v = 0; v < plan.n_lanes; v++)
		assert_true(on[v] > 5);
	loom_image_free(&image);
	loom_rtl_free(&rtl);
	loom_plan_free(&plan);
}

static void test_image(void **state)
{
	(void)state;
	check_image("table-mesh:4x4", "reroute", 6);
	check_image("table-mesh:4x4v2", "block", 6);
	check_image("table-mesh:4x4v4", "xy", 6);
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
	check_file(&plan);
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
		check_file(&plan);
		loom_plan_free(&plan);
	}
	options.detours = 65;
	expect(loom_plan_make(&refused, &topo, &pattern, &options, &err), LOOM_EINPUT, &err, "64 at most");
	options.detours = 1;
	options.planner = "block";
	expect(loom_plan_make(&refused, &topo, &pattern, &options, &err), LOOM_EINPUT, &err, "that do: reroute");
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
		check_file(&plan);
		loom_plan_free(&plan);
		loom_pattern_free(&pattern);
	}
	assert_true(n_longer > 0);
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
		check_walked(&plan);
		check_file(&plan);
		if (loom_image_check(&plan, &of_image, &err) != 0)
			fail_msg("seed %" PRIu64 ": %s", seed, err.text);
		loom_plan_free(&plan);
		loom_plan_free(&direct);
		loom_pattern_free(&pattern);
		loom_topo_free(&topo);
	}
	assert_true(n_better > 20 && n_longer > 0);
}

static void test_requests(void **state)
{
	struct loom_topo topo;
	struct loom_pattern pattern;
	struct loom_plan plan;
	struct loom_err err = {0};
	const struct loom_message message = {.source = 0, .destination = 1, .flits = 2};
	struct loom_plan_options options = {.planner = "reroute"};
	(void)state;
	assert_int_equal(loom_topo_parse(&topo, "omega:8", &err), 0);
	assert_int_equal(loom_pattern_from_messages(&pattern, "one", 8, &message, 1, &err), 0);
	expect(loom_plan_make(&plan, &topo, &pattern, &options, &err), LOOM_EINPUT, &err, "planners that can");
	assert_int_equal(loom_topo_parse(&topo, "mesh:2x4", &err), 0);
	options.rule = "descending";
	expect(loom_plan_make(&plan, &topo, &pattern, &options, &err), LOOM_EINPUT, &err, "settles by which rule");
	options.rule = NULL;
	options.load = "bytes";
	expect(loom_plan_make(&plan, &topo, &pattern, &options, &err), LOOM_EINPUT, &err, "unknown load \"bytes\"");
	options.load = "flits";
	options.planner = "greedy";
	expect(loom_plan_make(&plan, &topo, &pattern, &options, &err), LOOM_EINPUT, &err, "that do: xy, yx, block");
	options.planner = NULL;
	expect(loom_plan_make(&plan, &topo, &pattern, &options, &err), LOOM_EINPUT, &err, "name one of those that can");
	loom_pattern_free(&pattern);
}

// The plan of two messages on mesh:2x3, as a file, with routes that somebody wrote.
static void expect_file_with(const char *routes, const char *predicted, const char *part)
{
	static const char plan[] =
		"{\"flitloom\": \"plan\", \"version\": 2, \"fabric\": \"mesh:2x3\", \"pattern\": \"p\", \"planner\": "
		"\"block\","
		"\"map\": [0,1,2,3,4,5], \"order\": null, \"passes\": 1, \"free_running\": false, \"half_duplex\": "
		"false,"
		"\"member_of_pass\": [0], \"messages\": [[0,0,5,2,0,0,0,0],[0,1,1,2,0,0,0,1]], \"routes\": %s,"
		"\"predicted\": {\"contention\": 1, \"cycles\": [6], %s\"lower_bound\": 1, \"passes_bound\": 1, "
		"\"optimal\": true,"
		"\"passes_proved\": null, \"objective\": null, \"members\": [1],"
		"\"load\": [[0,0,1],[0,5,1],[0,8,1],[0,24,1],[0,34,1]], \"theory\": null}}";
	char text[2048];
	struct loom_plan out;
	struct loom_err err = {0};
	size_t n = (size_t)snprintf(text, sizeof text, plan, routes, predicted);
	int rc = loom_plan_parse(&out, text, n, "FILE", &err);
	if (part) {
		expect(rc, LOOM_EINPUT, &err, part);
		return;
	}
	if (rc != 0)
		fail_msg("%s", err.text);
	loom_plan_free(&out);
}

static void expect_file(const char *routes, const char *part)
{
	expect_file_with(routes, "", part);
}

static void test_files(void **state)
{
	(void)state;
	expect_file_with("[[0, 8, 24], []]", "\"lower_bound_flits\": 2, ", NULL);
	expect_file_with("[[0, 8, 24], []]", "\"lower_bound_flits\": 3, ", "no number from 0 to 2");
	expect_file_with("[[0, 8, 24], []]", "\"lower_bound_flits\": null, ", "no number from 0 to 2");
	expect_file("[[0, 8, 24], []]", NULL);
	expect_file("[[0, 8, 24]]", "\"routes\" is not a list of 2");
	expect_file("7", "\"routes\" is not a list of 2");
	expect_file("[[0, 8, 24], 3]", "routes[1]");
	expect_file("[[0, 8, 36], []]", "routes[0]");
	expect_file("[[0, 24], []]", "no link that leaves node 1");
	expect_file("[[0, 6], []]", "ends at node 2");
	expect_file("[[0, 8, 25, 20, 12], []]", "message 0");
	expect_file("[[2, 18, 24], []]", "load"); // another route than was predicted
	expect_file("[[0, 8, 24], [6, 13]]", "twice: node 1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plans),    cmocka_unit_test(test_transpose),
		cmocka_unit_test(test_lanes),    cmocka_unit_test(test_not_run),
		cmocka_unit_test(test_requests), cmocka_unit_test(test_load),
		cmocka_unit_test(test_graphs),   cmocka_unit_test(test_own_tables),
		cmocka_unit_test(test_detours),  cmocka_unit_test(test_detours_can_run),
		cmocka_unit_test(test_progress), cmocka_unit_test(test_routes_and_passes),
		cmocka_unit_test(test_image),    cmocka_unit_test(test_files),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
