// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/load_beside.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "base/room.h"
#include "traffic/load_machine.h"

struct loom_load_beside {
	struct loom_load_machine *machine; // owned
	struct loom_carrier carrier;
	struct loom_carried *sorted; // owned, of `size`: the arrivals of a call, by source and number
	size_t size;
};

int loom_load_beside_open(struct loom_load_beside **out, const struct loom_topo *topo, const uint32_t *map,
                          const struct loom_load_options *options, struct loom_err *err)
{
	struct loom_load_beside *b = calloc(1, sizeof *b);
	if (!b)
		return loom_fail(err, LOOM_ENOMEM, "no memory for a machine");
	int rc = loom_load_machine_open(&b->machine, &b->carrier, topo, map, options, err);
	if (rc == 0)
		*out = b;
	else
		free(b);
	return rc;
}

void loom_load_beside_close(struct loom_load_beside *b)
{
	if (!b)
		return;
	loom_load_machine_close(b->machine);
	free(b->sorted);
	free(b);
}

int loom_load_beside_offer(struct loom_load_beside *b, uint32_t source, const struct loom_queued *message,
                           struct loom_err *err)
{
	return b->carrier.offer(b->carrier.self, source, message, err);
}

static int by_source(const void *a, const void *b)
{
	const struct loom_carried *x = a, *y = b;
	const int by = loom_order(x->source, y->source);
	return by ? by : loom_order(x->number, y->number);
}

static int sort(struct loom_load_beside *b, const struct loom_carried *list, size_t n, struct loom_err *err)
{
	if (!LOOM_ROOM(b->sorted, b->size, n))
		return loom_fail(err, LOOM_ENOMEM, "no memory for %zu arrivals", n);
	if (n) {
		memcpy(b->sorted, list, n * sizeof *list);
		qsort(b->sorted, n, sizeof *b->sorted, by_source);
	}
	return 0;
}

static void tell(char *first, size_t size, const struct loom_carried *is, const struct loom_carried *should)
{
	const struct loom_carried *m = is ? is : should;
	size_t n = (size_t)snprintf(
		first, size, "message %" PRIu64 " from %" PRIu32 " to %" PRIu32 ", released in cycle %" PRIu64 ", ",
		m->number, m->source, m->destination, m->release);
	if (is && n < size)
		n += (size_t)snprintf(first + n, size - n, "arrived in cycles %" PRIu64 " to %" PRIu64, is->header,
		                      is->tail);
	else if (n < size)
		n += (size_t)snprintf(first + n, size - n, "has not arrived");
	if (should && n < size)
		(void)snprintf(first + n, size - n, "; computed: %" PRIu64 " to %" PRIu64, should->header,
		               should->tail);
	else if (n < size)
		(void)snprintf(first + n, size - n, "; computed: not yet");
}

int loom_load_beside_run(struct loom_load_beside *b, uint64_t until, struct loom_carried *arrived, size_t n,
                         size_t *n_differ, char *first, size_t size, struct loom_err *err)
{
	const struct loom_carried *computed = NULL;
	size_t n_computed = 0, n_found = 0;
	int rc = b->carrier.run(b->carrier.self, until, &computed, &n_computed, err);
	if (rc == 0)
		rc = sort(b, computed, n_computed, err);
	*n_differ = 0;
	for (size_t i = 0; rc == 0 && i < n; i++) {
		struct loom_carried *a = &arrived[i];
		const struct loom_carried *should =
			n_computed ? bsearch(a, b->sorted, n_computed, sizeof *a, by_source) : NULL;
		n_found += should != NULL;
		a->entered = should ? should->entered : a->release;
		if (should && should->header == a->header && should->tail == a->tail && should->flits == a->flits &&
		    should->destination == a->destination)
			continue;
		if ((*n_differ)++ == 0)
			tell(first, size, a, should);
	}
	if (rc == 0 && n_found < n_computed && *n_differ == 0) {
		const struct loom_carried *missing = NULL;
		for (size_t k = 0; k < n_computed && !missing; k++) {
			bool is_there = false;
			for (size_t i = 0; i < n && !is_there; i++)
				is_there = by_source(&arrived[i], &b->sorted[k]) == 0;
			missing = is_there ? NULL : &b->sorted[k];
		}
		if (missing)
			tell(first, size, NULL, missing);
	}
	*n_differ += n_computed > n_found ? n_computed - n_found : 0;
	return rc;
}
