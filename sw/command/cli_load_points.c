// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes the list of a sweep over loads: its curves, which are all combinations of fabrics, maps and machines; and the
// loads.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/planner.h>

#include "cli_load_lists.h"
#include "cli_sweep.h"
#include "cli_terminal.h"

struct loom_load_options sweep_load_options(const struct sweep *s, const struct sweep_curve *c)
{
	const struct cli_request *r = s->request;
	struct loom_load_closed closed = r->closed;
	if (closed.reply_flits > 0 && !r->reply_rule_given)
		closed.reply_rule = loom_load_reply_rule(&c->topo, c->rule);
	return (struct loom_load_options){.load = 1,
	                                  .batch = r->batch,
	                                  .closed = closed,
	                                  .flits = r->flits,
	                                  .lengths = r->lengths_text ? &r->lengths : NULL,
	                                  .injection = r->arrivals,
	                                  .on_cycles = r->on_cycles,
	                                  .off_cycles = r->off_cycles,
	                                  .seed = r->seed,
	                                  .warmup_cycles = r->warmup_cycles,
	                                  .measure_cycles = r->measure_cycles,
	                                  .rule = c->rule,
	                                  .select = loom_rule_is_adaptive(c->rule) ? r->select : LOOM_SELECT_FIXED,
	                                  .routes = c->routes,
	                                  .beside = true,
	                                  .machine = c->machine};
}

static struct loom_pattern_options pattern_options_of(uint32_t extent[LOOM_DIMS_MAX], const struct sweep_curve *c,
                                                      const struct cli_request *request)
{
	return (struct loom_pattern_options){.flits = request->flits,
	                                     .seed = request->seed,
	                                     .n_dims = loom_topo_shape(extent, &c->topo),
	                                     .extent = extent,
	                                     .flit_bits = c->topo.flit_bits};
}

// Makes the map of a plan: of a pattern by a planner (NULL: the first that accepts it), for a map.
static int map_of_plan(struct sweep_curve *c, const char *spec, const char *planner, const char *wanted,
                       const struct cli_request *request, struct loom_err *err)
{
	struct loom_pattern pattern;
	struct loom_plan plan;
	uint32_t extent[LOOM_DIMS_MAX];
	const struct loom_pattern_options pattern_options = pattern_options_of(extent, c, request);
	// Turns are given to the fabric of the curve that goes by them, and to no other.
	const bool may_rule = !request->rules && (!request->turns || c->rule == LOOM_RULE_TURNS);
	const struct loom_plan_options options = {
		.map = wanted,
		.planner = planner,
		.objective = spec == request->words[1] ? NULL : request->objective,
		.rule = may_rule && (!planner || strcmp(planner, "direct") == 0) ? cli_rule(request) : NULL};
	int rc = loom_pattern_parse(&pattern, spec, loom_topo_hosts(&c->topo), &pattern_options, err);
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

// Finds where processors sit, by --map or an item of --compare: from the plan of a pattern, or as given.
static int find_map(struct sweep_curve *c, const char *text, const struct cli_request *request, struct loom_err *err)
{
	const bool planned = c->traffic.kind == LOOM_TRAFFIC_ONE;
	char planner[64];
	const char *pattern = strchr(text, ':');
	(void)snprintf(planner, sizeof planner, "%.*s", (int)(pattern ? pattern - text : 63), text);
	pattern = pattern ? pattern + 1 : request->words[1];
	const bool best = strcmp(planner, "best") == 0;
	if (!best && !loom_planner_named(planner))
		return map_of_plan(c, planned && loom_plan_map_is_placed(text) ? request->words[1] : "identity",
		                   "direct", text, request, err);
	if (pattern == request->words[1] && !planned)
		return loom_fail(
			err, LOOM_EINPUT,
			"map %.60s: %.60s has no plan of which it could be the map; such as identity, or %s:transpose",
			text, request->words[1], planner);
	return map_of_plan(c, pattern, best ? NULL : planner, "best", request, err);
}

// Fails because no map could be planned. If messages lock, advice about a plan, such as its planner and its passes,
// does not help at a load: the text for traffic is given instead.
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

// Refuses --flits if the traffic gives the lengths of all its messages, because it would change nothing.
static int check_lengths(const struct sweep_curve *c, const struct cli_request *request, struct loom_err *err)
{
	uint32_t least, most;
	if (!cli_given(request, CLI_FLITS) || !loom_traffic_own_lengths(&least, &most, &c->traffic))
		return 0;
	return loom_fail(err, LOOM_EINPUT, "--flits: %.60s says itself how long its messages are", request->words[1]);
}

static bool is_stopped(void *user)
{
	(void)user;
	return cli_interrupted();
}

// Makes the curve's planner choose the ways.
static int plan_routes(struct sweep_curve *c, const struct cli_request *request, struct loom_err *err)
{
	const struct loom_planner *planner = loom_planner_named(c->planner);
	// Beside others that do, a planner that takes no detours makes its ways without.
	const bool spares_detours = c->several_ways && planner && !(planner->takes & LOOM_TAKES_DETOURS);
	struct loom_route_tables tables = {0};
	struct cli_progress progress;
	struct loom_plan_options options = {.planner = c->planner,
	                                    // Otherwise the rule is a way of its own.
	                                    .rule = request->planner ? cli_rule(request) : NULL,
	                                    .detours = spares_detours ? 0 : request->detours,
	                                    .budget_seconds = request->budget_seconds,
	                                    .seed = request->seed,
	                                    .stopped = is_stopped,
	                                    .progress = cli_progress_text,
	                                    .user = &progress};
	const bool by_tables = strcmp(c->planner, "tables") == 0 && request->tables;
	int rc = by_tables ? cli_read_tables(&tables, &c->topo, request->tables, err) : 0;
	if (rc != 0)
		return rc;
	options.tables = by_tables ? &tables : NULL;
	cli_progress_init(&progress, request);
	rc = loom_load_routes_plan(&c->routes, &c->traffic, &c->topo, c->map, &options, err);
	cli_progress_end(&progress);
	loom_route_tables_free(&tables);
	return rc;
}

// Makes the rest of a curve that has its machine and way. map NULL: the usual one.
static int make_curve(struct sweep_curve *c, const struct sweep *s, const char *map, uint64_t seed,
                      struct loom_err *err)
{
	const struct cli_request of_part = sweep_fail_request(&c->fail, s->request, c->i_fail, c->planner[0], seed),
				 *request = &of_part;
	const char *fabric = c->fabric;
	uint32_t extent[LOOM_DIMS_MAX];
	int rc = cli_fabric_parse(&c->topo, request, fabric, err);
	if (rc != 0)
		return rc;
	if (c->turns[0])
		rc = cli_fabric_set_turns(&c->topo, c->turns, request, err);
	if (rc != 0)
		return rc;
	if (loom_rule_is_adaptive(c->rule))
		rc = loom_rule_check(&c->topo, c->rule, err);
	else if (loom_rule_has_via(c->rule))
		rc = loom_via_check(&c->topo, c->rule, err);
	else
		rc = load_lists_check_rule(&c->topo, c->rule, err);
	if (rc != 0)
		return rc;
	const struct loom_pattern_options options = pattern_options_of(extent, c, request);
	rc = loom_traffic_parse(&c->traffic, request->words[1], &c->topo, &options, err);
	if (rc == 0 && !(c->map = calloc(c->topo.n_nodes, sizeof *c->map)))
		rc = loom_fail(err, LOOM_ENOMEM, "out of memory for a map");
	if (rc != 0)
		return rc;
	map = map ? map : c->traffic.kind == LOOM_TRAFFIC_ONE ? "best" : "identity";
	if (map != c->map_name)
		(void)snprintf(c->map_name, sizeof c->map_name, "%.127s", map);
	rc = check_lengths(c, request, err);
	if (rc != 0)
		return rc;
	rc = find_map(c, map, request, err);
	if (rc == LOOM_EINPUT && !c->planner[0])
		rc = fail_circle(c, s, err);
	if (rc == 0 && c->planner[0])
		rc = plan_routes(c, request, err);
	if (rc != 0)
		return rc;
	const struct loom_load_options run = sweep_load_options(s, c);
	return loom_traffic_capacity(&c->capacity, &c->traffic, &c->topo, c->map, &run, err);
}

int sweep_load_curve_of_seed(struct sweep_curve *out, const struct sweep *s, const struct sweep_curve *c, uint64_t seed,
                             struct loom_err *err)
{
	*out = *c;
	out->topo = (struct loom_topo){0};
	out->traffic = (struct loom_traffic){0};
	out->map = NULL;
	out->routes = NULL;
	return make_curve(out, s, out->map_name, seed, err);
}

// Counts the failures for each of the seeds.
static int count_failures(struct sweep_curve *c, const struct sweep *s, struct loom_err *err)
{
	const struct cli_request *r = s->request;
	sweep_fail_add(&c->fail, &c->topo, c->rule);
	int rc = 0;
	for (uint32_t i = 1; rc == 0 && r->fail_parts.n && i < s->n_seeds; i++) {
		struct sweep_fail of_seed = {0};
		struct loom_topo topo = {0};
		const struct cli_request one = sweep_fail_request(&of_seed, r, c->i_fail, c->planner[0], r->seed + i);
		rc = cli_fabric_parse(&topo, &one, c->fabric, err);
		if (rc == 0)
			sweep_fail_add(&c->fail, &topo, c->rule);
		loom_topo_free(&topo);
	}
	return rc;
}

// Adds a word to the name of a curve, if there are several such words.
static void add_word(char name[LOOM_TOPO_NAME + 160], bool several, const char *word)
{
	const size_t size = LOOM_TOPO_NAME + 160, used = strlen(name);
	if (several)
		(void)snprintf(name + used, size - used, "%s%s", used ? ", " : "", word);
}

// Refuses a curve that is already there. A separate curve that is also among the combinations is left out of these,
// since it was named once.
static int check_new(bool *is_there, const struct sweep *s, const struct sweep_curve *c, const struct sweep_curve *own,
                     struct loom_err *err)
{
	*is_there = false;
	for (const struct sweep_curve *other = s->curves; other < c; other++) {
		const bool same = other->machine == c->machine && other->rule == c->rule &&
		                  other->i_fail == c->i_fail && strcmp(other->topo.name, c->topo.name) == 0 &&
		                  strcmp(other->map_name, c->map_name) == 0 &&
		                  strcmp(other->planner, c->planner) == 0 && strcmp(other->turns, c->turns) == 0;
		if (same && c >= own && other < own)
			*is_there = true;
		else if (same)
			return loom_fail(err, LOOM_EINPUT,
			                 "sweep: the curve of %s, map %.60s, %.60s is there twice; name each once",
			                 c->topo.name, c->map_name, c->planner[0] ? c->planner : sweep_rule_name(c));
	}
	return 0;
}

// Adds to the refusal of one of several rules the fabric on which all of them go, if that is one with more lanes. A
// refusal of something else stays as it is.
static void tell_lanes(const struct load_lists *lists, const struct loom_topo *topo, unsigned rule,
                       struct loom_err *err)
{
	char name[LOOM_TOPO_NAME];
	const struct loom_err why = *err;
	if (topo->kind && !load_lists_goes(topo, rule) && load_lists_lanes(name, lists, topo))
		(void)loom_fail(err, why.code, "%.300s; all %zu ways of the list go on %s", why.text, lists->ways.n,
		                name);
}

// Makes the curve with the k-th of all combinations, the machines changing fastest; an empty list has its usual item.
static int make_kth(struct sweep *s, const struct load_lists *lists, size_t k, struct loom_err *err)
{
	struct sweep_curve *c = &s->curves[s->n_curves++];
	const struct load_items *fabrics = &lists->fabrics, *maps = &lists->maps, *ways = &lists->ways;
	const size_t n_maps = maps->n ? maps->n : 1, n_ways = ways->n ? ways->n : 1,
		     n_fails = sweep_fails_count(s->request);
	const size_t i_fail = k % n_fails, machine = (k /= n_fails) % s->n_machines, at = k / s->n_machines,
		     n_product = fabrics->n * n_maps * n_ways, way = at % n_ways, map = at / n_ways % n_maps;
	const bool is_own = at >= n_product, owns = lists->curves.n > 0;
	const bool several = n_maps > 1 || n_ways > 1 || s->n_machines > 1 || owns;
	const char *usual_map = lists->has_planner ? "identity" : NULL;
	char words[LOOM_TOPO_NAME];
	const char *fabric_text = fabrics->text[is_own ? 0 : at / n_ways / n_maps],
		   *map_text = maps->n ? maps->text[is_own ? 0 : map] : usual_map,
		   *way_text = ways->n ? ways->text[is_own ? 0 : way] : NULL;
	if (is_own) {
		memcpy(words, lists->curves.text[at - n_product], sizeof words);
		load_lists_curve(&fabric_text, &map_text, &way_text, words);
	}
	const unsigned rule = way_text ? load_lists_rule(way_text) : LOOM_RULES_NAMED;
	c->machine = s->machines[machine];
	c->rule_given = loom_rule_name(rule) != NULL;
	c->rule = c->rule_given ? (enum loom_rule)rule : LOOM_RULE_ASCENDING;
	if (way_text && !c->rule_given)
		(void)snprintf(c->planner, sizeof c->planner, "%.63s", way_text);
	if (rule == LOOM_RULE_TURNS)
		(void)snprintf(c->turns, sizeof c->turns, "%s", way_text);
	c->several_ways = n_ways > 1 || owns;
	c->i_fail = i_fail;
	(void)snprintf(c->fabric, sizeof c->fabric, "%s", fabric_text);
	int rc = make_curve(c, s, map_text, s->request->seed, err);
	if (rc == LOOM_EINPUT && n_ways > 1 && !is_own)
		tell_lanes(lists, &c->topo, rule, err);
	bool is_there = false;
	if (rc == 0)
		rc = check_new(&is_there, s, c, s->curves + n_product * s->n_machines * n_fails, err);
	if (is_there) {
		sweep_curve_free(c);
		*c = (struct sweep_curve){0};
		s->n_curves--;
		return rc;
	}
	if (rc == 0)
		rc = count_failures(c, s, err);
	add_word(c->series,
	         fabrics->n > 1 || !several || fabric_text != fabrics->text[at < n_product ? at / n_ways / n_maps : 0],
	         sweep_fabric_name(s, c));
	add_word(c->series, n_maps > 1 || owns, c->map_name);
	add_word(c->series, n_ways > 1 || owns, c->planner[0] ? c->planner : sweep_rule_name(c));
	add_word(c->series, s->n_machines > 1, cli_machine_name(c->machine));
	(void)snprintf(c->name, sizeof c->name, "%s", c->series);
	if (n_fails > 1 && !s->request->loads.max && s->request->loads.n > 1)
		(void)snprintf(c->name, sizeof c->name, "%.*s, %.4g%%", (int)sizeof c->name - 32, c->series,
		               c->fail.percent);
	return rc;
}

// Checks the options that say how often a load is run.
static int check_seeds(const struct cli_request *r, struct loom_err *err)
{
	if (r->precision && r->loads.max)
		return loom_fail(err, LOOM_EINPUT,
		                 "--precision: it is for the mean latency at a load; with --load max give --seeds N");
	if (r->precision && r->n_seeds && r->n_seeds < LOOM_PRECISION_LEAST)
		return loom_fail(err, LOOM_EINPUT,
		                 "--seeds: %" PRIu32 " at most are too few for --precision, which takes %u at least",
		                 r->n_seeds, LOOM_PRECISION_LEAST);
	return 0;
}

// Refuses --select where no router chooses.
static int check_select(const struct sweep *s, struct loom_err *err)
{
	for (size_t i = 0; i < s->n_curves; i++)
		if (loom_rule_is_adaptive(s->curves[i].rule))
			return 0;
	return loom_fail(err, LOOM_EINPUT, "--select: it is for a rule that lets routers choose, such as --rule duato");
}

int sweep_load_make(struct sweep *s, struct loom_err *err)
{
	const struct cli_request *r = s->request;
	const size_t n_loads = r->loads.max || r->batch ? 1 : r->loads.n;
	size_t n = 0;
	if (r->flits_last > r->flits)
		return loom_fail(err, LOOM_EINPUT,
		                 "--flits: with --load one length, such as 20, lengths with probabilities, "
		                 "1:0.6,5:0.4, or all of a range "
		                 "equally likely, 2-8");
	if (r->measure_cycles + r->warmup_cycles > LOOM_LOAD_CYCLES_MOST)
		return loom_fail(err, LOOM_EINPUT, "--warmup, --measure: together %u cycles at most",
		                 LOOM_LOAD_CYCLES_MOST);
	if (check_seeds(r, err) != 0 || sweep_load_check_show(r->show, err) != 0)
		return LOOM_EINPUT;
	if (!r->planner && !r->compared && (cli_given(r, CLI_BUDGET) || cli_given(r, CLI_DETOURS)))
		return loom_fail(
			err, LOOM_EINPUT,
			"--%s: it is for a planner that searches for ways; with --load such as --planner reroute",
			cli_option_name(cli_given(r, CLI_BUDGET) ? CLI_BUDGET : CLI_DETOURS));
	struct load_lists *lists = calloc(1, sizeof *lists);
	int rc = lists ? load_lists_read(lists, r, err) : loom_fail(err, LOOM_ENOMEM, "out of memory for a sweep");
	if (rc == 0) {
		n = lists->fabrics.n * (lists->maps.n ? lists->maps.n : 1) * (lists->ways.n ? lists->ways.n : 1) +
		    lists->curves.n;
		n *= s->n_machines * sweep_fails_count(r);
		s->curves = calloc(n, sizeof *s->curves);
		rc = s->curves ? 0 : loom_fail(err, LOOM_ENOMEM, "out of memory for a sweep");
	}
	for (size_t k = 0; rc == 0 && k < n; k++)
		rc = make_kth(s, lists, k, err);
	free(lists);
	if (rc == 0 && cli_given(r, CLI_SELECT))
		rc = check_select(s, err);
	if (rc == 0 && !(s->rows = calloc(s->n_curves * n_loads, sizeof *s->rows)))
		rc = loom_fail(err, LOOM_ENOMEM, "out of memory for a sweep");
	s->n_rows = rc == 0 ? s->n_curves * n_loads : 0;
	for (size_t i = 0; rc == 0 && i < s->n_rows; i++) {
		s->rows[i].curve = &s->curves[i / n_loads];
		s->rows[i].load = r->loads.max || r->batch ? 0 : cli_load_at(&r->loads, i % n_loads);
		s->rows[i].can_be_checked = true;
	}
	if (rc == 0)
		rc = sweep_by_check(s, err);
	return rc == 0 ? sweep_choose_checked(s, NULL, err) : rc;
}
