// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_ADAPTIVE_INTERNAL_H
#define LOOM_ADAPTIVE_INTERNAL_H

#include <flitloom/routes/choice.h>

#include "base/arrays.h"
#include "machine/adaptive.h"
#include "machine/agenda.h"

// The internals of the engine `adaptive`, for its own files. A lane has the number that its user gives it: channel *
// n_vcs + number. The FIFO at its end has the same number.

#define ADAPTIVE_NONE UINT32_MAX

// A flit, in a FIFO or under way, as a number: its worm, and a bit that says whether it is the tail.
#define ADAPTIVE_FLIT(worm, is_tail) ((worm)*2 + (is_tail))

struct adaptive_lane {
	uint32_t holder;  // the worm to which the lane was given, until its tail has crossed; or NONE
	uint32_t feeder;  // the lane whose FIFO feeds this one; NONE: the source of the holder does
	uint32_t to;      // the lane that was given to the first worm of the FIFO; NONE: none yet
	bool has_header;  // the holder's header has not crossed
	bool waits;       // the header at the head of the FIFO waits for a lane
	uint8_t first, n; // of the FIFO's ring of slots: the index of the first flit, and the number of flits
	uint8_t out;      // flits that crossed a slow lane, and for which no credit has come back
	uint64_t until;   // the last cycle in which a flit leaves a slow lane, or a credit comes back
	// The last cycle that began with the lane in use: a worm held it, or its near end knew of a flit in its FIFO
	// or on the way there. Set when that ends.
	uint64_t busy;
};

struct adaptive_channel {
	uint64_t since; // while headers wait: at least one has waited from this cycle on
	struct loom_engine_count count;
	uint32_t waits;      // headers that ask for it, or for a lane of it
	uint32_t far;        // the node in whose router its FIFOs are; for an ejection channel NONE
	uint8_t held, later; // bits of lanes: those that worms hold; those behind the one that sent last
	uint8_t delay;       // cycles by which it is slow, or 0
};

// A header that waits in a router: the lane in whose FIFO it is.
struct adaptive_wait {
	uint32_t lane;
	uint64_t asked; // the cycle from which on it waits
};

struct adaptive_router {
	uint64_t free;    // the lanes of its links that no worm holds: bit link * n_vcs + number
	uint16_t random;  // the state of its LFSR
	uint16_t n_waits; // number of headers in `wait`, which are in the order in which they are served
	struct adaptive_wait *wait;
	uint64_t *given; // for each bit of `free`, the cycle in which that lane was granted last; 0: never
};

struct adaptive_worm {
	const uint32_t *way; // the lanes of its route; NULL: routers choose them
	uint64_t id, offer, header;
	uint32_t n_way, at;   // lanes in `way`; the next one to ask for
	uint32_t flits, left; // left: flits still in its source
	uint32_t waited;      // cycles for which it waited for the injection channel
	uint32_t node, destination;
	uint32_t next; // in the list of free worms
	uint8_t rule;
	struct loom_choice choice; // the lanes for which its header waits; in its last router none
};

struct adaptive_node {
	uint64_t from;   // its next message can ask from this cycle on
	uint32_t worm;   // its worm, whose release is in the agenda
	bool stands;     // the user had no message for it
	bool is_offered; // the user has had one for it since
};

struct loom_engine {
	struct loom_engine_net net;
	struct loom_engine_user user;
	bool paper, has_begun, is_still;
	unsigned depth, delay, back; // slots of a FIFO; cycles of the slowest links and of their credits
	unsigned per_tile, n_links;
	uint64_t now, last_moved, stirs; // stirs: the last cycle in which anything comes out of a slow link
	struct adaptive_lane *lane;
	struct adaptive_channel *channel;
	struct adaptive_router *router;
	struct adaptive_wait *waits;
	uint8_t *was;   // by lane, with --select credits: the flits in its FIFO when the cycle began
	uint32_t *slot; // the flits in FIFOs: [lane * depth + index]
	// flits on slow lanes, by the cycle in which they arrive: [lane * delay + cycle modulo delay]; NONE: none
	uint32_t *flying;
	bool *told;       // credits that come back to slow lanes, by cycle: [lane * back + cycle modulo back]
	uint64_t *active; // by channel, a bit: a worm holds a lane of it, or has held one
	uint64_t *drains; // by node, a bit: the FIFO of its ejection channel has a flit
	uint32_t n_active_words, n_drains_words;
	struct adaptive_worm *worm;
	uint32_t n_worms, n_room, n_fresh, free_worm;
	struct adaptive_node *node;
	struct loom_agenda agenda;
	// Lists of this cycle: lanes that a flit crosses; FIFOs in which a header may have come to the head; routers
	// that may grant a lane; worms; nodes whose message has left, or that have a message again; slow lanes that
	// carry flits or credits.
	uint32_t *go, *heads, *stirred, *arrived, *left, *offered, *slow;
	uint32_t n_go, n_heads, n_stirred, n_arrived, n_left, n_offered, n_slow;
	bool *is_stirred, *is_on_slow; // by router; by lane
	struct loom_arrays arrays;     // owns the arrays, except worm
};

static inline uint32_t adaptive_channel_of(const struct loom_engine *e, uint32_t lane)
{
	return lane / e->net.n_vcs;
}

// Returns how many flits, as the near end knows, are in the FIFO at the end of a lane or on their way there.
static inline unsigned adaptive_taken(const struct loom_engine *e, uint32_t lane)
{
	return e->channel[adaptive_channel_of(e, lane)].delay > 0 ? e->lane[lane].out : e->lane[lane].n;
}

// Returns the worm of the first flit in a FIFO that is not empty.
static inline uint32_t adaptive_first_worm(const struct loom_engine *e, uint32_t f)
{
	return e->slot[(size_t)f * e->depth + e->lane[f].first] / 2;
}

// adaptive_step.c
// Runs the cycle e->now. False: nothing moved.
bool loom_adaptive_step(struct loom_engine *e);

// adaptive_grant.c
// Has a header wait from the next cycle on: one at the head of its FIFO, or still in its source.
void loom_adaptive_ask(struct loom_engine *e, uint32_t lane);
// Has the header of a new worm wait for its injection lane from the next cycle on. The worm holds that lane at once.
void loom_adaptive_inject(struct loom_engine *e, uint32_t worm, uint32_t lane);
// Grants lanes at the end of the cycle, in each router that was noted since. True if any was granted.
bool loom_adaptive_grant(struct loom_engine *e);
// Notes that router u has a free lane, or a header that has just come.
void loom_adaptive_stir(struct loom_engine *e, uint32_t u);
// Counts one header fewer that waits for a channel. now_too: it waited in this cycle as well, and did not cross.
void loom_adaptive_wait_ends(struct loom_engine *e, uint32_t channel, bool now_too);

#endif
