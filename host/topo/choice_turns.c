// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Rules by forbidden turns: the turn model ([Glass94]) in its three forms, and odd-even ([Chiu00]).
#include "topo/choice_ways.h"

// Offers the first ways as long as there are any, then the rest.
static struct loom_choice in_turn(const struct loom_topo *t, struct loom_ways first, struct loom_ways rest)
{
	const bool is_first = (first.plus | first.minus) != 0;
	return (struct loom_choice){loom_ways_lanes(t, is_first ? first : rest, 0), 0};
}

struct loom_choice loom_choice_negative_first(const struct loom_topo *t, uint32_t source, uint32_t here,
                                              uint32_t destination)
{
	const struct loom_ways ways = loom_ways_of(t, here, destination);
	(void)source;
	return in_turn(t, (struct loom_ways){0, ways.minus}, (struct loom_ways){ways.plus, 0});
}

struct loom_choice loom_choice_west_first(const struct loom_topo *t, uint32_t source, uint32_t here,
                                          uint32_t destination)
{
	const struct loom_ways ways = loom_ways_of(t, here, destination);
	const uint32_t all_but_one = (UINT32_C(1) << (t->n_dims - 1)) - 1;
	(void)source;
	return in_turn(t, (struct loom_ways){0, ways.minus & all_but_one}, ways);
}

struct loom_choice loom_choice_north_last(const struct loom_topo *t, uint32_t source, uint32_t here,
                                          uint32_t destination)
{
	const struct loom_ways ways = loom_ways_of(t, here, destination);
	(void)source;
	return in_turn(t, (struct loom_ways){ways.plus & 1, ways.minus}, ways);
}

// A message never turns from east to north or south in an even column, nor from north or south to west in an odd one,
// with columns counted from 0. So a message to the west leaves its row only in even columns. A message to the east
// leaves its row in odd columns, or at once in the column of its source, which it did not enter from the west. It must
// reach its destination's row while it can still turn. If the destination's column is even, it leaves the column before
// that one only in the destination's row.
struct loom_choice loom_choice_odd_even(const struct loom_topo *t, uint32_t source, uint32_t here, uint32_t destination)
{
	const uint32_t x = loom_ways_at(t, here, 0), to = loom_ways_at(t, destination, 0);
	const struct loom_ways ways = loom_ways_of(t, here, destination);
	const struct loom_ways along = {ways.plus & 1, ways.minus & 1}, across = {ways.plus & 2, ways.minus & 2};
	bool goes_along = true, goes_across = true;
	if (along.minus) {
		goes_across = x % 2 == 0;
	} else if (along.plus && (across.plus || across.minus)) {
		goes_across = x % 2 == 1 || x == loom_ways_at(t, source, 0);
		goes_along = to % 2 == 1 || to - x != 1;
	}
	return (struct loom_choice){
		(goes_along ? loom_ways_lanes(t, along, 0) : 0) | (goes_across ? loom_ways_lanes(t, across, 0) : 0), 0};
}
