// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The streams of a verilated chip, with nodes of the test's own: entries go out in order, each once; logs come in the order in
// which they were taken, those between two calls first, whatever memory there is room for.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "links/sim_streams.h"

enum { NODES = 3 };

// Under ASan, too, an allocation that is too large fails and ends nothing.
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1";
}

static struct {
	struct loom_sim_streams streams;
	struct loom_sim_user user;
	int handing;
	unsigned char on;
	unsigned turns, cycles, logs_per_cycle, logs;
	uint32_t came[NODES][200], n_came[NODES]; // entries, by their time
} chip;

static void turn(unsigned char on)
{
	assert_int_not_equal(on, chip.on);
	chip.on = on;
	chip.turns++;
}

static int handing(void)
{
	return chip.handing;
}

static void hand_out(void)
{
	const unsigned word[5] = {chip.logs, chip.logs * 3 + 1, ~chip.logs, chip.logs ^ 0x5a, chip.logs + 77};
	chip.user.take(chip.user.self, chip.logs % NODES, word);
	chip.logs++;
}

// In each cycle every node asks for one entry, and a fixed number of messages arrive.
static void cycle(void *of)
{
	assert_ptr_equal(of, &chip);
	assert_int_equal(chip.on, 1);
	chip.cycles++;
	for (unsigned node = 0; node < NODES; node++) {
		unsigned word[3];
		if (!chip.user.next(chip.user.self, node, word))
			continue;
		assert_int_equal(word[0], 1000 * node + word[2]);
		assert_int_equal(word[1], ~word[2]);
		chip.came[node][chip.n_came[node]++] = word[2];
	}
	for (unsigned i = 0; i < chip.logs_per_cycle; i++)
		hand_out();
}

static void begin(void)
{
	memset(&chip, 0, sizeof chip);
	chip.streams = (struct loom_sim_streams){.turn = turn, .handing = handing, .n_nodes = NODES};
	chip.user = loom_sim_streams_user(&chip.streams);
	chip.handing = 1;
}

static void check_logs(const struct loom_stream *stream, unsigned first)
{
	for (unsigned i = 0; i < stream->n_logs; i++) {
		const struct loom_stream_log *log = &stream->log[i];
		unsigned k = first + i;
		const uint32_t word[4] = {k, k * 3 + 1, ~k, k ^ 0x5a};
		assert_int_equal(log->node, k % NODES);
		assert_memory_equal(log->word, word, sizeof word);
		assert_int_equal(log->signature, k + 77);
	}
}

static void test_entries(void **state)
{
	(void)state;
	struct loom_stream_entry entry[NODES][100];
	struct loom_stream_queue queue[NODES];
	struct loom_stream stream = {.n_nodes = NODES, .queue = queue};
	begin();
	for (uint32_t node = 0; node < NODES; node++) {
		for (uint32_t i = 0; i < 100; i++)
			entry[node][i] = (struct loom_stream_entry){.at = i, .word = {1000 * node + i, ~i}};
		queue[node] = (struct loom_stream_queue){.entry = entry[node], .first = 7, .n = 10 * node, .size = 100};
	}
	assert_int_equal(loom_sim_streams_run(&chip.streams, &stream, 12, cycle, &chip, NULL), 0);
	assert_int_equal(chip.cycles, 12);
	assert_int_equal(chip.turns, 2);
	for (uint32_t node = 0; node < NODES; node++) {
		uint32_t went = 10 * node < 12 ? 10 * node : 12;
		assert_int_equal(chip.n_came[node], went);
		for (uint32_t i = 0; i < went; i++)
			assert_int_equal(chip.came[node][i], 7 + i);
		assert_int_equal(queue[node].first, 7 + went);
		assert_int_equal(queue[node].n, 10 * node - went);
	}
	// Between two calls nothing is handed to a node.
	unsigned word[3];
	assert_false(chip.user.next(chip.user.self, 2, word));
	assert_int_equal(queue[2].n, 8);
	assert_int_equal(loom_sim_streams_run(&chip.streams, &stream, 0, cycle, &chip, NULL), 0);
	assert_int_equal(chip.cycles, 12);
	assert_int_equal(queue[2].n, 8);
	assert_int_equal(stream.n_logs, 0);
	free(stream.log);
}

// Logs come in a call after others were kept, in numbers around 1024, where room doubles.
static void test_logs(void **state)
{
	(void)state;
	static const unsigned numbers[] = {0, 1, 2, 1023, 1024, 1025, 2048, 2049, 5000};
	for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++)
		for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
			struct loom_stream_queue queue[NODES] = {{0}};
			struct loom_stream stream = {.n_nodes = NODES, .queue = queue};
			begin();
			for (unsigned n = 0; n < numbers[k]; n++)
				hand_out();
			chip.logs_per_cycle = numbers[i];
			assert_int_equal(loom_sim_streams_run(&chip.streams, &stream, 1, cycle, &chip, NULL), 0);
			assert_int_equal(stream.n_logs, numbers[k] + numbers[i]);
			assert_true(stream.logs_size >= stream.n_logs);
			check_logs(&stream, 0);
			// Kept logs come once, after those that the stream has.
			hand_out();
			assert_int_equal(loom_sim_streams_run(&chip.streams, &stream, 0, cycle, &chip, NULL), 0);
			assert_int_equal(stream.n_logs, numbers[k] + numbers[i] + 1);
			check_logs(&stream, 0);
			assert_int_equal(loom_sim_streams_run(&chip.streams, &stream, 0, cycle, &chip, NULL), 0);
			assert_int_equal(stream.n_logs, numbers[k] + numbers[i] + 1);
			loom_sim_streams_free(&chip.streams);
			assert_null(chip.streams.kept.log);
			free(stream.log);
		}
}

// Logs of a run before the last reset are discarded.
static void test_logs_of_another_run(void **state)
{
	(void)state;
	struct loom_stream_queue queue[NODES] = {{0}};
	struct loom_stream stream = {.n_nodes = NODES, .queue = queue};
	begin();
	hand_out();
	hand_out();
	chip.handing = 0;
	chip.logs_per_cycle = 1;
	assert_int_equal(loom_sim_streams_run(&chip.streams, &stream, 3, cycle, &chip, NULL), 0);
	assert_int_equal(stream.n_logs, 3);
	check_logs(&stream, 2);
	chip.handing = 1;
	chip.logs_per_cycle = 0;
	assert_int_equal(loom_sim_streams_run(&chip.streams, &stream, 1, cycle, &chip, NULL), 0);
	assert_int_equal(stream.n_logs, 3);
	loom_sim_streams_free(&chip.streams);
	free(stream.log);
}

static void test_refused(void **state)
{
	(void)state;
	struct loom_stream_queue queue[NODES + 1] = {{0}};
	struct loom_stream stream = {.queue = queue};
	for (stream.n_nodes = NODES - 1; stream.n_nodes <= NODES + 1; stream.n_nodes += 2) {
		struct loom_err err = {0};
		begin();
		assert_int_equal(loom_sim_streams_run(&chip.streams, &stream, 5, cycle, &chip, &err), LOOM_EINPUT);
		assert_string_equal(err.text, stream.n_nodes < NODES ? "a stream for 2 nodes, and the fabric has 3"
		                                                     : "a stream for 4 nodes, and the fabric has 3");
		assert_int_equal(chip.cycles + chip.turns, 0);
	}
	// A log without memory is reported once.
	struct loom_err err = {0};
	stream.n_nodes = NODES;
	begin();
	chip.streams.lost = true;
	assert_int_equal(loom_sim_streams_run(&chip.streams, &stream, 5, cycle, &chip, &err), LOOM_ENOMEM);
	assert_string_equal(err.text, "no memory for the logs of a stream");
	assert_int_equal(loom_sim_streams_run(&chip.streams, &stream, 5, cycle, &chip, NULL), 0);
	assert_int_equal(chip.cycles, 10);
	free(stream.log);
}

// Kept logs without room are reported as lost, once.
static void test_no_room(void **state)
{
	(void)state;
	struct loom_stream_queue queue[NODES] = {{0}};
	struct loom_stream stream = {.n_nodes = NODES, .queue = queue};
	struct loom_err err = {0};
	begin();
	hand_out();
	chip.streams.kept.n_logs = SIZE_MAX / 64; // more than any memory holds
	assert_int_equal(loom_sim_streams_run(&chip.streams, &stream, 5, cycle, &chip, &err), LOOM_ENOMEM);
	assert_string_equal(err.text, "no memory for the logs of a stream");
	assert_int_equal(stream.n_logs, 0);
	chip.streams.kept.n_logs = 0;
	assert_int_equal(loom_sim_streams_run(&chip.streams, &stream, 5, cycle, &chip, NULL), 0);
	loom_sim_streams_free(&chip.streams);
	free(stream.log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_entries), cmocka_unit_test(test_logs),
	                                   cmocka_unit_test(test_logs_of_another_run), cmocka_unit_test(test_refused),
	                                   cmocka_unit_test(test_no_room)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
