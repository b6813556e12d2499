// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "links/rtl.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <flitloom/topo.h>

#include "topo/topo_min.h"

#define SIMULATED_MAX 1024 // nodes
#define UNROLL_FROM 7 // dimensions or stages from which Verilator has to be told how far to unroll

static void add(struct loom_rtl *rtl, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(struct loom_rtl *rtl, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	(void)vsnprintf(rtl->words[rtl->n_words++], sizeof rtl->words[0], format, arguments);
	va_end(arguments);
}

// What all fabrics have alike, and what follows from the topology.
static struct loom_chip chip_of(const struct loom_topo *t)
{
	struct loom_chip chip = {
		.kind = t->kind->code,
		.n_dims = t->n_dims,
		.n_nodes = t->n_nodes,
		.n_tiles = t->n_tiles,
		.n_channels = loom_topo_channels_per_tile(t),
		.flit_bits = 32,
		.label_bits = t->label_bits,
		.length_bits = 16,
		.count_bits = 32,
		.cycle_bits = 32,
		.pass_bits = 16,
		// The header of a message leaves 9 bits of a 32-bit flit for its number when a node's label has 10.
		.program_depth = t->label_bits < 10 ? 1024 : 512,
		.log_depth = 4096,
		.store_slots = 3,
		.slot_flits = 2048,
		.payload_bits = 32,
		.signature_bits = 32,
	};
	for (unsigned d = 0; d < t->n_dims && d < LOOM_CHIP_DIMS; d++)
		chip.extent[d] = t->extent[d];
	return chip;
}

static void add_common(struct loom_rtl *rtl, unsigned unroll)
{
	const struct loom_chip *c = &rtl->chip;
	// Loops over the ports of a router, the channels of a tile or the stages are unrolled, those over tiles stay
	// loops.
	if (c->label_bits >= UNROLL_FROM) {
		add(rtl, "--unroll-count");
		add(rtl, "%u", unroll);
	}
	add(rtl, "-GPROGRAM_DEPTH=%u", c->program_depth);
	add(rtl, "-GFLIT_W=%u", c->flit_bits);
	add(rtl, "-GLENGTH_W=%u", c->length_bits);
	add(rtl, "-GLOG_DEPTH=%u", c->log_depth);
	add(rtl, "-GSLOTS=%u", c->store_slots);
	add(rtl, "-GSLOT_FLITS=%u", c->slot_flits);
}

static void set_names(struct loom_rtl *rtl, const struct loom_topo *t, const char *pins)
{
	(void)snprintf(rtl->label, sizeof rtl->label, "%s", t->name);
	(void)snprintf(rtl->name, sizeof rtl->name, "%s%u%s", t->kind->name,
	               t->kind->complements_bits ? t->n_dims : t->n_nodes, pins);
}

int loom_rtl_of_fabric(struct loom_rtl *out, const char *fabric, struct loom_err *err)
{
	struct loom_topo t;
	struct loom_min min;
	int code = loom_topo_parse(&t, fabric, err);
	if (code)
		return code;
	if (t.n_nodes > SIMULATED_MAX)
		return loom_fail(err, LOOM_EINPUT, "no RTL for %s: up to %d nodes are simulated", t.name, SIMULATED_MAX);
	struct loom_rtl rtl = {.top = "sim_top", .chip = chip_of(&t)};
	bool multistage = loom_topo_min(&min, &t, LOOM_RULE_ASCENDING);
	if (!multistage && !t.kind->complements_bits)
		return loom_fail(err, LOOM_EINPUT, "no RTL for %s", t.name);
	set_names(&rtl, &t, "");
	add(&rtl, multistage ? "share=share_min.vlt" : "share=share.vlt");
	add(&rtl, "-GKIND=%u", t.kind->code);
	add(&rtl, "-GSIZE=%u", t.label_bits);
	if (multistage) {
		rtl.chip.preset_passes = 256;
		rtl.chip.history_runs = 512;
		add(&rtl, "-GPRESET_DEPTH=%u", rtl.chip.preset_passes);
		add(&rtl, "-GHISTORY_RUNS=%u", rtl.chip.history_runs);
	}
	add_common(&rtl, multistage ? t.label_bits : rtl.chip.n_channels);
	*out = rtl;
	return 0;
}

static int of_netlist(struct loom_rtl *out, const char *file, struct loom_err *err)
{
	const char *slash = strrchr(file, '/');
	struct loom_rtl rtl = {.top = "sim_pins", .name = "netlist-pins", .netlist = file};
	FILE *f = fopen(file, "r");
	if (!f)
		return loom_fail(err, LOOM_EINPUT, "cannot read %.200s", file);
	(void)fclose(f);
	(void)snprintf(rtl.label, sizeof rtl.label, "%.60s", slash ? slash + 1 : file);
	add(&rtl, "-GNETLIST=1");
	add(&rtl, "+define+NO_ICE40_DEFAULT_ASSIGNMENTS");
	*out = rtl;
	return 0;
}

int loom_rtl_of_board(struct loom_rtl *out, const char *board, unsigned clock_hz, unsigned baud, struct loom_err *err)
{
	struct loom_topo t;
	size_t length = strlen(board);
	if (length > 2 && strcmp(board + length - 2, ".v") == 0)
		return of_netlist(out, board, err);
	int code = loom_topo_parse(&t, board, err);
	if (code)
		return code;
	if (!t.kind->complements_bits)
		return loom_fail(err, LOOM_EINPUT, "no board carries %s: boards carry cubes", t.name);
	struct loom_rtl rtl = {.top = "sim_pins", .chip = chip_of(&t)};
	set_names(&rtl, &t, "-pins");
	add(&rtl, "share=share.vlt");
	add(&rtl, "-GDIM=%u", t.n_dims);
	add_common(&rtl, rtl.chip.n_channels);
	add(&rtl, "-GCLOCK_HZ=%u", clock_hz);
	add(&rtl, "-GBAUD=%u", baud);
	*out = rtl;
	return 0;
}
