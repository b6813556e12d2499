// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_REPORT_SVG_PLACES_H
#define LOOM_REPORT_SVG_PLACES_H

#include <stdbool.h>

#include <flitloom/topo.h>

#define LOOM_SVG_PLACES_MAX 512 // the most nodes that can be told apart

// The places of the nodes of a graph or an OTIS-Mesh in a picture, in parts of a node's pitch: 0 to width, 0 to height,
// y downwards.
struct loom_svg_places {
	struct loom_svg_place {
		double x, y;
	} * at; // owned, by node; NULL: the fabric has no such places
	double width, height;
	bool blocks; // those of an OTIS-Mesh (report_svg_blocks.h)
	// those of Graphviz; if neither, on a circle, because Graphviz is not installed or has failed
	bool by_graphviz;
};

// Writes a node's name: its number, in a graph its name.
#define LOOM_SVG_NODE_NAME 24
void loom_svg_node_name(char out[LOOM_SVG_NODE_NAME], const struct loom_topo *topo, uint32_t node);

// Finds the places. LOOM_ENOMEM. For a fabric that is neither, or too large, *out is zeroed.
int loom_svg_places_make(struct loom_svg_places *out, const struct loom_topo *topo);
void loom_svg_places_free(struct loom_svg_places *places);

#endif
