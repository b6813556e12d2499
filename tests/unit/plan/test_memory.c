// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Every allocation fails once: each step from a pattern to a report is taken again and again, its first, second, third
// ... allocation failing, until it succeeds. Each time it must say that memory ran out, leave its output alone, leak
// nothing and leave no half file. Then the step is right, and what comes of all of them is what comes of a run in which
// nothing failed. Then the same with memory that stays used up.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <dirent.h>
#include <unistd.h>
#include <cmocka.h>

#include <flitloom/device.h>
#include <flitloom/link/image.h>
#include <flitloom/math/otis.h>
#include <flitloom/routes/table_file.h>
#include <flitloom/plan.h>
#include <flitloom/report.h>
#include <flitloom/machine.h>
#include <flitloom/verdict.h>

#include "unit/help/chips.h"
#include "unit/help/memory/failing_memory.h"
#include "unit/help/random_plans.h"
#include "unit/help/trace_chip.h"

// --- One way from a pattern to a report ----------------------------------------------------------------------------

struct way {
	const char *fabric, *pattern, *planner, *map, *objective;
	uint64_t most_steps; // limit of a search; 0: the default
	const char *text;    // of the pattern's file
	const char *tables;  // the user's own, NULL: none
	struct loom_image_options options;
};

struct flow {
	const struct way *way;
	struct loom_topo topo;
	char folder[32], file[64], plan_file[64], link_file[64], svg_file[64], trace_file[64];
	struct loom_trace flawless; // of `plan`, by the reference
	struct trace_chip *chip;
	struct loom_link link;
	FILE *stream; // the output of a report
	char *table, *json, *prediction;
	unsigned n_wrong;

	struct loom_pattern pattern;
	struct loom_table_file own;
	struct loom_table_faults faults;
	struct loom_route_tables tables, of_plan;
	struct loom_table_ways table_ways;
	struct loom_lane_circle circle;
	struct loom_plan plan, read_plan;
	struct loom_image image;
	struct loom_device *device;
	struct loom_trace trace, computed;
	struct loom_verdict verdict, predicted, of_flawless;
};

static int read_fabric(struct flow *f, struct loom_err *err)
{
	return loom_topo_parse(&f->topo, f->way->fabric, err);
}

static int parse(struct flow *f, struct loom_err *err)
{
	char spec[128];
	const struct loom_pattern_options options = {
		.flits = 7, .seed = 3, .n_dims = f->topo.n_dims, .extent = f->topo.extent};
	(void)snprintf(spec, sizeof spec, f->way->text ? "%spattern" : "%s", f->way->pattern);
	return loom_pattern_parse(&f->pattern, spec, f->topo.n_nodes, &options, err);
}

static int read_tables(struct flow *f, struct loom_err *err)
{
	return loom_table_file_parse(&f->own, &f->topo, f->way->tables, strlen(f->way->tables), "here", err);
}

// Two more lines, of which both are wrong.
static int check_tables(struct flow *f, struct loom_err *err)
{
	struct loom_table_entry entry[] = {{0, 0, 0, 9}, {1, 7, 0, 0}};
	const struct loom_table_file own = {2, entry};
	return loom_table_file_check(&f->faults, &own, &f->topo, err);
}

static int make_tables(struct flow *f, struct loom_err *err)
{
	return loom_route_tables_of_file(&f->tables, &f->own, &f->topo, err);
}

static int count_ways(struct flow *f, struct loom_err *err)
{
	return loom_table_ways_count(&f->table_ways, &f->tables, &f->topo, err);
}

static int find_circle(struct flow *f, struct loom_err *err)
{
	return loom_table_ways_circle(&f->circle, &f->tables, &f->topo, err);
}

static int make_plan(struct flow *f, struct loom_err *err)
{
	const struct loom_plan_options options = {.map = f->way->map,
	                                          .planner = f->way->planner,
	                                          .objective = f->way->objective,
	                                          .most_steps = f->way->most_steps,
	                                          .tables = f->way->tables ? &f->tables : NULL};
	return loom_plan_make(&f->plan, &f->topo, &f->pattern, &options, err);
}

static int tables_of_plan(struct flow *f, struct loom_err *err)
{
	return loom_route_tables_of_plan(&f->of_plan, &f->plan, err);
}

static int write_plan(struct flow *f, struct loom_err *err)
{
	return loom_plan_write(&f->plan, f->link_file, err);
}

static int read_plan(struct flow *f, struct loom_err *err)
{
	return loom_plan_read(&f->read_plan, f->plan_file, err);
}

static int make_image(struct flow *f, struct loom_err *err)
{
	return loom_image_make(&f->image, &f->read_plan, loom_device_chip(f->device), &f->way->options, err);
}

static int open_device(struct flow *f, struct loom_err *err)
{
	return loom_device_open(&f->device, &f->link, err);
}

static int load(struct flow *f, struct loom_err *err)
{
	return loom_device_load(f->device, &f->image, err);
}

static int run(struct flow *f, struct loom_err *err)
{
	static const struct loom_run_options options = {.back_to_back = true};
	return loom_device_run(f->device, &f->image, &options, &f->trace, err);
}

static int compute(struct flow *f, struct loom_err *err)
{
	const struct loom_machine_options options = {.image = f->way->options, .run = {.back_to_back = true}};
	return loom_machine_run(&f->computed, &f->read_plan, &options, err);
}

static int judge(struct flow *f, struct loom_err *err)
{
	return loom_verdict_make(&f->verdict, &f->read_plan, &f->trace, err);
}

static int judge_flawless(struct flow *f, struct loom_err *err)
{
	return loom_verdict_make(&f->of_flawless, &f->read_plan, &f->flawless, err);
}

static int predict(struct flow *f, struct loom_err *err)
{
	return loom_verdict_predict(&f->predicted, &f->read_plan, LOOM_MACHINE_FAST, err);
}

static int report_table(struct flow *f, struct loom_err *err)
{
	return loom_report_table(f->stream, &f->read_plan, &f->verdict, true, false, err);
}

static int report_json(struct flow *f, struct loom_err *err)
{
	return loom_report_json(f->stream, &f->read_plan, &f->verdict, true, NULL, err);
}

static int report_prediction(struct flow *f, struct loom_err *err)
{
	return loom_report_json(f->stream, &f->plan, &f->predicted, false, NULL, err); // it has its request
}

static int report_svg(struct flow *f, struct loom_err *err)
{
	const struct loom_panel panels[] = {{.title = "predicted", .plan = &f->read_plan},
	                                    {.title = "measured", .plan = &f->read_plan, .trace = &f->trace}};
	return loom_report_picture(f->svg_file, LOOM_PICTURE_USUAL, panels, 2, err);
}

static int report_chart(struct flow *f, struct loom_err *err)
{
	const struct loom_panel panel = {.title = "measured", .plan = &f->read_plan, .trace = &f->trace};
	return loom_report_picture(f->svg_file, LOOM_PICTURE_CHART, &panel, 1, err);
}

static int report_paths(struct flow *f, struct loom_err *err)
{
	const struct loom_panel panel = {.title = "predicted", .plan = &f->read_plan};
	return loom_report_picture(f->svg_file, LOOM_PICTURE_PATHS, &panel, 1, err);
}

static int report_trace(struct flow *f, struct loom_err *err)
{
	return loom_report_trace(f->trace_file, &f->trace, err);
}

// --- Taking a step until it succeeds -------------------------------------------------------------------------------

static unsigned count_files(const char *folder)
{
	unsigned n = 0;
	DIR *d = opendir(folder);
	assert_non_null(d);
	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

// Prints an error and goes on, so that one run shows all.
static void wrong(struct flow *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void wrong(struct flow *f, const char *format, ...)
{
	char text[600];
	va_list args;
	va_start(args, format);
	(void)vsnprintf(text, sizeof text, format, args);
	va_end(args);
	print_error("%s %s: %s\n", f->way->fabric, f->way->pattern, text);
	f->n_wrong++;
}

static void check_failure(struct flow *f, const char *name, int code, const struct loom_err *err, size_t n)
{
	if (code == 0) {
		wrong(f, "%s succeeds although allocation %zu failed", name, n);
		return;
	}
	if (err->code != code || (code != LOOM_ENOMEM && !strstr(err->text, "memory")))
		wrong(f, "%s, allocation %zu: %s (%s)", name, n, loom_code_name(code), err->text);
	if (!strstr(err->text, "memory") || strchr(err->text, '\n'))
		wrong(f, "%s, allocation %zu says \"%s\"", name, n, err->text);
}

// Takes a step whose output is size bytes at `out`, and whose text, if any, goes to *text; it may do without some of its
// memory if the text is the right one all the same. Returns its allocations.
static size_t persist(struct flow *f, const char *name, int (*step)(struct flow *f, struct loom_err *err), void *out,
                      size_t size, char **text, const char *right, bool from_then_on)
{
	const unsigned n_files = count_files(f->folder);
	uint8_t *before = malloc(size + 1);
	assert_non_null(before);
	if (size)
		memset(out, 0xa5, size);
	if (size)
		memcpy(before, out, size);
	for (size_t n = 1;; n++) {
		char *written = NULL;
		size_t length = 0, live = memory_live();
		struct loom_err err = {0};
		f->stream = text ? open_memstream(&written, &length) : NULL;
		memory_arm(n, from_then_on);
		int code = step(f, &err);
		bool failed = memory_disarm();
		if (f->stream)
			(void)fclose(f->stream);
		if (!failed) {
			if (code)
				wrong(f, "%s: %s", name, err.text);
			free(before);
			if (text)
				*text = written;
			return n - 1;
		}
		bool did_without = code == 0 && text && strcmp(written, right) == 0;
		free(written);
		if (did_without)
			continue;
		check_failure(f, name, code, &err, n);
		if (memory_live() != live)
			wrong(f, "%s leaks %zu pieces when allocation %zu fails", name, memory_live() - live, n);
		if (size && memcmp(before, out, size) != 0)
			wrong(f, "%s changes its output when allocation %zu fails", name, n);
		if (count_files(f->folder) != n_files)
			wrong(f, "%s leaves a file when allocation %zu fails", name, n);
		memory_arm(n, from_then_on);
		code = step(f, NULL); // a caller without an error structure
		(void)memory_disarm();
		if (code == 0)
			wrong(f, "%s succeeds without words although allocation %zu failed", name, n);
		if (size)
			memset(out, 0xa5, size);
	}
}

static char *contents(const char *path)
{
	char *text = calloc(1, 1 << 20);
	FILE *f = fopen(path, "r");
	assert_true(text && f);
	assert_true(fread(text, 1, (1 << 20) - 1, f) > 0);
	(void)fclose(f);
	return text;
}

static void put_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	(void)fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

static void name_files(struct flow *f)
{
	(void)snprintf(f->folder, sizeof f->folder, "/tmp/loom_fails_XXXXXX");
	assert_non_null(mkdtemp(f->folder));
	(void)snprintf(f->file, sizeof f->file, "%s/pattern", f->folder);
	(void)snprintf(f->plan_file, sizeof f->plan_file, "%s/plan.json", f->folder);
	(void)snprintf(f->link_file, sizeof f->link_file, "%s/link.json", f->folder);
	(void)snprintf(f->svg_file, sizeof f->svg_file, "%s/picture.svg", f->folder);
	(void)snprintf(f->trace_file, sizeof f->trace_file, "%s/trace.json", f->folder);
	assert_int_equal(chdir(f->folder), 0); // a pattern is called as its file
	put_file(f->file, f->way->text ? f->way->text : "none");
	put_file(f->plan_file, "an older plan");
	put_file(f->svg_file, "an older picture");
	put_file(f->trace_file, "an older trace");
	assert_int_equal(symlink("plan.json", f->link_file), 0); // which must remain one
}

#define OUT(field) &f->field, sizeof f->field

static size_t go(struct flow *f, const struct flow *smooth, bool from_then_on)
{
	const bool e = from_then_on;
	struct loom_err err = {0};
	size_t n = 0;
	name_files(f);
	if (loom_topo_parse(&f->topo, f->way->fabric, &err) != 0)
		fail_msg("%s", err.text);
	memory_jansson_reads(true);
	n += persist(f, "loom_pattern_parse", parse, OUT(pattern), NULL, NULL, e);
	if (f->way->tables) {
		n += persist(f, "loom_table_file_parse", read_tables, OUT(own), NULL, NULL, e);
		n += persist(f, "loom_table_file_check", check_tables, OUT(faults), NULL, NULL, e);
		n += persist(f, "loom_route_tables_of_file", make_tables, OUT(tables), NULL, NULL, e);
		n += persist(f, "loom_table_ways_count", count_ways, OUT(table_ways), NULL, NULL, e);
		n += persist(f, "loom_table_ways_circle", find_circle, OUT(circle), NULL, NULL, e);
	}
	n += persist(f, "loom_plan_make", make_plan, OUT(plan), NULL, NULL, e);
	if (f->way->tables)
		n += persist(f, "loom_route_tables_of_plan", tables_of_plan, OUT(of_plan), NULL, NULL, e);
	n += persist(f, "loom_plan_write", write_plan, NULL, 0, NULL, NULL, e);
	n += persist(f, "loom_plan_read", read_plan, OUT(read_plan), NULL, NULL, e);
	memory_jansson_reads(false);
	flawless_trace(&f->flawless, &f->plan, f->way->options.machine);
	f->chip = trace_chip_new(&f->plan, &f->flawless);
	f->link = trace_chip_link(f->chip);
	n += persist(f, "loom_device_open", open_device, OUT(device), NULL, NULL, e);
	n += persist(f, "loom_image_make", make_image, OUT(image), NULL, NULL, e);
	n += persist(f, "loom_device_load", load, NULL, 0, NULL, NULL, e);
	n += persist(f, "loom_device_run", run, OUT(trace), NULL, NULL, e);
	n += persist(f, "loom_machine_run", compute, OUT(computed), NULL, NULL, e);
	n += persist(f, "loom_verdict_predict", predict, OUT(predicted), NULL, NULL, e);
	n += persist(f, "loom_verdict_make", judge, OUT(verdict), NULL, NULL, e);
	if (f->flawless.released)
		n += persist(f, "loom_verdict_make of releases", judge_flawless, OUT(of_flawless), NULL, NULL, e);
	assert_int_equal(f->of_flawless.n_mismatches, 0);
	n += persist(f, "loom_report_table", report_table, NULL, 0, &f->table, smooth->table, e);
	n += persist(f, "loom_report_json", report_json, NULL, 0, &f->json, smooth->json, e);
	n += persist(f, "loom_report_json of a prediction", report_prediction, NULL, 0, &f->prediction,
	             smooth->prediction, e);
	n += persist(f, "loom_report_picture", report_svg, NULL, 0, NULL, NULL, e);
	n += persist(f, "a chart", report_chart, NULL, 0, NULL, NULL, e);
	n += persist(f, "paths", report_paths, NULL, 0, NULL, NULL, e);
	n += persist(f, "loom_report_trace", report_trace, NULL, 0, NULL, NULL, e);
	return n;
}

// Takes the same steps without a failure.
static void go_smoothly(struct flow *f)
{
	size_t length;
	name_files(f);
	assert_int_equal(loom_topo_parse(&f->topo, f->way->fabric, NULL), 0);
	if (f->way->tables)
		assert_int_equal(read_tables(f, NULL) | make_tables(f, NULL), 0);
	assert_int_equal(parse(f, NULL) | make_plan(f, NULL) | write_plan(f, NULL) | read_plan(f, NULL), 0);
	flawless_trace(&f->flawless, &f->plan, f->way->options.machine);
	f->chip = trace_chip_new(&f->plan, &f->flawless);
	f->link = trace_chip_link(f->chip);
	assert_int_equal(open_device(f, NULL) | make_image(f, NULL) | load(f, NULL) | run(f, NULL), 0);
	assert_int_equal(predict(f, NULL) | judge(f, NULL) | report_svg(f, NULL) | report_chart(f, NULL) |
	                         report_paths(f, NULL) | report_trace(f, NULL),
	                 0);
	int (*const reports[])(struct flow * f, struct loom_err * err) = {report_table, report_json, report_prediction};
	char **const texts[] = {&f->table, &f->json, &f->prediction};
	for (size_t i = 0; i < 3; i++) {
		f->stream = open_memstream(texts[i], &length);
		assert_non_null(f->stream);
		assert_int_equal(reports[i](f, NULL), 0);
		(void)fclose(f->stream);
	}
}

static void finish(struct flow *f)
{
	const char *const files[] = {f->file, f->plan_file, f->link_file, f->svg_file, f->trace_file};
	loom_verdict_free(&f->verdict);
	loom_verdict_free(&f->predicted);
	loom_verdict_free(&f->of_flawless);
	loom_trace_free(&f->trace);
	loom_trace_free(&f->computed);
	loom_trace_free(&f->flawless);
	loom_image_free(&f->image);
	loom_device_close(f->device);
	loom_plan_free(&f->read_plan);
	loom_plan_free(&f->plan);
	loom_lane_circle_free(&f->circle);
	loom_route_tables_free(&f->of_plan);
	loom_route_tables_free(&f->tables);
	loom_table_faults_free(&f->faults);
	loom_table_file_free(&f->own);
	loom_pattern_free(&f->pattern);
	if (f->chip)
		trace_chip_free(f->chip);
	free(f->table);
	free(f->json);
	free(f->prediction);
	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
		assert_int_equal(unlink(files[i]), 0);
	assert_int_equal(chdir("/"), 0);
	assert_int_equal(rmdir(f->folder), 0);
	free(f);
}

static void same_files(const char *a, const char *b)
{
	char *x = contents(a), *y = contents(b);
	assert_string_equal(x, y);
	free(x);
	free(y);
}

static void check_way(const struct way *way)
{
	struct flow *smooth = calloc(1, sizeof *smooth), *rough = NULL;
	assert_non_null(smooth);
	smooth->way = way;
	go_smoothly(smooth);
	for (int from_then_on = 0; from_then_on < 2; from_then_on++) {
		rough = calloc(1, sizeof *rough);
		assert_non_null(rough);
		rough->way = way;
		size_t n = go(rough, smooth, from_then_on);
		print_message("%s %s %s: %zu allocations\n", way->fabric, way->pattern, rough->plan.planner, n);
		assert_int_equal(rough->n_wrong, 0);
		assert_true(n > 40);
		if (rough->verdict.n_mismatches)
			fail_msg("%s %s: %s", way->fabric, way->pattern, rough->verdict.mismatches[0]);
		assert_int_equal(rough->verdict.delivered_messages, rough->plan.n_messages);
		assert_int_equal(rough->image.n_blocks, smooth->image.n_blocks);
		for (size_t b = 0; b < rough->image.n_blocks; b++) {
			const struct loom_block *x = &rough->image.blocks[b], *y = &smooth->image.blocks[b];
			assert_int_equal(x->address, y->address);
			assert_int_equal(x->n_words, y->n_words);
			assert_memory_equal(x->words, y->words, x->n_words * sizeof *x->words);
		}
		assert_string_equal(rough->table, smooth->table);
		assert_string_equal(rough->json, smooth->json);
		assert_string_equal(rough->prediction, smooth->prediction);
		same_files(rough->plan_file, smooth->plan_file);
		same_files(rough->link_file, smooth->plan_file);
		same_files(rough->svg_file, smooth->svg_file);
		same_files(rough->trace_file, smooth->trace_file);
		char target[16] = "";
		assert_int_equal(readlink(rough->link_file, target, sizeof target - 1), 9);
		assert_string_equal(target, "plan.json");
		finish(rough);
	}
	finish(smooth);
	assert_int_equal(memory_live(), 0);
}

// --- The ways ------------------------------------------------------------------------------------------------------

#define PAPER                                                                                                          \
	{                                                                                                              \
		.machine = LOOM_MACHINE_PAPER                                                                          \
	}
#define PRESET                                                                                                         \
	{                                                                                                              \
		.preset = true                                                                                         \
	}
#define GENERATED                                                                                                      \
	{                                                                                                              \
		.schedule = LOOM_SCHEDULE_GENERATED                                                                    \
	}
#define TABLE                                                                                                          \
	{                                                                                                              \
		.schedule = LOOM_SCHEDULE_TABLE                                                                        \
	}
#define TWO_LCCS                                                                                                       \
	"[{\"n\":3,\"kind\":\"permutation\",\"A\":[2,4,1],\"b\":5},"                                                   \
	"{\"n\":3,\"kind\":\"scatter\",\"A\":[\"0x3\",6,0]}]"

#define OWN_TABLES                                                                                                     \
	"0,0,local\n3,0,-y\n4,0,-x\n1,1,local\n4,1,-y\n5,1,-x\n2,2,local\n3,2,+x\n4,2,+x\n5,2,-y\n"                    \
	"0,3,+y\n1,3,-x\n3,3,local\n1,4,+y\n2,4,-x\n4,4,local\n0,5,+x\n1,5,+x\n2,5,+y\n5,5,local\n"

static const struct way ways[] = {
	{.fabric = "cube:3", .pattern = "bit-reverse", .planner = "lcc"},
	{.fabric = "cube:3", .pattern = "random-lcc:2", .planner = "lcc", .map = "0,1,2"},
	{.fabric = "cube:3", .pattern = "lcc:", .text = "010\n100\n110\n001\n", .planner = "lcc"},
	{.fabric = "cube:3", .pattern = "fft", .planner = "lcc_set", .objective = "maxsum"},
	{.fabric = "cube:3", .pattern = "set:", .text = TWO_LCCS, .planner = "lcc_set"},
	{.fabric = "cube:3", .pattern = "set:", .text = TWO_LCCS, .planner = "lcc_set", .objective = "sumsum"},
	{.fabric = "omega:4", .pattern = "all-to-all", .planner = "latin"},
	{.fabric = "baseline:4", .pattern = "all-to-others", .planner = "latin", .options = GENERATED},
	{.fabric = "ricube:4", .pattern = "all-to-others", .planner = "latin", .options = TABLE},
	{.fabric = "cube:2", .pattern = "all-to-all", .planner = "exchange", .options = PAPER},
	{.fabric = "benes:8", .pattern = "random-perm", .planner = "two_pass", .options = PRESET},
	{.fabric = "cube:3", .pattern = "perm:3,1,0,2,7,6,4,5", .planner = "two_pass"},
	{.fabric = "romega:8", .pattern = "uniform:20", .planner = "min_passes", .options = PRESET},
	{.fabric = "icube:8", .pattern = "hotspot:3", .planner = "min_passes"},
	{.fabric = "mesh:2x3", .pattern = "uniform:9", .planner = "mesh"},
	{.fabric = "ring:16", .pattern = "bit-reverse", .planner = "ad_hoc"},
	{.fabric = "torus:2x3x2", .pattern = "random-perm", .planner = "torus"},
	{.fabric = "rbaseline:8", .pattern = "bpc:[-0,2,1]", .planner = "direct"},
	{.fabric = "cube:2",
         .pattern = "messages:",
         .text = "source,destination\n0,3\n3,0,5\n1,1\n",
         .planner = "direct"},
	{.fabric = "cube:1", .pattern = "complement", .map = "1,0"},
	{.fabric = "mesh:3x3", .pattern = "transpose"},
	{.fabric = "ring:5", .pattern = "random-perm", .planner = "greedy"},
	{.fabric = "ring:6", .pattern = "random-perm", .planner = "ring"},
	{.fabric = "ring:4", .pattern = "uniform:9", .planner = "exact"},
	{.fabric = "line:6", .pattern = "random-perm", .planner = "line"},
	{.fabric = "line:5", .pattern = "uniform:9", .planner = "line"},
	{.fabric = "otis-mesh:4", .pattern = "shuffle"},
	{.fabric = "otis-mesh:4", .pattern = "random-perm"},
	{.fabric = "mesh:2x3", .pattern = "shift:1,-1"},
	{.fabric = "mesh:2x3", .pattern = "stencil"},
	{.fabric = "mesh:2x3", .pattern = "gaussian", .planner = "xy", .map = "greedy"},
	{.fabric = "cube:2", .pattern = "set:shuffle+complement+transpose", .planner = "linear_map"},
	{.fabric = "mesh:2x3", .pattern = "uniform:9", .planner = "direct", .objective = "cycles", .most_steps = 300},
	{.fabric = "cube:2", .pattern = "uniform:9", .planner = "order", .objective = "cycles", .most_steps = 500},
	{.fabric = "table-mesh:2x3",
         .pattern = "gather:0",
         .planner = "reroute",
         .objective = "cycles",
         .most_steps = 300},
	{.fabric = "mesh:2x2", .pattern = "uniform:5", .planner = "mesh", .map = "identity", .objective = "cycles"},
	{.fabric = "mesh:2x2", // the pass of one flit becomes the last
         .pattern = "messages:",
         .text = "0,1,1\n2,1,40\n3,1,40\n",
         .planner = "mesh",
         .map = "identity",
         .objective = "cycles"},
	{.fabric = "cube:2", .pattern = "shuffle", .planner = "lcc", .objective = "cycles", .most_steps = 300},
	{.fabric = "table-mesh:2x3", .pattern = "shift:1,-1", .planner = "reroute"},
	{.fabric = "table-mesh:2x3", .pattern = "shift:1,-1", .planner = "routes+passes"},
	{.fabric = "table-mesh:2x3", .pattern = "shift:1,-1", .tables = OWN_TABLES},
};

static void test_every_allocation(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
		check_way(&ways[i]);
}

// A graph is read, routed and kept in memory; of what hardware does with it nothing allocates that other fabrics do not.
static void test_graph(void **state)
{
	static const char text[] = "a b\nb->c\nc d\nd a\nc->a\n";
	static const struct way planned[] = {
		{.fabric = "graph:pattern:v2", .text = text, .pattern = "random-perm"},
		{.fabric = "graph:pattern:v2", .text = text, .pattern = "random-perm", .planner = "reroute"}};
	(void)state;
	for (int k = 0; k < 4; k++) {
		const bool from_then_on = k % 2;
		const struct way way = planned[k / 2];
		struct flow *f = calloc(1, sizeof *f);
		struct loom_err err = {0};
		assert_non_null(f);
		f->way = &way;
		name_files(f);
		memory_jansson_reads(true);
		size_t n = persist(f, "loom_topo_parse", read_fabric, OUT(topo), NULL, NULL, from_then_on);
		assert_true(n > 10);
		assert_int_equal(loom_pattern_parse(&f->pattern, "random-perm", 4,
		                                    &(struct loom_pattern_options){.flits = 3}, &err),
		                 0);
		n += persist(f, "loom_plan_make", make_plan, OUT(plan), NULL, NULL, from_then_on);
		n += persist(f, "loom_plan_write", write_plan, NULL, 0, NULL, NULL, from_then_on);
		n += persist(f, "loom_plan_read", read_plan, OUT(read_plan), NULL, NULL, from_then_on);
		memory_jansson_reads(false);
		print_message("%s: %zu allocations\n", way.fabric, n);
		assert_int_equal(f->n_wrong, 0);
		loom_topo_free(&f->topo);
		finish(f);
	}
	assert_int_equal(memory_live(), 0);
}

// Makes the image of a plan with programs that wait, for a chip that can wait.
static int make_timed_image(struct flow *f, struct loom_err *err)
{
	struct loom_chip chip = chip_for(&f->topo);
	chip.timing = LOOM_CHIP_TIMED;
	return loom_image_make(&f->image, &f->read_plan, &chip, &f->way->options, err);
}

static void test_goal(void **state)
{
	static const struct way way = {
		.fabric = "cube:2",
		.text = "num_ranks 3\nrank 1 {\na: recv 4b from 0 tag -1\nb: calc 5\nb requires a\nc: send 9b to 2\n"
			"c irequires a\n}\nrank 0 {\nsend 4b to 1 tag 7\n}\nrank 2 {\nrecv 9b from 1\n}\n",
		.pattern = "goal:"};
	static const struct way collective = {.fabric = "cube:2", .pattern = "allreduce:rabenseifner"};
	(void)state;
	for (int k = 0; k < 4; k++) {
		struct flow *f = calloc(1, sizeof *f);
		assert_non_null(f);
		f->way = k / 2 ? &collective : &way;
		name_files(f);
		assert_int_equal(loom_topo_parse(&f->topo, f->way->fabric, NULL), 0);
		memory_jansson_reads(true);
		size_t n = persist(f, "loom_pattern_parse", parse, OUT(pattern), NULL, NULL, k % 2);
		assert_true(n > 30);
		n += persist(f, "loom_plan_make", make_plan, OUT(plan), NULL, NULL, k % 2);
		n += persist(f, "loom_plan_write", write_plan, NULL, 0, NULL, NULL, k % 2);
		n += persist(f, "loom_plan_read", read_plan, OUT(read_plan), NULL, NULL, k % 2);
		memory_jansson_reads(false);
		n += persist(f, "loom_image_make", make_timed_image, OUT(image), NULL, NULL, k % 2);
		print_message("%s: %zu allocations\n", f->way->pattern, n);
		assert_int_equal(f->n_wrong, 0);
		loom_topo_free(&f->topo);
		finish(f);
	}
	assert_int_equal(memory_live(), 0);
}

// Moves of items: each failure says that memory ran out, and nothing leaks.
static void test_otis_moves(void **state)
{
	(void)state;
	for (int from_then_on = 0; from_then_on < 2; from_then_on++)
		for (size_t n = 1;; n++) {
			struct loom_otis_moves m, untouched;
			struct loom_err err = {0};
			memset(&m, 0xa5, sizeof m);
			untouched = m;
			memory_arm(n, from_then_on);
			int rc = loom_otis_moves_begin_all(&m, 4, &err);
			if (!memory_disarm()) {
				assert_int_equal(rc, 0);
				loom_otis_moves_free(&m);
				assert_true(n > 3);
				break;
			}
			assert_int_equal(rc, LOOM_ENOMEM);
			assert_non_null(strstr(err.text, "memory"));
			assert_memory_equal(&m, &untouched, sizeof m);
		}
	assert_int_equal(memory_live(), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_allocation),
		cmocka_unit_test(test_graph),
		cmocka_unit_test(test_goal),
		cmocka_unit_test(test_otis_moves),
	};
	memory_take_jansson();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
