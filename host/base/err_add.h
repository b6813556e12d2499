// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_ERR_ADD_H
#define LOOM_ERR_ADD_H

#include <stddef.h>

#include <flitloom/err.h>

// Adds to the text of an error, as far as there is room.
void loom_err_add(struct loom_err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Adds " and 3 more", if not all of n were named.
void loom_err_add_more(struct loom_err *err, size_t n, size_t n_named);

#endif
