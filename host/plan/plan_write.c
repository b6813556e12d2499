// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
// Writes a plan to a file. plan_json.h describes the format.
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>

#include <flitloom/routes/failures.h>
#include <flitloom/routes/forbidden_turns.h>
#include <flitloom/routes/graph.h>
#include <flitloom/routes/via.h>
#include <flitloom/plan.h>

#include "base/file.h"
#include "base/text.h"
#include "plan/plan_json.h"

// Returns a name as JSON. Names are for people, so characters that a reader would not take (bytes that are not UTF-8,
// control characters) become '?'.
static json_t *name_to_json(const char *name)
{
	char copy[128];
	(void)snprintf(copy, sizeof copy, "%s", name);
	loom_text_clean(copy);
	return json_string(copy);
}

static int put_name(FILE *stream, const char *key, const char *name)
{
	json_t *text = name_to_json(name);
	if (!text)
		return -1;
	(void)fprintf(stream, "\t\"%s\": ", key);
	int rc = json_dumpf(text, stream, JSON_ENCODE_ANY);
	json_decref(text);
	(void)fputs(",\n", stream);
	return rc;
}

static void put_list(FILE *stream, const char *key, const uint32_t *value, size_t n, const char *end)
{
	(void)fprintf(stream, "\"%s\": [", key);
	for (size_t i = 0; i < n; i++)
		(void)fprintf(stream, "%s%" PRIu32, i ? ", " : "", value[i]);
	(void)fprintf(stream, "]%s", end);
}

static void put_messages(FILE *stream, const struct loom_plan *plan)
{
	(void)fputs("\t\"messages\": [", stream);
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		(void)fprintf(stream,
		              "%s\n\t\t[%" PRIu32 ", %" PRIu32 ", %" PRIu32 ", %" PRIu32 ", %d, %d, %d, %" PRIu32 "]",
		              i ? "," : "", m->pass, m->source, m->destination, m->flits, m->rule, m->from_slot,
		              m->keep_slot, m->origin);
	}
	(void)fputs("\n\t],\n", stream);
}

// Writes the nodes through which messages go, if the plan has them.
static void put_vias(FILE *stream, const struct loom_plan *plan)
{
	if (!loom_plan_has_vias(plan))
		return;
	(void)fputs("\t\"via\": [", stream);
	for (size_t i = 0; i < plan->n_messages; i++)
		(void)fprintf(stream, "%s%" PRIu32, i ? ", " : "", plan->messages[i].via);
	(void)fputs("],\n", stream);
}

// Writes the routes, if the plan has them.
static void put_routes(FILE *stream, const struct loom_plan *plan)
{
	if (plan->routes.n == 0)
		return;
	if (plan->detours)
		(void)fprintf(stream, "\t\"detours\": %" PRIu32 ",\n", plan->detours);
	(void)fputs("\t\"routes\": [", stream);
	for (size_t i = 0; i < plan->routes.n; i++) {
		(void)fputs(i ? ",\n\t\t[" : "\n\t\t[", stream);
		for (size_t k = plan->routes.first[i]; k < plan->routes.first[i + 1]; k++)
			(void)fprintf(stream, "%s%" PRIu32, k > plan->routes.first[i] ? ", " : "",
			              plan->routes.channel[k]);
		(void)fputs("]", stream);
	}
	(void)fputs("\n\t],\n", stream);
}

// Writes the labels of the routes, if the user gave them.
static void put_labels(FILE *stream, const struct loom_plan *plan)
{
	if (!plan->label)
		return;
	(void)fputc('\t', stream);
	put_list(stream, "labels", plan->label, plan->n_messages, ",\n");
}

// Writes the cycles of darkness, if the plan is for circuit switches.
static void put_dark(FILE *stream, const struct loom_plan *plan)
{
	if (plan->topo.kind->router == LOOM_ROUTER_CIRCUITS)
		(void)fprintf(stream, "\t\"dark\": %" PRIu32 ",\n", plan->dark);
}

// Writes the timing, if the plan has it.
static void put_timing(FILE *stream, const struct loom_plan *plan)
{
	const struct loom_timing *t = plan->timing;
	const char *comma = "";
	if (!t)
		return;
	(void)fputs("\t\"timing\": [", stream);
	for (size_t place = 0; place < plan->n_messages + plan->topo.n_nodes; place++)
		for (size_t g = t->first[place]; g < t->first[place + 1]; g++, comma = ",") {
			const struct loom_gate *gate = &t->gate[g];
			(void)fprintf(stream, "%s\n\t\t[%zu, \"%s\", %" PRIu32, comma, place,
			              loom_gate_name(gate->kind), gate->value);
			if (gate->kind == LOOM_GATE_WAIT)
				(void)fprintf(stream, ", %" PRIu32, gate->source);
			(void)fputs("]", stream);
		}
	(void)fputs("\n\t],\n", stream);
}

static void put_predicted(FILE *stream, const struct loom_plan *plan)
{
	uint32_t n_channels = loom_topo_channels(&plan->topo);
	(void)fprintf(stream, "\t\"predicted\": {\n\t\t\"contention\": %" PRIu32 ",\n\t\t\"cycles\": [",
	              loom_plan_contention(plan));
	for (uint32_t pass = 0; pass < plan->n_passes; pass++)
		if (plan->cycles[pass] == LOOM_CYCLES_UNKNOWN)
			(void)fprintf(stream, "%snull", pass ? ", " : "");
		else
			(void)fprintf(stream, "%s%" PRIu64, pass ? ", " : "", plan->cycles[pass]);
	(void)fprintf(stream,
	              "],\n\t\t\"lower_bound\": %" PRIu32 ",\n\t\t\"passes_bound\": %" PRIu32
	              ",\n\t\t\"optimal\": %s,\n",
	              plan->lower_bound, plan->passes_bound, loom_plan_is_optimal(plan) ? "true" : "false");
	if (plan->passes_proved)
		(void)fprintf(stream, "\t\t\"passes_proved\": {\"passes\": %" PRIu32 ", \"by\": \"%s\"},\n",
		              plan->passes_proved, loom_proof_name(plan->proof));
	else
		(void)fputs("\t\t\"passes_proved\": null,\n", stream);
	if (plan->lower_bound_flits)
		(void)fprintf(stream, "\t\t\"lower_bound_flits\": %" PRIu64 ",\n", plan->lower_bound_flits);
	(void)fputs("\t\t\"objective\": ", stream);
	if (plan->objective[0])
		(void)fprintf(stream, "{\"name\": \"%s\", \"value\": %" PRIu64 "},\n\t\t", plan->objective,
		              plan->objective_value);
	else
		(void)fputs("null,\n\t\t", stream);
	put_list(stream, "members", plan->member_contention, plan->n_members, ",\n\t\t\"load\": [");
	bool first = true;
	for (uint32_t pass = 0; pass < plan->n_passes; pass++)
		for (uint32_t c = 0; c < n_channels; c++) {
			uint32_t load = plan->load[(size_t)pass * n_channels + c];
			if (load)
				(void)fprintf(stream, "%s\n\t\t\t[%" PRIu32 ", %" PRIu32 ", %" PRIu32 "]",
				              first ? "" : ",", pass, c, load);
			first = first && !load;
		}
	(void)fputs("\n\t\t],\n\t\t\"theory\": ", stream);
	unsigned n_groups = loom_topo_groups(&plan->topo);
	for (size_t i = 0; i < plan->n_theory; i++) {
		(void)fputs(i == 0 ? "[[" : i % n_groups == 0 ? "], [" : ", ", stream);
		if (plan->theory[i] == LOOM_THEORY_NONE)
			(void)fputs("null", stream);
		else
			(void)fprintf(stream, "%" PRIu32, plan->theory[i]);
	}
	(void)fputs(plan->n_theory ? "]]\n\t}\n" : "null\n\t}\n", stream);
}

// Writes the delays of all links, and behind them those of the other direction if any differs.
static void put_delays(FILE *stream, const struct loom_graph_wires *wires)
{
	bool differ = false;
	(void)fputs(",\n\t\t\"delays\": [", stream);
	for (uint32_t i = 0; i < wires->n_links; i++) {
		const struct loom_graph_link *link = &wires->link[i];
		(void)fprintf(stream, "%s%u", i ? ", " : "", link->delay);
		differ = differ || (link->both && link->delay_back != link->delay);
	}
	(void)fputs(differ ? "],\n\t\t\"delays_back\": [" : "", stream);
	for (uint32_t i = 0; differ && i < wires->n_links; i++)
		(void)fprintf(stream, "%s%u", i ? ", " : "", wires->link[i].both ? wires->link[i].delay_back : 0);
	(void)fputs("]", stream);
}

// Writes the graph, so that the plan does not depend on the graph's file. Other kinds follow from their name.
static void put_graph(FILE *stream, const struct loom_topo *topo)
{
	struct loom_graph_facts graph;
	struct loom_failure_facts failure;
	topo = loom_topo_failure_facts(&failure, topo) ? failure.whole : topo;
	if (topo->kind->make || !loom_topo_graph_facts(&graph, topo))
		return;
	(void)fputs("\t\"graph\": {\n\t\t\"nodes\": [", stream);
	for (uint32_t i = 0; i < graph.wires->n_nodes; i++)
		(void)fprintf(stream, "%s\"%s\"", i ? ", " : "", graph.wires->name[i]);
	(void)fputs("],\n\t\t\"links\": [", stream);
	for (uint32_t i = 0; i < graph.wires->n_links; i++) {
		const struct loom_graph_link *link = &graph.wires->link[i];
		(void)fprintf(stream, "%s[%" PRIu32 ", %" PRIu32 ", %d]", i ? ", " : "", link->from, link->to,
		              link->both ? 2 : 1);
	}
	(void)fputs("]", stream);
	if (loom_topo_link_delays_differ(topo))
		put_delays(stream, graph.wires);
	if (graph.wires->n_switches > 0)
		(void)fprintf(stream, ",\n\t\t\"switches\": %" PRIu32, graph.wires->n_switches);
	(void)fputs("\n\t},\n", stream);
}

static void put_failed(FILE *stream, const struct loom_topo *topo)
{
	struct loom_failure_facts it;
	if (!loom_topo_failure_facts(&it, topo))
		return;
	(void)fprintf(stream, "\t\"failed\": {\n\t\t\"whole\": \"%s\",\n\t\t\"lanes\": %u,\n\t", it.whole->name,
	              topo->n_vcs);
	(void)put_name(stream, "text", it.failures->text);
	(void)fputs("\t\t", stream);
	put_list(stream, "links", it.failures->link, it.failures->n_links, ",\n\t\t");
	put_list(stream, "nodes", it.failures->node, it.failures->n_nodes, "\n\t},\n");
}

// Writes the turns that no message takes, if the fabric has such turns.
static void put_turns(FILE *stream, const struct loom_topo *topo)
{
	const struct loom_turns *turns = loom_topo_turns(topo);
	const char *comma = "";
	uint32_t v;
	unsigned back;
	if (!turns)
		return;
	(void)fputs("\t\"turns\": [", stream);
	for (uint32_t u = 0; u < turns->n_nodes; u++)
		for (unsigned q = 0; q < turns->n_links; q++)
			for (unsigned p = 0; p < turns->n_links; p++) {
				const uint32_t at = u * turns->n_links + q;
				if (p == q || !(turns->forbidden[at] >> p & 1) || turns->from[at] == LOOM_TURNS_NONE ||
				    !topo->kind->link(topo, u, p, &v, &back))
					continue;
				(void)fprintf(stream, "%s[%" PRIu32 ", %u, %u]", comma, u, q, p);
				comma = ", ";
			}
	(void)fputs("],\n", stream);
}

static int put_plan(FILE *stream, const void *user)
{
	const struct loom_plan *plan = user;
	(void)fprintf(stream, "{\n\t\"flitloom\": \"plan\",\n\t\"version\": %d,\n\t\"fabric\": \"%s\",\n",
	              LOOM_PLAN_VERSION, plan->topo.name);
	put_graph(stream, &plan->topo);
	put_failed(stream, &plan->topo);
	put_turns(stream, &plan->topo);
	if (put_name(stream, "pattern", plan->pattern) != 0 || put_name(stream, "planner", plan->planner) != 0)
		return -1;
	(void)fputc('\t', stream);
	put_list(stream, "map", plan->map, plan->topo.n_nodes, ",\n\t");
	if (plan->n_order) {
		uint32_t order[LOOM_GF2_MAX];
		for (unsigned d = 0; d < plan->n_order; d++)
			order[d] = plan->order[d];
		put_list(stream, "order", order, plan->n_order, ",\n\t");
	} else {
		(void)fputs("\"order\": null,\n\t", stream);
	}
	(void)fprintf(stream, "\"passes\": %" PRIu32 ",\n\t\"free_running\": %s,\n\t\"half_duplex\": %s,\n\t",
	              plan->n_passes, plan->free_running ? "true" : "false", plan->half_duplex ? "true" : "false");
	put_list(stream, "member_of_pass", plan->member_of_pass, plan->n_passes, ",\n");
	if (plan->select)
		(void)fprintf(stream, "\t\"select\": %u,\n", plan->select);
	put_messages(stream, plan);
	put_vias(stream, plan);
	put_routes(stream, plan);
	put_labels(stream, plan);
	put_dark(stream, plan);
	put_timing(stream, plan);
	put_predicted(stream, plan);
	(void)fputs("}\n", stream);
	return 0;
}

int loom_plan_write(const struct loom_plan *plan, const char *path, struct loom_err *err)
{
	return loom_file_write(path, put_plan, plan, err);
}
