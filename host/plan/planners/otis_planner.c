// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans any permutation on an OTIS-Mesh, move by move ([Sahni97]): each step is a pass with messages of one hop, and
// data are relayed in between.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "plan/otis/otis_choose.h"
#include "plan/otis/otis_moves.h"
#include "plan/planners/permutation.h"
#include "plan/planners/planners.h"

static bool accepts(const struct loom_topo *topo, const struct loom_pattern *pattern)
{
	return topo->kind->router == LOOM_ROUTER_OTIS && pattern->n_messages >= 1 &&
	       loom_planner_is_permutation(pattern);
}

// ---- From moves to messages -----------------------------------------------------------------------------------------

// Writes the messages of a plan of moves: first those to their senders, then one for each hop.
static size_t put_messages(struct loom_plan_message *out, uint32_t *last_of, const struct loom_plan *plan,
                           const struct loom_otis_moves *m, const uint8_t *keep, const uint32_t *virtual_of)
{
	size_t n = 0;
	for (uint32_t i = 0; i < m->n_items; i++) {
		const struct loom_plan_message *asked = &plan->messages[i];
		last_of[i] = UINT32_MAX;
		if (asked->source != asked->destination)
			continue;
		out[n] = *asked;
		out[n].pass = 0;
		out[n].origin = (uint32_t)n;
		n++;
	}
	size_t n_self = n;
	for (uint32_t s = 0; s < m->n_steps; s++)
		for (size_t k = m->first[s]; k < m->first[s + 1]; k++, n++) {
			uint32_t item = m->hop[k].item, there, before = last_of[item];
			(void)loom_otis_neighbour(&there, m->side, m->hop[k].from,
			                          (enum loom_otis_direction)m->direction[s]);
			out[n] = (struct loom_plan_message){
				.pass = s,
				.source = virtual_of[m->hop[k].from],
				.destination = virtual_of[there],
				.flits = plan->messages[item].flits,
				.rule = LOOM_RULE_ASCENDING,
				.from_slot = before == UINT32_MAX ? 0 : keep[before - n_self],
				.keep_slot = keep[k],
				.origin = before == UINT32_MAX ? (uint32_t)n : before,
			};
			last_of[item] = (uint32_t)n;
		}
	return n;
}

static int use_moves(struct loom_plan *plan, const struct loom_otis_moves *m, const uint8_t *keep, struct loom_err *err)
{
	uint32_t n_nodes = plan->topo.n_nodes, n_passes = m->n_steps ? m->n_steps : 1;
	int rc;
	uint32_t *virtual_of = malloc(n_nodes * sizeof *virtual_of), *last_of = malloc(n_nodes * sizeof *last_of);
	struct loom_plan_message *messages =
		calloc(m->first[m->n_steps] + m->n_items + 1, sizeof *messages); // messages to oneself have no hops
	if (virtual_of && last_of && messages) {
		for (uint32_t v = 0; v < n_nodes; v++)
			virtual_of[plan->map[v]] = v;
		size_t n = put_messages(messages, last_of, plan, m, keep, virtual_of);
		rc = loom_planner_set_messages(plan, messages, n, n_passes, err);
	} else {
		free(messages);
		rc = loom_fail(err, LOOM_ENOMEM, "out of memory for %" PRIu32 " passes on %s", n_passes,
		               plan->topo.name);
	}
	free(virtual_of);
	free(last_of);
	return rc;
}

static int plan_otis(struct loom_plan *plan, const struct loom_planner_request *request, struct loom_err *err)
{
	uint32_t n = (uint32_t)plan->n_messages;
	uint32_t *source = malloc(n * sizeof *source), *destination = malloc(n * sizeof *destination);
	struct loom_otis_task task = {.side = plan->topo.extent[0],
	                              .n_items = n,
	                              .source = source,
	                              .destination = destination,
	                              .options = request->options};
	struct loom_otis_moves moves = {0};
	uint8_t *keep = NULL;
	int rc = source && destination ? 0 : loom_fail(err, LOOM_ENOMEM, "out of memory for %" PRIu32 " items", n);
	for (uint32_t i = 0; rc == 0 && i < n; i++) {
		source[i] = plan->map[plan->messages[i].source];
		destination[i] = plan->map[plan->messages[i].destination];
	}
	if (rc == 0)
		rc = loom_otis_cost_parse(&task.cost, request->options->cost, err);
	if (rc == 0)
		rc = loom_otis_bound(&task.bound, task.side, source, destination, n, &task.cost, err);
	if (rc == 0)
		rc = loom_otis_choose(&moves, &keep, &task, err);
	if (rc == 0)
		rc = use_moves(plan, &moves, keep, err);
	if (rc == 0) {
		struct loom_plan_moves *made = &plan->making->moves;
		(void)snprintf(made->by, sizeof made->by, "%s", moves.by);
		made->bound_electronic = task.bound.electronic;
		made->bound_otis = task.bound.otis;
		rc = loom_plan_predict(plan, err);
	}
	if (rc == 0)
		plan->lower_bound = loom_plan_contention(plan);
	loom_otis_moves_free(&moves);
	free(keep);
	free(source);
	free(destination);
	return rc;
}

const struct loom_planner loom_planner_otis = {
	.name = "otis",
	.help = "any permutation on an OTIS-Mesh, move by move: the cheapest by --cost of several ways",
	.accepts = accepts,
	.plan = plan_otis,
	.bound = LOOM_BOUND_ANY,
	.takes = LOOM_TAKES_COST,
	.searches = true,
};
