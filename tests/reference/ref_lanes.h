// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef REF_LANES_H
#define REF_LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Lanes of given routes, by trying: each message keeps to one lane of every channel on its way. No code is shared with the
// library, and nothing is known of networks: a channel is a number.

struct ref_lane_route {
	const uint32_t *channel; // the channels of the way, in order
	size_t n;
};

#define REF_LANES_MAX 64u // routes of which sets are kept as bits

// Whether messages can come to wait for one another in a circle. From a channel, on a lane, an edge leads to the one that a
// route of that lane takes right after it. What nothing follows is taken away until there is no such channel; what stays is
// circles and the ways to them. lane: NULL: all are on one. -ENOMEM.
int ref_lanes_lock(bool *out, const struct ref_lane_route *route, const uint32_t *lane, size_t n, uint32_t n_channels);

// One route after the other on the lowest lane on which it closes no circle with those before it. *n_lanes: the lanes used,
// 1 at least. -ENOMEM.
int ref_lanes_first_fit(uint32_t *lane, uint32_t *n_lanes, const struct ref_lane_route *route, size_t n,
                        uint32_t n_channels);

// The fewest lanes on which no circle is closed, of all ways to share them out. For a dozen routes. -ENOMEM.
int ref_lanes_fewest(uint32_t *out, const struct ref_lane_route *route, size_t n, uint32_t n_channels);

// Each route on one of the n_lanes lanes from first[i] on, in order: that on which its channels then carry least at most, the
// lowest of those. weight[i]: what route i adds. -ENOMEM.
int ref_lanes_even(uint32_t *lane, const struct ref_lane_route *route, const uint32_t *first, uint32_t n_lanes,
                   const uint64_t *weight, size_t n, uint32_t n_channels);

// Routes given up one by one, all on one lane: as long as there is a circle, one that goes through an edge of a message goes for
// good when that message takes its usual route instead; of the messages of that circle which are not on their usual route it
// is one whose usual route's busiest channel then carries least. Whether the routes in `given_up` can be those that went, in
// some order of circles, and whether there is no circle when they have. Usual routes close none. n: REF_LANES_MAX at most, of
// which 16 are given up at most. -EINVAL: more; -ENOMEM.
int ref_lanes_can_give_up(bool *out, const struct ref_lane_route *chosen, const struct ref_lane_route *usual,
                          const bool *given_up, const uint64_t *weight, size_t n, uint32_t n_channels);

#endif
