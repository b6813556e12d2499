// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef MACHINE_CHECK_H
#define MACHINE_CHECK_H

#include <flitloom/link/image.h>
#include <flitloom/trace.h>

// Compares the machine (flitloom/machine.h) with the RTL: computes the run of an RTL trace, and compares all values.
// Prints the first difference, and returns false if there is one.
bool machine_agrees(const char *fabric, const struct loom_plan *plan, const struct loom_image_options *options,
                    const struct loom_trace *trace);

// The number of runs, messages and counts of a channel in a pass that were compared so far.
void machine_compared(uint64_t out[3]);

#endif
