// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_REPORT_FACTS_H
#define LOOM_REPORT_FACTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <flitloom/plan.h>
#include <flitloom/report_request.h>
#include <flitloom/verdict.h>

// Facts that table and JSON have beyond plan and verdict, each in its own way.

// The largest number of messages on one of the nodes' own channels (inject, eject) in one pass, which is not counted as
// contention.
uint32_t loom_report_own_channels(const struct loom_plan *plan, const struct loom_verdict *verdict,
                                  const struct loom_group_count *groups);

// A plan of several passes has little contention, and may for all that take longer than everything sent at once.
// Computes a lower bound of the cycles of the latter (planner direct, this placement, these rules): no channel
// carries more than one flit a cycle. *out is 0 if the plan takes no longer, if its cycles are not known, or if
// messages are relayed, of a set, or in a free run.
int loom_report_one_pass_cycles(uint64_t *out, const struct loom_plan *plan, struct loom_err *err);

// The facts that the reports work out from a plan.
struct loom_report_facts {
	uint64_t one_pass_cycles;  // loom_report_one_pass_cycles
	uint64_t cycles_bound;     // loom_plan_cycles_bound
	uint64_t cycles_least;     // loom_cycles_least where these are the objective; else 0
	uint64_t contention_flits; // loom_plan_contention_flits
	bool lengths_differ;       // of the messages
	unsigned one_pass_rules;   // loom_plan_one_pass
	bool is_permutation;
	uint32_t passes_least; // loom_plan_passes_least
	enum loom_proof proof;
	bool optimal; // loom_plan_is_optimal
};
int loom_report_facts_make(struct loom_report_facts *out, const struct loom_plan *plan, struct loom_err *err);

// True if the members of a plan are told: it is of a set, or its objective is that of one.
bool loom_report_has_members(const struct loom_plan *plan, const struct loom_report_facts *facts);

// The reports, of a plan whose facts are known.
int loom_report_table_with(FILE *stream, const struct loom_plan *plan, const struct loom_verdict *verdict,
                           const struct loom_report_facts *facts, bool measured, bool colour, struct loom_err *err);
int loom_report_json_with(FILE *stream, const struct loom_plan *plan, const struct loom_verdict *verdict,
                          const struct loom_report_facts *facts, bool measured,
                          const struct loom_report_request *request, struct loom_err *err);

#endif
