// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks images of random plans: each has exactly the words that its plan asks for, and fits exactly the chips that
// are large enough.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/back_to_back.h>
#include <flitloom/link/image.h>
#include <flitloom/math/latin.h>

#include "unit/help/chips.h"
#include "unit/help/networks.h"
#include "plan/switch_settings.h"
#include "unit/help/random_plans.h"

enum { SEEDS = 150, MEMBERS_MAX = 32 };

struct scene {
	struct loom_plan plan;
	struct loom_chip chip;
	struct loom_image_options options;
	struct loom_image image;
	uint64_t seed;
	size_t n_expected; // words that were checked
};

#define equal(a, b)                                                                                                    \
	do {                                                                                                           \
		unsigned long long x = (a), y = (b);                                                                   \
		if (x != y)                                                                                            \
			fail_msg("%s, seed %llu: %s is %llu, not %llu", s->plan.topo.name,                             \
			         (unsigned long long)s->seed, #a, x, y);                                               \
	} while (0)

static void make_roomy_chip(struct scene *s)
{
	s->chip = chip_for(&s->plan.topo);
	s->chip.pass_bits = 14;
	s->chip.program_depth = s->chip.log_depth = s->chip.slot_flits = 4096;
	s->chip.preset_passes = s->plan.topo.kind->self_uses_network ? 64 : 0;
	s->chip.history_runs = 512;
}

static void make(struct scene *s)
{
	struct loom_err err = {0};
	s->options.may_lock = true; // nothing runs
	loom_image_free(&s->image);
	if (loom_image_make(&s->image, &s->plan, &s->chip, &s->options, &err) != 0)
		fail_msg("%s, seed %llu: %s", s->plan.topo.name, (unsigned long long)s->seed, err.text);
	s->n_expected = 0;
	for (size_t b = 0; b < s->image.n_blocks; b++)
		assert_true(s->image.blocks[b].read_back && s->image.blocks[b].n_words > 0);
}

static void tear_down(struct scene *s)
{
	loom_image_free(&s->image);
	equal(s->image.n_nodes + s->image.n_passes + s->image.n_blocks, 0);
	assert_true(!s->image.blocks && !s->image.pool && !s->image.configs && !s->image.free_running);
	loom_plan_free(&s->plan);
}

// Returns the only word that is written to an address of docs/registers.md.
static uint32_t word(struct scene *s, uint32_t address)
{
	uint32_t value = 0;
	unsigned times = 0;
	for (size_t b = 0; b < s->image.n_blocks; b++) {
		const struct loom_block *block = &s->image.blocks[b];
		if (address < block->address || address - block->address >= block->n_words)
			continue;
		value = block->words[address - block->address];
		times++;
	}
	if (times != 1)
		fail_msg("%s, seed %llu: 0x%08x is written %u times", s->plan.topo.name, (unsigned long long)s->seed,
		         address, times);
	s->n_expected++;
	return value;
}

// Checks that the test has checked every written word.
static void check_nothing_else(struct scene *s)
{
	size_t n = 0;
	for (size_t b = 0; b < s->image.n_blocks; b++)
		n += s->image.blocks[b].n_words;
	equal(n, s->n_expected);
}

static bool leaves(const struct scene *s, const struct loom_plan_message *m)
{
	return m->source != m->destination || s->plan.topo.kind->self_uses_network;
}

// --- Word for word -------------------------------------------------------------------------------------------------

static void check_message(struct scene *s, uint32_t at, const struct loom_plan_message *m)
{
	equal(word(s, at), m->flits | m->pass << 16);
	equal(word(s, at + 1),
	      m->destination | (uint32_t)m->rule << 16 | (uint32_t)m->from_slot << 20 | (uint32_t)m->keep_slot << 24);
}

// Checks a program with barriers: the processor's messages in the order of the plan. `numbers` has the entry of each.
static void check_program(struct scene *s, uint32_t v, const uint32_t *numbers)
{
	uint32_t node = 0x10000000u | s->plan.map[v] << 16, n = 0;
	for (size_t i = 0; i < s->plan.n_messages; i++) {
		const struct loom_plan_message *m = &s->plan.messages[i];
		if (m->source != v)
			continue;
		equal(numbers[i], leaves(s, m) ? n : UINT32_MAX);
		if (leaves(s, m))
			check_message(s, node + 0x2000 + 2 * n++, m);
	}
	equal(word(s, node), n);
}

// Checks the program of a free run: an entry for every pass; without a message it is silent for as long as a message
// takes.
static void check_free_program(struct scene *s, uint32_t v, const uint32_t *numbers)
{
	uint32_t node = 0x10000000u | s->plan.map[v] << 16;
	for (uint32_t pass = 0; pass < s->plan.n_passes; pass++) {
		const struct loom_plan_message *found = NULL;
		for (size_t i = 0; i < s->plan.n_messages; i++) {
			const struct loom_plan_message *m = &s->plan.messages[i];
			if (m->source != v || m->pass != pass)
				continue;
			equal(numbers[i], leaves(s, m) ? pass : UINT32_MAX);
			found = leaves(s, m) ? m : found;
		}
		if (found) {
			check_message(s, node + 0x2000 + 2 * pass, found);
		} else {
			equal(word(s, node + 0x2000 + 2 * pass), s->plan.messages[0].flits | pass << 16);
			equal(word(s, node + 0x2000 + 2 * pass + 1), 1u << 28);
		}
	}
	equal(word(s, node), s->plan.n_passes);
}

static void check_generator(struct scene *s, uint32_t v)
{
	uint32_t node = 0x10000000u | s->plan.map[v] << 16, schedule = word(s, node + 5);
	equal(schedule >> 16, s->plan.messages[0].flits);
	for (size_t i = 0; i < s->plan.n_messages; i++)
		if (s->plan.messages[i].source == v)
			equal(s->plan.messages[i].destination,
			      (schedule & 0xffff) ^ loom_latin_gray(s->plan.messages[i].pass));
	equal(word(s, node), s->plan.n_passes);
}

static void check_switches(struct scene *s)
{
	unsigned n_words = (unsigned)loom_switch_settings_words_per_stage(&s->plan.topo);
	for (uint32_t pass = 0; s->options.preset && pass < s->plan.n_passes; pass++) {
		uint32_t settings[512];
		assert_int_equal(loom_switch_settings_of_pass(settings, &s->plan, pass, NULL), 0);
		for (unsigned stage = 0; stage < s->plan.topo.label_bits; stage++)
			for (unsigned w = 0; w < n_words; w++)
				equal(word(s, 0x30000000u | stage << 16 | (16 * pass + w)),
				      settings[stage * n_words + w]);
	}
}

// bits: of CONFIG, the direction left out.
// CONFIG: `bits`, and on a network of two directions each pass goes as its messages want it, by what the chip makes of the
// one word (bit 3 the way of even passes, bit 5: odd ones go the other way), or by a word for each pass.
static void check_directions(struct scene *s, const struct loom_image *image, uint32_t bits)
{
	bool two = s->plan.topo.kind->two_directions;
	uint32_t config = word(s, 0x21);
	equal(config & ~(two ? 40u : 0u), bits);
	assert_true(two || !image->configs);
	for (uint32_t pass = 0; two && pass < s->plan.n_passes; pass++) {
		uint32_t of_pass = image->configs ? image->configs[pass] : config, backward = of_pass >> 3 & 1;
		backward ^= of_pass >> 5 & pass & 1;
		equal(of_pass & ~40u, bits);
		for (size_t i = 0; i < s->plan.n_messages; i++)
			if (s->plan.messages[i].pass == pass)
				equal(backward, s->plan.messages[i].rule == LOOM_RULE_ASCENDING);
	}
	if (!s->plan.free_running)
		equal(image->configs != NULL, two && s->plan.n_passes > 1 && !loom_back_to_back_possible(&s->plan));
}

static void check_settings(struct scene *s, uint32_t bits)
{
	const struct loom_image *image = &s->image;
	uint64_t flits = 0;
	equal(image->n_nodes, s->plan.topo.n_nodes);
	equal(image->n_passes, s->plan.n_passes);
	equal(image->free_running, s->plan.free_running);
	for (size_t i = 0; i < s->plan.n_messages; i++)
		flits += leaves(s, &s->plan.messages[i]) ? s->plan.messages[i].flits : 0;
	check_directions(s, image, bits);
	equal(word(s, 0x22), (uint32_t)(s->options.seed >> 32 ^ s->options.seed));
	uint32_t watchdog = word(s, 0x25);
	if (s->options.watchdog_cycles)
		equal(watchdog, s->options.watchdog_cycles);
	else if (watchdog < flits || watchdog > 4096 + 8 * flits)
		fail_msg("seed %llu: a watchdog of %u cycles for %llu flits", (unsigned long long)s->seed, watchdog,
		         (unsigned long long)flits);
	for (uint32_t v = 0; v < s->plan.topo.n_nodes; v++)
		equal(word(s, 0x1fff4000u + v), loom_topo_label(&s->plan.topo, s->plan.map[v]));
}

static void check_image(struct scene *s, bool generated)
{
	uint32_t *numbers = calloc(s->plan.n_messages + 1, sizeof *numbers), n_to_self = 0;
	assert_non_null(numbers);
	assert_int_equal(loom_image_numbers(numbers, &s->plan, NULL), 0);
	for (size_t i = 0; i < s->plan.n_messages; i++)
		n_to_self += s->plan.messages[i].source == s->plan.messages[i].destination;
	check_settings(s, (uint32_t)(s->options.machine == LOOM_MACHINE_PAPER) | (uint32_t)s->options.preset << 1 |
	                          (uint32_t)s->plan.free_running << 2 | (uint32_t)(generated && n_to_self == 0) << 4);
	for (uint32_t v = 0; v < s->plan.topo.n_nodes; v++)
		if (generated)
			check_generator(s, v);
		else if (s->plan.free_running)
			check_free_program(s, v, numbers);
		else
			check_program(s, v, numbers);
	check_switches(s);
	check_nothing_else(s);
	free(numbers);
}

// --- As large as it must be, and no larger -------------------------------------------------------------------------

static void check_refused(struct scene *s, uint32_t *limit, uint32_t value, const char *says)
{
	const uint32_t roomy = *limit;
	struct loom_image out, before;
	struct loom_err err = {0};
	memset(&before, 0xa5, sizeof before);
	memcpy(&out, &before, sizeof out);
	*limit = value;
	assert_int_equal(loom_image_make(&out, &s->plan, &s->chip, &s->options, &err), LOOM_EFIT);
	assert_int_equal(err.code, LOOM_EFIT);
	if (!strstr(err.text, says))
		fail_msg("seed %llu: \"%s\" does not say \"%s\"", (unsigned long long)s->seed, err.text, says);
	assert_memory_equal(&out, &before, sizeof out);
	*limit = roomy;
}

// Checks that the plan fits if the limit is `needed`, but not below; below `least` the limit has another meaning.
static void check_limit(struct scene *s, uint32_t *limit, uint32_t needed, uint32_t least, const char *says)
{
	const uint32_t roomy = *limit;
	*limit = needed > least ? needed : least;
	make(s);
	*limit = roomy;
	if (needed > least)
		check_refused(s, limit, needed - 1, says);
}

static void check_wish_refused(struct scene *s, struct loom_image_options options, const char *says)
{
	struct loom_image out, before;
	struct loom_err err = {0};
	memset(&before, 0xa5, sizeof before);
	memcpy(&out, &before, sizeof out);
	assert_int_equal(loom_image_check(&s->plan, &options, NULL), LOOM_EINPUT);
	assert_int_equal(loom_image_make(&out, &s->plan, &s->chip, &options, &err), LOOM_EINPUT);
	assert_int_equal(err.code, LOOM_EINPUT);
	if (!strstr(err.text, says))
		fail_msg("seed %llu: \"%s\" does not say \"%s\"", (unsigned long long)s->seed, err.text, says);
	assert_memory_equal(&out, &before, sizeof out);
}

// Checks requests that no chip can do.
static void check_wishes(struct scene *s)
{
	if (s->plan.free_running) {
		check_wish_refused(s, (struct loom_image_options){.machine = LOOM_MACHINE_PAPER}, "machine paper");
		check_wish_refused(s, (struct loom_image_options){.preset = true}, "takes a barrier");
	} else {
		check_wish_refused(s, (struct loom_image_options){.schedule = LOOM_SCHEDULE_GENERATED},
		                   "no generated schedule");
	}
}

static uint32_t bits_for(uint64_t most)
{
	uint32_t bits = 0;
	while (most >> bits)
		bits++;
	return bits;
}

static void check_limits(struct scene *s)
{
	const struct loom_plan *plan = &s->plan;
	uint32_t sent[MEMBERS_MAX] = {0}, received[MEMBERS_MAX] = {0}, most_sent = 0, most_received = 0, longest = 0;
	uint32_t slots = 0, slot_flits = 0;
	uint64_t cycles = 0;
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		if (!leaves(s, m))
			continue;
		most_sent = ++sent[m->source] > most_sent ? sent[m->source] : most_sent;
		most_received = ++received[m->destination] > most_received ? received[m->destination] : most_received;
		longest = m->flits > longest ? m->flits : longest;
		slots = m->from_slot > slots ? m->from_slot : slots;
		slots = m->keep_slot > slots ? m->keep_slot : slots;
		slot_flits = m->keep_slot && m->flits > slot_flits ? m->flits : slot_flits;
	}
	for (uint32_t pass = 0; pass < plan->n_passes; pass++)
		if (plan->cycles[pass] != LOOM_CYCLES_UNKNOWN && plan->cycles[pass] > cycles)
			cycles = plan->cycles[pass];
	if (plan->free_running) {
		s->options.schedule = LOOM_SCHEDULE_TABLE;
		check_limit(s, &s->chip.program_depth, plan->n_passes, 1, "runs freely through");
		check_limit(s, &s->chip.history_runs, plan->n_passes, 1, "runs freely through");
		check_refused(s, &s->chip.history_runs, 0, "no histories");
	} else {
		check_limit(s, &s->chip.program_depth, most_sent, 0, "in a node's program");
	}
	check_limit(s, &s->chip.log_depth, most_received, 0, "in a node's log");
	check_limit(s, &s->chip.length_bits, bits_for(longest), 1, "messages of at most");
	check_limit(s, &s->chip.store_slots, slots, 0, "of the store");
	check_limit(s, &s->chip.slot_flits, slot_flits, 0, "a slot of the chip holds");
	check_limit(s, &s->chip.pass_bits, bits_for(plan->n_passes - 1), 1, "passes; the chip holds");
	check_limit(s, &s->chip.cycle_bits, bits_for(cycles), 1, "logs hold cycles up to");
	if (s->options.preset)
		check_limit(s, &s->chip.preset_passes, plan->n_passes, 1, "switches can be set for");
}

// --- Random plans --------------------------------------------------------------------------------------------------

static void check_kind(enum random_plan_kind kind)
{
	for (uint64_t seed = 2001; seed <= 2000 + SEEDS; seed++) {
		struct scene s = {.seed = seed};
		random_plan(&s.plan, kind, seed);
		make_roomy_chip(&s);
		s.options = (struct loom_image_options){.seed = seed * UINT64_C(0x9e3779b97f4a7c15),
		                                        .watchdog_cycles = seed % 4 == 0 ? (uint32_t)seed : 0,
		                                        .machine = kind != RANDOM_FREE && seed % 3 == 0};
		if (kind == RANDOM_FREE)
			s.options.schedule = LOOM_SCHEDULE_TABLE; // some are Latin squares by chance
		make(&s);
		check_image(&s, false);
		check_limits(&s);
		check_wishes(&s);
		tear_down(&s);
	}
}

static void test_barrier(void **state)
{
	(void)state;
	check_kind(RANDOM_BARRIER);
}

static void test_relayed(void **state)
{
	(void)state;
	check_kind(RANDOM_RELAYED);
}

static void test_free_run(void **state)
{
	(void)state;
	check_kind(RANDOM_FREE);
}

// Nodes generate a Latin square's messages if the chip has histories; otherwise, or on request, the image has a table.
static void test_generated(void **state)
{
	(void)state;
	for (unsigned k = 0; k < NETS; k++)
		for (unsigned way = 0; way < 6; way++) {
			struct scene s = {.seed = way};
			char fabric[32], map[256];
			(void)snprintf(fabric, sizeof fabric, "%s:8", net_names[k]);
			random_map(map, 8, way);
			plan_on(&s.plan, fabric, way & 1 ? "all-to-others" : "all-to-all", "latin", NULL, 9, 1);
			make_roomy_chip(&s);
			static const enum loom_image_schedule schedules[] = {
				LOOM_SCHEDULE_BEST, LOOM_SCHEDULE_GENERATED, LOOM_SCHEDULE_TABLE};
			s.options.schedule = schedules[way / 2];
			make(&s);
			check_image(&s, s.options.schedule != LOOM_SCHEDULE_TABLE);
			check_limits(&s);
			tear_down(&s);
		}
}

// Exactly those plans are refused of which some pass has no setting.
static void test_preset(void **state)
{
	(void)state;
	unsigned n_good = 0, n_bad = 0, n_bad_later = 0;
	for (uint64_t seed = 3001; seed <= 3400; seed++) {
		struct scene s = {.seed = seed, .options = {.preset = true}};
		random_plan(&s.plan, RANDOM_BARRIER, seed);
		make_roomy_chip(&s);
		uint32_t settings[512], first_bad = UINT32_MAX;
		for (uint32_t pass = s.plan.n_passes; pass-- > 0;)
			if (loom_switch_settings_of_pass(settings, &s.plan, pass, NULL) != 0)
				first_bad = pass;
		struct loom_err err = {0};
		int code = loom_image_check(&s.plan, &s.options, &err);
		assert_int_equal(code, first_bad == UINT32_MAX ? 0 : LOOM_EINPUT);
		assert_int_equal(err.code, code);
		if (code == 0) {
			make(&s);
			check_image(&s, false);
			check_limits(&s);
		} else {
			struct loom_image out;
			assert_int_equal(loom_image_make(&out, &s.plan, &s.chip, &s.options, NULL), LOOM_EINPUT);
		}
		n_good += code == 0;
		n_bad += code != 0;
		n_bad_later += code != 0 && first_bad > 0;
		tear_down(&s);
	}
	assert_true(n_good > 20 && n_bad > 20 && n_bad_later > 20);
}

// On a fabric of two directions the messages of a pass go one way.
static void test_one_way(void **state)
{
	(void)state;
	unsigned n_refused = 0;
	for (uint64_t seed = 4001; seed <= 4200; seed++) {
		struct scene s = {.seed = seed};
		random_plan(&s.plan, RANDOM_BARRIER, seed);
		make_roomy_chip(&s);
		for (size_t i = 1; s.plan.topo.kind->two_directions && i < s.plan.n_messages; i++) {
			struct loom_plan_message *m = &s.plan.messages[i];
			if (m->pass != m[-1].pass)
				continue;
			m->rule ^= 1;
			struct loom_image out;
			struct loom_err err = {0};
			assert_int_equal(loom_image_make(&out, &s.plan, &s.chip, &s.options, &err), LOOM_EFIT);
			assert_non_null(strstr(err.text, "both ways"));
			assert_int_equal(loom_image_check(&s.plan, &s.options, NULL), LOOM_EFIT);
			assert_int_equal(loom_image_fits(&s.plan, &s.chip, &s.options, NULL), LOOM_EFIT);
			m->rule ^= 1;
			n_refused++;
		}
		tear_down(&s);
	}
	assert_true(n_refused > 20);
}

// The default of the watchdog is more cycles than all flits of the plan take, but not many more, for any number of
// flits.
static void test_patience(void **state)
{
	(void)state;
	static const uint32_t lengths[] = {1, 30, 600, 3000, 32767};
	for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
		struct scene s = {.seed = lengths[i]};
		plan_on(&s.plan, i % 2 ? "omega:8" : "cube:3", "all-to-others", "direct", NULL, lengths[i], 1);
		make_roomy_chip(&s);
		make(&s);
		check_image(&s, false);
		tear_down(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_barrier),   cmocka_unit_test(test_relayed), cmocka_unit_test(test_free_run),
		cmocka_unit_test(test_generated), cmocka_unit_test(test_preset),  cmocka_unit_test(test_one_way),
		cmocka_unit_test(test_patience),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
