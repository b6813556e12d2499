// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Direct networks of the reference models: links, routes, loads and circles of channels, worked out by hand, and what must
// hold of all of them.
#include "unit/help/some_nets.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { NONE = 1000 };

static const char *const some_nets[] = {
	"cube:1",     "cube:4",    "line:2",    "line:3",    "line:9",    "ring:2",      "ring:3",      "ring:4",
	"ring:5",     "ring:6",    "ring:17",   "mesh:1x2",  "mesh:3x5",  "mesh:7x1",    "mesh:2x2",    "mesh:4x3x2",
	"mesh:2x1x3", "torus:2x2", "torus:1x4", "torus:5x3", "torus:4x4", "torus:2x1x5", "torus:3x2x4", "torus:2x3x2x4",
};
#define N_NETS (sizeof(some_nets) / sizeof(some_nets[0]))

static void test_names(void **state)
{
	(void)state;
	static const char *const bad[] = {"",
	                                  "mesh",
	                                  "mesh:",
	                                  "mesh:3x",
	                                  "mesh:x3",
	                                  "mesh:3y4",
	                                  "mesh:0x3",
	                                  "line:1",
	                                  "line:2x2",
	                                  "ring:4x1",
	                                  "cube:2x2",
	                                  "cube:0",
	                                  "cube:13",
	                                  "cube:17",
	                                  "torus:1",
	                                  "torus:1x1",
	                                  "omega:8",
	                                  "mesh:65x64",
	                                  "line:4097",
	                                  "line:-3",
	                                  "mesh:3x+4",
	                                  "mesh:3 x 4",
	                                  "line:99999999999999999999",
	                                  "mesh:1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x2"};
	struct ref_net net = {.n_extents = 7};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		if (ref_net_parse(&net, bad[i]) != -EINVAL)
			fail_msg("%s is read", bad[i]);
	}
	assert_int_equal(net.n_extents, 7);
	net = net_of("mesh:2x3x4");
	assert_int_equal(net.n_extents, 3);
	assert_int_equal(net.extent[0], 4);
	assert_int_equal(net.extent[2], 2);
	assert_int_equal(ref_net_nodes(&net), 24);
	assert_int_equal(ref_net_links(&net), 6);
	assert_int_equal(ref_net_channels(&net), 24 * 8);
	assert_int_equal(ref_net_channel(&net, 5, 3), 43);
	assert_int_equal(ref_net_ejection(&net, 5), 46);
	assert_int_equal(ref_net_injection(&net, 5), 47);
	net = net_of("cube:12");
	assert_int_equal(ref_net_nodes(&net), 4096);
	assert_int_equal(ref_net_links(&net), 12);
	net = net_of("mesh:1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x2");
	assert_int_equal(ref_net_links(&net), 32);
}

// Link p of node u ends at node[p], which has link back[p] to u; NONE: no such link.
static void assert_links(const char *name, unsigned u, const unsigned *node, const unsigned *back)
{
	struct ref_net net = net_of(name);

	for (unsigned p = 0; p < ref_net_links(&net); p++) {
		unsigned v = NONE;
		unsigned q = NONE;
		bool is = ref_net_link(&v, &q, &net, u, p);

		if (is != (node[p] != NONE) || v != node[p] || q != back[p])
			fail_msg("%s: link %u of node %u ends at link %u of node %u", name, p, u, q, v);
	}
}

#define LINKS(...)                                                                                                     \
	(const unsigned[])                                                                                             \
	{                                                                                                              \
		__VA_ARGS__                                                                                            \
	}

static void test_links_by_hand(void **state)
{
	(void)state;
	assert_links("cube:3", 5, LINKS(4, 7, 1), LINKS(0, 1, 2));
	assert_links("line:4", 0, LINKS(1, NONE), LINKS(1, NONE));
	assert_links("line:4", 1, LINKS(2, 0), LINKS(1, 0));
	assert_links("line:4", 3, LINKS(NONE, 2), LINKS(NONE, 0));
	assert_links("line:2", 0, LINKS(1, NONE), LINKS(1, NONE));
	assert_links("line:2", 1, LINKS(NONE, 0), LINKS(NONE, 0));
	assert_links("ring:4", 0, LINKS(1, 3), LINKS(1, 0));
	assert_links("ring:4", 3, LINKS(0, 2), LINKS(1, 0));
	assert_links("ring:2", 0, LINKS(1, NONE), LINKS(0, NONE));
	assert_links("ring:2", 1, LINKS(0, NONE), LINKS(0, NONE));
	// 3 rows of 5: 0 is a corner, 4 the end of the first row, 7 the middle, 14 the last corner.
	assert_links("mesh:3x5", 0, LINKS(1, NONE, 5, NONE), LINKS(1, NONE, 3, NONE));
	assert_links("mesh:3x5", 4, LINKS(NONE, 3, 9, NONE), LINKS(NONE, 0, 3, NONE));
	assert_links("mesh:3x5", 7, LINKS(8, 6, 12, 2), LINKS(1, 0, 3, 2));
	assert_links("mesh:3x5", 14, LINKS(NONE, 13, NONE, 9), LINKS(NONE, 0, NONE, 2));
	assert_links("torus:3x5", 4, LINKS(0, 3, 9, 14), LINKS(1, 0, 3, 2));
	assert_links("torus:1x4", 3, LINKS(0, 2, NONE, NONE), LINKS(1, 0, NONE, NONE));
	assert_links("torus:4x1", 3, LINKS(NONE, NONE, 0, 2), LINKS(NONE, NONE, 3, 2));
	assert_links("torus:2x3", 4, LINKS(5, 3, 1, NONE), LINKS(1, 0, 2, NONE));
	assert_links("mesh:2x1x3", 4, LINKS(5, 3, NONE, NONE, NONE, 1), LINKS(1, 0, NONE, NONE, NONE, 4));
}

// Checks the nodes on the way from the first to the last of `node`, n of them.
static void assert_route(const char *name, enum ref_order order, const unsigned *node, size_t n)
{
	struct ref_net net = net_of(name);

	for (size_t k = 0; k + 1 < n; k++) {
		unsigned link = ref_net_next(&net, node[k], node[n - 1], order);
		unsigned v = NONE;
		unsigned q = NONE;

		if (link >= ref_net_links(&net) || !ref_net_link(&v, &q, &net, node[k], link) || v != node[k + 1])
			fail_msg("%s: from %u to %u the step at %u goes to %u", name, node[0], node[n - 1], node[k], v);
	}
	assert_int_equal(ref_net_next(&net, node[n - 1], node[n - 1], order), ref_net_links(&net));
}

#define ROUTE(name, order, ...)                                                                                        \
	assert_route(name, order, (const unsigned[]){__VA_ARGS__},                                                     \
	             sizeof((const unsigned[]){__VA_ARGS__}) / sizeof(unsigned))

static void test_routes_by_hand(void **state)
{
	(void)state;
	ROUTE("cube:3", REF_ASCENDING, 1, 0, 2, 6);
	ROUTE("cube:3", REF_DESCENDING, 1, 5, 7, 6);
	ROUTE("line:5", REF_ASCENDING, 4, 3, 2, 1);
	ROUTE("mesh:3x5", REF_ASCENDING, 0, 1, 2, 3, 8, 13);
	ROUTE("mesh:3x5", REF_DESCENDING, 0, 5, 10, 11, 12, 13);
	ROUTE("mesh:3x5", REF_ASCENDING, 14, 13, 12, 7, 2);
	ROUTE("mesh:3x5", REF_ASCENDING, 4, 3, 2, 1, 0); // and not around
	// At exactly half the way goes up, from wherever it starts.
	ROUTE("ring:4", REF_ASCENDING, 0, 1, 2);
	ROUTE("ring:4", REF_ASCENDING, 3, 0, 1);
	ROUTE("ring:6", REF_DESCENDING, 4, 5, 0, 1);
	ROUTE("ring:5", REF_ASCENDING, 0, 4, 3);
	ROUTE("ring:5", REF_ASCENDING, 1, 2, 3);
	ROUTE("ring:2", REF_ASCENDING, 1, 0);
	ROUTE("torus:4x4", REF_ASCENDING, 0, 1, 2, 6, 10);
	ROUTE("torus:4x4", REF_DESCENDING, 0, 4, 8, 9, 10);
	ROUTE("torus:4x4", REF_ASCENDING, 10, 11, 8, 12, 0);
	ROUTE("torus:4x4", REF_ASCENDING, 0, 3, 15);
	ROUTE("torus:4x4", REF_DESCENDING, 0, 12, 15);
	ROUTE("torus:5x3", REF_ASCENDING, 0, 2, 14, 11);
	ROUTE("torus:2x2", REF_ASCENDING, 3, 2, 0);
	ROUTE("torus:1x4", REF_DESCENDING, 1, 2, 3);
	ROUTE("mesh:2x1x3", REF_ASCENDING, 0, 1, 2, 5);
	// Always up, however long that is.
	ROUTE("ring:5", REF_UP_ASCENDING, 1, 2, 3, 4, 0);
	ROUTE("ring:5", REF_UP_DESCENDING, 3, 4, 0, 1, 2);
	ROUTE("ring:2", REF_UP_ASCENDING, 1, 0);
	ROUTE("torus:4x3", REF_UP_ASCENDING, 1, 2, 0, 3, 6);
	ROUTE("torus:4x3", REF_UP_DESCENDING, 1, 4, 7, 8, 6);
	ROUTE("torus:4x3", REF_UP_ASCENDING, 0, 1, 2, 5, 8, 11);
}

static void test_links_lead_back(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_NETS; i++) {
		struct ref_net net = net_of(some_nets[i]);

		for (unsigned u = 0; u < ref_net_nodes(&net); u++) {
			for (unsigned p = 0; p < ref_net_links(&net); p++) {
				unsigned v = NONE, q = NONE, w = NONE, r = NONE;

				if (!ref_net_link(&v, &q, &net, u, p))
					continue;
				assert_true(v < ref_net_nodes(&net) && v != u && q < ref_net_links(&net));
				assert_true(ref_net_link(&w, &r, &net, v, q));
				assert_int_equal(w, u);
				assert_int_equal(r, p);
				// No two links between the same nodes: around a ring of two there is one.
				for (unsigned other = 0; other < p; other++) {
					unsigned x = NONE;

					if (ref_net_link(&x, &r, &net, u, other))
						assert_int_not_equal(x, v);
				}
			}
		}
	}
}

static void test_routes_are_shortest(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_NETS; i++) {
		struct ref_net net = net_of(some_nets[i]);
		unsigned n = ref_net_nodes(&net);
		unsigned per_dim = net.kind == REF_CUBE ? 1 : 2;
		size_t channel[NODES_MAX + 2];

		for (unsigned k = 0; k < n * n * 2; k++) {
			struct ref_way way = {k / 2 / n, k / 2 % n, k % 2 ? REF_ASCENDING : REF_DESCENDING};
			size_t length = ref_net_walk(channel, &net, &way);
			unsigned before = 0;

			if (way.source == way.destination) {
				assert_int_equal(length, 0);
				continue;
			}
			if (length != distance_by_search(&net, way.source, way.destination) + 2)
				fail_msg("%s: %u to %u over %zu channels", some_nets[i], way.source, way.destination,
				         length);
			assert_int_equal(channel[0], ref_net_injection(&net, way.source));
			assert_int_equal(channel[length - 1], ref_net_ejection(&net, way.destination));
			for (size_t c = 1; c + 1 < length; c++) {
				unsigned dim = (unsigned)(channel[c] % (ref_net_links(&net) + 2)) / per_dim;

				assert_true(c == 1 || dim == before || (dim > before) == (way.order == REF_ASCENDING));
				before = dim;
			}
		}
	}
}

// Up only, and by no more steps in a dimension than it takes to get there.
static void test_one_way_routes(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_NETS; i++) {
		struct ref_net net = net_of(some_nets[i]);
		unsigned n = ref_net_nodes(&net);
		size_t channel[64];

		if (net.kind != REF_RING && net.kind != REF_TORUS)
			continue;
		for (unsigned k = 0; k < n * n * 2; k++) {
			struct ref_way way = {k / 2 / n, k / 2 % n, k % 2 ? REF_UP_ASCENDING : REF_UP_DESCENDING};
			unsigned from = way.source, to = way.destination, steps = 0, before = 0;
			size_t length = ref_net_walk(channel, &net, &way);

			for (unsigned d = 0; d < net.n_extents; d++) {
				unsigned e = net.extent[d];

				steps += (to % e + e - from % e) % e;
				from /= e;
				to /= e;
			}
			assert_int_equal(length, steps ? steps + 2 : 0);
			for (size_t c = 1; c + 1 < length; c++) {
				unsigned link = (unsigned)(channel[c] % (ref_net_links(&net) + 2));

				assert_int_equal(link % 2, 0);
				assert_true(c == 1 || link == before ||
				            (link > before) == (way.order == REF_UP_ASCENDING));
				before = link;
			}
		}
	}
}

static void test_load_by_hand(void **state)
{
	(void)state;
	const struct ref_way way[] = {
		{0, 2, REF_ASCENDING}, {1, 3, REF_ASCENDING}, {3, 2, REF_DESCENDING}, {2, 2, REF_ASCENDING}};
	// By node: +, -, ejection, injection.
	const unsigned load[16] = {1, 0, 0, 1, 2, 0, 0, 1, 1, 0, 2, 0, 0, 1, 1, 1};
	struct ref_net net = net_of("line:4");
	unsigned got[16];

	assert_int_equal(ref_net_load(got, &net, way, 4), 0);
	assert_memory_equal(got, load, sizeof(load));
	net = net_of("line:3");
	assert_int_equal(ref_net_load(got, &net, way, 4), -EINVAL);
	net.extent[0] = 0;
	assert_int_equal(ref_net_load(got, &net, way, 0), -EINVAL);
	assert_memory_equal(got, load, sizeof(load));
}

static void test_cubes_as_before(void **state)
{
	(void)state;
	struct ref_net net = net_of("cube:4");

	for (unsigned k = 0; k < 512; k++) {
		enum ref_order order = k % 2 ? REF_ASCENDING : REF_DESCENDING;

		assert_int_equal(ref_net_next(&net, k / 32, k / 2 % 16, order),
		                 ref_cube_next(4, k / 32, k / 2 % 16, order));
	}
	assert_int_equal(ref_channel_count(4), ref_net_channels(&net));
	assert_int_equal(ref_channel_network(4, 3, 2), 20);
	assert_int_equal(ref_channel_ejection(4, 3), 22);
	assert_int_equal(ref_channel_injection(4, 3), 23);
}

static size_t all_pairs(struct ref_way *out, const struct ref_net *net, bool both_orders)
{
	size_t n = 0;

	for (unsigned u = 0; u < ref_net_nodes(net); u++) {
		for (unsigned v = 0; v < ref_net_nodes(net); v++) {
			out[n++] = (struct ref_way){u, v, REF_ASCENDING};
			if (both_orders)
				out[n++] = (struct ref_way){u, v, REF_DESCENDING};
		}
	}
	return n;
}

static void test_circles_of_networks(void **state)
{
	(void)state;
	// All messages that there can be. Around a ring only ways of two links and more make a circle: from 4 nodes on.
	static const struct {
		const char *name;
		bool one_order, both_orders;
	} known[] = {{"cube:2", false, true},     {"cube:4", false, true},     {"line:2", false, false},
	             {"line:7", false, false},    {"mesh:3x5", false, true},   {"mesh:1x7", false, false},
	             {"mesh:2x2", false, true},   {"mesh:4x3x2", false, true}, {"mesh:2x1x3", false, true},
	             {"ring:2", false, false},    {"ring:3", false, false},    {"ring:4", true, true},
	             {"ring:5", true, true},      {"ring:9", true, true},      {"torus:2x2", false, true},
	             {"torus:3x3", false, true},  {"torus:1x3", false, false}, {"torus:1x4", true, true},
	             {"torus:2x4", true, true},   {"torus:5x3", true, true},   {"torus:4x4x2", true, true},
	             {"torus:2x3x2", false, true}};
	static struct ref_way way[2 * NODES_MAX * NODES_MAX];

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct ref_net net = net_of(known[i].name);

		if ((circle_of(&net, way, all_pairs(way, &net, false)) != 0) != known[i].one_order)
			fail_msg("%s, one order", known[i].name);
		if ((circle_of(&net, way, all_pairs(way, &net, true)) != 0) != known[i].both_orders)
			fail_msg("%s, both orders", known[i].name);
	}
}

static void test_circles_by_hand(void **state)
{
	(void)state;
	const struct ref_way way[] = {
		{0, 2, REF_ASCENDING}, {1, 3, REF_ASCENDING}, {2, 0, REF_ASCENDING}, {3, 1, REF_ASCENDING}};
	const size_t ring[] = {4, 8, 12, 0, 4};
	const size_t twice[] = {0, 4, 8, 12, 0, 4, 8, 12};
	const size_t beside[] = {0, 4, 8, 13};
	const size_t outside[] = {0, 4, 8, 16};
	struct ref_net net = net_of("ring:4");

	assert_int_equal(circle_of(&net, way, 4), 4);
	assert_int_equal(circle_of(&net, way, 3), 0);
	assert_int_equal(circle_of(&net, way + 1, 3), 0);
	assert_int_equal(circle_of(&net, NULL, 0), 0);
	assert_int_equal(ref_circle_is(ring, 4, &net, way, 4), 1);
	assert_int_equal(ref_circle_is(ring + 1, 4, &net, way, 4), 1);
	assert_int_equal(ref_circle_is(ring, 4, &net, way, 3), 0);
	assert_int_equal(ref_circle_is(ring, 3, &net, way, 4), 0);
	assert_int_equal(ref_circle_is(ring, 5, &net, way, 4), 0);
	assert_int_equal(ref_circle_is(ring, 0, &net, way, 4), 0);
	assert_int_equal(ref_circle_is(twice, 8, &net, way, 4), 0);
	assert_int_equal(ref_circle_is(beside, 4, &net, way, 4), 0);
	assert_int_equal(ref_circle_is(outside, 4, &net, way, 4), 0);
	net = net_of("ring:3");
	assert_int_equal(ref_circle_is(ring, 4, &net, way, 4), -EINVAL);
	net = net_of("mesh:2x2");
	assert_int_equal(circle_of(&net, way, 4), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_links_by_hand),
		cmocka_unit_test(test_routes_by_hand),
		cmocka_unit_test(test_links_lead_back),
		cmocka_unit_test(test_routes_are_shortest),
		cmocka_unit_test(test_one_way_routes),
		cmocka_unit_test(test_load_by_hand),
		cmocka_unit_test(test_cubes_as_before),
		cmocka_unit_test(test_circles_of_networks),
		cmocka_unit_test(test_circles_by_hand),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
