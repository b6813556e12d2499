// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Virtual channels: how a fabric's name says how many there are, by which one a message goes, against the reference
// networks, how the reference machine shares a link, and that a chip with too few of them refuses a plan.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/routes/deadlock.h>
#include <flitloom/link/image.h>
#include <flitloom/plan.h>

#include "reference/reference.h"
#include "unit/help/chips.h"

static struct loom_topo topo_of(const char *name)
{
	struct loom_topo t;
	struct loom_err err = {0};
	if (loom_topo_parse(&t, name, &err) != 0)
		fail_msg("%s: %s", name, err.text);
	return t;
}

static void test_names(void **state)
{
	(void)state;
	static const struct {
		const char *name, *is;
		unsigned n_vcs;
	} good[] = {{"ring:8", "ring:8", 1},
	            {"ring:8v2", "ring:8v2", 2},
	            {"ring:8v1", "ring:8", 1},
	            {"torus:4x4", "torus:4x4", 1},
	            {"torus:4x4v2", "torus:4x4v2", 2},
	            {"torus:4x4v3", "torus:4x4v3", 3},
	            {"ring:8v8", "ring:8v8", 8},
	            {"cube:3", "cube:3", 1},
	            {"cube:20v7", "cube:20v7", 7},
	            {"line:4v5", "line:4v5", 5},
	            {"mesh:4x4v8", "mesh:4x4v8", 8},
	            {"mesh:4x4v8b3d2", "mesh:4x4v8b3d2", 8},
	            {"mesh:4x4", "mesh:4x4", 1},
	            {"omega:8", "omega:8", 1},
	            {"table-mesh:4x4", "table-mesh:4x4", 1},
	            {"table-mesh:4x4v2", "table-mesh:4x4v2", 2},
	            {"table-mesh:4x4v3", "table-mesh:4x4v3", 3},
	            {"table-torus:3x4v4", "table-torus:3x4v4", 4},
	            {"table-torus:3x4v7", "table-torus:3x4v7", 7},
	            {"table-cube:3v8", "table-cube:3v8", 8},
	            {"table-cube:3v2", "table-cube:3v2", 2}};
	static const struct {
		const char *name, *says;
	} bad[] = {{"ring:8v9", "9 virtual channels of each link; a ring has 1 to 8 (v8)"},
	           {"ring:8v0", "0 virtual channels"},
	           {"mesh:4x4v9", "9 virtual channels of each link; a mesh has 1 to 8 (v8)"},
	           {"cube:3v0", "0 virtual channels of each link; a cube has 1 to 8 (v8)"},
	           {"otis-mesh:4v3", "3 virtual channels of each link; a otis-mesh has 1, or 2 (v2)"},
	           {"table-mesh:4x4v9", "9 virtual channels of each link; a table-mesh has 1 to 8 (v8)"},
	           {"table-cube:3v0", "0 virtual channels"},
	           {"ring:8v", "ring"},
	           {"ring:v2", "ring"},
	           {"ring:8v12", "ring"},
	           {"torus:4v2x4", "torus"},
	           {"omega:8v2", "links of omega:8 have 1 lane: give omega:8, without v2"}};
	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
		struct loom_topo t = topo_of(good[i].name);
		assert_string_equal(t.name, good[i].is);
		assert_int_equal(t.n_vcs, good[i].n_vcs);
		t = topo_of(t.name);
		assert_int_equal(t.n_vcs, good[i].n_vcs);
	}
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct loom_topo t = {.n_nodes = 77};
		struct loom_err err = {0};
		assert_int_equal(loom_topo_parse(&t, bad[i].name, &err), LOOM_EINPUT);
		if (!strstr(err.text, bad[i].says))
			fail_msg("%s: %s", bad[i].name, err.text);
		assert_int_equal(t.n_nodes, 77);
	}
	struct loom_topo mesh = topo_of("mesh:4x4"), ring = topo_of("ring:9");
	assert_int_equal(loom_topo_set_vcs(&mesh, 9, NULL), LOOM_EINPUT);
	assert_int_equal(mesh.n_vcs, 1);
	assert_int_equal(loom_topo_set_vcs(&mesh, 3, NULL), 0);
	assert_string_equal(mesh.name, "mesh:4x4v3");
	assert_int_equal(loom_topo_set_vcs(&ring, 2, NULL), 0);
	assert_string_equal(ring.name, "ring:9v2");
}

// In routers with tables a rule is a virtual network: as many as lanes, or with one lane the two rules that share it. The
// tables' window has 4096 words.
static void test_networks(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		unsigned rules, label_bits;
	} rows[] = {{"table-mesh:4x4", 2, 6},     {"table-mesh:4x4v2", 2, 6},     {"table-mesh:4x4v4", 4, 6},
	            {"table-torus:16x32", 2, 11}, {"table-torus:16x32v2", 2, 11}, {"table-torus:16x32v4", 4, 10},
	            {"table-cube:10v4", 4, 10},   {"table-cube:10v2", 2, 11},     {"table-mesh:4x4v3", 3, 6},
	            {"table-mesh:4x4v8", 8, 6},   {"table-torus:16x32v3", 3, 10}, {"table-torus:16x32v5", 5, 9}};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct loom_topo t = topo_of(rows[i].name);
		assert_int_equal(loom_topo_rules_count(&t), rows[i].rules);
		assert_int_equal(t.label_bits, rows[i].label_bits);
		for (unsigned rule = 0; rule < rows[i].rules; rule++) {
			struct loom_route route;
			uint32_t channel;
			assert_int_equal(loom_topo_network(&t, rule), t.n_vcs > 1 ? rule : 0);
			for (loom_route_begin(&route, &t, 0, t.n_nodes - 1, (enum loom_rule)rule);
			     loom_route_next(&route, &channel);)
				assert_int_equal(route.vc, loom_topo_is_local(&t, channel) || t.n_vcs == 1 ? 0 : rule);
		}
	}
	struct loom_topo mesh = topo_of("mesh:4x4");
	assert_int_equal(loom_topo_network(&mesh, 1), 0);
}

// --- By which one ----------------------------------------------------------------------------------------------------

static void compare_ways(const char *name)
{
	static const enum ref_order orders[] = {REF_ASCENDING, REF_DESCENDING, REF_UP_ASCENDING, REF_UP_DESCENDING};
	struct loom_topo t = topo_of(name);
	struct ref_net net;
	unsigned used = 0;
	assert_int_equal(ref_net_parse(&net, name), 0);
	assert_int_equal(ref_net_vcs(&net), t.n_vcs);
	for (uint32_t source = 0; source < t.n_nodes; source++)
		for (uint32_t destination = 0; destination < t.n_nodes; destination++)
			for (unsigned rule = 0; rule < loom_topo_rules_count(&t); rule++) {
				const struct ref_way way = {source, destination, orders[rule]};
				struct loom_route route;
				uint32_t c;
				for (loom_route_begin(&route, &t, source, destination, (enum loom_rule)rule);
				     loom_route_next(&route, &c);) {
					unsigned node = c / loom_topo_channels_per_tile(&t);
					unsigned link = c % loom_topo_channels_per_tile(&t);
					unsigned vc =
						loom_topo_is_local(&t, c) ? 0 : ref_net_vc(&net, &way, node, link);
					if (route.vc != vc)
						fail_msg("%s: %u to %u by rule %u leaves %u by link %u, %u not %u",
						         name, source, destination, rule, node, link, route.vc, vc);
					used |= 1u << vc;
				}
			}
	// All of them, where there is a destination for each.
	assert_true(used >> t.n_vcs == 0 && (t.n_vcs > 2 || used == (1u << t.n_vcs) - 1));
	if (t.n_nodes >= 8 * t.n_vcs)
		assert_int_equal(used, (1u << t.n_vcs) - 1);
}

static void test_ways(void **state)
{
	(void)state;
	static const char *const names[] = {"ring:2v2",    "ring:3v2",    "ring:4v2",      "ring:5v2",
	                                    "ring:16v2",   "torus:4x4v2", "torus:2x3x5v2", "torus:1x7v2",
	                                    "torus:7x1v2", "ring:8",      "mesh:3x5"};
	static const char *const kinds[] = {"ring:2", "ring:3", "ring:64", "torus:9x8", "torus:2x3x5",
	                                    "line:2", "line:9", "line:64", "mesh:8x8",  "mesh:2x3x5",
	                                    "cube:1", "cube:4", "cube:6"};
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		compare_ways(names[i]);
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		for (unsigned n_vcs = 3; n_vcs <= LOOM_LANES_MAX; n_vcs++) {
			char name[32];
			(void)snprintf(name, sizeof name, "%sv%u", kinds[i], n_vcs);
			compare_ways(name);
		}
}

static void expect_no_circle(const struct loom_topo *t, unsigned rules)
{
	struct loom_dependency_cycle circle = {0};
	assert_int_equal(loom_deadlock_find_in_routing(&circle, t, rules, NULL), 0);
	if (circle.n_channels > 0)
		fail_msg("%s: by rules %#x a circle of %zu channels", t->name, rules, circle.n_channels);
	loom_dependency_cycle_free(&circle);
}

// No circle by any one rule, whatever the number of lanes, by search; on lines and rings by several rules at once neither.
static void test_no_circle(void **state)
{
	(void)state;
	static const char *const kinds[] = {"ring:3",      "ring:4",   "ring:9", "torus:4x5",
	                                    "torus:3x3x4", "mesh:4x3", "line:7", "cube:4"};
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		for (unsigned n_vcs = 2; n_vcs <= LOOM_LANES_MAX; n_vcs++) {
			char name[32];
			(void)snprintf(name, sizeof name, "%sv%u", kinds[i], n_vcs);
			struct loom_topo t = topo_of(name);
			for (unsigned rule = 0; rule < loom_topo_rules_count(&t); rule++)
				expect_no_circle(&t, 1u << rule);
			if (t.n_dims == 1)
				expect_no_circle(&t, (1u << loom_topo_rules_count(&t)) - 1);
		}
}

// One ring, worked out by hand: from node 6 by plus to 3 crosses 7 -> 0; from 1 to 4 and to 5 does not; from 1 by minus
// to 6 crosses 0 -> 7.
static void test_by_hand(void **state)
{
	(void)state;
	static const struct {
		uint32_t source, destination;
		const char *vcs; // of the links
	} cases[] = {{5, 1, "0011"}, {6, 2, "0111"}, {7, 3, "1111"}, {1, 4, "000"}, {1, 5, "1111"},
	             {1, 6, "011"},  {0, 6, "11"},   {4, 1, "111"},  {6, 4, "00"},  {3, 7, "1111"}};
	struct loom_topo t = topo_of("ring:8v2");
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct loom_route route;
		char vcs[16] = "";
		size_t n = 0;
		loom_route_begin(&route, &t, cases[i].source, cases[i].destination, LOOM_RULE_ASCENDING);
		for (uint32_t c; loom_route_next(&route, &c);)
			if (!loom_topo_is_local(&t, c))
				vcs[n++] = (char)('0' + route.vc);
		assert_string_equal(vcs, cases[i].vcs);
	}
}

// --- The reference machine -------------------------------------------------------------------------------------------

static void play(struct ref_arrival *arrival, struct ref_channel *channel, const char *name, enum ref_timing timing,
                 const struct ref_message *message, size_t n)
{
	struct ref_net net;
	assert_int_equal(ref_net_parse(&net, name), 0);
	const struct ref_machine machine = {.n_slots = 2, .timing = timing, .tie = ref_machine_tie(&net), .net = &net};
	assert_int_equal(ref_machine_run(arrival, channel, &machine, message, n), 0);
}

// Node 0 sends to 2 (even: by 0) and node 1 to 4 (crosses nothing, even) or 3 (odd: by 1); both want link + of node 1.
static void test_machine_shares(void **state)
{
	(void)state;
	struct ref_arrival a[2];
	struct ref_channel c[9 * 4];
	const struct ref_message both[] = {{0, 2, 10}, {1, 3, 10}}, same[] = {{0, 2, 10}, {1, 4, 10}};
	// By turns: the one from node 1 is at the link first, in cycle 2; the other one's header comes in cycle 3.
	// Its flits cross that link in cycles 2, 4, ..., 20, those of the other one in 3, 5, ..., 21.
	play(a, c, "ring:9v2", REF_FAST, both, 2);
	assert_int_equal(a[1].done_cycle, 22);
	assert_int_equal(a[0].done_cycle, 22);
	assert_int_equal(c[4 * 1].n_flits, 20);
	assert_int_equal(c[4 * 1].n_worms, 2);
	// On one virtual channel one after the other.
	play(a, c, "ring:9v2", REF_FAST, same, 2);
	assert_int_equal(a[1].done_cycle, 10 + 3 + 1);
	assert_true(a[0].done_cycle > 20);
	assert_int_equal(c[4 * 1].n_flits, 20);
	// And so they do where there is one.
	play(a, c, "ring:9", REF_FAST, both, 2);
	assert_int_equal(a[1].done_cycle, 10 + 2 + 1);
	assert_true(a[0].done_cycle > 20);
}

// Opposite ones on ring:4 wait for each other with one virtual channel, and get through with two.
static void test_machine_does_not_lock(void **state)
{
	(void)state;
	const struct ref_message message[] = {{0, 2, 40}, {1, 3, 40}, {2, 0, 40}, {3, 1, 40}};
	struct ref_arrival a[4];
	struct ref_net net;
	for (unsigned timing = REF_PAPER; timing <= REF_FAST; timing++) {
		struct ref_machine machine = {.n_slots = 2, .timing = timing, .tie = REF_TIE_INJECTED, .net = &net};
		assert_int_equal(ref_net_parse(&net, "ring:4"), 0);
		assert_true(ref_machine_run(a, NULL, &machine, message, 4) < 0);
		assert_int_equal(ref_net_parse(&net, "ring:4v2"), 0);
		assert_int_equal(ref_machine_run(a, NULL, &machine, message, 4), 0);
	}
}

// --- Chips -----------------------------------------------------------------------------------------------------------

static struct loom_chip chip_with(const struct loom_topo *t, uint32_t n_vcs)
{
	struct loom_chip chip = chip_for(t);
	chip.rule_bits = 2;
	chip.payload_bits = chip.signature_bits = 32;
	chip.n_vcs = n_vcs;
	return chip;
}

static int fits(const char *fabric, const char *pattern, uint32_t n_vcs, bool may_lock, struct loom_err *err)
{
	struct loom_topo t = topo_of(fabric);
	struct loom_pattern p;
	struct loom_plan plan;
	const struct loom_plan_options by = {.planner = "direct"};
	const struct loom_image_options options = {.machine = LOOM_MACHINE_FAST, .may_lock = may_lock};
	assert_int_equal(loom_pattern_parse(&p, pattern, t.n_nodes, &(struct loom_pattern_options){.flits = 9}, err),
	                 0);
	if (loom_plan_make(&plan, &t, &p, &by, err) != 0)
		fail_msg("%s: %s", fabric, err->text);
	struct loom_chip chip = chip_with(&t, n_vcs);
	int code = loom_image_fits(&plan, &chip, &options, err);
	loom_plan_free(&plan);
	loom_pattern_free(&p);
	return code;
}

static void test_chips(void **state)
{
	(void)state;
	struct loom_err err = {0};
	const char *locks = "perm:2,3,0,1", *harmless = "perm:1,0,3,2";
	assert_int_equal(fits("ring:4v2", locks, 2, false, &err), 0);
	// One, or a chip that is older than the register.
	for (uint32_t n_vcs = 0; n_vcs < 2; n_vcs++) {
		assert_int_equal(fits("ring:4v2", locks, n_vcs, false, &err), LOOM_EFIT);
		assert_non_null(strstr(err.text,
		                       "links of the chip have 1 virtual channel, and the plan is for 2; plan "
		                       "for ring:4. Otherwise pass 0 can lock"));
		assert_int_equal(fits("ring:4v2", locks, n_vcs, true, &err), 0);
		assert_int_equal(fits("ring:4v2", harmless, n_vcs, false, &err), 0);
		assert_int_equal(fits("ring:4", harmless, n_vcs, false, &err), 0);
	}
	assert_int_equal(fits("ring:4", harmless, 2, false, &err), 0);
	assert_int_equal(fits("mesh:2x2", harmless, 0, false, &err), 0);
	assert_int_equal(fits("mesh:2x2", harmless, 9, false, &err), LOOM_EHARDWARE);
	assert_int_equal(fits("ring:4v2", harmless, 9, false, &err), LOOM_EHARDWARE);
	struct loom_topo t = topo_of("torus:3x3"), is;
	struct loom_chip chip = chip_with(&t, 1);
	assert_int_equal(loom_chip_topo(&is, &chip, &err), 0);
	assert_string_equal(is.name, "torus:3x3");
	chip.n_vcs = 2;
	assert_int_equal(loom_chip_topo(&is, &chip, &err), 0);
	assert_string_equal(is.name, "torus:3x3v2");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),          cmocka_unit_test(test_networks),
		cmocka_unit_test(test_ways),           cmocka_unit_test(test_by_hand),
		cmocka_unit_test(test_machine_shares), cmocka_unit_test(test_machine_does_not_lock),
		cmocka_unit_test(test_chips),          cmocka_unit_test(test_no_circle),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
