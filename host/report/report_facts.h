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

// Facts of a report beyond plan and verdict, which table and JSON both show.

// Returns the largest number of messages on one of the nodes' own channels (inject, eject) in one pass, which does
// not count as contention.
uint32_t loom_report_own_channels(const struct loom_plan *plan, const struct loom_verdict *verdict,
                                  const struct loom_group_count *groups);

// Computes a lower bound of the cycles of a run that sends everything in one pass (planner direct, this placement,
// these rules): no channel carries more than one flit a cycle. A plan of several passes has little contention, and
// may take longer than that all the same. *out is 0 if the plan takes no longer, if its cycles are not known, if
// messages are relayed or belong to a set, and in a free run.
int loom_report_one_pass_cycles(uint64_t *out, const struct loom_plan *plan, struct loom_err *err);

// The facts that the reports compute from a plan.
struct loom_report_facts {
	uint64_t one_pass_cycles;  // loom_report_one_pass_cycles
	uint64_t cycles_bound;     // loom_plan_cycles_bound
	uint64_t cycles_least;     // loom_cycles_least, if cycles are the objective; else 0
	uint64_t contention_flits; // loom_plan_contention_flits
	bool lengths_differ;       // messages differ in length
	unsigned one_pass_rules;   // loom_plan_one_pass
	bool is_permutation;
	uint32_t passes_least; // loom_plan_passes_least
	enum loom_proof proof;
	bool optimal; // loom_plan_is_optimal
};
int loom_report_facts_make(struct loom_report_facts *out, const struct loom_plan *plan, struct loom_err *err);

// True if a report shows the members of a plan: it is of a set, or its objective is one of sets.
bool loom_report_has_members(const struct loom_plan *plan, const struct loom_report_facts *facts);

// Write the reports of a plan whose facts are known.
int loom_report_table_with(FILE *stream, const struct loom_plan *plan, const struct loom_verdict *verdict,
                           const struct loom_report_facts *facts, bool measured, bool colour, struct loom_err *err);
int loom_report_json_with(FILE *stream, const struct loom_plan *plan, const struct loom_verdict *verdict,
                          const struct loom_report_facts *facts, bool measured,
                          const struct loom_report_request *request, struct loom_err *err);

#endif
