// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Placement by greed alone: its graph of tasks, and its map, against slow counts over all messages.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <flitloom/routes/graph.h>

#include "base/rng.h"
#include "plan/placement/placement.h"
#include "unit/help/patterns.h"
#include "unit/help/random_graphs.h"

struct scene {
	struct loom_topo topo;
	struct loom_pattern pattern;
	struct loom_task_graph graph;
	struct loom_place_net net;
};

// Edges: all messages of two tasks in one member together, and each in the lists of both, against a sum over all messages.
static void test_edges(void **state)
{
	(void)state;
	struct loom_rng rng;
	loom_rng_init(&rng, 6);
	for (unsigned round = 0; round < 40; round++) {
		enum { N = 7, MEMBERS = 3, MOST = 90 };
		struct loom_message m[MOST];
		uint64_t flits[N][N][MEMBERS] = {{{0}}};
		uint32_t longest[N][N][MEMBERS] = {{{0}}};
		size_t n = 1 + loom_rng_below(&rng, MOST), n_edges = 0;
		struct loom_pattern p = {.n_nodes = N, .n_members = MEMBERS, .messages = m, .n_messages = n};
		struct loom_task_graph g;
		for (size_t i = 0; i < n; i++) {
			m[i] = (struct loom_message){.source = (uint32_t)loom_rng_below(&rng, N),
			                             .destination = (uint32_t)loom_rng_below(&rng, N),
			                             .flits = 1 + (uint32_t)loom_rng_below(&rng, 20),
			                             .member = (uint32_t)loom_rng_below(&rng, MEMBERS)};
			if (m[i].source == m[i].destination)
				continue;
			uint64_t *sum = &flits[m[i].source][m[i].destination][m[i].member];
			uint32_t *most = &longest[m[i].source][m[i].destination][m[i].member];
			n_edges += *sum == 0;
			*sum += m[i].flits;
			*most = m[i].flits > *most ? m[i].flits : *most;
		}
		assert_int_equal(loom_task_graph_make(&g, &p, NULL), 0);
		assert_int_equal(g.n_edges, n_edges);
		assert_true(g.n_tasks == N && g.n_members == MEMBERS && g.first[0] == 0 && g.first[N] == 2 * n_edges);
		for (size_t e = 0; e < n_edges; e++) {
			const struct loom_task_edge *x = &g.edge[e];
			assert_int_equal(x->flits, flits[x->from][x->to][x->member]);
			assert_int_equal(x->longest, longest[x->from][x->to][x->member]);
			uint32_t key = (x->from * N + x->to) * MEMBERS + x->member;
			assert_true(e == 0 || (x[-1].from * N + x[-1].to) * MEMBERS + x[-1].member < key);
			unsigned n_listed[N] = {0};
			for (uint32_t t = 0; t < N; t++)
				for (size_t k = g.first[t]; k < g.first[t + 1]; k++)
					n_listed[t] += g.incident[k] == e;
			for (uint32_t t = 0; t < N; t++)
				assert_int_equal(n_listed[t], t == x->from || t == x->to);
			assert_int_equal(loom_task_edge_other(x, x->from), x->to);
			assert_int_equal(loom_task_edge_other(x, x->to), x->from);
		}
		loom_task_graph_free(&g);
	}
}

// Places tasks as greedy's description says, by sums over all messages; the lowest number goes first among equals.
static void greedy_slowly(uint32_t *map, const struct scene *s)
{
	enum { MOST = 16 };
	const struct loom_pattern *p = &s->pattern;
	uint64_t said[MOST][MOST] = {{0}}; // flits from one task to another
	uint32_t n = s->net.n_nodes, task = 0, node = 0;
	bool placed[MOST] = {false}, taken[MOST] = {false};
	uint64_t most = 0, least = UINT64_MAX;
	assert_true(n <= MOST);
	for (size_t i = 0; i < p->n_messages; i++)
		if (p->messages[i].source != p->messages[i].destination)
			said[p->messages[i].source][p->messages[i].destination] += p->messages[i].flits;
	for (uint32_t t = 0; t < n; t++)
		for (uint32_t v = 0; v < n; v++)
			if (said[t][v] + said[v][t] > most) {
				most = said[t][v] + said[v][t];
				task = t;
			}
	for (uint32_t u = 0; u < n; u++) {
		uint64_t sum = 0;
		for (uint32_t v = 0; v < n; v++)
			sum += s->net.hops[u * n + v];
		if (sum < least) {
			least = sum;
			node = u;
		}
	}
	for (uint32_t k = 0;; k++) {
		map[task] = node;
		placed[task] = taken[node] = true;
		if (k + 1 == n)
			return;
		uint32_t next = UINT32_MAX;
		uint64_t best = 0;
		for (uint32_t t = 0; t < n; t++) {
			uint64_t sum = 0;
			for (uint32_t v = 0; v < n; v++)
				sum += placed[v] ? said[t][v] + said[v][t] : 0;
			if (!placed[t] && (next == UINT32_MAX || sum > best)) {
				next = t;
				best = sum;
			}
		}
		task = next;
		least = UINT64_MAX;
		for (uint32_t u = 0; u < n; u++) {
			uint64_t sum = 0;
			for (uint32_t v = 0; v < n; v++)
				if (placed[v])
					sum += said[task][v] * s->net.hops[u * n + map[v]] +
					       said[v][task] * s->net.hops[map[v] * n + u];
			if (!taken[u] && sum < least) {
				least = sum;
				node = u;
			}
		}
	}
}

// On networks round which there is one way only it matters who sends.
static void test_greedy_is_greedy(void **state)
{
	(void)state;
	unsigned n_placed = 0;
	for (unsigned seed = 0; seed < 40; seed++) {
		struct loom_graph_wires wires;
		struct loom_err err = {0};
		struct scene s = {0};
		uint32_t map[16], wanted[16], n = 3 + seed % 12;
		char spec[32];
		random_circle(&wires, seed, n, seed % 4);
		if (loom_topo_of_graph(&s.topo, "graph:circle:v4", &wires, 4, &err) != 0)
			goto next; // too few lanes for it
		n_placed++;
		(void)snprintf(spec, sizeof spec, "uniform:%u", n + seed);
		s.pattern = parse(spec, n);
		for (size_t i = 0; i < s.pattern.n_messages; i++)
			s.pattern.messages[i].flits = 1 + (uint32_t)(i * 7 % 13);
		assert_int_equal(loom_task_graph_make(&s.graph, &s.pattern, NULL), 0);
		assert_int_equal(loom_place_net_make(&s.net, &s.topo, NULL), 0);
		assert_int_equal(loom_place_greedy(map, &s.graph, &s.net, NULL), 0);
		greedy_slowly(wanted, &s);
		assert_memory_equal(map, wanted, n * sizeof *map);
		loom_task_graph_free(&s.graph);
		loom_place_net_free(&s.net);
		loom_pattern_free(&s.pattern);
		loom_topo_free(&s.topo);
	next:
		loom_graph_wires_free(&wires);
	}
	assert_true(n_placed > 15);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_edges), cmocka_unit_test(test_greedy_is_greedy)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
