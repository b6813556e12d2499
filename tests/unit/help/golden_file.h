// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef TEST_GOLDEN_FILE_H
#define TEST_GOLDEN_FILE_H

#include <jansson.h>

// The golden vectors: files of tests/golden, or of the folder that LOOM_GOLDEN names.

const char *golden_path(const char *name);                     // valid until the next call
json_t *golden_json(const char *name);                         // fails the test if it is not read
unsigned golden_number(const json_t *object, const char *key); // fails the test if it is no whole number
unsigned golden_element(const json_t *array, size_t i);        // likewise

#endif
