// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/injection.h"

#include <math.h>

const char *loom_injection_name(unsigned injection)
{
	static const char *const names[] = {
		[LOOM_INJECTION_POISSON] = "poisson", [LOOM_INJECTION_BERNOULLI] = "bernoulli"};
	return injection < sizeof names / sizeof names[0] ? names[injection] : NULL;
}

void loom_injection_begin(struct loom_injection_of *out, enum loom_injection kind, double mean_gap, uint64_t seed,
                          uint32_t processor)
{
	uint64_t state = seed;
	state = loom_splitmix64(&state) ^ processor;
	*out = (struct loom_injection_of){.kind = kind, .mean_gap = mean_gap};
	loom_rng_init(&out->times, loom_splitmix64(&state));
	loom_rng_init(&out->destinations, loom_splitmix64(&state));
}

// Draws a number between 0 and 1, never one of them.
static double draw(struct loom_rng *rng)
{
	return ((double)(loom_rng_next(rng) >> 11) + 0.5) * 0x1p-53;
}

uint64_t loom_injection_next(struct loom_injection_of *a)
{
	// The times are added up before they are rounded, so that rounding does not change the load.
	if (a->kind == LOOM_INJECTION_POISSON) {
		a->time -= a->mean_gap * log(draw(&a->times));
		return (uint64_t)a->time + 1;
	}
	// Tosses up to the first success, by one draw. With a message in every cycle log1p is -infinity, and the gap 1.
	a->cycle += 1 + (uint64_t)(log(draw(&a->times)) / log1p(-1 / a->mean_gap));
	return a->cycle;
}

static uint32_t any_other(struct loom_rng *rng, uint32_t n, uint32_t v)
{
	uint32_t other = (uint32_t)loom_rng_below(rng, n - 1);
	return other + (other >= v);
}

uint32_t loom_injection_destination(struct loom_injection_of *a, const struct loom_traffic *traffic, uint32_t v)
{
	if (traffic->kind == LOOM_TRAFFIC_ONE)
		return traffic->destination[v];
	if (traffic->kind == LOOM_TRAFFIC_HOTSPOT && draw(&a->destinations) < traffic->fraction && v != traffic->hot)
		return traffic->hot;
	return any_other(&a->destinations, traffic->n_nodes, v);
}

double loom_injection_part(const struct loom_traffic *t, uint32_t v, uint32_t w)
{
	if (t->kind == LOOM_TRAFFIC_ONE)
		return t->destination[v] == w;
	const double others = v == w ? 0 : 1.0 / (t->n_nodes - 1);
	if (t->kind == LOOM_TRAFFIC_UNIFORM || v == t->hot)
		return others;
	return (1 - t->fraction) * others + (w == t->hot ? t->fraction : 0);
}

void loom_injection_range(uint32_t *first, uint32_t *after, const struct loom_traffic *t, uint32_t v)
{
	*first = t->kind == LOOM_TRAFFIC_ONE ? t->destination[v] : 0;
	*after = t->kind == LOOM_TRAFFIC_ONE ? *first + 1 : t->n_nodes;
}

bool loom_injection_has_few_pairs(const struct loom_traffic *t)
{
	return t->kind == LOOM_TRAFFIC_ONE || t->n_nodes <= LOOM_TRAFFIC_PAIRS_NODES;
}
