// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <flitloom/session.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "links/frame.h"
#include "links/pace.h"

#define ROOM_LEAST 32u   // bytes of the board's buffer: a write of one word
#define HELLO_US 100000u // until a hello is repeated, doubled each time
#define HELLO_BYTES 64   // with its answer, at most
#define HELLO_ZEROS 3u   // end what a predecessor left unfinished
#define MARK_BEHIND 31u  // see mark()
#define MARKS 8u         // numbers of marks, taken in turn
#define OUT_BYTES 8192u
#define IN_BYTES 4096u

// A frame with a number, from its first sending to its answer.
struct slot {
	size_t at, word; // its first word: of which transfer, which
	unsigned n_words;
	unsigned line_bytes;        // of the request
	unsigned answer_bytes;      // about
	bool is_read, done, queued; // queued: to be sent (again)
	bool sent, repeated;
	uint64_t first, last; // order of the first sending that may still be answered, and of the last
	uint64_t sent_us;     // time of the last
};

struct loom_session {
	struct loom_pipe pipe;
	struct loom_link_stats stats;
	struct loom_frame_reader reader;
	bool live; // the board has taken our nonce
	uint32_t nonce;
	unsigned room; // of a board: bytes of one frame on the line without its zero

	// Numbers base .. next-1 are in flight.
	uint8_t base, next;
	struct slot slots[256];
	uint64_t order;
	struct loom_pace pace;

	bool mark_wanted, mark_sent; // a hello amid the frames, see mark()
	uint8_t mark;
	unsigned n_marks;
	uint64_t mark_order;
	bool suspect; // the board asked for a number that it cannot want
	unsigned last_reason;

	uint64_t heard_us; // last sign of life, or first sending after none was owed
	uint64_t progress_us;

	// What is asked for now.
	const struct loom_transfer *list;
	size_t n, at, word; // the first word that is in no frame yet
	uint64_t words_done;

	size_t out_at, out_n;
	uint8_t out[OUT_BYTES];
	uint8_t in[IN_BYTES];
	struct loom_frame frame, answer;
};

static uint64_t now_us(struct loom_session *s)
{
	if (s->pipe.kind->now_us)
		return s->pipe.kind->now_us(&s->pipe);
	struct timespec t;
	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000u + (uint64_t)t.tv_nsec / 1000u;
}

static uint8_t in_flight(const struct loom_session *s)
{
	return (uint8_t)(s->next - s->base);
}

// --- Sending -------------------------------------------------------------------------------------------------------

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

static void put_hello(struct loom_session *s, uint8_t number)
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
	struct slot *slot = &s->slots[number];
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
	slot->sent_us = now_us(s);
}

// Puts the next words that are in no frame yet into one; false: none are left, or the window says wait.
static bool add_slot(struct loom_session *s)
{
	while (s->at < s->n && s->word == s->list[s->at].n_words) {
		s->at++;
		s->word = 0;
	}
	if (s->at == s->n || in_flight(s) >= (unsigned)s->pace.window || s->mark_wanted || s->mark_sent)
		return false;
	bool is_read = s->list[s->at].read != NULL;
	unsigned read_bytes = 0, words = loom_pace_words(&s->pace, is_read ? LOOM_PACE_READS : LOOM_PACE_WRITES);
	for (uint8_t k = s->base; k != s->next; k++)
		if (s->slots[k].is_read && !s->slots[k].done)
			read_bytes += s->slots[k].line_bytes;
	if (read_bytes && !is_read) // a read that is repeated must not see it
		return false;
	// A body of at most so many bytes fits the board's buffer; many small commands count as their bytes do.
	unsigned fits = s->room - LOOM_FRAME_CRC_BYTES - 1 - s->room / 254;
	unsigned bytes = LOOM_FRAME_HEADER_BYTES + LOOM_FRAME_COMMAND_BYTES + 4 * words;
	struct slot slot = {.at = s->at, .word = s->word, .is_read = is_read};
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

// A hello amid the frames. It is answered like any frame, in order: what comes before its answer is about the past, and
// what was sent before it and has no answer by then is lost. Its number is none in flight, and such that a board which
// was reset meanwhile, and so takes it as the beginning of a session, refuses all that is.
static void mark(struct loom_session *s)
{
	s->mark = (uint8_t)(s->base - MARK_BEHIND - s->n_marks++ % MARKS);
	put_hello(s, s->mark);
	s->mark_order = s->order;
	s->mark_wanted = false;
	s->mark_sent = true;
}

static void fill_out(struct loom_session *s)
{
	bool idle = in_flight(s) == 0;
	if (idle) // nothing is left to be sent again
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
		s->heard_us = now_us(s);
}

// --- Pace ----------------------------------------------------------------------------------------------------------

static enum loom_pace_kind pace_kind(const struct slot *slot)
{
	return slot->is_read ? LOOM_PACE_READS : LOOM_PACE_WRITES;
}

static double bytes_under_way(const struct loom_session *s)
{
	double bytes = 0;
	for (uint8_t k = s->base; k != s->next; k++)
		bytes += s->slots[k].done ? 0 : s->slots[k].line_bytes + s->slots[k].answer_bytes;
	return bytes;
}

// --- Answers -------------------------------------------------------------------------------------------------------

static void store(struct loom_session *s, const struct slot *slot, const struct loom_answer *a)
{
	size_t at = slot->at, word = slot->word;
	for (unsigned i = 0; i < slot->n_words; i++, word++) {
		while (word == s->list[at].n_words) {
			at++;
			word = 0;
		}
		s->list[at].read[word] = loom_answer_word(a, i);
	}
}

static void finish(struct loom_session *s, struct slot *slot)
{
	slot->done = true;
	slot->queued = false;
	s->words_done += slot->n_words;
	*(slot->is_read ? &s->stats.words_in : &s->stats.words_out) += slot->n_words;
}

static void take_answer(struct loom_session *s, const struct loom_answer *a, uint64_t now)
{
	struct slot *slot = &s->slots[a->number];
	bool marking = s->mark_wanted || s->mark_sent;
	if ((s->suspect && marking) || (uint8_t)(a->number - s->base) >= in_flight(s) || slot->done || !slot->sent)
		return; // of the past
	if (slot->is_read != (a->kind == LOOM_FRAME_ANSWER + LOOM_FRAME_READ) ||
	    (slot->is_read && a->n_words != slot->n_words)) {
		s->stats.damaged++;
		return;
	}
	if (slot->is_read)
		store(s, slot, a);
	// Of one that was repeated nobody knows which sending was answered.
	loom_pace_success(&s->pace, pace_kind(slot), slot->repeated ? -1 : (double)(now - slot->sent_us));
	uint64_t first = slot->first;
	s->suspect = false;
	if (s->mark_sent && first > s->mark_order) // the answer to the mark was lost
		s->mark_sent = false;
	finish(s, slot);
	// Everything before it has been carried out: writes are done; reads sent earlier have lost their answers.
	bool lost = false;
	for (uint8_t k = s->base; k != a->number; k++) {
		struct slot *before = &s->slots[k];
		if (before->done)
			continue;
		if (!before->is_read) {
			finish(s, before);
		} else if (before->first < first && !before->queued) {
			before->queued = lost = true;
			before->first = 0;
		}
	}
	if (lost)
		loom_pace_loss(&s->pace);
	while (s->base != s->next && s->slots[s->base].done)
		s->base++;
	s->heard_us = s->progress_us = now;
}

static int take_refusal(struct loom_session *s, const struct loom_answer *a, uint64_t now, struct loom_err *err)
{
	s->stats.refused++;
	s->last_reason = a->reason;
	if (s->mark_wanted || s->mark_sent || in_flight(s) == 0)
		return 0; // of the past
	uint8_t ahead = (uint8_t)(a->number - s->base);
	s->heard_us = now;
	s->mark_wanted = true;
	if (ahead > in_flight(s)) {
		if (s->suspect)
			return loom_fail(
				err, LOOM_ELINK,
				"%s was reset, or is used by another program as well: its session is gone after "
				"%llu words; run again",
				s->pipe.name, (unsigned long long)s->words_done);
		s->suspect = true;
		for (uint8_t k = s->base; k != s->next; k++)
			s->slots[k].queued = !s->slots[k].done;
		return 0;
	}
	s->suspect = false;
	// Those before have been carried out; whether by this board, not reset since, their answers will tell.
	for (uint8_t k = a->number; k != s->next; k++)
		if (!s->slots[k].done) {
			s->slots[k].queued = true;
			s->slots[k].first = 0;
		}
	if (ahead < in_flight(s)) {
		if (a->reason != 4)
			loom_pace_damage(&s->pace, pace_kind(&s->slots[a->number]));
		loom_pace_loss(&s->pace);
	}
	return 0;
}

static void take_mark(struct loom_session *s, uint64_t now)
{
	bool lost = false;
	s->mark_sent = false;
	s->heard_us = now;
	loom_pace_life(&s->pace);
	for (uint8_t k = s->base; k != s->next; k++) {
		struct slot *slot = &s->slots[k];
		if (slot->done || slot->queued || slot->last > s->mark_order)
			continue;
		slot->queued = lost = true;
		slot->first = 0;
	}
	if (lost)
		loom_pace_loss(&s->pace);
}

static int take_frame(struct loom_session *s, uint64_t now, struct loom_err *err)
{
	struct loom_answer a;
	if (!loom_answer_parse(&a, &s->answer)) {
		s->stats.damaged++;
		return 0;
	}
	switch (a.kind) {
	case LOOM_FRAME_REFUSAL: return take_refusal(s, &a, now, err);
	case LOOM_FRAME_ANSWER + LOOM_FRAME_HELLO:
		if (a.nonce == s->nonce && s->mark_sent && a.number == s->mark)
			take_mark(s, now);
		else if (a.nonce == s->nonce)
			s->heard_us = now; // to a mark of before: the line is slow, that of the last one is on its way
		return 0;
	default: take_answer(s, &a, now); return 0;
	}
}

// One exchange with the line. *n_in: bytes that came.
static int exchange(struct loom_session *s, size_t *n_in, uint64_t timeout_us, struct loom_err *err)
{
	size_t n_out = 0;
	*n_in = 0;
	int code = s->pipe.kind->exchange(&s->pipe, s->out + s->out_at, s->out_n - s->out_at, &n_out, s->in,
	                                  sizeof s->in, n_in, timeout_us, err);
	s->out_at += n_out;
	s->stats.bytes_out += n_out;
	s->stats.bytes_in += *n_in;
	return code;
}

// --- Hello ---------------------------------------------------------------------------------------------------------

static int fail_hello(struct loom_session *s, uint64_t bytes, uint64_t good, struct loom_err *err)
{
	if (good)
		return loom_fail(err, LOOM_ELINK,
		                 "%s answers, but not to a hello: a bad line, or another program that talks to it",
		                 s->pipe.name);
	if (bytes)
		return loom_fail(err, LOOM_ELINK,
		                 "%s sends %llu bytes that mean nothing: wrong baud rate, or no flitloom bitstream",
		                 s->pipe.name, (unsigned long long)bytes);
	return loom_fail(err, LOOM_ETIMEOUT,
	                 "%s does not answer: no flitloom bitstream, another line of it, or another baud rate",
	                 s->pipe.name);
}

static int check_hello(struct loom_session *s, const struct loom_answer *a, struct loom_err *err)
{
	if (a->version != LOOM_LINK_PROTOCOL)
		return loom_fail(err, LOOM_ELINK,
		                 "%s speaks version %u of the link protocol; this program speaks version %u",
		                 s->pipe.name, a->version, LOOM_LINK_PROTOCOL);
	if (a->max_words == 0 || a->rx_bytes < ROOM_LEAST)
		return loom_fail(err, LOOM_ELINK, "%s takes frames of %u words and %u bytes: that is no use",
		                 s->pipe.name, a->max_words, a->rx_bytes);
	s->pace.most_words = a->max_words;
	s->room = a->rx_bytes - 1;
	return 0;
}

static int greet(struct loom_session *s, unsigned timeout_ms, struct loom_err *err)
{
	uint8_t seed[5];
	if (getrandom(seed, sizeof seed, 0) != sizeof seed)
		return loom_fail(err, LOOM_EINTERNAL, "no random number for a session");
	memcpy(&s->nonce, seed, sizeof s->nonce);
	s->base = s->next = (uint8_t)(seed[4] + 1);
	s->live = s->mark_sent = s->mark_wanted = s->suspect = false;
	s->reader.n = s->out_at = s->out_n = 0;
	loom_pace_begin(&s->pace, s->pipe.bytes_per_s, s->pipe.kind->now_us != NULL);
	if (s->pipe.kind->discard)
		s->pipe.kind->discard(&s->pipe);

	uint64_t begin = now_us(s), again = begin, wait = HELLO_US, end = begin + (uint64_t)timeout_ms * 1000u;
	uint64_t bytes = 0, good = 0;
	wait += loom_pace_line_us(&s->pace, HELLO_BYTES);
	end += loom_pace_line_us(&s->pace, HELLO_BYTES);
	for (;;) {
		uint64_t now = now_us(s);
		if (now >= end)
			return fail_hello(s, bytes, good, err);
		if (now >= again) {
			if (s->out_at == s->out_n) { // else the line has not even taken the last one
				memset(s->out, 0, HELLO_ZEROS);
				s->out_at = 0;
				s->out_n = HELLO_ZEROS;
				put_hello(s, seed[4]);
			}
			again = now + wait;
			wait = wait < 4 * HELLO_US ? 2 * wait : wait;
		}
		size_t n = 0;
		int code = exchange(s, &n, (again < end ? again : end) - now, err);
		if (code)
			return code;
		bytes += n;
		for (size_t i = 0; i < n; i++) {
			struct loom_answer a;
			if (loom_frame_take(&s->reader, s->in[i], &s->answer) != LOOM_FRAME_GOOD ||
			    !loom_answer_parse(&a, &s->answer))
				continue;
			good++;
			if (a.kind != LOOM_FRAME_ANSWER + LOOM_FRAME_HELLO || a.nonce != s->nonce ||
			    a.number != seed[4])
				continue;
			code = check_hello(s, &a, err);
			s->live = code == 0;
			return code;
		}
	}
}

// --- Calls ---------------------------------------------------------------------------------------------------------

int loom_session_open(struct loom_session **out, struct loom_pipe *pipe, unsigned timeout_ms, struct loom_err *err)
{
	struct loom_session *s = calloc(1, sizeof *s);
	if (!s) {
		pipe->kind->close(pipe);
		return loom_fail(err, LOOM_ENOMEM, "no memory for a session");
	}
	s->pipe = *pipe;
	int code = greet(s, timeout_ms, err);
	if (code) {
		loom_session_close(s);
		return code;
	}
	*out = s;
	return 0;
}

void loom_session_close(struct loom_session *s)
{
	if (s)
		s->pipe.kind->close(&s->pipe);
	free(s);
}

static int fail_timeout(const struct loom_session *s, bool heard, struct loom_err *err)
{
	if (!heard)
		return loom_fail(err, LOOM_ETIMEOUT, "%s stopped answering after %llu words: unplugged, or reset",
		                 s->pipe.name, (unsigned long long)s->words_done);
	return loom_fail(err, LOOM_ETIMEOUT,
	                 "%s gets nothing across after %llu words: %llu damaged answers, %llu refusals%s", s->pipe.name,
	                 (unsigned long long)s->words_done, (unsigned long long)s->stats.damaged,
	                 (unsigned long long)s->stats.refused,
	                 s->last_reason == 3 ? ", the last one of a malformed request" : ": a bad cable?");
}

// The line itself failed: what it says of that, and when.
static void say_how_far(const struct loom_session *s, struct loom_err *err)
{
	size_t used = err ? strlen(err->text) : 0;
	if (err)
		(void)snprintf(err->text + used, sizeof err->text - used,
		               " after %llu words: unplugged, or switched off", (unsigned long long)s->words_done);
}

static int work(struct loom_session *s, unsigned timeout_ms, struct loom_err *err)
{
	uint64_t timeout_us = (uint64_t)timeout_ms * 1000u, troubles = 0;
	s->progress_us = s->heard_us = now_us(s);
	troubles = s->stats.damaged + s->stats.refused;
	for (;;) {
		uint64_t before = s->progress_us;
		size_t n = 0;
		fill_out(s);
		if (in_flight(s) == 0 && s->at == s->n)
			return 0;
		uint64_t now = now_us(s), line = loom_pace_line_us(&s->pace, bytes_under_way(s));
		uint64_t patience = loom_pace_patience_us(&s->pace) + line, again = s->heard_us + patience;
		uint64_t limit = timeout_us + line; // on a slow line what was asked for takes its time
		uint64_t end = s->progress_us + limit, until = again < end ? again : end;
		int code = exchange(s, &n, until > now ? until - now : 0, err);
		if (code == LOOM_ELINK)
			say_how_far(s, err);
		now = now_us(s);
		for (size_t i = 0; code == 0 && i < n; i++) {
			switch (loom_frame_take(&s->reader, s->in[i], &s->answer)) {
			case LOOM_FRAME_GOOD: code = take_frame(s, now, err); break;
			case LOOM_FRAME_DAMAGED:
				s->stats.damaged++;
				if (in_flight(s) && s->slots[s->base].is_read) {
					loom_pace_damage(&s->pace, LOOM_PACE_READS);
					s->mark_wanted = !s->mark_sent;
				}
				break;
			case LOOM_FRAME_NONE: break;
			}
		}
		if (code)
			return code;
		if (s->progress_us != before)
			troubles = s->stats.damaged + s->stats.refused;
		else if (now >= s->progress_us + limit)
			return fail_timeout(s, s->stats.damaged + s->stats.refused != troubles, err);
		if (n == 0 && now >= s->heard_us + patience) { // the answer to a mark will tell what is lost
			s->mark_wanted = true;
			s->mark_sent = false;
			loom_pace_silence(&s->pace);
			s->heard_us = now;
		}
	}
}

int loom_session_transfer(struct loom_session *s, const struct loom_transfer *list, size_t n, unsigned timeout_ms,
                          struct loom_err *err)
{
	int code = s->live ? 0 : greet(s, timeout_ms, err);
	if (code)
		return code;
	s->list = list;
	s->n = n;
	s->at = s->word = 0;
	s->mark_sent = s->mark_wanted = false;
	code = work(s, timeout_ms, err);
	s->live = code == 0;
	s->list = NULL;
	return code;
}

void loom_session_stats(struct loom_session *s, struct loom_link_stats *out)
{
	*out = s->stats;
	out->round_trip_us = s->pace.round_trip_us;
	out->now_us = now_us(s);
}

int loom_session_link_open(struct loom_link *link, const char *argument, const struct loom_link_options *options,
                           struct loom_err *err)
{
	struct loom_pipe pipe = {0};
	struct loom_session *s;
	int code = link->kind->pipe(&pipe, argument, options, err);
	if (code == 0)
		code = loom_session_open(&s, &pipe, link->timeout_ms, err);
	if (code == 0)
		link->state = s;
	return code;
}

int loom_session_link_transfer(struct loom_link *link, const struct loom_transfer *list, size_t n, unsigned timeout_ms,
                               struct loom_err *err)
{
	return loom_session_transfer(link->state, list, n, timeout_ms, err);
}

int loom_session_link_run(struct loom_link *link, uint64_t n_cycles, struct loom_err *err)
{
	struct loom_session *s = link->state;
	return s->pipe.kind->advance ? s->pipe.kind->advance(&s->pipe, n_cycles, err) : 0;
}

void loom_session_link_stats(struct loom_link *link, struct loom_link_stats *out)
{
	loom_session_stats(link->state, out);
}

void loom_session_link_close(struct loom_link *link)
{
	loom_session_close(link->state);
	link->state = NULL;
}
