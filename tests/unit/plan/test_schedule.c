// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "unit/help/networks.h"
#include "base/rng.h"
#include "plan/schedule.h"

// The reflected Gray code as it is defined: the list of one bit less, then the same backwards with the next bit set.
static void gray_list(uint32_t *out, unsigned m)
{
	out[0] = 0;
	for (unsigned b = 0; b < m; b++)
		for (uint32_t i = 0; i < 1u << b; i++)
			out[(1u << b) + i] = out[(1u << b) - 1 - i] | 1u << b;
}

static const struct loom_plan_message *find(const struct loom_plan *plan, uint32_t source, uint32_t pass, size_t *n)
{
	const struct loom_plan_message *found = NULL;
	*n = 0;
	for (size_t i = 0; i < plan->n_messages; i++)
		if (plan->messages[i].source == source && plan->messages[i].pass == pass) {
			found = &plan->messages[i];
			++*n;
		}
	return found;
}

// True if v's messages in all passes are those of a generator with this first number.
static bool follows(const struct loom_plan *plan, uint32_t v, uint32_t first, bool skips, const uint32_t *gray)
{
	bool sends = false;
	for (uint32_t pass = 0; pass < plan->n_passes; pass++) {
		size_t n;
		const struct loom_plan_message *m = find(plan, v, pass, &n);
		uint32_t to = first ^ gray[pass];
		if (skips && to == v ? n != 0 : n != 1 || m->destination != to || m->rule != LOOM_RULE_ASCENDING)
			return false;
		sends = sends || n;
	}
	return sends;
}

// Tries every first number of every node.
static bool slow_recognise(const struct loom_plan *plan)
{
	uint32_t gray[64], n = plan->topo.n_nodes;
	gray_list(gray, 6);
	if (!plan->free_running || plan->n_passes > n)
		return false;
	for (int skips = 0; skips < 2; skips++) {
		uint32_t v = 0;
		for (; v < n; v++) {
			uint32_t first = 0;
			while (first < n && !follows(plan, v, first, skips, gray))
				first++;
			if (first == n)
				break;
		}
		if (v == n)
			return true;
	}
	return false;
}

static void test_squares(void **state)
{
	(void)state;
	uint32_t gray[64];
	gray_list(gray, 6);
	for (unsigned k = 0; k < NETS + 1; k++)
		for (unsigned m = 1; m <= 5; m++)
			for (unsigned way = 0; way < 4; way++) {
				char fabric[32], map[256]; // 32 numbers
				struct loom_plan plan;
				struct loom_schedule s;
				bool skips = way & 1;
				(void)snprintf(fabric, sizeof fabric, "%s:%u", k < NETS ? net_names[k] : "benes",
				               1u << m);
				random_map(map, 1u << m, 10 * k + m);
				plan_on(&plan, fabric, skips ? "all-to-others" : "all-to-all", "latin", NULL, 7, 1);
				assert_true(loom_schedule_recognise(&s, &plan));
				assert_true(slow_recognise(&plan));
				assert_int_equal(s.flits, 7);
				assert_int_equal(s.skips_self, skips);
				for (uint32_t v = 0; v < plan.topo.n_nodes; v++)
					assert_true(follows(&plan, v, s.first[v], skips, gray));
				loom_plan_free(&plan);
				// Read through a map that is no xor the rows need not be what a node computes: both
				// agree.
				plan_on(&plan, fabric, skips ? "all-to-others" : "all-to-all", "latin", map, 7, 1);
				assert_int_equal(loom_schedule_recognise(&s, &plan), slow_recognise(&plan));
				loom_plan_free(&plan);
			}
}

// A node that sends two messages in one pass is in no plan (loom_plan_predict refuses it).
static bool is_plan(const struct loom_plan *plan)
{
	for (size_t i = 0; i < plan->n_messages; i++) {
		size_t n;
		(void)find(plan, plan->messages[i].source, plan->messages[i].pass, &n);
		if (n > 1)
			return false;
	}
	return true;
}

static void remove_message(struct loom_plan *plan, size_t i)
{
	memmove(plan->messages + i, plan->messages + i + 1, (--plan->n_messages - i) * sizeof *plan->messages);
}

// Plans with one to three things changed; the two must agree on all of them.
static void test_spoilt(void **state)
{
	(void)state;
	unsigned n_good = 0, n_bad = 0;
	for (uint64_t seed = 0; seed < 3000; seed++) {
		struct loom_plan plan;
		struct loom_rng rng;
		struct loom_schedule s, before;
		char fabric[32];
		loom_rng_init(&rng, seed);
		(void)snprintf(fabric, sizeof fabric, "%s:%u", net_names[seed % NETS],
		               2u << (unsigned)loom_rng_below(&rng, 3));
		plan_on(&plan, fabric, seed & 8 ? "all-to-others" : "all-to-all", "latin", NULL, 3, 1);
		uint32_t n = plan.topo.n_nodes, passes = 1 + (uint32_t)loom_rng_below(&rng, n);
		if (seed % 3 == 0) { // only the first passes
			plan.n_passes = passes;
			while (plan.n_messages && plan.messages[plan.n_messages - 1].pass >= passes)
				plan.n_messages--;
		}
		for (uint64_t changes = loom_rng_below(&rng, 3); changes > 0 && plan.n_messages > 0; changes--) {
			size_t i = (size_t)loom_rng_below(&rng, plan.n_messages);
			struct loom_plan_message *m = &plan.messages[i];
			switch (loom_rng_below(&rng, 6)) {
			case 0: m->destination = (uint32_t)loom_rng_below(&rng, n); break;
			case 1: remove_message(&plan, i); break;
			case 2: m->source = (uint32_t)loom_rng_below(&rng, n); break;
			case 3: m->rule = LOOM_RULE_DESCENDING; break;
			case 4: // the messages to oneself of some processors only
				for (size_t j = plan.n_messages; j-- > 0;)
					if (plan.messages[j].source == plan.messages[j].destination &&
					    loom_rng_below(&rng, 2))
						remove_message(&plan, j);
				break;
			default: plan.free_running = false;
			}
		}
		if (!is_plan(&plan)) {
			loom_plan_free(&plan);
			continue;
		}
		memset(&s, 0x5a, sizeof s);
		before = s;
		bool wanted = plan.n_messages > 0 && slow_recognise(&plan), found = loom_schedule_recognise(&s, &plan);
		if (found != wanted)
			fail_msg("seed %llu on %s: %d instead of %d", (unsigned long long)seed, fabric, found, wanted);
		if (!found)
			assert_memory_equal(&s, &before, sizeof s);
		n_good += wanted;
		n_bad += !wanted;
		loom_plan_free(&plan);
	}
	assert_true(n_good > 300 && n_bad > 300);
}

static void test_other_plans(void **state)
{
	(void)state;
	struct loom_plan plan;
	struct loom_schedule s;
	plan_on(&plan, "omega:8", "all-to-all", "min_passes", NULL, 3, 1); // the same rows, but with barriers
	assert_false(loom_schedule_recognise(&s, &plan));
	loom_plan_free(&plan);
	plan_on(&plan, "cube:3", "all-to-all", NULL, NULL, 3, 1);
	assert_false(loom_schedule_recognise(&s, &plan));
	loom_plan_free(&plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_squares),
		cmocka_unit_test(test_spoilt),
		cmocka_unit_test(test_other_plans),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
