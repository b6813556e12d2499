// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_CONFLICTS_H
#define LOOM_CONFLICTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plan/planners/budget.h"

// Functions for planners: conflicts of messages that meet on a channel, and passes in which none meet.

// The conflict graph ([Youssef93], section 3), kept as channels and their users: two messages are neighbours if they
// use one channel.
struct loom_conflicts {
	size_t n;          // messages
	size_t *at;        // [message]: its channels are hop[at[message] .. at[message+1] - 1]
	uint32_t *hop;     // channels, numbered from 0 without gaps
	size_t n_channels; // channels in use
	size_t *first;     // [channel]: its messages are user[first[channel] .. first[channel+1] - 1]
	uint32_t *user;
	uint32_t *degree; // [message]: neighbours, counted once for each channel shared
	size_t words;     // words of a set of colours
	uint64_t *taken;  // [channel][words]: the colours its messages have
	uint32_t largest_load;
	// The budget of a search in rounds; NULL: the default numbers, with which it finds the same everywhere.
	struct loom_budget *budget;
};

// True if a search goes on: by its budget or, without one, until it has had most_rounds rounds or examined most_words
// words.
static inline bool loom_conflicts_goes_on(const struct loom_conflicts *g, unsigned round, double words_per_round,
                                          unsigned most_rounds, double most_words)
{
	if (g->budget)
		return loom_budget_spend(g->budget, (uint64_t)words_per_round + 1);
	return round < most_rounds && round * words_per_round < most_words;
}

static inline bool loom_conflicts_has(const struct loom_conflicts *g, size_t channel, uint32_t colour)
{
	return g->taken[channel * g->words + colour / 64] >> colour % 64 & 1;
}

static inline void loom_conflicts_take(struct loom_conflicts *g, size_t message, uint32_t colour)
{
	for (size_t k = g->at[message]; k < g->at[message + 1]; k++)
		g->taken[g->hop[k] * g->words + colour / 64] |= UINT64_C(1) << colour % 64;
}

// Finds the least colour that no neighbour has. There is always one, because a set holds more colours than any
// message has neighbours.
static inline uint32_t loom_conflicts_least_free(const struct loom_conflicts *g, size_t message)
{
	for (size_t w = 0;; w++) {
		uint64_t taken = 0;
		for (size_t k = g->at[message]; k < g->at[message + 1]; k++)
			taken |= g->taken[g->hop[k] * g->words + w];
		if (~taken)
			return (uint32_t)(64 * w) + (uint32_t)__builtin_ctzll(~taken);
	}
}

// Message i crosses the channels hop[at[i] .. at[i+1] - 1], each below n_ids; at has n+1 elements. Both are malloc'ed
// and belong to the graph from now on, even if it fails. false: out of memory. Free it with loom_conflicts_free; a
// zeroed one is allowed.
bool loom_conflicts_make(struct loom_conflicts *out, size_t n, size_t *at, uint32_t *hop, size_t n_ids);
void loom_conflicts_free(struct loom_conflicts *g);

// Gives each message of a graph without colours a colour (saturation.c). false: out of memory.
bool loom_conflicts_saturate(uint32_t *colour, uint32_t *n_colours, struct loom_conflicts *g);

// Finds passes in which no channel has two messages: pass[i] counts from 0, and none is empty. If *n_passes is not 0,
// pass already has a schedule, which is kept unless one with fewer passes is found. The search uses DSATUR if the graph
// is not too large, else first fit, then rounds of iterated greedy as long as there are more passes than messages on
// the busiest channel, g->largest_load. Deterministic (colouring.c). false: out of memory.
bool loom_conflicts_colour(uint32_t *pass, uint32_t *n_passes, struct loom_conflicts *g);

// Gives passes by first fit: each message in turn gets the least pass that no neighbour has; order NULL: 0, 1, 2, ...
// Returns the number of passes.
uint32_t loom_conflicts_first_fit(uint32_t *pass, struct loom_conflicts *g, const uint32_t *order);

#endif
