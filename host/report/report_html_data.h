// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_REPORT_HTML_DATA_H
#define LOOM_REPORT_HTML_DATA_H

#include <flitloom/machine.h>
#include <flitloom/report.h>

#include "check/due.h"
#include "check/offered.h"
#include "report/report_html_ways.h"

// The data of an HTML report about a run (report_html_run.c).
struct loom_html_data {
	FILE *stream;
	const struct loom_panel *panel;
	const struct loom_plan *plan;
	struct loom_html_ways ways; // owned, as are those below
	struct loom_due due;
	struct loom_fate *fates; // NULL: nothing was measured
	struct loom_machine_crossings crossings;
	uint64_t *flits; // flits on channels, by the routes
};

// Writes the members m, last and c: measured values that differ from the predicted ones (report_html_measured.c).
void loom_html_put_measured(const struct loom_html_data *d);

#endif
