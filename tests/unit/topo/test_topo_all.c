// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks that hold for fabrics of every kind and size, whatever the kind: each that there is gets tested, also one that
// is added.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/topo.h>

#include "topo/flit.h"
#include "topo/topo_span.h"
#include "unit/help/routes.h"

#define LARGEST 130 // nodes of the fabrics that are walked from everywhere to everywhere
#define TEXT 48

// Shapes that no number of nodes leads to; the others are of 1 to LARGEST nodes, as near as the kind comes to it.
static const char *const shapes[] = {"mesh:1x4",       "mesh:3x5",    "mesh:5x3",    "mesh:4x3x2",
                                     "mesh:2x3x1x2x2", "mesh:1x128",  "torus:1x4",   "torus:2x2",
                                     "torus:5x3",      "torus:2x4x3", "torus:4x4x4", "torus:3x1x2"};

static void parse(struct loom_topo *t, const char *name)
{
	struct loom_err err = {0};
	if (loom_topo_parse(t, name, &err) != 0)
		fail_msg("%s: %s", name, err.text);
	assert_string_equal(t->name, name);
}

static void on_all(void (*property)(const struct loom_topo *t))
{
	struct loom_topo t;
	char before[TEXT] = "";
	unsigned n = 0;
	for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
		parse(&t, shapes[i]);
		property(&t);
	}
	for (size_t k = 0; loom_topo_kind_at(k); k++)
		for (uint32_t nodes = 1; loom_topo_kind_at(k)->size_near && nodes <= LARGEST;
		     nodes += nodes < 10 ? 1 : 5) {
			struct loom_err err = {0};
			assert_int_equal(loom_topo_near(&t, loom_topo_kind_at(k)->name, nodes, &err), 0);
			if (strcmp(t.name, before) == 0 || t.n_nodes > LARGEST)
				continue;
			memcpy(before, t.name, sizeof before);
			property(&t);
			n++;
		}
	assert_true(n > 60);
}

static bool is_direct(const struct loom_topo *t)
{
	return t->kind->link != NULL;
}

// --- Names, shapes and labels --------------------------------------------------------------------------------------

static void has_shape(const struct loom_topo *t)
{
	struct loom_topo same;
	uint32_t product = 1;
	memset(&same, 0xa5, sizeof same);
	parse(&same, t->name);
	assert_memory_equal(&same, t, sizeof same);
	assert_int_equal(loom_topo_of_extents(&same, t->kind, t->n_dims, t->extent, NULL), 0);
	assert_memory_equal(&same, t, sizeof same);
	assert_true(t->n_dims >= 1 && t->n_dims <= LOOM_DIMS_MAX);
	for (unsigned d = 0; d < LOOM_DIMS_MAX; d++) {
		assert_int_equal(t->extent[d] > 0, d < t->n_dims);
		product *= d < t->n_dims ? t->extent[d] : 1;
	}
	assert_int_equal(product, t->n_nodes);
	assert_int_equal(loom_topo_channels_per_tile(t), t->ports + 1);
	assert_int_equal(loom_topo_channels(t), t->n_tiles * (t->ports + 1));
}

static void has_labels_of_its_own(const struct loom_topo *t)
{
	uint32_t n = 0, node;
	for (uint32_t label = 0; label < UINT32_C(4) << t->label_bits; label++) { // some too wide
		bool is_one = loom_topo_node_of_label(&node, t, label);
		n += is_one;
		assert_true(!is_one || (node < t->n_nodes && loom_topo_label(t, node) == label));
	}
	assert_int_equal(n, t->n_nodes);
}

static int compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void are_unique(char (*names)[TEXT], size_t n)
{
	qsort(names, n, sizeof *names, compare);
	for (size_t i = 0; i < n; i++) {
		assert_true(strlen(names[i]) > 0);
		if (i > 0 && strcmp(names[i - 1], names[i]) == 0)
			fail_msg("two are called %s", names[i]);
	}
}

static void has_names_of_its_own(const struct loom_topo *t)
{
	uint32_t n_channels = loom_topo_channels(t), n = 0;
	unsigned n_groups = loom_topo_groups(t);
	char(*names)[TEXT] = calloc(n_channels, sizeof *names), (*groups)[TEXT] = calloc(n_groups, sizeof *groups);
	assert_true(names && groups);
	for (uint32_t c = 0; c < n_channels; c++)
		if (loom_topo_channel_exists(t, c))
			loom_topo_channel_name(t, c, names[n++]);
	are_unique(names, n);
	for (unsigned g = 0; g < n_groups; g++)
		loom_topo_group_name(t, g, groups[g]);
	are_unique(groups, n_groups);
	free(names);
	free(groups);
}

// --- Channels and links --------------------------------------------------------------------------------------------

// Checks that every channel is in one group, that no group is empty, and that groups of the nodes' own channels come
// last.
static void has_groups(const struct loom_topo *t)
{
	unsigned n_groups = loom_topo_groups(t), per_tile = loom_topo_channels_per_tile(t);
	uint32_t *count = calloc(n_groups, sizeof *count);
	char name[16];
	assert_non_null(count);
	for (uint32_t c = 0; c < loom_topo_channels(t); c++) {
		unsigned k = c % per_tile;
		assert_int_equal(!!loom_topo_is_local(t, c), k >= t->ports - 1);
		if (!loom_topo_channel_exists(t, c)) {
			assert_false(loom_topo_is_local(t, c));
			continue;
		}
		unsigned g = loom_topo_group_of(t, c);
		assert_true(g < n_groups);
		count[g]++;
		loom_topo_group_name(t, g, name);
		assert_int_equal(strcmp(name, "eject") == 0, k == t->ports - 1);
		assert_int_equal(strcmp(name, "inject") == 0, k == t->ports);
		assert_int_equal(g >= n_groups - 2, k >= t->ports - 1);
	}
	for (unsigned g = 0; g < n_groups; g++)
		assert_true(count[g] > 0);
	assert_int_equal(count[n_groups - 1], t->n_nodes);
	assert_int_equal(count[n_groups - 2], t->n_nodes);
	free(count);
}

// Checks that the link back from a link's end leads to its start, and that the wiring agrees.
static void has_mutual_links(const struct loom_topo *t)
{
	uint64_t seen = 0;
	if (!is_direct(t))
		return;
	for (uint32_t u = 0; u < t->n_nodes; u++)
		for (unsigned p = 0; p < t->ports - 1; p++) {
			uint32_t v, back;
			unsigned q, here;
			bool there = t->kind->link(t, u, p, &v, &q);
			assert_int_equal(loom_topo_channel_exists(t, u * (t->ports + 1) + p), there);
			if (!there) {
				assert_int_equal(loom_topo_wire(t, u, p), 0);
				continue;
			}
			seen |= UINT64_C(1) << p;
			assert_true(v < t->n_nodes && v != u && q < t->ports - 1);
			assert_true(t->kind->link(t, v, q, &back, &here) && back == u && here == p);
			assert_int_equal(loom_topo_wire(t, u, p), v | q << 12 | 1u << 23);
		}
	for (unsigned p = 0; p < t->ports - 1; p++)
		assert_int_equal(t->no_link >> p & 1, !(seen >> p & 1));
}

// --- Routes --------------------------------------------------------------------------------------------------------

static void has_routes_that_end(const struct loom_topo *t)
{
	uint32_t *route = calloc(loom_topo_channels(t), sizeof *route),
		 *last = calloc(loom_topo_channels(t), sizeof *last);
	uint32_t number = 0; // of the route
	assert_true(route && last);
	for (uint32_t s = 0; s < t->n_nodes; s++)
		for (uint32_t d = 0; d < t->n_nodes; d++)
			for (unsigned rule = 0; rule < loom_topo_rules_count(t); rule++) {
				unsigned n = route_of(route, loom_topo_channels(t), t, s, d, (enum loom_rule)rule);
				number++;
				assert_int_equal(loom_route_length(t, s, d, (enum loom_rule)rule), n);
				assert_true(n >= 2 && n - 2 <= loom_topo_most_links(t));
				assert_int_equal(route[0], s * (t->ports + 1) + t->ports);
				assert_int_equal(route[n - 1], d * (t->ports + 1) + t->ports - 1);
				for (unsigned k = 0; k < n; k++) {
					assert_true(loom_topo_channel_exists(t, route[k]));
					assert_int_equal(!!loom_topo_is_local(t, route[k]), k == 0 || k == n - 1);
					assert_int_not_equal(last[route[k]], number); // no channel twice
					last[route[k]] = number;
				}
			}
	free(last);
	free(route);
}

// Computes the number of links from every node to `to`, from the links alone; UINT32_MAX: there is no way.
static void distances(uint32_t *out, const struct loom_topo *t, uint32_t to)
{
	bool more = true;
	for (uint32_t u = 0; u < t->n_nodes; u++)
		out[u] = u == to ? 0 : UINT32_MAX;
	for (uint32_t round = 0; more; round++) {
		more = false;
		for (uint32_t u = 0; u < t->n_nodes; u++)
			for (unsigned p = 0; p < t->ports - 1 && out[u] == UINT32_MAX; p++) {
				uint32_t v;
				unsigned q;
				if (t->kind->link(t, u, p, &v, &q) && out[v] == round) {
					out[u] = round + 1;
					more = true;
				}
			}
	}
}

// Each step by `next` leads one link nearer: routes are as short as can be, and follow the links; what a route table would
// say is the same way. A kind that needs one may go round, as may messages which go one way on a ring.
static void goes_nearer(const struct loom_topo *t)
{
	uint32_t *far = calloc(t->n_nodes, sizeof *far);
	assert_non_null(far);
	for (uint32_t d = 0; d < t->n_nodes && is_direct(t); d++) {
		distances(far, t, d);
		for (uint32_t u = 0; u < t->n_nodes; u++)
			for (unsigned rule = 0; rule < loom_topo_rules_count(t); rule++) {
				uint32_t v;
				unsigned q, port = loom_topo_port(t, u, d, (enum loom_rule)rule);
				if (u == d) {
					assert_int_equal(port, 0);
					continue;
				}
				unsigned p = t->kind->next(t, u, d, (enum loom_rule)rule);
				assert_true(p < t->ports - 1 && t->kind->link(t, u, p, &v, &q));
				assert_int_equal(port, p + 1);
				if (t->kind->router != LOOM_ROUTER_ORDER || rule > LOOM_RULE_DESCENDING)
					continue;
				assert_int_equal(far[v] + 1, far[u]);
				assert_int_equal(loom_route_length(t, u, d, (enum loom_rule)rule), far[u] + 2);
			}
	}
	free(far);
}

// --- Sizes ---------------------------------------------------------------------------------------------------------

// A wrong size gives one line that names possible sizes, and changes nothing.
static void test_sizes_refused(void **state)
{
	static const char *const sizes[] = {"",
	                                    ":",
	                                    ":0",
	                                    ":1000000000",
	                                    ":-1",
	                                    ":+3",
	                                    ": 3",
	                                    ":3 ",
	                                    ":3y4",
	                                    ":3x",
	                                    ":x3",
	                                    ":3xx5",
	                                    ":3x-4",
	                                    ":0x4",
	                                    ":3:3",
	                                    ":3.0",
	                                    ":three",
	                                    ":1x1x1",
	                                    ":4294967299",
	                                    ":18446744073709551619", // 3 modulo 2^32 and 2^64
	                                    ":999999999x999999999x999999999",
	                                    ":2x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1"};
	(void)state;
	for (size_t k = 0; loom_topo_kind_at(k); k++)
		for (size_t i = 0; loom_topo_kind_at(k)->size_near && i < sizeof sizes / sizeof sizes[0]; i++) {
			struct loom_topo t, before;
			struct loom_err err = {0};
			char text[128], right[32];
			memset(&t, 0xa5, sizeof t);
			before = t;
			(void)snprintf(text, sizeof text, "%s%s", loom_topo_kind_at(k)->name, sizes[i]);
			(void)snprintf(right, sizeof right, "%s:", loom_topo_kind_at(k)->name);
			if (loom_topo_parse(&t, text, &err) != LOOM_EINPUT || err.code != LOOM_EINPUT ||
			    strchr(err.text, '\n') || !strstr(err.text, right))
				fail_msg("\"%s\": \"%s\"", text, err.text);
			assert_memory_equal(&t, &before, sizeof t);
			assert_int_equal(loom_topo_parse(&t, text, NULL), LOOM_EINPUT);
		}
}

// --- Headers -------------------------------------------------------------------------------------------------------

static void has_bits_for_rules(const struct loom_topo *t)
{
	unsigned bits = 1;
	while (1u << bits < loom_topo_rules_count(t))
		bits++;
	assert_int_equal(loom_flit_rule_bits(t), bits);
}

// Tables have a rule for each lane of a link.
static void test_bits_for_rules_of_tables(void **state)
{
	(void)state;
	for (unsigned lanes = 2; lanes <= LOOM_LANES_MAX; lanes++) {
		struct loom_topo t;
		char name[TEXT];
		(void)snprintf(name, sizeof name, "table-mesh:2x2v%u", lanes);
		parse(&t, name);
		assert_int_equal(loom_topo_rules_count(&t), lanes);
		has_bits_for_rules(&t);
		loom_topo_free(&t);
	}
}

#define TEST_OF(property)                                                                                              \
	static void test_##property(void **state)                                                                      \
	{                                                                                                              \
		(void)state;                                                                                           \
		on_all(property);                                                                                      \
	}

TEST_OF(has_shape)
TEST_OF(has_labels_of_its_own)
TEST_OF(has_names_of_its_own)
TEST_OF(has_groups)
TEST_OF(has_bits_for_rules)
TEST_OF(has_mutual_links)
TEST_OF(has_routes_that_end)
TEST_OF(goes_nearer)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_has_shape),
		cmocka_unit_test(test_has_labels_of_its_own),
		cmocka_unit_test(test_has_names_of_its_own),
		cmocka_unit_test(test_has_groups),
		cmocka_unit_test(test_has_bits_for_rules),
		cmocka_unit_test(test_bits_for_rules_of_tables),
		cmocka_unit_test(test_has_mutual_links),
		cmocka_unit_test(test_has_routes_that_end),
		cmocka_unit_test(test_goes_nearer),
		cmocka_unit_test(test_sizes_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
