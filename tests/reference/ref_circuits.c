// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/ref_circuits.h"

#include <string.h>

#define N REF_CIRCUITS_NODES

// --- By numbers of slots

struct choice {
	unsigned n, n_entries;
	unsigned line[N * N][2], flits[N * N]; // by entry
	unsigned twos, ones;                   // numbers of slots of two cycles and of one
	// For each line: entries chosen, flits of those that were not, and entries of 2 and of 1 that are still open.
	unsigned chosen[2 * N], others[2 * N], open[2 * N][3];
};

// True if the line can still meet the limit: chooses as many and as large open entries as possible, and compares the
// flits of the others.
static bool line_can_be(const struct choice *c, unsigned l)
{
	unsigned room = c->twos - c->chosen[l], sum = c->others[l] + 2 * c->open[l][2] + c->open[l][1];
	const unsigned two = room < c->open[l][2] ? room : c->open[l][2];
	room -= two;
	sum -= 2 * two + (room < c->open[l][1] ? room : c->open[l][1]);
	return sum <= c->ones;
}

static bool can_choose(struct choice *c, unsigned e)
{
	if (e == c->n_entries)
		return true;
	const unsigned f = c->flits[e], *l = c->line[e];
	bool done = false;
	c->open[l[0]][f]--;
	c->open[l[1]][f]--;
	if (c->chosen[l[0]] < c->twos && c->chosen[l[1]] < c->twos) {
		c->chosen[l[0]]++;
		c->chosen[l[1]]++;
		done = line_can_be(c, l[0]) && line_can_be(c, l[1]) && can_choose(c, e + 1);
		c->chosen[l[0]]--;
		c->chosen[l[1]]--;
	}
	if (!done) {
		c->others[l[0]] += f;
		c->others[l[1]] += f;
		done = line_can_be(c, l[0]) && line_can_be(c, l[1]) && can_choose(c, e + 1);
		c->others[l[0]] -= f;
		c->others[l[1]] -= f;
	}
	c->open[l[0]][f]++;
	c->open[l[1]][f]++;
	return done;
}

static bool is_enough(struct choice *c, unsigned twos, unsigned ones)
{
	c->twos = twos;
	c->ones = ones;
	for (unsigned l = 0; l < 2 * c->n; l++)
		if (!line_can_be(c, l))
			return false;
	return can_choose(c, 0);
}

uint64_t ref_circuits_least(const uint32_t *flits, unsigned n, uint32_t dark)
{
	struct choice c = {.n = n};
	uint64_t best = UINT64_MAX;
	for (unsigned i = 0; i < n; i++)
		for (unsigned j = 0; j < n; j++) {
			const unsigned f = flits[i * n + j];
			if (f == 0)
				continue;
			c.line[c.n_entries][0] = i;
			c.line[c.n_entries][1] = n + j;
			c.flits[c.n_entries++] = f;
			c.open[i][f]++;
			c.open[n + j][f]++;
		}
	if (c.n_entries == 0)
		return 0;
	for (unsigned twos = 0; twos <= n; twos++)
		for (unsigned ones = 0; ones <= 2 * n; ones++) {
			const uint64_t cost = 2 * twos + ones + (uint64_t)dark * (twos + ones ? twos + ones - 1 : 0);
			if (cost < best && twos + ones > 0 && is_enough(&c, twos, ones))
				best = cost;
		}
	return best;
}

// --- By trying

static bool is_done(const uint32_t *left, unsigned n)
{
	for (unsigned p = 0; p < n * n; p++)
		if (left[p])
			return false;
	return true;
}

static void try_slot(const uint32_t *left, unsigned n, uint32_t dark, uint64_t spent, uint64_t *best);

// Tries for the rows from `row` on all columns, and none.
static void try_rows(uint32_t *after, unsigned n, unsigned row, unsigned taken, uint32_t cycles, uint32_t dark,
                     uint64_t spent, uint64_t *best)
{
	if (row == n) {
		try_slot(after, n, dark, spent, best);
		return;
	}
	try_rows(after, n, row + 1, taken, cycles, dark, spent, best);
	for (unsigned j = 0; j < n; j++) {
		const uint32_t f = after[row * n + j];
		if (f == 0 || taken >> j & 1)
			continue;
		after[row * n + j] = f > cycles ? f - cycles : 0;
		try_rows(after, n, row + 1, taken | 1u << j, cycles, dark, spent, best);
		after[row * n + j] = f;
	}
}

static void try_slot(const uint32_t *left, unsigned n, uint32_t dark, uint64_t spent, uint64_t *best)
{
	if (is_done(left, n)) {
		*best = spent < *best ? spent : *best;
		return;
	}
	for (uint32_t cycles = 1; cycles <= 2; cycles++) {
		uint32_t after[9];
		const uint64_t now = spent + cycles + (spent > 0 ? dark : 0);
		memcpy(after, left, n * n * sizeof *after);
		if (now < *best)
			try_rows(after, n, 0, 0, cycles, dark, now, best);
	}
}

uint64_t ref_circuits_tried(const uint32_t *flits, unsigned n, uint32_t dark)
{
	uint64_t sum = 0;
	for (unsigned p = 0; p < n * n; p++)
		sum += flits[p];
	uint64_t best = sum + dark * sum + 1; // more than one slot for each flit takes
	try_slot(flits, n, dark, 0, &best);
	return best;
}
