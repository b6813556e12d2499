// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The end of a fabric's name: read, written, kept through other changes, refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <flitloom/routes/graph.h>
#include <flitloom/topo.h>

static void test_names(void **state)
{
	static const struct {
		const char *text, *name;
		unsigned buffers, n_vcs, link_delay, router_delay;
	} rows[] = {
		{"cube:3d4", "cube:3d4", 2, 1, 4, 0},
		{"cube:3d0", "cube:3", 2, 1, 0, 0},
		{"cube:3d1.0.3", "cube:3d1.0.3", 2, 1, 3, 0},
		{"cube:3d2.2.2", "cube:3d2", 2, 1, 2, 0},
		{"mesh:2x3v2b4d02.5r1", "mesh:2x3v2b4d2.5r1", 4, 2, 5, 1},
		{"torus:3x3v2d1.2", "torus:3x3v2d1.2", 2, 2, 2, 0},
		{"torus:3x3v2d1.1.4", "torus:3x3v2d1.1.4", 2, 2, 4, 0},
		{"ring:5d0.63", "ring:5d0.63", 2, 1, 63, 0},
		{"table-torus:3x3d3.0", "table-torus:3x3d3.0", 2, 1, 3, 0},
		{"cube:3r1", "cube:3r1", 2, 1, 0, 1},
		{"torus:3x3v6b8d63r15", "torus:3x3v6b8d63r15", 8, 6, 63, 15},
		{"mesh:3x3d2r0", "mesh:3x3d2", 2, 1, 2, 0},
		{"omega:8b4d0r0", "omega:8b4", 4, 1, 0, 0},
		{"graph:tests/e2e/graphs/chords.txt:v2:d9:r3", "graph:tests/e2e/graphs/chords.txt:v2:d9:r3", 2, 2, 9,
	         3},
		{"torus:3x3v2b8d63", "torus:3x3v2b8d63", 8, 2, 63, 0},
		{"table-mesh:2x2b2d1", "table-mesh:2x2d1", 2, 1, 1, 0},
		{"otis-mesh:4v2d3", "otis-mesh:4v2d3", 2, 2, 3, 0},
		{"omega:8b4d0", "omega:8b4", 4, 1, 0, 0},
		{"graph:tests/e2e/graphs/chords.txt:v4:b7:d9", "graph:tests/e2e/graphs/chords.txt:v4:b7:d9", 7, 4, 9,
	         0},
		{"graph:tests/e2e/graphs/chords.txt:d9", "graph:tests/e2e/graphs/chords.txt:d9", 2, 1, 9, 0},
		{"graph:tests/e2e/graphs/chords.txt:v4b7", "graph:tests/e2e/graphs/chords.txt:v4:b7", 7, 4, 0, 0},
		{"graph:tests/e2e/graphs/chords.txt:v2b7d9r3", "graph:tests/e2e/graphs/chords.txt:v2:b7:d9:r3", 7, 2, 9,
	         3},
		{"graph:tests/e2e/graphs/chords.txt:b7:d9r3", "graph:tests/e2e/graphs/chords.txt:b7:d9:r3", 7, 1, 9, 3},
		{"cube:3", "cube:3", 2, 1, 0, 0},
		{"cube:3b2", "cube:3", 2, 1, 0, 0},
		{"cube:3b4", "cube:3b4", 4, 1, 0, 0},
		{"cube:3b04", "cube:3b4", 4, 1, 0, 0},
		{"cube:3b64", "cube:3b64", 64, 1, 0, 0},
		{"mesh:3x5b3", "mesh:3x5b3", 3, 1, 0, 0},
		{"ring:8v2b8", "ring:8v2b8", 8, 2, 0, 0},
		{"table-mesh:2x2v4b16", "table-mesh:2x2v4b16", 16, 4, 0, 0},
		{"otis-mesh:4l3w2v2b5", "otis-mesh:4l3w2v2b5", 5, 2, 0, 0},
		{"baseline:8b9", "baseline:8b9", 9, 1, 0, 0},
		{"benes:4b10", "benes:4b10", 10, 1, 0, 0},
		{"graph:tests/e2e/graphs/chords.txt:b7", "graph:tests/e2e/graphs/chords.txt:b7", 7, 1, 0, 0},
		{"graph:tests/e2e/graphs/chords.txt:v2:b7", "graph:tests/e2e/graphs/chords.txt:v2:b7", 7, 2, 0, 0},
		{"graph:tests/e2e/graphs/chords.txt:v2", "graph:tests/e2e/graphs/chords.txt:v2", 2, 2, 0, 0},
	};
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct loom_topo t, again;
		struct loom_err err = {0};
		if (loom_topo_parse(&t, rows[i].text, &err) != 0)
			fail_msg("%s: %s", rows[i].text, err.text);
		assert_string_equal(t.name, rows[i].name);
		assert_int_equal(t.buffers, rows[i].buffers);
		assert_int_equal(t.n_vcs, rows[i].n_vcs);
		assert_int_equal(t.link_delay, rows[i].link_delay);
		assert_int_equal(t.router_delay, rows[i].router_delay);
		assert_true(t.flit_bits == 0 && loom_topo_flit_bits(&t) == LOOM_FLIT_BITS_USUAL);
		assert_int_equal(loom_topo_parse(&again, t.name, &err), 0);
		assert_string_equal(again.name, t.name);
		assert_int_equal(again.buffers, t.buffers);
		loom_topo_free(&again);
		loom_topo_free(&t);
	}
}

static void test_flit_bits(void **state)
{
	static const struct {
		const char *text, *name;
		unsigned flit_bits;
	} rows[] = {
		{"cube:3f64", "cube:3f64", 64},
		{"cube:3f32", "cube:3f32", 32},
		{"cube:3b2f10", "cube:3f10", 10},
		{"torus:3x3v2b8d63r1f0512", "torus:3x3v2b8d63r1f512", 512},
		{"mesh:3x3d1.2f33", "mesh:3x3d1.2f33", 33},
		{"ocs-benes:4x2f128", "ocs-benes:4x2f128", 128},
		{"graph:tests/e2e/graphs/chords.txt:v2:d9:f48", "graph:tests/e2e/graphs/chords.txt:v2:d9:f48", 48},
	};
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct loom_topo t;
		struct loom_err err = {0};
		if (loom_topo_parse(&t, rows[i].text, &err) != 0)
			fail_msg("%s: %s", rows[i].text, err.text);
		assert_string_equal(t.name, rows[i].name);
		assert_int_equal(t.flit_bits, rows[i].flit_bits);
		assert_int_equal(loom_topo_flit_bits(&t), rows[i].flit_bits);
		if (t.n_vcs == 2) { // what else changes keeps it
			assert_int_equal(loom_topo_set_vcs(&t, 1, &err), 0);
			assert_int_equal(loom_topo_set_buffers(&t, 3, &err), 0);
			assert_int_equal(t.flit_bits, rows[i].flit_bits);
		}
		loom_topo_free(&t);
	}
}

static void test_refused(void **state)
{
	static const struct {
		const char *text, *says;
	} rows[] = {
		{"cube:3b1", "buffers of 1 flit, on cube:3; 2 to 64 are possible"},
		{"cube:3b65", "buffers of 65 flits"},
		{"cube:3b0", "buffers of 0 flits, on cube:3; 2 to 64 are possible"},
		{"cube:3f0", "flits of 0 bits, on cube:3; 10 to 512 are possible"},
		{"cube:3b0", "2 to 64 are possible"},
		{"cube:3f9", "flits of 9 bits, on cube:3; 10 to 512 are possible"},
		{"cube:3f0", "10 to 512 are possible"},
		{"cube:2f7", "8 to 512 are possible"},
		{"otis-mesh:16f20", "21 to 512 are possible"},
		{"cube:3f513", "flits of 513 bits"},
		{"cube:3f64b4", "did you mean \"cube:3b4f64\"?"},
		{"cube:3d64", "64 cycles slower, on cube:3; 0 to 63 are possible"},
		{"cube:3d4b4", "did you mean \"cube:3b4d4\"?"},
		{"omega:8d1", "direct networks"},
		{"otis-mesh:4l3d1", "light is a wire"},
		{"cube:3b", "cube"},
		{"cube:b4", "cube"},
		{"cube:3b4v2", "did you mean \"cube:3v2b4\"?"},
		{"cube:3b4b4", "fabric \"cube:3b4\""},
		{"table-mesh:3x3f64r1d2b4v2", "did you mean \"table-mesh:3x3v2b4d2r1f64\"?"},
		{"mesh:3x3d1.2b4", "did you mean \"mesh:3x3b4d1.2\"?"},
		{"graph:tests/e2e/graphs/chords.txt:b4v2", "did you mean \"graph:tests/e2e/graphs/chords.txt:v2b4\"?"},
		{"graph:tests/e2e/graphs/chords.txt:d3:b4:v2",
	         "did you mean \"graph:tests/e2e/graphs/chords.txt:v2b4d3\"?"},
		{"graph:nowhere.txt:b4v2", "nowhere.txt"},
		{"graph:nowhere.txt:b4", "nowhere.txt"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct loom_topo t = {.n_nodes = 77};
		struct loom_err err = {0};
		assert_int_not_equal(loom_topo_parse(&t, rows[i].text, &err), 0);
		if (!strstr(err.text, rows[i].says))
			fail_msg("%s: %s", rows[i].text, err.text);
		assert_int_equal(t.n_nodes, 77);
	}
}

// Each change keeps what the others have made.
static void test_set(void **state)
{
	static const char *const names[][5] = {
		{"torus:3x4", "torus:3x4b6", "torus:3x4v2b6", "torus:3x4v2", "torus:3x4b6d5"},
		{"graph:tests/e2e/graphs/chords.txt", "graph:tests/e2e/graphs/chords.txt:b6",
	         "graph:tests/e2e/graphs/chords.txt:v2:b6", "graph:tests/e2e/graphs/chords.txt:v2",
	         "graph:tests/e2e/graphs/chords.txt:b6:d5"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		struct loom_topo t;
		struct loom_err err = {0};
		assert_int_equal(loom_topo_parse(&t, names[i][0], &err), 0);
		assert_int_equal(loom_topo_set_buffers(&t, 6, &err), 0);
		assert_string_equal(t.name, names[i][1]);
		assert_int_equal(loom_topo_set_vcs(&t, 2, &err), 0);
		assert_string_equal(t.name, names[i][2]);
		assert_int_equal(t.buffers, 6);
		for (unsigned bad = 0; bad < 2; bad++) {
			assert_int_equal(loom_topo_set_buffers(&t, bad, &err), LOOM_EINPUT);
			assert_string_equal(t.name, names[i][2]);
		}
		assert_int_equal(loom_topo_set_buffers(&t, LOOM_BUFFERS_MAX + 1, &err), LOOM_EINPUT);
		assert_int_equal(t.buffers, 6);
		assert_int_equal(loom_topo_set_link_delay(&t, LOOM_LINK_DELAY_MAX + 1, &err), LOOM_EINPUT);
		assert_int_equal(loom_topo_set_link_delay(&t, 5, &err), 0);
		assert_int_equal(loom_topo_set_vcs(&t, 1, &err), 0);
		assert_string_equal(t.name, names[i][4]);
		assert_true(t.buffers == 6 && t.link_delay == 5);
		assert_int_equal(loom_topo_set_vcs(&t, 2, &err), 0);
		assert_int_equal(loom_topo_set_link_delay(&t, 0, &err), 0);
		assert_int_equal(loom_topo_set_flit_bits(&t, 0, &err), LOOM_EINPUT);
		assert_int_equal(loom_topo_set_flit_bits(&t, loom_topo_flit_least(&t) - 1, &err), LOOM_EINPUT);
		assert_int_equal(loom_topo_set_router_delay(&t, LOOM_ROUTER_DELAY_MAX + 1, &err), LOOM_EINPUT);
		assert_int_equal(loom_topo_set_router_delay(&t, 3, &err), 0);
		assert_int_equal(t.router_delay, 3);
		assert_int_equal(loom_topo_set_router_delay(&t, 0, &err), 0);
		assert_int_equal(loom_topo_set_buffers(&t, 2, &err), 0);
		assert_string_equal(t.name, names[i][3]);
		assert_int_equal(loom_topo_set_flit_bits(&t, loom_topo_flit_least(&t), &err), 0);
		assert_int_equal(t.flit_bits, loom_topo_flit_least(&t));
		loom_topo_free(&t);
	}
}

static void test_graph_of_wires(void **state)
{
	struct loom_topo t, same;
	struct loom_graph_facts facts;
	struct loom_err err = {0};
	(void)state;
	assert_int_equal(loom_topo_parse(&t, "graph:tests/e2e/graphs/chords.txt:v2", &err), 0);
	assert_true(loom_topo_graph_facts(&facts, &t));
	assert_int_equal(loom_topo_of_graph(&same, "graph:chords:v2:b9", facts.wires, 2, &err), 0);
	assert_string_equal(same.name, "graph:chords:v2:b9");
	assert_int_equal(same.buffers, 9);
	assert_int_not_equal(loom_topo_of_graph(&same, "graph:chords:v2:b90", facts.wires, 2, &err), 0);
	loom_topo_free(&same);
	loom_topo_free(&t);
}

static void test_split(void **state)
{
	struct loom_topo_suffix said;
	(void)state;
	assert_int_equal(loom_topo_suffix_split(&said, "b4"), 2);
	assert_int_equal(loom_topo_suffix_split(&said, "cube:12b8"), 7);
	assert_int_equal(said.buffers, 8);
	assert_int_equal(loom_topo_suffix_split(&said, "graph:b8"), 8);
	assert_int_equal(said.buffers, 0);
	static const char *const files[] = {"graph:web8",     "graph:v2b8",     "graph:net:web8", "graph:net:xv2b8",
	                                    "graph:net:b8v2", "graph:net:d1b8", "graph:net:v2vb8"};
	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
		assert_int_equal(loom_topo_suffix_split(&said, files[i]), strlen(files[i]));
		assert_int_equal(said.buffers, 0);
	}
	assert_int_equal(loom_topo_suffix_split(&said, "graph:net:v2b8"), strlen("graph:net:v2"));
	assert_int_equal(said.buffers, 8);
	assert_int_equal(loom_topo_suffix_split(&said, "graph:net:b8f64"), strlen("graph:net"));
	assert_int_equal(said.flit_bits, 64);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names), cmocka_unit_test(test_flit_bits),      cmocka_unit_test(test_refused),
		cmocka_unit_test(test_set),   cmocka_unit_test(test_graph_of_wires), cmocka_unit_test(test_split),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
