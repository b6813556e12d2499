// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "open_calls.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <flitloom/device.h>
#include <flitloom/link/open_fabric.h>
#include <flitloom/link/regmap.h>
#include <flitloom/topo.h>

#define NODES 8u

static uint32_t *passed, *failed;

static void check_at(int line, bool ok, const char *what)
{
	++*(ok ? passed : failed);
	if (!ok)
		printf("FAIL open_calls.c:%d: %s\n", line, what);
}
#define CHECK(x) check_at(__LINE__, x, #x)

// An open fabric and its nodes' ports.
struct scene {
	struct loom_open_fabric *f;
	struct loom_open_port port[NODES];
	struct loom_err err;
};

static int cycle(struct scene *s)
{
	return loom_open_fabric_cycle(s->f, s->port, &s->err);
}

static void offer(struct scene *s, uint32_t node, uint64_t data, uint32_t to, bool last)
{
	s->port[node].offer = true;
	s->port[node].in = (struct loom_open_beat){.data = data, .node = to, .last = last};
}

// Offers a beat until it is taken. False: it was not, in 50 cycles.
static bool send(struct scene *s, uint32_t node, uint64_t data, uint32_t to, bool last)
{
	bool taken = false;
	offer(s, node, data, to, last);
	for (int i = 0; i < 50 && !taken; i++)
		taken = cycle(s) == 0 && s->port[node].taken;
	s->port[node].offer = false;
	return taken;
}

// Accepts at the node until a beat comes. False: none came in 50 cycles.
static bool receive(struct scene *s, uint32_t node, struct loom_open_beat *out)
{
	bool got = false;
	s->port[node].accept = true;
	for (int i = 0; i < 50 && !got; i++)
		got = cycle(s) == 0 && s->port[node].got;
	s->port[node].accept = false;
	*out = s->port[node].out;
	return got;
}

static bool refused(struct scene *s, const char *words)
{
	struct loom_open_port before[NODES];
	uint64_t now = loom_open_fabric_now(s->f);
	memcpy(before, s->port, sizeof before);
	return cycle(s) == LOOM_EINPUT && strstr(s->err.text, words) && memcmp(before, s->port, sizeof before) == 0 &&
	       loom_open_fabric_now(s->f) == now;
}

static void test_refusals(struct scene *s)
{
	struct loom_open_beat b;
	offer(s, 5, 1, NODES, true);
	CHECK(refused(s, "node 5: a frame to node 8; cube:3 has nodes 0 to 7"));
	offer(s, 5, 1, UINT32_MAX, true);
	CHECK(refused(s, "a frame to node 4294967295"));
	offer(s, 5, UINT64_C(1) << 32, 2, true);
	CHECK(refused(s, "data 0x100000000 in a beat of 32 bits"));
	offer(s, 5, 0xffffffff, 2, true);
	CHECK(cycle(s) == 0 && !s->port[5].taken); // the header goes first
	s->port[5].offer = false;
	CHECK(refused(s, "was withdrawn before it was taken"));
	offer(s, 5, 0xfffffffe, 2, true);
	CHECK(refused(s, "was changed before it was taken"));
	offer(s, 5, 0xffffffff, 3, true);
	CHECK(refused(s, "was changed"));
	offer(s, 5, 0xffffffff, 2, false);
	CHECK(refused(s, "was changed"));
	CHECK(send(s, 5, 0xffffffff, 2, true));
	CHECK(receive(s, 2, &b) && b.data == 0xffffffff && b.node == 5 && b.last);
}

static void test_waits(struct scene *s)
{
	struct loom_open_beat b;
	CHECK(send(s, 0, 10, 7, false) && send(s, 0, 11, 99, true)); // 99 has no meaning behind the first beat
	for (int i = 0; i < 20; i++)
		CHECK(cycle(s) == 0 && !s->port[7].got && (i < 10 || s->port[7].waits));
	CHECK(loom_open_fabric_busy(s->f));
	CHECK(receive(s, 7, &b) && b.data == 10 && b.node == 0 && !b.last);
	CHECK(cycle(s) == 0 && s->port[7].waits && !s->port[7].got);
	CHECK(receive(s, 7, &b) && b.data == 11 && b.node == 0 && b.last);
	CHECK(cycle(s) == 0 && !s->port[7].waits);
	CHECK(cycle(s) == 0 && !loom_open_fabric_busy(s->f));
}

// Tests the cycles that the link runs: no node accepts a beat in them, but an offered beat may be taken.
static void test_link(struct scene *s)
{
	struct loom_link *link = loom_open_fabric_link(s->f);
	struct loom_open_beat b;
	uint32_t word[2];
	uint64_t now = loom_open_fabric_now(s->f);
	offer(s, 1, 20, 6, true);
	CHECK(cycle(s) == 0 && !s->port[1].taken);
	CHECK(link->kind->run(link, 30, &s->err) == 0 && loom_open_fabric_now(s->f) == now + 31);
	s->port[1].offer = false;
	CHECK(refused(s, "was withdrawn")); // it was taken while the link ran, but the caller has not seen `taken` yet
	offer(s, 1, 20, 6, true);
	s->port[6].accept = true;
	CHECK(cycle(s) == 0 && s->port[1].taken && s->port[6].got && s->port[6].out.data == 20);
	s->port[1].offer = s->port[6].accept = false;
	CHECK(cycle(s) == 0 && !s->port[1].taken && !s->port[6].waits);
	CHECK(loom_link_read(link, LOOM_REG_MAGIC, word, 2, 1000, &s->err) == 0 && word[0] == 0x4d4f4f4c &&
	      word[1] == LOOM_MAP_VERSION_IS);
	loom_link_close(link);
	loom_link_close(link);
	link = loom_open_fabric_link(s->f);
	CHECK(loom_link_read(link, LOOM_REG_USER_NODES, word, 1, 1000, &s->err) == 0 && word[0] == 1);
	CHECK(send(s, 1, 21, 6, true) && receive(s, 6, &b) && b.data == 21);
}

// Tests the device behind the link: it can be read, but no plan can be loaded or run.
static void test_device(struct scene *s)
{
	const struct loom_image image = {.n_nodes = 8, .n_passes = 1};
	struct loom_device *d = NULL;
	struct loom_trace trace;
	struct loom_topo t;
	CHECK(loom_device_open(&d, loom_open_fabric_link(s->f), &s->err) == 0);
	if (!d)
		return;
	CHECK(loom_device_chip(d)->user_nodes == 1);
	CHECK(loom_chip_topo(&t, loom_device_chip(d), &s->err) == 0 && strcmp(t.name, "cube:3") == 0);
	CHECK(loom_device_load(d, &image, &s->err) == LOOM_EHARDWARE &&
	      strstr(s->err.text, "the chip is an open fabric"));
	CHECK(loom_device_run(d, &image, NULL, &trace, &s->err) == LOOM_EHARDWARE);
	s->err.code = 0;
	loom_device_close(d);
}

static void test_requests(struct scene *s)
{
	struct loom_open_request r[3] = {{.address = LOOM_REG_MAGIC},
	                                 {.address = LOOM_REG_WATCHDOG, .data = 1234, .write = true},
	                                 {.address = LOOM_REG_WATCHDOG}};
	for (int i = 0; i < 3; i++) {
		CHECK(loom_open_fabric_request(s->f, &r[i], &s->err) == 0);
		CHECK(loom_open_fabric_request(s->f, &r[i], &s->err) == LOOM_EINPUT);
		CHECK(cycle(s) == 0 && !r[i].done);
	}
	for (int i = 0; i < 20 && !r[2].done; i++)
		CHECK(cycle(s) == 0 && r[0].done >= r[1].done && r[1].done >= r[2].done);
	CHECK(r[2].done && r[0].data == 0x4d4f4f4c && r[2].data == 1234);
	// A request that is not answered yet when the link uses the port.
	uint32_t word;
	r[0] = (struct loom_open_request){.address = LOOM_REG_NODES};
	CHECK(loom_open_fabric_request(s->f, &r[0], &s->err) == 0 && !r[0].done);
	CHECK(loom_link_read(loom_open_fabric_link(s->f), LOOM_REG_WATCHDOG, &word, 1, 1000, &s->err) == 0);
	CHECK(r[0].done && r[0].data == NODES && word == 1234);
}

static bool any_beat(struct scene *s, unsigned cycles)
{
	bool any = false;
	for (uint32_t u = 0; u < NODES; u++)
		s->port[u].accept = true;
	for (unsigned i = 0; i < cycles; i++) {
		CHECK(cycle(s) == 0);
		for (uint32_t u = 0; u < NODES; u++)
			any |= s->port[u].got;
	}
	for (uint32_t u = 0; u < NODES; u++)
		s->port[u].accept = false;
	return any;
}

// Tests reset in the middle of a frame. `control`: any address of register CONTROL.
static void test_reset(struct scene *s, bool by_request, uint32_t control)
{
	const uint32_t reset = 1u << LOOM_CONTROL_RESET_LOW;
	struct loom_open_request r = {.address = control, .data = reset, .write = true};
	struct loom_open_beat b;
	CHECK(send(s, 3, 30, 4, false) && send(s, 2, 31, 4, false));
	offer(s, 3, 32, 4, false);
	CHECK(cycle(s) == 0); // node 3 is in the middle of a frame to node 4, whether the beat was taken or not
	if (!by_request) {
		CHECK(loom_link_write(loom_open_fabric_link(s->f), control, &reset, 1, 1000, &s->err) == 0);
		s->port[3].offer = false;
	} else {
		s->port[3].offer = !s->port[3].taken;
		CHECK(loom_open_fabric_request(s->f, &r, &s->err) == 0);
		CHECK(cycle(s) == 0);
		s->port[3].offer = false;
		offer(s, 3, 33, 5, true); // waits until the reset is over
		for (int i = 0; i < 6; i++)
			CHECK(cycle(s) == 0 && !s->port[3].taken);
		CHECK(r.done && r.data == reset && send(s, 3, 33, 5, true));
		CHECK(receive(s, 5, &b) && b.data == 33 && b.node == 3 && b.last);
	}
	CHECK(!any_beat(s, 50) && !loom_open_fabric_busy(s->f));
	CHECK(send(s, 3, 34, 0, false) && send(s, 3, 35, 0, true));
	CHECK(receive(s, 0, &b) && b.data == 34 && b.node == 3 && !b.last);
	CHECK(receive(s, 0, &b) && b.data == 35 && b.node == 3 && b.last);
}

static void test_clear(struct scene *s)
{
	const uint32_t at = LOOM_WINDOW_COUNTS | 3u << LOOM_INDEX_LOW | 4 * 4, // the injection channel of node 3
		clear = 1u << LOOM_CONTROL_CLEAR_LOW;
	struct loom_link *link = loom_open_fabric_link(s->f);
	uint32_t word[2];
	CHECK(loom_link_read(link, at, word, 2, 1000, &s->err) == 0 && word[0] == 1 && word[1] == 3);
	CHECK(loom_link_write(link, LOOM_REG_CONTROL, &clear, 1, 1000, &s->err) == 0);
	CHECK(loom_link_read(link, at, word, 2, 1000, &s->err) == 0 && word[0] == 0 && word[1] == 0);
}

static void test_two(struct scene *s)
{
	struct scene other = {0};
	struct loom_topo topo;
	struct loom_open_beat b;
	CHECK(loom_topo_parse(&topo, "cube:3", &s->err) == 0);
	const struct loom_link_options options = {.topo = &topo};
	CHECK(loom_open_fabric_open(&other.f, NULL, &options, &other.err) == 0);
	CHECK(loom_open_fabric_now(other.f) == 0 && loom_open_fabric_nodes(other.f) == NODES);
	CHECK(send(s, 0, 40, 1, true) && send(&other, 0, 41, 1, true));
	CHECK(receive(&other, 1, &b) && b.data == 41 && receive(s, 1, &b) && b.data == 40);
	loom_open_fabric_close(other.f);
	CHECK(send(s, 0, 42, 1, true) && receive(s, 1, &b) && b.data == 42);
}

static bool cannot_open(const char *fabric, const char *words)
{
	struct loom_open_fabric *f = NULL;
	struct loom_err err = {0};
	return loom_open_fabric_open(&f, fabric, NULL, &err) == LOOM_EINPUT && !f && strstr(err.text, words);
}

static void test_open(void)
{
	CHECK(cannot_open(NULL, "which?"));
	CHECK(cannot_open("cuba:3", "cube"));
	CHECK(cannot_open("cube:11", "no RTL for cube:11"));
	// Its shortest routes need two lanes, for messages of two rules.
	CHECK(cannot_open("graph:tests/e2e/graphs/chords.txt:v2", "an open fabric's messages all go on the first"));
	loom_open_fabric_close(NULL);
}

static int64_t trace(const char *file, uint64_t from, uint64_t cycles)
{
	const struct loom_link_options options = {.trace_file = file, .trace_from = from, .trace_cycles = cycles};
	struct loom_open_port port[2] = {0};
	struct loom_open_fabric *f;
	struct loom_err err = {0};
	struct stat is;
	CHECK(loom_open_fabric_open(&f, "omega:2", &options, &err) == 0);
	if (err.code)
		return -1;
	port[1].accept = true;
	for (uint32_t i = 0; i < 2000; i++) {
		port[0].in = (struct loom_open_beat){.data = i, .node = 1, .last = true};
		port[0].offer = true;
		while (loom_open_fabric_cycle(f, port, &err) == 0 && !port[0].taken)
			;
	}
	CHECK(err.code == 0);
	loom_open_fabric_close(f);
	return stat(file, &is) == 0 ? (int64_t)is.st_size : -1;
}

static void test_waveform(void)
{
	char folder[] = "/tmp/open_calls.XXXXXX", file[64];
	CHECK(mkdtemp(folder) != NULL);
	(void)snprintf(file, sizeof file, "%s/wave.fst", folder);
	int64_t all = trace(file, 0, 0), ten = trace(file, 100, 10);
	(void)unlink(file);
	int64_t none = trace(file, 1000000, 10);
	CHECK(all > 0 && ten > 0 && ten * 4 < all && none == -1);
	(void)unlink(file);
	(void)rmdir(folder);
}

void open_calls(uint32_t *n_passed, uint32_t *n_failed)
{
	struct scene s = {0};
	passed = n_passed;
	failed = n_failed;
	test_open();
	CHECK(loom_open_fabric_open(&s.f, "cube:3", NULL, &s.err) == 0);
	if (s.f) {
		CHECK(loom_open_fabric_now(s.f) == 0 && loom_open_fabric_data_bits(s.f) == 32);
		test_refusals(&s);
		test_waits(&s);
		test_link(&s);
		test_device(&s);
		test_requests(&s);
		test_reset(&s, false, LOOM_REG_CONTROL);
		test_reset(&s, false,
		           LOOM_REG_CONTROL | 0x100); // in space GLOBAL only the low eight bits of an address count
		test_reset(&s, true, LOOM_REG_CONTROL);
		test_reset(&s, true, LOOM_REG_CONTROL | 0xff00);
		test_reset(&s, false, LOOM_REG_CONTROL);
		test_clear(&s);
		test_two(&s);
	}
	loom_open_fabric_close(s.f);
	test_waveform();
}
