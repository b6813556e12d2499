// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// HTML reports and traces for Perfetto: what is predicted of a run worked out by hand, and what is said of messages and channels that did
// something else. tests/e2e/test_report.py reads those of whole runs.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include <flitloom/machine.h>
#include <flitloom/report.h>

#include "base/file.h"
#include "report/report_proto.h"
#include "unit/help/played.h"

static char *read_back(const char *path, size_t *length)
{
	char *text = NULL;
	assert_int_equal(loom_file_read_bytes(&text, length, path, 1 << 22, NULL), 0);
	assert_int_equal(unlink(path), 0);
	text = realloc(text, *length + 1);
	assert_non_null(text);
	text[*length] = '\0';
	return text;
}

static void make_file(char path[24])
{
	(void)snprintf(path, 24, "/tmp/loom_html_XXXXXX");
	const int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(close(fd), 0);
}

// A run of three messages, as the machine computes it, which is right.
struct computed {
	struct loom_plan plan;
	struct loom_trace trace;
};

static void make_run(struct computed *p)
{
	static const struct ref_message message[] = {{0, 3, 5}, {1, 3, 5}, {0, 1, 2}};
	played_plan(&p->plan, 2, message, 3);
	assert_int_equal(loom_machine_run(&p->trace, &p->plan, NULL, NULL), 0);
}

static void free_run(struct computed *p)
{
	loom_trace_free(&p->trace);
	loom_plan_free(&p->plan);
}

static char *page_of_panel(const struct loom_panel *panel)
{
	const struct loom_html html = {.title = "a < b & c",
	                               .report = "{\"name\":\"</script>\"}",
	                               .table = "1 < 2",
	                               .panels = panel,
	                               .n_panels = 1};
	char path[24];
	size_t length;
	make_file(path);
	assert_int_equal(loom_report_html(path, &html, NULL), 0);
	return read_back(path, &length);
}

static char *page_of(const struct computed *p)
{
	return page_of_panel(&(struct loom_panel){.title = "\"by hand\" <1>", .plan = &p->plan, .trace = &p->trace});
}

static size_t count(const char *text, const char *what)
{
	size_t n = 0;
	for (const char *at = text; (at = strstr(at, what)) != NULL; at++)
		n++;
	return n;
}

static void test_run(void **state)
{
	(void)state;
	struct computed p;
	make_run(&p);
	char *text = page_of(&p);
	assert_non_null(strstr(text, "<title>a &lt; b &amp; c</title>"));
	assert_non_null(strstr(text, "{\"name\":\"\\u003c/script>\"}"));
	assert_non_null(strstr(text, "<pre tabindex=\"0\">1 &lt; 2</pre>"));
	assert_non_null(strstr(text, "\"title\":\"\\\"by hand\\\" \\u003c1>\""));
	assert_int_equal(count(text, "</script>"), 3);
	assert_non_null(strstr(text, "\"digits\":1,\"s\":\"010\",\"d\":\"331\",\"f\":[5,5,2]"));
	// The first asks for the link to node 3 in cycle 3 and gets it in cycle 7; until then its tail stands in its node.
	assert_non_null(strstr(text, "\"cycles\":[13],\"o\":[1,1,10],\"x\":[[0,0,0,0,4,1,0,0,4,2,0,4,0]]"));
	assert_non_null(strstr(text, "\"m\":[],\"c\":[]}"));
	assert_int_equal(count(text, "data-c=\""), 8);
	assert_int_equal(count(text, ",\"map\":["), 0); // every processor is its own node
	free(text);
	free_run(&p);
}

static void test_map(void **state)
{
	(void)state;
	struct computed p;
	make_run(&p);
	memcpy(p.plan.map, (uint32_t[]){1, 0, 3, 2}, 4 * sizeof *p.plan.map);
	char *text = page_of(&p);
	assert_int_equal(count(text, ",\"map\":[1,0,3,2]"), 1);
	free(text);
	free_run(&p);
}

// Each of many channels has its own cell at its own place.
static void test_many(void **state)
{
	(void)state;
	static const struct ref_message message[] = {{0, 127, 5}, {1, 3, 5}};
	enum { CHANNELS = 128 * 9, LINKS = 128 * 7 };
	struct computed p;
	double at[LINKS][2];
	size_t n = 0;
	played_plan(&p.plan, 7, message, 2);
	assert_int_equal(loom_topo_channels(&p.plan.topo), CHANNELS);
	assert_int_equal(loom_machine_run(&p.trace, &p.plan, NULL, NULL), 0);
	char *text = page_of(&p);
	for (const char *cell = text; (cell = strstr(cell, " data-c=\"")) != NULL; n++) {
		cell = strstr(cell, " d=\"M");
		assert_true(n < LINKS && cell && sscanf(cell, " d=\"M%lf %lfh", &at[n][0], &at[n][1]) == 2);
		for (size_t k = 0; k < n; k++)
			assert_true(at[k][0] != at[n][0] || at[k][1] != at[n][1]);
	}
	assert_int_equal(n, LINKS);
	free(text);
	free_run(&p);
}

static void test_differences(void **state)
{
	(void)state;
	struct computed p;
	make_run(&p);
	const uint32_t channel = 0; // node 0's link in dimension 0
	p.trace.counts[channel].blocked_cycles += 7;
	for (size_t i = 0; i < p.trace.n_arrivals; i++)
		if (p.trace.arrivals[i].source == 1)
			p.trace.arrivals[i].last_cycle += 2;
	char *text = page_of(&p);
	assert_non_null(strstr(text, "\"m\":[[1,\"delivered\","));
	assert_non_null(strstr(text, ",3,9]],\"last\":[13],"));
	assert_non_null(strstr(text, "\"c\":[[0,0,2,7,7]]}"));
	free(text);
	p.trace.n_arrivals = 0;
	text = page_of(&p);
	assert_int_equal(count(text, "\"missing\","), 3);
	free(text);
	free_run(&p);
}

// Compares the page of a plan for adaptive routers with its trace: each channel that may carry messages in a pass, and
// the counts of that channel.
static void hold_chosen(const char *text, const struct loom_plan *plan, const struct loom_trace *trace)
{
	const char *at = strstr(text, "],\"chosen\":[");
	assert_non_null(at);
	json_t *chosen = json_loads(strchr(at, '{'), JSON_DISABLE_EOF_CHECK, NULL),
	       *rows = json_object_get(chosen, "rows");
	const uint32_t n_channels = loom_topo_channels(&plan->topo);
	size_t n = 0;
	assert_int_equal(json_integer_value(json_object_get(chosen, "passes")), plan->n_passes);
	for (uint32_t pass = 0; pass < plan->n_passes; pass++)
		for (uint32_t c = 0; c < n_channels; c++) {
			const size_t k = (size_t)pass * n_channels + c;
			if (plan->most[k] == 0)
				continue;
			const json_t *row = json_array_get(rows, n++);
			const json_t *place = json_array_get(json_object_get(chosen, "channels"),
			                                     (size_t)json_integer_value(json_array_get(row, 1)));
			const struct loom_count none = {0}, *count = trace ? &trace->counts[k] : &none;
			const uint64_t want[] = {plan->load[k], plan->most[k], count->worms, count->flits,
			                         count->blocked_cycles};
			assert_int_equal(json_integer_value(json_array_get(row, 0)), pass);
			assert_int_equal(json_integer_value(json_array_get(place, 0)), c);
			assert_int_equal(json_array_size(row), trace ? 7 : 4);
			for (size_t i = 2; i < json_array_size(row); i++)
				assert_int_equal(json_integer_value(json_array_get(row, i)), want[i - 2]);
		}
	assert_true(n > 0 && n == json_array_size(rows));
	json_decref(chosen);
}

static void test_chosen(void **state)
{
	(void)state;
	struct computed p;
	struct loom_topo topo;
	struct loom_pattern pattern;
	struct loom_err err = {0};
	const struct loom_pattern_options of_pattern = {.flits = 3};
	const struct loom_plan_options by = {.rule = "west-first"};
	assert_int_equal(loom_topo_parse(&topo, "mesh:4x4", NULL), 0);
	assert_int_equal(
		loom_pattern_parse(&pattern, "set:transpose+shuffle+complement", topo.n_nodes, &of_pattern, &err), 0);
	if (loom_plan_make(&p.plan, &topo, &pattern, &by, &err) != 0 ||
	    loom_machine_run(&p.trace, &p.plan, NULL, &err) != 0)
		fail_msg("%s", err.text);
	assert_int_equal(p.plan.n_passes, 3);
	char *text = page_of(&p);
	hold_chosen(text, &p.plan, &p.trace);
	free(text);
	text = page_of_panel(&(struct loom_panel){.plan = &p.plan});
	hold_chosen(text, &p.plan, NULL);
	free(text);
	loom_pattern_free(&pattern);
	free_run(&p);
}

static void test_no_report(void **state)
{
	(void)state;
	static const char *const texts[] = {"", "[]", "{", "{\"a\":1,\"a\":2}"};
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		struct loom_err err = {0};
		const struct loom_html html = {.title = "", .report = texts[i]};
		assert_int_equal(loom_report_html("/nonexistent/it.html", &html, &err), LOOM_EINPUT);
		assert_string_equal(err.text, "a report is a JSON object");
	}
	const struct loom_html html = {.title = "it", .report = "{}"};
	assert_int_equal(loom_report_html("/nonexistent/it.html", &html, NULL), LOOM_EFILE);
}

static char *trace_of(const struct computed *p, size_t *length)
{
	const struct loom_panel panel = {.plan = &p->plan, .trace = &p->trace};
	char path[24];
	make_file(path);
	assert_int_equal(loom_report_perfetto(path, &panel, NULL), 0);
	return read_back(path, length);
}

static size_t count_bytes(const char *text, size_t length, const char *what)
{
	size_t n = 0;
	for (size_t at = 0; at + strlen(what) <= length; at++)
		n += memcmp(text + at, what, strlen(what)) == 0;
	return n;
}

static void test_perfetto(void **state)
{
	(void)state;
	struct computed p;
	size_t length;
	make_run(&p);
	char *text = trace_of(&p, &length);
	// On its node, and on injection, links and ejection.
	assert_int_equal(count_bytes(text, length, "message 0"), 1 + 4);
	assert_int_equal(count_bytes(text, length, "message 1"), 1 + 3);
	assert_int_equal(count_bytes(text, length, "not as predicted"), 0);
	free(text);
	p.trace.arrivals[0].last_cycle++;
	text = trace_of(&p, &length);
	assert_int_equal(count_bytes(text, length, "not as predicted"), 1);
	free(text);
	free_run(&p);
}

// Numbers and lengths as the encoding's documentation has them, and what does not fit.
static void test_proto(void **state)
{
	(void)state;
	struct loom_proto p = {.n = 0}, outer = {.n = 0};
	loom_proto_number(&p, 1, 150);
	assert_memory_equal(p.byte, "\x08\x96\x01", 3);
	loom_proto_text(&p, 2, "testing");
	assert_memory_equal(p.byte + 3, "\x12\x07testing", 9);
	loom_proto_fixed(&p, 47, UINT64_C(0x0102030405060708));
	assert_memory_equal(p.byte + 12, "\xf9\x02\x08\x07\x06\x05\x04\x03\x02\x01", 10);
	loom_proto_number(&p, 1, UINT64_MAX);
	assert_int_equal(p.n, 22 + 11);
	loom_proto_message(&outer, 3, &p);
	assert_memory_equal(outer.byte, "\x1a\x21\x08\x96", 4);
	assert_int_equal(outer.cut, 0);
	for (int i = 0; i < 200; i++)
		loom_proto_text(&p, 2, "testing");
	assert_int_equal(p.cut, 1);
	loom_proto_message(&outer, 3, &p);
	assert_int_equal(outer.cut, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_run),         cmocka_unit_test(test_map),       cmocka_unit_test(test_many),
		cmocka_unit_test(test_differences), cmocka_unit_test(test_no_report), cmocka_unit_test(test_perfetto),
		cmocka_unit_test(test_proto),       cmocka_unit_test(test_chosen),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
