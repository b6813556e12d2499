// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_CIRCUITS_MATCHING_H
#define LOOM_CIRCUITS_MATCHING_H

#include <stdbool.h>
#include <stdint.h>

#define LOOM_UNMATCHED UINT32_MAX

// A matching of rows with columns of an n x n matrix. When the matrix changes, only the rows that no longer fit are
// matched anew.
struct loom_matching {
	uint32_t n;
	uint32_t *of_row, *of_column; // owned; LOOM_UNMATCHED
	uint32_t *queue, *from;       // owned; of a search: rows to look at; the row that reached a column
	uint32_t *open;               // owned; columns that were not reached
};

bool loom_matching_init(struct loom_matching *out, uint32_t n); // nothing matched; false: out of memory
void loom_matching_free(struct loom_matching *m);               // of one zeroed, too

// Unmatches the pairs whose weight has fallen below `least`. weight[i * n + j].
void loom_matching_drop(struct loom_matching *m, const uint32_t *weight, uint32_t least);
// Matches as many rows as can be; true if all are.
bool loom_matching_complete(struct loom_matching *m, const uint32_t *weight, uint32_t least);

// Fills in to[row] of an assignment of the largest sum of weights, by shortest augmenting paths [Kuhn55]: O(n^3). false: out of memory.
bool loom_assignment(uint32_t *to, uint32_t n, const uint32_t *weight);

#endif
