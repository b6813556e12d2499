// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/twin.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "base/room.h"

static int offer(void *self, uint32_t source, const struct loom_queued *message, struct loom_err *err)
{
	struct loom_twin *t = self;
	const int rc = t->is->offer(t->is->self, source, message, err);
	return rc == 0 ? t->should->offer(t->should->self, source, message, err) : rc;
}

static int by_source(const void *a, const void *b)
{
	const struct loom_carried *x = a, *y = b;
	const int by = loom_order(x->source, y->source);
	return by ? by : loom_order(x->number, y->number);
}

static void differ(struct loom_twin *t, const struct loom_carried *m, const char *what, uint64_t header, uint64_t tail)
{
	if (t->n_differences++ > 0)
		return;
	const int n = snprintf(t->difference, sizeof t->difference,
	                       "message %" PRIu64 " from %" PRIu32 " to %" PRIu32 ", %" PRIu32 " flits, %s in cycles "
	                       "%" PRIu64 " to %" PRIu64,
	                       m->number, m->source, m->destination, m->flits, what, m->header, m->tail);
	if (tail && n > 0 && (size_t)n < sizeof t->difference)
		(void)snprintf(t->difference + n, sizeof t->difference - (size_t)n,
		               "; should be in %" PRIu64 " to %" PRIu64, header, tail);
}

static void compare(struct loom_twin *t, size_t n_is, size_t n_should)
{
	size_t i = 0, k = 0;
	qsort(t->of_is, n_is, sizeof *t->of_is, by_source);
	qsort(t->of_should, n_should, sizeof *t->of_should, by_source);
	while (i < n_is || k < n_should) {
		const struct loom_carried *x = i < n_is ? &t->of_is[i] : NULL;
		const struct loom_carried *y = k < n_should ? &t->of_should[k] : NULL;
		const int before = !x ? 1 : !y ? -1 : by_source(x, y);
		if (before < 0)
			differ(t, x, "arrived, which is not due then,", 0, 0);
		else if (before > 0)
			differ(t, y, "is due, and did not arrive, ", 0, 0);
		else if (x->destination != y->destination || x->flits != y->flits || x->header != y->header ||
		         x->tail != y->tail)
			differ(t, x, "arrived", y->header, y->tail);
		i += before <= 0;
		k += before >= 0;
	}
}

static int run(void *self, uint64_t until, const struct loom_carried **out, size_t *n_out, struct loom_err *err)
{
	struct loom_twin *t = self;
	const struct loom_carried *is = NULL, *should = NULL;
	size_t n_is = 0, n_should = 0;
	int rc = t->is->run(t->is->self, until, &is, &n_is, err);
	if (rc == 0)
		rc = t->should->run(t->should->self, until, &should, &n_should, err);
	const size_t n = n_is > n_should ? n_is : n_should;
	if (rc == 0 && (!LOOM_ROOM(t->of_is, t->is_room, n) || !LOOM_ROOM(t->of_should, t->should_room, n)))
		rc = loom_fail(err, LOOM_ENOMEM, "no memory to compare %zu arrivals", n);
	if (rc != 0)
		return rc;
	if (n_is)
		memcpy(t->of_is, is, n_is * sizeof *is);
	if (n_should)
		memcpy(t->of_should, should, n_should * sizeof *should);
	if (n)
		compare(t, n_is, n_should);
	*out = is;
	*n_out = n_is;
	return 0;
}

static int check(void *self, struct loom_err *err)
{
	struct loom_twin *t = self;
	const int rc = t->is->check(t->is->self, err);
	return rc == 0 ? t->should->check(t->should->self, err) : rc;
}

struct loom_carrier loom_twin_carrier(struct loom_twin *t)
{
	const uint64_t a = t->is->most_cycles, b = t->should->most_cycles;
	return (struct loom_carrier){
		.self = t, .offer = offer, .run = run, .check = check, .most_cycles = a < b ? a : b};
}

void loom_twin_free(struct loom_twin *t)
{
	free(t->of_is);
	free(t->of_should);
	*t = (struct loom_twin){0};
}
