// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Passes on a row of nodes: against vectors of [Youssef93], section 4, counting by hand, and trying all colourings.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include <flitloom/math/line_passes.h>
#include <flitloom/plan.h>

#include "reference/ref_colours.h"
#include "base/rng.h"
#include "unit/help/orders.h"
#include "unit/help/golden_file.h"

#define LIST_MOST 2000

struct list {
	uint32_t n_nodes;
	size_t n;
	uint32_t source[LIST_MOST], destination[LIST_MOST], pass[LIST_MOST];
};

static bool overlap(const struct list *l, size_t i, size_t k)
{
	uint32_t a = l->source[i], b = l->destination[i], c = l->source[k], d = l->destination[k];
	uint32_t from = a < b ? a : b, to = a < b ? b : a, other_from = c < d ? c : d, other_to = c < d ? d : c;
	return from < other_to && other_from < to;
}

static bool conflict(const struct list *l, bool half_duplex, size_t i, size_t k)
{
	bool same_way = (l->source[i] < l->destination[i]) == (l->source[k] < l->destination[k]);
	if (i == k || l->source[i] == l->destination[i] || l->source[k] == l->destination[k])
		return false;
	return l->source[i] == l->source[k] || l->destination[i] == l->destination[k] ||
	       ((half_duplex || same_way) && overlap(l, i, k));
}

// Plans the list and checks that what it says holds.
static struct loom_line_passes plan(struct list *l, bool half_duplex)
{
	struct loom_line_passes out;
	struct loom_err err = {0};
	bool used[LIST_MOST] = {false};
	const struct loom_line_messages messages = {l->n_nodes, half_duplex, l->n, l->source, l->destination};
	if (loom_line_passes_schedule(l->pass, &out, &messages, &err))
		fail_msg("%s", err.text);
	for (size_t i = 0; i < l->n; i++) {
		assert_true(l->pass[i] < out.n_passes);
		used[l->pass[i]] = true;
		for (size_t k = 0; k < i; k++)
			if (l->pass[i] == l->pass[k] && conflict(l, half_duplex, i, k))
				fail_msg("%" PRIu32 " nodes, %s duplex: %" PRIu32 "->%" PRIu32 " and %" PRIu32
				         "->%" PRIu32 " are both in pass %" PRIu32,
				         l->n_nodes, half_duplex ? "half" : "full", l->source[i], l->destination[i],
				         l->source[k], l->destination[k], l->pass[i]);
	}
	for (uint32_t pass = 0; pass < out.n_passes; pass++)
		assert_true(used[pass]);
	assert_true(out.lower_bound <= out.n_passes);
	return out;
}

// Returns the messages on the busiest link: to the right, to the left, or in both directions together.
static unsigned busiest(const struct list *l, bool right, bool left)
{
	unsigned most = 0;
	for (uint32_t link = 0; link + 1 < l->n_nodes; link++) {
		unsigned load = 0;
		for (size_t i = 0; i < l->n; i++)
			load += (right && l->source[i] <= link && l->destination[i] > link) ||
			        (left && l->destination[i] <= link && l->source[i] > link);
		most = load > most ? load : most;
	}
	return most;
}

static unsigned larger(unsigned a, unsigned b)
{
	return a > b ? a : b;
}

static void check_permutation(struct list *l)
{
	unsigned right = busiest(l, true, false), left = busiest(l, false, true), both = busiest(l, true, true);
	struct loom_line_passes full = plan(l, false), half = plan(l, true);
	assert_int_equal(full.n_passes, larger(1, larger(right, left)));
	assert_int_equal(half.n_passes, larger(1, both));
	assert_int_equal(full.lower_bound, larger(right, left));
	assert_int_equal(half.lower_bound, both);
}

static void test_all_permutations(void **state)
{
	(void)state;
	for (uint32_t n = 1; n <= 7; n++) {
		struct list l = {.n_nodes = n, .n = n};
		unsigned order[8], n_orders = 0;
		for (uint32_t i = 0; i < n; i++)
			order[i] = l.source[i] = i;
		do {
			for (uint32_t i = 0; i < n; i++)
				l.destination[i] = order[i];
			check_permutation(&l);
			n_orders++;
		} while (next_order(order, n));
		assert_true(n < 7 || n_orders == 5040);
	}
}

static void test_golden(void **state)
{
	(void)state;
	json_t *root = golden_json("001_linear_array.json"), *item;
	size_t index, n_with_both = 0;
	json_array_foreach(json_object_get(root, "cases"), index, item) {
		const json_t *f = json_object_get(item, "f"), *half = json_object_get(item, "passes_half_duplex");
		struct list l = {.n_nodes = (uint32_t)json_array_size(f), .n = json_array_size(f)};
		for (size_t i = 0; i < l.n; i++) {
			l.source[i] = (uint32_t)i;
			l.destination[i] = (uint32_t)json_integer_value(json_array_get(f, i));
		}
		struct loom_line_passes out = plan(&l, true);
		assert_int_equal(out.lower_bound, json_integer_value(json_object_get(item, "m")));
		if (half) {
			int right = (int)json_integer_value(json_object_get(item, "full_duplex_right"));
			int left = (int)json_integer_value(json_object_get(item, "full_duplex_left"));
			assert_int_equal(out.n_passes, json_integer_value(half));
			assert_int_equal(plan(&l, false).lower_bound, right > left ? right : left);
			n_with_both++;
		}
		check_permutation(&l);
	}
	assert_int_equal(index, 13);
	assert_int_equal(n_with_both, 12);
	json_decref(root);
}

// True if a node sends both ways or is sent to from both sides, so that the two directions meet.
static bool meets(const struct list *l)
{
	for (size_t i = 0; i < l->n; i++)
		for (size_t k = 0; k < l->n; k++)
			if (conflict(l, false, i, k) &&
			    (l->source[i] < l->destination[i]) != (l->source[k] < l->destination[k]))
				return true;
	return false;
}

static void random_list(struct list *l, uint32_t n_nodes, size_t n, struct loom_rng *rng)
{
	l->n_nodes = n_nodes;
	l->n = n;
	for (size_t i = 0; i < n; i++) {
		l->source[i] = (uint32_t)loom_rng_below(rng, n_nodes);
		l->destination[i] = (uint32_t)loom_rng_below(rng, n_nodes);
	}
}

static void test_small_lists(void **state)
{
	(void)state;
	struct loom_rng rng;
	unsigned n_meeting = 0, n_best = 0, n_above_load = 0;
	loom_rng_init(&rng, 1);
	for (unsigned round = 0; round < 3000; round++) {
		struct list l;
		bool conflicts[REF_COLOURS_MAX * REF_COLOURS_MAX];
		random_list(&l, 1 + (uint32_t)loom_rng_below(&rng, 8), loom_rng_below(&rng, 12), &rng);
		for (unsigned half = 0; half < 2; half++) {
			for (size_t i = 0; i < l.n; i++)
				for (size_t k = 0; k < l.n; k++)
					conflicts[i * l.n + k] = conflict(&l, half, i, k);
			unsigned least = ref_colours(conflicts, (unsigned)l.n);
			struct loom_line_passes out = plan(&l, half);
			assert_true(out.n_passes >= least && (out.lower_bound <= least));
			if (half || !meets(&l)) {
				assert_int_equal(out.n_passes, least);
				assert_true(out.lower_bound == least || busiest(&l, true, true) == 0);
				n_above_load += half && least > busiest(&l, true, true);
			} else {
				n_meeting++;
				n_best += out.n_passes == least;
			}
		}
	}
	print_message("%u of %u lists whose directions meet in the least number of passes\n", n_best, n_meeting);
	assert_true(n_meeting > 800 && n_best * 20 > n_meeting * 17);
	assert_true(n_above_load > 100); // a set of messages two by two in conflict, but on no single link
}

static void test_large(void **state)
{
	(void)state;
	struct loom_rng rng;
	loom_rng_init(&rng, 2);
	for (unsigned round = 0; round < 60; round++) {
		struct list l;
		uint32_t n_nodes = 60 + (uint32_t)loom_rng_below(&rng, 12);
		random_list(&l, n_nodes, round % 3 ? 1 + loom_rng_below(&rng, 700) : n_nodes, &rng);
		for (uint32_t i = 0; round % 3 == 0 && i < n_nodes; i++) { // a permutation, in any order
			uint32_t k = (uint32_t)loom_rng_below(&rng, i + 1);
			l.source[i] = i;
			l.destination[i] = l.destination[k];
			l.destination[k] = i;
		}
		for (uint32_t i = n_nodes; round % 6 == 0 && i > 1; i--) {
			uint32_t k = (uint32_t)loom_rng_below(&rng, i), from = l.source[k], to = l.destination[k];
			l.source[k] = l.source[i - 1];
			l.destination[k] = l.destination[i - 1];
			l.source[i - 1] = from;
			l.destination[i - 1] = to;
		}
		if (round % 3 == 0)
			check_permutation(&l);
		(void)plan(&l, false);
		(void)plan(&l, true);
	}
}

// Four messages over the middle link of eight nodes: more than half as many as there are messages.
static void test_few_messages(void **state)
{
	(void)state;
	struct list l = {.n_nodes = 8, .n = 4, .source = {3, 1, 2, 0}, .destination = {4, 6, 5, 7}};
	assert_int_equal(plan(&l, false).n_passes, 4);
	assert_int_equal(plan(&l, true).n_passes, 4);
	l.n = 0;
	assert_int_equal(plan(&l, false).n_passes, 0);
}

static void test_bad_input(void **state)
{
	(void)state;
	struct loom_line_passes out = {7, 7};
	struct loom_err err = {0};
	uint32_t source[2] = {0, 3}, destination[2] = {1, 8}, pass[2] = {9, 9};
	const struct loom_line_messages messages = {8, false, 2, source, destination};
	assert_int_equal(loom_line_passes_schedule(pass, &out, &messages, &err), LOOM_EINPUT);
	assert_string_equal(err.text, "message 1 from 3 to 8; a row of 8 nodes has 0 to 7");
	assert_true(out.n_passes == 7 && pass[0] == 9 && pass[1] == 9);
}

// The planner colours as well: it never needs more passes than greedy, and sometimes fewer.
static void test_planner(void **state)
{
	(void)state;
	unsigned fewer = 0;
	for (uint64_t seed = 0; seed < 60; seed++) {
		struct loom_topo topo;
		struct loom_pattern pattern;
		struct loom_plan line, greedy;
		char spec[32];
		(void)snprintf(spec, sizeof spec, "uniform:%u", 5 + (unsigned)seed);
		assert_int_equal(loom_topo_parse(&topo, seed % 2 ? "line:8" : "line:13", NULL), 0);
		assert_int_equal(loom_pattern_parse(&pattern, spec, topo.n_nodes,
		                                    &(struct loom_pattern_options){.flits = 4, .seed = seed}, NULL),
		                 0);
		assert_int_equal(
			loom_plan_make(&line, &topo, &pattern, &(struct loom_plan_options){.planner = "line"}, NULL),
			0);
		assert_int_equal(loom_plan_make(&greedy, &topo, &pattern,
		                                &(struct loom_plan_options){.planner = "greedy"}, NULL),
		                 0);
		if (line.n_passes > greedy.n_passes)
			fail_msg("seed %" PRIu64 ": %u passes, greedy has %u", seed, line.n_passes, greedy.n_passes);
		assert_true(line.n_passes >= line.passes_bound);
		fewer += line.n_passes < greedy.n_passes;
		loom_plan_free(&line);
		loom_plan_free(&greedy);
		loom_pattern_free(&pattern);
	}
	print_message("fewer passes than greedy: %u of 60\n", fewer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_permutations), cmocka_unit_test(test_golden),
		cmocka_unit_test(test_small_lists),      cmocka_unit_test(test_large),
		cmocka_unit_test(test_few_messages),     cmocka_unit_test(test_bad_input),
		cmocka_unit_test(test_planner),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
