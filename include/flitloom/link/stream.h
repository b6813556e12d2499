// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_STREAM_H
#define LOOM_STREAM_H

#include <stddef.h>
#include <stdint.h>

#include <flitloom/api.h>

LOOM_API_BEGIN

// An entry of a node's program: the words AT and PROGRAM of the register map.
struct loom_stream_entry {
	uint32_t at, word[2];
};

// The entries that have not been fed to a node yet, in order: entry[first] .. entry[first + n - 1].
struct loom_stream_queue {
	struct loom_stream_entry *entry; // owned by the maker of the stream; `size` entries
	size_t first, n, size;
};

// A message that arrived, as in the node's log.
struct loom_stream_log {
	uint32_t node;      // the node where it arrived
	uint32_t word[4];   // LOG0 to LOG3
	uint32_t signature; // 0 if the chip keeps none
};

// The entries that go into a chip and the logs that come out of it while a pass runs. struct loom_link_kind.stream
// feeds each node from its queue as soon as its program has room (queues shrink: first grows, n falls). It adds the
// messages that the nodes received to the logs, in the order of arrival, and makes `log` longer by realloc if need
// be. Its user fills the queues, at least a few cycles before an entry's `at`, and takes the logs out. Messages that
// arrive between two calls, while words are read or written, are handed out by the next call; so a call with n_cycles
// = 0 ends a run. Messages are handed out from a run's first call until the reset. The chip's logs hold them, too, as
// far as there is room.
struct loom_stream {
	uint32_t n_nodes;
	struct loom_stream_queue *queue; // [node]
	size_t n_logs, logs_size;
	struct loom_stream_log *log;
};

LOOM_API_END

#endif
