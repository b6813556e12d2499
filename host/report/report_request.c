// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "report/report_request.h"

#include <stdlib.h>
#include <string.h>

#include <flitloom/report.h>
#include <flitloom/version.h>

#include "base/json.h"
#include "base/text.h"

// A path may hold bytes that JSON does not take.
static json_t *text_or_null(const char *text)
{
	if (!text)
		return json_null();
	size_t size = strlen(text) + 1;
	char *clean = malloc(size);
	if (!clean)
		return NULL;
	loom_text_show(clean, size, text);
	json_t *string = json_string(clean);
	free(clean);
	return string;
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

static json_t *value_of(const struct loom_report_value *value)
{
	switch (value->kind) {
	case LOOM_VALUE_TEXT: return text_or_null(value->text);
	case LOOM_VALUE_NUMBER: return loom_json_number(value->number);
	case LOOM_VALUE_BOOLEAN: return json_boolean(value->number);
	case LOOM_VALUE_NULL: break;
	}
	return json_null();
}

// Adds the version and the command.
static json_t *begin(const struct loom_report_request *request)
{
	json_t *object = json_object();
	int bad = json_object_set_new(object, "version", json_string(LOOM_VERSION));
	bad |= json_object_set_new(object, "command", command_of(request));
	if (!bad)
		return object;
	json_decref(object);
	return NULL;
}

json_t *loom_report_request_json(const struct loom_report_request *request)
{
	json_t *object = request ? begin(request) : json_null();
	int bad = 0;
	for (size_t i = 0; object && request && i < request->n_values; i++)
		bad |= json_object_set_new(object, request->values[i].name, value_of(&request->values[i]));
	if (!bad)
		return object;
	json_decref(object);
	return NULL;
}

int loom_report_loggops_to(json_t *root, const struct loom_report_request *request)
{
	const struct loom_report_loggops *l = request ? request->loggops : NULL;
	uint64_t last = 0;
	if (!l)
		return 0;
	json_t *out = json_object(), *finish = json_array();
	int bad = json_object_set_new(out, "L", loom_json_number(l->with.L));
	bad |= json_object_set_new(out, "o", loom_json_number(l->with.o));
	bad |= json_object_set_new(out, "g", loom_json_number(l->with.g));
	bad |= json_object_set_new(out, "G", loom_json_number(l->with.G));
	bad |= json_object_set_new(out, "O", loom_json_number(l->with.O));
	bad |= json_object_set_new(out, "S", loom_json_number(l->with.S));
	for (uint32_t r = 0; r < l->n_ranks; r++) {
		bad |= json_array_append_new(finish, loom_json_number(l->finish[r]));
		last = l->finish[r] > last ? l->finish[r] : last;
	}
	bad |= json_object_set_new(out, "time", loom_json_number(last));
	bad |= json_object_set_new(out, "finish", finish);
	return bad | json_object_set_new(root, "loggops", out);
}

char *loom_report_request_text(const struct loom_report_request *request)
{
	json_t *object = loom_report_request_json(request);
	char *text = object ? loom_json_text(object) : NULL;
	json_decref(object);
	return text;
}
