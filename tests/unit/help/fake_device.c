// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include <flitloom/device.h>
#include <flitloom/link/regmap.h>

#include "fake_device.h"

static uint32_t *word_at(struct fake *f, uint32_t address)
{
	static uint32_t nowhere;
	uint32_t index = address >> 16 & 0xfff, offset = address & 0xffff;
	switch (address & 0xf0000000u) {
	case LOOM_SPACE_GLOBAL:
		if (address < 256)
			return &f->global[address];
		break;
	case LOOM_SPACE_NODE:
		if (index < N_NODES)
			return &f->node[index][offset];
		break;
	case LOOM_SPACE_TIME:
		if (index < N_NODES && f->global[LOOM_REG_TIMING] && (offset & 0x7fff) < TIME_WORDS)
			return &f->time[index][offset >> 15][offset & 0x7fff];
		break;
	case LOOM_SPACE_MONITOR:
		if (index < N_NODES && offset < 4 * N_CHANNELS)
			return &f->counts[index][offset];
		break;
	case LOOM_SPACE_HISTORY:
		if (!f->global[LOOM_REG_HISTORY_RUNS] || index >= N_NODES || offset >> 11 >= N_CHANNELS)
			break;
		if ((offset & 2047) == 2047)
			return &f->n_history[index][offset >> 11];
		if ((offset & 2047) < 2 * HISTORY_ENTRIES)
			return &f->history[index][offset >> 11][offset & 2047];
		break;
	default: break;
	}
	f->bad = 1;
	return &nowhere;
}

static int refuse(struct fake *f, struct loom_err *err)
{
	return ++f->n_calls == f->fail_at ? loom_fail(err, LOOM_ELINK, "the fake link fails at call %u", f->n_calls)
	                                  : 0;
}

static void fake_read(struct fake *f, uint32_t address, uint32_t *out, size_t n_words)
{
	for (uint32_t i = 0; i < n_words; i++) {
		out[i] = *word_at(f, address + i);
		if (f->lies_at == address + i && f->n_read_calls >= f->lies_from)
			out[i] ^= 0x100;
	}
	if (f->tear_at && f->n_runs == f->tear_at && address == LOOM_REG_STATUS) {
		out[LOOM_REG_PASS - LOOM_REG_STATUS]--;
		out[LOOM_REG_CYCLE - LOOM_REG_STATUS] = f->n_runs * f->cycles_per_run;
	}
	f->n_read_calls++;
	f->n_reads += n_words;
}

static void write_word(struct fake *f, uint32_t address, uint32_t word)
{
	if (f->n_writes < WRITES_KEPT)
		f->writes[f->n_writes] = (struct write){address, word};
	f->n_writes++;
	if (address >> 16 == (LOOM_SPACE_NODE | 0xfffu << 16) >> 16) {
		for (int i = 0; i < N_NODES; i++)
			f->node[i][address & 0xffff] = word;
		return;
	}
	*word_at(f, address) = word;
	if (address == LOOM_REG_CONFIG && f->no_record)
		f->global[address] &= ~(1u << LOOM_CONFIG_RECORD_LOW);
	if (address == LOOM_REG_CONTROL && word == 1u << LOOM_CONTROL_START_LOW) {
		f->global[LOOM_REG_STATUS] = 1;
		f->global[LOOM_REG_PASS] = f->global[LOOM_REG_FIRST_PASS];
		f->global[LOOM_REG_CYCLE] = 0;
		f->n_runs = 0;
		f->global[LOOM_REG_SINCE_START] = f->between;
		f->bad |= !f->back_to_back && f->global[LOOM_REG_FIRST_PASS] != f->global[LOOM_REG_LAST_PASS];
	}
}

static int fake_transfer(struct loom_link *link, const struct loom_transfer *list, size_t n, unsigned timeout_ms,
                         struct loom_err *err)
{
	struct fake *f = link->state;
	f->bad |= timeout_ms == 0 || n == 0;
	if (refuse(f, err))
		return LOOM_ELINK;
	for (size_t k = 0; k < n; k++) {
		f->bad |= list[k].n_words == 0 || !list[k].write == !list[k].read || list[k].fixed;
		for (uint32_t i = 0; list[k].write && i < list[k].n_words; i++)
			write_word(f, list[k].address + i, list[k].write[i]);
		if (list[k].read)
			fake_read(f, list[k].address, list[k].read, list[k].n_words);
	}
	return 0;
}

static int fake_run(struct loom_link *link, uint64_t n_cycles, struct loom_err *err)
{
	struct fake *f = link->state;
	f->bad |= n_cycles == 0;
	if (refuse(f, err))
		return LOOM_ELINK;
	if (f->sleep_ms) {
		const struct timespec t = {.tv_nsec = f->sleep_ms * 1000000};
		(void)nanosleep(&t, NULL);
	}
	if (f->global[LOOM_REG_STATUS] != 1)
		return 0;
	f->global[LOOM_REG_CYCLE] += f->cycles_per_run;
	f->global[LOOM_REG_SINCE_START] += f->cycles_per_run;
	if (++f->n_runs == f->turn_at && f->back_to_back) {
		f->global[LOOM_REG_PASS]++;
		f->global[LOOM_REG_CYCLE] = 1;
	}
	if (f->n_runs == f->n_runs_of_pass)
		f->global[LOOM_REG_STATUS] = f->end;
	return 0;
}

static const struct loom_link_kind fake_kind = {.name = "fake", .transfer = fake_transfer, .run = fake_run};

void fake_set_up_link(struct scene *s)
{
	memset(s, 0, sizeof *s);
	s->fake = (struct fake){.cycles_per_run = 20, .n_runs_of_pass = 2, .end = 2, .lies_at = UINT32_MAX};
	uint32_t *r = s->fake.global;
	r[LOOM_REG_MAGIC] = 0x4d4f4f4c;
	r[LOOM_REG_MAP_VERSION] = LOOM_MAP_VERSION_IS;
	r[LOOM_REG_KIND] = UNKNOWN_KIND; // so that the shape says nothing about other registers
	r[LOOM_REG_SIZE] = 2;
	r[LOOM_REG_SHAPE] = r[LOOM_REG_SHAPE + 1] = 2;
	r[LOOM_REG_NODES] = N_NODES;
	r[LOOM_REG_TILES] = N_NODES;
	r[LOOM_REG_CHANNELS] = N_CHANNELS;
	r[LOOM_REG_FLIT_BITS] = 32;
	r[LOOM_REG_LABEL_BITS] = 4;
	r[LOOM_REG_RULE_BITS] = 1;
	r[LOOM_REG_PROGRAM_DEPTH] = 8;
	r[LOOM_REG_LOG_DEPTH] = LOG_DEPTH;
	r[LOOM_REG_STORE_SLOTS] = 3;
	r[LOOM_REG_SLOT_FLITS] = 64;
	r[LOOM_REG_LENGTH_BITS] = 15;
	r[LOOM_REG_COUNT_BITS] = 31;
	r[LOOM_REG_CYCLE_BITS] = 32;
	r[LOOM_REG_PASS_BITS] = 16;
	r[LOOM_REG_PAYLOAD_BITS] = 32;
	r[LOOM_REG_SIGNATURE_BITS] = 16;
	for (int i = 0; i < N_NODES; i++) {
		s->fake.node[i] = calloc(NODE_WORDS, sizeof *s->fake.node[i]);
		assert_non_null(s->fake.node[i]);
	}
	s->link = (struct loom_link){.kind = &fake_kind, .state = &s->fake};
}

void fake_set_up(struct scene *s)
{
	fake_set_up_link(s);
	assert_int_equal(loom_device_open(&s->device, &s->link, &s->err), 0);
	s->fake.n_calls = s->fake.n_read_calls = 0;
	s->fake.n_reads = 0;
}

void fake_tear_down(struct scene *s)
{
	assert_false(s->fake.bad);
	loom_device_close(s->device);
	for (int i = 0; i < N_NODES; i++)
		free(s->fake.node[i]);
}

void assert_fake_failed(const struct scene *s, int code, int expected, const char *says)
{
	assert_int_equal(code, expected);
	assert_int_equal(s->err.code, expected);
	if (!strstr(s->err.text, says))
		fail_msg("\"%s\" does not say \"%s\"", s->err.text, says);
	assert_null(strchr(s->err.text, '\n'));
}

static uint32_t pool[] = {1, 77, 3, 2, 1, 0, 0x20005, 3, 1};
struct loom_block fake_blocks[] = {
	{LOOM_REG_CONFIG, 1, pool, true},    {LOOM_REG_SEED, 1, pool + 1, true}, {MAP_OF_ALL, 4, pool + 2, true},
	{PROGRAM_OF(2u), 2, pool + 6, true}, {LENGTH_OF(2u), 1, pool + 8, true},
};
const struct loom_image fake_image = {
	.n_nodes = N_NODES, .n_passes = 2, .n_blocks = 5, .blocks = fake_blocks, .pool = pool};

uint32_t fake_signature(uint32_t node, uint32_t i)
{
	return 0x9000u + 0x400u * node + i;
}

void fake_put_log(struct scene *s, uint32_t node, uint32_t i, uint32_t header, uint32_t what, uint32_t first,
                  uint32_t last)
{
	uint32_t *words = &s->fake.node[node][(LOOM_WINDOW_LOG & 0xffff) + 4 * i];
	words[0] = header;
	words[1] = what;
	words[2] = first;
	words[3] = last;
	s->fake.node[node][(LOOM_WINDOW_SIGNATURE & 0xffff) + i] = fake_signature(node, i);
	uint32_t *count = &s->fake.node[node][LOOM_WINDOW_LOG_COUNT & 0xffff];
	*count = *count > i ? *count : i + 1;
}

// The run fails with this code and text, and leaves its output alone.
void refuse_fake_run(struct scene *s, const struct loom_run_options *options, int expected, const char *says)
{
	struct loom_trace t, before;
	memset(&before, 0xa5, sizeof before);
	t = before;
	memset(&s->err, 0, sizeof s->err);
	assert_fake_failed(s, loom_device_run(s->device, &fake_image, options, &t, &s->err), expected, says);
	assert_memory_equal(&t, &before, sizeof t);
}
