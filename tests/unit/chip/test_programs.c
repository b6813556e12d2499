// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Words of programs, bit by bit as docs/registers.md has them: messages, with and without a node through which they
// go and a label of their own, delays and waits.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <flitloom/plan.h>
#include <flitloom/routes/via.h>

#include "chip/programs.h"

// On mesh:3x3v2, whose labels have a pair of bits for each coordinate: node 5 has label 6.
static void check(const struct loom_entry *entry, struct loom_plan_message message, const uint32_t *label,
                  uint32_t word0, uint32_t word1)
{
	struct loom_plan plan = {.messages = &message, .n_messages = 1};
	uint32_t word[2] = {0};
	assert_int_equal(loom_topo_parse(&plan.topo, "mesh:3x3v2", NULL), 0);
	loom_entry_words(word, entry, &plan, label);
	assert_int_equal(word[0], word0);
	assert_int_equal(word[1], word1);
	loom_topo_free(&plan.topo);
}

static void test_messages(void **state)
{
	(void)state;
	const struct loom_entry sends = {.kind = LOOM_ENTRY_SEND};
	struct loom_plan_message m = {.pass = 3, .source = 0, .destination = 7, .flits = 9, .via = 5};
	const uint32_t label = 0x2a;
	for (unsigned rule = 0; rule < LOOM_RULES_NAMED; rule++) {
		m.rule = (uint8_t)rule;
		check(&sends, m, NULL, 9 | 3 << 16 | (loom_rule_has_via(rule) ? 6u << 20 : 0), 7 | rule << 16);
	}
	assert_true(loom_rule_has_via(LOOM_RULE_O1TURN) && !loom_rule_has_via(LOOM_RULE_DESCENDING));
	m.rule = LOOM_RULE_DESCENDING;
	check(&sends, m, &label, 9 | 3 << 16, 0x2a | 1 << 16);
	m.from_slot = 2;
	m.keep_slot = 5;
	check(&sends, m, NULL, 9 | 3 << 16, 7 | 1 << 16 | 2 << 20 | 5 << 24);
}

static void test_gates(void **state)
{
	(void)state;
	const struct loom_entry delay = {.kind = LOOM_ENTRY_DELAY, .value = 1000, .source = 4};
	const struct loom_entry wait = {.kind = LOOM_ENTRY_WAIT, .value = 3, .source = 4};
	const struct loom_plan_message m = {.pass = 3, .destination = 7, .flits = 9, .rule = 1, .keep_slot = 1};
	check(&delay, m, NULL, 1000, 1u << 28);
	check(&wait, m, NULL, 3, 4 | 1u << 29);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_messages), cmocka_unit_test(test_gates)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
