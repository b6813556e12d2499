// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Closed traffic on a carrier that only delays, against a slow version that goes through all cycles one by one and knows of no steps.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/traffic.h>

#include "base/rng.h"
#include "traffic/load_exchange.h"

enum { NODES_MOST = 6, REQUESTS_MOST = 30, MESSAGES_MOST = 2 * NODES_MOST * REQUESTS_MOST, CYCLES = 9000 };

struct message {
	uint32_t source, destination, flits, release;
	uint64_t number, tail;
	bool is_reply;
};

// The input of both versions.
struct scene {
	uint64_t salt;
	uint32_t n, reply_flits, window, service;
	struct loom_queued request[NODES_MOST][REQUESTS_MOST]; // release: when it was made
	size_t n_requests[NODES_MOST];
};

// The delay of a source's k-th message. Tails at a node are in cycles of their own: each source has those that leave its number as
// a remainder, one after the other.
static uint64_t tail_of(const struct scene *s, uint32_t source, uint64_t k, uint64_t release, uint64_t last)
{
	uint64_t state = s->salt ^ (source * 1000003 + k);
	uint64_t tail = release + 1 + loom_splitmix64(&state) % 90;
	tail = tail > last ? tail : last + 1;
	return tail + (source + s->n - tail % s->n) % s->n;
}

// --- The carrier ----------------------------------------------------------------------------------------------------

struct carrier {
	const struct scene *scene;
	struct message given[MESSAGES_MOST];
	size_t n;
	uint64_t now, last[NODES_MOST], n_of[NODES_MOST];
	uint32_t released[NODES_MOST];
	struct loom_carried out[MESSAGES_MOST];
};

static int offer(void *self, uint32_t source, const struct loom_queued *m, struct loom_err *err)
{
	struct carrier *c = self;
	(void)err;
	assert_true(m->release > c->now || c->now == 0); // in time
	assert_true(m->release >= c->released[source]);
	if (c->now > 0 && c->scene->service >= LOOM_SERVICE_LEAST)
		assert_true(m->release > c->now + LOOM_EXCHANGE_LEAD_CYCLES + LOOM_EXCHANGE_FEED_CYCLES);
	c->released[source] = m->release;
	const uint64_t k = c->n_of[source]++;
	c->last[source] = tail_of(c->scene, source, k, m->release, c->last[source]);
	c->given[c->n++] = (struct message){.source = source,
	                                    .destination = m->destination,
	                                    .flits = m->flits,
	                                    .release = m->release,
	                                    .number = k,
	                                    .tail = c->last[source],
	                                    .is_reply = m->is_reply};
	return 0;
}

static int run(void *self, uint64_t until, const struct loom_carried **out, size_t *n_out, struct loom_err *err)
{
	struct carrier *c = self;
	size_t n = 0;
	(void)err;
	assert_true(until > c->now);
	for (size_t i = c->n; i-- > 0;) { // not in their order
		const struct message *m = &c->given[i];
		if (m->tail > c->now && m->tail <= until)
			c->out[n++] = (struct loom_carried){.source = m->source,
			                                    .destination = m->destination,
			                                    .flits = m->flits,
			                                    .without_wait = 7,
			                                    .number = m->number,
			                                    .release = m->release,
			                                    .header = m->tail,
			                                    .tail = m->tail,
			                                    .is_reply = m->is_reply};
	}
	c->now = until;
	*out = c->out;
	*n_out = n;
	return 0;
}

// --- The slow version -----------------------------------------------------------------------------------------------

struct slow {
	struct message sent[MESSAGES_MOST];
	uint64_t made[MESSAGES_MOST],
		began[MESSAGES_MOST];  // of the request that it is or that it answers: made, released
	size_t request[MESSAGES_MOST]; // of a reply: what it answers
	size_t n;
	uint64_t last[NODES_MOST], n_of[NODES_MOST];
	size_t n_released[NODES_MOST];
	uint32_t under_way[NODES_MOST];
};

static void send(struct slow *w, const struct scene *s, uint32_t source, const struct loom_queued *m, uint64_t cycle,
                 uint64_t made, size_t answers)
{
	const uint64_t k = w->n_of[source]++;
	w->last[source] = tail_of(s, source, k, cycle, w->last[source]);
	w->made[w->n] = made;
	w->began[w->n] = m->is_reply ? w->began[answers] : cycle;
	w->request[w->n] = answers;
	w->sent[w->n++] = (struct message){.source = source,
	                                   .destination = m->destination,
	                                   .flits = m->flits,
	                                   .release = (uint32_t)cycle,
	                                   .number = k,
	                                   .tail = w->last[source],
	                                   .is_reply = m->is_reply};
}

// Releases a node's messages of a cycle: replies first.
static void go(struct slow *w, const struct scene *s, uint32_t v, uint64_t cycle)
{
	const size_t n = w->n;
	for (size_t i = 0; i < n; i++) {
		const struct message m = w->sent[i];
		const bool is_seen = m.tail + s->service == cycle;
		if (is_seen && !m.is_reply && s->reply_flits && m.destination == v)
			send(w, s, v, &(struct loom_queued){m.source, 0, s->reply_flits, true, 0, 0}, cycle, w->made[i],
			     i);
		if (is_seen && (m.is_reply ? m.destination == v : !s->reply_flits && m.source == v))
			w->under_way[v]--;
	}
	while (w->n_released[v] < s->n_requests[v] && (s->window == 0 || w->under_way[v] < s->window)) {
		const struct loom_queued *m = &s->request[v][w->n_released[v]];
		if (m->release > cycle)
			break;
		w->n_released[v]++;
		w->under_way[v]++;
		send(w, s, v, m, cycle, m->release, 0);
	}
}

// --- Both -----------------------------------------------------------------------------------------------------------

static void make_scene(struct scene *s, struct loom_rng *rng)
{
	*s = (struct scene){.salt = loom_rng_next(rng),
	                    .n = 2 + (uint32_t)loom_rng_below(rng, NODES_MOST - 1),
	                    .reply_flits = (uint32_t)loom_rng_below(rng, 3),
	                    .window = (uint32_t)loom_rng_below(rng, 4),
	                    .service = LOOM_SERVICE_LEAST + (uint32_t)loom_rng_below(rng, 30)};
	const uint64_t gap = 1 + loom_rng_below(rng, 80);
	for (uint32_t v = 0; v < s->n; v++) {
		uint32_t cycle = 1;
		s->n_requests[v] = loom_rng_below(rng, REQUESTS_MOST + 1);
		for (size_t i = 0; i < s->n_requests[v]; i++) {
			cycle += (uint32_t)loom_rng_below(rng, gap);
			s->request[v][i] = (struct loom_queued){.destination = (uint32_t)loom_rng_below(rng, s->n),
			                                        .release = cycle,
			                                        .flits = 1 + (uint32_t)loom_rng_below(rng, 4)};
		}
	}
}

static bool is_same(const struct message *a, const struct message *b)
{
	return a->source == b->source && a->number == b->number && a->destination == b->destination &&
	       a->flits == b->flits && a->release == b->release && a->tail == b->tail && a->is_reply == b->is_reply;
}

static bool has(const struct slow *w, const struct message *m)
{
	for (size_t i = 0; i < w->n; i++)
		if (is_same(&w->sent[i], m))
			return true;
	return false;
}

// A request that is over, as the slow version has it.
static bool is_over(const struct slow *w, const struct scene *s, const struct loom_carried *a)
{
	for (size_t i = 0; i < w->n; i++) {
		const struct message *m = &w->sent[i];
		const size_t q = s->reply_flits ? w->request[i] : i;
		if (m->is_reply != (s->reply_flits > 0) || m->tail != a->tail)
			continue;
		const struct message *request = &w->sent[q];
		if (request->source == a->source && request->destination == a->destination &&
		    request->flits == a->flits && w->made[q] == a->release &&
		    a->without_wait == (s->reply_flits ? 2 * 7 + s->service - 1 : 7))
			return true;
	}
	return false;
}

static void compare(const struct scene *s, struct loom_rng *rng)
{
	struct carrier *below = calloc(1, sizeof *below);
	struct slow *w = calloc(1, sizeof *w);
	struct loom_load_log log = {0};
	struct loom_load_options o = {.measure_cycles = CYCLES, .log = &log};
	struct loom_exchange *x;
	struct loom_err err;
	size_t n_over = 0, n_requests = 0;
	o.closed = (struct loom_load_closed){
		.reply_flits = s->reply_flits, .window = s->window, .service_cycles = s->service};
	below->scene = s;
	const struct loom_carrier carrier = {.self = below, .offer = offer, .run = run, .most_cycles = UINT32_MAX};
	assert_int_equal(loom_exchange_make(&x, &carrier, s->n, &o, &err), 0);
	const struct loom_carrier closed = loom_exchange_carrier(x);
	for (uint32_t v = 0; v < s->n; v++)
		for (size_t i = 0; i < s->n_requests[v]; i++, n_requests++)
			assert_int_equal(closed.offer(closed.self, v, &s->request[v][i], &err), 0);
	for (uint64_t until = 0; until < CYCLES;) {
		const struct loom_carried *over;
		size_t n;
		for (uint64_t end = until + 1 + loom_rng_below(rng, 300); until < end;)
			for (uint32_t v = (uint32_t)(++until, 0); v < s->n; v++)
				go(w, s, v, until);
		assert_int_equal(closed.run(closed.self, until, &over, &n, &err), 0);
		for (size_t i = 0; i < n; i++)
			assert_true(is_over(w, s, &over[i]));
		n_over += n;
	}
	if (below->n != w->n)
		fail_msg("%zu messages, not %zu", below->n, w->n);
	for (size_t i = 0; i < below->n; i++)
		if (!has(w, &below->given[i]))
			fail_msg("salt %llu: message %d of %u, released in %u, is not the slow version's",
			         (unsigned long long)s->salt, (int)below->given[i].number, below->given[i].source,
			         below->given[i].release);
	assert_int_equal(n_over, n_requests);
	assert_int_equal(log.n_messages, below->n);
	struct loom_load_point point = {0};
	uint64_t n_flits, sum_flits = 0, sum_request = 0, sum_reply = 0, sum_wait = 0;
	for (size_t i = 0; i < w->n; i++) {
		const struct message *m = &w->sent[i];
		sum_flits += m->flits;
		sum_request += m->is_reply ? 0 : m->tail - w->made[i] + 1;
		sum_reply += m->is_reply ? m->tail - m->release + 1 : 0;
		sum_wait += m->is_reply ? 0 : m->release - w->made[i];
	}
	loom_exchange_tell(&point, &n_flits, x);
	assert_int_equal(n_flits, sum_flits);
	assert_int_equal(point.request.n, n_requests);
	assert_int_equal(point.reply.n, s->reply_flits ? n_requests : 0);
	if (n_requests) {
		assert_true(point.request.mean == (double)sum_request / (double)n_requests);
		assert_true(point.wait_for_place == (double)sum_wait / (double)n_requests);
	}
	if (point.reply.n)
		assert_true(point.reply.mean == (double)sum_reply / (double)n_requests);
	loom_load_log_free(&log);
	loom_exchange_free(x);
	free(below);
	free(w);
}

static void test_random(void **unused)
{
	(void)unused;
	struct scene *s = malloc(sizeof *s);
	for (uint64_t seed = 1; seed <= 60; seed++) {
		struct loom_rng rng;
		loom_rng_init(&rng, seed);
		do
			make_scene(s, &rng);
		while (s->reply_flits == 0 && s->window == 0);
		compare(s, &rng);
	}
	free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
