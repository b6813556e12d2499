// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ctype.h>
#include <dirent.h>
#include <jansson.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include <flitloom/report.h>

#include "report/report_admissible.h"
#include "report/report_text.h"
#include "routes.h"
#include "svg_checks.h"

#define NASTY "a<b>&\"c\"'\x01\x1b[31m\xff\xc3\xa9\xef\xbf\xbe" // "é" survives

// --- A fabric, a plan and a verdict by hand ------------------------------------------------------------------------
//
// Two tiles with one channel each way in two groups, one of them badly named; ports 2: neighbour and ejection.

static unsigned pair_groups(const struct loom_topo *t)
{
	(void)t;
	return 4;
}

static unsigned pair_group_of(const struct loom_topo *t, uint32_t channel)
{
	(void)t;
	return channel % 3 ? channel % 3 + 1 : channel / 3;
}

static void pair_group_name(const struct loom_topo *t, unsigned group, char out[16])
{
	static const char *const names[] = {"<+x>", "-x & y", "eject", "inject"};
	(void)t;
	(void)snprintf(out, 16, "%s", names[group]);
}

static void pair_channel_name(const struct loom_topo *t, uint32_t channel, char out[48])
{
	(void)t;
	(void)snprintf(out, 48, "%u->%u", channel / 3, 1 - channel / 3);
}

static const struct loom_topo_kind pair_kind = {
	.name = "pair",
	.groups = pair_groups,
	.group_of = pair_group_of,
	.group_name = pair_group_name,
	.channel_name = pair_channel_name,
};

struct hand {
	struct loom_plan plan;
	struct loom_plan_message messages[3];
	uint32_t map[2], load[12], member_contention[2], member_of_pass[2];
	uint64_t cycles[2];
	struct loom_trace trace;
	struct loom_arrival arrivals[3];
	struct loom_count counts[12];
	struct loom_verdict verdict;
	struct loom_group_count predicted[4], measured[4];
};

// Pass 0: two messages 0->1; pass 1: one 1->0.
static void by_hand(struct hand *h)
{
	*h = (struct hand){
		.messages = {{.pass = 0, .source = 0, .destination = 1, .flits = 3},
	                     {.pass = 0, .source = 0, .destination = 1, .flits = 4, .origin = 1},
	                     {.pass = 1, .source = 1, .destination = 0, .flits = 5, .origin = 2}},
		.map = {1, 0},
		.load = {0, 2, 0, 2, 0, 2, 1, 0, 1, 0, 1, 0},
		.member_contention = {2, 1},
		.member_of_pass = {0, 1},
		.cycles = {LOOM_CYCLES_UNKNOWN, 7},
		.arrivals = {{.last_cycle = 5}, {.last_cycle = 11}, {.last_cycle = 7, .pass = 1}},
		.predicted = {{"<+x>", 1, 1}, {"-x & y", 2, 2}, {"eject", 2, 3}, {"inject", 2, 3}},
		.measured = {{"<+x>", 1, 1}, {"-x & y", 3, 4}, {"eject", 2, 3}, {"inject", 2, 3}},
	};
	h->plan = (struct loom_plan){
		.topo = {.kind = &pair_kind,
	                 .name = "pair:1",
	                 .n_nodes = 2,
	                 .n_tiles = 2,
	                 .n_dims = 1,
	                 .extent = {2},
	                 .ports = 2,
	                 .label_bits = 1},
		.pattern = "by hand",
		.planner = "nobody",
		.n_passes = 2,
		.n_messages = 3,
		.messages = h->messages,
		.map = h->map,
		.load = h->load,
		.cycles = h->cycles,
		.lower_bound = 1,
		.n_members = 2,
		.member_contention = h->member_contention,
		.member_of_pass = h->member_of_pass,
	};
	for (size_t i = 0; i < 12; i++)
		h->counts[i].worms = h->load[i];
	h->trace = (struct loom_trace){.n_nodes = 2,
	                               .n_channels = 6,
	                               .n_passes = 2,
	                               .n_arrivals = 3,
	                               .arrivals = h->arrivals,
	                               .counts = h->counts};
	h->verdict = (struct loom_verdict){
		.n_groups = 4,
		.predicted = h->predicted,
		.measured = h->measured,
		.predicted_contention = 2,
		.measured_contention = 3,
		.predicted_cycles = LOOM_CYCLES_UNKNOWN,
		.measured_cycles = 18,
		.nodes = 2,
		.messages = 3,
		.flits = 12,
		.delivered_messages = 2,
		.delivered_flits = 7,
		.corrupt_flits = 1,
		.blocked_cycles = 6,
	};
}

// --- Text ----------------------------------------------------------------------------------------------------------

static void test_text(void **state)
{
	(void)state;
	char out[64], tight[4];
	loom_report_text(out, sizeof out, NASTY);
	assert_string_equal(out, "a<b>&\"c\"'??[31m?\xc3\xa9???");
	loom_report_text(out, sizeof out, "");
	assert_string_equal(out, "");
	loom_report_text(tight, sizeof tight, "ab\xc3\xa9z"); // the character does not fit whole
	assert_string_equal(tight, "ab");
	loom_report_text(tight, sizeof tight, "\xe2\x82");
	assert_string_equal(tight, "??");
	loom_report_text(out, sizeof out, "\xc0\x80|\xed\xa0\x80|\xf4\x90\x80\x80|\xc2\x9b|\xe0\x80\x80");
	assert_string_equal(out, "??|\?\?\?|\?\?\?\?|??|\?\?\?");
	loom_report_text(out, sizeof out, "\xf0\x9f\x98\x80\xe2\x82\xac");
	assert_string_equal(out, "\xf0\x9f\x98\x80\xe2\x82\xac");
}

// --- JSON ----------------------------------------------------------------------------------------------------------

static json_t *report(const struct hand *h, int measured)
{
	char *text = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&text, &size);
	assert_non_null(stream);
	assert_int_equal(loom_report_json(stream, &h->plan, &h->verdict, measured, NULL, NULL), 0);
	assert_int_equal(fclose(stream), 0);
	assert_int_equal(strcspn(text, "\n"), size - 1); // one line, ended
	json_error_t error;
	json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
	if (!root)
		fail_msg("%s: %s", error.text, text);
	free(text);
	return root;
}

static long long number(const json_t *root, const char *path)
{
	char copy[64], *rest = NULL;
	(void)snprintf(copy, sizeof copy, "%s", path);
	for (char *key = strtok_r(copy, ".", &rest); key; key = strtok_r(NULL, ".", &rest))
		root = isdigit((unsigned char)*key) ? json_array_get(root, strtoul(key, NULL, 10))
		                                    : json_object_get(root, key);
	if (!json_is_integer(root))
		fail_msg("%s is no number", path);
	return json_integer_value(root);
}

static const char *string(const json_t *root, const char *key)
{
	const char *text = json_string_value(json_object_get(root, key));
	if (!text)
		fail_msg("%s is no string", key);
	return text;
}

static void test_json(void **state)
{
	(void)state;
	struct hand h;
	by_hand(&h);
	h.verdict.n_mismatches = 1;
	(void)strcpy(h.verdict.mismatches[0], "message 0 never \"arrived\"");
	json_t *root = report(&h, 1);
	assert_string_equal(string(root, "fabric"), "pair:1");
	assert_string_equal(string(root, "pattern"), "by hand");
	assert_string_equal(string(root, "planner"), "nobody");
	assert_string_equal(string(root, "verdict"), "fail");
	static const struct {
		const char *path;
		long long value;
	} expected[] = {
		{"nodes", 2},
		{"passes", 2},
		{"messages", 3},
		{"flits", 12},
		{"map.0", 1},
		{"map.1", 0},
		{"predicted.contention", 2},
		{"predicted.lower_bound", 1},
		{"predicted.groups.1.max", 2},
		{"predicted.groups.2.sum", 3},
		{"predicted.members.0.contention", 2},
		{"predicted.members.1.contention", 1},
		{"measured.contention", 3},
		{"measured.cycles", 18},
		{"measured.groups.1.max", 3},
		{"measured.groups.1.sum", 4},
		{"measured.delivered_messages", 2},
		{"measured.delivered_flits", 7},
		{"measured.corrupt_flits", 1},
		{"measured.blocked_cycles", 6},
		{"mismatch_count", 1},
	};
	for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
		if (number(root, expected[i].path) != expected[i].value)
			fail_msg("%s is %lld", expected[i].path, number(root, expected[i].path));
	const json_t *predicted = json_object_get(root, "predicted");
	assert_true(json_is_null(json_object_get(predicted, "cycles")));
	assert_null(json_object_get(predicted, "objective"));
	assert_int_equal(json_array_size(json_object_get(predicted, "groups")), 4);
	assert_string_equal(string(json_array_get(json_object_get(predicted, "groups"), 0), "name"), "<+x>");
	assert_string_equal(json_string_value(json_array_get(json_object_get(root, "mismatches"), 0)),
	                    "message 0 never \"arrived\"");
	json_decref(root);
}

static void test_json_other_shapes(void **state)
{
	(void)state;
	struct hand h;
	by_hand(&h);
	h.plan.n_order = 1;
	h.plan.order[0] = 0;
	h.verdict.predicted_cycles = 12;
	(void)strcpy(h.plan.objective, "maxsum");
	h.plan.objective_value = 3;
	(void)strcpy(h.plan.pattern, NASTY);
	json_t *root = report(&h, 0);
	assert_true(json_is_null(json_object_get(root, "measured")));
	assert_true(json_is_null(json_object_get(root, "verdict")));
	assert_int_equal(number(root, "mismatch_count"), 0);
	assert_int_equal(json_array_size(json_object_get(root, "map")), 1);
	assert_int_equal(number(root, "predicted.cycles"), 12);
	assert_int_equal(number(root, "predicted.objective.value"), 3);
	assert_string_equal(string(json_object_get(json_object_get(root, "predicted"), "objective"), "name"), "maxsum");
	assert_non_null(strstr(string(root, "pattern"), "\xc3\xa9"));
	json_decref(root);

	root = report(&h, 1);
	assert_string_equal(string(root, "verdict"), "pass");
	json_decref(root);

	h.verdict.n_mismatches = 1000; // more than are kept
	root = report(&h, 1);
	assert_int_equal(number(root, "mismatch_count"), 1000);
	assert_int_equal(json_array_size(json_object_get(root, "mismatches")), LOOM_MISMATCHES_KEPT);
	json_decref(root);

	h.plan.objective[0] = '\0';
	h.plan.n_members = 1;
	root = report(&h, 1);
	assert_null(json_object_get(json_object_get(root, "predicted"), "members"));
	json_decref(root);
}

static void test_json_lost(void **state)
{
	(void)state;
	struct hand h;
	struct loom_err err = {0};
	by_hand(&h);
	FILE *full = fopen("/dev/full", "w");
	if (!full)
		skip();
	assert_int_equal(loom_report_json(full, &h.plan, &h.verdict, 1, NULL, &err), LOOM_EFILE);
	assert_non_null(strstr(err.text, "space"));
	(void)fclose(full);
}

// --- Table ---------------------------------------------------------------------------------------------------------

static void test_table_lost(void **state)
{
	(void)state;
	struct hand h;
	struct loom_err err = {0};
	by_hand(&h);
	FILE *full = fopen("/dev/full", "w");
	if (!full)
		skip();
	(void)setvbuf(full, NULL, _IONBF, 0);
	assert_int_equal(loom_report_table(full, &h.plan, &h.verdict, 1, 0, &err), LOOM_EFILE);
	assert_non_null(strstr(err.text, "table"));
	(void)fclose(full);
}

static char *table(const struct hand *h, int measured, int colour)
{
	char *text = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&text, &size);
	assert_non_null(stream);
	assert_int_equal(loom_report_table(stream, &h->plan, &h->verdict, measured, colour, NULL), 0);
	assert_int_equal(fclose(stream), 0);
	for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
		if (!colour && strcspn(line, "\n") > 80)
			fail_msg("more than 80 columns: %.*s", (int)strcspn(line, "\n"), line);
	return text;
}

// The line that begins with `start`, in a static buffer.
static const char *line_of(const char *text, const char *start)
{
	static char line[256];
	for (const char *at = text; *at; at += strcspn(at, "\n") + 1)
		if (strncmp(at, start, strlen(start)) == 0) {
			(void)snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
			return line;
		}
	fail_msg("no line \"%s\" in:\n%s", start, text);
	return NULL;
}

static void test_table(void **state)
{
	(void)state;
	struct hand h;
	unsigned long long n[4];
	by_hand(&h);
	char *text = table(&h, 1, 0);
	assert_int_equal(sscanf(line_of(text, "-x & y") + 6, "%llu %llu %llu %llu", &n[0], &n[1], &n[2], &n[3]), 4);
	assert_true(n[0] == 2 && n[1] == 3 && n[2] == 2 && n[3] == 4);
	assert_non_null(strstr(line_of(text, "-x & y"), "differs"));
	assert_null(strstr(line_of(text, "<+x>"), "differs"));
	assert_non_null(strstr(line_of(text, "inject"), "own"));
	assert_null(strstr(line_of(text, "<+x>"), "own"));
	assert_non_null(strstr(line_of(text, "contention"), "differs"));
	assert_int_equal(sscanf(line_of(text, "cycles") + 6, " - %llu", &n[0]), 1);
	assert_int_equal(n[0], 18);
	assert_non_null(strstr(line_of(text, "delivered"), "differs"));
	assert_non_null(strstr(line_of(text, "corrupt"), "differs"));
	assert_null(strstr(line_of(text, "blocked"), "differs"));
	assert_non_null(strstr(line_of(text, "verdict"), "PASS")); // only the list of mismatches decides
	assert_null(strchr(text, '\033'));
	free(text);

	text = table(&h, 1, 1);
	assert_non_null(strchr(text, '\033'));
	free(text);

	text = table(&h, 0, 0);
	assert_null(strstr(text, "measured"));
	assert_null(strstr(text, "verdict"));
	free(text);
}

static void test_table_crowded(void **state)
{
	(void)state;
	struct hand h;
	by_hand(&h);
	uint32_t *members = calloc(500, sizeof *members);
	assert_non_null(members);
	h.plan.member_contention = members;
	h.plan.n_members = 500;
	(void)strcpy(h.plan.objective, "sumsum");
	memset(h.plan.pattern, 'p', sizeof h.plan.pattern - 1);
	h.verdict.n_mismatches = 70;
	for (size_t i = 0; i < LOOM_MISMATCHES_KEPT; i++) {
		(void)snprintf(h.verdict.mismatches[i], sizeof h.verdict.mismatches[i], "difference %zu \033[2J", i);
		for (size_t k = strlen(h.verdict.mismatches[i]); k < sizeof h.verdict.mismatches[i] - 1; k++)
			h.verdict.mismatches[i][k] = k % 8 ? 'w' : ' ';
	}
	char *text = table(&h, 1, 0);
	assert_non_null(strstr(line_of(text, "verdict"), "FAIL  70 differences"));
	assert_non_null(strstr(text, "  difference 0 ?[2J"));
	assert_non_null(strstr(text, "and 62 more"));
	assert_null(strchr(text, '\033'));
	free(text);
	free(members);
}

// --- SVG -----------------------------------------------------------------------------------------------------------

static char folder[] = "/tmp/test_report_XXXXXX";

static const char *path_of(const char *name)
{
	static char path[128];
	(void)snprintf(path, sizeof path, "%s/%s", folder, name);
	return path;
}

static char *draw(const struct loom_panel *panels, size_t n)
{
	struct loom_err err = {0};
	if (loom_report_svg(path_of("it.svg"), panels, n, &err) != 0)
		fail_msg("%s", err.text);
	char *text = svg_slurp(path_of("it.svg"));
	const char *wrong = svg_malformed(text);
	if (wrong)
		fail_msg("not well-formed at byte %td: %.60s", wrong - text, wrong);
	wrong = svg_cut_off(text);
	if (wrong)
		fail_msg("cut in a wide font: %.160s", wrong);
	return text;
}

static void test_svg(void **state)
{
	(void)state;
	struct hand h;
	by_hand(&h);
	(void)strcpy(h.plan.pattern, NASTY);
	h.counts[3].worms = 5;
	const struct loom_panel panels[] = {
		{.title = NASTY, .plan = &h.plan},
		{.title = "after", .plan = &h.plan, .trace = &h.trace},
	};
	char *text = draw(panels, 2);
	assert_non_null(strstr(text, "a&lt;b&gt;&amp;&quot;c&quot;'??[31m?\xc3\xa9"));
	assert_non_null(strstr(text, "&lt;+x&gt;"));
	assert_non_null(strstr(text, "-x &amp; y"));
	assert_non_null(strstr(text, "contention 2<"));
	assert_non_null(strstr(text, "contention 5<"));
	assert_non_null(strstr(text, "18 cycles")); // 11 and 7
	assert_non_null(strstr(text, ">1-&gt;0: 5<"));
	assert_null(strstr(text, "inject")); // no contention there
	assert_null(strstr(text, "http://www.w3.org/1999"));
	assert_null(strstr(text, "<script"));
	free(text);

	// Names of any length: smaller, then cut.
	for (size_t length = 1; length < sizeof h.plan.pattern; length++) {
		memset(h.plan.pattern, 'w', length);
		h.plan.pattern[length] = '\0';
		memcpy(h.plan.planner, h.plan.pattern, length < 31 ? length : 31);
		text = draw(panels, 1);
		if (length <= 40 && strstr(text, "\xe2\x80\xa6"))
			fail_msg("a name of %zu characters is cut", length);
		if (length >= 60 && !strstr(text, "www\xe2\x80\xa6"))
			fail_msg("a name of %zu characters is not cut", length);
		free(text);
	}
}

static void test_svg_of_cubes(void **state)
{
	(void)state;
	for (unsigned n = 1; n <= 10; n++) {
		char fabric[16];
		struct loom_topo topo;
		struct loom_pattern pattern;
		struct loom_plan plans[2];
		const struct loom_pattern_options options = {.flits = 17, .seed = 1};
		(void)snprintf(fabric, sizeof fabric, "cube:%u", n);
		assert_int_equal(loom_topo_parse(&topo, fabric, NULL), 0);
		assert_int_equal(loom_pattern_parse(&pattern, "bit-reverse", topo.n_nodes, &options, NULL), 0);
		const struct loom_plan_options maps[] = {{.map = "identity"}, {.map = "best"}};
		for (size_t i = 0; i < 2; i++)
			assert_int_equal(loom_plan_make(&plans[i], &topo, &pattern, &maps[i], NULL), 0);
		const struct loom_panel panels[] = {{.title = "identity", .plan = &plans[0]},
		                                    {.title = "best", .plan = &plans[1]}};
		char *text = draw(panels, 2), contention[32];
		(void)snprintf(contention, sizeof contention, "contention %u<", loom_plan_contention(&plans[0]));
		assert_non_null(strstr(text, contention));
		if (strlen(text) > 300000)
			fail_msg("%zu bytes for %s", strlen(text), fabric);
		free(text);
		for (size_t i = 0; i < 2; i++)
			loom_plan_free(&plans[i]);
		loom_pattern_free(&pattern);
	}
}

// --- Multistage networks -------------------------------------------------------------------------------------------

static void make_plan(struct loom_plan *out, const char *fabric, const char *spec, const char *planner)
{
	struct loom_topo topo;
	struct loom_pattern pattern;
	struct loom_err err = {0};
	const struct loom_pattern_options options = {.flits = 5, .seed = 1};
	const struct loom_plan_options plan_options = {.planner = planner};
	assert_int_equal(loom_topo_parse(&topo, fabric, NULL), 0);
	if (loom_pattern_parse(&pattern, spec, topo.n_nodes, &options, &err) != 0 ||
	    loom_plan_make(out, &topo, &pattern, &plan_options, &err) != 0)
		fail_msg("%s %s: %s", fabric, spec, err.text);
	loom_pattern_free(&pattern);
}

// Every switch and every wire is drawn once, the red ones are the channels which the plan loads with more than one.
static void test_svg_of_networks(void **state)
{
	(void)state;
	static const char *const fabrics[] = {"baseline:8",   "omega:16", "icube:8",
	                                      "rbaseline:64", "romega:8", "ricube:2"};
	for (size_t f = 0; f < sizeof fabrics / sizeof fabrics[0]; f++) {
		struct loom_plan plan;
		make_plan(&plan, fabrics[f], "bit-reverse", "direct");
		const struct loom_panel panel = {.title = "it", .plan = &plan};
		char *text = draw(&panel, 1);
		size_t n_red = 0, n = plan.topo.n_nodes, m = plan.topo.label_bits;
		for (uint32_t c = 0; c < loom_topo_channels(&plan.topo); c++)
			n_red += plan.load[c] > 1 && !loom_topo_is_local(&plan.topo, c);
		assert_int_equal(svg_count(text, "<title>stage ") - svg_count(text, " line "), m * n / 2);
		assert_int_equal(svg_count(text, "</title></path>"), n * (m + 1));
		assert_int_equal(svg_count(text, ": 2</title></path>") + svg_count(text, ": 4</title></path>") +
		                         svg_count(text, ": 8</title></path>"),
		                 n_red);
		assert_int_equal(svg_count(text, "<circle"), n <= 16 ? n_red : 0);
		free(text);
		loom_plan_free(&plan);
	}
}

static void test_svg_pass(void **state)
{
	(void)state;
	struct loom_plan plan;
	const uint32_t second = 1, ninth = 9;
	struct loom_err err = {0};

	// Both passes, one of them backward; or the one that is wanted.
	make_plan(&plan, "benes:8", "bit-reverse", NULL);
	struct loom_panel panel = {.title = "it", .plan = &plan};
	char *text = draw(&panel, 1);
	assert_int_equal(svg_count(text, "it, pass 0 of 0 to 1, backward (inverse omega)"), 1);
	assert_int_equal(svg_count(text, "it, pass 1 of 0 to 1, forward (omega)"), 1);
	free(text);
	panel.pass = &second;
	text = draw(&panel, 1);
	assert_int_equal(svg_count(text, "backward"), 0);
	assert_int_equal(svg_count(text, "forward (omega)"), 1);
	free(text);
	panel.pass = &ninth;
	assert_int_equal(loom_report_svg(path_of("it.svg"), &panel, 1, &err), LOOM_EINPUT);
	assert_non_null(strstr(err.text, "no pass 9"));
	loom_plan_free(&plan);

	// What was measured rules: in a conflict-free run a channel carried three in pass 2, and two did in pass 5.
	make_plan(&plan, "omega:8", "all-to-all", NULL);
	uint32_t n_channels = loom_topo_channels(&plan.topo);
	struct loom_count *counts = calloc((size_t)plan.n_passes * n_channels, sizeof *counts);
	struct loom_arrival arrivals[] = {{.pass = 0, .last_cycle = 8}, {.pass = 7, .last_cycle = 43}};
	struct loom_trace trace = {.n_nodes = 8,
	                           .n_channels = n_channels,
	                           .n_passes = 8,
	                           .n_arrivals = 2,
	                           .arrivals = arrivals,
	                           .counts = counts};
	assert_non_null(counts);
	for (size_t i = 0; i < (size_t)plan.n_passes * n_channels; i++)
		counts[i].worms = plan.load[i];
	counts[2 * n_channels + 9].worms = 3;
	counts[5 * n_channels + 4].worms = 3; // line 1 behind stage 0
	counts[5 * n_channels + 8].worms = 2; // and line 2
	panel = (struct loom_panel){.title = "it", .plan = &plan, .trace = &trace};
	text = draw(&panel, 1);
	assert_int_equal(svg_count(text, "it, pass 5 of 0 to 7"), 1);
	assert_int_equal(svg_count(text, "<circle"), 2);
	assert_int_equal(svg_count(text, "stage 0 line 1: 3</title></path>"), 1);
	assert_int_equal(svg_count(text, "stage 0 line 2: 2</title></path>"), 1);
	assert_int_equal(svg_count(text, ">at most 3<"), 1);
	assert_int_equal(svg_count(text, ">at most 1<"), 2);
	assert_int_equal(svg_count(text, ">2 of 8<"), 1);
	assert_int_equal(svg_count(text, ">43 cycles in all"), 1); // counted through, not 8 + 43
	free(text);
	free(counts);
	loom_plan_free(&plan);

	make_plan(&plan, "omega:512", "random-perm", "direct"); // no names
	panel = (struct loom_panel){.title = "it", .plan = &plan};
	text = draw(&panel, 1);
	assert_int_equal(svg_count(text, "</title></path>"), 0);
	assert_int_equal(svg_count(text, "<rect"), 9 * 256 + 2);
	free(text);
	loom_plan_free(&plan);
}

// All permutations of 4 nodes: one that passes loads no channel twice, and the two that do not have one in common.
static void test_admissible(void **state)
{
	(void)state;
	static const char *const fabrics[] = {"baseline:4",  "omega:4",  "icube:4",
	                                      "rbaseline:4", "romega:4", "ricube:4"};
	for (size_t f = 0; f < sizeof fabrics / sizeof fabrics[0]; f++) {
		unsigned n_passing = 0;
		for (unsigned code = 0; code < 256; code++) {
			char spec[32];
			struct loom_plan plan;
			struct loom_report_admissible a;
			unsigned to[4] = {code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6}, seen = 0;
			for (unsigned x = 0; x < 4; x++)
				seen |= 1u << to[x];
			if (seen != 15)
				continue;
			(void)snprintf(spec, sizeof spec, "perm:%u,%u,%u,%u", to[0], to[1], to[2], to[3]);
			make_plan(&plan, fabrics[f], spec, "direct");
			assert_int_equal(loom_report_admissible_make(&a, &plan, NULL), 0);
			assert_true(a.asked);
			assert_int_equal(a.passes, loom_plan_contention(&plan) == 1);
			n_passing += a.passes;
			uint32_t route[2][8];
			for (unsigned i = 0; !a.passes && i < 2; i++) {
				const struct loom_plan_message *m = &plan.messages[a.message[i]];
				(void)route_of(route[i], 8, &plan.topo, m->source, m->destination, LOOM_RULE_ASCENDING);
			}
			if (!a.passes)
				assert_int_equal(route[0][a.stage + 1], route[1][a.stage + 1]);
			if (!a.passes) {
				assert_int_equal(a.line / 2, a.the_switch);
				assert_true(plan.messages[a.message[0]].source < plan.messages[a.message[1]].source);
			}
			loom_report_admissible_free(&a);
			loom_plan_free(&plan);
		}
		assert_int_equal(n_passing, 16); // 4 switches
	}
	struct loom_plan plan;
	struct loom_report_admissible a;
	static const char *const unasked[][2] = {
		{"cube:3", "bit-reverse"}, {"omega:8", "hotspot:1"}, {"omega:8", "fft"}};
	for (size_t i = 0; i < sizeof unasked / sizeof unasked[0]; i++) {
		make_plan(&plan, unasked[i][0], unasked[i][1], "direct");
		assert_int_equal(loom_report_admissible_make(&a, &plan, NULL), 0);
		assert_false(a.asked);
		loom_report_admissible_free(&a);
		loom_plan_free(&plan);
	}
}

static size_t n_files(void)
{
	size_t n = 0;
	DIR *dir = opendir(folder);
	assert_non_null(dir);
	for (const struct dirent *entry; (entry = readdir(dir));)
		n += entry->d_name[0] != '.';
	(void)closedir(dir);
	return n;
}

static void test_svg_never_half(void **state)
{
	(void)state;
	struct hand h;
	struct loom_err err = {0};
	by_hand(&h);
	const struct loom_panel panel = {.title = "one", .plan = &h.plan, .trace = &h.trace};
	char *before = draw(&panel, 1);
	size_t n = n_files();

	assert_int_equal(loom_report_svg(path_of("no/such/it.svg"), &panel, 1, &err), LOOM_EFILE);
	assert_non_null(strstr(err.text, "no/such/it.svg"));
	assert_int_equal(loom_report_svg(folder, &panel, 1, &err), LOOM_EFILE);
	if (access("/dev/full", W_OK) == 0)
		assert_int_equal(loom_report_svg("/dev/full", &panel, 1, &err), LOOM_EFILE);

	// The disk is full, as it were, after 1000 bytes.
	struct rlimit limit, small;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	small = (struct rlimit){.rlim_cur = 1000, .rlim_max = limit.rlim_max};
	void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	int rc = loom_report_svg(path_of("it.svg"), &panel, 1, &err);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	(void)signal(SIGXFSZ, handler);
	assert_int_equal(rc, LOOM_EFILE);
	char *after = svg_slurp(path_of("it.svg"));
	assert_string_equal(before, after);
	assert_int_equal(n_files(), n); // no temporary left

	h.trace.n_passes = 1;
	assert_int_equal(loom_report_svg(path_of("it.svg"), &panel, 1, &err), LOOM_EINTERNAL);
	assert_int_equal(n_files(), n);

	// A link stays a link, a file keeps its mode.
	h.trace.n_passes = 2;
	char target[128];
	struct stat it;
	(void)snprintf(target, sizeof target, "%s", path_of("it.svg"));
	assert_int_equal(chmod(target, 0640), 0);
	assert_int_equal(symlink("it.svg", path_of("link.svg")), 0);
	assert_int_equal(loom_report_svg(path_of("link.svg"), &panel, 1, &err), 0);
	assert_int_equal(lstat(path_of("link.svg"), &it), 0);
	assert_true(S_ISLNK(it.st_mode));
	assert_int_equal(stat(target, &it), 0);
	assert_int_equal(it.st_mode & 0777, 0640);
	free(after);
	free(before);
}

static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	(void)state;
	(void)unlink(path_of("link.svg"));
	(void)unlink(path_of("it.svg"));
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_json_other_shapes),
		cmocka_unit_test(test_json_lost),
		cmocka_unit_test(test_table_lost),
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_table_crowded),
		cmocka_unit_test(test_svg),
		cmocka_unit_test(test_svg_of_cubes),
		cmocka_unit_test(test_svg_of_networks),
		cmocka_unit_test(test_svg_pass),
		cmocka_unit_test(test_admissible),
		cmocka_unit_test(test_svg_never_half),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
