// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef CUT_CHECKS_H
#define CUT_CHECKS_H

#include <stdint.h>

#include <flitloom/plan.h>

// Plans that are cut into passes without contention, on direct networks. On an error each function fails the test.

// Plans pattern `spec` with 3 flits a message by `planner`. The caller frees both outputs.
void cut_by(struct loom_plan *out, struct loom_pattern *pattern, const char *planner, const char *fabric,
            const char *spec, uint64_t seed);

// Checks by the reference's walk, which knows no plans, that no channel has two messages in a pass, and that no pass is
// empty. Returns the least number of passes that any cut can have: messages on the busiest channel.
unsigned cut_check(const struct loom_plan *plan);

// Checks that the plan's messages are those of the pattern.
void cut_check_messages(const struct loom_plan *plan, const struct loom_pattern *pattern);

#endif
