// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans any messages on a ring, each by its rule, in few passes without contention. Messages are arcs, and two arcs of
// one direction conflict if they share a link. To colour them with the fewest colours is NP-complete ([Youssef93],
// section 5). arcs.c searches for such a colouring. If its budget runs out, the planner colours the conflict graph as
// well.
//
// With full duplex the shorter way never needs more passes than one way round. Only messages longer than half the ring
// change their direction. No two of them could share a pass before, so each is alone in its direction now.
#include <stdlib.h>

#include "plan/plan_internal.h"
#include "plan/planners/arcs.h"
#include "plan/planners/balance.h"
#include "plan/planners/exact_colours.h"
#include "plan/planners/planners.h"
#include "plan/planners/route_conflicts.h"
#include "topo/topo_span.h"

#define STEPS 200000000 // passes that all searches examine if there is no budget
#define HOPS_MOST 1e7   // hops of all messages up to which the conflict graph is coloured as well

static bool accepts(const struct loom_topo *topo, const struct loom_pattern *pattern)
{
	return loom_topo_has_spans(topo) && topo->kind->wraps && pattern->n_messages != 0;
}

// The messages of a member, separate by direction. With half duplex all are in the first one.
struct directions {
	size_t n[2];
	struct loom_arc *arc[2];
	uint32_t *message[2], *pass[2];
	double hops;
	bool meet; // messages of both directions, or arcs that only touch, can conflict at a node
};

static void free_directions(struct directions *d)
{
	for (unsigned k = 0; k < 2; k++) {
		free(d->arc[k]);
		free(d->message[k]);
		free(d->pass[k]);
	}
}

static void add_message(struct directions *d, uint8_t *ports, const struct loom_plan *plan, size_t first, size_t i)
{
	const struct loom_plan_message *m = &plan->messages[first + i];
	uint32_t n_nodes = plan->topo.n_nodes, from = plan->map[m->source], to = plan->map[m->destination];
	struct loom_span span;
	if (from == to)
		return;
	(void)loom_topo_span(&span, &plan->topo, from, to, (enum loom_rule)m->rule);
	unsigned k = plan->half_duplex ? 0 : span.port;
	// Link u leads from u to u + 1. The other direction of the link leaves u + 1.
	uint32_t link = span.port ? (span.first + n_nodes - 1) % n_nodes : span.first;
	d->arc[k][d->n[k]] = (struct loom_arc){link, span.n};
	d->message[k][d->n[k]++] = (uint32_t)i;
	d->hops += span.n;
	ports[from] |= (uint8_t)(1 << span.port);
	ports[n_nodes + to] |= (uint8_t)(1 << span.port);
	d->meet = d->meet || ports[from] == 3 || ports[n_nodes + to] == 3;
}

static bool make_directions(struct directions *d, const struct loom_plan *plan, size_t first, size_t n)
{
	uint8_t *ports = calloc(2 * (size_t)plan->topo.n_nodes, 1); // by which each node's messages leave and arrive
	bool done = ports != NULL;
	for (unsigned k = 0; k < 2; k++) {
		d->arc[k] = calloc(n, sizeof *d->arc[k]);
		d->message[k] = calloc(n, sizeof *d->message[k]);
		d->pass[k] = calloc(n, sizeof *d->pass[k]);
		done = done && d->arc[k] && d->message[k] && d->pass[k];
	}
	for (size_t i = 0; done && i < n; i++)
		add_message(d, ports, plan, first, i);
	d->meet = d->meet || (plan->half_duplex && plan->topo.n_nodes == 2); // its one link is both directions
	free(ports);
	return done;
}

static bool colour_directions(uint32_t *pass, struct loom_passes_found *out, const struct directions *d,
                              const struct loom_plan *plan, struct loom_budget *budget)
{
	for (unsigned k = 0; k < 2; k++) {
		struct loom_passes_found one;
		if (!loom_arcs_colour(d->pass[k], &one, plan->topo.n_nodes, d->arc[k], d->n[k], budget))
			return false;
		out->n_passes = one.n_passes > out->n_passes ? one.n_passes : out->n_passes;
		if (one.n_least > out->n_least) {
			out->n_least = one.n_least;
			out->proof = one.proof;
		}
		for (size_t i = 0; i < d->n[k]; i++)
			pass[d->message[k][i]] = d->pass[k][i];
	}
	out->n_passes += out->n_passes == 0; // all messages are to their senders
	return true;
}

// Colours the conflict graph, and takes its passes if they are fewer. Searches for the fewest if the directions meet.
static bool colour_graph(uint32_t *pass, struct loom_passes_found *out, const struct directions *d,
                         const struct loom_plan *plan, size_t first, size_t n, struct loom_budget *budget)
{
	struct loom_conflicts g = {0};
	bool done = loom_route_conflicts_make(&g, plan, first, n);
	if (done && d->meet)
		done = loom_conflicts_exact(pass, out, &g, budget);
	else if (done)
		done = loom_conflicts_colour(pass, &out->n_passes, &g);
	loom_conflicts_free(&g);
	return done;
}

static int schedule(uint32_t *pass, struct loom_passes_found *out, const struct loom_plan *plan,
                    const struct loom_plan_options *options, size_t first, size_t n, struct loom_err *err)
{
	struct directions d = {0};
	struct loom_budget budget;
	loom_budget_begin(&budget, options, STEPS);
	for (size_t i = 0; i < n; i++)
		pass[i] = 0;
	bool done = make_directions(&d, plan, first, n);
	// To make more passes than a plan can have would take long.
	int rc = done ? loom_plan_check_passes(&plan->topo, (uint64_t)(d.hops / 2 / plan->topo.n_nodes), err) : 0;
	if (rc == 0 && done && !d.meet)
		done = colour_directions(pass, out, &d, plan, &budget);
	if (rc == 0 && done && (d.meet || (out->n_passes > out->n_least && d.hops < HOPS_MOST)))
		done = colour_graph(pass, out, &d, plan, first, n, &budget);
	free_directions(&d);
	if (rc != 0)
		return rc;
	return done ? loom_plan_balance_mixed(pass, &out->n_passes, plan, first, n, err)
	            : loom_fail(err, LOOM_ENOMEM, "out of memory for the passes of %zu messages", n);
}

static int plan_ring(struct loom_plan *plan, const struct loom_planner_request *request, struct loom_err *err)
{
	return loom_plan_in_proved_passes(plan, request, schedule, err);
}

const struct loom_planner loom_planner_ring = {
	.name = "ring",
	.help = "any messages on a ring, in few passes without contention: the fewest, or how few there could be",
	.accepts = accepts,
	.volunteers = loom_planner_never_volunteers,
	.plan = plan_ring,
	.bound = LOOM_BOUND_PLACEMENT,
	.takes = LOOM_TAKES_HALF_DUPLEX | LOOM_TAKES_RULES,
};
