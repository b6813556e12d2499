// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "report/report_svg_layout.h"

#include <flitloom/routes/failures.h>

#define NODES_MAX 1024 // more cannot be told apart
#define SIDE_MAX 64

const struct loom_topo *loom_svg_shape(const struct loom_topo *topo)
{
	struct loom_failure_facts failed;
	return loom_topo_failure_facts(&failed, topo) ? failed.whole : topo;
}

static void lay_nodes(struct loom_svg_layout *out, const struct loom_topo *topo)
{
	const struct loom_topo *shape = loom_svg_shape(topo);
	uint32_t stride = 1, n = 0;
	*out = (struct loom_svg_layout){.topo = topo, .extent = {1, 1}, .stride = {1, 1}};
	for (unsigned d = 0; d < shape->n_dims; stride *= shape->extent[d++]) {
		if (shape->extent[d] < 2)
			continue;
		if (n < 2) {
			out->extent[n] = shape->extent[d];
			out->stride[n] = stride;
		}
		n++;
	}
	out->columns = out->extent[0];
	out->rows = out->extent[1];
	if (n == 1) {
		out->columns = out->columns > 256 ? 32 : out->columns > 16 ? 16 : out->columns;
		out->rows = (out->extent[0] + out->columns - 1) / out->columns;
	}
}

static void coordinates(uint32_t out[2], const struct loom_svg_layout *l, uint32_t node)
{
	for (unsigned d = 0; d < 2; d++)
		out[d] = node / l->stride[d] % l->extent[d];
}

void loom_svg_place(uint32_t *column, uint32_t *row, const struct loom_svg_layout *l, uint32_t node)
{
	uint32_t c[2];
	coordinates(c, l, node);
	*column = c[0] % l->columns;
	*row = l->extent[1] > 1 ? c[1] : c[0] / l->columns;
}

// One step along an extent, in a circle if need be; false: they are further apart.
static bool step(int *out, uint32_t from, uint32_t to, uint32_t extent)
{
	bool up = to > from;
	uint32_t distance = up ? to - from : from - to;
	*out = distance == 0 ? 0 : (distance == 1) == up ? 1 : -1;
	return distance <= 1 || distance == extent - 1;
}

static bool is_neighbour(struct loom_svg_arrow *a, const struct loom_svg_layout *l)
{
	uint32_t from[2], to[2];
	coordinates(from, l, a->u);
	coordinates(to, l, a->v);
	bool across = step(&a->dx, from[0], to[0], l->extent[0]), down = step(&a->dy, from[1], to[1], l->extent[1]);
	return across && down && a->u != a->v;
}

bool loom_svg_arrow_of(struct loom_svg_arrow *out, const struct loom_svg_layout *l, uint32_t u, unsigned p)
{
	uint32_t column[2], row[2];
	unsigned q;
	out->u = u;
	if (!l->topo->kind->link(l->topo, u, p, &out->v, &q))
		return false;
	(void)is_neighbour(out, l);
	loom_svg_place(&column[0], &row[0], l, u);
	loom_svg_place(&column[1], &row[1], l, out->v);
	out->edge = (int)column[1] - (int)column[0] != out->dx || (int)row[1] - (int)row[0] != out->dy;
	return true;
}

// Every link has a neighbour to lead to, no two of a node lead the same way, and none crosses another.
static bool all_readable(struct loom_svg_layout *l)
{
	bool rising = false, falling = false;
	for (uint32_t u = 0; u < l->topo->n_nodes; u++) {
		bool taken[9] = {false};
		for (unsigned p = 0; p < loom_topo_links(l->topo); p++) {
			struct loom_svg_arrow a;
			if (!loom_svg_arrow_of(&a, l, u, p))
				continue;
			if (!is_neighbour(&a, l) || taken[(a.dy + 1) * 3 + a.dx + 1])
				return false;
			taken[(a.dy + 1) * 3 + a.dx + 1] = true;
			rising = rising || a.dx * a.dy < 0;
			falling = falling || a.dx * a.dy > 0;
			l->edge_x = l->edge_x || (a.edge && a.dx);
			l->edge_y = l->edge_y || (a.edge && a.dy);
		}
	}
	return !(rising && falling);
}

bool loom_svg_lay_out(struct loom_svg_layout *out, const struct loom_topo *topo)
{
	const struct loom_topo *shape = loom_svg_shape(topo);
	unsigned n = 0;
	for (unsigned d = 0; d < shape->n_dims; d++)
		n += shape->extent[d] > 1;
	if (shape->graph || n < 1 || n > 2 || topo->n_nodes > NODES_MAX || loom_topo_links(topo) == 0 ||
	    shape->kind->complements_bits)
		return false;
	lay_nodes(out, topo);
	return out->columns <= SIDE_MAX && out->rows <= SIDE_MAX && all_readable(out);
}

unsigned loom_svg_twins_before(const struct loom_topo *topo, uint32_t u, unsigned k, uint32_t v)
{
	unsigned n = 0, q;
	for (unsigned p = 0; p < k; p++) {
		uint32_t other;
		n += topo->kind->link(topo, u, p, &other, &q) && other == v;
	}
	return n;
}
