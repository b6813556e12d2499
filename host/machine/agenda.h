// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_AGENDA_H
#define LOOM_AGENDA_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Numbers that are due in cycles to come, of a few sorts. The near cycles are a ring of lists, the others a heap; so a cycle
// costs nothing but what is due in it, and cycles in which nothing is are jumped over. What is due in one cycle comes in
// no particular order, which is the same in each run.

#define LOOM_AGENDA_CYCLES 256u // in the ring; a power of two

struct loom_agenda_list {
	uint32_t *item; // owned
	uint32_t n, size;
};

struct loom_agenda_far {
	uint64_t cycle;
	uint32_t item, sort;
};

// `now` is the cycle under way.
struct loom_agenda {
	uint64_t now;
	unsigned n_sorts;
	struct loom_agenda_list *ring; // owned: [(cycle % LOOM_AGENDA_CYCLES) * n_sorts + sort]
	size_t n_near;                 // lists of the ring that hold something
	struct loom_agenda_far *far;   // owned, a heap: the least cycle first
	size_t n_far, far_size;
	bool failed; // there was no memory for an item
};

bool loom_agenda_begin(struct loom_agenda *a, unsigned n_sorts); // false: no memory; free in any case
void loom_agenda_free(struct loom_agenda *a);

// For loom_agenda_put alone.
void loom_agenda_put_far(struct loom_agenda *a, unsigned sort, uint32_t item, uint64_t cycle);
void loom_agenda_grow(struct loom_agenda *a, struct loom_agenda_list *list);
void loom_agenda_come_near(struct loom_agenda *a);

static inline struct loom_agenda_list *loom_agenda_of(struct loom_agenda *a, unsigned sort, uint64_t cycle)
{
	return &a->ring[(size_t)(cycle % LOOM_AGENDA_CYCLES) * a->n_sorts + sort];
}

// Notes that `item` is due in `cycle`: a later one, or the one under way if that sort has not been gone through yet.
static inline void loom_agenda_put(struct loom_agenda *a, unsigned sort, uint32_t item, uint64_t cycle)
{
	assert(cycle >= a->now);
	if (cycle - a->now >= LOOM_AGENDA_CYCLES) {
		loom_agenda_put_far(a, sort, item, cycle);
		return;
	}
	struct loom_agenda_list *list = loom_agenda_of(a, sort, cycle);
	if (list->n == list->size)
		loom_agenda_grow(a, list);
	if (list->n == 0)
		a->n_near++;
	if (list->n < list->size)
		list->item[list->n++] = item;
}

// Goes on to the next cycle in which something is due, or to `until` if that is earlier. False: nothing is due up to then.
static inline bool loom_agenda_next(struct loom_agenda *a, uint64_t until)
{
	if (a->n_near == 0) {
		if (a->n_far == 0 || a->far[0].cycle > until) {
			a->now = until;
			return false;
		}
		a->now = a->far[0].cycle - 1;
	} else if (a->now == until) {
		return false;
	}
	a->now++;
	if (a->n_far && a->far[0].cycle - a->now < LOOM_AGENDA_CYCLES)
		loom_agenda_come_near(a);
	return true;
}

static inline bool loom_agenda_is_empty(const struct loom_agenda *a)
{
	return a->n_near == 0 && a->n_far == 0;
}

// The first cycle after the one under way in which something is due, of an agenda that is not empty.
static inline uint64_t loom_agenda_first(const struct loom_agenda *a)
{
	for (uint64_t cycle = a->now + 1; a->n_near > 0; cycle++)
		for (unsigned sort = 0; sort < a->n_sorts; sort++)
			if (a->ring[(size_t)(cycle % LOOM_AGENDA_CYCLES) * a->n_sorts + sort].n > 0)
				return cycle;
	return a->far[0].cycle;
}

// Forgets what was due in the cycle under way, once it has been done.
static inline void loom_agenda_done(struct loom_agenda *a)
{
	for (unsigned sort = 0; sort < a->n_sorts; sort++) {
		struct loom_agenda_list *list = loom_agenda_of(a, sort, a->now);
		a->n_near -= list->n > 0;
		list->n = 0;
	}
}

#endif
