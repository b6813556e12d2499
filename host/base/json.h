// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_JSON_H
#define LOOM_JSON_H

#include <jansson.h>
#include <stdint.h>

// Reads a text in which no object has a key twice. NULL: *error says where the text is not JSON; or error->line is
// below 0, and memory ran out (Jansson alone reports that as a fault of the text).
json_t *loom_json_read(const char *text, size_t length, json_error_t *error);

// Returns the compact text of a value, malloc'ed. NULL: memory ran out. (json_dumps of Jansson 2.14 then leaves out
// the key of an object and reports nothing.)
char *loom_json_text(const json_t *root);

// Makes a number; from 2^63 on, a string of digits, because Jansson has only signed numbers. A new reference; NULL:
// memory ran out.
json_t *loom_json_number(uint64_t value);

#endif
