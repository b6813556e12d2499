// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "topo/topo_suffix.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS_MOST 4

// The letter and the number at the end of the first `length` bytes, behind the colon of the kind: *number, if it is there. Returns
// the length without it. A file's name is followed by another colon.
static size_t split_number(unsigned *number, const char *text, size_t length, char letter)
{
	const char *colon = strchr(text, ':');
	const bool in_file = colon && colon - text == (ptrdiff_t)strlen("graph") && strncmp(text, "graph", 5) == 0;
	size_t at = length;
	while (at > 0 && length - at < DIGITS_MOST && isdigit((unsigned char)text[at - 1]))
		at--;
	if (!colon || at == length || at < 2 || text[at - 1] != letter || (size_t)(colon - text) + 1 >= at - 1)
		return length;
	if (in_file && text[at - 2] != ':')
		return length;
	*number = (unsigned)strtoul(text + at, NULL, 10);
	return at - 1 - in_file;
}

size_t loom_topo_suffix_split(struct loom_topo_suffix *out, const char *text)
{
	*out = (struct loom_topo_suffix){0};
	return split_number(&out->buffers, text, strlen(text), 'b');
}

int loom_topo_suffix_set(struct loom_topo *t, const struct loom_topo_suffix *suffix, struct loom_err *err)
{
	struct loom_topo_suffix before;
	const unsigned buffers = suffix->buffers ? suffix->buffers : t->buffers;
	const char *colon = t->kind->is_in_file ? ":" : "";
	char text[16] = "";
	if (buffers < LOOM_BUFFERS_USUAL || buffers > LOOM_BUFFERS_MAX)
		return loom_fail(err, LOOM_EINPUT, "buffers of %u flit%s, on %.60s; %d to %d are possible", buffers,
		                 buffers == 1 ? "" : "s", t->name, LOOM_BUFFERS_USUAL, LOOM_BUFFERS_MAX);
	const size_t length = loom_topo_suffix_split(&before, t->name);
	if (buffers != LOOM_BUFFERS_USUAL)
		(void)snprintf(text, sizeof text, "%sb%u", colon, buffers);
	if (length + strlen(text) >= sizeof t->name)
		return loom_fail(err, LOOM_EINPUT, "%.60s: its name is too long for %s behind it", t->name, text);
	memcpy(t->name + length, text, strlen(text) + 1);
	t->buffers = buffers;
	return 0;
}

int loom_topo_set_buffers(struct loom_topo *t, unsigned buffers, struct loom_err *err)
{
	const struct loom_topo_suffix suffix = {.buffers = buffers};
	if (buffers == 0)
		return loom_fail(err, LOOM_EINPUT, "buffers of 0 flits, on %.60s; %d to %d are possible", t->name,
		                 LOOM_BUFFERS_USUAL, LOOM_BUFFERS_MAX);
	return loom_topo_suffix_set(t, &suffix, err);
}
