// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The words for flits that circuit switches lost: one flit and several, nodes numbered by switch, dark and lit.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "check/light_loss.h"

static void test_words(void **state)
{
	static const struct {
		const char *fabric;
		uint32_t on;
		struct loom_light_loss loss;
		const char *text;
	} rows[] = {
		{"ocs:4",
	         0,
	         {.flits = 1, .cycle = 17, .source = 2, .destination = 3},
	         "switch 0 lost 1 flit, the first in cycle 17: from node 2 to node 3, sent in the dark"},
		{"ocs:4x2",
	         1,
	         {.flits = 2, .cycle = 1, .source = 4, .destination = 7, .lit = true},
	         "switch 1 lost 2 flits, the first in cycle 1: from node 0 to node 3, whose light led elsewhere"},
		{"ocs:5x3",
	         2,
	         {.flits = 0, .cycle = 0, .source = 14, .destination = 10},
	         "switch 2 lost 0 flits, the first in cycle 0: from node 4 to node 0, sent in the dark"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct loom_topo t;
		char text[LOOM_LIGHT_LOSS_TEXT];
		assert_int_equal(loom_topo_parse(&t, rows[i].fabric, NULL), 0);
		loom_light_loss_tell(text, &t, rows[i].on, &rows[i].loss);
		assert_string_equal(text, rows[i].text);
		loom_topo_free(&t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_words)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
