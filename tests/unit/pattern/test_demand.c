// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Demands: sums against patterns added up by hand, those drawn by lot by what their names promise, and what is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/demand.h>

static void parse(struct loom_demand *out, const char *spec, uint32_t n, uint64_t seed)
{
	const struct loom_pattern_options options = {.flits = 9, .seed = seed};
	struct loom_err err;
	if (loom_demand_parse(out, spec, n, &options, &err) != 0)
		fail_msg("%s: %s", spec, err.text);
}

static void test_sums(void **state)
{
	(void)state;
	struct loom_demand sum;
	struct loom_pattern a, b;
	struct loom_err err;
	const struct loom_pattern_options options = {.flits = 9, .seed = 4}, next = {.flits = 9, .seed = 5};
	uint64_t wanted[16 * 16] = {0};
	parse(&sum, "demand:uniform:50+3*uniform:20", 16, 4);
	assert_int_equal(loom_pattern_parse(&a, "uniform:50", 16, &options, &err), 0);
	assert_int_equal(loom_pattern_parse(&b, "uniform:20", 16, &next, &err), 0); // each term has a seed of its own
	for (size_t i = 0; i < a.n_messages; i++)
		wanted[a.messages[i].source * 16 + a.messages[i].destination] += a.messages[i].flits;
	for (size_t i = 0; i < b.n_messages; i++)
		wanted[b.messages[i].source * 16 + b.messages[i].destination] += 3 * (uint64_t)b.messages[i].flits;
	for (size_t p = 0; p < 256; p++)
		assert_int_equal(sum.flits[p], wanted[p]);
	loom_demand_free(&sum);
	assert_int_equal(loom_demand_of_pattern(&sum, &a, &err), 0);
	uint64_t all = 0;
	for (size_t p = 0; p < 256; p++)
		all += sum.flits[p];
	assert_int_equal(all, 450);
	loom_demand_free(&sum);
	loom_pattern_free(&a);
	loom_pattern_free(&b);
}

static void test_skew(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 20; seed++) {
		struct loom_demand d;
		parse(&d, "demand:skew:3,9,1000", 40, seed);
		for (uint32_t i = 0; i < 40; i++) {
			uint64_t sum = 0, large = 0;
			unsigned parts = 0;
			for (uint32_t j = 0; j < 40; j++) {
				sum += d.flits[i * 40 + j];
				parts += d.flits[i * 40 + j] > 0;
				large += d.flits[i * 40 + j] > 50 ? d.flits[i * 40 + j] : 0;
			}
			assert_int_equal(sum, 1000);
			assert_int_equal(d.flits[i * 40 + i], 0);
			assert_true(parts >= 2 && parts <= 12);
			assert_true(large >= 700);
		}
		loom_demand_free(&d);
	}
}

// Each node sends each of its tokens to TOP experts, of which each is on one node.
static void test_moe(void **state)
{
	(void)state;
	struct loom_demand d, other;
	parse(&d, "demand:moe:12,5,3,200", 1000, 0); // an expert on each of the first 12 nodes
	for (uint32_t i = 0; i < 1000; i++) {
		uint64_t sum = 0;
		for (uint32_t j = 0; j < 1000; j++) {
			sum += d.flits[i * 1000 + j];
			assert_true(d.flits[i * 1000 + j] <=
			            (j < 12 && j != i ? 200 : 0)); // no token twice to an expert
		}
		assert_true(i < 12 ? sum < 1000 && sum >= 800 : sum == 1000);
	}
	parse(&other, "demand:moe:12,5,3,200", 1000, 77); // its own seed alone counts
	assert_memory_equal(d.flits, other.flits, 1000000 * sizeof *d.flits);
	loom_demand_free(&d);
	loom_demand_free(&other);
}

static void test_refused(void **state)
{
	(void)state;
	static const struct {
		const char *spec, *text;
	} rows[] = {
		{"demand:", "a term is missing"},
		{"demand:0*transpose", "is not a factor"},
		{"demand:1000001*transpose", "is not a factor"},
		{"demand:complement+2*demand:complement", "a sum in a sum"},
		{"demand:moe:0,1,1", "0 experts"},
		{"demand:moe:4,5,1", "5 experts of a token"},
		{"demand:moe:4,1,1,0", "0 tokens"},
		{"demand:moe:4,1,1,5,6", "is not moe"},
		{"demand:skew:1,1", "is not skew"},
		{"demand:skew:1,1,x", "is not skew"},
		{"demand:skew:0,1,5", "0 large flows"},
		{"demand:1000000*demand", "needs an argument"},
		{"demand:1000*skew:1,0,16777215", "2^31"},
		{"matrix:", "a file is missing"},
	};
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		const struct loom_pattern_options options = {.flits = 9};
		struct loom_demand d;
		struct loom_err err = {0};
		const int rc = loom_demand_parse(&d, rows[k].spec, 8, &options, &err);
		if (rc != LOOM_EINPUT || !strstr(err.text, rows[k].text))
			fail_msg("%s: %d, %s", rows[k].spec, rc, err.text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_skew),
		cmocka_unit_test(test_moe),
		cmocka_unit_test(test_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
