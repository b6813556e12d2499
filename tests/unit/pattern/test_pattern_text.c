// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
// Checks what the parsers of bit permutations, permutations and lists of messages take, from text and from files, and
// what they refuse with which words.
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

static void test_bpc(void **state)
{
	(void)state;
	// [Sahni97], Table 2.
	static const uint32_t table[] = {9, 1, 13, 5, 11, 3, 15, 7, 8, 0, 12, 4, 10, 2, 14, 6};
	static const char *const same[] = {"bpc:[-0,1,2,-3]", "bpc:-0,1,2,-3", "bpc: [ -0 , 1,\t2 ,-3 ] "};
	for (size_t i = 0; i < 3; i++) {
		struct loom_pattern p = parse(same[i], 16);
		for (uint32_t x = 0; x < 16; x++)
			assert_int_equal(p.messages[x].destination, table[x]);
		assert_int_equal(p.n_lccs, 1);
		loom_pattern_free(&p);
	}

	// Random ones, bit by bit; the text is longer than any other at n = 64.
	struct loom_rng rng;
	loom_rng_init(&rng, 8);
	static const unsigned sizes[] = {1, 2, 3, 10, 63, 64};
	for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
		for (unsigned trial = 0; trial < 20; trial++) {
			unsigned n = sizes[s], to[64];
			bool flip[64];
			char text[512], *at = text;
			struct loom_lcc lcc;
			struct loom_err err = {0};
			for (unsigned i = 0; i < n; i++) {
				unsigned j = (unsigned)loom_rng_below(&rng, i + 1);
				to[i] = to[j];
				to[j] = i;
				flip[i] = loom_rng_next(&rng) & 1;
			}
			for (unsigned i = n; i-- > 0;)
				at += sprintf(at, "%s%u%s", flip[i] ? "-" : "", to[i], i ? "," : "");
			if (loom_bpc_parse(&lcc, text, strlen(text), "bpc", &err) != 0)
				fail_msg("%s: %s", text, err.text);
			assert_true(loom_gf2_is_valid(&lcc.a));
			assert_int_equal(lcc.kind, LOOM_LCC_PERMUTATION);
			uint64_t x = loom_rng_next(&rng) & loom_gf2_mask(n), y = 0;
			for (unsigned i = 0; i < n; i++)
				y |= ((x >> i & 1) ^ flip[i]) << to[i];
			assert_int_equal(slow_apply(&lcc, x), y);
		}

	static const struct {
		const char *text, *parts[3];
	} cases[] = {
		{"", {"column 1", "element 0"}},
		{"[]", {"column 2", "element 0"}},
		{"0,", {"column 3", "element 1"}},
		{"0,,1", {"column 3", "element 1"}},
		{"1 0", {"column 3", "no comma"}},
		{"[1 0]", {"column 4", "comma"}},
		{"[1,0", {"column 5", "]"}},
		{"1,0]", {"column 4", "no comma"}},
		{"[1,0]x", {"column 6", "after ]"}},
		{"x", {"column 1", "element 0"}},
		{"--1,0", {"column 2", "element 0"}},
		{"+1,0", {"column 1", "element 0"}},
		{"1,-", {"column 4", "element 1"}},
		{"2,0", {"column 1", "\"2\"", "0..1"}},
		{"0,-2", {"column 4", "\"2\"", "0..1"}},
		{"0,18446744073709551616", {"column 3", "\"18446744073709551616\""}},
		{"1,-1", {"column 4", "bit 1", "twice"}},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct loom_lcc lcc, before;
		struct loom_err err = {0};
		memset(&lcc, 0xa5, sizeof lcc);
		memcpy(&before, &lcc, sizeof lcc);
		int code = loom_bpc_parse(&lcc, cases[i].text, strlen(cases[i].text), "bpc", &err);
		check_error(code, &err, LOOM_EINPUT, PARTS(cases[i].parts[0], cases[i].parts[1], cases[i].parts[2]),
		            cases[i].text);
		assert_memory_equal(&lcc, &before, sizeof lcc);
	}
	char text[200];
	for (unsigned i = 0; i < 65; i++)
		memcpy(text + 2 * i, "0,", 2);
	struct loom_lcc lcc;
	struct loom_err err = {0};
	int code = loom_bpc_parse(&lcc, text, 129, "bpc", &err);
	check_error(code, &err, LOOM_EINPUT, PARTS("column 129", "more than 64"), "65 elements");
}

static void test_perm(void **state)
{
	(void)state;
	static const char *const same[] = {"3,1,0,2", "3 1 0 2", " 3\t1,\r\n0 ,2\n", "3\n1\n0\n2", "03,01,000,2"};
	for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
		uint32_t *map = NULL;
		struct loom_err err = {0};
		assert_int_equal(loom_perm_parse(&map, 4, same[i], strlen(same[i]), "FILE", &err), 0);
		assert_memory_equal(map, ((uint32_t[]){3, 1, 0, 2}), 16);
		free(map);
		struct loom_pattern p = parse_text("perm", same[i], strlen(same[i]), 4);
		assert_int_equal(p.messages[2].destination, 0);
		loom_pattern_free(&p);
	}
	struct loom_pattern p = parse("perm:3,1,0,2", 4);
	assert_string_equal(p.name, "perm:3,1,0,2");
	assert_int_equal(p.n_lccs, 1);
	loom_pattern_free(&p);
	p = parse("perm:1,0,2,3,4,5,6,7", 8);
	assert_int_equal(p.n_lccs, 0);
	loom_pattern_free(&p);
	p = parse("perm:0", 1);
	loom_pattern_free(&p);
	p = parse("perm:2 0 1", 3);
	loom_pattern_free(&p);

	static const struct {
		const char *text, *parts[3];
	} cases[] = {
		{"", {"0 destinations for 4", "destination 0 is missing"}},
		{"0,1,3", {"3 destinations for 4", "destination 2 is missing"}},
		{"0,1,2,3,0", {"column 9", "more than 4"}},
		{"0,1,2,3,", {"column 9", "after the last comma"}},
		{"0,1\n2,4", {"line 2, column 3", "\"4\"", "0..3"}},
		{"0,1\n2,2", {"line 2, column 3", "2 is repeated", "2 and 3"}},
		{"0,,1,2,3", {"column 3", "nothing", "0..3"}},
		{",0,1,2,3", {"column 1", "nothing"}},
		{"0,-1,2,3", {"column 3", "\"-1\""}},
		{"0,1x,2,3", {"column 3", "\"1x\""}},
		{"0;1;2;3", {"column 1", "\"0;1;2;3\""}},
		{"0,1.0,2,3", {"column 3", "\"1.0\""}},
		{"0,4294967297,2,3", {"column 3", "\"4294967297\""}},
		{"0,18446744073709551617,2,3", {"column 3", "\"18446744073709551617\"", "out of range"}},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		uint32_t *map = (uint32_t *)8;
		struct loom_err err = {0};
		int code = loom_perm_parse(&map, 4, cases[i].text, strlen(cases[i].text), "FILE", &err);
		check_error(code, &err, LOOM_EINPUT,
		            PARTS("FILE", cases[i].parts[0], cases[i].parts[1], cases[i].parts[2]), cases[i].text);
		assert_ptr_equal(map, (uint32_t *)8);
	}
	uint32_t *map = NULL;
	struct loom_err err = {0};
	int code = loom_perm_parse(&map, 0, "", 0, "FILE", &err);
	check_error(code, &err, LOOM_EINPUT, PARTS("0 processors"), "0");
	code = loom_perm_parse(&map, UINT32_MAX, "", 0, "FILE", &err);
	check_error(code, &err, LOOM_EINPUT, PARTS("4294967295 processors"), "many");
}

// A text's name is shown with its last 95 characters.
static void test_where(void **state)
{
	(void)state;
	char name[97];
	uint32_t *map = NULL;
	struct loom_err err = {0};
	for (size_t i = 0; i < 96; i++)
		name[i] = (char)('a' + i % 26);
	name[96] = '\0';
	assert_int_equal(loom_perm_parse(&map, 2, "x", 1, name + 1, &err), LOOM_EINPUT);
	assert_memory_equal(err.text, name + 1, 95);
	assert_memory_equal(err.text + 95, ", line 1, column 1: ", 20);
	assert_int_equal(loom_perm_parse(&map, 2, "x", 1, name, &err), LOOM_EINPUT);
	assert_memory_equal(err.text, "...", 3);
	assert_memory_equal(err.text + 3, name + 4, 92);
	assert_memory_equal(err.text + 95, ", line 1", 8);
}

static void test_messages(void **state)
{
	(void)state;
	const char *text = "# by hand\n\nSource, Destination,flits\r\n0,1\n 2 ,\t3, 5 \r\n# more\n3,3,16777215";
	struct loom_message_list list = {0};
	struct loom_err err = {0};
	if (loom_messages_parse(&list, 4, 17, text, strlen(text), "FILE", &err) != 0)
		fail_msg("%s", err.text);
	assert_int_equal(list.n, 3);
	assert_int_equal(list.messages[0].source, 0);
	assert_int_equal(list.messages[0].destination, 1);
	assert_int_equal(list.messages[0].flits, 17);
	assert_int_equal(list.messages[1].source, 2);
	assert_int_equal(list.messages[1].destination, 3);
	assert_int_equal(list.messages[1].flits, 5);
	assert_int_equal(list.messages[2].destination, 3);
	assert_int_equal(list.messages[2].flits, 16777215);
	assert_int_equal(list.messages[2].member, 0);
	loom_message_list_free(&list);
	struct loom_pattern p = parse_text("messages", text, strlen(text), 4);
	assert_int_equal(p.n_messages, 3);
	assert_int_equal(p.n_lccs, 0);
	loom_pattern_free(&p);
	text = "source,destination,flits,count\n3,1,5,3\n0,1,2,70\n0,2\n";
	p = parse_text("messages", text, strlen(text), 4);
	assert_int_equal(p.n_messages, 74);
	for (size_t i = 0; i < 74; i++) {
		assert_int_equal(p.messages[i].source, i < 3 ? 3 : 0);
		assert_int_equal(p.messages[i].destination, i < 73 ? 1 : 2);
		assert_int_equal(p.messages[i].flits, i < 3 ? 5 : i < 73 ? 2 : 17);
	}
	loom_pattern_free(&p);
	text = "source,destination\n1,0\n0,1,2\n";
	p = parse_text("messages", text, strlen(text), 2);
	assert_int_equal(p.n_lccs, 1); // recognised, so in ascending order of source
	assert_int_equal(p.messages[0].flits, 2);
	assert_int_equal(p.messages[1].flits, 17);
	loom_pattern_free(&p);

	static const struct {
		const char *text, *parts[3];
	} cases[] = {
		{"", {"no message"}},
		{"# nothing\nsource,destination\n", {"line 3", "no message"}},
		{"0\n", {"line 1, column 2", "no destination"}},
		{"0 1\n", {"line 1, column 3", "no destination"}},
		{"0,\n", {"line 1, column 3", "destination is nothing"}},
		{",1\n", {"line 1, column 1", "source is nothing"}},
		{"0,1,\n", {"line 1, column 5", "flits is nothing"}},
		{"0,1,2,\n", {"line 1, column 7", "count is nothing"}},
		{"0,1,2,0\n", {"line 1, column 7", "count \"0\"", "1..1048576"}},
		{"0,1,2,3,4\n", {"line 1, column 8", "more than"}},
		{"0,1\n0,1,2,1048576\n", {"line 2, column 1", "more than 1048576 messages"}},
		{"0,1 2\n", {"line 1, column 5", "more than"}},
		{"0,1\n4,0\n", {"line 2, column 1", "source \"4\"", "0..3, as there can be no more tasks than nodes"}},
		{"0,1\n0,4\n", {"line 2, column 3", "destination \"4\"", "0..3"}},
		{"0,1,0\n", {"line 1, column 5", "flits \"0\"", "1..16777215"}},
		{"0,1,4294967296\n", {"column 5", "flits \"4294967296\""}},
		{"0,1,99999999999999999999\n", {"column 5", "flits \"99999999999999999999\""}},
		{"0,-1\n", {"column 3", "\"-1\""}},
		{"0,1.5\n", {"column 3", "\"1.5\""}},
		{"src,dst\n", {"line 1, column 1", "\"src\" in the heading", "source,destination"}},
		{"destination,source\n", {"\"destination\" in the heading"}},
		{"source\n", {"line 1", "no destination in the heading"}},
		{"source,destination,size\n", {"column 20", "\"size\" in the heading"}},
		{"source,destination,flits,more\n", {"\"more\" in the heading"}},
		{"source,destination flits\n", {"comma", "heading"}},
		{"0,1\nsource,destination\n", {"line 2, column 1", "\"source\""}},
		{"source,destination\nsource,destination\n", {"line 2, column 1", "\"source\""}},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		list = (struct loom_message_list){.n = 77, .messages = (struct loom_message *)8};
		int code = loom_messages_parse(&list, 4, 17, cases[i].text, strlen(cases[i].text), "FILE", &err);
		check_error(code, &err, LOOM_EINPUT,
		            PARTS("FILE", cases[i].parts[0], cases[i].parts[1], cases[i].parts[2]), cases[i].text);
		assert_ptr_equal(list.messages, (struct loom_message *)8);
		assert_int_equal(list.n, 77);
	}
	int code = loom_messages_parse(&list, 4, 0, "0,1", 3, "FILE", &err);
	check_error(code, &err, LOOM_EINPUT, PARTS("0 flits"), "default flits");
	code = loom_messages_parse(&list, 0, 1, "0,1", 3, "FILE", &err);
	check_error(code, &err, LOOM_EINPUT, PARTS("0 processors"), "nodes");

	const size_t many = LOOM_MESSAGES_MAX + 1;
	char *large = malloc(many * 4);
	assert_non_null(large);
	for (size_t i = 0; i < many; i++)
		memcpy(large + 4 * i, "0,1\n", 4);
	code = loom_messages_parse(&list, 4, 1, large, many * 4, "FILE", &err);
	check_error(code, &err, LOOM_EINPUT, PARTS("line 1048577", "more than 1048576"), "too many");
	assert_int_equal(loom_messages_parse(&list, 4, 1, large, many * 4 - 4, "FILE", &err), 0);
	assert_int_equal(list.n, LOOM_MESSAGES_MAX);
	loom_message_list_free(&list);
	free(large);
}

static void test_files(void **state)
{
	(void)state;
	struct loom_pattern p = parse_text("lcc",
	                                   "\xef\xbb\xbf"
	                                   "01\r\n10\r\n",
	                                   11, 4); // as some editors write it
	assert_int_equal(p.n_lccs, 1);
	assert_int_equal(p.messages[1].destination, 2);
	loom_pattern_free(&p);
	text_fails("lcc", "01\n1\0\n", 6, 4, LOOM_EFILE, PARTS("/tmp/loom_pattern", "not a text file", "byte 4 is 0"));
	text_fails("messages",
	           "\x7f"
	           "ELF\2\1\1\0\0\0",
	           10, 4, LOOM_EFILE, PARTS("not a text file"));
	text_fails("lcc", "", 0, 4, LOOM_EINPUT, PARTS("/tmp/loom_pattern", "no matrix"));
	text_fails("perm", "", 0, 4, LOOM_EINPUT, PARTS("/tmp/loom_pattern", "destination 0 is missing"));
	text_fails("messages", "", 0, 4, LOOM_EINPUT, PARTS("/tmp/loom_pattern", "no message"));
	text_fails("set", "", 0, 4, LOOM_EINPUT, PARTS("/tmp/loom_pattern", "JSON list"));
	text_fails("lcc", "01\n10\n", 6, 8, LOOM_EINPUT, PARTS("n = 2", "not for 8"));
	text_fails("lcc", "{\"n\":64,\"kind\":\"gather\"}", 24, 8, LOOM_EINPUT, PARTS("no \"A\""));

	// Longer than the first read, over a pipe, whose size nobody knows.
	int ends[2];
	char spec[64];
	assert_int_equal(pipe(ends), 0);
	pid_t writer = fork();
	assert_true(writer >= 0);
	if (writer == 0) {
		for (unsigned i = 0; i < 40000; i++)
			if (write(ends[1], "0,1,2\n", 6) != 6)
				_exit(1);
		_exit(0);
	}
	close(ends[1]);
	(void)snprintf(spec, sizeof spec, "messages:/dev/fd/%d", ends[0]);
	p = parse(spec, 4);
	assert_int_equal(p.n_messages, 40000);
	loom_pattern_free(&p);
	close(ends[0]);
	assert_int_equal(waitpid(writer, NULL, 0), writer);

	const char *path = write_file("0,1\n", 4);
	(void)snprintf(spec, sizeof spec, "messages:%s", path);
	assert_int_equal(truncate(path, (1l << 30) + 1), 0);
	parse_fails(spec, 4, LOOM_EFILE, PARTS("1024 MiB"));
	if (geteuid() != 0) {
		assert_int_equal(chmod(path, 0), 0);
		parse_fails(spec, 4, LOOM_EFILE, PARTS("Permission denied"));
	}
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bpc),      cmocka_unit_test(test_perm),  cmocka_unit_test(test_where),
		cmocka_unit_test(test_messages), cmocka_unit_test(test_files),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
