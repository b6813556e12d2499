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
	double bytes_per_s;                              // of the line; 0: unknown
	double least_us;                                 // a shorter silence means nothing
	double most_words;                               // of a frame, as the board said
	double window;                                   // frames under way
	double words[LOOM_PACE_KINDS];                   // of a frame
	bool damaged[LOOM_PACE_KINDS];                   // frames of this kind have been: growth is slow from then on
	double round_trip_us, deviation_us, shortest_us; // 0: not measured yet
	double repeat_us, backoff;
};

// Sets the initial pace, before anything is known of the line. simulated: the line has its own time, and waits for
// the program.
void loom_pace_begin(struct loom_pace *pace, double bytes_per_s, bool simulated);

// A frame has come through; sample_us after it was sent, or < 0 where nobody knows which sending was answered.
void loom_pace_success(struct loom_pace *pace, enum loom_pace_kind kind, double sample_us);

// A frame was damaged: the next ones of this kind are shorter.
void loom_pace_damage(struct loom_pace *pace, enum loom_pace_kind kind);

// The words that a frame should have now.
unsigned loom_pace_words(const struct loom_pace *pace, enum loom_pace_kind kind);

// Frames were lost: have fewer under way, so that fewer have to be sent again the next time.
void loom_pace_loss(struct loom_pace *pace);

// Nothing came for as long as loom_pace_patience_us; and: something did.
void loom_pace_silence(struct loom_pace *pace);
void loom_pace_life(struct loom_pace *pace);

// The time that so many bytes take on the line itself, if its rate is known.
uint64_t loom_pace_line_us(const struct loom_pace *pace, double bytes);

// The length of a silence which means that something was lost, besides what the bytes take on the line.
uint64_t loom_pace_patience_us(const struct loom_pace *pace);

#endif
