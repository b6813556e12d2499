// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_SESSION_INTERNAL_H
#define LOOM_SESSION_INTERNAL_H

#include <stdbool.h>

#include <flitloom/link/session.h>

#include "links/frame.h"
#include "links/pace.h"

// Declarations that session.c (hello, time-outs, calls), session_send.c (order of sending), session_answers.c
// (answers) and session_link.c share; no other file includes them.

#define LOOM_SESSION_OUT_BYTES 8192u
#define LOOM_SESSION_IN_BYTES 4096u

// A frame with a number, from its first sending to its answer.
struct loom_session_slot {
	size_t at, word; // its first word: the index of the transfer, and of the word in it
	unsigned n_words;
	unsigned line_bytes;        // bytes of the request
	unsigned answer_bytes;      // bytes of the answer, about
	bool is_read, done, queued; // queued: it is to be sent, for the first time or again
	bool sent, repeated;
	// the numbers, in order of sending, of the first sending that may still be answered, and of the last
	uint64_t first, last;
	uint64_t sent_us; // the time of the last sending
};

struct loom_session {
	struct loom_pipe pipe;
	struct loom_link_stats stats;
	struct loom_frame_reader reader;
	bool live; // the board has accepted the nonce
	uint32_t nonce;
	unsigned room; // bytes of a frame on the line, without its zero, for which the board has room

	// Numbers base .. next-1 are in flight.
	uint8_t base, next;
	struct loom_session_slot slots[256];
	uint64_t order;
	struct loom_pace pace;

	bool mark_wanted, mark_sent; // a hello among the frames, see mark()
	uint8_t mark;
	unsigned n_marks;
	uint64_t mark_order;
	bool suspect; // the board asked for a number that it cannot need
	unsigned last_reason;

	uint64_t heard_us; // the last sign of life, or the first sending after all answers had come
	uint64_t progress_us;

	// The transfers of the present call.
	const struct loom_transfer *list;
	size_t n, at, word; // the first word that is in no frame yet
	uint64_t words_done;

	size_t out_at, out_n;
	uint8_t out[LOOM_SESSION_OUT_BYTES];
	uint8_t in[LOOM_SESSION_IN_BYTES];
	struct loom_frame frame, answer;
};

uint64_t loom_session_now_us(struct loom_session *s); // by the line's own clock, if it has one

static inline uint8_t loom_session_in_flight(const struct loom_session *s)
{
	return (uint8_t)(s->next - s->base);
}

// Writes all frames that may be sent now to s->out.
void loom_session_fill_out(struct loom_session *s);
void loom_session_put_hello(struct loom_session *s, uint8_t number);

// Handles s->answer, a whole frame. LOOM_ELINK: the session is lost.
int loom_session_take_frame(struct loom_session *s, uint64_t now, struct loom_err *err);

#endif
