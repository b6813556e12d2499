// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_REPORT_DELAYS_H
#define LOOM_REPORT_DELAYS_H

#include <flitloom/report.h>

// A node that computes, or is delayed by its program, from one cycle of the run to another, both included.
struct loom_delay {
	uint32_t processor, node;
	uint64_t first, last;
};

// Calls `visit` for all delays of a run of programs, by processor and in order; those that follow one another at once are one. Of
// anything else there are none. LOOM_EFIT, LOOM_ENOMEM: loom_programs_make.
int loom_report_delays(const struct loom_panel *panel, void (*visit)(void *user, const struct loom_delay *delay),
                       void *user, struct loom_err *err);

#endif
