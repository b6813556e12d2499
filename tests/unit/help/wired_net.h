// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WIRED_NET_H
#define WIRED_NET_H

#include <stdint.h>

#include "message_list.h"

// A small network without coordinates, as a list of where each link leads, and what looking at all routes on it finds.
enum { WIRED_NODES = 12, WIRED_LINKS = 4 };
extern struct wired {
	uint32_t to[WIRED_NODES][WIRED_LINKS], n_nodes; // UINT32_MAX: no link
} wired;

// Draws a one-way ring through all nodes in some order, and more links; two links may join the same pair of nodes.
void wired_random(struct list *l);
void wired_copy(struct list *l, const char *name); // the same links as a network of flitloom's has

void wired_distances(unsigned distance[WIRED_NODES][WIRED_NODES]);
// The least load of the busiest link over every choice of routes that pass no node twice and have at most `detours` hops more
// than need be. UINT64_MAX: there are too many.
uint64_t wired_best(const struct list *l, enum loom_load_unit load, unsigned detours);
// Checks that no route is longer than allowed.
void wired_check_lengths(const struct list *l, const struct loom_routes *routes, unsigned detours);

#endif
