// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <flitloom/report.h>

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "report/report_admissible.h"
#include "report/report_text.h"

// jansson knows signed integers only.
static json_t *number(uint64_t value)
{
	return json_integer(value > (uint64_t)INT64_MAX ? INT64_MAX : (json_int_t)value);
}

static json_t *text_of(const char *text)
{
	char clean[512];
	loom_report_text(clean, sizeof clean, text);
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
		bad |= json_object_set_new(group, "max", number(groups[g].max));
		bad |= json_object_set_new(group, "sum", number(groups[g].sum));
		bad |= json_array_append_new(list, group);
	}
	return bad | json_object_set_new(object, "groups", list);
}

static int predicted_to(json_t *root, const struct loom_plan *plan, const struct loom_verdict *verdict)
{
	int bad = 0;
	json_t *object = json_object();
	uint64_t cycles = verdict->predicted_cycles;
	bad |= json_object_set_new(object, "contention", number(verdict->predicted_contention));
	bad |= json_object_set_new(object, "cycles", cycles == LOOM_CYCLES_UNKNOWN ? json_null() : number(cycles));
	bad |= groups_to(object, verdict->predicted, verdict->n_groups);
	bad |= json_object_set_new(object, "lower_bound", number(plan->lower_bound));
	if (plan->objective[0]) {
		json_t *objective = json_object();
		bad |= json_object_set_new(objective, "name", text_of(plan->objective));
		bad |= json_object_set_new(objective, "value", number(plan->objective_value));
		bad |= json_object_set_new(object, "objective", objective);
	}
	if (plan->objective[0] || plan->n_members > 1) {
		json_t *members = json_array();
		for (uint32_t i = 0; i < plan->n_members; i++) {
			json_t *member = json_object();
			bad |= json_object_set_new(member, "contention", number(plan->member_contention[i]));
			bad |= json_array_append_new(members, member);
		}
		bad |= json_object_set_new(object, "members", members);
	}
	return bad | json_object_set_new(root, "predicted", object);
}

static int measured_to(json_t *root, const struct loom_verdict *verdict)
{
	int bad = 0;
	json_t *object = json_object();
	bad |= json_object_set_new(object, "contention", number(verdict->measured_contention));
	bad |= json_object_set_new(object, "cycles", number(verdict->measured_cycles));
	bad |= groups_to(object, verdict->measured, verdict->n_groups);
	bad |= json_object_set_new(object, "delivered_messages", number(verdict->delivered_messages));
	bad |= json_object_set_new(object, "delivered_flits", number(verdict->delivered_flits));
	bad |= json_object_set_new(object, "corrupt_flits", number(verdict->corrupt_flits));
	bad |= json_object_set_new(object, "blocked_cycles", number(verdict->blocked_cycles));
	return bad | json_object_set_new(root, "measured", object);
}

static int map_to(json_t *root, const struct loom_plan *plan)
{
	int bad = 0;
	json_t *list = json_array();
	for (uint32_t i = 0; i < (plan->n_order ? plan->n_order : plan->topo.n_nodes); i++)
		bad |= json_array_append_new(list, number(plan->n_order ? plan->order[i] : plan->map[i]));
	return bad | json_object_set_new(root, "map", list);
}

static int mismatches_to(json_t *root, const struct loom_verdict *verdict)
{
	int bad = 0;
	json_t *list = json_array();
	for (size_t i = 0; i < verdict->n_mismatches && i < LOOM_MISMATCHES_KEPT; i++)
		bad |= json_array_append_new(list, text_of(verdict->mismatches[i]));
	bad |= json_object_set_new(root, "mismatches", list);
	return bad | json_object_set_new(root, "mismatch_count", number(verdict->n_mismatches));
}

// Null where the question does not arise.
static int admissible_to(json_t *root, const struct loom_plan *plan, const struct loom_report_admissible *a)
{
	if (!a->asked)
		return json_object_set_new(root, "admissible", json_null());
	int bad = 0;
	char stage[LOOM_NODES_MAX / 2 + 1];
	json_t *object = json_object(), *messages = json_array(), *settings = json_array();
	for (unsigned s = 0; a->passes && s < a->n_stages; s++) {
		loom_report_admissible_stage(stage, a, s);
		bad |= json_array_append_new(settings, json_string(stage));
	}
	for (unsigned i = 0; !a->passes && i < 2; i++) {
		const struct loom_plan_message *m = &plan->messages[a->message[i]];
		json_t *message = json_object();
		bad |= json_object_set_new(message, "source", number(m->source));
		bad |= json_object_set_new(message, "destination", number(m->destination));
		bad |= json_array_append_new(messages, message);
	}
	bad |= json_object_set_new(object, "passes", json_boolean(a->passes));
	bad |= json_object_set_new(object, "stage", a->passes ? json_null() : number(a->stage));
	bad |= json_object_set_new(object, "switch", a->passes ? json_null() : number(a->the_switch));
	bad |= json_object_set_new(object, "messages", messages);
	bad |= json_object_set_new(object, "settings", settings);
	return bad | json_object_set_new(root, "admissible", object);
}

int loom_report_json(FILE *stream, const struct loom_plan *plan, const struct loom_verdict *verdict, int measured,
                     struct loom_err *err)
{
	struct loom_report_admissible admissible;
	int bad = 0, rc = loom_report_admissible_make(&admissible, plan, err);
	if (rc != 0)
		return rc;
	json_t *root = json_object();
	bad |= json_object_set_new(root, "fabric", text_of(plan->topo.name));
	bad |= json_object_set_new(root, "pattern", text_of(plan->pattern));
	bad |= json_object_set_new(root, "planner", text_of(plan->planner));
	bad |= json_object_set_new(root, "nodes", number(plan->topo.n_nodes));
	bad |= json_object_set_new(root, "passes", number(plan->n_passes));
	bad |= json_object_set_new(root, "passes_bound", number(plan->passes_bound));
	bad |= json_object_set_new(root, "free_running", json_boolean(plan->free_running));
	bad |= json_object_set_new(root, "messages", number(verdict->messages));
	bad |= json_object_set_new(root, "flits", number(verdict->flits));
	bad |= map_to(root, plan);
	bad |= admissible_to(root, plan, &admissible);
	bad |= predicted_to(root, plan, verdict);
	if (measured) {
		bad |= measured_to(root, verdict);
		bad |= json_object_set_new(root, "verdict", json_string(verdict->n_mismatches ? "fail" : "pass"));
	} else {
		bad |= json_object_set_new(root, "measured", json_null());
		bad |= json_object_set_new(root, "verdict", json_null());
	}
	bad |= mismatches_to(root, verdict);

	char *text = bad ? NULL : json_dumps(root, JSON_COMPACT);
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
