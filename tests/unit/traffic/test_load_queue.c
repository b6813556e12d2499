// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Every figure of a run at a load against a slow version: it makes all messages, follows each through its node's queue, sorts
// the latencies, and looks at every block of cycles whether the fabric counts as saturated, and by which of the three rules.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/traffic.h>

#include "unit/help/stream_link.h"
#include "traffic/injection.h"

enum { BLOCK = 256, MESSAGES_MOST = 1000000 };

// Why a run ends: all that is measured has arrived; or the mean latency, since the start or of what is measured, is above the
// limit; or what is measured does not drain.
enum why { ARRIVED, MEAN_OF_ALL, MEAN_OF_MEASURED, NEVER_DRAINS };

struct scenario {
	const char *fabric, *pattern;
	double load;
	uint32_t flits, pause, slow_pause;
	enum loom_injection injection;
	uint64_t seed, warmup, measure;
	double limit;
	enum loom_rule rule;
	enum why why;
};

struct message {
	uint64_t release, last, without_wait;
};

struct slow {
	size_t n;
	struct message *m; // by source, then by release
	double limit;
};

static void follow_source(struct slow *s, const struct scenario *c, const struct loom_topo *topo,
                          const struct loom_traffic *traffic, uint32_t v, uint64_t horizon)
{
	struct loom_injection_of a;
	uint64_t free_from = 0, release;
	loom_injection_begin(&a, &(struct loom_load_options){.injection = c->injection, .seed = c->seed},
	                     c->flits / c->load, v);
	for (uint64_t k = 0; (release = loom_injection_next(&a)) <= horizon; k++) {
		const uint32_t to = loom_injection_draw(&a, traffic, &(struct loom_load_options){.flits = c->flits}, v)
		                            .destination,
			       hops = loom_route_length(topo, v, to, c->rule) - 2;
		// An entry a cycle comes into the program, from cycle 1 on, and is sent in the next one at the earliest.
		uint64_t start = release > free_from ? release : free_from;
		start = start > k + 2 ? start : k + 2;
		free_from = start + c->flits + c->pause + (v == 0 ? c->slow_pause : 0);
		assert_true(s->n < MESSAGES_MOST);
		s->m[s->n++] = (struct message){release, start + c->flits + hops, c->flits + hops + 1};
	}
}

// Ten times the mean latency that all pairs would have without waiting, each as often as it sends.
static double default_limit(const struct scenario *c, const struct loom_topo *topo, const struct loom_traffic *traffic)
{
	double sum = 0, n = 0;
	for (uint32_t v = 0; v < topo->n_nodes; v++)
		for (uint32_t w = 0; w < topo->n_nodes; w++) {
			const bool sends =
				traffic->kind == LOOM_TRAFFIC_ONE ? traffic->destination[v] == w && v != w : v != w;
			if (!sends)
				continue;
			sum += c->flits + loom_route_length(topo, v, w, c->rule) - 1;
			n++;
		}
	return 10 * sum / n;
}

struct sums {
	double n, n_arrived, latency; // latency: what has not arrived arrives now
};

static struct sums sums_at(const struct slow *s, uint64_t now, uint64_t from, uint64_t to)
{
	struct sums out = {0};
	for (size_t i = 0; i < s->n; i++) {
		const struct message *m = &s->m[i];
		if (m->release <= from || m->release > to || m->release > now)
			continue;
		out.n++;
		out.n_arrived += m->last <= now;
		out.latency += (double)(m->last <= now ? m->last - m->release + 1 : now - m->release);
	}
	return out;
}

static double arrived_within(const struct slow *s, uint64_t from, uint64_t to)
{
	double n = 0;
	for (size_t i = 0; i < s->n; i++)
		n += s->m[i].last > from && s->m[i].last <= to;
	return n;
}

// Finds the end of the block after which the run releases no more messages.
static uint64_t find_end(enum why *why, const struct slow *s, const struct scenario *c)
{
	const uint64_t end = c->warmup + c->measure;
	for (uint64_t now = BLOCK;; now += BLOCK) {
		const struct sums all = sums_at(s, now, 0, UINT64_MAX), measured = sums_at(s, now, c->warmup, end);
		*why = now < c->warmup                                          ? ARRIVED
		       : all.n >= 1024 && all.latency / all.n > s->limit        ? MEAN_OF_ALL
		       : now >= end && measured.latency / measured.n > s->limit ? MEAN_OF_MEASURED
		       : (double)now > (double)end + 20 * s->limit + BLOCK      ? NEVER_DRAINS
		                                                                : ARRIVED;
		if (*why != ARRIVED || (now >= end && measured.n_arrived >= measured.n))
			return now;
	}
}

static int by_size(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

static void assert_same(const char *what, size_t scenario, double value, double wanted)
{
	if (!(fabs(value - wanted) <= 1e-9 * fabs(wanted)))
		fail_msg("scenario %zu: %s is %.12g, not %.12g", scenario, what, value, wanted);
}

// In a saturated run a measured message may be released up to a block after the end, and arrive later: these have no latency.
static void compare_latencies(size_t i, const struct loom_load_point *p, const struct slow *s, const struct scenario *c)
{
	uint64_t *latency = calloc(s->n + 1, sizeof *latency), sum = 0, without = 0;
	size_t n = 0;
	assert_non_null(latency);
	for (size_t k = 0; k < s->n; k++) {
		const struct message *m = &s->m[k];
		if (m->release <= c->warmup || m->release > c->warmup + c->measure)
			continue;
		latency[n++] = m->last - m->release + 1;
		sum += m->last - m->release + 1;
		without += m->without_wait;
	}
	qsort(latency, n, sizeof *latency, by_size);
	const struct {
		const char *name;
		uint64_t value;
		unsigned percent;
	} percentiles[] = {{"p50", p->p50, 50}, {"p95", p->p95, 95}, {"p99", p->p99, 99}, {"most", p->most, 100}};
	assert_same("n_measured", i, (double)p->n_measured, (double)n);
	assert_same("mean", i, p->mean, (double)sum / (double)n);
	assert_same("without_wait", i, p->without_wait, (double)without / (double)n);
	assert_same("least", i, (double)p->least, (double)latency[0]);
	for (size_t k = 0; k < 4; k++) {
		const size_t at = (n * percentiles[k].percent + 99) / 100 - 1;
		assert_same(percentiles[k].name, i, (double)percentiles[k].value, (double)latency[at]);
	}
	free(latency);
}

static void compare(size_t i, const struct loom_load_point *p, const struct slow *s, const struct scenario *c,
                    double n_senders)
{
	enum why why;
	const uint64_t end = find_end(&why, s, c), late = c->warmup / 2;
	if (why != c->why)
		fail_msg("scenario %zu ends by %d, at %llu, limit %g, and was made to end by %d", i, (int)why,
		         (unsigned long long)end, s->limit, (int)c->why);
	assert_int_equal(p->saturated, why != ARRIVED);
	if (p->n_mismatches)
		fail_msg("scenario %zu: %s", i, p->mismatch);
	assert_true(p->n_cycles >= end && p->n_cycles % BLOCK == 0);
	assert_same("load", i, p->load, c->load);
	if (why == ARRIVED) {
		const double cycles = (double)c->measure * n_senders;
		compare_latencies(i, p, s, c);
		assert_same("offered", i, p->offered,
		            sums_at(s, UINT64_MAX - 1, c->warmup, c->warmup + c->measure).n * c->flits / cycles);
		assert_same("accepted", i, p->accepted,
		            arrived_within(s, c->warmup, c->warmup + c->measure) * c->flits / cycles);
		return;
	}
	const double cycles = (double)(end - late) * n_senders;
	assert_same("offered", i, p->offered, sums_at(s, end, late, end).n * c->flits / cycles);
	assert_same("accepted", i, p->accepted, arrived_within(s, late, end) * c->flits / cycles);
}

static void play(size_t i, const struct scenario *c)
{
	struct stream_link chip;
	struct loom_link link;
	struct loom_device *device;
	struct loom_traffic traffic;
	struct loom_load_point point;
	struct loom_err err = {0};
	uint32_t extent[LOOM_DIMS_MAX], map[64];
	stream_link_set_up(&chip, &link, c->fabric);
	chip.pause = c->pause;
	chip.slow_pause = c->slow_pause;
	assert_int_equal(loom_device_open(&device, &link, &err), 0);
	const struct loom_pattern_options of_pattern = {
		.flits = 1, .seed = 1, .n_dims = loom_topo_shape(extent, &chip.topo), .extent = extent};
	assert_int_equal(loom_traffic_parse(&traffic, c->pattern, &chip.topo, &of_pattern, &err), 0);
	for (uint32_t v = 0; v < chip.topo.n_nodes; v++)
		map[v] = v;
	const struct loom_load_options options = {.load = c->load,
	                                          .flits = c->flits,
	                                          .injection = c->injection,
	                                          .seed = c->seed,
	                                          .warmup_cycles = c->warmup,
	                                          .measure_cycles = c->measure,
	                                          .latency_limit = c->limit,
	                                          .rule = c->rule};
	if (loom_load_run(&point, device, &chip.topo, &traffic, map, &options, &err) != 0)
		fail_msg("scenario %zu: %s", i, err.text);

	struct slow slow = {.m = malloc(MESSAGES_MOST * sizeof *slow.m)};
	assert_non_null(slow.m);
	slow.limit = c->limit > 0 ? c->limit : default_limit(c, &chip.topo, &traffic);
	for (uint32_t v = 0; v < chip.topo.n_nodes; v++)
		if (loom_traffic_sends(&traffic, &chip.topo, v))
			follow_source(&slow, c, &chip.topo, &traffic, v, point.n_cycles + 2 * BLOCK);
	compare(i, &point, &slow, c, loom_traffic_senders_count(&traffic, &chip.topo));
	free(slow.m);
	loom_device_close(device);
	loom_traffic_free(&traffic);
	stream_link_tear_down(&chip);
}

static void test_against_slow_version(void **unused)
{
	(void)unused;
	static const struct scenario scenarios[] = {
		{"cube:3", "uniform", 0.4, 20, 0, 0, LOOM_INJECTION_POISSON, 1, 2000, 20000, 0, 0, ARRIVED},
		{"cube:3", "uniform", 0.4, 20, 0, 0, LOOM_INJECTION_BERNOULLI, 1, 2000, 20000, 0, 0, ARRIVED},
		{"cube:3", "uniform", 0.4, 20, 0, 0, LOOM_INJECTION_POISSON, 2, 2001, 19999, 0, 0, ARRIVED},
		{"cube:3", "uniform", 0.4, 20, 0, 0, LOOM_INJECTION_POISSON, 1, 0, 1024, 0, 0, ARRIVED},
		{"cube:3", "bit-reverse", 0.8, 3, 0, 0, LOOM_INJECTION_POISSON, 1, 512, 5120, 0, 0, ARRIVED},
		{"mesh:3x5", "uniform", 0.7, 1, 0, 0, LOOM_INJECTION_POISSON, 1, 256, 4096, 0, 1, ARRIVED},
		{"mesh:3x5", "neighbor", 0.02, 200, 0, 0, LOOM_INJECTION_POISSON, 3, 300, 20000, 0, 0, ARRIVED},
		{"ring:9v2", "uniform", 0.5, 7, 1, 0, LOOM_INJECTION_POISSON, 1, 1000, 8000, 0, LOOM_RULE_ONE_WAY,
	         ARRIVED},
		// The tail of what is measured comes long after it.
		{"cube:3", "bit-reverse", 0.5, 20, 0, 30, LOOM_INJECTION_POISSON, 1, 0, 3000, 1e5, 0, ARRIVED},
		// Before the warm-up is over, at its end, and later.
		{"cube:3", "uniform", 0.9, 20, 10, 0, LOOM_INJECTION_POISSON, 1, 20000, 20000, 0, 0, MEAN_OF_ALL},
		{"cube:3", "uniform", 0.9, 20, 10, 0, LOOM_INJECTION_POISSON, 1, 4096, 20000, 0, 0, MEAN_OF_ALL},
		{"cube:3", "uniform", 0.9, 20, 10, 0, LOOM_INJECTION_POISSON, 1, 0, 200000, 0, 0, MEAN_OF_ALL},
		{"cube:3", "uniform", 0.9, 20, 10, 0, LOOM_INJECTION_BERNOULLI, 1, 0, 200000, 0, 0, MEAN_OF_ALL},
		{"cube:3", "uniform", 0.6, 20, 10, 0, LOOM_INJECTION_POISSON, 1, 2000, 40000, 50, 0, MEAN_OF_ALL},
		// The mean of all has too few messages to decide, or earlier messages would hide the rise.
		{"cube:3", "uniform", 0.9, 60, 100, 0, LOOM_INJECTION_POISSON, 1, 0, 3500, 0, 0, MEAN_OF_MEASURED},
		{"cube:3", "bit-reverse", 0.9, 20, 10, 0, LOOM_INJECTION_POISSON, 1, 3000, 1000, 0, 0,
	         MEAN_OF_MEASURED},
		{"cube:3", "uniform", 0.5, 20, 12, 0, LOOM_INJECTION_POISSON, 5, 2000, 600, 60, 0, MEAN_OF_MEASURED},
		{"cube:3", "uniform", 0.4, 20, 0, 0, LOOM_INJECTION_POISSON, 5, 512, 2000, 0.5, 0, MEAN_OF_MEASURED},
		// One node of many falls behind.
		{"cube:6", "uniform", 0.3, 20, 0, 120, LOOM_INJECTION_POISSON, 1, 2000, 12000, 0, 0, NEVER_DRAINS},
		{"cube:6", "uniform", 0.3, 20, 0, 120, LOOM_INJECTION_POISSON, 1, 2000, 12080, 128, 0, NEVER_DRAINS},
		{"cube:6", "uniform", 0.3, 20, 0, 60, LOOM_INJECTION_POISSON, 1, 2000, 12000, 400, 0, ARRIVED},
	};
	for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++)
		play(i, &scenarios[i]);
}

// The block in which the mean passes the limit, of many runs.
static void test_moment(void **unused)
{
	(void)unused;
	for (uint64_t seed = 1; seed <= 16; seed++) {
		const struct scenario c = {
			"cube:3", "uniform", 0.75 + (double)seed / 80, 20, 10,         0, LOOM_INJECTION_POISSON, seed,
			0,        200000,    300 + 40 * (double)seed,  0,  MEAN_OF_ALL};
		play((size_t)seed, &c);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_slow_version), cmocka_unit_test(test_moment)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
