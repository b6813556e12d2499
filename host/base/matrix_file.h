// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_MATRIX_FILE_H
#define LOOM_MATRIX_FILE_H

#include <stddef.h>
#include <stdint.h>

#include <flitloom/err.h>

// Handles an entry, which is finite and 0 or more. Returns 0, or an error that ends the reading.
typedef int loom_matrix_each(void *user, uint32_t row, uint32_t column, double value, struct loom_err *err);

// Reads n x n numbers of 0 or more from CSV or an array of NumPy, row by row. LOOM_EFILE; LOOM_EINPUT, with the
// place; or the error of `each`.
int loom_matrix_file_read(const char *path, uint32_t n, size_t bytes_max, loom_matrix_each *each, void *user,
                          struct loom_err *err);

#endif
