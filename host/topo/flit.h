// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef TOPO_FLIT_H
#define TOPO_FLIT_H

#include <flitloom/topo.h>

// Returns the bits of a header beside two labels and the number of the message, in their usual form. Routers that go by
// rules of flitloom/routes/choice.h have more bits of a rule.
unsigned loom_flit_rule_bits(const struct loom_topo *t);
uint32_t loom_flit_store_slots(const struct loom_topo *t); // slots of a node's store
unsigned loom_flit_slot_bits(uint32_t slots);              // bits of a slot's number

#endif
