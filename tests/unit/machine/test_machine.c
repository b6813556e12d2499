// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Whole traces of the machine against those that the slow reference machine makes, on every kind of fabric: passes, relays, free
// runs, programs that wait, chosen routes; and the same back to back. LOOM_RUNS in the environment: number of seeds of each.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/back_to_back.h>
#include <flitloom/machine.h>

#include "check/due.h"
#include "unit/help/plans_by_hand.h"
#include "unit/help/random_plans.h"
#include "unit/help/random_programs.h"
#include "unit/help/tally.h"

// Fabrics of every kind; some with lanes, with light.
static const char *const fabrics[] = {
	"cube:1",
	"cube:3",
	"cube:4b3",
	"mesh:3x4b8",
	"torus:4x4v2b5",
	"omega:8b4",
	"cube:3d2",
	"cube:3v3",
	"cube:4v2b4r3",
	"mesh:3x4v4d1r2",
	"torus:4x3v5r1",
	"line:5v6",
	"mesh:3x4b8d3",
	"torus:3x4v2b3d1",
	"table-mesh:2x4v2b5d7",
	"graph:tests/e2e/graphs/chords.txt:v2:b4:d2",
	"otis-mesh:4v2b4d1",
	"otis-mesh:4l3w2v2b6",
	"table-mesh:3x4v4b64",
	"cube:4",
	"line:2",
	"line:5",
	"ring:3",
	"ring:6",
	"ring:7v2",
	"mesh:3x4",
	"mesh:2x3x2",
	"torus:3x3",
	"torus:4x5v2",
	"table-mesh:3x3",
	"table-mesh:2x4v2",
	"table-torus:3x4v4",
	"table-mesh:3x3v3",
	"table-torus:3x3v7",
	"table-torus:3x3",
	"table-cube:3",
	"table-cube:4v2",
	"otis-mesh:4",
	"otis-mesh:4v2",
	"otis-mesh:4l3",
	"otis-mesh:4w3v2",
	"otis-mesh:4l5w2v2",
	"graph:tests/e2e/graphs/chords.txt",
	"graph:tests/e2e/graphs/chords.txt:v2",
	"graph:tests/e2e/graphs/chords.txt:v4",
	"graph:tests/e2e/graphs/chords.txt:v7",
	"graph:tests/e2e/graphs/switches.txt:v2",
	"twisted-torus:2x4t1",
	"hyperx:2x3v2",
	"dragonfly:2,1,2",
	"fat-tree:2,2",
	"slim-fly:3",
	"random:8,3,1v2b4",
	"baseline:8",
	"omega:16",
	"icube:4",
	"rbaseline:16",
	"romega:8",
	"ricube:2",
	"benes:2",
	"benes:8",
	"benes:16",
};
enum { N_FABRICS = sizeof fabrics / sizeof fabrics[0] };

// The name of a comparison, for a person.
struct scene {
	const struct loom_plan *plan;
	const char *what;
	uint64_t seed;
	bool paper;
	uint64_t n_blocked; // of all runs
	struct tally tally;
};

#define equal(a, b)                                                                                                    \
	do {                                                                                                           \
		unsigned long long x = (a), y = (b);                                                                   \
		if (x != y)                                                                                            \
			fail_msg("%s, %s, seed %llu, %s: %s is %llu, not %llu", s->plan->topo.name, s->what,           \
			         (unsigned long long)s->seed, s->paper ? "paper" : "fast", #a, x, y);                  \
	} while (0)

static void compare_arrivals(const struct scene *s, const struct loom_trace *got, const struct loom_trace *want)
{
	equal(got->n_arrivals, want->n_arrivals);
	for (size_t i = 0; i < got->n_arrivals; i++) {
		const struct loom_arrival *a = &got->arrivals[i], *b = &want->arrivals[i];
		equal(a->node, b->node);
		equal(a->source, b->source);
		equal(a->number, b->number);
		equal(a->destination, b->destination);
		equal(a->pass, b->pass);
		equal(a->flits, b->flits);
		equal(a->first_cycle, b->first_cycle);
		equal(a->last_cycle, b->last_cycle);
		equal(a->intact, b->intact);
		equal(a->logged_pass, b->logged_pass);
		equal(a->rule, b->rule);
		equal(a->keep_slot, b->keep_slot);
		equal(a->release, b->release);
		equal(a->signature, 0);
	}
}

static void compare_counts(const struct scene *s, const struct loom_count *got, const struct loom_count *want, size_t n)
{
	for (size_t at = 0; at < n; at++) {
		equal(got[at].worms, want[at].worms);
		equal(got[at].flits, want[at].flits);
		equal(got[at].blocked_cycles, want[at].blocked_cycles);
	}
}

static void compare_releases(const struct scene *s, const struct loom_trace *got, const struct loom_trace *want)
{
	equal(got->released != NULL, want->released != NULL);
	equal(got->first_entry != NULL, want->first_entry != NULL);
	if (!want->released)
		return;
	for (uint32_t u = 0; u <= want->n_nodes; u++)
		equal(got->first_entry[u], want->first_entry[u]);
	for (size_t e = 0; e < want->first_entry[want->n_nodes]; e++)
		equal(got->released[e], want->released[e]);
}

static void compare(const struct scene *s, const struct loom_trace *got, const struct loom_trace *want)
{
	equal(got->n_nodes, want->n_nodes);
	equal(got->n_channels, want->n_channels);
	equal(got->n_passes, want->n_passes);
	equal(got->machine, want->machine);
	compare_arrivals(s, got, want);
	compare_releases(s, got, want);
	for (uint32_t u = 0; u < got->n_nodes; u++) {
		equal(got->sent[u], want->sent[u]);
		equal(got->corrupt[u], 0);
	}
}

// The cycle in which the last of n passes begins: one pass after the other, each of nine cycles at least, with three to
// notice its end and eight to make the next one ready.
static uint64_t began_of(const struct plan_reference *r, uint32_t n)
{
	uint64_t began = 8;
	for (uint32_t pass = 0; pass + 1 < n; pass++)
		began += (r->last[pass] + 3 > 9 ? r->last[pass] + 3 : 9) + 8;
	return began;
}

static void compare_back_to_back(const struct scene *s, const struct loom_trace *got, const struct loom_trace *want,
                                 const struct plan_reference *r)
{
	const uint32_t n = want->n_passes;
	equal(got->back_to_back != NULL, loom_back_to_back_possible(s->plan));
	if (!got->back_to_back)
		return;
	compare(s, got->back_to_back, want);
	compare_counts(s, got->back_to_back->counts, want->counts + (size_t)(n - 1) * want->n_channels,
	               want->n_channels);
	equal(got->back_to_back->began, began_of(r, n));
	equal(got->back_to_back->back_to_back != NULL, 0);
}

struct interval {
	uint64_t first, after;
};

static int by_first(const void *a, const void *b)
{
	const struct interval *x = a, *y = b;
	return x->first < y->first ? -1 : x->first > y->first;
}

// The cycles in which some header waits for a channel, of the messages of a pass or of a free run, by what their crossings say.
static uint64_t count_blocked(const struct loom_plan *plan, const struct loom_machine_crossings *c, uint32_t pass,
                              uint32_t channel)
{
	struct interval *list = calloc(plan->n_messages + 1, sizeof *list);
	uint64_t sum = 0, until = 0;
	size_t n = 0;
	assert_non_null(list);
	for (size_t i = 0; i < plan->n_messages; i++)
		for (size_t k = c->first[i]; k < c->first[i + 1]; k++)
			if (c->at[k].channel == channel && (plan->free_running || plan->messages[i].pass == pass))
				list[n++] = (struct interval){c->at[k].asked, c->at[k].header};
	qsort(list, n, sizeof *list, by_first);
	for (size_t k = 0; k < n; k++) {
		const uint64_t first = list[k].first > until ? list[k].first : until;
		sum += list[k].after > first ? list[k].after - first : 0;
		until = list[k].after > until ? list[k].after : until;
	}
	free(list);
	return sum;
}

// Checks that a message's crossings are those of its route; a node's own two channels have one lane.
static void check_way(const struct loom_plan *plan, const struct loom_machine_crossings *c, size_t i)
{
	const size_t first = c->first[i], last = c->first[i + 1] - 1;
	struct loom_route route;
	uint32_t channel;
	loom_plan_route_begin(&route, plan, i);
	for (size_t k = first; k <= last; k++) {
		assert_true(loom_route_next(&route, &channel));
		assert_int_equal(c->at[k].channel, channel);
		assert_int_equal(c->at[k].lane, k == first || k == last ? 0 : route.vc);
	}
}

static void check_crossings(const struct scene *s, const struct loom_machine_crossings *c,
                            const struct plan_reference *r, const struct loom_trace *want)
{
	const struct loom_plan *plan = s->plan;
	for (size_t i = 0; i < plan->n_messages; i++) {
		const size_t first = c->first[i], after = c->first[i + 1];
		equal(after - first, loom_plan_route_length(plan, i));
		if (first == after)
			continue;
		check_way(plan, c, i);
		equal(c->at[first].asked, r->offer[i]);
		equal(c->at[after - 1].header, r->header[i]);
		equal(c->at[after - 1].tail, r->tail[i]);
		for (size_t k = first; k < after; k++) {
			assert_true(c->at[k].asked <= c->at[k].header);
			assert_true(c->at[k].header + plan->messages[i].flits - 1 <= c->at[k].tail);
			assert_true(k == first ||
			            (c->at[k - 1].header < c->at[k].asked && c->at[k - 1].tail < c->at[k].tail));
		}
	}
	for (uint32_t pass = 0; pass < (plan->free_running ? 1 : plan->n_passes); pass++)
		for (uint32_t channel = 0; channel < want->n_channels; channel++)
			equal(count_blocked(plan, c, pass, channel), loom_trace_blocked(want, plan, pass, channel));
}

// Repeats the run with the engine that reports crossings.
static void run_with_crossings(struct scene *s, const struct loom_machine_options *usual,
                               const struct plan_reference *r, const struct loom_trace *want)
{
	struct loom_machine_crossings crossings = {0};
	struct loom_machine_options options = *usual;
	struct loom_trace got;
	options.crossings = &crossings;
	assert_int_equal(loom_machine_run(&got, s->plan, &options, NULL), 0);
	compare(s, &got, want);
	compare_counts(s, got.counts, want->counts, (size_t)want->n_passes * want->n_channels);
	check_crossings(s, &crossings, r, want);
	loom_machine_crossings_free(&crossings);
	loom_trace_free(&got);
}

// Checks the cycles from the start to the last tail; `last` is the last cycle of a free run.
static void check_all_cycles(const struct scene *s, const struct plan_reference *r, uint64_t last)
{
	const enum loom_machine machine = s->paper ? LOOM_MACHINE_PAPER : LOOM_MACHINE_FAST;
	const uint32_t n = s->plan->n_passes;
	uint64_t got, want = began_of(r, n) + r->last[n - 1];
	if (s->plan->free_running)
		want = 8 + last;
	assert_int_equal(loom_machine_cycles(&got, s->plan, machine, NULL), 0);
	equal(got, want);
}

static void run(struct scene *s)
{
	const struct loom_plan *plan = s->plan;
	const enum loom_machine machine = s->paper ? LOOM_MACHINE_PAPER : LOOM_MACHINE_FAST;
	struct loom_machine_times *times = calloc(plan->n_messages + 1, sizeof *times);
	uint64_t *cycles = calloc((size_t)plan->n_passes + 1, sizeof *cycles), last = 0;
	struct loom_machine_options options = {.image = {.machine = machine, .seed = UINT64_C(0x1234500000067)},
	                                       .run = {.back_to_back = s->seed % 2},
	                                       .times = times,
	                                       .cycles = cycles};
	struct plan_reference r;
	struct loom_trace got, want;
	struct loom_err err = {0};
	assert_true(times && cycles);
	assert_int_equal(plan_reference_make(&r, plan, machine), 0);
	flawless_trace_of(&want, &r, machine);
	if (loom_machine_run(&got, plan, &options, &err) != 0)
		fail_msg("%s, %s, seed %llu: %s", plan->topo.name, s->what, (unsigned long long)s->seed, err.text);
	compare(s, &got, &want);
	compare_counts(s, got.counts, want.counts, (size_t)want.n_passes * want.n_channels);
	equal(got.payload.seed, 0x12345 ^ 0x67);
	if (options.run.back_to_back)
		compare_back_to_back(s, &got, &want, &r);
	else
		equal(got.back_to_back != NULL, 0);
	for (size_t i = 0; i < plan->n_messages; i++) {
		equal(times[i].offered, r.offer[i]);
		equal(times[i].header, r.header[i]);
		equal(times[i].tail, r.tail[i]);
	}
	for (uint32_t pass = 0; pass < plan->n_passes; pass++) {
		last = r.last[pass] > last ? r.last[pass] : last;
		if (!plan->free_running)
			equal(cycles[pass], r.last[pass]);
	}
	if (plan->free_running)
		equal(cycles[0], last);
	check_all_cycles(s, &r, last);
	run_with_crossings(s, &options, &r, &want);
	free(cycles);
	s->n_blocked += r.blocked;
	tally_add(&s->tally, plan->topo.name);
	loom_trace_free(&got);
	loom_trace_free(&want);
	plan_reference_free(&r);
	free(times);
}

static uint64_t seeds(uint64_t usual)
{
	const char *wanted = getenv("LOOM_RUNS");
	return wanted ? strtoull(wanted, NULL, 10) : usual;
}

static void test_every_kind_is_here(void **state)
{
	(void)state;
	const struct loom_topo_kind *kind;
	for (size_t k = 0; (kind = loom_topo_kind_at(k)) != NULL; k++) {
		const size_t length = strlen(kind->name);
		bool found = kind->router == LOOM_ROUTER_CIRCUITS; // tests/e2e/circuits.c walks through its cycles
		for (size_t f = 0; f < N_FABRICS; f++)
			found = found || (strncmp(fabrics[f], kind->name, length) == 0 && fabrics[f][length] == ':');
		if (!found)
			fail_msg("%s is not run", kind->name);
	}
}

static void check_plans(enum random_plan_kind kind, const char *what)
{
	struct scene s = {.what = what};
	uint64_t last = seeds(3);
	for (size_t f = 0; f < N_FABRICS; f++)
		for (s.seed = 1; s.seed <= last; s.seed++) {
			struct loom_plan plan;
			if (kind == RANDOM_FREE && strstr(fabrics[f], "otis")) // with light there are none
				continue;
			random_plan_on(&plan, kind, fabrics[f], s.seed + 100 * f);
			s.plan = &plan;
			for (int paper = 0; paper <= (kind != RANDOM_FREE); paper++) {
				s.paper = paper;
				run(&s);
			}
			loom_plan_free(&plan);
		}
	tally_print(&s.tally, s.what);
	assert_true(s.n_blocked > 1000);
}

static void test_passes(void **state)
{
	(void)state;
	check_plans(RANDOM_BARRIER, "passes");
}

static void test_relays(void **state)
{
	(void)state;
	check_plans(RANDOM_RELAYED, "relays");
}

static void test_free_runs(void **state)
{
	(void)state;
	check_plans(RANDOM_FREE, "free run");
}

// Sends, delays, waits, cycles to wait for.
static void test_programs(void **state)
{
	(void)state;
	struct scene s = {.what = "programs"};
	uint64_t last = seeds(2);
	for (size_t f = 0; f < N_FABRICS; f++)
		for (s.seed = 1; s.seed <= last; s.seed++) {
			struct loom_rng rng;
			struct loom_topo topo;
			loom_rng_init(&rng, 1000 * f + s.seed);
			assert_int_equal(loom_topo_parse(&topo, fabrics[f], NULL), 0);
			const struct random_programs what = {.n_nodes = topo.n_nodes,
			                                     .n_messages = 1 + (size_t)loom_rng_below(&rng, 50),
			                                     .most_flits = s.seed % 2 ? 3 : 30,
			                                     .most_cycles = s.seed % 3 ? 5 : 60};
			struct loom_pattern p = random_programs(&what, &rng);
			struct loom_plan plan;
			const int code = loom_plan_make(&plan, &topo, &p, NULL, NULL);
			loom_pattern_free(&p);
			loom_topo_free(&topo);
			if (code) // such messages can lock
				continue;
			s.plan = &plan;
			for (int paper = 0; paper <= 1; paper++) {
				s.paper = paper;
				run(&s);
			}
			loom_plan_free(&plan);
		}
	tally_print(&s.tally, s.what);
	assert_true(s.n_blocked > 1000);
}

// Headers have labels of routes, and routes their lanes.
static void test_chosen_routes(void **state)
{
	(void)state;
	static const char *const tables[] = {"table-mesh:3x3", "table-mesh:2x4v2", "table-torus:3x4v4",
	                                     "table-cube:3",   "table-mesh:3x4v3", "table-torus:3x4v8"};
	struct scene s = {.what = "chosen routes"};
	unsigned n_chosen = 0;
	uint64_t last = seeds(4);
	for (size_t f = 0; f < sizeof tables / sizeof tables[0]; f++)
		for (s.seed = 1; s.seed <= last; s.seed++) {
			struct loom_rng rng;
			struct loom_topo topo;
			struct loom_plan plan;
			loom_rng_init(&rng, 50 * f + s.seed);
			assert_int_equal(loom_topo_parse(&topo, tables[f], NULL), 0);
			struct loom_pattern p = pattern_by_hand(&rng, topo.n_nodes, 40, 1);
			const struct loom_plan_options options = {.planner = s.seed % 2 ? "reroute" : "routes+passes",
			                                          .most_steps = 200,
			                                          .detours = s.seed % 2 ? 2 : 0};
			const int code = loom_plan_make(&plan, &topo, &p, &options, NULL);
			loom_pattern_free(&p);
			if (code)
				continue;
			s.plan = &plan;
			n_chosen += plan.routes.n > 0;
			for (int paper = 0; paper <= 1; paper++) {
				s.paper = paper;
				run(&s);
			}
			loom_plan_free(&plan);
		}
	tally_print(&s.tally, s.what);
	assert_true(n_chosen * 2 > last * 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_kind_is_here),
		cmocka_unit_test(test_passes),
		cmocka_unit_test(test_relays),
		cmocka_unit_test(test_free_runs),
		cmocka_unit_test(test_programs),
		cmocka_unit_test(test_chosen_routes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
