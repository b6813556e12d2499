// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Reports as pictures, of networks without coordinates.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include <flitloom/report.h>

#include "report/report_admissible.h"
#include "unit/help/report_by_hand.h"
#include "unit/help/routes.h"
#include "unit/help/scratch_folder.h"
#include "unit/help/svg_checks.h"

static char *draw(const struct loom_panel *panels, size_t n)
{
	struct loom_err err = {0};
	if (loom_report_picture(scratch_path("it.svg"), LOOM_PICTURE_USUAL, panels, n, &err) != 0)
		fail_msg("%s", err.text);
	char *text = svg_slurp(scratch_path("it.svg"));
	svg_check(text);
	return text;
}

static void test_svg(void **state)
{
	(void)state;
	struct hand h;
	report_by_hand(&h);
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
		size_t n_named = 0;
		for (unsigned load = 2; load <= 8; load *= 2) {
			char waits[40], none[40];
			(void)snprintf(waits, sizeof waits, ": %u; headers wait ", load);
			(void)snprintf(none, sizeof none, ": %u</title></path>", load);
			n_named += svg_count(text, waits) + svg_count(text, none);
		}
		assert_int_equal(n_named, n_red);
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
	assert_int_equal(loom_report_picture(scratch_path("it.svg"), LOOM_PICTURE_USUAL, &panel, 1, &err), LOOM_EINPUT);
	assert_non_null(strstr(err.text, "no pass 9"));
	assert_int_equal(loom_report_picture_check("no/such/it.svg", LOOM_PICTURE_USUAL, &panel, 1, &err), LOOM_EINPUT);
	assert_string_equal(err.text, "no/such/it.svg: there is no pass 9 to draw; the plan has 2");
	panel.pass = &second;
	assert_int_equal(loom_report_picture_check("no/such/it.svg", LOOM_PICTURE_USUAL, &panel, 1, &err), 0);
	assert_int_equal(loom_report_picture_check("it.svg", LOOM_PICTURE_MOVES, &panel, 1, NULL), LOOM_EINPUT);
	loom_plan_free(&plan);

	// Measured counts replace planned ones: in a conflict-free run a channel carried three in pass 2, and two did in pass 5.
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

// The legend has room for its words, however few groups a single panel has.
static void test_legend_is_whole(void **state)
{
	(void)state;
	static const char *const fabrics[] = {"cube:1", "cube:3", "mesh:2x2x2", "ring:3", "torus:3x3x3"};
	for (size_t i = 0; i < sizeof fabrics / sizeof fabrics[0]; i++) {
		struct loom_plan plan;
		make_plan(&plan, fabrics[i], "uniform:20", "greedy");
		const struct loom_panel panel = {.plan = &plan};
		char *text = draw(&panel, 1);
		if (strstr(text, "Each square is one channel")) // a picture by groups
			assert_non_null(strstr(
				text, "The bar below a group shows which share of its channels bears which load.<"));
		assert_null(strstr(text, "\xe2\x80\xa6"));
		free(text);
		loom_plan_free(&plan);
	}
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

static void test_svg_never_half(void **state)
{
	(void)state;
	struct hand h;
	struct loom_err err = {0};
	report_by_hand(&h);
	const struct loom_panel panel = {.title = "one", .plan = &h.plan, .trace = &h.trace};
	char *before = draw(&panel, 1);
	size_t n = scratch_files();

	assert_int_equal(loom_report_picture(scratch_path("no/such/it.svg"), LOOM_PICTURE_USUAL, &panel, 1, &err),
	                 LOOM_EFILE);
	assert_non_null(strstr(err.text, "no/such/it.svg"));
	assert_int_equal(loom_report_picture(scratch_folder(), LOOM_PICTURE_USUAL, &panel, 1, &err), LOOM_EFILE);
	if (access("/dev/full", W_OK) == 0)
		assert_int_equal(loom_report_picture("/dev/full", LOOM_PICTURE_USUAL, &panel, 1, &err), LOOM_EFILE);

	// A limit of 1000 bytes acts as a full disk.
	struct rlimit limit, small;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	small = (struct rlimit){.rlim_cur = 1000, .rlim_max = limit.rlim_max};
	void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	int rc = loom_report_picture(scratch_path("it.svg"), LOOM_PICTURE_USUAL, &panel, 1, &err);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	(void)signal(SIGXFSZ, handler);
	assert_int_equal(rc, LOOM_EFILE);
	char *after = svg_slurp(scratch_path("it.svg"));
	assert_string_equal(before, after);
	assert_int_equal(scratch_files(), n); // no temporary left

	h.trace.n_passes = 1;
	assert_int_equal(loom_report_picture(scratch_path("it.svg"), LOOM_PICTURE_USUAL, &panel, 1, &err),
	                 LOOM_EINTERNAL);
	assert_int_equal(scratch_files(), n);

	// A link stays a link, a file keeps its mode.
	h.trace.n_passes = 2;
	char target[128];
	struct stat it;
	(void)snprintf(target, sizeof target, "%s", scratch_path("it.svg"));
	assert_int_equal(chmod(target, 0640), 0);
	assert_int_equal(symlink("it.svg", scratch_path("link.svg")), 0);
	assert_int_equal(loom_report_picture(scratch_path("link.svg"), LOOM_PICTURE_USUAL, &panel, 1, &err), 0);
	assert_int_equal(lstat(scratch_path("link.svg"), &it), 0);
	assert_true(S_ISLNK(it.st_mode));
	assert_int_equal(stat(target, &it), 0);
	assert_int_equal(it.st_mode & 0777, 0640);
	free(after);
	free(before);
}

static int remove_pictures(void **state)
{
	(void)unlink(scratch_path("link.svg"));
	(void)unlink(scratch_path("it.svg"));
	return scratch_remove(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_svg),
		cmocka_unit_test(test_svg_of_cubes),
		cmocka_unit_test(test_svg_of_networks),
		cmocka_unit_test(test_svg_pass),
		cmocka_unit_test(test_admissible),
		cmocka_unit_test(test_legend_is_whole),
		cmocka_unit_test(test_svg_never_half),
	};
	return cmocka_run_group_tests(tests, scratch_make, remove_pictures);
}
