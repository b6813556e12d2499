// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_REPORT_REQUEST_JSON_H
#define LOOM_REPORT_REQUEST_JSON_H

#include <jansson.h>

#include <flitloom/report_request.h>

// Makes the object "request" of every report in JSON (docs/flitloom.schema.json), with the program's version: a new
// reference; null in JSON if `request` is NULL; NULL if memory runs out.
json_t *loom_report_request_json(const struct loom_report_request *request);
// Adds "loggops" to a report, if the request has it; does nothing if `request` is NULL. Not 0: out of memory.
int loom_report_loggops_to(json_t *root, const struct loom_report_request *request);

#endif
