// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Each node is in the agenda once at most. Of the next LANES_RING cycles each has a slot in the ring; what is later is in a
// heap, and is taken out of that in its own cycle.
#include "machine/lanes_internal.h"

#include <stdlib.h>
#include <string.h>

int loom_lanes_agenda_init(struct lanes_agenda *out, uint32_t n_nodes)
{
	memset(out, 0, sizeof *out);
	memset(out->slot, 0xff, sizeof out->slot); // LANES_NONE
	out->when = calloc(n_nodes, sizeof *out->when);
	out->next = calloc(n_nodes, sizeof *out->next);
	out->far = calloc(n_nodes, sizeof *out->far);
	return out->when && out->next && out->far ? 0 : -1;
}

void loom_lanes_agenda_free(struct lanes_agenda *a)
{
	free(a->when);
	free(a->next);
	free(a->far);
}

static void swap(uint32_t *a, uint32_t *b)
{
	uint32_t was = *a;
	*a = *b;
	*b = was;
}

// Brings the last entry of the heap up to its place.
static void rise(struct lanes_agenda *a)
{
	uint32_t k = a->n_far - 1;
	while (k > 0 && a->when[a->far[k]] < a->when[a->far[(k - 1) / 2]]) {
		swap(&a->far[k], &a->far[(k - 1) / 2]);
		k = (k - 1) / 2;
	}
}

// Takes the first entry of the heap.
static uint32_t take_far(struct lanes_agenda *a)
{
	uint32_t node = a->far[0], k = 0;
	a->far[0] = a->far[--a->n_far];
	for (;;) {
		uint32_t child = 2 * k + 1;
		if (child >= a->n_far)
			break;
		if (child + 1 < a->n_far && a->when[a->far[child + 1]] < a->when[a->far[child]])
			child++;
		if (a->when[a->far[child]] >= a->when[a->far[k]])
			break;
		swap(&a->far[child], &a->far[k]);
		k = child;
	}
	return node;
}

void loom_lanes_agenda_add(struct lanes_agenda *a, uint32_t node, uint64_t when, uint64_t now)
{
	uint32_t slot = (uint32_t)(when % LANES_RING);
	a->n++;
	a->when[node] = when;
	if (when - now > LANES_RING) {
		a->far[a->n_far++] = node;
		rise(a);
		return;
	}
	a->next[node] = a->slot[slot];
	a->slot[slot] = node;
	a->taken[slot / 64] |= UINT64_C(1) << slot % 64;
}

uint32_t loom_lanes_agenda_take(struct lanes_agenda *a, uint64_t when)
{
	uint32_t slot = (uint32_t)(when % LANES_RING), node = a->slot[slot];
	if (node != LANES_NONE) {
		a->slot[slot] = a->next[node];
		if (a->slot[slot] == LANES_NONE)
			a->taken[slot / 64] &= ~(UINT64_C(1) << slot % 64);
	} else if (a->n_far > 0 && a->when[a->far[0]] == when) {
		node = take_far(a);
	} else {
		return LANES_NONE;
	}
	a->n--;
	return node;
}

uint64_t loom_lanes_agenda_next(const struct lanes_agenda *a, uint64_t now)
{
	uint64_t far = a->n_far > 0 ? a->when[a->far[0]] : UINT64_MAX;
	if (a->n == a->n_far)
		return far;
	for (uint32_t k = 1;; k++) { // there is one
		uint32_t slot = (uint32_t)((now + k) % LANES_RING);
		uint64_t rest = a->taken[slot / 64] >> slot % 64;
		if (rest == 0) {
			k += 63 - slot % 64;
			continue;
		}
		uint64_t near = now + k + (unsigned)__builtin_ctzll(rest);
		return near < far ? near : far;
	}
}
