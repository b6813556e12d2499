// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/verdict.h>

#include "../reference/reference.h"

// A plan by hand and what a flawless cube makes of it, walked here bit by bit. The tests then spoil the trace (or the
// plan) in one way each, and ask for the differences word by word.
struct scene {
	struct loom_plan plan;
	struct loom_trace trace;
	struct loom_verdict verdict;
	struct loom_err err;
};

enum { SEED = 0x3a5 };
enum { ROOM = 128 }; // arrivals that a trace of these tests can take

static uint32_t count_hops(uint32_t a, uint32_t b)
{
	return (uint32_t)__builtin_popcount(a ^ b);
}

// Number of message i in its sender's program.
static uint32_t number_of(const struct loom_plan *plan, size_t i)
{
	uint32_t number = 0;
	for (size_t k = 0; k < i; k++)
		if (plan->messages[k].source == plan->messages[i].source &&
		    plan->messages[k].source != plan->messages[k].destination)
			number++;
	return number;
}

static struct loom_count *count_at(struct scene *s, uint32_t pass, uint32_t node, uint32_t k)
{
	return &s->trace.counts[pass * s->trace.n_channels + node * (s->plan.topo.n_dims + 2) + k];
}

static void cross(struct scene *s, const struct loom_plan_message *m, uint32_t node, uint32_t k)
{
	struct loom_count *count = count_at(s, m->pass, node, k);
	count->worms++;
	count->flits += m->flits;
}

static void play_message(struct scene *s, size_t i)
{
	const struct loom_plan *plan = &s->plan;
	const struct loom_plan_message *m = &plan->messages[i];
	uint32_t n = plan->topo.n_dims, at = plan->map[m->source], to = plan->map[m->destination];
	size_t root = i;
	while (plan->messages[root].from_slot)
		root = plan->messages[root].origin;
	s->trace.arrivals[s->trace.n_arrivals++] = (struct loom_arrival){
		.node = to,
		.source = plan->map[plan->messages[root].source],
		.number = number_of(plan, root),
		.destination = to,
		.pass = m->pass,
		.flits = m->flits,
		.first_cycle = count_hops(at, to) + 2,
		.last_cycle = m->flits + count_hops(at, to) + 1,
		.intact = true,
		.rule = m->rule,
		.keep_slot = m->keep_slot,
		.signature = ref_payload_signature(SEED, 11, 2, 16, 12, plan->map[plan->messages[root].source],
	                                           number_of(plan, root), m->flits),
	};
	s->trace.sent[at]++;
	cross(s, m, at, n + 1);
	for (uint32_t k = 0; k < n; k++) {
		uint32_t d = m->rule == LOOM_RULE_ASCENDING ? k : n - 1 - k;
		if ((at ^ to) >> d & 1) {
			cross(s, m, at, d);
			at ^= UINT32_C(1) << d;
		}
	}
	cross(s, m, to, n);
}

static void set_up(struct scene *s, const char *fabric, const uint32_t *map, unsigned n_order, const unsigned *order,
                   const struct loom_plan_message *messages, size_t n_messages, uint32_t n_passes)
{
	struct loom_plan *plan = &s->plan;
	memset(s, 0, sizeof *s);
	assert_int_equal(loom_topo_parse(&plan->topo, fabric, NULL), 0);
	plan->n_passes = n_passes;
	plan->n_members = 1;
	plan->n_messages = n_messages;
	plan->messages = calloc(n_messages + 1, sizeof *plan->messages);
	plan->map = calloc(plan->topo.n_nodes, sizeof *plan->map);
	plan->member_of_pass = calloc(n_passes, sizeof *plan->member_of_pass);
	assert_true(plan->messages && plan->map && plan->member_of_pass);
	for (size_t i = 0; i < n_messages; i++) {
		plan->messages[i] = messages[i];
		if (!messages[i].from_slot)
			plan->messages[i].origin = (uint32_t)i;
	}
	memcpy(plan->map, map, plan->topo.n_nodes * sizeof *map);
	plan->n_order = n_order;
	for (unsigned d = 0; d < n_order; d++)
		plan->order[d] = order[d];
	if (loom_plan_predict(plan, &s->err) != 0)
		fail_msg("%s", s->err.text);

	s->trace.n_nodes = plan->topo.n_nodes;
	s->trace.n_channels = loom_topo_channels(&plan->topo);
	s->trace.n_passes = n_passes;
	s->trace.payload = (struct loom_payload){
		.seed = SEED, .flit_bits = 11, .label_bits = 2, .state_bits = 16, .signature_bits = 12};
	s->trace.arrivals = calloc(ROOM, sizeof *s->trace.arrivals);
	s->trace.counts = calloc((size_t)n_passes * s->trace.n_channels, sizeof *s->trace.counts);
	s->trace.sent = calloc(plan->topo.n_nodes, sizeof *s->trace.sent);
	s->trace.corrupt = calloc(plan->topo.n_nodes, sizeof *s->trace.corrupt);
	assert_true(s->trace.arrivals && s->trace.counts && s->trace.sent && s->trace.corrupt);
	for (size_t i = 0; i < n_messages; i++)
		if (messages[i].source != messages[i].destination)
			play_message(s, i);
}

static void tear_down(struct scene *s)
{
	loom_verdict_free(&s->verdict);
	loom_trace_free(&s->trace);
	loom_plan_free(&s->plan);
}

// Pass 0 is free of contention, in pass 1 two messages meet. Processor v is on node v ^ 2.
static void set_up_two_passes(struct scene *s)
{
	static const uint32_t map[] = {2, 3, 0, 1};
	static const struct loom_plan_message messages[] = {
		{.pass = 0, .source = 0, .destination = 1, .flits = 5},
		{.pass = 0, .source = 2, .destination = 2, .flits = 7},
		{.pass = 0, .source = 3, .destination = 0, .flits = 4},
		{.pass = 1, .source = 0, .destination = 3, .flits = 9},
		{.pass = 1, .source = 0, .destination = 2, .flits = 1},
		{.pass = 1, .source = 1, .destination = 3, .flits = 6, .rule = LOOM_RULE_DESCENDING},
	};
	set_up(s, "cube:2", map, 0, NULL, messages, sizeof messages / sizeof messages[0], 2);
}

// The arrival of message i; messages to oneself have none.
static struct loom_arrival *arrival_of(struct scene *s, size_t message)
{
	size_t at = 0;
	for (size_t i = 0; i < message; i++)
		at += s->plan.messages[i].source != s->plan.messages[i].destination;
	return &s->trace.arrivals[at];
}

static void remove_arrival(struct scene *s, size_t message)
{
	*arrival_of(s, message) = s->trace.arrivals[--s->trace.n_arrivals];
}

static void add_arrival(struct scene *s, struct loom_arrival arrival)
{
	assert_true(s->trace.n_arrivals < ROOM);
	s->trace.arrivals[s->trace.n_arrivals++] = arrival;
}

// The differences are these, all of them, in this order. The last one is NULL.
static void judge(struct scene *s, ...)
{
	va_list expected;
	const char *text;
	size_t n = 0;
	loom_verdict_free(&s->verdict);
	if (loom_verdict_make(&s->verdict, &s->plan, &s->trace, &s->err) != 0)
		fail_msg("%s", s->err.text);
	va_start(expected, s);
	while ((text = va_arg(expected, const char *)) != NULL) {
		if (n >= s->verdict.n_mismatches)
			fail_msg("%zu differences, not \"%s\"", n, text);
		assert_string_equal(s->verdict.mismatches[n], text);
		n++;
	}
	va_end(expected);
	if (s->verdict.n_mismatches != n)
		fail_msg("%zu differences instead of %zu, such as \"%s\"", s->verdict.n_mismatches, n,
		         s->verdict.mismatches[n]);
}

#define NO_MORE ((const char *)NULL)

// --- Nothing differs -----------------------------------------------------------------------------------------------

static void assert_group(const struct loom_group_count *group, const char *name, uint32_t max, uint64_t sum)
{
	assert_string_equal(group->name, name);
	assert_int_equal(group->max, max);
	assert_int_equal(group->sum, sum);
}

static void test_equal(void **state)
{
	(void)state;
	struct scene s;
	set_up_two_passes(&s);
	count_at(&s, 1, 1, 2)->blocked_cycles = 4;
	count_at(&s, 1, 3, 1)->blocked_cycles = 3;
	judge(&s, NO_MORE);
	assert_int_equal(s.verdict.nodes, s.plan.topo.n_nodes);
	assert_int_equal(s.verdict.messages, 6);
	assert_int_equal(s.verdict.flits, 32);
	assert_int_equal(s.verdict.delivered_messages, 6);
	assert_int_equal(s.verdict.delivered_flits, 32);
	assert_int_equal(s.verdict.corrupt_flits, 0);
	assert_int_equal(s.verdict.blocked_cycles, 7);
	// Nodes: 2 to 3, 1 to 0 to 2; then 2 to 3 to 1, 2 to 0, 3 to 1: the channel 3->1 carries two.
	assert_int_equal(s.verdict.n_groups, 4);
	for (int measured = 0; measured < 2; measured++) {
		const struct loom_group_count *group = measured ? s.verdict.measured : s.verdict.predicted;
		assert_group(&group[0], "dim0", 1, 3);
		assert_group(&group[1], "dim1", 2, 4);
		assert_group(&group[2], "inject", 2, 5);
		assert_group(&group[3], "eject", 2, 5);
	}
	assert_int_equal(s.verdict.predicted_contention, 2);
	assert_int_equal(s.verdict.measured_contention, 2);
	assert_true(s.verdict.predicted_cycles == LOOM_CYCLES_UNKNOWN);
	assert_int_equal(s.verdict.measured_cycles, 7 + 12);
	tear_down(&s);
}

static void test_equal_without_contention(void **state)
{
	(void)state;
	static const uint32_t map[] = {0, 2, 1, 3};
	static const unsigned order[] = {1, 0};
	static const struct loom_plan_message messages[] = {
		{.source = 0, .destination = 3, .flits = 3},
		{.source = 3, .destination = 0, .flits = 8},
		{.source = 1, .destination = 1, .flits = 100},
	};
	struct scene s;
	set_up(&s, "cube:2", map, 2, order, messages, 3, 1);
	judge(&s, NO_MORE);
	assert_int_equal(s.verdict.predicted_cycles, 11);
	assert_int_equal(s.verdict.measured_cycles, 11); // the message to oneself takes none
	assert_int_equal(s.verdict.delivered_flits, 111);
	assert_int_equal(s.verdict.measured_contention, 1);
	tear_down(&s);
}

static void test_equal_without_network(void **state)
{
	(void)state;
	static const uint32_t map[] = {1, 0};
	static const unsigned order[] = {0};
	static const struct loom_plan_message messages[] = {{.source = 0, .destination = 0, .flits = 3},
	                                                    {.source = 1, .destination = 1, .flits = 4}};
	struct scene s;
	for (size_t n = 0; n <= 2; n++) {
		set_up(&s, "cube:1", map, 0, order, messages, n, 1);
		judge(&s, NO_MORE);
		assert_int_equal(s.verdict.delivered_messages, n);
		assert_int_equal(s.verdict.delivered_flits, n == 2 ? 7 : 3 * n);
		assert_int_equal(s.verdict.measured_contention, 0);
		assert_int_equal(s.verdict.measured_cycles, 0);
		// What nobody was to send.
		add_arrival(&s, (struct loom_arrival){
					.node = 1, .destination = 1, .number = UINT32_MAX, .flits = 3, .intact = true});
		judge(&s,
		      "node 1 received, in pass 0, message 4294967295 of node 0 for node 1, which the plan does not "
		      "have",
		      NO_MORE);
		tear_down(&s);
	}
}

static void test_predict(void **state)
{
	(void)state;
	struct scene s;
	set_up_two_passes(&s);
	assert_int_equal(loom_verdict_predict(&s.verdict, &s.plan, &s.err), 0);
	assert_int_equal(s.verdict.n_mismatches, 0);
	assert_int_equal(s.verdict.messages, 6);
	assert_int_equal(s.verdict.flits, 32);
	assert_int_equal(s.verdict.predicted_contention, 2);
	assert_group(&s.verdict.predicted[1], "dim1", 2, 4);
	assert_group(&s.verdict.measured[1], "dim1", 0, 0);
	assert_int_equal(s.verdict.delivered_messages, 0);
	assert_int_equal(s.verdict.measured_cycles, 0);
	tear_down(&s);
	loom_verdict_free(NULL);
}

// --- Messages ------------------------------------------------------------------------------------------------------

static void test_lost(void **state)
{
	(void)state;
	struct scene s;
	set_up_two_passes(&s);
	remove_arrival(&s, 2);
	judge(&s, "message 2 (3 to 0, pass 0) never arrived", NO_MORE);
	assert_int_equal(s.verdict.delivered_messages, 5);
	assert_int_equal(s.verdict.delivered_flits, 28);
	assert_int_equal(s.verdict.measured_cycles, 7 + 12);
	s.trace.n_arrivals = 0;
	judge(&s, "message 2 (3 to 0, pass 0) never arrived", "message 0 (0 to 1, pass 0) never arrived",
	      "message 3 (0 to 3, pass 1) never arrived", "message 4 (0 to 2, pass 1) never arrived",
	      "message 5 (1 to 3, pass 1) never arrived", NO_MORE);
	assert_int_equal(s.verdict.delivered_messages, 1); // the one to oneself
	assert_int_equal(s.verdict.delivered_flits, 7);
	tear_down(&s);
}

static void test_duplicate(void **state)
{
	(void)state;
	struct scene s;
	set_up_two_passes(&s);
	add_arrival(&s, *arrival_of(&s, 0));
	judge(&s, "message 0 (0 to 1, pass 0) arrived 2 times, again at node 3", NO_MORE);
	assert_int_equal(s.verdict.delivered_messages, 6);
	assert_int_equal(s.verdict.delivered_flits, 32);
	add_arrival(&s, *arrival_of(&s, 0));
	judge(&s, "message 0 (0 to 1, pass 0) arrived 2 times, again at node 3",
	      "message 0 (0 to 1, pass 0) arrived 3 times, again at node 3", NO_MORE);
	tear_down(&s);
}

static void test_misrouted(void **state)
{
	(void)state;
	struct scene s;
	set_up_two_passes(&s);
	arrival_of(&s, 2)->node = 1;
	judge(&s, "message 2 (3 to 0, pass 0) arrived at node 1 instead of node 2", NO_MORE);
	assert_int_equal(s.verdict.delivered_messages, 5);
	// Its header too names the other node.
	arrival_of(&s, 2)->destination = 1;
	judge(&s, "node 1 received, in pass 0, message 0 of node 1 for node 1, which the plan does not have",
	      "message 2 (3 to 0, pass 0) never arrived", NO_MORE);
	tear_down(&s);
}

static void test_duplicate_elsewhere(void **state)
{
	(void)state;
	struct scene s;
	set_up_two_passes(&s);
	add_arrival(&s, *arrival_of(&s, 3));
	s.trace.arrivals[s.trace.n_arrivals - 1].node = 0;
	judge(&s, "message 3 (0 to 3, pass 1) arrived 2 times, again at node 0",
	      "message 3 (0 to 3, pass 1) arrived at node 0 instead of node 1", NO_MORE);
	tear_down(&s);
}

static void test_corrupted(void **state)
{
	(void)state;
	struct scene s;
	set_up_two_passes(&s);
	arrival_of(&s, 5)->intact = false;
	judge(&s, "message 5 (1 to 3, pass 1) arrived corrupted at node 1", NO_MORE);
	assert_int_equal(s.verdict.delivered_messages, 5);
	assert_int_equal(s.verdict.corrupt_flits, 0);
	tear_down(&s);
}

// The node's own check says that all is well: the signature does not.
static void test_signature(void **state)
{
	(void)state;
	struct scene s;
	set_up_two_passes(&s);
	uint32_t *signature = &arrival_of(&s, 5)->signature, good = *signature;
	char says[160];
	for (unsigned bit = 0; bit < 12; bit++) {
		*signature = good ^ 1u << bit;
		(void)snprintf(
			says, sizeof says,
			"message 5 (1 to 3, pass 1) arrived at node 1 with signature 0x%x; that of its payload is 0x%x",
			*signature, good);
		judge(&s, says, NO_MORE);
	}
	*signature = good;
	judge(&s, NO_MORE);
	// The data of another seed is not what was sent, in no message of more than one flit.
	s.trace.payload.seed ^= 1;
	loom_verdict_free(&s.verdict);
	assert_int_equal(loom_verdict_make(&s.verdict, &s.plan, &s.trace, &s.err), 0);
	assert_int_equal(s.verdict.n_mismatches, 4);
	// A chip without signatures.
	s.trace.payload.signature_bits = 0;
	for (size_t i = 0; i < s.trace.n_arrivals; i++)
		s.trace.arrivals[i].signature = 0;
	judge(&s, NO_MORE);
	tear_down(&s);
}

// Which messages are missing, up to a pass; data that comes twice counts twice.
// Where messages meet no cycle is predicted, but each has the earliest that its way and its length allow.
static void test_bounds(void **state)
{
	(void)state;
	struct scene s;
	set_up_two_passes(&s);
	struct loom_arrival *a = arrival_of(&s, 3); // 9 flits over two hops
	assert_true(s.plan.cycles[1] == LOOM_CYCLES_UNKNOWN);
	a->first_cycle = 4;
	a->last_cycle = 12;
	judge(&s, NO_MORE);
	a->first_cycle = 40;
	a->last_cycle = 48;
	judge(&s, NO_MORE);
	a->last_cycle = 47;
	judge(&s, "message 3 (0 to 3, pass 1) was complete in cycle 47 instead of 48 or later", NO_MORE);
	a->first_cycle = 3;
	judge(&s, "the header of message 3 (0 to 3, pass 1) arrived in cycle 3 instead of 4 or later", NO_MORE);
	tear_down(&s);
	set_up_two_passes(&s);
	a = arrival_of(&s, 0); // nobody else is about: exactly then
	a->first_cycle++;
	judge(&s, "the header of message 0 (0 to 1, pass 0) arrived in cycle 4 instead of 3", NO_MORE);
	a->first_cycle--;
	a->last_cycle++;
	judge(&s, "message 0 (0 to 1, pass 0) was complete in cycle 8 instead of 7", NO_MORE);
	tear_down(&s);
}

static void test_header_fields(void **state)
{
	(void)state;
	struct scene s;
	set_up_two_passes(&s);
	struct loom_arrival *a = arrival_of(&s, 5);
	a->rule = 0;
	judge(&s, "the header of message 5 (1 to 3, pass 1) says rule 0 and slot 0 instead of 1 and 0", NO_MORE);
	a->rule = 1;
	a->keep_slot = 2;
	judge(&s, "the header of message 5 (1 to 3, pass 1) says rule 1 and slot 2 instead of 1 and 0", NO_MORE);
	tear_down(&s);
}

static void test_missing(void **state)
{
	(void)state;
	struct scene s;
	size_t missing[4], n = 77;
	set_up_two_passes(&s);
	assert_int_equal(loom_verdict_missing(missing, 4, &n, &s.plan, &s.trace, 1, &s.err), 0);
	assert_int_equal(n, 0);
	remove_arrival(&s, 4); // the last one, of message 5, takes its place
	remove_arrival(&s, 0);
	assert_int_equal(loom_verdict_missing(missing, 4, &n, &s.plan, &s.trace, 1, &s.err), 0);
	assert_int_equal(n, 2);
	assert_int_equal(missing[0], 0);
	assert_int_equal(missing[1], 4);
	assert_int_equal(loom_verdict_missing(missing, 4, &n, &s.plan, &s.trace, 0, &s.err), 0);
	assert_int_equal(n, 1);
	assert_int_equal(missing[0], 0);
	s.trace.n_arrivals = 0;
	missing[2] = 99;
	assert_int_equal(loom_verdict_missing(missing, 2, &n, &s.plan, &s.trace, 1, &s.err), 0);
	assert_int_equal(n, 5);
	assert_int_equal(missing[0], 0);
	assert_int_equal(missing[1], 2);
	assert_int_equal(missing[2], 99);
	tear_down(&s);
}

static void test_corrupt_flits(void **state)
{
	(void)state;
	struct scene s;
	set_up_two_passes(&s);
	s.trace.corrupt[1] = 7;
	s.trace.corrupt[3] = UINT32_MAX;
	judge(&s, "channel eject 1 delivered 7 corrupted flits", "channel eject 3 delivered 4294967295 corrupted flits",
	      NO_MORE);
	assert_true(s.verdict.corrupt_flits == UINT64_C(7) + UINT32_MAX);
	tear_down(&s);
}

static void test_length(void **state)
{
	(void)state;
	struct scene s;
	set_up_two_passes(&s);
	arrival_of(&s, 3)->flits = 8;
	judge(&s, "message 3 (0 to 3, pass 1) arrived with 8 flits instead of 9", NO_MORE);
	assert_int_equal(s.verdict.delivered_messages, 5);
	assert_int_equal(s.verdict.delivered_flits, 23);
	arrival_of(&s, 3)->flits = 65535;
	judge(&s, "message 3 (0 to 3, pass 1) arrived with 65535 flits instead of 9", NO_MORE);
	tear_down(&s);
}

static void test_pass(void **state)
{
	(void)state;
	struct scene s;
	set_up_two_passes(&s);
	arrival_of(&s, 0)->pass = 1;
	judge(&s, "node 3 received, in pass 1, message 0 of node 2 for node 3, which the plan does not have",
	      "message 0 (0 to 1, pass 0) never arrived", NO_MORE);
	arrival_of(&s, 0)->pass = 0x3fff; // no pass of this plan at all
	arrival_of(&s, 0)->last_cycle = 1000;
	judge(&s, "node 3 received, in pass 16383, message 0 of node 2 for node 3, which the plan does not have",
	      "message 0 (0 to 1, pass 0) never arrived", NO_MORE);
	assert_int_equal(s.verdict.measured_cycles, 7 + 12);
	tear_down(&s);
}

static void test_cycle(void **state)
{
	(void)state;
	struct scene s;
	set_up_two_passes(&s);
	arrival_of(&s, 0)->last_cycle = 8;
	arrival_of(&s, 4)->last_cycle = 30; // messages meet in pass 1: nobody said when
	judge(&s, "message 0 (0 to 1, pass 0) was complete in cycle 8 instead of 7", NO_MORE);
	assert_int_equal(s.verdict.measured_cycles, 8 + 30);
	arrival_of(&s, 0)->last_cycle = 6;
	judge(&s, "message 0 (0 to 1, pass 0) was complete in cycle 6 instead of 7", NO_MORE);
	tear_down(&s);
}

static void test_exchanged(void **state)
{
	(void)state;
	struct scene s;
	set_up_two_passes(&s);
	// Messages 3 and 4 are numbers 1 and 2 of node 2: each arrived as the other.
	arrival_of(&s, 3)->number = 2;
	arrival_of(&s, 4)->number = 1;
	judge(&s, "node 1 received, in pass 1, message 2 of node 2 for node 1, which the plan does not have",
	      "node 0 received, in pass 1, message 1 of node 2 for node 0, which the plan does not have",
	      "message 3 (0 to 3, pass 1) never arrived", "message 4 (0 to 2, pass 1) never arrived", NO_MORE);
	tear_down(&s);
}

static void test_unknown(void **state)
{
	(void)state;
	struct scene s;
	set_up_two_passes(&s);
	add_arrival(&s, (struct loom_arrival){
				.node = 3, .source = 3, .number = 7, .destination = 3, .flits = 1, .intact = true});
	judge(&s, "node 3 received, in pass 0, message 7 of node 3 for node 3, which the plan does not have", NO_MORE);
	assert_int_equal(s.verdict.delivered_messages, 6);
	assert_int_equal(s.verdict.delivered_flits, 32);
	tear_down(&s);
}

static void test_sent(void **state)
{
	(void)state;
	struct scene s;
	set_up_two_passes(&s);
	s.trace.sent[2] = 2;
	s.trace.sent[0] = 1; // whose processor sends to itself only
	judge(&s, "node 0 sent 1 messages instead of 0", "node 2 sent 2 messages instead of 3", NO_MORE);
	tear_down(&s);
}

// --- Channels ------------------------------------------------------------------------------------------------------

static void test_channel_messages(void **state)
{
	(void)state;
	struct scene s;
	set_up_two_passes(&s);
	count_at(&s, 1, 3, 1)->worms = 3;
	judge(&s, "channel 3->1 (dim 1) carried 3 messages in pass 1 instead of 2", NO_MORE);
	assert_int_equal(s.verdict.measured_contention, 3);
	assert_int_equal(s.verdict.predicted_contention, 2);
	assert_group(&s.verdict.measured[1], "dim1", 3, 5);
	count_at(&s, 1, 3, 1)->worms = 1;
	judge(&s, "channel 3->1 (dim 1) carried 1 messages in pass 1 instead of 2", NO_MORE);
	assert_int_equal(s.verdict.measured_contention, 1);
	count_at(&s, 1, 3, 1)->worms = 2;
	count_at(&s, 0, 0, 0)->worms = 1; // a channel that nobody is to use
	judge(&s, "channel 0->1 (dim 0) carried 1 messages in pass 0 instead of 0", NO_MORE);
	count_at(&s, 0, 0, 0)->worms = 0;
	count_at(&s, 0, 3, 2)->worms = 0;
	count_at(&s, 1, 2, 3)->worms = 9; // the nodes' own channels are checked, but are no contention
	judge(&s, "channel eject 3 carried 0 messages in pass 0 instead of 1",
	      "channel inject 2 carried 9 messages in pass 1 instead of 2", NO_MORE);
	assert_int_equal(s.verdict.measured_contention, 2);
	tear_down(&s);
}

static void test_channel_flits(void **state)
{
	(void)state;
	struct scene s;
	set_up_two_passes(&s);
	count_at(&s, 1, 3, 1)->flits--;
	count_at(&s, 0, 0, 0)->flits++;
	judge(&s, "channel 0->1 (dim 0) carried 1 flits in pass 0 instead of 0",
	      "channel 3->1 (dim 1) carried 14 flits in pass 1 instead of 15", NO_MORE);
	tear_down(&s);
}

// The counts of two neighbours exchanged: a checker which looks at the wrong one would not mind.
static void test_channels_exchanged(void **state)
{
	(void)state;
	struct scene s;
	set_up_two_passes(&s);
	struct loom_count *a = count_at(&s, 0, 0, 0), *b = count_at(&s, 0, 0, 1), c = *a;
	*a = *b;
	*b = c;
	judge(&s, "channel 0->1 (dim 0) carried 1 messages in pass 0 instead of 0",
	      "channel 0->1 (dim 0) carried 4 flits in pass 0 instead of 0",
	      "channel 0->2 (dim 1) carried 0 messages in pass 0 instead of 1",
	      "channel 0->2 (dim 1) carried 0 flits in pass 0 instead of 4", NO_MORE);
	tear_down(&s);
}

static void test_passes_exchanged(void **state)
{
	(void)state;
	struct scene s;
	set_up_two_passes(&s);
	struct loom_count *a = count_at(&s, 0, 2, 1), *b = count_at(&s, 1, 2, 1), c = *a;
	*a = *b;
	*b = c;
	judge(&s, "channel 2->0 (dim 1) carried 1 messages in pass 0 instead of 0",
	      "channel 2->0 (dim 1) carried 1 flits in pass 0 instead of 0",
	      "channel 2->0 (dim 1) carried 0 messages in pass 1 instead of 1",
	      "channel 2->0 (dim 1) carried 0 flits in pass 1 instead of 1", NO_MORE);
	tear_down(&s);
}

static void test_blocked(void **state)
{
	(void)state;
	struct scene s;
	set_up_two_passes(&s);
	count_at(&s, 0, 1, 0)->blocked_cycles = 2;
	count_at(&s, 1, 1, 2)->blocked_cycles = 4; // where messages meet they wait ...
	judge(&s, "a header waited 2 cycles for channel 1->0 (dim 0) in pass 0, which is free of contention", NO_MORE);
	assert_int_equal(s.verdict.blocked_cycles, 6);
	count_at(&s, 0, 1, 0)->blocked_cycles = 0;
	count_at(&s, 1, 1, 0)->blocked_cycles = 3; // elsewhere they do not, in whatever pass
	judge(&s, "a header waited 3 cycles for channel 1->0 (dim 0) in pass 1, which nobody else uses", NO_MORE);
	count_at(&s, 1, 1, 0)->blocked_cycles = 0;
	count_at(&s, 1, 1, 2)->blocked_cycles = 5; // ... but not after they have arrived
	judge(&s, "headers waited 5 cycles for channel eject 1 in pass 1; the last header over it arrived in cycle 4",
	      NO_MORE);
	tear_down(&s);
}

static void test_theory(void **state)
{
	(void)state;
	struct scene s;
	set_up_two_passes(&s);
	// dim0, dim1, inject, eject of each pass. Nothing is said of channels that carry nothing.
	static const uint32_t theory[] = {1, 1, 1, 1, 1, UINT32_MAX, UINT32_MAX, UINT32_MAX};
	s.plan.n_theory = 8;
	s.plan.theory = malloc(sizeof theory);
	assert_non_null(s.plan.theory);
	memcpy(s.plan.theory, theory, sizeof theory);
	judge(&s, NO_MORE);
	s.plan.theory[1] = 2;
	judge(&s, "channel 0->2 (dim 1) carried 1 messages in pass 0; the theorem says 2 for dim1", NO_MORE);
	s.plan.theory[1] = 0;
	judge(&s, "channel 0->2 (dim 1) carried 1 messages in pass 0; the theorem says 0 for dim1", NO_MORE);
	s.plan.theory[1] = 1;
	s.plan.theory[7] = 1;
	judge(&s, "channel eject 1 carried 2 messages in pass 1; the theorem says 1 for eject", NO_MORE);
	s.plan.theory[7] = UINT32_MAX;
	count_at(&s, 0, 2, 0)->worms = 2; // against both
	judge(&s, "channel 2->3 (dim 0) carried 2 messages in pass 0 instead of 1",
	      "channel 2->3 (dim 0) carried 2 messages in pass 0; the theorem says 1 for dim0", NO_MORE);
	tear_down(&s);
}

// --- Relayed messages ----------------------------------------------------------------------------------------------

// Processor 1 keeps what 0 sends it and passes it on to 3, after a message of its own, by the other rule.
static void set_up_relay(struct scene *s)
{
	static const uint32_t map[] = {3, 2, 1, 0};
	static const struct loom_plan_message messages[] = {
		{.pass = 0, .source = 0, .destination = 2, .flits = 2},
		{.pass = 0, .source = 0, .destination = 1, .flits = 6, .keep_slot = 1},
		{.pass = 1, .source = 1, .destination = 0, .flits = 3},
		{.pass = 1,
	         .source = 1,
	         .destination = 2,
	         .flits = 6,
	         .from_slot = 1,
	         .keep_slot = 2,
	         .origin = 1,
	         .rule = LOOM_RULE_DESCENDING},
		{.pass = 2, .source = 2, .destination = 3, .flits = 6, .from_slot = 2, .origin = 3},
		{.pass = 2, .source = 1, .destination = 0, .flits = 6, .from_slot = 1, .origin = 1},
	};
	set_up(s, "cube:2", map, 0, NULL, messages, sizeof messages / sizeof messages[0], 3);
}

static void test_relay(void **state)
{
	(void)state;
	struct scene s;
	set_up_relay(&s);
	// All four bear the number that the data had when it was made.
	for (size_t i = 1; i < 6; i++)
		assert_int_equal(arrival_of(&s, i)->number, i != 2);
	judge(&s, NO_MORE);
	assert_int_equal(s.verdict.delivered_messages, 6);
	assert_int_equal(s.verdict.delivered_flits, 29);
	remove_arrival(&s, 4);
	judge(&s, "message 4 (2 to 3, pass 2) never arrived", NO_MORE);
	tear_down(&s);

	// As if the one who passes it on had made it.
	set_up_relay(&s);
	arrival_of(&s, 3)->source = 2;
	judge(&s, "node 1 received, in pass 1, message 1 of node 2 for node 1, which the plan does not have",
	      "message 3 (1 to 2, pass 1) never arrived", NO_MORE);
	tear_down(&s);

	// Again what came in the pass before.
	set_up_relay(&s);
	arrival_of(&s, 4)->pass = 1;
	arrival_of(&s, 5)->intact = false;
	judge(&s, "node 0 received, in pass 1, message 1 of node 3 for node 0, which the plan does not have",
	      "message 5 (1 to 0, pass 2) arrived corrupted at node 3", "message 4 (2 to 3, pass 2) never arrived",
	      NO_MORE);
	tear_down(&s);
}

// The same data comes to processor 3 by two ways in one pass: its arrivals look alike.
static void test_relay_two_ways(void **state)
{
	(void)state;
	static const uint32_t map[] = {0, 1, 2, 3};
	static const unsigned order[] = {0, 1};
	static const struct loom_plan_message messages[] = {
		{.pass = 0, .source = 0, .destination = 1, .flits = 4, .keep_slot = 1},
		{.pass = 1, .source = 1, .destination = 2, .flits = 4, .from_slot = 1, .keep_slot = 1},
		{.pass = 2, .source = 1, .destination = 3, .flits = 4, .from_slot = 1},
		{.pass = 2, .source = 2, .destination = 3, .flits = 4, .from_slot = 1, .origin = 1},
	};
	struct scene s;
	set_up(&s, "cube:2", map, 2, order, messages, 4, 3);
	judge(&s, NO_MORE);
	remove_arrival(&s, 2);
	judge(&s, "message 3 (2 to 3, pass 2) never arrived", NO_MORE); // which of the two, nobody can say
	tear_down(&s);
}

// --- Many differences, shapes --------------------------------------------------------------------------------------

static void test_many(void **state)
{
	(void)state;
	struct scene s;
	set_up_two_passes(&s);
	while (s.trace.n_arrivals < 5 + 100)
		add_arrival(&s, (struct loom_arrival){.node = 1,
		                                      .source = UINT32_MAX,
		                                      .number = (uint32_t)s.trace.n_arrivals,
		                                      .destination = UINT32_MAX,
		                                      .pass = UINT32_MAX,
		                                      .flits = UINT32_MAX});
	assert_int_equal(loom_verdict_make(&s.verdict, &s.plan, &s.trace, &s.err), 0);
	assert_int_equal(s.verdict.n_mismatches, 100);
	for (unsigned i = 0; i < LOOM_MISMATCHES_KEPT; i++) {
		char text[200];
		(void)snprintf(text, sizeof text,
		               "node 1 received, in pass 4294967295, message %u of node 4294967295 for node "
		               "4294967295, which the plan does not have",
		               5 + i);
		assert_string_equal(s.verdict.mismatches[i], text);
	}
	tear_down(&s);
}

// --- Back to back --------------------------------------------------------------------------------------------------

// The two passes once more from one start. Their last tails arrive in cycles 7 and 12: pass 1 begins 8 + (7 + 3) + 8
// cycles after the start.
static struct loom_trace *set_up_back_to_back(struct scene *s)
{
	set_up_two_passes(s);
	const struct loom_trace *t = &s->trace;
	struct loom_trace *b = calloc(1, sizeof *b);
	assert_non_null(b);
	*b = *t;
	b->began = 26;
	b->arrivals = calloc(ROOM, sizeof *b->arrivals);
	b->counts = calloc(t->n_channels, sizeof *b->counts);
	b->sent = calloc(t->n_nodes, sizeof *b->sent);
	b->corrupt = calloc(t->n_nodes, sizeof *b->corrupt);
	assert_true(b->arrivals && b->counts && b->sent && b->corrupt);
	memcpy(b->arrivals, t->arrivals, t->n_arrivals * sizeof *t->arrivals);
	memcpy(b->counts, t->counts + t->n_channels, t->n_channels * sizeof *t->counts);
	memcpy(b->sent, t->sent, t->n_nodes * sizeof *t->sent);
	s->trace.back_to_back = b;
	return b;
}

static void test_back_to_back(void **state)
{
	(void)state;
	struct scene s;
	struct loom_trace *b = set_up_back_to_back(&s);
	judge(&s, NO_MORE);
	assert_true(s.verdict.predicted_back_to_back_cycles == LOOM_CYCLES_UNKNOWN);
	assert_int_equal(s.verdict.measured_back_to_back_cycles, 38);
	assert_int_equal(s.verdict.delivered_messages, 6); // not twice
	assert_int_equal(s.verdict.delivered_flits, 32);

	b->began = 25;
	judge(&s, "back to back: the last tail arrived in cycle 37 of the run; its passes and barriers take 38",
	      NO_MORE);
	assert_int_equal(s.verdict.measured_back_to_back_cycles, 37);
	b->began = 26;

	b->counts[3 * 4 + 1].blocked_cycles = 2; // node 3, dim1
	judge(&s,
	      "back to back: channel 3->1 (dim 1) carried 2 messages and 15 flits in the last pass, and headers waited "
	      "2 "
	      "cycles; pass by pass it was 2, 15 and 0",
	      NO_MORE);
	b->counts[3 * 4 + 1].blocked_cycles = 0;

	b->arrivals[4].first_cycle += 2; // later than it might be, which contention allows
	b->arrivals[4].last_cycle += 2;
	judge(&s,
	      "back to back: node 1 received message 0 of node 3 in pass 1, cycles 5 to 10; pass by pass it was "
	      "message 0 of node 3 in pass 1, cycles 3 to 8, at node 1",
	      NO_MORE);
	tear_down(&s);

	b = set_up_back_to_back(&s);
	b->n_arrivals--; // and with it the last tail but one: pass 1 ends in cycle 12 all the same
	judge(&s, "back to back: message 5 (1 to 3, pass 1) never arrived", NO_MORE);
	b->sent[3] = 0;
	b->corrupt[2] = 3;
	judge(&s, "back to back: node 3 sent 0 messages instead of 1",
	      "back to back: message 5 (1 to 3, pass 1) never arrived",
	      "back to back: channel eject 2 delivered 3 corrupted flits", NO_MORE);
	tear_down(&s);

	b = set_up_back_to_back(&s); // the first of everything
	b->counts[0].blocked_cycles++;
	judge(&s,
	      "back to back: channel 0->1 (dim 0) carried 0 messages and 0 flits in the last pass, and headers waited "
	      "1 "
	      "cycles; pass by pass it was 0, 0 and 0",
	      NO_MORE);
	b->counts[0].blocked_cycles--;
	const struct loom_arrival late = s.trace.arrivals[4];
	s.trace.arrivals[4] = b->arrivals[4] = s.trace.arrivals[0];
	s.trace.arrivals[0] = b->arrivals[0] = late;
	judge(&s, NO_MORE);
	b->arrivals[0].first_cycle += 2;
	b->arrivals[0].last_cycle += 2;
	judge(&s,
	      "back to back: node 1 received message 0 of node 3 in pass 1, cycles 5 to 10; pass by pass it was "
	      "message 0 of node 3 in pass 1, cycles 3 to 8, at node 1",
	      NO_MORE);
	tear_down(&s);

	b = set_up_back_to_back(&s); // only the passes one by one had one too many
	add_arrival(&s, s.trace.arrivals[0]);
	judge(&s, "message 0 (0 to 1, pass 0) arrived 2 times, again at node 3", NO_MORE);
	tear_down(&s);

	b = set_up_back_to_back(&s); // of the wrong shape
	b->n_passes = 1;
	assert_int_equal(loom_verdict_make(&s.verdict, &s.plan, &s.trace, &s.err), LOOM_EINTERNAL);
	tear_down(&s);

	set_up_two_passes(&s); // not run so
	judge(&s, NO_MORE);
	assert_int_equal(s.verdict.measured_back_to_back_cycles, 0);
	tear_down(&s);
}

// More than are kept are counted, those of this run as well.
static void test_many_back_to_back(void **state)
{
	(void)state;
	for (uint32_t n = LOOM_MISMATCHES_KEPT - 1; n <= LOOM_MISMATCHES_KEPT + 30; n++) {
		struct scene s;
		struct loom_trace *b = set_up_back_to_back(&s);
		while (b->n_arrivals < s.trace.n_arrivals + n)
			b->arrivals[b->n_arrivals++] = (struct loom_arrival){.node = 1,
			                                                     .source = UINT32_MAX,
			                                                     .number = (uint32_t)b->n_arrivals,
			                                                     .destination = UINT32_MAX,
			                                                     .pass = UINT32_MAX,
			                                                     .flits = UINT32_MAX};
		assert_int_equal(loom_verdict_make(&s.verdict, &s.plan, &s.trace, &s.err), 0);
		assert_int_equal(s.verdict.n_mismatches, n);
		for (uint32_t i = 0; i < n && i < LOOM_MISMATCHES_KEPT; i++)
			assert_non_null(
				strstr(s.verdict.mismatches[i], "back to back: node 1 received, in pass 4294967295"));
		tear_down(&s);
	}
}

static void test_shapes(void **state)
{
	(void)state;
	struct scene s;
	struct loom_verdict before;
	set_up_two_passes(&s);
	memset(&before, 0xa5, sizeof before);
	for (int i = 0; i < 6; i++) {
		struct loom_trace other = s.trace;
		uint32_t *field = i < 2 ? &other.n_nodes : i < 4 ? &other.n_channels : &other.n_passes;
		*field += i % 2 ? 1u : UINT32_MAX;
		struct loom_verdict v = before;
		memset(&s.err, 0, sizeof s.err);
		assert_int_equal(loom_verdict_make(&v, &s.plan, &other, &s.err), LOOM_EINTERNAL);
		assert_int_equal(s.err.code, LOOM_EINTERNAL);
		char says[120];
		(void)snprintf(says, sizeof says, "%u nodes, %u channels, %u passes; the plan 4, 16, 2", other.n_nodes,
		               other.n_channels, other.n_passes);
		assert_non_null(strstr(s.err.text, says));
		assert_memory_equal(&v, &before, sizeof v);
		assert_int_equal(loom_verdict_make(&v, &s.plan, &other, NULL), LOOM_EINTERNAL);
	}
	tear_down(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_equal),
		cmocka_unit_test(test_equal_without_contention),
		cmocka_unit_test(test_equal_without_network),
		cmocka_unit_test(test_predict),
		cmocka_unit_test(test_lost),
		cmocka_unit_test(test_duplicate),
		cmocka_unit_test(test_misrouted),
		cmocka_unit_test(test_duplicate_elsewhere),
		cmocka_unit_test(test_corrupted),
		cmocka_unit_test(test_signature),
		cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_header_fields),
		cmocka_unit_test(test_missing),
		cmocka_unit_test(test_corrupt_flits),
		cmocka_unit_test(test_length),
		cmocka_unit_test(test_pass),
		cmocka_unit_test(test_cycle),
		cmocka_unit_test(test_exchanged),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_sent),
		cmocka_unit_test(test_channel_messages),
		cmocka_unit_test(test_channel_flits),
		cmocka_unit_test(test_channels_exchanged),
		cmocka_unit_test(test_passes_exchanged),
		cmocka_unit_test(test_blocked),
		cmocka_unit_test(test_theory),
		cmocka_unit_test(test_relay),
		cmocka_unit_test(test_relay_two_ways),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_back_to_back),
		cmocka_unit_test(test_many_back_to_back),
		cmocka_unit_test(test_shapes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
