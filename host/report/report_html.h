// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_REPORT_HTML_H
#define LOOM_REPORT_HTML_H

#include <flitloom/report.h>

// Parts of the HTML document (report_html.c).

// Writes all that is known of a run as a JSON object, for the script. LOOM_ENOMEM, LOOM_EINTERNAL.
int loom_html_put_run(FILE *stream, const struct loom_panel *panel, struct loom_err *err);

// Writes the same for a run whose routers choose the routes of messages. LOOM_ENOMEM.
int loom_html_put_chosen(FILE *stream, const struct loom_panel *panel, struct loom_err *err);

// Writes the curves and rows of a sweep's report, as they look without the script; nothing for other reports.
// LOOM_ENOMEM.
int loom_html_put_sweep(FILE *stream, const char *report, struct loom_err *err);

#endif
