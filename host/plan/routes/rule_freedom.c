// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Proves for rules that let routers choose that messages cannot lock, whatever the routers choose.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/routes/via.h>

#include "plan/routes/rule_internal.h"
#include "plan/routes/via_freedom.h"
#include "topo/topo_direct.h"

static int init(struct loom_rule_search *s, struct loom_states *states)
{
	const struct loom_topo *t = states->topo;
	const uint32_t lanes_of_node = loom_topo_links(t) * t->n_vcs, n_states = loom_states_count(states);
	*s = (struct loom_rule_search){.states = states,
	                               .lanes_of_node = lanes_of_node,
	                               .n_lanes = t->n_nodes * lanes_of_node,
	                               .n_states = n_states};
	LOOM_ARRAY(&s->arrays, s->waited, t->n_nodes);
	LOOM_ARRAY(&s->arrays, s->behind, (size_t)t->n_nodes * lanes_of_node + 1);
	LOOM_ARRAY(&s->arrays, s->hops, t->n_nodes);
	LOOM_ARRAY(&s->arrays, s->queue, t->n_nodes);
	LOOM_ARRAY(&s->arrays, s->ways_all, t->n_nodes);
	LOOM_ARRAY(&s->arrays, s->longest, n_states);
	LOOM_ARRAY(&s->arrays, s->ways, n_states);
	const uint32_t n_vertices = s->n_lanes + (states->has_escapes ? t->n_nodes * n_states : 0);
	if (loom_channel_graph_init(&s->waits, n_vertices) != 0 || loom_walk_init(&s->walk, states) != 0)
		return -1;
	return s->arrays.is_short ? -1 : 0;
}

static void free_search(struct loom_rule_search *s)
{
	loom_walk_free(&s->walk);
	loom_channel_graph_free(&s->waits);
	loom_arrays_free(&s->arrays);
}

// --- Facts -----------------------------------------------------------------------------------------------------------

// Counts the hops and the shortest ways from all nodes to a node, against the direction of the links.
static void count_all_ways(struct loom_rule_search *s, uint32_t destination)
{
	const struct loom_topo *t = s->states->topo;
	uint32_t n = 0;
	memset(s->hops, 0xff, t->n_nodes * sizeof *s->hops);
	s->hops[destination] = 0;
	s->ways_all[destination] = 1;
	s->queue[n++] = destination;
	for (uint32_t i = 0; i < n; i++)
		for (unsigned q = 0; q < loom_topo_links(t); q++) {
			const uint32_t v = s->queue[i];
			uint32_t u;
			unsigned p;
			if (!loom_direct_feeds(t, v, q, &u, &p))
				continue;
			if (s->hops[u] == UINT32_MAX) {
				s->hops[u] = s->hops[v] + 1;
				s->ways_all[u] = 0;
				s->queue[n++] = u;
			}
			if (s->hops[u] == s->hops[v] + 1)
				s->ways_all[u] += s->ways_all[v];
		}
}

// Counts the ways that the rule leaves to the walk's node, in the order of its states.
static void count_ways(struct loom_rule_search *s)
{
	const struct loom_states *states = s->states;
	const struct loom_states_walk *w = &s->walk;
	for (uint32_t i = 0; i < w->n; i++) {
		const uint32_t at = w->order[i];
		s->ways[at] = 0;
		s->longest[at] = 0;
		for (unsigned p = 0; p < loom_topo_links(states->topo); p++) {
			if (!loom_states_lanes(states, w->set[at].lanes, p))
				continue;
			const uint32_t to = loom_states_next(states, at, p);
			const bool arrives = loom_states_node(states, to) == states->destination;
			const uint32_t length = 1 + (arrives ? 0 : s->longest[to]);
			s->ways[at] += arrives ? 1 : s->ways[to];
			s->longest[at] = length > s->longest[at] ? length : s->longest[at];
		}
	}
}

static void add_facts(struct loom_rule_freedom *out, struct loom_rule_search *s)
{
	const struct loom_states *states = s->states;
	count_all_ways(s, states->destination);
	count_ways(s);
	for (uint32_t u = 0; u < states->topo->n_nodes; u++) {
		if (u == states->destination || !loom_states_is_end(states->topo, u))
			continue;
		const uint32_t at = loom_states_start(states, u), length = s->longest[at], more = length - s->hops[u];
		out->most_hops = length > out->most_hops ? length : out->most_hops;
		out->most_detour = more > out->most_detour ? more : out->most_detour;
		s->sum += more == 0 ? s->ways[at] / s->ways_all[u] : 0;
		s->n_pairs++;
	}
}

// --- The graph -------------------------------------------------------------------------------------------------------

static uint32_t lane_at(const struct loom_rule_search *s, uint32_t node, unsigned bit)
{
	return node * s->lanes_of_node + bit;
}

static uint32_t vertex_of(const struct loom_rule_search *s, uint32_t state)
{
	return s->n_lanes + s->states->destination * s->n_states + state;
}

// Adds the lanes for which a message in a state waits if it waits for any lane of its set: from each lane to those
// behind it.
static void add_lanes(struct loom_rule_search *s, uint32_t at)
{
	const struct loom_states *states = s->states;
	const uint64_t lanes = s->walk.set[at].lanes;
	const uint32_t node = loom_states_node(states, at);
	s->waited[node] |= lanes;
	for (uint64_t rest = lanes; rest; rest &= rest - 1) {
		const unsigned bit = (unsigned)__builtin_ctzll(rest);
		const uint32_t to = loom_states_next(states, at, bit / states->topo->n_vcs);
		if (loom_states_node(states, to) != states->destination)
			s->behind[lane_at(s, node, bit)] |= s->walk.set[to].lanes;
	}
}

// Adds the same if it waits for an escape lane: edges from the state to its escape lanes, and to the states that can
// follow it.
static int add_escapes(struct loom_rule_search *s, uint32_t at)
{
	const struct loom_states *states = s->states;
	const uint32_t node = loom_states_node(states, at);
	int rc = 0;
	s->waited[node] |= s->walk.set[at].escape;
	for (uint64_t rest = s->walk.set[at].escape; rc == 0 && rest; rest &= rest - 1)
		rc = loom_channel_graph_append(&s->waits, vertex_of(s, at),
		                               lane_at(s, node, (unsigned)__builtin_ctzll(rest)));
	for (unsigned p = 0; rc == 0 && p < loom_topo_links(states->topo); p++) {
		const uint32_t to = loom_states_lanes(states, s->walk.set[at].lanes, p)
		                            ? loom_states_next(states, at, p)
		                            : LOOM_STATES_FAR;
		if (to != LOOM_STATES_FAR && loom_states_node(states, to) != states->destination)
			rc = loom_channel_graph_append(&s->waits, vertex_of(s, at), vertex_of(s, to));
	}
	return rc;
}

// Adds edges from each lane for which some message waits to the states of messages that may hold it, even if they need
// not wait for it.
static int add_holders(struct loom_rule_search *s, uint32_t at)
{
	const struct loom_states *states = s->states;
	const uint32_t node = loom_states_node(states, at);
	int rc = 0;
	for (uint64_t rest = s->walk.set[at].lanes & s->waited[node]; rc == 0 && rest; rest &= rest - 1) {
		const unsigned bit = (unsigned)__builtin_ctzll(rest);
		const uint32_t to = loom_states_next(states, at, bit / states->topo->n_vcs);
		if (loom_states_node(states, to) != states->destination)
			rc = loom_channel_graph_append(&s->waits, lane_at(s, node, bit), vertex_of(s, to));
	}
	return rc;
}

// Turns the masks of following lanes into edges.
static int add_masks(struct loom_rule_search *s)
{
	const struct loom_topo *t = s->states->topo;
	int rc = 0;
	for (uint32_t lane = 0; rc == 0 && lane < s->n_lanes; lane++) {
		uint32_t v = 0;
		unsigned q;
		if (s->behind[lane])
			(void)t->kind->link(t, lane / s->lanes_of_node, lane % s->lanes_of_node / t->n_vcs, &v, &q);
		for (uint64_t rest = s->behind[lane]; rc == 0 && rest; rest &= rest - 1)
			rc = loom_channel_graph_append(&s->waits, lane, lane_at(s, v, (unsigned)__builtin_ctzll(rest)));
	}
	return rc;
}

// Walks to each destination, and adds the lanes that its messages hold and wait for. Ends early if a state has no way
// on, or can be reached again.
static int add_destinations(struct loom_rule_freedom *out, struct loom_rule_search *s)
{
	const struct loom_topo *t = s->states->topo;
	int rc = 0;
	for (uint32_t d = 0; rc == 0 && d < t->n_nodes; d++) {
		if (!loom_states_is_end(t, d))
			continue;
		loom_walk_all(&s->walk, d);
		const bool has_gap = s->walk.gap != LOOM_STATES_FAR, goes_round = s->walk.round != LOOM_STATES_FAR;
		if (has_gap || goes_round) {
			out->has_gap = has_gap;
			out->goes_round = !has_gap;
			out->here = loom_states_node(s->states, has_gap ? s->walk.gap : s->walk.round);
			out->destination = d;
			return 0;
		}
		add_facts(out, s);
		for (uint32_t i = 0; rc == 0 && i < s->walk.n; i++) {
			if (s->states->has_escapes)
				rc = add_escapes(s, s->walk.order[i]);
			else
				add_lanes(s, s->walk.order[i]);
		}
	}
	// The second walk comes here because only now all lanes for which messages wait are known.
	for (uint32_t d = 0; rc == 0 && s->states->has_escapes && d < t->n_nodes; d++) {
		if (!loom_states_is_end(t, d))
			continue;
		loom_walk_all(&s->walk, d);
		for (uint32_t i = 0; rc == 0 && i < s->walk.n; i++)
			rc = add_holders(s, s->walk.order[i]);
	}
	out->adaptiveness = s->n_pairs ? s->sum / (double)s->n_pairs : 1;
	return rc == 0 && !s->states->has_escapes ? add_masks(s) : rc;
}

static int number_lanes(struct loom_rule_freedom *out, const struct loom_rule_search *s)
{
	const struct loom_topo *t = s->states->topo;
	const uint32_t per_tile = loom_topo_channels_per_tile(t), n_channels = loom_topo_channels(t);
	uint32_t *longest = malloc(((size_t)s->waits.n_channels + 1) * sizeof *longest);
	uint32_t *number = malloc((size_t)n_channels * t->n_vcs * sizeof *number);
	int rc = longest && number ? loom_channel_graph_chains(longest, &s->waits) : -1;
	for (size_t i = 0; rc == 0 && i < (size_t)n_channels * t->n_vcs; i++)
		number[i] = LOOM_RULE_NO_NUMBER;
	for (uint32_t lane = 0; rc == 0 && lane < s->n_lanes; lane++) {
		const uint32_t node = lane / s->lanes_of_node, bit = lane % s->lanes_of_node;
		if (s->waited[node] >> bit & 1)
			number[(size_t)node * per_tile * t->n_vcs + bit] = longest[lane];
	}
	free(longest);
	if (rc == 0)
		out->number = number;
	else
		free(number);
	return rc;
}

int loom_rule_freedom_of_states(struct loom_rule_freedom *out, struct loom_states *states, struct loom_err *err)
{
	const struct loom_topo *t = states->topo;
	struct loom_rule_freedom found = {0};
	struct loom_rule_search s;
	uint32_t *edge = NULL;
	size_t n_edges = 0;
	int rc = init(&s, states);
	if (rc == 0)
		rc = add_destinations(&found, &s);
	if (rc == 0 && !found.has_gap && !found.goes_round) {
		rc = loom_channel_graph_circle(&edge, &n_edges, &s.waits);
		if (rc == 0 && n_edges > 0)
			rc = loom_rule_waits(&found, &s, edge, n_edges);
		else if (rc == 0)
			rc = number_lanes(&found, &s);
	}
	found.is_free = found.number != NULL;
	free_search(&s);
	free(edge);
	if (rc != 0) {
		loom_rule_freedom_free(&found);
		return loom_fail(err, LOOM_ENOMEM, "out of memory for the lanes of %.120s", t->name);
	}
	*out = found;
	return 0;
}

int loom_rule_freedom_find(struct loom_rule_freedom *out, const struct loom_topo *t, unsigned rule,
                           const struct loom_turns *turns, struct loom_err *err)
{
	struct loom_states states;
	if (t->n_nodes > LOOM_RULE_NODES_MAX)
		return loom_fail(err, LOOM_EINPUT,
		                 "%.120s has %" PRIu32
		                 " nodes: rules that let routers choose are proved for %d at most",
		                 t->name, t->n_nodes, LOOM_RULE_NODES_MAX);
	if (loom_rule_has_via(rule))
		return loom_via_freedom_find(out, t, rule, err);
	int rc = loom_states_init(&states, t, rule, turns, err);
	if (rc != 0)
		return rc;
	rc = loom_rule_freedom_of_states(out, &states, err);
	loom_states_free(&states);
	return rc;
}

void loom_rule_freedom_free(struct loom_rule_freedom *freedom)
{
	if (!freedom)
		return;
	for (size_t i = 0; i < freedom->n_waits; i++)
		free(freedom->wait[i].via);
	free(freedom->wait);
	free(freedom->number);
	*freedom = (struct loom_rule_freedom){0};
}
