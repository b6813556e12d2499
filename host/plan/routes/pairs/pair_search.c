// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Searches for routes of all pairs. A round has three parts. In the first part, every pair repeatedly takes its
// cheapest way. Prices grow with load, and each turn that falls costs a fine. After each repetition the places are
// sifted, so that the turns that most pairs want rise. The fine grows until hardly any pair has a falling turn. In the
// second part, the pairs that still have one search among longer ways. In the third part, falls are forbidden: pairs on
// the busiest links choose again, while places move as far as the routes allow. The best set is kept. The next round
// lowers the fine again, and now and then begins with other places.
#include "plan/routes/pairs/pair_hunt.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "plan/routes/pairs/pair_search.h"

#define FINE_FIRST 0.3 // in the first round
#define FINE_AGAIN 1.2 // in the other rounds
#define FINE_LAST 30.0
#define HOP_PRICE 0.05
#define KEPT_USE 0.3      // share of the former uses that is kept
#define WARM 0.93         // part of the largest load above which content pairs choose again
#define POLISHED_MOST 128 // the most nodes of a network that is polished
#define POLISH_EVERY 8    // rounds
#define LAST_TIMES 100    // choices after which a round is abandoned

// The parameters of a search, by the network's size and its lanes.
struct manner {
	unsigned soft, more, hard; // choices while the fine grows; with the last fine; without falls
	bool is_wide;              // ways may be a link longer than necessary
	double wide_from;          // part of the first part after which pairs that fall look at longer ways
	double lazy;               // the share of content pairs that do not choose again
	unsigned fresh;            // rounds between two new beginnings
	double gather[2];          // in even and in odd rounds
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

// Returns the default number of rounds, which takes about the same work for any size.
static uint32_t default_rounds(const struct loom_pair_net *net)
{
	return net->n_nodes <= 16 ? 16 : net->n_nodes <= 64 ? 8 : net->n_nodes <= 128 ? 4 : 1;
}

// --- Choices ---------------------------------------------------------------------------------------------------------

// Lets the pairs of a list choose one after the other.
static int choose_all(struct loom_pair_hunt *s, const uint32_t *list, size_t n, const struct loom_pair_freedom *f,
                      struct loom_err *err)
{
	struct loom_pair_state *state = &s->state;
	const double warm = WARM * loom_pair_largest_load(state);
	for (size_t i = 0; i < n; i++) {
		struct loom_pair_way *way = &state->way[list[i]], other;
		if (f->lazy > 0 && way->n && loom_rng_part(&state->rng) < f->lazy && !loom_pair_falls(state, way) &&
		    !loom_pair_is_above(state, way, warm))
			continue;
		loom_pair_lift(state, way);
		if (loom_pair_choose(&other, s, list[i], f) && loom_pair_way_take(way, &other, err) != 0)
			return LOOM_ENOMEM;
		loom_pair_lay(state, way);
	}
	return 0;
}

// Counts the pairs without a rising way. Those that fall late weigh more the next time.
static size_t count_falling(struct loom_pair_hunt *s, bool is_late)
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

// --- A round ---------------------------------------------------------------------------------------------------------

static int choose_softly(struct loom_pair_hunt *s, const struct manner *m, unsigned time, unsigned n_soft, double part,
                         double fine, struct loom_err *err)
{
	const bool looks_far = part > m->wide_from;
	const struct loom_pair_freedom f = {.fine = fine,
	                                    .slack = looks_far && m->is_wide,
	                                    .most_slack = !looks_far           ? 0
	                                                  : time > n_soft + 20 ? 4
	                                                                       : 2,
	                                    .lazy = time > 2 ? m->lazy : 0};
	loom_rng_shuffle(s->pair, s->n_pairs, &s->state.rng);
	int rc = choose_all(s, s->pair, s->n_pairs, &f, err);
	loom_pair_count_uses(&s->state, time < n_soft ? KEPT_USE : 0, s->weight);
	return rc != 0 ? rc : loom_pair_sift(&s->state, 2, 0.2, err);
}

// Makes the pairs that fall look for any rising way.
static int rescue(struct loom_pair_hunt *s, struct loom_err *err)
{
	const struct loom_pair_freedom f = {.fine = LOOM_PAIR_HARD, .slack = 0, .most_slack = 3};
	size_t n = 0;
	for (size_t i = 0; i < s->n_pairs; i++) {
		const struct loom_pair_way *way = &s->state.way[s->pair[i]];
		if (way->n == 0 || loom_pair_falls(&s->state, way))
			s->hot[n++] = s->pair[i];
	}
	return choose_all(s, s->hot, n, &f, err);
}

static int choose_hard(struct loom_pair_hunt *s, unsigned time, struct loom_err *err)
{
	struct loom_pair_state *state = &s->state;
	const struct loom_pair_freedom all = {.fine = LOOM_PAIR_HARD, .lazy = s->n_pairs > 20000 ? 0.7 : 0},
				       hot = {.fine = LOOM_PAIR_HARD, .slack = 2, .most_slack = 2};
	size_t n = 0;
	loom_pair_count_uses(state, 0, s->weight);
	int rc = loom_pair_sift(state, 1, 0.3, err);
	if (rc == 0 && time % 4 == 0) {
		loom_rng_shuffle(s->pair, s->n_pairs, &state->rng);
		rc = choose_all(s, s->pair, s->n_pairs, &all, err);
	}
	const double busy = (double)loom_pair_largest_load(state) - (time & 1) - 0.5;
	for (size_t i = 0; i < s->n_pairs; i++)
		if (loom_pair_is_above(state, &state->way[s->pair[i]], busy))
			s->hot[n++] = s->pair[i];
	loom_rng_shuffle(s->hot, n, &state->rng);
	return rc != 0 ? rc : choose_all(s, s->hot, n, &hot, err);
}

// Begins again with a tree. The first root is the node whose farthest node is nearest; later roots are random.
static int begin_anew(struct loom_pair_hunt *s, bool is_first, struct loom_err *err)
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

static int run_round(struct loom_pair_hunt *s, const struct manner *m, uint32_t round, struct loom_err *err)
{
	const bool is_new = round % m->fresh == 0;
	const unsigned n_soft = is_new ? m->soft : m->soft / 2;
	const double fine_first = is_new ? FINE_FIRST : FINE_AGAIN;
	unsigned n_hard = 0;
	size_t n_falling = 1;
	int rc = is_new ? begin_anew(s, round == 0, err) : 0;
	for (size_t i = 0; i < s->n_pairs; i++)
		s->weight[s->pair[i]] = 1;
	s->state.gather = m->gather[round & 1];
	for (unsigned time = 0; rc == 0 && time < n_soft + m->more + m->hard + LAST_TIMES && !loom_pair_hunt_is_over(s);
	     time++) {
		const double part = time < n_soft ? (double)time / n_soft : 1,
			     fine = fine_first * pow(FINE_LAST / fine_first, part);
		const bool is_hard = time >= n_soft && n_falling == 0;
		if (is_hard && ++n_hard > m->hard)
			break;
		loom_pair_state_set_prices(&s->state, 4 + 16 * part + 2 * n_hard, s->bound, HOP_PRICE);
		if (is_hard) {
			rc = choose_hard(s, time, err);
		} else {
			rc = choose_softly(s, m, time, n_soft, part, fine, err);
			n_falling = count_falling(s, part > 0.7);
			if (rc == 0 && time >= n_soft + m->more && n_falling) {
				rc = rescue(s, err);
				n_falling = count_falling(s, false);
			}
		}
		if (rc == 0 && n_falling == 0)
			rc = loom_pair_keep_if_better(s, err);
	}
	return rc;
}

// --- The whole -------------------------------------------------------------------------------------------------------

int loom_pair_search(struct loom_pair_set *set, const struct loom_pair_net *net,
                     const struct loom_pair_options *options, struct loom_err *err)
{
	struct loom_pair_hunt s;
	const struct manner manner = manner_of(net, options->n_lanes);
	const uint32_t rounds = options->rounds               ? options->rounds
	                        : options->budget_seconds > 0 ? UINT32_MAX
	                                                      : default_rounds(net);
	int rc = loom_pair_hunt_make(&s, set, net, options, err);
	for (uint32_t round = 0; rc == 0 && round < rounds && !loom_pair_hunt_is_over(&s); round++) {
		if (net->n_nodes <= POLISHED_MOST && round % POLISH_EVERY == 0)
			rc = loom_pair_polish(&s, round, err);
		if (rc == 0 && !loom_pair_hunt_is_over(&s))
			rc = run_round(&s, &manner, round, err);
	}
	loom_pair_hunt_free(&s);
	return rc;
}
