// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_REPORT_SVG_SLOW_H
#define LOOM_REPORT_SVG_SLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <flitloom/topo.h>

// Slow links in pictures, if links differ: a bar across the line or arrow of a channel and, if there is room, its
// delay beside it, to the right of the direction or else to the left. No two delays overlap: one without room is left
// out, and the tooltip of the channel has it.

#define LOOM_SVG_DELAYS_MOST 1024
// The delays that a drawing has already: the middle of each, and its width. {0}: none.
struct loom_svg_delays {
	size_t n; // LOOM_SVG_DELAYS_MOST at most
	struct {
		double x, y, width;
	} at[LOOM_SVG_DELAYS_MOST];
};

// A point in the middle of the line, the direction of the line there, of length 1, and half its width.
struct loom_svg_slow {
	double x, y, way_x, way_y, half;
	double pitch; // the distance from node to node
};

// Draws the bar and the delay of a channel, which is added to `written`; nothing for a channel without a delay.
void loom_svg_slow_bar(FILE *stream, const struct loom_topo *topo, uint32_t channel, const struct loom_svg_slow *at,
                       struct loom_svg_delays *written);
// Writes ", delay 3" or nothing.
void loom_svg_slow_title(FILE *stream, const struct loom_topo *topo, uint32_t channel);
// Writes the line of a legend. False: no link is slow; `out` is empty.
#define LOOM_SVG_SLOW_TEXT (LOOM_SLOW_TEXT + 80)
bool loom_svg_slow_legend(char out[LOOM_SVG_SLOW_TEXT], const struct loom_topo *topo);

#endif
