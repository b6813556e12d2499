// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "plan/routes/pairs/pair_set.h"

int loom_pair_set_make(struct loom_pair_set *out, const struct loom_pair_net *net, uint32_t n_lanes,
                       struct loom_err *err)
{
	const size_t n_pairs = (size_t)net->n_nodes * net->n_nodes;
	struct loom_pair_set set = {.way = calloc(n_pairs + 1, sizeof *set.way),
	                            .place = calloc((size_t)net->n_links * n_lanes + 1, sizeof *set.place)};
	if (!set.way || !set.place) {
		loom_pair_set_free(&set, net);
		return loom_fail(err, LOOM_ENOMEM, "out of memory for the routes of %zu pairs", n_pairs);
	}
	*out = set;
	return 0;
}

void loom_pair_set_free(struct loom_pair_set *set, const struct loom_pair_net *net)
{
	for (size_t i = 0; set->way && i < (size_t)net->n_nodes * net->n_nodes; i++)
		free(set->way[i].link);
	free(set->way);
	free(set->place);
	*set = (struct loom_pair_set){0};
}

int loom_pair_way_take(struct loom_pair_way *out, const struct loom_pair_way *way, struct loom_err *err)
{
	uint32_t *link = realloc(out->link, way->n * sizeof *link);
	if (!link)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for a route of %u links", way->n);
	memcpy(link, way->link, way->n * sizeof *link);
	*out = (struct loom_pair_way){.link = link, .n = way->n, .lane = way->lane};
	return 0;
}
