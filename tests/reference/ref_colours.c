// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "ref_colours.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

// True if messages from `i` on can be put into n_passes passes, of which `used` have messages.
static bool fits(unsigned *pass, const bool *conflict, unsigned n, unsigned i, unsigned used, unsigned n_passes)
{
	if (i == n)
		return true;
	for (unsigned p = 0; p <= used && p < n_passes; p++) {
		bool is_free = true;
		for (unsigned k = 0; k < i; k++)
			is_free = is_free && !(pass[k] == p && conflict[i * n + k]);
		pass[i] = p;
		if (is_free && fits(pass, conflict, n, i + 1, p == used ? used + 1 : used, n_passes))
			return true;
	}
	return false;
}

unsigned ref_colours(const bool *conflict, unsigned n)
{
	unsigned pass[REF_COLOURS_MAX], n_passes = 0;
	assert(n <= REF_COLOURS_MAX);
	while (!fits(pass, conflict, n, 0, 0, n_passes))
		n_passes++;
	return n_passes;
}

// Marks the channels that the message crosses; with half duplex the two directions of a link are one channel.
static void cross(bool *crossed, const struct ref_net *net, bool half_duplex, const struct ref_way *way)
{
	if (way->source == way->destination)
		return;
	crossed[ref_net_injection(net, way->source)] = true;
	crossed[ref_net_ejection(net, way->destination)] = true;
	for (unsigned at = way->source; at != way->destination;) {
		unsigned to = 0, back = 0, link = ref_net_next(net, at, way->destination, way->order);
		bool there = ref_net_link(&to, &back, net, at, link);
		assert(there);
		crossed[ref_net_channel(net, at, link)] = true;
		if (half_duplex)
			crossed[ref_net_channel(net, to, back)] = true;
		at = to;
	}
}

int ref_conflicts(bool *out, const struct ref_net *net, bool half_duplex, const struct ref_way *way, unsigned n)
{
	size_t n_channels = ref_net_channels(net);
	bool *crossed = calloc((n + 1) * n_channels, sizeof *crossed);
	if (!crossed)
		return -ENOMEM;
	for (unsigned i = 0; i < n; i++)
		cross(crossed + i * n_channels, net, half_duplex, &way[i]);
	for (unsigned i = 0; i < n; i++)
		for (unsigned k = 0; k < n; k++) {
			out[i * n + k] = false;
			for (size_t c = 0; c < n_channels; c++)
				out[i * n + k] = out[i * n + k] ||
				                 (i != k && crossed[i * n_channels + c] && crossed[k * n_channels + c]);
		}
	free(crossed);
	return 0;
}
