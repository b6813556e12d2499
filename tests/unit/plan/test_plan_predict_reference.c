// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Whatever the plan: what is predicted is what counting worms and moving flits one by one gives (ref_play.c).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/plan.h>

#include "unit/help/random_plans.h"

enum { SEEDS = 400 };

// As cmocka's assertion, and names the plan.
#define equal(a, b)                                                                                                    \
	do {                                                                                                           \
		unsigned long long x = (a), y = (b);                                                                   \
		if (x != y)                                                                                            \
			fail_msg("%s, seed %llu: %s is %llu, not %llu", plan->topo.name, (unsigned long long)seed, #a, \
			         x, y);                                                                                \
	} while (0)

struct seen {
	unsigned known, crowded, out_of_step, waits;
};

static void check_channels(const struct loom_plan *plan, const struct ref_play *p, uint64_t seed)
{
	uint64_t *flits = NULL;
	assert_int_equal(loom_plan_flits(&flits, plan, NULL), 0);
	for (uint32_t pass = 0; pass < p->n_passes; pass++) {
		for (uint32_t c = 0; c < p->n_channels; c++) {
			size_t at = (size_t)pass * p->n_channels + c;
			equal(plan->load[at], ref_play_load(p, pass, c));
			equal(flits[at], ref_play_flits(p, pass, c));
		}
		equal(loom_plan_pass_contention(plan, pass), ref_play_pass_contention(p, pass));
	}
	equal(loom_plan_contention(plan), ref_play_contention(p));
	free(flits);
}

static void check_cycles(const struct loom_plan *plan, const struct ref_play *p, uint64_t seed, struct seen *seen)
{
	uint64_t *cycles = calloc(p->n_passes, sizeof *cycles), sum = 0;
	assert_non_null(cycles);
	ref_play_cycles(cycles, p);
	bool known = true;
	for (uint32_t pass = 0; pass < p->n_passes; pass++) {
		equal(plan->cycles[pass], cycles[pass]);
		known = known && cycles[pass] != REF_PLAY_UNKNOWN;
		sum += cycles[pass];
		seen->known += cycles[pass] != REF_PLAY_UNKNOWN;
		seen->crowded += cycles[pass] == REF_PLAY_UNKNOWN;
		seen->waits += p->free_running && cycles[pass] == 0;
	}
	equal(loom_plan_cycles(plan), known ? sum : LOOM_CYCLES_UNKNOWN);
	// The predicted cycles are possible: no channel carries two flits in a cycle.
	if (known && ref_play_collides(p))
		fail_msg("%s, seed %llu: two flits in one place", plan->topo.name, (unsigned long long)seed);
	seen->out_of_step += p->free_running && !known && ref_play_contention(p) <= 1;
	for (size_t i = 0; i < p->n_worms; i++) {
		equal(loom_plan_message_cycles(plan, &plan->messages[i]), ref_play_tail(p, i));
		equal(loom_plan_uses_network(plan, &plan->messages[i]), p->worm[i].length != 0);
	}
	free(cycles);
}

static void check_plan(const struct loom_plan *plan, uint64_t seed, struct seen *seen)
{
	struct ref_play p;
	play_of(&p, plan);
	check_channels(plan, &p, seed);
	check_cycles(plan, &p, seed, seen);
	for (uint32_t member = 0; member < p.n_members; member++)
		equal(plan->member_contention[member], ref_play_member_contention(&p, member));
	equal(plan->objective_value, plan->objective[0] ? ref_play_objective(&p, plan->objective) : 0);
	equal(plan->passes_bound, ref_play_passes_bound(&p));
	play_free(&p);
}

// A second prediction of a plan is the same, and keeps nothing of the first.
static void check_again(struct loom_plan *plan, uint64_t seed, struct seen *seen)
{
	memset(plan->load, 0xa5, (size_t)plan->n_passes * loom_topo_channels(&plan->topo) * sizeof *plan->load);
	memset(plan->cycles, 0xa5, plan->n_passes * sizeof *plan->cycles);
	memset(plan->member_contention, 0xa5, plan->n_members * sizeof *plan->member_contention);
	plan->passes_bound = 12345;
	plan->objective_value = 12345;
	assert_int_equal(loom_plan_predict(plan, NULL), 0);
	check_plan(plan, seed, seen);
}

static struct seen check_kind(enum random_plan_kind kind)
{
	struct seen seen = {0};
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct loom_plan plan;
		random_plan(&plan, kind, seed);
		check_plan(&plan, seed, &seen);
		if (seed % 8 == 0)
			check_again(&plan, seed, &seen);
		loom_plan_free(&plan);
	}
	return seen;
}

static void test_barrier(void **state)
{
	(void)state;
	struct seen seen = check_kind(RANDOM_BARRIER);
	assert_true(seen.known > SEEDS / 2 && seen.crowded > SEEDS / 2);
}

static void test_relayed(void **state)
{
	(void)state;
	struct seen seen = check_kind(RANDOM_RELAYED);
	assert_true(seen.known > SEEDS / 2 && seen.crowded > SEEDS / 2);
}

static void test_free_run(void **state)
{
	(void)state;
	struct seen seen = check_kind(RANDOM_FREE);
	assert_true(seen.known > SEEDS / 2 && seen.crowded > SEEDS / 2 && seen.waits > 20 && seen.out_of_step > 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_barrier),
		cmocka_unit_test(test_relayed),
		cmocka_unit_test(test_free_run),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
