// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/light.h"

#include "topo/topo_otis.h"

#define BUFFER_FLITS 2u // of every buffer: rtl/cells/stream_buffer.sv

struct loom_light loom_plan_light(const struct loom_plan *plan, size_t i)
{
	struct loom_light light = {.first = UINT32_MAX, .pace = 1};
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

uint64_t loom_light_length(const struct loom_light *light, uint32_t flits, uint32_t place)
{
	uint64_t rest = flits - 1, waits = 0;
	if (light->hops && place < light->first)
		waits = (uint64_t)BUFFER_FLITS * (light->first - place);
	return rest <= waits ? rest : waits + (rest - waits) * light->pace;
}
