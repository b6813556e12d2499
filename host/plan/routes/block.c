// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// BLOCK: [Zhong92], Fig. 7. It leaves ties open; include/flitloom/routes/routes.h has the rules.
#include <stdlib.h>

#include "plan/routes/freedom.h"
#include "plan/routes/region.h"
#include "plan/routes/routes_internal.h"

static void route_all(struct loom_routes *routes, struct loom_region *region, uint64_t *label, const uint32_t *order,
                      const struct loom_message *messages, enum loom_load_unit load)
{
	for (size_t i = 0; i < routes->n; i++) {
		loom_region_set(region, &messages[i], 0);
		loom_region_add(label, region, loom_routes_weight(&messages[i], load));
	}
	for (size_t k = 0; k < routes->n; k++) {
		size_t i = order[k];
		uint64_t w = loom_routes_weight(&messages[i], load);
		uint32_t *channel = routes->channel + routes->first[i];
		loom_region_set(region, &messages[i], 0);
		(void)loom_region_least_maximum(channel, region, label);
		loom_region_add(label, region, -w);
		for (uint32_t hop = 0; hop < loom_region_hops(region); hop++)
			label[channel[hop]] += w;
	}
}

int loom_routes_block(struct loom_routes *out, const struct loom_topo *topo, const struct loom_message *messages,
                      size_t n, enum loom_load_unit load, struct loom_err *err)
{
	struct loom_routes routes = {0};
	struct loom_region region = {0};
	uint64_t *label = NULL;
	uint32_t *order = NULL;
	int rc = loom_routes_check_messages(topo, messages, n, err);
	if (rc != 0)
		return rc;
	label = calloc(loom_topo_channels(topo), sizeof *label);
	order = malloc((n + 1) * sizeof *order);
	if (!label || !order)
		rc = loom_fail(err, LOOM_ENOMEM, "out of memory for the routes of %zu messages", n);
	if (rc == 0)
		rc = loom_region_init(&region, topo, messages, n, 0, err);
	if (rc == 0)
		rc = loom_routes_make_room(&routes, &region, messages, n, err);
	if (rc == 0)
		rc = loom_freedom_order(order, &region, messages, n, err);
	if (rc == 0) {
		route_all(&routes, &region, label, order, messages, load);
		*out = routes;
		routes = (struct loom_routes){0};
	}
	loom_routes_free(&routes);
	loom_region_free(&region);
	free(label);
	free(order);
	return rc;
}
