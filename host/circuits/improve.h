// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_CIRCUITS_IMPROVE_H
#define LOOM_CIRCUITS_IMPROVE_H

#include "base/rng.h"
#include "circuits/circuits_internal.h"

// A search: how far it may go, counted in steps of its own, and when it has what it wants.
struct loom_circuit_search {
	struct loom_rng rng;
	uint64_t work, budget; // steps taken, and the most
	uint64_t enough;       // a cost that cannot be beaten
	bool (*stopped)(void *user);
	void *user;
};

bool loom_circuit_search_is_over(const struct loom_circuit_search *search);

// Makes a list cheaper: takes a few slots out again and again, moves what it can into room that others have, and puts the rest
// into new slots. Its cost, cycles and dark of all slots, never goes up.
int loom_circuit_improve(struct loom_circuit_list *list, const struct loom_demand *demand, uint32_t dark,
                         struct loom_circuit_search *search, struct loom_err *err);

#endif
