// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes the open-loop traffic that the channels can carry.
#include <flitloom/traffic.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include <flitloom/routes/choice.h>
#include <flitloom/routes/via.h>

#include "traffic/routing.h"
#include "traffic/shares.h"

static void add_way(double *load, const struct loom_routing *routing, uint32_t from, uint32_t to, double rate)
{
	struct loom_route route;
	uint32_t channel;
	loom_routing_begin(&route, routing, from, to, to);
	while (loom_route_next(&route, &channel))
		load[channel] += rate;
}

// Adds the flits that a processor sends at load 1, and the replies to them, to the channels on their ways.
static void add_shares(double *load, const struct loom_traffic *t, const struct loom_topo *topo, const uint32_t *map,
                       uint32_t v, const struct loom_load_options *o)
{
	const struct loom_routing routing = loom_routing_of(topo, o), of_replies = loom_routing_of_replies(topo, o);
	struct loom_shares shares;
	struct loom_share share;
	loom_shares_begin(&shares, t, v);
	while (loom_shares_next(&shares, &share)) {
		const uint32_t from = map[v], to = map[share.destination];
		add_way(load, &routing, from, to, share.rate);
		if (o->closed.reply_flits == 0)
			continue;
		const double flits = share.flits ? share.flits : loom_shares_mean_flits(o);
		add_way(load, &of_replies, to, from, share.rate * o->closed.reply_flits / flits);
	}
}

int loom_traffic_capacity(double *out, const struct loom_traffic *t, const struct loom_topo *topo, const uint32_t *map,
                          const struct loom_load_options *options, struct loom_err *err)
{
	uint32_t n_channels = loom_topo_channels(topo);
	double *load, most = 1;
	int rc = options->routes ? loom_routing_check(topo, t, map, options, err) : 0;
	if (rc != 0)
		return rc;
	if (!loom_shares_are_few(t) || loom_rule_is_adaptive(options->rule) || loom_rule_has_via(options->rule)) {
		*out = NAN;
		return 0;
	}
	load = calloc(n_channels, sizeof *load);
	if (!load)
		return loom_fail(err, LOOM_ENOMEM, "no memory for the loads of %" PRIu32 " channels", n_channels);
	for (uint32_t v = 0; v < t->n_nodes; v++)
		add_shares(load, t, topo, map, v, options);
	for (uint32_t c = 0; c < n_channels; c++)
		most = load[c] > most ? load[c] : most;
	free(load);
	*out = 1 / most;
	return 0;
}
