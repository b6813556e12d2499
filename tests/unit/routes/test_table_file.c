// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The user's own tables as a file: what is read, what is refused and where, and that what was written is read again.
#include <flitloom/routes/table_file.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <flitloom/routes/graph.h>

#include "base/rng.h"
#include "unit/help/scratch_folder.h"

static struct loom_topo topo_of(const char *name)
{
	struct loom_topo topo;
	assert_int_equal(loom_topo_parse(&topo, name, NULL), 0);
	return topo;
}

static void expect_read(const char *fabric, const char *text, const struct loom_table_entry *entry, size_t n)
{
	struct loom_topo topo = topo_of(fabric);
	struct loom_table_file own;
	struct loom_err err = {0};
	if (loom_table_file_parse(&own, &topo, text, strlen(text), "here", &err) != 0)
		fail_msg("%s: %s", text, err.text);
	assert_int_equal(own.n, n);
	for (size_t i = 0; i < n; i++)
		if (memcmp(&own.entry[i], &entry[i], sizeof *entry) != 0)
			fail_msg("%s: entry %zu: %u, %u, %u: port %u", text, i, own.entry[i].node, own.entry[i].network,
			         own.entry[i].label, own.entry[i].port);
	loom_table_file_free(&own);
}

static void test_read(void **state)
{
	// By network, label and node.
	const struct loom_table_entry three[] = {{1, 0, 7, 0}, {0, 0, 9, 1}, {5, 2, 3, 4}};
	const struct loom_table_entry one[] = {{14, 0, 7, 2}};
	const struct loom_table_entry huge[] = {{0, 4294967294u, 4294967294u, UINT32_MAX}};
	(void)state;
	expect_read("table-mesh:4x4", "node,network,label,port\n5,2,3,-y\n0,0,9,+x\n1,0,7,local\n", three, 3);
	expect_read(
		"table-mesh:4x4",
		"\xef\xbb\xbf# a file\r\nNode, Network, Label, Port\r\n\r\n 5 ,2, 3 , 4\r\n0,0,9,1\n# end\n1,0,7,LOCAL",
		three, 3);
	expect_read("table-mesh:4x4", "5,2,3,-y\n0,0,9,+x\n1,0,7,0", three, 3);
	expect_read("table-mesh:4x4", "node,label,port\n14,7,-x\n", one, 1);
	expect_read("table-mesh:4x4", "14,7,2", one, 1);
	// The reader does not judge if there is such a network, label or port.
	expect_read("table-mesh:4x4", "0,4294967294,4294967294,99999999999999999999", huge, 1);
}

static void expect_refused(const char *fabric, const char *text, const char *why)
{
	struct loom_topo topo = topo_of(fabric);
	struct loom_table_file own, before;
	struct loom_err err = {0};
	memset(&own, 0xa5, sizeof own);
	before = own;
	if (loom_table_file_parse(&own, &topo, text, strlen(text), "here", &err) != LOOM_EINPUT)
		fail_msg("%s: not refused", text);
	if (!strstr(err.text, why))
		fail_msg("%s: %s", text, err.text);
	assert_memory_equal(&own, &before, sizeof own);
}

static void test_refused(void **state)
{
	(void)state;
	static const struct {
		const char *text, *why;
	} bad[] = {
		{"", "here, line 1, column 1: no entry"},
		{"# nothing\n\nnode,label,port\n", "line 4, column 1: no entry"},
		{"1,2", "line 1, column 1: a line is node,network,label,port or node,label,port"},
		{"1", "column 1: a line is"},
		{"1,2,3,4,5", "column 1: a line is"},
		{"node,label,port,network\n1,2,3,4", "column 6: \"label\" in the heading"},
		{"node,port,label\n1,2,3", "column 6: \"port\" in the heading"},
		{"node,label,port\n1,2,3,4", "line 2, column 1: another number of columns"},
		{"1,0,3,4\n1,2,3", "line 2, column 1: another number of columns"},
		{"1,0,3,4\nnode,network,label,port", "line 2, column 1: node is \"node\""},
		{"16,0,+x", "column 1: node \"16\" is out of range: 0..15"},
		{"-1,0,+x", "column 1: node is \"-1\""},
		{",0,+x", "column 1: node is nothing"},
		{"1,4294967295,+x", "column 3: label \"4294967295\" is out of range: 0..4294967294"},
		{"1,1 1,+x", "column 3: label is \"1 1\""},
		{"1,x,1,+x", "column 3: network is \"x\""},
		{"1,0,1,+z", "column 7: port \"+z\": it must be local, a link such as +x, or a number"},
		{"1,0,1,", "column 7: port nothing"},
		{"1,0,1,+xx", "port \"+xx\""},
		{"1,0,1,+", "port \"+\""},
		{"1,0,1,+x\n2,0,1,+x\n1,0,1,-x\n2,0,1,-x",
	         "line 3, column 1: node 1, network 0, label 1: line 1 has it"},
		{"1,1,+x\n1,1,+x", "line 2, column 1: node 1, network 0, label 1: line 1 has it"},
	};
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		expect_refused("table-mesh:4x4", bad[i].text, bad[i].why);
	expect_refused("mesh:4x4", "1,1,+x", "whose routers have none to fill");
	expect_refused("omega:8", "1,1,+x", "whose routers have none to fill");
}

static void refused_on(const struct loom_topo *topo, const char *text, const char *why)
{
	struct loom_table_file own;
	struct loom_err err = {0};
	assert_int_equal(loom_table_file_parse(&own, topo, text, strlen(text), "here", &err), LOOM_EINPUT);
	if (!strstr(err.text, why))
		fail_msg("%s: %s", text, err.text);
}

static void test_graph(void **state)
{
	static char names[4][LOOM_GRAPH_NAME] = {"a", "b b", "3", "node 4"};
	struct loom_graph_link links[] = {
		{0, 1, true, 0, 0, 0}, {1, 2, true, 0, 0, 0}, {2, 3, true, 0, 0, 0}, {3, 0, false, 0, 0, 0}};
	const struct loom_graph_wires wires = {.n_nodes = 4, .n_links = 4, .name = names, .link = links};
	const struct loom_table_entry four[] = {{0, 0, 5, 1}, {1, 0, 5, 2}, {2, 0, 5, 0}, {3, 0, 5, 2}};
	static const char *const good[] = {
		"node,label,port\na,5,->b b\nb b,5,->3\n3,5,local\nnode 4,5,->a\n",
		"a,5,1\n1,5,2\nnode 4,5,2\n2,5,0", // a number counts as a name first, then as a node's number
	};
	struct loom_topo topo;
	struct loom_table_file own;
	struct loom_table_faults faults;
	struct loom_err err = {0};
	(void)state;
	if (loom_topo_of_graph(&topo, "graph:here", &wires, 1, &err) != 0)
		fail_msg("%s", err.text);
	struct loom_topo_kind kind = *topo.kind;
	kind.spare_label_bits = 2;
	topo.label_bits = 4;
	topo.kind = &kind;
	for (size_t k = 0; k < 2; k++) {
		if (loom_table_file_parse(&own, &topo, good[k], strlen(good[k]), "here", &err) != 0)
			fail_msg("%s", err.text);
		assert_int_equal(own.n, 4);
		assert_memory_equal(own.entry, four, sizeof four);
		loom_table_file_free(&own);
	}
	refused_on(&topo, "c,5,->a", "line 1, column 1: no node is called \"c\"");
	refused_on(&topo, "a,5,->c", "column 7: no node is called \"c\"");
	refused_on(&topo, "a,5,->node 4", "column 5: no link leads from a to node 4");
	refused_on(&topo, "a,5,b b", "port \"b b\": it must be local, -> and a neighbour's name");
	refused_on(&topo, "a,5,port 1", "port \"port 1\": it must be local, -> and");
	refused_on(&topo, "4,5,0", "node \"4\" is out of range: 0..3");
	const char *lost = "a,5,->b b\nb b,5,->a\n3,6,->b b";
	assert_int_equal(loom_table_file_parse(&own, &topo, lost, strlen(lost), "here", NULL), 0);
	assert_int_equal(loom_table_file_check(&faults, &own, &topo, NULL), 0);
	assert_int_equal(faults.n, 2);
	assert_string_equal(faults.fault[0].what, "goes round for ever: a, b b, a");
	assert_string_equal(faults.fault[1].what, "no entry, and node 3 sends messages there");
	loom_table_faults_free(&faults);
	loom_table_file_free(&own);
	// Written by names, and read again.
	uint8_t port[] = {1, 2, 0, 2};
	const struct loom_route_tables tables = {.n_networks = 1, .n_nodes = 4, .n_labels = 1, .port = port};
	assert_int_equal(loom_table_file_write(&tables, &topo, scratch_path("own.csv"), NULL), 0);
	assert_int_equal(loom_table_file_read(&own, &topo, scratch_path("own.csv"), &err), 0);
	for (size_t k = 0; k < 4; k++)
		assert_true(own.entry[k].node == four[k].node && own.entry[k].port == four[k].port);
	assert_int_equal(remove(scratch_path("own.csv")), 0);
	loom_table_file_free(&own);
	loom_topo_free(&topo);
}

// Names that a reader would misread if they were written as they are; one is the number of another node.
static void test_odd_names(void **state)
{
	static char names[4][LOOM_GRAPH_NAME] = {"a,b", "0", "#c ", "twenty bytes, no less"};
	struct loom_graph_link links[] = {
		{0, 1, true, 0, 0, 0}, {1, 2, true, 0, 0, 0}, {2, 3, true, 0, 0, 0}, {3, 0, true, 0, 0, 0}};
	const struct loom_graph_wires wires = {.n_nodes = 4, .n_links = 4, .name = names, .link = links};
	uint8_t port[] = {2, 1, 1, 0, LOOM_PORT_NONE, 2, 2, 0};
	const struct loom_route_tables tables = {
		.n_networks = 1, .n_nodes = 4, .n_labels = 2, .n_entries = 7, .port = port};
	struct loom_route_tables again;
	struct loom_table_file own;
	struct loom_topo topo;
	struct loom_err err = {0};
	(void)state;
	names[3][LOOM_GRAPH_NAME - 1] = '\0';
	assert_int_equal(loom_topo_of_graph(&topo, "graph:odd", &wires, 1, &err), 0);
	assert_int_equal(loom_table_file_write(&tables, &topo, scratch_path("own.csv"), NULL), 0);
	if (loom_table_file_read(&own, &topo, scratch_path("own.csv"), &err) != 0 ||
	    loom_route_tables_of_file(&again, &own, &topo, &err) != 0)
		fail_msg("%s", err.text);
	assert_memory_equal(again.port, port, sizeof port);
	assert_int_equal(remove(scratch_path("own.csv")), 0);
	refused_on(&topo, "\"a,b,1,0", "column 1: no node is called \"\"a\"");
	refused_on(&topo, "0,0,0,->", "port \"->\": it must be local, -> and a neighbour's name");
	refused_on(&topo, "\"a,b\"x,1,0", "column 1: no node is called \"\"a\"");
	loom_table_file_free(&own);
	loom_route_tables_free(&again);
	loom_topo_free(&topo);
}

// Names that nobody takes for something else stand as they are, of one character, too.
static void test_plain_names(void **state)
{
	(void)state;
	static char names[2][LOOM_GRAPH_NAME] = {"a", "b"};
	struct loom_graph_link links[] = {{0, 1, true, 0, 0, 0}};
	const struct loom_graph_wires wires = {.n_nodes = 2, .n_links = 1, .name = names, .link = links};
	uint8_t port[] = {LOOM_PORT_NONE, 1};
	const struct loom_route_tables tables = {
		.n_networks = 1, .n_nodes = 2, .n_labels = 1, .n_entries = 1, .port = port};
	char text[200] = "";
	struct loom_topo topo;
	struct loom_err err = {0};
	assert_int_equal(loom_topo_of_graph(&topo, "graph:plain", &wires, 1, &err), 0);
	assert_int_equal(loom_table_file_write(&tables, &topo, scratch_path("own.csv"), NULL), 0);
	FILE *file = fopen(scratch_path("own.csv"), "r");
	assert_non_null(file);
	text[fread(text, 1, sizeof text - 1, file)] = '\0';
	(void)fclose(file);
	if (!strstr(text, "\nb,0,0,->a\n"))
		fail_msg("%s", text);
	assert_int_equal(remove(scratch_path("own.csv")), 0);
	loom_topo_free(&topo);
}

static void test_not_a_file(void **state)
{
	struct loom_topo topo = topo_of("table-mesh:4x4");
	struct loom_table_file own;
	struct loom_err err = {0};
	(void)state;
	assert_int_equal(loom_table_file_read(&own, &topo, scratch_path("none.csv"), &err), LOOM_EFILE);
	assert_int_equal(loom_table_file_read(&own, &topo, scratch_folder(), &err), LOOM_EFILE);
}

// Tables of random routes, written and read.
static void test_round_trip(void **state)
{
	struct loom_topo topo = topo_of("table-mesh:3x5");
	(void)state;
	for (unsigned round = 0; round < 20; round++) {
		struct loom_message messages[40];
		struct loom_routes routes;
		struct loom_route_tables tables, again;
		struct loom_table_file own;
		struct loom_err err = {0};
		struct loom_rng rng;
		loom_rng_init(&rng, round);
		for (size_t i = 0; i < 40; i++)
			messages[i] = (struct loom_message){.source = (uint32_t)loom_rng_below(&rng, topo.n_nodes),
			                                    .destination = (uint32_t)loom_rng_below(&rng, topo.n_nodes),
			                                    .flits = 1};
		assert_int_equal(loom_routes_block(&routes, &topo, messages, 40, LOOM_LOAD_MESSAGES, NULL), 0);
		assert_int_equal(
			loom_route_tables_make(&tables,
		                               &(struct loom_tables_task){&routes, &topo, messages, NULL, 1, 64}, NULL),
			0);
		assert_int_equal(loom_table_file_write(&tables, &topo, scratch_path("own.csv"), NULL), 0);
		if (loom_table_file_read(&own, &topo, scratch_path("own.csv"), &err) != 0 ||
		    loom_route_tables_of_file(&again, &own, &topo, &err) != 0)
			fail_msg("%s", err.text);
		assert_int_equal(again.n_entries, tables.n_entries);
		assert_int_equal(again.n_labels, tables.n_labels);
		assert_memory_equal(again.port, tables.port, (size_t)tables.n_labels * tables.n_nodes);
		assert_int_equal(remove(scratch_path("own.csv")), 0);
		loom_table_file_free(&own);
		loom_route_tables_free(&tables);
		loom_route_tables_free(&again);
		loom_routes_free(&routes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read),        cmocka_unit_test(test_refused),
		cmocka_unit_test(test_graph),       cmocka_unit_test(test_odd_names),
		cmocka_unit_test(test_plain_names), cmocka_unit_test(test_not_a_file),
		cmocka_unit_test(test_round_trip),
	};
	return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
