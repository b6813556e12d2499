// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Allocations of proofs and turns fail, one at a time: each must say so, leave what it was to fill in, and leak nothing.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/routes/rule_freedom.h>

#include "unit/help/memory/failing_memory.h"
#include "unit/help/scratch_folder.h"

typedef int attempt_it(uint32_t *out, const struct loom_topo *t, struct loom_err *err);

static int prove(uint32_t *out, const struct loom_topo *t, unsigned rule, struct loom_err *err)
{
	struct loom_rule_freedom freedom;
	const int code = loom_rule_freedom_find(&freedom, t, rule, NULL, err);
	if (code == 0)
		loom_rule_freedom_free(&freedom);
	*out = code == 0 ? 1 : *out;
	return code;
}

static int by_column(uint32_t *out, const struct loom_topo *t, struct loom_err *err)
{
	return prove(out, t, LOOM_RULE_ODD_EVEN, err);
}

static int with_escapes(uint32_t *out, const struct loom_topo *t, struct loom_err *err)
{
	return prove(out, t, LOOM_RULE_DUATO, err);
}

// Turns at random make a circle.
static int by_turns(uint32_t *out, const struct loom_topo *t, struct loom_err *err)
{
	struct loom_turns turns;
	struct loom_rule_freedom freedom;
	int code = loom_turns_parse(&turns, t, "+y -x\n0->1->3\n", 14, "here", err);
	if (code != 0)
		return code;
	code = loom_rule_freedom_find(&freedom, t, LOOM_RULE_TURNS, &turns, err);
	if (code == 0) {
		assert_true(freedom.n_waits > 0);
		loom_rule_freedom_free(&freedom);
		*out = 1;
	}
	loom_turns_free(&turns);
	return code;
}

static int certify(uint32_t *out, const struct loom_topo *t, unsigned rule, struct loom_err *err)
{
	struct loom_rule_freedom freedom;
	int code = loom_rule_freedom_find(&freedom, t, rule, NULL, err);
	if (code != 0)
		return code;
	code = loom_rule_certify(&freedom, t, rule, NULL, scratch_path("proof.json"), err);
	loom_rule_freedom_free(&freedom);
	assert_int_equal(scratch_files(), code == 0);
	(void)remove(scratch_path("proof.json"));
	*out = code == 0 ? 1 : *out;
	return code;
}

static int certify_columns(uint32_t *out, const struct loom_topo *t, struct loom_err *err)
{
	return certify(out, t, LOOM_RULE_ODD_EVEN, err);
}

static int certify_escapes(uint32_t *out, const struct loom_topo *t, struct loom_err *err)
{
	return certify(out, t, LOOM_RULE_DUATO, err);
}

static int search(uint32_t *out, const struct loom_topo *t, struct loom_err *err)
{
	struct loom_turns turns;
	uint64_t lower_bound;
	const int code = loom_turns_search(&turns, &lower_bound, t, 1, err);
	if (code == 0)
		loom_turns_free(&turns);
	*out = code == 0 ? 1 : *out;
	return code;
}

static void hold(const char *fabric, attempt_it *attempt)
{
	struct loom_topo t;
	struct loom_err err;
	bool failed = true;
	assert_int_equal(loom_topo_parse(&t, fabric, &err), 0);
	for (size_t n = 1; failed; n++) {
		uint32_t out = 77;
		memory_arm(n, false);
		const int code = attempt(&out, &t, &err);
		failed = memory_disarm();
		if (failed && (code != LOOM_ENOMEM || out != 77 || !strstr(err.text, "memory")))
			fail_msg("%s, allocation %zu: code %d, \"%s\"", fabric, n, code, err.text);
		if (memory_live() != 0)
			fail_msg("%s leaks when allocation %zu fails", fabric, n);
		if (!failed)
			assert_int_equal(code, 0);
	}
	loom_topo_free(&t);
}

static void test_all(void **unused)
{
	(void)unused;
	hold("mesh:2x3", by_column);
	hold("cube:2v2", with_escapes);
	hold("mesh:2x2", by_turns);
	hold("line:2", search);
	hold("mesh:2x3", certify_columns);
	hold("cube:2v2", certify_escapes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_all)};
	return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
