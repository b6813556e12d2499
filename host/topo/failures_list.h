// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_FAILURES_LIST_H
#define LOOM_FAILURES_LIST_H

#include <flitloom/routes/failures.h>

// Copies failures; if they have no text the copy has "". False: no memory, and the partial copy can be freed.
bool loom_failures_copy(struct loom_failures *out, const struct loom_failures *failures);
// True if the number is among n ascending ones.
bool loom_failures_have(const uint32_t *list, size_t n, uint32_t number);

#endif
