// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Pictures of an OTIS-Mesh: the moves step by step, with and without the animation; channels and paths on the blocks.
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "unit/help/otis_plans.h"
#include "unit/help/pictures.h"
#include "unit/help/svg_checks.h"

struct point {
	double x, y;
};

// Returns the middle of the node's box.
static struct point box_of(const char *text, unsigned node)
{
	char title[48];
	(void)snprintf(title, sizeof title, "<title>node %u</title>", node);
	const char *at = strstr(text, title);
	assert_non_null(at);
	while (strncmp(at, "<rect", 5) != 0)
		at--;
	return (struct point){svg_attribute(at, "x") + svg_attribute(at, "width") / 2,
	                      svg_attribute(at, "y") + svg_attribute(at, "height") / 2};
}

static bool is_near(struct point a, struct point b)
{
	return fabs(a.x - b.x) < 0.3 && fabs(a.y - b.y) < 0.3;
}

// A dot's animation: as many moments as places, from 0 to 1 without a step back, and in the end where it is to be.
static void check_track(const char *circle, const char *end, struct point home, struct point to)
{
	const char *times = strstr(circle, "keyTimes=\""), *values = strstr(circle, "values=\"");
	assert_true(times && values && times < end && values < end);
	times += strlen("keyTimes=\"");
	values += strlen("values=\"");
	double before = 0, moment = strtod(times, NULL);
	struct point at = home;
	assert_true(moment == 0);
	for (;;) {
		char *next;
		moment = strtod(times, &next);
		assert_true(moment >= before && moment <= 1);
		before = moment;
		times = next;
		at.x = home.x + strtod(values, &next);
		at.y = home.y + strtod(next, &next);
		values = next;
		assert_int_equal(*times, *values); // ; or the closing quote
		if (*times != ';')
			break;
		times++;
		values++;
	}
	assert_true(before == 1);
	assert_true(is_near(at, to));
}

static void test_animation(void **state)
{
	(void)state;
	struct loom_plan plan;
	otis_plan_of_hops(&plan, "otis-mesh:4", otis_five, OTIS_FIVE);
	char *text = picture_draw(LOOM_PICTURE_MOVES, &(struct loom_panel){.plan = &plan}, 1);
	assert_int_equal(svg_count(text, "<circle"), 2);
	assert_int_equal(svg_count(text, "<animateTransform"), 2);
	unsigned n = 0;
	for (const char *c = strstr(text, "<circle"); c; c = strstr(c + 1, "<circle"), n++) {
		unsigned from, to;
		struct point home = {svg_attribute(c, "cx"), svg_attribute(c, "cy")};
		assert_int_equal(sscanf(strstr(c, "<title>"), "<title>from %u to %u<", &from, &to), 2);
		assert_int_equal(from, otis_five_items[n].source);
		assert_int_equal(to, otis_five_items[n].destination);
		assert_true(is_near(home, box_of(text, from)));
		check_track(c, strstr(c, "</circle>"), home, box_of(text, to));
	}
	static const char *const steps[] = {">5 steps: where the items begin<",
	                                    ">step 1 of 5: \xe2\x86\x92 right<",
	                                    ">step 2 of 5: \xe2\x86\x93 down<",
	                                    ">step 3 of 5: light<",
	                                    ">step 4 of 5: \xe2\x86\x92 right<",
	                                    ">step 5 of 5: \xe2\x86\x93 down<",
	                                    ">every item is where it was to go<",
	                                    "<title>step 3 of 5: light</title>",
	                                    "<title>group 3</title>"};
	for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
		if (!strstr(text, steps[i]))
			fail_msg("no %s", steps[i]);
	assert_null(strstr(text, "<script"));
	free(text);
	loom_plan_free(&plan);
}

// Without animation a picture shows everything that stands still and nothing that an animation shows later.
static void test_stands_still(void **state)
{
	(void)state;
	struct loom_plan plan;
	otis_plan_of_hops(&plan, "otis-mesh:4", otis_five, OTIS_FIVE);
	const struct loom_panel panel = {.plan = &plan};
	char *text = picture_draw(LOOM_PICTURE_MOVES, &panel, 1);
	assert_int_equal(svg_count(text, "<g opacity=\"0\">"), 6);   // five steps and the end
	assert_int_equal(svg_count(text, "opacity=\"0\" d=\"M"), 5); // their links
	free(text);

	// One pass: no animation, the items where they are before it.
	uint32_t pass = 2;
	const struct loom_panel one = {.plan = &plan, .pass = &pass};
	text = picture_draw(LOOM_PICTURE_USUAL, &one, 1);
	assert_int_equal(svg_count(text, "<animate"), 0);
	assert_non_null(strstr(text, ">step 3 of 5: light<"));
	assert_int_equal(svg_count(text, "opacity=\"0.8\""), 1);
	const char *c = strstr(text, "<circle");
	assert_true(is_near((struct point){svg_attribute(c, "cx"), svg_attribute(c, "cy")}, box_of(text, 3)));
	c = strstr(c + 1, "<circle");
	assert_true(is_near((struct point){svg_attribute(c, "cx"), svg_attribute(c, "cy")}, box_of(text, 7)));
	free(text);
	loom_plan_free(&plan);
}

// With a trace the links of a step are those that were counted.
static void test_measured(void **state)
{
	(void)state;
	struct loom_plan plan;
	otis_plan_of_hops(&plan, "otis-mesh:4", otis_five, OTIS_FIVE);
	struct loom_trace trace = {.n_nodes = 16, .n_channels = loom_topo_channels(&plan.topo), .n_passes = 5};
	trace.counts = calloc((size_t)5 * trace.n_channels, sizeof *trace.counts);
	assert_non_null(trace.counts);
	trace.counts[0 * trace.n_channels + 1 * 7 + 1].worms = 1; // -x of node 1 in pass 0
	char *text = picture_draw(LOOM_PICTURE_USUAL, &(struct loom_panel){.plan = &plan, .trace = &trace}, 1);
	assert_non_null(strstr(text, ">step 1 of 5: \xe2\x86\x90 left<"));
	assert_non_null(strstr(text, ">step 2 of 5: nothing moves<"));
	free(text);
	free(trace.counts);
	loom_plan_free(&plan);
}

static void test_choice(void **state)
{
	(void)state;
	struct loom_plan plan;
	otis_plan_of_hops(&plan, "otis-mesh:4", otis_five, OTIS_FIVE);
	const struct loom_panel moves = {.plan = &plan};
	char *text = picture_draw(LOOM_PICTURE_USUAL, &moves, 1);
	assert_non_null(strstr(text, "<animateTransform"));
	free(text);
	text = picture_draw(LOOM_PICTURE_LOADS, &moves, 1);
	assert_null(strstr(text, "<animate"));
	assert_int_equal(svg_count(text, "<title>group "), 4);
	assert_int_equal(svg_count(text, "(optical): "), 12); // a title each
	assert_int_equal(svg_count(text, "Q"), 12);           // and an arc
	free(text);
	loom_plan_free(&plan);

	picture_plan(&plan, "otis-mesh:4v2", "random-perm", "direct", 1);
	const struct loom_panel worms = {.plan = &plan};
	picture_refused(LOOM_PICTURE_MOVES, &worms, "no plan of moves");
	text = picture_draw(LOOM_PICTURE_USUAL, &worms, 1);
	assert_int_equal(svg_count(text, "<title>group "), 4);
	assert_int_equal(svg_count(text, "(+x): "), 8);
	free(text);
	free(picture_draw(LOOM_PICTURE_PATHS, &worms, 1));
	loom_plan_free(&plan);

	picture_plan(&plan, "otis-mesh:64v2", "transpose", "direct", 1); // one move, but too many nodes
	const struct loom_panel large = {.plan = &plan};
	picture_refused(LOOM_PICTURE_MOVES, &large, "up to 16 groups");
	free(picture_draw(LOOM_PICTURE_USUAL, &large, 1));
	loom_plan_free(&plan);
	picture_plan(&plan, "mesh:4x4", "identity", "direct", 1);
	picture_refused(LOOM_PICTURE_MOVES, &(struct loom_panel){.plan = &plan}, "no plan of moves");
	loom_plan_free(&plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_animation),
		cmocka_unit_test(test_stands_still),
		cmocka_unit_test(test_measured),
		cmocka_unit_test(test_choice),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
