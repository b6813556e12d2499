// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TALLY_H
#define LOOM_TALLY_H

#include <stddef.h>
#include <stdint.h>

// Counts runs by kind of fabric, which is the name before the colon.
struct tally {
	struct {
		char kind[24];
		uint64_t n;
	} row[32];
	size_t n_rows;
	uint64_t n; // of all kinds
};

void tally_add(struct tally *tally, const char *fabric);
// Prints a line: the number of runs of `what`, and of each kind.
void tally_print(const struct tally *tally, const char *what);

#endif
