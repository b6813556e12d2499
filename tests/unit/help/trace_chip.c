// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "trace_chip.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include <flitloom/link/image.h>
#include <flitloom/link/regmap.h>

enum { SPACES = 5, INDEXES = 16, OFFSETS = 0x10000, DEPTH = 512, RULE_BITS = 2 };

struct trace_chip {
	const struct loom_plan *plan;
	const struct loom_trace *trace;
	uint32_t *words; // [space][index][offset]
	unsigned n_starts;
};

static uint32_t *word_at(struct trace_chip *c, uint32_t address)
{
	uint32_t space = address >> 28, index = address >> 16 & 0xfff, offset = address & 0xffff;
	assert_true(space < SPACES && index < INDEXES);
	return &c->words[((size_t)space * INDEXES + index) * OFFSETS + offset];
}

// --- Results of a run ----------------------------------------------------------------------------------------------

// Returns the label by which headers name a node; a number that no node has gets a label that no node has.
static uint32_t label_of(const struct trace_chip *c, uint32_t node)
{
	uint32_t n_nodes = c->plan->topo.n_nodes;
	return node < n_nodes ? loom_topo_label(&c->plan->topo, node) : node - n_nodes;
}

static void fill_logs(struct trace_chip *c)
{
	const struct loom_trace *t = c->trace;
	unsigned label = c->plan->topo.label_bits;
	for (uint32_t node = 0; node < t->n_nodes; node++) {
		*word_at(c, LOOM_WINDOW_LOG_COUNT | node << 16) = 0;
		*word_at(c, LOOM_WINDOW_SENT_COUNT | node << 16) = t->sent[node];
		*word_at(c, LOOM_WINDOW_CORRUPT_COUNT | node << 16) = t->corrupt[node];
	}
	for (size_t i = 0; i < t->n_arrivals; i++) {
		const struct loom_arrival *a = &t->arrivals[i];
		uint32_t entry = (*word_at(c, LOOM_WINDOW_LOG_COUNT | a->node << 16))++;
		uint32_t at = LOOM_WINDOW_LOG | a->node << 16 | 4 * entry;
		*word_at(c, (LOOM_WINDOW_SIGNATURE | a->node << 16) + entry) = a->signature;
		*word_at(c, at) = label_of(c, a->destination) | label_of(c, a->source) << label | a->rule << 2 * label |
		                  a->keep_slot << (2 * label + RULE_BITS) | a->number << (2 * label + RULE_BITS + 2);
		*word_at(c, at + 1) = a->flits << LOOM_LOG1_FLITS_LOW | a->logged_pass << LOOM_LOG1_PASS_LOW |
		                      (uint32_t)(a->destination == a->node) << LOOM_LOG1_HERE_LOW |
		                      (uint32_t)a->intact << LOOM_LOG1_INTACT_LOW;
		*word_at(c, at + 2) = a->first_cycle;
		*word_at(c, at + 3) = a->last_cycle;
	}
}

static void fill_counts(struct trace_chip *c, uint32_t pass)
{
	uint32_t per_tile = loom_topo_channels_per_tile(&c->plan->topo);
	for (uint32_t k = 0; k < c->trace->n_channels; k++) {
		const struct loom_count *n = &c->trace->counts[(size_t)pass * c->trace->n_channels + k];
		uint32_t at = LOOM_WINDOW_COUNTS | k / per_tile << 16 | 4 * (k % per_tile);
		*word_at(c, at) = n->worms;
		*word_at(c, at + 1) = n->flits;
		*word_at(c, at + 2) = n->blocked_cycles;
	}
}

static void fill_histories(struct trace_chip *c)
{
	uint32_t per_tile = loom_topo_channels_per_tile(&c->plan->topo);
	for (uint32_t k = 0; k < c->trace->n_channels; k++) {
		uint32_t at = LOOM_WINDOW_HISTORY | k / per_tile << 16 | (k % per_tile) << 11, n_entries = 0;
		for (uint32_t pass = 0; pass < c->trace->n_passes; pass++) {
			const struct loom_count *n = &c->trace->counts[(size_t)pass * c->trace->n_channels + k];
			if (!n->worms && !n->flits && !n->blocked_cycles)
				continue;
			*word_at(c, at + 2 * n_entries) =
				n->worms << LOOM_HISTORY0_WORMS_LOW | pass << LOOM_HISTORY0_PASS_LOW;
			*word_at(c, at + 2 * n_entries + 1) =
				n->flits << LOOM_HISTORY1_FLITS_LOW | n->blocked_cycles << LOOM_HISTORY1_BLOCKED_LOW;
			n_entries++;
		}
		*word_at(c, at + 2047) = n_entries;
	}
}

// Cycles from a start at pass `first` until pass `last` begins. A pass ends three cycles after its last tail, but lasts
// nine; eight cycles are before each.
static uint32_t began(const struct loom_trace *t, uint32_t first, uint32_t last)
{
	uint32_t cycles = 8;
	for (uint32_t pass = first; pass < last; pass++) {
		uint32_t end = 6;
		for (size_t i = 0; i < t->n_arrivals; i++)
			if (t->arrivals[i].pass == pass && t->arrivals[i].last_cycle > end)
				end = t->arrivals[i].last_cycle;
		cycles += end + 3 + 8;
	}
	return cycles;
}

static void start(struct trace_chip *c)
{
	uint32_t first = *word_at(c, LOOM_REG_FIRST_PASS), last = *word_at(c, LOOM_REG_LAST_PASS);
	fill_logs(c);
	const uint32_t recorded = *word_at(c, LOOM_REG_CONFIG) & 1u << LOOM_CONFIG_RECORD_LOW;
	if (c->plan->free_running || (recorded && first == 0 && last == c->trace->n_passes - 1))
		fill_histories(c);
	if (!c->plan->free_running)
		fill_counts(c, last);
	c->n_starts++;
	*word_at(c, LOOM_REG_STATUS) = 2;
	*word_at(c, LOOM_REG_PASS) = last;
	*word_at(c, LOOM_REG_CYCLE) = 100;
	*word_at(c, LOOM_REG_SINCE_START) = 100 + (c->plan->free_running ? 8 : began(c->trace, first, last));
}

// --- The link ------------------------------------------------------------------------------------------------------

static void write_word(struct trace_chip *c, uint32_t address, uint32_t word)
{
	if ((address & 0xf0000000u) == LOOM_SPACE_NODE && (address >> 16 & 0xfff) == LOOM_ALL_NODES)
		for (uint32_t node = 0; node < c->plan->topo.n_nodes; node++)
			*word_at(c, LOOM_SPACE_NODE | node << 16 | (address & 0xffff)) = word;
	else
		*word_at(c, address) = word;
	if (address == LOOM_REG_CONFIG && *word_at(c, LOOM_REG_HISTORY_RUNS) == 0)
		*word_at(c, address) &= ~(1u << LOOM_CONFIG_RECORD_LOW);
	if (address == LOOM_REG_CONTROL && word == 1u << LOOM_CONTROL_START_LOW)
		start(c);
}

static int transfer(struct loom_link *link, const struct loom_transfer *list, size_t n, unsigned timeout_ms,
                    struct loom_err *err)
{
	struct trace_chip *c = link->state;
	(void)timeout_ms, (void)err;
	for (size_t k = 0; k < n; k++)
		for (uint32_t i = 0; i < list[k].n_words; i++) {
			uint32_t address = list[k].address + (list[k].fixed ? 0 : i);
			if (list[k].write)
				write_word(c, address, list[k].write[i]);
			else
				list[k].read[i] = *word_at(c, address);
		}
	return 0;
}

static int run(struct loom_link *link, uint64_t n_cycles, struct loom_err *err)
{
	(void)link, (void)n_cycles, (void)err;
	return 0;
}

static const struct loom_link_kind trace_chip_kind = {.name = "trace", .transfer = transfer, .run = run};

struct trace_chip *trace_chip_new(const struct loom_plan *plan, const struct loom_trace *trace)
{
	const struct loom_topo *t = &plan->topo;
	struct trace_chip *c = calloc(1, sizeof *c);
	assert_non_null(c);
	*c = (struct trace_chip){plan, trace, calloc((size_t)SPACES * INDEXES * OFFSETS, sizeof *c->words), 0};
	assert_non_null(c->words);
	const uint32_t registers[][2] = {
		{LOOM_REG_MAGIC, 0x4d4f4f4c},
		{LOOM_REG_MAP_VERSION, LOOM_MAP_VERSION_IS},
		{LOOM_REG_KIND, t->kind->code},
		{LOOM_REG_SIZE, t->n_dims},
		{LOOM_REG_NODES, t->n_nodes},
		{LOOM_REG_TILES, t->n_tiles},
		{LOOM_REG_CHANNELS, loom_topo_channels_per_tile(t)},
		{LOOM_REG_FLIT_BITS, 32},
		{LOOM_REG_LABEL_BITS, t->label_bits},
		{LOOM_REG_RULE_BITS, RULE_BITS},
		{LOOM_REG_PROGRAM_DEPTH, DEPTH},
		{LOOM_REG_LOG_DEPTH, DEPTH},
		{LOOM_REG_STORE_SLOTS, 3},
		{LOOM_REG_SLOT_FLITS, DEPTH},
		{LOOM_REG_LENGTH_BITS, 15},
		{LOOM_REG_COUNT_BITS, 31},
		{LOOM_REG_CYCLE_BITS, 32},
		{LOOM_REG_PASS_BITS, 14},
		{LOOM_REG_PRESET_PASSES, t->kind->self_uses_network ? 32 : 0},
		{LOOM_REG_HISTORY_RUNS, 512},
		{LOOM_REG_PAYLOAD_BITS, 32},
		{LOOM_REG_LIGHT, t->light_cycles << LOOM_LIGHT_CYCLES_LOW | t->light_ratio << LOOM_LIGHT_RATIO_LOW},
		{LOOM_REG_BUFFERS, t->buffers},
		{LOOM_REG_LINK_DELAY, t->link_delay},
		{LOOM_REG_LINK_DELAYS, loom_topo_link_delays_mark(t)},
		{LOOM_REG_ROUTER_DELAY, t->router_delay},
		{LOOM_REG_SIGNATURE_BITS, 32}};
	for (unsigned d = 0; d < t->n_dims; d++)
		*word_at(c, LOOM_REG_SHAPE + d) = t->extent[d];
	for (size_t i = 0; i < sizeof registers / sizeof registers[0]; i++)
		*word_at(c, registers[i][0]) = registers[i][1];
	return c;
}

unsigned trace_chip_starts(const struct trace_chip *chip)
{
	return chip->n_starts;
}

void trace_chip_free(struct trace_chip *chip)
{
	free(chip->words);
	free(chip);
}

struct loom_link trace_chip_link(struct trace_chip *chip)
{
	return (struct loom_link){.kind = &trace_chip_kind, .state = chip};
}
