// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The reference machine on direct networks: cycles and standstills worked out by hand. Cubes are in test_reference.c.
#include "unit/help/reference_run.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int play(struct run *run, const char *name, enum ref_timing timing, unsigned n_slots,
                const struct ref_message *message, size_t n)
{
	struct ref_machine machine;

	run->net = net_of(name);
	assert_true(ref_net_channels(&run->net) <= CHANNELS_MAX && n <= MESSAGES_MAX);
	run->lock = (struct ref_lock){.circle = run->wait, .asked = run->asked};
	machine = machine_for(&run->net, timing);
	machine.n_slots = n_slots;
	return ref_machine_run_to_lock(run->arrival, run->channel, &run->lock, &machine, message, n);
}

static void assert_channel(const struct run *run, size_t c, uint64_t n_worms, uint64_t n_flits, uint64_t n_blocked)
{
	assert_int_equal(run->channel[c].n_worms, n_worms);
	assert_int_equal(run->channel[c].n_flits, n_flits);
	assert_int_equal(run->channel[c].n_blocked, n_blocked);
}

static void test_two_over_one_link(void **state)
{
	(void)state;
	// cycle           1    2    3    4    5    6    7    8    9   10      h, b, t: header, body, tail of 1 -> 3
	// 1 -> 3: inj     h    b    t
	//         1+           h    b    t
	//         2+                h    b    t
	//         ej                     h    b    t
	// 0 -> 3: inj     h    b    t
	//         0+           h    b    .    .    .    t                     t: full until the header has left in 6
	//         1+                x    x    x    h    b    t                x: asks; paper: the tail is there until 5
	//         2+                                    h    b    t
	//         ej                                         h    b    t
	// fast: one earlier from the header's 1+ on.
	const struct ref_message message[] = {{0, 3, 3}, {1, 3, 3}};
	static struct run run;

	assert_int_equal(play(&run, "line:4", REF_PAPER, 2, message, 2), 0);
	assert_int_equal(run.arrival[1].first_cycle, 4);
	assert_int_equal(run.arrival[1].done_cycle, 6);
	assert_int_equal(run.arrival[0].first_cycle, 8);
	assert_int_equal(run.arrival[0].done_cycle, 10);
	assert_int_equal(run.arrival[0].offer_cycle, 1);
	assert_channel(&run, ref_net_channel(&run.net, 0, 0), 1, 3, 0);
	assert_channel(&run, ref_net_channel(&run.net, 1, 0), 2, 6, 3);
	assert_channel(&run, ref_net_channel(&run.net, 2, 0), 2, 6, 0);
	assert_channel(&run, ref_net_channel(&run.net, 1, 1), 0, 0, 0);
	assert_channel(&run, ref_net_ejection(&run.net, 3), 2, 6, 0);
	assert_channel(&run, ref_net_injection(&run.net, 0), 1, 3, 0);

	assert_int_equal(play(&run, "line:4", REF_FAST, 2, message, 2), 0);
	assert_int_equal(run.arrival[1].done_cycle, 6);
	assert_int_equal(run.arrival[0].first_cycle, 7);
	assert_int_equal(run.arrival[0].done_cycle, 9);
	assert_channel(&run, ref_net_channel(&run.net, 1, 0), 2, 6, 2);
}

static void test_tie_injected_first(void **state)
{
	(void)state;
	// 0 -> 4 asks for link + of 2 in cycle 4, and so does the second message of 2: paper lets its header follow the
	// first one, of one flit, two cycles later. By source or by link the message from afar would win.
	const struct ref_message message[] = {{0, 4, 2}, {2, 1, 1}, {2, 4, 2}};
	static struct run run;
	struct ref_machine machine;

	assert_int_equal(play(&run, "line:5", REF_PAPER, 2, message, 3), 0);
	assert_int_equal(run.arrival[2].offer_cycle, 2);
	assert_int_equal(run.arrival[2].first_cycle, 6);
	assert_int_equal(run.arrival[2].done_cycle, 7);
	assert_int_equal(run.arrival[0].first_cycle, 9);
	assert_int_equal(run.channel[ref_net_channel(&run.net, 2, 0)].n_blocked, 3);
	machine = machine_for(&run.net, REF_PAPER);
	for (int source = 0; source < 2; source++) {
		machine.tie = source ? REF_TIE_SOURCE : REF_TIE_PORT;
		assert_int_equal(ref_machine_run(run.arrival, NULL, &machine, message, 3), 0);
		assert_int_equal(run.arrival[0].first_cycle, 6);
		assert_int_equal(run.arrival[2].first_cycle, 9);
	}
	// Fast lets the second header follow at once: it is the elder one by a cycle if 0 is as far, and ties with 1.
	const struct ref_message near[] = {{1, 4, 2}, {2, 1, 1}, {2, 4, 2}};

	assert_int_equal(play(&run, "line:5", REF_FAST, 2, near, 3), 0);
	assert_int_equal(run.arrival[2].first_cycle, 5);
	assert_int_equal(run.arrival[0].first_cycle, 7);
}

static void test_age_before_injected(void **state)
{
	(void)state;
	// The long worm of 1 leaves + in 2 to 11. 0 -> 3 has asked for it since 3, the second message of 1 asks from 12 on.
	const struct ref_message message[] = {{1, 3, 10}, {1, 3, 2}, {0, 3, 2}};
	static struct run run;

	assert_int_equal(play(&run, "line:4", REF_FAST, 2, message, 3), 0);
	assert_int_equal(run.arrival[0].done_cycle, 13);
	assert_int_equal(run.arrival[2].first_cycle, 14);
	assert_int_equal(run.arrival[2].done_cycle, 15);
	assert_int_equal(run.arrival[1].first_cycle, 16);
	assert_int_equal(run.arrival[1].done_cycle, 17);
}

static void test_tie_lower_link_first(void **state)
{
	(void)state;
	// All neighbours of the middle ask for its ejection in cycle 3. They come in beside +x, -x, +y, -y: from 5, 3, 7, 1.
	const struct ref_message message[] = {{1, 4, 2}, {3, 4, 2}, {5, 4, 2}, {7, 4, 2}};
	static const size_t by_link[] = {2, 1, 3, 0};
	static const char *const names[] = {"mesh:3x3", "torus:3x3"};
	static struct run run;

	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(play(&run, names[i], REF_FAST, 2, message, 4), 0);
		for (unsigned k = 0; k < 4; k++)
			assert_int_equal(run.arrival[by_link[k]].done_cycle, 4 + 2 * k);
		assert_int_equal(play(&run, names[i], REF_PAPER, 2, message, 4), 0);
		for (unsigned k = 0; k < 4; k++)
			assert_int_equal(run.arrival[by_link[k]].done_cycle, 4 + 3 * k);
		assert_channel(&run, ref_net_ejection(&run.net, 4), 4, 8, 9); // 3 to 11
	}
}

// --- Standstills by hand -------------------------------------------------------------------------------------------

// The standstill has just these entries, wherever it begins, and headers wait for just these channels.
static void assert_lock(const struct run *run, uint64_t cycle, const struct ref_wait *wait, size_t n,
                        const size_t *asked, size_t n_asked)
{
	size_t first = 0;
	size_t n_found = 0;

	assert_int_equal(run->lock.cycle, cycle);
	assert_int_equal(run->lock.n, n);
	while (first < n && run->wait[0].channel != wait[first].channel)
		first++;
	for (size_t k = 0; k < n; k++) {
		const struct ref_wait *want = &wait[(first + k) % n];

		assert_int_equal(run->wait[k].channel, want->channel);
		assert_int_equal(run->wait[k].message, want->message);
		assert_int_equal(run->wait[k].is_header, want->is_header);
	}
	for (size_t c = 0; c < ref_net_channels(&run->net); c++)
		n_found += run->asked[c];
	assert_int_equal(n_found, n_asked);
	for (size_t k = 0; k < n_asked; k++)
		assert_true(run->asked[asked[k]]);
}

// Messages from every node of ring:4 to the one opposite.
static void opposite(struct ref_message out[4], unsigned n_flits)
{
	for (unsigned u = 0; u < 4; u++)
		out[u] = (struct ref_message){u, (u + 2) % 4, n_flits};
}

static void test_ring_locks(void **state)
{
	(void)state;
	// Every header crosses + in 2 and asks for the next + in 3, which its own worm holds. Two more flits follow into the
	// injection buffer, the fifth stays with the source: nothing moves in 5. Channels 4u: + of node u; 4u + 3: injection.
	const struct ref_wait wait[] = {{0, 0, true}, {4, 1, true}, {8, 2, true}, {12, 3, true}};
	const size_t asked[] = {0, 4, 8, 12, 3};
	static const char *const names[] = {"ring:4", "torus:4", "torus:1x4"};
	struct ref_message message[6];
	static struct run run;
	struct ref_arrival before;

	memset(&run, 0x5a, sizeof(run));
	before = run.arrival[0];
	for (unsigned i = 0; i < 2; i++) {
		enum ref_timing timing = i ? REF_PAPER : REF_FAST;

		opposite(message, 5);
		assert_int_equal(play(&run, names[i], timing, 2, message, 4), -EDEADLK);
		assert_lock(&run, 5, wait, 4, asked, 4);
		// The tail crosses in 3 and gives + free, but two flits fill the buffer at its end.
		opposite(message, 2);
		assert_int_equal(play(&run, "ring:4", timing, 2, message, 4), -EDEADLK);
		assert_lock(&run, 4, wait, 4, asked, 4);
		// Two more from 0: one comes as far as the injection buffer, the other one asks for that. Paper lets the
		// first of them follow only when the buffer is empty.
		message[4] = (struct ref_message){0, 1, 2};
		message[5] = (struct ref_message){0, 1, 1};
		assert_int_equal(play(&run, "ring:4", timing, 2, message, 6), -EDEADLK);
		assert_lock(&run, timing == REF_PAPER ? 6 : 5, wait, 4, asked, 5);
	}
	assert_memory_equal(&run.arrival[0], &before, sizeof(before));
	// With links to number besides: + of node u of torus:1x4 is channel 6u.
	opposite(message, 5);
	assert_int_equal(play(&run, "torus:1x4", REF_FAST, 2, message, 4), -EDEADLK);
	for (unsigned k = 0; k < 4; k++)
		assert_int_equal(run.wait[k].channel, 6 * ((run.wait[0].channel / 6 + k) % 4));

	// A single flit leaves a slot at the end of +: fast lets all go on at once, paper wants it empty.
	opposite(message, 1);
	assert_int_equal(play(&run, "ring:4", REF_PAPER, 2, message, 4), -EDEADLK);
	assert_lock(&run, 3, wait, 4, asked, 4);
	assert_int_equal(play(&run, "ring:4", REF_FAST, 2, message, 4), 0);
	for (unsigned u = 0; u < 4; u++)
		assert_int_equal(run.arrival[u].done_cycle, 4);
	// Room for whole worms: the tails cross in 6, the headers go on in 7, each behind the worm whose place it takes:
	// that one leaves in 7 to 11. Paper still wants the far end empty.
	opposite(message, 5);
	assert_int_equal(play(&run, "ring:4", REF_FAST, 8, message, 4), 0);
	for (unsigned u = 0; u < 4; u++)
		assert_int_equal(run.arrival[u].done_cycle, 16);
	assert_int_equal(play(&run, "ring:4", REF_PAPER, 8, message, 4), -EDEADLK);
	assert_lock(&run, 7, wait, 4, asked, 4);
	// One less, and there is no circle.
	assert_int_equal(play(&run, "ring:4", REF_PAPER, 2, message, 3), 0);
}

static void test_worms_over_two_links(void **state)
{
	(void)state;
	// Each lies over two channels of ring:6 and waits for the next one's first. The tail reaches the injection buffer in
	// 5 and finds the one before it full. Channels 4u: + of node u.
	const struct ref_message message[] = {{0, 3, 5}, {2, 5, 5}, {4, 1, 5}};
	const struct ref_wait wait[] = {{0, 0, false}, {4, 0, true},   {8, 1, false},
	                                {12, 1, true}, {16, 2, false}, {20, 2, true}};
	const size_t asked[] = {8, 16, 0};
	static struct run run;

	assert_int_equal(play(&run, "ring:6", REF_FAST, 2, message, 3), -EDEADLK);
	assert_lock(&run, 6, wait, 6, asked, 3);
	assert_int_equal(play(&run, "ring:6", REF_PAPER, 2, message, 3), -EDEADLK);
	assert_lock(&run, 6, wait, 6, asked, 3);
}

static void test_mixed_orders_lock(void **state)
{
	(void)state;
	// Around mesh:2x2, each from a corner to the one opposite: two go x first, two y first. Six channels a node: 0 +x,
	// 7 is -x of 1, and so on.
	const struct ref_message message[] = {{0, 3, 5}, {1, 2, 5}, {3, 0, 5}, {2, 1, 5}};
	const enum ref_order orders[] = {REF_ASCENDING, REF_DESCENDING, REF_ASCENDING, REF_DESCENDING};
	const struct ref_wait wait[] = {{0, 0, true}, {8, 1, true}, {19, 2, true}, {15, 3, true}};
	const size_t asked[] = {0, 8, 19, 15};
	static struct run run;
	struct ref_machine machine;

	assert_int_equal(play(&run, "mesh:2x2", REF_FAST, 2, message, 4), 0);
	machine = machine_for(&run.net, REF_FAST);
	machine.orders = orders;
	assert_int_equal(ref_machine_run_to_lock(run.arrival, NULL, &run.lock, &machine, message, 4), -EDEADLK);
	assert_lock(&run, 5, wait, 4, asked, 4);
	machine.orders = NULL;
	machine.order = REF_DESCENDING;
	assert_int_equal(ref_machine_run(run.arrival, NULL, &machine, message, 4), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_two_over_one_link),   cmocka_unit_test(test_tie_injected_first),
		cmocka_unit_test(test_age_before_injected), cmocka_unit_test(test_tie_lower_link_first),
		cmocka_unit_test(test_ring_locks),          cmocka_unit_test(test_worms_over_two_links),
		cmocka_unit_test(test_mixed_orders_lock),

	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
