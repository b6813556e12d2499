// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_PLAN_ADAPTIVE_H
#define LOOM_PLAN_ADAPTIVE_H

#include <flitloom/plan.h>
#include <flitloom/routes/choice.h>

// Looks at what is asked for. *is_adaptive: options->rule lets routers choose; *out is then what a planner is asked, which knows no
// such rule. LOOM_EINPUT: the rule is not for this fabric, or something of the options does not go with it, or --select without it.
int loom_plan_ask_adaptive(struct loom_plan_options *out, bool *is_adaptive, const struct loom_topo *topo,
                           const struct loom_plan_options *options, struct loom_err *err);
// Has the messages of a plan go by such a rule; all that the plan predicted for the usual rules is made anew. LOOM_EINPUT: its planner
// has chosen more than a map.
int loom_plan_let_choose(struct loom_plan *plan, unsigned rule, unsigned select, struct loom_err *err);
// Checks what plan.h states of messages by such a rule, and of `select`. LOOM_EINPUT.
int loom_plan_check_adaptive(const struct loom_plan *plan, struct loom_err *err);
// LOOM_EINPUT: routers of this fabric cannot choose so.
int loom_select_check(const struct loom_topo *topo, unsigned select, struct loom_err *err);
// Adds what channels carry at least and at most, in messages and in flits, [pass * channels + channel]. LOOM_ENOMEM.
int loom_plan_may_load(uint32_t *least, uint32_t *most, const struct loom_plan *plan, struct loom_err *err);
int loom_plan_may_carry(uint64_t *flits_least, const struct loom_plan *plan, struct loom_err *err);

#endif
