// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks what the user's own tables do, and what is wrong with them, against one message at a time that is carried from
// node to node.
#include <flitloom/routes/table_file.h>

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "plan/routes/table_ways.h"

enum { NODES = 20, LABELS = 16, NETWORKS = 3, ROUNDS = 400, PLACES_MOST = NODES * 6 * NETWORKS };
#define NONE UINT32_MAX

// Tables in the plainest form, with room for labels and networks that no chip has.
struct scene {
	struct loom_topo topo;
	struct loom_rng rng;
	uint32_t port[NETWORKS][LABELS][NODES]; // NONE: no entry
	uint32_t label_of[LABELS];              // its number in the file
};

static uint32_t below(struct scene *s, uint32_t bound)
{
	return (uint32_t)loom_rng_below(&s->rng, bound);
}

// Makes a tree to one node, of all nodes or fewer: each joins by a link to a node of the tree.
static void plant_tree(struct scene *s, uint32_t *port)
{
	uint32_t n_nodes = s->topo.n_nodes, to;
	unsigned q;
	port[below(s, 1 + below(s, n_nodes))] = 0;
	for (uint32_t tries = 30 * below(s, n_nodes); tries-- > 0;) {
		uint32_t from = below(s, n_nodes), p = below(s, loom_topo_links(&s->topo));
		if (port[from] == NONE && s->topo.kind->link(&s->topo, from, p, &to, &q) && port[to] != NONE)
			port[from] = p + 1;
	}
}

static void plant_mistake(struct scene *s, uint32_t *port)
{
	uint32_t u = below(s, s->topo.n_nodes);
	switch (below(s, 3)) {
	case 0: port[u] = NONE; break;
	case 1: port[u] = below(s, loom_topo_links(&s->topo) + 1); break; // round, off the edge, or well
	default: port[u] = below(s, 8) ? 5 + below(s, 300) : UINT32_MAX - 1; break;
	}
}

static void make_scene(struct scene *s, unsigned seed, unsigned mistakes)
{
	static const char *const fabrics[] = {"table-mesh:4x4", "table-mesh:4x5", "table-mesh:2x2x3", "table-mesh:1x6"};
	loom_rng_init(&s->rng, seed);
	assert_int_equal(loom_topo_parse(&s->topo, fabrics[seed % 4], NULL), 0);
	s->topo.n_vcs = 1 + seed / 4 % 2; // whatever the kind has: only tables are looked at
	memset(s->port, 0xff, sizeof s->port);
	for (uint32_t label = 0; label < LABELS; label++)
		s->label_of[label] = label;
	for (uint32_t network = 0; network < s->topo.n_vcs; network++)
		for (uint32_t label = below(s, 3), end = below(s, LABELS + 1); label < end; label += 1 + below(s, 2))
			plant_tree(s, s->port[network][label]);
	for (unsigned k = 0; k < mistakes; k++)
		plant_mistake(s, s->port[below(s, s->topo.n_vcs)][below(s, LABELS)]);
}

// Reads the tables through the parser, with lines in random order.
static struct loom_table_file own_of(struct scene *s)
{
	static char text[NETWORKS * LABELS * NODES * 32];
	struct loom_table_file own;
	struct loom_err err = {0};
	size_t used = 0;
	for (uint32_t node = 0; node < s->topo.n_nodes; node++)
		for (uint32_t network = NETWORKS; network-- > 0;)
			for (uint32_t label = LABELS; label-- > 0;)
				if (s->port[network][label][node] != NONE)
					used += (size_t)snprintf(text + used, sizeof text - used, "%u,%u,%u,%u\n", node,
					                         network, s->label_of[label],
					                         s->port[network][label][node]);
	if (loom_table_file_parse(&own, &s->topo, text, used, "here", &err) != 0)
		fail_msg("%s", err.text);
	return own;
}

static bool is_empty(const struct scene *s)
{
	for (size_t k = 0; k < sizeof s->port / sizeof(uint32_t); k++)
		if ((&s->port[0][0][0])[k] != NONE)
			return false;
	return true;
}

// --- One message at a time -----------------------------------------------------------------------------------------------

struct carried {
	const char *fault; // how its text begins; NULL: it arrived
	uint32_t at;       // the node of the fault, or where it arrived
	uint32_t from;     // of a node without an entry
	uint32_t n, channel[4 * NODES];
};

static struct carried carry(const struct scene *s, const uint32_t *port, uint32_t source)
{
	struct carried c = {.at = source, .from = source};
	unsigned q;
	for (uint32_t to; c.fault == NULL; c.from = c.at, c.at = to) {
		uint32_t p = port[c.at];
		if (p == NONE) {
			c.fault = "no entry, and node ";
			return c;
		}
		if (p == 0)
			return c;
		if (p > loom_topo_links(&s->topo))
			c.fault = "there is no port ";
		else if (!s->topo.kind->link(&s->topo, c.at, p - 1, &to, &q))
			c.fault = "leaves the network: there is no link ";
		else if (c.n == 3 * NODES) // all nodes of the circle were passed in the last NODES steps
			c.fault = "goes round for ever: ";
		if (c.fault)
			break;
		c.channel[c.n++] = c.at * loom_topo_channels_per_tile(&s->topo) + p - 1;
	}
	for (uint32_t k = c.n - NODES; c.n == 3 * NODES && k < c.n; k++) {
		uint32_t node = c.channel[k] / loom_topo_channels_per_tile(&s->topo);
		c.at = node < c.at ? node : c.at;
	}
	return c;
}

// --- Faults --------------------------------------------------------------------------------------------------------------

static bool is_listed(const struct loom_table_faults *faults, const struct carried *c, uint32_t network, uint32_t label)
{
	for (size_t i = 0; i < faults->n; i++) {
		const struct loom_table_fault *f = &faults->fault[i];
		if (f->node == c->at && f->network == network && f->label == label &&
		    strncmp(f->what, c->fault, strlen(c->fault)) == 0)
			return true;
	}
	return false;
}

// Each mistake is listed, once, and nothing else is.
static void test_mistakes(void **state)
{
	unsigned n_with = 0;
	(void)state;
	for (unsigned seed = 0; seed < ROUNDS; seed++) {
		static struct scene s;
		static bool wrong[NETWORKS][LABELS][NODES][4];
		struct loom_table_faults faults;
		size_t n = 0;
		make_scene(&s, seed, seed % 8);
		if (is_empty(&s))
			continue;
		struct loom_table_file own = own_of(&s);
		memset(wrong, 0, sizeof wrong);
		assert_int_equal(loom_table_file_check(&faults, &own, &s.topo, NULL), 0);
		for (uint32_t network = 0; network < NETWORKS; network++)
			for (uint32_t label = 0; label < LABELS; label++)
				for (uint32_t u = 0; u < s.topo.n_nodes; u++) {
					if (s.port[network][label][u] == NONE)
						continue;
					struct carried c = carry(&s, s.port[network][label], u);
					if (!c.fault)
						continue;
					if (!is_listed(&faults, &c, network, label))
						fail_msg("seed %u: node %u, network %u, label %u: %s is not listed",
						         seed, c.at, network, label, c.fault);
					bool *seen = &wrong[network][label][c.at][strchr("tlng", c.fault[0]) - "tlng"];
					n += !*seen;
					*seen = true;
				}
		if (n != faults.n || n != faults.n_all)
			fail_msg("seed %u: %zu faults, and %zu are listed", seed, n, faults.n);
		n_with += n != 0;
		loom_table_faults_free(&faults);
		loom_table_file_free(&own);
	}
	assert_in_range(n_with, ROUNDS / 4, ROUNDS * 7 / 8);
}

static void expect_fault(const char *fabric, unsigned n_vcs, const char *text, const char *why)
{
	struct loom_topo topo;
	struct loom_table_file own;
	struct loom_route_tables tables;
	struct loom_err err = {0};
	assert_int_equal(loom_topo_parse(&topo, fabric, NULL), 0);
	topo.n_vcs = n_vcs;
	assert_int_equal(loom_table_file_parse(&own, &topo, text, strlen(text), "here", NULL), 0);
	assert_int_equal(loom_route_tables_of_file(&tables, &own, &topo, &err), LOOM_EINPUT);
	if (strcmp(err.text, why) != 0)
		fail_msg("%s: %s", text, err.text);
	loom_table_file_free(&own);
}

static void test_words(void **state)
{
	(void)state;
	expect_fault("table-mesh:4x4", 1, "5,3,+y\n9,3,7",
	             "tables: node 9, network 0, label 3: there is no port 7; a router has ports 0 (local) to 4");
	expect_fault("table-mesh:4x4", 1, "3,3,+x",
	             "tables: node 3, network 0, label 3: leaves the network: there is no link +x (port 1)");
	expect_fault("table-mesh:4x4", 1, "0,3,+x\n4,3,-y",
	             "tables: node 1, network 0, label 3: no entry, and node 0 sends messages there");
	expect_fault("table-mesh:4x4", 1, "0,3,+x\n2,3,-x\n1,3,+x\n3,3,-x",
	             "tables: node 1, network 0, label 3: goes round for ever: 1, 2, 1");
	expect_fault("table-mesh:4x4", 1, "0,63,local\n0,64,local\n1,64,local\n0,70,local",
	             "tables: node 0, network 0, label 64: a table has room for labels 0..63: of the 3 labels 1 fit");
	expect_fault(
		"table-mesh:4x4", 1, "0,1,0,local",
		"tables: node 0, network 1, label 0: there is no such network: links of table-mesh:4x4 have 1 lane, "
		"and a network is a lane");
	expect_fault(
		"table-mesh:4x4", 2, "0,1,0,local\n3,2,0,local\n3,1,0,+x",
		"tables: node 3, network 1, label 0: leaves the network: there is no link +x (port 1) (and 1 more: "
		"flitloom check)");
}

// More than are listed.
static void test_many(void **state)
{
	static char text[30 * 36 * 16];
	struct loom_topo topo;
	struct loom_table_file own;
	struct loom_table_faults faults;
	size_t used = 0;
	(void)state;
	assert_int_equal(loom_topo_parse(&topo, "table-mesh:6x6", NULL), 0);
	for (unsigned label = 0; label < 30; label++)
		for (unsigned node = 0; node < 36; node++)
			used += (size_t)snprintf(text + used, sizeof text - used, "%u,%u,9\n", node, label);
	assert_int_equal(loom_table_file_parse(&own, &topo, text, used, "here", NULL), 0);
	assert_int_equal(loom_table_file_check(&faults, &own, &topo, NULL), 0);
	assert_int_equal(faults.n_all, 30 * 36);
	assert_int_equal(faults.n, LOOM_TABLE_FAULTS_MAX);
	loom_table_faults_free(&faults);
	loom_table_file_free(&own);
}

// --- Ways ----------------------------------------------------------------------------------------------------------------

struct sums {
	struct loom_table_ways ways;
	bool edge[PLACES_MOST][PLACES_MOST]; // from lane to lane
	bool edge_of[LABELS][PLACES_MOST];   // the label's messages hold that lane, and ask for another one
};

static void sum_up(struct sums *sums, const struct scene *s)
{
	static uint64_t load[NODES * 8];
	static bool pair[NODES][NODES];
	memset(sums, 0, sizeof *sums);
	memset(load, 0, sizeof load);
	memset(pair, 0, sizeof pair);
	for (uint32_t network = 0; network < NETWORKS; network++)
		for (uint32_t label = 0; label < LABELS; label++) {
			bool any = false;
			for (uint32_t u = 0; u < s->topo.n_nodes; u++) {
				if (s->port[network][label][u] == NONE)
					continue;
				struct carried c = carry(s, s->port[network][label], u);
				any = true;
				sums->ways.n_entries++;
				sums->ways.n_pairs += c.at != u && !pair[u][c.at];
				pair[u][c.at] = true;
				sums->ways.longest = c.n > sums->ways.longest ? c.n : sums->ways.longest;
				for (uint32_t k = 0; k < c.n; k++) {
					uint32_t lane = c.channel[k] * s->topo.n_vcs + network;
					load[c.channel[k]]++;
					if (k + 1 < c.n) {
						sums->edge[lane][c.channel[k + 1] * s->topo.n_vcs + network] = true;
						sums->edge_of[label][lane] = true;
					}
				}
			}
			sums->ways.n_labels += any;
		}
	for (uint32_t channel = 0; channel < loom_topo_channels(&s->topo); channel++)
		if (load[channel] > sums->ways.most) {
			sums->ways.most = load[channel];
			sums->ways.most_channel = channel;
		}
}

// Removes lanes that wait for no remaining lane, again and again. True if some are left: they have a circle.
static bool has_circle(struct sums *sums, uint32_t n_places)
{
	static bool gone[PLACES_MOST];
	memset(gone, 0, sizeof gone);
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t a = 0; a < n_places; a++) {
			bool waits = false;
			for (uint32_t b = 0; b < n_places; b++)
				waits = waits || (sums->edge[a][b] && !gone[b]);
			changed = changed || (!gone[a] && !waits);
			gone[a] = gone[a] || !waits;
		}
	}
	for (uint32_t a = 0; a < n_places; a++)
		if (!gone[a])
			return true;
	return false;
}

static void check_circle(const struct loom_lane_circle *circle, struct sums *sums, const struct scene *s, unsigned seed)
{
	uint32_t n_vcs = s->topo.n_vcs;
	if (has_circle(sums, loom_topo_channels(&s->topo) * n_vcs) != (circle->n != 0))
		fail_msg("seed %u: a circle of %zu channels", seed, circle->n);
	for (size_t k = 0; k < circle->n; k++) {
		const struct loom_lane *here = &circle->at[k], *next = &circle->at[(k + 1) % circle->n];
		assert_true(sums->edge[here->channel * n_vcs + here->lane][next->channel * n_vcs + next->lane]);
		assert_true(sums->edge_of[here->message][here->channel * n_vcs + here->lane]);
	}
}

static void check_messages(const struct loom_route_tables *tables, struct scene *s)
{
	struct loom_message m[1];
	struct loom_chosen_ways ways;
	struct loom_err err = {0};
	for (unsigned k = 0; k < 30; k++) {
		m[0] = (struct loom_message){
			.source = below(s, s->topo.n_nodes), .destination = below(s, s->topo.n_nodes), .flits = 1};
		bool found = m[0].source == m[0].destination;
		uint32_t at_network = 0, at_label = 0;
		struct carried c = {0};
		for (uint32_t way = 0; !found && way < NETWORKS * LABELS; way++) {
			at_network = way / LABELS;
			at_label = way % LABELS;
			if (s->port[at_network][at_label][m[0].source] == NONE)
				continue;
			c = carry(s, s->port[at_network][at_label], m[0].source);
			found = c.at == m[0].destination;
		}
		int rc = loom_table_ways_choose(&ways, tables, &s->topo, m, 1, &err);
		assert_int_equal(rc, found ? 0 : LOOM_EINPUT);
		if (!found) {
			assert_non_null(strstr(err.text, "message 0: in the tables no label leads from node "));
			continue;
		}
		if (m[0].source == m[0].destination)
			c.n = at_network = at_label = 0;
		assert_int_equal(ways.network[0], at_network);
		assert_int_equal(ways.label[0], at_label);
		assert_int_equal(ways.routes.first[1], c.n);
		assert_memory_equal(ways.routes.channel, c.channel, c.n * sizeof *c.channel);
		loom_chosen_ways_free(&ways);
	}
}

static void test_ways(void **state)
{
	unsigned n_circles = 0, n_free = 0;
	(void)state;
	for (unsigned seed = 0; seed < ROUNDS; seed++) {
		static struct scene s;
		static struct sums sums;
		struct loom_route_tables tables;
		struct loom_table_ways ways = {0};
		struct loom_lane_circle circle;
		struct loom_err err = {0};
		make_scene(&s, seed, 0);
		if (is_empty(&s))
			continue;
		struct loom_table_file own = own_of(&s);
		if (loom_route_tables_of_file(&tables, &own, &s.topo, &err) != 0 ||
		    loom_table_ways_count(&ways, &tables, &s.topo, &err) != 0 ||
		    loom_table_ways_circle(&circle, &tables, &s.topo, &err) != 0)
			fail_msg("seed %u: %s", seed, err.text);
		sum_up(&sums, &s);
		assert_int_equal(ways.n_labels, sums.ways.n_labels);
		assert_int_equal(ways.n_entries, sums.ways.n_entries);
		assert_int_equal(ways.n_pairs, sums.ways.n_pairs);
		assert_int_equal(ways.longest, sums.ways.longest);
		assert_int_equal(ways.most, sums.ways.most);
		assert_int_equal(ways.most_channel, sums.ways.most_channel);
		check_circle(&circle, &sums, &s, seed);
		check_messages(&tables, &s);
		n_circles += circle.n != 0;
		n_free += circle.n == 0;
		loom_lane_circle_free(&circle);
		loom_route_tables_free(&tables);
		loom_table_file_free(&own);
	}
	assert_true(n_circles > ROUNDS / 8);
	assert_true(n_free > ROUNDS / 8);
}

static void test_no_way(void **state)
{
	static const char text[] = "0,0,local\n0,1,+x\n1,1,local\n0,2,+x\n1,2,+x\n2,2,local\n";
	struct loom_message m[] = {
		{.source = 0, .destination = 2}, {.source = 0, .destination = 3}, {.source = 7, .destination = 0}};
	struct loom_topo topo;
	struct loom_table_file own;
	struct loom_route_tables tables;
	struct loom_chosen_ways ways;
	struct loom_err err = {0};
	(void)state;
	assert_int_equal(loom_topo_parse(&topo, "table-mesh:2x4", NULL), 0);
	assert_int_equal(loom_table_file_parse(&own, &topo, text, strlen(text), "here", NULL), 0);
	assert_int_equal(loom_route_tables_of_file(&tables, &own, &topo, NULL), 0);
	assert_int_equal(loom_table_ways_choose(&ways, &tables, &topo, m, 3, &err), LOOM_EINPUT);
	assert_string_equal(err.text,
	                    "message 1: in the tables no label leads from node 0 to node 3; of node 0: its labels "
	                    "lead to 0, 1, 2");
	assert_int_equal(loom_table_ways_choose(&ways, &tables, &topo, m + 2, 1, &err), LOOM_EINPUT);
	assert_string_equal(err.text,
	                    "message 0: in the tables no label leads from node 7 to node 0; of node 7: it has no "
	                    "entry for any label");
	loom_route_tables_free(&tables);
	loom_table_file_free(&own);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mistakes), cmocka_unit_test(test_words),  cmocka_unit_test(test_many),
		cmocka_unit_test(test_ways),     cmocka_unit_test(test_no_way),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
