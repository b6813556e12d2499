// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TRAFFIC_INJECTION_H
#define LOOM_TRAFFIC_INJECTION_H

#include <flitloom/traffic.h>

#include "base/rng.h"
#include "traffic/shares.h"

// The messages of one node: their times, destinations and lengths. Each of the three follows from the seed and the
// processor's number alone, independently of the others. So the destinations are the same at every load, and a higher
// load only moves the times of a Poisson process closer together.
struct loom_injection_of {
	enum loom_injection kind;
	double mean_gap; // cycles
	double time;    // Poisson: the time of the last message; periodic: that of the next. Cycle c is from c - 1 to c
	uint64_t cycle; // Bernoulli and bursts: the cycle of the last message
	uint64_t on;    // bursts: cycles after it for which the node is still on
	double on_cycles, off_cycles;
	struct loom_rng times, destinations, lengths;
};

// mean_gap: cycles from message to message.
void loom_injection_begin(struct loom_injection_of *out, const struct loom_load_options *options, double mean_gap,
                          uint32_t processor);
// The cycle of the next one, from 1; never before the last one's. LOOM_INJECTION_NEVER at most.
uint64_t loom_injection_next(struct loom_injection_of *a);
#define LOOM_INJECTION_NEVER (UINT64_C(1) << 62)
// Draws a message from processor v, which sends (loom_traffic_sends).
struct loom_drawn loom_injection_draw(struct loom_injection_of *a, const struct loom_traffic *traffic,
                                      const struct loom_load_options *options, uint32_t v);

#endif
