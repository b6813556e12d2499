// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The table's lines of words, their styles, and its rows of two figures.
#include "report/report_table.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "base/text.h"

const char *loom_table_start(const struct loom_table *t, enum loom_style style)
{
	static const char *const codes[] = {[LOOM_PLAIN] = "",
	                                    [LOOM_BOLD] = "\033[1m",
	                                    [LOOM_FAINT] = "\033[2m",
	                                    [LOOM_GOOD] = "\033[1;32m",
	                                    [LOOM_BAD] = "\033[1;31m"};
	return t->colour ? codes[style] : "";
}

const char *loom_table_end(const struct loom_table *t)
{
	return t->colour ? "\033[0m" : "";
}

void loom_table_word(struct loom_table *t, int indent, const char *word, enum loom_style style)
{
	int length = (int)strlen(word);
	if (t->column > indent && t->column + 2 + length > LOOM_TEXT_WIDTH) {
		(void)fprintf(t->stream, "\n%*s", indent, "");
		t->column = indent;
	} else if (t->column > indent) {
		(void)fputs("  ", t->stream);
		t->column += 2;
	}
	(void)fprintf(t->stream, "%s%s%s", loom_table_start(t, style), word,
	              style == LOOM_PLAIN ? "" : loom_table_end(t));
	t->column += length;
}

void loom_table_end_line(struct loom_table *t)
{
	(void)fputc('\n', t->stream);
	t->column = 0;
}

void loom_table_words(struct loom_table *t, int indent, enum loom_style style, const char *format, ...)
{
	char text[256];
	va_list args;
	va_start(args, format);
	(void)vsnprintf(text, sizeof text, format, args);
	va_end(args);
	loom_table_word(t, indent, text, style);
}

const char *loom_table_plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

void loom_table_text(struct loom_table *t, int column, const char *text)
{
	t->column = loom_text_put_wrapped(t->stream, column, text);
}

void loom_table_sum(struct loom_table *t, const char *what, uint64_t predicted, uint64_t measured,
                    enum loom_known known, const char *unit)
{
	bool differs = t->measured && known == LOOM_BOTH && predicted != measured;
	(void)fprintf(t->stream, "%s%-15s", differs ? loom_table_start(t, LOOM_BAD) : "", what);
	if (known == LOOM_NO_PREDICTION)
		(void)fprintf(t->stream, " %10s", "-");
	else
		(void)fprintf(t->stream, " %10" PRIu64, predicted);
	if (t->measured && known == LOOM_NO_MEASUREMENT)
		(void)fprintf(t->stream, " %10s", "");
	else if (t->measured)
		(void)fprintf(t->stream, " %10" PRIu64, measured);
	char text[256];
	(void)snprintf(text, sizeof text, "%s%s", differs ? "differs: " : "", unit);
	(void)fputs("   ", t->stream);
	loom_table_text(t, t->measured ? 40 : 29, text);
	(void)fputs(differs ? loom_table_end(t) : "", t->stream);
	loom_table_end_line(t);
}
