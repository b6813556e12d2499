// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_CIRCUIT_WORDS_H
#define LOOM_CIRCUIT_WORDS_H

#include <stddef.h>
#include <stdint.h>

#include <flitloom/link/chip.h>
#include <flitloom/plan.h>

// Blocks of words for the schedule memories of circuit switches (register map, space CIRCUIT).
struct loom_circuit_block {
	uint32_t address, n_words;
	size_t first; // the index of its first word
};
struct loom_circuit_words {
	size_t n_blocks, n_words;
	struct loom_circuit_block *block; // owned
	uint32_t *word;                   // owned
};

// Makes the words of the schedules that carry a plan; a plan without circuit switches has none. LOOM_EFIT: one has
// more slots than the chip; LOOM_EINPUT: there are none (loom_plan_circuits).
int loom_circuit_words_of_plan(struct loom_circuit_words *out, const struct loom_plan *plan,
                               const struct loom_chip *chip, struct loom_err *err);
void loom_circuit_words_free(struct loom_circuit_words *words); // NULL allowed; leaves *words zeroed

#endif
