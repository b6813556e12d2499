// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef UNIT_HELP_FLOWS_H
#define UNIT_HELP_FLOWS_H

#include <stddef.h>

#include <flitloom/traffic.h>

// Traffic that is read from a file, which the test writes: one at a time. flows_end removes it.
void flows_begin(void);
void flows_end(void);
void flows_write(const void *bytes, size_t n);
// Parses traffic for a fabric, *topo; "FILE" in the specification is that file's name.
int flows_parse(struct loom_traffic *out, struct loom_topo *topo, const char *fabric, const char *spec,
                struct loom_err *err);
void flows_parse_good(struct loom_traffic *out, const char *fabric, const char *spec); // or the test fails
void assert_real(const char *what, double value, double wanted);                       // to 1e-9

#endif
