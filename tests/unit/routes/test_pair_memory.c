// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Allocations of a search for routes of all pairs fail, one at a time: it must say so, leave what it was to fill in, and leak nothing.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/routes/pair_routes.h>

#include "unit/help/memory/failing_memory.h"

typedef int attempt_it(void *out, const struct loom_topo *t, struct loom_err *err);

static int search_by(void *out, const struct loom_topo *t, const struct loom_pair_options *options,
                     struct loom_err *err)
{
	struct loom_pair_routes r;
	const int code = loom_pair_routes_search(&r, t, options, err);
	if (code == 0)
		loom_pair_routes_free(&r);
	*(uint32_t *)out = code == 0 ? 1 : *(uint32_t *)out;
	return code;
}

static int search(void *out, const struct loom_topo *t, struct loom_err *err)
{
	const struct loom_pair_options options = {.n_lanes = 2, .seed = 1, .rounds = 1};
	return search_by(out, t, &options, err);
}

static int search_trees(void *out, const struct loom_topo *t, struct loom_err *err)
{
	const struct loom_pair_options options = {.n_lanes = 2, .seed = 1, .rounds = 1, .by_destination = true};
	return search_by(out, t, &options, err);
}

static int bound(void *out, const struct loom_topo *t, struct loom_err *err)
{
	return loom_pair_bound(out, t, err);
}

// Lets each of the first allocations fail, then one in every `step`.
static void hold(const char *fabric, attempt_it *attempt, size_t step)
{
	struct loom_topo t;
	struct loom_err err;
	bool failed = true;
	assert_int_equal(loom_topo_parse(&t, fabric, &err), 0);
	for (size_t n = 1; failed; n += n < 150 ? 1 : step) {
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
	hold("table-mesh:2x3", search, 1); // a product
	hold("ring:5", search_trees, 1);
	hold("ring:5", search, 97); // searched for
	hold("cube:2", bound, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_all)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
