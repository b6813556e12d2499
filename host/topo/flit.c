// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes the width of a flit, and the parts of a header.
#include "topo/flit.h"

#define NODES_TAKE 8 // the least bits of a flit for nodes

unsigned loom_flit_rule_bits(const struct loom_topo *t)
{
	const unsigned n = loom_topo_rules_count(t);
	return n > 4 ? 3 : n > 2 ? 2 : 1;
}

// Returns the slots of a node's store. An OTIS-Mesh works move by move, so several items wait at a node, more of them
// in larger groups.
uint32_t loom_flit_store_slots(const struct loom_topo *t)
{
	if (t->kind->router != LOOM_ROUTER_OTIS)
		return 3;
	return t->extent[0] <= 4 ? 7 : 15;
}

unsigned loom_flit_slot_bits(uint32_t slots)
{
	return slots > 7 ? 4 : slots > 3 ? 3 : 2;
}

unsigned loom_topo_flit_bits(const struct loom_topo *t)
{
	return t->flit_bits ? t->flit_bits : LOOM_FLIT_BITS_USUAL;
}

// Returns the least bits of a flit. The number of a message has one bit: a program has two messages, one of which may
// be under way.
unsigned loom_topo_flit_least(const struct loom_topo *t)
{
	const unsigned least =
		2 * t->label_bits + loom_flit_rule_bits(t) + loom_flit_slot_bits(loom_flit_store_slots(t)) + 1;
	return least < NODES_TAKE ? NODES_TAKE : least;
}
