// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "ref_state.h"

#include <assert.h>

// Every buffer with flits waits for another buffer with flits: a worm whose next channel is empty would move up. So a
// search that follows the waits finds a circle.
void ref_state_find_lock(struct ref_lock *out, const struct state *s, uint64_t cycle)
{
	size_t l = 0;

	out->cycle = cycle;
	out->n = 0;
	while (l < s->n_lanes && s->buffer[l].n_flits == 0)
		l++;
	for (size_t k = 0; l < s->n_lanes && k < s->n_lanes; k++) { // after as many steps it is on the circle
		assert(s->buffer[l].wants != NONE && s->buffer[s->buffer[l].wants].n_flits > 0);
		l = s->buffer[l].wants;
	}
	for (size_t start = l; l < s->n_lanes && (out->n == 0 || l != start); l = s->buffer[l].wants)
		out->circle[out->n++] =
			(struct ref_wait){l / s->n_vcs, s->buffer[l].slot[0].message, s->buffer[l].asks};

	for (size_t c = 0; out->asked && c < s->n_channels; c++)
		out->asked[c] = false;
	for (l = 0; out->asked && l < s->n_lanes; l++) {
		if (s->buffer[l].asks)
			out->asked[s->buffer[l].wants / s->n_vcs] = true;
	}
	for (unsigned node = 0; out->asked && node < s->n_nodes; node++) {
		if (s->source[node].message != NONE && s->source[node].index == 0)
			out->asked[injection_of(s, node)] = true;
	}
}
