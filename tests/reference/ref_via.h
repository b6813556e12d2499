// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef REF_VIA_H
#define REF_VIA_H

#include <stddef.h>

#include "ref_net.h"

// Messages that go through a node: as if they were two messages, one to that node, one from there on, each by dimension 0 first; the
// first one on the lower half of the virtual channels, as a network would that had no others, the second one on the upper half. After
// [Valiant82] and [Nesson95]. No code is shared with the library.
//
// If messages turn at a corner [Seo05] each is one message: x first on the lower half, or y first on the upper half.
// The node is the corner.
struct ref_via {
	unsigned node;
	bool is_corner;
};

// The lanes, channel * virtual channels + virtual channel, from injection to ejection. Returns how many; the caller owns room for
// 2 * ref_net_nodes() + 2.
size_t ref_via_walk(size_t *out, const struct ref_net *net, unsigned source, unsigned destination,
                    const struct ref_via *via);

#endif
