// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks what a plan predicts: loads and cycles counted again by hand, known cycles, objectives, relayed data.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/plan.h>

#include "base/rng.h"
#include "unit/help/plans_by_hand.h"

static void test_predictions(void **state)
{
	(void)state;
	static char map[1024 * 6];
	for (unsigned n = 1; n <= 10; n++)
		for (uint64_t seed = 1; seed <= 12; seed++) {
			struct loom_rng rng;
			loom_rng_init(&rng, seed * 1000 + n);
			struct loom_topo t = cube_of(n);
			uint32_t n_members = seed % 3 == 0 ? 3 : 1;
			size_t n_messages = seed < 5 ? (seed - 1) * n_members : (size_t)loom_rng_below(&rng, 700) + 3;
			struct loom_pattern p = pattern_by_hand(&rng, t.n_nodes, n_messages, n_members);
			map_by_chance(&rng, &t, map);
			struct loom_plan plan = make_plan(&t, &p, seed % 2 ? map : NULL, "direct", NULL);
			assert_int_equal(plan.n_messages, n_messages);
			assert_int_equal(plan.n_passes, n_members);
			for (size_t i = 0; i < n_messages; i++) {
				const struct loom_plan_message *m = &plan.messages[i];
				assert_int_equal(m->source, p.messages[i].source);
				assert_int_equal(m->destination, p.messages[i].destination);
				assert_int_equal(m->flits, p.messages[i].flits);
				assert_int_equal(m->pass, p.messages[i].member);
				assert_int_equal(m->origin, i);
				assert_int_equal(m->rule, LOOM_RULE_ASCENDING);
				assert_int_equal(m->from_slot + m->keep_slot, 0);
			}
			check_prediction(&plan, seed);
			for (size_t i = 0; i < n_messages; i++) // again with mixed rules
				plan.messages[i].rule = (uint8_t)loom_rng_below(&rng, 2);
			plan.lower_bound = 0;
			assert_int_equal(loom_plan_predict(&plan, NULL), 0);
			check_prediction(&plan, seed);
			loom_plan_free(&plan);
			assert_null(plan.messages);
			loom_pattern_free(&p);
		}
}

// The figures of [Hou01], Table 1: neighbour exchange L' + 2, bit reversal after mapping L' + 9, L' = L + 1.
static void test_known_cycles(void **state)
{
	(void)state;
	struct loom_topo t = cube_of(8);
	static const uint32_t lengths[] = {17, 65, 257, 1025};
	for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
		uint32_t flits = lengths[i];
		struct loom_pattern p;
		struct loom_err err = {0};
		const struct loom_pattern_options options = {.flits = flits};
		if (loom_pattern_parse(&p, "bit-reverse", 256, &options, &err) != 0)
			fail_msg("%s", err.text);
		struct loom_plan best = make_plan(&t, &p, "best", NULL, NULL),
				 direct = make_plan(&t, &p, NULL, "direct", NULL);
		assert_string_equal(best.planner, "lcc");
		assert_int_equal(loom_plan_cycles(&best), flits + 9);
		assert_int_equal(loom_plan_contention(&best), 1);
		assert_int_equal(loom_plan_contention(&direct), 8);
		assert_true(loom_plan_cycles(&direct) == LOOM_CYCLES_UNKNOWN);
		check_prediction(&best, 0);
		check_prediction(&direct, 0);
		for (uint32_t x = 0; x < 256; x++)
			p.messages[x].destination = p.messages[x].source ^ 128;
		p.n_lccs = 0;
		struct loom_plan neighbour = make_plan(&t, &p, NULL, "direct", NULL);
		assert_int_equal(loom_plan_cycles(&neighbour), flits + 2);
		loom_plan_free(&best);
		loom_plan_free(&direct);
		loom_plan_free(&neighbour);
		loom_pattern_free(&p);
	}
}

static void test_no_message_in_the_network(void **state)
{
	(void)state;
	struct loom_rng rng;
	loom_rng_init(&rng, 4);
	struct loom_topo t = cube_of(4);
	struct loom_pattern p = pattern_by_hand(&rng, 16, 16, 1);
	for (uint32_t i = 0; i < 16; i++)
		p.messages[i].source = p.messages[i].destination = i;
	struct loom_plan plan = make_plan(&t, &p, NULL, "direct", NULL);
	assert_int_equal(loom_plan_cycles(&plan), 0);
	assert_int_equal(loom_plan_contention(&plan), 0);
	assert_int_equal(loom_plan_message_cycles(&plan, &plan.messages[3]), 0);
	loom_plan_free(&plan);
	// Two messages for one node by different ways: the network is free, the node is not.
	p.n_messages = 2;
	p.messages[0] = (struct loom_message){.source = 1, .destination = 0, .flits = 5};
	p.messages[1] = (struct loom_message){.source = 2, .destination = 0, .flits = 5};
	plan = make_plan(&t, &p, NULL, "direct", NULL);
	assert_int_equal(loom_plan_contention(&plan), 1);
	assert_true(loom_plan_cycles(&plan) == LOOM_CYCLES_UNKNOWN);
	loom_plan_free(&plan);
	loom_pattern_free(&p);
}

static void test_objectives(void **state)
{
	(void)state;
	// Two members on cube:2. Member 0: twice 0->1 and once 0->2; member 1: 0->1 and 2->3, three times 0->2.
	// T: dim 0 is 2 and 1, dim 1 is 1 and 3.
	static const uint32_t ends[][3] = {{0, 1, 0}, {0, 1, 0}, {0, 2, 0}, {0, 1, 1},
	                                   {2, 3, 1}, {0, 2, 1}, {0, 2, 1}, {0, 2, 1}};
	struct loom_rng rng;
	loom_rng_init(&rng, 5);
	struct loom_topo t = cube_of(2);
	struct loom_pattern p = pattern_by_hand(&rng, 4, 8, 2);
	for (size_t i = 0; i < 8; i++)
		p.messages[i] = (struct loom_message){ends[i][0], ends[i][1], 3, ends[i][2]};
	static const struct {
		const char *asked, *name;
		uint64_t value;
	} cases[] = {{NULL, "maxmax", 3}, {"maxmax", "maxmax", 3}, {"maxsum", "maxsum", 4}, {"sumsum", "sumsum", 7}};
	for (size_t i = 0; i < 4; i++) {
		struct loom_plan plan = make_plan(&t, &p, NULL, NULL, cases[i].asked);
		assert_string_equal(plan.planner, "direct");
		assert_string_equal(plan.objective, cases[i].name);
		assert_int_equal(plan.objective_value, cases[i].value);
		assert_int_equal(plan.n_members, 2);
		assert_int_equal(plan.member_contention[0], 2);
		assert_int_equal(plan.member_contention[1], 3);
		loom_plan_free(&plan);
	}
	loom_pattern_free(&p);
}

static void test_relays(void **state)
{
	(void)state;
	for (unsigned n = 2; n <= 10; n++) {
		struct loom_plan plan = relay_plan(n), saved;
		struct loom_plan_message *m = plan.messages;
		check_prediction(&plan, 6);
		struct loom_plan_message before[6];
		memcpy(before, m, sizeof before);
		saved = plan;
#define REFUSED(change, says)                                                                                          \
	do {                                                                                                           \
		struct loom_err err = {0};                                                                             \
		change;                                                                                                \
		assert_int_equal(loom_plan_predict(&plan, &err), LOOM_EINPUT);                                         \
		if (!strstr(err.text, says))                                                                           \
			fail_msg("\"%s\" does not say \"%s\"", err.text, says);                                        \
		assert_memory_equal(&plan, &saved, sizeof plan);                                                       \
		memcpy(m, before, sizeof before);                                                                      \
	} while (0)
		REFUSED(m[2].origin = 1, "slot 3");
		REFUSED(m[2].origin = 2, "slot 3");
		REFUSED(m[2].origin = 5, "slot 3");
		REFUSED(m[2].origin = UINT32_MAX, "slot 3");
		REFUSED(m[2].from_slot = 4, "slot 4");
		REFUSED(m[2].from_slot = 0, "generated");
		REFUSED(m[0].keep_slot = 0, "slot 3");
		REFUSED(m[2].pass = 0, "does not hold"); // not there before the pass begins
		REFUSED(m[2].source = 1, "slot 3");
		REFUSED(m[4].origin = 0, "slot 255"); // message 2 brought it there, from message 0
		REFUSED(m[1].destination = m[0].destination, "same pass");
		REFUSED((m[3].destination = 0, m[3].keep_slot = 255), "same pass");
		REFUSED(m[5].origin = 4, "generated");
		REFUSED(m[1].pass = 2, "after pass");
		REFUSED(m[5].pass = 3, "pass 3, there are 3");
		REFUSED(m[5].flits = 0, "no flits");
		REFUSED(m[5].rule = 2, "rule 2 is one way round, and cube:");
		REFUSED(m[5].rule = LOOM_RULES_NAMED, "rule 13; 0 is ascending");
		REFUSED(m[5].rule = 4, "all messages of a plan go by one rule");
		REFUSED(m[5].source = plan.topo.n_nodes, "processors are");
		REFUSED(m[5].destination = UINT32_MAX, "processors are");
#undef REFUSED
		assert_int_equal(loom_plan_predict(&plan, NULL), 0);
		loom_plan_free(&plan);
	}
}

// Looks at each link of a row: a message over it each way, in one pass, is refused, and the link is named; in two passes, or over two
// links, it is a plan.
static void test_half_duplex_of_each_link(void **state)
{
	(void)state;
	enum { NODES = 6 };
	struct loom_err err = {0};
	uint32_t map[NODES] = {0, 1, 2, 3, 4, 5}, members[2] = {0};
	struct loom_plan_message messages[2] = {{.flits = 2}, {.flits = 2, .origin = 1}};
	struct loom_plan plan = {.n_messages = 2,
	                         .n_members = 1,
	                         .messages = messages,
	                         .map = map,
	                         .member_of_pass = members,
	                         .n_passes = 2,
	                         .half_duplex = true};
	assert_int_equal(loom_topo_parse(&plan.topo, "line:6", &err), 0);
	for (uint32_t u = 0; u + 1 < NODES; u++)
		for (uint32_t v = 0; v + 1 < NODES; v++)
			for (uint32_t passes = 0; passes < 3; passes++) {
				char says[80];
				messages[0].pass = passes == 2;
				messages[1].pass = passes > 0;
				messages[0].source = u;
				messages[0].destination = u + 1;
				messages[1].source = v + 1;
				messages[1].destination = v;
				bool meet = u == v && passes != 1;
				(void)snprintf(says, sizeof says, "pass %u uses both directions of the link %u->%u",
				               messages[1].pass, u, u + 1);
				assert_int_equal(loom_plan_predict(&plan, &err), meet ? LOOM_EINPUT : 0);
				if (meet && strncmp(err.text, says, strlen(says)) != 0)
					fail_msg("\"%s\" does not say \"%s\"", err.text, says);
				// Two from one node, or for one node, take two passes as well.
				if (!meet)
					assert_int_equal(plan.passes_bound, u <= v + 1 && v <= u + 1 ? 2 : 1);
			}
	free(plan.load);
	free(plan.cycles);
	free(plan.member_contention);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_predictions),
		cmocka_unit_test(test_known_cycles),
		cmocka_unit_test(test_no_message_in_the_network),
		cmocka_unit_test(test_objectives),
		cmocka_unit_test(test_relays),
		cmocka_unit_test(test_half_duplex_of_each_link),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
