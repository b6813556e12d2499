// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Running a loaded image, pass by pass.
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

// Says which channels of a stuck chip headers wait for, as "5.1, 7.0": tile and channel.
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

// Before pass `pass` is over, so many of them are.
static int tell_run(struct loom_device *d, const struct loom_image *image, uint32_t pass, uint64_t cycles,
                    struct loom_err *err)
{
	const struct loom_progress progress = {
		.stage = LOOM_STAGE_RUN, .done = pass, .total = image->n_passes, .cycle = cycles};
	return loom_device_tell(d, &progress, err);
}

static int run_pass(struct loom_device *d, uint32_t pass, const struct loom_image *image,
                    const struct loom_run_options *options, struct loom_err *err)
{
	unsigned timeout_ms = options->timeout_ms ? options->timeout_ms : 10000;
	uint32_t status[LOOM_REG_CYCLE - LOOM_REG_STATUS + 1]; // STATUS, PASS, CYCLE
	uint64_t cycles = 0;
	uint32_t last_cycle = 0;
	double moved_ms = now_ms();
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
	int code = loom_device_transfer(d, begin, n, err);
	while (code == 0) {
		uint64_t step = cycles / 4;
		step = step < POLL_CYCLES_MIN ? POLL_CYCLES_MIN : step > POLL_CYCLES_MAX ? POLL_CYCLES_MAX : step;
		if (options->max_cycles && step > left(options->max_cycles, cycles))
			step = left(options->max_cycles, cycles);
		code = d->link->kind->run(d->link, step, err);
		if (code == 0)
			code = loom_device_get(d, LOOM_REG_STATUS, status, sizeof status / sizeof status[0], err);
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
		else
			code = tell_run(d, image, pass, cycles, err);
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
		code = tell_run(d, image, pass, 0, err);
		if (code == 0)
			code = run_pass(d, pass, image, options ? options : &defaults, err);
		if (code == 0)
			code = image->free_running
			               ? loom_device_read_histories(d, &t, err)
			               : loom_device_read_counts(d, t.counts + (size_t)pass * n_channels, err);
	}
	if (code == 0)
		code = loom_device_read_logs(d, image, &t, err);
	if (code == 0 && options && options->max_cycles)
		code = check_limit(&t, options->max_cycles, err);
	if (code) {
		loom_trace_free(&t);
		return code;
	}
	*out = t;
	return 0;
}
