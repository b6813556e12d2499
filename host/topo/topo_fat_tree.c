// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// k-ary n-trees [Petrini97]: k^n nodes, and n levels of k^(n-1) switches. Level 0 is next to the nodes. A switch of
// level l has n - 1 digits of base k, w_0 (lowest) to w_(n-2). It is joined to all switches of level l + 1 whose digits
// differ from its own at most in w_l. Node u is at switch u / k of level 0. The switches follow the k^n nodes, those of
// level 0 first, in the order of their digits.
#include <inttypes.h>
#include <stdio.h>

#include "topo/made.h"

// Returns k^n, or 0 if that is more than UINT16_MAX.
static uint64_t power(uint64_t k, uint32_t n)
{
	uint64_t product = 1;
	while (n-- > 0 && product <= UINT16_MAX)
		product *= k;
	return product <= UINT16_MAX ? product : 0;
}

static void add_links(struct loom_graph_wires *out, uint32_t k, uint32_t n_levels, uint32_t n_row)
{
	const uint32_t n_hosts = k * n_row;
	for (uint32_t u = 0; u < n_hosts; u++)
		loom_made_add(out, u, n_hosts + u / k, 0);
	for (uint32_t level = 0, stride = 1; level + 1 < n_levels; level++, stride *= k)
		for (uint32_t w = 0; w < n_row; w++)
			for (uint32_t digit = 0; digit < k; digit++) {
				const uint32_t above = w - w / stride % k * stride + digit * stride;
				loom_made_add(out, n_hosts + level * n_row + w, n_hosts + (level + 1) * n_row + above,
				              level + 1);
			}
	out->n_link_classes = n_levels;
}

static int make(struct loom_graph_wires *out, char usual[LOOM_TOPO_SIZE], const struct loom_topo_kind *kind,
                const char *size, struct loom_err *err)
{
	uint32_t number[2];
	unsigned n;
	const char *end = loom_made_numbers(number, &n, 2, size, ',');
	if (!end || *end || n != 2 || number[0] < 2 || number[1] < 1)
		return loom_made_fail_size(kind, "4,2", err);
	const uint32_t k = number[0], n_levels = number[1];
	const uint64_t n_row = power(k, n_levels - 1);
	if (n_row == 0 || k > UINT16_MAX)
		return loom_fail(err, LOOM_EINPUT, "that is too many nodes; 2 to %d are possible, switches among them",
		                 LOOM_GRAPH_NODES_MAX);
	const uint64_t n_switches = n_row * n_levels;
	int rc = loom_made_begin(out, n_row * k + n_switches, n_row * k * n_levels, err);
	if (rc == 0)
		rc = loom_made_end_in_switches(out, (uint32_t)n_switches, err);
	if (rc != 0)
		return rc;
	add_links(out, k, n_levels, (uint32_t)n_row);
	for (uint32_t level = 0; level < n_levels; level++)
		loom_made_add_extent(out, k);
	(void)snprintf(usual, LOOM_TOPO_SIZE, "%" PRIu32 ",%" PRIu32, k, n_levels);
	return 0;
}

const struct loom_topo_kind loom_topo_kind_fat_tree = {
	.name = "fat-tree",
	.sizes = "K,N[v2..v8]",
	.size_is = "arity, 2 or more, and its levels of switches",
	.help = "k-ary n-tree: k^n nodes at the leaves, and n levels of switches with k links down and k up",
	.make = make,
	LOOM_MADE_DEFAULTS,
};
