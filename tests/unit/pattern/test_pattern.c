// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
// Patterns: the type, specifications.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "unit/help/patterns.h"
#include "base/rng.h"
#include "base/suggest.h"

enum { BITS = 10, NODES = 1 << BITS }; // the largest that most tests here look at

// ---- The type ----

// In decimal, valid until the next call.
static const char *number(unsigned value)
{
	static char text[16];
	(void)snprintf(text, sizeof text, "%u", value);
	return text;
}

static void test_from_messages(void **state)
{
	(void)state;
	struct loom_err err = {0};
	struct loom_pattern p, q;
	struct loom_rng rng;
	struct loom_message m[NODES];
	loom_rng_init(&rng, 5);

	for (unsigned n = 1; n <= 10; n++)
		for (uint64_t seed = 0; seed < 5; seed++) {
			char spec[32];
			struct loom_pattern_options options = {.flits = 3, .seed = seed};
			(void)snprintf(spec, sizeof spec, "random-lcc:%u", n);
			p = parse_with(spec, 1u << n, &options);
			// In any order, and with flits of any number.
			memcpy(m, p.messages, p.n_messages * sizeof m[0]);
			for (size_t i = p.n_messages; i > 1; i--) {
				size_t j = loom_rng_below(&rng, i);
				struct loom_message t = m[i - 1];
				m[i - 1] = m[j];
				m[j] = t;
			}
			m[0].flits = 99;
			m[0].member = 7; // the caller's member does not count: one member
			assert_int_equal(loom_pattern_from_messages(&q, "some", p.n_nodes, m, p.n_messages, &err), 0);
			check_invariants(&q, "some");
			assert_int_equal(q.n_lccs, 1);
			assert_memory_equal(&q.lccs[0].a, &p.lccs[0].a, sizeof p.lccs[0].a);
			assert_int_equal(q.lccs[0].b, p.lccs[0].b);
			assert_int_equal(q.lccs[0].kind, LOOM_LCC_PERMUTATION);
			assert_int_equal(q.messages[m[0].source].flits, 99);
			loom_pattern_free(&q);

			// One message less; two from one source; two to one destination: kept in their order.
			if (n > 1) {
				assert_int_equal(
					loom_pattern_from_messages(&q, "some", p.n_nodes, m, p.n_messages - 1, &err),
					0);
				check_invariants(&q, "some");
				assert_int_equal(q.n_lccs, 0);
				assert_int_equal(q.messages[0].source, m[0].source);
				loom_pattern_free(&q);
			}
			uint32_t source = m[1].source, destination = m[1].destination;
			m[1].source = m[0].source;
			assert_int_equal(loom_pattern_from_messages(&q, "some", p.n_nodes, m, p.n_messages, &err), 0);
			assert_int_equal(q.n_lccs, 0);
			loom_pattern_free(&q);
			m[1].source = source;
			m[1].destination = m[0].destination;
			assert_int_equal(loom_pattern_from_messages(&q, "some", p.n_nodes, m, p.n_messages, &err), 0);
			assert_int_equal(q.n_lccs, 0);
			loom_pattern_free(&q);
			// Two destinations exchanged: still a permutation, linear no more (all of 2 and 4 processors
			// are).
			m[1].destination = m[0].destination;
			m[0].destination = destination;
			assert_int_equal(loom_pattern_from_messages(&q, "some", p.n_nodes, m, p.n_messages, &err), 0);
			check_invariants(&q, "some");
			assert_int_equal(q.n_lccs, n <= 2);
			loom_pattern_free(&q);
			loom_pattern_free(&p);
		}

	struct loom_pattern before;
	memset(&q, 0xa5, sizeof q);
	memcpy(&before, &q, sizeof q);
	m[0] = (struct loom_message){.source = 1, .destination = 2, .flits = 1};
	m[1] = (struct loom_message){.source = 4, .destination = 2, .flits = 1};
	m[2] = (struct loom_message){.source = 1, .destination = 5, .flits = 1};
	m[3] = (struct loom_message){.source = 1, .destination = 2, .flits = 0};
	int code = loom_pattern_from_messages(&q, "x", 4, m, 2, &err);
	check_error(code, &err, LOOM_EINPUT, PARTS("message 1", "from 4 to 2", "0..3"), "source");
	code = loom_pattern_from_messages(&q, "x", 4, m + 2, 1, &err);
	check_error(code, &err, LOOM_EINPUT, PARTS("message 0", "from 1 to 5"), "destination");
	code = loom_pattern_from_messages(&q, "x", 4, m + 3, 1, &err);
	check_error(code, &err, LOOM_EINPUT, PARTS("message 0", "0 flits"), "flits");
	code = loom_pattern_from_messages(&q, "x", 4, m, 0, &err);
	check_error(code, &err, LOOM_EINPUT, PARTS("0 messages"), "none");
	code = loom_pattern_from_messages(&q, "x", 4, m, LOOM_MESSAGES_MAX + 1, &err);
	check_error(code, &err, LOOM_EINPUT, PARTS("1048577 messages"), "too many");
	code = loom_pattern_from_messages(&q, "x", 0, m, 1, &err);
	check_error(code, &err, LOOM_EINPUT, PARTS("0 processors", number(LOOM_NODES_MAX)), "no nodes");
	code = loom_pattern_from_messages(&q, "x", LOOM_NODES_MAX + 1, m, 1, &err);
	check_error(code, &err, LOOM_EINPUT, PARTS("processors", number(LOOM_NODES_MAX)), "nodes");
	assert_memory_equal(&q, &before, sizeof q);
}

static void test_from_lccs(void **state)
{
	(void)state;
	struct loom_err err = {0};
	struct loom_pattern p, before;
	struct loom_lcc lccs[2] = {{.kind = LOOM_LCC_PERMUTATION}, {.kind = LOOM_LCC_SCATTER}};
	loom_gf2_identity(&lccs[0].a, 3);
	loom_gf2_identity(&lccs[1].a, 3);
	lccs[1].a.row[2] = 0;
	assert_int_equal(loom_pattern_from_lccs(&p, "pair", lccs, 2, 9, &err), 0);
	check_invariants(&p, "pair");
	assert_string_equal(p.name, "pair");
	assert_int_equal(p.n_messages, 16);
	assert_int_equal(p.messages[15].source, 3);
	assert_int_equal(p.messages[15].destination, 7);
	assert_int_equal(p.messages[15].flits, 9);
	loom_pattern_free(&p);
	assert_null(p.messages);
	assert_int_equal(p.n_nodes, 0);
	loom_pattern_free(&p);
	loom_pattern_free(NULL);

	memset(&p, 0xa5, sizeof p);
	memcpy(&before, &p, sizeof p);
	int code = loom_pattern_from_lccs(&p, "x", lccs, 0, 1, &err);
	check_error(code, &err, LOOM_EINPUT, PARTS("at least one"), "none");
	code = loom_pattern_from_lccs(&p, "x", lccs, 1, 0, &err);
	check_error(code, &err, LOOM_EINPUT, PARTS("0 flits"), "flits");
	lccs[1].kind = LOOM_LCC_PERMUTATION;
	code = loom_pattern_from_lccs(&p, "x", lccs, 2, 1, &err);
	check_error(code, &err, LOOM_EINPUT, PARTS("communication 1", "nonsingular", "rank 2 of 3"), "singular");
	lccs[1].kind = LOOM_LCC_GATHER;
	lccs[1].b = 8;
	code = loom_pattern_from_lccs(&p, "x", lccs, 2, 1, &err);
	check_error(code, &err, LOOM_EINPUT, PARTS("communication 1", "b = 0x8", "n = 3"), "b");
	lccs[1].b = 0;
	lccs[1].a.row[0] = 8;
	code = loom_pattern_from_lccs(&p, "x", lccs, 2, 1, &err);
	check_error(code, &err, LOOM_EINPUT, PARTS("communication 1"), "row");
	loom_gf2_identity(&lccs[1].a, 4);
	code = loom_pattern_from_lccs(&p, "x", lccs, 2, 1, &err);
	check_error(code, &err, LOOM_EINPUT, PARTS("communication 1", "n = 4", "n = 3"), "n");
	unsigned large[] = {0, 31, 32, 33, 63, 64};
	while (UINT32_C(1) << large[0] <= LOOM_NODES_MAX)
		large[0]++;
	for (size_t i = 0; i < sizeof large / sizeof large[0]; i++) {
		char n[16];
		(void)snprintf(n, sizeof n, "n = %u ", large[i]);
		loom_gf2_identity(&lccs[0].a, large[i]);
		code = loom_pattern_from_lccs(&p, "x", lccs, 1, 1, &err);
		check_error(code, &err, LOOM_EINPUT, PARTS(n, number(LOOM_NODES_MAX)), "large n");
	}
	struct loom_lcc *many = calloc(NODES + 1, sizeof *many);
	assert_non_null(many);
	for (size_t i = 0; i <= NODES; i++)
		loom_gf2_identity(&many[i].a, BITS);
	code = loom_pattern_from_lccs(&p, "x", many, NODES + 1, 1, &err);
	check_error(code, &err, LOOM_EINPUT, PARTS("1025 communications", "1048576"), "too many");
	free(many);
	assert_memory_equal(&p, &before, sizeof p);
}

static void test_apply(void **state)
{
	(void)state;
	struct loom_rng rng;
	loom_rng_init(&rng, 11);
	static const unsigned sizes[] = {1, 2, 31, 32, 33, 63, 64};
	for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
		for (unsigned trial = 0; trial < 50; trial++) {
			struct loom_lcc lcc = {.kind = LOOM_LCC_GATHER, .a = {.n = sizes[s]}};
			for (unsigned i = 0; i < sizes[s]; i++)
				lcc.a.row[i] = loom_rng_next(&rng) & loom_gf2_mask(sizes[s]);
			lcc.b = loom_rng_next(&rng) & loom_gf2_mask(sizes[s]);
			uint64_t v = loom_rng_next(&rng) & loom_gf2_mask(sizes[s]);
			assert_int_equal(loom_lcc_apply(&lcc, v), slow_apply(&lcc, v));
		}
}

static void test_name(void **state)
{
	(void)state;
	struct loom_message m = {.flits = 1};
	struct loom_pattern p;
	char name[200], wanted[200];
	static const size_t lengths[] = {1, 126, 127, 128, 199};
	for (size_t i = 0; i < 5; i++) {
		memset(name, 'a', lengths[i]);
		name[lengths[i]] = 0;
		assert_int_equal(loom_pattern_from_messages(&p, name, 1, &m, 1, NULL), 0);
		strcpy(wanted, name);
		if (lengths[i] > 127)
			strcpy(wanted + 124, "...");
		assert_string_equal(p.name, wanted);
		loom_pattern_free(&p);
	}
	memset(name, 'a', 123);
	strcpy(name + 123, "\xc3\xa9 and more"); // a character across the cut goes as a whole
	assert_int_equal(loom_pattern_from_messages(&p, name, 1, &m, 1, NULL), 0);
	assert_string_equal(p.name + 120, "aaa...");
	loom_pattern_free(&p);
	assert_int_equal(loom_pattern_from_messages(&p, "a\nb\x7f \xc3\xa9", 1, &m, 1, NULL), 0);
	assert_string_equal(p.name, "a?b? \xc3\xa9");
	loom_pattern_free(&p);
	assert_int_equal(loom_pattern_from_messages(&p, "a\xe9z", 1, &m, 1, NULL), 0); // Latin-1
	assert_string_equal(p.name, "a?z");
	loom_pattern_free(&p);
}

// ---- Specifications ----

static void test_every_name(void **state)
{
	(void)state;
	static const uint32_t sizes[] = {1, 2, 3, 4, 8, 12, 16, 32, 100, 256, 1000, 1024};
	for (size_t i = 0; loom_pattern_name(i); i++)
		for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
			for (unsigned with = 0; with < 2; with++) {
				char spec[64];
				struct loom_pattern p, before;
				struct loom_err err = {0};
				(void)snprintf(spec, sizeof spec, "%s%s", loom_pattern_name(i), with ? ":0" : "");
				memset(&p, 0xa5, sizeof p);
				memcpy(&before, &p, sizeof p);
				int code = loom_pattern_parse(&p, spec, sizes[s], &defaults, &err);
				if (code == 0) {
					assert_int_equal(p.n_nodes, sizes[s]);
					check_invariants(&p, spec);
					loom_pattern_free(&p);
				} else {
					assert_true(code == LOOM_EINPUT || code == LOOM_EFILE);
					assert_int_equal(err.code, code);
					assert_true(strlen(err.text) > 10);
					assert_memory_equal(&p, &before, sizeof p);
				}
			}
}

static void test_spec_errors(void **state)
{
	(void)state;
	static const struct {
		const char *spec;
		uint32_t n_nodes;
		int code;
		const char *parts[4];
	} cases[] = {
		{"", 8, LOOM_EINPUT, {"empty"}},
		{":", 8, LOOM_EINPUT, {"unknown pattern \"\""}},
		{"transpos", 16, LOOM_EINPUT, {"unknown pattern \"transpos\"", "did you mean \"transpose\"?"}},
		{"Transpose", 16, LOOM_EINPUT, {"\"transpose\""}},
		{"bitreverse", 16, LOOM_EINPUT, {"\"bit-reverse\""}},
		{"neighbors", 16, LOOM_EINPUT, {"\"neighbor\""}},
		{"neighbours:1", 16, LOOM_EINPUT, {"\"neighbour\""}},
		{"stencils", 16, LOOM_EINPUT, {"\"stencil\""}},
		{"set:stencil2d:1x2+complement", 2, LOOM_EINPUT, {"those of a set are not"}},
		{"alltoall", 16, LOOM_EINPUT, {"alltoall:pairwise|bruck"}},
		{"all-toall", 16, LOOM_EINPUT, {"\"all-to-all\""}},
		{"xyzzy", 16, LOOM_EINPUT, {"unknown pattern \"xyzzy\"", "list patterns"}},
		{"my/file.json", 16, LOOM_EINPUT, {"my/file.json", "lcc:FILE", "messages:FILE"}},
		{"bad\nname\xff", 16, LOOM_EINPUT, {"bad?name?"}},
		{"transpose:1", 16, LOOM_EINPUT, {"transpose takes no argument", ":1"}},
		{"transpose:", 16, LOOM_EINPUT, {"transpose takes no argument"}},
		{"transpose ", 16, LOOM_EINPUT, {"\"transpose\""}},
		{"transpose", 3, LOOM_EINPUT, {"a power of two of processors, 4, not 3"}},
		{"transpose", 12, LOOM_EINPUT, {"a power of two of processors, 4 or 16, not 12"}},
		{"bit-reverse", 12, LOOM_EINPUT, {"a power of two of processors, 8 or 16, not 12"}},
		{"neighbor", 16, LOOM_EINPUT, {"neighbor needs an argument", "neighbor:BIT"}},
		{"neighbor:", 16, LOOM_EINPUT, {"neighbor needs an argument", "neighbor:BIT"}},
		{"uniform", 16, LOOM_EINPUT, {"uniform:COUNT; without one it is random traffic", "`sweep --load`"}},
		{"neighbor:4", 16, LOOM_EINPUT, {"\"4\"", "0..3"}},
		{"neighbor:-1", 16, LOOM_EINPUT, {"\"-1\"", "0..3"}},
		{"neighbor:1x", 16, LOOM_EINPUT, {"\"1x\"", "0..3"}},
		{"neighbor:18446744073709551617", 16, LOOM_EINPUT, {"\"18446744073709551617\"", "0..3"}},
		{"neighbor:4294967297", 16, LOOM_EINPUT, {"\"4294967297\""}},
		{"shift:8", 8, LOOM_EINPUT, {"shift", "\"8\"", "-7..7"}},
		{"shift:-8", 8, LOOM_EINPUT, {"shift", "\"-8\"", "-7..7"}},
		{"shift:--1", 8, LOOM_EINPUT, {"shift", "\"--1\"", "-7..7"}},
		{"shift:-", 8, LOOM_EINPUT, {"shift", "\"-\"", "-7..7"}},
		{"hotspot:12", 12, LOOM_EINPUT, {"hotspot", "\"12\"", "0..11"}},
		{"uniform:0", 12, LOOM_EINPUT, {"uniform", "\"0\"", "1..1048576"}},
		{"uniform:1048577", 12, LOOM_EINPUT, {"\"1048577\"", "1..1048576"}},
		{"uniform:5", 1, LOOM_EINPUT, {"uniform", "at least 2"}},
		{"random-lcc", 16, LOOM_EINPUT, {"random-lcc:RANK"}},
		{"random-lcc:5", 16, LOOM_EINPUT, {"\"5\"", "rank", "0..4"}},
		{"random-lcs:5", 16, LOOM_EINPUT, {"\"5\"", "rank", "0..4"}},
		{"random-lcc:2", 12, LOOM_EINPUT, {"power of two", "8 or 16", "not 12"}},
		{"bit-reverse", 1023, LOOM_EINPUT, {"bit-reverse", "power of two", "512 or 1024"}},
		{"bit-reverse", 1, LOOM_EINPUT, {"at least 2"}},
		{"fft", 3, LOOM_EINPUT, {"fft", "power of two", "2 or 4"}},
		{"example5", 8, LOOM_EINPUT, {"example5", "multiple of 2"}},
		{"identity", 0, LOOM_EINPUT, {"0 processors", "1 to"}},
		{"identity", LOOM_NODES_MAX + 1, LOOM_EINPUT, {"processors: a pattern has 1 to"}},
		{"identity", UINT32_MAX, LOOM_EINPUT, {"4294967295 processors"}},
		{"bpc:[-0,1,2,-3]", 8, LOOM_EINPUT, {"n = 4", "8"}},
		{"bpc:[0,2]", 4, LOOM_EINPUT, {"line 1, column 4", "\"2\"", "0..1"}},
		{"perm:0,1,2", 4, LOOM_EINPUT, {"perm", "3 destinations", "destination 3 is missing"}},
		{"perm:0,1,2,2", 4, LOOM_EINPUT, {"column 7", "destination 2 is repeated", "processors 2 and 3"}},
		{"perm:0,1,2,x", 4, LOOM_EINPUT, {"column 7", "\"x\"", "0..3"}},
		{"perm:[1,0]", 2, LOOM_EINPUT, {"\"[1\""}},
		{"perm:0", 2, LOOM_EINPUT, {"destination 1 is missing"}},
		{"lcc", 2, LOOM_EINPUT, {"lcc:FILE"}},
		{"lcc:/nonexistent/file", 2, LOOM_EFILE, {"/nonexistent/file", "No such file"}},
		{"set:/nonexistent/file", 2, LOOM_EFILE, {"/nonexistent/file", "No such file"}},
		{"perm:/nonexistent/file", 2, LOOM_EFILE, {"/nonexistent/file", "No such file"}},
		{"messages:/nonexistent/file", 2, LOOM_EFILE, {"/nonexistent/file", "No such file"}},
		{"lcc:/tmp", 2, LOOM_EFILE, {"/tmp", "directory"}},
		{"messages:/tmp", 2, LOOM_EFILE, {"/tmp", "directory"}},
		{"lcc:/dev/zero", 2, LOOM_EFILE, {"/dev/zero", "not a text file (byte 0 is 0)"}},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		parse_fails(cases[i].spec, cases[i].n_nodes, cases[i].code,
		            PARTS(cases[i].parts[0], cases[i].parts[1], cases[i].parts[2], cases[i].parts[3]));

	struct loom_pattern p;
	struct loom_err err = {0};
	int code = loom_pattern_parse(&p, "identity", 8, &(struct loom_pattern_options){.flits = 0}, &err);
	check_error(code, &err, LOOM_EINPUT, PARTS("0 flits"), "flits");

	// A long path must not crowd out what is wrong.
	char spec[1100] = "lcc:/";
	memset(spec + 5, 'x', 1000);
	parse_fails(spec, 8, LOOM_EFILE, PARTS("xxxx", "too long"));
	memset(spec, 'y', 1000);
	parse_fails(spec, 8, LOOM_EINPUT, PARTS("unknown pattern \"yyyy", "yyy...\""));
}

static void test_list(void **state)
{
	(void)state;
	char *text = NULL;
	size_t length = 0, i = 0;
	FILE *stream = open_memstream(&text, &length);
	assert_non_null(stream);
	loom_pattern_list(stream);
	(void)fclose(stream);
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"), i++) {
		const char *name = loom_pattern_name(i);
		assert_non_null(name);
		assert_memory_equal(line, name, strlen(name));
		assert_non_null(memchr(" :[", line[strlen(name)], 3));
		assert_true(strlen(line) > 30);
		// A pattern takes an argument exactly if the list says so; [:ARGUMENT] says that the
		// pattern has a meaning without, if not for every shape.
		struct loom_err err = {0};
		struct loom_pattern p;
		int code = loom_pattern_parse(&p, name, 256, &defaults, &err);
		if (line[strlen(name)] != '[')
			assert_int_equal(code, line[strlen(name)] == ' ' ? 0 : LOOM_EINPUT);
		if (code == 0)
			loom_pattern_free(&p);
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(name, loom_pattern_name(j));
	}
	assert_null(loom_pattern_name(i));
	assert_null(loom_pattern_name(SIZE_MAX));
	free(text);
}

static const char *one_of_three(size_t i)
{
	static const char *const names[] = {"cube", "mesh", "otis-mesh"};
	return i < 3 ? names[i] : NULL;
}

static void test_suggest(void **state)
{
	(void)state;
	assert_string_equal(loom_suggest("cubes", one_of_three), "cube");
	assert_string_equal(loom_suggest("ucbe", one_of_three), "cube"); // neighbours swapped: one edit
	assert_string_equal(loom_suggest("MESH", one_of_three), "mesh");
	assert_string_equal(loom_suggest("otismesh", one_of_three), "otis-mesh");
	assert_string_equal(loom_suggest("otis", one_of_three), "otis-mesh"); // begins with it
	assert_null(loom_suggest("ot", one_of_three));
	assert_null(loom_suggest("torus", one_of_three));
	char hint[48];
	assert_string_equal(loom_suggest_hint(hint, sizeof hint, "cubes", one_of_three), "did you mean \"cube\"?");
	assert_string_equal(loom_suggest_hint(hint, sizeof hint, "torus", one_of_three),
	                    "there is: cube, mesh, otis-mesh");
	assert_string_equal(loom_suggest_hint(hint, 20, "torus", one_of_three), "there is: cube, mes");
	assert_null(loom_suggest("", one_of_three));
	char longest[200];
	memset(longest, 'c', 199);
	longest[199] = 0;
	assert_null(loom_suggest(longest, one_of_three));
	longest[63] = 0;
	assert_null(loom_suggest(longest, one_of_three));
	assert_string_equal(loom_suggest("fft2d-row", loom_pattern_name), "fft2d-rows");
	assert_string_equal(loom_suggest("fftt", loom_pattern_name), "fft");
	assert_string_equal(loom_suggest("rotate", loom_pattern_name), "rotate-cw");
}

int main(void)
{
	const struct CMUnitTest tests[] = {

		cmocka_unit_test(test_from_messages), cmocka_unit_test(test_from_lccs),
		cmocka_unit_test(test_apply),         cmocka_unit_test(test_name),
		cmocka_unit_test(test_every_name),    cmocka_unit_test(test_spec_errors),
		cmocka_unit_test(test_list),          cmocka_unit_test(test_suggest),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
