// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_REPORT_SVG_H
#define LOOM_REPORT_SVG_H

// Declarations that report_svg.c, the pictures and their common parts (report_svg_parts.c) share; nobody else includes
// it.

#include <stdbool.h>
#include <stdio.h>

#include <flitloom/report.h>

#include "report/report_colour.h"
#include "report/report_svg_waits.h"

#define LOOM_SVG_GREY "#687280"
#define LOOM_SVG_MARGIN 36
#define LOOM_SVG_TITLE 66   // pixels that loom_svg_begin takes
#define LOOM_SVG_HEADING 76 // and loom_svg_heading
#define LOOM_SVG_GAP 48     // between panels

// Pictures: all of the file. 0 or LOOM_ENOMEM; the stream remembers a failed write.
int loom_svg_groups(FILE *stream, const struct loom_panel *panels, size_t n_panels); // cells, for any fabric
int loom_svg_grid(FILE *stream, const struct loom_panel *panels, size_t n_panels);   // for those that suit it
bool loom_svg_grid_suits(const struct loom_topo *topo); // direct, of one or two dimensions, small enough to be read
int loom_svg_stages(FILE *stream, const struct loom_panel *panels, size_t n_panels); // for multistage networks
int loom_svg_paths(FILE *stream, const struct loom_panel *panels, size_t n_panels);  // for direct ones
int loom_svg_moves(FILE *stream, const struct loom_panel *panels, size_t n_panels);  // for those that suit it
bool loom_svg_moves_suit(const struct loom_plan *plan); // moves on an OTIS-Mesh, small enough to be read
// For any fabric; also LOOM_EINPUT (loom_chart_make), and fills `err`. `path` is for its message.
int loom_svg_chart(FILE *stream, const struct loom_panel *panels, size_t n_panels, const char *path,
                   struct loom_err *err);
// Ports of circuit switches over time; the same.
int loom_svg_circuits(FILE *stream, const struct loom_panel *panels, size_t n_panels, struct loom_err *err);

#define LOOM_SVG_BOX "#f4f6f8"      // of a node
#define LOOM_SVG_EDGE "#aab2bc"     // round it
#define LOOM_SVG_GRID "#d5d9de"     // behind bars
#define LOOM_SVG_BARRIER "#e6e9ed"  // between passes
#define LOOM_SVG_IDLE "#d9dde2"     // a channel that carries nothing
#define LOOM_SVG_CONFLICT "#cf1030" // one that several need

// Messages on a channel in a pass: counted if there is a trace, else predicted.
uint32_t loom_svg_load(const struct loom_panel *panel, uint32_t pass, uint32_t channel);
// Finds the worst pass. Of two passes the one with the larger contention is worse, then the one in which more channels
// have conflicts.
uint32_t loom_svg_worst_pass(const struct loom_panel *panel);

// Writes " data-c=\"17\"" into a tag of a panel whose elements tell their channel; `letter`: c, or t of its number as text, n of a node.
void loom_svg_mark(FILE *stream, const struct loom_panel *panel, char letter, uint32_t number);

struct loom_svg_point {
	double x, y;
};
// The point so far along a way, whose length is 1, and so far to the right of it.
struct loom_svg_point loom_svg_beside(struct loom_svg_point from, struct loom_svg_point way, double along,
                                      double right);

// Pixels that a text takes at most, in any font that a viewer may have for the one asked for.
double loom_svg_width(const char *text, double size, bool bold);
void loom_svg_escaped(FILE *stream, const char *text);
// `room` pixels at most: smaller if need be, and if that is not enough an ellipsis stands for the rest.
void loom_svg_text(FILE *stream, double x, double y, double size, double room, const char *attributes,
                   const char *text);
// <svg> with the picture's title and what the plan comes to.
void loom_svg_begin(FILE *stream, double width, double height, const struct loom_plan *plan);
// For readers whose screens are dark: the ground and what is drawn in ink and grey change places. After loom_svg_begin.
void loom_svg_darken(FILE *stream);
// The figures of a heading, beside the title of its panel.
struct loom_svg_sums {
	uint32_t load, max; // contention, or a largest load that is none; it has its colour on a scale to `max`
	bool in_flits;      // the load is of flits
	const char *cycles; // "138 cycles in all"; NULL: those of the plan or the trace
	const struct loom_svg_waits *waits; // what is predicted; NULL: what the plan says of it
};
// Draws a heading: title, load, cycles, planner and map.
void loom_svg_heading(FILE *stream, const struct loom_panel *panel, const char *title, const struct loom_svg_sums *sums,
                      double width, double x, double y);
// The task on each node, by its number; *out, malloc'ed, stays NULL where each is on the node of its own number. LOOM_ENOMEM.
int loom_svg_tasks(uint32_t **out, const struct loom_plan *plan);
#define LOOM_SVG_NO_TASK UINT32_MAX // of a switch
// "best", or "best, pass 3 of 0 to 15": `pass` NULL or of a plan with one pass: the panel's title alone. A panel without a
// title: "pass 3 of 0 to 15", "one pass", "all 16 passes".
void loom_svg_title(char *out, size_t size, const struct loom_panel *panel, const uint32_t *pass);

// Parts of a legend: the colours of sources, or a line of one colour, and what it is. Returns where the next one may begin.
double loom_svg_legend_sources(FILE *stream, double x, double y, const char *text);
double loom_svg_legend_line(FILE *stream, double x, double y, const char *colour, const char *text);
// Another part: a box of one colour, and what it stands for.
void loom_svg_legend_box(FILE *stream, double x, double y, const char *colour, const char *text);

// Drawings side by side, or where they would be too wide one below the other, above a legend.
struct loom_svg_sheet {
	size_t n;
	double across, down, widest, tallest; // of the drawings so far
	double width, height;                 // of the whole
	bool stacked;
	double x, y; // where the next drawing goes
};
void loom_svg_sheet_add(struct loom_svg_sheet *sheet, double width, double height);  // all of them, in a zeroed one ...
void loom_svg_sheet_close(struct loom_svg_sheet *sheet, double legend_height);       // ... then this
void loom_svg_sheet_next(struct loom_svg_sheet *sheet, double width, double height); // a drawing of this size is there

#endif
