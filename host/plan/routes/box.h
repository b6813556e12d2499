// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_BOX_H
#define LOOM_BOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <flitloom/err.h>
#include <flitloom/topo.h>

// The minimal routes of one message on a network with coordinates. In each dimension the message makes a fixed number
// of steps, all in one direction, in any order with those of the other dimensions. The nodes on these routes are a box
// with the source at one corner and the destination at the opposite one ([Zhong92]: the affected rectangle). They have
// their own numbers: the source is 0, a step along axis a adds stride[a], the destination is n_nodes - 1.
struct loom_box {
	const struct loom_topo *topo;
	uint32_t per_tile;               // channels
	unsigned n_axes;                 // dimensions in which there are steps, the lowest first
	uint32_t steps[LOOM_DIMS_MAX];   // by axis: the steps along it, >= 1
	unsigned link[LOOM_DIMS_MAX];    // by axis: the link by which a node makes a step
	size_t stride[LOOM_DIMS_MAX];    // 1 of axis 0
	size_t n_nodes;                  // nodes of the box: the product of (steps + 1)
	uint32_t n_hops;                 // hops of each route: the sum of the steps
	uint32_t origin;                 // the part of each node's number that belongs to the dimensions without steps
	uint32_t *offset[LOOM_DIMS_MAX]; // offset[a][c]: what c steps along axis a add to the number of a node
	uint32_t *room;                  // owned: of all offsets
};

// True if minimal routes on it are boxes: meshes, tori, lines, rings and cubes.
bool loom_box_has(const struct loom_topo *topo);

// Makes a box without a message. LOOM_ENOMEM.
int loom_box_init(struct loom_box *out, const struct loom_topo *topo, struct loom_err *err);
// Sets the box to a message. Bit d of `ways` matters if both ways round dimension d are equally short: the message then
// goes by - instead of +.
void loom_box_set(struct loom_box *box, uint32_t source, uint32_t destination, uint32_t ways);
void loom_box_free(struct loom_box *box); // NULL allowed

// Returns bit d for each dimension in which both ways round are equally short.
uint32_t loom_box_ties(const struct loom_topo *topo, uint32_t source, uint32_t destination);
// Counts the links in the box, which is the cost of one pass over it.
uint64_t loom_box_links(const struct loom_box *box);

// Visits each link of the box, as a channel.
void loom_box_visit(const struct loom_box *box, void (*visit)(void *user, uint32_t channel), void *user);
// Adds w (modulo 2^64, so that -w subtracts) to every link of the box. label: an element per channel.
void loom_box_add(uint64_t *label, const struct loom_box *box, uint64_t w);

// The working memory of a search through boxes: an element per node of the largest box.
struct loom_box_search {
	uint64_t *best;  // owned: from here to the destination
	uint8_t *choice; // owned: the axis of the best step
};
int loom_box_search_init(struct loom_box_search *out, const struct loom_topo *topo, struct loom_err *err);
void loom_box_search_free(struct loom_box_search *search); // NULL allowed

// Finds the route whose largest label is least, as n_hops channels; returns that label. Among equal steps it takes the
// one along the lowest dimension, at each node anew.
uint64_t loom_box_least_maximum(uint32_t *channel, const struct loom_box *box, const uint64_t *label,
                                struct loom_box_search *search);
// Finds the route whose sum of costs is least, and returns that sum; channel NULL: only the sum is needed. `ties` (any
// number) decides among equal routes; 0: as above.
uint64_t loom_box_least_sum(uint32_t *channel, const struct loom_box *box, const uint64_t *cost, uint64_t ties,
                            struct loom_box_search *search);

#endif
