// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs of the engine of worms that go on for longer than its channels can count (WORMS_SPAN): the same as short ones, later;
// and with long messages what short ones foretell. Room for as many worms as a network holds. Networks that the processor's cache
// does not hold.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <flitloom/pattern.h>

#include "base/rng.h"
#include "machine/worms_internal.h"
#include "unit/help/engine_checks.h"

enum { MESSAGES_MOST = 200, CHANNELS_MOST = 1024, WAY = 40, GAP = 100000 };

// A list of messages, by source in the order of the list, and what became of them.
struct scene {
	struct engine_net net;
	size_t n;
	struct loom_engine_message message[MESSAGES_MOST];
	uint32_t source[MESSAGES_MOST], way[MESSAGES_MOST][WAY];
	uint64_t later[2]; // cycles added to the releases of the first half of the messages, of the others
	bool sent[MESSAGES_MOST];
	struct loom_engine_arrival arrival[MESSAGES_MOST];
	struct loom_engine_count count[CHANNELS_MOST];
	size_t n_arrived, n_soon_arrived, n_soon_next, n_soon_again; // calls
};

static uint64_t later_of(const struct scene *s, size_t m)
{
	return s->later[m >= s->n / 2];
}

static bool next(void *user, struct loom_engine_message *out, uint32_t node, uint64_t from)
{
	struct scene *s = user;
	(void)from;
	for (size_t m = 0; m < s->n; m++) {
		if (s->source[m] != node || s->sent[m])
			continue;
		s->sent[m] = true;
		*out = s->message[m];
		out->release += later_of(s, m);
		return true;
	}
	return false;
}

static void arrived(void *user, const struct loom_engine_arrival *a)
{
	struct scene *s = user;
	s->arrival[a->id] = *a;
	s->n_arrived++;
}

static void soon_next(void *user, uint32_t node, bool again)
{
	struct scene *s = user;
	assert_true(node < s->net.net.n_nodes);
	s->n_soon_next += !again;
	s->n_soon_again += again;
}

static void soon_arrived(void *user, uint64_t id)
{
	struct scene *s = user;
	assert_true(id < s->n && s->sent[id]);
	s->n_soon_arrived++;
}

static void add(struct scene *s, const struct ref_message *m, uint64_t release)
{
	s->source[s->n] = m->source;
	s->message[s->n] =
		(struct loom_engine_message){.release = release,
	                                     .flits = m->n_flits,
	                                     .n_way = engine_way(s->way[s->n], &s->net, m, REF_ASCENDING, NULL),
	                                     .way = s->way[s->n],
	                                     .id = s->n,
	                                     .destination = m->destination};
	assert_true(s->message[s->n].n_way <= WAY);
	s->n++;
}

// Sends all messages, the first half of them `later` cycles later than listed, the others `last` cycles later.
static void send(struct scene *s, bool paper, uint64_t later, uint64_t last)
{
	const struct loom_engine_user user = {
		.next = next, .arrived = arrived, .soon_next = soon_next, .soon_arrived = soon_arrived, .user = s};
	struct loom_engine *engine;
	enum loom_engine_state end;
	s->later[0] = later;
	s->later[1] = last;
	for (size_t m = 0; m < s->n; m++)
		s->sent[m] = false;
	assert_int_equal(loom_engine_worms.open(&engine, &s->net.net, paper, &user, NULL), 0);
	assert_int_equal(loom_engine_worms.run(engine, &end, UINT64_MAX - 1, NULL), 0);
	assert_int_equal(end, LOOM_ENGINE_IDLE);
	for (uint32_t c = 0; c < s->net.net.n_channels && c < CHANNELS_MOST; c++)
		loom_engine_worms.count(engine, c, &s->count[c]);
	loom_engine_worms.close(engine);
}

static void assert_later(const struct scene *s, const struct scene *before)
{
	for (size_t m = 0; m < s->n; m++) {
		const uint64_t by = later_of(s, m) - later_of(before, m);
		assert_int_equal(s->arrival[m].offer, before->arrival[m].offer + by);
		assert_int_equal(s->arrival[m].header, before->arrival[m].header + by);
		assert_int_equal(s->arrival[m].tail, before->arrival[m].tail + by);
	}
	for (uint32_t c = 0; c < s->net.net.n_channels; c++) {
		assert_int_equal(s->count[c].messages, before->count[c].messages);
		assert_int_equal(s->count[c].flits, before->count[c].flits);
		assert_int_equal(s->count[c].blocked, before->count[c].blocked);
	}
}

static void test_later(void **state)
{
	(void)state;
	static const char *const networks[] = {"cube:3", "line:6", "mesh:3x4", "ring:3"};
	static struct scene before, s;
	uint64_t blocked = 0;
	for (uint64_t seed = 1; seed <= 300; seed++) {
		struct loom_rng rng;
		struct ref_net net;
		loom_rng_init(&rng, seed);
		before = (struct scene){0};
		assert_int_equal(ref_net_parse(&net, networks[seed % 4]), 0);
		engine_net_of(&before.net, &net, NULL);
		const unsigned n_nodes = ref_net_nodes(&net), hot = (unsigned)loom_rng_below(&rng, n_nodes);
		for (size_t n = loom_rng_below(&rng, MESSAGES_MOST); before.n < n;) {
			const struct ref_message m = {(unsigned)loom_rng_below(&rng, n_nodes),
			                              loom_rng_below(&rng, 3) ? hot
			                                                      : (unsigned)loom_rng_below(&rng, n_nodes),
			                              1 + (unsigned)loom_rng_below(&rng, seed % 5 ? 9 : 90)};
			if (m.source != m.destination)
				add(&before, &m, 1 + loom_rng_below(&rng, seed % 3 ? 1 : 300));
		}
		s = before;
		for (size_t m = 0; m < s.n; m++)
			s.message[m].way = s.way[m];
		const bool paper = seed & 1;
		const uint64_t span = WORMS_SPAN, later = (1 + seed % 7) * span - loom_rng_below(&rng, 400);
		// The base moves when the first ones are under way, or begin, and then when the others are.
		const uint64_t last = (later < span ? span : later) + span - loom_rng_below(&rng, 400);
		send(&before, paper, 0, GAP);
		send(&s, paper, later, last);
		assert_later(&s, &before);
		for (uint32_t c = 0; c < s.net.net.n_channels; c++)
			blocked += s.count[c].blocked;
		engine_net_free(&before.net);
	}
	assert_true(blocked > 100000);
}

// The base moves in each cycle of a run in turn.
static void test_each_cycle(void **state)
{
	(void)state;
	enum { EACH = 30 };
	static struct scene before, s;
	struct ref_net net;
	assert_int_equal(ref_net_parse(&net, "line:4"), 0);
	for (unsigned paper = 0; paper <= 1; paper++) {
		before = (struct scene){0};
		engine_net_of(&before.net, &net, NULL);
		for (unsigned k = 0; k < 4 * EACH; k++)
			add(&before, &(struct ref_message){k % 4, (k % 4 + 1 + k / 4 % 3) % 4, 1 + k * k % 7}, 1);
		send(&before, paper, 0, 0);
		uint64_t end = 0;
		for (size_t m = 0; m < before.n; m++)
			end = before.arrival[m].tail > end ? before.arrival[m].tail : end;
		assert_true(end > 60);
		s = before;
		for (size_t m = 0; m < s.n; m++)
			s.message[m].way = s.way[m];
		for (uint64_t at = 0; at <= end; at++) {
			send(&s, paper, WORMS_SPAN - at, WORMS_SPAN - at);
			assert_later(&s, &before);
		}
		engine_net_free(&before.net);
	}
}

// Returns the figure for a number of flits, if two more flits raise it from a to b.
static uint64_t foretell(uint64_t a, uint64_t b, uint64_t flits_more)
{
	return a + (b - a) / 2 * flits_more;
}

// Two nodes of a line send to the third, turn by turn, so each figure grows with the flits of a message, by the same for any two.
static void test_long_messages(void **state)
{
	(void)state;
	enum { SHORT = 1000, EACH = 80 };
	static struct scene runs[3]; // of SHORT flits, of two more, of the most
	static const uint32_t flits[3] = {SHORT, SHORT + 2, LOOM_FLITS_MOST - 1};
	struct ref_net net;
	assert_int_equal(ref_net_parse(&net, "line:3"), 0);
	for (unsigned paper = 0; paper <= 1; paper++) {
		for (unsigned r = 0; r < 3; r++) {
			runs[r] = (struct scene){0};
			engine_net_of(&runs[r].net, &net, NULL);
			for (size_t k = 0; k < 2 * (size_t)EACH; k++)
				add(&runs[r], &(struct ref_message){(unsigned)k % 2, 2, flits[r]}, 1);
			send(&runs[r], paper, 0, 0);
		}
		const uint64_t more = (flits[2] - SHORT);
		uint64_t last = 0;
		for (size_t m = 0; m < runs[0].n; m++) {
			const struct loom_engine_arrival *a = &runs[0].arrival[m], *b = &runs[1].arrival[m],
							 *c = &runs[2].arrival[m];
			assert_int_equal(c->offer, foretell(a->offer, b->offer, more));
			assert_int_equal(c->header, foretell(a->header, b->header, more));
			assert_int_equal(c->tail, foretell(a->tail, b->tail, more));
			last = c->tail > last ? c->tail : last;
		}
		assert_true(last > 2 * (uint64_t)WORMS_SPAN);
		for (uint32_t k = 0; k < runs[0].net.net.n_channels; k++) {
			const struct loom_engine_count *a = &runs[0].count[k], *b = &runs[1].count[k],
						       *c = &runs[2].count[k];
			assert_int_equal(c->messages, a->messages);
			assert_int_equal(c->flits, foretell(a->flits, b->flits, more));
			assert_int_equal(c->blocked, foretell(a->blocked, b->blocked, more));
		}
		for (unsigned r = 0; r < 3; r++)
			engine_net_free(&runs[r].net);
	}
}

// Messages of one flit pile up behind a long one, two in each FIFO, and one in front of the injection channel.
static void test_pile(void **state)
{
	(void)state;
	enum { LINKS = 9, LONG = 1000, SHORT = 40 }; // the last link is that of both
	static struct scene s;
	static const uint16_t rank[LINKS + 3] = {0, 1};
	s = (struct scene){.net.net = {.n_nodes = 2, .n_channels = LINKS + 3, .n_vcs = 1, .rank = rank}};
	const uint32_t last = LINKS + 1, ejection = LINKS + 2;
	s.message[s.n++] = (struct loom_engine_message){.release = 1, .flits = LONG, .n_way = 3, .way = s.way[0]};
	s.source[0] = 1;
	s.way[0][0] = 1;
	s.way[0][1] = last;
	s.way[0][2] = ejection;
	for (uint32_t k = 0; k < LINKS; k++)
		s.way[1][1 + k] = 2 + k;
	s.way[1][LINKS + 1] = ejection;
	for (; s.n < 1 + SHORT; s.n++)
		s.message[s.n] = (struct loom_engine_message){
			.release = 1, .flits = 1, .n_way = LINKS + 2, .way = s.way[1], .id = s.n};
	send(&s, false, 0, 0);
	assert_int_equal(s.arrival[0].tail, 2 + LONG); // granted its channels in cycles 1, 2 and 3
	for (size_t m = 1; m < s.n; m++)
		assert_true(s.arrival[m].tail > (m == 1 ? s.arrival[0] : s.arrival[m - 1]).tail);
	assert_int_equal(s.count[last].blocked, s.arrival[1].header - 1 - LINKS - 1);
}

// --- Networks that the cache does not hold --------------------------------------------------------------------------

static void assert_same(const struct scene *near, const struct scene *far)
{
	for (size_t m = 0; m < near->n; m++) {
		assert_int_equal(far->arrival[m].offer, near->arrival[m].offer);
		assert_int_equal(far->arrival[m].waited, near->arrival[m].waited);
		assert_int_equal(far->arrival[m].header, near->arrival[m].header);
		assert_int_equal(far->arrival[m].tail, near->arrival[m].tail);
	}
	for (uint32_t c = 0; c < near->net.net.n_channels; c++) {
		assert_int_equal(far->count[c].messages, near->count[c].messages);
		assert_int_equal(far->count[c].flits, near->count[c].flits);
		assert_int_equal(far->count[c].blocked, near->count[c].blocked);
	}
}

// Channels that no message takes make a network large, and change no cycle. There each arrival has been told of beforehand,
// and nodes that are asked; on small networks nobody is.
static void test_far(void **state)
{
	(void)state;
	enum { FAR_CHANNELS = 40000 };
	static const char *const networks[] = {"cube:4", "mesh:4x4", "cube:3"};
	static struct scene near, far;
	for (uint64_t seed = 1; seed <= 60; seed++) {
		struct loom_rng rng;
		struct ref_net net;
		loom_rng_init(&rng, seed);
		near = (struct scene){0};
		assert_int_equal(ref_net_parse(&net, networks[seed % 3]), 0);
		engine_net_of(&near.net, &net, NULL);
		const unsigned n_nodes = ref_net_nodes(&net);
		near.net.net.n_dims = seed % 3 == 0 && seed % 4 < 2 ? 4 : 0;
		while (near.n < MESSAGES_MOST) {
			const struct ref_message m = {(unsigned)loom_rng_below(&rng, n_nodes),
			                              (unsigned)loom_rng_below(&rng, n_nodes),
			                              1 + (unsigned)loom_rng_below(&rng, seed % 5 ? 12 : 2)};
			if (m.source != m.destination)
				add(&near, &m, 1 + loom_rng_below(&rng, 100));
		}
		far = near;
		for (size_t m = 0; m < far.n; m++)
			far.message[m].way = far.way[m];
		far.net.net.n_channels = FAR_CHANNELS;
		assert_false(loom_worms_are_far(&(struct loom_engine){.net = near.net.net}));
		assert_true(loom_worms_are_far(&(struct loom_engine){.net = far.net.net}));
		send(&near, seed / 2 % 2, 0, 0);
		send(&far, seed / 2 % 2, 0, 0);
		assert_same(&near, &far);
		assert_int_equal(near.n_soon_arrived + near.n_soon_next + near.n_soon_again, 0);
		assert_int_equal(far.n_soon_arrived, far.n);
		assert_true(far.n_soon_next >= far.n / 2 && far.n_soon_again >= far.n / 2);
		engine_net_free(&near.net);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_later), cmocka_unit_test(test_each_cycle),
	                                   cmocka_unit_test(test_long_messages), cmocka_unit_test(test_pile),
	                                   cmocka_unit_test(test_far)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
