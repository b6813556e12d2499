// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TOPO_CUBE_H
#define LOOM_TOPO_CUBE_H

#include <flitloom/topo.h>

#include "topo/topo_direct.h"

// Functions shared by the kinds that are binary cubes: link d of node u leads to u ^ 2^d. struct loom_topo_kind says
// what each does.
int loom_cube_read_size(struct loom_topo *t, const char *size, struct loom_err *err);
void loom_cube_write_size(const struct loom_topo *t, char out[40]);
void loom_cube_size_near(char out[40], uint32_t n_nodes);
bool loom_cube_link(const struct loom_topo *t, uint32_t u, unsigned p, uint32_t *v, unsigned *q);
unsigned loom_cube_next(const struct loom_topo *t, uint32_t here, uint32_t destination, enum loom_rule rule);
void loom_cube_link_name(const struct loom_topo *t, unsigned p, char out[16]); // "dim 3"
// Computes a bound from two facts. One is what leaves and enters each node. The other holds for all routes: a message
// whose ends differ in bit d crosses dimension d at least once in its own direction, and 2^(n-1) channels lead that
// way.
int loom_cube_bound(uint32_t *out, const struct loom_topo *t, const uint32_t *source, const uint32_t *destination,
                    size_t n, struct loom_err *err);

// The part of a row that binary cubes share.
#define LOOM_CUBE_DEFAULTS                                                                                             \
	.sizes = "1..20[v2..v8]", .size_is = "dimensions", .read_size = loom_cube_read_size,                           \
	.write_size = loom_cube_write_size, .size_near = loom_cube_size_near, .complements_bits = true,                \
	.link = loom_cube_link, .next = loom_cube_next, .link_name = loom_cube_link_name, .bound = loom_cube_bound,    \
	LOOM_DIRECT_DEFAULTS

#endif
