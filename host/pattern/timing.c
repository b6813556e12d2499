// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <flitloom/timing.h>

#include <stdlib.h>
#include <string.h>

const char *loom_gate_name(enum loom_gate_kind kind)
{
	static const char *const names[] = {
		[LOOM_GATE_AT] = "at", [LOOM_GATE_DELAY] = "delay", [LOOM_GATE_WAIT] = "wait"};
	return (unsigned)kind < sizeof names / sizeof names[0] ? names[kind] : NULL;
}

struct loom_timing *loom_timing_new(size_t n_messages, uint32_t n_nodes, size_t n_gates)
{
	struct loom_timing *t = calloc(1, sizeof *t);
	if (!t)
		return NULL;
	t->gate = calloc(n_gates + 1, sizeof *t->gate);
	t->first = calloc(n_messages + n_nodes + 1, sizeof *t->first);
	if (t->gate && t->first)
		return t;
	loom_timing_free(t);
	return NULL;
}

struct loom_timing *loom_timing_copy(const struct loom_timing *timing, size_t n_messages, uint32_t n_nodes)
{
	size_t n_places = n_messages + n_nodes, n_gates = timing->first[n_places];
	struct loom_timing *t = loom_timing_new(n_messages, n_nodes, n_gates);
	if (!t)
		return NULL;
	memcpy(t->first, timing->first, (n_places + 1) * sizeof *t->first);
	memcpy(t->gate, timing->gate, n_gates * sizeof *t->gate);
	t->n_serialised = timing->n_serialised;
	return t;
}

void loom_timing_free(struct loom_timing *timing)
{
	if (!timing)
		return;
	free(timing->gate);
	free(timing->first);
	free(timing);
}
