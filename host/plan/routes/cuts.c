// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// All minimal routes of a message cross the same cuts. A cut lies between two coordinates of a dimension, and counts
// one direction. A message half-way round a ring may go either way, and is not counted. Longer routes cross the same
// cuts, too, unless there are rings. Without coordinates, or with detours round rings, a message still leaves its
// source and enters its destination.
#include "plan/routes/cuts.h"

#include <stdlib.h>
#include <string.h>

#include "plan/routes/box.h"
#include "plan/routes/routes_internal.h"
#include "topo/grid.h"

static unsigned dimension_of(const struct loom_topo *t, unsigned link)
{
	return t->kind->complements_bits ? link : link / 2;
}

// Adds message m to crossing[link * most + x], the load that leaves coordinate x by that link.
static void count(uint64_t *crossing, uint32_t most, struct loom_box *box, const struct loom_message *m, uint64_t w)
{
	const struct loom_topo *t = box->topo;
	uint32_t ties = loom_box_ties(t, m->source, m->destination);
	loom_box_set(box, m->source, m->destination, 0);
	for (unsigned a = 0; a < box->n_axes; a++) {
		unsigned d = dimension_of(t, box->link[a]);
		uint32_t stride = loom_grid_stride(t, d);
		for (uint32_t c = 0; c < box->steps[a] && !(ties >> d & 1); c++)
			crossing[box->link[a] * most + box->offset[a][c] / stride] += w;
	}
}

// True if the first of two cuts has more load per link.
static bool is_busier(uint64_t crossing, uint64_t lines, uint64_t than, uint64_t than_lines)
{
	return (double)crossing * (double)than_lines > (double)than * (double)lines;
}

static void set_prices(uint64_t *price, const struct loom_topo *t, unsigned link, uint32_t x)
{
	unsigned d = dimension_of(t, link);
	uint32_t stride = loom_grid_stride(t, d), per_tile = loom_topo_channels_per_tile(t);
	for (uint32_t u = 0; u < t->n_nodes; u++)
		if (u / stride % t->extent[d] == x)
			price[(size_t)u * per_tile + link] = 1;
}

static int price_coordinates(uint64_t *bound, uint64_t *price, const struct loom_demand *demand, struct loom_err *err)
{
	const struct loom_topo *t = demand->topo;
	struct loom_box box = {0};
	uint32_t most = 0, best_x = 0;
	unsigned best_link = 0;
	uint64_t busiest = 0, its_lines = 1;
	for (unsigned d = 0; d < t->n_dims; d++)
		most = t->extent[d] > most ? t->extent[d] : most;
	uint64_t *crossing = calloc((size_t)loom_topo_links(t) * most, sizeof *crossing);
	int rc = crossing ? loom_box_init(&box, t, err)
	                  : loom_fail(err, LOOM_ENOMEM, "out of memory for a bound on %s", t->name);
	if (rc != 0) {
		free(crossing);
		return rc;
	}
	for (size_t i = 0; i < demand->n; i++)
		count(crossing, most, &box, &demand->messages[i],
		      loom_routes_weight(&demand->messages[i], demand->load));
	for (unsigned link = 0; link < loom_topo_links(t); link++) {
		uint64_t lines = t->n_nodes / t->extent[dimension_of(t, link)];
		for (uint32_t x = 0; x < most; x++)
			if (is_busier(crossing[link * most + x], lines, busiest, its_lines)) {
				busiest = crossing[link * most + x];
				its_lines = lines;
				best_link = link;
				best_x = x;
			}
	}
	if (busiest != 0)
		set_prices(price, t, best_link, best_x);
	*bound = (busiest + its_lines - 1) / its_lines;
	free(crossing);
	loom_box_free(&box);
	return 0;
}

// Counts the load that leaves node u in crossing[2 u], and the load that enters it in crossing[2 u + 1], and in `links`
// the links.
static void count_nodes(uint64_t *crossing, uint32_t *links, const struct loom_demand *demand)
{
	const struct loom_topo *t = demand->topo;
	for (size_t i = 0; i < demand->n; i++) {
		const struct loom_message *m = &demand->messages[i];
		uint64_t w = loom_routes_weight(m, demand->load);
		if (m->source == m->destination)
			continue;
		crossing[2 * (size_t)m->source] += w;
		crossing[2 * (size_t)m->destination + 1] += w;
	}
	for (uint32_t u = 0; u < t->n_nodes; u++)
		for (unsigned p = 0; p < loom_topo_links(t); p++) {
			uint32_t v;
			unsigned back;
			if (!t->kind->link(t, u, p, &v, &back))
				continue;
			links[2 * (size_t)u]++;
			links[2 * (size_t)v + 1]++;
		}
}

static int price_nodes(uint64_t *bound, uint64_t *price, const struct loom_demand *demand, struct loom_err *err)
{
	const struct loom_topo *t = demand->topo;
	size_t n_cuts = 2 * (size_t)t->n_nodes, best = 0;
	uint64_t busiest = 0, its_links = 1;
	uint32_t *links = calloc(n_cuts, sizeof *links), per_tile = loom_topo_channels_per_tile(t);
	uint64_t *crossing = calloc(n_cuts, sizeof *crossing);
	int rc = links && crossing ? 0 : loom_fail(err, LOOM_ENOMEM, "out of memory for a bound on %s", t->name);
	if (rc == 0) {
		count_nodes(crossing, links, demand);
		for (size_t k = 0; k < n_cuts; k++)
			if (is_busier(crossing[k], links[k], busiest, its_links)) {
				busiest = crossing[k];
				its_links = links[k];
				best = k;
			}
	}
	for (uint32_t u = 0; busiest != 0 && u < t->n_nodes; u++)
		for (unsigned p = 0; p < loom_topo_links(t); p++) {
			uint32_t v;
			unsigned back;
			if (t->kind->link(t, u, p, &v, &back) && (best & 1 ? v : u) == best / 2)
				price[(size_t)u * per_tile + p] = 1;
		}
	*bound = (busiest + its_links - 1) / its_links;
	free(links);
	free(crossing);
	return rc;
}

int loom_cuts_price(uint64_t *bound, uint64_t *price, const struct loom_demand *demand, struct loom_err *err)
{
	const struct loom_topo *t = demand->topo;
	memset(price, 0, loom_topo_channels(t) * sizeof *price);
	return loom_box_has(t) && !(demand->detours > 0 && t->kind->wraps)
	               ? price_coordinates(bound, price, demand, err)
	               : price_nodes(bound, price, demand, err);
}
