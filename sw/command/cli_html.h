// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef FLITLOOM_CLI_HTML_H
#define FLITLOOM_CLI_HTML_H

#include "cli.h"

// --- The file that --html names (cli_html.c) ---

// Prints a report to `out`, as JSON or as a table.
typedef int cli_html_print(FILE *out, const void *user, bool json, struct loom_err *err);

// Writes the document of a report: what `print` prints. table false: the report has no table. html has the rest; NULL:
// nothing else. Does nothing without --html.
int cli_html_write(const struct cli_request *request, const char *title, cli_html_print *print, bool table,
                   const void *user, const struct loom_html *html, struct loom_err *err);

// Does the same for a report on a network, with a picture of it. Does nothing without --html.
int cli_html_network(const struct cli_request *request, const struct loom_topo *topo, cli_html_print *print,
                     const void *user, struct loom_err *err);

// Prints the report, as JSON or as a table, unless the request wants neither; and writes its document.
int cli_tell_network(const struct cli_request *request, const struct loom_topo *topo, cli_html_print *print,
                     const void *user, struct loom_err *err);

// A run, or a plan that is not run.
struct cli_html_run {
	const char *title, *map; // map: that of a comparison; NULL: the value of --map
	const struct loom_plan *plan;
	const struct loom_trace *trace; // NULL: it was not run
	const struct loom_verdict *verdict;
};
// Writes the document of one plan or run, or of both in a comparison. same: these have the same plan. Does nothing
// without --html.
int cli_html_runs(const struct cli_request *request, const struct cli_html_run *runs, size_t n, bool same,
                  struct loom_err *err);

#endif
