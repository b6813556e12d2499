// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes the cost of routes of a BPC permutation whose middle is linear in the address bits, and makes their moves.
#include "plan/otis/otis_bit_routes.h"

#include <stdio.h>
#include <string.h>

#include "plan/otis/otis_moves.h"

void loom_otis_bit_route_first(struct loom_otis_bit_route *out, const struct loom_otis_bits *bpc, bool across)
{
	unsigned q = bpc->n / 2, n_groups = 0, n_stay = 0;
	memset(out, 0, sizeof *out);
	out->q = q;
	out->across = across;
	for (unsigned j = q; j-- > 0;) {
		if ((bpc->to[j] >= q) != across)
			out->place[out->k++] = (uint8_t)j;
		else
			out->stays[n_stay++] = (uint8_t)j;
		if ((bpc->to[q + j] < q) != across)
			out->group[n_groups++] = (uint8_t)(q + j);
	}
	for (unsigned i = 0; i < out->k; i++)
		out->how[i] = across ? LOOM_OTIS_PAIR_EXCHANGE : LOOM_OTIS_PAIR_XOR;
	if (across)
		return;
	// The middle's bits are put where they belong, or where the bit that their pair brings belongs.
	for (unsigned i = 0; i < q; i++)
		out->order[bpc->to[i < out->k ? out->group[i] : out->stays[i - out->k]]] = (uint8_t)i;
}

// ---- Address bits ---------------------------------------------------------------------------------------------------

// The bits of a place as functions of the 2q address bits of the item's source: each is the exclusive or of some of
// these bits, perhaps complemented.
struct place {
	uint32_t of[LOOM_OTIS_HALF_MOST]; // a set of bits
	uint32_t flip;
};

// Place and group once the exchanges are done; the middle; and the final place and group.
struct places {
	struct place first, middle, group, end_group, end;
};

static void find_middle(struct place *out, const struct loom_otis_bit_route *r)
{
	memset(out, 0, sizeof *out);
	for (unsigned t = 0; t < r->q; t++) {
		unsigned part = r->order[t];
		if (part >= r->k) {
			out->of[t] = UINT32_C(1) << r->stays[part - r->k];
			continue;
		}
		bool has_place = r->how[part] == LOOM_OTIS_PAIR_XOR || r->how[part] == LOOM_OTIS_PAIR_PLACE;
		out->of[t] = (has_place ? UINT32_C(1) << r->place[part] : 0) |
		             (r->how[part] != LOOM_OTIS_PAIR_PLACE ? UINT32_C(1) << r->group[part] : 0);
	}
	out->flip = r->flip;
}

static void find_places(struct places *out, const struct loom_otis_bit_route *r, const struct loom_otis_bits *bpc)
{
	unsigned q = r->q;
	memset(out, 0, sizeof *out);
	for (unsigned j = 0; j < q; j++) {
		out->first.of[j] = UINT32_C(1) << j;
		out->group.of[j] = UINT32_C(1) << (q + j);
	}
	for (unsigned i = 0; i < r->k; i++)
		if (r->how[i] == LOOM_OTIS_PAIR_EXCHANGE) {
			out->first.of[r->place[i]] = UINT32_C(1) << r->group[i];
			out->group.of[r->group[i] - q] = UINT32_C(1) << r->place[i];
		}
	if (!r->across)
		find_middle(&out->middle, r);
	for (unsigned j = 0; j < bpc->n; j++)
		*(bpc->to[j] < q ? &out->end.of[bpc->to[j]] : &out->end_group.of[bpc->to[j] - q]) = UINT32_C(1) << j;
	out->end.flip = bpc->flip & ((UINT32_C(1) << q) - 1);
	out->end_group.flip = bpc->flip >> q;
}

// ---- Cost -----------------------------------------------------------------------------------------------------------

// Returns the most by which a coordinate grows plus the most by which it falls, over all items. The coordinate is in
// bits low .. high - 1 of both places.
static uint32_t span(const struct place *from, const struct place *to, unsigned low, unsigned high)
{
	uint32_t used = 0;
	uint8_t bit[LOOM_OTIS_BITS_MOST];
	unsigned n = 0;
	int most = 0, least = 0;
	for (unsigned i = low; i < high; i++)
		used |= from->of[i] | to->of[i];
	for (unsigned j = 0; used >> j; j++)
		if (used >> j & 1)
			bit[n++] = (uint8_t)j;
	for (uint32_t x = 0; x >> n == 0; x++) {
		uint32_t item = 0;
		int change = 0;
		for (unsigned j = 0; j < n; j++)
			item |= (x >> j & 1) << bit[j];
		for (unsigned i = low; i < high; i++) {
			unsigned a = ((unsigned)__builtin_parity(from->of[i] & item)) ^ (from->flip >> i & 1),
				 b = ((unsigned)__builtin_parity(to->of[i] & item)) ^ (to->flip >> i & 1);
			change += ((int)b - (int)a) * (1 << (i - low));
		}
		most = change > most ? change : most;
		least = change < least ? change : least;
	}
	return (uint32_t)(most - least);
}

static uint32_t steps_of(const struct place *from, const struct place *to, unsigned q)
{
	return span(from, to, 0, q / 2) + span(from, to, q / 2, q);
}

static bool is_same(const struct place *a, const struct place *b, unsigned q)
{
	return a->flip == b->flip && memcmp(a->of, b->of, q * sizeof a->of[0]) == 0;
}

struct loom_otis_step_counts loom_otis_bit_route_count(const struct loom_otis_bit_route *r,
                                                       const struct loom_otis_bits *bpc)
{
	struct places p;
	struct loom_otis_step_counts count = {0, 0};
	uint32_t before = 1, after = 1; // items that meet on a node
	find_places(&p, r, bpc);
	for (unsigned i = 0; i < r->k; i++) {
		before *= r->how[i] == LOOM_OTIS_PAIR_GROUP ? 2 : 1;
		after *= r->how[i] == LOOM_OTIS_PAIR_PLACE ? 2 : 1;
		if (r->how[i] != LOOM_OTIS_PAIR_EXCHANGE)
			continue;
		count.electronic += 2 * ((UINT32_C(1) << r->place[i] % (r->q / 2)) +
		                         (UINT32_C(1) << (r->group[i] - r->q) % (r->q / 2)));
		count.otis += 2;
	}
	if (r->across) {
		count.electronic += steps_of(&p.first, &p.end_group, r->q) + steps_of(&p.group, &p.end, r->q);
		count.otis++;
		return count;
	}
	count.electronic += steps_of(&p.first, &p.middle, r->q) + steps_of(&p.middle, &p.end, r->q);
	if (!is_same(&p.group, &p.end_group, r->q)) {
		count.electronic += steps_of(&p.group, &p.end_group, r->q);
		count.otis += before + after;
	}
	return count;
}

// ---- Moves ----------------------------------------------------------------------------------------------------------

static uint32_t value(const struct place *place, uint32_t item, unsigned q)
{
	uint32_t out = place->flip;
	for (unsigned t = 0; t < q; t++)
		out ^= (uint32_t)__builtin_parity(place->of[t] & item) << t;
	return out;
}

uint32_t loom_otis_bit_route_middle(const struct loom_otis_bit_route *route, uint32_t v)
{
	struct place middle;
	find_middle(&middle, route);
	return value(&middle, v, route->q);
}

int loom_otis_bit_route_play(struct loom_otis_moves *out, uint32_t side, const struct loom_otis_bit_route *r,
                             const struct loom_otis_bits *bpc, struct loom_err *err)
{
	struct loom_otis_work work;
	struct places p;
	unsigned n_exchanges = 0;
	find_places(&p, r, bpc);
	loom_otis_work_begin(&work, side, err);
	for (unsigned i = 0; work.rc == 0 && i < r->k; i++)
		if (r->how[i] == LOOM_OTIS_PAIR_EXCHANGE) {
			loom_otis_work_exchange(&work, r->group[i] - r->q, r->place[i]);
			n_exchanges++;
		}
	const struct place *const place[3] = {&p.middle, &p.end_group, &p.end};
	bool by_light = r->across || !is_same(&p.group, &p.end_group, r->q);
	for (unsigned round = r->across; round < 3; round++) { // across: there is no middle
		if (round == 1 && !by_light)
			continue;
		for (uint32_t v = 0; work.rc == 0 && v < work.moves.n_items; v++)
			work.to[v] = work.moves.at[v] >> r->q << r->q | value(place[round], v, r->q);
		if (work.rc == 0)
			work.rc = loom_otis_moves_local(&work.moves, work.to, err);
		if (round < 2 && by_light)
			loom_otis_work_light(&work);
	}
	bool meet = false;
	for (unsigned i = 0; i < r->k; i++)
		meet = meet || r->how[i] == LOOM_OTIS_PAIR_PLACE || r->how[i] == LOOM_OTIS_PAIR_GROUP;
	if (work.rc == 0)
		(void)snprintf(work.moves.by, sizeof work.moves.by, "%s, %u exchange%s%s",
		               r->across ? "across" : "linear middle", n_exchanges, n_exchanges == 1 ? "" : "s",
		               meet ? ", items meet" : "");
	return loom_otis_work_end(out, &work);
}
