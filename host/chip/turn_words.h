// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TURN_WORDS_H
#define LOOM_TURN_WORDS_H

#include <flitloom/topo.h>

// The tables of routers that go by turns (rtl/net/route_sets.sv), in the window ROUTE: for a message to the node with
// this label that came in by input `came`, word came << label bits | label is the set of ports by which it may leave:
// bit 0 the node itself, bit p + 1 link p.

#define LOOM_TURN_WORDS_BITS 12 // bits of an address in that window
#define LOOM_CHIP_TURNS 2       // the value of register ADAPTIVE in such a chip

// Returns the number of low bits of a label that address the tables. If a label has more, a fabric fits only if these
// bits number all its nodes.
unsigned loom_turn_words_label_bits(const struct loom_topo *t);
// Returns the number of words of one input; 0 if no node has the label.
uint32_t loom_turn_words_count(const struct loom_topo *t);
// Fills them in for one input of one router; the fabric has turns.
void loom_turn_words_fill(uint32_t *word, const struct loom_topo *t, uint32_t here, unsigned came);

#endif
