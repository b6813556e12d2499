// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/plan_values.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int loom_plan_check_keys(const json_t *object, const char *what, const char *const *keys, size_t n_keys,
                         size_t n_may_lack, struct loom_err *err)
{
	const char *key;
	json_t *value;
	if (!json_is_object(object))
		return loom_fail(err, LOOM_EINPUT, "%s is not an object", what);
	for (size_t i = 0; i < n_keys - n_may_lack; i++)
		if (!json_object_get(object, keys[i]))
			return loom_fail(err, LOOM_EINPUT, "%s: \"%s\" is missing", what, keys[i]);
	json_object_foreach((json_t *)(uintptr_t)object, key, value) {
		bool known = false;
		for (size_t i = 0; i < n_keys; i++)
			known = known || strcmp(key, keys[i]) == 0;
		if (!known)
			return loom_fail(err, LOOM_EINPUT, "%s: unknown key \"%.40s\"", what, key);
	}
	return 0;
}

int loom_plan_get_number(uint32_t *out, const json_t *value, const char *what, uint32_t most, struct loom_err *err)
{
	if (!json_is_integer(value) || json_integer_value(value) < 0 || json_integer_value(value) > most)
		return loom_fail(err, LOOM_EINPUT, "%s is not an integer in 0..%" PRIu32, what, most);
	*out = (uint32_t)json_integer_value(value);
	return 0;
}

int loom_plan_get_name(char *out, size_t size, const json_t *value, const char *what, struct loom_err *err)
{
	const char *text = json_string_value(value);
	if (!text || json_string_length(value) >= size)
		return loom_fail(err, LOOM_EINPUT, "\"%s\" is not a string of less than %zu bytes", what, size);
	for (const char *c = text; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			return loom_fail(err, LOOM_EINPUT, "\"%s\" has a control character", what);
	(void)snprintf(out, size, "%s", text);
	return 0;
}

int loom_plan_get_list(uint32_t **out, const json_t *value, const char *what, size_t n, uint32_t most,
                       struct loom_err *err)
{
	if (!json_is_array(value) || json_array_size(value) != n)
		return loom_fail(err, LOOM_EINPUT, "\"%s\" is not a list of %zu numbers", what, n);
	uint32_t *list = calloc(n + !n, sizeof *list);
	if (!list)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for %zu numbers", n);
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < n; i++) {
		char item[64];
		(void)snprintf(item, sizeof item, "%s[%zu]", what, i);
		rc = loom_plan_get_number(&list[i], json_array_get(value, i), item, most, err);
	}
	if (rc == 0)
		*out = list;
	else
		free(list);
	return rc;
}
