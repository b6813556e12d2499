// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the factors of a network that is a Cartesian product by its links alone [Feder92]. Links x-y and u-v belong to
// one factor if they are in relation Theta, as opposite sides of a square are: d(x,u) + d(y,v) is not d(x,v) + d(y,u).
// Links that meet at a node belong to one factor if they are in relation tau: their other ends have no other neighbour
// in common. Chains of such links belong to one factor, too. Each factor is searched separately.
#include <stdlib.h>

#include "plan/routes/pairs/pair_search.h"

#define NONE UINT32_MAX
#define FACTORS_MOST 10 // enough for LOOM_PAIR_NODES_MAX nodes

struct product {
	const struct loom_pair_net *net;
	uint32_t n_factors;
	uint32_t *class;      // owned, by link: at first a tree of links, then its factor
	uint32_t *coordinate; // owned: [factor * n_nodes + node]
	uint32_t extent[FACTORS_MOST];
};

// --- Classes of links ------------------------------------------------------------------------------------------------

static uint32_t root_of(uint32_t *class, uint32_t a)
{
	while (class[a] != a)
		a = class[a] = class[class[a]];
	return a;
}

static void join(uint32_t *class, uint32_t a, uint32_t b)
{
	const uint32_t x = root_of(class, a), y = root_of(class, b);
	class[x < y ? y : x] = x < y ? x : y;
}

static bool is_theta(const struct loom_pair_net *net, uint32_t a, uint32_t b)
{
	const uint32_t x = net->tail[a], y = net->head[a], u = net->tail[b], v = net->head[b];
	return loom_pair_hops(net, x, u) + loom_pair_hops(net, y, v) !=
	       loom_pair_hops(net, x, v) + loom_pair_hops(net, y, u);
}

static bool has_other_neighbour(const struct loom_pair_net *net, uint32_t y, uint32_t z, uint32_t x)
{
	for (uint32_t i = net->out_first[y]; i < net->out_first[y + 1]; i++)
		if (net->head[net->out[i]] != x && loom_pair_hops(net, net->head[net->out[i]], z) == 1)
			return true;
	return false;
}

// Joins each link with the link back, and both with links of the same factor. Returns false if links lead one way only,
// or if two connect the same nodes.
static bool join_all(struct product *p)
{
	const struct loom_pair_net *net = p->net;
	for (uint32_t a = 0; a < net->n_links; a++)
		p->class[a] = a;
	for (uint32_t a = 0; a < net->n_links; a++) {
		unsigned n_back = 0, n_same = 0;
		for (uint32_t i = net->out_first[net->head[a]]; i < net->out_first[net->head[a] + 1]; i++)
			if (net->head[net->out[i]] == net->tail[a]) {
				join(p->class, a, net->out[i]);
				n_back++;
			}
		for (uint32_t i = net->out_first[net->tail[a]]; i < net->out_first[net->tail[a] + 1]; i++)
			n_same += net->head[net->out[i]] == net->head[a];
		if (n_back != 1 || n_same != 1)
			return false;
	}
	for (uint32_t x = 0; x < net->n_nodes; x++)
		for (uint32_t i = net->out_first[x]; i < net->out_first[x + 1]; i++)
			for (uint32_t k = i + 1; k < net->out_first[x + 1]; k++)
				if (!has_other_neighbour(net, net->head[net->out[i]], net->head[net->out[k]], x))
					join(p->class, net->out[i], net->out[k]);
	for (uint32_t a = 0; a < net->n_links; a++)
		for (uint32_t b = a + 1; b < net->n_links; b++)
			if (net->tail[a] < net->head[a] && net->tail[b] < net->head[b] && is_theta(net, a, b))
				join(p->class, a, b);
	return true;
}

// Numbers the classes. Returns false if there is only one, or if there are more than a product of n_nodes nodes has.
static bool number_factors(struct product *p)
{
	uint32_t *number = p->coordinate; // it is not in use yet, and has room: roots are below n_links
	for (uint32_t a = 0; a < p->net->n_links; a++) {
		const uint32_t root = root_of(p->class, a);
		if (root == a && p->n_factors == FACTORS_MOST)
			return false;
		if (root == a)
			number[a] = p->n_factors++;
	}
	for (uint32_t a = p->net->n_links; a-- > 0;) // a root is the lowest of its class, so it is replaced last
		p->class[a] = number[root_of(p->class, a)];
	return p->n_factors > 1;
}

// Gives nodes the same coordinate if links of other factors join them. Returns false if two nodes have the same
// coordinates, so the network is no product.
static bool find_coordinates(struct product *p, uint32_t *queue)
{
	const struct loom_pair_net *net = p->net;
	uint64_t n_all = 1;
	for (uint32_t f = 0; f < p->n_factors; f++) {
		uint32_t *at = p->coordinate + (size_t)f * net->n_nodes;
		for (uint32_t v = 0; v < net->n_nodes; v++)
			at[v] = NONE;
		for (uint32_t v = 0; v < net->n_nodes; v++) {
			uint32_t n = 0;
			if (at[v] != NONE)
				continue;
			at[v] = p->extent[f]++;
			queue[n++] = v;
			for (uint32_t k = 0; k < n; k++)
				for (uint32_t i = net->out_first[queue[k]]; i < net->out_first[queue[k] + 1]; i++) {
					const uint32_t a = net->out[i], u = net->head[a];
					if (p->class[a] == f || at[u] != NONE)
						continue;
					at[u] = at[v];
					queue[n++] = u;
				}
		}
		n_all *= p->extent[f];
	}
	for (uint32_t f = 0; f < p->n_factors; f++) // a link moves along its own factor
		for (uint32_t a = 0; a < net->n_links; a++) {
			const uint32_t *at = p->coordinate + (size_t)f * net->n_nodes;
			if ((at[net->tail[a]] != at[net->head[a]]) != (p->class[a] == f))
				return false;
		}
	return n_all == net->n_nodes;
}

// --- Factors ---------------------------------------------------------------------------------------------------------

struct factor {
	struct loom_pair_net net; // links' channels are NONE
	struct loom_pair_set set;
	bool has_net;
};

// Returns the link from node v along factor f to coordinate `to`.
static uint32_t link_to(const struct product *p, uint32_t f, uint32_t v, uint32_t to)
{
	const struct loom_pair_net *net = p->net;
	uint32_t i = net->out_first[v];
	while (i < net->out_first[v + 1] &&
	       (p->class[net->out[i]] != f || p->coordinate[(size_t)f * net->n_nodes + net->head[net->out[i]]] != to))
		i++;
	return i < net->out_first[v + 1] ? net->out[i] : NONE;
}

// Makes the network of a factor: that of the nodes whose other coordinates are all 0.
static int make_net(struct factor *out, const struct product *p, uint32_t f, struct loom_err *err)
{
	const struct loom_pair_net *net = p->net;
	uint32_t *ends = malloc(3 * ((size_t)net->n_links + 1) * sizeof *ends), n = 0;
	if (!ends)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for the factors of a network");
	uint32_t *tail = ends, *head = tail + net->n_links, *channel = head + net->n_links;
	const uint32_t *at = p->coordinate + (size_t)f * net->n_nodes;
	for (uint32_t a = 0; a < net->n_links; a++) {
		bool is_in = p->class[a] == f;
		for (uint32_t g = 0; is_in && g < p->n_factors; g++)
			is_in = g == f || p->coordinate[(size_t)g * net->n_nodes + net->tail[a]] == 0;
		if (!is_in)
			continue;
		tail[n] = at[net->tail[a]];
		head[n] = at[net->head[a]];
		channel[n++] = NONE;
	}
	int rc = loom_pair_net_of(&out->net, p->extent[f], n, tail, head, channel, err);
	out->has_net = rc == 0;
	free(ends);
	return rc;
}

static int search_factor(struct factor *out, const struct product *p, uint32_t f,
                         const struct loom_pair_options *options, struct loom_err *err)
{
	const struct loom_pair_options own = {.n_lanes = 1, .seed = options->seed, .rounds = options->rounds};
	int rc = make_net(out, p, f, err);
	if (rc == 0)
		rc = loom_pair_set_make(&out->set, &out->net, 1, err);
	return rc != 0 ? rc : loom_pair_search(&out->set, &out->net, &own, err);
}

// --- Routes ----------------------------------------------------------------------------------------------------------

// Makes the way between two nodes from those of the factors, one after the other. Returns false if the network is no
// product.
static bool walk(struct loom_pair_way *out, const struct product *p, const struct factor *factor, uint32_t source,
                 uint32_t destination)
{
	uint32_t v = source;
	out->n = 0;
	out->lane = 0;
	for (uint32_t f = 0; f < p->n_factors; f++) {
		const uint32_t *at = p->coordinate + (size_t)f * p->net->n_nodes;
		const struct loom_pair_way *way = &factor[f].set.way[(size_t)at[v] * p->extent[f] + at[destination]];
		for (uint32_t k = 0; k < way->n; k++) {
			const uint32_t a = link_to(p, f, v, factor[f].net.head[way->link[k]]);
			if (a == NONE)
				return false;
			out->link[out->n++] = a;
			v = p->net->head[a];
		}
	}
	return v == destination;
}

// Sets places: those of a factor follow those of all factors before it. Links that differ only in other coordinates
// share a place.
static void set_places(struct loom_pair_set *set, const struct product *p, const struct factor *factor)
{
	const struct loom_pair_net *net = p->net;
	for (uint32_t a = 0; a < net->n_links; a++) {
		const uint32_t f = p->class[a];
		const struct loom_pair_net *own = &factor[f].net;
		const uint32_t *at = p->coordinate + (size_t)f * net->n_nodes;
		uint32_t i = own->out_first[at[net->tail[a]]];
		while (own->head[own->out[i]] != at[net->head[a]])
			i++;
		set->place[a] = (double)f * net->n_links + factor[f].set.place[own->out[i]];
	}
}

static int set_ways(struct loom_pair_set *set, const struct product *p, const struct factor *factor,
                    struct loom_err *err)
{
	const struct loom_pair_net *net = p->net;
	uint32_t *load = calloc((size_t)net->n_links + 1, sizeof *load);
	struct loom_pair_way way = {.link = malloc(((size_t)net->n_links + 1) * sizeof *way.link)};
	int rc = load && way.link ? 0 : loom_fail(err, LOOM_ENOMEM, "out of memory for the routes of a product");
	bool good = rc == 0;
	for (uint32_t s = 0; good && s < net->n_nodes; s++)
		for (uint32_t t = 0; good && t < net->n_nodes; t++) {
			if (s == t)
				continue;
			good = walk(&way, p, factor, s, t);
			if (good)
				rc = loom_pair_way_take(&set->way[(size_t)s * net->n_nodes + t], &way, err);
			good = good && rc == 0;
			for (uint32_t k = 0; good && k < way.n; k++) {
				load[way.link[k]]++;
				set->hops++;
			}
		}
	for (uint32_t a = 0; good && a < net->n_links; a++)
		set->largest_load = load[a] > set->largest_load ? load[a] : set->largest_load;
	set->found = good;
	free(load);
	free(way.link);
	return rc;
}

int loom_pair_of_product(struct loom_pair_set *set, const struct loom_pair_net *net,
                         const struct loom_pair_options *options, struct loom_err *err)
{
	struct factor factor[FACTORS_MOST] = {{.has_net = false}};
	const size_t n_room = (size_t)FACTORS_MOST * net->n_nodes;
	struct product p = {.net = net,
	                    .class = malloc(((size_t)net->n_links + 1) * sizeof *p.class),
	                    .coordinate =
	                            malloc((n_room > net->n_links ? n_room : net->n_links) * sizeof *p.coordinate)};
	uint32_t *queue = malloc(((size_t)net->n_nodes + 1) * sizeof *queue);
	int rc = p.class && p.coordinate && queue
	                 ? 0
	                 : loom_fail(err, LOOM_ENOMEM, "out of memory for the factors of a network");
	bool good = rc == 0 && net->n_hosts == net->n_nodes && join_all(&p) && number_factors(&p) &&
	            find_coordinates(&p, queue);
	for (uint32_t f = 0; good && rc == 0 && f < p.n_factors; f++) {
		rc = search_factor(&factor[f], &p, f, options, err);
		good = factor[f].set.found;
	}
	if (good && rc == 0) {
		set_places(set, &p, factor);
		rc = set_ways(set, &p, factor, err);
	}
	for (uint32_t f = 0; f < FACTORS_MOST; f++)
		if (factor[f].has_net) {
			loom_pair_set_free(&factor[f].set, &factor[f].net);
			loom_pair_net_free(&factor[f].net);
		}
	free(p.class);
	free(p.coordinate);
	free(queue);
	return rc;
}
