// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_GOAL_HEAP_H
#define LOOM_GOAL_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A queue whose least entry comes first: by time and, for equal times, by number.
struct goal_entry {
	uint64_t time;
	size_t number;
};

struct goal_heap {
	struct goal_entry *entry; // the owner's, who makes it large enough
	size_t n;
};

static inline bool goal_is_before(struct goal_entry a, struct goal_entry b)
{
	return a.time != b.time ? a.time < b.time : a.number < b.number;
}

static inline void goal_heap_push(struct goal_heap *h, struct goal_entry e)
{
	size_t i = h->n++;
	for (; i > 0 && goal_is_before(e, h->entry[(i - 1) / 2]); i = (i - 1) / 2)
		h->entry[i] = h->entry[(i - 1) / 2];
	h->entry[i] = e;
}

// Takes the least entry of a heap that is not empty.
static inline struct goal_entry goal_heap_pop(struct goal_heap *h)
{
	struct goal_entry least = h->entry[0], e = h->entry[--h->n];
	size_t i = 0;
	for (size_t child; (child = 2 * i + 1) < h->n; i = child) {
		if (child + 1 < h->n && goal_is_before(h->entry[child + 1], h->entry[child]))
			child++;
		if (!goal_is_before(h->entry[child], e))
			break;
		h->entry[i] = h->entry[child];
	}
	h->entry[i] = e;
	return least;
}

#endif
