// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_REPORT_COLOUR_H
#define LOOM_REPORT_COLOUR_H

#include <stdint.h>

#define LOOM_REPORT_INK "#1d2530"

// "#74c3b8": grey for no load, calm at 1, red at `max`; equal factors are equal steps. The upper half darkens, for
// those who see no red.
void loom_report_colour(char out[8], uint32_t load, uint32_t max);

// Of what is written on that colour.
const char *loom_report_ink_on(uint32_t load, uint32_t max);

#endif
