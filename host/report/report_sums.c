// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Prints the table's rows of sums, predicted and measured: contention, passes, cycles, deliveries.
#include <inttypes.h>
#include <string.h>

#include <flitloom/goal.h>
#include <flitloom/routes/failures.h>
#include <flitloom/routes/graph.h>

#include "report/report_circuits.h"
#include "report/report_moves.h"
#include "report/report_table.h"
#include "report/report_text.h"
#include "topo/topo_ocs.h"

#define put_sum loom_table_sum // short names
#define BOTH LOOM_BOTH
#define NO_PREDICTION LOOM_NO_PREDICTION
#define NO_MEASUREMENT LOOM_NO_MEASUREMENT

// Prints a lower bound, in the unit that was counted.
static void put_bound(struct loom_table *t, const struct loom_plan *plan, uint64_t lower_bound, const char *unit,
                      bool met)
{
	static const char *const texts[][2] = {
		[LOOM_BOUND_ANY] = {", whatever the placement", "; met: no placement does better"},
		[LOOM_BOUND_LINEAR] = {", of any linear map of the addresses",
	                               "; met: no linear map of the addresses does better"},
		[LOOM_BOUND_ORDERS] = {", of any order of the address bits",
	                               "; met: no order of the address bits does better"},
		[LOOM_BOUND_MINIMAL] = {", of any shortest routes in this placement",
	                                "; met: no shortest routes in this placement do better"},
		[LOOM_BOUND_PLACEMENT] = {", of any route in this placement",
	                                  "; met: in this placement no route does better"},
	};
	enum loom_bound bound = plan->bound;
	char text[100];
	if (bound == LOOM_BOUND_ORDERS && plan->n_order == 0)
		bound = LOOM_BOUND_PLACEMENT;
	if (bound == LOOM_BOUND_MINIMAL && plan->detours)
		(void)snprintf(text, sizeof text, "%s%s%" PRIu32 " hop%s longer than a shortest one%s", unit,
		               met ? "; met: no routes up to " : ", of any routes up to ", plan->detours,
		               loom_table_plural(plan->detours), met ? " do better" : "");
	else
		(void)snprintf(text, sizeof text, "%s%s", unit, texts[bound][met]);
	put_sum(t, "lower bound", lower_bound, 0, NO_MEASUREMENT, text);
}

// For routers that choose: prints the most and the least that the busiest channel carries.
static void put_may(struct loom_table *t, const struct loom_plan *plan)
{
	char text[120];
	(void)snprintf(text, sizeof text,
	               "messages at most on one channel in one pass, whatever routers choose; %" PRIu32 " at least",
	               loom_plan_contention(plan));
	put_sum(t, "by the rule", loom_plan_most_contention(plan), 0, NO_MEASUREMENT, text);
}

// Prints contention, which is that of the network's channels; the nodes' own channels have a row of their own.
static void put_contention(struct loom_table *t, const struct loom_plan *plan, const struct loom_verdict *v,
                           const struct loom_report_facts *facts)
{
	uint32_t own = loom_report_own_channels(plan, v, v->predicted);
	uint32_t measured = t->measured ? loom_report_own_channels(plan, v, v->measured) : 0;
	put_sum(t, "contention", v->predicted_contention, v->measured_contention, BOTH,
	        "most messages on one channel in one pass");
	if (own > 1 || measured > 1)
		put_sum(t, "nodes' own", own, measured, BOTH,
		        loom_topo_has_circuits(&plan->topo)
		                ? "messages on the busiest inject or eject channel: each has its time"
		                : "messages on the busiest inject or eject channel in one pass: they wait, too, but it "
		                  "is no "
		                  "contention of the network");
	if (plan->most)
		put_may(t, plan);
	if (plan->lower_bound_flits == 0)
		put_bound(t, plan, plan->lower_bound, "messages", plan->lower_bound == v->predicted_contention);
	if (plan->bound == LOOM_BOUND_MINIMAL || facts->lengths_differ)
		put_sum(t, "in flits", facts->contention_flits, 0, NO_MEASUREMENT,
		        "most flits on one channel in one pass");
	if (plan->lower_bound_flits)
		put_bound(t, plan, plan->lower_bound_flits, "flits",
		          plan->lower_bound_flits == facts->contention_flits);
}

static void put_passes(struct loom_table *t, const struct loom_plan *plan, const struct loom_report_facts *facts)
{
	static const char *const why[] = {
		[LOOM_PROOF_NONE] = "",
		[LOOM_PROOF_LOAD] = "",
		[LOOM_PROOF_CLIQUE] = ", as that number of messages conflict pairwise",
		[LOOM_PROOF_SEARCH] = ", as fewer were searched for and are not possible",
	};
	char passes[192];
	uint32_t least = facts->passes_least;
	bool optimal = plan->n_passes > 1 && facts->optimal;
	(void)snprintf(passes, sizeof passes, "at least %" PRIu32 " %s on these routes without contention%s%s%s", least,
	               plan->n_passes >= least ? "needed" : "would be needed", why[facts->proof],
	               optimal ? ": optimal" : "", plan->free_running ? "; no barrier between them" : "");
	put_sum(t, "passes", plan->n_passes, 0, NO_MEASUREMENT, passes);
}

// Prints nothing for plans that have no such run.
static void put_back_to_back(struct loom_table *t, const struct loom_verdict *v)
{
	uint64_t predicted = v->predicted_back_to_back_cycles, measured = v->measured_back_to_back_cycles;
	if (predicted)
		put_sum(t, "back to back", predicted, measured,
		        predicted == LOOM_CYCLES_UNKNOWN ? NO_PREDICTION
		        : measured                       ? BOTH
		                                         : NO_MEASUREMENT,
		        "from one START to the last tail, with the barriers between passes");
}

// Prints the result of placing the tasks.
static void put_placement(struct loom_table *t, const struct loom_plan *plan)
{
	const struct loom_plan_placement *p = &loom_plan_how_made(plan)->placement;
	char text[120];
	if (!p->how[0])
		return;
	if (p->row_major_flits == LOOM_FLITS_UNKNOWN)
		(void)snprintf(text, sizeof text, "flits on the busiest link, by %s; row by row cannot be planned",
		               p->how);
	else
		(void)snprintf(text, sizeof text, "flits on the busiest link%s, by %s; row by row %" PRIu64,
		               plan->n_passes > 1 ? ", all passes" : "", p->how, p->row_major_flits);
	put_sum(t, "placed", p->flits, 0, NO_MEASUREMENT, text);
}

// Prints the second best plan of planner "best", and the planners for which no time was left.
static void put_runner_up(struct loom_table *t, const struct loom_plan *plan)
{
	const struct loom_plan_contest *c = &loom_plan_how_made(plan)->contest;
	bool known = c->runner_up_cycles != LOOM_CYCLES_UNKNOWN;
	char text[200], left[60] = "";
	if (c->n_left)
		(void)snprintf(left, sizeof left, "; no time was left for %u planner%s", c->n_left,
		               loom_table_plural(c->n_left));
	if (c->runner_up[0]) {
		(void)snprintf(text, sizeof text, "%s planner %s, %s of %u%s%s",
		               known ? "cycles with barriers, by" : "messages wait:", c->runner_up,
		               known ? "the second best" : "second", c->n_tried,
		               known ? "" : ", as what cannot be predicted comes last, whatever it takes", left);
		put_sum(t, "runner-up", c->runner_up_cycles, 0, known ? NO_MEASUREMENT : NO_PREDICTION, text);
	} else if (c->n_tried) {
		(void)snprintf(text, sizeof text, "no other planner made a plan%s", left);
		put_sum(t, "runner-up", 0, 0, NO_PREDICTION, text);
	}
}

// Puts the routes by which messages go on a graph, where they have none of their own and routers choose none.
static void put_routing(struct loom_table *t, const struct loom_plan *plan)
{
	struct loom_graph_facts graph;
	char text[256];
	if (plan->routes.n || loom_plan_is_adaptive(plan) || !loom_topo_graph_facts(&graph, &plan->topo))
		return;
	bool counted = graph.lanes_needed <= LOOM_GRAPH_LANES_COUNTED;
	if (graph.routing == LOOM_GRAPH_SHORTEST)
		(void)snprintf(text, sizeof text,
		               "of each link needed for shortest routes without deadlocks, which these are: it has %u",
		               plan->topo.n_vcs);
	else
		(void)snprintf(
			text, sizeof text,
			"of each link %swould be needed for shortest routes without deadlocks: it has %u, so these "
			"are up*/down* from node %s",
			counted ? "" : "or more ", plan->topo.n_vcs, graph.wires->name[graph.root]);
	put_sum(t, "lanes", graph.lanes_needed, 0, NO_MEASUREMENT, text);
}

// Puts what failed of the network.
static void put_failed(struct loom_table *t, const struct loom_plan *plan)
{
	struct loom_failure_facts f;
	char text[400];
	if (!loom_topo_failure_facts(&f, &plan->topo))
		return;
	loom_topo_failed_text(text, sizeof text, &plan->topo);
	put_sum(t, "failed", f.n_links, 0, NO_MEASUREMENT,
	        text + strcspn(text, " ") + 1); // its number is in the column
}

static void put_latency(struct loom_table *t, const struct loom_verdict *v)
{
	char text[120];
	if (!t->measured || v->latency.n == 0)
		return;
	(void)snprintf(text, sizeof text,
	               "cycles from its release to its tail took the slowest message; %.1f on average",
	               (double)v->latency.sum / (double)v->latency.n);
	put_sum(t, "latency", 0, v->latency.most, NO_PREDICTION, text);
}

void loom_table_sums(struct loom_table *t, const struct loom_plan *plan, const struct loom_verdict *v,
                     const struct loom_report_facts *facts)
{
	uint64_t cycles_bound = facts->cycles_bound, one_pass = facts->one_pass_cycles;
	bool cycles_known = v->predicted_cycles != LOOM_CYCLES_UNKNOWN;
	put_contention(t, plan, v, facts);
	put_failed(t, plan);
	put_routing(t, plan);
	put_placement(t, plan);
	put_passes(t, plan, facts);
	if (plan->timing && plan->timing->n_serialised && plan->timing->n_serialised != LOOM_SERIALISED_UNKNOWN)
		put_sum(t, "serialised", plan->timing->n_serialised, 0, NO_MEASUREMENT,
		        "messages and computations behind what they do not need: a node does one thing after the "
		        "other");
	loom_table_moves(t, plan, v);
	loom_table_circuits(t, plan);
	put_sum(t, "cycles", v->predicted_cycles, v->measured_cycles, cycles_known ? BOTH : NO_PREDICTION,
	        plan->timing ? "until the last tail has arrived and all programs are done"
	                     : "until the last tail has arrived");
	put_latency(t, v);
	if (cycles_bound && plan->n_passes > 1)
		put_sum(t, "", cycles_bound, 0, NO_MEASUREMENT,
		        cycles_bound == v->predicted_cycles
		                ? "cycles are needed on these routes without contention: met"
		                : "cycles or more are needed on these routes without contention");
	put_back_to_back(t, v);
	put_runner_up(t, plan);
	if (one_pass)
		put_sum(t, "in one pass", one_pass, 0, NO_MEASUREMENT,
		        "cycles or more (--planner direct): this plan is the best by contention, maybe not by time");
	if (!t->measured && cycles_known && v->predicted_blocked_cycles > 0)
		put_sum(t, "blocked", v->predicted_blocked_cycles, 0, NO_MEASUREMENT, "cycles in which a header waits");
	if (t->measured) {
		put_sum(t, "delivered", v->messages, v->delivered_messages, BOTH, "messages");
		put_sum(t, "", v->flits, v->delivered_flits, BOTH, "flits");
		put_sum(t, "corrupt", 0, v->corrupt_flits, BOTH, "flits");
		put_sum(t, "blocked", v->predicted_blocked_cycles, v->blocked_cycles,
		        cycles_known ? BOTH : NO_PREDICTION, "cycles in which a header waited");
	}
}

void loom_table_one_pass(struct loom_table *t, unsigned rules)
{
	char text[128] = "not free of contention by any rule";
	size_t used = 0;
	for (unsigned rule = 0; rule < LOOM_RULES_MAX; rule++)
		if (rules >> rule & 1)
			used += (size_t)snprintf(text + used, sizeof text - used, "%s%s",
			                         used ? ", " : "free of contention by rule ", loom_rule_name(rule));
	(void)fprintf(t->stream, "%-15s %10s", "as it is", rules ? "yes" : "no");
	(void)fprintf(t->stream, t->measured ? " %10s   " : "%s   ", "");
	loom_table_text(t, t->measured ? 40 : 29, text);
	loom_table_end_line(t);
}
