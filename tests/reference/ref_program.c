// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "ref_program.h"

#include <errno.h>
#include <stdlib.h>

#include "ref_state.h"

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

// Returns the k-th message that arrived at `node` from `source`; NONE: it has not arrived yet.
static size_t arrived(const struct state *s, unsigned node, unsigned source, uint64_t k)
{
	uint64_t n = 0;

	for (size_t m = s->source[node].first_arrived; m != NONE; m = s->next_arrived[m]) {
		n += s->message[m].source == source;
		if (n == k)
			return m;
	}
	return NONE;
}

// Finds the end of an entry that begins in cycle `start`. False: it is not known yet, as for every send.
static bool end_of(uint64_t *out, const struct state *s, unsigned node, const struct ref_entry *entry, uint64_t start)
{
	size_t m;

	switch (entry->kind) {
	case REF_SEND: return false;
	case REF_DELAY: *out = start + entry->value - 1; return true;
	case REF_WAIT: break;
	}
	m = arrived(s, node, entry->source, entry->value);
	if (m == NONE)
		return false;
	*out = later(start, s->arrival[m].done_cycle + 2);
	return true;
}

void ref_program_step(struct state *s)
{
	for (unsigned node = 0; node < s->n_nodes; node++) {
		const struct ref_program *p = &s->program[node];
		struct source *source = &s->source[node];
		uint64_t end;

		while (source->entry < p->n) {
			const struct ref_entry *entry = &p->entry[source->entry];
			uint64_t start = later(source->earliest, entry->at);

			if (entry->begin)
				*entry->begin = start;
			if (entry->kind == REF_SEND && source->message == NONE && start <= s->cycle) {
				source->message = entry->message;
				source->index = 0;
			}
			if (!end_of(&end, s, node, entry, start))
				break;
			source->earliest = end + 1;
			source->entry++;
		}
	}
}

bool ref_program_is_done(const struct state *s)
{
	for (unsigned node = 0; node < s->n_nodes; node++) {
		if (s->source[node].entry < s->program[node].n)
			return false;
	}
	return true;
}

uint64_t ref_program_next(const struct state *s)
{
	uint64_t next = UINT64_MAX;

	for (unsigned node = 0; node < s->n_nodes; node++) {
		const struct ref_program *p = &s->program[node];
		const struct source *source = &s->source[node];

		if (source->entry == p->n || p->entry[source->entry].kind != REF_SEND)
			continue;

		uint64_t start = later(source->earliest, p->entry[source->entry].at);

		if (start > s->cycle && start < next)
			next = start;
	}
	return next;
}

void ref_program_sent(struct state *s, unsigned node)
{
	struct source *source = &s->source[node];

	source->message = NONE;
	source->earliest = s->cycle + 1;
	source->entry++;
}

void ref_program_arrived(struct state *s, unsigned node, size_t m)
{
	struct source *source = &s->source[node];

	s->next_arrived[m] = NONE;
	if (source->first_arrived == NONE)
		source->first_arrived = m;
	else
		s->next_arrived[source->last_arrived] = m;
	source->last_arrived = m;
}

static bool is_legal(const struct ref_entry *entry, unsigned node, unsigned n_nodes, const struct ref_message *message,
                     size_t n_messages, bool *is_sent)
{
	switch (entry->kind) {
	case REF_DELAY: return entry->value > 0;
	case REF_WAIT: return entry->value > 0 && entry->source < n_nodes;
	case REF_SEND: break;
	}
	if (entry->message >= n_messages || message[entry->message].source != node || is_sent[entry->message])
		return false;
	is_sent[entry->message] = true;
	return true;
}

int ref_program_check(const struct ref_program *program, unsigned n_nodes, const struct ref_message *message,
                      size_t n_messages)
{
	bool *is_sent = calloc(n_messages + 1, sizeof(*is_sent));
	bool ok = is_sent != NULL;

	for (unsigned node = 0; ok && node < n_nodes; node++) {
		for (size_t i = 0; ok && i < program[node].n; i++)
			ok = is_legal(&program[node].entry[i], node, n_nodes, message, n_messages, is_sent);
	}
	for (size_t m = 0; ok && m < n_messages; m++)
		ok = is_sent[m];

	int rc = !is_sent ? -ENOMEM : ok ? 0 : -EINVAL;

	free(is_sent);
	return rc;
}

int ref_program_of_list(struct ref_program **out, unsigned n_nodes, const struct ref_message *message,
                        size_t n_messages)
{
	struct ref_program *all = calloc(n_nodes, sizeof(*all));

	*out = all;
	if (!all)
		return -ENOMEM;
	for (size_t m = 0; m < n_messages; m++)
		all[message[m].source].n++;
	for (unsigned node = 0; node < n_nodes; node++) {
		all[node].entry = calloc(all[node].n + 1, sizeof(*all[node].entry));
		if (!all[node].entry)
			return -ENOMEM;
		all[node].n = 0;
	}
	for (size_t m = 0; m < n_messages; m++) {
		struct ref_program *p = &all[message[m].source];

		p->entry[p->n++] = (struct ref_entry){.kind = REF_SEND, .message = m};
	}
	return 0;
}

void ref_program_free(struct ref_program *all, unsigned n_nodes)
{
	for (unsigned node = 0; all && node < n_nodes; node++)
		free(all[node].entry);
	free(all);
}
