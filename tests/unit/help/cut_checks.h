// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef CUT_CHECKS_H
#define CUT_CHECKS_H

#include <stdint.h>

#include <flitloom/plan.h>

// Plans that are cut into passes without contention, on direct networks. All of it fails the test that calls it.

// The pattern `spec` of 3 flits a message, planned by `planner`. Both are the caller's to free.
void cut_by(struct loom_plan *out, struct loom_pattern *pattern, const char *planner, const char *fabric,
            const char *spec, uint64_t seed);

// No channel has two messages in a pass, by the reference's walk, which knows no plans; and no pass is empty. Returns the
// least number of passes that any cut can have: messages on the busiest channel.
unsigned cut_check(const struct loom_plan *plan);

// The plan's messages are the pattern's.
void cut_check_messages(const struct loom_plan *plan, const struct loom_pattern *pattern);

#endif
