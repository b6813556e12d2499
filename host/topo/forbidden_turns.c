// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The turns of a network, and which of them are forbidden.
#include <flitloom/routes/forbidden_turns.h>

#include <stdlib.h>

#include "topo/topo_direct.h"

int loom_turns_init(struct loom_turns *out, const struct loom_topo *t, struct loom_err *err)
{
	const unsigned n_links = loom_topo_links(t);
	const uint32_t per_tile = loom_topo_channels_per_tile(t);
	if (n_links == 0)
		return loom_fail(err, LOOM_EINPUT, "%.120s has no turns: it is no direct network", t->name);
	const size_t n = (size_t)t->n_nodes * n_links;
	struct loom_turns turns = {.n_nodes = t->n_nodes,
	                           .n_links = n_links,
	                           .forbidden = calloc(n, sizeof *turns.forbidden),
	                           .from = malloc(n * sizeof *turns.from)};
	if (!turns.forbidden || !turns.from) {
		loom_turns_free(&turns);
		return loom_fail(err, LOOM_ENOMEM, "out of memory for turns of %.120s", t->name);
	}
	for (uint32_t u = 0; u < t->n_nodes; u++)
		for (unsigned q = 0; q < n_links; q++) {
			uint32_t v, w;
			unsigned p, back;
			turns.from[u * n_links + q] =
				loom_direct_feeds(t, u, q, &v, &p) ? v * per_tile + p : LOOM_TURNS_NONE;
			for (p = 0; turns.from[u * n_links + q] != LOOM_TURNS_NONE && p < n_links; p++)
				turns.n_turns += p != q && t->kind->link(t, u, p, &w, &back);
			turns.forbidden[u * n_links + q] = UINT64_C(1) << q;
		}
	*out = turns;
	return 0;
}

void loom_turns_free(struct loom_turns *turns)
{
	if (!turns)
		return;
	free(turns->forbidden);
	free(turns->from);
	*turns = (struct loom_turns){0};
}

void loom_turns_forbid(struct loom_turns *turns, uint32_t node, unsigned q, unsigned p, bool forbid)
{
	uint64_t *at = &turns->forbidden[node * turns->n_links + q];
	const uint64_t bit = UINT64_C(1) << p;
	if (p == q || !(*at & bit) == !forbid)
		return;
	*at ^= bit;
	if (forbid)
		turns->n_forbidden++;
	else
		turns->n_forbidden--;
}
