// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef FLITLOOM_CLI_SET_H
#define FLITLOOM_CLI_SET_H

#include <stdbool.h>
#include <stdint.h>

// A set of options, by number.
#define CLI_SET_MOST 128
struct cli_set {
	uint64_t word[CLI_SET_MOST / 64];
};

static inline bool cli_set_has(const struct cli_set *set, unsigned option)
{
	return set->word[option / 64] >> option % 64 & 1;
}

static inline void cli_set_put(struct cli_set *set, unsigned option)
{
	set->word[option / 64] |= UINT64_C(1) << option % 64;
}

static inline void cli_set_drop(struct cli_set *set, unsigned option)
{
	set->word[option / 64] &= ~(UINT64_C(1) << option % 64);
}

#endif
