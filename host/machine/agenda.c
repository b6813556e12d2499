// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "machine/agenda.h"

#include <stdlib.h>

bool loom_agenda_begin(struct loom_agenda *a, unsigned n_sorts)
{
	*a = (struct loom_agenda){.n_sorts = n_sorts};
	a->ring = calloc((size_t)LOOM_AGENDA_CYCLES * n_sorts, sizeof *a->ring);
	return a->ring != NULL;
}

void loom_agenda_free(struct loom_agenda *a)
{
	for (size_t i = 0; a->ring && i < (size_t)LOOM_AGENDA_CYCLES * a->n_sorts; i++)
		free(a->ring[i].item);
	free(a->ring);
	free(a->far);
	*a = (struct loom_agenda){0};
}

void loom_agenda_grow(struct loom_agenda *a, struct loom_agenda_list *list)
{
	uint32_t size = list->size ? 2 * list->size : 16;
	uint32_t *item = realloc(list->item, size * sizeof *item);
	if (!item) {
		a->failed = true;
		return;
	}
	list->item = item;
	list->size = size;
}

// Items of one cycle come out by sort and number, so that the order does not hang on how the heap came to be.
static bool comes_before(const struct loom_agenda_far *x, const struct loom_agenda_far *y)
{
	if (x->cycle != y->cycle)
		return x->cycle < y->cycle;
	return x->sort != y->sort ? x->sort < y->sort : x->item < y->item;
}

void loom_agenda_put_far(struct loom_agenda *a, unsigned sort, uint32_t item, uint64_t cycle)
{
	if (a->n_far == a->far_size) {
		size_t size = a->far_size ? 2 * a->far_size : 64;
		struct loom_agenda_far *far = realloc(a->far, size * sizeof *far);
		if (!far) {
			a->failed = true;
			return;
		}
		a->far = far;
		a->far_size = size;
	}
	const struct loom_agenda_far x = {cycle, item, sort};
	size_t i = a->n_far++;
	for (; i > 0 && comes_before(&x, &a->far[(i - 1) / 2]); i = (i - 1) / 2)
		a->far[i] = a->far[(i - 1) / 2];
	a->far[i] = x;
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

// Moves what is due within the ring's cycles there.
void loom_agenda_come_near(struct loom_agenda *a)
{
	while (a->n_far && a->far[0].cycle - a->now < LOOM_AGENDA_CYCLES) {
		const struct loom_agenda_far x = take_first(a);
		struct loom_agenda_list *list = loom_agenda_of(a, x.sort, x.cycle);
		if (list->n == list->size)
			loom_agenda_grow(a, list);
		if (list->n == 0)
			a->n_near++;
		if (list->n < list->size)
			list->item[list->n++] = x.item;
	}
}
