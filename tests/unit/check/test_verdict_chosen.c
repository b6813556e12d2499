// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The verdict on runs with adaptive routers: the machine's own trace passes, by each rule; and each count of each channel that
// is one off is found, and so are a channel that carries more than the rule allows, and one that carries less.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/machine.h>
#include <flitloom/pattern.h>
#include <flitloom/routes/choice.h>
#include <flitloom/verdict.h>

struct scene {
	struct loom_plan plan;
	struct loom_trace trace;
};

static void set_up(struct scene *s, const char *fabric, const char *rule)
{
	struct loom_topo topo;
	struct loom_pattern pattern;
	struct loom_err err = {0};
	const struct loom_plan_options options = {.rule = rule, .select = LOOM_SELECT_LRU, .seed = 5};
	assert_int_equal(loom_topo_parse(&topo, fabric, &err), 0);
	assert_int_equal(loom_pattern_parse(&pattern, "uniform:50", topo.n_nodes,
	                                    &(struct loom_pattern_options){.flits = 4, .seed = 5}, &err),
	                 0);
	if (loom_plan_make(&s->plan, &topo, &pattern, &options, &err) != 0 ||
	    loom_machine_run(&s->trace, &s->plan, &(struct loom_machine_options){.run = {.max_cycles = 100000}},
	                     &err) != 0)
		fail_msg("%s by %s: %s", fabric, rule, err.text);
	loom_pattern_free(&pattern);
	loom_topo_free(&topo);
}

static void tear_down(struct scene *s)
{
	loom_trace_free(&s->trace);
	loom_plan_free(&s->plan);
}

// Returns the number of differences, and the first one.
static size_t judge(const struct scene *s, char first[200])
{
	struct loom_verdict verdict;
	struct loom_err err = {0};
	if (loom_verdict_make(&verdict, &s->plan, &s->trace, &err) != 0)
		fail_msg("%s", err.text);
	const size_t n = verdict.n_mismatches;
	(void)snprintf(first, 200, "%s", n ? verdict.mismatches[0] : "");
	loom_verdict_free(&verdict);
	return n;
}

static void expect(const struct scene *s, const char *says)
{
	char first[200];
	if (judge(s, first) == 0 || !strstr(first, says))
		fail_msg("\"%s\" does not say \"%s\"", first, says);
}

static void test_one_off(void **state)
{
	(void)state;
	static const char *const cases[][2] = {{"cube:3", "p-cube"},       {"mesh:3x4", "west-first"},
	                                       {"mesh:3x4", "north-last"}, {"mesh:4x3", "odd-even"},
	                                       {"mesh:3x3v2", "duato"},    {"torus:4x3v2", "duato"}};
	for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
		struct scene s;
		char first[200];
		set_up(&s, cases[k][0], cases[k][1]);
		if (judge(&s, first) != 0)
			fail_msg("%s by %s: %s", cases[k][0], cases[k][1], first);
		for (uint32_t c = 0; c < s.trace.n_channels; c++) {
			struct loom_count *count = &s.trace.counts[c];
			const struct loom_count was = *count;
			if (!loom_topo_channel_exists(&s.plan.topo, c))
				continue;
			count->worms++;
			expect(&s, "messages in pass 0");
			*count = was;
			count->flits++;
			expect(&s, "flits in pass 0");
			*count = was;
			if (was.worms == 0)
				continue;
			count->worms--;
			expect(&s, "messages in pass 0");
			*count = was;
			count->flits--;
			expect(&s, "flits in pass 0");
			*count = was;
		}
		assert_int_equal(judge(&s, first), 0);
		tear_down(&s);
	}
}

// The trace is the machine's; but the rule would allow no such load.
static void test_beyond_the_rule(void **state)
{
	(void)state;
	struct scene s;
	set_up(&s, "mesh:4x4", "odd-even");
	uint32_t n_tried = 0;
	for (uint32_t c = 0; c < s.trace.n_channels; c++) {
		const uint32_t worms = s.trace.counts[c].worms, least = s.plan.load[c], most = s.plan.most[c];
		if (worms == 0 || least == most || loom_topo_is_local(&s.plan.topo, c))
			continue;
		assert_in_range(worms, least, most);
		s.plan.most[c] = worms - 1;
		s.plan.load[c] = least < worms ? least : worms - 1;
		expect(&s, "by the rule");
		s.plan.most[c] = most;
		s.plan.load[c] = worms + 1;
		if (worms < most)
			expect(&s, "by the rule");
		s.plan.load[c] = least;
		n_tried++;
	}
	assert_true(n_tried > 10);
	tear_down(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_off),
		cmocka_unit_test(test_beyond_the_rule),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
