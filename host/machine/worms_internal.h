// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_WORMS_INTERNAL_H
#define LOOM_WORMS_INTERNAL_H

#include "machine/agenda.h"
#include "machine/engine.h"

// The inside of the engine `worms`, for its own files. worms.c says how it works.

#define WORMS_INLINE static inline __attribute__((always_inline))
#define WORMS_NONE UINT32_MAX
#define WORMS_UNKNOWN UINT32_MAX // a cycle that depends on headers that have not moved yet

// Channels keep cycles and counts in 32 bits, so that two channels fit a line of the processor's cache. Their cycles
// count from loom_engine.base, which moves on before WORMS_SPAN cycles have passed.
#define WORMS_SPAN (1u << 30)

// Half a line of the cache.
struct worms_channel {
	uint32_t free_at;  // the next header can cross from this cycle on; UNKNOWN
	uint32_t clear_at; // timing fast: the FIFO behind it has no flit of the worm before from this cycle on; UNKNOWN
	uint32_t counted;  // up to this cycle its blocked cycles have been counted: the last grant
	uint32_t
		queue; // the worm that was the last to come of those that wait, in a ring whose next is the first; NONE
	uint32_t
		waiter; // timing fast: the worm whose header is behind the tail that clear_at does not know of yet; NONE
	uint32_t messages, flits, blocked; // since base
};

// A place on a worm's way, and the lane by which the worm goes on from there: worms_ways.h.
struct worms_place {
	uint32_t at, left;
};

// A line.
struct worms_worm {
	const uint32_t *way; // if ways are given
	uint64_t asked;
	struct worms_place head,
		tail; // it asks for the lane of `head`; of that of `tail` not both Free and Clear have been told
	uint32_t flits;
	uint32_t span;   // where no ways are given: lanes from `tail` up to `head`
	uint32_t behind; // there: the lane in whose FIFO the header is; not of one that is still in its node
	uint32_t waited; // cycles for the injection channel, in vain
	uint32_t wait;   // milestones to come before the next one that shows something
	uint32_t next;   // in a queue, or among those not in use
	uint32_t node;
	bool is_freed;     // Free of the lane of `tail` has been told
	bool holds_source; // Clear(-1) has not been told
};

// The fields of a worm that are not needed on its way.
struct worms_ticket {
	uint64_t id, offer;
};

struct loom_engine {
	struct loom_engine_net net;
	struct loom_engine_user user;
	bool paper, has_begun;
	uint64_t base;                 // cycle 0 of the channels
	struct worms_channel *channel; // owned, as worm
	struct worms_worm *worm;
	struct worms_ticket *ticket;          // owned, by worm
	uint32_t n_worms, n_fresh, free_worm; // in use; ever used; the first of those not in use
	uint64_t *from;                   // owned: of each node whose `next` said false: what it was asked with; else 0
	struct loom_engine_count *before; // owned: of each channel, the counts before base
	uint64_t moved;                   // the last cycle of a grant, or of a tail that follows from one
	struct loom_agenda agenda;
};

// True if the channels are more than the processor's cache holds.
bool loom_worms_are_far(const struct loom_engine *e);
// Moves base to the cycle under way.
void loom_worms_move_base(struct loom_engine *e);

int loom_worms_open(struct loom_engine **out, const struct loom_engine_net *net, bool paper,
                    const struct loom_engine_user *user, struct loom_err *err);
void loom_worms_count(const struct loom_engine *e, uint32_t channel, struct loom_engine_count *out);
void loom_worms_close(struct loom_engine *e);

#endif
