// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Placements: of random messages against slow counts, and against all placements of a small mesh.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <flitloom/plan.h>

#include "base/rng.h"
#include "plan/placement/placement.h"
#include "plan/plan_internal.h"
#include "unit/help/patterns.h"
#include "unit/help/placed_plans.h"
#include "unit/help/plans_by_hand.h"

static struct loom_topo topo_of(const char *fabric)
{
	struct loom_topo topo;
	assert_int_equal(loom_topo_parse(&topo, fabric, NULL), 0);
	return topo;
}

static void check_permutation(const uint32_t *map, uint32_t n)
{
	bool *seen = calloc(n, sizeof *seen);
	assert_non_null(seen);
	for (uint32_t v = 0; v < n; v++) {
		assert_true(map[v] < n && !seen[map[v]]);
		seen[map[v]] = true;
	}
	free(seen);
}

static void test_plans(void **state)
{
	static const char *const fabrics[] = {"mesh:3x4", "cube:4", "torus:4x4v2", "ring:9v2", "line:7", "mesh:2x3x2"};
	static const char *const planners[] = {"direct", "xy", "yx", "block", "reroute", "greedy"};
	static const char *const how[] = {"greedy", "search"};
	uint64_t seed = 7;
	(void)state;
	for (size_t k = 0; k < 72; k++) {
		struct loom_topo topo = topo_of(fabrics[k % 6]);
		const char *planner = planners[k / 6 % 6];
		struct loom_plan_options options = {.planner = planner, .map = "row-major", .budget_seconds = 0.02};
		struct loom_plan plan, row_major;
		struct loom_err err;
		uint32_t n_tasks = topo.n_nodes - (uint32_t)(k % 3);
		struct loom_pattern p = random_messages(topo.n_nodes, n_tasks, 40, 50, &seed);
		assert_int_equal(loom_plan_make(&row_major, &topo, &p, &options, &err), 0);
		assert_string_equal(loom_plan_how_made(&row_major)->placement.how, "");
		options.map = how[k / 36];
		if (loom_plan_make(&plan, &topo, &p, &options, &err) != 0)
			fail_msg("%s %s %s: %s", topo.name, planner, options.map, err.text);
		check_permutation(plan.map, topo.n_nodes);
		assert_string_equal(plan.planner, planner);
		assert_string_equal(loom_plan_how_made(&plan)->placement.how, how[k / 36]);
		assert_int_equal(loom_plan_how_made(&plan)->placement.flits, placed_flits_slowly(&plan));
		bool searches = strcmp(planner, "reroute") == 0 || strcmp(planner, "greedy") == 0;
		if (!searches) // a search may have ended sooner
			assert_int_equal(loom_plan_how_made(&plan)->placement.row_major_flits,
			                 placed_flits_slowly(&row_major));
		if (k / 36 == 1 &&
		    loom_plan_how_made(&plan)->placement.flits > loom_plan_how_made(&plan)->placement.row_major_flits)
			fail_msg("%s %s: %" PRIu64 " flits, row by row %" PRIu64, topo.name, planner,
			         loom_plan_how_made(&plan)->placement.flits,
			         loom_plan_how_made(&plan)->placement.row_major_flits);
		loom_plan_free(&plan);
		loom_plan_free(&row_major);
		loom_pattern_free(&p);
	}
}

// A network of the user, whose nodes have no coordinates.
static void test_graph(void **state)
{
	static const char text[] = "graph { a--b; b--c; c--d; d--a; a--e; e--f; f--c; }\n";
	static const char *const planners[] = {"direct", "block", "reroute"};
	char fabric[80];
	(void)state;
	(void)snprintf(fabric, sizeof fabric, "graph:%s", write_file(text, strlen(text)));
	for (size_t k = 0; k < 6; k++) {
		struct loom_topo topo = topo_of(fabric);
		struct loom_pattern p = parse("gaussian:5/3", 6);
		struct loom_plan plan;
		struct loom_err err;
		const struct loom_plan_options options = {
			.planner = planners[k / 2], .map = k % 2 ? "search" : "greedy", .budget_seconds = 0.02};
		if (loom_plan_make(&plan, &topo, &p, &options, &err) != 0)
			fail_msg("%s %s: %s", options.planner, options.map, err.text);
		check_permutation(plan.map, 6);
		assert_int_equal(loom_plan_how_made(&plan)->placement.flits, placed_flits_slowly(&plan));
		assert_true(k % 2 == 0 || loom_plan_how_made(&plan)->placement.flits <=
		                                  loom_plan_how_made(&plan)->placement.row_major_flits);
		loom_plan_free(&plan);
		loom_pattern_free(&p);
		loom_topo_free(&topo);
	}
}

// ---- The searches alone ----

struct scene {
	struct loom_topo topo;
	struct loom_pattern pattern;
	struct loom_task_graph graph;
	struct loom_place_net net;
};

static void begin(struct scene *s, const char *fabric, struct loom_pattern pattern)
{
	s->topo = topo_of(fabric);
	s->pattern = pattern;
	assert_int_equal(loom_task_graph_make(&s->graph, &s->pattern, NULL), 0);
	assert_int_equal(loom_place_net_make(&s->net, &s->topo, NULL), 0);
}

static void end(struct scene *s)
{
	loom_task_graph_free(&s->graph);
	loom_place_net_free(&s->net);
	loom_pattern_free(&s->pattern);
}

// Walks each message, and returns the sum over members of the most flits on a link.
static uint64_t by_rule(const struct scene *s, const uint32_t *map, enum loom_rule rule)
{
	uint64_t sum = 0, *load = calloc(loom_topo_channels(&s->topo), sizeof *load);
	assert_non_null(load);
	for (uint32_t m = 0; m < s->pattern.n_members; m++) {
		uint64_t most = 0;
		memset(load, 0, loom_topo_channels(&s->topo) * sizeof *load);
		for (size_t i = 0; i < s->pattern.n_messages; i++) {
			const struct loom_message *message = &s->pattern.messages[i];
			struct loom_route route;
			uint32_t c;
			if (message->member != m || message->source == message->destination)
				continue;
			loom_route_begin(&route, &s->topo, map[message->source], map[message->destination], rule);
			while (loom_route_next(&route, &c))
				if (!loom_topo_is_local(&s->topo, c) && (load[c] += message->flits) > most)
					most = load[c];
		}
		sum += most;
	}
	free(load);
	return sum;
}

static uint64_t refined(const struct scene *s, uint32_t *map, bool chosen, enum loom_rule rule, double heat,
                        uint64_t steps)
{
	const struct loom_place_scene scene = {s->graph, s->net, {.chosen = chosen, .rule = rule}};
	struct loom_place_found found;
	struct loom_budget budget;
	struct loom_rng rng;
	loom_rng_init(&rng, 3);
	loom_budget_begin(&budget, NULL, steps);
	assert_int_equal(loom_place_refine(map, &found, &scene, heat, &budget, &rng, NULL), 0);
	return found.flits;
}

static void shuffle(uint32_t *map, uint32_t n, uint64_t *seed)
{
	for (uint32_t i = 0; i < n; i++)
		map[i] = i;
	for (uint32_t i = n; i > 1; i--) {
		uint32_t j = (uint32_t)(loom_splitmix64(seed) % i), other = map[j];
		map[j] = map[i - 1];
		map[i - 1] = other;
	}
}

static void test_refined(void **state)
{
	static const char *const fabrics[] = {"mesh:4x5", "cube:4", "torus:3x5", "ring:12"};
	uint64_t seed = 11;
	(void)state;
	for (unsigned k = 0; k < 24; k++) {
		struct scene s;
		uint32_t map[20], again[20];
		enum loom_rule rule = k & 1 ? LOOM_RULE_DESCENDING : LOOM_RULE_ASCENDING;
		const struct loom_pattern_options options = {.flits = 9, .seed = k};
		struct loom_topo topo = topo_of(fabrics[k % 4]);
		struct loom_pattern p;
		if (k % 4 == 1)
			assert_int_equal(loom_pattern_parse(&p, "example5", 16, &options, NULL), 0); // 11 members
		else
			p = random_messages(topo.n_nodes, topo.n_nodes, 60, 50, &seed);
		begin(&s, fabrics[k % 4], p);
		shuffle(map, s.topo.n_nodes, &seed);
		memcpy(again, map, sizeof map);
		uint64_t before = by_rule(&s, map, rule), after = refined(&s, map, false, rule, 0.3, 100000);
		check_permutation(map, s.topo.n_nodes);
		assert_int_equal(after, by_rule(&s, map, rule));
		assert_true(after <= before);
		assert_int_equal(refined(&s, again, false, rule, 0.3, 100000), after);
		assert_memory_equal(again, map, s.topo.n_nodes * sizeof *map); // the same each time
		uint64_t chosen = refined(&s, map, true, rule, 0.3, 100000);
		check_permutation(map, s.topo.n_nodes);
		if (k % 4 != 1)
			assert_true(chosen <=
			            2 * after); // routes that follow the loads are no worse than such by rule, about
		end(&s);
	}
}

static bool next_permutation(uint32_t *map, uint32_t n)
{
	uint32_t i = n - 1, j = n - 1;
	while (i > 0 && map[i - 1] > map[i])
		i--;
	if (i == 0)
		return false;
	while (map[j] < map[i - 1])
		j--;
	uint32_t x = map[i - 1];
	map[i - 1] = map[j];
	map[j] = x;
	for (j = n - 1; i < j; i++, j--) {
		x = map[i];
		map[i] = map[j];
		map[j] = x;
	}
	return true;
}

static void test_all_placements(void **state)
{
	uint64_t seed = 5;
	(void)state;
	for (unsigned k = 0; k < 12; k++) {
		struct scene s;
		uint32_t map[6] = {0, 1, 2, 3, 4, 5};
		uint64_t least = UINT64_MAX;
		begin(&s, "mesh:2x3", random_messages(6, 6, 9 + k, 50, &seed));
		do {
			uint64_t flits = by_rule(&s, map, LOOM_RULE_ASCENDING);
			least = flits < least ? flits : least;
		} while (next_permutation(map, 6));
		shuffle(map, 6, &seed);
		assert_int_equal(refined(&s, map, false, LOOM_RULE_ASCENDING, 0.5, 200000), least);
		end(&s);
	}
}

// Gaussian elimination, 31 tasks: 60 messages on a link row by row.
static void test_large(void **state)
{
	struct scene s;
	uint32_t map[32];
	uint64_t seed = 1;
	(void)state;
	begin(&s, "mesh:4x8", parse("gaussian", 32)); // 17 flits each
	shuffle(map, 32, &seed);
	assert_true(refined(&s, map, false, LOOM_RULE_ASCENDING, 0.3, 2000000) <= 34 * 17);
	shuffle(map, 32, &seed);
	assert_true(refined(&s, map, true, LOOM_RULE_ASCENDING, 0.3, 2000000) <= 34 * 17);
	end(&s);
}

static uint64_t way(const struct scene *s, const uint32_t *map)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < s->pattern.n_messages; i++) {
		const struct loom_message *m = &s->pattern.messages[i];
		sum += (uint64_t)m->flits * s->net.hops[map[m->source] * s->net.n_nodes + map[m->destination]];
	}
	return sum;
}

// A grid whose tasks are numbered at random, on its own mesh.
static struct loom_pattern hidden_grid(uint64_t *seed)
{
	const uint32_t extent[] = {8, 8};
	const struct loom_pattern_options options = {.flits = 9, .n_dims = 2, .extent = extent};
	struct loom_pattern p = parse_with("stencil", 64, &options);
	uint32_t name[64];
	shuffle(name, 64, seed);
	for (size_t i = 0; i < p.n_messages; i++) {
		p.messages[i].source = name[p.messages[i].source];
		p.messages[i].destination = name[p.messages[i].destination];
	}
	return p;
}

static void test_greedy_and_scotch(void **state)
{
	uint64_t seed = 2;
	(void)state;
	for (unsigned k = 0; k < 8; k++) {
		struct scene s;
		uint32_t map[64], again[64];
		begin(&s, "mesh:8x8", k % 2 ? hidden_grid(&seed) : random_messages(64, 60, 30, 50, &seed));
		shuffle(map, 64, &seed);
		uint64_t at_random = way(&s, map);
		assert_int_equal(loom_place_greedy(map, &s.graph, &s.net, NULL), 0);
		check_permutation(map, 64);
		assert_true(way(&s, map) < at_random);
		uint64_t heaviest = 0, pair[64][64] = {{0}};
		uint32_t a = 0, b = 0, n_heaviest = 0;
		for (size_t i = 0; i < s.graph.n_edges; i++) {
			const struct loom_task_edge *e = &s.graph.edge[i];
			uint32_t low = e->from < e->to ? e->from : e->to, high = e->from ^ e->to ^ low;
			if ((pair[low][high] += e->flits) > heaviest) {
				heaviest = pair[low][high];
				a = low;
				b = high;
			}
		}
		for (uint32_t i = 0; i < 64 * 64; i++)
			n_heaviest += pair[i / 64][i % 64] == heaviest;
		if (n_heaviest == 1)
			assert_int_equal(s.net.hops[map[a] * 64 + map[b]], 1);
		struct loom_err err;
		int rc = loom_place_scotch(map, &s.graph, &s.net, &err);
#ifdef LOOM_HAVE_SCOTCH
		assert_int_equal(rc, 0);
		check_permutation(map, 64);
		assert_true(way(&s, map) < at_random * (k % 2 ? 5 : 8) / 10);
		assert_int_equal(loom_place_scotch(again, &s.graph, &s.net, &err), 0);
		assert_memory_equal(map, again, sizeof map);
#else
		(void)again;
		check_error(rc, &err, LOOM_EINPUT, PARTS("libscotch"), "scotch");
#endif
		end(&s);
	}
}

// ---- Files, and what is refused ----

static void test_files(void **state)
{
	static const struct {
		const char *text, *parts[3];
	} wrong[] = {
		{"", {"FILE", "no number"}},
		{"# none\n", {"no number"}},
		{"0\n1 6\n", {"FILE, line 2", "\"6\" is not a node of mesh:2x3", "0..5"}},
		{"0, 1,\n\n0", {"line 3", "node 0 is repeated, for tasks 0 and 2"}},
		{"0 one", {"\"one\""}},
		{"0,1,2,3,4,5,0", {"repeated"}},
		{"-1", {"\"-1\""}},
		{"0#\n# 7, 7\n\t2\r\n1 9#", {"FILE, line 4: \"9\" is not"}},
		{"1\n\n2\n1", {"FILE, line 4: node 1 is repeated, for tasks 0 and 2: a node has one task"}},
	};
	struct loom_topo topo = topo_of("mesh:2x3");
	uint32_t map[6];
	struct loom_err err;
	(void)state;
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
		check_error(loom_plan_parse_places(map, &topo, wrong[i].text, "FILE", &err), &err, LOOM_EINPUT,
		            PARTS(wrong[i].parts[0], wrong[i].parts[1], wrong[i].parts[2]), wrong[i].text);
	assert_int_equal(loom_plan_parse_places(map, &topo, "#0\n,1#4\r\n\t2,, 0 # the end", "FILE", &err), 0);
	assert_memory_equal(map, ((uint32_t[]){1, 2, 0, 3, 4, 5}), sizeof map);
	assert_int_equal(loom_plan_parse_places(map, &topo, "5 4 3 2 1 0", "FILE", &err), 0);
	assert_memory_equal(map, ((uint32_t[]){5, 4, 3, 2, 1, 0}), sizeof map);
	assert_int_equal(loom_plan_parse_places(map, &topo, "5 # the first\n3,1\n", "FILE", &err), 0);
	assert_memory_equal(map, ((uint32_t[]){5, 3, 1, 0, 2, 4}), sizeof map);

	struct loom_pattern p = parse("nbody:5", 6);
	struct loom_plan plan;
	char path[64];
	(void)snprintf(path, sizeof path, "%s", write_file("5 3 1", 5));
	struct loom_plan_options options = {.map = path, .planner = "xy"};
	assert_int_equal(loom_plan_make(&plan, &topo, &p, &options, &err), 0);
	assert_memory_equal(plan.map, map, sizeof map);
	assert_string_equal(loom_plan_how_made(&plan)->placement.how, "file");
	assert_int_equal(loom_plan_how_made(&plan)->placement.flits, placed_flits_slowly(&plan));
	loom_plan_free(&plan);
	(void)snprintf(path, sizeof path, "%s", write_file("5\0003", 3));
	check_error(loom_plan_make(&plan, &topo, &p, &options, &err), &err, LOOM_EFILE, PARTS("not a text file"), path);
	options.map = "./no/such/file";
	check_error(loom_plan_make(&plan, &topo, &p, &options, &err), &err, LOOM_EFILE, PARTS("no/such/file"), "");
	loom_pattern_free(&p);
}

static void refused(const char *fabric, const char *planner, const char *map, const char *const parts[])
{
	struct loom_topo topo = topo_of(fabric);
	struct loom_pattern p = parse("nbody", topo.n_nodes);
	struct loom_plan plan;
	struct loom_err err;
	const struct loom_plan_options options = {.planner = planner, .map = map};
	check_error(loom_plan_make(&plan, &topo, &p, &options, &err), &err, LOOM_EINPUT, parts, fabric);
	loom_pattern_free(&p);
}

static void test_refused(void **state)
{
	(void)state;
	refused("omega:8", NULL, "greedy", PARTS("omega:8", "direct networks"));
	refused("mesh:65x64", "xy", "search", PARTS("mesh:65x64", "4160 nodes", "4096"));
	refused("mesh:3x3", "zz", "search", PARTS("unknown planner"));
	refused("mesh:3x3", "xy", "serch", PARTS("did you mean \"search\"?"));
}

// Planner order searches in few steps while a placement is looked for, and in all of them for the one that was found.
static void test_searched_last(void **state)
{
	(void)state;
	struct loom_topo topo = topo_of("mesh:3x3");
	struct loom_pattern pattern;
	struct loom_plan placed, alone;
	char map[64] = "";
	assert_int_equal(loom_pattern_parse(&pattern, "uniform:50", topo.n_nodes,
	                                    &(struct loom_pattern_options){.flits = 5, .seed = 2}, NULL),
	                 0);
	struct loom_plan_options options = {.planner = "order", .map = "search"};
	assert_int_equal(loom_plan_make(&placed, &topo, &pattern, &options, NULL), 0);
	for (uint32_t v = 0; v < topo.n_nodes; v++)
		(void)snprintf(map + strlen(map), sizeof map - strlen(map), "%s%u", v ? "," : "", placed.map[v]);
	options.map = map;
	assert_int_equal(loom_plan_make(&alone, &topo, &pattern, &options, NULL), 0);
	check_same_messages(&placed, &alone);
	loom_plan_free(&placed);
	loom_plan_free(&alone);
	loom_pattern_free(&pattern);
	loom_topo_free(&topo);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plans),
		cmocka_unit_test(test_graph),
		cmocka_unit_test(test_refined),
		cmocka_unit_test(test_all_placements),
		cmocka_unit_test(test_greedy_and_scotch),
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_large),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_searched_last),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
