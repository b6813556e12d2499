// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Routes on networks whose coordinates are forgotten, meshes, tori and cubes, are what they are with them; and what is kept of
// routes on few lanes.
#include <flitloom/routes/routes.h>

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <flitloom/routes/virtual_networks.h>

#include "plan/routes/region.h"
#include "unit/help/message_list.h"
#include "unit/help/some_nets.h"

#define MESSAGES_MOST 64

static void set_both(struct list *with, struct list *without, struct loom_topo_kind *kind, const char *name)
{
	struct loom_err err = {0};
	if (loom_topo_parse(&with->topo, name, &err) != 0)
		fail_msg("%s", err.text);
	without->topo = with->topo;
	*kind = *with->topo.kind;
	kind->router = LOOM_ROUTER_TABLE;
	kind->spare_label_bits = 0;
	without->topo.kind = kind;
	assert_true(loom_region_is_box(&with->topo, 0));
	assert_false(loom_region_is_box(&without->topo, 0));
}

static void mark(void *user, uint32_t channel)
{
	((uint8_t *)user)[channel] = 1;
}

// Marks the links of all minimal routes; if both ways round a ring are equally long, those of both.
static void mark_all(uint8_t *marked, const struct list *l, struct loom_region *region, size_t i)
{
	uint32_t ties = loom_region_ties(region, &l->messages[i]), ways = ties;
	memset(marked, 0, loom_topo_channels(&l->topo));
	do {
		loom_region_set(region, &l->messages[i], ways);
		loom_region_visit(region, mark, marked);
		ways = (ways - 1) & ties;
	} while (ways != ties);
}

static const char *const networks[] = {"mesh:4x5", "mesh:3x2x4", "line:9", "cube:4",     "torus:5x3",
                                       "ring:7",   "torus:4x4",  "ring:8", "torus:2x6x3"};
#define HAS_TIES(name)                                                                                                 \
	(strcmp(name, "torus:4x4") == 0 || strcmp(name, "ring:8") == 0 || strcmp(name, "torus:2x6x3") == 0)

static void test_same_links(void **state)
{
	static struct list with, without;
	static uint8_t a[4096], b[4096];
	(void)state;
	for (size_t k = 0; k < sizeof networks / sizeof networks[0]; k++) {
		struct loom_topo_kind kind;
		struct loom_region box, distances;
		random_start(k);
		set_both(&with, &without, &kind, networks[k]);
		list_fill(&with, MESSAGES_MOST, true);
		list_fill(&without, 0, true);
		memcpy(without.messages, with.messages, sizeof with.messages);
		without.n = with.n;
		assert_int_equal(loom_region_init(&box, &with.topo, with.messages, with.n, 0, NULL), 0);
		assert_int_equal(loom_region_init(&distances, &without.topo, without.messages, without.n, 0, NULL), 0);
		for (size_t i = 0; i < with.n; i++) {
			mark_all(a, &with, &box, i);
			mark_all(b, &without, &distances, i);
			assert_int_equal(loom_region_hops(&box), loom_region_hops(&distances));
			if (memcmp(a, b, loom_topo_channels(&with.topo)) != 0)
				fail_msg("%s: other links from %" PRIu32 " to %" PRIu32, networks[k],
				         with.messages[i].source, with.messages[i].destination);
		}
		loom_region_free(&box);
		loom_region_free(&distances);
	}
}

// BLOCK's routes are the same ones, link for link, where no ring can be gone half-way round.
static void test_same_block(void **state)
{
	static struct list with, without;
	(void)state;
	for (unsigned round = 0; round < 60; round++) {
		const char *name = networks[round % (sizeof networks / sizeof networks[0])];
		enum loom_load_unit load = round % 2 ? LOOM_LOAD_FLITS : LOOM_LOAD_MESSAGES;
		struct loom_topo_kind kind;
		struct loom_routes a, b;
		if (HAS_TIES(name))
			continue;
		random_start(100 + round);
		set_both(&with, &without, &kind, name);
		list_fill(&with, 1 + random_below(MESSAGES_MOST), random_below(2));
		memcpy(without.messages, with.messages, sizeof with.messages);
		without.n = with.n;
		assert_int_equal(loom_routes_block(&a, &with.topo, with.messages, with.n, load, NULL), 0);
		assert_int_equal(loom_routes_block(&b, &without.topo, with.messages, with.n, load, NULL), 0);
		assert_memory_equal(a.first, b.first, (a.n + 1) * sizeof *a.first);
		assert_memory_equal(a.channel, b.channel, a.first[a.n] * sizeof *a.channel);
		loom_routes_free(&a);
		loom_routes_free(&b);
	}
}

static void test_same_loads(void **state)
{
	static struct list with, without;
	unsigned n = 0, n_same = 0;
	(void)state;
	for (unsigned round = 0; round < 45; round++) {
		const char *name = networks[round % (sizeof networks / sizeof networks[0])];
		const struct loom_routes_options options = {.load = round % 2 ? LOOM_LOAD_FLITS : LOOM_LOAD_MESSAGES,
		                                            .seed = round,
		                                            .budget_seconds = 0.05};
		struct loom_topo_kind kind;
		random_start(200 + round);
		set_both(&with, &without, &kind, name);
		list_fill(&with, 1 + random_below(40), random_below(2));
		memcpy(without.messages, with.messages, sizeof with.messages);
		without.n = with.n;
		struct loom_routes_found a = list_reroute(&with, &options), b = list_reroute(&without, &options);
		if (a.lower_bound > b.contention || b.lower_bound > a.contention)
			fail_msg("%s, round %u: a bound %" PRIu64 " and %" PRIu64 " that is not one", name, round,
			         a.lower_bound, b.lower_bound);
		n++;
		n_same += a.contention == b.contention && a.lower_bound == b.lower_bound;
	}
	assert_true(n_same * 10 >= n * 9);
}

static bool same_route(const struct loom_routes *a, const struct loom_routes *b, size_t i)
{
	size_t n = a->first[i + 1] - a->first[i];
	return n == b->first[i + 1] - b->first[i] &&
	       memcmp(a->channel + a->first[i], b->channel + b->first[i], n * sizeof *a->channel) == 0;
}

// On however few lanes there is no circle, each message has one of its two routes, and what goes the usual way could not go the
// other one; with lanes enough all do.
static void test_keep_lanes(void **state)
{
	static struct list l;
	static uint32_t lane[MESSAGES_MOST], of_link[MESSAGES_MOST * 40];
	size_t n_kept[3] = {0}, n_all = 0;
	(void)state;
	for (unsigned round = 0; round < 90; round++) {
		static const uint32_t lanes[] = {1, 2, 40};
		const struct loom_routes_options options = {.detours = round % 3, .seed = round};
		struct loom_err err = {0};
		random_start(2000 + round);
		if (loom_topo_parse(&l.topo, "mesh:4x5", &err) != 0)
			fail_msg("%s", err.text);
		list_fill(&l, MESSAGES_MOST, true);
		for (unsigned k = 0; k < 3; k++) {
			struct loom_routes usual, chosen, routes;
			struct loom_lane_circle circle;
			assert_int_equal(
				loom_routes_in_order(&usual, &l.topo, l.messages, l.n, LOOM_RULE_ASCENDING, &err), 0);
			assert_int_equal(loom_routes_reroute(&chosen, NULL, &l.topo, l.messages, l.n, &options, &err),
			                 0);
			assert_int_equal(loom_routes_reroute(&routes, NULL, &l.topo, l.messages, l.n, &options, &err),
			                 0);
			memset(lane, 0, sizeof lane);
			assert_int_equal(loom_routes_keep_lanes(&routes, lane, &usual, lanes[k], &l.topo, &err), 0);
			(void)list_contention(&l, &routes, LOOM_LOAD_MESSAGES);
			for (size_t i = 0; i < l.n; i++) {
				bool is_kept = same_route(&routes, &chosen, i);
				assert_true(is_kept || (lane[i] == 0 && same_route(&routes, &usual, i)));
				assert_true(lane[i] < lanes[k]);
				n_kept[k] += is_kept;
				for (size_t at = routes.first[i]; at < routes.first[i + 1]; at++)
					of_link[at] = lane[i];
			}
			assert_int_equal(loom_lane_circle_find(&circle, &routes, of_link, lanes[k], &l.topo, &err), 0);
			if (circle.n)
				fail_msg("round %u: a circle on %" PRIu32 " lanes", round, lanes[k]);
			loom_routes_free(&usual);
			loom_routes_free(&chosen);
			loom_routes_free(&routes);
		}
		n_all += l.n;
	}
	if (n_kept[2] != n_all || n_kept[1] * 10 < n_all * 9 || n_kept[0] < n_all / 2 || n_kept[0] == n_all)
		fail_msg("of %zu routes %zu, %zu and %zu kept", n_all, n_kept[0], n_kept[1], n_kept[2]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_links),
		cmocka_unit_test(test_same_block),
		cmocka_unit_test(test_same_loads),
		cmocka_unit_test(test_keep_lanes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
