// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the loads of the channels: the counters of a pass, and the histories of a run from one start.
#include <stdlib.h>

#include <flitloom/link/regmap.h>

#include "device/device_internal.h"

#define WORDS_PER_CHANNEL 4u
#define WORDS_PER_RUN 2u
#define HISTORY_COUNT 2047u // the word of a history with the number of its entries
#define HISTORY_SHIFT 11    // place of the channel number in the address of a history
#define HISTORY_MOST 65535u // the largest count of a history

// Reads the counters of all channels, WORDS_PER_CHANNEL each, in the order of tile and channel. The caller frees *out.
static int read_monitors(struct loom_device *d, uint32_t **out, struct loom_err *err)
{
	uint32_t n_tiles = d->chip.n_tiles, per_tile = d->chip.n_channels * WORDS_PER_CHANNEL;
	struct loom_transfer *list = calloc(n_tiles, sizeof *list);
	uint32_t *words = calloc((size_t)n_tiles * per_tile, sizeof *words);
	int code = list && words ? 0 : loom_fail(err, LOOM_ENOMEM, "no memory for the counters of %u tiles", n_tiles);
	for (uint32_t tile = 0; code == 0 && tile < n_tiles; tile++)
		list[tile] = (struct loom_transfer){.address = LOOM_WINDOW_COUNTS | tile << LOOM_INDEX_LOW,
		                                    .n_words = per_tile,
		                                    .read = words + (size_t)tile * per_tile};
	if (code == 0)
		code = loom_device_transfer(d, list, n_tiles, err);
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

int loom_device_read_counts(struct loom_device *d, struct loom_count *out, struct loom_err *err)
{
	uint32_t *words, most = (uint32_t)((UINT64_C(1) << d->chip.count_bits) - 1);
	int code = read_monitors(d, &words, err);
	if (code)
		return code;
	for (uint32_t c = 0; code == 0 && c < d->chip.n_tiles * d->chip.n_channels; c++) {
		const uint32_t *w = &words[(size_t)c * WORDS_PER_CHANNEL];
		if (w[0] == most || w[1] == most || w[2] == most)
			code = loom_fail(err, LOOM_EFIT,
			                 "a counter of channel %u.%u stopped at %u, the most that the chip holds: "
			                 "send fewer or shorter messages",
			                 c / d->chip.n_channels, c % d->chip.n_channels, most);
	}
	for (uint32_t c = 0; code == 0 && c < d->chip.n_tiles * d->chip.n_channels; c++) {
		const uint32_t *w = &words[(size_t)c * WORDS_PER_CHANNEL];
		out[c] = (struct loom_count){.worms = w[0], .flits = w[1], .blocked_cycles = w[2]};
	}
	free(words);
	return code;
}

static uint32_t history_of(const struct loom_chip *chip, uint32_t channel)
{
	return LOOM_WINDOW_HISTORY | channel / chip->n_channels << LOOM_INDEX_LOW |
	       channel % chip->n_channels << HISTORY_SHIFT;
}

static int add_run(struct loom_trace *trace, uint32_t channel, const uint32_t words[WORDS_PER_RUN], size_t *full,
                   struct loom_err *err)
{
	uint32_t pass = FIELD(words[0], HISTORY0_PASS);
	if (pass >= trace->n_passes)
		return loom_fail(err, LOOM_EHARDWARE, "channel %u carried a message of pass %u; the plan has %u",
		                 channel, pass, trace->n_passes);
	const uint32_t worms = FIELD(words[0], HISTORY0_WORMS), flits = FIELD(words[1], HISTORY1_FLITS),
		       blocked_cycles = FIELD(words[1], HISTORY1_BLOCKED);
	const size_t at = (size_t)pass * trace->n_channels + channel;
	if (*full == LOOM_NONE_FULL &&
	    (worms == HISTORY_MOST || flits == HISTORY_MOST || blocked_cycles == HISTORY_MOST))
		*full = at;
	struct loom_count *count = &trace->counts[at];
	count->worms += worms;
	count->flits += flits;
	count->blocked_cycles += blocked_cycles;
	return 0;
}

// Reads the histories. In a free run a channel counts blocked cycles in the pass whose messages it carried last.
int loom_device_read_histories(struct loom_device *d, struct loom_trace *trace, size_t *full, struct loom_err *err)
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
		code = loom_device_transfer(d, list, n_channels, err);
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
	if (code == 0)
		code = loom_device_transfer_told(d, LOOM_STAGE_HISTORIES, list, n, err);
	at = history;
	*full = LOOM_NONE_FULL;
	for (uint32_t c = 0; code == 0 && c < n_channels; c++)
		for (uint32_t r = 0; code == 0 && r < runs[c]; r++, at += WORDS_PER_RUN)
			code = add_run(trace, c, at, full, err);
	free(history);
	free(list);
	free(runs);
	return code;
}

int loom_device_read_free_histories(struct loom_device *d, struct loom_trace *trace, struct loom_err *err)
{
	size_t full;
	int code = loom_device_read_histories(d, trace, &full, err);
	if (code || full == LOOM_NONE_FULL)
		return code;
	uint32_t channel = (uint32_t)(full % trace->n_channels);
	return loom_fail(
		err, LOOM_EFIT,
		"a count of pass %u in the history of channel %u.%u stopped at %u, the most that it holds: send "
		"shorter messages, or use a planner with barriers between passes",
		(uint32_t)(full / trace->n_channels), channel / d->chip.n_channels, channel % d->chip.n_channels,
		HISTORY_MOST);
}

int loom_device_counts(struct loom_device *d, uint32_t *pass, struct loom_count *out, struct loom_err *err)
{
	uint32_t under_way;
	int code = loom_device_get(d, LOOM_REG_PASS, &under_way, 1, err);
	if (code == 0)
		code = loom_device_read_counts(d, out, err);
	if (code == 0)
		*pass = under_way;
	return code;
}
