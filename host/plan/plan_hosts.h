// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_PLAN_HOSTS_H
#define LOOM_PLAN_HOSTS_H

#include <flitloom/pattern.h>

// For a topology with switches: the pattern with a processor for each node, of which the last ones do nothing. What it points to is
// the pattern's, but for its timing, which loom_plan_hosts_end frees. LOOM_EINPUT: it is for another number of
// nodes, or a switch sends or receives.
int loom_plan_hosts_begin(struct loom_pattern *out, const struct loom_pattern *pattern, const struct loom_topo *topo,
                          struct loom_err *err);
void loom_plan_hosts_end(struct loom_pattern *pattern);

#endif
