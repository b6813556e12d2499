// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <flitloom/device.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <flitloom/regmap.h>
#include <flitloom/topo.h>

#define MAGIC 0x4d4f4f4cu
#define INDEX_SHIFT 16
#define POLL_CYCLES_MIN 64u
#define POLL_CYCLES_MAX 4096u
#define END_CYCLES 64u // a pass is over within so many cycles of its last tail: rtl/chip/pass_sequencer.sv, SETTLE
#define WORDS_PER_CHANNEL 4u
#define WORDS_PER_RUN 2u
#define HISTORY_COUNT 2047u // word of a history: its entries
#define HISTORY_SHIFT 11    // channel number in the address of a history
#define WORDS_PER_ARRIVAL 4u

enum state { STATE_IDLE, STATE_RUNNING, STATE_DONE, STATE_STUCK };

struct loom_device {
	struct loom_link *link; // the caller's
	struct loom_chip chip;
};

static int transfer(struct loom_device *d, const struct loom_transfer *list, size_t n, struct loom_err *err)
{
	return d->link->kind->transfer(d->link, list, n,
	                               d->link->timeout_ms ? d->link->timeout_ms : LOOM_LINK_TIMEOUT_MS, err);
}

static int get(struct loom_device *d, uint32_t address, uint32_t *out, size_t n_words, struct loom_err *err)
{
	const struct loom_transfer one = {.address = address, .n_words = n_words, .read = out};
	return transfer(d, &one, 1, err);
}

static uint32_t field(uint32_t word, unsigned low, unsigned width)
{
	return word >> low & (uint32_t)((UINT64_C(1) << width) - 1);
}
#define FIELD(word, name) field(word, LOOM_##name##_LOW, LOOM_##name##_WIDTH)

static double now_ms(void)
{
	struct timespec t;
	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

int loom_device_open(struct loom_device **out, struct loom_link *link, struct loom_err *err)
{
	uint32_t r[LOOM_REG_PAYLOAD_BITS + 1];
	struct loom_device *d = calloc(1, sizeof *d);
	if (!d)
		return loom_fail(err, LOOM_ENOMEM, "no memory for a device");
	d->link = link;
	int code = get(d, LOOM_REG_MAGIC, r, sizeof r / sizeof r[0], err);
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
	d->chip = (struct loom_chip){
		.kind = r[LOOM_REG_KIND],
		.size = r[LOOM_REG_SIZE],
		.n_nodes = r[LOOM_REG_NODES],
		.n_tiles = r[LOOM_REG_TILES],
		.n_channels = r[LOOM_REG_CHANNELS],
		.flit_bits = r[LOOM_REG_FLIT_BITS],
		.label_bits = r[LOOM_REG_LABEL_BITS],
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
		.signature_bits = r[LOOM_REG_SIGNATURE_BITS],
	};
	const struct loom_chip *c = &d->chip;
	if (c->n_nodes == 0 || c->n_nodes > 0xfff || c->n_tiles == 0 || c->n_tiles > 0xfff || c->n_channels == 0 ||
	    c->n_channels > 64 || c->label_bits == 0 || c->label_bits > 16 || c->flit_bits < 2 * c->label_bits + 4 ||
	    c->flit_bits > 64 || c->length_bits == 0 || c->length_bits > 16 || c->count_bits == 0 ||
	    c->count_bits > 32 || c->cycle_bits < 8 || c->cycle_bits > 32 || c->pass_bits == 0 || c->pass_bits > 16 ||
	    c->store_slots > 3 || c->program_depth > 4096 || c->log_depth > 8192 ||
	    (c->payload_bits != 16 && c->payload_bits != 32) ||
	    (c->signature_bits != 0 && c->signature_bits != 12 && c->signature_bits != 16 && c->signature_bits != 32)) {
		code = loom_fail(err, LOOM_EHARDWARE,
		                 "the chip's discovery registers make no sense (%u nodes, %u tiles of %u channels, "
		                 "%u-bit flits)",
		                 c->n_nodes, c->n_tiles, c->n_channels, c->flit_bits);
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

static bool is_for_all(uint32_t address)
{
	return (address & 0xf0000000u) == LOOM_SPACE_NODE && field(address, INDEX_SHIFT, 12) == LOOM_ALL_NODES;
}

// What to read back of a block: the block itself, or, where it was written to all nodes, that of the first and of the
// last node. Returns how many transfers that is (0..2).
static size_t readings(struct loom_transfer out[2], const struct loom_block *b, uint32_t n_nodes)
{
	const uint32_t all = LOOM_ALL_NODES << INDEX_SHIFT;
	if (!b->read_back)
		return 0;
	out[0] = (struct loom_transfer){.address = b->address, .n_words = b->n_words};
	if (!is_for_all(b->address))
		return 1;
	out[0].address = b->address & ~all;
	out[1] =
		(struct loom_transfer){.address = out[0].address | (n_nodes - 1) << INDEX_SHIFT, .n_words = b->n_words};
	return 2;
}

// Reads back what was written and compares; `list` has room for two transfers a block.
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
	int code = n ? transfer(d, list, n, err) : 0;
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
	struct loom_transfer *list = calloc(2 * image->n_blocks + 1, sizeof *list);
	if (!list)
		return loom_fail(err, LOOM_ENOMEM, "no memory to load %zu blocks", image->n_blocks);
	list[0] = (struct loom_transfer){.address = LOOM_REG_CONTROL, .n_words = 1, .write = &reset};
	for (size_t i = 0; i < image->n_blocks; i++) {
		const struct loom_block *b = &image->blocks[i];
		list[i + 1] = (struct loom_transfer){.address = b->address, .n_words = b->n_words, .write = b->words};
	}
	int code = transfer(d, list, image->n_blocks + 1, err);
	if (code == 0)
		code = verify(d, image, list, err);
	free(list);
	return code;
}

// The counters of all channels, WORDS_PER_CHANNEL each, in the order of tile and channel. The caller frees *out.
static int read_monitors(struct loom_device *d, uint32_t **out, struct loom_err *err)
{
	uint32_t n_tiles = d->chip.n_tiles, per_tile = d->chip.n_channels * WORDS_PER_CHANNEL;
	struct loom_transfer *list = calloc(n_tiles, sizeof *list);
	uint32_t *words = calloc((size_t)n_tiles * per_tile, sizeof *words);
	int code = list && words ? 0 : loom_fail(err, LOOM_ENOMEM, "no memory for the counters of %u tiles", n_tiles);
	for (uint32_t tile = 0; code == 0 && tile < n_tiles; tile++)
		list[tile] = (struct loom_transfer){.address = LOOM_WINDOW_COUNTS | tile << INDEX_SHIFT,
		                                    .n_words = per_tile,
		                                    .read = words + (size_t)tile * per_tile};
	if (code == 0)
		code = transfer(d, list, n_tiles, err);
	free(list);
	if (code)
		free(words);
	else
		*out = words;
	return code;
}

int loom_device_waiting(struct loom_device *d, uint32_t *out, size_t max, size_t *n_out, struct loom_err *err)
{
	uint32_t *words;
	size_t found = 0;
	int code = read_monitors(d, &words, err);
	if (code)
		return code;
	for (uint32_t c = 0; c < d->chip.n_tiles * d->chip.n_channels && found < max; c++)
		if (words[(size_t)c * WORDS_PER_CHANNEL + 3])
			out[found++] = c;
	free(words);
	*n_out = found;
	return 0;
}

// "channels 5->7 (dim 1), ..." of a stuck chip, for a person.
static int stuck(struct loom_device *d, uint32_t pass, struct loom_err *err)
{
	uint32_t waiting[4];
	char names[4 * 56] = "";
	size_t n = 0, length = 0;
	int code = loom_device_waiting(d, waiting, 4, &n, err);
	if (code)
		return code;
	for (size_t i = 0; i < n; i++)
		length += (size_t)snprintf(names + length, sizeof names - length, "%s%u.%u", i ? ", " : "",
		                           waiting[i] / d->chip.n_channels, waiting[i] % d->chip.n_channels);
	return loom_fail(err, LOOM_ESTUCK,
	                 "stuck in pass %u: messages are outstanding and no flit moves; headers wait for %s%s", pass,
	                 n ? "channels (tile.channel) " : "no channel", names);
}

// Cycles for which a pass that has run for `cycles` may go on: up to END_CYCLES beyond the limit, because its last tail
// may have come within the limit, and it ends only so long after.
static uint64_t left(uint64_t max_cycles, uint64_t cycles)
{
	uint64_t most = max_cycles < UINT64_MAX - END_CYCLES ? max_cycles + END_CYCLES : UINT64_MAX;
	return cycles < most ? most - cycles : 0;
}

static int run_pass(struct loom_device *d, uint32_t pass, const struct loom_image *image,
                    const struct loom_run_options *options, struct loom_err *err)
{
	unsigned timeout_ms = options->timeout_ms ? options->timeout_ms : 10000;
	uint32_t status[LOOM_REG_CYCLE - LOOM_REG_STATUS + 1]; // STATUS, PASS, CYCLE
	uint64_t cycles = 0;
	uint32_t last_cycle = 0;
	double moved_ms = now_ms(), told_ms = moved_ms;
	const uint32_t start = 1u << LOOM_CONTROL_START_LOW;
	const uint32_t last_pass = image->free_running ? image->n_passes - 1 : pass;
	struct loom_transfer begin[4];
	size_t n = 0;
	if (image->configs)
		begin[n++] = (struct loom_transfer){
			.address = LOOM_REG_CONFIG, .n_words = 1, .write = &image->configs[pass]};
	begin[n++] = (struct loom_transfer){.address = LOOM_REG_FIRST_PASS, .n_words = 1, .write = &pass};
	begin[n++] = (struct loom_transfer){.address = LOOM_REG_LAST_PASS, .n_words = 1, .write = &last_pass};
	begin[n++] = (struct loom_transfer){.address = LOOM_REG_CONTROL, .n_words = 1, .write = &start};
	int code = transfer(d, begin, n, err);
	while (code == 0) {
		uint64_t step = cycles / 4;
		step = step < POLL_CYCLES_MIN ? POLL_CYCLES_MIN : step > POLL_CYCLES_MAX ? POLL_CYCLES_MAX : step;
		if (options->max_cycles && step > left(options->max_cycles, cycles))
			step = left(options->max_cycles, cycles);
		code = d->link->kind->run(d->link, step, err);
		if (code == 0)
			code = get(d, LOOM_REG_STATUS, status, sizeof status / sizeof status[0], err);
		if (code)
			break;
		uint32_t state = FIELD(status[0], STATUS_STATE);
		cycles += status[2] - last_cycle; // the counter may wrap
		if (state == STATE_DONE)
			break;
		if (state == STATE_STUCK)
			return stuck(d, pass, err);
		double ms = now_ms();
		if (status[2] != last_cycle)
			moved_ms = ms;
		last_cycle = status[2];
		if (state != STATE_RUNNING || ms - moved_ms > timeout_ms)
			code = loom_fail(err, LOOM_ETIMEOUT,
			                 "pass %u does not run: the chip is in state %u at cycle %u", pass, state,
			                 last_cycle);
		else if (options->max_cycles && left(options->max_cycles, cycles) == 0)
			code = loom_fail(err, LOOM_ELIMIT, "pass %u is not done after %llu cycles; the limit is %llu",
			                 pass, (unsigned long long)cycles, (unsigned long long)options->max_cycles);
		else if (options->progress && ms - told_ms > 1000) {
			told_ms = ms;
			if (options->progress(options->user, pass, image->n_passes, cycles))
				code = loom_fail(err, LOOM_ETIMEOUT, "given up in pass %u at cycle %llu", pass,
				                 (unsigned long long)cycles);
		}
	}
	if (code)
		return code;
	uint64_t counted = (UINT64_C(1) << d->chip.cycle_bits) - 1;
	if (cycles > counted)
		return loom_fail(
			err, LOOM_EFIT,
			"pass %u took %llu cycles; the board's logs hold cycles up to %llu: send fewer or shorter "
			"messages",
			pass, (unsigned long long)cycles, (unsigned long long)counted);
	if (FIELD(status[0], STATUS_LOG_FULL))
		return loom_fail(err, LOOM_EHARDWARE,
		                 "a node's log overflowed in pass %u: more messages arrived than were sent", pass);
	if (FIELD(status[0], STATUS_STORE_FULL))
		return loom_fail(err, LOOM_EHARDWARE, "a slot of a node's store overflowed in pass %u", pass);
	return 0;
}

static int read_counts(struct loom_device *d, struct loom_count *out, struct loom_err *err)
{
	uint32_t *words, most = (uint32_t)((UINT64_C(1) << d->chip.count_bits) - 1);
	int code = read_monitors(d, &words, err);
	if (code)
		return code;
	for (uint32_t c = 0; code == 0 && c < d->chip.n_tiles * d->chip.n_channels; c++) {
		const uint32_t *w = &words[(size_t)c * WORDS_PER_CHANNEL];
		if (w[0] == most || w[1] == most || w[2] == most)
			code = loom_fail(err, LOOM_EFIT,
			                 "a counter of channel %u.%u stopped at %u, the most that the board holds: "
			                 "send fewer or shorter messages",
			                 c / d->chip.n_channels, c % d->chip.n_channels, most);
		out[c] = (struct loom_count){.worms = w[0], .flits = w[1], .blocked_cycles = w[2]};
	}
	free(words);
	return code;
}

static uint32_t history_of(const struct loom_chip *chip, uint32_t channel)
{
	return LOOM_WINDOW_HISTORY | channel / chip->n_channels << INDEX_SHIFT |
	       channel % chip->n_channels << HISTORY_SHIFT;
}

static int add_run(struct loom_trace *trace, uint32_t channel, const uint32_t words[WORDS_PER_RUN],
                   struct loom_err *err)
{
	uint32_t pass = FIELD(words[0], HISTORY0_PASS);
	if (pass >= trace->n_passes)
		return loom_fail(err, LOOM_EHARDWARE, "channel %u carried a message of pass %u; the plan has %u",
		                 channel, pass, trace->n_passes);
	struct loom_count *count = &trace->counts[(size_t)pass * trace->n_channels + channel];
	count->worms += FIELD(words[0], HISTORY0_WORMS);
	count->flits += FIELD(words[1], HISTORY1_FLITS);
	count->blocked_cycles += FIELD(words[1], HISTORY1_BLOCKED);
	return 0;
}

// What each channel carried in each pass of a free run, from the histories. Blocked cycles are counted in the pass
// whose worms the channel carried last.
static int read_histories(struct loom_device *d, struct loom_trace *trace, struct loom_err *err)
{
	uint32_t n_channels = trace->n_channels, *runs = calloc(n_channels, sizeof *runs), *history = NULL, *at;
	struct loom_transfer *list = calloc(n_channels, sizeof *list);
	size_t n_runs = 0, n = 0;
	int code = runs && list ? 0
	                        : loom_fail(err, LOOM_ENOMEM, "no memory for the histories of %u channels", n_channels);
	for (uint32_t c = 0; code == 0 && c < n_channels; c++)
		list[c] = (struct loom_transfer){
			.address = history_of(&d->chip, c) + HISTORY_COUNT, .n_words = 1, .read = &runs[c]};
	if (code == 0)
		code = transfer(d, list, n_channels, err);
	for (uint32_t c = 0; code == 0 && c < n_channels; c++) {
		n_runs += runs[c];
		if (runs[c] > d->chip.history_runs)
			code = loom_fail(err, LOOM_EHARDWARE,
			                 "the history of channel %u.%u overflowed: its pass changed %u times, %u fit",
			                 c / d->chip.n_channels, c % d->chip.n_channels, runs[c], d->chip.history_runs);
	}
	if (code == 0 && !(history = calloc(n_runs + 1, WORDS_PER_RUN * sizeof *history)))
		code = loom_fail(err, LOOM_ENOMEM, "no memory for the histories of %u channels", n_channels);
	at = history;
	for (uint32_t c = 0; code == 0 && c < n_channels; at += (size_t)runs[c++] * WORDS_PER_RUN)
		if (runs[c])
			list[n++] = (struct loom_transfer){.address = history_of(&d->chip, c),
			                                   .n_words = (size_t)runs[c] * WORDS_PER_RUN,
			                                   .read = at};
	if (code == 0 && n)
		code = transfer(d, list, n, err);
	at = history;
	for (uint32_t c = 0; code == 0 && c < n_channels; c++)
		for (uint32_t r = 0; code == 0 && r < runs[c]; r++, at += WORDS_PER_RUN)
			code = add_run(trace, c, at, err);
	free(history);
	free(list);
	free(runs);
	return code;
}

int loom_device_counts(struct loom_device *d, uint32_t *pass, struct loom_count *out, struct loom_err *err)
{
	int code = get(d, LOOM_REG_PASS, pass, 1, err);
	return code ? code : read_counts(d, out, err);
}

static struct loom_arrival decode(const struct loom_chip *chip, uint32_t node, const uint32_t words[WORDS_PER_ARRIVAL])
{
	// Header, from bit 0: destination, source, rule, keep (2 bits), number (rtl/node/node_sender.sv).
	uint32_t header = FIELD(words[0], LOG0_HEADER);
	unsigned label = chip->label_bits, number_low = 2 * label + 3;
	unsigned top = chip->flit_bits < 32 ? chip->flit_bits : 32;
	return (struct loom_arrival){
		.node = node,
		.destination = field(header, 0, label),
		.source = field(header, label, label),
		.number = number_low < top ? field(header, number_low, top - number_low) : 0,
		.pass = FIELD(words[1], LOG1_PASS),
		.logged_pass = FIELD(words[1], LOG1_PASS),
		.flits = FIELD(words[1], LOG1_FLITS),
		.intact = FIELD(words[1], LOG1_INTACT),
		.first_cycle = words[2],
		.last_cycle = words[3],
	};
}

// What every node received and counts: first how much of it there is, then all of it.
static int read_nodes(struct loom_device *d, struct loom_trace *trace, struct loom_err *err)
{
	enum { LOGGED, SENT, STATUS, CORRUPT, N_COUNTS };
	uint32_t n_nodes = d->chip.n_nodes, *words = NULL;
	struct loom_transfer *list = calloc(2 * (size_t)n_nodes, sizeof *list);
	uint32_t(*counts)[N_COUNTS] = calloc(n_nodes, sizeof *counts);
	const uint32_t *signatures;
	size_t n = 0, n_all, n_lists = 0;
	int code = list && counts ? 0 : loom_fail(err, LOOM_ENOMEM, "no memory for the counts of %u nodes", n_nodes);
	for (uint32_t v = 0; code == 0 && v < n_nodes; v++)
		list[v] = (struct loom_transfer){
			.address = LOOM_WINDOW_LOG_COUNT | v << INDEX_SHIFT, .n_words = N_COUNTS, .read = counts[v]};
	if (code == 0)
		code = transfer(d, list, n_nodes, err);
	for (uint32_t v = 0; code == 0 && v < n_nodes; v++) {
		if (counts[v][LOGGED] > d->chip.log_depth)
			counts[v][LOGGED] = d->chip.log_depth;
		n += counts[v][LOGGED];
		trace->sent[v] = counts[v][SENT];
		trace->corrupt[v] = counts[v][CORRUPT];
	}
	if (code == 0 && n) {
		words = calloc(n * (WORDS_PER_ARRIVAL + 1), sizeof *words); // all of the logs, then all signatures
		trace->arrivals = calloc(n, sizeof *trace->arrivals);
		if (!words || !trace->arrivals)
			code = loom_fail(err, LOOM_ENOMEM, "no memory for %zu arrivals", n);
	}
	n_all = n;
	n = 0;
	for (uint32_t v = 0; code == 0 && v < n_nodes; v++) {
		uint32_t logged = counts[v][LOGGED];
		if (logged)
			list[n_lists++] = (struct loom_transfer){.address = LOOM_WINDOW_LOG | v << INDEX_SHIFT,
			                                         .n_words = (size_t)logged * WORDS_PER_ARRIVAL,
			                                         .read = words + n * WORDS_PER_ARRIVAL};
		if (logged && d->chip.signature_bits)
			list[n_lists++] = (struct loom_transfer){.address = LOOM_WINDOW_SIGNATURE | v << INDEX_SHIFT,
			                                         .n_words = logged,
			                                         .read = words + n_all * WORDS_PER_ARRIVAL + n};
		n += logged;
	}
	if (n_lists)
		code = transfer(d, list, n_lists, err);
	signatures = words + n_all * WORDS_PER_ARRIVAL;
	for (uint32_t v = 0; code == 0 && v < n_nodes; v++) {
		for (uint32_t i = 0; i < counts[v][LOGGED]; i++, trace->n_arrivals++) {
			struct loom_arrival *a = &trace->arrivals[trace->n_arrivals];
			*a = decode(&d->chip, v, words + trace->n_arrivals * WORDS_PER_ARRIVAL);
			a->signature = signatures[trace->n_arrivals];
		}
	}
	free(words);
	free(counts);
	free(list);
	return code;
}

// The host looks at a pass only now and then; the exact cycles are those logged with the tails.
static int check_limit(const struct loom_trace *t, uint64_t max_cycles, struct loom_err *err)
{
	for (size_t i = 0; i < t->n_arrivals; i++)
		if (t->arrivals[i].last_cycle > max_cycles)
			return loom_fail(err, LOOM_ELIMIT,
			                 "pass %u: a tail arrived at node %u in cycle %u; the limit is %llu",
			                 t->arrivals[i].pass, t->arrivals[i].node, t->arrivals[i].last_cycle,
			                 (unsigned long long)max_cycles);
	return 0;
}

// What the nodes brought; in a free run a message's number is its pass, one message a pass (image.h).
static int read_logs(struct loom_device *d, const struct loom_image *image, struct loom_trace *t, struct loom_err *err)
{
	t->payload = (struct loom_payload){.seed = image->seed,
	                                   .flit_bits = d->chip.flit_bits,
	                                   .label_bits = d->chip.label_bits,
	                                   .state_bits = d->chip.payload_bits,
	                                   .signature_bits = d->chip.signature_bits};
	int code = read_nodes(d, t, err);
	for (size_t i = 0; code == 0 && image->free_running && i < t->n_arrivals; i++)
		t->arrivals[i].pass = t->arrivals[i].number;
	return code;
}

int loom_device_logs(struct loom_device *d, const struct loom_image *image, uint32_t *pass, struct loom_trace *out,
                     struct loom_err *err)
{
	struct loom_trace t = {.n_nodes = d->chip.n_nodes, .n_passes = image->n_passes};
	t.sent = calloc(t.n_nodes, sizeof *t.sent);
	t.corrupt = calloc(t.n_nodes, sizeof *t.corrupt);
	int code = t.sent && t.corrupt ? get(d, LOOM_REG_PASS, pass, 1, err)
	                               : loom_fail(err, LOOM_ENOMEM, "no memory for the logs of %u nodes", t.n_nodes);
	if (code == 0)
		code = read_logs(d, image, &t, err);
	if (code) {
		loom_trace_free(&t);
		return code;
	}
	*out = t;
	return 0;
}

int loom_device_run(struct loom_device *d, const struct loom_image *image, const struct loom_run_options *options,
                    struct loom_trace *out, struct loom_err *err)
{
	static const struct loom_run_options defaults = {0};
	uint32_t n_channels = d->chip.n_tiles * d->chip.n_channels;
	struct loom_trace t = {.n_nodes = d->chip.n_nodes, .n_channels = n_channels, .n_passes = image->n_passes};
	int code = 0;
	t.counts = calloc((size_t)image->n_passes * n_channels + 1, sizeof *t.counts);
	t.sent = calloc(t.n_nodes, sizeof *t.sent);
	t.corrupt = calloc(t.n_nodes, sizeof *t.corrupt);
	if (!t.counts || !t.sent || !t.corrupt)
		code = loom_fail(err, LOOM_ENOMEM, "no memory for the trace of %u passes", image->n_passes);
	uint32_t n_starts = image->free_running ? 1 : image->n_passes;
	for (uint32_t pass = 0; code == 0 && pass < n_starts; pass++) {
		code = run_pass(d, pass, image, options ? options : &defaults, err);
		if (code == 0)
			code = image->free_running ? read_histories(d, &t, err)
			                           : read_counts(d, t.counts + (size_t)pass * n_channels, err);
	}
	if (code == 0)
		code = read_logs(d, image, &t, err);
	if (code == 0 && options && options->max_cycles)
		code = check_limit(&t, options->max_cycles, err);
	if (code) {
		loom_trace_free(&t);
		return code;
	}
	*out = t;
	return 0;
}
