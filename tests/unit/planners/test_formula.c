// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans by formula beside plans that list every message and walk its route: both reports must be the same, word for word.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/math/formula.h>
#include <flitloom/math/lcc.h>
#include <flitloom/report.h>

#include "base/rng.h"
#include "plan/planners/lcc_messages.h"

static uint32_t below(struct loom_rng *rng, uint32_t n)
{
	return (uint32_t)loom_rng_below(rng, n);
}

// Returns table and JSON of the plan or of the formula, one after the other. The caller frees the text.
static char *report(const struct loom_plan *plan, const struct loom_formula *formula)
{
	char *text = NULL;
	size_t length = 0;
	struct loom_err err = {0};
	struct loom_verdict verdict = {0};
	FILE *f = open_memstream(&text, &length);
	assert_non_null(f);
	if (plan) {
		assert_int_equal(loom_verdict_predict(&verdict, plan, LOOM_MACHINE_FAST, &err), 0);
		assert_int_equal(loom_report_table(f, plan, &verdict, false, false, &err), 0);
		assert_int_equal(loom_report_json(f, plan, &verdict, false, NULL, &err), 0);
		loom_verdict_free(&verdict);
	} else {
		assert_int_equal(loom_report_formula_table(f, formula, false, &err), 0);
		assert_int_equal(loom_report_formula_json(f, formula, NULL, &err), 0);
	}
	assert_int_equal(fclose(f), 0);
	return text;
}

// Cuts out of the text what begins with `from` and ends with `to`, wherever it is.
static void cut(char *text, const char *from, const char *to)
{
	for (char *at; (at = strstr(text, from));) {
		char *end = strstr(at + strlen(from), to);
		assert_non_null(end);
		memmove(at, end + strlen(to), strlen(end + strlen(to)) + 1);
	}
}

// Cuts the rows that need every message's route, which no formula gives.
static void cut_routes(char *text)
{
	for (char *at; (at = strstr(text, " are needed on these"));) { // the row of the bound on cycles
		char *end = strstr(at, "contention");
		assert_non_null(end);
		end = strchr(end, '\n') + 1;
		while (at > text && at[-1] != '\n')
			at--;
		memmove(at, end, strlen(end) + 1);
	}
	cut(text, "\"cycles_bound\":", ",");
	cut(text, "\"one_pass_rules\":", "\"messages\"");
	cut(text, "as it is ", "\n");
}

// Cuts the cycles of messages that wait, which no formula gives.
static void cut_waiting(char *text)
{
	cut(text, "cycles     ", "\n");
	cut(text, "back to back  ", "\n");
	cut(text, "blocked     ", "\n");
	cut(text, "\"cycles\":", ",");
	cut(text, "\"blocked_cycles\":", ",");
	cut(text, "\"back_to_back_cycles\":", ",");
}

static void compare(const char *spec, unsigned n, const struct loom_pattern_options *how,
                    const struct loom_plan_options *options)
{
	char fabric[16];
	struct loom_topo topo;
	struct loom_pattern listed, matrices;
	struct loom_plan plan;
	struct loom_formula formula;
	struct loom_err err = {0};
	(void)snprintf(fabric, sizeof fabric, "cube:%u", n);
	assert_int_equal(loom_topo_parse(&topo, fabric, &err), 0);
	const struct loom_pattern_options with_shape = {
		.flits = how->flits, .seed = how->seed, .n_dims = topo.n_dims, .extent = topo.extent};
	struct loom_plan_options by_order = *options; // the formulas know no other linear maps
	if (loom_pattern_parse(&listed, spec, topo.n_nodes, &with_shape, &err) != 0)
		fail_msg("%s on %s: %s", spec, fabric, err.text);
	if (listed.n_lccs > 1 && !by_order.planner)
		by_order.planner = "lcc_set";
	if (loom_pattern_parse_lccs(&matrices, spec, n, how, &err) != 0 ||
	    loom_plan_make(&plan, &topo, &listed, &by_order, &err) != 0 ||
	    loom_formula_make(&formula, &matrices, how->flits, options, &err) != 0)
		fail_msg("%s on %s: %s", spec, fabric, err.text);
	char *by_plan = report(&plan, NULL), *by_formula = report(NULL, &formula);
	cut_routes(by_plan);
	cut_routes(by_formula);
	if (strstr(by_formula, "\"cycles\":null")) {
		cut_waiting(by_plan);
		cut_waiting(by_formula);
	}
	if (strcmp(by_plan, by_formula) != 0)
		fail_msg("%s on %s, map %s, seed %llu:\n%s\nby formula:\n%s", spec, fabric,
		         options->map ? options->map : "best", (unsigned long long)how->seed, by_plan, by_formula);
	free(by_plan);
	free(by_formula);
	loom_formula_free(&formula);
	assert_null(formula.cycles);
	loom_plan_free(&plan);
	loom_pattern_free(&matrices);
	loom_pattern_free(&listed);
}

static void random_order(char *out, size_t size, unsigned n, struct loom_rng *rng)
{
	unsigned order[LOOM_GF2_MAX];
	size_t used = 0;
	for (unsigned d = 0; d < n; d++) {
		unsigned other = below(rng, d + 1);
		order[d] = d;
		order[d] = order[other];
		order[other] = d;
	}
	for (unsigned d = 0; d < n; d++)
		used += (size_t)snprintf(out + used, size - used, "%s%u", d ? "," : "", order[d]);
}

static void test_random(void **state)
{
	(void)state;
	static const char *const kinds[] = {"random-lcc", "random-lcs"};
	for (uint64_t seed = 1; seed <= 500; seed++) {
		struct loom_rng rng;
		char spec[32], map[64];
		loom_rng_init(&rng, seed);
		// The order 0,1 of two bits could be the places of two nodes.
		unsigned n = 2 + below(&rng, 11), rank = below(&rng, 2) ? n : below(&rng, n + 1),
			 which = below(&rng, 3);
		n = seed % 8 ? n % 8 + 2 : n; // the large ones take their time
		rank = rank < n ? rank : n;
		(void)snprintf(spec, sizeof spec, "%s:%u", kinds[below(&rng, 2)], rank);
		random_order(map, sizeof map, n, &rng);
		const struct loom_pattern_options how = {.flits = 1 + below(&rng, 40), .seed = seed};
		const struct loom_plan_options options = {.map = which == 0   ? NULL
		                                                 : which == 1 ? "identity"
		                                                              : (n > 2 ? map : "best"),
		                                          .planner = below(&rng, 4) ? NULL : "lcc_set"};
		compare(spec, n, &how, &options);
	}
}

static void test_named(void **state)
{
	(void)state;
	static const struct {
		const char *spec, *objective;
		unsigned n;
	} cases[] = {{"transpose", NULL, 10},      {"bit-reverse", NULL, 11},
	             {"complement", NULL, 9},      {"gather:5", NULL, 8},
	             {"scatter:3/4", NULL, 7},     {"hotspot:63", NULL, 6},
	             {"gather:0/64", NULL, 6}, // all to themselves
	             {"neighbour:2", NULL, 5},     {"scale", NULL, 8},
	             {"bpc:[-0,1,2,-3]", NULL, 4}, {"example5", NULL, 6},
	             {"example5", "maxsum", 6},    {"fft", "sumsum", 7},
	             {"fft2d", "maxmax", 6},       {"set:transpose+random-lcs:2+gather:1", "maxsum", 6},
	             {"bit-reverse", "sumsum", 6}, {"shuffle", NULL, 1}};
	static const char *const maps[] = {NULL, "identity"};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		for (size_t k = 0; k < 2; k++) {
			const struct loom_pattern_options how = {.flits = 17, .seed = i};
			const struct loom_plan_options options = {.map = maps[k], .objective = cases[i].objective};
			compare(cases[i].spec, cases[i].n, &how, &options);
		}
}

// The farthest message, found by looking at each of them.
static unsigned farthest_slowly(const struct loom_lcc *lcc)
{
	struct loom_gf2 columns;
	uint64_t way = lcc->b; // x xor y
	unsigned most = 0, n = lcc->a.n;
	loom_gf2_transpose(&columns, &lcc->a);
	for (uint64_t i = 0; i < UINT64_C(1) << n; i++) { // x takes all values in the order of a Gray code
		unsigned ones = (unsigned)__builtin_popcountll(way), bit = (unsigned)__builtin_ctzll(i + 1);
		most = ones > most ? ones : most;
		if (bit < n)
			way ^= columns.row[bit] ^ UINT64_C(1) << bit;
	}
	return most;
}

static void test_farthest(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 120; seed++) {
		struct loom_lcc lcc = {.kind = LOOM_LCC_GATHER};
		struct loom_rng rng;
		bool large = seed % 4 == 0; // codes with few checks
		unsigned n = (unsigned)(large ? 17 + seed % 3 : 1 + seed % 12), found;
		unsigned same = (unsigned)seed % (large ? 5 : n + 1);
		lcc.a.n = n;
		loom_rng_init(&rng, seed);
		for (unsigned i = 0; i < n; i++) // A + I has many equal rows or few
			lcc.a.row[i] = i < same && i ? lcc.a.row[0] ^ 1 ^ UINT64_C(1) << i
			                             : loom_rng_next(&rng) & loom_gf2_mask(n);
		lcc.b = loom_rng_next(&rng) & loom_gf2_mask(n);
		assert_int_equal(loom_lcc_farthest(&found, &lcc, NULL), 0);
		if (found != farthest_slowly(&lcc))
			fail_msg("seed %llu, n = %u: %u hops, not %u", (unsigned long long)seed, n, found,
			         farthest_slowly(&lcc));
	}
}

// Checks sizes for which no list can be made, against figures worked out by hand.
static void test_large(void **state)
{
	(void)state;
	struct loom_pattern p;
	struct loom_formula f;
	struct loom_err err = {0};
	const struct loom_pattern_options how = {.flits = 5};
	const struct loom_plan_options identity = {.map = "identity"}, best = {0};
	assert_int_equal(loom_pattern_parse_lccs(&p, "transpose", 32, &how, &err), 0);
	assert_int_equal(loom_formula_make(&f, &p, 5, &identity, &err), 0);
	assert_int_equal(f.contention, 1 << 15);
	assert_true(f.messages == UINT64_C(1) << 32 && f.flits == UINT64_C(5) << 32);
	assert_true(f.cycles[0] == LOOM_CYCLES_UNKNOWN);
	loom_formula_free(&f);
	assert_int_equal(loom_formula_make(&f, &p, 5, &best, &err), 0);
	assert_int_equal(f.contention, 1);
	assert_true(f.cycles[0] == 5 + 32 + 1); // from 0...01...1 to 1...10...0 all bits change
	assert_true(f.group[32].sum == (UINT64_C(1) << 32) - (1 << 16)); // on the diagonal nobody sends
	loom_formula_free(&f);
	loom_pattern_free(&p);
	assert_int_equal(loom_pattern_parse_lccs(&p, "gather:4294967295", 32, &how, &err), 0);
	assert_int_equal(loom_formula_make(&f, &p, 5, &best, &err), 0);
	assert_true(f.contention == UINT32_C(1) << 31 && f.group[33].max == UINT32_MAX && f.group[32].max == 1);
	loom_formula_free(&f);
	loom_pattern_free(&p);
	// Two such gathers would take more passes than can be counted.
	assert_int_equal(loom_pattern_parse_lccs(&p, "set:gather:0+gather:1", 32, &how, &err), 0);
	assert_int_equal(loom_formula_make(&f, &p, 5, &best, &err), LOOM_EINPUT);
	assert_non_null(strstr(err.text, "2^32 passes or more"));
	loom_pattern_free(&p);
}

static void test_refused(void **state)
{
	(void)state;
	static const struct {
		const char *spec;
		unsigned n;
		struct loom_plan_options options;
		const char *says;
	} cases[] = {
		{"all-to-all", 22, {0}, "is a list of messages"},
		{"messages:x.csv", 22, {0}, "is a list of messages"},
		{"set:transpose+perm:1,0", 22, {0}, "is a list of messages"},
		{"neighbour", 22, {0}, "needs an argument"},
		{"transpose", 23, {0}, "multiple of 2"},
		{"transpose", 33, {0}, "2^1 to 2^32"},
		{"bpc:[0,1]", 22, {0}, "n = 2"},
		{"transpose", 22, {.planner = "direct"}, "planned by lcc or lcc_set"},
		{"fft", 22, {.planner = "lcc"}, "planned by lcc_set"},
		{"transpose", 22, {.rule = "descending"}, "by rule ascending"},
		{"transpose", 4, {.map = "0,1,2"}, "3 numbers; the address bits are 4"},
		{"transpose", 4, {.map = "0,1,2,2"}, "order of the 4 address bits"},
		{"transpose", 4, {.map = "0,1,2,3,"}, "order of the 4 address bits"},
		{"transpose", 4, {.map = "0,1,2,4"}, "order of the 4 address bits"},
		{"transpose", 22, {.objective = "minmax"}, "minmax"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct loom_pattern p = {0};
		struct loom_formula f = {.n = 77};
		struct loom_err err = {0};
		const struct loom_pattern_options how = {.flits = 5};
		int rc = loom_pattern_parse_lccs(&p, cases[i].spec, cases[i].n, &how, &err);
		if (rc == 0)
			rc = loom_formula_make(&f, &p, 5, &cases[i].options, &err);
		assert_int_equal(rc, LOOM_EINPUT);
		assert_int_equal(f.n, 77);
		if (!strstr(err.text, cases[i].says))
			fail_msg("%s: \"%s\" does not say \"%s\"", cases[i].spec, err.text, cases[i].says);
		loom_pattern_free(&p);
	}
	unsigned n = 5;
	assert_false(loom_formula_is_for(&n, "cube:20") || loom_formula_is_for(&n, "mesh:32") ||
	             loom_formula_is_for(&n, "cube:x") || loom_formula_is_for(&n, "cube:") ||
	             loom_formula_is_for(&n, "cube") || loom_formula_is_for(&n, "cubes:22"));
	assert_int_equal(n, 5);
	assert_true(loom_formula_is_for(&n, "cube:21") && n == 21);
	assert_true(loom_formula_is_for(&n, "cube:99999999999999999999") && n > LOOM_FORMULA_DIMS_MAX);
}

// More dimensions than there is room for.
static void test_too_large(void **state)
{
	(void)state;
	struct loom_lcc lcc = {0};
	struct loom_pattern p = {.name = "by hand", .n_members = 1, .n_lccs = 1, .lccs = &lcc};
	struct loom_formula f = {.n = 77};
	struct loom_err err = {0};
	lcc.a.n = LOOM_FORMULA_DIMS_MAX + 1;
	assert_int_equal(loom_formula_make(&f, &p, 5, NULL, &err), LOOM_EINPUT);
	assert_string_equal(err.text, "cube:33: formulas plan cubes of up to 32 dimensions");
	assert_int_equal(f.n, 77);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random), cmocka_unit_test(test_named),   cmocka_unit_test(test_farthest),
		cmocka_unit_test(test_large),  cmocka_unit_test(test_refused), cmocka_unit_test(test_too_large),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
