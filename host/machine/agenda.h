// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_AGENDA_H
#define LOOM_AGENDA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Numbers that are due in cycles to come, of a few sorts. The near cycles are a ring of lists, the later ones a heap.
// So a cycle costs only the items that are due in it, and empty cycles are skipped. The items of one cycle come in no
// particular order, but in the same order in each run.

#define LOOM_AGENDA_CYCLES 256u // in the ring; a power of two
#define LOOM_AGENDA_SORTS 4u    // at most

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
	struct loom_agenda_list *ring; // owned: [(cycle % LOOM_AGENDA_CYCLES) * LOOM_AGENDA_SORTS + sort]
	struct loom_agenda_far *far;   // owned, a heap: the least cycle first
	size_t n_far, far_size;
	bool failed; // there was no memory for an item
};

bool loom_agenda_begin(struct loom_agenda *a); // false: no memory; free in any case
void loom_agenda_free(struct loom_agenda *a);
bool loom_agenda_is_empty(const struct loom_agenda *a);
// Returns the first cycle after the present one in which something is due. The agenda must not be empty.
uint64_t loom_agenda_first(const struct loom_agenda *a);

// For the functions below alone.
void loom_agenda_put_slowly(struct loom_agenda *a, unsigned sort, uint32_t item, uint64_t cycle);
bool loom_agenda_jump(struct loom_agenda *a, uint64_t until);

static inline struct loom_agenda_list *loom_agenda_of(const struct loom_agenda *a, unsigned sort, uint64_t cycle)
{
	return &a->ring[(size_t)(cycle % LOOM_AGENDA_CYCLES) * LOOM_AGENDA_SORTS + sort];
}

// Notes that `item` is due in `cycle`: a later cycle, or the present one if the items of that sort have not been
// handled yet.
static inline void loom_agenda_put(struct loom_agenda *a, unsigned sort, uint32_t item, uint64_t cycle)
{
	struct loom_agenda_list *list = loom_agenda_of(a, sort, cycle);
	const uint32_t n = list->n;
	if (cycle - a->now >= LOOM_AGENDA_CYCLES || n == list->size) {
		loom_agenda_put_slowly(a, sort, item, cycle);
		return;
	}
	list->item[n] = item;
	list->n = n + 1;
}

// True if something is due in a cycle of the ring.
static inline bool loom_agenda_has(const struct loom_agenda *a, uint64_t cycle)
{
	const struct loom_agenda_list *list = loom_agenda_of(a, 0, cycle);
	return (list[0].n | list[1].n | list[2].n | list[3].n) != 0;
}

// Goes on to the next cycle in which something is due, or to `until` if that is earlier. False: nothing is due up to then.
static inline bool loom_agenda_next(struct loom_agenda *a, uint64_t until)
{
	if (a->n_far > 0 || a->now >= until || !loom_agenda_has(a, a->now + 1))
		return loom_agenda_jump(a, until);
	a->now++;
	return true;
}

// Forgets the items of the present cycle, once they have been handled.
static inline void loom_agenda_done(struct loom_agenda *a)
{
	for (unsigned sort = 0; sort < LOOM_AGENDA_SORTS; sort++)
		loom_agenda_of(a, sort, a->now)->n = 0;
}

#endif
