// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
// Opens the chip behind a link, transfers words, and loads an image.
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/link/regmap.h>
#include <flitloom/topo.h>

#include "chip/header.h"
#include "chip/image_fit.h"
#include "chip/turn_words.h"
#include "device/device_internal.h"

#define MAGIC 0x4d4f4f4cu
#define PORTION_WORDS 4096u // words of a transfer between two calls of the watching function

uint32_t loom_device_field(uint32_t word, unsigned low, unsigned width)
{
	return word >> low & (uint32_t)((UINT64_C(1) << width) - 1);
}

// --- Transfers, and progress ---------------------------------------------------------------------------------------

void loom_device_watch(struct loom_device *d, bool (*watch)(void *user, const struct loom_progress *progress),
                       void *user)
{
	d->watch = watch;
	d->user = user;
}

int loom_device_tell(struct loom_device *d, const struct loom_progress *p, struct loom_err *err)
{
	static const char *const doing[] = {
		[LOOM_STAGE_LOAD] = "while the image was loaded",
		[LOOM_STAGE_VERIFY] = "while what was loaded was read back",
		[LOOM_STAGE_HISTORIES] = "while the channels' histories were read",
		[LOOM_STAGE_LOGS] = "while the nodes' logs were read",
	};
	if (!d->watch || !d->watch(d->user, p))
		return 0;
	if (p->stage == LOOM_STAGE_RUN)
		return loom_fail(err, LOOM_ETIMEOUT, "given up in pass %llu at cycle %llu", (unsigned long long)p->done,
		                 (unsigned long long)p->cycle);
	return loom_fail(err, LOOM_ETIMEOUT, "given up %s, at word %llu of %llu", doing[p->stage],
	                 (unsigned long long)p->done, (unsigned long long)p->total);
}

int loom_device_transfer(struct loom_device *d, const struct loom_transfer *list, size_t n, struct loom_err *err)
{
	return d->link->kind->transfer(d->link, list, n,
	                               d->link->timeout_ms ? d->link->timeout_ms : LOOM_LINK_TIMEOUT_MS, err);
}

int loom_device_transfer_told(struct loom_device *d, enum loom_stage stage, const struct loom_transfer *list, size_t n,
                              struct loom_err *err)
{
	struct loom_progress progress = {.stage = stage};
	int code = 0;
	if (!d->watch)
		return n ? loom_device_transfer(d, list, n, err) : 0;
	for (size_t i = 0; i < n; i++)
		progress.total += list[i].n_words;
	for (size_t from = 0, to = 0; code == 0 && from < n; from = to) {
		uint64_t words = 0;
		while (to < n && (to == from || words + list[to].n_words <= PORTION_WORDS))
			words += list[to++].n_words;
		code = loom_device_transfer(d, list + from, to - from, err);
		progress.done += words;
		if (code == 0)
			code = loom_device_tell(d, &progress, err);
	}
	return code;
}

int loom_device_get(struct loom_device *d, uint32_t address, uint32_t *out, size_t n_words, struct loom_err *err)
{
	const struct loom_transfer one = {.address = address, .n_words = n_words, .read = out};
	return loom_device_transfer(d, &one, 1, err);
}

// --- The chip ------------------------------------------------------------------------------------------------------

static bool makes_sense(const struct loom_chip *c)
{
	if (c->n_nodes == 0 || c->n_nodes > LOOM_ALL_NODES || c->n_tiles == 0 || c->n_tiles > LOOM_ALL_NODES ||
	    c->n_channels == 0 || c->n_channels > 63 || c->label_bits == 0 || c->label_bits > 16 || c->rule_bits == 0 ||
	    (c->rule_bits > LOOM_RULE_BITS_MAX && c->rule_bits != LOOM_RULE_BITS_MAX + c->label_bits) ||
	    c->flit_bits > LOOM_FLIT_BITS_MAX || c->count_bits == 0 || c->count_bits > 32 || c->cycle_bits < 8 ||
	    c->cycle_bits > 32 || c->pass_bits == 0 || c->pass_bits > 16 || c->user_nodes > 1 ||
	    c->adaptive > LOOM_CHIP_TURNS)
		return false;
	if (c->user_nodes) // a header names two nodes and a rule
		return c->flit_bits >= 2 * c->label_bits + c->rule_bits;
	return c->flit_bits > loom_header_number_low(c) && c->length_bits != 0 && c->length_bits <= 16 &&
	       c->store_slots <= LOOM_SLOTS_MAX && c->program_depth <= 4096 && c->log_depth <= 8192 &&
	       (c->payload_bits == 16 || c->payload_bits == 32) &&
	       (c->signature_bits == 0 || c->signature_bits == 12 || c->signature_bits == 16 ||
	        c->signature_bits == 32);
}

int loom_device_open(struct loom_device **out, struct loom_link *link, struct loom_err *err)
{
	uint32_t r[LOOM_REG_LINK_DELAYS + 1], extents[LOOM_CHIP_DIMS];
	struct loom_device *d = calloc(1, sizeof *d);
	if (!d)
		return loom_fail(err, LOOM_ENOMEM, "no memory for a device");
	d->link = link;
	const struct loom_transfer list[] = {
		{.address = LOOM_REG_MAGIC, .n_words = sizeof r / sizeof r[0], .read = r},
		{.address = LOOM_REG_SHAPE, .n_words = LOOM_CHIP_DIMS, .read = extents},
	};
	int code = loom_device_transfer(d, list, 2, err);
	if (code == 0 && r[LOOM_REG_MAGIC] != MAGIC)
		code = loom_fail(err, LOOM_EHARDWARE,
		                 "no flitloom chip behind link \"%s\": its first register is 0x%08x, not 0x%08x",
		                 link->kind->name, r[LOOM_REG_MAGIC], MAGIC);
	if (code == 0 && r[LOOM_REG_MAP_VERSION] != LOOM_MAP_VERSION_IS)
		code = loom_fail(err, LOOM_EHARDWARE,
		                 "the chip has version %u of the register map; this program knows version %u",
		                 r[LOOM_REG_MAP_VERSION], LOOM_MAP_VERSION_IS);
	if (code) {
		free(d);
		return code;
	}
	const uint32_t light = r[LOOM_REG_LIGHT];
	d->chip = (struct loom_chip){
		.kind = r[LOOM_REG_KIND],
		.n_dims = r[LOOM_REG_SIZE],
		.n_nodes = r[LOOM_REG_NODES],
		.n_tiles = r[LOOM_REG_TILES],
		.n_channels = r[LOOM_REG_CHANNELS],
		.flit_bits = r[LOOM_REG_FLIT_BITS],
		.label_bits = r[LOOM_REG_LABEL_BITS],
		.rule_bits = r[LOOM_REG_RULE_BITS],
		.length_bits = r[LOOM_REG_LENGTH_BITS],
		.count_bits = r[LOOM_REG_COUNT_BITS],
		.cycle_bits = r[LOOM_REG_CYCLE_BITS],
		.pass_bits = r[LOOM_REG_PASS_BITS],
		.program_depth = r[LOOM_REG_PROGRAM_DEPTH],
		.log_depth = r[LOOM_REG_LOG_DEPTH],
		.store_slots = r[LOOM_REG_STORE_SLOTS],
		.slot_flits = r[LOOM_REG_SLOT_FLITS],
		.preset_passes = r[LOOM_REG_PRESET_PASSES],
		.history_runs = r[LOOM_REG_HISTORY_RUNS],
		.payload_bits = r[LOOM_REG_PAYLOAD_BITS],
		.n_vcs = r[LOOM_REG_VIRTUAL_CHANNELS],
		.buffers = r[LOOM_REG_BUFFERS],
		.link_delay = r[LOOM_REG_LINK_DELAY],
		.link_delays = r[LOOM_REG_LINK_DELAYS],
		.router_delay = r[LOOM_REG_ROUTER_DELAY],
		.adaptive = r[LOOM_REG_ADAPTIVE],
		.light_cycles = light >> LOOM_LIGHT_CYCLES_LOW & ((1u << LOOM_LIGHT_CYCLES_WIDTH) - 1),
		.light_ratio = light >> LOOM_LIGHT_RATIO_LOW & ((1u << LOOM_LIGHT_RATIO_WIDTH) - 1),
		.signature_bits = r[LOOM_REG_SIGNATURE_BITS],
		.timing = r[LOOM_REG_TIMING] & (LOOM_CHIP_TIMED | LOOM_CHIP_STREAM),
		.user_nodes = r[LOOM_REG_USER_NODES],
	};
	memcpy(d->chip.extent, extents, sizeof extents);
	const struct loom_chip *c = &d->chip;
	if (!makes_sense(c)) {
		code = loom_fail(err, LOOM_EHARDWARE,
		                 "the chip's discovery registers make no sense (%u nodes, %u tiles of %u channels, "
		                 "%u-bit flits)",
		                 c->n_nodes, c->n_tiles, c->n_channels, c->flit_bits);
	}
	// An unknown kind is no error here. Callers that need the kind report it. Until then a label is a number.
	if (code == 0 && loom_topo_kind_by_code(c->kind) && (code = loom_chip_check(c, err)) == 0)
		code = loom_chip_topo(&d->topo, c, err);
	if (code) {
		free(d);
		return code;
	}
	*out = d;
	return 0;
}

void loom_device_close(struct loom_device *device)
{
	free(device);
}

const struct loom_chip *loom_device_chip(const struct loom_device *device)
{
	return &device->chip;
}

// --- An image ------------------------------------------------------------------------------------------------------

static bool is_for_all(uint32_t address)
{
	return (address & 0xf0000000u) == LOOM_SPACE_NODE &&
	       loom_device_field(address, LOOM_INDEX_LOW, LOOM_INDEX_WIDTH) == LOOM_ALL_NODES;
}

// Lists the transfers that read a block back: the block itself or, if it was written to all nodes, those of the first
// and of the last node. Returns their number (0..2).
static size_t readings(struct loom_transfer out[2], const struct loom_block *b, uint32_t n_nodes)
{
	const uint32_t all = LOOM_ALL_NODES << LOOM_INDEX_LOW;
	if (!b->read_back)
		return 0;
	out[0] = (struct loom_transfer){.address = b->address, .n_words = b->n_words};
	if (!is_for_all(b->address))
		return 1;
	out[0].address = b->address & ~all;
	out[1] = (struct loom_transfer){.address = out[0].address | (n_nodes - 1) << LOOM_INDEX_LOW,
	                                .n_words = b->n_words};
	return 2;
}

// Reads back the written words and compares them. `list` has room for two transfers per block.
static int verify(struct loom_device *d, const struct loom_image *image, struct loom_transfer *list,
                  struct loom_err *err)
{
	size_t n_words = 0, n = 0;
	for (size_t i = 0; i < image->n_blocks; i++)
		n += readings(list + n, &image->blocks[i], d->chip.n_nodes);
	for (size_t i = 0; i < n; i++)
		n_words += list[i].n_words;
	uint32_t *back = calloc(n_words ? n_words : 1, sizeof *back), *at = back;
	if (!back)
		return loom_fail(err, LOOM_ENOMEM, "no memory to read %zu words back", n_words);
	for (size_t i = 0; i < n; i++) {
		list[i].read = at;
		at += list[i].n_words;
	}
	int code = loom_device_transfer_told(d, LOOM_STAGE_VERIFY, list, n, err);
	n = 0;
	for (size_t i = 0; code == 0 && i < image->n_blocks; i++) {
		const struct loom_block *b = &image->blocks[i];
		struct loom_transfer of_block[2];
		size_t end = n + readings(of_block, b, d->chip.n_nodes);
		for (; n < end; n++)
			for (uint32_t k = 0; code == 0 && k < b->n_words; k++)
				if (list[n].read[k] != b->words[k])
					code = loom_fail(err, LOOM_EHARDWARE,
					                 "address 0x%08x was written 0x%08x and reads 0x%08x",
					                 list[n].address + k, b->words[k], list[n].read[k]);
	}
	free(back);
	return code;
}

int loom_device_load(struct loom_device *d, const struct loom_image *image, struct loom_err *err)
{
	static const uint32_t reset = 1u << LOOM_CONTROL_RESET_LOW;
	int code = loom_image_check_nodes(&d->chip, err);
	if (code)
		return code;
	struct loom_transfer *list = calloc(2 * image->n_blocks + 1, sizeof *list);
	if (!list)
		return loom_fail(err, LOOM_ENOMEM, "no memory to load %zu blocks", image->n_blocks);
	// The nodes are still in reset while the next word is written. That does no harm: an image begins with
	// settings, which a reset keeps.
	list[0] = (struct loom_transfer){.address = LOOM_REG_CONTROL, .n_words = 1, .write = &reset};
	for (size_t i = 0; i < image->n_blocks; i++) {
		const struct loom_block *b = &image->blocks[i];
		list[i + 1] = (struct loom_transfer){.address = b->address, .n_words = b->n_words, .write = b->words};
	}
	code = loom_device_transfer_told(d, LOOM_STAGE_LOAD, list, image->n_blocks + 1, err);
	if (code == 0)
		code = verify(d, image, list, err);
	free(list);
	return code;
}

// True if the block is not a program or a table.
static bool is_register(const struct loom_block *block)
{
	uint32_t space = block->address & 0xf0000000u, offset = block->address & 0xffffu;
	return space == LOOM_SPACE_GLOBAL || (space == LOOM_SPACE_NODE && offset < (LOOM_WINDOW_PROGRAM & 0xffffu));
}

// Resets the nodes for another run. A reset keeps programs and tables, but clears the lengths of the programs. The
// global registers are written first, as by any load, because a node ignores the words that follow a reset at once.
int loom_device_reset(struct loom_device *d, const struct loom_image *image, struct loom_err *err)
{
	struct loom_image registers = *image;
	registers.n_blocks = 0;
	registers.blocks = calloc(image->n_blocks + 1, sizeof *registers.blocks);
	if (!registers.blocks)
		return loom_fail(err, LOOM_ENOMEM, "no memory to load %zu blocks", image->n_blocks);
	for (size_t i = 0; i < image->n_blocks; i++)
		if (is_register(&image->blocks[i]))
			registers.blocks[registers.n_blocks++] = image->blocks[i];
	int code = loom_device_load(d, &registers, err);
	free(registers.blocks);
	return code;
}
