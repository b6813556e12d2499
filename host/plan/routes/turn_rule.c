// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes the user's own turns a rule: proves that messages by them cannot lock, then makes the sets of lanes.
#include <flitloom/routes/forbidden_turns.h>

#include <inttypes.h>
#include <stdio.h>

#include <flitloom/routes/rule_freedom.h>

#include "topo/turn_sets.h"

// Lists as many lanes of the circle as `out` has room for.
static void name_circle(char out[LOOM_TURN_SETS_CIRCLE], const struct loom_topo *t, const struct loom_rule_freedom *f)
{
	enum { REST = 16 }; // " and 123456 more"
	size_t used = 0;
	for (size_t i = 0; i < f->n_waits; i++) {
		const struct loom_rule_wait *w = &f->wait[i];
		char name[48], lane[24] = "", item[160];
		loom_topo_channel_name(t, w->channel, name);
		if (t->n_vcs > 1)
			(void)snprintf(lane, sizeof lane, " virtual channel %u", w->vc);
		const size_t length = (size_t)snprintf(item, sizeof item, "%s%s%s held from %" PRIu32 " to %" PRIu32,
		                                       i ? ", " : "", name, lane, w->source, w->destination);
		if (i > 0 && used + length + (i + 1 < f->n_waits ? REST : 0) >= LOOM_TURN_SETS_CIRCLE) {
			(void)snprintf(out + used, LOOM_TURN_SETS_CIRCLE - used, " and %zu more", f->n_waits - i);
			return;
		}
		used += (size_t)snprintf(out + used, LOOM_TURN_SETS_CIRCLE - used, "%s", item);
	}
}

static int check_ways(const struct loom_topo *t, const struct loom_rule_freedom *f, struct loom_err *err)
{
	if (!f->has_gap && !f->goes_round)
		return 0;
	return loom_fail(err, LOOM_EINPUT,
	                 "rule turns on %.120s: at node %" PRIu32 " a message to node %" PRIu32
	                 " has no way on; allow more turns",
	                 t->name, f->here, f->destination);
}

int loom_topo_set_turns(struct loom_topo *t, const struct loom_turns *turns, struct loom_err *err)
{
	struct loom_rule_freedom freedom = {0};
	struct loom_turn_sets *sets = NULL;
	if (t->kind->router != LOOM_ROUTER_ORDER && t->kind->router != LOOM_ROUTER_TABLE)
		return loom_fail(err, LOOM_EINPUT,
		                 "rule turns is for cube, line, mesh, ring, torus and networks whose routers have "
		                 "tables, and not for %.120s",
		                 t->name);
	if (turns->n_nodes != t->n_nodes || turns->n_links != loom_topo_links(t))
		return loom_fail(err, LOOM_EINPUT,
		                 "turns of %" PRIu32 " nodes with %u links each, and %.120s has %" PRIu32 " with %u",
		                 turns->n_nodes, turns->n_links, t->name, t->n_nodes, loom_topo_links(t));
	int rc = loom_rule_freedom_find(&freedom, t, LOOM_RULE_TURNS, turns, err);
	if (rc == 0)
		rc = check_ways(t, &freedom, err);
	if (rc == 0)
		rc = loom_turn_sets_make(&sets, t, turns, err);
	if (rc == 0) {
		name_circle(sets->circle, t, &freedom);
		loom_turn_sets_free(t->turns);
		t->turns = sets;
	}
	loom_rule_freedom_free(&freedom);
	return rc;
}

const struct loom_turns *loom_topo_turns(const struct loom_topo *t)
{
	return t->turns ? &t->turns->turns : NULL;
}
