// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes the share of each destination in the messages of a source, and draws destinations in these proportions.
#include "traffic/shares.h"

#include "traffic/flows.h"

// Returns the number of processors between which messages of UNIFORM and HOTSPOT go.
static uint32_t among_count(const struct loom_traffic *t)
{
	return t->among ? t->n_among : t->n_nodes;
}

// Returns the index of a processor among them, or that of the next one if it is none of them.
static uint32_t place_among(const struct loom_traffic *t, uint32_t v)
{
	uint32_t low = 0, high = t->n_among;
	if (!t->among)
		return v;
	while (low < high) {
		const uint32_t middle = (low + high) / 2;
		if (t->among[middle] < v)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool is_among(const struct loom_traffic *t, uint32_t v)
{
	const uint32_t place = place_among(t, v);
	return !t->among || (place < t->n_among && t->among[place] == v);
}

double loom_traffic_rate(const struct loom_traffic *t, uint32_t v)
{
	double rate = 0;
	if (v >= t->n_nodes) // a switch
		return 0;
	switch (t->kind) {
	case LOOM_TRAFFIC_ONE: return t->destination[v] != LOOM_TRAFFIC_SILENT;
	case LOOM_TRAFFIC_UNIFORM: return among_count(t) > 1 && is_among(t, v);
	case LOOM_TRAFFIC_HOTSPOT: return among_count(t) > 1 && is_among(t, v) && !(t->fraction >= 1 && v == t->hot);
	case LOOM_TRAFFIC_FLOWS: return t->flows->rate[v];
	case LOOM_TRAFFIC_SUM:
		for (size_t k = 0; k < t->n_terms; k++)
			rate += t->weights[k] * loom_traffic_rate(&t->terms[k], v);
		return rate;
	}
	return 0;
}

// --- Shares ---------------------------------------------------------------------------------------------------------

void loom_shares_begin(struct loom_shares *out, const struct loom_traffic *traffic, uint32_t source)
{
	*out = (struct loom_shares){.traffic = traffic, .source = source};
}

static double part_of_hotspot(const struct loom_traffic *t, uint32_t v, uint32_t w)
{
	const double others = v == w || !is_among(t, w) ? 0 : 1.0 / (among_count(t) - 1);
	if (t->kind == LOOM_TRAFFIC_UNIFORM || v == t->hot)
		return others;
	return (1 - t->fraction) * others + (w == t->hot ? t->fraction : 0);
}

// Gives the next share of traffic that is not a sum.
static bool next_simple(struct loom_share *out, const struct loom_traffic *t, uint32_t v, size_t *next)
{
	const struct loom_flows *f = t->flows;
	size_t i = (*next)++;
	if (loom_traffic_rate(t, v) <= 0)
		return false;
	switch (t->kind) {
	case LOOM_TRAFFIC_ONE: *out = (struct loom_share){.destination = t->destination[v], .rate = 1}; return i == 0;
	case LOOM_TRAFFIC_FLOWS:
		if ((i += f->first[v]) == f->first[v + 1])
			return false;
		*out = (struct loom_share){.destination = f->destination[i],
		                           .flits = f->flits ? f->flits[i] : 0,
		                           .rate = f->rate[v] * (f->upto[i] - (i > f->first[v] ? f->upto[i - 1] : 0))};
		if (f->flits)
			out->rate *= f->flits[i] / f->mean_flits[v];
		return true;
	default:
		while (i < t->n_nodes && part_of_hotspot(t, v, (uint32_t)i) <= 0)
			i++;
		if (i == t->n_nodes)
			return false;
		*out = (struct loom_share){.destination = (uint32_t)i, .rate = part_of_hotspot(t, v, (uint32_t)i)};
		*next = i + 1;
		return true;
	}
}

bool loom_shares_next(struct loom_shares *s, struct loom_share *out)
{
	const struct loom_traffic *t = s->traffic;
	if (t->kind != LOOM_TRAFFIC_SUM)
		return next_simple(out, t, s->source, &s->next);
	for (; s->term < t->n_terms; s->term++, s->next = 0)
		if (next_simple(out, &t->terms[s->term], s->source, &s->next)) {
			out->rate *= t->weights[s->term];
			return true;
		}
	return false;
}

bool loom_shares_are_all(const struct loom_traffic *t)
{
	bool all = t->kind == LOOM_TRAFFIC_UNIFORM || t->kind == LOOM_TRAFFIC_HOTSPOT;
	for (size_t k = 0; k < t->n_terms; k++)
		all = all || loom_shares_are_all(&t->terms[k]);
	return all;
}

bool loom_shares_are_few(const struct loom_traffic *t)
{
	return !loom_shares_are_all(t) || t->n_nodes <= LOOM_TRAFFIC_PAIRS_NODES;
}

// --- Lengths ---------------------------------------------------------------------------------------------------------

double loom_shares_mean_flits(const struct loom_load_options *o)
{
	return o->lengths ? loom_lengths_mean(o->lengths) : o->flits;
}

static double mean_of_source(const struct loom_traffic *t, double mean_flits, uint32_t v)
{
	return t->kind == LOOM_TRAFFIC_FLOWS && t->flows->flits ? t->flows->mean_flits[v] : mean_flits;
}

// Returns the messages per cycle at load 1 of all terms of a sum before a given one.
static double messages_before(const struct loom_traffic *t, double mean_flits, uint32_t v, size_t term)
{
	double sum = 0;
	for (size_t k = 0; k < term; k++) {
		const double rate = t->weights[k] * loom_traffic_rate(&t->terms[k], v);
		if (rate > 0) // other terms have no messages, and no mean
			sum += rate / mean_of_source(&t->terms[k], mean_flits, v);
	}
	return sum;
}

double loom_shares_gap(const struct loom_traffic *t, const struct loom_load_options *o, uint32_t v)
{
	const double mean_flits = loom_shares_mean_flits(o);
	const double at_1 = t->kind == LOOM_TRAFFIC_SUM ? 1 / messages_before(t, mean_flits, v, t->n_terms)
	                                                : mean_of_source(t, mean_flits, v) / loom_traffic_rate(t, v);
	return at_1 / o->load;
}

static void widen(uint32_t *least, uint32_t *most, uint32_t flits)
{
	*least = *least == 0 || flits < *least ? flits : *least;
	*most = flits > *most ? flits : *most;
}

bool loom_traffic_own_lengths(uint32_t *least, uint32_t *most, const struct loom_traffic *t)
{
	bool all = t->n_terms > 0 || (t->flows && t->flows->flits);
	*least = *most = 0;
	for (size_t i = 0; t->flows && t->flows->flits && i < t->flows->n; i++)
		widen(least, most, t->flows->flits[i]);
	for (size_t k = 0; k < t->n_terms; k++) {
		uint32_t of_term[2];
		all = loom_traffic_own_lengths(&of_term[0], &of_term[1], &t->terms[k]) && all;
		if (of_term[1]) {
			widen(least, most, of_term[0]);
			widen(least, most, of_term[1]);
		}
	}
	return all;
}

void loom_shares_lengths(uint32_t *least, uint32_t *most, const struct loom_traffic *t,
                         const struct loom_load_options *o)
{
	if (loom_traffic_own_lengths(least, most, t))
		return;
	for (uint32_t i = 0; o->lengths && i < o->lengths->n; i++)
		widen(least, most, o->lengths->flits[i]);
	if (!o->lengths)
		widen(least, most, o->flits);
}

// --- Draws ----------------------------------------------------------------------------------------------------------

static uint32_t any_other(struct loom_rng *rng, uint32_t n, uint32_t v)
{
	uint32_t other = (uint32_t)loom_rng_below(rng, n - 1);
	return other + (other >= v);
}

// Finds the first flow at which the sum of the shares exceeds a given number below 1.
static size_t find_flow(const struct loom_flows *f, uint32_t v, double drawn)
{
	size_t low = f->first[v], high = f->first[v + 1] - 1;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		if (drawn < f->upto[middle])
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static uint32_t draw_length(const struct loom_load_options *o, struct loom_rng *rng)
{
	double rest;
	uint32_t i = 0;
	if (!o->lengths)
		return o->flits;
	rest = loom_rng_part(rng);
	while (i + 1 < o->lengths->n && (rest -= o->lengths->probability[i]) >= 0)
		i++;
	return o->lengths->flits[i];
}

static size_t draw_term(const struct loom_traffic *t, double mean_flits, uint32_t v, double drawn)
{
	const double upto = drawn * messages_before(t, mean_flits, v, t->n_terms);
	size_t k = 0, last = 0;
	for (; k < t->n_terms; k++) {
		if (loom_traffic_rate(&t->terms[k], v) <= 0)
			continue;
		last = k;
		if (upto < messages_before(t, mean_flits, v, k + 1))
			break;
	}
	return last;
}

struct loom_drawn loom_shares_draw(const struct loom_traffic *t, const struct loom_load_options *o, uint32_t v,
                                   struct loom_rng *destinations, struct loom_rng *lengths)
{
	struct loom_drawn out = {.flits = 0};
	if (t->kind == LOOM_TRAFFIC_SUM)
		t = &t->terms[draw_term(t, loom_shares_mean_flits(o), v, loom_rng_part(destinations))];
	if (t->kind == LOOM_TRAFFIC_ONE) {
		out.destination = t->destination[v];
	} else if (t->kind == LOOM_TRAFFIC_FLOWS) {
		const size_t i = find_flow(t->flows, v, loom_rng_part(destinations));
		out.destination = t->flows->destination[i];
		out.flits = t->flows->flits ? t->flows->flits[i] : 0;
		out.of_class = t->flows->class_of ? t->flows->class_of[i] : 0;
	} else if (t->kind == LOOM_TRAFFIC_HOTSPOT && loom_rng_part(destinations) < t->fraction && v != t->hot) {
		out.destination = t->hot;
	} else {
		out.destination = any_other(destinations, among_count(t), place_among(t, v));
		if (t->among)
			out.destination = t->among[out.destination];
	}
	if (out.flits == 0)
		out.flits = draw_length(o, lengths);
	return out;
}

size_t loom_shares_count(const struct loom_traffic *t)
{
	struct loom_shares shares;
	struct loom_share share;
	size_t n = 0;
	for (uint32_t v = 0; v < t->n_nodes; v++)
		for (loom_shares_begin(&shares, t, v); loom_shares_next(&shares, &share);)
			n++;
	return n;
}
