// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TRAFFIC_EXCHANGE_LINE_H
#define LOOM_TRAFFIC_EXCHANGE_LINE_H

#include <stdbool.h>

#include "traffic/load_queue.h"

// A message of closed traffic, and what is known of the request that it is or that it answers.
struct loom_exchange_entry {
	struct loom_queued message;
	uint64_t made, request_release;       // the cycles in which the request was made, and released
	uint64_t number;                      // of its source's messages, once it is given to the carrier
	uint64_t request_number;              // of its source's requests
	uint32_t request_flits, without_wait; // without_wait: of the round trip so far
	bool arrived;
	uint64_t entered; // of a reply: when the header of its request crossed the injection channel; 0: not known
};

// A line of such: entry[first] .. entry[first + n - 1].
struct loom_exchange_line {
	struct loom_exchange_entry *entry; // owned, of `size` entries
	size_t first, n, size;
};

// LOOM_ENOMEM.
int loom_exchange_line_put(struct loom_exchange_line *line, const struct loom_exchange_entry *e, struct loom_err *err);
// Puts it behind all that are not released after it.
int loom_exchange_line_sort_in(struct loom_exchange_line *line, const struct loom_exchange_entry *e,
                               struct loom_err *err);
void loom_exchange_line_free(struct loom_exchange_line *line); // leaves *line zeroed

// The first one of a line that is not empty; drops it.
static inline struct loom_exchange_entry *loom_exchange_line_first(const struct loom_exchange_line *line)
{
	return &line->entry[line->first];
}

static inline void loom_exchange_line_drop(struct loom_exchange_line *line)
{
	line->first++;
	line->n--;
}

// The one with this number in a line whose numbers follow each other; NULL: there is none.
static inline struct loom_exchange_entry *loom_exchange_line_numbered(const struct loom_exchange_line *line,
                                                                      uint64_t number)
{
	const struct loom_exchange_entry *first = line->n ? loom_exchange_line_first(line) : NULL;
	return first && number >= first->number && number - first->number < line->n
	               ? &line->entry[line->first + (size_t)(number - first->number)]
	               : NULL;
}

#endif
