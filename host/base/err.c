// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "base/err_add.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct {
	int code, status;
	const char *name, *text;
} codes[] = {{0, 0, "LOOM_OK", "no error"},
#define X(name, value, status, text) {value, status, #name, text},
             LOOM_ERROR_LIST(X)
#undef X
};

static size_t find(int code)
{
	for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++)
		if (codes[i].code == code)
			return i;
	return sizeof codes / sizeof codes[0] - 1;
}

int loom_fail(struct loom_err *err, int code, const char *format, ...)
{
	if (err) {
		va_list args;
		va_start(args, format);
		err->code = code;
		(void)vsnprintf(err->text, sizeof err->text, format, args);
		va_end(args);
		for (char *c = err->text; *c; c++)
			if (*c == '\n' || *c == '\r')
				*c = ' ';
	}
	return code;
}

const char *loom_code_name(int code)
{
	return codes[find(code)].name;
}

const char *loom_code_text(int code)
{
	return codes[find(code)].text;
}

int loom_code_status(int code)
{
	return codes[find(code)].status;
}

void loom_err_add(struct loom_err *err, const char *format, ...)
{
	const size_t used = strlen(err->text);
	va_list args;
	va_start(args, format);
	(void)vsnprintf(err->text + used, sizeof err->text - used, format, args);
	va_end(args);
}

void loom_err_add_more(struct loom_err *err, size_t n, size_t n_named)
{
	if (n > n_named)
		loom_err_add(err, " and %zu more", n - n_named);
}
