// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TEXT_H
#define LOOM_TEXT_H

#include <stddef.h>
#include <stdint.h>

// Pieces of text that came from outside: shown to a person, or read as numbers.

// Copies text for a message to a person: printable ASCII, everything else as '?', "..." at the end if it was cut.
// Returns out; size >= 4.
const char *loom_text_quote(char *out, size_t size, const char *text, size_t length);
// The last part of a long path, so that the rest of a message is not crowded out. Returns out; size >= 4.
const char *loom_text_where(char *out, size_t size, const char *where);
// Decimal digits only; false if there is anything else or none. Saturates at UINT64_MAX.
int loom_text_number(uint64_t *out, const char *text, size_t length);

#endif
