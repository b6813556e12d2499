// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef REF_STATE_H
#define REF_STATE_H

#include "ref_min.h"
#include "ref_program.h"

// The machine's internal state, for its own files.

#define NONE SIZE_MAX

struct flit {
	size_t message;
	unsigned index; // 0 is the header, n_flits - 1 the tail
};

struct buffer {
	struct flit slot[REF_SLOTS_MAX]; // slot[0] is the head
	unsigned n_flits;
	size_t wants;         // the lane the head has to cross next, NONE if empty; computed in every cycle
	bool asks;            // the head is a header: it requests `wants`
	size_t asker;         // the last message that requested a lane from here, NONE before the first
	uint64_t asked_cycle; // the first cycle of its request
	size_t given;         // with adaptive routers: the lane granted to the message at the head; or NONE
};

struct lane {
	size_t holder;      // the worm whose header has crossed and whose tail has not, or NONE
	size_t from;        // this cycle: the buffer whose head crosses; or NONE
	bool inject;        // this cycle: the flit comes out of the source itself
	unsigned n_headers; // this cycle: headers that request it
	bool owned;         // with adaptive routers: it is granted to a message whose tail has not crossed
	bool was_clear;     // the same: a cycle before it was not owned, and its near end knew of no flit behind it
};

// A node's program: `entry` is the current entry, `earliest` the cycle after the end of the entry before it. It sends
// flit `index` of message `message`; NONE: nothing in this cycle.
struct source {
	size_t entry;
	uint64_t earliest;
	size_t message;
	unsigned index;
	size_t first_arrived, last_arrived; // messages for this node, in the order of their tails; NONE: none yet
};

struct ref_light;
struct ref_slow;

// Switching happens at sites: on a direct network one in each node, on a multistage network one for each switch, stage by
// stage.

struct state {
	const struct ref_machine *machine;
	const struct ref_net *net; // NULL: a multistage network
	const struct ref_min *min; // NULL: a direct one
	const struct ref_message *message;
	size_t n_messages;
	const struct ref_program *program; // by node
	unsigned n_nodes;
	unsigned n_links;                      // of a multistage network: the number of stages minus one
	unsigned n_sites, n_inputs, n_outputs; // of each site
	unsigned n_vcs;
	size_t n_channels;
	size_t n_lanes;
	unsigned *turn; // by channel: the virtual channel that is first in turn
	size_t *input;  // by site and port: the channel that ends there, or NONE
	size_t *output; // by site: the channels that leave it
	size_t *line;   // of a multistage network, by message and stage: the channel on which it leaves the stage
	struct buffer *buffer; // by lane
	struct lane *lane;     // by lane
	struct source *source; // by node
	size_t *next_arrived;  // by message that has arrived: the next one at its node
	struct flit *moving;   // by lane: the flit that crosses it in this cycle
	bool *hungry;          // with adaptive routers, by channel: a header that has no lane waits for one of it
	unsigned *were;        // the same, by lane: flits in the buffer at its end a cycle before
	struct ref_channel *count;
	struct ref_arrival *arrival;
	size_t n_done;
	uint64_t cycle;
	struct ref_slow *slow;   // NULL if no link is slow
	struct ref_light *light; // NULL where there are no optical links, or these are as electronic ones
	struct {
		unsigned vc; // n_vcs: nothing
		struct flit flit;
	} * arrives; // by node: the flit that comes out of its optical link in this cycle
};

static inline size_t channel_of(const struct state *s, unsigned node, unsigned k)
{
	return (size_t)node * (s->n_links + 2) + k;
}

static inline size_t ejection_of(const struct state *s, unsigned node)
{
	return channel_of(s, node, s->n_links);
}

static inline size_t injection_of(const struct state *s, unsigned node)
{
	return channel_of(s, node, s->n_links + 1);
}

// ref_wiring.c: sizes; what stands in input, output and line, which init has room for.
void ref_wiring_size(struct state *s);
int ref_wiring_init(struct state *s); // 0 or -EINVAL: a multistage network has no way from a source to a destination
// Returns the lane that message m crosses next from that site. came: the lane by which it came there.
size_t ref_wiring_next(const struct state *s, unsigned site, size_t m, size_t came);

// ref_program.c: advances every program to this cycle, given all earlier arrivals.
void ref_program_step(struct state *s);
bool ref_program_is_done(const struct state *s);
// Returns the first cycle after this one in which a program acts without an arrival; UINT64_MAX: none will.
uint64_t ref_program_next(const struct state *s);
// Notes that the tail of the message that `node` sends crosses its injection channel.
void ref_program_sent(struct state *s, unsigned node);
// Notes that the tail of message m crosses the ejection channel of `node`.
void ref_program_arrived(struct state *s, unsigned node, size_t m);
// 0, -EINVAL or -ENOMEM.
int ref_program_check(const struct ref_program *program, unsigned n_nodes, const struct ref_message *message,
                      size_t n_messages);
// Makes programs that send all messages in the order of the list. *out must be freed in any case.
int ref_program_of_list(struct ref_program **out, unsigned n_nodes, const struct ref_message *message,
                        size_t n_messages);
void ref_program_free(struct ref_program *all, unsigned n_nodes);

// ref_machine.c: true if the near end of a lane knows of no flit behind it.
bool ref_state_is_clear(const struct state *s, size_t lane);

// ref_machine.c: two places of a site have a header at the head of their buffer. True if that of `place`, in `b`, goes
// before that of `other`, in `a`.
bool ref_state_goes_before(const struct state *s, unsigned site, unsigned place, const struct buffer *b, unsigned other,
                           const struct buffer *a);

// Fills *out when nothing moves any more.
void ref_state_find_lock(struct ref_lock *out, const struct state *s, uint64_t cycle);

#endif
