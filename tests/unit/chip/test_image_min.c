// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Images of plans on multistage networks: free runs as tables and generators, presets, two directions.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/link/image.h>

#include "unit/help/chips.h"
#include "unit/help/networks.h"

// --- A second reader of the register map ---------------------------------------------------------------------------
//
// Written from docs/registers.md, not from the generated header.

enum { NODES_MAX = 64, PASSES_MAX = 64, STAGES_MAX = 6 };

struct decoded {
	uint32_t config;
	struct node {
		uint32_t program[2 * PASSES_MAX], n_written, length, schedule;
		unsigned n_lengths, n_schedules;
	} node[NODES_MAX];
	uint32_t settings[STAGES_MAX][PASSES_MAX][16];
	unsigned n_settings;
};

static void take_word(struct decoded *d, uint32_t address, uint32_t word)
{
	uint32_t index = address >> 16 & 0xfff, offset = address & 0xffff;
	if (address == 0x21) {
		d->config = word;
	} else if (address == 0x22 || address == 0x25 || (address >> 28 == 1 && index == 0xfff && offset >> 14 == 1)) {
		return; // seed, watchdog, map: test_image.c
	} else if (address >> 28 == 1 && index < NODES_MAX && offset == 0) {
		d->node[index].length = word;
		d->node[index].n_lengths++;
	} else if (address >> 28 == 1 && index < NODES_MAX && offset == 5) {
		d->node[index].schedule = word;
		d->node[index].n_schedules++;
	} else if (address >> 28 == 1 && index < NODES_MAX && offset >= 0x2000 && offset < 0x2000 + 2 * PASSES_MAX) {
		assert_int_equal(d->node[index].n_lengths, 0); // the length says that the program is there
		assert_int_equal(offset - 0x2000, d->node[index].n_written);
		d->node[index].program[d->node[index].n_written++] = word;
	} else if (address >> 28 == 3 && index < STAGES_MAX && offset < PASSES_MAX * 16) {
		d->settings[index][offset / 16][offset % 16] = word;
		d->n_settings++;
	} else {
		fail_msg("nothing is to be written at 0x%08x", address);
	}
}

static struct decoded *decode(const struct loom_image *image)
{
	struct decoded *d = calloc(1, sizeof *d);
	assert_non_null(d);
	for (size_t b = 0; b < image->n_blocks; b++) {
		assert_true(image->blocks[b].read_back);
		for (uint32_t i = 0; i < image->blocks[b].n_words; i++)
			take_word(d, image->blocks[b].address + i, image->blocks[b].words[i]);
	}
	for (uint32_t v = 0; v < image->n_nodes; v++)
		assert_int_equal(d->node[v].n_lengths, 1);
	return d;
}

// --- Plans and chips -----------------------------------------------------------------------------------------------

// Returns a chip on which the plan fits.
static struct loom_chip roomy_chip(const struct loom_plan *plan)
{
	struct loom_chip chip = chip_for(&plan->topo);
	chip.program_depth = chip.log_depth = 1024;
	chip.slot_flits = 2048;
	chip.preset_passes = chip.history_runs = 64;
	return chip;
}

static struct decoded *make(struct loom_image *image, const struct loom_plan *plan,
                            const struct loom_image_options *options)
{
	struct loom_chip chip = roomy_chip(plan);
	struct loom_err err = {0};
	if (loom_image_make(image, plan, &chip, options, &err) != 0)
		fail_msg("%s: %s", plan->topo.name, err.text);
	return decode(image);
}

static void refuse(const struct loom_plan *plan, const struct loom_chip *chip, const struct loom_image_options *options,
                   int code, const char *says)
{
	struct loom_image image;
	struct loom_err err = {0};
	assert_int_equal(loom_image_make(&image, plan, chip, options, &err), code);
	if (!strstr(err.text, says))
		fail_msg("\"%s\" does not say \"%s\"", err.text, says);
	assert_int_equal(loom_code_status(code), 2);
}

enum { PAPER = 1, PRESET = 2, FREE = 4, BACKWARD = 8, SKIP_SELF = 16, ALTERNATE = 32 }; // bits of CONFIG

// Returns the destination of processor v's node in a pass; -1: the node is silent.
static int from_table(const struct decoded *d, uint32_t node, uint32_t pass, uint32_t flits)
{
	const uint32_t *word = d->node[node].program + (size_t)2 * pass;
	assert_int_equal(word[0] & 0xffff, flits); // silence takes as long
	assert_int_equal(word[0] >> 16, pass);
	if (word[1] >> 28 & 1) {
		assert_int_equal(word[1], 1u << 28);
		return -1;
	}
	assert_int_equal(word[1] >> 16, 0); // ascending, generated, not kept
	return (int)(word[1] & 0xffff);
}

static int from_generator(const struct decoded *d, uint32_t node, uint32_t v, uint32_t pass, uint32_t flits)
{
	assert_int_equal(d->node[node].schedule >> 16, flits);
	uint32_t to = (d->node[node].schedule & 0xffff) ^ pass ^ pass / 2;
	return to == v && d->config & SKIP_SELF ? -1 : (int)to;
}

static void test_free_runs(void **state)
{
	(void)state;
	for (unsigned k = 0; k < NETS; k++)
		for (unsigned m = 1; m <= 5; m++)
			for (unsigned way = 0; way < 4; way++) {
				char fabric[32], map[256], identity[] = "identity";
				struct loom_plan plan;
				struct loom_image image;
				uint32_t n = 1u << m;
				bool skips = way & 1, table = way & 2;
				const struct loom_image_options options = {.seed = 1,
				                                           .machine = LOOM_MACHINE_FAST,
				                                           .schedule =
				                                                   table   ? LOOM_SCHEDULE_TABLE
				                                                   : m & 1 ? LOOM_SCHEDULE_BEST
				                                                           : LOOM_SCHEDULE_GENERATED};
				(void)snprintf(fabric, sizeof fabric, "%s:%u", net_names[k], n);
				random_map(map, n, k);
				plan_on(&plan, fabric, skips ? "all-to-others" : "all-to-all", "latin",
				        table ? map : identity, 11, 1);
				struct decoded *d = make(&image, &plan, &options);
				assert_true(image.free_running);
				assert_null(image.configs);
				assert_int_equal(image.n_passes, n);
				assert_int_equal(d->config, FREE | (skips && !table ? SKIP_SELF : 0));
				int *wanted = malloc((size_t)n * n * sizeof *wanted); // [v * n + pass]
				assert_non_null(wanted);
				for (size_t i = 0; i < (size_t)n * n; i++)
					wanted[i] = -1;
				for (size_t i = 0; i < plan.n_messages; i++)
					wanted[plan.messages[i].source * n + plan.messages[i].pass] =
						(int)plan.messages[i].destination;
				for (uint32_t v = 0; v < n; v++) {
					uint32_t node = plan.map[v];
					assert_int_equal(d->node[node].length, n);
					assert_int_equal(d->node[node].n_written, table ? 2 * n : 0);
					assert_int_equal(d->node[node].n_schedules, table ? 0 : 1);
					for (uint32_t pass = 0; pass < n; pass++)
						assert_int_equal(table ? from_table(d, node, pass, 11)
						                       : from_generator(d, node, v, pass, 11),
						                 wanted[v * n + pass]);
				}
				uint32_t *numbers = calloc(plan.n_messages, sizeof *numbers);
				assert_non_null(numbers);
				assert_int_equal(loom_image_numbers(numbers, &plan, NULL), 0);
				for (size_t i = 0; i < plan.n_messages; i++) // one entry a pass, silent or not
					assert_int_equal(numbers[i], plan.messages[i].pass);
				free(numbers);
				free(wanted);
				free(d);
				loom_image_free(&image);
				loom_plan_free(&plan);
			}
}

static void test_free_runs_that_do_not_fit(void **state)
{
	(void)state;
	struct loom_plan plan;
	struct loom_image_options options = {.seed = 1};
	plan_on(&plan, "icube:16", "all-to-all", NULL, NULL, 5, 1);
	struct loom_chip chip = roomy_chip(&plan);
	chip.history_runs = 0;
	refuse(&plan, &chip, &options, LOOM_EFIT, "no histories");
	chip.history_runs = 15;
	refuse(&plan, &chip, &options, LOOM_EFIT, "through 16 passes");
	refuse(&plan, &chip, &options, LOOM_EFIT, "hold 15");
	chip = roomy_chip(&plan);
	chip.program_depth = 8;
	refuse(&plan, &chip, &options, LOOM_EFIT, "hold 8");
	chip = roomy_chip(&plan);
	chip.log_depth = 15;
	refuse(&plan, &chip, &options, LOOM_EFIT, "the chip holds 15 in a node's log");
	chip = roomy_chip(&plan);
	options.preset = true;
	refuse(&plan, &chip, &options, LOOM_EINPUT, "which takes a barrier");
	loom_plan_free(&plan);

	// The program of one node is too long with barriers, too.
	plan_on(&plan, "icube:16", "all-to-all", "min_passes", NULL, 5, 1);
	options = (struct loom_image_options){.seed = 1, .schedule = LOOM_SCHEDULE_GENERATED};
	chip = roomy_chip(&plan);
	refuse(&plan, &chip, &options, LOOM_EINPUT,
	       "no generated schedule for planner min_passes's plan of all-to-all");
	options.schedule = LOOM_SCHEDULE_BEST;
	chip.program_depth = 15;
	refuse(&plan, &chip, &options, LOOM_EFIT,
	       "processor 0 is to send 16 messages; the chip holds 15 in a node's program");
	loom_plan_free(&plan);
}

// The switches of every pass, set in the reference as the chip would set them, deliver everything.
static void test_presets(void **state)
{
	(void)state;
	static bool crossed[REF_MIN_M_MAX][REF_MIN_N_MAX / 2];
	static const char *const fabrics[] = {"baseline:64",  "omega:8",   "icube:2",
	                                      "rbaseline:16", "romega:64", "ricube:32"};
	const struct loom_image_options options = {.seed = 1, .preset = true};
	for (size_t f = 0; f < NETS; f++) {
		struct loom_plan plan;
		struct loom_image image;
		uint32_t to[REF_MIN_N_MAX];
		plan_on(&plan, fabrics[f], "random-perm", "min_passes", NULL, 5, f);
		uint32_t n = plan.topo.n_nodes, per_stage = (n / 2 + 31) / 32;
		unsigned m = plan.topo.label_bits;
		struct decoded *d = make(&image, &plan, &options);
		assert_int_equal(d->config, PRESET);
		assert_int_equal(d->n_settings, plan.n_passes * m * per_stage);
		for (uint32_t pass = 0; pass < plan.n_passes; pass++) {
			for (unsigned s = 0; s < m; s++)
				for (uint32_t q = 0; q < n / 2; q++)
					crossed[s][q] = d->settings[s][pass][q / 32] >> q % 32 & 1;
			ref_min_evaluate(to, reference_of(&plan, 0), crossed);
			for (size_t i = 0; i < plan.n_messages; i++)
				if (plan.messages[i].pass == pass)
					assert_int_equal(to[plan.messages[i].source], plan.messages[i].destination);
		}
		struct loom_chip chip = roomy_chip(&plan);
		chip.preset_passes = 0;
		refuse(&plan, &chip, &options, LOOM_EFIT, "this chip's switches can be set for 0");
		free(d);
		loom_image_free(&image);
		loom_plan_free(&plan);
	}
	struct loom_plan plan;
	plan_on(&plan, "omega:8", "bit-reverse", "direct", NULL, 5, 1);
	struct loom_chip chip = roomy_chip(&plan);
	refuse(&plan, &chip, &options, LOOM_EINPUT, "no preset for pass 0: switch 0 of stage 0");
	loom_plan_free(&plan);
}

static void test_directions(void **state)
{
	(void)state;
	struct loom_plan plan;
	struct loom_image image;
	struct loom_image_options options = {.seed = 1};
	plan_on(&plan, "benes:16", "random-perm", NULL, NULL, 5, 3);
	for (unsigned way = 0; way < 4; way++) {
		uint32_t common = (way & 1 ? PAPER : 0) | (way & 2 ? PRESET : 0);
		options.machine = way & 1 ? LOOM_MACHINE_PAPER : LOOM_MACHINE_FAST;
		options.preset = way & 2;
		struct decoded *d = make(&image, &plan, &options);
		assert_false(image.free_running);
		assert_null(image.configs);
		assert_int_equal(d->config, common | BACKWARD | ALTERNATE); // the inverse omega network first
		for (uint32_t v = 0; v < 16; v++) { // first its own message, then the one that it kept
			const uint32_t *word = d->node[v].program;
			assert_int_equal(d->node[v].length, 2);
			assert_int_equal(word[1] >> 20 & 3, 0);
			assert_int_equal(word[1] >> 24 & 3, 1);
			assert_int_equal(word[1] >> 16 & 15, LOOM_RULE_ASCENDING);
			assert_int_equal(word[3] >> 20 & 3, 1);
			assert_int_equal(word[3] >> 24 & 3, 0);
			assert_int_equal(word[3] >> 16 & 15, LOOM_RULE_DESCENDING);
		}
		free(d);
		loom_image_free(&image);
	}
	options = (struct loom_image_options){.seed = 1};
	struct loom_chip chip = roomy_chip(&plan);
	chip.slot_flits = 4;
	refuse(&plan, &chip, &options, LOOM_EFIT, "has 5 flits; a slot of the chip holds 4");
	chip = roomy_chip(&plan);
	plan.messages[3].rule = LOOM_RULE_DESCENDING; // in pass 0 among the others
	refuse(&plan, &chip, &options, LOOM_EFIT, "pass 0 has messages both ways");
	loom_plan_free(&plan);
}

// The chip does not change the network's direction between the passes of a free run, so all go the same way, in either
// direction.
static void test_free_runs_one_way(void **state)
{
	(void)state;
	struct loom_plan plan;
	struct loom_image image;
	const struct loom_image_options options = {.seed = 1, .schedule = LOOM_SCHEDULE_TABLE};
	plan_on(&plan, "benes:8", "all-to-all", "latin", NULL, 5, 3);
	assert_true(plan.free_running && plan.n_passes == 8);
	const struct loom_chip chip = roomy_chip(&plan);
	for (unsigned way = 0; way < 2; way++) {
		for (size_t i = 0; i < plan.n_messages; i++)
			plan.messages[i].rule = way ? LOOM_RULE_DESCENDING : LOOM_RULE_ASCENDING;
		struct decoded *d = make(&image, &plan, &options);
		assert_int_equal(d->config & (BACKWARD | ALTERNATE), way ? 0 : BACKWARD);
		free(d);
		loom_image_free(&image);
	}
	for (uint32_t turned = 0; turned < 8; turned++) { // one pass goes the other way, or every second one
		char says[80];
		for (size_t i = 0; i < plan.n_messages; i++)
			plan.messages[i].rule =
				plan.messages[i].pass == turned ? LOOM_RULE_ASCENDING : LOOM_RULE_DESCENDING;
		(void)snprintf(says, sizeof says, "passes %u and %u go different ways through benes:8",
		               turned ? turned - 1 : 0, turned ? turned : 1);
		refuse(&plan, &chip, &options, LOOM_EFIT, says);
	}
	for (size_t i = 0; i < plan.n_messages; i++)
		plan.messages[i].rule = (uint8_t)(plan.messages[i].pass % 2);
	refuse(&plan, &chip, &options, LOOM_EFIT, "passes 0 and 1 go different ways through benes:8");
	plan.free_running = false; // with barriers between passes the chip changes the direction
	struct decoded *d = make(&image, &plan, &options);
	assert_int_equal(d->config & (BACKWARD | ALTERNATE), BACKWARD | ALTERNATE);
	free(d);
	loom_image_free(&image);
	loom_plan_free(&plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_free_runs),         cmocka_unit_test(test_free_runs_that_do_not_fit),
		cmocka_unit_test(test_presets),           cmocka_unit_test(test_directions),
		cmocka_unit_test(test_free_runs_one_way),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
