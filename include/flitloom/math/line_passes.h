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

// Messages of a row of nodes, n of them: source[i] -> destination[i]. The same one may occur several times.
struct loom_line_messages {
	uint32_t n_nodes;
	bool half_duplex; // a link is used one way only in a pass
	size_t n;
	const uint32_t *source, *destination;
};

// The result of a schedule.
struct loom_line_passes {
	uint32_t n_passes;
	// A lower bound of the passes: so many of the messages conflict with one another, two by two. Equal to
	// n_passes wherever half_duplex is set, and for every list in which no node sends both ways, or is sent to
	// from both sides; 0 if all messages are to oneself (they are in pass 0).
	uint32_t lower_bound;
};

// Puts the messages into passes without conflict: no two messages of a pass go the same way over a link, leave the same
// node or arrive at the same node; with half_duplex none goes either way over a link that another one uses. pass[i]
// counts from 0 and none is empty. Deterministic.
//
// LIN-SCHEDULE ([Youssef93], section 4), for lists as well: from left to right, a message takes a pass that the messages
// that have ended before it have left free. O(nodes + messages); for lists that are neither half duplex nor as above,
// O(nodes + messages * passes / 64). LOOM_EINPUT: a node that is not there.
int loom_line_passes_schedule(uint32_t *pass, struct loom_line_passes *out, const struct loom_line_messages *messages,
                              struct loom_err *err);

LOOM_API_END

#endif
