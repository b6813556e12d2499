// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_GRID_H
#define LOOM_GRID_H

#include <flitloom/topo.h>

// Declarations shared by the kinds whose nodes have coordinates: dimension d's links are 2d, to the next larger
// coordinate, and 2d + 1, to the next smaller one. If the kind wraps, every dimension is a ring: its ends are
// neighbours, one of two nodes has the + link only, and messages go the shorter way, at exactly half the + way.

int loom_grid_read_number(struct loom_topo *t, const char *size, struct loom_err *err);  // one dimension: "8"
int loom_grid_read_extents(struct loom_topo *t, const char *size, struct loom_err *err); // "3x5", "4x3x2"
void loom_grid_near_number(char out[40], uint32_t n_nodes);
void loom_grid_near_square(char out[40], uint32_t n_nodes); // two dimensions, the sides 1:1 or nearly so

bool loom_grid_link(const struct loom_topo *t, uint32_t u, unsigned p, uint32_t *v, unsigned *q);
unsigned loom_grid_next(const struct loom_topo *t, uint32_t here, uint32_t destination, enum loom_rule rule);
// The virtual channel of its link p by which a message leaves `here`, if the kind wraps and links have two. A message
// that has still to come to the wrap-around link of the ring it is on goes by 0; it crosses that link, and goes on
// around the ring, by 1. One that does not cross it goes by the lowest bit of the coordinate at which it leaves the
// ring. Came_by is the virtual channel by which it came along the same ring, 0 if it did not. No message goes from 1 to
// 0 of a ring's channels, and by 1 none comes to the wrap-around link: so no messages wait for one another around it
// ([Dally87]).
unsigned loom_grid_vc(const struct loom_topo *t, uint32_t here, unsigned p, uint32_t destination, unsigned came_by);
void loom_grid_link_name(const struct loom_topo *t, unsigned p, char out[16]); // "+x", "-x", "+y", ..., "+w", "+5"

// Beside what leaves and enters each node: what crosses from one part of a dimension to the other, over the links that
// lead there; on rings also the hops that all messages need, over the links of the dimension.
int loom_grid_bound(uint32_t *out, const struct loom_topo *t, const uint32_t *source, const uint32_t *destination,
                    size_t n, struct loom_err *err);

#endif
