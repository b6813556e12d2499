// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// When each message was first offered, as the host works it out from arrivals, against the reference machine, which
// sees the offers.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <flitloom/planner.h>

#include "check/offered.h"
#include "plan/light.h"
#include "plan/plan_internal.h"
#include "unit/help/played.h"

static uint32_t next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*state >> 33);
}

// Checks that the true cycle lies between the bounds, and equals them where they meet. Returns the number of messages
// whose cycle is known.
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
		struct ref_message message[PLAYED_MESSAGES_MAX];
		uint64_t random = seed;
		unsigned dims = 1 + next_random(&random) % 4, n = 1 + next_random(&random) % PLAYED_MESSAGES_MAX;
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
			played_make(&p, dims, paper ? REF_PAPER : REF_FAST, message, n);
			n_known += check_bounds(&p, what);
			n_all += n;
			played_tell_releases(&p);
			assert_int_equal(check_bounds(&p, what), n);
			for (unsigned i = 0; i < n; i++)
				n_late += p.truth[i].offer_cycle > 1;
			played_free(&p);
		}
	}
	// The bounds are useful: more cycles are known than those of each node's first message.
	assert_true(n_late > n_all / 2);
	assert_true(n_known > n_all - n_late);
}

// No message waits in the network: the cycle of each message of a queue is known.
static void test_queue_alone(void **state)
{
	(void)state;
	struct played p;
	const struct ref_message message[] = {{0, 7, 5}, {0, 1, 1}, {0, 3, 9}, {0, 6, 2}};
	played_make(&p, 3, REF_FAST, message, 4);
	assert_int_equal(check_bounds(&p, "a queue"), 4);
	assert_int_equal(p.truth[3].offer_cycle, 1 + 5 + 1 + 9);
	played_free(&p);
}

// An event that is not as planned gives no bounds for later offers.
static void test_after_a_fault(void **state)
{
	(void)state;
	struct played p;
	struct loom_fate *fates = NULL;
	const struct ref_message message[] = {{0, 7, 5}, {0, 1, 1}, {0, 3, 9}, {2, 3, 4}};
	played_make(&p, 3, REF_FAST, message, 4);
	p.trace.n_arrivals = 4;
	p.trace.arrivals[1].node = 5; // elsewhere
	assert_int_equal(loom_offered_make(&fates, &p.plan, &p.trace, NULL), 0);
	assert_int_equal(fates[1].earliest, 6);
	assert_int_equal(fates[1].latest, 6);
	assert_int_equal(fates[2].earliest, 0);
	assert_int_equal(fates[2].latest, 0);
	assert_int_equal(fates[3].earliest, 1);
	free(fates);

	p.trace.arrivals[0].first_cycle = 3; // too early for three hops
	assert_int_equal(loom_offered_make(&fates, &p.plan, &p.trace, NULL), 0);
	assert_int_equal(fates[0].earliest, 0);
	free(fates);
	played_free(&p);
}

// A release that a node reports is used if the arrival does not contradict it.
static void test_releases(void **state)
{
	(void)state;
	struct played p;
	struct loom_fate *fates = NULL;
	// The first waits for the second's tail, so the third was offered in 6..10, by the arrivals.
	const struct ref_message message[] = {{0, 3, 5}, {1, 3, 5}, {0, 1, 2}};
	played_make(&p, 2, REF_FAST, message, 3);
	played_tell_releases(&p);
	static const struct {
		uint32_t released;
		size_t n_arrivals;
		uint64_t earliest, latest;
	} cases[] = {{6, 4, 6, 6},  {8, 4, 8, 8},   {10, 4, 10, 10}, {5, 4, 6, 10},
	             {0, 3, 6, 10}, {11, 3, 6, 10}, {8, 2, 6, 10}}; // the last message has not arrived
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		p.trace.released[1] = cases[i].released;
		p.trace.n_arrivals = cases[i].n_arrivals;
		assert_int_equal(loom_offered_make(&fates, &p.plan, &p.trace, NULL), 0);
		assert_int_equal(fates[2].earliest, cases[i].earliest);
		assert_int_equal(fates[2].latest, cases[i].latest);
		assert_int_equal(fates[1].earliest, 1);
		free(fates);
	}
	// Arrivals give no bounds behind a message that went elsewhere, but the node still reports its releases.
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
	played_free(&p);
}

// A message to its own node uses no channel: nothing is known of it, but the bounds of its neighbours stay.
static void test_to_oneself(void **state)
{
	(void)state;
	const struct ref_message all[] = {{3, 3, 4}, {0, 7, 5}, {0, 0, 3}, {0, 1, 2}, {5, 5, 1}};
	const struct ref_message sent[] = {{0, 7, 5}, {0, 1, 2}};
	struct played p;
	struct loom_plan plan;
	struct loom_fate *fates = NULL;
	played_make(&p, 3, REF_FAST, sent, 2);
	played_plan(&plan, 3, all, 5);
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
	played_free(&p);
}

// In a free run a node whose first message is of a later pass offers it when that pass begins.
static void test_free_run(void **state)
{
	(void)state;
	const struct ref_message all[] = {{0, 1, 5}, {1, 3, 5}, {2, 6, 5}};
	struct loom_arrival arrivals[3];
	struct loom_plan plan;
	struct loom_fate *fates = NULL;
	played_plan(&plan, 3, all, 3);
	plan.free_running = true;
	plan.n_passes = 4;
	for (uint32_t i = 0; i < 3; i++) {
		plan.messages[i].pass = i + (i > 1);
		arrivals[i] = played_unhindered(&plan.messages[i], 0, 1 + 5 * plan.messages[i].pass, 1);
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
	played_plan_on(&plan, "otis-mesh:4l17v2", all, 2);
	const uint32_t light = (uint32_t)loom_plan_light(&plan, 0).delay;
	assert_in_range(light, 15, 20); // 17 cycles, and the buffers at both ends
	assert_int_equal(loom_plan_route_length(&plan, 0) - 2, 1);
	struct loom_arrival arrivals[] = {played_unhindered(&plan.messages[0], 0, 1, 1 + light),
	                                  played_unhindered(&plan.messages[1], 1, 60, 1)}; // delayed at the other end
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_against_reference),
		cmocka_unit_test(test_queue_alone),
		cmocka_unit_test(test_after_a_fault),
		cmocka_unit_test(test_releases),
		cmocka_unit_test(test_to_oneself),
		cmocka_unit_test(test_free_run),
		cmocka_unit_test(test_light),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
