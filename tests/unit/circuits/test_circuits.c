// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Schedules of circuit switches: each planner's carry the demand; rotors are Latin squares; light is as short as a search written
// apart says, never longer than the others, and no longer with more budget; bounds hold; what is wrong is refused in a line.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/circuits.h>
#include <flitloom/math/latin.h>

#include "base/rng.h"
#include "circuits/circuits_internal.h"
#include "reference/ref_circuits.h"
#include "unit/help/demands.h"

static void plan(struct loom_circuit_schedule *out, const struct loom_demand *d,
                 const struct loom_circuit_options *options)
{
	struct loom_err err = {0};
	if (loom_circuit_plan(out, d, options, &err) != 0)
		fail_msg("%s: %s", options->planner, err.text);
	if (loom_circuit_check(out, d, &err) != 0)
		fail_msg("%s: %s", options->planner, err.text);
}

static uint64_t makespan(const struct loom_demand *d, const struct loom_circuit_options *options)
{
	struct loom_circuit_schedule s;
	plan(&s, d, options);
	const uint64_t cycles = s.makespan;
	loom_circuit_schedule_free(&s);
	return cycles;
}

// --- All planners

static void test_all_carry(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 400; seed++) {
		struct loom_demand d;
		struct loom_err err;
		struct loom_rng rng;
		struct loom_circuit_bound bound;
		loom_rng_init(&rng, seed);
		const uint32_t n = 1 + (uint32_t)loom_rng_below(&rng, 18);
		random_demand(&d, n, 1 + (uint32_t)loom_rng_below(&rng, 4), seed % 2 ? 300 : 4, seed);
		struct loom_circuit_options o = {.n_switches = 1 + (uint32_t)loom_rng_below(&rng, 4),
		                                 .dark = (uint32_t)loom_rng_below(&rng, 40),
		                                 .relay = seed % 3 == 0,
		                                 .relay_cycles = (uint32_t)loom_rng_below(&rng, 50),
		                                 .seed = seed,
		                                 .budget = 20000};
		assert_int_equal(loom_circuit_bound_find(&bound, &d, &o, &err), 0);
		uint64_t light = UINT64_MAX;
		for (size_t k = 0; (o.planner = loom_circuit_planner_name(k)); k++) {
			const uint64_t cycles = makespan(&d, &o);
			light = k == 0 ? cycles : light;
			if (cycles < bound.cycles)
				fail_msg("seed %u, %s: %u cycles, a bound of %u", (unsigned)seed, o.planner,
				         (unsigned)cycles, (unsigned)bound.cycles);
			if (light > cycles)
				fail_msg("seed %u: light takes %u cycles, %s %u", (unsigned)seed, (unsigned)light,
				         o.planner, (unsigned)cycles);
		}
		loom_circuit_bound_free(&bound);
		loom_demand_free(&d);
	}
}

static void test_more_budget_is_never_worse(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 12; seed++) {
		struct loom_demand d;
		random_demand(&d, 5 + 3 * (uint32_t)seed % 13, 2, 50, seed);
		struct loom_circuit_options o = {
			.n_switches = 1 + (uint32_t)seed % 3, .dark = 7, .seed = seed, .relay = seed % 4 == 0};
		uint64_t before = UINT64_MAX;
		for (o.budget = 0; o.budget < 2000000; o.budget = o.budget * 3 + 1000) {
			const uint64_t cycles = makespan(&d, &o);
			assert_true(cycles <= before);
			assert_int_equal(cycles, makespan(&d, &o)); // the same again
			before = cycles;
		}
		loom_demand_free(&d);
	}
}

static bool stop(void *user)
{
	return ++*(unsigned *)user > 3;
}

static void test_a_search_can_be_stopped(void **state)
{
	(void)state;
	unsigned asked = 0;
	struct loom_demand d;
	random_demand(&d, 24, 2, 500, 5);
	const struct loom_circuit_options o = {
		.n_switches = 1, .dark = 10, .budget = UINT64_MAX, .stopped = stop, .user = &asked};
	(void)makespan(&d, &o);
	assert_true(asked > 3);
	loom_demand_free(&d);
}

// --- Comparison with an independent search

static void assert_least(const struct loom_demand *d, uint32_t dark)
{
	const struct loom_circuit_options o = {.n_switches = 1, .dark = dark, .budget = LOOM_CIRCUIT_BUDGET};
	struct loom_circuit_schedule s;
	plan(&s, d, &o);
	const uint64_t least = ref_circuits_least(d->flits, d->n, dark);
	if (s.makespan != least || (d->n <= 5 && !s.optimal)) {
		for (uint32_t p = 0; p < d->n * d->n; p++)
			print_error(" %u", d->flits[p]);
		fail_msg("dark %u: %u cycles, not %u", dark, (unsigned)s.makespan, (unsigned)least);
	}
	loom_circuit_schedule_free(&s);
}

static void test_least(void **state)
{
	(void)state;
	static const uint32_t dark[] = {0, 1, 5, 20};
	struct loom_demand d;
	for (unsigned code = 0; code < 729; code++) { // all of 3 nodes
		random_demand(&d, 3, 1, 1, 0);
		for (unsigned p = 0, rest = code; p < 9; p++)
			if (p / 3 != p % 3) {
				d.flits[p] = rest % 3;
				rest /= 3;
			}
		for (size_t k = 0; k < 4; k++) {
			assert_least(&d, dark[k]);
			assert_int_equal(ref_circuits_least(d.flits, 3, dark[k]),
			                 ref_circuits_tried(d.flits, 3, dark[k]));
		}
		loom_demand_free(&d);
	}
	for (uint64_t seed = 0; seed < 300; seed++) {
		random_demand(&d, 4 + (uint32_t)seed % 4, 1 + (uint32_t)seed % 3, 2, seed);
		assert_least(&d, dark[seed % 4]);
		loom_demand_free(&d);
	}
}

// --- Rotors

// The library's test of Latin squares (test_latin.c): no entry is twice in a row or a column. With the identity in front, which a
// rotor leaves out, it is a whole square.
static void assert_latin(const struct loom_circuit_schedule *s)
{
	const uint32_t n = s->n_nodes;
	uint8_t *seen = calloc((size_t)n * n, 1);
	assert_non_null(seen);
	assert_int_equal(s->on[0].n_slots, n - 1);
	for (uint32_t j = 0; j < n; j++)
		seen[j * n + j] = 1;
	for (uint32_t i = 0; i + 1 < n; i++) {
		uint8_t *row = calloc(n, 1);
		assert_non_null(row);
		for (uint32_t j = 0; j < n; j++) {
			const uint32_t to = s->on[0].slot[i].to[j];
			assert_true(to < n && !row[to] && !seen[j * n + to]);
			row[to] = seen[j * n + to] = 1;
		}
		free(row);
	}
	free(seen);
}

// Everybody sends u flits to everybody else: n - 1 slots of u cycles, so that a port carries u / (u + dark) flits per cycle, but for
// the dark after the last slot, which is none.
static void test_rotor(void **state)
{
	(void)state;
	for (uint32_t n = 2; n <= 67; n++) {
		struct loom_demand d;
		struct loom_circuit_schedule s;
		const uint32_t u = 1 + n % 9, dark = n % 5;
		random_demand(&d, n, 1, 1, 0);
		for (uint32_t p = 0; p < n * n; p++)
			d.flits[p] = p / n == p % n ? 0 : u;
		const struct loom_circuit_options o = {.planner = "rotor", .n_switches = 1, .dark = dark};
		plan(&s, &d, &o);
		assert_latin(&s);
		assert_int_equal(s.makespan + dark, (uint64_t)(n - 1) * (u + dark));
		if ((n & (n - 1)) == 0) { // the library's own square of that size, but for the identity
			struct loom_min net = {.kind = LOOM_MIN_OMEGA};
			uint16_t row0[64], row[64];
			while (1u << net.m < n)
				net.m++;
			loom_latin_row0(row0, &net);
			for (uint32_t i = 1; i < n; i++) {
				loom_latin_rows(row, row0, net.m, i, 1);
				for (uint32_t j = 0; j < n; j++)
					assert_int_equal(row[j], s.on[0].slot[i - 1].to[j]);
			}
		}
		loom_circuit_schedule_free(&s);
		loom_demand_free(&d);
	}
}

// A single pair's flits take all n - 1 slots without relays; with relays through the other nodes two rounds of short
// slots.
static void test_rotor_relays(void **state)
{
	(void)state;
	struct loom_demand d;
	struct loom_circuit_schedule s;
	struct loom_circuit_options o = {.planner = "rotor", .n_switches = 1, .dark = 2};
	random_demand(&d, 16, 1000000, 1, 0);
	d.flits[5] = 1600;
	const uint64_t straight = makespan(&d, &o);
	assert_int_equal(straight, 15 * 1602 - 2);
	o.relay = true;
	plan(&s, &d, &o);
	assert_int_equal(s.makespan, 2 * 15 * 102 - 2);
	size_t n_relayed = 0;
	for (size_t p = 0; p < s.n_parcels; p++)
		n_relayed += s.parcel[p].before > 0;
	assert_int_equal(n_relayed, 14);
	loom_circuit_schedule_free(&s);
	loom_demand_free(&d);
}

// Schedules with relays need fewer slots, and permission for relays never makes a schedule longer.
static void test_relays_pay(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 60; seed++) {
		struct loom_demand d;
		struct loom_circuit_schedule s;
		struct loom_circuit_options o = {.n_switches = 1,
		                                 .dark = (uint32_t)seed % 4 * 15,
		                                 .budget = 100000,
		                                 .seed = seed,
		                                 .relay_cycles = (uint32_t)seed % 3};
		random_demand(&d, 3 + (uint32_t)seed % 14, 1 + (uint32_t)seed % 2, 1 + (uint32_t)seed % 7, seed);
		const uint64_t straight = makespan(&d, &o);
		o.relay = true;
		plan(&s, &d, &o);
		assert_true(s.makespan <= straight);
		loom_circuit_schedule_free(&s);
		loom_demand_free(&d);
	}
	// All of 16 to all others, a flit each: 15 slots, or 6 with relays, 1, 2, 3, 4, 8 and 12 further on.
	struct loom_demand d;
	struct loom_circuit_schedule s;
	struct loom_circuit_options o = {.n_switches = 1, .dark = 100};
	random_demand(&d, 16, 1, 1, 0);
	assert_int_equal(makespan(&d, &o), 15 * 101 - 100);
	o.relay = true;
	o.budget = LOOM_CIRCUIT_BUDGET;
	plan(&s, &d, &o);
	assert_true(s.makespan < 6 * 105 - 100);
	assert_true(s.on[0].n_slots <= 6);
	loom_circuit_schedule_free(&s);
	loom_demand_free(&d);
}

// Slots are cut where that pays: a pair's 100 flits go over four switches at once; of three slots of 60 one goes in halves, which
// costs a turn more, and is done after 100 cycles instead of 130.
static void test_switches_share(void **state)
{
	(void)state;
	struct loom_demand d;
	struct loom_circuit_options o = {.n_switches = 4, .dark = 7};
	random_demand(&d, 4, 1000000, 1, 0);
	d.flits[1] = 100;
	assert_int_equal(makespan(&d, &o), 25);
	o.n_switches = 2;
	o.dark = 10;
	d.flits[1] = d.flits[2] = d.flits[3] = 60;
	assert_int_equal(makespan(&d, &o), 100);
	loom_demand_free(&d);
}

// --- Errors that the check must find

static void test_check_sees(void **state)
{
	(void)state;
	struct loom_demand d;
	struct loom_circuit_schedule s;
	struct loom_err err;
	const struct loom_circuit_options o = {.planner = "rotor", .n_switches = 2, .dark = 3, .relay = true};
	random_demand(&d, 6, 3, 90, 4);
	plan(&s, &d, &o);
	size_t second = 0;
	while (second < s.n_parcels && !s.parcel[second].before)
		second++;
	assert_true(second < s.n_parcels);
#define SEES(place, wrong, part)                                                                                       \
	do {                                                                                                           \
		const __typeof__(place) kept = (place);                                                                \
		(place) = (wrong);                                                                                     \
		assert_int_equal(loom_circuit_check(&s, &d, &err), LOOM_EINPUT);                                       \
		if (!strstr(err.text, part))                                                                           \
			fail_msg("%s", err.text);                                                                      \
		(place) = kept;                                                                                        \
		assert_int_equal(loom_circuit_check(&s, &d, &err), 0);                                                 \
	} while (0)
	SEES(s.makespan, s.makespan + 1, "makespan");
	SEES(s.on[0].slot[0].cycles, 0, "0 cycles");
	SEES(s.on[0].slot[0].to[0], 0, "sends node 0 to 0");
	SEES(s.on[0].slot[0].to[0], s.on[0].slot[0].to[1], "which takes one");
	SEES(s.parcel[0].flits, s.parcel[0].flits + 1, "");
	SEES(s.parcel[0].begin, 1000, "does not fit");
	SEES(s.parcel[0].destination, s.parcel[0].source, "has no light");
	SEES(s.parcel[second].before, 0, "has not been brought");
	SEES(s.relay_cycles, 100000, "before it has arrived");
	SEES(d.flits[1], d.flits[1] + 1, "left over");
	SEES(s.n_parcels, s.n_parcels - 1, "");
#undef SEES
	loom_circuit_schedule_free(&s);
	loom_demand_free(&d);
}

static void test_refused(void **state)
{
	(void)state;
	struct loom_demand d;
	struct loom_circuit_schedule s;
	struct loom_err err;
	struct loom_circuit_options o = {.planner = "rotors", .n_switches = 1};
	random_demand(&d, 4, 1, 5, 1);
	assert_int_equal(loom_circuit_plan(&s, &d, &o, &err), LOOM_EINPUT);
	assert_non_null(strstr(err.text, "did you mean \"rotor\"?"));
	o.planner = NULL;
	o.n_switches = 0;
	assert_int_equal(loom_circuit_plan(&s, &d, &o, &err), LOOM_EINPUT);
	o.n_switches = 1;
	o.dark = LOOM_CIRCUIT_DARK_MOST + 1;
	assert_int_equal(loom_circuit_plan(&s, &d, &o, &err), LOOM_EINPUT);
	o.dark = 0;
	d.flits[0] = 1;
	assert_int_equal(loom_circuit_plan(&s, &d, &o, &err), LOOM_EINPUT);
	assert_non_null(strstr(err.text, "to itself"));
	d.flits[0] = 0;
	d.flits[1] = d.flits[2] = 0x80000000u;
	assert_int_equal(loom_circuit_plan(&s, &d, &o, &err), LOOM_EINPUT);
	assert_non_null(strstr(err.text, "2^31"));
	loom_demand_free(&d);
	assert_int_equal(loom_demand_init(&d, 4097, &err), LOOM_EINPUT);
}

static void test_nothing_to_send(void **state)
{
	(void)state;
	for (size_t k = 0; loom_circuit_planner_name(k); k++) {
		struct loom_demand d;
		const struct loom_circuit_options o = {
			.planner = loom_circuit_planner_name(k), .n_switches = 2, .dark = 3};
		random_demand(&d, 3, 1000000, 1, 0);
		assert_int_equal(makespan(&d, &o), 0);
		loom_demand_free(&d);
	}
}

// --- Files

static void assert_file(const char *path, const char *wanted)
{
	char text[512] = "";
	FILE *file = fopen(path, "r");
	assert_non_null(file);
	text[fread(text, 1, sizeof text - 1, file)] = 0;
	(void)fclose(file);
	(void)remove(path);
	assert_string_equal(text, wanted);
}

// Two switches: 0 -> 1 of 5 flits, 1 -> 0 and then 1 -> 2.
static void test_files(void **state)
{
	(void)state;
	uint32_t a[] = {1, 0, LOOM_CIRCUIT_NO_PORT}, b[] = {LOOM_CIRCUIT_NO_PORT, 2, 0};
	struct loom_circuit_slot first[] = {{5, a}, {2, b}}, second[] = {{1, b}};
	struct loom_circuit_switch on[] = {{first, 2}, {second, 1}};
	const struct loom_circuit_schedule s = {.n_nodes = 3, .n_switches = 2, .dark = 3, .on = on, .makespan = 10};
	struct loom_err err;
	assert_int_equal(loom_circuit_write("/tmp/test_circuits.txt", &s, &err), 0);
	assert_file("/tmp/test_circuits.txt", "1 -1 0 2 -1 0\n1 -1 0 -1 -1 -1\n-1 -1 -1 -1 -1 -1\n-1 -1 2 -1 0 -1\n");
	assert_int_equal(loom_circuit_write("/tmp/test_circuits.csv", &s, &err), 0);
	assert_file(
		"/tmp/test_circuits.csv",
		"begin,cycles,node0.0,node0.1,node1.0,node1.1,node2.0,node2.1\n0,1,1,-1,0,2,-1,0\n1,4,1,-1,0,-1,-1,-1\n"
		"5,3,-1,-1,-1,-1,-1,-1\n8,2,-1,-1,2,-1,0,-1\n");
	assert_int_equal(loom_circuit_write("schedule.xls", &s, &err), LOOM_EINPUT);
	assert_int_equal(loom_circuit_write("/nonexistent/a.csv", &s, &err), LOOM_EFILE);
}

static void test_facts(void **state)
{
	(void)state;
	struct loom_demand d;
	struct loom_circuit_schedule s;
	struct loom_circuit_facts f;
	const struct loom_circuit_bound bound = {.cycles = 20};
	const struct loom_circuit_options o = {.planner = "rotor", .n_switches = 1, .dark = 4};
	random_demand(&d, 4, 1, 1, 0);
	plan(&s, &d, &o);
	loom_circuit_facts_of(&f, &s, &d, &bound);
	assert_int_equal(f.makespan, 11);
	assert_int_equal(f.flits, 12);
	assert_int_equal(f.n_slots, 3);
	assert_int_equal(f.light, 3);
	assert_int_equal(f.dark, 8);
	assert_true(f.dark_share * 11 > 7.999 && f.dark_share * 11 < 8.001);
	assert_true(f.utilisation * 44 > 11.999 && f.utilisation * 44 < 12.001);
	loom_circuit_schedule_free(&s);
	loom_demand_free(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_carry),
		cmocka_unit_test(test_more_budget_is_never_worse),
		cmocka_unit_test(test_a_search_can_be_stopped),
		cmocka_unit_test(test_least),
		cmocka_unit_test(test_rotor),
		cmocka_unit_test(test_rotor_relays),
		cmocka_unit_test(test_relays_pay),
		cmocka_unit_test(test_switches_share),
		cmocka_unit_test(test_check_sees),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_nothing_to_send),
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_facts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
