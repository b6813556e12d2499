// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/rule_ways.h"

#include <stdlib.h>

#include <flitloom/routes/choice.h>

int loom_rule_ways_begin(struct loom_rule_ways *ways, const struct loom_topo *topo, struct loom_err *err)
{
	const size_t n = topo->n_nodes;
	*ways = (struct loom_rule_ways){.topo = topo};
	ways->node = calloc(n, sizeof *ways->node);
	ways->next = calloc(n, sizeof *ways->next);
	ways->channel = calloc(n * (loom_topo_links(topo) + 1), sizeof *ways->channel);
	ways->seen = calloc(n / 64 + 1, sizeof *ways->seen);
	return ways->node && ways->next && ways->channel && ways->seen
	               ? 0
	               : loom_fail(err, LOOM_ENOMEM, "no memory for the ways of messages on %s", topo->name);
}

void loom_rule_ways_end(struct loom_rule_ways *ways)
{
	free(ways->node);
	free(ways->next);
	free(ways->channel);
	free(ways->seen);
	*ways = (struct loom_rule_ways){0};
}

// Goes on by one link from each node. Returns the number of links.
static uint32_t step(struct loom_rule_ways *w, unsigned rule, uint32_t source, uint32_t destination)
{
	const struct loom_topo *t = w->topo;
	const uint64_t of_link = (UINT64_C(1) << t->n_vcs) - 1;
	uint32_t n_next = 0, n_channels = 0;
	for (uint32_t k = 0; k < w->n_nodes; k++) {
		const uint32_t u = w->node[k];
		uint64_t lanes = loom_rule_choice(t, rule, source, u, destination).lanes;
		while (lanes) {
			const unsigned p = (unsigned)__builtin_ctzll(lanes) / t->n_vcs;
			uint32_t v;
			unsigned q;
			lanes &= ~(of_link << p * t->n_vcs);
			w->channel[n_channels++] = u * loom_topo_channels_per_tile(t) + p;
			(void)t->kind->link(t, u, p, &v, &q);
			if (w->seen[v / 64] >> v % 64 & 1)
				continue;
			w->seen[v / 64] |= UINT64_C(1) << v % 64;
			w->next[n_next++] = v;
		}
	}
	for (uint32_t k = 0; k < n_next; k++)
		w->seen[w->next[k] / 64] &= ~(UINT64_C(1) << w->next[k] % 64);
	uint32_t *const before = w->node;
	w->node = w->next;
	w->next = before;
	w->n_nodes = n_next;
	return n_channels;
}

void loom_rule_ways_visit(struct loom_rule_ways *w, unsigned rule, uint32_t source, uint32_t destination,
                          void (*visit)(void *user, uint32_t channel, bool is_only), void *user)
{
	const struct loom_topo *t = w->topo;
	const uint32_t per_tile = loom_topo_channels_per_tile(t);
	visit(user, source * per_tile + t->ports, true);
	w->node[0] = source;
	w->n_nodes = 1;
	while (w->node[0] != destination) {
		const uint32_t n = step(w, rule, source, destination);
		for (uint32_t k = 0; k < n; k++)
			visit(user, w->channel[k], n == 1);
	}
	visit(user, destination * per_tile + t->ports - 1, true);
}
