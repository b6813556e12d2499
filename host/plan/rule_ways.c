// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/rule_ways.h"

#include <flitloom/routes/choice.h>

int loom_rule_ways_begin(struct loom_rule_ways *ways, const struct loom_topo *topo, struct loom_err *err)
{
	const size_t inputs = loom_topo_links(topo) + 1, n = topo->n_nodes * inputs;
	*ways = (struct loom_rule_ways){.topo = topo};
	LOOM_ARRAY(&ways->arrays, ways->place, n);
	LOOM_ARRAY(&ways->arrays, ways->next, n);
	LOOM_ARRAY(&ways->arrays, ways->channel, n);
	LOOM_ARRAY(&ways->arrays, ways->seen, n / 64 + 1);
	LOOM_ARRAY(&ways->arrays, ways->late, n);
	return ways->arrays.is_short
	               ? loom_fail(err, LOOM_ENOMEM, "no memory for the ways of messages on %s", topo->name)
	               : 0;
}

void loom_rule_ways_end(struct loom_rule_ways *ways)
{
	loom_arrays_free(&ways->arrays);
	*ways = (struct loom_rule_ways){0};
}

// Goes on from a place by link p. Adds the place behind it to `next`, unless it is there. Returns the number of places
// in `next`.
static uint32_t take_link(struct loom_rule_ways *w, uint32_t u, unsigned p, bool by_input, uint32_t n_next)
{
	const struct loom_topo *t = w->topo;
	const uint32_t inputs = loom_topo_links(t) + 1;
	uint32_t v;
	unsigned q;
	(void)t->kind->link(t, u, p, &v, &q);
	const uint32_t there = v * inputs + (by_input ? q + 1 : 0);
	if (w->seen[there / 64] >> there % 64 & 1)
		return n_next;
	w->seen[there / 64] |= UINT64_C(1) << there % 64;
	w->next[n_next] = there;
	return n_next + 1;
}

// Makes the next places the present ones.
static void go_on(struct loom_rule_ways *w, uint32_t n_next)
{
	for (uint32_t k = 0; k < n_next; k++)
		w->seen[w->next[k] / 64] &= ~(UINT64_C(1) << w->next[k] % 64);
	uint32_t *const before = w->place;
	w->place = w->next;
	w->next = before;
	w->n_places = n_next;
}

// Goes on by one link from each place. Returns the number of links.
static uint32_t step(struct loom_rule_ways *w, unsigned rule, uint32_t source, uint32_t destination)
{
	const struct loom_topo *t = w->topo;
	const uint64_t of_link = (UINT64_C(1) << t->n_vcs) - 1;
	const uint32_t inputs = loom_topo_links(t) + 1;
	const bool by_input = rule == LOOM_RULE_TURNS; // other rules depend on the node alone
	uint32_t n_next = 0, n_channels = 0;
	for (uint32_t k = 0; k < w->n_places; k++) {
		const uint32_t u = w->place[k] / inputs;
		uint64_t lanes = loom_rule_choice_behind(t, rule, source, u, w->place[k] % inputs, destination).lanes;
		while (lanes) {
			const unsigned p = (unsigned)__builtin_ctzll(lanes) / t->n_vcs;
			const uint32_t before = n_next;
			lanes &= ~(of_link << p * t->n_vcs);
			n_next = take_link(w, u, p, by_input, n_next);
			if (!by_input || n_next > before) // each input belongs to one link
				w->channel[n_channels++] = u * loom_topo_channels_per_tile(t) + p;
		}
	}
	go_on(w, n_next);
	return n_channels;
}

void loom_rule_ways_visit(struct loom_rule_ways *w, unsigned rule, uint32_t source, uint32_t destination,
                          void (*visit)(void *user, uint32_t channel, bool is_only), void *user)
{
	const struct loom_topo *t = w->topo;
	const uint32_t per_tile = loom_topo_channels_per_tile(t), inputs = loom_topo_links(t) + 1;
	visit(user, source * per_tile + t->ports, true);
	w->place[0] = source * inputs;
	w->n_places = 1;
	while (w->place[0] / inputs != destination) {
		const uint32_t n = step(w, rule, source, destination);
		for (uint32_t k = 0; k < n; k++)
			visit(user, w->channel[k], n == 1);
	}
	visit(user, destination * per_tile + t->ports - 1, true);
}

// Goes on from a place by a link, and notes the cycles that links have taken.
static uint32_t take_slow_link(struct loom_rule_ways *w, uint32_t from, unsigned p, bool by_input, uint32_t n_next)
{
	const struct loom_topo *t = w->topo;
	const uint32_t inputs = loom_topo_links(t) + 1, u = from / inputs;
	const uint32_t late =
		w->late[from] + t->router_delay + loom_topo_link_delay(t, u * loom_topo_channels_per_tile(t) + p);
	const uint32_t n = take_link(w, u, p, by_input, n_next);
	uint32_t v;
	unsigned q;
	(void)t->kind->link(t, u, p, &v, &q);
	const uint32_t there = v * inputs + (by_input ? q + 1 : 0);
	if (n > n_next || late < w->late[there])
		w->late[there] = late;
	return n;
}

uint32_t loom_rule_ways_late(struct loom_rule_ways *w, unsigned rule, uint32_t source, uint32_t destination,
                             unsigned delay_most)
{
	const struct loom_topo *t = w->topo;
	const uint64_t of_link = (UINT64_C(1) << t->n_vcs) - 1;
	const uint32_t inputs = loom_topo_links(t) + 1, per_tile = loom_topo_channels_per_tile(t);
	uint32_t least = UINT32_MAX;
	w->place[0] = source * inputs;
	w->late[w->place[0]] = 0;
	w->n_places = 1;
	while (w->n_places && w->place[0] / inputs != destination) {
		uint32_t n_next = 0;
		for (uint32_t k = 0; k < w->n_places; k++) {
			const uint32_t from = w->place[k], u = from / inputs;
			uint64_t lanes = loom_rule_choice_behind(t, rule, source, u, from % inputs, destination).lanes;
			while (lanes) {
				const unsigned p = (unsigned)__builtin_ctzll(lanes) / t->n_vcs;
				lanes &= ~(of_link << p * t->n_vcs);
				if (loom_topo_link_delay(t, u * per_tile + p) <= delay_most)
					n_next = take_slow_link(w, from, p, rule == LOOM_RULE_TURNS, n_next);
			}
		}
		go_on(w, n_next);
	}
	for (uint32_t k = 0; k < w->n_places; k++)
		least = w->late[w->place[k]] < least ? w->late[w->place[k]] : least;
	return least;
}
