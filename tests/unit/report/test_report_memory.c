// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Every allocation fails once, of fabrics, plans and files that test_memory has not: networks read from files, without what
// failed, routers that choose, circuits, and what is written beside the table. It is said that memory ran out, nothing is
// left, and what comes in the end is what comes when none fails.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include <flitloom/machine.h>
#include <flitloom/plan.h>
#include <flitloom/report.h>
#include <flitloom/routes/certificate.h>
#include <flitloom/routes/failures.h>
#include <flitloom/routes/route_tables.h>
#include <flitloom/routes/table_file.h>
#include <flitloom/verdict.h>

#include "unit/help/memory/failing_memory.h"
#include "unit/help/scratch_folder.h"
#include "unit/help/svg_checks.h"

static const struct row {
	const char *fabric, *pattern, *planner, *rule, *fails;
	bool relay;

} rows[] = {
	{.fabric = "mesh:2x3", .pattern = "uniform:6"},
	{.fabric = "ring:5", .pattern = "random-perm", .planner = "ring"},
	{.fabric = "mesh:2x2", .pattern = "shift:1", .planner = "best"},
	{.fabric = "cube:2", .pattern = "all-to-others", .planner = "greedy"},
	{.fabric = "torus:3x2v2", .pattern = "uniform:5"},
	{.fabric = "omega:4", .pattern = "random-perm", .planner = "min_passes"},
	{.fabric = "benes:4", .pattern = "random-perm", .planner = "two_pass"},
	{.fabric = "otis-mesh:4", .pattern = "transpose", .planner = "otis"},
	{.fabric = "otis-mesh:4v2", .pattern = "uniform:5"},
	{.fabric = "ocs:4", .pattern = "uniform:5", .planner = "light"},
	{.fabric = "ocs:4x2", .pattern = "uniform:5", .planner = "rotor", .relay = true},
	{.fabric = "ocs-benes:4", .pattern = "random-perm"},
	{.fabric = "graph:tests/e2e/graphs/chords.txt:v2", .pattern = "shift:1"},
	{.fabric = "graph:tests/e2e/graphs/switches.graphml:v2", .pattern = "shift:1"},
	{.fabric = "graph:tests/e2e/graphs/slow.txt:v2", .pattern = "shift:1"},
	{.fabric = "dragonfly:2,1v2", .pattern = "uniform:5"},
	{.fabric = "fat-tree:2,2", .pattern = "uniform:5"},
	{.fabric = "hyperx:2x3v2", .pattern = "uniform:5"},
	{.fabric = "twisted-torus:4x2v2", .pattern = "uniform:5"},
	{.fabric = "random:6,3,1v2", .pattern = "uniform:5"},
	{.fabric = "slim-fly:3v2", .pattern = "gather:0"},
	{.fabric = "table-mesh:2x3v2", .pattern = "random-perm", .planner = "reroute"},
	{.fabric = "table-cube:2v2", .pattern = "uniform:5", .planner = "all-pairs"},
	{.fabric = "table-torus:3x2v2", .pattern = "uniform:5", .planner = "by-destination"},
	{.fabric = "mesh:3x3", .pattern = "shift:1", .fails = "0->1", .planner = "reroute"},
	{.fabric = "torus:3x3v2", .pattern = "shift:1", .fails = "random:10%:1"},
	{.fabric = "cube:3", .pattern = "shift:1", .fails = "5->7,0->4"},
	{.fabric = "mesh:2x3v2", .pattern = "uniform:5", .rule = "duato"},
	{.fabric = "mesh:2x3", .pattern = "uniform:5", .rule = "west-first"},
	{.fabric = "mesh:2x3v2", .pattern = "uniform:5", .rule = "o1turn"},
	{.fabric = "cube:2v2", .pattern = "uniform:5", .rule = "valiant"},
	{.fabric = "cube:2d0.3", .pattern = "allreduce:ring"},
	{.fabric = "line:2", .pattern = "shift:1"},
};

struct job {
	const struct row *row;
	struct loom_topo whole, topo;
	struct loom_failures failures;
	struct loom_pattern pattern;
	struct loom_plan plan;
	struct loom_route_tables tables;
	struct loom_trace trace;
	struct loom_panel panel;
};

static int fabric(struct job *j, struct loom_err *err)
{
	return loom_topo_parse(&j->whole, j->row->fabric, err);
}

static int failures(struct job *j, struct loom_err *err)
{
	return loom_failures_parse(&j->failures, &j->whole, j->row->fails, err);
}

static int without(struct job *j, struct loom_err *err)
{
	return loom_topo_without(&j->topo, &j->whole, &j->failures, 2, err);
}

static int make(struct job *j, struct loom_err *err)
{
	const struct loom_plan_options options = {.planner = j->row->planner,
	                                          .rule = j->row->rule,
	                                          .relay = j->row->relay,
	                                          .map = "identity",
	                                          .most_steps = 200};
	return loom_plan_make(&j->plan, &j->topo, &j->pattern, &options, err);
}

static int tables(struct job *j, struct loom_err *err)
{
	return loom_route_tables_of_plan(&j->tables, &j->plan, err);
}

static int compute(struct job *j, struct loom_err *err)
{
	return loom_machine_run(&j->trace, &j->plan, &(struct loom_machine_options){0}, err);
}

static const char *file(void)
{
	return scratch_path("it.csv");
}

static int write_plan(struct job *j, struct loom_err *err)
{
	return loom_plan_write(&j->plan, file(), err);
}

static int write_tables(struct job *j, struct loom_err *err)
{
	return loom_table_file_write(&j->tables, &j->topo, file(), err);
}

static int certify(struct job *j, struct loom_err *err)
{
	return loom_plan_certify(&j->plan, file(), err);
}

static int messages(struct job *j, struct loom_err *err)
{
	return loom_report_messages(file(), &j->plan, &j->trace, err);
}

static int channels(struct job *j, struct loom_err *err)
{
	return loom_report_channels(file(), &j->plan, &j->trace, err);
}

static int predicted_messages(struct job *j, struct loom_err *err)
{
	return loom_report_predicted_messages(file(), &j->plan, LOOM_MACHINE_FAST, err);
}

static int predicted_channels(struct job *j, struct loom_err *err)
{
	return loom_report_predicted_channels(file(), &j->plan, LOOM_MACHINE_FAST, err);
}

static int perfetto(struct job *j, struct loom_err *err)
{
	return loom_report_perfetto(file(), &j->panel, err);
}

static int html(struct job *j, struct loom_err *err)
{
	const struct loom_html page = {
		.title = "it", .report = "{\"a\":1}", .table = "t", .panels = &j->panel, .n_panels = 1};
	return loom_report_html(file(), &page, err);
}

static int loads(struct job *j, struct loom_err *err)
{
	return loom_report_picture(file(), LOOM_PICTURE_LOADS, &j->panel, 1, err);
}

static int paths(struct job *j, struct loom_err *err)
{
	return loom_report_picture(file(), LOOM_PICTURE_PATHS, &j->panel, 1, err);
}

static int chart(struct job *j, struct loom_err *err)
{
	return loom_report_picture(file(), LOOM_PICTURE_CHART, &j->panel, 1, err);
}

static int usual(struct job *j, struct loom_err *err)
{
	return loom_report_picture(file(), LOOM_PICTURE_USUAL, &j->panel, 1, err);
}

static bool is_in_file(const char *text)
{
	char *found = svg_slurp(file());
	const bool same = strcmp(found, text) == 0;
	free(found);
	return same;
}

// Takes a step that makes what is `size` bytes at `out` until no allocation fails any more. What it writes may be whole all the same.
static void persist(struct job *j, const char *name, int (*step)(struct job *j, struct loom_err *err), void *out,
                    size_t size, const char *smooth)
{
	uint8_t *before = malloc(size + 1);
	assert_non_null(before);
	for (size_t n = 1;; n++) {
		struct loom_err err = {0};
		const size_t live = memory_live();
		if (size) {
			memset(out, 0xa5, size);
			memcpy(before, out, size);
		}
		memory_arm(n, n % 2 == 0);
		const int code = step(j, &err);
		if (!memory_disarm()) {
			if (code != 0)
				fail_msg("%s %s: %s: %s", j->row->fabric, j->row->pattern, name, err.text);
			break;
		}
		if (code == 0 && smooth && is_in_file(smooth))
			continue;
		if (code == 0 || !strstr(err.text, "memory"))
			fail_msg("%s %s: %s, allocation %zu: %d, %s", j->row->fabric, j->row->pattern, name, n, code,
			         err.text);
		if (memory_live() != live)
			fail_msg("%s %s: %s, allocation %zu leaks", j->row->fabric, j->row->pattern, name, n);
		if (size && memcmp(before, out, size) != 0)
			fail_msg("%s %s: %s, allocation %zu: its output", j->row->fabric, j->row->pattern, name, n);
	}
	free(before);
}

// A step that writes a file, where it can be done at all: that stays what it was until all of it is there.
static bool persist_file(struct job *j, const char *name, int (*step)(struct job *j, struct loom_err *err))
{
	struct loom_err err = {0};
	if (step(j, &err) != 0) {
		assert_null(strstr(err.text, "memory"));
		print_message("%s %s: no %s: %s\n", j->row->fabric, j->row->pattern, name, err.text);
		return false;
	}
	char *smooth = svg_slurp(file());
	FILE *f = fopen(file(), "w");
	assert_non_null(f);
	(void)fputs("an older one", f);
	assert_int_equal(fclose(f), 0);
	const size_t live = memory_live();
	persist(j, name, step, NULL, 0, smooth);
	if (memory_live() != live)
		fail_msg("%s %s: %s leaks", j->row->fabric, j->row->pattern, name);
	char *rough = svg_slurp(file());
	assert_string_equal(rough, smooth);
	free(rough);
	free(smooth);
	assert_int_equal(unlink(file()), 0);
	return true;
}

static unsigned take_files(struct job *j)
{
	static const struct {
		const char *name;
		int (*step)(struct job *j, struct loom_err *err);
	} files[] = {{"plan", write_plan},
	             {"certificate", certify},
	             {"html", html},
	             {"perfetto", perfetto},
	             {"loads", loads},
	             {"paths", paths},
	             {"chart", chart},
	             {"usual", usual},
	             {"messages", messages},
	             {"channels", channels},
	             {"predicted messages", predicted_messages},
	             {"predicted channels", predicted_channels}};
	unsigned n = 0;
	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
		n += persist_file(j, files[i].name, files[i].step);
	return n;
}

static void check(const struct row *row)
{
	struct job *j = calloc(1, sizeof *j);
	struct loom_err err = {0};
	const struct loom_pattern_options options = {.flits = 3, .seed = 2};
	assert_non_null(j);
	j->row = row;
	memory_jansson_reads(true);
	persist(j, "fabric", fabric, &j->whole, sizeof j->whole, NULL);
	j->topo = j->whole;
	if (row->fails) {
		persist(j, "failures", failures, &j->failures, sizeof j->failures, NULL);
		persist(j, "without", without, &j->topo, sizeof j->topo, NULL);
	}
	if (loom_pattern_parse(&j->pattern, row->pattern, loom_topo_hosts(&j->topo), &options, &err) != 0)
		fail_msg("%s %s: %s", row->fabric, row->pattern, err.text);
	persist(j, "plan", make, &j->plan, sizeof j->plan, NULL);
	if (tables(j, &err) == 0) {
		loom_route_tables_free(&j->tables);
		persist(j, "tables", tables, &j->tables, sizeof j->tables, NULL);
		assert_true(persist_file(j, "file of tables", write_tables));
	}
	if (compute(j, &err) != 0)
		fail_msg("%s %s: %s", row->fabric, row->pattern, err.text);
	j->panel = (struct loom_panel){.title = "it", .plan = &j->plan, .trace = &j->trace};
	const unsigned n = take_files(j);
	j->panel.trace = NULL;
	const unsigned n_predicted = take_files(j);
	print_message("%s %s: %u and %u files\n", row->fabric, row->pattern, n, n_predicted);
	assert_true(n >= 7);
	loom_route_tables_free(&j->tables);
	loom_trace_free(&j->trace);
	loom_plan_free(&j->plan);
	loom_pattern_free(&j->pattern);
	if (row->fails)
		loom_topo_free(&j->topo);
	loom_failures_free(&j->failures);
	loom_topo_free(&j->whole);
	free(j);
	if (memory_live() != 0)
		fail_msg("%s %s: %zu pieces are left", row->fabric, row->pattern, memory_live());
}

static void test_files(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		check(&rows[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_files)};
	assert_int_equal(setenv("PATH", "/nowhere", 1), 0); // without Graphviz graphs lie on a circle
	memory_take_jansson();
	return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
