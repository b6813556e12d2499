// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Places of a graph's nodes: those that Graphviz gives, and a circle if it gives none or wrong ones. A script of the test's own
// stands for neato.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "report/report_svg_places.h"
#include "unit/help/random_graphs.h"
#include "unit/help/scratch_folder.h"

enum { N = 4 };

static void test_places(void **state)
{
	(void)state;
	static const struct {
		const char *says;
		bool good;
	} rows[] = {
		{"graph 1 2 2\nnode 0 1 4\nnode 1 2 3\nnode 2 1.5 3.5\nnode 3 3 2 0.5\nedge 0 1\nstop", true},
		{"node 3 3 2\nnode 2 1.5 3.5\nnode 1 2 3\nnode 0 1 4", true},
		{"", false},
		{"node 0 1 4\nnode 1 2 3\nnode 2 1 3", false},
		{"node 0 1 4\nnode 1 2 3\nnode 2 1 3\nnode 4 3 2", false}, // there is no node 4
		{"node 0 1 4\nnode 1 2 3\nnode 2 1 3\nnode 3 nan 2", false},
		{"node 0 1 4\nnode 1 2 3\nnode 2 1 3\nnode 3 2 inf", false},
		{"node 0 1 4\nnode 1 2 3\nnode 2 1 3\nnode 3 3 2\nnode 3 3 2", false},
		{"node 0 1 4\nnode 1 2 3\nnode 2 1 3\nnode 2 3 2", false}, // as many as there are, but one twice
		{"node 0 0 0\nnode 0 1 4\nnode 1 2 3\nnode 2 1 3", false},
	};
	struct loom_graph_wires wires;
	struct loom_topo topo;
	char path[8192], script[512];
	random_graph(&wires, 1, N, N, 0);
	assert_int_equal(loom_topo_of_graph(&topo, "graph:net:v4", &wires, 4, NULL), 0);
	loom_graph_wires_free(&wires);
	(void)snprintf(path, sizeof path, "%s:%s", scratch_folder(), getenv("PATH"));
	assert_int_equal(setenv("PATH", path, 1), 0);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct loom_svg_places p;
		(void)snprintf(script, sizeof script, "#!/bin/sh\ncat >/dev/null\ncat <<'END'\n%s\nEND\n",
		               rows[i].says);
		scratch_write(scratch_path("neato"), script);
		assert_int_equal(chmod(scratch_path("neato"), 0700), 0);
		assert_int_equal(loom_svg_places_make(&p, &topo), 0);
		if (p.by_graphviz != rows[i].good)
			fail_msg("row %zu", i);
		assert_true(p.width > 0 && p.height > 0);
		if (rows[i].good) { // half an inch apart is 1, upside down, from 0 on
			assert_true(p.width == 4 && p.height == 4);
			assert_true(p.at[0].x == 0 && p.at[0].y == 0);
			assert_true(p.at[1].x == 2 && p.at[1].y == 2);
			assert_true(p.at[2].x == 1 && p.at[2].y == 1);
			assert_true(p.at[3].x == 4 && p.at[3].y == 4);
		}
		loom_svg_places_free(&p);
	}
	assert_int_equal(unlink(scratch_path("neato")), 0);
	loom_topo_free(&topo);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_places)};
	return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
