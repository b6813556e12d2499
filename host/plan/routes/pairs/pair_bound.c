// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/routes/pairs/pair_bound.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include <flitloom/routes/pair_routes.h>

#include "base/arrays.h"

#define NONE UINT32_MAX
#define SHARPNESS 12.0 // of prices
#define ROUNDING 1e-7  // the most by which rounding can raise a quotient
#define TIMES_WORK 5e7 // nodes times links, for all prices together
#define CUTS_WORK 3e8  // the same for all cuts

static uint32_t round_up(double bound)
{
	return (uint32_t)ceil(bound * (1 - ROUNDING));
}

// --- Cheapest ways from one node -------------------------------------------------------------------------------------

// A queue of nodes by cost: a binary heap, with the place of each node in it.
struct tree {
	uint32_t n;
	uint32_t *heap, *at;       // owned, of n_nodes
	double *cost;              // owned, of each node
	uint32_t *via, *settled;   // owned: the link by which each node is reached; nodes in ascending order of cost
	double *behind;            // owned: pairs whose ways pass each node
	struct loom_arrays arrays; // owns the arrays
};

static void swap(struct tree *q, uint32_t i, uint32_t k)
{
	const uint32_t u = q->heap[i], v = q->heap[k];
	q->heap[i] = v;
	q->heap[k] = u;
	q->at[v] = i;
	q->at[u] = k;
}

static void rise(struct tree *q, uint32_t i)
{
	for (; i && q->cost[q->heap[i]] < q->cost[q->heap[(i - 1) / 2]]; i = (i - 1) / 2)
		swap(q, i, (i - 1) / 2);
}

static uint32_t take_least(struct tree *q)
{
	const uint32_t least = q->heap[0];
	swap(q, 0, --q->n);
	for (uint32_t i = 0, k; (k = 2 * i + 1) < q->n; i = k) {
		k += k + 1 < q->n && q->cost[q->heap[k + 1]] < q->cost[q->heap[k]];
		if (q->cost[q->heap[i]] <= q->cost[q->heap[k]])
			break;
		swap(q, i, k);
	}
	q->at[least] = NONE;
	return least;
}

// Returns the total cost of the cheapest ways from `source` to all nodes, and adds to each link the pairs that take it.
static double pay_from(struct tree *q, double *taken, const struct loom_pair_net *net, const double *price,
                       uint32_t source)
{
	double sum = 0;
	uint32_t n_settled = 0;
	for (uint32_t v = 0; v < net->n_nodes; v++) {
		q->cost[v] = DBL_MAX;
		q->at[v] = NONE;
		q->behind[v] = v < net->n_hosts;
	}
	q->n = 0;
	q->cost[source] = 0;
	q->heap[q->n++] = source;
	q->at[source] = 0;
	while (q->n) {
		const uint32_t u = take_least(q);
		q->settled[n_settled++] = u;
		sum += u < net->n_hosts ? q->cost[u] : 0;
		for (uint32_t i = net->out_first[u]; i < net->out_first[u + 1]; i++) {
			const uint32_t a = net->out[i], v = net->head[a];
			const double cost = q->cost[u] + price[a];
			if (cost >= q->cost[v])
				continue;
			if (q->cost[v] == DBL_MAX) {
				q->at[v] = q->n;
				q->heap[q->n++] = v;
			}
			q->cost[v] = cost;
			q->via[v] = a;
			rise(q, q->at[v]);
		}
	}
	for (uint32_t k = n_settled; k-- > 1;) {
		const uint32_t v = q->settled[k], a = q->via[v];
		taken[a] += q->behind[v];
		q->behind[net->tail[a]] += q->behind[v];
	}
	return sum;
}

static int make_tree(struct tree *out, uint32_t n)
{
	*out = (struct tree){0};
	LOOM_ARRAY(&out->arrays, out->heap, n);
	LOOM_ARRAY(&out->arrays, out->at, n);
	LOOM_ARRAY(&out->arrays, out->cost, n);
	LOOM_ARRAY(&out->arrays, out->via, n);
	LOOM_ARRAY(&out->arrays, out->settled, n);
	LOOM_ARRAY(&out->arrays, out->behind, n);
	return out->arrays.is_short ? LOOM_ENOMEM : 0;
}

// --- Prices ----------------------------------------------------------------------------------------------------------

// Sets the next prices: the links that were taken most so far get the highest. `best`: the bound so far.
static double set_prices(double *price, const double *taken, uint32_t n_links, unsigned time, double best)
{
	double mean = 0, sum = 0;
	for (uint32_t a = 0; a < n_links; a++)
		mean += taken[a] / n_links;
	for (uint32_t a = 0; a < n_links; a++) {
		price[a] = time ? exp(SHARPNESS * (taken[a] - mean) / (time * best)) + 1e-6 : 1;
		sum += price[a];
	}
	return sum;
}

static int bound_by_prices(uint32_t *out, const struct loom_pair_net *net, unsigned times, struct loom_err *err)
{
	double *price = malloc(((size_t)net->n_links + 1) * sizeof *price);
	double *taken = calloc((size_t)net->n_links + 1, sizeof *taken);
	struct tree tree;
	int rc = make_tree(&tree, net->n_nodes);
	rc = rc == 0 && price && taken
	             ? 0
	             : loom_fail(err, LOOM_ENOMEM, "out of memory for the prices of %" PRIu32 " links", net->n_links);
	const double work = (double)net->n_nodes * net->n_links;
	double best = 0;
	times = work * times > TIMES_WORK ? (unsigned)(TIMES_WORK / work) + 2 : times;
	for (unsigned time = 0; rc == 0 && time < times; time++) {
		const double all = set_prices(price, taken, net->n_links, time, best);
		double paid = 0;
		for (uint32_t v = 0; v < net->n_hosts; v++)
			paid += pay_from(&tree, taken, net, price, v);
		best = paid / all > best ? paid / all : best;
	}
	*out = round_up(best);
	free(price);
	free(taken);
	loom_arrays_free(&tree.arrays);
	return rc;
}

// --- Cuts ------------------------------------------------------------------------------------------------------------

// A set of nodes.
struct cut {
	const struct loom_pair_net *net;
	bool *is_in;                // owned, of each node
	uint32_t n_in, n_out_links; // n_in: nodes of the set that send and receive
	uint32_t *queue;            // owned
	bool *has_moved;            // owned
	double best;                // the best value so far
	struct loom_arrays arrays;  // owns the arrays
};

static double value(const struct cut *c)
{
	return c->n_out_links ? (double)c->n_in * (c->net->n_hosts - c->n_in) / c->n_out_links : 0;
}

// Returns the change of the number of links that lead out of the set if node v changes sides.
static int change(const struct cut *c, uint32_t v)
{
	const struct loom_pair_net *net = c->net;
	int change = 0;
	for (uint32_t i = net->out_first[v]; i < net->out_first[v + 1]; i++)
		change += !c->is_in[net->head[net->out[i]]] ? 1 : 0;
	for (uint32_t i = net->in_first[v]; i < net->in_first[v + 1]; i++)
		change -= c->is_in[net->tail[net->in[i]]] ? 1 : 0;
	return c->is_in[v] ? -change : change;
}

static void move(struct cut *c, uint32_t v)
{
	c->n_out_links = (uint32_t)((int)c->n_out_links + change(c, v));
	c->is_in[v] = !c->is_in[v];
	if (v < c->net->n_hosts)
		c->n_in += c->is_in[v] ? 1 : UINT32_MAX;
}

// Lets every node change sides once, each time the node whose move gives the best set. Then returns to the best set of
// all. Returns true if that is better than the set before.
static bool improve(struct cut *c)
{
	const uint32_t n = c->net->n_nodes, n_hosts = c->net->n_hosts;
	const double before = value(c);
	double best = before;
	uint32_t n_moved = 0, n_best = 0;
	for (uint32_t v = 0; v < n; v++)
		c->has_moved[v] = false;
	for (; n_moved < n; n_moved++) {
		double most = -1;
		uint32_t at = 0;
		for (uint32_t v = 0; v < n; v++) {
			if (c->has_moved[v])
				continue;
			const double by = v < n_hosts ? 1 : 0, n_in = c->n_in + (c->is_in[v] ? -by : by);
			const int links = (int)c->n_out_links + change(c, v);
			const double worth = links > 0 ? n_in * (n_hosts - n_in) / links : 0;
			if (worth > most) {
				most = worth;
				at = v;
			}
		}
		move(c, at);
		c->has_moved[at] = true;
		c->queue[n_moved] = at;
		if (value(c) > best * (1 + ROUNDING)) {
			best = value(c);
			n_best = n_moved + 1;
		}
	}
	while (n_moved > n_best)
		move(c, c->queue[--n_moved]);
	return best > before * (1 + ROUNDING);
}

// Begins with the `most` nodes nearest to v.
static void begin_near(struct cut *c, uint32_t v, uint32_t most)
{
	const struct loom_pair_net *net = c->net;
	c->n_in = c->n_out_links = 0;
	for (uint32_t u = 0; u < net->n_nodes; u++)
		c->is_in[u] = false;
	for (uint32_t hops = 0; hops <= net->longest && c->n_in < most; hops++)
		for (uint32_t u = 0; u < net->n_nodes && c->n_in < most; u++)
			if (loom_pair_hops(net, v, u) == hops)
				move(c, u);
}

static int bound_by_cuts(uint32_t *out, const struct loom_pair_net *net, struct loom_err *err)
{
	enum { STARTS = 24, IMPROVEMENTS = 12 };
	const uint32_t n = net->n_nodes;
	const double most = 1 + CUTS_WORK / (4.0 * IMPROVEMENTS * n * net->n_links);
	const uint32_t n_some = most < STARTS ? (uint32_t)most : STARTS, n_starts = n < n_some ? n : n_some;
	struct cut c = {.net = net};
	LOOM_ARRAY(&c.arrays, c.is_in, n);
	LOOM_ARRAY(&c.arrays, c.has_moved, n);
	LOOM_ARRAY(&c.arrays, c.queue, n);
	int rc = c.arrays.is_short ? loom_fail(err, LOOM_ENOMEM, "out of memory for cuts of %" PRIu32 " nodes", n) : 0;
	for (uint32_t k = 0; rc == 0 && k < 2 * n_starts; k++) {
		begin_near(&c, (uint32_t)((uint64_t)(k / 2) * n / n_starts),
		           k % 2 ? net->n_hosts / 2 : net->n_hosts / 4);
		for (unsigned i = 0; i < IMPROVEMENTS && improve(&c); i++)
			;
		c.best = value(&c) > c.best ? value(&c) : c.best;
	}
	*out = rc == 0 ? round_up(c.best) : 0;
	loom_arrays_free(&c.arrays);
	return rc;
}

int loom_pair_bound_of_net(uint32_t *out, const struct loom_pair_net *net, unsigned times, struct loom_err *err)
{
	uint32_t by_prices = 0, by_cuts = 0;
	int rc = bound_by_prices(&by_prices, net, times, err);
	if (rc == 0)
		rc = bound_by_cuts(&by_cuts, net, err);
	if (rc == 0)
		*out = by_prices > by_cuts ? by_prices : by_cuts;
	return rc;
}

int loom_pair_bound(uint32_t *out, const struct loom_topo *topo, struct loom_err *err)
{
	enum { TIMES = 400 };
	struct loom_pair_net net;
	int rc = loom_pair_net_make(&net, topo, err);
	if (rc != 0)
		return rc;
	rc = loom_pair_bound_of_net(out, &net, TIMES, err);
	loom_pair_net_free(&net);
	return rc;
}
