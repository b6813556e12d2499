// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_GOAL_H
#define LOOM_GOAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <flitloom/api.h>
#include <flitloom/err.h>

LOOM_API_BEGIN

// The operations of each rank of a parallel program, and their dependencies: the text format GOAL of LogGOPSim and
// ATLAHS (docs/goal.md).
enum loom_goal_kind { LOOM_GOAL_CALC, LOOM_GOAL_SEND, LOOM_GOAL_RECV };

#define LOOM_GOAL_FILE_MAX ((size_t)1 << 30) // the most bytes of a text
#define LOOM_GOAL_OPS_MAX 4194304
#define LOOM_GOAL_NEEDS_MAX 8388608
// Operations of a rank. With more, serialised operations are not counted, as counting takes their square.
#define LOOM_SERIALISED_OPS_MOST 100000u
#define LOOM_SERIALISED_UNKNOWN UINT64_MAX
#define LOOM_GOAL_BYTES 1024          // bytes of a collective, if not specified
#define LOOM_GOAL_ANY_TAG UINT32_MAX  // of a receive that takes any tag
#define LOOM_GOAL_ANY_RANK UINT32_MAX // of a receive that takes a message from any rank

// An operation of a rank.
struct loom_goal_op {
	enum loom_goal_kind kind;
	uint32_t rank;
	uint32_t peer; // the destination of a send; the source of a receive, or LOOM_GOAL_ANY_RANK; 0 for a calc
	uint32_t tag;
	uint32_t cpu, nic;
	uint64_t size; // bytes; for a calc units of time
	size_t line;   // its line in the text; 0: none
};

// Operation `op` begins when `on` is done, or, with `start`, when `on` has begun. Both are of one rank.
struct loom_goal_need {
	size_t op, on;
	bool start;
	size_t line;
};

// The operations of all ranks; those of one rank are in the order of the text. The k-th receive from a rank with a
// tag takes the k-th message that the rank sends there with that tag.
struct loom_goal {
	char where[96]; // its name in messages
	uint32_t n_ranks;
	size_t n_ops, n_needs;
	struct loom_goal_op *ops;     // owned
	struct loom_goal_need *needs; // owned
	size_t room_ops, room_needs;  // elements for which the arrays have memory
};

// Parses GOAL text in memory; `where` names the source in messages. LOOM_EINPUT: malformed, an unknown label, a rank
// out of range; the message has the line. On failure *out is untouched.
int loom_goal_parse(struct loom_goal *out, const char *text, size_t length, const char *where, struct loom_err *err);

// Makes a collective by the name of its pattern: "allreduce:ring", "stencil2d:4x4" (docs/goal.md lists them).
// `bytes`: the data of each rank; for alltoall, those of each rank for each other rank. Reducing a byte takes a unit
// of computation. LOOM_EINPUT: unknown, or not defined for n_ranks ranks.
int loom_goal_collective(struct loom_goal *out, const char *spec, uint32_t n_ranks, uint64_t bytes,
                         struct loom_err *err);

// Writes a goal as text, which loom_goal_parse reads again; *out is malloc'ed.
int loom_goal_write(char **out, size_t *length_out, const struct loom_goal *goal, struct loom_err *err);

// Parameters of the LogGOPS model, in units of time (those of a calc) and bytes. L: latency of a message. o: overhead
// of a send and of a receive. g: gap between messages. G, O: gap and overhead for each byte behind the first. S: a
// send of more than S bytes is done only when its receive takes it.
struct loom_loggops {
	uint64_t L, o, g, G, O, S; // up to LOOM_LOGGOPS_MOST
};
#define LOOM_LOGGOPS_MOST 1000000000u
// Reads "L=2500,o=1500,g=1000,G=6,O=0,S=65535". Parameters that are left out have these values, which are
// LogGOPSim's; "usual" leaves out all. LOOM_EINPUT.
int loom_loggops_parse(struct loom_loggops *out, const char *text, struct loom_err *err);
// Computes when each rank has finished by the LogGOPS model [Hoefler10], as LogGOPSim does: finish[r] for rank r.
// taken, unless NULL: taken[i] is the send whose message receive i takes, and SIZE_MAX for other operations.
// LOOM_EINPUT: a message that no rank receives, a receive without a message, a circle; or times beyond the model's
// range. The outputs are the caller's, by rank and by operation.
int loom_goal_loggops(uint64_t *finish, size_t *taken, const struct loom_goal *goal, const struct loom_loggops *with,
                      struct loom_err *err);

// Frees what a goal owns.
void loom_goal_free(struct loom_goal *goal); // NULL allowed; leaves *goal zeroed

LOOM_API_END

#endif
