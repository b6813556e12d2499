// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "against_reference.h"

#include <stdlib.h>

#include <flitloom/image.h>

#include "../reference/ref_net.h"
#include "../reference/reference.h"

struct comparison {
	const struct run *run;
	struct ref_machine machine;
	struct ref_net net;
	size_t n_channels;
	uint32_t *number; // of each message in its sender's program
	struct ref_message *messages;
	enum ref_order *orders;
	struct ref_chosen *chosen;
	struct ref_arrival *arrivals;
	struct ref_channel *channels;
	const struct loom_arrival **arrived; // by message of the plan; NULL: it did not
};

// The message of the plan that an arrival is: the sender has put its number into the header.
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
		if (m->pass != pass || m->source == m->destination)
			continue;
		c->orders[n] = orders[m->rule];
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
		if (m->pass != pass || m->source == m->destination)
			continue;
		const struct ref_arrival *r = &c->arrivals[at++];
		const struct loom_arrival *a = c->arrived[i];
		d->messages += !a || a->first_cycle != r->first_cycle || a->last_cycle != r->done_cycle;
	}
	for (size_t k = 0; k < c->n_channels; k++) {
		const struct loom_count *count = &c->run->trace.counts[pass * c->n_channels + k];
		const struct ref_channel *r = &c->channels[k];
		d->channels += count->worms != r->n_worms || count->flits != r->n_flits ||
		               count->blocked_cycles != r->n_blocked;
	}
}

struct disagreement against_reference(const struct run *run, enum loom_machine machine)
{
	const struct loom_plan *plan = &run->plan;
	struct comparison c = {.run = run};
	struct disagreement d = {0};
	struct loom_err err = {0};
	d.code = ref_net_parse(&c.net, plan->topo.name);
	if (d.code)
		return d;
	c.n_channels = ref_net_channels(&c.net);
	c.number = calloc(plan->n_messages + 1, sizeof *c.number);
	c.messages = calloc(plan->n_messages + 1, sizeof *c.messages);
	c.orders = calloc(plan->n_messages + 1, sizeof *c.orders);
	c.chosen = calloc(plan->n_messages + 1, sizeof *c.chosen);
	c.arrivals = calloc(plan->n_messages + 1, sizeof *c.arrivals);
	c.channels = calloc(c.n_channels, sizeof *c.channels);
	c.arrived = calloc(plan->n_messages + 1, sizeof *c.arrived);
	if (!c.number || !c.messages || !c.orders || !c.chosen || !c.arrivals || !c.channels || !c.arrived ||
	    loom_image_numbers(c.number, plan, &err) != 0 || run->trace.n_channels != c.n_channels)
		abort();
	c.machine = (struct ref_machine){.n_slots = 2,
	                                 .timing = machine == LOOM_MACHINE_PAPER ? REF_PAPER : REF_FAST,
	                                 .tie = ref_machine_tie(&c.net),
	                                 .net = &c.net,
	                                 .orders = c.orders,
	                                 .chosen = plan->routes.n ? c.chosen : NULL};
	match_arrivals(&c);
	for (uint32_t pass = 0; d.code == 0 && pass < plan->n_passes; pass++)
		compare_pass(&d, &c, pass);
	free(c.arrived);
	free(c.channels);
	free(c.arrivals);
	free(c.chosen);
	free(c.orders);
	free(c.messages);
	free(c.number);
	return d;
}
