// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/light.h"

#include "topo/topo_otis.h"

static bool is_slow(const struct loom_topo *topo)
{
	return topo->link_delay > 0 || topo->router_delay > 0;
}

// All links on the way are slow; the first is the channel behind injection.
static struct loom_light slow_links(const struct loom_plan *plan, size_t i)
{
	const uint32_t back = plan->topo.link_delay, delay = back + plan->topo.router_delay,
		       length = loom_plan_route_length(plan, i), hops = length > 2 ? length - 2 : 0;
	return (struct loom_light){.first = hops ? 1 : UINT32_MAX,
	                           .hops = hops,
	                           .delay = (uint64_t)hops * delay,
	                           .pace = 1,
	                           .turn = hops ? delay + back + 2 : 0,
	                           .buffers = plan->topo.buffers};
}

struct loom_light loom_plan_light(const struct loom_plan *plan, size_t i)
{
	struct loom_light light = {.first = UINT32_MAX, .pace = 1, .buffers = plan->topo.buffers};
	struct loom_route route;
	uint32_t channel;
	if (is_slow(&plan->topo))
		return slow_links(plan, i);
	if (!loom_otis_has_light(&plan->topo))
		return light;
	loom_plan_route_begin(&route, plan, i);
	for (uint32_t place = 0; loom_route_next(&route, &channel); place++) {
		if (!loom_otis_is_optical(&plan->topo, channel))
			continue;
		light.first = light.hops++ ? light.first : place;
		light.delay += loom_otis_delay(&plan->topo, channel);
		light.room += loom_otis_room(&plan->topo);
		light.pace = plan->topo.light_ratio;
	}
	return light;
}

bool loom_light_matters(const struct loom_topo *topo)
{
	return loom_otis_has_light(topo) || is_slow(topo);
}

uint32_t loom_light_late(const struct loom_topo *topo, uint32_t channel)
{
	return is_slow(topo) && !loom_topo_is_local(topo, channel) ? topo->link_delay + topo->router_delay
	                                                           : loom_otis_delay(topo, channel);
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

// Cycles from flit 0 to flit k of a message on a slow link.
static uint64_t slow_length(const struct loom_light *light, uint64_t k)
{
	return larger(k, k / light->buffers * light->turn + k % light->buffers);
}

// Flit k crosses a place c channels before the first optical link not before flit k - c * buffers has crossed that link, plus a
// cycle for each channel: that is how long it takes until the last one knows of room. The header crosses the link c cycles after
// the place.
uint64_t loom_light_length(const struct loom_light *light, uint32_t flits, uint32_t place)
{
	const uint64_t rest = flits - 1, channels = light->hops && place < light->first ? light->first - place : 0;
	const uint64_t room = channels * light->buffers;
	if (light->turn && channels == 0)
		return slow_length(light, rest);
	if (light->turn) // the injection channel: as long as its buffer has room, and then a cycle after the first link
		return rest < light->buffers ? rest : larger(rest, 2 + slow_length(light, rest - light->buffers));
	if (rest <= room)
		return rest;
	return larger(rest, 2 * channels + (rest - room) * light->pace);
}
