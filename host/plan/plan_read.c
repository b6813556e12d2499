// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
// Reads a plan from a file. plan_json.h describes the format.
#include <inttypes.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/circuits.h>
#include <flitloom/routes/choice.h>
#include <flitloom/routes/deadlock.h>

#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "plan/cycles/objective.h"
#include "plan/plan_json.h"
#include "plan/plan_values.h"

#define BYTES_MAX ((size_t)1 << 29) // of a file: more than LOOM_MESSAGES_MAX messages over 10 hops each need

static int get_order(struct loom_plan *plan, const json_t *value, struct loom_err *err)
{
	uint32_t *list = NULL;
	if (json_is_null(value))
		return 0;
	size_t n = json_array_size(value);
	if (n < 1 || n > LOOM_GF2_MAX)
		return loom_fail(err, LOOM_EINPUT, "\"order\" is neither null nor a list of address bits");
	int rc = loom_plan_get_list(&list, value, "order", n, LOOM_GF2_MAX - 1, err);
	for (size_t d = 0; rc == 0 && d < n; d++)
		plan->order[d] = list[d];
	plan->n_order = rc == 0 ? (unsigned)n : 0;
	free(list);
	return rc;
}

static int get_passes(struct loom_plan *plan, const json_t *root, struct loom_err *err)
{
	int rc = loom_plan_get_number(&plan->n_passes, json_object_get(root, "passes"), "\"passes\"", LOOM_MESSAGES_MAX,
	                              err);
	if (rc == 0 && plan->n_passes < 1)
		rc = loom_fail(err, LOOM_EINPUT, "\"passes\" is 0");
	if (rc == 0)
		rc = loom_plan_get_list(&plan->member_of_pass, json_object_get(root, "member_of_pass"),
		                        "member_of_pass", plan->n_passes, plan->n_passes - 1, err);
	if (rc != 0)
		return rc;
	uint8_t *seen = calloc(plan->n_passes, 1);
	if (!seen)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for %" PRIu32 " passes", plan->n_passes);
	for (uint32_t pass = 0; pass < plan->n_passes; pass++) {
		uint32_t member = plan->member_of_pass[pass];
		seen[member] = 1;
		plan->n_members = member >= plan->n_members ? member + 1 : plan->n_members;
	}
	for (uint32_t member = 0; rc == 0 && member < plan->n_members; member++)
		if (!seen[member])
			rc = loom_fail(err, LOOM_EINPUT, "member %" PRIu32 " of %" PRIu32 " has no pass", member,
			               plan->n_members);
	free(seen);
	return rc;
}

static int get_message(struct loom_plan_message *out, const json_t *row, size_t i, struct loom_err *err)
{
	enum { PASS, SOURCE, DESTINATION, FLITS, RULE, FROM_SLOT, KEEP_SLOT, ORIGIN, N_COLUMNS };
	static const struct {
		const char *name;
		uint32_t most; // passes and nodes are compared with the plan's own numbers later
	} columns[N_COLUMNS] = {
		[PASS] = {"pass", UINT32_MAX},
		[SOURCE] = {"source", UINT32_MAX},
		[DESTINATION] = {"destination", UINT32_MAX},
		[FLITS] = {"flits", UINT32_MAX},
		[RULE] = {"rule", LOOM_RULES_NAMED - 1},
		[FROM_SLOT] = {"from_slot", UINT8_MAX},
		[KEEP_SLOT] = {"keep_slot", UINT8_MAX},
		[ORIGIN] = {"origin", LOOM_PLAN_MESSAGES_MAX - 1},
	};
	uint32_t value[N_COLUMNS];
	if (!json_is_array(row) || json_array_size(row) != N_COLUMNS)
		return loom_fail(err, LOOM_EINPUT, "messages[%zu] is not a list of %d numbers", i, N_COLUMNS);
	for (size_t k = 0; k < N_COLUMNS; k++) {
		char what[64];
		(void)snprintf(what, sizeof what, "%s of messages[%zu]", columns[k].name, i);
		int rc = loom_plan_get_number(&value[k], json_array_get(row, k), what, columns[k].most, err);
		if (rc != 0)
			return rc;
	}
	*out = (struct loom_plan_message){
		.pass = value[PASS],
		.source = value[SOURCE],
		.destination = value[DESTINATION],
		.flits = value[FLITS],
		.rule = (uint8_t)value[RULE],
		.from_slot = (uint8_t)value[FROM_SLOT],
		.keep_slot = (uint8_t)value[KEEP_SLOT],
		.origin = value[ORIGIN],
	};
	return 0;
}

static int get_messages(struct loom_plan *plan, const json_t *list, struct loom_err *err)
{
	if (!json_is_array(list) || json_array_size(list) > LOOM_PLAN_MESSAGES_MAX)
		return loom_fail(err, LOOM_EINPUT, "\"messages\" is not a list of %d at most", LOOM_MESSAGES_MAX);
	plan->n_messages = json_array_size(list);
	// Only a member without messages has a pass without any. So a small file cannot make the reader allocate a
	// million passes.
	if (plan->n_passes > plan->n_messages + !plan->n_messages)
		return loom_fail(err, LOOM_EINPUT, "%" PRIu32 " passes for %zu messages", plan->n_passes,
		                 plan->n_messages);
	plan->messages = calloc(plan->n_messages + !plan->n_messages, sizeof *plan->messages);
	if (!plan->messages)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for %zu messages", plan->n_messages);
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < plan->n_messages; i++)
		rc = get_message(&plan->messages[i], json_array_get(list, i), i, err);
	return rc;
}

// Reads the nodes through which messages go. plan_check.c checks them with everything else.
static int get_vias(struct loom_plan *plan, const json_t *list, struct loom_err *err)
{
	uint32_t *via = NULL;
	int rc = loom_plan_get_list(&via, list, "via", plan->n_messages, UINT32_MAX, err);
	for (size_t i = 0; rc == 0 && i < plan->n_messages; i++)
		plan->messages[i].via = via[i];
	free(via);
	return rc;
}

// Reads the routes. They are checked with everything else.
static int get_routes(struct loom_plan *plan, const json_t *list, struct loom_err *err)
{
	struct loom_routes *r = &plan->routes;
	size_t n_links = 0;
	if (!json_is_array(list) || json_array_size(list) != plan->n_messages || plan->n_messages == 0)
		return loom_fail(err, LOOM_EINPUT, "\"routes\" is not a list of %zu, one for each message",
		                 plan->n_messages);
	for (size_t i = 0; i < plan->n_messages; i++)
		n_links += json_array_size(json_array_get(list, i));
	r->first = malloc((plan->n_messages + 1) * sizeof *r->first);
	r->channel = malloc((n_links + 1) * sizeof *r->channel);
	if (!r->first || !r->channel)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for %zu routes", plan->n_messages);
	r->first[0] = 0;
	for (size_t i = 0; i < plan->n_messages; i++) {
		const json_t *row = json_array_get(list, i);
		char what[64];
		uint32_t *links = NULL;
		(void)snprintf(what, sizeof what, "routes[%zu]", i);
		size_t n = json_array_size(row);
		if (!json_is_array(row))
			return loom_fail(err, LOOM_EINPUT, "\"%s\" is not a list of channels", what);
		int rc = loom_plan_get_list(&links, row, what, n, loom_topo_channels(&plan->topo) - 1, err);
		if (rc != 0)
			return rc;
		if (n)
			memcpy(r->channel + r->first[i], links, n * sizeof *links);
		free(links);
		r->first[i + 1] = r->first[i] + n;
	}
	r->n = plan->n_messages;
	return 0;
}

static int get_fabric(struct loom_plan *plan, const json_t *root, struct loom_err *err)
{
	char fabric[sizeof plan->topo.name];
	const json_t *graph = json_object_get(root, "graph"), *failed = json_object_get(root, "failed");
	int rc = failed ? loom_plan_get_name(fabric, sizeof fabric, json_object_get(failed, "whole"), "whole", err)
	                : loom_plan_get_name(fabric, sizeof fabric, json_object_get(root, "fabric"), "fabric", err);
	bool is_graph = rc == 0 && strncmp(fabric, "graph:", 6) == 0;
	if (rc == 0 && is_graph != (graph != NULL))
		rc = loom_fail(err, LOOM_EINPUT, "fabric %.120s %s \"graph\", its nodes and links", fabric,
		               is_graph ? "needs" : "has no");
	if (rc != 0)
		return rc;
	struct loom_topo topo;
	rc = is_graph ? loom_plan_get_graph(&topo, fabric, graph, err) : loom_topo_parse(&topo, fabric, err);
	if (rc == 0 && failed)
		rc = loom_plan_get_failed(&plan->topo, &topo, failed, err);
	else if (rc == 0)
		plan->topo = topo;
	return rc;
}

static int get_plan(struct loom_plan *plan, const json_t *root, struct loom_err *err)
{
	static const char *const keys[] = {
		"flitloom",     "version",        "fabric",   "pattern",   "planner",     "map",    "order",   "passes",
		"free_running", "member_of_pass", "messages", "predicted", "half_duplex", "routes", "detours", "graph",
		"labels",       "timing",         "failed",   "select",    "dark",        "via",    "turns"};
	// These keys may be missing, and mean then: half_duplex: the plan was written before there was a choice;
	// routes, labels, timing: there are none; detours, select: 0; graph: the fabric is none; failed: nothing
	// failed; dark: there are no circuit switches, or it is 0; via: no ways were drawn; turns: the rule is not
	// "turns".
	enum { MAY_LACK = 11 };
	uint32_t version = 0;
	// The kind of file is checked first: of another kind or a later version the rest has no known meaning.
	const char *kind = json_string_value(json_object_get(root, "flitloom"));
	if (!kind || strcmp(kind, "plan") != 0)
		return loom_fail(err, LOOM_EINPUT, "not a plan: it has no \"flitloom\": \"plan\"");
	int rc = loom_plan_get_number(&version, json_object_get(root, "version"), "\"version\"", INT32_MAX, err);
	if (rc == 0 && version != LOOM_PLAN_VERSION)
		rc = loom_fail(err, LOOM_EINPUT, "a plan of version %" PRIu32 ", this program reads version %d",
		               version, LOOM_PLAN_VERSION);
	if (rc == 0)
		rc = loom_plan_check_keys(root, "the plan", keys, sizeof keys / sizeof keys[0], MAY_LACK, err);
	if (rc != 0)
		return rc;

	rc = get_fabric(plan, root, err);
	if (rc == 0 && json_object_get(root, "turns"))
		rc = loom_plan_get_turns(&plan->topo, json_object_get(root, "turns"), err);
	if (rc == 0)
		rc = loom_plan_get_name(plan->pattern, sizeof plan->pattern, json_object_get(root, "pattern"),
		                        "pattern", err);
	if (rc == 0)
		rc = loom_plan_get_name(plan->planner, sizeof plan->planner, json_object_get(root, "planner"),
		                        "planner", err);
	if (rc == 0)
		rc = loom_plan_get_list(&plan->map, json_object_get(root, "map"), "map", plan->topo.n_nodes, UINT32_MAX,
		                        err);
	if (rc == 0)
		rc = get_order(plan, json_object_get(root, "order"), err);
	if (rc == 0)
		rc = get_passes(plan, root, err);
	if (rc == 0 && !json_is_boolean(json_object_get(root, "free_running")))
		rc = loom_fail(err, LOOM_EINPUT, "\"free_running\" is neither true nor false");
	plan->free_running = json_is_true(json_object_get(root, "free_running"));
	const json_t *half_duplex = json_object_get(root, "half_duplex");
	if (rc == 0 && half_duplex && !json_is_boolean(half_duplex))
		rc = loom_fail(err, LOOM_EINPUT, "\"half_duplex\" is neither true nor false");
	plan->half_duplex = json_is_true(half_duplex);
	if (rc == 0 && plan->half_duplex && loom_topo_links(&plan->topo) == 0)
		rc = loom_fail(err, LOOM_EINPUT, "\"half_duplex\": %s has no links with two directions",
		               plan->topo.name);
	if (rc == 0 && json_object_get(root, "select"))
		rc = loom_plan_get_number(&plan->select, json_object_get(root, "select"), "\"select\"",
		                          LOOM_SELECT_CREDITS, err);
	if (rc == 0)
		rc = get_messages(plan, json_object_get(root, "messages"), err);
	if (rc == 0 && json_object_get(root, "via"))
		rc = get_vias(plan, json_object_get(root, "via"), err);
	if (rc == 0 && json_object_get(root, "routes"))
		rc = get_routes(plan, json_object_get(root, "routes"), err);
	if (rc == 0 && json_object_get(root, "detours"))
		rc = loom_plan_get_number(&plan->detours, json_object_get(root, "detours"), "\"detours\"",
		                          LOOM_DETOURS_MAX, err);
	if (rc == 0 && json_object_get(root, "labels"))
		rc = loom_plan_get_list(&plan->label, json_object_get(root, "labels"), "labels", plan->n_messages,
		                        UINT32_MAX, err);
	if (rc == 0 && json_object_get(root, "dark"))
		rc = loom_plan_get_number(&plan->dark, json_object_get(root, "dark"), "\"dark\"",
		                          LOOM_CIRCUIT_DARK_MOST, err);
	if (rc == 0 && json_object_get(root, "timing"))
		rc = loom_plan_get_timing(plan, json_object_get(root, "timing"), err);
	if (rc == 0)
		rc = loom_plan_get_predicted(plan, json_object_get(root, "predicted"), err);
	return rc;
}

int loom_plan_parse(struct loom_plan *out, const char *text, size_t length, const char *where, struct loom_err *err)
{
	struct loom_plan plan = {0};
	struct loom_err inner = {0};
	json_error_t at;
	if (length > BYTES_MAX)
		return loom_fail(err, LOOM_EINPUT, "%.120s: %zu bytes, a plan has %zu at most", where, length,
		                 BYTES_MAX);
	json_t *root = loom_json_read(text, length, &at);
	if (!root && at.line < 0)
		return loom_fail(err, LOOM_ENOMEM, "%.120s: out of memory for %zu bytes of JSON", where, length);
	if (!root)
		return loom_fail(err, LOOM_EINPUT, "%.120s: line %d, column %d: not JSON: %.160s", where, at.line,
		                 at.column > 0 ? at.column : 1, at.text);
	int rc = get_plan(&plan, root, &inner);
	json_decref(root);
	if (rc == 0)
		rc = loom_deadlock_check(&plan, &inner);
	if (rc == 0)
		rc = loom_objective_check(&plan, &inner);
	if (rc != 0) {
		loom_plan_free(&plan);
		return loom_fail(err, rc, "%.120s: %.270s", where, inner.text);
	}
	*out = plan;
	return 0;
}

int loom_plan_read(struct loom_plan *out, const char *path, struct loom_err *err)
{
	char *text = NULL;
	char where[121];
	size_t length = 0;
	int rc = loom_file_read(&text, &length, path, BYTES_MAX, err);
	if (rc == 0)
		rc = loom_plan_parse(out, text, length, loom_text_where(where, sizeof where, path), err);
	free(text);
	return rc;
}
