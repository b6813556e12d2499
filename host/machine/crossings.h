// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_CROSSINGS_H
#define LOOM_CROSSINGS_H

#include <flitloom/machine.h>

// Makes the crossings of a plan's messages: their channels and lanes, as they lie on the ways; no cycles yet. LOOM_ENOMEM. Free them in
// any case.
int loom_crossings_begin(struct loom_machine_crossings *out, const struct loom_plan *plan, struct loom_err *err);

#endif
