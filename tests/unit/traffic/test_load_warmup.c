// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The warm-up that is found against a slow version: it takes the logs of the same runs, sums latencies in each part of their
// time, and leaves out twice what MSER-5 says. And what is said where nothing is steady.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/traffic.h>

#include "traffic/mser.h"

struct scene {
	struct loom_topo topo;
	struct loom_traffic traffic;
	uint32_t map[64];
	struct loom_load_options options;
	uint64_t n_watched, last_watched, of_about;
	bool stops;
};

static bool watch(void *user, uint64_t cycle, uint64_t of_about)
{
	struct scene *s = user;
	s->n_watched++;
	s->last_watched = cycle;
	s->of_about = of_about;
	return s->stops;
}

static void set_up(struct scene *s, const char *fabric, double load, uint64_t warmup, uint64_t measure)
{
	struct loom_err err = {0};
	const struct loom_pattern_options options = {.flits = 4, .seed = 1};
	*s = (struct scene){.stops = false};
	assert_int_equal(loom_topo_parse(&s->topo, fabric, &err), 0);
	assert_int_equal(loom_traffic_parse(&s->traffic, "uniform", &s->topo, &options, &err), 0);
	for (uint32_t v = 0; v < s->topo.n_nodes; v++)
		s->map[v] = v;
	s->options = (struct loom_load_options){.load = load,
	                                        .flits = 4,
	                                        .seed = 3,
	                                        .warmup_cycles = warmup,
	                                        .measure_cycles = measure,
	                                        .watch = watch,
	                                        .user = s};
}

static void tear_down(struct scene *s)
{
	loom_traffic_free(&s->traffic);
	loom_topo_free(&s->topo);
}

static void find(struct loom_load_warmup *out, struct scene *s)
{
	struct loom_err err = {0};
	if (loom_load_find_warmup(out, &s->topo, &s->traffic, s->map, &s->options, &err) != 0)
		fail_msg("%s", err.text);
}

// Returns the cycles to leave out, from runs of this length.
static uint64_t slow_version(const struct scene *s, uint64_t cycles)
{
	enum { PARTS = 2000 };
	static uint64_t n[PARTS], sum[PARTS], begin[PARTS];
	static double x[PARTS];
	const uint64_t part = (cycles + PARTS - 1) / PARTS;
	size_t n_x = 0;
	memset(n, 0, sizeof n);
	memset(sum, 0, sizeof sum);
	for (unsigned i = 0; i < LOOM_LOAD_PILOTS; i++) {
		struct loom_load_options options = s->options;
		struct loom_load_log log;
		struct loom_load_point point;
		options.watch = NULL;
		options.seed = UINT64_MAX - s->options.seed - i;
		options.warmup_cycles = 0;
		options.measure_cycles = cycles;
		options.log = &log;
		memset(&log, 0, sizeof log);
		assert_int_equal(loom_load_compute(&point, &s->topo, &s->traffic, s->map, &options, NULL), 0);
		for (size_t k = 0; k < log.n_messages; k++) {
			const struct loom_load_message *m = &log.messages[k];
			if (m->release > cycles)
				continue;
			n[(m->release - 1) / part]++;
			sum[(m->release - 1) / part] += m->tail + 1 - m->release;
		}
		loom_load_log_free(&log);
	}
	for (size_t k = 0; k < PARTS; k++)
		if (n[k]) {
			begin[n_x] = k * part;
			x[n_x++] = (double)sum[k] / (double)n[k];
		}
	const size_t cut = loom_mser_cut(x, n_x);
	return cut ? 2 * begin[cut] : 0;
}

static void test_against_slow(void **unused)
{
	static const struct {
		const char *fabric;
		double load;
		uint64_t warmup, measure;
	} scenes[] = {{"cube:3", 0.3, 500, 2500},  {"cube:4", 0.55, 1000, 4000}, {"mesh:4x4", 0.3, 0, 3001},
	              {"omega:16", 0.3, 77, 2000}, {"cube:1", 0.02, 100, 1000},  {"torus:4x4v2", 0.4, 2000, 2000}};
	size_t n_found = 0;
	(void)unused;
	for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
		struct scene s;
		struct loom_load_warmup w;
		set_up(&s, scenes[i].fabric, scenes[i].load, scenes[i].warmup, scenes[i].measure);
		find(&w, &s);
		uint64_t times = 1, cycles = scenes[i].warmup + scenes[i].measure, cut = slow_version(&s, cycles);
		for (; cut > times * cycles && times < LOOM_LOAD_PILOT_TIMES; cut = slow_version(&s, times * cycles))
			times *= 2;
		assert_int_equal(w.pilot_cycles, times * cycles);
		assert_int_equal(w.steady, cut <= times * cycles);
		assert_int_equal(w.cycles, w.steady ? cut : scenes[i].warmup);
		n_found += w.steady && w.cycles > 0;
		assert_true(s.n_watched > LOOM_LOAD_PILOTS && s.last_watched <= 2 * s.of_about &&
		            s.of_about == LOOM_LOAD_PILOTS * w.pilot_cycles);
		tear_down(&s);
	}
	assert_true(n_found >= 3);
}

static void test_saturated(void **unused)
{
	struct scene s;
	struct loom_load_warmup w;
	(void)unused;
	set_up(&s, "cube:3", 1, 700, 4000);
	find(&w, &s);
	assert_false(w.steady);
	assert_int_equal(w.cycles, 700);
	tear_down(&s);
}

static void test_failures(void **unused)
{
	struct scene s;
	struct loom_load_warmup w = {.cycles = 99};
	struct loom_err err = {0};
	(void)unused;
	set_up(&s, "cube:3", 0.2, 500, 2500);
	s.stops = true;
	assert_int_equal(loom_load_find_warmup(&w, &s.topo, &s.traffic, s.map, &s.options, &err), LOOM_ETIMEOUT);
	s.stops = false;
	s.options.load = 0;
	assert_int_equal(loom_load_find_warmup(&w, &s.topo, &s.traffic, s.map, &s.options, &err), LOOM_EINPUT);
	s.options.load = 0.000001;
	assert_int_equal(loom_load_find_warmup(&w, &s.topo, &s.traffic, s.map, &s.options, &err), LOOM_EINPUT);
	assert_int_equal(w.cycles, 99);
	tear_down(&s);
	// Pilots leave nothing out, so the longest run of all is none too long for them.
	set_up(&s, "cube:1", 0.2, 500, LOOM_LOAD_CYCLES_MOST - 500);
	s.stops = true;
	assert_int_equal(loom_load_find_warmup(&w, &s.topo, &s.traffic, s.map, &s.options, &err), LOOM_ETIMEOUT);
	tear_down(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_against_slow),
		cmocka_unit_test(test_saturated),
		cmocka_unit_test(test_failures),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
