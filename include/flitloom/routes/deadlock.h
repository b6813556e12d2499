// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_DEADLOCK_H
#define LOOM_DEADLOCK_H

#include <stddef.h>
#include <stdint.h>

#include <flitloom/api.h>
#include <flitloom/err.h>
#include <flitloom/plan.h>
#include <flitloom/topo.h>

LOOM_API_BEGIN

// Deadlock by the channel dependency graph ([Dally87]): its nodes are the channels, and an edge leads from a to b if
// some message that holds a can ask for b. In a deadlock every message waits for a channel that another one holds,
// and the channels between are a circle of edges.
//
// If links have virtual channels, read "virtual channel" for "channel": each has a buffer of its own at the far end
// and belongs to one message at a time. Virtual channels share wires, but none waits for another one for ever
// (rtl/wh/wh_share.sv).
//
// Claimed: without a circle no deadlock is possible, whatever the lengths of the messages, the buffers and the order in
// which headers are served. Not claimed: that a circle does end in a deadlock. That depends on lengths and timing, and
// messages short enough to stand in few buffers may slip through; a circle is refused all the same.
//
// The graph of a pass leaves out channels that carry only one message, because no message waits for them, and joins
// the channels before them to those behind. So a circle has at least two messages, all its channels are contended,
// and a pass without contention has none. A node's own channels are on no circle: nothing comes before injection, and
// a node accepts every message that is ejected. In a free run the passes overlap: it counts as one pass.

// A channel of a circle, and a message that holds it while it asks for the next channel. (After the last channel
// comes the first.)
struct loom_dependency_channel {
	uint32_t channel;
	unsigned vc;                  // its virtual channel; 0 if there is only one
	uint32_t message;             // its index in the plan; for a network's routing UINT32_MAX
	uint32_t source, destination; // of the message, physical nodes
	uint8_t rule;                 // enum loom_rule
};

// A circle of channels that wait for one another: a cycle of the channel dependency graph. Chosen routes on lanes have
// struct loom_lane_circle (flitloom/routes/virtual_networks.h).
struct loom_dependency_cycle {
	size_t n_channels;                       // 0: there is no circle
	struct loom_dependency_channel *channel; // owned, from the lowest channel on
	uint32_t pass;                           // the pass of a plan; for a free run 0
};

// Finds the first pass of the plan that has a circle, and a short one of its circles. The plan need not have been
// predicted. LOOM_ENOMEM.
int loom_deadlock_find_in_plan(struct loom_dependency_cycle *out, const struct loom_plan *plan, struct loom_err *err);

// Refuses a plan that can lock. LOOM_EINPUT: a pass of the plan has a circle, whose channels are named; or its
// programs have waits that are never met (loom_timing_check). The circle is one on plan->topo, whose number of
// virtual channels counts. loom_plan_make, loom_plan_parse, loom_plan_read and loom_image_check call it for every
// plan.
int loom_deadlock_check(const struct loom_plan *plan, struct loom_err *err);

// Looks for a circle in the routing of a network alone. All messages that the network can carry, from everywhere to
// everywhere, are under way at the same time. `rules`: bit r is set if messages go by rule r (enum loom_rule); rules
// that the network does not have are left out. LOOM_EINPUT: more nodes than LOOM_DEADLOCK_NODES_MAX.
int loom_deadlock_find_in_routing(struct loom_dependency_cycle *out, const struct loom_topo *topo, unsigned rules,
                                  struct loom_err *err);
#define LOOM_DEADLOCK_NODES_MAX (1 << 14) // the work grows with their square

// Frees what a circle owns.
void loom_dependency_cycle_free(struct loom_dependency_cycle *circle); // NULL allowed; leaves *circle zeroed

LOOM_API_END

#endif
