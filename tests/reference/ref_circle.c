// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "ref_circle.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

// edge[a * n_channels + b]: some message crosses b right after a. The caller frees it.
static int make_edges(bool **out, const struct ref_net *net, const struct ref_way *way, size_t n_ways)
{
	size_t n_channels = ref_net_channels(net);
	size_t *channel = malloc((ref_net_nodes(net) + 2) * sizeof(*channel));
	bool *edge = calloc(n_channels * n_channels, sizeof(*edge));

	if (!channel || !edge) {
		free(channel);
		free(edge);
		return -ENOMEM;
	}
	for (size_t m = 0; m < n_ways; m++) {
		size_t length = ref_net_walk(channel, net, &way[m]);

		for (size_t k = 1; k < length; k++)
			edge[channel[k - 1] * n_channels + channel[k]] = true;
	}
	free(channel);
	*out = edge;
	return 0;
}

enum colour { UNSEEN, ON_PATH, FINISHED };

struct search {
	size_t n_channels;
	const bool *edge;
	enum colour *colour; // by channel
	size_t *path;        // the channels from the start of the search to the current one
	size_t length;
};

// Continues the search from the end of the path. True: path[*out_start..length-1] is a circle.
static bool search_from(struct search *s, size_t *out_start)
{
	size_t here = s->path[s->length - 1];

	s->colour[here] = ON_PATH;
	for (size_t next = 0; next < s->n_channels; next++) {
		if (!s->edge[here * s->n_channels + next] || s->colour[next] == FINISHED)
			continue;
		if (s->colour[next] == ON_PATH) {
			for (*out_start = 0; s->path[*out_start] != next; ++*out_start)
				;
			return true;
		}
		s->path[s->length++] = next;
		if (search_from(s, out_start))
			return true;
		s->length--;
	}
	s->colour[here] = FINISHED;
	return false;
}

int ref_circle_find(size_t *out_circle, size_t *out_n, const struct ref_net *net, const struct ref_way *way,
                    size_t n_ways)
{
	bool *edge = NULL;
	struct search s;
	size_t start = 0;
	bool found = false;
	int rc;

	if (!ref_net_is_legal(net, way, n_ways))
		return -EINVAL;
	rc = make_edges(&edge, net, way, n_ways);
	if (rc != 0)
		return rc;
	s = (struct search){.n_channels = ref_net_channels(net), .edge = edge};
	s.colour = calloc(s.n_channels, sizeof(*s.colour));
	s.path = calloc(s.n_channels, sizeof(*s.path));
	if (!s.colour || !s.path) {
		rc = -ENOMEM;
		goto out;
	}
	for (size_t c = 0; c < s.n_channels && !found; c++) {
		if (s.colour[c] != UNSEEN)
			continue;
		s.path[0] = c;
		s.length = 1;
		found = search_from(&s, &start);
	}
	*out_n = found ? s.length - start : 0;
	for (size_t k = 0; k < *out_n; k++)
		out_circle[k] = s.path[start + k];
out:
	free(s.path);
	free(s.colour);
	free(edge);
	return rc;
}

int ref_circle_is(const size_t *circle, size_t n, const struct ref_net *net, const struct ref_way *way, size_t n_ways)
{
	bool *edge = NULL;
	int rc;

	if (!ref_net_is_legal(net, way, n_ways))
		return -EINVAL;
	rc = make_edges(&edge, net, way, n_ways);
	if (rc != 0)
		return rc;

	size_t n_channels = ref_net_channels(net);
	bool is = n > 0;

	for (size_t k = 0; k < n && is; k++) {
		size_t next = circle[(k + 1) % n];

		is = circle[k] < n_channels && next < n_channels && edge[circle[k] * n_channels + next];
		for (size_t j = 0; j < k && is; j++)
			is = circle[j] != circle[k];
	}
	free(edge);
	return is;
}
