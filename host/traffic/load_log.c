// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Records the fate of each message of a run at a load, and compares two such runs.
#include "traffic/load_log.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/numbers.h"
#include "base/room.h"

struct loom_load_message loom_load_message_of(const struct loom_carried *m)
{
	return (struct loom_load_message){.source = m->source,
	                                  .destination = m->destination,
	                                  .flits = m->flits,
	                                  .number = m->number,
	                                  .release = m->release,
	                                  .entered = m->entered,
	                                  .header = m->header,
	                                  .tail = m->tail,
	                                  .is_reply = m->is_reply};
}

int loom_load_log_add(struct loom_load_log *log, const struct loom_carried *m, struct loom_err *err)
{
	if (!log)
		return 0;
	if (!LOOM_ROOM(log->messages, log->size, log->n_messages + 1))
		return loom_fail(err, LOOM_ENOMEM, "no memory for a log of %zu messages", log->n_messages + 1);
	log->messages[log->n_messages++] = loom_load_message_of(m);
	return 0;
}

int loom_load_log_count(struct loom_load_log *log, uint32_t n_channels, struct loom_err *err)
{
	if (!log)
		return 0;
	log->counts = calloc(n_channels, sizeof *log->counts);
	if (!log->counts)
		return loom_fail(err, LOOM_ENOMEM, "no memory for the counts of %" PRIu32 " channels", n_channels);
	log->n_channels = n_channels;
	return 0;
}

void loom_load_log_free(struct loom_load_log *log)
{
	if (!log)
		return;
	free(log->messages);
	free(log->counts);
	*log = (struct loom_load_log){0};
}

// --- Comparison -----------------------------------------------------------------------------------------------------

struct differences {
	size_t n;
	char *first; // of `size`
	size_t size;
};

static void __attribute__((format(printf, 2, 3))) differ(struct differences *d, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	if (d->n++ == 0)
		(void)vsnprintf(d->first, d->size, format, list);
	va_end(list);
}

static int by_source(const void *a, const void *b)
{
	const struct loom_load_message *x = a, *y = b;
	const int by = loom_order(x->source, y->source);
	return by ? by : loom_order(x->number, y->number);
}

static void tell_missing(struct differences *d, const struct loom_load_message *m, const char *where)
{
	differ(d, "message %" PRIu64 " from %" PRIu32 " to %" PRIu32 ", released in cycle %" PRIu64 ", is not in %s",
	       m->number, m->source, m->destination, m->release, where);
}

static void compare_message(struct differences *d, const struct loom_load_message *x, const struct loom_load_message *y)
{
	if (x->destination == y->destination && x->flits == y->flits && x->release == y->release &&
	    x->header == y->header && x->tail == y->tail && x->is_reply == y->is_reply)
		return;
	differ(d,
	       "message %" PRIu64 " from %" PRIu32 " to %" PRIu32 ", %" PRIu32 " flits, released in cycle %" PRIu64
	       ", arrived in %" PRIu64 " to %" PRIu64 "; should be to %" PRIu32 ", %" PRIu32
	       " flits, released in %" PRIu64 ", in %" PRIu64 " to %" PRIu64,
	       x->number, x->source, x->destination, x->flits, x->release, x->header, x->tail, y->destination, y->flits,
	       y->release, y->header, y->tail);
}

static void compare_counts(struct differences *d, const struct loom_load_log *is, const struct loom_load_log *should,
                           const struct loom_topo *topo)
{
	for (uint32_t c = 0; c < is->n_channels && c < should->n_channels; c++) {
		const struct loom_load_count *x = &is->counts[c], *y = &should->counts[c];
		char name[48];
		if (!loom_topo_channel_exists(topo, c) ||
		    (x->messages == y->messages && x->flits == y->flits && x->blocked == y->blocked))
			continue;
		loom_topo_channel_name(topo, c, name);
		differ(d,
		       "channel %s carried %" PRIu64 " messages, %" PRIu64 " flits, and headers waited %" PRIu64
		       " cycles; should be %" PRIu64 ", %" PRIu64 ", %" PRIu64,
		       name, x->messages, x->flits, x->blocked, y->messages, y->flits, y->blocked);
	}
	if (is->n_channels != should->n_channels)
		differ(d, "counts of %" PRIu32 " channels; should be %" PRIu32, is->n_channels, should->n_channels);
}

size_t loom_load_log_compare(char *first, size_t size, struct loom_load_log *is, struct loom_load_log *should,
                             const struct loom_topo *topo)
{
	struct differences d = {.first = first, .size = size};
	if (is->n_messages)
		qsort(is->messages, is->n_messages, sizeof *is->messages, by_source);
	if (should->n_messages)
		qsort(should->messages, should->n_messages, sizeof *should->messages, by_source);
	size_t i = 0, k = 0;
	while (i < is->n_messages || k < should->n_messages) {
		const struct loom_load_message *x = i < is->n_messages ? &is->messages[i] : NULL;
		const struct loom_load_message *y = k < should->n_messages ? &should->messages[k] : NULL;
		const int before = !x ? 1 : !y ? -1 : by_source(x, y);
		if (before < 0)
			tell_missing(&d, x, "what should be");
		else if (before > 0)
			tell_missing(&d, y, "what is");
		else
			compare_message(&d, x, y);
		i += before <= 0;
		k += before >= 0;
	}
	compare_counts(&d, is, should, topo);
	return d.n;
}
