// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Joins the machine's sites. Site s * N/2 + k of a multistage network with N nodes is switch k of stage s, in the
// numbers of the drawings; its inputs are lines 2k and 2k + 1, and by 2k and 2k + 1 it is left.
#include <errno.h>
#include <stdlib.h>

#include "ref_state.h"
#include "ref_via.h"

void ref_wiring_size(struct state *s)
{
	if (s->min) {
		s->n_nodes = s->min->n;
		s->n_links = s->min->m - 1;
		s->n_vcs = 1;
		s->n_sites = s->min->m * s->min->n / 2;
		s->n_inputs = s->n_outputs = 2;
	} else {
		s->n_nodes = s->n_sites = ref_net_nodes(s->net);
		s->n_links = ref_net_links(s->net);
		s->n_vcs = ref_net_vcs(s->net);
		s->n_inputs = s->n_outputs = s->n_links + 1;
	}
	s->n_channels = (size_t)s->n_nodes * (s->n_links + 2);
	s->n_lanes = s->n_channels * s->n_vcs;
}

// The channel that ends at an input port of a node: port p < n_links is the one beside link p, which comes from where
// link p leads to; port n_links is the injection.
static size_t input_channel(const struct state *s, unsigned node, unsigned port)
{
	unsigned neighbour;
	unsigned back;

	if (port == s->n_links)
		return injection_of(s, node);
	if (!ref_net_input(&neighbour, &back, s->net, node, port))
		return NONE;
	return channel_of(s, neighbour, back);
}

static void wire_direct(struct state *s)
{
	for (unsigned node = 0; node < s->n_nodes; node++) {
		for (unsigned port = 0; port <= s->n_links; port++) {
			size_t k = (size_t)node * s->n_inputs + port;

			s->input[k] = input_channel(s, node, port);
			s->output[k] = channel_of(s, node, port);
		}
	}
}

// Returns the channel on which `line` leaves `stage`.
static size_t behind_stage(const struct state *s, unsigned stage, unsigned line)
{
	if (stage < s->n_links)
		return channel_of(s, line, stage);
	return ejection_of(s, s->min->wire[s->min->m][line]);
}

static int wire_stages(struct state *s)
{
	for (unsigned stage = 0; stage < s->min->m; stage++) {
		for (unsigned line = 0; line < s->n_nodes; line++) {
			size_t k = (size_t)stage * s->n_nodes + line;
			unsigned from = s->min->unwire[stage][line];

			s->input[k] = stage == 0 ? injection_of(s, from) : channel_of(s, from, stage - 1);
			s->output[k] = behind_stage(s, stage, line);
		}
	}
	for (size_t m = 0; m < s->n_messages; m++) {
		uint32_t line[REF_MIN_M_MAX];

		if (!ref_min_path(line, s->min, s->message[m].source, s->message[m].destination))
			return -EINVAL;
		for (unsigned stage = 0; stage < s->min->m; stage++)
			s->line[m * s->min->m + stage] = behind_stage(s, stage, line[stage]);
	}
	return 0;
}

int ref_wiring_init(struct state *s)
{
	if (s->min)
		return wire_stages(s);
	wire_direct(s);
	return 0;
}

// Returns the lane of the chosen route that leaves `node`.
static size_t chosen_lane(const struct state *s, unsigned node, const struct ref_chosen *way)
{
	for (size_t k = 0; k < way->n_links; k++)
		if (way->link[k] / (s->n_links + 2) == node)
			return way->link[k] * (size_t)s->n_vcs + way->vc;
	return NONE;
}

// Returns the lane behind `came` on the way of a message that goes through a node. A way has no lane twice.
static size_t lane_by_way(const struct state *s, size_t m, size_t came)
{
	const struct ref_message *message = &s->message[m];
	size_t *lane = malloc((2 * (size_t)s->n_nodes + 2) * sizeof *lane), k = 0, next;

	if (!lane)
		abort();
	(void)ref_via_walk(lane, s->net, message->source, message->destination, &s->machine->vias[m]);
	while (lane[k] != came)
		k++;
	next = lane[k + 1];
	free(lane);
	return next;
}

size_t ref_wiring_next(const struct state *s, unsigned site, size_t m, size_t came)
{
	const struct ref_message *message = &s->message[m];
	enum ref_order order = s->machine->orders ? s->machine->orders[m] : s->machine->order;
	struct ref_way way = {message->source, message->destination, order};
	unsigned link;

	if (s->min)
		return s->line[m * s->min->m + site / (s->n_nodes / 2)];
	if (s->machine->vias)
		return lane_by_way(s, m, came);
	if (site == message->destination)
		return ejection_of(s, site) * s->n_vcs;
	if (s->machine->chosen)
		return chosen_lane(s, site, &s->machine->chosen[m]);
	link = ref_net_next(s->net, site, message->destination, order);
	return channel_of(s, site, link) * s->n_vcs + ref_net_vc(s->net, &way, site, link);
}
