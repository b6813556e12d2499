// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Negotiated rip-up and re-route [McMurchie95]: a link may carry `limit`. Messages on links that carry more choose again, one
// after the other, the route of least cost; what is above the limit makes a link dear now, and has made it dear for good by a
// little each time. So messages that have another way learn to leave a link to those that have none. The limit is lowered
// towards the lower bound as long as there is success.
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "plan/planners/budget.h"
#include "plan/routes/box.h"
#include "plan/routes/prices.h"
#include "plan/routes/routes_internal.h"

#define STEPS 1000000000u  // of the search, links looked at, if there is no budget
#define STEPS_OF_CHOICE 16 // what choosing takes however few links there are
#define BLOCK_LINKS                                                                                                    \
	1000000000u   // of all messages' boxes: where there are more, BLOCK is not what the search begins with
#define BOUND_SHARE 3 // the part of the budget that the bound may use
#define PATIENCE 400  // sweeps at a limit before another one is tried
#define PAST_FIRST 64 // what a link costs that nobody wanted too much yet
#define PAST_MOST (UINT64_C(1) << 28) // times 2^20 too many, over 2^11 links, is still a number of 64 bits
#define POLISH_SWEEPS 100

struct search {
	const struct loom_topo *topo;
	const struct loom_message *messages;
	const struct loom_routes_options *options;
	struct loom_budget *budget;
	struct loom_rng rng;
	struct loom_box box;
	struct loom_box_search of_box;
	uint32_t n_channels;
	struct loom_routes routes; // being changed
	struct loom_routes best;
	uint64_t contention; // of the best
	uint64_t lower_bound;
	uint64_t limit;
	uint64_t
		weight; // of all messages; 0: they differ, and `cost` is right for the last one looked at, in its box only
	uint64_t unit;     // what counts as one too many: the mean weight
	uint64_t pressure; // how much dearer each one too many makes a link
	bool by_square; // the cost is by how much the sum of the squares would grow, and no link may have more than the limit
	uint64_t *load; // of each channel
	uint64_t *past; // its cost by what it was
	uint64_t *cost;
	uint32_t *order;
};

static uint64_t cost_of(const struct search *s, uint32_t c, uint64_t w)
{
	uint64_t with = s->load[c] + w;
	if (s->by_square)
		return with > s->limit ? UINT64_C(1) << 50 : (s->load[c] + with) / s->unit + 1;
	return with > s->limit ? s->past[c] * (1 + s->pressure * ((with - s->limit + s->unit - 1) / s->unit))
	                       : s->past[c];
}

static void set_load(struct search *s, uint32_t c, uint64_t load)
{
	s->load[c] = load;
	if (s->weight)
		s->cost[c] = cost_of(s, c, s->weight);
}

static void set_all_costs(struct search *s)
{
	for (uint32_t c = 0; s->weight && c < s->n_channels; c++)
		s->cost[c] = cost_of(s, c, s->weight);
}

// Where messages differ in weight, a link's cost is another one for each.
static void set_costs_of_box(struct search *s, uint64_t w)
{
	const struct loom_box *box = &s->box;
	struct loom_box_row row;
	if (s->weight || box->n_axes == 0)
		return;
	loom_box_last_row(&row, box);
	do
		for (uint32_t k = 0; k <= box->steps[0]; k++) {
			uint32_t base = (row.node + box->offset[0][k]) * box->per_tile;
			if (k < box->steps[0])
				s->cost[base + box->link[0]] = cost_of(s, base + box->link[0], w);
			for (unsigned i = 0; i < row.n_on; i++)
				s->cost[base + box->link[row.on[i]]] = cost_of(s, base + box->link[row.on[i]], w);
		}
	while (loom_box_row_before(&row));
}

// Takes the message's route away and gives it the cheapest one. False: the budget is used up, the route is complete.
static bool choose_again(struct search *s, size_t i)
{
	const struct loom_message *m = &s->messages[i];
	uint64_t w = loom_routes_weight(m, s->options->load), least = UINT64_MAX;
	uint32_t *channel = s->routes.channel + s->routes.first[i];
	size_t n_hops = s->routes.first[i + 1] - s->routes.first[i];
	uint32_t ties = loom_box_ties(s->topo, m->source, m->destination), ways = ties, best_ways = 0;
	uint64_t links = 0, salt = loom_rng_next(&s->rng);
	for (size_t k = 0; k < n_hops; k++)
		set_load(s, channel[k], s->load[channel[k]] - w);
	do {
		loom_box_set(&s->box, m->source, m->destination, ways);
		set_costs_of_box(s, w);
		links += loom_box_links(&s->box);
		uint64_t cost = loom_box_least_sum(ties ? NULL : channel, &s->box, s->cost, salt, &s->of_box);
		if (cost < least) {
			least = cost;
			best_ways = ways;
		}
		ways = (ways - 1) & ties;
	} while (ways != ties);
	if (ties) {
		loom_box_set(&s->box, m->source, m->destination, best_ways);
		(void)loom_box_least_sum(channel, &s->box, s->cost, salt, &s->of_box);
	}
	for (size_t k = 0; k < n_hops; k++)
		set_load(s, channel[k], s->load[channel[k]] + w);
	return loom_budget_spend(s->budget, links + 3 * n_hops + STEPS_OF_CHOICE);
}

static bool is_over(const struct search *s, size_t i)
{
	for (size_t k = s->routes.first[i]; k < s->routes.first[i + 1]; k++)
		if (s->load[s->routes.channel[k]] > s->limit)
			return true;
	return false;
}

static void shuffle(struct search *s)
{
	for (size_t i = s->routes.n; i > 1; i--) {
		size_t k = (size_t)loom_rng_below(&s->rng, i);
		uint32_t other = s->order[k];
		s->order[k] = s->order[i - 1];
		s->order[i - 1] = other;
	}
}

static uint64_t largest_load(const struct search *s)
{
	uint64_t most = 0;
	for (uint32_t c = 0; c < s->n_channels; c++)
		most = s->load[c] > most ? s->load[c] : most;
	return most;
}

static void tell(const struct search *s)
{
	if (s->options->progress)
		s->options->progress(s->options->user, s->contention, s->lower_bound);
}

static void keep_best(struct search *s)
{
	uint64_t most = largest_load(s);
	memcpy(s->best.channel, s->routes.channel, s->routes.first[s->routes.n] * sizeof *s->best.channel);
	if (most < s->contention) {
		s->contention = most;
		tell(s);
	}
}

static void go_back_to_best(struct search *s)
{
	memcpy(s->routes.channel, s->best.channel, s->routes.first[s->routes.n] * sizeof *s->best.channel);
	loom_routes_loads(s->load, &s->routes, s->topo, s->messages, s->options->load);
}

// What was wanted too much becomes dearer.
static void remember(struct search *s)
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

static enum outcome negotiate(struct search *s, uint64_t limit, unsigned patience)
{
	s->limit = limit;
	s->pressure = 1;
	s->by_square = false;
	go_back_to_best(s);
	for (uint32_t c = 0; c < s->n_channels; c++)
		s->past[c] = PAST_FIRST;
	for (unsigned sweep = 0; sweep < patience; sweep++) {
		set_all_costs(s);
		shuffle(s);
		for (size_t k = 0; k < s->routes.n; k++)
			if ((sweep == 0 || is_over(s, s->order[k])) && !choose_again(s, s->order[k]))
				return USED_UP;
		if (largest_load(s) <= limit) {
			keep_best(s);
			return REACHED;
		}
		if (!loom_budget_spend(s->budget, s->n_channels + s->routes.first[s->routes.n]))
			return USED_UP;
		remember(s);
	}
	return NOT_REACHED;
}

// Halves what lies between the bound and the best while that succeeds, then tries the next lower limit until the budget is
// used up.
static void lower(struct search *s)
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

// With the largest load as it is, everything else as even as it gets: the sum of the squares of the loads falls until no
// message alone can lower it.
static void polish(struct search *s)
{
	bool goes_on = true, falls = true;
	s->limit = s->contention;
	s->by_square = true;
	go_back_to_best(s);
	set_all_costs(s);
	uint64_t last = UINT64_MAX;
	for (unsigned sweep = 0; goes_on && falls && sweep < POLISH_SWEEPS; sweep++) {
		uint64_t sum = 0;
		for (size_t i = 0; goes_on && i < s->routes.n; i++)
			goes_on = choose_again(s, i);
		for (uint32_t c = 0; c < s->n_channels; c++)
			sum += s->load[c] / s->unit * (s->load[c] / s->unit);
		falls = sum < last;
		last = sum;
	}
	if (largest_load(s) <= s->contention)
		keep_best(s);
}

static void weigh(struct search *s)
{
	uint64_t sum = 0;
	s->weight = s->routes.n ? loom_routes_weight(&s->messages[0], s->options->load) : 1;
	for (size_t i = 0; i < s->routes.n; i++) {
		uint64_t w = loom_routes_weight(&s->messages[i], s->options->load);
		sum += w;
		s->weight = w == s->weight ? w : 0;
	}
	s->unit = s->routes.n && sum / s->routes.n ? sum / s->routes.n : 1;
}

// BLOCK's routes; where these alone would take too long, dimension order's.
static int first_routes(struct search *s, size_t n, struct loom_err *err)
{
	uint64_t links = 0;
	for (size_t i = 0; i < n && links <= BLOCK_LINKS; i++) {
		loom_box_set(&s->box, s->messages[i].source, s->messages[i].destination, 0);
		links += loom_box_links(&s->box);
	}
	return links > BLOCK_LINKS ? loom_routes_in_order(&s->routes, s->topo, s->messages, n, LOOM_RULE_ASCENDING, err)
	                           : loom_routes_block(&s->routes, s->topo, s->messages, n, s->options->load, err);
}

static int begin(struct search *s, size_t n, struct loom_err *err)
{
	int rc = loom_routes_check_messages(s->topo, s->messages, n, err);
	if (rc == 0)
		rc = loom_box_init(&s->box, s->topo, err);
	if (rc == 0)
		rc = first_routes(s, n, err);
	if (rc == 0)
		rc = loom_routes_make_room(&s->best, s->topo, s->messages, n, err);
	if (rc == 0)
		rc = loom_box_search_init(&s->of_box, s->topo, err);
	if (rc != 0)
		return rc;
	s->load = calloc(s->n_channels, sizeof *s->load);
	s->past = calloc(s->n_channels, sizeof *s->past);
	s->cost = calloc(s->n_channels, sizeof *s->cost);
	s->order = malloc((n + 1) * sizeof *s->order);
	if (!s->load || !s->past || !s->cost || !s->order)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for the routes of %zu messages", n);
	for (size_t i = 0; i < n; i++)
		s->order[i] = (uint32_t)i;
	loom_rng_init(&s->rng, s->options->seed);
	loom_routes_loads(s->load, &s->routes, s->topo, s->messages, s->options->load);
	s->contention = UINT64_MAX;
	keep_best(s);
	weigh(s);
	return 0;
}

static int bound(struct search *s, size_t n, struct loom_err *err)
{
	struct loom_budget share = loom_budget_share(s->budget, BOUND_SHARE), before = share;
	int rc = loom_prices_bound(&s->lower_bound, NULL, s->topo, s->messages, n, s->options->load, s->contention,
	                           &share, err);
	loom_budget_give_back(s->budget, &before, &share);
	if (rc == 0)
		tell(s);
	return rc;
}

int loom_routes_reroute(struct loom_routes *out, struct loom_routes_found *found, const struct loom_topo *topo,
                        const struct loom_message *messages, size_t n, const struct loom_routes_options *options,
                        struct loom_err *err)
{
	const struct loom_plan_options by = {
		.budget_seconds = options->budget_seconds, .stopped = options->stopped, .user = options->user};
	struct loom_budget budget;
	struct search s = {.topo = topo,
	                   .messages = messages,
	                   .options = options,
	                   .budget = &budget,
	                   .n_channels = loom_topo_channels(topo)};
	loom_budget_begin(&budget, &by, STEPS);
	int rc = begin(&s, n, err);
	if (rc == 0)
		rc = bound(&s, n, err);
	if (rc == 0) {
		lower(&s);
		polish(&s);
		if (found)
			*found = (struct loom_routes_found){s.contention, s.lower_bound};
		*out = s.best;
		s.best = (struct loom_routes){0};
	}
	loom_routes_free(&s.routes);
	loom_routes_free(&s.best);
	loom_box_free(&s.box);
	loom_box_search_free(&s.of_box);
	free(s.load);
	free(s.past);
	free(s.cost);
	free(s.order);
	return rc;
}
