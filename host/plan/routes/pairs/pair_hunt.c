// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Helpers that the parts of the search for routes of all pairs share.
#include "plan/routes/pairs/pair_hunt.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "plan/routes/pairs/pair_bound.h"

#define BOUND_TIMES 40u // sets of prices that are tried for the bound from which prices are made

// --- Time ------------------------------------------------------------------------------------------------------------

bool loom_pair_hunt_is_over(const struct loom_pair_hunt *s)
{
	const struct loom_pair_options *o = s->options;
	if (!s->best->found)
		return false;
	if (s->best->largest_load <= s->bound && s->best->hops == s->least_hops)
		return true;
	if (o->stopped && o->stopped(o->user))
		return true;
	return s->has_deadline && loom_clock_s() >= s->deadline_s;
}

static void set_deadline(struct loom_pair_hunt *s)
{
	const double seconds = s->options->budget_seconds;
	s->has_deadline = seconds > 0;
	s->deadline_s = loom_clock_s() + seconds;
}

// --- Choices ---------------------------------------------------------------------------------------------------------

bool loom_pair_choose(struct loom_pair_way *out, struct loom_pair_hunt *s, uint32_t pair,
                      const struct loom_pair_freedom *f)
{
	struct loom_pair_state *state = &s->state;
	const uint32_t n = state->net->n_nodes, source = pair / n, destination = pair % n;
	bool found = loom_pair_walk(out, state, source, destination, f->slack, f->fine);
	for (uint32_t slack = f->slack + 1;
	     slack <= f->most_slack && (!found || (f->fine >= 0 && loom_pair_falls(state, out))); slack++)
		found = loom_pair_walk(out, state, source, destination, slack, f->fine);
	return found || loom_pair_walk_far(out, state, source, destination);
}

bool loom_pair_is_above(const struct loom_pair_state *state, const struct loom_pair_way *way, double load)
{
	for (uint32_t k = 0; k < way->n; k++)
		if (state->load[way->link[k]] > load)
			return true;
	return false;
}

// --- The best --------------------------------------------------------------------------------------------------------

int loom_pair_keep_if_better(struct loom_pair_hunt *s, struct loom_err *err)
{
	const struct loom_pair_state *state = &s->state;
	const uint32_t load = loom_pair_largest_load(state);
	uint64_t hops = 0;
	for (uint32_t a = 0; a < state->net->n_links; a++)
		hops += state->load[a];
	struct loom_pair_set *best = s->best;
	if (best->found && (load > best->largest_load || (load == best->largest_load && hops >= best->hops)))
		return 0;
	const bool is_news = !best->found || load < best->largest_load;
	for (size_t i = 0; i < s->n_pairs; i++)
		if (loom_pair_way_take(&best->way[s->pair[i]], &state->way[s->pair[i]], err) != 0)
			return LOOM_ENOMEM;
	memcpy(best->place, state->place, (size_t)state->net->n_links * state->n_lanes * sizeof *best->place);
	best->found = true;
	best->largest_load = load;
	best->hops = hops;
	if (s->options->progress && is_news)
		s->options->progress(s->options->user, load);
	return 0;
}

// --- The whole -------------------------------------------------------------------------------------------------------

int loom_pair_hunt_make(struct loom_pair_hunt *s, struct loom_pair_set *best, const struct loom_pair_net *net,
                        const struct loom_pair_options *options, struct loom_err *err)
{
	const size_t n = net->n_nodes, n_all = n * n;
	*s = (struct loom_pair_hunt){.options = options, .best = best};
	s->pair = malloc(n_all * sizeof *s->pair);
	s->hot = malloc(n_all * sizeof *s->hot);
	s->weight = malloc(n_all * sizeof *s->weight);
	if (!s->pair || !s->hot || !s->weight)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for the routes of %zu pairs", n_all);
	for (size_t i = 0; i < n_all; i++) {
		s->weight[i] = 1;
		if (!loom_pair_is_wanted(net, i))
			continue;
		s->least_hops += net->hops[i % n * n + i / n];
		s->pair[s->n_pairs++] = (uint32_t)i;
	}
	set_deadline(s);
	int rc = loom_pair_state_make(&s->state, net, s->options->n_lanes, s->options->seed, err);
	return rc != 0 ? rc : loom_pair_bound_of_net(&s->bound, net, BOUND_TIMES, err);
}

void loom_pair_hunt_free(struct loom_pair_hunt *s)
{
	free(s->pair);
	free(s->hot);
	free(s->weight);
	if (s->state.net)
		loom_pair_state_free(&s->state);
}
