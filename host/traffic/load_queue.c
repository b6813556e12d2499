// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/load_queue.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_SIZE 8

static int make_room(struct loom_load_queue *q, struct loom_err *err)
{
	if (q->first > q->size / 2) {
		memmove(q->entry, q->entry + q->first, (q->n - 1) * sizeof *q->entry);
		q->first = 0;
		return 0;
	}
	const size_t size = q->size ? 2 * (size_t)q->size : FIRST_SIZE;
	struct loom_queued *entry = size <= UINT32_MAX ? realloc(q->entry, size * sizeof *entry) : NULL;
	if (!entry)
		return loom_fail(err, LOOM_ENOMEM, "no memory for %zu messages that wait", size);
	q->entry = entry;
	q->size = (uint32_t)size;
	return 0;
}

int loom_load_queue_put(struct loom_load_queue *q, const struct loom_queued *message, struct loom_err *err)
{
	if (q->n == 0) {
		q->first = 0;
		q->oldest = *message;
		q->n = 1;
		return 0;
	}
	const int rc = q->first + q->n - 1 == q->size ? make_room(q, err) : 0;
	if (rc == 0)
		q->entry[q->first + q->n++ - 1] = *message;
	return rc;
}

void loom_load_queue_free(struct loom_load_queue *q)
{
	free(q->entry);
	*q = (struct loom_load_queue){0};
}
