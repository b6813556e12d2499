// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_PLAN_ADAPTIVE_H
#define LOOM_PLAN_ADAPTIVE_H

#include <flitloom/plan.h>
#include <flitloom/routes/choice.h>
#include <flitloom/routes/via.h>

// Looks at what is asked for. *takes_map: options->rule lets routers choose, or sends messages by way of a node (flitloom/routes/via.h);
// *out is then what a planner is asked, which knows no such rule and makes a map. LOOM_EINPUT: the rule is not for this fabric, or
// something of the options does not go with it, or --select without one that lets routers choose.
int loom_plan_ask_adaptive(struct loom_plan_options *out, bool *takes_map, const struct loom_topo *topo,
                           const struct loom_plan_options *options, struct loom_err *err);
// Has the messages of a plan go by such a rule; all that the plan predicted for the usual rules is made anew. LOOM_EINPUT: its planner
// has chosen more than a map. `asked`: the options with the rule; its seed draws the nodes by way of which messages go.
int loom_plan_let_choose(struct loom_plan *plan, const struct loom_plan_options *asked, struct loom_err *err);
// Checks what plan.h states of messages by rules that let routers choose, and of `select`; and of those by rules with a node by way of
// which they go. LOOM_EINPUT.
int loom_plan_check_adaptive(const struct loom_plan *plan, struct loom_err *err);
int loom_plan_check_via(const struct loom_plan *plan, struct loom_err *err);
// LOOM_EINPUT: routers of this fabric cannot choose so.
int loom_select_check(const struct loom_topo *topo, unsigned select, struct loom_err *err);
// Adds what channels carry at least and at most, in messages and in flits, [pass * channels + channel]. LOOM_ENOMEM.
int loom_plan_may_load(uint32_t *least, uint32_t *most, const struct loom_plan *plan, struct loom_err *err);
int loom_plan_may_carry(uint64_t *flits_least, const struct loom_plan *plan, struct loom_err *err);

#endif
