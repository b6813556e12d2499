// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Numbers the channels; the kinds of fabric use these functions, too.
#include <flitloom/topo.h>

uint32_t loom_topo_channels_per_tile(const struct loom_topo *t)
{
	return t->ports + 1;
}

uint32_t loom_topo_channels(const struct loom_topo *t)
{
	return t->n_tiles * loom_topo_channels_per_tile(t);
}

bool loom_topo_is_local(const struct loom_topo *t, uint32_t channel)
{
	return channel % loom_topo_channels_per_tile(t) >= t->ports - 1;
}

bool loom_topo_channel_exists(const struct loom_topo *t, uint32_t channel)
{
	uint32_t v, k = channel % loom_topo_channels_per_tile(t);
	unsigned q;
	if (!t->kind->link || k >= t->ports - 1)
		return true;
	return t->kind->link(t, channel / loom_topo_channels_per_tile(t), k, &v, &q);
}
