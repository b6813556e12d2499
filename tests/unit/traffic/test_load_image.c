// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The image with which a chip is loaded before messages are streamed: what it says of the chip is that of an image of any plan on
// this fabric and map, and no node is told to send.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <flitloom/link/regmap.h>

#include "traffic/load_image.h"
#include "unit/help/chips.h"

// The block at this address; NULL: there is none.
static const struct loom_block *block_at(const struct loom_image *image, uint32_t address)
{
	const struct loom_block *found = NULL;
	for (size_t i = 0; i < image->n_blocks; i++)
		found = image->blocks[i].address == address ? &image->blocks[i] : found;
	return found;
}

static void expect_same_block(const struct loom_image *a, const struct loom_image *b, uint32_t address)
{
	const struct loom_block *x = block_at(a, address), *y = block_at(b, address);
	assert_int_equal(x != NULL, y != NULL);
	if (!x)
		return;
	assert_int_equal(x->n_words, y->n_words);
	assert_memory_equal(x->words, y->words, x->n_words * sizeof *x->words);
}

static void test_like_a_plan(void **state)
{
	(void)state;
	static const char *const fabrics[] = {"cube:3", "mesh:2x3", "omega:8", "table-mesh:3x3"};
	for (size_t f = 0; f < sizeof fabrics / sizeof fabrics[0]; f++) {
		struct loom_topo topo;
		struct loom_pattern pattern;
		struct loom_plan plan;
		struct loom_image load, image;
		struct loom_err err = {0};
		uint32_t map[9];
		char text[40] = "";
		assert_int_equal(loom_topo_parse(&topo, fabrics[f], NULL), 0);
		for (uint32_t v = 0; v < topo.n_nodes; v++) {
			map[v] = topo.n_nodes - 1 - v;
			(void)snprintf(text + strlen(text), sizeof text - strlen(text), "%s%u", v ? "," : "", map[v]);
		}
		const struct loom_chip chip = chip_for(&topo);
		assert_int_equal(loom_pattern_parse(&pattern, "identity", topo.n_nodes,
		                                    &(struct loom_pattern_options){.flits = 3}, NULL),
		                 0);
		assert_int_equal(loom_plan_make(&plan, &topo, &pattern, &(struct loom_plan_options){.map = text}, NULL),
		                 0);
		const struct loom_image_options options = {.machine = LOOM_MACHINE_FAST, .seed = 77};
		if (loom_image_make(&image, &plan, &chip, &options, &err) != 0 ||
		    loom_load_image_make(&load, &topo, map, &chip, &options, &err) != 0)
			fail_msg("%s: %s", fabrics[f], err.text);
		assert_int_equal(load.n_passes, 1);
		assert_int_equal(load.n_nodes, topo.n_nodes);
		assert_int_equal(load.seed, image.seed);
		assert_int_equal(load.machine, LOOM_MACHINE_FAST);
		assert_false(load.free_running);
		for (size_t i = 0; i < image.n_blocks;
		     i++) // registers, the map, tables; programs have words of their own
			if (image.blocks[i].address == LOOM_REG_WATCHDOG)
				assert_true(load.watchdog_cycles >= 4096); // the least default
			else if (image.blocks[i].address >> 28 == 0 || topo.kind->router == LOOM_ROUTER_TABLE)
				expect_same_block(&load, &image, image.blocks[i].address);
		loom_image_free(&load);
		loom_image_free(&image);
		loom_plan_free(&plan);
		loom_pattern_free(&pattern);
		loom_topo_free(&topo);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_like_a_plan)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
