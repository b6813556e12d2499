// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <flitloom/link/chip.h>

#include <inttypes.h>
#include <stdio.h>

#include <flitloom/routes/graph.h>

#include "topo/topo_kinds.h"

#define GRAPH_DIMS 5
#define HASH_BITS 16 // bits of the hash in an extent

void loom_chip_set_shape(struct loom_chip *chip, const struct loom_topo *t)
{
	struct loom_graph_facts graph;
	chip->n_dims = t->n_dims;
	chip->light_cycles = t->light_cycles;
	chip->light_ratio = t->light_ratio;
	chip->buffers = t->buffers;
	chip->link_delay = t->link_delay;
	chip->link_delays = loom_topo_link_delays_mark(t);
	chip->router_delay = t->router_delay;
	for (unsigned d = 0; d < LOOM_CHIP_DIMS; d++)
		chip->extent[d] = d < t->n_dims ? t->extent[d] : 0;
	if (!loom_topo_graph_facts(&graph, t))
		return;
	chip->n_dims = GRAPH_DIMS;
	chip->extent[0] = t->n_nodes;
	for (unsigned d = 1; d < GRAPH_DIMS; d++)
		chip->extent[d] = (uint32_t)(graph.hash >> (d - 1) * HASH_BITS & 0xffff);
}

static uint32_t buffers_of(const struct loom_chip *chip)
{
	return chip->buffers ? chip->buffers : LOOM_BUFFERS_USUAL;
}

// Makes the fabric of a chip with a graph. It has no links; the plan that runs on the chip has them.
static int graph_of_chip(struct loom_topo *out, const struct loom_topo_kind *kind, const struct loom_chip *chip,
                         struct loom_err *err)
{
	uint64_t hash = 0;
	if (chip->n_dims != GRAPH_DIMS || chip->n_nodes != chip->extent[0] || chip->n_nodes > LOOM_GRAPH_NODES_MAX ||
	    chip->n_channels < 3 || chip->n_channels > LOOM_GRAPH_LINKS_MAX + 2)
		return loom_fail(err, LOOM_EHARDWARE, "a graph of a shape that cannot be");
	for (unsigned d = GRAPH_DIMS; d-- > 1;)
		hash = hash << HASH_BITS | (chip->extent[d] & 0xffff);
	*out = (struct loom_topo){.kind = kind,
	                          .n_nodes = chip->n_nodes,
	                          .n_tiles = chip->n_nodes,
	                          .n_dims = 1,
	                          .extent = {chip->n_nodes},
	                          .ports = chip->n_channels - 1,
	                          .n_vcs = chip->n_vcs ? chip->n_vcs : 1,
	                          .buffers = buffers_of(chip),
	                          .link_delay = chip->link_delay,
	                          .router_delay = chip->router_delay};
	out->label_bits = loom_topo_label_bits(out);
	(void)snprintf(out->name, sizeof out->name, "graph of %" PRIu32 " nodes, links %016" PRIx64, chip->n_nodes,
	               hash);
	return 0;
}

int loom_chip_topo(struct loom_topo *out, const struct loom_chip *chip, struct loom_err *err)
{
	const struct loom_topo_kind *kind = loom_topo_kind_by_code(chip->kind);
	if (!kind)
		return loom_fail(err, LOOM_EHARDWARE, "a fabric of kind %u, which this program does not know",
		                 chip->kind);
	if (chip->n_dims > LOOM_CHIP_DIMS)
		return loom_fail(err, LOOM_EHARDWARE,
		                 "a fabric of %u dimensions, more than the %d that there are registers for",
		                 chip->n_dims, LOOM_CHIP_DIMS);
	if (kind->parse)
		return graph_of_chip(out, kind, chip, err);
	struct loom_err why = {0};
	if (loom_topo_of_extents(out, kind, chip->n_dims, chip->extent, &why) != 0 ||
	    loom_topo_set_vcs(out, chip->n_vcs ? chip->n_vcs : 1, &why) != 0 ||
	    ((kind->router == LOOM_ROUTER_OTIS || chip->light_cycles || chip->light_ratio) &&
	     loom_topo_set_light(out, chip->light_cycles, chip->light_ratio, &why) != 0) ||
	    loom_topo_set_buffers(out, buffers_of(chip), &why) != 0 ||
	    loom_topo_set_link_delay(out, chip->link_delay, &why) != 0 ||
	    loom_topo_set_router_delay(out, chip->router_delay, &why) != 0)
		return loom_fail(err, LOOM_EHARDWARE, "a fabric of a shape that cannot be: %.300s", why.text);
	return 0;
}

int loom_chip_check(const struct loom_chip *chip, struct loom_err *err)
{
	struct loom_topo t;
	struct loom_err why = {0};
	if (loom_chip_topo(&t, chip, &why) != 0)
		return loom_fail(err, LOOM_EHARDWARE, "the chip holds %.380s", why.text);
	if (chip->n_nodes != t.n_nodes || chip->n_tiles != t.n_tiles ||
	    chip->n_channels != loom_topo_channels_per_tile(&t) || chip->label_bits != t.label_bits)
		return loom_fail(err, LOOM_EHARDWARE,
		                 "the chip calls itself %s, which has %u nodes, %u tiles of %u channels and labels of "
		                 "%u bits, but says that it has %u, %u of %u and %u",
		                 t.name, t.n_nodes, t.n_tiles, loom_topo_channels_per_tile(&t), t.label_bits,
		                 chip->n_nodes, chip->n_tiles, chip->n_channels, chip->label_bits);
	for (unsigned d = chip->n_dims; d < LOOM_CHIP_DIMS; d++)
		if (chip->extent[d] != 0)
			return loom_fail(err, LOOM_EHARDWARE,
			                 "the chip calls itself %s, but has an extent of %u in dimension %u", t.name,
			                 chip->extent[d], d);
	return 0;
}
