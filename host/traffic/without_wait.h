// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TRAFFIC_WITHOUT_WAIT_H
#define LOOM_TRAFFIC_WITHOUT_WAIT_H

#include <stdint.h>

#include <flitloom/topo.h>

// The latency, in cycles from release to tail, of a message between two nodes that waits nowhere. rule: as asked for.
uint32_t loom_without_wait(const struct loom_topo *topo, uint32_t flits, uint32_t rule, uint32_t source,
                           uint32_t destination);

#endif
