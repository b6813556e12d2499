// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_ADMISSIBLE_H
#define LOOM_ADMISSIBLE_H

#include <stddef.h>
#include <stdint.h>

#include <flitloom/api.h>
#include <flitloom/err.h>
#include <flitloom/math/min.h>

LOOM_API_BEGIN

#define LOOM_ADMISSIBLE_IDLE UINT32_MAX // destination of a node that sends nothing

// Settings of all switches: n/2 bits per stage, stage after stage. Each stage begins a new word. Bit q of a stage is 1
// if switch q (lines 2q and 2q+1) is crossed.
size_t loom_admissible_words_per_stage(const struct loom_min *net); // n/2 bits in words of 64
bool loom_admissible_crossed(const uint64_t *settings, const struct loom_min *net, unsigned stage, uint32_t q);

// Two messages that need the same output of a switch, at the first stage where that happens.
struct loom_admissible_conflict {
	unsigned stage;
	uint32_t line;      // the line on which both would have to leave the stage; the switch is line / 2
	uint32_t source[2]; // of the two messages, ascending
};

// Checks if every node x can send to to[x] in one pass. If *out is true, `settings` (m * words per stage; may be NULL)
// are filled in, with switches without a message straight. If it is false, `conflict` is filled in (may be NULL). to[x]
// may be LOOM_ADMISSIBLE_IDLE. LOOM_EINPUT: a destination that does not exist, or two nodes that send to the same one.
int loom_admissible_check(bool *out, uint64_t *settings, struct loom_admissible_conflict *conflict,
                          const struct loom_min *net, const uint32_t *to, struct loom_err *err);

LOOM_API_END

#endif
