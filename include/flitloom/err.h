// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_ERR_H
#define LOOM_ERR_H

#include <flitloom/api.h>

LOOM_API_BEGIN

// Every fallible call returns 0 or one of these negative codes, and describes the failure for a person in a
// `struct loom_err` which the caller owns. Columns: name, value, exit status of the command, meaning.
#define LOOM_ERROR_LIST(X)                                                                                             \
	X(LOOM_EINPUT, -1, 2, "the request is wrong")                                                                  \
	X(LOOM_EFILE, -2, 2, "a file cannot be read or written")                                                       \
	X(LOOM_EFIT, -3, 2, "the plan does not fit the fabric")                                                        \
	X(LOOM_ENOMEM, -4, 3, "out of memory")                                                                         \
	X(LOOM_ELINK, -5, 3, "the link failed")                                                                        \
	X(LOOM_EHARDWARE, -6, 3, "the hardware failed")                                                                \
	X(LOOM_ETIMEOUT, -7, 3, "time ran out")                                                                        \
	X(LOOM_EINTERNAL, -8, 3, "flitloom is at fault")                                                               \
	X(LOOM_ESTUCK, -9, 3, "messages are outstanding and no flit moves")                                            \
	X(LOOM_ELIMIT, -10, 3, "a pass takes more cycles than it may")

// The codes that failed calls return.
enum loom_code {
#define X(name, value, status, text) name = (value),
	LOOM_ERROR_LIST(X)
#undef X
};

// A description of an error, for a person.
struct loom_err {
	int code;       // 0 or a loom_code
	char text[400]; // one line: what, where, what would be right; no newline
};

// Reports a failure. Records `code` and the formatted text in `err` (which may be NULL) and returns `code`, so that a
// failing function ends in `return loom_fail(err, LOOM_EINPUT, "...")`. A later failure replaces an earlier one.
int loom_fail(struct loom_err *err, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));

// A code's name, its meaning, and the status with which the command then ends.
const char *loom_code_name(int code); // "LOOM_EINPUT", or "LOOM_OK" for 0
const char *loom_code_text(int code); // the meaning in the list above
int loom_code_status(int code);       // exit status of the command: 0, 2 or 3

LOOM_API_END

#endif
