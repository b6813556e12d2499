// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "booksim_file.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/cursor.h"
#include "base/file.h"

#define BYTES_MOST ((size_t)1 << 20)
#define SETTINGS_MOST 4096u

static struct booksim_setting *find(const struct booksim_file *file, const char *name)
{
	for (size_t i = 0; i < file->n; i++)
		if (strcmp(file->setting[i].name, name) == 0)
			return &file->setting[i];
	return NULL;
}

const struct booksim_setting *booksim_file_find(const struct booksim_file *file, const char *name)
{
	return find(file, name);
}

static int put(struct booksim_file *file, const struct booksim_setting *setting, struct loom_err *err)
{
	struct booksim_setting *old = find(file, setting->name);
	if (old) {
		*old = *setting;
		return 0;
	}
	struct booksim_setting *longer =
		file->n < SETTINGS_MOST ? realloc(file->setting, (file->n + 1) * sizeof *longer) : NULL;
	if (!longer)
		return loom_fail(err, LOOM_ENOMEM, "no room for %zu settings", file->n + 1);
	longer[file->n++] = *setting;
	file->setting = longer;
	return 0;
}

// --- Text -----------------------------------------------------------------------------------------------------------

static void skip_comments(struct cursor *c)
{
	skip_space(c);
	while (c->end - c->at >= 2 && c->at[0] == '/' && c->at[1] == '/') {
		skip_line(c);
		skip_space(c);
	}
}

static bool is_of_name(int c)
{
	return c != EOF && (isalnum(c) || c == '_');
}

// A value ends before the semicolon, within its line; blanks in it are dropped.
static bool is_of_value(int c)
{
	return c != EOF && c != ';' && c != '\n' && c != '=';
}

// Takes the characters that `belongs` accepts, without blanks. LOOM_EINPUT: there are none, or too many.
static int take(char out[BOOKSIM_TEXT], struct cursor *c, bool (*belongs)(int), const char *what)
{
	size_t n = 0;
	skip_blanks(c);
	for (; belongs(peek(c)); advance(c)) {
		if (is_blank(peek(c)))
			continue;
		if (n + 1 == BOOKSIM_TEXT)
			return FAIL_HERE(c, "a %s of more than %d characters", what, BOOKSIM_TEXT - 1);
		out[n++] = *c->at;
	}
	out[n] = '\0';
	return n > 0 ? 0 : FAIL_HERE(c, "a %s is missing; a setting is such as \"k = 8;\"", what);
}

static int take_setting(struct booksim_setting *out, struct cursor *c)
{
	out->line = c->line;
	int rc = take(out->name, c, is_of_name, "name");
	if (rc != 0)
		return rc;
	skip_blanks(c);
	if (peek(c) != '=')
		return FAIL_HERE(c, "no \"=\" after \"%.60s\"; a setting is such as \"k = 8;\"", out->name);
	advance(c);
	return take(out->value, c, is_of_value, "value");
}

int booksim_file_read(struct booksim_file *out, const char *path, struct loom_err *err)
{
	struct booksim_file file = {0};
	char *text = NULL;
	size_t length = 0;
	int rc = loom_file_read(&text, &length, path, BYTES_MOST, err);
	struct cursor c = start(text, length, path, err);
	for (skip_comments(&c); rc == 0 && peek(&c) != EOF; skip_comments(&c)) {
		struct booksim_setting setting;
		rc = take_setting(&setting, &c);
		if (rc == 0 && peek(&c) != ';')
			rc = FAIL_HERE(&c, "no \";\" after \"%.60s = %.60s\"", setting.name, setting.value);
		if (rc == 0)
			rc = put(&file, &setting, err);
		if (rc == 0)
			advance(&c);
	}
	free(text);
	if (rc != 0) {
		booksim_file_free(&file);
		return rc;
	}
	*out = file;
	return 0;
}

int booksim_file_add(struct booksim_file *file, const char *text, struct loom_err *err)
{
	struct booksim_setting setting;
	struct cursor c = start(text, strlen(text), text, err);
	int rc = take_setting(&setting, &c);
	if (rc == 0 && peek(&c) != EOF && strcmp(c.at, ";") != 0)
		rc = FAIL_HERE(&c, "more than one setting; each is a word of its own, such as k=8");
	setting.line = 0;
	return rc != 0 ? rc : put(file, &setting, err);
}

void booksim_file_free(struct booksim_file *file)
{
	free(file->setting);
	*file = (struct booksim_file){0};
}
