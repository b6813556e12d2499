// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Over 400 lines because it is the one place that knows with which parameters a fabric is simulated.
#include "links/rtl.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/routes/graph.h>
#include <flitloom/topo.h>

#include "chip/header.h"
#include "chip/turn_words.h"
#include "topo/flit.h"
#include "topo/topo_ocs.h"

#define NODES_MOST 1024 // the most nodes that the RTL takes
#define LABEL_BITS_MOST 12
#define DIMS_MOST 12
#define LINKS_MOST 24      // links of a node
#define LANES_MOST 64      // lanes of a router: the virtual channels of its links, and the local port
#define TABLE_BITS_MOST 12 // bits of the address in a route table, which has a lane's number above a label
#define UNROLL_TO 64       // nodes up to which Verilator may unroll loops over them
#define NUMBER_BITS 65536  // bits of the largest number that Verilator takes by default
#define EXTENT_BITS 16     // bits of a word of EXTENTS
#define WIRE_BITS 24       // bits of a word of WIRES: loom_topo_wire
#define DELAY_BITS 8       // bits of a word of DELAYS
#define TALLY_BITS 32      // bits of a node's counters
#define ADAPTIVE_RULE_BITS 4
#define OPEN_BITS_MOST 64 // bits of a beat: struct loom_open_beat
#define VIA_PASS_BITS 4   // bits of the pass in PROGRAM0, if a node's label stands beside it

// Takes allocated text, or NULL for no memory, which finish reports.
static void add_text(struct loom_rtl *rtl, char *text)
{
	rtl->words[rtl->n_words++] = text;
}

static void add(struct loom_rtl *rtl, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(struct loom_rtl *rtl, const char *format, ...)
{
	char *text;
	va_list arguments;
	va_start(arguments, format);
	add_text(rtl, vasprintf(&text, format, arguments) < 0 ? NULL : text);
	va_end(arguments);
}

void loom_rtl_free(struct loom_rtl *rtl)
{
	for (size_t i = 0; i < rtl->n_words; i++)
		free(rtl->words[i]);
	*rtl = (struct loom_rtl){0};
}

// Hands over the words if all could be allocated.
static int finish(struct loom_rtl *out, struct loom_rtl *rtl, struct loom_err *err)
{
	for (size_t i = 0; i < rtl->n_words; i++)
		if (!rtl->words[i]) {
			loom_rtl_free(rtl);
			return loom_fail(err, LOOM_ENOMEM, "no memory for the parameters of a model");
		}
	*out = *rtl;
	return 0;
}

// Returns the bits of a message's number: a longer label leaves fewer bits of the header's flit for it.
uint32_t loom_rtl_program_depth(const struct loom_chip *chip)
{
	uint32_t number_low = loom_header_number_low(chip);
	uint32_t number_bits = chip->flit_bits > number_low ? chip->flit_bits - number_low : 0;
	return number_bits < 10 ? UINT32_C(1) << number_bits : 1024;
}

// Fills in the values that all fabrics share, and those that follow from the topology.
static struct loom_chip chip_of(const struct loom_topo *t)
{
	struct loom_chip chip = {
		.kind = t->kind->code,
		.n_nodes = t->n_nodes,
		.n_tiles = t->n_tiles,
		.n_channels = loom_topo_channels_per_tile(t),
		.flit_bits = loom_topo_flit_bits(t),
		.label_bits = t->label_bits,
		.rule_bits = loom_flit_rule_bits(t),
		.length_bits = 16,
		.count_bits = 32,
		.cycle_bits = 32,
		.pass_bits = 16,
		.log_depth = 4096,
		.store_slots = loom_flit_store_slots(t),
		.slot_flits = loom_flit_store_slots(t) > 3 ? 512 : 2048,
		.payload_bits = 32,
		.n_vcs = t->n_vcs,
		.signature_bits = 32,
		.timing = LOOM_CHIP_TIMED,
	};
	loom_chip_set_shape(&chip, t);
	chip.program_depth = loom_rtl_program_depth(&chip);
	return chip;
}

// Adds -GNAME=32'h… for words of `bits` bits, the first in the lowest bits.
static void add_number(struct loom_rtl *rtl, const char *name, unsigned bits, size_t n,
                       uint32_t (*word)(const void *of, size_t i), const void *of)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	if (f) {
		(void)fprintf(f, "-G%s=%zu'h", name, n * bits);
		for (size_t i = n; i-- > 0;)
			(void)fprintf(f, "%0*x", (int)bits / 4, (unsigned)word(of, i));
		if (fclose(f)) {
			free(text);
			text = NULL;
		}
	}
	add_text(rtl, text);
}

static uint32_t extent_at(const void *chip, size_t i)
{
	return ((const struct loom_chip *)chip)->extent[i];
}

static uint32_t wire_at(const void *topo, size_t i)
{
	const struct loom_topo *t = topo;
	return loom_topo_wire(t, (uint32_t)(i / loom_topo_links(t)), (unsigned)(i % loom_topo_links(t)));
}

static uint32_t delay_at(const void *topo, size_t i)
{
	const struct loom_topo *t = topo;
	const uint32_t links = loom_topo_links(t), u = (uint32_t)(i / links), p = (uint32_t)(i % links);
	return loom_topo_link_delay(t, u * loom_topo_channels_per_tile(t) + p);
}

// Bits of a lane's number in the address of a route table.
static unsigned lane_bits(unsigned n_vcs)
{
	return n_vcs > 4 ? 3 : n_vcs > 2 ? 2 : 1;
}

int loom_rtl_takes(const struct loom_topo *t, struct loom_err *err)
{
	if (t->n_nodes > NODES_MOST || t->label_bits > LABEL_BITS_MOST)
		return loom_fail(err, LOOM_EINPUT,
		                 "no RTL for %s: it takes up to %d nodes, and labels of up to %d bits", t->name,
		                 NODES_MOST, LABEL_BITS_MOST);
	if (loom_topo_links(t) && (t->n_dims > DIMS_MOST || loom_topo_links(t) > LINKS_MOST))
		return loom_fail(err, LOOM_EINPUT,
		                 "no RTL for %s: it takes up to %d dimensions, and %d links of a node", t->name,
		                 DIMS_MOST, LINKS_MOST);
	if (loom_topo_links(t) * t->n_vcs >= LANES_MOST)
		return loom_fail(err, LOOM_EINPUT,
		                 "no RTL for %.100s: it takes up to %d lanes of a node, which has %u links of %u here",
		                 t->name, LANES_MOST - 1, loom_topo_links(t), t->n_vcs);
	if (t->kind->router == LOOM_ROUTER_TABLE && t->label_bits + lane_bits(t->n_vcs) > TABLE_BITS_MOST)
		return loom_fail(
			err, LOOM_EINPUT,
			"no RTL for %.100s: it takes up to %d nodes with %u lanes, as a route table has %d words",
			t->name, 1 << (TABLE_BITS_MOST - lane_bits(t->n_vcs)), t->n_vcs, 1 << TABLE_BITS_MOST);
	return 0;
}

static void add_shape(struct loom_rtl *rtl)
{
	add(rtl, "-GDIMS=%u", rtl->chip.n_dims);
	add_number(rtl, "EXTENTS", EXTENT_BITS, rtl->chip.n_dims, extent_at, &rtl->chip);
}

// Adds the parameters of rtl/chip/fabric.sv that describe the network; a multistage network has fewer.
static int add_network(struct loom_rtl *rtl, const struct loom_topo *t, struct loom_err *err)
{
	unsigned links = loom_topo_links(t);
	int code = loom_rtl_takes(t, err);
	if (code)
		return code;
	add(rtl, "-GKIND=%u", t->kind->code);
	add(rtl, "-GNODES=%u", t->n_nodes);
	add(rtl, "-GLINKS=%u", links);
	if (loom_topo_has_circuits(t))
		add_shape(rtl);
	if (links == 0)
		return 0;
	add_number(rtl, "WIRES", WIRE_BITS, (size_t)t->n_nodes * links, wire_at, t);
	if (rtl->chip.link_delays)
		add_number(rtl, "DELAYS", DELAY_BITS, (size_t)t->n_nodes * links, delay_at, t);
	add_shape(rtl);
	add(rtl, "-GLABEL_W=%u", t->label_bits);
	add(rtl, "-GLINKS_PER_DIM=%u", t->kind->complements_bits ? 1u : 2u);
	add(rtl, "-GWRAP=%u", t->kind->wraps ? 1u : 0u);
	add(rtl, "-GTABLE=%u", t->kind->router == LOOM_ROUTER_TABLE ? 1u : 0u);
	add(rtl, "-GV=%u", t->n_vcs);
	if (t->kind->router == LOOM_ROUTER_OTIS) {
		add(rtl, "-GOTIS=1");
		add(rtl, "-GLIGHT_CYCLES=%u", t->light_cycles);
		add(rtl, "-GLIGHT_RATIO=%u", t->light_ratio);
	}
	return 0;
}

// Adds limits for Verilator: loops over the links of a node, their virtual channels, the channels of a tile or the
// stages are unrolled, those over tiles stay loops.
static void add_limits(struct loom_rtl *rtl, const struct loom_topo *t)
{
	unsigned links = loom_topo_links(t);
	if (t->n_nodes > UNROLL_TO) {
		add(rtl, "--unroll-count");
		add(rtl, "%u", links ? links * t->n_vcs + 2 : t->label_bits);
	}
	if ((uint64_t)t->n_nodes * links * WIRE_BITS > NUMBER_BITS) {
		add(rtl, "--max-num-width");
		add(rtl, "%u", t->n_nodes * links * WIRE_BITS);
	}
}

// Adds the files that keep the tiles of a model equal.
static void add_shares(struct loom_rtl *rtl, const struct loom_topo *t)
{
	add(rtl, "share=share.vlt");
	if (loom_topo_links(t) == 0)
		add(rtl, "share=share_min.vlt");
	if (t->link_delay > 0 || t->router_delay > 0)
		add(rtl, "share=share_slow.vlt");
}

void loom_rtl_node_fields(struct loom_rtl_field out[LOOM_RTL_NODE_FIELDS], const struct loom_chip *c)
{
	const struct loom_rtl_field fields[LOOM_RTL_NODE_FIELDS] = {
		{"RULE_W", c->rule_bits},
		{"FLIT_W", c->flit_bits},
		{"LENGTH_W", c->length_bits},
		{"PROGRAM_DEPTH", c->program_depth},
		{"LOG_DEPTH", c->log_depth},
		{"SLOTS", c->store_slots},
		{"SLOT_FLITS", c->slot_flits},
		{"COUNT_W", c->count_bits},
		{"PASS_W", c->pass_bits},
		{"CYCLE_W", c->cycle_bits},
		{"TALLY_W", TALLY_BITS},
		{"STATE_W", c->payload_bits},
		{"SIGNATURE_W", c->signature_bits},
		{"SMALL", 0},
		{"TIMED", c->timing & LOOM_CHIP_TIMED ? 1 : 0},
		{"STREAM", c->timing & LOOM_CHIP_STREAM ? 1 : 0},
		{"BUFFERS", c->buffers},
		{"LINK_DELAY", c->link_delay},
		{"ROUTER_DELAY", c->router_delay},
		{"ADAPTIVE", c->adaptive},
		{"LINK_DELAYS", c->link_delays},
	};
	memcpy(out, fields, sizeof fields);
}

static uint32_t node_field_at(const void *fields, size_t i)
{
	return ((const struct loom_rtl_field *)fields)[i].value;
}

// The parameter NODE.
static void add_node(struct loom_rtl *rtl)
{
	struct loom_rtl_field fields[LOOM_RTL_NODE_FIELDS];
	loom_rtl_node_fields(fields, &rtl->chip);
	add_number(rtl, "NODE", 32, LOOM_RTL_NODE_FIELDS, node_field_at, fields);
}

int loom_rtl_of_topo(struct loom_rtl *out, const struct loom_topo *t, struct loom_err *err)
{
	struct loom_rtl rtl = {.top = "sim_top", .chip = chip_of(t)};
	rtl.chip.timing |= LOOM_CHIP_STREAM;
	loom_rtl_set_names(&rtl, t, "");
	add_shares(&rtl, t);
	int code = add_network(&rtl, t, err);
	if (code) {
		loom_rtl_free(&rtl);
		return code;
	}
	if (loom_topo_links(t) == 0) {
		rtl.chip.preset_passes = loom_topo_has_circuits(t) ? 4096 : 256;
		rtl.chip.history_runs = loom_topo_has_circuits(t) ? 0 : 512;
		add(&rtl, "-GPRESET_DEPTH=%u", rtl.chip.preset_passes);
		add(&rtl, "-GHISTORY_RUNS=%u", rtl.chip.history_runs);
	}
	add_limits(&rtl, t);
	add_node(&rtl);
	return finish(out, &rtl, err);
}

void loom_rtl_set_failing(struct loom_rtl *rtl)
{
	const size_t used = strlen(rtl->name);
	add(rtl, "-GFAILING=1");
	(void)snprintf(rtl->name + used, sizeof rtl->name - used, "-failing");
}

// Gives headers rules of `bits` bits, and the model a name of its own. routers: the name of such routers.
static int set_rule_bits(struct loom_rtl *rtl, const char *name, const char *routers, uint32_t bits,
                         struct loom_err *err)
{
	const size_t used = strlen(rtl->name);
	rtl->chip.rule_bits = bits;
	rtl->chip.program_depth = loom_rtl_program_depth(&rtl->chip);
	if (rtl->chip.program_depth < 2)
		return loom_fail(err, LOOM_EINPUT,
		                 "no %s for %.63s: headers with rules of %" PRIu32 " bits leave no room for the "
		                 "numbers of messages; flits of %" PRIu32 " bits would do",
		                 routers, rtl->label, bits, loom_header_number_low(&rtl->chip) + 1);
	for (size_t i = 0; i < rtl->n_words; i++) {
		if (!rtl->words[i] || strncmp(rtl->words[i], "-GNODE=", 7) != 0)
			continue;
		free(rtl->words[i]);
		rtl->words[i] = rtl->words[--rtl->n_words];
		add_node(rtl);
		break;
	}
	(void)snprintf(rtl->name + used, sizeof rtl->name - used, "-%s", name);
	for (size_t i = 0; i < rtl->n_words; i++)
		if (!rtl->words[i])
			return loom_fail(err, LOOM_ENOMEM, "no memory for the parameters of a model");
	return 0;
}

int loom_rtl_set_adaptive(struct loom_rtl *rtl, const struct loom_topo *t, struct loom_err *err)
{
	if (t->kind->router != LOOM_ROUTER_ORDER)
		return loom_fail(err, LOOM_EINPUT,
		                 "no adaptive routers for %.100s: cube, line, mesh, ring and torus have them", t->name);
	rtl->chip.adaptive = 1;
	return set_rule_bits(rtl, "adaptive", "adaptive routers", ADAPTIVE_RULE_BITS, err);
}

int loom_rtl_set_turns(struct loom_rtl *rtl, const struct loom_topo *t, struct loom_err *err)
{
	if (t->kind->router != LOOM_ROUTER_ORDER && t->kind->router != LOOM_ROUTER_TABLE)
		return loom_fail(err, LOOM_EINPUT, "no routers for %.100s that go by turns", t->name);
	const unsigned label_bits = loom_turn_words_label_bits(t);
	if (label_bits < t->label_bits && (t->kind->router == LOOM_ROUTER_ORDER || t->n_nodes > 1u << label_bits))
		return loom_fail(err, LOOM_EINPUT,
		                 "no RTL for %.100s by turns: tables of its routers have a word for each of %u inputs "
		                 "and each label of %u bits, and room for %u",
		                 t->name, loom_topo_links(t) + 1, t->label_bits, 1u << LOOM_TURN_WORDS_BITS);
	rtl->chip.adaptive = LOOM_CHIP_TURNS;
	return set_rule_bits(rtl, "turns", "routers that go by turns", ADAPTIVE_RULE_BITS, err);
}

int loom_rtl_set_via(struct loom_rtl *rtl, const struct loom_topo *t, struct loom_err *err)
{
	if (t->kind->router != LOOM_ROUTER_ORDER || t->n_vcs % 2 != 0)
		return loom_fail(err, LOOM_EINPUT,
		                 "no routers for %.100s that send messages through a node: cube, line, mesh, ring "
		                 "and torus have them, with an even number of lanes",
		                 t->name);
	rtl->chip.pass_bits = VIA_PASS_BITS;
	return set_rule_bits(rtl, "via", "routers that send messages through a node",
	                     LOOM_RULE_BITS_MAX + t->label_bits, err);
}

// Describes the RTL of an open fabric. Its nodes are the user's, so only the fields of NODE for routers, headers and
// monitors are used.
int loom_rtl_of_open(struct loom_rtl *out, const struct loom_topo *t, struct loom_err *err)
{
	struct loom_rtl rtl = {.top = "sim_open", .chip = chip_of(t)};
	rtl.chip.timing = 0;
	loom_rtl_set_names(&rtl, t, "-open");
	if (rtl.chip.flit_bits > OPEN_BITS_MOST)
		return loom_fail(err, LOOM_EINPUT,
		                 "no simulation of %.100s as an open fabric: its beats have %d bits at most", t->name,
		                 OPEN_BITS_MOST);
	// Tiles of multistage networks are small without nodes: dissolved in the fabric they are faster.
	if (loom_topo_links(t)) {
		add_shares(&rtl, t);
		add(&rtl, "share=share_open.vlt");
	}
	int code = add_network(&rtl, t, err);
	if (code) {
		loom_rtl_free(&rtl);
		return code;
	}
	add_limits(&rtl, t);
	add_node(&rtl);
	rtl.chip.program_depth = rtl.chip.log_depth = 0;
	return finish(out, &rtl, err);
}

int loom_rtl_of_fabric(struct loom_rtl *out, const char *fabric, struct loom_err *err)
{
	struct loom_topo t;
	int code = loom_topo_parse(&t, fabric, err);
	if (code)
		return code;
	code = loom_rtl_of_topo(out, &t, err);
	loom_topo_free(&t);
	return code;
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
	return finish(out, &rtl, err);
}

int loom_rtl_of_board_topo(struct loom_rtl *out, const struct loom_topo *t, unsigned clock_hz, unsigned baud,
                           struct loom_err *err)
{
	if (loom_topo_links(t) == 0)
		return loom_fail(err, LOOM_EINPUT, "no board carries %s: boards carry direct networks, as cube:2",
		                 t->name);
	struct loom_rtl rtl = {.top = "sim_pins", .chip = chip_of(t)};
	loom_rtl_set_names(&rtl, t, "-pins");
	add_shares(&rtl, t);
	int code = add_network(&rtl, t, err);
	if (code) {
		loom_rtl_free(&rtl);
		return code;
	}
	add_limits(&rtl, t);
	add_node(&rtl);
	add(&rtl, "-GCLOCK_HZ=%u", clock_hz);
	add(&rtl, "-GBAUD=%u", baud);
	return finish(out, &rtl, err);
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
	code = loom_rtl_of_board_topo(out, &t, clock_hz, baud, err);
	loom_topo_free(&t);
	return code;
}

int loom_rtl_of_network(struct loom_rtl *out, const struct loom_topo *t, struct loom_err *err)
{
	struct loom_rtl rtl = {.chip = chip_of(t)};
	loom_rtl_set_names(&rtl, t, "");
	int code = add_network(&rtl, t, err);
	if (code) {
		loom_rtl_free(&rtl);
		return code;
	}
	add_limits(&rtl, t);
	return finish(out, &rtl, err);
}
