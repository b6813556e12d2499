// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_CIRCUITS_IMPROVE_H
#define LOOM_CIRCUITS_IMPROVE_H

#include "base/rng.h"
#include "circuits/circuits_internal.h"

// The budget of a search, counted in its own steps, and the cost at which it may stop.
struct loom_circuit_search {
	struct loom_rng rng;
	uint64_t work, budget; // steps taken, and the most
	uint64_t enough;       // a cost that cannot be beaten
	bool (*stopped)(void *user);
	void *user;
};

bool loom_circuit_search_is_over(const struct loom_circuit_search *search);

// Makes a list cheaper. Takes out a few slots again and again, moves what it can of their flits into other slots that
// have room, and puts the rest into new slots. The cost (cycles and dark of all slots) never rises.
int loom_circuit_improve(struct loom_circuit_list *list, const struct loom_demand *demand, uint32_t dark,
                         struct loom_circuit_search *search, struct loom_err *err);

#endif
