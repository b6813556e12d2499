// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_PACE_H
#define LOOM_PACE_H

#include <stdbool.h>
#include <stdint.h>

// The pace that a session has learnt for its line: the size of frames, the number of frames in flight, and the
// silence after which a frame counts as lost. Times are in microseconds.

enum loom_pace_kind { LOOM_PACE_WRITES, LOOM_PACE_READS, LOOM_PACE_KINDS };

struct loom_pace {
	double bytes_per_s;            // bytes per second of the line; 0: unknown
	double least_us;               // a shorter silence means nothing
	double most_words;             // words of a frame that the board takes
	double window;                 // frames under way
	double words[LOOM_PACE_KINDS]; // words of a frame
	bool damaged[LOOM_PACE_KINDS]; // a frame of this kind was damaged: growth is slow from then on
	double round_trip_us, deviation_us, shortest_us; // 0: not measured yet
	double repeat_us, backoff;
};

// Sets the initial pace, before anything is known of the line. simulated: the line has its own time, and waits for
// the program.
void loom_pace_begin(struct loom_pace *pace, double bytes_per_s, bool simulated);

// Notes that a frame came through, sample_us after it was sent; < 0: it is unknown which sending was answered.
void loom_pace_success(struct loom_pace *pace, enum loom_pace_kind kind, double sample_us);

// Notes a damaged frame: the next ones of this kind are shorter.
void loom_pace_damage(struct loom_pace *pace, enum loom_pace_kind kind);

// Returns the words that a frame should have now.
unsigned loom_pace_words(const struct loom_pace *pace, enum loom_pace_kind kind);

// Notes lost frames: fewer will be under way, so that fewer must be sent again the next time.
void loom_pace_loss(struct loom_pace *pace);

// Note that nothing came for as long as loom_pace_patience_us; or that something came.
void loom_pace_silence(struct loom_pace *pace);
void loom_pace_life(struct loom_pace *pace);

// Returns the time that `bytes` bytes take on the line itself; 0 if its rate is unknown.
uint64_t loom_pace_line_us(const struct loom_pace *pace, double bytes);

// Returns the length of a silence which means that something was lost, beyond the time of the bytes on the line.
uint64_t loom_pace_patience_us(const struct loom_pace *pace);

#endif
