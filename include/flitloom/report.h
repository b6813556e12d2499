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

// A report for people: a table of the groups, predicted beside measured, then the sums and the verdict. `measured` false:
// only what the plan predicts. Colours (ANSI) only if asked. LOOM_EFILE: the stream has failed; LOOM_ENOMEM.
int loom_report_table(FILE *stream, const struct loom_plan *plan, const struct loom_verdict *verdict, bool measured,
                      bool colour, struct loom_err *err);

// A report for programs: one JSON object on one line, newline at the end: docs/flitloom.schema.json. `request` says what
// was asked for, so that it can be asked for again; NULL: the object has null there. `admissible` is null unless the plan
// is a permutation in one pass over a multistage network; docs/multistage.md says what it holds.
int loom_report_json(FILE *stream, const struct loom_plan *plan, const struct loom_verdict *verdict, bool measured,
                     const struct loom_report_request *request, struct loom_err *err);

// As loom_report_table and loom_report_json, of a plan by formula, of which nothing can be measured.
int loom_report_formula_table(FILE *stream, const struct loom_formula *formula, bool colour, struct loom_err *err);
int loom_report_formula_json(FILE *stream, const struct loom_formula *formula,
                             const struct loom_report_request *request, struct loom_err *err);

// Makes the object `request` of a report, for documents of a program's own: {"version", "command", ...}, malloc'ed. NULL: out
// of memory.
char *loom_report_request_text(const struct loom_report_request *request);

// Writes what came back from the chip. As JSON: {"nodes", "channels", "passes", "payload" (an object with the fields of
// loom_payload), "sent" and "corrupt" (per node), "arrivals" (objects with the fields of loom_arrival, in the trace's
// order), "counts" (per pass and channel: [worms, flits, blocked cycles]), "back_to_back" (null, or "began" and the last
// four of that run, of its last pass the counts)}: docs/flitloom.schema.json. Written to a temporary name first: never
// half a file.
int loom_report_trace(const char *path, const struct loom_trace *trace, struct loom_err *err);

// Tables of the messages and of the channels: CSV (RFC 4180) with a line of names first; docs/results.md says what each
// column is. A row per message of the plan: from where to where, when its header was offered and arrived, its tail, how
// long it waited. A row per pass and channel: messages, flits, cycles in which a header waited. Beside what was measured
// stands what the machine computes (flitloom/machine.h), in the timing that the trace says. The path "-" is standard output.
// Never half a file.
int loom_report_messages(const char *path, const struct loom_plan *plan, const struct loom_trace *trace,
                         struct loom_err *err);
int loom_report_channels(const char *path, const struct loom_plan *plan, const struct loom_trace *trace,
                         struct loom_err *err);
// The same tables of a plan that has not been run: nothing is measured.
int loom_report_predicted_messages(const char *path, const struct loom_plan *plan, enum loom_machine machine,
                                   struct loom_err *err);
int loom_report_predicted_channels(const char *path, const struct loom_plan *plan, enum loom_machine machine,
                                   struct loom_err *err);

// The subject of a picture.
enum loom_picture {
	// Moves if they can be drawn; paths on a multistage network, and on any if a pass is chosen; else loads.
	LOOM_PICTURE_USUAL,
	LOOM_PICTURE_LOADS, // the channels, coloured by the most messages that one pass has on them
	LOOM_PICTURE_PATHS, // the network, with the way of every message of one pass
	LOOM_PICTURE_CHART, // a row for each channel over time, with a bar for each message
	LOOM_PICTURE_MOVES, // the items of a plan of moves on an OTIS-Mesh, step by step: an animation, or one pass
};

// One panel of a picture.
struct loom_panel {
	const char
		*title; // "identity", "best"; NULL: nothing it is compared with, the heading says which passes it shows
	const struct loom_plan *plan;
	const struct loom_trace *trace; // NULL: what is predicted, else what was measured
	enum loom_machine machine;      // where it is NULL: the timing that is predicted
	const uint32_t *pass; // the pass to draw; NULL: the worst one, or all of them where the picture shows no paths
	bool marked;    // elements tell their channel (data-c, its number; data-t) and node (data-n), for programs
	uint32_t scale; // the colours of loads go up to this load at least
};

#define LOOM_PATHS_NODES 4096
// An SVG of one or more panels (before and after), with a legend. Loads: a direct network of one or two dimensions as it
// lies, any other by groups of channels. LOOM_EINPUT: a chart of a plan that has no prediction (messages wait) without a
// trace, paths or a chart of a plan that leaves ways to the routers, paths on a direct network of more than LOOM_PATHS_NODES nodes, or a pass that is not there.
// Written to a temporary name first: never half a file.
int loom_report_picture(const char *path, enum loom_picture picture, const struct loom_panel *panels, size_t n_panels,
                        struct loom_err *err);
// Refuses what loom_report_picture would refuse of these plans, and writes nothing; before a run it may be asked without traces. LOOM_EINPUT
// names `path`. That nobody can predict the cycles of a chart is found when it is drawn.
int loom_report_picture_check(const char *path, enum loom_picture picture, const struct loom_panel *panels,
                              size_t n_panels, struct loom_err *err);
// Writes the Latin square of a multistage network, whose rows planner latin's plan sends one after the other: one row a line as CSV if
// `path` ends in ".csv", a NumPy array (format 1.0, n x n, unsigned 16-bit, little-endian) if it ends in ".npy". LOOM_EINPUT: another
// ending, or a plan of which no pass is such a row. LOOM_EFILE: it cannot be written, and nothing has changed.
int loom_report_latin(const char *path, const struct loom_plan *plan, struct loom_err *err);

// A document to be looked at.
struct loom_html {
	const char *title;  // of the page
	const char *report; // JSON, an object: what --json prints; goes into it as it is
	const char *table;  // the same for people, as text; NULL: none
	// The network of each run, before and after a mapping, with all that is known of its messages. Their `marked` and `scale` say
	// nothing here, and `pass` must be NULL.
	const struct loom_panel *panels;
	size_t n_panels;      // 0: there is only the report
	const char *left_out; // a line: why something is not there; NULL
};

// Writes one HTML file that has all in itself: pictures, the report, what became of each message when, and the script that draws them
// (host/report/page/). It loads nothing from elsewhere: its policy forbids that. docs/report.md. Written to a
// temporary name first: never half a file. LOOM_EINPUT: `report` is no JSON object.
int loom_report_html(const char *path, const struct loom_html *html, struct loom_err *err);

// Writes a trace of TrackEvents (Perfetto's protobuf) for ui.perfetto.dev: nodes and channels are tracks, messages slices that flows
// join, a cycle a microsecond. The cycles are the predicted ones; a message that did not arrive as predicted is drawn
// where it was seen, and says so. LOOM_ESTUCK, LOOM_EFIT: nothing is predicted. Written to a temporary name first:
// never half a file.
int loom_report_perfetto(const char *path, const struct loom_panel *panel, struct loom_err *err);

LOOM_API_END

#endif
