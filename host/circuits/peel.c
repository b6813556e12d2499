// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds slots from the longest on. Sort the pieces of each line, longest first, and let c_k be the longest k-th piece
// of all lines. Slots of whole pieces last at least c_1, c_2, ... cycles. A slot loses nothing if the pieces that it
// leaves have the profile c_2, c_3, ... Take a line with e_j > c_(j+1), for the first time at j = r. It must give one
// of its first r pieces: such a line is tight. The slot is a matching that covers all tight rows and columns by such
// pieces, and as many other lines as possible.
#include "circuits/peel.h"

#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/numbers.h"

#define NO UINT32_MAX

// The lines of one side, rows or columns.
struct side {
	size_t *first;     // [line]
	uint32_t *n;       // [line]: pieces left
	uint32_t *flits;   // the longest first
	uint32_t *other;   // the line on the other side
	uint32_t *needs;   // [line]: the shortest piece that it may give; 0: any piece, or none
	uint32_t *rank;    // [line]: pieces of at least `needs`
	uint32_t *with;    // [line]: the line that it is matched with, or NO
	uint32_t *by;      // [line]: flits of the piece that matches it
	uint32_t *reached; // [line]: the line of the other side from which a search reached it
	uint32_t *reached_by;
	uint8_t *seen;
	struct loom_arrays arrays; // owns the arrays
};

struct peel {
	uint32_t lines;
	struct side side[2];
	uint32_t *profile, n_profile; // a 0 follows the profile
	uint32_t *order, *count, *queue;
	uint32_t *to;
	size_t n_left;
	uint64_t work;
	struct loom_arrays arrays; // owns the arrays
};

static bool init_side(struct side *s, uint32_t lines, size_t n)
{
	LOOM_ARRAY(&s->arrays, s->first, (size_t)lines + 1);
	LOOM_ARRAY(&s->arrays, s->flits, n + 1);
	LOOM_ARRAY(&s->arrays, s->other, n + 1);
	LOOM_ARRAY(&s->arrays, s->n, (size_t)lines * 7);
	LOOM_ARRAY(&s->arrays, s->seen, lines);
	if (s->arrays.is_short)
		return false;
	s->needs = s->n + lines;
	s->rank = s->needs + lines;
	s->with = s->rank + lines;
	s->by = s->with + lines;
	s->reached = s->by + lines;
	s->reached_by = s->reached + lines;
	return true;
}

static int longest_first(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return loom_order(y, x);
}

// Sorts the pieces of each line of a side. name[line] breaks ties.
static bool sort_side(struct side *s, uint32_t lines, const struct loom_piece *piece, size_t n, bool column,
                      const uint32_t *name, const uint32_t *line_of)
{
	uint64_t *key = malloc((n + 1) * sizeof *key);
	if (!key)
		return false;
	for (size_t p = 0; p < n; p++)
		s->first[(column ? piece[p].column : piece[p].row) + 1]++;
	for (uint32_t l = 0; l < lines; l++)
		s->first[l + 1] += s->first[l];
	for (size_t p = 0; p < n; p++) {
		const uint32_t l = column ? piece[p].column : piece[p].row;
		key[s->first[l] + s->n[l]++] =
			(uint64_t)piece[p].flits << 32 | name[column ? piece[p].row : piece[p].column];
	}
	for (uint32_t l = 0; l < lines; l++)
		qsort(key + s->first[l], s->n[l], sizeof *key, longest_first);
	for (size_t k = 0; k < n; k++) {
		s->flits[k] = (uint32_t)(key[k] >> 32);
		s->other[k] = line_of[(uint32_t)key[k]];
	}
	free(key);
	return true;
}

static bool init(struct peel *w, uint32_t lines, const struct loom_piece *piece, size_t n, struct loom_rng *mix)
{
	uint32_t *name = malloc(2 * (size_t)lines * sizeof *name), *line_of = name ? name + lines : NULL;
	w->lines = lines;
	w->n_left = n;
	bool done = name && init_side(&w->side[0], lines, n) && init_side(&w->side[1], lines, n);
	for (uint32_t l = 0; done && l < lines; l++) {
		const uint32_t k = mix ? (uint32_t)loom_rng_below(mix, l + 1) : l;
		line_of[l] = line_of[k];
		line_of[k] = l;
	}
	for (uint32_t l = 0; done && l < lines; l++)
		name[line_of[l]] = l;
	done = done && sort_side(&w->side[0], lines, piece, n, false, name, line_of) &&
	       sort_side(&w->side[1], lines, piece, n, true, name, line_of);
	uint32_t most = 0;
	for (uint32_t l = 0; done && l < 2 * lines; l++)
		most = w->side[l / lines].n[l % lines] > most ? w->side[l / lines].n[l % lines] : most;
	LOOM_ARRAY(&w->arrays, w->profile, (size_t)most + 2);
	LOOM_ARRAY(&w->arrays, w->order, lines);
	LOOM_ARRAY(&w->arrays, w->count, (size_t)most + 2);
	LOOM_ARRAY(&w->arrays, w->queue, lines);
	LOOM_ARRAY(&w->arrays, w->to, lines);
	w->n_profile = most;
	free(name);
	return done && !w->arrays.is_short;
}

static void release(struct peel *w)
{
	loom_arrays_free(&w->side[0].arrays);
	loom_arrays_free(&w->side[1].arrays);
	loom_arrays_free(&w->arrays);
}

// --- Suitable pieces -------------------------------------------------------------------------------------------------

static void find_profile(struct peel *w)
{
	uint32_t most = 0;
	memset(w->profile, 0, ((size_t)w->n_profile + 1) * sizeof *w->profile);
	for (unsigned k = 0; k < 2; k++)
		for (uint32_t l = 0; l < w->lines; l++) {
			const struct side *s = &w->side[k];
			const uint32_t *e = s->flits + s->first[l], n = s->n[l];
			for (uint32_t j = 0; j < n; j++)
				w->profile[j] = e[j] > w->profile[j] ? e[j] : w->profile[j];
			most = n > most ? n : most;
		}
	w->n_profile = most;
	w->profile[most] = 0;
	w->work += w->n_left;
}

static void find_tight(struct peel *w, struct side *s)
{
	for (uint32_t l = 0; l < w->lines; l++) {
		const uint32_t *e = s->flits + s->first[l], n = s->n[l];
		uint32_t j = 0;
		while (j < n && e[j] <= w->profile[j + 1])
			j++;
		s->needs[l] = j < n ? e[j] : 0;
		for (j = j < n ? j + 1 : n; j < n && e[j] == s->needs[l];)
			j++; // pieces of the same length are suitable as well
		s->rank[l] = j;
		s->with[l] = NO;
	}
	w->work += w->n_left;
}

// --- The matching. `from` is the side whose line is to be covered, `to` the other one.

static void join(struct side *from, struct side *to, uint32_t a, uint32_t b, uint32_t flits)
{
	from->with[a] = b;
	to->with[b] = a;
	from->by[a] = to->by[b] = flits;
}

// Matches line a by the longest piece whose other line is free. Returns false if there is none.
static bool match_freely(struct peel *w, struct side *from, struct side *to, uint32_t a)
{
	const size_t first = from->first[a], n = from->rank[a];
	for (size_t k = first; k < first + n; k++) {
		const uint32_t b = from->other[k];
		if (to->with[b] == NO && from->flits[k] >= to->needs[b]) {
			w->work += k - first;
			join(from, to, a, b, from->flits[k]);
			return true;
		}
	}
	w->work += n;
	return false;
}

// Matches the lines along a path that ends in line b of the other side.
static void turn_over(struct side *from, struct side *to, uint32_t b)
{
	while (b != NO) {
		const uint32_t a = to->reached[b], next = from->with[a];
		join(from, to, a, b, to->reached_by[b]);
		b = next;
	}
}

// Covers line a by a path that ends in a free line of the other side, or uncovers one of its own side that is not tight.
static bool match_by_path(struct peel *w, struct side *from, struct side *to, uint32_t a)
{
	uint32_t n_queue = 0, drop = NO;
	memset(to->seen, 0, w->lines);
	w->queue[n_queue++] = a;
	for (uint32_t q = 0; q < n_queue; q++) {
		const uint32_t at = w->queue[q];
		const size_t first = from->first[at], n = from->rank[at];
		w->work += n;
		for (size_t k = first; k < first + n; k++) {
			const uint32_t b = from->other[k];
			if (to->seen[b] || from->flits[k] < to->needs[b])
				continue;
			to->seen[b] = 1;
			to->reached[b] = at;
			to->reached_by[b] = from->flits[k];
			if (to->with[b] == NO) {
				turn_over(from, to, b);
				return true;
			}
			if (drop == NO && from->needs[to->with[b]] == 0)
				drop = b;
			w->queue[n_queue++] = to->with[b];
		}
	}
	if (drop == NO)
		return false;
	from->with[to->with[drop]] = NO;
	turn_over(from, to, drop);
	return true;
}

// Lists the tight lines that are not matched yet, those with the fewest suitable pieces first.
static uint32_t order_tight(struct peel *w, const struct side *s)
{
	const uint32_t most = w->n_profile + 1;
	uint32_t n = 0;
	memset(w->count, 0, ((size_t)most + 1) * sizeof *w->count);
	for (uint32_t l = 0; l < w->lines; l++)
		if (s->needs[l] && s->with[l] == NO)
			w->count[s->rank[l]]++;
	for (uint32_t k = 0; k <= most; k++) {
		const uint32_t here = w->count[k];
		w->count[k] = n;
		n += here;
	}
	for (uint32_t l = 0; l < w->lines; l++)
		if (s->needs[l] && s->with[l] == NO)
			w->order[w->count[s->rank[l]]++] = l;
	return n;
}

static void cover_tight(struct peel *w, struct side *from, struct side *to)
{
	const uint32_t n = order_tight(w, from);
	for (uint32_t k = 0; k < n; k++)
		if (from->with[w->order[k]] == NO && !match_freely(w, from, to, w->order[k]))
			(void)match_by_path(w, from, to, w->order[k]);
}

static void take_out(struct side *s, uint32_t line, uint32_t other, uint32_t flits)
{
	uint32_t *e = s->flits + s->first[line], *o = s->other + s->first[line];
	uint32_t k = 0;
	while (o[k] != other || e[k] != flits)
		k++;
	const size_t behind = s->n[line] - k - 1;
	memmove(e + k, e + k + 1, behind * sizeof *e);
	memmove(o + k, o + k + 1, behind * sizeof *o);
	s->n[line]--;
}

// Removes the pieces of the matching from the rest. Returns the longest of them.
static uint32_t take(struct peel *w)
{
	struct side *rows = &w->side[0], *columns = &w->side[1];
	uint32_t most = 0;
	for (uint32_t i = 0; i < w->lines; i++) {
		const uint32_t j = rows->with[i], flits = rows->by[i];
		w->to[i] = j == NO ? LOOM_CIRCUIT_NO_PORT : j;
		if (j == NO)
			continue;
		most = flits > most ? flits : most;
		take_out(rows, i, j, flits);
		take_out(columns, j, i, flits);
		w->n_left--;
	}
	return most;
}

static uint32_t next_slot(struct peel *w)
{
	struct side *rows = &w->side[0], *columns = &w->side[1];
	find_profile(w);
	find_tight(w, rows);
	find_tight(w, columns);
	cover_tight(w, rows, columns);
	cover_tight(w, columns, rows);
	for (uint32_t i = 0; i < w->lines; i++)
		if (rows->with[i] == NO)
			(void)match_freely(w, rows, columns, i);
	return take(w);
}

int loom_circuit_peel(struct loom_circuit_list *out, const struct loom_piece *piece, size_t n, struct loom_rng *mix,
                      uint64_t *work, struct loom_err *err)
{
	struct peel w = {.n_left = 0};
	int rc = init(&w, out->n, piece, n, mix) ? 0 : loom_circuit_no_memory(err);
	while (rc == 0 && w.n_left > 0) {
		const uint32_t cycles = next_slot(&w);
		rc = loom_circuit_list_add(out, cycles, w.to, err);
	}
	*work += w.work;
	release(&w);
	return rc;
}
