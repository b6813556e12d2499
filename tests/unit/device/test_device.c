// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Opening and loading devices: the registers that are read and written, and what is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/device.h>
#include <flitloom/link/regmap.h>

#include "unit/help/fake_device.h"

static void test_open(void **state)
{
	(void)state;
	struct scene s;
	fake_set_up(&s);
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
	assert_int_equal(s.fake.n_writes, 0); // opening writes nothing
	fake_tear_down(&s);
	loom_device_close(NULL);
}

static void refuse_open(struct scene *s, int expected, const char *says)
{
	struct loom_device *const before = (struct loom_device *)&s->fake;
	s->device = before;
	memset(&s->err, 0, sizeof s->err);
	assert_fake_failed(s, loom_device_open(&s->device, &s->link, &s->err), expected, says);
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
		{LOOM_REG_CHANNELS, 64, "make no sense"},
		{LOOM_REG_LABEL_BITS, 0, "make no sense"},
		{LOOM_REG_LABEL_BITS, 17, "make no sense"},
		{LOOM_REG_RULE_BITS, 0, "make no sense"},
		{LOOM_REG_RULE_BITS, 5, "make no sense"},
		{LOOM_REG_FLIT_BITS, 11, "make no sense"}, // two labels of 4 bits, rule, slot, number
		{LOOM_REG_FLIT_BITS, 513, "make no sense"},
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
		{LOOM_REG_USER_NODES, 2, "make no sense"},
	};
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		struct scene s;
		fake_set_up_link(&s);
		s.fake.global[wrong[i].reg] = wrong[i].value;
		refuse_open(&s, LOOM_EHARDWARE, wrong[i].says);
		fake_tear_down(&s);
	}
	struct scene s;
	fake_set_up_link(&s);
	s.fake.fail_at = 1;
	struct loom_device *const before = (struct loom_device *)&s.fake;
	s.device = before;
	assert_fake_failed(&s, loom_device_open(&s.device, &s.link, &s.err), LOOM_ELINK, "fails at call 1");
	assert_ptr_equal(s.device, before);
	s.device = NULL;
	fake_tear_down(&s);
}

// The least and the most that each of these registers may say.
static void test_open_takes(void **state)
{
	(void)state;
	static const struct {
		uint32_t reg, least, most;
	} rows[] = {
		{LOOM_REG_NODES, 1, LOOM_ALL_NODES}, {LOOM_REG_TILES, 1, LOOM_ALL_NODES},
		{LOOM_REG_CHANNELS, 1, 63},          {LOOM_REG_LABEL_BITS, 1, 12}, // the most that fit into a flit
		{LOOM_REG_RULE_BITS, 1, 4},          {LOOM_REG_FLIT_BITS, 12, 512},
		{LOOM_REG_LENGTH_BITS, 1, 16},       {LOOM_REG_COUNT_BITS, 1, 32},
		{LOOM_REG_CYCLE_BITS, 8, 32},        {LOOM_REG_PASS_BITS, 1, 16},
		{LOOM_REG_STORE_SLOTS, 0, 15},       {LOOM_REG_PROGRAM_DEPTH, 0, 4096},
		{LOOM_REG_LOG_DEPTH, 0, 8192},       {LOOM_REG_PAYLOAD_BITS, 16, 32},
		{LOOM_REG_SIGNATURE_BITS, 0, 32},    {LOOM_REG_SIGNATURE_BITS, 12, 16},
	};
	for (size_t i = 0; i < 2 * (sizeof rows / sizeof rows[0]); i++) {
		struct scene s;
		fake_set_up_link(&s);
		s.fake.global[rows[i / 2].reg] = i % 2 ? rows[i / 2].most : rows[i / 2].least;
		if (loom_device_open(&s.device, &s.link, &s.err) != 0)
			fail_msg("row %zu: %s", i / 2, s.err.text);
		fake_tear_down(&s);
	}
}

// The chip's discovery registers must agree: for a mesh of 3 rows and 5 columns one register at a time is made wrong.
static void test_open_fabric(void **state)
{
	(void)state;
	static const struct {
		uint32_t reg, value;
		const char *says; // NULL: nothing is wrong with it
	} rows[] = {
		{LOOM_REG_KIND, 11, NULL},
		{LOOM_REG_KIND, UNKNOWN_KIND, NULL}, // only a caller that needs the kind refuses it
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
		{LOOM_REG_LIGHT, 0x100,
	         "the chip holds a fabric of a shape that cannot be: light that is 0 cycles slower"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct scene s;
		fake_set_up_link(&s);
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
		fake_tear_down(&s);
	}
}

// An OTIS-Mesh reports the timing of its light.
static void test_open_light(void **state)
{
	(void)state;
	static const struct {
		uint32_t light, vcs;
		const char *says, *name;
	} rows[] = {
		{0x100, 1, NULL, "otis-mesh:4"},
		{0x203, 2, NULL, "otis-mesh:4l3w2v2"},
		{0x103f, 0, NULL, "otis-mesh:4l63w16"},
		{0x1140, 1, "light that is 64 cycles slower and takes 17 cycles for a flit, on otis-mesh:4", NULL},
		{0, 1, "light that is 0 cycles slower and takes 0 cycles for a flit", NULL},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct scene s;
		fake_set_up_link(&s);
		uint32_t *r = s.fake.global;
		r[LOOM_REG_KIND] = 17;
		r[LOOM_REG_SIZE] = 4;
		for (unsigned d = 0; d < 4; d++)
			r[LOOM_REG_SHAPE + d] = 2;
		r[LOOM_REG_NODES] = r[LOOM_REG_TILES] = 16;
		r[LOOM_REG_CHANNELS] = 7;
		r[LOOM_REG_LIGHT] = rows[i].light;
		r[LOOM_REG_VIRTUAL_CHANNELS] = rows[i].vcs;
		if (rows[i].says)
			refuse_open(&s, LOOM_EHARDWARE, rows[i].says);
		else {
			struct loom_topo t;
			assert_int_equal(loom_device_open(&s.device, &s.link, &s.err), 0);
			const struct loom_chip *chip = loom_device_chip(s.device);
			assert_int_equal(chip->light_cycles, rows[i].light & 0xff);
			assert_int_equal(chip->light_ratio, rows[i].light >> 8);
			assert_int_equal(loom_chip_topo(&t, chip, &s.err), 0);
			assert_string_equal(t.name, rows[i].name);
		}
		fake_tear_down(&s);
	}
}

// An open fabric: no register says anything of programs, logs or stores. It can be looked at, and nothing is loaded or
// run, nor written in the attempt.
static void test_open_user_nodes(void **state)
{
	(void)state;
	static const char *const says = "the chip is an open fabric: its nodes are its user's";
	static const struct {
		uint32_t flit_bits;
		bool fits;
	} rows[] = {{9, true}, {32, true}, {8, false}, {513, false}}; // two labels of 4 bits and a rule
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct scene s;
		fake_set_up_link(&s);
		uint32_t *r = s.fake.global;
		r[LOOM_REG_PROGRAM_DEPTH] = r[LOOM_REG_LOG_DEPTH] = r[LOOM_REG_STORE_SLOTS] = r[LOOM_REG_SLOT_FLITS] =
			0;
		r[LOOM_REG_LENGTH_BITS] = r[LOOM_REG_PAYLOAD_BITS] = r[LOOM_REG_SIGNATURE_BITS] = 0;
		r[LOOM_REG_FLIT_BITS] = rows[i].flit_bits;
		refuse_open(&s, LOOM_EHARDWARE, "make no sense"); // without the register that gives the reason
		r[LOOM_REG_USER_NODES] = 1;
		if (rows[i].fits) {
			struct loom_trace trace;
			struct loom_count counts[N_NODES * N_CHANNELS];
			uint32_t pass;
			assert_int_equal(loom_device_open(&s.device, &s.link, &s.err), 0);
			assert_int_equal(loom_device_chip(s.device)->user_nodes, 1);
			assert_int_equal(loom_device_counts(s.device, &pass, counts, &s.err), 0);
			assert_fake_failed(&s, loom_device_load(s.device, &fake_image, &s.err), LOOM_EHARDWARE, says);
			assert_fake_failed(&s, loom_device_run(s.device, &fake_image, NULL, &trace, &s.err),
			                   LOOM_EHARDWARE, says);
		} else
			refuse_open(&s, LOOM_EHARDWARE, "make no sense");
		assert_int_equal(s.fake.n_writes, 0);
		fake_tear_down(&s);
	}
}

static void test_load(void **state)
{
	(void)state;
	struct scene s;
	fake_set_up(&s);
	assert_int_equal(loom_device_load(s.device, &fake_image, &s.err), 0);
	assert_int_equal(s.fake.n_writes, 1 + 9);
	assert_int_equal(s.fake.writes[0].address, LOOM_REG_CONTROL);
	assert_int_equal(s.fake.writes[0].word, 1u << LOOM_CONTROL_RESET_LOW);
	for (size_t b = 0, at = 1; b < fake_image.n_blocks; b++)
		for (uint32_t k = 0; k < fake_blocks[b].n_words; k++, at++) {
			assert_int_equal(s.fake.writes[at].address, fake_blocks[b].address + k);
			assert_int_equal(s.fake.writes[at].word, fake_blocks[b].words[k]);
		}
	assert_int_equal(s.fake.n_reads, 5 + 2 * 4); // what was written to all nodes is read back from two

	const struct loom_image empty = {.n_nodes = N_NODES};
	assert_int_equal(loom_device_load(s.device, &empty, &s.err), 0);
	assert_int_equal(s.fake.n_writes, 1 + 9 + 1);
	fake_tear_down(&s);
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
		{MAP_OF(N_NODES - 1u) + 3, "address 0x10054003 was written 0x00000000 and reads 0x00000100"},
		{LENGTH_OF(2u), "address 0x10020000 was written 0x00000001 and reads 0x00000101"},
	};
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		struct scene s;
		fake_set_up(&s);
		s.fake.lies_at = wrong[i].address;
		assert_fake_failed(&s, loom_device_load(s.device, &fake_image, &s.err), LOOM_EHARDWARE, wrong[i].says);
		fake_tear_down(&s);
	}
}

static void test_load_link_fails(void **state)
{
	(void)state;
	unsigned k = 1;
	for (;; k++) {
		struct scene s;
		fake_set_up(&s);
		s.fake.fail_at = k;
		int code = loom_device_load(s.device, &fake_image, &s.err);
		if (code)
			assert_fake_failed(&s, code, LOOM_ELINK, "fails at call");
		fake_tear_down(&s);
		if (code == 0)
			break;
	}
	assert_int_equal(k - 1, 2); // everything is written at once, and read back at once
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_open),
		cmocka_unit_test(test_open_refuses),
		cmocka_unit_test(test_open_takes),
		cmocka_unit_test(test_open_fabric),
		cmocka_unit_test(test_open_light),
		cmocka_unit_test(test_open_user_nodes),
		cmocka_unit_test(test_load),
		cmocka_unit_test(test_load_reads_back),
		cmocka_unit_test(test_load_link_fails),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
