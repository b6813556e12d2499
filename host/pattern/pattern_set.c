// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
// Sets: from a JSON file, or by the names of their members.
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/pattern.h>

#include "base/room.h"
#include "base/text.h"
#include "pattern/pattern_internal.h"

struct set {
	struct loom_lcc *lccs;
	uint32_t n;
	size_t room;
};

static int append(struct set *set, const struct loom_pattern *p, struct loom_err *err)
{
	if (p->n_lccs > LOOM_SET_MAX - set->n)
		return loom_fail(err, LOOM_EINPUT, "more than %d communications", LOOM_SET_MAX);
	if (!LOOM_ROOM(set->lccs, set->room, set->n + p->n_lccs))
		return loom_pattern_no_memory(err);
	memcpy(set->lccs + set->n, p->lccs, p->n_lccs * sizeof *p->lccs);
	set->n += p->n_lccs;
	return 0;
}

static bool has_own_lengths(const struct loom_pattern *p, uint32_t flits)
{
	for (size_t i = 0; i < p->n_messages; i++)
		if (p->messages[i].flits != flits)
			return true;
	return false;
}

// Adds the member of the `place`-th name. A set that has a name of its own, such as fft, comes with all its members.
static int add_member(struct set *set, const struct loom_pattern_request *rq, const char *spec, uint32_t place,
                      struct loom_err *err)
{
	struct loom_pattern p = {.n_nodes = 0};
	struct loom_pattern_options options = *rq->options;
	options.seed += place; // else random members of a kind would be the same one
	size_t length = strcspn(spec, ":");

	if (!*spec)
		return loom_fail(err, LOOM_EINPUT, "a name is missing: a set is NAME+NAME+...");
	if (loom_pattern_find(spec, length) == rq->row)
		return loom_fail(err, LOOM_EINPUT, "a set in a set: name its members instead");
	int code = rq->n_bits ? loom_pattern_parse_lccs(&p, spec, rq->n_bits, &options, err)
	                      : loom_pattern_parse(&p, spec, rq->n_nodes, &options, err);
	if (code)
		return code;
	if (p.n_lccs == 0)
		code = loom_fail(err, LOOM_EINPUT,
		                 "not linear-complement (y = A x + b) for %" PRIu32 " processors, as all of a set are",
		                 rq->n_nodes);
	else if (p.timing)
		code = loom_fail(err, LOOM_EINPUT, "its messages wait or are sent at a cycle, those of a set are not");
	else if (has_own_lengths(&p, options.flits))
		code = loom_fail(err, LOOM_EINPUT, "its messages bring lengths of their own, those of a set have one");
	else
		code = append(set, &p, err);
	loom_pattern_free(&p);
	return code;
}

static int fail_member(struct loom_err *err, uint32_t place, const char *spec, bool like_a_file,
                       const struct loom_err *why)
{
	char shown[48];
	loom_text_quote(shown, sizeof shown, spec, strlen(spec));
	return loom_fail(err, why->code, "set, member %" PRIu32 " \"%s\": %.240s%s", place, shown, why->text,
	                 like_a_file ? "; a file with + in its name is given as set:./FILE" : "");
}

static int make_of_names(struct loom_pattern *out, const struct loom_pattern_request *rq, struct loom_err *err)
{
	struct set set = {.lccs = NULL};
	int code = 0;
	char *names = strdup(rq->argument);
	if (!names)
		return loom_pattern_no_memory(err);
	char *next = names;
	for (uint32_t place = 0; code == 0 && next; place++) {
		struct loom_err why = {.code = 0};
		char *name = next;
		next = strchr(name, '+');
		if (next)
			*next++ = 0;
		code = add_member(&set, rq, name, place, &why);
		if (code)
			code = fail_member(err, place, name, strchr(rq->argument, '.') != NULL, &why);
	}
	if (code == 0)
		code = loom_pattern_make_from_lccs(out, rq, set.lccs, set.n, err);
	free(set.lccs);
	free(names);
	return code;
}

static int make_of_file(struct loom_pattern *out, const struct loom_pattern_request *request, struct loom_err *err)
{
	char *text = NULL;
	size_t length = 0;
	struct loom_lcc *lccs = NULL;
	uint32_t n_lccs = 0;
	int code = loom_pattern_load_file(&text, &length, request->argument, err);
	if (code)
		return code;
	code = loom_lcc_set_parse(&lccs, &n_lccs, text, length, request->argument, err);
	free(text);
	if (code)
		return code;
	code = loom_pattern_make_from_lccs(out, request, lccs, n_lccs, err);
	free(lccs);
	return code;
}

// Names if there is a + or the one word is a pattern's name. A / or . in the first name makes it a file, for no pattern
// has one: a file of any name can be given as ./NAME.
static bool is_names(const char *argument)
{
	size_t length = strcspn(argument, "+:");
	if (memchr(argument, '/', length) || memchr(argument, '.', length))
		return false;
	return strchr(argument, '+') || loom_pattern_find(argument, length);
}

static int make_set(struct loom_pattern *out, const struct loom_pattern_request *request, struct loom_err *err)
{
	return is_names(request->argument) ? make_of_names(out, request, err) : make_of_file(out, request, err);
}

// clang-format off
const struct loom_pattern_row loom_pattern_rows_set[] = {
	{"set", "NAME+NAME or FILE", "these patterns, or a JSON list of objects as lcc:FILE has, planned together",
	 LINEAR_MAKER(make_set)},
	{.name = NULL},
};
// clang-format on
