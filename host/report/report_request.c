// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "report/report_request.h"

#include <stdlib.h>
#include <string.h>

#include <flitloom/version.h>

#include "base/json.h"
#include "report/report_text.h"

// A path may hold bytes that JSON does not take.
static json_t *text_or_null(const char *text)
{
	if (!text)
		return json_null();
	size_t size = strlen(text) + 1;
	char *clean = malloc(size);
	if (!clean)
		return NULL;
	loom_report_text(clean, size, text);
	json_t *string = json_string(clean);
	free(clean);
	return string;
}

static json_t *number_or_null(uint64_t value)
{
	return value ? loom_json_number(value) : json_null();
}

static json_t *command_of(const struct loom_report_request *request)
{
	if (!request->command)
		return json_null();
	json_t *list = json_array();
	int bad = 0;
	for (size_t i = 0; i < request->n_command; i++)
		bad |= json_array_append_new(list, text_or_null(request->command[i]));
	if (!bad)
		return list;
	json_decref(list);
	return NULL;
}

json_t *loom_report_request_json(const struct loom_report_request *request)
{
	int bad = 0;
	if (!request)
		return json_null();
	bool runs = request->link != NULL;
	json_t *object = json_object();
	bad |= json_object_set_new(object, "version", json_string(LOOM_VERSION));
	bad |= json_object_set_new(object, "command", command_of(request));
	bad |= json_object_set_new(object, "fabric", text_or_null(request->fabric));
	bad |= json_object_set_new(object, "pattern", text_or_null(request->pattern));
	bad |= json_object_set_new(object, "plan", text_or_null(request->plan));
	bad |= json_object_set_new(object, "flits", number_or_null(request->flits));
	bad |= json_object_set_new(object, "seed", loom_json_number(request->seed));
	bad |= json_object_set_new(object, "map", text_or_null(request->map));
	bad |= json_object_set_new(object, "planner", text_or_null(request->planner));
	bad |= json_object_set_new(object, "objective", text_or_null(request->objective));
	bad |= json_object_set_new(object, "half_duplex",
	                           request->plan ? json_null() : json_boolean(request->half_duplex));
	bad |= json_object_set_new(object, "rule", text_or_null(request->rule));
	bad |= json_object_set_new(object, "load", text_or_null(request->load));
	bad |= json_object_set_new(object, "detours", request->plan ? json_null() : loom_json_number(request->detours));
	bad |= json_object_set_new(object, "cost", text_or_null(request->cost));
	if (request->has_bytes)
		bad |= json_object_set_new(object, "bytes", loom_json_number(request->bytes));
	if (request->flit_bytes)
		bad |= json_object_set_new(object, "flit_bytes", loom_json_number(request->flit_bytes));
	if (request->calc_cycles)
		bad |= json_object_set_new(object, "calc_cycles", text_or_null(request->calc_cycles));
	bad |= json_object_set_new(object, "link", text_or_null(request->link));
	bad |= json_object_set_new(object, "machine", text_or_null(runs ? request->machine : NULL));
	bad |= json_object_set_new(object, "schedule", text_or_null(runs ? request->schedule : NULL));
	bad |= json_object_set_new(object, "preset", runs ? json_boolean(request->preset) : json_null());
	bad |= json_object_set_new(object, "max_cycles", number_or_null(runs ? request->max_cycles : 0));
	bad |= json_object_set_new(object, "timeout_ms", number_or_null(runs ? request->timeout_ms : 0));
	if (!bad)
		return object;
	json_decref(object);
	return NULL;
}

char *loom_report_command_text(const struct loom_report_request *request)
{
	json_t *object = json_object();
	int bad = json_object_set_new(object, "version", json_string(LOOM_VERSION));
	bad |= json_object_set_new(object, "command", command_of(request));
	char *text = bad ? NULL : loom_json_text(object);
	json_decref(object);
	return text;
}
