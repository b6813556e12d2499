// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "report/report_html_text.h"

#include "base/text.h"

void loom_html_put_json(FILE *stream, const char *text)
{
	for (const char *c = text; *c; c++)
		if (*c == '<')
			(void)fputs("\\u003c", stream);
		else
			(void)fputc(*c, stream);
}

void loom_html_put_string(FILE *stream, const char *text)
{
	char clean[512];
	loom_text_show(clean, sizeof clean, text);
	(void)fputc('"', stream);
	for (const char *c = clean; *c; c++) {
		if (*c == '"' || *c == '\\')
			(void)fputc('\\', stream);
		if (*c == '<')
			(void)fputs("\\u003c", stream);
		else
			(void)fputc(*c, stream);
	}
	(void)fputc('"', stream);
}
