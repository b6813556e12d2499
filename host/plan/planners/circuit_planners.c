// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Planners for optical circuit switches. flitloom/circuits.h makes the schedule. Each of its parcels becomes a message
// of the plan, with the cycle in which it leaves.
#include <inttypes.h>
#include <stdlib.h>

#include <flitloom/circuits.h>

#include "plan/planners/budget.h"
#include "plan/planners/planners.h"
#include "topo/topo_ocs.h"

#define FLITS_MOST 65535u // the longest message that the chip of a simulation takes
// The cycles from the end of the slot that brings a message to a relay until it can leave: its tail is in the node a
// cycle after it was sent, and has been read in the next cycle.
#define RELAY_CYCLES 2

static bool accepts(const struct loom_topo *topo, const struct loom_pattern *pattern)
{
	return loom_topo_has_circuits(topo) && pattern->n_members == 1 && !pattern->timing;
}

// Makes the demand of the pattern between the N nodes. The plan has a port of each node on each switch.
static int make_demand(struct loom_demand *out, const struct loom_plan *plan, const struct loom_pattern *pattern,
                       struct loom_err *err)
{
	struct loom_pattern of_nodes = *pattern;
	of_nodes.n_nodes = plan->topo.extent[0];
	return loom_demand_of_pattern(out, &of_nodes, err);
}

// Tells a search if it must stop: the time is up, or the caller says so.
static bool is_over(void *user)
{
	return !loom_budget_spend(user, UINT64_MAX); // more steps than there are, so the clock is read
}

// The messages of a plan that is being made: first those to the sender itself, which never leave their nodes, then the
// parcels.
struct writing {
	struct loom_plan_message *message;
	uint32_t *at; // by message: its cycle, from 1; 0: none
	size_t n;
};

static size_t pieces_of(uint32_t flits)
{
	return (flits + FLITS_MOST - 1) / FLITS_MOST;
}

static void add(struct writing *w, uint32_t source, uint32_t destination, uint32_t flits, uint64_t at)
{
	w->message[w->n] = (struct loom_plan_message){.source = source, .destination = destination, .flits = flits};
	w->at[w->n++] = (uint32_t)at;
}

static void add_parcel(struct writing *w, const struct loom_circuit_schedule *s, const struct loom_circuit_parcel *p,
                       uint64_t light)
{
	const uint32_t first = p->on * s->n_nodes;
	for (uint32_t done = 0, now; done < p->flits; done += now) {
		now = p->flits - done < FLITS_MOST ? p->flits - done : FLITS_MOST;
		add(w, first + p->source, first + p->destination, now, light + p->begin + done + 1);
	}
}

static int write_messages(struct writing *w, const struct loom_plan *plan, const struct loom_circuit_schedule *s,
                          struct loom_err *err)
{
	size_t n = plan->n_messages, most = 0;
	for (size_t i = 0; i < s->n_parcels; i++)
		n += pieces_of(s->parcel[i].flits);
	for (uint32_t on = 0; on < s->n_switches; on++)
		most = s->on[on].n_slots > most ? s->on[on].n_slots : most;
	if (n > LOOM_PLAN_MESSAGES_MAX || s->makespan >= LOOM_GATE_CYCLES_MOST)
		return loom_fail(err, LOOM_EINPUT,
		                 "a schedule of %zu messages and %" PRIu64
		                 " cycles; a plan has %d messages and %" PRIu32 " cycles at most",
		                 n, s->makespan, LOOM_PLAN_MESSAGES_MAX, LOOM_GATE_CYCLES_MOST - 1);
	w->message = calloc(n + 1, sizeof *w->message);
	w->at = calloc(n + 1, sizeof *w->at);
	uint64_t *light = calloc(most + 1, sizeof *light);
	if (!w->message || !w->at || !light) {
		free(light);
		return loom_fail(err, LOOM_ENOMEM, "out of memory for the %zu messages of a schedule", n);
	}
	for (size_t i = 0; i < plan->n_messages; i++)
		if (plan->messages[i].source == plan->messages[i].destination)
			add(w, plan->messages[i].source, plan->messages[i].source, plan->messages[i].flits, 0);
	for (size_t i = 0; i < s->n_parcels; i++) {
		if (i == 0 || s->parcel[i].on != s->parcel[i - 1].on)
			loom_circuit_begins(light, s, s->parcel[i].on);
		add_parcel(w, s, &s->parcel[i], light[s->parcel[i].slot]);
	}
	free(light);
	return 0;
}

static struct loom_timing *timing_of(const struct writing *w, uint32_t n_nodes)
{
	size_t n = 0;
	for (size_t i = 0; i < w->n; i++)
		n += w->at[i] != 0;
	struct loom_timing *t = loom_timing_new(w->n, n_nodes, n);
	if (!t)
		return NULL;
	n = 0;
	for (size_t i = 0; i < w->n; i++) {
		if (w->at[i])
			t->gate[n++] = (struct loom_gate){.kind = LOOM_GATE_AT, .value = w->at[i]};
		t->first[i + 1] = n;
	}
	for (size_t place = w->n; place < w->n + n_nodes; place++)
		t->first[place + 1] = n;
	return t;
}

// Stores the demand, its schedule and its bound in the plan.
static int make_schedule(struct loom_plan *plan, const struct loom_planner_request *request, struct loom_err *err)
{
	const struct loom_plan_options *o = request->options;
	const bool is_timed = o->budget_seconds > 0;
	struct loom_budget budget;
	loom_budget_begin(&budget, o, UINT64_MAX);
	const struct loom_circuit_options options = {.planner = plan->planner,
	                                             .n_switches = plan->topo.n_nodes / plan->topo.extent[0],
	                                             .dark = o->dark_given ? o->dark : LOOM_DARK_USUAL,
	                                             .relay = o->relay,
	                                             .relay_cycles = RELAY_CYCLES,
	                                             .seed = o->seed,
	                                             .budget = is_timed        ? UINT64_MAX
	                                                       : o->most_steps ? o->most_steps
	                                                                       : LOOM_CIRCUIT_BUDGET,
	                                             .stopped = is_timed ? is_over : o->stopped,
	                                             .user = is_timed ? &budget : o->user};
	struct loom_circuits *c = calloc(1, sizeof *c);
	if (!c)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for a schedule");
	plan->making->circuits = c;
	int rc = make_demand(&c->demand, plan, request->pattern, err);
	if (rc == 0)
		rc = loom_circuit_plan(&c->schedule, &c->demand, &options, err);
	if (rc == 0)
		rc = loom_circuit_check(&c->schedule, &c->demand, err);
	return rc == 0 ? loom_circuit_bound_find(&c->bound, &c->demand, &options, err) : rc;
}

static int plan_circuits(struct loom_plan *plan, const struct loom_planner_request *request, struct loom_err *err)
{
	struct writing w = {0};
	int rc = make_schedule(plan, request, err);
	if (rc == 0)
		rc = write_messages(&w, plan, &plan->making->circuits->schedule, err);
	if (rc == 0 && !(plan->timing = timing_of(&w, plan->topo.n_nodes)))
		rc = loom_fail(err, LOOM_ENOMEM, "out of memory for the timing of %zu messages", w.n);
	if (rc == 0)
		plan->dark = plan->making->circuits->schedule.dark;
	if (rc == 0)
		rc = loom_planner_set_messages(plan, w.message, w.n, 1, err);
	else
		free(w.message);
	free(w.at);
	return rc == 0 ? loom_plan_predict(plan, err) : rc;
}

#define PLANNER(name_, help_, searches_)                                                                               \
	const struct loom_planner loom_planner_##name_ = {                                                             \
		.name = #name_,                                                                                        \
		.help = (help_),                                                                                       \
		.accepts = accepts,                                                                                    \
		.plan = plan_circuits,                                                                                 \
		.bound = LOOM_BOUND_ANY,                                                                               \
		.searches = (searches_),                                                                               \
		.takes = LOOM_TAKES_CIRCUITS,                                                                          \
	};
PLANNER(light, "optical circuits: the least makespan found, by several starts, then changes; --budget, --relay", true)
PLANNER(rotor,
        "optical circuits: the rows of a Latin square for the same time each; with relays also in two rounds "
        "[Valiant82]",
        false)
PLANNER(birkhoff, "optical circuits: matchings of all nodes, each until one of its pairs is done [Birkhoff46]", false)
PLANNER(solstice, "optical circuits: the same as birkhoff, by pairs with most left first [Liu15]", false)
PLANNER(eclipse, "optical circuits: the matching with most flits per cycle, dark ones included [Venkatakrishnan16]",
        false)
