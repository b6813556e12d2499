// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Open-loop traffic: destinations, times, and the capacity of channels; percentiles.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/traffic.h>

#include "traffic/injection.h"
#include "traffic/histogram.h"

static const struct loom_load_options one_flit = {.flits = 1};

static struct loom_topo topo_of(const char *name)
{
	struct loom_topo topo;
	struct loom_err err;
	assert_int_equal(loom_topo_parse(&topo, name, &err), 0);
	return topo;
}

static int parse(struct loom_traffic *out, const char *spec, const char *fabric, struct loom_err *err)
{
	struct loom_topo topo = topo_of(fabric);
	uint32_t extent[LOOM_DIMS_MAX];
	const struct loom_pattern_options options = {
		.flits = 1, .seed = 1, .n_dims = loom_topo_shape(extent, &topo), .extent = extent};
	return loom_traffic_parse(out, spec, &topo, &options, err);
}

static void test_parse(void **unused)
{
	(void)unused;
	static const struct {
		const char *fabric, *spec;
		uint32_t n_senders;
	} good[] = {
		{"cube:4", "uniform", 16},    {"cube:4", "hotspot:3", 15},   {"cube:4", "hotspot:3:0.25", 16},
		{"cube:4", "transpose", 12},  {"omega:16", "transpose", 16}, // there to oneself as well
		{"cube:3", "bit-reverse", 4}, {"cube:3", "hotspot:0:1", 7},  {"cube:3", "hotspot:0:.5", 8},
		{"mesh:3x5", "neighbor", 15}, {"cube:2", "perm:0,1,3,2", 2}, {"cube:3", "gather:0", 7},
	};
	struct loom_traffic t;
	struct loom_err err;
	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
		struct loom_topo topo = topo_of(good[i].fabric);
		assert_int_equal(parse(&t, good[i].spec, good[i].fabric, &err), 0);
		assert_int_equal(loom_traffic_senders_count(&t, &topo), good[i].n_senders);
		loom_traffic_free(&t);
	}
	static const struct {
		const char *fabric, *spec, *says;
	} bad[] = {
		{"cube:3", "all-to-all", "processor 0 sends more than one message"},
		{"cube:3", "scatter:5", "processor 5 sends more than one"},
		{"cube:3", "hotspot:8", "0..7"},
		{"cube:3", "hotspot:", "0..7"},
		{"cube:3", "hotspot:1:", "0 to 1"},
		{"cube:3", "hotspot:1:1.5", "0 to 1"},
		{"cube:3", "hotspot:1:nan", "0 to 1"},
		{"cube:3", "hotspot:1:-0", "0 to 1"},
		{"cube:3", "hotspot:1:.", "0 to 1"},
		{"cube:3", "identity", "no message uses the network"},
		{"cube:3", "unifrom", "unifrom"},
		{"cube:3", "uniform_random", "flitloom calls it \"uniform\""},
		{"cube:3", "Random", "flitloom calls it \"uniform\""},
		{"cube:3", "bitrev", "flitloom calls it \"bit-reverse\""},
		{"cube:3", "gaussian:2/3",
	         "message from 0 to 1 has 7 flits, and at a load all messages have one length"},
	};
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		assert_int_equal(parse(&t, bad[i].spec, bad[i].fabric, &err), LOOM_EINPUT);
		if (!strstr(err.text, bad[i].says) || strchr(err.text, '\n'))
			fail_msg("%s: \"%s\" does not say \"%s\"", bad[i].spec, err.text, bad[i].says);
	}
}

static double capacity_by(const char *fabric, const char *spec, const struct loom_load_options *options)
{
	struct loom_topo topo = topo_of(fabric);
	struct loom_traffic t;
	struct loom_err err;
	uint32_t *map = malloc(topo.n_nodes * sizeof *map);
	double out = 0;
	assert_non_null(map);
	for (uint32_t v = 0; v < topo.n_nodes; v++)
		map[v] = v;
	assert_int_equal(parse(&t, spec, fabric, &err), 0);
	assert_int_equal(loom_traffic_capacity(&out, &t, &topo, map, options, &err), 0);
	loom_traffic_free(&t);
	free(map);
	return out;
}

static double capacity(const char *fabric, const char *spec)
{
	return capacity_by(fabric, spec, &(struct loom_load_options){0});
}

static void assert_near(double value, double wanted, double part)
{
	if (!(fabs(value - wanted) <= part * wanted))
		fail_msg("%g instead of %g", value, wanted);
}

// [Hou01]'s contentions; half of all flows of a row of the mesh cross its middle; all of a hot spot's end in one channel.
static void test_capacity(void **unused)
{
	(void)unused;
	assert_near(capacity("cube:8", "transpose"), 1.0 / 8, 1e-9);
	assert_near(capacity("cube:8", "bit-reverse"), 1.0 / 8, 1e-9);
	assert_near(capacity("cube:8", "complement"), 1, 1e-9);
	assert_near(capacity("cube:6", "uniform"), 1, 1e-9);
	assert_near(capacity("mesh:8x8", "uniform"), 63.0 / (4 * 32), 1e-9);
	assert_near(capacity("cube:4", "hotspot:9"), 1.0 / 15, 1e-9);
	assert_near(capacity("cube:4", "hotspot:9:0.5"), 1 / (15 * (0.5 + 0.5 / 15)), 1e-9);
	assert_near(capacity("omega:16", "uniform"), 1, 1e-9);
}

// Answers go the other way, and cross as much as their flits are of a request's.
static void test_capacity_of_closed(void **unused)
{
	(void)unused;
	struct loom_load_options o = {.flits = 2, .closed = {.window = 1, .reply_flits = 6}};
	assert_near(capacity_by("cube:4", "hotspot:9", &o), 1 / (15 * 3.0), 1e-9); // the replies of node 9
	assert_near(capacity_by("cube:6", "complement", &o), 1 / (1 + 3.0),
	            1e-9); // over the links of the other's requests
	o.closed.reply_flits = 1;
	assert_near(capacity_by("cube:4", "hotspot:9", &o), 1.0 / 15, 1e-9); // the requests to node 9
	assert_near(capacity_by("cube:6", "complement", &o), 1 / 1.5, 1e-9);
	o.closed.reply_flits = 0;
	assert_near(capacity_by("cube:6", "complement", &o), 1, 1e-9);
}

enum { N = 200000 };

// Mean and variance of the gaps, against those of the two distributions.
static void test_names(void **unused)
{
	(void)unused;
	assert_string_equal(loom_injection_name(LOOM_INJECTION_POISSON), "poisson");
	assert_string_equal(loom_injection_name(LOOM_INJECTION_BERNOULLI), "bernoulli");
	assert_string_equal(loom_injection_name(LOOM_INJECTION_PERIODIC), "periodic");
	assert_string_equal(loom_injection_name(LOOM_INJECTION_BURST), "burst");
	assert_null(loom_injection_name(LOOM_INJECTION_BURST + 1));
	assert_null(loom_injection_name((unsigned)-1));
}

static void test_gaps(void **unused)
{
	(void)unused;
	static const double gaps[] = {1.25, 3, 66.7, 400};
	for (size_t i = 0; i < sizeof gaps / sizeof gaps[0]; i++)
		for (enum loom_injection kind = LOOM_INJECTION_POISSON; kind <= LOOM_INJECTION_BERNOULLI; kind++) {
			struct loom_injection_of a;
			double square = 0;
			uint64_t last = 0;
			loom_injection_begin(&a, &(struct loom_load_options){.injection = kind, .seed = 7}, gaps[i], 3);
			for (int k = 0; k < N; k++) {
				uint64_t at = loom_injection_next(&a);
				assert_true(at >= 1 && at >= last && (kind == LOOM_INJECTION_POISSON || at > last));
				double gap = (double)(at - last);
				square += gap * gap;
				last = at;
			}
			double mean = (double)last / N, variance = square / N - mean * mean;
			assert_near(mean, gaps[i], 0.01);
			// Rounding both ends of a gap to cycles adds 1/6.
			assert_near(variance,
			            kind == LOOM_INJECTION_POISSON ? gaps[i] * gaps[i] + 1.0 / 6
			                                           : gaps[i] * gaps[i] * (1 - 1 / gaps[i]),
			            0.03);
		}
}

static void test_every_cycle(void **unused)
{
	(void)unused;
	struct loom_injection_of a;
	loom_injection_begin(&a, &(struct loom_load_options){.injection = LOOM_INJECTION_BERNOULLI, .seed = 1}, 1, 0);
	for (uint64_t c = 1; c < 1000; c++)
		assert_int_equal(loom_injection_next(&a), c);
}

// A seed and a node settle everything; another seed or node is another sequence; at half the load Poisson's times are
// twice as far apart, and the destinations are the same.
static void test_seeds(void **unused)
{
	(void)unused;
	struct loom_injection_of a, b, other_node, other_seed, half;
	struct loom_traffic t;
	struct loom_err err;
	int same_node = 0, same_seed = 0;
	assert_int_equal(parse(&t, "uniform", "cube:6", &err), 0);
	loom_injection_begin(&a, &(struct loom_load_options){.injection = LOOM_INJECTION_POISSON, .seed = 1}, 50, 5);
	loom_injection_begin(&b, &(struct loom_load_options){.injection = LOOM_INJECTION_POISSON, .seed = 1}, 50, 5);
	loom_injection_begin(&other_node, &(struct loom_load_options){.injection = LOOM_INJECTION_POISSON, .seed = 1},
	                     50, 6);
	loom_injection_begin(&other_seed, &(struct loom_load_options){.injection = LOOM_INJECTION_POISSON, .seed = 2},
	                     50, 5);
	loom_injection_begin(&half, &(struct loom_load_options){.injection = LOOM_INJECTION_POISSON, .seed = 1}, 100,
	                     5);
	for (int i = 0; i < 1000; i++) {
		uint64_t at = loom_injection_next(&a), twice = loom_injection_next(&half);
		uint32_t to = loom_injection_draw(&a, &t, &one_flit, 5).destination;
		assert_int_equal(at, loom_injection_next(&b));
		assert_int_equal(to, loom_injection_draw(&b, &t, &one_flit, 5).destination);
		assert_int_equal(to, loom_injection_draw(&half, &t, &one_flit, 5).destination);
		assert_in_range(twice, 2 * at - 2, 2 * at + 1);
		same_node += at == loom_injection_next(&other_node);
		same_seed += to == loom_injection_draw(&other_seed, &t, &one_flit, 5).destination;
	}
	assert_in_range(same_node, 0, 50);
	assert_in_range(same_seed, 0, 50);
	loom_traffic_free(&t);
}

static void test_destinations(void **unused)
{
	(void)unused;
	enum { NODES = 16, HOT = 9 };
	static const struct {
		const char *spec;
		uint32_t from;
		double hot, other; // part of the messages that goes to HOT, and to each of the others
	} cases[] = {
		{"uniform", 3, 1.0 / 15, 1.0 / 15},
		{"uniform", 15, 1.0 / 15, 1.0 / 15},
		{"hotspot:9:0.25", 3, 0.25 + 0.75 / 15, 0.75 / 15},
		{"hotspot:9:0.25", HOT, 0, 1.0 / 15},
		{"hotspot:9", 0, 1, 0},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct loom_traffic t;
		struct loom_injection_of a;
		struct loom_err err;
		int n[NODES] = {0};
		assert_int_equal(parse(&t, cases[i].spec, "cube:4", &err), 0);
		loom_injection_begin(&a, &(struct loom_load_options){.injection = LOOM_INJECTION_POISSON, .seed = 1},
		                     50, cases[i].from);
		for (int k = 0; k < N; k++)
			n[loom_injection_draw(&a, &t, &one_flit, cases[i].from).destination]++;
		for (uint32_t w = 0; w < NODES; w++)
			assert_near(n[w],
			            N * (w == cases[i].from ? 0
			                 : w == HOT         ? cases[i].hot
			                                    : cases[i].other),
			            0.05);
		loom_traffic_free(&t);
	}
}

static void test_histogram(void **unused)
{
	(void)unused;
	struct loom_histogram h = {0};
	struct loom_err err;
	assert_int_equal(loom_histogram_percentile(&h, 50), 0);
	assert_true(loom_histogram_mean(&h) == 0);
	for (uint64_t v = 100; v >= 1; v--)
		assert_int_equal(loom_histogram_add(&h, v, &err), 0);
	assert_int_equal(loom_histogram_percentile(&h, 0), 1);
	assert_int_equal(loom_histogram_percentile(&h, 50), 50);
	assert_int_equal(loom_histogram_percentile(&h, 95), 95);
	assert_int_equal(loom_histogram_percentile(&h, 99), 99);
	assert_int_equal(loom_histogram_percentile(&h, 100), 100);
	assert_true(loom_histogram_mean(&h) == 50.5);
	assert_int_equal(loom_histogram_add(&h, 1000000, &err), 0); // it grows
	assert_int_equal(loom_histogram_percentile(&h, 99), 100);
	assert_int_equal(loom_histogram_percentile(&h, 100), 1000000);
	loom_histogram_free(&h);
	assert_int_equal(h.n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parse),
		cmocka_unit_test(test_capacity),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_gaps),
		cmocka_unit_test(test_every_cycle),
		cmocka_unit_test(test_seeds),
		cmocka_unit_test(test_destinations),
		cmocka_unit_test(test_histogram),
		cmocka_unit_test(test_capacity_of_closed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
