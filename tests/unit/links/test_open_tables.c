// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Tables of the routers of an open fabric: on which fabrics one table of a router is all of its routes, and what is loaded.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <flitloom/link/regmap.h>
#include <flitloom/routes/graph.h>

#include "links/open_tables.h"
#include "unit/help/random_graphs.h"
#include "unit/help/routes.h"

enum { NODES = 32 };

// The tables of the routers, as they were written.
struct tables {
	uint32_t port[NODES][NODES];
	unsigned n_written[NODES], n_fails; // n_fails: the number of the write that is refused; 0: none
};

static int transfer(struct loom_link *link, const struct loom_transfer *list, size_t n, unsigned timeout_ms,
                    struct loom_err *err)
{
	struct tables *t = link->state;
	assert_int_equal(timeout_ms, 1234);
	for (size_t i = 0; i < n; i++) {
		uint32_t here = list[i].address >> LOOM_INDEX_LOW & 0xfff;
		assert_true(list[i].write && !list[i].fixed && here < NODES && list[i].n_words <= NODES);
		assert_int_equal(list[i].address, LOOM_WINDOW_ROUTE | here << LOOM_INDEX_LOW);
		if (t->n_fails && --t->n_fails == 0)
			return loom_fail(err, LOOM_ELINK, "it is gone");
		memcpy(t->port[here], list[i].write, list[i].n_words * sizeof *list[i].write);
		t->n_written[here]++;
	}
	return 0;
}

static const struct loom_link_kind kind = {.name = "tables", .transfer = transfer};

static void expect_loaded(const struct loom_topo *t)
{
	struct tables tables = {0};
	struct loom_link link = {.kind = &kind, .state = &tables, .timeout_ms = 1234};
	assert_int_equal(loom_open_tables_load(&link, t, NULL), 0);
	for (uint32_t u = 0; u < t->n_nodes; u++) {
		assert_int_equal(tables.n_written[u], 1);
		for (uint32_t v = 0; v < t->n_nodes; v++) { // follows the route of flits from each node by the table
			uint32_t at = u, per_tile = loom_topo_channels_per_tile(t), all[NODES + 2];
			unsigned n = route_of(all, NODES + 2, t, u, v, LOOM_RULE_ASCENDING), k = 1;
			assert_int_equal(tables.port[u][v] == 0, u == v); // to the node itself
			if (u == v)
				continue;
			while (at != v) {
				uint32_t next;
				unsigned q;
				assert_int_equal(all[k], at * per_tile + tables.port[at][v] - 1);
				assert_true(t->kind->link(t, at, tables.port[at][v] - 1, &next, &q));
				at = next;
				k++;
			}
			assert_int_equal(k, n - 1); // the way in and the way out
		}
	}
	tables = (struct tables){.n_fails = t->n_nodes};
	struct loom_err err = {0};
	assert_int_equal(loom_open_tables_load(&link, t, &err), LOOM_ELINK);
	assert_string_equal(err.text, "it is gone");
}

static void test_loaded(void **state)
{
	(void)state;
	static const char *const fabrics[] = {"table-mesh:4x4", "table-mesh:2x1", "table-mesh:5x6"};
	struct loom_topo t;
	for (size_t i = 0; i < sizeof fabrics / sizeof fabrics[0]; i++) {
		assert_int_equal(loom_topo_parse(&t, fabrics[i], NULL), 0);
		assert_int_equal(loom_open_tables_check(&t, NULL), 0);
		expect_loaded(&t);
		loom_topo_free(&t);
	}
	// Routers without tables: nothing is written.
	struct tables tables = {0};
	struct loom_link link = {.kind = &kind, .state = &tables, .timeout_ms = 1234};
	assert_int_equal(loom_topo_parse(&t, "mesh:4x4", NULL), 0);
	assert_int_equal(loom_open_tables_check(&t, NULL), 0);
	assert_int_equal(loom_open_tables_load(&link, &t, NULL), 0);
	for (uint32_t u = 0; u < NODES; u++)
		assert_int_equal(tables.n_written[u], 0);
	loom_topo_free(&t);
}

// Refused if some message goes on another lane than the first; so it is with a graph's shortest routes that need several.
static void test_lanes(void **state)
{
	(void)state;
	unsigned n_refused = 0, n_taken = 0;
	for (unsigned seed = 0; seed < 30; seed++) {
		struct loom_graph_wires wires;
		struct loom_topo t;
		struct loom_err err = {0};
		bool one_lane = true;
		unsigned n_vcs = seed % 3 ? 2 : 1;
		if (seed % 5 == 4)
			random_circle(&wires, seed, 5, 0);
		else
			random_graph(&wires, seed, 5 + seed % 9, seed % 7, 0);
		if (loom_topo_of_graph(&t, n_vcs == 2 ? "graph:it:v2" : "graph:it", &wires, n_vcs, &err) != 0) {
			loom_graph_wires_free(&wires);
			continue;
		}
		for (uint32_t u = 0; u < t.n_nodes; u++)
			for (uint32_t v = 0; v < t.n_nodes; v++)
				one_lane = one_lane &&
				           loom_topo_rule(&t, u, v, LOOM_RULE_ASCENDING) == LOOM_RULE_ASCENDING;
		assert_int_equal(loom_open_tables_check(&t, &err), one_lane ? 0 : LOOM_EINPUT);
		if (!one_lane)
			assert_non_null(
				strstr(err.text, "graph:it:v2: its routes are free of deadlocks on 2 lanes together"));
		else
			expect_loaded(&t);
		n_refused += !one_lane;
		n_taken += one_lane;
		loom_topo_free(&t);
		loom_graph_wires_free(&wires);
	}
	assert_true(n_refused > 3 && n_taken > 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_loaded), cmocka_unit_test(test_lanes)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
