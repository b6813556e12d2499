// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
// Planner rotor: the same matchings in the same order for the same time, whatever the demand. They are the rows of a
// Latin square without the identity, so each node meets each other node once in a round.
#include <stdlib.h>
#include <string.h>

#include <flitloom/math/latin.h>

#include "circuits/circuits_internal.h"

#define RELAYED_MOST 4000000u // the most parcels through other nodes; a demand that needs more goes straight

// Takes the rows of the library's Latin square for the omega network without row 0, the identity.
static bool rows_of_two_to(uint32_t *rows, uint32_t n)
{
	struct loom_min net = {.kind = LOOM_MIN_OMEGA};
	uint16_t *row0 = malloc(n * sizeof *row0), *row = malloc(n * sizeof *row);
	while (UINT32_C(1) << net.m < n)
		net.m++;
	if (row0 && row) {
		loom_latin_row0(row0, &net);
		for (uint32_t s = 1; s < n; s++) {
			loom_latin_rows(row, row0, net.m, s, 1);
			for (uint32_t i = 0; i < n; i++)
				rows[(size_t)(s - 1) * n + i] = row[i];
		}
	}
	const bool done = row0 && row;
	free(row0);
	free(row);
	return done;
}

// Makes the n - 1 matchings of a rotor switch: a Latin square without the row in which each node sends to itself.
// rows[s * n + i] is malloc'ed. Returns NULL if memory runs out.
static uint32_t *rotor_rows(uint32_t n)
{
	uint32_t *rows = malloc(((size_t)n * n + 1) * sizeof *rows);
	if (!rows || n < 2)
		return rows;
	if ((n & (n - 1)) == 0) {
		if (rows_of_two_to(rows, n))
			return rows;
		free(rows);
		return NULL;
	}
	for (uint32_t s = 1; s < n; s++) // the square of the cyclic group
		for (uint32_t i = 0; i < n; i++)
			rows[(size_t)(s - 1) * n + i] = (i + s) % n;
	return rows;
}

// Adds a round: matching s on switch s mod n_switches, all equally long. A switch with one matching fewer waits for
// the others.
static int add_round(struct loom_circuit_schedule *out, const uint32_t *rows, uint32_t cycles, bool waits,
                     struct loom_err *err)
{
	const uint32_t n = out->n_nodes, k = out->n_switches, most = (n - 1 + k - 1) / k * k;
	int rc = 0;
	for (uint32_t s = 0; rc == 0 && s < (waits ? most : n - 1); s++)
		rc = loom_circuit_append(out, s % k, cycles, s < n - 1 ? rows + (size_t)s * n : NULL, err);
	return rc;
}

static uint32_t largest(const uint32_t *values, size_t n)
{
	uint32_t most = 0;
	for (size_t i = 0; i < n; i++)
		most = values[i] > most ? values[i] : most;
	return most;
}

// --- Relayed traffic [Valiant82]: round one spreads flits over all nodes, round two passes them on -------------------

struct spread {
	uint32_t n;
	const struct loom_demand *demand;
	uint32_t *first, *second; // flits of a pair in each round
	uint32_t *next;           // [destination]: the next node that relays
	size_t n_parcels;
};

// Returns the number of flits from i to j through m. The parts differ by at most 1, and the larger ones have
// consecutive m.
static uint32_t part(const struct spread *w, uint32_t i, uint32_t j, uint32_t begin, uint32_t m)
{
	const uint32_t flits = w->demand->flits[(size_t)i * w->n + j];
	const uint32_t behind = (m + w->n - begin) % w->n;
	return flits / w->n + (behind < flits % w->n);
}

// Counts the flits of each pair in each round, and the parcels, before any are made.
static void count(struct spread *w)
{
	const uint32_t n = w->n;
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t j = 0; j < n; j++) {
			const uint32_t flits = w->demand->flits[(size_t)i * n + j];
			for (uint32_t m = 0; flits > 0 && m < n; m++) {
				const uint32_t f = part(w, i, j, w->next[j], m);
				if (m != i)
					w->first[(size_t)i * n + m] += f;
				if (m != j)
					w->second[(size_t)m * n + j] += f;
				w->n_parcels += f > 0 ? (m != i && m != j ? 2u : 1u) : 0u;
			}
			w->next[j] = (uint32_t)((w->next[j] + (uint64_t)flits) % n);
		}
}

// Makes an index: [i * n + j] is the row with that pair. Its slots in both rounds are on switch row mod n_switches.
static uint32_t *index_rows(const uint32_t *rows, uint32_t n)
{
	uint32_t *out = calloc((size_t)n * n, sizeof *out);
	for (uint32_t s = 0; out && s + 1 < n; s++)
		for (uint32_t i = 0; i < n; i++)
			out[(size_t)i * n + rows[(size_t)s * n + i]] = s;
	return out;
}

struct making {
	struct loom_circuit_schedule *out;
	const uint32_t *row_of;
	uint32_t per_round; // slots of a switch
	uint32_t *at;       // [second][pair]: the cycles of its slot that are taken
	uint64_t *late;     // [switch]: cycles of its first slot of round two in which relayed flits may not leave yet
};

static size_t put(struct making *m, bool second, uint32_t source, uint32_t destination, uint32_t from, uint32_t to,
                  uint32_t flits, size_t before)
{
	const uint32_t n = m->out->n_nodes, k = m->out->n_switches;
	const size_t pair = (size_t)source * n + destination;
	const uint32_t row = m->row_of[pair], slot = row / k + (second ? m->per_round : 0);
	uint32_t *at = &m->at[(second ? (size_t)n * n : 0) + pair];
	const uint32_t wait = second && slot == m->per_round ? (uint32_t)m->late[row % k] : 0;
	m->out->parcel[m->out->n_parcels++] = (struct loom_circuit_parcel){.on = row % k,
	                                                                   .slot = slot,
	                                                                   .source = source,
	                                                                   .destination = destination,
	                                                                   .from = from,
	                                                                   .to = to,
	                                                                   .begin = wait + *at,
	                                                                   .flits = flits,
	                                                                   .before = before};
	*at += flits;
	return m->out->n_parcels;
}

static void make_parcels(struct making *m, struct spread *w)
{
	const uint32_t n = w->n;
	memset(w->next, 0, n * sizeof *w->next);
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t j = 0; j < n; j++) {
			const uint32_t flits = w->demand->flits[(size_t)i * n + j];
			for (uint32_t by = 0; flits > 0 && by < n; by++) {
				const uint32_t f = part(w, i, j, w->next[j], by);
				if (f == 0)
					continue;
				const size_t before = by == i ? 0 : put(m, false, i, by, i, j, f, 0);
				if (by != j)
					(void)put(m, true, by, j, i, j, f, before);
			}
			w->next[j] = (uint32_t)((w->next[j] + (uint64_t)flits) % n);
		}
}

static int relayed(struct loom_circuit_schedule *out, struct spread *w, const uint32_t *rows, struct loom_err *err)
{
	const uint32_t n = w->n, k = out->n_switches;
	const size_t all = (size_t)n * n;
	struct making m = {.out = out, .per_round = (n - 1 + k - 1) / k};
	uint32_t *row_of = index_rows(rows, n);
	const uint32_t c1 = largest(w->first, all), c2 = largest(w->second, all);
	m.row_of = row_of;
	m.at = calloc(2 * all, sizeof *m.at);
	m.late = calloc(k, sizeof *m.late);
	out->parcel = malloc((w->n_parcels + 1) * sizeof *out->parcel);
	int rc = m.at && m.late && row_of && out->parcel ? 0 : loom_circuit_no_memory(err);
	if (rc == 0)
		rc = add_round(out, rows, c1, true, err);
	if (rc == 0)
		rc = add_round(out, rows, c2, false, err);
	for (uint32_t on = 0; rc == 0 && on < k; on++) {
		struct loom_circuit_switch *sw = &out->on[on];
		if (sw->n_slots <= m.per_round)
			continue;
		const uint64_t gap = loom_circuit_stays(out, on, m.per_round) ? 0 : out->dark;
		m.late[on] = out->relay_cycles > gap ? out->relay_cycles - gap : 0;
		sw->slot[m.per_round].cycles += (uint32_t)m.late[on];
	}
	if (rc == 0)
		make_parcels(&m, w);
	free(row_of);
	free(m.at);
	free(m.late);
	return rc;
}

static int relayed_cycles(uint64_t *out, struct spread *w, const struct loom_circuit_schedule *s, struct loom_err *err)
{
	const size_t all = (size_t)w->n * w->n;
	const uint64_t per_round = (w->n - 1 + s->n_switches - 1) / s->n_switches;
	w->first = calloc(all, sizeof *w->first);
	w->second = calloc(all, sizeof *w->second);
	w->next = calloc(w->n, sizeof *w->next);
	if (!w->first || !w->second || !w->next)
		return loom_circuit_no_memory(err);
	count(w);
	*out = per_round * ((uint64_t)largest(w->first, all) + largest(w->second, all) + 2 * (uint64_t)s->dark) -
	       s->dark + s->relay_cycles;
	return 0;
}

int loom_circuit_rotor(struct loom_circuit_schedule *out, const struct loom_demand *demand,
                       const struct loom_circuit_options *options, struct loom_err *err)
{
	const uint32_t n = demand->n, most = largest(demand->flits, (size_t)n * n);
	if (most == 0)
		return 0;
	struct spread w = {.n = n, .demand = demand};
	const uint64_t straight =
		(n - 1 + out->n_switches - 1) / out->n_switches * ((uint64_t)most + out->dark) - out->dark;
	uint64_t by_others = UINT64_MAX;
	uint32_t *rows = rotor_rows(n);
	int rc = rows ? 0 : loom_circuit_no_memory(err);
	if (rc == 0 && options->relay && n > 2)
		rc = relayed_cycles(&by_others, &w, out, err);
	if (rc == 0 && by_others < straight && w.n_parcels <= RELAYED_MOST)
		rc = relayed(out, &w, rows, err);
	else if (rc == 0)
		rc = add_round(out, rows, most, false, err);
	if (rc == 0 && !out->parcel)
		rc = loom_circuit_fill(out, demand, err);
	free(rows);
	free(w.first);
	free(w.second);
	free(w.next);
	return rc;
}
