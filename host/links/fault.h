// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_FAULT_H
#define LOOM_FAULT_H

#include <flitloom/link/pipe.h>

// A faulty line. The same seed and bytes give the same faults. Both directions have the same rates, but their own
// faults.
struct loom_fault_settings {
	uint64_t seed;
	double flip; // probability that a bit flips
	// probabilities that a byte is lost, is sent twice, changes places with the next one
	double drop, duplicate, swap;
	double truncate;   // probability that a chunk of 64 bytes loses all bytes behind a random place
	unsigned stall_ms; // by which one chunk in 256, and all that follows, is late
};

// Reads settings, "seed=1,flip=1e-4,drop=0.01"; those not named are 0. LOOM_EINPUT.
int loom_fault_parse(struct loom_fault_settings *out, const char *text, struct loom_err *err);
// Puts the faulty line in front of `inner`, and owns `inner`, also on failure.
int loom_fault_wrap(struct loom_pipe *out, struct loom_pipe *inner, const struct loom_fault_settings *settings,
                    struct loom_err *err);

#endif
