// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Chosen routes: against the vectors of [Zhong92], the slow reference, and what looking at everything finds.
#include <flitloom/routes/routes.h>

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "reference/ref_block.h"
#include "unit/help/message_list.h"
#include "plan/routes/freedom.h"
#include "unit/help/some_nets.h"

// --- Lists of messages ---------------------------------------------------------------------------------------------------

static void name_net(char out[40], const struct ref_net *net)
{
	static const char *const kinds[] = {"cube", "line", "ring", "mesh", "torus"};
	size_t used = (size_t)snprintf(out, 40, "%s:", kinds[net->kind]);
	if (net->kind == REF_CUBE)
		(void)snprintf(out + used, 40 - used, "%u", net->n_extents);
	for (unsigned d = net->n_extents; net->kind != REF_CUBE && d-- > 0;)
		used += (size_t)snprintf(out + used, 40 - used, "%u%s", net->extent[d], d ? "x" : "");
}

static void random_list(struct list *l, struct ref_net *net, unsigned n_most)
{
	char name[40];
	bool alike = random_below(2);
	random_net(net);
	name_net(name, net);
	list_on(l, name);
	for (unsigned n = random_below(n_most + 1); n > 0; n--)
		list_add(l, random_below(l->topo.n_nodes), random_below(l->topo.n_nodes),
		         alike ? 7 : 1 + random_below(99));
}

// Converts the list for the reference.
static void to_reference(struct ref_way *way, uint64_t *weight, const struct list *l, enum loom_load_unit load)
{
	for (size_t i = 0; i < l->n; i++) {
		way[i] = (struct ref_way){l->messages[i].source, l->messages[i].destination, REF_ASCENDING};
		weight[i] = load == LOOM_LOAD_FLITS ? l->messages[i].flits : 1;
	}
}

static uint64_t in_order(const struct list *l, enum loom_rule rule)
{
	struct loom_routes routes;
	assert_int_equal(loom_routes_in_order(&routes, &l->topo, l->messages, l->n, rule, NULL), 0);
	uint64_t out = list_contention(l, &routes, LOOM_LOAD_MESSAGES);
	loom_routes_free(&routes);
	return out;
}

static uint64_t block(const struct list *l, enum loom_load_unit load)
{
	struct loom_routes routes;
	assert_int_equal(loom_routes_block(&routes, &l->topo, l->messages, l->n, load, NULL), 0);
	uint64_t out = list_contention(l, &routes, load);
	loom_routes_free(&routes);
	return out;
}

// --- The vectors of [Zhong92] ------------------------------------------------------------------------------------------

static uint32_t node_at(const struct list *l, const json_t *message, size_t at)
{
	return (uint32_t)(json_integer_value(json_array_get(message, at)) +
	                  json_integer_value(json_array_get(message, at + 1)) * l->topo.extent[0]);
}

static void read_case(struct list *l, const json_t *item)
{
	char name[40];
	json_int_t x = json_integer_value(json_object_get(item, "X")),
		   y = json_integer_value(json_object_get(item, "Y"));
	const json_t *messages = json_object_get(item, "messages"), *message;
	size_t index;
	(void)snprintf(name, sizeof name, "mesh:%" JSON_INTEGER_FORMAT "x%" JSON_INTEGER_FORMAT, y, x);
	list_on(l, name);
	json_array_foreach(messages, index, message)
		list_add(l, node_at(l, message, 0), node_at(l, message, 2), 1);
	for (uint32_t i = 0; !messages && i < x; i++)
		for (uint32_t j = 0; j < x; j++)
			if (i != j)
				list_add(l, j * (uint32_t)x + i, i * (uint32_t)x + j, 1);
}

static void expect(const json_t *item, const char *key, uint64_t is)
{
	if ((uint64_t)json_integer_value(json_object_get(item, key)) != is)
		fail_msg("%s %s: %s is %" PRIu64,
		         json_string_value(json_object_get(item, "name"))
		                 ? json_string_value(json_object_get(item, "name"))
		                 : "a list",
		         key, key, is);
}

static void test_golden(void **state)
{
	const char *folder = getenv("LOOM_GOLDEN");
	char path[512];
	static struct list l;
	json_error_t at;
	(void)state;
	(void)snprintf(path, sizeof path, "%s/004_block.json", folder ? folder : "tests/golden");
	json_t *root = json_load_file(path, 0, &at), *item;
	size_t index;
	assert_non_null(root);
	json_array_foreach(json_object_get(root, "cases"), index, item) {
		read_case(&l, item);
		expect(item, "XY", in_order(&l, LOOM_RULE_ASCENDING));
		expect(item, "YX", in_order(&l, LOOM_RULE_DESCENDING));
		expect(item, "BLOCK", block(&l, LOOM_LOAD_MESSAGES));
		struct loom_routes_found found = list_reroute(&l, &(struct loom_routes_options){.seed = 1});
		expect(item, "best_known", found.contention);
		expect(item, "lower_bound", found.lower_bound);
	}
	assert_true(index > 19);
	json_decref(root);
}

// Gaussian elimination on 8 columns of 4 nodes, a task a node, each sending to all after it.
static void test_gaussian(void **state)
{
	static struct list l;
	(void)state;
	list_on(&l, "mesh:4x8");
	for (uint32_t i = 0; i < 31; i++)
		for (uint32_t j = i + 1; j < 31; j++)
			list_add(&l, i, j, 1);
	assert_int_equal(in_order(&l, LOOM_RULE_ASCENDING), 60);
	assert_int_equal(block(&l, LOOM_LOAD_MESSAGES), 39);
	struct loom_routes_found found = list_reroute(&l, &(struct loom_routes_options){.seed = 1});
	assert_int_equal(found.contention, 36);
	assert_int_equal(found.lower_bound, 36);
}

// A few of the random sets of which `bench_planners` has a hundred.
static void test_uniform(void **state)
{
	static struct list l;
	uint64_t sum[2] = {0, 0};
	(void)state;
	for (uint64_t seed = 1; seed <= 4; seed++) {
		list_on(&l, "mesh:15x15");
		list_add_random(&l, 500, 99, seed);
		sum[0] += list_reroute(&l, &(struct loom_routes_options){.seed = seed}).contention;
		list_on(&l, "mesh:20x20");
		list_add_random(&l, 500, 99, seed);
		sum[1] += list_reroute(&l, &(struct loom_routes_options){.seed = seed}).contention;
	}
	assert_true(sum[0] <= 4 * 10 && sum[1] <= 4 * 8);
}

// --- The reference -----------------------------------------------------------------------------------------------------

// Route by route.
static void test_block_is_the_reference(void **state)
{
	static struct list l;
	static struct ref_way way[200];
	static uint64_t weight[200];
	static size_t channel[200 * REF_BLOCK_NODES], length[200];
	struct ref_net net;
	(void)state;
	for (unsigned round = 0; round < 200; round++) {
		enum loom_load_unit load = round % 2 ? LOOM_LOAD_FLITS : LOOM_LOAD_MESSAGES;
		struct loom_routes routes;
		uint64_t most = 0;
		random_start(round);
		random_list(&l, &net, 100);
		to_reference(way, weight, &l, load);
		assert_int_equal(ref_block(channel, length, &net, way, weight, l.n), 0);
		assert_int_equal(ref_routes_load(&most, channel, length, &net, way, weight, l.n), 0);
		assert_int_equal(loom_routes_block(&routes, &l.topo, l.messages, l.n, load, NULL), 0);
		for (size_t i = 0; i < l.n; i++) {
			size_t first = routes.first[i];
			if (routes.first[i + 1] - first != length[i])
				fail_msg("%s, seed %u: length of route %zu", l.topo.name, round, i);
			for (size_t k = 0; k < length[i]; k++)
				if (routes.channel[first + k] != channel[i * REF_BLOCK_NODES + k])
					fail_msg("%s, seed %u: route %zu, link %zu", l.topo.name, round, i, k);
		}
		assert_int_equal(list_contention(&l, &routes, load), most);
		loom_routes_free(&routes);
	}
}

// A bound is exactly what its prices prove, and no routes are below it.
static void test_bound_is_proved(void **state)
{
	static struct list l;
	static struct ref_way way[100];
	static uint64_t weight[100];
	static uint32_t price[CHANNELS_MAX * 4];
	struct ref_net net;
	(void)state;
	for (unsigned round = 0; round < 60; round++) {
		struct loom_routes_options options = {.load = round % 2 ? LOOM_LOAD_FLITS : LOOM_LOAD_MESSAGES,
		                                      .seed = round,
		                                      .budget_seconds = 0.05};
		uint64_t bound = 0, sum = 0, paid = 0, heaviest = 0;
		random_start(1000 + round);
		random_list(&l, &net, 60);
		to_reference(way, weight, &l, options.load);
		assert_true(loom_topo_channels(&l.topo) <= CHANNELS_MAX * 4);
		assert_int_equal(loom_routes_bound(&bound, price, &l.topo, l.messages, l.n, &options, NULL), 0);
		for (uint32_t c = 0; c < loom_topo_channels(&l.topo); c++) {
			assert_true(price[c] == 0 ||
			            (loom_topo_channel_exists(&l.topo, c) && !loom_topo_is_local(&l.topo, c)));
			sum += price[c];
		}
		for (size_t i = 0; i < l.n; i++) {
			paid += ref_cheapest(&net, way[i].source, way[i].destination, price) * weight[i];
			if (way[i].source != way[i].destination && weight[i] > heaviest)
				heaviest = weight[i];
		}
		uint64_t proved = sum ? (paid + sum - 1) / sum : 0;
		if (bound != (proved > heaviest ? proved : heaviest))
			fail_msg("%s, seed %u: bound %" PRIu64 ", its prices prove %" PRIu64, l.topo.name, round, bound,
			         proved);
		if (list_reroute(&l, &options).contention < bound)
			fail_msg("%s, seed %u: routes below the bound %" PRIu64, l.topo.name, round, bound);
	}
}

// Few messages: nothing is better than the best of all routes, and nearly always that is found.
static void test_against_all_routes(void **state)
{
	static struct list l;
	static struct ref_way way[8];
	static uint64_t weight[8];
	struct ref_net net;
	unsigned n_tried = 0, n_best = 0;
	(void)state;
	for (unsigned round = 0; round < 150; round++) {
		struct loom_routes_options options = {.load = round % 2 ? LOOM_LOAD_FLITS : LOOM_LOAD_MESSAGES,
		                                      .seed = round};
		random_start(2000 + round);
		random_list(&l, &net, 8);
		to_reference(way, weight, &l, options.load);
		uint64_t best = ref_best_routes(&net, way, weight, l.n, 100000);
		if (best == UINT64_MAX)
			continue;
		options.budget_seconds = 0.02;
		struct loom_routes_found found = list_reroute(&l, &options);
		if (found.contention < best || found.lower_bound > best)
			fail_msg("%s, seed %u: %" PRIu64 " and bound %" PRIu64 ", where %" PRIu64 " is best",
			         l.topo.name, round, found.contention, found.lower_bound, best);
		n_tried++;
		n_best += found.contention == best;
	}
	assert_true(n_tried > 100 && n_best * 100 >= n_tried * 98);
}

// --- The order of messages ---------------------------------------------------------------------------------------------

static void expect_order(const struct list *l, const uint32_t *wanted)
{
	struct loom_region region;
	uint32_t order[16];
	assert_int_equal(loom_region_init(&region, &l->topo, l->messages, l->n, 0, NULL), 0);
	assert_int_equal(loom_freedom_order(order, &region, l->messages, l->n, NULL), 0);
	for (size_t i = 0; i < l->n; i++)
		assert_int_equal(order[i], wanted[i]);
	loom_region_free(&region);
}

static void test_freedom(void **state)
{
	static struct list l;
	(void)state;
	list_on(&l, "mesh:32x32");
	list_add(&l, 0, 7 + 3 * 32, 1);  // C(10,3) = 120
	list_add(&l, 0, 2 + 14 * 32, 1); // C(16,2) = 120
	list_add(&l, 0, 5 + 5 * 32, 1);  // 252
	list_add(&l, 0, 31, 1);          // 1
	list_add(&l, 0, 0, 1);           // 1
	list_add(&l, 0, 1 + 31 * 32, 1); // 32
	expect_order(&l, (const uint32_t[]){3, 4, 5, 0, 1, 2});
	// Near each other, and above 2^900.
	list_on(&l, "mesh:1000x1000");
	list_add(&l, 0, 500 + 500 * 1000, 1);
	list_add(&l, 0, 501 + 499 * 1000, 1);
	list_add(&l, 999, 999 - 499 + 501 * 1000, 1);
	list_add(&l, 0, 499 + 500 * 1000, 1);
	expect_order(&l, (const uint32_t[]){3, 1, 2, 0});
	list_on(&l, "mesh:4x4x4");
	list_add(&l, 0, 63, 1);         // 9! / 6^3 = 1680
	list_add(&l, 0, 3 + 16 * 3, 1); // 20
	list_add(&l, 0, 1 + 4 + 16, 1); // 6
	expect_order(&l, (const uint32_t[]){2, 1, 0});
}

// --- Searching ---------------------------------------------------------------------------------------------------------

static void test_same_seed_same_routes(void **state)
{
	static struct list l;
	struct loom_routes a, b;
	const struct loom_routes_options options = {.seed = 5};
	(void)state;
	list_on(&l, "torus:6x6");
	list_add_random(&l, 200, 99, 3);
	assert_int_equal(loom_routes_reroute(&a, NULL, &l.topo, l.messages, l.n, &options, NULL), 0);
	assert_int_equal(loom_routes_reroute(&b, NULL, &l.topo, l.messages, l.n, &options, NULL), 0);
	assert_memory_equal(a.channel, b.channel, a.first[a.n] * sizeof *a.channel);
	loom_routes_free(&a);
	loom_routes_free(&b);
}

// Lengths in another unit are the same question: the load is that many times as large, and the routes are about as long, for what
// a detour costs goes by the messages' length.
static void test_any_unit(void **state)
{
	static struct list l;
	(void)state;
	for (unsigned seed = 0; seed < 6; seed++) {
		struct loom_routes small, large;
		struct loom_routes_found of_small, of_large;
		const struct loom_routes_options options = {
			.seed = seed, .load = LOOM_LOAD_FLITS, .detours = seed % 3, .most_steps = 3000000};
		list_on(&l, seed % 2 ? "mesh:5x5" : "torus:5x4");
		list_add_random(&l, 80, 1, seed);
		assert_int_equal(loom_routes_reroute(&small, &of_small, &l.topo, l.messages, l.n, &options, NULL), 0);
		for (size_t i = 0; i < l.n; i++)
			l.messages[i].flits *= 1000;
		assert_int_equal(loom_routes_reroute(&large, &of_large, &l.topo, l.messages, l.n, &options, NULL), 0);
		assert_int_equal(of_large.contention, 1000 * of_small.contention);
		assert_in_range(large.first[l.n] + 4, small.first[l.n], small.first[l.n] + 8);
		loom_routes_free(&small);
		loom_routes_free(&large);
	}
}

struct seen {
	unsigned n_asked, n_told;
	uint64_t contention, lower_bound;
};

static bool stop(void *user)
{
	struct seen *seen = user;
	seen->n_asked++;
	return true;
}

static void watch(void *user, uint64_t most, uint64_t bound)
{
	struct seen *seen = user;
	assert_true(seen->n_told == 0 || most < seen->contention || bound > seen->lower_bound);
	*seen = (struct seen){seen->n_asked, seen->n_told + 1, most, bound};
}

// A search that is stopped returns the best routes so far, for all messages.
static void test_stopped(void **state)
{
	static struct list l;
	struct seen seen = {0};
	(void)state;
	list_on(&l, "mesh:20x20");
	list_add_random(&l, 500, 99, 7);
	struct loom_routes_options options = {.seed = 1, .stopped = stop, .progress = watch, .user = &seen};
	struct loom_routes_found found = list_reroute(&l, &options);
	assert_true(found.contention <= block(&l, LOOM_LOAD_MESSAGES));
	assert_true(seen.n_asked > 0 && seen.n_asked < 10);
	seen = (struct seen){0};
	options.stopped = NULL;
	found = list_reroute(&l, &options);
	assert_true(seen.n_told > 1 && seen.contention == found.contention && seen.lower_bound == found.lower_bound);
}

// --- What is refused -----------------------------------------------------------------------------------------------------

static bool stop_at_once(void *user)
{
	(void)user;
	return true;
}

// Messages from corner to corner of a large mesh have 130560 links each to choose from. Where these are more than 10^9 in all, the
// search begins in dimension order; BLOCK would spread the messages. Stopped at once it has changed a few.
static void test_very_many(void **state)
{
	(void)state;
	enum { LINKS = 2 * 256 * 255, N = 1000000000 / LINKS + 1, CORNER = 256 * 256 - 1 };
	struct loom_topo topo;
	struct loom_message *m = calloc(N, sizeof *m);
	assert_non_null(m);
	assert_int_equal(loom_topo_parse(&topo, "mesh:256x256", NULL), 0);
	for (size_t i = 0; i < N; i++)
		m[i] = (struct loom_message){.source = 0, .destination = CORNER, .flits = 2};
	struct loom_routes order, found;
	const struct loom_routes_options options = {.seed = 1, .most_steps = 1, .stopped = stop_at_once};
	size_t n_changed = 0;
	assert_int_equal(loom_routes_in_order(&order, &topo, m, N, LOOM_RULE_ASCENDING, NULL), 0);
	assert_int_equal(loom_routes_reroute(&found, NULL, &topo, m, N, &options, NULL), 0);
	for (size_t i = 0; i < N; i++)
		n_changed += memcmp(found.channel + i * 510, order.channel + i * 510, 510 * sizeof *found.channel) != 0;
	assert_true(found.first[N] == order.first[N] && n_changed < 10);
	loom_routes_free(&order);
	loom_routes_free(&found);
	free(m);
}

static void expect_failure(int code, const struct loom_err *err, const char *part)
{
	assert_int_equal(code, LOOM_EINPUT);
	if (!strstr(err->text, part))
		fail_msg("\"%s\" does not say \"%s\"", err->text, part);
}

static void test_refused(void **state)
{
	static struct list l;
	struct loom_err err = {0};
	struct loom_routes routes = {.n = 77};
	(void)state;
	list_on(&l, "omega:8");
	list_add(&l, 0, 1, 1);
	expect_failure(loom_routes_block(&routes, &l.topo, l.messages, 1, LOOM_LOAD_MESSAGES, &err), &err, "omega:8");
	list_on(&l, "mesh:2x3");
	list_add(&l, 0, 6, 1);
	expect_failure(loom_routes_block(&routes, &l.topo, l.messages, 1, LOOM_LOAD_MESSAGES, &err), &err, "0 to 6");
	expect_failure(loom_routes_in_order(&routes, &l.topo, l.messages, 0, LOOM_RULE_ONE_WAY, &err), &err, "one way");
	assert_int_equal(routes.n, 77);
}

// Routes of one message on mesh:2x3 (nodes 0 1 2 above 3 4 5), from 0 to 5.
static void expect_route(const uint32_t *channel, size_t n, const char *part)
{
	static struct list l;
	size_t first[2] = {0, n};
	uint32_t copy[8] = {0};
	struct loom_err err = {0};
	memcpy(copy, channel, n * sizeof *channel);
	const struct loom_routes routes = {.n = 1, .first = first, .channel = copy};
	list_on(&l, "mesh:2x3");
	list_add(&l, 0, 5, 1);
	int rc = loom_routes_check(&routes, &l.topo, l.messages, 1, &err);
	if (part)
		expect_failure(rc, &err, part);
	else
		assert_int_equal(rc, 0);
}

static void test_wrong_routes(void **state)
{
	enum { PER_TILE = 6, PLUS_X = 0, MINUS_X = 1, PLUS_Y = 2, EJECT = 4 };
#define AT(node, link) ((node)*PER_TILE + (link))
	(void)state;
	expect_route((const uint32_t[]){AT(0, PLUS_X), AT(1, PLUS_X), AT(2, PLUS_Y)}, 3, NULL);
	expect_route((const uint32_t[]){AT(0, PLUS_X), AT(1, PLUS_X)}, 2, "ends at node 2");
	expect_route((const uint32_t[]){AT(0, PLUS_X), AT(2, PLUS_Y)}, 2, "no link that leaves node 1");
	expect_route((const uint32_t[]){AT(0, PLUS_X), AT(1, PLUS_X), AT(2, PLUS_X)}, 3,
	             "leaves the network at node 2");
	expect_route((const uint32_t[]){AT(0, PLUS_X), AT(1, EJECT)}, 2, "leaves the network at node 1");
	expect_route((const uint32_t[]){AT(0, PLUS_X), AT(1, MINUS_X), AT(0, PLUS_Y)}, 3, "twice: node 0");
	expect_route((const uint32_t[]){0}, 0, "ends at node 0");
	expect_route((const uint32_t[]){9999}, 1, "no link that leaves node 0");
}

// Half-way round a ring both ways are minimal; a bound must not forget the other one.
static void test_half_way_round(void **state)
{
	static struct list l;
	(void)state;
	list_on(&l, "ring:8");
	for (uint32_t u = 0; u < 8; u++)
		list_add(&l, u, (u + 4) % 8, 1);
	assert_int_equal(block(&l, LOOM_LOAD_MESSAGES), 4);
	struct loom_routes_found found = list_reroute(&l, &(struct loom_routes_options){.seed = 1});
	assert_int_equal(found.contention, found.lower_bound);
	assert_true(found.contention <= 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_golden),          cmocka_unit_test(test_uniform),
		cmocka_unit_test(test_gaussian),        cmocka_unit_test(test_block_is_the_reference),
		cmocka_unit_test(test_bound_is_proved), cmocka_unit_test(test_against_all_routes),
		cmocka_unit_test(test_freedom),         cmocka_unit_test(test_same_seed_same_routes),
		cmocka_unit_test(test_any_unit),        cmocka_unit_test(test_stopped),
		cmocka_unit_test(test_very_many),       cmocka_unit_test(test_refused),
		cmocka_unit_test(test_wrong_routes),    cmocka_unit_test(test_half_way_round),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
