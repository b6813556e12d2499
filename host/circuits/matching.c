// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "circuits/matching.h"

#include <stdlib.h>

bool loom_matching_init(struct loom_matching *out, uint32_t n)
{
	uint32_t *room = malloc((size_t)n * 5 * sizeof *room);
	if (!room)
		return false;
	*out = (struct loom_matching){.n = n,
	                              .of_row = room,
	                              .of_column = room + n,
	                              .queue = room + 2 * (size_t)n,
	                              .from = room + 3 * (size_t)n,
	                              .open = room + 4 * (size_t)n};
	for (uint32_t i = 0; i < 2 * n; i++)
		room[i] = LOOM_UNMATCHED;
	return true;
}

void loom_matching_free(struct loom_matching *m)
{
	free(m->of_row);
	*m = (struct loom_matching){0};
}

void loom_matching_drop(struct loom_matching *m, const uint32_t *weight, uint32_t least)
{
	for (uint32_t i = 0; i < m->n; i++) {
		const uint32_t j = m->of_row[i];
		if (j != LOOM_UNMATCHED && weight[(size_t)i * m->n + j] < least)
			m->of_row[i] = m->of_column[j] = LOOM_UNMATCHED;
	}
}

// Exchanges the edges along the path back from a free column.
static void turn_over(struct loom_matching *m, uint32_t column)
{
	while (column != LOOM_UNMATCHED) {
		const uint32_t row = m->from[column], next = m->of_row[row];
		m->of_row[row] = column;
		m->of_column[column] = row;
		column = next;
	}
}

// Matches a row that has no column by entries of `least` or more, with an augmenting path [Berge57]. Matched rows and
// columns stay matched.
static bool augment(struct loom_matching *m, const uint32_t *weight, uint32_t least, uint32_t row)
{
	uint32_t n_open = m->n, n_queue = 0;
	for (uint32_t j = 0; j < m->n; j++)
		m->open[j] = j;
	m->queue[n_queue++] = row;
	for (uint32_t q = 0; q < n_queue; q++) {
		const uint32_t *w = weight + (size_t)m->queue[q] * m->n;
		for (uint32_t k = 0; k < n_open;) {
			const uint32_t j = m->open[k];
			if (w[j] < least) {
				k++;
				continue;
			}
			m->open[k] = m->open[--n_open];
			m->from[j] = m->queue[q];
			if (m->of_column[j] == LOOM_UNMATCHED) {
				turn_over(m, j);
				return true;
			}
			m->queue[n_queue++] = m->of_column[j];
		}
	}
	return false;
}

bool loom_matching_complete(struct loom_matching *m, const uint32_t *weight, uint32_t least)
{
	bool all = true;
	for (uint32_t i = 0; i < m->n; i++)
		if (m->of_row[i] == LOOM_UNMATCHED && !augment(m, weight, least, i))
			all = false;
	return all;
}

// --- The largest sum of weights

struct assignment {
	uint32_t n;
	const uint32_t *weight;
	int64_t *price_row, *price_column, *distance;
	uint32_t *row_of, *before; // [column]; column n stands for the row that is to be matched
	bool *done;
};

// Returns a reduced cost. A cost is the negative weight, so that the least cost means the largest weight.
static int64_t reduced(const struct assignment *a, uint32_t i, uint32_t j)
{
	return -(int64_t)a->weight[(size_t)i * a->n + j] - a->price_row[i] - a->price_column[j];
}

// Matches one more row. Dijkstra's search over the columns finds a path, along which each row takes the next column.
static void add_row(struct assignment *a, uint32_t row)
{
	const uint32_t n = a->n;
	uint32_t at = n;
	for (uint32_t j = 0; j <= n; j++) {
		a->distance[j] = INT64_MAX;
		a->done[j] = false;
	}
	a->row_of[n] = row;
	do {
		uint32_t next = n;
		int64_t step = INT64_MAX;
		const uint32_t i = a->row_of[at];
		a->done[at] = true;
		for (uint32_t j = 0; j < n; j++) {
			if (a->done[j])
				continue;
			const int64_t d = reduced(a, i, j);
			if (d < a->distance[j]) {
				a->distance[j] = d;
				a->before[j] = at;
			}
			if (a->distance[j] < step) {
				step = a->distance[j];
				next = j;
			}
		}
		for (uint32_t j = 0; j <= n; j++)
			if (a->done[j]) {
				a->price_row[a->row_of[j]] += step;
				a->price_column[j] -= step;
			} else if (a->distance[j] != INT64_MAX) {
				a->distance[j] -= step;
			}
		at = next;
	} while (a->row_of[at] != LOOM_UNMATCHED);
	while (at != n) {
		const uint32_t before = a->before[at];
		a->row_of[at] = a->row_of[before];
		at = before;
	}
}

bool loom_assignment(uint32_t *to, uint32_t n, const uint32_t *weight)
{
	struct assignment a = {.n = n, .weight = weight};
	int64_t *numbers = calloc(3 * ((size_t)n + 1), sizeof *numbers);
	uint32_t *columns = malloc(2 * ((size_t)n + 1) * sizeof *columns);
	a.done = malloc(((size_t)n + 1) * sizeof *a.done);
	const bool room = numbers && columns && a.done;
	if (room) {
		a.price_row = numbers;
		a.price_column = numbers + n + 1;
		a.distance = numbers + 2 * ((size_t)n + 1);
		a.row_of = columns;
		a.before = columns + n + 1;
		for (uint32_t j = 0; j <= n; j++)
			a.row_of[j] = LOOM_UNMATCHED;
		for (uint32_t i = 0; i < n; i++)
			add_row(&a, i);
		for (uint32_t j = 0; j < n; j++)
			to[a.row_of[j]] = j;
	}
	free(numbers);
	free(columns);
	free(a.done);
	return room;
}
