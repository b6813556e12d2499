// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Planner otis: what its plans promise, pass by pass; that costs choose; maps, messages to oneself, lengths; what it refuses.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/math/otis.h>
#include <flitloom/plan.h>

#include "unit/help/networks.h"

struct counts {
	uint32_t electronic, otis;
	unsigned slots;
};

// Checks that no message is kept in a slot from which another is sent in the same pass, because a chip reads slots
// during the pass.
static void check_slots(const struct loom_plan *plan)
{
	uint32_t n = plan->topo.n_nodes;
	uint8_t *from = calloc((size_t)plan->n_passes * n, 1); // by pass and node: the slot that it sends from
	assert_non_null(from);
	for (size_t i = 0; i < plan->n_messages; i++)
		from[(size_t)plan->messages[i].pass * n + plan->messages[i].source] = plan->messages[i].from_slot;
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		if (m->keep_slot && from[(size_t)m->pass * n + m->destination] == m->keep_slot)
			fail_msg("pass %" PRIu32 ": slot %d of %" PRIu32 " is read and written", m->pass, m->keep_slot,
			         m->destination);
	}
	free(from);
}

// Each pass goes by one link of the nodes, each node sends one message at most, and each message goes one hop.
static struct counts check_passes(const struct loom_plan *plan)
{
	struct counts c = {0};
	uint32_t *sent = calloc(plan->topo.n_nodes, sizeof *sent);
	unsigned of_pass = LOOM_OTIS_DIRECTIONS;
	uint32_t pass = UINT32_MAX;
	assert_non_null(sent);
	check_slots(plan);
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		struct loom_route route;
		uint32_t channel, per_tile = loom_topo_channels_per_tile(&plan->topo);
		if (m->source == m->destination)
			continue;
		assert_int_equal(loom_plan_route_length(plan, i), 3); // injection, the link, ejection
		loom_plan_route_begin(&route, plan, i);
		(void)loom_route_next(&route, &channel);
		(void)loom_route_next(&route, &channel);
		if (m->pass != pass) {
			assert_int_equal(m->pass, pass + 1); // no pass is empty
			pass = m->pass;
			of_pass = channel % per_tile;
			c.otis += of_pass == LOOM_OTIS_LIGHT;
			c.electronic += of_pass != LOOM_OTIS_LIGHT;
		}
		assert_int_equal(channel % per_tile, of_pass);
		assert_int_not_equal(sent[m->source], pass + 1);
		sent[m->source] = pass + 1;
		c.slots = m->keep_slot > c.slots ? m->keep_slot : c.slots;
	}
	assert_int_equal(c.electronic + c.otis, pass == UINT32_MAX ? 0 : plan->n_passes);
	assert_int_equal(loom_plan_contention(plan), pass == UINT32_MAX ? 0 : 1);
	free(sent);
	return c;
}

static struct counts plan_counts(const char *fabric, const char *pattern, const char *cost, const char *map)
{
	struct loom_topo t;
	struct loom_pattern p;
	struct loom_plan plan;
	struct loom_err err = {0};
	const struct loom_plan_options options = {.cost = cost, .map = map};
	assert_int_equal(loom_topo_parse(&t, fabric, NULL), 0);
	if (loom_pattern_parse(&p, pattern, t.n_nodes, &(struct loom_pattern_options){.flits = 3, .seed = 1}, &err) !=
	            0 ||
	    loom_plan_make(&plan, &t, &p, &options, &err) != 0)
		fail_msg("%s %s: %s", fabric, pattern, err.text);
	assert_string_equal(plan.planner, "otis");
	struct counts c = check_passes(&plan);
	struct loom_otis_cost weights;
	assert_int_equal(loom_otis_cost_parse(&weights, cost, NULL), 0);
	assert_true(loom_otis_cost_of(&weights, c.electronic, c.otis) >=
	            loom_otis_cost_of(&weights, loom_plan_how_made(&plan)->moves.bound_electronic,
	                              loom_plan_how_made(&plan)->moves.bound_otis));
	assert_true(loom_plan_how_made(&plan)->moves.by[0] != '\0');
	if (t.extent[0] >= 4 && t.extent[0] <= 8 && c.slots > 2 * t.extent[0] - 1)
		fail_msg("%s %s: %u slots", fabric, pattern, c.slots);
	loom_plan_free(&plan);
	loom_pattern_free(&p);
	return c;
}

// Never more than the sequences of [Sahni97].
static void test_table1(void **state)
{
	static const struct {
		const char *pattern;
		enum loom_otis_sequence sequence;
	} rows[] = {{"reflect-diagonal", LOOM_OTIS_TRANSPOSE}, {"shuffle", LOOM_OTIS_SHUFFLE},
	            {"unshuffle", LOOM_OTIS_UNSHUFFLE},        {"bit-reverse", LOOM_OTIS_BIT_REVERSAL},
	            {"complement", LOOM_OTIS_VECTOR_REVERSAL}, {"gypx-swap", LOOM_OTIS_SWAP_EXCHANGES},
	            {"bit-shuffle", LOOM_OTIS_BIT_SHUFFLE},    {"shuffled-row-major", LOOM_OTIS_SHUFFLED_ROW_MAJOR}};
	(void)state;
	for (uint32_t side = 2; side <= 8; side *= 2)
		for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
			char fabric[32];
			struct loom_otis_moves m;
			(void)snprintf(fabric, sizeof fabric, "otis-mesh:%" PRIu32, side * side);
			struct counts c = plan_counts(fabric, rows[k].pattern, NULL, NULL);
			assert_int_equal(loom_otis_sequence(&m, side, rows[k].sequence, NULL), 0);
			assert_true(c.electronic + c.otis <= m.electronic + m.otis);
			loom_otis_moves_free(&m);
		}
}

// The dearer light is, the fewer moves there are by it: the swap by exchanges or by exclusive or.
static void test_cost(void **state)
{
	(void)state;
	struct counts cheap = plan_counts("otis-mesh:64", "gypx-swap", "otis=0", NULL),
		      dear = plan_counts("otis-mesh:64", "gypx-swap", "otis=100", NULL),
		      only = plan_counts("otis-mesh:64", "gypx-swap", "electronic=0", NULL);
	assert_int_equal(cheap.electronic, 28); // the bound
	assert_int_equal(dear.otis, 2);
	assert_true(dear.electronic <= 42);
	assert_int_equal(only.otis, 2);
}

static void test_random(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= 20; seed++) {
		char pattern[32], map[2100];
		(void)snprintf(pattern, sizeof pattern, "random-perm");
		random_map(map, 256, seed);
		assert_true(plan_counts("otis-mesh:16", pattern, NULL, map).otis <= 4);
	}
	(void)plan_counts("otis-mesh:4", "random-perm", "electronic=1,otis=7", NULL);
	(void)plan_counts("otis-mesh:64", "random-perm", "otis=2", NULL);
}

static void make(struct loom_plan *out, const char *fabric, const struct loom_message *messages, size_t n,
                 const char *planner, struct loom_err *err, int want)
{
	struct loom_topo t;
	struct loom_pattern p;
	const struct loom_plan_options options = {.planner = planner};
	assert_int_equal(loom_topo_parse(&t, fabric, NULL), 0);
	assert_int_equal(loom_pattern_from_messages(&p, "by hand", t.n_nodes, messages, n, err), 0);
	if (loom_plan_make(out, &t, &p, &options, err) != want)
		fail_msg("%s", err->text);
	loom_pattern_free(&p);
}

// Some nodes only, of different lengths, one to itself; and nothing but that.
static void test_by_hand(void **state)
{
	static const struct loom_message some[] = {
		{0, 255, 5, 0}, {255, 17, 3, 0}, {18, 18, 9, 0}, {3, 48, 1, 0}, {100, 0, 7, 0}};
	struct loom_plan plan;
	struct loom_err err = {0};
	(void)state;
	make(&plan, "otis-mesh:16", some, 5, NULL, &err, 0);
	assert_string_equal(plan.planner, "otis");
	struct counts c = check_passes(&plan);
	assert_true(c.otis <= 2);
	assert_int_equal(plan.messages[0].flits, 9); // to itself, in the first pass
	loom_plan_free(&plan);
	make(&plan, "otis-mesh:16", some + 2, 1, NULL, &err, 0);
	assert_string_equal(plan.planner, "otis");
	assert_int_equal(plan.n_messages, 1);
	assert_int_equal(plan.n_passes, 1);
	c = check_passes(&plan);
	assert_int_equal(c.electronic + c.otis, 0);
	loom_plan_free(&plan);
}

static void test_refused(void **state)
{
	static const struct loom_message twice[] = {{0, 1, 2, 0}, {0, 2, 2, 0}}, one[] = {{0, 1, 2, 0}};
	struct loom_plan plan;
	struct loom_err err = {0};
	(void)state;
	make(&plan, "otis-mesh:4", twice, 2, "otis", &err, LOOM_EINPUT);
	assert_non_null(strstr(err.text, "cannot plan"));
	make(&plan, "mesh:4x4", one, 1, "otis", &err, LOOM_EINPUT);
	make(&plan, "otis-mesh:4", twice, 2, NULL, &err, 0); // by another planner
	assert_string_not_equal(plan.planner, "otis");
	assert_true(loom_plan_how_made(&plan)->moves.by[0] == '\0');
	loom_plan_free(&plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table1),  cmocka_unit_test(test_cost),    cmocka_unit_test(test_random),
		cmocka_unit_test(test_by_hand), cmocka_unit_test(test_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
