// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef SOME_NETS_H
#define SOME_NETS_H

#include <stdint.h>

#include "reference/ref_circle.h"
#include "reference/reference.h"

// Direct networks for the tests of the reference models: small, so that they can be searched in every obvious way.
enum { NODES_MAX = 64, CHANNELS_MAX = NODES_MAX * 16 };

struct ref_net net_of(const char *name); // fails the test if it is not read

void random_start(uint64_t seed);
unsigned random_below(unsigned n);
void random_net(struct ref_net *out); // any kind, up to 4 extents of 1 to 7, up to NODES_MAX nodes

// Returns the length of a shortest way by a search that adds one step at a time.
unsigned distance_by_search(const struct ref_net *net, unsigned from, unsigned to);

// Returns the number of channels of a circle in the dependency graph, 0 if there is none. Checks that it is a circle.
size_t circle_of(const struct ref_net *net, const struct ref_way *way, size_t n);

#endif
