// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/routes/region.h"

bool loom_region_has(const struct loom_topo *topo)
{
	return loom_topo_links(topo) > 0;
}

bool loom_region_is_box(const struct loom_topo *topo, uint32_t detours)
{
	return loom_box_has(topo) && detours == 0;
}

int loom_region_init(struct loom_region *out, const struct loom_topo *topo, const struct loom_message *messages,
                     size_t n, uint32_t detours, struct loom_err *err)
{
	struct loom_region r = {.topo = topo,
	                        .per_tile = loom_topo_channels_per_tile(topo),
	                        .detours = detours,
	                        .by_box = loom_region_is_box(topo, detours)};
	int rc = r.by_box ? loom_box_init(&r.box, topo, err)
	                  : loom_distances_init(&r.distances, topo, messages, n, detours, err);
	if (rc == 0 && r.by_box)
		rc = loom_box_search_init(&r.of_box, topo, err);
	if (rc == 0)
		*out = r;
	else
		loom_region_free(&r);
	return rc;
}

void loom_region_free(struct loom_region *region)
{
	if (!region)
		return;
	loom_box_free(&region->box);
	loom_box_search_free(&region->of_box);
	loom_distances_free(&region->distances);
	*region = (struct loom_region){0};
}

uint32_t loom_region_ties(const struct loom_region *region, const struct loom_message *message)
{
	return region->by_box ? loom_box_ties(region->topo, message->source, message->destination) : 0;
}

void loom_region_set(struct loom_region *region, const struct loom_message *message, uint32_t ways)
{
	if (region->by_box)
		loom_box_set(&region->box, message->source, message->destination, ways);
	else
		loom_distances_set(&region->distances, message->source, message->destination);
}

uint32_t loom_region_hops(const struct loom_region *region)
{
	return region->by_box ? region->box.n_hops : region->distances.n_hops;
}

uint32_t loom_region_most(const struct loom_region *region)
{
	uint32_t hops = loom_region_hops(region);
	return hops == 0 ? 0 : hops + region->detours;
}

uint64_t loom_region_links(const struct loom_region *region)
{
	return region->by_box ? loom_box_links(&region->box) : region->distances.n_uses * (region->detours + 1);
}

void loom_region_visit(const struct loom_region *region, loom_link_visitor *visit, void *user)
{
	if (region->by_box)
		loom_box_visit(&region->box, visit, user);
	else
		loom_distances_visit(&region->distances, visit, user);
}

struct sum {
	uint64_t *label, w;
};

static void add(void *user, uint32_t channel)
{
	const struct sum *sum = user;
	sum->label[channel] += sum->w;
}

void loom_region_add(uint64_t *label, const struct loom_region *region, uint64_t w)
{
	if (region->by_box)
		loom_box_add(label, &region->box, w);
	else
		loom_distances_visit(&region->distances, add, &(struct sum){label, w});
}

uint64_t loom_region_least_maximum(uint32_t *channel, struct loom_region *region, const uint64_t *label)
{
	return region->by_box ? loom_box_least_maximum(channel, &region->box, label, &region->of_box)
	                      : loom_distances_best(channel, NULL, &region->distances, label, false, 0);
}

uint64_t loom_region_least_sum(uint32_t *channel, uint32_t *n_hops, struct loom_region *region, const uint64_t *cost,
                               uint64_t ties)
{
	if (!region->by_box)
		return loom_distances_best(channel, n_hops, &region->distances, cost, true, ties);
	if (n_hops)
		*n_hops = region->box.n_hops;
	return loom_box_least_sum(channel, &region->box, cost, ties, &region->of_box);
}
