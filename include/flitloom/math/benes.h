// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_BENES_H
#define LOOM_BENES_H

#include <stdint.h>

#include <flitloom/api.h>
#include <flitloom/err.h>

LOOM_API_BEGIN

#define LOOM_BENES_K_MAX 20

// Splits any permutation f of N = 2^k nodes into two passes, f(x) = h(g(x)). First x -> g[x] passes `romega` (the
// inverse omega network) without conflict, then g[x] -> f(x), which is h, passes `omega`. On a cube the first pass goes
// by e-cube, the second by e^-1-cube. The looping algorithm [Opferman71], O(N log N).
//
// f, g and h have N entries each and do not overlap; k <= LOOM_BENES_K_MAX. g serves as working memory, and the call
// allocates N words and N bits more. LOOM_EINPUT: f is not a permutation; the message names the two that clash.
int loom_benes_two_pass(uint32_t *g, uint32_t *h, const uint32_t *f, unsigned k, struct loom_err *err);

// Returns the stages of a network of 2x2 switches that carries any permutation: 2 k - 1 for n_nodes = 2^k ([Benes65]).
unsigned loom_benes_stages(uint32_t n_nodes);

LOOM_API_END

#endif
