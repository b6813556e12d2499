// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs a loaded image: all passes from one start, and also pass by pass unless histories record the loads of each pass.
#include <stdio.h>
#include <stdlib.h>

#include <flitloom/link/regmap.h>

#include "base/clock.h"
#include "chip/image_fit.h"
#include "device/device_internal.h"

#define POLL_CYCLES_MIN 64u
#define POLL_CYCLES_MAX 4096u
#define END_CYCLES 64u // from a pass's last tail to its end, at most: rtl/chip/pass_sequencer.sv, SETTLE

enum state { STATE_IDLE, STATE_RUNNING, STATE_DONE, STATE_STUCK };

// The passes of a run from one start.
struct run {
	const struct loom_image *image;
	const struct loom_run_options *options;
	uint32_t first, last;
	bool back_to_back;
	const char *name; // words for the run that failed, to stand after "pass 3"
};

// The progress of a run.
struct reach {
	uint32_t pass;               // the present pass
	uint64_t cycles, in_pass;    // since the start; since the beginning of the pass, or of the free run
	uint32_t last, last_in_pass; // the last values of the chip's counters, which wrap round
};

// Lists the nodes that wait for messages, and these messages. Leaves `out` unchanged if there are none.
static int name_programs(char *out, size_t size, struct loom_device *d, struct loom_err *err)
{
	struct loom_waiting_program waiting[4];
	size_t n = 0, length = 0;
	int code = loom_device_waiting_programs(d, waiting, 4, &n, err);
	if (code)
		return code;
	for (size_t i = 0; i < n && i < 4; i++)
		length += (size_t)snprintf(out + length, size - length,
		                           "%snode %u waits for message %u from processor %u", i ? ", " : "; ",
		                           waiting[i].node, waiting[i].count, waiting[i].source);
	if (n > 4)
		(void)snprintf(out + length, size - length, ", and %zu more nodes wait", n - 4);
	return 0;
}

// Reports the channels of a stuck chip on which headers wait, as "5.1, 7.0": tile and channel.
static int stuck(struct loom_device *d, const struct run *run, uint32_t pass, struct loom_err *err)
{
	uint32_t waiting[4];
	char names[4 * 56] = "", programs[4 * 80 + 40] = "";
	size_t n = 0, length = 0;
	int code = loom_device_waiting(d, waiting, 4, &n, err);
	if (code == 0)
		code = name_programs(programs, sizeof programs, d, err);
	if (code)
		return code;
	for (size_t i = 0; i < n; i++)
		length += (size_t)snprintf(names + length, sizeof names - length, "%s%u.%u", i ? ", " : "",
		                           waiting[i] / d->chip.n_channels, waiting[i] % d->chip.n_channels);
	return loom_fail(err, LOOM_ESTUCK,
	                 "stuck in pass %u%s: messages are outstanding and no flit moves; headers wait for %s%s%s",
	                 pass, run->name, n ? "channels (tile.channel) " : "no channel", names, programs);
}

// Returns the cycles for which a pass may still run after `cycles`. The limit is extended by END_CYCLES, because the
// last tail may arrive just within it, and the pass ends only that much later.
static uint64_t left(const struct run *run, uint64_t cycles)
{
	uint64_t most = run->options->max_cycles;
	most = most < UINT64_MAX - END_CYCLES ? most + END_CYCLES : UINT64_MAX;
	return cycles < most ? most - cycles : 0;
}

// Returns the largest cycle that logs can hold.
static uint64_t longest(const struct loom_device *d)
{
	return (UINT64_C(1) << d->chip.cycle_bits) - 1;
}

// Reports progress during pass `pass`: the passes before it are done.
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

// Checks the chip's statement about a run that is over.
static int check_end(const struct loom_device *d, const struct run *run, uint32_t status, const struct reach *reach,
                     struct loom_err *err)
{
	if (!run->back_to_back && reach->in_pass > longest(d))
		return loom_fail(
			err, LOOM_EFIT,
			"pass %u took %llu cycles; the chip's logs hold cycles up to %llu: send fewer or shorter "
			"messages",
			reach->pass, (unsigned long long)reach->in_pass, (unsigned long long)longest(d));
	if (FIELD(status, STATUS_LOG_FULL))
		return loom_fail(err, LOOM_EHARDWARE,
		                 "a node's log overflowed in pass %u%s: more messages arrived than were sent",
		                 reach->pass, run->name);
	if (FIELD(status, STATUS_STORE_FULL))
		return loom_fail(err, LOOM_EHARDWARE, "a slot of a node's store overflowed in pass %u%s", reach->pass,
		                 run->name);
	return 0;
}

// Another pass may begin while the registers are read. PASS is read before and after CYCLE to notice that.
enum { STATUS, PASS, CYCLE, SINCE_START, PASS_AFTER, N_WORDS };

static int look(struct loom_device *d, uint32_t words[N_WORDS], struct loom_err *err)
{
	const struct loom_transfer list[] = {{.address = LOOM_REG_STATUS, .n_words = PASS_AFTER, .read = words},
	                                     {.address = LOOM_REG_PASS, .n_words = 1, .read = &words[PASS_AFTER]}};
	return loom_device_transfer(d, list, 2, err);
}

static void move_on(struct reach *r, const struct run *run, const uint32_t words[N_WORDS])
{
	uint32_t since = run->back_to_back ? words[SINCE_START] : words[CYCLE];
	r->cycles += since - r->last;
	r->last = since;
	if (run->back_to_back && (words[PASS] != r->pass || words[PASS_AFTER] != r->pass)) {
		r->pass = words[PASS_AFTER];
		r->in_pass = r->last_in_pass = 0;
	}
	if (words[PASS] == words[PASS_AFTER]) {
		r->in_pass += words[CYCLE] - r->last_in_pass;
		r->last_in_pass = words[CYCLE];
	}
}

// Starts a run and waits for its end, which *out describes.
static int run_passes(struct loom_device *d, const struct run *run, struct reach *out, struct loom_err *err)
{
	const struct loom_run_options *options = run->options;
	unsigned timeout_ms = options->timeout_ms ? options->timeout_ms : 10000;
	uint32_t words[N_WORDS];
	struct reach reach = {.pass = run->first};
	double moved_ms = loom_clock_ms();
	int code = begin(d, run, err);
	while (code == 0) {
		uint64_t step = reach.cycles / 4, before = reach.cycles;
		step = step < POLL_CYCLES_MIN ? POLL_CYCLES_MIN : step > POLL_CYCLES_MAX ? POLL_CYCLES_MAX : step;
		if (options->max_cycles && step > left(run, reach.in_pass))
			step = left(run, reach.in_pass);
		code = d->link->kind->run(d->link, step, err);
		if (code == 0)
			code = look(d, words, err);
		if (code)
			break;
		move_on(&reach, run, words);
		uint32_t state = FIELD(words[STATUS], STATUS_STATE);
		if (state == STATE_DONE)
			break;
		if (state == STATE_STUCK)
			return stuck(d, run, reach.pass, err);
		double ms = loom_clock_ms();
		if (reach.cycles != before)
			moved_ms = ms;
		if (state != STATE_RUNNING || ms - moved_ms > timeout_ms)
			code = loom_fail(err, LOOM_ETIMEOUT,
			                 "pass %u%s does not run: the chip is in state %u at cycle %u", reach.pass,
			                 run->name, state, words[CYCLE]);
		else if (options->max_cycles && left(run, reach.in_pass) == 0)
			code = loom_fail(err, LOOM_ELIMIT, "pass %u%s is not done after %llu cycles; the limit is %llu",
			                 reach.pass, run->name, (unsigned long long)reach.in_pass,
			                 (unsigned long long)options->max_cycles);
		else
			code = tell_run(d, run, reach.pass, reach.in_pass, err);
	}
	if (code)
		return code;
	*out = reach;
	return check_end(d, run, words[STATUS], &reach, err);
}

// Checks the limit by the cycles logged with the tails, which are exact. The host reads a pass's registers only now and
// then.
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

// Makes a trace with room for the counts of n_passes passes.
static int make_trace(struct loom_trace *out, const struct loom_device *d, const struct loom_image *image,
                      uint32_t n_passes, struct loom_err *err)
{
	struct loom_trace t = {.n_nodes = d->chip.n_nodes,
	                       .n_channels = d->chip.n_tiles * d->chip.n_channels,
	                       .n_passes = image->n_passes,
	                       .machine = image->machine};
	t.counts = calloc((size_t)n_passes * t.n_channels + 1, sizeof *t.counts);
	t.sent = calloc(t.n_nodes, sizeof *t.sent);
	t.corrupt = calloc(t.n_nodes, sizeof *t.corrupt);
	*out = t;
	return t.counts && t.sent && t.corrupt
	               ? 0
	               : loom_fail(err, LOOM_ENOMEM, "no memory for the trace of %u passes", image->n_passes);
}

// Runs each pass, or the free run, from its own start.
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
		struct reach end;
		code = tell_run(d, &run, pass, 0, err);
		if (code == 0)
			code = run_passes(d, &run, &end, err);
		if (code == 0)
			code = image->free_running
			               ? loom_device_read_free_histories(d, t, err)
			               : loom_device_read_counts(d, t->counts + (size_t)pass * t->n_channels, err);
	}
	if (code == 0)
		code = loom_device_read_logs(d, image, t, err);
	if (code == 0 && options->max_cycles)
		code = check_limit(t, options->max_cycles, err);
	return code;
}

// Runs all passes from one start. Reads the messages, and the counts of the last pass.
static int run_back_to_back(struct loom_device *d, struct loom_trace *t, const struct run *run, struct reach *end,
                            struct loom_err *err)
{
	int code = make_trace(t, d, run->image, 1, err);
	if (code == 0)
		code = tell_run(d, run, 0, 0, err);
	if (code == 0)
		code = run_passes(d, run, end, err);
	if (code)
		return code;
	t->began = end->cycles - end->last_in_pass;
	code = loom_device_read_counts(d, t->counts, err);
	if (code == 0)
		code = loom_device_read_logs(d, run->image, t, err);
	if (code == 0 && run->options->max_cycles)
		code = check_limit(t, run->options->max_cycles, err);
	return code;
}

// --- Runs with histories ---------------------------------------------------------------------------------------------

// Makes the chip keep histories of the next run. Sets *does to false if it cannot keep those of all passes.
static int record(struct loom_device *d, const struct loom_image *image, bool *does, struct loom_err *err)
{
	uint32_t config, kept = 0;
	*does = false;
	if (image->n_passes > d->chip.history_runs)
		return 0;
	int code = loom_device_get(d, LOOM_REG_CONFIG, &config, 1, err);
	config |= 1u << LOOM_CONFIG_RECORD_LOW;
	const struct loom_transfer list[] = {{.address = LOOM_REG_CONFIG, .n_words = 1, .write = &config},
	                                     {.address = LOOM_REG_CONFIG, .n_words = 1, .read = &kept}};
	if (code == 0)
		code = loom_device_transfer(d, list, 2, err);
	*does = code == 0 && kept == config;
	return code;
}

// Runs the passes back to back, and reads the rest of their trace from the histories. *suffices: the histories hold
// everything; if not, the passes must also run one by one.
static int run_with_histories(struct loom_device *d, struct loom_trace *t, const struct run *run, bool *suffices,
                              struct loom_err *err)
{
	struct reach end;
	size_t full = LOOM_NONE_FULL;
	int code = run_back_to_back(d, t->back_to_back, run, &end, err);
	if (code == 0)
		code = loom_device_read_histories(d, t, &full, err);
	if (code)
		return code;
	*suffices = full == LOOM_NONE_FULL && end.cycles <= longest(d);
	if (*suffices)
		return loom_device_copy_logs(t, t->back_to_back, err);
	return loom_device_reset(d, run->image, err);
}

// True if the passes can go back to back: no register has to be written between two passes.
static bool goes_back_to_back(const struct loom_image *image)
{
	return image->n_passes > 1 && !image->free_running && !image->configs;
}

// Runs all passes from one start. If the loads of channels in single passes remain unknown, runs the passes one by one,
// too.
static int run_both_ways(struct loom_device *d, struct loom_trace *t, const struct loom_image *image,
                         const struct loom_run_options *options, struct loom_err *err)
{
	struct run run = {.image = image,
	                  .options = options,
	                  .last = image->n_passes - 1,
	                  .back_to_back = true,
	                  .name = " of the run back to back"};
	struct reach end;
	bool recorded = false, suffices = false;
	t->back_to_back = calloc(1, sizeof *t->back_to_back);
	if (!t->back_to_back)
		return loom_fail(err, LOOM_ENOMEM, "no memory for a trace");
	int code = record(d, image, &recorded, err);
	if (code == 0 && recorded) {
		run.name = ""; // there is no other run so far
		code = run_with_histories(d, t, &run, &suffices, err);
	}
	if (code || suffices)
		return code;
	code = run_one_by_one(d, t, image, options, err);
	if (code || recorded)
		return code;
	code = loom_device_reset(d, image, err);
	return code ? code : run_back_to_back(d, t->back_to_back, &run, &end, err);
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
	int code = loom_image_check_nodes(&d->chip, err);
	if (code)
		return code;
	code = make_trace(&t, d, image, image->n_passes, err);
	if (code == 0)
		code = options->back_to_back && goes_back_to_back(image) ? run_both_ways(d, &t, image, options, err)
		                                                         : run_one_by_one(d, &t, image, options, err);
	if (code == 0)
		code = loom_device_lost(d, &t.lost, &t.n_switches, err);
	if (code) {
		loom_trace_free(&t);
		return code;
	}
	*out = t;
	return 0;
}
