// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "ref_otis_net.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

static void add(struct ref_otis_way *way, unsigned link, unsigned times)
{
	assert(way->n + times <= REF_OTIS_WAY_MAX);
	for (unsigned k = 0; k < times; k++)
		way->link[way->n++] = link;
}

// Adds E: the electronic moves from one processor of a group to another.
static void electronic(struct ref_otis_way *way, unsigned side, unsigned p, unsigned q, enum ref_order order)
{
	unsigned steps[4] = {0}; // by link

	if (q % side > p % side)
		steps[0] = q % side - p % side;
	else
		steps[1] = p % side - q % side;
	if (q / side > p / side)
		steps[2] = q / side - p / side;
	else
		steps[3] = p / side - q / side;
	for (unsigned k = 0; k < 4; k++) {
		unsigned link = order == REF_DESCENDING ? (k + 2) % 4 : k;

		add(way, link, steps[link]);
	}
}

void ref_otis_way(struct ref_otis_way *out, unsigned side, unsigned from, unsigned to, enum ref_order order)
{
	unsigned g1 = from / (side * side), p1 = from % (side * side);
	unsigned g2 = to / (side * side), p2 = to % (side * side);
	struct ref_otis_way by_two = {0};

	out->n = 0;
	if (g1 == g2) { // (a)
		electronic(out, side, p1, p2, order);
		return;
	}
	// (c): (g1,p1) -> (g1,g2) => (g2,g1) -> (g2,p2)
	electronic(out, side, p1, g2, order);
	add(out, REF_OTIS_LIGHT, 1);
	electronic(out, side, g1, p2, order);
	// (b): (g1,p1) -> (g1,p2) => (p2,g1) -> (p2,g2) => (g2,p2)
	if (g1 == p2 || p2 == g2)
		return;
	electronic(&by_two, side, p1, p2, order);
	add(&by_two, REF_OTIS_LIGHT, 1);
	electronic(&by_two, side, g1, g2, order);
	add(&by_two, REF_OTIS_LIGHT, 1);
	if (by_two.n < out->n)
		*out = by_two;
}

unsigned ref_otis_vc(const struct ref_otis_way *way)
{
	size_t k = 0;

	while (k < way->n && way->link[k] != REF_OTIS_LIGHT)
		k++;
	for (; k < way->n; k++) {
		if (way->link[k] != REF_OTIS_LIGHT)
			return 0;
	}
	return 1;
}

bool ref_otis_light(unsigned *out, unsigned side, unsigned node)
{
	unsigned g = node / (side * side), p = node % (side * side);

	if (g == p)
		return false;
	*out = p * side * side + g;
	return true;
}

int ref_otis_parse(struct ref_net *out, const char *size)
{
	unsigned groups, cycles = 0, ratio = 1, vcs = 1, side = 1;
	char again[64] = "", part[24];

	if (sscanf(size, "%u", &groups) != 1)
		return -EINVAL;
	if (strchr(size, 'l'))
		(void)sscanf(strchr(size, 'l'), "l%u", &cycles);
	if (strchr(size, 'w'))
		(void)sscanf(strchr(size, 'w'), "w%u", &ratio);
	if (strchr(size, 'v'))
		(void)sscanf(strchr(size, 'v'), "v%u", &vcs);
	// The text must be exactly what these numbers give.
	(void)snprintf(again, sizeof(again), "%u", groups);
	for (unsigned k = 0; k < 3; k++) {
		const unsigned value[] = {cycles, ratio, vcs}, usual[] = {0, 1, 1};

		(void)snprintf(part, sizeof(part), "%c%u", "lwv"[k], value[k]);
		if (value[k] != usual[k])
			strcat(again, part);
	}
	while (side * side < groups && side < 8)
		side *= 2;
	if (strcmp(again, size) != 0 || side == 1 || side * side != groups || cycles > 63 || ratio < 1 || ratio > 16 ||
	    vcs < 1 || vcs > 2)
		return -EINVAL;
	*out = (struct ref_net){.kind = REF_OTIS,
	                        .n_extents = 4,
	                        .extent = {side, side, side, side},
	                        .n_vcs = vcs,
	                        .light_cycles = cycles,
	                        .light_ratio = ratio};
	return 0;
}
