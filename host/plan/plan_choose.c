// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Choosing a planner: the one that is named, or the first that volunteers; or saying which there are.
#include <stdio.h>
#include <string.h>

#include <flitloom/planner.h>

#include "base/suggest.h"
#include "plan/plan_internal.h"

struct choice {
	const struct loom_planner *const *own; // ended by NULL, or NULL
	const struct loom_topo *topo;
	const struct loom_pattern *pattern;
	bool half_duplex;
	bool rule_is_given;
	bool load_is_given;
	bool has_detours;
	bool cost_is_given;
	bool has_timing;
};

static const struct loom_planner *planner_at(const struct choice *c, size_t i)
{
	size_t n_own = 0;
	for (; c->own && c->own[n_own]; n_own++)
		if (n_own == i)
			return c->own[i];
	return loom_planner_at(i - n_own);
}

static const char *planner_name_at(size_t i, const void *choice)
{
	const struct loom_planner *planner = planner_at(choice, i);
	return planner ? planner->name : NULL;
}

static bool accepts(const struct choice *c, const struct loom_planner *planner)
{
	return (planner->takes_half_duplex || !c->half_duplex) && (planner->takes_rules || !c->rule_is_given) &&
	       (planner->takes_load || !c->load_is_given) && (planner->takes_detours || !c->has_detours) &&
	       (planner->takes_cost || !c->cost_is_given) && (planner->takes_timing || !c->has_timing) &&
	       planner->accepts(c->topo, c->pattern);
}

// The names of all planners, or of those which accept the pattern.
static void list_planners(char *out, size_t size, const struct choice *c, bool all)
{
	const struct loom_planner *planner;
	size_t used = 0;
	(void)snprintf(out, size, "none");
	for (size_t i = 0; (planner = planner_at(c, i)) && used < size; i++)
		if (all || accepts(c, planner))
			used += (size_t)snprintf(out + used, size - used, "%s%s", used ? ", " : "", planner->name);
	if (used >= size)
		memcpy(out + size - sizeof "...", "...", sizeof "...");
}

static const struct loom_planner *named(const struct choice *c, const char *name)
{
	const struct loom_planner *planner;
	for (size_t i = 0; (planner = planner_at(c, i)); i++)
		if (strcmp(planner->name, name) == 0)
			return planner;
	return NULL;
}

static const struct loom_planner *first_volunteer(const struct choice *c)
{
	const struct loom_planner *planner;
	for (size_t i = 0; (planner = planner_at(c, i)); i++)
		if ((!planner->volunteers || planner->volunteers(c->topo, c->pattern)) && accepts(c, planner))
			return planner;
	return NULL;
}

static int choose(const struct loom_planner **out, const struct choice *c, const char *name, struct loom_err *err)
{
	char others[256];
	const struct loom_planner *planner = name ? named(c, name) : first_volunteer(c);
	if (planner && accepts(c, planner)) {
		*out = planner;
		return 0;
	}
	if (planner) {
		list_planners(others, sizeof others, c, false);
		if (c->half_duplex && !planner->takes_half_duplex)
			return loom_fail(err, LOOM_EINPUT,
			                 "planner %s heeds no half duplex; planners of %.60s on %s that do: %s",
			                 planner->name, c->pattern->name, c->topo->name, others);
		if (c->rule_is_given && !planner->takes_rules)
			return loom_fail(err, LOOM_EINPUT,
			                 "planner %s settles by which rule messages go; planners that take %.60s on %s "
			                 "by a given one: %s",
			                 planner->name, c->pattern->name, c->topo->name, others);
		if (c->load_is_given && !planner->takes_load)
			return loom_fail(
				err, LOOM_EINPUT,
				"planner %s does not choose routes by a load; planners of %.60s on %s that do: %s",
				planner->name, c->pattern->name, c->topo->name, others);
		if (c->has_detours && !planner->takes_detours)
			return loom_fail(err, LOOM_EINPUT,
			                 "planner %s takes no detours; planners of %.60s on %s that do: %s",
			                 planner->name, c->pattern->name, c->topo->name, others);
		if (c->cost_is_given && !planner->takes_cost)
			return loom_fail(
				err, LOOM_EINPUT,
				"planner %s does not choose by the cost of moves; planners of %.60s on %s that do: %s",
				planner->name, c->pattern->name, c->topo->name, others);
		if (c->has_timing && !planner->takes_timing)
			return loom_fail(err, LOOM_EINPUT,
			                 "planner %s does not leave messages as they are, and %.60s says when they go; "
			                 "planners on %s that do: %s",
			                 planner->name, c->pattern->name, c->topo->name, others);
		return loom_fail(err, LOOM_EINPUT, "planner %s (%.120s) cannot plan %.60s on %s; planners that can: %s",
		                 planner->name, planner->help, c->pattern->name, c->topo->name, others);
	}
	if (!name) {
		list_planners(others, sizeof others, c, false);
		if (strcmp(others, "none") == 0)
			return loom_fail(err, LOOM_EINPUT, "no planner can plan %.60s on %s%s", c->pattern->name,
			                 c->topo->name, c->half_duplex ? " half duplex" : "");
		return loom_fail(err, LOOM_EINPUT,
		                 "no planner is taken unasked for %.60s on %s%s; name one of those that can: %s",
		                 c->pattern->name, c->topo->name, c->half_duplex ? " half duplex" : "", others);
	}
	const char *near = loom_suggest_from(name, planner_name_at, c);
	if (near)
		return loom_fail(err, LOOM_EINPUT, "unknown planner \"%.40s\"; did you mean \"%s\"?", name, near);
	list_planners(others, sizeof others, c, true);
	return loom_fail(err, LOOM_EINPUT, "unknown planner \"%.40s\"; there is: %s", name, others);
}

int loom_plan_choose(const struct loom_planner **out, const struct loom_topo *topo, const struct loom_pattern *pattern,
                     const struct loom_plan_options *options, struct loom_err *err)
{
	const struct choice choice = {.own = options->planners,
	                              .topo = topo,
	                              .pattern = pattern,
	                              .half_duplex = options->half_duplex,
	                              .rule_is_given = options->rule != NULL,
	                              .load_is_given = options->load != NULL,
	                              .has_detours = options->detours > 0,
	                              .cost_is_given = options->cost != NULL,
	                              .has_timing = pattern->timing != NULL};
	if (options->tables && options->planner && strcmp(options->planner, "tables") != 0)
		return loom_fail(err, LOOM_EINPUT,
		                 "planner %.40s would not heed the tables; leave it out, or name planner tables",
		                 options->planner);
	return choose(out, &choice, options->tables ? "tables" : options->planner, err);
}
