// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_FORBIDDEN_TURNS_H
#define LOOM_FORBIDDEN_TURNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <flitloom/api.h>
#include <flitloom/err.h>
#include <flitloom/topo.h>

LOOM_API_BEGIN

// Turns that no message takes. A turn is from a link that leads to a node to one that leads away from it; going
// straight on is a turn as well. A message never goes back by the link that it came along. It takes any of the
// shortest ways that are left. docs/adaptive.md describes the file.
struct loom_turns {
	uint32_t n_nodes;
	unsigned n_links;
	uint64_t *forbidden; // owned: [node * n_links + q], bit p: the turn from the input beside link q to link p
	// owned: [node * n_links + q]: the channel of the link that comes in there; LOOM_TURNS_NONE: none does
	uint32_t *from;
	uint64_t n_turns, n_forbidden; // turns of the network, without turns back
};
#define LOOM_TURNS_NONE UINT32_MAX

// Makes the turns of a direct network, none of them forbidden. LOOM_EINPUT: it has no links of its own; LOOM_ENOMEM.
int loom_turns_init(struct loom_turns *out, const struct loom_topo *t, struct loom_err *err);
void loom_turns_free(struct loom_turns *turns); // NULL allowed; leaves *turns zeroed
// Reads forbidden turns from n_bytes of text or from a file. A line is two directions, "-x +y" (of a cube "-0 +1",
// the numbers of dimensions), for every node; or three nodes, "a->b->c", for that place alone. LOOM_EINPUT: the line,
// and its fault.
int loom_turns_parse(struct loom_turns *out, const struct loom_topo *t, const char *text, size_t n_bytes,
                     const char *where, struct loom_err *err);
int loom_turns_read(struct loom_turns *out, const struct loom_topo *t, const char *path, struct loom_err *err);
// Searches for few turns to forbid. Without them no circle of links is left, while each node still reaches every
// other one. The same seed gives the same turns. *lower_bound: at least this many turns must be forbidden,
// because as many circles have no turn in common. LOOM_EINPUT: links that lead both ways do not join all nodes.
int loom_turns_search(struct loom_turns *out, uint64_t *lower_bound, const struct loom_topo *t, uint64_t seed,
                      struct loom_err *err);
// Forbids the turn at a node from the input beside link q to link p, or allows it again.
void loom_turns_forbid(struct loom_turns *turns, uint32_t node, unsigned q, unsigned p, bool forbid);

// Gives a fabric and its copies the turns by which messages of LOOM_RULE_TURNS go: a router then chooses among the
// links on the shortest of the ways that are left, as by the rules of flitloom/routes/choice.h. The caller keeps
// `turns`. They belong to the fabric as it is: set lanes, suffix and failures before. Turns by which messages can
// lock are accepted here, and refused when messages are to go by them. LOOM_EINPUT: some message has no way, or the
// fabric is no direct one with coordinates or tables, or too large; LOOM_ENOMEM.
int loom_topo_set_turns(struct loom_topo *t, const struct loom_turns *turns, struct loom_err *err);
// Returns the turns of a fabric; NULL: none.
const struct loom_turns *loom_topo_turns(const struct loom_topo *t);

LOOM_API_END

#endif
