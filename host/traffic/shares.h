// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TRAFFIC_SHARES_H
#define LOOM_TRAFFIC_SHARES_H

#include <stdbool.h>

#include <flitloom/traffic.h>

#include "base/rng.h"

// The share of a pair of processors in all that is sent.
struct loom_share {
	uint32_t destination;
	uint32_t flits; // flits of these messages; 0: the traffic does not give them
	double rate;    // flits per cycle at load 1
};

// Iterates over all shares of a processor. In a sum of traffics several may have the same destination.
struct loom_shares {
	const struct loom_traffic *traffic;
	uint32_t source;
	size_t term, next; // next: a flow, or a processor
};
void loom_shares_begin(struct loom_shares *out, const struct loom_traffic *traffic, uint32_t source);
bool loom_shares_next(struct loom_shares *shares, struct loom_share *out); // false: there are no more
// True if the shares are few enough to go through those of all processors.
bool loom_shares_are_few(const struct loom_traffic *traffic);
// True if any processor may send to any other one.
bool loom_shares_are_all(const struct loom_traffic *traffic);

// Returns the mean length of the messages whose length the traffic does not give.
double loom_shares_mean_flits(const struct loom_load_options *options);
// Returns the mean number of cycles from message to message of a processor that sends.
double loom_shares_gap(const struct loom_traffic *traffic, const struct loom_load_options *options, uint32_t source);
// Computes the least and the most flits that a message can have.
void loom_shares_lengths(uint32_t *least, uint32_t *most, const struct loom_traffic *traffic,
                         const struct loom_load_options *options);

// A message that was drawn.
struct loom_drawn {
	uint32_t destination, flits;
	uint8_t of_class; // the class of its flow; 0: the traffic has none
};
// Draws a message of a processor that sends. Each sequence is separate, so that lengths do not change destinations.
struct loom_drawn loom_shares_draw(const struct loom_traffic *traffic, const struct loom_load_options *options,
                                   uint32_t source, struct loom_rng *destinations, struct loom_rng *lengths);
// Counts the shares of all processors.
size_t loom_shares_count(const struct loom_traffic *traffic);

#endif
