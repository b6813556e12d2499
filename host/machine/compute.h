// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_MACHINE_COMPUTE_H
#define LOOM_MACHINE_COMPUTE_H

#include <flitloom/machine.h>

// As loom_machine_run, of a plan that has been run elsewhere: whether a chip would take it is not asked. options is not NULL. out NULL:
// no trace is made, only what options have room for.
int loom_machine_compute(struct loom_trace *out, const struct loom_plan *plan,
                         const struct loom_machine_options *options, struct loom_err *err);

#endif
