// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <flitloom/math/min_passes.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "reference/ref_min.h"
#include "base/rng.h"

enum { MESSAGES = 8192, HOPS = REF_MIN_M_MAX + 1 };

static struct ref_min ref;
static uint32_t source[MESSAGES], destination[MESSAGES], pass[MESSAGES];
static uint32_t channel[MESSAGES][HOPS]; // injection, links and ejection, walked through the reference's tables

// Walks each message through the stages: at each it takes that one of the two outputs from which the destination
// can be reached. reach[s][line]: all destinations that it leads to.
static void walk_all(const struct loom_min *net, size_t n)
{
	static bool reach[REF_MIN_M_MAX][REF_MIN_N_MAX][REF_MIN_N_MAX];
	ref_min_build(&ref, loom_min_name(net->kind), net->m);
	for (unsigned s = ref.m; s-- > 0;)
		for (uint32_t line = 0; line < ref.n; line++) {
			uint32_t next = ref.wire[s + 1][line];
			for (uint32_t y = 0; y < ref.n; y++)
				reach[s][line][y] =
					s + 1 == ref.m ? y == next : reach[s + 1][next][y] || reach[s + 1][next ^ 1][y];
		}
	for (size_t i = 0; i < n; i++) {
		uint32_t line = source[i];
		channel[i][0] = source[i];
		for (unsigned s = 0; s < ref.m; s++) {
			uint32_t in = ref.wire[s][line];
			assert_true(reach[s][in][destination[i]] != reach[s][in ^ 1][destination[i]]);
			line = reach[s][in][destination[i]] ? in : in ^ 1;
			channel[i][s + 1] = line;
		}
		channel[i][ref.m] = ref.wire[ref.m][line];
		assert_int_equal(channel[i][ref.m], destination[i]);
	}
}

static uint32_t largest_load(size_t n)
{
	static uint32_t load[HOPS][REF_MIN_N_MAX];
	uint32_t most = 0;
	memset(load, 0, sizeof load);
	for (size_t i = 0; i < n; i++)
		for (unsigned k = 0; k <= ref.m; k++)
			if (++load[k][channel[i][k]] > most)
				most = load[k][channel[i][k]];
	return most;
}

// Schedules the first n messages; no pass is empty, no channel is used twice in one, and the bound is the largest load.
static struct loom_min_passes check_schedule(const struct loom_min *net, size_t n, const char *what)
{
	struct loom_min_passes out;
	struct loom_err err = {0};
	if (loom_min_passes_schedule(pass, &out, net, source, destination, n, &err) != 0)
		fail_msg("%s: %s", what, err.text);
	walk_all(net, n);
	bool *used = calloc((size_t)out.n_passes * HOPS * ref.n + 1, sizeof *used);
	bool *begun = calloc((size_t)out.n_passes + 1, sizeof *begun);
	assert_non_null(used);
	assert_non_null(begun);
	for (size_t i = 0; i < n; i++) {
		assert_true(pass[i] < out.n_passes);
		begun[pass[i]] = true;
		for (unsigned k = 0; k <= ref.m; k++) {
			bool *at = &used[((size_t)pass[i] * HOPS + k) * ref.n + channel[i][k]];
			if (*at)
				fail_msg("%s, %s, m %u: conflict of message %zu in pass %u", what,
				         loom_min_name(net->kind), net->m, i, pass[i]);
			*at = true;
		}
	}
	for (uint32_t p = 0; p < out.n_passes; p++)
		assert_true(begun[p]);
	assert_int_equal(out.lower_bound, largest_load(n));
	assert_true(out.lower_bound <= out.n_passes);
	free(used);
	free(begun);
	return out;
}

static bool in_conflict(size_t i, size_t j)
{
	for (unsigned k = 0; k <= ref.m; k++)
		if (channel[i][k] == channel[j][k])
			return true;
	return false;
}

// True if the messages from `next` on can be coloured with `colours` colours, those before being coloured. Tries everything.
static bool colourable(bool conflict[12][12], uint32_t *colour, size_t next, size_t n, uint32_t used, uint32_t colours)
{
	if (next == n)
		return true;
	for (uint32_t c = 0; c < colours && c <= used; c++) {
		bool fits = true;
		for (size_t i = 0; i < next; i++)
			fits &= !(conflict[i][next] && colour[i] == c);
		colour[next] = c;
		if (fits && colourable(conflict, colour, next + 1, n, c == used ? used + 1 : used, colours))
			return true;
	}
	return false;
}

static uint32_t fewest_passes(size_t n)
{
	bool conflict[12][12];
	uint32_t colour[12], colours = 0;
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			conflict[i][j] = in_conflict(i, j);
	while (!colourable(conflict, colour, 0, n, 0, colours))
		colours++;
	return colours;
}

// Small lists: as few passes as any schedule has.
static void test_optimal_when_small(void **state)
{
	(void)state;
	struct loom_rng rng;
	uint64_t seed = 20260406;
	unsigned above_bound = 0;
	print_message("seed %llu\n", (unsigned long long)seed);
	loom_rng_init(&rng, seed);
	for (unsigned k = 0; k < LOOM_MIN_KINDS; k++)
		for (unsigned m = 1; m <= 4; m++)
			for (unsigned round = 0; round < 100; round++) {
				struct loom_min net = {.kind = (enum loom_min_kind)k, .m = m};
				size_t n = (size_t)loom_rng_below(&rng, 13);
				for (size_t i = 0; i < n; i++) {
					source[i] = (uint32_t)loom_rng_below(&rng, 1u << m);
					destination[i] = (uint32_t)loom_rng_below(&rng, 1u << m);
				}
				struct loom_min_passes out = check_schedule(&net, n, "small");
				uint32_t fewest = fewest_passes(n);
				if (out.n_passes != fewest)
					fail_msg("%s, m %u, round %u: %u passes, %u would do", loom_min_name(net.kind),
					         m, round, out.n_passes, fewest);
				above_bound += fewest > out.lower_bound;
			}
	print_message("%u of 2400 need more passes than the bound\n", above_bound);
}

static void test_all_to_all(void **state)
{
	(void)state;
	for (unsigned k = 0; k < LOOM_MIN_KINDS; k++)
		for (unsigned m = 1; m <= 6; m++)
			for (unsigned selves = 0; selves < 2; selves++) {
				struct loom_min net = {.kind = (enum loom_min_kind)k, .m = m};
				uint32_t nodes = 1u << m;
				size_t n = 0;
				for (uint32_t x = 0; x < nodes; x++)
					for (uint32_t y = 0; y < nodes; y++)
						if (selves || x != y) {
							source[n] = x;
							destination[n++] = y;
						}
				struct loom_min_passes out = check_schedule(&net, n, "all-to-all");
				assert_true(out.n_passes <= nodes);
				if (selves)
					assert_true(out.n_passes == nodes && out.lower_bound == nodes);
			}
}

static void shuffle_destinations(uint32_t n, struct loom_rng *rng)
{
	for (uint32_t i = 0; i < n; i++)
		source[i] = destination[i] = i;
	for (uint32_t i = n; i > 1; i--) {
		uint32_t j = (uint32_t)loom_rng_below(rng, i), t = destination[j];
		destination[j] = destination[i - 1];
		destination[i - 1] = t;
	}
}

static void test_permutations(void **state)
{
	(void)state;
	struct loom_rng rng;
	uint64_t seed = 20260407;
	print_message("seed %llu\n", (unsigned long long)seed);
	loom_rng_init(&rng, seed);
	for (unsigned k = 0; k < LOOM_MIN_KINDS; k++)
		for (unsigned m = 1; m <= REF_MIN_M_MAX; m += m < 6 ? 1 : 4)
			for (unsigned round = 0; round < 3; round++) {
				struct loom_min net = {.kind = (enum loom_min_kind)k, .m = m};
				shuffle_destinations(1u << m, &rng);
				struct loom_min_passes out = check_schedule(&net, 1u << m, "permutation");
				assert_true(out.n_passes <= out.lower_bound + 1);
			}
}

static void test_lists(void **state)
{
	(void)state;
	struct loom_rng rng;
	uint64_t seed = 20260408;
	print_message("seed %llu\n", (unsigned long long)seed);
	loom_rng_init(&rng, seed);
	for (unsigned k = 0; k < LOOM_MIN_KINDS; k++)
		for (unsigned round = 0; round < 4; round++) {
			struct loom_min net = {.kind = (enum loom_min_kind)k, .m = 3 + round};
			uint32_t nodes = 1u << net.m, span = round == 1 ? 2 : nodes; // few destinations: crowded ones
			size_t n = 500 * (round + 1);
			for (size_t i = 0; i < n; i++) {
				source[i] = (uint32_t)loom_rng_below(&rng, nodes);
				destination[i] = (uint32_t)loom_rng_below(&rng, span);
			}
			(void)check_schedule(&net, n, "list");
			for (size_t i = 0; i < n; i++) { // the same message again and again
				source[i] = 1;
				destination[i] = 2;
			}
			assert_int_equal(check_schedule(&net, n, "one message").n_passes, n);
		}
}

static void test_deterministic_and_empty(void **state)
{
	(void)state;
	static uint32_t again[1000];
	struct loom_min net = {.kind = LOOM_MIN_BASELINE, .m = 5};
	struct loom_min_passes out = {9, 9}, other;
	struct loom_rng rng;
	loom_rng_init(&rng, 1);
	for (size_t i = 0; i < 1000; i++) {
		source[i] = (uint32_t)loom_rng_below(&rng, 32);
		destination[i] = (uint32_t)loom_rng_below(&rng, 32);
	}
	assert_int_equal(loom_min_passes_schedule(pass, &out, &net, source, destination, 1000, NULL), 0);
	assert_int_equal(loom_min_passes_schedule(again, &other, &net, source, destination, 1000, NULL), 0);
	assert_memory_equal(pass, again, sizeof again);
	assert_int_equal(loom_min_passes_schedule(pass, &out, &net, source, destination, 0, NULL), 0);
	assert_true(out.n_passes == 0 && out.lower_bound == 0);

	struct loom_err err = {0};
	out.n_passes = 9;
	destination[3] = 32;
	pass[0] = 77;
	uint32_t s3 = source[3];
	char expected[80];
	(void)snprintf(expected, sizeof expected, "message 3 from %u to 32; a network of 32 nodes has 0 to 31", s3);
	assert_int_equal(loom_min_passes_schedule(pass, &out, &net, source, destination, 5, &err), LOOM_EINPUT);
	assert_string_equal(err.text, expected);
	assert_true(out.n_passes == 9 && pass[0] == 77);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_optimal_when_small),
		cmocka_unit_test(test_all_to_all),
		cmocka_unit_test(test_permutations),
		cmocka_unit_test(test_lists),
		cmocka_unit_test(test_deterministic_and_empty),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
