// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_BACK_TO_BACK_H
#define LOOM_BACK_TO_BACK_H

#include <stdbool.h>

#include <flitloom/api.h>
#include <flitloom/plan.h>

LOOM_API_BEGIN

// Passes back to back: one START, and the chip goes from pass to pass by itself, with a barrier between any two.
// rtl/chip/pass_sequencer.sv takes LOOM_READY_CYCLES before each pass, in which the nodes prepare their first
// messages. It notices the end of a pass LOOM_NOTICE_CYCLES after the last tail. A pass lasts at least
// LOOM_PASS_CYCLES.
#define LOOM_READY_CYCLES 8u
#define LOOM_NOTICE_CYCLES 3u
#define LOOM_PASS_CYCLES 9u

// True if a plan can be run back to back: it has several passes, but no more than logs tell apart; it is not
// free-running; and the chip itself can make all changes of settings between passes. (On a network of two directions
// each pass may go the other way than the one before.)
bool loom_back_to_back_possible(const struct loom_plan *plan);

LOOM_API_END

#endif
