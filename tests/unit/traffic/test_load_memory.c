// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Every allocation of a run at a load fails once, and then with memory that stays used up: it must say so, tell no point and
// leak nothing. So must reading who sends to whom, and what the channels could carry.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/traffic.h>

#include "traffic/load_beside.h"
#include "unit/help/memory/failing_memory.h"
#include "unit/help/stream_link.h"

struct scenario {
	const char *fabric, *pattern;
	double load;
	uint32_t pause;
};

static const struct scenario scenarios[] = {
	{"cube:2", "uniform", 0.4, 0},           {"cube:2", "complement", 0.4, 0}, {"cube:2", "uniform", 1, 9},
	{"table-mesh:2x2v2", "uniform", 0.2, 0}, {"omega:4", "hotspot:1", 0.2, 0},
};

// Each attempt on a chip of its own, as one that was given up is in the middle of something.
static int attempt(const struct scenario *c, struct loom_load_point *point, size_t fail_at, bool from_then_on,
                   bool silent, bool *failed)
{
	struct stream_link chip;
	struct loom_link link;
	struct loom_device *device;
	struct loom_traffic traffic;
	struct loom_err err = {0};
	uint32_t extent[LOOM_DIMS_MAX], map[4] = {2, 0, 3, 1};
	stream_link_set_up(&chip, &link, c->fabric);
	chip.pause = c->pause;
	assert_int_equal(loom_device_open(&device, &link, NULL), 0);
	const struct loom_pattern_options of_pattern = {
		.flits = 1, .seed = 1, .n_dims = loom_topo_shape(extent, &chip.topo), .extent = extent};
	assert_int_equal(loom_traffic_parse(&traffic, c->pattern, &chip.topo, &of_pattern, NULL), 0);
	const struct loom_load_options options = {.load = c->load,
	                                          .flits = 3,
	                                          .seed = 1,
	                                          .warmup_cycles = 100,
	                                          .measure_cycles = 1500,
	                                          .latency_limit = 1e4};
	const size_t live = memory_live();
	memory_arm(fail_at, from_then_on);
	int code = loom_load_run(point, device, &chip.topo, &traffic, map, &options, silent ? NULL : &err);
	*failed = memory_disarm();
	if (*failed && code == LOOM_ENOMEM && !silent && (!strstr(err.text, "memory") || strchr(err.text, '\n')))
		fail_msg("allocation %zu: \"%s\"", fail_at, err.text);
	// The run must free its own memory; the chip keeps messages of its own.
	if (*failed && memory_live() > live)
		fail_msg("%s %s leaks when allocation %zu fails", c->fabric, c->pattern, fail_at);
	loom_device_close(device);
	loom_traffic_free(&traffic);
	stream_link_tear_down(&chip);
	return code;
}

static void test_runs(void **unused)
{
	(void)unused;
	for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++) {
		struct loom_load_point right, point;
		bool failed = false;
		assert_int_equal(attempt(&scenarios[i], &right, 0, false, false, &failed), 0);
		assert_int_equal(right.n_mismatches, 0);
		for (int way = 0; way < 3; way++) {
			failed = true;
			for (size_t n = 1; failed; n++) {
				struct loom_load_point before;
				memset(&before, 0xa5, sizeof before);
				point = before;
				const int code = attempt(&scenarios[i], &point, n, way == 1, way == 2, &failed);
				if (failed && (code != LOOM_ENOMEM || memcmp(&point, &before, sizeof point) != 0))
					fail_msg("%s %s, allocation %zu: code %d", scenarios[i].fabric,
					         scenarios[i].pattern, n, code);
				if (!failed)
					assert_int_equal(code, 0);
				if (!failed)
					assert_memory_equal(&point, &right, sizeof point);
				assert_true(n < 1000);
			}
		}
	}
}

static void test_traffic(void **unused)
{
	(void)unused;
	for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++) {
		struct loom_topo topo;
		struct loom_err err;
		uint32_t extent[LOOM_DIMS_MAX], map[4] = {2, 0, 3, 1};
		assert_int_equal(loom_topo_parse(&topo, scenarios[i].fabric, &err), 0);
		const struct loom_pattern_options options = {
			.flits = 1, .seed = 1, .n_dims = loom_topo_shape(extent, &topo), .extent = extent};
		bool failed = true;
		for (size_t n = 1; failed; n++) {
			struct loom_traffic traffic = {.n_nodes = 77};
			double capacity = 7;
			memory_arm(n, false);
			int code = loom_traffic_parse(&traffic, scenarios[i].pattern, &topo, &options, &err);
			bool parsed = code == 0;
			if (parsed)
				code = loom_traffic_capacity(&capacity, &traffic, &topo, map,
				                             &(struct loom_load_options){.rule = LOOM_RULE_ASCENDING},
				                             &err);
			failed = memory_disarm();
			assert_int_equal(code, failed ? LOOM_ENOMEM : 0);
			if (!parsed)
				assert_int_equal(traffic.n_nodes, 77);
			if (failed)
				assert_true(capacity == 7);
			if (parsed)
				loom_traffic_free(&traffic);
			assert_int_equal(memory_live(), 0);
		}
		loom_topo_free(&topo);
	}
}

// The same of runs that are computed, with a log of the messages.
static int attempt_computed(const struct scenario *c, struct loom_load_point *point, size_t fail_at, bool *failed)
{
	struct loom_topo topo;
	struct loom_traffic traffic;
	struct loom_load_log log = {0};
	struct loom_err err = {0};
	uint32_t extent[LOOM_DIMS_MAX], map[4] = {2, 0, 3, 1};
	assert_int_equal(loom_topo_parse(&topo, c->fabric, NULL), 0);
	const struct loom_pattern_options of_pattern = {
		.flits = 1, .seed = 1, .n_dims = loom_topo_shape(extent, &topo), .extent = extent};
	assert_int_equal(loom_traffic_parse(&traffic, c->pattern, &topo, &of_pattern, NULL), 0);
	const struct loom_load_options options = {.load = c->load,
	                                          .flits = c->pause ? 5 : 3, // by either engine
	                                          .seed = 1,
	                                          .warmup_cycles = 100,
	                                          .measure_cycles = 6000,
	                                          .latency_limit = 1e4,
	                                          .log = &log};
	const size_t live = memory_live();
	memory_arm(fail_at, false);
	const int code = loom_load_compute(point, &topo, &traffic, map, &options, &err);
	*failed = memory_disarm();
	loom_load_log_free(&log);
	if (memory_live() > live)
		fail_msg("%s %s, computed, leaks when allocation %zu fails", c->fabric, c->pattern, fail_at);
	loom_traffic_free(&traffic);
	loom_topo_free(&topo);
	return code;
}

static void test_computed(void **unused)
{
	(void)unused;
	for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++) {
		struct loom_load_point right, point, before;
		bool failed = true;
		assert_int_equal(attempt_computed(&scenarios[i], &right, 0, &failed), 0);
		failed = true;
		for (size_t n = 1; failed; n++) {
			memset(&before, 0xa5, sizeof before);
			point = before;
			const int code = attempt_computed(&scenarios[i], &point, n, &failed);
			if (code == LOOM_ENOMEM)
				assert_memory_equal(&point, &before, sizeof point);
			else // an engine gets along without some of it
				assert_memory_equal(&point, &right, sizeof point);
			if (!failed)
				assert_int_equal(code, 0);
			assert_true(n < 2000);
		}
	}
}

// The machine beside a chip is opened, or is absent.
static void test_beside(void **unused)
{
	(void)unused;
	for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++) {
		struct loom_topo topo;
		uint32_t map[4] = {2, 0, 3, 1};
		bool failed = true;
		const struct loom_load_options options = {.load = 0.1, .flits = 3, .measure_cycles = 100};
		assert_int_equal(loom_topo_parse(&topo, scenarios[i].fabric, NULL), 0);
		for (size_t n = 1; failed; n++) {
			struct loom_load_beside *beside = NULL;
			struct loom_err err = {0};
			memory_arm(n, false);
			const int code = loom_load_beside_open(&beside, &topo, map, &options, &err);
			failed = memory_disarm();
			assert_true(failed ? code == LOOM_ENOMEM || (code == 0 && beside) : code == 0);
			assert_int_equal(code == 0, beside != NULL);
			loom_load_beside_close(beside);
			assert_int_equal(memory_live(), 0);
			assert_true(n < 2000);
		}
		loom_topo_free(&topo);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_runs), cmocka_unit_test(test_computed),
	                                   cmocka_unit_test(test_traffic), cmocka_unit_test(test_beside)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
