// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Patterns on an OTIS-Mesh: the permutations of [Sahni97], Table 3, by their names; what coordinates are there; vectors that
// are none.
#include "reference/ref_otis.h"
#include "unit/help/patterns.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct loom_pattern parse_on(const char *fabric, const char *spec)
{
	struct loom_topo t;
	struct loom_err err = {0};
	uint32_t extent[LOOM_DIMS_MAX];
	if (loom_topo_parse(&t, fabric, &err) != 0)
		fail_msg("%s", err.text);
	struct loom_pattern_options options = {.flits = 3, .n_dims = loom_topo_shape(extent, &t), .extent = extent};
	return parse_with(spec, t.n_nodes, &options);
}

static void assert_is_bpc(const char *fabric, const char *spec, const struct ref_bpc *a)
{
	struct loom_pattern p = parse_on(fabric, spec);
	assert_int_equal(p.n_messages, 1u << a->bits);
	assert_int_equal(p.n_lccs, 1);
	for (uint32_t x = 0; x < p.n_messages; x++)
		if (p.messages[x].source != x || p.messages[x].destination != ref_bpc_destination(a, x))
			fail_msg("%s on %s sends %u to %u", spec, fabric, p.messages[x].source,
			         p.messages[x].destination);
	loom_pattern_free(&p);
}

static void test_table3(void **state)
{
	(void)state;
	static const char *const fabrics[] = {"otis-mesh:4", "otis-mesh:16v2", "otis-mesh:64l3", "otis-mesh:256"};
	for (unsigned i = 0; i < 4; i++) {
		struct ref_bpc a;
		const char *name;
		for (unsigned k = 0; (name = ref_bpc_table3(&a, k, 4 * (i + 1))); k++) {
			char spec[160] = "bpc:";
			assert_is_bpc(fabrics[i], name, &a);
			strcat(spec, name);
			assert_is_bpc(fabrics[i], spec, &a);
			ref_bpc_text(spec + strlen("bpc:"), &a);
			assert_is_bpc(fabrics[i], spec, &a);
		}
	}
	struct ref_bpc a;
	(void)ref_bpc_table3(&a, 4, 4);
	assert_is_bpc("otis-mesh:4", "complement", &a);
}

static void test_all_vectors(void **state)
{
	(void)state;
	for (uint64_t k = 0; k < 384; k++) {
		char spec[160] = "bpc:";
		struct ref_bpc a;
		ref_bpc_number(&a, 4, k);
		ref_bpc_text(spec + strlen(spec), &a);
		assert_is_bpc("otis-mesh:4", spec, &a);
	}
}

// Elsewhere bpc:transpose goes by address bits, whatever the coordinates.
static void test_names_of_vectors(void **state)
{
	(void)state;
	const struct ref_bpc swap = {.bits = 4, .to = {2, 3, 0, 1}};
	assert_is_bpc("mesh:4x4", "bpc:transpose", &swap);
	assert_is_bpc("cube:4", "bpc:reflect-diagonal", &swap);
	parse_fails("bpc:gypx-swap", 8, LOOM_EINPUT, PARTS("gypx-swap", "multiple of 4", "8 processors have 3"));
	// A text that begins with a letter is a name, whichever letter it is.
	parse_fails("bpc:another", 16, LOOM_EINPUT, PARTS("\"another\"", "the name of no bit permutation"));
	parse_fails("bpc:zigzag", 16, LOOM_EINPUT, PARTS("\"zigzag\"", "the name of no bit permutation"));
	parse_fails("bpc:shuffle", 12, LOOM_EINPUT, PARTS("shuffle", "power of two", "12"));
	parse_fails("bpc:shufle", 16, LOOM_EINPUT, PARTS("\"shufle\"", "did you mean \"shuffle\""));
	parse_fails("bpc:scale", 16, LOOM_EINPUT, PARTS("\"scale\"", "no bit permutation"));     // a scatter
	parse_fails("bpc:tornado", 16, LOOM_EINPUT, PARTS("\"tornado\"", "no bit permutation")); // by coordinates
	parse_fails("bpc:neighbor:0", 16, LOOM_EINPUT, PARTS("no bit permutation"));
	struct loom_pattern p = parse("set:bpc:shuffle+shuffle", 16);
	assert_memory_equal(&p.lccs[0], &p.lccs[1], sizeof p.lccs[0]);
	loom_pattern_free(&p);
}

static void test_bad_vectors(void **state)
{
	(void)state;
	parse_fails("bpc:[0,0,1,2]", 16, LOOM_EINPUT, PARTS("column 4", "bit 0 is given twice", "0..3"));
	parse_fails("bpc:[-0,1,2,0]", 16, LOOM_EINPUT, PARTS("column 9", "bit 0 is given twice")); // -0 and 0
	parse_fails("bpc:[0,1,2,4]", 16, LOOM_EINPUT, PARTS("bit \"4\" is out of range", "0..3"));
	parse_fails("bpc:[0,1,,3]", 16, LOOM_EINPUT, PARTS("element 2 is not a bit number"));
	parse_fails("bpc:[0,1,2,--3]", 16, LOOM_EINPUT, PARTS("element 3 is not a bit number"));
	parse_fails("bpc:[0,1,2]", 16, LOOM_EINPUT, PARTS("n = 3", "2^3 processors", "not for 16"));
	parse_fails("bpc:[0,1,2,3,4]", 16, LOOM_EINPUT, PARTS("n = 5", "not for 16"));
	parse_fails("bpc:[]", 16, LOOM_EINPUT, PARTS("element 0"));
}

// Group and processor are the coordinates, (g,p).
static void test_coordinates(void **state)
{
	(void)state;
	static const struct {
		const char *spec;
		uint32_t of_17; // processor 1 of group 1 of 16
	} wanted[] = {{"transpose", 17},   {"shift:0,1", 18}, {"shift:1,0", 33}, {"shift:-1,-1", 0},
	              {"tornado", 8 * 17}, {"neighbour", 34}, {"shift:16", 33}};
	for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
		struct loom_pattern p = parse_on("otis-mesh:16", wanted[i].spec);
		assert_int_equal(p.messages[17].destination, wanted[i].of_17);
		loom_pattern_free(&p);
	}
	struct loom_pattern p = parse_on("otis-mesh:4", "stencil"); // of 4 x 4
	assert_int_equal(p.n_messages, 2 * 2 * 12);
	loom_pattern_free(&p);
	struct loom_topo t;
	struct loom_err err = {0};
	uint32_t extent[LOOM_DIMS_MAX];
	assert_int_equal(loom_topo_parse(&t, "mesh:3x5", &err), 0);
	assert_int_equal(loom_topo_shape(extent, &t), 2);
	assert_int_equal(extent[0], 5);
	assert_int_equal(extent[1], 3);
	assert_int_equal(loom_topo_parse(&t, "cube:3", &err), 0);
	assert_int_equal(loom_topo_shape(extent, &t), 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table3),           cmocka_unit_test(test_all_vectors),
		cmocka_unit_test(test_names_of_vectors), cmocka_unit_test(test_bad_vectors),
		cmocka_unit_test(test_coordinates),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
