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

// A play carries out the programs of a plan's nodes on an engine, pass by pass. Entry i of a node's program begins in
// cycle S(i) and is done in cycle F(i); docs/architecture.md defines both under "Programs that wait".

// An entry of a node's program, in the form that the engine needs. Entries lie in the order in which the engine asks
// for them.
struct loom_play_entry {
	// of a message: the index of its first lane in loom_play.way; if n_way is 0, the node that it goes to
	size_t way;
	// flits: of the message, set when its pass begins; 0 for other entries. n_way: the lanes of its route; 0 if
	// routers choose the route, or the engine computes it.
	uint32_t flits, n_way;
	uint32_t message; // if the entry sends one: the index of the message in the plan
	uint32_t at;      // as in loom_entry
};

struct loom_play {
	const struct loom_plan *plan;
	struct loom_programs programs;    // in a free run, too: a delay for each pass in which a node sends nothing
	struct loom_play_entry *entry;    // owned; for each entry of the programs
	uint64_t *began;                  // owned; for each entry its S, 0 if it was not reached; NULL: not recorded
	struct loom_machine_times *times; // owned; for each message; NULL: neither these nor `arrived` are recorded
	struct loom_machine_crossings *crossings; // the caller's, filled in by engine `lanes`; NULL: not recorded
	uint32_t *arrived; // owned; the messages that arrived, pass by pass, in the order of arrival
	size_t n_arrived;
	uint64_t last; // the cycle of the last tail that arrived in the pass
	// owned; for each virtual processor, at the end of a pass: F of the last entry that it finished in the pass,
	// or 0
	uint64_t *end;
	// Only play.c writes the members below.
	struct loom_play_node *node; // owned; for each node
	struct loom_play_pairs *pairs;
	uint32_t *way; // owned; the lanes of the routes of the pass, in the order of its entries
	uint32_t pass;
	bool chooses; // routers choose the lanes of messages
	const struct loom_engine_kind *kind;
	struct loom_engine *engine;
	struct loom_arrays arrays; // owns the arrays, except `way`
};

// Prepares the programs of a plan. cycles_only: records nothing about single messages. LOOM_ENOMEM, LOOM_EFIT
// (loom_programs_make). The caller calls loom_play_free in any case.
int loom_play_begin(struct loom_play *play, const struct loom_plan *plan, bool cycles_only, struct loom_err *err);
// Opens the engine for the messages of a pass, or for all messages of a free run. The caller keeps the network until
// the pass ends.
int loom_play_pass_begin(struct loom_play *play, const struct loom_engine_net *net, const struct loom_engine_kind *kind,
                         bool paper, uint32_t pass, struct loom_err *err);
// Begins the same pass once more on another engine, to find out why it came to a standstill. Forgets the arrivals of
// the first attempt.
int loom_play_pass_again(struct loom_play *play, const struct loom_engine_net *net, const struct loom_engine_kind *kind,
                         bool paper, struct loom_err *err);
// Returns the wait at which the program of processor v has stopped; NULL: it has not stopped.
const struct loom_entry *loom_play_waits(const struct loom_play *play, uint32_t v);
// True if each program has reached the end of the pass. If it is false while the engine is idle, some programs wait
// for messages that never come.
bool loom_play_is_done(const struct loom_play *play);
// Closes the engine. Call it for each pass that was begun, also if beginning it failed.
void loom_play_pass_end(struct loom_play *play);
void loom_play_free(struct loom_play *play);

#endif
