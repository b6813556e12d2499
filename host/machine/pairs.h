// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_PAIRS_H
#define LOOM_PAIRS_H

#include <stdbool.h>

#include <flitloom/plan.h>

// Tails of messages by sender and receiver, in the order of arrival. The waits of programs read them.
struct loom_play_pairs;

// *out is NULL of a plan without timing: nobody waits then. LOOM_ENOMEM.
int loom_pairs_make(struct loom_play_pairs **out, const struct loom_plan *plan, struct loom_err *err);
void loom_pairs_free(struct loom_play_pairs *pairs); // NULL allowed
// Nothing has arrived. Nothing of NULL.
void loom_pairs_forget(struct loom_play_pairs *pairs);
// Message i is the next one of its sender and receiver to arrive. Nothing of NULL.
void loom_pairs_arrive(struct loom_play_pairs *pairs, size_t i, uint64_t tail);
// The tail of the k-th message, from 1, to arrive between the sender and the receiver of message i; false: it has not arrived.
bool loom_pairs_tail(uint64_t *out, const struct loom_play_pairs *pairs, size_t i, uint64_t k);

#endif
