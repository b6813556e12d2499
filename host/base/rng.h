// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_RNG_H
#define LOOM_RNG_H

#include <stddef.h>
#include <stdint.h>

// xoshiro256** 1.0 [Blackman21], its state filled from the seed by splitmix64 [Steele14]: only 64-bit integer
// arithmetic, so a seed gives the same numbers on every platform. Not for secrets.
struct loom_rng {
	uint64_t s[4]; // never all 0
};

void loom_rng_init(struct loom_rng *out, uint64_t seed);
uint64_t loom_rng_next(struct loom_rng *rng);
uint64_t loom_rng_below(struct loom_rng *rng, uint64_t bound); // uniform in 0 .. bound-1; bound >= 1
double loom_rng_part(struct loom_rng *rng);                    // between 0 and 1, never one of them
// Shuffles a list; each order has the same probability.
void loom_rng_shuffle(uint32_t *list, size_t n, struct loom_rng *rng);

uint64_t loom_splitmix64(uint64_t *state); // advances *state and returns the next number

#endif
