// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_REPORT_H
#define LOOM_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include <flitloom/api.h>
#include <flitloom/math/formula.h>
#include <flitloom/plan.h>
#include <flitloom/report_request.h>
#include <flitloom/trace.h>
#include <flitloom/verdict.h>

LOOM_API_BEGIN

// Writes a report for people: a table of the groups, predicted beside measured, then the sums and the verdict.
// `measured` false: only the plan's predictions. `colour`: with ANSI colours. LOOM_EFILE: the stream has failed;
// LOOM_ENOMEM.
int loom_report_table(FILE *stream, const struct loom_plan *plan, const struct loom_verdict *verdict, bool measured,
                      bool colour, struct loom_err *err);

// Writes a report for programs: one JSON object on one line, with a newline at the end (docs/flitloom.schema.json).
// `request` describes the request, so that it can be repeated; NULL: the object has null there. `admissible` is null
// unless the plan is a permutation in one pass over a multistage network; docs/multistage.md describes its content.
int loom_report_json(FILE *stream, const struct loom_plan *plan, const struct loom_verdict *verdict, bool measured,
                     const struct loom_report_request *request, struct loom_err *err);

// As loom_report_table and loom_report_json, for a plan by formula, for which nothing can be measured.
int loom_report_formula_table(FILE *stream, const struct loom_formula *formula, bool colour, struct loom_err *err);
int loom_report_formula_json(FILE *stream, const struct loom_formula *formula,
                             const struct loom_report_request *request, struct loom_err *err);

// Makes the object `request` of a report, for documents of a program's own: {"version", "command", ...}, malloc'ed.
// NULL: out of memory.
char *loom_report_request_text(const struct loom_report_request *request);

// Writes a trace as JSON (docs/flitloom.schema.json): {"nodes", "channels", "passes", "payload" (an object with the
// fields of loom_payload), "sent" and "corrupt" (per node), "arrivals" (objects with the fields of loom_arrival, in
// the trace's order), "counts" (per pass and channel: [worms, flits, blocked cycles]), "back_to_back" (null, or
// "began" and the last four members for that run, with the counts of its last pass)}. It writes to a temporary name
// first, so that no reader sees half a file.
int loom_report_trace(const char *path, const struct loom_trace *trace, struct loom_err *err);

// Write tables of the messages and of the channels, as CSV (RFC 4180) with a line of names first; docs/results.md
// describes the columns. Messages: a row per message of the plan, with its ends, when its header was offered and
// arrived, its tail, and how long it waited. Channels: a row per pass and channel, with messages, flits, and cycles
// in which a header waited. Beside the measured values stand those that the machine computes (flitloom/machine.h), in
// the timing of the trace. The path "-" is standard output. No reader sees half a file.
int loom_report_messages(const char *path, const struct loom_plan *plan, const struct loom_trace *trace,
                         struct loom_err *err);
int loom_report_channels(const char *path, const struct loom_plan *plan, const struct loom_trace *trace,
                         struct loom_err *err);
// Write the same tables for a plan that has not been run: nothing is measured.
int loom_report_predicted_messages(const char *path, const struct loom_plan *plan, enum loom_machine machine,
                                   struct loom_err *err);
int loom_report_predicted_channels(const char *path, const struct loom_plan *plan, enum loom_machine machine,
                                   struct loom_err *err);

// The subject of a picture.
enum loom_picture {
	// Moves if they can be drawn; else paths, on a multistage network, and on any network if a pass is chosen;
	// else loads.
	LOOM_PICTURE_USUAL,
	LOOM_PICTURE_LOADS, // the channels, coloured by the most messages that one pass has on them
	LOOM_PICTURE_PATHS, // the network, with the route of every message of one pass
	LOOM_PICTURE_CHART, // a row for each channel over time, with a bar for each message
	LOOM_PICTURE_MOVES, // the items of a plan of moves on an OTIS-Mesh, step by step: an animation, or one pass
};

// One panel of a picture.
struct loom_panel {
	// "identity", "best"; NULL: there is no other panel to compare it with, and the heading names the passes
	const char *title;
	const struct loom_plan *plan;
	const struct loom_trace *trace; // the measured trace; NULL: the panel shows the prediction
	enum loom_machine machine;      // without a trace: the timing of the prediction
	const uint32_t *pass; // the pass to draw; NULL: the worst one or, in pictures without paths, all of them
	// elements have attributes for programs: their channel (data-c, its number; data-t) and node (data-n)
	bool marked;
	uint32_t scale; // the colours of loads go up to this load at least
};

#define LOOM_PATHS_NODES 4096
// Writes an SVG of one or more panels (before and after), with a legend. Loads: a direct network of one or two
// dimensions is drawn by coordinates, any other by groups of channels. LOOM_EINPUT: without a trace, a chart of a
// plan that has no prediction (messages wait); paths or a chart of a plan whose routers choose routes; paths on a
// direct network of more than LOOM_PATHS_NODES nodes; or a pass that the plan does not have. It writes to a temporary
// name first, so that no reader sees half a file.
int loom_report_picture(const char *path, enum loom_picture picture, const struct loom_panel *panels, size_t n_panels,
                        struct loom_err *err);
// Refuses what loom_report_picture would refuse of these plans, and writes nothing. Before a run, the panels may be
// without traces. The text of LOOM_EINPUT names `path`. It does not find that the cycles of a chart cannot be
// predicted: loom_report_picture does.
int loom_report_picture_check(const char *path, enum loom_picture picture, const struct loom_panel *panels,
                              size_t n_panels, struct loom_err *err);
// Writes the Latin square of a multistage network, whose rows planner latin's plan sends one after the other. If
// `path` ends in ".csv", it is CSV with one row a line; if in ".npy", a NumPy array (format 1.0, n x n, unsigned
// 16-bit, little-endian). LOOM_EINPUT: another ending, or a plan with a pass that is no such row. LOOM_EFILE: the
// file cannot be written, and nothing has changed.
int loom_report_latin(const char *path, const struct loom_plan *plan, struct loom_err *err);

// An HTML page.
struct loom_html {
	const char *title;  // of the page
	const char *report; // a JSON object, as --json prints it; copied into the page as it is
	const char *table;  // the report for people, as text; NULL: none
	// The network of each run, before and after a mapping, with all that is known of its messages. `marked` and
	// `scale` of the panels have no effect, and `pass` must be NULL.
	const struct loom_panel *panels;
	size_t n_panels;      // 0: the page has only the report
	const char *left_out; // one line that says why something is missing; or NULL
};

// Writes one HTML file that is complete in itself: pictures, the report, the times of each message, and the script
// that draws them (host/report/page/). It loads nothing from elsewhere: its policy forbids that. docs/report.md. It
// writes to a temporary name first, so that no reader sees half a file. LOOM_EINPUT: `report` is no JSON object.
int loom_report_html(const char *path, const struct loom_html *html, struct loom_err *err);

// Writes a trace of TrackEvents (Perfetto's protobuf) for ui.perfetto.dev: nodes and channels are tracks, messages
// are slices joined by flows, and a cycle is a microsecond. The cycles are the predicted ones. A message that did not
// arrive as predicted is drawn where it was seen, and marked. LOOM_ESTUCK, LOOM_EFIT: there is no prediction. It
// writes to a temporary name first, so that no reader sees half a file.
int loom_report_perfetto(const char *path, const struct loom_panel *panel, struct loom_err *err);

LOOM_API_END

#endif
