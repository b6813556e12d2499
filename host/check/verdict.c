// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <flitloom/verdict.h>

#include <stdlib.h>

#include "check/expected.h"
#include "check/verdict_internal.h"
#include "plan/back_to_back_internal.h"

#define mismatch loom_verdict_mismatch // its name outside

static int in_order(const void *a, const void *b)
{
	const struct loom_expected *x = a, *y = b;
	return (x->message > y->message) - (x->message < y->message);
}

int loom_verdict_missing(size_t *out, size_t max, size_t *n_out, const struct loom_plan *plan,
                         const struct loom_trace *trace, uint32_t last_pass, struct loom_err *err)
{
	size_t n = 0, found = 0;
	struct loom_expected *expected;
	int code = loom_expected_make(&expected, &n, plan, err);
	if (code)
		return code;
	for (size_t i = 0; i < trace->n_arrivals; i++) {
		struct loom_expected *e = loom_expected_find(expected, n, &trace->arrivals[i]);
		if (e)
			e->n_arrived++;
	}
	qsort(expected, n, sizeof *expected, in_order);
	for (size_t i = 0; i < n; i++)
		if (expected[i].n_arrived == 0 && plan->messages[expected[i].message].pass <= last_pass &&
		    found++ < max)
			out[found - 1] = expected[i].message;
	free(expected);
	*n_out = found;
	return 0;
}

int loom_verdict_arrivals(size_t *out, const struct loom_plan *plan, const struct loom_trace *trace,
                          struct loom_err *err)
{
	struct loom_expected *expected = NULL;
	size_t n = 0;
	int code = loom_expected_make(&expected, &n, plan, err);
	for (size_t i = 0; code == 0 && i < trace->n_arrivals; i++) {
		const struct loom_expected *e = loom_expected_find(expected, n, &trace->arrivals[i]);
		out[i] = e ? e->message : SIZE_MAX;
	}
	free(expected);
	return code;
}

// The cycles for which headers can have waited for a channel. A header that waits belongs to a message that is to cross
// the channel, and later it arrives somewhere: so the pass has no more such cycles than up to the last of these
// arrivals.
struct use {
	uint32_t n_arrived; // messages over the channel that have arrived
	uint32_t last_header;
};

// Finds the use of every channel in every pass; malloc'ed.
static int uses_of(struct use **out, const struct loom_plan *plan, const struct loom_trace *trace, struct loom_err *err)
{
	struct loom_expected *expected = NULL;
	size_t n = 0;
	struct use *uses = calloc((size_t)plan->n_passes * trace->n_channels, sizeof *uses);
	int code = uses ? loom_expected_make(&expected, &n, plan, err)
	                : loom_fail(err, LOOM_ENOMEM, "no memory to check %u channels", trace->n_channels);
	if (code) {
		free(uses);
		return code;
	}
	for (size_t i = 0; i < trace->n_arrivals; i++) {
		const struct loom_arrival *a = &trace->arrivals[i];
		const struct loom_expected *e = loom_expected_find(expected, n, a);
		struct loom_route route;
		uint32_t channel;
		if (!e)
			continue;
		const struct loom_plan_message *m = &plan->messages[e->message];
		for (loom_plan_route_begin(&route, plan, e->message); loom_route_next(&route, &channel);) {
			struct use *use = &uses[(size_t)m->pass * trace->n_channels + channel];
			use->n_arrived++;
			if (a->first_cycle > use->last_header)
				use->last_header = a->first_cycle;
		}
	}
	free(expected);
	*out = uses;
	return 0;
}

static int check_channels(struct loom_verdict *v, const struct loom_plan *plan, const struct loom_trace *trace,
                          struct loom_err *err)
{
	const struct loom_topo *t = &plan->topo;
	uint32_t n_channels = trace->n_channels;
	uint64_t *flits = NULL;
	struct use *uses = NULL;
	int code = loom_plan_flits(&flits, plan, err);
	if (code == 0)
		code = uses_of(&uses, plan, trace, err);
	if (code) {
		free(flits);
		return code;
	}
	for (uint32_t pass = 0; pass < plan->n_passes; pass++) {
		for (uint32_t c = 0; c < n_channels; c++) {
			size_t at = (size_t)pass * n_channels + c;
			const struct loom_count *count = &trace->counts[at];
			unsigned g = loom_topo_group_of(t, c);
			uint32_t theory = plan->n_theory ? plan->theory[(size_t)pass * v->n_groups + g] : UINT32_MAX;
			char name[48];
			loom_topo_channel_name(t, c, name);
			v->blocked_cycles += count->blocked_cycles;
			if (count->worms != plan->load[at])
				mismatch(v, "channel %s carried %u messages in pass %u instead of %u", name,
				         count->worms, pass, plan->load[at]);
			if (count->flits != flits[at])
				mismatch(v, "channel %s carried %u flits in pass %u instead of %llu", name,
				         count->flits, pass, (unsigned long long)flits[at]);
			if (theory != UINT32_MAX && count->worms != 0 && count->worms != theory)
				mismatch(v, "channel %s carried %u messages in pass %u; the theorem says %u for %s",
				         name, count->worms, pass, theory, v->measured[g].name);
			if (plan->cycles[pass] != LOOM_CYCLES_UNKNOWN && count->blocked_cycles != 0)
				mismatch(v,
				         "a header waited %u cycles for channel %s in pass %u, which is free of "
				         "contention",
				         count->blocked_cycles, name, pass);
			else if (!plan->free_running && count->blocked_cycles != 0 && plan->load[at] < 2)
				mismatch(v,
				         "a header waited %u cycles for channel %s in pass %u, which nobody else uses",
				         count->blocked_cycles, name, pass);
			else if (!plan->free_running && uses[at].n_arrived == plan->load[at] &&
			         count->blocked_cycles > uses[at].last_header)
				mismatch(v,
				         "headers waited %u cycles for channel %s in pass %u; the last header over it "
				         "arrived in cycle %u",
				         count->blocked_cycles, name, pass, uses[at].last_header);
			if (count->worms > v->measured[g].max)
				v->measured[g].max = count->worms;
			v->measured[g].sum += count->worms;
			if (!loom_topo_is_local(t, c) && count->worms > v->measured_contention)
				v->measured_contention = count->worms;
		}
	}
	free(flits);
	free(uses);
	return 0;
}

int loom_verdict_predict(struct loom_verdict *out, const struct loom_plan *plan, struct loom_err *err)
{
	const struct loom_topo *t = &plan->topo;
	uint32_t n_channels = loom_topo_channels(t);
	struct loom_verdict verdict = {0}, *v = &verdict;
	v->n_groups = loom_topo_groups(t);
	v->predicted = calloc(v->n_groups, sizeof *v->predicted);
	v->measured = calloc(v->n_groups, sizeof *v->measured);
	if (!v->predicted || !v->measured) {
		loom_verdict_free(v);
		return loom_fail(err, LOOM_ENOMEM, "no memory for a verdict");
	}
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
	v->predicted_cycles = loom_plan_cycles(plan);
	if (loom_back_to_back_possible(plan))
		v->predicted_back_to_back_cycles = loom_back_to_back_cycles(plan->cycles, plan->n_passes);
	v->nodes = plan->topo.n_nodes;
	v->messages = plan->n_messages;
	for (size_t i = 0; i < plan->n_messages; i++)
		v->flits += plan->messages[i].flits;
	int code = loom_verdict_predict_moves(v, plan, err);
	if (code)
		loom_verdict_free(v);
	else
		*out = verdict;
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
	int code = loom_verdict_predict(v, plan, err);
	if (code)
		return code;
	uint64_t *last = calloc(plan->n_passes, sizeof *last), end = 0;
	if (!last)
		code = loom_fail(err, LOOM_ENOMEM, "no memory for a verdict");
	if (code == 0)
		code = loom_verdict_check_messages(v, plan, trace, err);
	if (code == 0)
		code = check_channels(v, plan, trace, err);
	if (code == 0)
		loom_verdict_check_nodes(v, plan, trace);
	if (code == 0 && plan->timing)
		code = loom_verdict_check_timing(v, &end, plan, trace, err);
	if (code == 0 && trace->back_to_back && loom_back_to_back_possible(plan))
		code = loom_verdict_check_back_to_back(v, plan, trace, err);
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
