// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The machine: every channel ends in a FIFO, and the FIFO has the number of the channel which fills it. Where links have
// virtual channels each of these is a lane with a FIFO, channel * n_vcs + its number; elsewhere, and for the nodes' own
// channels, there is one lane.
//
//   source of u --injection-----> [FIFO] --+                      +--(u,0)--> [FIFO at the node where link 0 ends]
//                                          +-- switch of node u --+--  ...
//   every link that ends at u --> [FIFO] --+                      +--ejection--> [FIFO] --> drained, one flit a cycle
//
// A cycle has two halves. First every channel decides, from the state at the start of the cycle alone, which flit
// crosses it. Then all flits move at once.
#include "ref_adaptive.h"
#include "ref_light.h"
#include "ref_slow.h"
#include "ref_otis_net.h"
#include "ref_state.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

enum ref_tie ref_machine_tie(const struct ref_net *net)
{
	return net->kind == REF_CUBE && !net->has_tables ? REF_TIE_CUBE : REF_TIE_INJECTED;
}

// Returns the buffer at a place of a site; NULL: no channel ends there. `place` counts the virtual channels of port 0,
// then those of port 1, and so on.
static struct buffer *input_buffer(const struct state *s, unsigned site, unsigned place)
{
	size_t c = s->input[(size_t)site * s->n_inputs + place / s->n_vcs];

	return c == NONE ? NULL : &s->buffer[c * s->n_vcs + place % s->n_vcs];
}

static unsigned input_places(const struct state *s)
{
	return s->n_inputs * s->n_vcs;
}

static bool is_tail(const struct state *s, struct flit flit)
{
	return flit.index == s->message[flit.message].n_flits - 1;
}

// True if the lane belongs to an optical link with other timing than an electronic one.
static bool is_light(const struct state *s, size_t lane)
{
	return s->light && lane / s->n_vcs % (s->n_links + 2) == REF_OTIS_LIGHT;
}

static unsigned node_of(const struct state *s, size_t lane)
{
	return (unsigned)(lane / s->n_vcs / (s->n_links + 2));
}

static bool is_slow(const struct state *s, size_t lane)
{
	return s->slow && ref_slow_is(s->slow, lane);
}

static bool body_may_cross(const struct state *s, size_t lane)
{
	if (is_light(s, lane))
		return ref_light_is_ready(s->light, node_of(s, lane), (unsigned)(lane % s->n_vcs), s->cycle);
	if (is_slow(s, lane))
		return ref_slow_out(s->slow, lane, s->buffer[lane].n_flits, s->cycle) < s->machine->n_slots;
	return s->buffer[lane].n_flits < s->machine->n_slots;
}

bool ref_state_is_clear(const struct state *s, size_t lane)
{
	if (is_light(s, lane))
		return ref_light_is_empty(s->light, node_of(s, lane), (unsigned)(lane % s->n_vcs), s->cycle);
	if (is_slow(s, lane))
		return ref_slow_out(s->slow, lane, s->buffer[lane].n_flits, s->cycle) == 0;
	return s->buffer[lane].n_flits == 0;
}

static bool header_may_cross(const struct state *s, size_t lane)
{
	if (s->lane[lane].holder != NONE)
		return false;
	return s->machine->timing == REF_PAPER ? ref_state_is_clear(s, lane) : body_may_cross(s, lane);
}

// Notes which lane the head of every input buffer wants, and since when.
static void look_at_heads(struct state *s, uint64_t cycle)
{
	for (unsigned site = 0; site < s->n_sites; site++) {
		for (unsigned place = 0; place < input_places(s); place++) {
			struct buffer *b = input_buffer(s, site, place);

			if (!b)
				continue;
			b->wants = NONE;
			b->asks = false;
			if (b->n_flits == 0)
				continue;

			struct flit head = b->slot[0];

			b->wants = s->machine->adaptive
			                   ? b->given
			                   : ref_wiring_next(s, site, head.message, (size_t)(b - s->buffer));
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
	size_t c = injection_of(s, node);
	struct source *source = &s->source[node];
	struct lane *lane = &s->lane[c * s->n_vcs];

	lane->inject = false;
	lane->from = NONE;
	if (source->message == NONE)
		return;
	if (source->index > 0) {
		lane->inject = body_may_cross(s, c * s->n_vcs);
		return;
	}
	if (s->arrival[source->message].offer_cycle == 0)
		s->arrival[source->message].offer_cycle = cycle;
	lane->inject = header_may_cross(s, c * s->n_vcs);
	if (lane->inject)
		s->arrival[source->message].entered_cycle = cycle;
	else
		s->count[c].n_blocked++;
}

bool ref_state_goes_before(const struct state *s, unsigned site, unsigned place, const struct buffer *b, unsigned other,
                           const struct buffer *a)
{
	const unsigned link = place / s->n_vcs, below = other / s->n_vcs;

	if (b->asked_cycle != a->asked_cycle)
		return b->asked_cycle < a->asked_cycle;
	switch (s->machine->tie) {
	case REF_TIE_CUBE: return link == s->n_links ? (site >> below & 1) == 0 : (site >> link & 1) != 0;
	case REF_TIE_SOURCE: return s->message[b->asker].source < s->message[a->asker].source;
	case REF_TIE_INJECTED: return link == s->n_links;
	case REF_TIE_PORT: break;
	}
	return false;
}

// Decides which flit could cross a lane that leaves `site` if its channel had no other lanes.
static void decide_lane(struct state *s, unsigned site, size_t l)
{
	struct buffer *body = NULL;
	struct buffer *winner = NULL;
	unsigned winner_place = 0;
	struct lane *lane = &s->lane[l];

	lane->inject = false;
	lane->from = NONE;
	lane->n_headers = 0;
	for (unsigned place = 0; place < input_places(s); place++) {
		struct buffer *b = input_buffer(s, site, place);

		if (!b || b->wants != l)
			continue;
		if (!b->asks) {
			assert(!body && lane->holder == b->slot[0].message);
			body = b;
			continue;
		}
		lane->n_headers++;
		if (winner && !ref_state_goes_before(s, site, place, b, winner_place, winner))
			continue;
		winner = b;
		winner_place = place;
	}

	if (body && body_may_cross(s, l))
		lane->from = (size_t)(body - s->buffer);
	if (winner && header_may_cross(s, l)) {
		assert(!body);
		lane->from = (size_t)(winner - s->buffer);
	}
}

// Chooses for a channel that leaves `site` one of the flits that could cross its lanes.
static void decide_output(struct state *s, unsigned site, size_t c)
{
	struct lane *lane = &s->lane[c * s->n_vcs];
	unsigned first = s->turn[c];
	unsigned n_waiting = s->hungry[c];
	bool sent = false;
	bool wanted = s->hungry[c];

	for (unsigned v = 0; v < s->n_vcs; v++)
		decide_lane(s, site, c * s->n_vcs + v);
	for (unsigned k = 0; k < s->n_vcs; k++) {
		unsigned v = (first + k) % s->n_vcs;

		wanted = wanted || lane[v].n_headers > 0 || lane[v].holder != NONE;
		n_waiting += lane[v].n_headers;
		if (lane[v].from == NONE)
			continue;
		if (sent) {
			lane[v].from = NONE;
			continue;
		}
		sent = true;
		s->turn[c] = (v + 1) % s->n_vcs;
		if (s->buffer[lane[v].from].asks)
			n_waiting--;
	}
	if (!wanted)
		s->turn[c] = 0;
	if (n_waiting > 0)
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

	if (is_tail(s, flit))
		ref_program_sent(s, node);
	else
		source->index++;
	return flit;
}

// Notes the state of the optical links at the start of a cycle, and which flits leave them in it.
static void look_at_light(struct state *s)
{
	for (unsigned node = 0; s->light && node < s->n_nodes; node++) {
		size_t lane = ref_net_channel(s->net, node, REF_OTIS_LIGHT) * s->n_vcs;
		bool has_room[REF_VCS_MAX] = {false};

		for (unsigned v = 0; v < s->n_vcs; v++) {
			const struct buffer *far = &s->buffer[lane + v];

			ref_light_look(s->light, node, v, s->cycle, far->n_flits == 0);
			has_room[v] = far->n_flits < s->machine->n_slots;
		}
		s->arrives[node].vc = ref_light_take(&s->arrives[node].flit, s->light, node, has_room, s->cycle);
	}
}

static bool move_out_of_light(struct state *s)
{
	bool moved = s->light && ref_light_stirs(s->light, s->cycle);

	for (unsigned node = 0; s->light && node < s->n_nodes; node++) {
		if (s->arrives[node].vc < s->n_vcs)
			push(&s->buffer[ref_net_channel(s->net, node, REF_OTIS_LIGHT) * s->n_vcs + s->arrives[node].vc],
			     s->arrives[node].flit);
	}
	return moved;
}

static bool move_out_of_slow_links(struct state *s)
{
	struct flit flit;

	for (size_t l = 0; s->slow && l < s->n_lanes; l++) {
		if (!ref_slow_take(&flit, s->slow, l, s->cycle))
			continue;
		assert(s->buffer[l].n_flits < s->machine->n_slots);
		push(&s->buffer[l], flit);
	}
	return s->slow && ref_slow_stirs(s->slow, s->cycle);
}

// All flits move. Every pop comes before the first push: a slot that is left in this cycle was not counted as free.
// Returns false if nothing moved.
static bool move(struct state *s, uint64_t cycle)
{
	struct flit *moving = s->moving;
	bool moved = false;

	for (unsigned node = 0; node < s->n_nodes; node++) {
		struct buffer *ejection = &s->buffer[ejection_of(s, node) * s->n_vcs];

		if (ejection->n_flits > 0) {
			pop(ejection);
			moved = true;
		}
	}
	for (size_t l = 0; l < s->n_lanes; l++) {
		if (s->lane[l].inject)
			moving[l] = take_from_source(s, node_of(s, l));
		else if (s->lane[l].from != NONE) {
			moving[l] = pop(&s->buffer[s->lane[l].from]);
			if (is_slow(s, s->lane[l].from))
				ref_slow_left(s->slow, s->lane[l].from, cycle);
			if (is_tail(s, moving[l])) {
				s->buffer[s->lane[l].from].given = NONE;
				s->lane[l].owned = false;
			}
		}
	}
	for (size_t l = 0; l < s->n_lanes; l++) {
		if (!s->lane[l].inject && s->lane[l].from == NONE)
			continue;

		struct flit flit = moving[l];
		size_t c = l / s->n_vcs;

		if (is_light(s, l)) {
			ref_light_send(s->light, node_of(s, l), (unsigned)(l % s->n_vcs), cycle, flit);
		} else if (is_slow(s, l)) {
			ref_slow_send(s->slow, l, cycle, flit);
		} else {
			assert(s->buffer[l].n_flits < s->machine->n_slots);
			push(&s->buffer[l], flit);
		}
		moved = true;
		s->count[c].n_flits++;
		if (flit.index == 0) {
			s->count[c].n_worms++;
			s->lane[l].holder = flit.message;
		}
		if (is_tail(s, flit))
			s->lane[l].holder = NONE;
		if (c % (s->n_links + 2) == s->n_links) { // an ejection channel
			if (flit.index == 0)
				s->arrival[flit.message].first_cycle = cycle;
			if (is_tail(s, flit)) {
				s->arrival[flit.message].done_cycle = cycle;
				ref_program_arrived(s, s->message[flit.message].destination, flit.message);
				s->n_done++;
			}
		}
	}
	moved = move_out_of_slow_links(s) || moved;
	return move_out_of_light(s) || moved;
}

static bool is_legal(const struct state *s)
{
	if (s->machine->n_slots < 1 || s->machine->n_slots > REF_SLOTS_MAX)
		return false;
	for (size_t m = 0; m < s->n_messages; m++) {
		if (s->message[m].source >= s->n_nodes || s->message[m].destination >= s->n_nodes ||
		    s->message[m].n_flits == 0)
			return false;
	}
	return true;
}

static int init(struct state *s)
{
	s->buffer = calloc(s->n_lanes, sizeof(*s->buffer));
	s->lane = calloc(s->n_lanes, sizeof(*s->lane));
	s->moving = calloc(s->n_lanes, sizeof(*s->moving));
	s->turn = calloc(s->n_channels, sizeof(*s->turn));
	s->input = calloc((size_t)s->n_sites * s->n_inputs, sizeof(*s->input));
	s->output = calloc((size_t)s->n_sites * s->n_outputs, sizeof(*s->output));
	s->line = calloc(s->n_messages * (s->n_links + 1) + 1, sizeof(*s->line));
	s->source = calloc(s->n_nodes, sizeof(*s->source));
	s->next_arrived = calloc(s->n_messages + 1, sizeof(*s->next_arrived));
	s->hungry = calloc(s->n_channels, sizeof(*s->hungry));
	s->were = calloc(s->n_lanes, sizeof(*s->were));
	s->count = calloc(s->n_channels, sizeof(*s->count));
	s->arrival = calloc(s->n_messages + 1, sizeof(*s->arrival)); // never zero bytes
	s->arrives = calloc(s->n_nodes, sizeof(*s->arrives));
	if (!s->buffer || !s->lane || !s->moving || !s->turn || !s->input || !s->output || !s->line || !s->source ||
	    !s->next_arrived || !s->hungry || !s->were || !s->count || !s->arrival || !s->arrives)
		return -ENOMEM;
	if (s->net && (s->net->light_cycles > 0 || s->net->light_ratio > 1)) {
		s->light = ref_light_new(s->n_nodes, s->n_vcs, s->net->light_cycles, s->net->light_ratio);
		if (!s->light)
			return -ENOMEM;
	}
	if (s->net && s->net->link_delay + s->net->router_delay > 0) {
		s->slow = ref_slow_new(s->n_lanes);
		if (!s->slow)
			return -ENOMEM;
		for (size_t l = 0; l < s->n_lanes; l++) {
			unsigned link = (unsigned)(l / s->n_vcs % (s->n_links + 2));
			unsigned back = link < s->n_links ? ref_net_delay(s->net, node_of(s, l), link) : 0;

			if (link < s->n_links)
				ref_slow_set(s->slow, l, back + s->net->router_delay, back);
		}
	}
	for (size_t l = 0; l < s->n_lanes; l++) {
		s->buffer[l].wants = NONE;
		s->buffer[l].asker = NONE;
		s->buffer[l].given = NONE;
		s->lane[l].holder = NONE;
		s->lane[l].from = NONE;
	}
	for (unsigned node = 0; node < s->n_nodes; node++)
		s->source[node] =
			(struct source){.earliest = 1, .message = NONE, .first_arrived = NONE, .last_arrived = NONE};
	return ref_wiring_init(s);
}

static void release(struct state *s)
{
	free(s->buffer);
	free(s->lane);
	free(s->moving);
	free(s->turn);
	free(s->input);
	free(s->output);
	free(s->line);
	free(s->source);
	free(s->next_arrived);
	free(s->hungry);
	free(s->were);
	free(s->count);
	free(s->arrival);
	free(s->arrives);
	ref_light_free(s->light);
	ref_slow_free(s->slow);
}

static bool is_empty(const struct state *s)
{
	for (size_t l = 0; l < s->n_lanes; l++) {
		if (s->buffer[l].n_flits > 0)
			return false;
	}
	return true;
}

// Runs one cycle after the other. -EDEADLK: in cycle s->cycle nothing moves any more.
static int run(struct state *s)
{
	for (s->cycle = 1;; s->cycle++) {
		ref_program_step(s);
		if (s->n_done == s->n_messages && ref_program_is_done(s))
			return 0;
		look_at_light(s);
		look_at_heads(s, s->cycle);
		if (s->machine->adaptive) {
			ref_adaptive_give(s);
			look_at_heads(s, s->cycle);
		}
		for (unsigned node = 0; node < s->n_nodes; node++)
			decide_injection(s, node, s->cycle);
		for (unsigned site = 0; site < s->n_sites; site++) {
			for (unsigned k = 0; k < s->n_outputs; k++)
				decide_output(s, site, s->output[(size_t)site * s->n_outputs + k]);
		}
		if (move(s, s->cycle))
			continue;

		uint64_t next = ref_program_next(s);

		if (next == UINT64_MAX)
			return -EDEADLK;
		if (is_empty(s) && !s->light && !s->slow) // light remembers the state of the last cycles
			s->cycle = next - 1;              // nothing happens until then
	}
}

static void tell_lock(struct ref_lock *out_lock, size_t *out_waiting, const struct state *s)
{
	if (out_lock)
		ref_state_find_lock(out_lock, s, s->cycle);
	for (unsigned node = 0; out_waiting && node < s->n_nodes; node++) {
		const struct ref_program *p = &s->program[node];
		size_t at = s->source[node].entry;

		out_waiting[node] = at < p->n && p->entry[at].kind == REF_WAIT ? at : p->n;
	}
}

static void tell(struct ref_outcome *out, const struct state *s)
{
	for (size_t m = 0; m < s->n_messages; m++)
		out->arrival[m] = s->arrival[m];
	for (size_t c = 0; out->channel && c < s->n_channels; c++)
		out->channel[c] = s->count[c];
	for (unsigned node = 0; out->end && node < s->n_nodes; node++)
		out->end[node] = s->source[node].earliest - 1;
}

int ref_program_run(struct ref_outcome *out, const struct ref_machine *machine, const struct ref_message *message,
                    size_t n_messages, const struct ref_program *program)
{
	if (!machine->net && !machine->min && machine->n_dims > REF_DIMS_MAX)
		return -EINVAL;

	struct ref_net cube = ref_net_cube(machine->n_dims);
	struct ref_program *of_list = NULL;
	struct state s = {
		.machine = machine,
		.net = machine->min   ? NULL
	               : machine->net ? machine->net
	                              : &cube,
		.min = machine->min,
		.message = message,
		.n_messages = n_messages,
	};
	int rc = s.net && !ref_net_is_legal(s.net, NULL, 0) ? -EINVAL : 0;

	if (rc == 0) {
		ref_wiring_size(&s);
		rc = is_legal(&s) ? 0 : -EINVAL;
	}
	if (rc == 0)
		rc = program ? ref_program_check(program, s.n_nodes, message, n_messages)
		             : ref_program_of_list(&of_list, s.n_nodes, message, n_messages);
	s.program = program ? program : of_list;
	if (rc == 0)
		rc = init(&s);
	if (rc == 0)
		rc = run(&s);
	if (rc == 0)
		tell(out, &s);
	if (rc == -EDEADLK)
		tell_lock(out->lock, out->waiting, &s);
	release(&s);
	ref_program_free(of_list, s.n_nodes);
	return rc;
}

int ref_machine_run_to_lock(struct ref_arrival *out_arrival, struct ref_channel *out_channel, struct ref_lock *out_lock,
                            const struct ref_machine *machine, const struct ref_message *message, size_t n_messages)
{
	struct ref_outcome out = {.arrival = out_arrival, .channel = out_channel, .lock = out_lock};

	return ref_program_run(&out, machine, message, n_messages, NULL);
}

int ref_machine_run(struct ref_arrival *out_arrival, struct ref_channel *out_channel, const struct ref_machine *machine,
                    const struct ref_message *message, size_t n_messages)
{
	return ref_machine_run_to_lock(out_arrival, out_channel, NULL, machine, message, n_messages);
}
