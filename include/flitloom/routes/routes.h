// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_ROUTES_H
#define LOOM_ROUTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <flitloom/api.h>
#include <flitloom/err.h>
#include <flitloom/pattern.h>
#include <flitloom/topo.h>

LOOM_API_BEGIN

// Routes chosen message by message, so that no link carries much more than the others, on direct networks: line,
// ring, mesh, torus, cube, and those without coordinates. Links may lead one way only. All routes are minimal, unless
// the options allow detours.
//
// Everywhere here, the source and destination of a message are nodes, as a plan's map gives them. A message to its
// own node has a route without links.

// The unit of a link's load.
enum loom_load_unit { LOOM_LOAD_MESSAGES, LOOM_LOAD_FLITS };
// The name of a load.
const char *loom_load_unit_name(unsigned load); // "messages", "flits"; NULL after the last

// A route for each of n messages: the links that it takes, as channels of the topology (loom_topo_channels), in
// order. Route i is channel[first[i]] .. channel[first[i + 1] - 1]; first[0] is 0 unless these are some routes of a
// longer list.
struct loom_routes {
	size_t n;
	size_t *first;     // owned, n + 1
	uint32_t *channel; // owned, first[n]
};

// Frees what routes own.
void loom_routes_free(struct loom_routes *routes); // NULL allowed; leaves *routes zeroed

// All functions: LOOM_EINPUT: no direct network, a node that does not exist or has no way to another one. On failure
// *out is untouched.

// Makes routes dimension by dimension, as routers without tables do: "xy" by LOOM_RULE_ASCENDING, "yx" by
// LOOM_RULE_DESCENDING. LOOM_EINPUT: a network without coordinates.
int loom_routes_in_order(struct loom_routes *out, const struct loom_topo *topo, const struct loom_message *messages,
                         size_t n, enum loom_rule rule, struct loom_err *err);

// Makes routes by BLOCK ([Zhong92], section 5). The label of a link counts the load of the routes chosen so far, and
// of all routes that the other messages could take. Messages with few routes choose first; among equals the order
// given decides. Each takes the route whose largest label is least; its other routes then no longer count. Among
// equal routes it goes by the lowest link, so along the lowest dimension; half-way round a ring it goes by +.
// O(messages * dimensions * nodes); without coordinates O(messages * links).
int loom_routes_block(struct loom_routes *out, const struct loom_topo *topo, const struct loom_message *messages,
                      size_t n, enum loom_load_unit load, struct loom_err *err);

#define LOOM_DETOURS_MAX 64
// Options of the search for routes.
struct loom_routes_options {
	enum loom_load_unit load; // the load to keep low
	uint32_t detours;         // hops that a route may have more than a shortest one, LOOM_DETOURS_MAX at most
	uint64_t seed; // seed of the order in which messages choose again; the same seed gives the same routes
	// Wall-clock time; 0: the default, which is counted in steps, so that the routes are the same everywhere.
	double budget_seconds;
	uint64_t most_steps; // without budget_seconds, the most steps, if fewer than the default; 0: the default
	// Called now and then; if it returns true, the search ends with the best routes so far. NULL allowed.
	bool (*stopped)(void *user);
	// Called whenever the largest load has fallen or the bound has risen. NULL allowed.
	void (*progress)(void *user, uint64_t contention, uint64_t lower_bound);
	void *user;
};

// The result of the search for routes.
struct loom_routes_found {
	uint64_t contention;  // the largest load of a link, in the unit of options.load
	uint64_t lower_bound; // no minimal routes, or none with these detours, have less (loom_routes_bound)
};

// Searches for routes by rip-up and re-route. It begins with BLOCK's routes (for very many messages in a large
// network, with dimension order). Messages on overloaded links choose again, and a link that too many messages want
// becomes expensive [McMurchie95]. Then the search makes the links with the largest load as few as it can. With
// detours, it looks for minimal routes first, and takes a longer one only if that lowers the largest load; no route
// passes a node twice. It ends when the lower bound is met or the budget is used up. found: may be NULL.
int loom_routes_reroute(struct loom_routes *out, struct loom_routes_found *found, const struct loom_topo *topo,
                        const struct loom_message *messages, size_t n, const struct loom_routes_options *options,
                        struct loom_err *err);

// Computes a lower bound of the largest load. It holds for any minimal routes, or for routes with options->detours,
// split ones too. `price` (may be NULL; an element per channel, 0 for channels that are no links) proves it: every
// message pays at least the price of its cheapest route, for each flit if flits are counted. The sum of these,
// divided by the sum of all prices and rounded up, is the bound, unless a single message has more flits.
int loom_routes_bound(uint64_t *out, uint32_t *price, const struct loom_topo *topo, const struct loom_message *messages,
                      size_t n, const struct loom_routes_options *options, struct loom_err *err);

// Checks that these are routes of the messages: each begins at its source, is connected, passes no node twice and
// ends at its destination. Routes need not be minimal. LOOM_EINPUT names the message and the place.
int loom_routes_check(const struct loom_routes *routes, const struct loom_topo *topo,
                      const struct loom_message *messages, size_t n, struct loom_err *err);

// Computes the largest load of a link.
int loom_routes_contention(uint64_t *out, const struct loom_routes *routes, const struct loom_topo *topo,
                           const struct loom_message *messages, enum loom_load_unit load, struct loom_err *err);

LOOM_API_END

#endif
