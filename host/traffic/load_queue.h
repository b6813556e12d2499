// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TRAFFIC_LOAD_QUEUE_H
#define LOOM_TRAFFIC_LOAD_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <flitloom/err.h>

// A message that stands in a queue.
struct loom_queued {
	uint32_t destination, release, flits;
	bool is_reply;
	uint8_t of_class; // the class of its flow; for a reply, that of the request
	uint32_t via;     // in a carrier, with a rule of flitloom/routes/via.h: the node through which it goes
};

#define LOOM_LOAD_QUEUE_LENT 16u // entries that a queue begins with

// A queue of messages without end. The oldest one lies in the struct itself, so that taking it touches no other
// memory. The n - 1 behind it lie in the ring `entry`, from `first` on, oldest first.
struct loom_load_queue {
	// room for `size` entries, a power of two; the caller's if there are LOOM_LOAD_QUEUE_LENT, else owned
	struct loom_queued *entry;
	uint32_t first, n, size;
	struct loom_queued oldest; // valid if n > 0
};

// Begins an empty queue with LOOM_LOAD_QUEUE_LENT entries, which stay the caller's; a queue that needs more gets its
// own. So the first entries of many queues can lie in one piece of memory.
void loom_load_queue_begin(struct loom_load_queue *out, struct loom_queued *lent);

// LOOM_ENOMEM.
int loom_load_queue_put(struct loom_load_queue *queue, const struct loom_queued *message, struct loom_err *err);
void loom_load_queue_free(struct loom_load_queue *queue); // leaves *queue zeroed

// Takes the oldest one out of a queue that is not empty.
static inline struct loom_queued loom_load_queue_take(struct loom_load_queue *queue)
{
	const struct loom_queued oldest = queue->oldest;
	if (--queue->n > 0) {
		queue->oldest = queue->entry[queue->first];
		queue->first = (queue->first + 1) & (queue->size - 1);
	}
	return oldest;
}

#endif
