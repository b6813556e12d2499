// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "links/session_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#define ROOM_LEAST 32u   // bytes of the board's buffer: a write of one word
#define HELLO_US 100000u // until a hello is repeated, doubled each time
#define HELLO_BYTES 64   // the most bytes of a hello and its answer
#define HELLO_ZEROS 3u   // zeros that end an unfinished frame of a predecessor

static double bytes_under_way(const struct loom_session *s)
{
	double bytes = 0;
	for (uint8_t k = s->base; k != s->next; k++)
		bytes += s->slots[k].done ? 0 : s->slots[k].line_bytes + s->slots[k].answer_bytes;
	return bytes;
}

// Makes one exchange with the line. *n_in: bytes that came.
static int exchange(struct loom_session *s, size_t *n_in, uint64_t timeout_us, struct loom_err *err)
{
	struct loom_pipe_bytes bytes = {
		.out = s->out + s->out_at, .n_out = s->out_n - s->out_at, .in = s->in, .in_room = sizeof s->in};
	int code = s->pipe.kind->exchange(&s->pipe, &bytes, timeout_us, err);
	*n_in = bytes.n_came;
	s->out_at += bytes.n_sent;
	s->stats.bytes_out += bytes.n_sent;
	s->stats.bytes_in += bytes.n_came;
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

	uint64_t begin = loom_session_now_us(s), again = begin, wait = HELLO_US,
		 end = begin + (uint64_t)timeout_ms * 1000u;
	uint64_t bytes = 0, good = 0;
	wait += loom_pace_line_us(&s->pace, HELLO_BYTES);
	end += loom_pace_line_us(&s->pace, HELLO_BYTES);
	for (;;) {
		uint64_t now = loom_session_now_us(s);
		if (now >= end)
			return fail_hello(s, bytes, good, err);
		if (now >= again) {
			if (s->out_at == s->out_n) { // else the line has not taken the last hello yet
				memset(s->out, 0, HELLO_ZEROS);
				s->out_at = 0;
				s->out_n = HELLO_ZEROS;
				loom_session_put_hello(s, seed[4]);
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

// Reports a failure of the line itself, with the line's own text and the time.
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
	s->progress_us = s->heard_us = loom_session_now_us(s);
	troubles = s->stats.damaged + s->stats.refused;
	for (;;) {
		uint64_t before = s->progress_us;
		size_t n = 0;
		loom_session_fill_out(s);
		if (loom_session_in_flight(s) == 0 && s->at == s->n)
			return 0;
		uint64_t now = loom_session_now_us(s), line = loom_pace_line_us(&s->pace, bytes_under_way(s));
		uint64_t patience = loom_pace_patience_us(&s->pace) + line, again = s->heard_us + patience;
		uint64_t limit = timeout_us + line; // on a slow line the requests themselves take time
		uint64_t end = s->progress_us + limit, until = again < end ? again : end;
		int code = exchange(s, &n, until > now ? until - now : 0, err);
		if (code == LOOM_ELINK)
			say_how_far(s, err);
		now = loom_session_now_us(s);
		for (size_t i = 0; code == 0 && i < n; i++) {
			switch (loom_frame_take(&s->reader, s->in[i], &s->answer)) {
			case LOOM_FRAME_GOOD: code = loom_session_take_frame(s, now, err); break;
			case LOOM_FRAME_DAMAGED:
				s->stats.damaged++;
				if (loom_session_in_flight(s) && s->slots[s->base].is_read) {
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
		if (n == 0 && now >= s->heard_us + patience) { // the answer to a mark will show which frames are lost
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
	out->now_us = loom_session_now_us(s);
}
