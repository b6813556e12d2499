// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_REPORT_CHART_H
#define LOOM_REPORT_CHART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <flitloom/report.h>

// A chart: the times at which messages were on channels.

#define LOOM_CHART_ROWS 512   // channels at most
#define LOOM_CHART_BARS 20000 // bars at most, unless one channel has more

#define LOOM_CHART_COMPUTES SIZE_MAX
// the group of rows of nodes, which show when nodes compute; above the channels, for a run of programs
#define LOOM_CHART_NODES UINT32_MAX

enum loom_chart_axis {
	LOOM_CHART_ONE_START, // passes back to back: cycles from START
	LOOM_CHART_FREE_RUN,  // cycles of the run
	LOOM_CHART_EACH,      // one pass after the other, each counted from its own cycle 1
};

// A bar. A message of F flits that never waits is on channel i of its route, the injection channel being 0, from i
// cycles after its offer on, for F cycles. For a message that waited only bounds are known: it crossed the channel
// somewhere between `first` and `last`. Its ejection channel is exact all the same, because the node logged header
// and tail.
struct loom_chart_bar {
	size_t message; // index in the plan; LOOM_CHART_COMPUTES: no message, the row's node computes
	uint32_t row;
	uint64_t first, last; // cycles of its pass, or of the free run, both included
	bool exact;           // it held the channel from `first` to `last`
};

struct loom_chart_row {
	uint32_t channel; // in group LOOM_CHART_NODES: a node
	unsigned group;
};

// Cycle c of pass `first_pass` + k covers began[k] + c - 1 to began[k] + c on the axis, which is `length` long.
struct loom_chart {
	const struct loom_panel *panel;
	enum loom_chart_axis axis;
	uint32_t first_pass, n_passes;
	double *began;    // owned, n_passes; in a free run the same for all
	uint64_t *cycles; // owned, n_passes: cycles until the last tail; 0 for a free run
	double length;
	uint32_t n_rows;
	struct loom_chart_row *rows; // owned: nodes, injection, the groups of the network, ejection; in each by number
	uint32_t n_nodes;            // rows that are nodes
	uint32_t n_computing;        // nodes that compute; those without a row have the highest numbers
	uint32_t n_used;             // channels with a message; those without a row are the least busy
	size_t n_bars;
	struct loom_chart_bar *bars; // owned; by message, those of a message in the order of its route
	uint64_t cycles_alone;       // cycles of all passes, as in the report, without those between passes
	size_t n_lost;               // messages without bars: they did not arrive as planned
	uint32_t contention;         // contention of the passes shown
};

// Makes a chart. LOOM_EINPUT: without a trace, a pass in which messages wait. On failure *out is untouched; `path` is
// for the error's text.
int loom_chart_make(struct loom_chart *out, const struct loom_panel *panel, const char *path, struct loom_err *err);
void loom_chart_free(struct loom_chart *chart); // a zeroed one as well

#endif
