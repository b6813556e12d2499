// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_LINE_PASSES_H
#define LOOM_LINE_PASSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <flitloom/api.h>
#include <flitloom/err.h>

LOOM_API_BEGIN

// Messages on a row of nodes, n of them: source[i] -> destination[i]. The same message may occur several times.
struct loom_line_messages {
	uint32_t n_nodes;
	bool half_duplex; // in a pass a link is used in one direction only
	size_t n;
	const uint32_t *source, *destination;
};

// The result of a schedule.
struct loom_line_passes {
	uint32_t n_passes;
	// A lower bound of the passes: this number of messages conflict pairwise. It is equal to
	// n_passes if half_duplex is set, and for every list in which no node sends in both directions or receives from
	// both. It is 0 if all messages are to their senders (they are in pass 0).
	uint32_t lower_bound;
};

// Puts the messages into passes without conflict. No two messages of a pass go in the same direction over a link, leave
// the same node or arrive at the same node. With half_duplex no two of them use the same link at all. pass[i] counts
// from 0 and no pass is empty. Deterministic.
//
// The algorithm is LIN-SCHEDULE ([Youssef93], section 4), extended to lists: from left to right, a message takes a pass
// that the messages that ended before it have left free. It takes O(nodes + messages), and for lists whose lower bound
// may be below n_passes O(nodes + messages * passes / 64). LOOM_EINPUT: a node that does not exist.
int loom_line_passes_schedule(uint32_t *pass, struct loom_line_passes *out, const struct loom_line_messages *messages,
                              struct loom_err *err);

LOOM_API_END

#endif
