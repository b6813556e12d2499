// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes the links that the turns leave, by a walk through a message's states.
#include "topo/turn_sets.h"

#include <stdlib.h>
#include <string.h>

#include "topo/choice_states.h"

static int fail_memory(const struct loom_topo *t, struct loom_err *err)
{
	return loom_fail(err, LOOM_ENOMEM, "out of memory for turns of %.120s", t->name);
}

static int copy_turns(struct loom_turns *out, const struct loom_topo *t, const struct loom_turns *turns,
                      struct loom_err *err)
{
	const size_t n = (size_t)turns->n_nodes * turns->n_links;
	struct loom_turns copy = *turns;
	copy.forbidden = malloc(n * sizeof *copy.forbidden);
	copy.from = malloc(n * sizeof *copy.from);
	*out = copy;
	if (!copy.forbidden || !copy.from)
		return fail_memory(t, err);
	memcpy(copy.forbidden, turns->forbidden, n * sizeof *copy.forbidden);
	memcpy(copy.from, turns->from, n * sizeof *copy.from);
	return 0;
}

static void fill(struct loom_turn_sets *sets, struct loom_states *states)
{
	for (uint32_t d = 0; d < sets->n_nodes; d++) {
		loom_states_turn_to(states, d);
		for (uint32_t state = 0; state < loom_states_count(states); state++) {
			uint32_t links = 0;
			if (loom_states_node(states, state) == d)
				continue;
			const uint64_t lanes = states->choice(states, state).lanes;
			for (unsigned p = 0; p < sets->n_links; p++)
				links |= loom_states_lanes(states, lanes, p) ? UINT32_C(1) << p : 0;
			sets->links[(size_t)state * sets->n_nodes + d] = links;
		}
	}
}

int loom_turn_sets_make(struct loom_turn_sets **out, const struct loom_topo *t, const struct loom_turns *turns,
                        struct loom_err *err)
{
	struct loom_states states = {0};
	if (turns->n_links > LOOM_TURN_SETS_LINKS)
		return loom_fail(err, LOOM_EINPUT, "rule turns on %.120s: a node has %u links, and %d are possible",
		                 t->name, turns->n_links, LOOM_TURN_SETS_LINKS);
	struct loom_turn_sets *sets = calloc(1, sizeof *sets);
	if (!sets)
		return fail_memory(t, err);
	atomic_init(&sets->n_users, 1);
	sets->n_nodes = turns->n_nodes;
	sets->n_links = turns->n_links;
	sets->links = calloc((size_t)turns->n_nodes * (turns->n_links + 1) * turns->n_nodes, sizeof *sets->links);
	int rc = sets->links ? 0 : fail_memory(t, err);
	if (rc == 0)
		rc = copy_turns(&sets->turns, t, turns, err);
	if (rc == 0)
		rc = loom_states_init(&states, t, LOOM_RULE_TURNS, &sets->turns, err);
	if (rc == 0)
		fill(sets, &states);
	loom_states_free(&states);
	if (rc == 0)
		*out = sets;
	else
		loom_turn_sets_free(sets);
	return rc;
}
