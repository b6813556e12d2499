// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_REPORT_ADMISSIBLE_H
#define LOOM_REPORT_ADMISSIBLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <flitloom/plan.h>

// The test whether a permutation passes a multistage network in one pass, and its result.
struct loom_report_admissible {
	// the test applies: the plan is one pass over a multistage network, with at most one message from and to each
	// node
	bool asked;
	bool passes; // valid only if `asked`, as are the members below
	unsigned n_stages;
	uint32_t n_switches; // switches of a stage
	uint64_t *settings;  // owned; if it passes: as in planners/admissible.h
	// If it does not pass: the first switch on which two messages need the same output, and their indices in the
	// plan.
	unsigned stage;
	uint32_t the_switch, line;
	size_t message[2];
};

int loom_report_admissible_make(struct loom_report_admissible *out, const struct loom_plan *plan, struct loom_err *err);
void loom_report_admissible_free(struct loom_report_admissible *a); // NULL allowed; leaves *a zeroed

// Writes the settings of a stage for a person: out[q] is '1' if switch q is crossed, else '0'; n_switches + 1 bytes.
void loom_report_admissible_stage(char *out, const struct loom_report_admissible *a, unsigned stage);

#endif
