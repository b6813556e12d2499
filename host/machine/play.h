// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_MACHINE_PLAY_H
#define LOOM_MACHINE_PLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <flitloom/machine.h>
#include <flitloom/plan.h>

#include "base/arrays.h"
#include "chip/programs.h"
#include "machine/engine.h"

// The nodes' programs of a plan, carried out on an engine, pass by pass. Program entry i of a node begins in cycle S(i) and is done
// in F(i), as docs/architecture.md says under "Programs that wait".

// An entry of a node's program, in the form that the engine needs. Entries lie in the order in which the engine asks
// for them.
struct loom_play_entry {
	size_t way; // of a message: the place of its first lane among the ways; if n_way is 0, the node that it goes to
	uint32_t flits,
		n_way; // of a message of the pass; else flits is 0. n_way is 0 if routers choose, or the engine knows the way
	uint32_t message; // of the plan, where it sends one
	uint32_t at;      // as in the program
};

struct loom_play {
	const struct loom_plan *plan;
	struct loom_programs programs;    // of the free run, too, with a delay where a node sends nothing in a pass
	struct loom_play_entry *entry;    // owned, by entry of the programs
	uint64_t *began;                  // owned, by entry: S, or 0; NULL: not wanted
	struct loom_machine_times *times; // owned, by message; NULL: not wanted, nor who arrived
	struct loom_machine_crossings *crossings; // the caller's: filled in; NULL: not wanted. The engine is then lanes
	uint32_t *arrived;                        // owned: messages in the order of arrival, pass by pass
	size_t n_arrived;
	uint64_t last; // tail of the pass
	uint64_t *end; // owned, by virtual processor: F of its last entry so far
	// The rest is play.c's own.
	struct loom_play_node *node; // owned, by node
	struct loom_play_pairs *pairs;
	uint32_t *way; // owned: the ways of the pass, in the order of its entries
	uint32_t pass;
	bool chooses; // routers do
	const struct loom_engine_kind *kind;
	struct loom_engine *engine;
	struct loom_arrays arrays; // owns the arrays but way
};

// cycles_only: nothing is recorded of single messages. LOOM_ENOMEM, LOOM_EFIT (loom_programs_make). Free with
// loom_play_free in any case.
int loom_play_begin(struct loom_play *play, const struct loom_plan *plan, bool cycles_only, struct loom_err *err);
// Opens the engine for the messages of a pass, or for all of a free run. The network stays the caller's until the pass ends.
int loom_play_pass_begin(struct loom_play *play, const struct loom_engine_net *net, const struct loom_engine_kind *kind,
                         bool paper, uint32_t pass, struct loom_err *err);
// Begins the same pass once more on another engine, to find out why it came to a standstill. Forgets the arrivals of
// the first attempt.
int loom_play_pass_again(struct loom_play *play, const struct loom_engine_net *net, const struct loom_engine_kind *kind,
                         bool paper, struct loom_err *err);
// The wait at which the program of processor v stands; NULL: at none.
const struct loom_entry *loom_play_waits(const struct loom_play *play, uint32_t v);
// True if each program has reached the end of the pass. If it is false while the engine is idle, some programs wait
// for messages that never come.
bool loom_play_is_done(const struct loom_play *play);
// Closes the engine. Call it for each pass that was begun, also if beginning it failed.
void loom_play_pass_end(struct loom_play *play);
void loom_play_free(struct loom_play *play);

#endif
