// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <flitloom/report.h>

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/goal.h>
#include <flitloom/routes/choice.h>
#include <flitloom/routes/failures.h>
#include <flitloom/routes/graph.h>

#include "base/json.h"
#include "base/text.h"
#include "report/report_admissible.h"
#include "report/report_circuits.h"
#include "report/report_facts.h"
#include "report/report_moves.h"
#include "report/report_request.h"
#include "topo/topo_min.h"

static json_t *text_of(const char *text)
{
	char clean[512];
	loom_text_show(clean, sizeof clean, text);
	return json_string(clean);
}

// Every set_new and append_new fails when it is given NULL: one check at the end is enough.
static int groups_to(json_t *object, const struct loom_group_count *groups, unsigned n)
{
	int bad = 0;
	json_t *list = json_array();
	for (unsigned g = 0; g < n; g++) {
		json_t *group = json_object();
		bad |= json_object_set_new(group, "name", text_of(groups[g].name));
		bad |= json_object_set_new(group, "max", loom_json_number(groups[g].max));
		bad |= json_object_set_new(group, "sum", loom_json_number(groups[g].sum));
		bad |= json_array_append_new(list, group);
	}
	return bad | json_object_set_new(object, "groups", list);
}

// Returns cycles; null if there are none, or no formula for them.
static json_t *optional(uint64_t cycles)
{
	return cycles == 0 || cycles == LOOM_CYCLES_UNKNOWN ? json_null() : loom_json_number(cycles);
}

static int predicted_to(json_t *root, const struct loom_plan *plan, const struct loom_verdict *verdict,
                        const struct loom_report_facts *facts)
{
	int bad = 0;
	json_t *object = json_object();
	uint64_t cycles = verdict->predicted_cycles, one_pass = facts->one_pass_cycles;
	bad |= json_object_set_new(object, "contention", loom_json_number(verdict->predicted_contention));
	if (plan->most) {
		json_t *may = json_object();
		bad |= json_object_set_new(may, "least", loom_json_number(loom_plan_contention(plan)));
		bad |= json_object_set_new(may, "most", loom_json_number(loom_plan_most_contention(plan)));
		bad |= json_object_set_new(object, "contention_by_rule", may);
	}
	bad |= json_object_set_new(object, "contention_flits", loom_json_number(facts->contention_flits));
	bad |= json_object_set_new(object, "own_channels",
	                           loom_json_number(loom_report_own_channels(plan, verdict, verdict->predicted)));
	bad |= json_object_set_new(object, "cycles",
	                           cycles == LOOM_CYCLES_UNKNOWN ? json_null() : loom_json_number(cycles));
	bad |= json_object_set_new(object, "blocked_cycles",
	                           verdict->predicted_blocked_cycles == LOOM_CYCLES_UNKNOWN
	                                   ? json_null()
	                                   : loom_json_number(verdict->predicted_blocked_cycles));
	bad |= json_object_set_new(object, "back_to_back_cycles", optional(verdict->predicted_back_to_back_cycles));
	bad |= json_object_set_new(object, "cycles_bound", optional(facts->cycles_bound));
	bad |= json_object_set_new(object, "one_pass_cycles", one_pass ? loom_json_number(one_pass) : json_null());
	bad |= groups_to(object, verdict->predicted, verdict->n_groups);
	bad |= loom_report_moves_to(object, plan, verdict->n_steps, verdict->predicted_steps,
	                            &verdict->predicted_moves);
	bad |= loom_report_moves_claim_to(object, plan);
	bad |= json_object_set_new(object, "lower_bound", loom_json_number(plan->lower_bound));
	bad |= json_object_set_new(object, "lower_bound_flits", optional(plan->lower_bound_flits));
	if (plan->objective[0]) {
		json_t *objective = json_object();
		bad |= json_object_set_new(objective, "name", text_of(plan->objective));
		bad |= json_object_set_new(objective, "value", loom_json_number(plan->objective_value));
		if (facts->cycles_least)
			bad |= json_object_set_new(objective, "least", loom_json_number(facts->cycles_least));
		bad |= json_object_set_new(object, "objective", objective);
	}
	if (loom_report_has_members(plan, facts)) {
		json_t *members = json_array();
		for (uint32_t i = 0; i < plan->n_members; i++) {
			json_t *member = json_object();
			bad |= json_object_set_new(member, "contention", loom_json_number(plan->member_contention[i]));
			bad |= json_array_append_new(members, member);
		}
		bad |= json_object_set_new(object, "members", members);
	}
	return bad | json_object_set_new(root, "predicted", object);
}

// Adds the latency, only for plans with timing.
static int latency_to(json_t *root, const struct loom_latency *latency)
{
	if (latency->n == 0)
		return 0;
	int bad = 0;
	json_t *object = json_object();
	bad |= json_object_set_new(object, "messages", loom_json_number(latency->n));
	bad |= json_object_set_new(object, "mean", json_real((double)latency->sum / (double)latency->n));
	bad |= json_object_set_new(object, "max", loom_json_number(latency->most));
	return bad | json_object_set_new(root, "latency", object);
}

static int measured_to(json_t *root, const struct loom_plan *plan, const struct loom_verdict *verdict)
{
	int bad = 0;
	json_t *object = json_object();
	bad |= json_object_set_new(object, "contention", loom_json_number(verdict->measured_contention));
	bad |= json_object_set_new(object, "own_channels",
	                           loom_json_number(loom_report_own_channels(plan, verdict, verdict->measured)));
	bad |= json_object_set_new(object, "cycles", loom_json_number(verdict->measured_cycles));
	bad |= json_object_set_new(object, "back_to_back_cycles", optional(verdict->measured_back_to_back_cycles));
	bad |= groups_to(object, verdict->measured, verdict->n_groups);
	bad |= loom_report_moves_to(object, plan, verdict->n_steps, verdict->measured_steps, &verdict->measured_moves);
	bad |= json_object_set_new(object, "delivered_messages", loom_json_number(verdict->delivered_messages));
	bad |= json_object_set_new(object, "delivered_flits", loom_json_number(verdict->delivered_flits));
	bad |= json_object_set_new(object, "corrupt_flits", loom_json_number(verdict->corrupt_flits));
	bad |= json_object_set_new(object, "blocked_cycles", loom_json_number(verdict->blocked_cycles));
	bad |= latency_to(object, &verdict->latency);
	return bad | json_object_set_new(root, "measured", object);
}

static int optimal_to(json_t *root, const struct loom_report_facts *facts)
{
	const char *by = loom_proof_name(facts->proof);
	int bad = json_object_set_new(root, "passes_least", loom_json_number(facts->passes_least));
	bad |= json_object_set_new(root, "passes_least_by", by ? json_string(by) : json_null());
	return bad | json_object_set_new(root, "optimal", json_boolean(facts->optimal));
}

// Adds the rules by which one pass would suffice, for permutations.
static int one_pass_to(json_t *root, bool is_permutation, unsigned rules)
{
	int bad = 0;
	json_t *list = is_permutation ? json_array() : json_null();
	for (unsigned rule = 0; is_permutation && rule < LOOM_RULES_MAX; rule++)
		if (rules >> rule & 1)
			bad |= json_array_append_new(list, json_string(loom_rule_name(rule)));
	return bad | json_object_set_new(root, "one_pass_rules", list);
}

static int map_to(json_t *root, const struct loom_plan *plan)
{
	int bad = 0;
	json_t *list = json_array();
	for (uint32_t i = 0; i < (plan->n_order ? plan->n_order : plan->topo.n_nodes); i++)
		bad |= json_array_append_new(list, loom_json_number(plan->n_order ? plan->order[i] : plan->map[i]));
	return bad | json_object_set_new(root, "map", list);
}

static int mismatches_to(json_t *root, const struct loom_verdict *verdict)
{
	int bad = 0;
	json_t *list = json_array();
	for (size_t i = 0; i < verdict->n_mismatches && i < LOOM_MISMATCHES_KEPT; i++)
		bad |= json_array_append_new(list, text_of(verdict->mismatches[i]));
	bad |= json_object_set_new(root, "mismatches", list);
	return bad | json_object_set_new(root, "mismatch_count", loom_json_number(verdict->n_mismatches));
}

// Adds "admissible", which is null if the test does not apply to the plan.
static int admissible_to(json_t *root, const struct loom_plan *plan, const struct loom_report_admissible *a)
{
	if (!a->asked)
		return json_object_set_new(root, "admissible", json_null());
	int bad = 0;
	char stage[LOOM_TOPO_MIN_NODES / 2 + 1];
	json_t *object = json_object(), *messages = json_array(), *settings = json_array();
	for (unsigned s = 0; a->passes && s < a->n_stages; s++) {
		loom_report_admissible_stage(stage, a, s);
		bad |= json_array_append_new(settings, json_string(stage));
	}
	for (unsigned i = 0; !a->passes && i < 2; i++) {
		const struct loom_plan_message *m = &plan->messages[a->message[i]];
		json_t *message = json_object();
		bad |= json_object_set_new(message, "source", loom_json_number(m->source));
		bad |= json_object_set_new(message, "destination", loom_json_number(m->destination));
		bad |= json_array_append_new(messages, message);
	}
	bad |= json_object_set_new(object, "passes", json_boolean(a->passes));
	bad |= json_object_set_new(object, "stage", a->passes ? json_null() : loom_json_number(a->stage));
	bad |= json_object_set_new(object, "switch", a->passes ? json_null() : loom_json_number(a->the_switch));
	bad |= json_object_set_new(object, "messages", messages);
	bad |= json_object_set_new(object, "settings", settings);
	return bad | json_object_set_new(root, "admissible", object);
}

// Adds "best_of", which is null unless planner "best" made the plan.
static int contest_to(json_t *root, const struct loom_plan *plan)
{
	const struct loom_plan_contest *c = &loom_plan_how_made(plan)->contest;
	if (c->n_tried == 0)
		return json_object_set_new(root, "best_of", json_null());
	int bad = 0;
	json_t *object = json_object();
	bad |= json_object_set_new(object, "tried", loom_json_number(c->n_tried));
	bad |= json_object_set_new(object, "left", loom_json_number(c->n_left));
	bad |= json_object_set_new(object, "runner_up", c->runner_up[0] ? text_of(c->runner_up) : json_null());
	bad |= json_object_set_new(object, "runner_up_cycles", optional(c->runner_up_cycles));
	return bad | json_object_set_new(root, "best_of", object);
}

// Adds the graph's facts, only for graphs, unless routers choose, who do not heed its routes. "lanes_needed": beyond LOOM_GRAPH_LANES_COUNTED they are not counted.
static int graph_to(json_t *root, const struct loom_plan *plan)
{
	struct loom_graph_facts graph;
	if (loom_plan_is_adaptive(plan) || !loom_topo_graph_facts(&graph, &plan->topo))
		return 0;
	int bad = 0;
	bool shortest = graph.routing == LOOM_GRAPH_SHORTEST, counted = graph.lanes_needed <= LOOM_GRAPH_LANES_COUNTED;
	json_t *object = json_object();
	bad |= json_object_set_new(object, "routing", json_string(shortest ? "shortest" : "up-down"));
	bad |= json_object_set_new(object, "root", shortest ? json_null() : text_of(graph.wires->name[graph.root]));
	bad |= json_object_set_new(object, "lanes", loom_json_number(plan->topo.n_vcs));
	bad |= json_object_set_new(object, "lanes_needed",
	                           counted ? loom_json_number(graph.lanes_needed) : json_null());
	return bad | json_object_set_new(root, "graph", object);
}

// Adds the failures, if there are any.
static int failures_to(json_t *root, const struct loom_plan *plan)
{
	struct loom_failure_facts f;
	const struct loom_topo *t = &plan->topo;
	if (!loom_topo_failure_facts(&f, t))
		return 0;
	json_t *object = json_object(), *links = json_array(), *nodes = json_array(), *cut_off = json_array();
	int bad = json_object_set_new(object, "whole", text_of(f.whole->name));
	for (size_t i = 0; i < f.failures->n_links; i++) {
		char name[48];
		loom_topo_channel_name(f.whole, f.failures->link[i], name);
		bad |= json_array_append_new(links, text_of(name));
	}
	for (uint32_t u = 0, i = 0; u < t->n_nodes; u++) {
		const bool failed = i < f.failures->n_nodes && f.failures->node[i] == u;
		i += failed;
		if (failed || !loom_topo_takes_part(t, u))
			bad |= json_array_append_new(failed ? nodes : cut_off, loom_json_number(u));
	}
	bad |= json_object_set_new(object, "links", links);
	bad |= json_object_set_new(object, "nodes", nodes);
	bad |= json_object_set_new(object, "dead_links", loom_json_number(f.n_links));
	bad |= json_object_set_new(object, "cut_off", cut_off);
	return bad | json_object_set_new(root, "failures", object);
}

// Adds the placement; null if the request has none.
static int placement_to(json_t *root, const struct loom_plan *plan)
{
	const struct loom_plan_placement *p = &loom_plan_how_made(plan)->placement;
	if (!p->how[0])
		return json_object_set_new(root, "placement", json_null());
	int bad = 0;
	json_t *object = json_object();
	bad |= json_object_set_new(object, "how", text_of(p->how));
	bad |= json_object_set_new(object, "flits", loom_json_number(p->flits));
	bad |= json_object_set_new(object, "row_major_flits",
	                           p->row_major_flits == LOOM_FLITS_UNKNOWN ? json_null()
	                                                                    : loom_json_number(p->row_major_flits));
	return bad | json_object_set_new(root, "placement", object);
}

int loom_report_json(FILE *stream, const struct loom_plan *plan, const struct loom_verdict *verdict, bool measured,
                     const struct loom_report_request *request, struct loom_err *err)
{
	struct loom_report_facts facts;
	int rc = loom_report_facts_make(&facts, plan, err);
	return rc ? rc : loom_report_json_with(stream, plan, verdict, &facts, measured, request, err);
}

int loom_report_json_with(FILE *stream, const struct loom_plan *plan, const struct loom_verdict *verdict,
                          const struct loom_report_facts *facts, bool measured,
                          const struct loom_report_request *request, struct loom_err *err)
{
	struct loom_report_admissible admissible;
	int bad = 0, rc = loom_report_admissible_make(&admissible, plan, err);
	if (rc != 0)
		return rc;
	json_t *root = json_object();
	bad |= json_object_set_new(root, "request", loom_report_request_json(request));
	bad |= json_object_set_new(root, "fabric", text_of(plan->topo.name));
	bad |= graph_to(root, plan);
	bad |= failures_to(root, plan);
	bad |= json_object_set_new(root, "pattern", text_of(plan->pattern));
	bad |= json_object_set_new(root, "planner", text_of(plan->planner));
	bad |= contest_to(root, plan);
	bad |= json_object_set_new(root, "nodes", loom_json_number(verdict->nodes));
	bad |= json_object_set_new(root, "passes", loom_json_number(plan->n_passes));
	bad |= json_object_set_new(root, "passes_bound", loom_json_number(plan->passes_bound));
	bad |= json_object_set_new(root, "free_running", json_boolean(plan->free_running));
	bad |= json_object_set_new(root, "half_duplex", json_boolean(plan->half_duplex));
	if (loom_plan_is_adaptive(plan))
		bad |= json_object_set_new(root, "select", json_string(loom_select_name(plan->select)));
	if (plan->timing && plan->timing->n_serialised && plan->timing->n_serialised != LOOM_SERIALISED_UNKNOWN)
		bad |= json_object_set_new(root, "serialised", loom_json_number(plan->timing->n_serialised));
	bad |= optimal_to(root, facts);
	bad |= one_pass_to(root, facts->is_permutation, facts->one_pass_rules);
	bad |= json_object_set_new(root, "messages", loom_json_number(verdict->messages));
	bad |= json_object_set_new(root, "flits", loom_json_number(verdict->flits));
	if (plan->topo.flit_bits)
		bad |= json_object_set_new(root, "flit_bits", loom_json_number(plan->topo.flit_bits));
	bad |= map_to(root, plan);
	bad |= placement_to(root, plan);
	bad |= admissible_to(root, plan, &admissible);
	bad |= loom_report_circuits_to(root, plan);
	bad |= predicted_to(root, plan, verdict, facts);
	if (measured) {
		bad |= measured_to(root, plan, verdict);
		bad |= json_object_set_new(root, "verdict", json_string(verdict->n_mismatches ? "fail" : "pass"));
	} else {
		bad |= json_object_set_new(root, "measured", json_null());
		bad |= json_object_set_new(root, "verdict", json_null());
	}
	bad |= mismatches_to(root, verdict);
	bad |= loom_report_loggops_to(root, request);

	char *text = bad ? NULL : loom_json_text(root);
	json_decref(root);
	loom_report_admissible_free(&admissible);
	if (!text)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for a report in JSON");
	errno = 0;
	bool written = fputs(text, stream) != EOF && fputc('\n', stream) != EOF && fflush(stream) == 0;
	int reason = errno;
	free(text);
	return written ? 0 : loom_fail(err, LOOM_EFILE, "a report in JSON cannot be written: %s", strerror(reason));
}
