// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef SVG_CHECKS_H
#define SVG_CHECKS_H

#include <stddef.h>

// Checks that elements are closed in order, attributes are quoted, and characters are escaped. Returns NULL, or the
// place of an error.
const char *svg_malformed(const char *text);
// In a font 1.3 times as wide as Helvetica, whose characters are half as wide as high, bold ones 0.53, every text lies in the
// picture. NULL, or the one that does not.
const char *svg_cut_off(const char *text);
// Fails the test after an error of these two, or if a text is larger than the title or too small to read.
void svg_check(const char *text);
// Returns the width of the element's text in that font.
double svg_text_width(const char *element);

double svg_attribute(const char *tag, const char *name);
size_t svg_count(const char *text, const char *what);
// The first title that begins so and ends there, or goes on with who waits ("; headers wait ..."); NULL: there is none. *n: how many
// there are.
const char *svg_titled(const char *text, const char *begins, size_t *n);
char *svg_slurp(const char *path); // to be freed

#endif
