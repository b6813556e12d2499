// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_REPORT_COLOUR_H
#define LOOM_REPORT_COLOUR_H

#include <stdint.h>

#define LOOM_REPORT_INK "#1d2530"

// Writes the colour of a load, "#74c3b8": grey for no load, calm at 1, red at `max`; equal ratios of loads are equal
// steps of colour. The upper half gets darker too, for readers who cannot see red.
void loom_report_colour(char out[8], uint32_t load, uint32_t max);

// Writes the colour of path i of n: from green over blue to violet, all equally bright, and none near the red above.
void loom_report_path_colour(char out[8], uint32_t i, uint32_t n);

// Returns the colour of text on the colour of a load. Their contrast is 4.5 or more.
const char *loom_report_ink_on(uint32_t load, uint32_t max);

#endif
