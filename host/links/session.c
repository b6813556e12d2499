// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "frame.h"

#define WINDOW_MOST 64u
#define WINDOW_LEAST 2.0
#define WINDOW_FIRST 4.0
#define WORDS_FIRST 16.0                // of a frame, until it is known how the line is
#define WORDS_LEAST 4.0                 // fewer make a frame hardly shorter
#define WORDS_GROWTH 0.5                // by each frame that comes through, after the first damage
#define ROOM_LEAST 32u                  // bytes of the board's buffer: a write of one word
#define HELLO_US 100000u                // until a hello is repeated, doubled each time
#define HELLO_ZEROS 3u                  // end what a predecessor left unfinished
#define REPEAT_LEAST_US 4000.0          // a program may not run for that long without being stuck
#define REPEAT_LEAST_SIMULATED_US 500.0 // a line with a time of its own waits for the program
#define REPEAT_FIRST_US 100000.0
#define REPEAT_MOST_US 1000000.0
#define BACKOFF 1.25    // by each silence; answers that come after all tell a slow line from a bad one
#define QUEUE_US 4000.0 // a round trip grown by more means that frames only wait in a queue
#define MARK_BEHIND 31u // see mark()
#define MARKS 8u        // numbers of marks, taken in turn
#define OUT_BYTES 8192u
#define IN_BYTES 4096u

enum { WRITES, READS };

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
	unsigned max_words, room; // what the board said: words, and bytes of one frame on the line without its zero

	// Numbers base .. next-1 are in flight.
	uint8_t base, next;
	struct slot slots[256];
	uint64_t order;
	double window;   // frames
	double words[2]; // of a frame, by kind
	bool damaged_once[2];

	bool mark_wanted, mark_sent; // a hello amid the frames, see mark()
	uint8_t mark;
	unsigned n_marks;
	uint64_t mark_order;
	bool suspect; // the board asked for a number that it cannot want
	unsigned last_reason;

	double round_trip_us, deviation_us, shortest_us, repeat_us;
	double backoff;
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
	if (s->at == s->n || in_flight(s) >= (unsigned)s->window || s->mark_wanted || s->mark_sent)
		return false;
	bool is_read = s->list[s->at].read != NULL;
	unsigned read_bytes = 0, words = (unsigned)s->words[is_read ? READS : WRITES];
	for (uint8_t k = s->base; k != s->next; k++)
		if (s->slots[k].is_read && !s->slots[k].done)
			read_bytes += s->slots[k].line_bytes;
	if (read_bytes && !is_read) // a read that is repeated must not see it
		return false;
	// A body of at most so many bytes fits the board's buffer; many small commands count as their bytes do.
	unsigned fits = s->room - LOOM_FRAME_CRC_BYTES - 1 - s->room / 254;
	unsigned bytes = LOOM_FRAME_HEADER_BYTES + LOOM_FRAME_COMMAND_BYTES + 4 * words;
	if (words > s->max_words)
		words = s->max_words;
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

// --- Learning how the line is --------------------------------------------------------------------------------------

static void shrink_words(struct loom_session *s, int kind)
{
	s->damaged_once[kind] = true;
	s->words[kind] = s->words[kind] * 0.75 > WORDS_LEAST ? s->words[kind] * 0.75 : WORDS_LEAST;
}

// Less in flight is less to be sent again; but not so little that the line stands still for most of a round trip.
static void shrink_window(struct loom_session *s)
{
	double words = s->words[WRITES] < s->words[READS] ? s->words[WRITES] : s->words[READS];
	double frame_bytes = LOOM_FRAME_LINE_BYTES(LOOM_FRAME_HEADER_BYTES + LOOM_FRAME_COMMAND_BYTES) + 4 * words;
	double least = WINDOW_LEAST + s->shortest_us * 1e-6 * s->pipe.bytes_per_s / frame_bytes;
	if (least > WINDOW_MOST)
		least = WINDOW_MOST;
	s->window = s->window / 2 > least ? s->window / 2 : least;
}

static void learn(struct loom_session *s, const struct slot *slot, uint64_t now)
{
	double sample = (double)(now - slot->sent_us), most = s->max_words;
	int kind = slot->is_read ? READS : WRITES;
	s->words[kind] = s->damaged_once[kind] ? s->words[kind] + WORDS_GROWTH : 2 * s->words[kind];
	if (s->words[kind] > most)
		s->words[kind] = most;
	s->backoff = 1;
	if (slot->repeated)
		return; // nobody knows which sending was answered
	if (s->round_trip_us <= 0) {
		s->round_trip_us = sample;
		s->deviation_us = sample / 2;
	} else {
		double off = sample > s->round_trip_us ? sample - s->round_trip_us : s->round_trip_us - sample;
		s->deviation_us += (off - s->deviation_us) / 4;
		s->round_trip_us += (sample - s->round_trip_us) / 8;
	}
	if (s->shortest_us <= 0 || sample < s->shortest_us)
		s->shortest_us = sample;
	s->repeat_us = s->round_trip_us + 4 * s->deviation_us;
	if (sample < 2 * s->shortest_us + QUEUE_US && s->window < WINDOW_MOST)
		s->window += s->damaged_once[WRITES] || s->damaged_once[READS] ? 1 / s->window : 1;
	if (s->window > WINDOW_MOST)
		s->window = WINDOW_MOST;
}

// Until silence means that something was lost: the measured round trip and what the line needs for all that is under
// way.
// What is under way takes the line itself so long, if its rate is known.
static uint64_t line_us(const struct loom_session *s)
{
	double bytes = 0;
	for (uint8_t k = s->base; k != s->next; k++)
		bytes += s->slots[k].done ? 0 : s->slots[k].line_bytes + s->slots[k].answer_bytes;
	return s->pipe.bytes_per_s > 0 ? (uint64_t)(1e6 * bytes / s->pipe.bytes_per_s) : 0;
}

static uint64_t patience_us(const struct loom_session *s)
{
	double least = s->pipe.kind->now_us ? REPEAT_LEAST_SIMULATED_US : REPEAT_LEAST_US;
	double us = s->repeat_us < least ? least : s->repeat_us;
	if (us > REPEAT_MOST_US)
		us = REPEAT_MOST_US;
	us *= s->backoff;
	if (us > REPEAT_MOST_US)
		us = REPEAT_MOST_US;
	return (uint64_t)us + line_us(s);
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
	learn(s, slot, now);
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
		shrink_window(s);
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
			shrink_words(s, s->slots[a->number].is_read ? READS : WRITES);
		shrink_window(s);
	}
	return 0;
}

static void take_mark(struct loom_session *s, uint64_t now)
{
	bool lost = false;
	s->mark_sent = false;
	s->heard_us = now;
	s->backoff = 1;
	for (uint8_t k = s->base; k != s->next; k++) {
		struct slot *slot = &s->slots[k];
		if (slot->done || slot->queued || slot->last > s->mark_order)
			continue;
		slot->queued = lost = true;
		slot->first = 0;
	}
	if (lost)
		shrink_window(s);
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
		return loom_fail(err, LOOM_ELINK, "%s answers, but not to a hello: is another program talking to it?",
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
	s->max_words = a->max_words;
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
	s->words[WRITES] = s->words[READS] = WORDS_FIRST;
	s->damaged_once[WRITES] = s->damaged_once[READS] = false;
	s->window = WINDOW_FIRST;
	s->repeat_us = REPEAT_FIRST_US;
	s->backoff = 1;
	s->round_trip_us = s->shortest_us = 0;
	if (s->pipe.kind->discard)
		s->pipe.kind->discard(&s->pipe);

	uint64_t begin = now_us(s), again = begin, wait = HELLO_US, end = begin + (uint64_t)timeout_ms * 1000u;
	uint64_t bytes = 0, good = 0;
	if (s->pipe.bytes_per_s > 0) {
		wait += (uint64_t)(64e6 / s->pipe.bytes_per_s);
		end += (uint64_t)(64e6 / s->pipe.bytes_per_s);
	}
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
		uint64_t now = now_us(s), patience = patience_us(s), again = s->heard_us + patience;
		uint64_t limit = timeout_us + line_us(s); // on a slow line what was asked for takes its time
		uint64_t end = s->progress_us + limit, until = again < end ? again : end;
		int code = exchange(s, &n, until > now ? until - now : 0, err);
		now = now_us(s);
		for (size_t i = 0; code == 0 && i < n; i++) {
			switch (loom_frame_take(&s->reader, s->in[i], &s->answer)) {
			case LOOM_FRAME_GOOD: code = take_frame(s, now, err); break;
			case LOOM_FRAME_DAMAGED:
				s->stats.damaged++;
				if (in_flight(s) && s->slots[s->base].is_read) {
					shrink_words(s, READS);
					s->mark_wanted = !s->mark_sent;
				}
				break;
			case LOOM_FRAME_NONE: break;
			}
		}
		if (code == LOOM_ELINK && err && !strstr(err->text, " words")) {
			size_t used = strlen(err->text);
			(void)snprintf(err->text + used, sizeof err->text - used,
			               " after %llu words: unplugged, or switched off",
			               (unsigned long long)s->words_done);
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
			s->backoff *= BACKOFF;
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

void loom_session_stats(const struct loom_session *s, struct loom_link_stats *out)
{
	*out = s->stats;
	out->round_trip_us = s->round_trip_us;
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

void loom_session_link_stats(const struct loom_link *link, struct loom_link_stats *out)
{
	loom_session_stats(link->state, out);
}

void loom_session_link_close(struct loom_link *link)
{
	loom_session_close(link->state);
	link->state = NULL;
}
