// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "svg_checks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static bool entity(const char **at)
{
	static const char *const known[] = {"&amp;", "&lt;", "&gt;", "&quot;"};
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		if (strncmp(*at, known[i], strlen(known[i])) == 0) {
			*at += strlen(known[i]);
			return true;
		}
	return false;
}

const char *svg_malformed(const char *text)
{
	char stack[16][24];
	unsigned depth = 0;
	size_t n_roots = 0;
	const char *at = text;
	if (strncmp(at, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", 39) != 0)
		return at;
	at += 39;
	while (*at) {
		if (*at == '&' && !entity(&at))
			return at;
		if (*at == '>' || ((unsigned char)*at < ' ' && *at != '\n'))
			return at;
		if (*at != '<') {
			if (depth == 0 && *at && *at != '\n')
				return at;
			at += *at != '\0' && *at != '&' && *at != '<';
			continue;
		}
		bool closes = at[1] == '/';
		const char *name = at + 1 + closes;
		int length = (int)strspn(name, "abcdefghijklmnopqrstuvwxyzT");
		if (length == 0 || length > 23)
			return at;
		at = name + length;
		if (closes) {
			if (*at != '>' || depth == 0 || strncmp(stack[depth - 1], name, (size_t)length) != 0 ||
			    stack[depth - 1][length])
				return at;
			depth--;
			at++;
			continue;
		}
		while (*at == ' ') {
			at++;
			at += strspn(at, "abcdefghijklmnopqrstuvwxyzBCMNTX0123456789-");
			if (*at++ != '=' || *at++ != '"')
				return at;
			while (*at != '"')
				if (*at == '<' || *at == '\0' || (*at == '&' && !entity(&at)))
					return at;
				else
					at += *at != '"';
			at++;
		}
		if (depth == 0 && n_roots++)
			return at;
		if (strncmp(at, "/>", 2) == 0) {
			at += 2;
		} else if (*at == '>' && depth < 16) {
			(void)snprintf(stack[depth++], sizeof stack[0], "%.*s", length, name);
			at++;
		} else {
			return at;
		}
	}
	return depth == 0 && n_roots == 1 ? NULL : at;
}

void svg_check(const char *text)
{
	const char *wrong = svg_malformed(text);
	if (wrong)
		fail_msg("not well-formed at byte %td: %.60s", wrong - text, wrong);
	for (const char *at = text; (at = strstr(at, "<text ")); at++) {
		double size = svg_attribute(at, "font-size");
		if (size < 3 || size > 22) // the title's
			fail_msg("of size %g: %.160s", size, at);
	}
	wrong = svg_cut_off(text);
	if (wrong)
		fail_msg("cut in a wide font: %.160s", wrong);
}

char *svg_slurp(const char *path)
{
	FILE *stream = fopen(path, "r");
	assert_non_null(stream);
	assert_int_equal(fseek(stream, 0, SEEK_END), 0);
	long size = ftell(stream);
	rewind(stream);
	char *text = calloc(1, (size_t)size + 1);
	assert_non_null(text);
	assert_int_equal(fread(text, 1, (size_t)size, stream), size);
	(void)fclose(stream);
	return text;
}

double svg_attribute(const char *tag, const char *name)
{
	char pattern[32];
	(void)snprintf(pattern, sizeof pattern, " %s=\"", name);
	const char *at = strstr(tag, pattern);
	assert_non_null(at);
	return strtod(at + strlen(pattern), NULL);
}

// Characters of the text that begins here, an entity being one.
static size_t count_shown(const char *text)
{
	size_t n = 0;
	for (const char *c = text; *c != '<'; c++, n++) {
		if (*c == '&')
			c += strcspn(c, ";");
		n -= (*c & 0xc0) == 0x80;
	}
	return n;
}

double svg_text_width(const char *element)
{
	const char *end = strchr(element, '>');
	char tag[256];
	(void)snprintf(tag, sizeof tag, "%.*s", (int)(end - element), element);
	double em = strstr(tag, "bold") ? 0.53 * 1.3 : 0.5 * 1.3;
	return (double)count_shown(end + 1) * em * svg_attribute(tag, "font-size");
}

const char *svg_cut_off(const char *text)
{
	const char *group = NULL;
	double width = svg_attribute(strstr(text, "<svg"), "width");
	for (const char *at = text; (at = strchr(at, '<')); at++) {
		if (strncmp(at, "<g transform=\"translate(", 24) == 0)
			group = at + 24;
		else if (strncmp(at, "</g>", 4) == 0)
			group = NULL;
		if (strncmp(at, "<text ", 6) != 0)
			continue;
		char tag[256];
		(void)snprintf(tag, sizeof tag, "%.*s", (int)strcspn(at, ">"), at);
		double x = svg_attribute(tag, "x") + (group ? strtod(group, NULL) : 0);
		double length = svg_text_width(at);
		double left = strstr(tag, "\"end\"") ? x - length : strstr(tag, "\"middle\"") ? x - length / 2 : x;
		if (left < 0 || left + length > width)
			return at;
	}
	return NULL;
}

size_t svg_count(const char *text, const char *what)
{
	size_t n = 0;
	for (const char *at = text; (at = strstr(at, what)); at++)
		n++;
	return n;
}

const char *svg_titled(const char *text, const char *begins, size_t *n)
{
	const char *found = NULL;
	char sought[160];
	const int length = snprintf(sought, sizeof sought, "<title>%s", begins);
	assert_true(length > 0 && (size_t)length < sizeof sought);
	*n = 0;
	for (const char *at = strstr(text, sought); at; at = strstr(at + 1, sought)) {
		if (at[length] != '<' && at[length] != ';')
			continue;
		found = found ? found : at;
		(*n)++;
	}
	return found;
}
