// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_OTIS_PLAIN_MIDDLE_H
#define LOOM_OTIS_PLAIN_MIDDLE_H

#include <stdbool.h>
#include <stdint.h>

#include <flitloom/err.h>

struct loom_otis_task;

// Middles without edge colouring (loom_otis_by_middle): of each item the processor of its destination, or of its source. Then
// only two of the three local permutations have something to move. *possible is false where two items of one group, or for one,
// have the same. LOOM_ENOMEM.
int loom_otis_plain_middle(uint32_t *middle, bool *possible, const struct loom_otis_task *task, bool of_source,
                           struct loom_err *err);

#endif
