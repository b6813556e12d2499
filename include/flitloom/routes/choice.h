// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_CHOICE_H
#define LOOM_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

#include <flitloom/api.h>
#include <flitloom/err.h>
#include <flitloom/topo.h>

LOOM_API_BEGIN

// Rules that give a router a set of lanes for a message; the router takes a free one of them. docs/adaptive.md
// describes the rules, and says why messages by each of them cannot lock.
//
// A message goes up in a dimension (plus) by adding to the coordinate, and down (minus) by subtracting; in a cube
// plus makes a bit 1. A link is in the set only if it leads nearer to the destination; by rule turns, nearer on the
// ways that are left.
//
//   negative-first  as long as there is a way down in some dimension, the ways down; then those up. On a cube it is called p-cube as well
//   west-first      all but one negative first: the ways down in dimensions 0 to n-2 while there is one; then all that are left
//   north-last      all but one positive last: the ways up in dimensions 1 to n-1 only when there is no other way left
//   odd-even        two dimensions, by columns x: a message to the east (plus) turns to it from north and south, and away from it,
//                   where the column allows that (loom_rule_choice has it)
//   duato           all ways, on the lanes above the escape lanes; and on an escape lane the one way of dimension order
//   turns           turns of the user's own are taken away (loom_topo_set_turns of flitloom/routes/forbidden_turns.h); the shortest of
//                   the ways that are left, which may be longer than a shortest one of the network
//
// All but duato take each lane of each link that is in their set.

// A set of lanes of one node's links: bit link * n_vcs + lane.
struct loom_choice {
	uint64_t lanes; // never 0
	// the lanes of the set that a router tries last; on these alone the message also arrives. 0: there are none
	uint64_t escape;
};

// True if the rule is one of those above: a router chooses, cycle by cycle.
bool loom_rule_is_adaptive(unsigned rule);

// True if messages of a plan by the rule leave the fabric's routers a choice. If routers have tables, the number of
// such a rule is that of a lane instead.
bool loom_rule_chooses_on(const struct loom_topo *t, unsigned rule);
// Returns the other name that the literature has for a rule: e-cube for ascending, p-cube for negative-first; NULL
// for the rest.
const char *loom_rule_other_name(unsigned rule);
// Returns the rule with this name, or with this other name; LOOM_RULES_NAMED: there is none.
unsigned loom_rule_by_name(const char *name);
// Fails unless the adaptive rule is defined on the fabric and has the lanes that it needs. LOOM_EINPUT, in one line:
// it is none of the rules above, or not on this fabric, or with more or fewer lanes.
int loom_rule_check(const struct loom_topo *t, unsigned rule, struct loom_err *err);
// Returns the lanes by which a message from `source` may leave `here`. It is not at its destination, and
// loom_rule_check returns 0 for the rule. Only odd-even uses the source; the set is never empty at a node that the
// message can reach by that rule.
struct loom_choice loom_rule_choice(const struct loom_topo *t, unsigned rule, uint32_t source, uint32_t here,
                                    uint32_t destination);
// Returns the same for a message that has come in beside link came - 1 of `here`; came is 0 at its source. Only rule
// turns uses that; for it loom_rule_choice takes the message as at its source. No lanes, by turns: no message to that
// destination comes this way.
struct loom_choice loom_rule_choice_behind(const struct loom_topo *t, unsigned rule, uint32_t source, uint32_t here,
                                           unsigned came, uint32_t destination);
// Returns the number of escape lanes that duato has on each link there: lane 0; on a torus or ring with more than 4
// nodes in a row lanes 0 and 1. It needs at least one lane more.
unsigned loom_duato_escapes(const struct loom_topo *t);

// The order in which a router tries the free lanes of a set. Escape lanes come last.
enum loom_select {
	LOOM_SELECT_FIXED,   // the lowest
	LOOM_SELECT_RANDOM,  // the first one at or after a random lane, which a shift register gives
	LOOM_SELECT_LRU,     // the one that was granted longest ago
	LOOM_SELECT_CREDITS, // the one with most room at its end
};
const char *loom_select_name(unsigned select); // "fixed"; NULL after the last

LOOM_API_END

#endif
