// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_CUTS_H
#define LOOM_CUTS_H

#include <flitloom/routes/routes.h>

// Messages to route, and how a load is counted.
struct loom_demand {
	const struct loom_topo *topo;
	const struct loom_message *messages;
	size_t n;
	enum loom_load_unit load;
	uint32_t detours; // hops that a route may have more than a shortest one
};

// Finds a lower bound of the largest load by the busiest cut, which is the cut with the most crossings per link. The
// prices that prove it are 1 for each link of this cut and 0 for all others. Cuts lie between one coordinate of a
// dimension and the next, one for each direction; if that is not possible, around every node, inward and outward.
// price: an element per channel, all 0 if nothing crosses any cut. LOOM_ENOMEM.
int loom_cuts_price(uint64_t *bound, uint64_t *price, const struct loom_demand *demand, struct loom_err *err);

#endif
