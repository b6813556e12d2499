// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef TEST_STREAM_LINK_H
#define TEST_STREAM_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <flitloom/device.h>
#include <flitloom/link.h>
#include <flitloom/link/stream.h>
#include <flitloom/trace.h>

// A chip that takes streams, without a network: a message that its node offers in cycle S is there with its tail in cycle
// S + F + h, whatever else is under way. So a node is a queue whose service takes F cycles, and `pause` more. Where routers have
// tables it goes by those that were loaded. It looks at every word that it is fed, and goes wrong where a test wants it.

enum stream_fault {
	STREAM_GOOD,
	STREAM_LOSE,        // the message never arrives
	STREAM_TWICE,       // it arrives twice
	STREAM_ELSEWHERE,   // at another node than its header says
	STREAM_READDRESSED, // at another node, as its header says
	STREAM_OVERTAKEN,   // under the number of the next one
	STREAM_NO_SOURCE,   // from a node that does not exist
	STREAM_CORRUPT,     // the node saw a wrong flit
	STREAM_SIGNATURE,   // the node reports no error, but the signature is wrong
	STREAM_SHORT,       // a flit is missing
	STREAM_EARLY,       // a cycle earlier than without any wait
	STREAM_SQUEEZED,    // its header comes so late that its flits would have come two in a cycle
	STREAM_WORM_MORE,   // a channel counts a message more
	STREAM_FLIT_LESS,   // a channel counts a flit less
	STREAM_STUCK,       // nothing arrives any more; the watchdog says so
	STREAM_CLOSED,      // CONFIG.OPEN stays 0
	STREAM_ENDLESS,     // the pass does not end
	STREAM_LOG_FULL,    // it ends with a log's overflow
	STREAM_STORE_FULL,  // it ends with an overflow of a slot
	STREAM_BROKEN,      // the link fails in the middle
};

#define STREAM_TABLE 4096u

struct stream_message {
	uint32_t source, destination, end, number; // nodes; end: where the tables bring it
	uint32_t flits, soonest, last;             // soonest: if it was offered when it was released
};

struct stream_link {
	struct loom_topo topo;
	struct loom_chip chip;
	enum stream_fault fault;
	uint64_t fault_at;          // which message goes wrong, from 0
	uint32_t pause, slow_pause; // pause: of all nodes; slow_pause: of node 0 in addition
	uint32_t global[256], *map,
		*table;                 // map: labels, as loaded; table: words of ROUTE, [node * STREAM_TABLE + word]
	struct loom_count *counts;      // per channel
	struct loom_stream_entry *ring; // [node * program_depth + i]
	uint32_t *ring_first, *ring_n;  // per node
	uint64_t *n_fed, *n_sent, *free_from; // per node: entries taken, sent; the cycle from which it is free
	uint32_t *last_at;
	struct stream_message *under_way;
	size_t n_under_way, size;
	uint64_t n_messages, cycle, n_streamed;
	bool out_of_memory; // for the logs
	int bad;            // something that the interface forbids
};

// fabric: "cube:3"; *link is then a link to it.
void stream_link_set_up(struct stream_link *s, struct loom_link *link, const char *fabric);
void stream_link_tear_down(struct stream_link *s); // fails the test if the program broke the interface's rules

#endif
