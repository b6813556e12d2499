// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_REPORT_REQUEST_H
#define LOOM_REPORT_REQUEST_H

#include <stddef.h>
#include <stdint.h>

#include <flitloom/goal.h>

// The kind of a value. NULL: the user left it to the program, it does not apply, or it varies from row to row of a
// sweep.
enum loom_value_kind { LOOM_VALUE_NULL, LOOM_VALUE_TEXT, LOOM_VALUE_NUMBER, LOOM_VALUE_BOOLEAN };

// A value of a request.
struct loom_report_value {
	const char *name; // its name in the object "request" of docs/flitloom.schema.json: "fabric", "half_duplex"
	enum loom_value_kind kind;
	const char *text;
	uint64_t number; // the number; for a boolean 0 or 1
};

// The cycles in which the ranks of a program finish by the LogGOPS model (loom_goal_loggops of flitloom/goal.h).
struct loom_report_loggops {
	struct loom_loggops with;
	uint32_t n_ranks;
	const uint64_t *finish; // by rank
};

// The request behind a report. Together with the program's version and the files that it names, it suffices to repeat
// the run.
struct loom_report_request {
	const char *const *command; // the words of a command that repeats it, or NULL
	size_t n_command;
	const struct loom_report_value *values; // in the order in which the report has them
	size_t n_values;
	const struct loom_report_loggops *loggops; // NULL: not requested
};

#endif
