// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "against_reference.h"

#include <stdlib.h>

#include <flitloom/link/image.h>
#include <flitloom/routes/via.h>

#include "reference/ref_adaptive.h"
#include "unit/help/random_turns.h"
#include "reference/ref_min.h"
#include "reference/ref_net.h"
#include "reference/reference.h"

struct comparison {
	const struct run *run;
	struct ref_machine machine;
	struct ref_net net;
	struct ref_graph graph;
	struct ref_min min;
	size_t n_channels;
	uint32_t *number; // of each message in its sender's program
	struct ref_message *messages;
	enum ref_order *orders;
	unsigned *rules;
	struct ref_chosen *chosen;
	struct ref_via *vias;
	struct ref_arrival *arrivals;
	struct ref_channel *channels;
	const struct loom_arrival **arrived; // by message of the plan; NULL: it did not arrive
};

// Finds the arrival of each message of the plan, by the number that its sender has put into the header.
static void match_arrivals(struct comparison *c)
{
	const struct loom_plan *plan = &c->run->plan;
	for (size_t k = 0; k < c->run->trace.n_arrivals; k++) {
		const struct loom_arrival *a = &c->run->trace.arrivals[k];
		for (size_t i = 0; i < plan->n_messages; i++)
			if (plan->map[plan->messages[i].source] == a->source && c->number[i] == a->number)
				c->arrived[i] = a;
	}
}

// Gives the reference machine a graph's links and routes from the same values as the RTL gets: WIRES, route tables and
// the rules of messages.
static void tell_graph(struct comparison *c, const struct loom_topo *t)
{
	const unsigned n = t->n_nodes, n_links = loom_topo_links(t);
	struct ref_graph *g = &c->graph;
	*g = (struct ref_graph){.n_links = n_links,
	                        .out = calloc((size_t)n * n_links, sizeof *g->out),
	                        .in = calloc((size_t)n * n_links, sizeof *g->in),
	                        .next = calloc((size_t)n * n, sizeof *g->next),
	                        .vc = calloc((size_t)n * n, sizeof *g->vc),
	                        .delay = calloc((size_t)n * n_links, sizeof *g->delay)};
	if (!g->out || !g->in || !g->next || !g->vc || !g->delay)
		abort();
	for (unsigned i = 0; i < n * n_links; i++) {
		uint32_t wire = loom_topo_wire(t, i / n_links, i % n_links);
		const struct ref_end end = {wire & 0xfff, wire >> 12 & 0x1ff}, none = {REF_NOWHERE, 0};
		g->out[i] = wire >> 23 & ~wire >> 22 & 1 ? end : none;
		g->in[i] = wire >> 23 & ~wire >> 21 & 1 ? end : none;
		g->delay[i] = (unsigned char)loom_topo_link_delay(t, i / n_links * loom_topo_channels_per_tile(t) +
		                                                             i % n_links);
	}
	for (unsigned s = 0; s < n; s++)
		for (unsigned d = 0; d < n; d++) {
			unsigned rule = loom_topo_rule(t, s, d, 0);
			g->vc[s * n + d] = rule;
			g->next[s * n + d] = s == d ? n_links : loom_topo_port(t, s, d, (enum loom_rule)rule) - 1;
		}
	c->net = (struct ref_net){.kind = REF_GRAPH,
	                          .n_extents = 1,
	                          .extent = {n},
	                          .n_vcs = t->n_vcs,
	                          .link_delay = t->link_delay,
	                          .router_delay = t->router_delay,
	                          .delays = g->delay,
	                          .graph = g};
}

static void compare_pass(struct disagreement *d, struct comparison *c, uint32_t pass)
{
	static const enum ref_order orders[] = {[LOOM_RULE_ASCENDING] = REF_ASCENDING,
	                                        [LOOM_RULE_DESCENDING] = REF_DESCENDING,
	                                        [LOOM_RULE_ONE_WAY] = REF_UP_ASCENDING,
	                                        [LOOM_RULE_ONE_WAY_DESCENDING] = REF_UP_DESCENDING};
	const struct loom_plan *plan = &c->run->plan;
	size_t n = 0, at = 0;
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		if (m->pass != pass || !loom_plan_uses_network(plan, m))
			continue;
		const bool chooses = c->machine.adaptive || c->machine.vias;
		c->orders[n] = c->net.has_tables ? (enum ref_order)m->rule
		               : chooses         ? REF_ASCENDING
		                                 : orders[m->rule % LOOM_RULES_MAX];
		c->vias[n] = (struct ref_via){m->via, m->rule == LOOM_RULE_O1TURN};
		c->rules[n] = m->rule;
		if (plan->routes.n)
			c->chosen[n] = (struct ref_chosen){.link = plan->routes.channel + plan->routes.first[i],
			                                   .n_links = plan->routes.first[i + 1] - plan->routes.first[i],
			                                   .vc = plan->topo.n_vcs > 1 ? m->rule : 0};
		c->messages[n++] = (struct ref_message){plan->map[m->source], plan->map[m->destination], m->flits};
	}
	d->code = ref_machine_run(c->arrivals, c->channels, &c->machine, c->messages, n);
	if (d->code)
		return;
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		if (m->pass != pass || !loom_plan_uses_network(plan, m))
			continue;
		const struct ref_arrival *r = &c->arrivals[at++];
		const struct loom_arrival *a = c->arrived[i];
		const struct loom_trace *t = &c->run->trace;
		d->messages += !a || a->first_cycle != r->first_cycle || a->last_cycle != r->done_cycle ||
		               (t->released &&
		                t->released[t->first_entry[plan->map[m->source]] + c->number[i]] != r->offer_cycle);
	}
	for (size_t k = 0; k < c->n_channels; k++) {
		const struct loom_count *count = &c->run->trace.counts[pass * c->n_channels + k];
		const struct ref_channel *r = &c->channels[k];
		d->channels += count->worms != r->n_worms || count->flits != r->n_flits ||
		               count->blocked_cycles != r->n_blocked;
	}
}

static struct disagreement against(const struct run *run, enum loom_machine machine, bool is_adaptive)
{
	const struct loom_plan *plan = &run->plan;
	static struct comparison c; // static, because it is large
	struct disagreement d = {0};
	struct loom_err err = {0};
	c = (struct comparison){.run = run};
	bool stages = plan->topo.kind->router == LOOM_ROUTER_STAGES;
	if (stages)
		ref_min_build(&c.min, plan->topo.kind->name, plan->topo.label_bits);
	else if (plan->topo.graph)
		tell_graph(&c, &plan->topo);
	else
		d.code = ref_net_parse(&c.net, plan->topo.name);
	if (d.code)
		return d;
	c.n_channels = loom_topo_channels(&plan->topo);
	c.number = calloc(plan->n_messages + 1, sizeof *c.number);
	c.messages = calloc(plan->n_messages + 1, sizeof *c.messages);
	c.orders = calloc(plan->n_messages + 1, sizeof *c.orders);
	c.rules = calloc(plan->n_messages + 1, sizeof *c.rules);
	c.chosen = calloc(plan->n_messages + 1, sizeof *c.chosen);
	c.vias = calloc(plan->n_messages + 1, sizeof *c.vias);
	c.arrivals = calloc(plan->n_messages + 1, sizeof *c.arrivals);
	c.channels = calloc(c.n_channels, sizeof *c.channels);
	c.arrived = calloc(plan->n_messages + 1, sizeof *c.arrived);
	if (!c.number || !c.messages || !c.orders || !c.rules || !c.chosen || !c.vias || !c.arrivals || !c.channels ||
	    !c.arrived || loom_image_numbers(c.number, plan, &err) != 0 || run->trace.n_channels != c.n_channels)
		abort();
	unsigned char *forbidden = random_turns_told(&plan->topo);
	c.net.forbidden = forbidden;
	c.machine = (struct ref_machine){.n_slots = plan->topo.buffers,
	                                 .timing = machine == LOOM_MACHINE_PAPER ? REF_PAPER : REF_FAST,
	                                 .tie = stages ? REF_TIE_PORT : ref_machine_tie(&c.net),
	                                 .net = stages ? NULL : &c.net,
	                                 .min = stages ? &c.min : NULL,
	                                 .orders = c.orders,
	                                 .chosen = plan->routes.n ? c.chosen : NULL,
	                                 .vias = plan->n_messages && loom_rule_has_via(plan->messages[0].rule) ? c.vias
	                                                                                                       : NULL,
	                                 .rules = c.rules};
	if (is_adaptive && !(c.machine.adaptive = ref_adaptive_new(&c.net, (enum ref_select)plan->select)))
		abort();
	match_arrivals(&c);
	for (uint32_t pass = 0; d.code == 0 && pass < plan->n_passes; pass++)
		compare_pass(&d, &c, pass);
	free(forbidden);
	free(c.graph.out);
	free(c.graph.in);
	free(c.graph.next);
	free(c.graph.delay);
	free(c.graph.vc);
	free(c.arrived);
	free(c.channels);
	free(c.arrivals);
	free(c.chosen);
	free(c.vias);
	free(c.orders);
	free(c.rules);
	ref_adaptive_free(c.machine.adaptive);
	free(c.messages);
	free(c.number);
	return d;
}

struct disagreement against_reference(const struct run *run, enum loom_machine machine)
{
	return against(run, machine, false);
}

struct disagreement against_adaptive(const struct run *run, enum loom_machine machine)
{
	return against(run, machine, true);
}
