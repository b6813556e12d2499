// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The picture. A panel per plan, in it a block per group of channels, in it a cell per channel, row by row in the order
// of channel numbers; under the block a bar with the share of channels of each load. One scale for all panels.
#include "report/report_svg.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "report/report_text.h"

#define BLOCK 144 // pixels that a block is about wide
#define BLOCK_GAP 22
#define HEADING_MIN 108
#define CELL_MAX 34
#define NAMED_MAX 64 // groups of up to so many channels show numbers and tell names
#define BLOCK_HEADING 22
#define BLOCK_FOOT 32
#define LEGEND_HEIGHT 98
#define LEGEND_MAX 10
#define LEGEND_LINE 22
#define WIDTH_MIN 720 // for the legend

struct block {
	char name[16];
	uint32_t n_channels, *channels; // owned
	unsigned columns, rows;
	uint32_t max;
};

struct drawing {
	const struct loom_panel *panel;
	uint32_t n_blocks;
	struct block *blocks; // owned
	uint32_t *load;       // owned, per channel: its largest of the passes drawn
	uint32_t contention;
	unsigned columns;          // of blocks
	unsigned cell;             // pixels
	unsigned heading;          // room for a block's heading
	unsigned pitch_x, pitch_y; // from one block to the next
	double width, height;
};

struct picture {
	FILE *stream;
	size_t n_drawings;
	struct drawing *drawings; // owned
	uint32_t max;             // over all
	double width, height;
};

// --- Measuring out -------------------------------------------------------------------------------------------------

static void free_drawing(struct drawing *d)
{
	for (uint32_t i = 0; i < d->n_blocks; i++)
		free(d->blocks[i].channels);
	free(d->blocks);
	free(d->load);
}

static int fill_block(struct block *block, const struct drawing *d, unsigned group)
{
	const struct loom_topo *topo = &d->panel->plan->topo;
	uint32_t n_channels = loom_topo_channels(topo);
	loom_topo_group_name(topo, group, block->name);
	block->channels = malloc(n_channels * sizeof *block->channels);
	if (!block->channels)
		return LOOM_ENOMEM;
	for (uint32_t c = 0; c < n_channels; c++) {
		if (!loom_topo_channel_exists(topo, c) || loom_topo_group_of(topo, c) != group)
			continue;
		block->channels[block->n_channels++] = c;
		block->max = d->load[c] > block->max ? d->load[c] : block->max;
	}
	block->columns = 1;
	while ((uint64_t)block->columns * block->columns < block->n_channels)
		block->columns *= 2;
	block->rows = (block->n_channels + block->columns - 1) / block->columns;
	return 0;
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

static int fill_drawing(struct drawing *d, const struct loom_panel *panel)
{
	const struct loom_topo *topo = &panel->plan->topo;
	unsigned n_groups = loom_topo_groups(topo);
	uint32_t n_channels = loom_topo_channels(topo);
	d->panel = panel;
	d->load = calloc(n_channels, sizeof *d->load);
	d->blocks = calloc(n_groups, sizeof *d->blocks);
	if (!d->load || !d->blocks)
		return LOOM_ENOMEM;
	for (uint32_t pass = 0; pass < panel->plan->n_passes; pass++)
		for (uint32_t c = 0; c < n_channels && (!panel->pass || *panel->pass == pass); c++) {
			uint32_t load = loom_svg_load(panel, pass, c);
			d->load[c] = load > d->load[c] ? load : d->load[c];
		}
	for (unsigned g = 0; g < n_groups; g++) {
		if (loom_report_group_is_local(topo, g))
			continue;
		struct block *block = &d->blocks[d->n_blocks++];
		int rc = fill_block(block, d, g);
		if (rc != 0)
			return rc;
		d->contention = block->max > d->contention ? block->max : d->contention;
	}
	measure_out(d);
	return 0;
}

// --- Drawing -------------------------------------------------------------------------------------------------------

// All cells of one load as one path: runs along a row are one rectangle.
static void put_cells_of_load(const struct picture *p, const struct drawing *d, const struct block *block, double x,
                              double y, uint32_t load)
{
	char colour[8];
	double inset = d->cell >= 6 ? 1 : 0;
	bool any = false;
	loom_report_colour(colour, load, p->max);
	for (uint32_t i = 0, n; i < block->n_channels; i += n) {
		uint32_t row = i / block->columns, column = i % block->columns;
		n = 1;
		if (d->load[block->channels[i]] != load)
			continue;
		while (inset == 0 && column + n < block->columns && i + n < block->n_channels &&
		       d->load[block->channels[i + n]] == load)
			n++;
		if (!any)
			(void)fprintf(p->stream, "<path fill=\"%s\" d=\"", colour);
		any = true;
		(void)fprintf(p->stream, "M%g %gh%gv%gh-%gz", x + column * d->cell, y + row * d->cell,
		              n * d->cell - inset, d->cell - inset, n * d->cell - inset);
	}
	if (any)
		(void)fputs("\"/>\n", p->stream);
}

static void put_named_cells(const struct picture *p, const struct drawing *d, const struct block *block, double x,
                            double y)
{
	const struct loom_topo *topo = &d->panel->plan->topo;
	for (uint32_t i = 0; i < block->n_channels; i++) {
		uint32_t load = d->load[block->channels[i]];
		double left = x + i % block->columns * d->cell, top = y + i / block->columns * d->cell;
		char colour[8], name[48] = "";
		loom_report_colour(colour, load, p->max);
		loom_topo_channel_name(topo, block->channels[i], name);
		(void)fprintf(p->stream,
		              "<rect x=\"%g\" y=\"%g\" width=\"%u\" height=\"%u\" rx=\"2\" fill=\"%s\"><title>", left,
		              top, d->cell - 1, d->cell - 1, colour);
		loom_svg_escaped(p->stream, name);
		(void)fprintf(p->stream, ": %" PRIu32 "</title></rect>\n", load);
		if (load == 0 || d->cell < 16)
			continue;
		(void)fprintf(p->stream,
		              "<text x=\"%g\" y=\"%g\" font-size=\"%g\" fill=\"%s\" text-anchor=\"middle\">%" PRIu32
		              "</text>\n",
		              left + (d->cell - 1) / 2.0, top + d->cell * 0.66, d->cell * 0.45,
		              loom_report_ink_on(load, p->max), load);
	}
}

// The next larger load that occurs in the block; 0 counts if `first`.
static bool next_load(uint32_t *load, const struct drawing *d, const struct block *block, bool first)
{
	bool found = false;
	uint32_t least = UINT32_MAX, before = *load;
	for (uint32_t i = 0; i < block->n_channels; i++) {
		uint32_t here = d->load[block->channels[i]];
		if ((first || here > before) && here <= least) {
			least = here;
			found = true;
		}
	}
	*load = least;
	return found;
}

static void put_block(const struct picture *p, const struct drawing *d, const struct block *block, double x, double y)
{
	double width = block->columns * d->cell, left = x;
	char text[64], colour[8];
	loom_svg_text(p->stream, x, y + 14, 13, d->heading - 54, "fill=\"" LOOM_REPORT_INK "\" font-weight=\"bold\"",
	              block->name);
	(void)snprintf(text, sizeof text, "max %" PRIu32, block->max);
	loom_svg_text(p->stream, x + d->heading, y + 14, 12, 54, "fill=\"" LOOM_SVG_GREY "\" text-anchor=\"end\"",
	              text);
	y += BLOCK_HEADING;

	if (block->n_channels <= NAMED_MAX) {
		put_named_cells(p, d, block, x, y);
	} else {
		uint32_t load = 0;
		for (bool more = next_load(&load, d, block, true); more; more = next_load(&load, d, block, false))
			put_cells_of_load(p, d, block, x, y, load);
	}
	y += block->rows * d->cell + 5;

	uint32_t load = 0;
	for (bool more = next_load(&load, d, block, true); more; more = next_load(&load, d, block, false)) {
		uint32_t n = 0;
		for (uint32_t i = 0; i < block->n_channels; i++)
			n += d->load[block->channels[i]] == load;
		double share = n * width / block->n_channels;
		loom_report_colour(colour, load, p->max);
		(void)fprintf(p->stream,
		              "<rect x=\"%.2f\" y=\"%g\" width=\"%.2f\" height=\"7\" fill=\"%s\"><title>load %" PRIu32
		              ": %" PRIu32 " of %" PRIu32 " channels</title></rect>\n",
		              left, y, share, colour, load, n, block->n_channels);
		left += share;
	}
}

static void put_drawing(const struct picture *p, const struct drawing *d, double x, double y)
{
	char title[256];
	loom_svg_title(title, sizeof title, d->panel, d->panel->pass);
	loom_svg_heading(p->stream, d->panel, title, d->contention, p->max, d->width, x, y);
	y += LOOM_SVG_HEADING;
	for (uint32_t i = 0; i < d->n_blocks; i++)
		put_block(p, d, &d->blocks[i], x + i % d->columns * d->pitch_x, y + i / d->columns * d->pitch_y);
}

// The loads which the legend shows, ascending: those that occur, or steps of the scale when they are too many.
static unsigned legend_loads(uint32_t out[LEGEND_MAX], const struct picture *p)
{
	unsigned n = 0;
	for (size_t i = 0; i < p->n_drawings; i++)
		for (uint32_t b = 0; b < p->drawings[i].n_blocks; b++) {
			const struct drawing *d = &p->drawings[i];
			uint32_t load = 0;
			for (bool more = next_load(&load, d, &d->blocks[b], true); more;
			     more = next_load(&load, d, &d->blocks[b], false)) {
				unsigned at = 0;
				while (at < n && out[at] < load)
					at++;
				if (at < n && out[at] == load)
					continue;
				if (n == LEGEND_MAX)
					goto steps;
				memmove(out + at + 1, out + at, (n - at) * sizeof *out);
				out[at] = load;
				n++;
			}
		}
	return n;
steps:
	n = 0;
	out[n++] = 0;
	for (unsigned step = 0; step < LEGEND_MAX - 1; step++) {
		uint32_t load = (uint32_t)round(pow(p->max, step / (LEGEND_MAX - 2.0)));
		if (load > out[n - 1])
			out[n++] = load;
	}
	return n;
}

static void put_legend(const struct picture *p, double y)
{
	double x = LOOM_SVG_MARGIN;
	uint32_t loads[LEGEND_MAX];
	unsigned n = legend_loads(loads, p);
	loom_svg_text(p->stream, x, y + 13, 12, 400, "fill=\"" LOOM_REPORT_INK "\"",
	              "messages on one channel in one pass");
	y += LEGEND_LINE;
	for (unsigned i = 0; i < n; i++) {
		char colour[8], text[16];
		loom_report_colour(colour, loads[i], p->max);
		(void)snprintf(text, sizeof text, "%" PRIu32, loads[i]);
		(void)fprintf(p->stream, "<rect x=\"%g\" y=\"%g\" width=\"16\" height=\"16\" rx=\"2\" fill=\"%s\"/>\n",
		              x, y, colour);
		loom_svg_text(p->stream, x + 21, y + 13, 12, 100, "fill=\"" LOOM_REPORT_INK "\"", text);
		x += 36 + loom_svg_width(text, 12, false);
	}
	loom_svg_text(p->stream, LOOM_SVG_MARGIN, y + 36, 11.5, p->width - 2 * LOOM_SVG_MARGIN,
	              "fill=\"" LOOM_SVG_GREY "\"",
	              "Each square is one channel, row by row in the order of the nodes.");
	loom_svg_text(p->stream, LOOM_SVG_MARGIN, y + 52, 11.5, p->width - 2 * LOOM_SVG_MARGIN,
	              "fill=\"" LOOM_SVG_GREY "\"",
	              "The bar below a group shows which share of its channels bears which load.");
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
	struct picture p = {.stream = stream};
	int rc = LOOM_ENOMEM;
	p.drawings = calloc(n_panels, sizeof *p.drawings);
	if (!p.drawings)
		return rc;
	for (size_t i = 0; i < n_panels; i++) {
		struct drawing *d = &p.drawings[p.n_drawings++];
		rc = fill_drawing(d, &panels[i]);
		if (rc != 0)
			goto out;
		p.max = d->contention > p.max ? d->contention : p.max;
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
