// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The slow OTIS-Mesh against [Sahni97]: its table, its theorems, moves by hand; and that it notices schedules which are none.
#include "reference/ref_otis.h"
#include "unit/help/golden_file.h"
#include "unit/help/otis_plans.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// "-3" of a vector as the golden files have it: -0 needs a string.
static void read_element(struct ref_bpc *a, unsigned i, const json_t *element)
{
	const char *text = json_string_value(element);
	assert_non_null(text);
	a->minus[i] = *text == '-';
	a->to[i] = (unsigned)strtoul(text + a->minus[i], NULL, 10);
}

static void test_bpc(void **state)
{
	(void)state;
	json_t *golden = golden_json("003_otis.json"), *table2 = json_object_get(golden, "table2"), *one;
	const struct ref_bpc a = {.bits = 4, .to = {3, 2, 1, 0}, .minus = {true, false, false, true}};
	char text[128];
	size_t k;
	ref_bpc_text(text, &a);
	assert_string_equal(text, "[-0,1,2,-3]");
	for (uint32_t x = 0; x < 16; x++)
		assert_int_equal(ref_bpc_destination(&a, x), golden_element(table2, x));

	json_array_foreach(json_object_get(golden, "general_algorithm_cases"), k, one) {
		struct ref_bpc b = {.bits = golden_number(one, "p")};
		const char *from;
		json_t *to;
		for (unsigned i = 0; i < b.bits; i++)
			read_element(&b, b.bits - 1 - i, json_array_get(json_object_get(one, "A"), i));
		json_object_foreach(json_object_get(one, "samples"), from, to)
			assert_int_equal(ref_bpc_destination(&b, (uint32_t)strtoul(from, NULL, 10)),
			                 json_integer_value(to));
	}
	json_decref(golden);
}

// Every one of them, once.
static void test_all_bpc(void **state)
{
	(void)state;
	bool seen[256 * 16] = {false}; // by order and complements
	for (uint64_t k = 0; k < 384; k++) {
		struct ref_bpc a;
		unsigned order = 0, complements = 0;
		ref_bpc_number(&a, 4, k);
		for (unsigned i = 0; i < 4; i++) {
			order |= a.to[i] << 2 * i;
			complements |= (unsigned)a.minus[i] << i;
		}
		assert_false(seen[order * 16 + complements]);
		seen[order * 16 + complements] = true;
		bool hit[16] = {false};
		for (uint32_t x = 0; x < 16; x++)
			hit[ref_bpc_destination(&a, x)] = true;
		for (uint32_t x = 0; x < 16; x++)
			assert_true(hit[x]);
	}
}

// Table 3 by what the words of section 4 say of each permutation, on 16 and 256 processors.
static void test_table3(void **state)
{
	(void)state;
	static const char *const printed[] = {"[1,0,3,2]",     "[0,3,2,1]", "[2,1,0,3]", "[0,1,2,3]",
	                                      "[-3,-2,-1,-0]", "[3,1,2,0]", "[3,1,2,0]", "[3,1,2,0]"};
	struct ref_bpc a;
	char text[128];
	for (unsigned k = 0; k < 8; k++) {
		assert_non_null(ref_bpc_table3(&a, k, 4));
		ref_bpc_text(text, &a);
		assert_string_equal(text, printed[k]);
	}
	assert_null(ref_bpc_table3(&a, 8, 4));
	for (uint32_t x = 0; x < 256; x++) {
		uint32_t g = x >> 4, p = x & 15, gx = g >> 2, gy = g & 3, px = p >> 2, py = p & 3, y = 0;
		(void)ref_bpc_table3(&a, 0, 8);
		assert_int_equal(ref_bpc_destination(&a, x), p * 16 + g);
		(void)ref_bpc_table3(&a, 1, 8);
		assert_int_equal(ref_bpc_destination(&a, x), x < 128 ? 2 * x : 2 * x - 255);
		y = ref_bpc_destination(&a, x);
		(void)ref_bpc_table3(&a, 2, 8);
		assert_int_equal(ref_bpc_destination(&a, y), x);
		(void)ref_bpc_table3(&a, 4, 8);
		assert_int_equal(ref_bpc_destination(&a, x), 255 - x);
		(void)ref_bpc_table3(&a, 7, 8);
		assert_int_equal(ref_bpc_destination(&a, x), ((gx * 4 + px) * 4 + gy) * 4 + py);
		(void)ref_bpc_table3(&a, 5, 8);
		y = ref_bpc_destination(&a, x);
		for (unsigned i = 0; i < 4; i++) { // G to the odd bits, P to the even ones
			assert_int_equal(y >> (2 * i + 1) & 1, g >> i & 1);
			assert_int_equal(y >> 2 * i & 1, p >> i & 1);
		}
		(void)ref_bpc_table3(&a, 6, 8);
		assert_int_equal(ref_bpc_destination(&a, y), x);
	}
}

static void test_distances(void **state)
{
	(void)state;
	json_t *golden = golden_json("003_otis.json"), *diameters = json_object_get(golden, "diameter"), *value;
	const char *side;
	json_object_foreach(diameters, side, value)
		if (strtoul(side, NULL, 10) <= 4) // the others take longer than they are worth
			assert_int_equal(ref_otis_diameter((unsigned)strtoul(side, NULL, 10)),
			                 json_integer_value(value));
	json_decref(golden);
	uint32_t hops[16];
	ref_otis_distances(hops, 2, 0); // to (3,3): right, down, light, right, down
	assert_int_equal(hops[15], 5);
	assert_int_equal(hops[4], 2);  // (0,0) right, light: (1,0)
	assert_int_equal(hops[12], 3); // right, down, light: (3,0)
}

static void test_displacement(void **state)
{
	(void)state;
	json_t *golden = golden_json("003_local_mesh_bpc.json"), *one;
	size_t k;
	json_array_foreach(json_object_get(golden, "cases"), k, one) {
		unsigned side = golden_number(one, "n");
		const json_t *vector = json_object_get(one, "A");
		struct ref_bpc a = {.bits = (unsigned)json_array_size(vector)};
		struct ref_otis_displacement d;
		uint32_t to[1024];
		for (unsigned i = 0; i < a.bits; i++)
			read_element(&a, a.bits - 1 - i, json_array_get(vector, i));
		for (uint32_t x = 0; x < side * side; x++)
			to[x] = ref_bpc_destination(&a, x);
		ref_otis_displace(&d, side, to, 1);
		assert_int_equal(d.right, golden_number(one, "max_right"));
		assert_int_equal(d.left, golden_number(one, "max_left"));
		assert_int_equal(d.up, golden_number(one, "max_up"));
		assert_int_equal(d.down, golden_number(one, "max_down"));
		assert_int_equal(d.right + d.left + d.up + d.down, golden_number(one, "steps"));
	}
	json_decref(golden);
}

// ---- Moves ----

static void test_moves(void **state)
{
	(void)state;
	struct ref_otis_played played;
	ref_otis_play(&played, 2, otis_five, OTIS_FIVE, otis_five_items, 2);
	assert_string_equal(played.wrong, "");
	assert_int_equal(played.electronic, 4);
	assert_int_equal(played.otis, 1);

	// The transpose of all 16: those of (g,g) stay.
	struct ref_otis_hop all[16];
	struct ref_otis_item wanted[16];
	for (uint32_t x = 0; x < 16; x++) {
		all[x] = (struct ref_otis_hop){0, x, x % 4 * 4 + x / 4, 0, 0};
		wanted[15 - x] = (struct ref_otis_item){x, x % 4 * 4 + x / 4};
	}
	ref_otis_play(&played, 2, all, 16, wanted, 16);
	assert_string_equal(played.wrong, "");
	assert_int_equal(played.electronic, 0);
	assert_int_equal(played.otis, 1);
	ref_otis_play(&played, 2, NULL, 0, NULL, 0);
	assert_string_equal(played.wrong, "");
	// Items that one processor sends itself do not move.
	ref_otis_play(&played, 2, &(struct ref_otis_hop){0, 3, 3, 0, 0}, 1, &(struct ref_otis_item){3, 3}, 1);
	assert_string_equal(played.wrong, "");
	assert_int_equal(played.electronic + played.otis, 0);
}

// Checks that the five moves with another message `at` are refused.
static void notices(size_t at, struct ref_otis_hop instead, const char *why)
{
	struct ref_otis_hop hop[OTIS_FIVE];
	struct ref_otis_played played;
	memcpy(hop, otis_five, sizeof hop);
	hop[at] = instead;
	ref_otis_play(&played, 2, hop, OTIS_FIVE, otis_five_items, 2);
	if (!strstr(played.wrong, why))
		fail_msg("message %zu: \"%s\", not \"%s\"", at, played.wrong, why);
}

static void test_broken_moves(void **state)
{
	(void)state;
	struct ref_otis_played played;
	notices(1, (struct ref_otis_hop){0, 4, 6, 0, 2},
	        "message 1 goes down, others of pass 0 right"); // two directions
	notices(1, (struct ref_otis_hop){0, 0, 1, 0, 2}, "two items leave 0 in pass 0");
	notices(1, (struct ref_otis_hop){0, 8, 2, 0, 2}, "message 1 goes light");  // light in an electronic move
	notices(4, (struct ref_otis_hop){2, 3, 13, 1, 9}, "no link from 3 to 13"); // beside the optical link
	notices(0, (struct ref_otis_hop){0, 0, 4, 0, 1}, "no link from 0 to 4");   // into the next group without light
	notices(0, (struct ref_otis_hop){0, 0, 3, 0, 1}, "no link from 0 to 3");   // two hops
	notices(0, (struct ref_otis_hop){0, 1, 2, 0, 1}, "no link from 1 to 2");   // round the edge
	notices(4, (struct ref_otis_hop){2, 5, 5, 0, 0}, "slot 9 of 12 holds nothing"); // not sent on
	notices(5, (struct ref_otis_hop){3, 12, 13, 8, 1}, "slot 8 of 12 holds nothing");
	notices(3, (struct ref_otis_hop){1, 1, 3, 0, 1}, "two items leave 1 in pass 1");
	notices(6, (struct ref_otis_hop){4, 13, 15, 1, 2}, "left in a store of 15");
	notices(6, (struct ref_otis_hop){4, 12, 14, 0, 0}, "left in a store of 13");
	notices(3, (struct ref_otis_hop){1, 4, 6, 0, 0}, "left in a store of 5");
	notices(6, (struct ref_otis_hop){4, 16, 15, 1, 0}, "no such processor");
	// One after the other into the same slot.
	const struct ref_otis_hop over[] = {{0, 0, 1, 0, 1}, {1, 3, 1, 0, 1}};
	ref_otis_play(&played, 2, over, 2, otis_five_items, 2);
	assert_non_null(strstr(played.wrong, "what slot 1 of 1 held in pass 1 is lost"));
	// Other ends than are wanted, more items, fewer.
	ref_otis_play(&played, 2, otis_five, OTIS_FIVE, (const struct ref_otis_item[]){{0, 15}, {4, 6}}, 2);
	assert_non_null(strstr(played.wrong, "an item of 4 ends at 7"));
	ref_otis_play(&played, 2, otis_five, OTIS_FIVE, otis_five_items, 1);
	assert_non_null(strstr(played.wrong, "2 items are moved, 1 should be"));
	ref_otis_play(&played, 2, NULL, 0, otis_five_items, 2);
	assert_non_null(strstr(played.wrong, "0 items are moved"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bpc),          cmocka_unit_test(test_all_bpc),      cmocka_unit_test(test_table3),
		cmocka_unit_test(test_distances),    cmocka_unit_test(test_displacement), cmocka_unit_test(test_moves),
		cmocka_unit_test(test_broken_moves),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
