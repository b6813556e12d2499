// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A message x -> y meets no other in the inverse omega network if, for each r, no other agrees with it in (x >> r, z mod
// 2^r), z its middle node; and none in the omega network, if in (z mod 2^r, y >> r). So bit 0 of z must differ between
// the messages of sources 2i and 2i+1 and between those of destinations 2j and 2j+1. These constraints form even
// loops, so walking along each and alternating does it; then bit 0 of source and destination is done with, and what is
// left is two permutations of half the size, for bit 1.
//
// Here all numbers are bit-reversed, so that bit 0 is the top one: the two halves of a block are the two smaller
// problems, and nothing moves but between partners half a block apart. Blocks are split depth first, so that small ones
// are still in the cache; the loops of a large block are walked from both ends at once, because the time goes into
// waiting for memory.
#include "benes.h"

#include <stdlib.h>
#include <string.h>

// A word of the working arrays: a number and, in the block being split, to which half its message goes.
#define NUMBER ((UINT32_C(1) << LOOM_BENES_K_MAX) - 1)
#define DECIDED (UINT32_C(1) << 31)
#define UPPER (UINT32_C(1) << 30)

static uint32_t reverse(uint32_t x, unsigned k)
{
	x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
	x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
	x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
	x = (x >> 8 & 0x00ff00ffu) | (x & 0x00ff00ffu) << 8;
	x = x >> 16 | x << 16;
	return k ? x >> (32 - k) : 0;
}

// to[i]: destination of the message at source i of the block; from[j]: source of the message for destination j; both
// modulo the size of the block, 2 * half. Decides a whole loop, beginning with source i, which goes to the lower half.
static void decide_loop(uint32_t *to, uint32_t *from, uint32_t half, uint32_t i)
{
	uint32_t in_block = 2 * half - 1;
	// One walk goes on from the message that is in the lower half, the other from its partner in the upper.
	uint32_t low = i, high = i ^ half;
	for (;;) {
		uint32_t to_low = to[low] & in_block, to_high = to[high] & in_block;
		to[low] |= DECIDED;
		to[high] |= DECIDED | UPPER;
		if ((to_low ^ half) == to_high) { // the walks met at a pair of destinations
			from[to_low] |= DECIDED;
			return;
		}
		uint32_t partner_of_low = from[to_low ^ half] & in_block, partner_of_high = from[to_high ^ half] & in_block;
		from[to_low ^ half] |= DECIDED | UPPER;
		from[to_high ^ half] |= DECIDED;
		low = partner_of_low ^ half;
		high = partner_of_high ^ half;
		if (low == partner_of_high) { // at a pair of sources: that of the low walk is upper, so its partner lower
			to[low] |= DECIDED;
			return;
		}
	}
}

// Moves each message to the half it was given. At least one of two partners is decided, and they differ.
static void move_to_halves(uint32_t *word, uint32_t half)
{
	for (uint32_t i = 0; i < half; i++) {
		uint32_t a = word[i], b = word[i + half];
		uint32_t a_is_upper = a & DECIDED ? a & UPPER : ~b & UPPER;
		uint32_t differ = ((a ^ b) & NUMBER) & (0 - (a_is_upper >> 30));
		word[i] = (a & NUMBER) ^ differ;
		word[i + half] = (b & NUMBER) ^ differ;
	}
}

static void split(uint32_t *to, uint32_t *from, uint32_t half)
{
	for (uint32_t i = 0; i < half; i++)
		if (!((to[i] | to[i + half]) & DECIDED))
			decide_loop(to, from, half, i);
	move_to_halves(to, half);
	move_to_halves(from, half);
}

// from[reverse y] = reverse x.
static int invert(uint32_t *from, const uint32_t *f, unsigned k, struct loom_err *err)
{
	uint32_t n = UINT32_C(1) << k;
	memset(from, 0xff, n * sizeof *from);
	for (uint32_t x = 0; x < n; x++) {
		if (f[x] >= n)
			return loom_fail(err, LOOM_EINPUT, "not a permutation of %u nodes: node %u sends to %u; there are 0 to %u", n,
			                 x, f[x], n - 1);
		uint32_t *at = &from[reverse(f[x], k)];
		if (*at != UINT32_MAX)
			return loom_fail(err, LOOM_EINPUT, "not a permutation: nodes %u and %u both send to %u", reverse(*at, k), x,
			                 f[x]);
		*at = reverse(x, k);
	}
	return 0;
}

int loom_benes_two_pass(uint32_t *g, uint32_t *h, const uint32_t *f, unsigned k, struct loom_err *err)
{
	uint32_t n = UINT32_C(1) << k, *from = malloc(n * sizeof *from), *to = h;
	if (!from)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for a permutation of %u nodes", n);
	int rc = invert(from, f, k, err);
	if (rc != 0)
		goto out;
	for (uint32_t x = 0; x < n; x++)
		to[reverse(x, k)] = reverse(f[x], k);

	// All blocks that begin at `first`, the largest first: each comes after the one that it is a half of.
	for (uint32_t first = 0; first + 1 < n; first += 2)
		for (uint32_t size = first ? first & (0 - first) : n; size >= 2; size /= 2)
			split(to + first, from + first, size / 2);

	for (uint32_t z = 0; z < n; z++) {
		uint32_t p = reverse(z, k);
		g[reverse(from[z], k)] = p;
		if (p >= z) {
			uint32_t here = to[z];
			h[z] = reverse(to[p], k);
			h[p] = reverse(here, k);
		}
	}
out:
	free(from);
	return rc;
}
