// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Explains a circle of lanes: which message may hold each of them while it waits for the next one.
#include <stdlib.h>

#include "plan/routes/rule_internal.h"

static void name_lane(struct loom_rule_wait *out, const struct loom_rule_search *s, uint32_t lane)
{
	const struct loom_topo *t = s->states->topo;
	const uint32_t node = lane / s->lanes_of_node, bit = lane % s->lanes_of_node;
	*out = (struct loom_rule_wait){.channel = node * loom_topo_channels_per_tile(t) + bit / t->n_vcs,
	                               .vc = bit % t->n_vcs};
}

// --- Messages that wait for any lane of their set --------------------------------------------------------------------

// Finds a source whose messages reach the state, the node itself if possible.
static uint32_t find_source(struct loom_rule_search *s, uint32_t state)
{
	const struct loom_topo *t = s->states->topo;
	const uint32_t n = t->n_nodes, here = loom_states_node(s->states, state);
	for (uint32_t k = 0; k < n; k++) {
		const uint32_t source = (here + k) % n;
		if (!loom_states_is_end(t, source))
			continue;
		loom_walk_begin(&s->walk, s->states->destination);
		loom_walk_from(&s->walk, source);
		if (s->walk.mark[state])
			return source;
	}
	return here; // not reached: some walk came to the state
}

// Finds a state, of those in the last walk, in which a message may take one lane and then wait for the other.
static uint32_t find_state(const struct loom_rule_search *s, uint32_t from, uint32_t to)
{
	const struct loom_states *states = s->states;
	const uint32_t node = from / s->lanes_of_node, bit = from % s->lanes_of_node;
	for (uint32_t at = node * states->n_memories; at < (node + 1) * states->n_memories; at++) {
		if (!s->walk.mark[at] || !(s->walk.set[at].lanes >> bit & 1))
			continue;
		const uint32_t next = loom_states_next(states, at, bit / states->topo->n_vcs);
		if (loom_states_node(states, next) != states->destination &&
		    s->walk.set[next].lanes >> to % s->lanes_of_node & 1)
			return at;
	}
	return LOOM_STATES_FAR;
}

static void find_messages(struct loom_rule_freedom *out, struct loom_rule_search *s, const uint32_t *edge,
                          bool *is_found)
{
	const struct loom_topo *t = s->states->topo;
	for (uint32_t d = 0; d < t->n_nodes; d++) {
		bool is_fresh = false;
		for (size_t i = 0; loom_states_is_end(t, d) && i < out->n_waits; i++) {
			const struct loom_channel_edge *e = &s->waits.edge[edge[i]];
			if (is_found[i])
				continue;
			if (!is_fresh)
				loom_walk_all(&s->walk, d);
			is_fresh = true;
			const uint32_t state = find_state(s, e->from, e->to);
			if (state == LOOM_STATES_FAR)
				continue;
			out->wait[i].source = find_source(s, state);
			out->wait[i].destination = d;
			is_found[i] = true;
			is_fresh = false;
		}
	}
}

static int waits_of_lanes(struct loom_rule_freedom *out, struct loom_rule_search *s, const uint32_t *edge, size_t n)
{
	bool *is_found = calloc(n, sizeof *is_found);
	if (!is_found)
		return -1;
	out->n_waits = n;
	for (size_t i = 0; i < n; i++)
		name_lane(&out->wait[i], s, s->waits.edge[edge[i]].from);
	find_messages(out, s, edge, is_found);
	free(is_found);
	return 0;
}

// --- Messages that wait for escape lanes: states lie between these ---------------------------------------------------

static int waits_of_escapes(struct loom_rule_freedom *out, struct loom_rule_search *s, const uint32_t *edge, size_t n)
{
	const uint32_t n_states = s->n_states;
	for (size_t i = 0; i < n; i++) {
		const struct loom_channel_edge *e = &s->waits.edge[edge[i]];
		if (e->from < s->n_lanes) {
			struct loom_rule_wait *w = &out->wait[out->n_waits++];
			name_lane(w, s, e->from);
			w->source = e->from / s->lanes_of_node;
			w->destination = (e->to - s->n_lanes) / n_states;
			w->via = malloc(n * sizeof *w->via);
			if (!w->via)
				return -1;
		} else if (e->to >= s->n_lanes) {
			struct loom_rule_wait *w = &out->wait[out->n_waits - 1];
			w->via[w->n_via++] = loom_states_node(s->states, (e->to - s->n_lanes) % n_states);
		}
	}
	return 0;
}

int loom_rule_waits(struct loom_rule_freedom *out, struct loom_rule_search *s, const uint32_t *edge, size_t n)
{
	out->wait = calloc(n, sizeof *out->wait);
	if (!out->wait)
		return -1;
	return (s->states->has_escapes ? waits_of_escapes : waits_of_lanes)(out, s, edge, n);
}
