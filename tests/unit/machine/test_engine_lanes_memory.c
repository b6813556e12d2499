// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Every allocation of the engine that moves flits fails once, and then with memory that stays used up: it says so and leaks
// nothing, or does without and all messages arrive in the same cycles.
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "machine/lanes.h"
#include "unit/help/engine_checks.h"
#include "unit/help/memory/failing_memory.h"

enum { MESSAGES = 400, NODES = 16, WAY_MOST = 32 };

struct scene {
	struct engine_net net;
	uint32_t n_sent[NODES];
	uint32_t way[MESSAGES][WAY_MOST];
	uint64_t tail[MESSAGES];
};

// Message k of node v; in the lock all go half the way round and stay.
static bool next(void *user, struct loom_engine_message *out, uint32_t v, uint64_t from)
{
	struct scene *s = user;
	uint32_t n = s->net.net.n_nodes, k = s->n_sent[v], m = k * n + v;
	if (m >= MESSAGES)
		return false;
	s->n_sent[v]++;
	const struct ref_message message = {v, (v + n / 2 + k) % n, 4};
	*out = (struct loom_engine_message){.release = k % 3 ? 0 : from + 5, .flits = 4, .id = m, .way = s->way[m]};
	out->n_way = engine_way(s->way[m], &s->net, &message, REF_ASCENDING, NULL);
	return true;
}

static void arrived(void *user, const struct loom_engine_arrival *arrival)
{
	((struct scene *)user)->tail[arrival->id] = arrival->tail;
}

static int use(struct scene *s, struct loom_err *err)
{
	struct loom_engine *e = NULL;
	const struct loom_engine_user user = {.next = next, .arrived = arrived, .user = s};
	enum loom_engine_state state = LOOM_ENGINE_TIME;
	struct loom_engine_wait *wait = NULL;
	size_t n = 0;
	int rc = loom_engine_lanes.open(&e, &s->net.net, false, &user, err);
	assert_true(rc == 0 || !e);
	if (rc == 0)
		rc = loom_engine_lanes.run(e, &state, UINT64_MAX, err);
	if (rc == 0)
		rc = loom_lanes_lock(e, &wait, &n, err);
	if (rc == 0)
		assert_true(state == LOOM_ENGINE_LOCKED ? n > 0 : n == 0);
	assert_true(rc == 0 || !wait);
	free(wait);
	loom_engine_lanes.close(e);
	return rc;
}

static void fail_each(const char *name, bool from_then_on)
{
	static struct scene flawless, s;
	struct ref_net net;
	assert_int_equal(ref_net_parse(&net, name), 0);
	engine_net_of(&flawless.net, &net, NULL);
	memset(flawless.n_sent, 0, sizeof flawless.n_sent);
	memset(flawless.tail, 0, sizeof flawless.tail);
	s = flawless;
	assert_int_equal(use(&flawless, NULL), 0);
	size_t n_failed = 0;
	for (size_t n = 1;; n++) {
		struct loom_err err = {0};
		memset(s.n_sent, 0, sizeof s.n_sent);
		memset(s.tail, 0, sizeof s.tail);
		memory_arm(n, from_then_on);
		int rc = use(&s, &err);
		bool failed = memory_disarm();
		assert_int_equal(memory_live(), 0);
		if (rc == 0)
			assert_memory_equal(s.tail, flawless.tail, sizeof s.tail);
		else if (rc != LOOM_ENOMEM || !failed || !strstr(err.text, "memory"))
			fail_msg("%s, allocation %zu: %d, \"%s\"", name, n, rc, err.text);
		n_failed += rc != 0;
		if (!failed)
			break;
	}
	assert_true(n_failed > 20);
	engine_net_free(&flawless.net);
}

static void test_each_allocation(void **state)
{
	(void)state;
	static const char *const names[] = {"torus:4x4v2", "ring:7",   "otis-mesh:4l2v2",
	                                    "cube:4",      "cube:4b3", "torus:4x4v2b5d2"};
	for (unsigned k = 0; k < 12; k++)
		fail_each(names[k / 2], k % 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_allocation),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
