// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "base/json.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define SCRATCH 65536 // bytes; if they cannot be had, the text may have failed for want of memory, too

json_t *loom_json_read(const char *text, size_t length, json_error_t *error)
{
	json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, error);
	if (root || error->line < 0)
		return root;
	// A fault of the text appears again at the same place when the text is read again.
	json_error_t again;
	root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &again);
	void *scratch = malloc(SCRATCH);
	if (root || !scratch || again.position != error->position)
		error->line = -1;
	free(scratch);
	json_decref(root);
	return NULL;
}

char *loom_json_text(const json_t *root)
{
	size_t size = json_dumpb(root, NULL, 0, JSON_COMPACT);
	char *text = size ? malloc(size + 1) : NULL;
	if (text && json_dumpb(root, text, size, JSON_COMPACT) != size) {
		free(text);
		return NULL;
	}
	if (text)
		text[size] = '\0';
	return text;
}

json_t *loom_json_number(uint64_t value)
{
	char text[24];
	if (value <= (uint64_t)INT64_MAX)
		return json_integer((json_int_t)value);
	(void)snprintf(text, sizeof text, "%" PRIu64, value);
	return json_string(text);
}
