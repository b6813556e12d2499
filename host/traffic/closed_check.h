// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TRAFFIC_CLOSED_CHECK_H
#define LOOM_TRAFFIC_CLOSED_CHECK_H

#include <flitloom/routes/deadlock.h>
#include <flitloom/traffic.h>

// Checks the numbers of closed traffic and of a batch. LOOM_EINPUT.
int loom_closed_check(const struct loom_load_options *options, const struct loom_topo *topo, struct loom_err *err);
// Checks that no node can owe more replies than its queue holds. LOOM_EINPUT: some node can; the text shows a circle
// of channels in which the full queue could lock, if there is one.
int loom_closed_check_queue(const struct loom_topo *topo, const struct loom_traffic *traffic, const uint32_t *map,
                            const struct loom_load_options *options, struct loom_err *err);
// Writes the channels of a circle: "0->1 (+x), 1->2 (+x), ... and back".
void loom_closed_circle_text(char *out, size_t size, const struct loom_dependency_cycle *circle,
                             const struct loom_topo *topo);

#endif
