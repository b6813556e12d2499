// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
// Checks what the parsers of linear-complement communications and of sets of them take, and what they refuse with which
// words.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "pattern/pattern_internal.h"
#include "unit/help/patterns.h"
#include "base/rng.h"

static void lcc_fails(const char *text, const char *const parts[])
{
	struct loom_lcc lcc, before;
	struct loom_err err = {0};
	memset(&lcc, 0xa5, sizeof lcc);
	memcpy(&before, &lcc, sizeof lcc);
	int code = loom_lcc_parse(&lcc, text, strlen(text), "FILE", &err);
	check_error(code, &err, LOOM_EINPUT, parts, text);
	assert_non_null(strstr(err.text, "FILE"));
	assert_memory_equal(&lcc, &before, sizeof lcc);
	assert_int_equal(loom_lcc_parse(&lcc, text, strlen(text), "FILE", NULL), LOOM_EINPUT);
}

static void test_lcc_lines(void **state)
{
	(void)state;
	struct loom_lcc lcc;
	struct loom_err err = {0};
	static const char *const same[] = {"110\n010\n001\n", "110\n010\n001", "1 1 0\r\n0\t1 0\r\n  0 0 1 \r\n000",
	                                   "\n\n110\n\n010\n001\n\n0 00\n \n"};
	for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
		assert_int_equal(loom_lcc_parse(&lcc, same[i], strlen(same[i]), "FILE", &err), 0);
		assert_int_equal(lcc.a.n, 3);
		assert_int_equal(lcc.kind, LOOM_LCC_PERMUTATION);
		assert_int_equal(lcc.a.row[0], 3); // y_0 = x_0 + x_1: column 0 first
		assert_int_equal(lcc.a.row[1], 2);
		assert_int_equal(lcc.a.row[2], 4);
		assert_int_equal(lcc.b, 0);
		assert_true(loom_gf2_is_valid(&lcc.a));
	}
	assert_int_equal(loom_lcc_parse(&lcc, "10\n00\n01", 8, "FILE", &err), 0);
	assert_int_equal(lcc.kind, LOOM_LCC_GATHER);
	assert_int_equal(lcc.b, 2); // b_0 first
	assert_int_equal(loom_lcc_parse(&lcc, "1", 1, "FILE", &err), 0);
	assert_int_equal(lcc.a.n, 1);
	assert_int_equal(loom_lcc_parse(&lcc, "0\n1", 3, "FILE", &err), 0);
	assert_int_equal(lcc.b, 1);
	assert_int_equal(lcc.kind, LOOM_LCC_GATHER);

	lcc_fails("", PARTS("line 1", "no matrix"));
	lcc_fails(" \n \n", PARTS("line 3", "no matrix"));
	lcc_fails("110\n010\n", PARTS("not square", "2 rows of 3"));
	lcc_fails("110\n01\n001", PARTS("line 2", "2 entries", "3 in the first"));
	lcc_fails("11\n0111\n", PARTS("line 2", "4 entries"));
	lcc_fails("10\n01\n00\n00\n", PARTS("line 4", "one row too many"));
	lcc_fails("10\n02\n", PARTS("line 2, column 2", "'2'", "0 or 1"));
	lcc_fails("10\n0,1\n", PARTS("line 2, column 2", "','"));
	lcc_fails("10\n0\xff\n", PARTS("line 2, column 2", "0xff"));
	lcc_fails("10\n0\x01\n", PARTS("line 2, column 2", "0x01"));
	char wide[66];
	memset(wide, '1', 65);
	wide[65] = 0;
	lcc_fails(wide, PARTS("column 65", "more than 64"));
	struct loom_lcc before = lcc;
	int code = loom_lcc_parse(&lcc, "1\0", 2, "FILE", &err);
	check_error(code, &err, LOOM_EINPUT, PARTS("column 2", "0x00"), "zero byte");
	code = loom_lcc_parse(&lcc, NULL, 0, "FILE", &err);
	check_error(code, &err, LOOM_EINPUT, PARTS("no matrix"), "NULL");
	assert_memory_equal(&lcc, &before, sizeof lcc);
}

static void test_lcc_json(void **state)
{
	(void)state;
	struct loom_lcc lcc;
	struct loom_err err = {0};
	const char *text = " {\"n\":3,\"kind\":\"gather\",\"A\":[3,2,4],\"b\":5}\n";
	assert_int_equal(loom_lcc_parse(&lcc, text, strlen(text), "FILE", &err), 0);
	assert_int_equal(lcc.kind, LOOM_LCC_PERMUTATION); // of full rank
	assert_int_equal(lcc.b, 5);
	text = "{\"n\":3,\"kind\":\"scatter\",\"A\":[3,2,4]}"; // no b; a scatter stays one
	assert_int_equal(loom_lcc_parse(&lcc, text, strlen(text), "FILE", &err), 0);
	assert_int_equal(lcc.kind, LOOM_LCC_SCATTER);
	assert_int_equal(lcc.b, 0);
	text = "{\"n\":2,\"kind\":\"gather\",\"A\":[\"0x3\",\"0X0\"],\"b\":\"0x2\"}";
	assert_int_equal(loom_lcc_parse(&lcc, text, strlen(text), "FILE", &err), 0);
	assert_int_equal(lcc.kind, LOOM_LCC_GATHER);
	assert_int_equal(lcc.a.row[0], 3);
	assert_int_equal(lcc.b, 2);

	lcc_fails("[{\"n\":1}]", PARTS("line 1, column 1", "set:FILE"));
	lcc_fails("{\"n\":2,\n\"kind\":}", PARTS("line 2", "not JSON"));
	lcc_fails("{\"n\":1,\"kind\":\"gather\",\"A\":[0]} x", PARTS("line 1", "not JSON", "end of file expected"));
	lcc_fails("{\"n\":1,\"n\":1,\"kind\":\"gather\",\"A\":[0]}", PARTS("not JSON", "duplicate"));
	lcc_fails("{\"kind\":\"gather\",\"A\":[0]}", PARTS("no \"n\""));
	lcc_fails("{\"n\":1,\"A\":[0]}", PARTS("no \"kind\""));
	lcc_fails("{\"n\":1,\"kind\":\"gather\"}", PARTS("no \"A\""));
	lcc_fails("{\"n\":1,\"kind\":\"gather\",\"A\":[0],\"B\":0}", PARTS("unknown key \"B\""));
	lcc_fails("{\"n\":1,\"kind\":\"gather\",\"A\":[0],\"\\n\\u00e9\":0}", PARTS("unknown key \"?"));
	lcc_fails("{\"n\":0,\"kind\":\"gather\",\"A\":[]}", PARTS("n is 0", "1..64"));
	lcc_fails("{\"n\":65,\"kind\":\"gather\",\"A\":[]}", PARTS("n is 65", "1..64"));
	lcc_fails("{\"n\":4000000000,\"kind\":\"gather\",\"A\":[]}", PARTS("n is 4000000000", "1..64"));
	lcc_fails("{\"n\":-1,\"kind\":\"gather\",\"A\":[]}", PARTS("n is -1"));
	lcc_fails("{\"n\":2.5,\"kind\":\"gather\",\"A\":[]}", PARTS("n is 2.5"));
	lcc_fails("{\"n\":\"2\",\"kind\":\"gather\",\"A\":[]}", PARTS("n is \"2\""));
	lcc_fails("{\"n\":2,\"kind\":\"perm\",\"A\":[1,2]}", PARTS("kind is \"perm\"", "\"permutation\""));
	lcc_fails("{\"n\":2,\"kind\":null,\"A\":[1,2]}", PARTS("kind is null"));
	lcc_fails("{\"n\":2,\"kind\":\"gather\",\"A\":3}", PARTS("A is 3", "list"));
	lcc_fails("{\"n\":2,\"kind\":\"gather\",\"A\":[1]}", PARTS("A has 1 rows", "n = 2", "square"));
	lcc_fails("{\"n\":2,\"kind\":\"gather\",\"A\":[1,2,3]}", PARTS("A has 3 rows", "n = 2"));
	lcc_fails("{\"n\":2,\"kind\":\"gather\",\"A\":[1,4]}", PARTS("A[1] is 4", "0..3", "n = 2"));
	lcc_fails("{\"n\":2,\"kind\":\"gather\",\"A\":[-1,2]}", PARTS("A[0] is -1", "0..3"));
	lcc_fails("{\"n\":2,\"kind\":\"gather\",\"A\":[1.0,2]}", PARTS("A[0] is 1", "integer"));
	lcc_fails("{\"n\":2,\"kind\":\"gather\",\"A\":[[1,0],[0,1]]}", PARTS("A[0] is a list"));
	lcc_fails("{\"n\":2,\"kind\":\"gather\",\"A\":[true,{}]}", PARTS("A[0] is true"));
	lcc_fails("{\"n\":2,\"kind\":\"gather\",\"A\":[1,{}]}", PARTS("A[1] is an object"));
	lcc_fails("{\"n\":2,\"kind\":\"gather\",\"A\":[\"0x4\",2]}", PARTS("A[0] is \"0x4\"", "0..3"));
	lcc_fails("{\"n\":2,\"kind\":\"gather\",\"A\":[\"0x\",2]}", PARTS("A[0] is \"0x\""));
	lcc_fails("{\"n\":2,\"kind\":\"gather\",\"A\":[\"11\",2]}", PARTS("A[0] is \"11\""));
	lcc_fails("{\"n\":2,\"kind\":\"gather\",\"A\":[\"0x1g\",2]}", PARTS("A[0] is \"0x1g\""));
	lcc_fails("{\"n\":64,\"kind\":\"gather\",\"A\":[9223372036854775808]}", PARTS("not JSON", "big integer"));
	// At n = 64 every 64-bit word fits: a sign and a 65th bit must not be lost.
	static const char *const last[] = {"-1", "\"0x10000000000000000\"", "\"0xfffffffffffffffff\""};
	for (size_t i = 0; i < 3; i++) {
		char whole[512], *at = whole + sprintf(whole, "{\"n\":64,\"kind\":\"gather\",\"A\":[");
		for (unsigned row = 0; row < 63; row++)
			at += sprintf(at, "0,");
		(void)sprintf(at, "%s]}", last[i]);
		lcc_fails(whole, PARTS("A[63] is", last[i], "0..18446744073709551615"));
	}
	lcc_fails("{\"n\":2,\"kind\":\"gather\",\"A\":[1,2],\"b\":4}", PARTS("b is 4", "0..3"));
	lcc_fails("{\"n\":2,\"kind\":\"gather\",\"A\":[1,2],\"b\":-1}", PARTS("b is -1"));
	lcc_fails("{\"n\":2,\"kind\":\"gather\",\"A\":[1,2],\"b\":null}", PARTS("b is null"));
	lcc_fails("{\"n\":2,\"kind\":\"permutation\",\"A\":[1,1]}", PARTS("rank 1", "n = 2", "gather"));
	char *large = malloc(2000000);
	assert_non_null(large);
	memset(large, ' ', 2000000);
	large[0] = '{';
	large[1999999] = 0;
	lcc_fails(large, PARTS("1999999 bytes"));
	free(large);
}

static void test_lcc_round_trip(void **state)
{
	(void)state;
	static const unsigned sizes[] = {1, 2, 10, 62, 63, 64};
	struct loom_rng rng;
	loom_rng_init(&rng, 3);
	for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
		for (unsigned trial = 0; trial < 30; trial++) {
			unsigned n = sizes[s];
			struct loom_lcc lcc = {.kind = (enum loom_lcc_kind)(trial % 3), .a = {.n = n}}, back;
			do {
				for (unsigned i = 0; i < n; i++)
					lcc.a.row[i] = loom_rng_next(&rng) & loom_gf2_mask(n);
				if (lcc.kind == LOOM_LCC_GATHER)
					lcc.a.row[n - 1] = lcc.a.row[0] = 0;
			} while (lcc.kind == LOOM_LCC_PERMUTATION && loom_gf2_rank(&lcc.a) != n);
			lcc.b = loom_rng_next(&rng) & loom_gf2_mask(n);

			char json[4096], lines[8192], *at = json;
			struct loom_err err = {0};
			static const char *const kinds[] = {"permutation", "gather", "scatter"};
			at += sprintf(at, "{\"n\":%u,\"kind\":\"%s\",\"A\":[", n, kinds[lcc.kind]);
			for (unsigned i = 0; i < n; i++) // hexadecimal where JSON integers end, otherwise in turn
				at += sprintf(at,
				              lcc.a.row[i] >> 63 || trial % 2 ? "%s\"0x%" PRIx64 "\"" : "%s%" PRIu64,
				              i ? "," : "", lcc.a.row[i]);
			(void)sprintf(at, "],\"b\":\"0x%" PRIX64 "\"}", lcc.b);
			if (loom_lcc_parse(&back, json, strlen(json), "FILE", &err) != 0)
				fail_msg("%s: %s", json, err.text);
			assert_int_equal(back.kind, lcc.kind);
			assert_int_equal(back.b, lcc.b);
			assert_memory_equal(&back.a, &lcc.a, sizeof lcc.a);

			if (lcc.kind == LOOM_LCC_SCATTER)
				continue;
			at = lines;
			for (unsigned i = 0; i <= n; i++, *at++ = '\n')
				for (unsigned j = 0; j < n; j++)
					*at++ = (i < n ? lcc.a.row[i] : lcc.b) >> j & 1 ? '1' : '0';
			assert_int_equal(loom_lcc_parse(&back, lines, (size_t)(at - lines), "FILE", &err), 0);
			assert_int_equal(back.kind, lcc.kind);
			assert_int_equal(back.b, lcc.b);
			assert_memory_equal(&back.a, &lcc.a, sizeof lcc.a);
		}
}

static void set_fails(const char *text, size_t length, const char *const parts[])
{
	struct loom_lcc *lccs = (struct loom_lcc *)8;
	uint32_t n = 77;
	struct loom_err err = {0};
	int code = loom_lcc_set_parse(&lccs, &n, text, length, "FILE", &err);
	check_error(code, &err, LOOM_EINPUT, parts, "set");
	assert_ptr_equal(lccs, (struct loom_lcc *)8);
	assert_int_equal(n, 77);
}

static void test_set(void **state)
{
	(void)state;
	struct loom_lcc *lccs = NULL;
	uint32_t n = 0;
	struct loom_err err = {0};
#define ONE "{\"n\":2,\"kind\":\"permutation\",\"A\":[1,2],\"b\":1}"
#define TWO "{\"n\":2,\"kind\":\"scatter\",\"A\":[1,1],\"b\":0}"
	const char *text = "[" ONE ",\n" TWO "]";
	assert_int_equal(loom_lcc_set_parse(&lccs, &n, text, strlen(text), "FILE", &err), 0);
	assert_int_equal(n, 2);
	assert_int_equal(lccs[0].b, 1);
	assert_int_equal(lccs[1].kind, LOOM_LCC_SCATTER);
	free(lccs);
	struct loom_pattern p = parse_text("set", text, strlen(text), 4);
	assert_int_equal(p.n_members, 2);
	loom_pattern_free(&p);

	static const struct {
		const char *text, *parts[3];
	} cases[] = {
		{"", {"line 1", "JSON list", "lcc:FILE"}},
		{"\n " ONE, {"line 2, column 2", "JSON list", "lcc:FILE"}},
		{"[]", {"0 communications", "1 to 4096"}},
		{"[" ONE, {"not JSON", "line 1"}},
		{"[" ONE "]]", {"not JSON", "end of file"}},
		{"[" ONE ",3]", {"member 1", "3, not an object"}},
		{"[" ONE ",{\"n\":3,\"kind\":\"gather\",\"A\":[0,0,0]}]", {"member 1", "n is 3", "member 0 is 2"}},
		{"[" ONE "," ONE ",{\"n\":2,\"kind\":\"gather\",\"A\":[0,5]}]", {"member 2", "A[1] is 5"}},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		set_fails(cases[i].text, strlen(cases[i].text),
		          PARTS(cases[i].parts[0], cases[i].parts[1], cases[i].parts[2]));

	const size_t many = 4097, step = sizeof ONE; // the 0 becomes the comma
	char *large = malloc(many * step + 2);
	assert_non_null(large);
	for (size_t i = 0; i < many; i++) {
		memcpy(large + 1 + i * step, ONE, sizeof ONE);
		large[(i + 1) * step] = i + 1 < many ? ',' : ']';
	}
	large[0] = '[';
	set_fails(large, 1 + many * step, PARTS("4097 communications", "4096"));
	large[(many - 1) * step] = ']';
	assert_int_equal(loom_lcc_set_parse(&lccs, &n, large, 1 + (many - 1) * step, "FILE", &err), 0);
	assert_int_equal(n, 4096);
	free(lccs);
	free(large);
	char *spaces = malloc(9 << 20);
	assert_non_null(spaces);
	memset(spaces, ' ', 9 << 20);
	spaces[0] = '[';
	set_fails(spaces, 9 << 20, PARTS("9437184 bytes"));
	free(spaces);
	text_fails("set", "[" ONE "]", strlen("[" ONE "]"), 8, LOOM_EINPUT, PARTS("n = 2", "not for 8"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lcc_lines),
		cmocka_unit_test(test_lcc_json),
		cmocka_unit_test(test_lcc_round_trip),
		cmocka_unit_test(test_set),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
