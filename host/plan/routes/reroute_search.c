// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Negotiated rip-up and re-route [McMurchie95]. A link may carry `limit`. Messages on links that carry more choose
// again, one after the other, the route of least cost. A link above the limit costs more at once, and a part of this
// rise stays. So messages that have another route leave the link to those that have none. The limit falls towards the
// lower bound as long as the search succeeds.
#include "plan/routes/reroute_search.h"

#include <stdlib.h>
#include <string.h>

#include "plan/routes/routes_internal.h"

#define STEPS_OF_CHOICE 16            // the least steps that a choice costs
#define PATIENCE 400                  // sweeps at a limit before the search tries another one
#define PAST_FIRST 64                 // the first price of each link
#define PAST_MOST (UINT64_C(1) << 28) // 2^28 times an excess of 2^20, over 2^11 links, still fits 64 bits
#define POLISH_SWEEPS 100

#define HOP_COST (UINT64_C(1) << 33) // price of a hop while loads are polished: more than all loads of a route's links

static uint64_t cost_of(const struct loom_reroute *s, uint32_t c, uint64_t w)
{
	uint64_t with = s->load[c] + w;
	if (s->by_square)
		return with > s->limit ? UINT64_C(1) << 50
		                       : (s->load[c] + with) / s->unit + 1 + (s->region.detours ? HOP_COST : 0);
	return with > s->limit ? s->past[c] * (1 + s->pressure * ((with - s->limit + s->unit - 1) / s->unit))
	                       : s->past[c];
}

static void set_load(struct loom_reroute *s, uint32_t c, uint64_t load)
{
	s->load[c] = load;
	if (s->weight)
		s->cost[c] = cost_of(s, c, s->weight);
}

static void set_all_costs(struct loom_reroute *s)
{
	for (uint32_t c = 0; s->weight && c < s->n_channels; c++)
		s->cost[c] = cost_of(s, c, s->weight);
}

struct pricing {
	struct loom_reroute *search;
	uint64_t w;
};

static void set_cost(void *user, uint32_t channel)
{
	const struct pricing *p = user;
	p->search->cost[channel] = cost_of(p->search, channel, p->w);
}

// Sets the costs in the region, if messages differ in weight: the cost of a link then depends on the message.
static void set_costs_of_region(struct loom_reroute *s, uint64_t w)
{
	if (s->weight == 0)
		loom_region_visit(&s->region, set_cost, &(struct pricing){s, w});
}

// Adds w (modulo 2^64) to the loads of a route's links.
static void add_load(struct loom_reroute *s, size_t i, uint64_t w)
{
	const uint32_t *channel = s->channel + s->first[i];
	for (uint32_t k = 0; k < s->length[i]; k++)
		set_load(s, channel[k], s->load[channel[k]] + w);
}

// Replaces the message's route by the cheapest one. Returns false if the budget is used up; the route is complete then,
// too.
static bool choose_again(struct loom_reroute *s, size_t i)
{
	const struct loom_message *m = &s->messages[i];
	uint64_t w = loom_routes_weight(m, s->options->load), least = UINT64_MAX;
	uint32_t *channel = s->channel + s->first[i];
	uint32_t ties = loom_region_ties(&s->region, m), ways = ties, best_ways = 0;
	uint64_t links = 0, salt = loom_rng_next(&s->rng);
	add_load(s, i, -w);
	do {
		loom_region_set(&s->region, m, ways);
		set_costs_of_region(s, w);
		links += loom_region_links(&s->region);
		uint64_t cost = loom_region_least_sum(ties ? NULL : channel, &s->length[i], &s->region, s->cost, salt);
		if (cost < least) {
			least = cost;
			best_ways = ways;
		}
		ways = (ways - 1) & ties;
	} while (ways != ties);
	if (ties) {
		loom_region_set(&s->region, m, best_ways);
		(void)loom_region_least_sum(channel, &s->length[i], &s->region, s->cost, salt);
	}
	add_load(s, i, w);
	return loom_budget_spend(s->budget, links + 3 * s->length[i] + STEPS_OF_CHOICE);
}

static bool is_over(const struct loom_reroute *s, size_t i)
{
	for (uint32_t k = 0; k < s->length[i]; k++)
		if (s->load[s->channel[s->first[i] + k]] > s->limit)
			return true;
	return false;
}

static uint64_t largest_load(const struct loom_reroute *s)
{
	uint64_t most = 0;
	for (uint32_t c = 0; c < s->n_channels; c++)
		most = s->load[c] > most ? s->load[c] : most;
	return most;
}

// Reports the figures if they have changed.
void loom_reroute_tell(const struct loom_reroute *s, uint64_t lower_bound)
{
	struct loom_reroute_told *told = s->told;
	bool is_news = s->contention < told->contention || lower_bound > told->lower_bound;
	if (lower_bound > told->lower_bound)
		told->lower_bound = lower_bound;
	if (s->contention < told->contention)
		told->contention = s->contention;
	if (is_news && s->options->progress)
		s->options->progress(s->options->user, told->contention, told->lower_bound);
}

static void keep_best(struct loom_reroute *s)
{
	uint64_t most = largest_load(s);
	memcpy(s->best_channel, s->channel, s->first[s->n] * sizeof *s->channel);
	memcpy(s->best_length, s->length, s->n * sizeof *s->length);
	if (most < s->contention) {
		s->contention = most;
		loom_reroute_tell(s, 0);
	}
}

static void go_back_to_best(struct loom_reroute *s)
{
	memcpy(s->channel, s->best_channel, s->first[s->n] * sizeof *s->channel);
	memcpy(s->length, s->best_length, s->n * sizeof *s->length);
	memset(s->load, 0, s->n_channels * sizeof *s->load);
	for (size_t i = 0; i < s->n; i++)
		for (uint32_t k = 0; k < s->length[i]; k++)
			s->load[s->channel[s->first[i] + k]] += loom_routes_weight(&s->messages[i], s->options->load);
}

// Raises the prices of links above the limit.
static void remember(struct loom_reroute *s)
{
	uint64_t most = 0;
	for (uint32_t c = 0; c < s->n_channels; c++) {
		if (s->load[c] > s->limit)
			s->past[c] += PAST_FIRST / 4 * ((s->load[c] - s->limit + s->unit - 1) / s->unit);
		most = s->past[c] > most ? s->past[c] : most;
	}
	for (uint32_t c = 0; most > PAST_MOST && c < s->n_channels; c++)
		s->past[c] = s->past[c] / 2 + 1;
}

enum outcome { REACHED, NOT_REACHED, USED_UP };

static enum outcome negotiate(struct loom_reroute *s, uint64_t limit, unsigned patience)
{
	s->limit = limit;
	s->pressure = 1;
	s->by_square = false;
	go_back_to_best(s);
	for (uint32_t c = 0; c < s->n_channels; c++)
		s->past[c] = PAST_FIRST;
	for (unsigned sweep = 0; sweep < patience; sweep++) {
		set_all_costs(s);
		loom_rng_shuffle(s->order, s->n, &s->rng);
		for (size_t k = 0; k < s->n; k++)
			if ((sweep == 0 || is_over(s, s->order[k])) && !choose_again(s, s->order[k]))
				return USED_UP;
		if (largest_load(s) <= limit) {
			keep_best(s);
			return REACHED;
		}
		if (!loom_budget_spend(s->budget, s->n_channels + s->first[s->n]))
			return USED_UP;
		remember(s);
	}
	return NOT_REACHED;
}

// Tries the limit half-way between the bound and the best load, as long as there is one. Then tries one less than the
// best load until the budget is used up.
void loom_reroute_lower(struct loom_reroute *s)
{
	uint64_t low = s->lower_bound;
	enum outcome outcome = REACHED;
	unsigned patience = PATIENCE;
	while (low < s->contention && outcome != USED_UP) {
		uint64_t limit = low + (s->contention - low) / 2;
		outcome = negotiate(s, limit, patience);
		if (outcome == NOT_REACHED)
			low = limit + 1;
	}
	while (s->lower_bound < s->contention && outcome != USED_UP) {
		patience *= 2;
		outcome = negotiate(s, s->contention - 1, patience);
	}
}

// Evens out all other loads, without raising the largest one. It lowers the sum of the squares of the loads until no
// single message can lower it. If detours are allowed, fewer detours come first.
void loom_reroute_polish(struct loom_reroute *s)
{
	bool goes_on = true, falls = true;
	s->limit = s->contention;
	s->by_square = true;
	go_back_to_best(s);
	set_all_costs(s);
	uint64_t last = UINT64_MAX;
	for (unsigned sweep = 0; goes_on && falls && sweep < POLISH_SWEEPS; sweep++) {
		uint64_t sum = 0;
		for (size_t i = 0; goes_on && i < s->n; i++) {
			goes_on = choose_again(s, i);
			sum += s->region.detours ? s->length[i] * HOP_COST : 0;
		}
		for (uint32_t c = 0; c < s->n_channels; c++)
			sum += s->load[c] / s->unit * (s->load[c] / s->unit);
		falls = sum < last;
		last = sum;
	}
	if (largest_load(s) <= s->contention)
		keep_best(s);
}

static void weigh(struct loom_reroute *s)
{
	uint64_t sum = 0;
	s->weight = s->n ? loom_routes_weight(&s->messages[0], s->options->load) : 1;
	for (size_t i = 0; i < s->n; i++) {
		uint64_t w = loom_routes_weight(&s->messages[i], s->options->load);
		sum += w;
		s->weight = w == s->weight ? w : 0;
	}
	s->unit = s->n && sum / s->n ? sum / s->n : 1;
}

int loom_reroute_begin(struct loom_reroute *s, const struct loom_routes *routes, uint32_t detours, struct loom_err *err)
{
	struct loom_routes room = {0};
	int rc = loom_region_init(&s->region, s->topo, s->messages, s->n, detours, err);
	if (rc == 0)
		rc = loom_routes_make_room(&room, &s->region, s->messages, s->n, err);
	if (rc != 0)
		return rc;
	s->first = room.first;
	s->channel = room.channel;
	s->best_channel = malloc((s->first[s->n] + 1) * sizeof *s->best_channel);
	LOOM_ARRAY(&s->arrays, s->length, s->n + 1);
	LOOM_ARRAY(&s->arrays, s->best_length, s->n + 1);
	LOOM_ARRAY(&s->arrays, s->load, s->n_channels);
	LOOM_ARRAY(&s->arrays, s->past, s->n_channels);
	LOOM_ARRAY(&s->arrays, s->cost, s->n_channels);
	LOOM_ARRAY(&s->arrays, s->order, s->n + 1);
	if (!s->best_channel || s->arrays.is_short)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for the routes of %zu messages", s->n);
	for (size_t i = 0; i < s->n; i++) {
		s->order[i] = (uint32_t)i;
		s->best_length[i] = (uint32_t)(routes->first[i + 1] - routes->first[i]);
		memcpy(s->best_channel + s->first[i], routes->channel + routes->first[i],
		       s->best_length[i] * sizeof *routes->channel);
	}
	loom_rng_init(&s->rng, s->options->seed);
	weigh(s);
	go_back_to_best(s);
	s->contention = UINT64_MAX;
	keep_best(s);
	return 0;
}

void loom_reroute_end(struct loom_reroute *s)
{
	loom_region_free(&s->region);
	free(s->first);
	free(s->channel);
	free(s->best_channel);
	loom_arrays_free(&s->arrays);
}

void loom_reroute_hand_over(struct loom_routes *out, struct loom_reroute *s)
{
	size_t used = 0;
	for (size_t i = 0; i < s->n; i++) {
		size_t from = s->first[i];
		s->first[i] = used;
		memmove(s->best_channel + used, s->best_channel + from, s->best_length[i] * sizeof *s->best_channel);
		used += s->best_length[i];
	}
	s->first[s->n] = used;
	loom_routes_free(out);
	*out = (struct loom_routes){.n = s->n, .first = s->first, .channel = s->best_channel};
	s->first = NULL;
	s->best_channel = NULL;
}
