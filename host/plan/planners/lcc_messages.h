// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_LCC_MESSAGES_H
#define LOOM_LCC_MESSAGES_H

#include <flitloom/pattern.h>

// Count among all 2^n messages, for any order: those to oneself; those that cross each dimension; the hops of the one
// that goes farthest, n <= 32 (LOOM_ENOMEM). n <= 63.
uint64_t loom_lcc_to_self(const struct loom_lcc *lcc);
void loom_lcc_crossings(uint64_t out[LOOM_GF2_MAX], const struct loom_lcc *lcc);
int loom_lcc_farthest(unsigned *out, const struct loom_lcc *lcc, struct loom_err *err);

#endif
