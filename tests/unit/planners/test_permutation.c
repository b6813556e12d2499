// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Which patterns are permutations, in part or whole: random ones against their ends counted one by one.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "plan/planners/permutation.h"

enum { MOST = 200 };

static bool is_slowly(const struct loom_pattern *p)
{
	for (size_t i = 0; i < p->n_messages; i++)
		for (size_t j = 0; j < i; j++)
			if (p->messages[i].source == p->messages[j].source ||
			    p->messages[i].destination == p->messages[j].destination)
				return false;
	return true;
}

// A permutation of which some messages are left out, in any order, and one end changed in half of the rounds.
static void test_random(void **state)
{
	(void)state;
	struct loom_rng rng;
	unsigned n_good = 0, n_bad = 0;
	loom_rng_init(&rng, 1);
	for (unsigned round = 0; round < 4000; round++) {
		struct loom_message messages[MOST];
		uint32_t n = 2 + (uint32_t)loom_rng_below(&rng, MOST - 1), to[MOST];
		struct loom_pattern p = {.n_nodes = n, .n_members = 1, .messages = messages};
		for (uint32_t v = 0; v < n; v++) {
			uint32_t k = (uint32_t)loom_rng_below(&rng, v + 1);
			to[v] = to[k];
			to[k] = v;
		}
		for (uint32_t v = 0; v < n; v++)
			if (loom_rng_below(&rng, 4))
				messages[p.n_messages++] = (struct loom_message){.source = v, .destination = to[v]};
		if (round % 2 && p.n_messages) {
			struct loom_message *m = &messages[loom_rng_below(&rng, p.n_messages)];
			*(round % 4 == 1 ? &m->source : &m->destination) = (uint32_t)loom_rng_below(&rng, n);
		}
		const bool good = is_slowly(&p);
		if (loom_planner_is_permutation(&p) != good)
			fail_msg("round %u, %u nodes: %d", round, n, good);
		n_good += good;
		n_bad += !good;
	}
	assert_true(n_good > 1000 && n_bad > 1000);
}

static void test_sets(void **state)
{
	(void)state;
	struct loom_message messages[] = {{.source = 0, .destination = 1}, {.source = 1, .destination = 0}};
	struct loom_pattern p = {.n_nodes = 2, .n_members = 1, .n_messages = 2, .messages = messages};
	assert_true(loom_planner_is_permutation(&p));
	p.n_members = 2;
	assert_false(loom_planner_is_permutation(&p));
	p.n_members = 1;
	p.n_nodes = 1;
	assert_false(loom_planner_is_permutation(&p));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_random), cmocka_unit_test(test_sets)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
