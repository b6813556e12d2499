// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes any permutation in at most two OTIS moves ([Sahni97], section 4). Each item goes to a place of its group (its
// middle), by light to the group of that number, there to the place with the number of its destination group, by light
// to that group, and to its final place. No two items from one group share a middle, and no two items to one group do.
// The middles are colours of the edges of a graph with an edge from group to group for each item.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "plan/otis/otis_moves.h"
#include "plan/planners/bipartite.h"

static int no_memory(uint32_t n_items, struct loom_err *err)
{
	return loom_fail(err, LOOM_ENOMEM, "out of memory for the moves of %" PRIu32 " items", n_items);
}

int loom_otis_check_items(uint32_t side, const uint32_t *source, const uint32_t *destination, uint32_t n_items,
                          struct loom_err *err)
{
	int rc = loom_otis_check_side(side, false, err);
	if (rc != 0)
		return rc;
	uint32_t n_nodes = loom_otis_nodes(side);
	uint8_t *used = calloc(n_nodes, 1);
	if (!used)
		return no_memory(n_items, err);
	for (uint32_t i = 0; rc == 0 && i < n_items; i++) {
		if (source[i] >= n_nodes || destination[i] >= n_nodes)
			rc = loom_fail(err, LOOM_EINPUT,
			               "item %" PRIu32 " goes from node %" PRIu32 " to %" PRIu32
			               "; nodes are 0 to %" PRIu32,
			               i, source[i], destination[i], n_nodes - 1);
		else if ((used[source[i]] & 1) || (used[destination[i]] & 2))
			rc = loom_fail(err, LOOM_EINPUT, "item %" PRIu32 " is the second %s node %" PRIu32, i,
			               used[source[i]] & 1 ? "on" : "to",
			               used[source[i]] & 1 ? source[i] : destination[i]);
		if (rc == 0) {
			used[source[i]] |= 1;
			used[destination[i]] |= 2;
		}
	}
	free(used);
	return rc;
}

int loom_otis_first_middle(uint32_t *middle, uint32_t side, const uint32_t *source, const uint32_t *destination,
                           uint32_t n_items, struct loom_err *err)
{
	uint32_t n = side * side, n_colours = 0;
	uint32_t *left = malloc((n_items + (size_t)1) * sizeof *left),
		 *right = malloc((n_items + (size_t)1) * sizeof *right);
	const struct loom_bipartite g = {n, n, n_items, left, right};
	for (uint32_t i = 0; left && right && i < n_items; i++) {
		left[i] = source[i] / n;
		right[i] = destination[i] / n;
	}
	bool done = left && right && loom_bipartite_colour(middle, &n_colours, &g);
	free(left);
	free(right);
	return done ? 0 : no_memory(n_items, err);
}

int loom_otis_by_middle(struct loom_otis_moves *out, uint32_t side, const uint32_t *source, const uint32_t *destination,
                        const uint32_t *middle, uint32_t n_items, struct loom_err *err)
{
	uint32_t n = side * side, *to = malloc((n_items + (size_t)1) * sizeof *to);
	struct loom_otis_moves m = {0};
	int rc = to ? loom_otis_moves_begin(&m, side, source, n_items, err) : no_memory(n_items, err);
	for (unsigned round = 0; rc == 0 && round < 3; round++) {
		for (uint32_t i = 0; i < n_items; i++) {
			uint32_t place = round == 0 ? middle[i] : round == 1 ? destination[i] / n : destination[i] % n;
			to[i] = m.at[i] / n * n + place;
		}
		rc = loom_otis_moves_local(&m, to, err);
		if (rc == 0 && round < 2)
			rc = loom_otis_moves_light(&m, NULL, err);
	}
	if (rc == 0)
		rc = loom_otis_moves_trim(&m, err); // an item that stays in its group needs no light
	free(to);
	if (rc == 0) {
		(void)snprintf(m.by, sizeof m.by, "edge colouring");
		*out = m;
	} else {
		loom_otis_moves_free(&m);
	}
	return rc;
}

int loom_otis_any(struct loom_otis_moves *out, uint32_t side, const uint32_t *source, const uint32_t *destination,
                  uint32_t n_items, struct loom_err *err)
{
	int rc = loom_otis_check_items(side, source, destination, n_items, err);
	if (rc != 0)
		return rc;
	uint32_t *middle = malloc((n_items + (size_t)1) * sizeof *middle);
	rc = middle ? loom_otis_first_middle(middle, side, source, destination, n_items, err) : no_memory(n_items, err);
	if (rc == 0)
		rc = loom_otis_by_middle(out, side, source, destination, middle, n_items, err);
	free(middle);
	return rc;
}

// ---- One OTIS move, or none -----------------------------------------------------------------------------------------

// Counts the items of each group that stay in it. Sets *out to false if two items go from one group to one other.
// Returns false if memory runs out.
static bool is_spread(bool *out, uint32_t *staying, uint32_t side, const uint32_t *source, const uint32_t *destination,
                      uint32_t n_items)
{
	uint32_t n = side * side;
	uint8_t *seen = calloc((size_t)n * n, 1);
	if (!seen)
		return false;
	*out = true;
	for (uint32_t g = 0; g < n; g++)
		staying[g] = 0;
	for (uint32_t i = 0; i < n_items; i++) {
		uint32_t from = source[i] / n, to = destination[i] / n;
		if (from == to)
			staying[from]++;
		else if (seen[from * n + to]++)
			*out = false;
	}
	free(seen);
	return true;
}

bool loom_otis_is_spread(bool *out, uint32_t side, const uint32_t *source, const uint32_t *destination,
                         uint32_t n_items)
{
	uint32_t *staying = malloc((size_t)side * side * sizeof *staying);
	bool done = staying && is_spread(out, staying, side, source, destination, n_items);
	free(staying);
	return done;
}

// Chooses the places that items go to before the OTIS move. An item that stays in its group may go to its destination
// at once. If only one item stays, it takes the place without light, which no other item needs, so that all items are
// on different nodes.
static void first_places(uint32_t *to, const uint32_t *staying, uint32_t side, const uint32_t *source,
                         const uint32_t *destination, uint32_t n_items)
{
	uint32_t n = side * side;
	bool all_stay = true;
	for (uint32_t i = 0; i < n_items; i++)
		all_stay = all_stay && source[i] / n == destination[i] / n;
	for (uint32_t i = 0; i < n_items; i++) {
		uint32_t from = source[i] / n, group = destination[i] / n;
		to[i] = from == group && (all_stay || staying[from] > 1) ? destination[i] : from * n + group;
	}
}

int loom_otis_by_one(struct loom_otis_moves *out, bool *possible, uint32_t side, const uint32_t *source,
                     const uint32_t *destination, uint32_t n_items, struct loom_err *err)
{
	int rc = loom_otis_check_items(side, source, destination, n_items, err);
	if (rc != 0)
		return rc;
	uint32_t n = side * side;
	uint32_t *to = malloc((n_items + (size_t)1) * sizeof *to), *staying = malloc(n * sizeof *staying);
	bool *leaves = malloc(n_items + (size_t)1), spread = false;
	struct loom_otis_moves m = {0};
	if (!to || !staying || !leaves || !is_spread(&spread, staying, side, source, destination, n_items))
		rc = no_memory(n_items, err);
	for (uint32_t i = 0; rc == 0 && i < n_items; i++)
		leaves[i] = source[i] / n != destination[i] / n;
	if (rc == 0 && spread) {
		first_places(to, staying, side, source, destination, n_items);
		rc = loom_otis_moves_begin(&m, side, source, n_items, err);
		if (rc == 0)
			rc = loom_otis_moves_local(&m, to, err);
		if (rc == 0)
			rc = loom_otis_moves_light(&m, leaves, err);
		if (rc == 0)
			rc = loom_otis_moves_local(&m, destination, err);
	}
	free(to);
	free(staying);
	free(leaves);
	if (rc != 0) {
		loom_otis_moves_free(&m);
		return rc;
	}
	*possible = spread;
	if (spread) {
		(void)snprintf(m.by, sizeof m.by, m.otis ? "one OTIS move" : "no OTIS move");
		*out = m;
	}
	return 0;
}
