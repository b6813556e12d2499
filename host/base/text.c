// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

size_t loom_text_mark(const char *text, size_t length)
{
	static const char mark[] = {'\xef', '\xbb', '\xbf'};
	return length >= sizeof mark && memcmp(text, mark, sizeof mark) == 0 ? sizeof mark : 0;
}

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
	if (strcmp(where, "-") == 0 && size > sizeof "standard input")
		where = "standard input";
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

static size_t digits(const char *text)
{
	return strspn(text, "0123456789");
}

int loom_text_real(double *out, const char *text, size_t length)
{
	char kept[64];
	if (length == 0 || length >= sizeof kept)
		return 0;
	memcpy(kept, text, length);
	kept[length] = '\0';
	const size_t whole = digits(kept);
	size_t at = whole, after = 0;
	if (kept[at] == '.')
		at += 1 + (after = digits(kept + at + 1));
	if (whole + after == 0)
		return 0;
	if (kept[at] == 'e' || kept[at] == 'E') {
		at += kept[at + 1] == '+' || kept[at + 1] == '-' ? 2 : 1;
		if (digits(kept + at) == 0)
			return 0;
		at += digits(kept + at);
	}
	if (at != length)
		return 0;
	*out = strtod(kept, NULL);
	return isfinite(*out);
}

size_t loom_text_character(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	static const unsigned char first_bits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t n = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : s[0] < 0xf5 ? 4 : 0;
	if (n == 0)
		return 0;
	uint32_t point = s[0] & first_bits[n];
	for (size_t i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		point = point << 6 | (s[i] & 0x3f);
	}
	bool control = point < 0x20 || (point >= 0x7f && point < 0xa0);
	bool surrogate = point >= 0xd800 && point < 0xe000;
	bool outside = point < least[n] || point > 0x10ffff || point == 0xfffe || point == 0xffff;
	return control || surrogate || outside ? 0 : n;
}

void loom_text_clean(char *text)
{
	for (size_t n; *text; text += n ? n : 1) {
		n = loom_text_character(text);
		if (n == 0)
			*text = '?';
	}
}

void loom_text_show(char *out, size_t size, const char *text)
{
	size_t used = 0;
	for (const char *s = text; *s;) {
		size_t n = loom_text_character(s), n_out = n ? n : 1;
		if (used + n_out >= size)
			break;
		if (n)
			memcpy(out + used, s, n);
		else
			out[used] = '?';
		used += n_out;
		s += n_out;
	}
	if (size)
		out[used] = '\0';
}

void loom_text_put_csv(FILE *stream, const char *text)
{
	if (!strpbrk(text, ",\"\r\n")) {
		(void)fputs(text, stream);
		return;
	}
	(void)fputc('"', stream);
	for (const char *c = text; *c; c++) {
		if (*c == '"')
			(void)fputc('"', stream);
		(void)fputc(*c, stream);
	}
	(void)fputc('"', stream);
}

int loom_text_put_wrapped(FILE *stream, int indent, const char *words)
{
	int column = indent;
	for (size_t length; *words; words += length + strspn(words + length, " ")) {
		length = strcspn(words, " ");
		if (column > indent && column + 1 + (int)length > LOOM_TEXT_WIDTH) {
			(void)fprintf(stream, "\n%*s", indent, "");
			column = indent;
		} else if (column > indent) {
			(void)fputc(' ', stream);
			column++;
		}
		(void)fwrite(words, 1, length, stream);
		column += (int)length;
	}
	return column;
}
