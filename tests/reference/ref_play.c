// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "ref_play.h"

#include <stdlib.h>
#include <string.h>

static unsigned crossings(const struct ref_worm *w, uint32_t channel)
{
	unsigned n = 0;
	for (unsigned k = 0; k < w->length; k++)
		n += w->channel[k] == channel;
	return n;
}

uint32_t ref_play_load(const struct ref_play *p, uint32_t pass, uint32_t channel)
{
	uint32_t n = 0;
	for (size_t i = 0; i < p->n_worms; i++)
		if (p->worm[i].pass == pass)
			n += crossings(&p->worm[i], channel);
	return n;
}

uint64_t ref_play_flits(const struct ref_play *p, uint32_t pass, uint32_t channel)
{
	uint64_t n = 0;
	for (size_t i = 0; i < p->n_worms; i++)
		if (p->worm[i].pass == pass)
			n += (uint64_t)p->worm[i].flits * crossings(&p->worm[i], channel);
	return n;
}

// Returns the most worms on a channel of one group, or of all (group == n_groups), in one pass.
static uint32_t worst(const struct ref_play *p, uint32_t pass, unsigned group)
{
	uint32_t most = 0;
	for (uint32_t c = 0; c < p->n_channels; c++) {
		if (p->is_local[c] || (group != p->n_groups && p->group_of_channel[c] != group))
			continue;
		uint32_t load = ref_play_load(p, pass, c);
		if (load > most)
			most = load;
	}
	return most;
}

static uint32_t worst_of_member(const struct ref_play *p, uint32_t member, unsigned group)
{
	uint32_t most = 0;
	for (uint32_t pass = 0; pass < p->n_passes; pass++)
		if (p->member_of_pass[pass] == member && worst(p, pass, group) > most)
			most = worst(p, pass, group);
	return most;
}

uint32_t ref_play_pass_contention(const struct ref_play *p, uint32_t pass)
{
	return worst(p, pass, p->n_groups);
}

uint32_t ref_play_member_contention(const struct ref_play *p, uint32_t member)
{
	return worst_of_member(p, member, p->n_groups);
}

uint32_t ref_play_contention(const struct ref_play *p)
{
	uint32_t most = 0;
	for (uint32_t pass = 0; pass < p->n_passes; pass++)
		if (ref_play_pass_contention(p, pass) > most)
			most = ref_play_pass_contention(p, pass);
	return most;
}

uint64_t ref_play_objective(const struct ref_play *p, const char *objective)
{
	uint64_t maxmax = 0, maxsum = 0, sumsum = 0;
	for (unsigned group = 0; group < p->n_groups; group++) {
		uint64_t sum = 0;
		for (uint32_t member = 0; member < p->n_members; member++) {
			uint64_t t = worst_of_member(p, member, group);
			sum += t;
			maxmax = t > maxmax ? t : maxmax;
		}
		maxsum = sum > maxsum ? sum : maxsum;
		sumsum += sum;
	}
	return strcmp(objective, "sumsum") == 0 ? sumsum : strcmp(objective, "maxsum") == 0 ? maxsum : maxmax;
}

static bool of_member(const struct ref_play *p, size_t worm, uint32_t member)
{
	return p->worm[worm].length > 0 && p->member_of_pass[p->worm[worm].pass] == member;
}

static uint64_t busiest_channel(const struct ref_play *p, uint32_t member)
{
	uint64_t most = 0;
	for (uint32_t c = 0; c < p->n_channels; c++) {
		uint64_t n = 0;
		for (size_t i = 0; i < p->n_worms; i++)
			if (of_member(p, i, member))
				n += crossings(&p->worm[i], c);
		most = n > most ? n : most;
	}
	return most;
}

static uint64_t busiest_node(const struct ref_play *p, uint32_t member)
{
	uint64_t most = 0;
	for (uint32_t node = 0; node < p->n_nodes; node++) {
		uint64_t sends = 0, receives = 0;
		for (size_t i = 0; i < p->n_worms; i++) {
			if (!of_member(p, i, member))
				continue;
			sends += p->worm[i].source == node && !p->worm[i].fetched;
			receives += p->worm[i].destination == node && !p->worm[i].kept;
		}
		most = sends > most ? sends : most;
		most = receives > most ? receives : most;
	}
	return most;
}

uint64_t ref_play_passes_bound(const struct ref_play *p)
{
	bool relayed = false;
	uint64_t sum = 0;
	for (size_t i = 0; i < p->n_worms; i++)
		relayed = relayed || p->worm[i].fetched;
	for (uint32_t member = 0; member < p->n_members; member++)
		sum += relayed ? busiest_node(p, member) : busiest_channel(p, member);
	return sum;
}

// --- Flit by flit --------------------------------------------------------------------------------------------------

// Returns the cycle before the one in which the worm's header is first offered: in a free run a node that sends nothing
// in a pass waits as long as the others send.
static uint64_t start_of(const struct ref_play *p, const struct ref_worm *w)
{
	uint64_t cycle = 0;
	for (uint32_t pass = 0; p->free_running && pass < w->pass; pass++)
		cycle += w->flits;
	return cycle;
}

// Moves the worm until its tail is out; seen, if not NULL, counts the flits on each channel in each of n_cycles cycles.
static uint64_t move(const struct ref_play *p, const struct ref_worm *w, uint8_t *seen, uint64_t n_cycles)
{
	uint64_t cycle = start_of(p, w);
	unsigned *crossed = calloc(w->flits, sizeof *crossed); // channels behind each flit
	uint64_t *there = calloc(w->flits, sizeof *there);     // the first cycle in which it can cross the next channel
	uint64_t *free_again = calloc(w->length + 1, sizeof *free_again); // each channel of its way
	if (!crossed || !there || !free_again)
		abort();
	while (w->length && crossed[w->flits - 1] < w->length) {
		cycle++;
		// Begins with the tail: no flit moves into a place that another flit leaves in the same cycle.
		for (uint32_t f = w->flits; f-- > 0;) {
			if (crossed[f] == w->length || (f > 0 && crossed[f - 1] <= crossed[f]) || cycle < there[f] ||
			    cycle < free_again[crossed[f]])
				continue;
			uint32_t channel = w->channel[crossed[f]];
			uint8_t *count = seen ? &seen[channel * n_cycles + cycle] : NULL;
			if (count && *count < UINT8_MAX)
				++*count;
			there[f] = cycle + 1 + (p->late ? p->late[channel] : 0);
			free_again[crossed[f]] = cycle + (p->keeps ? p->keeps[channel] : 1);
			crossed[f]++;
		}
	}
	free(crossed);
	free(there);
	free(free_again);
	return w->length ? cycle : 0;
}

uint64_t ref_play_tail(const struct ref_play *p, size_t worm)
{
	return move(p, &p->worm[worm], NULL, 0);
}

uint64_t ref_play_header(const struct ref_play *p, size_t worm)
{
	struct ref_worm header = p->worm[worm];
	uint64_t before = start_of(p, &header);
	header.flits = 1;
	return header.length ? before - start_of(p, &header) + move(p, &header, NULL, 0) : 0;
}

static uint64_t last_tail(const struct ref_play *p, uint32_t pass)
{
	uint64_t last = 0;
	for (size_t i = 0; i < p->n_worms; i++)
		if (p->worm[i].pass == pass && ref_play_tail(p, i) > last)
			last = ref_play_tail(p, i);
	return last;
}

static bool is_shared(const struct ref_play *p, uint32_t pass)
{
	for (uint32_t c = 0; c < p->n_channels; c++)
		if (ref_play_load(p, pass, c) > 1)
			return true;
	return false;
}

// True if two worms reach a channel after different numbers of hops.
static bool out_of_step(const struct ref_play *p)
{
	for (size_t i = 0; i < p->n_worms; i++)
		for (size_t j = 0; j < i; j++)
			for (unsigned a = 0; a < p->worm[i].length; a++)
				for (unsigned b = 0; b < p->worm[j].length; b++)
					if (a != b && p->worm[i].channel[a] == p->worm[j].channel[b])
						return true;
	return false;
}

void ref_play_cycles(uint64_t *out, const struct ref_play *p)
{
	bool known = !p->free_running || !out_of_step(p);
	uint64_t before = 0;
	for (uint32_t pass = 0; p->free_running && pass < p->n_passes; pass++)
		known = known && !is_shared(p, pass);
	for (uint32_t pass = 0; pass < p->n_passes; pass++) {
		uint64_t last = last_tail(p, pass);
		if (!known || is_shared(p, pass))
			out[pass] = REF_PLAY_UNKNOWN;
		else if (!p->free_running)
			out[pass] = last;
		else
			out[pass] = last > before ? last - before : 0;
		if (last > before)
			before = last;
	}
}

bool ref_play_collides(const struct ref_play *p)
{
	uint64_t n_cycles = 1;
	bool collides = false;
	for (uint32_t pass = 0; pass < p->n_passes; pass++)
		if (last_tail(p, pass) + 1 > n_cycles)
			n_cycles = last_tail(p, pass) + 1;
	// With barriers the cycles of every pass count from its own start.
	for (uint32_t pass = 0; pass < (p->free_running ? 1 : p->n_passes); pass++) {
		uint8_t *seen = calloc(p->n_channels * n_cycles, 1);
		if (!seen)
			abort();
		for (size_t i = 0; i < p->n_worms; i++)
			if (p->free_running || p->worm[i].pass == pass)
				(void)move(p, &p->worm[i], seen, n_cycles);
		for (size_t k = 0; k < p->n_channels * n_cycles; k++)
			collides = collides || seen[k] > 1;
		free(seen);
	}
	return collides;
}
