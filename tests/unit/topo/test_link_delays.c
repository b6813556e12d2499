// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <flitloom/routes/graph.h>
#include <flitloom/topo.h>

#include "reference/ref_net.h"

// The reference finds the delay of each link from the coordinates of its ends.
static void test_against_reference(void **state)
{
	static const char *const names[] = {"cube:4d3.1.0.7",     "mesh:3x5d2.5",         "mesh:2x1x3d1.2.3",
	                                    "torus:4x3v2d1.2",    "torus:4x3v2d1.2.9",    "torus:2x5d0.0.4",
	                                    "ring:6d1.5",         "ring:2d1.5",           "line:4d6",
	                                    "table-mesh:3x3d4.0", "table-torus:3x3d1.2.3"};
	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		struct loom_topo t;
		struct loom_err err = {0};
		struct ref_net net;
		if (loom_topo_parse(&t, names[i], &err) != 0)
			fail_msg("%s: %s", names[i], err.text);
		assert_int_equal(ref_net_parse(&net, names[i]), 0);
		for (uint32_t c = 0; c < loom_topo_channels(&t); c++) {
			const uint32_t per_tile = loom_topo_channels_per_tile(&t), u = c / per_tile, p = c % per_tile;
			const bool is_local = p + 2 >= per_tile;
			if (loom_topo_channel_exists(&t, c) &&
			    loom_topo_link_delay(&t, c) != (is_local ? 0 : ref_net_delay(&net, u, p)))
				fail_msg("%s: link %u of node %u has %u", names[i], p, u, loom_topo_link_delay(&t, c));
		}
		loom_topo_free(&t);
	}
}

static void test_texts(void **state)
{
	static const struct {
		const char *fabric, *text, *name; // NULL: refused
	} rows[] = {
		{"mesh:4x4", "3", "mesh:4x4d3"},
		{"mesh:4x4", "0:2,1:5", "mesh:4x4d2.5"},
		{"mesh:4x4", "1:5", "mesh:4x4d0.5"},
		{"mesh:4x4", "1:5,0:5", "mesh:4x4d5"},
		{"torus:4x4v2", "wrap:4", "torus:4x4v2d0.0.4"},
		{"torus:4x4v2", "0:1", "torus:4x4v2d1.0"},
		{"torus:4x4v2", "1:1,wrap:0", "torus:4x4v2d0.1.0"},
		{"ring:8", "0:1,wrap:1", "ring:8d1"},
		{"cube:3", "2:63", "cube:3d0.0.63"},
		{"dragonfly:4,2", "global:9", "dragonfly:4,2d0.9"},
		{"dragonfly:2,1,2v2b4", "node:2,local:1,global:63", "dragonfly:2,1,2v2b4d1.63.2"},
		{"dragonfly:2,1,2", "global:3,local:3,node:3", "dragonfly:2,1,2d3"},
		{"fat-tree:2,3", "2:7,0:1", "fat-tree:2,3d1.0.7"},
		{"hyperx:2x3x4", "1:6", "hyperx:2x3x4d0.6.0"},
		{"slim-fly:3v4", "local:1,global:10", "slim-fly:3v4d1.10"},
		{"twisted-torus:4x4x8t1v2", "2:5", "twisted-torus:4x4x8t1x1v2d0.0.5"},
		{"random:8,3,1", "3", "random:8,3,1d3"},
		{"random:8,3,1", "0:3", NULL},
		{"dragonfly:4,2", "node:1", NULL},
		{"dragonfly:4,2", "0:1", NULL},
		{"dragonfly:4,2", "loca:1", NULL},
		{"fat-tree:2,3", "3:1", NULL},
		{"slim-fly:3", "wrap:1", NULL},
		{"mesh:4x4", "", NULL},
		{"mesh:4x4", "64", NULL},
		{"mesh:4x4", "99999999999", NULL},
		{"mesh:4x4", "0:64", NULL},
		{"mesh:4x4", "0:", NULL},
		{"mesh:4x4", "0:1,", NULL},
		{"mesh:4x4", "0:1;1:2", NULL},
		{"mesh:4x4", "0:1,0:1", NULL},
		{"mesh:4x4", "2:1", NULL},
		{"mesh:4x4", "wrap:1", NULL},
		{"mesh:4x4", "x:1", NULL},
		{"omega:8", "0:1", NULL},
		{"omega:8", "1", NULL},
		{"otis-mesh:4", "0:1", NULL},
		{"ocs:8", "0:1", NULL},
	};
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct loom_topo t;
		struct loom_err err = {0};
		struct loom_topo_suffix suffix = {0};
		assert_int_equal(loom_topo_parse(&t, rows[i].fabric, &err), 0);
		int rc = loom_link_delays_parse(&suffix, &t, rows[i].text, &err);
		if (rc == 0)
			rc = loom_topo_suffix_set(&t, &suffix, &err);
		if (rows[i].name && rc != 0)
			fail_msg("%s, %s: %s", rows[i].fabric, rows[i].text, err.text);
		assert_int_equal(rc, rows[i].name ? 0 : LOOM_EINPUT);
		if (rows[i].name)
			assert_string_equal(t.name, rows[i].name);
		else
			assert_true(strlen(err.text) > 20 && !strchr(err.text, '\n'));
		loom_topo_free(&t);
	}
}

static void test_names_refused(void **state)
{
	static const char *const names[] = {
		"cube:3d1.2",          "cube:3d1.2.3.4",   "mesh:3x3d1.64",    "mesh:3x3d1.",       "mesh:3x3d.1",
		"mesh:3x3d1..2",       "omega:8d1.2",      "otis-mesh:4d1.2",  "torus:3x3d1.2.3.4", "line:4d1.2",
		"dragonfly:4,2d1.2.3", "random:8,3,1d1.2", "hyperx:3x3d1.2.3", "fat-tree:2,3d1.2",  "slim-fly:3d1.2.3"};
	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		struct loom_topo t;
		struct loom_err err = {0};
		if (loom_topo_parse(&t, names[i], &err) != LOOM_EINPUT)
			fail_msg("%s was taken", names[i]);
	}
}

// The mark of a chip tells fabrics apart whose links differ, and is 0 where they do not.
static void test_marks(void **state)
{
	struct loom_topo a, b, c;
	struct loom_err err = {0};
	(void)state;
	assert_int_equal(loom_topo_parse(&a, "mesh:3x3d1.2", &err), 0);
	assert_int_equal(loom_topo_parse(&b, "mesh:3x3d2.1", &err), 0);
	assert_int_equal(loom_topo_parse(&c, "mesh:3x3d2", &err), 0);
	assert_true(loom_topo_link_delays_mark(&a) != 0 && loom_topo_link_delays_mark(&b) != 0);
	assert_true(loom_topo_link_delays_mark(&a) != loom_topo_link_delays_mark(&b));
	assert_int_equal(loom_topo_link_delays_mark(&c), 0);
	assert_true(loom_topo_link_delays_differ(&a) && !loom_topo_link_delays_differ(&c));
	assert_int_equal(loom_topo_set_link_delay(&a, 2, &err), 0);
	assert_string_equal(a.name, c.name);
	assert_int_equal(loom_topo_link_delays_mark(&a), 0);
}

// Slow links by class or by delay: how many channels of which delay, and the line that tells them; groups are those of the channels.
static void test_slow_groups(void **state)
{
	static const struct {
		const char *fabric, *text;
		struct {
			unsigned group;
			const char *link_class;
			unsigned delay;
			uint32_t n_channels;
		} row[3];
	} rows[] = {
		{"mesh:3x4", "", {{0}}},
		{"omega:8", "", {{0}}},
		{"mesh:3x4d1", "1 cycle", {{1, "", 1, 34}}},
		{"mesh:3x4d5", "5 cycles", {{5, "", 5, 34}}},
		{"mesh:3x4d1.2", "0:1, 1:2 cycles", {{0, "0", 1, 18}, {1, "1", 2, 16}}},
		{"mesh:3x4d0.63", "1:63 cycles", {{1, "1", 63, 16}}},
		{"torus:3x4v2d2.0.2", "0:2, wrap:2 cycles", {{0, "0", 2, 18}, {2, "wrap", 2, 14}}},
		{"ring:2v2d3.9", "0:3 cycles", {{0, "0", 3, 2}}}, // none closes a ring of two
		{"cube:3d0.4.1", "1:4, 2:1 cycles", {{1, "1", 4, 8}, {2, "2", 1, 8}}},
		{"dragonfly:2,1v2d1.10", "local:1, global:10 cycles", {{0, "local", 1, 6}, {1, "global", 10, 6}}},
	};
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct loom_topo t;
		struct loom_err err = {0};
		struct loom_slow_links links[LOOM_SLOW_GROUPS];
		uint32_t counted[LOOM_SLOW_GROUPS + 1] = {0};
		char text[LOOM_SLOW_TEXT];
		unsigned n = 0;
		if (loom_topo_parse(&t, rows[i].fabric, &err) != 0)
			fail_msg("%s: %s", rows[i].fabric, err.text);
		for (uint32_t c = 0; c < loom_topo_channels(&t); c++)
			counted[loom_topo_slow_group(&t, c)]++;
		while (n < 3 && rows[i].row[n].n_channels)
			n++;
		assert_int_equal(loom_topo_slow_links(links, &t), n);
		for (unsigned k = 0; k < n; k++) {
			const struct loom_slow_links *at = &links[rows[i].row[k].group];
			assert_string_equal(at->link_class, rows[i].row[k].link_class);
			assert_int_equal(at->delay, rows[i].row[k].delay);
			assert_int_equal(at->n_channels, rows[i].row[k].n_channels);
		}
		for (unsigned group = 0; group < LOOM_SLOW_GROUPS; group++)
			assert_int_equal(links[group].n_channels, counted[group]);
		assert_int_equal(loom_topo_slow_text(text, &t), n > 0);
		assert_string_equal(text, rows[i].text);
		loom_topo_free(&t);
	}
}

// A graph may have a link of each delay: the line is cut where it is full.
static void test_slow_text_is_cut(void **state)
{
	struct loom_graph_link link[LOOM_LINK_DELAY_MAX];
	char name[LOOM_LINK_DELAY_MAX + 1][LOOM_GRAPH_NAME], text[LOOM_SLOW_TEXT];
	struct loom_graph_wires wires = {
		.n_nodes = LOOM_LINK_DELAY_MAX + 1, .n_links = LOOM_LINK_DELAY_MAX, .name = name, .link = link};
	struct loom_topo t;
	struct loom_err err = {0};
	(void)state;
	for (uint32_t u = 0; u <= LOOM_LINK_DELAY_MAX; u++) {
		(void)snprintf(name[u], sizeof name[u], "%u", (unsigned)u);
		if (u > 0)
			link[u - 1] = (struct loom_graph_link){
				.from = u - 1, .to = u, .both = true, .delay = (uint8_t)u, .delay_back = (uint8_t)u};
	}
	assert_int_equal(loom_topo_of_graph(&t, "graph:it", &wires, 1, &err), 0);
	struct loom_slow_links links[LOOM_SLOW_GROUPS];
	assert_int_equal(loom_topo_slow_links(links, &t), LOOM_LINK_DELAY_MAX);
	assert_true(loom_topo_slow_text(text, &t));
	assert_memory_equal(text, "1, 2, 3, 4,", 11);
	assert_string_equal(text + strlen(text) - strlen(", ... cycles"), ", ... cycles");
	assert_true(strlen(text) > LOOM_SLOW_TEXT - 6);
	loom_topo_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_against_reference), cmocka_unit_test(test_texts),
		cmocka_unit_test(test_names_refused),     cmocka_unit_test(test_marks),
		cmocka_unit_test(test_slow_groups),       cmocka_unit_test(test_slow_text_is_cut),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
