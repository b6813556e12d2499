// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Closed traffic and batches on the machine: what is refused before it runs, heavy runs with classes on lanes of their own, none of which
// locks, and figures of batches worked out from the log. LOOM_RUNS in the environment: number of heavy runs.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/traffic.h>

#include "base/rng.h"
#include "traffic/closed_check.h"

enum { NODES = 64 };
#define FLOWS "0.4*shift:1,1+0.3*shift:1,2+0.3*shift:2,1"

struct scene {
	struct loom_topo topo;
	struct loom_traffic traffic;
	uint32_t map[NODES];
	struct loom_load_options options;
	struct loom_load_point point;
	struct loom_err err;
};

static void set_up(struct scene *s, const char *fabric, const char *pattern)
{
	uint32_t extent[LOOM_DIMS_MAX];
	memset(s, 0, sizeof *s);
	assert_int_equal(loom_topo_parse(&s->topo, fabric, &s->err), 0);
	assert_true(s->topo.n_nodes <= NODES);
	const struct loom_pattern_options options = {
		.flits = 4, .seed = 1, .n_dims = loom_topo_shape(extent, &s->topo), .extent = extent};
	assert_int_equal(loom_traffic_parse(&s->traffic, pattern, &s->topo, &options, &s->err), 0);
	for (uint32_t v = 0; v < s->topo.n_nodes; v++)
		s->map[v] = s->topo.n_nodes - 1 - v;
	s->options = (struct loom_load_options){.load = 0.2,
	                                        .flits = 4,
	                                        .seed = 1,
	                                        .warmup_cycles = 100,
	                                        .measure_cycles = 500,
	                                        .closed = {.reply_flits = 5,
	                                                   .window = 3,
	                                                   .service_cycles = LOOM_SERVICE_USUAL,
	                                                   .reply_rule = loom_load_reply_rule(&s->topo, 0)}};
}

static void tear_down(struct scene *s)
{
	loom_traffic_free(&s->traffic);
	loom_topo_free(&s->topo);
}

static int check(struct scene *s)
{
	return loom_load_check(&s->topo, &s->traffic, s->map, &s->options, &s->err);
}

// Two rules on one lane turn both ways and are refused, with the circle; on lanes of their own they are not.
static void test_classes(void **unused)
{
	(void)unused;
	static const struct {
		const char *fabric, *pattern;
		enum loom_rule rule;
		bool refused;
		const char *says;
	} cases[] = {
		{"mesh:3x4", "uniform", LOOM_RULE_DESCENDING, true, "replies by rule descending"},
		{"mesh:3x4", "uniform", LOOM_RULE_ASCENDING, false, ""},
		{"table-mesh:3x4", "uniform", LOOM_RULE_DESCENDING, true, "on fabric table-mesh:3x4v2 they cannot"},
		{"table-mesh:3x4v2", "uniform", LOOM_RULE_DESCENDING, false, ""},
		{"table-mesh:3x4v2", "uniform", LOOM_RULE_ASCENDING, false, ""},
		{"table-cube:3v2", "uniform", LOOM_RULE_DESCENDING, false, ""},
		{"cube:3", "uniform", LOOM_RULE_DESCENDING, true, "(dim 0)"},
		{"table-mesh:4x4", FLOWS, LOOM_RULE_DESCENDING, true, "held by message"},
		{"table-mesh:4x4v2", FLOWS, LOOM_RULE_DESCENDING, false, ""},
		{"ring:6", "shift:1", LOOM_RULE_ASCENDING, false, ""},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct scene s;
		set_up(&s, cases[i].fabric, cases[i].pattern);
		s.options.closed.reply_rule = cases[i].rule;
		const int rc = check(&s);
		if (rc != (cases[i].refused ? LOOM_EINPUT : 0) || (rc != 0 && !strstr(s.err.text, cases[i].says)))
			fail_msg("%s %s: %d %s", cases[i].fabric, cases[i].pattern, rc, s.err.text);
		tear_down(&s);
	}
}

// A rule of replies is checked only if there are replies.
static void test_rule_of_none(void **unused)
{
	(void)unused;
	struct loom_topo topo;
	struct loom_err err = {0};
	struct loom_load_options options = {.closed = {.reply_rule = LOOM_RULE_ONE_WAY}};
	assert_int_equal(loom_topo_parse(&topo, "mesh:3x4", NULL), 0);
	assert_int_equal(loom_closed_check(&options, &topo, &err), 0);
	options.closed.reply_flits = 1;
	options.closed.service_cycles = LOOM_SERVICE_LEAST;
	assert_int_equal(loom_closed_check(&options, &topo, &err), LOOM_EINPUT);
	assert_non_null(strstr(err.text, "replies: mesh:3x4 has no rule \"one-way\""));
	options.closed.reply_rule = LOOM_RULE_ASCENDING;
	assert_int_equal(loom_closed_check(&options, &topo, &err), 0);
	loom_topo_free(&topo);
}

// The default rule of replies is another virtual network, if there is one.
static void test_usual_rule(void **unused)
{
	(void)unused;
	static const struct {
		const char *fabric;
		enum loom_rule rule, reply;
	} cases[] = {{"mesh:3x3", 1, 1},
	             {"table-mesh:3x3", 0, 0},
	             {"table-mesh:3x3v2", 0, 1},
	             {"table-mesh:3x3v2", 1, 0},
	             {"table-cube:3v4", 2, 3},
	             {"table-cube:3v4", 3, 0},
	             {"ring:8v2", 0, 0},
	             {"otis-mesh:4l4v2", 0, 0},
	             {"table-mesh:3x3v2", LOOM_RULE_TURNS, LOOM_RULE_TURNS}};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct loom_topo topo;
		struct loom_err err;
		assert_int_equal(loom_topo_parse(&topo, cases[i].fabric, &err), 0);
		assert_int_equal(loom_load_reply_rule(&topo, cases[i].rule), cases[i].reply);
		loom_topo_free(&topo);
	}
}

// A queue that can be full is refused, with the circle if there is one.
static void test_queue(void **unused)
{
	(void)unused;
	static const struct {
		const char *fabric, *pattern;
		uint32_t window, queue;
		bool refused;
		const char *says;
	} cases[] = {
		{"cube:3", "uniform", 3, 20, true, "can lock"},
		{"cube:3", "uniform", 3, 20, true, "eject"},
		{"cube:3", "uniform", 3, 21, false, ""}, // seven others, three of each
		{"cube:3", "uniform", 0, 1000000, true, "with a window"},
		{"table-mesh:3x3v2", "uniform", 1, 7, true, "can lock"}, // the nodes' own channels have one lane
		{"table-mesh:3x3v2", "uniform", 1, 8, false, ""},
		{"cube:3", "hotspot:5", 2, 13, true, "take in whatever comes"}, // it sends no requests
		{"cube:3", "hotspot:5", 2, 14, false, ""},
		{"cube:3", "bit-reverse", 4, 3, true, "can lock"},
		{"cube:3", "bit-reverse", 4, 4, false, ""},
		{"ring:6v2", "shift:1", 2, 1, true, "can lock"},
		{"line:4", "hotspot:1", 2, 5, true, "take in whatever comes"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct scene s;
		set_up(&s, cases[i].fabric, cases[i].pattern);
		s.options.closed.window = cases[i].window;
		s.options.closed.reply_queue = cases[i].queue;
		const int rc = check(&s);
		if (rc != (cases[i].refused ? LOOM_EINPUT : 0) || (rc != 0 && !strstr(s.err.text, cases[i].says)))
			fail_msg("%s %s, queue of %u: %d %s", cases[i].fabric, cases[i].pattern, cases[i].queue, rc,
			         rc ? s.err.text : "");
		tear_down(&s);
	}
}

static void test_numbers(void **unused)
{
	(void)unused;
	struct scene s;
	set_up(&s, "mesh:2x2", "uniform");
	const struct loom_load_options good = s.options;
	assert_int_equal(check(&s), 0);
	s.options.closed.service_cycles = LOOM_SERVICE_LEAST - 1;
	assert_int_equal(check(&s), LOOM_EINPUT);
	s.options.closed.service_cycles = LOOM_SERVICE_MOST + 1;
	assert_int_equal(check(&s), LOOM_EINPUT);
	s.options = good;
	s.options.closed.reply_flits = LOOM_FLITS_MOST + 1;
	assert_int_equal(check(&s), LOOM_EINPUT);
	s.options = good;
	s.options.closed.reply_rule = LOOM_RULE_ONE_WAY;
	assert_int_equal(check(&s), LOOM_EINPUT);
	s.options = good;
	s.options.batch = LOOM_BATCH_MOST + 1ul;
	assert_int_equal(check(&s), LOOM_EINPUT);
	s.options.batch = 5;
	s.options.load = 7; // it has no effect
	assert_int_equal(check(&s), 0);
	s.options.closed.window = 0;
	assert_int_equal(check(&s), LOOM_EINPUT);
	s.options = good;
	s.options.closed = (struct loom_load_closed){.reply_queue = 3};
	assert_int_equal(check(&s), LOOM_EINPUT);
	tear_down(&s);
}

static unsigned runs(unsigned usual)
{
	const char *wanted = getenv("LOOM_RUNS");
	return wanted ? (unsigned)strtoul(wanted, NULL, 10) : usual;
}

// More than the network carries, classes on lanes of their own: every run ends, with as many replies as requests.
static void test_heavy(void **unused)
{
	(void)unused;
	static const char *const fabrics[] = {"table-mesh:3x3v2", "table-mesh:4x2v2", "table-mesh:2x2x2v4",
	                                      "table-cube:3v2",   "table-cube:4v4",   "table-mesh:5x3v4"};
	static const char *const patterns[] = {"uniform", "hotspot:1:0.5", "random-perm", "0.5*uniform+0.5*hotspot:2"};
	const unsigned n = runs(40);
	for (unsigned i = 0; i < n; i++) {
		struct loom_rng rng;
		struct scene s;
		struct loom_load_log log = {0};
		loom_rng_init(&rng, i);
		set_up(&s, fabrics[loom_rng_below(&rng, 6)], patterns[loom_rng_below(&rng, 4)]);
		s.options.seed = i;
		s.options.rule = (enum loom_rule)loom_rng_below(&rng, 2);
		s.options.flits = 1 + (uint32_t)loom_rng_below(&rng, 12);
		s.options.closed.reply_rule = (enum loom_rule)(1 - s.options.rule);
		s.options.closed.reply_flits = 1 + (uint32_t)loom_rng_below(&rng, 12);
		s.options.closed.window = 1 + (uint32_t)loom_rng_below(&rng, 12);
		s.options.closed.service_cycles = LOOM_SERVICE_LEAST + (uint32_t)loom_rng_below(&rng, 9);
		s.options.batch = 1 + loom_rng_below(&rng, 60);
		s.options.log = &log;
		if (loom_load_compute(&s.point, &s.topo, &s.traffic, s.map, &s.options, &s.err) != 0)
			fail_msg("run %u on %s: %s", i, s.topo.name, s.err.text);
		const uint64_t n_requests = s.options.batch * loom_traffic_senders_count(&s.traffic, &s.topo);
		assert_int_equal(s.point.request.n, n_requests);
		assert_int_equal(s.point.reply.n, n_requests);
		assert_int_equal(log.n_messages, 2 * n_requests);
		loom_load_log_free(&log);
		tear_down(&s);
	}
}

// Figures of a batch, from the log: when each node's last message, or reply to it, arrived; and that no more requests were under way
// than may be.
static void check_batch(const char *fabric, const char *pattern, uint64_t batch, uint32_t window, uint32_t reply_flits)
{
	struct scene s;
	struct loom_load_log log = {0};
	uint64_t finish[NODES] = {0}, n_of[NODES] = {0}, n_flits = 0, least = UINT64_MAX, most = 0, n_senders = 0;
	double sum = 0;
	set_up(&s, fabric, pattern);
	s.options.batch = batch;
	s.options.closed.window = window;
	s.options.closed.reply_flits = reply_flits;
	s.options.log = &log;
	if (loom_load_compute(&s.point, &s.topo, &s.traffic, s.map, &s.options, &s.err) != 0)
		fail_msg("%s %s: %s", fabric, pattern, s.err.text);
	for (size_t i = 0; i < log.n_messages; i++) {
		const struct loom_load_message *m = &log.messages[i];
		const uint32_t owner = m->is_reply ? m->destination : m->source;
		n_flits += m->flits;
		n_of[owner] += !m->is_reply;
		if (m->is_reply == (reply_flits > 0) && m->tail > finish[owner])
			finish[owner] = m->tail;
	}
	for (uint32_t v = 0; v < s.topo.n_nodes; v++) {
		if (!loom_traffic_sends(&s.traffic, &s.topo, v))
			continue;
		assert_int_equal(n_of[v], batch);
		n_senders++;
		sum += (double)finish[v];
		least = finish[v] < least ? finish[v] : least;
		most = finish[v] > most ? finish[v] : most;
	}
	assert_int_equal(s.point.finish.cycle, most);
	assert_int_equal(finish[s.point.finish.last], most);
	assert_int_equal(s.point.finish.least, least);
	assert_true(s.point.finish.mean == sum / (double)n_senders);
	assert_int_equal(s.point.finish.n_flits, n_flits);
	assert_int_equal(s.point.n_messages, batch * n_senders);
	loom_load_log_free(&log);
	tear_down(&s);
}

static void test_batches(void **unused)
{
	(void)unused;
	static const char *const fabrics[] = {"cube:3",   "mesh:3x5",         "omega:8",
	                                      "ring:8v2", "table-mesh:3x4v2", "otis-mesh:4l4v2"};
	for (size_t i = 0; i < sizeof fabrics / sizeof fabrics[0]; i++) {
		check_batch(fabrics[i], "uniform", 1, 0, 0);
		check_batch(fabrics[i], "uniform", 1500, 0, 0); // more than a node's program holds
		check_batch(fabrics[i], "hotspot:3", 60, 0, 0);
		check_batch(fabrics[i], "uniform", 700, 1, 0);
		check_batch(fabrics[i], "uniform", 90, 5, 3);
		check_batch(fabrics[i], "hotspot:2", 30, 400, 1);
	}
}

// One node alone with one request under way: each takes the round trip and the service, to the cycle.
static void test_formula(void **unused)
{
	(void)unused;
	for (uint32_t service = LOOM_SERVICE_LEAST; service < 40; service += 7)
		for (uint32_t reply = 0; reply < 9; reply += 4) {
			struct scene s;
			set_up(&s, "line:2", "hotspot:1"); // processor 0 sends to 1
			s.options.batch = 50;
			s.options.closed.window = 1;
			s.options.closed.service_cycles = service;
			s.options.closed.reply_flits = reply;
			assert_int_equal(loom_load_compute(&s.point, &s.topo, &s.traffic, s.map, &s.options, &s.err),
			                 0);
			// F flits over a hop: released in cycle r the tail is there in cycle r + F + 1.
			const uint64_t there = 4 + 1, back = reply ? service + reply + 1 : 0;
			assert_int_equal(s.point.finish.cycle, 1 + 49 * (there + back + service) + there + back);
			assert_int_equal(s.point.most, there + back + 1);
			tear_down(&s);
		}
}

// Replies that go by another rule than requests, on one lane: messages of a pattern of which the ways back are others than those that
// requests take. Of each pair the request goes from 1 by 0 to 4, and the reply the same way back.
static void test_replies_by_another_rule(void **unused)
{
	struct scene s;
	struct loom_load_log log = {0};
	(void)unused;
	set_up(&s, "cube:3", "bit-reverse");
	for (uint32_t v = 0; v < s.topo.n_nodes; v++)
		s.map[v] = v;
	s.options.closed.reply_rule = LOOM_RULE_DESCENDING;
	s.options.batch = 7;
	s.options.log = &log;
	assert_int_equal(loom_load_compute(&s.point, &s.topo, &s.traffic, s.map, &s.options, &s.err), 0);
	const uint32_t per_tile = 5, dim_0 = 0, dim_2 = 2;
	assert_int_equal(log.counts[1 * per_tile + dim_0].messages, 7); // there
	assert_int_equal(log.counts[0 * per_tile + dim_2].messages, 7);
	assert_int_equal(log.counts[4 * per_tile + dim_2].messages, 7); // back
	assert_int_equal(log.counts[0 * per_tile + dim_0].messages, 7);
	assert_int_equal(log.counts[4 * per_tile + dim_0].messages, 7); // from 4 by 5 to 1, there
	loom_load_log_free(&log);
	tear_down(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_classes),
		cmocka_unit_test(test_usual_rule),
		cmocka_unit_test(test_rule_of_none),
		cmocka_unit_test(test_queue),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_heavy),
		cmocka_unit_test(test_batches),
		cmocka_unit_test(test_formula),
		cmocka_unit_test(test_replies_by_another_rule),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
