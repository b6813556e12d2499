// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Slow links in pictures: a bar at each where links differ, its delay beside it and in its title, and what line and
// legend say.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <flitloom/report.h>

#include "unit/help/pictures.h"
#include "unit/help/svg_checks.h"

static const struct {
	const char *fabric;
	enum loom_picture picture;
	size_t n_bars;
	const char *label;
	size_t n_labels;
	const char *says, *legend; // NULL: nothing of slow links
	size_t n_titles; // titles of channels with a delay; in pictures of paths of those that several messages need
} rows[] = {
	{"mesh:3x4", LOOM_PICTURE_LOADS, 0, ">+1<", 0, NULL, NULL, 0},
	{"mesh:3x4d2", LOOM_PICTURE_LOADS, 0, ">+2<", 0, "slow links: 2 cycles", "on each link, by 2 cycles", 34},
	{"mesh:3x4d0.5", LOOM_PICTURE_LOADS, 16, ">+5<", 16, "slow links: 1:5 cycles", "bar across a link", 16},
	{"mesh:3x4d0.5", LOOM_PICTURE_PATHS, 16, ">+5<", 16, "slow links: 1:5 cycles", "bar across a link", 0},
	{"mesh:20x20d0.5", LOOM_PICTURE_LOADS, 760, ">+5<", 0, "slow links: 1:5 cycles", "bar across a link", 760},
	{"torus:4x4v2d0.0.12", LOOM_PICTURE_LOADS, 16, ">+12<", 16, "wrap:12 cycles", "bar across a link", 16},
	{"torus:4x4v2d0.0.12", LOOM_PICTURE_PATHS, 16, ">+12<", 16, "wrap:12 cycles", "bar across a link", 0},
	{"dragonfly:2,1v2d0.9", LOOM_PICTURE_LOADS, 6, ">+9<", 6, "global:9 cycles", "bar across a link", 6},
	{"dragonfly:2,1v2d0.9", LOOM_PICTURE_PATHS, 6, ">+9<", 6, "global:9 cycles", "bar across a link", 1},
	{"cube:4d0.0.0.7", LOOM_PICTURE_LOADS, 0, ">dim3 +7<", 1, "slow links: 3:7 cycles", "Behind a group", 16},
	{"cube:4d0.0.0.7", LOOM_PICTURE_PATHS, 16, ">+7<", 16, "slow links: 3:7 cycles", "bar across a link", 0},
};

static size_t count_titles(const char *text)
{
	size_t n = 0;
	for (const char *at = text; (at = strstr(at, ", delay ")); at++)
		n++;
	return n;
}

static void test_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct loom_plan plan;
		picture_plan(&plan, rows[i].fabric, "shift:1", "direct", 1);
		char *text = picture_draw(rows[i].picture, &(struct loom_panel){.plan = &plan}, 1);
		const size_t n = svg_count(text, "class=\"slow\"");
		if (n != rows[i].n_bars || svg_count(text, rows[i].label) != rows[i].n_labels ||
		    count_titles(text) != rows[i].n_titles)
			fail_msg("%s, picture %d: %zu bars, %zu labels, %zu titles", rows[i].fabric,
			         (int)rows[i].picture, n, svg_count(text, rows[i].label), count_titles(text));
		if (rows[i].says) {
			assert_non_null(strstr(text, rows[i].says));
			assert_non_null(strstr(text, rows[i].legend));
		} else {
			assert_null(strstr(text, "slow"));
			assert_null(strstr(text, "longer under way"));
		}
		free(text);
		loom_plan_free(&plan);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
