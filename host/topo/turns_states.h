// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TURNS_STATES_H
#define LOOM_TURNS_STATES_H

#include "topo/choice_states.h"

// Fills in what states are by these turns: memory 0 at the source, q + 1 behind what comes in beside link q.
int loom_turns_states(struct loom_states *s, const struct loom_turns *turns, struct loom_err *err);
// Measures how far each state is from the destination by the turns that are left.
void loom_turns_measure(struct loom_states *s);

#endif
