// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_REPORT_SVG_H
#define LOOM_REPORT_SVG_H

// Declarations that report_svg.c, the pictures and their common parts (report_svg_parts.c) share; no other file
// includes them.

#include <stdbool.h>
#include <stdio.h>

#include <flitloom/report.h>

#include "report/report_colour.h"
#include "report/report_svg_waits.h"

#define LOOM_SVG_GREY "#687280"
#define LOOM_SVG_MARGIN 36
#define LOOM_SVG_TITLE 66   // the height that loom_svg_begin takes, in pixels
#define LOOM_SVG_HEADING 76 // and loom_svg_heading
#define LOOM_SVG_GAP 48     // between panels

// Write a picture, which is the whole file. 0 or LOOM_ENOMEM; the stream remembers a failed write.
int loom_svg_groups(FILE *stream, const struct loom_panel *panels, size_t n_panels); // cells, for any fabric
int loom_svg_grid(FILE *stream, const struct loom_panel *panels, size_t n_panels);   // for networks that suit it
// direct, of one or two dimensions, small enough to be readable
bool loom_svg_grid_suits(const struct loom_topo *topo);
int loom_svg_stages(FILE *stream, const struct loom_panel *panels, size_t n_panels); // for multistage networks
int loom_svg_paths(FILE *stream, const struct loom_panel *panels, size_t n_panels);  // for direct ones
int loom_svg_moves(FILE *stream, const struct loom_panel *panels, size_t n_panels);  // for plans that suit it
bool loom_svg_moves_suit(const struct loom_plan *plan); // moves on an OTIS-Mesh, small enough to be readable
// Writes a chart, for any fabric. Also LOOM_EINPUT (loom_chart_make), with a text in `err`, for which `path` serves.
int loom_svg_chart(FILE *stream, const struct loom_panel *panels, size_t n_panels, const char *path,
                   struct loom_err *err);
// Writes the ports of circuit switches over time. It returns the same.
int loom_svg_circuits(FILE *stream, const struct loom_panel *panels, size_t n_panels, struct loom_err *err);

#define LOOM_SVG_BOX "#f4f6f8"      // the box of a node
#define LOOM_SVG_EDGE "#aab2bc"     // the edge of such a box
#define LOOM_SVG_GRID "#d5d9de"     // lines behind bars
#define LOOM_SVG_BARRIER "#e6e9ed"  // the time between passes
#define LOOM_SVG_IDLE "#d9dde2"     // a channel that carries nothing
#define LOOM_SVG_CONFLICT "#cf1030" // a channel that several messages need

// Returns the messages on a channel in a pass: counted if there is a trace, else predicted.
uint32_t loom_svg_load(const struct loom_panel *panel, uint32_t pass, uint32_t channel);
// Finds the worst pass: the one with the largest contention; among equal ones that in which most channels have
// conflicts.
uint32_t loom_svg_worst_pass(const struct loom_panel *panel);

// Writes " data-c=\"17\"" into a tag of a panel whose elements have such attributes. `letter`: c, a channel; t, the
// channel's number as text; n, a node.
void loom_svg_mark(FILE *stream, const struct loom_panel *panel, char letter, uint32_t number);

struct loom_svg_point {
	double x, y;
};
// Returns the point at distance `along` in the direction `way`, whose length is 1, and at distance `right` to the
// right of it.
struct loom_svg_point loom_svg_beside(struct loom_svg_point from, struct loom_svg_point way, double along,
                                      double right);

// Returns the most pixels that a text takes, in any font that a viewer may use in place of the requested one.
double loom_svg_width(const char *text, double size, bool bold);
void loom_svg_escaped(FILE *stream, const char *text);
// Writes a text of `room` pixels at most. It is written smaller if need be; if that is not enough, an ellipsis
// replaces its end.
void loom_svg_text(FILE *stream, double x, double y, double size, double room, const char *attributes,
                   const char *text);
// Writes <svg> with the picture's title and the figures of the plan.
void loom_svg_begin(FILE *stream, double width, double height, const struct loom_plan *plan);
// Writes the style for dark screens: the background and everything drawn in ink and grey exchange colours. Call it
// after loom_svg_begin.
void loom_svg_darken(FILE *stream);
// The figures of a heading, beside the title of its panel.
struct loom_svg_sums {
	// load: the contention, or a largest load that is no contention; it has its colour on a scale to `max`
	uint32_t load, max;
	bool in_flits;                      // the load is in flits
	const char *cycles;                 // "138 cycles in all"; NULL: those of the plan or the trace
	const struct loom_svg_waits *waits; // the predicted waiting; NULL: that of the plan
};
// Draws a heading: title, load, cycles, planner and map.
void loom_svg_heading(FILE *stream, const struct loom_panel *panel, const char *title, const struct loom_svg_sums *sums,
                      double width, double x, double y);
// Finds the number of the task on each node; *out, malloc'ed, stays NULL if each task is on the node of its own
// number. LOOM_ENOMEM.
int loom_svg_tasks(uint32_t **out, const struct loom_plan *plan);
#define LOOM_SVG_NO_TASK UINT32_MAX // a switch, which has no task
// Writes the title of a panel: "best", or "best, pass 3 of 0 to 15". With `pass` NULL, or for a plan with one pass,
// it is the panel's title alone. For a panel without a title: "pass 3 of 0 to 15", "one pass", "all 16 passes".
void loom_svg_title(char *out, size_t size, const struct loom_panel *panel, const uint32_t *pass);

// Draw parts of a legend: the colours of sources, or a line of one colour, and a text. They return where the next
// part may begin.
double loom_svg_legend_sources(FILE *stream, double x, double y, const char *text);
double loom_svg_legend_line(FILE *stream, double x, double y, const char *colour, const char *text);
// Draws another part: a box of one colour, and a text.
void loom_svg_legend_box(FILE *stream, double x, double y, const char *colour, const char *text);

// Drawings side by side or, if they would be too wide, one below the other, above a legend.
struct loom_svg_sheet {
	size_t n;
	double across, down, widest, tallest; // sizes of the drawings so far
	double width, height;                 // size of the whole
	bool stacked;
	double x, y; // where the next drawing goes
};
// Call it for all drawings, on a zeroed sheet ...
void loom_svg_sheet_add(struct loom_svg_sheet *sheet, double width, double height);
void loom_svg_sheet_close(struct loom_svg_sheet *sheet, double legend_height); // ... then this
// Goes on behind a drawing of this size.
void loom_svg_sheet_next(struct loom_svg_sheet *sheet, double width, double height);

#endif
