// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "ref_slow.h"

#include <assert.h>
#include <stdlib.h>

struct way {
	unsigned delay, back;
	struct flit flit[REF_SLOTS_MAX]; // flit[0] is the first
	uint64_t there[REF_SLOTS_MAX];   // the cycle in which it goes into the FIFO
	unsigned n_flits;
	uint64_t word[REF_SLOTS_MAX]; // for flits that left the FIFO: the first cycle in which the near end knows it
	unsigned n_words;
};

struct ref_slow {
	unsigned most;    // the largest delay
	uint64_t changed; // the last cycle in which a flit was sent or left a FIFO
	struct way *way;  // by lane
};

struct ref_slow *ref_slow_new(size_t n_lanes)
{
	struct ref_slow *slow = calloc(1, sizeof(*slow));

	if (!slow)
		return NULL;
	slow->way = calloc(n_lanes, sizeof(*slow->way));
	if (slow->way)
		return slow;
	free(slow);
	return NULL;
}

void ref_slow_free(struct ref_slow *slow)
{
	if (!slow)
		return;
	free(slow->way);
	free(slow);
}

void ref_slow_set(struct ref_slow *slow, size_t lane, unsigned delay, unsigned back)
{
	slow->way[lane].delay = delay;
	slow->way[lane].back = back;
	slow->most = delay > slow->most ? delay : slow->most;
}

bool ref_slow_is(const struct ref_slow *slow, size_t lane)
{
	return slow->way[lane].delay > 0;
}

unsigned ref_slow_out(const struct ref_slow *slow, size_t lane, unsigned in_fifo, uint64_t cycle)
{
	const struct way *way = &slow->way[lane];
	unsigned n = way->n_flits + in_fifo;

	for (unsigned k = 0; k < way->n_words; k++)
		n += way->word[k] > cycle;
	return n;
}

void ref_slow_send(struct ref_slow *slow, size_t lane, uint64_t cycle, struct flit flit)
{
	struct way *way = &slow->way[lane];

	assert(way->n_flits < REF_SLOTS_MAX);
	way->flit[way->n_flits] = flit;
	way->there[way->n_flits++] = cycle + way->delay;
	slow->changed = cycle;
}

void ref_slow_left(struct ref_slow *slow, size_t lane, uint64_t cycle)
{
	struct way *way = &slow->way[lane];
	unsigned n = 0;

	for (unsigned k = 0; k < way->n_words; k++) { // removes those that the near end knows by now
		if (way->word[k] > cycle)
			way->word[n++] = way->word[k];
	}
	assert(n < REF_SLOTS_MAX);
	way->word[n++] = cycle + way->back + 1;
	way->n_words = n;
	slow->changed = cycle;
}

bool ref_slow_take(struct flit *out, struct ref_slow *slow, size_t lane, uint64_t cycle)
{
	struct way *way = &slow->way[lane];

	if (way->n_flits == 0 || way->there[0] != cycle)
		return false;
	*out = way->flit[0];
	way->n_flits--;
	for (unsigned k = 0; k < way->n_flits; k++) {
		way->flit[k] = way->flit[k + 1];
		way->there[k] = way->there[k + 1];
	}
	return true;
}

bool ref_slow_stirs(const struct ref_slow *slow, uint64_t cycle)
{
	return cycle <= slow->changed + slow->most && slow->changed > 0;
}
