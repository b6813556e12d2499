// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Counts figures of a run by source, destination, distance, length, latency, or channel and time.
#include "traffic/load_groups.h"

#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "base/room.h"

#define FIRST_SIZE 64u
#define NONE UINT32_MAX

const char *loom_load_key_name(unsigned key)
{
	static const char *const names[] = {"source", "destination", "flow",    "distance",
	                                    "length", "class",       "latency", "channel"};
	return key < sizeof names / sizeof names[0] ? names[key] : NULL;
}

void loom_load_groups_free(struct loom_load_groups *g)
{
	if (!g)
		return;
	free(g->group);
	free(g->latency);
	free(g->place);
	*g = (struct loom_load_groups){.key = LOOM_LOAD_BY_SOURCE};
}

static int fail_memory(const struct loom_load_groups *g, struct loom_err *err)
{
	return loom_fail(err, LOOM_ENOMEM, "no memory for the figures of %zu groups", g->n);
}

// --- Search for a group ----------------------------------------------------------------------------------------------

// Returns the place of a key, or the free place where it belongs.
static size_t find_place(const struct loom_load_groups *g, uint64_t key)
{
	size_t at = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (g->n_places - 1);
	while (g->place[at] != NONE && g->group[g->place[at]].key != key)
		at = (at + 1) & (g->n_places - 1);
	return at;
}

static bool make_places(struct loom_load_groups *g)
{
	const size_t n = g->n_places ? 2 * g->n_places : 2 * FIRST_SIZE;
	uint32_t *place = malloc(n * sizeof *place);
	if (!place)
		return false;
	memset(place, 0xff, n * sizeof *place);
	free(g->place);
	g->place = place;
	g->n_places = n;
	for (size_t i = 0; i < g->n; i++)
		place[find_place(g, g->group[i].key)] = (uint32_t)i;
	return true;
}

// Returns the group of a key; makes it if there is none. Returns NULL if memory runs out.
static struct loom_load_group *group_of(struct loom_load_groups *g, uint64_t key)
{
	if (2 * (g->n + 1) > g->n_places && !make_places(g))
		return NULL;
	const size_t at = find_place(g, key);
	if (g->place[at] != NONE)
		return &g->group[g->place[at]];
	if (!LOOM_ROOM(g->group, g->size, g->n + 1))
		return NULL;
	g->place[at] = (uint32_t)g->n;
	g->group[g->n] = (struct loom_load_group){.key = key};
	return &g->group[g->n++];
}

static bool add_latency(struct loom_load_groups *g, uint32_t group, uint32_t latency)
{
	if (!LOOM_ROOM(g->latency, g->latencies_size, g->n_latencies + 1))
		return false;
	g->latency[g->n_latencies++] = (struct loom_load_latency){group, latency};
	return true;
}

// --- During a run ----------------------------------------------------------------------------------------------------

// Returns the links of a way. If ways are drawn, returns those of a shortest way.
static uint64_t links_of(const struct loom_routing *routing, uint32_t from, uint32_t to)
{
	struct loom_route route;
	uint32_t channel;
	uint64_t n = 0;
	for (loom_routing_begin(&route, routing, from, to, to); loom_route_next(&route, &channel);)
		n += !loom_topo_is_local(routing->topo, channel);
	return n;
}

static uint64_t latency_of(const struct loom_carried *m)
{
	return m->tail >= m->release ? m->tail - m->release + 1 : 0;
}

static uint64_t key_of(const struct loom_load_groups *g, const struct loom_routing *routing, const uint32_t *map,
                       const struct loom_carried *m)
{
	switch (g->key) {
	case LOOM_LOAD_BY_SOURCE: return m->source;
	case LOOM_LOAD_BY_DESTINATION: return m->destination;
	case LOOM_LOAD_BY_FLOW: return (uint64_t)m->source * routing->topo->n_nodes + m->destination;
	case LOOM_LOAD_BY_DISTANCE: return links_of(routing, map[m->source], map[m->destination]);
	case LOOM_LOAD_BY_LENGTH: return m->flits;
	case LOOM_LOAD_BY_CLASS: return m->of_class;
	case LOOM_LOAD_BY_LATENCY: return latency_of(m);
	case LOOM_LOAD_BY_CHANNEL: break;
	}
	return 0;
}

int loom_load_groups_add(struct loom_load_groups *g, const struct loom_routing *routing, const uint32_t *map,
                         const struct loom_carried *m, bool measured, uint32_t flits, uint32_t late,
                         struct loom_err *err)
{
	if (g->key == LOOM_LOAD_BY_CHANNEL || (g->key == LOOM_LOAD_BY_LATENCY && !measured))
		return 0;
	struct loom_load_group *group = group_of(g, key_of(g, routing, map, m));
	if (!group)
		return fail_memory(g, err);
	group->flits += flits;
	group->flits_late += late;
	group->finish = m->tail > group->finish ? m->tail : group->finish;
	if (!measured)
		return 0;
	group->n_messages++;
	group->sum_latency += latency_of(m);
	group->sum_at_source += m->entered >= m->release ? m->entered - m->release : 0;
	if (g->key == LOOM_LOAD_BY_LATENCY)
		return 0;
	return add_latency(g, (uint32_t)(group - g->group), (uint32_t)latency_of(m)) ? 0 : fail_memory(g, err);
}

int loom_load_groups_add_channel(struct loom_load_groups *g, uint64_t key, const struct loom_load_count *count,
                                 struct loom_err *err)
{
	struct loom_load_group *group = group_of(g, key);
	if (!group)
		return fail_memory(g, err);
	group->n_messages += count->messages;
	group->flits += count->flits;
	group->blocked += count->blocked;
	return 0;
}

void loom_load_groups_settle(struct loom_load_groups *g, bool saturated, uint64_t cycles)
{
	g->n_runs = 1;
	g->cycles = g->key == LOOM_LOAD_BY_CHANNEL ? g->window_cycles : cycles;
	for (size_t i = 0; i < g->n && g->key != LOOM_LOAD_BY_CHANNEL; i++) {
		struct loom_load_group *group = &g->group[i];
		if (saturated)
			group->flits = group->flits_late;
		group->flits_late = 0;
		if (group->n_messages == 0)
			continue;
		group->sum_means = (double)group->sum_latency / (double)group->n_messages;
		group->sum_squares = group->sum_means * group->sum_means;
		group->n_means = 1;
	}
}

// --- After a run -----------------------------------------------------------------------------------------------------

int loom_load_groups_merge(struct loom_load_groups *into, const struct loom_load_groups *from, struct loom_err *err)
{
	uint32_t *place = malloc((from->n + 1) * sizeof *place);
	bool good = place != NULL;
	for (size_t i = 0; good && i < from->n; i++) {
		const struct loom_load_group *f = &from->group[i];
		struct loom_load_group *to = group_of(into, f->key);
		good = to != NULL;
		if (!good)
			break;
		place[i] = (uint32_t)(to - into->group);
		to->n_messages += f->n_messages;
		to->flits += f->flits;
		to->finish += f->finish;
		to->blocked += f->blocked;
		to->sum_latency += f->sum_latency;
		to->sum_at_source += f->sum_at_source;
		to->sum_means += f->sum_means;
		to->sum_squares += f->sum_squares;
		to->n_means += f->n_means;
	}
	for (size_t k = 0; good && k < from->n_latencies; k++)
		good = add_latency(into, place[from->latency[k].group], from->latency[k].latency);
	free(place);
	if (!good)
		return fail_memory(into, err);
	into->n_runs += from->n_runs;
	into->cycles += from->cycles;
	return 0;
}

static int by_key(const void *a, const void *b)
{
	const struct loom_load_group *x = a, *y = b;
	return loom_order(x->key, y->key);
}

static int by_group(const void *a, const void *b)
{
	const struct loom_load_latency *x = a, *y = b;
	const int by = loom_order(x->group, y->group);
	return by ? by : loom_order(x->latency, y->latency);
}

void loom_load_groups_sort(struct loom_load_groups *g)
{
	if (g->n_latencies)
		qsort(g->latency, g->n_latencies, sizeof *g->latency, by_group);
	for (size_t k = 0; k < g->n_latencies; k++) {
		struct loom_load_group *group = &g->group[g->latency[k].group];
		group->first_latency = group->n == 0 ? k : group->first_latency;
		group->n++;
	}
	if (g->n)
		qsort(g->group, g->n, sizeof *g->group, by_key);
	free(g->place); // the places of the groups before the sort
	g->place = NULL;
	g->n_places = 0;
}

uint32_t loom_load_group_percentile(const struct loom_load_groups *g, const struct loom_load_group *group,
                                    unsigned percent)
{
	if (g->key == LOOM_LOAD_BY_LATENCY)
		return (uint32_t)group->key;
	const size_t rank = (group->n * percent + 99) / 100; // from 1
	return group->n ? g->latency[group->first_latency + (rank ? rank - 1 : 0)].latency : 0;
}
