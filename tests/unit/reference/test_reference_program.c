// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The reference machine with programs, and on multistage networks: cycles worked out by hand.
#include "unit/help/reference_run.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "reference/ref_min.h"
#include "reference/ref_program.h"

enum { ENTRIES_MAX = 16 };

struct scene {
	struct ref_net net;
	struct ref_min min;
	struct ref_machine machine;
	struct ref_message message[MESSAGES_MAX];
	size_t n_messages;
	struct ref_entry entry[NODES_MAX][ENTRIES_MAX];
	struct ref_program program[NODES_MAX];
	struct ref_arrival arrival[MESSAGES_MAX];
	struct ref_channel channel[CHANNELS_MAX];
	uint64_t end[NODES_MAX];
	struct ref_wait wait[CHANNELS_MAX];
	struct ref_lock lock;
	size_t waiting[NODES_MAX];
};

static void clear(struct scene *s)
{
	memset(s, 0, sizeof(*s));
	for (unsigned node = 0; node < NODES_MAX; node++)
		s->program[node].entry = s->entry[node];
	s->lock.circle = s->wait;
}

static void direct(struct scene *s, const char *name, enum ref_timing timing)
{
	clear(s);
	s->net = net_of(name);
	s->machine = machine_for(&s->net, timing);
}

static void stages(struct scene *s, const char *name, unsigned m, enum ref_timing timing)
{
	clear(s);
	ref_min_build(&s->min, name, m);
	s->machine = (struct ref_machine){.n_slots = 2, .timing = timing, .tie = REF_TIE_PORT, .min = &s->min};
}

static void add(struct scene *s, unsigned node, struct ref_entry entry)
{
	assert_true(s->program[node].n < ENTRIES_MAX);
	s->entry[node][s->program[node].n++] = entry;
}

// Returns the number of the message.
static size_t send_at(struct scene *s, uint64_t at, unsigned node, unsigned destination, unsigned n_flits)
{
	s->message[s->n_messages] = (struct ref_message){node, destination, n_flits};
	add(s, node, (struct ref_entry){.kind = REF_SEND, .at = at, .message = s->n_messages});
	return s->n_messages++;
}

static void delay_at(struct scene *s, uint64_t at, unsigned node, uint64_t n_cycles)
{
	add(s, node, (struct ref_entry){.kind = REF_DELAY, .at = at, .value = n_cycles});
}

static void wait_at(struct scene *s, uint64_t at, unsigned node, unsigned source, uint64_t k)
{
	add(s, node, (struct ref_entry){.kind = REF_WAIT, .at = at, .value = k, .source = source});
}

static int play(struct scene *s)
{
	struct ref_outcome out = {
		.arrival = s->arrival, .channel = s->channel, .end = s->end, .lock = &s->lock, .waiting = s->waiting};

	return ref_program_run(&out, &s->machine, s->message, s->n_messages, s->program);
}

static void assert_message(const struct scene *s, size_t m, uint64_t release, uint64_t first, uint64_t done)
{
	assert_int_equal(s->arrival[m].offer_cycle, release);
	assert_int_equal(s->arrival[m].first_cycle, first);
	assert_int_equal(s->arrival[m].done_cycle, done);
}

static void test_there_and_back(void **state)
{
	(void)state;
	static struct scene s;

	for (unsigned paper = 0; paper < 2; paper++) {
		direct(&s, "line:4", paper ? REF_PAPER : REF_FAST);
		// Node 0 computes from 1 to 5 and sends 3 flits over 2 hops: the tail crosses the injection in 8, the
		// ejection in 11. Node 2 waits until 13 and answers from 14 on, with 2 flits: header in 17, tail in 18.
		// Node 0 goes on in 9, waits until 20, computes from 21 to 30.
		delay_at(&s, 0, 0, 5);
		size_t there = send_at(&s, 0, 0, 2, 3);
		wait_at(&s, 0, 0, 2, 1);
		delay_at(&s, 0, 0, 10);
		wait_at(&s, 0, 2, 0, 1);
		size_t back = send_at(&s, 0, 2, 0, 2);
		assert_int_equal(play(&s), 0);
		assert_message(&s, there, 6, 9, 11);
		assert_message(&s, back, 14, 17, 18);
		assert_int_equal(s.end[0], 30);
		assert_int_equal(s.end[1], 0);
		assert_int_equal(s.end[2], 15); // the tail of 2 flits crosses the injection
		assert_int_equal(s.channel[ref_net_channel(&s.net, 1, 0)].n_flits, 3);
		assert_int_equal(s.channel[ref_net_channel(&s.net, 1, 1)].n_flits, 2);
		assert_int_equal(s.channel[ref_net_channel(&s.net, 2, 0)].n_flits, 0);
		assert_int_equal(s.channel[ref_net_injection(&s.net, 0)].n_blocked, 0);
	}
}

static void test_at(void **state)
{
	(void)state;
	static struct scene s;

	direct(&s, "line:4", REF_FAST);
	size_t first = send_at(&s, 20, 0, 1, 4);   // injection 20 to 23
	size_t behind = send_at(&s, 10, 0, 1, 4);  // the bound is past: 24 to 27
	size_t at_once = send_at(&s, 28, 0, 1, 1); // no gap
	size_t later = send_at(&s, 40, 0, 1, 1);
	delay_at(&s, 50, 0, 3);   // 50 to 52
	delay_at(&s, 2, 0, 2);    // 53 to 54
	wait_at(&s, 60, 1, 0, 1); // the message is there long since: only 60
	size_t one = send_at(&s, 0, 1, 2, 1);
	assert_int_equal(play(&s), 0);
	assert_message(&s, first, 20, 22, 25);
	assert_message(&s, behind, 24, 26, 29);
	assert_message(&s, at_once, 28, 30, 30);
	assert_message(&s, later, 40, 42, 42);
	assert_message(&s, one, 61, 63, 63);
	assert_int_equal(s.end[0], 54);
	assert_int_equal(s.end[1], 61);
}

static void test_waits_count_by_source(void **state)
{
	(void)state;
	static struct scene s;

	// Tails from 0 reach node 1 in 3 (1 flit), 5 (2 flits) and 7 + 93: the third is sent at 98. One from 2 comes in 12.
	direct(&s, "line:4", REF_FAST);
	(void)send_at(&s, 0, 0, 1, 1);
	(void)send_at(&s, 0, 0, 1, 2);
	(void)send_at(&s, 98, 0, 1, 1);
	(void)send_at(&s, 10, 2, 1, 1);
	wait_at(&s, 0, 1, 0, 2);                    // 1 to 7
	size_t after_two = send_at(&s, 0, 1, 3, 1); // 8
	wait_at(&s, 0, 1, 2, 1);                    // 9 to 14
	size_t after_other = send_at(&s, 0, 1, 3, 1);
	wait_at(&s, 0, 1, 0, 1); // 16
	wait_at(&s, 0, 1, 0, 3); // 17 to 102
	size_t after_three = send_at(&s, 0, 1, 3, 1);
	assert_int_equal(play(&s), 0);
	assert_int_equal(s.arrival[1].done_cycle, 5);
	assert_int_equal(s.arrival[after_two].offer_cycle, 8);
	assert_int_equal(s.arrival[after_other].offer_cycle, 15);
	assert_int_equal(s.arrival[2].done_cycle, 100);
	assert_int_equal(s.arrival[after_three].offer_cycle, 103);
}

// A wait that begins about when the tail comes, in cycle 10: it is done in 12, or in its first cycle.
static void test_wait_about_the_arrival(void **state)
{
	(void)state;
	static const uint64_t released[] = {[7] = 13, [8] = 13, [9] = 13, [10] = 13, [11] = 13, [12] = 13, [13] = 14};
	static struct scene s;

	for (uint64_t start = 7; start <= 13; start++) {
		direct(&s, "cube:2", REF_FAST);
		(void)send_at(&s, 8, 0, 1, 1); // 8, 9, 10
		delay_at(&s, 0, 1, start - 1);
		wait_at(&s, 0, 1, 0, 1);
		size_t m = send_at(&s, 0, 1, 3, 1);
		assert_int_equal(play(&s), 0);
		assert_int_equal(s.arrival[0].done_cycle, 10);
		assert_int_equal(s.arrival[m].offer_cycle, released[start]);
	}
}

static void test_paper_asks_for_an_empty_buffer(void **state)
{
	(void)state;
	static struct scene s;

	// The second header is released in 4 and crosses in 5: the tail before it stands at the far end in 4.
	direct(&s, "line:2", REF_PAPER);
	(void)send_at(&s, 0, 0, 1, 3);
	size_t second = send_at(&s, 0, 0, 1, 3);
	assert_int_equal(play(&s), 0);
	assert_message(&s, 0, 1, 3, 5);
	assert_message(&s, second, 4, 7, 9);
	assert_int_equal(s.channel[ref_net_injection(&s.net, 0)].n_blocked, 1);
	assert_int_equal(s.end[0], 7);
}

static void test_long_delays_take_no_time(void **state)
{
	(void)state;
	static struct scene s;

	direct(&s, "torus:4x4v2", REF_FAST);
	delay_at(&s, UINT64_C(1) << 40, 5, UINT64_C(1) << 41);
	size_t m = send_at(&s, 0, 5, 6, 4);
	wait_at(&s, 0, 6, 5, 1);
	delay_at(&s, 0, 6, 7);
	assert_int_equal(play(&s), 0);
	assert_int_equal(s.arrival[m].offer_cycle, (UINT64_C(1) << 41) + (UINT64_C(1) << 40));
	assert_int_equal(s.arrival[m].done_cycle, s.arrival[m].offer_cycle + 4 + 1);
	assert_int_equal(s.end[6], s.arrival[m].done_cycle + 2 + 7);
}

static void test_dead_waits(void **state)
{
	(void)state;
	static struct scene s;

	direct(&s, "cube:3", REF_FAST);
	(void)send_at(&s, 0, 0, 1, 2);
	wait_at(&s, 0, 0, 3, 1);
	(void)send_at(&s, 0, 0, 3, 2);
	(void)send_at(&s, 0, 1, 3, 2);
	delay_at(&s, 0, 3, 100);
	wait_at(&s, 0, 3, 0, 1);
	(void)send_at(&s, 0, 3, 0, 2);
	wait_at(&s, 0, 7, 6, 1); // nobody sends that
	assert_int_equal(play(&s), -EDEADLK);
	assert_int_equal(s.lock.n, 0);
	assert_int_equal(s.waiting[0], 1);
	assert_int_equal(s.waiting[1], s.program[1].n);
	assert_int_equal(s.waiting[3], 1);
	assert_int_equal(s.waiting[7], 0);
	// A message more, and the second of 0 to 3 is all that lacks.
	s.program[7].n = 0;
	s.entry[0][1].source = 1;
	(void)send_at(&s, 200, 1, 0, 1);
	s.entry[3][1].value = 2;
	assert_int_equal(play(&s), -EDEADLK);
	assert_int_equal(s.waiting[0], s.program[0].n);
	assert_int_equal(s.waiting[3], 1);
	s.entry[3][1].value = 1;
	assert_int_equal(play(&s), 0);
}

static void test_illegal(void **state)
{
	(void)state;
	static struct scene s;

	direct(&s, "cube:2", REF_FAST);
	(void)send_at(&s, 0, 0, 1, 2);
	wait_at(&s, 0, 1, 0, 1);
	delay_at(&s, 0, 1, 1);
	assert_int_equal(play(&s), 0);
	s.entry[1][0].source = 4;
	assert_int_equal(play(&s), -EINVAL);
	s.entry[1][0] = (struct ref_entry){.kind = REF_WAIT, .value = 0};
	assert_int_equal(play(&s), -EINVAL);
	s.entry[1][0].value = 1;
	s.entry[1][1].value = 0;
	assert_int_equal(play(&s), -EINVAL);
	s.entry[1][1] = s.entry[0][0]; // of another's message
	assert_int_equal(play(&s), -EINVAL);
	s.program[1].n = 0;
	add(&s, 0, s.entry[0][0]); // twice
	assert_int_equal(play(&s), -EINVAL);
	s.program[0].n = 0; // never
	assert_int_equal(play(&s), -EINVAL);
}

// --- Multistage networks -------------------------------------------------------------------------------------------

static void test_stages_alone(void **state)
{
	(void)state;
	static const char *const names[] = {"baseline", "omega", "icube", "rbaseline", "romega", "ricube"};
	static struct scene s;

	for (unsigned i = 0; i < 6; i++) {
		for (unsigned pair = 0; pair < 64; pair++) {
			stages(&s, names[i], 3, pair % 2 ? REF_FAST : REF_PAPER);
			delay_at(&s, 0, pair / 8, 9);
			(void)send_at(&s, 0, pair / 8, pair % 8, 5);
			assert_int_equal(play(&s), 0);
			assert_message(&s, 0, 10, 13, 17); // header crosses 4 channels, then 4 flits
			assert_int_equal(s.channel[pair / 8 * 4 + 3].n_flits, 5);
			assert_int_equal(s.channel[pair % 8 * 4 + 2].n_flits, 5);
		}
	}
}

static void test_stages_meet(void **state)
{
	(void)state;
	static struct scene s;

	// omega:4: nodes 0 and 2 come to switch 0 of stage 0, by the shuffle on lines 0 and 1. Both want its line 0, to
	// node 0 and 1: that of 0 comes on the upper line and goes first, in 2 to 4. The other one's header crosses in 5,
	// paper: when the tail has left the buffer at the end of that channel, in 6. 3 has line 3 for itself.
	for (unsigned paper = 0; paper < 2; paper++) {
		stages(&s, "omega", 2, paper ? REF_PAPER : REF_FAST);
		(void)send_at(&s, 0, 2, 1, 3);
		(void)send_at(&s, 0, 0, 0, 3);
		(void)send_at(&s, 0, 3, 3, 3);
		assert_int_equal(play(&s), 0);
		assert_message(&s, 1, 1, 3, 5);
		assert_message(&s, 2, 1, 3, 5);
		assert_message(&s, 0, 1, 6 + paper, 8 + paper);
		assert_int_equal(s.channel[0].n_worms, 2); // line 0 behind stage 0
		assert_int_equal(s.channel[0].n_flits, 6);
		assert_int_equal(s.channel[0].n_blocked, 3 + paper);
		assert_int_equal(s.channel[3 * 3 + 1].n_flits, 3); // to node 3
	}
	// The message that asks first goes first, from the lower line as well.
	stages(&s, "omega", 2, REF_FAST);
	(void)send_at(&s, 0, 2, 1, 3);
	(void)send_at(&s, 2, 0, 0, 3);
	assert_int_equal(play(&s), 0);
	assert_message(&s, 0, 1, 3, 5);
	assert_message(&s, 1, 2, 6, 8);
}

static void test_stages_wait(void **state)
{
	(void)state;
	static struct scene s;

	// A message to oneself takes the network like any other.
	stages(&s, "omega", 4, REF_FAST);
	(void)send_at(&s, 0, 7, 7, 2); // tail in 1 + 2 + 3
	(void)send_at(&s, 0, 7, 9, 2);
	wait_at(&s, 0, 9, 7, 1);
	(void)send_at(&s, 0, 9, 7, 2);
	wait_at(&s, 0, 7, 9, 1);
	assert_int_equal(play(&s), 0);
	assert_message(&s, 0, 1, 5, 6);
	assert_message(&s, 1, 3, 7, 8);
	assert_message(&s, 2, 11, 15, 16);
	assert_int_equal(s.end[7], 18);
	assert_int_equal(s.end[9], 12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_there_and_back),
		cmocka_unit_test(test_at),
		cmocka_unit_test(test_waits_count_by_source),
		cmocka_unit_test(test_wait_about_the_arrival),
		cmocka_unit_test(test_paper_asks_for_an_empty_buffer),
		cmocka_unit_test(test_long_delays_take_no_time),
		cmocka_unit_test(test_dead_waits),
		cmocka_unit_test(test_illegal),
		cmocka_unit_test(test_stages_alone),
		cmocka_unit_test(test_stages_meet),
		cmocka_unit_test(test_stages_wait),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
