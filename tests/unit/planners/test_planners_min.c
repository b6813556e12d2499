// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The planners that make passes: latin, exchange, two_pass, min_passes. Judged by the reference's paths, by walks over
// address bits, and by counting.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <unistd.h>

#include "base/file.h"
#include "unit/help/networks.h"

static unsigned bits_of(uint32_t n)
{
	unsigned m = 0;
	while (1u << m < n)
		m++;
	return m;
}

// Checks that every pair occurs once, with or without pairs of a node with itself.
static void assert_everybody_to_everybody(const struct loom_plan *plan, bool with_self)
{
	uint32_t n = plan->topo.n_nodes;
	bool *seen = calloc((size_t)n * n, sizeof *seen);
	assert_non_null(seen);
	assert_int_equal(plan->n_messages, (size_t)n * (with_self ? n : n - 1));
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		bool *it = &seen[(size_t)m->source * n + m->destination];
		assert_false(*it);
		assert_true(with_self || m->source != m->destination);
		*it = true;
	}
	free(seen);
}

// Returns the messages of one member on the busiest channel, the nodes' own included, by the reference's paths.
static uint32_t slow_bound(const struct loom_plan *plan, uint32_t member)
{
	uint32_t n = plan->topo.n_nodes, most = 0;
	uint32_t *load = calloc((size_t)n * (REF_MIN_M_MAX + 1), sizeof *load);
	assert_non_null(load);
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		const struct ref_min *ref = reference_of(plan, m->rule);
		uint32_t line[REF_MIN_M_MAX + 1];
		if (plan->member_of_pass[m->pass] != member)
			continue;
		assert_true(ref_min_path(line, ref, plan->map[m->source], plan->map[m->destination]));
		line[ref->m] = plan->map[m->source];
		for (unsigned k = 0; k <= ref->m; k++)
			if (++load[k * (size_t)n + line[k]] > most)
				most = load[k * (size_t)n + line[k]];
	}
	free(load);
	return most;
}

// --- latin ---------------------------------------------------------------------------------------------------------

static void test_latin(void **state)
{
	(void)state;
	for (unsigned k = 0; k < NETS + 1; k++)
		for (unsigned m = 1; m <= 7; m++)
			for (unsigned way = 0; way < 4; way++) {
				char fabric[32], map[1024];
				struct loom_plan plan;
				bool with_self = way & 1;
				uint32_t n = 1u << m, flits = 1 + k + m;
				(void)snprintf(fabric, sizeof fabric, "%s:%u", k < NETS ? net_names[k] : "benes", n);
				random_map(map, n, k + way);
				plan_on(&plan, fabric, with_self ? "all-to-all" : "all-to-others", "latin",
				        way & 2 ? map : NULL, flits, 1);
				assert_string_equal(plan.planner, "latin");
				assert_true(plan.free_running);
				assert_int_equal(plan.n_passes, n);
				assert_int_equal(plan.lower_bound, n > 2);
				assert_int_equal(loom_plan_contention(&plan), n > 2);
				assert_everybody_to_everybody(&plan, with_self);
				assert_no_conflicts(&plan);
				assert_int_equal(plan.passes_bound, slow_bound(&plan, 0));
				// Without the messages to oneself some channels may still carry n.
				assert_in_range(plan.passes_bound, with_self ? n : n - 1, n);
				for (size_t i = 0; i < plan.n_messages; i++) { // pass 0 takes F + m, each other F
					const struct loom_plan_message *one = &plan.messages[i];
					assert_int_equal(loom_plan_message_cycles(&plan, one),
					                 flits + m + one->pass * flits);
				}
				if (with_self)
					assert_int_equal(loom_plan_cycles(&plan), (uint64_t)n * flits + m);
				loom_plan_free(&plan);
			}
}

// --- exchange ------------------------------------------------------------------------------------------------------

static void assert_walks_disjoint(const struct loom_plan *plan)
{
	uint32_t n = plan->topo.n_nodes;
	unsigned dimensions = bits_of(n);
	uint32_t *user = calloc((size_t)n * dimensions, sizeof *user);
	assert_non_null(user);
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		uint32_t at = plan->map[m->source], to = plan->map[m->destination];
		for (unsigned k = 0; k < dimensions; k++) {
			unsigned d = m->rule == LOOM_RULE_ASCENDING ? k : dimensions - 1 - k;
			if (((at ^ to) >> d & 1) == 0)
				continue;
			assert_int_not_equal(user[at * dimensions + d], m->pass + 1);
			user[at * dimensions + d] = m->pass + 1;
			at ^= 1u << d;
		}
		assert_int_equal(at, to);
	}
	free(user);
}

static void test_exchange(void **state)
{
	(void)state;
	for (unsigned m = 1; m <= 7; m++)
		for (unsigned way = 0; way < 4; way++) {
			char fabric[32], map[1024];
			struct loom_plan plan;
			uint32_t n = 1u << m, flits = 3 + m;
			(void)snprintf(fabric, sizeof fabric, "cube:%u", m);
			random_map(map, n, m + way);
			plan_on(&plan, fabric, way & 1 ? "all-to-all" : "all-to-others", "exchange",
			        way & 2 ? map : NULL, flits, 1);
			assert_string_equal(plan.planner, "exchange");
			assert_false(plan.free_running);
			assert_int_equal(plan.n_passes, n - 1);
			assert_int_equal(plan.passes_bound, n - 1);
			assert_int_equal(loom_plan_contention(&plan), 1);
			assert_everybody_to_everybody(&plan, way & 1);
			assert_walks_disjoint(&plan);
			uint64_t cycles = 0;
			for (uint32_t d = 1; d < n; d++) {
				unsigned hops = 0;
				for (uint32_t left = d; left; left /= 2)
					hops += left % 2;
				cycles += flits + hops + 1;
			}
			assert_int_equal(loom_plan_cycles(&plan), cycles);
			assert_int_equal(cycles, (uint64_t)(n - 1) * (flits + 1) + (uint64_t)m * n / 2);
			loom_plan_free(&plan);
		}
}

// --- two_pass ------------------------------------------------------------------------------------------------------

// Plays both passes, and gives the sender of the data that every processor holds at the end; a slot holds one message.
static void play(const struct loom_plan *plan, uint32_t *got)
{
	uint32_t n = plan->topo.n_nodes;
	uint32_t slot[1024], held = UINT32_MAX;
	for (uint32_t v = 0; v < n; v++)
		slot[v] = got[v] = held;
	for (uint32_t pass = 0; pass < 2; pass++) {
		uint32_t arrived[1024];
		memcpy(arrived, slot, sizeof arrived);
		for (size_t i = 0; i < plan->n_messages; i++) {
			const struct loom_plan_message *m = &plan->messages[i];
			if (m->pass != pass)
				continue;
			assert_int_equal(m->rule, pass == 0 ? LOOM_RULE_ASCENDING : LOOM_RULE_DESCENDING);
			assert_true(m->from_slot <= 1 && m->keep_slot <= 1);
			uint32_t whose = m->from_slot ? slot[m->source] : m->source;
			assert_int_not_equal(whose, held);
			if (m->keep_slot) {
				arrived[m->destination] = whose;
			} else {
				assert_int_equal(got[m->destination], held);
				got[m->destination] = whose;
			}
		}
		memcpy(slot, arrived, sizeof slot);
	}
}

static void test_two_pass(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 120; seed++) {
		bool cube = seed & 1;
		unsigned m = 1 + (unsigned)(seed / 2 % 7);
		char fabric[32], map[1024];
		struct loom_plan plan, direct;
		uint32_t got[1024], n = 1u << m;
		const char *spec = seed % 11 == 0 ? "identity" : seed % 7 == 0 ? "bit-reverse" : "random-perm";
		(void)snprintf(fabric, sizeof fabric, cube ? "cube:%u" : "benes:%u", cube ? m : n);
		random_map(map, n, seed);
		const char *where = seed & 4 ? map : "identity";
		plan_on(&plan, fabric, spec, "two_pass", where, 6, seed);
		plan_on(&direct, fabric, spec, "direct", where, 6, seed);
		assert_string_equal(plan.planner, "two_pass");
		assert_int_equal(plan.n_passes, 2);
		assert_false(plan.free_running);
		assert_true(loom_plan_contention(&plan) <= 1);
		if (cube)
			assert_walks_disjoint(&plan);
		else
			assert_no_conflicts(&plan);
		play(&plan, got);
		for (size_t i = 0; i < direct.n_messages; i++)
			assert_int_equal(got[direct.messages[i].destination], direct.messages[i].source);
		if (!cube) { // every message takes both passes, F + m each
			assert_int_equal(plan.n_messages, 2 * n);
			assert_int_equal(plan.passes_bound, 1); // no node sends or takes in more of its own
			assert_int_equal(loom_plan_cycles(&plan), 2 * (6 + m));
		}
		loom_plan_free(&plan);
		loom_plan_free(&direct);
	}
}

// --- min_passes ----------------------------------------------------------------------------------------------------

static void test_min_passes(void **state)
{
	(void)state;
	static const char *const specs[] = {"random-perm",   "uniform:70", "hotspot:1",
	                                    "all-to-others", "fft",        "shift:1"};
	for (unsigned k = 0; k < NETS + 1; k++)
		for (unsigned m = 1; m <= 5; m++)
			for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
				char fabric[32], map[256];
				struct loom_plan plan;
				uint32_t n = 1u << m, bound = 0;
				(void)snprintf(fabric, sizeof fabric, "%s:%u", k < NETS ? net_names[k] : "benes", n);
				random_map(map, n, k + m);
				plan_on(&plan, fabric, specs[i], "min_passes", k & 1 ? map : NULL, 4, m);
				assert_no_conflicts(&plan);
				assert_false(plan.free_running);
				for (uint32_t member = 0; member < plan.n_members; member++)
					bound += slow_bound(&plan, member);
				assert_int_equal(plan.passes_bound, bound);
				assert_true(plan.n_passes >= bound);
				if (i == 2) // one node takes one message a pass
					assert_int_equal(plan.n_passes, n);
				if (i == 4)
					assert_int_equal(plan.n_members, m + 1);
				for (uint32_t pass = 0; pass < plan.n_passes; pass++)
					assert_int_equal(plan.cycles[pass], 4 + m);
				assert_int_equal(loom_plan_contention(&plan), plan.lower_bound);
				loom_plan_free(&plan);
			}
}

// --- The default planner --------------------------------------------------------------------------------------------

static void test_preference(void **state)
{
	(void)state;
	static const struct {
		const char *fabric, *spec, *planner;
	} cases[] = {
		{"omega:8", "all-to-all", "latin"},       {"benes:8", "all-to-others", "latin"},
		{"omega:8", "bit-reverse", "min_passes"}, {"omega:8", "uniform:9", "min_passes"},
		{"benes:8", "bit-reverse", "two_pass"},   {"benes:8", "uniform:9", "min_passes"},
		{"benes:8", "fft", "min_passes"},         {"cube:3", "all-to-all", "exchange"},
		{"cube:3", "all-to-others", "exchange"},  {"cube:3", "bit-reverse", "lcc"},
		{"cube:5", "random-perm", "direct"},      {"cube:3", "uniform:9", "direct"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct loom_plan plan;
		plan_on(&plan, cases[i].fabric, cases[i].spec, NULL, NULL, 4, 3);
		assert_string_equal(plan.planner, cases[i].planner);
		loom_plan_free(&plan);
	}
}

// --- A free run as a file ------------------------------------------------------------------------------------------

static char folder[] = "/tmp/flitloom_planners_XXXXXX";

static const char *path_of(const char *name)
{
	static char path[2][128];
	static unsigned turn;
	turn ^= 1;
	(void)snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
	return path[turn];
}

static void test_file(void **state)
{
	(void)state;
	static const char *const specs[] = {"all-to-all", "all-to-others"};
	for (size_t i = 0; i < 2; i++) {
		struct loom_plan plan, back;
		struct loom_err err = {0};
		char *text, *again;
		size_t length, length_again;
		plan_on(&plan, "rbaseline:8", specs[i], NULL, "3,1,0,2,7,6,4,5", 9, 1);
		assert_int_equal(loom_plan_write(&plan, path_of("it.json"), &err), 0);
		if (loom_plan_read(&back, path_of("it.json"), &err) != 0)
			fail_msg("%s", err.text);
		assert_true(back.free_running);
		assert_int_equal(back.n_passes, plan.n_passes);
		assert_int_equal(back.passes_bound, plan.passes_bound);
		assert_int_equal(back.n_messages, plan.n_messages);
		for (size_t k = 0; k < plan.n_messages; k++) {
			const struct loom_plan_message *a = &plan.messages[k], *b = &back.messages[k];
			assert_true(a->pass == b->pass && a->source == b->source && a->destination == b->destination &&
			            a->flits == b->flits && a->origin == b->origin);
		}
		assert_memory_equal(back.cycles, plan.cycles, plan.n_passes * sizeof *plan.cycles);
		assert_int_equal(back.cycles[0], 9 + 3);
		assert_int_equal(back.cycles[7], 9);
		assert_int_equal(loom_plan_write(&back, path_of("again.json"), &err), 0);
		assert_int_equal(loom_file_read(&text, &length, path_of("it.json"), 1 << 24, &err), 0);
		assert_int_equal(loom_file_read(&again, &length_again, path_of("again.json"), 1 << 24, &err), 0);
		assert_int_equal(length, length_again);
		assert_memory_equal(text, again, length);
		loom_plan_free(&back);

		// Neither a run with barriers nor another bound has these predictions.
		char *word = strstr(text, "\"free_running\": true");
		assert_non_null(word);
		char *lie = strdup(text);
		assert_non_null(lie);
		memcpy(lie + (word - text), "\"free_running\":false", 20);
		assert_int_equal(loom_plan_parse(&back, lie, length, "it", &err), LOOM_EINPUT);
		free(lie);
		word = strstr(text, "\"passes_bound\": 8");
		assert_int_equal(plan.passes_bound, 8);
		assert_non_null(word);
		word[16] = '7';
		assert_int_equal(loom_plan_parse(&back, text, length, "it", &err), LOOM_EINPUT);
		free(text);
		free(again);
		loom_plan_free(&plan);
	}
}

static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	(void)state;
	(void)unlink(path_of("it.json"));
	(void)unlink(path_of("again.json"));
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_latin),      cmocka_unit_test(test_exchange),   cmocka_unit_test(test_two_pass),
		cmocka_unit_test(test_min_passes), cmocka_unit_test(test_preference), cmocka_unit_test(test_file),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
