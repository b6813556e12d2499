// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/load_queue.h"

#include <stdlib.h>
#include <string.h>

static bool is_lent(const struct loom_load_queue *q)
{
	return q->size == LOOM_LOAD_QUEUE_LENT;
}

void loom_load_queue_begin(struct loom_load_queue *out, struct loom_queued *lent)
{
	*out = (struct loom_load_queue){.entry = lent, .size = LOOM_LOAD_QUEUE_LENT};
}

// Makes the ring twice as long. The entries that had wrapped round to its beginning move to its second half.
static int make_room(struct loom_load_queue *q, struct loom_err *err)
{
	const size_t size = 2 * (size_t)q->size;
	struct loom_queued *entry = NULL;
	if (size <= UINT32_MAX)
		entry = realloc(is_lent(q) ? NULL : q->entry, size * sizeof *entry);
	if (!entry)
		return loom_fail(err, LOOM_ENOMEM, "no memory for %zu messages that wait", size);
	if (is_lent(q))
		memcpy(entry, q->entry, q->size * sizeof *entry);
	memcpy(entry + q->size, entry, q->first * sizeof *entry);
	q->entry = entry;
	q->size = (uint32_t)size;
	return 0;
}

int loom_load_queue_put(struct loom_load_queue *q, const struct loom_queued *message, struct loom_err *err)
{
	if (q->n == 0) {
		q->oldest = *message;
		q->n = 1;
		return 0;
	}
	const int rc = q->n > q->size ? make_room(q, err) : 0;
	if (rc == 0)
		q->entry[(q->first + q->n++ - 1) & (q->size - 1)] = *message;
	return rc;
}

void loom_load_queue_free(struct loom_load_queue *q)
{
	if (!is_lent(q))
		free(q->entry);
	*q = (struct loom_load_queue){0};
}
