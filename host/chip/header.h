// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_HEADER_H
#define LOOM_HEADER_H

#include <stdbool.h>
#include <stdint.h>

#include <flitloom/link/chip.h>

// As many bits as PROGRAM1.RULE has. Above them a header may have the label of a node through which it goes.
#define LOOM_RULE_BITS_MAX 4
#define LOOM_SLOTS_MAX 15 // as many as PROGRAM1.FROM and KEEP can name

// The fields of a message's header, as rtl/chip/header_fields.sv lays it out.
struct loom_header {
	uint32_t destination, source; // labels
	uint32_t rule;
	uint32_t via;    // label of the node through which it goes; 0 if headers have none
	uint32_t slot;   // the slot of the receiver's store that keeps the message; 0: none
	uint32_t number; // the message's number in its source's program
};

// True if the chip's routers send messages through a node (flitloom/routes/via.h).
static inline bool loom_chip_has_via(const struct loom_chip *chip)
{
	return chip->rule_bits > LOOM_RULE_BITS_MAX;
}

// Returns the lowest bit of the number, which takes all bits of a flit from there on.
uint32_t loom_header_number_low(const struct loom_chip *chip);

// Reads a header. low: the low 32 bits of its flit, or all of a shorter one. Fields outside these bits are read as 0.
struct loom_header loom_header_read(const struct loom_chip *chip, uint32_t low);

#endif
