// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef GRID_PICTURE_H
#define GRID_PICTURE_H

#include <stdint.h>

#include <flitloom/topo.h>

// The picture of a direct network's loads, read back: what lies where, and in which colour.

struct grid_shape {
	const char *kind;
	uint32_t rows, columns; // rows 0: one dimension
};

// Every channel between nodes that exists is one arrow, between its nodes, and has the colour of its load; nodes lie as in
// `shape` (NULL: anywhere); nothing overlaps. Fails the test otherwise.
void grid_picture_check(const char *text, const struct loom_topo *t, const struct grid_shape *shape,
                        const uint32_t *load);

#endif
