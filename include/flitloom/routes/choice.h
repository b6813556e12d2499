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

// Rules that give a router a set of lanes for a message, of which it takes one that is free. docs/adaptive.md says what they are
// and why messages by each of them cannot lock.
//
// A dimension is gone up (plus) by adding to the coordinate, down (minus) by subtracting; in a cube plus makes a bit 1. A link
// is in the set only if it leads nearer to the destination; by turns, nearer on the ways that these leave.
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

// Lanes of one node's links: bit link * n_vcs + lane.
struct loom_choice {
	uint64_t lanes; // never 0
	uint64_t
		escape; // those of `lanes` that are tried last: on these alone the message arrives as well. 0: there are none
};

// True of the rules above: a router chooses, cycle by cycle.
bool loom_rule_is_adaptive(unsigned rule);

// Tells if messages of a plan by the rule leave the fabric's routers a choice. Where routers have tables such a number is that of a lane.
bool loom_rule_chooses_on(const struct loom_topo *t, unsigned rule);
// The other name that the literature has for a rule: e-cube for ascending, p-cube for negative-first; NULL for the rest.
const char *loom_rule_other_name(unsigned rule);
// The rule with this name, or with this other name; LOOM_RULES_NAMED: there is none.
unsigned loom_rule_by_name(const char *name);
// Fails unless the adaptive rule is defined on the fabric and has the lanes that it needs. LOOM_EINPUT, in one line: it is none of the
// rules above, or not on this fabric, or with more or fewer lanes.
int loom_rule_check(const struct loom_topo *t, unsigned rule, struct loom_err *err);
// The lanes by which a message from `source` may leave `here`. It is not at its destination, and loom_rule_check returns 0 for the
// rule. Only odd-even asks for the source; a node on the way from it by that rule has a set that is not empty.
struct loom_choice loom_rule_choice(const struct loom_topo *t, unsigned rule, uint32_t source, uint32_t here,
                                    uint32_t destination);
// The same of a message that has come in beside link came - 1 of `here`; came is 0 at its source. Only turns asks for that:
// loom_rule_choice has it of a message at its source. No lanes, by turns: no message to there comes so.
struct loom_choice loom_rule_choice_behind(const struct loom_topo *t, unsigned rule, uint32_t source, uint32_t here,
                                           unsigned came, uint32_t destination);
// The number of escape lanes that duato has of each link there: lane 0, on a torus or ring with more than 4 nodes in a row lanes
// 0 and 1. It needs at least one lane more.
unsigned loom_duato_escapes(const struct loom_topo *t);

// The order in which a router tries the free lanes of a set. Escape lanes come last.
enum loom_select {
	LOOM_SELECT_FIXED,   // the lowest
	LOOM_SELECT_RANDOM,  // from a lane on that a register shifts to
	LOOM_SELECT_LRU,     // the one that was given longest ago
	LOOM_SELECT_CREDITS, // the one with most room at its end
};
const char *loom_select_name(unsigned select); // "fixed"; NULL after the last

LOOM_API_END

#endif
