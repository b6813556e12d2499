// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef TEST_FAILING_MEMORY_H
#define TEST_FAILING_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

// Memory that runs out on demand. A program that uses this is linked so that malloc and its like come here (mk/c.mk);
// Jansson's do after memory_take_jansson. Everything that is got while armed is counted until it is freed.

void memory_take_jansson(void);
// While Jansson reads, its larger pieces do not fail: see there.
void memory_jansson_reads(bool reads);
// Makes the n-th allocation from now on (from 1) fail, with `from_then_on` also all later ones. 0: none fails.
void memory_arm(size_t n, bool from_then_on);
// Ends that. Returns true if an allocation failed.
bool memory_disarm(void);
size_t memory_allocations(void); // since memory_arm, failed ones included
size_t memory_live(void);        // pieces got while armed and not yet freed

#endif
