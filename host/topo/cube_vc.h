// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_CUBE_VC_H
#define LOOM_CUBE_VC_H

#include <flitloom/topo.h>

// The virtual channel of each link by which a message goes to `destination`, if links have several: the digits of its number to a
// base of 2, 4 or 8, the first of them that is no less than n_vcs, added up, modulo n_vcs. So messages that part from one another at
// one of the next few dimensions have different ones, whichever dimensions come first.
unsigned loom_cube_vc(const struct loom_topo *t, uint32_t destination);

#endif
