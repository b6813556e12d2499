// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A direct network of one or two dimensions as it lies: nodes as boxes at their coordinates, the first to the right, the
// second downwards, channels as arrows between them. One dimension is wrapped into rows like text. A graph lies as
// GraphViz lays it out.
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "report/report_svg_blocks.h"
#include "report/report_svg_grid.h"
#include "report/report_svg_slow.h"

#define PITCH_MIN 26.0
#define PITCH_MAX 64.0
#define GRAPH_PITCHES 900.0
#define NAME_ROOM 24  // round a graph, for names beneath nodes
#define PITCHES 720.0 // pixels that the longer side is about, between the two
#define WIDTH_MIN 420 // a heading needs room
#define BAR_WIDTH 160
#define BAR_PITCH 190
#define BAR_HEIGHT 36
#define HEAD 10 // between the heading and the nodes
#define FOOT 40 // for the line that names the heaviest channel
#define LEGEND_HEIGHT 130
#define TASK_SHARE 0.4 // of a box, of the task's name

// --- What there is to draw -----------------------------------------------------------------------------------------

static void free_drawing(struct loom_grid_drawing *d)
{
	loom_svg_places_free(&d->places);
	loom_svg_sets_free(d->sets, d->n_sets);
	free(d->load);
	free(d->task);
	loom_svg_waits_free(&d->waits);
}

static void find_heaviest(struct loom_grid_drawing *d)
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

static double grid_height(const struct loom_grid_drawing *d)
{
	return ((d->places.at ? d->places.height : d->at.rows - 1) + LOOM_GRID_NODE) * d->pitch + 2 * d->edge_y;
}

// The size of the numbers in the boxes: all of one size.
static double number_size(const struct loom_grid_drawing *d)
{
	char text[16];
	(void)snprintf(text, sizeof text, "%" PRIu32, d->at.topo->n_nodes - 1);
	return fmin(12, (LOOM_GRID_NODE * d->pitch - 2) / loom_svg_width(text, 1, false));
}

static int fill_drawing(struct loom_grid_drawing *d, const struct loom_panel *panel, bool in_flits)
{
	const struct loom_topo *topo = &panel->plan->topo;
	uint32_t longer, n_lines;
	d->panel = panel;
	if (loom_svg_tasks(&d->task, panel->plan) != 0 || loom_svg_places_make(&d->places, topo) != 0 ||
	    loom_svg_waits_make(&d->waits, panel) != 0)
		return LOOM_ENOMEM;
	d->at.topo = topo;
	if (!d->places.at)
		(void)loom_svg_lay_out(&d->at, topo);
	d->load = loom_svg_loads(panel, in_flits);
	if (!d->load || loom_svg_sets(&d->sets, &d->n_sets, topo, d->load) != 0)
		return LOOM_ENOMEM;
	find_heaviest(d);
	longer = d->at.columns > d->at.rows ? d->at.columns : d->at.rows;
	d->pitch = fmin(fmax(PITCHES / longer, PITCH_MIN), PITCH_MAX);
	if (d->places.at)
		d->pitch = fmin(fmax(GRAPH_PITCHES / fmax(d->places.width, d->places.height), PITCH_MIN), PITCH_MAX);
	d->numbered = d->places.at || number_size(d) >= LOOM_GRID_FONT_MIN;
	d->beside = !d->numbered && !d->at.edge_x && !d->at.edge_y;
	d->edge_x = d->at.edge_x ? LOOM_GRID_STUB * d->pitch + 28 : d->beside ? 30 : 0; // and a number
	d->edge_y = d->at.edge_y ? LOOM_GRID_STUB * d->pitch + 16 : d->beside ? 14 : 0;
	if (d->places.at)
		d->edge_x = d->edge_y =
			NAME_ROOM + (d->places.blocks ? LOOM_SVG_ARC_ROOM * d->places.width * d->pitch : 0);
	d->width =
		fmax(((d->places.at ? d->places.width : d->at.columns - 1) + LOOM_GRID_NODE) * d->pitch + 2 * d->edge_x,
	             WIDTH_MIN);
	d->bars = (uint32_t)((d->width + BAR_PITCH - BAR_WIDTH) / BAR_PITCH);
	d->bars = d->bars < d->n_sets ? d->bars : d->n_sets;
	n_lines = (d->n_sets + d->bars - 1) / d->bars;
	d->bars = (d->n_sets + n_lines - 1) / n_lines;
	d->height = LOOM_SVG_HEADING + HEAD + grid_height(d) + FOOT + n_lines * BAR_HEIGHT;
	return 0;
}

// --- Drawing -------------------------------------------------------------------------------------------------------

// Puts the name in the box if it fits, else beneath it, on the ground's colour.
static void put_name(const struct loom_grid_picture *p, const struct loom_grid_drawing *d, const char *name,
                     struct loom_svg_point at)
{
	const double side = LOOM_GRID_NODE * d->pitch, least = 9;
	double size = fmin(12, (side - 2) / loom_svg_width(name, 1, false));
	if (size >= least)
		loom_svg_text(p->stream, at.x, at.y + 0.36 * size, size, side,
		              "fill=\"" LOOM_REPORT_INK "\" text-anchor=\"middle\"", name);
	else
		loom_svg_text(p->stream, at.x, at.y + side / 2 + least, least, loom_svg_width(name, least, false),
		              "fill=\"" LOOM_REPORT_INK "\" stroke=\"#fff\" stroke-width=\"3\" paint-order=\"stroke\" "
		              "text-anchor=\"middle\"",
		              name);
}

// Puts the task in the lower half of the box; what else is in it goes up.
static void put_task(const struct loom_grid_picture *p, const struct loom_grid_drawing *d, uint32_t task,
                     struct loom_svg_point *at)
{
	const double side = LOOM_GRID_NODE * d->pitch;
	char text[16];
	(void)snprintf(text, sizeof text, "t%" PRIu32, task);
	double size = fmin(fmin(12, TASK_SHARE * side), (side - 2) / loom_svg_width(text, 1, false));
	loom_svg_text(p->stream, at->x, at->y + side / 4 + 0.3 * size, size, side,
	              "fill=\"" LOOM_SVG_GREY "\" text-anchor=\"middle\"", text);
	if (!d->places.at || loom_svg_width("xxxx", 9, false) < side) // names that do not fit are beneath the box
		at->y -= side / 4 - 0.06 * size;
}

static void put_nodes(const struct loom_grid_picture *p, const struct loom_grid_drawing *d,
                      struct loom_svg_point origin)
{
	char name[LOOM_SVG_NODE_NAME];
	const double side = LOOM_GRID_NODE * d->pitch,
		     size = fmin(number_size(d), d->task ? TASK_SHARE * side : number_size(d));
	for (uint32_t node = 0; node < d->at.topo->n_nodes; node++) {
		struct loom_svg_point at = loom_grid_middle(d, origin, node);
		loom_svg_node_name(name, d->at.topo, node);
		(void)fputs("<rect", p->stream);
		loom_svg_mark(p->stream, d->panel, 'n', node);
		(void)fprintf(p->stream,
		              " x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"%.1f\" fill=\"#f4f6f8\" "
		              "stroke=\"#aab2bc\" stroke-width=\"%g\"><title>node ",
		              at.x - side / 2, at.y - side / 2, side, side, side / 8, d->pitch < 40 ? 0.6 : 1.0);
		loom_svg_escaped(p->stream, name);
		const bool has_task = d->task && d->task[node] != LOOM_SVG_NO_TASK;
		if (has_task)
			(void)fprintf(p->stream, ", task %" PRIu32, d->task[node]);
		(void)fputs("</title></rect>\n", p->stream);
		if (has_task && (d->places.at || d->numbered))
			put_task(p, d, d->task[node], &at);
		if (d->places.at)
			put_name(p, d, name, at);
		else if (d->numbered)
			loom_svg_text(p->stream, at.x, at.y + 0.36 * size, size, side,
			              "fill=\"" LOOM_REPORT_INK "\" text-anchor=\"middle\"", name);
	}
}

// The first node of each row at its left, of each column above it.
static void put_numbers_beside(const struct loom_grid_picture *p, const struct loom_grid_drawing *d,
                               struct loom_svg_point origin)
{
	const char *const end = "fill=\"" LOOM_SVG_GREY "\" text-anchor=\"end\"";
	char text[16];
	for (uint32_t node = 0; node < d->at.topo->n_nodes; node++) {
		uint32_t column, row;
		struct loom_svg_point at = loom_grid_middle(d, origin, node);
		loom_svg_place(&column, &row, &d->at, node);
		(void)snprintf(text, sizeof text, "%" PRIu32, node);
		if (column == 0)
			loom_svg_text(p->stream, origin.x + d->edge_x - 4, at.y + 3, 9, d->edge_x - 4, end, text);
		if (row == 0)
			loom_svg_text(p->stream, at.x, origin.y + d->edge_y - 5, 9, d->pitch - 2,
			              "fill=\"" LOOM_SVG_GREY "\" text-anchor=\"middle\"", text);
	}
}

static void put_heaviest(const struct loom_grid_picture *p, const struct loom_grid_drawing *d, double x, double y)
{
	char text[160], name[48];
	loom_topo_channel_name(d->at.topo, d->heaviest, name);
	const char *unit = p->in_flits ? "flits" : "messages";
	if (d->contention < 2)
		(void)snprintf(text, sizeof text, "no channel carries more than one %s",
		               p->in_flits ? "flit" : "message");
	else if (d->n_heaviest == 1)
		(void)snprintf(text, sizeof text, "heaviest: %s, %" PRIu32 " %s", name, d->contention, unit);
	else
		(void)snprintf(text, sizeof text, "heaviest: %s, %" PRIu32 " %s; %" PRIu32 " more with as many", name,
		               d->contention, unit, d->n_heaviest - 1);
	loom_svg_text(p->stream, x, y, 12.5, d->width, "fill=\"" LOOM_REPORT_INK "\"", text);
}

static void put_bars(const struct loom_grid_picture *p, const struct loom_grid_drawing *d, double x, double y)
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

static void put_drawing(const struct loom_grid_picture *p, const struct loom_grid_drawing *d, double x, double y)
{
	char title[256];
	loom_svg_title(title, sizeof title, d->panel, d->panel->pass);
	loom_svg_heading(p->stream, d->panel, title,
	                 &(struct loom_svg_sums){
				 .load = d->contention, .max = p->max, .in_flits = p->in_flits, .waits = &d->waits},
	                 d->width, x, y);
	y += LOOM_SVG_HEADING + HEAD;
	if (d->places.blocks) {
		struct loom_svg_point first = loom_grid_middle(d, (struct loom_svg_point){x, y}, 0);
		loom_svg_blocks_frames(p->stream, d->at.topo, first.x, first.y, d->pitch);
	} else if (!d->places.at) {
		put_nodes(p, d, (struct loom_svg_point){x, y});
	}
	loom_grid_channels(p, d, (struct loom_svg_point){x, y});
	if (d->places.at) // channels may pass beneath them
		put_nodes(p, d, (struct loom_svg_point){x, y});
	if (d->beside)
		put_numbers_beside(p, d, (struct loom_svg_point){x, y});
	y += grid_height(d);
	put_heaviest(p, d, x, y + 24);
	put_bars(p, d, x, y + FOOT);
}

static void put_legend(const struct loom_grid_picture *p, double y)
{
	const struct loom_grid_drawing *d = &p->drawings[0];
	bool tells_tasks = false;
	char slow[LOOM_SVG_SLOW_TEXT];
	(void)loom_svg_slow_legend(slow, d->at.topo);
	for (size_t i = 0; i < p->n_drawings; i++)
		tells_tasks =
			tells_tasks || (p->drawings[i].task && (p->drawings[i].numbered || p->drawings[i].places.at));
	const char *const lines[] = {
		d->places.blocks ? "Each arrow is one channel, each arc one of light, on the right of its way; groups "
				   "are blocks."
		: d->places.by_graphviz ? "Each arrow is one channel; nodes lie where GraphViz has put them."
		: d->places.at ? "Each arrow is one channel; nodes lie on a circle, as GraphViz, which lays them out, "
				 "is not there."
			       : "Each arrow is one channel; nodes follow each other to the right, then downwards.",
		"Outlined: the largest load. The bar of a group shows which share of its channels bears which load.",
		d->at.edge_x || d->at.edge_y
			? "What leaves at an edge comes in at another; the number beside it is the node there."
		: d->beside ? "Beside a row, and above a column: the number of its first node."
			    : "",
		tells_tasks
			? "In the boxes: a node's number or name, and t with the number of the task that sits there."
			: "",
		slow,
	};
	struct loom_svg_legend legend = {0};
	for (size_t i = 0; i < p->n_drawings; i++)
		for (uint32_t s = 0; s < p->drawings[i].n_sets; s++)
			loom_svg_legend_add(&legend, &p->drawings[i].sets[s], p->drawings[i].load);
	loom_svg_legend_put(p->stream, &legend, p->max, p->in_flits, LOOM_SVG_MARGIN, y);
	y += LOOM_SVG_LEGEND_LINE + 36;
	for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
		if (!*lines[i])
			continue;
		loom_svg_text(p->stream, LOOM_SVG_MARGIN, y, 11.5, p->sheet.width - 2 * LOOM_SVG_MARGIN,
		              "fill=\"" LOOM_SVG_GREY "\"", lines[i]);
		y += 16;
	}
}

// --- The whole -----------------------------------------------------------------------------------------------------

static void arrange(struct loom_grid_picture *p)
{
	for (size_t i = 0; i < p->n_drawings; i++) {
		const struct loom_grid_drawing *d = &p->drawings[i];
		loom_svg_sheet_add(&p->sheet, d->width, d->height);
		p->max = d->contention > p->max ? d->contention : p->max;
		p->max = d->panel->scale > p->max ? d->panel->scale : p->max;
	}
	loom_svg_sheet_close(&p->sheet, LEGEND_HEIGHT);
}

bool loom_svg_grid_suits(const struct loom_topo *topo)
{
	struct loom_svg_layout layout;
	return (loom_svg_shape(topo)->graph && topo->n_nodes <= LOOM_SVG_PLACES_MAX) || loom_svg_blocks_suit(topo) ||
	       loom_svg_lay_out(&layout, topo);
}

int loom_svg_grid(FILE *stream, const struct loom_panel *panels, size_t n_panels)
{
	struct loom_grid_picture p = {.stream = stream, .in_flits = loom_svg_in_flits(panels, n_panels)};
	int rc = 0;
	p.drawings = calloc(n_panels, sizeof *p.drawings);
	if (!p.drawings)
		return LOOM_ENOMEM;
	for (size_t i = 0; rc == 0 && i < n_panels; i++)
		rc = fill_drawing(&p.drawings[p.n_drawings++], &panels[i], p.in_flits);
	if (rc != 0)
		goto out;
	arrange(&p);
	loom_svg_begin(stream, p.sheet.width, p.sheet.height, panels[0].plan);
	for (size_t i = 0; i < p.n_drawings; i++) {
		put_drawing(&p, &p.drawings[i], p.sheet.x, p.sheet.y);
		loom_svg_sheet_next(&p.sheet, p.drawings[i].width, p.drawings[i].height);
	}
	put_legend(&p, p.sheet.height - LEGEND_HEIGHT);
	(void)fputs("</svg>\n", stream);
out:
	for (size_t i = 0; i < p.n_drawings; i++)
		free_drawing(&p.drawings[i]);
	free(p.drawings);
	return rc;
}
