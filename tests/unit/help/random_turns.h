// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef RANDOM_TURNS_H
#define RANDOM_TURNS_H

#include <flitloom/topo.h>

#include "base/rng.h"

// Takes turns away from a direct network by which messages cannot lock: those that the library finds to be enough, some of them given back
// and others taken as long as that is so.
void random_turns(struct loom_topo *t, struct loom_rng *rng);
// Returns the forbidden turns of the fabric for the reference machine (ref_net.forbidden); NULL: it has none. The
// caller frees them.
unsigned char *random_turns_told(const struct loom_topo *t);

#endif
