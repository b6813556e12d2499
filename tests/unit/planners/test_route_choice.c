// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Routes that are searched for and have too few lanes: which of them are kept beside usual ones, and when none are.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <flitloom/routes/graph.h>
#include <flitloom/routes/virtual_networks.h>

#include "base/rng.h"
#include "plan/planners/route_choice.h"
#include "reference/ref_lanes.h"
#include "unit/help/message_list.h"
#include "unit/help/random_graphs.h"
#include "unit/help/routes.h"

enum { MOST = 60, HOPS_MOST = 200 };

// A choice for the messages of a list, on lanes of which nothing is known yet.
struct scene {
	struct list l;
	struct loom_plan plan;
	struct loom_plan_options options;
	struct loom_choice c;
	uint32_t lane[LIST_MOST];
};

static void begin(struct scene *s, uint32_t detours)
{
	s->plan = (struct loom_plan){.topo = s->l.topo};
	s->options = (struct loom_plan_options){.seed = 1};
	s->c = (struct loom_choice){.plan = &s->plan,
	                            .options = &s->options,
	                            .messages = s->l.messages,
	                            .n = s->l.n,
	                            .lane = s->lane,
	                            .detours = detours,
	                            .most_steps = 3000000};
	for (size_t i = 0; i < LIST_MOST; i++)
		s->lane[i] = 77;
	struct loom_err err = {0};
	if (loom_choice_search(&s->c.routes, NULL, &s->c, detours, 0, &err) != 0)
		fail_msg("%s", err.text);
}

static bool same_route(const struct loom_routes *r, size_t i, const uint32_t *channel, size_t n)
{
	return r->first[i + 1] - r->first[i] == n &&
	       memcmp(r->channel + r->first[i], channel, n * sizeof *channel) == 0;
}

static struct loom_routes copy_of(const struct loom_routes *r)
{
	struct loom_routes out = {.n = r->n,
	                          .first = malloc((r->n + 1) * sizeof *out.first),
	                          .channel = malloc(r->first[r->n] * sizeof *out.channel + 1)};
	assert_true(out.first && out.channel);
	memcpy(out.first, r->first, (r->n + 1) * sizeof *out.first);
	memcpy(out.channel, r->channel, r->first[r->n] * sizeof *out.channel);
	return out;
}

// Gives the links of the default way of a message.
static size_t usual_route(uint32_t out[HOPS_MOST], const struct scene *s, size_t i)
{
	const struct loom_topo *t = &s->l.topo;
	const struct loom_message *m = &s->l.messages[i];
	uint32_t all[HOPS_MOST];
	unsigned n = route_of(all, HOPS_MOST, t, m->source, m->destination,
	                      (enum loom_rule)loom_topo_rule(t, m->source, m->destination, LOOM_RULE_ASCENDING));
	size_t kept = 0;
	for (unsigned k = 0; k < n; k++)
		if (!loom_topo_is_local(t, all[k]))
			out[kept++] = all[k];
	return m->source == m->destination ? 0 : kept;
}

static uint32_t shortest(const struct scene *s, size_t i)
{
	uint32_t distance[64], queue[64], n = 0;
	const struct loom_topo *t = &s->l.topo;
	assert_true(t->n_nodes <= 64);
	memset(distance, 0xff, sizeof distance);
	distance[s->l.messages[i].source] = 0;
	queue[n++] = s->l.messages[i].source;
	for (uint32_t k = 0; k < n; k++)
		for (unsigned p = 0, q; p < loom_topo_links(t); p++) {
			uint32_t v;
			if (!t->kind->link(t, queue[k], p, &v, &q) || distance[v] != UINT32_MAX)
				continue;
			distance[v] = distance[queue[k]] + 1;
			queue[n++] = v;
		}
	return distance[s->l.messages[i].destination];
}

static void assert_cannot_lock(const struct scene *s)
{
	struct ref_lane_route way[LIST_MOST];
	const struct loom_routes *r = &s->c.routes;
	bool locks = true;
	for (size_t i = 0; i < s->l.n; i++) {
		way[i] = (struct ref_lane_route){r->channel + r->first[i], r->first[i + 1] - r->first[i]};
		assert_true(s->lane[i] < s->l.topo.n_vcs);
	}
	assert_int_equal(ref_lanes_lock(&locks, way, s->lane, s->l.n, loom_topo_channels(&s->l.topo)), 0);
	assert_false(locks);
}

// How routes came out.
struct outcome {
	size_t n_usual, n_searched; // routes that are usual but not searched; searched but not usual
	uint64_t mine, usual;       // messages on the busiest link of these routes; of the usual routes
};

// Each goes as was searched, or as usual; no link has more messages than if all had gone as usual; what is said of detours is so.
static struct outcome check_kept(const struct scene *s, const struct loom_routes *before, uint32_t detours_before)
{
	const struct loom_routes *r = &s->c.routes;
	struct outcome out = {0};
	uint32_t usual[HOPS_MOST], most = detours_before;
	uint64_t *load = calloc(loom_topo_channels(&s->l.topo), sizeof *load);
	assert_non_null(load);
	out.mine = list_contention(&s->l, r, LOOM_LOAD_MESSAGES);
	for (size_t i = 0; i < s->l.n; i++) {
		size_t n = usual_route(usual, s, i), at = before->first[i];
		bool as_usual = same_route(r, i, usual, n);
		bool as_searched = same_route(r, i, before->channel + at, before->first[i + 1] - at);
		assert_true(as_usual || as_searched);
		out.n_usual += as_usual && !as_searched;
		out.n_searched += as_searched && !as_usual;
		for (size_t k = 0; k < n; k++)
			out.usual = ++load[usual[k]] > out.usual ? load[usual[k]] : out.usual;
		uint32_t longer = (uint32_t)(r->first[i + 1] - r->first[i]) - shortest(s, i);
		most = longer > most ? longer : most;
	}
	free(load);
	assert_true(out.mine <= out.usual);
	assert_int_equal(s->c.detours, most);
	assert_cannot_lock(s);
	return out;
}

// Networks without coordinates, whose usual routes go up and down.
static void test_kept_on_graphs(void **state)
{
	static struct scene s;
	unsigned n_mixed = 0, n_better = 0, n_longer = 0;
	(void)state;
	for (unsigned seed = 0; seed < 60; seed++) {
		struct loom_graph_wires wires;
		struct loom_err err = {0};
		random_graph(&wires, seed, 6 + seed % 20, 8, 0);
		assert_int_equal(loom_topo_of_graph(&s.l.topo, "graph:random", &wires, 1, &err), 0);
		s.l.n = 0;
		list_add_random(&s.l, 1 + seed % MOST, 9, seed);
		begin(&s, seed % 3);
		struct loom_routes before = copy_of(&s.c.routes);
		if (loom_choice_keep_some(&s.c, &err) != 0)
			fail_msg("seed %u: %s", seed, err.text);
		struct outcome o = check_kept(&s, &before, seed % 3);
		n_mixed += o.n_usual && o.n_searched;
		n_better += o.mine < o.usual;
		n_longer += s.c.detours > seed % 3;
		loom_routes_free(&before);
		loom_routes_free(&s.c.routes);
		loom_topo_free(&s.l.topo);
		loom_graph_wires_free(&wires);
	}
	assert_true(n_mixed > 10 && n_better > 10 && n_longer > 2);
}

// A ring: past the node farthest from the root nothing goes, for that would be down and up again, but all the way round. n - 2
// hops in place of two.
static void test_usual_ones_too_long(void **state)
{
	static struct scene s;
	(void)state;
	for (uint32_t n = LOOM_DETOURS_MAX + 2; n <= LOOM_DETOURS_MAX + 7; n++) {
		struct loom_graph_wires wires;
		struct loom_err err = {0};
		uint32_t longest = 0;
		random_circle(&wires, 1, n, 0);
		for (uint32_t i = 0; i < wires.n_links; i++)
			wires.link[i].both = true;
		assert_int_equal(loom_topo_of_graph(&s.l.topo, "graph:ring", &wires, 1, &err), 0);
		s.l.n = 0;
		for (uint32_t u = 0; u < n; u++) {
			uint32_t hops = loom_route_length(&s.l.topo, u, (u + 2) % n, LOOM_RULE_ASCENDING);
			if (hops <= longest)
				continue;
			longest = hops;
			s.l.n = 0;
			list_add(&s.l, u, (u + 2) % n, 9);
		}
		assert_int_equal(longest, n - 2 + 2); // and in and out
		begin(&s, 0);
		struct loom_routes before = copy_of(&s.c.routes);
		assert_int_equal(before.first[1], 2);
		assert_int_equal(loom_choice_keep_some(&s.c, &err), 0);
		assert_true(same_route(&s.c.routes, 0, before.channel, 2));
		assert_int_equal(s.c.detours, 0);
		assert_int_equal(s.lane[0], n - 4 > LOOM_DETOURS_MAX ? 77 : 0); // then nobody has given lanes
		loom_routes_free(&before);
		loom_routes_free(&s.c.routes);
		loom_topo_free(&s.l.topo);
		loom_graph_wires_free(&wires);
	}
}

// On networks with coordinates no link of the result carries more than with shortest routes that fit, or with the usual ones.
static void test_kept_with_detours(void **state)
{
	static const char *const fabrics[] = {"table-mesh:4x4", "table-mesh:3x6v2", "table-torus:4x4v2",
	                                      "table-torus:5x3v4"};
	static struct scene s;
	unsigned n_longer = 0;
	(void)state;
	for (unsigned seed = 0; seed < 40; seed++) {
		struct loom_err err = {0};
		uint32_t lane[LIST_MOST], n_lanes;
		list_on(&s.l, fabrics[seed % 4]);
		list_add_random(&s.l, 1 + seed, 9, seed);
		begin(&s, 2);
		struct loom_routes fit;
		assert_int_equal(loom_choice_search(&fit, NULL, &s.c, 0, 0, &err), 0);
		const struct loom_lanes_task task = {&s.l.topo, s.l.messages, LOOM_LOAD_MESSAGES, s.l.topo.n_vcs};
		assert_int_equal(loom_routes_fit_lanes(&fit, lane, &n_lanes, &task, &err), 0);
		if (loom_choice_keep_some_detours(&s.c, &err) != 0)
			fail_msg("seed %u: %s", seed, err.text);
		uint64_t mine = list_contention(&s.l, &s.c.routes, LOOM_LOAD_MESSAGES);
		assert_true(mine <= list_contention(&s.l, &fit, LOOM_LOAD_MESSAGES));
		if (n_lanes <= s.l.topo.n_vcs)
			assert_cannot_lock(&s);
		uint32_t hops = 0;
		for (size_t i = 0; i < s.l.n; i++)
			hops += (uint32_t)(s.c.routes.first[i + 1] - s.c.routes.first[i]) - shortest(&s, i);
		n_longer += hops != 0;
		if (s.l.topo.kind->wraps) {
			assert_int_equal(hops, 0);
			for (size_t i = 0; i < s.l.n; i++)
				assert_true(same_route(&s.c.routes, i, fit.channel + fit.first[i],
				                       fit.first[i + 1] - fit.first[i]));
			assert_memory_equal(s.lane, lane, s.l.n * sizeof *lane);
		}
		loom_routes_free(&fit);
		loom_routes_free(&s.c.routes);
	}
	assert_true(n_longer > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_kept_on_graphs),
	                                   cmocka_unit_test(test_usual_ones_too_long),
	                                   cmocka_unit_test(test_kept_with_detours)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
