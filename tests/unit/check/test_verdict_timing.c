// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Verdicts of programs that wait. What the slow reference machine does has no differences, in both timings; whatever single thing
// is changed in it so that it breaks a rule, there are some, and one of them names what was changed.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/verdict.h>

#include "base/rng.h"
#include "check/offered.h"
#include "unit/help/plans_by_hand.h"
#include "unit/help/random_programs.h"
#include "unit/help/timed_reference.h"

struct scene {
	struct loom_plan plan;
	struct loom_trace trace;
	struct timed_reference ref;
	size_t *entry;   // of each message: its place in trace.released, or SIZE_MAX
	size_t *arrival; // of each message: its place in trace.arrivals, or SIZE_MAX
};

static void make_trace(struct scene *s)
{
	const struct loom_plan *plan = &s->plan;
	struct loom_trace *t = &s->trace;
	size_t n_entries = 0;
	*t = (struct loom_trace){
		.n_nodes = plan->topo.n_nodes, .n_channels = loom_topo_channels(&plan->topo), .n_passes = 1};
	t->arrivals = calloc(plan->n_messages + 1, sizeof *t->arrivals);
	t->counts = calloc(t->n_channels, sizeof *t->counts);
	t->sent = calloc(t->n_nodes, sizeof *t->sent);
	t->corrupt = calloc(t->n_nodes, sizeof *t->corrupt);
	t->first_entry = calloc(t->n_nodes + 1, sizeof *t->first_entry);
	s->entry = calloc(plan->n_messages + 1, sizeof *s->entry);
	s->arrival = calloc(plan->n_messages + 1, sizeof *s->arrival);
	for (uint32_t u = 0; u < t->n_nodes; u++)
		t->first_entry[u + 1] = n_entries += s->ref.programs[u].n;
	t->released = calloc(n_entries + 1, sizeof *t->released);
	assert_true(t->arrivals && t->counts && t->sent && t->corrupt && t->released && s->entry && s->arrival);
	for (uint32_t u = 0; u < t->n_nodes; u++)
		for (size_t e = 0; e < s->ref.programs[u].n; e++)
			t->released[t->first_entry[u] + e] = (uint32_t)*s->ref.programs[u].entry[e].begin;
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		uint32_t u = plan->map[m->source], number = 0;
		s->entry[i] = s->arrival[i] = SIZE_MAX;
		if (s->ref.number[i] == SIZE_MAX)
			continue;
		const struct ref_entry *list = s->ref.programs[u].entry;
		while (list[number].kind != REF_SEND || list[number].message != s->ref.number[i])
			number++;
		const struct ref_arrival *r = &s->ref.arrivals[s->ref.number[i]];
		s->entry[i] = t->first_entry[u] + number;
		s->arrival[i] = t->n_arrivals;
		t->arrivals[t->n_arrivals++] = (struct loom_arrival){.node = plan->map[m->destination],
		                                                     .source = u,
		                                                     .number = number,
		                                                     .destination = plan->map[m->destination],
		                                                     .flits = m->flits,
		                                                     .first_cycle = (uint32_t)r->first_cycle,
		                                                     .last_cycle = (uint32_t)r->done_cycle,
		                                                     .intact = true,
		                                                     .rule = m->rule,
		                                                     .release = (uint32_t)r->offer_cycle};
		t->sent[u]++;
	}
	for (uint32_t c = 0; c < t->n_channels; c++) {
		const struct ref_channel *r = &s->ref.channels[c];
		t->counts[c] = (struct loom_count){(uint32_t)r->n_worms, (uint32_t)r->n_flits, (uint32_t)r->n_blocked};
	}
}

static void set_up(struct scene *s, const char *fabric, const struct loom_pattern *p, enum loom_machine machine)
{
	struct loom_topo topo;
	assert_int_equal(loom_topo_parse(&topo, fabric, NULL), 0);
	s->plan = make_plan(&topo, p, NULL, NULL, NULL);
	timed_reference_make(&s->ref, &s->plan, machine);
	assert_int_equal(timed_reference_run(&s->ref), 0);
	make_trace(s);
}

static void tear_down(struct scene *s)
{
	timed_reference_free(&s->ref);
	loom_trace_free(&s->trace);
	loom_plan_free(&s->plan);
	free(s->entry);
	free(s->arrival);
}

// Counts the differences; `says` is in one of them, if it is not NULL.
static size_t judge(struct scene *s, const char *says)
{
	struct loom_verdict v;
	struct loom_err err = {0};
	bool found = !says;
	if (loom_verdict_make(&v, &s->plan, &s->trace, &err) != 0)
		fail_msg("%s", err.text);
	for (size_t i = 0; i < v.n_mismatches && i < LOOM_MISMATCHES_KEPT; i++)
		found = found || strstr(v.mismatches[i], says);
	if (!found)
		fail_msg("%zu differences, none says \"%s\": %s", v.n_mismatches, says, v.mismatches[0]);
	if (!says && v.n_mismatches)
		print_message("%s\n", v.mismatches[0]);
	size_t n = v.n_mismatches;
	loom_verdict_free(&v);
	return n;
}

// --- What breaks a rule --------------------------------------------------------------------------------------------

static unsigned hops(const struct scene *s, size_t i)
{
	return loom_plan_route_length(&s->plan, i) - 2;
}

// The same of a message as the reference machine numbers them.
static unsigned hops_of(const struct scene *s, size_t number)
{
	size_t i = 0;
	while (s->ref.number[i] != number)
		i++;
	return hops(s, i);
}

static void spoil_arrivals(struct scene *s, struct loom_rng *rng)
{
	size_t i = (size_t)loom_rng_below(rng, s->plan.n_messages);
	char name[64];
	(void)snprintf(name, sizeof name, "message %zu (", i);
	if (s->arrival[i] == SIZE_MAX)
		return;
	struct loom_arrival *a = &s->trace.arrivals[s->arrival[i]], kept = *a;
	uint32_t release = s->trace.released[s->entry[i]];
	// Faster than it can be: its header, and its tail.
	a->first_cycle = release + hops(s, i);
	judge(s, name);
	*a = kept;
	a->last_cycle = a->first_cycle + a->flits - 2;
	judge(s, name);
	*a = kept;
	a->first_cycle = release - 1; // before its release
	a->last_cycle = a->first_cycle + a->flits - 1;
	judge(s, name);
	*a = kept;
	// Later than any run.
	a->last_cycle = (uint32_t)loom_plan_cycle_limit(&s->plan) + 1;
	judge(s, name);
	*a = kept;
	a->intact = false;
	judge(s, name);
	*a = kept;
	a->flits++;
	judge(s, name);
	*a = kept;
	a->node = (a->node + 1) % s->trace.n_nodes;
	judge(s, name);
	*a = kept;
	// Lost.
	*a = s->trace.arrivals[--s->trace.n_arrivals];
	judge(s, name);
	s->trace.n_arrivals++;
	*a = kept;
	uint32_t u = (uint32_t)loom_rng_below(rng, s->trace.n_nodes);
	s->trace.sent[u]++;
	judge(s, "sent");
	s->trace.sent[u]--;
	struct loom_count *count = &s->trace.counts[loom_rng_below(rng, s->trace.n_channels)];
	count->worms++;
	assert_true(judge(s, "channel") > 0);
	count->worms--;
	count->flits++;
	assert_true(judge(s, "channel") > 0);
	count->flits--;
}

// When an entry is bound to begin is known unless a message stands before it; then it is known that it cannot begin before
// that one's flits have left, nor wait when that one has arrived.
static void spoil_entry(struct scene *s, struct loom_rng *rng)
{
	uint32_t u = (uint32_t)loom_rng_below(rng, s->trace.n_nodes);
	const struct ref_program *p = &s->ref.programs[u];
	char name[64];
	if (p->n == 0)
		return;
	size_t e = (size_t)loom_rng_below(rng, p->n);
	uint32_t *begin = &s->trace.released[s->trace.first_entry[u] + e], kept = *begin;
	(void)snprintf(name, sizeof name, "entry %zu of node %u, ", e, u);
	if (e > 0 && p->entry[e - 1].kind == REF_SEND) {
		const struct ref_message *m = &s->ref.messages[p->entry[e - 1].message];
		const struct ref_arrival *r = &s->ref.arrivals[p->entry[e - 1].message];
		uint32_t soonest = (uint32_t)*p->entry[e - 1].begin + m->n_flits;
		// When its header arrives, two flits at most are in each buffer of its way, and the rest has not left.
		uint32_t in_buffers = 2 * (hops_of(s, p->entry[e - 1].message) + 1);
		if (m->n_flits > in_buffers && r->first_cycle + m->n_flits - in_buffers > soonest)
			soonest = (uint32_t)r->first_cycle + m->n_flits - in_buffers;
		if (p->entry[e].at < soonest) {
			*begin = soonest - 1;
			judge(s, name);
		}
		if (p->entry[e].at < r->done_cycle) {
			*begin = (uint32_t)r->done_cycle;
			judge(s, name);
		}
	} else {
		*begin = kept - 1;
		judge(s, name);
		*begin = kept + 1;
		judge(s, name);
	}
	if (p->entry[e].at) {
		*begin = (uint32_t)p->entry[e].at - 1;
		judge(s, name);
	}
	*begin = kept;
}

static void test_random(void **state)
{
	(void)state;
	static const char *const fabrics[] = {"cube:3", "omega:8", "mesh:4x2", "cube:2", "ring:8v2"};
	struct loom_rng rng;
	loom_rng_init(&rng, 18);
	for (unsigned round = 0; round < 120; round++) {
		const char *fabric = fabrics[round % 5];
		const struct random_programs what = {.n_nodes = round % 5 == 3 ? 4 : 8,
		                                     .n_messages = 1 + (size_t)loom_rng_below(&rng, round % 3 ? 8 : 40),
		                                     .most_flits = round % 2 ? 4 : 30,
		                                     .most_cycles = round % 4 < 2 ? 3 : 40};
		struct loom_pattern p = random_programs(&what, &rng);
		for (unsigned paper = 0; paper < 2; paper++) {
			struct scene s;
			set_up(&s, fabric, &p, paper ? LOOM_MACHINE_PAPER : LOOM_MACHINE_FAST);
			if (judge(&s, NULL) != 0)
				fail_msg("round %u on %s, %s", round, fabric, paper ? "paper" : "fast");
			for (unsigned k = 0; k < 8; k++) {
				spoil_arrivals(&s, &rng);
				spoil_entry(&s, &rng);
			}
			assert_int_equal(judge(&s, NULL), 0);
			tear_down(&s);
		}
		loom_pattern_free(&p);
	}
}

// The offers of a plan with timing are what the nodes say; of entries that a node does not speak of nothing is known.
static void check_offers(const struct scene *s, uint32_t node, size_t n_told)
{
	struct loom_fate *fates = NULL;
	assert_int_equal(loom_offered_make(&fates, &s->plan, &s->trace, NULL), 0);
	for (size_t i = 0; i < s->plan.n_messages; i++) {
		if (s->entry[i] == SIZE_MAX)
			continue;
		const struct loom_arrival *a = &s->trace.arrivals[s->arrival[i]];
		bool told = a->source != node || a->number < n_told;
		assert_int_equal(fates[i].earliest, told ? a->release : 0);
		assert_int_equal(fates[i].latest, told ? a->release : 0);
		assert_ptr_equal(fates[i].arrival, a);
		assert_int_equal(fates[i].hops, hops(s, i));
	}
	free(fates);
}

// The trace is as if the node had told the first `n_told` of its entries.
static void test_offers_of(struct scene *s, uint32_t node, size_t n_told)
{
	struct loom_trace *t = &s->trace, kept = *t;
	size_t cut = t->first_entry[node + 1] - t->first_entry[node] - n_told;
	t->first_entry = calloc(t->n_nodes + 1, sizeof *t->first_entry);
	t->released = calloc(kept.first_entry[t->n_nodes] - cut + 1, sizeof *t->released);
	assert_true(t->first_entry && t->released);
	for (uint32_t u = 0; u < t->n_nodes; u++) {
		size_t many = u == node ? n_told : kept.first_entry[u + 1] - kept.first_entry[u];
		t->first_entry[u + 1] = t->first_entry[u] + many;
		memcpy(t->released + t->first_entry[u], kept.released + kept.first_entry[u],
		       many * sizeof *t->released);
	}
	check_offers(s, node, n_told);
	free(t->first_entry);
	free(t->released);
	*t = kept;
}

static void test_offers(void **state)
{
	(void)state;
	struct loom_rng rng;
	loom_rng_init(&rng, 19);
	for (unsigned round = 0; round < 12; round++) {
		const struct random_programs what = {
			.n_nodes = 8, .n_messages = 25, .most_flits = 9, .most_cycles = 30};
		struct loom_pattern p = random_programs(&what, &rng);
		struct scene s;
		set_up(&s, round % 2 ? "cube:3" : "mesh:4x2", &p, LOOM_MACHINE_FAST);
		for (uint32_t u = 0; u < 8; u++)
			for (size_t n = 0; n <= s.ref.programs[u].n; n++)
				test_offers_of(&s, u, n);
		tear_down(&s);
		loom_pattern_free(&p);
	}
}

// --- By hand -------------------------------------------------------------------------------------------------------

// On cube:2, in this order:
//   0: at 5, 4 flits to 1; delay 10; 3 flits to 2     1: wait for the first from 0, 2 flits to 3; delay 7
//   3: 2 flits to 2, wait for the first from 1
static struct loom_pattern by_hand(void)
{
	static const struct loom_message m[] = {{.source = 0, .destination = 1, .flits = 4},
	                                        {.source = 0, .destination = 2, .flits = 3},
	                                        {.source = 1, .destination = 3, .flits = 2}};
	static const struct loom_gate gates[] = {{LOOM_GATE_AT, 5, 0},
	                                         {LOOM_GATE_DELAY, 10, 0},
	                                         {LOOM_GATE_WAIT, 1, 0},
	                                         {LOOM_GATE_DELAY, 7, 0},
	                                         {LOOM_GATE_WAIT, 1, 1}};
	static const size_t first[] = {0, 1, 2, 3, 3, 4, 4, 5};
	struct loom_timing *t = loom_timing_new(3, 4, 5);
	struct loom_pattern p;
	assert_non_null(t);
	memcpy(t->gate, gates, sizeof gates);
	memcpy(t->first, first, sizeof first);
	assert_int_equal(loom_pattern_from_timed_messages(&p, "by hand", 4, m, 3, t, NULL), 0);
	loom_timing_free(t);
	return p;
}

// The first difference there is.
static void differs(struct scene *s, const char *text)
{
	struct loom_verdict v;
	assert_int_equal(loom_verdict_make(&v, &s->plan, &s->trace, NULL), 0);
	assert_true(v.n_mismatches > 0);
	assert_string_equal(v.mismatches[0], text);
	loom_verdict_free(&v);
}

static void test_by_hand(void **state)
{
	(void)state;
	struct loom_pattern p = by_hand();
	struct scene s;
	struct loom_verdict v;
	set_up(&s, "cube:2", &p, LOOM_MACHINE_FAST);
	// 0 sends from 5 to 8, computes from 9 to 18, sends from 19 on. 1 has its message in 10, goes on in 13, computes from 15 to 21.
	static const uint32_t released[] = {5, 9, 19, 1, 13, 15, 1};
	assert_memory_equal(s.trace.released, released, sizeof released);
	assert_int_equal(loom_verdict_make(&v, &s.plan, &s.trace, NULL), 0);
	assert_int_equal(v.n_mismatches, 0);
	assert_int_equal(v.measured_cycles, 23); // the tail of the second message of 0
	assert_int_equal(v.latency.n, 3);
	assert_int_equal(v.latency.most, 6);
	assert_int_equal(v.latency.sum, 6 + 5 + 4);
	assert_int_equal(v.delivered_messages, 3);
	loom_verdict_free(&v);

	struct loom_arrival *a = &s.trace.arrivals[0];
	uint32_t *r = s.trace.released;
	a->first_cycle = 6;
	differs(&s, "the header of message 0 (0 to 1, pass 0) arrived in cycle 6; released in cycle 5 it cannot before "
	            "cycle 7");
	a->first_cycle = 8;
	differs(&s, "the header of message 0 (0 to 1, pass 0), which meets no other message, arrived in cycle 8; "
	            "released in "
	            "cycle 5 it does in cycle 7");
	a->first_cycle = 7;
	a->last_cycle = 9;
	differs(&s, "message 0 (0 to 1, pass 0) was complete in cycle 9; released in cycle 5, its header here in cycle "
	            "7, it "
	            "cannot before cycle 10");
	a->last_cycle = 11;
	differs(&s, "message 0 (0 to 1, pass 0), which meets no other message, was complete in cycle 11; released in "
	            "cycle 5 it "
	            "is in cycle 10");
	a->last_cycle = 10;
	r[0] = 4;
	differs(&s, "entry 0 of node 0, message 0 (0 to 1, pass 0), began in cycle 4, before its own, 5");
	r[0] = 6;
	differs(&s, "entry 0 of node 0, message 0 (0 to 1, pass 0), began in cycle 6; nothing kept it from cycle 5 on");
	r[0] = 5;
	r[1] = 8;
	differs(&s, "entry 1 of node 0, a delay of 10, began in cycle 8; what stands before it is done so that it "
	            "cannot before "
	            "cycle 9");
	r[1] = 10;
	differs(&s, "entry 1 of node 0, a delay of 10, began in cycle 10; nothing kept it from cycle 9 on");
	r[1] = 9;
	r[4] = 12;
	differs(&s,
	        "entry 1 of node 1, message 2 (1 to 3, pass 0), began in cycle 12; it is to wait for message 1 from 0, "
	        "complete in cycle 10, until cycle 13");
	r[4] = 14;
	differs(&s,
	        "entry 1 of node 1, message 2 (1 to 3, pass 0), began in cycle 14; nothing kept it from cycle 13 on");
	r[4] = 13;
	r[3] = 2;
	differs(&s,
	        "entry 0 of node 1, a wait for message 1 from 0, began in cycle 2; nothing kept it from cycle 1 on");
	r[3] = 1;
	// Not later than any run can take: it meets nobody, so only its header is named here; the limit of one that does.
	for (uint32_t c = 0; c < s.trace.n_channels; c++)
		s.plan.load[c] *= 2;
	uint64_t limit = loom_plan_cycle_limit(&s.plan);
	char late[160];
	a->last_cycle = (uint32_t)limit + 1;
	(void)snprintf(late, sizeof late,
	               "message 0 (0 to 1, pass 0) was complete in cycle %u; no run of the plan takes more than %u",
	               (unsigned)limit + 1, (unsigned)limit);
	assert_int_equal(loom_verdict_make(&v, &s.plan, &s.trace, NULL), 0);
	bool said = false;
	for (size_t i = 0; i < v.n_mismatches; i++)
		said = said || strcmp(v.mismatches[i], late) == 0;
	assert_true(said);
	loom_verdict_free(&v);
	for (uint32_t c = 0; c < s.trace.n_channels; c++)
		s.plan.load[c] /= 2;
	a->last_cycle = 10;
	// A wait whose message is lost still takes a cycle.
	const struct loom_arrival kept = *a;
	*a = s.trace.arrivals[--s.trace.n_arrivals];
	r[4] = 1;
	assert_true(judge(&s, "entry 1 of node 1, message 2 (1 to 3, pass 0), began in cycle 1; what stands before it "
	                      "is done so "
	                      "that it cannot before cycle 2") > 0);
	s.trace.arrivals[s.trace.n_arrivals++] = *a;
	*a = kept;
	r[4] = 13;
	// The second message of a node as the first: the one before it has long been out of its way.
	s.trace.arrivals[1].last_cycle++;
	differs(&s, "message 1 (0 to 2, pass 0), which meets no other message, was complete in cycle 24; released in "
	            "cycle 19 it is in cycle 23");
	s.trace.arrivals[1].last_cycle--;
	// A wait at the end and a delay at the end count as cycles.
	s.trace.arrivals[2].last_cycle += 20;
	s.trace.arrivals[2].first_cycle += 20;
	assert_int_equal(loom_verdict_make(&v, &s.plan, &s.trace, NULL), 0);
	assert_int_equal(v.measured_cycles, s.trace.arrivals[2].last_cycle + 2);
	loom_verdict_free(&v);
	tear_down(&s);
	loom_pattern_free(&p);
}

// A message may be late while one of its node that can have met another is under way, up to the cycle of its tail; then no more.
static void test_in_the_way(void **state)
{
	(void)state;
	static const struct loom_message m[] = {{.source = 0, .destination = 1, .flits = 4},
	                                        {.source = 0, .destination = 2, .flits = 3},
	                                        {.source = 2, .destination = 1, .flits = 2}};
	static const size_t first[] = {0, 0, 1, 2, 2, 2, 2, 2};
	enum { TAIL = 6 }; // of the first message, over one link; node 1 takes in the third one as well
	for (uint32_t at = TAIL; at <= TAIL + 1; at++) {
		const struct loom_gate gates[] = {{LOOM_GATE_AT, at, 0}, {LOOM_GATE_AT, 40, 0}};
		struct loom_timing *t = loom_timing_new(3, 4, 2);
		struct loom_pattern p;
		struct scene s;
		assert_non_null(t);
		memcpy(t->gate, gates, sizeof gates);
		memcpy(t->first, first, sizeof first);
		assert_int_equal(loom_pattern_from_timed_messages(&p, "in the way", 4, m, 3, t, NULL), 0);
		loom_timing_free(t);
		set_up(&s, "cube:2", &p, LOOM_MACHINE_FAST);
		assert_int_equal(s.trace.arrivals[0].last_cycle, TAIL);
		assert_int_equal(judge(&s, NULL), 0);
		s.trace.arrivals[1].first_cycle++;
		s.trace.arrivals[1].last_cycle++;
		assert_int_equal(judge(&s, at == TAIL ? NULL : "message 1 (0 to 2, pass 0), which meets no other"),
		                 at == TAIL ? 0 : 2);
		tear_down(&s);
		loom_pattern_free(&p);
	}
}

// Two messages of a pair in the wrong order: whoever waits for the first would go on too early.
static void test_order(void **state)
{
	(void)state;
	static const struct loom_message m[] = {{.source = 0, .destination = 3, .flits = 4},
	                                        {.source = 0, .destination = 3, .flits = 4}};
	struct loom_timing *t = loom_timing_new(2, 4, 0);
	struct loom_pattern p;
	struct scene s;
	assert_int_equal(loom_pattern_from_timed_messages(&p, "pair", 4, m, 2, t, NULL), 0);
	loom_timing_free(t);
	set_up(&s, "cube:2", &p, LOOM_MACHINE_FAST);
	assert_int_equal(judge(&s, NULL), 0);
	s.trace.arrivals[0].first_cycle += 20;
	s.trace.arrivals[0].last_cycle += 20;
	differs(&s, "message 1 (0 to 3, pass 0) arrived in cycle 8, not after message 0, which was sent before it and "
	            "complete in "
	            "cycle 27");
	s.trace.arrivals[0].first_cycle -= 18;
	s.trace.arrivals[0].last_cycle -= 18;
	differs(&s, "message 1 (0 to 3, pass 0) arrived in cycle 8, not after message 0, which was sent before it and "
	            "complete in "
	            "cycle 9");
	tear_down(&s);
	loom_pattern_free(&p);
}

// The same of each pair among messages of others, wherever they stand in the list; none is said of messages of two pairs.
static void test_order_among_others(void **state)
{
	(void)state;
	static const struct {
		uint32_t source, destination;
	} ends[] = {{0, 3}, {2, 1}, {0, 1}, {0, 3}, {1, 3}, {2, 1}, {0, 1}, {3, 0}, {0, 3}};
	enum { N = sizeof ends / sizeof *ends };
	struct loom_message m[N];
	for (size_t i = 0; i < N; i++)
		m[i] = (struct loom_message){.source = ends[i].source, .destination = ends[i].destination, .flits = 3};
	struct loom_timing *t = loom_timing_new(N, 4, 0);
	struct loom_pattern p;
	struct scene s;
	assert_int_equal(loom_pattern_from_timed_messages(&p, "pairs", 4, m, N, t, NULL), 0);
	loom_timing_free(t);
	set_up(&s, "cube:2", &p, LOOM_MACHINE_FAST);
	assert_int_equal(judge(&s, NULL), 0);
	for (size_t a = 0; a < N; a++)
		for (size_t b = a + 1; b < N; b++) {
			struct loom_arrival *first = &s.trace.arrivals[s.arrival[a]],
					    *second = &s.trace.arrivals[s.arrival[b]], kept = *first;
			size_t between = a + 1; // is another of that pair between them?
			while (between < b &&
			       (m[between].source != m[a].source || m[between].destination != m[a].destination))
				between++;
			bool next = m[a].source == m[b].source && m[a].destination == m[b].destination && between == b;
			char text[64];
			(void)snprintf(text, sizeof text, "not after message %zu,", a);
			first->first_cycle = first->last_cycle = second->first_cycle;
			struct loom_verdict v;
			bool said = false;
			assert_int_equal(loom_verdict_make(&v, &s.plan, &s.trace, NULL), 0);
			for (size_t i = 0; i < v.n_mismatches && i < LOOM_MISMATCHES_KEPT; i++) {
				char name[32];
				(void)snprintf(name, sizeof name, "message %zu (", b);
				said = said || (strstr(v.mismatches[i], text) &&
				                strncmp(v.mismatches[i], name, strlen(name)) == 0);
			}
			loom_verdict_free(&v);
			if (said != next)
				fail_msg("messages %zu and %zu: %s", a, b, said ? "said" : "not said");
			*first = kept;
		}
	tear_down(&s);
	loom_pattern_free(&p);
}

// A trace without releases says nothing of a plan with timing.
static void test_shape(void **state)
{
	(void)state;
	struct loom_pattern p = by_hand();
	struct scene s;
	struct loom_verdict v;
	struct loom_err err = {0};
	set_up(&s, "cube:2", &p, LOOM_MACHINE_FAST);
	s.trace.first_entry[1]++;
	assert_int_equal(loom_verdict_make(&v, &s.plan, &s.trace, &err), LOOM_EINTERNAL);
	s.trace.first_entry[1]--;
	free(s.trace.released);
	s.trace.released = NULL;
	assert_int_equal(loom_verdict_make(&v, &s.plan, &s.trace, &err), LOOM_EINTERNAL);
	assert_non_null(strstr(err.text, "does not tell when the entries of the plan's programs began"));
	tear_down(&s);
	loom_pattern_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),  cmocka_unit_test(test_offers),
		cmocka_unit_test(test_by_hand), cmocka_unit_test(test_in_the_way),
		cmocka_unit_test(test_order),   cmocka_unit_test(test_order_among_others),
		cmocka_unit_test(test_shape),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
