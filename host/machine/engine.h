// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_ENGINE_H
#define LOOM_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

#include <flitloom/err.h>
#include <flitloom/topo.h>

// An engine computes the cycles of messages on a network of routers, without routers. There are three, which give the same
// cycles: `worms`, whose only events are grants of headers, for networks whose channels have one lane; `lanes`, which
// moves flits, for all; and `adaptive`, where routers choose. docs/exactness.md says why they do what the RTL does.
//
// A channel ends in a FIFO of some slots, two usually, and leads from a node (injection), between routers, or to a node (ejection), whose
// FIFO loses one flit every cycle. Where links have virtual channels each is a lane with a FIFO of its own, and the link carries
// one flit a cycle. Cycles count from 1.

// The state that routers that choose keep from one pass to the next: for each node its LFSR; for each lane of its
// links the cycle in which it was last granted, counted over all the `cycles` run so far; 0: never.
struct loom_engine_memory {
	uint16_t *random;
	uint64_t *given; // [node * links * n_vcs + link * n_vcs + number]
	uint64_t cycles;
};

// A network as the engines see it. A message brings the lanes of its route with it, so a network only adds the order
// in which its routers serve headers.
struct loom_engine_net {
	uint32_t n_nodes, n_channels;
	unsigned n_vcs; // lanes of a channel; lane = channel * n_vcs + number; injection and ejection have lane 0 alone
	// By lane, whose FIFO a header is in: of headers that began to ask for a lane in the same cycle, the one with the lowest
	// rank goes first. No two lanes that end at one router have the same.
	const uint16_t *rank;
	// The optical channels (NULL: there are none). A flit takes so many cycles more on them, and occupies the
	// link for light_ratio of these (host/topo/topo_otis.h).
	const bool *is_light;
	uint32_t light_cycles, light_ratio;
	unsigned buffers; // slots of each FIFO, 2 to LOOM_BUFFERS_MAX; 0 is 2
	// Slow links: by channel, the cycles by which a flit is longer under way, at most delay_most; 0: the channel is as usual. NULL: all
	// are. None that is slow is light. The near end counts the room in the FIFO at the far end. It learns that a
	// flit has left that FIFO as many cycles later than over a usual link, less router_delay.
	const uint8_t *delay;
	unsigned delay_most;   // with delay: 1 to LOOM_LINK_DELAY_MAX + LOOM_ROUTER_DELAY_MAX
	unsigned router_delay; // no more than any of them that is not 0
	// Engine worms: a cube of so many dimensions, which all messages take in ascending order, so that they need no ways; 0: they
	// have ways. The channels of a node are those of its dimensions, ejection, injection.
	unsigned n_dims;
	// Routers that choose: the network, the rule of preference (enum loom_select), and what they remember, which the engine keeps up to
	// date; NULL: there are none.
	const struct loom_topo *topo;
	unsigned select;
	struct loom_engine_memory *memory;
};

// A message that a node is to send.
struct loom_engine_message {
	uint64_t release; // its header does not ask before this cycle
	uint32_t flits;   // 1 to LOOM_FLITS_MOST
	uint32_t n_way;   // 2 or more
	const uint32_t *
		way; // lanes: injection, links, ejection; stays the caller's, who keeps it until the message has arrived
	uint64_t id; // the caller's
	// Used if `way` is NULL (routers choose, or loom_engine_net.n_dims is set): the destination, and the rule by
	// which routers choose.
	uint8_t rule;
	uint32_t destination;
};

// A message that has arrived, or will.
struct loom_engine_arrival {
	uint64_t id;
	uint64_t offer;        // the first cycle in which its header asked for the injection channel
	uint64_t waited;       // cycles, modulo 2^32, in which it asked for that channel in vain
	uint64_t header, tail; // the cycles in which they crossed the ejection channel
};

// A header or a tail that crosses a lane of its way.
struct loom_engine_crossing {
	uint64_t id;
	uint32_t place;        // of the lane on the way, from 0
	bool is_tail;          // else the header
	uint64_t asked, cycle; // asked: of a header, the first cycle in which it asked for the lane
};

// The calls that an engine makes to its user: it asks for messages, and reports arrivals.
struct loom_engine_user {
	// Gives the next message of a node, which can ask from cycle `from` on: 1, or the cycle after the one in which the tail of the
	// message before it crossed the injection channel. False: there is none, or not yet; loom_engine_kind.offer then makes
	// the engine ask again, with the same `from`.
	bool (*next)(void *user, struct loom_engine_message *out, uint32_t node, uint64_t from);
	// Reports an arrival, once for each message: not before the cycle of its header, and not after the cycle of
	// its tail.
	void (*arrived)(void *user, const struct loom_engine_arrival *arrival);
	// Reports each lane that a header or a tail crosses, in the same cycle. Only engine lanes does. NULL allowed.
	void (*crossed)(void *user, const struct loom_engine_crossing *crossing);
	void *user;
	// Hints for networks larger than the processor's cache. They announce that `next` will soon be called for
	// this node, or `arrived` for this message, so that the user can prefetch the memory that these calls need.
	// The hint for `next` comes twice, the second time when the first prefetch is done. NULL allowed.
	void (*soon_next)(void *user, uint32_t node, bool again);
	void (*soon_arrived)(void *user, uint64_t id);
};

// The counts of a channel.
struct loom_engine_count {
	uint64_t messages, flits; // headers that crossed; flits of these messages (lanes: flits that crossed)
	uint64_t blocked;         // cycles in which a header asked for it, or for a lane of it, and did not cross
};

// The reasons why a run stops.
enum loom_engine_state {
	LOOM_ENGINE_IDLE,   // nothing is under way, and no node has anything to send
	LOOM_ENGINE_TIME,   // the last cycle asked for is over
	LOOM_ENGINE_LOCKED, // messages are under way and no flit will ever move again
};

struct loom_engine;

struct loom_engine_kind {
	// Both structs are copied; what they point to stays the caller's until close. Every node is asked for its first message by the first
	// run. paper: the timing of [Hou01]'s machine, in which a header waits until the FIFO behind a channel is empty. LOOM_ENOMEM.
	int (*open)(struct loom_engine **out, const struct loom_engine_net *net, bool paper,
	            const struct loom_engine_user *user, struct loom_err *err);
	// Says that a node whose `next` returned false has a message now. It may ask from the next cycle on. May be
	// called from `arrived`, and between runs.
	void (*offer)(struct loom_engine *engine, uint32_t node);
	// Runs to the end of cycle `until`, or until there is nothing to do. LOOM_ENOMEM: the engine can then only be
	// closed.
	int (*run)(struct loom_engine *engine, enum loom_engine_state *state, uint64_t until, struct loom_err *err);
	// The last cycle that was run; of a run that ended idle or locked, the last one in which anything moved, as far as the engine knows.
	uint64_t (*cycle)(const struct loom_engine *engine);
	// By channel.
	void (*count)(const struct loom_engine *engine, uint32_t channel, struct loom_engine_count *out);
	void (*close)(struct loom_engine *engine); // NULL allowed
};

extern const struct loom_engine_kind loom_engine_worms, loom_engine_lanes, loom_engine_adaptive;

#endif
