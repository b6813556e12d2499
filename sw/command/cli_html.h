// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef FLITLOOM_CLI_HTML_H
#define FLITLOOM_CLI_HTML_H

#include "cli.h"

// --- The file that --html names (cli_html.c) ---

// Prints a report to `out`, as JSON or as a table.
typedef int cli_html_print(FILE *out, const void *user, bool json, struct loom_err *err);

// Writes the document: what `print` prints. table false: it has none. html has the rest, NULL: nothing. Does nothing without --html.
int cli_html_write(const struct cli_request *request, const char *title, cli_html_print *print, bool table,
                   const void *user, const struct loom_html *html, struct loom_err *err);

// The same of a report on a network, of which there is a picture. Does nothing without --html.
int cli_html_network(const struct cli_request *request, const struct loom_topo *topo, cli_html_print *print,
                     const void *user, struct loom_err *err);

// Prints the report, as JSON or as a table, unless the request wants neither; and writes that document.
int cli_tell_network(const struct cli_request *request, const struct loom_topo *topo, cli_html_print *print,
                     const void *user, struct loom_err *err);

// A run, or a plan that is not run.
struct cli_html_run {
	const char *title, *map; // map: the one of a comparison; NULL: what --map says
	const struct loom_plan *plan;
	const struct loom_trace *trace; // NULL: it was not run
	const struct loom_verdict *verdict;
};
// The document of one, or of both of a comparison. same: these have the same plan. Does nothing without --html.
int cli_html_runs(const struct cli_request *request, const struct cli_html_run *runs, size_t n, bool same,
                  struct loom_err *err);

#endif
