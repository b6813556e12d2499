// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Pieces put into slots: each piece once, no two of a row or column in a slot, slots as long as their longest
// piece and one more at most than the fullest line has pieces; the same of pieces that may be cut. Slots and
// steps, which ties and budgets follow from, are those of which the digests below were taken.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "circuits/peel.h"
#include "circuits/slice.h"

enum { N_MOST = 12, PIECES_MOST = 60, SEEDS = 400 };

struct pieces {
	uint32_t n;
	size_t n_pieces;
	struct loom_piece piece[PIECES_MOST];
};

// Draws pieces of random pairs of different nodes; some pairs occur twice.
static void draw(struct pieces *out, struct loom_rng *rng)
{
	const uint32_t most = loom_rng_below(rng, 2) ? 4 : 300;
	out->n = 2 + (uint32_t)loom_rng_below(rng, N_MOST - 1);
	out->n_pieces = (size_t)loom_rng_below(rng, PIECES_MOST + 1);
	for (size_t p = 0; p < out->n_pieces; p++) {
		const uint32_t i = (uint32_t)loom_rng_below(rng, out->n);
		const uint32_t d = (uint32_t)loom_rng_below(rng, out->n - 1);
		out->piece[p] = (struct loom_piece){
			.row = i, .column = d + (d >= i), .flits = 1 + (uint32_t)loom_rng_below(rng, most)};
	}
}

static uint32_t fullest_line(const struct pieces *of)
{
	uint32_t in[2 * N_MOST] = {0}, most = 0;
	for (size_t p = 0; p < of->n_pieces; p++) {
		in[of->piece[p].row]++;
		in[N_MOST + of->piece[p].column]++;
	}
	for (size_t k = 0; k < 2 * N_MOST; k++)
		most = in[k] > most ? in[k] : most;
	return most;
}

// Takes out the longest piece of a pair that is no longer than the slot.
static void take(struct pieces *left, uint32_t row, uint32_t column, uint32_t cycles, uint32_t *most)
{
	size_t best = left->n_pieces;
	for (size_t p = 0; p < left->n_pieces; p++) {
		const struct loom_piece *x = &left->piece[p];
		if (x->row == row && x->column == column && x->flits <= cycles &&
		    (best == left->n_pieces || x->flits > left->piece[best].flits))
			best = p;
	}
	assert_true(best < left->n_pieces);
	*most = left->piece[best].flits > *most ? left->piece[best].flits : *most;
	left->piece[best] = left->piece[--left->n_pieces];
}

// Returns the output of input i in slot s, which no other input has, and adds it to `used`.
static uint32_t output_of(const struct loom_circuit_list *list, size_t s, uint32_t i, uint32_t *used)
{
	const uint32_t j = list->to[s * list->n + i];
	if (j != LOOM_CIRCUIT_NO_PORT) {
		assert_true(j < list->n && !(*used >> j & 1));
		*used |= UINT32_C(1) << j;
	}
	return j;
}

static void check(const struct loom_circuit_list *list, const struct pieces *of)
{
	struct pieces left = *of;
	for (size_t s = 0; s < list->n_slots; s++) {
		uint32_t used = 0, most = 0;
		for (uint32_t i = 0; i < of->n; i++) {
			const uint32_t j = output_of(list, s, i, &used);
			if (j == LOOM_CIRCUIT_NO_PORT)
				continue;
			take(&left, i, j, list->cycles[s], &most);
		}
		assert_int_equal(most, list->cycles[s]);
	}
	assert_int_equal(left.n_pieces, 0);
	if (list->n_slots < fullest_line(of) || list->n_slots > fullest_line(of) + 1)
		fail_msg("%zu slots of lines of %u pieces", list->n_slots, fullest_line(of));
}

static void add(uint64_t *digest, uint64_t word)
{
	*digest = (*digest ^ word) * UINT64_C(0x100000001b3);
}

static void add_list(uint64_t *digest, const struct loom_circuit_list *list, uint64_t work)
{
	add(digest, work);
	add(digest, list->n_slots);
	for (size_t s = 0; s < list->n_slots; s++)
		add(digest, list->cycles[s]);
	for (size_t k = 0; k < list->n_slots * list->n; k++)
		add(digest, list->to[k]);
}

static void expect(uint64_t digest, uint64_t expected)
{
	if (digest != expected)
		fail_msg("slots or steps are others than they were: 0x%016" PRIx64, digest);
}

static void test_peel(void **state)
{
	(void)state;
	uint64_t digest = 0;
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct pieces of;
		struct loom_rng rng;
		struct loom_err err;
		uint64_t work = seed;
		loom_rng_init(&rng, seed);
		draw(&of, &rng);
		struct loom_circuit_list list = {.n = of.n};
		assert_int_equal(loom_circuit_peel(&list, of.piece, of.n_pieces, seed % 2 ? &rng : NULL, &work, &err),
		                 0);
		check(&list, &of);
		add_list(&digest, &list, work);
		loom_circuit_list_free(&list);
	}
	expect(digest, UINT64_C(0x318935bae1520887));
}

// Checks that slots have as much light for a pair as all its pieces need, or that the search gave up at its limit.
static void check_slices(const struct loom_circuit_list *list, const struct pieces *of)
{
	uint64_t light[N_MOST * N_MOST] = {0};
	for (size_t s = 0; s < list->n_slots; s++) {
		uint32_t used = 0;
		for (uint32_t i = 0; i < of->n; i++) {
			const uint32_t j = output_of(list, s, i, &used);
			if (j == LOOM_CIRCUIT_NO_PORT)
				continue;
			light[i * of->n + j] += list->cycles[s];
		}
		assert_true(used && list->cycles[s] > 0);
	}
	for (size_t p = 0; p < of->n_pieces; p++) {
		const struct loom_piece *x = &of->piece[p];
		assert_true(light[x->row * of->n + x->column] >= x->flits);
		light[x->row * of->n + x->column] -= x->flits;
	}
}

static void test_slice(void **state)
{
	(void)state;
	uint64_t digest = 0;
	unsigned n_given_up = 0;
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct pieces of;
		struct loom_rng rng;
		struct loom_err err;
		uint64_t work = seed;
		bool done = false;
		loom_rng_init(&rng, seed);
		draw(&of, &rng);
		const uint32_t dark = (uint32_t)loom_rng_below(&rng, 30);
		const uint64_t limit = seed % 4 ? UINT64_MAX : 1 + loom_rng_below(&rng, 1000);
		struct loom_circuit_list list = {.n = of.n};
		assert_int_equal(loom_circuit_slice(&list, &done, of.piece, of.n_pieces, dark, limit,
		                                    seed % 2 ? &rng : NULL, &work, &err),
		                 0);
		n_given_up += !done;
		if (done)
			check_slices(&list, &of);
		else
			assert_true(limit != UINT64_MAX);
		add(&digest, done);
		add_list(&digest, &list, work);
		loom_circuit_list_free(&list);
	}
	assert_true(n_given_up > 10);
	expect(digest, UINT64_C(0x2ba155588f8bf4b2));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_peel), cmocka_unit_test(test_slice)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
