// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "booksim_rule.h"

#include <stdio.h>
#include <string.h>

#include <flitloom/routes/choice.h>
#include <flitloom/routes/via.h>

// Routing functions that are more than ascending dimensions.
static const struct {
	const char *booksim;
	unsigned rule;
	bool has_torus; // BookSim2 has it on tori as well
	const char *options, *note;
} rules[] = {{"xy_yx", LOOM_RULE_O1TURN, false, " --rule o1turn", "rule o1turn, drawn by --seed"},
             {"romm", LOOM_RULE_ROMM, false, " --rule romm", "rule romm, drawn by --seed"},
             {"valiant", LOOM_RULE_VALIANT, true, " --rule valiant",
              "rule valiant, drawn by --seed; here messages to the node itself stay in it"},
             {"min_adapt", LOOM_RULE_DUATO, true, " --rule duato --select random",
              "rule duato; BookSim2 keeps one output of each priority only, so messages go by dimension order there"}};
enum { N_RULES = sizeof rules / sizeof rules[0] };

static bool goes_by_dimensions(const char *routing)
{
	return strcmp(routing, "dor") == 0 || strcmp(routing, "dim_order") == 0 || strcmp(routing, "dest_tag") == 0;
}

static int check(size_t i, const struct loom_topo *t, struct loom_err *err)
{
	const bool is_torus = strcmp(t->kind->name, "torus") == 0 || strcmp(t->kind->name, "ring") == 0;
	if (i == N_RULES)
		return loom_fail(err, LOOM_EINPUT, "xy_yx, romm, valiant and min_adapt have rules like them");
	if (is_torus && !rules[i].has_torus)
		return loom_fail(err, LOOM_EINPUT, "BookSim2 has it on meshes only");
	return loom_rule_has_via(rules[i].rule) ? loom_via_check(t, rules[i].rule, err)
	                                        : loom_rule_check(t, rules[i].rule, err);
}

void booksim_rule_of(struct booksim_rule *out, const char *routing, const struct loom_topo *t)
{
	size_t i = 0;
	struct loom_err why;
	*out = (struct booksim_rule){.options = ""};
	if (goes_by_dimensions(routing))
		return;
	while (i < N_RULES && strcmp(rules[i].booksim, routing) != 0)
		i++;
	if (check(i, t, &why) == 0) {
		out->options = rules[i].options;
		(void)snprintf(out->note, sizeof out->note, "%s", rules[i].note);
	} else
		(void)snprintf(out->note, sizeof out->note,
		               "not taken over: messages go by ascending dimensions (%.300s)", why.text);
}
