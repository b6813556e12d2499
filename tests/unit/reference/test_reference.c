// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The slow reference's machine against figures which do not come from it: Table 1 of [Hou01], the golden vectors, and cycles
// counted by hand.
#include "reference/reference.h"
#include "unit/help/golden_file.h"
#include "unit/help/matrix_image.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#define N_NODES_MAX (1u << REF_DIMS_MAX)
#define N_CHANNELS_MAX (N_NODES_MAX * (REF_DIMS_MAX + 2))

// A pattern: destination[x] for every node x.
struct pattern {
	unsigned n_dims;
	unsigned destination[N_NODES_MAX];
};

struct total {
	uint64_t max_cycle;
	uint64_t sum_cycles;
};

static struct ref_machine cube_machine(unsigned n_dims, unsigned n_slots, enum ref_order order, enum ref_timing timing,
                                       enum ref_tie tie)
{
	return (struct ref_machine){.n_dims = n_dims, .n_slots = n_slots, .order = order, .timing = timing, .tie = tie};
}

// Bit i of the destination is bit from[i] of the source.
static void pattern_from_bits(struct pattern *out, const unsigned from[8])
{
	unsigned row[8];

	for (unsigned i = 0; i < 8; i++)
		row[i] = 1u << from[i];
	out->n_dims = 8;
	matrix_image(out->destination, 8, row, 0);
}

static const unsigned bit_reverse[8] = {7, 6, 5, 4, 3, 2, 1, 0};
static const unsigned transpose[8] = {4, 5, 6, 7, 0, 1, 2, 3};
// Bit reverse when the bits which change places sit in neighbouring dimensions.
static const unsigned bit_reverse_mapped[8] = {1, 0, 3, 2, 5, 4, 7, 6};

// Makes one message of n_flits for every node, without messages to the node itself. Returns their number.
static size_t pattern_messages(struct ref_message *out, const struct pattern *pattern, unsigned n_flits)
{
	size_t n = 0;

	for (unsigned x = 0; x < (1u << pattern->n_dims); x++) {
		if (pattern->destination[x] != x)
			out[n++] = (struct ref_message){x, pattern->destination[x], n_flits};
	}
	return n;
}

// out_arrival: N_NODES_MAX elements. Also checks the channel counts against the walk of ref_cube_load.
static struct total run_pattern(struct ref_arrival *out_arrival, const struct ref_machine *machine,
                                const struct pattern *pattern, unsigned n_flits)
{
	static struct ref_channel channel[N_CHANNELS_MAX];
	static unsigned load[N_NODES_MAX * REF_DIMS_MAX];
	struct ref_message message[N_NODES_MAX];
	unsigned source[N_NODES_MAX];
	unsigned destination[N_NODES_MAX];
	size_t n = pattern_messages(message, pattern, n_flits);
	unsigned n_dims = pattern->n_dims;
	struct total total = {0, 0};

	assert_int_equal(ref_machine_run(out_arrival, channel, machine, message, n), 0);
	for (size_t m = 0; m < n; m++) {
		source[m] = message[m].source;
		destination[m] = message[m].destination;
		total.sum_cycles += out_arrival[m].done_cycle;
		if (out_arrival[m].done_cycle > total.max_cycle)
			total.max_cycle = out_arrival[m].done_cycle;
		assert_true(out_arrival[m].done_cycle >= out_arrival[m].first_cycle + n_flits - 1);
	}
	assert_int_equal(ref_cube_load(load, n_dims, source, destination, n, machine->order), 0);
	for (unsigned u = 0; u < (1u << n_dims); u++) {
		for (unsigned d = 0; d < n_dims; d++) {
			size_t c = ref_channel_network(n_dims, u, d);

			assert_int_equal(channel[c].n_worms, load[u * n_dims + d]);
			assert_int_equal(channel[c].n_flits, load[u * n_dims + d] * n_flits);
			if (load[u * n_dims + d] <= 1)
				assert_int_equal(channel[c].n_blocked, 0);
		}
	}
	return total;
}

static uint64_t completion(const unsigned from[8], unsigned n_flits, enum ref_timing timing, unsigned n_slots)
{
	struct ref_machine machine = cube_machine(8, n_slots, REF_ASCENDING, timing, REF_TIE_PORT);
	struct ref_arrival arrival[N_NODES_MAX];
	struct pattern pattern;

	pattern_from_bits(&pattern, from);
	return run_pattern(arrival, &machine, &pattern, n_flits).max_cycle;
}

static void test_machine_alone(void **state)
{
	(void)state;
	const unsigned flits[] = {1, 2, 3, 17};

	for (unsigned hops = 0; hops <= 8; hops++) {
		for (unsigned i = 0; i < 4 * 4; i++) {
			struct ref_message message = {0, (1u << hops) - 1, flits[i / 4]};
			struct ref_machine machine = cube_machine(8, 2, i & 1 ? REF_ASCENDING : REF_DESCENDING,
			                                          i & 2 ? REF_PAPER : REF_FAST, REF_TIE_PORT);
			struct ref_arrival arrival;

			assert_int_equal(ref_machine_run(&arrival, NULL, &machine, &message, 1), 0);
			assert_int_equal(arrival.first_cycle, hops + 2);
			assert_int_equal(arrival.done_cycle, message.n_flits + hops + 1);
		}
	}
}

static void test_machine_one_source(void **state)
{
	(void)state;
	// Two worms 0 -> 1. PAPER: the tail sits in the injection buffer at the start of 4, so the second header is
	// refused in 4 and crosses in 5. FAST: it crosses in 4.
	const struct ref_message message[] = {{0, 1, 3}, {0, 1, 3}};
	struct ref_machine machine = cube_machine(1, 2, REF_ASCENDING, REF_PAPER, REF_TIE_PORT);
	struct ref_arrival arrival[2];
	struct ref_channel channel[6];

	assert_int_equal(ref_channel_count(1), 6);
	assert_int_equal(ref_machine_run(arrival, channel, &machine, message, 2), 0);
	assert_int_equal(arrival[0].done_cycle, 5);
	assert_int_equal(arrival[1].first_cycle, 7);
	assert_int_equal(arrival[1].done_cycle, 9);
	assert_int_equal(channel[ref_channel_injection(1, 0)].n_blocked, 1);
	assert_int_equal(channel[ref_channel_injection(1, 0)].n_worms, 2);
	assert_int_equal(channel[ref_channel_injection(1, 0)].n_flits, 6);
	assert_int_equal(channel[ref_channel_network(1, 0, 0)].n_blocked, 0);
	assert_int_equal(channel[ref_channel_ejection(1, 1)].n_flits, 6);
	assert_int_equal(channel[ref_channel_ejection(1, 0)].n_flits, 0);

	machine.timing = REF_FAST;
	assert_int_equal(ref_machine_run(arrival, channel, &machine, message, 2), 0);
	assert_int_equal(arrival[1].first_cycle, 6);
	assert_int_equal(arrival[1].done_cycle, 8);
	assert_int_equal(channel[ref_channel_injection(1, 0)].n_blocked, 0);
}

static void test_machine_handover(void **state)
{
	(void)state;
	// 1 -> 3 crosses (1,1) in 2..5. 0 -> 3 asks for it from 3 on; PAPER lets it in 7, FAST in 6.
	const struct ref_message message[] = {{0, 3, 4}, {1, 3, 4}};
	struct ref_machine machine = cube_machine(2, 2, REF_ASCENDING, REF_PAPER, REF_TIE_PORT);
	struct ref_arrival arrival[2];
	struct ref_channel channel[16];

	assert_int_equal(ref_machine_run(arrival, channel, &machine, message, 2), 0);
	assert_int_equal(arrival[1].done_cycle, 6);
	assert_int_equal(arrival[0].first_cycle, 8);
	assert_int_equal(arrival[0].done_cycle, 11);
	assert_int_equal(channel[ref_channel_network(2, 1, 1)].n_blocked, 4);
	assert_int_equal(channel[ref_channel_network(2, 1, 1)].n_worms, 2);
	assert_int_equal(channel[ref_channel_ejection(2, 3)].n_blocked, 0);

	machine.timing = REF_FAST;
	assert_int_equal(ref_machine_run(arrival, channel, &machine, message, 2), 0);
	assert_int_equal(arrival[0].first_cycle, 7);
	assert_int_equal(arrival[0].done_cycle, 10);
	assert_int_equal(channel[ref_channel_network(2, 1, 1)].n_blocked, 3);
	assert_int_equal(channel[ref_channel_ejection(2, 3)].n_blocked, 0);
}

static void test_machine_descending(void **state)
{
	(void)state;
	// The hand-over again with the dimensions numbered from the other end: it has no ties, so nothing else changes.
	const struct ref_message message[] = {{0, 3, 4}, {2, 3, 4}};
	struct ref_machine machine = cube_machine(2, 2, REF_DESCENDING, REF_PAPER, REF_TIE_PORT);
	struct ref_arrival arrival[2];
	struct ref_channel channel[16];

	assert_int_equal(ref_machine_run(arrival, channel, &machine, message, 2), 0);
	assert_int_equal(arrival[1].done_cycle, 6);
	assert_int_equal(arrival[0].first_cycle, 8);
	assert_int_equal(arrival[0].done_cycle, 11);
	assert_int_equal(channel[ref_channel_network(2, 2, 0)].n_blocked, 4);
	assert_int_equal(channel[ref_channel_network(2, 2, 0)].n_worms, 2);
}

static void test_machine_tie(void **state)
{
	(void)state;
	// Both ask for the ejection channel of 3 in cycle 3; 1 comes in through dimension 1, 2 through dimension 0.
	const struct ref_message message[] = {{1, 3, 2}, {2, 3, 2}};
	struct ref_machine machine = cube_machine(2, 2, REF_ASCENDING, REF_PAPER, REF_TIE_PORT);
	struct ref_arrival arrival[2];
	struct ref_channel channel[16];

	assert_int_equal(ref_machine_run(arrival, channel, &machine, message, 2), 0);
	assert_int_equal(arrival[1].done_cycle, 4);
	assert_int_equal(arrival[0].done_cycle, 7);
	assert_int_equal(channel[ref_channel_ejection(2, 3)].n_blocked, 3); // 3 (it lost), 4 and 5

	machine.timing = REF_FAST;
	assert_int_equal(ref_machine_run(arrival, channel, &machine, message, 2), 0);
	assert_int_equal(arrival[1].done_cycle, 4);
	assert_int_equal(arrival[0].done_cycle, 6);
	assert_int_equal(channel[ref_channel_ejection(2, 3)].n_blocked, 2);

	machine.tie = REF_TIE_SOURCE;
	assert_int_equal(ref_machine_run(arrival, channel, &machine, message, 2), 0);
	assert_int_equal(arrival[0].done_cycle, 4);
	assert_int_equal(arrival[1].done_cycle, 6);
}

static void test_machine_oldest_wins(void **state)
{
	(void)state;
	// 1 -> 3 takes the ejection channel of 3 in cycles 3..12. 7 -> 3 (port 2) has asked since 3, the second message
	// of 2 (port 0) only since 5: age goes before port.
	const struct ref_message message[] = {{1, 3, 10}, {7, 3, 2}, {2, 6, 1}, {2, 3, 2}};
	struct ref_machine machine = cube_machine(3, 2, REF_ASCENDING, REF_FAST, REF_TIE_PORT);
	struct ref_arrival arrival[4];

	assert_int_equal(ref_machine_run(arrival, NULL, &machine, message, 4), 0);
	assert_int_equal(arrival[0].done_cycle, 12);
	assert_int_equal(arrival[1].done_cycle, 14);
	assert_int_equal(arrival[3].done_cycle, 16);
	machine.timing = REF_PAPER;
	assert_int_equal(ref_machine_run(arrival, NULL, &machine, message, 4), 0);
	assert_int_equal(arrival[0].done_cycle, 12);
	assert_int_equal(arrival[1].done_cycle, 15);
	assert_int_equal(arrival[3].done_cycle, 18);
}

static void test_machine_refuses(void **state)
{
	(void)state;
	struct ref_message message = {0, 1, 1};
	struct ref_machine machine = cube_machine(1, 2, REF_ASCENDING, REF_FAST, REF_TIE_PORT);
	struct ref_arrival arrival = {77, 78, 79, 80};

	assert_int_equal(ref_machine_run(&arrival, NULL, &machine, &message, 0), 0);
	message.n_flits = 0;
	assert_int_equal(ref_machine_run(&arrival, NULL, &machine, &message, 1), -EINVAL);
	message.n_flits = 1;
	message.destination = 2;
	assert_int_equal(ref_machine_run(&arrival, NULL, &machine, &message, 1), -EINVAL);
	message.destination = 1;
	machine.n_slots = 0;
	assert_int_equal(ref_machine_run(&arrival, NULL, &machine, &message, 1), -EINVAL);
	machine.n_slots = REF_SLOTS_MAX + 1;
	assert_int_equal(ref_machine_run(&arrival, NULL, &machine, &message, 1), -EINVAL);
	machine.n_slots = 2;
	machine.n_dims = REF_DIMS_MAX + 1;
	assert_int_equal(ref_machine_run(&arrival, NULL, &machine, &message, 1), -EINVAL);
	assert_int_equal(arrival.first_cycle, 77);
	assert_int_equal(arrival.done_cycle, 78);
	machine.n_dims = 0;
	message.destination = 0;
	assert_int_equal(ref_machine_run(&arrival, NULL, &machine, &message, 1), 0);
	assert_int_equal(arrival.done_cycle, 2);
}

static void test_paper_bit_reverse(void **state)
{
	(void)state;
	const unsigned flits[] = {17, 65, 257, 1025};
	const uint64_t paper[] = {149, 533, 2069, 8213};
	const uint64_t fast[] = {142, 526, 2062, 8206};
	const uint64_t mapped[] = {26, 74, 266, 1034};

	for (unsigned i = 0; i < 4; i++) {
		assert_int_equal(completion(bit_reverse, flits[i], REF_PAPER, 2), paper[i]);
		assert_int_equal(completion(bit_reverse, flits[i], REF_FAST, 2), fast[i]);
		assert_int_equal(completion(bit_reverse_mapped, flits[i], REF_PAPER, 2), mapped[i]);
		assert_int_equal(completion(bit_reverse_mapped, flits[i], REF_FAST, 2), mapped[i]);
	}
	for (unsigned n_slots = 3; n_slots <= 4; n_slots++) {
		assert_int_equal(completion(bit_reverse, 17, REF_PAPER, n_slots), 149);
		assert_int_equal(completion(bit_reverse, 65, REF_PAPER, n_slots), 533);
	}
}

static void test_paper_transpose(void **state)
{
	(void)state;
	assert_int_equal(completion(transpose, 17, REF_PAPER, 2), 185);
	assert_int_equal(completion(transpose, 65, REF_PAPER, 2), 665);
	assert_int_equal(completion(transpose, 17, REF_FAST, 2), 176);
	assert_int_equal(completion(transpose, 65, REF_FAST, 2), 656);
}

// The golden machine has one-flit buffers, moves a worm as a unit and breaks ties by source. What the two-slot machine
// under PAPER timing is expected to share with it, case by case.
struct agreement {
	bool port_max; // ties by port: the completion
	bool port_sum; // ties by port: the sum over all messages, and each message where the vectors list them
	bool source;   // ties by source: all of it
};

static const struct agreement agreement[16] = {
	{true, true, true},    // 0
	{true, false, true},   // 1
	{true, true, true},    // 2
	{true, true, true},    // 3
	{true, true, true},    // 4
	{false, false, false}, // 5: 27 -> 140 is 5 cycles earlier; 24 -> 228, stalled, fills 3 buffers, not 5
	{false, false, true},  // 6
	{false, false, true},  // 7
	{true, false, true},   // 8
	{false, false, true},  // 9
	{true, true, true},    // 10
	{true, true, true},    // 11
	{true, true, true},    // 12
	{true, true, true},    // 13: messages which tie exchange their cycles
	{true, true, true},    // 14: likewise
	{true, true, true},    // 15
};

static void assert_done_by_source(const json_t *done, const struct pattern *pattern, const struct ref_arrival *arrival)
{
	size_t m = 0;

	for (unsigned x = 0; x < (1u << pattern->n_dims); x++) {
		char key[16];

		if (pattern->destination[x] == x)
			continue;
		snprintf(key, sizeof(key), "%u", x);
		assert_int_equal(arrival[m].done_cycle, golden_number(done, key));
		m++;
	}
	assert_int_equal(m, json_object_size(done));
}

static void test_golden_wormhole(void **state)
{
	(void)state;
	json_t *root = golden_json("000_wormhole.json");
	const json_t *cases = json_object_get(root, "cases");

	assert_int_equal(json_array_size(cases), 16);
	for (size_t i_case = 0; i_case < 16; i_case++) {
		const json_t *item = json_array_get(cases, i_case);
		const json_t *perm = json_object_get(item, "perm");
		const json_t *done = json_object_get(item, "done_cycle_by_source");
		const struct agreement *agree = &agreement[i_case];
		unsigned n_flits = golden_number(item, "flits");
		struct total want = {golden_number(item, "max_cycle"), golden_number(item, "sum_cycles")};
		struct ref_arrival arrival[N_NODES_MAX];
		struct ref_machine machine =
			cube_machine(golden_number(item, "n"), 2, REF_ASCENDING, REF_PAPER, REF_TIE_PORT);
		struct pattern pattern = {.n_dims = machine.n_dims};
		struct total got;

		if (machine.n_dims < 1 || machine.n_dims > 8) {
			fail_msg("case %zu: n = %u", i_case, machine.n_dims);
			break;
		}
		if (perm) {
			for (unsigned x = 0; x < (1u << machine.n_dims); x++)
				pattern.destination[x] = golden_element(perm, x);
		} else {
			unsigned row[8];

			for (unsigned i = 0; i < machine.n_dims; i++)
				row[i] = golden_element(json_object_get(item, "A"), i);
			matrix_image(pattern.destination, machine.n_dims, row, golden_number(item, "b"));
		}

		got = run_pattern(arrival, &machine, &pattern, n_flits);
		if ((got.max_cycle == want.max_cycle) != agree->port_max)
			fail_msg("case %zu by port: completion %llu", i_case, (unsigned long long)got.max_cycle);
		if ((got.sum_cycles == want.sum_cycles) != agree->port_sum)
			fail_msg("case %zu by port: sum %llu", i_case, (unsigned long long)got.sum_cycles);
		if (done && agree->port_sum)
			assert_done_by_source(done, &pattern, arrival);

		machine.tie = REF_TIE_SOURCE;
		got = run_pattern(arrival, &machine, &pattern, n_flits);
		assert_int_equal(got.max_cycle, want.max_cycle);
		assert_int_equal(got.sum_cycles, agree->source ? want.sum_cycles : want.sum_cycles - 5);
		if (done)
			assert_done_by_source(done, &pattern, arrival);
	}
	json_decref(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {

		cmocka_unit_test(test_machine_alone),    cmocka_unit_test(test_machine_one_source),
		cmocka_unit_test(test_machine_handover), cmocka_unit_test(test_machine_descending),
		cmocka_unit_test(test_machine_tie),      cmocka_unit_test(test_machine_oldest_wins),
		cmocka_unit_test(test_machine_refuses),  cmocka_unit_test(test_paper_bit_reverse),
		cmocka_unit_test(test_paper_transpose),  cmocka_unit_test(test_golden_wormhole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
