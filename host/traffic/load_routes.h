// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_LOAD_ROUTES_H
#define LOOM_LOAD_ROUTES_H

#include <stddef.h>
#include <stdint.h>

#include <flitloom/plan.h>
#include <flitloom/routes/route_tables.h>
#include <flitloom/traffic.h>

// A pair's destination, and the message of the plan whose way it has.
struct loom_load_pair {
	uint32_t destination, message;
};

struct loom_load_routes {
	struct loom_plan plan;           // owned
	struct loom_route_tables tables; // owned: of chosen routes; else zeroed
	size_t *first;                   // owned: the pairs of node u are pair[first[u]] .. pair[first[u + 1] - 1] ...
	struct loom_load_pair *pair;     // owned: ... in ascending order of destination
};

#define LOOM_LOAD_ROUTES_NONE SIZE_MAX
// The message of the plan between two nodes; LOOM_LOAD_ROUTES_NONE: there is none.
size_t loom_load_routes_find(const struct loom_load_routes *routes, uint32_t source, uint32_t destination);

#endif
