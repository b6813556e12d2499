// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Chooses a planner: the one that is named, or the first one that volunteers. Lists the planners if there is none.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <flitloom/planner.h>

#include "base/suggest.h"
#include "plan/cycles/objective.h"
#include "plan/plan_internal.h"
#include "topo/topo_ocs.h"

struct choice {
	const struct loom_topo *topo;
	const struct loom_pattern *pattern;
	const struct loom_plan_options *options;
};

static const struct loom_planner *planner_at(const struct choice *c, size_t i)
{
	const struct loom_planner *const *own = c->options->planners; // ended by NULL, or NULL
	size_t n_own = 0;
	for (; own && own[n_own]; n_own++)
		if (n_own == i)
			return own[i];
	return loom_planner_at(i - n_own);
}

static const char *planner_name_at(size_t i, const void *choice)
{
	const struct loom_planner *planner = planner_at(choice, i);
	return planner ? planner->name : NULL;
}

static unsigned asked_for(const struct loom_pattern *pattern, const struct loom_plan_options *o)
{
	return (o->half_duplex ? LOOM_TAKES_HALF_DUPLEX : 0u) | (o->rule ? LOOM_TAKES_RULES : 0u) |
	       (o->load ? LOOM_TAKES_LOAD : 0u) | (o->detours ? LOOM_TAKES_DETOURS : 0u) |
	       (o->cost ? LOOM_TAKES_COST : 0u) | (pattern->timing ? LOOM_TAKES_TIMING : 0u);
}

// True if the plan needs a circuit planner: on circuit switches messages leave while there is light, and a pattern
// without timing does not say when.
static bool needs_schedule(const struct loom_topo *topo, const struct loom_pattern *pattern)
{
	if (!loom_topo_has_circuits(topo) || pattern->timing)
		return false;
	for (size_t i = 0; i < pattern->n_messages; i++)
		if (pattern->messages[i].source != pattern->messages[i].destination)
			return true;
	return false;
}

bool loom_planner_can(const struct loom_planner *planner, const struct loom_topo *topo,
                      const struct loom_pattern *pattern, const struct loom_plan_options *options)
{
	if (!(planner->takes & LOOM_TAKES_CIRCUITS) && needs_schedule(topo, pattern))
		return false;
	return (asked_for(pattern, options) & ~planner->takes) == 0 && planner->accepts(topo, pattern);
}

static bool accepts(const struct choice *c, const struct loom_planner *planner)
{
	return loom_planner_can(planner, c->topo, c->pattern, c->options);
}

// Lists the names of all planners, or of those that accept the pattern.
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

// The requests to planners beside the pattern: their names, and how a planner is refused that does not support one.
static const struct {
	unsigned bit;
	const char *name, *why, *that, *what;
} wishes[] = {{LOOM_TAKES_HALF_DUPLEX, "half duplex", "heeds no half duplex", "of", "that do"},
              {LOOM_TAKES_RULES, "a given rule", "settles by which rule messages go", "that take", "by a given one"},
              {LOOM_TAKES_LOAD, "a load to keep low", "does not choose routes by a load", "of", "that do"},
              {LOOM_TAKES_DETOURS, "detours", "takes no detours", "of", "that do"},
              {LOOM_TAKES_COST, "costs of moves", "does not choose by the cost of moves", "of", "that do"}};

// Lists the planners that could plan the pattern if all that `bits` say were left out of the request.
static void list_planners_without(char *out, size_t size, const struct choice *c, unsigned bits)
{
	struct loom_plan_options options = *c->options;
	options.half_duplex = options.half_duplex && !(bits & LOOM_TAKES_HALF_DUPLEX);
	options.rule = bits & LOOM_TAKES_RULES ? NULL : options.rule;
	options.load = bits & LOOM_TAKES_LOAD ? NULL : options.load;
	options.detours = bits & LOOM_TAKES_DETOURS ? 0 : options.detours;
	options.cost = bits & LOOM_TAKES_COST ? NULL : options.cost;
	list_planners(out, size, &(struct choice){c->topo, c->pattern, &options}, false);
}

// Fails because no planner makes plans of the pattern on such a network. Names a network of as many nodes on which some
// do, if there is one.
static int refuse_network(const struct choice *c, struct loom_err *err)
{
	const uint32_t n = loom_topo_hosts(c->topo);
	char name[32], others[320] = "none";
	struct loom_topo topo;
	if (n & (n - 1))
		(void)snprintf(name, sizeof name, "line:%" PRIu32, n);
	else
		(void)snprintf(name, sizeof name, "cube:%d", __builtin_ctz(n));
	if (loom_topo_parse(&topo, name, NULL) == 0) {
		list_planners(others, sizeof others, &(struct choice){&topo, c->pattern, c->options}, false);
		loom_topo_free(&topo);
	}
	if (strcmp(others, "none") == 0)
		return loom_fail(err, LOOM_EINPUT, "no planner can plan %.60s on %s", c->pattern->name, c->topo->name);
	return loom_fail(err, LOOM_EINPUT, "no planner can plan %.60s on %s; planners that can on %s: %s",
	                 c->pattern->name, c->topo->name, name, others);
}

// Explains why no planner can be asked: names the one request without which some could, or else all requests.
static int refuse_all(const struct choice *c, struct loom_err *err)
{
	const unsigned asked = asked_for(c->pattern, c->options) & ~(unsigned)LOOM_TAKES_TIMING;
	char others[320], names[120] = "";
	size_t used = 0;
	for (size_t i = 0; i < sizeof wishes / sizeof wishes[0]; i++) {
		if (!(asked & wishes[i].bit))
			continue;
		used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? " and " : "",
		                         wishes[i].name);
		list_planners_without(others, sizeof others, c, wishes[i].bit);
		if (strcmp(others, "none") != 0)
			return loom_fail(
				err, LOOM_EINPUT, "no planner of %.60s on %s heeds %s%s; planners without %s: %s",
				c->pattern->name, c->topo->name, wishes[i].name,
				asked == wishes[i].bit ? "" : " beside what else is asked for", wishes[i].name, others);
	}
	list_planners_without(others, sizeof others, c, asked);
	if (strcmp(others, "none") != 0)
		return loom_fail(err, LOOM_EINPUT, "no planner of %.60s on %s heeds %s; planners without these: %s",
		                 c->pattern->name, c->topo->name, names, others);
	return refuse_network(c, err);
}

// Explains why a planner that was named cannot be used, and which can. It names the first request that the planner
// does not support.
static int refuse(const struct choice *c, const struct loom_planner *planner, struct loom_err *err)
{
	const unsigned missing = asked_for(c->pattern, c->options) & ~planner->takes;
	char others[320];
	list_planners(others, sizeof others, c, false);
	for (size_t i = 0; i < sizeof wishes / sizeof wishes[0]; i++)
		if (missing & wishes[i].bit)
			return loom_fail(err, LOOM_EINPUT, "planner %s %s; planners %s %.60s on %s %s: %s",
			                 planner->name, wishes[i].why, wishes[i].that, c->pattern->name, c->topo->name,
			                 wishes[i].what, others);
	if (missing)
		return loom_fail(err, LOOM_EINPUT,
		                 "planner %s does not leave messages as they are, and %.60s says when they go; "
		                 "planners on %s that do: %s",
		                 planner->name, c->pattern->name, c->topo->name, others);
	if (planner->takes & LOOM_TAKES_CIRCUITS && !loom_topo_has_circuits(c->topo))
		return loom_fail(err, LOOM_EINPUT,
		                 "planner %s makes schedules of circuit switches, and %s has none; ocs:8 has one, "
		                 "ocs-benes:8 one of 2x2 switches; planners that can: %s",
		                 planner->name, c->topo->name, others);
	return loom_fail(err, LOOM_EINPUT, "planner %s (%.120s) cannot plan %.60s on %s; planners that can: %s",
	                 planner->name, planner->help, c->pattern->name, c->topo->name, others);
}

static int choose(const struct loom_planner **out, const struct choice *c, const char *name, struct loom_err *err)
{
	char others[320];
	const char *how = c->options->half_duplex ? " half duplex" : "";
	const struct loom_planner *planner = name ? named(c, name) : first_volunteer(c);
	if (planner && accepts(c, planner)) {
		*out = planner;
		return 0;
	}
	if (planner)
		return refuse(c, planner, err);
	if (!name) {
		list_planners(others, sizeof others, c, false);
		if (strcmp(others, "none") == 0)
			return refuse_all(c, err);
		return loom_fail(err, LOOM_EINPUT,
		                 "there is no default planner for %.60s on %s%s; name one of those that can: %s",
		                 c->pattern->name, c->topo->name, how, others);
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
	const struct choice choice = {topo, pattern, options};
	if (options->tables && options->planner && strcmp(options->planner, "tables") != 0)
		return loom_fail(err, LOOM_EINPUT,
		                 "planner %.40s would not heed the tables; leave it out, or name planner tables",
		                 options->planner);
	return choose(out, &choice, options->tables ? "tables" : options->planner, err);
}

bool loom_plan_searches(const struct loom_plan_options *options)
{
	const struct choice choice = {.options = options};
	const struct loom_planner *planner = options->planner ? named(&choice, options->planner) : NULL;
	return options->budget_seconds > 0 || loom_objective_is_cycles(options->objective) ||
	       (options->planner && strcmp(options->planner, "best") == 0) || (planner && planner->searches) ||
	       (options->map && strcmp(options->map, "search") == 0);
}
