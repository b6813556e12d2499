// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "machine/agenda.h"

#include <assert.h>
#include <stdlib.h>

#include "base/room.h"

#define NEVER UINT64_MAX
#define N_LISTS ((size_t)LOOM_AGENDA_CYCLES * LOOM_AGENDA_SORTS)

bool loom_agenda_begin(struct loom_agenda *a)
{
	*a = (struct loom_agenda){.ring = calloc(N_LISTS, sizeof *a->ring)};
	return a->ring != NULL;
}

void loom_agenda_free(struct loom_agenda *a)
{
	for (size_t i = 0; a->ring && i < N_LISTS; i++)
		free(a->ring[i].item);
	free(a->ring);
	free(a->far);
	*a = (struct loom_agenda){0};
}

// Puts an item into a list, which grows if it is full.
static void add(struct loom_agenda *a, struct loom_agenda_list *list, uint32_t item)
{
	if (list->n == list->size) {
		const uint32_t size = list->size ? 2 * list->size : 16;
		uint32_t *more = realloc(list->item, size * sizeof *more);
		if (!more) {
			a->failed = true;
			return;
		}
		list->item = more;
		list->size = size;
	}
	list->item[list->n++] = item;
}

// --- The heap -------------------------------------------------------------------------------------------------------

// Items of one cycle leave the heap by sort and number, so that their order does not depend on the history of the
// heap.
static bool comes_before(const struct loom_agenda_far *x, const struct loom_agenda_far *y)
{
	if (x->cycle != y->cycle)
		return x->cycle < y->cycle;
	return x->sort != y->sort ? x->sort < y->sort : x->item < y->item;
}

static void put_far(struct loom_agenda *a, const struct loom_agenda_far *x)
{
	if (!LOOM_ROOM(a->far, a->far_size, a->n_far + 1)) {
		a->failed = true;
		return;
	}
	size_t i = a->n_far++;
	for (; i > 0 && comes_before(x, &a->far[(i - 1) / 2]); i = (i - 1) / 2)
		a->far[i] = a->far[(i - 1) / 2];
	a->far[i] = *x;
}

static struct loom_agenda_far take_first(struct loom_agenda *a)
{
	const struct loom_agenda_far first = a->far[0], last = a->far[--a->n_far];
	size_t i = 0;
	for (size_t child; (child = 2 * i + 1) < a->n_far; i = child) {
		if (child + 1 < a->n_far && comes_before(&a->far[child + 1], &a->far[child]))
			child++;
		if (!comes_before(&a->far[child], &last))
			break;
		a->far[i] = a->far[child];
	}
	a->far[i] = last;
	return first;
}

// --- Both -----------------------------------------------------------------------------------------------------------

void loom_agenda_put_slowly(struct loom_agenda *a, unsigned sort, uint32_t item, uint64_t cycle)
{
	assert(cycle >= a->now);
	if (cycle - a->now >= LOOM_AGENDA_CYCLES)
		put_far(a, &(struct loom_agenda_far){cycle, item, sort});
	else
		add(a, loom_agenda_of(a, sort, cycle), item);
}

// Finds the first cycle up to `until`, but after the one under way, in which something is due; NEVER.
static uint64_t first_due(const struct loom_agenda *a, uint64_t until)
{
	for (uint64_t k = 1; k < LOOM_AGENDA_CYCLES && k <= until - a->now; k++)
		if (loom_agenda_has(a, a->now + k))
			return a->now + k;
	return a->n_far > 0 && a->far[0].cycle <= until ? a->far[0].cycle : NEVER;
}

uint64_t loom_agenda_first(const struct loom_agenda *a)
{
	return first_due(a, NEVER - 1);
}

bool loom_agenda_is_empty(const struct loom_agenda *a)
{
	return loom_agenda_first(a) == NEVER;
}

// Moves on from one cycle to any other, as loom_agenda_next does. Items that are now due within the cycles of the
// ring move there.
bool loom_agenda_jump(struct loom_agenda *a, uint64_t until)
{
	if (until <= a->now)
		return false;
	const uint64_t first = first_due(a, until);
	const bool is_due = first != NEVER;
	a->now = is_due ? first : until;
	while (a->n_far > 0 && a->far[0].cycle - a->now < LOOM_AGENDA_CYCLES) {
		const struct loom_agenda_far x = take_first(a);
		add(a, loom_agenda_of(a, x.sort, x.cycle), x.item);
	}
	return is_due;
}
