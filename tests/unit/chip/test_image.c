// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
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

#include "base/rng.h"
#include "unit/help/chips.h"

// --- A second reader of the register map ---------------------------------------------------------------------------
//
// A chip that takes the image's words in their order. Written from docs/registers.md, not from the generated header.

enum { NODES_MAX = 1024, DEPTH_MAX = 4096 };

struct decoded {
	uint32_t config, seed, watchdog;
	unsigned n_config, n_seed, n_watchdog, n_map; // times written
	uint32_t map[NODES_MAX];
	struct node {
		uint32_t *program; // 2 words per message
		uint32_t n_written, length;
		unsigned n_lengths;
	} node[NODES_MAX];
};

static void take_word(struct decoded *d, uint32_t n_nodes, uint32_t address, uint32_t word)
{
	uint32_t index = address >> 16 & 0xfff, offset = address & 0xffff;
	if (address == 0x21) {
		d->config = word;
		d->n_config++;
	} else if (address == 0x22) {
		d->seed = word;
		d->n_seed++;
	} else if (address == 0x25) {
		d->watchdog = word;
		d->n_watchdog++;
	} else if (address >> 28 == 1 && index == 0xfff && offset >= 0x4000 && offset < 0x4000 + n_nodes) {
		d->map[offset - 0x4000] = word;
		d->n_map++;
	} else if (address >> 28 == 1 && index < n_nodes && offset == 0) {
		d->node[index].length = word;
		d->node[index].n_lengths++;
	} else if (address >> 28 == 1 && index < n_nodes && offset >= 0x2000 && offset < 0x2000 + 2 * DEPTH_MAX) {
		struct node *node = &d->node[index];
		assert_int_equal(node->n_lengths, 0); // the length says that the program is there
		assert_int_equal(offset - 0x2000, node->n_written);
		node->program[node->n_written++] = word;
	} else {
		fail_msg("nothing is to be written at 0x%08x", address);
	}
}

static struct decoded *decode(const struct loom_image *image, uint32_t n_nodes)
{
	struct decoded *d = calloc(1, sizeof *d);
	uint32_t *programs = calloc((size_t)n_nodes * 2 * DEPTH_MAX, sizeof *programs);
	assert_true(d && programs);
	for (uint32_t v = 0; v < n_nodes; v++)
		d->node[v].program = programs + (size_t)v * 2 * DEPTH_MAX;
	for (size_t b = 0; b < image->n_blocks; b++) {
		const struct loom_block *block = &image->blocks[b];
		assert_true(block->n_words > 0);
		assert_true(block->read_back);
		for (uint32_t i = 0; i < block->n_words; i++)
			take_word(d, n_nodes, block->address + i, block->words[i]);
	}
	assert_int_equal(d->n_config, 1);
	assert_int_equal(d->n_seed, 1);
	assert_int_equal(d->n_watchdog, 1);
	assert_int_equal(d->n_map, n_nodes);
	for (uint32_t v = 0; v < n_nodes; v++)
		assert_int_equal(d->node[v].n_lengths, 1);
	return d;
}

static void free_decoded(struct decoded *d)
{
	free(d->node[0].program);
	free(d);
}

// Checks that every message has its entry in its sender's program, and that the programs have no other entries.
static void assert_same(const struct decoded *d, const struct loom_plan *plan)
{
	uint32_t *numbers = calloc(plan->n_messages + 1, sizeof *numbers), taken[NODES_MAX] = {0};
	assert_non_null(numbers);
	assert_int_equal(loom_image_numbers(numbers, plan, NULL), 0);
	assert_memory_equal(d->map, plan->map, plan->topo.n_nodes * sizeof *plan->map);
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		uint32_t at = plan->map[m->source];
		if (m->source == m->destination) {
			assert_int_equal(numbers[i], UINT32_MAX);
			continue;
		}
		assert_int_equal(numbers[i], taken[at]);
		taken[at]++;
		const uint32_t *word = d->node[at].program + 2 * (size_t)numbers[i];
		assert_int_equal(word[0] & 0xffff, m->flits);
		assert_int_equal(word[0] >> 16, m->pass);
		assert_int_equal(word[1] & 0xffff, m->destination);
		assert_int_equal(word[1] >> 16 & 15, m->rule);
		assert_int_equal(word[1] >> 20 & 3, m->from_slot);
		assert_int_equal(word[1] >> 24 & 3, m->keep_slot);
		assert_int_equal(word[1] & ~0x033fffffu, 0);
	}
	for (uint32_t v = 0; v < plan->topo.n_nodes; v++) {
		assert_int_equal(d->node[v].length, taken[v]);
		assert_int_equal(d->node[v].n_written, 2 * taken[v]);
	}
	free(numbers);
}

// --- Plans and chips -----------------------------------------------------------------------------------------------

struct scene {
	struct loom_plan plan;
	struct loom_chip chip;
	struct loom_image_options options;
	struct loom_image image;
	struct loom_err err;
};

// Fills in the parts of a plan that an image needs, without predictions. Processor v is on node v ^ mask.
static void set_up(struct scene *s, unsigned n, uint32_t mask, const struct loom_plan_message *messages,
                   size_t n_messages, uint32_t n_passes)
{
	char fabric[16];
	memset(s, 0, sizeof *s);
	(void)snprintf(fabric, sizeof fabric, "cube:%u", n);
	assert_int_equal(loom_topo_parse(&s->plan.topo, fabric, NULL), 0);
	s->plan.n_passes = n_passes;
	s->plan.n_messages = n_messages;
	s->plan.messages = calloc(n_messages + 1, sizeof *s->plan.messages);
	s->plan.map = calloc(s->plan.topo.n_nodes, sizeof *s->plan.map);
	assert_true(s->plan.messages && s->plan.map);
	if (n_messages)
		memcpy(s->plan.messages, messages, n_messages * sizeof *messages);
	for (uint32_t v = 0; v < s->plan.topo.n_nodes; v++)
		s->plan.map[v] = v ^ mask;
	s->chip = chip_for(&s->plan.topo);
}

static void make(struct scene *s)
{
	loom_image_free(&s->image);
	if (loom_image_make(&s->image, &s->plan, &s->chip, &s->options, &s->err) != 0)
		fail_msg("%s", s->err.text);
	assert_int_equal(s->image.blocks[0].address, LOOM_REG_CONFIG); // a node would miss what comes first: device.c
}

static void refuse_as(struct scene *s, int code, const char *says)
{
	struct loom_image out, before;
	memset(&before, 0xa5, sizeof before);
	out = before;
	memset(&s->err, 0, sizeof s->err);
	assert_int_equal(loom_image_make(&out, &s->plan, &s->chip, &s->options, &s->err), code);
	assert_int_equal(s->err.code, code);
	if (!strstr(s->err.text, says))
		fail_msg("\"%s\" does not say \"%s\"", s->err.text, says);
	assert_memory_equal(&out, &before, sizeof out);
	assert_int_equal(loom_image_make(&out, &s->plan, &s->chip, &s->options, NULL), code);
	assert_memory_equal(&out, &before, sizeof out);
}

static void refuse(struct scene *s, const char *says)
{
	refuse_as(s, LOOM_EFIT, says);
}

static void tear_down(struct scene *s)
{
	loom_image_free(&s->image);
	assert_null(s->image.blocks);
	assert_null(s->image.pool);
	loom_plan_free(&s->plan);
}

static const struct loom_plan_message few[] = {
	{.pass = 0, .source = 1, .destination = 2, .flits = 5, .keep_slot = 1},
	{.pass = 0,
         .source = 0,
         .destination = 0,
         .flits = 100000,
         .origin = 1}, // to its own node: the chip need not hold it
	{.pass = 0, .source = 1, .destination = 3, .flits = 65535, .origin = 2},
	{.pass = 1,
         .source = 2,
         .destination = 0,
         .flits = 5,
         .from_slot = 1,
         .keep_slot = 3,
         .rule = LOOM_RULE_DESCENDING},
	{.pass = 2, .source = 0, .destination = 3, .flits = 5, .from_slot = 3, .origin = 3},
	{.pass = 7, .source = 1, .destination = 0, .flits = 1, .origin = 5},
};
enum { N_FEW = sizeof few / sizeof few[0] };

// --- Contents ------------------------------------------------------------------------------------------------------

static void test_words(void **state)
{
	(void)state;
	struct scene s;
	set_up(&s, 2, 2, few, N_FEW, 8);
	make(&s);
	assert_int_equal(s.image.n_nodes, 4);
	assert_int_equal(s.image.n_passes, 8);
	struct decoded *d = decode(&s.image, 4);
	assert_same(d, &s.plan);
	// Once more, word by word: processor 1 is on node 3.
	static const uint32_t program[] = {0x00000005, 0x01000002, 0x0000ffff, 0x00000003, 0x00070001, 0x00000000};
	assert_int_equal(d->node[3].length, 3);
	assert_memory_equal(d->node[3].program, program, sizeof program);
	assert_int_equal(d->node[0].length, 1); // of processor 2
	assert_int_equal(d->node[0].program[0], 0x00010005);
	assert_int_equal(d->node[0].program[1], 0x03110000);
	assert_int_equal(d->node[2].program[1], 0x00300003);
	assert_int_equal(d->node[1].length, 0); // written even so: the chip may have run another program before
	free_decoded(d);
	tear_down(&s);
	loom_image_free(NULL);
}

static void test_settings(void **state)
{
	(void)state;
	struct scene s;
	set_up(&s, 2, 0, few, N_FEW, 8);
	make(&s);
	struct decoded *d = decode(&s.image, 4);
	assert_int_equal(d->config, 0);
	assert_int_equal(d->seed, 0);
	assert_true(d->watchdog > 65535 + 16); // a message may wait for all the others to cross its channel
	free_decoded(d);

	s.options = (struct loom_image_options){
		.machine = LOOM_MACHINE_PAPER, .seed = UINT64_C(0x1234567800000001), .watchdog_cycles = 77};
	make(&s);
	d = decode(&s.image, 4);
	assert_int_equal(d->config, 1);
	assert_int_equal(d->seed, 0x12345679);
	assert_int_equal(d->watchdog, 77);
	assert_int_equal(s.image.watchdog_cycles, 77);
	free_decoded(d);
	tear_down(&s);
}

static void test_no_messages(void **state)
{
	(void)state;
	static const struct loom_plan_message self = {.source = 1, .destination = 1, .flits = 1};
	for (size_t n = 0; n < 2; n++) {
		struct scene s;
		set_up(&s, 1, 1, &self, n, 1);
		make(&s);
		struct decoded *d = decode(&s.image, 2);
		assert_same(d, &s.plan);
		free_decoded(d);
		tear_down(&s);
	}
}

static void test_random(void **state)
{
	(void)state;
	struct loom_rng rng;
	loom_rng_init(&rng, 7);
	for (unsigned n = 1; n <= 10; n++) {
		struct scene s;
		struct loom_plan_message *messages = calloc(20000, sizeof *messages);
		uint32_t n_nodes = UINT32_C(1) << n, pass = 0;
		size_t n_messages = 20 * n_nodes;
		n_messages = n_messages > 20000 ? 20000 : n_messages;
		assert_non_null(messages);
		for (size_t i = 0; i < n_messages; i++) {
			pass += loom_rng_below(&rng, 4) == 0 && pass < 16383;
			messages[i] = (struct loom_plan_message){
				.pass = pass,
				.source = (uint32_t)loom_rng_below(&rng, n_nodes),
				.destination = (uint32_t)loom_rng_below(&rng, n_nodes),
				.flits = 1 + (uint32_t)loom_rng_below(&rng, 64),
				.rule = (uint8_t)loom_rng_below(&rng, 2),
				.from_slot = (uint8_t)loom_rng_below(&rng, 4),
				.keep_slot = (uint8_t)loom_rng_below(&rng, 4),
			};
		}
		set_up(&s, n, (uint32_t)loom_rng_below(&rng, n_nodes), messages, n_messages, pass + 1);
		make(&s);
		struct decoded *d = decode(&s.image, n_nodes);
		assert_same(d, &s.plan);
		free_decoded(d);
		tear_down(&s);
		free(messages);
	}
}

// --- Limits --------------------------------------------------------------------------------------------------------

static void test_program_too_long(void **state)
{
	(void)state;
	struct scene s;
	struct loom_plan_message messages[10];
	for (uint32_t i = 0; i < 10; i++)
		messages[i] = (struct loom_plan_message){.source = 5, .destination = i % 5, .flits = 1};
	set_up(&s, 3, 6, messages, 9, 1);
	s.chip.program_depth = 8;
	refuse(&s, "processor 5 is to send 9 messages; the chip holds 8");
	s.plan.n_messages = 8;
	make(&s);
	s.plan.messages[8].destination = 5; // not sent
	s.plan.n_messages = 9;
	make(&s);
	tear_down(&s);
}

static void test_log_too_small(void **state)
{
	(void)state;
	struct scene s;
	struct loom_plan_message messages[7];
	for (uint32_t i = 0; i < 7; i++)
		messages[i] = (struct loom_plan_message){.pass = i, .source = i, .destination = 7, .flits = 1};
	set_up(&s, 3, 1, messages, 7, 7);
	s.chip.log_depth = 6; // the log is not emptied between passes
	refuse(&s, "processor 7 is to receive 7 messages; the chip holds 6");
	s.plan.messages[3].destination = 3;
	make(&s);
	tear_down(&s);
}

static void test_message_too_long(void **state)
{
	(void)state;
	struct scene s;
	set_up(&s, 2, 0, few, N_FEW, 8);
	s.plan.messages[2].flits = 65536;
	refuse(&s, "message 2 (1 to 3) has 65536 flits; the chip holds messages of at most 65535");
	s.plan.messages[2].flits = UINT32_MAX;
	refuse(&s, "message 2 (1 to 3) has 4294967295 flits");
	s.plan.messages[2].flits = 8;
	s.chip.length_bits = 3;
	refuse(&s, "message 2 (1 to 3) has 8 flits; the chip holds messages of at most 7");
	s.plan.messages[2].flits = 7;
	make(&s);
	tear_down(&s);
}

static void test_store_too_small(void **state)
{
	(void)state;
	struct scene s;
	set_up(&s, 2, 0, few, N_FEW, 8);
	s.chip.store_slots = 2;
	refuse(&s, "message 3 (2 to 0) uses slot 3 of the store; the chip holds 2");
	s.plan.messages[3].keep_slot = 2;
	refuse(&s, "message 4 (0 to 3) uses slot 3 of the store; the chip holds 2");
	s.plan.messages[4].from_slot = 2;
	make(&s);
	s.chip.store_slots = 0;
	refuse(&s, "message 0 (1 to 2) uses slot 1 of the store; the chip holds 0");
	s.chip.store_slots = 2;
	s.chip.slot_flits = 4;
	refuse(&s, "message 0 (1 to 2) is to be kept and has 5 flits; a slot of the chip holds 4");
	s.chip.slot_flits = 5;
	make(&s);
	tear_down(&s);
}

static void test_other_chip(void **state)
{
	(void)state;
	struct scene s;
	set_up(&s, 3, 0, few, N_FEW, 8);
	const struct loom_chip chip = s.chip;
	s.chip.n_dims = 4;
	s.chip.extent[3] = 2;
	refuse_as(&s, LOOM_EHARDWARE, "the plan is for cube:3, but the chip holds cube:4");
	s.chip.n_dims = 2;
	refuse(&s, "the plan is for cube:3, but the chip holds cube:2");
	s.chip = chip;
	s.chip.kind = 99;
	refuse_as(&s, LOOM_EHARDWARE,
	          "the plan is for cube:3, but the chip holds a fabric of kind 99, which this program does not know");
	s.chip = chip;
	// The name is right, but not the rest.
	s.chip.n_nodes = 16;
	refuse_as(
		&s, LOOM_EHARDWARE,
		"the chip calls itself cube:3, which has 8 nodes, 8 tiles of 5 channels and labels of 3 bits, but says "
		"that it has 16, 8 of 5 and 3");
	s.chip = chip;
	s.chip.n_tiles = 7;
	refuse_as(&s, LOOM_EHARDWARE, "that it has 8, 7 of 5 and 3");
	s.chip = chip;
	s.chip.n_channels = 4;
	refuse_as(&s, LOOM_EHARDWARE, "that it has 8, 8 of 4 and 3");
	s.chip = chip;
	s.chip.label_bits = 4;
	refuse_as(&s, LOOM_EHARDWARE, "that it has 8, 8 of 5 and 4");
	tear_down(&s);
}

// A rule of more bits than the chip's headers have, and one that just fits.
static void test_rule_bits(void **state)
{
	(void)state;
	const struct loom_plan_message messages[] = {{.source = 1, .destination = 2, .flits = 2, .rule = 3}};
	struct scene s;
	set_up(&s, 2, 0, messages, 1, 1);
	refuse(&s, "goes by rule one-way-descending, 3; headers of the chip have 1 bit for it");
	s.chip.rule_bits = 2;
	make(&s);
	tear_down(&s);
}

static void test_too_many_passes(void **state)
{
	(void)state;
	struct scene s;
	set_up(&s, 1, 0, few, 0, 16385);
	refuse(&s, "the plan has 16385 passes; the chip holds 16384");
	s.plan.n_passes = 16384;
	make(&s);
	assert_int_equal(s.image.n_passes, 16384);
	s.chip.pass_bits = 4;
	refuse(&s, "the plan has 16384 passes; the chip holds 16");
	s.plan.n_passes = 17;
	refuse(&s, "the plan has 17 passes; the chip holds 16");
	s.plan.n_passes = 16;
	make(&s);
	tear_down(&s);
}

// A board whose logs count few cycles: a pass with a longer known time does not fit, and the watchdog waits no
// longer.
static void test_few_cycles(void **state)
{
	(void)state;
	struct scene s;
	uint64_t cycles[] = {4095, LOOM_CYCLES_UNKNOWN};
	set_up(&s, 1, 0, few, 0, 2);
	s.chip.cycle_bits = 12;
	s.plan.cycles = cycles;
	make(&s);
	struct decoded *d = decode(&s.image, 2);
	assert_int_equal(d->watchdog, 4095);
	free_decoded(d);
	cycles[0] = 4096;
	refuse(&s, "pass 0 takes 4096 cycles; the chip's logs hold cycles up to 4095: send shorter messages");
	s.plan.cycles = NULL;
	tear_down(&s);
}

// With more than a quarter of 2^32 flits their fourfold does not fit a register: the watchdog then waits as long as it
// can.
static void test_patience(void **state)
{
	(void)state;
	struct scene s;
	size_t n_messages = 16400;
	struct loom_plan_message *messages = calloc(n_messages, sizeof *messages);
	assert_non_null(messages);
	for (uint32_t i = 0; i < n_messages; i++)
		messages[i] =
			(struct loom_plan_message){.source = i % 1024, .destination = (i + 1) % 1024, .flits = 65535};
	set_up(&s, 10, 0, messages, n_messages, 1);
	make(&s);
	struct decoded *d = decode(&s.image, 1024);
	assert_int_equal(d->watchdog, UINT32_MAX);
	free_decoded(d);
	tear_down(&s);
	free(messages);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_settings),
		cmocka_unit_test(test_no_messages),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_program_too_long),
		cmocka_unit_test(test_log_too_small),
		cmocka_unit_test(test_message_too_long),
		cmocka_unit_test(test_store_too_small),
		cmocka_unit_test(test_other_chip),
		cmocka_unit_test(test_rule_bits),
		cmocka_unit_test(test_too_many_passes),
		cmocka_unit_test(test_few_cycles),
		cmocka_unit_test(test_patience),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
