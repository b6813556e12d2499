// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Images for direct networks: names of nodes, the fabrics of boards, and the tables of routers that have one.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/link/image.h>
#include <flitloom/link/regmap.h>

#include "unit/help/chips.h"

static void plan_shift(struct loom_plan *out, const char *fabric, const char *map)
{
	struct loom_topo t;
	struct loom_pattern pattern;
	struct loom_err err = {0};
	const struct loom_pattern_options options = {.flits = 4};
	const struct loom_plan_options plan_options = {.map = map, .planner = "direct"};
	assert_int_equal(loom_topo_parse(&t, fabric, &err), 0);
	assert_int_equal(loom_pattern_parse(&pattern, "shift:1", t.n_nodes, &options, &err), 0);
	if (loom_plan_make(out, &t, &pattern, &plan_options, &err) != 0)
		fail_msg("%s: %s", fabric, err.text);
	loom_pattern_free(&pattern);
}

static const struct loom_block *block_at(const struct loom_image *image, uint32_t address)
{
	for (size_t i = 0; i < image->n_blocks; i++)
		if (image->blocks[i].address == address)
			return &image->blocks[i];
	return NULL;
}

// x is node % 5 and y is node / 5, in 3 and 2 bits; the map of processors does not change labels.
static void test_map_holds_labels(void **state)
{
	(void)state;
	struct loom_plan plan;
	struct loom_image image;
	struct loom_err err = {0};
	const struct loom_image_options options = {.machine = LOOM_MACHINE_FAST};
	plan_shift(&plan, "mesh:3x5", "14,13,12,11,10,9,8,7,6,5,4,3,2,1,0");
	struct loom_chip chip = chip_for(&plan.topo);
	assert_int_equal(loom_image_make(&image, &plan, &chip, &options, &err), 0);
	const struct loom_block *map = block_at(&image, 0x1fff4000u);
	assert_non_null(map);
	assert_int_equal(map->n_words, 15);
	for (uint32_t v = 0; v < 15; v++) {
		uint32_t node = 14 - v;
		assert_int_equal(map->words[v], node % 5 | node / 5 << 3);
	}
	// Programs go to node numbers, and say processors.
	const struct loom_block *program = block_at(&image, LOOM_WINDOW_PROGRAM | 14u << LOOM_INDEX_LOW);
	assert_non_null(program);
	assert_int_equal(program->words[1], 1);
	assert_null(block_at(&image, LOOM_WINDOW_ROUTE)); // these routers need no table
	loom_image_free(&image);
	loom_plan_free(&plan);
}

struct fit {
	const char *board;
	int code;
	const char *says;
};

// Checks a plan for the fabric on boards with other fabrics.
static void check_fits(const char *fabric, const struct fit *cases, size_t n)
{
	struct loom_plan plan;
	const struct loom_image_options options = {.machine = LOOM_MACHINE_FAST};
	plan_shift(&plan, fabric, "identity");
	for (size_t i = 0; i < n; i++) {
		struct loom_topo board;
		struct loom_err err = {0};
		assert_int_equal(loom_topo_parse(&board, cases[i].board, &err), 0);
		struct loom_chip chip = chip_for(&board);
		chip.n_vcs = board.n_vcs;
		assert_int_equal(loom_image_fits(&plan, &chip, &options, &err), cases[i].code);
		if (!strstr(err.text, cases[i].says))
			fail_msg("%s: \"%s\" does not say \"%s\"", cases[i].board, err.text, cases[i].says);
		loom_topo_free(&board);
	}
	loom_plan_free(&plan);
}

static void test_which_board(void **state)
{
	(void)state;
	static const struct fit cases[] = {
		{"mesh:5x3", LOOM_EHARDWARE, "the plan is for mesh:3x5, but the chip holds mesh:5x3"},
		{"mesh:1x3x5", LOOM_EHARDWARE, "the plan is for mesh:3x5, but the chip holds mesh:1x3x5"},
		{"torus:3x5", LOOM_EHARDWARE, "but the chip holds torus:3x5"},
		{"mesh:2x2", LOOM_EFIT, "but the chip holds mesh:2x2"},
		{"mesh:4x5", LOOM_EHARDWARE, "but the chip holds mesh:4x5"},
		{"omega:16", LOOM_EHARDWARE, "but the chip holds omega:16"},
	};
	struct loom_plan plan;
	const struct loom_image_options options = {.machine = LOOM_MACHINE_FAST};
	check_fits("mesh:3x5", cases, sizeof cases / sizeof cases[0]);
	plan_shift(&plan, "mesh:3x5", "identity");
	struct loom_chip chip = chip_for(&plan.topo);
	struct loom_err err = {0};
	assert_int_equal(loom_image_fits(&plan, &chip, &options, &err), 0);
	chip.label_bits++;
	assert_int_equal(loom_image_fits(&plan, &chip, &options, &err), LOOM_EHARDWARE);
	chip = chip_for(&plan.topo);
	chip.n_dims = 17;
	assert_int_equal(loom_image_fits(&plan, &chip, &options, &err), LOOM_EHARDWARE);
	assert_non_null(strstr(err.text, "17 dimensions"));
	chip.n_dims = 0;
	assert_int_equal(loom_image_fits(&plan, &chip, &options, &err), LOOM_EHARDWARE);
	loom_plan_free(&plan);
}

// A plan counts on light as it is.
static void test_which_light(void **state)
{
	(void)state;
	static const struct fit cases[] = {
		{"otis-mesh:4l2w3v2", 0, ""},
		{"otis-mesh:4v2", LOOM_EHARDWARE,
	         "the plan is for otis-mesh:4l2w3v2, but the chip holds otis-mesh:4v2"},
		{"otis-mesh:4l3w3v2", LOOM_EHARDWARE, "but the chip holds otis-mesh:4l3w3v2"},
		{"otis-mesh:4l2w2v2", LOOM_EHARDWARE, "but the chip holds otis-mesh:4l2w2v2"},
		{"otis-mesh:16l2w3v2", LOOM_EHARDWARE, "but the chip holds otis-mesh:16l2w3v2"},
		{"mesh:2x2x2x2", LOOM_EHARDWARE, "but the chip holds mesh:2x2x2x2"},
	};
	check_fits("otis-mesh:4l2w3v2", cases, sizeof cases / sizeof cases[0]);
}

// A plan also depends on each link's delay, of which a chip reports the largest and a digest of all.
static void test_which_links(void **state)
{
	(void)state;
	static const struct fit cases[] = {
		{"mesh:3x4d2.5", 0, ""},
		{"mesh:3x4", LOOM_EHARDWARE, "the plan is for mesh:3x4d2.5, but the chip holds mesh:3x4"},
		{"mesh:3x4d5", LOOM_EHARDWARE, "but the chip holds mesh:3x4d5"},
		{"mesh:3x4d5.2", LOOM_EHARDWARE, "with links of several delays"},
		{"mesh:3x4d2.4", LOOM_EHARDWARE, "with links of several delays"},
		{"mesh:3x4d1.5", LOOM_EHARDWARE, "with links of several delays"},
	};
	static const struct fit of_one[] = {
		{"mesh:3x4d5", 0, ""},
		{"mesh:3x4d2.5", LOOM_EHARDWARE, "with links of several delays"},
	};
	check_fits("mesh:3x4d2.5", cases, sizeof cases / sizeof cases[0]);
	check_fits("mesh:3x4d5", of_one, sizeof of_one / sizeof of_one[0]);
}

// A torus whose routers have tables: its labels are node numbers, and the tables lead from every node to every other.
static void test_route_tables(void **state)
{
	(void)state;
	struct loom_plan plan;
	struct loom_image image;
	struct loom_err err = {0};
	const struct loom_image_options options = {.machine = LOOM_MACHINE_FAST};
	plan_shift(&plan, "torus:3x4", "identity");
	struct loom_topo_kind by_table = *plan.topo.kind;
	by_table.router = LOOM_ROUTER_TABLE;
	plan.topo.kind = &by_table;
	plan.topo.label_bits = 4;
	plan.messages[5].rule = 1;
	struct loom_chip chip = chip_for(&plan.topo);
	if (loom_image_make(&image, &plan, &chip, &options, &err) != 0)
		fail_msg("%s", err.text);
	assert_int_equal(block_at(&image, 0x1fff4000u)->words[11], 11);
	for (uint32_t from = 0; from < 12; from++)
		for (uint32_t to = 0; to < 12; to++)
			for (uint32_t rule = 0; rule < 2; rule++) {
				uint32_t at = from, x = to % 4, y = to / 4;
				for (int hops = 0;; hops++) {
					const struct loom_block *table =
						block_at(&image, 0x10001000u | at << 16 | rule << 4);
					assert_non_null(table);
					assert_int_equal(table->n_words, 12);
					assert_true(table->read_back);
					uint32_t port = table->words[to];
					if (port == 0)
						break;
					assert_true(hops < 4 && port <= 4);
					uint32_t dimension = (port - 1) / 2;
					// The lower dimension first, or the higher.
					if (rule == 0)
						assert_int_equal(dimension, at % 4 != x ? 0 : 1);
					else
						assert_int_equal(dimension, at / 4 != y ? 1 : 0);
					at = dimension ? (at / 4 + (port % 2 ? 1 : 2)) % 3 * 4 + at % 4
					               : at / 4 * 4 + (at + (port % 2 ? 1 : 3)) % 4;
				}
				assert_int_equal(at, to);
			}
	loom_image_free(&image);
	loom_plan_free(&plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_map_holds_labels), cmocka_unit_test(test_which_board),
		cmocka_unit_test(test_which_light),      cmocka_unit_test(test_which_links),
		cmocka_unit_test(test_route_tables),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
