// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The sets of links, by input and destination, that routers hold if turns are forbidden.
#include "topo/turn_sets.h"

#include <stdlib.h>

void loom_turn_sets_free(struct loom_turn_sets *sets)
{
	if (!sets || atomic_fetch_sub(&sets->n_users, 1) != 1)
		return;
	loom_turns_free(&sets->turns);
	free(sets->links);
	free(sets);
}

int loom_turn_sets_check(const struct loom_topo *t, unsigned rule, struct loom_err *err)
{
	if (rule != LOOM_RULE_TURNS || !t->turns || t->turns->circle[0] == '\0')
		return 0;
	return loom_fail(err, LOOM_EINPUT,
	                 "rule turns on %.120s: messages can lock, each waiting for the next one's channel: %s; "
	                 "forbid one of these turns",
	                 t->name, t->turns->circle);
}
