// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Networks of the user: files, ports, routes and lanes, compared with simple searches.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include <flitloom/routes/deadlock.h>
#include <flitloom/routes/graph.h>

#include "unit/help/random_graphs.h"
#include "unit/help/scratch_folder.h"

// --- Files ---------------------------------------------------------------------------------------------------------

// "a,b;0>1,1=0": nodes, then links; > one way, = both.
static void shows(const struct loom_graph_wires *w, char *out, size_t size)
{
	size_t used = 0;
	for (uint32_t i = 0; i < w->n_nodes; i++)
		used += (size_t)snprintf(out + used, size - used, "%s%s", i ? "," : "", w->name[i]);
	for (uint32_t i = 0; i < w->n_links; i++)
		used += (size_t)snprintf(out + used, size - used, "%s%u%c%u", i ? "," : ";", w->link[i].from,
		                         w->link[i].both ? '=' : '>', w->link[i].to);
}

static void reads(const char *name, const char *text, const char *expected)
{
	struct loom_graph_wires wires;
	struct loom_err err = {0};
	char shown[400];
	scratch_write(name, text);
	if (loom_graph_read(&wires, name, &err) != 0)
		fail_msg("\"%s\": %s", text, err.text);
	shows(&wires, shown, sizeof shown);
	assert_string_equal(shown, expected);
	loom_graph_wires_free(&wires);
	assert_int_equal(unlink(name), 0);
}

static void test_edge_lists(void **state)
{
	(void)state;
	reads("e", "a b\n", "a,b;0=1");
	reads("e", "a b", "a,b;0=1");
	reads("e", "# what it is\n\n  b -- a # so\r\na->c\nc -> b\n", "b,a,c;0=1,1>2,2>0");
	reads("e", "a->b\nb->a\n", "a,b;0=1");               // both ways is one link
	reads("e", "a->b\nb c\nb->a\n", "a,b,c;0=1,1=2");    // at its first place
	reads("e", "core-1--core-2\n", "core-1,core-2;0=1"); // one - is of a name
	reads("e", "2 0\n0 1\n", "0,1,2;2=0,0=1");           // by number
	reads("e", "2 0\n0 3\n", "2,0,3;0=1,1=2");           // as they come: there is no 1
	reads("e", "02 00\n00 01\n", "02,00,01;0=1,1=2");
	reads("e", "\xc3\xa4 b\n", "\xc3\xa4,b;0=1");
	reads("e", "12345678901234567890 b\n", "12345678901234567890,b;0=1");
}

static void test_dot_files(void **state)
{
	(void)state;
	reads("e.dot", "graph { a -- b; b -- c -- a }", "a,b,c;0=1,1=2,2=0");
	reads("e.gv", "digraph { a -> b; b -> c [label=\"x -- y\"]; c -> a }", "a,b,c;0>1,1>2,2>0");
	reads("e", "digraph { a -> b; b -> a; b -> c [dir=both] }", "a,b,c;0=1,1=2");
	reads("e", "/* graph */ strict graph \"n\" { subgraph cluster_x { \"a b\"; y } y -- \"a b\"; y -- \"a b\" }",
	      "a b,y;1=0");
	reads("e", "graph { 2 -- 0; 0 -- 1 }", "0,1,2;2=0,0=1");
}

static void refuses(const char *name, const char *text, const char *says)
{
	struct loom_graph_wires wires = {.n_nodes = 77};
	struct loom_err err = {0};
	scratch_write(name, text);
	int rc = loom_graph_read(&wires, name, &err);
	if (rc == 0 || wires.n_nodes != 77)
		fail_msg("\"%s\" was read", text);
	if (strcmp(err.text, says) != 0)
		fail_msg("\"%s\": \"%s\" is not \"%s\"", text, err.text, says);
	assert_int_equal(loom_graph_read(&wires, name, NULL), rc);
	assert_int_equal(unlink(name), 0);
}

static void test_bad_files(void **state)
{
	(void)state;
	const char *no_edge = "e: there is no edge in it; one is two names in a line, a b";
	refuses("e", "", no_edge);
	refuses("e", "# a b\n\n", no_edge);
	refuses("e", "a b\na\n",
	        "e: line 2: \"a\" is no edge; one is two names, a b, a -- b or a -> b, and behind them x2 if it is two "
	        "links, delay=3 if it is 3 cycles slower");
	refuses("e", "a b 7\n",
	        "e: line 1: \"a b 7\" is no edge; one is two names, a b, a -- b or a -> b, and behind them x2 if it is "
	        "two links, delay=3 if it is 3 cycles slower");
	refuses("e", "-> b\n",
	        "e: line 1: \"-> b\" is no edge; one is two names, a b, a -- b or a -> b, and behind them x2 if it is "
	        "two links, delay=3 if it is 3 cycles slower");
	refuses("e", "a --\n",
	        "e: line 1: \"a --\" is no edge; one is two names, a b, a -- b or a -> b, and behind them x2 if it is "
	        "two links, delay=3 if it is 3 cycles slower");
	refuses("e", "\n\na b\nc c\n", "e: line 4: node c has a link to itself; a link leads to another node");
	refuses("e", "a b\nb a\n",
	        "e: line 2: the link from b to a is there already; one that leads one way only is b -> a, and two side "
	        "by side are b a x2");
	refuses("e", "a b\na->b\n",
	        "e: line 2: the link from a to b is there already; one that leads one way only is a -> b, and two side "
	        "by side are a b x2");
	refuses("e", "a->b\na->b\n",
	        "e: line 2: the link from a to b is there already; one that leads one way only is a -> b, and two side "
	        "by side are a b x2");
	refuses("e", "a b\nx 123456789012345678901\n",
	        "e: line 2: \"123456789012345678901\" is no name of a node: 1 to 20 bytes, none of them a quotation "
	        "mark, "
	        "a backslash or a control character");
	refuses("e", "a\"b c\n",
	        "e: line 1: \"a\"b\" is no name of a node: 1 to 20 bytes, none of them a quotation mark, a backslash "
	        "or a "
	        "control character");
	refuses("e", "a \xff\n",
	        "e: line 1: \"?\" is no name of a node: 1 to 20 bytes, none of them a quotation mark, a backslash or a "
	        "control character");
	refuses("e.dot", "graph { a -- b; b -- ", "e.dot: dot failed: Error: <stdin>: syntax error in line 1");
	refuses("e.dot", "graph { a }", "e.dot: there is no edge in it");
	refuses("e.dot", "graph { a -- b } graph { c -- d }",
	        "e.dot: GraphViz says nothing of it that could be read (is it one graph?)");
	struct loom_graph_wires wires;
	struct loom_err err;
	assert_int_equal(loom_graph_read(&wires, "none", &err), LOOM_EFILE);
	assert_string_equal(err.text, "none: cannot be read: No such file or directory");
	assert_int_equal(loom_graph_read(&wires, ".", &err), LOOM_EFILE);
	assert_string_equal(err.text, ".: cannot be read: a directory, not a file");
}

static void read_file(struct loom_graph_wires *out, const char *name, const char *text)
{
	FILE *f = fopen(name, "w");
	struct loom_err err = {0};
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0 && fclose(f) == 0);
	if (loom_graph_read(out, name, &err) != 0)
		fail_msg("%s", err.text);
	assert_int_equal(unlink(name), 0);
}

// Behind the others, in the order in which they come; names that are numbers number the rest.
static void test_switches(void **state)
{
	static const char *const same[] = {
		"a s\nb t\ns t x2\nswitch: s t\n",
		"graph { a -- s; b -- t; s -- t; s -- t; s [switch=true]; t [switch=1] }",
		"<graphml><key id='k' for='node' attr.name='switch'/><key id='l' attr.name='label'/><graph>"
		"<node id='a'/><node id='0'><data key='k'>true</data><data key='l'>s</data></node><node id='b'/>"
		"<node id='t'><data key='k'>1</data></node><edge source='a' target='0'/><edge source='b' target='t'/>"
		"<edge source='0' target='t'/><edge source='0' target='t'/></graph></graphml>",
	};
	static const char *const files[] = {"s", "s.dot", "s.graphml"};
	(void)state;
	for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
		static const char *const names[] = {"a", "b", "s", "t"};
		struct loom_graph_wires wires;
		struct loom_topo t;
		char channel[48];
		read_file(&wires, files[i], same[i]);
		assert_int_equal(wires.n_nodes, 4);
		assert_int_equal(wires.n_switches, 2);
		assert_int_equal(wires.n_links, 4);
		for (unsigned u = 0; u < 4; u++)
			assert_string_equal(wires.name[u], names[u]);
		assert_int_equal(loom_topo_of_graph(&t, "graph:s", &wires, 1, NULL), 0);
		assert_int_equal(loom_topo_hosts(&t), 2);
		loom_topo_channel_name(&t, 2 * loom_topo_channels_per_tile(&t) + 1, channel);
		assert_string_equal(channel, "s->t");
		loom_topo_channel_name(&t, 2 * loom_topo_channels_per_tile(&t) + 2, channel);
		assert_string_equal(channel, "s->t #2");
		loom_topo_free(&t);
		loom_graph_wires_free(&wires);
	}
	struct loom_graph_wires wires;
	read_file(&wires, "n", "2 0\n0 1\n1 3\nswitch: 1\n");
	assert_string_equal(wires.name[0], "0");
	assert_string_equal(wires.name[1], "2");
	assert_string_equal(wires.name[3], "1");
	assert_int_equal(wires.n_switches, 1);
	loom_graph_wires_free(&wires);
	read_file(&wires, "d.graphml",
	          "<graphml><graph edgedefault='directed'><node id='a'/><node id='b'/><node id='c'/><edge source='a' "
	          "target='b'/><edge source='b' target='c' directed='false'/><edge source='c' "
	          "target='a'/></graph></graphml>");
	assert_int_equal(wires.n_links, 3);
	assert_true(!wires.link[0].both && wires.link[1].both && !wires.link[2].both);
	loom_graph_wires_free(&wires);
}

static void test_bad_graphml(void **state)
{
	(void)state;
	refuses("e.graphml", "a b\n", "e.graphml: line 1: no XML, and so no GraphML: syntax error");
	refuses("e", "<graphml>\n<graph>\n", "e: line 3: no XML, and so no GraphML: no element found");
	refuses("e", "<html/>", "e: line 1: its first element is html, and that of GraphML is graphml");
	refuses("e", "<graphml><graph>\n<node/></graph></graphml>", "e: line 2: a node without an id");
	refuses("e", "<graphml><graph><node id='a'/></graph></graphml>", "e: there is no edge in it");
	refuses("e", "<graphml><graph><node id='a'/>\n<edge source='a'/></graph></graphml>",
	        "e: line 2: an edge without source and target");
	refuses("e", "<graphml><graph><node id='a'/>\n<edge source='a' target='b'/></graph></graphml>",
	        "e: line 2: an edge to or from \"b\", and no node has this id");
	refuses("e", "<graphml><graph><node id='a'/>\n<edge source='a' target='a'/></graph></graphml>",
	        "e: line 2: node a has a link to itself; a link leads to another node");
	refuses("e", "<graphml><graph><node id='a'/><node id='a'/><edge source='a' target='a'/></graph></graphml>",
	        "e: two nodes are called a");
	refuses("e", "<graphml><graph>\n<hyperedge/></graph></graphml>", "e: line 2: a hyperedge; a link has two ends");
	refuses("e", "switch:\na b\n",
	        "e: line 1: \"switch:\" is no edge; one is two names, a b, a -- b or a -> b, and behind them x2 if it "
	        "is two links, delay=3 if it is 3 cycles slower");
	refuses("e", "a b x0\n",
	        "e: line 1: \"a b x0\" is no edge; one is two names, a b, a -- b or a -> b, and behind them x2 if it "
	        "is two links, delay=3 if it is 3 cycles slower");
}

static void test_limits(void **state)
{
	(void)state;
	char text[LOOM_GRAPH_NODES_MAX * 16] = "";
	size_t used = 0;
	for (unsigned i = 0; i < 64; i++)
		used += (size_t)snprintf(text + used, sizeof text - used, "hub %u\n", i);
	refuses("e", text, "e: line 64: node hub has 63 links, and this is one more; up to 63 are possible");
	used = 0;
	for (unsigned i = 0; i < 64; i++) // either end, either way
		used += (size_t)snprintf(text + used, sizeof text - used, "%u->hub\n", i);
	refuses("e", text, "e: line 64: node hub has 63 links, and this is one more; up to 63 are possible");
	used = 0;
	for (unsigned i = 0; i < LOOM_GRAPH_NODES_MAX; i++)
		used += (size_t)snprintf(text + used, sizeof text - used, "%u %u\n", i, i + 1);
	refuses("e", text, "e: line 1024: node 1024 is one too many; up to 1024 are possible");
}

// --- Fabrics -------------------------------------------------------------------------------------------------------

static void is_refused(const char *fabric, const char *text, const char *says)
{
	struct loom_topo t, before;
	struct loom_err err = {0};
	memset(&t, 0xa5, sizeof t);
	before = t;
	scratch_write("net", text);
	assert_int_equal(loom_topo_parse(&t, fabric, &err), strstr(says, "cannot be read") ? LOOM_EFILE : LOOM_EINPUT);
	assert_memory_equal(&t, &before, sizeof t);
	if (strcmp(err.text, says) != 0)
		fail_msg("\"%s\" is not \"%s\"", err.text, says);
	assert_int_equal(unlink("net"), 0);
}

static void test_refused(void **state)
{
	(void)state;
	is_refused("graph:net", "a b\nc d\n",
	           "graph:net: there is no way from node c to node a; every node must be reached from every other one");
	is_refused("graph:net", "a->b\nb->c\n",
	           "graph:net: there is no way from node b to node a; every node must be reached from every other one");
	is_refused("graph:net:v0", "a b\n", "graph:net:v0: 0 lanes of each link; 1 to 8 (v8) are possible");
	is_refused("graph:", "a b\n",
	           "graph: of which file? graph:FILE, or with more lanes of each link graph:FILE:v2");
	is_refused("graph::v2", "a b\n",
	           "graph: of which file? graph:FILE, or with more lanes of each link graph:FILE:v2");
	// Lanes are :v and one digit behind a file's name; all else is the name.
	is_refused("graph:v2", "a b\n", "v2: cannot be read: No such file or directory");
	is_refused("graph:x:w2", "a b\n", "x:w2: cannot be read: No such file or directory");
	is_refused("graph:x.v2", "a b\n", "x.v2: cannot be read: No such file or directory");
	is_refused("graph:x:v/", "a b\n", "x:v/: cannot be read: No such file or directory");
	is_refused("graph:x:v:", "a b\n", "x:v:: cannot be read: No such file or directory");
	is_refused("graph:x:v2", "a b\n", "x: cannot be read: No such file or directory");
	is_refused("graph:net:v9", "a b\n", "graph:net:v9: 9 lanes of each link; 1 to 8 (v8) are possible");
	char name[LOOM_TOPO_NAME + 8], says[120];
	for (size_t more = 0; more < 3; more++) { // the longest name there can be, and longer ones
		size_t length = LOOM_TOPO_NAME - sizeof "graph:" + more;
		(void)snprintf(name, sizeof name, "graph:%0*d", (int)length, 0);
		(void)snprintf(says, sizeof says, "graph: a name of %zu bytes; up to %zu are possible", length,
		               (size_t)LOOM_TOPO_NAME - sizeof "graph:");
		if (more != 0)
			is_refused(name, "a b\n", says);
	}
	is_refused("graph:n\"t", "a b\n", "n\"t: cannot be read: No such file or directory");
	is_refused("graph:net", "a->b\nb->c\nc->a\n",
	           "graph:net: without deadlocks its shortest routes need 2 lanes of each link, which has 1, and its "
	           "one-way links leave no up*/down* routes: add :v2");
}

static struct loom_topo fabric_of(const char *fabric, const char *text)
{
	struct loom_topo t;
	struct loom_err err = {0};
	scratch_write("net", text);
	if (loom_topo_parse(&t, fabric, &err) != 0)
		fail_msg("%s: %s", fabric, err.text);
	assert_int_equal(unlink("net"), 0);
	return t;
}

static void test_names(void **state)
{
	(void)state;
	struct loom_topo t = fabric_of("graph:net:v2", "left right\nright->far\nfar->left\n");
	char name[48];
	assert_string_equal(t.name, "graph:net:v2");
	assert_int_equal(t.n_nodes, 3);
	assert_int_equal(t.n_vcs, 2);
	assert_int_equal(t.ports, 3);
	assert_int_equal(loom_topo_channels_per_tile(&t), 4);
	static const char *const names[] = {"left->right",       "left has no link 1", "eject left",  "inject left",
	                                    "right->left",       "right->far",         "eject right", "inject right",
	                                    "far has no link 0", "far->left",          "eject far",   "inject far"};
	for (uint32_t c = 0; c < loom_topo_channels(&t); c++) {
		loom_topo_channel_name(&t, c, name);
		assert_string_equal(name, names[c]);
		assert_int_equal(loom_topo_channel_exists(&t, c), strstr(names[c], "has no") == NULL);
	}
	// Link 1 of right is one way, to link 0 of far, whence nothing leaves.
	assert_int_equal(loom_topo_wire(&t, 0, 0), 0x800001);
	assert_int_equal(loom_topo_wire(&t, 1, 0), 0x800000);
	assert_int_equal(loom_topo_wire(&t, 1, 1), 0xa00002);
	assert_int_equal(loom_topo_wire(&t, 2, 0), 0xc01001);
	assert_int_equal(loom_topo_wire(&t, 2, 1), 0xa01000);
	assert_int_equal(loom_topo_wire(&t, 0, 1), 0xc01002);
	loom_topo_free(&t);
	assert_null(t.graph);
	loom_topo_free(&t);
	loom_topo_free(NULL);
}

static void test_owners(void **state)
{
	(void)state;
	struct loom_topo t = fabric_of("graph:net", "a b\nb c\n"), copy, more;
	loom_topo_copy(&copy, &t);
	loom_topo_free(&t);
	assert_int_equal(loom_topo_port(&copy, 0, 2, LOOM_RULE_ASCENDING), 1);
	loom_topo_copy(&more, &copy);
	assert_int_equal(loom_topo_set_vcs(&copy, 4, NULL), 0);
	assert_string_equal(copy.name, "graph:net:v4");
	assert_int_equal(loom_topo_set_vcs(&copy, 1, NULL), 0);
	assert_string_equal(copy.name, "graph:net");
	assert_int_equal(loom_topo_set_vcs(&copy, 9, NULL), LOOM_EINPUT);
	assert_int_equal(loom_topo_set_vcs(&copy, 3, NULL), 0);
	assert_string_equal(copy.name, "graph:net:v3");
	loom_topo_free(&copy);
	assert_int_equal(loom_topo_port(&more, 2, 0, LOOM_RULE_ASCENDING), 1);
	loom_topo_free(&more);
}

static uint64_t hash_of(const char *text)
{
	struct loom_graph_facts facts;
	struct loom_topo t = fabric_of("graph:net:v4", text);
	assert_true(loom_topo_graph_facts(&facts, &t));
	loom_topo_free(&t);
	return facts.hash;
}

// The hash covers the hardware and nothing else.
static void test_hash(void **state)
{
	(void)state;
	static const char *const different[] = {"a b\nb c\nc a\n", "a b\nb->c\nc a\n", "a b\nc->b\nc a\n",
	                                        "a b\nc a\nb c\n", "a b\nb c\n",       "a b\nb c\nc d\n",
	                                        "b a\na c\nb c\n"};
	for (size_t i = 0; i < sizeof different / sizeof different[0]; i++)
		for (size_t k = 0; k < i; k++)
			if (hash_of(different[i]) == hash_of(different[k]) && !(i == 6 && k == 3))
				fail_msg("\"%s\" and \"%s\"", different[i], different[k]);
	assert_true(hash_of("a b\nb c\n") == hash_of("# names\nx y\ny z\n"));
	struct loom_topo t;
	struct loom_graph_facts facts;
	assert_int_equal(loom_topo_parse(&t, "cube:3", NULL), 0);
	assert_false(loom_topo_graph_facts(&facts, &t));
}

// --- Delays --------------------------------------------------------------------------------------------------------

// The same links in each of the three formats, one with a delay of its own each way, and two side by side.
static const char *const slow[] = {
	"a -> b delay=3\nb -> a delay=5\nb -- c\tdelay=2 # cycles\nc d delay=7 x2\nd a delay=0\na -> c x1 delay=63\n",
	"digraph { edge [delay=7]; a -> b [delay=3]; b -> a [delay=5]; b -> c [dir=both delay=2]; c -> d [dir=both]; "
	"c -> d [dir=both]; d -> a [dir=both delay=0]; a -> c [delay=63] }",
	"<graphml><key id='k' for='edge' attr.name='delay'><default>\n 7 </default></key>"
	"<key id='n' for='node' attr.name='delay'><default>9</default></key><graph>"
	"<node id='a'><data key='n'>8</data></node><node id='b'/><node id='c'/><node id='d'/>"
	"<edge source='a' target='b' directed='true'><data key='k'>3</data></edge>"
	"<edge source='b' target='a' directed='true'><data key='k'> 5</data></edge>"
	"<edge source='b' target='c'><data key='n'>4</data><data key='k'>2</data></edge>"
	"<edge source='c' target='d'/><edge source='c' target='d'/><edge source='d' target='a'><data "
	"key='k'>0</data></edge>"
	"<edge source='a' target='c' directed='true'><data key='k'>6<!-- in pieces "
	"-->3</data></edge></graph></graphml>",
};
static const char *const slow_files[] = {"net", "net.dot", "net.graphml"};

static void has_slow_links(const struct loom_topo *t)
{
	static const struct {
		const char *channel;
		unsigned delay;
	} known[] = {{"a->b", 3},    {"b->a", 5},     {"b->c", 2},    {"c->b", 2}, {"c->d", 7},
	             {"c->d #2", 7}, {"d->c", 7},     {"d->c #2", 7}, {"d->a", 0}, {"a->d", 0},
	             {"a->c", 63},   {"inject a", 0}, {"eject c", 0}};
	unsigned n = 0;
	for (uint32_t c = 0; c < loom_topo_channels(t); c++) {
		char name[48];
		loom_topo_channel_name(t, c, name);
		for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
			if (strcmp(name, known[i].channel) == 0) {
				n++;
				if (loom_topo_link_delay(t, c) != known[i].delay)
					fail_msg("%s, %s: %u", t->name, name, loom_topo_link_delay(t, c));
			}
	}
	assert_int_equal(n, sizeof known / sizeof known[0]);
	assert_int_equal(t->link_delay, 63);
	assert_true(loom_topo_link_delays_mark(t) != 0);
}

// They are kept with other lanes and buffers, and where something failed.
static void test_delays(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof slow / sizeof slow[0]; i++) {
		struct loom_topo t;
		struct loom_err err = {0};
		char name[40];
		(void)snprintf(name, sizeof name, "graph:%s:v2:b5", slow_files[i]);
		scratch_write(slow_files[i], slow[i]);
		if (loom_topo_parse(&t, name, &err) != 0)
			fail_msg("%s: %s", name, err.text);
		has_slow_links(&t);
		assert_int_equal(loom_topo_set_vcs(&t, 4, NULL), 0);
		has_slow_links(&t);
		assert_int_equal(loom_topo_set_buffers(&t, 9, NULL), 0);
		has_slow_links(&t);
		assert_int_equal(loom_topo_set_link_delay(&t, 3, &err), LOOM_EINPUT);
		assert_non_null(strstr(err.text, "says the delays of its links itself"));
		loom_topo_free(&t);
		assert_int_equal(unlink(slow_files[i]), 0);
	}
	struct loom_topo t = fabric_of("graph:net", "a b delay=4\nb c delay=4\n"); // all links have the same delay
	assert_int_equal(t.link_delay, 4);
	assert_int_equal(loom_topo_link_delays_mark(&t), 0);
	loom_topo_free(&t);
	t = fabric_of("graph:net:d6", "a b delay=0\nb c\n"); // as without any delay
	assert_int_equal(loom_topo_link_delay(&t, 0), 6);
	loom_topo_free(&t);
}

static void test_bad_delays(void **state)
{
	(void)state;
	refuses("e", "a b\nb c delay=64\n", "e: line 2: \"64\" is no delay; 0 to 63 cycles are possible");
	refuses("e", "a b delay=-1\n", "e: line 1: \"-1\" is no delay; 0 to 63 cycles are possible");
	refuses("e", "a b delay=2.5\n", "e: line 1: \"2.5\" is no delay; 0 to 63 cycles are possible");
	refuses("e", "a b delay=18446744073709551617\n",
	        "e: line 1: \"18446744073709551617\" is no delay; 0 to 63 cycles are possible");
	refuses("e", "a b delay=\n",
	        "e: line 1: \"a b delay=\" is no edge; one is two names, a b, a -- b or a -> b, and behind them x2 if "
	        "it "
	        "is two links, delay=3 if it is 3 cycles slower");
	refuses("e", "a b delay=1 delay=1\n",
	        "e: line 1: \"a b delay=1 delay=1\" is no edge; one is two names, a b, a -- b or a -> b, and behind "
	        "them "
	        "x2 if it is two links, delay=3 if it is 3 cycles slower");
	refuses("e.dot", "graph { a -- b [delay=64] }",
	        "e.dot: \"64\" is no delay of a--b; 0 to 63 cycles are possible");
	refuses("e.dot", "digraph { a -> b [delay=soon] }",
	        "e.dot: \"soon\" is no delay of a->b; 0 to 63 cycles are possible");
	refuses("e",
	        "<graphml><key id='k' attr.name='delay'/><graph><node id='a'/><node id='b'/>\n<edge source='a' "
	        "target='b'><data key='k'>5.0</data></edge></graph></graphml>",
	        "e: line 2: \"5.0\" is no delay; 0 to 63 cycles are possible");
}

// --- Routes --------------------------------------------------------------------------------------------------------

#define FAR UINT32_MAX

static void fill_distances(uint32_t *distance, const struct loom_graph_wires *w)
{
	const uint32_t n = w->n_nodes;
	for (uint32_t i = 0; i < n * n; i++)
		distance[i] = i / n == i % n ? 0 : FAR;
	for (uint32_t i = 0; i < w->n_links; i++) {
		distance[w->link[i].from * n + w->link[i].to] = 1;
		if (w->link[i].both)
			distance[w->link[i].to * n + w->link[i].from] = 1;
	}
	for (uint32_t via = 0; via < n; via++)
		for (uint32_t a = 0; a < n; a++)
			for (uint32_t b = 0; b < n; b++)
				if (distance[a * n + via] != FAR && distance[via * n + b] != FAR &&
				    distance[a * n + via] + distance[via * n + b] < distance[a * n + b])
					distance[a * n + b] = distance[a * n + via] + distance[via * n + b];
}

// True if a circle can be reached: state 1 is under way, 2 done.
static bool has_circle_from(uint32_t at, const uint8_t *waits, uint32_t n, uint8_t *state)
{
	state[at] = 1;
	for (uint32_t to = 0; to < n; to++)
		if (waits[(size_t)at * n + to] &&
		    (state[to] == 1 || (state[to] == 0 && has_circle_from(to, waits, n, state))))
			return true;
	state[at] = 2;
	return false;
}

struct tally {
	unsigned n_shortest, n_up_down, n_refused;
};

// Checks every route of every pair, and all waits of their messages, lane by lane.
static void check_routes(const struct loom_topo *t, const struct loom_graph_facts *facts, uint64_t seed)
{
	const uint32_t n = t->n_nodes, n_channels = loom_topo_channels(t);
	uint32_t *distance = calloc((size_t)n * n, sizeof *distance);
	uint8_t *waits = malloc((size_t)n_channels * n_channels), *state = malloc(n_channels);
	assert_true(distance && waits && state);
	fill_distances(distance, facts->wires);
	for (unsigned lane = 0; lane < t->n_vcs; lane++) {
		memset(waits, 0, (size_t)n_channels * n_channels);
		memset(state, 0, n_channels);
		for (uint32_t s = 0; s < n; s++)
			for (uint32_t d = 0; d < n; d++) {
				struct loom_route route;
				unsigned rule = loom_topo_rule(t, s, d, 0);
				uint32_t held = FAR, c, length = 0;
				assert_true(rule < t->n_vcs);
				if (s == d || rule != lane)
					continue;
				loom_route_begin(&route, t, s, d, (enum loom_rule)rule);
				while (loom_route_next(&route, &c)) {
					if (loom_topo_is_local(t, c))
						continue;
					assert_int_equal(route.vc, lane);
					assert_true(loom_topo_channel_exists(t, c));
					if (held != FAR)
						waits[(size_t)held * n_channels + c] = 1;
					held = c;
					length++;
				}
				if (length < distance[s * n + d] || length >= n ||
				    (facts->routing == LOOM_GRAPH_SHORTEST && length != distance[s * n + d]))
					fail_msg("seed %llu: %u links from %u to %u, %u are possible",
					         (unsigned long long)seed, length, s, d, distance[s * n + d]);
			}
		for (uint32_t c = 0; c < n_channels; c++)
			if (state[c] == 0 && has_circle_from(c, waits, n_channels, state))
				fail_msg("seed %llu: lane %u of %u has a circle", (unsigned long long)seed, lane,
				         t->n_vcs);
	}
	free(distance);
	free(waits);
	free(state);
}

static void check_graph(struct tally *tally, const struct loom_graph_wires *wires, unsigned n_vcs, uint64_t seed)
{
	struct loom_topo t;
	struct loom_err err = {0};
	struct loom_graph_facts facts;
	struct loom_dependency_cycle circle;
	char name[40];
	(void)snprintf(name, sizeof name, n_vcs > 1 ? "graph:%llu:v%u" : "graph:%llu", (unsigned long long)seed, n_vcs);
	if (loom_topo_of_graph(&t, name, wires, n_vcs, &err) != 0) {
		if (err.code != LOOM_EINPUT || !strstr(err.text, "one-way links leave no up*/down* routes"))
			fail_msg("%s: %s", name, err.text);
		tally->n_refused++;
		return;
	}
	assert_true(loom_topo_graph_facts(&facts, &t));
	assert_int_equal(facts.routing, facts.lanes_needed <= n_vcs ? LOOM_GRAPH_SHORTEST : LOOM_GRAPH_UP_DOWN);
	*(facts.routing == LOOM_GRAPH_SHORTEST ? &tally->n_shortest : &tally->n_up_down) += 1;
	check_routes(&t, &facts, seed);
	assert_int_equal(loom_deadlock_find_in_routing(&circle, &t, 1, &err), 0);
	assert_int_equal(circle.n_channels, 0);
	loom_topo_free(&t);
}

static void test_random_graphs(void **state)
{
	(void)state;
	struct tally both = {0}, some = {0}, one = {0};
	for (uint64_t seed = 1; seed <= 15; seed++) {
		uint32_t n = 8 + (uint32_t)(seed * 7919 % 57);
		struct loom_graph_wires wires = {0};
		for (unsigned n_vcs = 1; n_vcs <= 4; n_vcs *= 2) {
			random_graph(&wires, seed, n, n / 2 + n * (uint32_t)(seed % 3), 0);
			check_graph(&both, &wires, n_vcs, seed);
			loom_graph_wires_free(&wires);
			random_graph(&wires, seed, n, n / 2 + n * (uint32_t)(seed % 3), 50);
			check_graph(&some, &wires, n_vcs, seed);
			loom_graph_wires_free(&wires);
			random_circle(&wires, seed, 8 + n % 16, n);
			check_graph(&one, &wires, n_vcs, seed);
			loom_graph_wires_free(&wires);
		}
	}
	// Links both ways never fail, and each kind of routes was there.
	assert_int_equal(both.n_refused, 0);
	assert_int_equal(some.n_refused, 0);
	assert_true(both.n_shortest >= 10 && both.n_up_down >= 10 && some.n_shortest >= 10 && some.n_up_down >= 10);
	assert_true(one.n_shortest >= 5 && one.n_refused >= 5);
	print_message("shortest, up-down, refused: both ways %u %u %u, some one way %u %u %u, all one way %u %u %u\n",
	              both.n_shortest, both.n_up_down, both.n_refused, some.n_shortest, some.n_up_down, some.n_refused,
	              one.n_shortest, one.n_up_down, one.n_refused);
}

// As many lanes as shortest routes need, where that is known: a tree one, a circle of 8 one way half as many as nodes.
static void test_lanes(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		unsigned lanes;
	} known[] = {
		{"a b\n", 1},
		{"a b\nb c\nb d\nd e\n", 1},
		{"a b\nb c\nc a\n", 1},
		{"a b\nb c\nc d\nd a\n", 1},      // of two ways to the corner across the one that closes no circle
		{"a b\nb c\nc d\nd e\ne a\n", 2}, // there is one way to each
		{"a->b\nb->c\nc->a\n", 2},
		{"0->1\n1->2\n2->3\n3->4\n4->5\n5->6\n6->7\n7->0\n", 4},
	};
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
		struct loom_graph_facts facts;
		struct loom_topo t = fabric_of("graph:net:v4", known[i].text);
		assert_true(loom_topo_graph_facts(&facts, &t));
		if (facts.lanes_needed != known[i].lanes)
			fail_msg("\"%s\": %u", known[i].text, facts.lanes_needed);
		loom_topo_free(&t);
	}
}

static void test_large(void **state)
{
	(void)state;
	struct loom_graph_wires wires = {0};
	struct loom_topo t;
	struct loom_graph_facts facts;
	random_graph(&wires, 5, 1024, 2048, 10);
	assert_int_equal(loom_topo_of_graph(&t, "graph:large:v4", &wires, 4, NULL), 0);
	assert_true(loom_topo_graph_facts(&facts, &t));
	print_message("1024 nodes: %u lanes\n", facts.lanes_needed);
	assert_int_equal(t.n_nodes, 1024);
	loom_topo_free(&t);
	loom_graph_wires_free(&wires);
}

// The names that a fabric of wires may have.
static void test_fabric_names(void **state)
{
	(void)state;
	static const struct {
		const char *name, *says; // NULL: taken
	} rows[] = {
		{"graph:g", NULL},
		{"grap:g", "\"grap:g\" is no name of a graph: graph:FILE, of up to"},
		{"", "is no name of a graph"},
		{"graph:\"", "a quotation mark, a backslash or a control character is in the name"},
	};
	struct loom_graph_wires wires;
	struct loom_topo t;
	char name[LOOM_TOPO_NAME + 1] = "graph:";
	random_graph(&wires, 1, 4, 4, 0);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct loom_err err = {0};
		assert_int_equal(loom_topo_of_graph(&t, rows[i].name, &wires, 4, &err), rows[i].says ? LOOM_EINPUT : 0);
		if (rows[i].says)
			assert_non_null(strstr(err.text, rows[i].says));
		else
			loom_topo_free(&t);
	}
	memset(name + 6, 'x', sizeof name - 7);
	name[LOOM_TOPO_NAME] = '\0';
	assert_int_equal(loom_topo_of_graph(&t, name, &wires, 4, NULL), LOOM_EINPUT);
	name[LOOM_TOPO_NAME - 1] = '\0';
	assert_int_equal(loom_topo_of_graph(&t, name, &wires, 4, NULL), 0);
	assert_string_equal(t.name, name);
	loom_topo_free(&t);
	loom_graph_wires_free(&wires);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_edge_lists),    cmocka_unit_test(test_dot_files),
		cmocka_unit_test(test_bad_files),     cmocka_unit_test(test_switches),
		cmocka_unit_test(test_bad_graphml),   cmocka_unit_test(test_limits),
		cmocka_unit_test(test_fabric_names),  cmocka_unit_test(test_refused),
		cmocka_unit_test(test_names),         cmocka_unit_test(test_owners),
		cmocka_unit_test(test_hash),          cmocka_unit_test(test_delays),
		cmocka_unit_test(test_bad_delays),    cmocka_unit_test(test_lanes),
		cmocka_unit_test(test_random_graphs), cmocka_unit_test(test_large),
	};
	return cmocka_run_group_tests(tests, scratch_enter, scratch_leave);
}
