// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The size of the tables of routers that go by turns, by hand: words up to the highest label, and how much of a label
// there is room for beside the number of the input.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "chip/turn_words.h"

static void test_sizes(void **state)
{
	(void)state;
	static const struct {
		const char *fabric;
		uint32_t words;
		unsigned label_bits;
	} cases[] = {
		{"cube:1", 2, 1},     {"cube:3", 8, 3},
		{"cube:9", 512, 8},  // 4 of 12 bits for an input, the node's own and 9
		{"mesh:3x3", 11, 4}, // (2, 2) has label 10
		{"mesh:4x2", 8, 3},   {"ring:6", 6, 3},
		{"cube:12", 4096, 8},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct loom_topo t;
		assert_int_equal(loom_topo_parse(&t, cases[i].fabric, NULL), 0);
		if (loom_turn_words_count(&t) != cases[i].words ||
		    loom_turn_words_label_bits(&t) != cases[i].label_bits)
			fail_msg("%s: %u words, %u bits", cases[i].fabric, (unsigned)loom_turn_words_count(&t),
			         loom_turn_words_label_bits(&t));
		loom_topo_free(&t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_sizes)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
