// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_FRAME_H
#define LOOM_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <flitloom/link/session.h>

// Converts frames of docs/protocol.md to bytes and back; it does not read or write a line.
#define LOOM_FRAME_READ 0x01u
#define LOOM_FRAME_WRITE 0x02u
#define LOOM_FRAME_HELLO 0x03u
#define LOOM_FRAME_ANSWER 0x80u // added to the request's kind
#define LOOM_FRAME_REFUSAL 0x84u
#define LOOM_LINK_PROTOCOL 1u

#define LOOM_FRAME_COMMAND_WORDS 64u // the most words of one command
#define LOOM_FRAME_HEADER_BYTES 2u   // kind and number
#define LOOM_FRAME_COMMAND_BYTES 5u  // bytes of a command, without data
#define LOOM_FRAME_CRC_BYTES 4u
// The largest body that either side may send: a write frame of 255 words in as many commands.
#define LOOM_FRAME_BODY_BYTES (LOOM_FRAME_HEADER_BYTES + 255u * (LOOM_FRAME_COMMAND_BYTES + 4u))
// The bytes on the line of a body of n bytes, with CRC, COBS and the zero at the end.
#define LOOM_FRAME_LINE_BYTES(n) ((n) + LOOM_FRAME_CRC_BYTES + ((n) + LOOM_FRAME_CRC_BYTES) / 254u + 2u)
#define LOOM_FRAME_LINE_MAX LOOM_FRAME_LINE_BYTES(LOOM_FRAME_BODY_BYTES)

// --- Requests ---

// A body under construction.
struct loom_frame {
	size_t n;
	uint8_t body[LOOM_FRAME_BODY_BYTES];
};

void loom_frame_begin(struct loom_frame *out, unsigned kind, uint8_t number);
// Adds a command. n_words is 1 to LOOM_FRAME_COMMAND_WORDS; `words` are appended in a write frame, else NULL. The
// caller keeps to the limits.
void loom_frame_command(struct loom_frame *out, uint32_t address, const uint32_t *words, size_t n_words, bool fixed);
void loom_frame_nonce(struct loom_frame *out, uint32_t nonce); // the nonce of a hello
// Writes the bytes for the line, with the zero at the end; `out` has room for LOOM_FRAME_LINE_BYTES(frame->n).
// Returns how many there are.
size_t loom_frame_encode(uint8_t *out, const struct loom_frame *frame);

// --- Answers ---

// Collects bytes up to a zero.
struct loom_frame_reader {
	size_t n; // if all of `bytes` are used without a zero, this is no frame, and is discarded
	uint8_t bytes[LOOM_FRAME_LINE_MAX];
};

enum loom_frame_found { LOOM_FRAME_NONE, LOOM_FRAME_GOOD, LOOM_FRAME_DAMAGED };

// Takes a byte from the line. GOOD: *out holds a body whose CRC is right.
enum loom_frame_found loom_frame_take(struct loom_frame_reader *reader, uint8_t byte, struct loom_frame *out);

struct loom_answer {
	unsigned kind; // LOOM_FRAME_ANSWER + that of the request, or LOOM_FRAME_REFUSAL
	uint8_t number;
	unsigned n_words;                      // read
	const uint8_t *words;                  // read: words within the frame, little-endian
	uint32_t nonce;                        // hello
	unsigned version, max_words, rx_bytes; // hello
	unsigned reason;                       // refusal: 1 damaged, 2 out of order, 3 malformed, 4 no room
};

// Parses an answer, which is valid as long as the frame. False: this protocol has no such answer.
bool loom_answer_parse(struct loom_answer *out, const struct loom_frame *frame);
uint32_t loom_answer_word(const struct loom_answer *answer, size_t i);

#endif
