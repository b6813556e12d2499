// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// When each message was first offered, as the host works it out from arrivals, against the reference machine, which
// sees the offers. And the tables in which it is told.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <flitloom/planner.h>
#include <flitloom/report.h>

#include "base/file.h"
#include "check/offered.h"
#include "plan/light.h"
#include "plan/plan_internal.h"
#include "reference/reference.h"

enum { MESSAGES_MAX = 64 };

// A plan of one pass, its run on the reference machine, and the trace that a chip would have left.
struct played {
	struct loom_plan plan;
	struct loom_trace trace;
	struct ref_arrival truth[MESSAGES_MAX];
};

static uint32_t next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*state >> 33);
}

static void make_plan_on(struct loom_plan *out, const char *fabric, const struct ref_message *message, size_t n)
{
	struct loom_topo topo;
	char list[8192] = "source,destination,flits\n", path[] = "/tmp/test_offered_XXXXXX", spec[64];
	struct loom_pattern pattern;
	const struct loom_pattern_options options = {.flits = 17, .seed = 1};
	const struct loom_plan_options direct = {.map = "identity", .planner = "direct"};
	assert_int_equal(loom_topo_parse(&topo, fabric, NULL), 0);
	size_t used = 0;
	for (size_t i = 0; i < n; i++)
		used += (size_t)snprintf(list + used, sizeof list - used, "%u,%u,%u\n", message[i].source,
		                         message[i].destination, message[i].n_flits);
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, list, used), used);
	assert_int_equal(close(fd), 0);
	(void)snprintf(spec, sizeof spec, "messages:%s", path);
	assert_int_equal(loom_pattern_parse(&pattern, spec, topo.n_nodes, &options, NULL), 0);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(loom_plan_make(out, &topo, &pattern, &direct, NULL), 0);
	loom_pattern_free(&pattern);
	assert_int_equal(out->n_messages, n);
	assert_int_equal(out->n_passes, 1);
}

static void make_plan(struct loom_plan *out, unsigned dims, const struct ref_message *message, size_t n)
{
	char name[16];
	(void)snprintf(name, sizeof name, "cube:%u", dims);
	make_plan_on(out, name, message, n);
}

static void play(struct played *p, unsigned dims, enum ref_timing timing, const struct ref_message *message, size_t n)
{
	const struct ref_machine machine = {
		.n_dims = dims, .n_slots = 2, .order = REF_ASCENDING, .timing = timing, .tie = REF_TIE_SOURCE};
	uint32_t sent[1u << REF_DIMS_MAX] = {0};
	assert_true(n <= MESSAGES_MAX);
	make_plan(&p->plan, dims, message, n);
	assert_int_equal(ref_machine_run(p->truth, NULL, &machine, message, n), 0);
	p->trace = (struct loom_trace){.n_nodes = p->plan.topo.n_nodes,
	                               .n_channels = loom_topo_channels(&p->plan.topo),
	                               .n_passes = 1,
	                               .n_arrivals = n};
	p->trace.arrivals = calloc(n + 1, sizeof *p->trace.arrivals);
	assert_non_null(p->trace.arrivals);
	for (size_t i = 0; i < n; i++)
		p->trace.arrivals[i] = (struct loom_arrival){.node = message[i].destination,
		                                             .source = message[i].source,
		                                             .number = sent[message[i].source]++,
		                                             .destination = message[i].destination,
		                                             .flits = message[i].n_flits,
		                                             .first_cycle = (uint32_t)p->truth[i].first_cycle,
		                                             .last_cycle = (uint32_t)p->truth[i].done_cycle,
		                                             .intact = true};
}

// The words of nodes that keep the cycles in which entries of their programs began.
static void tell_releases(struct played *p)
{
	struct loom_trace *t = &p->trace;
	uint32_t number[1u << REF_DIMS_MAX] = {0};
	const size_t n = p->plan.n_messages;
	t->first_entry = calloc((size_t)t->n_nodes + 1, sizeof *t->first_entry);
	t->released = calloc(n + 1, sizeof *t->released);
	assert_true(t->first_entry && t->released);
	for (uint32_t u = 0; u < t->n_nodes; u++) {
		t->first_entry[u + 1] = t->first_entry[u];
		for (size_t i = 0; i < n; i++)
			t->first_entry[u + 1] += p->plan.map[p->plan.messages[i].source] == u;
	}
	for (size_t i = 0; i < n; i++) {
		const uint32_t u = p->plan.map[p->plan.messages[i].source];
		t->released[t->first_entry[u] + number[u]++] = (uint32_t)p->truth[i].offer_cycle;
	}
}

static void free_played(struct played *p)
{
	free(p->trace.released);
	free(p->trace.first_entry);
	free(p->trace.arrivals);
	loom_plan_free(&p->plan);
}

// The true cycle lies between the bounds; where they meet it is the one. How many of the messages are known.
static size_t check_bounds(const struct played *p, const char *what)
{
	struct loom_fate *fates = NULL;
	size_t known = 0;
	assert_int_equal(loom_offered_make(&fates, &p->plan, &p->trace, NULL), 0);
	for (size_t i = 0; i < p->plan.n_messages; i++) {
		const struct loom_fate *f = &fates[i];
		if (f->earliest == 0 || f->earliest > p->truth[i].offer_cycle || f->latest < p->truth[i].offer_cycle)
			fail_msg("%s: message %zu was offered in cycle %llu, not in %llu..%llu", what, i,
			         (unsigned long long)p->truth[i].offer_cycle, (unsigned long long)f->earliest,
			         (unsigned long long)f->latest);
		known += f->earliest == f->latest;
	}
	free(fates);
	return known;
}

static void test_against_reference(void **state)
{
	(void)state;
	size_t n_all = 0, n_known = 0, n_late = 0;
	for (uint64_t seed = 1; seed <= 400; seed++) {
		struct ref_message message[MESSAGES_MAX];
		uint64_t random = seed;
		unsigned dims = 1 + next_random(&random) % 4, n = 1 + next_random(&random) % MESSAGES_MAX;
		unsigned most = seed % 3 == 0 ? 3 : seed % 3 == 1 ? 17 : 70;
		char what[48];
		for (unsigned i = 0; i < n; i++) {
			uint32_t source = next_random(&random) % (1u << dims);
			uint32_t step = 1 + next_random(&random) % ((1u << dims) - 1);
			message[i] = (struct ref_message){source, (source + step) % (1u << dims),
			                                  1 + next_random(&random) % most};
		}
		for (int paper = 0; paper < 2; paper++) {
			struct played p;
			(void)snprintf(what, sizeof what, "seed %llu, %s", (unsigned long long)seed,
			               paper ? "paper" : "fast");
			play(&p, dims, paper ? REF_PAPER : REF_FAST, message, n);
			n_known += check_bounds(&p, what);
			n_all += n;
			tell_releases(&p);
			assert_int_equal(check_bounds(&p, what), n);
			for (unsigned i = 0; i < n; i++)
				n_late += p.truth[i].offer_cycle > 1;
			free_played(&p);
		}
	}
	// The bounds are worth something: more are known than the first ones of each node.
	assert_true(n_late > n_all / 2);
	assert_true(n_known > n_all - n_late);
}

// Nobody waits: every cycle is known, of each message of a queue.
static void test_queue_alone(void **state)
{
	(void)state;
	struct played p;
	const struct ref_message message[] = {{0, 7, 5}, {0, 1, 1}, {0, 3, 9}, {0, 6, 2}};
	play(&p, 3, REF_FAST, message, 4);
	assert_int_equal(check_bounds(&p, "a queue"), 4);
	assert_int_equal(p.truth[3].offer_cycle, 1 + 5 + 1 + 9);
	free_played(&p);
}

// An event that is not as planned tells nothing about the offers after it.
static void test_after_a_fault(void **state)
{
	(void)state;
	struct played p;
	struct loom_fate *fates = NULL;
	const struct ref_message message[] = {{0, 7, 5}, {0, 1, 1}, {0, 3, 9}, {2, 3, 4}};
	play(&p, 3, REF_FAST, message, 4);
	p.trace.n_arrivals = 4;
	p.trace.arrivals[1].node = 5; // elsewhere
	assert_int_equal(loom_offered_make(&fates, &p.plan, &p.trace, NULL), 0);
	assert_int_equal(fates[1].earliest, 6);
	assert_int_equal(fates[1].latest, 6);
	assert_int_equal(fates[2].earliest, 0);
	assert_int_equal(fates[2].latest, 0);
	assert_int_equal(fates[3].earliest, 1);
	free(fates);

	p.trace.arrivals[0].first_cycle = 3; // sooner than it can be: three hops
	assert_int_equal(loom_offered_make(&fates, &p.plan, &p.trace, NULL), 0);
	assert_int_equal(fates[0].earliest, 0);
	free(fates);
	free_played(&p);
}

// A node's word about a message is taken if its arrival does not contradict it.
static void test_releases(void **state)
{
	(void)state;
	struct played p;
	struct loom_fate *fates = NULL;
	// The first waits for the second's tail, so the third was offered in 6..10, by the arrivals.
	const struct ref_message message[] = {{0, 3, 5}, {1, 3, 5}, {0, 1, 2}};
	play(&p, 2, REF_FAST, message, 3);
	tell_releases(&p);
	static const struct {
		uint32_t released;
		size_t n_arrivals;
		uint64_t earliest, latest;
	} cases[] = {{6, 4, 6, 6},  {8, 4, 8, 8},   {10, 4, 10, 10}, {5, 4, 6, 10},
	             {0, 3, 6, 10}, {11, 3, 6, 10}, {8, 2, 6, 10}}; // the last: it has not come
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		p.trace.released[1] = cases[i].released;
		p.trace.n_arrivals = cases[i].n_arrivals;
		assert_int_equal(loom_offered_make(&fates, &p.plan, &p.trace, NULL), 0);
		assert_int_equal(fates[2].earliest, cases[i].earliest);
		assert_int_equal(fates[2].latest, cases[i].latest);
		assert_int_equal(fates[1].earliest, 1);
		free(fates);
	}
	// Nothing follows from the arrivals behind one that went elsewhere; the node knows all the same.
	p.trace.n_arrivals = 3;
	p.trace.released[1] = 8;
	p.trace.arrivals[0].node = 2;
	assert_int_equal(loom_offered_make(&fates, &p.plan, &p.trace, NULL), 0);
	assert_int_equal(fates[2].earliest, 8);
	assert_int_equal(fates[2].latest, 8);
	free(fates);
	p.trace.released[1] = 0;
	assert_int_equal(loom_offered_make(&fates, &p.plan, &p.trace, NULL), 0);
	assert_int_equal(fates[2].earliest, 0);
	free(fates);
	free_played(&p);
}

// A message to oneself uses no channel: nothing is known of it, and nothing less of those around it.
static void test_to_oneself(void **state)
{
	(void)state;
	const struct ref_message all[] = {{3, 3, 4}, {0, 7, 5}, {0, 0, 3}, {0, 1, 2}, {5, 5, 1}};
	const struct ref_message sent[] = {{0, 7, 5}, {0, 1, 2}};
	struct played p;
	struct loom_plan plan;
	struct loom_fate *fates = NULL;
	play(&p, 3, REF_FAST, sent, 2);
	make_plan(&plan, 3, all, 5);
	assert_int_equal(loom_offered_make(&fates, &plan, &p.trace, NULL), 0);
	for (size_t i = 0; i < 5; i++) {
		bool used = i == 1 || i == 3;
		assert_int_equal(fates[i].earliest, i == 1 ? 1 : i == 3 ? 6 : 0);
		assert_int_equal(fates[i].latest, fates[i].earliest);
		assert_int_equal(fates[i].hops, i == 1 ? 3 : i == 3 ? 1 : 0);
		assert_int_equal(fates[i].n_arrived, used);
		assert_int_equal(fates[i].arrival != NULL, used);
	}
	free(fates);
	loom_plan_free(&plan);
	free_played(&p);
}

static char *written(int (*write_it)(const char *, const struct loom_plan *, const struct loom_trace *,
                                     struct loom_err *),
                     const struct played *p)
{
	char path[] = "/tmp/test_offered_XXXXXX", *text = NULL;
	size_t length = 0;
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(close(fd), 0);
	assert_int_equal(write_it(path, &p->plan, &p->trace, NULL), 0);
	assert_int_equal(loom_file_read(&text, &length, path, 1 << 20, NULL), 0);
	assert_int_equal(unlink(path), 0);
	text = realloc(text, length + 1);
	assert_non_null(text);
	text[length] = '\0';
	return text;
}

// The arrival of a message that nobody held up: offered in that cycle, over so many hops and cycles of light.
static struct loom_arrival unhindered(const struct loom_plan_message *m, uint32_t number, uint32_t offered,
                                      uint32_t hops)
{
	return (struct loom_arrival){.node = m->destination,
	                             .source = m->source,
	                             .number = number,
	                             .destination = m->destination,
	                             .flits = m->flits,
	                             .first_cycle = offered + hops + 1,
	                             .last_cycle = offered + hops + m->flits,
	                             .intact = true};
}

// In a free run a node whose first message is of a later pass offers it when that pass begins.
static void test_free_run(void **state)
{
	(void)state;
	const struct ref_message all[] = {{0, 1, 5}, {1, 3, 5}, {2, 6, 5}};
	struct loom_arrival arrivals[3];
	struct loom_plan plan;
	struct loom_fate *fates = NULL;
	make_plan(&plan, 3, all, 3);
	plan.free_running = true;
	plan.n_passes = 4;
	for (uint32_t i = 0; i < 3; i++) {
		plan.messages[i].pass = i + (i > 1);
		arrivals[i] = unhindered(&plan.messages[i], 0, 1 + 5 * plan.messages[i].pass, 1);
		arrivals[i].pass = plan.n_passes - 1;
	}
	const struct loom_trace trace = {.n_nodes = 8,
	                                 .n_channels = loom_topo_channels(&plan.topo),
	                                 .n_passes = 4,
	                                 .arrivals = arrivals,
	                                 .n_arrivals = 3};
	assert_int_equal(loom_offered_make(&fates, &plan, &trace, NULL), 0);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(fates[i].earliest, 1 + 5 * plan.messages[i].pass);
		assert_int_equal(fates[i].latest, fates[i].earliest);
	}
	free(fates);
	loom_plan_free(&plan);
}

// Cycles in light do not count as waiting: the next message was offered as soon as this one had left its node.
static void test_light(void **state)
{
	(void)state;
	const struct ref_message all[] = {{1, 4, 5}, {1, 0, 5}};
	struct loom_plan plan;
	struct loom_fate *fates = NULL;
	make_plan_on(&plan, "otis-mesh:4l17v2", all, 2);
	const uint32_t light = (uint32_t)loom_plan_light(&plan, 0).delay;
	assert_in_range(light, 15, 20); // 17 cycles, and the buffers at both ends
	assert_int_equal(loom_plan_route_length(&plan, 0) - 2, 1);
	struct loom_arrival arrivals[] = {unhindered(&plan.messages[0], 0, 1, 1 + light),
	                                  unhindered(&plan.messages[1], 1, 60, 1)}; // held up at the other end
	const struct loom_trace trace = {.n_nodes = 16,
	                                 .n_channels = loom_topo_channels(&plan.topo),
	                                 .n_passes = 1,
	                                 .arrivals = arrivals,
	                                 .n_arrivals = 2};
	assert_int_equal(loom_offered_make(&fates, &plan, &trace, NULL), 0);
	assert_int_equal(fates[0].latest, 1);
	assert_int_equal(fates[1].earliest, 6);
	assert_int_equal(fates[1].latest, 6);
	free(fates);
	loom_plan_free(&plan);
}

static void test_messages_table(void **state)
{
	(void)state;
	struct played p;
	const struct ref_message message[] = {{0, 3, 5}, {1, 3, 5}, {1, 1, 4}, {0, 1, 2}};
	struct ref_message sent[4];
	size_t n = 0;
	for (size_t i = 0; i < 4; i++)
		if (message[i].source != message[i].destination)
			sent[n++] = message[i];
	play(&p, 2, REF_FAST, sent, n);
	char *text = written(loom_report_messages, &p);
	// The first waits at node 1 for the second's tail. Its own flits then stand in three buffers of two, all but the
	// tail, so that the third message is offered between the cycle after five flits and two before its header comes.
	assert_string_equal(text,
	                    "message,pass,source,destination,source_node,destination_node,flits,hops,offered,header,"
	                    "tail,waited,state,offered_earliest,offered_latest,latency,predicted_offered,"
	                    "predicted_header,predicted_tail,predicted_waited\n"
	                    "0,0,0,3,0,3,5,2,1,8,12,4,delivered,1,1,12,1,8,12,4\n"
	                    "1,0,1,3,1,3,5,1,1,3,7,0,delivered,1,1,7,1,3,7,0\n"
	                    "2,0,0,1,0,1,2,1,,12,13,,delivered,6,10,,10,12,13,0\n");
	free(text);
	tell_releases(&p);
	text = written(loom_report_messages, &p);
	assert_non_null(strstr(text, "\n0,0,0,3,0,3,5,2,1,8,12,4,delivered,1,1,12,1,8,12,4\n"));
	assert_non_null(strstr(text, "\n2,0,0,1,0,1,2,1,10,12,13,0,delivered,10,10,4,10,12,13,0\n"));
	free(text);
	p.trace.arrivals[0].intact = false;
	p.trace.n_arrivals = 2;
	text = written(loom_report_messages, &p);
	assert_non_null(strstr(text, "\n0,0,0,3,0,3,5,2,1,8,12,4,corrupt,1,1,12,1,8,12,4\n"));
	assert_non_null(strstr(text, "\n2,0,0,1,0,1,2,1,,,,,missing,6,10,,10,12,13,0\n"));
	free(text);
	p.trace.arrivals[0].first_cycle++; // what was measured may be something else
	p.trace.machine = LOOM_MACHINE_PAPER;
	text = written(loom_report_messages, &p);
	assert_non_null(strstr(text, "\n0,0,0,3,0,3,5,2,1,9,12,5,corrupt,1,1,12,1,9,13,5\n"));
	free(text);
	free_played(&p);
}

// The word for what became of a message: the first that holds.
static void test_states(void **state)
{
	(void)state;
	static const struct ref_message message[] = {{0, 1, 5}, {1, 1, 4}, {1, 0, 3}};
	struct loom_plan plan;
	make_plan(&plan, 1, message, 3);
	static const struct {
		const char *state;
		uint32_t node, flits;
		bool intact;
		unsigned n;
	} rows[] = {{"missing", 1, 5, true, 0}, {"delivered", 1, 5, true, 1},  {"corrupt", 1, 5, false, 1},
	            {"cut", 1, 4, false, 1},    {"elsewhere", 0, 4, false, 1}, {"repeated", 1, 4, false, 2}};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct loom_arrival first = unhindered(&plan.messages[0], 0, 1, 1);
		first.node = rows[i].node;
		first.flits = rows[i].flits;
		first.intact = rows[i].intact;
		struct loom_arrival arrivals[] = {first, first};
		struct played p = {.plan = plan,
		                   .trace = {.n_nodes = 2,
		                             .n_channels = loom_topo_channels(&plan.topo),
		                             .n_passes = 1,
		                             .arrivals = arrivals,
		                             .n_arrivals = rows[i].n}};
		char *text = written(loom_report_messages, &p), word[40];
		(void)snprintf(word, sizeof word, ",%s,", rows[i].state);
		char *line = strstr(text, "\n0,0,0,1,");
		assert_true(line && strstr(line, word) && strstr(line, word) < strstr(line + 1, "\n"));
		assert_non_null(strstr(text, "\n1,0,1,1,1,1,4,0,,,,,local,,,,,,,\n"));
		assert_non_null(strstr(strstr(text, "\n2,0,1,0,"), ",missing,"));
		free(text);
	}
	loom_plan_free(&plan);
}

static void test_channels_table(void **state)
{
	(void)state;
	struct played p;
	const struct ref_message message[] = {{0, 1, 5}};
	play(&p, 1, REF_FAST, message, 1);
	struct loom_count counts[6] = {{1, 5, 0}, {0, 0, 0}, {1, 5, 7}};
	p.trace.counts = counts;
	char *text = written(loom_report_channels, &p);
	assert_non_null(strstr(text, "pass,channel,group,messages,flits,blocked,predicted_messages,predicted_flits,"
	                             "predicted_blocked\n0,0->1 (dim 0),dim0,1,5,0,1,5,0\n"));
	assert_non_null(strstr(text, "\n0,inject 0,inject,1,5,7,1,5,0\n"));
	free(text);
	p.trace.n_passes = 2;
	assert_int_equal(loom_report_channels("/dev/null", &p.plan, &p.trace, NULL), LOOM_EINTERNAL);
	p.trace.n_passes = 1;
	free_played(&p);
}

static int predicted_messages(const char *path, const struct loom_plan *plan, const struct loom_trace *trace,
                              struct loom_err *err)
{
	return loom_report_predicted_messages(path, plan, trace->machine, err);
}

static int predicted_channels(const char *path, const struct loom_plan *plan, const struct loom_trace *trace,
                              struct loom_err *err)
{
	return loom_report_predicted_channels(path, plan, trace->machine, err);
}

// A plan alone, in both timings: what is measured is empty.
static void test_predicted_tables(void **state)
{
	(void)state;
	struct played p;
	const struct ref_message message[] = {{0, 3, 5}, {1, 3, 5}, {0, 1, 2}};
	play(&p, 2, REF_FAST, message, 3);
	char *text = written(predicted_messages, &p);
	assert_non_null(strstr(text, "\n0,0,0,3,0,3,5,2,,,,,,,,,1,8,12,4\n1,0,1,3,1,3,5,1,,,,,,,,,1,3,7,0\n"));
	assert_non_null(strstr(text, "\n2,0,0,1,0,1,2,1,,,,,,,,,10,12,13,0\n"));
	free(text);
	p.trace.machine = LOOM_MACHINE_PAPER;
	text = written(predicted_messages, &p);
	assert_non_null(strstr(text, "\n0,0,0,3,0,3,5,2,,,,,,,,,1,9,13,5\n1,0,1,3,1,3,5,1,,,,,,,,,1,3,7,0\n"));
	free(text);
	p.trace.machine = LOOM_MACHINE_FAST;
	text = written(predicted_channels, &p);
	assert_non_null(strstr(text, "\n0,0->1 (dim 0),dim0,,,,2,7,0\n"));
	assert_non_null(strstr(text, "\n0,1->3 (dim 1),dim1,,,,2,10,4\n"));
	free(text);
	free_played(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_against_reference),
		cmocka_unit_test(test_queue_alone),
		cmocka_unit_test(test_after_a_fault),
		cmocka_unit_test(test_releases),
		cmocka_unit_test(test_to_oneself),
		cmocka_unit_test(test_messages_table),
		cmocka_unit_test(test_channels_table),
		cmocka_unit_test(test_predicted_tables),
		cmocka_unit_test(test_free_run),
		cmocka_unit_test(test_light),
		cmocka_unit_test(test_states),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
