// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_FORMULA_H
#define LOOM_FORMULA_H

#include <stdbool.h>
#include <stdint.h>

#include <flitloom/api.h>
#include <flitloom/err.h>
#include <flitloom/pattern.h>
#include <flitloom/plan.h>

LOOM_API_BEGIN

// A prediction from the closed formulas alone ([Hou01], Theorems 1, 4 and 5). It is for plans of a linear-complement
// pattern on a cube whose 2^n messages are too many to list. Planners lcc and lcc_set make such plans, with a pass for
// each member of the pattern.
#define LOOM_FORMULA_DIMS_MAX 32

// The loads that the formulas give for a group of channels.
struct loom_formula_group {
	uint32_t max; // messages on its busiest channel in one pass
	uint64_t sum; // over its channels and all passes
};

// A plan by formula.
struct loom_formula {
	char fabric[48], pattern[128], planner[32];
	unsigned n; // dimensions
	uint64_t messages, flits;
	unsigned order[LOOM_GF2_MAX];
	struct loom_formula_group group[LOOM_FORMULA_DIMS_MAX + 2]; // n + 2: the dimensions, inject, eject
	uint32_t n_members;
	uint32_t *member_contention; // owned, n_members
	uint64_t *cycles;            // owned, n_members; LOOM_CYCLES_UNKNOWN if messages wait
	uint32_t contention, lower_bound, passes_bound;
	bool is_permutation;     // the pattern is a single permutation; then one_pass_rules counts
	unsigned one_pass_rules; // bit r is set if it is free of contention by rule r (enum loom_rule) in this order
	char objective[16];      // for a set; otherwise ""
	uint64_t objective_value;
};

// True if this is a cube that only formulas can plan, such as "cube:32". It has more dimensions than a plan can have,
// and any number of them (loom_formula_make says which are possible).
bool loom_formula_is_for(unsigned *n, const char *fabric);

// Plans by formula; `pattern` as from loom_pattern_parse_lccs. It takes these options: map (a bit order, "best" or
// "identity"), planner and objective. LOOM_EINPUT: other options, more than LOOM_FORMULA_DIMS_MAX dimensions, or 2^32
// or more passes without contention; LOOM_ENOMEM. On failure *out is untouched.
int loom_formula_make(struct loom_formula *out, const struct loom_pattern *pattern, uint32_t flits,
                      const struct loom_plan_options *options, struct loom_err *err);
void loom_formula_free(struct loom_formula *formula); // NULL allowed; leaves *formula zeroed

LOOM_API_END

#endif
