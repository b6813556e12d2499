// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the fewest colours of a conflict graph by DSATUR as branch and bound [Brelaz79]. The next message is the one
// with the fewest colours left. A clique is coloured beforehand, and only one of the unused colours is tried.
#include "plan/planners/exact_colours.h"

#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"

#define NONE UINT32_MAX
#define CELLS_MOST ((size_t)1 << 25) // messages * colours

struct search {
	size_t n, words;     // words: of a row of `next_to`
	uint64_t *next_to;   // [message][words]: its neighbours
	uint32_t *degree;    // neighbours, each counted once
	uint32_t *colour;    // its colour, or NONE
	uint32_t *n_denied;  // [message]: colours that its neighbours have
	uint16_t *denied_by; // [message][best]: the number of neighbours with that colour
	uint32_t *found;     // the best colouring
	uint32_t best, stride, least;
	size_t n_coloured;
	struct loom_budget *budget;
	struct loom_arrays arrays; // owns the arrays
};

static bool make_search(struct search *s, const struct loom_conflicts *g)
{
	s->n = g->n;
	s->words = g->n / 64 + 1;
	LOOM_ARRAY(&s->arrays, s->next_to, s->n * s->words + 1);
	LOOM_ARRAY(&s->arrays, s->degree, s->n + 1);
	LOOM_ARRAY(&s->arrays, s->colour, s->n + 1);
	LOOM_ARRAY(&s->arrays, s->n_denied, s->n + 1);
	LOOM_ARRAY(&s->arrays, s->denied_by, s->n * s->stride + 1);
	if (s->arrays.is_short)
		return false;
	memset(s->colour, 0xff, s->n * sizeof *s->colour);
	for (size_t c = 0; c < g->n_channels; c++)
		for (size_t i = g->first[c]; i < g->first[c + 1]; i++)
			for (size_t k = g->first[c]; k < g->first[c + 1]; k++)
				if (g->user[i] != g->user[k])
					s->next_to[g->user[i] * s->words + g->user[k] / 64] |= UINT64_C(1)
					                                                       << g->user[k] % 64;
	for (size_t i = 0; i < s->n; i++)
		for (size_t w = 0; w < s->words; w++)
			s->degree[i] += (uint32_t)__builtin_popcountll(s->next_to[i * s->words + w]);
	return true;
}

static void assign(struct search *s, size_t message, uint32_t colour)
{
	s->colour[message] = colour;
	s->n_coloured++;
	for (size_t w = 0; w < s->words; w++)
		for (uint64_t left = s->next_to[message * s->words + w]; left; left &= left - 1) {
			size_t k = 64 * w + (unsigned)__builtin_ctzll(left);
			s->n_denied[k] += s->denied_by[k * s->stride + colour]++ == 0;
		}
}

static void take_back(struct search *s, size_t message)
{
	uint32_t colour = s->colour[message];
	s->colour[message] = NONE;
	s->n_coloured--;
	for (size_t w = 0; w < s->words; w++)
		for (uint64_t left = s->next_to[message * s->words + w]; left; left &= left - 1) {
			size_t k = 64 * w + (unsigned)__builtin_ctzll(left);
			s->n_denied[k] -= --s->denied_by[k * s->stride + colour] == 0;
		}
}

static size_t most_denied(const struct search *s)
{
	size_t best = SIZE_MAX;
	for (size_t i = 0; i < s->n; i++)
		if (s->colour[i] == NONE && (best == SIZE_MAX || s->n_denied[i] > s->n_denied[best] ||
		                             (s->n_denied[i] == s->n_denied[best] && s->degree[i] > s->degree[best])))
			best = i;
	return best;
}

// Tries all colourings of the messages without a colour that use fewer colours than the best. Returns false if the
// budget is used up.
static bool branch(struct search *s, uint32_t n_used)
{
	if (s->n_coloured == s->n) {
		s->best = n_used;
		memcpy(s->found, s->colour, s->n * sizeof *s->found);
		return true;
	}
	size_t message = most_denied(s);
	if (!loom_budget_spend(s->budget, s->n + 2 * (uint64_t)s->degree[message]))
		return false;
	for (uint32_t c = 0; c <= n_used && c + 1 < s->best && n_used < s->best && s->best > s->least; c++) {
		if (s->denied_by[message * s->stride + c])
			continue;
		assign(s, message, c);
		bool in_time = branch(s, c == n_used ? n_used + 1 : n_used);
		take_back(s, message);
		if (!in_time)
			return false;
	}
	return true;
}

// Finds a clique greedily: from each message in turn, adds the common neighbour with the most neighbours, and so on.
// `clique` holds the largest one.
static uint32_t find_clique(uint32_t *clique, const struct search *s, uint64_t *common, uint32_t *here)
{
	uint32_t most = 0;
	for (size_t from = 0; from < s->n; from++) {
		uint32_t n = 0;
		if (s->degree[from] + 1 <= most)
			continue;
		memcpy(common, s->next_to + from * s->words, s->words * sizeof *common);
		for (size_t next = from; next != SIZE_MAX;) {
			here[n++] = (uint32_t)next;
			next = SIZE_MAX;
			for (size_t w = 0; w < s->words; w++)
				for (uint64_t left = common[w]; left; left &= left - 1) {
					size_t k = 64 * w + (unsigned)__builtin_ctzll(left);
					next = next == SIZE_MAX || s->degree[k] > s->degree[next] ? k : next;
				}
			for (size_t w = 0; next != SIZE_MAX && w < s->words; w++)
				common[w] &= s->next_to[next * s->words + w];
		}
		if (n > most) {
			most = n;
			memcpy(clique, here, n * sizeof *clique);
		}
	}
	return most;
}

// Colours the largest clique first, which needs a colour for each message.
static bool search(struct search *s, struct loom_passes_found *out)
{
	uint64_t *common = malloc(s->words * sizeof *common);
	uint32_t *clique = malloc(2 * (s->n + 1) * sizeof *clique);
	bool done = common && clique;
	if (done) {
		uint32_t n = find_clique(clique, s, common, clique + s->n + 1);
		if (n > out->n_least) {
			out->n_least = n;
			out->proof = LOOM_PROOF_CLIQUE;
		}
		s->least = out->n_least;
		for (uint32_t c = 0; c < n && n <= s->best; c++)
			assign(s, clique[c], c);
		if (s->best > out->n_least && branch(s, n) && s->best > out->n_least) {
			out->n_least = s->best;
			out->proof = LOOM_PROOF_SEARCH;
		}
		out->n_passes = s->best;
	}
	free(common);
	free(clique);
	return done;
}

bool loom_conflicts_exact(uint32_t *pass, struct loom_passes_found *out, struct loom_conflicts *g,
                          struct loom_budget *budget)
{
	if (!loom_conflicts_colour(pass, &out->n_passes, g))
		return false;
	if (out->n_least < g->largest_load) {
		out->n_least = g->largest_load;
		out->proof = LOOM_PROOF_LOAD;
	}
	if (out->n_passes <= out->n_least || g->n > LOOM_EXACT_MESSAGES || g->n * out->n_passes > CELLS_MOST)
		return true;
	struct search s = {.found = pass, .best = out->n_passes, .stride = out->n_passes, .budget = budget};
	bool done = make_search(&s, g) && search(&s, out);
	loom_arrays_free(&s.arrays);
	return done;
}
