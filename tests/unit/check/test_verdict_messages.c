// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The verdict on messages, also relayed ones: a trace made by hand, with one message wrong in one way.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include <flitloom/verdict.h>

#include "unit/help/verdict_scene.h"

static void test_lost(void **state)
{
	(void)state;
	struct scene s;
	scene_two_passes(&s);
	scene_remove_arrival(&s, 2);
	scene_judge(&s, "message 2 (3 to 0, pass 0) never arrived", NO_MORE);
	assert_int_equal(s.verdict.delivered_messages, 5);
	assert_int_equal(s.verdict.delivered_flits, 28);
	assert_int_equal(s.verdict.measured_cycles, 7 + 17);
	s.trace.n_arrivals = 0;
	scene_judge(&s, "message 2 (3 to 0, pass 0) never arrived", "message 0 (0 to 1, pass 0) never arrived",
	            "message 3 (0 to 3, pass 1) never arrived", "message 4 (0 to 2, pass 1) never arrived",
	            "message 5 (1 to 3, pass 1) never arrived", NO_MORE);
	assert_int_equal(s.verdict.delivered_messages, 1); // the message to its own node
	assert_int_equal(s.verdict.delivered_flits, 7);
	scene_tear_down(&s);
}

static void test_duplicate(void **state)
{
	(void)state;
	struct scene s;
	scene_two_passes(&s);
	scene_add_arrival(&s, *scene_arrival_of(&s, 0));
	scene_judge(&s, "message 0 (0 to 1, pass 0) arrived 2 times, again at node 3", NO_MORE);
	assert_int_equal(s.verdict.delivered_messages, 6);
	assert_int_equal(s.verdict.delivered_flits, 32);
	scene_add_arrival(&s, *scene_arrival_of(&s, 0));
	scene_judge(&s, "message 0 (0 to 1, pass 0) arrived 2 times, again at node 3",
	            "message 0 (0 to 1, pass 0) arrived 3 times, again at node 3", NO_MORE);
	scene_tear_down(&s);
}

static void test_misrouted(void **state)
{
	(void)state;
	struct scene s;
	scene_two_passes(&s);
	scene_arrival_of(&s, 2)->node = 1;
	scene_judge(&s, "message 2 (3 to 0, pass 0) arrived at node 1 instead of node 2", NO_MORE);
	assert_int_equal(s.verdict.delivered_messages, 5);
	// Its header also names the other node.
	scene_arrival_of(&s, 2)->destination = 1;
	scene_judge(&s, "node 1 received, in pass 0, message 0 of node 1 for node 1, which the plan does not have",
	            "message 2 (3 to 0, pass 0) never arrived", NO_MORE);
	scene_tear_down(&s);
}

static void test_duplicate_elsewhere(void **state)
{
	(void)state;
	struct scene s;
	scene_two_passes(&s);
	scene_add_arrival(&s, *scene_arrival_of(&s, 3));
	s.trace.arrivals[s.trace.n_arrivals - 1].node = 0;
	scene_judge(&s, "message 3 (0 to 3, pass 1) arrived 2 times, again at node 0",
	            "message 3 (0 to 3, pass 1) arrived at node 0 instead of node 1", NO_MORE);
	scene_tear_down(&s);
}

static void test_corrupted(void **state)
{
	(void)state;
	struct scene s;
	scene_two_passes(&s);
	scene_arrival_of(&s, 5)->intact = false;
	scene_judge(&s, "message 5 (1 to 3, pass 1) arrived corrupted at node 1", NO_MORE);
	assert_int_equal(s.verdict.delivered_messages, 5);
	assert_int_equal(s.verdict.corrupt_flits, 0);
	scene_tear_down(&s);
}

// The node's own check finds no error, but the signature is wrong.
static void test_signature(void **state)
{
	(void)state;
	struct scene s;
	scene_two_passes(&s);
	uint32_t *signature = &scene_arrival_of(&s, 5)->signature, good = *signature;
	char says[160];
	for (unsigned bit = 0; bit < 12; bit++) {
		*signature = good ^ 1u << bit;
		(void)snprintf(
			says, sizeof says,
			"message 5 (1 to 3, pass 1) arrived at node 1 with signature 0x%x; that of its payload is 0x%x",
			*signature, good);
		scene_judge(&s, says, NO_MORE);
	}
	*signature = good;
	scene_judge(&s, NO_MORE);
	// With another seed the data of each message of more than one flit is wrong.
	s.trace.payload.seed ^= 1;
	loom_verdict_free(&s.verdict);
	assert_int_equal(loom_verdict_make(&s.verdict, &s.plan, &s.trace, &s.err), 0);
	assert_int_equal(s.verdict.n_mismatches, 4);
	// A chip without signatures.
	s.trace.payload.signature_bits = 0;
	for (size_t i = 0; i < s.trace.n_arrivals; i++)
		s.trace.arrivals[i].signature = 0;
	scene_judge(&s, NO_MORE);
	scene_tear_down(&s);
}

// Cycles of header and tail are checked, also where messages contend.
static void test_cycles(void **state)
{
	(void)state;
	struct scene s;
	scene_two_passes(&s);
	struct loom_arrival *a = scene_arrival_of(&s, 3); // 9 flits over two hops, which wait for message 5
	a->first_cycle = 4;
	scene_judge(&s, "the header of message 3 (0 to 3, pass 1) arrived in cycle 4 instead of 9", NO_MORE);
	a->last_cycle = 12;
	scene_judge(&s, "the header of message 3 (0 to 3, pass 1) arrived in cycle 4 instead of 9",
	            "message 3 (0 to 3, pass 1) was complete in cycle 12 instead of 17", NO_MORE);
	a->first_cycle = 10;
	a->last_cycle = 18;
	scene_judge(&s, "the header of message 3 (0 to 3, pass 1) arrived in cycle 10 instead of 9",
	            "message 3 (0 to 3, pass 1) was complete in cycle 18 instead of 17", NO_MORE);
	assert_int_equal(s.verdict.measured_cycles, 7 + 18);
	a->first_cycle = 9;
	a->last_cycle = 17;
	a = scene_arrival_of(&s, 0); // there is no other message
	a->first_cycle++;
	scene_judge(&s, "the header of message 0 (0 to 1, pass 0) arrived in cycle 4 instead of 3", NO_MORE);
	a->first_cycle--;
	a->last_cycle++;
	scene_judge(&s, "message 0 (0 to 1, pass 0) was complete in cycle 8 instead of 7", NO_MORE);
	assert_int_equal(s.verdict.measured_cycles, 8 + 17);
	a->last_cycle = 6;
	scene_judge(&s, "message 0 (0 to 1, pass 0) was complete in cycle 6 instead of 7", NO_MORE);
	scene_tear_down(&s);
}

// If there is a formula, the machine must agree with it, whatever arrived.
static void test_formula(void **state)
{
	(void)state;
	struct scene s;
	scene_two_passes(&s);
	s.plan.cycles[1] = 12; // as if there were no contention
	scene_judge(&s, "message 3 (0 to 3, pass 1) is complete in cycle 12 by the formula and 17 by the machine",
	            "message 4 (0 to 2, pass 1) is complete in cycle 3 by the formula and 17 by the machine", NO_MORE);
	assert_int_equal(s.verdict.delivered_messages, 4);
	scene_tear_down(&s);
}

static void test_header_fields(void **state)
{
	(void)state;
	struct scene s;
	scene_two_passes(&s);
	struct loom_arrival *a = scene_arrival_of(&s, 5);
	a->rule = 0;
	scene_judge(&s, "the header of message 5 (1 to 3, pass 1) says rule 0 and slot 0 instead of 1 and 0", NO_MORE);
	a->rule = 1;
	a->keep_slot = 2;
	scene_judge(&s, "the header of message 5 (1 to 3, pass 1) says rule 1 and slot 2 instead of 1 and 0", NO_MORE);
	a->keep_slot = 0;
	a->via = 1;
	scene_judge(&s, "the header of message 5 (1 to 3, pass 1) names intermediate node 1 instead of 0", NO_MORE);
	s.plan.messages[5].via = 2;
	scene_judge(&s, "the header of message 5 (1 to 3, pass 1) names intermediate node 1 instead of 2", NO_MORE);
	a->via = 2;
	scene_judge(&s, NO_MORE);
	scene_tear_down(&s);
}

// Lists the messages that are missing, up to a pass; data that comes twice counts twice.
static void test_missing(void **state)
{
	(void)state;
	struct scene s;
	size_t missing[4], n = 77;
	scene_two_passes(&s);
	assert_int_equal(loom_verdict_missing(missing, 4, &n, &s.plan, &s.trace, 1, &s.err), 0);
	assert_int_equal(n, 0);
	scene_remove_arrival(&s, 4); // the last one, of message 5, takes its place
	scene_remove_arrival(&s, 0);
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
	scene_tear_down(&s);
}

// Each arrival is matched with its message; one that is not in the plan has none.
static void test_arrivals(void **state)
{
	(void)state;
	struct scene s;
	size_t message[ROOM];
	unsigned n_known = 0;
	scene_two_passes(&s);
	assert_int_equal(loom_verdict_arrivals(message, &s.plan, &s.trace, &s.err), 0);
	for (size_t m = 0; m < s.plan.n_messages; m++)
		if (loom_plan_uses_network(&s.plan, &s.plan.messages[m])) {
			assert_int_equal(message[scene_arrival_of(&s, m) - s.trace.arrivals], m);
			n_known++;
		}
	assert_int_equal(n_known, s.trace.n_arrivals);
	const size_t odd = (size_t)(scene_arrival_of(&s, 4) - s.trace.arrivals);
	scene_arrival_of(&s, 4)->number += 7;
	assert_int_equal(loom_verdict_arrivals(message, &s.plan, &s.trace, NULL), 0);
	for (size_t i = 0; i < s.trace.n_arrivals; i++)
		assert_int_equal(message[i] == SIZE_MAX, i == odd);
	scene_tear_down(&s);
}

static void test_corrupt_flits(void **state)
{
	(void)state;
	struct scene s;
	scene_two_passes(&s);
	s.trace.corrupt[1] = 7;
	s.trace.corrupt[3] = UINT32_MAX;
	scene_judge(&s, "channel eject 1 delivered 7 corrupted flits",
	            "channel eject 3 delivered 4294967295 corrupted flits", NO_MORE);
	assert_true(s.verdict.corrupt_flits == UINT64_C(7) + UINT32_MAX);
	scene_tear_down(&s);
}

static void test_length(void **state)
{
	(void)state;
	struct scene s;
	scene_two_passes(&s);
	scene_arrival_of(&s, 3)->flits = 8;
	scene_judge(&s, "message 3 (0 to 3, pass 1) arrived with 8 flits instead of 9", NO_MORE);
	assert_int_equal(s.verdict.delivered_messages, 5);
	assert_int_equal(s.verdict.delivered_flits, 23);
	scene_arrival_of(&s, 3)->flits = 65535;
	scene_judge(&s, "message 3 (0 to 3, pass 1) arrived with 65535 flits instead of 9", NO_MORE);
	scene_tear_down(&s);
}

static void test_pass(void **state)
{
	(void)state;
	struct scene s;
	scene_two_passes(&s);
	scene_arrival_of(&s, 0)->pass = 1;
	scene_judge(&s, "node 3 received, in pass 1, message 0 of node 2 for node 3, which the plan does not have",
	            "message 0 (0 to 1, pass 0) never arrived", NO_MORE);
	scene_arrival_of(&s, 0)->pass = 0x3fff; // no pass of this plan at all
	scene_arrival_of(&s, 0)->last_cycle = 1000;
	scene_judge(&s, "node 3 received, in pass 16383, message 0 of node 2 for node 3, which the plan does not have",
	            "message 0 (0 to 1, pass 0) never arrived", NO_MORE);
	assert_int_equal(s.verdict.measured_cycles, 7 + 17);
	scene_tear_down(&s);
}

static void test_exchanged(void **state)
{
	(void)state;
	struct scene s;
	scene_two_passes(&s);
	// Messages 3 and 4 are numbers 1 and 2 of node 2: each arrived as the other.
	scene_arrival_of(&s, 3)->number = 2;
	scene_arrival_of(&s, 4)->number = 1;
	scene_judge(&s, "node 1 received, in pass 1, message 2 of node 2 for node 1, which the plan does not have",
	            "node 0 received, in pass 1, message 1 of node 2 for node 0, which the plan does not have",
	            "message 3 (0 to 3, pass 1) never arrived", "message 4 (0 to 2, pass 1) never arrived", NO_MORE);
	scene_tear_down(&s);
}

static void test_unknown(void **state)
{
	(void)state;
	struct scene s;
	scene_two_passes(&s);
	scene_add_arrival(&s,
	                  (struct loom_arrival){
				  .node = 3, .source = 3, .number = 7, .destination = 3, .flits = 1, .intact = true});
	scene_judge(&s, "node 3 received, in pass 0, message 7 of node 3 for node 3, which the plan does not have",
	            NO_MORE);
	assert_int_equal(s.verdict.delivered_messages, 6);
	assert_int_equal(s.verdict.delivered_flits, 32);
	scene_tear_down(&s);
}

static void test_sent(void **state)
{
	(void)state;
	struct scene s;
	scene_two_passes(&s);
	s.trace.sent[2] = 2;
	s.trace.sent[0] = 1; // a processor that sends only to itself
	scene_judge(&s, "node 0 sent 1 messages instead of 0", "node 2 sent 2 messages instead of 3", NO_MORE);
	scene_tear_down(&s);
}

// Processor 1 keeps the data from 0 and sends it on to 3, after its own message, by the other rule.
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
	scene_set_up(s, "cube:2", map, 0, NULL, messages, sizeof messages / sizeof messages[0], 3);
}

static void test_relay(void **state)
{
	(void)state;
	struct scene s;
	set_up_relay(&s);
	// All four have the number of the message that first sent the data.
	for (size_t i = 1; i < 6; i++)
		assert_int_equal(scene_arrival_of(&s, i)->number, i != 2);
	scene_judge(&s, NO_MORE);
	assert_int_equal(s.verdict.delivered_messages, 6);
	assert_int_equal(s.verdict.delivered_flits, 29);
	scene_remove_arrival(&s, 4);
	scene_judge(&s, "message 4 (2 to 3, pass 2) never arrived", NO_MORE);
	scene_tear_down(&s);

	// As if the relay had generated the data.
	set_up_relay(&s);
	scene_arrival_of(&s, 3)->source = 2;
	scene_judge(&s, "node 1 received, in pass 1, message 1 of node 2 for node 1, which the plan does not have",
	            "message 3 (1 to 2, pass 1) never arrived", NO_MORE);
	scene_tear_down(&s);

	// The data of the pass before, once more.
	set_up_relay(&s);
	scene_arrival_of(&s, 4)->pass = 1;
	scene_arrival_of(&s, 5)->intact = false;
	scene_judge(&s, "node 0 received, in pass 1, message 1 of node 3 for node 0, which the plan does not have",
	            "message 5 (1 to 0, pass 2) arrived corrupted at node 3",
	            "message 4 (2 to 3, pass 2) never arrived", NO_MORE);
	scene_tear_down(&s);
}

// The same data reaches processor 3 by two ways in one pass: the arrivals look alike, and the second one in the list comes first.
static void test_relay_two_ways(void **state)
{
	(void)state;
	static const uint32_t map[] = {0, 1, 2, 3};
	static const unsigned order[] = {0, 1};
	static const struct loom_plan_message messages[] = {
		{.pass = 0, .source = 0, .destination = 1, .flits = 4, .keep_slot = 1},
		{.pass = 1, .source = 1, .destination = 2, .flits = 4, .from_slot = 1, .keep_slot = 1},
		{.pass = 2, .source = 2, .destination = 3, .flits = 4, .from_slot = 1, .origin = 1},
		{.pass = 2, .source = 1, .destination = 3, .flits = 4, .from_slot = 1},
	};
	struct scene s;
	scene_set_up(&s, "cube:2", map, 2, order, messages, 4, 3);
	// At node 3 the message over the link of dimension 1 goes first, whatever its index.
	assert_int_equal(scene_arrival_of(&s, 2)->first_cycle, 7);
	assert_int_equal(scene_arrival_of(&s, 3)->first_cycle, 3);
	struct loom_arrival *a = scene_arrival_of(&s, 2), *b = scene_arrival_of(&s, 3), kept = *a;
	*a = *b; // in the order of the log, which is that of arrival
	*b = kept;
	scene_judge(&s, NO_MORE);
	a->last_cycle++;
	scene_judge(&s, "message 3 (1 to 3, pass 2) was complete in cycle 7 instead of 6", NO_MORE);
	a->last_cycle--;
	b->first_cycle++;
	scene_judge(&s, "the header of message 2 (2 to 3, pass 2) arrived in cycle 8 instead of 7", NO_MORE);
	b->first_cycle--;
	s.trace.n_arrivals--; // if only one of the two arrives, it counts as the one that is due first
	scene_judge(&s, "message 2 (2 to 3, pass 2) never arrived", NO_MORE);
	*a = kept;
	scene_judge(&s, "message 2 (2 to 3, pass 2) never arrived",
	            "the header of message 3 (1 to 3, pass 2) arrived in cycle 7 instead of 3",
	            "message 3 (1 to 3, pass 2) was complete in cycle 10 instead of 6", NO_MORE);
	scene_tear_down(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lost),           cmocka_unit_test(test_duplicate),
		cmocka_unit_test(test_misrouted),      cmocka_unit_test(test_duplicate_elsewhere),
		cmocka_unit_test(test_corrupted),      cmocka_unit_test(test_signature),
		cmocka_unit_test(test_cycles),         cmocka_unit_test(test_header_fields),
		cmocka_unit_test(test_missing),        cmocka_unit_test(test_arrivals),
		cmocka_unit_test(test_corrupt_flits),  cmocka_unit_test(test_length),
		cmocka_unit_test(test_pass),           cmocka_unit_test(test_formula),
		cmocka_unit_test(test_exchanged),      cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_sent),           cmocka_unit_test(test_relay),
		cmocka_unit_test(test_relay_two_ways),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
