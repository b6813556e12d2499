// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs of programs that wait. The nodes log in which cycle each entry began, and when messages arrived. From an entry's begin
// and the arrivals follows when it was done, of a delay and a wait exactly, of a message within bounds (offered.h says which): its
// tail left no earlier than its flits take, and no later than it had to for arriving when it did. The next entry begins in the
// cycle after, or when its own cycle comes.
#include <stdio.h>
#include <stdlib.h>

#include "check/offered.h"
#include "check/verdict_internal.h"
#include "chip/programs.h"
#include "plan/light.h"

#define mismatch loom_verdict_mismatch
#define NEVER UINT64_MAX

// The data with which all programs are checked.
struct run {
	struct loom_verdict *v;
	const struct loom_plan *plan;
	const struct loom_trace *trace;
	struct loom_programs programs;
	struct loom_fate *fates;
	bool *alone; // of each message: no other one uses its channels, the injection channel left out
	uint64_t limit, end;
};

// The place that a walk through a program has reached.
struct walk {
	uint32_t node;
	size_t first; // its first entry
	uint64_t earliest,
		latest; // cycle in which its next entry can begin, but for its AT; NEVER: as late as it likes
	const struct loom_entry *before;
	uint64_t unclear; // until this cycle messages of the node that can have met others may be in its way
	uint64_t left;    // cycle in which the tail of the last other message of the node left it
};

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static bool arrived_once(const struct run *r, size_t i)
{
	const struct loom_plan_message *m = &r->plan->messages[i];
	const struct loom_fate *f = &r->fates[i];
	return f->arrival && f->n_arrived == 1 && f->arrival->flits == m->flits &&
	       f->arrival->node == r->plan->map[m->destination];
}

// --- Messages ------------------------------------------------------------------------------------------------------

static void find_alone(struct run *r)
{
	for (size_t i = 0; i < r->plan->n_messages; i++) {
		struct loom_route route;
		uint32_t channel;
		r->alone[i] = true;
		loom_plan_route_begin(&route, r->plan, i);
		if (!loom_route_next(&route, &channel)) // injection
			continue;
		while (loom_route_next(&route, &channel))
			r->alone[i] = r->alone[i] && r->plan->load[channel] == 1;
	}
}

// Checks an arrival. With machine paper a header waits until the tail of the message before it, of the same node, has
// gone on.
static void check_arrival(struct run *r, struct walk *w, size_t i, uint64_t release)
{
	const struct loom_plan *plan = r->plan;
	const struct loom_plan_message *m = &plan->messages[i];
	const struct loom_arrival *a = r->fates[i].arrival;
	const struct loom_light light = loom_plan_light(plan, i);
	char name[LOOM_MESSAGE_NAME];
	loom_verdict_name_message(name, plan, i);
	if (!arrived_once(r, i)) {
		w->unclear = NEVER;
		return;
	}
	uint64_t tail = release - 1 + loom_plan_message_cycles(plan, m);
	uint64_t header = tail - loom_light_length(&light, m->flits, UINT32_MAX);
	bool is_free = r->alone[i] && release > w->unclear;
	uint64_t slack = is_free && w->left + 1 == release ? 1 : 0;
	if (a->first_cycle < header)
		mismatch(r->v,
		         "the header of %s arrived in cycle %u; released in cycle %llu it cannot before cycle %llu",
		         name, a->first_cycle, (unsigned long long)release, (unsigned long long)header);
	else if (is_free && a->first_cycle > header + slack)
		mismatch(r->v,
		         "the header of %s, which meets no other message, arrived in cycle %u; released in cycle %llu "
		         "it does "
		         "in cycle %llu",
		         name, a->first_cycle, (unsigned long long)release, (unsigned long long)header);
	uint64_t least = larger(tail, (uint64_t)a->first_cycle + m->flits - 1);
	if (a->last_cycle < least)
		mismatch(r->v,
		         "%s was complete in cycle %u; released in cycle %llu, its header here in cycle %u, it cannot "
		         "before "
		         "cycle %llu",
		         name, a->last_cycle, (unsigned long long)release, a->first_cycle, (unsigned long long)least);
	else if (is_free && a->last_cycle > tail + slack)
		mismatch(r->v,
		         "%s, which meets no other message, was complete in cycle %u; released in cycle %llu it is in "
		         "cycle "
		         "%llu",
		         name, a->last_cycle, (unsigned long long)release, (unsigned long long)tail);
	else if (a->last_cycle > r->limit)
		mismatch(r->v, "%s was complete in cycle %u; no run of the plan takes more than %llu", name,
		         a->last_cycle, (unsigned long long)r->limit);
	if (!is_free || light.hops > 0) // flits that wait for light are longer in the way
		w->unclear = larger(w->unclear, a->last_cycle);
	uint64_t latency = a->last_cycle >= release ? a->last_cycle - release + 1 : 0;
	r->v->latency.n++;
	r->v->latency.sum += latency;
	r->v->latency.most = larger(r->v->latency.most, latency);
}

// --- Programs ------------------------------------------------------------------------------------------------------

#define ENTRY_NAME 120

static void name_entry(char out[ENTRY_NAME], const struct run *r, const struct walk *w, size_t e)
{
	const struct loom_entry *entry = &r->programs.entry[e];
	int n = snprintf(out, ENTRY_NAME, "entry %zu of node %u, ", e - w->first, w->node);
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

static void check_begin(const struct run *r, const struct walk *w, size_t e, uint64_t begin)
{
	const struct loom_entry *entry = &r->programs.entry[e];
	uint64_t earliest = larger(w->earliest, entry->at), latest = larger(w->latest, entry->at);
	char name[ENTRY_NAME];
	name_entry(name, r, w, e);
	if (begin < entry->at)
		mismatch(r->v, "%s began in cycle %llu, before its own, %u", name, (unsigned long long)begin,
		         entry->at);
	else if (begin < earliest && w->before && w->before->kind == LOOM_ENTRY_WAIT &&
	         arrived_once(r, w->before->message))
		mismatch(r->v,
		         "%s began in cycle %llu; it is to wait for message %u from %u, complete in cycle %u, until "
		         "cycle %llu",
		         name, (unsigned long long)begin, w->before->value, w->before->source,
		         r->fates[w->before->message].arrival->last_cycle, (unsigned long long)earliest);
	else if (begin < earliest)
		mismatch(r->v,
		         "%s began in cycle %llu; what stands before it is done so that it cannot before cycle %llu",
		         name, (unsigned long long)begin, (unsigned long long)earliest);
	else if (begin > latest)
		mismatch(r->v, "%s began in cycle %llu; nothing kept it from cycle %llu on", name,
		         (unsigned long long)begin, (unsigned long long)latest);
}

// A message's tail leaves between two cycles that its arrival tells; it is checked, too.
static void send(struct run *r, struct walk *w, size_t i, uint64_t begin)
{
	const struct loom_plan_message *m = &r->plan->messages[i];
	const struct loom_fate *f = &r->fates[i];
	check_arrival(r, w, i, begin);
	w->earliest = begin + m->flits;
	w->latest = w->left = NEVER;
	if (!arrived_once(r, i))
		return;
	uint64_t way = f->hops + 1 + f->delay, room = loom_offered_room(r->plan, i, f->hops);
	uint64_t left = f->arrival->last_cycle > way ? f->arrival->last_cycle - way : 0;
	if (m->flits > room)
		w->earliest = larger(w->earliest, (uint64_t)f->arrival->first_cycle + m->flits - room);
	w->left = left;
	w->latest = larger(left + 1, w->earliest); // less of a message that was too fast
}

static void wait_for(const struct run *r, struct walk *w, const struct loom_entry *entry, uint64_t begin)
{
	w->earliest = w->latest = begin + 1;
	if (entry->message == SIZE_MAX || !arrived_once(r, entry->message)) {
		w->latest = NEVER;
		return;
	}
	w->earliest = w->latest = larger(begin, (uint64_t)r->fates[entry->message].arrival->last_cycle + 2) + 1;
}

static void check_program(struct run *r, uint32_t v)
{
	struct walk w = {.node = r->plan->map[v], .first = r->programs.first[v], .earliest = 1, .latest = 1};
	const uint32_t *released = r->trace->released + r->trace->first_entry[w.node];
	for (size_t e = w.first; e < r->programs.first[v + 1]; e++) {
		const struct loom_entry *entry = &r->programs.entry[e];
		uint64_t begin = released[e - w.first];
		check_begin(r, &w, e, begin);
		switch (entry->kind) {
		case LOOM_ENTRY_SEND: send(r, &w, entry->message, begin); break;
		case LOOM_ENTRY_DELAY: w.earliest = w.latest = begin + entry->value; break;
		case LOOM_ENTRY_WAIT: wait_for(r, &w, entry, begin); break;
		}
		w.before = entry;
	}
	if (w.latest != NEVER)
		r->end = larger(r->end, w.latest - 1);
}

// --- Messages of a pair --------------------------------------------------------------------------------------------

static int by_ends(const void *a, const void *b)
{
	const struct loom_plan_message *x = *(const struct loom_plan_message *const *)a,
				       *y = *(const struct loom_plan_message *const *)b;
	if (x->source != y->source)
		return x->source < y->source ? -1 : 1;
	if (x->destination != y->destination)
		return x->destination < y->destination ? -1 : 1;
	return x < y ? -1 : x > y;
}

// Those who wait count on it.
static int check_order(const struct run *r, struct loom_err *err)
{
	const struct loom_plan *plan = r->plan;
	const struct loom_plan_message **list = calloc(plan->n_messages + 1, sizeof *list);
	if (!list)
		return loom_fail(err, LOOM_ENOMEM, "no memory to check %zu messages", plan->n_messages);
	for (size_t i = 0; i < plan->n_messages; i++)
		list[i] = &plan->messages[i];
	qsort(list, plan->n_messages, sizeof *list, by_ends);
	for (size_t k = 1; k < plan->n_messages; k++) {
		size_t a = (size_t)(list[k - 1] - plan->messages), b = (size_t)(list[k] - plan->messages);
		char name[LOOM_MESSAGE_NAME];
		if (list[k - 1]->source != list[k]->source || list[k - 1]->destination != list[k]->destination ||
		    !arrived_once(r, a) || !arrived_once(r, b) ||
		    r->fates[a].arrival->last_cycle < r->fates[b].arrival->first_cycle)
			continue;
		loom_verdict_name_message(name, plan, b);
		mismatch(r->v,
		         "%s arrived in cycle %u, not after message %zu, which was sent before it and complete in "
		         "cycle %u",
		         name, r->fates[b].arrival->first_cycle, a, r->fates[a].arrival->last_cycle);
	}
	free(list);
	return 0;
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
	                        "the trace does not tell when the entries of the plan's programs began");
}

int loom_verdict_check_timing(struct loom_verdict *v, uint64_t *end, const struct loom_plan *plan,
                              const struct loom_trace *trace, struct loom_err *err)
{
	struct run r = {.v = v, .plan = plan, .trace = trace, .limit = loom_plan_cycle_limit(plan)};
	int code = loom_programs_make(&r.programs, plan, err);
	if (code == 0)
		code = check_shape(&r, err);
	if (code == 0)
		code = loom_offered_make(&r.fates, plan, trace, err);
	r.alone = calloc(plan->n_messages + 1, sizeof *r.alone);
	if (code == 0 && !r.alone)
		code = loom_fail(err, LOOM_ENOMEM, "no memory to check %zu messages", plan->n_messages);
	if (code == 0) {
		find_alone(&r);
		for (uint32_t p = 0; p < plan->topo.n_nodes; p++)
			check_program(&r, p);
		code = check_order(&r, err);
	}
	*end = r.end;
	free(r.alone);
	free(r.fates);
	loom_programs_free(&r.programs);
	return code;
}
