// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TRAFFIC_INJECTION_H
#define LOOM_TRAFFIC_INJECTION_H

#include <flitloom/traffic.h>

#include "base/rng.h"

// One node's messages: when, and to whom. Both follow from the seed and the processor's number alone, and independently of
// each other, so the destinations are the same at every load, and the times of a Poisson process only closer together.
struct loom_injection_of {
	enum loom_injection kind;
	double mean_gap; // cycles
	double time;     // of Poisson, that of the last one; cycle c is from c - 1 to c
	uint64_t cycle;  // of Bernoulli, that of the last one
	struct loom_rng times, destinations;
};

// mean_gap: cycles from message to message, at least 1.
void loom_injection_begin(struct loom_injection_of *out, enum loom_injection kind, double mean_gap, uint64_t seed,
                          uint32_t processor);
uint64_t
loom_injection_next(struct loom_injection_of *a); // the cycle of the next one, from 1; never before the last one's
// Draws the destination of a message from processor v, which sends (loom_traffic_sends).
uint32_t loom_injection_destination(struct loom_injection_of *a, const struct loom_traffic *traffic, uint32_t v);
// The part of the messages of processor v, which sends, that goes to processor w.
double loom_injection_part(const struct loom_traffic *traffic, uint32_t v, uint32_t w);
// The processors to which processor v, which sends, sends at all are among *first .. *after - 1.
void loom_injection_range(uint32_t *first, uint32_t *after, const struct loom_traffic *traffic, uint32_t v);
// True if there are few enough pairs of source and destination to go through all of them.
bool loom_injection_has_few_pairs(const struct loom_traffic *traffic);

#endif
