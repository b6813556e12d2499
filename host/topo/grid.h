// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_GRID_H
#define LOOM_GRID_H

#include <limits.h>

#include <flitloom/topo.h>

// Declarations shared by the kinds whose nodes have coordinates. The links of dimension d are 2d, to the next larger
// coordinate, and 2d + 1, to the next smaller one. If the kind wraps, every dimension is a ring: its ends are
// neighbours. A ring of two nodes has only the + link. Messages go the shorter way, and at exactly half the + way.

int loom_grid_read_number(struct loom_topo *t, const char *size, struct loom_err *err);  // reads one dimension: "8"
int loom_grid_read_extents(struct loom_topo *t, const char *size, struct loom_err *err); // "3x5", "4x3x2"
void loom_grid_near_number(char out[40], uint32_t n_nodes);
void loom_grid_near_square(char out[40], uint32_t n_nodes); // two dimensions, the sides 1:1 or nearly so

// Returns the distance between the numbers of neighbours in dimension d.
static inline uint32_t loom_grid_stride(const struct loom_topo *t, unsigned d)
{
	uint32_t stride = 1;
	for (unsigned k = 0; k < d; k++)
		stride *= t->extent[k];
	return stride;
}

bool loom_grid_link(const struct loom_topo *t, uint32_t u, unsigned p, uint32_t *v, unsigned *q);
unsigned loom_grid_next(const struct loom_topo *t, uint32_t here, uint32_t destination, enum loom_rule rule);
// Returns the virtual channel of link p by which a message leaves `here`, if links have several. On each row of a
// dimension a message keeps to one virtual channel: the coordinate at which it leaves the row, modulo their number. On
// a ring it uses two, 2 k and 2 k + 1, if it crosses the wrap-around link; k is that coordinate modulo half their
// number, rounded down. It takes 2 k until it reaches that link, and 2 k + 1 over the link and from there on. came_by
// is the virtual channel by which it came along the same row, or LOOM_GRID_BEGINS if it did not.
//
// On a ring no message goes from an odd virtual channel to any other; none crosses the wrap-around link on an even one,
// and none comes to that link on an odd one. So no messages wait for one another around the ring ([Dally87]). If the
// number of virtual channels is odd, only messages that do not cross that link use the last one.
#define LOOM_GRID_BEGINS UINT_MAX
unsigned loom_grid_vc(const struct loom_topo *t, uint32_t here, unsigned p, uint32_t destination, unsigned came_by);
void loom_grid_link_name(const struct loom_topo *t, unsigned p, char out[16]); // "+x", "-x", "+y", ..., "+w", "+5"

// Computes a bound from what leaves and enters each node, and from what crosses from one part of a dimension to the
// other, over the links that lead there; on rings also from the hops that all messages need, over the links of the
// dimension.
int loom_grid_bound(uint32_t *out, const struct loom_topo *t, const uint32_t *source, const uint32_t *destination,
                    size_t n, struct loom_err *err);

// The part of a row that grids share.
#define LOOM_GRID_DEFAULTS                                                                                             \
	.write_size = loom_default_write_size, .link = loom_grid_link, .next = loom_grid_next,                         \
	.link_name = loom_grid_link_name, .bound = loom_grid_bound, LOOM_DIRECT_DEFAULTS

#endif
