// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <flitloom/pattern.h>
#include <flitloom/plan.h>
#include <flitloom/routes/choice.h>
#include <flitloom/routes/forbidden_turns.h>

#include "plan/light.h"

enum { CHANNELS = 32, FLITS = 64 };

// Cycles in which the flits of a message that is alone cross the channels of its way, one flit after the other: a flit follows the
// one before it, comes from the channel before, and needs room in the buffer behind the channel.
static void walk_way(uint64_t t[CHANNELS][FLITS], const struct loom_topo *topo, const uint32_t channel[CHANNELS],
                     uint32_t n, uint32_t flits)
{
	const uint32_t buffers = topo->buffers ? topo->buffers : 2;
	for (uint32_t k = 0; k < flits; k++)
		for (uint32_t i = 0; i < n; i++) {
			uint64_t *at = &t[i][k];
			*at = k > 0 ? t[i][k - 1] + 1 : 1;
			if (i > 0) {
				const uint32_t from = channel[i - 1];
				const uint64_t stages = loom_topo_is_local(topo, from) ? 0 : topo->router_delay;
				const uint64_t comes = t[i - 1][k] + 1 + loom_topo_link_delay(topo, from) + stages;
				*at = comes > *at ? comes : *at;
			}
			if (i + 1 < n && k >= buffers) {
				const uint64_t room =
					t[i + 1][k - buffers] + 1 + loom_topo_link_delay(topo, channel[i]);
				*at = room > *at ? room : *at;
			}
		}
}

// Computes the same for a planned message. Returns the number of channels.
static uint32_t walk(uint64_t t[CHANNELS][FLITS], const struct loom_plan *plan, size_t message, uint32_t flits)
{
	struct loom_route route;
	uint32_t channel[CHANNELS], n = 0;
	loom_plan_route_begin(&route, plan, message);
	while (n < CHANNELS && loom_route_next(&route, &channel[n]))
		n++;
	walk_way(t, &plan->topo, channel, n, flits);
	return n;
}

static void check(const char *fabric, uint64_t seed, uint32_t flits)
{
	static uint64_t t[CHANNELS][FLITS];
	const struct loom_plan_options by = {.planner = "direct", .map = "identity"};
	const struct loom_pattern_options options = {.flits = flits, .seed = seed};
	struct loom_pattern pattern;
	struct loom_plan plan;
	struct loom_topo topo;
	struct loom_err err = {0};
	if (loom_topo_parse(&topo, fabric, &err) ||
	    loom_pattern_parse(&pattern, "random-perm", topo.n_nodes, &options, &err) ||
	    loom_plan_make(&plan, &topo, &pattern, &by, &err))
		fail_msg("%s: %s", fabric, err.text);
	for (size_t i = 0; i < plan.n_messages; i++) {
		const struct loom_plan_message *m = &plan.messages[i];
		if (!loom_plan_uses_network(&plan, m))
			continue;
		const struct loom_light light = loom_plan_light(&plan, i);
		const uint32_t n = walk(t, &plan, i, flits);
		for (uint32_t place = 0; place < n; place++) {
			const uint64_t length = loom_light_length(&light, flits, place);
			if (length != t[place][flits - 1] - t[place][0])
				fail_msg("%s, %u to %u, %u flits, channel %u of %u: %u cycles, not %u", fabric,
				         m->source, m->destination, flits, place, n, (unsigned)length,
				         (unsigned)(t[place][flits - 1] - t[place][0]));
		}
		assert_int_equal(loom_light_length(&light, flits, UINT32_MAX), t[n - 1][flits - 1] - t[n - 1][0]);
	}
	loom_plan_free(&plan);
	loom_pattern_free(&pattern);
	loom_topo_free(&topo);
}

static void test_links_that_differ(void **state)
{
	static const char *const fabrics[] = {"mesh:4x4d2.5",       "mesh:4x4b6d2.5",       "mesh:3x5b3d0.4",
	                                      "mesh:3x2x3b4d7.0.3", "cube:4b5d0.1.2.9",     "torus:4x4v2b4d1.2.9",
	                                      "torus:5x3v2d0.0.6",  "ring:7v2b5d1.4",       "mesh:4x4b7d1.3r2",
	                                      "cube:3b3d9.0.1r1",   "torus:4x4v2b8d2.0.5r3"};
	static const uint32_t lengths[] = {1, 2, 3, 4, 7, 8, 9, 13, 20, 33, 64};
	(void)state;
	for (size_t f = 0; f < sizeof fabrics / sizeof fabrics[0]; f++)
		for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++)
			for (uint64_t seed = 1; seed <= 3; seed++)
				check(fabrics[f], seed, lengths[k]);
}

static void test_links_that_are_alike(void **state)
{
	static const char *const fabrics[] = {"mesh:4x4", "mesh:4x4d3", "cube:4b5d2", "torus:4x4v2b4d1"};
	(void)state;
	for (size_t f = 0; f < sizeof fabrics / sizeof fabrics[0]; f++)
		for (uint32_t flits = 1; flits <= FLITS; flits++)
			check(fabrics[f], flits, flits);
}

// A message by a rule, and the way that it has come.
struct traveller {
	const struct loom_topo *topo;
	unsigned rule;
	uint32_t source, destination, flits, channel[CHANNELS];
};

// Cycles in which the tail arrives on the fastest of all ways on from a node, as the rule lets routers choose.
static uint64_t fastest(struct traveller *a, uint32_t u, unsigned came, uint32_t n)
{
	static uint64_t t[CHANNELS][FLITS];
	const struct loom_topo *topo = a->topo;
	const uint32_t per_tile = loom_topo_channels_per_tile(topo);
	uint64_t least = UINT64_MAX;
	if (u == a->destination) {
		a->channel[n] = u * per_tile + topo->ports - 1;
		walk_way(t, topo, a->channel, n + 1, a->flits);
		return t[n][a->flits - 1];
	}
	const uint64_t lanes = loom_rule_choice_behind(topo, a->rule, a->source, u, came, a->destination).lanes;
	for (unsigned p = 0; p < loom_topo_links(topo); p++) {
		uint32_t v;
		unsigned q;
		if (!(lanes >> p * topo->n_vcs & ((UINT64_C(1) << topo->n_vcs) - 1)) ||
		    !topo->kind->link(topo, u, p, &v, &q))
			continue;
		a->channel[n] = u * per_tile + p;
		const uint64_t cycles = fastest(a, v, q + 1, n + 1);
		least = cycles < least ? cycles : least;
	}
	return least;
}

static void check_fastest(const struct loom_topo *topo, unsigned rule, uint32_t u, uint32_t v)
{
	const uint32_t flits = 1 + (7 * u + 13 * v) % 40;
	uint32_t map[2] = {u, v};
	struct loom_plan_message m = {.destination = 1, .flits = flits, .rule = (uint8_t)rule};
	const struct loom_plan alone = {
		.topo = *topo, .n_passes = 1, .n_messages = 1, .messages = &m, .map = map, .n_lanes = 1};
	struct traveller a = {.topo = topo, .rule = rule, .source = u, .destination = v, .flits = flits};
	a.channel[0] = u * loom_topo_channels_per_tile(topo) + topo->ports;
	const uint64_t found = loom_plan_message_cycles(&alone, &m), wanted = fastest(&a, u, 0, 1);
	if (found != wanted)
		fail_msg("%s, rule %s, %u to %u, %u flits: %u cycles, not %u", topo->name, loom_rule_name(rule), u, v,
		         flits, (unsigned)found, (unsigned)wanted);
}

// If routers choose among links that differ, the prediction for a message is its time on the fastest way.
static void test_ways_that_differ(void **state)
{
	static const struct {
		const char *fabric, *rule;
	} rows[] = {{"graph:tests/e2e/graphs/slow.txt:v2", "turns"},
	            {"torus:4x4v2d1.1.4", "duato"},
	            {"torus:4x4b4d0.2.9", "turns"},
	            {"mesh:3x3d1.4", "west-first"},
	            {"ring:6v3d2.7r1", "duato"},
	            {"mesh:3x3b5d0.6", "turns"}};
	(void)state;
	for (size_t f = 0; f < sizeof rows / sizeof rows[0]; f++) {
		struct loom_topo topo;
		struct loom_turns turns = {0};
		struct loom_err err = {0};
		uint64_t at_least;
		const unsigned rule = loom_rule_by_name(rows[f].rule);
		int rc = loom_topo_parse(&topo, rows[f].fabric, &err);
		if (rc == 0 && rule == LOOM_RULE_TURNS)
			rc = loom_turns_search(&turns, &at_least, &topo, 1, &err);
		if (rc == 0 && rule == LOOM_RULE_TURNS)
			rc = loom_topo_set_turns(&topo, &turns, &err);
		if (rc != 0)
			fail_msg("%s: %s", rows[f].fabric, err.text);
		for (uint32_t u = 0; u < topo.n_nodes; u++)
			for (uint32_t v = 0; v < topo.n_nodes; v++)
				if (u != v)
					check_fastest(&topo, rule, u, v);
		loom_turns_free(&turns);
		loom_topo_free(&topo);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_links_that_differ),
	                                   cmocka_unit_test(test_ways_that_differ),
	                                   cmocka_unit_test(test_links_that_are_alike)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
