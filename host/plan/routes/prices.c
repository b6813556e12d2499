// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes the lower bound of linear programming duality. Each link gets a price. Any set of routes costs at least the
// sum of the cheapest ways of all messages. It costs at most the largest load times the sum of all prices. So the first
// sum divided by the second is a lower bound of the largest load, for any prices. Good prices are found by
// multiplicative weights [Garg07]: message after message goes the cheapest way, and each link on it becomes dearer by a
// part of its price. A price never falls. So the payments of a round are at most those at the prices of its end, and
// each round gives a bound without another search. The messages of many rounds, taken as fractions, form split routes.
// Their largest load says how far the bound can rise.
#include "plan/routes/prices.h"

#include <string.h>

#include "base/arrays.h"
#include "plan/routes/region.h"
#include "plan/routes/routes_internal.h"

#define STEPS 1000000000u      // budget of the search if none is given, in links that are examined
#define LINKS_MOST 3000000000u // links of all messages' routes above which only the busiest cut is used
#define FIRST_PRICE (UINT64_C(1) << 20)
#define PRICE_MOST (UINT64_C(1) << 40) // above it all prices are scaled down
#define PROOF_MOST (UINT64_C(1) << 31) // the largest price that is handed out
#define ROUNDS_PER_STEP 48
#define FIRST_STEP 0.5
#define LAST_STEP 0.002

__extension__ typedef unsigned __int128 wide;

struct market {
	struct loom_demand demand;
	struct loom_region region;
	struct loom_budget *budget;
	uint32_t n_channels;
	uint64_t *price;           // of each channel; 0: no message can use it
	uint64_t *best;            // the prices of the best bound so far
	uint64_t *flow;            // load of each channel, summed over all rounds since the last change of the step
	double *average;           // mean price in these rounds; the prices of each round are scaled to the sum 1
	uint32_t *channel;         // a route
	uint32_t rounds;           // the number of these rounds
	uint64_t sum;              // of all prices
	double quotient;           // the best bound as a quotient
	uint64_t bound;            // the best bound, rounded up
	uint64_t ceiling;          // no bound is larger
	struct loom_arrays arrays; // owns the arrays
};

static int market_init(struct market *m, struct loom_err *err)
{
	size_t n = m->n_channels;
	LOOM_ARRAY(&m->arrays, m->price, n);
	LOOM_ARRAY(&m->arrays, m->best, n);
	LOOM_ARRAY(&m->arrays, m->flow, n);
	LOOM_ARRAY(&m->arrays, m->average, n);
	LOOM_ARRAY(&m->arrays, m->channel, (size_t)m->demand.topo->n_nodes + m->demand.detours + 1);
	if (m->arrays.is_short)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for a bound on %s", m->demand.topo->name);
	return loom_region_init(&m->region, m->demand.topo, m->demand.messages, m->demand.n, m->demand.detours, err);
}

static void market_free(struct market *m)
{
	loom_arrays_free(&m->arrays);
	loom_region_free(&m->region);
}

// Finds the bounds that need no prices. A link carries each message as a whole, and a cut carries all messages that
// cross it. Leaves the prices of the busiest cut in `flow`.
static int look_at_cuts(struct market *m, struct loom_err *err)
{
	uint64_t of_cut = 0;
	for (size_t i = 0; i < m->demand.n; i++) {
		uint64_t w = loom_routes_weight(&m->demand.messages[i], m->demand.load);
		if (m->demand.messages[i].source != m->demand.messages[i].destination && w > m->bound)
			m->bound = w;
	}
	int rc = loom_cuts_price(&of_cut, m->flow, &m->demand, err);
	m->bound = of_cut > m->bound ? of_cut : m->bound;
	return rc;
}

static bool is_too_large(struct market *m)
{
	uint64_t links = 0;
	for (size_t i = 0; i < m->demand.n && links <= LINKS_MOST; i++) {
		loom_region_set(&m->region, &m->demand.messages[i], 0);
		links += loom_region_links(&m->region);
	}
	return links > LINKS_MOST;
}

// Sets one price for all links that some message can use.
static void open_market(struct market *m)
{
	for (size_t i = 0; i < m->demand.n; i++) {
		uint32_t ties = loom_region_ties(&m->region, &m->demand.messages[i]), ways = ties;
		do {
			loom_region_set(&m->region, &m->demand.messages[i], ways);
			loom_region_add(m->price, &m->region, 1);
			ways = (ways - 1) & ties;
		} while (ways != ties);
	}
	m->sum = 0;
	for (uint32_t c = 0; c < m->n_channels; c++) {
		m->price[c] = m->price[c] ? FIRST_PRICE : 0;
		m->sum += m->price[c];
	}
}

static void settle(struct market *m, wide paid, uint64_t sum, const uint64_t *price)
{
	double quotient = sum ? (double)paid / (double)sum : 0;
	if (quotient <= m->quotient)
		return;
	uint64_t bound = (uint64_t)((paid + sum - 1) / sum);
	m->quotient = quotient;
	m->bound = bound > m->bound ? bound : m->bound;
	memcpy(m->best, price, m->n_channels * sizeof *price);
}

// Returns the cost of the cheapest way of message i. Half-way round a ring there are two ways; the region is then set
// to the cheaper one.
static uint64_t cheapest(struct market *m, size_t i, const uint64_t *price, uint32_t *channel, uint32_t *n_hops)
{
	const struct loom_message *message = &m->demand.messages[i];
	uint32_t ties = loom_region_ties(&m->region, message), ways = ties, best_ways = 0;
	uint64_t least = UINT64_MAX;
	if (ties)
		do {
			loom_region_set(&m->region, message, ways);
			uint64_t cost = loom_region_least_sum(NULL, NULL, &m->region, price, 0);
			if (cost <= least) {
				least = cost;
				best_ways = ways;
			}
			ways = (ways - 1) & ties;
		} while (ways != ties);
	loom_region_set(&m->region, message, best_ways);
	return loom_region_least_sum(channel, n_hops, &m->region, price, 0);
}

// Computes the bound from constant prices. Returns false if the budget is used up.
static bool appraise(struct market *m, const uint64_t *price)
{
	wide paid = 0;
	uint64_t sum = 0;
	for (uint32_t c = 0; c < m->n_channels; c++)
		sum += price[c];
	for (size_t i = 0; i < m->demand.n; i++) {
		paid += (wide)cheapest(m, i, price, NULL, NULL) *
		        loom_routes_weight(&m->demand.messages[i], m->demand.load);
		if (!loom_budget_spend(m->budget, loom_region_links(&m->region)))
			return false;
	}
	settle(m, paid, sum, price);
	return true;
}

static bool play_round(struct market *m, double step)
{
	wide paid = 0;
	double growth = step / (double)m->ceiling;
	for (size_t i = 0; i < m->demand.n; i++) {
		uint64_t w = loom_routes_weight(&m->demand.messages[i], m->demand.load);
		uint32_t n_hops = 0;
		paid += (wide)cheapest(m, i, m->price, m->channel, &n_hops) * w;
		for (uint32_t hop = 0; hop < n_hops; hop++) {
			uint32_t c = m->channel[hop];
			uint64_t more = (uint64_t)((double)m->price[c] * growth * (double)w) + 1;
			m->price[c] += more;
			m->sum += more;
			m->flow[c] += w;
		}
		if (!loom_budget_spend(m->budget, loom_region_links(&m->region)))
			return false;
	}
	settle(m, paid, m->sum, m->price);
	return true;
}

static void scale_down(struct market *m)
{
	uint64_t most = 0;
	for (uint32_t c = 0; c < m->n_channels; c++)
		most = m->price[c] > most ? m->price[c] : most;
	if (most < PRICE_MOST)
		return;
	m->sum = 0;
	for (uint32_t c = 0; c < m->n_channels; c++) {
		m->price[c] >>= 16;
		m->sum += m->price[c];
	}
}

// Lowers the ceiling to the largest load of the rounds' split routes, rounded up. No bound is above it.
static void lower_ceiling(struct market *m)
{
	uint64_t most = 0;
	for (uint32_t c = 0; c < m->n_channels; c++)
		most = m->flow[c] > most ? m->flow[c] : most;
	most = (most + m->rounds - 1) / m->rounds;
	m->ceiling = most < m->ceiling ? most : m->ceiling;
}

static bool appraise_average(struct market *m)
{
	double most = 0;
	uint64_t *price = m->flow; // the flow is no longer needed
	for (uint32_t c = 0; c < m->n_channels; c++)
		most = m->average[c] > most ? m->average[c] : most;
	for (uint32_t c = 0; c < m->n_channels; c++)
		price[c] = most > 0 ? (uint64_t)(m->average[c] / most * (double)PROOF_MOST) : 0;
	return appraise(m, price);
}

// Plays rounds with one step, then takes the bound from the mean of their prices.
static bool play(struct market *m, double step)
{
	memset(m->flow, 0, m->n_channels * sizeof *m->flow);
	memset(m->average, 0, m->n_channels * sizeof *m->average);
	for (m->rounds = 1; m->rounds <= ROUNDS_PER_STEP && m->bound < m->ceiling; m->rounds++) {
		scale_down(m);
		if (!play_round(m, step))
			return false;
		for (uint32_t c = 0; c < m->n_channels; c++)
			m->average[c] += (double)m->price[c] / (double)m->sum;
		lower_ceiling(m);
	}
	return m->bound >= m->ceiling || appraise_average(m);
}

// Hands out the best prices with 32 bits, and the bound that they give.
static int hand_out(uint64_t *out, uint32_t *price, struct market *m)
{
	struct loom_budget enough = {0};
	uint64_t most = 1;
	loom_budget_begin(&enough, NULL, UINT64_MAX / 2);
	for (uint32_t c = 0; c < m->n_channels; c++)
		most = m->best[c] > most ? m->best[c] : most;
	for (uint32_t c = 0; c < m->n_channels; c++) {
		m->price[c] = (uint64_t)((wide)m->best[c] * (PROOF_MOST - 1) / most);
		price[c] = (uint32_t)m->price[c];
	}
	m->quotient = 0;
	m->bound = 0;
	m->budget = &enough;
	for (size_t i = 0; i < m->demand.n; i++) {
		uint64_t w = loom_routes_weight(&m->demand.messages[i], m->demand.load);
		if (m->demand.messages[i].source != m->demand.messages[i].destination && w > m->bound)
			m->bound = w;
	}
	(void)appraise(m, m->price);
	*out = m->bound;
	return 0;
}

int loom_prices_bound(uint64_t *out, uint32_t *price, const struct loom_demand *demand, uint64_t enough,
                      struct loom_budget *budget, struct loom_err *err)
{
	struct market m = {
		.demand = *demand, .budget = budget, .n_channels = loom_topo_channels(demand->topo), .ceiling = enough};
	int rc = market_init(&m, err);
	if (rc == 0)
		rc = look_at_cuts(&m, err);
	if (rc == 0 && !price && (m.bound >= enough || is_too_large(&m))) {
		*out = m.bound;
	} else if (rc == 0) {
		open_market(&m);
		bool goes_on = appraise(&m, m.flow) && appraise(&m, m.price);
		for (double step = FIRST_STEP; goes_on && step > LAST_STEP && m.bound < m.ceiling; step *= 0.8)
			goes_on = play(&m, step);
		*out = m.bound;
		if (price)
			rc = hand_out(out, price, &m);
	}
	market_free(&m);
	return rc;
}

int loom_routes_bound(uint64_t *out, uint32_t *price, const struct loom_topo *topo, const struct loom_message *messages,
                      size_t n, const struct loom_routes_options *options, struct loom_err *err)
{
	const struct loom_demand demand = {topo, messages, n, options->load, options->detours};
	const struct loom_plan_options by = {.budget_seconds = options->budget_seconds,
	                                     .most_steps = options->most_steps,
	                                     .stopped = options->stopped,
	                                     .user = options->user};
	struct loom_budget budget;
	struct loom_routes routes;
	uint64_t enough = 0;
	int rc = loom_routes_check_detours(options->detours, err);
	if (rc == 0)
		rc = loom_routes_block(&routes, topo, messages, n, options->load, err);
	if (rc != 0)
		return rc;
	rc = loom_routes_contention(&enough, &routes, topo, messages, options->load, err);
	loom_routes_free(&routes);
	loom_budget_begin(&budget, &by, STEPS);
	return rc != 0 ? rc : loom_prices_bound(out, price, &demand, enough, &budget, err);
}
