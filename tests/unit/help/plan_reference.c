// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "plan_reference.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "networks.h"
#include "timed_reference.h"

// A run of the reference machine: of a pass, or of the whole plan.
struct play {
	struct plan_reference *to;
	struct ref_net net;
	struct ref_graph graph;
	struct ref_machine machine;
	struct ref_message *message; // the messages that use the network
	enum ref_order *order;
	struct ref_chosen *chosen;
	size_t *which; // their numbers in the plan
	size_t n;
	struct ref_arrival *arrival;
	struct ref_lock lock;
};

static void *room_for(size_t n, size_t size)
{
	void *p = calloc(n + 1, size);
	assert_non_null(p);
	return p;
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static bool is_multistage(const struct loom_plan *plan)
{
	return plan->topo.kind->router == LOOM_ROUTER_STAGES;
}

static bool uses_network(const struct loom_plan *plan, size_t i)
{
	return plan->messages[i].source != plan->messages[i].destination || is_multistage(plan);
}

// Gives the reference machine a graph's links and routes from the same values as the RTL gets: WIRES, route tables and
// the rules of messages.
static void tell_graph(struct play *p, const struct loom_topo *t)
{
	const unsigned n = t->n_nodes, n_links = loom_topo_links(t);
	struct ref_graph *g = &p->graph;
	*g = (struct ref_graph){.n_links = n_links,
	                        .out = room_for((size_t)n * n_links, sizeof *g->out),
	                        .in = room_for((size_t)n * n_links, sizeof *g->in),
	                        .next = room_for((size_t)n * n, sizeof *g->next),
	                        .vc = room_for((size_t)n * n, sizeof *g->vc),
	                        .delay = room_for((size_t)n * n_links, sizeof *g->delay)};
	for (unsigned i = 0; i < n * n_links; i++) {
		const uint32_t wire = loom_topo_wire(t, i / n_links, i % n_links);
		const struct ref_end end = {wire & 0xfff, wire >> 12 & 0x1ff}, none = {REF_NOWHERE, 0};
		g->out[i] = wire >> 23 & ~wire >> 22 & 1 ? end : none;
		g->in[i] = wire >> 23 & ~wire >> 21 & 1 ? end : none;
		g->delay[i] = (unsigned char)loom_topo_link_delay(t, i / n_links * loom_topo_channels_per_tile(t) +
		                                                             i % n_links);
	}
	for (unsigned s = 0; s < n; s++)
		for (unsigned d = 0; d < n; d++) {
			const unsigned rule = loom_topo_rule(t, s, d, 0);
			g->vc[s * n + d] = rule;
			g->next[s * n + d] = s == d ? n_links : loom_topo_port(t, s, d, (enum loom_rule)rule) - 1;
		}
	p->net = (struct ref_net){.kind = REF_GRAPH,
	                          .n_extents = 1,
	                          .extent = {n},
	                          .n_vcs = t->n_vcs,
	                          .link_delay = t->link_delay,
	                          .router_delay = t->router_delay,
	                          .delays = g->delay,
	                          .graph = g};
}

static void begin(struct play *p, struct plan_reference *to, enum loom_machine machine)
{
	const struct loom_plan *plan = to->plan;
	const size_t n = plan->n_messages, n_channels = loom_topo_channels(&plan->topo);
	*p = (struct play){.to = to,
	                   .message = room_for(n, sizeof *p->message),
	                   .order = room_for(n, sizeof *p->order),
	                   .chosen = room_for(n, sizeof *p->chosen),
	                   .which = room_for(n, sizeof *p->which),
	                   .arrival = room_for(n, sizeof *p->arrival),
	                   .lock = {.circle = room_for(n_channels * plan->topo.n_vcs, sizeof(struct ref_wait))}};
	p->machine = (struct ref_machine){.n_slots = plan->topo.buffers,
	                                  .timing = machine == LOOM_MACHINE_PAPER ? REF_PAPER : REF_FAST,
	                                  .tie = REF_TIE_PORT,
	                                  .orders = p->order,
	                                  .chosen = plan->routes.n ? p->chosen : NULL};
	if (is_multistage(plan))
		return;
	if (plan->topo.graph)
		tell_graph(p, &plan->topo);
	else if (ref_net_parse(&p->net, plan->topo.name) != 0)
		fail_msg("the reference has no %s", plan->topo.name);
	p->machine.net = &p->net;
	p->machine.tie = ref_machine_tie(&p->net);
	assert_int_equal(ref_net_channels(&p->net), n_channels);
}

static void end(struct play *p)
{
	free(p->message);
	free(p->order);
	free(p->chosen);
	free(p->which);
	free(p->arrival);
	free(p->lock.circle);
	free(p->graph.out);
	free(p->graph.in);
	free(p->graph.next);
	free(p->graph.delay);
	free(p->graph.vc);
}

// Takes the messages of passes first to last.
static void take_messages(struct play *p, uint32_t first, uint32_t last)
{
	static const enum ref_order orders[] = {[LOOM_RULE_ASCENDING] = REF_ASCENDING,
	                                        [LOOM_RULE_DESCENDING] = REF_DESCENDING,
	                                        [LOOM_RULE_ONE_WAY] = REF_UP_ASCENDING,
	                                        [LOOM_RULE_ONE_WAY_DESCENDING] = REF_UP_DESCENDING};
	const struct loom_plan *plan = p->to->plan;
	p->n = 0;
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		if (m->pass < first || m->pass > last || !uses_network(plan, i))
			continue;
		if (is_multistage(plan) && p->n == 0)
			p->machine.min = reference_of(plan, m->rule);
		p->order[p->n] = p->net.has_tables ? (enum ref_order)m->rule : orders[m->rule % LOOM_RULES_MAX];
		if (plan->routes.n)
			p->chosen[p->n] =
				(struct ref_chosen){.link = plan->routes.channel + plan->routes.first[i],
			                            .n_links = plan->routes.first[i + 1] - plan->routes.first[i],
			                            .vc = plan->topo.n_vcs > 1 ? m->rule : 0};
		p->which[p->n] = i;
		p->message[p->n++] = (struct ref_message){plan->map[m->source], plan->map[m->destination], m->flits};
	}
	if (is_multistage(plan) && p->n == 0)
		p->machine.min = reference_of(plan, LOOM_RULE_ASCENDING);
}

static int run(struct play *p, uint32_t pass, const struct ref_program *program, uint64_t *end_of)
{
	struct plan_reference *to = p->to;
	const size_t n_channels = loom_topo_channels(&to->plan->topo);
	struct ref_outcome outcome = {
		.arrival = p->arrival, .channel = to->channel + pass * n_channels, .lock = &p->lock, .end = end_of};
	int code = ref_program_run(&outcome, &p->machine, p->message, p->n, program);
	if (code == -EDEADLK) {
		to->stuck_pass = pass;
		to->stuck_cycle = p->lock.cycle;
		to->in_circle = p->lock.n > 0;
		return code;
	}
	assert_int_equal(code, 0);
	for (size_t k = 0; k < p->n; k++) {
		const size_t i = p->which[k];
		to->offer[i] = p->arrival[k].offer_cycle;
		to->header[i] = p->arrival[k].first_cycle;
		to->tail[i] = p->arrival[k].done_cycle;
	}
	return 0;
}

// A node that sends nothing in a pass of a free run is silent for as long as a message takes.
static int run_freely(struct play *p)
{
	const struct loom_plan *plan = p->to->plan;
	const uint32_t n_nodes = plan->topo.n_nodes, n_passes = plan->n_passes;
	struct ref_entry *entry = room_for((size_t)n_nodes * n_passes, sizeof *entry);
	struct ref_program *program = room_for(n_nodes, sizeof *program);
	take_messages(p, 0, n_passes);
	for (size_t e = 0; e < (size_t)n_nodes * n_passes; e++)
		entry[e] =
			(struct ref_entry){.kind = REF_DELAY, .value = plan->n_messages ? plan->messages[0].flits : 1};
	for (uint32_t u = 0; u < n_nodes; u++)
		program[u] = (struct ref_program){entry + (size_t)u * n_passes, n_passes};
	for (size_t k = 0; k < p->n; k++)
		program[p->message[k].source].entry[plan->messages[p->which[k]].pass] =
			(struct ref_entry){.kind = REF_SEND, .message = k};
	int code = run(p, 0, program, NULL);
	free(entry);
	free(program);
	return code;
}

static int run_programs(struct play *p)
{
	struct plan_reference *to = p->to;
	const uint32_t n_nodes = to->plan->topo.n_nodes;
	struct timed_reference timed;
	uint64_t *ends = room_for(n_nodes, sizeof *ends);
	take_messages(p, 0, 0);
	timed_reference_on(&timed, to->plan, &p->machine);
	int code = run(p, 0, timed.programs, ends);
	for (uint32_t u = 0; u < n_nodes; u++) {
		to->first_entry[u + 1] = to->first_entry[u] + timed.programs[u].n;
		to->last[0] = code ? 0 : later(to->last[0], ends[u]);
	}
	to->began = room_for(to->first_entry[n_nodes], sizeof *to->began);
	for (uint32_t u = 0; u < n_nodes; u++)
		for (size_t e = 0; e < timed.programs[u].n; e++) {
			const struct ref_entry *entry = &timed.programs[u].entry[e];
			to->began[to->first_entry[u] + e] = *entry->begin;
			if (entry->kind == REF_SEND)
				to->number[p->which[entry->message]] = (uint32_t)e;
		}
	timed_reference_free(&timed);
	free(ends);
	return code;
}

// The programs of a plan without gates: its messages.
static void list_entries(struct plan_reference *to)
{
	const struct loom_plan *plan = to->plan;
	const uint32_t n_nodes = plan->topo.n_nodes;
	uint32_t *n = room_for(n_nodes, sizeof *n);
	for (size_t i = 0; i < plan->n_messages; i++)
		if (uses_network(plan, i))
			to->number[i] = n[plan->map[plan->messages[i].source]]++;
	for (uint32_t u = 0; u < n_nodes; u++)
		to->first_entry[u + 1] = to->first_entry[u] + n[u];
	to->began = room_for(to->first_entry[n_nodes], sizeof *to->began);
	for (size_t i = 0; i < plan->n_messages; i++) {
		const uint32_t u = plan->map[plan->messages[i].source];
		if (plan->free_running)
			to->number[i] = plan->messages[i].pass;
		else if (uses_network(plan, i))
			to->began[to->first_entry[u] + to->number[i]] = to->offer[i];
	}
	free(n);
}

static void sum_up(struct plan_reference *to)
{
	const struct loom_plan *plan = to->plan;
	for (size_t i = 0; i < plan->n_messages; i++) {
		uint64_t *last = &to->last[plan->messages[i].pass];
		*last = later(*last, to->tail[i]);
	}
	for (uint32_t pass = 0; pass < plan->n_passes; pass++)
		to->cycles = plan->free_running ? later(to->cycles, to->last[pass]) : to->cycles + to->last[pass];
	for (size_t at = 0; at < (size_t)plan->n_passes * loom_topo_channels(&plan->topo); at++)
		to->blocked += to->channel[at].n_blocked;
}

int plan_reference_make(struct plan_reference *out, const struct loom_plan *plan, enum loom_machine machine)
{
	const size_t n = plan->n_messages;
	struct play p;
	int code = 0;
	*out = (struct plan_reference){
		.plan = plan,
		.offer = room_for(n, sizeof *out->offer),
		.header = room_for(n, sizeof *out->header),
		.tail = room_for(n, sizeof *out->tail),
		.number = room_for(n, sizeof *out->number),
		.channel = room_for((size_t)plan->n_passes * loom_topo_channels(&plan->topo), sizeof *out->channel),
		.last = room_for(plan->n_passes, sizeof *out->last),
		.first_entry = room_for((size_t)plan->topo.n_nodes + 1, sizeof *out->first_entry)};
	begin(&p, out, machine);
	if (plan->free_running)
		code = run_freely(&p);
	else if (plan->timing)
		code = run_programs(&p);
	for (uint32_t pass = 0; code == 0 && pass < plan->n_passes && !plan->free_running && !plan->timing; pass++) {
		take_messages(&p, pass, pass);
		code = run(&p, pass, NULL, NULL);
	}
	if (!plan->timing)
		list_entries(out);
	if (code == 0)
		sum_up(out);
	end(&p);
	return code;
}

void plan_reference_free(struct plan_reference *reference)
{
	free(reference->offer);
	free(reference->header);
	free(reference->tail);
	free(reference->number);
	free(reference->channel);
	free(reference->last);
	free(reference->first_entry);
	free(reference->began);
	*reference = (struct plan_reference){0};
}
