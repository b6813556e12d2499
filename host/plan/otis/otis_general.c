// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The general BPC algorithm of [Sahni97], section 5.
#include <inttypes.h>
#include <stdio.h>

#include "plan/otis/otis_bits.h"
#include "plan/otis/otis_moves.h"

// Exchanges pairs of address bits by B(i, j): the highest bit of one half with the highest of the other, the next with
// the next, and so on. Only bits that leave their half are paired, or only bits that stay. *at: the present place of
// each address bit.
static unsigned exchange(struct loom_otis_work *work, uint8_t *at, const struct loom_otis_bits *bpc, bool leaving)
{
	unsigned q = work->q, j = q, n = 0;
	for (unsigned i = 2 * q; i-- > q;) {
		if ((bpc->to[i] < q) != leaving)
			continue;
		do
			j--;
		while ((bpc->to[j] >= q) != leaving);
		loom_otis_work_exchange(work, i - q, j);
		at[i] = (uint8_t)j;
		at[j] = (uint8_t)i;
		n++;
	}
	return n;
}

// Makes the local permutation of the address bits that are now in this half.
static struct loom_otis_bits local_of(const struct loom_otis_bits *bpc, const uint8_t *at, unsigned half)
{
	unsigned q = bpc->n / 2;
	struct loom_otis_bits bits = {.n = q};
	for (unsigned i = 0; i < bpc->n; i++) {
		if (at[i] / q != half)
			continue;
		unsigned to = bpc->to[i] % q;
		bits.to[at[i] % q] = (uint8_t)to;
		bits.flip |= (bpc->flip >> bpc->to[i] & 1) << to;
	}
	return bits;
}

static unsigned count_leaving(const struct loom_otis_bits *bpc)
{
	unsigned k = 0;
	for (unsigned j = 0; j < bpc->n / 2; j++)
		k += bpc->to[j] >= bpc->n / 2;
	return k;
}

static int check(struct loom_otis_bits *bits, uint32_t side, const struct loom_lcc *bpc, struct loom_err *err)
{
	if (!loom_otis_bits_of(bits, bpc))
		return loom_fail(err, LOOM_EINPUT,
		                 "no BPC permutation: each destination bit is to be a source bit, or its complement");
	if (bits->n == 2 * loom_otis_bits_of_side(side))
		return 0;
	return loom_fail(err, LOOM_EINPUT, "a BPC permutation of %u address bits; those of side %" PRIu32 " are %u",
	                 bits->n, side, 2 * loom_otis_bits_of_side(side));
}

int loom_otis_general_bits(struct loom_otis_moves *out, uint32_t side, const struct loom_otis_bits *bits,
                           enum loom_otis_general how, struct loom_err *err)
{
	struct loom_otis_work work;
	uint8_t at[LOOM_OTIS_BITS_MOST];
	loom_otis_work_begin(&work, side, err);
	for (unsigned i = 0; i < bits->n; i++)
		at[i] = (uint8_t)i;
	bool leaving = how == LOOM_OTIS_EXCHANGE_K || (how == LOOM_OTIS_AS_PAPER && count_leaving(bits) < bits->n / 4);
	unsigned n = work.rc == 0 ? exchange(&work, at, bits, leaving) : 0;
	const struct loom_otis_bits of_place = local_of(bits, at, 0), of_group = local_of(bits, at, 1);
	loom_otis_work_local(&work, &of_place);
	loom_otis_work_light(&work);
	loom_otis_work_local(&work, &of_group);
	if (leaving)
		loom_otis_work_light(&work);
	(void)snprintf(work.moves.by, sizeof work.moves.by, "section 5, %u exchange%s", n, n == 1 ? "" : "s");
	return loom_otis_work_end(out, &work);
}

int loom_otis_general(struct loom_otis_moves *out, uint32_t side, const struct loom_lcc *bpc,
                      enum loom_otis_general how, struct loom_err *err)
{
	struct loom_otis_bits bits;
	int rc = loom_otis_check_side(side, true, err);
	if (rc == 0)
		rc = check(&bits, side, bpc, err);
	return rc != 0 ? rc : loom_otis_general_bits(out, side, &bits, how, err);
}
