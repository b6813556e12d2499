// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "timed_reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_multistage(const struct loom_plan *plan)
{
	return plan->topo.kind->router == LOOM_ROUTER_STAGES;
}

// Adds an entry for each wait and delay; an AT bounds the next entry.
static void add_gates(const struct timed_reference *c, struct ref_program *program, uint64_t *at, size_t place)
{
	const struct loom_plan *plan = c->plan;
	for (size_t g = plan->timing->first[place]; g < plan->timing->first[place + 1]; g++) {
		const struct loom_gate *gate = &plan->timing->gate[g];
		if (gate->kind == LOOM_GATE_AT) {
			*at = gate->value > *at ? gate->value : *at;
			continue;
		}
		program->entry[program->n++] =
			(struct ref_entry){.kind = gate->kind == LOOM_GATE_WAIT ? REF_WAIT : REF_DELAY,
		                           .at = *at,
		                           .value = gate->value,
		                           .source = gate->kind == LOOM_GATE_WAIT ? plan->map[gate->source] : 0};
		*at = 0;
	}
}

static void tell_programs(struct timed_reference *c)
{
	const struct loom_plan *plan = c->plan;
	const size_t n_gates = plan->timing->first[plan->n_messages + plan->topo.n_nodes];
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		c->number[i] = SIZE_MAX;
		if (m->source == m->destination && !is_multistage(plan))
			continue;
		c->number[i] = c->n;
		c->messages[c->n++] = (struct ref_message){plan->map[m->source], plan->map[m->destination], m->flits};
	}
	struct ref_entry *next = c->entries;
	for (uint32_t v = 0; v < plan->topo.n_nodes; v++) {
		struct ref_program *program = &c->programs[plan->map[v]];
		uint64_t at = 0;
		*program = (struct ref_program){.entry = next};
		for (size_t i = 0; i < plan->n_messages; i++) {
			if (plan->messages[i].source != v)
				continue;
			add_gates(c, program, &at, i);
			if (c->number[i] == SIZE_MAX)
				continue;
			program->entry[program->n++] =
				(struct ref_entry){.kind = REF_SEND, .at = at, .message = c->number[i]};
			at = 0;
		}
		add_gates(c, program, &at, plan->n_messages + v);
		if (at)
			program->entry[program->n++] = (struct ref_entry){.kind = REF_DELAY, .at = at, .value = 1};
		next += program->n;
	}
	for (size_t e = 0; e < (size_t)(next - c->entries); e++)
		c->entries[e].begin = &c->begin[e];
	if ((size_t)(next - c->entries) > plan->n_messages + n_gates + plan->topo.n_nodes)
		abort();
}

void timed_reference_on(struct timed_reference *c, const struct loom_plan *plan, const struct ref_machine *machine)
{
	size_t n = plan->n_messages, n_nodes = plan->topo.n_nodes, n_gates = plan->timing->first[n + n_nodes];
	*c = (struct timed_reference){.plan = plan,
	                              .min = calloc(1, sizeof *c->min),
	                              .machine = *machine,
	                              .messages = calloc(n + 1, sizeof *c->messages),
	                              .entries = calloc(n + n_gates + n_nodes, sizeof *c->entries),
	                              .begin = calloc(n + n_gates + n_nodes, sizeof *c->begin),
	                              .programs = calloc(n_nodes, sizeof *c->programs),
	                              .number = calloc(n + 1, sizeof *c->number),
	                              .arrivals = calloc(n + 1, sizeof *c->arrivals),
	                              .channels = calloc(loom_topo_channels(&plan->topo), sizeof *c->channels),
	                              .end = calloc(n_nodes, sizeof *c->end)};
	if (!c->min || !c->messages || !c->entries || !c->begin || !c->programs || !c->number || !c->arrivals ||
	    !c->channels || !c->end)
		abort();
	tell_programs(c);
}

void timed_reference_make(struct timed_reference *c, const struct loom_plan *plan, enum loom_machine machine)
{
	const struct ref_machine usual = {.n_slots = plan->topo.buffers,
	                                  .timing = machine == LOOM_MACHINE_PAPER ? REF_PAPER : REF_FAST,
	                                  .tie = REF_TIE_PORT};
	timed_reference_on(c, plan, &usual);
	if (is_multistage(plan)) {
		char name[32];
		(void)snprintf(name, sizeof name, "%.*s", (int)strcspn(plan->topo.name, ":"), plan->topo.name);
		ref_min_build(c->min, name, plan->topo.label_bits);
		c->machine.min = c->min;
	} else {
		if (ref_net_parse(&c->net, plan->topo.name) != 0)
			abort();
		c->machine.net = &c->net;
		c->machine.tie = ref_machine_tie(&c->net);
	}
}

void timed_reference_free(struct timed_reference *c)
{
	free(c->min);
	free(c->messages);
	free(c->entries);
	free(c->begin);
	free(c->programs);
	free(c->number);
	free(c->arrivals);
	free(c->channels);
	free(c->end);
}

int timed_reference_run(struct timed_reference *c)
{
	struct ref_outcome outcome = {.arrival = c->arrivals, .channel = c->channels, .end = c->end};
	return ref_program_run(&outcome, &c->machine, c->messages, c->n, c->programs);
}

uint64_t timed_reference_end(const struct timed_reference *c)
{
	uint64_t end = 0;
	for (size_t i = 0; i < c->n; i++)
		end = c->arrivals[i].done_cycle > end ? c->arrivals[i].done_cycle : end;
	for (uint32_t v = 0; v < c->plan->topo.n_nodes; v++)
		end = c->end[v] > end ? c->end[v] : end;
	return end;
}
