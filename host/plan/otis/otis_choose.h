// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_OTIS_CHOOSE_H
#define LOOM_OTIS_CHOOSE_H

#include <flitloom/math/otis.h>
#include <flitloom/plan.h>

// Items to be moved: n_items of them, item i from source[i] to destination[i].
struct loom_otis_task {
	uint32_t side, n_items;
	const uint32_t *source, *destination;
	struct loom_otis_cost cost;
	struct loom_otis_step_counts bound;
	const struct loom_plan_options *options; // for the budget of the search, and for progress; NULL allowed
};

// Finds the cheapest moves among those of [Sahni97], for a BPC permutation, and those of the search. Prefers moves that
// need no more slots than a chip has. keep: malloc'ed, the slots of the hops.
int loom_otis_choose(struct loom_otis_moves *out, uint8_t **keep, const struct loom_otis_task *task,
                     struct loom_err *err);

#endif
