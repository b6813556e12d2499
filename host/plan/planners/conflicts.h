// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_CONFLICTS_H
#define LOOM_CONFLICTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <flitloom/min.h>

// Private to min_passes.c, conflicts.c and saturation.c.

// The conflict graph, kept as channels and who uses them: two messages are neighbours if a channel has both.
struct loom_conflicts {
	size_t n;
	unsigned n_hops;   // channels of a message: injection, m-1 links, ejection
	uint32_t *hop;     // [message][n_hops]: channels, numbered from 0 without gaps
	size_t n_channels; // that are used
	size_t *first;     // [channel]: its messages are user[first[channel] .. first[channel+1] - 1]
	uint32_t *user;
	uint32_t *degree; // [message]: neighbours, counted once for each channel shared
	size_t words;     // of a set of colours
	uint64_t *taken;  // [channel][words]: the colours its messages have
	uint32_t largest_load;
};

static inline bool loom_conflicts_has(const struct loom_conflicts *g, size_t channel, uint32_t colour)
{
	return g->taken[channel * g->words + colour / 64] >> colour % 64 & 1;
}

static inline void loom_conflicts_take(struct loom_conflicts *g, size_t message, uint32_t colour)
{
	for (unsigned k = 0; k < g->n_hops; k++)
		g->taken[g->hop[message * g->n_hops + k] * g->words + colour / 64] |= UINT64_C(1) << colour % 64;
}

// The least colour that no neighbour has. There is one: a set holds more colours than any message has neighbours.
static inline uint32_t loom_conflicts_least_free(const struct loom_conflicts *g, size_t message)
{
	const uint32_t *hop = &g->hop[message * g->n_hops];
	for (size_t w = 0;; w++) {
		uint64_t taken = 0;
		for (unsigned k = 0; k < g->n_hops; k++)
			taken |= g->taken[hop[k] * g->words + w];
		if (~taken)
			return (uint32_t)(64 * w) + (uint32_t)__builtin_ctzll(~taken);
	}
}

// false: out of memory. Free it with loom_conflicts_free; a zeroed one is allowed.
bool loom_conflicts_make(struct loom_conflicts *out, const struct loom_min *net, const uint32_t *source,
                         const uint32_t *destination, size_t n);
void loom_conflicts_free(struct loom_conflicts *g);

// A colour for each message of a graph in which none has one (saturation.c). false: out of memory.
bool loom_conflicts_saturate(uint32_t *colour, uint32_t *n_colours, struct loom_conflicts *g);

#endif
