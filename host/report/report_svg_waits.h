// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_REPORT_SVG_WAITS_H
#define LOOM_REPORT_SVG_WAITS_H

#include <stdint.h>
#include <stdio.h>

#include <flitloom/report.h>

#include "check/due.h"
#include "check/offered.h"

// The waiting that titles show: the measured cycles, and the computed ones if they differ; for a plan that has not
// been run, the computed ones.
struct loom_svg_waits {
	const struct loom_panel *panel;
	struct loom_due due;     // owned
	struct loom_fate *fates; // owned, by message; NULL: nothing was measured, or the trace is not of this plan
	// The cycle in which all programs were done; 0: there are none, or nothing was measured.
	uint64_t programs_end;
};

// Finds the cycle in which all programs of a panel with a trace were done. Errors: loom_verdict_make's.
int loom_svg_programs_end(uint64_t *end, const struct loom_panel *panel, struct loom_err *err);

// 0 or LOOM_ENOMEM. Free it in any case.
int loom_svg_waits_make(struct loom_svg_waits *out, const struct loom_panel *panel);
void loom_svg_waits_free(struct loom_svg_waits *waits); // a zeroed one as well
// Writes "; headers waited 7 cycles" or the like, for a pass, or for all passes if `pass` is NULL; nothing if no
// header waits. For a free run the cycles are always those of the whole run.
void loom_svg_waits_channel(FILE *stream, const struct loom_svg_waits *waits, const uint32_t *pass, uint32_t channel);
// Writes the same for message i: "; waited 7 cycles, predicted 5".
void loom_svg_waits_message(FILE *stream, const struct loom_svg_waits *waits, size_t i);

#endif
