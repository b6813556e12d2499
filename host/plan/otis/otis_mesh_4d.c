// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Simulates a 4-D mesh on an OTIS-Mesh ([Sahni97], section 3 and Table 1), dimension by dimension. A step along a
// dimension of the group is an OTIS move, an electronic move and an OTIS move.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "plan/otis/otis_moves.h"

void loom_otis_mesh_4d_count(struct loom_otis_step_counts *least, uint32_t side, const uint32_t *source,
                             const uint32_t *destination, uint32_t n_items)
{
	uint32_t n = side * side, of_place[LOOM_OTIS_LIGHT] = {0}, of_group[LOOM_OTIS_LIGHT] = {0};
	for (uint32_t i = 0; i < n_items; i++)
		for (unsigned d = 0; d < LOOM_OTIS_LIGHT; d++) {
			enum loom_otis_direction by = (enum loom_otis_direction)d;
			uint32_t p = loom_otis_hops_along(side, source[i] % n, destination[i] % n, by);
			uint32_t g = loom_otis_hops_along(side, source[i] / n, destination[i] / n, by);
			of_place[d] = p > of_place[d] ? p : of_place[d];
			of_group[d] = g > of_group[d] ? g : of_group[d];
		}
	*least = (struct loom_otis_step_counts){0, 0};
	for (unsigned d = 0; d < LOOM_OTIS_LIGHT; d++) {
		least->electronic += of_place[d] + of_group[d];
		least->otis += 2 * of_group[d];
	}
}

// Adds a step of the chosen items that have a link in that direction. A node whose group and place are equal has no
// light.
static bool step_of_linked(struct loom_otis_moves *m, const struct loom_otis_play *play,
                           enum loom_otis_direction direction)
{
	struct loom_otis_play some = *play;
	uint32_t there;
	some.n_chosen = 0;
	some.chosen = some.active; // scratch between two choices
	for (size_t k = 0; k < play->n_chosen; k++)
		if (loom_otis_neighbour(&there, m->side, m->at[play->chosen[k]], direction))
			some.chosen[some.n_chosen++] = play->chosen[k];
	return some.n_chosen == 0 || loom_otis_play_step(m, &some, direction);
}

// Moves items along a dimension of the group in one direction, until item i has gone left[i] hops.
static bool run_of_group(struct loom_otis_moves *m, struct loom_otis_play *play, enum loom_otis_direction direction)
{
	for (;;) {
		loom_otis_play_choose(play, m);
		if (play->n_chosen == 0)
			return true;
		if (!step_of_linked(m, play, LOOM_OTIS_LIGHT) || !loom_otis_play_step(m, play, direction) ||
		    !step_of_linked(m, play, LOOM_OTIS_LIGHT))
			return false;
		for (size_t k = 0; k < play->n_chosen; k++)
			play->left[play->chosen[k]]--;
	}
}

static bool play_groups(struct loom_otis_moves *m, const uint32_t *destination)
{
	uint32_t n = m->side * m->side;
	struct loom_otis_play play;
	bool done = loom_otis_play_begin(&play, m);
	if (!done)
		return false;
	for (unsigned d = 0; done && d < LOOM_OTIS_LIGHT; d++) {
		for (uint32_t i = 0; i < m->n_items; i++)
			play.left[i] = loom_otis_hops_along(m->side, m->at[i] / n, destination[i] / n,
			                                    (enum loom_otis_direction)d);
		done = run_of_group(m, &play, (enum loom_otis_direction)d);
	}
	loom_otis_play_end(&play);
	return done;
}

int loom_otis_mesh_4d(struct loom_otis_moves *out, uint32_t side, const uint32_t *source, const uint32_t *destination,
                      uint32_t n_items, struct loom_err *err)
{
	uint32_t n = side * side;
	struct loom_otis_moves m = {0};
	int rc = loom_otis_check_items(side, source, destination, n_items, err);
	if (rc != 0)
		return rc;
	uint32_t *to = malloc((n_items + (size_t)1) * sizeof *to);
	for (uint32_t i = 0; to && i < n_items; i++)
		to[i] = source[i] / n * n + destination[i] % n;
	rc = to ? loom_otis_moves_begin(&m, side, source, n_items, err) : LOOM_ENOMEM;
	if (rc == 0)
		rc = loom_otis_moves_local(&m, to, err);
	if (rc == 0 && !play_groups(&m, destination))
		rc = LOOM_ENOMEM;
	free(to);
	if (rc != 0) {
		loom_otis_moves_free(&m);
		return rc != LOOM_ENOMEM ? rc
		                         : loom_fail(err, LOOM_ENOMEM,
		                                     "out of memory for the moves of %" PRIu32 " items", n_items);
	}
	(void)snprintf(m.by, sizeof m.by, "4-D mesh");
	*out = m;
	return 0;
}
