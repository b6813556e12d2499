// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The change "two processors exchange their nodes". All their messages follow.
#include <flitloom/routes/deadlock.h>

#include "plan/cycles/cycles.h"
#include "plan/plan_internal.h"

static void exchange(struct loom_place_change *c)
{
	uint32_t *map = c->plan->map, node = map[c->a];
	map[c->a] = map[c->b];
	map[c->b] = node;
	loom_plan_settle_rules(c->plan);
}

// Draws two processors, one of which is an end of some message: an exchange of two idle ones changes nothing.
static int make(bool *is_made, void *user, struct loom_rng *rng, struct loom_err *err)
{
	struct loom_place_change *c = user;
	const struct loom_plan *plan = c->plan;
	(void)err;
	*is_made = plan->n_messages > 0;
	if (!*is_made)
		return 0;
	const struct loom_plan_message *m = &plan->messages[loom_rng_below(rng, plan->n_messages)];
	c->a = loom_rng_below(rng, 2) ? m->source : m->destination;
	c->b = (uint32_t)loom_rng_below(rng, loom_topo_hosts(&plan->topo));
	*is_made = c->a != c->b;
	if (*is_made)
		exchange(c);
	return 0;
}

static void undo(void *user)
{
	exchange(user);
}

static int check(bool *may_stay, void *user, struct loom_err *err)
{
	const struct loom_place_change *c = user;
	struct loom_err why = {0};
	int code = loom_deadlock_check(c->plan, &why);
	*may_stay = code == 0;
	return code == 0 || code == LOOM_EINPUT ? 0 : loom_fail(err, code, "%s", why.text);
}

struct loom_change loom_place_change(struct loom_place_change *change)
{
	return (struct loom_change){.make = make, .undo = undo, .check = check, .user = change};
}
