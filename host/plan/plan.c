// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Choosing a planner, handing it the pattern, and holding it to what the pattern wants delivered.
#include <flitloom/plan.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/deadlock.h>
#include <flitloom/lcc_set.h>
#include <flitloom/planner.h>

#include "base/suggest.h"
#include "plan/plan_internal.h"

// --- Choosing a planner --------------------------------------------------------------------------------------------

// The planners to choose from: the caller's, then flitloom's.
struct choice {
	const struct loom_planner *const *own; // ended by NULL, or NULL
	const struct loom_topo *topo;
	const struct loom_pattern *pattern;
	bool half_duplex;
	bool rule_is_given;
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

static int choose_planner(const struct loom_planner **out, const struct choice *c, const char *name,
                          struct loom_err *err)
{
	char others[160];
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
		return loom_fail(err, LOOM_EINPUT, "planner %s (%.120s) cannot plan %.60s on %s; planners that can: %s",
		                 planner->name, planner->help, c->pattern->name, c->topo->name, others);
	}
	if (!name)
		return loom_fail(err, LOOM_EINPUT, "no planner can plan %.60s on %s", c->pattern->name, c->topo->name);
	const char *near = loom_suggest_from(name, planner_name_at, c);
	if (near)
		return loom_fail(err, LOOM_EINPUT, "unknown planner \"%.40s\"; did you mean \"%s\"?", name, near);
	list_planners(others, sizeof others, c, true);
	return loom_fail(err, LOOM_EINPUT, "unknown planner \"%.40s\"; there is: %s", name, others);
}

// --- Making --------------------------------------------------------------------------------------------------------

static int check_request(const struct loom_topo *topo, const struct loom_pattern *pattern,
                         const struct loom_plan_options *options, struct loom_err *err)
{
	const char *objective = options->objective;
	if (pattern->n_nodes != topo->n_nodes)
		return loom_fail(err, LOOM_EINPUT,
		                 "%.60s is a pattern of %" PRIu32 " processors, but %s has %" PRIu32
		                 " nodes: the numbers must agree",
		                 pattern->name, pattern->n_nodes, topo->name, topo->n_nodes);
	if (pattern->n_messages > LOOM_MESSAGES_MAX)
		return loom_fail(err, LOOM_EINPUT, "%.60s: %zu messages, %d at most", pattern->name,
		                 pattern->n_messages, LOOM_MESSAGES_MAX);
	if (options->half_duplex && loom_topo_links(topo) == 0)
		return loom_fail(err, LOOM_EINPUT,
		                 "half duplex: %s has no links with two directions; direct networks have (line, ring, "
		                 "mesh, torus, cube)",
		                 topo->name);
	if (!(options->budget_seconds >= 0))
		return loom_fail(err, LOOM_EINPUT, "a budget of %g seconds: it is 0 (the planner's own) or more",
		                 options->budget_seconds);
	if (!objective)
		return 0;
	enum loom_objective known;
	int rc = loom_objective_parse(&known, objective, err);
	if (rc == 0 && pattern->n_members < 2 && pattern->n_lccs == 0)
		rc = loom_fail(err, LOOM_EINPUT,
		               "objective %s: it weighs the members of a set, and %.60s is no set, nor "
		               "linear-complement, which would be a set of one",
		               objective, pattern->name);
	return rc;
}

static int parse_rule(enum loom_rule *out, const struct loom_topo *topo, const char *name, struct loom_err *err)
{
	char there_is[80] = "";
	size_t used = 0;
	unsigned rule = 0, n = loom_topo_rules(topo);
	if (!name)
		return 0;
	while (loom_rule_name(rule) && strcmp(loom_rule_name(rule), name) != 0)
		rule++;
	if (rule < n) {
		*out = (enum loom_rule)rule;
		return 0;
	}
	for (unsigned r = 0; r < n; r++)
		used += (size_t)snprintf(there_is + used, sizeof there_is - used, "%s%s", r ? ", " : "",
		                         loom_rule_name(r));
	if (rule < LOOM_RULES_MAX)
		return loom_fail(err, LOOM_EINPUT, "%s has no rule %s, as it has no rings; it has: %s", topo->name,
		                 name, there_is);
	return loom_fail(err, LOOM_EINPUT, "unknown rule \"%.40s\"; %s has: %s", name, topo->name, there_is);
}

// Everything that a planner is handed.
static int fill(struct loom_plan *plan, const struct loom_topo *topo, const struct loom_pattern *pattern,
                const char *map, enum loom_rule rule, bool *map_is_free, struct loom_err *err)
{
	plan->topo = *topo;
	(void)snprintf(plan->pattern, sizeof plan->pattern, "%s", pattern->name);
	plan->n_members = plan->n_passes = pattern->n_members;
	plan->n_messages = pattern->n_messages;
	plan->messages = calloc(plan->n_messages + !plan->n_messages, sizeof *plan->messages);
	plan->map = calloc(topo->n_nodes, sizeof *plan->map);
	plan->member_of_pass = calloc(plan->n_passes, sizeof *plan->member_of_pass);
	if (!plan->messages || !plan->map || !plan->member_of_pass)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for a plan of %zu messages", plan->n_messages);

	int rc = loom_plan_parse_map(plan->map, map_is_free, topo, map, err);
	if (rc != 0)
		return rc;
	plan->n_order = loom_plan_order_of_map(plan->order, plan->map, topo->n_nodes);
	for (uint32_t pass = 0; pass < plan->n_passes; pass++)
		plan->member_of_pass[pass] = pass;
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_message *message = &pattern->messages[i];
		plan->messages[i] = (struct loom_plan_message){
			.pass = message->member,
			.source = message->source,
			.destination = message->destination,
			.flits = message->flits,
			.rule = (uint8_t)rule,
			.origin = (uint32_t)i,
		};
	}
	return 0;
}

// What a planner may not change: who sends what to whom, by whatever way.
struct delivery {
	uint32_t member, source, destination, flits;
	size_t message; // which one of the pattern or the plan it is
};

static int compare_deliveries(const void *a, const void *b)
{
	const struct delivery *x = a, *y = b;
	if (x->member != y->member)
		return x->member < y->member ? -1 : 1;
	if (x->source != y->source)
		return x->source < y->source ? -1 : 1;
	if (x->destination != y->destination)
		return x->destination < y->destination ? -1 : 1;
	return x->flits < y->flits ? -1 : x->flits > y->flits;
}

static int order_deliveries(const void *a, const void *b)
{
	const struct delivery *x = a, *y = b;
	int by = compare_deliveries(x, y);
	return by ? by : x->message < y->message ? -1 : x->message > y->message;
}

// What the messages of a plan come to, end to end: a message which only brings data to the next sender is left out.
static size_t deliveries_of_plan(struct delivery *out, bool *is_relayed, const struct loom_plan *plan)
{
	size_t n = 0;
	for (size_t i = 0; i < plan->n_messages; i++)
		if (plan->messages[i].from_slot)
			is_relayed[plan->messages[i].origin] = true;
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i],
					       *root = &plan->messages[loom_plan_root(plan, i)];
		if (!is_relayed[i])
			out[n++] = (struct delivery){plan->member_of_pass[m->pass], root->source, m->destination,
			                             m->flits, i};
	}
	return n;
}

// Names the first message that is lost and the first that nobody asked for.
static int compare_sorted(const struct delivery *planned, size_t n_planned, const struct delivery *wanted,
                          size_t n_wanted, const struct loom_plan *plan, const struct loom_pattern *pattern,
                          struct loom_err *err)
{
	const struct delivery *lost = NULL, *other = NULL;
	char others[120] = "";
	for (size_t i = 0, k = 0; i < n_planned || k < n_wanted;) {
		int by = i == n_planned ? 1 : k == n_wanted ? -1 : compare_deliveries(&planned[i], &wanted[k]);
		if (by > 0 && !lost)
			lost = &wanted[k];
		if (by < 0 && !other)
			other = &planned[i];
		i += by <= 0;
		k += by >= 0;
	}
	if (other)
		(void)snprintf(others, sizeof others,
		               "message %zu of its plan, %" PRIu32 " flits from %" PRIu32 " to %" PRIu32
		               " for member %" PRIu32,
		               other->message, other->flits, other->source, other->destination, other->member);
	if (lost)
		return loom_fail(err, LOOM_EINTERNAL,
		                 "planner %s loses message %zu of \"%.60s\", %" PRIu32 " flits from %" PRIu32
		                 " to %" PRIu32 " of member %" PRIu32 "%s%s (it delivers %zu of %zu messages)",
		                 plan->planner, lost->message, pattern->name, lost->flits, lost->source,
		                 lost->destination, lost->member, other ? "; nobody asked for " : "", others, n_planned,
		                 n_wanted);
	if (other)
		return loom_fail(err, LOOM_EINTERNAL,
		                 "planner %s delivers what \"%.60s\" does not ask for: %s (%zu messages, %zu wanted)",
		                 plan->planner, pattern->name, others, n_planned, n_wanted);
	return 0;
}

// Neither loads nor theory can tell a message that is missing where each channel carries one.
static int check_planned(const struct loom_plan *plan, const struct loom_pattern *pattern, struct loom_err *err)
{
	int rc = 0;
	size_t n = 0, n_wanted = pattern->n_messages;
	struct delivery *planned = calloc(plan->n_messages + 1, sizeof *planned);
	struct delivery *wanted = calloc(n_wanted + 1, sizeof *wanted);
	bool *is_relayed = calloc(plan->n_messages + 1, sizeof *is_relayed);
	if (!planned || !wanted || !is_relayed) {
		rc = loom_fail(err, LOOM_ENOMEM, "out of memory to compare %zu messages with their pattern", n_wanted);
		goto out;
	}
	n = deliveries_of_plan(planned, is_relayed, plan);
	for (size_t i = 0; i < n_wanted; i++) {
		const struct loom_message *m = &pattern->messages[i];
		wanted[i] = (struct delivery){m->member, m->source, m->destination, m->flits, i};
	}
	qsort(planned, n, sizeof *planned, order_deliveries);
	qsort(wanted, n_wanted, sizeof *wanted, order_deliveries);
	rc = compare_sorted(planned, n, wanted, n_wanted, plan, pattern, err);
out:
	free(planned);
	free(wanted);
	free(is_relayed);
	return rc;
}

int loom_plan_make(struct loom_plan *out, const struct loom_topo *topo, const struct loom_pattern *pattern,
                   const struct loom_plan_options *options, struct loom_err *err)
{
	static const struct loom_plan_options defaults = {0};
	const struct loom_planner *planner = NULL;
	struct loom_plan plan = {0};
	bool map_is_free = false;
	options = options ? options : &defaults;
	if (options->planner && strcmp(options->planner, "best") == 0)
		return loom_plan_make_best(out, topo, pattern, options, err);
	const struct choice choice = {options->planners, topo, pattern, options->half_duplex, options->rule != NULL};
	enum loom_rule rule = LOOM_RULE_ASCENDING;

	int rc = check_request(topo, pattern, options, err);
	if (rc == 0)
		rc = parse_rule(&rule, topo, options->rule, err);
	if (rc != 0)
		goto out;
	rc = choose_planner(&planner, &choice, options->planner, err);
	if (rc != 0)
		goto out;
	rc = fill(&plan, topo, pattern, options->map, rule, &map_is_free, err);
	if (rc != 0)
		goto out;
	(void)snprintf(plan.planner, sizeof plan.planner, "%s", planner->name);
	plan.bound = planner->bound;
	plan.half_duplex = options->half_duplex;
	plan.options = options;
	rc = planner->plan(&plan, pattern, options->objective, map_is_free, err);
	plan.options = NULL;
	if (rc == 0 && options->objective && !plan.objective[0])
		rc = loom_fail(err, LOOM_EINPUT, "planner %s weighs no objective, %s or any other", planner->name,
		               options->objective);
	if (rc == 0)
		rc = check_planned(&plan, pattern, err);
	if (rc == 0)
		rc = loom_deadlock_check(&plan, err);
	if (rc != 0)
		goto out;
	*out = plan;
	memset(&plan, 0, sizeof plan);
out:
	loom_plan_free(&plan);
	return rc;
}

void loom_plan_free(struct loom_plan *plan)
{
	if (!plan)
		return;
	free(plan->messages);
	free(plan->map);
	free(plan->load);
	free(plan->cycles);
	free(plan->member_contention);
	free(plan->member_of_pass);
	free(plan->theory);
	memset(plan, 0, sizeof *plan);
}
