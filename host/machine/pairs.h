// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_PAIRS_H
#define LOOM_PAIRS_H

#include <stdbool.h>

#include <flitloom/plan.h>

// Records in which cycles tails arrived, for each pair of sender and receiver, in the order of arrival. The waits of
// programs read this record.
struct loom_play_pairs;

// Makes an empty record for a plan. *out is NULL if the plan has no timing, since no program waits then. LOOM_ENOMEM.
int loom_pairs_make(struct loom_play_pairs **out, const struct loom_plan *plan, struct loom_err *err);
void loom_pairs_free(struct loom_play_pairs *pairs); // NULL allowed
// Empties the record. Does nothing if `pairs` is NULL.
void loom_pairs_forget(struct loom_play_pairs *pairs);
// Records that message i has arrived, with its tail in cycle `tail`, as the next one from its sender to its receiver.
// Does nothing if `pairs` is NULL.
void loom_pairs_arrive(struct loom_play_pairs *pairs, size_t i, uint64_t tail);
// Finds the cycle of the tail of the k-th message, counted from 1, that arrived from the sender to the receiver of
// message i. False: it has not arrived yet.
bool loom_pairs_tail(uint64_t *out, const struct loom_play_pairs *pairs, size_t i, uint64_t k);

#endif
