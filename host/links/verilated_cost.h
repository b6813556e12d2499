// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_VERILATED_COST_H
#define LOOM_VERILATED_COST_H

#include <flitloom/link.h>

#include "links/rtl.h"

// Time and memory to build a model.
struct loom_verilated_cost {
	double s;     // on a machine that has nothing else to do
	double bytes; // of memory
};

// Estimates the cost from tiles, links and lanes. Nothing is known of a board's netlist: all 0.
struct loom_verilated_cost loom_verilated_cost(const struct loom_rtl *rtl, const struct loom_link_options *options);

// "about 10 min and 9.0 GB of memory"
void loom_verilated_cost_text(char out[64], const struct loom_verilated_cost *cost);

// Bytes that a program could have now: what the machine has, and what the control groups of this process leave. `root` is
// before /proc and /sys, "" for the machine's own. Negative: nothing tells.
double loom_verilated_memory_left(const char *root);

#endif
