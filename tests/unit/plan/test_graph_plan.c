// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans on networks of the user's own: their files, lanes, chips, models and pictures.
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
#include <flitloom/link/image.h>
#include <flitloom/plan.h>
#include <flitloom/report.h>

#include "base/file.h"
#include "chip/image_fit.h"
#include "links/rtl.h"
#include "unit/help/scratch_folder.h"

#define NET "a b\nb c\nc d\nd e\ne a\n" // a ring of five: shortest routes need two lanes

static char *read_text(const char *name)
{
	char *text;
	size_t length;
	assert_int_equal(loom_file_read(&text, &length, name, 1 << 20, NULL), 0);
	text = realloc(text, length + 1);
	assert_non_null(text);
	text[length] = '\0';
	assert_int_equal(unlink(name), 0);
	return text;
}

static struct loom_plan plan_of(const char *fabric, const char *net, const char *spec, const char *map)
{
	const struct loom_plan_options options = {.map = map};
	struct loom_topo topo;
	struct loom_pattern pattern;
	struct loom_plan plan;
	struct loom_err err = {0};
	scratch_write("net", net);
	if (loom_topo_parse(&topo, fabric, &err) != 0 ||
	    loom_pattern_parse(&pattern, spec, topo.n_nodes, &(struct loom_pattern_options){.flits = 5, .seed = 1},
	                       &err) != 0 ||
	    loom_plan_make(&plan, &topo, &pattern, &options, &err) != 0)
		fail_msg("%s: %s", fabric, err.text);
	loom_topo_free(&topo);
	loom_pattern_free(&pattern);
	assert_int_equal(unlink("net"), 0);
	return plan;
}

// A plan is read after its network's file has been removed.
static void test_round_trip(void **state)
{
	(void)state;
	struct loom_plan plan = plan_of("graph:net:v2", NET "b->d\n", "uniform:40", "4,3,2,1,0"), same;
	struct loom_err err = {0};
	assert_int_equal(loom_plan_write(&plan, "plan", &err), 0);
	if (loom_plan_read(&same, "plan", &err) != 0)
		fail_msg("%s", err.text);
	assert_int_equal(loom_plan_write(&same, "again", &err), 0);
	char *first = read_text("plan"), *second = read_text("again");
	assert_string_equal(first, second);
	assert_string_equal(same.topo.name, "graph:net:v2");
	struct loom_graph_facts a, b;
	assert_true(loom_topo_graph_facts(&a, &plan.topo) && loom_topo_graph_facts(&b, &same.topo));
	assert_true(a.hash == b.hash && a.wires != b.wires);
	for (size_t i = 0; i < plan.n_messages; i++) {
		const struct loom_plan_message *m = &plan.messages[i];
		assert_int_equal(m->rule, loom_topo_rule(&plan.topo, plan.map[m->source], plan.map[m->destination], 0));
	}
	free(first);
	free(second);
	loom_plan_free(&plan);
	loom_plan_free(&same);
}

static void is_refused(const char *text, const char *from, const char *to, const char *says)
{
	struct loom_plan plan;
	struct loom_err err = {0};
	char changed[8000];
	const char *at = strstr(text, from);
	assert_non_null(at);
	int length = snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
	assert_int_equal(loom_plan_parse(&plan, changed, (size_t)length, "plan", &err), LOOM_EINPUT);
	if (!strstr(err.text, says))
		fail_msg("%s for %s: \"%s\" lacks \"%s\"", to, from, err.text, says);
}

static void test_changed_files(void **state)
{
	(void)state;
	struct loom_plan plan = plan_of("graph:net:v2", NET, "uniform:20", NULL);
	struct loom_err err = {0};
	assert_int_equal(loom_plan_write(&plan, "plan", &err), 0);
	char *text = read_text("plan");
	is_refused(text, "[0, 1, 2]", "[0, 5, 2]", "link 0 is from node 0 to node 5; there are 5 nodes");
	is_refused(text, "[0, 1, 2]", "[0, 2, 2]", "predicted");
	is_refused(text, "[0, 1, 2]", "[0, 1, 3]", "graph: links[0] has 3 directions; 1 or 2 are possible");
	is_refused(text, "[0, 1, 2]", "[0, 1]", "\"graph: links[0]\" is not a list of 3 numbers");
	is_refused(text, "[0, 1, 2], [1, 2, 2]", "[0, 1, 2]", "predicted");
	is_refused(text, "\"a\", \"b\"", "\"a\", \"a\"", "nodes 0 and 1 are both called a");
	is_refused(text, "\"a\", ", "", "4 nodes");
	is_refused(text, "\"nodes\"", "\"names\"", "is missing");
	is_refused(text, "graph:net:v2", "cube:2", "fabric cube:2 has no \"graph\"");
	is_refused(text, "\"graph\"", "\"routes\"", "fabric graph:net:v2 needs \"graph\"");
	is_refused(text, "graph:net:v2", "graph:net:v9", "9 lanes of each link");
	free(text);
	loom_plan_free(&plan);
}

// On one lane a ring of five has up*/down* routes, on two the shortest.
static void test_report(void **state)
{
	(void)state;
	static const struct {
		const char *fabric, *says;
	} known[] = {{"graph:net", "up*/down*"}, {"graph:net:v2", "it has 2"}};
	for (size_t i = 0; i < 2; i++) {
		struct loom_plan plan = plan_of(known[i].fabric, NET, "uniform:20", NULL);
		struct loom_verdict verdict = {0};
		struct loom_err err = {0};
		char *text = NULL;
		size_t size;
		FILE *f = open_memstream(&text, &size);
		assert_non_null(f);
		assert_int_equal(loom_verdict_predict(&verdict, &plan, LOOM_MACHINE_FAST, &err), 0);
		assert_int_equal(loom_report_table(f, &plan, &verdict, false, false, &err), 0);
		assert_int_equal(loom_report_json(f, &plan, &verdict, false, NULL, &err), 0);
		assert_int_equal(fclose(f), 0);
		if (!strstr(text, known[i].says))
			fail_msg("%s", text);
		assert_non_null(
			strstr(text, i ? "\"routing\":\"shortest\",\"root\":null,\"lanes\":2,\"lanes_needed\":2"
		                       : "\"routing\":\"up-down\",\"root\":\"a\",\"lanes\":1,\"lanes_needed\":2"));
		free(text);
		loom_verdict_free(&verdict);
		loom_plan_free(&plan);
	}
}

// Rules cannot be chosen on graphs, and messages on other lanes than planned can lock.
static void test_rules(void **state)
{
	(void)state;
	struct loom_plan plan = plan_of("graph:net:v2", NET, "all-to-all", NULL);
	const struct loom_plan_options options = {.rule = "ascending"};
	struct loom_pattern pattern;
	struct loom_plan other;
	struct loom_err err = {0};
	assert_int_equal(loom_deadlock_check(&plan, &err), 0);
	assert_int_equal(
		loom_pattern_parse(&pattern, "all-to-all", 5, &(struct loom_pattern_options){.flits = 5}, &err), 0);
	assert_int_equal(loom_plan_make(&other, &plan.topo, &pattern, &options, &err), LOOM_EINPUT);
	assert_string_equal(
		err.text, "rule ascending: on graph:net:v2 the lane of a message follows from its ends: leave it out");
	for (size_t i = 0; i < plan.n_messages; i++) {
		plan.messages[i].rule = 0;
		plan.messages[i].pass = 0;
	}
	assert_int_equal(loom_deadlock_check(&plan, &err), LOOM_EINPUT);
	loom_pattern_free(&pattern);
	loom_plan_free(&plan);
}

static struct loom_rtl rtl_of(const char *fabric, const char *net)
{
	struct loom_plan plan = plan_of(fabric, net, "uniform:1", NULL);
	struct loom_rtl rtl;
	struct loom_err err = {0};
	if (loom_rtl_of_topo(&rtl, &plan.topo, &err) != 0)
		fail_msg("%s: %s", fabric, err.text);
	loom_plan_free(&plan);
	return rtl;
}

// Two networks never share a model; one network has one, whatever its nodes are called.
static void test_models(void **state)
{
	(void)state;
	struct loom_rtl a = rtl_of("graph:net", NET), same = rtl_of("graph:./net", "# five\n" NET),
			b = rtl_of("graph:net", "a b\nb c\nc d\nd e\na e\n"), c = rtl_of("graph:net:v2", NET);
	assert_string_equal(a.name, same.name);
	assert_true(strcmp(a.name, b.name) != 0 && strcmp(a.name, c.name) != 0);
	loom_rtl_free(&a);
	loom_rtl_free(&same);
	loom_rtl_free(&b);
	loom_rtl_free(&c);
}

static void test_chips(void **state)
{
	(void)state;
	struct loom_plan plan = plan_of("graph:net", NET, "uniform:10", NULL);
	const struct loom_image_options options = {.seed = 1};
	struct loom_rtl here = rtl_of("graph:net", NET), other = rtl_of("graph:net", "a b\nb c\nc d\nd e\na e\n");
	struct loom_topo topo;
	struct loom_err err = {0};
	assert_int_equal(loom_chip_check(&here.chip, &err), 0);
	assert_int_equal(loom_chip_topo(&topo, &here.chip, &err), 0);
	assert_int_equal(strncmp(topo.name, "graph of 5 nodes, links ", 24), 0);
	assert_null(topo.graph);
	if (loom_image_fits(&plan, &here.chip, &options, &err) != 0)
		fail_msg("%s", err.text);
	assert_int_equal(loom_image_fits(&plan, &other.chip, &options, &err), LOOM_EHARDWARE);
	assert_non_null(strstr(err.text, "the plan is for graph:net, but the chip holds graph of 5 nodes, links "));
	// The same links with fewer lanes than the plan's messages are on.
	static const char *const lanes[] = {
		"links of the chip have 1 lane, and the plan is for 2",
		NULL,
		"links of the chip have 1 lane, and the plan is for 4",
		"links of the chip have 2 lanes, and the plan is for 4",
	};
	for (unsigned k = 0; k < 4; k++) {
		struct loom_plan more = plan_of(k / 2 ? "graph:net:v4" : "graph:net:v2", NET, "uniform:10", NULL);
		struct loom_rtl board = rtl_of(k % 2 ? "graph:net:v2" : "graph:net", NET);
		assert_int_equal(loom_image_check_vcs(&more, &board.chip, &err), lanes[k] ? LOOM_EFIT : 0);
		if (lanes[k])
			assert_string_equal(err.text, lanes[k]);
		loom_rtl_free(&board);
		loom_plan_free(&more);
	}
	here.chip.extent[0]++;
	assert_int_equal(loom_chip_check(&here.chip, &err), LOOM_EHARDWARE);
	loom_rtl_free(&here);
	loom_rtl_free(&other);
	loom_plan_free(&plan);
}

// A chip's registers say a graph, or none that can be: each field at its bounds and one beyond. Its name tells the 64 bits of its
// links, which lie in the extents behind the first.
static void test_registers(void **state)
{
	(void)state;
	static const struct {
		uint32_t n_dims, nodes, extent, channels;
		bool is_one;
	} cases[] = {{5, 5, 5, 5, true},   {5, 5, 5, 3, true},       {5, 5, 5, 2, false},      {5, 5, 5, 65, true},
	             {5, 5, 5, 66, false}, {4, 5, 5, 5, false},      {6, 5, 5, 5, false},      {5, 5, 6, 5, false},
	             {5, 6, 5, 5, false},  {5, 1024, 1024, 5, true}, {5, 1025, 1025, 5, false}};
	struct loom_rtl here = rtl_of("graph:net", NET);
	struct loom_graph_facts facts;
	struct loom_plan plan = plan_of("graph:net", NET, "uniform:1", NULL);
	assert_true(loom_topo_graph_facts(&facts, &plan.topo));
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct loom_chip chip = here.chip;
		struct loom_topo topo;
		struct loom_err err = {0};
		char name[80];
		chip.n_dims = cases[i].n_dims;
		chip.n_nodes = cases[i].nodes;
		chip.extent[0] = cases[i].extent;
		chip.n_channels = cases[i].channels;
		chip.n_vcs = (uint32_t)i % 3;
		assert_int_equal(loom_chip_topo(&topo, &chip, &err), cases[i].is_one ? 0 : LOOM_EHARDWARE);
		if (!cases[i].is_one) {
			assert_string_equal(err.text, "a graph of a shape that cannot be");
			continue;
		}
		(void)snprintf(name, sizeof name, "graph of %u nodes, links %016llx", cases[i].nodes,
		               (unsigned long long)facts.hash);
		assert_string_equal(topo.name, name);
		assert_int_equal(topo.n_nodes, cases[i].nodes);
		assert_int_equal(topo.n_tiles, cases[i].nodes);
		assert_int_equal(topo.n_dims, 1);
		assert_int_equal(topo.extent[0], cases[i].nodes);
		assert_int_equal(topo.ports, cases[i].channels - 1);
		assert_int_equal(topo.n_vcs, i % 3 ? i % 3 : 1);
		// Two bits more for chosen routes; beside 10 the window of a route table has room for one.
		assert_int_equal(topo.label_bits, cases[i].nodes == 5 ? 3 + 2 : 10 + 1);
	}
	loom_plan_free(&plan);
	loom_rtl_free(&here);
}

static unsigned count(const char *text, const char *what)
{
	unsigned n = 0;
	for (const char *at = text; (at = strstr(at, what)); at++)
		n++;
	return n;
}

// A box for each node with its name, an arrow for each channel; with GraphViz and without.
static void test_pictures(void **state)
{
	(void)state;
	struct loom_plan plan = plan_of("graph:net", "left<&> right\nright far\nfar->left<&>\n", "uniform:20", NULL);
	const struct loom_panel panel = {.plan = &plan};
	char *path = strdup(getenv("PATH"));
	struct loom_err err = {0};
	for (int without = 0; without < 2; without++) {
		assert_int_equal(setenv("PATH", without ? "/nonexistent" : path, 1), 0);
		assert_int_equal(loom_report_picture("svg", LOOM_PICTURE_LOADS, &panel, 1, &err), 0);
		char *text = read_text("svg");
		assert_int_equal(count(text, "<title>node "), 3);
		assert_int_equal(count(text, "-&gt;"), 5 + 1); // and the heaviest
		assert_non_null(strstr(text, "<title>node left&lt;&amp;&gt;</title>"));
		assert_non_null(
			strstr(text, without ? "nodes lie on a circle" : "nodes lie where GraphViz has put them"));
		free(text);
		assert_int_equal(loom_report_picture("svg", LOOM_PICTURE_PATHS, &panel, 1, &err), 0);
		free(read_text("svg"));
	}
	assert_int_equal(setenv("PATH", path, 1), 0);
	free(path);
	loom_plan_free(&plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip), cmocka_unit_test(test_changed_files), cmocka_unit_test(test_report),
		cmocka_unit_test(test_rules),      cmocka_unit_test(test_models),        cmocka_unit_test(test_chips),
		cmocka_unit_test(test_registers),  cmocka_unit_test(test_pictures),
	};
	return cmocka_run_group_tests(tests, scratch_enter, scratch_leave);
}
