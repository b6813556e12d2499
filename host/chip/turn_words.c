// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "chip/turn_words.h"

#include "base/numbers.h"
#include "topo/turn_sets.h"

unsigned loom_turn_words_label_bits(const struct loom_topo *t)
{
	const unsigned room = LOOM_TURN_WORDS_BITS - loom_bits_for(loom_topo_links(t) + 1);
	return t->label_bits < room ? t->label_bits : room;
}

uint32_t loom_turn_words_count(const struct loom_topo *t)
{
	return loom_topo_label(t, t->n_nodes - 1) + 1;
}

void loom_turn_words_fill(uint32_t *word, const struct loom_topo *t, uint32_t here, unsigned came)
{
	for (uint32_t to = 0; to < t->n_nodes; to++)
		word[loom_topo_label(t, to)] = to == here ? 1 : loom_turn_sets_links(t->turns, here, came, to) << 1;
}
