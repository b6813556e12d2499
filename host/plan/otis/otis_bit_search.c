// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Searches among routes whose middle is linear: makes small changes that lower the cost, from the first route and from
// random ones.

#include "base/rng.h"
#include "plan/otis/otis_bit_routes.h"

struct search {
	const struct loom_otis_bits *bpc;
	const struct loom_otis_cost *cost;
	unsigned allowed;
	struct loom_budget *budget;
	struct loom_otis_bit_route at;
	double cost_at;
	bool is_over;
};

static void swap(uint8_t *list, unsigned a, unsigned b)
{
	uint8_t t = list[a];
	list[a] = list[b];
	list[b] = t;
}

static double cost_of(const struct search *s, const struct loom_otis_bit_route *route)
{
	struct loom_otis_step_counts count = loom_otis_bit_route_count(route, s->bpc);
	return loom_otis_cost_of(s->cost, count.electronic, count.otis);
}

// Takes the route if it is cheaper.
static bool try_route(struct search *s, const struct loom_otis_bit_route *route)
{
	if (s->is_over || !loom_budget_spend(s->budget, LOOM_OTIS_ROUTE_STEPS)) {
		s->is_over = true;
		return false;
	}
	double cost = cost_of(s, route);
	if (cost >= s->cost_at)
		return false;
	s->at = *route;
	s->cost_at = cost;
	return true;
}

// Tries all small changes of the route, and keeps each change that makes it cheaper.
static bool improve(struct search *s)
{
	unsigned q = s->at.q, k = s->at.k;
	bool better = false;
	struct loom_otis_bit_route other;
	for (unsigned a = 0; a < q && !s->at.across; a++) {
		other = s->at;
		other.flip ^= UINT32_C(1) << a;
		better |= try_route(s, &other);
		for (unsigned b = 0; b < a; b++) {
			other = s->at;
			swap(other.order, a, b);
			better |= try_route(s, &other);
			// The complements at the bits' destinations.
			other.flip = s->bpc->flip & ((UINT32_C(1) << q) - 1);
			better |= try_route(s, &other);
		}
	}
	for (unsigned i = 0; i < k; i++) {
		for (unsigned h = 0; h < LOOM_OTIS_PAIRS; h++) {
			other = s->at;
			other.how[i] = (uint8_t)h;
			better |= (s->allowed >> h & 1) && h != s->at.how[i] && try_route(s, &other);
		}
		for (unsigned j = 0; j < i; j++) {
			other = s->at;
			swap(other.group, i, j);
			better |= try_route(s, &other);
		}
	}
	return better && !s->is_over;
}

static void randomize(struct loom_otis_bit_route *r, unsigned allowed, struct loom_rng *rng)
{
	for (unsigned t = r->q; t > 1; t--)
		swap(r->order, t - 1, (unsigned)loom_rng_below(rng, t));
	for (unsigned i = r->k; i > 1; i--)
		swap(r->group, i - 1, (unsigned)loom_rng_below(rng, i));
	for (unsigned i = 0; i < r->k && !r->across; i++)
		do
			r->how[i] = (uint8_t)loom_rng_below(rng, LOOM_OTIS_PAIRS);
		while (!(allowed >> r->how[i] & 1));
	r->flip = (uint32_t)loom_rng_below(rng, UINT64_C(1) << r->q);
}

void loom_otis_bit_route_search(struct loom_otis_bit_route *out, const struct loom_otis_bits *bpc,
                                const struct loom_otis_cost *cost, unsigned allowed, struct loom_budget *budget)
{
	struct search s = {.bpc = bpc, .cost = cost, .allowed = allowed, .budget = budget};
	struct loom_rng rng;
	double best;
	loom_rng_init(&rng, 1);
	loom_otis_bit_route_first(&s.at, bpc, allowed == 0);
	s.at.flip = bpc->flip & ((UINT32_C(1) << s.at.q) - 1);
	*out = s.at;
	best = s.cost_at = cost_of(&s, &s.at);
	for (;;) {
		while (improve(&s)) {
		}
		if (s.cost_at < best) {
			best = s.cost_at;
			*out = s.at;
		}
		if (s.is_over ||
		    !loom_budget_spend(budget, LOOM_OTIS_ROUTE_STEPS)) // also spent on a route without any changes
			return;
		randomize(&s.at, allowed, &rng);
		s.cost_at = cost_of(&s, &s.at);
	}
}
