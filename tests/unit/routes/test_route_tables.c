// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Chosen routes in virtual networks, where they cannot lock, and in routers' tables, where they stay what they are.
#include <flitloom/routes/route_tables.h>
#include <flitloom/routes/virtual_networks.h>

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "unit/help/message_list.h"

static const char *const fabrics[] = {"mesh:4x5", "mesh:3x3x3", "torus:4x4", "torus:3x5",   "torus:2x4x3", "cube:4",
                                      "ring:9",   "line:7",     "mesh:1x6",  "torus:2x2x2", "mesh:2x2x2x2"};
enum { FABRICS = sizeof fabrics / sizeof fabrics[0] };

static void random_list(struct list *l, const char *name, size_t n, uint64_t seed)
{
	list_on(l, name);
	list_add_random(l, n, 1, seed);
}

static struct loom_routes block(const struct list *l)
{
	struct loom_routes routes;
	assert_int_equal(loom_routes_block(&routes, &l->topo, l->messages, l->n, LOOM_LOAD_MESSAGES, NULL), 0);
	return routes;
}

// --- Virtual networks --------------------------------------------------------------------------------------------------

static void expect_networks(const char *name, uint32_t networks, uint32_t lanes)
{
	static struct list l;
	list_on(&l, name);
	if (loom_virtual_networks_count(&l.topo) != networks || loom_virtual_lanes_count(&l.topo) != lanes)
		fail_msg("%s: %" PRIu32 " networks, %" PRIu32 " lanes", name, loom_virtual_networks_count(&l.topo),
		         loom_virtual_lanes_count(&l.topo));
}

static void test_how_many(void **state)
{
	(void)state;
	expect_networks("mesh:4x5", 2, 2);
	expect_networks("mesh:3x4x5", 4, 4);
	expect_networks("mesh:1x5", 1, 1);
	expect_networks("line:5", 1, 1);
	expect_networks("cube:5", 16, 16);
	expect_networks("ring:8", 1, 2);
	expect_networks("torus:4x4", 2, 6);
	expect_networks("torus:2x4", 2, 4);
}

// Four messages round a square, each after the next one.
static void test_a_square(void **state)
{
	static struct list l;
	enum { PER_TILE = 6, RIGHT = 0, LEFT = 1, DOWN = 2, UP = 3 };
	uint32_t channel[] = {0 * PER_TILE + RIGHT, 1 * PER_TILE + DOWN, 1 * PER_TILE + DOWN, 3 * PER_TILE + LEFT,
	                      3 * PER_TILE + LEFT,  2 * PER_TILE + UP,   2 * PER_TILE + UP,   0 * PER_TILE + RIGHT};
	size_t first[] = {0, 2, 4, 6, 8};
	const struct loom_routes routes = {.n = 4, .first = first, .channel = channel};
	struct loom_lane_circle circle;
	uint32_t network[4], lane[8];
	(void)state;
	list_on(&l, "mesh:2x2");
	list_add(&l, 0, 3, 1);
	list_add(&l, 1, 2, 1);
	list_add(&l, 3, 0, 1);
	list_add(&l, 2, 1, 1);
	assert_int_equal(loom_routes_check(&routes, &l.topo, l.messages, 4, NULL), 0);
	assert_int_equal(loom_lane_circle_find(&circle, &routes, NULL, 1, &l.topo, NULL), 0);
	assert_int_equal(circle.n, 4);
	for (size_t i = 0; i < 4; i++) { // message k holds the first link of its route and wants the second
		const struct loom_lane *here = &circle.at[i], *next = &circle.at[(i + 1) % 4];
		assert_int_equal(here->channel, channel[2 * here->message]);
		assert_int_equal(next->channel, channel[2 * here->message + 1]);
	}
	loom_lane_circle_free(&circle);
	assert_int_equal(loom_virtual_networks_of(network, &routes, &l.topo, NULL), 0);
	assert_int_equal(network[0], network[2]);
	assert_int_equal(network[1], network[3]);
	assert_int_not_equal(network[0], network[1]);
	assert_int_equal(loom_virtual_lanes_of(lane, &routes, &l.topo, NULL), 0);
	assert_int_equal(loom_lane_circle_find(&circle, &routes, lane, 2, &l.topo, NULL), 0);
	assert_int_equal(circle.n, 0);
}

// Adds a random route, each step over any link that leads nearer.
static void add_random_route(struct loom_routes *routes, struct list *l, struct loom_rng *rng)
{
	uint32_t per_tile = loom_topo_channels_per_tile(&l->topo), at, to, v;
	unsigned q;
	at = (uint32_t)loom_rng_below(rng, l->topo.n_nodes);
	to = (uint32_t)loom_rng_below(rng, l->topo.n_nodes);
	list_add(l, at, to, 1);
	size_t *end = &routes->first[++routes->n];
	*end = routes->first[routes->n - 1];
	for (uint32_t length; (length = loom_route_length(&l->topo, at, to, LOOM_RULE_ASCENDING)) > 2 && at != to;
	     at = v) {
		unsigned p;
		do
			p = (unsigned)loom_rng_below(rng, loom_topo_links(&l->topo));
		while (!l->topo.kind->link(&l->topo, at, p, &v, &q) ||
		       loom_route_length(&l->topo, v, to, LOOM_RULE_ASCENDING) >= length);
		routes->channel[(*end)++] = at * per_tile + p;
	}
}

// Everything that can be minimal, everywhere at once: no circle on any lane; without lanes there is one.
static void test_no_circles(void **state)
{
	static struct list l;
	static size_t first[LIST_MOST + 1];
	static uint32_t channel[LIST_MOST * 16], lane[LIST_MOST * 16];
	unsigned n_circles = 0;
	(void)state;
	for (unsigned round = 0; round < 10 * FABRICS; round++) {
		struct loom_rng rng;
		struct loom_routes routes = {.first = first, .channel = channel};
		struct loom_lane_circle circle;
		struct loom_err err = {0};
		list_on(&l, fabrics[round % FABRICS]);
		loom_rng_init(&rng, round);
		first[0] = 0;
		while (l.n < LIST_MOST - 1)
			add_random_route(&routes, &l, &rng);
		if (loom_routes_check(&routes, &l.topo, l.messages, l.n, &err) != 0 ||
		    loom_virtual_lanes_of(lane, &routes, &l.topo, &err) != 0)
			fail_msg("%s", err.text);
		for (size_t k = 0; k < first[routes.n]; k++)
			assert_true(lane[k] < loom_virtual_lanes_count(&l.topo));
		assert_int_equal(
			loom_lane_circle_find(&circle, &routes, lane, loom_virtual_lanes_count(&l.topo), &l.topo, NULL),
			0);
		if (circle.n)
			fail_msg("%s, seed %u: a circle of %zu lanes", l.topo.name, round, circle.n);
		assert_int_equal(loom_lane_circle_find(&circle, &routes, NULL, 1, &l.topo, NULL), 0);
		n_circles += circle.n != 0;
		for (size_t i = 0; i < circle.n; i++) {
			const struct loom_lane *here = &circle.at[i], *next = &circle.at[(i + 1) % circle.n];
			bool held = false, wanted = false;
			for (size_t k = first[here->message]; k < first[here->message + 1]; k++) {
				wanted = wanted || (held && channel[k] == next->channel);
				held = held || channel[k] == here->channel;
			}
			assert_true(held && wanted);
		}
		loom_lane_circle_free(&circle);
	}
	assert_true(n_circles >= 10 * 6);
}

static void test_not_minimal(void **state)
{
	static struct list l;
	enum { PER_TILE = 6, RIGHT = 0, LEFT = 1, DOWN = 2, UP = 3 };
	uint32_t channel[] = {0 * PER_TILE + RIGHT, 1 * PER_TILE + DOWN, 4 * PER_TILE + LEFT}, network;
	size_t first[] = {0, 3};
	const struct loom_routes routes = {.n = 1, .first = first, .channel = channel};
	struct loom_err err = {0};
	(void)state;
	list_on(&l, "mesh:2x3");
	assert_int_equal(loom_virtual_networks_of(&network, &routes, &l.topo, &err), LOOM_EINPUT);
	assert_non_null(strstr(err.text, "route 0 goes both ways in dimension 0"));
}

// --- Whole lanes -------------------------------------------------------------------------------------------------------

// True if messages could wait for one another in a circle, each on its lane all the way.
static bool can_lock(const struct list *l, const struct loom_routes *routes, const uint32_t *lane, uint32_t n_lanes)
{
	struct loom_lane_circle circle;
	uint32_t *of_link = malloc((routes->first[l->n] + 1) * sizeof *of_link);
	assert_non_null(of_link);
	for (size_t i = 0; i < l->n; i++)
		for (size_t k = routes->first[i]; k < routes->first[i + 1]; k++)
			of_link[k] = lane[i];
	assert_int_equal(loom_lane_circle_find(&circle, routes, of_link, n_lanes, &l->topo, NULL), 0);
	bool found = circle.n != 0;
	loom_lane_circle_free(&circle);
	free(of_link);
	return found;
}

static uint32_t count_lanes(const uint32_t *lane, size_t n)
{
	uint32_t most = 0;
	for (size_t i = 0; i < n; i++)
		most = lane[i] > most ? lane[i] : most;
	return most + 1;
}

static bool all_in_use(const uint32_t *network, const struct loom_routes *routes, uint32_t n_networks)
{
	uint32_t seen = 0;
	for (size_t i = 0; i < routes->n; i++)
		seen |= routes->first[i] < routes->first[i + 1] ? UINT32_C(1) << network[i] : 0;
	return seen == (UINT32_C(1) << n_networks) - 1;
}

static void test_give_lanes(void **state)
{
	static struct list l;
	uint32_t lane[LIST_MOST], network[LIST_MOST], n_lanes;
	unsigned n_too_many = 0, n_all = 0;
	(void)state;
	for (unsigned round = 0; round < 220; round++) {
		uint32_t most = UINT32_C(1) << round / FABRICS % 3;
		random_list(&l, fabrics[round % FABRICS], 10 + 17 * round % 380, round);
		struct loom_routes routes = block(&l);
		assert_int_equal(loom_routes_give_lanes(lane, &n_lanes, &routes, &l.topo, most, NULL), 0);
		assert_int_equal(n_lanes, count_lanes(lane, l.n));
		if (can_lock(&l, &routes, lane, n_lanes))
			fail_msg("round %u: %s on %" PRIu32 " of %" PRIu32 " lanes can lock", round, l.topo.name,
			         n_lanes, most);
		n_too_many += n_lanes > most;
		// Lanes that are enough for all messages are given so that they are; else what is said would do does.
		bool rings = loom_virtual_lanes_count(&l.topo) != loom_virtual_networks_count(&l.topo);
		if (!rings)
			assert_true(n_lanes <= most || n_lanes <= loom_virtual_networks_count(&l.topo));
		if (!rings && loom_virtual_networks_count(&l.topo) == most) {
			assert_int_equal(loom_virtual_networks_of(network, &routes, &l.topo, NULL), 0);
			// The lane of a network without messages serves the others.
			if (all_in_use(network, &routes, most))
				assert_memory_equal(lane, network, l.n * sizeof *lane);
			n_all += all_in_use(network, &routes, most);
		}
		if (l.topo.n_dims == 1 && rings)
			assert_true(n_lanes <= 2 || n_lanes <= most);
		loom_routes_free(&routes);
	}
	assert_true(n_too_many > 10 && n_all > 10);
}

// More lanes than networks are shared out: nothing but a message of its own network is on one, and none is left empty.
static void test_lanes_shared_out(void **state)
{
	static struct list l;
	uint32_t lane[LIST_MOST], network[LIST_MOST], n_lanes, on[4] = {0};
	(void)state;
	random_list(&l, "mesh:4x5", 300, 7);
	struct loom_routes routes = block(&l);
	assert_int_equal(loom_routes_give_lanes(lane, &n_lanes, &routes, &l.topo, 4, NULL), 0);
	assert_int_equal(loom_virtual_networks_of(network, &routes, &l.topo, NULL), 0);
	assert_int_equal(n_lanes, 4);
	for (size_t i = 0; i < l.n; i++) {
		assert_int_equal(lane[i] / 2, network[i]);
		on[lane[i]]++;
	}
	for (size_t v = 0; v < 4; v++)
		assert_true(on[v] > 30);
	loom_routes_free(&routes);
	// All messages in one network: it has all lanes.
	l.n = 0;
	for (uint32_t i = 0; i < 9; i++)
		l.messages[l.n++] = (struct loom_message){.source = i % 3, .destination = 17 + i / 3, .flits = 9};
	l.messages[0].destination = l.messages[0].source;
	routes = block(&l);
	assert_int_equal(loom_routes_give_lanes(lane, &n_lanes, &routes, &l.topo, 2, NULL), 0);
	assert_int_equal(n_lanes, 2);
	struct loom_err err = {0};
	assert_int_equal(loom_routes_give_lanes(lane, &n_lanes, &routes, &l.topo, 0, &err), LOOM_EINPUT);
	assert_int_equal(loom_routes_give_lanes(lane, &n_lanes, &routes, &l.topo, 33, &err), LOOM_EINPUT);
	assert_non_null(strstr(err.text, "33 lanes"));
	loom_routes_free(&routes);
}

// Shortest routes of the same messages, without a circle; what fitted before is left alone.
static void test_fit_lanes(void **state)
{
	static struct list l;
	uint32_t lane[LIST_MOST], given[LIST_MOST], n_lanes, n_given;
	unsigned n_changed = 0, n_refused = 0;
	(void)state;
	for (unsigned round = 0; round < 180; round++) {
		static const char *const nets[] = {"mesh:4x5",     "mesh:3x3x3", "cube:4", "line:7",   "cube:5",
		                                   "mesh:2x2x2x3", "torus:4x4",  "ring:9", "torus:5x3"};
		struct loom_err err = {0};
		uint32_t most = UINT32_C(1) << round / 9 % 3;
		random_list(&l, nets[round % 9], 20 + 2 * round, round);
		struct loom_routes routes = block(&l), before = block(&l);
		assert_int_equal(loom_routes_give_lanes(given, &n_given, &routes, &l.topo, most, &err), 0);
		assert_int_equal(
			loom_routes_fit_lanes(&routes, lane, &n_lanes,
		                              &(struct loom_lanes_task){&l.topo, l.messages, LOOM_LOAD_MESSAGES, most},
		                              &err),
			0);
		if (loom_routes_check(&routes, &l.topo, l.messages, l.n, &err) != 0)
			fail_msg("%s", err.text);
		assert_memory_equal(routes.first, before.first, (l.n + 1) * sizeof *routes.first);
		bool changed = memcmp(routes.channel, before.channel, routes.first[l.n] * sizeof *routes.channel) != 0;
		if (changed)
			assert_true(n_given > most);
		bool rings = l.topo.kind->wraps;
		if (n_lanes <= most) {
			assert_true(count_lanes(lane, l.n) <= most);
			assert_false(can_lock(&l, &routes, lane, most));
		} else if (!rings || most == 4 || l.topo.n_dims < most) {
			fail_msg("%s does not fit %" PRIu32 " lanes", l.topo.name, most);
		}
		n_refused += n_lanes > most;
		n_changed += changed;
		loom_routes_free(&routes);
		loom_routes_free(&before);
	}
	assert_true(n_changed > 20 && n_refused > 5);
}

// --- Tables --------------------------------------------------------------------------------------------------------------

static void test_tables_are_the_routes(void **state)
{
	static struct list l;
	static uint32_t network[LIST_MOST];
	(void)state;
	for (unsigned round = 0; round < 5 * FABRICS; round++) {
		struct loom_route_tables tables;
		struct loom_err err = {0};
		random_list(&l, fabrics[round % FABRICS], 1 + round * 3, round);
		struct loom_routes routes = block(&l);
		assert_int_equal(loom_virtual_networks_of(network, &routes, &l.topo, NULL), 0);
		uint32_t n_networks = loom_virtual_networks_count(&l.topo);
		if (loom_route_tables_make(
			    &tables,
			    &(struct loom_tables_task){&routes, &l.topo, l.messages, network, n_networks, 1000},
			    &err) != 0 ||
		    loom_route_tables_check(&tables, &routes, &l.topo, l.messages, &err) != 0)
			fail_msg("%s: %s", l.topo.name, err.text);
		size_t n_entries = 0;
		for (size_t k = 0; k < (size_t)n_networks * tables.n_labels * tables.n_nodes; k++)
			n_entries += tables.port[k] != LOOM_PORT_NONE;
		assert_int_equal(n_entries, tables.n_entries);
		// One entry is changed: a message that passes there finds it.
		size_t i = round % l.n;
		uint8_t *port =
			&tables.port[(size_t)(tables.network[i] * tables.n_labels + tables.label[i]) * tables.n_nodes +
		                     l.messages[i].source];
		*port ^= 1;
		assert_int_equal(loom_route_tables_check(&tables, &routes, &l.topo, l.messages, &err), LOOM_EINPUT);
		assert_non_null(strstr(err.text, "the table of node"));
		loom_route_tables_free(&tables);
		loom_routes_free(&routes);
	}
}

// With the labels that were given they are the same tables; with two messages on one label that part they are refused.
static void test_given_labels(void **state)
{
	static struct list l;
	(void)state;
	for (unsigned round = 0; round < 3 * FABRICS; round++) {
		struct loom_route_tables tables, again;
		struct loom_err err = {0};
		random_list(&l, fabrics[round % FABRICS], 2 + round * 5, round);
		struct loom_routes routes = block(&l);
		assert_int_equal(
			loom_route_tables_make(
				&tables, &(struct loom_tables_task){&routes, &l.topo, l.messages, NULL, 1, 1000}, NULL),
			0);
		if (loom_route_tables_of_labels(&again,
		                                &(struct loom_tables_task){&routes, &l.topo, l.messages, NULL, 1, 1000},
		                                tables.label, &err) != 0)
			fail_msg("%s: %s", l.topo.name, err.text);
		for (size_t k = 0; k < (size_t)again.n_labels * again.n_nodes; k++)
			assert_true(again.port[k] == tables.port[k] || again.port[k] == LOOM_PORT_NONE);
		for (size_t i = 0; i < l.n; i++)
			assert_true(again.label[i] == tables.label[i] ||
			            l.messages[i].source == l.messages[i].destination);
		loom_route_tables_free(&again);
		if (tables.n_labels > 1) {
			uint32_t most = tables.n_labels - 1;
			assert_int_equal(
				loom_route_tables_of_labels(
					&again, &(struct loom_tables_task){&routes, &l.topo, l.messages, NULL, 1, most},
					tables.label, &err),
				LOOM_EFIT);
			assert_non_null(strstr(err.text, "a router's table has room for labels 0.."));
			memset(tables.label, 0, l.n * sizeof *tables.label);
			assert_int_equal(
				loom_route_tables_of_labels(
					&again, &(struct loom_tables_task){&routes, &l.topo, l.messages, NULL, 1, 1000},
					tables.label, &err),
				LOOM_EINPUT);
			assert_non_null(strstr(err.text, "goes on by another link where they meet"));
		}
		loom_route_tables_free(&tables);
		loom_routes_free(&routes);
	}
}

// All to one node, and from one node to all: routes that join are one label, those that part are not.
static void test_labels_are_shared(void **state)
{
	static struct list l;
	struct loom_route_tables tables;
	struct loom_routes routes;
	struct loom_err err = {0};
	(void)state;
	list_on(&l, "mesh:4x4");
	for (uint32_t u = 0; u < 16; u++)
		list_add(&l, u, 5, 1);
	assert_int_equal(loom_routes_in_order(&routes, &l.topo, l.messages, l.n, LOOM_RULE_ASCENDING, NULL), 0);
	assert_int_equal(loom_route_tables_make(
				 &tables, &(struct loom_tables_task){&routes, &l.topo, l.messages, NULL, 1, 1}, NULL),
	                 0);
	assert_int_equal(tables.n_labels, 1);
	assert_int_equal(tables.n_entries, 16);
	loom_route_tables_free(&tables);
	loom_routes_free(&routes);

	list_on(&l, "mesh:4x4");
	for (uint32_t u = 0; u < 16; u++)
		list_add(&l, 5, u, 1);
	assert_int_equal(loom_routes_in_order(&routes, &l.topo, l.messages, l.n, LOOM_RULE_ASCENDING, NULL), 0);
	assert_int_equal(loom_route_tables_make(
				 &tables, &(struct loom_tables_task){&routes, &l.topo, l.messages, NULL, 1, 16}, NULL),
	                 0);
	assert_int_equal(tables.n_labels, 16); // all leave the same node
	loom_route_tables_free(&tables);
	assert_int_equal(loom_route_tables_make(
				 &tables, &(struct loom_tables_task){&routes, &l.topo, l.messages, NULL, 1, 10}, &err),
	                 LOOM_EFIT);
	assert_non_null(strstr(err.text, "16 messages need 16 labels"));
	assert_non_null(strstr(err.text, "room for 10: 10 of the messages fit"));
	loom_routes_free(&routes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_how_many),
		cmocka_unit_test(test_a_square),
		cmocka_unit_test(test_no_circles),
		cmocka_unit_test(test_not_minimal),
		cmocka_unit_test(test_tables_are_the_routes),
		cmocka_unit_test(test_labels_are_shared),
		cmocka_unit_test(test_give_lanes),
		cmocka_unit_test(test_lanes_shared_out),
		cmocka_unit_test(test_fit_lanes),
		cmocka_unit_test(test_given_labels),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
