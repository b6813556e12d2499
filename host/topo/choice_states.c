// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "topo/choice_states.h"

#include <stdlib.h>
#include <string.h>

#include <flitloom/routes/failures.h>

#include "topo/choice_ways.h"

bool loom_states_is_end(const struct loom_topo *t, uint32_t node)
{
	return node < loom_topo_hosts(t) && loom_topo_takes_part(t, node);
}

// --- Rules that depend on node and destination alone -----------------------------------------------------------------

static struct loom_choice choice_plain(const struct loom_states *s, uint32_t state)
{
	return loom_rule_choice(s->topo, s->rule, state, state, s->destination);
}

static unsigned start_plain(const struct loom_states *s, uint32_t source)
{
	(void)s;
	(void)source;
	return 0;
}

static unsigned next_plain(const struct loom_states *s, uint32_t state, unsigned link)
{
	(void)s;
	(void)state;
	(void)link;
	return 0;
}

// --- odd-even: memory 1 in the column of the source, which a message never enters again ------------------------------

static struct loom_choice choice_by_column(const struct loom_states *s, uint32_t state)
{
	const uint32_t here = loom_states_node(s, state), beside = here % s->topo->extent[0] ? here - 1 : here + 1;
	return loom_rule_choice(s->topo, s->rule, state % 2 ? here : beside, here, s->destination);
}

static unsigned start_in_column(const struct loom_states *s, uint32_t source)
{
	(void)s;
	(void)source;
	return 1;
}

static unsigned next_by_column(const struct loom_states *s, uint32_t state, unsigned link)
{
	(void)s;
	return state % 2 && link / 2 == 1;
}

// --- Forbidden turns: memory 0 at the source, q + 1 after a message came in beside link q ----------------------------

static bool may_turn(const struct loom_turns *turns, uint32_t node, unsigned memory, unsigned p)
{
	return memory == 0 || !(turns->forbidden[node * turns->n_links + memory - 1] >> p & 1);
}

static struct loom_choice choice_by_turns(const struct loom_states *s, uint32_t state)
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

static unsigned next_by_turns(const struct loom_states *s, uint32_t state, unsigned link)
{
	uint32_t v;
	unsigned q = 0;
	(void)s->topo->kind->link(s->topo, loom_states_node(s, state), link, &v, &q);
	return q + 1;
}

// Measures the distance of each state from the destination by the allowed turns. Searches from there, against the
// direction of the links.
static void measure_turns(struct loom_states *s)
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

static int states_of_turns(struct loom_states *s, const struct loom_turns *turns, struct loom_err *err)
{
	if (turns->n_links * s->topo->n_vcs > 64)
		return loom_fail(err, LOOM_EINPUT,
		                 "rule turns on %.120s: a node has %u links of %u lanes, and a router chooses among 64 "
		                 "lanes at most",
		                 s->topo->name, turns->n_links, s->topo->n_vcs);
	s->turns = turns;
	s->n_memories = turns->n_links + 1;
	s->choice = choice_by_turns;
	s->next = next_by_turns;
	s->distance = malloc(loom_states_count(s) * sizeof *s->distance);
	s->queue = malloc(loom_states_count(s) * sizeof *s->queue);
	return s->distance && s->queue
	               ? 0
	               : loom_fail(err, LOOM_ENOMEM, "out of memory for turns of %.120s", s->topo->name);
}

// --- All rules -------------------------------------------------------------------------------------------------------

uint32_t loom_states_next(const struct loom_states *s, uint32_t state, unsigned p)
{
	uint32_t v = 0;
	unsigned q;
	(void)s->topo->kind->link(s->topo, loom_states_node(s, state), p, &v, &q);
	return v * s->n_memories + s->next(s, state, p);
}

int loom_states_init(struct loom_states *out, const struct loom_topo *t, unsigned rule, const struct loom_turns *turns,
                     struct loom_err *err)
{
	struct loom_states s = {.topo = t,
	                        .rule = rule,
	                        .n_memories = 1,
	                        .has_escapes = rule == LOOM_RULE_DUATO,
	                        .choice = choice_plain,
	                        .start = start_plain,
	                        .next = next_plain};
	int rc = 0;
	if (rule == LOOM_RULE_TURNS && turns)
		rc = states_of_turns(&s, turns, err);
	else
		rc = loom_rule_check(t, rule, err);
	if (rc == 0 && rule == LOOM_RULE_ODD_EVEN) {
		s.n_memories = 2;
		s.choice = choice_by_column;
		s.start = start_in_column;
		s.next = next_by_column;
	}
	if (rc == 0)
		*out = s;
	else
		loom_states_free(&s);
	return rc;
}

void loom_states_free(struct loom_states *s)
{
	free(s->distance);
	free(s->queue);
	*s = (struct loom_states){0};
}

void loom_states_turn_to(struct loom_states *s, uint32_t destination)
{
	s->destination = destination;
	if (s->turns)
		measure_turns(s);
}
