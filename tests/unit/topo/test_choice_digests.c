// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// All sets of lanes by each adaptive rule, made one number of for each network: the RTL's testbench (tb/net/route_choice_tb.sv) has the
// same numbers from tb/help/route_choice_digests.svh.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <flitloom/routes/choice.h>

static void add(uint64_t *digest, uint64_t word)
{
	*digest = (*digest ^ word) * UINT64_C(0x100000001b3);
}

static uint64_t digest_of(const struct loom_topo *t)
{
	struct loom_err why;
	uint64_t digest = UINT64_C(0xcbf29ce484222325);
	for (unsigned rule = LOOM_RULE_NEGATIVE_FIRST; rule <= LOOM_RULE_DUATO; rule++) {
		const bool asks_source = rule == LOOM_RULE_ODD_EVEN;
		if (loom_rule_check(t, rule, &why) != 0)
			continue;
		for (uint32_t u = 0; u < t->n_nodes; u++)
			for (uint32_t v = 0; v < t->n_nodes; v++)
				for (uint32_t s = 0; u != v && s < (asks_source ? t->n_nodes : 1); s++) {
					struct loom_choice c = loom_rule_choice(t, rule, asks_source ? s : u, u, v);
					add(&digest, c.lanes);
					add(&digest, c.escape);
				}
	}
	return digest;
}

static void test_digests(void **state)
{
	FILE *f = fopen("tb/help/route_choice_digests.svh", "r");
	char line[200], name[32];
	unsigned n = 0, i;
	uint64_t expected;
	(void)state;
	assert_non_null(f);
	while (fgets(line, sizeof line, f)) {
		struct loom_topo t;
		struct loom_err err = {0};
		if (sscanf(line, " %u: route_choice_digest = 64'h%" SCNx64 "; // %31s", &i, &expected, name) != 3)
			continue;
		assert_int_equal(i, n++);
		assert_int_equal(loom_topo_parse(&t, name, &err), 0);
		uint64_t digest = digest_of(&t);
		if (digest != expected)
			fail_msg("%s: %016" PRIx64 ", not %016" PRIx64, name, digest, expected);
		loom_topo_free(&t);
	}
	(void)fclose(f);
	assert_int_equal(n, 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_digests)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
