// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The machine: every channel ends in a FIFO, and the FIFO has the number of the channel which fills it.
//
//   source of u --injection--> [FIFO] --+                     +--(u,0)--> [FIFO at u^1]
//                                       +-- switch of node u --+--  ...
//   (u^2^d,d) for every d  --> [FIFO] --+                     +--ejection--> [FIFO] --> drained, one flit a cycle
//
// A cycle has two halves. First every channel decides, from the state at the start of the cycle alone, which flit
// crosses it. Then all flits move at once.
#include "reference.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#define NONE SIZE_MAX

struct flit {
	size_t message;
	unsigned index; // 0 is the header, n_flits - 1 the tail
};

struct buffer {
	struct flit slot[REF_SLOTS_MAX]; // slot[0] is the head
	unsigned n_flits;
	size_t wants;         // the channel the head has to cross next, NONE if empty; found anew every cycle
	bool asks;            // the head is a header: it asks for `wants`
	size_t asker;         // the message which asked last from here, NONE before the first
	uint64_t asked_cycle; // the first cycle in which it asked
};

struct channel {
	size_t holder; // the worm whose header has crossed and whose tail has not, or NONE
	size_t from;   // this cycle: the buffer whose head crosses; or NONE
	bool inject;   // this cycle: the flit comes out of the source itself
};

// What a source sends next: flit `index` of message `message`.
struct source {
	size_t message; // NONE when everything is sent
	unsigned index;
};

struct state {
	const struct ref_machine *machine;
	const struct ref_message *message;
	size_t n_messages;
	unsigned n_nodes;
	size_t n_channels;
	struct buffer *buffer;   // by channel
	struct channel *channel; // by channel
	struct source *source;   // by node
	struct ref_channel *count;
	struct ref_arrival *arrival;
	size_t n_done;
};

size_t ref_channel_count(unsigned n_dims)
{
	return ((size_t)1 << n_dims) * (n_dims + 2);
}

size_t ref_channel_network(unsigned n_dims, unsigned node, unsigned dim)
{
	return (size_t)node * (n_dims + 2) + dim;
}

size_t ref_channel_injection(unsigned n_dims, unsigned node)
{
	return (size_t)node * (n_dims + 2) + n_dims;
}

size_t ref_channel_ejection(unsigned n_dims, unsigned node)
{
	return (size_t)node * (n_dims + 2) + n_dims + 1;
}

// The buffer of input port 0..n_dims of a node: the far end of a neighbour's channel, or of the injection channel.
static size_t input_buffer(const struct state *s, unsigned node, unsigned port)
{
	unsigned n_dims = s->machine->n_dims;

	if (port == n_dims)
		return ref_channel_injection(n_dims, node);
	return ref_channel_network(n_dims, node ^ (1u << port), port);
}

// The first message of `node` in the list from `start` on.
static size_t next_message(const struct state *s, unsigned node, size_t start)
{
	for (size_t m = start; m < s->n_messages; m++) {
		if (s->message[m].source == node)
			return m;
	}
	return NONE;
}

static bool is_tail(const struct state *s, struct flit flit)
{
	return flit.index == s->message[flit.message].n_flits - 1;
}

static bool body_may_cross(const struct state *s, size_t c)
{
	return s->buffer[c].n_flits < s->machine->n_slots;
}

static bool header_may_cross(const struct state *s, size_t c)
{
	if (s->channel[c].holder != NONE)
		return false;
	if (s->machine->timing == REF_PAPER)
		return s->buffer[c].n_flits == 0;
	return s->buffer[c].n_flits < s->machine->n_slots;
}

// What the head of every input buffer wants, and since when.
static void look_at_heads(struct state *s, uint64_t cycle)
{
	unsigned n_dims = s->machine->n_dims;

	for (unsigned node = 0; node < s->n_nodes; node++) {
		for (unsigned port = 0; port <= n_dims; port++) {
			struct buffer *b = &s->buffer[input_buffer(s, node, port)];

			b->wants = NONE;
			b->asks = false;
			if (b->n_flits == 0)
				continue;

			struct flit head = b->slot[0];
			unsigned destination = s->message[head.message].destination;

			if (node == destination) {
				b->wants = ref_channel_ejection(n_dims, node);
			} else {
				unsigned d = ref_cube_next(n_dims, node, destination, s->machine->order);

				b->wants = ref_channel_network(n_dims, node, d);
			}
			if (head.index == 0) {
				b->asks = true;
				if (b->asker != head.message) {
					b->asker = head.message;
					b->asked_cycle = cycle;
				}
			}
		}
	}
}

static void decide_injection(struct state *s, unsigned node, uint64_t cycle)
{
	size_t c = ref_channel_injection(s->machine->n_dims, node);
	struct source *source = &s->source[node];

	s->channel[c].inject = false;
	s->channel[c].from = NONE;
	if (source->message == NONE)
		return;
	if (source->index > 0) {
		s->channel[c].inject = body_may_cross(s, c);
		return;
	}
	if (s->arrival[source->message].offer_cycle == 0)
		s->arrival[source->message].offer_cycle = cycle;
	s->channel[c].inject = header_may_cross(s, c);
	if (!s->channel[c].inject)
		s->count[c].n_blocked++;
}

// Both buffers have a header at the head; does the one in `b` go before the one in `a`? `b` has the higher port.
static bool goes_before(const struct state *s, const struct buffer *b, const struct buffer *a)
{
	if (b->asked_cycle != a->asked_cycle)
		return b->asked_cycle < a->asked_cycle;
	if (s->machine->tie == REF_TIE_SOURCE)
		return s->message[b->asker].source < s->message[a->asker].source;
	return false;
}

// A network or an ejection channel of `node`.
static void decide_output(struct state *s, unsigned node, size_t c)
{
	size_t body = NONE;
	size_t winner = NONE;
	unsigned n_headers = 0;

	s->channel[c].inject = false;
	s->channel[c].from = NONE;
	for (unsigned port = 0; port <= s->machine->n_dims; port++) {
		size_t i = input_buffer(s, node, port);
		const struct buffer *b = &s->buffer[i];

		if (b->wants != c)
			continue;
		if (!b->asks) {
			assert(body == NONE && s->channel[c].holder == b->slot[0].message);
			body = i;
			continue;
		}
		n_headers++;
		if (winner == NONE || goes_before(s, b, &s->buffer[winner]))
			winner = i;
	}

	if (body != NONE && body_may_cross(s, c))
		s->channel[c].from = body;
	if (winner != NONE && header_may_cross(s, c)) {
		assert(body == NONE);
		s->channel[c].from = winner;
		n_headers--;
	}
	if (n_headers > 0)
		s->count[c].n_blocked++;
}

static struct flit pop(struct buffer *b)
{
	struct flit flit = b->slot[0];

	assert(b->n_flits > 0);
	for (unsigned i = 1; i < b->n_flits; i++)
		b->slot[i - 1] = b->slot[i];
	b->n_flits--;
	return flit;
}

static void push(struct buffer *b, struct flit flit)
{
	b->slot[b->n_flits] = flit;
	b->n_flits++;
}

static struct flit take_from_source(struct state *s, unsigned node)
{
	struct source *source = &s->source[node];
	struct flit flit = {source->message, source->index};

	if (is_tail(s, flit)) {
		source->message = next_message(s, node, flit.message + 1);
		source->index = 0;
	} else {
		source->index++;
	}
	return flit;
}

// All flits move. Every pop comes before the first push: a slot that is left in this cycle was not counted as free.
// `moving` is room for one flit per channel. Returns false if nothing moved.
static bool move(struct state *s, struct flit *moving, uint64_t cycle)
{
	unsigned n_dims = s->machine->n_dims;
	bool moved = false;

	for (unsigned node = 0; node < s->n_nodes; node++) {
		struct buffer *ejection = &s->buffer[ref_channel_ejection(n_dims, node)];

		if (ejection->n_flits > 0) {
			pop(ejection);
			moved = true;
		}
	}
	for (size_t c = 0; c < s->n_channels; c++) {
		if (s->channel[c].inject)
			moving[c] = take_from_source(s, (unsigned)(c / (n_dims + 2)));
		else if (s->channel[c].from != NONE)
			moving[c] = pop(&s->buffer[s->channel[c].from]);
	}
	for (size_t c = 0; c < s->n_channels; c++) {
		if (!s->channel[c].inject && s->channel[c].from == NONE)
			continue;

		struct flit flit = moving[c];

		assert(s->buffer[c].n_flits < s->machine->n_slots);
		push(&s->buffer[c], flit);
		moved = true;
		s->count[c].n_flits++;
		if (flit.index == 0) {
			s->count[c].n_worms++;
			s->channel[c].holder = flit.message;
		}
		if (is_tail(s, flit))
			s->channel[c].holder = NONE;
		if (c % (n_dims + 2) == n_dims + 1) { // an ejection channel
			if (flit.index == 0)
				s->arrival[flit.message].first_cycle = cycle;
			if (is_tail(s, flit)) {
				s->arrival[flit.message].done_cycle = cycle;
				s->n_done++;
			}
		}
	}
	return moved;
}

static bool is_legal(const struct ref_machine *machine, const struct ref_message *message, size_t n_messages)
{
	if (machine->n_dims > REF_DIMS_MAX || machine->n_slots < 1 || machine->n_slots > REF_SLOTS_MAX)
		return false;
	for (size_t m = 0; m < n_messages; m++) {
		if (message[m].source >> machine->n_dims || message[m].destination >> machine->n_dims ||
		    message[m].n_flits == 0)
			return false;
	}
	return true;
}

int ref_machine_run(struct ref_arrival *out_arrival, struct ref_channel *out_channel, const struct ref_machine *machine,
                    const struct ref_message *message, size_t n_messages)
{
	if (!is_legal(machine, message, n_messages))
		return -EINVAL;

	struct state s = {
		.machine = machine,
		.message = message,
		.n_messages = n_messages,
		.n_nodes = 1u << machine->n_dims,
		.n_channels = ref_channel_count(machine->n_dims),
	};
	int rc = 0;
	struct flit *moving = calloc(s.n_channels, sizeof(*moving));

	s.buffer = calloc(s.n_channels, sizeof(*s.buffer));
	s.channel = calloc(s.n_channels, sizeof(*s.channel));
	s.source = calloc(s.n_nodes, sizeof(*s.source));
	s.count = calloc(s.n_channels, sizeof(*s.count));
	s.arrival = calloc(n_messages + 1, sizeof(*s.arrival)); // never a request for nothing
	if (!moving || !s.buffer || !s.channel || !s.source || !s.count || !s.arrival) {
		rc = -ENOMEM;
		goto out;
	}
	for (size_t c = 0; c < s.n_channels; c++) {
		s.buffer[c].wants = NONE;
		s.buffer[c].asker = NONE;
		s.channel[c].holder = NONE;
	}
	for (unsigned node = 0; node < s.n_nodes; node++)
		s.source[node].message = next_message(&s, node, 0);

	for (uint64_t cycle = 1; s.n_done < n_messages; cycle++) {
		look_at_heads(&s, cycle);
		for (unsigned node = 0; node < s.n_nodes; node++) {
			decide_injection(&s, node, cycle);
			for (unsigned d = 0; d < machine->n_dims; d++)
				decide_output(&s, node, ref_channel_network(machine->n_dims, node, d));
			decide_output(&s, node, ref_channel_ejection(machine->n_dims, node));
		}
		if (!move(&s, moving, cycle)) {
			rc = -EDEADLK;
			goto out;
		}
	}

	for (size_t m = 0; m < n_messages; m++)
		out_arrival[m] = s.arrival[m];
	for (size_t c = 0; out_channel && c < s.n_channels; c++)
		out_channel[c] = s.count[c];
out:
	free(moving);
	free(s.buffer);
	free(s.channel);
	free(s.source);
	free(s.count);
	free(s.arrival);
	return rc;
}
