// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Ways of traffic that a planner chose, against a slow version: all pairs are written into a matrix, each is looked up in the plan by
// going through all of its messages, and what channels carry in a run is added up from the run's log, message by message.
// Planners of the test's own give messages in another order, passes, and maps.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <math.h>

#include <flitloom/planner.h>
#include <flitloom/traffic.h>

#include "base/rng.h"
#include "traffic/routing.h"
#include "traffic/shares.h"
#include "unit/help/flows.h"
#include "unit/help/memory/failing_memory.h"

enum { NODES_MOST = 64, FLITS_MOST = 10000, RUNS = 12 };

struct scene {
	struct loom_topo topo;
	struct loom_traffic traffic;
	uint32_t map[NODES_MOST];
	double rate[NODES_MOST][NODES_MOST]; // between nodes
	struct loom_load_routes *routes;
	struct loom_err err;
};

static void set_up(struct scene *s, const char *fabric, const char *spec, uint32_t turn)
{
	struct loom_shares shares;
	struct loom_share share;
	memset(s, 0, sizeof *s);
	if (flows_parse(&s->traffic, &s->topo, fabric, spec, &s->err) != 0)
		fail_msg("%s on %s: %s", spec, fabric, s->err.text);
	for (uint32_t v = 0; v < s->topo.n_nodes; v++)
		s->map[v] = (5 * v + turn) % s->topo.n_nodes; // nodes of these fabrics are not multiples of 5
	for (uint32_t v = 0; v < s->topo.n_nodes; v++)
		for (loom_shares_begin(&shares, &s->traffic, v); loom_shares_next(&shares, &share);)
			s->rate[s->map[v]][s->map[share.destination]] += share.rate;
}

static void tear_down(struct scene *s)
{
	loom_load_routes_free(s->routes);
	loom_traffic_free(&s->traffic);
	loom_topo_free(&s->topo);
}

static int plan(struct scene *s, const struct loom_plan_options *options)
{
	return loom_load_routes_plan(&s->routes, &s->traffic, &s->topo, s->map, options, &s->err);
}

// Finds the plan's message between two nodes by a search through all; SIZE_MAX: there is none.
static size_t look_up(const struct loom_plan *p, uint32_t u, uint32_t w)
{
	size_t found = SIZE_MAX;
	for (size_t i = 0; i < p->n_messages; i++)
		if (p->messages[i].source == u && p->messages[i].destination == w) {
			assert_true(found == SIZE_MAX);
			found = i;
		}
	return found;
}

static uint32_t collect(uint32_t *out, struct loom_route *route)
{
	uint32_t n = 0;
	while (loom_route_next(route, &out[n]))
		n++;
	return n;
}

// Checks that each pair has the way of its message in the plan, and that messages have the lengths of their shares.
static void check_pairs(const struct scene *s, const struct loom_load_options *o)
{
	const struct loom_plan *p = loom_load_routes_plan_of(s->routes);
	const struct loom_routing routing = loom_routing_of(&s->topo, o);
	double most = 0, least = INFINITY;
	size_t n_pairs = 0;
	for (uint32_t u = 0; u < s->topo.n_nodes; u++)
		for (uint32_t w = 0; w < s->topo.n_nodes; w++) {
			most = fmax(most, s->rate[u][w]);
			least = s->rate[u][w] > 0 ? fmin(least, s->rate[u][w]) : least;
		}
	for (uint32_t u = 0; u < s->topo.n_nodes; u++)
		for (uint32_t w = 0; w < s->topo.n_nodes; w++) {
			const size_t i = look_up(p, u, w);
			struct loom_route one, other;
			uint32_t a[200], b[200];
			assert_int_equal(i != SIZE_MAX, s->rate[u][w] > 0);
			assert_int_equal(loom_routing_has(&routing, u, w), i != SIZE_MAX);
			if (i == SIZE_MAX)
				continue;
			n_pairs++;
			loom_routing_begin(&one, &routing, u, w, 0);
			loom_plan_route_begin(&other, p, i);
			const uint32_t n = collect(a, &one);
			assert_int_equal(n, collect(b, &other));
			assert_memory_equal(a, b, n * sizeof a[0]);
			assert_int_equal(loom_routing_rule(&routing, u, w), p->messages[i].rule);
			assert_int_equal(loom_routing_without_wait(&routing, 9, u, w, 0), 9 + n - 1);
			const double share = s->rate[u][w] / most * FLITS_MOST;
			if (least > most * 0.999)
				assert_int_equal(p->messages[i].flits, 1);
			else
				assert_true(p->messages[i].flits >= share - 1e-6 &&
				            p->messages[i].flits < share + 1 + 1e-6);
		}
	assert_int_equal(n_pairs, p->n_messages);
}

// The load that the channels carry, and what they carried in a run, worked out from pairs and messages.
static void check_loads(struct scene *s, struct loom_load_options *o, const char *what)
{
	const struct loom_plan *p = loom_load_routes_plan_of(s->routes);
	const uint32_t n_channels = loom_topo_channels(&s->topo);
	double *load = calloc(n_channels, sizeof *load), most = 1, capacity;
	uint64_t(*counts)[2] = calloc(n_channels, sizeof *counts);
	struct loom_load_log log = {0};
	struct loom_load_point point;
	struct loom_route route;
	uint32_t c;
	for (size_t i = 0; i < p->n_messages; i++)
		for (loom_plan_route_begin(&route, p, i); loom_route_next(&route, &c);)
			load[c] += s->rate[p->messages[i].source][p->messages[i].destination];
	for (c = 0; c < n_channels; c++)
		most = fmax(most, load[c]);
	assert_int_equal(loom_traffic_capacity(&capacity, &s->traffic, &s->topo, s->map, o, &s->err), 0);
	assert_real(what, capacity, 1 / most);
	o->log = &log;
	if (loom_load_compute(&point, &s->topo, &s->traffic, s->map, o, &s->err) != 0)
		fail_msg("%s: %s", what, s->err.text);
	for (size_t k = 0; k < log.n_messages; k++) {
		const struct loom_load_message *m = &log.messages[k];
		const size_t i = look_up(p, s->map[m->source], s->map[m->destination]);
		const uint64_t least = m->flits + loom_plan_route_length(p, i) - 1;
		assert_true(i != SIZE_MAX);
		assert_true(m->tail - m->release + 1 >= least);
		for (loom_plan_route_begin(&route, p, i); loom_route_next(&route, &c);) {
			counts[c][0]++;
			counts[c][1] += m->flits;
		}
	}
	for (c = 0; c < n_channels; c++)
		if (counts[c][0] != log.counts[c].messages || counts[c][1] != log.counts[c].flits)
			fail_msg("%s: channel %u", what, c);
	assert_true(log.n_messages > 20);
	loom_load_log_free(&log);
	o->log = NULL;
	free(counts);
	free(load);
}

static struct loom_load_options run_options(double load)
{
	return (struct loom_load_options){
		.load = load, .flits = 3, .seed = 5, .warmup_cycles = 100, .measure_cycles = 900};
}

static void test_planners(void **unused)
{
	(void)unused;
	static const struct {
		const char *fabric, *planner, *rule;
		uint32_t detours;
	} rows[] = {
		{"mesh:3x3", "xy", NULL, 0},
		{"mesh:3x4", "yx", NULL, 0},
		{"cube:4", "yx", NULL, 0},
		{"cube:3", "direct", "descending", 0},
		{"torus:3x4v2", "direct", "one-way", 0},
		{"omega:8", "direct", NULL, 0},
		{"otis-mesh:4l3w2v2", "direct", NULL, 0},
		{"table-mesh:4x4v2", "block", NULL, 0},
		{"table-mesh:3x3v2", "reroute", NULL, 2},
		{"table-cube:3v4", "reroute", NULL, 0},
		{"table-mesh:4x4v2", "xy", NULL, 0},
	};
	static const char *const traffics[] = {"shift:1", "uniform", "0.2*uniform+0.8*shift:3", "hotspot:2:0.5"};
	for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++)
		for (size_t t = r % 2; t < sizeof traffics / sizeof traffics[0]; t += 2) { // two of them each
			struct scene s;
			char what[100];
			const struct loom_plan_options options = {
				.planner = rows[r].planner, .rule = rows[r].rule, .detours = rows[r].detours};
			(void)snprintf(what, sizeof what, "%s %s %s", rows[r].fabric, rows[r].planner, traffics[t]);
			set_up(&s, rows[r].fabric, traffics[t], (uint32_t)(r + t));
			if (plan(&s, &options) != 0)
				fail_msg("%s: %s", what, s.err.text);
			struct loom_load_options o = run_options(0.1);
			o.routes = s.routes;
			if (strncmp(rows[r].fabric, "otis", 4) != 0) // light takes longer
				check_pairs(&s, &o);
			check_loads(&s, &o, what);
			tear_down(&s);
		}
}

// Random flows between random nodes, on networks whose routers have tables.
static void test_random(void **unused)
{
	(void)unused;
	static const char *const fabrics[] = {"table-mesh:3x3v4", "table-cube:3v2", "table-mesh:2x4v4", "cube:3"};
	static const char *const planners[] = {"block", "reroute", "xy", "direct"};
	uint32_t n_planned = 0;
	for (uint32_t run = 0; run < RUNS; run++) {
		struct loom_rng rng;
		struct scene s;
		char text[4000] = "source,destination,weight\n", what[100];
		loom_rng_init(&rng, run);
		const uint32_t f = run % 4, n = f == 0 ? 9 : 8, n_flows = 1 + (uint32_t)loom_rng_below(&rng, 60);
		for (uint32_t k = 0; k < n_flows; k++)
			(void)snprintf(text + strlen(text), sizeof text - strlen(text), "%u,%u,%u\n",
			               (unsigned)loom_rng_below(&rng, n), (unsigned)loom_rng_below(&rng, n),
			               1 + (unsigned)loom_rng_below(&rng, 50));
		(void)snprintf(text + strlen(text), sizeof text - strlen(text), "0,1,1\n");
		flows_write(text, strlen(text));
		const char *planner = planners[f == 3 ? 2 + run / 4 % 2 : run / 4 % 4];
		(void)snprintf(what, sizeof what, "run %u: %s %s", run, fabrics[f], planner);
		set_up(&s, fabrics[f], "traffic:FILE", run);
		const struct loom_plan_options options = {.planner = planner};
		if (plan(&s, &options) == 0) {
			struct loom_load_options o = run_options(0.05);
			o.measure_cycles = 4000;
			o.routes = s.routes;
			check_pairs(&s, &o);
			check_loads(&s, &o, what);
			n_planned++;
		} else {
			assert_non_null(strstr(s.err.text, "can lock"));
		}
		tear_down(&s);
	}
	assert_true(n_planned > RUNS * 3 / 4);
}

// --- Planners of the test's own ---------------------------------------------------------------------------------------

static bool accepts(const struct loom_topo *topo, const struct loom_pattern *pattern)
{
	(void)topo;
	(void)pattern;
	return true;
}

static int plan_reversed(struct loom_plan *p, const struct loom_planner_request *request, struct loom_err *err)
{
	(void)request;
	for (size_t i = 0, k = p->n_messages; i + 1 < k; i++) {
		const struct loom_plan_message kept = p->messages[i];
		p->messages[i] = p->messages[--k];
		p->messages[k] = kept;
	}
	for (size_t i = 0; i < p->n_messages; i++)
		p->messages[i].origin = (uint32_t)i;
	return loom_plan_predict(p, err);
}

static int plan_passes(struct loom_plan *p, const struct loom_planner_request *request, struct loom_err *err)
{
	struct loom_plan_message *messages = calloc(p->n_messages, sizeof *messages);
	(void)request;
	memcpy(messages, p->messages, p->n_messages * sizeof *messages);
	messages[p->n_messages - 1].pass = 1;
	int rc = loom_planner_set_messages(p, messages, p->n_messages, 2, err);
	return rc == 0 ? loom_plan_predict(p, err) : rc;
}

static int plan_moved(struct loom_plan *p, const struct loom_planner_request *request, struct loom_err *err)
{
	(void)request;
	p->map[0] = 1;
	p->map[1] = 0;
	p->n_order = 0;
	return loom_plan_predict(p, err);
}

static const struct loom_planner reversed = {
	.name = "reversed", .help = "h", .accepts = accepts, .plan = plan_reversed, .takes = LOOM_TAKES_TRAFFIC};
static const struct loom_planner passes = {
	.name = "passes", .help = "h", .accepts = accepts, .plan = plan_passes, .takes = LOOM_TAKES_TRAFFIC};
static const struct loom_planner moved = {
	.name = "moved", .help = "h", .accepts = accepts, .plan = plan_moved, .takes = LOOM_TAKES_TRAFFIC};
static const struct loom_planner modest = {.name = "modest", .help = "h", .accepts = accepts, .plan = plan_reversed};
static const struct loom_planner *const own[] = {&reversed, &passes, &moved, &modest, NULL};

static void test_own(void **unused)
{
	(void)unused;
	static const struct {
		const char *planner, *why; // NULL: it plans
	} rows[] = {{"reversed", NULL},
	            {"passes", "planner passes did not give each message one way on the map given"},
	            {"moved", "planner moved did not give each message one way on the map given"},
	            {"modest", "planner modest plans passes, places or orders"}};
	for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
		struct scene s;
		const struct loom_plan_options options = {.planner = rows[r].planner, .planners = own};
		set_up(&s, "mesh:3x3", "0.5*uniform+0.5*shift:2", 1);
		const int code = plan(&s, &options);
		assert_int_equal(code, rows[r].why ? LOOM_EINPUT : 0);
		if (rows[r].why && !strstr(s.err.text, rows[r].why))
			fail_msg("%s: %s", rows[r].planner, s.err.text);
		if (code == 0) {
			struct loom_load_options o = run_options(0.1);
			o.routes = s.routes;
			check_pairs(&s, &o);
			check_loads(&s, &o, "reversed");
		} else {
			assert_null(s.routes);
		}
		tear_down(&s);
	}
}

static void test_refused(void **unused)
{
	(void)unused;
	static const struct {
		const char *fabric, *traffic, *planner, *why;
	} rows[] = {
		{"mesh:3x3", "uniform", NULL, "no planner for the ways of uniform"},
		{"mesh:3x3", "uniform", "exact",
	         "planners on mesh:3x3 that give each message a way: direct, xy, yx, block, reroute"},
		{"omega:8", "uniform", "best", "planners on omega:8 that give each message a way: direct"},
		{"mesh:3x3", "uniform", "nobody", "unknown planner \"nobody\""},
		{"mesh:3x3", "uniform", "tables",
	         "planner tables is not for this fabric; planners on mesh:3x3 that give"},
		{"table-mesh:3x3", "uniform", "tables", "there are no tables"},
		{"mesh:3x3", "uniform", "block", "planner block chose a route for each message"},
		{"torus:4x4", "uniform", "direct", "can lock"},
		{"table-mesh:4x4", "uniform", "block", "can lock"},
		{"cube:11", "uniform", "direct", "of up to 1024 nodes"},
	};
	for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
		struct loom_topo topo;
		struct loom_traffic traffic;
		struct loom_load_routes *routes = NULL;
		struct loom_err err = {0};
		const struct loom_plan_options options = {.planner = rows[r].planner};
		uint32_t map[2048];
		assert_int_equal(flows_parse(&traffic, &topo, rows[r].fabric, rows[r].traffic, &err), 0);
		for (uint32_t v = 0; v < topo.n_nodes; v++)
			map[v] = v;
		assert_int_equal(loom_load_routes_plan(&routes, &traffic, &topo, map, &options, &err), LOOM_EINPUT);
		if (!strstr(err.text, rows[r].why) || strchr(err.text, '\n'))
			fail_msg("%s %s: %s", rows[r].fabric, rows[r].planner, err.text);
		assert_null(routes);
		loom_traffic_free(&traffic);
		loom_topo_free(&topo);
	}
	loom_load_routes_free(NULL);
}

// Ways that were made for something else are refused before a run, and before the load of channels is computed.
static void test_foreign(void **unused)
{
	(void)unused;
	struct scene a, b;
	struct loom_load_point point;
	double capacity;
	const struct loom_plan_options options = {.planner = "xy"};
	struct loom_load_options o = run_options(0.1);
	set_up(&a, "mesh:3x3", "shift:1", 0);
	set_up(&b, "mesh:3x3", "shift:2", 0);
	assert_int_equal(plan(&a, &options), 0);
	o.routes = a.routes;
	assert_int_equal(loom_load_compute(&point, &a.topo, &a.traffic, a.map, &o, &a.err), 0);
	assert_int_equal(loom_load_compute(&point, &b.topo, &b.traffic, b.map, &o, &b.err), LOOM_EINPUT);
	assert_non_null(
		strstr(b.err.text, "the routes are for other traffic, or another map: there is none from node 0 to"));
	assert_int_equal(loom_traffic_capacity(&capacity, &b.traffic, &b.topo, b.map, &o, &b.err), LOOM_EINPUT);
	tear_down(&b);
	set_up(&b, "mesh:3x4", "shift:1", 0);
	assert_int_equal(loom_load_compute(&point, &b.topo, &b.traffic, b.map, &o, &b.err), LOOM_EINPUT);
	assert_string_equal(b.err.text, "mesh:3x4: the routes are for mesh:3x3");
	tear_down(&b);
	o.closed = (struct loom_load_closed){.reply_flits = 3, .window = 2, .service_cycles = 16};
	assert_int_equal(loom_traffic_capacity(&capacity, &a.traffic, &a.topo, a.map, &o, &a.err), LOOM_EINPUT);
	assert_non_null(strstr(a.err.text, "are those of requests, and replies have none"));
	tear_down(&a);
}

static void test_memory(void **unused)
{
	(void)unused;
	bool failed = true;
	struct scene s;
	const struct loom_plan_options options = {.planner = "block"};
	set_up(&s, "table-mesh:3x3v2", "0.5*uniform+0.5*shift:2", 1);
	for (size_t n = 1; failed; n++) {
		memory_arm(n, false);
		const int code = plan(&s, &options);
		failed = memory_disarm();
		assert_int_equal(code, failed ? LOOM_ENOMEM : 0);
		assert_int_equal(s.routes != NULL, !failed);
		assert_true(n < 5000);
	}
	tear_down(&s);
}

static int begin(void **unused)
{
	(void)unused;
	flows_begin();
	return 0;
}

static int end(void **unused)
{
	(void)unused;
	flows_end();
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_planners), cmocka_unit_test(test_random),
	                                   cmocka_unit_test(test_own),      cmocka_unit_test(test_refused),
	                                   cmocka_unit_test(test_foreign),  cmocka_unit_test(test_memory)};
	return cmocka_run_group_tests(tests, begin, end);
}
