// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef SVG_CHECKS_H
#define SVG_CHECKS_H

#include <stddef.h>

// Elements closed in order, attributes quoted, nothing that must be escaped. NULL, or where it goes wrong.
const char *svg_malformed(const char *text);
// In a font 1.3 times as wide as Helvetica, whose characters are half as wide as high, bold ones 0.53, every text lies in the
// picture. NULL, or the one that does not.
const char *svg_cut_off(const char *text);
// Neither of the two, and no text is larger than the title or too small to be read; else the test fails.
void svg_check(const char *text);
// The same font's width for the element that begins here.
double svg_text_width(const char *element);

double svg_attribute(const char *tag, const char *name);
size_t svg_count(const char *text, const char *what);
// The first title that begins so and ends there, or goes on with who waits ("; headers wait ..."); NULL: there is none. *n: how many
// there are.
const char *svg_titled(const char *text, const char *begins, size_t *n);
char *svg_slurp(const char *path); // to be freed

#endif
