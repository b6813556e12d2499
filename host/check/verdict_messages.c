// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes the checks of every run, pass by pass or back to back: logged messages, and the counts of nodes.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/expected.h"
#include "check/verdict_internal.h"

#define mismatch loom_verdict_mismatch // the name that other files use
#define mismatch_of_cycles loom_verdict_mismatch_of_cycles

// Notes a difference. Differences of structure come first: a new one moves those of cycles back, and drops the last of
// them if the list is full.
static void note(struct loom_verdict *v, bool of_cycles, const char *format, va_list args)
{
	const size_t at = of_cycles ? v->n_mismatches : v->n_mismatches - v->n_mismatches_of_cycles;
	if (at < LOOM_MISMATCHES_KEPT) {
		memmove(v->mismatches[at + 1], v->mismatches[at],
		        (LOOM_MISMATCHES_KEPT - 1 - at) * sizeof v->mismatches[0]);
		(void)vsnprintf(v->mismatches[at], sizeof v->mismatches[0], format, args);
	}
	v->n_mismatches_of_cycles += of_cycles;
	v->n_mismatches++;
}

void loom_verdict_mismatch(struct loom_verdict *v, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	note(v, false, format, args);
	va_end(args);
}

void loom_verdict_mismatch_of_cycles(struct loom_verdict *v, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	note(v, true, format, args);
	va_end(args);
}

void loom_verdict_mismatch_all(struct loom_verdict *v, const struct loom_verdict *other, const char *prefix)
{
	const size_t n_first = other->n_mismatches - other->n_mismatches_of_cycles;
	for (size_t i = 0; i < other->n_mismatches; i++) {
		const char *text = i < LOOM_MISMATCHES_KEPT ? other->mismatches[i] : ""; // not kept there either
		if (i < n_first)
			loom_verdict_mismatch(v, "%s%s", prefix, text);
		else
			loom_verdict_mismatch_of_cycles(v, "%s%s", prefix, text);
	}
}

void loom_verdict_name_message(char out[LOOM_MESSAGE_NAME], const struct loom_plan *plan, size_t i)
{
	const struct loom_plan_message *m = &plan->messages[i];
	(void)snprintf(out, LOOM_MESSAGE_NAME, "message %zu (%u to %u, pass %u)", i, m->source, m->destination,
	               m->pass);
}

// Checks the cycles in which a message arrived. In a pass free of contention a formula predicts them as well, and must
// agree with the machine.
static void check_cycles(struct loom_verdict *v, const struct loom_plan *plan, const struct loom_arrival *a,
                         const struct loom_machine_times *due, size_t i, const char *name)
{
	const struct loom_plan_message *m = &plan->messages[i];
	const uint64_t formula = plan->timing || plan->cycles[m->pass] == LOOM_CYCLES_UNKNOWN
	                                 ? due->tail
	                                 : loom_plan_message_cycles(plan, m);
	if (formula != due->tail)
		mismatch_of_cycles(v, "%s is complete in cycle %llu by the formula and %llu by the machine", name,
		                   (unsigned long long)formula, (unsigned long long)due->tail);
	if (a->first_cycle != due->header)
		mismatch_of_cycles(v, "the header of %s arrived in cycle %u instead of %llu", name, a->first_cycle,
		                   (unsigned long long)due->header);
	if (a->last_cycle != due->tail)
		mismatch_of_cycles(v, "%s was complete in cycle %u instead of %llu", name, a->last_cycle,
		                   (unsigned long long)due->tail);
}

// Checks one arrival against the message it claims to be.
static void check_arrival(struct loom_verdict *v, const struct loom_plan *plan, const struct loom_trace *trace,
                          const struct loom_arrival *a, struct loom_expected *e, const struct loom_due *due)
{
	const struct loom_plan_message *m = &plan->messages[e->message];
	char name[LOOM_MESSAGE_NAME];
	loom_verdict_name_message(name, plan, e->message);
	size_t before = v->n_mismatches;
	if (e->n_arrived++)
		mismatch(v, "%s arrived %u times, again at node %u", name, e->n_arrived, a->node);
	if (a->node != e->node)
		mismatch(v, "%s arrived at node %u instead of node %u", name, a->node, e->node);
	if (a->flits != m->flits)
		mismatch(v, "%s arrived with %u flits instead of %u", name, a->flits, m->flits);
	if (!a->intact)
		mismatch(v, "%s arrived corrupted at node %u", name, a->node);
	uint32_t signature =
		loom_payload_signature(&trace->payload, loom_topo_label(&plan->topo, e->source), e->number, m->flits);
	if (a->signature != signature)
		mismatch(v, "%s arrived at node %u with signature 0x%x; that of its payload is 0x%x", name, a->node,
		         a->signature, signature);
	if (plan->free_running && a->logged_pass != ((plan->n_passes - 1) & LOOM_EXPECTED_PASS_MASK))
		mismatch(v, "%s is logged at node %u in pass %u; a free run's is its last pass, %u", name, a->node,
		         a->logged_pass, (plan->n_passes - 1) & LOOM_EXPECTED_PASS_MASK);
	if (a->rule != m->rule || a->keep_slot != m->keep_slot)
		mismatch(v, "the header of %s says rule %u and slot %u instead of %u and %u", name, a->rule,
		         a->keep_slot, m->rule, m->keep_slot);
	if (a->via != m->via)
		mismatch(v, "the header of %s names intermediate node %u instead of %u", name, a->via, m->via);
	if (loom_due_is_known(due))
		check_cycles(v, plan, a, &due->times[e->message], e->message, name);
	if (v->n_mismatches == before) {
		v->delivered_messages++;
		v->delivered_flits += a->flits;
	}
}

static void check_arrivals(struct loom_verdict *v, const struct loom_plan *plan, const struct loom_trace *trace,
                           const struct loom_due *due, struct loom_expected *expected, size_t n)
{
	for (size_t i = 0; i < trace->n_arrivals; i++) {
		const struct loom_arrival *a = &trace->arrivals[i];
		struct loom_expected *e = loom_expected_find(expected, n, a);
		if (e)
			check_arrival(v, plan, trace, a, e, due);
		else
			mismatch(v,
			         "node %u received, in pass %u, message %u of node %u for node %u, which the plan does "
			         "not have",
			         a->node, a->pass, a->number, a->source, a->destination);
	}
	for (size_t i = 0; i < n; i++) {
		char name[LOOM_MESSAGE_NAME];
		loom_verdict_name_message(name, plan, expected[i].message);
		if (expected[i].n_arrived == 0)
			mismatch(v, "%s never arrived", name);
	}
}

int loom_verdict_check_messages(struct loom_verdict *v, const struct loom_plan *plan, const struct loom_trace *trace,
                                const struct loom_due *due, struct loom_err *err)
{
	size_t n = 0;
	int code = 0;
	struct loom_expected *expected = NULL;
	uint32_t *to_send = calloc(plan->topo.n_nodes, sizeof *to_send);
	if (!to_send) {
		code = loom_fail(err, LOOM_ENOMEM, "no memory to check %zu messages", plan->n_messages);
		goto out;
	}
	if ((code = loom_expected_make(&expected, &n, plan, err)) != 0)
		goto out;
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		if (loom_plan_uses_network(plan, m)) {
			to_send[plan->map[m->source]]++;
		} else {
			v->delivered_messages++;
			v->delivered_flits += m->flits;
		}
	}
	for (uint32_t node = 0; node < plan->topo.n_nodes; node++)
		if (trace->sent[node] != to_send[node])
			mismatch(v, "node %u sent %u messages instead of %u", node, trace->sent[node], to_send[node]);
	if (loom_due_is_known(due))
		loom_expected_order(expected, n, due->times);
	check_arrivals(v, plan, trace, due, expected, n);
out:
	free(to_send);
	free(expected);
	return code;
}

void loom_verdict_check_nodes(struct loom_verdict *v, const struct loom_plan *plan, const struct loom_trace *trace)
{
	const struct loom_topo *t = &plan->topo;
	for (uint32_t node = 0; node < trace->n_nodes; node++) {
		if (!trace->corrupt[node])
			continue;
		char name[48];
		loom_topo_channel_name(t, node * loom_topo_channels_per_tile(t) + t->ports - 1, name); // ejection
		v->corrupt_flits += trace->corrupt[node];
		mismatch(v, "channel %s delivered %u corrupted flits", name, trace->corrupt[node]);
	}
}

void loom_verdict_last_tails(uint64_t *last, const struct loom_trace *trace)
{
	for (size_t i = 0; i < trace->n_arrivals; i++) {
		const struct loom_arrival *a = &trace->arrivals[i];
		if (a->pass < trace->n_passes && a->last_cycle > last[a->pass])
			last[a->pass] = a->last_cycle;
	}
}
