// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef TEST_DEMANDS_H
#define TEST_DEMANDS_H

#include <flitloom/demand.h>

// The tests of circuits share this. A demand drawn by lot: about one entry in `one_in` is 1..most flits, the others 0.
void random_demand(struct loom_demand *out, uint32_t n, uint32_t one_in, uint32_t most, uint64_t seed);

#endif
