// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_CIRCUITS_LINES_H
#define LOOM_CIRCUITS_LINES_H

#include "circuits/circuits_internal.h"

// The entries of a demand by line, rows and then columns, the largest first.
struct loom_lines {
	uint32_t n;       // lines, twice the nodes
	size_t *first;    // owned; the entries of line l are first[l] .. first[l + 1] - 1
	uint32_t *flits;  // owned; those that are not 0
	uint64_t *sum;    // owned
	uint32_t most;    // entries of the fullest line
	uint64_t longest; // the largest sum
	uint32_t longest_line;
};

int loom_lines_init(struct loom_lines *out, const struct loom_demand *demand, struct loom_err *err);
void loom_lines_free(struct loom_lines *lines); // of one zeroed, too

#endif
