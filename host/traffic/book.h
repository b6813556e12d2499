// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TRAFFIC_BOOK_H
#define LOOM_TRAFFIC_BOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <flitloom/link/chip.h>
#include <flitloom/math/payload.h>
#include <flitloom/topo.h>
#include <flitloom/trace.h>

#include "base/arrays.h"
#include "traffic/load_queue.h"
#include "traffic/routing.h"

// The book of a streamed run: keeps the messages that were offered, and checks the arrivals against them. All nodes
// are physical.
struct loom_book_entry {
	uint32_t destination, release, flits;
	uint32_t without_wait; // its latency if it never waits
	bool arrived, is_reply;
	uint8_t of_class;
	uint32_t via;    // the node that was drawn; else 0
	uint64_t number; // its number among the messages of its source, from 0
};

// The messages of a node that are outstanding: entry[first] .. entry[first + n - 1], the oldest first. The first has
// not arrived; later ones may have.
struct loom_book_source {
	struct loom_book_entry *entry; // owned, of `size` entries
	size_t first, n, size;
	uint64_t n_offered; // messages offered in all
};

// The counts that a channel is due to have.
struct loom_book_due {
	uint64_t worms, flits;
};

// Facts about all messages from one node to another. They lie side by side, because an offer needs both, and in a
// large fabric neither is in the processor's cache.
struct loom_book_pair {
	uint32_t sent;
	// the latency of a message of one flit that never waits, on networks without light; 0: not computed
	uint16_t without_wait;
	uint64_t flits; // flits of all messages sent
};

struct loom_book {
	const struct loom_topo *topo;   // the topology of the routings
	struct loom_routing routing[2]; // that of messages, and that of replies
	struct loom_payload payload;
	uint32_t program_depth;
	unsigned n_rules; // 1; 2 if replies go by a rule of their own
	bool has_light;
	struct loom_book_source *source; // owned, per node
	struct loom_book_pair *pair;     // owned: [(source * n_nodes + destination) * n_rules + place of the rule]
	struct loom_book_due *due; // owned, by channel, if the ways of messages are drawn: what they carry; else NULL
	uint64_t n_offered, n_outstanding;
	size_t n_mismatches;
	char mismatch[200];        // the first mismatch
	struct loom_arrays arrays; // owns the arrays
};

// of_replies: the routing of replies, the same if there are none. LOOM_ENOMEM. Free with loom_book_free in any case.
// The caller keeps the memory to which routings point.
int loom_book_begin(struct loom_book *out, const struct loom_routing *routing, const struct loom_routing *of_replies,
                    const struct loom_chip *chip, uint32_t payload_seed, struct loom_err *err);
int loom_book_offer(struct loom_book *book, uint32_t source, const struct loom_queued *message, struct loom_err *err);
// The messages that a node has offered so far.
static inline uint64_t loom_book_offered(const struct loom_book *book, uint32_t node)
{
	return book->source[node].n_offered;
}
// Finds the outstanding message that arrived, as *out; false: there is none. A fault of the message counts as a
// mismatch.
bool loom_book_arrive(struct loom_book *book, const struct loom_arrival *arrival, struct loom_book_entry *out);
uint32_t loom_book_without_wait(struct loom_book *book, uint32_t source, const struct loom_queued *message);
// Finds, after the run, messages that never arrived, and channels whose counts differ from the routes of all
// messages.
void loom_book_close(struct loom_book *book);
int loom_book_compare(struct loom_book *book, const struct loom_count *counts, struct loom_err *err);
void loom_book_free(struct loom_book *book); // leaves *book zeroed

#endif
