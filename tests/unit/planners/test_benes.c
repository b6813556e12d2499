// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <flitloom/math/benes.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <jansson.h>

#include <flitloom/math/admissible.h>
#include <flitloom/topo.h>

#include "reference/ref_min.h"
#include "base/rng.h"
#include "unit/help/routes.h"
#include "unit/help/golden_file.h"
#include "unit/help/orders.h"

static struct ref_min omega, inverse_omega;

static void shuffle(uint32_t *p, uint32_t n, struct loom_rng *rng)
{
	for (uint32_t i = 0; i < n; i++)
		p[i] = i;
	for (uint32_t i = n; i > 1; i--) {
		uint32_t j = (uint32_t)loom_rng_below(rng, i), t = p[j];
		p[j] = p[i - 1];
		p[i - 1] = t;
	}
}

// The lines that a message leaves each stage on, from the reference, which searches and knows no tags.
struct lines {
	uint32_t path[8][8][3]; // [source][destination][stage], 8 nodes
};

static void find_lines(struct lines *out, struct ref_min *net, const char *name)
{
	ref_min_build(net, name, 3);
	for (uint32_t x = 0; x < 8; x++)
		for (uint32_t y = 0; y < 8; y++) {
			uint32_t line[REF_MIN_M_MAX];
			assert_true(ref_min_path(line, net, x, y));
			memcpy(out->path[x][y], line, 3 * sizeof *line);
		}
}

static bool passes_8(const struct lines *lines, const uint32_t *to)
{
	bool used[3][8] = {{false}};
	for (uint32_t x = 0; x < 8; x++)
		for (unsigned s = 0; s < 3; s++) {
			uint32_t line = lines->path[x][to[x]][s];
			if (used[s][line])
				return false;
			used[s][line] = true;
		}
	return true;
}

static void test_all_of_8(void **state)
{
	(void)state;
	static struct lines first, second;
	uint32_t f[8] = {0, 1, 2, 3, 4, 5, 6, 7}, g[8], h[8];
	unsigned n = 0;
	find_lines(&first, &inverse_omega, "romega");
	find_lines(&second, &omega, "omega");
	do {
		assert_int_equal(loom_benes_two_pass(g, h, f, 3, NULL), 0);
		for (uint32_t x = 0; x < 8; x++) {
			assert_true(g[x] < 8);
			assert_int_equal(h[g[x]], f[x]);
		}
		assert_true(passes_8(&first, g));
		assert_true(passes_8(&second, h));
		n++;
	} while (next_order(f, 8));
	assert_int_equal(n, 40320);
}

static void check_large(const uint32_t *f, unsigned k, const char *what)
{
	uint32_t n = UINT32_C(1) << k;
	struct loom_min first = {.kind = LOOM_MIN_ROMEGA, .m = k}, second = {.kind = LOOM_MIN_OMEGA, .m = k};
	uint32_t *g = malloc(n * sizeof *g), *h = malloc(n * sizeof *h);
	bool passes = false;
	assert_non_null(g);
	assert_non_null(h);
	assert_int_equal(loom_benes_two_pass(g, h, f, k, NULL), 0);
	for (uint32_t x = 0; x < n; x++)
		if (g[x] >= n || h[g[x]] != f[x])
			fail_msg("%s, k %u: %u does not arrive", what, k, x);
	if (loom_admissible_check(&passes, NULL, NULL, &first, g, NULL) != 0 || !passes)
		fail_msg("%s, k %u: g does not pass romega", what, k);
	if (loom_admissible_check(&passes, NULL, NULL, &second, h, NULL) != 0 || !passes)
		fail_msg("%s, k %u: h does not pass omega", what, k);
	free(g);
	free(h);
}

// Random ones, and those whose loops are all as short or as long as they get.
static void test_sizes(void **state)
{
	(void)state;
	struct loom_rng rng;
	uint64_t seed = 20260405;
	print_message("seed %llu\n", (unsigned long long)seed);
	loom_rng_init(&rng, seed);
	for (unsigned k = 1; k <= 16; k = k < 12 ? k + 1 : k + 4) {
		uint32_t n = UINT32_C(1) << k, *f = malloc(n * sizeof *f);
		assert_non_null(f);
		for (unsigned round = 0; round < (k <= 6 ? 200u : k <= 10 ? 20u : 2u); round++) {
			shuffle(f, n, &rng);
			check_large(f, k, "random");
		}
		for (uint32_t x = 0; x < n; x++)
			f[x] = x;
		check_large(f, k, "identity");
		for (uint32_t x = 0; x < n; x++)
			f[x] = n - 1 - x;
		check_large(f, k, "complement");
		for (uint32_t x = 0; x < n; x++)
			f[x] = (x + 1) % n;
		check_large(f, k, "shift");
		for (uint32_t x = 0; x < n; x++)
			f[x] = (x * 5 + 3) % n;
		check_large(f, k, "stride");
		for (uint32_t x = 0; x < n; x++) {
			f[x] = 0;
			for (unsigned b = 0; b < k; b++)
				f[x] |= (x >> b & 1) << (k - 1 - b);
		}
		check_large(f, k, "bit-reverse");
		for (uint32_t x = 0; x < n; x++)
			f[x] = x >> (k / 2) | (x << (k - k / 2) & (n - 1));
		check_large(f, k, "rotation");
		free(f);
	}
}

static void test_largest(void **state)
{
	(void)state;
	uint32_t n = UINT32_C(1) << LOOM_BENES_K_MAX, *f = malloc(n * sizeof *f);
	struct loom_rng rng;
	assert_non_null(f);
	loom_rng_init(&rng, 20);
	shuffle(f, n, &rng);
	check_large(f, LOOM_BENES_K_MAX, "random");
	free(f);
}

// Checks that no two messages share a channel of the cube.
static void check_cube_pass(const uint32_t *to, unsigned k, enum loom_rule rule)
{
	char text[16];
	struct loom_topo t;
	(void)snprintf(text, sizeof text, "cube:%u", k);
	assert_int_equal(loom_topo_parse(&t, text, NULL), 0);
	bool *used = calloc(loom_topo_channels(&t), sizeof *used);
	assert_non_null(used);
	for (uint32_t x = 0; x < t.n_nodes; x++) {
		uint32_t route[LOOM_BENES_K_MAX + 2];
		unsigned length = route_of(route, LOOM_BENES_K_MAX + 2, &t, x, to[x], rule);
		for (unsigned i = 0; i < length; i++) {
			assert_false(used[route[i]]);
			used[route[i]] = true;
		}
	}
	free(used);
}

// [Youssef93]: the same two passes on a cube, e-cube and then e^-1-cube. The file's g and h are one answer of several.
static void test_golden_on_cubes(void **state)
{
	(void)state;
	json_t *root = golden_json("001_hypercube_two_pass.json"), *item;
	size_t c;
	assert_true(json_array_size(json_object_get(root, "cases")) >= 6);
	json_array_foreach(json_object_get(root, "cases"), c, item) {
		unsigned k = (unsigned)json_integer_value(json_object_get(item, "k"));
		uint32_t f[1024], g[1024], h[1024], n = 1u << k;
		assert_true(k <= 10 && json_array_size(json_object_get(item, "f")) == n);
		for (uint32_t x = 0; x < n; x++)
			f[x] = (uint32_t)json_integer_value(json_array_get(json_object_get(item, "f"), x));
		assert_int_equal(loom_benes_two_pass(g, h, f, k, NULL), 0);
		for (uint32_t x = 0; x < n; x++)
			assert_int_equal(h[g[x]], f[x]);
		check_cube_pass(g, k, LOOM_RULE_ASCENDING);
		check_cube_pass(h, k, LOOM_RULE_DESCENDING);
	}
	json_decref(root);
}

static void test_edges(void **state)
{
	(void)state;
	uint32_t g[4] = {9, 9, 9, 9}, h[4] = {9, 9, 9, 9};
	struct loom_err err = {0};
	assert_int_equal(loom_benes_two_pass(g, h, (uint32_t[]){0}, 0, NULL), 0);
	assert_true(g[0] == 0 && h[0] == 0);
	g[0] = h[0] = 9;
	assert_int_equal(loom_benes_two_pass(g, h, (uint32_t[]){0, 1, 4, 2}, 2, &err), LOOM_EINPUT);
	assert_string_equal(err.text, "not a permutation of 4 nodes: node 2 sends to 4; there are 0 to 3");
	assert_int_equal(loom_benes_two_pass(g, h, (uint32_t[]){0, 1, 3, 1}, 2, &err), LOOM_EINPUT);
	assert_string_equal(err.text, "not a permutation: nodes 1 and 3 both send to 1");
	assert_true(g[0] == 9 && h[0] == 9 && g[3] == 9 && h[3] == 9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_of_8), cmocka_unit_test(test_sizes),           cmocka_unit_test(test_largest),
		cmocka_unit_test(test_edges),    cmocka_unit_test(test_golden_on_cubes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
