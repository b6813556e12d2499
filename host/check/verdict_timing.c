// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks programs: if nodes log the cycle in which each entry began, it is compared with the machine's. Without timing
// all entries are messages, and nodes that send at most one message in a pass are not checked.
#include <stdio.h>
#include <stdlib.h>

#include "base/numbers.h"
#include "check/expected.h"
#include "check/verdict_internal.h"
#include "chip/programs.h"

// The data with which all programs are checked.
struct run {
	struct loom_verdict *v;
	const struct loom_plan *plan;
	const struct loom_trace *trace;
	const struct loom_due *due;
	struct loom_programs programs;
	const struct loom_arrival **arrival; // by message; NULL: it never came
};

#define ENTRY_NAME 120

static void name_entry(char out[ENTRY_NAME], const struct run *r, uint32_t node, size_t number,
                       const struct loom_entry *entry)
{
	int n = snprintf(out, ENTRY_NAME, "entry %zu of node %u, ", number, node);
	size_t used = n > 0 ? (size_t)n : 0;
	char name[LOOM_MESSAGE_NAME];
	switch (entry->kind) {
	case LOOM_ENTRY_SEND:
		loom_verdict_name_message(name, r->plan, entry->message);
		(void)snprintf(out + used, ENTRY_NAME - used, "%s,", name);
		break;
	case LOOM_ENTRY_DELAY: (void)snprintf(out + used, ENTRY_NAME - used, "a delay of %u,", entry->value); break;
	case LOOM_ENTRY_WAIT:
		(void)snprintf(out + used, ENTRY_NAME - used, "a wait for message %u from %u,", entry->value,
		               entry->source);
		break;
	}
}

// Returns the cycle in which an entry that began in `begin` was done, or for a message 0, because its tail arrived
// later.
static uint64_t end_of(const struct run *r, const struct loom_entry *entry, uint64_t begin)
{
	if (entry->kind == LOOM_ENTRY_DELAY)
		return begin + entry->value - 1;
	if (entry->kind == LOOM_ENTRY_SEND || entry->message == SIZE_MAX || !r->arrival[entry->message])
		return 0;
	return loom_larger(begin, (uint64_t)r->arrival[entry->message]->last_cycle + 2);
}

static void add_latency(struct loom_verdict *v, const struct loom_arrival *a, uint64_t release)
{
	const uint64_t latency = a->last_cycle >= release ? a->last_cycle - release + 1 : 0;
	v->latency.n++;
	v->latency.sum += latency;
	v->latency.most = loom_larger(v->latency.most, latency);
}

// Checks the program of processor v. Returns the cycle in which its last delay or wait was done.
static uint64_t check_program(struct run *r, uint32_t v)
{
	const uint32_t node = r->plan->map[v];
	const size_t at = r->trace->first_entry[node], first = r->programs.first[v];
	uint64_t end = 0;
	for (size_t e = first; e < r->programs.first[v + 1]; e++) {
		const struct loom_entry *entry = &r->programs.entry[e];
		const uint32_t begin = r->trace->released[at + (e - first)];
		if (loom_due_is_known(r->due) && begin != r->due->trace.released[at + (e - first)]) {
			char name[ENTRY_NAME];
			name_entry(name, r, node, e - first, entry);
			loom_verdict_mismatch_of_cycles(r->v, "%s began in cycle %u instead of %u", name, begin,
			                                r->due->trace.released[at + (e - first)]);
		}
		if (r->plan->timing && entry->kind == LOOM_ENTRY_SEND && r->arrival[entry->message])
			add_latency(r->v, r->arrival[entry->message], begin);
		end = loom_larger(end, end_of(r, entry, begin));
	}
	return end;
}

static int check_shape(const struct run *r, struct loom_err *err)
{
	const struct loom_trace *t = r->trace;
	bool same = t->released && t->first_entry;
	for (uint32_t v = 0; same && v < r->plan->topo.n_nodes; v++) {
		uint32_t node = r->plan->map[v];
		same = t->first_entry[node + 1] - t->first_entry[node] ==
		       r->programs.first[v + 1] - r->programs.first[v];
	}
	return same ? 0
	            : loom_fail(err, LOOM_EINTERNAL,
	                        "the trace does not say when the entries of the plan's programs began");
}

// Finds the arrival of each message.
static int find_arrivals(struct run *r, struct loom_err *err)
{
	size_t *message = calloc(r->trace->n_arrivals + 1, sizeof *message);
	r->arrival = calloc(r->plan->n_messages + 1, sizeof *r->arrival);
	int code = message && r->arrival
	                   ? loom_verdict_arrivals(message, r->plan, r->trace, err)
	                   : loom_fail(err, LOOM_ENOMEM, "no memory to check %zu messages", r->plan->n_messages);
	for (size_t i = 0; code == 0 && i < r->trace->n_arrivals; i++)
		if (message[i] != SIZE_MAX)
			r->arrival[message[i]] = &r->trace->arrivals[i];
	free(message);
	return code;
}

int loom_verdict_check_timing(struct loom_verdict *v, uint64_t *end, const struct loom_plan *plan,
                              const struct loom_trace *trace, const struct loom_due *due, struct loom_err *err)
{
	struct run r = {.v = v, .plan = plan, .trace = trace, .due = due};
	int code = loom_programs_make(&r.programs, plan, err);
	if (code == 0)
		code = check_shape(&r, err);
	if (code == 0)
		code = find_arrivals(&r, err);
	for (uint32_t p = 0; code == 0 && p < plan->topo.n_nodes; p++)
		*end = loom_larger(*end, check_program(&r, p));
	free(r.arrival);
	loom_programs_free(&r.programs);
	return code;
}
