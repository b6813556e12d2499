// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Follows the waits of flits, to find circles among them. The functions may be called between cycles only.
#include "machine/lanes_internal.h"

#include <stdlib.h>

static bool has(uint64_t bits, uint32_t f)
{
	return bits & lanes_bit(f);
}

// Counts the flits in a FIFO, up to the first tail. *has_tail, which is false before, becomes true if there is one.
static uint32_t flits_in(const struct loom_engine *e, uint32_t f, bool *has_tail)
{
	const struct lanes_word *w = lanes_word_of(e, f);
	if (!has(w->some, f))
		return 0;
	if (e->deep)
		return loom_lanes_deep_holds(e, f, has_tail);
	*has_tail = has(w->tail0, f);
	if (*has_tail || !has(w->full, f))
		return 1;
	*has_tail = has(w->tail1, f);
	return 2;
}

uint32_t loom_lanes_uncrossed(const struct loom_engine *e, uint32_t l)
{
	uint32_t n = 0;
	bool has_tail = false;
	while (!has(lanes_word_of(e, l)->source, l)) {
		uint32_t f = e->feeder[l];
		n += flits_in(e, f, &has_tail);
		if (has_tail)
			return n;
		l = e->lights ? loom_lanes_lights_near(e, f) : f;
		if (l != f)
			n += loom_lanes_lights_holds(e, l, &has_tail);
		else if (e->deep)
			n += loom_lanes_deep_flies(e, l, &has_tail);
		if (has_tail)
			return n;
	}
	return n + e->feeder[l];
}

bool loom_lanes_asked(const struct loom_engine *e, uint32_t channel)
{
	return e->channel[e->inner[channel * e->net.n_vcs] >> e->shift].waits > 0;
}

// The wait of the first flit in the FIFO of a lane, by the user's number of that lane. to: the lane for which it
// waits, by the user's number; LANES_NONE: it does not wait.
struct wait {
	struct loom_engine_wait told;
	uint32_t to;
};

static uint32_t far_of(const struct loom_engine *e, uint32_t l)
{
	return e->lights ? loom_lanes_lights_far(e, l) : l;
}

// Finds the wait of each lane. outer: filled in with the user's number of each lane.
static void find_waits(struct wait *out, uint32_t *outer, const struct loom_engine *e)
{
	const uint32_t n = e->net.n_channels * e->net.n_vcs;
	for (uint32_t k = 0; k < n; k++) {
		outer[e->inner[k]] = k;
		outer[far_of(e, e->inner[k])] = k;
		out[k] = (struct wait){.told.lane = k, .to = LANES_NONE};
	}
	for (uint32_t k = 0; k < n; k++) {
		uint32_t f = far_of(e, e->inner[k]), to = e->next[f];
		if (to < LANES_ASKS && has(lanes_word_of(e, f)->some, f)) {
			out[k].told.message = e->worm[e->lane[to].last].id;
			out[k].to = outer[to];
		}
		for (uint32_t w = e->lane[e->inner[k]].first; w != LANES_NONE; w = e->worm[w].next) {
			const struct lanes_worm *worm = &e->worm[w];
			if (worm->at == 0)
				continue;
			struct wait *from = &out[outer[worm->fifo]];
			from->told.message = worm->id;
			from->told.is_header = true;
			from->to = k;
		}
	}
}

// Follows waits from one to the next until they close a circle. Returns its length; 0: there is none.
static size_t find_circle(struct loom_engine_wait *out, const struct wait *wait, uint32_t n)
{
	uint32_t k = 0, steps = 0, start;
	size_t n_out = 0;
	while (k < n && wait[k].to == LANES_NONE)
		k++;
	for (; k < n && steps < n; steps++) // after n steps k is on the circle
		k = wait[k].to;
	for (start = k; k < n && (n_out == 0 || k != start); k = wait[k].to)
		out[n_out++] = wait[k].told;
	return k < n ? n_out : 0;
}

int loom_lanes_lock(const struct loom_engine *e, struct loom_engine_wait **out, size_t *n_out, struct loom_err *err)
{
	const uint32_t n = e->net.n_channels * e->net.n_vcs;
	struct wait *wait = calloc(n, sizeof *wait);
	uint32_t *outer = calloc(e->n_lanes, sizeof *outer);
	struct loom_engine_wait *circle = calloc(n, sizeof *circle);
	int rc = 0;
	if (!wait || !outer || !circle) {
		free(circle);
		rc = loom_fail(err, LOOM_ENOMEM, "no memory for the waits of %u lanes", n);
	} else {
		find_waits(wait, outer, e);
		*n_out = find_circle(circle, wait, n);
		*out = circle;
	}
	free(wait);
	free(outer);
	return rc;
}
