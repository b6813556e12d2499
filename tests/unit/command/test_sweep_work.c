// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The order in which rows of a sweep are begun: longest first where several processes share them, against one that is looked for row
// by row; what makes a row longer; chips that rows in turn share.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "cli_sweep.h"

enum { ROWS = 24, CURVES = 4 };

static const struct sweep_kind loads = {.side_by_side = true}, sizes = {.side_by_side = false};

struct scene {
	struct cli_request request;
	struct sweep_curve curves[CURVES];
	struct sweep_row rows[ROWS];
	struct sweep sweep;
};

static void set_up(struct scene *s, const struct sweep_kind *kind, const char *link)
{
	static const char *const fabrics[CURVES] = {"cube:3", "mesh:4x4", "cube:6", "torus:3x3v2"};
	memset(s, 0, sizeof *s);
	s->request.link = link;
	s->request.flits = 8;
	s->request.measure_cycles = 1000;
	s->request.journal = "folder";
	s->sweep.request = &s->request;
	s->sweep.kind = kind;
	s->sweep.rows = s->rows;
	s->sweep.curves = s->curves;
	s->sweep.n_rows = ROWS;
	s->sweep.n_curves = CURVES;
	for (size_t i = 0; i < CURVES; i++) {
		assert_int_equal(loom_topo_parse(&s->curves[i].topo, fabrics[i], NULL), 0);
		s->curves[i].capacity = NAN;
	}
	for (size_t i = 0; i < ROWS; i++) {
		s->rows[i].curve = &s->curves[i % CURVES];
		s->rows[i].load = 0.1;
	}
}

static void tear_down(struct scene *s)
{
	for (size_t i = 0; i < CURVES; i++)
		loom_topo_free(&s->curves[i].topo);
}

static void order_of(size_t order[ROWS], struct scene *s, bool several)
{
	size_t *made;
	assert_int_equal(sweep_order(&made, &s->sweep, several, NULL), 0);
	memcpy(order, made, s->sweep.n_rows * sizeof *order);
	free(made);
}

// Orders rows slowly: takes the longest row that is left, again and again.
static void order_slowly(size_t order[ROWS], const struct scene *s)
{
	bool taken[ROWS] = {false};
	for (size_t at = 0; at < ROWS; at++) {
		size_t best = ROWS;
		for (size_t i = 0; i < ROWS; i++)
			if (!taken[i] && (best == ROWS || s->rows[i].work > s->rows[best].work))
				best = i;
		taken[best] = true;
		order[at] = best;
	}
}

static void test_longest_first(void **state)
{
	struct scene s;
	struct loom_rng rng;
	(void)state;
	loom_rng_init(&rng, 5);
	for (int round = 0; round < 200; round++) {
		size_t order[ROWS], slow[ROWS];
		set_up(&s, round % 2 ? &loads : &sizes, "model");
		for (size_t i = 0; i < ROWS; i++) {
			s.rows[i].load = (double)(1 + loom_rng_below(&rng, 5)) / 10;
			s.rows[i].size.planned_flits = (uint32_t)loom_rng_below(&rng, 5);
			s.rows[i].is_checked = loom_rng_below(&rng, 4) == 0;
		}
		order_of(order, &s, false);
		order_slowly(slow, &s);
		assert_memory_equal(order, slow, sizeof order);
		tear_down(&s);
	}
}

// With a single process, and where nothing runs, rows begin in their own order.
static void test_own_order(void **state)
{
	struct scene s;
	(void)state;
	for (int k = 0; k < 4; k++) {
		size_t order[ROWS];
		bool own = true;
		set_up(&s, &loads, "model");
		s.request.journal = k % 2 ? "folder" : NULL;
		s.request.merge = k == 3;
		for (size_t i = 0; i < ROWS; i++)
			s.rows[i].load = 0.1 + 0.01 * (double)i;
		order_of(order, &s, k == 2);
		for (size_t i = 0; i < ROWS; i++)
			own = own && order[i] == i;
		assert_int_equal(own, k == 0 || k == 3);
		tear_down(&s);
	}
}

static double work_of(struct scene *s, size_t i)
{
	size_t order[ROWS];
	order_of(order, s, true);
	return s->rows[i].work;
}

static void assert_near(double a, double b)
{
	assert_true(fabs(a - b) <= 1e-9 * b);
}

static void test_what_is_longer(void **state)
{
	struct scene s;
	(void)state;
	set_up(&s, &loads, "model");
	const double small = work_of(&s, 0), large = work_of(&s, 2);
	assert_true(large > 8 * small); // cube:6 has eight times the nodes of cube:3, and longer ways
	s.rows[0].load = 0.2;
	assert_near(work_of(&s, 0), 2 * small);
	s.request.flits = 4;
	assert_near(work_of(&s, 0), 4 * small);
	s.request.measure_cycles = 3000;
	assert_near(work_of(&s, 0), 12 * small);
	s.curves[0].capacity = 0.15; // saturation is noticed early
	assert_true(work_of(&s, 0) < 12 * small);
	s.curves[0].capacity = 1;
	s.rows[0].is_checked = true;
	assert_true(work_of(&s, 0) > 12 * small);
	s.rows[0].is_checked = false;
	s.request.link = "sim"; // a chip takes the same time at every load
	const double chip = work_of(&s, 0);
	s.rows[0].load = 0.3;
	assert_true(chip > 12 * small);
	assert_near(work_of(&s, 0), chip);
	s.request.link = "model";
	s.request.batch = 10;
	const double batch = work_of(&s, 0);
	s.request.batch = 20;
	assert_near(work_of(&s, 0), 2 * batch);
	s.request.link = "sim"; // a chip's time depends on the cycles in which the channels carry all flits
	const double on_chip = work_of(&s, 0);
	s.request.batch = 40;
	assert_near(work_of(&s, 0), 2 * on_chip);
	s.request.flits = 12;
	assert_near(work_of(&s, 0), 6 * on_chip);
	s.curves[0].capacity = 0.5;
	assert_near(work_of(&s, 0), 12 * on_chip);
	tear_down(&s);
}

// On chips, rows of the same fabric follow each other; fabrics are ordered by their longest row.
static void test_chips_stay(void **state)
{
	struct scene s;
	size_t order[ROWS];
	(void)state;
	set_up(&s, &sizes, "sim");
	for (size_t i = 0; i < ROWS; i++)
		s.rows[i].size.planned_flits = i;
	order_of(order, &s, false);
	assert_int_equal(order[0], ROWS - 1);
	for (size_t at = 1; at < ROWS; at++) {
		const size_t per = ROWS / CURVES;
		if (at % per)
			assert_ptr_equal(s.rows[order[at]].curve, s.rows[order[at - 1]].curve);
		if (at % per)
			assert_true(order[at] < order[at - 1]);
		else
			assert_true(order[at] < order[at - per]);
	}
	tear_down(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_longest_first), cmocka_unit_test(test_own_order),
	                                   cmocka_unit_test(test_what_is_longer), cmocka_unit_test(test_chips_stay)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
