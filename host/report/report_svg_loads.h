// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_REPORT_SVG_LOADS_H
#define LOOM_REPORT_SVG_LOADS_H

// Declarations shared by the pictures that colour channels by load: the loads, the bar of a group and the legend.

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <flitloom/report.h>

#define LOOM_SVG_LEGEND_LINE 22
#define LOOM_SVG_LEGEND_MAX 10
#define LOOM_SVG_BAR 7 // the height of a bar, in pixels

// A named set of channels.
struct loom_svg_set {
	char name[16];
	uint32_t n, *channels; // owned
	uint32_t max;          // the largest load among them
};

// True if the panels show flits: one of their planners minimised flits, instead of the number of messages.
bool loom_svg_in_flits(const struct loom_panel *panels, size_t n_panels);
// Returns the largest load of each channel in the passes that the panel draws, in messages or flits; NULL: out of
// memory.
uint32_t *loom_svg_loads(const struct loom_panel *panel, bool in_flits);
// Finds the groups of channels between the network's routers. 0 or LOOM_ENOMEM; the caller frees *out in any case.
int loom_svg_sets(struct loom_svg_set **out, uint32_t *n_sets, const struct loom_topo *topo, const uint32_t *load);
void loom_svg_sets_free(struct loom_svg_set *sets, uint32_t n_sets);

// Finds the next larger load that occurs in the set; with `first` the least of all. False: there is none.
bool loom_svg_next_load(uint32_t *load, const struct loom_svg_set *set, const uint32_t *loads, bool first);
// Draws a bar of the shares of the set's channels with each load; `max` is the end of the scale.
void loom_svg_bar(FILE *stream, const struct loom_svg_set *set, const uint32_t *loads, uint32_t max, double x, double y,
                  double width);

// The loads that a legend shows, ascending: those that occur, or steps of the scale if they are too many.
struct loom_svg_legend {
	uint32_t loads[LOOM_SVG_LEGEND_MAX];
	unsigned n;
	bool too_many;
};
void loom_svg_legend_add(struct loom_svg_legend *legend, const struct loom_svg_set *set, const uint32_t *loads);
// Draws two lines of LOOM_SVG_LEGEND_LINE: the meaning of the colours, and the colours.
void loom_svg_legend_put(FILE *stream, struct loom_svg_legend *legend, uint32_t max, bool in_flits, double x, double y);

#endif
