// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A plan as a file. One JSON object, every key present, no other:
//
//   {
//     "flitloom": "plan",
//     "version": 1,
//     "fabric": "cube:2",                  as loom_topo_parse takes it
//     "pattern": "transpose",              for people; one line
//     "planner": "lcc",                    likewise
//     "map": [0, 2, 1, 3],                 physical node of each virtual processor
//     "order": [1, 0] or null,             the bit order behind the map: physical bit d is virtual bit order[d]
//     "passes": 1,
//     "member_of_pass": [0],               which communication of the set each pass belongs to
//     "messages": [                        in ascending order of pass
//       [pass, source, destination, flits, rule, from_slot, keep_slot, origin], ...
//     ],
//     "predicted": {
//       "contention": 1,                   over all passes, local channels left out
//       "cycles": [20] or [null],          per pass; null: not known, the pass has contention
//       "lower_bound": 1,                  at most the contention
//       "objective": null or {"name": "maxmax", "value": 1},
//       "members": [1],                    contention of each member
//       "load": [[pass, channel, messages], ...],   what is not 0, ascending
//       "theory": null or [[of every group], ...]   a row per pass; null in a row: no statement
//     }
//   }
//
// Numbers are integers. What can be recomputed is, and must come out the same.
#include "plan.h"

#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"

#define VERSION 1
#define BYTES_MAX ((size_t)1 << 29) // of a file: more than LOOM_MESSAGES_MAX messages over 10 hops each need
#define NO_STATEMENT UINT32_MAX     // in theory

// --- Writing -------------------------------------------------------------------------------------------------------

// Names are for people: whatever would not survive a reader (bytes that are not UTF-8, control characters) becomes '?'.
static json_t *name_to_json(const char *name)
{
	char copy[128];
	(void)snprintf(copy, sizeof copy, "%s", name);
	for (char *c = copy; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = '?';
	json_t *text = json_string(copy);
	for (char *c = copy; !text && *c; c++)
		if (*c & 0x80)
			*c = '?';
	return text ? text : json_string(copy);
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
	(void)fprintf(stream, "],\n\t\t\"lower_bound\": %" PRIu32 ",\n\t\t\"objective\": ", plan->lower_bound);
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
	unsigned n_groups = plan->topo.kind->groups(&plan->topo);
	for (size_t i = 0; i < plan->n_theory; i++) {
		(void)fputs(i == 0 ? "[[" : i % n_groups == 0 ? "], [" : ", ", stream);
		if (plan->theory[i] == NO_STATEMENT)
			(void)fputs("null", stream);
		else
			(void)fprintf(stream, "%" PRIu32, plan->theory[i]);
	}
	(void)fputs(plan->n_theory ? "]]\n\t}\n" : "null\n\t}\n", stream);
}

static int put_plan(FILE *stream, const void *user)
{
	const struct loom_plan *plan = user;
	(void)fprintf(stream, "{\n\t\"flitloom\": \"plan\",\n\t\"version\": %d,\n\t\"fabric\": \"%s\",\n", VERSION,
	              plan->topo.name);
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
	(void)fprintf(stream, "\"passes\": %" PRIu32 ",\n\t", plan->n_passes);
	put_list(stream, "member_of_pass", plan->member_of_pass, plan->n_passes, ",\n");
	put_messages(stream, plan);
	put_predicted(stream, plan);
	(void)fputs("}\n", stream);
	return 0;
}

int loom_plan_write(const struct loom_plan *plan, const char *path, struct loom_err *err)
{
	return loom_file_write(path, put_plan, plan, err);
}

// --- Reading -------------------------------------------------------------------------------------------------------

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
	unsigned n_groups = plan->topo.kind->groups(&plan->topo);
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
			int rc = json_is_null(item) ? 0 : get_number(out, item, what, NO_STATEMENT - 1, err);
			if (rc != 0)
				return rc;
			if (json_is_null(item))
				*out = NO_STATEMENT;
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
		topo->kind->channel_name(topo, (uint32_t)(i % n_channels), channel);
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
	unsigned n_groups = topo->kind->groups(topo);
	for (uint32_t pass = 0; plan->n_theory && pass < plan->n_passes; pass++) {
		const uint32_t *theory = plan->theory + (size_t)pass * n_groups;
		const uint32_t *load = plan->load + (size_t)pass * n_channels;
		for (uint32_t c = 0; c < n_channels; c++) {
			uint32_t claimed = theory[topo->kind->group_of(topo, c)];
			if (load[c] == 0 || load[c] == claimed || claimed == NO_STATEMENT)
				continue;
			char channel[48];
			topo->kind->channel_name(topo, c, channel);
			return loom_fail(err, LOOM_EINPUT,
			                 "theory gives channel %s %" PRIu32 " messages in pass %" PRIu32
			                 ", but it has %" PRIu32,
			                 channel, claimed, pass, load[c]);
		}
		for (unsigned g = 0; g < n_groups; g++) {
			bool used = theory[g] == 0 || theory[g] == NO_STATEMENT;
			for (uint32_t c = 0; !used && c < n_channels; c++)
				used = load[c] && topo->kind->group_of(topo, c) == g;
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
	static const char *const keys[] = {"contention", "cycles", "lower_bound", "objective",
	                                   "members",    "load",   "theory"};
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
	return rc;
}

static int get_plan(struct loom_plan *plan, const json_t *root, struct loom_err *err)
{
	static const char *const keys[] = {"flitloom", "version", "fabric",         "pattern",  "planner",  "map",
	                                   "order",    "passes",  "member_of_pass", "messages", "predicted"};
	uint32_t version = 0;
	// What it is comes first: of another file, or a later version, nothing else can be said.
	const char *kind = json_string_value(json_object_get(root, "flitloom"));
	if (!kind || strcmp(kind, "plan") != 0)
		return loom_fail(err, LOOM_EINPUT, "not a plan: it has no \"flitloom\": \"plan\"");
	int rc = get_number(&version, json_object_get(root, "version"), "\"version\"", INT32_MAX, err);
	if (rc == 0 && version != VERSION)
		rc = loom_fail(err, LOOM_EINPUT, "a plan of version %" PRIu32 ", this program reads version %d",
		               version, VERSION);
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
	json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &at);
	if (!root)
		return loom_fail(err, LOOM_EINPUT, "%.120s:%d:%d: not JSON: %.160s", where, at.line, at.column,
		                 at.text);
	int rc = get_plan(&plan, root, &inner);
	json_decref(root);
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
	size_t length = 0;
	int rc = loom_file_read(&text, &length, path, BYTES_MAX, err);
	if (rc == 0)
		rc = loom_plan_parse(out, text, length, path, err);
	free(text);
	return rc;
}
