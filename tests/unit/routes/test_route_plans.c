// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans whose messages have routes of their own: as files, as words for a chip, by a user's own tables, and what is refused.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <flitloom/routes/deadlock.h>
#include <flitloom/link/image.h>
#include <flitloom/routes/table_file.h>
#include <flitloom/plan.h>

#include "chip/chosen_labels.h"
#include "links/rtl.h"
#include "unit/help/networks.h"
#include "unit/help/route_plan_checks.h"
#include "unit/help/some_nets.h"

// Checks the loaded tables against the user's, label by label, wherever messages come.
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

// With the tables of its own plan every message reaches its destination.
static void test_table_file(void **state)
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
		assert_int_equal(loom_route_tables_of_plan(&tables, &plan, NULL), 0);
		assert_int_equal(loom_pattern_parse(&pattern, "uniform:60", 16, &options, NULL), 0);
		const struct loom_plan_options by_tables = {.map = map, .tables = &tables};
		if (loom_plan_make(&again, &plan.topo, &pattern, &by_tables, &err) != 0)
			fail_msg("%s", err.text);
		assert_string_equal(again.planner, "tables");
		check_labels(&again, &tables);
		assert_int_equal(again.routes.n, 60);
		route_plan_check_file(&again);
		loom_plan_free(&again);
		// On other nodes there are messages that the tables do not lead to.
		const struct loom_plan_options elsewhere = {.map = "identity", .tables = &tables};
		expect_failure(loom_plan_make(&again, &plan.topo, &pattern, &elsewhere, &err), LOOM_EINPUT, &err,
		               "in the tables no label leads from node ");
		const struct loom_plan_options by_block = {.planner = "block", .tables = &tables};
		expect_failure(loom_plan_make(&again, &plan.topo, &pattern, &by_block, &err), LOOM_EINPUT, &err,
		               "planner block would not heed the tables");
		const struct loom_plan_options without = {.planner = "tables"};
		expect_failure(loom_plan_make(&again, &plan.topo, &pattern, &without, &err), LOOM_EINPUT, &err,
		               "there are no tables");
		tables.n_nodes--;
		expect_failure(loom_plan_make(&again, &plan.topo, &pattern, &by_tables, &err), LOOM_EINPUT, &err,
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
	expect_failure(loom_image_check(&plan, &options, &err), LOOM_EINPUT, &err,
	               "planner reroute chose a route for each message, and the routers of mesh:3x3 go dimension by "
	               "dimension: it can be planned and drawn; planner xy or yx can be run, and chosen routes on "
	               "fabric table-mesh:3x3");
	loom_plan_free(&plan);
	plan_on(&plan, "mesh:4x4", "uniform:100", "block", NULL, 9, 1);
	assert_int_equal(plan.n_lanes, 2);
	expect_failure(loom_image_check(&plan, &options, &err), LOOM_EINPUT, &err, "fabric table-mesh:4x4v2");
	// The same routes where links have one lane: with the circle it is refused, and not even planned.
	struct loom_topo topo;
	assert_int_equal(loom_topo_parse(&topo, "table-mesh:4x4", &err), 0);
	plan.topo = topo;
	assert_int_equal(loom_plan_predict(&plan, &err), 0);
	expect_failure(loom_deadlock_check(&plan, &err), LOOM_EINPUT, &err, "held by message");
	expect_failure(loom_image_check(&plan, &options, &err), LOOM_EINPUT, &err,
	               "these routes need 2 lanes of each link, and fabric table-mesh:4x4v2 has them");
	plan.messages[3].rule = 1;
	expect_failure(loom_plan_predict(&plan, &err), LOOM_EINPUT, &err, "message 3 goes by rule 1");
	// With two lanes of which only one is used it is the same; with both they can run.
	plan.messages[3].rule = 0;
	assert_int_equal(loom_topo_set_vcs(&plan.topo, 2, &err), 0);
	assert_int_equal(loom_plan_predict(&plan, &err), 0);
	expect_failure(loom_deadlock_check(&plan, &err), LOOM_EINPUT, &err, "virtual channel 0");
	loom_plan_free(&plan);
	plan_on(&plan, "table-mesh:4x4v2", "uniform:100", "block", NULL, 9, 1);
	assert_int_equal(plan.n_lanes, 2);
	assert_int_equal(loom_image_check(&plan, &options, &err), 0);
	loom_plan_free(&plan);
	plan_on(&plan, "mesh:3x3", "transpose", "yx", NULL, 9, 1);
	assert_int_equal(loom_image_check(&plan, &options, &err), 0);
	loom_plan_free(&plan);
}

// Tables are as many as the highest lane of any message asks for, wherever that message stands.
static void test_how_many_tables(void **state)
{
	struct loom_plan plan;
	struct loom_route_tables tables;
	uint32_t n = 7;
	(void)state;
	plan_on(&plan, "table-mesh:4x4v2", "uniform:9", "xy", NULL, 9, 1);
	assert_int_equal(loom_chosen_labels_make(&tables, &plan, NULL), 0);
	for (size_t i = 0; i < plan.n_messages; i++)
		plan.messages[i].rule = 0;
	assert_int_equal(loom_route_words(&n, &plan, &tables), tables.n_labels);
	assert_int_equal(n, 1);
	for (size_t i = 0; i < plan.n_messages; i++) {
		plan.messages[i].rule = 1;
		assert_int_equal(loom_route_words(&n, &plan, &tables), tables.n_labels);
		assert_int_equal(n, 2);
		plan.messages[i].rule = 0;
	}
	loom_route_tables_free(&tables);
	loom_plan_free(&plan);
	// A plan without messages needs all of them, a word for each node; where routers go by dimensions, none.
	plan_on(&plan, "table-mesh:4x4v2", "uniform:9", NULL, NULL, 9, 1);
	assert_int_equal(plan.routes.n, 0);
	const size_t n_messages = plan.n_messages;
	plan.n_messages = 0;
	assert_int_equal(loom_route_words(&n, &plan, NULL), 16);
	assert_int_equal(n, loom_topo_rules_count(&plan.topo));
	assert_int_equal(n, 2);
	plan.n_messages = n_messages;
	loom_plan_free(&plan);
	plan_on(&plan, "mesh:4x4", "uniform:9", NULL, NULL, 9, 1);
	assert_int_equal(loom_route_words(&n, &plan, NULL), 0);
	assert_int_equal(n, 0);
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
	expect_failure(loom_plan_make(&plan, &topo, &pattern, &options, &err), LOOM_EINPUT, &err, "planners that can");
	assert_int_equal(loom_topo_parse(&topo, "mesh:2x4", &err), 0);
	options.rule = "descending";
	expect_failure(loom_plan_make(&plan, &topo, &pattern, &options, &err), LOOM_EINPUT, &err,
	               "settles by which rule");
	options.rule = NULL;
	options.load = "bytes";
	expect_failure(loom_plan_make(&plan, &topo, &pattern, &options, &err), LOOM_EINPUT, &err,
	               "unknown load \"bytes\"");
	options.load = "flits";
	options.planner = "greedy";
	expect_failure(loom_plan_make(&plan, &topo, &pattern, &options, &err), LOOM_EINPUT, &err,
	               "that do: xy, yx, block");
	options.planner = NULL;
	expect_failure(loom_plan_make(&plan, &topo, &pattern, &options, &err), LOOM_EINPUT, &err,
	               "name one of those that can");
	loom_pattern_free(&pattern);
}

// Reads a plan's file of two messages on mesh:2x3 with these routes, which must be refused.
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
		expect_failure(rc, LOOM_EINPUT, &err, part);
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
	expect_file("[[0], 8]", "\"routes[1]\" is not a list of channels");
	expect_file("[[0, 8, 24], 3]", "routes[1]");
	expect_file("[[0, 8, 36], []]", "routes[0]");
	expect_file("[[0, 24], []]", "no link that leaves node 1");
	expect_file("[[0, 6], []]", "ends at node 2");
	expect_file("[[0, 8, 25, 20, 12], []]", "message 0");
	expect_file("[[2, 18, 24], []]", "load"); // another route than was predicted
	expect_file("[[0, 8, 24], [6, 13]]", "twice: node 1");
	// As long as is allowed, it is only not what was predicted.
	expect_file("[[2, 18, 27, 6, 14], []]", "5 links; a shortest one has 3, and chosen routes may have 0 more");
	expect_file("[[2, 18, 27, 6, 14], []], \"detours\": 1",
	            "5 links; a shortest one has 3, and chosen routes may have 1");
	expect_file("[[2, 18, 27, 6, 14], []], \"detours\": 2", "cycles");
	expect_file("[[0, 8, 24], []], \"detours\": 2", NULL);
	expect_file("[[0, 8, 24], []], \"detours\": 65", "\"detours\"");
	expect_file("[[0, 8, 24], []], \"detours\": -1", "\"detours\"");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table_file),      cmocka_unit_test(test_not_run),
		cmocka_unit_test(test_how_many_tables), cmocka_unit_test(test_image),
		cmocka_unit_test(test_requests),        cmocka_unit_test(test_files),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
