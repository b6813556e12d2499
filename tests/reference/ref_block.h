// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef REF_BLOCK_H
#define REF_BLOCK_H

#include <stddef.h>
#include <stdint.h>

#include "ref_net.h"

// BLOCK ([Zhong92]) by its definition, the loads of routes, and the best minimal routes, by exhaustive search. No
// code is shared with the library.

#define REF_BLOCK_NODES 512u // nodes of a network, and room for each route

// n messages, the weight of each (what it adds to a link). The order in way[i] is ignored. The i-th route is
// channel[i * REF_BLOCK_NODES ..], length[i] links of it. -EINVAL: more nodes than REF_BLOCK_NODES; -ENOMEM.
int ref_block(size_t *channel, size_t *length, const struct ref_net *net, const struct ref_way *way,
              const uint64_t *weight, size_t n);

// Computes the largest load of any channel. -EINVAL: a route is not connected, or has a wrong end.
int ref_routes_load(uint64_t *most, const size_t *channel, const size_t *length, const struct ref_net *net,
                    const struct ref_way *way, const uint64_t *weight, size_t n);

// Returns the cost of the cheapest route with as few links as there can be: price has an element per channel.
uint64_t ref_cheapest(const struct ref_net *net, unsigned from, unsigned to, const uint32_t *price);

// Returns the smallest possible largest load of minimal routes, by trying all; gives up (UINT64_MAX) after `tries`
// partial solutions.
uint64_t ref_best_routes(const struct ref_net *net, const struct ref_way *way, const uint64_t *weight, size_t n,
                         uint64_t tries);

#endif
