// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/light.h"

#include "plan/rule_ways.h"
#include "topo/topo_otis.h"

#include "base/numbers.h"

static bool is_slow(const struct loom_topo *topo)
{
	return topo->link_delay > 0 || topo->router_delay > 0;
}

// Returns the set of all delays of the network's links, one bit for each delay.
static uint64_t delays_there(const struct loom_topo *t)
{
	uint64_t delays = 0;
	for (uint32_t c = 0; c < loom_topo_channels(t); c++)
		if (!loom_topo_is_local(t, c) && loom_topo_channel_exists(t, c))
			delays |= UINT64_C(1) << loom_topo_link_delay(t, c);
	return delays;
}

// Computes the cycles that slow links and routers add for the tail of message i, if it waits `credits` times for room
// in a buffer. Of all ways that routers may choose it takes the least. The slowest link of a way sets its pace, so the
// function tries each delay of the network as that of the slowest link. Returns 0 if memory runs out: a lower bound in
// any case.
static uint64_t late_at_least(const struct loom_plan *plan, size_t i, uint64_t credits)
{
	const struct loom_topo *t = &plan->topo;
	const struct loom_plan_message *m = &plan->messages[i];
	struct loom_rule_ways ways;
	uint64_t least = UINT64_MAX;
	if (loom_rule_ways_begin(&ways, t, NULL) == 0)
		for (uint64_t delays = delays_there(t); delays; delays &= delays - 1) {
			const unsigned delay = (unsigned)__builtin_ctzll(delays);
			const uint32_t late = loom_rule_ways_late(&ways, m->rule, plan->map[m->source],
			                                          plan->map[m->destination], delay);
			const int64_t more = 2 * (int64_t)delay + t->router_delay + 2 - (int64_t)t->buffers;
			const uint64_t all = late + (more > 0 ? credits * (uint64_t)more : 0);
			if (late != UINT32_MAX && all < least)
				least = all;
		}
	loom_rule_ways_end(&ways);
	return least == UINT64_MAX ? 0 : least;
}

// Describes the links on the way of message i where delays differ; loom_light_length walks that way again. If routers
// choose, `delay` is that of the fastest way.
static struct loom_light mixed_links(const struct loom_plan *plan, size_t i)
{
	struct loom_light light = {
		.first = 1, .pace = 1, .buffers = plan->topo.buffers, .mixed = plan, .message = i, .turn = 1};
	struct loom_route route;
	uint32_t channel;
	loom_plan_route_begin(&route, plan, i);
	while (loom_route_next(&route, &channel)) {
		light.delay += loom_light_late(&plan->topo, channel);
		light.hops += !loom_topo_is_local(&plan->topo, channel);
	}
	if (loom_plan_is_adaptive(plan) && light.hops)
		light.delay = late_at_least(plan, i, 0);
	return light;
}

// Describes slow links: all links on the way are slow, and the first one is the channel after injection.
static struct loom_light slow_links(const struct loom_plan *plan, size_t i)
{
	if (loom_topo_link_delays_differ(&plan->topo))
		return mixed_links(plan, i);
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
	return is_slow(topo) && !loom_topo_is_local(topo, channel)
	               ? loom_topo_link_delay(topo, channel) + topo->router_delay
	               : loom_otis_delay(topo, channel);
}

// Returns the cycles from flit 0 to flit k of a message on a slow link.
static uint64_t slow_length(const struct loom_light *light, uint64_t k)
{
	return loom_larger(k, k / light->buffers * light->turn + k % light->buffers);
}

// Computes the cycles from header to tail where delays differ. A flit needs a credit for the buffer behind each channel
// of its way. This credit comes `turn` cycles after the flit `buffers` places ahead has crossed that channel. So the
// delay of the tail is that of the costliest chain of credits, which has at most (F - 1) div buffers of them. A chain
// may contain a credit of a channel before the place any number of times. It contains a credit of a channel after the
// place only with those of all channels between.
static uint64_t mixed_length(const struct loom_light *light, uint64_t rest, uint32_t place)
{
	const struct loom_topo *topo = &light->mixed->topo;
	const int64_t most = (int64_t)(rest / light->buffers);
	int64_t best = 0, gain = 0, late = 0,
		n = 0; // gain: of the costliest so far; late, n: of the credits from the place on
	struct loom_route route;
	uint32_t channel;
	if (loom_plan_is_adaptive(light->mixed))
		return light->hops ? rest + late_at_least(light->mixed, light->message, (uint64_t)most) - light->delay
		                   : rest;
	loom_plan_route_begin(&route, light->mixed, light->message);
	for (uint32_t at = 0; n < most && loom_route_next(&route, &channel); at++) {
		const int64_t back = loom_topo_link_delay(topo, channel);
		const bool is_link = !loom_topo_is_local(topo, channel);
		const int64_t more = 2 * back + (is_link ? topo->router_delay : 0) + 2 - (int64_t)light->buffers;
		if (at > 0 && !is_link)
			break; // ejection has no buffer
		gain = more > gain ? more : gain;
		if (at >= place) {
			late += more;
			n++;
		}
		best = late + (most - n) * gain > best ? late + (most - n) * gain : best;
	}
	return rest + (uint64_t)best;
}

// Flit k crosses a channel that is c channels before the first optical link. It does so at the earliest c cycles after
// flit k - c * buffers has crossed that link, when the last buffer is known to have room. The header crosses the link c
// cycles after it crosses that channel.
uint64_t loom_light_length(const struct loom_light *light, uint32_t flits, uint32_t place)
{
	const uint64_t rest = flits - 1, channels = light->hops && place < light->first ? light->first - place : 0;
	const uint64_t room = channels * light->buffers;
	if (light->mixed)
		return mixed_length(light, rest, place);
	if (light->turn && channels == 0)
		return slow_length(light, rest);
	if (light->turn) // injection: without a wait while its buffer has room, then a cycle after the first link
		return rest < light->buffers ? rest : loom_larger(rest, 2 + slow_length(light, rest - light->buffers));
	if (rest <= room)
		return rest;
	return loom_larger(rest, 2 * channels + (rest - room) * light->pace);
}
