// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "golden_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

const char *golden_path(const char *name)
{
	static char path[4096];
	const char *folder = getenv("LOOM_GOLDEN");
	(void)snprintf(path, sizeof path, "%s/%s", folder ? folder : "tests/golden", name);
	return path;
}

json_t *golden_json(const char *name)
{
	json_error_t error;
	json_t *root = json_load_file(golden_path(name), 0, &error);
	if (!root)
		fail_msg("%s: %s", golden_path(name), error.text);
	return root;
}

unsigned golden_number(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);
	assert_true(json_is_integer(value));
	return (unsigned)json_integer_value(value);
}

unsigned golden_element(const json_t *array, size_t i)
{
	const json_t *value = json_array_get(array, i);
	assert_true(json_is_integer(value));
	return (unsigned)json_integer_value(value);
}
