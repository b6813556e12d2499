// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TOOL_H
#define LOOM_TOOL_H

#include <stdbool.h>
#include <stddef.h>

#include <flitloom/err.h>

// Runs a program from PATH, without a shell. `input` is its standard input; its output goes to *out, malloc'ed and
// with a NUL behind it. argv ends with NULL. *said: the first line of its standard error, "" if there is none.
// LOOM_EFILE: it is not installed (err->text is its name alone, so that the caller can say what to install), or it
// failed; LOOM_ETIMEOUT: it took longer than a minute, and was ended.
int loom_tool_run(char **out, size_t *length_out, char said[160], const char *const *argv, const char *input,
                  size_t length, struct loom_err *err);

// Looks for a program of that name in PATH.
bool loom_tool_is_installed(const char *name);

#endif
