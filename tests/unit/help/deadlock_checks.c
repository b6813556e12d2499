// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/plan.h>

#include "base/rng.h"
#include "deadlock_checks.h"

uint32_t rng_below(struct loom_rng *rng, uint32_t bound)
{
	return (uint32_t)loom_rng_below(rng, bound);
}

uint32_t lane_of(const struct loom_topo *t, uint32_t channel, unsigned vc)
{
	assert_true(vc < t->n_vcs);
	return channel * t->n_vcs + vc;
}

unsigned lanes_of(uint32_t out[ROUTE_MOST], const struct loom_topo *t, uint32_t source, uint32_t destination,
                  unsigned rule)
{
	struct loom_route route;
	unsigned n = 0;
	loom_route_begin(&route, t, source, destination, (enum loom_rule)rule);
	for (uint32_t channel; loom_route_next(&route, &channel); out[n++] = lane_of(t, channel, route.vc))
		assert_true(n < ROUTE_MOST);
	return n;
}

void matrix_clear(struct matrix *m, uint32_t n)
{
	assert_true(n <= CHANNELS_MOST);
	memset(m, 0, sizeof *m);
	m->n = n;
}

// Removes channels without an edge to a remaining channel, until there are none. If channels remain, they have a
// circle.
bool matrix_has_circle(const struct matrix *m)
{
	uint8_t gone[CHANNELS_MOST] = {0};
	uint32_t n_left = m->n;
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t a = 0; a < m->n; a++) {
			bool leads_on = false;
			for (uint32_t b = 0; b < m->n; b++)
				leads_on = leads_on || (m->edge[a][b] && !gone[b]);
			if (gone[a] || leads_on)
				continue;
			gone[a] = 1;
			n_left--;
			changed = true;
		}
	}
	return n_left > 0;
}

bool matrix_add_route(struct matrix *m, const struct loom_topo *t, uint32_t source, uint32_t destination, unsigned rule)
{
	uint32_t route[ROUTE_MOST];
	if (source == destination && !t->kind->self_uses_network)
		return false;
	unsigned n = lanes_of(route, t, source, destination, rule);
	for (unsigned k = 1; k < n; k++)
		m->edge[route[k - 1]][route[k]] = 1;
	return true;
}

void plan_without_messages(struct loom_plan *plan, const char *fabric, uint32_t n_passes, uint32_t shift)
{
	struct loom_err err = {0};
	memset(plan, 0, sizeof *plan);
	if (loom_topo_parse(&plan->topo, fabric, &err) != 0)
		fail_msg("%s", err.text);
	(void)snprintf(plan->pattern, sizeof plan->pattern, "test");
	(void)snprintf(plan->planner, sizeof plan->planner, "direct");
	plan->n_passes = n_passes;
	plan->n_members = 1;
	plan->messages = calloc(MESSAGES_MOST, sizeof *plan->messages);
	plan->map = calloc(plan->topo.n_nodes, sizeof *plan->map);
	plan->member_of_pass = calloc(n_passes, sizeof *plan->member_of_pass);
	assert_true(plan->messages && plan->map && plan->member_of_pass);
	for (uint32_t v = 0; v < plan->topo.n_nodes; v++)
		plan->map[v] = (v + shift) % plan->topo.n_nodes;
	while (shift == 0 && UINT32_C(1) << plan->n_order < plan->topo.n_nodes) {
		plan->order[plan->n_order] = plan->n_order;
		plan->n_order++;
	}
}

void add_message(struct loom_plan *plan, uint32_t pass, uint32_t source, uint32_t destination, unsigned rule)
{
	uint32_t i = (uint32_t)plan->n_messages++;
	assert_true(i < MESSAGES_MOST);
	plan->messages[i] = (struct loom_plan_message){.pass = pass,
	                                               .source = source,
	                                               .destination = destination,
	                                               .flits = 17,
	                                               .rule = (uint8_t)rule,
	                                               .origin = i};
}

bool under_way(const struct loom_plan *plan, size_t i, uint32_t pass)
{
	const struct loom_plan_message *m = &plan->messages[i];
	return (plan->free_running || m->pass == pass) &&
	       (m->source != m->destination || plan->topo.kind->self_uses_network);
}

unsigned lanes_of_message(const struct loom_plan *plan, size_t i, uint32_t out[ROUTE_MOST])
{
	const struct loom_plan_message *m = &plan->messages[i];
	return lanes_of(out, &plan->topo, plan->map[m->source], plan->map[m->destination], m->rule);
}

void add_random_message(struct loom_plan *plan, uint32_t pass, unsigned rule, struct loom_rng *rng)
{
	uint32_t n = plan->topo.n_nodes, source = rng_below(rng, n), any = rng_below(rng, n);
	uint32_t far = plan->topo.kind->wraps ? (source + n / 2) % n : n - 1 - source;
	add_message(plan, pass, source, rng_below(rng, 4) ? far : any, rule);
}
