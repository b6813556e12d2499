// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_VERILATED_COST_H
#define LOOM_VERILATED_COST_H

#include <flitloom/link.h>

#include "links/rtl.h"

// Time and memory to build a model.
struct loom_verilated_cost {
	double s;     // seconds, on an idle machine
	double bytes; // bytes of memory
};

// Estimates the cost from tiles, links and lanes. For a board's netlist it is unknown: all 0.
struct loom_verilated_cost loom_verilated_cost(const struct loom_rtl *rtl, const struct loom_link_options *options);

// "about 10 min and 9.0 GB of memory"
void loom_verilated_cost_text(char out[64], const struct loom_verilated_cost *cost);

// Returns the bytes of memory that a program could have now: those that the machine has, and that the control groups
// of this process leave. `root` is a prefix of /proc and /sys, "" for the machine's own. Negative: unknown.
double loom_verilated_memory_left(const char *root);

#endif
