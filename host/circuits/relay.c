// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// With relays, a few matchings reach all nodes: S slots reach S nodes straight, and one more node for each pair of
// slots. For a given order of matchings, the planner assigns all flits to paths: first the pairs that have a straight
// path, then the others by a relay. Each time it takes the path that lengthens the slots least. The lengths of the
// slots follow from that. The matchings are those of the best list without relays, or shifts round a ring, 1, 2, ..., b
// - 1 and then b, 2 b, ..., which reach all other nodes in two hops. From both, the planner removes slots one after the
// other as long as that lowers the cost.
#include "circuits/relay.h"

#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/numbers.h"

#define NO LOOM_CIRCUIT_NO_PORT
#define NODES_MOST 256u
#define PARTS 4u // the number of parts in which the flits of a pair are assigned

struct pair {
	uint32_t from, to, flits;
};

// The flits of a pair on a path. `second` is NO for a straight path.
struct flow {
	uint32_t pair, first, second, flits;
};

struct relaying {
	uint32_t n, dark, apart; // apart: the least slots from a first hop to its second
	struct pair *pair;
	size_t n_pairs;
	// All matchings. Those in use have the numbers use[k], in order.
	uint32_t *to, *use, n_use;
	uint32_t *cycles, *taken; // of slot k, and of its sender i: [k * n + i]
	uint32_t *head, *next;    // slots with a pair: head[i * n + j], next[k * n + i]
	struct flow *flow;
	size_t n_flows, room_flows;
	struct loom_circuit_search *search;
	struct loom_arrays arrays; // owns the arrays
};

static int most_first(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;
	int by = loom_order(y->flits, x->flits);
	by = by ? by : loom_order(x->from, y->from);
	return by ? by : loom_order(x->to, y->to);
}

static bool init(struct relaying *w, const struct loom_demand *d, size_t most)
{
	const size_t n = d->n;
	LOOM_ARRAY(&w->arrays, w->pair, n * n + 1);
	LOOM_ARRAY(&w->arrays, w->to, most * n);
	LOOM_ARRAY(&w->arrays, w->use, most);
	LOOM_ARRAY(&w->arrays, w->cycles, most);
	LOOM_ARRAY(&w->arrays, w->taken, most * n);
	LOOM_ARRAY(&w->arrays, w->head, n * n);
	LOOM_ARRAY(&w->arrays, w->next, most * n);
	w->room_flows = n * n * PARTS * 2 + 1;
	LOOM_ARRAY(&w->arrays, w->flow, w->room_flows);
	if (w->arrays.is_short)
		return false;
	for (size_t p = 0; p < n * n; p++)
		if (d->flits[p] > 0)
			w->pair[w->n_pairs++] =
				(struct pair){.from = (uint32_t)(p / n), .to = (uint32_t)(p % n), .flits = d->flits[p]};
	qsort(w->pair, w->n_pairs, sizeof *w->pair, most_first);
	return true;
}

// --- Assignment of all flits to the matchings in use -----------------------------------------------------------------

static uint32_t longer(const struct relaying *w, uint32_t slot, uint32_t sender, uint32_t flits)
{
	const uint32_t needs = w->taken[(size_t)slot * w->n + sender] + flits;
	return needs > w->cycles[slot] ? needs - w->cycles[slot] : 0;
}

static void take(struct relaying *w, uint32_t slot, uint32_t sender, uint32_t flits)
{
	w->cycles[slot] += longer(w, slot, sender, flits);
	w->taken[(size_t)slot * w->n + sender] += flits;
}

static void index_slots(struct relaying *w)
{
	memset(w->head, 0xff, (size_t)w->n * w->n * sizeof *w->head);
	memset(w->taken, 0, (size_t)w->n_use * w->n * sizeof *w->taken);
	memset(w->cycles, 0, w->n_use * sizeof *w->cycles);
	for (uint32_t k = w->n_use; k-- > 0;) // so that the first slot ends up at the head
		for (uint32_t i = 0; i < w->n; i++) {
			const uint32_t j = w->to[(size_t)w->use[k] * w->n + i];
			if (j == NO)
				continue;
			w->next[(size_t)k * w->n + i] = w->head[(size_t)i * w->n + j];
			w->head[(size_t)i * w->n + j] = k;
		}
	w->n_flows = 0;
}

// Finds the slot that lengthens least if it carries the flits straight. Returns NO if no slot joins the pair.
static uint32_t straight_way(const struct relaying *w, const struct pair *p, uint32_t flits)
{
	uint32_t best = NO, least = 0;
	for (uint32_t k = w->head[(size_t)p->from * w->n + p->to]; k != NO; k = w->next[(size_t)k * w->n + p->from]) {
		const uint32_t more = longer(w, k, p->from, flits);
		if (best == NO || more < least) {
			best = k;
			least = more;
		}
	}
	return best;
}

// Finds the two slots that lengthen least if the flits go through another node. Returns false if there are none.
static bool relayed_way(struct flow *out, const struct relaying *w, const struct pair *p, uint32_t flits)
{
	uint64_t least = UINT64_MAX;
	for (uint32_t k = 0; k < w->n_use && least > 0; k++) {
		const uint32_t by = w->to[(size_t)w->use[k] * w->n + p->from];
		if (by == NO || by == p->to)
			continue;
		const uint64_t first = longer(w, k, p->from, flits);
		for (uint32_t s = w->head[(size_t)by * w->n + p->to]; s != NO; s = w->next[(size_t)s * w->n + by]) {
			const uint64_t more = first + longer(w, s, by, flits);
			if (s < k + w->apart || more >= least)
				continue;
			least = more;
			out->first = k;
			out->second = s;
		}
	}
	return least < UINT64_MAX;
}

static bool put_pair(struct relaying *w, uint32_t number, bool relayed)
{
	const struct pair *p = &w->pair[number];
	const uint32_t part = (p->flits + PARTS - 1) / PARTS;
	for (uint32_t left = p->flits; left > 0;) {
		const uint32_t flits = left < part ? left : part;
		struct flow f = {.pair = number, .second = NO, .flits = flits};
		if (relayed && !relayed_way(&f, w, p, flits))
			return false;
		if (!relayed)
			f.first = straight_way(w, p, flits);
		take(w, f.first, p->from, flits);
		if (relayed)
			take(w, f.second, w->to[(size_t)w->use[f.first] * w->n + p->from], flits);
		w->flow[w->n_flows++] = f;
		left -= flits;
	}
	return true;
}

// Assigns all flits to the matchings in use, and returns their cost, light and dark, or UINT64_MAX if some pair cannot
// be reached.
static uint64_t put_all(struct relaying *w)
{
	uint64_t cost = 0;
	index_slots(w);
	w->search->work += (w->n_pairs + w->n) * (uint64_t)w->n_use;
	for (unsigned relayed = 0; relayed < 2; relayed++)
		for (uint32_t p = 0; p < w->n_pairs; p++) {
			const bool straight = w->head[(size_t)w->pair[p].from * w->n + w->pair[p].to] != NO;
			if (straight == !relayed && !put_pair(w, p, relayed))
				return UINT64_MAX;
		}
	for (uint32_t k = 0; k < w->n_use; k++)
		cost += w->cycles[k] > 0 ? (uint64_t)w->cycles[k] + w->dark : 0;
	return cost;
}

// Removes slots one after the other as long as that lowers the cost. Returns the cost.
static uint64_t leave_out(struct relaying *w, uint64_t cost)
{
	bool again = cost < UINT64_MAX;
	while (again && !loom_circuit_search_is_over(w->search)) {
		again = false;
		for (uint32_t k = w->n_use; k-- > 0 && !loom_circuit_search_is_over(w->search);) {
			const uint32_t left_out = w->use[k];
			memmove(w->use + k, w->use + k + 1, (w->n_use - k - 1) * sizeof *w->use);
			w->n_use--;
			const uint64_t without = put_all(w);
			if (without < cost) {
				cost = without;
				again = true;
				continue;
			}
			memmove(w->use + k + 1, w->use + k, (w->n_use - k) * sizeof *w->use);
			w->use[k] = left_out;
			w->n_use++;
		}
	}
	return cost;
}

// --- Choice of matchings ---------------------------------------------------------------------------------------------

static void use_list(struct relaying *w, const struct loom_circuit_list *list)
{
	memcpy(w->to, list->to, list->n_slots * w->n * sizeof *w->to);
	w->n_use = (uint32_t)list->n_slots;
	for (uint32_t k = 0; k < w->n_use; k++)
		w->use[k] = k;
}

static void use_shift(struct relaying *w, uint32_t by)
{
	for (uint32_t i = 0; i < w->n; i++)
		w->to[(size_t)w->n_use * w->n + i] = (i + by) % w->n;
	w->use[w->n_use] = w->n_use;
	w->n_use++;
}

static void use_shifts(struct relaying *w, uint32_t base)
{
	w->n_use = 0;
	for (uint32_t k = 1; k < base; k++)
		use_shift(w, k);
	for (uint32_t k = base; k < w->n; k += base)
		use_shift(w, k);
}

// --- The schedule

static size_t add_hop(struct loom_circuit_schedule *out, const struct relaying *w, const struct flow *f, bool second,
                      uint32_t *at, size_t before)
{
	const struct pair *p = &w->pair[f->pair];
	const uint32_t slot = second ? f->second : f->first;
	const uint32_t by = w->to[(size_t)w->use[f->first] * w->n + p->from], source = second ? by : p->from;
	out->parcel[out->n_parcels++] = (struct loom_circuit_parcel){.slot = w->head[slot],
	                                                             .source = source,
	                                                             .destination = second ? p->to : by,
	                                                             .from = p->from,
	                                                             .to = p->to,
	                                                             .begin = at[(size_t)slot * w->n + source],
	                                                             .flits = f->flits,
	                                                             .before = before};
	at[(size_t)slot * w->n + source] += f->flits;
	return out->n_parcels;
}

static int write_schedule(struct loom_circuit_schedule *out, struct relaying *w, struct loom_err *err)
{
	uint32_t *at = calloc((size_t)w->n_use * w->n, sizeof *at), n_slots = 0;
	int rc = 0;
	out->on = calloc(1, sizeof *out->on);
	out->parcel = malloc((2 * w->n_flows + 1) * sizeof *out->parcel);
	if (!at || !out->on || !out->parcel)
		rc = loom_circuit_no_memory(err);
	for (uint32_t k = 0; rc == 0 && k < w->n_use; k++) {
		if (w->cycles[k] == 0)
			continue;
		w->head[k] = n_slots++; // its former contents are no longer needed
		rc = loom_circuit_append(out, 0, w->cycles[k], w->to + (size_t)w->use[k] * w->n, err);
	}
	for (size_t f = 0; rc == 0 && f < w->n_flows; f++) {
		const size_t first = add_hop(out, w, &w->flow[f], false, at, 0);
		if (w->flow[f].second != NO)
			(void)add_hop(out, w, &w->flow[f], true, at, first);
	}
	free(at);
	return rc;
}

// Removes the matchings that do not pay. Keeps the rest in `kept` if their cost is below *best.
static void consider(struct relaying *w, uint64_t *best, uint32_t *kept, uint32_t *n_kept, uint32_t *kept_to)
{
	const uint64_t cost = leave_out(w, put_all(w));
	if (cost >= *best)
		return;
	*best = cost;
	*n_kept = w->n_use;
	for (uint32_t k = 0; k < w->n_use; k++) {
		kept[k] = k;
		memcpy(kept_to + (size_t)k * w->n, w->to + (size_t)w->use[k] * w->n, w->n * sizeof *kept_to);
	}
}

static int look(struct loom_circuit_schedule *out, struct relaying *w, const struct loom_circuit_list *straight,
                size_t most, uint64_t limit, struct loom_err *err)
{
	uint32_t *kept = malloc(most * sizeof *kept), *kept_to = malloc(most * w->n * sizeof *kept_to), n_kept = 0;
	uint64_t best = limit + w->dark;
	int rc = kept && kept_to ? 0 : loom_circuit_no_memory(err);
	for (uint32_t base = 2; rc == 0 && base < w->n && !loom_circuit_search_is_over(w->search);
	     base += 1 + base / 3) {
		use_shifts(w, base);
		consider(w, &best, kept, &n_kept, kept_to);
	}
	if (rc == 0 && !loom_circuit_search_is_over(w->search)) {
		use_list(w, straight);
		consider(w, &best, kept, &n_kept, kept_to);
	}
	if (rc == 0 && n_kept > 0) {
		memcpy(w->to, kept_to, (size_t)n_kept * w->n * sizeof *kept_to);
		memcpy(w->use, kept, n_kept * sizeof *kept);
		w->n_use = n_kept;
		(void)put_all(w);
		rc = write_schedule(out, w, err);
	}
	free(kept);
	free(kept_to);
	return rc;
}

int loom_circuit_relay(struct loom_circuit_schedule *out, const struct loom_demand *demand,
                       const struct loom_circuit_list *straight, uint64_t limit, struct loom_circuit_search *search,
                       struct loom_err *err)
{
	const uint32_t gap = out->relay_cycles > out->dark ? out->relay_cycles - out->dark : 0;
	const size_t most = straight->n_slots > 2 * (size_t)demand->n ? straight->n_slots : 2 * (size_t)demand->n;
	struct relaying w = {.n = demand->n, .dark = out->dark, .search = search};
	if (out->n_switches != 1 || demand->n < 3 || demand->n > NODES_MOST || gap >= demand->n)
		return 0;
	w.apart = 1 + gap; // each slot between them has at least a cycle
	int rc = init(&w, demand, most) ? 0 : loom_circuit_no_memory(err);
	if (rc == 0)
		rc = look(out, &w, straight, most, limit, err);
	loom_arrays_free(&w.arrays);
	return rc;
}
