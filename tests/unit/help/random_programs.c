// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "random_programs.h"

#include <stdlib.h>
#include <string.h>

// A story is an order in which the processors can do everything, so every wait for an earlier event is met.
struct story {
	const struct random_programs *what;
	struct loom_rng *rng;
	struct loom_pattern *p;
	uint32_t *sent;         // [source * n_nodes + destination]: messages sent so far, or in all
	struct loom_gate *gate; // of each step
	size_t *place;          // of each gate
	size_t n_gates;
};

static uint32_t below(struct story *s, uint64_t n)
{
	return (uint32_t)loom_rng_below(s->rng, n);
}

// Returns a processor from which a message has arrived for which v can wait; n_nodes: there is none.
static uint32_t someone(struct story *s, uint32_t v)
{
	uint32_t n = s->what->n_nodes, begin = below(s, n);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t u = (begin + i) % n;
		if (u != v && s->sent[u * n + v] > 0)
			return u;
	}
	return n;
}

static void add_gate(struct story *s, uint32_t v, size_t place)
{
	const uint32_t cycles = s->what->most_cycles;
	struct loom_gate gate = {.kind = (enum loom_gate_kind)below(s, 3)};
	if (gate.kind == LOOM_GATE_WAIT) {
		gate.source = someone(s, v);
		if (gate.source == s->what->n_nodes)
			return;
		uint32_t sent = s->sent[gate.source * s->what->n_nodes + v];
		gate.value = 1 + (below(s, 3) ? sent - 1 : below(s, sent)); // often the latest
	} else {
		gate.value = 1 + below(s, gate.kind == LOOM_GATE_AT ? 10 * (uint64_t)cycles : cycles);
	}
	s->place[s->n_gates] = place;
	s->gate[s->n_gates++] = gate;
}

// Gates are made with the message that its processor sends next, or with the end of its program.
static bool make_timing(struct loom_timing **out, const struct story *s)
{
	const struct loom_pattern *p = s->p;
	size_t n_places = p->n_messages + p->n_nodes, n = 0;
	struct loom_timing *t = loom_timing_new(p->n_messages, p->n_nodes, s->n_gates);
	for (size_t place = 0; t && place < n_places; place++) {
		for (size_t g = 0; g < s->n_gates; g++)
			if (s->place[g] == place)
				t->gate[n++] = s->gate[g];
		t->first[place + 1] = n;
	}
	*out = t;
	return t != NULL;
}

struct loom_pattern random_programs(const struct random_programs *what, struct loom_rng *rng)
{
	const size_t n_places = what->n_messages + what->n_nodes, most_gates = 3 * n_places;
	struct loom_pattern p = {.n_nodes = what->n_nodes, .n_messages = what->n_messages, .n_members = 1};
	struct story s = {.what = what, .rng = rng, .p = &p};
	strcpy(p.name, "random programs");
	p.messages = calloc(what->n_messages, sizeof *p.messages);
	s.sent = calloc((size_t)what->n_nodes * what->n_nodes, sizeof *s.sent);
	s.gate = calloc(most_gates, sizeof *s.gate);
	s.place = calloc(most_gates, sizeof *s.place);
	if (!p.messages || !s.sent || !s.gate || !s.place)
		abort();
	for (size_t i = 0; i < what->n_messages; i++) {
		uint32_t v = below(&s, what->n_nodes), to = below(&s, what->n_nodes);
		if (what->only_others && to == v)
			to = (to + 1) % what->n_nodes;
		p.messages[i] =
			(struct loom_message){.source = v, .destination = to, .flits = 1 + below(&s, what->most_flits)};
		s.sent[v * what->n_nodes + to] += what->may_lock;
	}
	for (size_t place = 0; place < n_places; place++) {
		const struct loom_message *m = place < what->n_messages ? &p.messages[place] : NULL;
		for (uint32_t n = below(&s, 4); n > 0; n--)
			add_gate(&s, m ? m->source : (uint32_t)(place - what->n_messages), place);
		if (m)
			s.sent[m->source * what->n_nodes + m->destination] += !what->may_lock;
	}
	if (!make_timing(&p.timing, &s))
		abort();
	free(s.sent);
	free(s.gate);
	free(s.place);
	return p;
}

bool programs_end(const struct loom_pattern *p)
{
	const struct loom_timing *t = p->timing;
	uint32_t n = p->n_nodes;
	size_t n_places = p->n_messages + n, left = n_places;
	bool *done = calloc(n_places, sizeof *done), moved = true;
	uint32_t *sent = calloc((size_t)n * n, sizeof *sent);
	if (!done || !sent)
		abort();
	while (moved) {
		moved = false;
		for (uint32_t v = 0; v < n; v++) {
			size_t place = 0; // the first step of v that is not done
			while (place < p->n_messages && (done[place] || p->messages[place].source != v))
				place++;
			if (place == p->n_messages)
				place += v;
			bool met = !done[place];
			for (size_t g = t->first[place]; met && g < t->first[place + 1]; g++)
				met = t->gate[g].kind != LOOM_GATE_WAIT ||
				      sent[t->gate[g].source * n + v] >= t->gate[g].value;
			if (!met)
				continue;
			done[place] = moved = true;
			left--;
			if (place < p->n_messages)
				sent[v * n + p->messages[place].destination]++;
		}
	}
	free(done);
	free(sent);
	return left == 0;
}
