// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the plan's message for each arrival, and the messages that have not arrived.
#include <stdlib.h>

#include <flitloom/verdict.h>

#include "base/numbers.h"
#include "check/expected.h"

static int in_order(const void *a, const void *b)
{
	const struct loom_expected *x = a, *y = b;
	return loom_order(x->message, y->message);
}

int loom_verdict_missing(size_t *out, size_t max, size_t *n_out, const struct loom_plan *plan,
                         const struct loom_trace *trace, uint32_t last_pass, struct loom_err *err)
{
	size_t n = 0, found = 0;
	struct loom_expected *expected;
	int code = loom_expected_make(&expected, &n, plan, err);
	if (code)
		return code;
	for (size_t i = 0; i < trace->n_arrivals; i++) {
		struct loom_expected *e = loom_expected_find(expected, n, &trace->arrivals[i]);
		if (e)
			e->n_arrived++;
	}
	qsort(expected, n, sizeof *expected, in_order);
	for (size_t i = 0; i < n; i++)
		if (expected[i].n_arrived == 0 && plan->messages[expected[i].message].pass <= last_pass &&
		    found++ < max)
			out[found - 1] = expected[i].message;
	free(expected);
	*n_out = found;
	return 0;
}

int loom_verdict_arrivals(size_t *out, const struct loom_plan *plan, const struct loom_trace *trace,
                          struct loom_err *err)
{
	struct loom_expected *expected = NULL;
	size_t n = 0;
	int code = loom_expected_make(&expected, &n, plan, err);
	for (size_t i = 0; code == 0 && i < trace->n_arrivals; i++) {
		const struct loom_expected *e = loom_expected_find(expected, n, &trace->arrivals[i]);
		out[i] = e ? e->message : SIZE_MAX;
	}
	free(expected);
	return code;
}
