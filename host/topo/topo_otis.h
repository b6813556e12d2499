// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TOPO_OTIS_H
#define LOOM_TOPO_OTIS_H

#include <flitloom/topo.h>

#define LOOM_OTIS_OPTICAL 4u // the link of light; 0 to 3 are those of a mesh: +x, -x, +y, -y

// By which virtual channel of a link a message leaves `here`, where links have two: by 1 in the group to which it goes, and in
// the one from which an optical link leads straight to its destination; elsewhere by 0. So a message goes along electronic
// links by 0, an optical one by 0, electronic ones by 1 and an optical one by 1, in this order, and within a group in dimension
// order: no messages wait for one another in a circle.
unsigned loom_otis_vc(const struct loom_topo *t, uint32_t here, uint32_t destination);

#endif
