// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "links/pace.h"

#include <math.h>

#include "links/frame.h"

#define WINDOW_MOST 64u
#define WINDOW_LEAST 2.0
#define WINDOW_FIRST 4.0
#define WORDS_FIRST 16.0                // words of a frame, until the line is known
#define WORDS_LEAST 4.0                 // with fewer words a frame is hardly shorter
#define WORDS_GROWTH 0.5                // words more for each frame that comes through, once one was damaged
#define REPEAT_LEAST_US 4000.0          // the time for which a busy host may suspend its program
#define REPEAT_LEAST_SIMULATED_US 500.0 // a line with its own time waits for the program
#define REPEAT_FIRST_US 100000.0
#define REPEAT_MOST_US 1000000.0
#define BACKOFF 1.25    // factor for each silence; late answers show that the line is slow and not bad
#define QUEUE_US 4000.0 // a round trip grown by more means that frames only wait in a queue

void loom_pace_begin(struct loom_pace *pace, double bytes_per_s, bool simulated)
{
	*pace = (struct loom_pace){
		.bytes_per_s = bytes_per_s,
		.least_us = simulated ? REPEAT_LEAST_SIMULATED_US : REPEAT_LEAST_US,
		.window = WINDOW_FIRST,
		.words = {WORDS_FIRST, WORDS_FIRST},
		.repeat_us = REPEAT_FIRST_US,
		.backoff = 1,
	};
}

unsigned loom_pace_words(const struct loom_pace *pace, enum loom_pace_kind kind)
{
	return (unsigned)fmin(pace->words[kind], pace->most_words);
}

void loom_pace_damage(struct loom_pace *pace, enum loom_pace_kind kind)
{
	pace->damaged[kind] = true;
	pace->words[kind] = fmax(pace->words[kind] * 0.75, WORDS_LEAST);
}

// Halves the window after a loss, but not to so few frames that the line stands still for most of a round trip.
void loom_pace_loss(struct loom_pace *pace)
{
	double words = fmin(pace->words[LOOM_PACE_WRITES], pace->words[LOOM_PACE_READS]);
	double frame_bytes = LOOM_FRAME_LINE_BYTES(LOOM_FRAME_HEADER_BYTES + LOOM_FRAME_COMMAND_BYTES) + 4 * words;
	double least = WINDOW_LEAST + pace->shortest_us * 1e-6 * pace->bytes_per_s / frame_bytes;
	pace->window = fmax(pace->window / 2, fmin(least, WINDOW_MOST));
}

static void measure(struct loom_pace *pace, double sample_us)
{
	if (pace->round_trip_us <= 0) {
		pace->round_trip_us = pace->shortest_us = sample_us;
		pace->deviation_us = sample_us / 2;
	} else {
		double off = sample_us - pace->round_trip_us;
		pace->deviation_us += (fabs(off) - pace->deviation_us) / 4;
		pace->round_trip_us += off / 8;
		pace->shortest_us = fmin(pace->shortest_us, sample_us);
	}
	pace->repeat_us = pace->round_trip_us + 4 * pace->deviation_us;
}

void loom_pace_success(struct loom_pace *pace, enum loom_pace_kind kind, double sample_us)
{
	double *words = &pace->words[kind];
	bool damaged = pace->damaged[LOOM_PACE_WRITES] || pace->damaged[LOOM_PACE_READS];
	*words = fmin(pace->damaged[kind] ? *words + WORDS_GROWTH : 2 * *words, pace->most_words);
	pace->backoff = 1;
	if (sample_us < 0)
		return;
	measure(pace, sample_us);
	if (sample_us < 2 * pace->shortest_us + QUEUE_US && pace->window < WINDOW_MOST)
		pace->window = fmin(pace->window + (damaged ? 1 / pace->window : 1), WINDOW_MOST);
}

void loom_pace_silence(struct loom_pace *pace)
{
	pace->backoff *= BACKOFF;
}

void loom_pace_life(struct loom_pace *pace)
{
	pace->backoff = 1;
}

uint64_t loom_pace_line_us(const struct loom_pace *pace, double bytes)
{
	return pace->bytes_per_s > 0 ? (uint64_t)(1e6 * bytes / pace->bytes_per_s) : 0;
}

uint64_t loom_pace_patience_us(const struct loom_pace *pace)
{
	double us = fmin(fmax(pace->repeat_us, pace->least_us), REPEAT_MOST_US);
	return (uint64_t)fmin(us * pace->backoff, REPEAT_MOST_US);
}
