// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <flitloom/math/admissible.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/math/latin.h>

#include "reference/ref_min.h"
#include "base/rng.h"
#include "unit/help/orders.h"

enum { STAGES = REF_MIN_M_MAX, WORDS = REF_MIN_N_MAX / 2 / 64 };

static struct ref_min ref;
static bool crossed[STAGES][REF_MIN_N_MAX / 2];

// 0 .. 40319, different for each permutation of 8.
static unsigned rank_of(const uint32_t *p)
{
	unsigned rank = 0;
	for (unsigned i = 0; i < 8; i++) {
		unsigned smaller = 0;
		for (unsigned j = i + 1; j < 8; j++)
			smaller += p[j] < p[i];
		rank = rank * (8 - i) + smaller;
	}
	return rank;
}

static void shuffle(uint32_t *p, uint32_t n, struct loom_rng *rng)
{
	for (uint32_t i = 0; i < n; i++)
		p[i] = i;
	for (uint32_t i = n; i > 1; i--) {
		uint32_t j = (uint32_t)loom_rng_below(rng, i), t = p[j];
		p[j] = p[i - 1];
		p[i - 1] = t;
	}
}

static void unpack(const struct loom_min *net, const uint64_t *settings)
{
	for (unsigned s = 0; s < net->m; s++)
		for (uint32_t q = 0; q < loom_min_nodes(net) / 2; q++)
			crossed[s][q] = loom_admissible_crossed(settings, net, s, q);
}

// Checks by paths that are found without tags that the two messages leave that stage on that line, and share no line
// before.
static void check_conflict(const struct loom_admissible_conflict *c, const uint32_t *to)
{
	uint32_t a[STAGES], b[STAGES];
	assert_true(c->source[0] < c->source[1] && c->source[1] < ref.n && c->stage < ref.m);
	assert_true(ref_min_path(a, &ref, c->source[0], to[c->source[0]]));
	assert_true(ref_min_path(b, &ref, c->source[1], to[c->source[1]]));
	assert_int_equal(a[c->stage], c->line);
	assert_int_equal(b[c->stage], c->line);
	for (unsigned s = 0; s < c->stage; s++)
		assert_int_not_equal(a[s], b[s]);
}

// Against all settings of all 12 switches: different settings give different permutations, and only those pass.
static void test_all_of_8(void **state)
{
	(void)state;
	static bool possible[40320];
	for (unsigned k = 0; k < LOOM_MIN_KINDS; k++) {
		struct loom_min net = {.kind = (enum loom_min_kind)k, .m = 3};
		unsigned n_possible = 0, n_admissible = 0;
		ref_min_build(&ref, loom_min_name(net.kind), 3);
		memset(possible, 0, sizeof possible);
		for (unsigned bits = 0; bits < 1u << 12; bits++) {
			uint32_t to[8];
			for (unsigned b = 0; b < 12; b++)
				crossed[b / 4][b % 4] = bits >> b & 1;
			ref_min_evaluate(to, &ref, crossed);
			n_possible += !possible[rank_of(to)];
			possible[rank_of(to)] = true;
		}
		assert_int_equal(n_possible, 4096);
		uint32_t to[8] = {0, 1, 2, 3, 4, 5, 6, 7};
		do {
			bool admissible;
			uint64_t settings[3];
			struct loom_admissible_conflict conflict;
			assert_int_equal(loom_admissible_check(&admissible, settings, &conflict, &net, to, NULL), 0);
			assert_int_equal(admissible, possible[rank_of(to)]);
			n_admissible += admissible;
			if (admissible) {
				uint32_t arrives[8];
				unpack(&net, settings);
				ref_min_evaluate(arrives, &ref, crossed);
				assert_memory_equal(arrives, to, sizeof to);
			} else {
				check_conflict(&conflict, to);
			}
		} while (next_order(to, 8));
		assert_int_equal(n_admissible, 4096);
	}
}

// Random settings give permutations that pass with just these settings. Then two destinations are exchanged.
static void test_random_settings(void **state)
{
	(void)state;
	struct loom_rng rng;
	uint64_t seed = 20260404;
	print_message("seed %llu\n", (unsigned long long)seed);
	loom_rng_init(&rng, seed);
	for (unsigned k = 0; k < LOOM_MIN_KINDS; k++)
		for (unsigned m = 1; m <= STAGES; m++)
			for (unsigned round = 0; round < 10; round++) {
				struct loom_min net = {.kind = (enum loom_min_kind)k, .m = m};
				uint32_t n = loom_min_nodes(&net), to[REF_MIN_N_MAX], applied[REF_MIN_N_MAX];
				uint64_t settings[STAGES * WORDS], found[STAGES * WORDS];
				size_t words = loom_admissible_words_per_stage(&net);
				struct loom_admissible_conflict conflict;
				bool admissible = false;
				assert_int_equal(words, n <= 128 ? 1 : n / 128);
				ref_min_build(&ref, loom_min_name(net.kind), m);
				for (size_t w = 0; w < m * words; w++)
					settings[w] = loom_rng_next(&rng) &
					              (n < 128 ? (UINT64_C(1) << n / 2) - 1 : UINT64_MAX);
				unpack(&net, settings);
				ref_min_evaluate(to, &ref, crossed);
				assert_int_equal(loom_admissible_check(&admissible, found, NULL, &net, to, NULL), 0);
				assert_true(admissible);
				assert_memory_equal(found, settings, m * words * sizeof *found);

				uint32_t x = (uint32_t)loom_rng_below(&rng, n), y = (uint32_t)loom_rng_below(&rng, n);
				uint32_t t = to[x];
				to[x] = to[y];
				to[y] = t;
				assert_int_equal(loom_admissible_check(&admissible, found, &conflict, &net, to, NULL),
				                 0);
				if (admissible) {
					unpack(&net, found);
					ref_min_evaluate(applied, &ref, crossed);
					assert_memory_equal(applied, to, n * sizeof *to);
				} else {
					check_conflict(&conflict, to);
				}
			}
}

// Some nodes idle: admissible exactly if no two paths share a line; the others' messages arrive with the settings.
static void test_partial(void **state)
{
	(void)state;
	struct loom_rng rng;
	unsigned n_admissible = 0, n_not = 0;
	loom_rng_init(&rng, 7);
	for (unsigned k = 0; k < LOOM_MIN_KINDS; k++)
		for (unsigned m = 1; m <= 5; m++)
			for (unsigned round = 0; round < 60; round++) {
				struct loom_min net = {.kind = (enum loom_min_kind)k, .m = m};
				uint32_t n = loom_min_nodes(&net), to[32], applied[32], used[5][32];
				uint64_t settings[5];
				struct loom_admissible_conflict conflict;
				bool admissible, free_of_conflict = true;
				ref_min_build(&ref, loom_min_name(net.kind), m);
				memset(used, 0, sizeof used);
				shuffle(to, n, &rng);
				for (uint32_t x = 0; x < n; x++) {
					uint32_t path[STAGES];
					if (loom_rng_below(&rng, 60) < round) {
						to[x] = LOOM_ADMISSIBLE_IDLE;
						continue;
					}
					assert_true(ref_min_path(path, &ref, x, to[x]));
					for (unsigned s = 0; s < m; s++)
						free_of_conflict &= !used[s][path[s]]++;
				}
				assert_int_equal(
					loom_admissible_check(&admissible, settings, &conflict, &net, to, NULL), 0);
				assert_int_equal(admissible, free_of_conflict);
				n_admissible += admissible;
				n_not += !admissible;
				if (!admissible) {
					check_conflict(&conflict, to);
					continue;
				}
				unpack(&net, settings);
				ref_min_evaluate(applied, &ref, crossed);
				for (uint32_t x = 0; x < n; x++)
					if (to[x] != LOOM_ADMISSIBLE_IDLE)
						assert_int_equal(applied[x], to[x]);
			}
	assert_true(n_admissible > 100 && n_not > 100); // both were seen
}

static void test_latin_rows_pass(void **state)
{
	(void)state;
	for (unsigned k = 0; k < LOOM_MIN_KINDS; k++)
		for (unsigned m = 1; m <= 7; m++) {
			struct loom_min net = {.kind = (enum loom_min_kind)k, .m = m};
			uint32_t n = loom_min_nodes(&net), to[128];
			uint16_t row0[128], row[128];
			loom_latin_row0(row0, &net);
			for (uint32_t i = 0; i < n; i++) {
				uint64_t settings[7] = {0};
				bool admissible = false;
				loom_latin_rows(row, row0, m, i, 1);
				for (uint32_t j = 0; j < n; j++)
					to[j] = row[j];
				assert_int_equal(loom_admissible_check(&admissible, settings, NULL, &net, to, NULL), 0);
				assert_true(admissible);
				for (unsigned s = 0; s < m; s++)
					for (uint32_t q = 0; q < n / 2; q++)
						assert_int_equal(loom_admissible_crossed(settings, &net, s, q),
						                 loom_latin_crosses(&net, i, s));
			}
		}
}

static void test_refuses(void **state)
{
	(void)state;
	struct loom_min net = {.kind = LOOM_MIN_OMEGA, .m = 2};
	struct loom_err err = {0};
	bool out = true;
	uint64_t settings[2] = {99, 99};
	struct loom_admissible_conflict conflict = {.stage = 77};
	assert_int_equal(loom_admissible_check(&out, settings, &conflict, &net, (uint32_t[]){0, 4, 2, 3}, &err),
	                 LOOM_EINPUT);
	assert_string_equal(err.text, "node 1 sends to 4; a network of 4 has 0 to 3");
	assert_int_equal(loom_admissible_check(&out, settings, &conflict, &net, (uint32_t[]){0, 2, 1, 2}, &err),
	                 LOOM_EINPUT);
	assert_string_equal(err.text, "not a permutation: nodes 1 and 3 both send to 2");
	assert_true(out && settings[0] == 99 && settings[1] == 99 && conflict.stage == 77);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_of_8), cmocka_unit_test(test_random_settings),
		cmocka_unit_test(test_partial),  cmocka_unit_test(test_latin_rows_pass),
		cmocka_unit_test(test_refuses),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
