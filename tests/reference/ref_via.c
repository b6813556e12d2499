// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "ref_via.h"

#include <stdlib.h>

// Adds the links of one part of a way, on the half of the virtual channels that begins with `base`.
static size_t walk_part(size_t *out, const struct ref_net *net, const struct ref_way *part, unsigned base)
{
	const unsigned n_vcs = ref_net_vcs(net);
	struct ref_net half = *net;
	unsigned node = part->source, back;
	size_t n = 0;

	half.n_vcs = n_vcs / 2;
	while (node != part->destination) {
		unsigned link = ref_net_next(net, node, part->destination, part->order);

		out[n++] = ref_net_channel(net, node, link) * n_vcs + base + ref_net_vc(&half, part, node, link);
		if (!ref_net_link(&node, &back, net, node, link))
			abort(); // a way never leaves the network
	}
	return n;
}

size_t ref_via_walk(size_t *out, const struct ref_net *net, unsigned source, unsigned destination,
                    const struct ref_via *via)
{
	const unsigned n_vcs = ref_net_vcs(net), half = n_vcs / 2, row = net->extent[0];
	size_t n = 0;

	out[n++] = ref_net_injection(net, source) * n_vcs;
	if (via->is_corner) {
		bool y_first = via->node == source % row + destination / row * row;
		struct ref_way all = {source, destination, y_first ? REF_DESCENDING : REF_ASCENDING};

		n += walk_part(out + n, net, &all, y_first ? half : 0);
	} else {
		struct ref_way first = {source, via->node, REF_ASCENDING};
		struct ref_way second = {via->node, destination, REF_ASCENDING};

		n += walk_part(out + n, net, &first, 0);
		n += walk_part(out + n, net, &second, half);
	}
	out[n++] = ref_net_ejection(net, destination) * n_vcs;
	return n;
}
