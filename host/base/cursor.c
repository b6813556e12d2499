// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "base/cursor.h"

#include <stdarg.h>

#include "base/text.h"

int loom_cursor_fail(const struct cursor *c, size_t line, size_t column, const char *format, ...)
{
	char what[256], where[96];
	va_list args;
	va_start(args, format);
	(void)vsnprintf(what, sizeof what, format, args);
	va_end(args);
	return loom_fail(c->err, LOOM_EINPUT, "%s, line %zu, column %zu: %s",
	                 loom_text_where(where, sizeof where, c->where), line, column, what);
}

const char *loom_token_show(char *out, size_t size, struct token t)
{
	char inner[40];
	if (t.length == 0)
		(void)snprintf(out, size, "nothing");
	else
		(void)snprintf(out, size, "\"%s\"", loom_text_quote(inner, sizeof inner, t.at, t.length));
	return out;
}
