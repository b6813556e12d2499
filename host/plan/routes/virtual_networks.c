// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the virtual network of a route, which follows from its direction in each dimension.
#include <flitloom/routes/virtual_networks.h>

#include "plan/routes/box.h"
#include "plan/routes/routes_internal.h"

// A link as a step: its dimension, its direction, and whether it leads round the end of a ring.
struct step {
	unsigned dimension;
	bool up, wraps;
};

static struct step step_of(const struct loom_topo *t, uint32_t channel)
{
	uint32_t per_tile = loom_topo_channels_per_tile(t), node = channel / per_tile, stride = 1;
	unsigned link = channel % per_tile;
	struct step step = {.dimension = t->kind->complements_bits ? link : link / 2};
	for (unsigned d = 0; d < step.dimension; d++)
		stride *= t->extent[d];
	uint32_t extent = t->extent[step.dimension], x = node / stride % extent;
	if (extent == 2) {
		step.up = x == 0;
		return step;
	}
	step.up = (link & 1) == 0;
	step.wraps = step.up ? x + 1 == extent : x == 0;
	return step;
}

static unsigned dimensions(const struct loom_topo *t)
{
	unsigned n = 0;
	for (unsigned d = 0; d < t->n_dims; d++)
		n += t->extent[d] > 1;
	return n;
}

static uint32_t lanes_of_network(const struct loom_topo *t)
{
	uint32_t n = 1;
	for (unsigned d = 0; t->kind->wraps && d < t->n_dims; d++)
		n += t->extent[d] > 2;
	return n;
}

uint32_t loom_virtual_networks_count(const struct loom_topo *topo)
{
	unsigned n = dimensions(topo);
	return n ? UINT32_C(1) << (n - 1) : 1;
}

uint32_t loom_virtual_lanes_count(const struct loom_topo *topo)
{
	return loom_virtual_networks_count(topo) * lanes_of_network(topo);
}

// Numbers a network. Of a vector of directions and its opposite it takes the one that goes up in the highest dimension
// of the route. Dimensions that the route does not use count as up. The number has a bit for each other dimension, 1
// for down. Dimensions of one node have no bit.
static uint32_t number_of(const struct loom_topo *t, uint32_t used, uint32_t down)
{
	uint32_t network = 0, highest = used ? UINT32_C(1) << (31 - __builtin_clz(used)) : 0;
	unsigned bit = 0;
	if (down & highest)
		down = used & ~down;
	for (unsigned d = 0; d < t->n_dims; d++)
		if (t->extent[d] > 1)
			network |= (down >> d & 1) << bit++;
	return network;
}

static int network_of(uint32_t *out, const struct loom_routes *routes, size_t i, const struct loom_topo *t,
                      struct loom_err *err)
{
	uint32_t used = 0, down = 0;
	for (size_t k = routes->first[i]; k < routes->first[i + 1]; k++) {
		struct step step = step_of(t, routes->channel[k]);
		uint32_t bit = UINT32_C(1) << step.dimension;
		if (used & bit && step.up == !!(down & bit))
			return loom_fail(
				err, LOOM_EINPUT,
				"route %zu goes both ways in dimension %u: in a virtual network each dimension is "
				"gone one way only",
				i, step.dimension);
		used |= bit;
		down |= step.up ? 0 : bit;
	}
	*out = number_of(t, used, down);
	return 0;
}

static int check_coordinates(const struct loom_topo *t, struct loom_err *err)
{
	return loom_box_has(t)
	               ? 0
	               : loom_fail(err, LOOM_EINPUT,
	                           "virtual networks on %s: its nodes have no coordinates, so no signs", t->name);
}

int loom_virtual_networks_of(uint32_t *network, const struct loom_routes *routes, const struct loom_topo *topo,
                             struct loom_err *err)
{
	int rc = check_coordinates(topo, err);
	for (size_t i = 0; rc == 0 && i < routes->n; i++)
		rc = network_of(&network[i], routes, i, topo, err);
	return rc;
}

int loom_virtual_lanes_of(uint32_t *lane, const struct loom_routes *routes, const struct loom_topo *topo,
                          struct loom_err *err)
{
	uint32_t of_network = lanes_of_network(topo), network;
	int rc = check_coordinates(topo, err);
	for (size_t i = 0; rc == 0 && i < routes->n; i++) {
		uint32_t passed = 0;
		rc = network_of(&network, routes, i, topo, err);
		for (size_t k = routes->first[i]; rc == 0 && k < routes->first[i + 1]; k++) {
			passed += topo->kind->wraps && step_of(topo, routes->channel[k]).wraps;
			lane[k] = network * of_network + passed;
		}
	}
	return rc;
}

bool loom_ring_ends(uint32_t *out, const struct loom_routes *routes, size_t i, const struct loom_topo *topo)
{
	uint32_t ends = 0;
	unsigned at = 0, ring = 0;
	for (size_t k = routes->first[i]; k < routes->first[i + 1]; k++) {
		struct step step = step_of(topo, routes->channel[k]);
		if (step.dimension < at)
			return false;
		for (; at < step.dimension; at++)
			ring += topo->extent[at] > 2;
		ends |= (uint32_t)step.wraps << ring;
	}
	*out = ends;
	return true;
}
