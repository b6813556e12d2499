// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/routes/pairs/pair_state.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EXPONENT_MOST 60.0

int loom_pair_state_make(struct loom_pair_state *out, const struct loom_pair_net *net, uint32_t n_lanes, uint64_t seed,
                         struct loom_err *err)
{
	const size_t n_pairs = (size_t)net->n_nodes * net->n_nodes;
	struct loom_pair_state s = {.net = net, .n_lanes = n_lanes, .walk = loom_pair_walk_make(net, n_lanes)};
	LOOM_ARRAY(&s.arrays, s.place, (size_t)net->n_links * n_lanes + 1);
	LOOM_ARRAY(&s.arrays, s.use, (size_t)net->n_turns * n_lanes + 1);
	LOOM_ARRAY(&s.arrays, s.load, (size_t)net->n_links + 1);
	LOOM_ARRAY(&s.arrays, s.price, n_pairs + 1);
	LOOM_ARRAY(&s.arrays, s.toll, (size_t)net->n_links + 1);
	LOOM_ARRAY(&s.arrays, s.way, n_pairs);
	if (s.arrays.is_short || !s.walk) {
		loom_pair_state_free(&s);
		return loom_fail(err, LOOM_ENOMEM, "out of memory for routes between %" PRIu32 " nodes", net->n_nodes);
	}
	loom_rng_init(&s.rng, seed);
	loom_pair_state_shuffle(&s);
	*out = s;
	return 0;
}

void loom_pair_state_free(struct loom_pair_state *s)
{
	const size_t n_pairs = s->way ? (size_t)s->net->n_nodes * s->net->n_nodes : 0;
	for (size_t i = 0; i < n_pairs; i++)
		free(s->way[i].link);
	loom_arrays_free(&s->arrays);
	free(s->tree);
	loom_pair_walk_free(s->walk);
	*s = (struct loom_pair_state){0};
}

void loom_pair_state_shuffle(struct loom_pair_state *s)
{
	const size_t n = (size_t)s->net->n_links * s->n_lanes;
	for (size_t i = 0; i < n; i++)
		s->place[i] = loom_rng_part(&s->rng) * (double)n;
	memset(s->use, 0, (size_t)s->net->n_turns * s->n_lanes * sizeof *s->use);
	free(s->tree);
	s->tree = NULL;
	s->n_tree = 0;
	loom_pair_walk_resort(s);
}

void loom_pair_state_set_prices(struct loom_pair_state *s, double steepness, double target, double hop)
{
	const size_t n_pairs = (size_t)s->net->n_nodes * s->net->n_nodes;
	for (size_t load = 0; load <= n_pairs; load++) {
		const double exponent = steepness * ((double)load / target - 1);
		s->price[load] = hop + exp(exponent < EXPONENT_MOST ? exponent : EXPONENT_MOST);
	}
}

bool loom_pair_falls(const struct loom_pair_state *s, const struct loom_pair_way *way)
{
	const double *place = s->place + (size_t)way->lane * s->net->n_links;
	for (uint32_t k = 1; k < way->n; k++)
		if (place[way->link[k]] <= place[way->link[k - 1]])
			return true;
	return false;
}

void loom_pair_lift(struct loom_pair_state *s, const struct loom_pair_way *way)
{
	for (uint32_t k = 0; k < way->n; k++)
		s->load[way->link[k]]--;
}

void loom_pair_lay(struct loom_pair_state *s, const struct loom_pair_way *way)
{
	for (uint32_t k = 0; k < way->n; k++)
		s->load[way->link[k]]++;
}

uint32_t loom_pair_largest_load(const struct loom_pair_state *s)
{
	uint32_t most = 0;
	for (uint32_t a = 0; a < s->net->n_links; a++)
		most = s->load[a] > most ? s->load[a] : most;
	return most;
}
