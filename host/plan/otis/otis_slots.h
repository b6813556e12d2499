// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_OTIS_SLOTS_H
#define LOOM_OTIS_SLOTS_H

#include <flitloom/math/otis.h>

#define LOOM_OTIS_SLOTS_MOST 255 // slots of a plan

// Assigns slots. keep[h]: the slot, from 1, in which the node to which hop h leads keeps the item until its next hop; 0
// if that was its last hop. No slot is read and written in one step. *n_slots: the number of slots on the node that
// needs most. LOOM_EINPUT: more than LOOM_OTIS_SLOTS_MOST.
int loom_otis_slots(uint8_t *keep, uint32_t *n_slots, const struct loom_otis_moves *moves, struct loom_err *err);
// Returns the slots of each node with which a chip of this side is made.
uint32_t loom_otis_slots_of_a_chip(uint32_t side);

#endif
