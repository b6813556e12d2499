// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef REF_LANES_H
#define REF_LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Finds lanes for given routes, by trying: each message keeps to one lane of every channel on its route. No code is
// shared with the library, and networks are unknown: a channel is a number.

struct ref_lane_route {
	const uint32_t *channel; // the channels of the way, in order
	size_t n;
};

// Sets *out if messages can wait for one another in a circle. From a channel, on a lane, an edge leads to the one
// that a route of that lane takes right after it. Channels without an edge to another one are removed until there are
// none; circles and the ways to them stay. lane: NULL: all are on one. -ENOMEM.
int ref_lanes_lock(bool *out, const struct ref_lane_route *route, const uint32_t *lane, size_t n, uint32_t n_channels);

// One route after the other on the lowest lane on which it closes no circle with those before it. *n_lanes: the lanes used,
// 1 at least. -ENOMEM.
int ref_lanes_first_fit(uint32_t *lane, uint32_t *n_lanes, const struct ref_lane_route *route, size_t n,
                        uint32_t n_channels);

// Finds the fewest lanes on which routes close no circle, over all ways to assign lanes. For a dozen routes. -ENOMEM.
int ref_lanes_fewest(uint32_t *out, const struct ref_lane_route *route, size_t n, uint32_t n_channels);

// One route after the other on one of n_lanes lanes, beginning with lane first[i] (NULL: 0), on which it closes no circle with
// those before it: on the one where the busiest channel of its way is that of fewest routes; of equals the one with fewest
// routes, and of equals the lowest. *done: there was one for each. -ENOMEM.
int ref_lanes_even(bool *done, uint32_t *lane, const struct ref_lane_route *route, const uint32_t *first,
                   uint32_t n_lanes, size_t n, uint32_t n_channels);

// Routes given up one by one: as long as there is a circle on some lane, one of its messages takes its usual route instead, on
// the same lane; of those which are not on theirs yet it is one whose usual route's busiest channel then carries least, all
// lanes together. weight[i]: what message i adds. Usual routes are as long as those chosen.
// Sets *out if the routes in `given_up` can be those that were given up, for some choice of circles, and no circle is
// left. -EINVAL: more than 16 are given up; -ENOMEM.
int ref_lanes_can_give_up(bool *out, const struct ref_lane_route *chosen, const struct ref_lane_route *usual,
                          const uint32_t *lane, const bool *given_up, const uint64_t *weight, size_t n,
                          uint32_t n_channels);

#endif
