// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Small functions of numbers that many files use.
#ifndef LOOM_NUMBERS_H
#define LOOM_NUMBERS_H

#include <stdint.h>

// Tells qsort and bsearch which of two comes first: the smaller one.
static inline int loom_order(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static inline uint64_t loom_larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static inline uint64_t loom_bit(unsigned i)
{
	return (uint64_t)1 << i;
}

// Returns the index of the lowest bit that is set. At least one must be.
static inline unsigned loom_lowest_bit(uint64_t v)
{
	return (unsigned)__builtin_ctzll(v);
}

// Returns the number of bits that hold 0 .. n - 1; at least one.
static inline unsigned loom_bits_for(uint64_t n)
{
	return n > 2 ? 64 - (unsigned)__builtin_clzll(n - 1) : 1;
}

#endif
