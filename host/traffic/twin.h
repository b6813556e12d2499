// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TRAFFIC_TWIN_H
#define LOOM_TRAFFIC_TWIN_H

#include "traffic/carrier.h"

// Two carriers that get the same messages and must report the same arrivals in each call. The reports of the first
// are passed on; each deviation of the second is a difference.
struct loom_twin {
	const struct loom_carrier *is, *should;
	// Owned: what both told last, by source and number.
	struct loom_carried *of_is, *of_should;
	size_t is_room, should_room;
	size_t n_differences;
	char difference[200]; // the first difference
};

// Returns a carrier with `is` and `should` set, the rest zeroed.
struct loom_carrier loom_twin_carrier(struct loom_twin *twin);
void loom_twin_free(struct loom_twin *twin);

#endif
