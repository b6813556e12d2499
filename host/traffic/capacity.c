// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes what the channels could carry of open-loop traffic.
#include <flitloom/traffic.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "traffic/routing.h"
#include "traffic/shares.h"

// Adds what a processor sends at load 1 to the channels on the ways.
static void add_shares(double *load, const struct loom_traffic *t, const struct loom_routing *routing,
                       const uint32_t *map, uint32_t v)
{
	struct loom_shares shares;
	struct loom_share share;
	loom_shares_begin(&shares, t, v);
	while (loom_shares_next(&shares, &share)) {
		struct loom_route route;
		uint32_t channel;
		loom_routing_begin(&route, routing, map[v], map[share.destination]);
		while (loom_route_next(&route, &channel))
			load[channel] += share.rate;
	}
}

int loom_traffic_capacity(double *out, const struct loom_traffic *t, const struct loom_topo *topo, const uint32_t *map,
                          const struct loom_load_options *options, struct loom_err *err)
{
	const struct loom_routing routing = loom_routing_of(topo, options);
	uint32_t n_channels = loom_topo_channels(topo);
	double *load, most = 1;
	if (!loom_shares_are_few(t)) {
		*out = NAN;
		return 0;
	}
	load = calloc(n_channels, sizeof *load);
	if (!load)
		return loom_fail(err, LOOM_ENOMEM, "no memory for the loads of %" PRIu32 " channels", n_channels);
	for (uint32_t v = 0; v < t->n_nodes; v++)
		add_shares(load, t, &routing, map, v);
	for (uint32_t c = 0; c < n_channels; c++)
		most = load[c] > most ? load[c] : most;
	free(load);
	*out = 1 / most;
	return 0;
}
