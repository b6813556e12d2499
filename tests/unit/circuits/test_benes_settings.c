// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The 2x2 switches of a Benes network lead each sender's light to its receiver: all matchings of up to 4 nodes, all permutations of
// 8, random matchings of up to 4096, against the network as it is built out of itself; and how many of them turn.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/circuits.h>
#include <flitloom/math/benes.h>

#include "base/rng.h"
#include "reference/ref_stages.h"

#define MOST 4096
#define STAGES_MOST 23

static uint8_t crossed[STAGES_MOST * MOST / 2];

static void check_matching(const uint32_t *to, unsigned k)
{
	static uint8_t seen[MOST];
	const uint32_t n = UINT32_C(1) << k;
	struct loom_err err;
	assert_int_equal(loom_benes_stages(n), 2 * k - 1);
	memset(crossed, 2, sizeof crossed);
	memset(seen, 0, sizeof seen);
	assert_int_equal(loom_circuit_settings(crossed, to, n, &err), 0);
	for (uint32_t i = 0; i < (2 * k - 1) * n / 2; i++)
		assert_true(crossed[i] <= 1);
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t out = ref_stages_lead(crossed, k, i);
		assert_true(out < n && !seen[out]);
		seen[out] = 1;
		if (to[i] != LOOM_CIRCUIT_NO_PORT)
			assert_int_equal(out, to[i]);
	}
}

// Tries for the senders from `first` on all receivers that are free, and no light.
static void try_all(uint32_t *to, unsigned k, uint32_t first, unsigned taken, unsigned *n_tried)
{
	if (first == UINT32_C(1) << k) {
		check_matching(to, k);
		++*n_tried;
		return;
	}
	to[first] = LOOM_CIRCUIT_NO_PORT;
	try_all(to, k, first + 1, taken, n_tried);
	for (uint32_t v = 0; v < UINT32_C(1) << k; v++)
		if (!(taken >> v & 1)) {
			to[first] = v;
			try_all(to, k, first + 1, taken | 1u << v, n_tried);
		}
}

static void test_all_of_few_nodes(void **state)
{
	(void)state;
	uint32_t to[4];
	unsigned n_tried = 0;
	try_all(to, 1, 0, 0, &n_tried);
	assert_int_equal(n_tried, 7);
	try_all(to, 2, 0, 0, &n_tried);
	assert_int_equal(n_tried, 7 + 209);
}

// Tries all permutations of the senders from `first` on.
static void permute(uint32_t *to, uint32_t first, unsigned *n_tried)
{
	if (first == 8) {
		check_matching(to, 3);
		++*n_tried;
	}
	for (uint32_t i = first; i < 8; i++) {
		const uint32_t a = to[first], b = to[i];
		to[first] = b;
		to[i] = a;
		permute(to, first + 1, n_tried);
		to[i] = b;
		to[first] = a;
	}
}

static void test_all_permutations_of_8(void **state)
{
	(void)state;
	uint32_t to[8] = {0, 1, 2, 3, 4, 5, 6, 7};
	unsigned n_tried = 0;
	permute(to, 0, &n_tried);
	assert_int_equal(n_tried, 40320);
}

static void draw(uint32_t *to, uint32_t n, struct loom_rng *rng)
{
	const uint64_t dark = loom_rng_below(rng, 4);
	for (uint32_t i = 0; i < n; i++)
		to[i] = i;
	for (uint32_t i = n; i > 1; i--) {
		const uint32_t j = (uint32_t)loom_rng_below(rng, i), t = to[j];
		to[j] = to[i - 1];
		to[i - 1] = t;
	}
	for (uint32_t i = 0; i < n; i++)
		if (dark > 0 && loom_rng_below(rng, dark + 1) == 0)
			to[i] = LOOM_CIRCUIT_NO_PORT;
}

static void test_random_matchings(void **state)
{
	(void)state;
	static uint32_t to[MOST];
	struct loom_rng rng;
	loom_rng_init(&rng, 33);
	for (unsigned k = 1; k <= 12; k++)
		for (unsigned i = 0; i < (k < 9 ? 200 : 8); i++) {
			draw(to, UINT32_C(1) << k, &rng);
			check_matching(to, k);
		}
}

static void test_turns_are_counted(void **state)
{
	(void)state;
	uint32_t to[4][8];
	struct loom_circuit_slot slot[4];
	struct loom_rng rng;
	loom_rng_init(&rng, 34);
	for (unsigned i = 0; i < 50; i++) {
		uint8_t last[5 * 4];
		uint64_t n_turns = 0, expected = 0;
		struct loom_err err;
		for (unsigned k = 0; k < 4; k++) {
			draw(to[k], 8, &rng);
			slot[k] = (struct loom_circuit_slot){.cycles = 1 + k, .to = to[k]};
			check_matching(to[k], 3);
			for (unsigned q = 0; k % 3 && q < sizeof last;
			     q++) // the second switch begins with the slot of index 3
				expected += crossed[q] != last[q];
			memcpy(last, crossed, sizeof last);
		}
		struct loom_circuit_switch on[2] = {{slot, 3}, {slot + 3, 1}};
		const struct loom_circuit_schedule s = {.n_nodes = 8, .n_switches = 2, .on = on};
		assert_int_equal(loom_circuit_count_turns(&n_turns, &s, &err), 0);
		assert_int_equal(n_turns, expected);
	}
}

static void test_no_matching(void **state)
{
	(void)state;
	struct loom_err err;
	assert_int_equal(loom_circuit_settings(crossed, (uint32_t[]){1, 3, 3, 0}, 4, &err), LOOM_EINPUT);
	assert_non_null(strstr(err.text, "node 2 sends to node 3, as another one does"));
	assert_int_equal(loom_circuit_settings(crossed, (uint32_t[]){1, 4, 3, 0}, 4, &err), LOOM_EINPUT);
	assert_non_null(strstr(err.text, "node 1 sends to node 4, which does not exist"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_of_few_nodes), cmocka_unit_test(test_all_permutations_of_8),
		cmocka_unit_test(test_random_matchings), cmocka_unit_test(test_turns_are_counted),
		cmocka_unit_test(test_no_matching),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
