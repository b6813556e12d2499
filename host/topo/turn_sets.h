// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TURN_SETS_H
#define LOOM_TURN_SETS_H

#include <stdatomic.h>

#include <flitloom/routes/forbidden_turns.h>

#define LOOM_TURN_SETS_LINKS 32 // most links of a node
#define LOOM_TURN_SETS_CIRCLE 320

// The turns by which messages of rule turns go on a fabric, and the links that these turns allow. A set is made once,
// never changed, and shared by copies of the fabric.
struct loom_turn_sets {
	atomic_uint n_users;
	uint32_t n_nodes;
	unsigned n_links;
	struct loom_turns turns; // owned
	// Owned: [(here * (n_links + 1) + came) * n_nodes + destination], bit p: such a message may leave by link p.
	// came is 0 at its source, and q + 1 behind the input beside link q. 0: no message to that destination comes
	// here that way, or it has arrived.
	uint32_t *links;
	char circle[LOOM_TURN_SETS_CIRCLE]; // text: a circle of lanes on which messages can lock; empty: there is none
};

// Makes the sets of these turns, which stay the caller's; circle is empty. LOOM_EINPUT: a node has too many links;
// LOOM_ENOMEM.
int loom_turn_sets_make(struct loom_turn_sets **out, const struct loom_topo *t, const struct loom_turns *turns,
                        struct loom_err *err);
// Frees them when their last user has released them; NULL allowed.
void loom_turn_sets_free(struct loom_turn_sets *sets);
// Returns the links by which a message to `destination` that has come to `here` may leave.
static inline uint32_t loom_turn_sets_links(const struct loom_turn_sets *sets, uint32_t here, unsigned came,
                                            uint32_t destination)
{
	return sets->links[((size_t)here * (sets->n_links + 1) + came) * sets->n_nodes + destination];
}
// Fails if messages go by rule turns and the fabric's turns leave a circle on which they can lock. LOOM_EINPUT names
// the circle.
int loom_turn_sets_check(const struct loom_topo *t, unsigned rule, struct loom_err *err);

#endif
