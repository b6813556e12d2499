// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_REPORT_REQUEST_JSON_H
#define LOOM_REPORT_REQUEST_JSON_H

#include <jansson.h>

#include <flitloom/report_request.h>

// The object "request" of every report in JSON (docs/flitloom.schema.json), with the program's version. A new
// reference; null in JSON for NULL; NULL when memory runs out.
json_t *loom_report_request_json(const struct loom_report_request *request);
// Adds "loggops" to a report, if the request has it; nothing of NULL. Not 0: out of memory.
int loom_report_loggops_to(json_t *root, const struct loom_report_request *request);

#endif
