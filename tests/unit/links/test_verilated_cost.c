// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares the estimated cost of building a model with measured figures, and reads the memory that there is from files below a
// folder of the test's own.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "links/verilated_cost.h"

static struct loom_verilated_cost cost_of(const char *fabric, const struct loom_link_options *options)
{
	struct loom_rtl rtl;
	struct loom_err err;
	if (loom_rtl_of_fabric(&rtl, fabric, &err))
		fail_msg("%s", err.text);
	rtl.chip.adaptive = options && options->adaptive;
	struct loom_verilated_cost cost = loom_verilated_cost(&rtl, options);
	loom_rtl_free(&rtl);
	return cost;
}

// As docs/verification.md has it; an estimate is within a quarter.
static void test_memory_as_measured(void **state)
{
	(void)state;
	static const struct {
		const char *fabric;
		double mb;
		bool adaptive;
	} rows[] = {
		{"cube:6", 739, false},   {"mesh:8x8", 635, false},    {"mesh:16x16", 2472, false},
		{"cube:4", 271, true},    {"cube:5", 669, true},       {"cube:6", 1588, true},
		{"cube:7", 2772, true},   {"cube:8", 8472, true},      {"mesh:8x8", 1142, true},
		{"cube:4v2", 568, true},  {"cube:5v2", 1265, true},    {"mesh:8x8v2", 2363, true},
		{"cube:6v2", 2038, true}, {"torus:8x8v3", 2134, true},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct loom_link_options options = {.adaptive = rows[i].adaptive};
		double mb = cost_of(rows[i].fabric, &options).bytes / 1e6;
		if (mb < 0.75 * rows[i].mb || mb > 1.25 * rows[i].mb)
			fail_msg("%s%s: %.0f MB, not %.0f", rows[i].fabric, rows[i].adaptive ? ", adaptive" : "", mb,
			         rows[i].mb);
	}
}

// All three steps, of the processor's time; routers that choose take as the cube of a node's lanes.
static void test_time_as_measured(void **state)
{
	(void)state;
	static const struct {
		const char *fabric;
		double s;
	} rows[] = {{"mesh:4x4", 15}, {"mesh:8x8", 31}, {"cube:6", 35}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		double s = cost_of(rows[i].fabric, NULL).s;
		if (s < 0.75 * rows[i].s || s > 1.25 * rows[i].s)
			fail_msg("%s: %.0f s, not %.0f", rows[i].fabric, s, rows[i].s);
	}
	const struct loom_link_options chooses = {.adaptive = true};
	const double begin = 12, two = cost_of("cube:4v2", &chooses).s - begin,
		     four = cost_of("cube:4v4", &chooses).s - begin;
	if (four < 5 * two || four > 8 * two)
		fail_msg("two lanes take %.0f s, four %.0f s", two, four);
}

// In each row the first takes less time and less memory than the second.
static void test_order(void **state)
{
	(void)state;
	static const char *const pairs[][2] = {
		{"mesh:8x8", "mesh:16x16"},
		{"mesh:16x16", "mesh:32x32"},
		{"cube:6", "cube:7"},
		{"line:64", "mesh:8x8"},
		{"mesh:8x8", "mesh:4x4x4"},
		{"table-mesh:8x8", "table-mesh:8x8v2"},
		{"table-mesh:8x8v2", "table-mesh:8x8v4"},
		{"omega:256", "benes:512"},
		{"omega:256", "omega:512"},
		{"omega:256", "mesh:16x16"},
	};
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		struct loom_verilated_cost less = cost_of(pairs[i][0], NULL), more = cost_of(pairs[i][1], NULL);
		if (!(less.s < more.s && less.bytes < more.bytes))
			fail_msg("%s takes %.1f s and %.0f bytes, %s %.1f s and %.0f", pairs[i][0], less.s, less.bytes,
			         pairs[i][1], more.s, more.bytes);
	}
	struct loom_verilated_cost plain = cost_of("mesh:8x8", NULL);
	struct loom_verilated_cost traced = cost_of("mesh:8x8", &(struct loom_link_options){.trace_file = "x"});
	struct loom_verilated_cost covered = cost_of("mesh:8x8", &(struct loom_link_options){.coverage = true});
	assert_true(plain.bytes < traced.bytes && traced.bytes < covered.bytes);
	assert_true(plain.s < traced.s && traced.s < covered.s);
	// Waveforms and coverage add in proportion to the model: a few in a hundred of its memory, and several times as much.
	const struct loom_verilated_cost large = cost_of("mesh:32x32", NULL),
					 large_traced =
						 cost_of("mesh:32x32", &(struct loom_link_options){.trace_file = "x"}),
					 large_covered =
						 cost_of("mesh:32x32", &(struct loom_link_options){.coverage = true});
	assert_true(large_traced.bytes > 1.02 * large.bytes && large_traced.bytes < 1.1 * large.bytes);
	assert_true(large_covered.bytes > 4 * large.bytes && large_covered.bytes < 8 * large.bytes);
	assert_true(large_traced.s > 1.5 * large.s && large_traced.s < 3 * large.s);
	assert_true(large_covered.s > 4 * large.s && large_covered.s < 8 * large.s);
	// Small models cost the least amount, and large ones more than in proportion.
	assert_true(cost_of("cube:1", NULL).bytes == cost_of("cube:2", NULL).bytes);
	assert_true(cost_of("mesh:32x32", NULL).s > 4 * cost_of("mesh:16x16", NULL).s);
	assert_true(cost_of("mesh:32x32", NULL).s < 16 * cost_of("mesh:16x16", NULL).s);
}

static void test_unknown(void **state)
{
	(void)state;
	const struct loom_rtl netlist = {.label = "x.v", .name = "netlist-pins", .top = "sim_pins"};
	struct loom_verilated_cost cost = loom_verilated_cost(&netlist, NULL);
	assert_true(cost.s == 0 && cost.bytes == 0);
}

static void test_text(void **state)
{
	(void)state;
	static const struct {
		struct loom_verilated_cost cost;
		const char *text;
	} rows[] = {
		{{12.4, 3e8}, "about 12 s and 0.3 GB of memory"},
		{{99.4, 1.26e9}, "about 99 s and 1.3 GB of memory"},
		{{100, 8.8e9}, "about 2 min and 8.8 GB of memory"},
		{{600, 19.04e9}, "about 10 min and 19.0 GB of memory"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char text[64];
		loom_verilated_cost_text(text, &rows[i].cost);
		assert_string_equal(text, rows[i].text);
	}
}

// --- Memory ----------------------------------------------------------------------------------------------------------

static char root[] = "/tmp/test_verilated_cost.XXXXXX";

static void shell(const char *format, const char *argument)
{
	char command[1000];
	(void)snprintf(command, sizeof command, format, root, argument, root, argument);
	assert_int_equal(system(command), 0);
}

static void put(const char *name, const char *text)
{
	char path[300];
	shell("mkdir -p \"$(dirname '%s%s')\"", name);
	(void)snprintf(path, sizeof path, "%s%s", root, name);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static void test_memory_left(void **state)
{
	(void)state;
	static const struct {
		struct {
			const char *name, *text;
		} files[8];
		double left;
	} rows[] = {
		{{{NULL, NULL}}, -1},
		{{{"/proc/meminfo", "MemTotal: 9 kB\n"}}, -1},
		{{{"/proc/meminfo", "MemTotal:  9000 kB\nMemFree:  100 kB\nMemAvailable:  4000 kB\n"}}, 4096000},
		// One group, of either version.
		{{{"/proc/meminfo", "MemAvailable: 4000 kB\n"},
	          {"/proc/self/cgroup", "0::/a\n"},
	          {"/sys/fs/cgroup/a/memory.max", "3000000\n"},
	          {"/sys/fs/cgroup/a/memory.current", "1000000\n"}},
	         2000000},
		{{{"/proc/meminfo", "MemAvailable: 4000 kB\n"},
	          {"/proc/self/cgroup", "9:cpu:/b\n4:memory:/a\n0::/c\n"},
	          {"/sys/fs/cgroup/memory/a/memory.limit_in_bytes", "3000000\n"},
	          {"/sys/fs/cgroup/memory/a/memory.usage_in_bytes", "1000000\n"}},
	         2000000},
		// Memory that caches files is not in use.
		{{{"/proc/self/cgroup", "0::/a\n"},
	          {"/sys/fs/cgroup/a/memory.max", "3000000\n"},
	          {"/sys/fs/cgroup/a/memory.stat", "anon 5\ninactive_file 400000\n"},
	          {"/sys/fs/cgroup/a/memory.current", "1000000\n"}},
	         2400000},
		// No limit; more in use than there may be.
		{{{"/proc/meminfo", "MemAvailable: 4000 kB\n"},
	          {"/proc/self/cgroup", "0::/a\n"},
	          {"/sys/fs/cgroup/a/memory.max", "max\n"},
	          {"/sys/fs/cgroup/a/memory.current", "1000000\n"}},
	         4096000},
		{{{"/proc/meminfo", "MemAvailable: 4000 kB\n"},
	          {"/proc/self/cgroup", "0::/a\n"},
	          {"/sys/fs/cgroup/a/memory.max", "1000\n"},
	          {"/sys/fs/cgroup/a/memory.current", "1000000\n"}},
	         0},
		{{{"/proc/meminfo", "MemAvailable: 100 kB\n"},
	          {"/proc/self/cgroup", "0::/a\n"},
	          {"/sys/fs/cgroup/a/memory.max", "3000000\n"},
	          {"/sys/fs/cgroup/a/memory.current", "1000000\n"}},
	         102400},
		// Groups within groups, and a container, whose group is the root of the mount.
		{{{"/proc/meminfo", "MemAvailable: 4000 kB\n"},
	          {"/proc/self/cgroup", "0::/a/b/c\n"},
	          {"/sys/fs/cgroup/a/memory.max", "1500000\n"},
	          {"/sys/fs/cgroup/a/memory.current", "1000000\n"},
	          {"/sys/fs/cgroup/a/b/c/memory.max", "3000000\n"},
	          {"/sys/fs/cgroup/a/b/c/memory.current", "1000000\n"}},
	         500000},
		{{{"/proc/meminfo", "MemAvailable: 4000 kB\n"},
	          {"/proc/self/cgroup", "0::/\n"},
	          {"/sys/fs/cgroup/memory.max", "3000000\n"},
	          {"/sys/fs/cgroup/memory.current", "1000000\n"}},
	         2000000},
		{{{"/proc/meminfo", "MemAvailable: 4000 kB\n"},
	          {"/proc/self/cgroup", "no line of a group\n4:memory:/x/y\n"},
	          {"/sys/fs/cgroup/memory/memory.limit_in_bytes", "3000000\n"},
	          {"/sys/fs/cgroup/memory/memory.usage_in_bytes", "1000000\n"}},
	         2000000},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		assert_non_null(mkdtemp(root));
		for (int k = 0; k < 8 && rows[i].files[k].name; k++)
			put(rows[i].files[k].name, rows[i].files[k].text);
		double left = loom_verilated_memory_left(root);
		shell("rm -r '%s%s'", "");
		memcpy(root + strlen(root) - 6, "XXXXXX", 6);
		if (left < rows[i].left || left > rows[i].left)
			fail_msg("row %zu: %.0f, not %.0f", i, left, rows[i].left);
	}
	assert_true(loom_verilated_memory_left("") > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_memory_as_measured),
		cmocka_unit_test(test_time_as_measured),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_memory_left),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
