// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TIMING_CHECK_H
#define LOOM_TIMING_CHECK_H

#include <flitloom/pattern.h>

// Checks that every gate is legal, the first half of loom_timing_check.
int loom_timing_check_values(const struct loom_timing *timing, uint32_t n_nodes, const struct loom_message *messages,
                             size_t n_messages, struct loom_err *err);

// Finds the message for which each waiting gate waits, or SIZE_MAX if fewer are sent than it waits for. out has an
// element for every gate; those of other gates are unchanged. The gates' values have been checked.
int loom_timing_wanted(size_t *out, const struct loom_timing *timing, uint32_t n_nodes,
                       const struct loom_message *messages, size_t n_messages, struct loom_err *err);

#endif
