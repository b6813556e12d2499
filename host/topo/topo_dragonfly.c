// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Dragonfly [Kim08]. Each group has `a` routers. A router has a link to each other router of its group, and h links to
// other groups. There are g = a h + 1 groups, so any two groups have one link. The links of a group to others have the
// numbers 0 to a h - 1, and router i has numbers i h to i h + h - 1. Link k of group x leads to group x + k + 1 modulo
// g, where it is link a h - 1 - k. Router i of group x is router a x + i. If each router has p nodes, a link away, the
// first p nodes are those of router 0. The routers follow all nodes, and are switches.
#include <inttypes.h>
#include <stdio.h>

#include "topo/made.h"

enum { LOCAL, GLOBAL, OF_NODE, N_CLASSES };
static const char *const classes[N_CLASSES] = {"local", "global", "node"};

struct dragonfly {
	uint64_t a, h, n_groups;
	uint64_t p; // nodes of a router; 0: the routers are the nodes
};

// Adds the links within each group, and each link k to another group. `first`: the number of router 0.
static void add_links(struct loom_graph_wires *out, const struct dragonfly *d, uint32_t first)
{
	const uint64_t n_links = d->a * d->h;
	for (uint64_t x = 0; x < d->n_groups; x++) {
		for (uint64_t i = 0; i < d->a; i++)
			for (uint64_t j = i + 1; j < d->a; j++)
				loom_made_add(out, (uint32_t)(first + x * d->a + i), (uint32_t)(first + x * d->a + j),
				              LOCAL);
		for (uint64_t k = 0; x + k + 1 < d->n_groups; k++) // each link once, from the lower group
			loom_made_add(out, (uint32_t)(first + x * d->a + k / d->h),
			              (uint32_t)(first + (x + k + 1) * d->a + (n_links - 1 - k) / d->h), GLOBAL);
	}
}

static int make_wires(struct loom_graph_wires *out, const struct dragonfly *d, struct loom_err *err)
{
	const uint64_t n_routers = d->n_groups * d->a, n_hosts = n_routers * d->p;
	int rc = loom_made_begin(out, n_routers + n_hosts, n_routers * (d->a - 1 + d->h) / 2 + n_hosts, err);
	if (rc == 0 && d->p > 0)
		rc = loom_made_end_in_switches(out, (uint32_t)n_routers, err);
	if (rc != 0)
		return rc;
	for (uint32_t u = 0; u < n_hosts; u++)
		loom_made_add(out, u, (uint32_t)(n_hosts + u / d->p), OF_NODE);
	add_links(out, d, (uint32_t)n_hosts);
	out->n_link_classes = d->p > 0 ? N_CLASSES : OF_NODE;
	if (d->p > 0)
		loom_made_add_extent(out, (uint32_t)d->p);
	loom_made_add_extent(out, (uint32_t)d->a);
	loom_made_add_extent(out, (uint32_t)d->n_groups);
	return 0;
}

static int make(struct loom_graph_wires *out, char usual[LOOM_TOPO_SIZE], const struct loom_topo_kind *kind,
                const char *size, struct loom_err *err)
{
	uint32_t number[3] = {0};
	unsigned n;
	const char *end = loom_made_numbers(number, &n, 3, size, ',');
	if (!end || *end || n < 2 || number[0] == 0 || number[1] == 0 || (n == 3 && number[2] == 0))
		return loom_made_fail_size(kind, "4,2", err);
	struct dragonfly d = {.a = number[0], .h = number[1], .p = n == 3 ? number[2] : 0};
	d.n_groups = d.a * d.h + 1;
	const uint64_t largest = d.a > d.h ? d.a > d.p ? d.a : d.p : d.h > d.p ? d.h : d.p;
	if (largest > LOOM_GRAPH_NODES_MAX) // prevents overflows
		return loom_made_begin(out, largest, 0, err);
	int rc = make_wires(out, &d, err);
	size_t used = (size_t)snprintf(usual, LOOM_TOPO_SIZE, "%" PRIu32 ",%" PRIu32, number[0], number[1]);
	if (d.p > 0)
		(void)snprintf(usual + used, LOOM_TOPO_SIZE - used, ",%" PRIu32, number[2]);
	return rc;
}

const struct loom_topo_kind loom_topo_kind_dragonfly = {
	.name = "dragonfly",
	.sizes = "A,H[,P][v2..v8]",
	.size_is = "routers of a group, links of each to other groups, and if the routers are switches its nodes",
	.help = "groups of routers that are all joined, and one link between every two groups",
	.make = make,
	.link_classes = classes,
	LOOM_MADE_DEFAULTS,
};
