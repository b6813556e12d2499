// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_SUGGEST_H
#define LOOM_SUGGEST_H

#include <stddef.h>

// Finds the name nearest to `word`, for "did you mean": by edit distance (insert, delete, replace, swap neighbours;
// upper and lower case count as the same), at most a third of the longer of the two; failing that, the first name
// that begins with `word`, if it has three letters or more. NULL if none is near. name_at(i) is the i-th name, NULL
// after the last. The result is one of name_at's own strings.
const char *loom_suggest(const char *word, const char *(*name_at)(size_t));
// Does the same for names that depend on `user`, which name_at is given.
const char *loom_suggest_from(const char *word, const char *(*name_at)(size_t, const void *), const void *user);

// Writes the end of a message about a word that is none of the names: did you mean "cube"? - or, if none is near,
// "there is: " and all of them. Returns out.
const char *loom_suggest_hint(char *out, size_t size, const char *word, const char *(*name_at)(size_t));
const char *loom_suggest_hint_from(char *out, size_t size, const char *word,
                                   const char *(*name_at)(size_t, const void *), const void *user);

#endif
