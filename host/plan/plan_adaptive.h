// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_PLAN_ADAPTIVE_H
#define LOOM_PLAN_ADAPTIVE_H

#include <flitloom/plan.h>
#include <flitloom/routes/choice.h>
#include <flitloom/routes/via.h>

// Examines the request. *takes_map: options->rule lets routers choose, or sends messages through an intermediate node
// (flitloom/routes/via.h). *out is then the request to a planner that knows no such rule and makes a map. LOOM_EINPUT:
// the rule is not for this fabric, or an option cannot be used with it, or --select is given without a rule that lets
// routers choose.
int loom_plan_ask_adaptive(struct loom_plan_options *out, bool *takes_map, const struct loom_topo *topo,
                           const struct loom_plan_options *options, struct loom_err *err);
// Makes the messages of a plan go by such a rule, and predicts anew what the plan predicted for the usual rules.
// LOOM_EINPUT: its planner has chosen more than a map. `asked`: the options with the rule; its seed draws the
// intermediate nodes.
int loom_plan_let_choose(struct loom_plan *plan, const struct loom_plan_options *asked, struct loom_err *err);
// Check what plan.h states about messages by rules that let routers choose and about `select`, and about messages by
// rules with an intermediate node. LOOM_EINPUT.
int loom_plan_check_adaptive(const struct loom_plan *plan, struct loom_err *err);
int loom_plan_check_via(const struct loom_plan *plan, struct loom_err *err);
// Checks that routers of this fabric can choose by `select`. LOOM_EINPUT.
int loom_select_check(const struct loom_topo *topo, unsigned select, struct loom_err *err);
// Add the least and the most that channels carry, in messages and in flits, [pass * channels + channel]. LOOM_ENOMEM.
int loom_plan_may_load(uint32_t *least, uint32_t *most, const struct loom_plan *plan, struct loom_err *err);
int loom_plan_may_carry(uint64_t *flits_least, const struct loom_plan *plan, struct loom_err *err);

#endif
