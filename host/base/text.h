// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TEXT_H
#define LOOM_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// Functions for pieces of text: they read text from outside, show it to a person, and write lines and tables.

#define LOOM_TEXT_WIDTH 80 // columns of text for a person
#define LOOM_TEXT_NAME 160 // enough for any name in a plan

// Returns the bytes of the byte order mark with which some editors begin a file: 3, or 0 if there is none.
size_t loom_text_mark(const char *text, size_t length);
// Copies text for a message to a person: printable ASCII, everything else as '?', "..." at the end if it was cut.
// Returns out; size >= 4.
const char *loom_text_quote(char *out, size_t size, const char *text, size_t length);
// Writes a path for a message to a person: its last part if it is long, so that the rest of the message has room, and
// "standard input" for "-". Returns out; size >= 4.
const char *loom_text_where(char *out, size_t size, const char *where);
// Reads decimal digits; false if there is anything else or none. Saturates at UINT64_MAX.
int loom_text_number(uint64_t *out, const char *text, size_t length);
// Reads a number of 0 or more as programs write it: digits, a point, an exponent (0.25, .5, 1e-3). False: there is
// anything else, or nothing, or the number is beyond the largest.
int loom_text_real(double *out, const char *text, size_t length);
// Returns the bytes of the UTF-8 character with which text begins; 0 if a terminal, a JSON reader or an XML parser
// would not accept it.
size_t loom_text_character(const char *text);
// Replaces every byte that belongs to no such character by '?'.
void loom_text_clean(char *text);

// Copies `text` so that a terminal, a JSON reader and an XML parser all accept it: control characters, bytes that are
// not UTF-8 and the two code points that XML forbids become '?'. Cuts it between characters, never within one.
void loom_text_show(char *out, size_t size, const char *text);

// Writes words one blank apart, the first in column `indent`, where the stream is; words that do not fit on the line
// go below it. Returns the column in which they end.
int loom_text_put_wrapped(FILE *stream, int indent, const char *words);

// Writes a cell of CSV (RFC 4180): in quotes if a reader would take a part of it for a separator.
void loom_text_put_csv(FILE *stream, const char *text);

#endif
