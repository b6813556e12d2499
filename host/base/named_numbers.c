// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "base/named_numbers.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

// Reads a decimal number of this length: "4", "0.25".
static bool read_number(double *out, const char *text, size_t length)
{
	double value = 0, place = 0;
	bool digits = false;
	for (size_t i = 0; i < length; i++) {
		if (text[i] == '.' && place == 0 && digits) {
			place = 1;
			digits = false;
		} else if (text[i] >= '0' && text[i] <= '9') {
			digits = true;
			place /= 10;
			value = place > 0 ? value + (text[i] - '0') * place : 10 * value + (text[i] - '0');
		} else {
			return false;
		}
	}
	*out = value;
	return digits && length < 16;
}

// Lists the names: "electronic nor otis", "cycle, software nor half".
static void list_names(char *out, size_t size, const struct loom_named_numbers *names)
{
	size_t used = 0;
	for (size_t i = 0; i < names->n && used < size; i++)
		used += (size_t)snprintf(out + used, size - used, "%s%s",
		                         i == 0              ? ""
		                         : i + 1 == names->n ? " nor "
		                                             : ", ",
		                         names->name[i]);
}

static int read_part(double *value, bool *given, const struct loom_named_numbers *names, const char *part,
                     size_t length, struct loom_err *err)
{
	const char *equals = memchr(part, '=', length);
	size_t name = equals ? (size_t)(equals - part) : length;
	char all[160] = "";
	for (size_t k = 0; k < names->n; k++) {
		if (name != strlen(names->name[k]) || strncmp(part, names->name[k], name) != 0)
			continue;
		if (given[k])
			return loom_fail(err, LOOM_EINPUT, "%s: %s is given twice", names->what, names->name[k]);
		given[k] = true;
		if (!equals || !read_number(&value[k], equals + 1, length - name - 1) || value[k] > names->most)
			return loom_fail(err, LOOM_EINPUT,
			                 "%s: \"%.*s\" is not %s= and a number from 0 to %.0f; such as %s", names->what,
			                 (int)(length < 40 ? length : 40), part, names->name[k], names->most,
			                 names->example);
		return 0;
	}
	list_names(all, sizeof all, names);
	return loom_fail(err, LOOM_EINPUT, "%s: \"%.*s\" is neither %s; such as %s", names->what,
	                 (int)(name < 40 ? name : 40), part, all, names->example);
}

int loom_named_numbers_parse(double *value, const struct loom_named_numbers *names, const char *text,
                             struct loom_err *err)
{
	bool given[LOOM_NAMED_NUMBERS_MAX] = {false};
	int rc = 0;
	for (const char *part = text; rc == 0 && part;) {
		const char *comma = strchr(part, ',');
		rc = read_part(value, given, names, part, comma ? (size_t)(comma - part) : strlen(part), err);
		part = comma ? comma + 1 : NULL;
	}
	return rc;
}
