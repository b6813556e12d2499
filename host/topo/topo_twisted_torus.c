// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A torus whose rings of y, z and so on return with a shift along x, as those of [Camara10]. A message that goes round
// dimension d, from its last coordinate to 0, arrives t_d further in x, modulo the extent of x. The rings of x are not
// twisted.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "topo/made.h"
#include "topo/topo_size.h"

#define DIMS_MOST 6
#define SIZE_EXAMPLE "4x4x8"

struct twisted {
	struct loom_topo grid;  // its kind and extents
	uint32_t by[DIMS_MOST]; // by dimension; 0 for x
	bool is_usual;
};

// Reads the twists. The default is half of x's extent, rounded down, for all.
static int read_twists(struct twisted *out, const char *text, struct loom_err *err)
{
	const uint32_t x = out->grid.extent[0];
	const unsigned n_dims = out->grid.n_dims;
	uint32_t named[DIMS_MOST];
	unsigned n = 0;
	out->is_usual = true;
	const char *end = text ? loom_made_numbers(named, &n, DIMS_MOST - 1, text, 'x') : "";
	if (!end || *end || (text && n != 1 && n + 1 != n_dims))
		return loom_fail(err, LOOM_EINPUT,
		                 "behind t is the twist of each extent but the last one, from left to right, or "
		                 "one for all, such as " SIZE_EXAMPLE "t4x4");
	for (unsigned d = 1; d < n_dims; d++) {
		out->by[d] = !text ? x / 2 : n == 1 ? named[0] : named[n_dims - 1 - d];
		if (out->by[d] >= x)
			return loom_fail(err, LOOM_EINPUT,
			                 "a twist of %" PRIu32 ": it is less than the extent of x, %" PRIu32,
			                 out->by[d], x);
		out->is_usual &= out->by[d] == x / 2;
	}
	return 0;
}

static int read_size(struct twisted *out, const char *size, struct loom_err *err)
{
	char extents[LOOM_TOPO_SIZE];
	const char *t = strchr(size, 't');
	uint32_t n;
	(void)snprintf(extents, sizeof extents, "%.*s", (int)(t ? t - size : (ptrdiff_t)strlen(size)), size);
	int rc = loom_size_extents(&out->grid, &n, extents, 2, DIMS_MOST, err);
	out->grid.n_nodes = n;
	for (unsigned d = 0; rc == 0 && d < out->grid.n_dims; d++)
		if (out->grid.extent[d] < 2)
			rc = loom_fail(err, LOOM_EINPUT, "an extent of 1: a twisted torus has extents of 2 or more");
	return rc == 0 ? read_twists(out, t ? t + 1 : NULL, err) : rc;
}

static uint32_t next_along(const struct twisted *t, uint32_t u, unsigned d, uint32_t stride)
{
	const uint32_t extent = t->grid.extent[d], x = t->grid.extent[0];
	if (u / stride % extent + 1 < extent)
		return u + stride;
	const uint32_t round = u - (extent - 1) * stride;
	return round - round % x + (round % x + t->by[d]) % x;
}

// True if the link along d from u is the same as the link along d from the node where it leads: a ring of two without a
// twist. The lower node then counts it.
static bool is_counted(const struct twisted *t, uint32_t u, uint32_t v, unsigned d, uint32_t stride)
{
	return next_along(t, v, d, stride) == u && v < u;
}

static void write_size(const struct twisted *t, char usual[LOOM_TOPO_SIZE])
{
	loom_default_write_size(&t->grid, usual);
	for (unsigned d = t->grid.n_dims - 1; !t->is_usual && d > 0; d--)
		(void)snprintf(usual + strlen(usual), LOOM_TOPO_SIZE - strlen(usual), "%c%" PRIu32,
		               d == t->grid.n_dims - 1 ? 't' : 'x', t->by[d]);
}

static int make(struct loom_graph_wires *out, char usual[LOOM_TOPO_SIZE], const struct loom_topo_kind *kind,
                const char *size, struct loom_err *err)
{
	struct twisted t = {.grid.kind = kind};
	int rc = read_size(&t, size, err);
	if (rc == 0)
		rc = loom_made_begin(out, t.grid.n_nodes, (uint64_t)t.grid.n_nodes * t.grid.n_dims, err);
	if (rc != 0)
		return rc;
	for (unsigned d = 0; d < t.grid.n_dims; d++)
		loom_made_add_extent(out, t.grid.extent[d]);
	for (uint32_t u = 0; u < t.grid.n_nodes; u++)
		for (uint32_t d = 0, stride = 1; d < t.grid.n_dims; stride *= t.grid.extent[d++]) {
			const uint32_t v = next_along(&t, u, d, stride);
			if (!is_counted(&t, u, v, d, stride))
				loom_made_add(out, u, v, d);
		}
	out->n_link_classes = t.grid.n_dims;
	write_size(&t, usual);
	return 0;
}

const struct loom_topo_kind loom_topo_kind_twisted_torus = {
	.name = "twisted-torus",
	.sizes = "AxB[xC..][tNxN..][v2..v8]",
	.size_is = "extents, the last one that of x, and behind t the twist of each of the others",
	.help = "a torus whose rings of y and above come back shifted along x, without t by half of it",
	.make = make,
	LOOM_MADE_DEFAULTS,
};
