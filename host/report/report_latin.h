// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_REPORT_LATIN_H
#define LOOM_REPORT_LATIN_H

#include <flitloom/err.h>
#include <flitloom/math/min.h>

// Writes the Latin square of a network (planners/latin.h), n = 2^m, m <= 16: one row a line as CSV if `path` ends in
// ".csv", a NumPy array (format 1.0, n x n, unsigned 16-bit, little-endian) if it ends in ".npy". LOOM_EINPUT: another
// ending. LOOM_EFILE: as loom_file_write.
int loom_report_latin_write(const char *path, const struct loom_min *net, struct loom_err *err);

#endif
