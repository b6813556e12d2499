// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The way that is chosen on an OTIS-Mesh, the first of those that cost least, each made here by hand; the search
// has one step.
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "plan/otis/otis_choose.h"
#include "plan/otis/otis_moves.h"
#include "plan/otis/otis_recolour.h"
#include "plan/otis/otis_slots.h"
#include "plan/planners/budget.h"

enum { NODES_MOST = 256 };

struct items {
	uint32_t side, n, source[NODES_MOST], destination[NODES_MOST];
};

// Draws n items: no two from one node, no two to one node.
static void draw(struct items *out, uint32_t side, uint32_t n, struct loom_rng *rng)
{
	uint32_t from[NODES_MOST], to[NODES_MOST];
	const uint32_t n_nodes = side * side * side * side;
	for (uint32_t i = 0; i < n_nodes; i++)
		from[i] = to[i] = i;
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t a = i + (uint32_t)loom_rng_below(rng, n_nodes - i),
			       b = i + (uint32_t)loom_rng_below(rng, n_nodes - i);
		out->source[i] = from[a];
		out->destination[i] = to[b];
		from[a] = from[i];
		to[b] = to[i];
	}
	out->side = side;
	out->n = n;
}

// The best choice so far.
struct best {
	bool any;
	char by[sizeof((struct loom_otis_moves *)0)->by];
	uint32_t n_slots, electronic, otis, n_steps;
	size_t n_hops;
};

// Enters a way, and frees it. A chip's slots come first, then cost, steps, hops.
static void enter(struct best *best, struct loom_otis_moves *m, const struct items *t,
                  const struct loom_otis_cost *cost)
{
	bool stays[NODES_MOST];
	uint8_t keep[64 * NODES_MOST];
	uint32_t n_slots;
	for (uint32_t i = 0; i < t->n; i++)
		stays[i] = t->source[i] == t->destination[i];
	assert_int_equal(loom_otis_moves_trim_to(m, stays, NULL), 0);
	assert_true(m->first[m->n_steps] < sizeof keep);
	if (loom_otis_slots(keep, &n_slots, m, NULL) == 0) {
		const uint32_t chip = loom_otis_slots_of_a_chip(t->side);
		const struct best now = {.any = true,
		                         .n_slots = n_slots,
		                         .electronic = m->electronic,
		                         .otis = m->otis,
		                         .n_steps = m->n_steps,
		                         .n_hops = m->first[m->n_steps]};
		const double a = loom_otis_cost_of(cost, now.electronic, now.otis),
			     b = loom_otis_cost_of(cost, best->electronic, best->otis);
		const bool fits = n_slots <= chip, fitted = best->n_slots <= chip;
		if (!best->any || (fits && !fitted) ||
		    (fits == fitted &&
		     (a < b || (a <= b && (now.n_steps < best->n_steps ||
		                           (now.n_steps == best->n_steps && now.n_hops < best->n_hops)))))) {
			*best = now;
			memcpy(best->by, m->by, sizeof best->by);
		}
	}
	loom_otis_moves_free(m);
}

static void enter_middle(struct best *best, const uint32_t *middle, const char *by, const struct items *t,
                         const struct loom_otis_cost *cost)
{
	struct loom_otis_moves m;
	assert_int_equal(loom_otis_by_middle(&m, t->side, t->source, t->destination, middle, t->n, NULL), 0);
	(void)snprintf(m.by, sizeof m.by, "%s", by);
	enter(best, &m, t, cost);
}

// The processors of one end of the items; false: two items that are in a group at the other end have the same one.
static bool middles_of(uint32_t *middle, const struct items *t, bool of_source)
{
	const uint32_t n = t->side * t->side;
	for (uint32_t i = 0; i < t->n; i++) {
		middle[i] = (of_source ? t->source[i] : t->destination[i]) % n;
		for (uint32_t k = 0; k < i; k++) {
			const uint32_t a = of_source ? t->destination[i] : t->source[i],
				       b = of_source ? t->destination[k] : t->source[k];
			if (middle[i] == middle[k] && a / n == b / n)
				return false;
		}
	}
	return true;
}

static bool is_best(const struct best *best, const struct loom_otis_task *task)
{
	return best->any && best->n_slots <= loom_otis_slots_of_a_chip(task->side) &&
	       loom_otis_cost_of(&task->cost, best->electronic, best->otis) <=
	               loom_otis_cost_of(&task->cost, task->bound.electronic, task->bound.otis);
}

static struct best choose_slowly(const struct items *t, const struct loom_otis_task *task)
{
	struct best best = {0};
	struct loom_otis_moves m;
	struct loom_budget budget;
	uint32_t first[NODES_MOST], plain[NODES_MOST];
	bool possible;
	assert_int_equal(loom_otis_by_one(&m, &possible, t->side, t->source, t->destination, t->n, NULL), 0);
	if (possible)
		enter(&best, &m, t, &task->cost);
	if (is_best(&best, task))
		return best;
	assert_int_equal(loom_otis_first_middle(first, t->side, t->source, t->destination, t->n, NULL), 0);
	enter_middle(&best, first, "edge colouring", t, &task->cost);
	possible = middles_of(plain, t, false) || middles_of(plain, t, true);
	if (possible)
		enter_middle(&best, plain, "two local permutations", t, &task->cost);
	if (is_best(&best, task))
		return best;
	uint32_t *middle = possible ? plain : first;
	loom_budget_begin(&budget, task->options, 1);
	assert_int_equal(loom_otis_recolour(middle, t->side, t->source, t->destination, t->n, &budget, NULL), 0);
	enter_middle(&best, middle, "edge colouring, searched", t, &task->cost);
	return best;
}

static void check(unsigned *n_colouring, unsigned *n_local, const struct items *t, const struct loom_otis_cost *cost)
{
	const struct loom_plan_options options = {.most_steps = 1};
	struct loom_otis_task task = {.side = t->side,
	                              .n_items = t->n,
	                              .source = t->source,
	                              .destination = t->destination,
	                              .cost = *cost,
	                              .options = &options};
	struct loom_otis_moves m;
	struct loom_err err = {0};
	uint8_t *keep;
	assert_int_equal(loom_otis_bound(&task.bound, t->side, t->source, t->destination, t->n, cost, &err), 0);
	if (loom_otis_choose(&m, &keep, &task, &err) != 0)
		fail_msg("%s", err.text);
	const struct best slow = choose_slowly(t, &task);
	assert_string_equal(m.by, slow.by);
	assert_int_equal(m.electronic, slow.electronic);
	assert_int_equal(m.otis, slow.otis);
	assert_int_equal(m.n_steps, slow.n_steps);
	assert_int_equal(m.first[m.n_steps], slow.n_hops);
	*n_colouring += strcmp(m.by, "edge colouring") == 0;
	*n_local += strcmp(m.by, "two local permutations") == 0;
	loom_otis_moves_free(&m);
	free(keep);
}

static void test_random(void **state)
{
	(void)state;
	unsigned n_colouring = 0, n_local = 0;
	struct loom_rng rng;
	loom_rng_init(&rng, 411);
	for (unsigned round = 0; round < 90; round++) {
		struct items t;
		const struct loom_otis_cost cost = {1, round % 3};
		const uint32_t side = 2 + round % 2, n_nodes = side * side * side * side;
		draw(&t, side, round % 5 == 0 ? n_nodes : 1 + (uint32_t)loom_rng_below(&rng, n_nodes), &rng);
		check(&n_colouring, &n_local, &t, &cost);
	}
	assert_true(n_colouring > 5);
	assert_true(n_local > 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
