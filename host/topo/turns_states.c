// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The shortest ways of messages that may not take some turns.
#include "topo/turns_states.h"

#include <stdlib.h>
#include <string.h>

static bool may_turn(const struct loom_turns *turns, uint32_t node, unsigned memory, unsigned p)
{
	return memory == 0 || !(turns->forbidden[node * turns->n_links + memory - 1] >> p & 1);
}

static struct loom_choice choice(const struct loom_states *s, uint32_t state)
{
	const struct loom_topo *t = s->topo;
	const uint32_t node = loom_states_node(s, state);
	const uint64_t of_link = (UINT64_C(1) << t->n_vcs) - 1;
	struct loom_choice out = {0, 0};
	for (unsigned p = 0; p < s->turns->n_links; p++) {
		uint32_t v;
		unsigned q;
		if (!may_turn(s->turns, node, state % s->n_memories, p) || !t->kind->link(t, node, p, &v, &q))
			continue;
		if (s->distance[state] != LOOM_STATES_FAR &&
		    s->distance[v * s->n_memories + q + 1] + 1 == s->distance[state])
			out.lanes |= of_link << p * t->n_vcs;
	}
	return out;
}

static unsigned start(const struct loom_states *s, uint32_t source)
{
	(void)s;
	(void)source;
	return 0;
}

static unsigned next(const struct loom_states *s, uint32_t state, unsigned link)
{
	uint32_t v;
	unsigned q = 0;
	(void)s->topo->kind->link(s->topo, loom_states_node(s, state), link, &v, &q);
	return q + 1;
}

// Searches from the destination, against the links.
void loom_turns_measure(struct loom_states *s)
{
	const struct loom_turns *turns = s->turns;
	const uint32_t per_tile = loom_topo_channels_per_tile(s->topo);
	size_t n = 0;
	memset(s->distance, 0xff, loom_states_count(s) * sizeof *s->distance);
	for (unsigned memory = 0; memory < s->n_memories; memory++) {
		s->distance[s->destination * s->n_memories + memory] = 0;
		s->queue[n++] = s->destination * s->n_memories + memory;
	}
	for (size_t i = 0; i < n; i++) {
		const uint32_t to = s->queue[i], node = loom_states_node(s, to);
		if (to % s->n_memories == 0)
			continue;
		const uint32_t channel = turns->from[node * turns->n_links + to % s->n_memories - 1];
		for (unsigned memory = 0; channel != LOOM_TURNS_NONE && memory < s->n_memories; memory++) {
			const uint32_t from = channel / per_tile * s->n_memories + memory;
			if (s->distance[from] != LOOM_STATES_FAR ||
			    !may_turn(turns, channel / per_tile, memory, channel % per_tile))
				continue;
			s->distance[from] = s->distance[to] + 1;
			s->queue[n++] = from;
		}
	}
}

int loom_turns_states(struct loom_states *s, const struct loom_turns *turns, struct loom_err *err)
{
	if (turns->n_links * s->topo->n_vcs > 64)
		return loom_fail(
			err, LOOM_EINPUT,
			"rule turns on %.120s: a node has %u links of %u lanes, and a router chooses among 64 lanes",
			s->topo->name, turns->n_links, s->topo->n_vcs);
	s->turns = turns;
	s->n_memories = turns->n_links + 1;
	s->choice = choice;
	s->start = start;
	s->next = next;
	s->distance = malloc(loom_states_count(s) * sizeof *s->distance);
	s->queue = malloc(loom_states_count(s) * sizeof *s->queue);
	return s->distance && s->queue
	               ? 0
	               : loom_fail(err, LOOM_ENOMEM, "out of memory for turns of %.120s", s->topo->name);
}
