// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs at a load: the three phases, latencies against the formulas of queues, and a check that fails whatever goes wrong.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/link/regmap.h>
#include <flitloom/traffic.h>

#include "unit/help/stream_link.h"

enum { FLITS = 20 };

struct scene {
	struct stream_link chip;
	struct loom_link link;
	struct loom_device *device;
	struct loom_traffic traffic;
	uint32_t map[64];
	struct loom_load_options options;
	struct loom_load_point point;
	struct loom_err err;
};

static void set_up(struct scene *s, const char *fabric, const char *pattern, double load)
{
	uint32_t extent[LOOM_DIMS_MAX];
	memset(s, 0, sizeof *s);
	stream_link_set_up(&s->chip, &s->link, fabric);
	assert_int_equal(loom_device_open(&s->device, &s->link, &s->err), 0);
	const struct loom_pattern_options options = {
		.flits = 1, .seed = 1, .n_dims = loom_topo_shape(extent, &s->chip.topo), .extent = extent};
	assert_int_equal(loom_traffic_parse(&s->traffic, pattern, &s->chip.topo, &options, &s->err), 0);
	for (uint32_t v = 0; v < s->chip.topo.n_nodes; v++)
		s->map[v] = v;
	s->options = (struct loom_load_options){
		.load = load, .flits = FLITS, .seed = 1, .warmup_cycles = 2000, .measure_cycles = 40000};
}

static void tear_down(struct scene *s)
{
	loom_device_close(s->device);
	loom_traffic_free(&s->traffic);
	stream_link_tear_down(&s->chip);
}

static int run(struct scene *s)
{
	return loom_load_run(&s->point, s->device, &s->chip.topo, &s->traffic, s->map, &s->options, &s->err);
}

static void assert_near(double value, double wanted, double by)
{
	if (!(fabs(value - wanted) <= by))
		fail_msg("%g instead of %g", value, wanted);
}

// At a very low load no message waits; every message of the window is measured, and no other.
static void test_without_wait(void **unused)
{
	(void)unused;
	struct scene s;
	set_up(&s, "cube:3", "bit-reverse", 0.001);
	s.options.measure_cycles = 200000;
	assert_int_equal(run(&s), 0);
	if (s.point.n_mismatches)
		fail_msg("%s", s.point.mismatch);
	assert_false(s.point.saturated);
	assert_int_equal(s.point.least, FLITS + 2 + 1); // bit-reverse: two hops all
	assert_int_equal(s.point.p50, FLITS + 2 + 1);
	assert_near(s.point.without_wait, FLITS + 2 + 1, 1e-9);
	assert_near(s.point.mean, s.point.without_wait, 0.3);
	assert_near(s.point.offered, 0.001, 0.0003);
	assert_near(s.point.accepted, s.point.offered, 1e-9);
	assert_near((double)s.point.n_measured, s.point.offered / FLITS * 200000 * 4, 0.5);
	tear_down(&s);
}

// A node is a queue with random arrivals and a service of F cycles: its mean wait is r F / (2 (1 - r)), and with arrivals by
// the toss of a coin, r (F - 1) / (2 (1 - r)).
static void test_queue(void **unused)
{
	(void)unused;
	static const double loads[] = {0.1, 0.3, 0.5, 0.8};
	for (size_t i = 0; i < sizeof loads / sizeof loads[0]; i++)
		for (enum loom_injection a = LOOM_INJECTION_POISSON; a <= LOOM_INJECTION_BERNOULLI; a++) {
			struct scene s;
			set_up(&s, "cube:4", "uniform", loads[i]);
			s.options.injection = a;
			s.options.measure_cycles = 100000;
			assert_int_equal(run(&s), 0);
			double wait =
				loads[i] * (a == LOOM_INJECTION_POISSON ? FLITS : FLITS - 1) / (2 * (1 - loads[i]));
			assert_int_equal(s.point.n_mismatches, 0);
			assert_false(s.point.saturated);
			assert_near(s.point.mean - s.point.without_wait, wait, 0.08 * wait + 0.1);
			assert_near(s.point.offered, loads[i], 0.02 * loads[i]);
			assert_near(s.point.accepted, s.point.offered, 0.003 * loads[i]);
			assert_true(s.point.least < s.point.p50 && s.point.p50 < s.point.p95 &&
			            s.point.p95 < s.point.p99 && s.point.p99 < s.point.most);
			tear_down(&s);
		}
}

// A load above the limit is noticed before the window ends, and all messages are still checked.
static void test_saturated(void **unused)
{
	(void)unused;
	struct scene s;
	set_up(&s, "cube:3", "uniform", 0.9);
	s.chip.pause = 10; // two thirds of a flit in a cycle
	s.options.measure_cycles = 10000000;
	assert_int_equal(run(&s), 0);
	assert_true(s.point.saturated);
	assert_in_range(s.point.n_cycles, 100, 100000);
	assert_near(s.point.offered, 0.9, 0.06); // over a thousand cycles
	assert_near(s.point.accepted, 2.0 / 3, 0.03);
	assert_int_equal(s.point.n_mismatches, 0);
	tear_down(&s);
	set_up(&s, "cube:3", "uniform", 0.6);
	s.chip.pause = 10;
	assert_int_equal(run(&s), 0);
	assert_false(s.point.saturated);
	tear_down(&s);
	set_up(&s, "cube:3", "uniform", 0.6); // the same under a stricter limit
	s.chip.pause = 10;
	s.options.latency_limit = 50;
	assert_int_equal(run(&s), 0);
	assert_true(s.point.saturated);
	tear_down(&s);
}

// Other maps; labels that differ from node numbers; more short messages than a program holds.
static void test_others(void **unused)
{
	(void)unused;
	static const struct {
		const char *fabric, *pattern;
		uint32_t flits, turn;
		enum loom_rule rule;
	} cases[] = {{"mesh:3x5", "uniform", 7, 4, LOOM_RULE_ASCENDING},
	             {"mesh:3x5", "hotspot:3:0.2", 1, 0, LOOM_RULE_DESCENDING},
	             {"omega:16", "bit-reverse", 3, 5, LOOM_RULE_ASCENDING},
	             {"cube:4", "transpose", 1, 3, LOOM_RULE_DESCENDING},
	             // Routers with tables, which are loaded though no message of a plan goes by them.
	             {"table-mesh:3x4", "uniform", 5, 3, LOOM_RULE_ASCENDING},
	             {"table-mesh:3x4", "uniform", 5, 0, LOOM_RULE_DESCENDING},
	             {"table-mesh:3x4v2", "uniform", 5, 1, LOOM_RULE_DESCENDING},
	             {"table-mesh:3x4v4", "uniform", 5, 1, (enum loom_rule)3},
	             {"table-cube:3", "complement", 5, 1, LOOM_RULE_ASCENDING},
	             {"graph:tests/e2e/graphs/chords.txt", "uniform", 5, 1, LOOM_RULE_ASCENDING},
	             // There and back are ways of other lengths.
	             {"ring:9v2", "uniform", 5, 2, LOOM_RULE_ONE_WAY}};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct scene s;
		set_up(&s, cases[i].fabric, cases[i].pattern, 0.4);
		const uint32_t n = s.chip.topo.n_nodes;
		for (uint32_t v = 0; v < n; v++)
			s.map[v] = (v + cases[i].turn) % n;
		s.options.flits = cases[i].flits;
		s.options.rule = cases[i].rule;
		assert_int_equal(run(&s), 0);
		if (s.point.n_mismatches)
			fail_msg("%s: %s", cases[i].fabric, s.point.mismatch);
		assert_false(s.point.saturated);
		assert_true(s.point.n_messages > 64 * (uint64_t)n);
		tear_down(&s);
	}
}

// The same twice, and another seed.
static void test_repeated(void **unused)
{
	(void)unused;
	struct loom_load_point points[3];
	for (int i = 0; i < 3; i++) {
		struct scene s;
		set_up(&s, "cube:3", "uniform", 0.5);
		s.options.seed = i < 2 ? 5 : 6;
		assert_int_equal(run(&s), 0);
		points[i] = s.point;
		tear_down(&s);
	}
	assert_memory_equal(&points[0], &points[1], sizeof points[0]);
	assert_true(points[0].mean != points[2].mean);
}

static void test_faults(void **unused)
{
	(void)unused;
	static const struct {
		enum stream_fault fault;
		const char *says;
	} cases[] = {
		{STREAM_LOSE, "before message"},
		{STREAM_TWICE, "had arrived"},
		{STREAM_ELSEWHERE, "received a message from"},
		{STREAM_READDRESSED, "never sent"},
		{STREAM_OVERTAKEN, "received message"},
		{STREAM_NO_SOURCE, "from no node"},
		{STREAM_CORRUPT, "damaged"},
		{STREAM_SIGNATURE, "damaged"},
		{STREAM_SHORT, "19 flits of 20"},
		{STREAM_EARLY, "at least"},
		{STREAM_SQUEEZED, "at least"},
		{STREAM_WORM_MORE, "the routes say"},
		{STREAM_FLIT_LESS, "the routes say"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct scene s;
		// One destination for each on a mesh, so that a message to another node was never sent.
		set_up(&s, "mesh:3x5", "neighbor", 0.3);
		s.chip.fault = cases[i].fault;
		s.chip.fault_at = 1000;
		assert_int_equal(run(&s), 0);
		if (s.point.n_mismatches == 0)
			fail_msg("fault %d passes", (int)cases[i].fault);
		if (!strstr(s.point.mismatch, cases[i].says))
			fail_msg("\"%s\" does not say \"%s\"", s.point.mismatch, cases[i].says);
		tear_down(&s);
	}
}

static void test_failures(void **unused)
{
	(void)unused;
	static const struct {
		enum stream_fault fault;
		int code;
		const char *says;
	} cases[] = {
		{STREAM_STUCK, LOOM_ESTUCK, "headers wait for channels (tile.channel) 1.0"},
		{STREAM_CLOSED, LOOM_EHARDWARE, "CONFIG.OPEN"},
		{STREAM_ENDLESS, LOOM_EHARDWARE, "does not end"},
		{STREAM_LOG_FULL, LOOM_EHARDWARE, "a node's log overflowed"},
		{STREAM_STORE_FULL, LOOM_EHARDWARE, "a slot of a node's store overflowed"},
		{STREAM_BROKEN, LOOM_ELINK, "broken"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct scene s;
		set_up(&s, "cube:3", "bit-reverse", 0.3);
		s.chip.fault = cases[i].fault;
		s.chip.fault_at = 100;
		s.options.latency_limit = 1e6; // the watchdog comes first
		assert_int_equal(run(&s), cases[i].code);
		if (!strstr(s.err.text, cases[i].says))
			fail_msg("\"%s\" does not say \"%s\"", s.err.text, cases[i].says);
		tear_down(&s);
	}
}

// The last message of a run: nothing comes after it that would show that it is missing.
static void test_last_lost(void **unused)
{
	(void)unused;
	struct scene s;
	set_up(&s, "cube:3", "bit-reverse", 0.05);
	assert_int_equal(run(&s), 0);
	const uint64_t n = s.point.n_messages;
	tear_down(&s);
	set_up(&s, "cube:3", "bit-reverse", 0.05);
	s.chip.fault = STREAM_LOSE;
	s.chip.fault_at = n - 1;
	assert_int_equal(run(&s), 0);
	assert_int_equal(s.point.n_messages, n);
	assert_int_equal(s.point.n_mismatches, 1);
	assert_non_null(strstr(s.point.mismatch, "never arrived"));
	tear_down(&s);
}

static struct loom_load_point measure(uint64_t warmup, uint64_t cycles)
{
	struct scene s;
	set_up(&s, "cube:6", "uniform", 0.5);
	s.options.flits = 4;
	s.options.warmup_cycles = warmup;
	s.options.measure_cycles = cycles;
	assert_int_equal(run(&s), 0);
	assert_int_equal(s.point.n_mismatches, 0);
	tear_down(&s);
	return s.point;
}

// A window has its last cycle, and not the one before its first; what is accepted in it is not what is released in it.
static void test_window(void **unused)
{
	(void)unused;
	const struct loom_load_point first = measure(0, 40), second = measure(40, 60), both = measure(0, 100);
	assert_int_equal(first.n_measured + second.n_measured, both.n_measured);
	assert_near(first.offered * 40 + second.offered * 60, both.offered * 100, 1e-6);
	assert_near(first.accepted * 40 + second.accepted * 60, both.accepted * 100, 1e-6);
	// No message arrives sooner than in cycle release + F + 1, and the fabric is empty at first.
	assert_true(first.accepted > 0 && first.accepted < first.offered * 35 / 40);
}

// Logs that count fewer cycles than the run would take: the run is refused before it begins, or ends when the limit is
// reached.
static void test_long(void **unused)
{
	(void)unused;
	static const struct {
		uint64_t warmup, measure;
		uint32_t slow_pause;
		int code;
		const char *says;
	} cases[] = {
		{5000, 8000, 0, 0, NULL},
		{7000, 7336, 0, LOOM_EFIT,
	         "messages are under way at cycle 14336, and the chip's logs cover a run of 14336 cycles at most"},
		{7000, 7337, 0, LOOM_EFIT,
	         "7000 cycles of warm-up and 7337 of measurement; the chip's logs cover a run of 14336 cycles at most"},
		{6000, 8000, 60, LOOM_EFIT,
	         "messages are under way at cycle 14336, and the chip's logs cover a run of 14336 cycles at most"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct scene s;
		set_up(&s, "cube:3", "uniform", 0.4);
		loom_device_close(s.device);
		s.chip.global[LOOM_REG_CYCLE_BITS] = 14;
		assert_int_equal(loom_device_open(&s.device, &s.link, &s.err), 0);
		s.chip.slow_pause = cases[i].slow_pause;
		s.options.latency_limit = 1e5;
		s.options.warmup_cycles = cases[i].warmup;
		s.options.measure_cycles = cases[i].measure;
		const int code = run(&s);
		if (code != cases[i].code || (code != 0 && strcmp(s.err.text, cases[i].says) != 0))
			fail_msg("case %zu: %d, %s", i, code, s.err.text);
		tear_down(&s);
	}
}

static bool stop(void *user, uint64_t cycle, uint64_t of_about)
{
	(void)user;
	assert_int_equal(of_about, 42000);
	return cycle >= 5000;
}

static void test_refused(void **unused)
{
	(void)unused;
	static const struct {
		const char *fabric, *pattern;
		double load;
		uint32_t flits;
		uint64_t measure;
		const char *says;
	} cases[] = {
		{"cube:3", "uniform", 0, FLITS, 1, "above 0"},
		{"cube:3", "uniform", -1, FLITS, 1, "above 0"},
		{"cube:3", "uniform", NAN, FLITS, 1, "above 0"},
		{"cube:3", "uniform", 1.01, FLITS, 1, "at most 1"},
		{"cube:3", "uniform", 0.1, 0, 1, "flits"},
		{"cube:3", "uniform", 0.1, FLITS, 0, "cycles of warm-up"},
		{"cube:3", "uniform", 0.1, FLITS, 2000000000, "cycles of warm-up"},
		{"ring:8", "uniform", 0.1, FLITS, 1, "; on fabric ring:8v2 they cannot"},
		{"ring:8", "shift:3", 0.1, FLITS, 1, "; on fabric ring:8v2 they cannot"},
		{"benes:8", "uniform", 0.1, FLITS, 1, "omega has one direction"},
		{"cube:3", "uniform", 0.000001, FLITS, 10, "no message was released"},
	};
	struct scene s;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		set_up(&s, cases[i].fabric, cases[i].pattern, cases[i].load);
		s.options.flits = cases[i].flits;
		s.options.measure_cycles = cases[i].measure;
		assert_int_equal(run(&s), LOOM_EINPUT);
		if (!strstr(s.err.text, cases[i].says))
			fail_msg("\"%s\" does not say \"%s\"", s.err.text, cases[i].says);
		tear_down(&s);
	}
	set_up(&s, "cube:3", "uniform", 0.1);
	s.options.rule = LOOM_RULE_DESCENDING + 1;
	assert_int_equal(run(&s), LOOM_EINPUT);
	assert_non_null(strstr(s.err.text, "cube:3 has no rule 2"));
	s.options.rule = LOOM_RULE_ASCENDING;
	s.options.flits = 70000;
	assert_int_equal(run(&s), LOOM_EFIT);
	s.options.flits = FLITS;
	s.options.watch = stop;
	assert_int_equal(run(&s), LOOM_ETIMEOUT);
	struct loom_link_kind deaf = *s.link.kind;
	deaf.stream = NULL;
	s.link.kind = &deaf;
	s.chip.n_under_way = 0; // given up in the middle
	assert_int_equal(run(&s), LOOM_EFIT);
	assert_non_null(strstr(s.err.text, "link sim"));
	loom_device_close(s.device);
	stream_link_tear_down(&s.chip);
	stream_link_set_up(&s.chip, &s.link, "cube:3"); // a chip without stream ports behind a link that has them
	s.chip.global[LOOM_REG_TIMING] = LOOM_CHIP_TIMED;
	assert_int_equal(loom_device_open(&s.device, &s.link, &s.err), 0);
	s.options.watch = NULL;
	assert_int_equal(run(&s), LOOM_EFIT);
	assert_non_null(strstr(s.err.text, "the chip behind link"));
	tear_down(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_without_wait), cmocka_unit_test(test_queue),    cmocka_unit_test(test_saturated),
		cmocka_unit_test(test_others),       cmocka_unit_test(test_repeated), cmocka_unit_test(test_faults),
		cmocka_unit_test(test_failures),     cmocka_unit_test(test_refused),  cmocka_unit_test(test_last_lost),
		cmocka_unit_test(test_window),       cmocka_unit_test(test_long),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
