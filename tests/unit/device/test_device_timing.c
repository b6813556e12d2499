// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Devices whose programs have timing: when entries began, and which nodes wait in a fabric that is stuck.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/device.h>

#include "unit/help/fake_device.h"

static void set_up_timed(struct scene *s)
{
	fake_set_up_link(s);
	s->fake.global[LOOM_REG_TIMING] = LOOM_CHIP_TIMED | LOOM_CHIP_STREAM | 0x100;
	assert_int_equal(loom_device_open(&s->device, &s->link, &s->err), 0);
	assert_int_equal(loom_device_chip(s->device)->timing, LOOM_CHIP_TIMED | LOOM_CHIP_STREAM);
	s->fake.n_calls = 0;
}

// A message of node `source`, entry `number`; labels of 4 bits, a rule of 1 and a slot of 2.
static uint32_t header(uint32_t destination, uint32_t source, uint32_t number)
{
	return destination | source << 4 | number << 11;
}

static void test_releases(void **state)
{
	(void)state;
	struct scene s;
	struct loom_trace t;
	uint32_t entries[N_NODES] = {2, 0, 3, 1};
	struct loom_image image = fake_image;
	image.n_passes = 1;
	image.entries = entries;
	set_up_timed(&s);
	for (uint32_t u = 0; u < N_NODES; u++)
		for (uint32_t i = 0; i < TIME_WORDS; i++) {
			s.fake.time[u][0][i] = 7777;
			s.fake.time[u][1][i] = 100 * u + i;
		}
	fake_put_log(&s, 1, 0, header(1, 2, 1), 1, 5, 6);
	fake_put_log(&s, 1, 1, header(1, 0, 1), 1, 5, 6);
	fake_put_log(&s, 1, 2, header(1, 2, 3), 1, 5, 6); // there is no such entry
	fake_put_log(&s, 1, 3, header(1, 9, 0), 1, 5, 6); // nor such a node
	fake_put_log(&s, 3, 0, header(3, 3, 0), 1, 5, 6);
	assert_int_equal(loom_device_run(s.device, &image, NULL, &t, &s.err), 0);
	static const size_t first[] = {0, 2, 2, 5, 6};
	static const uint32_t released[] = {0, 1, 200, 201, 202, 300}, of_arrivals[] = {201, 1, 0, 0, 300};
	assert_memory_equal(t.first_entry, first, sizeof first);
	assert_memory_equal(t.released, released, sizeof released);
	assert_int_equal(t.n_arrivals, 5);
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(t.arrivals[i].release, of_arrivals[i]);
	loom_trace_free(&t);

	// Without a request for entries the chip is not read.
	image.entries = NULL;
	assert_int_equal(loom_device_run(s.device, &image, NULL, &t, &s.err), 0);
	assert_true(!t.released && !t.first_entry && t.arrivals[0].release == 0);
	loom_trace_free(&t);

	// The same if the link fails, at any call.
	image.entries = entries;
	s.fake.n_calls = 0;
	assert_int_equal(loom_device_run(s.device, &image, NULL, &t, &s.err), 0);
	loom_trace_free(&t);
	unsigned n_calls = s.fake.n_calls;
	for (unsigned k = 1; k <= n_calls; k++) {
		s.fake.n_calls = 0;
		s.fake.fail_at = k;
		assert_int_equal(loom_device_run(s.device, &image, NULL, &t, &s.err), LOOM_ELINK);
	}
	fake_tear_down(&s);
}

static void wait_at(struct scene *s, uint32_t u, uint32_t entry, uint32_t source, uint32_t count)
{
	s->fake.node[u][6] = entry | UINT32_C(1) << 31;
	s->fake.node[u][0x2000 + 2 * entry] = count;
	s->fake.node[u][0x2000 + 2 * entry + 1] = source | UINT32_C(1) << 29;
}

static void test_stuck(void **state)
{
	(void)state;
	struct scene s;
	struct loom_waiting_program out[N_NODES];
	size_t n = 77;
	set_up_timed(&s);
	s.fake.end = 3;
	s.fake.node[0][6] = 5; // it does not wait
	refuse_fake_run(&s, NULL, LOOM_ESTUCK, "headers wait for no channel");
	assert_null(strstr(s.err.text, "message "));
	wait_at(&s, 1, 3, 2, 7);
	wait_at(&s, 3, 0, 0, 65535);
	refuse_fake_run(
		&s, NULL, LOOM_ESTUCK,
		"headers wait for no channel; node 1 waits for message 7 from processor 2, node 3 waits for message "
		"65535 from processor 0");
	assert_null(strstr(s.err.text, "more nodes"));
	for (size_t max = 0; max <= 3; max++) {
		memset(out, 0xff, sizeof out);
		s.fake.n_reads = 0;
		assert_int_equal(loom_device_waiting_programs(s.device, out, max, &n, &s.err), 0);
		assert_int_equal(n, 2);
		// The device reads one word of every node, and two words of the entry of each node that it returns.
		assert_int_equal(s.fake.n_reads, N_NODES + 2 * (max < 2 ? max : 2));
		assert_int_equal(out[0].node, max > 0 ? 1 : UINT32_MAX);
		assert_int_equal(out[1].node, max > 1 ? 3 : UINT32_MAX);
		assert_int_equal(out[2].node, UINT32_MAX);
	}
	assert_int_equal(out[0].entry, 3);
	assert_int_equal(out[0].source, 2);
	assert_int_equal(out[0].count, 7);
	assert_int_equal(out[1].entry, 0);
	s.fake.counts[0][4 * 2 + 3] = 1;
	wait_at(&s, 0, 1, 1, 1);
	wait_at(&s, 2, 1, 3, 1);
	refuse_fake_run(&s, NULL, LOOM_ESTUCK, "0.2; node 0 waits for message 1 from processor 1, node 1 ");
	refuse_fake_run(&s, NULL, LOOM_ESTUCK, ", node 3 waits for message 65535 from processor 0");
	assert_null(strstr(s.err.text, "more nodes"));
	// Four are named, the others counted.
	wait_at(&s, 4, 0, 0, 1);
	wait_at(&s, 5, 2, 0, 1);
	refuse_fake_run(&s, NULL, LOOM_ESTUCK,
	                ", node 3 waits for message 65535 from processor 0, and 2 more nodes wait");
	for (unsigned k = 1; k <= 2; k++) {
		s.fake.n_calls = 0;
		s.fake.fail_at = k;
		n = 77;
		assert_int_equal(loom_device_waiting_programs(s.device, out, 4, &n, &s.err), LOOM_ELINK);
		assert_int_equal(n, 77);
	}
	fake_tear_down(&s);

	// A chip without timing is not asked.
	fake_set_up(&s);
	wait_at(&s, 1, 3, 2, 7);
	assert_int_equal(loom_device_waiting_programs(s.device, out, 4, &n, &s.err), 0);
	assert_int_equal(n, 0);
	fake_tear_down(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_releases),
		cmocka_unit_test(test_stuck),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
