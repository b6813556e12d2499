// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
// Every named pattern against a slow version of its own.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "unit/help/patterns.h"
#include "unit/help/golden_file.h"

// ---- Named patterns against a slow version each ----

static unsigned bit(uint32_t x, unsigned i)
{
	return x >> i & 1;
}

static uint32_t slow_identity(uint32_t x, unsigned n)
{
	(void)n;
	return x;
}

static uint32_t slow_transpose(uint32_t x, unsigned n)
{
	uint32_t side = 1u << n / 2;
	return x % side * side + x / side;
}

static uint32_t slow_reverse(uint32_t x, unsigned n)
{
	uint32_t y = 0;
	for (unsigned i = 0; i < n; i++)
		y = 2 * y + bit(x, i);
	return y;
}

static uint32_t slow_complement(uint32_t x, unsigned n)
{
	return (1u << n) - 1 - x;
}

static uint32_t slow_reverse_flip(uint32_t x, unsigned n)
{
	return slow_complement(slow_reverse(x, n), n);
}

static uint32_t slow_shuffle(uint32_t x, unsigned n) // cards: the deck cut in half and interleaved
{
	uint32_t half = 1u << (n - 1);
	return x < half ? 2 * x : 2 * (x - half) + 1;
}

static uint32_t slow_unshuffle(uint32_t x, unsigned n)
{
	uint32_t half = 1u << (n - 1);
	return x % 2 ? half + x / 2 : x / 2;
}

static uint32_t slow_butterfly(uint32_t x, unsigned n)
{
	uint32_t ends = 1u | 1u << (n - 1);
	return (x & ~ends) | bit(x, 0) << (n - 1) | bit(x, n - 1);
}

static uint32_t slow_neighbor0(uint32_t x, unsigned n)
{
	(void)n;
	return x % 2 ? x - 1 : x + 1;
}

// By the vectors of [Sahni97], Table 3, for which A_i is the destination bit of source bit i.
static uint32_t slow_bit_shuffle(uint32_t x, unsigned n)
{
	uint32_t y = 0;
	int to = (int)n - 1;
	for (unsigned i = n; i-- > 0; to -= 2) {
		if (to < 0)
			to = (int)n - 2;
		y |= bit(x, i) << to;
	}
	return y;
}

static uint32_t slow_shuffled_row_major(uint32_t x, unsigned n)
{
	uint32_t y = 0;
	for (unsigned k = 0; k < n; k++) // [p-1, p/2-1, p-2, p/2-2, ..., p/2, 0]
		y |= bit(x, n - 1 - k) << ((k % 2 ? n / 2 - 1 : n - 1) - k / 2);
	return y;
}

static uint32_t slow_gypx(uint32_t x, unsigned n) // (Gx, Gy, Px, Py) to (Gx, Px, Gy, Py)
{
	uint32_t q = 1u << n / 4, py = x % q, px = x / q % q, gy = x / q / q % q, gx = x / q / q / q;
	return ((gx * q + px) * q + gy) * q + py;
}

// Images, y pointing up, turned about the centre: coordinates doubled so that it is a point of the grid.
static uint32_t moved(uint32_t x, unsigned n, int a, int b, int c, int d)
{
	int side = 1 << n / 2, px = (int)x % side, py = (int)x / side;
	int u = 2 * px - (side - 1), v = 2 * py - (side - 1);
	int u2 = a * u + b * v, v2 = c * u + d * v;
	return (uint32_t)((v2 + side - 1) / 2 * side + (u2 + side - 1) / 2);
}

static uint32_t slow_diagonal(uint32_t x, unsigned n)
{
	return moved(x, n, 0, 1, 1, 0);
}

static uint32_t slow_antidiagonal(uint32_t x, unsigned n)
{
	return moved(x, n, 0, -1, -1, 0);
}

static uint32_t slow_vertical(uint32_t x, unsigned n)
{
	return moved(x, n, -1, 0, 0, 1);
}

static uint32_t slow_horizontal(uint32_t x, unsigned n)
{
	return moved(x, n, 1, 0, 0, -1);
}

static uint32_t slow_cw(uint32_t x, unsigned n) // the point on the right goes down
{
	return moved(x, n, 0, 1, -1, 0);
}

static uint32_t slow_ccw(uint32_t x, unsigned n) // the point on the right goes up
{
	return moved(x, n, 0, -1, 1, 0);
}

static uint32_t slow_180(uint32_t x, unsigned n)
{
	return moved(x, n, -1, 0, 0, -1);
}

static uint32_t slow_rows(uint32_t x, unsigned n)
{
	uint32_t side = 1u << n / 2;
	return x / side * side + slow_reverse(x % side, n / 2);
}

static uint32_t slow_columns(uint32_t x, unsigned n)
{
	uint32_t side = 1u << n / 2;
	return slow_reverse(x / side, n / 2) * side + x % side;
}

static const struct {
	const char *spec;
	uint32_t (*slow)(uint32_t x, unsigned n);
	unsigned multiple;
} permutations[] = {
	{"identity", slow_identity, 1},
	{"transpose", slow_transpose, 2},
	{"bit-reverse", slow_reverse, 1},
	{"reverse-flip", slow_reverse_flip, 1},
	{"complement", slow_complement, 1},
	{"shuffle", slow_shuffle, 1},
	{"unshuffle", slow_unshuffle, 1},
	{"butterfly", slow_butterfly, 1},
	{"neighbor:0", slow_neighbor0, 1},
	{"bit-shuffle", slow_bit_shuffle, 2},
	{"shuffled-row-major", slow_shuffled_row_major, 2},
	{"gypx-swap", slow_gypx, 4},
	{"reflect-diagonal", slow_diagonal, 2},
	{"reflect-antidiagonal", slow_antidiagonal, 2},
	{"reflect-vertical", slow_vertical, 2},
	{"reflect-horizontal", slow_horizontal, 2},
	{"rotate-cw", slow_cw, 2},
	{"rotate-ccw", slow_ccw, 2},
	{"rotate-180", slow_180, 2},
	{"fft2d-rows", slow_rows, 2},
	{"fft2d-columns", slow_columns, 2},
};

static void test_named_permutations(void **state)
{
	(void)state;
	for (size_t k = 0; k < sizeof permutations / sizeof permutations[0]; k++)
		for (unsigned n = 1; n <= 10; n++) {
			if (n % permutations[k].multiple != 0) {
				parse_fails(permutations[k].spec, 1u << n, LOOM_EINPUT,
				            PARTS(permutations[k].spec, "multiple", "bits"));
				continue;
			}
			struct loom_pattern p = parse(permutations[k].spec, 1u << n);
			assert_string_equal(p.name, permutations[k].spec);
			assert_int_equal(p.n_members, 1);
			assert_int_equal(p.n_lccs, 1);
			assert_int_equal(p.lccs[0].kind, LOOM_LCC_PERMUTATION);
			for (uint32_t x = 0; x < p.n_nodes; x++) {
				if (p.messages[x].source != x ||
				    p.messages[x].destination != permutations[k].slow(x, n))
					fail_msg("%s, n = %u: %" PRIu32 " goes to %" PRIu32 ", not %" PRIu32,
					         permutations[k].spec, n, x, p.messages[x].destination,
					         permutations[k].slow(x, n));
				assert_int_equal(p.messages[x].flits, 17);
			}
			loom_pattern_free(&p);
		}
}

static void test_neighbor(void **state)
{
	(void)state;
	for (unsigned n = 1; n <= 10; n++)
		for (unsigned k = 0; k < n; k++) {
			char spec[16];
			(void)snprintf(spec, sizeof spec, "neighbor:%u", k);
			struct loom_pattern p = parse(spec, 1u << n);
			for (uint32_t x = 0; x < p.n_nodes; x++)
				assert_int_equal(p.messages[x].destination, bit(x, k) ? x - (1u << k) : x + (1u << k));
			assert_int_equal(p.n_lccs, 1);
			loom_pattern_free(&p);
		}
}

static void test_scale(void **state)
{
	(void)state;
	for (unsigned n = 2; n <= 10; n += 2) {
		uint32_t side = 1u << n / 2, source_of[1024];
		struct loom_pattern p = parse("scale", 1u << n);
		assert_int_equal(p.n_lccs, 1);
		assert_int_equal(p.lccs[0].kind, LOOM_LCC_SCATTER);
		for (uint32_t py = 0; py < side / 2; py++)
			for (uint32_t px = 0; px < side / 2; px++)
				for (uint32_t k = 0; k < 4; k++)
					source_of[(2 * py + k / 2) * side + 2 * px + k % 2] = py * side + px;
		for (uint32_t y = 0; y < p.n_nodes; y++) {
			assert_int_equal(p.messages[y].destination, y);
			assert_int_equal(p.messages[y].source, source_of[y]);
		}
		loom_pattern_free(&p);
	}
	parse_fails("scale", 8, LOOM_EINPUT, PARTS("scale", "multiple of 2", "8 processors have 3"));
}

static void test_fft(void **state)
{
	(void)state;
	for (unsigned n = 1; n <= 10; n++) {
		struct loom_pattern p = parse("fft", 1u << n);
		assert_int_equal(p.n_members, n + 1);
		assert_int_equal(p.n_lccs, n + 1);
		for (size_t i = 0; i < p.n_messages; i++) {
			const struct loom_message *m = &p.messages[i];
			assert_int_equal(m->destination, m->member == 0 ? slow_reverse(m->source, n)
			                                                : m->source ^ 1u << (m->member - 1));
		}
		loom_pattern_free(&p);
	}
}

static void test_example5(void **state)
{
	(void)state;
	json_t *root = golden_json("000_set_dp.json"), *cases = json_object_get(root, "cases"), *one;
	size_t i;
	bool found = false;

	json_array_foreach(cases, i, one) {
		const char *name = json_string_value(json_object_get(one, "name"));
		if (!name || strcmp(name, "Example 5, all 11") != 0)
			continue;
		found = true;
		struct loom_pattern p = parse("example5", 256);
		json_t *members = json_object_get(one, "comms");
		assert_int_equal(json_array_size(members), 11);
		assert_int_equal(p.n_lccs, 11);
		for (uint32_t r = 0; r < 11; r++) {
			json_t *member = json_array_get(members, r);
			assert_int_equal(p.lccs[r].b, json_integer_value(json_object_get(member, "b")));
			assert_int_equal(p.lccs[r].kind == LOOM_LCC_SCATTER,
			                 strcmp(json_string_value(json_object_get(member, "kind")), "scatter") == 0);
			json_t *rows = json_object_get(member, "A");
			for (unsigned k = 0; k < 8; k++)
				assert_int_equal(p.lccs[r].a.row[k], json_integer_value(json_array_get(rows, k)));
		}
		loom_pattern_free(&p);
	}
	assert_true(found);
	json_decref(root);

	// For other sizes, every member is the pattern of that name.
	static const char *const names[] = {"transpose",        "reflect-antidiagonal", "rotate-ccw",   "rotate-cw",
	                                    "reflect-vertical", "reflect-horizontal",   "rotate-180",   "scale",
	                                    "bit-reverse",      "fft2d-rows",           "fft2d-columns"};
	for (unsigned n = 2; n <= 10; n += 2) {
		struct loom_pattern set = parse("example5", 1u << n);
		assert_int_equal(set.n_members, 11);
		for (uint32_t r = 0; r < 11; r++) {
			struct loom_pattern p = parse(names[r], 1u << n);
			assert_memory_equal(&p.lccs[0].a, &set.lccs[r].a, sizeof p.lccs[0].a);
			assert_int_equal(p.lccs[0].b, set.lccs[r].b);
			loom_pattern_free(&p);
		}
		loom_pattern_free(&set);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_named_permutations),
		cmocka_unit_test(test_neighbor),
		cmocka_unit_test(test_scale),
		cmocka_unit_test(test_fft),
		cmocka_unit_test(test_example5),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
