// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Tries any bytes that a board may send. The input is used twice: as bytes of the line; and as a whole, as the body
// of a frame whose CRC is right. The parser accepts this body or refuses it, and a session that gets it must obey the
// rules of the protocol.
#include <stdlib.h>
#include <string.h>

#include <flitloom/link/session.h>

#include "links/frame.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look_at(const struct loom_frame *frame)
{
	struct loom_answer a;
	if (!loom_answer_parse(&a, frame))
		return;
	if (a.kind == (LOOM_FRAME_ANSWER | LOOM_FRAME_READ) &&
	    LOOM_FRAME_HEADER_BYTES + 4 * (size_t)a.n_words != frame->n)
		abort();
	for (unsigned i = 0; i < a.n_words; i++)
		(void)loom_answer_word(&a, i);
}

// A board which answers the hello and then sends the input, again and again.
struct board {
	const uint8_t *data;
	size_t size, at, n_hello;
	uint8_t hello[64];
	struct loom_frame_reader reader;
	struct loom_frame frame;
	uint64_t now_us;
};

static int exchange(struct loom_pipe *pipe, struct loom_pipe_bytes *bytes, uint64_t timeout_us, struct loom_err *err)
{
	struct board *b = pipe->state;
	(void)err;
	bytes->n_sent = bytes->n_out;
	bytes->n_came = 0;
	b->now_us += timeout_us / 4 + 100;
	for (size_t i = 0; i < bytes->n_out; i++)
		if (loom_frame_take(&b->reader, bytes->out[i], &b->frame) == LOOM_FRAME_GOOD &&
		    b->frame.body[0] == LOOM_FRAME_HELLO) {
			static const uint8_t rest[] = {LOOM_LINK_PROTOCOL, 64, 0, 2};
			b->frame.body[0] |= LOOM_FRAME_ANSWER;
			memcpy(b->frame.body + b->frame.n, rest, sizeof rest);
			b->frame.n += sizeof rest;
			b->n_hello = loom_frame_encode(b->hello, &b->frame);
		}
	if (b->n_hello && bytes->in_room >= b->n_hello) {
		memcpy(bytes->in, b->hello, b->n_hello);
		bytes->n_came = b->n_hello;
		b->n_hello = 0;
		return 0;
	}
	while (bytes->n_came < bytes->in_room && b->at < b->size)
		bytes->in[bytes->n_came++] = b->data[b->at++];
	b->at = b->at == b->size ? 0 : b->at;
	return 0;
}

static uint64_t now_us(struct loom_pipe *pipe)
{
	const struct board *b = pipe->state;
	return b->now_us;
}

static void nothing(struct loom_pipe *pipe)
{
	(void)pipe;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct loom_pipe_kind kind = {.exchange = exchange, .close = nothing, .now_us = now_us};
	struct loom_frame_reader reader = {0};
	struct loom_frame frame;
	for (size_t i = 0; i < size; i++)
		if (loom_frame_take(&reader, data[i], &frame) == LOOM_FRAME_GOOD)
			look_at(&frame);
	frame.n = size < LOOM_FRAME_BODY_BYTES ? size : LOOM_FRAME_BODY_BYTES;
	memcpy(frame.body, data, frame.n);
	look_at(&frame);

	// The input as frames: a byte of length, then the body.
	static uint8_t line[1 << 16];
	struct board board = {.data = line};
	for (size_t at = 0; at < size && board.size + LOOM_FRAME_LINE_MAX < sizeof line;) {
		frame.n = data[at] < size - at - 1 ? data[at] : size - at - 1;
		memcpy(frame.body, data + at + 1, frame.n);
		at += 1 + frame.n;
		board.size += loom_frame_encode(line + board.size, &frame);
	}
	struct loom_pipe pipe = {.kind = &kind, .state = &board, .name = "fuzz"};
	struct loom_session *s;
	struct loom_err err = {0};
	uint32_t words[200] = {0};
	const struct loom_transfer list[] = {{.address = 1, .n_words = 100, .write = words},
	                                     {.address = 1, .n_words = 200, .read = words}};
	if (loom_session_open(&s, &pipe, 50, &err) == 0) {
		if (loom_session_transfer(s, list, 2, 50, &err) != 0 && !err.text[0])
			abort();
		loom_session_close(s);
	}
	return 0;
}
