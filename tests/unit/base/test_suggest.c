// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The name that is meant: random words and names against a distance worked out letter by letter, from the last one back.
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include <cmocka.h>

#include "base/rng.h"
#include "base/suggest.h"

enum { NAMES = 4, LETTERS = 8 };

static char names[NAMES][LETTERS + 1];

static const char *name_at(size_t i)
{
	return i < NAMES ? names[i] : NULL;
}

static size_t least_of(size_t a, size_t b)
{
	return a < b ? a : b;
}

// Returns the number of changes that turn the first n letters of a into the first m of b.
static size_t distance(const char *a, size_t n, const char *b, size_t m)
{
	if (n == 0 || m == 0)
		return n + m;
	size_t least = distance(a, n - 1, b, m - 1) + (tolower(a[n - 1]) != tolower(b[m - 1]));
	least = least_of(least, 1 + distance(a, n - 1, b, m));
	least = least_of(least, 1 + distance(a, n, b, m - 1));
	if (n > 1 && m > 1 && tolower(a[n - 1]) == tolower(b[m - 2]) && tolower(a[n - 2]) == tolower(b[m - 1]))
		least = least_of(least, 1 + distance(a, n - 2, b, m - 2));
	return least;
}

static const char *suggest_slowly(const char *word)
{
	size_t n = strlen(word), nearest = SIZE_MAX;
	const char *best = NULL;
	for (size_t i = 0; i < NAMES && n; i++) {
		size_t m = strlen(names[i]), longer = n > m ? n : m, d = distance(word, n, names[i], m);
		if (d < longer && (d * 3 <= longer || d == 1) && d < nearest) {
			nearest = d;
			best = names[i];
		}
	}
	for (size_t i = 0; i < NAMES && n >= 3 && !best; i++)
		if (strncasecmp(word, names[i], n) == 0)
			best = names[i];
	return best;
}

static void make_word(char *out, struct loom_rng *rng, size_t least)
{
	size_t n = least + (size_t)loom_rng_below(rng, LETTERS + 1 - least);
	for (size_t k = 0; k < n; k++)
		out[k] = "aAbc"[loom_rng_below(rng, 4)];
	out[n] = '\0';
}

static void test_random(void **state)
{
	(void)state;
	struct loom_rng rng;
	unsigned n_meant = 0, n_not = 0;
	loom_rng_init(&rng, 3);
	for (unsigned round = 0; round < 1000; round++) {
		char word[LETTERS + 1];
		make_word(word, &rng, 0);
		for (size_t i = 0; i < NAMES; i++)
			make_word(names[i], &rng, 1);
		const char *meant = suggest_slowly(word);
		if (loom_suggest(word, name_at) != meant)
			fail_msg("\"%s\" among %s %s %s %s: not %s", word, names[0], names[1], names[2], names[3],
			         meant ? meant : "none");
		n_meant += meant != NULL;
		n_not += meant == NULL;
	}
	assert_true(n_meant > 100 && n_not > 100);
}

static const char *long_name;

static const char *long_name_at(size_t i)
{
	return i == 0 ? long_name : NULL;
}

// Words and names of up to 63 letters are compared; an empty word gives no suggestion.
static void test_long(void **state)
{
	(void)state;
	char word[80], name[80];
	for (size_t n = 61; n <= 66; n++)
		for (size_t m = n - 1; m <= n + 1; m++) {
			memset(word, 'a', n);
			memset(name, 'a', m);
			word[n] = name[m] = '\0';
			long_name = name;
			if (n == m)
				word[n - 1] = 'b';
			assert_ptr_equal(loom_suggest(word, long_name_at), n <= 63 && m <= 63 ? name : NULL);
		}
	long_name = "a";
	assert_null(loom_suggest("", long_name_at));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_random), cmocka_unit_test(test_long)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
