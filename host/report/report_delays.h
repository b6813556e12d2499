// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_REPORT_DELAYS_H
#define LOOM_REPORT_DELAYS_H

#include <flitloom/report.h>

// A time in which a node computes, or is delayed by its program. Both cycles are included.
struct loom_delay {
	uint32_t processor, node;
	uint64_t first, last;
};

// Calls `visit` for all delays of a run of programs, by processor and in order; consecutive delays are one. Other
// runs have none. LOOM_EFIT, LOOM_ENOMEM: loom_programs_make.
int loom_report_delays(const struct loom_panel *panel, void (*visit)(void *user, const struct loom_delay *delay),
                       void *user, struct loom_err *err);

#endif
