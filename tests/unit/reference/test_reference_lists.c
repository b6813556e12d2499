// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The reference machine on direct networks: what must hold whatever the network and the messages.
#include "unit/help/reference_run.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void random_messages(struct ref_message *out, struct ref_way *way, enum ref_order *orders,
                            const struct ref_net *net, size_t n, bool mixed)
{
	unsigned longest = random_below(3) ? 6 : 40;
	bool rings = net->kind == REF_RING || net->kind == REF_TORUS;
	enum ref_order order = (enum ref_order)random_below(rings ? 4 : 2);

	for (size_t m = 0; m < n; m++) {
		out[m].source = random_below(ref_net_nodes(net));
		do {
			out[m].destination = random_below(ref_net_nodes(net));
		} while (out[m].destination == out[m].source);
		out[m].n_flits = 1 + random_below(longest);
		orders[m] = mixed && random_below(2) ? REF_ASCENDING : order;
		way[m] = (struct ref_way){out[m].source, out[m].destination, orders[m]};
	}
}

struct lists {
	struct ref_net net;
	struct ref_machine machine;
	struct ref_message message[MESSAGES_MAX];
	struct ref_way way[MESSAGES_MAX];
	enum ref_order orders[MESSAGES_MAX];
	size_t n;
	unsigned load[CHANNELS_MAX];
};

static void random_lists(struct lists *out, uint64_t seed, size_t most)
{
	random_start(seed);
	random_net(&out->net);
	assert_true(ref_net_channels(&out->net) <= CHANNELS_MAX);
	out->n = 1 + random_below((unsigned)most);
	random_messages(out->message, out->way, out->orders, &out->net, out->n, random_below(4) == 0);
	out->machine = machine_for(&out->net, seed % 2 ? REF_PAPER : REF_FAST);
	out->machine.orders = out->orders;
	assert_int_equal(ref_net_load(out->load, &out->net, out->way, out->n), 0);
}

// Keeps only messages that share no channel with an earlier one of the list.
static void keep_apart(struct lists *l)
{
	unsigned load[CHANNELS_MAX];
	size_t kept = 0;

	for (size_t m = 0; m < l->n; m++) {
		bool alone = true;

		l->message[kept] = l->message[m];
		l->way[kept] = l->way[m];
		l->orders[kept] = l->orders[m];
		assert_int_equal(ref_net_load(load, &l->net, l->way, kept + 1), 0);
		for (size_t c = 0; c < ref_net_channels(&l->net); c++)
			alone = alone && load[c] <= 1;
		kept += alone;
	}
	l->n = kept;
}

static void test_without_contention(void **state)
{
	(void)state;
	static struct lists l;
	static struct run run;
	size_t n_together = 0;

	for (uint64_t seed = 1; seed <= 2000; seed++) {
		random_lists(&l, seed, 40);
		keep_apart(&l);
		n_together += l.n > 1;
		assert_int_equal(ref_machine_run(run.arrival, run.channel, &l.machine, l.message, l.n), 0);
		for (size_t m = 0; m < l.n; m++) {
			unsigned hops = distance_by_search(&l.net, l.message[m].source, l.message[m].destination);
			size_t way[NODES_MAX + 2];

			if (l.orders[m] >= REF_UP_ASCENDING)
				hops = (unsigned)ref_net_walk(way, &l.net, &l.way[m]) - 2;
			if (run.arrival[m].first_cycle != hops + 2 ||
			    run.arrival[m].done_cycle != l.message[m].n_flits + hops + 1)
				fail_msg("seed %llu, message %zu", (unsigned long long)seed, m);
		}
		for (size_t c = 0; c < ref_net_channels(&l.net); c++)
			assert_int_equal(run.channel[c].n_blocked, 0);
	}
	assert_true(n_together > 1000);
}

// Checks that flits cross exactly the channels of their routes, and that no message arrives sooner than it could alone.
static void check_conserved(const struct lists *l, const struct run *run, uint64_t seed)
{
	uint64_t n_flits[CHANNELS_MAX] = {0};
	size_t channel[NODES_MAX + 2];

	for (size_t m = 0; m < l->n; m++) {
		const struct ref_arrival *a = &run->arrival[m];
		size_t length = ref_net_walk(channel, &l->net, &l->way[m]);

		for (size_t k = 0; k < length; k++)
			n_flits[channel[k]] += l->message[m].n_flits;
		if (a->offer_cycle < 1 || a->first_cycle < a->offer_cycle + length - 1 ||
		    a->done_cycle < a->first_cycle + l->message[m].n_flits - 1)
			fail_msg("seed %llu: message %zu arrives too early", (unsigned long long)seed, m);
		for (size_t k = 0; k < m; k++) {
			const struct ref_arrival *b = &run->arrival[k];

			// Worms do not pass each other at the source, and do not mix at the destination.
			if (l->message[k].source == l->message[m].source &&
			    a->offer_cycle < b->offer_cycle + l->message[k].n_flits)
				fail_msg("seed %llu: message %zu is offered before %zu has left",
				         (unsigned long long)seed, m, k);
			if (l->message[k].destination == l->message[m].destination && a->first_cycle <= b->done_cycle &&
			    b->first_cycle <= a->done_cycle)
				fail_msg("seed %llu: messages %zu and %zu mix", (unsigned long long)seed, m, k);
		}
	}
	for (size_t c = 0; c < ref_net_channels(&l->net); c++) {
		const struct ref_channel *r = &run->channel[c];

		if (r->n_worms != l->load[c] || r->n_flits != n_flits[c] || (l->load[c] <= 1 && r->n_blocked > 0))
			fail_msg("seed %llu: channel %zu", (unsigned long long)seed, c);
	}
}

// The circle is one of the graph; every wait on it lies on the way of its message, and is asked for if it is a header's.
// Under paper timing no two worms share a buffer: a body waits for its own.
static void check_lock(const struct lists *l, const struct run *run, uint64_t seed)
{
	size_t circle[CHANNELS_MAX];

	for (size_t k = 0; k < run->lock.n; k++) {
		const struct ref_wait *here = &run->wait[k];
		const struct ref_wait *next = &run->wait[(k + 1) % run->lock.n];
		size_t one_way[NODES_MAX + 2];
		size_t length = ref_net_walk(one_way, &l->net, &l->way[here->message]);
		bool on_way = false;

		circle[k] = here->channel;
		for (size_t i = 1; i < length; i++)
			on_way = on_way || (one_way[i - 1] == here->channel && one_way[i] == next->channel);
		if (!on_way || (here->is_header && !run->asked[next->channel]) ||
		    (!here->is_header && here->message != next->message && l->machine.timing == REF_PAPER))
			fail_msg("seed %llu: wait %zu of %zu", (unsigned long long)seed, k, run->lock.n);
	}
	if (ref_circle_is(circle, run->lock.n, &l->net, l->way, l->n) != 1)
		fail_msg("seed %llu: not a circle", (unsigned long long)seed);
}

// True if no wait is left after repeated removal of channels to which no wait leads.
static bool is_free_by_peeling(const struct ref_net *net, const struct ref_way *way, size_t n)
{
	bool gone[CHANNELS_MAX] = {false};
	bool changed = true;
	size_t n_gone = 0;

	while (changed) {
		bool led_to[CHANNELS_MAX] = {false};

		for (size_t m = 0; m < n; m++) {
			size_t channel[NODES_MAX + 2];
			size_t length = ref_net_walk(channel, net, &way[m]);

			for (size_t k = 1; k < length; k++)
				led_to[channel[k]] |= !gone[channel[k - 1]];
		}
		changed = false;
		for (size_t c = 0; c < ref_net_channels(net); c++) {
			if (gone[c] || led_to[c])
				continue;
			gone[c] = changed = true;
			n_gone++;
		}
	}
	return n_gone == ref_net_channels(net);
}

static void test_random_lists(void **state)
{
	(void)state;
	static struct lists l;
	static struct run run;
	unsigned n_locks = 0, n_lucky = 0, n_free = 0;

	for (uint64_t seed = 1; seed <= 2000; seed++) {
		random_lists(&l, seed, seed % 4 ? 50 : MESSAGES_MAX);
		run.lock = (struct ref_lock){.circle = run.wait, .asked = run.asked};

		int rc = ref_machine_run_to_lock(run.arrival, run.channel, &run.lock, &l.machine, l.message, l.n);
		bool has_circle = circle_of(&l.net, l.way, l.n) != 0;

		if (has_circle == is_free_by_peeling(&l.net, l.way, l.n))
			fail_msg("seed %llu: search and peeling disagree", (unsigned long long)seed);
		if (rc == -EDEADLK) {
			if (!has_circle)
				fail_msg("seed %llu: locks without a circle", (unsigned long long)seed);
			check_lock(&l, &run, seed);
			n_locks++;
			continue;
		}
		assert_int_equal(rc, 0);
		check_conserved(&l, &run, seed);
		n_lucky += has_circle;
		n_free += !has_circle;
	}
	printf("%u lists without a circle, %u with one that did not lock, %u that did\n", n_free, n_lucky, n_locks);
	assert_true(n_free > 500 && n_lucky > 20 && n_locks > 100);
}

// The same network under several names: all cycles are the same. Ties go by the source, as links have other numbers.
static void test_names_of_one_network(void **state)
{
	(void)state;
	static const char *const same[][3] = {
		{"cube:3", "mesh:2x2x2", "torus:2x2x2"},    {"line:7", "mesh:1x7", "mesh:7x1"},
		{"ring:7", "torus:1x7", "torus:7x1x1"},     {"line:2", "ring:2", "cube:1"},
		{"mesh:4x3", "mesh:1x4x3", "mesh:4x1x3x1"}, {"torus:4x5", "torus:4x1x5", "torus:4x5x1"}};
	static struct ref_message message[MESSAGES_MAX];
	static struct ref_way way[MESSAGES_MAX];
	static enum ref_order orders[MESSAGES_MAX];
	static struct ref_arrival arrival[3][MESSAGES_MAX];

	for (uint64_t seed = 1; seed <= 600; seed++) {
		int rc[3];
		size_t n;

		random_start(seed);
		n = 1 + random_below(60);
		for (unsigned i = 0; i < 3; i++) {
			struct ref_net net = net_of(same[seed % 6][i]);
			struct ref_machine machine = machine_for(&net, seed % 2 ? REF_PAPER : REF_FAST);

			if (i == 0)
				random_messages(message, way, orders, &net, n, false);
			machine.tie = REF_TIE_SOURCE;
			machine.orders = orders;
			rc[i] = ref_machine_run(arrival[i], NULL, &machine, message, n);
			if (rc[i] != rc[0] ||
			    (rc[0] == 0 && memcmp(arrival[i], arrival[0], n * sizeof(arrival[0][0])) != 0))
				fail_msg("%s is not %s, seed %llu", same[seed % 6][i], same[seed % 6][0],
				         (unsigned long long)seed);
		}
	}
}

// A cube by its dimensions and a cube by its description, with the ties that the project's routers have.
static void test_cubes_as_before(void **state)
{
	(void)state;
	static struct lists l;
	static struct run run;
	static struct ref_arrival arrival[MESSAGES_MAX];
	static struct ref_channel channel[CHANNELS_MAX];

	for (uint64_t seed = 1; seed <= 100; seed++) {
		unsigned n_dims = 1 + (unsigned)seed % 6;
		struct ref_machine cube;

		random_start(seed);
		l.net = ref_net_cube(n_dims);
		l.n = MESSAGES_MAX;
		random_messages(l.message, l.way, l.orders, &l.net, l.n, false);
		l.machine = machine_for(&l.net, seed % 2 ? REF_PAPER : REF_FAST);
		cube = l.machine;
		cube.net = NULL;
		cube.n_dims = n_dims;
		cube.tie = REF_TIE_SOURCE;
		assert_int_equal(ref_machine_run(run.arrival, run.channel, &l.machine, l.message, l.n), 0);
		assert_int_equal(ref_machine_run(arrival, channel, &cube, l.message, l.n), 0);
		assert_memory_equal(run.arrival, arrival, sizeof(arrival));
		assert_memory_equal(run.channel, channel, ref_channel_count(n_dims) * sizeof(channel[0]));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_without_contention),
		cmocka_unit_test(test_random_lists),
		cmocka_unit_test(test_names_of_one_network),
		cmocka_unit_test(test_cubes_as_before),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
