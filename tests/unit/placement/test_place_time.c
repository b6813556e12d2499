// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The time that a search for a placement takes: none by any clock, but counted, so that every machine finds the same.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include <flitloom/machine.h>
#include <flitloom/plan.h>

#include "unit/help/placed_plans.h"

static struct loom_topo topo_of(const char *fabric)
{
	struct loom_topo topo;
	assert_int_equal(loom_topo_parse(&topo, fabric, NULL), 0);
	return topo;
}

// Counts how often a search asks whether to stop, stops it at one of these times, and hears what it finds: a clock that
// is the same on every machine.
struct listener {
	unsigned n_asked, stop_at; // 0: never
	unsigned n_told;
	uint64_t flits[200];
	unsigned asked[200]; // before it was told
	uint64_t cycles;     // of the plan that was found
};

static bool count_and_stop(void *user)
{
	struct listener *l = user;
	l->n_asked++;
	return l->stop_at && l->n_asked >= l->stop_at;
}

static void listen(void *user, const char *text)
{
	struct listener *l = user;
	if (sscanf(text, "placed: %" SCNu64, &l->flits[l->n_told]) != 1)
		return;
	l->asked[l->n_told++] = l->n_asked;
	assert_true(l->n_told < 200);
}

static uint64_t searched(struct listener *l, const char *planner, const struct loom_topo *topo,
                         const struct loom_pattern *p, unsigned stop_at, double seconds)
{
	struct loom_plan plan;
	struct loom_err err;
	*l = (struct listener){.stop_at = stop_at};
	const struct loom_plan_options options = {.planner = planner,
	                                          .map = "search",
	                                          .budget_seconds = seconds,
	                                          .stopped = count_and_stop,
	                                          .progress = listen,
	                                          .user = l};
	if (loom_plan_make(&plan, topo, p, &options, &err) != 0)
		fail_msg("%s: %s", planner, err.text);
	uint64_t flits = loom_plan_how_made(&plan)->placement.flits;
	assert_int_equal(flits, placed_flits_slowly(&plan));
	assert_true(flits <= loom_plan_how_made(&plan)->placement.row_major_flits);
	if (loom_machine_cycles(&l->cycles, &plan, LOOM_MACHINE_FAST, &err) != 0)
		fail_msg("%s: %s", planner, err.text);
	loom_plan_free(&plan);
	return flits;
}

// A search is the same whenever it ends: more time never finds more flits on the busiest link, nor more cycles where
// the flits are the same. By default it is short.
static void test_more_time(void **state)
{
	static const struct {
		const char *fabric, *planner;
		size_t n;
	} row[] = {{"table-mesh:4x4", "reroute", 62},
	           {"mesh:4x4", "xy", 62},
	           {"mesh:3x3", "greedy", 20},
	           {"table-torus:3x4", "block", 50}};
	uint64_t seed = 26;
	(void)state;
	for (size_t k = 0; k < sizeof row / sizeof row[0]; k++) {
		struct loom_topo topo = topo_of(row[k].fabric);
		struct loom_pattern p = random_messages(topo.n_nodes, topo.n_nodes, row[k].n, 50, &seed);
		struct listener whole, part;
		uint64_t flits = UINT64_MAX, cycles = 0; // of the search that ended one look before
		uint64_t best = searched(&whole, row[k].planner, &topo, &p, 0, 0);
		assert_true(whole.n_told > 0 && best == whole.flits[whole.n_told - 1]);
		if (whole.n_asked > 3000) // 100,000 steps each
			fail_msg("%s %s: %u times asked", row[k].fabric, row[k].planner, whole.n_asked);
		for (unsigned i = 1; i < whole.n_told; i++)
			assert_true(whole.flits[i] <= whole.flits[i - 1]);
		for (unsigned i = 0; i < whole.n_told && whole.asked[i] < 80; i += 3) {
			if (whole.asked[i] == (i ? whole.asked[i - 1] : 0))
				continue; // nobody was asked in between
			uint64_t early = searched(&part, row[k].planner, &topo, &p, whole.asked[i] + 1, 0);
			if (early != whole.flits[i] && whole.asked[i] != whole.asked[i + 1])
				fail_msg("%s %s: %" PRIu64 " flits in part of the time, %" PRIu64 " at that time",
				         row[k].fabric, row[k].planner, early, whole.flits[i]);
			assert_true(early >= best && early <= flits);
			if (early == flits && part.cycles > cycles)
				fail_msg("%s %s: %" PRIu64 " flits in %" PRIu64 " cycles, before in %" PRIu64,
				         row[k].fabric, row[k].planner, early, part.cycles, cycles);
			flits = early;
			cycles = part.cycles;
		}
		if (best == flits && whole.cycles > cycles)
			fail_msg("%s %s: in all the time %" PRIu64 " cycles, in part of it %" PRIu64, row[k].fabric,
			         row[k].planner, whole.cycles, cycles);
		// No time at all gives the first plan.
		assert_true(searched(&part, row[k].planner, &topo, &p, 0, 1e-9) >= whole.flits[0]);
		loom_pattern_free(&p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_more_time),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
