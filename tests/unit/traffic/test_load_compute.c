// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs at a load on the machine against a slow version: it makes all messages beforehand, has the reference machine play them as
// programs, and works out every figure from the list of arrivals. And the comparison of two runs, message by message.
// LOOM_RUNS in the environment: number of random loads, instead of the usual ones.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/traffic.h>

#include "reference/ref_min.h"
#include "reference/ref_program.h"
#include "base/rng.h"
#include "traffic/injection.h"
#include "unit/help/flows.h"
#include "unit/help/some_nets.h"
#include "unit/help/tally.h"

enum { BLOCK = 256, NODES_AT_MOST = 2048 };

struct scenario {
	const char *fabric, *ref; // the same network by both names; ref NULL: fabric
	const char *pattern;
	double load;
	uint32_t flits, turn;
	enum loom_machine machine;
	enum loom_rule rule;
	uint64_t warmup, measure;
	bool saturated;
	const char *lengths; // with probabilities; NULL: all of `flits`
	enum loom_injection injection;
};

static const struct scenario scenarios[] = {
	{"cube:1", NULL, "uniform", 0.3, 1, 0, LOOM_MACHINE_FAST, LOOM_RULE_ASCENDING, 0, 600, false, NULL,
         LOOM_INJECTION_POISSON},
	{"cube:3", NULL, "uniform", 0.3, 20, 3, LOOM_MACHINE_FAST, LOOM_RULE_ASCENDING, 600, 2000, false, NULL,
         LOOM_INJECTION_POISSON},
	{"cube:3", NULL, "uniform", 0.2, 5, 0, LOOM_MACHINE_PAPER, LOOM_RULE_DESCENDING, 100, 1000, false, NULL,
         LOOM_INJECTION_POISSON},
	{"cube:4", NULL, "uniform", 1, 17, 5, LOOM_MACHINE_FAST, LOOM_RULE_ASCENDING, 500, 4000, true, NULL,
         LOOM_INJECTION_POISSON},
	{"cube:4", NULL, "transpose", 0.9, 2, 0, LOOM_MACHINE_FAST, LOOM_RULE_ASCENDING, 500, 900, true, NULL,
         LOOM_INJECTION_POISSON},
	{"cube:4", NULL, "bit-reverse", 0.2, 9, 1, LOOM_MACHINE_PAPER, LOOM_RULE_ASCENDING, 0, 900, false, NULL,
         LOOM_INJECTION_POISSON},
	{"mesh:3x5", NULL, "hotspot:4:0.1", 0.15, 6, 2, LOOM_MACHINE_FAST, LOOM_RULE_ASCENDING, 300, 1500, false, NULL,
         LOOM_INJECTION_POISSON},
	{"ring:8v2", NULL, "uniform", 0.2, 4, 1, LOOM_MACHINE_FAST, LOOM_RULE_ASCENDING, 200, 1500, false, NULL,
         LOOM_INJECTION_POISSON},
	{"torus:4x4v2", NULL, "uniform", 0.95, 3, 7, LOOM_MACHINE_PAPER, LOOM_RULE_ASCENDING, 200, 1500, true, NULL,
         LOOM_INJECTION_POISSON},
	{"table-mesh:3x4v2", NULL, "uniform", 0.2, 5, 1, LOOM_MACHINE_FAST, LOOM_RULE_DESCENDING, 200, 1500, false,
         NULL, LOOM_INJECTION_POISSON},
	{"otis-mesh:4l3w2v2", NULL, "uniform", 0.05, 5, 1, LOOM_MACHINE_FAST, LOOM_RULE_ASCENDING, 200, 1500, false,
         NULL, LOOM_INJECTION_POISSON},
	{"omega:8", "omega:3", "uniform", 0.2, 8, 3, LOOM_MACHINE_FAST, LOOM_RULE_ASCENDING, 200, 1500, false, NULL,
         LOOM_INJECTION_POISSON},
	{"omega:16", "omega:4", "hotspot:5:0.2", 0.9, 1, 0, LOOM_MACHINE_PAPER, LOOM_RULE_ASCENDING, 200, 1500, true,
         NULL, LOOM_INJECTION_POISSON},
	// Sums, lengths with probabilities, and other arrivals.
	{"cube:4", NULL, "0.5*uniform+0.5*transpose", 0.4, 1, 3, LOOM_MACHINE_FAST, LOOM_RULE_ASCENDING, 200, 2000,
         false, "1:0.5,6:0.3,20:0.2", LOOM_INJECTION_BERNOULLI},
	{"mesh:3x5", NULL, "2*hotspot:4:0.1+1*shift:2", 0.15, 1, 2, LOOM_MACHINE_PAPER, LOOM_RULE_DESCENDING, 300, 1500,
         false, "4:0.25,5:0.75", LOOM_INJECTION_PERIODIC},
	{"omega:8", "omega:3", "uniform", 0.3, 1, 3, LOOM_MACHINE_FAST, LOOM_RULE_ASCENDING, 200, 1500, false,
         "1:0.9,9:0.1", LOOM_INJECTION_BURST},
	{"ring:8v2", NULL, "uniform", 0.9, 1, 1, LOOM_MACHINE_FAST, LOOM_RULE_ASCENDING, 200, 1500, true, "2:0.5,7:0.5",
         LOOM_INJECTION_BURST},
	{"otis-mesh:4l3w2v2", NULL, "uniform", 0.05, 1, 1, LOOM_MACHINE_FAST, LOOM_RULE_ASCENDING, 200, 1500, false,
         "1:0.2,3:0.4,14:0.4", LOOM_INJECTION_POISSON},
	// Ways are not kept, and the mean latency without waiting is that of the messages made.
	{"cube:11", NULL, "uniform", 0.1, 6, 9, LOOM_MACHINE_FAST, LOOM_RULE_ASCENDING, 0, 40, false, NULL,
         LOOM_INJECTION_POISSON},
	{"cube:11", NULL, "uniform", 1, 6, 0, LOOM_MACHINE_FAST, LOOM_RULE_ASCENDING, 256, 2000, true, NULL,
         LOOM_INJECTION_POISSON},
};

struct scene {
	const struct scenario *c;
	struct loom_topo topo;
	struct loom_traffic traffic;
	uint32_t map[NODES_AT_MOST], node_of_source[NODES_AT_MOST];
	struct loom_load_options options;
	struct loom_lengths lengths;
	struct loom_load_point point;
	struct loom_load_log log;
	// All messages that were offered, source by source.
	size_t n, first_of[NODES_AT_MOST + 1];
	struct ref_message *message;
	uint64_t *release;
	uint32_t *destination;
	struct ref_arrival *arrival;
	struct ref_channel *channel;
};

static void set_up(struct scene *s, const struct scenario *c)
{
	uint32_t extent[LOOM_DIMS_MAX];
	struct loom_err err = {0};
	memset(s, 0, sizeof *s);
	s->c = c;
	assert_int_equal(loom_topo_parse(&s->topo, c->fabric, &err), 0);
	const struct loom_pattern_options options = {
		.flits = 1, .seed = 1, .n_dims = loom_topo_shape(extent, &s->topo), .extent = extent};
	assert_int_equal(loom_traffic_parse(&s->traffic, c->pattern, &s->topo, &options, &err), 0);
	for (uint32_t v = 0; v < s->topo.n_nodes; v++)
		s->map[v] = (v + c->turn) % s->topo.n_nodes;
	if (c->lengths)
		assert_int_equal(loom_lengths_parse(&s->lengths, c->lengths, &err), 0);
	s->options = (struct loom_load_options){.load = c->load,
	                                        .flits = c->flits,
	                                        .lengths = c->lengths ? &s->lengths : NULL,
	                                        .injection = c->injection,
	                                        .on_cycles = 20,
	                                        .off_cycles = 5,
	                                        .seed = 7,
	                                        .warmup_cycles = c->warmup,
	                                        .measure_cycles = c->measure,
	                                        .rule = c->rule,
	                                        .machine = c->machine,
	                                        .log = &s->log};
}

static void tear_down(struct scene *s)
{
	loom_load_log_free(&s->log);
	loom_traffic_free(&s->traffic);
	loom_topo_free(&s->topo);
	free(s->message);
	free(s->release);
	free(s->destination);
	free(s->arrival);
	free(s->channel);
}

static void compute(struct scene *s)
{
	struct loom_err err = {0};
	if (loom_load_compute(&s->point, &s->topo, &s->traffic, s->map, &s->options, &err) != 0)
		fail_msg("%s %s: %s", s->c->fabric, s->c->pattern, err.text);
	assert_int_equal(s->point.n_messages, s->log.n_messages);
}

// Makes as many messages of each source as the log has of it.
static void make_messages(struct scene *s)
{
	const uint32_t n_nodes = s->topo.n_nodes;
	for (size_t i = 0; i < s->log.n_messages; i++)
		s->first_of[s->log.messages[i].source + 1]++;
	for (uint32_t v = 0; v < n_nodes; v++)
		s->first_of[v + 1] += s->first_of[v];
	s->n = s->first_of[n_nodes];
	s->message = calloc(s->n + 1, sizeof *s->message);
	s->release = calloc(s->n + 1, sizeof *s->release);
	s->destination = calloc(s->n + 1, sizeof *s->destination);
	for (uint32_t v = 0; v < n_nodes; v++) {
		struct loom_injection_of a;
		loom_injection_begin(&a, &s->options, loom_shares_gap(&s->traffic, &s->options, v), v);
		for (size_t i = s->first_of[v]; i < s->first_of[v + 1]; i++) {
			s->release[i] = loom_injection_next(&a);
			const struct loom_drawn drawn = loom_injection_draw(&a, &s->traffic, &s->options, v);
			s->destination[i] = drawn.destination;
			s->message[i] = (struct ref_message){s->map[v], s->map[drawn.destination], drawn.flits};
		}
	}
}

static void play(struct scene *s)
{
	const uint32_t n_nodes = s->topo.n_nodes;
	const char *name = s->c->ref ? s->c->ref : s->c->fabric, *colon = strchr(name, ':');
	struct ref_net net;
	struct ref_min min;
	if (s->c->ref) {
		char kind[32];
		(void)snprintf(kind, sizeof kind, "%.*s", (int)(colon - name), name);
		ref_min_build(&min, kind, (unsigned)atoi(colon + 1));
	} else {
		net = net_of(name);
	}
	const struct ref_machine machine = {.n_slots = s->c->ref ? 2 : ref_net_slots(&net),
	                                    .order =
	                                            s->c->rule == LOOM_RULE_DESCENDING ? REF_DESCENDING : REF_ASCENDING,
	                                    .timing = s->c->machine == LOOM_MACHINE_PAPER ? REF_PAPER : REF_FAST,
	                                    .tie = s->c->ref ? REF_TIE_PORT : ref_machine_tie(&net),
	                                    .net = s->c->ref ? NULL : &net,
	                                    .min = s->c->ref ? &min : NULL};
	struct ref_program *program = calloc(n_nodes, sizeof *program);
	struct ref_entry *entry = calloc(s->n + 1, sizeof *entry);
	for (size_t i = 0; i < s->n; i++)
		entry[i] = (struct ref_entry){.kind = REF_SEND, .at = s->release[i], .message = i};
	for (uint32_t v = 0; v < n_nodes; v++)
		program[s->map[v]] = (struct ref_program){entry + s->first_of[v], s->first_of[v + 1] - s->first_of[v]};
	s->arrival = calloc(s->n + 1, sizeof *s->arrival);
	s->channel = calloc(s->log.n_channels + 1, sizeof *s->channel);
	struct ref_outcome outcome = {.arrival = s->arrival, .channel = s->channel};
	assert_int_equal(ref_program_run(&outcome, &machine, s->message, s->n, program), 0);
	free(program);
	free(entry);
}

static void compare_log(const struct scene *s)
{
	for (size_t k = 0; k < s->log.n_messages; k++) {
		const struct loom_load_message *m = &s->log.messages[k];
		const size_t i = s->first_of[m->source] + m->number;
		assert_true(i < s->first_of[m->source + 1]);
		if (m->destination != s->destination[i] || m->release != s->release[i] ||
		    m->header != s->arrival[i].first_cycle || m->tail != s->arrival[i].done_cycle ||
		    m->entered != s->arrival[i].entered_cycle)
			fail_msg("%s: message %d of %u, released in %d, enters in %d, arrives in %d to %d, not in %d, "
			         "%d to %d",
			         s->c->fabric, (int)m->number, m->source, (int)m->release, (int)m->entered,
			         (int)m->header, (int)m->tail, (int)s->arrival[i].entered_cycle,
			         (int)s->arrival[i].first_cycle, (int)s->arrival[i].done_cycle);
	}
	for (uint32_t c = 0; c < s->log.n_channels; c++) {
		const struct loom_load_count *count = &s->log.counts[c];
		if (!loom_topo_channel_exists(&s->topo, c))
			continue;
		assert_int_equal(count->messages, s->channel[c].n_worms);
		assert_int_equal(count->flits, s->channel[c].n_flits);
		assert_int_equal(count->blocked, s->channel[c].n_blocked);
	}
}

static int by_number(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

static bool is_within(uint64_t cycle, uint64_t from, uint64_t to)
{
	return cycle > from && cycle <= to;
}

// Works out the two parts of the mean latency, and how evenly what was delivered is spread over those that send.
static void compare_parts(const struct scene *s)
{
	const uint64_t end = s->c->warmup + s->c->measure;
	uint64_t waits = 0, total = 0, n = 0;
	double least = 1e300, sum = 0, squares = 0, n_senders = 0;
	for (uint32_t v = 0; v < s->topo.n_nodes; v++) {
		double x = 0;
		for (size_t i = s->first_of[v]; i < s->first_of[v + 1]; i++) {
			const struct ref_arrival *a = &s->arrival[i];
			x += is_within(a->done_cycle, s->c->warmup, end) ? s->message[i].n_flits : 0;
			if (!is_within(s->release[i], s->c->warmup, end))
				continue;
			waits += a->entered_cycle - s->release[i];
			total += a->done_cycle - a->entered_cycle + 1;
			n++;
		}
		if (!loom_traffic_sends(&s->traffic, &s->topo, v))
			continue;
		x /= loom_traffic_rate(&s->traffic, v);
		least = x < least ? x : least;
		sum += x;
		squares += x * x;
		n_senders++;
	}
	assert_real(s->c->fabric, s->point.at_source, (double)waits / (double)n);
	assert_real(s->c->fabric, s->point.in_network, (double)total / (double)n);
	assert_real(s->c->fabric, s->point.worst_share, least * n_senders / sum);
	assert_real(s->c->fabric, s->point.jain, sum * sum / n_senders / squares);
}

// Works out every figure of a run that is not saturated from the arrivals. Returns the cycle in which it was over.
static uint64_t compare_point(const struct scene *s)
{
	const struct scenario *c = s->c;
	const uint64_t end = c->warmup + c->measure;
	uint64_t *latency = calloc(s->n + 1, sizeof *latency), sum = 0, last = 0, over = 0, n = 0, offered = 0,
		 accepted = 0;
	double nodes = 0;
	for (uint32_t v = 0; v < s->topo.n_nodes; v++)
		nodes += s->first_of[v + 1] > s->first_of[v] || loom_traffic_sends(&s->traffic, &s->topo, v);
	for (size_t i = 0; i < s->n; i++) {
		const uint64_t tail = s->arrival[i].done_cycle;
		last = tail > last ? tail : last;
		accepted += is_within(tail, c->warmup, end) ? s->message[i].n_flits : 0;
		if (!is_within(s->release[i], c->warmup, end))
			continue;
		offered += s->message[i].n_flits;
		latency[n] = tail - s->release[i] + 1;
		sum += latency[n++];
		over = tail > over ? tail : over;
	}
	over = over > end ? over : end;
	over = (over + BLOCK - 1) / BLOCK * BLOCK; // the block in which all of them have arrived
	qsort(latency, n, sizeof *latency, by_number);
	const struct loom_load_point *p = &s->point;
	assert_int_equal(p->n_measured, n);
	assert_true(p->mean == (double)sum / (double)n);
	assert_int_equal(p->least, latency[0]);
	assert_int_equal(p->p50, latency[(n * 50 + 99) / 100 - 1]);
	assert_int_equal(p->p95, latency[(n * 95 + 99) / 100 - 1]);
	assert_int_equal(p->p99, latency[(n * 99 + 99) / 100 - 1]);
	assert_int_equal(p->most, latency[n - 1]);
	assert_true(p->offered == (double)offered / ((double)c->measure * nodes));
	assert_true(p->accepted == (double)accepted / ((double)c->measure * nodes));
	assert_int_equal(p->n_cycles, last > over ? (last + BLOCK - 1) / BLOCK * BLOCK : over);
	free(latency);
	return over;
}

// All messages released before the end of the block after the one that is over were given, and no more. A source of many short
// messages may be given fewer.
static void compare_given(const struct scene *s, uint64_t over)
{
	for (uint32_t v = 0; v < s->topo.n_nodes; v++) {
		struct loom_injection_of a;
		if (!loom_traffic_sends(&s->traffic, &s->topo, v))
			continue;
		loom_injection_begin(&a, &s->options, loom_shares_gap(&s->traffic, &s->options, v), v);
		for (size_t i = s->first_of[v]; i < s->first_of[v + 1]; i++)
			assert_true(loom_injection_next(&a) <= over + BLOCK);
		assert_true(loom_injection_next(&a) > over + BLOCK);
	}
}

static void test_against_reference(void **unused)
{
	(void)unused;
	for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++) {
		struct scene *s = malloc(sizeof *s);
		set_up(s, &scenarios[i]);
		compute(s);
		assert_int_equal(s->point.n_mismatches, 0);
		if (s->point.saturated != scenarios[i].saturated)
			fail_msg("%s %s at %g: saturated %d", s->c->fabric, s->c->pattern, s->c->load,
			         s->point.saturated);
		make_messages(s);
		play(s);
		compare_log(s);
		if (!s->point.saturated)
			compare_given(s, compare_point(s));
		if (!s->point.saturated)
			compare_parts(s);
		tear_down(s);
		free(s);
	}
}

// The networks of random loads, by both names.
static const struct {
	const char *fabric, *ref;
} networks[] = {
	{"cube:1", NULL},
	{"cube:3", NULL},
	{"cube:5", NULL},
	{"line:6", NULL},
	{"ring:3v2", NULL},
	{"ring:8v2", NULL},
	{"mesh:3x5", NULL},
	{"mesh:2x3x2", NULL},
	{"torus:4x4v2", NULL},
	{"torus:2x3x3v2", NULL},
	{"table-mesh:3x4", NULL},
	{"table-mesh:3x4v2", NULL},
	{"table-mesh:3x3v4", NULL},
	{"table-cube:3", NULL},
	{"otis-mesh:4v2", NULL},
	{"otis-mesh:4l3w2v2", NULL},
	{"baseline:8", "baseline:3"},
	{"omega:16", "omega:4"},
	{"icube:8", "icube:3"},
	{"rbaseline:4", "rbaseline:2"},
	{"romega:8", "romega:3"},
	{"ricube:16", "ricube:4"},
};
enum { N_NETWORKS = sizeof networks / sizeof networks[0] };

static void draw(struct scenario *out, uint64_t seed)
{
	static const uint32_t flits[] = {1, 2, 3, 5, 8, 20, 45};
	struct loom_rng rng;
	loom_rng_init(&rng, seed);
	const size_t k = seed % N_NETWORKS;
	*out = (struct scenario){
		.fabric = networks[k].fabric,
		.ref = networks[k].ref,
		.pattern = "uniform",
		.load = (double)(1 + loom_rng_below(&rng, loom_rng_below(&rng, 2) ? 20 : 100)) / 100,
		.flits = flits[loom_rng_below(&rng, 7)],
		.turn = (uint32_t)loom_rng_below(&rng, 5),
		.machine = loom_rng_below(&rng, 2) ? LOOM_MACHINE_PAPER : LOOM_MACHINE_FAST,
		.warmup = loom_rng_below(&rng, 300),
		.measure = 200 + loom_rng_below(&rng, 800),
	};
}

static void test_random_loads(void **unused)
{
	(void)unused;
	const char *wanted = getenv("LOOM_RUNS");
	const uint64_t n = wanted ? strtoull(wanted, NULL, 10) : 2 * N_NETWORKS;
	struct tally tally = {0};
	uint64_t n_saturated = 0;
	for (uint64_t seed = 1; seed <= n; seed++) {
		struct scenario c;
		struct scene *s = malloc(sizeof *s);
		struct loom_err err = {0};
		draw(&c, seed);
		set_up(s, &c);
		const int code = loom_load_compute(&s->point, &s->topo, &s->traffic, s->map, &s->options, &err);
		if (code == 0) {
			make_messages(s);
			play(s);
			compare_log(s);
			if (!s->point.saturated)
				(void)compare_point(s);
			n_saturated += s->point.saturated;
			tally_add(&tally, c.fabric);
		} else if (!strstr(err.text, "no message was released")) {
			fail_msg("seed %d, %s: %s", (int)seed, c.fabric, err.text);
		}
		tear_down(s);
		free(s);
	}
	tally_print(&tally, "loads");
	assert_true(tally.n > n * 9 / 10 && n_saturated > n / 20 && n_saturated < n);
}

// Two equal runs have no difference; each difference that the test makes is reported.
static void test_compare(void **unused)
{
	(void)unused;
	struct scene *a = malloc(sizeof *a), *b = malloc(sizeof *b);
	char first[200] = "";
	set_up(a, &scenarios[1]);
	set_up(b, &scenarios[1]);
	compute(a);
	compute(b);
	assert_int_equal(loom_load_log_compare(first, sizeof first, &a->log, &b->log, &a->topo), 0);
	struct loom_load_message *m = &b->log.messages[b->log.n_messages / 2];
	uint64_t *const of_message[] = {&m->release, &m->header, &m->tail};
	for (size_t i = 0; i < 3; i++) {
		++*of_message[i];
		assert_int_equal(loom_load_log_compare(first, sizeof first, &a->log, &b->log, &a->topo), 1);
		assert_non_null(strstr(first, "released in cycle"));
		--*of_message[i];
	}
	m->destination ^= 1;
	assert_int_equal(loom_load_log_compare(first, sizeof first, &a->log, &b->log, &a->topo), 1);
	m->destination ^= 1;
	struct loom_load_count *count = &b->log.counts[0];
	uint64_t *const of_channel[] = {&count->messages, &count->flits, &count->blocked};
	for (size_t i = 0; i < 3; i++) {
		++*of_channel[i];
		assert_int_equal(loom_load_log_compare(first, sizeof first, &a->log, &b->log, &a->topo), 1);
		assert_non_null(strstr(first, "channel 0->1 (dim 0)"));
		--*of_channel[i];
	}
	b->log.n_messages--; // the last one of the last source
	assert_int_equal(loom_load_log_compare(first, sizeof first, &a->log, &b->log, &a->topo), 1);
	assert_non_null(strstr(first, "is not in what should be"));
	assert_int_equal(loom_load_log_compare(first, sizeof first, &b->log, &a->log, &a->topo), 1);
	assert_non_null(strstr(first, "is not in what is"));
	b->log.n_messages++;
	b->log.n_channels--;
	assert_int_equal(loom_load_log_compare(first, sizeof first, &a->log, &b->log, &a->topo), 1);
	assert_int_equal(loom_load_log_compare(first, sizeof first, &a->log, &a->log, &a->topo), 0);
	tear_down(a);
	tear_down(b);
	free(a);
	free(b);
}

static bool stop(void *user, uint64_t cycle, uint64_t of_about)
{
	(void)user;
	(void)of_about;
	return cycle >= 1000;
}

static void test_refused(void **unused)
{
	(void)unused;
	static const struct {
		const char *fabric, *pattern;
		double load;
		const char *says;
	} cases[] = {
		{"cube:3", "uniform", 0, "above 0"},
		{"ring:8", "uniform", 0.1, "on fabric ring:8v2 they cannot"},
		{"benes:8", "uniform", 0.1, "omega has one direction"},
		{"cube:3", "uniform", 0.000001, "no message was released"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct scenario c = {.fabric = cases[i].fabric,
		                           .pattern = cases[i].pattern,
		                           .load = cases[i].load,
		                           .flits = 4,
		                           .measure = 10};
		struct scene *s = malloc(sizeof *s);
		struct loom_err err = {0};
		set_up(s, &c);
		s->point.n_cycles = 77;
		assert_int_equal(loom_load_compute(&s->point, &s->topo, &s->traffic, s->map, &s->options, &err),
		                 LOOM_EINPUT);
		if (!strstr(err.text, cases[i].says))
			fail_msg("\"%s\" does not say \"%s\"", err.text, cases[i].says);
		assert_int_equal(s->point.n_cycles, 77);
		tear_down(s);
		free(s);
	}
	struct scene *s = malloc(sizeof *s);
	struct loom_err err = {0};
	set_up(s, &scenarios[1]);
	s->options.watch = stop;
	assert_int_equal(loom_load_compute(&s->point, &s->topo, &s->traffic, s->map, &s->options, &err), LOOM_ETIMEOUT);
	assert_string_equal(err.text, "given up at cycle 1024");
	tear_down(s);
	free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_reference),
	                                   cmocka_unit_test(test_random_loads), cmocka_unit_test(test_compare),
	                                   cmocka_unit_test(test_refused)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
