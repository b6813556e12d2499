// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_ENGINE_H
#define LOOM_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

#include <flitloom/err.h>
#include <flitloom/topo.h>

// An engine computes in which cycles messages cross the channels of a network, without running the RTL. There are
// three engines: `worms`, whose only events are grants of headers, for networks whose channels have one lane;
// `lanes`, which moves flits, for all networks whose routers do not choose; and `adaptive`, for routers that choose.
// If several engines can serve a network, they give the same cycles. docs/exactness.md says why the cycles are those
// of the RTL.
//
// A channel leads from a node to its router (injection), from router to router, or from a router to its node
// (ejection). It ends in a FIFO, of two slots usually. The FIFO of an ejection channel loses one flit every cycle. If
// links have virtual channels, each of these is a lane with a FIFO of its own, and the link carries one flit a cycle.
// Cycles count from 1.

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
	// For each lane, the rank of a header in the FIFO at its end. If several headers began to ask for a lane in
	// the same cycle, the one with the lowest rank is granted first. No two lanes that end at one router have the
	// same rank.
	const uint16_t *rank;
	// The optical channels (NULL: there are none). A flit takes light_cycles cycles more on them, and occupies
	// the link for light_ratio of these (host/topo/topo_otis.h).
	const bool *is_light;
	uint32_t light_cycles, light_ratio;
	unsigned buffers; // slots of each FIFO, 2 to LOOM_BUFFERS_MAX; 0 stands for 2
	// Slow links: for each channel, the cycles that a flit is under way longer than on a usual channel, at most
	// delay_most; 0: the channel is not slow. NULL: no channel is. An optical channel is never slow. The near end
	// counts the room in the FIFO at the far end. It learns later than on a usual link that a flit has left that
	// FIFO: by the channel's delay, less router_delay.
	const uint8_t *delay;
	unsigned delay_most;   // with delay: 1 to LOOM_LINK_DELAY_MAX + LOOM_ROUTER_DELAY_MAX
	unsigned router_delay; // at most the least delay that is not 0
	// For engine `worms`: the number of dimensions of a cube on which all messages correct the dimensions in
	// ascending order, so that the engine computes the routes itself; 0: messages bring their routes. The
	// channels of a node are those of its dimensions, then ejection, then injection.
	unsigned n_dims;
	// For routers that choose: the topology, the rule of preference (enum loom_select), and the state of the
	// routers, which the engine keeps up to date. `topo` is NULL if routers do not choose.
	const struct loom_topo *topo;
	unsigned select;
	struct loom_engine_memory *memory;
};

// A message that a node is to send.
struct loom_engine_message {
	uint64_t release; // its header asks in this cycle at the earliest
	uint32_t flits;   // 1 to LOOM_FLITS_MOST
	uint32_t n_way;   // lanes in `way`, 2 or more
	// The lanes of its route: injection, links, ejection. They stay the caller's, who keeps them until the
	// message has arrived.
	const uint32_t *way;
	uint64_t id; // chosen by the caller
	// Used if `way` is NULL (routers choose, or loom_engine_net.n_dims is set): the destination, and the rule by
	// which routers choose.
	uint8_t rule;
	uint32_t destination;
};

// A message that has arrived, or whose arrival the engine has already computed.
struct loom_engine_arrival {
	uint64_t id;
	uint64_t offer;        // the first cycle in which its header asked for the injection channel
	uint64_t waited;       // cycles, modulo 2^32, in which it asked for that channel in vain
	uint64_t header, tail; // the cycles in which they crossed the ejection channel
};

// A header or a tail that crosses a lane of its way.
struct loom_engine_crossing {
	uint64_t id;
	uint32_t place; // the index of the lane in the route, from 0
	bool is_tail;   // the tail crosses; false: the header
	// asked: for a header, the first cycle in which it asked for the lane. cycle: that in which it crosses
	uint64_t asked, cycle;
};

// The calls that an engine makes to its user: it asks for messages, and reports arrivals.
struct loom_engine_user {
	// Gives the next message of a node. Its header may ask from cycle `from` on; that is cycle 1, or the cycle
	// after the one in which the tail of the node's message before crossed the injection channel. False: the node
	// has no message, or has none yet; after a call of loom_engine_kind.offer, the engine asks again with the
	// same `from`.
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
	// headers that crossed; flits of their messages (lanes, adaptive: flits that crossed)
	uint64_t messages, flits;
	uint64_t blocked; // cycles in which a header asked for it, or for a lane of it, and did not cross
};

// The reasons why a run stops.
enum loom_engine_state {
	LOOM_ENGINE_IDLE,   // nothing is under way, and no node has anything to send
	LOOM_ENGINE_TIME,   // the last cycle asked for is over
	LOOM_ENGINE_LOCKED, // messages are under way and no flit will ever move again
};

struct loom_engine;

struct loom_engine_kind {
	// Opens an engine. It copies both structs; the memory to which they point stays the caller's, who keeps it
	// until close. The first run asks every node for its first message. paper: the engine follows the timing of
	// [Hou01]'s machine, in which a header waits until the FIFO behind a channel is empty. LOOM_ENOMEM.
	int (*open)(struct loom_engine **out, const struct loom_engine_net *net, bool paper,
	            const struct loom_engine_user *user, struct loom_err *err);
	// Says that a node whose `next` returned false has a message now. It may ask from the next cycle on. May be
	// called from `arrived`, and between runs.
	void (*offer)(struct loom_engine *engine, uint32_t node);
	// Runs to the end of cycle `until`, or until there is nothing to do. LOOM_ENOMEM: the engine can then only be
	// closed.
	int (*run)(struct loom_engine *engine, enum loom_engine_state *state, uint64_t until, struct loom_err *err);
	// Returns the last cycle that was run. After a run that ended idle or locked, it returns the last cycle in
	// which anything moved, as far as the engine knows.
	uint64_t (*cycle)(const struct loom_engine *engine);
	// Reads the counts of a channel.
	void (*count)(const struct loom_engine *engine, uint32_t channel, struct loom_engine_count *out);
	void (*close)(struct loom_engine *engine); // NULL allowed
};

extern const struct loom_engine_kind loom_engine_worms, loom_engine_lanes, loom_engine_adaptive;

#endif
