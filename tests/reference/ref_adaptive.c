// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "ref_adaptive.h"

#include "ref_choice.h"
#include "ref_state.h"

#include <stdlib.h>
#include <string.h>

// Lanes of a node are numbered as in ref_choice.h.
struct ref_adaptive {
	enum ref_select select;
	unsigned n_lanes; // lanes of a node
	unsigned *shift;  // by node: the 16-bit register for random choices
	uint64_t *given;  // by node and lane: the time of the last grant; 0: never
	uint64_t time;    // the time of the last grant of all
};

void ref_adaptive_free(struct ref_adaptive *adaptive)
{
	if (!adaptive)
		return;
	free(adaptive->shift);
	free(adaptive->given);
	free(adaptive);
}

struct ref_adaptive *ref_adaptive_new(const struct ref_net *net, enum ref_select select)
{
	const unsigned n_nodes = ref_net_nodes(net), n_lanes = 1 + ref_net_links(net) * ref_net_vcs(net);
	struct ref_adaptive *a = n_lanes <= 64 ? calloc(1, sizeof *a) : NULL;

	if (!a)
		return NULL;
	a->select = select;
	a->n_lanes = n_lanes;
	a->shift = calloc(n_nodes, sizeof *a->shift);
	a->given = calloc((size_t)n_nodes * n_lanes, sizeof *a->given);
	if (!a->shift || !a->given) {
		ref_adaptive_free(a);
		return NULL;
	}
	for (unsigned node = 0; node < n_nodes; node++) {
		a->shift[node] = (0x1d0f ^ node * 0x9e37) % 0x10000;
		if (a->shift[node] == 0)
			a->shift[node] = 1;
	}
	return a;
}

// Returns the machine's number of lane n of a node.
static size_t lane_at(const struct state *s, unsigned node, unsigned n)
{
	if (n == 0)
		return ejection_of(s, node) * s->n_vcs;
	return channel_of(s, node, (n - 1) / s->n_vcs) * s->n_vcs + (n - 1) % s->n_vcs;
}

static unsigned room_behind(const struct state *s, size_t lane)
{
	if (s->were[lane] == 0)
		return 2;
	return s->were[lane] < s->machine->n_slots ? 1 : 0;
}

// Returns the priority of a lane: the router takes the lane with the lowest value, and among equals the lane with the
// lowest number.
static uint64_t place_of(const struct state *s, unsigned node, unsigned n)
{
	const struct ref_adaptive *a = s->machine->adaptive;
	unsigned first = a->shift[node] % 4096 * a->n_lanes / 4096;

	switch (a->select) {
	case REF_RANDOM: return n >= first ? n - first : n + a->n_lanes - first;
	case REF_LRU: return a->given[(size_t)node * a->n_lanes + n];
	case REF_ROOM: return 2 - room_behind(s, lane_at(s, node, n));
	case REF_FIXED: break;
	}
	return 0;
}

// Picks one of `lanes`. Returns n_lanes if there is none.
static unsigned pick(const struct state *s, unsigned node, uint64_t lanes)
{
	const unsigned n_lanes = s->machine->adaptive->n_lanes;
	unsigned best = n_lanes;

	for (unsigned n = 0; n < n_lanes; n++) {
		if (lanes >> n & 1 && (best == n_lanes || place_of(s, node, n) < place_of(s, node, best)))
			best = n;
	}
	return best;
}

static struct buffer *buffer_at(const struct state *s, unsigned node, unsigned place)
{
	size_t c = s->input[(size_t)node * s->n_inputs + place / s->n_vcs];

	return c == NONE ? NULL : &s->buffer[c * s->n_vcs + place % s->n_vcs];
}

static bool waits(const struct buffer *b)
{
	return b && b->asks && b->given == NONE;
}

static uint64_t lanes_of(uint64_t *out_last, const struct state *s, unsigned node, unsigned place)
{
	const size_t m = buffer_at(s, node, place)->slot[0].message;
	const unsigned port = place / s->n_vcs, came = port == s->n_links ? 0 : port + 1;

	return ref_choice(out_last, s->net, s->machine->rules[m], s->message[m].source, node, came,
	                  s->message[m].destination);
}

static void give_at(struct state *s, unsigned node)
{
	struct ref_adaptive *a = s->machine->adaptive;
	const unsigned n_places = s->n_inputs * s->n_vcs;
	uint64_t free_lanes = 0, gifts = 0, last;
	bool served[64 * REF_VCS_MAX] = {false};

	for (unsigned n = 0; n < a->n_lanes; n++)
		if (!s->lane[lane_at(s, node, n)].owned)
			free_lanes |= UINT64_C(1) << n;
	for (;;) {
		unsigned next = n_places;

		for (unsigned place = 0; place < n_places; place++) {
			struct buffer *b = buffer_at(s, node, place);

			if (served[place] || !waits(b))
				continue;
			if (next == n_places ||
			    ref_state_goes_before(s, node, place, b, next, buffer_at(s, node, next)))
				next = place;
		}
		if (next == n_places)
			break;
		served[next] = true;

		struct buffer *b = buffer_at(s, node, next);
		uint64_t could = lanes_of(&last, s, node, next) & free_lanes;

		// Behind another message on an adaptive lane a message could not reach the escape lanes.
		for (unsigned n = 0; last && n < a->n_lanes; n++)
			if (!(last >> n & 1) && !s->lane[lane_at(s, node, n)].was_clear)
				could &= ~(UINT64_C(1) << n);
		unsigned n = pick(s, node, could & ~last ? could & ~last : could);

		if (n == a->n_lanes)
			continue;
		b->given = lane_at(s, node, n);
		s->lane[b->given].owned = true;
		free_lanes &= ~(UINT64_C(1) << n);
		gifts |= UINT64_C(1) << n;
	}
	if (gifts >> 1)
		a->shift[node] = a->shift[node] >> 1 ^ (a->shift[node] & 1 ? 0xb400 : 0);
	for (unsigned n = 0; n < a->n_lanes; n++)
		if (gifts >> n & 1)
			a->given[(size_t)node * a->n_lanes + n] = ++a->time;
	for (unsigned place = 0; place < n_places; place++) {
		struct buffer *b = buffer_at(s, node, place);
		uint64_t lanes = waits(b) ? lanes_of(&last, s, node, place) : 0;

		for (unsigned n = 0; n < a->n_lanes; n++)
			if (lanes >> n & 1)
				s->hungry[lane_at(s, node, n) / s->n_vcs] = true;
	}
}

void ref_adaptive_give(struct state *s)
{
	memset(s->hungry, 0, s->n_channels * sizeof *s->hungry);
	for (unsigned node = 0; node < s->n_nodes; node++)
		give_at(s, node);
	for (size_t l = 0; l < s->n_lanes; l++)
		s->were[l] = s->buffer[l].n_flits;
	for (size_t l = 0; l < s->n_lanes; l++)
		s->lane[l].was_clear = !s->lane[l].owned && ref_state_is_clear(s, l);
}
