// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The binary n-cube: 2^n nodes, link d of node u leads to u ^ 2^d.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "topo/topo_direct.h"
#include "topo/topo_kinds.h"
#include "topo/topo_size.h"

#define DIMENSIONS_MAX LOOM_DIMS_MAX

static int read_size(struct loom_topo *t, const char *size, struct loom_err *err)
{
	uint32_t n;
	int rc = loom_size_number(&n, t, size, 1, DIMENSIONS_MAX, err);
	if (rc != 0)
		return rc;
	t->n_dims = n;
	for (unsigned d = 0; d < n; d++)
		t->extent[d] = 2;
	t->n_nodes = t->n_tiles = UINT32_C(1) << n;
	t->ports = n + 1;
	return 0;
}

static void write_size(const struct loom_topo *t, char out[40])
{
	(void)snprintf(out, 40, "%u", t->n_dims);
}

static void size_near(char out[40], uint32_t n_nodes)
{
	unsigned n = 1;
	while (n < DIMENSIONS_MAX && UINT32_C(1) << n < n_nodes)
		n++;
	(void)snprintf(out, 40, "%u", n);
}

static bool leads_to(const struct loom_topo *t, uint32_t u, unsigned p, uint32_t *v, unsigned *q)
{
	(void)t;
	*v = u ^ UINT32_C(1) << p;
	*q = p;
	return true;
}

static unsigned next(const struct loom_topo *t, uint32_t here, uint32_t destination, enum loom_rule rule)
{
	uint32_t wrong = here ^ destination;
	(void)t;
	return (unsigned)(rule == LOOM_RULE_ASCENDING ? __builtin_ctz(wrong) : 31 - __builtin_clz(wrong));
}

static void link_name(const struct loom_topo *t, unsigned p, char out[16])
{
	(void)t;
	(void)snprintf(out, 16, "dim %u", p);
}

// Beside what leaves and enters each node: whatever the routes, a message whose ends differ in bit d crosses dimension d
// at least once in its own direction, and 2^(n-1) channels lead that way.
static int bound(uint32_t *out, const struct loom_topo *t, const uint32_t *source, const uint32_t *destination,
                 size_t n, struct loom_err *err)
{
	uint64_t crossing[2][LOOM_DIMS_MAX] = {{0}}; // [direction: from bit 1 to 0, from 0 to 1][dimension]
	for (size_t i = 0; i < n; i++)
		for (uint32_t wrong = source[i] ^ destination[i]; wrong; wrong &= wrong - 1) {
			int d = __builtin_ctz(wrong);
			crossing[destination[i] >> d & 1][d]++;
		}
	int rc = loom_direct_bound(out, t, source, destination, n, err);
	for (unsigned d = 0; rc == 0 && d < t->n_dims; d++)
		for (unsigned up = 0; up < 2; up++) {
			uint32_t channels = t->n_nodes / 2;
			uint32_t share = (uint32_t)((crossing[up][d] + channels - 1) / channels);
			*out = share > *out ? share : *out;
		}
	return rc;
}

const struct loom_topo_kind loom_topo_kind_cube = {
	.name = "cube",
	.code = 1,
	.sizes = "1..20",
	.size_is = "dimensions",
	.help = "binary n-cube of 2^n nodes",
	.read_size = read_size,
	.write_size = write_size,
	.size_near = size_near,
	.router = LOOM_ROUTER_ORDER,
	.complements_bits = true,
	.link = leads_to,
	.next = next,
	.link_name = link_name,
	.bound = bound,
};
