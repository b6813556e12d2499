// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_REPORT_COLOUR_H
#define LOOM_REPORT_COLOUR_H

#include <stdint.h>

#define LOOM_REPORT_INK "#1d2530"

// "#74c3b8": grey for no load, calm at 1, red at `max`; equal factors are equal steps. The upper half darkens, for
// those who see no red.
void loom_report_colour(char out[8], uint32_t load, uint32_t max);

// Of path i of n: from green over blue to violet, all as bright as each other, none near the red above.
void loom_report_path_colour(char out[8], uint32_t i, uint32_t n);

// Of what is written on the colour of a load.
const char *loom_report_ink_on(uint32_t load, uint32_t max);

#endif
