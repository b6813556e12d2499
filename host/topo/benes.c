// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A message x -> y with middle node z conflicts with no other message in the inverse omega network if, for each r, no
// other message has the same (x >> r, z mod 2^r); and in the omega network, if no other has the same (z mod 2^r, y >>
// r). So bit 0 of z must differ between the messages of sources 2i and 2i+1, and between those of destinations 2j and
// 2j+1. These constraints form even loops, and a walk along each loop alternates the bit. Bit 0 of source and
// destination is then settled. Two permutations of half the size are left, for bit 1.
//
// All numbers here are bit-reversed, so that bit 0 is the top one. Then the two halves of a block are the two smaller
// problems, and words move only between partners half a block apart. Blocks are split depth first, so that small ones
// are still in the cache.
#include <flitloom/math/benes.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// A word of the working arrays: a number, and the half of the present block to which its message goes.
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

// Decides a whole loop, beginning with source i, which goes to the lower half. to[i]: the destination of the message at
// source i of the block; from[j]: the source of the message for destination j; both modulo the size of the block, 2 *
// half. Walks from both ends at once, so that two loads are under way.
static void decide_loop(uint32_t *to, uint32_t *from, uint32_t half, uint32_t i)
{
	uint32_t in_block = 2 * half - 1;
	// One walk goes on from the message in the lower half, the other from its partner in the upper half.
	uint32_t low = i, high = i ^ half;
	for (;;) {
		uint32_t to_low = to[low] & in_block, to_high = to[high] & in_block;
		to[low] |= DECIDED;
		to[high] |= DECIDED | UPPER;
		if ((to_low ^ half) == to_high) { // the walks meet at a pair of destinations
			from[to_low] |= DECIDED;
			return;
		}
		uint32_t partner_of_low = from[to_low ^ half] & in_block;
		uint32_t partner_of_high = from[to_high ^ half] & in_block;
		from[to_low ^ half] |= DECIDED | UPPER;
		from[to_high ^ half] |= DECIDED;
		low = partner_of_low ^ half;
		high = partner_of_high ^ half;
		// The walks meet at a pair of sources. The low walk came to an upper source, so its partner is lower.
		if (low == partner_of_high) {
			to[low] |= DECIDED;
			return;
		}
	}
}

// Moves each message to its half. At least one of two partners is decided, and they differ.
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

static void split_small(uint32_t *to, uint32_t *from, uint32_t half)
{
	for (uint32_t i = 0; i < half; i++)
		if (!((to[i] | to[i + half]) & DECIDED))
			decide_loop(to, from, half, i);
	move_to_halves(to, half);
	move_to_halves(from, half);
}

// Walks many loops of a large block at once, because a single walk would mostly wait for memory. If source i is in the
// lower half, so is step(i): the partner of the source whose destination is the partner of i's. A walk goes from step
// to step until it comes to a pair that a walk has seen. Its first source is assumed to be in the lower half. The
// meetings of walks tell which of these assumptions agree.

enum { WALKS = 16, SEGMENTS_MAX = 2047 };
#define LARGE (UINT32_C(1) << 16) // sources of a block whose two arrays fill most of a core's own cache
// above the number: the segment, from 1, whose walk put the source into the lower half
#define SEGMENT_SHIFT LOOM_BENES_K_MAX

struct walks {
	uint32_t *to, *from, half;
	uint64_t *seen; // half bits: pairs of sources that a walk has visited
	uint32_t next;  // all pairs below it are seen; a multiple of 64
	unsigned n_segments;
	struct segment {
		uint32_t begin, end; // the first source, and the one whose pair had been seen
		unsigned parent;     // union-find: a root is its own parent
		bool flipped;        // the assumptions of segment and parent disagree
	} segment[SEGMENTS_MAX + 1];
};

static bool see(struct walks *w, uint32_t i)
{
	uint32_t pair = i & (w->half - 1);
	uint64_t bit = UINT64_C(1) << pair % 64, before = w->seen[pair / 64];
	w->seen[pair / 64] = before | bit;
	return before & bit;
}

static uint32_t step(const struct walks *w, uint32_t i)
{
	uint32_t in_block = 2 * w->half - 1, destination = w->to[i] & in_block;
	return (w->from[destination ^ w->half] & in_block) ^ w->half;
}

// Returns the lowest pair that no walk has seen, or half if there is none.
static uint32_t new_pair(struct walks *w)
{
	while (w->next < w->half && w->seen[w->next / 64] == UINT64_MAX)
		w->next += 64;
	return w->next < w->half ? w->next + (uint32_t)__builtin_ctzll(~w->seen[w->next / 64]) : w->half;
}

// Walks all loops. Returns false if there are more walks than segment numbers.
static bool walk_all(struct walks *w)
{
	uint32_t at[WALKS], pair;
	unsigned segment[WALKS], n_walks = 0;
	for (;;) {
		for (; n_walks < WALKS && (pair = new_pair(w)) < w->half; n_walks++) {
			unsigned fresh = w->n_segments + 1;
			if (fresh > SEGMENTS_MAX)
				return false;
			w->n_segments = fresh;
			w->segment[fresh] = (struct segment){.begin = pair, .parent = fresh};
			segment[n_walks] = fresh;
			at[n_walks] = pair;
			(void)see(w, pair);
		}
		if (n_walks == 0)
			return true;
		for (unsigned k = 0; k < n_walks; k++) {
			uint32_t next = step(w, at[k]);
			w->to[at[k]] |= segment[k] << SEGMENT_SHIFT;
			at[k] = next;
			if (see(w, next)) {
				w->segment[segment[k]].end = next;
				at[k] = at[--n_walks];
				segment[k] = segment[n_walks];
				k--;
			}
		}
	}
}

static unsigned root_of(const struct walks *w, unsigned s, bool *flipped)
{
	for (*flipped = false; w->segment[s].parent != s; s = w->segment[s].parent)
		*flipped ^= w->segment[s].flipped;
	return s;
}

// Notes that source i belongs to the half in which segment s began. A loop is even, so repeated statements agree.
static void join(struct walks *w, unsigned s, uint32_t i)
{
	uint32_t marked = w->to[i] >> SEGMENT_SHIFT, partner = w->to[i ^ w->half] >> SEGMENT_SHIFT;
	bool a_flipped, b_flipped;
	unsigned a = root_of(w, s, &a_flipped), b = root_of(w, marked ? marked : partner, &b_flipped);
	if (a != b) {
		w->segment[a].parent = b;
		w->segment[a].flipped = !marked ^ a_flipped ^ b_flipped;
	}
}

static void exchange_if(uint32_t *word, uint32_t i, uint32_t half, uint32_t condition)
{
	uint32_t a = word[i] & NUMBER, b = word[i + half] & NUMBER, differ = (a ^ b) & (0 - condition);
	word[i] = a ^ differ;
	word[i + half] = b ^ differ;
}

// Moves all messages. The bits of `seen` now say that the lower source of a pair goes to the upper half.
static void move_large(struct walks *w)
{
	uint8_t upper[SEGMENTS_MAX + 1] = {0};
	for (unsigned s = 1; s <= w->n_segments; s++) {
		bool flipped;
		(void)root_of(w, s, &flipped);
		upper[s] = flipped;
	}
	for (uint32_t first = 0; first < w->half; first += 64) {
		uint64_t bits = 0;
		for (uint32_t i = first; i < first + 64; i++) {
			uint32_t a = w->to[i] >> SEGMENT_SHIFT, b = w->to[i + w->half] >> SEGMENT_SHIFT;
			uint32_t a_is_upper = a ? upper[a] : !upper[b];
			bits |= (uint64_t)a_is_upper << (i - first);
			exchange_if(w->to, i, w->half, a_is_upper);
		}
		w->seen[first / 64] = bits;
	}
	for (uint32_t j = 0; j < w->half; j++) {
		uint32_t source = w->from[j], pair = source & (w->half - 1);
		exchange_if(w->from, j, w->half, (w->seen[pair / 64] >> pair % 64 & 1) ^ !!(source & w->half));
	}
}

static void split_large(uint32_t *to, uint32_t *from, uint32_t half, uint64_t *seen)
{
	struct walks w = {.to = to, .from = from, .half = half, .seen = seen};
	memset(seen, 0, half / 8);
	if (!walk_all(&w)) {
		for (uint32_t i = 0; i < 2 * half; i++)
			to[i] &= NUMBER;
		split_small(to, from, half);
		return;
	}
	// Each pair was left by one of its two sources. The walk that came in by the other source has told its half. At
	// the beginning of a segment no walk came in, so this is checked here.
	for (unsigned s = 1; s <= w.n_segments; s++) {
		join(&w, s, w.segment[s].end);
		join(&w, s, step(&w, w.segment[s].begin ^ half) ^ half);
	}
	move_large(&w);
}

static void split(uint32_t *to, uint32_t *from, uint32_t size, uint64_t *seen)
{
	if (size >= LARGE)
		split_large(to, from, size / 2, seen);
	else
		split_small(to, from, size / 2);
}

// Sets out[reverse x] = reverse in[x], in tiles of 16 cache lines, so that each line is read and written once as a
// whole. In the order of x every word would go to another line, and all these lines to the same few sets of the cache.
static void reverse_all(uint32_t *restrict out, const uint32_t *restrict in, unsigned k)
{
	enum { BITS = 4, LINE = 1 << BITS };
	uint32_t n = UINT32_C(1) << k, tile[LINE][LINE];
	if (k < 2 * BITS) {
		for (uint32_t x = 0; x < n; x++)
			out[reverse(x, k)] = reverse(in[x], k);
		return;
	}
	unsigned top = k - BITS;
	for (uint32_t middle = 0; middle < n >> 2 * BITS; middle++) {
		uint32_t from = middle << BITS, to = reverse(middle, k - 2 * BITS) << BITS;
		for (uint32_t high = 0; high < LINE; high++)
			for (uint32_t low = 0; low < LINE; low++)
				tile[reverse(low, BITS)][reverse(high, BITS)] =
					reverse(in[high << top | from | low], k);
		for (uint32_t high = 0; high < LINE; high++)
			memcpy(&out[high << top | to], tile[high], sizeof tile[high]);
	}
}

// Checks that f is a permutation. seen: scratch, n bits.
static int check_permutation(const uint32_t *f, uint32_t n, uint64_t *seen, struct loom_err *err)
{
	memset(seen, 0, n / 8 + 1);
	for (uint32_t x = 0; x < n; x++) {
		if (f[x] >= n)
			return loom_fail(err, LOOM_EINPUT,
			                 "not a permutation of %u nodes: node %u sends to %u; there are 0 to %u", n, x,
			                 f[x], n - 1);
		if (seen[f[x] / 64] >> f[x] % 64 & 1) {
			uint32_t first = 0;
			while (f[first] != f[x])
				first++;
			return loom_fail(err, LOOM_EINPUT, "not a permutation: nodes %u and %u both send to %u", first,
			                 x, f[x]);
		}
		seen[f[x] / 64] |= UINT64_C(1) << f[x] % 64;
	}
	return 0;
}

int loom_benes_two_pass(uint32_t *g, uint32_t *h, const uint32_t *f, unsigned k, struct loom_err *err)
{
	uint32_t n = UINT32_C(1) << k, *from = malloc(n * sizeof *from), *to = g;
	uint64_t *seen = malloc(n / 8 + sizeof *seen);
	int rc = from && seen ? check_permutation(f, n, seen, err)
	                      : loom_fail(err, LOOM_ENOMEM, "out of memory for a permutation of %u nodes", n);
	if (rc != 0)
		goto out;
	reverse_all(to, f, k);
	for (uint32_t x = 0; x < n; x++)
		from[to[x]] = x;

	// Splits all blocks that begin at `first`, the largest first, so each block comes after the one of which it is
	// a half.
	for (uint32_t first = 0; first + 1 < n; first += 2)
		for (uint32_t size = first ? first & (0 - first) : n; size >= 2; size /= 2)
			split(to + first, from + first, size, seen);

	// Now to[z] and from[z] are the ends of the message whose middle node is z, all bit-reversed.
	reverse_all(h, to, k);
	for (uint32_t z = 0; z < n; z++)
		g[reverse(from[z], k)] = reverse(z, k);
out:
	free(from);
	free(seen);
	return rc;
}

unsigned loom_benes_stages(uint32_t n_nodes)
{
	unsigned k = 0;
	while (UINT32_C(1) << k < n_nodes)
		k++;
	return 2 * k - 1;
}
