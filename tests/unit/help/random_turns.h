// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef RANDOM_TURNS_H
#define RANDOM_TURNS_H

#include <flitloom/topo.h>

#include "base/rng.h"

// Forbids turns on a direct network so that messages cannot lock: begins with the turns that the library finds, and
// allows some of them and forbids others as long as messages cannot lock.
void random_turns(struct loom_topo *t, struct loom_rng *rng);
// Returns the forbidden turns of the fabric for the reference machine (ref_net.forbidden); NULL: it has none. The
// caller frees them.
unsigned char *random_turns_told(const struct loom_topo *t);

#endif
