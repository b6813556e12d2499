// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/routes/box.h"

#include <stdlib.h>

bool loom_box_has(const struct loom_topo *topo)
{
	return topo->kind->router == LOOM_ROUTER_ORDER || (topo->kind->spare_label_bits != 0 && !topo->graph);
}

int loom_box_init(struct loom_box *out, const struct loom_topo *topo, struct loom_err *err)
{
	size_t n = 0;
	for (unsigned d = 0; d < topo->n_dims; d++)
		n += topo->extent[d];
	uint32_t *room = malloc(n * sizeof *room);
	if (!room)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for routes on %s", topo->name);
	*out = (struct loom_box){.topo = topo, .per_tile = loom_topo_channels_per_tile(topo), .room = room};
	return 0;
}

void loom_box_free(struct loom_box *box)
{
	if (!box)
		return;
	free(box->room);
	*box = (struct loom_box){0};
}

static bool is_tie(const struct loom_topo *t, unsigned d, uint32_t x, uint32_t y)
{
	uint32_t extent = t->extent[d];
	return t->kind->wraps && extent > 2 && 2 * (y > x ? y - x : x - y) == extent;
}

// Returns the steps from coordinate x to y. *minus: they go by the - link.
static uint32_t way(bool *minus, const struct loom_topo *t, unsigned d, uint32_t x, uint32_t y, bool other_way)
{
	uint32_t extent = t->extent[d], up = y >= x ? y - x : extent - x + y;
	*minus = y < x;
	if (t->kind->wraps) {
		*minus = is_tie(t, d, x, y) ? other_way : up > extent - up;
		return *minus ? extent - up : up;
	}
	return *minus ? x - y : y - x;
}

static unsigned link_of(const struct loom_topo *t, unsigned d, bool minus)
{
	if (t->kind->complements_bits)
		return d;
	return 2 * d + (minus && !(t->kind->wraps && t->extent[d] == 2));
}

void loom_box_set(struct loom_box *box, uint32_t source, uint32_t destination, uint32_t ways)
{
	const struct loom_topo *t = box->topo;
	uint32_t *room = box->room, stride = 1;
	box->n_axes = 0;
	box->n_nodes = 1;
	box->n_hops = box->origin = 0;
	for (unsigned d = 0; d < t->n_dims; stride *= t->extent[d], d++) {
		uint32_t x = source % t->extent[d], y = destination % t->extent[d];
		unsigned a = box->n_axes;
		bool minus;
		source /= t->extent[d];
		destination /= t->extent[d];
		if (x == y) {
			box->origin += x * stride;
			continue;
		}
		box->n_axes++;
		box->steps[a] = way(&minus, t, d, x, y, ways >> d & 1);
		box->link[a] = link_of(t, d, minus);
		box->stride[a] = box->n_nodes;
		box->n_nodes *= box->steps[a] + 1;
		box->n_hops += box->steps[a];
		box->offset[a] = room;
		for (uint32_t c = 0; c <= box->steps[a]; c++) {
			*room++ = x * stride;
			x = minus ? (x == 0 ? t->extent[d] - 1 : x - 1) : (x + 1 == t->extent[d] ? 0 : x + 1);
		}
	}
}

uint32_t loom_box_ties(const struct loom_topo *t, uint32_t source, uint32_t destination)
{
	uint32_t ties = 0;
	for (unsigned d = 0; t->kind->wraps && d < t->n_dims; d++) {
		if (is_tie(t, d, source % t->extent[d], destination % t->extent[d]))
			ties |= UINT32_C(1) << d;
		source /= t->extent[d];
		destination /= t->extent[d];
	}
	return ties;
}

uint64_t loom_box_links(const struct loom_box *box)
{
	uint64_t n = 0;
	for (unsigned a = 0; a < box->n_axes; a++)
		n += box->n_nodes / (box->steps[a] + 1) * box->steps[a];
	return n;
}

// --- Rows ------------------------------------------------------------------------------------------------------------

// A row of the box along axis 0.
struct row {
	const struct loom_box *box;
	size_t index;                     // the index of its first node in the box
	uint32_t node;                    // the number of that node, without the part of axis 0
	uint32_t at[LOOM_DIMS_MAX];       // its coordinates along the other axes
	unsigned n_on, on[LOOM_DIMS_MAX]; // other axes that have a step left, the lowest first
};

static void place_row(struct row *row)
{
	const struct loom_box *box = row->box;
	row->node = box->origin;
	row->n_on = 0;
	for (unsigned a = 1; a < box->n_axes; a++) {
		row->node += box->offset[a][row->at[a]];
		if (row->at[a] < box->steps[a])
			row->on[row->n_on++] = a;
	}
}

// last_row and row_before walk from the destination's row to the source's. A box has at least one row; without axis 0
// it has one node.
static void last_row(struct row *out, const struct loom_box *box)
{
	out->box = box;
	out->index = box->n_nodes - 1 - (box->n_axes ? box->steps[0] : 0);
	for (unsigned a = 1; a < box->n_axes; a++)
		out->at[a] = box->steps[a];
	place_row(out);
}

static bool row_before(struct row *row)
{
	const struct loom_box *box = row->box;
	unsigned a = 1;
	if (row->index == 0)
		return false;
	row->index -= box->steps[0] + 1;
	while (row->at[a] == 0) {
		row->at[a] = box->steps[a];
		a++;
	}
	row->at[a]--;
	place_row(row);
	return true;
}

void loom_box_visit(const struct loom_box *box, void (*visit)(void *user, uint32_t channel), void *user)
{
	struct row row;
	if (box->n_axes == 0)
		return;
	last_row(&row, box);
	do
		for (uint32_t c = 0; c <= box->steps[0]; c++) {
			uint32_t base = (row.node + box->offset[0][c]) * box->per_tile;
			if (c < box->steps[0])
				visit(user, base + box->link[0]);
			for (unsigned i = 0; i < row.n_on; i++)
				visit(user, base + box->link[row.on[i]]);
		}
	while (row_before(&row));
}

// Does the same as loom_box_visit with an addition to each link, but faster.
void loom_box_add(uint64_t *label, const struct loom_box *box, uint64_t w)
{
	struct row row;
	if (box->n_axes == 0)
		return;
	last_row(&row, box);
	do {
		uint64_t *along = label + box->link[0];
		for (uint32_t c = 0; c < box->steps[0]; c++)
			along[(size_t)(row.node + box->offset[0][c]) * box->per_tile] += w;
		for (unsigned i = 0; i < row.n_on; i++) {
			uint64_t *on = label + box->link[row.on[i]];
			for (uint32_t c = 0; c <= box->steps[0]; c++)
				on[(size_t)(row.node + box->offset[0][c]) * box->per_tile] += w;
		}
	} while (row_before(&row));
}

// --- The best route --------------------------------------------------------------------------------------------------

int loom_box_search_init(struct loom_box_search *out, const struct loom_topo *topo, struct loom_err *err)
{
	*out = (struct loom_box_search){
		.best = malloc(topo->n_nodes * sizeof *out->best),
		.choice = malloc(topo->n_nodes * sizeof *out->choice),
	};
	if (out->best && out->choice)
		return 0;
	loom_box_search_free(out);
	return loom_fail(err, LOOM_ENOMEM, "out of memory for routes on %s", topo->name);
}

void loom_box_search_free(struct loom_box_search *search)
{
	if (!search)
		return;
	free(search->best);
	free(search->choice);
	*search = (struct loom_box_search){0};
}

static inline uint64_t join(bool is_sum, uint64_t here, uint64_t further)
{
	return is_sum ? here + further : here > further ? here : further;
}

// Finds the best next step for each node of the row, from the destination back.
static inline void fill_row(struct loom_box_search *s, const struct row *row, const uint64_t *value, bool is_sum,
                            uint64_t ties)
{
	const struct loom_box *box = row->box;
	uint32_t steps = box->steps[0];
	for (uint32_t c = steps + 1; c-- > 0;) {
		size_t i = row->index + c;
		const uint64_t *of_node = value + (size_t)(row->node + box->offset[0][c]) * box->per_tile;
		uint64_t best = i + 1 == box->n_nodes ? 0 : UINT64_MAX;
		uint8_t choice = 0;
		if (c < steps)
			best = join(is_sum, of_node[box->link[0]], s->best[i + 1]);
		for (unsigned k = 0; k < row->n_on; k++) {
			unsigned a = row->on[k];
			uint64_t other = join(is_sum, of_node[box->link[a]], s->best[i + box->stride[a]]);
			if (other < best || (is_sum && other == best && ties >> ((i + a) & 63) & 1)) {
				best = other;
				choice = (uint8_t)a;
			}
		}
		s->best[i] = best;
		s->choice[i] = choice;
	}
}

static inline uint64_t search_box(uint32_t *channel, const struct loom_box *box, const uint64_t *value, bool is_sum,
                                  uint64_t ties, struct loom_box_search *s)
{
	struct row row;
	uint32_t at[LOOM_DIMS_MAX] = {0}, node = box->origin;
	if (box->n_axes == 0)
		return 0;
	last_row(&row, box);
	do
		fill_row(s, &row, value, is_sum, ties);
	while (row_before(&row));
	if (!channel)
		return s->best[0];
	for (unsigned a = 0; a < box->n_axes; a++)
		node += box->offset[a][0];
	for (size_t i = 0; i + 1 < box->n_nodes;) {
		unsigned a = s->choice[i];
		*channel++ = node * box->per_tile + box->link[a];
		node += box->offset[a][at[a] + 1] - box->offset[a][at[a]];
		at[a]++;
		i += box->stride[a];
	}
	return s->best[0];
}

uint64_t loom_box_least_maximum(uint32_t *channel, const struct loom_box *box, const uint64_t *label,
                                struct loom_box_search *search)
{
	return search_box(channel, box, label, false, 0, search);
}

uint64_t loom_box_least_sum(uint32_t *channel, const struct loom_box *box, const uint64_t *cost, uint64_t ties,
                            struct loom_box_search *search)
{
	return search_box(channel, box, cost, true, ties, search);
}
