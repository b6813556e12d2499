// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Planner light. It starts from the schedules of the other planners and from two constructions of its own. For a few
// nodes it then searches all schedules. Unless that finds the optimum, it removes slots and fits their flits in again
// until the budget is used up. The budget decides only when the search stops, not which steps it takes, so a larger
// budget is never worse.
#include "circuits/circuit_light.h"

#include <stdlib.h>

#include "circuits/exact.h"
#include "circuits/improve.h"
#include "circuits/peel.h"
#include "circuits/relay.h"
#include "circuits/remains.h"
#include "circuits/slice.h"

#define SLICE_MOST UINT64_C(300000000) // the largest product of all entries and those of the fullest line
#define ECLIPSE_NODES 64u              // the most nodes; with more, its matchings take too long
#define EXACT_WORK UINT64_C(40000000)  // steps of the search of all schedules
#define RELAY_WORK UINT64_C(50000000)  // the most steps of the search for relays
#define ROUND_WORK UINT64_C(20000000)  // steps after which the search begins again elsewhere
#define SHARED_WORK UINT64_C(200000)   // the same for several switches

struct lighting {
	const struct loom_demand *demand;
	const struct loom_circuit_options *options;
	struct loom_piece *piece;
	size_t n_pieces;
	uint64_t size; // all entries times those of the fullest line
	struct loom_circuit_search search;
	struct loom_circuit_list best;        // by makespan
	uint64_t makespan;                    // makespan of the best list; UINT64_MAX: there is none yet
	struct loom_circuit_schedule relayed; // the best with relays; `on` is NULL if there is none
	bool optimal;
	struct loom_err *err;
};

static int list_pieces(struct lighting *w)
{
	const uint32_t n = w->demand->n;
	uint32_t *column = calloc(n, sizeof *column), most = 0;
	size_t entries = 0;
	for (size_t p = 0; p < (size_t)n * n; p++)
		entries += w->demand->flits[p] > 0;
	w->piece = malloc((entries + 1) * sizeof *w->piece);
	if (!column || !w->piece) {
		free(column);
		return loom_circuit_no_memory(w->err);
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t row = 0;
		for (uint32_t j = 0; j < n; j++) {
			const uint32_t f = w->demand->flits[(size_t)i * n + j];
			if (f == 0)
				continue;
			w->piece[w->n_pieces++] = (struct loom_piece){.row = i, .column = j, .flits = f};
			most = ++row > most ? row : most;
			most = ++column[j] > most ? column[j] : most;
		}
	}
	w->size = (uint64_t)entries * most;
	free(column);
	return 0;
}

static int makespan_of(uint64_t *out, const struct lighting *w, const struct loom_circuit_list *list)
{
	const struct loom_circuit_options *o = w->options;
	if (o->n_switches == 1) {
		const uint64_t cost = loom_circuit_list_cost(list, o->dark);
		*out = cost > 0 ? cost - o->dark : 0;
		return 0;
	}
	struct loom_circuit_schedule s = {.n_nodes = w->demand->n, .n_switches = o->n_switches, .dark = o->dark};
	s.on = calloc(s.n_switches, sizeof *s.on);
	int rc = s.on ? loom_circuit_share_out(&s, list, w->err) : loom_circuit_no_memory(w->err);
	if (rc == 0)
		*out = loom_circuit_end(&s);
	loom_circuit_schedule_free(&s);
	return rc;
}

// Keeps a list if it is the best so far, otherwise frees it.
static int consider(struct lighting *w, struct loom_circuit_list *list, bool done)
{
	uint64_t makespan = 0;
	int rc = done ? makespan_of(&makespan, w, list) : 0;
	if (rc == 0 && done && makespan < w->makespan) {
		loom_circuit_list_free(&w->best);
		w->best = *list;
		w->makespan = makespan;
		*list = (struct loom_circuit_list){0};
	}
	loom_circuit_list_free(list);
	return rc;
}

// Returns the cost from which a list cannot be better than the best one.
static uint64_t limit(const struct lighting *w)
{
	return w->makespan == UINT64_MAX ? LOOM_NO_LIMIT
	                                 : (w->makespan + w->options->dark) * (uint64_t)w->options->n_switches;
}

static int start_peel(struct lighting *w, struct loom_rng *mix)
{
	struct loom_circuit_list list = {.n = w->demand->n};
	const int rc = loom_circuit_peel(&list, w->piece, w->n_pieces, mix, &w->search.work, w->err);
	const int other = consider(w, &list, rc == 0);
	return rc ? rc : other;
}

static int start_slice(struct lighting *w, struct loom_rng *mix)
{
	struct loom_circuit_list list = {.n = w->demand->n};
	bool done = false;
	const int rc = loom_circuit_slice(&list, &done, w->piece, w->n_pieces, w->options->dark, limit(w), mix,
	                                  &w->search.work, w->err);
	const int other = consider(w, &list, done && rc == 0);
	return rc ? rc : other;
}

typedef int planner(struct loom_circuit_list *out, bool *done, const struct loom_demand *demand, uint32_t dark,
                    uint64_t limit, struct loom_err *err);

static int start_other(struct lighting *w, planner *plan)
{
	struct loom_circuit_list list = {.n = w->demand->n};
	bool done = false;
	const int rc = plan(&list, &done, w->demand, w->options->dark, limit(w), w->err);
	const int other = consider(w, &list, done && rc == 0);
	return rc ? rc : other;
}

// True if no list can cost less than the best one.
static bool is_least(const struct lighting *w)
{
	return w->options->n_switches == 1 && w->makespan != UINT64_MAX &&
	       w->makespan + w->options->dark <= w->search.enough;
}

static int start(struct lighting *w)
{
	int rc = start_peel(w, NULL);
	if (rc == 0 && !is_least(w) && w->size <= SLICE_MOST)
		rc = start_slice(w, NULL);
	if (rc == 0 && !is_least(w))
		rc = start_other(w, loom_circuit_solstice);
	if (rc == 0 && !is_least(w))
		rc = start_other(w, loom_circuit_birkhoff);
	if (rc == 0 && !is_least(w) && w->demand->n <= ECLIPSE_NODES)
		rc = start_other(w, loom_circuit_eclipse);
	w->search.work = 0; // the work of the starts is not counted
	return rc;
}

// True if nothing can be better, or if the budget is used up. On several switches a cheaper list may have a longer
// makespan, so a round that is cut short could end in another result. A round begins there only if the budget lasts for
// all of it, so a larger budget begins with the same rounds.
static bool is_enough(const struct lighting *w)
{
	const uint64_t needs = w->options->n_switches == 1 ? 0 : SHARED_WORK;
	return w->optimal || is_least(w) || loom_circuit_search_is_over(&w->search) ||
	       w->search.budget - w->search.work < needs;
}

// Looks for relays from the best list of the starts, so that the result does not depend on how far the search goes.
static int start_relays(struct lighting *w)
{
	const struct loom_circuit_options *o = w->options;
	struct loom_circuit_search *search = &w->search;
	const uint64_t budget = search->budget;
	if (!o->relay)
		return 0;
	search->budget = budget < RELAY_WORK ? budget : RELAY_WORK;
	w->relayed = (struct loom_circuit_schedule){
		.n_nodes = w->demand->n, .n_switches = o->n_switches, .dark = o->dark, .relay_cycles = o->relay_cycles};
	const int rc = loom_circuit_relay(&w->relayed, w->demand, &w->best, w->makespan, search, w->err);
	search->budget = budget;
	return rc;
}

static int look_through(struct lighting *w)
{
	struct loom_circuit_search *search = &w->search;
	const uint64_t budget = search->budget;
	if (w->options->n_switches != 1 || w->demand->n > LOOM_CIRCUIT_EXACT_NODES || is_least(w)) {
		w->optimal = is_least(w);
		return 0;
	}
	search->budget = budget < EXACT_WORK ? budget : EXACT_WORK;
	const int rc = loom_circuit_exact(&w->best, &w->optimal, w->demand, w->options->dark, search, w->err);
	search->budget = budget;
	w->makespan = loom_circuit_list_cost(&w->best, w->options->dark);
	w->makespan -= w->makespan > 0 ? w->options->dark : 0;
	return rc;
}

static int copy(struct loom_circuit_list *out, const struct loom_circuit_list *list, struct loom_err *err)
{
	int rc = 0;
	for (size_t s = 0; rc == 0 && s < list->n_slots; s++)
		rc = loom_circuit_list_add(out, list->cycles[s], list->to + s * list->n, err);
	return rc;
}

// Makes a round of the search: from the best list so far, then from lists made at random.
static int search_from(struct lighting *w, unsigned round)
{
	struct loom_circuit_list list = {.n = w->demand->n};
	struct loom_circuit_search *search = &w->search;
	const uint64_t budget = search->budget;
	bool done = true;
	int rc;
	if (round % 2 == 0 || w->size > SLICE_MOST)
		rc = copy(&list, &w->best, w->err);
	else if (round % 4 == 1)
		rc = loom_circuit_slice(&list, &done, w->piece, w->n_pieces, w->options->dark, LOOM_NO_LIMIT,
		                        &search->rng, &search->work, w->err);
	else
		rc = loom_circuit_peel(&list, w->piece, w->n_pieces, &search->rng, &search->work, w->err);
	const uint64_t work = w->options->n_switches == 1 ? ROUND_WORK : SHARED_WORK;
	if (budget > search->work && budget - search->work > work)
		search->budget = search->work + work;
	if (rc == 0)
		rc = loom_circuit_improve(&list, w->demand, w->options->dark, search, w->err);
	search->budget = budget;
	const int other = consider(w, &list, rc == 0);
	return rc ? rc : other;
}

// Finds the cycles, light and dark, that any list of slots costs at least.
static int find_enough(struct lighting *w)
{
	struct loom_circuit_options alone = *w->options;
	struct loom_circuit_bound bound;
	alone.n_switches = 1;
	alone.relay = false;
	const int rc = loom_circuit_bound_find(&bound, w->demand, &alone, w->err);
	if (rc != 0)
		return rc;
	w->search.enough = bound.cycles + w->options->dark;
	loom_circuit_bound_free(&bound);
	return 0;
}

static int find_list(struct lighting *w)
{
	int rc = list_pieces(w);
	if (rc == 0)
		rc = find_enough(w);
	if (rc == 0)
		rc = start(w);
	if (rc == 0)
		rc = start_relays(w);
	if (rc == 0)
		rc = look_through(w);
	for (unsigned round = 0; rc == 0 && !is_enough(w); round++)
		rc = search_from(w, round);
	return rc;
}

static bool is_empty(const struct loom_demand *d)
{
	for (size_t p = 0; p < (size_t)d->n * d->n; p++)
		if (d->flits[p] > 0)
			return false;
	return true;
}

// Replaces the schedule by a rotor's if that is shorter.
static int compare_rotor(struct loom_circuit_schedule *out, const struct lighting *w)
{
	struct loom_circuit_schedule rotor = *out;
	rotor.parcel = NULL;
	rotor.n_parcels = 0;
	rotor.on = calloc(rotor.n_switches, sizeof *rotor.on);
	int rc = rotor.on ? loom_circuit_rotor(&rotor, w->demand, w->options, w->err) : loom_circuit_no_memory(w->err);
	if (rc == 0 && loom_circuit_end(&rotor) < loom_circuit_end(out)) {
		const struct loom_circuit_schedule other = *out;
		*out = rotor;
		rotor = other;
	}
	loom_circuit_schedule_free(&rotor);
	return rc;
}

// Replaces the schedule by the one with relays if that is shorter. Slots without cycles are left out. If that brings
// two hops too close together, the schedule is refused.
static void compare_relayed(struct loom_circuit_schedule *out, struct lighting *w)
{
	struct loom_circuit_schedule *relayed = &w->relayed;
	relayed->makespan = loom_circuit_end(relayed);
	if (relayed->makespan >= loom_circuit_end(out) || loom_circuit_sort(relayed, NULL) != 0 ||
	    loom_circuit_check(relayed, w->demand, NULL) != 0)
		return;
	const struct loom_circuit_schedule other = *out;
	*out = *relayed;
	*relayed = other;
}

int loom_circuit_light(struct loom_circuit_schedule *out, const struct loom_demand *demand,
                       const struct loom_circuit_options *options, struct loom_err *err)
{
	struct lighting w = {.demand = demand, .options = options, .makespan = UINT64_MAX, .err = err};
	w.search = (struct loom_circuit_search){
		.budget = options->budget, .stopped = options->stopped, .user = options->user};
	loom_rng_init(&w.search.rng, options->seed);
	out->optimal = is_empty(demand);
	if (out->optimal)
		return 0;
	int rc = find_list(&w);
	if (rc == 0)
		rc = loom_circuit_share_out(out, &w.best, err);
	if (rc == 0)
		rc = loom_circuit_fill(out, demand, err);
	if (rc == 0)
		rc = compare_rotor(out, &w);
	if (rc == 0 && w.relayed.on)
		compare_relayed(out, &w);
	out->optimal = w.optimal && rc == 0 && loom_circuit_end(out) == w.makespan;
	loom_circuit_list_free(&w.best);
	loom_circuit_schedule_free(&w.relayed);
	free(w.piece);
	return rc;
}
