// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "topo/states_walk.h"

enum { NEW, OPEN, DONE };

int loom_walk_init(struct loom_states_walk *out, struct loom_states *states)
{
	const size_t n = loom_states_count(states);
	*out = (struct loom_states_walk){.states = states};
	LOOM_ARRAY(&out->arrays, out->order, n);
	LOOM_ARRAY(&out->arrays, out->set, n);
	LOOM_ARRAY(&out->arrays, out->mark, n);
	LOOM_ARRAY(&out->arrays, out->link, n);
	LOOM_ARRAY(&out->arrays, out->stack, n);
	return out->arrays.is_short ? -1 : 0;
}

void loom_walk_free(struct loom_states_walk *w)
{
	loom_arrays_free(&w->arrays);
	*w = (struct loom_states_walk){0};
}

void loom_walk_begin(struct loom_states_walk *w, uint32_t destination)
{
	for (uint32_t i = 0; i < w->n; i++)
		w->mark[w->order[i]] = NEW;
	w->n = 0;
	w->gap = w->round = LOOM_STATES_FAR;
	loom_states_turn_to(w->states, destination);
}

static void open_state(struct loom_states_walk *w, uint32_t state)
{
	w->mark[state] = OPEN;
	w->link[state] = 0;
	w->set[state] = w->states->choice(w->states, state);
	if (w->set[state].lanes == 0 || (w->states->has_escapes && w->set[state].escape == 0))
		w->gap = state;
}

void loom_walk_from(struct loom_states_walk *w, uint32_t source)
{
	const struct loom_states *s = w->states;
	const unsigned n_links = loom_topo_links(s->topo);
	uint32_t n = 0;
	if (source == s->destination || w->mark[loom_states_start(s, source)] != NEW)
		return;
	w->stack[n++] = loom_states_start(s, source);
	open_state(w, w->stack[0]);
	while (n > 0) {
		const uint32_t at = w->stack[n - 1];
		const unsigned p = w->link[at]++;
		if (p == n_links) {
			w->mark[at] = DONE;
			w->order[w->n++] = at;
			n--;
			continue;
		}
		if (!loom_states_lanes(s, w->set[at].lanes, p))
			continue;
		const uint32_t to = loom_states_next(s, at, p);
		if (loom_states_node(s, to) == s->destination)
			continue;
		if (w->mark[to] == OPEN)
			w->round = to;
		if (w->mark[to] != NEW)
			continue;
		open_state(w, to);
		w->stack[n++] = to;
	}
}

void loom_walk_all(struct loom_states_walk *w, uint32_t destination)
{
	const struct loom_topo *t = w->states->topo;
	loom_walk_begin(w, destination);
	for (uint32_t u = 0; u < t->n_nodes; u++)
		if (loom_states_is_end(t, u))
			loom_walk_from(w, u);
}
