// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The binary n-cube: 2^n nodes, node u's port d leads to u ^ 2^d, port n is its own node.
#include <stdio.h>

#include "topo/topo_kinds.h"

static uint32_t channel_of(const struct loom_topo *t, uint32_t tile, uint32_t k)
{
	return tile * loom_topo_channels_per_tile(t) + k;
}

static void shape(struct loom_topo *t)
{
	t->n_nodes = t->n_tiles = UINT32_C(1) << t->size;
	t->ports = t->size + 1;
	t->label_bits = t->size;
}

static unsigned route(const struct loom_topo *t, uint32_t source, uint32_t destination, enum loom_rule rule,
                      uint32_t out[LOOM_ROUTE_MAX])
{
	unsigned length = 0;
	uint32_t at = source;
	out[length++] = channel_of(t, source, t->ports);
	for (unsigned i = 0; i < t->size; i++) {
		unsigned d = rule == LOOM_RULE_ASCENDING ? i : t->size - 1 - i;
		if (((at ^ destination) >> d & 1) == 0)
			continue;
		out[length++] = channel_of(t, at, d);
		at ^= UINT32_C(1) << d;
	}
	out[length++] = channel_of(t, destination, t->ports - 1);
	return length;
}

// dim0 .. dim(n-1), inject, eject.
static unsigned groups(const struct loom_topo *t)
{
	return t->size + 2;
}

static unsigned group_of(const struct loom_topo *t, uint32_t channel)
{
	uint32_t k = channel % loom_topo_channels_per_tile(t);
	if (k < t->size)
		return k;
	return k == t->ports ? t->size : t->size + 1;
}

static void group_name(const struct loom_topo *t, unsigned group, char out[16])
{
	if (group < t->size)
		(void)snprintf(out, 16, "dim%u", group);
	else
		(void)snprintf(out, 16, "%s", group == t->size ? "inject" : "eject");
}

static void channel_name(const struct loom_topo *t, uint32_t channel, char out[48])
{
	uint32_t tile = channel / loom_topo_channels_per_tile(t), k = channel % loom_topo_channels_per_tile(t);
	if (k < t->size)
		(void)snprintf(out, 48, "%u->%u (dim %u)", tile, tile ^ UINT32_C(1) << k, k);
	else
		(void)snprintf(out, 48, "%s %u", k == t->ports ? "inject" : "eject", tile);
}

// Whatever the routes, a message whose ends differ in bit d crosses dimension d at least once in its own direction, and
// 2^(n-1) channels lead that way; and what leaves (or enters) a node does so by one of its n channels.
static uint32_t bound(const struct loom_topo *t, const uint32_t *source, const uint32_t *destination, size_t n)
{
	uint32_t crossing[2][32] = {{0}}; // [direction: from bit 1 to 0, from 0 to 1][dimension]
	uint32_t leaving[1 << 10] = {0}, entering[1 << 10] = {0}; // max_size is 10
	uint32_t most = 0;
	for (size_t i = 0; i < n; i++) {
		if (source[i] == destination[i])
			continue;
		leaving[source[i]]++;
		entering[destination[i]]++;
		for (unsigned d = 0; d < t->size; d++)
			if ((source[i] ^ destination[i]) >> d & 1)
				crossing[destination[i] >> d & 1][d]++;
	}
	for (unsigned d = 0; d < t->size; d++)
		for (unsigned up = 0; up < 2; up++) {
			uint32_t channels = t->n_nodes / 2, share = (crossing[up][d] + channels - 1) / channels;
			most = share > most ? share : most;
		}
	for (uint32_t u = 0; u < t->n_nodes; u++) {
		uint32_t larger = leaving[u] > entering[u] ? leaving[u] : entering[u];
		uint32_t share = (larger + t->size - 1) / t->size;
		most = share > most ? share : most;
	}
	return most;
}

static void size_near(char out[24], uint32_t n_nodes)
{
	unsigned n = 1;
	while (n < 10 && UINT32_C(1) << n < n_nodes) // max_size is 10
		n++;
	(void)snprintf(out, 24, "%u", n);
}

const struct loom_topo_kind loom_topo_kind_cube = {
	.name = "cube",
	.code = 1,
	.min_size = 1,
	.max_size = 10,
	.size_near = size_near,
	.size_is = "dimensions",
	.help = "binary n-cube of 2^n nodes",
	.shape = shape,
	.route = route,
	.groups = groups,
	.group_of = group_of,
	.group_name = group_name,
	.channel_name = channel_name,
	.bound = bound,
};
