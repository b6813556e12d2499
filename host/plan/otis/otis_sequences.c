// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The sequences of [Sahni97], section 4, step by step. A node's address has q bits of the group, whose upper half is
// G_x, its row, and q bits of the place in it.
#include <stdio.h>

#include "plan/otis/otis_bits.h"
#include "plan/otis/otis_moves.h"

typedef uint32_t place_rule(uint32_t group, uint32_t p, unsigned q);

static uint32_t column_of(uint32_t p, unsigned q)
{
	return p & ((UINT32_C(1) << q / 2) - 1);
}

static uint32_t row_of(uint32_t p, unsigned q)
{
	return p >> q / 2;
}

static uint32_t with_row(uint32_t p, uint32_t row, unsigned q)
{
	uint32_t side = UINT32_C(1) << q / 2;
	return (row % side) << q / 2 | column_of(p, q);
}

static uint32_t with_column(uint32_t p, uint32_t column, unsigned q)
{
	uint32_t side = UINT32_C(1) << q / 2;
	return row_of(p, q) << q / 2 | (column & (side - 1));
}

// ---- Rules of local permutations ------------------------------------------------------------------------------------

static uint32_t shuffled(uint32_t group, uint32_t p, unsigned q)
{
	(void)group;
	return (p << 1 | p >> (q - 1)) & ((UINT32_C(1) << q) - 1);
}

static uint32_t unshuffled(uint32_t group, uint32_t p, unsigned q)
{
	(void)group;
	return p >> 1 | (p & 1) << (q - 1);
}

static uint32_t exchanged_in_lower_groups(uint32_t group, uint32_t p, unsigned q)
{
	return group >> (q - 1) ? p : p ^ 1;
}

static uint32_t exchanged_in_even_groups(uint32_t group, uint32_t p, unsigned q)
{
	(void)q;
	return group & 1 ? p : p ^ 1;
}

static uint32_t reversed(uint32_t group, uint32_t p, unsigned q)
{
	uint32_t out = 0;
	(void)group;
	for (unsigned i = 0; i < q; i++)
		out |= (p >> i & 1) << (q - 1 - i);
	return out;
}

static uint32_t complemented(uint32_t group, uint32_t p, unsigned q)
{
	(void)group;
	return p ^ ((UINT32_C(1) << q) - 1);
}

static uint32_t interleaved(uint32_t group, uint32_t p, unsigned q)
{
	uint32_t out = 0;
	(void)group;
	for (unsigned i = 0; i < q; i++)
		out |= (p >> i & 1) << (i < q / 2 ? 2 * i : 2 * (i - q / 2) + 1);
	return out;
}

static uint32_t separated(uint32_t group, uint32_t p, unsigned q)
{
	uint32_t out = 0;
	(void)group;
	for (unsigned i = 0; i < q; i++)
		out |= (p >> i & 1) << (i / 2 + (i % 2 ? q / 2 : 0));
	return out;
}

static uint32_t rotated_up(uint32_t group, uint32_t p, unsigned q)
{
	return with_row(p, row_of(p, q) - column_of(group, q), q);
}

static uint32_t rotated_right(uint32_t group, uint32_t p, unsigned q)
{
	return with_column(p, column_of(p, q) + row_of(group, q), q);
}

// Combines steps 5 and 6 of the second algorithm: row x goes to (G_y - x) mod n. In [Sahni97], step 6 reverses the
// rows, which is wrong.
static uint32_t rotated_and_mirrored(uint32_t group, uint32_t p, unsigned q)
{
	return with_row(p, column_of(group, q) - row_of(p, q), q);
}

static uint32_t row_xor_group(uint32_t group, uint32_t p, unsigned q)
{
	return with_row(p, row_of(p, q) ^ column_of(group, q), q);
}

static uint32_t column_xor_group(uint32_t group, uint32_t p, unsigned q)
{
	return with_column(p, column_of(p, q) ^ row_of(group, q), q);
}

// ---- The table ------------------------------------------------------------------------------------------------------

// A step of a sequence: a local permutation, or an OTIS move (NULL).
#define STEPS_MOST 8
struct steps {
	unsigned n;
	place_rule *rule[STEPS_MOST];
};
enum swap { NO_SWAP, EXCHANGES, ROTATIONS, XOR };

static const struct row {
	const char *name;
	const char *pattern;   // the permutation's name for loom_pattern_parse
	enum swap first, last; // a swap before and after the steps
	struct steps steps;
} table[LOOM_OTIS_SEQUENCES] = {
	[LOOM_OTIS_TRANSPOSE] = {"section 4.1, transpose", "reflect-diagonal", NO_SWAP, NO_SWAP, {1, {NULL}}},
	[LOOM_OTIS_SHUFFLE] = {"section 4.2, shuffle",
                               "shuffle",
                               NO_SWAP,
                               NO_SWAP,
                               {7,
                                {shuffled, exchanged_in_lower_groups, NULL, shuffled, exchanged_in_even_groups, NULL,
                                 exchanged_in_even_groups}}},
	[LOOM_OTIS_UNSHUFFLE] = {"section 4.3, unshuffle",
                                 "unshuffle",
                                 NO_SWAP,
                                 NO_SWAP,
                                 {7,
                                  {exchanged_in_even_groups, NULL, exchanged_in_even_groups, unshuffled, NULL,
                                   exchanged_in_lower_groups, unshuffled}}},
	[LOOM_OTIS_BIT_REVERSAL] =
		{"section 4.4, bit reversal", "bit-reverse", NO_SWAP, NO_SWAP, {3, {reversed, NULL, reversed}}},
	[LOOM_OTIS_VECTOR_REVERSAL] = {"section 4.5, vector reversal",
                                       "complement",
                                       NO_SWAP,
                                       NO_SWAP,
                                       {4, {complemented, NULL, complemented, NULL}}},
	[LOOM_OTIS_SWAP_EXCHANGES] = {"section 4.6.1, bit exchanges", "gypx-swap", EXCHANGES, NO_SWAP, {0}},
	[LOOM_OTIS_SWAP_ROTATIONS] = {"section 4.6.1, rotations", "gypx-swap", ROTATIONS, NO_SWAP, {0}},
	[LOOM_OTIS_SWAP_XOR] = {"section 4.6.1, exclusive or", "gypx-swap", XOR, NO_SWAP, {0}},
#define BIT_SHUFFLE(swap)                                                                                              \
	swap, NO_SWAP,                                                                                                 \
	{                                                                                                              \
		4,                                                                                                     \
		{                                                                                                      \
			interleaved, NULL, interleaved, NULL                                                           \
		}                                                                                                      \
	}
	[LOOM_OTIS_BIT_SHUFFLE] = {"section 4.6, bit exchanges", "bit-shuffle", BIT_SHUFFLE(EXCHANGES)},
	[LOOM_OTIS_BIT_SHUFFLE_ROTATIONS] = {"section 4.6, rotations", "bit-shuffle", BIT_SHUFFLE(ROTATIONS)},
	[LOOM_OTIS_BIT_SHUFFLE_XOR] = {"section 4.6, exclusive or", "bit-shuffle", BIT_SHUFFLE(XOR)},
#define ROW_MAJOR(swap)                                                                                                \
	NO_SWAP, swap,                                                                                                 \
	{                                                                                                              \
		4,                                                                                                     \
		{                                                                                                      \
			NULL, separated, NULL, separated                                                               \
		}                                                                                                      \
	}
	[LOOM_OTIS_SHUFFLED_ROW_MAJOR] = {"section 4.7, bit exchanges", "shuffled-row-major", ROW_MAJOR(EXCHANGES)},
	[LOOM_OTIS_SHUFFLED_ROW_MAJOR_ROTATIONS] = {"section 4.7, rotations", "shuffled-row-major",
                                                    ROW_MAJOR(ROTATIONS)},
	[LOOM_OTIS_SHUFFLED_ROW_MAJOR_XOR] = {"section 4.7, exclusive or", "shuffled-row-major", ROW_MAJOR(XOR)},
};

static void play_steps(struct loom_otis_work *work, const struct steps *steps)
{
	for (unsigned k = 0; k < steps->n; k++) {
		if (steps->rule[k])
			loom_otis_work_places(work, steps->rule[k]);
		else
			loom_otis_work_light(work);
	}
}

static void play_swap(struct loom_otis_work *work, enum swap swap)
{
	static const struct steps rotations = {5, {rotated_up, NULL, rotated_right, NULL, rotated_and_mirrored}},
				  xor = {
					  5, {row_xor_group, NULL, column_xor_group, NULL, row_xor_group}};
	if (swap == ROTATIONS)
		play_steps(work, &rotations);
	if (swap == XOR)
		play_steps(work, &xor);
	for (unsigned i = 0; swap == EXCHANGES && i < work->q / 2; i++)
		loom_otis_work_exchange(work, i, work->q / 2 + i);
}

const char *loom_otis_sequence_name(unsigned sequence)
{
	return sequence < LOOM_OTIS_SEQUENCES ? table[sequence].name : NULL;
}

int loom_otis_bits_of_sequence(struct loom_otis_bits *out, enum loom_otis_sequence sequence, uint32_t side,
                               struct loom_err *err)
{
	const struct loom_pattern_options options = {.flits = 1};
	struct loom_pattern pattern;
	int rc = loom_otis_check_side(side, true, err);
	if (rc == 0)
		rc = loom_pattern_parse_lccs(&pattern, table[sequence].pattern, 2 * loom_otis_bits_of_side(side),
		                             &options, err);
	if (rc != 0)
		return rc;
	(void)loom_otis_bits_of(out, &pattern.lccs[0]); // all permutations of Table 3 are BPC
	loom_pattern_free(&pattern);
	return 0;
}

int loom_otis_sequence(struct loom_otis_moves *out, uint32_t side, enum loom_otis_sequence sequence,
                       struct loom_err *err)
{
	struct loom_otis_work work;
	const struct row *row = &table[sequence];
	loom_otis_work_begin(&work, side, err);
	if (work.rc == 0) {
		play_swap(&work, row->first);
		play_steps(&work, &row->steps);
		play_swap(&work, row->last);
		(void)snprintf(work.moves.by, sizeof work.moves.by, "%s", row->name);
	}
	return loom_otis_work_end(out, &work);
}
