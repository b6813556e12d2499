// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TOPO_DIRECT_H
#define LOOM_TOPO_DIRECT_H

#include <flitloom/topo.h>

#include "topo/topo_defaults.h"

#define LOOM_LINKS_MAX 63 // links of a node: no_link has a bit for each

uint64_t loom_direct_missing(const struct loom_topo *t); // the value of `no_link`

// The part of a row that direct networks share: links lead both ways, any rule is accepted, each dimension is a
// coordinate of patterns, and each link is a group.
#define LOOM_DIRECT_DEFAULTS                                                                                           \
	.dims_of_coordinate = 1, .one_way = loom_default_one_way, .rule_of = loom_default_rule_of,                     \
	.route_next = loom_direct_route_next, .groups = loom_direct_groups, .group_of = loom_direct_group_of,          \
	.group_name = loom_direct_group_name, .channel_name = loom_direct_channel_name

// The functions of topo.h for a direct network, made from the three functions of its kind.
bool loom_direct_route_next(struct loom_route *route, uint32_t *channel);
unsigned loom_direct_groups(const struct loom_topo *t);
unsigned loom_direct_group_of(const struct loom_topo *t, uint32_t channel);
void loom_direct_group_name(const struct loom_topo *t, unsigned group, char out[16]);
void loom_direct_channel_name(const struct loom_topo *t, uint32_t channel, char out[48]);
// Finds the link that leads to input p of node u: link *q of node *v. false: there is none.
bool loom_direct_feeds(const struct loom_topo *t, uint32_t u, unsigned p, uint32_t *v, unsigned *q);
// Computes a bound from what leaves and enters each node.
int loom_direct_bound(uint32_t *out, const struct loom_topo *t, const uint32_t *source, const uint32_t *destination,
                      size_t n, struct loom_err *err);

#endif
