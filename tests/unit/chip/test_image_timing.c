// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Programs with gates as words: of any plan with timing each node's entries are those of its messages and gates, in their order.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/link/image.h>
#include <flitloom/link/regmap.h>

#include "base/rng.h"
#include "unit/help/chips.h"
#include "unit/help/plans_by_hand.h"
#include "unit/help/random_programs.h"
#include "unit/help/unchecked_plan.h"

#define ROOM 4096u // entries of a program
#define DELAY_BIT (UINT32_C(1) << 28)
#define WAIT_BIT (UINT32_C(1) << 29)

static struct loom_chip timed_chip(const struct loom_topo *t)
{
	struct loom_chip chip = chip_for(t);
	chip.timing = LOOM_CHIP_TIMED;
	chip.program_depth = chip.log_depth = ROOM;
	return chip;
}

// Returns the word of the image for an address, or `none`.
static uint32_t word(const struct loom_image *image, uint32_t address, uint32_t none)
{
	for (size_t b = 0; b < image->n_blocks; b++) {
		const struct loom_block *block = &image->blocks[b];
		if (address >= block->address && address - block->address < block->n_words)
			return block->words[address - block->address];
	}
	return none;
}

// A reader of the entries of a program.
struct reader {
	const struct loom_image *image;
	uint32_t node, n, at;
};

static void expect(struct reader *r, uint32_t word0, uint32_t word1)
{
	uint32_t program = 0x10002000u | r->node << 16;
	assert_int_equal(word(r->image, program + 2 * r->n, UINT32_MAX), word0);
	assert_int_equal(word(r->image, program + 2 * r->n + 1, UINT32_MAX), word1);
	assert_int_equal(word(r->image, (0x50000000u | r->node << 16) + r->n, 0), r->at);
	r->n++;
	r->at = 0;
}

static void expect_gate(struct reader *r, const struct loom_gate *g)
{
	uint32_t left = g->value;
	switch (g->kind) {
	case LOOM_GATE_AT: r->at = g->value > r->at ? g->value : r->at; break;
	case LOOM_GATE_WAIT: expect(r, g->value, WAIT_BIT | g->source); break;
	case LOOM_GATE_DELAY:
		for (; left > 65535; left -= 65535)
			expect(r, 65535, DELAY_BIT);
		expect(r, left, DELAY_BIT);
		break;
	}
}

static void check_image(const struct loom_plan *plan, const struct loom_image *image)
{
	uint32_t *numbers = calloc(plan->n_messages + 1, sizeof *numbers);
	assert_non_null(numbers);
	assert_int_equal(loom_image_numbers(numbers, plan, NULL), 0);
	for (uint32_t v = 0; v < plan->topo.n_nodes; v++) {
		const struct loom_timing *t = plan->timing;
		struct reader r = {.image = image, .node = plan->map[v]};
		for (size_t i = 0; i <= plan->n_messages; i++) {
			const struct loom_plan_message *m = i < plan->n_messages ? &plan->messages[i] : NULL;
			size_t place = m ? i : plan->n_messages + v;
			if (m && m->source != v)
				continue;
			for (size_t g = t->first[place]; g < t->first[place + 1]; g++)
				expect_gate(&r, &t->gate[g]);
			bool leaves = m && (m->destination != v || plan->topo.kind->self_uses_network);
			if (m)
				assert_int_equal(numbers[i], leaves ? r.n : UINT32_MAX);
			if (leaves)
				expect(&r, m->flits, m->destination | (uint32_t)m->rule << 16);
		}
		if (r.at) // a cycle that nothing follows
			expect(&r, 1, DELAY_BIT);
		assert_int_equal(word(image, 0x10000000u | r.node << 16, UINT32_MAX), r.n);
		assert_int_equal(image->entries[r.node], r.n);
		assert_int_equal(word(image, 0x10002000u | r.node << 16 | 2 * r.n, 77), 77);
		assert_int_equal(word(image, (0x50000000u | r.node << 16) + r.n, 77), 77);
	}
	free(numbers);
}

static void test_words(void **state)
{
	(void)state;
	static const char *const fabrics[] = {"cube:3", "omega:8", "mesh:4x2"};
	struct loom_rng rng;
	loom_rng_init(&rng, 17);
	for (unsigned round = 0; round < 60; round++) {
		const struct random_programs what = {
			.n_nodes = 8, .n_messages = 40, .most_flits = 9, .most_cycles = round % 2 ? 50 : 200000};
		struct loom_pattern p = random_programs(&what, &rng);
		struct loom_topo topo;
		struct loom_err err = {0};
		assert_int_equal(loom_topo_parse(&topo, fabrics[round % 3], &err), 0);
		struct loom_plan plan = make_plan(&topo, &p, round % 4 < 2 ? NULL : "3,1,2,0,4,7,6,5", NULL, NULL);
		const struct loom_chip chip = timed_chip(&topo);
		const struct loom_image_options options = {.seed = 1};
		struct loom_image image;
		if (loom_image_make(&image, &plan, &chip, &options, &err) != 0)
			fail_msg("%s", err.text);
		check_image(&plan, &image);
		loom_image_free(&image);
		assert_null(image.entries);
		loom_plan_free(&plan);
		loom_pattern_free(&p);
	}
}

// If a node sends two messages in a pass, the host asks chips with timing when entries of a plan without timing began;
// otherwise they began in cycle 1.
#define M(from, to)                                                                                                    \
	{                                                                                                              \
		.source = (from), .destination = (to), .flits = 5                                                      \
	}
static void test_untimed(void **state)
{
	(void)state;
	static const struct {
		bool apart; // each in a separate pass
		struct loom_message m[3];
		size_t n;
		uint32_t timing, entries[4];
	} cases[] = {
		{false, {M(1, 2), M(0, 3), M(2, 0)}, 3, LOOM_CHIP_TIMED, {0}},
		{false, {M(1, 2), M(0, 3), M(1, 0)}, 3, LOOM_CHIP_TIMED, {1, 2, 0, 0}},
		{false, {M(1, 2), M(0, 3), M(1, 0)}, 3, 0, {0}},
		{false, {M(1, 2), M(1, 1)}, 2, LOOM_CHIP_TIMED, {0}}, // one message is to its own node
		{true, {M(1, 2), M(1, 0), M(1, 3)}, 3, LOOM_CHIP_TIMED, {0}},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct loom_topo topo = cube_of(2);
		struct loom_pattern p;
		struct loom_err err = {0};
		assert_int_equal(loom_pattern_from_messages(&p, "few", 4, cases[i].m, cases[i].n, &err), 0);
		struct loom_plan plan = make_plan(&topo, &p, NULL, NULL, NULL);
		for (size_t k = 0; cases[i].apart && k < plan.n_messages; k++)
			plan.messages[k].pass = (uint32_t)k;
		if (cases[i].apart) {
			plan.n_passes = 3;
			free(plan.cycles);
			plan.cycles = NULL;
		}
		struct loom_chip chip = timed_chip(&topo);
		chip.timing = cases[i].timing;
		const struct loom_image_options options = {.seed = 1};
		struct loom_image image;
		if (loom_image_make(&image, &plan, &chip, &options, &err) != 0)
			fail_msg("case %zu: %s", i, err.text);
		static const uint32_t none[4] = {0};
		if (memcmp(cases[i].entries, none, sizeof none) == 0)
			assert_null(image.entries);
		else
			assert_memory_equal(image.entries, cases[i].entries, sizeof none);
		loom_image_free(&image);
		loom_plan_free(&plan);
		loom_pattern_free(&p);
	}
}

// One message from 0 to 1 and a gate of processor 1, which gets it.
static struct loom_plan plan_with(struct loom_gate gate)
{
	const struct loom_message m = {.source = 0, .destination = 1, .flits = 5};
	struct loom_topo topo = cube_of(2);
	struct loom_pattern p;
	struct loom_timing *t = loom_timing_new(1, 4, 1);
	assert_non_null(t);
	t->gate[0] = gate;
	for (size_t place = 2; place < 5; place++)
		t->first[place + 1] = 1;
	assert_int_equal(loom_pattern_from_timed_messages(&p, "one", 4, &m, 1, t, NULL), 0);
	loom_timing_free(t);
	struct loom_plan plan = make_plan(&topo, &p, NULL, NULL, NULL);
	loom_pattern_free(&p);
	return plan;
}

static void test_fits(void **state)
{
	(void)state;
	static const struct {
		struct loom_gate gate;
		uint32_t length_bits, cycle_bits, depth; // 0: as in the large chip
		const char *text;                        // NULL: it fits
	} cases[] = {
		{{LOOM_GATE_AT, 8191, 0}, 0, 13, 0, NULL},
		{{LOOM_GATE_AT, 8192, 0}, 0, 13, 0, "waits for cycle 8192; the chip's logs hold cycles up to 8191"},
		{{LOOM_GATE_DELAY, 8191, 0}, 0, 13, 0, NULL},
		{{LOOM_GATE_DELAY, 8192, 0},
	         0,
	         13,
	         0,
	         "waits for cycles: 8192; the chip's logs hold cycles up to 8191"},
		{{LOOM_GATE_DELAY, 255, 0}, 8, 0, 0, NULL},
		{{LOOM_GATE_DELAY, 256, 0},
	         8,
	         0,
	         0,
	         "computes for 256 cycles; an entry of the chip's programs has 255"},
		{{LOOM_GATE_DELAY, 65536, 0}, 0, 0, 2, NULL},
		{{LOOM_GATE_DELAY, 131071, 0},
	         0,
	         0,
	         2,
	         "processor 1's program has 3 entries, its messages, waits and delays; the chip holds 2"},
		{{LOOM_GATE_DELAY, LOOM_GATE_CYCLES_MOST, 0}, 0, 0, 0, "program has 32769 entries"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct loom_plan plan = plan_with(cases[i].gate);
		struct loom_chip chip = timed_chip(&plan.topo);
		const struct loom_image_options options = {.seed = 1};
		struct loom_err err = {0};
		chip.length_bits = cases[i].length_bits ? cases[i].length_bits : chip.length_bits;
		chip.cycle_bits = cases[i].cycle_bits ? cases[i].cycle_bits : chip.cycle_bits;
		chip.program_depth = cases[i].depth ? cases[i].depth : chip.program_depth;
		int code = loom_image_fits(&plan, &chip, &options, &err);
		if (code != (cases[i].text ? LOOM_EFIT : 0) || (cases[i].text && !strstr(err.text, cases[i].text)))
			fail_msg("case %zu: %d, %s", i, code, err.text);
		chip.timing = LOOM_CHIP_STREAM;
		assert_int_equal(loom_image_fits(&plan, &chip, &options, &err), LOOM_EFIT);
		assert_non_null(strstr(err.text, "programs of this chip cannot wait (its register TIMING says so)"));
		loom_plan_free(&plan);
	}
}

// A wait for more messages than the board can count, which needs as many messages.
static void test_long_wait(void **state)
{
	(void)state;
	enum { N = 257 };
	struct loom_message m[N];
	struct loom_topo topo = cube_of(2);
	struct loom_pattern p;
	struct loom_err err = {0};
	const struct loom_image_options options = {.seed = 1};
	struct loom_timing *t = loom_timing_new(N, 4, 1);
	assert_non_null(t);
	for (size_t i = 0; i < N; i++)
		m[i] = (struct loom_message){.source = 0, .destination = 1, .flits = 1};
	for (size_t place = N + 1; place < N + 4; place++)
		t->first[place + 1] = 1;
	for (uint32_t k = 255; k <= 256; k++) {
		t->gate[0] = (struct loom_gate){LOOM_GATE_WAIT, k, 0};
		assert_int_equal(loom_pattern_from_timed_messages(&p, "many", 4, m, N, t, &err), 0);
		struct loom_plan plan = make_plan(&topo, &p, NULL, NULL, NULL);
		struct loom_chip chip = timed_chip(&topo);
		chip.length_bits = 8;
		assert_int_equal(loom_image_fits(&plan, &chip, &options, &err), k == 255 ? 0 : LOOM_EFIT);
		if (k == 256)
			assert_non_null(
				strstr(err.text, "waits for message 256 from processor 0; the chip counts to 255"));
		loom_plan_free(&plan);
		loom_pattern_free(&p);
	}
	loom_timing_free(t);
}

// More entries than any chip holds are refused before they are listed.
static void test_too_long(void **state)
{
	(void)state;
	enum { GATES = 600 };
	const struct loom_message m = {.source = 0, .destination = 1, .flits = 5};
	struct loom_topo topo = cube_of(2);
	struct loom_pattern p;
	struct loom_err err = {0};
	const struct loom_image_options options = {.seed = 1};
	struct loom_timing *t = loom_timing_new(1, 4, GATES);
	assert_non_null(t);
	for (size_t g = 0; g < GATES; g++)
		t->gate[g] = (struct loom_gate){LOOM_GATE_DELAY, LOOM_GATE_CYCLES_MOST, 0};
	for (size_t place = 0; place < 5; place++)
		t->first[place + 1] = GATES;
	assert_int_equal(loom_pattern_from_timed_messages(&p, "long", 4, &m, 1, t, &err), 0);
	struct loom_plan plan = make_plan(&topo, &p, NULL, NULL, NULL);
	const struct loom_chip chip = timed_chip(&topo);
	assert_int_equal(loom_image_fits(&plan, &chip, &options, &err), LOOM_EFIT);
	assert_non_null(strstr(
		err.text, "the programs have more than 16777216 entries, each delay being one for every 65535 cycles"));
	loom_plan_free(&plan);
	loom_pattern_free(&p);
	loom_timing_free(t);
}

// A wait that is never met is refused, unless the options leave it to the watchdog.
static void test_dead_wait(void **state)
{
	(void)state;
	const struct loom_message m[] = {{.source = 0, .destination = 1, .flits = 2},
	                                 {.source = 1, .destination = 0, .flits = 2}};
	struct loom_topo topo = cube_of(2);
	struct loom_pattern p;
	struct loom_plan plan;
	struct loom_err err = {0};
	struct loom_image_options options = {.seed = 1};
	struct loom_timing *t = loom_timing_new(2, 4, 2);
	assert_non_null(t);
	t->gate[0] = (struct loom_gate){LOOM_GATE_WAIT, 1, 1};
	t->gate[1] = (struct loom_gate){LOOM_GATE_WAIT, 1, 0};
	for (size_t place = 0; place < 6; place++)
		t->first[place + 1] = place == 0 ? 1 : 2;
	assert_int_equal(loom_pattern_from_timed_messages(&p, "dead", 4, m, 2, t, &err), 0);
	unchecked_plan(&plan, &topo, &p);
	const struct loom_chip chip = timed_chip(&topo);
	assert_int_equal(loom_image_fits(&plan, &chip, &options, &err), LOOM_EINPUT);
	assert_non_null(strstr(err.text, "processor 0 waits for message 1 from 1, which waits for message 1 from 0"));
	options.may_lock = true;
	assert_int_equal(loom_image_fits(&plan, &chip, &options, &err), 0);
	loom_plan_free(&plan);
	loom_pattern_free(&p);
	loom_timing_free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),     cmocka_unit_test(test_untimed),   cmocka_unit_test(test_fits),
		cmocka_unit_test(test_long_wait), cmocka_unit_test(test_dead_wait), cmocka_unit_test(test_too_long),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
