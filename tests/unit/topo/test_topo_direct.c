// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Direct networks of every kind, as a person would describe them: nodes have coordinates, neighbours differ by one in
// one of them (round the ring, where there are rings), and a message corrects its coordinates one dimension after the
// other. Channels are judged by their names. What holds for all kinds of fabrics is in test_topo_all.c.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/plan.h>
#include <flitloom/topo.h>

#include "base/rng.h"
#include "unit/help/described_nets.h"
#include "unit/help/unchecked_plan.h"

static void name_of_step(char out[16], const struct described *f, int d, int by)
{
	static const char *const axes[] = {"x", "y", "z", "w", "5", "6"};
	if (f->bits)
		(void)snprintf(out, 16, "dim %d", d);
	else
		(void)snprintf(out, 16, "%c%s", by > 0 ? '+' : '-', axes[d]);
}

static void test_shape_and_labels(void **state)
{
	(void)state;
	for (int i = 0; i < N_ALL; i++) {
		const struct described *f = &all[i];
		struct loom_topo t = fabric(f->name);
		unsigned bits = 0, width[DIMS];
		uint32_t n = 1, back;
		assert_int_equal(t.n_dims, f->n_dims);
		for (int d = 0; d < f->n_dims; d++) {
			assert_int_equal(t.extent[d], extent(f, d));
			n *= t.extent[d];
			width[d] = extent(f, d) <= 2 ? 1 : extent(f, d) <= 4 ? 2 : extent(f, d) <= 8 ? 3 : 4;
			width[d] = extent(f, d) <= 16 ? width[d] : extent(f, d) <= 32 ? 5 : 6;
			bits += width[d];
		}
		assert_int_equal(t.n_nodes, n);
		assert_int_equal(t.n_tiles, n);
		assert_int_equal(t.ports, f->bits ? f->n_dims + 1 : 2 * f->n_dims + 1);
		assert_int_equal(t.label_bits, bits);
		assert_int_equal(loom_topo_links(&t), t.ports - 1);
		assert_int_equal(loom_topo_rules_count(&t), f->rings ? 4 : 2);
		for (uint32_t u = 0; u < n; u++) {
			int at[DIMS];
			uint32_t label = loom_topo_label(&t, u), rest = label;
			place(at, f, u);
			for (int d = 0; d < f->n_dims; d++) {
				assert_int_equal(rest % (1u << width[d]), at[d]);
				rest >>= width[d];
			}
			assert_int_equal(rest, 0);
			assert_true(loom_topo_node_of_label(&back, &t, label));
			assert_int_equal(back, u);
		}
	}
}

// Each step is one channel, named by its ends and its link; every other channel is a node's own, or does not exist.
static void test_channels(void **state)
{
	(void)state;
	for (int i = 0; i < N_ALL; i++) {
		const struct described *f = &all[i];
		struct loom_topo t = fabric(f->name);
		uint32_t n_there = 0, n_steps = 0;
		for (uint32_t u = 0; u < t.n_nodes; u++)
			for (unsigned k = 0; k < t.ports + 1; k++) {
				uint32_t channel = u * (t.ports + 1) + k, v;
				char name[48], expected[64], link[16], group[16];
				unsigned q;
				loom_topo_channel_name(&t, channel, name);
				assert_int_equal(!!loom_topo_is_local(&t, channel), k >= t.ports - 1);
				if (k >= t.ports - 1) {
					(void)snprintf(expected, sizeof expected, "%s %u",
					               k == t.ports ? "inject" : "eject", u);
					assert_string_equal(name, expected);
					assert_true(loom_topo_channel_exists(&t, channel));
					loom_topo_group_name(&t, loom_topo_group_of(&t, channel), group);
					assert_string_equal(group, k == t.ports ? "inject" : "eject");
					continue;
				}
				int d = (int)(f->bits ? k : k / 2), by = k % 2 && !f->bits ? -1 : 1;
				int at[DIMS];
				place(at, f, u);
				if (f->bits && at[d] == 1)
					by = -1;
				int64_t to = step(f, u, d, by);
				assert_int_equal(loom_topo_channel_exists(&t, channel), to != NONE);
				assert_int_equal(t.kind->link(&t, u, k, &v, &q), to != NONE);
				if (to == NONE) {
					assert_null(strstr(name, "->"));
					continue;
				}
				n_there++;
				name_of_step(link, f, d, by);
				(void)snprintf(expected, sizeof expected, "%u->%u (%s)", u, v, link);
				assert_int_equal(v, to);
				assert_string_equal(name, expected);
				loom_topo_group_name(&t, loom_topo_group_of(&t, channel), group);
				if (!f->bits)
					assert_string_equal(group, link);
				else
					assert_true(memcmp(group, "dim", 3) == 0 && atoi(group + 3) == d);
			}
		for (uint32_t u = 0; u < t.n_nodes; u++)
			for (int d = 0; d < f->n_dims; d++)
				n_steps += (uint32_t)((step(f, u, d, 1) != NONE) + (step(f, u, d, -1) != NONE));
		assert_int_equal(n_there, n_steps);
	}
}

// Walks a message in the simplest way: the dimensions in order, each to its end. Returns the number of nodes.
static unsigned walk(uint32_t *out, const struct described *f, uint32_t from, uint32_t to, int rule)
{
	int descending = rule % 2, one_way = rule / 2;
	unsigned n = 0;
	int goal[DIMS];
	place(goal, f, to);
	out[n++] = from;
	for (int k = 0; k < f->n_dims; k++) {
		int d = descending ? f->n_dims - 1 - k : k, here[DIMS], e = extent(f, d);
		place(here, f, from);
		int up = (goal[d] - here[d] + e) % e,
		    by = f->rings ? (one_way || 2 * up <= e ? 1 : -1) : (goal[d] > here[d] ? 1 : -1);
		while (here[d] != goal[d]) {
			from = (uint32_t)step(f, from, d, by);
			out[n++] = from;
			place(here, f, from);
		}
	}
	assert_int_equal(from, to);
	return n;
}

static void distances(int *out, const struct described *f, uint32_t n_nodes, uint32_t from)
{
	uint32_t queue[NODES], head = 0, tail = 0;
	for (uint32_t u = 0; u < n_nodes; u++)
		out[u] = NONE;
	out[from] = 0;
	for (queue[tail++] = from; head < tail; head++)
		for (int d = 0; d < f->n_dims; d++)
			for (int by = -1; by <= 1; by += 2) {
				int64_t v = step(f, queue[head], d, by);
				if (v == NONE || out[v] != NONE)
					continue;
				out[v] = out[queue[head]] + 1;
				queue[tail++] = (uint32_t)v;
			}
}

static void test_routes(void **state)
{
	(void)state;
	for (int i = 0; i < N_ALL; i++) {
		const struct described *f = &all[i];
		struct loom_topo t = fabric(f->name);
		int far[NODES];
		for (uint32_t s = 0; s<t.n_nodes; s += t.n_nodes> 100 ? 7 : 1) {
			distances(far, f, t.n_nodes, s);
			for (uint32_t to = 0; to < t.n_nodes; to++)
				for (int rule = 0; rule < (f->rings ? 4 : 2); rule++) {
					uint32_t nodes[NODES], channel, k = 0;
					unsigned n = walk(nodes, f, s, to, rule);
					struct loom_route route;
					if (rule < 2)
						assert_int_equal(n - 1, far[to]); // the shortest there is
					loom_route_begin(&route, &t, s, to, (enum loom_rule)rule);
					for (; loom_route_next(&route, &channel); k++) {
						char name[48], expected[48];
						loom_topo_channel_name(&t, channel, name);
						if (k == 0)
							(void)snprintf(expected, sizeof expected, "inject %u", s);
						else if (k < n)
							(void)snprintf(expected, sizeof expected, "%u->%u (",
							               nodes[k - 1], nodes[k]);
						else
							(void)snprintf(expected, sizeof expected, "eject %u", to);
						assert_int_equal(strncmp(name, expected, strlen(expected)), 0);
						// A route table gives the same way.
						unsigned port =
							k ? loom_topo_port(&t, nodes[k - 1], to, (enum loom_rule)rule)
							  : 0;
						if (k)
							assert_int_equal(port, k < n ? channel % (t.ports + 1) + 1 : 0);
					}
					assert_int_equal(k, n + 1);
				}
		}
	}
}

// Loads of a plan by walking, by the names of the channels.
static void test_loads(void **state)
{
	(void)state;
	static const char *const patterns[] = {"random-perm", "uniform:500", "hotspot:1", "shift:1"};
	for (int i = 0; i < N_ALL; i++)
		for (int p = 0; p < 4; p++) {
			const struct described *f = &all[i];
			struct loom_topo t = fabric(f->name);
			struct loom_pattern pattern;
			struct loom_plan plan;
			struct loom_err err = {0};
			const struct loom_pattern_options options = {.flits = 3, .seed = (uint64_t)i};
			static uint32_t load[NODES][NODES]; // from, to: on the diagonal what leaves and enters
			memset(load, 0, sizeof load);
			assert_int_equal(loom_pattern_parse(&pattern, patterns[p], t.n_nodes, &options, &err), 0);
			unchecked_plan(&plan, &t, &pattern);
			for (size_t m = 0; m < pattern.n_messages; m++) {
				uint32_t nodes[NODES];
				unsigned n =
					walk(nodes, f, pattern.messages[m].source, pattern.messages[m].destination, 0);
				for (unsigned k = 1; k < n; k++)
					load[nodes[k - 1]][nodes[k]]++;
			}
			uint32_t most = 0;
			for (uint32_t c = 0; c < loom_topo_channels(&t); c++) {
				char name[48];
				unsigned a, b;
				loom_topo_channel_name(&t, c, name);
				if (sscanf(name, "%u->%u (", &a, &b) == 2)
					assert_int_equal(plan.load[c], load[a][b]);
				else if (!loom_topo_is_local(&t, c))
					assert_int_equal(plan.load[c], 0);
				if (sscanf(name, "%u->%u (", &a, &b) == 2)
					most = load[a][b] > most ? load[a][b] : most;
			}
			assert_int_equal(loom_plan_contention(&plan), most);
			assert_true(plan.lower_bound <= most);
			loom_plan_free(&plan);
			loom_pattern_free(&pattern);
		}
}

// --- Sizes ---------------------------------------------------------------------------------------------------------

static void test_sizes(void **state)
{
	(void)state;
	static const struct {
		const char *text, *says;
	} bad[] = {
		{"line:0", "nodes, line:2 to line:1048576"},
		{"line:1", "line:2 to line:1048576"},
		{"line:1000000000", "line:2 to line:1048576"},
		{"line:2x2", "line:2 to line:1048576"},
		{"ring:1", "ring:2 to ring:1048576"},
		{"ring:", "ring:2 to ring:1048576"},
		{"mesh:0", "such as mesh:4x4"},
		{"mesh:1", "1 node; 2 to 1048576"},
		{"mesh:1x1x1", "1 node; 2 to 1048576"},
		{"mesh:1000000000", "such as mesh:4x4"},
		{"mesh:999999999", "too many nodes; 2 to 1048576"},
		{"mesh:3x", "such as mesh:4x4"},
		{"mesh:3y4", "such as mesh:4x4"},
		{"mesh:3X4", "such as mesh:4x4"},
		{"mesh", "such as mesh:4x4"},
		{"torus:1024x1025", "too many nodes; 2 to 1048576"},
		{"torus:999999999x999999999x999999999", "too many nodes"},
		{"torus:2x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1", "1 to 16 numbers"},
		{"mash:4x4", "did you mean \"mesh\"?"},
	};
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct loom_topo t;
		struct loom_err err = {0};
		assert_int_equal(loom_topo_parse(&t, bad[i].text, &err), LOOM_EINPUT);
		if (!strstr(err.text, bad[i].says) || strchr(err.text, '\n'))
			fail_msg("\"%s\": \"%s\" does not say \"%s\"", bad[i].text, err.text, bad[i].says);
	}
	// The largest, the longest names, and numbers written otherwise.
	struct loom_topo t = fabric("torus:1024x1024");
	assert_int_equal(t.n_nodes, 1 << 20);
	t = fabric("torus:10x10x10x10x10x10x1x1x1x1x1x1x1x1x1x1");
	assert_int_equal(t.label_bits, 6 * 4 + 10);
	t = fabric("cube:20");
	assert_int_equal(t.n_nodes, 1 << 20);
	assert_int_equal(loom_topo_parse(&t, "mesh:03x5", NULL), 0);
	assert_string_equal(t.name, "mesh:3x5");
	assert_int_equal(loom_topo_near(&t, "mesh", 32, NULL), 0);
	assert_string_equal(t.name, "mesh:4x8");
	assert_int_equal(loom_topo_near(&t, "torus", 2, NULL), 0);
	assert_string_equal(t.name, "torus:1x2");
	assert_int_equal(loom_topo_near(&t, "line", 37, NULL), 0);
	assert_string_equal(t.name, "line:37");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shape_and_labels),
		cmocka_unit_test(test_channels),
		cmocka_unit_test(test_routes),
		cmocka_unit_test(test_loads),
		cmocka_unit_test(test_sizes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
