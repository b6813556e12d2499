// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_PATTERN_H
#define LOOM_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <flitloom/api.h>
#include <flitloom/err.h>
#include <flitloom/math/gf2.h>
#include <flitloom/timing.h>
#include <flitloom/topo.h>

LOOM_API_BEGIN

#define LOOM_FLITS_MOST 16777215u // of a message; a chip may take fewer: it says so when the plan is loaded
#define LOOM_MESSAGES_MAX 1048576
#define LOOM_PATTERN_DIMS_MAX 32 // extents of the shape that a pattern is made for

// Linear-complement communication ([Hou01], Definitions 1-4). Permutation and gather: y = A x + b, one message
// from every x to its y. Scatter: x = A y + b, one message to every y from its x.
enum loom_lcc_kind { LOOM_LCC_PERMUTATION, LOOM_LCC_GATHER, LOOM_LCC_SCATTER };

// One linear-complement communication.
struct loom_lcc {
	enum loom_lcc_kind kind; // permutation: A is nonsingular; gather, scatter: any rank
	struct loom_gf2 a;
	uint64_t b; // bits n and up are 0
};

// One message of a pattern.
struct loom_message {
	uint32_t source, destination; // virtual processors, 0 .. n_nodes-1; equal: a message to oneself
	uint32_t flits;               // header included, >= 1
	uint32_t member;              // which communication of a set; 0 in a single one
};

// Messages: who sends to whom. Invariant: messages are grouped by member in ascending order; when n_lccs > 0, member r
// is exactly the messages of lccs[r], in ascending order of source (permutation, gather) or destination (scatter).
struct loom_pattern {
	char name[128];   // as a person would call it: the specification it was made from, shortened if need be
	uint32_t n_nodes; // 1 .. LOOM_NODES_MAX
	size_t n_messages;
	struct loom_message *messages; // owned
	uint32_t n_members;            // >= 1; members never share a pass
	uint32_t n_lccs;               // 0: not linear-complement; otherwise == n_members
	struct loom_lcc *lccs;         // owned, NULL when n_lccs == 0
	struct loom_timing *timing;    // owned; NULL: everything is sent as soon as it can be. One member then
	bool own_lengths;              // the pattern says how long each message is: options.flits was asked nothing
};

// Options that a specification leaves open.
struct loom_pattern_options {
	uint32_t flits; // of every message whose pattern does not give it; header included
	uint64_t seed;  // of the random patterns
	// The network's shape, for the patterns that go by coordinates: its extents, the first that of the dimension
	// which varies fastest in a processor's number. Their product is n_nodes. n_dims 0: one extent, n_nodes.
	unsigned n_dims;        // 0 .. LOOM_PATTERN_DIMS_MAX
	const uint32_t *extent; // n_dims of them, as struct loom_topo has them; not looked at when n_dims is 0
	// For goal:FILE and the collectives (flitloom/goal.h): bytes in a flit, calc_cycles that calc_units of
	// computation take, bytes of a collective (has_bytes, else 1024). 0: as many whole ones as flit_bits hold, 1, 1.
	// More than flit_bits hold are refused.
	uint32_t flit_bytes, calc_cycles, calc_units;
	uint64_t bytes;
	bool has_bytes;
	uint32_t flit_bits; // of the fabric (flit_bits of struct loom_topo), 8 or more; 0: 32
};

// Makes a pattern as a specification says. Reads a specification (`transpose`, `gather:0`, `set:transpose+scale`,
// `lcc:FILE`, `set:FILE`, `bpc:[-0,1,2]`, `perm:3,1,0,2`, `messages:FILE`, ...; loom_pattern_list prints them all) for
// n_nodes processors. A permutation given by name, list or file which is linear-complement is recognised as one (lccs is
// set). LOOM_EINPUT: malformed or impossible contents, or an unknown name: the message then offers the nearest one that
// is known, or the name that flitloom has for the same pattern; or a shape that is not that of n_nodes processors.
// LOOM_EFILE: unreadable file. On failure *out is untouched. Free with loom_pattern_free.
int loom_pattern_parse(struct loom_pattern *out, const char *spec, uint32_t n_nodes,
                       const struct loom_pattern_options *options, struct loom_err *err);
// Makes the matrices of a pattern alone: those of a linear-complement pattern for 2^n processors, 1 <= n <=
// LOOM_PATTERN_DIMS_MAX, and nothing listed: in *out only name, n_members, n_lccs and lccs are set. Among the options
// only the seed is looked at. LOOM_EINPUT also for a pattern that is not made from matrices.
int loom_pattern_parse_lccs(struct loom_pattern *out, const char *spec, unsigned n,
                            const struct loom_pattern_options *options, struct loom_err *err);
// True if the pattern gives the lengths of its messages in bytes, from which flits are computed. Such are goal:FILE
// and the collectives, also as terms of a demand; and matrix:FILE, if options.flit_bytes is set. Other patterns take
// their length from options.flits. False also for an unknown pattern.
bool loom_pattern_is_in_bytes(const char *spec);
// True if the pattern is a program of ranks: goal:FILE and the collectives.
bool loom_pattern_is_program(const char *spec);
void loom_pattern_free(struct loom_pattern *p); // NULL allowed; leaves *p zeroed

// Expands LCCs into messages for 2^n nodes, n = lccs[r].a.n, the same for all; copies the LCCs.
int loom_pattern_from_lccs(struct loom_pattern *out, const char *name, const struct loom_lcc *lccs, uint32_t n_lccs,
                           uint32_t flits, struct loom_err *err);

// The n messages given (copied), as one member; recognised as linear-complement when it is a permutation of all
// n_nodes = 2^n processors with y = A x + b.
int loom_pattern_from_messages(struct loom_pattern *out, const char *name, uint32_t n_nodes,
                               const struct loom_message *messages, size_t n, struct loom_err *err);
// The n messages given, with gates between them (copied, NULL: none). The messages stay in this order, and are not
// recognised as anything. LOOM_EINPUT: also what loom_timing_check refuses of the gates' values; waits that are never met
// are refused when the pattern is planned.
int loom_pattern_from_timed_messages(struct loom_pattern *out, const char *name, uint32_t n_nodes,
                                     const struct loom_message *messages, size_t n, const struct loom_timing *timing,
                                     struct loom_err *err);

struct loom_goal;
// The pattern that the programs of a goal make. The programs that the ranks carry out, one operation after the other, as
// a pattern with timing for n_nodes processors, of which the last ones have nothing to do if there are fewer ranks. Of
// options, flit_bytes, flit_bits, calc_cycles and calc_units are looked at. LOOM_EINPUT, with the line: a receive that nobody sends,
// a send that nobody receives, operations that need one another in a circle, more than fits a message or a delay.
int loom_pattern_from_goal(struct loom_pattern *out, const char *name, uint32_t n_nodes, const struct loom_goal *goal,
                           const struct loom_pattern_options *options, struct loom_err *err);

// The node to which a communication sends v: y for a permutation or gather, x for a scatter.
uint64_t loom_lcc_apply(const struct loom_lcc *lcc, uint64_t v);

// Writes one line per pattern: specification, then what it means.
void loom_pattern_list(FILE *stream);

// The i-th known name for completion and suggestions, NULL after the last.
const char *loom_pattern_name(size_t i);

LOOM_API_END

#endif
