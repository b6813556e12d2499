// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_REPORT_STATE_H
#define LOOM_REPORT_STATE_H

#include <flitloom/plan.h>

#include "check/offered.h"

// Returns the state of a planned message in a word: the first that applies of local, missing, repeated, elsewhere,
// cut, corrupt, delivered.
const char *loom_report_state(const struct loom_plan *plan, const struct loom_plan_message *m,
                              const struct loom_fate *f);

#endif
