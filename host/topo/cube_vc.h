// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_CUBE_VC_H
#define LOOM_CUBE_VC_H

#include <flitloom/topo.h>

// Returns the virtual channel of each link by which a message goes to `destination`, if links have several: the sum of
// the digits of its number, modulo n_vcs. The base is the least of 2, 4 and 8 that is no less than n_vcs. So messages
// that part from one another at one of the next few dimensions have different virtual channels, whichever dimensions
// come first.
unsigned loom_cube_vc(const struct loom_topo *t, uint32_t destination);

#endif
