// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Reports on a plan without a list of messages. Only the fields that table and JSON read are filled in.
#include <flitloom/report.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/back_to_back_internal.h"
#include "report/report_facts.h"

struct shown {
	struct loom_report_facts facts;
	struct loom_plan plan;
	struct loom_verdict verdict;
};

static uint64_t sum(const uint64_t *cycles, uint32_t n)
{
	uint64_t all = 0;
	for (uint32_t r = 0; r < n; r++) {
		if (cycles[r] == LOOM_CYCLES_UNKNOWN)
			return LOOM_CYCLES_UNKNOWN;
		all += cycles[r];
	}
	return all;
}

// Makes a cube of any size, with its groups of channels only. It has no nodes.
static int make_topo(struct loom_topo *out, const struct loom_formula *f, struct loom_err *err)
{
	char small[8];
	(void)snprintf(small, sizeof small, "%.*s:1", (int)strcspn(f->fabric, ":"), f->fabric);
	int rc = loom_topo_parse(out, small, err);
	out->n_nodes = out->n_tiles = 0;
	out->ports = f->n + 1;
	(void)snprintf(out->name, sizeof out->name, "%s", f->fabric);
	return rc;
}

static int show(struct shown *out, const struct loom_formula *f, struct loom_err *err)
{
	struct loom_plan *p = &out->plan;
	struct loom_verdict *v = &out->verdict;
	const uint64_t cycles = sum(f->cycles, f->n_members);
	*p = (struct loom_plan){.n_passes = f->n_members,
	                        .n_order = f->n,
	                        .lower_bound = f->lower_bound,
	                        .bound = LOOM_BOUND_ORDERS,
	                        .passes_bound = f->passes_bound,
	                        .objective_value = f->objective_value,
	                        .n_members = f->n_members,
	                        .member_contention = f->member_contention};
	memcpy(p->order, f->order, sizeof p->order);
	memcpy(p->pattern, f->pattern, sizeof p->pattern);
	memcpy(p->planner, f->planner, sizeof p->planner);
	memcpy(p->objective, f->objective, sizeof p->objective);
	*v = (struct loom_verdict){.n_groups = f->n + 2,
	                           .predicted = calloc(f->n + 2, sizeof *v->predicted),
	                           .predicted_contention = f->contention,
	                           .predicted_cycles = cycles,
	                           .predicted_blocked_cycles = cycles == LOOM_CYCLES_UNKNOWN ? cycles : 0,
	                           .nodes = UINT64_C(1) << f->n,
	                           .messages = f->messages,
	                           .flits = f->flits};
	// Each member is one pass. If no message waits, no pass can be saved, and each takes the cycles of its
	// farthest message.
	bool known = v->predicted_cycles != LOOM_CYCLES_UNKNOWN;
	out->facts = (struct loom_report_facts){.cycles_bound = known ? v->predicted_cycles : 0,
	                                        .contention_flits =
	                                                f->messages ? f->contention * (f->flits / f->messages) : 0,
	                                        .one_pass_rules = f->one_pass_rules,
	                                        .is_permutation = f->is_permutation,
	                                        .passes_least = f->passes_bound,
	                                        .proof = f->passes_bound ? LOOM_PROOF_LOAD : LOOM_PROOF_NONE,
	                                        .optimal = known};
	if (!v->predicted)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for a report");
	int rc = make_topo(&p->topo, f, err);
	for (unsigned g = 0; rc == 0 && g < v->n_groups; g++) {
		v->predicted[g] = (struct loom_group_count){.max = f->group[g].max, .sum = f->group[g].sum};
		loom_topo_group_name(&p->topo, g, v->predicted[g].name);
	}
	if (rc == 0 && loom_back_to_back_possible(p))
		v->predicted_back_to_back_cycles = loom_back_to_back_cycles(f->cycles, f->n_members);
	return rc;
}

int loom_report_formula_table(FILE *stream, const struct loom_formula *formula, bool colour, struct loom_err *err)
{
	struct shown shown;
	int rc = show(&shown, formula, err);
	if (rc == 0)
		rc = loom_report_table_with(stream, &shown.plan, &shown.verdict, &shown.facts, 0, colour, err);
	free(shown.verdict.predicted);
	return rc;
}

int loom_report_formula_json(FILE *stream, const struct loom_formula *formula,
                             const struct loom_report_request *request, struct loom_err *err)
{
	struct shown shown;
	int rc = show(&shown, formula, err);
	if (rc == 0)
		rc = loom_report_json_with(stream, &shown.plan, &shown.verdict, &shown.facts, 0, request, err);
	free(shown.verdict.predicted);
	return rc;
}
