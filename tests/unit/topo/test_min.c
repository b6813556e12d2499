// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <flitloom/math/min.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <jansson.h>

#include "reference/ref_min.h"
#include "unit/help/golden_file.h"

static struct ref_min ref;

static void test_names(void **state)
{
	(void)state;
	static const char *const names[] = {"baseline", "omega", "icube", "rbaseline", "romega", "ricube"};
	for (unsigned k = 0; k < LOOM_MIN_KINDS; k++)
		assert_string_equal(loom_min_name((enum loom_min_kind)k), names[k]);
}

static void test_wiring(void **state)
{
	(void)state;
	for (unsigned k = 0; k < LOOM_MIN_KINDS; k++)
		for (unsigned m = 1; m <= REF_MIN_M_MAX; m++) {
			struct loom_min net = {.kind = (enum loom_min_kind)k, .m = m};
			ref_min_build(&ref, loom_min_name(net.kind), m);
			assert_int_equal(loom_min_nodes(&net), ref.n);
			for (unsigned s = 0; s <= m; s++)
				for (uint32_t x = 0; x < ref.n; x++)
					if (loom_min_wire(&net, s, x) != ref.wire[s][x])
						fail_msg("%s, m %u: wiring %u takes %u to %u, not %u",
						         loom_min_name(net.kind), m, s, x, loom_min_wire(&net, s, x),
						         ref.wire[s][x]);
		}
}

// A wiring is a permutation also where the tables do not reach.
static void test_large_wiring(void **state)
{
	(void)state;
	enum { M = LOOM_MIN_M_MAX };
	unsigned char *seen = malloc(1u << M);
	assert_non_null(seen);
	for (unsigned k = 0; k < LOOM_MIN_KINDS; k++) {
		struct loom_min net = {.kind = (enum loom_min_kind)k, .m = M};
		for (unsigned s = 0; s <= M; s += 5) {
			memset(seen, 0, 1u << M);
			for (uint32_t x = 0; x < 1u << M; x++) {
				uint32_t y = loom_min_wire(&net, s, x);
				assert_true(y < 1u << M && !seen[y]);
				seen[y] = 1;
			}
		}
	}
	free(seen);
}

// Every source reaches every destination by the tags, one switch a stage, and ends at the node it names.
static void test_self_routing(void **state)
{
	(void)state;
	for (unsigned k = 0; k < LOOM_MIN_KINDS; k++)
		for (unsigned m = 1; m <= 8; m++) {
			struct loom_min net = {.kind = (enum loom_min_kind)k, .m = m};
			ref_min_build(&ref, loom_min_name(net.kind), m);
			for (uint32_t x = 0; x < ref.n; x++)
				for (uint32_t y = 0; y < ref.n; y++) {
					uint32_t path[LOOM_MIN_M_MAX], at = x;
					loom_min_path(path, &net, x, y);
					for (unsigned s = 0; s < m; s++) {
						uint32_t in = ref.wire[s][at];
						assert_int_equal(path[s] / 2, in / 2);
						assert_int_equal(loom_min_crosses(&net, path, x, s), path[s] != in);
						assert_int_equal(path[s] % 2, y >> loom_min_tag_bit(&net, s) & 1);
						at = path[s];
					}
					if (ref.wire[m][at] != y)
						fail_msg("%s, m %u: from %u to %u arrives at %u",
						         loom_min_name(net.kind), m, x, y, ref.wire[m][at]);
				}
		}
}

// Paths are those that a search from both ends finds without tags, and the only ones.
static void test_paths_are_unique(void **state)
{
	(void)state;
	for (unsigned k = 0; k < LOOM_MIN_KINDS; k++)
		for (unsigned m = 1; m <= 5; m++) {
			struct loom_min net = {.kind = (enum loom_min_kind)k, .m = m};
			ref_min_build(&ref, loom_min_name(net.kind), m);
			for (uint32_t x = 0; x < ref.n; x++)
				for (uint32_t y = 0; y < ref.n; y++) {
					uint32_t path[LOOM_MIN_M_MAX], found[REF_MIN_M_MAX];
					loom_min_path(path, &net, x, y);
					assert_true(ref_min_path(found, &ref, x, y));
					assert_memory_equal(path, found, m * sizeof *path);
				}
		}
}

static void test_golden_tag_bits(void **state)
{
	(void)state;
	json_t *root = golden_json("002_latin_square.json"), *item;
	size_t i, n_cases = 0;
	json_array_foreach(json_object_get(root, "cases"), i, item) {
		const char *name = json_string_value(json_object_get(item, "network"));
		uint32_t n = (uint32_t)json_integer_value(json_object_get(item, "n"));
		const json_t *tags = json_object_get(item, "stage_tag_bit");
		struct loom_min net = {.m = 0};
		// The file calls the indirect cube "cube" and its reverse "rcube".
		name = !strcmp(name, "cube") ? "icube" : !strcmp(name, "rcube") ? "ricube" : name;
		while (strcmp(loom_min_name(net.kind), name) != 0) {
			net.kind++;
			assert_true(net.kind < LOOM_MIN_KINDS);
		}
		while (1u << net.m < n)
			net.m++;
		assert_int_equal(json_array_size(tags), net.m);
		for (unsigned s = 0; s < net.m; s++)
			assert_int_equal(loom_min_tag_bit(&net, s), json_integer_value(json_array_get(tags, s)));
		n_cases++;
	}
	assert_int_equal(n_cases, 12);
	json_decref(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_wiring),
		cmocka_unit_test(test_large_wiring),
		cmocka_unit_test(test_self_routing),
		cmocka_unit_test(test_paths_are_unique),
		cmocka_unit_test(test_golden_tag_bits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
