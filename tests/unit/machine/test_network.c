// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Networks as engines see them, against the reference's own description of the same ones: links that are slow or
// light, and the order of headers at each router. Ways, lane by lane; the first states of routers that draw lots.
#include "machine/network.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <flitloom/routes/choice.h>

#include "unit/help/engine_checks.h"
#include "unit/help/some_nets.h"

// --- The same as in the reference -----------------------------------------------------------------------------------

static int sign(int x)
{
	return (x > 0) - (x < 0);
}

// Checks that both put n lanes that end at one router in the same order, no two of them as equals.
static void assert_order(const char *name, const uint16_t *got, const uint16_t *want, const uint32_t *lane, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n; k++)
			if (sign(got[lane[i]] - got[lane[k]]) != sign(want[lane[i]] - want[lane[k]]) ||
			    (i != k && got[lane[i]] == got[lane[k]]))
				fail_msg("%s: lanes %u and %u have ranks %u and %u", name, lane[i], lane[k],
				         got[lane[i]], got[lane[k]]);
}

static void compare_nets(const char *name, const struct loom_engine_net *got, const struct loom_engine_net *want)
{
	assert_int_equal(got->n_nodes, want->n_nodes);
	assert_int_equal(got->n_channels, want->n_channels);
	assert_int_equal(got->n_vcs, want->n_vcs);
	assert_int_equal(got->buffers > 2 ? got->buffers : 2, want->buffers > 2 ? want->buffers : 2);
	assert_int_equal(got->delay != NULL, want->delay != NULL);
	assert_int_equal(got->delay_most, want->delay_most);
	assert_int_equal(got->router_delay, want->router_delay);
	assert_int_equal(got->is_light != NULL, want->is_light != NULL);
	assert_null(got->topo);
	assert_null(got->memory);
	for (uint32_t c = 0; c < want->n_channels; c++) {
		if (want->delay && got->delay[c] != want->delay[c])
			fail_msg("%s: channel %u has a delay of %u", name, c, got->delay[c]);
		if (want->is_light && got->is_light[c] != want->is_light[c])
			fail_msg("%s: channel %u is light: %u", name, c, got->is_light[c]);
	}
	if (want->is_light) {
		assert_int_equal(got->light_cycles, want->light_cycles);
		assert_int_equal(got->light_ratio, want->light_ratio);
	}
}

static void test_direct(void **state)
{
	(void)state;
	static const char *const names[] = {"cube:1",      "cube:4",           "cube:3v2",     "cube:3v5",
	                                    "cube:3b4d2",  "line:5",           "ring:6",       "ring:7v2",
	                                    "mesh:3x4",    "mesh:2x3x2v3",     "torus:3x4v2",  "torus:4x4b5d3r2",
	                                    "cube:3d1r4",  "table-mesh:3x3v2", "table-cube:3", "table-torus:3x3v4",
	                                    "otis-mesh:4", "otis-mesh:4l3w2v2"};
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		const struct ref_net ref = net_of(names[i]);
		struct loom_machine_network network;
		struct engine_net want;
		struct loom_topo topo;
		assert_int_equal(loom_topo_parse(&topo, names[i], NULL), 0);
		assert_int_equal(loom_machine_network_make(&network, &topo, LOOM_RULE_ASCENDING, NULL), 0);
		engine_net_of(&want, &ref, NULL);
		compare_nets(names[i], &network.net, &want.net);
		const unsigned n_links = ref_net_links(&ref), n_vcs = ref_net_vcs(&ref);
		for (unsigned v = 0; v < ref_net_nodes(&ref); v++) {
			uint32_t lane[1 + 16 * 8];
			size_t n = 0;
			lane[n++] = (uint32_t)ref_net_injection(&ref, v) * n_vcs;
			for (unsigned p = 0; p < n_links; p++) {
				unsigned from, link;
				for (unsigned k = 0; ref_net_input(&from, &link, &ref, v, p) && k < n_vcs; k++)
					lane[n++] = (uint32_t)ref_net_channel(&ref, from, link) * n_vcs + k;
			}
			assert_order(names[i], network.net.rank, want.net.rank, lane, n);
		}
		engine_net_free(&want);
		loom_machine_network_free(&network);
		loom_topo_free(&topo);
	}
}

// The upper one of the two lines of a switch is first.
static void test_stages(void **state)
{
	(void)state;
	static const char *const kinds[] = {"omega", "baseline", "icube", "romega", "rbaseline", "ricube"};
	for (unsigned i = 0; i < 6 * 4; i++) {
		struct loom_machine_network network;
		struct engine_net want;
		struct loom_topo topo;
		struct ref_min ref;
		char name[32];
		const unsigned m = 1 + i / 6;
		(void)snprintf(name, sizeof name, "%s:%u", kinds[i % 6], 1u << m);
		ref_min_build(&ref, kinds[i % 6], m);
		assert_int_equal(loom_topo_parse(&topo, name, NULL), 0);
		assert_int_equal(loom_machine_network_make(&network, &topo, LOOM_RULE_ASCENDING, NULL), 0);
		engine_net_of(&want, NULL, &ref);
		compare_nets(name, &network.net, &want.net);
		for (uint32_t c = 0; c < want.net.n_channels; c++)
			if (c % (m + 1) != m - 1 && network.net.rank[c] != want.net.rank[c])
				fail_msg("%s: channel %u has rank %u", name, c, network.net.rank[c]);
		engine_net_free(&want);
		loom_machine_network_free(&network);
		loom_topo_free(&topo);
	}
}

// --- Ways -----------------------------------------------------------------------------------------------------------

// A way is written as far as there is room; the returned length is always the whole.
static void test_ways(void **state)
{
	(void)state;
	static const char *const names[] = {"cube:4", "mesh:3x3v2", "torus:4x4v2", "ring:6v2", "omega:8"};
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		struct loom_topo topo;
		assert_int_equal(loom_topo_parse(&topo, names[i], NULL), 0);
		for (uint32_t far = 1; far < topo.n_nodes; far++) {
			struct loom_route route;
			uint32_t want[16], n = 0;
			loom_route_begin(&route, &topo, 0, far, LOOM_RULE_ASCENDING);
			for (uint32_t channel; loom_route_next(&route, &channel); n++)
				want[n] = channel * topo.n_vcs + (loom_topo_is_local(&topo, channel) ? 0 : route.vc);
			assert_true(n >= 2 && n <= 15);
			for (uint32_t room = 0; room <= n + 1; room++) {
				uint32_t way[17];
				memset(way, 0xa5, sizeof way);
				loom_route_begin(&route, &topo, 0, far, LOOM_RULE_ASCENDING);
				assert_int_equal(loom_machine_way(way, room, &route), n);
				for (uint32_t k = 0; k < 17; k++)
					assert_int_equal(way[k], k < n && k < room ? want[k] : 0xa5a5a5a5);
			}
		}
		loom_topo_free(&topo);
	}
}

// A cube's ways need not be told where its routers take dimensions in order, and each channel has one lane and two
// slots.
static void test_known_ways(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		unsigned n_dims;
	} rows[] = {{"cube:1", 1},   {"cube:5", 5},       {"cube:3v2", 0}, {"cube:3b3", 0},
	            {"cube:3d1", 0}, {"table-cube:3", 0}, {"mesh:2x2", 0}, {"omega:8", 0}};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct loom_machine_network network;
		struct loom_topo topo;
		assert_int_equal(loom_topo_parse(&topo, rows[i].name, NULL), 0);
		assert_int_equal(loom_machine_network_make(&network, &topo, LOOM_RULE_ASCENDING, NULL), 0);
		assert_int_equal(network.net.n_dims, rows[i].n_dims);
		assert_int_equal(loom_machine_knows_ways(&network.net, LOOM_RULE_ASCENDING), rows[i].n_dims > 0);
		assert_false(loom_machine_knows_ways(&network.net, LOOM_RULE_DESCENDING));
		loom_machine_network_free(&network);
		loom_topo_free(&topo);
	}
}

// --- Routers that choose --------------------------------------------------------------------------------------------

// No router draws from state 0, at which an LFSR stands still; of 65,536 nodes, which have each state once, one has
// another's.
static void test_first_states(void **state)
{
	(void)state;
	enum { STATES = 1 << 16 };
	static unsigned char n_of[STATES];
	struct loom_machine_network network = {0};
	struct loom_topo topo;
	assert_int_equal(loom_topo_parse(&topo, "cube:16", NULL), 0);
	assert_int_equal(topo.n_nodes, STATES);
	assert_int_equal(loom_machine_network_choose(&network, &topo, LOOM_SELECT_LRU, NULL), 0);
	assert_ptr_equal(network.net.topo, &topo);
	assert_ptr_equal(network.net.memory, &network.memory);
	assert_int_equal(network.net.select, LOOM_SELECT_LRU);
	assert_int_equal(network.memory.cycles, 0);
	for (uint32_t u = 0; u < STATES; u++)
		n_of[network.memory.random[u]]++;
	for (uint32_t x = 0; x < STATES; x++)
		assert_int_equal(n_of[x], x == 0 ? 0 : x == 1 ? 2 : 1);
	assert_int_equal(network.memory.random[0], 0x1d0f); // as in rtl/chip/fabric_tile.sv
	for (size_t k = 0; k < (size_t)STATES * 16; k++)
		assert_int_equal(network.memory.given[k], 0);
	assert_ptr_equal(loom_machine_engine(&network.net), &loom_engine_adaptive);
	loom_machine_network_free(&network);
	assert_null(network.memory.random);
	loom_topo_free(&topo);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_direct),     cmocka_unit_test(test_stages),       cmocka_unit_test(test_ways),
		cmocka_unit_test(test_known_ways), cmocka_unit_test(test_first_states),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
