// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_HEADER_H
#define LOOM_HEADER_H

#include <stdint.h>

#include <flitloom/link/chip.h>

#define LOOM_RULE_BITS_MAX 4 // as many as PROGRAM1.RULE has
#define LOOM_SLOTS_MAX 15    // as many as PROGRAM1.FROM and KEEP can name

// The fields of a message's header, as rtl/chip/header_fields.sv lays it out.
struct loom_header {
	uint32_t destination, source; // labels
	uint32_t rule;
	uint32_t slot;   // of the receiver's store that keeps the message; 0: none
	uint32_t number; // of the message among its source's
};

// The lowest bit of the number; all bits of a flit from there on are its.
uint32_t loom_header_number_low(const struct loom_chip *chip);

// Reads a header. low: the low 32 bits of the header's flit, or all it has. Fields that do not lie in them are 0.
struct loom_header loom_header_read(const struct loom_chip *chip, uint32_t low);

#endif
