// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Verdicts of programs that wait. What the slow reference machine does has no differences, in both timings; whatever single thing
// is changed in it, there are some, and one of them names what was changed.
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

static void make_trace(struct scene *s, enum loom_machine machine)
{
	const struct loom_plan *plan = &s->plan;
	struct loom_trace *t = &s->trace;
	size_t n_entries = 0;
	*t = (struct loom_trace){.n_nodes = plan->topo.n_nodes,
	                         .n_channels = loom_topo_channels(&plan->topo),
	                         .n_passes = 1,
	                         .machine = machine};
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
	make_trace(s, machine);
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

// --- What is changed -----------------------------------------------------------------------------------------------

static unsigned hops(const struct scene *s, size_t i)
{
	return loom_plan_route_length(&s->plan, i) - 2;
}

// Returns one of three other values of a number: the two neighbours, and a random one.
static uint32_t other_value(struct loom_rng *rng, uint32_t value, unsigned which)
{
	uint32_t any = (uint32_t)loom_rng_next(rng);
	return which == 0 ? value + 1 : which == 1 ? value - 1 : any == value ? ~any : any;
}

// Checks that each other value of the number is reported, and nothing else.
static void spoil_cycle(struct scene *s, struct loom_rng *rng, uint32_t *value, const char *says, const char *after)
{
	const uint32_t good = *value;
	for (unsigned which = 0; which < 3; which++) {
		char what[200];
		*value = other_value(rng, good, which);
		(void)snprintf(what, sizeof what, "%s %u%s instead of %u", says, *value, after, good);
		if (judge(s, what) != 1)
			fail_msg("not only \"%s\"", what);
	}
	*value = good;
}

static void spoil_arrival(struct scene *s, struct loom_rng *rng, size_t i)
{
	const struct loom_plan_message *m = &s->plan.messages[i];
	char name[64], says[100];
	(void)snprintf(name, sizeof name, "message %zu (%u to %u, pass 0)", i, m->source, m->destination);
	if (s->arrival[i] == SIZE_MAX)
		return;
	struct loom_arrival *a = &s->trace.arrivals[s->arrival[i]], kept = *a;
	(void)snprintf(says, sizeof says, "the header of %s arrived in cycle", name);
	spoil_cycle(s, rng, &a->first_cycle, says, "");
	(void)snprintf(says, sizeof says, "%s was complete in cycle", name);
	spoil_cycle(s, rng, &a->last_cycle, says, "");
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
}

static void spoil_channel(struct scene *s, struct loom_rng *rng, uint32_t c)
{
	struct loom_count *count = &s->trace.counts[c];
	char name[48], after[100], says[100];
	loom_topo_channel_name(&s->plan.topo, c, name);
	(void)snprintf(says, sizeof says, "channel %s carried", name);
	spoil_cycle(s, rng, &count->worms, says, " messages in pass 0");
	spoil_cycle(s, rng, &count->flits, says, " flits in pass 0");
	(void)snprintf(after, sizeof after, " cycles for channel %s in pass 0", name);
	spoil_cycle(s, rng, &count->blocked_cycles, "headers waited", after);
}

static void name_entry(char out[140], const struct scene *s, uint32_t u, size_t e)
{
	const struct ref_entry *entry = &s->ref.programs[u].entry[e];
	size_t i = 0;
	uint32_t v = 0;
	switch (entry->kind) {
	case REF_DELAY:
		(void)snprintf(out, 140, "entry %zu of node %u, a delay of %llu, began in cycle", e, u,
		               (unsigned long long)entry->value);
		return;
	case REF_WAIT:
		while (s->plan.map[v] != entry->source)
			v++;
		(void)snprintf(out, 140, "entry %zu of node %u, a wait for message %llu from %u, began in cycle", e, u,
		               (unsigned long long)entry->value, v);
		return;
	case REF_SEND: break;
	}
	while (s->ref.number[i] != entry->message)
		i++;
	(void)snprintf(out, 140, "entry %zu of node %u, message %zu (%u to %u, pass 0), began in cycle", e, u, i,
	               s->plan.messages[i].source, s->plan.messages[i].destination);
}

static void spoil_entries(struct scene *s, struct loom_rng *rng)
{
	for (uint32_t u = 0; u < s->trace.n_nodes; u++)
		for (size_t e = 0; e < s->ref.programs[u].n; e++) {
			char says[140];
			name_entry(says, s, u, e);
			spoil_cycle(s, rng, &s->trace.released[s->trace.first_entry[u] + e], says, "");
		}
}

// Checks that the sums are those of the reference.
static void check_sums(struct scene *s)
{
	struct loom_verdict v;
	uint64_t blocked = 0;
	assert_int_equal(loom_verdict_make(&v, &s->plan, &s->trace, NULL), 0);
	for (uint32_t c = 0; c < s->trace.n_channels; c++)
		blocked += s->ref.channels[c].n_blocked;
	assert_int_equal(v.predicted_cycles, timed_reference_end(&s->ref));
	assert_int_equal(v.measured_cycles, timed_reference_end(&s->ref));
	assert_int_equal(v.predicted_blocked_cycles, blocked);
	assert_int_equal(v.blocked_cycles, blocked);
	loom_verdict_free(&v);
}

static void test_random(void **state)
{
	(void)state;
	static const char *const fabrics[] = {"cube:3", "omega:8", "mesh:4x2", "cube:2", "ring:8v2"};
	struct loom_rng rng;
	loom_rng_init(&rng, 18);
	for (unsigned round = 0; round < 20; round++) {
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
			check_sums(&s);
			for (size_t i = 0; i < s.plan.n_messages; i++)
				spoil_arrival(&s, &rng, i);
			for (unsigned k = 0; k < 8; k++)
				spoil_channel(&s, &rng, (uint32_t)loom_rng_below(&rng, s.trace.n_channels));
			for (uint32_t c = 0; c < s.trace.n_channels; c++)
				if (s.trace.counts[c].blocked_cycles > 0)
					spoil_channel(&s, &rng, c);
			spoil_entries(&s, &rng);
			assert_int_equal(judge(&s, NULL), 0);
			tear_down(&s);
		}
		loom_pattern_free(&p);
	}
}

// Checks that the offers of a plan with timing are those that the nodes report; nothing is known of entries that a node
// does not report.
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

// Makes the trace as if the node had reported the first `n_told` of its entries.
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

// Checks the first difference.
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
	differs(&s, "the header of message 0 (0 to 1, pass 0) arrived in cycle 6 instead of 7");
	a->first_cycle = 7;
	a->last_cycle = 11;
	differs(&s, "message 0 (0 to 1, pass 0) was complete in cycle 11 instead of 10");
	a->last_cycle = 10;
	r[0] = 4;
	differs(&s, "entry 0 of node 0, message 0 (0 to 1, pass 0), began in cycle 4 instead of 5");
	r[0] = 5;
	r[1] = 10;
	differs(&s, "entry 1 of node 0, a delay of 10, began in cycle 10 instead of 9");
	r[1] = 9;
	r[4] = 12;
	differs(&s, "entry 1 of node 1, message 2 (1 to 3, pass 0), began in cycle 12 instead of 13");
	r[4] = 13;
	r[3] = 2;
	differs(&s, "entry 0 of node 1, a wait for message 1 from 0, began in cycle 2 instead of 1");
	r[3] = 1;
	assert_int_equal(judge(&s, NULL), 0);
	// The entry of a message that never arrived is still checked, but it has no latency.
	const struct loom_arrival kept = *a;
	*a = s.trace.arrivals[--s.trace.n_arrivals];
	r[0] = 6;
	assert_int_equal(judge(&s, "entry 0 of node 0, message 0 (0 to 1, pass 0), began in cycle 6 instead of 5"), 2);
	assert_int_equal(loom_verdict_make(&v, &s.plan, &s.trace, NULL), 0);
	assert_int_equal(v.latency.n, 2);
	assert_int_equal(v.latency.sum, 5 + 4);
	loom_verdict_free(&v);
	r[0] = 5;
	s.trace.arrivals[s.trace.n_arrivals++] = *a;
	*a = kept;
	// A wait at the end and a delay at the end count as cycles.
	s.trace.arrivals[2].last_cycle += 20;
	s.trace.arrivals[2].first_cycle += 20;
	assert_int_equal(loom_verdict_make(&v, &s.plan, &s.trace, NULL), 0);
	assert_int_equal(v.measured_cycles, s.trace.arrivals[2].last_cycle + 2);
	loom_verdict_free(&v);
	tear_down(&s);
	loom_pattern_free(&p);
}

// Two messages of a pair, and others between them: each has its cycles, so that whoever waits for the first one cannot go on too
// early because the second one was there before it.
static void test_pairs(void **state)
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
			struct loom_arrival *x = &s.trace.arrivals[s.arrival[a]], *y = &s.trace.arrivals[s.arrival[b]],
					    first = *x, second = *y;
			char text[120];
			if (m[a].source != m[b].source || m[a].destination != m[b].destination)
				continue;
			x->first_cycle = second.first_cycle;
			x->last_cycle = second.last_cycle;
			y->first_cycle = first.first_cycle;
			y->last_cycle = first.last_cycle;
			(void)snprintf(text, sizeof text,
			               "message %zu (%u to %u, pass 0) was complete in cycle %u instead of %u", a,
			               m[a].source, m[a].destination, second.last_cycle, first.last_cycle);
			assert_int_equal(judge(&s, text), 4);
			(void)snprintf(text, sizeof text,
			               "the header of message %zu (%u to %u, pass 0) arrived in cycle %u instead of %u",
			               b, m[b].source, m[b].destination, first.first_cycle, second.first_cycle);
			assert_int_equal(judge(&s, text), 4);
			*x = first;
			*y = second;
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
	for (uint32_t u = 1; u <= s.trace.n_nodes; u++) {
		s.trace.first_entry[u]++;
		assert_int_equal(loom_verdict_make(&v, &s.plan, &s.trace, &err), LOOM_EINTERNAL);
		s.trace.first_entry[u]--;
	}
	free(s.trace.released);
	s.trace.released = NULL;
	assert_int_equal(loom_verdict_make(&v, &s.plan, &s.trace, &err), LOOM_EINTERNAL);
	assert_non_null(strstr(err.text, "does not say when the entries of the plan's programs began"));
	tear_down(&s);
	loom_pattern_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random), cmocka_unit_test(test_offers), cmocka_unit_test(test_by_hand),
		cmocka_unit_test(test_pairs),  cmocka_unit_test(test_shape),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
