// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The engine that moves flits, cycle by cycle: what it says between runs, what may be offered to it and when.
#include "machine/lanes_internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "unit/help/engine_checks.h"
#include "unit/help/some_nets.h"

enum { MOST = 400, WAY_MOST = 64 };

// An engine whose nodes send the listed messages in order; a node without messages says that it has none yet.
struct scene {
	struct ref_net ref;
	struct engine_net net;
	struct loom_engine *engine;
	size_t n;
	struct ref_message message[MOST];
	uint64_t release[MOST];
	bool is_taken[MOST];
	uint32_t way[MOST][WAY_MOST];
	struct loom_engine_arrival arrival[MOST];
	uint64_t asked_from; // the cycle in the last call of next
};

static bool next(void *user, struct loom_engine_message *out, uint32_t node, uint64_t from)
{
	struct scene *s = user;
	s->asked_from = from;
	for (size_t m = 0; m < s->n; m++) {
		if (s->message[m].source != node || s->is_taken[m])
			continue;
		s->is_taken[m] = true;
		*out = (struct loom_engine_message){
			.release = s->release[m],
			.flits = s->message[m].n_flits,
			.n_way = engine_way(s->way[m], &s->net, &s->message[m], REF_ASCENDING, NULL),
			.way = s->way[m],
			.id = m};
		return true;
	}
	return false;
}

static void arrived(void *user, const struct loom_engine_arrival *arrival)
{
	((struct scene *)user)->arrival[arrival->id] = *arrival;
}

static void open_scene(struct scene *s, const char *name, bool paper)
{
	const struct loom_engine_user user = {.next = next, .arrived = arrived, .user = s};
	*s = (struct scene){.ref = net_of(name)};
	engine_net_of(&s->net, &s->ref, NULL);
	assert_int_equal(loom_engine_lanes.open(&s->engine, &s->net.net, paper, &user, NULL), 0);
}

static void close_scene(struct scene *s)
{
	loom_engine_lanes.close(s->engine);
	engine_net_free(&s->net);
}

static size_t add(struct scene *s, unsigned from, unsigned to, unsigned flits, uint64_t release)
{
	assert_true(s->n < MOST);
	s->message[s->n] = (struct ref_message){from, to, flits};
	s->release[s->n] = release;
	return s->n++;
}

static enum loom_engine_state run(struct scene *s, uint64_t until)
{
	enum loom_engine_state state = LOOM_ENGINE_IDLE;
	assert_int_equal(loom_engine_lanes.run(s->engine, &state, until, NULL), 0);
	return state;
}

static uint64_t cycle(const struct scene *s)
{
	return loom_engine_lanes.cycle(s->engine);
}

static struct loom_engine_count count(const struct scene *s, size_t channel)
{
	struct loom_engine_count out;
	loom_engine_lanes.count(s->engine, (uint32_t)channel, &out);
	return out;
}

static void assert_arrival(const struct scene *s, size_t m, uint64_t offer, uint64_t header, uint64_t tail)
{
	assert_int_equal(s->arrival[m].offer, offer);
	assert_int_equal(s->arrival[m].header, header);
	assert_int_equal(s->arrival[m].tail, tail);
}

// ---- Alone

// Flit k crosses the i-th channel in cycle offer + i + k.
static void test_alone(void **state)
{
	(void)state;
	static const char *const names[] = {"ring:5v2", "mesh:3x3", "cube:3", "table-torus:3x3v4"};
	static struct scene s;
	for (unsigned k = 0; k < 4 * 9 * 9; k++) {
		unsigned flits = 1 + k % 5, from = k / 4 % 9, to = k / 36;
		open_scene(&s, names[k % 4], k % 2);
		if (from >= ref_net_nodes(&s.ref) || to >= ref_net_nodes(&s.ref)) {
			close_scene(&s);
			continue;
		}
		size_t m = add(&s, from, to, flits, k % 7);
		uint64_t offer = k % 7 ? k % 7 : 1,
			 n_way = engine_way(s.way[m], &s.net, &s.message[m], REF_ASCENDING, NULL);
		uint64_t last = offer + n_way + flits - 2;
		for (uint64_t t = 1; t <= last; t++) {
			assert_int_equal(run(&s, t), t < last ? LOOM_ENGINE_TIME : LOOM_ENGINE_IDLE);
			assert_int_equal(cycle(&s), t);
			for (uint64_t i = 0; i < n_way; i++) {
				struct loom_engine_count c = count(&s, s.way[m][i] / s.net.net.n_vcs);
				uint64_t crossed = t < offer + i ? 0 : t - offer - i + 1;
				assert_int_equal(c.flits, crossed < flits ? crossed : flits);
				assert_int_equal(c.messages, crossed > 0);
				assert_int_equal(c.blocked, 0);
			}
		}
		assert_arrival(&s, m, offer, last + 1 - flits, last);
		assert_int_equal(s.asked_from, offer + flits);
		close_scene(&s);
	}
}

// ---- Counts in every cycle

// Messages that come to a node and that leave it.
static void add_flits(int64_t *out, const struct scene *s, const struct loom_engine_count *now)
{
	const struct ref_net *net = &s->ref;
	unsigned n_links = ref_net_links(net), other, link;
	for (unsigned v = 0; v < ref_net_nodes(net); v++) {
		out[v] = (int64_t)now[ref_net_injection(net, v)].flits - (int64_t)now[ref_net_ejection(net, v)].flits;
		for (unsigned p = 0; p < n_links; p++) {
			out[v] -= (int64_t)now[ref_net_channel(net, v, p)].flits;
			if (ref_net_input(&other, &link, net, v, p))
				out[v] += (int64_t)now[ref_net_channel(net, other, link)].flits;
		}
	}
}

// A channel carries a flit a cycle at most; a node holds what came and did not leave, as many flits for each lane as a FIFO has slots.
static void test_counts_in_every_cycle(void **state)
{
	(void)state;
	static const char *const names[] = {"ring:6v2",        "torus:3x3v2", "mesh:3x3",    "otis-mesh:4l2w2v2",
	                                    "otis-mesh:4l1v2", "mesh:3x3b4",  "ring:6v2b9d3"};
	enum { N_NAMES = sizeof names / sizeof names[0] };
	static struct loom_engine_count before[CHANNELS_MAX], now[CHANNELS_MAX];
	static struct scene s;
	for (unsigned k = 0; k < 2 * N_NAMES; k++) {
		int64_t held[NODES_MAX];
		random_start(k + 1);
		open_scene(&s, names[k % N_NAMES], k / N_NAMES);
		size_t n_channels = ref_net_channels(&s.ref);
		for (unsigned m = 0; m < 64; m++)
			(void)add(&s, random_below(ref_net_nodes(&s.ref)), random_below(ref_net_nodes(&s.ref)),
			          1 + random_below(9), random_below(30));
		memset(before, 0, sizeof before);
		enum loom_engine_state end = LOOM_ENGINE_TIME;
		for (uint64_t t = 1; end == LOOM_ENGINE_TIME; t++) {
			end = run(&s, t);
			int64_t slots = s.net.net.buffers > 2 ? s.net.net.buffers : 2;
			int64_t most = slots * (int64_t)s.net.net.n_vcs * (ref_net_links(&s.ref) + 1);
			for (size_t c = 0; c < n_channels; c++) {
				now[c] = count(&s, c);
				assert_true(now[c].flits >= before[c].flits && now[c].flits <= before[c].flits + 1);
				assert_true(now[c].blocked >= before[c].blocked &&
				            now[c].blocked <= before[c].blocked + 1);
				assert_true(now[c].messages >= before[c].messages && now[c].flits >= now[c].messages);
				before[c] = now[c];
			}
			add_flits(held, &s, now);
			for (unsigned v = 0; v < ref_net_nodes(&s.ref); v++)
				assert_true(held[v] >= 0 && (s.net.net.is_light || s.net.net.delay || held[v] <= most));
		}
		assert_int_equal(end, LOOM_ENGINE_IDLE);
		for (unsigned v = 0; v < ref_net_nodes(&s.ref); v++)
			assert_int_equal(held[v], 0);
		close_scene(&s);
	}
}

// ---- Offers

static void test_offers_between_runs(void **state)
{
	(void)state;
	static struct scene s;
	open_scene(&s, "ring:4v2", false);
	assert_int_equal(run(&s, 50), LOOM_ENGINE_IDLE);
	assert_int_equal(cycle(&s), 0);
	size_t first = add(&s, 0, 1, 3, 0);
	assert_int_equal(run(&s, 50), LOOM_ENGINE_IDLE); // the engine does not know of the message yet
	loom_engine_lanes.offer(s.engine, 0);
	loom_engine_lanes.offer(s.engine, 0);
	assert_int_equal(run(&s, 2), LOOM_ENGINE_TIME);
	loom_engine_lanes.offer(s.engine, 0); // the node has not said that it has none
	assert_int_equal(run(&s, 50), LOOM_ENGINE_IDLE);
	assert_arrival(&s, first, 1, 3, 5);
	assert_int_equal(cycle(&s), 5);
	assert_int_equal(s.asked_from, 4);

	// While another one is under way; the node's last tail left its source in cycle 3, but now it is 9.
	size_t other = add(&s, 2, 3, 20, 7), second = add(&s, 0, 0, 1, 3);
	loom_engine_lanes.offer(s.engine, 2);
	assert_int_equal(run(&s, 9), LOOM_ENGINE_TIME);
	assert_int_equal(s.asked_from, 1);
	loom_engine_lanes.offer(s.engine, 0);
	assert_int_equal(run(&s, UINT64_MAX), LOOM_ENGINE_IDLE);
	assert_arrival(&s, second, 10, 11, 11);
	assert_arrival(&s, other, 7, 9, 28);
	close_scene(&s);
}

// Checks that a message requests its channel in its cycle and leaves at once; few messages can contend there.
static void assert_prompt(const struct scene *s, size_t m)
{
	assert_int_equal(s->arrival[m].offer, s->release[m]);
	assert_in_range(s->arrival[m].header, s->release[m] + 2, s->release[m] + 8);
}

static void test_far_releases(void **state)
{
	(void)state;
	static const uint64_t when[] = {1,    2,    1023, 1024, 1025, 1026,    2047, 2048, 2049,
	                                2050, 4000, 4000, 4001, 5025, 1 << 20, 5024, 5026, 1 << 20};
	static struct scene s;
	open_scene(&s, "torus:5x5v2", false);
	for (unsigned k = 0; k < 18; k++)
		(void)add(&s, k * 7 % 25, (k * 7 + 1) % 25, 1, when[k]);
	size_t far = add(&s, 0, 1, 2, UINT64_C(1) << 50), last = add(&s, 0, 1, 2, UINT64_C(1) << 51);
	assert_int_equal(run(&s, 1000), LOOM_ENGINE_TIME);
	assert_int_equal(cycle(&s), 1000);
	assert_int_equal(run(&s, UINT64_C(1) << 40), LOOM_ENGINE_TIME);
	assert_int_equal(cycle(&s), UINT64_C(1) << 40);
	for (unsigned k = 0; k < 18; k++)
		assert_prompt(&s, k);
	assert_int_equal(run(&s, UINT64_MAX), LOOM_ENGINE_IDLE);
	assert_prompt(&s, far);
	assert_prompt(&s, last);
	assert_int_equal(cycle(&s), s.arrival[last].tail);
	close_scene(&s);
}

// Many at once that are far away: each in its cycle.
static void test_many_far_releases(void **state)
{
	(void)state;
	static struct scene s;
	random_start(3);
	open_scene(&s, "torus:5x5v2", false);
	for (unsigned m = 0; m < 16 * 25; m++)
		(void)add(&s, m % 25, (m + 1) % 25, 1, (m / 25 + 1) * UINT64_C(100000) + random_below(90000));
	assert_int_equal(run(&s, UINT64_MAX), LOOM_ENGINE_IDLE);
	for (unsigned m = 0; m < 16 * 25; m++)
		assert_prompt(&s, m);
	close_scene(&s);
}

// ---- Locks

// On a ring with one lane all headers reach the FIFOs of their neighbours and lock.
static void test_locked_and_on(void **state)
{
	(void)state;
	static struct scene s;
	for (unsigned flits = 2; flits < 6; flits += 3) {
		open_scene(&s, "ring:4", false);
		for (unsigned v = 0; v < 4; v++)
			(void)add(&s, v, (v + 2) % 4, flits, 0);
		assert_int_equal(run(&s, UINT64_MAX), LOOM_ENGINE_LOCKED);
		uint64_t locked = flits == 2 ? 3 : 4;
		assert_int_equal(cycle(&s), locked);
		assert_int_equal(run(&s, UINT64_MAX), LOOM_ENGINE_LOCKED);
		assert_int_equal(cycle(&s), locked);
		for (unsigned v = 0; v < 4; v++) {
			struct loom_engine_count link = count(&s, ref_net_channel(&s.ref, v, 0)),
						 injection = count(&s, ref_net_injection(&s.ref, v));
			assert_true(loom_lanes_asked(s.engine, (uint32_t)ref_net_channel(&s.ref, v, 0)));
			assert_int_equal(link.flits, 2);
			assert_int_equal(link.messages, 1);
			assert_int_equal(link.blocked, locked - 2);
			assert_int_equal(injection.flits, flits == 2 ? 2 : 4);
		}
		// Messages on other channels are not stopped.
		size_t m = add(&s, 1, 1, 3, 0);
		loom_engine_lanes.offer(s.engine, 1);
		assert_int_equal(run(&s, UINT64_MAX), LOOM_ENGINE_LOCKED);
		if (flits == 2)
			assert_arrival(&s, m, 4, 5, 7);
		assert_int_equal(cycle(&s), flits == 2 ? 8 : 4); // its tail leaves the last FIFO
		close_scene(&s);
	}
}

// The same where one link of the ring is light: it stirs for as long after its last flit as one is under way and word of
// it comes back, and then all is over.
static void test_locked_light(void **state)
{
	(void)state;
	static struct scene s;
	const struct loom_engine_user user = {.next = next, .arrived = arrived, .user = &s};
	for (uint32_t k = 0; k < 12; k++) {
		uint64_t flits = 0, last = 0; // that crossed the link; the last cycle in which one did
		s = (struct scene){.ref = net_of("ring:4")};
		engine_net_of(&s.net, &s.ref, NULL);
		const size_t light = ref_net_channel(&s.ref, k % 4, 0);
		s.net.is_light[light] = true;
		s.net.net.is_light = s.net.is_light;
		s.net.net.light_cycles = 1 + k / 4;
		s.net.net.light_ratio = 1 + k % 3;
		assert_int_equal(loom_engine_lanes.open(&s.engine, &s.net.net, false, &user, NULL), 0);
		for (unsigned v = 0; v < 4; v++)
			(void)add(&s, v, (v + 2) % 4, 40, 0);
		for (uint64_t t = 1; t < 100; t++) {
			(void)run(&s, t);
			last = count(&s, light).flits > flits ? t : last;
			flits = count(&s, light).flits;
		}
		assert_int_equal(run(&s, UINT64_MAX), LOOM_ENGINE_LOCKED);
		assert_int_equal(cycle(&s), last + s.net.net.light_cycles + s.net.net.light_ratio);
		close_scene(&s);
	}
}

static void test_no_circle(void **state)
{
	(void)state;
	struct loom_engine_wait *wait = NULL;
	size_t n = 9;
	static struct scene s;
	open_scene(&s, "line:4", false);
	assert_int_equal(loom_lanes_lock(s.engine, &wait, &n, NULL), 0); // no message waits
	assert_int_equal(n, 0);
	free(wait);
	(void)add(&s, 0, 3, 9, 0);
	assert_int_equal(run(&s, 4), LOOM_ENGINE_TIME);
	assert_int_equal(loom_lanes_lock(s.engine, &wait, &n, NULL), 0);
	assert_int_equal(n, 0);
	free(wait);
	close_scene(&s);
	loom_engine_lanes.close(NULL);
}

// ---- Places

// All go the same way round, so in the end each link's place is one behind that of the link before it, but for one: where
// worms change their lane.
static void test_places_along_the_ways(void **state)
{
	(void)state;
	static struct scene s;
	open_scene(&s, "ring:8v2", false);
	for (unsigned k = 0; k < 240; k++)
		(void)add(&s, k % 8, (k + 3) % 8, 4, k);
	assert_int_equal(run(&s, UINT64_MAX), LOOM_ENGINE_IDLE);
	assert_null(s.engine->votes);
	unsigned n_chained = 0, n_straight = 0;
	for (unsigned v = 0; v < 8; v++) {
		uint32_t l = s.engine->inner[ref_net_channel(&s.ref, v, 0) * 2],
			 before = s.engine->inner[ref_net_channel(&s.ref, (v + 7) % 8, 0) * 2];
		n_chained += l == before + s.engine->stride;
	}
	assert_int_equal(n_chained, 7);
	// A worm that goes by them is straight.
	s.n = 0;
	(void)add(&s, 0, 3, 30, 0);
	s.is_taken[0] = false;
	loom_engine_lanes.offer(s.engine, 0);
	assert_int_equal(run(&s, cycle(&s) + 9), LOOM_ENGINE_TIME);
	for (uint32_t i = 0; i < s.engine->n_words; i++)
		n_straight += (unsigned)__builtin_popcountll(s.engine->word[i].straight);
	assert_true(n_straight > 0);
	close_scene(&s);
}

// In the middle of a run the state of channels moves with them to their new places.
static void test_votes_move(void **state)
{
	(void)state;
	static struct scene s;
	uint32_t votes[8 * 4], usual[8 * 4], channel_at[8 * 4];
	open_scene(&s, "ring:8v2", false);
	for (unsigned k = 0; k < 16; k++)
		(void)add(&s, k % 8, (k + 3) % 8, 9, k);
	struct loom_engine *e = s.engine;
	e->reorder_at = UINT64_MAX / 2;
	assert_int_equal(run(&s, 20), LOOM_ENGINE_TIME);
	for (uint32_t c = 0; c < 8 * 4; c++) { // its place is its number
		votes[c] = e->votes[c];
		usual[c] = e->usual[c];
	}
	e->reorder_at = 0;
	loom_lanes_reorder(e);
	for (uint32_t c = 0; c < 8 * 4; c++)
		channel_at[e->inner[c * 2] / 2] = c;
	for (uint32_t c = 0; c < 8 * 4; c++) {
		assert_int_equal(e->votes[e->inner[c * 2] / 2], votes[c]);
		assert_int_equal(channel_at[e->usual[e->inner[c * 2] / 2]], usual[c]);
	}
	assert_int_equal(run(&s, UINT64_MAX), LOOM_ENGINE_IDLE);
	close_scene(&s);
}

// ---- Every channel in every cycle

// Messages of one flit, two links one way round and two the other in turns: once the first ones have come, each of the
// 64 channels carries one in every cycle, and nobody waits.
static void test_full(void **state)
{
	(void)state;
	enum { NODES = 16, EACH = MOST / NODES };
	static struct scene s;
	open_scene(&s, "ring:16", false);
	for (unsigned k = 0; k < EACH; k++)
		for (unsigned v = 0; v < NODES; v++)
			(void)add(&s, v, (v + (k % 2 ? 2 : NODES - 2)) % NODES, 1, 0);
	assert_int_equal(run(&s, UINT64_MAX), LOOM_ENGINE_IDLE);
	for (unsigned m = 0; m < s.n; m++)
		assert_arrival(&s, m, m / NODES + 1, m / NODES + 4, m / NODES + 4);
	close_scene(&s);
}

// ---- A network of many words

static void test_many_words(void **state)
{
	(void)state;
	static struct ref_message message[400];
	const struct ref_net net = net_of("torus:24x24v2");
	random_start(5);
	for (unsigned m = 0; m < 400; m++)
		message[m] = (struct ref_message){random_below(576), random_below(576), 1 + random_below(3)};
	assert_int_equal(engine_check(&(struct engine_check){.kind = &loom_engine_lanes,
	                                                     .what = "torus:24x24v2",
	                                                     .net = &net,
	                                                     .timing = REF_FAST,
	                                                     .message = message,
	                                                     .n_messages = 400}),
	                 ENGINE_ENDS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_alone),
		cmocka_unit_test(test_counts_in_every_cycle),
		cmocka_unit_test(test_offers_between_runs),
		cmocka_unit_test(test_far_releases),
		cmocka_unit_test(test_locked_and_on),
		cmocka_unit_test(test_locked_light),
		cmocka_unit_test(test_no_circle),
		cmocka_unit_test(test_places_along_the_ways),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_many_words),
		cmocka_unit_test(test_many_far_releases),
		cmocka_unit_test(test_votes_move),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
