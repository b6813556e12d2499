// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The parts of the sequences of [Sahni97]: local BPC permutations, OTIS moves and bit exchanges.
#include "plan/otis/otis_bits.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "plan/otis/otis_moves.h"

bool loom_otis_bits_of(struct loom_otis_bits *out, const struct loom_lcc *lcc)
{
	struct loom_otis_bits bits = {.n = lcc->a.n, .flip = (uint32_t)lcc->b};
	uint64_t seen = 0;
	if (bits.n > LOOM_OTIS_BITS_MOST || lcc->kind != LOOM_LCC_PERMUTATION)
		return false;
	for (unsigned i = 0; i < bits.n; i++) {
		uint64_t row = lcc->a.row[i];
		if (row == 0 || (row & (row - 1)) != 0 || (row & seen) != 0)
			return false;
		seen |= row;
		bits.to[__builtin_ctzll(row)] = (uint8_t)i;
	}
	*out = bits;
	return true;
}

bool loom_otis_is_bpc(const struct loom_lcc *lcc)
{
	struct loom_otis_bits bits;
	return loom_otis_bits_of(&bits, lcc);
}

bool loom_otis_bits_of_map(struct loom_otis_bits *out, unsigned n, const uint32_t *to)
{
	struct loom_otis_bits bits = {.n = n, .flip = to[0]};
	for (unsigned j = 0; j < n; j++) {
		uint32_t row = to[UINT32_C(1) << j] ^ to[0];
		if (row == 0 || (row & (row - 1)) != 0)
			return false;
		bits.to[j] = (uint8_t)__builtin_ctz(row);
	}
	for (uint32_t v = 0; v >> n == 0; v++)
		if (loom_otis_bits_apply(&bits, v) != to[v])
			return false;
	*out = bits;
	return true;
}

bool loom_otis_bits_same(const struct loom_otis_bits *a, const struct loom_otis_bits *b)
{
	return a->n == b->n && a->flip == b->flip && memcmp(a->to, b->to, a->n) == 0;
}

uint32_t loom_otis_bits_apply(const struct loom_otis_bits *bits, uint32_t x)
{
	uint32_t y = bits->flip;
	for (unsigned j = 0; j < bits->n; j++)
		y ^= (x >> j & 1) << bits->to[j];
	return y;
}

unsigned loom_otis_bits_of_side(uint32_t side)
{
	return 2 * (unsigned)__builtin_ctz(side);
}

// ---- Work on a sequence ---------------------------------------------------------------------------------------------

void loom_otis_work_begin(struct loom_otis_work *out, uint32_t side, struct loom_err *err)
{
	*out = (struct loom_otis_work){.err = err};
	out->rc = loom_otis_check_side(side, true, err);
	if (out->rc != 0)
		return;
	out->q = loom_otis_bits_of_side(side);
	out->rc = loom_otis_moves_begin_all(&out->moves, side, err);
	if (out->rc != 0)
		return;
	out->to = malloc(out->moves.n_items * sizeof *out->to);
	out->which = malloc(out->moves.n_items * sizeof *out->which);
	if (!out->to || !out->which)
		out->rc = loom_fail(err, LOOM_ENOMEM, "out of memory for %" PRIu32 " items", out->moves.n_items);
}

int loom_otis_work_end(struct loom_otis_moves *out, struct loom_otis_work *work)
{
	free(work->to);
	free(work->which);
	if (work->rc == 0)
		*out = work->moves;
	else
		loom_otis_moves_free(&work->moves);
	return work->rc;
}

void loom_otis_work_local(struct loom_otis_work *work, const struct loom_otis_bits *bits)
{
	uint32_t mask = (UINT32_C(1) << work->q) - 1;
	for (uint32_t i = 0; work->rc == 0 && i < work->moves.n_items; i++) {
		uint32_t at = work->moves.at[i];
		work->to[i] = (at & ~mask) | loom_otis_bits_apply(bits, at & mask);
	}
	if (work->rc == 0)
		work->rc = loom_otis_moves_local(&work->moves, work->to, work->err);
}

void loom_otis_work_places(struct loom_otis_work *work, uint32_t (*place)(uint32_t group, uint32_t p, unsigned q))
{
	uint32_t mask = (UINT32_C(1) << work->q) - 1;
	for (uint32_t i = 0; work->rc == 0 && i < work->moves.n_items; i++) {
		uint32_t at = work->moves.at[i];
		work->to[i] = (at & ~mask) | place(at >> work->q, at & mask, work->q);
	}
	if (work->rc == 0)
		work->rc = loom_otis_moves_local(&work->moves, work->to, work->err);
}

void loom_otis_work_light(struct loom_otis_work *work)
{
	if (work->rc == 0)
		work->rc = loom_otis_moves_light(&work->moves, NULL, work->err);
}

// Moves the items of `which` to the places that differ from theirs in one bit, and then by light.
static void flip_and_light(struct loom_otis_work *work, unsigned bit)
{
	for (uint32_t i = 0; work->rc == 0 && i < work->moves.n_items; i++)
		work->to[i] = work->moves.at[i] ^ (uint32_t)work->which[i] << bit;
	if (work->rc == 0)
		work->rc = loom_otis_moves_local(&work->moves, work->to, work->err);
	if (work->rc == 0)
		work->rc = loom_otis_moves_light(&work->moves, work->which, work->err);
}

// Exchanges two bits. An item that moves goes to the place of one that stays, so a node holds two items for a while.
void loom_otis_work_exchange(struct loom_otis_work *work, unsigned i, unsigned j)
{
	for (uint32_t k = 0; work->rc == 0 && k < work->moves.n_items; k++) {
		uint32_t at = work->moves.at[k];
		work->which[k] = (at >> (work->q + i) & 1) != (at >> j & 1);
	}
	flip_and_light(work, j);
	flip_and_light(work, i);
}
