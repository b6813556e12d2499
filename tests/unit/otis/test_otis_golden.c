// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Moves on an OTIS-Mesh against the golden files of [Sahni97]: every count, and every item where it belongs.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/math/otis.h>

#include "pattern/pattern_internal.h"
#include "unit/help/golden_file.h"
#include "unit/help/otis_moves_checks.h"

static void test_diameter(void **state)
{
	json_t *root = golden_json("003_otis.json");
	const char *key;
	json_t *value;
	(void)state;
	json_object_foreach(json_object_get(root, "diameter"), key, value) {
		uint32_t side = (uint32_t)atoi(key), n_nodes = side * side * side * side, most = 0;
		assert_int_equal(loom_otis_diameter(side), json_integer_value(value));
		for (uint32_t u = 0; u < n_nodes && side < 6; u++)
			for (uint32_t v = 0; v < n_nodes; v++)
				most = loom_otis_distance(side, u, v) > most ? loom_otis_distance(side, u, v) : most;
		if (side < 6)
			assert_int_equal(most, json_integer_value(value));
	}
	json_decref(root);
}

// Returns the source bit of bit i of p, the highest first, in one step of the sequences of Table 3.
static unsigned source_bit(unsigned sequence, unsigned i, unsigned p)
{
	switch (sequence) {
	case LOOM_OTIS_TRANSPOSE: return (i + p / 2) % p;
	case LOOM_OTIS_SHUFFLE: return (i + p - 1) % p;
	case LOOM_OTIS_UNSHUFFLE: return (i + 1) % p;
	case LOOM_OTIS_BIT_REVERSAL: return p - 1 - i;
	case LOOM_OTIS_VECTOR_REVERSAL: return i;
	case LOOM_OTIS_SWAP_EXCHANGES:
	case LOOM_OTIS_SWAP_ROTATIONS:
	case LOOM_OTIS_SWAP_XOR: return i / (p / 4) == 1 ? i + p / 4 : i / (p / 4) == 2 ? i - p / 4 : i;
	case LOOM_OTIS_BIT_SHUFFLE:
	case LOOM_OTIS_BIT_SHUFFLE_ROTATIONS:
	case LOOM_OTIS_BIT_SHUFFLE_XOR: return i / 2 + (i % 2 ? p / 2 : 0);
	default: return i < p / 2 ? 2 * i : 2 * (i - p / 2) + 1;
	}
}

static void check_sequence(uint32_t side, enum loom_otis_sequence sequence, const json_t *want)
{
	unsigned p = 4 * (unsigned)__builtin_ctz(side);
	uint32_t *to = calloc((size_t)1 << p, sizeof *to);
	struct loom_otis_moves m;
	struct loom_err err = {0};
	assert_non_null(to);
	for (uint32_t x = 0; x >> p == 0; x++)
		for (unsigned i = 0; i < p; i++)
			to[x] |= ((x >> source_bit(sequence, i, p) & 1) ^ (sequence == LOOM_OTIS_VECTOR_REVERSAL)) << i;
	if (loom_otis_sequence(&m, side, sequence, &err) != 0)
		fail_msg("%s", err.text);
	otis_check_moves(&m, NULL, to);
	if (want) {
		assert_int_equal(m.electronic, golden_number(want, "electronic"));
		assert_int_equal(m.otis, golden_number(want, "otis"));
	}
	assert_string_equal(m.by, loom_otis_sequence_name(sequence));
	uint32_t electronic = m.electronic, otis = m.otis;
	assert_int_equal(loom_otis_moves_trim(&m, &err), 0);
	otis_check_moves(&m, NULL, to);
	assert_true(m.electronic <= electronic && m.otis <= otis);
	loom_otis_moves_free(&m);
	free(to);
}

static void test_sequences(void **state)
{
	static const char *const names[LOOM_OTIS_SEQUENCES] = {
		[LOOM_OTIS_SHUFFLE] = "shuffle7",
		[LOOM_OTIS_UNSHUFFLE] = "unshuffle7",
		[LOOM_OTIS_BIT_REVERSAL] = "bitrev",
		[LOOM_OTIS_VECTOR_REVERSAL] = "vecrev",
		[LOOM_OTIS_SWAP_EXCHANGES] = "swap_alg1",
		[LOOM_OTIS_SWAP_ROTATIONS] = "swap_alg2_corrected",
		[LOOM_OTIS_SWAP_XOR] = "swap_xor",
		[LOOM_OTIS_BIT_SHUFFLE] = "bit_shuffle",
		[LOOM_OTIS_SHUFFLED_ROW_MAJOR] = "shuffled_row_major",
	};
	json_t *root = golden_json("003_otis.json");
	(void)state;
	for (uint32_t side = 2; side <= 16; side *= 2) {
		char key[16];
		(void)snprintf(key, sizeof key, "sqrtN=%u", side);
		const json_t *counts = json_object_get(json_object_get(root, "counts"), key);
		assert_int_equal(json_object_size(counts), 9);
		for (unsigned s = 0; s < LOOM_OTIS_SEQUENCES; s++)
			check_sequence(side, (enum loom_otis_sequence)s,
			               names[s] ? json_object_get(counts, names[s]) : NULL);
	}
	json_decref(root);
}

// One OTIS move is the transpose.
static void test_transpose(void **state)
{
	struct loom_otis_moves m;
	(void)state;
	assert_int_equal(loom_otis_sequence(&m, 8, LOOM_OTIS_TRANSPOSE, NULL), 0);
	assert_int_equal(m.electronic, 0);
	assert_int_equal(m.otis, 1);
	assert_int_equal(m.first[1], 64 * 64 - 64);
	loom_otis_moves_free(&m);
}

static void check_general(const json_t *vector, const json_t *want, enum loom_otis_general how)
{
	struct loom_lcc bpc;
	struct loom_otis_moves m;
	struct loom_err err = {0};
	size_t p = json_array_size(vector);
	uint32_t side = UINT32_C(1) << p / 4, *to = calloc((size_t)1 << p, sizeof *to);
	assert_non_null(to);
	otis_bpc_of_json(&bpc, vector);
	for (uint32_t x = 0; x >> p == 0; x++)
		to[x] = otis_bpc_image(vector, x);
	if (loom_otis_general(&m, side, &bpc, how, &err) != 0)
		fail_msg("%s", err.text);
	otis_check_moves(&m, NULL, to);
	if (want) {
		const char *key;
		json_t *value;
		assert_int_equal(m.electronic, golden_number(want, "electronic"));
		assert_int_equal(m.otis, golden_number(want, "otis"));
		json_object_foreach(json_object_get(want, "samples"), key, value)
			assert_int_equal(m.at[atoi(key)], json_integer_value(value));
	}
	assert_int_equal(loom_otis_moves_trim(&m, &err), 0);
	otis_check_moves(&m, NULL, to);
	loom_otis_moves_free(&m);
	free(to);
}

static void test_general(void **state)
{
	json_t *root = golden_json("003_otis.json"), *cases = json_object_get(root, "general_algorithm_cases"), *one;
	size_t i;
	(void)state;
	assert_int_equal(json_array_size(cases), 12);
	json_array_foreach(cases, i, one)
		for (int how = LOOM_OTIS_AS_PAPER; how <= LOOM_OTIS_EXCHANGE_OTHERS; how++)
			check_general(json_object_get(one, "A"), how == LOOM_OTIS_AS_PAPER ? one : NULL,
			              (enum loom_otis_general)how);
	one = json_object_get(root, "worked_example");
	assert_int_equal(golden_number(one, "electronic"), 142);
	assert_int_equal(golden_number(one, "otis"), 7);
	check_general(json_object_get(one, "A"), one, LOOM_OTIS_AS_PAPER);
	json_decref(root);
}

static void test_table2(void **state)
{
	json_t *root = golden_json("003_otis.json"), *table = json_object_get(root, "table2");
	struct loom_lcc bpc;
	struct loom_otis_moves m;
	(void)state;
	assert_int_equal(loom_bpc_parse(&bpc, "-0,1,2,-3", 9, "Table 2", NULL), 0);
	assert_int_equal(loom_otis_general(&m, 2, &bpc, LOOM_OTIS_AS_PAPER, NULL), 0);
	assert_int_equal(json_array_size(table), 16);
	for (size_t x = 0; x < 16; x++)
		assert_int_equal(m.at[x], golden_element(table, x));
	loom_otis_moves_free(&m);
	json_decref(root);
}

// ---- Within a group ---------------------------------------------------------------------------------------------------------

// The steps by each direction, and the most items on a node once all are in their columns.
static void measure(unsigned steps[LOOM_OTIS_DIRECTIONS], unsigned *buffer, const struct loom_otis_moves *m)
{
	uint32_t n_nodes = m->side * m->side * m->side * m->side;
	uint32_t *at = calloc(n_nodes, sizeof *at), *on = calloc(n_nodes, sizeof *on);
	assert_true(at && on);
	memset(steps, 0, LOOM_OTIS_DIRECTIONS * sizeof *steps);
	for (uint32_t v = 0; v < n_nodes; v++)
		at[v] = v;
	for (uint32_t s = 0; s < m->n_steps; s++) {
		steps[m->direction[s]]++;
		for (size_t k = m->first[s]; m->direction[s] <= LOOM_OTIS_LEFT && k < m->first[s + 1]; k++)
			(void)loom_otis_neighbour(&at[m->hop[k].item], m->side, m->hop[k].from,
			                          (enum loom_otis_direction)m->direction[s]);
	}
	*buffer = 0;
	for (uint32_t v = 0; v < n_nodes; v++)
		*buffer = ++on[at[v]] > *buffer ? on[at[v]] : *buffer;
	free(at);
	free(on);
}

static void test_local(void **state)
{
	json_t *root = golden_json("003_local_mesh_bpc.json"), *cases = json_object_get(root, "cases"), *one;
	size_t c;
	(void)state;
	assert_int_equal(json_array_size(cases), 32);
	json_array_foreach(cases, c, one) {
		const json_t *vector = json_object_get(one, "A");
		uint32_t side = golden_number(one, "n"), n = side * side, *to = calloc((size_t)n * n, sizeof *to);
		unsigned steps[LOOM_OTIS_DIRECTIONS], buffer;
		struct loom_otis_moves m;
		struct loom_err err = {0};
		assert_non_null(to);
		assert_int_equal(loom_otis_moves_begin_all(&m, side, &err), 0);
		for (uint32_t v = 0; v < n * n; v++)
			to[v] = v / n * n + otis_bpc_image(vector, v % n);
		assert_int_equal(loom_otis_moves_local(&m, to, &err), 0);
		otis_check_moves(&m, NULL, to);
		measure(steps, &buffer, &m);
		assert_int_equal(m.electronic, golden_number(one, "steps"));
		assert_int_equal(steps[LOOM_OTIS_RIGHT], golden_number(one, "max_right"));
		assert_int_equal(steps[LOOM_OTIS_LEFT], golden_number(one, "max_left"));
		assert_int_equal(steps[LOOM_OTIS_DOWN], golden_number(one, "max_down"));
		assert_int_equal(steps[LOOM_OTIS_UP], golden_number(one, "max_up"));
		assert_int_equal(buffer, golden_number(one, "buffer"));
		loom_otis_moves_free(&m);
		free(to);
	}
	json_decref(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_diameter), cmocka_unit_test(test_sequences), cmocka_unit_test(test_transpose),
		cmocka_unit_test(test_general),  cmocka_unit_test(test_table2),    cmocka_unit_test(test_local),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
