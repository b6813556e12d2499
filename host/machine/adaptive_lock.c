// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Follows the waits of flits, to find circles among them. The functions may be called between cycles only.
#include "machine/adaptive_internal.h"

#include <stdlib.h>

// Returns the lane for which the first flit of a FIFO waits; NONE: the FIFO is empty, or the flit waits for nothing.
static uint32_t waits_for(const struct loom_engine *e, uint32_t f)
{
	const struct adaptive_lane *fifo = &e->lane[f];
	const uint32_t u = e->channel[f / e->net.n_vcs].far;
	if (fifo->n == 0 || !fifo->waits)
		return fifo->n == 0 ? ADAPTIVE_NONE : fifo->to;
	const uint64_t lanes = e->worm[adaptive_first_worm(e, f)].choice.lanes;
	const unsigned k = lanes ? (unsigned)__builtin_ctzll(lanes) : e->n_links * e->net.n_vcs;
	return u * e->per_tile * e->net.n_vcs + k;
}

// True if the first flit in a FIFO of the circle is a header: it has no lane yet, or has not crossed the lane that it
// was given.
static bool begins_with_header(const struct loom_engine *e, uint32_t f)
{
	return e->lane[f].waits || e->lane[e->lane[f].to].has_header;
}

int loom_adaptive_lock(const struct loom_engine *e, struct loom_engine_wait **out, size_t *n_out, struct loom_err *err)
{
	const uint32_t n = e->net.n_channels * e->net.n_vcs;
	struct loom_engine_wait *circle = calloc(n, sizeof *circle);
	uint32_t k = 0, steps = 0, start;
	if (!circle)
		return loom_fail(err, LOOM_ENOMEM, "no memory for the waits of %u lanes", n);
	while (k < n && waits_for(e, k) == ADAPTIVE_NONE)
		k++;
	for (; k < n && steps < n; steps++) // after n steps k is on the circle
		k = waits_for(e, k);
	*n_out = 0;
	for (start = k; k < n && (*n_out == 0 || k != start); k = waits_for(e, k))
		circle[(*n_out)++] = (struct loom_engine_wait){.lane = k,
		                                               .message = e->worm[adaptive_first_worm(e, k)].id,
		                                               .is_header = begins_with_header(e, k)};
	*out = circle;
	return 0;
}
