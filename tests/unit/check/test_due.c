// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Times and sums of runs that are due, as the slow reference machine has them; a plan that locks, and one that takes more cycles
// than a trace can hold, and what verdicts say of these.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/verdict.h>

#include "check/due.h"
#include "unit/help/plans_by_hand.h"
#include "unit/help/random_plans.h"
#include "unit/help/random_programs.h"

static void check(const struct loom_plan *plan, enum loom_machine machine)
{
	struct plan_reference r;
	struct loom_due due;
	struct loom_err err = {0};
	assert_int_equal(plan_reference_make(&r, plan, machine), 0);
	if (loom_due_make(&due, plan, machine, &err) != 0)
		fail_msg("%s: %s", plan->topo.name, err.text);
	assert_true(loom_due_is_known(&due));
	for (size_t i = 0; i < plan->n_messages; i++) {
		uint64_t waited = UINT64_MAX;
		assert_int_equal(due.times[i].offered, r.offer[i]);
		assert_int_equal(due.times[i].header, r.header[i]);
		assert_int_equal(due.times[i].tail, r.tail[i]);
		assert_int_equal(loom_due_waited(&waited, &due, plan, i), r.offer[i] != 0);
		assert_true(r.offer[i] == 0 || waited <= r.header[i]);
		if (r.offer[i] != 0 && r.blocked == 0)
			assert_int_equal(waited, 0);
		if (r.offer[i] == 0)
			assert_int_equal(waited, UINT64_MAX);
	}
	uint64_t blocked = 0;
	for (uint32_t pass = 0; pass < (plan->free_running ? 1 : plan->n_passes); pass++)
		for (uint32_t c = 0; c < due.trace.n_channels; c++) {
			const uint64_t here = loom_trace_blocked(&due.trace, plan, pass, c);
			assert_int_equal(here, r.channel[(size_t)pass * due.trace.n_channels + c].n_blocked);
			blocked += here;
		}
	assert_int_equal(blocked, r.blocked);
	for (uint32_t pass = 0; !plan->free_running && pass < plan->n_passes; pass++)
		assert_int_equal(due.last[pass], r.last[pass]);
	if (plan->free_running)
		assert_int_equal(due.last[0], r.cycles);
	assert_int_equal(due.cycles, r.cycles);
	assert_int_equal(due.blocked_cycles, r.blocked);
	assert_int_equal(due.trace.machine, machine);
	loom_due_free(&due);
	const struct loom_due zeroed = {0};
	assert_memory_equal(&due, &zeroed, sizeof due);
	loom_due_free(&due);
	plan_reference_free(&r);
}

static void test_random(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 40; seed++)
		for (unsigned kind = 0; kind < RANDOM_KINDS; kind++) {
			struct loom_plan plan;
			random_plan(&plan, kind, seed);
			check(&plan, LOOM_MACHINE_FAST);
			if (kind != RANDOM_FREE)
				check(&plan, LOOM_MACHINE_PAPER);
			loom_plan_free(&plan);
		}
}

// A program ends with its last delay or wait, which may be later than the last tail.
static void test_timing(void **state)
{
	(void)state;
	struct loom_rng rng;
	unsigned n_later = 0;
	loom_rng_init(&rng, 5);
	for (unsigned round = 0; round < 60; round++) {
		const struct random_programs what = {.n_nodes = 8,
		                                     .n_messages = 1 + (size_t)loom_rng_below(&rng, 12),
		                                     .most_flits = 9,
		                                     .most_cycles = round % 2 ? 4 : 90};
		struct loom_topo topo;
		struct loom_pattern p = random_programs(&what, &rng);
		assert_int_equal(loom_topo_parse(&topo, round % 3 ? "mesh:4x2" : "omega:8", NULL), 0);
		struct loom_plan plan = make_plan(&topo, &p, NULL, NULL, NULL);
		struct loom_due due;
		check(&plan, LOOM_MACHINE_FAST);
		check(&plan, LOOM_MACHINE_PAPER);
		assert_int_equal(loom_due_make(&due, &plan, LOOM_MACHINE_FAST, NULL), 0);
		uint64_t tail = 0;
		for (size_t i = 0; i < plan.n_messages; i++)
			tail = due.times[i].tail > tail ? due.times[i].tail : tail;
		n_later += due.cycles > tail;
		loom_due_free(&due);
		loom_plan_free(&plan);
		loom_pattern_free(&p);
	}
	assert_true(n_later > 10 && n_later < 60);
}

// --- What does not end ---------------------------------------------------------------------------------------------

// Makes a plan that locks in pass 1: four messages go round four nodes, and each one's second link is the next one's
// first.
static void make_locking(struct loom_plan *out)
{
	const struct loom_message m[] = {{0, 2, 20, 0}, {1, 3, 20, 0}, {2, 0, 20, 0}, {3, 1, 20, 0}};
	struct loom_pattern p;
	struct loom_topo topo;
	assert_int_equal(loom_topo_parse(&topo, "ring:4v2", NULL), 0);
	assert_int_equal(loom_pattern_from_messages(&p, "round", 4, m, 4, NULL), 0);
	*out = make_plan(&topo, &p, NULL, "direct", NULL);
	loom_pattern_free(&p);
	loom_topo_free(&out->topo);
	assert_int_equal(loom_topo_parse(&out->topo, "ring:4", NULL), 0);
	assert_int_equal(loom_plan_predict(out, NULL), 0);
}

static void test_locks(void **state)
{
	(void)state;
	static const char stuck[] = "stuck in pass 0: messages are outstanding and no flit moves after cycle 4; in a "
				    "circle message 0 (0 to 2) "
				    "waits for 1->2 (+x), message 1 (1 to 3) waits for 2->3 (+x), message 2 (2 to 0) "
				    "waits for 3->0 (+x) and 1 more";
	struct loom_plan plan;
	struct loom_due due;
	struct loom_verdict v;
	struct loom_err err = {0};
	make_locking(&plan);
	for (int paper = 0; paper < 2; paper++) {
		const enum loom_machine machine = paper ? LOOM_MACHINE_PAPER : LOOM_MACHINE_FAST;
		struct plan_reference r;
		assert_int_not_equal(plan_reference_make(&r, &plan, machine), 0);
		assert_int_equal(r.stuck_cycle, 5);
		assert_true(r.in_circle);
		plan_reference_free(&r);
		assert_int_equal(loom_due_make(&due, &plan, machine, &err), 0);
		assert_int_equal(err.code, 0);
		assert_false(loom_due_is_known(&due));
		assert_int_equal(due.stuck.code, LOOM_ESTUCK);
		assert_string_equal(due.stuck.text, stuck);
		loom_due_free(&due);
		assert_int_equal(loom_verdict_predict(&v, &plan, machine, &err), 0);
		assert_true(v.predicted_cycles == LOOM_CYCLES_UNKNOWN);
		assert_true(v.predicted_blocked_cycles == LOOM_CYCLES_UNKNOWN);
		assert_int_equal(v.predicted_contention, 2);
		assert_int_equal(v.n_mismatches, 0);
		loom_verdict_free(&v);
	}
	// A run that ended, as one on links of two lanes does: the verdict does not judge its cycles.
	struct loom_plan two_lanes = plan;
	struct loom_trace trace;
	assert_int_equal(loom_topo_parse(&two_lanes.topo, "ring:4v2", NULL), 0);
	flawless_trace(&trace, &two_lanes, LOOM_MACHINE_FAST);
	trace.arrivals[0].last_cycle++;
	trace.counts[0].blocked_cycles += 5;
	assert_int_equal(loom_verdict_make(&v, &plan, &trace, &err), 0);
	assert_int_equal(v.n_mismatches, 1);
	char says[200]; // the start of the text, as far as there is room
	(void)snprintf(says, sizeof says, "the run came to its end; by the machine it is %.150s", stuck);
	assert_string_equal(v.mismatches[0], says);
	assert_true(v.predicted_cycles == LOOM_CYCLES_UNKNOWN);
	assert_int_equal(v.delivered_messages, 4);
	loom_verdict_free(&v);
	trace.arrivals[0].intact = false; // other differences are still found
	assert_int_equal(loom_verdict_make(&v, &plan, &trace, &err), 0);
	assert_int_equal(v.n_mismatches, 2);
	assert_non_null(strstr(v.mismatches[1], "arrived corrupted"));
	loom_verdict_free(&v);
	loom_trace_free(&trace);
	loom_topo_free(&two_lanes.topo);
	loom_plan_free(&plan);
}

// --- What takes too long -------------------------------------------------------------------------------------------

static void test_too_long(void **state)
{
	(void)state;
	static const uint32_t delays[] = {LOOM_GATE_CYCLES_MOST - 20, LOOM_GATE_CYCLES_MOST};
	for (unsigned k = 0; k < 2; k++) {
		const struct loom_message m = {0, 1, 9, 0};
		struct loom_timing *t = loom_timing_new(1, 2, 2);
		struct loom_pattern p;
		struct loom_topo topo;
		struct loom_due due, before;
		struct loom_verdict v;
		struct loom_err err = {0};
		assert_non_null(t);
		t->gate[0] = (struct loom_gate){LOOM_GATE_AT, LOOM_GATE_CYCLES_MOST, 0};
		t->gate[1] = (struct loom_gate){LOOM_GATE_DELAY, delays[k], 0};
		t->first[1] = t->first[2] = t->first[3] = 2;
		assert_int_equal(loom_pattern_from_timed_messages(&p, "late", 2, &m, 1, t, NULL), 0);
		loom_timing_free(t);
		assert_int_equal(loom_topo_parse(&topo, "cube:1", NULL), 0);
		struct loom_plan plan = make_plan(&topo, &p, NULL, NULL, NULL);
		memset(&due, 0xa5, sizeof due);
		before = due;
		if (loom_due_make(&due, &plan, LOOM_MACHINE_FAST, &err) != (k ? LOOM_EFIT : 0))
			fail_msg("%s", err.text);
		assert_int_equal(loom_verdict_predict(&v, &plan, LOOM_MACHINE_FAST, k ? &err : NULL), 0);
		if (k) {
			assert_memory_equal(&due, &before, sizeof due);
			assert_string_equal(err.text, "pass 0 takes 4294967304 cycles; a trace has cycles up to "
			                              "4294967295: send fewer or shorter messages");
			assert_true(v.predicted_cycles == LOOM_CYCLES_UNKNOWN);
			assert_true(v.predicted_blocked_cycles == LOOM_CYCLES_UNKNOWN);
		} else {
			assert_int_equal(due.cycles, UINT32_MAX - 1 - 20 + 10);
			assert_int_equal(v.predicted_cycles, due.cycles);
			assert_int_equal(v.predicted_blocked_cycles, 0);
			loom_due_free(&due);
		}
		assert_int_equal(v.messages, 1);
		loom_verdict_free(&v);
		loom_plan_free(&plan);
		loom_pattern_free(&p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_timing),
		cmocka_unit_test(test_locks),
		cmocka_unit_test(test_too_long),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
