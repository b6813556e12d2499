// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The channels of a direct network as it lies: an arrow each, coloured by its load. A channel between nodes that do not lie
// side by side is drawn at both of its ends: out of the one, at an edge, and into the other.
#include <inttypes.h>
#include <math.h>

#include "report/report_svg_blocks.h"
#include "report/report_svg_grid.h"
#include "report/report_svg_slow.h"
#include "topo/topo_otis.h"

// In parts of the pitch.
#define SLOW 0.05       // from the tail of an arrow to the bar of a slow link
#define GRAPH_SLOW 0.25 // the same of a graph, of its length
#define SHAFT 0.36      // of an arrow's breadth, from its middle to the edge of its shaft
#define LANE 0.2        // breadth of an arrow: two lie side by side, each on the right of the way it leads
#define GRAPH_LANE 0.15
#define TITLED_MOST 128     // nodes of a network whose channels have titles where they are marked, too
#define DIAGONAL 0.16       // breadth of one that leads to both sides
#define DIAGONAL_BEGIN 0.47 // from the middle of a box to where that begins: clear of straight ones

struct loom_svg_point loom_grid_middle(const struct loom_grid_drawing *d, struct loom_svg_point origin, uint32_t node)
{
	uint32_t column, row;
	if (d->places.at)
		return (struct loom_svg_point){
			origin.x + d->edge_x + (d->places.at[node].x + LOOM_GRID_NODE / 2) * d->pitch,
			origin.y + d->edge_y + (d->places.at[node].y + LOOM_GRID_NODE / 2) * d->pitch};
	loom_svg_place(&column, &row, &d->at, node);
	return (struct loom_svg_point){origin.x + d->edge_x + (column + LOOM_GRID_NODE / 2) * d->pitch,
	                               origin.y + d->edge_y + (row + LOOM_GRID_NODE / 2) * d->pitch};
}

// The span from node to node, in parts of the pitch.
static struct loom_svg_point span_of(const struct loom_grid_drawing *d, const struct loom_svg_arrow *a)
{
	if (!d->places.at)
		return (struct loom_svg_point){a->dx, a->dy};
	return (struct loom_svg_point){d->places.at[a->v].x - d->places.at[a->u].x,
	                               d->places.at[a->v].y - d->places.at[a->u].y};
}

static struct loom_svg_point way_of(const struct loom_grid_drawing *d, const struct loom_svg_arrow *a)
{
	struct loom_svg_point span = span_of(d, a);
	double length = hypot(span.x, span.y);
	return (struct loom_svg_point){span.x / length, span.y / length};
}

// Computes how broad an arrow is. Links of a graph that lie side by side share the height of a node's box.
static double breadth_of(const struct loom_grid_drawing *d, const struct loom_svg_arrow *a)
{
	if (d->places.at)
		return d->pitch * fmin(GRAPH_LANE, LOOM_GRID_NODE / 2 /
		                                           loom_svg_twins_before(d->at.topo, a->u,
		                                                                 loom_topo_links(d->at.topo), a->v));
	return d->pitch * (a->dx && a->dy ? DIAGONAL : LANE);
}

// The distance of an arrow's middle from the line between the boxes.
static double lane_of(const struct loom_grid_drawing *d, const struct loom_svg_arrow *a, uint32_t channel)
{
	const unsigned k = channel % loom_topo_channels_per_tile(d->at.topo);
	const unsigned before = d->places.at ? loom_svg_twins_before(d->at.topo, a->u, k, a->v) : 0;
	return (0.5 + before) * breadth_of(d, a) + 0.01 * d->pitch;
}

// The distance from the middle of a box to where an arrow may begin, and the length of one from box to box.
static double begin_of(const struct loom_grid_drawing *d, const struct loom_svg_arrow *a)
{
	if (d->places.at) { // where a line to the middle of the box comes in
		struct loom_svg_point way = way_of(d, a);
		return d->pitch * (LOOM_GRID_NODE / 2 / fmax(fabs(way.x), fabs(way.y)) + 0.02);
	}
	return d->pitch * (a->dx && a->dy ? DIAGONAL_BEGIN : LOOM_GRID_NODE / 2 + 0.02);
}

static double length_of(const struct loom_grid_drawing *d, const struct loom_svg_arrow *a)
{
	return a->edge ? LOOM_GRID_STUB * d->pitch
	               : d->pitch * hypot(span_of(d, a).x, span_of(d, a).y) - 2 * begin_of(d, a);
}

// `relative`: to the corner before, which is shorter.
static void put_outline(FILE *stream, struct loom_svg_point tail, struct loom_svg_point way, double length,
                        double breadth, bool relative)
{
	static const double shaft = SHAFT, head = 0.5, head_length = 0.75; // in parts of the breadth
	const double neck = length - head_length * breadth;
	const struct {
		double along, right;
	} corners[] = {{0, -shaft},  {neck, -shaft}, {neck, -head}, {length, 0},
	               {neck, head}, {neck, shaft},  {0, shaft}};
	struct loom_svg_point before = {0, 0};
	for (size_t i = 0; i < sizeof corners / sizeof corners[0]; i++) {
		struct loom_svg_point at = loom_svg_beside(tail, way, corners[i].along, corners[i].right * breadth);
		if (relative && i)
			(void)fprintf(stream, "l%.3g %.3g", at.x - before.x, at.y - before.y);
		else
			(void)fprintf(stream, "%c%.1f %.1f", i ? 'L' : 'M', at.x, at.y);
		before = at;
	}
	(void)fputc('z', stream);
}

// The load of a channel.
struct load {
	const struct loom_panel *panel;
	uint32_t channel, messages;
};

// Puts the load in the middle of an arrow's shaft, if it can be read there; upright where it fits.
static void put_load(const struct loom_grid_picture *p, struct loom_svg_point tail, struct loom_svg_point way,
                     double length, double arrow_breadth, const struct load *it)
{
	const double breadth = 0.72 * arrow_breadth, shaft = length - 0.75 * arrow_breadth;
	char text[16], turned[64] = "";
	const uint32_t load = it->messages;
	(void)snprintf(text, sizeof text, "%" PRIu32, load);
	double size = fmin(fmin(10, 1.05 * breadth), shaft / loom_svg_width(text, 1, false));
	if ((load == 0 && !it->panel->marked) || size < LOOM_GRID_FONT_MIN)
		return;
	struct loom_svg_point at = loom_svg_beside(tail, way, shaft / 2, 0);
	if (fabs(way.y) > 0.1 && loom_svg_width(text, size, false) > 1.1 * breadth)
		(void)snprintf(turned, sizeof turned, " transform=\"rotate(%d %.1f %.1f)\"",
		               fabs(way.x) < 0.1   ? -90
		               : way.x * way.y < 0 ? -45
		                                   : 45,
		               at.x, at.y);
	(void)fputs("<text", p->stream);
	loom_svg_mark(p->stream, it->panel, 't', it->channel);
	(void)fprintf(p->stream,
	              " x=\"%.1f\" y=\"%.1f\" font-size=\"%.3g\" class=\"on\" fill=\"%s\"%s%s>%s"
	              "</text>\n",
	              at.x, at.y + 0.36 * size, size, loom_report_ink_on(load, p->max),
	              it->panel->marked ? "" : " text-anchor=\"middle\"", turned, load ? text : "");
}

// The number of the node to which an arrow at an edge leads, beyond the arrow that comes back.
static void put_far_end(const struct loom_grid_picture *p, const struct loom_grid_drawing *d,
                        const struct loom_svg_arrow *a, struct loom_svg_point from)
{
	struct loom_svg_point way = way_of(d, a);
	char text[16];
	(void)snprintf(text, sizeof text, "%" PRIu32, a->v);
	double room = a->dx ? 24 : d->pitch - 2, size = fmin(9, room / loom_svg_width(text, 1, false));
	if (size < LOOM_GRID_FONT_MIN)
		return;
	struct loom_svg_point at =
		loom_svg_beside(from, way, begin_of(d, a) + length_of(d, a) + (a->dx ? 2 : 0.5 * size + 1), 0);
	const char *anchor = a->dx > 0   ? "fill=\"" LOOM_SVG_GREY "\" text-anchor=\"start\""
	                     : a->dx < 0 ? "fill=\"" LOOM_SVG_GREY "\" text-anchor=\"end\""
	                                 : "fill=\"" LOOM_SVG_GREY "\" text-anchor=\"middle\"";
	loom_svg_text(p->stream, at.x, at.y + 0.36 * size, size, room + 1, anchor, text);
}

// Ends a path with a title that says what is known of its channel; without one on a page with a large network, where
// the page's script shows it.
static void put_title(const struct loom_grid_picture *p, const struct loom_grid_drawing *d, uint32_t channel)
{
	char name[48];
	if (d->panel->marked && d->at.topo->n_nodes > TITLED_MOST) {
		(void)fputs("\"/>\n", p->stream);
		return;
	}
	loom_topo_channel_name(d->at.topo, channel, name);
	(void)fputs("\"><title>", p->stream);
	loom_svg_escaped(p->stream, name);
	(void)fprintf(p->stream, ": %" PRIu32, d->load[channel]);
	loom_svg_slow_title(p->stream, d->at.topo, channel);
	loom_svg_waits_channel(p->stream, &d->waits, d->panel->pass, channel);
	(void)fputs("</title></path>\n", p->stream);
}

static void put_arrow(const struct loom_grid_picture *p, const struct loom_grid_drawing *d,
                      const struct loom_svg_arrow *a, uint32_t channel, struct loom_svg_point origin)
{
	struct loom_svg_point way = way_of(d, a), from = loom_grid_middle(d, origin, a->u),
			      to = loom_grid_middle(d, origin, a->v);
	double breadth = breadth_of(d, a), lane = lane_of(d, a, channel), begin = begin_of(d, a),
	       length = length_of(d, a);
	uint32_t load = d->load[channel];
	struct loom_svg_point tail = loom_svg_beside(from, way, begin, lane);
	struct loom_svg_point last =
		loom_svg_beside(to, way, -begin - length, lane); // the tail of the part at the other edge
	char colour[8];
	loom_report_colour(colour, load, p->max);
	(void)fputs("<path", p->stream);
	loom_svg_mark(p->stream, d->panel, 'c', channel);
	(void)fprintf(p->stream, " fill=\"%s\"", colour);
	if (load == d->contention && load > 1)
		(void)fprintf(p->stream, " stroke=\"" LOOM_REPORT_INK "\" stroke-width=\"%.2g\"", d->pitch / 45);
	(void)fputs(" d=\"", p->stream);
	put_outline(p->stream, tail, way, length, breadth, d->panel->marked);
	if (a->edge)
		put_outline(p->stream, last, way, length, breadth, d->panel->marked);
	put_title(p, d, channel);
	const struct load shown = {d->panel, channel, load};
	put_load(p, tail, way, length, breadth, &shown);
	if (!a->edge)
		return;
	put_load(p, last, way, length, breadth, &shown);
	put_far_end(p, d, a, from);
}

// Light, which has other nodes on its way: an arc.
static void put_arc(const struct loom_grid_picture *p, const struct loom_grid_drawing *d,
                    const struct loom_svg_arrow *a, uint32_t channel, struct loom_svg_point origin)
{
	struct loom_svg_point from = loom_grid_middle(d, origin, a->u), to = loom_grid_middle(d, origin, a->v), bend;
	uint32_t load = d->load[channel];
	char colour[8];
	loom_report_colour(colour, load, p->max);
	loom_svg_arc_bend(&bend.x, &bend.y, from.x, from.y, to.x, to.y);
	double breadth = load ? d->pitch / 22 : 0.5;
	char way[96];
	(void)snprintf(way, sizeof way, "M%.1f %.1fQ%.1f %.1f %.1f %.1f", from.x, from.y, bend.x, bend.y, to.x, to.y);
	if (load == d->contention && load > 1)
		(void)fprintf(p->stream,
		              "<path fill=\"none\" stroke=\"" LOOM_REPORT_INK "\" stroke-width=\"%.2g\" d=\"%s\"/>\n",
		              breadth + d->pitch / 22, way);
	(void)fputs("<path", p->stream);
	loom_svg_mark(p->stream, d->panel, 'c', channel);
	(void)fprintf(p->stream, " fill=\"none\" stroke=\"%s\" stroke-width=\"%.2g\" d=\"%s", colour, breadth, way);
	put_title(p, d, channel);
}

static bool is_light(const struct loom_grid_drawing *d, uint32_t channel)
{
	return d->places.blocks && channel % loom_topo_channels_per_tile(d->at.topo) == LOOM_OTIS_OPTICAL;
}

static void put_channel(const struct loom_grid_picture *p, const struct loom_grid_drawing *d,
                        const struct loom_svg_arrow *a, uint32_t channel, struct loom_svg_point origin)
{
	(is_light(d, channel) ? put_arc : put_arrow)(p, d, a, channel, origin);
}

static bool arrow_of_graph(struct loom_svg_arrow *out, const struct loom_topo *topo, uint32_t u, unsigned p)
{
	unsigned q;
	*out = (struct loom_svg_arrow){.u = u};
	return topo->kind->link(topo, u, p, &out->v, &q);
}

static void put_slow(const struct loom_grid_picture *p, const struct loom_grid_drawing *d,
                     const struct loom_svg_arrow *a, uint32_t channel, struct loom_svg_point origin)
{
	const struct loom_svg_point way = way_of(d, a), from = loom_grid_middle(d, origin, a->u),
				    to = loom_grid_middle(d, origin, a->v);
	const double breadth = breadth_of(d, a), along = d->places.at ? GRAPH_SLOW * length_of(d, a) : SLOW * d->pitch;
	struct loom_svg_point at = loom_svg_beside(from, way, begin_of(d, a) + along, lane_of(d, a, channel));
	const bool light = is_light(d, channel);
	if (light)
		loom_svg_arc_at(&at.x, &at.y, from.x, from.y, to.x, to.y, 0.5);
	loom_svg_slow_bar(p->stream, d->at.topo, channel,
	                  &(struct loom_svg_slow){at.x, at.y, way.x, way.y, light ? 0 : SHAFT * breadth, d->pitch},
	                  p->delays);
}

// Draws something at every channel.
static void put_each(void (*put)(const struct loom_grid_picture *p, const struct loom_grid_drawing *d,
                                 const struct loom_svg_arrow *a, uint32_t channel, struct loom_svg_point origin),
                     const struct loom_grid_picture *p, const struct loom_grid_drawing *d, struct loom_svg_point origin)
{
	const struct loom_topo *topo = d->at.topo;
	for (uint32_t u = 0; u < topo->n_nodes; u++)
		for (unsigned k = 0; k < loom_topo_links(topo); k++) {
			struct loom_svg_arrow arrow;
			if (d->places.at ? arrow_of_graph(&arrow, topo, u, k) : loom_svg_arrow_of(&arrow, &d->at, u, k))
				put(p, d, &arrow, u * loom_topo_channels_per_tile(topo) + k, origin);
		}
}

void loom_grid_channels(const struct loom_grid_picture *p, const struct loom_grid_drawing *d,
                        struct loom_svg_point origin)
{
	struct loom_svg_delays delays = {0};
	struct loom_grid_picture above = *p; // above all arrows
	above.delays = &delays;
	put_each(put_channel, p, d, origin);
	if (d->at.topo->link_delay > 0)
		put_each(put_slow, &above, d, origin);
}
