// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Networks with failures: the names of failures, and the rest of each kind of network, compared with simple searches.
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
#include <flitloom/routes/failures.h>
#include <flitloom/routes/graph.h>
#include <flitloom/routes/pair_routes.h>
#include <flitloom/traffic.h>

#include "base/rng.h"
#include "unit/help/scratch_folder.h"

#define NODES_MOST 64

static struct loom_topo fabric(const char *name)
{
	struct loom_topo t;
	struct loom_err err = {0};
	if (loom_topo_parse(&t, name, &err) != 0)
		fail_msg("%s: %s", name, err.text);
	return t;
}

// --- Names -----------------------------------------------------------------------------------------------------------

// The failures as "LINK,LINK;NODE,NODE@CYCLE", links by their channels' names.
static void shows(const char *name, const char *text, const char *expected)
{
	struct loom_topo t = fabric(name);
	struct loom_failures f;
	struct loom_err err = {0};
	char shown[400] = "", channel[48];
	size_t used = 0;
	if (loom_failures_parse(&f, &t, text, &err) != 0)
		fail_msg("%s, %s: %s", name, text, err.text);
	assert_string_equal(f.text, text);
	for (size_t i = 0; i < f.n_links; i++) {
		loom_topo_channel_name(&t, f.link[i], channel);
		used += (size_t)snprintf(shown + used, sizeof shown - used, "%s%s", i ? "," : "", channel);
	}
	for (size_t i = 0; i < f.n_nodes; i++)
		used += (size_t)snprintf(shown + used, sizeof shown - used, "%c%u", i ? ',' : ';', f.node[i]);
	if (f.in_cycle)
		(void)snprintf(shown + used, sizeof shown - used, "@%llu", (unsigned long long)f.in_cycle);
	assert_string_equal(shown, expected);
	loom_failures_free(&f);
	loom_topo_free(&t);
}

static void refuses(const char *name, const char *text, const char *says)
{
	struct loom_topo t = fabric(name);
	struct loom_failures f = {.n_links = 77};
	struct loom_err err = {0};
	assert_int_not_equal(loom_failures_parse(&f, &t, text, &err), 0);
	if (!strstr(err.text, says) || strchr(err.text, '\n'))
		fail_msg("%s, %s: \"%s\" lacks \"%s\"", name, text, err.text, says);
	assert_int_equal(f.n_links, 77);
	loom_topo_free(&t);
}

static void test_names(void **state)
{
	(void)state;
	shows("mesh:4x4", "5->6", "5->6 (+x)");
	shows("mesh:4x4", "6->5", "5->6 (+x)"); // both ways, by the lower channel
	shows("mesh:4x4", "6--5", "5->6 (+x)");
	shows("mesh:4x4", " 5 -> 6 ", "5->6 (+x)");
	shows("mesh:4x4", "5->6 (+x)", "5->6 (+x)");
	shows("mesh:4x4", "0->1,14->15,3", "0->1 (+x),14->15 (+x);3");
	shows("mesh:4x4", "node 3,2", ";2,3");
	shows("mesh:4x4", "none", "");
	shows("mesh:4x4", "5->6@9,3@9", "5->6 (+x);3@9");
	shows("cube:3", "0->4", "0->4 (dim 2)");
	shows("torus:2x3", "0->2", "0->2 (-x)");
	shows("line:4", "random:1%:1", "1->2 (+x)"); // one at least
	scratch_write("f", "# what broke\n0->1 # at noon\n\n node 3\r\n");
	shows("mesh:4x4", "@f", "0->1 (+x);3");
	shows("mesh:4x4", "./f", "0->1 (+x);3");
	assert_int_equal(unlink("f"), 0);
	scratch_write("g", "a b\nb -> c\nc -> a\n");
	shows("graph:g", "b->c", "b->c");
	shows("graph:g", "c->a,a->b", "a->b,c->a");
	shows("graph:g", "b", ";1");
	assert_int_equal(unlink("g"), 0);
}

static void test_bad_names(void **state)
{
	(void)state;
	refuses("mesh:4x4", "5->7", "there is no link \"5->7\" in mesh:4x4; there is: 5->6 (+x), 5->4 (-x)");
	refuses("mesh:4x4", "5->6 (-x)", "there is no link");
	refuses("mesh:4x4", "5->16", "\"16\" is no node of mesh:4x4, which has nodes 0 to 15");
	refuses("mesh:4x4", "16", "\"16\" is no node");
	refuses("mesh:4x4", "5-", "quote links");
	refuses("mesh:4x4", "-1", "is no node");
	refuses("mesh:4x4", "5->6,6->5", "\"6->5\" is there twice: a link fails with both of its directions");
	refuses("mesh:4x4", "5,node 5", "is there twice");
	refuses("mesh:4x4", "", "a name is missing");
	refuses("mesh:4x4", "1->2,,3", "a name is missing");
	refuses("mesh:4x4", "1->2,", "a name is missing");
	refuses("mesh:4x4", "random:0%:1", "above 0 and at most 100");
	refuses("mesh:4x4", "random:101%:1", "above 0 and at most 100");
	refuses("mesh:4x4", "random:nan%:1", "above 0 and at most 100");
	refuses("mesh:4x4", "random:inf%:1", "above 0 and at most 100");
	refuses("mesh:4x4", "random:5:1", "random:P%:SEED");
	refuses("mesh:4x4", "random:5%", "random:P%:SEED");
	refuses("mesh:4x4", "random:5%:x", "random:P%:SEED");
	refuses("mesh:4x4", "0->1@0", "the cycle from which on it fails");
	refuses("mesh:4x4", "0->1@x", "the cycle from which on it fails");
	refuses("mesh:4x4", "0->1@5,1->2", "in the same cycle");
	refuses("mesh:4x4", "0->1@5,1->2@6", "in the same cycle");
	refuses("mesh:4x4", "@nothing", "nothing");
	refuses("omega:8", "0->1", "its links lead through stages");
	refuses("mesh:33x32", "0->1", "up to 1024");
	scratch_write("e", "# nothing\n\n");
	refuses("mesh:4x4", "@e", "e: nothing that failed is in it");
	scratch_write("e", "0->1\n5->7\n");
	refuses("mesh:4x4", "@e", "e: line 2: there is no link");
	scratch_write("g", "a b\nb -> c\nc -> a\n");
	refuses("graph:g", "c->b", "there is no link");
	refuses("graph:g", "3", "whose nodes have names");
	assert_int_equal(unlink("g"), 0);
	assert_int_equal(unlink("e"), 0);
}

static void test_million_lines(void **state)
{
	enum { N = 1000000 };
	char *text = malloc(5 * (size_t)N + 1);
	(void)state;
	assert_non_null(text);
	for (size_t i = 0; i < N; i++)
		memcpy(text + 5 * i, i % 2 ? "5--6\n" : "1->2\n", 6);
	scratch_write("million", text);
	free(text);
	refuses("mesh:4x4", "@million", "line 3: \"1->2\" is there twice");
	assert_int_equal(unlink("million"), 0);
}

// The same seed with a larger part adds to the links.
static void test_random(void **state)
{
	struct loom_topo t = fabric("mesh:8x8");
	struct loom_failures before = {0}, f;
	(void)state;
	for (unsigned percent = 0; percent <= 100; percent += 5) {
		assert_int_equal(loom_failures_random(&f, &t, percent / 100.0, 7, NULL), 0);
		const double wanted = 112 * percent / 100.0; // rounded
		assert_true((double)f.n_links >= wanted - 0.5 && (double)f.n_links <= wanted + 0.5);
		for (size_t i = 0, k = 0; i < before.n_links; i++, k++) {
			while (k < f.n_links && f.link[k] != before.link[i])
				k++;
			assert_true(k < f.n_links);
		}
		loom_failures_free(&before);
		before = f;
	}
	loom_failures_free(&before);
	assert_int_equal(loom_failures_random(&f, &t, 1.01, 7, NULL), LOOM_EINPUT);
	loom_topo_free(&t);
}

// --- What is left ----------------------------------------------------------------------------------------------------

// The result of the slow search: the channels that work, and the remaining nodes.
struct left {
	bool works[NODES_MOST * (LOOM_GRAPH_LINKS_MAX + 2)];
	bool reaches[NODES_MOST][NODES_MOST];
	bool is_in[NODES_MOST];
};

static void search(struct left *l, const struct loom_topo *t, const struct loom_failures *f)
{
	const uint32_t n = t->n_nodes, per_tile = loom_topo_channels_per_tile(t);
	memset(l, 0, sizeof *l);
	for (uint32_t u = 0; u < n; u++)
		for (unsigned p = 0; p < loom_topo_links(t); p++) {
			uint32_t v;
			unsigned q;
			bool works = t->kind->link(t, u, p, &v, &q);
			for (size_t i = 0; works && i < f->n_links; i++)
				works = f->link[i] != u * per_tile + p && f->link[i] != v * per_tile + q;
			for (size_t i = 0; works && i < f->n_nodes; i++)
				works = f->node[i] != u && f->node[i] != v;
			l->works[u * per_tile + p] = works;
			if (works)
				l->reaches[u][v] = true;
		}
	for (uint32_t k = 0; k < n; k++)
		for (uint32_t a = 0; a < n; a++)
			for (uint32_t b = 0; b < n; b++)
				l->reaches[a][b] = l->reaches[a][b] || (l->reaches[a][k] && l->reaches[k][b]);
	uint32_t most = 0, best = 0;
	for (uint32_t a = 0; a < n; a++) {
		uint32_t size = 1;
		for (uint32_t b = 0; b < n; b++)
			size += a != b && l->reaches[a][b] && l->reaches[b][a];
		if (size > most) {
			most = size;
			best = a;
		}
	}
	for (uint32_t b = 0; b < n; b++)
		l->is_in[b] = b == best || (l->reaches[best][b] && l->reaches[b][best]);
}

// Follows all routes by all lanes: they arrive, over links that work. Returns their links.
static uint64_t follow(const struct loom_topo *t, const struct left *l)
{
	uint64_t n_links = 0;
	for (uint32_t a = 0; a < t->n_nodes; a++)
		for (uint32_t b = 0; b < t->n_nodes; b++) {
			struct loom_route route;
			uint32_t channel, last = UINT32_MAX, n = 0;
			if (a == b)
				continue;
			const unsigned rule = loom_topo_rule(t, a, b, 0);
			loom_route_begin(&route, t, a, b, (enum loom_rule)rule);
			for (; loom_route_next(&route, &channel); n++, last = channel) {
				assert_true(n <= t->n_nodes + 1);
				if (loom_topo_is_local(t, channel))
					continue;
				assert_true(l->works[channel] && route.vc < t->n_vcs);
				n_links++;
			}
			if (!l->is_in[a] || !l->is_in[b]) {
				assert_int_equal(n, 0);
				continue;
			}
			assert_true(n > 2);
			assert_int_equal(last, b * loom_topo_channels_per_tile(t) + t->ports - 1);
		}
	return n_links;
}

static void hold_names(const struct loom_topo *t, const struct loom_topo *whole, const struct left *l)
{
	uint32_t extent[LOOM_DIMS_MAX] = {0}, of_whole[LOOM_DIMS_MAX] = {0};
	assert_int_equal(loom_topo_shape(extent, t), loom_topo_shape(of_whole, whole));
	assert_memory_equal(extent, of_whole, sizeof extent);
	assert_int_equal(t->n_nodes, whole->n_nodes);
	assert_int_equal(loom_topo_channels(t), loom_topo_channels(whole));
	for (uint32_t c = 0; c < loom_topo_channels(t); c++) {
		char name[48], in_whole[48];
		const bool local = loom_topo_is_local(whole, c);
		assert_int_equal(loom_topo_channel_exists(t, c), local || l->works[c]);
		if (!loom_topo_channel_exists(t, c))
			continue;
		loom_topo_channel_name(t, c, name);
		loom_topo_channel_name(whole, c, in_whole);
		assert_string_equal(name, in_whole);
		assert_true(loom_topo_group_of(t, c) < loom_topo_groups(t));
		loom_topo_group_name(t, loom_topo_group_of(t, c), name);
		loom_topo_group_name(whole, loom_topo_group_of(whole, c), in_whole);
		assert_string_equal(name, in_whole);
	}
}

static void hold_pairs(const struct loom_topo *t, const struct left *l)
{
	const struct loom_pair_options options = {.n_lanes = 2, .seed = 1, .rounds = 2};
	struct loom_pair_routes r;
	struct loom_pair_facts facts;
	struct loom_err err = {0};
	uint32_t bound;
	if (loom_pair_routes_search(&r, t, &options, &err) != 0 || loom_pair_routes_check(&r, t, &err) != 0 ||
	    loom_pair_bound(&bound, t, &err) != 0 || loom_pair_routes_facts(&facts, &r, t, &err) != 0)
		fail_msg("%s: %s", t->name, err.text);
	assert_true(facts.largest_load >= bound);
	for (uint32_t a = 0; a < t->n_nodes; a++)
		for (uint32_t b = 0; b < t->n_nodes; b++) {
			const size_t i = (size_t)a * t->n_nodes + b;
			const bool has = a != b && l->is_in[a] && l->is_in[b];
			assert_int_equal(r.routes.first[i + 1] > r.routes.first[i], has);
			for (size_t k = r.routes.first[i]; k < r.routes.first[i + 1]; k++)
				assert_true(l->works[r.routes.channel[k]]);
		}
	loom_pair_routes_free(&r);
}

// Checks that uniform traffic is drawn among the remaining nodes, and reaches all of them.
static void hold_traffic(const struct loom_topo *t, const struct left *l)
{
	const struct loom_pattern_options options = {.flits = 5};
	struct loom_traffic traffic;
	uint32_t n_in = 0;
	assert_int_equal(loom_traffic_parse(&traffic, "uniform", t, &options, NULL), 0);
	for (uint32_t v = 0; v < t->n_nodes; v++) {
		n_in += l->is_in[v];
		assert_int_equal(loom_traffic_sends(&traffic, t, v), l->is_in[v]);
	}
	assert_int_equal(loom_traffic_senders_count(&traffic, t), n_in);
	assert_int_equal(loom_topo_parts_count(t), n_in);
	loom_traffic_free(&traffic);
}

// Compares the rest of the network with the search. Returns true if anything is left.
static bool holds(const struct loom_topo *whole, const struct loom_failures *f, unsigned n_vcs, bool pairs)
{
	struct left *l = malloc(sizeof *l);
	struct loom_topo t, copy;
	struct loom_err err = {0};
	struct loom_failure_facts facts;
	struct loom_dependency_cycle circle;
	uint32_t n_in = 0;
	assert_non_null(l);
	search(l, whole, f);
	for (uint32_t u = 0; u < whole->n_nodes; u++)
		n_in += l->is_in[u];
	const int rc = loom_topo_without(&t, whole, f, n_vcs, &err);
	if (n_in < 2) {
		assert_int_equal(rc, LOOM_EINPUT);
		assert_non_null(strstr(err.text, "no two nodes"));
		free(l);
		return false;
	}
	if (rc != 0)
		fail_msg("%s without %s: %s", whole->name, f->text, err.text);
	for (uint32_t u = 0; u < t.n_nodes; u++)
		assert_int_equal(loom_topo_takes_part(&t, u), l->is_in[u]);
	assert_true(loom_topo_failure_facts(&facts, &t));
	assert_int_equal(facts.n_cut_off, t.n_nodes - n_in - f->n_nodes);
	hold_names(&t, whole, l);
	const uint64_t n_links = follow(&t, l);
	assert_int_equal(loom_deadlock_find_in_routing(&circle, &t, 1, &err), 0);
	assert_int_equal(circle.n_channels, 0);
	hold_traffic(&t, l);
	if (pairs)
		hold_pairs(&t, l);
	// A copy lives on, and with more lanes routes are no longer.
	loom_topo_copy(&copy, &t);
	loom_topo_free(&t);
	assert_int_equal(loom_topo_set_vcs(&copy, 4, &err), 0);
	assert_int_equal(copy.n_vcs, 4);
	assert_true(follow(&copy, l) <= n_links);
	assert_int_equal(loom_topo_set_buffers(&copy, 5, &err), 0);
	assert_int_equal(copy.buffers, 5);
	assert_int_equal(copy.n_vcs, 4);
	hold_names(&copy, whole, l);
	loom_topo_free(&copy);
	free(l);
	return true;
}

static void test_left(void **state)
{
	static const char *const names[] = {
		"line:9",     "ring:8",         "ring:7v2",       "mesh:4x4",          "mesh:3x5",
		"mesh:2x3x4", "torus:4x4",      "torus:3x5v2",    "torus:2x2v2",       "cube:4",
		"cube:6",     "table-mesh:4x4", "table-cube:3v4", "table-torus:4x4v2", "mesh:8x8b4d2",
		"mesh:1x6",   "graph:one-way"};
	struct loom_rng rng;
	(void)state;
	scratch_write("one-way", "a b\nb -> c\nc d\nd -> a\na -> c\nb e\ne -> d\nc f\nf g\n");
	loom_rng_init(&rng, 3);
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		struct loom_topo whole = fabric(names[i]);
		unsigned n_left = 0;
		for (unsigned k = 0; k < 24; k++) {
			struct loom_failures f;
			const double part = (double)loom_rng_below(&rng, 4) / 8;
			assert_int_equal(loom_failures_random(&f, &whole, part, k, NULL), 0);
			while (f.n_nodes < loom_rng_below(&rng, 3)) { // the arrays have room for all
				const uint32_t u = (uint32_t)loom_rng_below(&rng, whole.n_nodes);
				if (f.n_nodes == 0 || u > f.node[f.n_nodes - 1])
					f.node[f.n_nodes++] = u;
			}
			n_left += holds(&whole, &f, whole.graph ? 4 : 0, k == 5 && whole.n_nodes <= 16);
			loom_failures_free(&f);
		}
		assert_true(n_left > 3);
		loom_topo_free(&whole);
	}
	assert_int_equal(unlink("one-way"), 0);
}

static void test_none_and_all(void **state)
{
	struct loom_topo whole = fabric("mesh:4x4");
	struct loom_failures f;
	(void)state;
	assert_int_equal(loom_failures_random(&f, &whole, 0, 1, NULL), 0);
	assert_true(holds(&whole, &f, 0, true)); // a graph with tables
	loom_failures_free(&f);
	assert_int_equal(loom_failures_random(&f, &whole, 1, 1, NULL), 0);
	assert_false(holds(&whole, &f, 0, false));
	loom_failures_free(&f);
	loom_topo_free(&whole);
}

static void without(const char *name, const char *failed, unsigned n_vcs, const char *says)
{
	struct loom_topo whole = fabric(name), t = {.n_nodes = 77};
	struct loom_failures f;
	struct loom_err err = {0};
	assert_int_equal(loom_failures_parse(&f, &whole, failed, &err), 0);
	assert_int_not_equal(loom_topo_without(&t, &whole, &f, n_vcs, &err), 0);
	if (!strstr(err.text, says))
		fail_msg("\"%s\" lacks \"%s\"", err.text, says);
	assert_int_equal(t.n_nodes, 77);
	loom_failures_free(&f);
	loom_topo_free(&whole);
}

static void test_refusals(void **state)
{
	(void)state;
	without("mesh:4x4", "0->1", 9, "9 lanes of each link; 1 to 8 are possible");
	without("mesh:2x2", "random:100%:1", 0, "no two nodes of it are left");
	without("line:2", "0", 0, "no two nodes of it are left");
	without("otis-mesh:4", "0->1", 0, "optical links");
	struct loom_topo whole = fabric("mesh:4x4"), t, again;
	struct loom_failures f;
	struct loom_err err = {0};
	assert_int_equal(loom_failures_parse(&f, &whole, "0->1", &err), 0);
	assert_int_equal(loom_topo_without(&t, &whole, &f, 0, &err), 0);
	assert_string_equal(t.name, "mesh:4x4 --fail 0->1");
	assert_int_equal(loom_topo_without(&again, &t, &f, 0, &err), LOOM_EINPUT);
	assert_non_null(strstr(err.text, "failed already"));
	f.link[0] = 5; // ejection
	assert_int_equal(loom_topo_without(&again, &whole, &f, 0, &err), LOOM_EINPUT);
	assert_non_null(strstr(err.text, "is no link"));
	loom_failures_free(&f);
	loom_topo_free(&t);
	loom_topo_free(&whole);
}

static void test_texts(void **state)
{
	struct loom_topo whole = fabric("mesh:4x4"), t;
	struct loom_failures f;
	struct loom_err err = {0};
	char text[400], small[60];
	(void)state;
	assert_int_equal(loom_failures_parse(&f, &whole, "0->1,0->4,10", &err), 0);
	assert_int_equal(loom_topo_without(&t, &whole, &f, 0, &err), 0);
	loom_topo_failed_text(text, sizeof text, &t);
	assert_string_equal(text, "6 links carry nothing, 1 node failed; cut off: node 0 by 0->1 (+x), 0->4 (+y)");
	loom_topo_failed_text(text, sizeof text, &whole);
	assert_string_equal(text, "");
	const struct loom_failures none = {0};
	struct loom_topo unharmed;
	assert_int_equal(loom_topo_without(&unharmed, &whole, &none, 0, &err), 0);
	loom_topo_failed_text(text, sizeof text, &unharmed);
	assert_string_equal(text, "0 links failed");
	loom_topo_free(&unharmed);
	loom_topo_cut_off_text(small, sizeof small, &t);
	assert_true(strlen(small) < sizeof small);
	assert_int_equal(loom_topo_check_part(&t, 1, 2, &err), 0);
	assert_int_equal(loom_topo_check_part(&t, 1, 10, &err), LOOM_EINPUT);
	assert_string_equal(err.text, "node 10 failed, and a message is from it or to it; messages:FILE can leave it "
	                              "out, and under --load uniform does");
	assert_int_equal(loom_topo_check_part(&t, 0, 1, &err), LOOM_EINPUT);
	assert_string_equal(err.text, "node 0 is cut off by 0->1 (+x), 0->4 (+y), and a message is from it or to it; "
	                              "messages:FILE can leave it out, and under --load uniform does");
	loom_failures_free(&f);
	loom_topo_free(&t);
	loom_topo_free(&whole);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),    cmocka_unit_test(test_bad_names), cmocka_unit_test(test_million_lines),
		cmocka_unit_test(test_random),   cmocka_unit_test(test_left),      cmocka_unit_test(test_none_and_all),
		cmocka_unit_test(test_refusals), cmocka_unit_test(test_texts),
	};
	return cmocka_run_group_tests(tests, scratch_enter, scratch_leave);
}
