// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The OTIS-Mesh: its links, that its routes are as short as a search says, which virtual channels they take, and its names.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/topo.h>

#include "topo/topo_otis.h"

static void parse(struct loom_topo *t, const char *name)
{
	struct loom_err err = {0};
	if (loom_topo_parse(t, name, &err) != 0)
		fail_msg("%s: %s", name, err.text);
}

static void test_links(void **state)
{
	struct loom_topo t;
	uint32_t v;
	unsigned q;
	(void)state;
	parse(&t, "otis-mesh:16");
	assert_int_equal(t.n_nodes, 256);
	assert_true(t.kind->link(&t, 3 * 16 + 9, LOOM_OTIS_OPTICAL, &v, &q)); // (3,9)-(9,3)
	assert_int_equal(v, 9 * 16 + 3);
	assert_int_equal(q, LOOM_OTIS_OPTICAL);
	assert_false(t.kind->link(&t, 5 * 16 + 5, LOOM_OTIS_OPTICAL, &v, &q));
	assert_true(t.kind->link(&t, 3 * 16 + 9, 2, &v, &q)); // a row further down
	assert_int_equal(v, 3 * 16 + 13);
	assert_int_equal(q, 3);
	assert_false(t.kind->link(&t, 3 * 16 + 3, 0, &v, &q)); // no link leads from group to group but light
	assert_false(t.kind->link(&t, 3 * 16 + 12, 2, &v, &q));
}

// Hops from `from` to all nodes, by breadth-first search along the links.
static void search(uint32_t *hops, const struct loom_topo *t, uint32_t from)
{
	uint32_t *queue = calloc(t->n_nodes, sizeof *queue), first = 0, last = 1, v;
	unsigned q;
	assert_non_null(queue);
	memset(hops, 0xff, t->n_nodes * sizeof *hops);
	hops[queue[0] = from] = 0;
	for (; first < last; first++)
		for (unsigned p = 0; p + 1 < t->ports; p++)
			if (t->kind->link(t, queue[first], p, &v, &q) && hops[v] == UINT32_MAX) {
				hops[v] = hops[queue[first]] + 1;
				queue[last++] = v;
			}
	assert_int_equal(last, t->n_nodes);
	free(queue);
}

// Each route has as many hops as the search says, at most two of them optical, and goes along electronic links by virtual
// channel 0, light by 0, electronic links by 1, light by 1. Returns the longest.
static uint32_t walk_all(const struct loom_topo *t, uint32_t step)
{
	uint32_t longest = 0, c, *hops = calloc(t->n_nodes, sizeof *hops);
	struct loom_route route;
	assert_non_null(hops);
	for (uint32_t source = 0; source < t->n_nodes; source += step) {
		search(hops, t, source);
		for (uint32_t i = 0; i < 2 * t->n_nodes; i++) {
			uint32_t n = 0, optical = 0, destination = i / 2;
			unsigned stage = 0;
			if (destination == source)
				continue;
			loom_route_begin(&route, t, source, destination, (enum loom_rule)(i & 1));
			while (loom_route_next(&route, &c)) {
				if (loom_topo_is_local(t, c))
					continue;
				bool light = c % loom_topo_channels_per_tile(t) == LOOM_OTIS_OPTICAL;
				unsigned now = 2 * route.vc + light;
				assert_true(now > stage || (now == stage && !light));
				stage = now;
				optical += light;
				n++;
			}
			assert_int_equal(n, hops[destination]);
			assert_true(optical <= 2);
			longest = n > longest ? n : longest;
		}
	}
	free(hops);
	return longest;
}

// Theorem 2: the diameter is 4 sqrt(N) - 3.
static void test_routes_are_shortest(void **state)
{
	static const struct {
		const char *name;
		uint32_t diameter, step;
	} all[] = {{"otis-mesh:4v2", 5, 1}, {"otis-mesh:16v2", 13, 1}, {"otis-mesh:64v2", 29, 455}};
	struct loom_topo t;
	(void)state;
	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
		parse(&t, all[i].name);
		assert_int_equal(walk_all(&t, all[i].step), all[i].diameter);
	}
}

static void test_names(void **state)
{
	static const char *const same[][2] = {{"otis-mesh:16", "otis-mesh:16"},
	                                      {"otis-mesh:16l0w1v1", "otis-mesh:16"},
	                                      {"otis-mesh:4l63w16v2", "otis-mesh:4l63w16v2"},
	                                      {"otis-mesh:64w2", "otis-mesh:64w2"},
	                                      {"otis-mesh:4l9w9", "otis-mesh:4l9w9"},
	                                      {"otis-mesh:4l09w09", "otis-mesh:4l9w9"},
	                                      {"otis-mesh:16l063", "otis-mesh:16l63"},
	                                      {"otis-mesh:1024l4", "otis-mesh:1024l4"}};
	static const char *const bad[] = {"otis-mesh:1",      "otis-mesh:2",   "otis-mesh:5",     "otis-mesh:8",
	                                  "otis-mesh:4096",   "otis-mesh:",    "otis-mesh",       "otis-mesh:16l64",
	                                  "otis-mesh:16w0",   "otis-mesh:16l", "otis-mesh:16w17", "otis-mesh:16w2l4",
	                                  "otis-mesh:16v4",   "otis-mesh: 16", "otis-mesh:16l-1", "otis-mesh:00016",
	                                  "otis-mesh:16l0063"};
	struct loom_topo t, copy;
	struct loom_err err = {0};
	(void)state;
	for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
		parse(&t, same[i][0]);
		assert_string_equal(t.name, same[i][1]);
		parse(&copy, t.name);
		assert_memory_equal(&copy, &t, sizeof t);
	}
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		if (loom_topo_parse(&t, bad[i], &err) != LOOM_EINPUT)
			fail_msg("%s was taken", bad[i]);
	parse(&t, "otis-mesh:16v2");
	assert_int_equal(loom_topo_set_light(&t, 7, 3, &err), 0);
	assert_string_equal(t.name, "otis-mesh:16l7w3v2");
	assert_int_equal(loom_topo_set_light(&t, 64, 3, &err), LOOM_EINPUT);
	assert_int_equal(loom_topo_set_light(&t, 0, 0, &err), LOOM_EINPUT);
	parse(&t, "mesh:4x4");
	assert_int_equal(loom_topo_set_light(&t, 1, 1, &err), LOOM_EINPUT);
	assert_int_equal(t.light_ratio, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_links),
		cmocka_unit_test(test_routes_are_shortest),
		cmocka_unit_test(test_names),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
