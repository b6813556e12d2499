// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include <stdbool.h>
#include <string.h>

const char *loom_text_quote(char *out, size_t size, const char *text, size_t length)
{
	bool cut = length >= size;
	size_t n = cut ? size - 4 : length;
	for (size_t i = 0; i < n; i++)
		out[i] = text[i] >= 0x20 && text[i] < 0x7f ? text[i] : '?';
	memcpy(out + n, cut ? "..." : "", cut ? 4 : 1);
	return out;
}

const char *loom_text_where(char *out, size_t size, const char *where)
{
	size_t length = strlen(where);
	if (length < size)
		return memcpy(out, where, length + 1);
	memcpy(out, "...", 3);
	memcpy(out + 3, where + length - (size - 4), size - 3);
	return out;
}

int loom_text_number(uint64_t *out, const char *text, size_t length)
{
	uint64_t value = 0;
	for (size_t i = 0; i < length; i++) {
		if (text[i] < '0' || text[i] > '9')
			return 0;
		unsigned digit = (unsigned)(text[i] - '0');
		value = value > (UINT64_MAX - digit) / 10 ? UINT64_MAX : value * 10 + digit;
	}
	*out = value;
	return length > 0;
}
