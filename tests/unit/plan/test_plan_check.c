// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Puts one fault at a time into good plans: each is refused, and the line says which message, and what is wrong with what.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/plan.h>
#include <flitloom/planner.h>

#include "plan/plan_internal.h"
#include "topo/graph.h"
#include "unit/help/plans_by_hand.h"

// The plan of two members in three passes of plans_by_hand.c on cube:3; its messages as they were come back.
struct faulty {
	struct loom_plan plan;
	struct loom_plan_message before[6];
};

static void set_up(struct faulty *f)
{
	f->plan = relay_plan(3);
	assert_int_equal(f->plan.n_messages, 6);
	memcpy(f->before, f->plan.messages, sizeof f->before);
	assert_int_equal(loom_plan_check(&f->plan, NULL), 0);
}

static void refused(struct faulty *f, const char *says)
{
	struct loom_err err = {0};
	if (loom_plan_check(&f->plan, &err) != LOOM_EINPUT || strcmp(err.text, says) != 0)
		fail_msg("\"%s\" instead of \"%s\"", err.text, says);
	memcpy(f->plan.messages, f->before, sizeof f->before);
	assert_int_equal(loom_plan_check(&f->plan, NULL), 0);
}

static void test_messages(void **state)
{
	(void)state;
	struct faulty f;
	set_up(&f);
	struct loom_plan_message *m = f.plan.messages;
	m[5].pass = 3;
	refused(&f, "message 5: pass 3, there are 3");
	m[1].pass = 2;
	refused(&f, "message 2: pass 1 after pass 2");
	m[4].source = 8;
	refused(&f, "message 4: from 8 to 1, processors are 0..7");
	m[4].destination = 9;
	refused(&f, "message 4: from 0 to 9, processors are 0..7");
	m[3].flits = 0;
	refused(&f, "message 3: no flits, the header is one");
	m[3].rule = LOOM_RULES_NAMED;
	refused(&f, "message 3: rule 13; 0 is ascending and 1 descending, 2 and 3 the same one way");
	m[3].rule = 2;
	refused(&f, "message 3: rule 2 is one way round, and cube:3 has no rings");
	m[1].origin = 0;
	refused(&f, "message 1: generated data, but origin 0");
	loom_plan_free(&f.plan);
}

// A relayed message must have been brought first, and no slot keeps two messages of a pass.
static void test_slots(void **state)
{
	(void)state;
	struct faulty f;
	set_up(&f);
	struct loom_plan_message *m = f.plan.messages;
	// Nothing is kept anywhere, and one message is from a slot.
	for (size_t i = 0; i < 6; i++) {
		m[i].keep_slot = m[i].from_slot = 0;
		m[i].origin = (uint32_t)i;
	}
	m[5].from_slot = 2;
	m[5].origin = 0;
	refused(&f, "message 5: in pass 2 slot 2 of processor 7 does not hold what its origin, message 0, brought");
	// All is kept, and nothing is sent on.
	for (size_t i = 0; i < 6; i++) {
		m[i].keep_slot = m[i].from_slot = 0;
		m[i].origin = (uint32_t)i;
	}
	m[0].keep_slot = m[1].keep_slot = 7;
	m[1].destination = m[0].destination;
	refused(&f, "message 1: slot 7 of processor 7 is taken by message 0 of the same pass");
	m[5].keep_slot = 7; // a message to its own node
	refused(&f, "message 5: to oneself, it never enters a store, but is to be kept in slot 7");
	loom_plan_free(&f.plan);
}

static void test_shape(void **state)
{
	(void)state;
	struct faulty f;
	set_up(&f);
	uint32_t *members = f.plan.member_of_pass;
	for (uint32_t pass = 0; pass < 3; pass++) {
		uint32_t kept = members[pass];
		char text[64];
		members[pass] = 2;
		(void)snprintf(text, sizeof text, "pass %u is of member 2, there are 2", pass);
		struct loom_err err = {0};
		assert_int_equal(loom_plan_check(&f.plan, &err), LOOM_EINPUT);
		assert_string_equal(err.text, text);
		members[pass] = kept;
	}
	struct loom_plan kept = f.plan;
	f.plan.n_passes = 0;
	f.plan.n_messages = 0;
	f.plan.n_members = 0;
	struct loom_err err = {0};
	assert_int_equal(loom_plan_check(&f.plan, &err), LOOM_EINPUT);
	assert_string_equal(err.text, "no passes; there is at least one");
	f.plan = kept;
	f.plan.n_members = 4;
	assert_int_equal(loom_plan_check(&f.plan, &err), LOOM_EINPUT);
	assert_string_equal(err.text, "4 members in 3 passes: every member has a pass");
	f.plan.n_members = 0;
	assert_int_equal(loom_plan_check(&f.plan, &err), LOOM_EINPUT);
	assert_string_equal(err.text, "0 members in 3 passes: every member has a pass");
	f.plan = kept;
	loom_plan_free(&f.plan);
}

// The same plan without relays, all messages of 5 flits, may run free; each fault alone is refused.
static void test_free_run(void **state)
{
	(void)state;
	struct faulty f;
	set_up(&f);
	struct loom_plan_message *m = f.plan.messages;
	for (size_t i = 0; i < 6; i++) {
		m[i].keep_slot = m[i].from_slot = 0;
		m[i].origin = (uint32_t)i;
		m[i].flits = 5;
	}
	memcpy(f.before, m, sizeof f.before);
	f.plan.free_running = true;
	assert_int_equal(loom_plan_check(&f.plan, NULL), 0);
	for (size_t i = 1; i < 6; i++) {
		char text[96];
		m[i].flits = 6;
		(void)snprintf(text, sizeof text, "message %zu: 6 flits and others 5: in a free run all have the same",
		               i);
		refused(&f, text);
		m[i].keep_slot = i < 5;
		(void)snprintf(text, sizeof text, "message %zu: relayed, which takes a barrier between the passes", i);
		if (i < 5)
			refused(&f, text);
	}
	m[1].source = m[0].source;
	refused(&f, "message 1: processor 0 sends two messages in pass 0 of a free run");
	m[5].source = m[4].source;
	refused(&f, "message 5: processor 0 sends two messages in pass 2 of a free run");
	loom_plan_free(&f.plan);
}

// A network with tables has as many rules as its links have lanes.
static void test_lanes(void **state)
{
	(void)state;
	static const struct {
		const char *fabric;
		unsigned n_lanes;
	} cases[] = {
		{"table-mesh:2x2v2", 2}, {"table-mesh:2x2v3", 3}, {"table-torus:3x3v4", 4}, {"table-mesh:2x2v6", 6}};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct loom_topo topo;
		struct loom_pattern pattern;
		struct loom_plan plan;
		struct loom_err err = {0};
		const struct loom_pattern_options options = {.flits = 5, .seed = 1};
		const struct loom_plan_options direct = {.map = "identity", .planner = "direct"};
		assert_int_equal(loom_topo_parse(&topo, cases[i].fabric, NULL), 0);
		assert_int_equal(loom_pattern_parse(&pattern, "shift:1", topo.n_nodes, &options, NULL), 0);
		assert_int_equal(loom_plan_make(&plan, &topo, &pattern, &direct, NULL), 0);
		loom_pattern_free(&pattern);
		for (unsigned rule = 0; rule < 8; rule++) {
			char text[96] = "";
			plan.messages[1].rule = (uint8_t)rule;
			if (rule >= cases[i].n_lanes)
				(void)snprintf(text, sizeof text,
				               "message 1: rule %u is a lane, and links of %s have %u", rule,
				               cases[i].fabric, cases[i].n_lanes);
			err.text[0] = '\0';
			assert_int_equal(loom_plan_check(&plan, &err), *text ? LOOM_EINPUT : 0);
			assert_string_equal(err.text, text);
		}
		loom_plan_free(&plan);
	}
}

// Switches without processors neither send nor receive, and so keep nothing that is relayed.
static void test_switches(void **state)
{
	(void)state;
	struct loom_topo topo;
	struct loom_pattern pattern;
	assert_int_equal(loom_topo_parse(&topo, "fat-tree:3,2", NULL), 0);
	assert_int_equal(loom_pattern_parse(&pattern, "shift:1", 9, &(struct loom_pattern_options){.flits = 5}, NULL),
	                 0);
	struct loom_plan plan = make_plan(&topo, &pattern, NULL, "direct", NULL);
	loom_pattern_free(&pattern);
	loom_topo_free(&topo);
	struct loom_plan_message *m = plan.messages, before = m[1];
	struct loom_err err = {0};
	char says[160];
	assert_int_equal(loom_plan_check(&plan, NULL), 0);
	for (uint32_t at = 9; at < 15; at++)
		for (int keeps = 0; keeps < 2; keeps++) {
			m[1].destination = at;
			m[1].keep_slot = (uint8_t)keeps;
			(void)snprintf(says, sizeof says,
			               "message 1: from 1 to %u, and %s has no processor to send, keep or receive it; "
			               "nodes 0..8 have",
			               at, plan.topo.graph->wires.name[at]);
			assert_int_equal(loom_plan_check(&plan, &err), LOOM_EINPUT);
			assert_string_equal(err.text, says);
			m[1] = before;
		}
	m[1].source = 10; // sends data that it would have kept
	m[1].from_slot = 1;
	m[1].origin = 0;
	assert_int_equal(loom_plan_check(&plan, &err), LOOM_EINPUT);
	assert_non_null(strstr(err.text, "message 1: from 10 to 2, and switch"));
	m[1] = before;
	plan.map[1] = 12;
	plan.map[12] = 1; // processor 1 is on a node that is a switch
	assert_int_equal(loom_plan_check(&plan, &err), LOOM_EINPUT);
	assert_non_null(strstr(err.text, "message 0: from 0 to 1, and switch"));
	loom_plan_free(&plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_messages), cmocka_unit_test(test_slots), cmocka_unit_test(test_shape),
		cmocka_unit_test(test_free_run), cmocka_unit_test(test_lanes), cmocka_unit_test(test_switches),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
