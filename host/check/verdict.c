// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <flitloom/verdict.h>

#include <stdlib.h>

#include "check/light_loss.h"
#include "check/verdict_internal.h"
#include "plan/back_to_back_internal.h"
#include "plan/circuit_slots.h"

#define mismatch loom_verdict_mismatch // the name that other files use
#define mismatch_of_cycles loom_verdict_mismatch_of_cycles

// Checks the cycles in which headers waited for a channel. For a free run it checks their sum over all passes, because
// chips count such a cycle in the pass whose messages the channel carried last.
static void check_blocked(struct loom_verdict *v, const struct loom_plan *plan, const struct loom_trace *trace,
                          const struct loom_due *due, uint32_t pass, uint32_t c)
{
	char name[48];
	if (!loom_due_is_known(due) || (plan->free_running && pass != 0))
		return;
	const uint64_t waited = loom_trace_blocked(trace, plan, pass, c);
	const uint64_t of = loom_trace_blocked(&due->trace, plan, pass, c);
	if (waited == of)
		return;
	loom_topo_channel_name(&plan->topo, c, name);
	if (plan->free_running)
		mismatch_of_cycles(v, "headers waited %llu cycles for channel %s instead of %llu",
		                   (unsigned long long)waited, name, (unsigned long long)of);
	else
		mismatch_of_cycles(v, "headers waited %llu cycles for channel %s in pass %u instead of %llu",
		                   (unsigned long long)waited, name, pass, (unsigned long long)of);
}

// Checks loads that routers choose. Only the machine can predict them; the plan knows only the least and the largest
// load of a channel.
static void check_chosen(struct loom_verdict *v, const struct loom_plan *plan, const struct loom_trace *trace,
                         const struct loom_due *due, uint32_t pass, uint32_t c)
{
	const size_t at = (size_t)pass * trace->n_channels + c;
	const struct loom_count *count = &trace->counts[at], *of = &due->trace.counts[at];
	char name[48];
	loom_topo_channel_name(&plan->topo, c, name);
	if (count->worms < plan->load[at] || count->worms > plan->most[at])
		mismatch(v, "channel %s carried %u messages in pass %u; by the rule %u to %u can", name, count->worms,
		         pass, plan->load[at], plan->most[at]);
	if (!loom_due_is_known(due))
		return;
	if (count->worms != of->worms)
		mismatch(v, "channel %s carried %u messages in pass %u instead of %u", name, count->worms, pass,
		         of->worms);
	if (count->flits != of->flits)
		mismatch(v, "channel %s carried %u flits in pass %u instead of %u", name, count->flits, pass,
		         of->flits);
}

static int check_channels(struct loom_verdict *v, const struct loom_plan *plan, const struct loom_trace *trace,
                          const struct loom_due *due, struct loom_err *err)
{
	const struct loom_topo *t = &plan->topo;
	uint32_t n_channels = trace->n_channels;
	uint64_t *flits = NULL;
	int code = loom_plan_flits(&flits, plan, err);
	if (code)
		return code;
	for (uint32_t pass = 0; pass < plan->n_passes; pass++) {
		for (uint32_t c = 0; c < n_channels; c++) {
			size_t at = (size_t)pass * n_channels + c;
			const struct loom_count *count = &trace->counts[at];
			unsigned g = loom_topo_group_of(t, c);
			uint32_t theory = plan->n_theory ? plan->theory[(size_t)pass * v->n_groups + g] : UINT32_MAX;
			char name[48];
			loom_topo_channel_name(t, c, name);
			v->blocked_cycles += count->blocked_cycles;
			if (plan->most)
				check_chosen(v, plan, trace, due, pass, c);
			else if (count->worms != plan->load[at])
				mismatch(v, "channel %s carried %u messages in pass %u instead of %u", name,
				         count->worms, pass, plan->load[at]);
			if (!plan->most && count->flits != flits[at])
				mismatch(v, "channel %s carried %u flits in pass %u instead of %llu", name,
				         count->flits, pass, (unsigned long long)flits[at]);
			if (theory != UINT32_MAX && count->worms != 0 && count->worms != theory)
				mismatch(v, "channel %s carried %u messages in pass %u; the theorem says %u for %s",
				         name, count->worms, pass, theory, v->measured[g].name);
			check_blocked(v, plan, trace, due, pass, c);
			if (count->worms > v->measured[g].max)
				v->measured[g].max = count->worms;
			v->measured[g].sum += count->worms;
			if (!loom_topo_is_local(t, c) && count->worms > v->measured_contention)
				v->measured_contention = count->worms;
		}
	}
	free(flits);
	return 0;
}

static void check_losses(struct loom_verdict *v, const struct loom_plan *plan, const struct loom_trace *trace)
{
	for (uint32_t on = 0; on < trace->n_switches; on++) {
		char text[LOOM_LIGHT_LOSS_TEXT];
		if (trace->lost[on].flits == 0)
			continue;
		loom_light_loss_tell(text, &plan->topo, on, &trace->lost[on]);
		mismatch(v, "%s", text);
	}
}

// Begins a verdict: the groups of channels, and the plan's predictions for them and for messages.
static int begin(struct loom_verdict *v, const struct loom_plan *plan, struct loom_err *err)
{
	const struct loom_topo *t = &plan->topo;
	uint32_t n_channels = loom_topo_channels(t);
	*v = (struct loom_verdict){.n_groups = loom_topo_groups(t)};
	v->predicted = calloc(v->n_groups, sizeof *v->predicted);
	v->measured = calloc(v->n_groups, sizeof *v->measured);
	if (!v->predicted || !v->measured)
		return loom_fail(err, LOOM_ENOMEM, "no memory for a verdict");
	for (unsigned g = 0; g < v->n_groups; g++) {
		loom_topo_group_name(t, g, v->predicted[g].name);
		loom_topo_group_name(t, g, v->measured[g].name);
	}
	for (uint32_t pass = 0; pass < plan->n_passes; pass++) {
		for (uint32_t c = 0; c < n_channels; c++) {
			uint32_t load = plan->load[(size_t)pass * n_channels + c];
			struct loom_group_count *g = &v->predicted[loom_topo_group_of(t, c)];
			g->sum += load;
			if (load > g->max)
				g->max = load;
		}
	}
	v->predicted_contention = loom_plan_contention(plan);
	v->nodes = plan->topo.n_nodes;
	v->messages = plan->n_messages;
	for (size_t i = 0; i < plan->n_messages; i++)
		v->flits += plan->messages[i].flits;
	return loom_verdict_predict_moves(v, plan, err);
}

// Fills in the loads that the machine predicts, if routers choose.
static void predict_loads(struct loom_verdict *v, const struct loom_plan *plan, const struct loom_due *due)
{
	const uint32_t n_channels = loom_topo_channels(&plan->topo);
	if (!plan->most || !loom_due_is_known(due))
		return;
	for (unsigned g = 0; g < v->n_groups; g++) {
		v->predicted[g].max = 0;
		v->predicted[g].sum = 0;
	}
	v->predicted_contention = 0;
	for (size_t at = 0; at < (size_t)plan->n_passes * n_channels; at++) {
		const uint32_t c = (uint32_t)(at % n_channels), load = due->trace.counts[at].worms;
		struct loom_group_count *g = &v->predicted[loom_topo_group_of(&plan->topo, c)];
		g->sum += load;
		g->max = load > g->max ? load : g->max;
		if (!loom_topo_is_local(&plan->topo, c) && load > v->predicted_contention)
			v->predicted_contention = load;
	}
}

// Fills in the cycles that the machine predicts.
static void predict_cycles(struct loom_verdict *v, const struct loom_plan *plan, const struct loom_due *due)
{
	const bool known = loom_due_is_known(due);
	v->predicted_cycles = known ? due->cycles : LOOM_CYCLES_UNKNOWN;
	v->predicted_blocked_cycles = known ? due->blocked_cycles : LOOM_CYCLES_UNKNOWN;
	if (loom_back_to_back_possible(plan))
		v->predicted_back_to_back_cycles =
			known ? loom_back_to_back_cycles(due->last, plan->n_passes) : LOOM_CYCLES_UNKNOWN;
	for (uint32_t pass = 0; pass < v->n_steps; pass++)
		v->predicted_steps[pass].cycles = known ? due->last[pass] : LOOM_CYCLES_UNKNOWN;
}

int loom_verdict_predict(struct loom_verdict *out, const struct loom_plan *plan, enum loom_machine machine,
                         struct loom_err *err)
{
	struct loom_verdict v = {0};
	struct loom_due due = {0};
	int code = begin(&v, plan, err);
	if (code == 0)
		code = loom_plan_check_machine(plan, machine, err);
	if (code == 0)
		code = loom_due_predict(&due, plan, machine, err);
	if (code == 0) {
		predict_loads(&v, plan, &due);
		predict_cycles(&v, plan, &due);
		*out = v;
	} else {
		loom_verdict_free(&v);
	}
	loom_due_free(&due);
	return code;
}

static bool same_shape(const struct loom_trace *trace, const struct loom_plan *plan)
{
	return trace->n_nodes == plan->topo.n_nodes && trace->n_channels == loom_topo_channels(&plan->topo) &&
	       trace->n_passes == plan->n_passes;
}

int loom_verdict_make(struct loom_verdict *out, const struct loom_plan *plan, const struct loom_trace *trace,
                      struct loom_err *err)
{
	if (!same_shape(trace, plan) || (trace->back_to_back && !same_shape(trace->back_to_back, plan)))
		return loom_fail(err, LOOM_EINTERNAL,
		                 "the trace has %u nodes, %u channels, %u passes; the plan %u, %u, %u", trace->n_nodes,
		                 trace->n_channels, trace->n_passes, plan->topo.n_nodes,
		                 loom_topo_channels(&plan->topo), plan->n_passes);
	struct loom_verdict verdict, *v = &verdict;
	struct loom_due due = {0};
	uint64_t *last = calloc(plan->n_passes, sizeof *last), end = 0;
	int code = begin(v, plan, err);
	if (code == 0 && !last)
		code = loom_fail(err, LOOM_ENOMEM, "no memory for a verdict");
	if (code == 0)
		code = loom_due_make(&due, plan, trace->machine, err);
	if (code == 0) {
		predict_loads(v, plan, &due);
		predict_cycles(v, plan, &due);
		if (!loom_due_is_known(&due))
			mismatch(v, "the run came to its end; by the machine it is %.150s", due.stuck.text);
		check_losses(v, plan, trace);
		code = loom_verdict_check_messages(v, plan, trace, &due, err);
	}
	if (code == 0)
		code = check_channels(v, plan, trace, &due, err);
	if (code == 0)
		loom_verdict_check_nodes(v, plan, trace);
	if (code == 0 && (plan->timing || (trace->released && due.trace.released)))
		code = loom_verdict_check_timing(v, &end, plan, trace, &due, err);
	if (code == 0 && trace->back_to_back && loom_back_to_back_possible(plan))
		code = loom_verdict_check_back_to_back(v, plan, trace, &due, err);
	loom_due_free(&due);
	if (code) {
		free(last);
		loom_verdict_free(v);
		return code;
	}
	loom_verdict_last_tails(last, trace);
	last[0] = end > last[0] ? end : last[0];
	for (uint32_t pass = 0; pass < plan->n_passes; pass++)
		if (!plan->free_running)
			v->measured_cycles += last[pass];
		else if (last[pass] > v->measured_cycles) // counted from the start of the run
			v->measured_cycles = last[pass];
	loom_verdict_count_moves(v, plan, trace, last);
	free(last);
	*out = verdict;
	return 0;
}

void loom_verdict_free(struct loom_verdict *verdict)
{
	if (!verdict)
		return;
	free(verdict->predicted);
	free(verdict->measured);
	free(verdict->predicted_steps);
	free(verdict->measured_steps);
	*verdict = (struct loom_verdict){0};
}
