// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
// All pattern names. A new one is a row of the table of its theme, and a maker or a bit rule if none there serves.
#include <string.h>

#include <flitloom/pattern.h>

#include "pattern/pattern_internal.h"

static const struct loom_pattern_row *row_at(size_t i)
{
	static const struct loom_pattern_row *const themes[] = {
		loom_pattern_rows_bits,  loom_pattern_rows_shape,  loom_pattern_rows_any,
		loom_pattern_rows_tasks, loom_pattern_rows_random, loom_pattern_rows_file,
		loom_pattern_rows_goal,  loom_pattern_rows_demand, loom_pattern_rows_set};
	for (size_t t = 0; t < sizeof themes / sizeof themes[0]; t++)
		for (const struct loom_pattern_row *row = themes[t]; row->name; row++)
			if (i-- == 0)
				return row;
	return NULL;
}

const struct loom_pattern_row *loom_pattern_find(const char *name, size_t length)
{
	const struct loom_pattern_row *row;
	for (size_t i = 0; (row = row_at(i)); i++)
		if (strlen(row->name) == length && memcmp(row->name, name, length) == 0)
			return row;
	return NULL;
}

const char *loom_pattern_name(size_t i)
{
	const struct loom_pattern_row *row = row_at(i);
	return row ? row->name : NULL;
}

void loom_pattern_list(FILE *stream)
{
	const struct loom_pattern_row *row;
	for (size_t i = 0; (row = row_at(i)); i++) {
		char spec[64];
		(void)snprintf(spec, sizeof spec, "%s%s%s%s", row->name,
		               row->optional   ? "[:"
		               : row->argument ? ":"
		                               : "",
		               row->argument ? row->argument : "", row->optional ? "]" : "");
		(void)fprintf(stream, "%-21s %s\n", spec, row->text);
	}
}
