// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_BIPARTITE_H
#define LOOM_BIPARTITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Functions for planners. Edge i goes from left[i] below n_left to right[i] below n_right; several may have the same
// ends.
struct loom_bipartite {
	uint32_t n_left, n_right;
	size_t n_edges;
	const uint32_t *left, *right;
};

// Finds the largest degree. false: out of memory.
bool loom_bipartite_degree(uint32_t *out, const struct loom_bipartite *g);

// Colours the edges. colour[i] of edge i counts from 0; no two edges at one vertex share a colour. There are exactly as
// many colours as the largest degree D (König), and each colour is used. If D is a power of two, Euler splits take O(E
// log D) for E edges; otherwise perfect matchings are found as well, by random walks of expected O(E log E) steps in
// all. Deterministic: the walks are seeded. false: out of memory.
bool loom_bipartite_colour(uint32_t *colour, uint32_t *n_colours, const struct loom_bipartite *g);

#endif
