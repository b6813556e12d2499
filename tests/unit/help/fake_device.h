// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef TEST_FAKE_DEVICE_H
#define TEST_FAKE_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <flitloom/device.h>
#include <flitloom/link/regmap.h>

// A chip that has only registers, for the tests of devices: it keeps what is written, and fails where a test requests
// it.

enum {
	N_NODES = 6,
	N_CHANNELS = 5,
	LOG_DEPTH = 512,
	NODE_WORDS = 0x10000,
	WRITES_KEPT = 64,
	TIME_WORDS = 8,
	HISTORY_ENTRIES = 2,
	UNKNOWN_KIND = 250
};

struct write {
	uint32_t address, word;
};

struct fake {
	uint32_t global[256];
	uint32_t counts[N_NODES][4 * N_CHANNELS];
	uint32_t *node[N_NODES];
	uint32_t time[N_NODES][2][TIME_WORDS]; // AT, RELEASED
	uint32_t history[N_NODES][N_CHANNELS][2 * HISTORY_ENTRIES];
	uint32_t n_history[N_NODES][N_CHANNELS]; // entries
	struct write writes[WRITES_KEPT];        // the first ones
	size_t n_writes, n_reads;                // words
	unsigned n_calls, fail_at;               // calls of transfer and run; the one that fails, counted from 1
	uint32_t lies_at;                        // reads of this address have one wrong bit
	uint32_t lies_from;                      // the number of right reads before the first wrong one
	unsigned n_read_calls;
	uint32_t cycles_per_run, n_runs_of_pass, n_runs; // a pass takes n_runs_of_pass calls of run
	uint32_t end;                                    // STATUS at the end of a pass
	uint32_t between;                                // cycles before and between passes back to back
	bool back_to_back;                               // CONFIG requests more than one pass per start
	uint32_t turn_at; // back to back: the call of run at which the next pass begins; 0: never
	uint32_t tear_at; // the call at which the pass ends after its CYCLE was read
	bool no_record;   // CONFIG.RECORD stays 0
	long sleep_ms;    // in every run
	int bad;          // something that the interface forbids
};

struct scene {
	struct fake fake;
	struct loom_link link;
	struct loom_device *device;
	struct loom_err err;
};

// An image of two passes for it.
#define PROGRAM_OF(node) (LOOM_WINDOW_PROGRAM | (node) << 16)
#define LENGTH_OF(node) (LOOM_WINDOW_PROGRAM_LENGTH | (node) << 16)
#define MAP_OF(node) (LOOM_WINDOW_MAP | (node) << 16)
#define MAP_OF_ALL MAP_OF(0xfffu)
extern struct loom_block fake_blocks[];
extern const struct loom_image fake_image;

void fake_set_up_link(struct scene *s); // the link alone; a test changes registers before it opens the device
void fake_set_up(struct scene *s);
void fake_tear_down(struct scene *s);

// Checks that the error has the expected code and text.
void assert_fake_failed(const struct scene *s, int code, int expected, const char *says);

// Entry i of a node's log, words in their order, and its signature, which is fake_signature's.
void fake_put_log(struct scene *s, uint32_t node, uint32_t i, uint32_t header, uint32_t what, uint32_t first,
                  uint32_t last);
uint32_t fake_signature(uint32_t node, uint32_t i);

// Checks that the run of the image fails and does not change the trace.
void refuse_fake_run(struct scene *s, const struct loom_run_options *options, int expected, const char *says);

#endif
