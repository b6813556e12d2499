// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "chip/header.h"

#include "topo/flit.h"

static uint32_t slot_low(uint32_t label_bits, uint32_t rule_bits)
{
	return 2 * label_bits + rule_bits;
}

uint32_t loom_header_number_low(const struct loom_chip *chip)
{
	return slot_low(chip->label_bits, chip->rule_bits) + loom_flit_slot_bits(chip->store_slots);
}

// Returns a field of a word. `end`: the bit after the last one that is known.
static uint32_t field(uint32_t word, uint32_t low, uint32_t width, uint32_t end)
{
	if (low >= end)
		return 0;
	return (uint32_t)(word >> low & ((UINT64_C(1) << (width < end - low ? width : end - low)) - 1));
}

struct loom_header loom_header_read(const struct loom_chip *chip, uint32_t low)
{
	uint32_t label = chip->label_bits, rule = chip->rule_bits, number = loom_header_number_low(chip);
	uint32_t end = chip->flit_bits < 32 ? chip->flit_bits : 32;
	return (struct loom_header){
		.destination = field(low, 0, label, end),
		.source = field(low, label, label, end),
		.rule = field(low, 2 * label, rule < LOOM_RULE_BITS_MAX ? rule : LOOM_RULE_BITS_MAX, end),
		.via = loom_chip_has_via(chip) ? field(low, 2 * label + LOOM_RULE_BITS_MAX, label, end) : 0,
		.slot = field(low, slot_low(label, rule), loom_flit_slot_bits(chip->store_slots), end),
		.number = field(low, number, 32, end),
	};
}
