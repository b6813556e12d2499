// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Lanes of chosen routes, route by route against a slow version that knows nothing but channels.
#include <flitloom/routes/graph.h>
#include <flitloom/routes/virtual_networks.h>

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reference/ref_lanes.h"
#include "base/rng.h"
#include "unit/help/message_list.h"
#include "unit/help/random_graphs.h"

enum { MOST = 320, LINKS_MOST = 64 }; // messages of a list, links of a route

// Messages and their routes, as the library and as the reference have them.
struct scene {
	struct list l;
	struct loom_routes routes;
	struct ref_lane_route way[MOST];
	uint32_t n_channels;
	uint32_t wanted[MOST]; // the lanes that the reference gives
	uint32_t n_wanted;
};

static void see_ways(struct scene *s)
{
	s->n_channels = loom_topo_channels(&s->l.topo);
	for (size_t i = 0; i < s->l.n; i++)
		s->way[i] = (struct ref_lane_route){.channel = s->routes.channel + s->routes.first[i],
		                                    .n = s->routes.first[i + 1] - s->routes.first[i]};
}

// Draws a route of random steps, none to a node that it has passed; with `nearer` each leads nearer. Returns its
// length; 0: a dead end.
static size_t random_route(uint32_t *channel, const struct loom_topo *t, uint32_t from, uint32_t to, bool nearer,
                           struct loom_rng *rng)
{
	bool passed[256] = {false};
	size_t n = 0;
	for (uint32_t at = from, v; at != to; at = v) {
		unsigned p, q, tries = 0;
		passed[at] = true;
		do {
			p = (unsigned)loom_rng_below(rng, loom_topo_links(t));
			if (++tries == 200 || n == LINKS_MOST)
				return 0;
		} while (!t->kind->link(t, at, p, &v, &q) || passed[v] ||
		         (nearer && v != to &&
		          loom_route_length(t, v, to, LOOM_RULE_ASCENDING) >=
		                  loom_route_length(t, at, to, LOOM_RULE_ASCENDING)));
		channel[n++] = at * loom_topo_channels_per_tile(t) + p;
	}
	return n;
}

// The ways in which routes are made.
enum ways { SHORTEST, ANY, IN_ORDER, WAYS };

static void random_scene(struct scene *s, size_t n, enum ways ways, struct loom_rng *rng)
{
	uint32_t channel[LINKS_MOST];
	s->l.n = 0;
	s->routes = (struct loom_routes){
		.n = n, .first = calloc(n + 1, sizeof *s->routes.first), .channel = malloc(n * sizeof channel + 1)};
	assert_true(n <= MOST && s->routes.first && s->routes.channel);
	for (size_t *end = s->routes.first; s->l.n < n;) {
		uint32_t from = (uint32_t)loom_rng_below(rng, s->l.topo.n_nodes);
		uint32_t to = (uint32_t)loom_rng_below(rng, s->l.topo.n_nodes);
		size_t length = random_route(channel, &s->l.topo, from, to, ways == SHORTEST, rng);
		if (length == 0 && from != to)
			continue;
		list_add(&s->l, from, to, 1 + (uint32_t)loom_rng_below(rng, 60));
		memcpy(s->routes.channel + *end, channel, length * sizeof *channel);
		end[1] = *end + length;
		end++;
	}
	if (ways == IN_ORDER) {
		loom_routes_free(&s->routes);
		assert_int_equal(
			loom_routes_in_order(&s->routes, &s->l.topo, s->l.messages, n, LOOM_RULE_ASCENDING, NULL), 0);
	}
	assert_int_equal(loom_routes_check(&s->routes, &s->l.topo, s->l.messages, n, NULL), 0);
	see_ways(s);
}

// --- Lanes given ---------------------------------------------------------------------------------------------------------

static uint32_t count(const uint32_t *lane, size_t n)
{
	uint32_t most = 0;
	for (size_t i = 0; i < n; i++)
		most = lane[i] > most ? lane[i] : most;
	return most + 1;
}

// The number of each route's virtual network, of those that have links in use; without links 0. How many are in use; 0: these
// routes are in no networks.
static uint32_t networks_in_use(uint32_t *number, const struct scene *s)
{
	uint32_t network[MOST], n_used = 0;
	if (loom_virtual_lanes_count(&s->l.topo) != loom_virtual_networks_count(&s->l.topo) ||
	    loom_virtual_networks_of(network, &s->routes, &s->l.topo, NULL) != 0)
		return 0;
	memset(number, 0, s->l.n * sizeof *number);
	for (uint32_t k = 0; k < loom_virtual_networks_count(&s->l.topo); k++) {
		bool in_use = false;
		for (size_t i = 0; i < s->l.n; i++)
			if (s->way[i].n != 0 && network[i] == k) {
				number[i] = n_used;
				in_use = true;
			}
		n_used += in_use;
	}
	return n_used ? n_used : 1;
}

static unsigned coordinate(const struct loom_topo *t, uint32_t node, unsigned dimension)
{
	for (unsigned d = 0; d < dimension; d++)
		node /= t->extent[d];
	return node % t->extent[dimension];
}

// Finds the rings' ends that each route leads round, a bit for each ring; false: one is not in dimension order.
static bool ends_of(uint32_t *lane, const struct scene *s)
{
	const struct loom_topo *t = &s->l.topo;
	for (size_t i = 0; i < s->l.n; i++) {
		unsigned last = 0;
		lane[i] = 0;
		for (size_t k = 0; k < s->way[i].n; k++) {
			uint32_t from = s->way[i].channel[k] / loom_topo_channels_per_tile(t), to;
			unsigned d = 0, ring = 0, back;
			assert_true(t->kind->link(t, from, s->way[i].channel[k] % loom_topo_channels_per_tile(t), &to,
			                          &back));
			for (; coordinate(t, from, d) == coordinate(t, to, d); d++)
				ring += t->extent[d] > 2;
			if (d < last)
				return false;
			last = d;
			unsigned a = coordinate(t, from, d), b = coordinate(t, to, d);
			if (t->extent[d] > 2 && a + 1 != b && b + 1 != a)
				lane[i] |= UINT32_C(1) << ring;
		}
	}
	return true;
}

static bool locks(const struct scene *s, const uint32_t *lane)
{
	bool out = true;
	assert_int_equal(ref_lanes_lock(&out, s->way, lane, s->l.n, s->n_channels), 0);
	return out;
}

// The way to give lanes that was taken, one of those in the header.
enum taken { BY_NETWORKS, ONE_LANE, EVENLY, BY_ENDS, FIRST_FIT, OWN_NETWORKS, N_TAKEN };

static enum taken want(struct scene *s, uint32_t most)
{
	uint32_t number[MOST], ends[MOST], first[MOST], n_networks = networks_in_use(number, s);
	size_t n = s->l.n;
	bool done;
	enum taken taken = EVENLY;
	if (n_networks != 0 && n_networks <= most) {
		for (size_t i = 0; i < n; i++)
			first[i] = number[i] * (most / n_networks);
		assert_int_equal(ref_lanes_even(&done, s->wanted, s->way, first, most / n_networks, n, s->n_channels),
		                 0);
		assert_true(done); // no circle in a network
		s->n_wanted = count(s->wanted, n);
		return BY_NETWORKS;
	}
	assert_int_equal(ref_lanes_even(&done, s->wanted, s->way, NULL, most, n, s->n_channels), 0);
	if (done && most == 1)
		taken = ONE_LANE;
	if (!done && s->l.topo.kind->wraps && ends_of(ends, s) && count(ends, n) <= most && !locks(s, ends)) {
		memcpy(s->wanted, ends, n * sizeof *ends);
		taken = BY_ENDS;
	} else if (!done) {
		assert_int_equal(ref_lanes_first_fit(s->wanted, &s->n_wanted, s->way, n, s->n_channels), 0);
		taken = FIRST_FIT;
	}
	s->n_wanted = count(s->wanted, n);
	if (n_networks != 0 && s->n_wanted > n_networks) {
		memcpy(s->wanted, number, n * sizeof *number);
		s->n_wanted = n_networks;
		taken = OWN_NETWORKS;
	}
	return taken;
}

static enum taken compare_given(struct scene *s, uint32_t most, unsigned round)
{
	uint32_t lane[MOST], n_lanes = 0;
	struct loom_err err = {0};
	enum taken taken = want(s, most);
	if (loom_routes_give_lanes(lane, &n_lanes, &s->routes, &s->l.topo, most, &err) != 0)
		fail_msg("round %u: %s", round, err.text);
	if (locks(s, lane))
		fail_msg("round %u: %zu routes on %s lock on %" PRIu32 " of %" PRIu32 " lanes", round, s->l.n,
		         s->l.topo.name, n_lanes, most);
	assert_int_equal(n_lanes, count(lane, s->l.n));
	if (n_lanes != s->n_wanted || memcmp(lane, s->wanted, s->l.n * sizeof *lane) != 0)
		fail_msg("round %u: %zu routes on %s have %" PRIu32 " lanes, not %" PRIu32
		         " (way %d), or others of these; %" PRIu32 " were there",
		         round, s->l.n, s->l.topo.name, n_lanes, s->n_wanted, (int)taken, most);
	return taken;
}

static const char *const fabrics[] = {
	"mesh:4x5", "mesh:3x3x3",   "torus:4x4", "torus:3x5", "torus:2x4x3", "cube:3", "ring:9",   "line:7",
	"mesh:1x6", "mesh:2x2x2x2", "ring:4",    "torus:5x1", "torus:3x3x3", "ring:6", "mesh:6x7", "cube:4"};
enum { FABRICS = sizeof fabrics / sizeof fabrics[0] };

static void test_given(void **state)
{
	static struct scene s;
	unsigned n_taken[N_TAKEN] = {0};
	(void)state;
	for (unsigned round = 0; round < 400; round++) {
		static const uint32_t lanes[] = {1, 2, 3, 4, 5, 8};
		struct loom_rng rng;
		loom_rng_init(&rng, 2600 + round);
		list_on(&s.l, fabrics[round % FABRICS]);
		size_t n = round % 11 == 0 ? 150 + loom_rng_below(&rng, 260 - 150) : loom_rng_below(&rng, 40);
		random_scene(&s, n, (enum ways)loom_rng_below(&rng, WAYS), &rng);
		n_taken[compare_given(&s, lanes[loom_rng_below(&rng, 6)], round)]++;
		loom_routes_free(&s.routes);
	}
	for (unsigned k = 0; k < N_TAKEN; k++)
		if (k != BY_ENDS && k != OWN_NETWORKS && n_taken[k] < 5)
			fail_msg("way %u was taken %u times", k, n_taken[k]);
}

// Many messages round a ring: one after the other they fit no two lanes.
static void test_given_by_ends(void **state)
{
	static struct scene s;
	unsigned n_taken[N_TAKEN] = {0};
	(void)state;
	for (unsigned round = 0; round < 30; round++) {
		static const char *const nets[] = {"ring:12", "ring:9", "torus:8x1", "ring:6", "torus:7x2"};
		struct loom_rng rng;
		loom_rng_init(&rng, 300 + round);
		list_on(&s.l, nets[round % 5]);
		random_scene(&s, 80 + loom_rng_below(&rng, 80), round % 4 == 3 ? ANY : IN_ORDER, &rng);
		n_taken[compare_given(&s, 2, round)]++;
		loom_routes_free(&s.routes);
	}
	assert_true(n_taken[BY_ENDS] > 10 && n_taken[EVENLY] > 2 && n_taken[FIRST_FIT] > 2);
}

// Routes that turn everywhere: one after the other they need more lanes than there are networks.
static void test_given_own_networks(void **state)
{
	static struct scene s;
	unsigned n_taken[N_TAKEN] = {0};
	(void)state;
	for (unsigned round = 0; round < 12; round++) {
		static const char *const nets[] = {"mesh:4x5", "mesh:6x7", "mesh:3x12"};
		struct loom_rng rng;
		loom_rng_init(&rng, 500 + round);
		list_on(&s.l, nets[round % 3]);
		random_scene(&s, MOST, SHORTEST, &rng);
		n_taken[compare_given(&s, 1, round)]++;
		loom_routes_free(&s.routes);
	}
	assert_true(n_taken[OWN_NETWORKS] > 2);
}

static void test_given_on_graphs(void **state)
{
	static struct scene s;
	unsigned n_taken[N_TAKEN] = {0};
	(void)state;
	for (unsigned round = 0; round < 150; round++) {
		struct loom_graph_wires wires;
		struct loom_err err = {0};
		struct loom_rng rng;
		loom_rng_init(&rng, 900 + round);
		random_graph(&wires, round, 4 + (uint32_t)loom_rng_below(&rng, 8), 6, 50);
		if (loom_topo_of_graph(&s.l.topo, "graph:random", &wires, 1, &err) != 0)
			fail_msg("%s", err.text);
		random_scene(&s, loom_rng_below(&rng, 60), ANY, &rng);
		n_taken[compare_given(&s, 1 + (uint32_t)loom_rng_below(&rng, 3), round)]++;
		loom_routes_free(&s.routes);
		loom_topo_free(&s.l.topo);
		loom_graph_wires_free(&wires);
	}
	assert_true(n_taken[EVENLY] > 20 && n_taken[FIRST_FIT] > 20);
}

// The fewest lanes there can be, by trying all: where one lane does one is given, and what is given is rarely more than need be.
static void test_fewest(void **state)
{
	static struct scene s;
	unsigned n_more = 0, n_rounds = 0, n_locked = 0;
	(void)state;
	for (unsigned round = 0; round < 250; round++) {
		static const char *const nets[] = {"ring:4", "mesh:2x2", "torus:3x3", "ring:5", "mesh:2x3"};
		uint32_t lane[MOST], n_lanes, fewest;
		struct loom_rng rng;
		loom_rng_init(&rng, 70 + round);
		list_on(&s.l, nets[round % 5]);
		random_scene(&s, 4 + loom_rng_below(&rng, 7), round % 3 ? ANY : SHORTEST, &rng);
		assert_int_equal(ref_lanes_fewest(&fewest, s.way, s.l.n, s.n_channels), 0);
		for (uint32_t most = 1; most <= 3; most++) {
			assert_int_equal(loom_routes_give_lanes(lane, &n_lanes, &s.routes, &s.l.topo, most, NULL), 0);
			assert_true(n_lanes >= fewest || n_lanes <= most);
			if (fewest == 1)
				assert_true(n_lanes <= most);
			n_more += n_lanes > most && n_lanes > fewest;
			n_rounds++;
		}
		n_locked += fewest > 1;
		loom_routes_free(&s.routes);
	}
	assert_true(n_locked > 40 && n_more * 50 < n_rounds);
}

// --- Routes that are given up ----------------------------------------------------------------------------------------------

static struct loom_routes copy_of(const struct loom_routes *r)
{
	struct loom_routes out = {.n = r->n,
	                          .first = malloc((r->n + 1) * sizeof *out.first),
	                          .channel = malloc(r->first[r->n] * sizeof *out.channel + 1)};
	assert_true(out.first && out.channel);
	memcpy(out.first, r->first, (r->n + 1) * sizeof *out.first);
	memcpy(out.channel, r->channel, r->first[r->n] * sizeof *out.channel);
	return out;
}

// The result of loom_routes_fit_lanes.
struct fitted {
	unsigned n_given_up;
	bool all_in_order, too_many_lanes;
};

static struct fitted compare_fitted(struct scene *s, uint32_t most, enum loom_load_unit load, unsigned round)
{
	uint32_t given[MOST], n_given, lane[MOST], n_lanes;
	bool given_up[MOST], possible = false;
	uint64_t weight[MOST];
	struct ref_lane_route usual[MOST];
	struct fitted out = {0};
	struct loom_routes before = copy_of(&s->routes), order;
	struct loom_err err = {0};
	assert_int_equal(loom_routes_in_order(&order, &s->l.topo, s->l.messages, s->l.n, LOOM_RULE_ASCENDING, NULL), 0);
	assert_int_equal(loom_routes_give_lanes(given, &n_given, &s->routes, &s->l.topo, most, NULL), 0);
	if (loom_routes_fit_lanes(&s->routes, lane, &n_lanes,
	                          &(struct loom_lanes_task){&s->l.topo, s->l.messages, load, most}, &err) != 0)
		fail_msg("round %u: %s", round, err.text);
	bool all = true;
	for (size_t i = 0; i < s->l.n; i++) {
		size_t at = before.first[i], n = before.first[i + 1] - at;
		assert_int_equal(s->routes.first[i + 1], before.first[i + 1]);
		usual[i] = (struct ref_lane_route){.channel = order.channel + at, .n = n};
		given_up[i] = memcmp(s->routes.channel + at, before.channel + at, n * sizeof *before.channel) != 0;
		bool is_usual = memcmp(s->routes.channel + at, usual[i].channel, n * sizeof *before.channel) == 0;
		if (given_up[i] && !is_usual)
			fail_msg("round %u: message %zu goes neither as chosen nor in order", round, i);
		all = all && is_usual;
		out.n_given_up += given_up[i];
		weight[i] = load == LOOM_LOAD_FLITS ? s->l.messages[i].flits : 1;
	}
	out.too_many_lanes = n_lanes > most;
	out.all_in_order = all;
	if (n_given <= most) {
		assert_int_equal(out.n_given_up, 0);
		assert_int_equal(n_lanes, n_given);
		assert_memory_equal(lane, given, s->l.n * sizeof *lane);
	} else if (n_lanes <= most && !all) { // some were given up, and each for a reason
		for (size_t i = 0; i < s->l.n; i++) {
			given[i] = given[i] < most ? given[i] : most - 1;
			s->way[i].channel = before.channel + before.first[i];
		}
		assert_int_equal(n_lanes, most);
		assert_memory_equal(lane, given, s->l.n * sizeof *lane);
		int rc =
			ref_lanes_can_give_up(&possible, s->way, usual, given, given_up, weight, s->l.n, s->n_channels);
		if (rc == 0 && !possible)
			fail_msg("round %u: %s, %" PRIu32 " lanes: %u routes were given up for no reason", round,
			         s->l.topo.name, most, out.n_given_up);
	} else {
		assert_true(all);
	}
	see_ways(s);
	if (locks(s, lane))
		fail_msg("round %u: %s locks on %" PRIu32 " lanes", round, s->l.topo.name, most);
	assert_true(count(lane, s->l.n) <= n_lanes);
	loom_routes_free(&before);
	loom_routes_free(&order);
	return out;
}

static void test_fitted(void **state)
{
	static struct scene s;
	unsigned n_changed = 0, n_refused = 0, n_alone = 0;
	(void)state;
	for (unsigned round = 0; round < 1100; round++) {
		struct loom_rng rng;
		loom_rng_init(&rng, 4100 + round);
		static const char *const nets[] = {"mesh:4x5", "torus:4x4",  "mesh:3x3",  "torus:3x5",
		                                   "cube:3",   "mesh:3x3x2", "torus:2x4", "ring:5",
		                                   "cube:4",   "mesh:2x2",   "ring:4"};
		list_on(&s.l, nets[round % 11]);
		random_scene(&s, 6 + loom_rng_below(&rng, 44), SHORTEST, &rng);
		struct fitted f = compare_fitted(&s, round % 3 == 2 ? 2 : 1,
		                                 round % 2 ? LOOM_LOAD_FLITS : LOOM_LOAD_MESSAGES, round);
		n_changed += f.n_given_up != 0;
		n_alone += f.n_given_up == 1;
		n_refused += f.too_many_lanes;
		loom_routes_free(&s.routes);
	}
	assert_true(n_changed > 100 && n_alone > 30 && n_refused > 20);
}

// Many routes on two lanes: what fits neither is on the last one.
static void test_fitted_on_two(void **state)
{
	static struct scene s;
	unsigned n_changed = 0;
	(void)state;
	for (unsigned round = 0; round < 16; round++) {
		static const char *const nets[] = {"mesh:4x4x4", "cube:5", "mesh:3x3x3", "torus:4x4"};
		struct loom_rng rng;
		loom_rng_init(&rng, 800 + round);
		list_on(&s.l, nets[round % 4]);
		random_scene(&s, MOST, SHORTEST, &rng);
		struct fitted f = compare_fitted(&s, 2, LOOM_LOAD_MESSAGES, round);
		n_changed += f.n_given_up != 0 && !f.all_in_order;
		loom_routes_free(&s.routes);
	}
	if (n_changed < 3)
		fail_msg("%u times routes were given up, and not all", n_changed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_given),
		cmocka_unit_test(test_given_by_ends),
		cmocka_unit_test(test_given_own_networks),
		cmocka_unit_test(test_given_on_graphs),
		cmocka_unit_test(test_fewest),
		cmocka_unit_test(test_fitted),
		cmocka_unit_test(test_fitted_on_two),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
