// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_REPORT_STATE_H
#define LOOM_REPORT_STATE_H

#include <flitloom/plan.h>

#include "check/offered.h"

// The state of a message that was to be sent, in a word: the first that holds of local, missing, repeated, elsewhere, cut, corrupt,
// delivered.
const char *loom_report_state(const struct loom_plan *plan, const struct loom_plan_message *m,
                              const struct loom_fate *f);

#endif
