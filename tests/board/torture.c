// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// usage: torture BOARD BYTES STRINGS SEED [LINE]
// Tests the byte link on bad lines, in simulated time. For each kind of bad line, BYTES of words are written to and
// BYTES read from a verilated board (as sim-uart's argument), and a tenth of them on a line with all faults at once.
// Every word read must be the last one written there, and other words must not change. Then STRINGS random strings of
// bytes go straight into the board, which must answer a probe after every 1,000 of them. LINE: one kind of line only
// (its name, or "strings"). Ends in "N passed, N failed".
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <flitloom/err.h>
#include <flitloom/link.h>
#include <flitloom/link/pipe.h>
#include <flitloom/link/regmap.h>
#include <flitloom/link/session.h>

#include "base/rng.h"
#include "links/fault.h"
#include "links/frame.h"
#include "links/links.h"
#include "links/pins.h"
#include "links/vline.h"

#define BLOCK 512u        // words of one transfer at most
#define TIMEOUT_MS 20000u // of the board's time, without a word coming through
#define PROBE_EVERY 1000u
#define PROBE_BYTES 64u
#define STRING_MOST 40u // bytes

// Words that keep what is written: which bits of them do, and what is there.
struct memory {
	uint32_t base;
	uint32_t n, mask[2]; // of even and odd words
	uint32_t *held;
};

struct board {
	struct loom_session *session;
	struct loom_pipe line; // below the faults: its time
	struct memory memory;
	uint64_t wrong;
};

static uint32_t below(struct loom_rng *rng, uint32_t n)
{
	return (uint32_t)loom_rng_below(rng, n);
}

static double now_s(struct board *b)
{
	return (double)b->line.kind->now_us(&b->line) / 1e6;
}

static int words(struct board *b, uint32_t address, const uint32_t *write, uint32_t *read, size_t n,
                 struct loom_err *err)
{
	const struct loom_transfer one = {.address = address, .n_words = n, .write = write, .read = read};
	return loom_session_transfer(b->session, &one, 1, TIMEOUT_MS, err);
}

// The first node's program is the memory; how much of a word it keeps is found out on a good line.
static int survey(struct board *b, struct loom_err *err)
{
	static const uint32_t ones[2] = {UINT32_MAX, UINT32_MAX};
	struct memory *m = &b->memory;
	uint32_t depth = 0;
	m->base = LOOM_WINDOW_PROGRAM;
	int code = words(b, LOOM_REG_PROGRAM_DEPTH, NULL, &depth, 1, err);
	m->n = 2 * depth;
	m->held = code == 0 ? calloc(m->n, sizeof *m->held) : NULL;
	if (code == 0 && !m->held)
		code = loom_fail(err, LOOM_ENOMEM, "no memory");
	if (code == 0)
		code = words(b, m->base, ones, NULL, 2, err);
	if (code == 0)
		code = words(b, m->base, NULL, m->mask, 2, err);
	if (code == 0 && (m->mask[0] == 0 || m->mask[1] == 0))
		code = loom_fail(err, LOOM_EHARDWARE, "the program keeps nothing");
	for (uint32_t at = 0; code == 0 && at < m->n; at += BLOCK)
		code = words(b, m->base + at, m->held + at, NULL, m->n - at < BLOCK ? m->n - at : BLOCK, err);
	return code;
}

static int write_block(struct board *b, struct loom_rng *rng, uint64_t *n_done, struct loom_err *err)
{
	struct memory *m = &b->memory;
	uint32_t block[BLOCK], most = m->n < BLOCK ? m->n : BLOCK;
	uint32_t n = 1 + below(rng, most), at = below(rng, m->n - n + 1);
	for (uint32_t i = 0; i < n; i++)
		block[i] = (uint32_t)loom_rng_next(rng);
	int code = words(b, m->base + at, block, NULL, n, err);
	for (uint32_t i = 0; i < n && code == 0; i++)
		m->held[at + i] = block[i] & m->mask[(at + i) % 2];
	*n_done += n;
	return code;
}

static int read_block(struct board *b, struct loom_rng *rng, uint64_t *n_done, struct loom_err *err)
{
	struct memory *m = &b->memory;
	uint32_t block[BLOCK], most = m->n < BLOCK ? m->n : BLOCK;
	uint32_t n = 1 + below(rng, most), at = below(rng, m->n - n + 1);
	int code = words(b, m->base + at, NULL, block, n, err);
	for (uint32_t i = 0; i < n && code == 0; i++)
		b->wrong += block[i] != m->held[at + i];
	*n_done += n;
	return code;
}

// Everything that can be written and was not, and the memory as a whole.
static int check_rest(struct board *b, const uint32_t before[2], struct loom_err *err)
{
	struct memory *m = &b->memory;
	uint32_t after[2] = {0};
	int code = words(b, LOOM_REG_CONFIG, NULL, after, 2, err);
	b->wrong += after[0] != before[0];
	b->wrong += after[1] != before[1];
	for (uint32_t at = 0; code == 0 && at < m->n; at += BLOCK) {
		uint32_t block[BLOCK], n = m->n - at < BLOCK ? m->n - at : BLOCK;
		code = words(b, m->base + at, NULL, block, n, err);
		for (uint32_t i = 0; i < n && code == 0; i++)
			b->wrong += block[i] != m->held[at + i];
	}
	return code;
}

static int open_board(struct board *b, const char *spec, const struct loom_fault_settings *faults, struct loom_err *err)
{
	struct loom_pipe pipe = {0}, bad = {0};
	int code = loom_link_sim_uart.pipe(&pipe, spec, NULL, err);
	if (code)
		return code;
	b->line = pipe;
	code = loom_fault_wrap(&bad, &pipe, faults, err);
	return code ? code : loom_session_open(&b->session, &bad, TIMEOUT_MS, err);
}

static int torture(const char *spec, const char *what, const char *settings, uint64_t n_bytes, uint64_t seed)
{
	static const struct loom_fault_settings none = {0};
	struct loom_fault_settings faults;
	struct board good = {0}, b = {0};
	struct loom_err err = {0};
	struct loom_rng rng;
	struct loom_link_stats stats = {0};
	uint64_t written = 0, read = 0;
	uint32_t before[2] = {0, 0x5eed5eed};
	double write_s = 0, read_s = 0, cpu = (double)clock() / CLOCKS_PER_SEC;
	char text[128];
	(void)snprintf(text, sizeof text, "seed=%" PRIu64 ",%s", seed % 1000000, settings);
	loom_rng_init(&rng, seed);
	int code = loom_fault_parse(&faults, text, &err);
	// The survey is made on a good line, by a board which is closed again: two of one model cannot be open.
	if (code == 0)
		code = open_board(&good, spec, &none, &err);
	if (code == 0)
		code = survey(&good, &err);
	loom_session_close(good.session);
	b.memory = good.memory;
	if (code == 0)
		code = open_board(&b, spec, &faults, &err);
	if (code == 0)
		code = words(&b, LOOM_REG_SEED, &before[1], NULL, 1, &err);
	// Memory holds anything after power-up.
	for (uint32_t at = 0; code == 0 && at < b.memory.n; at += BLOCK)
		code = words(&b, b.memory.base + at, b.memory.held + at, NULL,
		             b.memory.n - at < BLOCK ? b.memory.n - at : BLOCK, &err);
	while (code == 0 && (4 * written < n_bytes || 4 * read < n_bytes)) {
		double begin = now_s(&b);
		code = write_block(&b, &rng, &written, &err);
		write_s += now_s(&b) - begin;
		begin = now_s(&b);
		if (code == 0)
			code = read_block(&b, &rng, &read, &err);
		read_s += now_s(&b) - begin;
	}
	if (code == 0)
		code = check_rest(&b, before, &err);
	if (b.session)
		loom_session_stats(b.session, &stats);
	(void)printf("%-28s %9" PRIu64 " %9" PRIu64 " %8.0f %8.0f %8" PRIu64 " %8" PRIu64 " %8" PRIu64 " %6" PRIu64
	             " %7.0f\n",
	             what, 4 * written, 4 * read, write_s > 0 ? 4 * (double)written / write_s : 0,
	             read_s > 0 ? 4 * (double)read / read_s : 0, stats.repeated, stats.damaged, stats.refused, b.wrong,
	             (double)clock() / CLOCKS_PER_SEC - cpu);
	(void)fflush(stdout);
	if (code)
		(void)printf("FAIL %s: %s\n", what, err.text);
	if (b.wrong)
		(void)printf("FAIL %s: %" PRIu64 " wrong words\n", what, b.wrong);
	loom_session_close(b.session);
	free(b.memory.held);
	return code != 0 || b.wrong != 0;
}

// --- Random strings ------------------------------------------------------------------------------------------------

// Nothing, noise, or what looks like a frame: a string that a device may trip over.
static size_t make_string(uint8_t *out, struct loom_rng *rng)
{
	struct loom_frame frame;
	uint32_t word[8];
	size_t n = 1 + below(rng, STRING_MOST);
	uint32_t kind = below(rng, 4);
	for (size_t i = 0; i < n; i++)
		out[i] = (uint8_t)loom_rng_next(rng);
	if (kind == 0)
		return n;
	if (kind == 1) { // many zeros
		for (size_t i = 0; i < n; i++)
			out[i] = out[i] & 1 ? 0 : out[i];
		return n;
	}
	// A frame that writes SEED, but for a bit that flipped; or one of an unknown kind, as it should be, often cut
	// within a word.
	uint32_t count = 1 + below(rng, 4);
	for (uint32_t i = 0; i < count; i++)
		word[i] = (uint32_t)loom_rng_next(rng);
	loom_frame_begin(&frame, kind == 2 ? LOOM_FRAME_WRITE : 4 + below(rng, 252), (uint8_t)loom_rng_next(rng));
	loom_frame_command(&frame, LOOM_REG_SEED, word, count, true);
	if (kind == 3)
		frame.n -= below(rng, 4);
	n = loom_frame_encode(out, &frame);
	if (kind == 2)
		out[below(rng, (uint32_t)n)] ^= (uint8_t)(1u << below(rng, 8));
	return n;
}

static void send(struct loom_vline *line, const uint8_t *bytes, size_t n)
{
	uint8_t thrown[LOOM_PINS_FIFO];
	for (size_t at = 0; at < n;) {
		at += loom_vline_put(line, bytes + at, n - at);
		loom_vline_run(line, at < n ? 100000 : 0, 0, true);
		(void)loom_vline_get(line, thrown, sizeof thrown);
	}
}

// A hello with a nonce of its own, then LINK_MAGIC, MAGIC and SEED read. False: no valid answers, or SEED was written.
static bool probe(struct loom_vline *line, uint32_t nonce, unsigned clock_hz)
{
	struct loom_frame_reader reader = {0};
	struct loom_frame frame, answer;
	struct loom_answer a;
	uint8_t bytes[2 + 3 * PROBE_BYTES] = {0}, byte;
	size_t n = 2; // zeros end what was begun
	bool greeted = false;
	loom_frame_begin(&frame, LOOM_FRAME_HELLO, 7);
	loom_frame_nonce(&frame, nonce);
	n += loom_frame_encode(bytes + n, &frame);
	loom_frame_begin(&frame, LOOM_FRAME_READ, 8);
	loom_frame_command(&frame, LOOM_LINK_REG_MAGIC, NULL, 1, false);
	loom_frame_command(&frame, LOOM_REG_MAGIC, NULL, 1, false);
	loom_frame_command(&frame, LOOM_REG_SEED, NULL, 1, false);
	n += loom_frame_encode(bytes + n, &frame);
	send(line, bytes, n);
	for (uint64_t end = loom_vline_cycles(line) + clock_hz / 20; loom_vline_cycles(line) < end;) {
		loom_vline_run(line, end - loom_vline_cycles(line), 1, false);
		while (loom_vline_get(line, &byte, 1))
			if (loom_frame_take(&reader, byte, &answer) == LOOM_FRAME_GOOD &&
			    loom_answer_parse(&a, &answer)) {
				if (a.kind == LOOM_FRAME_ANSWER + LOOM_FRAME_HELLO && a.nonce == nonce)
					greeted = true;
				else if (greeted && a.kind == LOOM_FRAME_ANSWER + LOOM_FRAME_READ && a.number == 8)
					return a.n_words == 3 && loom_answer_word(&a, 0) == LOOM_LINK_MAGIC_IS &&
					       loom_answer_word(&a, 1) == 0x4d4f4f4c && loom_answer_word(&a, 2) == 0;
			}
	}
	return false;
}

static int strings(const char *spec, uint64_t n_strings, uint64_t seed)
{
	struct loom_vline_settings settings;
	struct loom_vline *line = NULL;
	struct loom_err err = {0};
	struct loom_rng rng;
	uint8_t bytes[LOOM_FRAME_LINE_MAX];
	uint64_t n_bytes = 0, probes = 0, n_wrong = 0;
	double cpu = (double)clock() / CLOCKS_PER_SEC;
	char *text = strdup(spec);
	loom_rng_init(&rng, seed);
	int code = text ? loom_vline_parse(&settings, text, NULL, &err) : LOOM_ENOMEM;
	if (code == 0)
		code = loom_vline_open(&line, &settings, NULL, &err);
	for (uint64_t i = 0; code == 0 && i < n_strings; i++) {
		size_t n = make_string(bytes, &rng);
		send(line, bytes, n);
		n_bytes += n;
		if ((i + 1) % PROBE_EVERY && i + 1 != n_strings)
			continue;
		probes++;
		if (!probe(line, (uint32_t)loom_rng_next(&rng), settings.clock_hz)) {
			n_wrong++;
			(void)printf("FAIL: no valid probe after %" PRIu64 " strings\n", i + 1);
		}
	}
	if (code)
		(void)printf("FAIL: %s\n", err.text);
	(void)printf("%" PRIu64 " random strings, %" PRIu64 " bytes: %" PRIu64 " of %" PRIu64
	             " probes answered, %.0f s of CPU\n",
	             n_strings, n_bytes, probes - n_wrong, probes, (double)clock() / CLOCKS_PER_SEC - cpu);
	loom_vline_close(line);
	free(text);
	return code != 0 || n_wrong != 0 || probes == 0;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name, *settings;
		uint64_t part; // of BYTES
	} lines[] = {
		{"good line", "flip=0", 1},
		{"flip 1e-5", "flip=1e-5", 1},
		{"flip 1e-4", "flip=1e-4", 1},
		{"flip 1e-3", "flip=1e-3", 1},
		{"drop 1%", "drop=0.01", 1},
		{"duplicate 1%", "duplicate=0.01", 1},
		{"truncate 1%", "truncate=0.01", 1},
		{"drop, duplicate, truncate 1%", "drop=0.01,duplicate=0.01,truncate=0.01", 10},
	};
	enum { N = sizeof lines / sizeof lines[0] };
	const char *only = argc > 5 ? argv[5] : NULL;
	int failed = 0, n = 0;
	if (argc < 5)
		return 2;
	uint64_t n_bytes = strtoull(argv[2], NULL, 10), n_strings = strtoull(argv[3], NULL, 10);
	uint64_t seed = strtoull(argv[4], NULL, 10);
	(void)printf("%-28s %9s %9s %8s %8s %8s %8s %8s %6s %7s\n", "line", "written", "read", "B/s w", "B/s r",
	             "repeated", "damaged", "refused", "wrong", "CPU s");
	for (size_t i = 0; i < N; i++)
		if (!only || strcmp(only, lines[i].name) == 0) {
			failed += torture(argv[1], lines[i].name, lines[i].settings, n_bytes / lines[i].part, seed + i);
			n++;
		}
	if (!only || strcmp(only, "strings") == 0) {
		failed += strings(argv[1], n_strings, seed);
		n++;
	}
	(void)printf("%d passed, %d failed\n", n - failed, failed);
	return failed != 0 || n == 0;
}
