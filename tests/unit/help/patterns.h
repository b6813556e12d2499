// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef TEST_PATTERNS_H
#define TEST_PATTERNS_H

#include <stddef.h>
#include <stdint.h>

#include <flitloom/pattern.h>

// Functions for the tests of patterns. On an error each fails the test.

extern const struct loom_pattern_options defaults; // 17 flits, seed 1

#define PARTS(...) ((const char *const[]){__VA_ARGS__, NULL})

// y_i = b_i + sum of a_ij v_j, one entry at a time.
uint64_t slow_apply(const struct loom_lcc *lcc, uint64_t v);

// Checks everything that the comment at the type promises.
void check_invariants(const struct loom_pattern *p, const char *spec);

struct loom_pattern parse_with(const char *spec, uint32_t n_nodes, const struct loom_pattern_options *options);
struct loom_pattern parse(const char *spec, uint32_t n_nodes);

// Checks that the error has the wanted code, and its one line all the parts.
void check_error(int code, const struct loom_err *err, int wanted, const char *const parts[], const char *input);
void parse_fails_with(const char *spec, uint32_t n_nodes, const struct loom_pattern_options *options, int wanted,
                      const char *const parts[]);
void parse_fails(const char *spec, uint32_t n_nodes, int wanted, const char *const parts[]); // with defaults

// Writes a separate file for a test. The returned name is valid until the next call.
const char *write_file(const void *bytes, size_t length);

// Reads pattern `kind`:FILE with that text in the file.
struct loom_pattern parse_text(const char *kind, const char *text, size_t length, uint32_t n_nodes);
void text_fails(const char *kind, const char *text, size_t length, uint32_t n_nodes, int wanted,
                const char *const parts[]);

#endif
