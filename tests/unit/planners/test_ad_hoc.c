// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Planner ad_hoc: one pass if nothing can lock; otherwise each pass takes every message that fits.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <flitloom/plan.h>

#include "reference/ref_net.h"
#include "unit/help/cut_checks.h"
#include "unit/help/plans_by_hand.h"

static void test_one_pass(void **state)
{
	(void)state;
	static const char *const fabrics[] = {"line:9", "mesh:4x5", "cube:4", "omega:16", "ring:3", "torus:4x5v2"};
	static const char *const specs[] = {"random-perm", "uniform:40", "hotspot:1"};
	for (size_t f = 0; f < sizeof fabrics / sizeof fabrics[0]; f++)
		for (size_t s = 0; s < sizeof specs / sizeof specs[0]; s++) {
			struct loom_plan plan, direct;
			struct loom_pattern pattern, same;
			cut_by(&plan, &pattern, "ad_hoc", fabrics[f], specs[s], 1);
			cut_by(&direct, &same, "direct", fabrics[f], specs[s], 1);
			assert_int_equal(plan.n_passes, pattern.n_members);
			assert_int_equal(plan.n_passes, direct.n_passes);
			check_same_messages(&plan, &direct);
			assert_int_equal(plan.lower_bound, direct.lower_bound);
			assert_int_equal(loom_plan_contention(&plan), loom_plan_contention(&direct));
			loom_plan_free(&plan);
			loom_plan_free(&direct);
			loom_pattern_free(&pattern);
			loom_pattern_free(&same);
		}
}

static bool meet(const struct ref_net *net, const struct loom_plan_message *a, const struct loom_plan_message *b)
{
	size_t way_a[REF_NODES_MAX + 2], way_b[REF_NODES_MAX + 2];
	size_t n_a = ref_net_walk(way_a, net, &(struct ref_way){a->source, a->destination, REF_ASCENDING});
	size_t n_b = ref_net_walk(way_b, net, &(struct ref_way){b->source, b->destination, REF_ASCENDING});
	for (size_t i = 0; i < n_a; i++)
		for (size_t k = 0; k < n_b; k++)
			if (way_a[i] == way_b[k])
				return true;
	return false;
}

// Checks that each message of a later pass conflicts with a message in each earlier pass.
static void check_tried(const struct loom_plan *plan)
{
	struct ref_net net;
	assert_int_equal(ref_net_parse(&net, plan->topo.name), 0);
	for (size_t i = 0; i < plan->n_messages; i++)
		for (uint32_t pass = 0; pass < plan->messages[i].pass; pass++) {
			bool kept = false;
			for (size_t k = 0; k < plan->n_messages; k++)
				kept = kept || (plan->messages[k].pass == pass &&
				                meet(&net, &plan->messages[i], &plan->messages[k]));
			if (!kept)
				fail_msg("%s: message %zu could have gone in pass %" PRIu32, plan->topo.name, i, pass);
		}
}

static void test_tries(void **state)
{
	(void)state;
	static const char *const fabrics[] = {"ring:16", "ring:40", "torus:8x8"};
	unsigned cut = 0;
	for (size_t f = 0; f < sizeof fabrics / sizeof fabrics[0]; f++)
		for (uint64_t seed = 1; seed <= 10; seed++) {
			struct loom_plan plan, direct;
			struct loom_pattern pattern;
			struct loom_err err = {0};
			cut_by(&plan, &pattern, "ad_hoc", fabrics[f], seed % 2 ? "random-perm" : "uniform:100", seed);
			const struct loom_plan_options by = {.planner = "direct", .map = "identity"};
			int refused = loom_plan_make(&direct, &plan.topo, &pattern, &by, &err);
			if (refused) {
				assert_true(cut_check(&plan) <= plan.n_passes);
				check_tried(&plan);
				assert_int_equal(plan.lower_bound, 1);
				cut++;
			} else {
				assert_int_equal(plan.n_passes, 1);
				loom_plan_free(&direct);
			}
			cut_check_messages(&plan, &pattern);
			loom_plan_free(&plan);
			loom_pattern_free(&pattern);
		}
	print_message("%u of 30 patterns could lock\n", cut);
	assert_true(cut >= 20);
}

// Only the member that could lock is cut.
static void test_members(void **state)
{
	(void)state;
	struct loom_plan plan;
	struct loom_pattern pattern;
	cut_by(&plan, &pattern, "ad_hoc", "ring:16", "set:complement+bit-reverse+complement", 1);
	assert_true(plan.n_passes > 3);
	assert_int_equal(plan.member_of_pass[0], 0);
	assert_int_equal(plan.member_of_pass[1], 1);
	assert_int_equal(plan.member_of_pass[plan.n_passes - 2], 1);
	assert_int_equal(plan.member_of_pass[plan.n_passes - 1], 2);
	loom_plan_free(&plan);
	loom_pattern_free(&pattern);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_pass),
		cmocka_unit_test(test_tries),
		cmocka_unit_test(test_members),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
