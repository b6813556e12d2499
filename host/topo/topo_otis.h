// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TOPO_OTIS_H
#define LOOM_TOPO_OTIS_H

#include <flitloom/topo.h>

#define LOOM_OTIS_OPTICAL 4u // the link of light; 0 to 3 are those of a mesh: +x, -x, +y, -y

// Returns the number of groups, which is also the number of processors in each.
static inline uint32_t loom_otis_groups(const struct loom_topo *t)
{
	return t->extent[0] * t->extent[0];
}

// Returns the virtual channel of a link by which a message leaves `here`, if links have two: 1 in the group to which it
// goes, and in the one from which an optical link leads straight to its destination; elsewhere 0. So a message crosses
// electronic links on 0, an optical one on 0, electronic ones on 1 and an optical one on 1, in this order, and within a
// group in dimension order: no messages wait for one another in a circle.
static inline unsigned loom_otis_vc(const struct loom_topo *t, uint32_t here, uint32_t destination)
{
	uint32_t n = loom_otis_groups(t), group = here / n;
	return group == destination / n || group == destination % n;
}

// True if optical links are slower than electronic ones, or narrower. For any fabric.
bool loom_otis_has_light(const struct loom_topo *t);
bool loom_otis_is_optical(const struct loom_topo *t, uint32_t channel);
// Return two numbers of cycles: how much later a flit that crosses the channel reaches its far end than over an
// electronic one, and for how long a flit occupies the channel. 0 and 1 for channels that are not optical.
uint32_t loom_otis_delay(const struct loom_topo *t, uint32_t channel);
uint32_t loom_otis_pace(const struct loom_topo *t, uint32_t channel);
// Returns the flits that an optical link holds on each virtual channel, as in rtl/otis/otis_link.sv; 0 if the link is
// only a wire.
uint32_t loom_otis_room(const struct loom_topo *t);

#endif
