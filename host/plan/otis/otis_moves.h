// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_OTIS_MOVES_H
#define LOOM_OTIS_MOVES_H

// Declarations that the files of this folder share; the only other file that includes it is planner otis.

#include <stddef.h>

#include <flitloom/math/otis.h>

#define LOOM_OTIS_NOBODY UINT32_MAX

static inline uint32_t loom_otis_nodes(uint32_t side)
{
	return side * side * side * side;
}

int loom_otis_check_side(uint32_t side, bool power_of_two, struct loom_err *err);
// Returns the hops in this direction on the way between two places of a group.
uint32_t loom_otis_hops_along(uint32_t side, uint32_t from, uint32_t to, enum loom_otis_direction direction);

// Checks the items. LOOM_EINPUT: the side or a node does not exist, or two items are from one node or to one.
int loom_otis_check_items(uint32_t side, const uint32_t *source, const uint32_t *destination, uint32_t n_items,
                          struct loom_err *err);
// Sets *out if no two items go from one group to one other; false: out of memory.
bool loom_otis_is_spread(bool *out, uint32_t side, const uint32_t *source, const uint32_t *destination,
                         uint32_t n_items);
// Find middles of the items (otis_any.c), as edge colouring happens to give them; and the moves by any middles.
int loom_otis_first_middle(uint32_t *middle, uint32_t side, const uint32_t *source, const uint32_t *destination,
                           uint32_t n_items, struct loom_err *err);
int loom_otis_by_middle(struct loom_otis_moves *out, uint32_t side, const uint32_t *source, const uint32_t *destination,
                        const uint32_t *middle, uint32_t n_items, struct loom_err *err);

// Does what loom_otis_moves_trim does. Items with stays_home[i] (NULL: none), which end where they began, also make no
// hops at all.
int loom_otis_moves_trim_to(struct loom_otis_moves *moves, const bool *stays_home, struct loom_err *err);

// Decides which item each node sends next: among the items that still have hops to go, the one with most hops left.
struct loom_otis_play {
	uint32_t *best;   // by node: working memory; no item between calls
	uint32_t *left;   // by item: the hops left to its destination
	uint32_t *active; // scratch
	uint32_t *chosen; // n_chosen items
	size_t n_active, n_chosen;
};
bool loom_otis_play_begin(struct loom_otis_play *out, const struct loom_otis_moves *m); // false: out of memory
void loom_otis_play_end(struct loom_otis_play *play);
void loom_otis_play_choose(struct loom_otis_play *play, const struct loom_otis_moves *m);
// Adds the step of the chosen items, each of which has a link in that direction. false: out of memory.
bool loom_otis_play_step(struct loom_otis_moves *m, const struct loom_otis_play *play,
                         enum loom_otis_direction direction);

#endif
