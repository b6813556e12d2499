// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_CHOICE_WAYS_H
#define LOOM_CHOICE_WAYS_H

#include <stdbool.h>
#include <stdint.h>

#include <flitloom/routes/choice.h>
#include <flitloom/topo.h>

// The dimensions in which a message still has to move, by the direction that leads nearer: bit d of plus, of minus, or
// of both half-way round a ring.
struct loom_ways {
	uint32_t plus, minus;
};

// Returns the ways from one node to another.
struct loom_ways loom_ways_of(const struct loom_topo *t, uint32_t here, uint32_t destination);
// Returns the coordinate of a node.
uint32_t loom_ways_at(const struct loom_topo *t, uint32_t node, unsigned d);
// Returns the link of dimension d that leads up or, with `minus`, down.
unsigned loom_ways_link(const struct loom_topo *t, unsigned d, bool minus);
// Returns all lanes of the links that lead these ways, from lane `first` on.
uint64_t loom_ways_lanes(const struct loom_topo *t, struct loom_ways ways, unsigned first);

// Return the set of lanes by each rule.
struct loom_choice loom_choice_negative_first(const struct loom_topo *t, uint32_t source, uint32_t here,
                                              uint32_t destination);
struct loom_choice loom_choice_west_first(const struct loom_topo *t, uint32_t source, uint32_t here,
                                          uint32_t destination);
struct loom_choice loom_choice_north_last(const struct loom_topo *t, uint32_t source, uint32_t here,
                                          uint32_t destination);
struct loom_choice loom_choice_odd_even(const struct loom_topo *t, uint32_t source, uint32_t here,
                                        uint32_t destination);
struct loom_choice loom_choice_duato(const struct loom_topo *t, uint32_t source, uint32_t here, uint32_t destination);

#endif
