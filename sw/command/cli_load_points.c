// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes the list of what a sweep over loads runs: fabrics, maps and machines, each of which with each is a curve; and the
// loads.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/planner.h>

#include "cli_sweep.h"

#define ITEMS_MOST 64

struct items {
	size_t n;
	char text[ITEMS_MOST][LOOM_TOPO_NAME];
};

static bool is_number(const char *text)
{
	return *text && text[strspn(text, "0123456789 ")] == '\0';
}

// A list with commas. Numbers that follow each other are one item, a map.
static int split(struct items *out, const char *list, const char *option, struct loom_err *err)
{
	bool numbers = false;
	for (const char *at = list;; at++) {
		char item[LOOM_TOPO_NAME];
		size_t length = strcspn(at, ",");
		if (length == 0 || length >= sizeof item)
			return loom_fail(err, LOOM_EINPUT, "%s: \"%.60s\": an item of the list is %s", option, list,
			                 length ? "too long" : "missing");
		(void)snprintf(item, sizeof item, "%.*s", (int)length, at);
		if (numbers && is_number(item)) {
			char *map = out->text[out->n - 1];
			size_t used = strlen(map);
			if (used + 1 + length >= sizeof out->text[0])
				return loom_fail(err, LOOM_EINPUT,
				                 "%s: \"%.60s\": a map of so many numbers goes into a file", option,
				                 list);
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

// The place of a rule's name; LOOM_N_RULES: it is none.
static unsigned find_rule(const char *text)
{
	unsigned rule = 0;
	while (loom_rule_name(rule) && strcmp(loom_rule_name(rule), text) != 0)
		rule++;
	return rule;
}

// The items of which each with each is a curve.
struct lists {
	struct items fabrics, maps, rules;
};

static int add_item(struct items *list, const char *text, struct loom_err *err)
{
	if (list->n == ITEMS_MOST)
		return loom_fail(err, LOOM_EINPUT, "--compare: %d items at most", ITEMS_MOST);
	(void)snprintf(list->text[list->n++], sizeof list->text[0], "%.150s", text);
	return 0;
}

// Fabrics, maps and rules: those of FABRIC, --map and --rule, and what --compare adds.
static int read_items(struct lists *out, const struct cli_request *request, struct loom_err *err)
{
	struct items compared = {0};
	int rc = split(&out->fabrics, request->words[0], "sweep", err);
	if (rc == 0 && request->map)
		rc = add_item(&out->maps, request->map, err);
	if (rc == 0 && cli_rule(request))
		rc = add_item(&out->rules, cli_rule(request), err);
	if (rc == 0 && request->compared)
		rc = split(&compared, request->compared, "--compare", err);
	for (size_t i = 0; rc == 0 && i < compared.n; i++) {
		struct loom_topo topo;
		struct items *list = loom_topo_parse(&topo, compared.text[i], NULL) == 0 ? &out->fabrics
		                     : loom_rule_name(find_rule(compared.text[i]))       ? &out->rules
		                                                                         : &out->maps;
		if (list == &out->fabrics)
			loom_topo_free(&topo);
		rc = add_item(list, compared.text[i], err);
	}
	return rc;
}

struct loom_load_options sweep_load_options(const struct sweep *s, const struct sweep_curve *c)
{
	const struct cli_request *r = s->request;
	return (struct loom_load_options){.load = 1,
	                                  .flits = r->flits,
	                                  .lengths = r->lengths_text ? &r->lengths : NULL,
	                                  .injection = r->arrivals,
	                                  .on_cycles = r->on_cycles,
	                                  .off_cycles = r->off_cycles,
	                                  .seed = r->seed,
	                                  .warmup_cycles = r->warmup_cycles,
	                                  .measure_cycles = r->measure_cycles,
	                                  .rule = c->rule,
	                                  .machine = c->machine};
}

static struct loom_pattern_options pattern_options_of(uint32_t extent[LOOM_DIMS_MAX], const struct sweep_curve *c,
                                                      const struct cli_request *request)
{
	return (struct loom_pattern_options){.flits = request->flits,
	                                     .seed = request->seed,
	                                     .n_dims = loom_topo_shape(extent, &c->topo),
	                                     .extent = extent};
}

// The map of a plan: of a pattern by a planner (NULL: the first that takes it), wanting a map.
static int map_of_plan(struct sweep_curve *c, const char *spec, const char *planner, const char *wanted,
                       const struct cli_request *request, struct loom_err *err)
{
	struct loom_pattern pattern;
	struct loom_plan plan;
	uint32_t extent[LOOM_DIMS_MAX];
	const struct loom_pattern_options pattern_options = pattern_options_of(extent, c, request);
	const struct loom_plan_options options = {.map = wanted,
	                                          .planner = planner,
	                                          .objective = spec == request->words[1] ? NULL : request->objective,
	                                          .rule = !planner || strcmp(planner, "direct") == 0 ? cli_rule(request)
	                                                                                             : NULL};
	int rc = loom_pattern_parse(&pattern, spec, c->topo.n_nodes, &pattern_options, err);
	if (rc != 0)
		return rc;
	rc = loom_plan_make(&plan, &c->topo, &pattern, &options, err);
	loom_pattern_free(&pattern);
	if (rc != 0)
		return rc;
	memcpy(c->map, plan.map, c->topo.n_nodes * sizeof *c->map);
	loom_plan_free(&plan);
	return 0;
}

// Finds where processors sit, by --map or an item of --compare: as the plan of a pattern has it, or as given.
static int find_map(struct sweep_curve *c, const char *text, const struct cli_request *request, struct loom_err *err)
{
	const bool planned = c->traffic.kind == LOOM_TRAFFIC_ONE;
	char planner[64];
	const char *pattern = strchr(text, ':');
	(void)snprintf(planner, sizeof planner, "%.*s", (int)(pattern ? pattern - text : 63), text);
	pattern = pattern ? pattern + 1 : request->words[1];
	const bool best = strcmp(planner, "best") == 0;
	if (!best && !loom_planner_named(planner))
		return map_of_plan(c, planned ? request->words[1] : "identity", "direct", text, request, err);
	if (pattern == request->words[1] && !planned)
		return loom_fail(
			err, LOOM_EINPUT,
			"map %.60s: %.60s has no plan of which it could be the map; such as identity, or %s:transpose",
			text, request->words[1], planner);
	return map_of_plan(c, pattern, best ? NULL : planner, "best", request, err);
}

// Fails because no map could be planned. If messages lock, what is said of a plan, such as its planner and its passes,
// is no help at a load: that of traffic is said.
static int fail_circle(const struct sweep_curve *c, const struct sweep *s, struct loom_err *err)
{
	struct loom_load_options options = sweep_load_options(s, c);
	struct loom_err why = {0};
	options.load = loom_load_most(&c->traffic, &options);
	for (uint32_t v = 0; v < c->topo.n_nodes; v++)
		c->map[v] = v;
	if (loom_load_check(&c->topo, &c->traffic, c->map, &options, &why) != 0)
		*err = why;
	return LOOM_EINPUT;
}

// Refuses --flits if the traffic says how long all its messages are: it would change nothing.
static int check_lengths(const struct sweep_curve *c, const struct cli_request *request, struct loom_err *err)
{
	uint32_t least, most;
	if (!(request->given & CLI_BIT(CLI_FLITS)) || !loom_traffic_own_lengths(&least, &most, &c->traffic))
		return 0;
	return loom_fail(err, LOOM_EINPUT, "--flits: %.60s says itself how long its messages are", request->words[1]);
}

static int make_curve(struct sweep_curve *c, const struct sweep *s, const char *fabric, const char *map,
                      struct loom_err *err)
{
	const struct cli_request *request = s->request;
	uint32_t extent[LOOM_DIMS_MAX];
	int rc = strchr(fabric, ':')
	                 ? cli_fabric_parse(&c->topo, request, fabric, err)
	                 : loom_fail(err, LOOM_EINPUT,
	                             "sweep --load: \"%.60s\" is no fabric with its size, such as cube:8", fabric);
	if (rc != 0)
		return rc;
	if (c->rule >= loom_topo_rules_count(&c->topo))
		return loom_fail(err, LOOM_EINPUT, "--rule: %s has no rule \"%s\"", c->topo.name,
		                 loom_rule_name(c->rule));
	const struct loom_pattern_options options = pattern_options_of(extent, c, request);
	rc = loom_traffic_parse(&c->traffic, request->words[1], &c->topo, &options, err);
	if (rc == 0 && !(c->map = calloc(c->topo.n_nodes, sizeof *c->map)))
		rc = loom_fail(err, LOOM_ENOMEM, "out of memory for a map");
	if (rc != 0)
		return rc;
	map = map ? map : c->traffic.kind == LOOM_TRAFFIC_ONE ? "best" : "identity";
	(void)snprintf(c->map_name, sizeof c->map_name, "%.127s", map);
	rc = check_lengths(c, request, err);
	if (rc != 0)
		return rc;
	rc = find_map(c, map, request, err);
	if (rc == LOOM_EINPUT)
		rc = fail_circle(c, s, err);
	if (rc == 0)
		rc = loom_traffic_capacity(&c->capacity, &c->traffic, &c->topo, c->map, (enum loom_rule)request->rule,
		                           err);
	return rc;
}

// Adds a word to the name of a curve, if there are several such words.
static void add_word(struct sweep_curve *c, bool several, const char *word)
{
	const size_t used = strlen(c->name);
	if (several)
		(void)snprintf(c->name + used, sizeof c->name - used, "%s%s", used ? ", " : "", word);
}

// The curve with the k-th of all combinations, the machines changing fastest; an empty list has its usual item.
static int make_kth(struct sweep *s, const struct lists *lists, size_t k, struct loom_err *err)
{
	struct sweep_curve *c = &s->curves[s->n_curves++];
	const struct items *fabrics = &lists->fabrics, *maps = &lists->maps, *rules = &lists->rules;
	const size_t n_maps = maps->n ? maps->n : 1, n_rules = rules->n ? rules->n : 1;
	const size_t machine = k % s->n_machines, rule = (k /= s->n_machines) % n_rules, map = (k /= n_rules) % n_maps;
	const bool several = n_maps > 1 || n_rules > 1 || s->n_machines > 1;
	c->machine = s->machines[machine];
	c->rule_given = rules->n > 0;
	c->rule = c->rule_given ? (enum loom_rule)find_rule(rules->text[rule]) : LOOM_RULE_ASCENDING;
	int rc = make_curve(c, s, fabrics->text[k / n_maps], maps->n ? maps->text[map] : NULL, err);
	c->name[0] = '\0';
	add_word(c, fabrics->n > 1 || !several, c->topo.name);
	add_word(c, n_maps > 1, c->map_name);
	add_word(c, n_rules > 1, loom_rule_name(c->rule));
	add_word(c, s->n_machines > 1, cli_machine_name(c->machine));
	return rc;
}

// Checks the options that say how often a load is run.
static int check_seeds(const struct cli_request *r, struct loom_err *err)
{
	if (r->precision && r->loads.max)
		return loom_fail(err, LOOM_EINPUT,
		                 "--precision: it is one of the mean latency at a load; --load max takes --seeds N");
	if (r->precision && r->n_seeds && r->n_seeds < LOOM_PRECISION_LEAST)
		return loom_fail(err, LOOM_EINPUT,
		                 "--seeds: %" PRIu32 " at most are too few for --precision, which takes %u at least",
		                 r->n_seeds, LOOM_PRECISION_LEAST);
	return 0;
}

int sweep_load_make(struct sweep *s, struct loom_err *err)
{
	const struct cli_request *r = s->request;
	const size_t n_loads = r->loads.max ? 1 : r->loads.n;
	size_t n = 0;
	if (r->flits_last > r->flits)
		return loom_fail(
			err, LOOM_EINPUT,
			"--flits: with --load one length, such as 20, or lengths with probabilities, 1:0.6,5:0.4");
	if (r->measure_cycles + r->warmup_cycles > LOOM_LOAD_CYCLES_MOST)
		return loom_fail(err, LOOM_EINPUT, "--warmup, --measure: together %u cycles at most",
		                 LOOM_LOAD_CYCLES_MOST);
	if (check_seeds(r, err) != 0)
		return LOOM_EINPUT;
	struct lists *lists = calloc(1, sizeof *lists);
	int rc = lists ? read_items(lists, r, err) : loom_fail(err, LOOM_ENOMEM, "out of memory for a sweep");
	if (rc == 0) {
		n = lists->fabrics.n * (lists->maps.n ? lists->maps.n : 1) * (lists->rules.n ? lists->rules.n : 1) *
		    s->n_machines;
		s->curves = calloc(n, sizeof *s->curves);
		rc = s->curves ? 0 : loom_fail(err, LOOM_ENOMEM, "out of memory for a sweep");
	}
	for (size_t k = 0; rc == 0 && k < n; k++)
		rc = make_kth(s, lists, k, err);
	free(lists);
	if (rc == 0 && !(s->rows = calloc(s->n_curves * n_loads, sizeof *s->rows)))
		rc = loom_fail(err, LOOM_ENOMEM, "out of memory for a sweep");
	s->n_rows = rc == 0 ? s->n_curves * n_loads : 0;
	for (size_t i = 0; rc == 0 && i < s->n_rows; i++) {
		s->rows[i].curve = &s->curves[i / n_loads];
		s->rows[i].load = r->loads.max ? 0 : cli_load_at(&r->loads, i % n_loads);
		s->rows[i].can_be_checked = true;
	}
	return rc == 0 ? sweep_choose_checked(s, NULL, err) : rc;
}
