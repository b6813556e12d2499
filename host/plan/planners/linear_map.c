// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Searches for a linear map of a cube's addresses for several communications. Let m_i be row i of M: bit i of a node's
// number is the sum of those bits of its processor's number that m_i has. V_i is the span of m_0 .. m_i, and W_i the
// span of m_i .. m_{n-1}. Then Theorem 1 ([Hou01]) says
//
//   T_i = 2^(n - dim(V_i A + W_i))      permutation, gather
//   T_i = 2^(n - dim(V_i + W_i A))      scatter
//
// or 0 where m_i A = m_i and m_i b = 0. The spaces V_i are chosen first, by a basis v_0 .. v_{n-1}; every M with these
// spaces has
//
//   m_i = v_i + some of v_0 .. v_{i-1}
//
// The rows are found from the last one down. When m_i is chosen, W_{i+1} is known, and so is for each member a space
// (V_i A + W_{i+1}) in which m_i must not be. The search goes depth first, and takes other spaces V_i if that fails.
#include "plan/planners/linear_map.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/math/lcc.h>

#include "base/arrays.h"
#include "base/numbers.h"
#include "base/rng.h"

#define BRANCHES 6            // rows that are tried at a place, of those that fit there
#define TRIALS 2048           // the most rows that are examined at a place
#define STEPS_PER_BASIS 20000 // steps before another basis is tried

struct space {
	uint64_t basis[LOOM_GF2_MAX]; // [lowest element]
	unsigned dim;
};

struct search {
	const struct loom_lcc *lccs;
	unsigned n, n_lccs;
	enum loom_objective objective;
	struct loom_budget *budget;
	struct loom_rng rng;
	unsigned *exponent;   // [member]: the search wants at most 2^exponent
	unsigned *least;      // [member]: no linear map has a smaller exponent
	bool *is_silent;      // [member]: no processor sends
	struct space *avoid;  // [place * n_lccs + member]
	bool *is_bound;       // [place * n_lccs + member]: the next row must be outside `avoid`, or silent
	struct loom_gf2 v, m; // rows v_i, m_i
	uint64_t steps;       // steps with this basis
	// The best map so far.
	struct loom_gf2 best;
	uint64_t value, sum;
	struct loom_arrays arrays; // owns the arrays
};

// Returns v A for a row vector v: a sum of rows.
static uint64_t times(uint64_t v, const struct loom_gf2 *a)
{
	uint64_t sum = 0;
	for (; v; v &= v - 1)
		sum ^= a->row[loom_lowest_bit(v)];
	return sum;
}

static uint64_t rest_of(const struct space *s, uint64_t v)
{
	while (v && s->basis[loom_lowest_bit(v)])
		v ^= s->basis[loom_lowest_bit(v)];
	return v;
}

static void add(struct space *s, uint64_t v)
{
	v = rest_of(s, v);
	if (v) {
		s->basis[loom_lowest_bit(v)] = v;
		s->dim++;
	}
}

void loom_lcc_mapped(struct loom_lcc *out, const struct loom_lcc *lcc, const struct loom_gf2 *m)
{
	struct loom_gf2 inverse;
	struct loom_lcc mapped = {.kind = lcc->kind};
	bool is_nonsingular = loom_gf2_inverse(&inverse, m);
	assert(is_nonsingular);
	(void)is_nonsingular;
	loom_gf2_product(&mapped.a, m, &lcc->a);
	loom_gf2_product(&mapped.a, &mapped.a, &inverse);
	mapped.b = loom_gf2_apply(m, lcc->b);
	*out = mapped;
}

// ---- Value of a map -------------------------------------------------------------------------------------------------

static uint64_t largest(const uint64_t *t, unsigned n)
{
	uint64_t most = 0;
	for (unsigned i = 0; i < n; i++)
		most = t[i] > most ? t[i] : most;
	return most;
}

// Computes the value of a map. most: NULL, or [member]: the largest contention of each.
static void evaluate(uint64_t *value, uint64_t *sum, uint64_t *most, const struct search *s, const struct loom_gf2 *m)
{
	uint64_t of_dim[LOOM_GF2_MAX] = {0}, t[LOOM_GF2_MAX], maxmax = 0, all = 0;
	*sum = 0;
	for (unsigned r = 0; r < s->n_lccs; r++) {
		struct loom_lcc mapped;
		loom_lcc_mapped(&mapped, &s->lccs[r], m);
		loom_lcc_contention(t, &mapped);
		uint64_t of_member = largest(t, s->n);
		maxmax = of_member > maxmax ? of_member : maxmax;
		*sum += of_member;
		if (most)
			most[r] = of_member;
		for (unsigned i = 0; i < s->n; i++) {
			of_dim[i] += t[i];
			all += t[i];
		}
	}
	*value = s->objective == LOOM_MAXMAX ? maxmax : s->objective == LOOM_MAXSUM ? largest(of_dim, s->n) : all;
}

// Keeps the map, and returns true, if it is better than the best one.
static bool keep(struct search *s, const struct loom_gf2 *m)
{
	uint64_t value, sum;
	evaluate(&value, &sum, NULL, s, m);
	if (value > s->value || (value == s->value && sum >= s->sum))
		return false;
	s->best = *m;
	s->value = value;
	s->sum = sum;
	return true;
}

// ---- Row by row ----

static bool crosses_nothing(const struct loom_lcc *lcc, uint64_t row)
{
	return times(row, &lcc->a) == row && !(__builtin_popcountll(row & lcc->b) & 1);
}

// Finds the spaces in which row `place` must not be.
static void find_spaces(struct search *s, unsigned place)
{
	for (unsigned r = 0; r < s->n_lccs; r++) {
		const struct loom_lcc *lcc = &s->lccs[r];
		bool is_scatter = lcc->kind == LOOM_LCC_SCATTER;
		struct space *space = &s->avoid[place * s->n_lccs + r];
		memset(space, 0, sizeof *space);
		for (unsigned i = 0; i <= place; i++)
			add(space, is_scatter ? s->v.row[i] : times(s->v.row[i], &lcc->a));
		for (unsigned i = place + 1; i < s->n; i++)
			add(space, is_scatter ? times(s->m.row[i], &lcc->a) : s->m.row[i]);
		s->is_bound[place * s->n_lccs + r] = !s->is_silent[r] && s->n - space->dim > s->exponent[r];
	}
}

static bool serves(const struct search *s, unsigned place, uint64_t row)
{
	for (unsigned r = 0; r < s->n_lccs; r++) {
		const struct loom_lcc *lcc = &s->lccs[r];
		const struct space *space = &s->avoid[place * s->n_lccs + r];
		uint64_t added = lcc->kind == LOOM_LCC_SCATTER ? times(row, &lcc->a) : row;
		if (!s->is_bound[place * s->n_lccs + r] || crosses_nothing(lcc, row))
			continue;
		if (s->n - space->dim > s->exponent[r] + 1 || rest_of(space, added) == 0)
			return false;
	}
	return true;
}

static bool is_over(const struct search *s)
{
	return s->steps >= STEPS_PER_BASIS || s->budget->steps_left == 0;
}

// Finds rows 0 .. place, after those above have been chosen.
static bool descend(struct search *s, unsigned place)
{
	uint64_t n_rows = place < 11 ? loom_bit(place) : TRIALS, mask = loom_rng_next(&s->rng) & loom_gf2_mask(place);
	unsigned branches = 0;
	find_spaces(s, place);
	s->steps += s->n_lccs;
	(void)loom_budget_spend(s->budget, s->n_lccs);
	if (s->steps <= s->n * (uint64_t)s->n_lccs)
		mask = 0; // the first way down uses the basis unchanged
	for (uint64_t k = 0; k < n_rows && branches < BRANCHES && !is_over(s); k++) {
		uint64_t choice = place < 11 || k == 0 ? k ^ mask : loom_rng_next(&s->rng) & loom_gf2_mask(place);
		uint64_t row = s->v.row[place] ^ times(choice, &s->v);
		s->steps++;
		(void)loom_budget_spend(s->budget, 1);
		if (!serves(s, place, row))
			continue;
		s->m.row[place] = row;
		if (place == 0 || descend(s, place - 1))
			return true;
		branches++;
	}
	return false;
}

static void random_basis(struct search *s)
{
	do
		for (unsigned i = 0; i < s->n; i++)
			s->v.row[i] = loom_rng_next(&s->rng) & loom_gf2_mask(s->n);
	while (loom_gf2_rank(&s->v) != s->n);
}

// Looks for a map in which each member r has at most 2^exponent[r], until `budget` is used up.
static bool find(struct search *s, struct loom_budget *budget)
{
	struct loom_budget *whole = s->budget;
	bool found = false;
	s->budget = budget;
	s->v = s->best;
	s->m.n = s->v.n = s->n;
	while (!found && budget->steps_left > 0) {
		s->steps = 0;
		found = descend(s, s->n - 1);
		if (!found)
			random_basis(s);
	}
	s->budget = whole;
	return found;
}

// ---- The search ----

static unsigned log2_of(uint64_t contention)
{
	return contention ? loom_lowest_bit(contention) : 0;
}

typedef void tell(void *user, uint64_t value, uint64_t lower_bound);

// Looks for a map with these exponents, with a part of the budget, and keeps it if it is better. Returns false if it
// finds none.
static bool find_and_keep(struct search *s, unsigned divisor, uint64_t lower_bound, tell *told, void *user)
{
	struct loom_budget share = loom_budget_share(s->budget, divisor), spent = share;
	bool found = find(s, &spent);
	loom_budget_give_back(s->budget, &share, &spent);
	if (found && keep(s, &s->m) && told)
		told(user, s->value, lower_bound);
	return found;
}

// Lowers the largest contention of all members as far as possible, then that of one member after the other.
static void lower_largest(struct search *s, uint64_t *most, uint64_t lower_bound, tell *told, void *user)
{
	uint64_t value, sum;
	evaluate(&value, &sum, most, s, &s->best);
	for (unsigned e = log2_of(lower_bound), top = log2_of(largest(most, s->n_lccs)); e < top; e++) {
		for (unsigned r = 0; r < s->n_lccs; r++)
			s->exponent[r] = s->least[r] > e ? s->least[r] : e;
		if (find_and_keep(s, 2, lower_bound, told, user))
			break;
	}
	for (unsigned r = 0; r < s->n_lccs; r++) {
		evaluate(&value, &sum, most, s, &s->best);
		for (unsigned e = s->least[r]; e < log2_of(most[r]); e++) {
			for (unsigned q = 0; q < s->n_lccs; q++)
				s->exponent[q] = q == r ? e : log2_of(most[q]);
			if (find_and_keep(s, 2 * (s->n_lccs - r), lower_bound, told, user))
				break;
		}
	}
}

// Climbs: adds a row to another, or exchanges two rows, and keeps the first such change that is better, until there is
// none.
static void climb(struct search *s, uint64_t lower_bound, tell *told, void *user)
{
	for (bool better = true; better;) {
		better = false;
		for (unsigned k = 0; k < 2 * s->n * s->n && s->budget->steps_left > 0; k++) {
			unsigned i = k / 2 / s->n, j = k / 2 % s->n;
			struct loom_gf2 m = s->best;
			if (i == j || !loom_budget_spend(s->budget, (uint64_t)s->n * s->n_lccs))
				continue;
			m.row[i] = k % 2 ? m.row[j] : m.row[i] ^ m.row[j];
			m.row[j] = k % 2 ? s->best.row[i] : m.row[j];
			if (keep(s, &m)) {
				better = true;
				if (told)
					told(user, s->value, lower_bound);
			}
		}
	}
}

static bool begin(struct search *s, const unsigned *order)
{
	size_t m = s->n_lccs, places = (size_t)s->n * m;
	LOOM_ARRAY(&s->arrays, s->exponent, m);
	LOOM_ARRAY(&s->arrays, s->least, m);
	LOOM_ARRAY(&s->arrays, s->is_silent, m);
	LOOM_ARRAY(&s->arrays, s->avoid, places);
	LOOM_ARRAY(&s->arrays, s->is_bound, places);
	if (s->arrays.is_short)
		return false;
	for (unsigned r = 0; r < s->n_lccs; r++) {
		uint64_t optimum = loom_lcc_optimum(&s->lccs[r]);
		s->is_silent[r] = optimum == 0;
		s->least[r] = log2_of(optimum);
	}
	s->best = (struct loom_gf2){.n = s->n};
	for (unsigned d = 0; d < s->n; d++)
		s->best.row[d] = loom_bit(order[d]);
	loom_rng_init(&s->rng, 1);
	return true;
}

int loom_linear_map_search(struct loom_linear_result *out, const struct loom_linear_task *task,
                           struct loom_budget *budget, struct loom_err *err)
{
	const struct loom_lcc *lccs = task->lccs;
	const unsigned n_lccs = task->n_lccs;
	struct search s = {
		.lccs = lccs, .n = lccs[0].a.n, .n_lccs = n_lccs, .objective = task->objective, .budget = budget};
	uint64_t *most = calloc(n_lccs, sizeof *most), lower_bound = 0;
	int rc = 0;
	if (!begin(&s, task->order) || !most) {
		rc = loom_fail(err, LOOM_ENOMEM, "out of memory for a linear map of %u communications", n_lccs);
		goto out;
	}
	for (unsigned r = 0; r < n_lccs; r++) {
		uint64_t optimum = loom_lcc_optimum(&lccs[r]);
		lower_bound = optimum > lower_bound ? optimum : lower_bound;
	}
	evaluate(&s.value, &s.sum, NULL, &s, &s.best);
	lower_largest(&s, most, lower_bound, task->told, task->user);
	if (task->objective != LOOM_MAXMAX)
		climb(&s, lower_bound, task->told, task->user);
	*out = (struct loom_linear_result){.m = s.best, .value = s.value, .lower_bound = lower_bound};
out:
	free(most);
	loom_arrays_free(&s.arrays);
	return rc;
}
