// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "reference.h"

#include <errno.h>

unsigned ref_cube_next(unsigned n_dims, unsigned node, unsigned destination, enum ref_order order)
{
	for (unsigned i = 0; i < n_dims; i++) {
		unsigned d = order == REF_ASCENDING ? i : n_dims - 1 - i;

		if (((node >> d) & 1u) != ((destination >> d) & 1u))
			return d;
	}
	return n_dims;
}

int ref_cube_load(unsigned *out_load, unsigned n_dims, const unsigned *source, const unsigned *destination,
                  size_t n_messages, enum ref_order order)
{
	if (n_dims > 20)
		return -EINVAL;

	unsigned n_nodes = 1u << n_dims;

	for (size_t m = 0; m < n_messages; m++) {
		if (source[m] >= n_nodes || destination[m] >= n_nodes)
			return -EINVAL;
	}

	for (size_t c = 0; c < (size_t)n_nodes * n_dims; c++)
		out_load[c] = 0;

	for (size_t m = 0; m < n_messages; m++) {
		unsigned node = source[m];

		while (node != destination[m]) {
			unsigned d = ref_cube_next(n_dims, node, destination[m], order);

			out_load[(size_t)node * n_dims + d]++;
			node ^= 1u << d;
		}
	}
	return 0;
}

size_t ref_channel_count(unsigned n_dims)
{
	struct ref_net net = ref_net_cube(n_dims);

	return ref_net_channels(&net);
}

size_t ref_channel_network(unsigned n_dims, unsigned node, unsigned dim)
{
	struct ref_net net = ref_net_cube(n_dims);

	return ref_net_channel(&net, node, dim);
}

size_t ref_channel_injection(unsigned n_dims, unsigned node)
{
	struct ref_net net = ref_net_cube(n_dims);

	return ref_net_injection(&net, node);
}

size_t ref_channel_ejection(unsigned n_dims, unsigned node)
{
	struct ref_net net = ref_net_cube(n_dims);

	return ref_net_ejection(&net, node);
}
