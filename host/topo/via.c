// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Rules by which a message goes through a drawn node: says on which fabrics they are defined, and draws the node.
#include <flitloom/routes/via.h>

#include "base/rng.h"

#define RING_WITHOUT_LANES 3 // nodes of the largest ring on which messages by the shorter way cannot lock on one lane

bool loom_rule_has_via(unsigned rule)
{
	return rule >= LOOM_RULE_O1TURN && rule <= LOOM_RULE_VALIANT;
}

// Returns the lanes of each link that a rule needs.
static unsigned lanes_needed(const struct loom_topo *t)
{
	bool has_datelines = false;
	for (unsigned d = 0; d < t->n_dims; d++)
		has_datelines = has_datelines || (t->kind->wraps && t->extent[d] > RING_WITHOUT_LANES);
	return has_datelines ? 4 : 2;
}

int loom_via_check(const struct loom_topo *t, unsigned rule, struct loom_err *err)
{
	const char *name = rule < LOOM_RULES_NAMED ? loom_rule_name(rule) : "?";
	if (!loom_rule_has_via(rule))
		return loom_fail(err, LOOM_EINPUT,
		                 "rule %s sends no message through a node; o1turn, romm and valiant do", name);
	if (t->kind->router != LOOM_ROUTER_ORDER)
		return loom_fail(err, LOOM_EINPUT,
		                 "rule %s is for cube, line, mesh, ring and torus, whose routers go by coordinates, "
		                 "and not for %.120s",
		                 name, t->name);
	if (rule == LOOM_RULE_O1TURN && (t->kind->complements_bits || t->kind->wraps || t->n_dims != 2))
		return loom_fail(err, LOOM_EINPUT, "rule o1turn is for meshes of two dimensions, and not for %.120s",
		                 t->name);
	const unsigned n = lanes_needed(t);
	if (t->n_vcs < n || t->n_vcs % 2 != 0)
		return loom_fail(err, LOOM_EINPUT,
		                 "rule %s on %.120s: links have %u lane%s, and it needs an even number, %u or more: "
		                 "give v%u",
		                 name, t->name, t->n_vcs, t->n_vcs == 1 ? "" : "s", n, n);
	return 0;
}

// Returns the coordinate `links` steps from x in dimension d, up or down (minus), round a ring if there is one.
static uint32_t stepped(const struct loom_topo *t, unsigned d, uint32_t x, uint32_t links, bool minus)
{
	const uint32_t extent = t->extent[d];
	return minus ? (x + extent - links) % extent : (x + links) % extent;
}

// Returns the links from x to y in a dimension. *minus: they lead down. Half-way round a ring they lead up.
static uint32_t links_between(const struct loom_topo *t, unsigned d, uint32_t x, uint32_t y, bool *minus)
{
	const uint32_t extent = t->extent[d], up = (y + extent - x) % extent;
	*minus = t->kind->wraps ? up > extent - up : y < x;
	return *minus ? extent - up : up;
}

static uint32_t corner(const struct loom_topo *t, uint32_t of_x, uint32_t of_y)
{
	return of_y - of_y % t->extent[0] + of_x % t->extent[0];
}

static uint32_t draw_between(const struct loom_topo *t, struct loom_rng *rng, uint32_t source, uint32_t destination)
{
	uint32_t via = 0, stride = 1;
	for (unsigned d = 0; d < t->n_dims; d++) {
		const uint32_t x = source / stride % t->extent[d], y = destination / stride % t->extent[d];
		bool minus;
		const uint32_t n = links_between(t, d, x, y, &minus);
		via += stride * stepped(t, d, x, (uint32_t)loom_rng_below(rng, n + 1), minus);
		stride *= t->extent[d];
	}
	return via;
}

uint32_t loom_via_draw(const struct loom_topo *t, unsigned rule, uint32_t source, uint32_t destination, uint64_t seed,
                       uint64_t which)
{
	struct loom_rng rng;
	uint64_t state = seed;
	state = loom_splitmix64(&state) ^ which;
	loom_rng_init(&rng, loom_splitmix64(&state));
	if (rule == LOOM_RULE_O1TURN)
		return loom_rng_below(&rng, 2) ? corner(t, source, destination) : corner(t, destination, source);
	return rule == LOOM_RULE_ROMM ? draw_between(t, &rng, source, destination)
	                              : (uint32_t)loom_rng_below(&rng, t->n_nodes);
}

bool loom_via_fits(const struct loom_topo *t, unsigned rule, uint32_t source, uint32_t destination, uint32_t via)
{
	uint32_t stride = 1;
	if (via >= t->n_nodes)
		return false;
	if (rule == LOOM_RULE_O1TURN)
		return via == corner(t, source, destination) || via == corner(t, destination, source);
	for (unsigned d = 0; rule == LOOM_RULE_ROMM && d < t->n_dims; d++) {
		const uint32_t x = source / stride % t->extent[d], y = destination / stride % t->extent[d];
		bool minus, to_via;
		const uint32_t n = links_between(t, d, x, y, &minus),
			       k = links_between(t, d, x, via / stride % t->extent[d], &to_via);
		if (k > n || (k > 0 && to_via != minus))
			return false;
		stride *= t->extent[d];
	}
	return true;
}
