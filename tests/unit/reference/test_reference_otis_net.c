// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The OTIS-Mesh of the reference models: its names, its links, that its ways are shortest ones and stay what they are from node
// to node, and what its machine does with light, worked out by hand.
#include "unit/help/some_nets.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "reference/ref_otis_net.h"

enum { LINKS = 5, CHANNELS = LINKS + 2 };

static void test_names(void **state)
{
	(void)state;
	static const char *const bad[] = {"otis-mesh:",      "otis-mesh:1",   "otis-mesh:8",      "otis-mesh:256",
	                                  "otis-mesh:4v1",   "otis-mesh:4v3", "otis-mesh:4l64",   "otis-mesh:4w17",
	                                  "otis-mesh:4w2l3", "otis-mesh:04",  "otis-mesh:4l3v2x", "otis-mesh:4 ",
	                                  "otis-mesh:4w0"};
	struct ref_net net = {.n_extents = 7};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		if (ref_net_parse(&net, bad[i]) != -EINVAL)
			fail_msg("%s is read", bad[i]);
	}
	assert_int_equal(net.n_extents, 7);
	net = net_of("otis-mesh:16l4w2v2");
	assert_int_equal(ref_net_nodes(&net), 256);
	assert_int_equal(ref_net_links(&net), LINKS);
	assert_int_equal(ref_net_vcs(&net), 2);
	assert_int_equal(net.light_cycles, 4);
	assert_int_equal(net.light_ratio, 2);
	net = net_of("otis-mesh:64");
	assert_int_equal(ref_net_nodes(&net), 4096);
	assert_int_equal(ref_net_vcs(&net), 1);
}

static void test_links(void **state)
{
	(void)state;
	static const char *const names[] = {"otis-mesh:4", "otis-mesh:16"};
	for (size_t i = 0; i < 2; i++) {
		struct ref_net net = net_of(names[i]);
		unsigned n = net.extent[0] * net.extent[0], n_optical = 0;
		for (unsigned k = 0; k < n * n * LINKS; k++) {
			unsigned u = k / LINKS, p = k % LINKS, v, q, w, r;
			if (!ref_net_link(&v, &q, &net, u, p))
				continue;
			assert_true(ref_net_link(&w, &r, &net, v, q));
			assert_true(w == u && r == p);
			assert_true(p == REF_OTIS_LIGHT ? v / n == u % n && v % n == u / n : v / n == u / n && v != u);
			n_optical += p == REF_OTIS_LIGHT;
		}
		assert_int_equal(n_optical, n * n - n);
	}
}

// Node by node what is left of a way is the way from there; lanes never fall, and only light leads from 0 to 1.
static void follow(const struct ref_net *net, unsigned from, unsigned to, enum ref_order order)
{
	struct ref_otis_way whole, rest;
	unsigned at = from, back, before = 0, n_optical = 0;
	bool after_light = true;
	ref_otis_way(&whole, net->extent[0], from, to, order);
	for (size_t k = 0; k < whole.n; k++) {
		ref_otis_way(&rest, net->extent[0], at, to, order);
		assert_int_equal(rest.n, whole.n - k);
		for (size_t i = 0; i < rest.n; i++)
			assert_int_equal(rest.link[i], whole.link[k + i]);
		assert_int_equal(ref_net_next(net, at, to, order), whole.link[k]);
		unsigned vc = ref_otis_vc(&rest);
		assert_true(vc == before || (after_light && vc == 1));
		before = vc;
		after_light = whole.link[k] == REF_OTIS_LIGHT;
		n_optical += after_light;
		assert_true(ref_net_link(&at, &back, net, at, whole.link[k]));
	}
	assert_int_equal(at, to);
	assert_true(n_optical <= 2);
}

static void test_ways(void **state)
{
	(void)state;
	struct ref_net net = net_of("otis-mesh:4");
	struct ref_otis_way way;
	for (unsigned k = 0; k < 2 * 16 * 16; k++) {
		follow(&net, k / 32, k / 2 % 16, (enum ref_order)(k & 1));
		ref_otis_way(&way, 2, k / 32, k / 2 % 16, (enum ref_order)(k & 1));
		assert_int_equal(way.n, distance_by_search(&net, k / 32, k / 2 % 16));
	}
	net = net_of("otis-mesh:16");
	for (unsigned k = 0; k < 256 * 256; k += 3)
		follow(&net, k / 256, k % 256, (enum ref_order)(k & 1));
}

// --- Light -----------------------------------------------------------------------------------------------------------

static void play(struct ref_arrival *arrival, struct ref_channel *channel, const char *name, enum ref_timing timing,
                 const struct ref_message *message, size_t n)
{
	struct ref_net net = net_of(name);
	const struct ref_machine machine = {.n_slots = 2, .timing = timing, .tie = ref_machine_tie(&net), .net = &net};
	assert_int_equal(ref_machine_run(arrival, channel, &machine, message, n), 0);
}

// From (0,1) to (1,0) over light alone: injected in cycle 1, on the light in 2, in the router at its far end l + w - 1 cycles
// later than the 3 that copper takes; and one every w cycles after it.
static void test_alone(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		unsigned first, done;
	} cases[] = {{"otis-mesh:4", 3, 12},        {"otis-mesh:4v2", 3, 12},      {"otis-mesh:4l1", 4, 13},
	             {"otis-mesh:4l5v2", 8, 17},    {"otis-mesh:4w2", 4, 22},      {"otis-mesh:4w3v2", 5, 32},
	             {"otis-mesh:4l5w3v2", 10, 37}, {"otis-mesh:4l63w16", 81, 225}};
	const struct ref_message message = {1, 4, 10};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		for (unsigned timing = REF_PAPER; timing <= REF_FAST; timing++) {
			struct ref_arrival a;
			struct ref_channel c[16 * CHANNELS];
			play(&a, c, cases[i].name, timing, &message, 1);
			if (a.first_cycle != cases[i].first || a.done_cycle != cases[i].done)
				fail_msg("%s: cycles %u to %u", cases[i].name, (unsigned)a.first_cycle,
				         (unsigned)a.done_cycle);
			assert_int_equal(c[1 * CHANNELS + REF_OTIS_LIGHT].n_flits, 10);
			for (unsigned k = 0; k < 16 * CHANNELS; k++)
				assert_int_equal(c[k].n_blocked, 0);
		}
}

// Two messages of one node over the same light. Fast: the second header is injected behind the first tail, in cycle 5, and is on
// the light in cycle 6, when that is free. Paper: first the first tail (sent in 5, in the far router after 5 + l = 8, gone from
// there in cycle 9) has to be gone, and the near end to know that: in cycle 10 + l = 13.
static void test_one_after_the_other(void **state)
{
	(void)state;
	const struct ref_message message[] = {{1, 4, 4}, {1, 4, 1}};
	struct ref_arrival a[2];
	struct ref_channel c[16 * CHANNELS];
	play(a, c, "otis-mesh:4l3", REF_FAST, message, 2);
	assert_int_equal(a[0].done_cycle, 9);
	assert_int_equal(a[1].done_cycle, 10);
	assert_int_equal(c[CHANNELS + REF_OTIS_LIGHT].n_blocked, 0);
	play(a, c, "otis-mesh:4l3", REF_PAPER, message, 2);
	assert_int_equal(a[0].done_cycle, 9);
	assert_int_equal(a[1].done_cycle, 13 + 3 + 1);
	// With ratio 2 the light is free again in cycle 2 + 4 * 2.
	play(a, c, "otis-mesh:4w2", REF_FAST, message, 2);
	assert_int_equal(a[0].done_cycle, 3 + 1 + 3 * 2);
	assert_int_equal(a[1].done_cycle, 3 + 1 + 4 * 2);
}

// On the light from (0,1) to (1,0) meet one from there to (1,0), by virtual channel 1, and one from (0,0) to (1,1), which goes on
// in group 1, by 0. They share it flit by flit, and so each takes twice as long. With one virtual channel they queue.
static void test_two_lanes(void **state)
{
	(void)state;
	const struct ref_message message[] = {{1, 4, 20}, {0, 5, 20}};
	struct ref_arrival a[2];
	struct ref_channel c[16 * CHANNELS];
	play(a, c, "otis-mesh:4l3v2", REF_FAST, message, 2);
	assert_int_equal(c[CHANNELS + REF_OTIS_LIGHT].n_flits, 40);
	assert_int_equal(a[0].first_cycle, 3 + 3);
	assert_int_equal(a[1].first_cycle, 5 + 3);
	assert_int_equal(a[0].done_cycle, 2 + 2 * 19 + 3 + 1);     // its flits cross in cycles 2, 4, 6, ... 40
	assert_int_equal(a[1].done_cycle, 2 + 2 * 19 + 1 + 3 + 2); // 3, 5, ... 41
	play(a, c, "otis-mesh:4l3", REF_FAST, message, 2);
	assert_int_equal(a[0].done_cycle, 21 + 3 + 1); // 2 to 21
	assert_int_equal(a[1].done_cycle, 41 + 3 + 2); // 22 to 41
}

// The far end of a lane is blocked: the near end sends as many flits as there is room for, and no more.
static void test_room(void **state)
{
	(void)state;
	// Node 5 = (1,1) takes 40 flits from its neighbour 7 first; what node 1 = (0,1) sends there over light has to wait for it.
	const struct ref_message message[] = {{7, 5, 40}, {1, 5, 30}};
	struct ref_arrival a[2];
	struct ref_channel c[16 * CHANNELS];
	play(a, c, "otis-mesh:4l2v2", REF_FAST, message, 2);
	assert_int_equal(a[0].done_cycle, 40 + 2);
	assert_int_equal(a[1].first_cycle, 43);
	assert_int_equal(a[1].done_cycle, 43 + 29); // nothing is lost by the way that credits have to go
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),     cmocka_unit_test(test_links),
		cmocka_unit_test(test_ways),      cmocka_unit_test(test_alone),
		cmocka_unit_test(test_two_lanes), cmocka_unit_test(test_one_after_the_other),
		cmocka_unit_test(test_room),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
