// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef REF_OTIS_NET_H
#define REF_OTIS_NET_H

#include "ref_net.h"

// The ways of worms on an OTIS-Mesh, by section 2 of [Sahni97]: each of its forms (a), (b) and (c) that exists is
// written down link by link, and the shortest one is taken; no two are equally short. Within a group by columns first,
// or with REF_DESCENDING by rows first.
#define REF_OTIS_LIGHT 4u    // the number of the optical link; 0 to 3 are +x, -x, +y, -y
#define REF_OTIS_WAY_MAX 64u // links of a way among REF_NODES_MAX nodes

struct ref_otis_way {
	size_t n;
	unsigned link[REF_OTIS_WAY_MAX];
};

// `side` processors in a row of a group, and as many in a column.
void ref_otis_way(struct ref_otis_way *out, unsigned side, unsigned from, unsigned to, enum ref_order order);

// Returns the virtual channel, of two, for the first link of a way: 0 if there are electronic links after the next
// optical link, otherwise 1.
unsigned ref_otis_vc(const struct ref_otis_way *way);

// Finds the other end of the optical link of a node. False: it has none.
bool ref_otis_light(unsigned *out, unsigned side, unsigned node);

// Reads the text behind "otis-mesh:". -EINVAL: it is no size of an OTIS-Mesh.
int ref_otis_parse(struct ref_net *out, const char *size);

#endif
