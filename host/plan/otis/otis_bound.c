// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes a lower bound of the moves. If light takes an item an even number of times, its electronic hops add up to
// its way from P1 to P2 and from G1 to G2; otherwise from P1 to G2 and from G1 to P2 ([Sahni97], Theorem 3). Each
// direction needs at least as many steps as some item goes in it.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "plan/otis/otis_moves.h"

enum { D = LOOM_OTIS_LIGHT };

// An item's hops in each direction, without light, for an even and for an odd number of OTIS moves.
struct ways {
	uint8_t even[D], odd[D];
};

static void hops_of(uint8_t out[D], uint32_t side, uint32_t from, uint32_t to, uint32_t other_from, uint32_t other_to)
{
	for (unsigned d = 0; d < D; d++)
		out[d] = (uint8_t)(loom_otis_hops_along(side, from, to, (enum loom_otis_direction)d) +
		                   loom_otis_hops_along(side, other_from, other_to, (enum loom_otis_direction)d));
}

static bool is_within(const uint8_t *a, const uint8_t *b)
{
	return a[0] <= b[0] && a[1] <= b[1] && a[2] <= b[2] && a[3] <= b[3];
}

static void raise(uint8_t *most, const uint8_t *hops)
{
	for (unsigned d = 0; d < D; d++)
		most[d] = hops[d] > most[d] ? hops[d] : most[d];
}

static uint32_t sum(const uint8_t *hops)
{
	return (uint32_t)hops[0] + hops[1] + hops[2] + hops[3];
}

static int compare(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct ways));
}

// Keeps the items whose two ways are both longer than `least`, equal ones once. Returns their number.
static size_t sift(struct ways *ways, size_t n, const uint8_t *least)
{
	size_t n_left = 0, n_kept = 0;
	for (size_t i = 0; i < n; i++)
		if (!is_within(ways[i].even, least) && !is_within(ways[i].odd, least))
			ways[n_left++] = ways[i];
	qsort(ways, n_left, sizeof *ways, compare);
	for (size_t i = 0; i < n_left; i++)
		if (i == 0 || compare(&ways[i], &ways[i - 1]) != 0)
			ways[n_kept++] = ways[i];
	return n_kept;
}

// Returns the least sum of steps down and up if only `allowed` steps to the right and left may be taken, or `most` if
// that is less.
static uint32_t down_and_up(const struct ways *ways, size_t n, const uint8_t allowed[2], const uint8_t *least,
                            uint32_t most)
{
	uint32_t span = 2 * LOOM_OTIS_SIDE_MOST, fewest = most;
	for (uint32_t down = least[2]; down < span && down + least[3] < fewest; down++) {
		uint32_t up = least[3];
		for (size_t i = 0; i < n && down + up < fewest; i++) {
			const uint8_t *e = ways[i].even, *o = ways[i].odd;
			uint32_t mine = most; // used if no way is allowed
			if (e[0] <= allowed[0] && e[1] <= allowed[1] && e[2] <= down)
				mine = e[3];
			if (o[0] <= allowed[0] && o[1] <= allowed[1] && o[2] <= down && o[3] < mine)
				mine = o[3];
			up = mine > up ? mine : up;
		}
		fewest = down + up < fewest ? down + up : fewest;
	}
	return fewest;
}

// Returns the least sum of steps with which each item can take one of its two ways.
static uint32_t least_of_either(struct ways *ways, size_t n)
{
	uint8_t least[D] = {0}, most_even[D] = {0}, most_odd[D] = {0}, allowed[2];
	for (size_t i = 0; i < n; i++) {
		uint8_t low[D];
		for (unsigned d = 0; d < D; d++)
			low[d] = ways[i].even[d] < ways[i].odd[d] ? ways[i].even[d] : ways[i].odd[d];
		raise(least, low);
		raise(most_even, ways[i].even);
		raise(most_odd, ways[i].odd);
	}
	uint32_t fewest = sum(most_even) < sum(most_odd) ? sum(most_even) : sum(most_odd);
	n = sift(ways, n, least);
	for (uint32_t right = least[0]; right + sum(least) - least[0] < fewest; right++)
		for (uint32_t left = least[1]; right + left + least[2] + least[3] < fewest; left++) {
			allowed[0] = (uint8_t)right;
			allowed[1] = (uint8_t)left;
			uint32_t rest = down_and_up(ways, n, allowed, least, fewest - right - left);
			fewest = right + left + rest < fewest ? right + left + rest : fewest;
		}
	return fewest;
}

int loom_otis_bound(struct loom_otis_step_counts *out, uint32_t side, const uint32_t *source,
                    const uint32_t *destination, uint32_t n_items, const struct loom_otis_cost *cost,
                    struct loom_err *err)
{
	uint32_t n = side * side;
	uint8_t by_one[D] = {0};
	bool leaves = false, spread = false;
	int rc = loom_otis_check_items(side, source, destination, n_items, err);
	if (rc != 0)
		return rc;
	struct ways *ways = malloc((n_items + (size_t)1) * sizeof *ways);
	if (!ways || !loom_otis_is_spread(&spread, side, source, destination, n_items)) {
		free(ways);
		return loom_fail(err, LOOM_ENOMEM, "out of memory for a bound on the moves of %" PRIu32 " items",
		                 n_items);
	}
	for (uint32_t i = 0; i < n_items; i++) {
		uint32_t g1 = source[i] / n, p1 = source[i] % n, g2 = destination[i] / n, p2 = destination[i] % n;
		hops_of(ways[i].even, side, p1, p2, g1, g2);
		hops_of(ways[i].odd, side, p1, g2, g1, p2);
		leaves = leaves || g1 != g2;
		raise(by_one, g1 == g2 ? ways[i].even : ways[i].odd);
	}
	struct loom_otis_step_counts found = {least_of_either(ways, n_items), leaves ? 2 : 0};
	free(ways);
	// With a single OTIS move, exactly the items that leave their group go by it.
	if (leaves && spread &&
	    loom_otis_cost_of(cost, sum(by_one), 1) <= loom_otis_cost_of(cost, found.electronic, found.otis))
		found = (struct loom_otis_step_counts){sum(by_one), 1};
	*out = found;
	return 0;
}
