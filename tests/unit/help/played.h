// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef TEST_PLAYED_H
#define TEST_PLAYED_H

#include <flitloom/plan.h>
#include <flitloom/trace.h>

#include "reference/reference.h"

// The tests of what nodes logged share this: a plan of one pass, its run on the reference machine, and the trace that a chip would
// have left. All of it fails the test that calls it.

enum { PLAYED_MESSAGES_MAX = 64 };

struct played {
	struct loom_plan plan;
	struct loom_trace trace;
	struct ref_arrival truth[PLAYED_MESSAGES_MAX];
};

// Plans messages in one pass as they are listed, on a fabric or a cube.
void played_plan_on(struct loom_plan *out, const char *fabric, const struct ref_message *message, size_t n);
void played_plan(struct loom_plan *out, unsigned dims, const struct ref_message *message, size_t n);
// Plans and plays messages on a cube. Free with played_free.
void played_make(struct played *p, unsigned dims, enum ref_timing timing, const struct ref_message *message, size_t n);
// Adds the words of nodes that keep the cycles in which entries of their programs began.
void played_tell_releases(struct played *p);
void played_free(struct played *p);
// Returns the arrival of a message that never waited: offered in that cycle, over these hops and cycles of light.
struct loom_arrival played_unhindered(const struct loom_plan_message *m, uint32_t number, uint32_t offered,
                                      uint32_t hops);

#endif
