// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_FAULT_H
#define LOOM_FAULT_H

#include <flitloom/link/pipe.h>

// A bad line; the same seed and bytes give the same faults. Both directions have the same rates, but their own faults.
struct loom_fault_settings {
	uint64_t seed;
	double flip;                  // of a bit
	double drop, duplicate, swap; // of a byte: lost, sent twice, exchanged with the next one
	double truncate;              // of a chunk of 64 bytes: all behind a random place of it is lost
	unsigned stall_ms;            // one chunk in 256 and all that follows is late by this
};

// "seed=1,flip=1e-4,drop=0.01": what is not named is 0. LOOM_EINPUT.
int loom_fault_parse(struct loom_fault_settings *out, const char *text, struct loom_err *err);
// Takes `inner` over, also on failure.
int loom_fault_wrap(struct loom_pipe *out, struct loom_pipe *inner, const struct loom_fault_settings *settings,
                    struct loom_err *err);

#endif
