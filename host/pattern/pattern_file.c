// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
// Patterns that are given as a file or as a list.
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/pattern.h>

#include "base/file.h"
#include "pattern/pattern_internal.h"

int loom_pattern_load_file(char **out, size_t *length_out, const char *path, struct loom_err *err)
{
	return loom_file_read(out, length_out, path, LOOM_PATTERN_FILE_MAX, err);
}

static int make_lcc(struct loom_pattern *out, const struct loom_pattern_request *request, struct loom_err *err)
{
	char *text = NULL;
	size_t length = 0;
	struct loom_lcc lcc;
	int code = loom_pattern_load_file(&text, &length, request->argument, err);
	if (code)
		return code;
	code = loom_lcc_parse(&lcc, text, length, request->argument, err);
	free(text);
	return code ? code : loom_pattern_make_from_lccs(out, request, &lcc, 1, err);
}

static int make_bpc(struct loom_pattern *out, const struct loom_pattern_request *request, struct loom_err *err)
{
	struct loom_lcc lcc;
	const char *argument = request->argument;
	int code = *argument >= 'a' && *argument <= 'z' ? loom_pattern_bpc_of_name(&lcc, request, argument, err)
	                                                : loom_bpc_parse(&lcc, argument, strlen(argument), "bpc", err);
	return code ? code : loom_pattern_make_from_lccs(out, request, &lcc, 1, err);
}

// `3,1,0,2` is a list, and so is anything else that begins like one and has a comma; `./3,1` is a file.
static bool is_list(const char *argument)
{
	return argument[strspn(argument, "0123456789, \t")] == 0 ||
	       (strchr("0123456789-+[ ", *argument) && strchr(argument, ','));
}

static int make_perm(struct loom_pattern *out, const struct loom_pattern_request *request, struct loom_err *err)
{
	char *text = NULL;
	size_t length = 0;
	uint32_t *map = NULL;
	int code;

	if (is_list(request->argument)) {
		code = loom_perm_parse(&map, request->n_nodes, request->argument, strlen(request->argument), "perm",
		                       err);
	} else {
		code = loom_pattern_load_file(&text, &length, request->argument, err);
		if (!code)
			code = loom_perm_parse(&map, request->n_nodes, text, length, request->argument, err);
	}
	if (!code)
		code = loom_pattern_make_from_map(out, request, map, err);
	free(map);
	free(text);
	return code;
}

// A gate in front of each message that has a release.
static int timing_of_releases(struct loom_timing **out, const uint32_t *release, size_t n, uint32_t n_nodes,
                              struct loom_err *err)
{
	struct loom_timing *t = loom_timing_new(n, n_nodes, n);
	size_t n_gates = 0;
	if (!t)
		return loom_pattern_no_memory(err);
	for (size_t i = 0; i < n; i++) {
		if (release[i])
			t->gate[n_gates++] = (struct loom_gate){.kind = LOOM_GATE_AT, .value = release[i]};
		t->first[i + 1] = n_gates;
	}
	for (size_t i = n; i < n + n_nodes; i++)
		t->first[i + 1] = n_gates;
	*out = t;
	return 0;
}

#define NO_LENGTH (LOOM_FLITS_MOST + 1) // of a line without flits: no line can say it

// Returns whether every line had its own.
static bool fill_lengths(struct loom_message *messages, size_t n, uint32_t flits)
{
	bool own = true;
	for (size_t i = 0; i < n; i++)
		if (messages[i].flits == NO_LENGTH) {
			messages[i].flits = flits;
			own = false;
		}
	return own;
}

static int make_messages(struct loom_pattern *out, const struct loom_pattern_request *request, struct loom_err *err)
{
	char *text = NULL;
	size_t length = 0;
	struct loom_message_list list;
	struct loom_timing *timing = NULL;
	int code = loom_pattern_load_file(&text, &length, request->argument, err);
	if (code)
		return code;
	code = loom_messages_parse(&list, request->n_nodes, NO_LENGTH, text, length, request->argument, err);
	free(text);
	if (code)
		return code;
	bool own_lengths = fill_lengths(list.messages, list.n, request->options->flits);
	if (list.release)
		code = timing_of_releases(&timing, list.release, list.n, request->n_nodes, err);
	if (code == 0)
		code = timing ? loom_pattern_from_timed_messages(out, request->spec, request->n_nodes, list.messages,
		                                                 list.n, timing, err)
		              : loom_pattern_from_messages(out, request->spec, request->n_nodes, list.messages, list.n,
		                                           err);
	if (code == 0)
		out->own_lengths = own_lengths;
	loom_timing_free(timing);
	loom_message_list_free(&list);
	return code;
}

// clang-format off
const struct loom_pattern_row loom_pattern_rows_file[] = {
	{"bpc", "[-0,1,2,-3] or NAME", "bit permutation: destination of each source bit, highest first; minus: "
		"complemented; or by its name: bpc:shuffle", LINEAR_MAKER(make_bpc)},
	{"perm", "3,1,0,2 or FILE", "a permutation: destination of processor 0, 1, 2, ...",
		MAKER(make_perm)},
	{"lcc", "FILE", "y = A x + b from JSON {n, kind, A, b}, or as n lines of 0/1 and one for b",
	 LINEAR_MAKER(make_lcc)},
	{"messages", "FILE", "CSV lines source,destination[,flits[,count]][,release]", MAKER(make_messages)},
	{.name = NULL},
};
// clang-format on
