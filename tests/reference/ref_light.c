// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "ref_light.h"

#include <assert.h>
#include <stdlib.h>

enum { VCS_MAX = 2, CYCLES_MAX = 63, FLITS_MAX = 2 * CYCLES_MAX + 1 };

// A virtual channel of a link.
struct beam {
	struct flit flit[FLITS_MAX]; // flit[0] is the first
	uint64_t there[FLITS_MAX];   // the first cycle in which it could go on
	unsigned n_flits;
	uint64_t word[FLITS_MAX]; // for flits that left: the first cycle in which the near end knows it
	unsigned n_words;
	bool was_empty[CYCLES_MAX + 1]; // True if the FIFO was empty, by cycle modulo this length
};

struct link {
	struct beam beam[VCS_MAX];
	uint64_t free; // the first cycle in which the next flit can be sent
	unsigned turn;
};

struct ref_light {
	unsigned n_vcs, cycles, ratio, room;
	uint64_t changed; // the last cycle in which anything changed
	struct link *link;
};

struct ref_light *ref_light_new(unsigned n_nodes, unsigned n_vcs, unsigned cycles, unsigned ratio)
{
	struct ref_light *light = calloc(1, sizeof(*light));

	assert(n_vcs <= VCS_MAX && cycles <= CYCLES_MAX);
	if (!light)
		return NULL;
	*light = (struct ref_light){.n_vcs = n_vcs, .cycles = cycles, .ratio = ratio};
	light->room = ratio > 1 ? cycles + 1 : 2 * cycles + 1;
	light->link = calloc(n_nodes, sizeof(*light->link));
	if (!light->link) {
		free(light);
		return NULL;
	}
	for (unsigned k = 0; k < n_nodes * VCS_MAX; k++) {
		for (unsigned i = 0; i <= CYCLES_MAX; i++)
			light->link[k / VCS_MAX].beam[k % VCS_MAX].was_empty[i] = true;
	}
	return light;
}

void ref_light_free(struct ref_light *light)
{
	if (!light)
		return;
	free(light->link);
	free(light);
}

void ref_light_look(struct ref_light *light, unsigned node, unsigned vc, uint64_t cycle, bool is_empty)
{
	struct beam *beam = &light->link[node].beam[vc];
	bool *now = &beam->was_empty[cycle % (CYCLES_MAX + 1)];

	if (is_empty != beam->was_empty[(cycle - 1) % (CYCLES_MAX + 1)])
		light->changed = cycle;
	*now = is_empty;
	while (beam->n_words > 0 && beam->word[0] <= cycle) {
		beam->n_words--;
		for (unsigned i = 0; i < beam->n_words; i++)
			beam->word[i] = beam->word[i + 1];
	}
}

bool ref_light_is_ready(const struct ref_light *light, unsigned node, unsigned vc, uint64_t cycle)
{
	const struct beam *beam = &light->link[node].beam[vc];

	return cycle >= light->link[node].free && beam->n_flits + beam->n_words < light->room;
}

bool ref_light_is_empty(const struct ref_light *light, unsigned node, unsigned vc, uint64_t cycle)
{
	const struct beam *beam = &light->link[node].beam[vc];

	return ref_light_is_ready(light, node, vc, cycle) && beam->n_flits + beam->n_words == 0 &&
	       beam->was_empty[(cycle + CYCLES_MAX + 1 - light->cycles) % (CYCLES_MAX + 1)];
}

void ref_light_send(struct ref_light *light, unsigned node, unsigned vc, uint64_t cycle, struct flit flit)
{
	struct beam *beam = &light->link[node].beam[vc];

	assert(beam->n_flits < light->room);
	beam->flit[beam->n_flits] = flit;
	beam->there[beam->n_flits++] = cycle + light->cycles + light->ratio - 1;
	light->link[node].free = cycle + light->ratio;
	light->changed = cycle;
}

unsigned ref_light_take(struct flit *out, struct ref_light *light, unsigned node, const bool *has_room, uint64_t cycle)
{
	struct link *link = &light->link[node];
	bool any = false;

	for (unsigned k = 0; k < light->n_vcs; k++)
		any = any || (link->beam[k].n_flits > 0 && link->beam[k].there[0] <= cycle);
	if (!any)
		link->turn = 0;
	for (unsigned k = 0; any && k < light->n_vcs; k++) {
		unsigned vc = (link->turn + k) % light->n_vcs;
		struct beam *beam = &link->beam[vc];

		if (beam->n_flits == 0 || beam->there[0] > cycle || !has_room[vc])
			continue;
		*out = beam->flit[0];
		beam->n_flits--;
		for (unsigned i = 0; i < beam->n_flits; i++) {
			beam->flit[i] = beam->flit[i + 1];
			beam->there[i] = beam->there[i + 1];
		}
		beam->word[beam->n_words++] = cycle + light->cycles + 1;
		link->turn = (vc + 1) % light->n_vcs;
		light->changed = cycle;
		return vc;
	}
	return light->n_vcs;
}

bool ref_light_stirs(const struct ref_light *light, uint64_t cycle)
{
	return cycle <= light->changed + light->cycles + light->ratio;
}
