// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_CIRCUITS_RELAY_H
#define LOOM_CIRCUITS_RELAY_H

#include "circuits/improve.h"

// Looks for a schedule of one switch in which flits may go through one other node, so that fewer slots are needed.
// The caller sets the numbers of *out and zeroes the rest. If a schedule below `limit` cycles is found, *out is
// filled in; else its `on` stays NULL.
int loom_circuit_relay(struct loom_circuit_schedule *out, const struct loom_demand *demand,
                       const struct loom_circuit_list *straight, uint64_t limit, struct loom_circuit_search *search,
                       struct loom_err *err);

#endif
