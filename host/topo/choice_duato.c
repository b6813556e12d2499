// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A rule with any shortest way on most lanes, and dimension order on escape lanes that prove it free of deadlocks
// ([Duato93]).
#include "topo/choice_ways.h"

// A ring of 4 nodes needs one escape lane. A message crosses at most two links of it, and if both ways are equally
// short it escapes by the one that does not cross the ring's end. So a message that escapes over the end goes no
// further in that dimension.
#define ROW_OF_ONE_ESCAPE 4

unsigned loom_duato_escapes(const struct loom_topo *t)
{
	for (unsigned d = 0; t->kind->wraps && d < t->n_dims; d++)
		if (t->extent[d] > ROW_OF_ONE_ESCAPE)
			return 2;
	return 1;
}

// Returns the escape lane: dimension order, the lowest dimension first. Half-way round a ring it does not cross the
// ring's end. With two escape lanes a message takes lane 0 until it reaches the end of its ring, and lane 1 over the
// end and from there on. A message that does not cross the end takes lane 1.
static uint64_t escape_of(const struct loom_topo *t, struct loom_ways ways, uint32_t here, uint32_t destination)
{
	const unsigned d = (unsigned)__builtin_ctz(ways.plus | ways.minus);
	const uint32_t x = loom_ways_at(t, here, d), y = loom_ways_at(t, destination, d);
	const bool plus = ways.plus >> d & 1, minus = ways.minus >> d & 1, goes_down = plus && minus ? y < x : minus;
	const bool crosses = goes_down ? y > x : y < x;
	const uint32_t last = goes_down ? 0 : t->extent[d] - 1;
	const unsigned lane = loom_duato_escapes(t) == 1 ? 0 : !crosses || x == last;
	return UINT64_C(1) << (loom_ways_link(t, d, goes_down) * t->n_vcs + lane);
}

struct loom_choice loom_choice_duato(const struct loom_topo *t, uint32_t source, uint32_t here, uint32_t destination)
{
	const struct loom_ways ways = loom_ways_of(t, here, destination);
	const uint64_t escape = escape_of(t, ways, here, destination);
	(void)source;
	return (struct loom_choice){loom_ways_lanes(t, ways, loom_duato_escapes(t)) | escape, escape};
}
