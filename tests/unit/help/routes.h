// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROUTES_H
#define ROUTES_H

#include <stdlib.h>

#include <flitloom/topo.h>

// A route in an array of `capacity` channels; returns its length. A longer one ends the test.
static inline unsigned route_of(uint32_t *out, unsigned capacity, const struct loom_topo *t, uint32_t source,
                                uint32_t destination, enum loom_rule rule)
{
	struct loom_route route;
	unsigned n = 0;
	uint32_t channel;
	for (loom_route_begin(&route, t, source, destination, rule); loom_route_next(&route, &channel); n++) {
		if (n == capacity)
			abort();
		out[n] = channel;
	}
	return n;
}

#endif
