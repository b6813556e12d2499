// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_JSON_H
#define LOOM_JSON_H

#include <jansson.h>
#include <stdint.h>

// Reads a text in which no key of an object comes twice. NULL: *error says where it is no JSON, or error->line is below
// 0: memory ran out. Jansson alone calls that a fault of the text.
json_t *loom_json_read(const char *text, size_t length, json_error_t *error);

// The text of it, compact, malloc'ed. NULL: memory ran out. (json_dumps of Jansson 2.14 then leaves out the key of an
// object and says nothing.)
char *loom_json_text(const json_t *root);

// A number, as a string of digits from 2^63 on: Jansson knows signed ones only. A new reference; NULL: memory ran out.
json_t *loom_json_number(uint64_t value);

#endif
