// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_REPORT_CHART_H
#define LOOM_REPORT_CHART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <flitloom/report.h>

// When which message was on which channel.

#define LOOM_CHART_ROWS 512   // channels at most
#define LOOM_CHART_BARS 20000 // bars at most, unless one channel has more

#define LOOM_CHART_COMPUTES SIZE_MAX
#define LOOM_CHART_NODES UINT32_MAX // what nodes compute: above the channels, of a run of programs

enum loom_chart_axis {
	LOOM_CHART_ONE_START, // passes back to back: cycles from START
	LOOM_CHART_FREE_RUN,  // cycles of the run
	LOOM_CHART_EACH,      // one pass after the other, each counted from its own cycle 1
};

// A message of F flits that waits nowhere is on channel i of its way, the injection channel being 0, from i cycles after its
// offer on, for F cycles. For one that waited only bounds are known: it crossed the channel somewhere between `first` and
// `last`. Its ejection channel is exact all the same: the node logged header and tail.
struct loom_chart_bar {
	size_t message; // index in the plan; LOOM_CHART_COMPUTES: none, the row's node computes
	uint32_t row;
	uint64_t first, last; // cycles of its pass, or of the free run, both included
	bool exact;           // it held the channel from the one to the other
};

struct loom_chart_row {
	uint32_t channel; // or where the group is LOOM_CHART_NODES a node
	unsigned group;
};

// Cycle c of pass `first_pass` + k covers began[k] + c - 1 to began[k] + c on the axis, which is `length` long.
struct loom_chart {
	const struct loom_panel *panel;
	enum loom_chart_axis axis;
	uint32_t first_pass, n_passes;
	double *began;    // owned, n_passes; of a free run the same for all
	uint64_t *cycles; // owned, n_passes: until the last tail; 0 for a free run
	double length;
	uint32_t n_rows;
	struct loom_chart_row *rows; // owned: nodes, injection, the groups of the network, ejection; in each by number
	uint32_t n_nodes;            // of the rows
	uint32_t n_computing;        // nodes that compute; those that are no rows have the highest numbers
	uint32_t n_used;             // channels with a message; those that are no rows are the least busy
	size_t n_bars;
	struct loom_chart_bar *bars; // owned; by message, in each as it goes
	uint64_t cycles_alone;       // of all passes, as the report has them, without what is between them
	size_t n_lost;               // messages without bars: they did not arrive as planned
	uint32_t contention;         // of what is shown
};

// LOOM_EINPUT: a pass in which messages wait, and there is no trace. On failure *out is untouched; `path` is for the message.
int loom_chart_make(struct loom_chart *out, const struct loom_panel *panel, const char *path, struct loom_err *err);
void loom_chart_free(struct loom_chart *chart); // a zeroed one as well

#endif
