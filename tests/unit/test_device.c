// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include <flitloom/device.h>
#include <flitloom/regmap.h>

// --- A chip of nothing but registers -------------------------------------------------------------------------------

enum { N_NODES = 4, N_CHANNELS = 5, LOG_DEPTH = 512, NODE_WORDS = 0x10000, WRITES_KEPT = 64, UNKNOWN_KIND = 250 };

struct write {
	uint32_t address, word;
};

struct fake {
	uint32_t global[256];
	uint32_t counts[N_NODES][4 * N_CHANNELS];
	uint32_t *node[N_NODES];
	struct write writes[WRITES_KEPT]; // the first ones
	size_t n_writes, n_reads;         // words
	unsigned n_calls, fail_at;        // calls of transfer and run; the one that fails, counted from 1
	uint32_t lies_at;                 // reading this address gives one bit that was not written
	uint32_t lies_from;               // how many reads are true before the first that lies
	unsigned n_read_calls;
	uint32_t cycles_per_run, n_runs_of_pass, n_runs; // a pass takes n_runs_of_pass calls of run
	uint32_t end;                                    // STATUS at the end of a pass
	uint32_t between;                                // cycles before and between passes back to back
	bool back_to_back;                               // more than one pass a start is wanted
	uint32_t turn_at; // back to back the next pass begins at that call of run; 0: never
	uint32_t tear_at; // there the pass before ends after its CYCLE has been read
	bool no_record;   // CONFIG.RECORD stays 0
	long sleep_ms;    // in every run
	int bad;          // something that the interface forbids
};

static uint32_t *word_at(struct fake *f, uint32_t address)
{
	static uint32_t nowhere, empty;
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
	case LOOM_SPACE_MONITOR:
		if (index < N_NODES && offset < 4 * N_CHANNELS)
			return &f->counts[index][offset];
		break;
	case LOOM_SPACE_HISTORY: // the numbers of entries, 0
		if (f->global[LOOM_REG_HISTORY_RUNS] && index < N_NODES && (offset & 2047) == 2047)
			return &empty;
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

struct scene {
	struct fake fake;
	struct loom_link link;
	struct loom_device *device;
	struct loom_err err;
};

static void set_up_link(struct scene *s)
{
	memset(s, 0, sizeof *s);
	s->fake = (struct fake){.cycles_per_run = 20, .n_runs_of_pass = 2, .end = 2, .lies_at = UINT32_MAX};
	uint32_t *r = s->fake.global;
	r[LOOM_REG_MAGIC] = 0x4d4f4f4c;
	r[LOOM_REG_MAP_VERSION] = LOOM_MAP_VERSION_IS;
	r[LOOM_REG_KIND] = UNKNOWN_KIND; // so that nothing follows from the shape
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

static void set_up(struct scene *s)
{
	set_up_link(s);
	assert_int_equal(loom_device_open(&s->device, &s->link, &s->err), 0);
	s->fake.n_calls = s->fake.n_read_calls = 0;
	s->fake.n_reads = 0;
}

static void tear_down(struct scene *s)
{
	assert_false(s->fake.bad);
	loom_device_close(s->device);
	for (int i = 0; i < N_NODES; i++)
		free(s->fake.node[i]);
}

static void assert_failed(const struct scene *s, int code, int expected, const char *says)
{
	assert_int_equal(code, expected);
	assert_int_equal(s->err.code, expected);
	if (!strstr(s->err.text, says))
		fail_msg("\"%s\" does not say \"%s\"", s->err.text, says);
	assert_null(strchr(s->err.text, '\n'));
}

// --- Open ----------------------------------------------------------------------------------------------------------

static void test_open(void **state)
{
	(void)state;
	struct scene s;
	set_up(&s);
	const struct loom_chip *c = loom_device_chip(s.device);
	assert_int_equal(c->kind, UNKNOWN_KIND);
	assert_int_equal(c->n_dims, 2);
	assert_int_equal(c->extent[0], 2);
	assert_int_equal(c->extent[1], 2);
	assert_int_equal(c->extent[2], 0);
	assert_int_equal(c->n_nodes, N_NODES);
	assert_int_equal(c->n_tiles, N_NODES);
	assert_int_equal(c->n_channels, N_CHANNELS);
	assert_int_equal(c->flit_bits, 32);
	assert_int_equal(c->label_bits, 4);
	assert_int_equal(c->rule_bits, 1);
	assert_int_equal(c->length_bits, 15);
	assert_int_equal(c->count_bits, 31);
	assert_int_equal(c->program_depth, 8);
	assert_int_equal(c->log_depth, LOG_DEPTH);
	assert_int_equal(c->store_slots, 3);
	assert_int_equal(c->slot_flits, 64);
	assert_int_equal(s.fake.n_writes, 0); // looking changes nothing
	tear_down(&s);
	loom_device_close(NULL);
}

static void refuse_open(struct scene *s, int expected, const char *says)
{
	struct loom_device *const before = (struct loom_device *)&s->fake;
	s->device = before;
	memset(&s->err, 0, sizeof s->err);
	assert_failed(s, loom_device_open(&s->device, &s->link, &s->err), expected, says);
	assert_ptr_equal(s->device, before);
	assert_int_equal(loom_device_open(&s->device, &s->link, NULL), expected);
	s->device = NULL;
}

static void test_open_refuses(void **state)
{
	(void)state;
	static const struct {
		uint32_t reg, value;
		const char *says;
	} wrong[] = {
		{LOOM_REG_MAGIC, 0,
	         "no flitloom chip behind link \"fake\": its first register is 0x00000000, not 0x4d4f4f4c"},
		{LOOM_REG_MAGIC, UINT32_MAX, "0xffffffff"},
		{LOOM_REG_MAGIC, 0x4c4f4f4d, "0x4c4f4f4d"}, // bytes the wrong way round
		{LOOM_REG_MAP_VERSION, 0, "version 0 of the register map; this program knows version 5"},
		{LOOM_REG_MAP_VERSION, LOOM_MAP_VERSION_IS + 1, "version 5"},
		{LOOM_REG_NODES, 0, "make no sense"},
		{LOOM_REG_NODES, 0x1000, "make no sense (4096 nodes"},
		{LOOM_REG_TILES, 0, "make no sense"},
		{LOOM_REG_TILES, UINT32_MAX, "make no sense"},
		{LOOM_REG_CHANNELS, 0, "make no sense"},
		{LOOM_REG_CHANNELS, 65, "make no sense"},
		{LOOM_REG_LABEL_BITS, 0, "make no sense"},
		{LOOM_REG_LABEL_BITS, 17, "make no sense"},
		{LOOM_REG_RULE_BITS, 0, "make no sense"},
		{LOOM_REG_RULE_BITS, 5, "make no sense"},
		{LOOM_REG_FLIT_BITS, 11, "make no sense"}, // two labels of 4 bits, rule, slot, number
		{LOOM_REG_FLIT_BITS, 65, "make no sense"},
		{LOOM_REG_LENGTH_BITS, 0, "make no sense"},
		{LOOM_REG_LENGTH_BITS, 17, "make no sense"},
		{LOOM_REG_COUNT_BITS, 0, "make no sense"},
		{LOOM_REG_COUNT_BITS, 33, "make no sense"},
		{LOOM_REG_CYCLE_BITS, 7, "make no sense"},
		{LOOM_REG_CYCLE_BITS, 33, "make no sense"},
		{LOOM_REG_PAYLOAD_BITS, 0, "make no sense"},
		{LOOM_REG_PAYLOAD_BITS, 24, "make no sense"},
		{LOOM_REG_SIGNATURE_BITS, 8, "make no sense"},
		{LOOM_REG_SIGNATURE_BITS, 33, "make no sense"},
		{LOOM_REG_PASS_BITS, 0, "make no sense"},
		{LOOM_REG_PASS_BITS, 17, "make no sense"},
	};
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		struct scene s;
		set_up_link(&s);
		s.fake.global[wrong[i].reg] = wrong[i].value;
		refuse_open(&s, LOOM_EHARDWARE, wrong[i].says);
		tear_down(&s);
	}
	struct scene s;
	set_up_link(&s);
	s.fake.fail_at = 1;
	struct loom_device *const before = (struct loom_device *)&s.fake;
	s.device = before;
	assert_failed(&s, loom_device_open(&s.device, &s.link, &s.err), LOOM_ELINK, "fails at call 1");
	assert_ptr_equal(s.device, before);
	s.device = NULL;
	tear_down(&s);
}

// What the chip says of its fabric holds together: of a mesh of 3 rows and 5 columns, one register at a time is not so.
static void test_open_fabric(void **state)
{
	(void)state;
	static const struct {
		uint32_t reg, value;
		const char *says; // NULL: nothing is wrong with it
	} rows[] = {
		{LOOM_REG_KIND, 11, NULL},
		{LOOM_REG_KIND, UNKNOWN_KIND, NULL}, // who needs to know it complains
		{LOOM_REG_KIND, 12, NULL},           // a torus has as many of everything
		{LOOM_REG_KIND, 10,
	         "the chip holds a fabric of a shape that cannot be: fabric \"ring:3x5\": the size of "
	         "ring is its nodes, ring:2 to ring:1048576"},
		{LOOM_REG_KIND, 3, "the chip holds a fabric of a shape that cannot be: fabric \"omega:3x5\": "},
		{LOOM_REG_SIZE, 1,
	         "the chip calls itself mesh:5, which has 5 nodes, 5 tiles of 4 channels and labels of 3 "
	         "bits, but says that it has 15, 15 of 6 and 5"},
		{LOOM_REG_SIZE, 3, "the chip holds a fabric of a shape that cannot be: fabric \"mesh:0x3x5\""},
		{LOOM_REG_SIZE, 0, "the chip holds a fabric of a shape that cannot be: fabric \"mesh:\""},
		{LOOM_REG_SIZE, 17,
	         "the chip holds a fabric of 17 dimensions, more than the 16 that there are registers "
	         "for"},
		{LOOM_REG_SIZE, UINT32_MAX, "the chip holds a fabric of 4294967295 dimensions"},
		{LOOM_REG_SHAPE, 6, "the chip calls itself mesh:3x6, which has 18 nodes"},
		{LOOM_REG_SHAPE, 0, "fabric \"mesh:3x0\""},
		{LOOM_REG_SHAPE, UINT32_MAX, "fabric \"mesh:3x4294967295\""},
		{LOOM_REG_SHAPE + 1, 2, "the chip calls itself mesh:2x5, which has 10 nodes"},
		{LOOM_REG_SHAPE + 2, 1, "the chip calls itself mesh:3x5, but has an extent of 1 in dimension 2"},
		{LOOM_REG_SHAPE + 15, 9, "an extent of 9 in dimension 15"},
		{LOOM_REG_NODES, 14, "but says that it has 14, 15 of 6 and 5"},
		{LOOM_REG_TILES, 16, "but says that it has 15, 16 of 6 and 5"},
		{LOOM_REG_CHANNELS, 5, "but says that it has 15, 15 of 5 and 5"},
		{LOOM_REG_LABEL_BITS, 4, "but says that it has 15, 15 of 6 and 4"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct scene s;
		set_up_link(&s);
		uint32_t *r = s.fake.global;
		r[LOOM_REG_KIND] = 11;
		r[LOOM_REG_SHAPE] = 5;
		r[LOOM_REG_SHAPE + 1] = 3;
		r[LOOM_REG_NODES] = r[LOOM_REG_TILES] = 15;
		r[LOOM_REG_CHANNELS] = 6;
		r[LOOM_REG_LABEL_BITS] = 5;
		r[rows[i].reg] = rows[i].value;
		if (rows[i].says)
			refuse_open(&s, LOOM_EHARDWARE, rows[i].says);
		else
			assert_int_equal(loom_device_open(&s.device, &s.link, &s.err), 0);
		assert_int_equal(s.fake.n_writes, 0);
		tear_down(&s);
	}
}

// --- Load ----------------------------------------------------------------------------------------------------------

#define PROGRAM_OF(node) (LOOM_WINDOW_PROGRAM | (node) << 16)
#define LENGTH_OF(node) (LOOM_WINDOW_PROGRAM_LENGTH | (node) << 16)
#define MAP_OF(node) (LOOM_WINDOW_MAP | (node) << 16)
#define MAP_OF_ALL MAP_OF(0xfffu)

static uint32_t pool[] = {1, 77, 3, 2, 1, 0, 0x20005, 3, 1};
static struct loom_block blocks[] = {
	{LOOM_REG_CONFIG, 1, pool, true},    {LOOM_REG_SEED, 1, pool + 1, true}, {MAP_OF_ALL, 4, pool + 2, true},
	{PROGRAM_OF(2u), 2, pool + 6, true}, {LENGTH_OF(2u), 1, pool + 8, true},
};
static const struct loom_image image = {
	.n_nodes = N_NODES, .n_passes = 2, .n_blocks = 5, .blocks = blocks, .pool = pool};

static void test_load(void **state)
{
	(void)state;
	struct scene s;
	set_up(&s);
	assert_int_equal(loom_device_load(s.device, &image, &s.err), 0);
	assert_int_equal(s.fake.n_writes, 1 + 9);
	assert_int_equal(s.fake.writes[0].address, LOOM_REG_CONTROL);
	assert_int_equal(s.fake.writes[0].word, 1u << LOOM_CONTROL_RESET_LOW);
	for (size_t b = 0, at = 1; b < image.n_blocks; b++)
		for (uint32_t k = 0; k < blocks[b].n_words; k++, at++) {
			assert_int_equal(s.fake.writes[at].address, blocks[b].address + k);
			assert_int_equal(s.fake.writes[at].word, blocks[b].words[k]);
		}
	assert_int_equal(s.fake.n_reads, 5 + 2 * 4); // what was written to everybody from two

	const struct loom_image empty = {.n_nodes = N_NODES};
	assert_int_equal(loom_device_load(s.device, &empty, &s.err), 0);
	assert_int_equal(s.fake.n_writes, 1 + 9 + 1);
	tear_down(&s);
}

static void test_load_reads_back(void **state)
{
	(void)state;
	static const struct {
		uint32_t address;
		const char *says;
	} wrong[] = {
		{LOOM_REG_CONFIG, "address 0x00000021 was written 0x00000001 and reads 0x00000101"},
		{PROGRAM_OF(2u), "address 0x10022000 was written 0x00020005 and reads 0x00020105"},
		{PROGRAM_OF(2u) + 1, "address 0x10022001 was written 0x00000003 and reads 0x00000103"},
		{MAP_OF(0u) + 1, "address 0x10004001 was written 0x00000002 and reads 0x00000102"},
		{MAP_OF(3u) + 3, "address 0x10034003 was written 0x00000000 and reads 0x00000100"},
		{LENGTH_OF(2u), "address 0x10020000 was written 0x00000001 and reads 0x00000101"},
	};
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		struct scene s;
		set_up(&s);
		s.fake.lies_at = wrong[i].address;
		assert_failed(&s, loom_device_load(s.device, &image, &s.err), LOOM_EHARDWARE, wrong[i].says);
		tear_down(&s);
	}
}

static void test_load_link_fails(void **state)
{
	(void)state;
	unsigned k = 1;
	for (;; k++) {
		struct scene s;
		set_up(&s);
		s.fake.fail_at = k;
		int code = loom_device_load(s.device, &image, &s.err);
		if (code)
			assert_failed(&s, code, LOOM_ELINK, "fails at call");
		tear_down(&s);
		if (code == 0)
			break;
	}
	assert_int_equal(k - 1, 2); // everything is written at once, and read back at once
}

// --- Run -----------------------------------------------------------------------------------------------------------

static uint32_t signature_of(uint32_t node, uint32_t i)
{
	return 0x9000u + 0x400u * node + i;
}

static void put_log(struct scene *s, uint32_t node, uint32_t i, uint32_t header, uint32_t what, uint32_t first,
                    uint32_t last)
{
	uint32_t *words = &s->fake.node[node][(LOOM_WINDOW_LOG & 0xffff) + 4 * i];
	words[0] = header;
	words[1] = what;
	words[2] = first;
	words[3] = last;
	s->fake.node[node][(LOOM_WINDOW_SIGNATURE & 0xffff) + i] = signature_of(node, i);
	uint32_t *count = &s->fake.node[node][LOOM_WINDOW_LOG_COUNT & 0xffff];
	*count = *count > i ? *count : i + 1;
}

static void test_run(void **state)
{
	(void)state;
	struct scene s;
	struct loom_trace t;
	set_up(&s);
	// Header: destination 0xd, source 0x6, rule 1, slot 3, number 0x15555 (21 bits).
	put_log(&s, 1, 0, 0xdu | 6u << 4 | 1u << 8 | 3u << 9 | 0x15555u << 11, 17u | 0x2abcu << 16 | 3u << 30, 4, 21);
	put_log(&s, 1, 1, 0xffffffff, 0xffffu | 1u << 16, 5, 0xfffffffe);
	put_log(&s, 3, 0, 0, 1u | 1u << 31, 2, 2);
	for (uint32_t v = 0; v < N_NODES; v++) {
		s.fake.node[v][LOOM_WINDOW_SENT_COUNT & 0xffff] = 10 + v;
		s.fake.node[v][LOOM_WINDOW_CORRUPT_COUNT & 0xffff] = 0x80000000u + v;
		for (uint32_t i = 0; i < 4 * N_CHANNELS; i++)
			s.fake.counts[v][i] = 1000 * v + i;
	}
	assert_int_equal(loom_device_run(s.device, &image, NULL, &t, &s.err), 0);
	assert_int_equal(t.n_nodes, N_NODES);
	assert_int_equal(t.n_channels, N_NODES * N_CHANNELS);
	assert_int_equal(t.n_passes, 2);
	for (uint32_t c = 0; c < 2 * t.n_channels; c++) {
		uint32_t first = 1000 * (c % t.n_channels / N_CHANNELS) + 4 * (c % N_CHANNELS);
		assert_int_equal(t.counts[c].worms, first);
		assert_int_equal(t.counts[c].flits, first + 1);
		assert_int_equal(t.counts[c].blocked_cycles, first + 2);
	}
	for (uint32_t v = 0; v < N_NODES; v++) {
		assert_int_equal(t.sent[v], 10 + v);
		assert_int_equal(t.corrupt[v], 0x80000000u + v);
	}
	assert_int_equal(t.n_arrivals, 3);
	const struct loom_arrival expected[] = {
		{.node = 1,
	         .source = 6,
	         .number = 0x15555,
	         .destination = 0xd,
	         .pass = 0x2abc,
	         .flits = 17,
	         .first_cycle = 4,
	         .last_cycle = 21,
	         .intact = true},
		{.node = 1,
	         .source = 15,
	         .number = 0x1fffff,
	         .destination = 15,
	         .pass = 1,
	         .flits = 0xffff,
	         .first_cycle = 5,
	         .last_cycle = 0xfffffffe,
	         .intact = false},
		{.node = 3, .flits = 1, .first_cycle = 2, .last_cycle = 2, .intact = true},
	};
	for (size_t i = 0; i < 3; i++) {
		const struct loom_arrival *a = &t.arrivals[i], *e = &expected[i];
		assert_int_equal(a->node, e->node);
		assert_int_equal(a->source, e->source);
		assert_int_equal(a->number, e->number);
		assert_int_equal(a->destination, e->destination);
		assert_int_equal(a->pass, e->pass);
		assert_int_equal(a->flits, e->flits);
		assert_int_equal(a->first_cycle, e->first_cycle);
		assert_int_equal(a->last_cycle, e->last_cycle);
		assert_int_equal(a->intact, e->intact);
		assert_int_equal(a->logged_pass, e->pass);
		assert_int_equal(a->signature, signature_of(a->node, i == 1));
	}
	loom_trace_free(&t);

	// Pass by pass.
	const struct write wanted[] = {{LOOM_REG_FIRST_PASS, 0}, {LOOM_REG_LAST_PASS, 0}, {LOOM_REG_CONTROL, 1},
	                               {LOOM_REG_FIRST_PASS, 1}, {LOOM_REG_LAST_PASS, 1}, {LOOM_REG_CONTROL, 1}};
	assert_int_equal(s.fake.n_writes, 6);
	assert_memory_equal(s.fake.writes, wanted, sizeof wanted);
	tear_down(&s);
	loom_trace_free(NULL);
}

// Widths of flit and label of other chips: what is above the flit is no number, nor is what the log does not keep.
static void test_run_widths(void **state)
{
	(void)state;
	static const struct {
		uint32_t flit, label, rule, destination, source, number;
	} widths[] = {
		{16, 4, 1, 0xf, 0xf, 0x1f},     {64, 4, 1, 0xf, 0xf, 0x1fffff}, {64, 14, 1, 0x3fff, 0x3fff, 1},
		{36, 16, 1, 0xffff, 0xffff, 0}, {12, 4, 1, 0xf, 0xf, 1},        {22, 1, 1, 1, 1, 0x1ffff},
		{32, 4, 4, 0xf, 0xf, 0x3ffff},  {22, 5, 3, 0x1f, 0x1f, 0x7f},
	};
	for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
		struct scene s;
		struct loom_trace t;
		set_up_link(&s);
		s.fake.global[LOOM_REG_FLIT_BITS] = widths[i].flit;
		s.fake.global[LOOM_REG_LABEL_BITS] = widths[i].label;
		s.fake.global[LOOM_REG_RULE_BITS] = widths[i].rule;
		assert_int_equal(loom_device_open(&s.device, &s.link, &s.err), 0);
		put_log(&s, 0, 0, 0xffffffff, 0, 0, 0);
		assert_int_equal(loom_device_run(s.device, &image, NULL, &t, &s.err), 0);
		assert_int_equal(t.n_arrivals, 1);
		assert_int_equal(t.arrivals[0].destination, widths[i].destination);
		assert_int_equal(t.arrivals[0].source, widths[i].source);
		assert_int_equal(t.arrivals[0].number, widths[i].number);
		if (2 * widths[i].label + widths[i].rule <= 32)
			assert_int_equal(t.arrivals[0].rule, (1u << widths[i].rule) - 1);
		loom_trace_free(&t);
		tear_down(&s);
	}
}

// The run fails with this code and text, and leaves its output alone.
static void refuse_run(struct scene *s, const struct loom_run_options *options, int expected, const char *says)
{
	struct loom_trace t, before;
	memset(&before, 0xa5, sizeof before);
	t = before;
	memset(&s->err, 0, sizeof s->err);
	assert_failed(s, loom_device_run(s->device, &image, options, &t, &s->err), expected, says);
	assert_memory_equal(&t, &before, sizeof t);
}

static void test_run_long_logs(void **state)
{
	(void)state;
	struct scene s;
	struct loom_trace t;
	set_up(&s);
	for (uint32_t v = 0; v < N_NODES; v++)
		for (uint32_t i = 0; i < LOG_DEPTH; i++)
			put_log(&s, v, i, i << 11, v, i, i);
	s.fake.node[2][LOOM_WINDOW_LOG_COUNT & 0xffff] = LOG_DEPTH + 1; // counts on, but holds no more
	refuse_run(&s, NULL, LOOM_EHARDWARE, "node 2 received 513 messages; its log holds 512");
	s.fake.node[2][LOOM_WINDOW_LOG_COUNT & 0xffff] = LOG_DEPTH;
	s.fake.node[3][LOOM_WINDOW_LOG_COUNT & 0xffff] = 0;
	assert_int_equal(loom_device_run(s.device, &image, NULL, &t, &s.err), 0);
	assert_int_equal(t.n_arrivals, 3 * LOG_DEPTH);
	for (uint32_t i = 0; i < 3 * LOG_DEPTH; i++) {
		assert_int_equal(t.arrivals[i].node, i / LOG_DEPTH);
		assert_int_equal(t.arrivals[i].number, i % LOG_DEPTH);
		assert_int_equal(t.arrivals[i].flits, i / LOG_DEPTH);
		assert_int_equal(t.arrivals[i].signature, signature_of(i / LOG_DEPTH, i % LOG_DEPTH));
	}
	loom_trace_free(&t);
	loom_device_close(s.device); // a chip without signatures is not asked for them
	s.fake.global[LOOM_REG_SIGNATURE_BITS] = 0;
	assert_int_equal(loom_device_open(&s.device, &s.link, &s.err), 0);
	s.fake.n_writes = 0;
	assert_int_equal(loom_device_run(s.device, &image, NULL, &t, &s.err), 0);
	assert_int_equal(t.payload.signature_bits, 0);
	for (uint32_t i = 0; i < t.n_arrivals; i++)
		assert_int_equal(t.arrivals[i].signature, 0);
	loom_trace_free(&t);

	// An image that nobody made starts nothing: no pass, no nodes, or another chip's.
	const struct loom_image wrong[] = {
		{0}, {.n_nodes = N_NODES}, {.n_passes = 1, .n_nodes = N_NODES + 1}, {.n_passes = 1}};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		char says[80];
		(void)snprintf(says, sizeof says, "an image of %u passes for %u nodes: one that", wrong[i].n_passes,
		               wrong[i].n_nodes);
		struct loom_trace before;
		memset(&t, 0x5a, sizeof t);
		memcpy(&before, &t, sizeof t);
		assert_failed(&s, loom_device_run(s.device, &wrong[i], NULL, &t, &s.err), LOOM_EINPUT, says);
		assert_memory_equal(&t, &before, sizeof t);
	}
	assert_int_equal(s.fake.n_writes, 6);
	tear_down(&s);
}

// What has arrived in a run that was given up, and in which pass.
static void test_logs(void **state)
{
	(void)state;
	struct scene s;
	struct loom_trace t;
	uint32_t pass = 77;
	set_up(&s);
	const struct loom_run_options options = {.max_cycles = 50};
	s.fake.n_runs_of_pass = UINT32_MAX;
	put_log(&s, 2, 0, 5u << 11 | 1u << 4 | 2u, 3u, 4, 6);
	refuse_run(&s, &options, LOOM_ELIMIT, "pass 0 is not done");
	s.fake.global[LOOM_REG_PASS] = 1;
	assert_int_equal(loom_device_logs(s.device, &image, &pass, &t, &s.err), 0);
	assert_int_equal(pass, 1);
	assert_int_equal(t.n_channels, 0);
	assert_int_equal(t.n_arrivals, 1);
	assert_int_equal(t.arrivals[0].number, 5);
	assert_int_equal(t.arrivals[0].signature, signature_of(2, 0));
	assert_int_equal(t.payload.state_bits, 32);
	assert_int_equal(t.payload.flit_bits, 32);
	assert_int_equal(t.payload.label_bits, 4);
	assert_int_equal(t.payload.seed, image.seed);
	loom_trace_free(&t);
	unsigned calls = s.fake.n_calls;
	for (unsigned k = 1; k <= 3; k++) {
		s.fake.fail_at = calls + k;
		s.fake.n_calls = calls;
		struct loom_trace before;
		memset(&before, 0xa5, sizeof before);
		t = before;
		pass = 77;
		assert_int_equal(loom_device_logs(s.device, &image, &pass, &t, &s.err), LOOM_ELINK);
		assert_int_equal(pass, 77);
		assert_memory_equal(&t, &before, sizeof t);
	}
	tear_down(&s);
}

// What the channels carried up to now; on failure no word of it.
static void test_counts(void **state)
{
	(void)state;
	struct scene s;
	struct loom_count counts[N_NODES * N_CHANNELS], before[N_NODES * N_CHANNELS];
	uint32_t pass = 77;
	set_up(&s);
	s.fake.global[LOOM_REG_COUNT_BITS] = 12;
	loom_device_close(s.device);
	assert_int_equal(loom_device_open(&s.device, &s.link, &s.err), 0);
	s.fake.global[LOOM_REG_PASS] = 1;
	for (uint32_t v = 0; v < N_NODES; v++)
		for (uint32_t i = 0; i < 4 * N_CHANNELS; i++)
			s.fake.counts[v][i] = 100 * v + i;
	assert_int_equal(loom_device_counts(s.device, &pass, counts, &s.err), 0);
	assert_int_equal(pass, 1);
	assert_int_equal(counts[2 * N_CHANNELS + 3].worms, 212);
	assert_int_equal(counts[2 * N_CHANNELS + 3].blocked_cycles, 214);
	memset(before, 0xa5, sizeof before);
	memcpy(counts, before, sizeof counts);
	pass = 77;
	unsigned calls = s.fake.n_calls;
	for (unsigned k = 1; k <= 3; k++) {
		s.fake.fail_at = calls + k;
		s.fake.n_calls = calls;
		if (k == 3) // no failure of the link: a counter has stopped
			s.fake.counts[2][4 * 3 + 1] = 4095;
		assert_int_equal(loom_device_counts(s.device, &pass, counts, &s.err), k == 3 ? LOOM_EFIT : LOOM_ELINK);
		assert_int_equal(pass, 77);
		assert_memory_equal(counts, before, sizeof counts);
	}
	tear_down(&s);
}

static void test_run_stuck(void **state)
{
	(void)state;
	struct scene s;
	set_up(&s);
	s.fake.end = 3;
	refuse_run(&s, NULL, LOOM_ESTUCK,
	           "stuck in pass 0: messages are outstanding and no flit moves; headers wait for no channel");
	assert_null(strchr(s.err.text, '.'));
	s.fake.counts[0][4 * 2 + 3] = 1;
	refuse_run(&s, NULL, LOOM_ESTUCK, "headers wait for channels (tile.channel) 0.2");
	s.fake.counts[2][4 * 0 + 3] = 1;
	s.fake.counts[3][4 * 4 + 3] = 1;
	refuse_run(&s, NULL, LOOM_ESTUCK, " 0.2, 2.0, 3.4");
	for (uint32_t c = 0; c < N_CHANNELS; c++)
		s.fake.counts[1][4 * c + 3] = 1;
	refuse_run(&s, NULL, LOOM_ESTUCK, " 0.2, 1.0, 1.1, 1.2");
	assert_null(strstr(s.err.text, "1.3"));
	// Only in the last word; counts are none of its business.
	for (uint32_t i = 0; i < 4 * N_CHANNELS; i++)
		s.fake.counts[0][i] = s.fake.counts[1][i] = i % 4 != 3;
	s.fake.counts[2][3] = s.fake.counts[3][4 * 4 + 3] = 0;
	refuse_run(&s, NULL, LOOM_ESTUCK, "headers wait for no channel");
	tear_down(&s);
}

static void test_waiting(void **state)
{
	(void)state;
	struct scene s;
	uint32_t out[N_NODES * N_CHANNELS];
	size_t n = 77;
	set_up(&s);
	assert_int_equal(loom_device_waiting(s.device, out, N_NODES * N_CHANNELS, &n, &s.err), 0);
	assert_int_equal(n, 0);
	for (uint32_t v = 0; v < N_NODES; v++)
		for (uint32_t c = 0; c < N_CHANNELS; c++)
			s.fake.counts[v][4 * c + 3] = 1;
	for (size_t max = 0; max <= N_NODES * N_CHANNELS; max++) {
		memset(out, 0xff, sizeof out);
		assert_int_equal(loom_device_waiting(s.device, out, max, &n, &s.err), 0);
		assert_int_equal(n, max);
		for (size_t i = 0; i < N_NODES * N_CHANNELS; i++)
			assert_int_equal(out[i], i < max ? i : UINT32_MAX);
	}
	s.fake.fail_at = s.fake.n_calls + 1;
	n = 77;
	int code = loom_device_waiting(s.device, out, N_NODES * N_CHANNELS, &n, &s.err);
	assert_failed(&s, code, LOOM_ELINK, "fails");
	assert_int_equal(n, 77);
	tear_down(&s);
}

static void test_run_stands_still(void **state)
{
	(void)state;
	struct scene s;
	const struct loom_run_options options = {.timeout_ms = 30};
	set_up(&s);
	s.fake.n_runs_of_pass = UINT32_MAX;
	s.fake.cycles_per_run = 0;
	s.fake.sleep_ms = 1;
	refuse_run(&s, &options, LOOM_ETIMEOUT, "pass 0 does not run: the chip is in state 1 at cycle 0");
	// While it counts it may take longer than that.
	s.fake.cycles_per_run = 1;
	s.fake.n_runs_of_pass = 100;
	struct loom_trace t;
	assert_int_equal(loom_device_run(s.device, &image, &options, &t, &s.err), 0);
	loom_trace_free(&t);
	tear_down(&s);
}

static void test_run_does_not_start(void **state)
{
	(void)state;
	struct scene s;
	set_up(&s);
	s.fake.end = 0; // idle again, as after a reset
	refuse_run(&s, NULL, LOOM_ETIMEOUT, "pass 0 does not run: the chip is in state 0");
	tear_down(&s);
}

static void test_run_limit(void **state)
{
	(void)state;
	struct scene s;
	struct loom_trace t;
	struct loom_run_options options = {.max_cycles = 50};
	set_up(&s);
	s.fake.n_runs_of_pass = 7; // of 20 cycles
	refuse_run(&s, &options, LOOM_ELIMIT, "pass 0 is not done after 120 cycles; the limit is 50");
	options.max_cycles = 80; // per pass; its last tail may have come 60 cycles before its end
	assert_int_equal(loom_device_run(s.device, &image, &options, &t, &s.err), 0);
	loom_trace_free(&t);
	s.fake.n_runs_of_pass = UINT32_MAX;
	refuse_run(&s, &options, LOOM_ELIMIT, "pass 0 is not done after 160 cycles; the limit is 80");

	// To the cycle, by what the nodes say of the tails.
	s.fake.n_runs_of_pass = 5;
	put_log(&s, 3, 0, 0, 5u | 1u << 16, 20, 80);
	assert_int_equal(loom_device_run(s.device, &image, &options, &t, &s.err), 0);
	loom_trace_free(&t);
	options.max_cycles = 79;
	refuse_run(&s, &options, LOOM_ELIMIT, "pass 1: a tail arrived at node 3 in cycle 80; the limit is 79");

	// A counter that wraps around.
	s.fake.cycles_per_run = 0xf0000000u;
	options.max_cycles = UINT64_C(0x200000000);
	refuse_run(&s, &options, LOOM_ELIMIT, "not done after 12079595520 cycles");
	s.fake.n_runs_of_pass = 3;
	options.max_cycles = UINT64_C(0x2d0000000);
	refuse_run(&s, &options, LOOM_EFIT,
	           "pass 0 took 12079595520 cycles; the board's logs hold cycles up to 4294967295");
	tear_down(&s);

	// Small logs, small counters.
	set_up_link(&s);
	s.fake.global[LOOM_REG_CYCLE_BITS] = 8;
	s.fake.global[LOOM_REG_COUNT_BITS] = 12;
	assert_int_equal(loom_device_open(&s.device, &s.link, &s.err), 0);
	s.fake.cycles_per_run = 1;
	s.fake.n_runs_of_pass = 255;
	assert_int_equal(loom_device_run(s.device, &image, NULL, &t, &s.err), 0);
	loom_trace_free(&t);
	s.fake.n_runs_of_pass = 256;
	refuse_run(&s, NULL, LOOM_EFIT, "pass 0 took 256 cycles; the board's logs hold cycles up to 255");
	s.fake.n_runs_of_pass = 2;
	s.fake.counts[2][4 * 3 + 1] = 4094;
	assert_int_equal(loom_device_run(s.device, &image, NULL, &t, &s.err), 0);
	loom_trace_free(&t);
	s.fake.counts[2][4 * 3 + 1] = 4095;
	refuse_run(&s, NULL, LOOM_EFIT, "a counter of channel 2.3 stopped at 4095");
	tear_down(&s);
}

// After the passes one by one all of them from one start: what is written, in this order, what is brought back, and what
// a failure says.
static void test_run_back_to_back(void **state)
{
	(void)state;
	struct scene s;
	struct loom_trace t;
	struct loom_run_options options = {.back_to_back = true};
	set_up(&s);
	s.fake.back_to_back = true;
	s.fake.between = 1000;
	put_log(&s, 3, 0, 0, 5u | 1u << 16, 20, 80);
	s.fake.counts[1][4 * 2 + 1] = 17;
	assert_int_equal(loom_device_run(s.device, &image, &options, &t, &s.err), 0);
	// Of what was loaded only what a reset spoils, no map and no program.
	const struct write wanted[] = {
		{LOOM_REG_FIRST_PASS, 0}, {LOOM_REG_LAST_PASS, 0}, {LOOM_REG_CONTROL, 1},    {LOOM_REG_FIRST_PASS, 1},
		{LOOM_REG_LAST_PASS, 1},  {LOOM_REG_CONTROL, 1},   {LOOM_REG_CONTROL, 2},    {LOOM_REG_CONFIG, 1},
		{LOOM_REG_SEED, 77},      {LENGTH_OF(2u), 1},      {LOOM_REG_FIRST_PASS, 0}, {LOOM_REG_LAST_PASS, 1},
		{LOOM_REG_CONTROL, 1},
	};
	assert_int_equal(s.fake.n_writes, sizeof wanted / sizeof wanted[0]);
	assert_memory_equal(s.fake.writes, wanted, sizeof wanted);
	assert_non_null(t.back_to_back);
	assert_int_equal(t.back_to_back->began, 1000);
	assert_int_equal(t.back_to_back->n_passes, 2);
	assert_int_equal(t.back_to_back->n_arrivals, 1);
	assert_int_equal(t.back_to_back->arrivals[0].last_cycle, 80);
	assert_int_equal(t.back_to_back->counts[N_CHANNELS + 2].flits, 17);
	loom_trace_free(&t);

	// Beyond 32 bits: the counter has wrapped around.
	s.fake.n_runs_of_pass = 3;
	s.fake.cycles_per_run = 0x40000000u;
	s.fake.between = 0x50000000u;
	assert_int_equal(loom_device_run(s.device, &image, &options, &t, &s.err), 0);
	assert_true(t.back_to_back->began == 0x50000000u);
	loom_trace_free(&t);

	s.fake.cycles_per_run = 20;
	s.fake.n_runs_of_pass = 5;
	s.fake.between = 207;

	// What is written between passes only the host can write; one pass is back to back with nothing.
	uint32_t configs[] = {1, 1};
	struct loom_image other = image;
	other.configs = configs;
	assert_int_equal(loom_device_run(s.device, &other, &options, &t, &s.err), 0);
	assert_null(t.back_to_back);
	loom_trace_free(&t);
	other = image;
	other.n_passes = 1;
	assert_int_equal(loom_device_run(s.device, &other, &options, &t, &s.err), 0);
	assert_null(t.back_to_back);
	loom_trace_free(&t);
	tear_down(&s);
}

static void open_with_histories(struct scene *s)
{
	set_up_link(s);
	s->fake.global[LOOM_REG_HISTORY_RUNS] = 2;
	s->fake.back_to_back = true;
	assert_int_equal(loom_device_open(&s->device, &s->link, &s->err), 0);
	s->fake.n_calls = 0;
}

// One start is enough where the chip keeps histories of all passes, and then the limit is of each pass all the same.
static void test_run_with_histories(void **state)
{
	(void)state;
	struct scene s;
	struct loom_trace t;
	struct loom_run_options options = {.back_to_back = true, .max_cycles = 80};
	open_with_histories(&s);
	put_log(&s, 3, 0, 0, 5u | 1u << 16, 20, 80);
	s.fake.global[LOOM_REG_CONFIG] = 1;
	s.fake.n_runs_of_pass = 14;
	s.fake.turn_at = s.fake.tear_at = 7;
	assert_int_equal(loom_device_run(s.device, &image, &options, &t, &s.err), 0);
	const struct write wanted[] = {{LOOM_REG_CONFIG, 1 | 1u << LOOM_CONFIG_RECORD_LOW},
	                               {LOOM_REG_FIRST_PASS, 0},
	                               {LOOM_REG_LAST_PASS, 1},
	                               {LOOM_REG_CONTROL, 1}};
	assert_int_equal(s.fake.n_writes, sizeof wanted / sizeof wanted[0]);
	assert_memory_equal(s.fake.writes, wanted, sizeof wanted);
	assert_int_equal(t.n_arrivals, 1);
	assert_int_equal(t.back_to_back->n_arrivals, 1);
	assert_memory_equal(t.arrivals, t.back_to_back->arrivals, sizeof *t.arrivals);
	assert_int_equal(t.back_to_back->began, 14 * 20 - 141);
	loom_trace_free(&t);
	s.fake.n_runs_of_pass = 16;
	refuse_run(&s, &options, LOOM_ELIMIT, "pass 1 is not done after 161 cycles; the limit is 80");
	s.fake.turn_at = s.fake.tear_at = 0;
	refuse_run(&s, &options, LOOM_ELIMIT, "pass 0 is not done after 160 cycles; the limit is 80");
	options.max_cycles = 0;
	s.fake.end = 3;
	s.fake.turn_at = 5;
	refuse_run(&s, &options, LOOM_ESTUCK, "stuck in pass 1: ");
	s.fake.end = 2;

	// Which run failed is said where there are two. So it is when histories are too short, or the chip keeps none.
	for (int way = 0; way < 2; way++) {
		struct loom_image longer = image;
		longer.n_passes += way == 0;
		s.fake.no_record = way == 1;
		s.fake.n_runs_of_pass = 2;
		s.fake.turn_at = 0;
		s.fake.n_writes = 0;
		assert_int_equal(loom_device_run(s.device, &longer, &options, &t, &s.err), 0);
		assert_int_equal(s.fake.n_writes, (longer.n_passes + 1) * 3 + 4 + (way == 1));
		assert_non_null(t.back_to_back);
		loom_trace_free(&t);
	}
	tear_down(&s);

	// At every call in turn; the last ones read the numbers of entries.
	options.max_cycles = 80;
	for (unsigned k = 1;; k++) {
		open_with_histories(&s);
		s.fake.fail_at = k;
		int code = loom_device_run(s.device, &image, &options, &t, &s.err);
		if (code == 0)
			loom_trace_free(&t);
		else
			assert_failed(&s, code, LOOM_ELINK, "fails at call");
		tear_down(&s);
		if (code == 0) {
			assert_int_equal(k, 2 + 5 + 1 + 1 + 1 + 1);
			break;
		}
	}
}

// At every call in turn.
static void test_run_back_to_back_link_fails(void **state)
{
	(void)state;
	const struct loom_run_options options = {.back_to_back = true};
	unsigned k = 1;
	for (;; k++) {
		struct scene s;
		struct loom_trace t;
		set_up(&s);
		put_log(&s, 0, 0, 0, 1, 2, 2);
		s.fake.back_to_back = true;
		s.fake.fail_at = k;
		if (k > 14) // in the run back to back
			refuse_run(&s, &options, LOOM_ELINK, "fails at call");
		else if (loom_device_run(s.device, &image, &options, &t, &s.err) == 0)
			fail_msg("no failure at call %u", k);
		tear_down(&s);
		if (k == 14 + 2 + 5 + 1 + 2)
			break;
	}
	struct scene s;
	struct loom_trace t;
	set_up(&s);
	put_log(&s, 0, 0, 0, 1, 2, 2);
	s.fake.back_to_back = true;
	// One by one as ever; then load and read back, start, two runs with a look each, counters, nodes, logs.
	assert_int_equal(loom_device_run(s.device, &image, &options, &t, &s.err), 0);
	assert_int_equal(s.fake.n_calls, 2 * (1 + 4 + 1) + 2 + 2 + 5 + 1 + 2);
	loom_trace_free(&t);
	tear_down(&s);
}

static void test_run_overflows(void **state)
{
	(void)state;
	struct scene s;
	set_up(&s);
	s.fake.end = 2u | 1u << LOOM_STATUS_LOG_FULL_LOW;
	refuse_run(&s, NULL, LOOM_EHARDWARE, "a node's log overflowed in pass 0");
	s.fake.end = 2u | 1u << LOOM_STATUS_STORE_FULL_LOW;
	refuse_run(&s, NULL, LOOM_EHARDWARE, "a slot of a node's store overflowed in pass 0");
	tear_down(&s);
}

struct told {
	unsigned n, stop_at; // calls; the one, counted from 1, that asks to stop
	struct loom_progress last;
	unsigned ends;    // bit s: stage s was told of with done == total
	bool bad;         // a stage after a later one, or less done than before
	uint64_t n_words; // of all stages but the run, when they ended
};

static int tell(void *user, const struct loom_progress *p)
{
	struct told *told = user;
	told->bad |= p->total == 0 || p->done > p->total || p->stage < told->last.stage;
	if (p->stage == told->last.stage && told->n)
		told->bad |= p->done < told->last.done || p->total != told->last.total;
	if (p->done == p->total) {
		told->ends |= 1u << p->stage;
		told->n_words += p->stage == LOOM_STAGE_RUN ? 0 : p->total;
	}
	told->last = *p;
	return ++told->n == told->stop_at;
}

// Load and run, watched: every stage is told of from its beginning to its end, and what is done is the same.
static void test_progress(void **state)
{
	(void)state;
	struct scene watched, other;
	struct loom_trace t, u;
	struct told told = {0};
	set_up(&watched);
	set_up(&other);
	loom_device_watch(watched.device, tell, &told);
	for (uint32_t i = 0; i < 3; i++) {
		put_log(&watched, 2, i, 0, 1, 2, 2);
		put_log(&other, 2, i, 0, 1, 2, 2);
	}
	assert_int_equal(loom_device_load(watched.device, &image, &watched.err), 0);
	assert_int_equal(loom_device_load(other.device, &image, &other.err), 0);
	assert_int_equal(watched.fake.n_writes + watched.fake.n_reads, told.n_words);
	assert_int_equal(loom_device_run(watched.device, &image, NULL, &t, &watched.err), 0);
	assert_int_equal(loom_device_run(other.device, &image, NULL, &u, &other.err), 0);
	assert_false(told.bad);
	assert_int_equal(told.ends, 1u << LOOM_STAGE_LOAD | 1u << LOOM_STAGE_VERIFY | 1u << LOOM_STAGE_LOGS);
	assert_int_equal(watched.fake.n_reads, other.fake.n_reads);
	assert_int_equal(watched.fake.n_writes, other.fake.n_writes);
	assert_memory_equal(watched.fake.writes, other.fake.writes, sizeof other.fake.writes);
	assert_int_equal(t.n_arrivals, u.n_arrivals);
	loom_trace_free(&t);
	loom_trace_free(&u);
	tear_down(&watched);
	tear_down(&other);
}

// Whenever it is asked to, it stops; before every pass and after every look at one it can be.
static void test_progress_stops(void **state)
{
	(void)state;
	unsigned k = 1;
	for (;; k++) {
		struct scene s;
		struct loom_trace t, before;
		struct told told = {.stop_at = k};
		memset(&before, 0xa5, sizeof before);
		t = before;
		set_up(&s);
		put_log(&s, 2, 0, 0, 1, 2, 2);
		s.fake.n_runs_of_pass = 3;
		loom_device_watch(s.device, tell, &told);
		int code = loom_device_load(s.device, &image, &s.err);
		if (code == 0)
			code = loom_device_run(s.device, &image, NULL, &t, &s.err);
		assert_false(told.bad);
		if (told.n < k) {
			assert_int_equal(code, 0);
			loom_trace_free(&t);
			tear_down(&s);
			break;
		}
		assert_int_equal(told.n, k); // and is not asked again
		assert_failed(&s, code, LOOM_ETIMEOUT, "given up");
		if (told.last.stage == LOOM_STAGE_RUN) {
			char says[64];
			(void)snprintf(says, sizeof says, "in pass %u at cycle %u", (unsigned)told.last.done,
			               (unsigned)told.last.cycle);
			assert_failed(&s, code, LOOM_ETIMEOUT, says);
		}
		assert_memory_equal(&t, &before, sizeof t);
		tear_down(&s);
	}
	// Load, reading back; per pass its beginning and two looks before the one that finds it done; logs.
	assert_int_equal(k - 1, 2 + 2 * 3 + 1);
}

// A long list goes over the link in portions, and all of it does.
static void test_progress_portions(void **state)
{
	(void)state;
	struct scene s;
	struct loom_trace t;
	struct told told = {0};
	set_up(&s);
	for (uint32_t v = 0; v < N_NODES; v++)
		for (uint32_t i = 0; i < LOG_DEPTH; i++)
			put_log(&s, v, i, 0, 1, 2, 1000 * v + i);
	loom_device_watch(s.device, tell, &told);
	assert_int_equal(loom_device_run(s.device, &image, NULL, &t, &s.err), 0);
	assert_int_equal(told.last.stage, LOOM_STAGE_LOGS);
	assert_int_equal(told.last.total, 5 * LOG_DEPTH * N_NODES);
	assert_int_equal(told.last.done, told.last.total);
	assert_int_equal(told.n, 2 * 2 + 4); // portions of 4096 words at most: a log and its signatures
	assert_int_equal(t.n_arrivals, LOG_DEPTH * N_NODES);
	for (size_t i = 0; i < t.n_arrivals; i++)
		assert_int_equal(t.arrivals[i].last_cycle, 1000 * (i / LOG_DEPTH) + i % LOG_DEPTH);
	loom_trace_free(&t);
	tear_down(&s);
}

// At every call in turn, in a run that ends well and in one that gets stuck.
static void test_run_link_fails(void **state)
{
	(void)state;
	for (uint32_t end = 2; end <= 3; end++) {
		unsigned k = 1;
		for (;; k++) {
			struct scene s;
			struct loom_trace t, before;
			memset(&before, 0xa5, sizeof before);
			t = before;
			set_up(&s);
			put_log(&s, 0, 0, 0, 1, 2, 2);
			put_log(&s, 2, 1, 0, 1, 2, 2);
			s.fake.end = end;
			s.fake.fail_at = k;
			int code = loom_device_run(s.device, &image, NULL, &t, &s.err);
			int failed = s.fake.n_calls >= k;
			if (failed)
				assert_failed(&s, code, LOOM_ELINK, "fails at call");
			else
				assert_int_equal(code, end == 2 ? 0 : LOOM_ESTUCK);
			if (code)
				assert_memory_equal(&t, &before, sizeof t);
			else
				loom_trace_free(&t);
			tear_down(&s);
			if (!failed)
				break;
		}
		// Per pass the start, 2 runs with a look at the status each, the counters; then the nodes' counts,
		// and their logs.
		assert_int_equal(k - 1, end == 2 ? 2 * (1 + 4 + 1) + 2 : 1 + 4 + 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_open),
		cmocka_unit_test(test_open_refuses),
		cmocka_unit_test(test_open_fabric),
		cmocka_unit_test(test_load),
		cmocka_unit_test(test_load_reads_back),
		cmocka_unit_test(test_load_link_fails),
		cmocka_unit_test(test_run),
		cmocka_unit_test(test_run_widths),
		cmocka_unit_test(test_run_long_logs),
		cmocka_unit_test(test_logs),
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_run_stuck),
		cmocka_unit_test(test_waiting),
		cmocka_unit_test(test_run_stands_still),
		cmocka_unit_test(test_run_does_not_start),
		cmocka_unit_test(test_run_limit),
		cmocka_unit_test(test_run_back_to_back),
		cmocka_unit_test(test_run_with_histories),
		cmocka_unit_test(test_run_back_to_back_link_fails),
		cmocka_unit_test(test_run_overflows),
		cmocka_unit_test(test_progress),
		cmocka_unit_test(test_progress_stops),
		cmocka_unit_test(test_progress_portions),
		cmocka_unit_test(test_run_link_fails),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
