// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The picture. A panel per plan, in it a block per group of channels, in it a cell per channel, row by row in the order
// of channel numbers; under the block a bar with the share of channels of each load. One scale for all panels.
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "report/report_svg.h"
#include "report/report_svg_loads.h"
#include "report/report_svg_slow.h"

#define BLOCK 144 // pixels that a block is about wide
#define BLOCK_GAP 22
#define HEADING_MIN 108
#define CELL_MAX 34
#define SIZE_LEAST 6.5 // of numbers in cells; smaller ones are left out
#define NAMED_MAX 64   // channels of the largest group that shows numbers, and names in tooltips
#define BLOCK_HEADING 22
#define BLOCK_FOOT 32
#define LEGEND_HEIGHT 98
#define WIDTH_MIN 720 // for the legend

// A set of channels as rows of cells.
struct block {
	unsigned columns, rows;
};

struct drawing {
	const struct loom_panel *panel;
	uint32_t n_blocks;
	struct loom_svg_set *sets; // owned
	struct block *blocks;      // owned, one per set
	uint32_t *load;            // owned, per channel: its largest of the passes drawn
	uint32_t contention;
	unsigned columns;          // of blocks
	unsigned cell;             // pixels
	unsigned heading;          // room for a block's heading
	unsigned pitch_x, pitch_y; // from one block to the next
	double width, height;
	struct loom_svg_waits waits; // owned
};

struct picture {
	FILE *stream;
	size_t n_drawings;
	struct drawing *drawings; // owned
	uint32_t max;             // over all
	bool in_flits;            // loads are of flits, else of messages
	double width, height;
};

// --- Measuring out -------------------------------------------------------------------------------------------------

static void free_drawing(struct drawing *d)
{
	loom_svg_sets_free(d->sets, d->n_blocks);
	free(d->blocks);
	free(d->load);
	loom_svg_waits_free(&d->waits);
}

static void fill_block(struct block *block, uint32_t n_channels)
{
	block->columns = 1;
	while ((uint64_t)block->columns * block->columns < n_channels)
		block->columns *= 2;
	block->rows = (n_channels + block->columns - 1) / block->columns;
}

static void measure_out(struct drawing *d)
{
	unsigned columns = 1, rows = 0;
	for (uint32_t i = 0; i < d->n_blocks; i++) {
		columns = d->blocks[i].columns > columns ? d->blocks[i].columns : columns;
		rows = d->blocks[i].rows > rows ? d->blocks[i].rows : rows;
	}
	d->cell = BLOCK / columns < 2 ? 2 : BLOCK / columns > CELL_MAX ? CELL_MAX : BLOCK / columns;
	d->columns = d->n_blocks <= 4 ? d->n_blocks : d->n_blocks <= 10 ? (d->n_blocks + 1) / 2 : 6;
	d->columns = d->columns ? d->columns : 1;
	d->heading = columns * d->cell < HEADING_MIN ? HEADING_MIN : columns * d->cell;
	d->pitch_x = d->heading + BLOCK_GAP;
	d->pitch_y = BLOCK_HEADING + rows * d->cell + BLOCK_FOOT;
	d->width = d->columns * d->pitch_x - BLOCK_GAP;
	d->width = d->width < 340 ? 340 : d->width; // a heading needs room
	d->height = LOOM_SVG_HEADING + (d->n_blocks + d->columns - 1) / d->columns * d->pitch_y;
}

static int fill_drawing(struct drawing *d, const struct loom_panel *panel, bool in_flits)
{
	d->panel = panel;
	d->load = loom_svg_loads(panel, in_flits);
	if (!d->load || loom_svg_waits_make(&d->waits, panel) != 0 ||
	    loom_svg_sets(&d->sets, &d->n_blocks, &panel->plan->topo, d->load) != 0)
		return LOOM_ENOMEM;
	d->blocks = calloc(d->n_blocks ? d->n_blocks : 1, sizeof *d->blocks);
	if (!d->blocks)
		return LOOM_ENOMEM;
	for (uint32_t i = 0; i < d->n_blocks; i++) {
		fill_block(&d->blocks[i], d->sets[i].n);
		d->contention = d->sets[i].max > d->contention ? d->sets[i].max : d->contention;
	}
	measure_out(d);
	return 0;
}

// --- Drawing -------------------------------------------------------------------------------------------------------

// The mark of a channel with the largest load.
static const char *outline_of(const struct drawing *d, uint32_t load)
{
	return load == d->contention && load > 1 ? " stroke=\"" LOOM_REPORT_INK "\" stroke-width=\"1.5\"" : "";
}

// Draws all cells of one load as one path: runs along a row are one rectangle.
static void put_cells_of_load(const struct picture *p, const struct drawing *d, uint32_t b, double x, double y,
                              uint32_t load)
{
	const struct block *block = &d->blocks[b];
	const struct loom_svg_set *set = &d->sets[b];
	char colour[8];
	double inset = d->cell >= 6 ? 1 : 0;
	bool any = false;
	loom_report_colour(colour, load, p->max);
	for (uint32_t i = 0, n; i < set->n; i += n) {
		uint32_t row = i / block->columns, column = i % block->columns;
		n = 1;
		if (d->load[set->channels[i]] != load)
			continue;
		while (inset == 0 && column + n < block->columns && i + n < set->n &&
		       d->load[set->channels[i + n]] == load)
			n++;
		if (!any)
			(void)fprintf(p->stream, "<path fill=\"%s\"%s d=\"", colour, outline_of(d, load));
		any = true;
		(void)fprintf(p->stream, "M%g %gh%gv%gh-%gz", x + column * d->cell, y + row * d->cell,
		              n * d->cell - inset, d->cell - inset, n * d->cell - inset);
	}
	if (any)
		(void)fputs("\"/>\n", p->stream);
}

// Writes a cell for each channel, all in the same form, for programs that find them.
static void put_marked_cells(const struct picture *p, const struct drawing *d, uint32_t b, double x, double y)
{
	const struct block *block = &d->blocks[b];
	const struct loom_svg_set *set = &d->sets[b];
	const double side = d->cell - (d->cell >= 6 ? 1 : 0);
	for (uint32_t i = 0; i < set->n; i++) {
		char colour[8];
		loom_report_colour(colour, d->load[set->channels[i]], p->max);
		(void)fputs("<path", p->stream);
		loom_svg_mark(p->stream, d->panel, 'c', set->channels[i]);
		(void)fprintf(p->stream, " fill=\"%s\"%s d=\"M%g %gh%gv%gh-%gz\"/>\n", colour,
		              outline_of(d, d->load[set->channels[i]]), x + i % block->columns * d->cell,
		              y + i / block->columns * d->cell, side, side, side);
	}
}

static void put_named_cells(const struct picture *p, const struct drawing *d, uint32_t b, double x, double y)
{
	const struct block *block = &d->blocks[b];
	const struct loom_svg_set *set = &d->sets[b];
	const struct loom_topo *topo = &d->panel->plan->topo;
	for (uint32_t i = 0; i < set->n; i++) {
		uint32_t load = d->load[set->channels[i]];
		double left = x + i % block->columns * d->cell, top = y + i / block->columns * d->cell;
		char colour[8], name[48] = "";
		loom_report_colour(colour, load, p->max);
		loom_topo_channel_name(topo, set->channels[i], name);
		(void)fputs("<rect", p->stream);
		loom_svg_mark(p->stream, d->panel, 'c', set->channels[i]);
		(void)fprintf(p->stream, " x=\"%g\" y=\"%g\" width=\"%u\" height=\"%u\" rx=\"2\" fill=\"%s\"%s><title>",
		              left, top, d->cell - 1, d->cell - 1, colour, outline_of(d, load));
		loom_svg_escaped(p->stream, name);
		(void)fprintf(p->stream, ": %" PRIu32, load);
		loom_svg_slow_title(p->stream, topo, set->channels[i]);
		loom_svg_waits_channel(p->stream, &d->waits, d->panel->pass, set->channels[i]);
		(void)fputs("</title></rect>\n", p->stream);
		char text[16];
		(void)snprintf(text, sizeof text, "%" PRIu32, load);
		double size = fmin(d->cell * 0.45, (d->cell - 2) / loom_svg_width(text, 1, false));
		if ((load == 0 && !d->panel->marked) || d->cell < 16 || size < SIZE_LEAST)
			continue;
		(void)fputs("<text", p->stream);
		loom_svg_mark(p->stream, d->panel, 't', set->channels[i]);
		(void)fprintf(p->stream,
		              " x=\"%g\" y=\"%g\" font-size=\"%.3g\" class=\"on\" fill=\"%s\" "
		              "text-anchor=\"middle\">%s</text>\n",
		              left + (d->cell - 1) / 2.0, top + d->cell / 2.0 + 0.36 * size, size,
		              loom_report_ink_on(load, p->max), load ? text : "");
	}
}

// Writes a group's name, and the delay of its links, if they have any.
static void name_set(char *out, size_t size, const struct loom_svg_set *set, const struct loom_topo *topo)
{
	unsigned least = UINT_MAX, most = 0;
	for (uint32_t i = 0; i < set->n; i++) {
		const unsigned delay = loom_topo_link_delay(topo, set->channels[i]);
		least = delay < least ? delay : least;
		most = delay > most ? delay : most;
	}
	if (most == 0)
		(void)snprintf(out, size, "%s", set->name);
	else if (least == most)
		(void)snprintf(out, size, "%s +%u", set->name, most);
	else
		(void)snprintf(out, size, "%s +%u to %u", set->name, least, most);
}

static void put_block(const struct picture *p, const struct drawing *d, uint32_t b, double x, double y)
{
	const struct loom_svg_set *set = &d->sets[b];
	const struct block *block = &d->blocks[b];
	char text[64];
	name_set(text, sizeof text, set, &d->panel->plan->topo);
	loom_svg_text(p->stream, x, y + 14, 13, d->heading - 54, "fill=\"" LOOM_REPORT_INK "\" font-weight=\"bold\"",
	              text);
	(void)snprintf(text, sizeof text, "max %" PRIu32, set->max);
	loom_svg_text(p->stream, x + d->heading, y + 14, 12, 54, "fill=\"" LOOM_SVG_GREY "\" text-anchor=\"end\"",
	              text);
	y += BLOCK_HEADING;

	if (set->n <= NAMED_MAX) {
		put_named_cells(p, d, b, x, y);
	} else if (d->panel->marked) {
		put_marked_cells(p, d, b, x, y);
	} else {
		uint32_t load = 0;
		for (bool more = loom_svg_next_load(&load, set, d->load, true); more;
		     more = loom_svg_next_load(&load, set, d->load, false))
			put_cells_of_load(p, d, b, x, y, load);
	}
	loom_svg_bar(p->stream, set, d->load, p->max, x, y + block->rows * d->cell + 5, block->columns * d->cell);
}

static void put_drawing(const struct picture *p, const struct drawing *d, double x, double y)
{
	char title[256];
	loom_svg_title(title, sizeof title, d->panel, d->panel->pass);
	loom_svg_heading(p->stream, d->panel, title,
	                 &(struct loom_svg_sums){
				 .load = d->contention, .max = p->max, .in_flits = p->in_flits, .waits = &d->waits},
	                 d->width, x, y);
	y += LOOM_SVG_HEADING;
	for (uint32_t i = 0; i < d->n_blocks; i++)
		put_block(p, d, i, x + i % d->columns * d->pitch_x, y + i / d->columns * d->pitch_y);
}

static void put_legend(const struct picture *p, double y)
{
	struct loom_svg_legend legend = {0};
	for (size_t i = 0; i < p->n_drawings; i++)
		for (uint32_t b = 0; b < p->drawings[i].n_blocks; b++)
			loom_svg_legend_add(&legend, &p->drawings[i].sets[b], p->drawings[i].load);
	loom_svg_legend_put(p->stream, &legend, p->max, p->in_flits, LOOM_SVG_MARGIN, y);
	y += LOOM_SVG_LEGEND_LINE;
	loom_svg_text(p->stream, LOOM_SVG_MARGIN, y + 36, 11.5, p->width - 2 * LOOM_SVG_MARGIN,
	              "fill=\"" LOOM_SVG_GREY "\"",
	              "Each square is one channel, row by row in the order of the nodes.");
	loom_svg_text(p->stream, LOOM_SVG_MARGIN, y + 52, 11.5, p->width - 2 * LOOM_SVG_MARGIN,
	              "fill=\"" LOOM_SVG_GREY "\"",
	              "Outlined: the largest load. The bar below a group shows which share of its channels bears which "
	              "load.");
	if (p->drawings[0].panel->plan->topo.link_delay > 0)
		loom_svg_text(p->stream, LOOM_SVG_MARGIN, y + 68, 11.5, p->width - 2 * LOOM_SVG_MARGIN,
		              "fill=\"" LOOM_SVG_GREY "\"",
		              "Behind a group's name: by how many cycles flits are longer under way on its links.");
}

static void put_picture(const struct picture *p)
{
	double x = LOOM_SVG_MARGIN;
	loom_svg_begin(p->stream, p->width, p->height, p->drawings[0].panel->plan);
	for (size_t i = 0; i < p->n_drawings; i++) {
		if (i > 0)
			(void)fprintf(p->stream, "<path stroke=\"#d5d9de\" d=\"M%g %gV%g\"/>\n", x - LOOM_SVG_GAP / 2.0,
			              (double)LOOM_SVG_TITLE + 24, p->height - LEGEND_HEIGHT - 16);
		put_drawing(p, &p->drawings[i], x, LOOM_SVG_TITLE + 22);
		x += p->drawings[i].width + LOOM_SVG_GAP;
	}
	put_legend(p, p->height - LEGEND_HEIGHT);
	(void)fputs("</svg>\n", p->stream);
}

int loom_svg_groups(FILE *stream, const struct loom_panel *panels, size_t n_panels)
{
	struct picture p = {.stream = stream, .in_flits = loom_svg_in_flits(panels, n_panels)};
	int rc = LOOM_ENOMEM;
	p.drawings = calloc(n_panels, sizeof *p.drawings);
	if (!p.drawings)
		return rc;
	for (size_t i = 0; i < n_panels; i++) {
		struct drawing *d = &p.drawings[p.n_drawings++];
		rc = fill_drawing(d, &panels[i], p.in_flits);
		if (rc != 0)
			goto out;
		p.max = d->contention > p.max ? d->contention : p.max;
		p.max = panels[i].scale > p.max ? panels[i].scale : p.max;
		p.width += d->width + (i ? LOOM_SVG_GAP : 2 * LOOM_SVG_MARGIN);
		p.height = d->height > p.height ? d->height : p.height;
	}
	p.width = p.width < WIDTH_MIN ? WIDTH_MIN : p.width;
	p.height += LOOM_SVG_TITLE + 22 + 10 + LEGEND_HEIGHT;
	put_picture(&p);
out:
	for (size_t i = 0; i < p.n_drawings; i++)
		free_drawing(&p.drawings[i]);
	free(p.drawings);
	return rc;
}
