// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_REPORT_FILE_H
#define LOOM_REPORT_FILE_H

#include <stddef.h>

#include "err.h"

// Replaces a file as a whole: under a temporary name next to it first. A symbolic link stays one, a mode is kept; pipes
// and devices are written in place. LOOM_EFILE: nothing has changed and nothing is left behind.
int loom_report_write_file(const char *path, const char *text, size_t size, struct loom_err *err);

#endif
