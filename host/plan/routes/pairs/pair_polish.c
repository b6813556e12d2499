// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Begins the search for routes of all pairs in another way: anneals places first, takes routes that are as short as
// possible, and then evens out their loads. Pairs on links that carry more than the goal choose again. A link that is
// too busy again and again becomes expensive [McMurchie95]. Places move as far as the routes allow.
#include <stdlib.h>
#include <string.h>

#include "plan/routes/pairs/pair_hunt.h"

#define STEEPNESS 20.0 // steepness of the prices for the first choices
#define HOP_FIRST 0.05
#define FIRST_CHOICES 3
#define FIRST_SLACK 3u // for pairs that have no shortest way
#define HOP_PRICE 0.3
#define OVER_PRICE 1.0 // for each pair above the goal
#define TOLL 0.3       // the price that stays, each time
#define WANDER 0.3
#define TIMES 500u // choices with shortest ways
#define TIMES_WIDE 200u
#define SLACK 2u // for the choices with longer ways

static int choose(struct loom_pair_hunt *s, uint32_t pair, const struct loom_pair_freedom *f, struct loom_err *err)
{
	struct loom_pair_way *way = &s->state.way[pair], other;
	loom_pair_lift(&s->state, way);
	if (loom_pair_choose(&other, s, pair, f) && loom_pair_way_take(way, &other, err) != 0)
		return LOOM_ENOMEM;
	loom_pair_lay(&s->state, way);
	return 0;
}

// Lets all pairs choose a few times. *all: each pair has a way.
static int choose_first(struct loom_pair_hunt *s, bool *all, struct loom_err *err)
{
	const struct loom_pair_freedom f = {.fine = LOOM_PAIR_HARD, .most_slack = FIRST_SLACK};
	int rc = 0;
	loom_pair_state_set_prices(&s->state, STEEPNESS, s->bound, HOP_FIRST);
	*all = true;
	memcpy(s->hot, s->pair, s->n_pairs * sizeof *s->hot);
	for (unsigned time = 0; rc == 0 && time < FIRST_CHOICES; time++) {
		loom_rng_shuffle(s->hot, s->n_pairs, &s->state.rng);
		for (size_t i = 0; rc == 0 && i < s->n_pairs; i++) {
			rc = choose(s, s->hot[i], &f, err);
			*all = *all && s->state.way[s->hot[i]].n > 0;
		}
	}
	return rc;
}

// Sets prices that rise above the goal.
static void set_prices(struct loom_pair_state *state, uint32_t goal)
{
	const size_t n_pairs = (size_t)state->net->n_nodes * state->net->n_nodes;
	for (size_t load = 0; load <= n_pairs; load++)
		state->price[load] = HOP_PRICE + (load >= goal ? OVER_PRICE * (double)(load - goal + 1) : 0);
}

static int choose_above(struct loom_pair_hunt *s, uint32_t goal, uint32_t slack, struct loom_err *err)
{
	const struct loom_pair_freedom f = {.fine = LOOM_PAIR_HARD, .slack = slack, .most_slack = slack};
	struct loom_pair_state *state = &s->state;
	size_t n = 0;
	int rc = 0;
	for (size_t i = 0; i < s->n_pairs; i++)
		if (loom_pair_is_above(state, &state->way[s->pair[i]], goal))
			s->hot[n++] = s->pair[i];
	loom_rng_shuffle(s->hot, n, &state->rng);
	for (size_t i = 0; rc == 0 && i < n; i++)
		if (loom_pair_is_above(state, &state->way[s->hot[i]], goal))
			rc = choose(s, s->hot[i], &f, err);
	return rc;
}

// Evens out loads until the busiest link carries no more than the bound, at most `times` times.
static int even_out(struct loom_pair_hunt *s, uint32_t slack, unsigned times, struct loom_err *err)
{
	struct loom_pair_state *state = &s->state;
	int rc = 0;
	memset(state->toll, 0, state->net->n_links * sizeof *state->toll);
	for (unsigned time = 0; rc == 0 && time < times && s->best->largest_load > s->bound; time++) {
		const uint32_t goal = s->best->largest_load - 1;
		if (loom_pair_hunt_is_over(s))
			return 0;
		set_prices(state, goal);
		loom_pair_count_uses(state, 0, s->weight);
		rc = loom_pair_sift(state, 1, WANDER, err);
		if (rc == 0)
			rc = choose_above(s, goal, slack, err);
		for (uint32_t a = 0; a < state->net->n_links; a++)
			state->toll[a] += state->load[a] > goal ? TOLL * (state->load[a] - goal) : 0;
		if (rc == 0)
			rc = loom_pair_keep_if_better(s, err);
	}
	return rc;
}

// Finds routes by annealed places. *all: each pair has a route.
static int begin_by_places(struct loom_pair_hunt *s, uint32_t time, bool reaches_all, bool *all, struct loom_err *err)
{
	const struct loom_pair_state own = s->state;
	int rc = loom_pair_state_make(&s->state, own.net, own.n_lanes, s->options->seed + time + 1, err);
	if (rc != 0) {
		s->state = own;
		return rc;
	}
	for (size_t i = 0; i < s->n_pairs; i++)
		s->weight[s->pair[i]] = 1;
	rc = loom_pair_anneal(&s->state, reaches_all, err);
	if (rc == 0)
		rc = choose_first(s, all, err);
	if (rc == 0 && *all)
		rc = loom_pair_keep_if_better(s, err);
	if (rc == 0 && *all)
		rc = even_out(s, 0, TIMES, err);
	if (rc == 0 && *all)
		rc = even_out(s, SLACK, TIMES_WIDE, err);
	loom_pair_state_free(&s->state);
	s->state = own;
	return rc;
}

int loom_pair_polish(struct loom_pair_hunt *s, uint32_t time, struct loom_err *err)
{
	bool all = false;
	int rc = begin_by_places(s, time, false, &all, err);
	// On one lane a complete set of routes is rare. Trees by destination begin with the places of the rounds.
	if (rc == 0 && !all && s->state.n_lanes > 1 && !s->options->by_destination && !loom_pair_hunt_is_over(s))
		rc = begin_by_places(s, time, true, &all, err);
	return rc;
}
