// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "base/rng.h"

#include <assert.h>

static uint64_t rotate_left(uint64_t x, unsigned by)
{
	return (x << by) | (x >> (64 - by));
}

uint64_t loom_splitmix64(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

void loom_rng_init(struct loom_rng *out, uint64_t seed)
{
	// splitmix64 is a bijection of its counter, so four numbers in a row are never all 0.
	for (unsigned i = 0; i < 4; i++)
		out->s[i] = loom_splitmix64(&seed);
}

uint64_t loom_rng_next(struct loom_rng *rng)
{
	uint64_t *s = rng->s;
	uint64_t result = rotate_left(s[1] * 5, 7) * 9;
	uint64_t t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotate_left(s[3], 45);
	return result;
}

uint64_t loom_rng_below(struct loom_rng *rng, uint64_t bound)
{
	assert(bound >= 1);
	// Discards the 2^64 mod bound lowest numbers. The number of the others is a multiple of bound.
	uint64_t least = (0 - bound) % bound;
	uint64_t x;
	do
		x = loom_rng_next(rng);
	while (x < least);
	return x % bound;
}

double loom_rng_part(struct loom_rng *rng)
{
	return ((double)(loom_rng_next(rng) >> 11) + 0.5) * 0x1p-53;
}

void loom_rng_shuffle(uint32_t *list, size_t n, struct loom_rng *rng)
{
	for (size_t i = n; i > 1; i--) {
		const size_t k = (size_t)loom_rng_below(rng, i);
		const uint32_t other = list[k];
		list[k] = list[i - 1];
		list[i - 1] = other;
	}
}
