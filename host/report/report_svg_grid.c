// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A direct network of one or two dimensions as it lies: nodes as boxes at their coordinates, the first to the right, the
// second downwards, every channel an arrow coloured by its load. One dimension is wrapped into rows like text. A channel
// between nodes that do not lie side by side is drawn at both of its ends: out of the one, at an edge, and into the other.
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/report_svg.h"
#include "report/report_svg_layout.h"
#include "report/report_svg_loads.h"

#define PITCH_MIN 26.0
#define PITCH_MAX 64.0
#define PITCHES 720.0 // pixels that the longer side is about, between the two
#define ROW_MAX 1700  // pixels of drawings side by side
#define WIDTH_MIN 420 // a heading needs room
#define WIDTH_LEAST 720
#define FONT_MIN 6.5 // smaller numbers are left out
#define BAR_WIDTH 160
#define BAR_PITCH 190
#define BAR_HEIGHT 36
#define HEAD 10 // between the heading and the nodes
#define FOOT 40 // for the line that names the heaviest channel
#define LEGEND_HEIGHT 114

// All in parts of the pitch.
#define NODE 0.44 // side of a box
#define LANE 0.2  // breadth of an arrow: two lie side by side, each on the right of the way it leads
#define STUB 0.4
#define DIAGONAL 0.16       // breadth of one that leads to both sides
#define DIAGONAL_BEGIN 0.47 // from the middle of a box to where that begins: clear of straight ones

struct drawing {
	const struct loom_panel *panel;
	struct loom_svg_layout at;
	uint32_t n_sets;
	struct loom_svg_set *sets;                 // owned
	uint32_t *load;                            // owned, per channel: its largest of the passes drawn
	uint32_t contention, heaviest, n_heaviest; // heaviest: the first channel with that load
	uint32_t bars;                             // side by side
	bool numbered, beside; // numbers fit into the nodes; else, where there is room, beside rows and columns
	double pitch, edge_x, edge_y, width, height;
};

struct picture {
	FILE *stream;
	size_t n_drawings;
	struct drawing *drawings; // owned
	uint32_t max;
	double width, height;
	bool stacked;
};

struct point {
	double x, y;
};

// --- What there is to draw -----------------------------------------------------------------------------------------

static void free_drawing(struct drawing *d)
{
	loom_svg_sets_free(d->sets, d->n_sets);
	free(d->load);
}

static void find_heaviest(struct drawing *d)
{
	for (uint32_t s = 0; s < d->n_sets; s++)
		for (uint32_t i = 0; i < d->sets[s].n; i++) {
			uint32_t c = d->sets[s].channels[i], load = d->load[c];
			bool more = load > d->contention || d->n_heaviest == 0;
			if (!more && load < d->contention)
				continue;
			d->n_heaviest = more ? 1 : d->n_heaviest + 1;
			d->heaviest = more || c < d->heaviest ? c : d->heaviest;
			d->contention = load;
		}
}

static double grid_height(const struct drawing *d)
{
	return (d->at.rows - 1 + NODE) * d->pitch + 2 * d->edge_y;
}

// Of the numbers in the boxes: all of one size.
static double number_size(const struct drawing *d)
{
	char text[16];
	(void)snprintf(text, sizeof text, "%" PRIu32, d->at.topo->n_nodes - 1);
	return fmin(12, (NODE * d->pitch - 2) / loom_svg_width(text, 1, false));
}

static int fill_drawing(struct drawing *d, const struct loom_panel *panel)
{
	const struct loom_topo *topo = &panel->plan->topo;
	uint32_t longer, n_lines;
	d->panel = panel;
	(void)loom_svg_lay_out(&d->at, topo);
	d->load = loom_svg_loads(panel);
	if (!d->load || loom_svg_sets(&d->sets, &d->n_sets, topo, d->load) != 0)
		return LOOM_ENOMEM;
	find_heaviest(d);
	longer = d->at.columns > d->at.rows ? d->at.columns : d->at.rows;
	d->pitch = fmin(fmax(PITCHES / longer, PITCH_MIN), PITCH_MAX);
	d->numbered = number_size(d) >= FONT_MIN;
	d->beside = !d->numbered && !d->at.edge_x && !d->at.edge_y;
	d->edge_x = d->at.edge_x ? STUB * d->pitch + 28 : d->beside ? 30 : 0; // and a number
	d->edge_y = d->at.edge_y ? STUB * d->pitch + 16 : d->beside ? 14 : 0;
	d->width = fmax((d->at.columns - 1 + NODE) * d->pitch + 2 * d->edge_x, WIDTH_MIN);
	d->bars = (uint32_t)((d->width + BAR_PITCH - BAR_WIDTH) / BAR_PITCH);
	d->bars = d->bars < d->n_sets ? d->bars : d->n_sets;
	n_lines = (d->n_sets + d->bars - 1) / d->bars;
	d->bars = (d->n_sets + n_lines - 1) / n_lines;
	d->height = LOOM_SVG_HEADING + HEAD + grid_height(d) + FOOT + n_lines * BAR_HEIGHT;
	return 0;
}

// --- Drawing -------------------------------------------------------------------------------------------------------

static struct point middle_of(const struct drawing *d, struct point origin, uint32_t node)
{
	uint32_t column, row;
	loom_svg_place(&column, &row, &d->at, node);
	return (struct point){origin.x + d->edge_x + (column + NODE / 2) * d->pitch,
	                      origin.y + d->edge_y + (row + NODE / 2) * d->pitch};
}

static struct point move(struct point from, struct point way, double along, double right)
{
	return (struct point){from.x + along * way.x - right * way.y, from.y + along * way.y + right * way.x};
}

static struct point way_of(const struct loom_svg_arrow *a)
{
	double length = hypot(a->dx, a->dy);
	return (struct point){a->dx / length, a->dy / length};
}

static double breadth_of(const struct drawing *d, const struct loom_svg_arrow *a)
{
	return d->pitch * (a->dx && a->dy ? DIAGONAL : LANE);
}

// From the middle of a box to where an arrow may begin, and the length of one from box to box.
static double begin_of(const struct drawing *d, const struct loom_svg_arrow *a)
{
	return d->pitch * (a->dx && a->dy ? DIAGONAL_BEGIN : NODE / 2 + 0.02);
}

static double length_of(const struct drawing *d, const struct loom_svg_arrow *a)
{
	return a->edge ? STUB * d->pitch : d->pitch * hypot(a->dx, a->dy) - 2 * begin_of(d, a);
}

static void put_outline(FILE *stream, struct point tail, struct point way, double length, double breadth)
{
	static const double shaft = 0.36, head = 0.5, head_length = 0.75; // in parts of the breadth
	const double neck = length - head_length * breadth;
	const struct {
		double along, right;
	} corners[] = {{0, -shaft},  {neck, -shaft}, {neck, -head}, {length, 0},
	               {neck, head}, {neck, shaft},  {0, shaft}};
	for (size_t i = 0; i < sizeof corners / sizeof corners[0]; i++) {
		struct point at = move(tail, way, corners[i].along, corners[i].right * breadth);
		(void)fprintf(stream, "%c%.1f %.1f", i ? 'L' : 'M', at.x, at.y);
	}
	(void)fputc('z', stream);
}

// In the middle of an arrow's shaft, if it can be read there; upright where it fits.
static void put_load(const struct picture *p, struct point tail, struct point way, double length, double arrow_breadth,
                     uint32_t load)
{
	const double breadth = 0.72 * arrow_breadth, shaft = length - 0.75 * arrow_breadth;
	char text[16], turned[64] = "";
	(void)snprintf(text, sizeof text, "%" PRIu32, load);
	double size = fmin(fmin(10, 1.05 * breadth), shaft / loom_svg_width(text, 1, false));
	if (load == 0 || size < FONT_MIN)
		return;
	struct point at = move(tail, way, shaft / 2, 0);
	if (fabs(way.y) > 0.1 && loom_svg_width(text, size, false) > 1.1 * breadth)
		(void)snprintf(turned, sizeof turned, " transform=\"rotate(%d %.1f %.1f)\"",
		               fabs(way.x) < 0.1   ? -90
		               : way.x * way.y < 0 ? -45
		                                   : 45,
		               at.x, at.y);
	(void)fprintf(p->stream,
	              "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.3g\" fill=\"%s\" text-anchor=\"middle\"%s>%s</text>\n",
	              at.x, at.y + 0.36 * size, size, loom_report_ink_on(load, p->max), turned, text);
}

// The number of the node to which an arrow at an edge leads, beyond the arrow that comes back.
static void put_far_end(const struct picture *p, const struct drawing *d, const struct loom_svg_arrow *a,
                        struct point from)
{
	struct point way = way_of(a);
	char text[16];
	(void)snprintf(text, sizeof text, "%" PRIu32, a->v);
	double room = a->dx ? 24 : d->pitch - 2, size = fmin(9, room / loom_svg_width(text, 1, false));
	if (size < FONT_MIN)
		return;
	struct point at = move(from, way, begin_of(d, a) + length_of(d, a) + (a->dx ? 2 : 0.5 * size + 1), 0);
	const char *anchor = a->dx > 0   ? "fill=\"" LOOM_SVG_GREY "\" text-anchor=\"start\""
	                     : a->dx < 0 ? "fill=\"" LOOM_SVG_GREY "\" text-anchor=\"end\""
	                                 : "fill=\"" LOOM_SVG_GREY "\" text-anchor=\"middle\"";
	loom_svg_text(p->stream, at.x, at.y + 0.36 * size, size, room + 1, anchor, text);
}

static void put_channel(const struct picture *p, const struct drawing *d, const struct loom_svg_arrow *a,
                        uint32_t channel, struct point origin)
{
	const struct loom_topo *topo = d->at.topo;
	struct point way = way_of(a), from = middle_of(d, origin, a->u), to = middle_of(d, origin, a->v);
	double breadth = breadth_of(d, a), lane = breadth / 2 + 0.01 * d->pitch, begin = begin_of(d, a),
	       length = length_of(d, a);
	uint32_t load = d->load[channel];
	struct point tail = move(from, way, begin, lane);
	struct point last = move(to, way, -begin - length, lane); // the tail of the part at the other edge
	char colour[8], name[48];
	loom_report_colour(colour, load, p->max);
	loom_topo_channel_name(topo, channel, name);
	(void)fprintf(p->stream, "<path fill=\"%s\"", colour);
	if (channel == d->heaviest && d->contention > 1)
		(void)fprintf(p->stream, " stroke=\"" LOOM_REPORT_INK "\" stroke-width=\"%.2g\"", d->pitch / 45);
	(void)fputs(" d=\"", p->stream);
	put_outline(p->stream, tail, way, length, breadth);
	if (a->edge)
		put_outline(p->stream, last, way, length, breadth);
	(void)fputs("\"><title>", p->stream);
	loom_svg_escaped(p->stream, name);
	(void)fprintf(p->stream, ": %" PRIu32 "</title></path>\n", load);
	put_load(p, tail, way, length, breadth, load);
	if (!a->edge)
		return;
	put_load(p, last, way, length, breadth, load);
	put_far_end(p, d, a, from);
}

static void put_channels(const struct picture *p, const struct drawing *d, struct point origin)
{
	const struct loom_topo *topo = d->at.topo;
	for (uint32_t u = 0; u < topo->n_nodes; u++)
		for (unsigned k = 0; k < loom_topo_links(topo); k++) {
			struct loom_svg_arrow arrow;
			if (loom_svg_arrow_of(&arrow, &d->at, u, k))
				put_channel(p, d, &arrow, u * loom_topo_channels_per_tile(topo) + k, origin);
		}
}

static void put_nodes(const struct picture *p, const struct drawing *d, struct point origin)
{
	char text[16];
	const double side = NODE * d->pitch, size = number_size(d);
	for (uint32_t node = 0; node < d->at.topo->n_nodes; node++) {
		struct point at = middle_of(d, origin, node);
		(void)fprintf(p->stream,
		              "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"%.1f\" fill=\"#f4f6f8\" "
		              "stroke=\"#aab2bc\" stroke-width=\"%g\"><title>node %" PRIu32 "</title></rect>\n",
		              at.x - side / 2, at.y - side / 2, side, side, side / 8, d->pitch < 40 ? 0.6 : 1.0, node);
		(void)snprintf(text, sizeof text, "%" PRIu32, node);
		if (d->numbered)
			loom_svg_text(p->stream, at.x, at.y + 0.36 * size, size, side,
			              "fill=\"" LOOM_REPORT_INK "\" text-anchor=\"middle\"", text);
	}
}

// The first node of each row at its left, of each column above it.
static void put_numbers_beside(const struct picture *p, const struct drawing *d, struct point origin)
{
	const char *const end = "fill=\"" LOOM_SVG_GREY "\" text-anchor=\"end\"";
	char text[16];
	for (uint32_t node = 0; node < d->at.topo->n_nodes; node++) {
		uint32_t column, row;
		struct point at = middle_of(d, origin, node);
		loom_svg_place(&column, &row, &d->at, node);
		(void)snprintf(text, sizeof text, "%" PRIu32, node);
		if (column == 0)
			loom_svg_text(p->stream, origin.x + d->edge_x - 4, at.y + 3, 9, d->edge_x - 4, end, text);
		if (row == 0)
			loom_svg_text(p->stream, at.x, origin.y + d->edge_y - 5, 9, d->pitch - 2,
			              "fill=\"" LOOM_SVG_GREY "\" text-anchor=\"middle\"", text);
	}
}

static void put_heaviest(const struct picture *p, const struct drawing *d, double x, double y)
{
	char text[160], name[48];
	loom_topo_channel_name(d->at.topo, d->heaviest, name);
	if (d->contention < 2)
		(void)snprintf(text, sizeof text, "no channel carries more than one message");
	else if (d->n_heaviest == 1)
		(void)snprintf(text, sizeof text, "heaviest: %s, %" PRIu32 " messages", name, d->contention);
	else
		(void)snprintf(text, sizeof text, "heaviest: %s, %" PRIu32 " messages; %" PRIu32 " more with as many",
		               name, d->contention, d->n_heaviest - 1);
	loom_svg_text(p->stream, x, y, 12.5, d->width, "fill=\"" LOOM_REPORT_INK "\"", text);
}

static void put_bars(const struct picture *p, const struct drawing *d, double x, double y)
{
	for (uint32_t s = 0; s < d->n_sets; s++) {
		double left = x + s % d->bars * BAR_PITCH, top = y + s / d->bars * BAR_HEIGHT;
		char text[32];
		loom_svg_text(p->stream, left, top + 10, 12, BAR_WIDTH - 64,
		              "fill=\"" LOOM_REPORT_INK "\" font-weight=\"bold\"", d->sets[s].name);
		(void)snprintf(text, sizeof text, "max %" PRIu32, d->sets[s].max);
		loom_svg_text(p->stream, left + BAR_WIDTH, top + 10, 11.5, 60,
		              "fill=\"" LOOM_SVG_GREY "\" text-anchor=\"end\"", text);
		loom_svg_bar(p->stream, &d->sets[s], d->load, p->max, left, top + 15, BAR_WIDTH);
	}
}

static void put_drawing(const struct picture *p, const struct drawing *d, double x, double y)
{
	char title[256];
	loom_svg_title(title, sizeof title, d->panel, d->panel->pass);
	loom_svg_heading(p->stream, d->panel, title, d->contention, p->max, d->width, x, y);
	y += LOOM_SVG_HEADING + HEAD;
	put_nodes(p, d, (struct point){x, y});
	put_channels(p, d, (struct point){x, y});
	if (d->beside)
		put_numbers_beside(p, d, (struct point){x, y});
	y += grid_height(d);
	put_heaviest(p, d, x, y + 24);
	put_bars(p, d, x, y + FOOT);
}

static void put_legend(const struct picture *p, double y)
{
	const struct drawing *d = &p->drawings[0];
	const char *const lines[] = {
		"Each arrow is one channel; nodes follow each other to the right, then downwards.",
		"The bar of a group shows which share of its channels bears which load.",
		d->at.edge_x || d->at.edge_y
			? "What leaves at an edge comes in at another; the number beside it is the node there."
		: d->beside ? "Beside a row, and above a column: the number of its first node."
			    : "",
	};
	struct loom_svg_legend legend = {0};
	for (size_t i = 0; i < p->n_drawings; i++)
		for (uint32_t s = 0; s < p->drawings[i].n_sets; s++)
			loom_svg_legend_add(&legend, &p->drawings[i].sets[s], p->drawings[i].load);
	loom_svg_legend_put(p->stream, &legend, p->max, LOOM_SVG_MARGIN, y);
	y += LOOM_SVG_LEGEND_LINE + 36;
	for (size_t i = 0; i < 3 && *lines[i]; i++)
		loom_svg_text(p->stream, LOOM_SVG_MARGIN, y + 16 * (double)i, 11.5, p->width - 2 * LOOM_SVG_MARGIN,
		              "fill=\"" LOOM_SVG_GREY "\"", lines[i]);
}

// --- The whole -----------------------------------------------------------------------------------------------------

static void arrange(struct picture *p)
{
	double across = 0, down = 0, widest = 0, tallest = 0;
	for (size_t i = 0; i < p->n_drawings; i++) {
		const struct drawing *d = &p->drawings[i];
		across += d->width + (i ? LOOM_SVG_GAP : 0);
		down += d->height + (i ? LOOM_SVG_GAP : 0);
		widest = fmax(widest, d->width);
		tallest = fmax(tallest, d->height);
		p->max = d->contention > p->max ? d->contention : p->max;
	}
	p->stacked = across > ROW_MAX;
	p->width = fmax(2 * LOOM_SVG_MARGIN + (p->stacked ? widest : across), WIDTH_LEAST);
	p->height = LOOM_SVG_TITLE + 22 + (p->stacked ? down : tallest) + 14 + LEGEND_HEIGHT;
}

bool loom_svg_grid_suits(const struct loom_topo *topo)
{
	struct loom_svg_layout layout;
	return loom_svg_lay_out(&layout, topo);
}

int loom_svg_grid(FILE *stream, const struct loom_panel *panels, size_t n_panels)
{
	struct picture p = {.stream = stream};
	double x = LOOM_SVG_MARGIN, y = LOOM_SVG_TITLE + 22;
	int rc = 0;
	p.drawings = calloc(n_panels, sizeof *p.drawings);
	if (!p.drawings)
		return LOOM_ENOMEM;
	for (size_t i = 0; rc == 0 && i < n_panels; i++)
		rc = fill_drawing(&p.drawings[p.n_drawings++], &panels[i]);
	if (rc != 0)
		goto out;
	arrange(&p);
	loom_svg_begin(stream, p.width, p.height, panels[0].plan);
	for (size_t i = 0; i < p.n_drawings; i++) {
		put_drawing(&p, &p.drawings[i], x, y);
		if (p.stacked)
			y += p.drawings[i].height + LOOM_SVG_GAP;
		else
			x += p.drawings[i].width + LOOM_SVG_GAP;
	}
	put_legend(&p, p.height - LEGEND_HEIGHT);
	(void)fputs("</svg>\n", stream);
out:
	for (size_t i = 0; i < p.n_drawings; i++)
		free_drawing(&p.drawings[i]);
	free(p.drawings);
	return rc;
}
