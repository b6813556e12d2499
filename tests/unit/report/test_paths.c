// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The picture of one pass's paths on direct networks, read back: every message of the pass has its line, and it goes from box
// to box as its route does. And which picture is the usual one.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "unit/help/networks.h"
#include "unit/help/pictures.h"
#include "unit/help/random_plans.h"
#include "unit/help/svg_checks.h"

struct box {
	double left, top, right, bottom;
};

struct point {
	double x, y;
};

enum { POINTS_MAX = 256 };

static struct box *read_boxes(uint32_t n, const char *text)
{
	struct box *out = calloc(n, sizeof *out);
	assert_non_null(out);
	assert_int_equal(svg_count(text, "<title>node "), n);
	for (uint32_t node = 0; node < n; node++) {
		char title[48];
		(void)snprintf(title, sizeof title, "><title>node %" PRIu32 "</title></rect>", node);
		const char *at = strstr(text, title);
		assert_non_null(at);
		while (strncmp(at, "<rect ", 6) != 0)
			at--;
		double x = svg_attribute(at, "x"), y = svg_attribute(at, "y"), side = svg_attribute(at, "width");
		out[node] = (struct box){x, y, x + side, y + side};
	}
	return out;
}

// Reads the points through which the path goes, without those that bend its curves.
static size_t read_points(struct point out[POINTS_MAX], const char *path)
{
	const char *at = strstr(path, " d=\"") + 4;
	size_t n = 0;
	while (*at != '"') {
		char command = *at++, *rest;
		assert_true(command == 'M' || command == 'L' || command == 'Q');
		for (unsigned pair = 0; pair < (command == 'Q' ? 2 : 1); pair++) {
			assert_true(n < POINTS_MAX);
			out[n].x = strtod(at, &rest);
			out[n].y = strtod(rest, &rest);
			at = rest + (*rest == ' ');
		}
		n++;
	}
	return n;
}

// Lanes of diagonal links begin a little aside of the corner.
static bool is_at(const struct box *box, struct point p)
{
	double room = 0.2 * (box->right - box->left);
	return p.x > box->left - room && p.x < box->right + room && p.y > box->top - room && p.y < box->bottom + room;
}

// From the source, into and out of every node on the way, to the destination. What leaves at an edge is outside for two points.
static void check_path(const char *text, const struct loom_plan *plan, size_t message, const struct box *boxes)
{
	const struct loom_plan_message *m = &plan->messages[message];
	uint32_t at = plan->map[m->source], destination = plan->map[m->destination], channel,
		 per_tile = loom_topo_channels_per_tile(&plan->topo), length = 0;
	struct loom_route route;
	struct point points[POINTS_MAX];
	char title[64];
	(void)snprintf(title, sizeof title, "<title>message %zu: node %" PRIu32 " to %" PRIu32 ", ", message, at,
	               destination);
	const char *path = strstr(text, title);
	assert_non_null(path);
	assert_int_equal(svg_count(text, title), 1);
	length = (uint32_t)strtoul(path + strlen(title), NULL, 10);
	while (strncmp(path, "<path ", 6) != 0)
		path--;
	size_t n = read_points(points, path), k = 0;
	assert_true(is_at(&boxes[at], points[k++]));
	loom_plan_route_begin(&route, plan, message);
	while (loom_route_next(&route, &channel)) {
		uint32_t v;
		unsigned q;
		if (loom_topo_is_local(&plan->topo, channel))
			continue;
		assert_true(plan->topo.kind->link(&plan->topo, at, channel % per_tile, &v, &q));
		assert_true(is_at(&boxes[at], points[k]) && is_at(&boxes[at], points[k + 1]));
		k += 2;
		at = v;
		length--;
		k += is_at(&boxes[at], points[k]) ? 0 : 2;
		assert_true(is_at(&boxes[at], points[k++]));
	}
	assert_int_equal(length, 0);
	assert_true(is_at(&boxes[destination], points[k++]));
	assert_int_equal(k, n);
}

static void check_pass(const struct loom_plan *plan, uint32_t pass, const struct loom_trace *trace)
{
	const struct loom_panel panel = {.plan = plan, .trace = trace, .pass = &pass};
	char *text = picture_draw(LOOM_PICTURE_PATHS, &panel, 1);
	struct box *boxes = read_boxes(plan->topo.n_nodes, text);
	size_t n = 0, n_conflicts = 0;
	for (size_t i = 0; i < plan->n_messages; i++) {
		if (plan->messages[i].pass != pass || !loom_plan_uses_network(plan, &plan->messages[i]))
			continue;
		check_path(text, plan, i, boxes);
		n++;
	}
	for (uint32_t u = 0; u < plan->topo.n_nodes; u++) // no two boxes overlap
		for (uint32_t v = 0; v < u; v++)
			assert_true(boxes[u].right < boxes[v].left || boxes[v].right < boxes[u].left ||
			            boxes[u].bottom < boxes[v].top || boxes[v].bottom < boxes[u].top);
	assert_int_equal(svg_count(text, "<title>message "), n);
	assert_int_equal(svg_count(text, "<circle "), 2 * n);
	for (uint32_t c = 0; c < loom_topo_channels(&plan->topo); c++)
		n_conflicts += !loom_topo_is_local(&plan->topo, c) &&
		               plan->load[(size_t)pass * loom_topo_channels(&plan->topo) + c] > 1;
	assert_int_equal(svg_count(text, " messages</title></path>") + svg_count(text, " messages; headers wait"),
	                 n_conflicts);
	free(boxes);
	free(text);
}

static void test_direct(void **state)
{
	(void)state;
	static const struct {
		const char *fabric, *spec, *planner;
	} cases[] = {{"line:7", "random-perm", "line"},       {"line:40", "random-perm", "line"},
	             {"ring:2", "complement", "greedy"},      {"ring:12", "random-perm", "ring"},
	             {"mesh:5x4", "uniform:30", "greedy"},    {"mesh:8x8", "transpose", "direct"},
	             {"torus:4x4", "random-perm", "greedy"},  {"torus:2x2", "random-perm", "greedy"},
	             {"cube:1", "complement", NULL},          {"cube:3", "random-perm", "greedy"},
	             {"cube:6", "random-perm", "two_pass"},   {"mesh:3x3x3", "random-perm", "mesh"},
	             {"torus:3x3x3", "uniform:40", "greedy"}, {"mesh:4x4", "transpose", "block"},
	             {"torus:4x5", "uniform:30", "reroute"}};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct loom_plan plan;
		struct loom_trace trace;
		picture_plan(&plan, cases[i].fabric, cases[i].spec, cases[i].planner, i + 1);
		flawless_trace(&trace, &plan, LOOM_MACHINE_FAST);
		for (uint32_t pass = 0; pass < plan.n_passes && pass < 3; pass++) {
			check_pass(&plan, pass, NULL);
			check_pass(&plan, pass, &trace);
		}
		loom_trace_free(&trace);
		loom_plan_free(&plan);
	}
}

// Without a pass the worst one; what was measured and is not planned is drawn, in ink.
static void test_worst_and_unplanned(void **state)
{
	(void)state;
	struct loom_plan plan;
	struct loom_trace trace;
	picture_plan(&plan, "mesh:3x3", "uniform:30", "greedy", 2);
	uint32_t n_channels = loom_topo_channels(&plan.topo), idle = 0;
	flawless_trace(&trace, &plan, LOOM_MACHINE_FAST);
	assert_true(plan.n_passes > 2);
	while (loom_topo_is_local(&plan.topo, idle) || !loom_topo_channel_exists(&plan.topo, idle) ||
	       plan.load[2 * n_channels + idle] > 0)
		idle++;
	struct loom_panel panel = {.plan = &plan, .trace = &trace};
	trace.counts[2 * n_channels + idle].worms = 1;
	const uint32_t pass = 2;
	panel.pass = &pass;
	char *text = picture_draw(LOOM_PICTURE_PATHS, &panel, 1);
	assert_int_equal(svg_count(text, "<path stroke=\"#1d2530\""), 1);
	free(text);
	trace.counts[2 * n_channels + idle].worms = 3;
	panel.pass = NULL;
	text = picture_draw(LOOM_PICTURE_PATHS, &panel, 1);
	char title[48];
	(void)snprintf(title, sizeof title, ">pass 2 of 0 to %" PRIu32 "<", plan.n_passes - 1);
	assert_int_equal(svg_count(text, title), 1);
	assert_int_equal(svg_count(text, ": 3 messages</title>"), 1);
	free(text);
	loom_trace_free(&trace);
	loom_plan_free(&plan);
}

// Paths where a pass is chosen and on multistage networks, else loads.
static void test_usual(void **state)
{
	(void)state;
	const uint32_t pass = 0;
	static const char *const fabrics[] = {"mesh:4x4", "cube:4", "omega:8"};
	for (size_t i = 0; i < 3; i++) {
		struct loom_plan plan;
		picture_plan(&plan, fabrics[i], "random-perm", "greedy", 1);
		const struct loom_panel whole = {.plan = &plan}, one = {.plan = &plan, .pass = &pass};
		char *usual = picture_draw(LOOM_PICTURE_USUAL, &whole, 1),
		     *same = picture_draw(i == 2 ? LOOM_PICTURE_PATHS : LOOM_PICTURE_LOADS, &whole, 1);
		assert_string_equal(usual, same);
		free(usual);
		free(same);
		usual = picture_draw(LOOM_PICTURE_USUAL, &one, 1);
		same = picture_draw(LOOM_PICTURE_PATHS, &one, 1);
		assert_string_equal(usual, same);
		free(same);
		same = picture_draw(LOOM_PICTURE_LOADS, &one, 1);
		assert_string_not_equal(usual, same);
		free(usual);
		free(same);
		loom_plan_free(&plan);
	}
}

// The last line says all that a picture needs to have said, and keeps the margin on both sides however narrow the picture is: here
// there is not room for all of it.
static void test_legend_keeps_margin(void **state)
{
	(void)state;
	static const char *const fabrics[] = {"torus:3x3", "torus:3x2", "ring:9"};
	static const char *const maps[] = {"8,7,6,5,4,3,2,1,0", "5,4,3,2,1,0", "8,7,6,5,4,3,2,1,0"};
	for (size_t i = 0; i < sizeof fabrics / sizeof fabrics[0]; i++) {
		struct loom_plan plan;
		plan_on(&plan, fabrics[i], "random-perm", "direct", maps[i], 5, 1);
		plan.messages[0].destination = plan.messages[0].source;
		const struct loom_panel panel = {.plan = &plan};
		char *text = picture_draw(LOOM_PICTURE_PATHS, &panel, 1);
		const char *words = strstr(text, ">What leaves at an edge comes in at another. Messages to oneself");
		assert_non_null(words);
		while (strncmp(words, "<text ", 6) != 0)
			words--;
		double x = svg_attribute(words, "x"), width = svg_attribute(strstr(text, "<svg"), "width");
		if (x + svg_text_width(words) > width - x)
			fail_msg("%s: %.0f + %.0f of %.0f: %.300s", fabrics[i], x, svg_text_width(words), width, words);
		free(text);
		loom_plan_free(&plan);
	}
}

static void test_too_large(void **state)
{
	(void)state;
	struct loom_plan plan;
	const uint32_t pass = 0;
	picture_plan(&plan, "cube:13", "complement", "direct", 1);
	const struct loom_panel panel = {.plan = &plan, .pass = &pass};
	picture_refused(LOOM_PICTURE_PATHS, &panel, "paths of 8192 nodes could not be told apart; of 4096 at most");
	free(picture_draw(LOOM_PICTURE_USUAL, &panel, 1));
	loom_plan_free(&plan);
	picture_plan(&plan, "cube:12", "complement", "direct", 1);
	char *text = picture_draw(LOOM_PICTURE_PATHS, &(struct loom_panel){.plan = &plan}, 1);
	assert_int_equal(svg_count(text, "<title>message "), 4096);
	free(text);
	loom_plan_free(&plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_direct),    cmocka_unit_test(test_worst_and_unplanned),
		cmocka_unit_test(test_usual),     cmocka_unit_test(test_legend_keeps_margin),
		cmocka_unit_test(test_too_large),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
