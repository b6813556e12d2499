// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares the limits of models' parameters with the checks in the RTL's modules: a fabric is refused with a message
// before Verilator would look for a module illegal_NAME. The limits are written down here apart from the code, each
// beside the modules that check it. What else they check are widths that depend on nothing a user names, so every model
// tries them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "unit/help/hex.h"
#include "links/rtl.h"
#include "links/vline.h"
#include "topo/topo_kinds.h"

static bool is_power(uint32_t n)
{
	return n && (n & (n - 1)) == 0;
}

static const char *illegal(const struct loom_topo *t, const struct loom_chip *c)
{
	const unsigned links = loom_topo_links(t), per_dim = t->kind->complements_bits ? 1 : 2;
	const bool table = t->kind->router == LOOM_ROUTER_TABLE, otis = t->kind->router == LOOM_ROUTER_OTIS;
	if (t->n_nodes < 2 || t->n_nodes > 1024)
		return "NODES"; // fabric, fabric_top, min_network
	if (t->label_bits < 1 || t->label_bits > 12)
		return "LABEL_W"; // node_tile, node_program, header_view, net_router, route_order, route_table
	if (c->flit_bits < 8 || c->flit_bits > 512 || c->flit_bits < 2 * t->label_bits + 4)
		return "FLIT_W"; // node_sender, node_receiver, header_view, net_router
	if (c->program_depth < 2 || c->program_depth > 4096 || !is_power(c->program_depth))
		return "DEPTH"; // node_program
	if (c->program_depth > UINT32_C(1) << (c->flit_bits - 2 * t->label_bits - 3))
		return "INDEX_W"; // node_sender
	if (c->log_depth < 2 || c->log_depth > 8192 || !is_power(c->log_depth))
		return "LOG_DEPTH"; // node_receiver
	if (c->store_slots < 1 || c->store_slots > 15 || c->slot_flits < 2 || !is_power(c->slot_flits))
		return "SLOTS"; // node_store
	if (c->length_bits < 1 || c->length_bits > 16 || c->cycle_bits < 8 || c->cycle_bits > 32)
		return "LENGTH_W"; // node_program, fabric_top
	if (c->n_channels < 1 || c->n_channels > 63)
		return "CHANNELS"; // node_tile, monitor, monitor_memory
	if (t->kind->router == LOOM_ROUTER_CIRCUITS) {
		const uint32_t ports = t->extent[0], switches = t->n_dims > 1 ? t->extent[1] : 1;
		const bool of_2x2 = strcmp(t->kind->name, "ocs-benes") == 0;
		if (c->kind != (of_2x2 ? 32 : 18) || links || t->n_dims > 2)
			return "KIND"; // fabric_shape
		if (ports < 2 || ports > 1024 || (of_2x2 && !is_power(ports)) || switches > 16 ||
		    ports * switches != t->n_nodes || c->n_channels != 2)
			return "EXTENTS"; // fabric_shape, ocs_network, ocs_schedule
		return !is_power(c->preset_passes) || c->preset_passes > 4096 || c->history_runs ? "PRESET_DEPTH"
		                                                                                 : NULL; // ocs_schedule
	}
	if (!links) {
		if (c->kind < 2 || c->kind > 8)
			return "KIND"; // fabric_top, min_network
		if (!is_power(t->n_nodes) || t->n_nodes != UINT32_C(1) << t->label_bits || t->label_bits > 10)
			return "SIZE"; // min_network, min_switch, min_preset
		if (t->n_nodes > 1024 || !is_power(c->history_runs) || c->history_runs < 2 || c->history_runs > 512)
			return "RUNS";                                                                 // history
		return !is_power(c->preset_passes) || c->preset_passes > 4096 ? "PRESET_DEPTH" : NULL; // min_preset
	}
	if (links > 24 || (!table && links != (otis ? 5 : t->n_dims * per_dim)))
		return "LINKS"; // fabric, net_router; route_table: PORTS
	if (t->n_dims < 1 || t->n_dims > 12)
		return "DIMS"; // fabric, route_order
	if (t->n_vcs < 1 || t->n_vcs > (otis ? 2 : 8))
		return "V"; // net_router, route_order, route_otis
	if (links * t->n_vcs + 1 > 64)
		return "V"; // wh_router
	if (table && c->rule_bits < (t->n_vcs > 4 ? 3 : t->n_vcs > 2 ? 2 : 1))
		return "RULE_W"; // net_router
	if (table && t->label_bits + (t->n_vcs > 4 ? 3 : t->n_vcs > 2 ? 2 : 1) > 12)
		return "LABEL_W"; // fabric_tile
	if (!table && t->kind->wraps && per_dim != 2)
		return "WRAP"; // route_order
	if (otis && (t->label_bits != 4 && t->label_bits != 8))
		return "LABEL_W"; // route_otis, of as many nodes as fabric takes
	if (otis && (t->n_dims != 4 || t->n_nodes != t->extent[0] * t->extent[1] * t->extent[2] * t->extent[3] ||
	             t->extent[1] != t->extent[0] || t->extent[2] != t->extent[0] || t->extent[3] != t->extent[0]))
		return "EXTENTS"; // fabric
	if (otis ? t->light_cycles > 63 : t->light_cycles != 0)
		return "LIGHT_CYCLES"; // fabric, otis_link
	if (otis ? t->light_ratio < 1 || t->light_ratio > 16 : t->light_ratio != 0)
		return "LIGHT_RATIO"; // fabric, otis_link
	for (unsigned d = 0; d < t->n_dims; d++)
		if (t->extent[d] < 1 || t->extent[d] > 1024 || (!table && per_dim == 1 && t->extent[d] != 2))
			return "EXTENTS"; // route_order
	for (uint32_t u = 0; u < t->n_nodes; u++)
		for (unsigned p = 0; p < links; p++) {
			uint32_t wire = loom_topo_wire(t, u, p), v = wire & 0xfff, q = wire >> 12 & 0x1ff;
			if (wire == 0)
				continue;
			if (v >= t->n_nodes || q >= links ||
			    loom_topo_wire(t, v, (unsigned)q) != (1u << 23 | p << 12 | u))
				return "WIRES"; // fabric
			if (otis && (p == 4) != (q == 4))
				return "WIRES"; // fabric: light leads to light
		}
	return NULL;
}

static bool try_fabric(const char *name)
{
	struct loom_topo t;
	struct loom_rtl rtl;
	struct loom_err err = {0};
	if (loom_topo_parse(&t, name, NULL) != 0)
		return false;
	int rc = loom_rtl_of_fabric(&rtl, name, &err);
	if (rc != 0) {
		char says[LOOM_TOPO_NAME + 40];
		(void)snprintf(says, sizeof says, "no RTL for %s: it takes up to ", t.name);
		assert_int_equal(rc, LOOM_EINPUT);
		if (strncmp(err.text, says, strlen(says)) != 0)
			fail_msg("%s", err.text);
		return false;
	}
	const char *wrong = illegal(&t, &rtl.chip);
	if (wrong)
		fail_msg("%s: illegal_%s", name, wrong);
	assert_int_equal(loom_chip_check(&rtl.chip, NULL), 0); // as the simulated chip will be asked
	loom_rtl_free(&rtl);
	return true;
}

static void test_by_nodes(void **state)
{
	(void)state;
	static const uint32_t sizes[] = {0,   1,   2,   3,   4,    5,    8,    9,    16,   31,   64,     100,
	                                 255, 256, 257, 512, 1000, 1023, 1024, 1025, 2048, 4096, 1048576};
	for (size_t k = 0; loom_topo_kind_at(k); k++) {
		unsigned n_taken = 0;
		if (!loom_topo_kind_at(k)->size_near)
			continue;
		for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
			struct loom_topo t;
			assert_int_equal(loom_topo_near(&t, loom_topo_kind_at(k)->name, sizes[i], NULL), 0);
			bool taken = try_fabric(t.name);
			if (taken != (t.n_nodes <= 1024))
				fail_msg("%s is %staken", t.name, taken ? "" : "not ");
			n_taken += taken;
		}
		assert_true(n_taken >= 9);
	}
}

// Shapes about the limits: digits of labels, dimensions, links.
static void test_by_shape(void **state)
{
	(void)state;
	static const struct {
		const char *size;
		bool taken;
	} rows[] = {
		{"1x2", true},
		{"2x2x2x2x2x2x2x2x2x2", true},
		{"2x2x2x2x2x2x2x2x2x2x1x1", true},    // 12 bits, 12 dimensions
		{"2x2x2x2x2x2x2x2x2x2x1x1x1", false}, // 13 of each
		{"2x1x1x1x1x1x1x1x1x1x1x1x1", false},
		{"2x1x1x1x1x1x1x1x1x1x1x1", true},
		{"2x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1", false},
		{"5x5x5x5", true},
		{"3x3x3x3x3x3", true},  // 729 nodes, 12 bits
		{"9x9x9", true},        // 12 bits
		{"5x5x5x3x2", true},    // 12 bits
		{"5x5x5x3x1x1", false}, // 13
		{"1024x1", true},
		{"1x1024", true},
		{"1x1025", false},
		{"17x33", true},        // 11 bits
		{"4x4x4x4x4x4", false}, // 4096 nodes
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		for (unsigned wraps = 0; wraps < 2; wraps++) {
			char name[64];
			(void)snprintf(name, sizeof name, "%s:%s", wraps ? "torus" : "mesh", rows[i].size);
			if (try_fabric(name) != rows[i].taken)
				fail_msg("%s is %staken", name, rows[i].taken ? "not " : "");
		}
}

// Lanes of a router: 64.
static void test_by_lanes(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		bool taken;
	} rows[] = {
		{"table-mesh:30x30v2", true},
		{"table-torus:32x32v4", true},
		{"table-cube:10v4", true},
		{"table-cube:10v5", false},
		{"table-mesh:16x32v8", true},
		{"table-mesh:19x27v5", false},
		{"table-mesh:2x2x2x2x2x2x2v4", true},
		{"table-mesh:2x2x2x2x2x2x2x2v4", false},
		{"table-mesh:2x2x2x2x2x2x2x2v2", true},
		{"torus:8x8v2", true},
		{"cube:7v8", true},
		{"cube:8v8", false},
		{"cube:10v6", true},
		{"mesh:8x8v3", true},
		{"torus:4x4x4v8", true},
		{"line:1024v5", true},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (try_fabric(rows[i].name) != rows[i].taken)
			fail_msg("%s is %staken", rows[i].name, rows[i].taken ? "not " : "");
}

// Routers with tables take other numbers of links and dimensions than grids can have.
static void test_other_kinds(void **state)
{
	(void)state;
	struct loom_topo t;
	struct loom_err err = {0};
	assert_int_equal(loom_topo_of_size(&t, &hex_kind, "4x4", NULL), 0);
	assert_int_equal(loom_rtl_takes(&t, &err), 0);
	t.ports = 25;
	assert_int_equal(loom_rtl_takes(&t, &err), 0);
	t.ports = 26;
	assert_int_equal(loom_rtl_takes(&t, &err), LOOM_EINPUT);
	assert_string_equal(err.text, "no RTL for hex:4x4: it takes up to 12 dimensions, and 24 links of a node");
	t.ports = 7;
	t.n_dims = 12;
	assert_int_equal(loom_rtl_takes(&t, &err), 0);
	t.n_dims = 13;
	assert_int_equal(loom_rtl_takes(&t, &err), LOOM_EINPUT);
}

static unsigned n_words(const struct loom_rtl *rtl, const char *word)
{
	unsigned n = 0;
	for (size_t i = 0; i < rtl->n_words; i++)
		n += strcmp(rtl->words[i], word) == 0;
	return n;
}

// An OTIS-Mesh has parameters for light; other fabrics keep their parameters.
static void test_light(void **state)
{
	(void)state;
	static const char *const taken[] = {"otis-mesh:4", "otis-mesh:16v2", "otis-mesh:4l63w16v2", "otis-mesh:16l4"};
	struct loom_rtl rtl;
	for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++)
		if (!try_fabric(taken[i]))
			fail_msg("%s is not taken", taken[i]);
	assert_false(try_fabric("otis-mesh:64"));
	assert_int_equal(loom_rtl_of_fabric(&rtl, "otis-mesh:4l3w2v2", NULL), 0);
	assert_int_equal(n_words(&rtl, "-GKIND=17"), 1);
	assert_int_equal(n_words(&rtl, "-GOTIS=1"), 1);
	assert_int_equal(n_words(&rtl, "-GLIGHT_CYCLES=3"), 1);
	assert_int_equal(n_words(&rtl, "-GLIGHT_RATIO=2"), 1);
	assert_int_equal(n_words(&rtl, "-GV=2"), 1);
	assert_int_equal(rtl.chip.light_cycles, 3);
	assert_int_equal(rtl.chip.light_ratio, 2);
	assert_string_equal(rtl.name, "otis-mesh4l3w2v2");
	loom_rtl_free(&rtl);
	assert_int_equal(loom_rtl_of_fabric(&rtl, "mesh:4x4", NULL), 0);
	for (size_t i = 0; i < rtl.n_words; i++)
		if (strstr(rtl.words[i], "OTIS") || strstr(rtl.words[i], "LIGHT"))
			fail_msg("%s for mesh:4x4", rtl.words[i]);
	assert_int_equal(rtl.chip.light_cycles | rtl.chip.light_ratio, 0);
	loom_rtl_free(&rtl);
}

// Networks whose routers go by coordinates have adaptive routers: another model, with rules of four bits and a number the less for
// messages; all else stays.
static void test_adaptive(void **state)
{
	(void)state;
	static const struct {
		const char *name, *model;
	} rows[] = {{"cube:3", "cube3-adaptive"},
	            {"mesh:8x8v2", "mesh8x8v2-adaptive"},
	            {"torus:4x4v2", "torus4x4v2-adaptive"},
	            {"line:5", "line5-adaptive"},
	            {"table-mesh:3x3", NULL},
	            {"omega:8", NULL},
	            {"otis-mesh:4", NULL}};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct loom_topo t;
		struct loom_rtl rtl, usual;
		struct loom_err err = {0};
		assert_int_equal(loom_topo_parse(&t, rows[i].name, NULL), 0);
		assert_int_equal(loom_rtl_of_topo(&rtl, &t, NULL), 0);
		assert_int_equal(loom_rtl_of_topo(&usual, &t, NULL), 0);
		const int rc = loom_rtl_set_adaptive(&rtl, &t, &err);
		if (!rows[i].model) {
			assert_int_equal(rc, LOOM_EINPUT);
			assert_non_null(strstr(err.text, "no adaptive routers for "));
			assert_int_equal(rtl.chip.adaptive, 0);
		} else {
			assert_int_equal(rc, 0);
			assert_string_equal(rtl.name, rows[i].model);
			assert_int_equal(rtl.chip.adaptive, 1);
			assert_int_equal(rtl.chip.rule_bits, 4);
			assert_int_equal(rtl.chip.program_depth, loom_rtl_program_depth(&rtl.chip));
			assert_int_equal(loom_chip_check(&rtl.chip, NULL), 0);
			assert_int_equal(rtl.n_words, usual.n_words);
			size_t n_nodes = 0;
			for (size_t k = 0; k < rtl.n_words; k++)
				n_nodes += strncmp(rtl.words[k], "-GNODE=672'h0000000000000001", 28) == 0;
			assert_int_equal(n_nodes, 1);
		}
		loom_rtl_free(&usual);
		loom_rtl_free(&rtl);
		loom_topo_free(&t);
	}
}

// A node of an OTIS-Mesh keeps seven short items, of other networks three long ones.
static void test_stores(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		uint32_t slots, flits;
	} rows[] = {{"otis-mesh:4", 7, 512}, {"otis-mesh:16v2", 7, 512}, {"cube:3", 3, 2048}, {"omega:8", 3, 2048}};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct loom_rtl rtl;
		assert_int_equal(loom_rtl_of_fabric(&rtl, rows[i].name, NULL), 0);
		assert_int_equal(rtl.chip.store_slots, rows[i].slots);
		assert_int_equal(rtl.chip.slot_flits, rows[i].flits);
		loom_rtl_free(&rtl);
	}
}

// uart_rx, uart_tx, link_registers: the clock and the rate that a user may name.
static void test_line(void **state)
{
	(void)state;
	static const struct {
		const char *settings;
		bool good;
	} rows[] = {
		{"clock=1000,baud=250", true},         {"clock=1000,baud=251", false},
		{"clock=999,baud=100", false},         {"clock=1000,baud=0", false},
		{"clock=1000000000,baud=50", false},   {"clock=3276800,baud=50", true},
		{"clock=3276849,baud=50", true},       {"clock=3276850,baud=50", false},
		{"clock=1000000001,baud=9600", false}, {"clock=-1,baud=9600", false},
		{"clock=99999999999999999999", false}, {"baud=", false},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct loom_vline_settings s;
		struct loom_err err = {0};
		char text[64];
		(void)snprintf(text, sizeof text, "%s", rows[i].settings);
		int rc = loom_vline_parse(&s, text, "cube:2", &err);
		if (rc != (rows[i].good ? 0 : LOOM_EINPUT))
			fail_msg("%s: %d %s", rows[i].settings, rc, err.text);
		if (rc == 0)
			assert_true(s.baud >= 1 && s.clock_hz / 4 >= s.baud && s.clock_hz / s.baud <= 65536);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_by_nodes),    cmocka_unit_test(test_by_shape), cmocka_unit_test(test_by_lanes),
		cmocka_unit_test(test_other_kinds), cmocka_unit_test(test_light),    cmocka_unit_test(test_line),
		cmocka_unit_test(test_stores),      cmocka_unit_test(test_adaptive),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
