// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_MACHINE_COMPUTE_H
#define LOOM_MACHINE_COMPUTE_H

#include <flitloom/machine.h>

// Runs a plan as loom_machine_run does, but without the check that a chip would take it. options is not NULL. out
// NULL: no trace is made; only the outputs of `options` are filled in.
int loom_machine_compute(struct loom_trace *out, const struct loom_plan *plan,
                         const struct loom_machine_options *options, struct loom_err *err);

#endif
