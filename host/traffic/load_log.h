// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TRAFFIC_LOAD_LOG_H
#define LOOM_TRAFFIC_LOAD_LOG_H

#include <flitloom/traffic.h>

#include "traffic/carrier.h"

// Returns the fate of a message as a log has it.
struct loom_load_message loom_load_message_of(const struct loom_carried *m);
// Both do nothing if the log is NULL. LOOM_ENOMEM.
int loom_load_log_add(struct loom_load_log *log, const struct loom_carried *m, struct loom_err *err);
// Makes room for the counts of n_channels channels, which are zero.
int loom_load_log_count(struct loom_load_log *log, uint32_t n_channels, struct loom_err *err);

#endif
