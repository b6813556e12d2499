// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_CIRCUITS_EXACT_H
#define LOOM_CIRCUITS_EXACT_H

#include "circuits/improve.h"

#define LOOM_CIRCUIT_EXACT_NODES 8u   // the most nodes for which all schedules are searched
#define LOOM_CIRCUIT_EXACT_FLITS 255u // the most flits of an entry

// Looks through the schedules of one switch by branch and bound. A schedule that is cheaper than the list (cycles and
// dark of all slots) replaces the list. *done: the list is now the cheapest there is; false: the search ended early.
int loom_circuit_exact(struct loom_circuit_list *list, bool *done, const struct loom_demand *demand, uint32_t dark,
                       struct loom_circuit_search *search, struct loom_err *err);

#endif
