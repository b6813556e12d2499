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
};

// A queue of messages without end: entry[first] .. entry[first + n - 1], the oldest first.
struct loom_load_queue {
	struct loom_queued *entry; // owned, of `size` entries
	size_t first, n, size;
};

// LOOM_ENOMEM.
int loom_load_queue_put(struct loom_load_queue *queue, const struct loom_queued *message, struct loom_err *err);
void loom_load_queue_free(struct loom_load_queue *queue); // leaves *queue zeroed

// Takes the oldest one out of a queue that is not empty.
static inline struct loom_queued loom_load_queue_take(struct loom_load_queue *queue)
{
	queue->n--;
	return queue->entry[queue->first++];
}

#endif
