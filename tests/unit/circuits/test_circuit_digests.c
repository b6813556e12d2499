// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A seed always gives the same: whole schedules of all planners, proofs of bounds, and what is said of schedules
// of which a number was changed, for demands drawn by lot, made one number of. That schedules are right, and how
// good, test_circuits says. After a change that is meant, the numbers below are those that the test prints.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/circuits.h>

#include "base/rng.h"
#include "unit/help/demands.h"

enum { SEEDS = 60, N_PLANNERS = 5 };

static void add(uint64_t *digest, uint64_t word)
{
	*digest = (*digest ^ word) * UINT64_C(0x100000001b3);
}

static void add_text(uint64_t *digest, const char *text)
{
	for (; *text; text++)
		add(digest, (unsigned char)*text);
}

static void add_schedule(uint64_t *digest, const struct loom_circuit_schedule *s)
{
	add(digest, s->makespan);
	add(digest, s->optimal);
	for (uint32_t k = 0; k < s->n_switches; k++)
		for (size_t at = 0; at < s->on[k].n_slots; at++) {
			add(digest, s->on[k].slot[at].cycles);
			for (uint32_t i = 0; i < s->n_nodes; i++)
				add(digest, s->on[k].slot[at].to[i]);
		}
	for (size_t p = 0; p < s->n_parcels; p++) {
		const struct loom_circuit_parcel *x = &s->parcel[p];
		const uint64_t words[] = {x->on, x->slot,  x->source, x->destination, x->from,
		                          x->to, x->begin, x->flits,  x->before};
		for (size_t w = 0; w < sizeof words / sizeof *words; w++)
			add(digest, words[w]);
	}
}

static void add_bound(uint64_t *digest, const struct loom_demand *d, const struct loom_circuit_options *o)
{
	struct loom_circuit_bound b;
	struct loom_err err;
	assert_int_equal(loom_circuit_bound_find(&b, d, o, &err), 0);
	add(digest, b.cycles);
	add(digest, b.slots_least);
	for (size_t i = 0; i < b.n_steps; i++) {
		const struct loom_circuit_step *x = &b.step[i];
		const uint64_t words[] = {x->slots_from, x->slots_to,  x->light,    x->cycles,
		                          x->first,      x->n_windows, x->by_prices};
		for (size_t w = 0; w < sizeof words / sizeof *words; w++)
			add(digest, words[w]);
	}
	for (size_t i = 0; i < b.n_windows; i++) {
		add(digest, b.window[i].line);
		add(digest, b.window[i].k);
	}
	loom_circuit_bound_free(&b);
}

// Changes a number of the schedule by one, or by much.
static void damage(struct loom_circuit_schedule *s, struct loom_rng *rng)
{
	const uint32_t by = loom_rng_below(rng, 2) ? 1 : UINT32_MAX;
	struct loom_circuit_switch *on = &s->on[loom_rng_below(rng, s->n_switches)];
	struct loom_circuit_parcel *p = s->n_parcels ? &s->parcel[loom_rng_below(rng, s->n_parcels)] : NULL;
	struct loom_circuit_slot *slot = on->n_slots ? &on->slot[loom_rng_below(rng, on->n_slots)] : NULL;
	switch (p && slot ? loom_rng_below(rng, 12) : 0) {
	case 0: s->makespan += by; return;
	case 1: p->on += by; return;
	case 2: p->slot += by; return;
	case 3: p->source += by; return;
	case 4: p->destination += by; return;
	case 5: p->from += by; return;
	case 6: p->to += by; return;
	case 7: p->begin += by; return;
	case 8: p->flits += by; return;
	case 9: p->before += by; return;
	case 10: slot->cycles += by; return;
	default: slot->to[loom_rng_below(rng, s->n_nodes)] += by; return;
	}
}

static void add_refusals(uint64_t *digest, const struct loom_demand *d, const struct loom_circuit_options *o,
                         struct loom_rng *rng)
{
	for (unsigned k = 0; k < 12; k++) {
		struct loom_circuit_schedule s;
		struct loom_err err = {0};
		assert_int_equal(loom_circuit_plan(&s, d, o, &err), 0);
		damage(&s, rng);
		const int code = loom_circuit_check(&s, d, &err);
		add(digest, (uint64_t)(uint32_t)code);
		if (code)
			add_text(digest, err.text);
		loom_circuit_schedule_free(&s);
	}
}

struct digests {
	uint64_t schedules[N_PLANNERS], bounds, refusals;
};

static void add_demand(struct digests *to, uint64_t seed)
{
	struct loom_demand d;
	struct loom_rng rng;
	loom_rng_init(&rng, seed);
	random_demand(&d, 1 + (uint32_t)loom_rng_below(&rng, 14), 1 + (uint32_t)loom_rng_below(&rng, 4),
	              seed % 2 ? 200 : 4, seed);
	struct loom_circuit_options o = {.n_switches = 1 + (uint32_t)loom_rng_below(&rng, 3),
	                                 .dark = (uint32_t)loom_rng_below(&rng, 40),
	                                 .relay = seed % 3 == 0,
	                                 .relay_cycles = (uint32_t)loom_rng_below(&rng, 50),
	                                 .seed = seed,
	                                 .budget = seed % 5 == 0 ? 0 : 20000};
	o.n_switches = seed % 2 ? 1 : o.n_switches;
	add_bound(&to->bounds, &d, &o);
	for (size_t k = 0; (o.planner = loom_circuit_planner_name(k)); k++) {
		struct loom_circuit_schedule s;
		struct loom_err err;
		assert_true(k < N_PLANNERS);
		assert_int_equal(loom_circuit_plan(&s, &d, &o, &err), 0);
		add_schedule(&to->schedules[k], &s);
		loom_circuit_schedule_free(&s);
		if (seed % 3 == 0 && k < 2)
			add_refusals(&to->refusals, &d, &o, &rng);
	}
	loom_demand_free(&d);
}

static void expect(const char *name, uint64_t digest, uint64_t expected)
{
	if (digest != expected)
		print_error("%s: 0x%016" PRIx64 ", not 0x%016" PRIx64 "\n", name, digest, expected);
}

static void test_digests(void **state)
{
	(void)state;
	static const struct digests expected = {
		.schedules = {0x8b023f5955fe2257, 0x34bb0353bea926e6, 0x070b99f8da051f35, 0x2558b3df68c8a0d9,
	                      0x03c71c75721a88b4},
		.bounds = UINT64_C(0xae1d75e249a9ff12),
		.refusals = UINT64_C(0xa809c7363be9f4bb),
	};
	struct digests is = {.bounds = 0};
	for (uint64_t seed = 0; seed < SEEDS; seed++)
		add_demand(&is, seed);
	for (size_t k = 0; k < N_PLANNERS; k++)
		expect(loom_circuit_planner_name(k), is.schedules[k], expected.schedules[k]);
	expect("bounds", is.bounds, expected.bounds);
	expect("refusals", is.refusals, expected.refusals);
	assert_memory_equal(&is, &expected, sizeof is);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_digests)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
