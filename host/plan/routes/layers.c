// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Works as host/plan/routes/reroute.c does, on one copy of the network for each pass. In a copy a channel takes one
// message. A message that shares a channel chooses its copy and its route again, and a link that too many messages want
// becomes more expensive.
#include "plan/routes/layers.h"

#include <string.h>

#include "base/arrays.h"
#include "base/rng.h"
#include "plan/routes/region.h"

#define SEED 1
#define PATIENCE 300 // sweeps
#define PAST_FIRST 16
#define PAST_STEP 8
#define PAST_MOST (UINT64_C(1) << 28) // as in reroute.c

struct layers {
	struct loom_layers of; // its passes and channels are changed
	uint32_t n_passes, n_channels;
	struct loom_rng rng;
	struct loom_region region;
	uint32_t *trial; // a route
	uint32_t *order;
	uint64_t *load, *past, *cost; // [pass * n_channels + channel]
	struct loom_arrays arrays;    // owns the arrays
};

static void set_load(struct layers *l, size_t at, uint64_t load)
{
	l->load[at] = load;
	l->cost[at] = l->past[at] * (1 + load); // the price for one message more
}

static size_t injection(const struct layers *l, size_t i)
{
	return (size_t)l->of.messages[i].source * l->region.per_tile + l->of.topo->ports;
}

static size_t ejection(const struct layers *l, size_t i)
{
	return (size_t)l->of.messages[i].destination * l->region.per_tile + l->of.topo->ports - 1;
}

static void add(struct layers *l, size_t i, uint64_t w)
{
	size_t base = (size_t)l->of.pass[i] * l->n_channels;
	for (size_t k = l->of.first[i]; k < l->of.first[i + 1]; k++)
		set_load(l, base + l->of.channel[k], l->load[base + l->of.channel[k]] + w);
	set_load(l, base + injection(l, i), l->load[base + injection(l, i)] + w);
	set_load(l, base + ejection(l, i), l->load[base + ejection(l, i)] + w);
}

static bool is_in_the_way(const struct layers *l, size_t i)
{
	const uint64_t *load = l->load + (size_t)l->of.pass[i] * l->n_channels;
	if (load[injection(l, i)] > 1 || load[ejection(l, i)] > 1)
		return true;
	for (size_t k = l->of.first[i]; k < l->of.first[i + 1]; k++)
		if (load[l->of.channel[k]] > 1)
			return true;
	return false;
}

// Chooses pass and route of message i again. Returns false if the budget is used up; the message has a route then.
static bool choose_again(struct layers *l, size_t i)
{
	const struct loom_message *m = &l->of.messages[i];
	uint32_t ties = loom_region_ties(&l->region, m), ways = ties;
	uint64_t least = UINT64_MAX, links = 16, salt = loom_rng_next(&l->rng);
	uint32_t begin = (uint32_t)loom_rng_below(&l->rng, l->n_passes);
	size_t n_hops = l->of.first[i + 1] - l->of.first[i];
	add(l, i, -UINT64_C(1));
	do {
		loom_region_set(&l->region, m, ways);
		for (uint32_t k = 0; k < l->n_passes; k++) {
			uint32_t pass = (begin + k) % l->n_passes;
			const uint64_t *cost = l->cost + (size_t)pass * l->n_channels;
			uint64_t own = cost[injection(l, i)] + cost[ejection(l, i)];
			if (own >= least)
				continue;
			uint64_t sum = own + loom_region_least_sum(l->trial, NULL, &l->region, cost, salt);
			links += loom_region_links(&l->region) + 3 * n_hops;
			if (sum >= least)
				continue;
			least = sum;
			l->of.pass[i] = pass;
			memcpy(l->of.channel + l->of.first[i], l->trial, n_hops * sizeof *l->trial);
		}
		ways = (ways - 1) & ties;
	} while (ways != ties);
	add(l, i, 1);
	return loom_budget_spend(l->of.budget, links);
}

// Counts the channels with too many messages, and raises their prices.
static size_t remember(struct layers *l)
{
	size_t n_over = 0, n = (size_t)l->n_passes * l->n_channels;
	for (size_t at = 0; at < n; at++) {
		if (l->load[at] <= 1)
			continue;
		n_over++;
		if (l->past[at] < PAST_MOST)
			l->past[at] += PAST_STEP * (l->load[at] - 1);
		set_load(l, at, l->load[at]);
	}
	return n_over;
}

static bool search(struct layers *l)
{
	size_t n_places = (size_t)l->n_passes * l->n_channels;
	for (size_t at = 0; at < n_places; at++) {
		l->past[at] = PAST_FIRST;
		set_load(l, at, 0);
	}
	for (size_t i = 0; i < l->of.n; i++) {
		l->order[i] = (uint32_t)i;
		l->of.pass[i] =
			l->of.messages[i].source == l->of.messages[i].destination ? 0 : l->of.pass[i] % l->n_passes;
		if (l->of.messages[i].source != l->of.messages[i].destination)
			add(l, i, 1);
	}
	for (unsigned sweep = 0; sweep < PATIENCE; sweep++) {
		loom_rng_shuffle(l->order, l->of.n, &l->rng);
		for (size_t k = 0; k < l->of.n; k++) {
			size_t i = l->order[k];
			if (l->of.messages[i].source != l->of.messages[i].destination && is_in_the_way(l, i) &&
			    !choose_again(l, i))
				return false;
		}
		if (remember(l) == 0)
			return true;
		if (!loom_budget_spend(l->of.budget, n_places + l->of.first[l->of.n] - l->of.first[0]))
			return false;
	}
	return false;
}

static int begin(struct layers *l, const struct loom_layers *from, struct loom_err *err)
{
	size_t n_places = (size_t)l->n_passes * l->n_channels;
	int rc = loom_region_init(&l->region, l->of.topo, l->of.messages, l->of.n, 0, err);
	if (rc != 0)
		return rc;
	LOOM_ARRAY(&l->arrays, l->of.pass, l->of.n + 1);
	LOOM_ARRAY(&l->arrays, l->order, l->of.n + 1);
	LOOM_ARRAY(&l->arrays, l->of.channel, l->of.first[l->of.n] + 1);
	LOOM_ARRAY(&l->arrays, l->trial, l->of.topo->n_nodes + 1);
	LOOM_ARRAY(&l->arrays, l->load, n_places);
	LOOM_ARRAY(&l->arrays, l->past, n_places);
	LOOM_ARRAY(&l->arrays, l->cost, n_places);
	if (l->arrays.is_short)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for the routes of %zu messages in passes", l->of.n);
	memcpy(l->of.pass, from->pass, l->of.n * sizeof *from->pass);
	memcpy(l->of.channel, from->channel, l->of.first[l->of.n] * sizeof *from->channel);
	loom_rng_init(&l->rng, SEED);
	return 0;
}

int loom_layers_find(bool *found, const struct loom_layers *layers, uint32_t n_passes, struct loom_err *err)
{
	struct layers l = {.of = *layers, .n_passes = n_passes, .n_channels = loom_topo_channels(layers->topo)};
	int rc = begin(&l, layers, err);
	*found = rc == 0 && search(&l);
	if (*found) {
		memcpy(layers->pass, l.of.pass, l.of.n * sizeof *l.of.pass);
		memcpy(layers->channel, l.of.channel, l.of.first[l.of.n] * sizeof *l.of.channel);
	}
	loom_arrays_free(&l.arrays);
	loom_region_free(&l.region);
	return rc;
}
