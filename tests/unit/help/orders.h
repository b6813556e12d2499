// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef TEST_ORDERS_H
#define TEST_ORDERS_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>

// The tests of matrices and of their planners share this: orders of n address bits, and a check that says what failed.

// cmocka.h comes first. A case is named by its number or its seed; the caller has an `n` in scope.
#define check(condition, seed)                                                                                         \
	do {                                                                                                           \
		if (!(condition))                                                                                      \
			fail_msg("%s, case or seed %" PRIu64 ", n %u", #condition, (uint64_t)(seed), n);               \
	} while (0)

void random_order(unsigned *order, unsigned n, uint64_t *state); // state: of loom_splitmix64
bool is_order(const unsigned *order, unsigned n);                // each of 0..n-1 once
bool next_order(unsigned *order, unsigned n);                    // lexicographic; false after the last

#endif
