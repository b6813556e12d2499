// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef MESSAGE_LIST_H
#define MESSAGE_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <flitloom/pattern.h>
#include <flitloom/routes/routes.h>
#include <flitloom/topo.h>

// Messages on a fabric, for the tests of chosen routes.
#define LIST_MOST 1000
struct list {
	struct loom_topo topo;
	size_t n;
	struct loom_message messages[LIST_MOST];
};

void list_on(struct list *out, const char *fabric); // without messages; fails the test if there is no such fabric
void list_add(struct list *l, uint32_t source, uint32_t destination, uint32_t flits);
// Adds n messages between random nodes, of 1 to most_flits flits.
void list_add_random(struct list *l, size_t n, uint32_t most_flits, uint64_t seed);

// n in all, between random nodes, in place of what there was: by random_start of some_nets.h, each of 7 flits if they are alike,
// else of 1 to 99.
void list_fill(struct list *l, unsigned n, bool alike);

// Returns the largest load of a channel on these routes. Fails the test if loom_routes_check refuses them.
uint64_t list_contention(const struct list *l, const struct loom_routes *routes, enum loom_load_unit load);
// Runs reroute and returns its result; fails the test unless the contention is that of the routes and the bound is not
// above it.
struct loom_routes_found list_reroute(const struct list *l, const struct loom_routes_options *options);

#endif
