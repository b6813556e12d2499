// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs of the machine that fail: deadlocks and their messages, limits, and the progress callback.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/machine.h>

#include "machine/compute.h"
#include "machine/network.h"
#include "unit/help/plan_reference.h"
#include "unit/help/plans_by_hand.h"

// Plans the messages where they cannot lock, and puts them where they can.
static struct loom_plan plan_of(const char *fabric, const char *safe, const struct loom_message *m, size_t n)
{
	struct loom_pattern p;
	struct loom_topo topo;
	struct loom_plan plan;
	assert_int_equal(loom_topo_parse(&topo, safe, NULL), 0);
	assert_int_equal(loom_pattern_from_messages(&p, "by hand", topo.n_nodes, m, n, NULL), 0);
	plan = make_plan(&topo, &p, "identity", "direct", NULL);
	loom_pattern_free(&p);
	loom_topo_free(&topo);
	loom_topo_free(&plan.topo);
	assert_int_equal(loom_topo_parse(&plan.topo, fabric, NULL), 0);
	assert_int_equal(loom_plan_predict(&plan, NULL), 0);
	return plan;
}

static const struct loom_machine_options may_lock = {.image = {.may_lock = true}};

static void fails(const struct loom_plan *plan, const struct loom_machine_options *options, int code, const char *text)
{
	struct loom_trace trace, before;
	struct loom_err err = {0};
	memset(&trace, 0xa5, sizeof trace);
	before = trace;
	assert_int_equal(loom_machine_run(&trace, plan, options, &err), code);
	assert_string_equal(err.text, text);
	assert_int_equal(err.code, code);
	assert_int_equal(loom_machine_run(&trace, plan, options, NULL), code);
	assert_memory_equal(&trace, &before, sizeof trace);
}

// --- Standstills ---------------------------------------------------------------------------------------------------

static void test_circle(void **state)
{
	(void)state;
	const struct loom_message m[] = {{0, 2, 20, 0}, {1, 3, 20, 0}, {2, 0, 20, 0}, {3, 1, 20, 0}};
	struct loom_plan plan = plan_of("ring:4", "ring:4v2", m, 4);
	fails(&plan, &may_lock, LOOM_ESTUCK,
	      "stuck in pass 0: messages are outstanding and no flit moves after cycle 4; in a circle message 0 (0 to "
	      "2) "
	      "waits for 1->2 (+x), message 1 (1 to 3) waits for 2->3 (+x), message 2 (2 to 0) waits for 3->0 (+x) and "
	      "1 "
	      "more");
	// In another pass, after one that ends; there is no contention in that first pass.
	plan.n_passes = 2;
	free(plan.member_of_pass);
	plan.member_of_pass = calloc(2, sizeof *plan.member_of_pass);
	assert_non_null(plan.member_of_pass);
	for (unsigned k = 1; k < 4; k++)
		plan.messages[k].pass = 1;
	assert_int_equal(loom_plan_predict(&plan, NULL), 0);
	struct loom_trace trace;
	assert_int_equal(loom_machine_run(&trace, &plan, NULL, NULL), 0);
	loom_trace_free(&trace);
	loom_plan_free(&plan);
	// Three of three.
	const struct loom_message three[] = {{0, 2, 9, 0}, {1, 0, 9, 0}, {2, 1, 9, 0}};
	plan = plan_of("ring:3", "ring:3v2", three, 3);
	for (unsigned k = 0; k < 3; k++)
		plan.messages[k].rule = LOOM_RULE_ONE_WAY;
	assert_int_equal(loom_plan_predict(&plan, NULL), 0);
	fails(&plan, &may_lock, LOOM_ESTUCK,
	      "stuck in pass 0: messages are outstanding and no flit moves after cycle 4; in a circle message 0 (0 to "
	      "2) "
	      "waits for 1->2 (+x), message 1 (1 to 0) waits for 2->0 (+x), message 2 (2 to 1) waits for 0->1 (+x)");
	// It is refused unless it may lock.
	struct loom_err err = {0};
	assert_int_equal(loom_machine_run(&trace, &plan, NULL, &err), LOOM_EINPUT);
	assert_non_null(strstr(err.text, "can lock"));
	loom_plan_free(&plan);
}

// Random messages round rings lock if they do in the reference, and their last flit moves in the same cycle.
static void test_random_locks(void **state)
{
	(void)state;
	static const char *const rings[][2] = {
		{"ring:4", "ring:4v2"}, {"ring:6", "ring:6v2"}, {"torus:4x4", "torus:4x4v2"}};
	unsigned n_locked = 0, n_ended = 0;
	struct loom_rng rng;
	loom_rng_init(&rng, 61);
	for (unsigned round = 0; round < 150; round++) {
		struct loom_message m[24];
		const size_t n = 3 + (size_t)loom_rng_below(&rng, 21);
		const uint32_t n_nodes = round % 3 == 0 ? 4 : round % 3 == 1 ? 6 : 16, ring = round % 3 == 1 ? 6 : 4;
		for (size_t i = 0; i < n; i++) { // half round the ring, or anywhere
			const uint32_t from = (uint32_t)loom_rng_below(&rng, round % 4 ? ring : n_nodes),
				       far = from / ring * ring + (from + ring / 2) % ring;
			m[i] = (struct loom_message){
				from, loom_rng_below(&rng, 8) ? far : (uint32_t)loom_rng_below(&rng, n_nodes),
				1 + (uint32_t)loom_rng_below(&rng, round % 2 ? 9 : 30), 0};
		}
		struct loom_plan plan = plan_of(rings[round % 3][0], rings[round % 3][1], m, n);
		for (int paper = 0; paper < 2; paper++) {
			struct loom_machine_options options = may_lock;
			struct plan_reference r;
			struct loom_trace trace;
			struct loom_err err = {0};
			char says[120];
			options.image.machine = paper ? LOOM_MACHINE_PAPER : LOOM_MACHINE_FAST;
			const bool locks = plan_reference_make(&r, &plan, options.image.machine) != 0;
			const int code = loom_machine_run(&trace, &plan, &options, &err);
			assert_int_equal(code, locks ? LOOM_ESTUCK : 0);
			(void)snprintf(says, sizeof says, "no flit moves after cycle %llu; in a circle message ",
			               (unsigned long long)r.stuck_cycle - 1);
			if (locks && !strstr(err.text, says))
				fail_msg("round %u: %s, not %s", round, err.text, says);
			if (!locks)
				loom_trace_free(&trace);
			n_locked += locks;
			n_ended += !locks;
			plan_reference_free(&r);
		}
		loom_plan_free(&plan);
	}
	if (n_locked < 30 || n_ended < 30)
		fail_msg("%u locked, %u ended", n_locked, n_ended);
}

// Processor v of n - 1 waits for message `which` of the one before it, then sends one to the one behind it.
static struct loom_plan plan_of_waits(uint32_t n, uint32_t which)
{
	struct loom_message m[8];
	struct loom_pattern p;
	struct loom_topo topo;
	struct loom_timing *t = loom_timing_new(n, 8, n);
	assert_non_null(t);
	for (uint32_t v = 0; v < n; v++) {
		m[v] = (struct loom_message){v, (v + 1) % 8, 4, 0};
		t->first[v + 1] = v + 1;
	}
	for (size_t place = n; place <= n + 8; place++)
		t->first[place] = n;
	for (uint32_t v = 0; v < n; v++) // with values that are met; see below
		t->gate[v] = (struct loom_gate){LOOM_GATE_DELAY, 1, 0};
	assert_int_equal(loom_pattern_from_timed_messages(&p, "waits", 8, m, n, t, NULL), 0);
	loom_timing_free(t);
	assert_int_equal(loom_topo_parse(&topo, "cube:3", NULL), 0);
	struct loom_plan plan = make_plan(&topo, &p, "identity", NULL, NULL);
	loom_pattern_free(&p);
	for (uint32_t v = 1; v < n; v++)
		plan.timing->gate[v] = (struct loom_gate){LOOM_GATE_WAIT, which, v - 1};
	return plan;
}

static void test_waiting_programs(void **state)
{
	(void)state;
	struct loom_plan plan = plan_of_waits(5, 1);
	struct loom_trace trace;
	assert_int_equal(loom_machine_run(&trace, &plan, NULL, NULL), 0); // one after the other
	loom_trace_free(&trace);
	// Processor 0 waits for the message of the last one, so all wait for each other.
	plan.timing->gate[0] = (struct loom_gate){LOOM_GATE_WAIT, 1, 4};
	fails(&plan, &may_lock, LOOM_ESTUCK,
	      "stuck in pass 0: messages are outstanding and no flit moves after cycle 0; node 0 waits for message 1 "
	      "from "
	      "processor 4; node 1 waits for message 1 from processor 0 and 3 more");
	loom_plan_free(&plan);
	// They wait for a second message, but there is only one: 0 sends, all others wait for ever.
	plan = plan_of_waits(3, 2);
	fails(&plan, &may_lock, LOOM_ESTUCK,
	      "stuck in pass 0: messages are outstanding and no flit moves after cycle 7; node 1 waits for message 2 "
	      "from "
	      "processor 0; node 2 waits for message 2 from processor 1");
	loom_plan_free(&plan);
	plan = plan_of_waits(2, 2);
	fails(&plan, &may_lock, LOOM_ESTUCK,
	      "stuck in pass 0: messages are outstanding and no flit moves after cycle 7; node 1 waits for message 2 "
	      "from "
	      "processor 0");
	loom_plan_free(&plan);
}

// Processor 1 waits for the second of two messages, and so does the second for it. The first one arrives, once.
static void test_second_never_sent(void **state)
{
	(void)state;
	const struct loom_message m[] = {{0, 1, 4, 0}, {0, 1, 4, 0}, {1, 0, 4, 0}};
	struct loom_pattern p;
	struct loom_topo topo;
	struct loom_timing *t = loom_timing_new(3, 8, 2);
	assert_non_null(t);
	t->first[2] = 1;
	for (size_t place = 3; place <= 3 + 8; place++)
		t->first[place] = 2;
	t->gate[0] = t->gate[1] = (struct loom_gate){LOOM_GATE_DELAY, 1, 0};
	assert_int_equal(loom_pattern_from_timed_messages(&p, "waits", 8, m, 3, t, NULL), 0);
	loom_timing_free(t);
	assert_int_equal(loom_topo_parse(&topo, "cube:3", NULL), 0);
	struct loom_plan plan = make_plan(&topo, &p, "identity", NULL, NULL);
	loom_pattern_free(&p);
	plan.timing->gate[0] = (struct loom_gate){LOOM_GATE_WAIT, 1, 1};
	plan.timing->gate[1] = (struct loom_gate){LOOM_GATE_WAIT, 2, 0};
	fails(&plan, &may_lock, LOOM_ESTUCK,
	      "stuck in pass 0: messages are outstanding and no flit moves after cycle 6; node 0 waits for message 1 "
	      "from "
	      "processor 1; node 1 waits for message 2 from processor 0");
	loom_plan_free(&plan);
}

// --- Limits --------------------------------------------------------------------------------------------------------

static void test_limit(void **state)
{
	(void)state;
	const struct loom_message m[] = {{0, 1, 30, 0}, {0, 1, 30, 0}};
	struct loom_plan plan = plan_of("cube:1", "cube:1", m, 2);
	struct loom_trace trace;
	struct loom_machine_options options = {.run = {.max_cycles = 62}};
	assert_int_equal(loom_machine_run(&trace, &plan, &options, NULL), 0);
	assert_int_equal(trace.arrivals[1].last_cycle, 62);
	loom_trace_free(&trace);
	options.run.max_cycles = 61;
	fails(&plan, &options, LOOM_ELIMIT, "pass 0 takes 62 cycles; the limit is 61");
	options.run.max_cycles = 1;
	fails(&plan, &options, LOOM_ELIMIT, "pass 0 takes 62 cycles; the limit is 1");
	loom_plan_free(&plan);
}

// --- The progress callback -----------------------------------------------------------------------------------------

struct watcher {
	unsigned n, stop_at; // n: calls; stop_at: the call that stops the run
	uint64_t cycle[100], pass[100], total;
	enum loom_stage stage;
};

static bool watch(void *user, const struct loom_progress *progress)
{
	struct watcher *w = user;
	assert_true(w->n < 100);
	w->cycle[w->n] = progress->cycle;
	w->pass[w->n] = progress->done;
	w->total = progress->total;
	w->stage = progress->stage;
	return ++w->n == w->stop_at;
}

// Two messages from one node to the other, the second one from cycle 300000 on.
static void test_watch(void **state)
{
	(void)state;
	enum { AT = 300000, SLICE = 65536 };
	const struct loom_message m[] = {{0, 1, 9, 0}, {0, 1, 9, 0}};
	struct loom_timing *t = loom_timing_new(2, 2, 1);
	struct loom_pattern p;
	struct loom_topo topo;
	struct watcher w = {0};
	struct loom_trace trace;
	const struct loom_machine_options options = {.watch = watch, .user = &w};
	assert_non_null(t);
	t->gate[0] = (struct loom_gate){LOOM_GATE_AT, AT, 0};
	t->first[2] = t->first[3] = t->first[4] = 1;
	assert_int_equal(loom_pattern_from_timed_messages(&p, "late", 2, m, 2, t, NULL), 0);
	loom_timing_free(t);
	assert_int_equal(loom_topo_parse(&topo, "cube:1", NULL), 0);
	struct loom_plan plan = make_plan(&topo, &p, NULL, NULL, NULL);
	loom_pattern_free(&p);
	assert_int_equal(loom_machine_run(&trace, &plan, &options, NULL), 0);
	assert_int_equal(trace.arrivals[1].last_cycle, AT + 10);
	loom_trace_free(&trace);
	assert_int_equal(w.n, 1 + AT / SLICE);
	for (unsigned k = 0; k < w.n; k++) {
		assert_int_equal(w.cycle[k], k * SLICE);
		assert_int_equal(w.pass[k], 0);
	}
	assert_int_equal(w.total, 1);
	assert_int_equal(w.stage, LOOM_STAGE_RUN);
	for (unsigned k = 1; k <= 5; k++) {
		char says[80];
		struct loom_err err = {0};
		w = (struct watcher){.stop_at = k};
		assert_int_equal(loom_machine_run(&trace, &plan, &options, &err), LOOM_ETIMEOUT);
		(void)snprintf(says, sizeof says, "stopped in pass 0, cycle %u", (k - 1) * SLICE);
		assert_string_equal(err.text, says);
		assert_int_equal(w.n, k);
	}
	loom_plan_free(&plan);
}

// A limit ends a long run long before its end.
static void test_limit_of_a_long_run(void **state)
{
	(void)state;
	const struct loom_message m = {0, 1, 9, 0};
	struct loom_timing *t = loom_timing_new(1, 2, 1);
	struct loom_pattern p;
	struct loom_topo topo;
	struct watcher w = {0};
	struct loom_machine_options options = {.run = {.max_cycles = 1000}, .watch = watch, .user = &w};
	assert_non_null(t);
	t->gate[0] = (struct loom_gate){LOOM_GATE_AT, 2000000000, 0};
	t->first[1] = t->first[2] = t->first[3] = 1;
	assert_int_equal(loom_pattern_from_timed_messages(&p, "late", 2, &m, 1, t, NULL), 0);
	loom_timing_free(t);
	assert_int_equal(loom_topo_parse(&topo, "cube:1", NULL), 0);
	struct loom_plan plan = make_plan(&topo, &p, NULL, NULL, NULL);
	loom_pattern_free(&p);
	fails(&plan, &options, LOOM_ELIMIT, "pass 0 takes more than 65536 cycles; the limit is 1000");
	assert_int_equal(w.n, 4); // of both runs
	options.run.max_cycles = 65536;
	fails(&plan, &options, LOOM_ELIMIT, "pass 0 takes more than 131072 cycles; the limit is 65536");
	loom_plan_free(&plan);
}

// A plan of one message of nine flits from one node to the other, not before cycle `at`; after it the sender's program
// goes on not before `after`, with two delays of a cycle.
static struct loom_plan plan_of_late(uint32_t at, uint32_t after)
{
	const struct loom_message m = {0, 1, 9, 0};
	struct loom_timing *t = loom_timing_new(1, 2, 4);
	struct loom_pattern p;
	struct loom_topo topo;
	assert_non_null(t);
	t->gate[0] = t->gate[1] = (struct loom_gate){LOOM_GATE_AT, 1, 0};
	t->gate[2] = t->gate[3] = (struct loom_gate){LOOM_GATE_DELAY, 1, 0};
	t->first[1] = 1;
	t->first[2] = t->first[3] = 4;
	assert_int_equal(loom_pattern_from_timed_messages(&p, "late", 2, &m, 1, t, NULL), 0);
	loom_timing_free(t);
	assert_int_equal(loom_topo_parse(&topo, "cube:1", NULL), 0);
	struct loom_plan plan = make_plan(&topo, &p, NULL, NULL, NULL);
	loom_pattern_free(&p);
	plan.timing->gate[0].value = at; // beyond what patterns may say
	plan.timing->gate[1].value = after;
	return plan;
}

// A trace has 32 bits for a cycle: of a tail, and of the begin of an entry. What needs no trace goes on.
static void test_last_cycle_of_a_trace(void **state)
{
	(void)state;
	static const struct {
		uint32_t at, after;
		uint64_t cycles;
		const char *says; // NULL: there is a trace
	} rows[] = {
		{UINT32_MAX - 10, 1, UINT32_C(0xffffffff), NULL},
		{UINT32_MAX - 9, 1, 0,
	         "pass 0 takes 4294967296 cycles; a trace has cycles up to 4294967295: send fewer or shorter "
	         "messages"},
		{5, UINT32_MAX - 1, UINT64_C(0xffffffff), NULL},
		{5, UINT32_MAX, UINT64_C(0x100000000),
	         "an entry of processor 0 begins in cycle 4294967296; a trace has cycles up to 4294967295"},
	};
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		struct loom_plan plan = plan_of_late(rows[k].at, rows[k].after);
		uint64_t cycles = 0;
		const struct loom_machine_options options = {.cycles = &cycles};
		struct loom_trace trace;
		struct loom_err err = {0};
		assert_int_equal(loom_machine_compute(&trace, &plan, &options, &err), rows[k].says ? LOOM_EFIT : 0);
		if (rows[k].says) {
			assert_string_equal(err.text, rows[k].says);
		} else {
			assert_int_equal(trace.arrivals[0].last_cycle, rows[k].at + 10);
			assert_int_equal(trace.arrivals[0].release, rows[k].at);
			loom_trace_free(&trace);
		}
		assert_int_equal(loom_machine_compute(NULL, &plan, &options, NULL), rows[k].cycles ? 0 : LOOM_EFIT);
		assert_int_equal(cycles, rows[k].cycles);
		loom_plan_free(&plan);
	}
}

// --- What it runs on -----------------------------------------------------------------------------------------------

static void test_refused(void **state)
{
	(void)state;
	const struct loom_message m[] = {{0, 1, 4, 0}, {1, 0, 4, 0}};
	struct loom_plan plan = plan_of("omega:2", "omega:2", m, 2);
	struct loom_trace trace;
	struct loom_err err = {0};
	const struct loom_machine_options paper = {.image = {.machine = LOOM_MACHINE_PAPER}};
	plan.free_running = true;
	assert_int_equal(loom_machine_run(&trace, &plan, NULL, NULL), 0);
	loom_trace_free(&trace);
	assert_int_equal(loom_machine_run(&trace, &plan, &paper, &err), LOOM_EINPUT);
	assert_non_null(strstr(err.text, "timed for machine fast"));
	loom_plan_free(&plan);
}

static void test_engines(void **state)
{
	(void)state;
	static const struct {
		const char *fabric;
		bool rigid;
	} cases[] = {{"cube:3", true},      {"torus:3x3", true},      {"torus:3x3v2", false},  {"omega:8", true},
	             {"otis-mesh:4", true}, {"otis-mesh:4l1", false}, {"otis-mesh:4v2", false}};
	for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
		struct loom_topo t;
		struct loom_machine_network n;
		assert_int_equal(loom_topo_parse(&t, cases[k].fabric, NULL), 0);
		assert_int_equal(loom_machine_network_make(&n, &t, LOOM_RULE_ASCENDING, NULL), 0);
		assert_ptr_equal(loom_machine_engine(&n.net), cases[k].rigid ? &loom_engine_worms : &loom_engine_lanes);
		loom_machine_network_free(&n);
		assert_null(n.rank);
		loom_topo_free(&t);
	}
}

// Lanes fill words of 64, and these words of 64: around both ends each node's message to the next one arrives as predicted.
static void test_sizes(void **state)
{
	(void)state;
	static const char *const fabrics[] = {"ring:7v2",   "ring:8v2",    "ring:9v2",    "ring:511v2", "ring:512v2",
	                                      "ring:513v2", "ring:1023v2", "ring:1024v2", "ring:1025v2"};
	static struct loom_message m[1025];
	for (size_t k = 0; k < sizeof fabrics / sizeof fabrics[0]; k++) {
		const uint32_t n = (uint32_t)strtoul(fabrics[k] + strlen("ring:"), NULL, 10);
		for (uint32_t v = 0; v < n; v++)
			m[v] = (struct loom_message){v, (v + 1) % n, 5, 0};
		struct loom_plan plan = plan_of(fabrics[k], fabrics[k], m, n);
		struct loom_trace trace;
		assert_int_equal(loom_machine_run(&trace, &plan, NULL, NULL), 0);
		assert_int_equal(trace.n_arrivals, n);
		for (size_t i = 0; i < n; i++)
			assert_int_equal(trace.arrivals[i].last_cycle, 3 + 5 - 1);
		loom_trace_free(&trace);
		loom_plan_free(&plan);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_circle),
		cmocka_unit_test(test_random_locks),
		cmocka_unit_test(test_waiting_programs),
		cmocka_unit_test(test_second_never_sent),
		cmocka_unit_test(test_limit),
		cmocka_unit_test(test_watch),
		cmocka_unit_test(test_limit_of_a_long_run),
		cmocka_unit_test(test_last_cycle_of_a_trace),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_engines),
		cmocka_unit_test(test_sizes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
