// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The types of values that name rules: one rule, or the several ways of a sweep.
#include <stdio.h>
#include <string.h>

#include <flitloom/routes/choice.h>

#include "cli_option_table.h"

// Reads a rule by any of its names, or turns of the user's own.
static int parse_rule(struct cli_request *r, const struct cli_option_row *row, const char *text, struct loom_err *err)
{
	const bool is_turns = strncmp(text, CLI_TURNS, strlen(CLI_TURNS)) == 0;
	const unsigned rule = is_turns ? LOOM_RULE_TURNS : loom_rule_by_name(text);
	if (is_turns && text[strlen(CLI_TURNS)] == '\0')
		return loom_fail(err, LOOM_EINPUT, "--%s: %s needs a file: " CLI_TURNS "FILE, or " CLI_TURNS "best",
		                 row->name, text);
	r->turns = is_turns ? text : NULL;
	if (rule == LOOM_RULES_NAMED)
		return cli_option_parse_name(r, row, text, err);
	cli_option_set(r, row, rule);
	return 0;
}

static const char *say_rule(char made[CLI_MADE_MOST], const struct cli_request *r, const struct cli_option_row *row)
{
	return r->turns ? r->turns : cli_option_say_name(made, r, row);
}

static int parse_way(struct cli_request *r, const struct cli_option_row *row, const char *text, struct loom_err *err)
{
	const unsigned rule = cli_rule_named(text);
	const bool is_turns = strncmp(text, CLI_TURNS, strlen(CLI_TURNS)) == 0;
	if (rule == LOOM_RULES_NAMED && (is_turns || strcmp(text, loom_rule_name(LOOM_RULE_TURNS)) == 0))
		return loom_fail(err, LOOM_EINPUT, "--%s: turns of which file? " CLI_TURNS "FILE, or " CLI_TURNS "best",
		                 row->name);
	if (rule == LOOM_RULES_NAMED)
		return cli_option_parse_name(r, row, text, err);
	r->turns = is_turns ? text : NULL;
	cli_option_set(r, row, rule);
	return 0;
}

static bool ways_vary(const struct cli_request *r)
{
	return r->rules != NULL;
}

static int parse_ways(struct cli_request *r, const struct cli_option_row *row, const char *text, struct loom_err *err)
{
	int rc = 0;
	r->rules = strchr(text, ',') ? text : NULL;
	for (const char *at = text; rc == 0 && at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
		char one[LOOM_TOPO_NAME];
		struct cli_request first = *r;
		(void)snprintf(one, sizeof one, "%.*s", (int)strcspn(at, ","), at);
		rc = parse_way(&first, row, one, err);
		if (rc == 0 && at == text)
			r->rule = first.rule;
	}
	r->turns = rc == 0 && !r->rules && r->rule == LOOM_RULE_TURNS ? text : NULL;
	return rc;
}

static const char *say_ways(char made[CLI_MADE_MOST], const struct cli_request *r, const struct cli_option_row *row)
{
	return ways_vary(r) ? r->rules : say_rule(made, r, row);
}

const struct cli_option_type cli_type_rule = {.parse = parse_rule, .say = say_rule, .kind = LOOM_VALUE_TEXT};
const struct cli_option_type cli_type_way = {.parse = parse_way, .say = say_rule, .kind = LOOM_VALUE_TEXT};
const struct cli_option_type cli_type_ways = {
	.parse = parse_ways, .say = say_ways, .kind = LOOM_VALUE_TEXT, .varies = ways_vary};
