// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Running a loaded image: pass by pass, then all passes from one start.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <flitloom/regmap.h>

#include "device/device_internal.h"

#define POLL_CYCLES_MIN 64u
#define POLL_CYCLES_MAX 4096u
#define END_CYCLES 64u // a pass is over within so many cycles of its last tail: rtl/chip/pass_sequencer.sv, SETTLE

enum state { STATE_IDLE, STATE_RUNNING, STATE_DONE, STATE_STUCK };

static double now_ms(void)
{
	struct timespec t;
	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

// Passes from one start.
struct run {
	const struct loom_image *image;
	const struct loom_run_options *options;
	uint32_t first, last;
	bool back_to_back;
	const char *name; // of what failed: after "pass 3"
};

// Says which channels of a stuck chip headers wait for, as "5.1, 7.0": tile and channel.
static int stuck(struct loom_device *d, const struct run *run, uint32_t pass, struct loom_err *err)
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
	                 "stuck in pass %u%s: messages are outstanding and no flit moves; headers wait for %s%s", pass,
	                 run->name, n ? "channels (tile.channel) " : "no channel", names);
}

// Cycles for which a run that has gone on for `cycles` may go on. Each of its passes has up to END_CYCLES beyond the
// limit, because its last tail may have come within the limit, and it ends only so long after.
static uint64_t left(const struct run *run, uint64_t cycles)
{
	uint64_t most = run->options->max_cycles, n = run->back_to_back ? run->image->n_passes : 1;
	most = most < UINT64_MAX - END_CYCLES ? most + END_CYCLES : UINT64_MAX;
	most = most < UINT64_MAX / n ? most * n : UINT64_MAX;
	return cycles < most ? most - cycles : 0;
}

// Before pass `pass` is over, so many of them are.
static int tell_run(struct loom_device *d, const struct run *run, uint32_t pass, uint64_t cycles, struct loom_err *err)
{
	const struct loom_progress progress = {.stage = LOOM_STAGE_RUN,
	                                       .done = pass,
	                                       .total = run->image->n_passes,
	                                       .cycle = cycles,
	                                       .back_to_back = run->back_to_back};
	return loom_device_tell(d, &progress, err);
}

static int begin(struct loom_device *d, const struct run *run, struct loom_err *err)
{
	static const uint32_t start = 1u << LOOM_CONTROL_START_LOW;
	const struct loom_image *image = run->image;
	struct loom_transfer list[4];
	size_t n = 0;
	if (image->configs)
		list[n++] = (struct loom_transfer){
			.address = LOOM_REG_CONFIG, .n_words = 1, .write = &image->configs[run->first]};
	list[n++] = (struct loom_transfer){.address = LOOM_REG_FIRST_PASS, .n_words = 1, .write = &run->first};
	list[n++] = (struct loom_transfer){.address = LOOM_REG_LAST_PASS, .n_words = 1, .write = &run->last};
	list[n++] = (struct loom_transfer){.address = LOOM_REG_CONTROL, .n_words = 1, .write = &start};
	return loom_device_transfer(d, list, n, err);
}

// What the chip says of a run that is over.
static int check_end(const struct loom_device *d, const struct run *run, uint32_t status, uint32_t pass,
                     uint64_t cycles, struct loom_err *err)
{
	uint64_t counted = (UINT64_C(1) << d->chip.cycle_bits) - 1;
	if (!run->back_to_back && cycles > counted)
		return loom_fail(
			err, LOOM_EFIT,
			"pass %u took %llu cycles; the board's logs hold cycles up to %llu: send fewer or shorter "
			"messages",
			pass, (unsigned long long)cycles, (unsigned long long)counted);
	if (FIELD(status, STATUS_LOG_FULL))
		return loom_fail(err, LOOM_EHARDWARE,
		                 "a node's log overflowed in pass %u%s: more messages arrived than were sent", pass,
		                 run->name);
	if (FIELD(status, STATUS_STORE_FULL))
		return loom_fail(err, LOOM_EHARDWARE, "a slot of a node's store overflowed in pass %u%s", pass,
		                 run->name);
	return 0;
}

// Starts a run and waits for its end. *began: so many cycles after the start its last pass began.
static int run_passes(struct loom_device *d, const struct run *run, uint64_t *began, struct loom_err *err)
{
	enum { STATUS, PASS, CYCLE, SINCE_START, N_WORDS };
	const struct loom_run_options *options = run->options;
	unsigned timeout_ms = options->timeout_ms ? options->timeout_ms : 10000;
	uint32_t status[N_WORDS], pass = run->first, last_cycle = 0;
	uint64_t cycles = 0; // of the one pass, or of them all
	double moved_ms = now_ms();
	int code = begin(d, run, err);
	while (code == 0) {
		uint64_t step = cycles / 4;
		step = step < POLL_CYCLES_MIN ? POLL_CYCLES_MIN : step > POLL_CYCLES_MAX ? POLL_CYCLES_MAX : step;
		if (options->max_cycles && step > left(run, cycles))
			step = left(run, cycles);
		code = d->link->kind->run(d->link, step, err);
		if (code == 0)
			code = loom_device_get(d, LOOM_REG_STATUS, status, N_WORDS, err);
		if (code)
			break;
		uint32_t state = FIELD(status[STATUS], STATUS_STATE);
		uint32_t cycle = run->back_to_back ? status[SINCE_START] : status[CYCLE];
		if (run->back_to_back)
			pass = status[PASS];
		cycles += cycle - last_cycle; // the counter may wrap
		if (state == STATE_DONE)
			break;
		if (state == STATE_STUCK)
			return stuck(d, run, pass, err);
		double ms = now_ms();
		if (cycle != last_cycle)
			moved_ms = ms;
		last_cycle = cycle;
		if (state != STATE_RUNNING || ms - moved_ms > timeout_ms)
			code = loom_fail(err, LOOM_ETIMEOUT,
			                 "pass %u%s does not run: the chip is in state %u at cycle %u", pass, run->name,
			                 state, last_cycle);
		else if (options->max_cycles && left(run, cycles) == 0)
			code = loom_fail(err, LOOM_ELIMIT, "pass %u%s is not done after %llu cycles; the limit is %llu",
			                 pass, run->name, (unsigned long long)cycles,
			                 (unsigned long long)options->max_cycles);
		else
			code = tell_run(d, run, pass, cycles, err);
	}
	if (code)
		return code;
	*began = cycles - status[CYCLE];
	return check_end(d, run, status[STATUS], pass, cycles, err);
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

// A trace with room for the counts of n_passes passes.
static int make_trace(struct loom_trace *out, const struct loom_device *d, const struct loom_image *image,
                      uint32_t n_passes, struct loom_err *err)
{
	struct loom_trace t = {.n_nodes = d->chip.n_nodes,
	                       .n_channels = d->chip.n_tiles * d->chip.n_channels,
	                       .n_passes = image->n_passes};
	t.counts = calloc((size_t)n_passes * t.n_channels + 1, sizeof *t.counts);
	t.sent = calloc(t.n_nodes, sizeof *t.sent);
	t.corrupt = calloc(t.n_nodes, sizeof *t.corrupt);
	*out = t;
	return t.counts && t.sent && t.corrupt
	               ? 0
	               : loom_fail(err, LOOM_ENOMEM, "no memory for the trace of %u passes", image->n_passes);
}

// Each pass, or the free run, by a start of its own, and what its channels carried.
static int run_one_by_one(struct loom_device *d, struct loom_trace *t, const struct loom_image *image,
                          const struct loom_run_options *options, struct loom_err *err)
{
	uint32_t n_starts = image->free_running ? 1 : image->n_passes;
	int code = 0;
	for (uint32_t pass = 0; code == 0 && pass < n_starts; pass++) {
		const struct run run = {.image = image,
		                        .options = options,
		                        .first = pass,
		                        .last = image->free_running ? image->n_passes - 1 : pass,
		                        .name = ""};
		uint64_t began;
		code = tell_run(d, &run, pass, 0, err);
		if (code == 0)
			code = run_passes(d, &run, &began, err);
		if (code == 0)
			code = image->free_running
			               ? loom_device_read_histories(d, t, err)
			               : loom_device_read_counts(d, t->counts + (size_t)pass * t->n_channels, err);
	}
	return code;
}

// Not a program or a table.
static bool is_register(const struct loom_block *block)
{
	uint32_t space = block->address & 0xf0000000u, offset = block->address & 0xffffu;
	return space == LOOM_SPACE_GLOBAL || (space == LOOM_SPACE_NODE && offset < (LOOM_WINDOW_PROGRAM & 0xffffu));
}

// As after loading: logs and counters empty. A reset leaves programs and tables, but not how long the programs are. The
// global registers are written first, as by any load: a node does not hear what comes right after a reset.
static int reset(struct loom_device *d, const struct loom_image *image, struct loom_err *err)
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

static int run_back_to_back(struct loom_device *d, struct loom_trace *t, const struct loom_image *image,
                            const struct loom_run_options *options, struct loom_err *err)
{
	const struct run run = {.image = image,
	                        .options = options,
	                        .last = image->n_passes - 1,
	                        .back_to_back = true,
	                        .name = " of the run back to back"};
	int code = make_trace(t, d, image, 1, err);
	if (code == 0)
		code = reset(d, image, err);
	if (code == 0)
		code = tell_run(d, &run, 0, 0, err);
	if (code == 0)
		code = run_passes(d, &run, &t->began, err);
	if (code == 0)
		code = loom_device_read_counts(d, t->counts, err);
	if (code == 0)
		code = loom_device_read_logs(d, image, t, err);
	if (code == 0 && options->max_cycles)
		code = check_limit(t, options->max_cycles, err);
	return code;
}

int loom_device_run(struct loom_device *d, const struct loom_image *image, const struct loom_run_options *options,
                    struct loom_trace *out, struct loom_err *err)
{
	static const struct loom_run_options defaults = {0};
	if (image->n_passes == 0 || image->n_nodes != d->chip.n_nodes)
		return loom_fail(
			err, LOOM_EINPUT,
			"an image of %u passes for %u nodes: one that loom_image_make made for this chip has at "
			"least one pass and %u nodes",
			image->n_passes, image->n_nodes, d->chip.n_nodes);
	struct loom_trace t;
	options = options ? options : &defaults;
	int code = make_trace(&t, d, image, image->n_passes, err);
	if (code == 0)
		code = run_one_by_one(d, &t, image, options, err);
	if (code == 0)
		code = loom_device_read_logs(d, image, &t, err);
	if (code == 0 && options->max_cycles)
		code = check_limit(&t, options->max_cycles, err);
	// What is written between two passes only the host can write.
	if (code == 0 && options->back_to_back && image->n_passes > 1 && !image->free_running && !image->configs) {
		t.back_to_back = calloc(1, sizeof *t.back_to_back);
		code = t.back_to_back ? run_back_to_back(d, t.back_to_back, image, options, err)
		                      : loom_fail(err, LOOM_ENOMEM, "no memory for a trace");
	}
	if (code) {
		loom_trace_free(&t);
		return code;
	}
	*out = t;
	return 0;
}
