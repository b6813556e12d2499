// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "links/frame.h"

#include <string.h>
#include <zlib.h>

static void put32(uint8_t *out, uint32_t word)
{
	for (unsigned i = 0; i < 4; i++)
		out[i] = (uint8_t)(word >> (8 * i));
}

static uint32_t get32(const uint8_t *bytes)
{
	return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static uint32_t crc_of(const uint8_t *bytes, size_t n)
{
	return (uint32_t)crc32(0, bytes, (uInt)n);
}

void loom_frame_begin(struct loom_frame *out, unsigned kind, uint8_t number)
{
	out->body[0] = (uint8_t)kind;
	out->body[1] = number;
	out->n = LOOM_FRAME_HEADER_BYTES;
}

void loom_frame_command(struct loom_frame *out, uint32_t address, const uint32_t *words, size_t n_words, bool fixed)
{
	out->body[out->n] = (uint8_t)((n_words - 1) | (fixed ? 0x80u : 0u));
	put32(out->body + out->n + 1, address);
	out->n += LOOM_FRAME_COMMAND_BYTES;
	for (size_t i = 0; words && i < n_words; i++, out->n += 4)
		put32(out->body + out->n, words[i]);
}

void loom_frame_nonce(struct loom_frame *out, uint32_t nonce)
{
	put32(out->body + out->n, nonce);
	out->n += 4;
}

size_t loom_frame_encode(uint8_t *out, const struct loom_frame *frame)
{
	uint8_t crc[LOOM_FRAME_CRC_BYTES];
	size_t n = 1, code_at = 0; // the place for the distance to the next zero
	put32(crc, crc_of(frame->body, frame->n));
	for (size_t i = 0; i < frame->n + sizeof crc; i++) {
		uint8_t byte = i < frame->n ? frame->body[i] : crc[i - frame->n];
		if (n - code_at == 255) { // 254 bytes without a zero
			out[code_at] = 255;
			code_at = n++;
		}
		if (byte) {
			out[n++] = byte;
		} else {
			out[code_at] = (uint8_t)(n - code_at);
			code_at = n++;
		}
	}
	out[code_at] = (uint8_t)(n - code_at);
	out[n++] = 0;
	return n;
}

// Decodes and checks a frame, which has lost its zero.
static bool decode(struct loom_frame *out, const uint8_t *bytes, size_t n)
{
	uint8_t plain[LOOM_FRAME_LINE_MAX];
	size_t n_plain = 0;
	for (size_t at = 0; at < n;) {
		size_t run = bytes[at];
		if (run == 0 || run > n - at)
			return false;
		memcpy(plain + n_plain, bytes + at + 1, run - 1);
		n_plain += run - 1;
		at += run;
		if (run < 255 && at < n)
			plain[n_plain++] = 0;
	}
	if (n_plain < LOOM_FRAME_HEADER_BYTES + LOOM_FRAME_CRC_BYTES ||
	    n_plain > LOOM_FRAME_BODY_BYTES + LOOM_FRAME_CRC_BYTES)
		return false;
	n_plain -= LOOM_FRAME_CRC_BYTES;
	if (get32(plain + n_plain) != crc_of(plain, n_plain))
		return false;
	memcpy(out->body, plain, n_plain);
	out->n = n_plain;
	return true;
}

enum loom_frame_found loom_frame_take(struct loom_frame_reader *reader, uint8_t byte, struct loom_frame *out)
{
	if (byte) {
		if (reader->n < sizeof reader->bytes)
			reader->bytes[reader->n++] = byte;
		return LOOM_FRAME_NONE;
	}
	size_t n = reader->n;
	reader->n = 0;
	if (n == 0)
		return LOOM_FRAME_NONE;
	return n < sizeof reader->bytes && decode(out, reader->bytes, n) ? LOOM_FRAME_GOOD : LOOM_FRAME_DAMAGED;
}

bool loom_answer_parse(struct loom_answer *out, const struct loom_frame *frame)
{
	if (frame->n < LOOM_FRAME_HEADER_BYTES)
		return false;
	const uint8_t *rest = frame->body + LOOM_FRAME_HEADER_BYTES;
	size_t n = frame->n - LOOM_FRAME_HEADER_BYTES;
	struct loom_answer a = {.kind = frame->body[0], .number = frame->body[1]};
	switch (a.kind) {
	case LOOM_FRAME_ANSWER + LOOM_FRAME_READ:
		if (n == 0 || n % 4 != 0)
			return false;
		a.n_words = (unsigned)(n / 4);
		a.words = rest;
		break;
	case LOOM_FRAME_ANSWER + LOOM_FRAME_WRITE:
		if (n != 0)
			return false;
		break;
	case LOOM_FRAME_ANSWER + LOOM_FRAME_HELLO:
		if (n != 8)
			return false;
		a.nonce = get32(rest);
		a.version = rest[4];
		a.max_words = rest[5];
		a.rx_bytes = rest[6] | (unsigned)rest[7] << 8;
		break;
	case LOOM_FRAME_REFUSAL:
		if (n != 1 || rest[0] < 1 || rest[0] > 4)
			return false;
		a.reason = rest[0];
		break;
	default: return false;
	}
	*out = a;
	return true;
}

uint32_t loom_answer_word(const struct loom_answer *answer, size_t i)
{
	return get32(answer->words + 4 * i);
}
