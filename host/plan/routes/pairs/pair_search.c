// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The search for routes of all pairs. A round has three parts. In the first one every pair takes the cheapest way again and again, at
// prices that grow with load, and pays a fine for each turn that falls; after each time the places are sifted, so that what most pairs
// want rises. The fine grows until hardly any pair falls. In the second one those that still do look further afield. In the third one falls
// are forbidden: pairs on the busiest links choose again, while places move within what the routes allow. The best set is kept; the next
// round lowers the fine again, and now and then begins with other places.
#include "plan/routes/pairs/pair_search.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "plan/routes/pairs/pair_bound.h"
#include "plan/routes/pairs/pair_state.h"

#define FINE_FIRST 0.3 // of the first round
#define FINE_AGAIN 1.2 // of the others
#define FINE_LAST 30.0
#define HOP_PRICE 0.05
#define KEPT_USE 0.3    // of the uses counted the last time
#define WARM 0.93       // of the largest load: links that content pairs look at again
#define LAST_TIMES 100  // choices after which a round is given up
#define BOUND_TIMES 40u // prices tried for the bound that prices are made by

// The way to search, by how large the network is and how many lanes there are.
struct manner {
	unsigned soft, more, hard; // choices while the fine grows; with the last fine; without falls
	bool is_wide;              // ways may be a link longer than need be
	double wide_from;          // of the first part, when pairs that fall begin to look at longer ways
	double lazy;               // the share of content pairs that do not choose again
	unsigned fresh;            // rounds from one beginning to the next
	double gather[2];          // of even and odd rounds
};

static struct manner manner_of(const struct loom_pair_net *net, uint32_t n_lanes)
{
	const bool is_large = net->n_nodes > 128, is_huge = net->n_nodes > 512, is_single = n_lanes == 1;
	return (struct manner){.soft = is_huge    ? 8
	                               : is_large ? 20
	                                          : 40,
	                       .more = is_large    ? 0
	                               : is_single ? 30
	                                           : 10,
	                       .hard = is_huge ? 6 : 20,
	                       .is_wide = !is_large,
	                       .wide_from = is_large ? 0.6 : -1,
	                       .lazy = is_large ? 0.7 : 0,
	                       .fresh = is_single ? 3 : 8,
	                       .gather = {is_single ? 0.02 : 0.5, 0.1}};
}

// Rounds where nobody says how many: about the same work whatever the size.
static uint32_t default_rounds(const struct loom_pair_net *net)
{
	return net->n_nodes <= 16 ? 16 : net->n_nodes <= 64 ? 8 : net->n_nodes <= 128 ? 4 : 1;
}

struct search {
	const struct loom_pair_options *options;
	struct loom_pair_state state;
	struct manner manner;
	size_t n_pairs;
	uint32_t *pair, *hot; // owned: pairs in the order in which they choose; those on busy links
	float *weight;        // owned, of each pair: grows while it falls
	uint32_t bound;
	uint64_t least_hops; // of shortest routes
	struct timespec deadline;
	bool has_deadline;
	struct loom_pair_set *best; // the caller's
};

// --- Time ---------------------------------------------------------------------------------------------------------------

static bool is_over(const struct search *s)
{
	const struct loom_pair_options *o = s->options;
	struct timespec now;
	if (!s->best->found)
		return false;
	if (s->best->largest_load <= s->bound && s->best->hops == s->least_hops)
		return true;
	if (o->stopped && o->stopped(o->user))
		return true;
	if (!s->has_deadline)
		return false;
	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec > s->deadline.tv_sec ||
	       (now.tv_sec == s->deadline.tv_sec && now.tv_nsec >= s->deadline.tv_nsec);
}

static void set_deadline(struct search *s)
{
	const double seconds = s->options->budget_seconds;
	s->has_deadline = seconds > 0;
	(void)clock_gettime(CLOCK_MONOTONIC, &s->deadline);
	s->deadline.tv_sec += (time_t)seconds;
	s->deadline.tv_nsec += (long)((seconds - floor(seconds)) * 1e9);
	if (s->deadline.tv_nsec >= 1000000000) {
		s->deadline.tv_nsec -= 1000000000;
		s->deadline.tv_sec++;
	}
}

// --- Choices ------------------------------------------------------------------------------------------------------------

static void shuffle(uint32_t *list, size_t n, struct loom_rng *rng)
{
	for (size_t i = n; i-- > 1;) {
		const size_t k = (size_t)loom_rng_below(rng, i + 1);
		const uint32_t other = list[k];
		list[k] = list[i];
		list[i] = other;
	}
}

// The pairs' freedom in a choice.
struct freedom {
	double fine;
	uint32_t slack,
		most_slack; // links more than need be: of the first look; of the last one, if only falling ways are found
	double lazy;
};

static bool choose(struct loom_pair_way *out, struct search *s, uint32_t pair, const struct freedom *f)
{
	struct loom_pair_state *state = &s->state;
	const uint32_t n = state->net->n_nodes, source = pair / n, destination = pair % n;
	bool found = loom_pair_walk(out, state, source, destination, f->slack, f->fine);
	for (uint32_t slack = f->slack + 1;
	     slack <= f->most_slack && (!found || (f->fine >= 0 && loom_pair_falls(state, out))); slack++)
		found = loom_pair_walk(out, state, source, destination, slack, f->fine);
	return found || loom_pair_walk_far(out, state, source, destination);
}

// True if some link of the way carries more than `load`.
static bool is_above(const struct loom_pair_state *state, const struct loom_pair_way *way, double load)
{
	for (uint32_t k = 0; k < way->n; k++)
		if (state->load[way->link[k]] > load)
			return true;
	return false;
}

// The pairs of a list choose one after the other.
static int choose_all(struct search *s, const uint32_t *list, size_t n, const struct freedom *f, struct loom_err *err)
{
	struct loom_pair_state *state = &s->state;
	const double warm = WARM * loom_pair_largest_load(state);
	for (size_t i = 0; i < n; i++) {
		struct loom_pair_way *way = &state->way[list[i]], other;
		if (f->lazy > 0 && way->n && loom_rng_part(&state->rng) < f->lazy && !loom_pair_falls(state, way) &&
		    !is_above(state, way, warm))
			continue;
		loom_pair_lift(state, way);
		if (choose(&other, s, list[i], f) && loom_pair_way_take(way, &other, err) != 0)
			return LOOM_ENOMEM;
		loom_pair_lay(state, way);
	}
	return 0;
}

// Pairs without a rising way; those that fall late weigh more the next time.
static size_t count_falling(struct search *s, bool is_late)
{
	size_t n = 0;
	for (size_t i = 0; i < s->n_pairs; i++) {
		const struct loom_pair_way *way = &s->state.way[s->pair[i]];
		const bool is_falling = way->n == 0 || loom_pair_falls(&s->state, way);
		n += is_falling;
		s->weight[s->pair[i]] += is_falling && is_late ? 0.5f : 0;
	}
	return n;
}

// --- The best -----------------------------------------------------------------------------------------------------------

static int keep_if_better(struct search *s, struct loom_err *err)
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

// --- A round ------------------------------------------------------------------------------------------------------------

static int choose_softly(struct search *s, unsigned time, unsigned n_soft, double part, double fine,
                         struct loom_err *err)
{
	const struct manner *m = &s->manner;
	const bool looks_far = part > m->wide_from;
	const struct freedom f = {.fine = fine,
	                          .slack = looks_far && m->is_wide,
	                          .most_slack = !looks_far           ? 0
	                                        : time > n_soft + 20 ? 4
	                                                             : 2,
	                          .lazy = time > 2 ? m->lazy : 0};
	shuffle(s->pair, s->n_pairs, &s->state.rng);
	int rc = choose_all(s, s->pair, s->n_pairs, &f, err);
	loom_pair_count_uses(&s->state, time < n_soft ? KEPT_USE : 0, s->weight);
	return rc != 0 ? rc : loom_pair_sift(&s->state, 2, 0.2, err);
}

// Has the pairs that fall look for any rising way.
static int rescue(struct search *s, struct loom_err *err)
{
	const struct freedom f = {.fine = LOOM_PAIR_HARD, .slack = 0, .most_slack = 3};
	size_t n = 0;
	for (size_t i = 0; i < s->n_pairs; i++) {
		const struct loom_pair_way *way = &s->state.way[s->pair[i]];
		if (way->n == 0 || loom_pair_falls(&s->state, way))
			s->hot[n++] = s->pair[i];
	}
	return choose_all(s, s->hot, n, &f, err);
}

static int choose_hard(struct search *s, unsigned time, struct loom_err *err)
{
	struct loom_pair_state *state = &s->state;
	const struct freedom all = {.fine = LOOM_PAIR_HARD, .lazy = s->n_pairs > 20000 ? 0.7 : 0},
			     hot = {.fine = LOOM_PAIR_HARD, .slack = 2, .most_slack = 2};
	size_t n = 0;
	loom_pair_count_uses(state, 0, s->weight);
	int rc = loom_pair_sift(state, 1, 0.3, err);
	if (rc == 0 && time % 4 == 0) {
		shuffle(s->pair, s->n_pairs, &state->rng);
		rc = choose_all(s, s->pair, s->n_pairs, &all, err);
	}
	const double busy = (double)loom_pair_largest_load(state) - (time & 1) - 0.5;
	for (size_t i = 0; i < s->n_pairs; i++)
		if (is_above(state, &state->way[s->pair[i]], busy))
			s->hot[n++] = s->pair[i];
	shuffle(s->hot, n, &state->rng);
	return rc != 0 ? rc : choose_all(s, s->hot, n, &hot, err);
}

// The node with the shortest way to its farthest one, or after the first time any.
static int begin_anew(struct search *s, bool is_first, struct loom_err *err)
{
	const struct loom_pair_net *net = s->state.net;
	uint32_t root = 0, least = UINT32_MAX;
	for (uint32_t v = 0; v < net->n_nodes; v++) {
		uint32_t farthest = 0;
		for (uint32_t u = 0; u < net->n_nodes; u++)
			farthest = loom_pair_hops(net, u, v) > farthest ? loom_pair_hops(net, u, v) : farthest;
		if (farthest < least) {
			least = farthest;
			root = v;
		}
	}
	if (!is_first) {
		loom_pair_state_shuffle(&s->state);
		root = (uint32_t)loom_rng_below(&s->state.rng, net->n_nodes);
	}
	return loom_pair_plant(&s->state, root, err);
}

static int run_round(struct search *s, uint32_t round, struct loom_err *err)
{
	const struct manner *m = &s->manner;
	const bool is_new = round % m->fresh == 0;
	const unsigned n_soft = is_new ? m->soft : m->soft / 2;
	const double fine_first = is_new ? FINE_FIRST : FINE_AGAIN;
	unsigned n_hard = 0;
	size_t n_falling = 1;
	int rc = is_new ? begin_anew(s, round == 0, err) : 0;
	for (size_t i = 0; i < s->n_pairs; i++)
		s->weight[s->pair[i]] = 1;
	s->state.gather = m->gather[round & 1];
	for (unsigned time = 0; rc == 0 && time < n_soft + m->more + m->hard + LAST_TIMES && !is_over(s); time++) {
		const double part = time < n_soft ? (double)time / n_soft : 1,
			     fine = fine_first * pow(FINE_LAST / fine_first, part);
		const bool is_hard = time >= n_soft && n_falling == 0;
		if (is_hard && ++n_hard > m->hard)
			break;
		loom_pair_state_set_prices(&s->state, 4 + 16 * part + 2 * n_hard, s->bound, HOP_PRICE);
		if (is_hard) {
			rc = choose_hard(s, time, err);
		} else {
			rc = choose_softly(s, time, n_soft, part, fine, err);
			n_falling = count_falling(s, part > 0.7);
			if (rc == 0 && time >= n_soft + m->more && n_falling) {
				rc = rescue(s, err);
				n_falling = count_falling(s, false);
			}
		}
		if (rc == 0 && n_falling == 0)
			rc = keep_if_better(s, err);
	}
	return rc;
}

// --- The whole ----------------------------------------------------------------------------------------------------------

static int begin(struct search *s, const struct loom_pair_net *net, struct loom_err *err)
{
	const size_t n = net->n_nodes, n_all = n * n;
	s->manner = manner_of(net, s->options->n_lanes);
	s->pair = malloc((n_all + 1) * sizeof *s->pair);
	s->hot = malloc((n_all + 1) * sizeof *s->hot);
	s->weight = malloc((n_all + 1) * sizeof *s->weight);
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

int loom_pair_search(struct loom_pair_set *set, const struct loom_pair_net *net,
                     const struct loom_pair_options *options, struct loom_err *err)
{
	struct search s = {.options = options, .best = set};
	const uint32_t rounds = options->rounds               ? options->rounds
	                        : options->budget_seconds > 0 ? UINT32_MAX
	                                                      : default_rounds(net);
	int rc = begin(&s, net, err);
	for (uint32_t round = 0; rc == 0 && round < rounds && !is_over(&s); round++)
		rc = run_round(&s, round, err);
	free(s.pair);
	free(s.hot);
	free(s.weight);
	if (s.state.net)
		loom_pair_state_free(&s.state);
	return rc;
}
