// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_RUN_FAILING_H
#define LOOM_RUN_FAILING_H

#include <flitloom/device.h>
#include <flitloom/plan.h>
#include <flitloom/routes/failures.h>

// Links that fail while a run is under way, in simulations whose links can (loom_link_options.failing).

// Has links of a loaded chip fail, both of their directions, in cycle failures->in_cycle of a pass, until the next reset. LOOM_EINPUT: they never
// worked, or their links are light or slow. LOOM_EFIT: the chip's links cannot fail.
int loom_run_fail_links(struct loom_device *device, const struct loom_topo *topo, const struct loom_failures *failures,
                        struct loom_err *err);
// Puts a sentence in front of the error of a run that was given up: the link that failed, its cycle, and the messages
// that hold it or wait for it. These are the messages of `missing` (indices of those that have not arrived) whose way
// crosses the link. If there are none, the error stays.
void loom_run_name_failed(const struct loom_plan *plan, const struct loom_failures *failures, const size_t *missing,
                          size_t n_missing, struct loom_err *err);

#endif
