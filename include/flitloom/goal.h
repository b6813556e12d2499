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

#define LOOM_GOAL_FILE_MAX ((size_t)1 << 30) // bytes of a text
#define LOOM_GOAL_OPS_MAX 4194304
#define LOOM_GOAL_NEEDS_MAX 8388608
#define LOOM_SERIALISED_OPS_MOST                                                                                       \
	100000u // of a rank: of more, what is serialised is not counted, as that takes their square
#define LOOM_SERIALISED_UNKNOWN UINT64_MAX
#define LOOM_GOAL_BYTES 1024          // of a collective, if nothing is said
#define LOOM_GOAL_ANY_TAG UINT32_MAX  // of a receive
#define LOOM_GOAL_ANY_RANK UINT32_MAX // the same

// An operation of a rank.
struct loom_goal_op {
	enum loom_goal_kind kind;
	uint32_t rank;
	uint32_t peer; // of a send its destination, of a receive its source, or LOOM_GOAL_ANY_RANK; of a calc 0
	uint32_t tag;
	uint32_t cpu, nic;
	uint64_t size; // bytes; of a calc units of time
	size_t line;   // of the text; 0: there is none
};

// Operation `op` begins when `on` is done, or, with `start`, when `on` has begun. Both are of one rank.
struct loom_goal_need {
	size_t op, on;
	bool start;
	size_t line;
};

// The operations of all ranks. Those of one rank stand in the order of the text. The k-th receive from a rank with a
// tag takes the k-th message that the rank sends there with that tag.
struct loom_goal {
	char where[96]; // its name in messages
	uint32_t n_ranks;
	size_t n_ops, n_needs;
	struct loom_goal_op *ops;     // owned
	struct loom_goal_need *needs; // owned
	size_t room_ops, room_needs;  // of the arrays
};

// Parses GOAL text in memory; `where` names the source in messages. LOOM_EINPUT: malformed, an unknown label, a rank out of
// range; the message has the line. On failure *out is untouched.
int loom_goal_parse(struct loom_goal *out, const char *text, size_t length, const char *where, struct loom_err *err);

// A collective by the name of its pattern: "allreduce:ring", "stencil2d:4x4" (docs/goal.md lists them). `bytes`: of what each
// rank has; of alltoall of what each has for each. Reducing a byte takes a unit of computation. LOOM_EINPUT: unknown, or not
// for so many ranks.
int loom_goal_collective(struct loom_goal *out, const char *spec, uint32_t n_ranks, uint64_t bytes,
                         struct loom_err *err);

// Writes a goal as text, which loom_goal_parse reads again; *out is malloc'ed.
int loom_goal_write(char **out, size_t *length_out, const struct loom_goal *goal, struct loom_err *err);

// Parameters of the LogGOPS model, in units of time (those of a calc), and bytes: latency of a message; overhead of a send and of a
// receive; gap between messages; gap and overhead for each byte behind the first; bytes from which on, S excluded, a send is done
// only when its receive takes it.
struct loom_loggops {
	uint64_t L, o, g, G, O, S; // up to LOOM_LOGGOPS_MOST
};
#define LOOM_LOGGOPS_MOST 1000000000u
// Reads "L=2500,o=1500,g=1000,G=6,O=0,S=65535"; what is left out is as here, which is as LogGOPSim has it; "usual": all of it. LOOM_EINPUT.
int loom_loggops_parse(struct loom_loggops *out, const char *text, struct loom_err *err);
// Computes when each rank has finished by the LogGOPS model [Hoefler10], as LogGOPSim does: finish[r] of rank r. taken[i], unless NULL:
// the send whose message receive i takes, of other operations SIZE_MAX. LOOM_EINPUT: a message that nobody takes, a receive for which
// none comes, a circle; more than the model's times can say. Outputs are the caller's, by rank and by operation.
int loom_goal_loggops(uint64_t *finish, size_t *taken, const struct loom_goal *goal, const struct loom_loggops *with,
                      struct loom_err *err);

// Lets go of what a program owns.
void loom_goal_free(struct loom_goal *goal); // NULL allowed; leaves *goal zeroed

LOOM_API_END

#endif
