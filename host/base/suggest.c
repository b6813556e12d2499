// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "base/suggest.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define LENGTH_MAX 63 // the longest word or name that is compared

static int lower(char c)
{
	return tolower((unsigned char)c);
}

// Returns the optimal string alignment distance. It keeps three rows of the table at a time. Both lengths are at most
// LENGTH_MAX.
static size_t distance(const char *a, size_t n_a, const char *b, size_t n_b)
{
	size_t table[3][LENGTH_MAX + 1];
	size_t *before = table[0], *above = table[1], *here = table[2];

	for (size_t j = 0; j <= n_b; j++)
		here[j] = j;
	for (size_t i = 1; i <= n_a; i++) {
		size_t *spare = before;
		before = above;
		above = here;
		here = spare;
		here[0] = i;
		for (size_t j = 1; j <= n_b; j++) {
			size_t best = above[j - 1] + (lower(a[i - 1]) != lower(b[j - 1]));
			if (best > above[j] + 1)
				best = above[j] + 1;
			if (best > here[j - 1] + 1)
				best = here[j - 1] + 1;
			if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
			    lower(a[i - 2]) == lower(b[j - 1]) && best > before[j - 2] + 1)
				best = before[j - 2] + 1;
			here[j] = best;
		}
	}
	return here[n_b];
}

// A list of names that needs no `user`.
struct plain {
	const char *(*name_at)(size_t);
};

static const char *plain_name_at(size_t i, const void *user)
{
	return ((const struct plain *)user)->name_at(i);
}

const char *loom_suggest(const char *word, const char *(*name_at)(size_t))
{
	const struct plain names = {name_at};
	return loom_suggest_from(word, plain_name_at, &names);
}

const char *loom_suggest_from(const char *word, const char *(*name_at)(size_t, const void *), const void *user)
{
	size_t n_word = strnlen(word, LENGTH_MAX + 1);
	if (n_word == 0 || n_word > LENGTH_MAX)
		return NULL;

	const char *nearest = NULL, *begins = NULL, *name;
	size_t least = LENGTH_MAX + 1;
	for (size_t i = 0; (name = name_at(i, user)); i++) {
		size_t n_name = strnlen(name, LENGTH_MAX + 1);
		if (n_name > LENGTH_MAX)
			continue;
		size_t d = distance(word, n_word, name, n_name);
		size_t longer = n_name > n_word ? n_name : n_word;
		// A distance as large as the longer word means that every letter was replaced, which is no misspelling.
		if (d < least && d * 3 <= (longer < 3 ? 3 : longer) && d < longer) {
			least = d;
			nearest = name;
		}
		if (!begins && n_word >= 3 && strncasecmp(word, name, n_word) == 0)
			begins = name;
	}
	return nearest ? nearest : begins;
}

const char *loom_suggest_hint(char *out, size_t size, const char *word, const char *(*name_at)(size_t))
{
	const struct plain names = {name_at};
	return loom_suggest_hint_from(out, size, word, plain_name_at, &names);
}

const char *loom_suggest_hint_from(char *out, size_t size, const char *word,
                                   const char *(*name_at)(size_t, const void *), const void *user)
{
	const char *near = loom_suggest_from(word, name_at, user), *name;
	out[0] = '\0';
	if (near)
		(void)snprintf(out, size, "did you mean \"%s\"?", near);
	for (size_t i = 0, used = 0; !near && used < size && (name = name_at(i, user)); i++)
		used += (size_t)snprintf(out + used, size - used, "%s%s", i ? ", " : "there is: ", name);
	return out;
}
