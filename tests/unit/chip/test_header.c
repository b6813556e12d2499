// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Headers of worms: random fields put side by side by hand, of every width that a chip can have, come back from the bits that
// a log keeps.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <flitloom/link/chip.h>
#include <flitloom/link/regmap.h>

#include "base/rng.h"
#include "chip/header.h"

enum { LOGGED = 32 }; // bits of a header that a log keeps

// Returns the bits of a slot: 0 means that nothing is kept, 1..slots are the slots; at least two bits.
static uint32_t slot_width(uint32_t slots)
{
	uint32_t width = 2;
	while (UINT32_C(1) << width < slots + 1)
		width++;
	return width;
}

// Puts `width` random bits at *at, as far as a log keeps them, and returns those bits.
static uint32_t put(uint32_t *word, uint32_t *at, uint32_t width, uint32_t known, struct loom_rng *rng)
{
	uint32_t value = 0;
	for (uint32_t i = 0; i < width; i++, ++*at) {
		const uint32_t bit = (uint32_t)loom_rng_below(rng, 2);
		if (*at < known) {
			*word |= bit << *at;
			value |= bit << i;
		}
	}
	return value;
}

static void test_fields(void **state)
{
	(void)state;
	struct loom_rng rng;
	loom_rng_init(&rng, 20261123);
	for (uint32_t slots = 0; slots <= LOOM_SLOTS_MAX; slots++)
		for (uint32_t label = 1; label <= 12; label++)
			for (uint32_t rule = 1; rule <= LOOM_RULE_BITS_MAX; rule++) {
				const uint32_t low = 2 * label + rule + slot_width(slots);
				struct loom_chip chip = {.label_bits = label, .rule_bits = rule, .store_slots = slots};
				chip.flit_bits = low + 1 + (uint32_t)loom_rng_below(&rng, 64 - low);
				const uint32_t known = chip.flit_bits < LOGGED ? chip.flit_bits : LOGGED;
				uint32_t word = 0, at = 0;
				const uint32_t destination = put(&word, &at, label, known, &rng);
				const uint32_t source = put(&word, &at, label, known, &rng);
				const uint32_t by = put(&word, &at, rule, known, &rng);
				const uint32_t slot = put(&word, &at, slot_width(slots), known, &rng);
				assert_int_equal(loom_header_number_low(&chip), at);
				const uint32_t number = at < known ? put(&word, &at, known - at, known, &rng) : 0;
				// A header has no more bits than its flit.
				if (known < LOGGED)
					word |= UINT32_MAX << known;
				const struct loom_header h = loom_header_read(&chip, word);
				assert_int_equal(h.destination, destination);
				assert_int_equal(h.source, source);
				assert_int_equal(h.rule, by);
				assert_int_equal(h.slot, slot);
				assert_int_equal(h.number, number);
			}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_fields)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
