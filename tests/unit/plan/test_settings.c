// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "unit/help/networks.h"
#include "plan/switch_settings.h"

enum { WORDS_MAX = REF_MIN_M_MAX * REF_MIN_N_MAX / 2 / 32 };
static bool crossed[REF_MIN_M_MAX][REF_MIN_N_MAX / 2], used[REF_MIN_M_MAX][REF_MIN_N_MAX / 2];

// Sets the reference's switches for the message; returns false at the first that is already set the other way.
static bool set_path(const struct ref_min *ref, uint32_t source, uint32_t destination)
{
	uint32_t line[REF_MIN_M_MAX], at = source;
	assert_true(ref_min_path(line, ref, source, destination));
	for (unsigned s = 0; s < ref->m; s++) {
		uint32_t in = ref->wire[s][at];
		bool wanted = (in & 1) != (line[s] & 1);
		assert_int_equal(in / 2, line[s] / 2);
		if (used[s][in / 2] && crossed[s][in / 2] != wanted)
			return false;
		used[s][in / 2] = true;
		crossed[s][in / 2] = wanted;
		at = line[s];
	}
	return true;
}

static bool slow_possible(const struct loom_plan *plan, uint32_t pass)
{
	memset(crossed, 0, sizeof crossed);
	memset(used, 0, sizeof used);
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		if (m->pass == pass &&
		    !set_path(reference_of(plan, m->rule), plan->map[m->source], plan->map[m->destination]))
			return false;
	}
	return true;
}

// Reads the words by the layout of docs/registers.md into crossed[][].
static void read_words(const struct loom_plan *plan, const uint32_t *words)
{
	uint32_t n_switches = plan->topo.n_nodes / 2, per_stage = (n_switches + 31) / 32;
	assert_int_equal(loom_switch_settings_words_per_stage(&plan->topo), per_stage);
	memset(crossed, 0, sizeof crossed);
	for (unsigned s = 0; s < plan->topo.label_bits; s++)
		for (uint32_t q = 0; q < per_stage * 32; q++) {
			bool bit = words[s * per_stage + q / 32] >> q % 32 & 1;
			if (q < n_switches)
				crossed[s][q] = bit;
			else
				assert_false(bit);
		}
}

// Checks by the reference that the settings deliver every message of every pass, and that unused switches are straight.
static void check_plan(const struct loom_plan *plan)
{
	for (uint32_t pass = 0; pass < plan->n_passes; pass++) {
		static bool wanted[REF_MIN_M_MAX][REF_MIN_N_MAX / 2];
		uint32_t words[WORDS_MAX + 1], to[REF_MIN_N_MAX];
		struct loom_err err = {0};
		unsigned rule = 0;
		words[plan->topo.label_bits * loom_switch_settings_words_per_stage(&plan->topo)] = 0xabadcafe;
		if (loom_switch_settings_of_pass(words, plan, pass, &err) != 0)
			fail_msg("%s pass %u: %s", plan->topo.name, pass, err.text);
		assert_int_equal(words[plan->topo.label_bits * loom_switch_settings_words_per_stage(&plan->topo)],
		                 0xabadcafe);
		assert_true(slow_possible(plan, pass));
		memcpy(wanted, crossed, sizeof wanted);
		read_words(plan, words);
		assert_memory_equal(wanted, crossed, sizeof wanted);
		for (size_t i = 0; i < plan->n_messages; i++)
			if (plan->messages[i].pass == pass)
				rule = plan->messages[i].rule;
		ref_min_evaluate(to, reference_of(plan, rule), crossed);
		for (size_t i = 0; i < plan->n_messages; i++) {
			const struct loom_plan_message *m = &plan->messages[i];
			if (m->pass == pass)
				assert_int_equal(to[plan->map[m->source]], plan->map[m->destination]);
		}
	}
}

static void test_passes_that_can(void **state)
{
	(void)state;
	static const char *const specs[] = {"random-perm", "uniform:40", "all-to-all"};
	for (unsigned k = 0; k < NETS; k++)
		for (unsigned m = 1; m <= 8; m++)
			for (size_t i = 0; i < 3; i++) {
				struct loom_plan plan;
				char fabric[32], map[2048];
				if (i == 2 && m > 4)
					continue;
				(void)snprintf(fabric, sizeof fabric, "%s:%u", net_names[k], 1u << m);
				random_map(map, 1u << m, k + m);
				plan_on(&plan, fabric, specs[i], "min_passes", k & 1 ? map : NULL, 3, 100 * k + m);
				check_plan(&plan);
				loom_plan_free(&plan);
			}
	for (unsigned m = 1; m <= 7; m++) {
		struct loom_plan plan;
		char fabric[32];
		(void)snprintf(fabric, sizeof fabric, "benes:%u", 1u << m);
		plan_on(&plan, fabric, "random-perm", "two_pass", NULL, 3, m);
		check_plan(&plan);
		loom_plan_free(&plan);
	}
}

// Random permutations and short lists of 4 and 8 nodes: whether there is a setting, and that the switch and messages
// that are named do clash.
static void test_passes_that_cannot(void **state)
{
	(void)state;
	unsigned n_possible = 0, n_not = 0;
	for (uint64_t seed = 0; seed < 600; seed++) {
		struct loom_plan plan;
		struct loom_err err = {0};
		uint32_t words[WORDS_MAX];
		char fabric[32], spec[32];
		unsigned pass, q, s, a, b;
		char way[16], other[16];
		(void)snprintf(fabric, sizeof fabric, "%s:%u", net_names[seed % NETS], 4u << seed / NETS % 2);
		(void)snprintf(spec, sizeof spec, seed % 4 ? "random-perm" : "uniform:%u", 2 + (unsigned)(seed % 3));
		plan_on(&plan, fabric, spec, "direct", NULL, 3, seed);
		bool possible = slow_possible(&plan, 0);
		int rc = loom_switch_settings_of_pass(words, &plan, 0, &err);
		if (rc != (possible ? 0 : LOOM_EINPUT))
			fail_msg("%s, %s, seed %u: %d, %s", fabric, spec, (unsigned)seed, rc, err.text);
		n_possible += possible;
		n_not += !possible;
		if (!possible) {
			int n = sscanf(
				err.text,
				"no preset for pass %u: switch %u of stage %u would have to be %15s for message %u "
				"and %15s for message %u",
				&pass, &q, &s, way, &a, other, &b);
			if (n != 7)
				fail_msg("%d of 7 in \"%s\"", n, err.text);
			assert_true(pass == 0 && a < b && b < plan.n_messages && s < plan.topo.label_bits);
			const unsigned message[] = {a, b};
			bool sets[2];
			for (unsigned i = 0; i < 2; i++) { // each alone
				const struct loom_plan_message *m = &plan.messages[message[i]];
				memset(used, 0, sizeof used);
				assert_true(set_path(reference_of(&plan, 0), m->source, m->destination));
				assert_true(used[s][q]);
				sets[i] = crossed[s][q];
			}
			assert_int_not_equal(sets[0], sets[1]);
			assert_string_equal(way, sets[0] ? "crossed" : "straight");
			assert_string_equal(other, sets[1] ? "crossed" : "straight");
		}
		loom_plan_free(&plan);
	}
	assert_true(n_possible > 50 && n_not > 50);
}

static void test_no_switches(void **state)
{
	(void)state;
	struct loom_plan plan;
	struct loom_err err = {0};
	uint32_t words[WORDS_MAX];
	plan_on(&plan, "cube:4", "transpose", "direct", NULL, 3, 1);
	assert_int_equal(loom_switch_settings_of_pass(words, &plan, 0, &err), LOOM_EINPUT);
	assert_string_equal(err.text, "cube:4 has no switches that could be preset; multistage networks have");
	loom_plan_free(&plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_passes_that_can),
		cmocka_unit_test(test_passes_that_cannot),
		cmocka_unit_test(test_no_switches),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
