// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_BIPARTITE_H
#define LOOM_BIPARTITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Edge i goes from left[i] below n_left to right[i] below n_right; several may have the same ends. For planners.
struct loom_bipartite {
	uint32_t n_left, n_right;
	size_t n_edges;
	const uint32_t *left, *right;
};

// The largest degree. false: out of memory.
bool loom_bipartite_degree(uint32_t *out, const struct loom_bipartite *g);

// colour[i] of edge i counts from 0; no two edges at one vertex share a colour, and there are exactly as many colours as
// the largest degree D (König), each of which some edge has. By Euler splits: O(E log D) for E edges if D is a power of
// two; else perfect matchings are found besides, by random walks of expected O(E log E) steps in all. Deterministic: the
// walks are seeded. false: out of memory.
bool loom_bipartite_colour(uint32_t *colour, uint32_t *n_colours, const struct loom_bipartite *g);

#endif
