// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares the run of all passes from one start with the passes that were started one by one.
#include <stdlib.h>

#include "check/verdict_internal.h"
#include "plan/back_to_back_internal.h"

// Compares the logs of two runs of the same passes. The barriers make them equal: each node has the same messages in
// the same order, each in the same cycles of its pass.
static void compare_arrivals(struct loom_verdict *v, const struct loom_trace *trace, const struct loom_trace *first)
{
	for (size_t i = 0; i < trace->n_arrivals && i < first->n_arrivals; i++) {
		const struct loom_arrival *a = &trace->arrivals[i], *b = &first->arrivals[i];
		const bool same =
			a->node == b->node && a->source == b->source && a->number == b->number && a->pass == b->pass;
		if (!same)
			loom_verdict_mismatch(
				v,
				"node %u received message %u of node %u in pass %u; pass by pass it was message %u of "
				"node %u in pass %u, at node %u",
				a->node, a->number, a->source, a->pass, b->number, b->source, b->pass, b->node);
		else if (a->first_cycle != b->first_cycle || a->last_cycle != b->last_cycle)
			loom_verdict_mismatch_of_cycles(
				v,
				"node %u received message %u of node %u in pass %u, cycles %u to %u; pass by pass it "
				"was in cycles %u to %u",
				a->node, a->number, a->source, a->pass, a->first_cycle, a->last_cycle, b->first_cycle,
				b->last_cycle);
	}
}

static void compare_counts(struct loom_verdict *v, const struct loom_plan *plan, const struct loom_count *counts,
                           const struct loom_count *first)
{
	const struct loom_topo *t = &plan->topo;
	for (uint32_t c = 0; c < loom_topo_channels(t); c++) {
		char name[48];
		loom_topo_channel_name(t, c, name);
		if (counts[c].worms != first[c].worms || counts[c].flits != first[c].flits)
			loom_verdict_mismatch(
				v,
				"channel %s carried %u messages and %u flits in the last pass; pass by pass it was %u "
				"and %u",
				name, counts[c].worms, counts[c].flits, first[c].worms, first[c].flits);
		if (counts[c].blocked_cycles != first[c].blocked_cycles)
			loom_verdict_mismatch_of_cycles(
				v, "headers waited %u cycles for channel %s in the last pass; pass by pass it was %u",
				counts[c].blocked_cycles, name, first[c].blocked_cycles);
	}
}

int loom_verdict_check_back_to_back(struct loom_verdict *v, const struct loom_plan *plan,
                                    const struct loom_trace *first, const struct loom_due *due, struct loom_err *err)
{
	const struct loom_trace *trace = first->back_to_back;
	struct loom_verdict again = {0}; // of this run alone, so that each of its differences can say so
	uint64_t *last = calloc(plan->n_passes, sizeof *last);
	if (!last)
		return loom_fail(err, LOOM_ENOMEM, "no memory for a verdict");
	int code = loom_verdict_check_messages(&again, plan, trace, due, err);
	if (code == 0) {
		loom_verdict_check_nodes(&again, plan, trace);
		if (again.n_mismatches == 0)
			compare_arrivals(&again, trace, first);
		compare_counts(&again, plan, trace->counts,
		               first->counts + (size_t)(plan->n_passes - 1) * trace->n_channels);
		loom_verdict_last_tails(last, trace);
		uint64_t expected = loom_back_to_back_cycles(last, plan->n_passes);
		v->measured_back_to_back_cycles = trace->began + last[plan->n_passes - 1];
		if (v->measured_back_to_back_cycles != expected)
			loom_verdict_mismatch_of_cycles(
				&again,
				"the last tail arrived in cycle %llu of the run; its passes and barriers take %llu",
				(unsigned long long)v->measured_back_to_back_cycles, (unsigned long long)expected);
	}
	loom_verdict_mismatch_all(v, &again, "back to back: ");
	free(last);
	return code;
}
