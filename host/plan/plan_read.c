// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
// A plan out of a file. plan_json.h says what it looks like.
#include <inttypes.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/deadlock.h>
#include <flitloom/planner.h>

#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "plan/plan_json.h"

#define BYTES_MAX ((size_t)1 << 29) // of a file: more than LOOM_MESSAGES_MAX messages over 10 hops each need

// Fails unless `object` is one with exactly these keys.
static int check_keys(const json_t *object, const char *what, const char *const *keys, size_t n_keys,
                      struct loom_err *err)
{
	const char *key;
	json_t *value;
	if (!json_is_object(object))
		return loom_fail(err, LOOM_EINPUT, "%s is not an object", what);
	for (size_t i = 0; i < n_keys; i++)
		if (!json_object_get(object, keys[i]))
			return loom_fail(err, LOOM_EINPUT, "%s: \"%s\" is missing", what, keys[i]);
	if (json_object_size(object) == n_keys)
		return 0;
	json_object_foreach((json_t *)(uintptr_t)object, key, value) {
		bool known = false;
		for (size_t i = 0; i < n_keys; i++)
			known = known || strcmp(key, keys[i]) == 0;
		if (!known)
			return loom_fail(err, LOOM_EINPUT, "%s: unknown key \"%.40s\"", what, key);
	}
	return 0;
}

static int get_number(uint32_t *out, const json_t *value, const char *what, uint32_t most, struct loom_err *err)
{
	if (!json_is_integer(value) || json_integer_value(value) < 0 || json_integer_value(value) > most)
		return loom_fail(err, LOOM_EINPUT, "%s is not an integer in 0..%" PRIu32, what, most);
	*out = (uint32_t)json_integer_value(value);
	return 0;
}

// What a person may be shown: it fits, and has no control characters.
static int get_name(char *out, size_t size, const json_t *value, const char *what, struct loom_err *err)
{
	const char *text = json_string_value(value);
	if (!text || json_string_length(value) >= size)
		return loom_fail(err, LOOM_EINPUT, "\"%s\" is not a string of less than %zu bytes", what, size);
	for (const char *c = text; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			return loom_fail(err, LOOM_EINPUT, "\"%s\" has a control character", what);
	(void)snprintf(out, size, "%s", text);
	return 0;
}

// *out is malloc'ed; n numbers, no more and no less.
static int get_list(uint32_t **out, const json_t *value, const char *what, size_t n, uint32_t most,
                    struct loom_err *err)
{
	if (!json_is_array(value) || json_array_size(value) != n)
		return loom_fail(err, LOOM_EINPUT, "\"%s\" is not a list of %zu numbers", what, n);
	uint32_t *list = calloc(n + !n, sizeof *list);
	if (!list)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for %zu numbers", n);
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < n; i++) {
		char item[64];
		(void)snprintf(item, sizeof item, "%s[%zu]", what, i);
		rc = get_number(&list[i], json_array_get(value, i), item, most, err);
	}
	if (rc == 0)
		*out = list;
	else
		free(list);
	return rc;
}

static int get_order(struct loom_plan *plan, const json_t *value, struct loom_err *err)
{
	uint32_t *list = NULL;
	if (json_is_null(value))
		return 0;
	size_t n = json_array_size(value);
	if (n < 1 || n > LOOM_GF2_MAX)
		return loom_fail(err, LOOM_EINPUT, "\"order\" is neither null nor a list of address bits");
	int rc = get_list(&list, value, "order", n, LOOM_GF2_MAX - 1, err);
	for (size_t d = 0; rc == 0 && d < n; d++)
		plan->order[d] = list[d];
	plan->n_order = rc == 0 ? (unsigned)n : 0;
	free(list);
	return rc;
}

static int get_passes(struct loom_plan *plan, const json_t *root, struct loom_err *err)
{
	int rc = get_number(&plan->n_passes, json_object_get(root, "passes"), "\"passes\"", LOOM_MESSAGES_MAX, err);
	if (rc == 0 && plan->n_passes < 1)
		rc = loom_fail(err, LOOM_EINPUT, "\"passes\" is 0");
	if (rc == 0)
		rc = get_list(&plan->member_of_pass, json_object_get(root, "member_of_pass"), "member_of_pass",
		              plan->n_passes, plan->n_passes - 1, err);
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
		uint32_t most; // passes and nodes are held to the plan's own numbers later
	} columns[N_COLUMNS] = {
		[PASS] = {"pass", UINT32_MAX},
		[SOURCE] = {"source", UINT32_MAX},
		[DESTINATION] = {"destination", UINT32_MAX},
		[FLITS] = {"flits", UINT32_MAX},
		[RULE] = {"rule", 1},
		[FROM_SLOT] = {"from_slot", UINT8_MAX},
		[KEEP_SLOT] = {"keep_slot", UINT8_MAX},
		[ORIGIN] = {"origin", LOOM_MESSAGES_MAX - 1},
	};
	uint32_t value[N_COLUMNS];
	if (!json_is_array(row) || json_array_size(row) != N_COLUMNS)
		return loom_fail(err, LOOM_EINPUT, "messages[%zu] is not a list of %d numbers", i, N_COLUMNS);
	for (size_t k = 0; k < N_COLUMNS; k++) {
		char what[64];
		(void)snprintf(what, sizeof what, "%s of messages[%zu]", columns[k].name, i);
		int rc = get_number(&value[k], json_array_get(row, k), what, columns[k].most, err);
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
	if (!json_is_array(list) || json_array_size(list) > LOOM_MESSAGES_MAX)
		return loom_fail(err, LOOM_EINPUT, "\"messages\" is not a list of %d at most", LOOM_MESSAGES_MAX);
	plan->n_messages = json_array_size(list);
	// A pass without any message is a member without any; a small file must not be able to ask for a million.
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

static int get_objective(struct loom_plan *plan, const json_t *value, struct loom_err *err)
{
	static const char *const keys[] = {"name", "value"}, *const names[] = {"maxmax", "maxsum", "sumsum"};
	if (json_is_null(value))
		return 0;
	int rc = check_keys(value, "\"objective\"", keys, sizeof keys / sizeof keys[0], err);
	if (rc == 0)
		rc = get_name(plan->objective, sizeof plan->objective, json_object_get(value, "name"), "name", err);
	if (rc != 0)
		return rc;
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strcmp(names[i], plan->objective) == 0)
			return 0;
	return loom_fail(err, LOOM_EINPUT, "objective \"%s\" is not maxmax, maxsum or sumsum", plan->objective);
}

static int get_theory(struct loom_plan *plan, const json_t *value, struct loom_err *err)
{
	unsigned n_groups = loom_topo_groups(&plan->topo);
	if (json_is_null(value))
		return 0;
	if (!json_is_array(value) || json_array_size(value) != plan->n_passes)
		return loom_fail(err, LOOM_EINPUT, "\"theory\" is neither null nor a row per pass");
	size_t n = (size_t)plan->n_passes * n_groups;
	plan->theory = calloc(n, sizeof *plan->theory);
	if (!plan->theory)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for %zu theoretical loads", n);
	plan->n_theory = n;
	for (uint32_t pass = 0; pass < plan->n_passes; pass++) {
		const json_t *row = json_array_get(value, pass);
		if (json_array_size(row) != n_groups)
			return loom_fail(err, LOOM_EINPUT, "theory[%" PRIu32 "] is not a list of %u numbers", pass,
			                 n_groups);
		for (unsigned g = 0; g < n_groups; g++) {
			const json_t *item = json_array_get(row, g);
			uint32_t *out = &plan->theory[(size_t)pass * n_groups + g];
			char what[48];
			(void)snprintf(what, sizeof what, "theory[%" PRIu32 "][%u]", pass, g);
			int rc = json_is_null(item) ? 0 : get_number(out, item, what, LOOM_THEORY_NONE - 1, err);
			if (rc != 0)
				return rc;
			if (json_is_null(item))
				*out = LOOM_THEORY_NONE;
		}
	}
	return 0;
}

// --- What the file predicts against what its messages do -------------------------------------------------------------

static int compare(const json_t *value, const char *what, uint64_t ours, struct loom_err *err)
{
	uint32_t theirs = 0;
	if (ours == LOOM_CYCLES_UNKNOWN && json_is_null(value))
		return 0;
	if (ours == LOOM_CYCLES_UNKNOWN)
		return loom_fail(err, LOOM_EINPUT, "%s is predicted, but there is contention: null would be right",
		                 what);
	if (json_is_integer(value) && json_integer_value(value) >= 0 && (uint64_t)json_integer_value(value) == ours)
		return 0;
	int rc = get_number(&theirs, value, what, UINT32_MAX, err);
	if (rc != 0)
		return rc;
	return loom_fail(err, LOOM_EINPUT, "%s is predicted as %" PRIu32 ", but the messages come to %" PRIu64, what,
	                 theirs, ours);
}

static int compare_list(const json_t *list, const char *what, const struct loom_plan *plan, bool of_passes,
                        struct loom_err *err)
{
	size_t n = of_passes ? plan->n_passes : plan->n_members;
	if (!json_is_array(list) || json_array_size(list) != n)
		return loom_fail(err, LOOM_EINPUT, "\"%s\" is not a list of %zu", what, n);
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < n; i++) {
		char item[64];
		(void)snprintf(item, sizeof item, "%s[%zu]", what, i);
		rc = compare(json_array_get(list, i), item, of_passes ? plan->cycles[i] : plan->member_contention[i],
		             err);
	}
	return rc;
}

// The rows must be exactly the loads which are not 0, in their order.
static int compare_loads(const json_t *list, const struct loom_plan *plan, struct loom_err *err)
{
	const struct loom_topo *topo = &plan->topo;
	uint32_t n_channels = loom_topo_channels(topo);
	size_t n_loads = (size_t)plan->n_passes * n_channels, row = 0;
	if (!json_is_array(list))
		return loom_fail(err, LOOM_EINPUT, "\"load\" is not a list");
	for (size_t i = 0; i < n_loads; i++) {
		if (plan->load[i] == 0)
			continue;
		uint32_t *value = NULL;
		char what[64], channel[48];
		(void)snprintf(what, sizeof what, "load[%zu]", row);
		loom_topo_channel_name(topo, (uint32_t)(i % n_channels), channel);
		if (row >= json_array_size(list))
			return loom_fail(err, LOOM_EINPUT, "\"load\" ends before pass %zu, channel %zu (%s)",
			                 i / n_channels, i % n_channels, channel);
		int rc = get_list(&value, json_array_get(list, row), what, 3, UINT32_MAX, err);
		if (rc != 0)
			return rc;
		bool same = value[0] == i / n_channels && value[1] == i % n_channels && value[2] == plan->load[i];
		if (!same)
			rc = loom_fail(err, LOOM_EINPUT,
			               "%s is [%" PRIu32 ", %" PRIu32 ", %" PRIu32
			               "], but the messages come to [%zu, %zu, %" PRIu32 "]: channel %s",
			               what, value[0], value[1], value[2], i / n_channels, i % n_channels,
			               plan->load[i], channel);
		free(value);
		if (rc != 0)
			return rc;
		row++;
	}
	if (row != json_array_size(list))
		return loom_fail(err, LOOM_EINPUT, "\"load\" has %zu rows, but only %zu channels are used",
		                 json_array_size(list), row);
	return 0;
}

// theory[g]: the load of every used channel of the group.
static int compare_theory(const struct loom_plan *plan, struct loom_err *err)
{
	const struct loom_topo *topo = &plan->topo;
	uint32_t n_channels = loom_topo_channels(topo);
	unsigned n_groups = loom_topo_groups(topo);
	for (uint32_t pass = 0; plan->n_theory && pass < plan->n_passes; pass++) {
		const uint32_t *theory = plan->theory + (size_t)pass * n_groups;
		const uint32_t *load = plan->load + (size_t)pass * n_channels;
		for (uint32_t c = 0; c < n_channels; c++) {
			uint32_t claimed = theory[loom_topo_group_of(topo, c)];
			if (load[c] == 0 || load[c] == claimed || claimed == LOOM_THEORY_NONE)
				continue;
			char channel[48];
			loom_topo_channel_name(topo, c, channel);
			return loom_fail(err, LOOM_EINPUT,
			                 "theory gives channel %s %" PRIu32 " messages in pass %" PRIu32
			                 ", but it has %" PRIu32,
			                 channel, claimed, pass, load[c]);
		}
		for (unsigned g = 0; g < n_groups; g++) {
			bool used = theory[g] == 0 || theory[g] == LOOM_THEORY_NONE;
			for (uint32_t c = 0; !used && c < n_channels; c++)
				used = load[c] && loom_topo_group_of(topo, c) == g;
			if (!used)
				return loom_fail(err, LOOM_EINPUT,
				                 "theory gives group %u %" PRIu32 " messages in pass %" PRIu32
				                 ", but no channel of it is used",
				                 g, theory[g], pass);
		}
	}
	return 0;
}

static int get_predicted(struct loom_plan *plan, const json_t *predicted, struct loom_err *err)
{
	static const char *const keys[] = {"contention", "cycles",  "lower_bound", "passes_bound",
	                                   "objective",  "members", "load",        "theory"};
	int rc = check_keys(predicted, "\"predicted\"", keys, sizeof keys / sizeof keys[0], err);
	if (rc == 0)
		rc = get_objective(plan, json_object_get(predicted, "objective"), err);
	if (rc == 0)
		rc = get_theory(plan, json_object_get(predicted, "theory"), err);
	if (rc == 0)
		rc = loom_plan_predict(plan, err);
	if (rc == 0)
		rc = compare(json_object_get(predicted, "contention"), "contention", loom_plan_contention(plan), err);
	if (rc == 0)
		rc = compare(json_object_get(predicted, "passes_bound"), "passes_bound", plan->passes_bound, err);
	if (rc == 0)
		rc = compare_list(json_object_get(predicted, "cycles"), "cycles", plan, true, err);
	if (rc == 0)
		rc = compare_list(json_object_get(predicted, "members"), "members", plan, false, err);
	if (rc == 0 && plan->objective[0])
		rc = compare(json_object_get(json_object_get(predicted, "objective"), "value"), "the objective",
		             plan->objective_value, err);
	if (rc == 0)
		rc = compare_loads(json_object_get(predicted, "load"), plan, err);
	if (rc == 0)
		rc = compare_theory(plan, err);
	if (rc == 0)
		rc = get_number(&plan->lower_bound, json_object_get(predicted, "lower_bound"),
		                "lower_bound, at most the contention,", loom_plan_contention(plan), err);
	// The file does not say of what the bound is; a planner that is not known here gets the weakest claim.
	const struct loom_planner *planner = loom_planner_named(plan->planner);
	plan->bound = planner ? planner->bound : LOOM_BOUND_PLACEMENT;
	return rc;
}

static int get_plan(struct loom_plan *plan, const json_t *root, struct loom_err *err)
{
	static const char *const keys[] = {"flitloom", "version",  "fabric", "pattern",      "planner",
	                                   "map",      "order",    "passes", "free_running", "member_of_pass",
	                                   "messages", "predicted"};
	uint32_t version = 0;
	// What it is comes first: of another file, or a later version, nothing else can be said.
	const char *kind = json_string_value(json_object_get(root, "flitloom"));
	if (!kind || strcmp(kind, "plan") != 0)
		return loom_fail(err, LOOM_EINPUT, "not a plan: it has no \"flitloom\": \"plan\"");
	int rc = get_number(&version, json_object_get(root, "version"), "\"version\"", INT32_MAX, err);
	if (rc == 0 && version != LOOM_PLAN_VERSION)
		rc = loom_fail(err, LOOM_EINPUT, "a plan of version %" PRIu32 ", this program reads version %d",
		               version, LOOM_PLAN_VERSION);
	if (rc == 0)
		rc = check_keys(root, "the plan", keys, sizeof keys / sizeof keys[0], err);
	if (rc != 0)
		return rc;

	char fabric[sizeof plan->topo.name];
	rc = get_name(fabric, sizeof fabric, json_object_get(root, "fabric"), "fabric", err);
	if (rc == 0)
		rc = loom_topo_parse(&plan->topo, fabric, err);
	if (rc == 0)
		rc = get_name(plan->pattern, sizeof plan->pattern, json_object_get(root, "pattern"), "pattern", err);
	if (rc == 0)
		rc = get_name(plan->planner, sizeof plan->planner, json_object_get(root, "planner"), "planner", err);
	if (rc == 0)
		rc = get_list(&plan->map, json_object_get(root, "map"), "map", plan->topo.n_nodes, UINT32_MAX, err);
	if (rc == 0)
		rc = get_order(plan, json_object_get(root, "order"), err);
	if (rc == 0)
		rc = get_passes(plan, root, err);
	if (rc == 0 && !json_is_boolean(json_object_get(root, "free_running")))
		rc = loom_fail(err, LOOM_EINPUT, "\"free_running\" is neither true nor false");
	plan->free_running = json_is_true(json_object_get(root, "free_running"));
	if (rc == 0)
		rc = get_messages(plan, json_object_get(root, "messages"), err);
	if (rc == 0)
		rc = get_predicted(plan, json_object_get(root, "predicted"), err);
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
