// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/exchange_line.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_SIZE 8

static int make_room(struct loom_exchange_line *l, struct loom_err *err)
{
	if (l->first > l->size / 2) {
		memmove(l->entry, l->entry + l->first, l->n * sizeof *l->entry);
		l->first = 0;
		return 0;
	}
	const size_t size = l->size ? 2 * l->size : FIRST_SIZE;
	struct loom_exchange_entry *entry = realloc(l->entry, size * sizeof *entry);
	if (!entry)
		return loom_fail(err, LOOM_ENOMEM, "no memory for %zu messages of closed traffic", size);
	l->entry = entry;
	l->size = size;
	return 0;
}

int loom_exchange_line_put(struct loom_exchange_line *l, const struct loom_exchange_entry *e, struct loom_err *err)
{
	if (l->n == 0)
		l->first = 0;
	const int rc = l->first + l->n == l->size ? make_room(l, err) : 0;
	if (rc == 0)
		l->entry[l->first + l->n++] = *e;
	return rc;
}

int loom_exchange_line_sort_in(struct loom_exchange_line *l, const struct loom_exchange_entry *e, struct loom_err *err)
{
	const int rc = loom_exchange_line_put(l, e, err);
	if (rc != 0)
		return rc;
	struct loom_exchange_entry *at = &l->entry[l->first + l->n - 1];
	for (; at > &l->entry[l->first] && at[-1].message.release > e->message.release; at--)
		at[0] = at[-1];
	*at = *e;
	return 0;
}

void loom_exchange_line_free(struct loom_exchange_line *l)
{
	free(l->entry);
	*l = (struct loom_exchange_line){0};
}
