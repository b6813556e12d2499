// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Sends a session's frames: cuts them from the transfers, as many as the window allows, and repeats lost ones.
#include "links/session_internal.h"

#include "base/clock.h"

#define MARK_BEHIND 31u // see mark()
#define MARKS 8u        // numbers of marks, taken in turn

uint64_t loom_session_now_us(struct loom_session *s)
{
	if (s->pipe.kind->now_us)
		return s->pipe.kind->now_us(&s->pipe);
	return loom_clock_us();
}

static void put_frame(struct loom_session *s)
{
	if (s->out_at == s->out_n)
		s->out_at = s->out_n = 0;
	s->out_n += loom_frame_encode(s->out + s->out_n, &s->frame);
	s->stats.frames++;
}

static bool has_room(const struct loom_session *s)
{
	return s->out_at == s->out_n || s->out_n + LOOM_FRAME_LINE_MAX <= sizeof s->out;
}

void loom_session_put_hello(struct loom_session *s, uint8_t number)
{
	loom_frame_begin(&s->frame, LOOM_FRAME_HELLO, number);
	loom_frame_nonce(&s->frame, s->nonce);
	put_frame(s);
}

// Fills s->frame with commands from (*at, *word) on, all of one kind, up to a number of words, and of bytes of a body.
// Moves on; returns the words.
static unsigned cut(struct loom_session *s, size_t *at, size_t *word, uint8_t number, unsigned most_words,
                    unsigned most_bytes)
{
	unsigned words = 0;
	bool is_read = s->list[*at].read != NULL;
	loom_frame_begin(&s->frame, is_read ? LOOM_FRAME_READ : LOOM_FRAME_WRITE, number);
	while (*at < s->n && words < most_words) {
		const struct loom_transfer *t = &s->list[*at];
		if (*word == t->n_words) {
			(*at)++;
			*word = 0;
			continue;
		}
		size_t n = t->n_words - *word, used = s->frame.n + LOOM_FRAME_COMMAND_BYTES;
		if ((t->read != NULL) != is_read || used + (is_read ? 0 : 4) > most_bytes)
			break;
		if (n > LOOM_FRAME_COMMAND_WORDS)
			n = LOOM_FRAME_COMMAND_WORDS;
		if (n > most_words - words)
			n = most_words - words;
		if (!is_read && n > (most_bytes - used) / 4)
			n = (most_bytes - used) / 4;
		loom_frame_command(&s->frame, t->address + (t->fixed ? 0 : (uint32_t)*word),
		                   t->write ? t->write + *word : NULL, n, t->fixed);
		*word += n;
		words += (unsigned)n;
	}
	return words;
}

static void send_slot(struct loom_session *s, uint8_t number)
{
	struct loom_session_slot *slot = &s->slots[number];
	size_t at = slot->at, word = slot->word;
	(void)cut(s, &at, &word, number, slot->n_words, LOOM_FRAME_BODY_BYTES);
	put_frame(s);
	slot->queued = false;
	s->order++;
	if (slot->sent) {
		slot->repeated = true;
		s->stats.repeated++;
	}
	if (slot->first == 0)
		slot->first = s->order;
	slot->sent = true;
	slot->last = s->order;
	slot->sent_us = loom_session_now_us(s);
}

// Puts the next words that are in no frame yet into one. False: none are left, or the window is full.
static bool add_slot(struct loom_session *s)
{
	while (s->at < s->n && s->word == s->list[s->at].n_words) {
		s->at++;
		s->word = 0;
	}
	if (s->at == s->n || loom_session_in_flight(s) >= (unsigned)s->pace.window || s->mark_wanted || s->mark_sent)
		return false;
	bool is_read = s->list[s->at].read != NULL;
	unsigned read_bytes = 0, words = loom_pace_words(&s->pace, is_read ? LOOM_PACE_READS : LOOM_PACE_WRITES);
	for (uint8_t k = s->base; k != s->next; k++)
		if (s->slots[k].is_read && !s->slots[k].done)
			read_bytes += s->slots[k].line_bytes;
	if (read_bytes && !is_read) // a repeated read must not see this write
		return false;
	// The most bytes of a body that fits the board's buffer; many small commands count by their bytes.
	unsigned fits = s->room - LOOM_FRAME_CRC_BYTES - 1 - s->room / 254;
	unsigned bytes = LOOM_FRAME_HEADER_BYTES + LOOM_FRAME_COMMAND_BYTES + 4 * words;
	struct loom_session_slot slot = {.at = s->at, .word = s->word, .is_read = is_read};
	size_t at = s->at, word = s->word;
	slot.n_words = cut(s, &at, &word, s->next, words, bytes < fits ? bytes : fits);
	slot.line_bytes = (unsigned)LOOM_FRAME_LINE_BYTES(s->frame.n);
	slot.answer_bytes = (unsigned)LOOM_FRAME_LINE_BYTES(LOOM_FRAME_HEADER_BYTES + (is_read ? 4 * slot.n_words : 0));
	if (is_read && read_bytes && read_bytes + slot.line_bytes > s->room)
		return false;
	s->slots[s->next] = slot;
	s->at = at;
	s->word = word;
	send_slot(s, s->next++);
	return true;
}

// Sends a hello amid the frames. It is answered in order, like any frame: answers before its own belong to the past,
// and frames sent before it that have no answer by then are lost. Its number is none of those in flight. If the board
// was reset meanwhile, it takes the hello as the beginning of a session; the number is chosen so that the board then
// refuses all frames in flight.
static void mark(struct loom_session *s)
{
	s->mark = (uint8_t)(s->base - MARK_BEHIND - s->n_marks++ % MARKS);
	loom_session_put_hello(s, s->mark);
	s->mark_order = s->order;
	s->mark_wanted = false;
	s->mark_sent = true;
}

void loom_session_fill_out(struct loom_session *s)
{
	bool idle = loom_session_in_flight(s) == 0;
	if (idle) // no frame is left to be sent again
		s->mark_wanted = s->mark_sent = false;
	if (s->mark_wanted && has_room(s))
		mark(s);
	for (uint8_t k = s->base; k != s->next && !s->mark_wanted; k++)
		if (s->slots[k].queued && !s->slots[k].done) {
			if (!has_room(s))
				return;
			send_slot(s, k);
		}
	while (has_room(s) && add_slot(s))
		;
	if (idle)
		s->heard_us = loom_session_now_us(s);
}
