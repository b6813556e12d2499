// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_REPORT_ADMISSIBLE_H
#define LOOM_REPORT_ADMISSIBLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <flitloom/plan.h>

// The answer to whether a permutation passes a multistage network in one pass.
struct loom_report_admissible {
	bool asked;  // the plan is one pass over a multistage network, one message from and to each node at most
	bool passes; // the rest means something only if asked
	unsigned n_stages;
	uint32_t n_switches; // of a stage
	uint64_t *settings;  // owned; if it passes: as in planners/admissible.h
	// If not: the first switch of which two messages need the same output, and their indices in the plan.
	unsigned stage;
	uint32_t the_switch, line;
	size_t message[2];
};

int loom_report_admissible_make(struct loom_report_admissible *out, const struct loom_plan *plan, struct loom_err *err);
void loom_report_admissible_free(struct loom_report_admissible *a); // NULL allowed; leaves *a zeroed

// The settings of a stage as a person reads them: out[q] is '1' where switch q is crossed, else '0'; n_switches + 1
// bytes.
void loom_report_admissible_stage(char *out, const struct loom_report_admissible *a, unsigned stage);

#endif
