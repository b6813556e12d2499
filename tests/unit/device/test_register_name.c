// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Addresses as people write them, and the names of addresses. The numbers are those of docs/registers.md.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <cmocka.h>

#include <flitloom/link/register_name.h>

static void test_parse(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		uint32_t address;
		const char *name; // the name of the address; NULL: the same as the text
	} rows[] = {
		{"MAGIC", 0, NULL},
		{"magic", 0, "MAGIC"},
		{"0", 0, "MAGIC"},
		{"0x2", 2, "KIND"},
		{"2", 2, "KIND"},
		{"MAGIC+2", 2, "KIND"},
		{"0XFFFFFFFF", UINT32_MAX, ""},
		{"4294967295", UINT32_MAX, ""},
		{"SHAPE", 0x30, NULL},
		{"PROGRAM_LENGTH.0", 0x10000000, NULL},
		{"NODE_STATUS.10", 0x100a0003, NULL},
		{"PROGRAM.3", 0x10032000, NULL},
		{"PROGRAM.3+2", 0x10032002, NULL},
		{"program.0xa+0x10", 0x100a2010, "PROGRAM.10+16"},
		{"LOG.4094", 0x1ffe8000, NULL},
		{"LOG.all", 0x1fff8000, NULL},
		{"LOG.0+32767", 0x1000ffff, NULL}, // the last word of a node
		{"MAP.0+0x7fff", 0x1000bfff, "LOG.0+16383"},
		{"COUNTS.1+5", 0x20010005, NULL},
		{"COUNTS.0+65535", 0x2000ffff, NULL},
		{"SETTINGS.2+33", 0x30020021, NULL},
		{"HISTORY.7+2047", 0x400707ff, NULL},
		{"AT.1+9", 0x50010009, NULL},
		{"RELEASED.1+9", 0x50018009, NULL},
		{"0x10000009", 0x10000009, ""}, // nothing is there
		{"0x80000000", 0x80000000, ""},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct loom_err err = {0};
		uint32_t address = 12345;
		char name[64];
		if (loom_register_parse(&address, rows[i].text, &err) != 0)
			fail_msg("%s: %s", rows[i].text, err.text);
		assert_int_equal(address, rows[i].address);
		loom_register_name(name, sizeof name, address);
		assert_string_equal(name, rows[i].name ? rows[i].name : rows[i].text);
	}
}

static void test_refuses(void **state)
{
	(void)state;
	static const struct {
		const char *text, *says;
	} rows[] = {
		{"", "is no address (0x26, 38) and no register"},
		{"0x", "is no address"},
		{"4294967296", "is no address"},
		{"00000000001", "is no address"}, // eleven digits
		{"stauts", "did you mean \"STATUS\"?"},
		{"SEED.1", "there is one SEED, without a number"},
		{"LOG", "\"LOG\": of which node or tile? LOG.0 is that of the first, LOG.all writes all nodes'"},
		{"LOG+1", "of which node or tile?"},
		{"LOG.4095", "after the point comes a number in 0..4094, or all"},
		{"LOG.", "after the point comes a number in 0..4094, or all"},
		{"LOG.1+", "after + comes a number of words in 0..65535"},
		{"MAGIC+65536", "after + comes a number of words in 0..65535"},
		{"LOG.0+32768", "\"LOG.0+32768\" lies beyond the last word of the node or tile, LOG+32767"},
		{"PROGRAM_LENGTH.all+0xffff", NULL},
		{"LOG_COUNT.0+0xffff", "lies beyond the last word of the node or tile, LOG_COUNT+65534"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct loom_err err = {0};
		uint32_t address = 12345;
		if (!rows[i].says) {
			assert_int_equal(loom_register_parse(&address, rows[i].text, &err), 0);
			continue;
		}
		assert_int_equal(loom_register_parse(&address, rows[i].text, &err), LOOM_EINPUT);
		if (!strstr(err.text, rows[i].says))
			fail_msg("%s: %s", rows[i].text, err.text);
		assert_int_equal(loom_register_parse(&address, rows[i].text, NULL), LOOM_EINPUT);
	}
}

// Every register is found by its name, and its address has this name.
static void test_all(void **state)
{
	(void)state;
	size_t i = 0;
	for (; loom_register_at(i); i++) {
		char text[64], name[64];
		uint32_t address;
		(void)snprintf(text, sizeof text, "%s%s", loom_register_at(i), loom_register_is_window(i) ? ".0" : "");
		assert_int_equal(loom_register_parse(&address, text, NULL), 0);
		assert_int_equal(address, loom_register_address(i));
		loom_register_name(name, sizeof name, address);
		assert_string_equal(name, text);
		assert_true(loom_register_text(i)[0] != 0);
	}
	assert_true(i > 40);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parse),
		cmocka_unit_test(test_refuses),
		cmocka_unit_test(test_all),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
