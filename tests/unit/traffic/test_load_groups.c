// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Figures of runs by a key, against a slow version that goes through the run's log once for every key that there can be; of channels,
// what the windows say of injection and ejection, whose cycles the log has, and that all windows together are the whole. Several
// runs together are one list of messages.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/traffic.h>

#include "traffic/load_groups.h"
#include "unit/help/flows.h"
#include "unit/help/memory/failing_memory.h"

enum { NODES_MOST = 32, WARMUP = 300, MEASURE = 1500, WINDOW = 64 };

struct scenario {
	const char *fabric, *traffic;
	double load;
	bool saturated;
};

static const struct scenario scenarios[] = {
	{"cube:3", "uniform", 0.3, false},
	{"mesh:3x4", "hotspot:2:0.3", 0.1, false},
	{"cube:4", "transpose", 0.2, false},
	{"ring:8v2", "0.5*uniform+0.5*shift:1", 0.2, false},
	{"omega:8", "uniform", 0.9, true},
	{"torus:4x4v2", "uniform", 0.2, false},
	{"otis-mesh:4l3w2v2", "uniform", 0.05, false},
	{"mesh:4x4", "uniform", 0.95, true},
};

struct scene {
	struct loom_topo topo;
	struct loom_traffic traffic;
	uint32_t map[NODES_MOST];
	struct loom_lengths lengths;
	struct loom_load_options options;
	struct loom_load_log log;
	struct loom_load_groups groups;
	struct loom_load_point point;
	struct loom_err err;
};

static void run(struct scene *s, const struct scenario *c, enum loom_load_key key, uint64_t seed)
{
	memset(s, 0, sizeof *s);
	assert_int_equal(flows_parse(&s->traffic, &s->topo, c->fabric, c->traffic, &s->err), 0);
	for (uint32_t v = 0; v < s->topo.n_nodes; v++)
		s->map[v] = (v + 3) % s->topo.n_nodes;
	assert_int_equal(loom_lengths_parse(&s->lengths, "1:0.4,6:0.6", &s->err), 0);
	s->groups = (struct loom_load_groups){.key = key, .window_cycles = WINDOW};
	s->options = (struct loom_load_options){.load = c->load,
	                                        .lengths = &s->lengths,
	                                        .seed = seed,
	                                        .warmup_cycles = WARMUP,
	                                        .measure_cycles = MEASURE,
	                                        .log = &s->log,
	                                        .groups = &s->groups};
	if (loom_load_compute(&s->point, &s->topo, &s->traffic, s->map, &s->options, &s->err) != 0)
		fail_msg("%s: %s", c->fabric, s->err.text);
	assert_int_equal(s->point.saturated, c->saturated);
}

static void tear_down(struct scene *s)
{
	loom_load_groups_free(&s->groups);
	loom_load_log_free(&s->log);
	loom_traffic_free(&s->traffic);
	loom_topo_free(&s->topo);
}

static uint64_t key_of(const struct scene *s, const struct loom_load_message *m, enum loom_load_key key)
{
	const uint32_t u = s->map[m->source], w = s->map[m->destination];
	switch (key) {
	case LOOM_LOAD_BY_SOURCE: return m->source;
	case LOOM_LOAD_BY_DESTINATION: return m->destination;
	case LOOM_LOAD_BY_FLOW: return m->source * (uint64_t)s->topo.n_nodes + m->destination;
	case LOOM_LOAD_BY_DISTANCE: return loom_route_length(&s->topo, u, w, LOOM_RULE_ASCENDING) - 2;
	case LOOM_LOAD_BY_LENGTH: return m->flits;
	case LOOM_LOAD_BY_CLASS: return 0; // but for those of files
	default: return m->tail - m->release + 1;
	}
}

static bool is_within(uint64_t cycle)
{
	return cycle > WARMUP && cycle <= WARMUP + MEASURE;
}

static int by_size(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return x < y ? -1 : x > y;
}

// Checks one group against the logs of n runs.
static void check_group(const struct scene *runs, size_t n, const struct loom_load_groups *all,
                        const struct loom_load_group *g)
{
	uint64_t n_messages = 0, flits = 0, sum = 0, at_source = 0;
	uint32_t *latency = calloc(100000, sizeof *latency);
	for (size_t r = 0; r < n; r++)
		for (size_t k = 0; k < runs[r].log.n_messages; k++) {
			const struct loom_load_message *m = &runs[r].log.messages[k];
			if (key_of(&runs[r], m, all->key) != g->key)
				continue;
			flits += is_within(m->tail) ? m->flits : 0;
			if (!is_within(m->release))
				continue;
			at_source += m->entered - m->release;
			sum += m->tail - m->release + 1;
			latency[n_messages++] = (uint32_t)(m->tail - m->release + 1);
		}
	qsort(latency, n_messages, sizeof *latency, by_size);
	assert_int_equal(g->n_messages, n_messages);
	assert_int_equal(g->sum_latency, sum);
	assert_int_equal(g->sum_at_source, at_source);
	if (all->key != LOOM_LOAD_BY_LATENCY && !runs[0].point.saturated)
		assert_int_equal(g->flits, flits);
	for (unsigned percent = 1; n_messages && percent <= 100; percent += 33)
		assert_int_equal(loom_load_group_percentile(all, g, percent),
		                 latency[(n_messages * percent + 99) / 100 - 1]);
	free(latency);
}

static void check_all(const struct scene *runs, size_t n, const struct loom_load_groups *all)
{
	uint64_t n_messages = 0, flits = 0, n_measured = 0;
	double accepted = 0;
	for (size_t i = 0; i < all->n; i++) {
		assert_true(i == 0 || all->group[i].key > all->group[i - 1].key);
		check_group(runs, n, all, &all->group[i]);
		n_messages += all->group[i].n_messages;
		flits += all->group[i].flits;
	}
	for (size_t r = 0; r < n; r++) {
		n_measured += runs[r].point.n_measured;
		accepted += runs[r].point.accepted / (double)n;
	}
	assert_int_equal(n_messages, n_measured);
	assert_int_equal(all->n_runs, n);
	if (all->key != LOOM_LOAD_BY_LATENCY)
		assert_real("accepted", (double)flits / (double)all->cycles,
		            accepted * loom_traffic_senders_count(&runs[0].traffic, &runs[0].topo));
}

static void test_messages(void **unused)
{
	(void)unused;
	for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++)
		for (unsigned key = 0; key < LOOM_LOAD_BY_CHANNEL; key++) {
			struct scene s;
			run(&s, &scenarios[i], (enum loom_load_key)key, 7);
			loom_load_groups_sort(&s.groups);
			check_all(&s, 1, &s.groups);
			tear_down(&s);
		}
}

static void test_merge(void **unused)
{
	(void)unused;
	enum { RUNS = 3 };
	for (unsigned key = 0; key < LOOM_LOAD_BY_CHANNEL; key++) {
		struct scene *runs = calloc(RUNS, sizeof *runs);
		struct loom_load_groups all = {.key = (enum loom_load_key)key};
		for (uint64_t r = 0; r < RUNS; r++) {
			run(&runs[r], &scenarios[1], (enum loom_load_key)key, 11 + r);
			assert_int_equal(loom_load_groups_merge(&all, &runs[r].groups, &runs[r].err), 0);
		}
		loom_load_groups_sort(&all);
		check_all(runs, RUNS, &all);
		for (size_t i = 0; i < all.n; i++) { // means of the runs that had such messages
			double sum = 0, squares = 0;
			uint32_t n = 0;
			for (size_t r = 0; r < RUNS; r++)
				for (size_t k = 0; k < runs[r].groups.n; k++) {
					const struct loom_load_group *g = &runs[r].groups.group[k];
					if (g->key != all.group[i].key || g->n_messages == 0)
						continue;
					const double mean = (double)g->sum_latency / (double)g->n_messages;
					sum += mean;
					squares += mean * mean;
					n++;
				}
			assert_int_equal(all.group[i].n_means, n);
			assert_real("means", all.group[i].sum_means, sum);
			assert_real("squares", all.group[i].sum_squares, squares);
		}
		loom_load_groups_free(&all);
		for (size_t r = 0; r < RUNS; r++)
			tear_down(&runs[r]);
		free(runs);
	}
}

static uint64_t find(const struct loom_load_groups *g, uint64_t key)
{
	for (size_t i = 0; i < g->n; i++)
		if (g->group[i].key == key)
			return g->group[i].n_messages;
	return 0;
}

static void test_channels(void **unused)
{
	(void)unused;
	for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++) {
		struct scene s;
		run(&s, &scenarios[i], LOOM_LOAD_BY_CHANNEL, 7);
		const uint32_t n = loom_topo_channels(&s.topo);
		const uint64_t n_windows = s.point.n_cycles / WINDOW;
		struct loom_load_count *sum = calloc(n, sizeof *sum);
		uint64_t *enters = calloc(n_windows * n, sizeof *enters),
			 *leaves = calloc(n_windows * n, sizeof *leaves);
		loom_load_groups_sort(&s.groups);
		for (size_t k = 0; k < s.groups.n; k++) {
			const struct loom_load_group *g = &s.groups.group[k];
			assert_true(g->key < n_windows * n);
			sum[g->key % n].messages += g->n_messages;
			sum[g->key % n].flits += g->flits;
			sum[g->key % n].blocked += g->blocked;
		}
		for (uint32_t c = 0; c < n; c++) // blocks of a run are whole windows
			assert_memory_equal(&sum[c], &s.log.counts[c], sizeof sum[c]);
		for (size_t k = 0; k < s.log.n_messages; k++) {
			const struct loom_load_message *m = &s.log.messages[k];
			struct loom_route route;
			uint32_t c, first = UINT32_MAX, last = 0;
			for (loom_route_begin(&route, &s.topo, s.map[m->source], s.map[m->destination],
			                      (enum loom_rule)loom_topo_rule(&s.topo, s.map[m->source],
			                                                     s.map[m->destination], 0));
			     loom_route_next(&route, &c); last = c)
				first = first == UINT32_MAX ? c : first;
			enters[(m->entered - 1) / WINDOW * n + first]++;
			leaves[(m->header - 1) / WINDOW * n + last]++;
		}
		for (uint64_t key = 0; key < n_windows * n; key++)
			if (enters[key] || leaves[key])
				assert_int_equal(find(&s.groups, key), enters[key] + leaves[key]);
		free(sum);
		free(enters);
		free(leaves);
		tear_down(&s);
	}
}

static void test_names(void **unused)
{
	(void)unused;
	static const char *const names[] = {"source", "destination", "flow",    "distance",
	                                    "length", "class",       "latency", "channel"};
	for (unsigned key = 0; key <= LOOM_LOAD_BY_CHANNEL; key++)
		assert_string_equal(loom_load_key_name(key), names[key]);
	assert_null(loom_load_key_name(LOOM_LOAD_BY_CHANNEL + 1));
	loom_load_groups_free(NULL);
}

// Windows of no cycles are refused; and every allocation of a run with groups, and of their merging, may fail.
static void test_failures(void **unused)
{
	(void)unused;
	for (unsigned key = LOOM_LOAD_BY_FLOW; key <= LOOM_LOAD_BY_CHANNEL;
	     key += LOOM_LOAD_BY_CHANNEL - LOOM_LOAD_BY_FLOW) {
		struct scene s;
		bool failed = true;
		run(&s, &scenarios[0], (enum loom_load_key)key, 3);
		s.options.log = NULL;
		s.options.measure_cycles = 300;
		for (size_t n = 1; failed; n++) {
			struct loom_load_groups more = {.key = (enum loom_load_key)key};
			loom_load_groups_free(&s.groups);
			s.groups = (struct loom_load_groups){.key = (enum loom_load_key)key, .window_cycles = WINDOW};
			memory_arm(n, false);
			int code = loom_load_compute(&s.point, &s.topo, &s.traffic, s.map, &s.options, &s.err);
			if (code == 0)
				code = loom_load_groups_merge(&more, &s.groups, &s.err);
			failed = memory_disarm();
			assert_int_equal(code, failed ? LOOM_ENOMEM : 0);
			loom_load_groups_free(&more);
			assert_true(n < 5000);
		}
		tear_down(&s);
	}
	struct scene s;
	run(&s, &scenarios[0], LOOM_LOAD_BY_SOURCE, 3);
	loom_load_groups_free(&s.groups);
	s.groups.key = LOOM_LOAD_BY_CHANNEL;
	s.options.log = NULL;
	assert_int_equal(loom_load_compute(&s.point, &s.topo, &s.traffic, s.map, &s.options, &s.err), LOOM_EINPUT);
	assert_string_equal(s.err.text, "channels by windows of 0 cycles: 1 or more");
	tear_down(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_messages), cmocka_unit_test(test_merge),
	                                   cmocka_unit_test(test_channels), cmocka_unit_test(test_names),
	                                   cmocka_unit_test(test_failures)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
