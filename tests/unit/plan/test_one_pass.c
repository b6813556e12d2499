// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Rules by which a permutation would pass at once, against a count of what each channel would carry; and what is a permutation.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/rng.h"
#include "plan/plan_internal.h"
#include "unit/help/routes.h"

enum { N = 16, HOPS = 64 };

static struct loom_plan plan_of(const char *fabric, const struct loom_message *m, size_t n)
{
	struct loom_topo topo;
	struct loom_pattern pattern;
	struct loom_plan plan;
	struct loom_err err = {0};
	assert_int_equal(loom_topo_parse(&topo, fabric, NULL), 0);
	assert_int_equal(loom_pattern_from_messages(&pattern, "list", topo.n_nodes, m, n, NULL), 0);
	const struct loom_plan_options by = {.planner = "greedy", .map = "15,3,2,1,0,4,5,6,7,14,13,12,11,10,9,8"};
	if (loom_plan_make(&plan, &topo, &pattern, &by, &err) != 0)
		fail_msg("%s: %s", fabric, err.text);
	loom_pattern_free(&pattern);
	return plan;
}

// True if no channel of the network would carry two of the messages.
static bool passes(const struct loom_plan *plan, const struct loom_message *m, size_t n, unsigned rule)
{
	unsigned *load = calloc(loom_topo_channels(&plan->topo), sizeof *load);
	bool good = true;
	assert_non_null(load);
	for (size_t i = 0; i < n; i++) {
		uint32_t channel[HOPS], from = plan->map[m[i].source], to = plan->map[m[i].destination];
		if (from == to && !plan->topo.kind->self_uses_network)
			continue;
		unsigned length = route_of(channel, HOPS, &plan->topo, from, to,
		                           (enum loom_rule)loom_topo_rule(&plan->topo, from, to, rule));
		for (unsigned k = 0; k < length; k++)
			good = good && ++load[channel[k]] == 1;
	}
	free(load);
	return good;
}

static void test_random(void **state)
{
	(void)state;
	static const char *const fabrics[] = {"cube:4", "mesh:4x4", "line:16", "omega:16", "baseline:16", "torus:4x4"};
	struct loom_rng rng;
	unsigned n_permutations = 0, n_passing = 0;
	loom_rng_init(&rng, 11);
	for (unsigned round = 0; round < 360; round++) {
		struct loom_message m[N];
		uint32_t to[N];
		size_t n = 1 + loom_rng_below(&rng, N);
		bool sends[N] = {false}, receives[N] = {false}, is_permutation = true;
		for (uint32_t i = 0; i < N; i++)
			to[i] = i;
		for (uint32_t i = N; i > 1; i--) {
			uint32_t k = (uint32_t)loom_rng_below(&rng, i), other = to[k];
			to[k] = to[i - 1];
			to[i - 1] = other;
		}
		for (size_t i = 0; i < n; i++)
			m[i] = (struct loom_message){
				.source = (uint32_t)((i + round) % N), .destination = to[i], .flits = 3};
		if (n > 1 && round % 3 == 0) // one of the ends of the first once more, or of another one
			m[n - 1].source = m[loom_rng_below(&rng, n - 1)].source;
		if (n > 1 && round % 3 == 1)
			m[n - 1].destination = m[round % 2 ? 0 : loom_rng_below(&rng, n - 1)].destination;
		for (size_t i = 0; i < n; i++) {
			is_permutation = is_permutation && !sends[m[i].source] && !receives[m[i].destination];
			sends[m[i].source] = receives[m[i].destination] = true;
		}
		struct loom_plan plan = plan_of(fabrics[round % 6], m, n);
		unsigned rules = 77;
		bool is = !is_permutation;
		assert_int_equal(loom_plan_one_pass(&rules, &is, &plan, NULL), 0);
		if (is != is_permutation)
			fail_msg("round %u: %s", round, is ? "a permutation" : "no permutation");
		assert_true(is || rules == 0);
		for (unsigned rule = 0; is && rule < loom_topo_rules_count(&plan.topo); rule++)
			if (rules >> rule & 1)
				assert_true(passes(&plan, m, n, rule));
			else if (rule == LOOM_RULE_ASCENDING)
				assert_false(passes(&plan, m, n, rule));
		n_permutations += is;
		n_passing += rules != 0;
		loom_plan_free(&plan);
	}
	assert_true(n_permutations > 100 && n_passing > 30 && n_passing < n_permutations);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
