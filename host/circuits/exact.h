// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_CIRCUITS_EXACT_H
#define LOOM_CIRCUITS_EXACT_H

#include "circuits/improve.h"

#define LOOM_CIRCUIT_EXACT_NODES 8u   // the most of which all schedules are looked through
#define LOOM_CIRCUIT_EXACT_FLITS 255u // of an entry, the most

// Looks through the schedules of one switch by branch and bound. If it finds one cheaper than the list (cycles and dark of all
// slots), that takes the list's place. *done: there is none cheaper than the list then is; else the search ended before.
int loom_circuit_exact(struct loom_circuit_list *list, bool *done, const struct loom_demand *demand, uint32_t dark,
                       struct loom_circuit_search *search, struct loom_err *err);

#endif
