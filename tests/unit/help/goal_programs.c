// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "goal_programs.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "reference/ref_goal.h"
#include "reference_run.h"

static void add(struct ref_program *p, struct ref_entry entry)
{
	struct ref_entry *last = p->n ? &p->entry[p->n - 1] : NULL;
	// Adds consecutive delays up.
	if (last && last->kind == REF_DELAY && entry.kind == REF_DELAY && entry.at == 0)
		last->value += entry.value;
	else
		p->entry[p->n++] = entry;
}

// `at` of the next entry is *at.
static void add_gates(struct ref_program *p, const struct loom_pattern *pattern, size_t place, uint64_t *at)
{
	const struct loom_timing *t = pattern->timing;
	for (size_t k = t->first[place]; k < t->first[place + 1]; k++) {
		const struct loom_gate *g = &t->gate[k];
		if (g->kind == LOOM_GATE_AT) {
			*at = g->value > *at ? g->value : *at;
			continue;
		}
		add(p, (struct ref_entry){.kind = g->kind == LOOM_GATE_WAIT ? REF_WAIT : REF_DELAY,
		                          .at = *at,
		                          .value = g->value,
		                          .source = g->source});
		*at = 0;
	}
}

struct ref_program *goal_programs_of(const struct loom_pattern *p, struct ref_message **out_message)
{
	size_t room = p->timing->first[p->n_messages + p->n_nodes] + p->n_messages + 1;
	struct ref_program *all = calloc(p->n_nodes, sizeof *all);
	struct ref_message *message = calloc(p->n_messages + 1, sizeof *message);
	uint64_t *at = calloc(p->n_nodes, sizeof *at);
	if (!all || !message || !at)
		abort();
	for (uint32_t v = 0; v < p->n_nodes; v++) {
		all[v].entry = calloc(room, sizeof *all[v].entry);
		if (!all[v].entry)
			abort();
	}
	for (size_t i = 0; i < p->n_messages; i++) {
		const struct loom_message *m = &p->messages[i];
		message[i] = (struct ref_message){m->source, m->destination, m->flits};
		add_gates(&all[m->source], p, i, &at[m->source]);
		add(&all[m->source], (struct ref_entry){.kind = REF_SEND, .at = at[m->source], .message = i});
		at[m->source] = 0;
	}
	for (uint32_t v = 0; v < p->n_nodes; v++) {
		add_gates(&all[v], p, p->n_messages + v, &at[v]);
		if (at[v])
			add(&all[v], (struct ref_entry){.kind = REF_DELAY, .at = at[v], .value = 1});
	}
	free(at);
	*out_message = message;
	return all;
}

void goal_programs_free(struct ref_program *all, struct ref_message *message, unsigned n_nodes)
{
	for (unsigned v = 0; v < n_nodes; v++)
		free(all[v].entry);
	free(all);
	free(message);
}

static int show_entry(char *out, size_t size, const struct ref_entry *e, const struct ref_message *message)
{
	int used = e->at ? snprintf(out, size, " a%" PRIu64, e->at) : 0;
	out += used;
	size -= (size_t)used;
	if (e->kind == REF_DELAY)
		return used + snprintf(out, size, " d%" PRIu64, e->value);
	if (e->kind == REF_WAIT)
		return used + snprintf(out, size, " w%u.%" PRIu64, e->source, e->value);
	return used + snprintf(out, size, " s%u/%u", message[e->message].destination, message[e->message].n_flits);
}

void goal_programs_show(char *out, size_t size, const struct loom_pattern *p)
{
	struct ref_message *message = NULL;
	struct ref_program *all = goal_programs_of(p, &message);
	size_t used = 0;
	for (uint32_t v = 0; v < p->n_nodes; v++) {
		used += (size_t)snprintf(out + used, size - used, "%s%u:", v ? " | " : "", v);
		for (size_t i = 0; i < all[v].n; i++)
			used += (size_t)show_entry(out + used, size - used, &all[v].entry[i], message);
	}
	goal_programs_free(all, message, p->n_nodes);
}

static void assert_entry(unsigned node, size_t i, const struct ref_entry *a, const struct ref_entry *b)
{
	if (a->kind != b->kind || a->at != b->at || a->value != b->value || a->source != b->source ||
	    a->message != b->message)
		fail_msg("entry %zu of node %u: kind %d, value %" PRIu64
		         ", source %u, message %zu; the interpreter has %d, "
		         "%" PRIu64 ", %u, %zu",
		         i, node, a->kind, a->value, a->source, a->message, b->kind, b->value, b->source, b->message);
}

void goal_programs_compare(const char *text, const struct loom_pattern *p, const struct loom_pattern_options *options)
{
	const struct ref_goal_scale scale = {options->flit_bytes ? options->flit_bytes : 4,
	                                     options->calc_cycles ? options->calc_cycles : 1,
	                                     options->calc_units ? options->calc_units : 1};
	struct ref_message *message = NULL;
	struct ref_program *all = goal_programs_of(p, &message), merged = {0};
	struct ref_goal goal = {0};
	assert_int_equal(ref_goal_read(&goal, text, p->n_nodes, &scale), 0);
	assert_int_equal(goal.n_messages, p->n_messages);
	assert_memory_equal(goal.message, message, p->n_messages * sizeof *message);
	for (unsigned v = 0; v < p->n_nodes; v++) {
		merged = (struct ref_program){calloc(goal.program[v].n + 1, sizeof *merged.entry), 0};
		assert_non_null(merged.entry);
		for (size_t i = 0; i < goal.program[v].n; i++)
			add(&merged, goal.program[v].entry[i]);
		assert_int_equal(merged.n, all[v].n);
		for (size_t i = 0; i < merged.n; i++)
			assert_entry(v, i, &all[v].entry[i], &merged.entry[i]);
		free(merged.entry);
	}
	ref_goal_free(&goal);
	goal_programs_free(all, message, p->n_nodes);
}

void goal_programs_run(struct ref_arrival *out_arrival, const struct loom_pattern *p)
{
	char fabric[24];
	(void)snprintf(fabric, sizeof fabric, "line:%u", p->n_nodes);
	struct ref_message *message = NULL;
	struct ref_program *all = goal_programs_of(p, &message);
	struct ref_net net = net_of(fabric);
	struct ref_machine machine = machine_for(&net, REF_FAST);
	struct ref_arrival *arrival = calloc(p->n_messages + 1, sizeof *arrival);
	struct ref_outcome out = {.arrival = arrival};
	assert_non_null(arrival);
	assert_int_equal(ref_program_run(&out, &machine, message, p->n_messages, all), 0);
	for (size_t i = 0; out_arrival && i < p->n_messages; i++)
		out_arrival[i] = arrival[i];
	free(arrival);
	goal_programs_free(all, message, p->n_nodes);
}

static size_t find_need(const struct loom_goal *g, const struct loom_goal_need *like)
{
	size_t n = 0;
	for (size_t k = 0; k < g->n_needs; k++)
		n += g->needs[k].op == like->op && g->needs[k].on == like->on && g->needs[k].start == like->start;
	return n;
}

void goal_programs_assert_same(const struct loom_goal *a, const struct loom_goal *b)
{
	assert_int_equal(a->n_ranks, b->n_ranks);
	assert_int_equal(a->n_ops, b->n_ops);
	assert_int_equal(a->n_needs, b->n_needs);
	for (size_t i = 0; i < a->n_ops; i++) {
		const struct loom_goal_op *x = &a->ops[i], *y = &b->ops[i];
		assert_true(x->kind == y->kind && x->rank == y->rank && x->peer == y->peer && x->tag == y->tag &&
		            x->cpu == y->cpu && x->nic == y->nic && x->size == y->size);
	}
	for (size_t k = 0; k < a->n_needs; k++)
		assert_int_equal(find_need(a, &a->needs[k]), find_need(b, &a->needs[k]));
}
