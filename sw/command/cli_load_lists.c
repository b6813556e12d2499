// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The lists of a sweep over loads: fabrics, maps, and ways, which are rules and planners.
#include "cli_load_lists.h"

#include <stdlib.h>
#include <string.h>

#include <flitloom/planner.h>
#include <flitloom/routes/choice.h>
#include <flitloom/routes/via.h>

#define CURVE '@'

static bool is_number(const char *text)
{
	return *text && text[strspn(text, "0123456789 ")] == '\0';
}

// A list with commas. Numbers that follow each other are one item, a map.
static int split(struct load_items *out, const char *list, const char *option, struct loom_err *err)
{
	bool numbers = false;
	for (const char *at = list;; at++) {
		char item[LOOM_TOPO_NAME];
		size_t length = cli_item_length(at);
		if (length == 0 || length >= sizeof item)
			return loom_fail(err, LOOM_EINPUT, "%s: \"%.60s\": an item of the list is %s", option, list,
			                 length ? "too long" : "missing");
		(void)snprintf(item, sizeof item, "%.*s", (int)length, at);
		if (numbers && is_number(item)) {
			char *map = out->text[out->n - 1];
			size_t used = strlen(map);
			if (used + 1 + length >= sizeof out->text[0])
				return loom_fail(err, LOOM_EINPUT,
				                 "%s: \"%.60s\": a map of this length goes into a file", option, list);
			(void)snprintf(map + used, sizeof out->text[0] - used, ",%.*s", (int)length, at);
		} else if (out->n == ITEMS_MOST) {
			return loom_fail(err, LOOM_EINPUT, "%s: %d items at most", option, ITEMS_MOST);
		} else {
			memcpy(out->text[out->n++], item, sizeof item);
		}
		numbers = is_number(item);
		at += length;
		if (*at == '\0')
			return 0;
	}
}

unsigned load_lists_rule(const char *text)
{
	return cli_rule_named(text);
}

bool load_lists_goes(const struct loom_topo *topo, unsigned rule)
{
	if (rule == LOOM_RULES_NAMED || rule == LOOM_RULE_TURNS) // a planner's ways; turns, which are of one fabric
		return true;
	if (loom_rule_is_adaptive(rule))
		return loom_rule_check(topo, rule, NULL) == 0;
	if (loom_rule_has_via(rule))
		return loom_via_check(topo, rule, NULL) == 0;
	return rule < (loom_topo_rules_by_ends(topo) ? 1 : loom_topo_rules_count(topo));
}

int load_lists_check_rule(const struct loom_topo *topo, enum loom_rule rule, struct loom_err *err)
{
	const unsigned n = loom_topo_rules_count(topo);
	char there_is[80] = "";
	size_t used = 0;
	if (rule != LOOM_RULE_ASCENDING && loom_topo_rules_by_ends(topo))
		return loom_fail(err, LOOM_EINPUT,
		                 "--rule: on %.200s the lane of a message follows from its ends: leave out %s",
		                 topo->name, loom_rule_name(rule));
	if (rule < n)
		return 0;
	for (unsigned r = 0; r < n && used < sizeof there_is; r++)
		used += (size_t)snprintf(there_is + used, sizeof there_is - used, "%s%s", r ? ", " : "",
		                         loom_rule_name(r));
	return loom_fail(err, LOOM_EINPUT, "--rule: %s has no rule \"%s\"; it has: %s", topo->name,
	                 loom_rule_name(rule), there_is);
}

bool load_lists_lanes(char name[LOOM_TOPO_NAME], const struct load_lists *lists, const struct loom_topo *topo)
{
	bool found = false;
	for (unsigned n_vcs = topo->n_vcs + 1; !found && n_vcs <= LOOM_LANES_MAX; n_vcs++) {
		struct loom_topo with;
		loom_topo_copy(&with, topo);
		found = loom_topo_set_vcs(&with, n_vcs, NULL) == 0;
		for (size_t i = 0; found && i < lists->ways.n; i++)
			found = load_lists_goes(&with, load_lists_rule(lists->ways.text[i]));
		(void)snprintf(name, LOOM_TOPO_NAME, "%s", with.name);
		loom_topo_free(&with);
	}
	return found;
}

static int add_item(struct load_items *list, const char *text, struct loom_err *err)
{
	if (list->n == ITEMS_MOST)
		return loom_fail(err, LOOM_EINPUT, "--compare: %d items at most", ITEMS_MOST);
	(void)snprintf(list->text[list->n++], sizeof list->text[0], "%.150s", text);
	return 0;
}

// True if it names a planner whose ways traffic can take.
static bool is_planner(const char *text)
{
	const struct loom_planner *planner = loom_planner_named(text);
	return planner && planner->takes & LOOM_TAKES_TRAFFIC;
}

static bool is_fabric(const char *text)
{
	struct loom_topo topo;
	if (loom_topo_parse(&topo, text, NULL) != 0)
		return false;
	loom_topo_free(&topo);
	return true;
}

static bool is_way(const char *text)
{
	return load_lists_rule(text) != LOOM_RULES_NAMED || is_planner(text);
}

void load_lists_curve(const char **fabric, const char **map, const char **way, char words[LOOM_TOPO_NAME])
{
	for (char *word = words, *end; word; word = end) {
		end = strchr(word, CURVE);
		if (end)
			*end++ = '\0';
		*(is_fabric(word) ? fabric : is_way(word) ? way : map) = word;
	}
}

// Reads the ways: those of --planner and --tables, or that of --rule; with planners --rule is one of their options.
static int read_ways(struct load_lists *out, const struct cli_request *request, struct loom_err *err)
{
	if (request->planner && request->rules)
		return loom_fail(
			err, LOOM_EINPUT,
			"--rule and --planner: several rules do not go with planners, as each gives all ways of "
			"messages; give one rule, or compare rules and planners with --compare");
	if (request->planner && request->turns)
		return loom_fail(
			err, LOOM_EINPUT,
			"planner %.40s chooses ways, and rule %.60s leaves them to the routers: without a planner "
			"messages go by rule, and --compare has rules beside planners",
			request->planner, request->turns);
	if (request->planner)
		return split(&out->ways, request->planner, "--planner", err);
	if (request->tables)
		return add_item(&out->ways, "tables", err);
	if (request->rules)
		return split(&out->ways, request->rules, "--rule", err);
	if (request->turns)
		return add_item(&out->ways, request->turns, err);
	return cli_rule(request) ? add_item(&out->ways, cli_rule(request), err) : 0;
}

int load_lists_read(struct load_lists *out, const struct cli_request *request, struct loom_err *err)
{
	struct load_items compared = {0};
	int rc = split(&out->fabrics, request->words[0], "sweep", err);
	if (rc == 0 && request->map)
		rc = add_item(&out->maps, request->map, err);
	if (rc == 0)
		rc = read_ways(out, request, err);
	if (rc == 0 && request->compared)
		rc = split(&compared, request->compared, "--compare", err);
	for (size_t i = 0; rc == 0 && i < compared.n; i++) {
		const char *text = compared.text[i];
		rc = add_item(strchr(text, CURVE) ? &out->curves
		              : is_fabric(text)   ? &out->fabrics
		              : is_way(text)      ? &out->ways
		                                  : &out->maps,
		              text, err);
	}
	for (size_t i = 0; i < out->ways.n; i++)
		out->has_planner = out->has_planner || !loom_rule_name(load_lists_rule(out->ways.text[i]));
	return rc;
}
