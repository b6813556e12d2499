// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The picture of a direct network of one or two dimensions, read back: what lies where, and in which colour.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/report.h>

#include "unit/help/grid_picture.h"
#include "unit/help/hex.h"
#include "unit/help/pictures.h"
#include "report/report_colour.h"
#include "report/report_svg_layout.h"
#include "report/report_text.h"
#include "unit/help/svg_checks.h"
#include "topo/topo_direct.h"
#include "topo/topo_kinds.h"

// --- Networks ------------------------------------------------------------------------------------------------------

static void plan_on(struct loom_plan *out, const struct loom_topo *topo, const char *spec, const char *planner)
{
	struct loom_pattern pattern;
	struct loom_err err = {0};
	const struct loom_pattern_options options = {.flits = 5, .seed = 1};
	const struct loom_plan_options plan_options = {.planner = planner};
	if (loom_pattern_parse(&pattern, spec, topo->n_nodes, &options, &err) != 0 ||
	    loom_plan_make(out, topo, &pattern, &plan_options, &err) != 0)
		fail_msg("%s %s: %s", topo->name, spec, err.text);
	loom_pattern_free(&pattern);
}

static void make_plan(struct loom_plan *out, const char *fabric, const char *spec, const char *planner)
{
	struct loom_topo topo;
	assert_int_equal(loom_topo_parse(&topo, fabric, NULL), 0);
	plan_on(out, &topo, spec, planner);
}

// The picture shows loads, whatever messages they come from.
static void load_at_random(struct loom_plan *plan, uint32_t most)
{
	uint32_t seed = plan->topo.n_nodes + most;
	for (uint32_t c = 0; c < loom_topo_channels(&plan->topo); c++) {
		seed = seed * 1664525 + 1013904223;
		if (!loom_topo_is_local(&plan->topo, c) && loom_topo_channel_exists(&plan->topo, c))
			plan->load[c] = (seed >> 12) % (most + 1);
	}
}

static void check_shape(const struct grid_shape *s, uint32_t most)
{
	char fabric[32];
	struct loom_plan plan;
	if (s->rows)
		(void)snprintf(fabric, sizeof fabric, "%s:%" PRIu32 "x%" PRIu32, s->kind, s->rows, s->columns);
	else
		(void)snprintf(fabric, sizeof fabric, "%s:%" PRIu32, s->kind, s->columns);
	make_plan(&plan, fabric, "gather:0", "direct"); // cannot lock
	load_at_random(&plan, most);
	const struct loom_panel panel = {.title = "it", .plan = &plan};
	char *text = picture_draw(LOOM_PICTURE_LOADS, &panel, 1);
	grid_picture_check(text, &plan.topo, s, plan.load);
	free(text);
	loom_plan_free(&plan);
}

static void test_shapes(void **state)
{
	(void)state;
	static const struct grid_shape edges[] = {
		{"line", 0, 2},   {"ring", 0, 2},   {"ring", 0, 3},   {"line", 0, 16},  {"line", 0, 17},
		{"ring", 0, 33},  {"line", 0, 257}, {"mesh", 1, 2},   {"mesh", 5, 1},   {"torus", 1, 4},
		{"torus", 4, 1},  {"torus", 2, 2},  {"torus", 3, 2},  {"mesh", 64, 2},  {"mesh", 2, 64},
		{"torus", 2, 64}, {"torus", 64, 2}, {"mesh", 16, 16}, {"torus", 12, 12}};
	uint32_t seed = 20261122;
	for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++)
		check_shape(&edges[i], (uint32_t)i);
	for (unsigned i = 0; i < 40; i++) {
		static const char *const kinds[] = {"line", "ring", "mesh", "torus"};
		seed = seed * 1664525 + 1013904223;
		struct grid_shape s = {kinds[seed >> 30], 2 + (seed >> 20) % 11, 2 + (seed >> 8) % 11};
		if (seed >> 30 < 2) {
			s.columns *= s.rows;
			s.rows = 0;
		}
		check_shape(&s, i % 4 ? i : 20 * i);
	}
}

static void test_largest(void **state)
{
	(void)state;
	static const char *const fabrics[] = {"mesh:32x32", "torus:32x32", "line:1024", "ring:1024", "torus:16x64"};
	for (size_t i = 0; i < sizeof fabrics / sizeof fabrics[0]; i++) {
		struct loom_plan plan;
		make_plan(&plan, fabrics[i], "gather:0", "direct");
		load_at_random(&plan, 300);
		const struct loom_panel panel = {.title = "it", .plan = &plan};
		char *text = picture_draw(LOOM_PICTURE_LOADS, &panel, 1);
		size_t n = 0;
		for (uint32_t c = 0; c < loom_topo_channels(&plan.topo); c++)
			n += loom_topo_channel_exists(&plan.topo, c) && !loom_topo_is_local(&plan.topo, c);
		assert_int_equal(svg_count(text, "</title></path>"), n);
		free(text);
		loom_plan_free(&plan);
	}
}

// Networks too large to read as a grid are drawn by groups, as are cubes and networks of more dimensions.
static void test_which(void **state)
{
	(void)state;
	static const struct {
		const char *fabric;
		bool suits;
	} rows[] = {
		{"line:1024", true},   {"line:1025", false}, {"ring:1024", true},   {"mesh:16x64", true},
		{"mesh:64x16", true},  {"mesh:2x65", false}, {"mesh:65x2", false},  {"mesh:33x32", false},
		{"mesh:64x64", false}, {"mesh:2x1x3", true}, {"torus:1x1x5", true}, {"torus:2x2x2", false},
		{"mesh:4x3x2", false}, {"cube:1", false},    {"cube:2", false},     {"omega:8", false},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct loom_topo topo;
		struct loom_svg_layout layout;
		assert_int_equal(loom_topo_parse(&topo, rows[i].fabric, NULL), 0);
		if (loom_svg_lay_out(&layout, &topo) != rows[i].suits)
			fail_msg("%s", rows[i].fabric);
	}
	static const char *const others[] = {"cube:2", "mesh:4x3x2"};
	for (size_t i = 0; i < 2; i++) {
		struct loom_plan plan;
		make_plan(&plan, others[i], "random-perm", "direct");
		const struct loom_panel panel = {.title = "it", .plan = &plan};
		char *text = picture_draw(LOOM_PICTURE_LOADS, &panel, 1);
		assert_null(strstr(text, "<title>node "));
		assert_non_null(strstr(text, "Each square is one channel"));
		free(text);
		loom_plan_free(&plan);
	}
}

// --- Kinds of users ------------------------------------------------------------------------------------------------

static bool step_link(const struct loom_topo *t, uint32_t u, int dx, int dy, uint32_t *v)
{
	int x = (int)(u % t->extent[0]) + dx, y = (int)(u / t->extent[0]) + dy;
	if (x < 0 || y < 0 || x >= (int)t->extent[0] || y >= (int)t->extent[1])
		return false;
	*v = (uint32_t)y * t->extent[0] + (uint32_t)x;
	return true;
}

// A link to the node after the next: nothing shows where it leads.
static bool far_link(const struct loom_topo *t, uint32_t u, unsigned p, uint32_t *v, unsigned *q)
{
	*q = p ^ 1;
	return step_link(t, u, p & 1 ? -2 : 2, 0, v);
}

// Along both diagonals, which cross.
static bool bishop_link(const struct loom_topo *t, uint32_t u, unsigned p, uint32_t *v, unsigned *q)
{
	*q = p ^ 1;
	return step_link(t, u, p & 1 ? -1 : 1, p == 0 || p == 3 ? 1 : -1, v);
}

// Both links of a node lead the same way.
static bool twin_link(const struct loom_topo *t, uint32_t u, unsigned p, uint32_t *v, unsigned *q)
{
	*q = p;
	return step_link(t, u, u % 2 ? -1 : 1, 0, v);
}

static void test_other_kinds(void **state)
{
	(void)state;
	static const struct loom_topo_kind far = {.name = "far", .link = far_link, LOOM_DIRECT_DEFAULTS};
	static const struct loom_topo_kind bishop = {.name = "bishop", .link = bishop_link, LOOM_DIRECT_DEFAULTS};
	static const struct loom_topo_kind twin = {.name = "twin", .link = twin_link, LOOM_DIRECT_DEFAULTS};
	struct loom_topo topo;
	const struct grid_shape shape = {"hex", 4, 5};
	struct loom_svg_layout layout;
	struct loom_plan plan;
	assert_int_equal(loom_topo_of_size(&topo, &hex_kind, "4x5", NULL), 0);
	plan_on(&plan, &topo, "gather:0", "direct");
	load_at_random(&plan, 120);
	const struct loom_panel panel = {.title = "it", .plan = &plan};
	char *text = picture_draw(LOOM_PICTURE_LOADS, &panel, 1);
	grid_picture_check(text, &topo, &shape, plan.load);
	free(text);
	loom_plan_free(&plan);

	topo.ports = 5;
	topo.kind = &bishop;
	assert_false(loom_svg_lay_out(&layout, &topo));
	topo.ports = 3; // one diagonal
	assert_true(loom_svg_lay_out(&layout, &topo));
	topo.kind = &far;
	assert_false(loom_svg_lay_out(&layout, &topo));
	topo.kind = &twin;
	assert_false(loom_svg_lay_out(&layout, &topo));
	topo.ports = 2;
	assert_true(loom_svg_lay_out(&layout, &topo));
}

// --- Panels --------------------------------------------------------------------------------------------------------

// A pass of several, what was measured, and two panels on one scale.
static void test_panels(void **state)
{
	(void)state;
	struct loom_plan plan, other;
	const struct grid_shape shape = {"mesh", 2, 8};
	make_plan(&plan, "mesh:2x8", "fft", NULL);
	assert_true(plan.n_passes > 1);
	uint32_t n_channels = loom_topo_channels(&plan.topo), last = plan.n_passes - 1;
	struct loom_panel panel = {.title = "it", .plan = &plan, .pass = &last};
	char title[64], *text = picture_draw(LOOM_PICTURE_LOADS, &panel, 1);
	(void)snprintf(title, sizeof title, ">it, pass %" PRIu32 " of 0 to %" PRIu32 "<", last, last);
	assert_int_equal(svg_count(text, title), 1);
	grid_picture_check(text, &plan.topo, &shape, plan.load + (size_t)last * n_channels);
	free(text);

	uint32_t *most = calloc(n_channels, sizeof *most);
	struct loom_count *counts = calloc((size_t)plan.n_passes * n_channels, sizeof *counts);
	struct loom_arrival arrivals[] = {{.pass = 0, .last_cycle = 8}, {.pass = last, .last_cycle = 43}};
	struct loom_trace trace = {.n_nodes = 16,
	                           .n_channels = n_channels,
	                           .n_passes = plan.n_passes,
	                           .n_arrivals = 2,
	                           .arrivals = arrivals,
	                           .counts = counts};
	assert_non_null(counts);
	assert_non_null(most);
	for (size_t i = 0; i < (size_t)plan.n_passes * n_channels; i++) {
		counts[i].worms = (uint32_t)(i * 2654435761U >> 20) % 7; // measured loads replace planned ones
		most[i % n_channels] = counts[i].worms > most[i % n_channels] ? counts[i].worms : most[i % n_channels];
	}
	panel = (struct loom_panel){.title = "it", .plan = &plan, .trace = &trace};
	text = picture_draw(LOOM_PICTURE_LOADS, &panel, 1);
	grid_picture_check(text, &plan.topo, &shape, most);
	assert_non_null(strstr(text, " cycles in all  \xc2\xb7  measured, "));
	free(text);
	free(counts);
	free(most);

	panel = (struct loom_panel){.plan = &plan};
	text = picture_draw(LOOM_PICTURE_LOADS, &panel, 1);
	(void)snprintf(title, sizeof title, ">all %" PRIu32 " passes<", plan.n_passes);
	assert_int_equal(svg_count(text, title), 1);
	free(text);

	make_plan(&other, "mesh:2x8", "all-to-all", "direct");
	panel.plan = &other;
	text = picture_draw(LOOM_PICTURE_LOADS, &panel, 1);
	assert_int_equal(svg_count(text, ">one pass<"), 1);
	free(text);

	const struct loom_panel both[] = {{.title = "a", .plan = &plan}, {.title = "b", .plan = &other}};
	text = picture_draw(LOOM_PICTURE_LOADS, both, 2);
	char colour[8], fill[64];
	loom_report_colour(colour, 1, loom_plan_contention(&other));
	assert_int_equal(svg_count(text, "<title>node 3<"), 2);
	(void)snprintf(fill, sizeof fill, "fill=\"%s\" d=", colour);
	assert_true(svg_count(text, fill) > 0);
	free(text);
	loom_plan_free(&plan);
	loom_plan_free(&other);
}

// A port that no node has is in no group; once it made `inject` count as contention.
static void test_local_groups(void **state)
{
	(void)state;
	static const char *const fabrics[] = {"torus:1x4", "torus:2x3", "ring:2", "mesh:4x1", "mesh:3x3", "cube:3"};
	for (size_t i = 0; i < sizeof fabrics / sizeof fabrics[0]; i++) {
		struct loom_topo topo;
		assert_int_equal(loom_topo_parse(&topo, fabrics[i], NULL), 0);
		for (unsigned g = 0; g < loom_topo_groups(&topo); g++) {
			char name[16];
			loom_topo_group_name(&topo, g, name);
			bool local = strcmp(name, "inject") == 0 || strcmp(name, "eject") == 0;
			assert_int_equal(loom_report_group_is_local(&topo, g), local);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shapes),      cmocka_unit_test(test_largest), cmocka_unit_test(test_which),
		cmocka_unit_test(test_other_kinds), cmocka_unit_test(test_panels),  cmocka_unit_test(test_local_groups),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
