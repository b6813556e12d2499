// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/routes/pairs/pair_net.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/routes/failures.h>
#include <flitloom/routes/pair_routes.h>

#define FAR UINT16_MAX

static int fail_memory(uint32_t n_nodes, struct loom_err *err)
{
	return loom_fail(err, LOOM_ENOMEM, "out of memory for routes between %" PRIu32 " nodes", n_nodes);
}

// Sorts the links by their node at one end.
static int sort_links(uint32_t **first, uint32_t **sorted, struct loom_pair_net *net, const uint32_t *node)
{
	LOOM_ARRAY(&net->arrays, *first, (size_t)net->n_nodes + 2);
	LOOM_ARRAY(&net->arrays, *sorted, net->n_links);
	if (net->arrays.is_short)
		return LOOM_ENOMEM;
	uint32_t *end = *first + 1; // end[v] moves from the beginning of v's links to their end
	for (uint32_t a = 0; a < net->n_links; a++)
		end[node[a] + 1]++;
	for (uint32_t v = 0; v < net->n_nodes; v++)
		end[v + 1] += end[v];
	for (uint32_t a = 0; a < net->n_links; a++)
		(*sorted)[end[node[a]]++] = a;
	return 0;
}

static uint32_t count_turns(const struct loom_pair_net *net)
{
	uint32_t n = 0;
	for (uint32_t a = 0; a < net->n_links; a++)
		for (uint32_t i = net->out_first[net->head[a]]; i < net->out_first[net->head[a] + 1]; i++)
			n += net->head[net->out[i]] != net->tail[a];
	return n;
}

static int find_turns(struct loom_pair_net *net)
{
	const uint32_t n = net->n_turns = count_turns(net);
	uint32_t k = 0;
	LOOM_ARRAY(&net->arrays, net->turn_first, (size_t)net->n_links + 1);
	LOOM_ARRAY(&net->arrays, net->turn, (size_t)n + 1);
	LOOM_ARRAY(&net->arrays, net->turn_from, (size_t)n + 1);
	LOOM_ARRAY(&net->arrays, net->back_first, (size_t)net->n_links + 2);
	LOOM_ARRAY(&net->arrays, net->back, (size_t)n + 1);
	if (net->arrays.is_short)
		return LOOM_ENOMEM;
	uint32_t *end = net->back_first + 1;
	for (uint32_t a = 0; a < net->n_links; a++) {
		net->turn_first[a] = k;
		for (uint32_t i = net->out_first[net->head[a]]; i < net->out_first[net->head[a] + 1]; i++) {
			const uint32_t b = net->out[i];
			if (net->head[b] == net->tail[a])
				continue;
			net->turn_from[k] = a;
			net->turn[k++] = b;
			end[b + 1]++;
		}
	}
	net->turn_first[net->n_links] = k;
	for (uint32_t b = 0; b < net->n_links; b++)
		end[b + 1] += end[b];
	for (k = 0; k < n; k++)
		net->back[end[net->turn[k]]++] = k;
	return 0;
}

// Searches breadth first from each node along the links. Returns a node that another node cannot reach, or n_nodes.
static uint32_t find_hops(struct loom_pair_net *net, uint32_t *queue)
{
	const size_t n = net->n_nodes;
	memset(net->hops, 0xff, n * n * sizeof *net->hops);
	for (uint32_t from = 0; from < n; from++) {
		uint32_t n_queued = 0;
		queue[n_queued++] = from;
		net->hops[from * n + from] = 0;
		for (uint32_t k = 0; k < n_queued; k++) {
			const uint32_t u = queue[k], hops = net->hops[u * n + from];
			net->longest = hops > net->longest ? hops : net->longest;
			for (uint32_t i = net->out_first[u]; i < net->out_first[u + 1]; i++) {
				uint16_t *there = &net->hops[net->head[net->out[i]] * n + from];
				if (*there != FAR)
					continue;
				*there = (uint16_t)(hops + 1);
				queue[n_queued++] = net->head[net->out[i]];
			}
		}
		for (uint32_t v = 0; n_queued < n && v < n; v++)
			if (net->hops[v * n + from] == FAR)
				return v;
	}
	return (uint32_t)n;
}

int loom_pair_net_of(struct loom_pair_net *out, uint32_t n_nodes, uint32_t n_links, const uint32_t *tail,
                     const uint32_t *head, const uint32_t *channel, struct loom_err *err)
{
	struct loom_pair_net net = {.n_nodes = n_nodes, .n_links = n_links, .n_hosts = n_nodes};
	uint32_t *queue = malloc(n_nodes * sizeof *queue);
	LOOM_ARRAY(&net.arrays, net.tail, n_links);
	LOOM_ARRAY(&net.arrays, net.head, n_links);
	LOOM_ARRAY(&net.arrays, net.channel, n_links);
	LOOM_ARRAY(&net.arrays, net.hops, (size_t)n_nodes * n_nodes);
	int rc = queue && !net.arrays.is_short ? 0 : LOOM_ENOMEM;
	for (uint32_t a = 0; rc == 0 && a < n_links; a++) {
		net.tail[a] = tail[a];
		net.head[a] = head[a];
		net.channel[a] = channel[a];
	}
	if (rc == 0)
		rc = sort_links(&net.out_first, &net.out, &net, net.tail);
	if (rc == 0)
		rc = sort_links(&net.in_first, &net.in, &net, net.head);
	if (rc == 0)
		rc = find_turns(&net);
	const uint32_t lost = rc == 0 ? find_hops(&net, queue) : n_nodes;
	free(queue);
	if (rc != 0)
		rc = fail_memory(n_nodes, err);
	else if (lost < n_nodes)
		rc = loom_fail(err, LOOM_EINPUT, "some node has no way to node %" PRIu32, lost);
	if (rc != 0)
		loom_pair_net_free(&net);
	else
		*out = net;
	return rc;
}

int loom_pair_net_make(struct loom_pair_net *out, const struct loom_topo *topo, struct loom_err *err)
{
	const uint32_t n = topo->n_nodes, per_tile = loom_topo_channels_per_tile(topo);
	const unsigned n_ports = loom_topo_links(topo);
	if (n_ports == 0)
		return loom_fail(err, LOOM_EINPUT, "%s is no direct network: its messages have no choice of routes",
		                 topo->name);
	if (n > LOOM_PAIR_NODES_MAX)
		return loom_fail(err, LOOM_EINPUT, "%s has %" PRIu32 " nodes: routes of all pairs are for %d at most",
		                 topo->name, n, LOOM_PAIR_NODES_MAX);
	uint32_t *link = calloc(3 * ((size_t)n * n_ports + 1), sizeof *link), n_links = 0, n_nodes = 0;
	uint32_t *node = malloc(2 * (size_t)n * sizeof *node), *number = node ? node + n : NULL;
	if (!link || !node) {
		free(link);
		free(node);
		return fail_memory(n, err);
	}
	for (uint32_t u = 0; u < n; u++)
		if (loom_topo_takes_part(topo, u)) {
			number[u] = n_nodes;
			node[n_nodes++] = u;
		}
	uint32_t *tail = link, *head = tail + (size_t)n * n_ports, *channel = head + (size_t)n * n_ports;
	for (uint32_t u = 0; u < n; u++)
		for (unsigned p = 0; p < n_ports; p++) {
			uint32_t v;
			unsigned q;
			if (!topo->kind->link(topo, u, p, &v, &q) || !loom_topo_takes_part(topo, u) ||
			    !loom_topo_takes_part(topo, v))
				continue;
			tail[n_links] = number[u];
			head[n_links] = number[v];
			channel[n_links++] = u * per_tile + p;
		}
	int rc = loom_pair_net_of(out, n_nodes, n_links, tail, head, channel, err);
	for (uint32_t u = loom_topo_hosts(topo); rc == 0 && u < n; u++)
		out->n_hosts -= loom_topo_takes_part(topo, u);
	free(link);
	if (rc == 0 && n_nodes < n)
		out->node = node;
	else
		free(node);
	return rc;
}

void loom_pair_net_free(struct loom_pair_net *net)
{
	loom_arrays_free(&net->arrays);
	free(net->node);
	*net = (struct loom_pair_net){0};
}
