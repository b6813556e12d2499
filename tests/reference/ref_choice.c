// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "ref_choice.h"

#include <stdlib.h>

static bool wraps(const struct ref_net *net)
{
	return net->kind == REF_RING || net->kind == REF_TORUS;
}

static unsigned dimension_of(const struct ref_net *net, unsigned link)
{
	return net->kind == REF_CUBE ? link : link / 2;
}

static unsigned coordinate(const struct ref_net *net, unsigned node, unsigned d)
{
	for (unsigned k = 0; k < d; k++)
		node /= net->extent[k];
	return node % net->extent[d];
}

unsigned ref_choice_distance(const struct ref_net *net, unsigned from, unsigned to)
{
	unsigned sum = 0;

	for (unsigned d = 0; d < net->n_extents; d++) {
		unsigned a = coordinate(net, from, d), b = coordinate(net, to, d), n = a > b ? a - b : b - a;

		sum += wraps(net) && net->extent[d] - n < n ? net->extent[d] - n : n;
	}
	return sum;
}

static bool leads_nearer(const struct ref_net *net, unsigned here, unsigned link, unsigned destination)
{
	unsigned node, back;

	return ref_net_link(&node, &back, net, here, link) &&
	       ref_choice_distance(net, node, destination) < ref_choice_distance(net, here, destination);
}

static bool is_negative(const struct ref_net *net, unsigned here, unsigned link)
{
	return net->kind == REF_CUBE ? (here >> link & 1) != 0 : link % 2 == 1;
}

// True if the link belongs to the first part of the rule, which messages take before all other links.
static bool is_of_first_part(const struct ref_net *net, unsigned rule, unsigned here, unsigned link)
{
	bool negative = is_negative(net, here, link);
	unsigned d = dimension_of(net, link);

	switch (rule) {
	case REF_NEGATIVE_FIRST: return negative;
	case REF_WEST_FIRST: return negative && d + 1 < net->n_extents;
	case REF_NORTH_LAST: return negative || d == 0;
	default: return true;
	}
}

// True if the minimal form of the routing function ROUTE of [Chiu00] allows the link. Columns are those of dimension 0.
static bool odd_even_lets(const struct ref_net *net, unsigned source, unsigned here, unsigned link,
                          unsigned destination)
{
	int x = (int)coordinate(net, here, 0), dx = (int)coordinate(net, destination, 0);
	int sx = (int)coordinate(net, source, 0);
	int e0 = dx - x, e1 = (int)coordinate(net, destination, 1) - (int)coordinate(net, here, 1);
	bool along = link / 2 == 0;

	if (!leads_nearer(net, here, link, destination))
		return false;
	if (e0 == 0)
		return !along;
	if (e0 > 0 && e1 == 0)
		return along;
	if (e0 > 0)
		return along ? dx % 2 != 0 || e0 != 1 : x % 2 != 0 || x == sx;
	return along || x % 2 == 0;
}

static unsigned escape_lanes(const struct ref_net *net)
{
	for (unsigned d = 0; d < net->n_extents; d++)
		if (wraps(net) && net->extent[d] > 4)
			return 2;
	return 1;
}

// Returns the escape lane: in the lowest dimension that is left. If both ways round a ring are equally long, it is the
// way that does not cross the ring's end.
static unsigned escape(const struct ref_net *net, unsigned here, unsigned destination)
{
	unsigned d = 0, link, vc = 0;

	while (coordinate(net, here, d) == coordinate(net, destination, d))
		d++;

	unsigned x = coordinate(net, here, d), y = coordinate(net, destination, d);
	bool up, down;

	if (net->kind == REF_CUBE)
		return 1 + d * ref_net_vcs(net);
	up = leads_nearer(net, here, 2 * d, destination);
	down = leads_nearer(net, here, 2 * d + 1, destination);
	link = 2 * d + (up && down ? y < x : down);
	if (escape_lanes(net) == 2) {
		bool is_up = link % 2 == 0, crosses = is_up ? y < x : y > x;
		unsigned end = is_up ? net->extent[d] - 1 : 0;

		vc = crosses && x != end ? 0 : 1;
	}
	return 1 + link * ref_net_vcs(net) + vc;
}

// Computes the fewest links to the destination from each place node * (links + 1) + came of a message. Repeats over all
// places until no distance gets smaller.
static void measure_turns(unsigned *distance, const struct ref_net *net, unsigned destination)
{
	const unsigned n_links = ref_net_links(net), n_inputs = n_links + 1, n = ref_net_nodes(net) * n_inputs;

	for (unsigned at = 0; at < n; at++)
		distance[at] = at / n_inputs == destination ? 0 : REF_FAR;
	for (bool changes = true; changes;) {
		changes = false;
		for (unsigned at = 0; at < n; at++)
			for (unsigned link = 0; link < n_links; link++) {
				unsigned here = at / n_inputs, came = at % n_inputs, node, back, there;

				if (came > 0 && net->forbidden[(here * n_links + came - 1) * n_links + link])
					continue;
				if (!ref_net_link(&node, &back, net, here, link))
					continue;
				there = distance[node * n_inputs + back + 1];
				if (there != REF_FAR && (distance[at] == REF_FAR || distance[at] > there + 1)) {
					distance[at] = there + 1;
					changes = true;
				}
			}
	}
}

static uint64_t choice_by_turns(const struct ref_net *net, unsigned here, unsigned came, unsigned destination)
{
	const unsigned n_links = ref_net_links(net), n_vcs = ref_net_vcs(net), n_inputs = n_links + 1;
	unsigned *distance = malloc((size_t)ref_net_nodes(net) * n_inputs * sizeof *distance);
	uint64_t lanes = 0;

	if (!distance)
		abort();
	measure_turns(distance, net, destination);
	for (unsigned link = 0; link < n_links; link++) {
		unsigned node, back;

		if (came > 0 && net->forbidden[(here * n_links + came - 1) * n_links + link])
			continue;
		if (!ref_net_link(&node, &back, net, here, link) || distance[node * n_inputs + back + 1] == REF_FAR ||
		    distance[node * n_inputs + back + 1] + 1 != distance[here * n_inputs + came])
			continue;
		for (unsigned v = 0; v < n_vcs; v++)
			lanes |= UINT64_C(1) << (1 + link * n_vcs + v);
	}
	free(distance);
	return lanes;
}

bool ref_choice_is_defined(const struct ref_net *net, unsigned rule)
{
	if (rule == REF_TURNS)
		return net->forbidden != NULL;
	if (net->has_tables || net->kind == REF_GRAPH || net->kind == REF_OTIS)
		return false;
	if (rule == REF_DUATO)
		return ref_net_vcs(net) > escape_lanes(net);
	if (rule == REF_ODD_EVEN)
		return net->kind == REF_MESH && net->n_extents == 2;
	return rule < REF_NEGATIVE_FIRST || (rule < REF_ODD_EVEN && !wraps(net));
}

uint64_t ref_choice(uint64_t *out_last, const struct ref_net *net, unsigned rule, unsigned source, unsigned here,
                    unsigned came, unsigned destination)
{
	const unsigned n_vcs = ref_net_vcs(net);
	bool is_first_left = false;
	uint64_t lanes = 0;

	*out_last = 0;
	if (here == destination)
		return 1;
	if (rule == REF_TURNS)
		return choice_by_turns(net, here, came, destination);
	if (rule < REF_NEGATIVE_FIRST) {
		struct ref_way way = {source, destination, (enum ref_order)rule};
		unsigned link = ref_net_next(net, here, destination, way.order);

		return UINT64_C(1) << (1 + link * n_vcs + ref_net_vc(net, &way, here, link));
	}
	for (unsigned link = 0; link < ref_net_links(net); link++)
		if (leads_nearer(net, here, link, destination) && is_of_first_part(net, rule, here, link))
			is_first_left = true;
	for (unsigned link = 0; link < ref_net_links(net); link++) {
		bool goes = leads_nearer(net, here, link, destination) &&
		            (!is_first_left || is_of_first_part(net, rule, here, link));

		if (rule == REF_ODD_EVEN)
			goes = odd_even_lets(net, source, here, link, destination);
		for (unsigned v = rule == REF_DUATO ? escape_lanes(net) : 0; goes && v < n_vcs; v++)
			lanes |= UINT64_C(1) << (1 + link * n_vcs + v);
	}
	if (rule == REF_DUATO) {
		*out_last = UINT64_C(1) << escape(net, here, destination);
		lanes |= *out_last;
	}
	return lanes;
}
