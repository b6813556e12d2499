// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Dragonfly [Kim08]: groups of a routers, each joined to all others of its group and by h links to other groups, of which there are
// g = a h + 1, so that each two groups have one link. Links of a group to others are numbered from 0 to a h - 1, by its
// routers: router i has i h to i h + h - 1. Link k of group x leads to group x + k + 1 modulo g, where it is link a h - 1 - k.
// Router i of group x is router a x + i.
#include <inttypes.h>
#include <stdio.h>

#include "topo/made.h"

static int make(struct loom_graph_wires *out, char usual[LOOM_TOPO_SIZE], const struct loom_topo_kind *kind,
                const char *size, struct loom_err *err)
{
	uint32_t number[2];
	unsigned n;
	const char *end = loom_made_numbers(number, &n, 2, size, ',');
	if (!end || *end || n != 2 || number[0] == 0 || number[1] == 0)
		return loom_made_fail_size(kind, "4,2", err);
	const uint64_t a = number[0], h = number[1], links = a * h, groups = links + 1;
	if (a > LOOM_GRAPH_NODES_MAX || h > LOOM_GRAPH_NODES_MAX)
		return loom_made_begin(out, LOOM_GRAPH_NODES_MAX * links, 0, err);
	int rc = loom_made_begin(out, groups * a, groups * a * (a - 1 + h) / 2, err);
	if (rc != 0)
		return rc;
	for (uint32_t x = 0; x < groups; x++) {
		for (uint32_t u = (uint32_t)(x * a), i = 0; i < a; i++)
			for (uint32_t j = i + 1; j < a; j++)
				loom_made_add(out, u + i, u + j);
		for (uint32_t k = 0; x + k + 1 < groups; k++) // others were numbered from the other end
			loom_made_add(out, (uint32_t)(x * a + k / h),
			              (uint32_t)((x + k + 1) * a + (links - 1 - k) / h));
	}
	loom_made_add_extent(out, number[0]);
	loom_made_add_extent(out, (uint32_t)groups);
	(void)snprintf(usual, LOOM_TOPO_SIZE, "%" PRIu32 ",%" PRIu32, number[0], number[1]);
	return 0;
}

const struct loom_topo_kind loom_topo_kind_dragonfly = {
	.name = "dragonfly",
	.sizes = "A,H[v2|v4]",
	.size_is = "routers of a group, and links of each to other groups",
	.help = "groups of routers that are all joined, and one link between each two groups",
	.make = make,
	LOOM_MADE_DEFAULTS,
};
