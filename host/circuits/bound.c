// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
// Finds a lower bound of the makespan for each number of slots: few slots must be long, many slots cost many dark
// cycles.
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/numbers.h"
#include "base/room.h"
#include "circuits/circuits_internal.h"

#define FINE_STEPS 256u // each number of slots up to here is taken separately, larger ones in ranges that widen

// The entries of a demand by line: rows and then columns, the largest entry first.
struct lines {
	uint32_t n;      // lines, twice the nodes
	size_t *first;   // the entries of line l are first[l] .. first[l + 1] - 1
	uint32_t *flits; // the entries that are not 0
	uint64_t *sum;
	uint32_t most;    // entries of the fullest line
	uint64_t longest; // the largest sum
	uint32_t longest_line;
};

struct bounding {
	const struct loom_demand *demand;
	struct lines lines;
	// [kind][k - 1]: the largest k-th entries of the lines of one degree, and their lines.
	uint32_t n_kinds, *degree, **largest, **whose;
	uint64_t *tail; // [k - 1]: the most that a line has from its k-th entry on
	uint32_t *tail_line;
	uint64_t *sum;       // [k - 1]: the largest sum of windows in front of k
	uint32_t *came, *by; // the k before, and the kind of the window between; UINT32_MAX: no window
	struct loom_circuit_bound out;
	size_t room_windows;
	uint64_t by_prices;        // with relays: the least price of all hops if no flit is relayed
	struct loom_arrays arrays; // owns the arrays, of lines too
};

// --- Lines -----------------------------------------------------------------------------------------------------------

static int largest_first(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return loom_order(y, x);
}

static void fill_in(struct lines *out, const struct loom_demand *d)
{
	size_t at = 0;
	for (uint32_t l = 0; l < out->n; l++) {
		out->first[l] = at;
		for (uint32_t k = 0; k < d->n; k++) {
			const uint32_t f =
				l < d->n ? d->flits[(size_t)l * d->n + k] : d->flits[(size_t)k * d->n + l - d->n];
			out->sum[l] += f;
			if (f > 0)
				out->flits[at++] = f;
		}
		const size_t entries = at - out->first[l];
		qsort(out->flits + out->first[l], entries, sizeof *out->flits, largest_first);
		out->most = entries > out->most ? (uint32_t)entries : out->most;
		if (out->sum[l] > out->longest) {
			out->longest = out->sum[l];
			out->longest_line = l;
		}
	}
	out->first[out->n] = at;
}

static int lines_init(struct bounding *b, struct loom_err *err)
{
	const size_t all = (size_t)b->demand->n * b->demand->n;
	size_t entries = 0;
	struct lines *l = &b->lines;
	l->n = 2 * b->demand->n;
	for (size_t p = 0; p < all; p++)
		entries += b->demand->flits[p] > 0;
	LOOM_ARRAY(&b->arrays, l->first, (size_t)l->n + 1);
	LOOM_ARRAY(&b->arrays, l->flits, 2 * entries);
	LOOM_ARRAY(&b->arrays, l->sum, l->n);
	if (b->arrays.is_short)
		return loom_circuit_no_memory(err);
	fill_in(l, b->demand);
	return 0;
}

// --- Figures that do not depend on the number of slots ---------------------------------------------------------------

static bool note_line(struct bounding *b, uint32_t line, uint32_t *kind_of)
{
	const struct lines *l = &b->lines;
	const uint32_t *e = l->flits + l->first[line], g = (uint32_t)(l->first[line + 1] - l->first[line]);
	if (g == 0)
		return true;
	if (kind_of[g] == UINT32_MAX) {
		kind_of[g] = b->n_kinds;
		b->degree[b->n_kinds] = g;
		LOOM_ARRAY(&b->arrays, b->largest[b->n_kinds], g);
		LOOM_ARRAY(&b->arrays, b->whose[b->n_kinds], g);
		b->n_kinds++;
		if (b->arrays.is_short)
			return false;
	}
	uint32_t *largest = b->largest[kind_of[g]], *whose = b->whose[kind_of[g]];
	uint64_t tail = 0;
	for (uint32_t k = g; k-- > 0;) {
		tail += e[k];
		if (e[k] > largest[k]) {
			largest[k] = e[k];
			whose[k] = line;
		}
		if (tail > b->tail[k]) {
			b->tail[k] = tail;
			b->tail_line[k] = line;
		}
	}
	return true;
}

static bool prepare(struct bounding *b)
{
	const size_t most = (size_t)b->lines.most + 2;
	uint32_t *kind_of = malloc(most * sizeof *kind_of);
	LOOM_ARRAY(&b->arrays, b->degree, most);
	LOOM_ARRAY(&b->arrays, b->largest, most);
	LOOM_ARRAY(&b->arrays, b->whose, most);
	LOOM_ARRAY(&b->arrays, b->tail, most);
	LOOM_ARRAY(&b->arrays, b->tail_line, most);
	LOOM_ARRAY(&b->arrays, b->sum, most);
	LOOM_ARRAY(&b->arrays, b->came, most);
	LOOM_ARRAY(&b->arrays, b->by, most);
	bool done = kind_of && !b->arrays.is_short;
	if (kind_of)
		memset(kind_of, 0xff, most * sizeof *kind_of);
	for (uint32_t line = 0; done && line < b->lines.n; line++)
		done = note_line(b, line, kind_of);
	free(kind_of);
	return done;
}

// --- Steps

static bool add_window(struct bounding *b, uint32_t line, uint32_t k)
{
	if (!LOOM_ROOM(b->out.window, b->room_windows, b->out.n_windows + 1))
		return false;
	b->out.window[b->out.n_windows++] = (struct loom_circuit_window){.line = line, .k = k};
	return true;
}

// Finds the windows without overlap, and the tail, that have the largest sum: for each k in turn, the best windows up
// to k.
static uint32_t find_windows(struct bounding *b, uint32_t slots)
{
	const uint32_t most = b->lines.most;
	uint32_t best = 0;
	memset(b->sum, 0, ((size_t)most + 1) * sizeof *b->sum);
	for (uint32_t k = 0; k <= most; k++)
		b->came[k] = k;
	for (uint32_t k = 0; k < most; k++) {
		if (b->sum[k] + b->tail[k] > b->sum[best] + b->tail[best])
			best = k;
		if (b->sum[k] > b->sum[k + 1] || b->came[k + 1] == k + 1) {
			b->sum[k + 1] = b->sum[k];
			b->came[k + 1] = k;
			b->by[k + 1] = UINT32_MAX;
		}
		for (uint32_t kind = 0; kind < b->n_kinds; kind++) {
			if (k >= b->degree[kind])
				continue;
			const uint64_t width = (uint64_t)slots - b->degree[kind] + 1,
				       sum = b->sum[k] + b->largest[kind][k];
			const uint32_t next = k + width < most ? (uint32_t)(k + width) : most;
			if (sum > b->sum[next]) {
				b->sum[next] = sum;
				b->came[next] = k;
				b->by[next] = kind;
			}
		}
	}
	return b->sum[most] > b->sum[best] + b->tail[best] ? most : best;
}

static bool write_windows(struct bounding *b, struct loom_circuit_step *step, uint32_t best)
{
	step->first = b->out.n_windows;
	for (uint32_t k = best; b->came[k] != k; k = b->came[k])
		if (b->by[k] != UINT32_MAX && !add_window(b, b->whose[b->by[k]][b->came[k]], b->came[k] + 1))
			return false;
	// Reverses the windows, so that the first one comes first.
	for (size_t low = step->first, high = b->out.n_windows; low + 1 < high; low++) {
		const struct loom_circuit_window w = b->out.window[--high];
		b->out.window[high] = b->out.window[low];
		b->out.window[low] = w;
	}
	if (!add_window(b, best < b->lines.most ? b->tail_line[best] : 0, best + 1))
		return false;
	step->n_windows = b->out.n_windows - step->first;
	return true;
}

// Returns the flits of a line beyond its `slots` largest entries.
static uint64_t beyond(const struct lines *l, uint32_t line, uint32_t slots)
{
	uint64_t sum = 0;
	for (size_t k = l->first[line] + slots; k < l->first[line + 1]; k++)
		sum += l->flits[k];
	return sum;
}

// Computes the light for plans with relays, by prices.
static void find_prices(struct bounding *b, struct loom_circuit_step *step)
{
	const uint32_t n = b->demand->n;
	uint64_t rows = 0, columns = 0;
	for (uint32_t i = 0; i < n; i++) {
		rows += beyond(&b->lines, i, step->slots_to);
		columns += beyond(&b->lines, n + i, step->slots_to);
	}
	const uint64_t cost = b->by_prices + (rows > columns ? rows : columns), light = (cost + n - 1) / n;
	step->by_prices = light > b->lines.longest;
	step->light = step->by_prices ? light : b->lines.longest;
}

// Computes the least makespan for the slots of a step: the larger of the mean over the switches in use and the least
// for a switch with the most slots.
static uint64_t cycles_of(const struct loom_circuit_bound *b, const struct loom_circuit_step *step)
{
	const uint64_t used = step->slots_to < b->n_switches ? step->slots_to : b->n_switches;
	const uint64_t sum = step->light + (uint64_t)b->dark * step->slots_from;
	const uint64_t mean = (sum + used - 1) / used, slots = ((uint64_t)step->slots_from + used - 1) / used;
	const uint64_t fullest = (slots - 1) * b->dark + slots;
	return mean > b->dark && mean - b->dark > fullest ? mean - b->dark : fullest;
}

static bool add_step(struct bounding *b, uint32_t from, uint32_t to, bool alone)
{
	struct loom_circuit_step *more = realloc(b->out.step, (b->out.n_steps + 1) * sizeof *more);
	struct loom_circuit_step step = {.slots_from = from, .slots_to = to};
	if (!more)
		return false;
	b->out.step = more;
	step.light = b->lines.longest;
	if (b->out.relay) {
		if (!alone)
			find_prices(b, &step);
	} else if (alone) {
		step.first = b->out.n_windows;
		step.n_windows = 1;
		if (!add_window(b, b->lines.longest_line, 1))
			return false;
	} else {
		const uint32_t best = find_windows(b, to);
		step.light = b->sum[best] + (best < b->lines.most ? b->tail[best] : 0);
		if (!write_windows(b, &step, best))
			return false;
	}
	step.cycles = cycles_of(&b->out, &step);
	more[b->out.n_steps++] = step;
	b->out.cycles = step.cycles < b->out.cycles ? step.cycles : b->out.cycles;
	return true;
}

// Returns the least number of slots. With relays, S slots reach S nodes straight, and one more node for each pair of
// slots.
static uint32_t slots_least(const struct bounding *b)
{
	uint64_t slots = b->lines.most;
	if (b->out.relay)
		for (slots = 0; slots * (slots + 1) / 2 < b->lines.most;)
			slots++;
	return (uint32_t)slots;
}

static bool find_steps(struct bounding *b)
{
	b->out.cycles = UINT64_MAX;
	b->out.slots_least = slots_least(b);
	for (uint32_t from = b->out.slots_least;;) {
		struct loom_circuit_step rest = {.slots_from = from, .slots_to = UINT32_MAX, .light = b->lines.longest};
		if (cycles_of(&b->out, &rest) >= b->out.cycles || from > 64 * (uint64_t)b->demand->n + (1u << 20))
			return add_step(b, from, UINT32_MAX, true);
		const uint32_t wide = from < b->out.n_switches ? 1 : 1 + (from - b->out.slots_least) / FINE_STEPS;
		if (!add_step(b, from, from + wide - 1, false))
			return false;
		from += wide;
	}
}

int loom_circuit_bound_find(struct loom_circuit_bound *out, const struct loom_demand *demand,
                            const struct loom_circuit_options *options, struct loom_err *err)
{
	struct bounding b = {
		.demand = demand,
		.out = {.n_switches = options->n_switches, .dark = options->dark, .relay = options->relay}};
	int rc = loom_demand_check(demand, err);
	if (rc == 0)
		rc = lines_init(&b, err);
	for (uint32_t i = 0; rc == 0 && i < demand->n; i++) {
		const uint64_t row = b.lines.sum[i], column = b.lines.sum[demand->n + i];
		b.by_prices += row > column ? row : column;
	}
	if (rc == 0 && b.lines.most > 0 && !(prepare(&b) && find_steps(&b)))
		rc = loom_circuit_no_memory(err);
	loom_arrays_free(&b.arrays);
	if (rc == 0)
		*out = b.out;
	else
		loom_circuit_bound_free(&b.out);
	return rc;
}

void loom_circuit_bound_free(struct loom_circuit_bound *bound)
{
	if (!bound)
		return;
	free(bound->step);
	free(bound->window);
	*bound = (struct loom_circuit_bound){0};
}
