// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds slots that may cut entries. A line with w flits left in g entries needs at least w + g dark cycles; let F be
// the largest need. A slot of c cycles costs c + dark. It lowers the need of a line by f + dark if it finishes an
// entry of f <= c flits, and by c if it cuts an entry. If it lowers the largest need by less than its cost, the
// difference is lost for good. The planner tries several durations. For each it finds the least loss for which some
// matching lowers the need of every line enough. It takes the slot with the least loss per cycle.
#include "circuits/slice.h"

#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/numbers.h"

#define NO UINT32_MAX
#define TRIES 10u

struct entry {
	uint32_t line[2]; // row, column
	uint32_t flits;
};

struct slice {
	uint32_t lines, dark;
	struct entry *entry;
	size_t *first[2];  // [side][line] into item
	uint32_t *n[2];    // [side][line]: entries left
	uint32_t *item[2]; // numbers of entries
	uint64_t *need[2];
	int64_t *wants[2]; // [side][line]: the amount by which the tried slot must lower the need of the line
	uint32_t *with[2]; // the entry that matches a line, or NO
	uint32_t *best_with, best_cycles; // by row
	double best_loss;
	uint32_t *reached, *queue;
	uint8_t *seen;
	size_t n_left;
	uint64_t spent, work;
	struct loom_rng *mix;
	struct loom_arrays arrays; // owns the arrays
};

static int64_t gain(const struct slice *w, uint32_t e, uint32_t cycles)
{
	const uint32_t f = w->entry[e].flits;
	return f <= cycles ? (int64_t)f + w->dark : (int64_t)cycles;
}

static bool init(struct slice *w, uint32_t lines, size_t n)
{
	w->lines = lines;
	LOOM_ARRAY(&w->arrays, w->entry, n + 1);
	LOOM_ARRAY(&w->arrays, w->best_with, lines);
	LOOM_ARRAY(&w->arrays, w->reached, lines);
	LOOM_ARRAY(&w->arrays, w->queue, lines);
	LOOM_ARRAY(&w->arrays, w->seen, lines);
	for (unsigned k = 0; k < 2; k++) {
		LOOM_ARRAY(&w->arrays, w->first[k], (size_t)lines + 1);
		LOOM_ARRAY(&w->arrays, w->n[k], lines);
		LOOM_ARRAY(&w->arrays, w->item[k], n + 1);
		LOOM_ARRAY(&w->arrays, w->need[k], lines);
		LOOM_ARRAY(&w->arrays, w->wants[k], lines);
		LOOM_ARRAY(&w->arrays, w->with[k], lines);
	}
	return !w->arrays.is_short;
}

static void list_entries(struct slice *w, const struct loom_piece *piece, size_t n)
{
	w->n_left = n;
	for (size_t p = 0; p < n; p++) {
		w->entry[p] = (struct entry){.line = {piece[p].row, piece[p].column}, .flits = piece[p].flits};
		for (unsigned k = 0; k < 2; k++) {
			w->first[k][w->entry[p].line[k] + 1]++;
			w->need[k][w->entry[p].line[k]] += (uint64_t)piece[p].flits + w->dark;
		}
	}
	for (unsigned k = 0; k < 2; k++)
		for (uint32_t l = 0; l < w->lines; l++)
			w->first[k][l + 1] += w->first[k][l];
	for (size_t p = 0; p < n; p++)
		for (unsigned k = 0; k < 2; k++) {
			const uint32_t l = w->entry[p].line[k];
			w->item[k][w->first[k][l] + w->n[k][l]++] = (uint32_t)p;
		}
}

static uint64_t most_need(const struct slice *w)
{
	uint64_t most = 0;
	for (unsigned k = 0; k < 2; k++)
		for (uint32_t l = 0; l < w->lines; l++)
			most = w->need[k][l] > most ? w->need[k][l] : most;
	return most;
}

// --- The matching of a slot. Side k has the line to be covered. ------------------------------------------------------

static bool will_do(const struct slice *w, uint32_t e, int64_t gains)
{
	return gains >= w->wants[0][w->entry[e].line[0]] && gains >= w->wants[1][w->entry[e].line[1]];
}

static void join(struct slice *w, uint32_t e)
{
	w->with[0][w->entry[e].line[0]] = e;
	w->with[1][w->entry[e].line[1]] = e;
}

static bool match_freely(struct slice *w, unsigned k, uint32_t line, uint32_t cycles)
{
	const uint32_t *item = w->item[k] + w->first[k][line];
	uint32_t best = NO;
	int64_t most = -1;
	w->work += w->n[k][line];
	for (uint32_t i = 0; i < w->n[k][line]; i++) {
		const uint32_t e = item[i];
		const int64_t gains = gain(w, e, cycles);
		if (gains > most && w->with[!k][w->entry[e].line[!k]] == NO && will_do(w, e, gains)) {
			most = gains;
			best = e;
		}
	}
	if (best != NO)
		join(w, best);
	return best != NO;
}

// Matches the lines along the path back from a line of the other side.
static void turn_over(struct slice *w, unsigned k, uint32_t other, uint32_t start)
{
	for (;;) {
		const uint32_t e = w->reached[other], line = w->entry[e].line[k], before = w->with[k][line];
		join(w, e);
		if (line == start)
			return;
		other = w->entry[before].line[!k];
	}
}

static bool match_by_path(struct slice *w, unsigned k, uint32_t start, uint32_t cycles)
{
	uint32_t n_queue = 0, drop = NO;
	memset(w->seen, 0, w->lines);
	w->queue[n_queue++] = start;
	for (uint32_t q = 0; q < n_queue; q++) {
		const uint32_t line = w->queue[q], *item = w->item[k] + w->first[k][line];
		w->work += w->n[k][line];
		for (uint32_t i = 0; i < w->n[k][line]; i++) {
			const uint32_t e = item[i], other = w->entry[e].line[!k];
			if (w->seen[other] || !will_do(w, e, gain(w, e, cycles)))
				continue;
			w->seen[other] = 1;
			w->reached[other] = e;
			if (w->with[!k][other] == NO) {
				turn_over(w, k, other, start);
				return true;
			}
			const uint32_t next = w->entry[w->with[!k][other]].line[k];
			if (drop == NO && w->wants[k][next] <= 0)
				drop = other;
			w->queue[n_queue++] = next;
		}
	}
	if (drop == NO)
		return false;
	w->with[k][w->entry[w->with[!k][drop]].line[k]] = NO;
	turn_over(w, k, drop, start);
	return true;
}

static bool cover(struct slice *w, unsigned k, uint32_t cycles)
{
	for (uint32_t l = 0; l < w->lines; l++)
		if (w->wants[k][l] > 0 && w->with[k][l] == NO && !match_freely(w, k, l, cycles) &&
		    !match_by_path(w, k, l, cycles))
			return false;
	return true;
}

// True if some matching of `cycles` cycles loses at most `loss`.
static bool is_possible(struct slice *w, uint32_t cycles, uint64_t most, int64_t loss)
{
	for (unsigned k = 0; k < 2; k++)
		for (uint32_t l = 0; l < w->lines; l++) {
			w->wants[k][l] = (int64_t)cycles + w->dark - loss - (int64_t)(most - w->need[k][l]);
			w->with[k][l] = NO;
		}
	w->work += w->lines;
	return cover(w, 0, cycles) && cover(w, 1, cycles);
}

static void keep(struct slice *w, uint32_t cycles, double loss)
{
	for (uint32_t l = 0; l < w->lines; l++) // the other lines take what they can
		if (w->with[0][l] == NO)
			(void)match_freely(w, 0, l, cycles);
	memcpy(w->best_with, w->with[0], w->lines * sizeof *w->best_with);
	w->best_cycles = cycles;
	w->best_loss = loss;
}

// Tries a duration. Finds its least loss by halving, if that is less per cycle than the best so far.
static void try_cycles(struct slice *w, uint32_t cycles, uint64_t most)
{
	const int64_t cost = (int64_t)cycles + w->dark;
	int64_t low = 0, high = w->best_cycles ? (int64_t)(w->best_loss * (double)cost) : cost;
	if (w->best_cycles && (double)high >= w->best_loss * (double)cost)
		high--;
	if (high < 0 || !is_possible(w, cycles, most, high))
		return;
	keep(w, cycles, (double)high / (double)cost);
	while (low < high) {
		const int64_t middle = low + (high - low) / 2;
		if (is_possible(w, cycles, most, middle)) {
			high = middle;
			keep(w, cycles, (double)high / (double)cost);
		} else {
			low = middle + 1;
		}
	}
}

// --- Slots

static void drop_entry(struct slice *w, uint32_t e)
{
	for (unsigned k = 0; k < 2; k++) {
		const uint32_t l = w->entry[e].line[k];
		uint32_t *item = w->item[k] + w->first[k][l], i = 0;
		while (item[i] != e)
			i++;
		item[i] = item[--w->n[k][l]];
	}
	w->n_left--;
}

static uint32_t take(struct slice *w, uint32_t *to)
{
	uint32_t longest = 0;
	for (uint32_t l = 0; l < w->lines; l++)
		if (w->best_with[l] != NO && w->entry[w->best_with[l]].flits > longest)
			longest = w->entry[w->best_with[l]].flits;
	const uint32_t cycles = w->best_cycles < longest ? w->best_cycles : longest;
	for (uint32_t l = 0; l < w->lines; l++) {
		const uint32_t e = w->best_with[l];
		to[l] = e == NO ? LOOM_CIRCUIT_NO_PORT : w->entry[e].line[1];
		if (e == NO)
			continue;
		const int64_t gains = gain(w, e, cycles);
		for (unsigned k = 0; k < 2; k++)
			w->need[k][w->entry[e].line[k]] -= (uint64_t)gains;
		w->entry[e].flits -= w->entry[e].flits < cycles ? w->entry[e].flits : cycles;
		if (w->entry[e].flits == 0)
			drop_entry(w, e);
	}
	w->spent += (uint64_t)cycles + w->dark;
	return cycles;
}

static int largest_first(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return loom_order(y, x);
}

// Chooses the durations to try: lengths of entries of the line with the largest need, spread over their range.
static void choose(struct slice *w, uint32_t *value)
{
	uint64_t most = most_need(w);
	unsigned side = 0;
	uint32_t line = 0, n = 0;
	for (unsigned k = 0; k < 2; k++)
		for (uint32_t l = 0; l < w->lines; l++)
			if (w->need[k][l] == most) {
				side = k;
				line = l;
			}
	for (uint32_t i = 0; i < w->n[side][line]; i++)
		value[n++] = w->entry[w->item[side][w->first[side][line] + i]].flits;
	qsort(value, n, sizeof *value, largest_first);
	w->best_cycles = 0;
	const uint32_t tries = n < TRIES ? n : TRIES, skip = w->mix ? (uint32_t)loom_rng_below(w->mix, 3) : 0;
	for (uint32_t i = 0, before = 0; i < tries; i++) {
		const uint32_t k = n <= TRIES ? i : (uint32_t)((uint64_t)i * i * (n - 1) / ((tries - 1) * (tries - 1)));
		if (value[k] != before && (i >= skip || i + 1 == tries))
			try_cycles(w, value[k], most);
		before = value[k];
	}
	if (w->best_cycles == 0)
		try_cycles(w, value[0], most);
}

int loom_circuit_slice(struct loom_circuit_list *out, bool *done, const struct loom_piece *piece, size_t n,
                       uint32_t dark, uint64_t limit, struct loom_rng *mix, uint64_t *work, struct loom_err *err)
{
	struct slice w = {.dark = dark, .mix = mix};
	uint32_t *to = malloc(out->n * sizeof *to), *value = malloc((n + 1) * sizeof *value);
	int rc = init(&w, out->n, n) && to && value ? 0 : loom_circuit_no_memory(err);
	if (rc == 0)
		list_entries(&w, piece, n);
	while (rc == 0 && w.n_left > 0 && w.spent + most_need(&w) < limit) {
		choose(&w, value);
		const uint32_t cycles = take(&w, to);
		rc = loom_circuit_list_add(out, cycles, to, err);
	}
	*done = w.n_left == 0;
	*work += w.work;
	free(to);
	free(value);
	loom_arrays_free(&w.arrays);
	return rc;
}
