// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The binary n-cube: 2^n nodes, link d of node u leads to u ^ 2^d.
#include "topo/topo_cube.h"

#include <stdio.h>

#include "topo/topo_kinds.h"
#include "topo/topo_size.h"

#define DIMENSIONS_MAX LOOM_DIMS_MAX

int loom_cube_read_size(struct loom_topo *t, const char *size, struct loom_err *err)
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

void loom_cube_write_size(const struct loom_topo *t, char out[40])
{
	(void)snprintf(out, 40, "%u", t->n_dims);
}

void loom_cube_size_near(char out[40], uint32_t n_nodes)
{
	unsigned n = 1;
	while (n < DIMENSIONS_MAX && UINT32_C(1) << n < n_nodes)
		n++;
	(void)snprintf(out, 40, "%u", n);
}

bool loom_cube_link(const struct loom_topo *t, uint32_t u, unsigned p, uint32_t *v, unsigned *q)
{
	(void)t;
	*v = u ^ UINT32_C(1) << p;
	*q = p;
	return true;
}

unsigned loom_cube_next(const struct loom_topo *t, uint32_t here, uint32_t destination, enum loom_rule rule)
{
	uint32_t wrong = here ^ destination;
	(void)t;
	return (unsigned)(rule & LOOM_RULE_DESCENDING ? 31 - __builtin_clz(wrong) : __builtin_ctz(wrong));
}

void loom_cube_link_name(const struct loom_topo *t, unsigned p, char out[16])
{
	(void)t;
	(void)snprintf(out, 16, "dim %u", p);
}

int loom_cube_bound(uint32_t *out, const struct loom_topo *t, const uint32_t *source, const uint32_t *destination,
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
	.help = "binary n-cube of 2^n nodes; v2 to v8: two to eight virtual channels per link",
	.router = LOOM_ROUTER_ORDER,
	LOOM_CUBE_DEFAULTS,
};
