// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "device.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "regmap.h"
#include "topo.h"

#define MAGIC 0x4d4f4f4cu
#define IO_TIMEOUT_MS 2000u
#define INDEX_SHIFT 16
#define POLL_CYCLES_MIN 64u
#define POLL_CYCLES_MAX 4096u
#define WORDS_PER_CHANNEL 4u
#define WORDS_PER_ARRIVAL 4u

enum state { STATE_IDLE, STATE_RUNNING, STATE_DONE, STATE_STUCK };

struct loom_device {
	struct loom_link *link; // the caller's
	struct loom_chip chip;
};

static int get(struct loom_device *d, uint32_t address, uint32_t *out, size_t n_words, struct loom_err *err)
{
	return d->link->kind->read(d->link, address, out, n_words, IO_TIMEOUT_MS, err);
}

static int put(struct loom_device *d, uint32_t address, uint32_t word, struct loom_err *err)
{
	return d->link->kind->write(d->link, address, &word, 1, IO_TIMEOUT_MS, err);
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
	uint32_t r[LOOM_REG_PASS_BITS + 1];
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
	};
	const struct loom_chip *c = &d->chip;
	if (c->n_nodes == 0 || c->n_nodes > 0xfff || c->n_tiles == 0 || c->n_tiles > 0xfff || c->n_channels == 0 ||
	    c->n_channels > 64 || c->label_bits == 0 || c->label_bits > 16 || c->flit_bits < 2 * c->label_bits + 4 ||
	    c->flit_bits > 64 || c->length_bits == 0 || c->length_bits > 16 || c->count_bits == 0 ||
	    c->count_bits > 32 || c->cycle_bits < 8 || c->cycle_bits > 32 || c->pass_bits == 0 || c->pass_bits > 16 ||
	    c->store_slots > 3 || c->program_depth > 4096 || c->log_depth > 8192) {
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

int loom_device_load(struct loom_device *d, const struct loom_image *image, struct loom_err *err)
{
	const struct loom_link_kind *link = d->link->kind;
	uint32_t longest = 0;
	int code = put(d, LOOM_REG_CONTROL, 1u << LOOM_CONTROL_RESET_LOW, err);
	for (size_t i = 0; code == 0 && i < image->n_blocks; i++) {
		const struct loom_block *b = &image->blocks[i];
		code = link->write(d->link, b->address, b->words, b->n_words, IO_TIMEOUT_MS, err);
		if (b->n_words > longest)
			longest = b->n_words;
	}
	if (code)
		return code;
	uint32_t *back = calloc(longest ? longest : 1, sizeof *back);
	if (!back)
		return loom_fail(err, LOOM_ENOMEM, "no memory to read %u words back", longest);
	for (size_t i = 0; code == 0 && i < image->n_blocks; i++) {
		const struct loom_block *b = &image->blocks[i];
		if (!b->read_back)
			continue;
		code = get(d, b->address, back, b->n_words, err);
		for (uint32_t k = 0; code == 0 && k < b->n_words; k++)
			if (back[k] != b->words[k])
				code = loom_fail(err, LOOM_EHARDWARE,
				                 "address 0x%08x was written 0x%08x and reads 0x%08x", b->address + k,
				                 b->words[k], back[k]);
	}
	free(back);
	return code;
}

int loom_device_waiting(struct loom_device *d, uint32_t *out, size_t max, size_t *n_out, struct loom_err *err)
{
	uint32_t words[64 * WORDS_PER_CHANNEL], n = d->chip.n_channels;
	size_t found = 0;
	for (uint32_t tile = 0; tile < d->chip.n_tiles && found < max; tile++) {
		int code = get(d, LOOM_WINDOW_COUNTS | tile << INDEX_SHIFT, words, n * WORDS_PER_CHANNEL, err);
		if (code)
			return code;
		for (uint32_t c = 0; c < n && found < max; c++)
			if (words[c * WORDS_PER_CHANNEL + 3])
				out[found++] = tile * n + c;
	}
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
	return loom_fail(err, LOOM_EHARDWARE,
	                 "stuck in pass %u: messages are outstanding and no flit moves; headers wait for %s%s", pass,
	                 n ? "channels (tile.channel) " : "no channel", names);
}

static int run_pass(struct loom_device *d, uint32_t pass, const struct loom_image *image,
                    const struct loom_run_options *options, struct loom_err *err)
{
	unsigned timeout_ms = options->timeout_ms ? options->timeout_ms : 10000;
	uint32_t status[LOOM_REG_CYCLE - LOOM_REG_STATUS + 1]; // STATUS, PASS, CYCLE
	uint64_t cycles = 0;
	uint32_t last_cycle = 0;
	double moved_ms = now_ms(), told_ms = moved_ms;
	int code = put(d, LOOM_REG_FIRST_PASS, pass, err);
	if (code == 0)
		code = put(d, LOOM_REG_LAST_PASS, pass, err);
	if (code == 0)
		code = put(d, LOOM_REG_CONTROL, 1u << LOOM_CONTROL_START_LOW, err);
	while (code == 0) {
		uint64_t step = cycles / 4;
		step = step < POLL_CYCLES_MIN ? POLL_CYCLES_MIN : step > POLL_CYCLES_MAX ? POLL_CYCLES_MAX : step;
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
		else if (options->max_cycles && cycles > options->max_cycles)
			code = loom_fail(err, LOOM_ETIMEOUT, "pass %u is not done after %llu cycles; the limit is %llu",
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
	uint32_t words[64 * WORDS_PER_CHANNEL], n = d->chip.n_channels;
	uint32_t most = (uint32_t)((UINT64_C(1) << d->chip.count_bits) - 1);
	for (uint32_t tile = 0; tile < d->chip.n_tiles; tile++) {
		int code = get(d, LOOM_WINDOW_COUNTS | tile << INDEX_SHIFT, words, n * WORDS_PER_CHANNEL, err);
		if (code)
			return code;
		for (uint32_t c = 0; c < n; c++) {
			const uint32_t *w = &words[c * WORDS_PER_CHANNEL];
			if (w[0] == most || w[1] == most || w[2] == most)
				return loom_fail(err, LOOM_EFIT,
				                 "a counter of channel %u.%u stopped at %u, the most that the board "
				                 "holds: send fewer "
				                 "or shorter messages",
				                 tile, c, most);
			out[tile * n + c] = (struct loom_count){.worms = w[0], .flits = w[1], .blocked_cycles = w[2]};
		}
	}
	return 0;
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
		.flits = FIELD(words[1], LOG1_FLITS),
		.intact = FIELD(words[1], LOG1_INTACT),
		.first_cycle = words[2],
		.last_cycle = words[3],
	};
}

// Appends what node received and counts; *capacity of trace->arrivals grows as needed.
static int read_node(struct loom_device *d, uint32_t node, struct loom_trace *trace, size_t *capacity,
                     struct loom_err *err)
{
	uint32_t counts[4]; // LOG_COUNT, SENT_COUNT, NODE_STATUS, CORRUPT_COUNT
	int code = get(d, LOOM_WINDOW_LOG_COUNT | node << INDEX_SHIFT, counts, 4, err);
	if (code)
		return code;
	uint32_t n = counts[0] < d->chip.log_depth ? counts[0] : d->chip.log_depth;
	trace->sent[node] = counts[1];
	trace->corrupt_flits += counts[3];
	if (trace->n_arrivals + n > *capacity) {
		size_t wanted = 2 * (trace->n_arrivals + n);
		struct loom_arrival *more = realloc(trace->arrivals, wanted * sizeof *more);
		if (!more)
			return loom_fail(err, LOOM_ENOMEM, "no memory for %zu arrivals", wanted);
		trace->arrivals = more;
		*capacity = wanted;
	}
	uint32_t *words = calloc(n ? n * WORDS_PER_ARRIVAL : 1, sizeof *words);
	if (!words)
		return loom_fail(err, LOOM_ENOMEM, "no memory for the log of node %u", node);
	if (n)
		code = get(d, LOOM_WINDOW_LOG | node << INDEX_SHIFT, words, n * WORDS_PER_ARRIVAL, err);
	for (uint32_t i = 0; code == 0 && i < n; i++)
		trace->arrivals[trace->n_arrivals++] = decode(&d->chip, node, words + i * WORDS_PER_ARRIVAL);
	free(words);
	return code;
}

int loom_device_run(struct loom_device *d, const struct loom_image *image, const struct loom_run_options *options,
                    struct loom_trace *out, struct loom_err *err)
{
	static const struct loom_run_options defaults = {0};
	uint32_t n_channels = d->chip.n_tiles * d->chip.n_channels;
	struct loom_trace t = {.n_nodes = d->chip.n_nodes, .n_channels = n_channels, .n_passes = image->n_passes};
	size_t capacity = 0;
	int code = 0;
	t.counts = calloc((size_t)image->n_passes * n_channels + 1, sizeof *t.counts);
	t.sent = calloc(t.n_nodes, sizeof *t.sent);
	if (!t.counts || !t.sent)
		code = loom_fail(err, LOOM_ENOMEM, "no memory for the trace of %u passes", image->n_passes);
	for (uint32_t pass = 0; code == 0 && pass < image->n_passes; pass++) {
		code = run_pass(d, pass, image, options ? options : &defaults, err);
		if (code == 0)
			code = read_counts(d, t.counts + (size_t)pass * n_channels, err);
	}
	for (uint32_t node = 0; code == 0 && node < t.n_nodes; node++)
		code = read_node(d, node, &t, &capacity, err);
	if (code) {
		loom_trace_free(&t);
		return code;
	}
	*out = t;
	return 0;
}
