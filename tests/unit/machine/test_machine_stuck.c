// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Standstills where routers choose: messages round a ring whose turns allow it, and programs that wait for what never
// comes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <flitloom/routes/forbidden_turns.h>
#include <flitloom/timing.h>

#include "machine/compute.h"
#include "unit/help/unchecked_plan.h"

// The plan of messages by rule turns, of which none is forbidden. t is freed.
static struct loom_plan plan_of(const char *fabric, const struct loom_message *m, size_t n, struct loom_timing *t)
{
	struct loom_pattern p;
	struct loom_topo topo;
	struct loom_turns turns;
	struct loom_plan plan;
	assert_int_equal(loom_topo_parse(&topo, fabric, NULL), 0);
	assert_int_equal(loom_turns_init(&turns, &topo, NULL), 0);
	assert_int_equal(loom_topo_set_turns(&topo, &turns, NULL), 0);
	loom_turns_free(&turns);
	assert_int_equal(loom_pattern_from_timed_messages(&p, "by hand", topo.n_nodes, m, n, t, NULL), 0);
	loom_timing_free(t);
	unchecked_plan(&plan, &topo, &p);
	for (size_t i = 0; i < n; i++)
		plan.messages[i].rule = LOOM_RULE_TURNS;
	loom_pattern_free(&p);
	return plan;
}

static void fails(const struct loom_plan *plan, const char *text)
{
	const struct loom_machine_options options = {0};
	struct loom_trace trace, before;
	struct loom_err err = {0};
	memset(&trace, 0xa5, sizeof trace);
	before = trace;
	assert_int_equal(loom_machine_compute(&trace, plan, &options, &err), LOOM_ESTUCK);
	assert_string_equal(err.text, text);
	assert_int_equal(loom_machine_compute(&trace, plan, &options, NULL), LOOM_ESTUCK);
	assert_memory_equal(&trace, &before, sizeof trace);
}

// Half round a ring messages may go both ways, and take the lower lane, all of them. The first flit of each stands in
// its neighbour.
static void test_circle(void **state)
{
	(void)state;
	const struct loom_message m[] = {{0, 2, 20, 0}, {1, 3, 20, 0}, {2, 0, 20, 0}, {3, 1, 20, 0}};
	struct loom_plan plan = plan_of("ring:4", m, 4, NULL);
	fails(&plan, "stuck in pass 0: messages are outstanding and no flit moves after cycle 4; in a circle message 0 "
	             "(0 to 2) "
	             "waits for 1->2 (+x), message 1 (1 to 3) waits for 2->3 (+x), message 2 (2 to 0) waits for 3->0 "
	             "(+x) and 1 "
	             "more");
	loom_plan_free(&plan);
	// Three go, and the last one is still free.
	plan = plan_of("ring:4", m, 3, NULL);
	const struct loom_machine_options options = {0};
	struct loom_trace trace;
	assert_int_equal(loom_machine_compute(&trace, &plan, &options, NULL), 0);
	assert_int_equal(trace.n_arrivals, 3);
	loom_trace_free(&trace);
	loom_plan_free(&plan);
}

// The circle is the second row of a torus. What waits in the first lane of all is not of it: a message from the row above
// finds its way in x taken by another one, goes down, and waits for a link that a message of the circle holds.
static void test_waits_for_circle(void **state)
{
	(void)state;
	const struct loom_message m[] = {{0, 4, 2, 0},  {0, 5, 4, 0},  {3, 1, 20, 0}, {4, 6, 20, 0},
	                                 {5, 7, 20, 0}, {6, 4, 20, 0}, {7, 5, 20, 0}};
	struct loom_plan plan = plan_of("torus:4x4", m, 7, NULL);
	fails(&plan,
	      "stuck in pass 0: messages are outstanding and no flit moves after cycle 24; in a circle message 6 "
	      "(7 to 5) waits for 4->5 (+x), message 3 (4 to 6) waits for 5->6 (+x), message 4 (5 to 7) waits "
	      "for 6->7 (+x) and 1 more");
	loom_plan_free(&plan);
}

// Processor 1 waits for the second message of 0, which sends one.
static void test_waits(void **state)
{
	(void)state;
	const struct loom_message m[] = {{0, 1, 4, 0}, {1, 2, 4, 0}};
	struct loom_timing *t = loom_timing_new(2, 4, 1);
	assert_non_null(t);
	t->gate[0] = (struct loom_gate){LOOM_GATE_WAIT, 1, 0};
	t->first[2] = 1;
	for (size_t place = 3; place <= 2 + 4; place++)
		t->first[place] = 1;
	struct loom_plan plan = plan_of("ring:4", m, 2, t);
	plan.timing->gate[0].value = 2;
	fails(&plan, "stuck in pass 0: messages are outstanding and no flit moves after cycle 6; node 1 waits for "
	             "message 2 from "
	             "processor 0");
	loom_plan_free(&plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_circle), cmocka_unit_test(test_waits_for_circle),
	                                   cmocka_unit_test(test_waits)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
