// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "random_turns.h"

#include <stdlib.h>

#include <flitloom/routes/forbidden_turns.h>
#include <flitloom/routes/rule_freedom.h>

#define CHANGES 24

static bool are_free(const struct loom_topo *t, const struct loom_turns *turns)
{
	struct loom_rule_freedom freedom = {0};
	const bool is_free = loom_rule_freedom_find(&freedom, t, LOOM_RULE_TURNS, turns, NULL) == 0 && freedom.is_free;
	loom_rule_freedom_free(&freedom);
	return is_free;
}

void random_turns(struct loom_topo *t, struct loom_rng *rng)
{
	struct loom_turns turns;
	uint64_t at_least;
	if (loom_turns_search(&turns, &at_least, t, loom_rng_next(rng), NULL) != 0)
		abort();
	for (unsigned i = 0; i < CHANGES; i++) {
		const uint32_t node = (uint32_t)loom_rng_below(rng, t->n_nodes);
		const unsigned q = (unsigned)loom_rng_below(rng, turns.n_links),
			       p = (unsigned)loom_rng_below(rng, turns.n_links);
		const bool was = turns.forbidden[node * turns.n_links + q] >> p & 1;
		loom_turns_forbid(&turns, node, q, p, !was);
		if (!are_free(t, &turns))
			loom_turns_forbid(&turns, node, q, p, was);
	}
	if (loom_topo_set_turns(t, &turns, NULL) != 0)
		abort();
	loom_turns_free(&turns);
}

unsigned char *random_turns_told(const struct loom_topo *t)
{
	const struct loom_turns *turns = loom_topo_turns(t);
	if (!turns)
		return NULL;
	const size_t n = (size_t)turns->n_nodes * turns->n_links;
	unsigned char *told = calloc(n * turns->n_links, 1);
	for (size_t i = 0; told && i < n * turns->n_links; i++)
		told[i] = turns->forbidden[i / turns->n_links] >> i % turns->n_links & 1;
	if (!told)
		abort();
	return told;
}
