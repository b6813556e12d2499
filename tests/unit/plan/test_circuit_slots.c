// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The slots of circuit switches that a plan's messages need, against a search through all cycles; plans of planners and from
// files; and what light cannot carry.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include <flitloom/circuits.h>
#include <flitloom/machine.h>
#include <flitloom/plan.h>

#include "base/rng.h"
#include "circuits/circuits_internal.h"
#include "unit/help/scratch_folder.h"

#define NODES 4
#define CYCLES 64

// A message between ports of one switch, in cycles begin .. begin + flits - 1 from 0.
struct row {
	uint32_t source, destination, begin, flits;
};

// Makes the plan of these messages on ocs:4, each with its cycle.
static int plan_of(struct loom_plan *out, const struct row *row, size_t n, uint32_t dark, struct loom_err *err)
{
	struct loom_message messages[CYCLES];
	struct loom_topo topo;
	struct loom_pattern p = {.n_nodes = NODES, .n_messages = n, .n_members = 1, .messages = messages};
	const struct loom_plan_options options = {.dark = dark, .dark_given = true};
	(void)snprintf(p.name, sizeof p.name, "rows");
	assert_int_equal(loom_topo_parse(&topo, "ocs:4", err), 0);
	p.timing = loom_timing_new(n, NODES, n);
	assert_non_null(p.timing);
	for (size_t i = 0; i < n; i++) {
		messages[i] = (struct loom_message){
			.source = row[i].source, .destination = row[i].destination, .flits = row[i].flits};
		p.timing->gate[i] = (struct loom_gate){.kind = LOOM_GATE_AT, .value = row[i].begin + 1};
		p.timing->first[i + 1] = i + 1;
	}
	for (size_t place = n; place < n + NODES; place++)
		p.timing->first[place + 1] = n;
	int rc = loom_plan_make(out, &topo, &p, &options, err);
	loom_timing_free(p.timing);
	return rc;
}

// True if the switch can turn in cycles from .. to - 1: nothing is under way in any of them, nor, where there are none, over the edge.
static bool is_silent(const struct row *row, size_t n, uint32_t from, uint32_t to)
{
	for (size_t i = 0; i < n; i++)
		if (row[i].begin < to && row[i].begin + row[i].flits > from)
			return false;
	return true;
}

// True if the switch can turn between each two messages that no matching has both.
static bool slow_possible(const struct row *row, size_t n, uint32_t dark)
{
	for (size_t a = 0; a < n; a++)
		for (size_t b = 0; b < n; b++) {
			bool found = (row[a].source == row[b].source) == (row[a].destination == row[b].destination) ||
			             row[a].begin > row[b].begin;
			for (uint32_t x = row[a].begin + row[a].flits; !found && x + dark <= row[b].begin; x++)
				found = is_silent(row, n, x, x + dark);
			if (!found)
				return false;
		}
	return true;
}

// Checks that each flit crosses in a slot whose matching has light in its cycle.
static void check_slots(const struct loom_circuit_schedule *s, const struct row *row, size_t n)
{
	uint64_t begin[CYCLES + 1];
	uint64_t makespan = 0;
	assert_true(s->n_nodes == NODES && s->n_switches == 1 && s->on[0].n_slots <= n);
	loom_circuit_begins(begin, s, 0);
	for (size_t i = 0; i < n; i++) {
		const uint32_t end = row[i].begin + row[i].flits;
		bool found = false;
		for (size_t k = 0; k < s->on[0].n_slots; k++)
			found = found || (begin[k] <= row[i].begin && end <= begin[k] + s->on[0].slot[k].cycles &&
			                  s->on[0].slot[k].to[row[i].source] == row[i].destination);
		assert_true(found);
		makespan = end > makespan ? end : makespan;
	}
	for (size_t k = 0; k < s->on[0].n_slots; k++) {
		assert_true(!loom_circuit_stays(s, 0, k) || s->dark == 0);
		for (uint32_t u = 0; u < NODES; u++)
			for (uint32_t v = 0; v < u; v++)
				assert_true(s->on[0].slot[k].to[u] == LOOM_CIRCUIT_NO_PORT ||
				            s->on[0].slot[k].to[u] != s->on[0].slot[k].to[v]);
	}
	assert_int_equal(s->makespan, makespan);
}

static void random_messages(void **state)
{
	struct loom_rng rng;
	unsigned n_possible = 0, n_not = 0;
	(void)state;
	loom_rng_init(&rng, 33);
	for (unsigned round = 0; round < 20000; round++) {
		struct row row[8];
		const size_t n = 1 + loom_rng_below(&rng, 7);
		const uint32_t dark = (uint32_t)loom_rng_below(&rng, 4);
		uint32_t free_from[NODES] = {0};
		struct loom_plan plan = {0};
		struct loom_circuit_schedule s;
		struct loom_err err = {0};
		for (size_t i = 0; i < n; i++) {
			const uint32_t u = (uint32_t)loom_rng_below(&rng, NODES);
			row[i].source = u;
			row[i].destination = (u + 1 + (uint32_t)loom_rng_below(&rng, NODES - 1)) % NODES;
			row[i].begin = free_from[u] + (uint32_t)loom_rng_below(&rng, 6);
			row[i].flits = 1 + (uint32_t)loom_rng_below(&rng, 3);
			free_from[u] = row[i].begin + row[i].flits;
		}
		const bool possible = slow_possible(row, n, dark);
		const int rc = plan_of(&plan, row, n, dark, &err);
		if ((rc == 0) != possible)
			fail_msg("round %u: %s, the slow one says %s", round, rc ? err.text : "possible",
			         possible ? "yes" : "no");
		n_possible += possible;
		n_not += !possible;
		if (!possible) {
			assert_int_equal(rc, LOOM_EINPUT);
			assert_non_null(strstr(err.text, "cannot turn between them"));
			continue;
		}
		assert_int_equal(loom_plan_circuits(&s, &plan, &err), 0);
		check_slots(&s, row, n);
		loom_circuit_schedule_free(&s);
		loom_plan_free(&plan);
	}
	assert_true(n_possible > 2000 && n_not > 2000);
}

// A switch that stays as it is between two slots is not dark between them.
static void stays(void **state)
{
	(void)state;
	uint32_t one[] = {1, 0}, same[] = {1, 0}, other[] = {LOOM_CIRCUIT_NO_PORT, 0};
	struct loom_circuit_slot slot[] = {
		{.cycles = 4, .to = one}, {.cycles = 7, .to = same}, {.cycles = 2, .to = other}};
	struct loom_circuit_switch sw = {.n_slots = 3, .slot = slot};
	const struct loom_circuit_schedule s = {.n_nodes = 2, .n_switches = 1, .dark = 5, .on = &sw};
	uint64_t begin[4];
	loom_circuit_begins(begin, &s, 0);
	assert_true(begin[0] == 0 && begin[1] == 4 && begin[2] == 16 && begin[3] == 18);
	assert_int_equal(loom_circuit_end(&s), 18);
	assert_true(!loom_circuit_stays(&s, 0, 0) && loom_circuit_stays(&s, 0, 1) && !loom_circuit_stays(&s, 0, 2));
}

// A plan's messages leave as the schedule says: as many flits between two nodes as the pattern has, in makespan + 1 cycles.
static void plans_of_planners(void **state)
{
	static const char *const fabrics[] = {"ocs:8", "ocs:5", "ocs:6x3", "ocs:16x2", "ocs-benes:8x2"};
	(void)state;
	for (size_t f = 0; f < sizeof fabrics / sizeof fabrics[0]; f++)
		for (unsigned p = 0; loom_circuit_planner_name(p); p++)
			for (uint32_t dark = 0; dark < 12; dark += 5) {
				struct loom_topo topo;
				struct loom_pattern pattern;
				struct loom_plan plan, again;
				struct loom_circuit_schedule s;
				struct loom_err err = {0};
				uint64_t cycles = 0, wanted[16][16] = {{0}}, planned[16][16] = {{0}};
				const struct loom_pattern_options options = {.flits = 9, .seed = 7};
				const struct loom_plan_options how = {.planner = loom_circuit_planner_name(p),
				                                      .dark = dark,
				                                      .dark_given = true,
				                                      .most_steps = 20000};
				assert_int_equal(loom_topo_parse(&topo, fabrics[f], &err), 0);
				const uint32_t n = loom_topo_hosts(&topo);
				assert_int_equal(loom_pattern_parse(&pattern, "uniform:50", n, &options, &err), 0);
				if (loom_plan_make(&plan, &topo, &pattern, &how, &err) != 0)
					fail_msg("%s: %s", fabrics[f], err.text);
				for (size_t i = 0; i < pattern.n_messages; i++)
					wanted[pattern.messages[i].source][pattern.messages[i].destination] +=
						pattern.messages[i].flits;
				for (size_t i = 0; i < plan.n_messages; i++)
					planned[plan.messages[i].source % n][plan.messages[i].destination % n] +=
						plan.messages[i].flits;
				assert_memory_equal(wanted, planned, sizeof wanted);
				assert_int_equal(plan.dark, dark);
				assert_int_equal(loom_plan_circuits(&s, &plan, &err), 0);
				assert_int_equal(loom_machine_cycles(&cycles, &plan, LOOM_MACHINE_FAST, &err), 0);
				assert_true(cycles >= s.makespan + 1);
				// A plan's file has all of it.
				const char *path = scratch_path("plan.json");
				assert_int_equal(loom_plan_write(&plan, path, &err), 0);
				if (loom_plan_read(&again, path, &err) != 0)
					fail_msg("%s", err.text);
				assert_true(again.dark == dark && again.n_messages == plan.n_messages);
				for (size_t i = 0; i < plan.n_messages; i++)
					assert_true(again.messages[i].source == plan.messages[i].source &&
					            again.messages[i].destination == plan.messages[i].destination &&
					            again.messages[i].flits == plan.messages[i].flits);
				assert_int_equal(unlink(path), 0);
				loom_plan_free(&again);
				loom_circuit_schedule_free(&s);
				loom_plan_free(&plan);
				loom_pattern_free(&pattern);
			}
}

static void refuse(const char *fabric, const char *spec, const struct loom_plan_options *options, const char *says)
{
	struct loom_topo topo;
	struct loom_pattern pattern;
	struct loom_plan plan;
	struct loom_err err = {0};
	const struct loom_pattern_options how = {.flits = 5, .seed = 1};
	assert_int_equal(loom_topo_parse(&topo, fabric, &err), 0);
	assert_int_equal(loom_pattern_parse(&pattern, spec, loom_topo_hosts(&topo), &how, &err), 0);
	assert_int_equal(loom_plan_make(&plan, &topo, &pattern, options, &err), LOOM_EINPUT);
	if (!strstr(err.text, says))
		fail_msg("\"%s\" does not say \"%s\"", err.text, says);
	loom_pattern_free(&pattern);
	loom_topo_free(&topo);
}

static void what_is_refused(void **state)
{
	(void)state;
	refuse("ocs:8", "shift:1", &(struct loom_plan_options){.planner = "direct"}, "planners that can: light");
	refuse("ocs:8", "shift:1", &(struct loom_plan_options){.map = "1,0,2,3,4,5,6,7"}, "as good as any other");
	refuse("ocs:8", "shift:1", &(struct loom_plan_options){.map = "search"}, "as good as any other");
	refuse("ocs:8", "shift:1", &(struct loom_plan_options){.objective = "cycles"}, "objective cycles");
	refuse("ocs:8", "shift:1", &(struct loom_plan_options){.dark = UINT32_MAX, .dark_given = true}, "dark cycles");
	refuse("ocs:8", "allreduce:ring", NULL, "waits for another one");
	refuse("mesh:2x4", "shift:1", &(struct loom_plan_options){.dark = 3, .dark_given = true},
	       "no circuit switches");
	refuse("mesh:2x4", "shift:1", &(struct loom_plan_options){.relay = true}, "no circuit switches");
	refuse("cube:3", "shift:1", &(struct loom_plan_options){.planner = "light"}, "planner light");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_messages),
		cmocka_unit_test(stays),
		cmocka_unit_test(plans_of_planners),
		cmocka_unit_test(what_is_refused),
	};
	return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
