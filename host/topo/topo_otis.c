// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The OTIS-Mesh ([Sahni97], section 1): N groups, each a mesh of n x n = N processors, and an optical link between
// processor p of group g and processor g of group p. Node g*N + p. Dimensions 0 and 1 are column and row of the
// processor in its group, 2 and 3 those of the group. An optical link can be slower and narrower than an electronic
// one.
#include "topo/topo_otis.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "topo/grid.h"
#include "topo/topo_direct.h"
#include "topo/topo_kinds.h"

#define GROUPS_MOST 1024 // the most that LOOM_NODES_MAX allows
#define SIZES                                                                                                          \
	"a power of four from 4 to 1024, such as otis-mesh:16; l0 to l63 may follow, the cycles by which light is "    \
	"slower, "                                                                                                     \
	"and w1 to w16, the cycles an optical link takes for a flit: otis-mesh:16l4w2"

enum { ELECTRONIC, OPTICAL, INJECT, EJECT, N_GROUPS };

// Reads the number behind a letter, such as "l4". Leaves *out unchanged if the letter is absent. Returns NULL if the
// number is wrong.
static const char *read_field(uint32_t *out, const char *at, char letter, uint32_t least, uint32_t most)
{
	char *end;
	if (*at != letter)
		return at;
	if (at[1] < '0' || at[1] > '9')
		return NULL;
	unsigned long value = strtoul(at + 1, &end, 10);
	if (end - at > 4 || value < least || value > most)
		return NULL;
	*out = (uint32_t)value;
	return end;
}

static int read_size(struct loom_topo *t, const char *size, struct loom_err *err)
{
	uint32_t n_groups = 0, cycles = 0, ratio = 1, side = 2;
	char *end = NULL;
	if (*size >= '1' && *size <= '9')
		n_groups = (uint32_t)strtoul(size, &end, 10);
	const char *at = end && end - size <= 4 ? read_field(&cycles, end, 'l', 0, LOOM_LIGHT_CYCLES_MAX) : NULL;
	at = at ? read_field(&ratio, at, 'w', 1, LOOM_LIGHT_RATIO_MAX) : NULL;
	while (side * side < n_groups && side * side < GROUPS_MOST)
		side *= 2;
	if (!at || *at || side * side != n_groups)
		return loom_fail(err, LOOM_EINPUT, "the size of otis-mesh is its number of groups, " SIZES);
	t->n_dims = 4;
	for (unsigned d = 0; d < 4; d++)
		t->extent[d] = side;
	t->n_nodes = t->n_tiles = n_groups * n_groups;
	t->ports = LOOM_OTIS_OPTICAL + 2;
	t->light_cycles = cycles;
	t->light_ratio = ratio;
	return 0;
}

static void write_size(const struct loom_topo *t, char out[40])
{
	size_t used = (size_t)snprintf(out, 40, "%" PRIu32, loom_otis_groups(t));
	if (t->light_cycles != 0)
		used += (size_t)snprintf(out + used, 40 - used, "l%" PRIu32, t->light_cycles);
	if (t->light_ratio > 1)
		(void)snprintf(out + used, 40 - used, "w%" PRIu32, t->light_ratio);
}

static void size_near(char out[40], uint32_t n_nodes)
{
	uint32_t n_groups = 4;
	while (n_groups < GROUPS_MOST && n_groups * n_groups < n_nodes)
		n_groups *= 4;
	(void)snprintf(out, 40, "%" PRIu32, n_groups);
}

static bool link_of(const struct loom_topo *t, uint32_t u, unsigned p, uint32_t *v, unsigned *q)
{
	uint32_t n = loom_otis_groups(t), group = u / n, processor = u % n;
	if (p != LOOM_OTIS_OPTICAL)
		return loom_grid_link(t, u, p, v, q);
	*v = processor * n + group;
	*q = p;
	return group != processor;
}

// Returns the hops within a group.
static uint32_t distance(uint32_t side, uint32_t p, uint32_t q)
{
	uint32_t x = p % side, y = p / side, to_x = q % side, to_y = q / side;
	return (x > to_x ? x - to_x : to_x - x) + (y > to_y ? y - to_y : to_y - y);
}

// Chooses the shortest of the three forms of a path ([Sahni97], Theorem 1). A message that follows one form finds the
// same form shortest at each node: with each hop this form gets shorter by one, and the others by at most one.
static unsigned next(const struct loom_topo *t, uint32_t here, uint32_t destination, enum loom_rule rule)
{
	uint32_t n = loom_otis_groups(t), side = t->extent[0], group = here / n, at = here % n;
	uint32_t to_group = destination / n, to = destination % n, aim = to;
	if (group != to_group) {
		uint32_t by_two = distance(side, at, to) + distance(side, group, to_group) + 2;
		uint32_t by_one = distance(side, at, to_group) + distance(side, to, group) + 1;
		aim = by_one <= by_two ? to_group : to;
		if (at == aim)
			return LOOM_OTIS_OPTICAL;
	}
	return loom_grid_next(t, group * n + at, group * n + aim, rule);
}

bool loom_otis_has_light(const struct loom_topo *t)
{
	return t->light_cycles > 0 || t->light_ratio > 1;
}

bool loom_otis_is_optical(const struct loom_topo *t, uint32_t channel)
{
	return t->kind->router == LOOM_ROUTER_OTIS && channel % loom_topo_channels_per_tile(t) == LOOM_OTIS_OPTICAL;
}

uint32_t loom_otis_delay(const struct loom_topo *t, uint32_t channel)
{
	return loom_otis_is_optical(t, channel) ? t->light_cycles + t->light_ratio - 1 : 0;
}

uint32_t loom_otis_pace(const struct loom_topo *t, uint32_t channel)
{
	return loom_otis_is_optical(t, channel) ? t->light_ratio : 1;
}

uint32_t loom_otis_room(const struct loom_topo *t)
{
	if (!loom_otis_has_light(t))
		return 0;
	return t->light_ratio > 1 ? t->light_cycles + 1 : 2 * t->light_cycles + 1;
}

static void link_name(const struct loom_topo *t, unsigned p, char out[16])
{
	if (p == LOOM_OTIS_OPTICAL)
		(void)snprintf(out, 16, "optical");
	else
		loom_grid_link_name(t, p, out);
}

static unsigned groups(const struct loom_topo *t)
{
	(void)t;
	return N_GROUPS;
}

static unsigned group_of(const struct loom_topo *t, uint32_t channel)
{
	uint32_t k = channel % loom_topo_channels_per_tile(t);
	if (k < LOOM_OTIS_OPTICAL)
		return ELECTRONIC;
	return k == LOOM_OTIS_OPTICAL ? OPTICAL : k == t->ports ? INJECT : EJECT;
}

static void group_name(const struct loom_topo *t, unsigned group, char out[16])
{
	static const char *const names[N_GROUPS] = {
		[ELECTRONIC] = "electronic", [OPTICAL] = "optical", [INJECT] = "inject", [EJECT] = "eject"};
	(void)t;
	(void)snprintf(out, 16, "%s", names[group]);
}

const struct loom_topo_kind loom_topo_kind_otis_mesh = {
	.name = "otis-mesh",
	.code = 17,
	.sizes = "4|16|64|256|1024[lN][wN][v2]",
	.size_is = "number of groups, each of as many processors",
	.help = "groups of meshes, joined by light; l4: light takes 4 cycles more, w2: an optical link takes 2 for a "
		"flit",
	.read_size = read_size,
	.write_size = write_size,
	.size_near = size_near,
	.router = LOOM_ROUTER_OTIS,
	.dims_of_coordinate = 2,
	.link = link_of,
	.next = next,
	.link_name = link_name,
	.one_way = loom_default_one_way,
	.rule_of = loom_default_rule_of,
	.bound = loom_direct_bound,
	.route_next = loom_direct_route_next,
	.groups = groups,
	.group_of = group_of,
	.group_name = group_name,
	.channel_name = loom_direct_channel_name,
};
