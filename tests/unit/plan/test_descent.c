// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The search with the machine in the loop, by changes of the test's own: what each is asked, and in which order,
// and that a change which makes the plan slower, which may not stay, or which fails, is taken back.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "plan/cycles/descent.h"
#include "unit/help/plans_by_hand.h"

// A step: the length that the change gives to the only message; 0: it changes nothing.
struct step {
	uint32_t flits;
	bool may_stay;
	int code; // of make, or, where a length is given, of the check
};

struct scene {
	struct loom_plan plan;
	const struct step *step;
	size_t n, at;
	uint32_t before;
	unsigned n_undone, n_checked, n_better;
	uint64_t more; // cycles than the message has flits
	char told[200];
};

static int make(bool *is_made, void *user, struct loom_rng *rng, struct loom_err *err)
{
	struct scene *s = user;
	(void)rng;
	assert_true(s->at < s->n);
	const struct step *step = &s->step[s->at++];
	s->before = s->plan.messages[0].flits;
	*is_made = step->flits > 0;
	if (*is_made)
		s->plan.messages[0].flits = step->flits;
	return *is_made || step->code == 0 ? 0 : loom_fail(err, step->code, "make");
}

static void undo(void *user)
{
	struct scene *s = user;
	s->n_undone++;
	s->plan.messages[0].flits = s->before;
}

static int may(bool *may_stay, void *user, struct loom_err *err)
{
	struct scene *s = user;
	const struct step *step = &s->step[s->at - 1];
	s->n_checked++;
	*may_stay = step->may_stay;
	return step->code == 0 ? 0 : loom_fail(err, step->code, "check");
}

static void better(void *user)
{
	((struct scene *)user)->n_better++;
}

static void progress(void *user, const char *text)
{
	struct scene *s = user;
	assert_true(strlen(s->told) + strlen(text) + 2 < sizeof s->told);
	strcat(strcat(s->told, text), ";");
}

// Goes through the steps, from a message of 10 flits over two links, until one of `least` (0: not known) is as
// short as any; returns what the search does.
static int go(struct scene *s, struct loom_descent *d, const struct step *step, size_t n, uint64_t least,
              struct loom_err *err)
{
	const struct loom_message message = {.source = 0, .destination = 3, .flits = 10};
	const struct loom_topo topo = cube_of(2);
	struct loom_pattern pattern;
	const struct loom_change change = {.make = make, .undo = undo, .check = may, .user = s};
	struct loom_plan_options options = {.progress = progress, .user = s};
	*s = (struct scene){.step = step, .n = n};
	assert_int_equal(loom_pattern_from_messages(&pattern, "one", topo.n_nodes, &message, 1, NULL), 0);
	s->plan = make_plan(&topo, &pattern, NULL, "direct", NULL);
	loom_pattern_free(&pattern);
	*d = (struct loom_descent){

		.plan = &s->plan, .steps = 7, .name = "try", .better = better, .user = s};
	loom_budget_begin(&d->budget, &options, 7 * n + 1);
	assert_int_equal(loom_descent_count(&d->cycles, d, err), 0);
	s->more = d->cycles - 10;
	d->least = least ? least + s->more : 0;
	const int code = loom_descent_run(d, &change, 1, err);
	d->budget.options = NULL;
	return code;
}

static void test_steps(void **state)
{
	(void)state;
	static const struct step steps[] = {{11, true, 0}, {0, true, 0}, {10, true, 0}, {8, true, 0},
	                                    {9, true, 0},  {0, true, 0}, {5, false, 0}, {7, true, 0}};
	struct scene s;
	struct loom_descent d;
	struct loom_err err = {0};
	assert_int_equal(go(&s, &d, steps, 8, 0, &err), 0);
	assert_int_equal(s.at, 8);
	assert_int_equal(s.n_undone, 3); // 11, 9, 5
	assert_int_equal(s.n_checked, 4);
	assert_int_equal(s.n_better, 2);
	assert_int_equal(s.plan.messages[0].flits, 7);
	assert_int_equal(d.cycles, 7 + s.more);
	char told[200];
	(void)snprintf(told, sizeof told, "try: %" PRIu64 " cycles;try: %" PRIu64 " cycles;", 8 + s.more, 7 + s.more);
	assert_string_equal(s.told, told);
	loom_plan_free(&s.plan);
}

// The search stops at the bound, which the caller gives.
static void test_least(void **state)
{
	(void)state;
	static const struct step steps[] = {{9, true, 0}, {6, true, 0}, {5, true, 0}};
	struct scene s;
	struct loom_descent d;
	struct loom_err err = {0};
	assert_int_equal(go(&s, &d, steps, 3, 6, &err), 0);
	assert_int_equal(s.at, 2);
	assert_int_equal(s.plan.messages[0].flits, 6);
	char told[200];
	(void)snprintf(told, sizeof told,
	               "try: %" PRIu64 " cycles, at least %" PRIu64 ";try: %" PRIu64 " cycles, at least %" PRIu64 ";",
	               9 + s.more, 6 + s.more, 6 + s.more, 6 + s.more);
	assert_string_equal(s.told, told);
	loom_plan_free(&s.plan);
}

static void test_errors(void **state)
{
	(void)state;
	static const struct step fails[] = {{9, true, 0}, {0, true, LOOM_ENOMEM}, {8, true, 0}},
				 unchecked[] = {{9, true, 0}, {8, true, LOOM_ENOMEM}, {7, true, 0}};
	struct scene s;
	struct loom_descent d;
	struct loom_err err = {0};
	assert_int_equal(go(&s, &d, fails, 3, 0, &err), LOOM_ENOMEM);
	assert_string_equal(err.text, "make");
	assert_true(s.at == 2 && s.n_undone == 0 && s.plan.messages[0].flits == 9);
	loom_plan_free(&s.plan);
	assert_int_equal(go(&s, &d, unchecked, 3, 0, &err), LOOM_ENOMEM);
	assert_string_equal(err.text, "check");
	assert_true(s.at == 2 && s.n_undone == 1 && s.plan.messages[0].flits == 9 && d.cycles == 9 + s.more);
	loom_plan_free(&s.plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_steps), cmocka_unit_test(test_least),
	                                   cmocka_unit_test(test_errors)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
