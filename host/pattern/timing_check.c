// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks that programs that wait for one another's messages end.
//
// The network delivers every message at some time, and the messages of a processor in the order in which it sends
// them. So cycles do not decide if a program gets stuck: it is enough to carry the programs out in any order, each as
// far as the messages sent so far let it come, until none can go on.
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "pattern/timing_check.h"

#include "base/arrays.h"

#define NO_MESSAGE SIZE_MAX
#define NAMED_MOST 6u // waits of a circle that are named

// --- Values --------------------------------------------------------------------------------------------------------

static int check_gate(const struct loom_gate *gate, uint32_t v, uint32_t n_nodes, struct loom_err *err)
{
	switch (gate->kind) {
	case LOOM_GATE_AT:
		if (gate->value >= 1 && gate->value <= LOOM_GATE_CYCLES_MOST)
			return 0;
		return loom_fail(err, LOOM_EINPUT,
		                 "processor %" PRIu32 " is to go on at cycle %" PRIu32
		                 ": cycles are 1 to %u, the first of the pass being 1",
		                 v, gate->value, LOOM_GATE_CYCLES_MOST);
	case LOOM_GATE_DELAY:
		if (gate->value >= 1 && gate->value <= LOOM_GATE_CYCLES_MOST)
			return 0;
		return loom_fail(err, LOOM_EINPUT,
		                 "processor %" PRIu32 " computes for %" PRIu32 " cycles: 1 to %u are possible", v,
		                 gate->value, LOOM_GATE_CYCLES_MOST);
	case LOOM_GATE_WAIT: break;
	default:
		return loom_fail(err, LOOM_EINPUT, "processor %" PRIu32 " has a gate of kind %d; there is none such", v,
		                 (int)gate->kind);
	}
	if (gate->source >= n_nodes)
		return loom_fail(err, LOOM_EINPUT,
		                 "processor %" PRIu32 " waits for a message from %" PRIu32
		                 "; processors are 0..%" PRIu32,
		                 v, gate->source, n_nodes - 1);
	if (gate->source == v)
		return loom_fail(err, LOOM_EINPUT,
		                 "processor %" PRIu32 " waits for a message of its own; only others' can be waited for",
		                 v);
	if (gate->value < 1 || gate->value > LOOM_GATE_WAIT_MOST)
		return loom_fail(err, LOOM_EINPUT,
		                 "processor %" PRIu32 " waits for message %" PRIu32 " from %" PRIu32
		                 ": they count from 1, and a node counts to %u",
		                 v, gate->value, gate->source, LOOM_GATE_WAIT_MOST);
	return 0;
}

int loom_timing_check_values(const struct loom_timing *timing, uint32_t n_nodes, const struct loom_message *messages,
                             size_t n_messages, struct loom_err *err)
{
	int code = 0;
	if (timing->first[0] != 0)
		return loom_fail(err, LOOM_EINPUT, "the gates begin with number %zu; the first is 0", timing->first[0]);
	for (size_t place = 0; code == 0 && place < n_messages + n_nodes; place++) {
		uint32_t v = place < n_messages ? messages[place].source : (uint32_t)(place - n_messages);
		if (timing->first[place + 1] < timing->first[place])
			code = loom_fail(err, LOOM_EINPUT, "the gates of place %zu end before they begin", place);
		for (size_t g = timing->first[place]; code == 0 && g < timing->first[place + 1]; g++)
			code = check_gate(&timing->gate[g], v, n_nodes, err);
	}
	return code;
}

// --- Programs, as far as they get ----------------------------------------------------------------------------------

// A place is a message, or n + v for the end of processor v's program.
struct progress {
	const struct loom_timing *timing;
	const struct loom_message *messages;
	size_t n;
	uint32_t n_nodes;
	size_t *by_pair; // messages by source and destination, those of a pair in their order
	size_t *wanted;  // by gate that waits: its message
	size_t *next;    // by message: the next place of its sender
	size_t *place;   // by processor: its present place
	size_t *gate;    // by processor: the first gate there that it has not passed
	uint32_t *ready; // processors that may be able to go on
	uint32_t n_ready;
	bool *is_ready, *is_sent;
	struct loom_arrays arrays; // owns the arrays
};

static int no_memory(struct loom_err *err)
{
	return loom_fail(err, LOOM_ENOMEM, "out of memory to follow the programs");
}

static int allocate(struct progress *p, struct loom_err *err)
{
	size_t n = p->n + 1, n_gates = p->timing->first[p->n + p->n_nodes] + 1;
	LOOM_ARRAY(&p->arrays, p->by_pair, n);
	LOOM_ARRAY(&p->arrays, p->wanted, n_gates);
	LOOM_ARRAY(&p->arrays, p->next, n);
	LOOM_ARRAY(&p->arrays, p->place, p->n_nodes);
	LOOM_ARRAY(&p->arrays, p->gate, p->n_nodes);
	LOOM_ARRAY(&p->arrays, p->ready, p->n_nodes);
	LOOM_ARRAY(&p->arrays, p->is_ready, p->n_nodes);
	LOOM_ARRAY(&p->arrays, p->is_sent, n);
	return p->arrays.is_short ? no_memory(err) : 0;
}

static size_t *counted(const size_t *count, size_t n)
{
	size_t *first = calloc(n + 1, sizeof *first);
	for (size_t i = 0; first && i < n; i++)
		first[i + 1] = first[i] + count[i];
	return first;
}

// `order` sorted by source or destination, those of one processor in the order in which they were.
static int sort_by(size_t *order, const struct progress *p, bool by_source, struct loom_err *err)
{
	size_t *count = calloc(p->n_nodes, sizeof *count), *old = calloc(p->n + 1, sizeof *old), *first = NULL;
	for (size_t i = 0; count && old && i < p->n; i++) {
		const struct loom_message *m = &p->messages[i];
		count[by_source ? m->source : m->destination]++;
		old[i] = order[i];
	}
	if (count && old)
		first = counted(count, p->n_nodes);
	for (size_t i = 0; first && i < p->n; i++) {
		const struct loom_message *m = &p->messages[old[i]];
		order[first[by_source ? m->source : m->destination]++] = old[i];
	}
	int code = first ? 0 : no_memory(err);
	free(count);
	free(old);
	free(first);
	return code;
}

// True if the i-th message by pair comes before those from `source` to `destination`.
static bool comes_before(const struct progress *p, size_t i, uint32_t source, uint32_t destination)
{
	const struct loom_message *m = &p->messages[p->by_pair[i]];
	return m->source != source ? m->source < source : m->destination < destination;
}

static bool is_of(const struct progress *p, size_t i, uint32_t source, uint32_t destination)
{
	const struct loom_message *m = &p->messages[p->by_pair[i]];
	return m->source == source && m->destination == destination;
}

// Returns the k-th message of the pair, from 1, or NO_MESSAGE.
static size_t find(const struct progress *p, uint32_t source, uint32_t destination, uint32_t k)
{
	size_t low = 0, high = p->n;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (comes_before(p, middle, source, destination))
			low = middle + 1;
		else
			high = middle;
	}
	return p->n - low >= k && is_of(p, low + k - 1, source, destination) ? p->by_pair[low + k - 1] : NO_MESSAGE;
}

static uint32_t owner(const struct progress *p, size_t place)
{
	return place < p->n ? p->messages[place].source : (uint32_t)(place - p->n);
}

// Finds the first message that is never sent, if there is one: *never.
static int find_wanted(struct progress *p, size_t *wanted, const struct loom_gate **never, uint32_t *never_of,
                       struct loom_err *err)
{
	for (size_t i = 0; i < p->n; i++)
		p->by_pair[i] = i;
	int code = sort_by(p->by_pair, p, false, err);
	if (code == 0)
		code = sort_by(p->by_pair, p, true, err);
	*never = NULL;
	for (size_t place = 0; code == 0 && place < p->n + p->n_nodes; place++)
		for (size_t g = p->timing->first[place]; g < p->timing->first[place + 1]; g++) {
			const struct loom_gate *gate = &p->timing->gate[g];
			if (gate->kind != LOOM_GATE_WAIT)
				continue;
			wanted[g] = find(p, gate->source, owner(p, place), gate->value);
			if (wanted[g] == NO_MESSAGE && !*never) {
				*never = gate;
				*never_of = owner(p, place);
			}
		}
	return code;
}

static int fail_never(const struct progress *p, const struct loom_gate *gate, uint32_t v, struct loom_err *err)
{
	uint32_t n_sent = 0;
	for (size_t i = 0; i < p->n; i++)
		n_sent += p->messages[i].source == gate->source && p->messages[i].destination == v;
	return loom_fail(err, LOOM_EINPUT,
	                 "processor %" PRIu32 " waits for message %" PRIu32 " from %" PRIu32
	                 ", which sends it %" PRIu32,
	                 v, gate->value, gate->source, n_sent);
}

static int prepare(struct progress *p, struct loom_err *err)
{
	const struct loom_gate *never;
	uint32_t never_of;
	int code = find_wanted(p, p->wanted, &never, &never_of, err);
	if (code == 0 && never)
		code = fail_never(p, never, never_of, err);
	for (uint32_t v = 0; v < p->n_nodes; v++)
		p->place[v] = p->n + v;
	for (size_t i = p->n; i-- > 0;) {
		p->next[i] = p->place[p->messages[i].source];
		p->place[p->messages[i].source] = i;
	}
	for (uint32_t v = 0; v < p->n_nodes; v++)
		p->gate[v] = p->timing->first[p->place[v]];
	return code;
}

// Returns the gate at which a processor waits; NULL: it does not wait.
static const struct loom_gate *stands_at(const struct progress *p, uint32_t v)
{
	return p->gate[v] < p->timing->first[p->place[v] + 1] ? &p->timing->gate[p->gate[v]] : NULL;
}

static void make_ready(struct progress *p, uint32_t v)
{
	if (p->is_ready[v])
		return;
	p->is_ready[v] = true;
	p->ready[p->n_ready++] = v;
}

// Carries out the program of a processor until it waits or is done.
static void go_on(struct progress *p, uint32_t v)
{
	for (;;) {
		for (const struct loom_gate *gate; (gate = stands_at(p, v)); p->gate[v]++)
			if (gate->kind == LOOM_GATE_WAIT && !p->is_sent[p->wanted[p->gate[v]]])
				return;
		size_t i = p->place[v];
		if (i >= p->n)
			return;
		uint32_t to = p->messages[i].destination;
		p->is_sent[i] = true;
		p->place[v] = p->next[i];
		p->gate[v] = p->timing->first[p->place[v]];
		const struct loom_gate *gate = stands_at(p, to);
		if (gate && gate->kind == LOOM_GATE_WAIT && p->wanted[p->gate[to]] == i)
			make_ready(p, to);
	}
}

// --- A circle ------------------------------------------------------------------------------------------------------

// Names a circle, from a processor that is stuck: the processor that it waits for is stuck as well, so this ends where
// it has been.
static int fail_circle(const struct progress *p, uint32_t v, struct loom_err *err)
{
	char text[400];
	uint32_t n = 1, named;
	for (uint32_t i = 0; i < p->n_nodes; i++)
		v = stands_at(p, v)->source; // somewhere on the circle
	uint32_t least = v;
	for (uint32_t w = stands_at(p, v)->source; w != v; w = stands_at(p, w)->source, n++)
		least = w < least ? w : least;
	size_t used = (size_t)snprintf(text, sizeof text, "processor %" PRIu32, least);
	v = least;
	for (named = 0; named < n && named < NAMED_MOST; named++) {
		const struct loom_gate *gate = stands_at(p, v);
		used += (size_t)snprintf(text + used, sizeof text - used,
		                         "%s waits for message %" PRIu32 " from %" PRIu32, named ? ", which" : "",
		                         gate->value, gate->source);
		v = gate->source;
	}
	if (named < n)
		(void)snprintf(text + used, sizeof text - used,
		               ", and so on through %" PRIu32 " processors back to %" PRIu32, n, least);
	return loom_fail(err, LOOM_EINPUT, "waits that are never met: %s", text);
}

// Checks that all waits are met, for gates that are legal: the second half of loom_timing_check.
static int check_all_waits(const struct loom_timing *timing, uint32_t n_nodes, const struct loom_message *messages,
                           size_t n_messages, struct loom_err *err)
{
	struct progress p = {.timing = timing, .messages = messages, .n = n_messages, .n_nodes = n_nodes};
	int code = allocate(&p, err);
	if (code == 0)
		code = prepare(&p, err);
	for (uint32_t v = 0; code == 0 && v < n_nodes; v++)
		make_ready(&p, v);
	while (code == 0 && p.n_ready > 0) {
		uint32_t v = p.ready[--p.n_ready];
		p.is_ready[v] = false;
		go_on(&p, v);
	}
	for (uint32_t v = 0; code == 0 && v < n_nodes; v++)
		if (stands_at(&p, v))
			code = fail_circle(&p, v, err);
	loom_arrays_free(&p.arrays);
	return code;
}

int loom_timing_check(const struct loom_timing *timing, uint32_t n_nodes, const struct loom_message *messages,
                      size_t n_messages, struct loom_err *err)
{
	int code = loom_timing_check_values(timing, n_nodes, messages, n_messages, err);
	return code ? code : check_all_waits(timing, n_nodes, messages, n_messages, err);
}

int loom_timing_wanted(size_t *out, const struct loom_timing *timing, uint32_t n_nodes,
                       const struct loom_message *messages, size_t n_messages, struct loom_err *err)
{
	struct progress p = {.timing = timing, .messages = messages, .n = n_messages, .n_nodes = n_nodes};
	const struct loom_gate *never;
	uint32_t never_of;
	LOOM_ARRAY(&p.arrays, p.by_pair, n_messages + 1);
	int code = p.by_pair ? find_wanted(&p, out, &never, &never_of, err) : no_memory(err);
	loom_arrays_free(&p.arrays);
	return code;
}
