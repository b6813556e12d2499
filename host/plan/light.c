// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/light.h"

#include "topo/topo_otis.h"

struct loom_light loom_plan_light(const struct loom_plan *plan, size_t i)
{
	struct loom_light light = {.first = UINT32_MAX, .pace = 1, .buffers = plan->topo.buffers};
	struct loom_route route;
	uint32_t channel;
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

// Flit k crosses a place c channels before the first optical link not before flit k - c * buffers has crossed that link, plus a
// cycle for each channel: that is how long it takes until the last one knows of room. The header crosses the link c cycles after
// the place.
uint64_t loom_light_length(const struct loom_light *light, uint32_t flits, uint32_t place)
{
	const uint64_t rest = flits - 1, channels = light->hops && place < light->first ? light->first - place : 0;
	const uint64_t room = channels * light->buffers;
	if (rest <= room)
		return rest;
	const uint64_t paced = 2 * channels + (rest - room) * light->pace;
	return paced > rest ? paced : rest;
}
